//! Looking for a byte: `strlen`, `memchr`, `strchr`, `strspn` and their relatives.

use everett_interp::{AccessPurpose, Halt, Reg};
use everett_memory::{ByteValue, ObjectPosition, SearchResult};
use memchr::{memchr, memchr2, memrchr};

use super::StringCall;
use super::chain::{ByteTruth, StopChain, StopSearch, equal, is_zero};
use super::search::{SearchLength, SearchLimit};
use super::set::ByteSet;
use super::view::ByteView;

/// Beyond this many positions an expression is not worth it, and the path forks over the length.
pub(super) const MAX_SPAN: u64 = 1024;

impl StringCall<'_, '_> {
    pub(super) fn strlen(&mut self, s: Reg) -> Result<Reg, Halt> {
        if let Some(address) = s.as_word()
            && let Some(len) = memchr(0, self.at_hand(address))
        {
            return Ok(Reg::word(len as u64));
        }
        let mut view = self.view(s)?;
        let chain = self.terminator(&mut view, SearchLimit::None)?;
        self.length(chain)
    }

    pub(super) fn strnlen(&mut self, s: Reg, max: Reg) -> Result<Reg, Halt> {
        let max = self.length_of(max, &[s])?;
        if let SearchLength::Known(0) = max {
            return Ok(Reg::word(0));
        }
        let mut view = self.view(s)?;
        // The outcome at the limit is the limit itself, which may be a term.
        let limit = SearchLimit::After(max, None);
        let chain = self.search(
            &mut view,
            limit,
            |run| memchr(0, run),
            |search, call, position, byte| {
                search.stop(call, is_zero(call.cx.pool, byte), Some(position))
            },
        )?;
        let max = match max {
            SearchLength::Known(max) => Reg::word(max),
            SearchLength::Term(term) => Reg::symbolic(term),
        };
        let chain = self.settle_result(chain)?;
        Ok(self.fold(&chain, 64, |len| len.map_or(max, Reg::word)))
    }

    /// Where a string ends.
    pub(super) fn terminator(
        &mut self,
        view: &mut ByteView,
        limit: SearchLimit<u64>,
    ) -> Result<StopChain<u64>, Halt> {
        self.search(
            view,
            limit,
            |run| memchr(0, run),
            |search, call, position, byte| search.stop(call, is_zero(call.cx.pool, byte), position),
        )
    }

    pub(super) fn memchr(&mut self, s: Reg, c: Reg, n: Reg) -> Result<Reg, Halt> {
        let wanted = self.low_byte(c);
        if let (Some(address), Some(n)) = (s.as_word(), n.as_word())
            && let ByteValue::Concrete(wanted) = wanted
        {
            let run = self.at_hand(address);
            let run = &run[..run.len().min(usize::try_from(n).unwrap_or(usize::MAX))];
            match memchr(wanted, run) {
                Some(found) => return Ok(Reg::word(address + found as u64)),
                None if run.len() as u64 == n => return Ok(Reg::word(0)),
                None => {}
            }
        }
        let n = self.length_of(n, &[s])?;
        if let SearchLength::Known(0) = n {
            return Ok(Reg::word(0));
        }
        let mut view = self.view(s)?;
        let chain = self.find_byte(&mut view, wanted, SearchLimit::After(n, None))?;
        self.pointer(&view, chain)
    }

    pub(super) fn rawmemchr(&mut self, s: Reg, c: Reg) -> Result<Reg, Halt> {
        let wanted = self.low_byte(c);
        let mut view = self.view(s)?;
        let chain = self.find_byte(&mut view, wanted, SearchLimit::None)?;
        self.pointer(&view, chain)
    }

    fn find_byte(
        &mut self,
        view: &mut ByteView,
        wanted: ByteValue,
        limit: SearchLimit<Option<u64>>,
    ) -> Result<StopChain<Option<u64>>, Halt> {
        self.search(
            view,
            limit,
            |run| match wanted {
                ByteValue::Concrete(wanted) => memchr(wanted, run),
                ByteValue::Symbolic(_) => Some(0),
            },
            |search, call, position, byte| {
                search.stop(call, equal(call.cx.pool, byte, wanted), Some(position))
            },
        )
    }

    pub(super) fn memrchr(&mut self, s: Reg, c: Reg, n: Reg) -> Result<Reg, Halt> {
        let wanted = self.low_byte(c);
        let n = self.settle(n)?;
        if n == 0 {
            return Ok(Reg::word(0));
        }
        let place = self.place(s, AccessPurpose::Read)?;
        self.inside(place.address, n, AccessPurpose::Read)?;
        self.find_byte_backwards(place, wanted, n)
    }

