//! Looking for a sequence of bytes: `strstr` and `memmem`.

use everett_expr::Pool;
use everett_interp::{AccessPurpose, Halt, Reg};
use everett_memory::{ByteValue, ObjectPosition, SearchResult};
use memchr::{memchr, memmem};

use super::StringCall;
use super::chain::{ByteTruth, StopChain, StopSearch, equal, is_zero};
use super::view::ByteView;

impl StringCall<'_, '_> {
    pub(super) fn strstr(&mut self, haystack: Reg, needle: Reg) -> Result<Reg, Halt> {
        let needle = self.settled_string(needle)?;
        if needle.is_empty() {
            return Ok(haystack);
        }
        let place = self.place(haystack, AccessPurpose::Read)?;
        let room = self.st.mem.accessible(place, false);
        let (known, end) = match self.st.mem.search(place, room, |run| memchr(0, run)) {
            SearchResult::At(end) => (end, true),
            SearchResult::Symbolic(end) => (end, false),
            SearchResult::Nothing => (room, false),
        };
        let start = match self.concrete_match(place, known, &needle) {
            Ok(Some(found)) => return Ok(Reg::word(place.address + found)),
            Ok(None) if end => return Ok(Reg::word(0)),
            // Whatever begins earlier ends in bytes that are known not to match.
            Ok(None) => (known + 1).saturating_sub(needle.len() as u64),
            Err(_symbolic) => 0,
        };
        let mut view = self.view_at(place);
        let chain = self.search_string(&mut view, start, &needle)?;
        let chain = self.settle_result(chain)?;
        Ok(self.fold(&chain, 64, |found| {
            found.map_or(Reg::word(0), |found| Reg::word(place.address + found))
        }))
    }

    fn search_string(
        &mut self,
        view: &mut ByteView,
        start: u64,
        needle: &[ByteValue],
    ) -> Result<StopChain<Option<u64>>, Halt> {
        let mut search = StopSearch::new();
        let mut position = start;
        loop {
            let Some((_, byte)) = view.byte(self, position) else {
                return search.must_have_stopped(self, |cx, bad| view.past_end(cx, bad));
            };
            let matches = self.matches(view, position, needle);
            if search.stop(self, matches, Some(position))?
                || search.stop(self, is_zero(self.cx.pool, byte), None)?
            {
                return Ok(search.chain());
            }
            position += 1;
        }
    }

    /// Returns `true` if a needle is at a position; its bytes are not zero, so it lies before the terminator.
    fn matches(&mut self, view: &mut ByteView, position: u64, needle: &[ByteValue]) -> ByteTruth {
        let mut matches = ByteTruth::Yes;
        for (at, wanted) in (position..).zip(needle) {
            let Some((_, byte)) = view.byte(self, at) else { return ByteTruth::No };
            let pool: &Pool = self.cx.pool;
            matches = matches.and(pool, equal(pool, byte, *wanted));
            if matches == ByteTruth::No {
                break;
            }
        }
        matches
    }

    pub(super) fn memmem(
        &mut self,
        haystack: Reg,
        len: Reg,
        needle: Reg,
        n: Reg,
    ) -> Result<Reg, Halt> {
        let (len, n) = (self.settle(len)?, self.settle(n)?);
        if n == 0 {
            return Ok(haystack);
        }
        if len < n {
            return Ok(Reg::word(0));
        }
        let (place, sought) =
            (self.place(haystack, AccessPurpose::Read)?, self.place(needle, AccessPurpose::Read)?);
        self.inside(place.address, len, AccessPurpose::Read)?;
        self.inside(sought.address, n, AccessPurpose::Read)?;
        self.log(sought.address, n, AccessPurpose::Read);
        let read = self.st.mem.read_each(self.cx.pool, sought.address, n);
        let needle = read.expect("the needle was found to be inside its object");
        let known = match self.st.mem.search(place, len, |_| None) {
            SearchResult::At(known) | SearchResult::Symbolic(known) => known,
            SearchResult::Nothing => len,
        };
        let start = match self.concrete_match(place, known, &needle) {
            Ok(Some(found)) => return Ok(Reg::word(place.address + found)),
            Ok(None) if known == len => return Ok(Reg::word(0)),
            Ok(None) => (known + 1).saturating_sub(n),
            Err(_symbolic) => 0,
        };
        let (mut search, mut view) = (StopSearch::new(), self.view_at(place));
        let mut position = start;
        let chain = loop {
            if position > len - n {
                break search.close(None);
            }
            let matches = self.matches(&mut view, position, &needle);
            if search.stop(self, matches, Some(position))? {
                break search.chain();
            }
            position += 1;
        };
        let chain = self.settle_result(chain)?;
        Ok(self.fold(&chain, 64, |found| {
            found.map_or(Reg::word(0), |found| Reg::word(place.address + found))
        }))
    }

    /// Looks for a concrete needle in bytes that are concrete; an error says that it is not.
    fn concrete_match(
        &mut self,
        place: ObjectPosition,
        len: u64,
        needle: &[ByteValue],
    ) -> Result<Option<u64>, SymbolicNeedle> {
        let concrete = |byte: &ByteValue| match byte {
            ByteValue::Concrete(byte) => Ok(*byte),
            ByteValue::Symbolic(_) => Err(SymbolicNeedle),
        };
        let needle = needle.iter().map(concrete).collect::<Result<Vec<u8>, _>>()?;
        let mut bytes = vec![0; len as usize];
        self.log(place.address, len, AccessPurpose::Read);
        let read = len == 0 || self.st.mem.read_bytes(place.address, &mut bytes);
        assert!(read, "the bytes were found to be concrete");
        Ok(memmem::find(&bytes, &needle).map(|found| found as u64))
    }
}

/// The needle is not wholly concrete.
struct SymbolicNeedle;
