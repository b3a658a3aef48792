//! Searches through two views side by side.

use everett_interp::{AccessPurpose, Bug, Halt};
use everett_memory::{ByteValue, ObjectPosition, SearchResult};

use super::StringCall;
use super::chain::{ByteTruth, StopChain, StopSearch};
use super::search::{AtLimit, SearchLimit};
use super::view::ByteView;
use crate::state::node_state::{Interpreter, PathState};

impl StringCall<'_, '_> {
    /// Looks at the bytes of two views, one pair after the other, as [`StringCall::search`] does at those
    /// of one.
    pub(super) fn search_pairs<R: Copy>(
        &mut self,
        a: &mut ByteView,
        b: &mut ByteView,
        limit: SearchLimit<R>,
        skip: impl Fn(&[u8], &[u8]) -> Option<usize>,
        mut stops: impl FnMut(&mut StopSearch<R>, &mut Self, u64, [ByteValue; 2]) -> Result<bool, Halt>,
    ) -> Result<StopChain<R>, Halt> {
        let mut search = StopSearch::new();
        let room = a.room().min(b.room());
        let end = limit.end(self.cx.pool).map_or(room, |end| end.min(room));
        let mut position = 0;
        loop {
            if let (Some(x), Some(y)) = (a.place(), b.place())
                && position < end
            {
                let from = |place: ObjectPosition| ObjectPosition {
                    address: place.address + position,
                    ..place
                };
                let (x, y) = (from(x), from(y));
                let skipped = match self.st.mem.search_pair(x, y, end - position, &skip) {
                    SearchResult::At(skipped) | SearchResult::Symbolic(skipped) => skipped,
                    SearchResult::Nothing => end - position,
                };
                self.log(x.address, skipped, AccessPurpose::Read);
                self.log(y.address, skipped, AccessPurpose::Read);
                position += skipped;
            }
            match self.at_limit(&mut search, &limit, position)? {
                AtLimit::Before => {}
                AtLimit::Stopped => return Ok(search.chain()),
                // The bytes before the limit are inside the objects only under a condition.
                AtLimit::End(outcome) if search.stop(self, ByteTruth::Yes, outcome)? => {
                    return Ok(search.chain());
                }
                AtLimit::End(_) => {
                    return search.must_have_stopped(self, |cx, bad| first_past_end(cx, bad, a, b));
                }
                AtLimit::Fatal(fatal) => {
                    return search.must_have_stopped(self, |cx, bad| fatal.bug(cx, bad));
                }
            }
            let (Some((in_a, x)), Some((in_b, y))) =
                (a.byte(self, position), b.byte(self, position))
            else {
                return search.must_have_stopped(self, |cx, bad| first_past_end(cx, bad, a, b));
            };
            search.guard = in_a.and(self.cx.pool, in_b);
            if stops(&mut search, self, position, [x, y])? {
                return Ok(search.chain());
            }
            position += 1;
        }
    }
}

/// The bug of a path that reads past the end of the view that ends first.
fn first_past_end(cx: &Interpreter<'_>, bad: &PathState, a: &ByteView, b: &ByteView) -> Bug {
    let first = a.example_room(cx, bad) <= b.example_room(cx, bad);
    if first { a.past_end(cx, bad) } else { b.past_end(cx, bad) }
}