    /// The last of `n` bytes that has a value, from its end.
    fn find_byte_backwards(
        &mut self,
        place: ObjectPosition,
        wanted: ByteValue,
        n: u64,
    ) -> Result<Reg, Halt> {
        let mut search = StopSearch::new();
        self.log(place.address, n, AccessPurpose::Read);
        let mut view = self.view_at(place);
        let mut left = n;
        let chain = loop {
            let found = match wanted {
                ByteValue::Concrete(wanted) => {
                    self.st.mem.search_last(place, left, |run| memrchr(wanted, run))
                }
                ByteValue::Symbolic(_) => {
                    left.checked_sub(1).map_or(SearchResult::Nothing, SearchResult::At)
                }
            };
            let position = match found {
                SearchResult::Nothing => break search.close(None),
                SearchResult::At(position) | SearchResult::Symbolic(position) => position,
            };
            let (_, byte) = view.byte(self, position).expect("the range is inside the object");
            if search.stop(self, equal(self.cx.pool, byte, wanted), Some(position))? {
                break search.chain();
            }
            left = position;
        };
        self.pointer(&view, chain)
    }

    pub(super) fn strchr(&mut self, s: Reg, c: Reg) -> Result<Reg, Halt> {
        let wanted = self.low_byte(c);
        if let (Some(address), ByteValue::Concrete(byte)) = (s.as_word(), wanted) {
            let run = self.at_hand(address);
            if let Some(found) = skip_to(wanted, run) {
                let found = (run[found] == byte).then_some(address + found as u64);
                return Ok(Reg::word(found.unwrap_or(0)));
            }
        }
        let mut view = self.view(s)?;
        let chain = self.search(
            &mut view,
            SearchLimit::None,
            |run| skip_to(wanted, run),
            |search, call, position, byte| {
                let pool = call.cx.pool;
                Ok(search.stop(call, equal(pool, byte, wanted), Some(position))?
                    || search.stop(call, is_zero(pool, byte), None)?)
            },
        )?;
        self.pointer(&view, chain)
    }

    pub(super) fn strchrnul(&mut self, s: Reg, c: Reg) -> Result<Reg, Halt> {
        let wanted = self.low_byte(c);
        let mut view = self.view(s)?;
        let chain = self.search(
            &mut view,
            SearchLimit::None,
            |run| skip_to(wanted, run),
            |search, call, position, byte| {
                let pool = call.cx.pool;
                let stops = equal(pool, byte, wanted).or(pool, is_zero(pool, byte));
                search.stop(call, stops, Some(position))
            },
        )?;
        self.pointer(&view, chain)
    }

    pub(super) fn strrchr(&mut self, s: Reg, c: Reg) -> Result<Reg, Halt> {
        let wanted = self.low_byte(c);
        let mut view = self.view(s)?;
        let chain = self.terminator(&mut view, SearchLimit::None)?;
        let chain = self.settle_result(chain)?;
        let len = match view.place() {
            Some(_) if chain.last > MAX_SPAN => self.settle_chain(&chain)?,
            Some(_) if chain.links.is_empty() => chain.last,
            _ => return self.last_before_end(&mut view, &chain, wanted),
        };
        let place = view.place().expect("the start is known where the length is settled");
        self.find_byte_backwards(place, wanted, len + 1)
    }

    /// The last position that has a byte, as an expression over where the string ends.
    fn last_before_end(
        &mut self,
        view: &mut ByteView,
        chain: &StopChain<u64>,
        wanted: ByteValue,
    ) -> Result<Reg, Halt> {
        let pool = self.cx.pool;
        let mut found = Reg::word(0);
        let mut alive = ByteTruth::Yes;
        let mut ends = chain.links.iter().peekable();
        for position in 0..=chain.last {
            let Some((_, byte)) = view.byte(self, position) else { break };
            let here = alive.and(pool, equal(pool, byte, wanted));
            let pointer = view.pointer(self.cx, position);
            found = match here {
                ByteTruth::No => found,
                ByteTruth::Yes => pointer,
                ByteTruth::Maybe(term) => {
                    let (yes, no) = (self.cx.reg_term(pointer, 64), self.cx.reg_term(found, 64));
                    self.cx.term_reg(pool.ite(term, yes, no))
                }
            };
            while let Some((end, _)) = ends.next_if(|(_, at)| *at == position) {
                alive = alive.and(pool, ByteTruth::Maybe(*end).not(pool));
            }
        }
        Ok(found)
    }

