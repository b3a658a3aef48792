//! Searches through the bytes of one view.

use everett_expr::{Pool, TermId};
use everett_interp::{AccessPurpose, Bug, BugKind, Halt, Reg, ValueUse, byte_count};
use everett_memory::{ByteValue, MemoryFault, ObjRef, ObjectPosition, SearchResult};

use super::StringCall;
use super::chain::{ByteTruth, PassedGap, StopChain, StopSearch};
use super::view::ByteView;
use crate::state::node_state::{Interpreter, PathState};

/// The number of bytes that a function may look at.
#[derive(Clone, Copy)]
pub(super) enum SearchLength {
    /// So many.
    Known(u64),
    /// As many as a term says, 64 bits wide.
    Term(TermId),
}

/// Where a search that found nothing ends, besides the end of the object.
#[derive(Clone, Copy)]
pub(super) enum SearchLimit<R> {
    /// Nowhere.
    None,
    /// After so many bytes, with this outcome.
    After(SearchLength, R),
    /// In a bug, when it gets to this position.
    Fatal(u64, FatalStop),
}

/// Why a function that copies while it searches must not get to a position.
#[derive(Clone, Copy)]
pub(super) enum FatalStop {
    /// The target ends there, or what may be written of it: its object and the address.
    Full(ObjRef, u64),
    /// Source and target overlap; they are so many bytes apart.
    Overlap(&'static str, u64),
}

impl FatalStop {
    pub(super) fn bug(self, cx: &Interpreter<'_>, bad: &PathState) -> Bug {
        match self {
            FatalStop::Full(object, address) => {
                let beyond = MemoryFault::OutOfBounds { address, bytes: 1, object };
                let fault = bad.mem.check_write(address, 1).err().unwrap_or(beyond);
                cx.image.bug_of(&fault, AccessPurpose::Write)
            }
            FatalStop::Overlap(name, apart) => {
                let apart = byte_count(apart);
                let message = format!("{name} between ranges that overlap ({apart} apart)");
                Bug::new(BugKind::Overlap, message)
            }
        }
    }
}

impl<R> SearchLimit<R> {
    /// The position that the search does not look at, if it is known.
    pub(super) fn known(&self) -> Option<u64> {
        match self {
            SearchLimit::After(SearchLength::Known(end), _) | SearchLimit::Fatal(end, _) => {
                Some(*end)
            }
            SearchLimit::After(SearchLength::Term(_), _) | SearchLimit::None => None,
        }
    }

    /// The first position that the search never looks at, whatever a length comes to.
    pub(super) fn end(&self, pool: &Pool) -> Option<u64> {
        match self {
            SearchLimit::After(SearchLength::Term(length), _) => Some(pool.range(*length)?.umax),
            SearchLimit::After(SearchLength::Known(_), _)
            | SearchLimit::Fatal(..)
            | SearchLimit::None => self.known(),
        }
    }
}

/// The verdict of a limit at a position.
pub(super) enum AtLimit<R> {
    /// The position is looked at.
    Before,
    /// The search has stopped.
    Stopped,
    /// The search ends with this outcome.
    End(R),
    /// The search must not have come here.
    Fatal(FatalStop),
}

impl StringCall<'_, '_> {
    /// The number of bytes that an argument allows a function to look at. No byte at the pointers is
    /// looked at where there are none to look at.
    pub(super) fn length_of(
        &mut self,
        length: Reg,
        pointers: &[Reg],
    ) -> Result<SearchLength, Halt> {
        let Some(term) = length.term() else { return Ok(SearchLength::Known(length.bits())) };
        let pool = self.cx.pool;
        let term = self.cx.use_term(self.st, term, ValueUse::Amount);
        let term = self.st.path.simplify_choices(pool, term);
        if let Some(known) = pool.as_const(term) {
            return Ok(SearchLength::Known(known));
        }
        let sound = |pointer: &Reg| {
            pointer.as_word().is_some_and(|address| self.st.mem.check(address, 1).is_ok())
        };
        if !pointers.iter().all(sound) {
            let none = pool.eq(term, pool.constant(64, 0));
            if self.cx.split_sibling(self.st, none)? {
                return Ok(SearchLength::Known(0));
            }
        }
        Ok(SearchLength::Term(term))
    }

    /// The verdict of a limit at a position.
    pub(super) fn at_limit<R: Copy>(
        &mut self,
        search: &mut StopSearch<R>,
        limit: &SearchLimit<R>,
        position: u64,
    ) -> Result<AtLimit<R>, Halt> {
        Ok(match *limit {
            SearchLimit::After(SearchLength::Known(end), outcome) if position >= end => {
                AtLimit::End(outcome)
            }
            SearchLimit::Fatal(end, fatal) if position >= end => AtLimit::Fatal(fatal),
            SearchLimit::After(SearchLength::Term(length), outcome) => {
                let pool = self.cx.pool;
                if limit.end(pool).is_some_and(|end| position >= end) {
                    return Ok(AtLimit::End(outcome));
                }
                let here = pool.constant(64, position);
                // The lengths that end among bytes that were skipped are decided here as well.
                let reached = match search.pass(position) {
                    PassedGap::Nothing => pool.eq(length, here),
                    PassedGap::Some => pool.ule(length, here),
                };
                match search.stop(self, ByteTruth::of(pool, reached), outcome)? {
                    true => AtLimit::Stopped,
                    false => AtLimit::Before,
                }
            }
            SearchLimit::None | SearchLimit::After(..) | SearchLimit::Fatal(..) => AtLimit::Before,
        })
    }

    /// Looks at the bytes of a view one after the other. `stops` tells the search what can happen at
    /// a byte, and answers whether it goes no further; `skip` finds the first concrete byte of a run
    /// for which `stops` would have something to tell.
    pub(super) fn search<R: Copy>(
        &mut self,
        view: &mut ByteView,
        limit: SearchLimit<R>,
        skip: impl Fn(&[u8]) -> Option<usize>,
        mut stops: impl FnMut(&mut StopSearch<R>, &mut Self, u64, ByteValue) -> Result<bool, Halt>,
    ) -> Result<StopChain<R>, Halt> {
        let mut search = StopSearch::new();
        let end = limit.end(self.cx.pool).map_or(view.room(), |end| end.min(view.room()));
        let mut position = 0;
        loop {
            if let Some(ObjectPosition { object, address }) = view.place()
                && position < end
            {
                let from = ObjectPosition { object, address: address + position };
                let skipped = match self.st.mem.search(from, end - position, &skip) {
                    SearchResult::At(skipped) | SearchResult::Symbolic(skipped) => skipped,
                    SearchResult::Nothing => end - position,
                };
                self.log(from.address, skipped, AccessPurpose::Read);
                position += skipped;
            }
            match self.at_limit(&mut search, &limit, position)? {
                AtLimit::Before => {}
                AtLimit::Stopped => return Ok(search.chain()),
                // The bytes before the limit are inside the object only under a condition.
                AtLimit::End(outcome) if search.stop(self, ByteTruth::Yes, outcome)? => {
                    return Ok(search.chain());
                }
                AtLimit::End(_) => {
                    return search.must_have_stopped(self, |cx, bad| view.past_end(cx, bad));
                }
                AtLimit::Fatal(fatal) => {
                    return search.must_have_stopped(self, |cx, bad| fatal.bug(cx, bad));
                }
            }
            let Some((inside, byte)) = view.byte(self, position) else {
                return search.must_have_stopped(self, |cx, bad| view.past_end(cx, bad));
            };
            search.guard = inside;
            if stops(&mut search, self, position, byte)? {
                return Ok(search.chain());
            }
            position += 1;
        }
    }
}