    pub(super) fn strspn(&mut self, s: Reg, accept: Reg) -> Result<Reg, Halt> {
        let set = self.byte_set(accept)?;
        let mut view = self.view(s)?;
        // The terminator is no member, so it stops the search too.
        let chain = self.search(
            &mut view,
            SearchLimit::None,
            |run| run.iter().position(|byte| !set.has(*byte)),
            |search, call, position, byte| {
                let pool = call.cx.pool;
                let stops = set.contains(pool, byte).not(pool);
                search.stop(call, is_zero(pool, byte).or(pool, stops), position)
            },
        )?;
        self.length(chain)
    }

    pub(super) fn strcspn(&mut self, s: Reg, reject: Reg) -> Result<Reg, Halt> {
        let set = self.byte_set(reject)?;
        let mut view = self.view(s)?;
        let chain = self.search(
            &mut view,
            SearchLimit::None,
            |run| skip_to_member(&set, run),
            |search, call, position, byte| {
                let pool = call.cx.pool;
                let stops = set.contains(pool, byte).or(pool, is_zero(pool, byte));
                search.stop(call, stops, position)
            },
        )?;
        self.length(chain)
    }

    pub(super) fn strpbrk(&mut self, s: Reg, accept: Reg) -> Result<Reg, Halt> {
        let set = self.byte_set(accept)?;
        let mut view = self.view(s)?;
        let chain = self.search(
            &mut view,
            SearchLimit::None,
            |run| skip_to_member(&set, run),
            |search, call, position, byte| {
                let pool = call.cx.pool;
                Ok(search.stop(call, set.contains(pool, byte), Some(position))?
                    || search.stop(call, is_zero(pool, byte), None)?)
            },
        )?;
        self.pointer(&view, chain)
    }

    /// The bytes of a string as a set; where the string ends is settled by forking.
    fn byte_set(&mut self, s: Reg) -> Result<ByteSet, Halt> {
        Ok(ByteSet::new(&self.settled_string(s)?))
    }

    /// The bytes of a string before its terminator; where it ends is settled by forking.
    pub(super) fn settled_string(&mut self, s: Reg) -> Result<Vec<ByteValue>, Halt> {
        let place = self.place(s, AccessPurpose::Read)?;
        let chain = self.terminator(&mut self.view_at(place), SearchLimit::None)?;
        let len = self.settle_chain(&chain)?;
        self.log(place.address, len, AccessPurpose::Read);
        let read = self.st.mem.read_each(self.cx.pool, place.address, len);
        Ok(read.expect("a string is inside its object"))
    }

    /// A pointer to the position found, or null.
    fn pointer(&mut self, view: &ByteView, chain: StopChain<Option<u64>>) -> Result<Reg, Halt> {
        let chain = self.settle_result(chain)?;
        Ok(self.fold(&chain, 64, |found| {
            found.map_or(Reg::word(0), |position| view.pointer(self.cx, position))
        }))
    }

    /// The number of bytes before the position found.
    fn length(&mut self, chain: StopChain<u64>) -> Result<Reg, Halt> {
        let chain = self.settle_result(chain)?;
        Ok(self.fold(&chain, 64, |len| Reg::word(*len)))
    }

    /// An argument that is converted to a character.
    pub(super) fn low_byte(&self, c: Reg) -> ByteValue {
        match c.term() {
            None => ByteValue::Concrete(c.bits() as u8),
            Some(term) => {
                let byte = self.cx.pool.extract(term, 0, 8);
                let byte = match self.cx.pool.mentions_undefined(byte) {
                    true => byte,
                    false => self.st.path.simplify(self.cx.pool, byte),
                };
                match self.cx.pool.as_const(byte) {
                    Some(known) => ByteValue::Concrete(known as u8),
                    None => ByteValue::Symbolic(byte),
                }
            }
        }
    }
}

/// The first byte that is wanted or a terminator.
fn skip_to(wanted: ByteValue, run: &[u8]) -> Option<usize> {
    match wanted {
        ByteValue::Concrete(0) => memchr(0, run),
        ByteValue::Concrete(wanted) => memchr2(wanted, 0, run),
        ByteValue::Symbolic(_) => Some(0),
    }
}

/// The first byte that may be a member, or is a terminator.
fn skip_to_member(set: &ByteSet, run: &[u8]) -> Option<usize> {
    if !set.is_concrete() {
        return Some(0);
    }
    run.iter().position(|byte| *byte == 0 || set.has(*byte))
}
