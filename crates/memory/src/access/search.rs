//! Looking for bytes and comparing ranges, a page at a time.
//!
//! The caller knows what is looked for. It is handed runs of concrete bytes, as long as pages allow, and
//! answers with a position in the run. A symbolic byte ends the search, since only the caller can tell
//! which values it may have.
//!
//! Not here: what follows from symbolic bytes (`engine`).

use everett_expr::Pool;

use crate::layout::PAGE_BYTES;
use crate::object::{GuardState, ObjRef};
use crate::page::ByteCell;
use crate::space::{AddressSpace, PageRef, PageSegment};

/// The result of a search through memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchResult {
    /// The pattern is at this offset from where the search began.
    At(u64),
    /// The byte at this offset is symbolic; the pattern is not among the bytes searched before it.
    Symbolic(u64),
    /// The pattern is not in the range, all of which was searched.
    Nothing,
}

/// A place inside an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ObjectPosition {
    /// The object.
    pub object: ObjRef,
    /// The address, inside the object or at its end.
    pub address: u64,
}

/// Room for the concrete bytes of a page that has others too.
type PageScratch = [u8; PAGE_BYTES as usize];

/// Pages that were never written, by what they are filled with.
static FILLED: [PageScratch; 256] = {
    let mut pages = [[0; PAGE_BYTES as usize]; 256];
    let mut byte = 0;
    while byte < 256 {
        pages[byte] = [byte as u8; PAGE_BYTES as usize];
        byte += 1;
    }
    pages
};

impl AddressSpace {
    /// The bytes from an address to the end of its page or object, if the page is at hand: an empty
    /// answer says nothing.
    #[inline]
    pub fn at_hand(&self, address: u64) -> &[u8] {
        self.cache().map_or(&[], |cache| cache.rest_of_page(address))
    }

    /// Has the page of an address at hand for the accesses that follow, if it is concrete.
    pub fn bring(&mut self, address: u64) {
        if self.at_hand(address).is_empty() {
            self.cache_page(address);
        }
    }

    /// Copies bytes that are at hand and do not overlap to a page that is at hand and may be written.
    /// `false`, and nothing is copied, where this is not so.
    #[inline]
    pub fn copy_at_hand(&mut self, pool: &Pool, to: u64, from: u64, bytes: u64) -> bool {
        self.existing_cache_mut().is_some_and(|cache| {
            cache.copy(to, from, bytes)
                || cache.has_partial()
                    && bytes <= PAGE_BYTES
                    && cache.copy_partly(pool, to, from, bytes as usize)
        })
    }

    /// Searches `bytes` bytes from a place on, all of them
    /// [accessible](AddressSpace::accessible). `find` sees runs of concrete bytes in order, and
    /// answers with the index of what it looks for.
    pub fn search(
        &self,
        from: ObjectPosition,
        bytes: u64,
        mut find: impl FnMut(&[u8]) -> Option<usize>,
    ) -> SearchResult {
        let mut scratch = [0; PAGE_BYTES as usize];
        let mut done = 0;
        while done < bytes {
            let run = self.concrete_run(from, done, bytes - done, &mut scratch);
            if run.is_empty() {
                return SearchResult::Symbolic(done);
            }
            if let Some(at) = find(run) {
                return SearchResult::At(done + at as u64);
            }
            done += run.len() as u64;
        }
        SearchResult::Nothing
    }

    /// Searches like [`search`](AddressSpace::search), but backwards: runs are seen from the last one to
    /// the first, and the answers are offsets from the start all the same.
    pub fn search_last(
        &self,
        from: ObjectPosition,
        bytes: u64,
        mut find: impl FnMut(&[u8]) -> Option<usize>,
    ) -> SearchResult {
        let mut scratch = [0; PAGE_BYTES as usize];
        let mut left = bytes;
        while left > 0 {
            let last = from.address + left - 1;
            let page = (last & !(PAGE_BYTES - 1)).max(from.address) - from.address;
            // A page with symbolic bytes is seen up to the last of them.
            let mut start = page;
            loop {
                let run = self.concrete_run(from, start, left - start, &mut scratch);
                let end = start + run.len() as u64;
                if end == left {
                    break;
                }
                start = end + 1;
                if start == left {
                    return SearchResult::Symbolic(end);
                }
            }
            let run = self.concrete_run(from, start, left - start, &mut scratch);
            if let Some(at) = find(run) {
                return SearchResult::At(start + at as u64);
            }
            if start > page {
                return SearchResult::Symbolic(start - 1);
            }
            left = page;
        }
        SearchResult::Nothing
    }

    /// Compares `bytes` bytes from two places on, all of them inside their objects. `find` sees runs
    /// of concrete bytes of equal length, and answers with the index of what it looks for.
    pub fn search_pair(
        &self,
        a: ObjectPosition,
        b: ObjectPosition,
        bytes: u64,
        mut find: impl FnMut(&[u8], &[u8]) -> Option<usize>,
    ) -> SearchResult {
        let (mut one, mut other) = ([0; PAGE_BYTES as usize], [0; PAGE_BYTES as usize]);
        let mut done = 0;
        while done < bytes {
            let x = self.concrete_run(a, done, bytes - done, &mut one);
            let y = self.concrete_run(b, done, bytes - done, &mut other);
            let len = x.len().min(y.len());
            if len == 0 {
                return SearchResult::Symbolic(done);
            }
            if let Some(at) = find(&x[..len], &y[..len]) {
                return SearchResult::At(done + at as u64);
            }
            done += len as u64;
        }
        SearchResult::Nothing
    }

    /// Returns the number of bytes from a place on that can be read, or if `write` is set, written: up
    /// to the end of the object, or to where rights end.
    pub fn accessible(&self, from: ObjectPosition, write: bool) -> u64 {
        let ObjectPosition { object, address } = from;
        if object.object.guarded == GuardState::Unguarded {
            return object.end() - address;
        }
        let parts = self.parts(object).into_iter();
        let closed = parts
            .filter(|(_, to, rights)| object.base + to > address && !rights.allow(write))
            .map(|(from, _, _)| (object.base + from).max(address))
            .next();
        closed.unwrap_or(object.end()) - address
    }

    /// The concrete bytes `skip` bytes after a place, at most `bytes` and at most to the end of a
    /// page; none if the first one is symbolic.
    #[inline]
    fn concrete_run<'a>(
        &'a self,
        from: ObjectPosition,
        skip: u64,
        bytes: u64,
        scratch: &'a mut PageScratch,
    ) -> &'a [u8] {
        let Some(segment) = self.segments(from.object, from.address + skip, bytes).next() else {
            return &[];
        };
        let range = segment.at..segment.at + segment.len;
        match self.page(&from.object.object, &segment) {
            PageRef::Bytes(page) => &page[range],
            PageRef::Fill(byte) => &FILLED[usize::from(byte)][range],
            page @ (PageRef::Cells(_) | PageRef::Unwritten | PageRef::Partial(_)) => {
                concrete_cells(&page, &segment, scratch)
            }
        }
    }
}

/// The concrete bytes that a segment of a page with symbolic bytes begins with.
fn concrete_cells<'a>(
    page: &PageRef<'_>,
    segment: &PageSegment,
    scratch: &'a mut PageScratch,
) -> &'a [u8] {
    let mut len = 0;
    for at in segment.at..segment.at + segment.len {
        let ByteCell::Byte(byte) = page.cell(at) else { break };
        scratch[len] = byte;
        len += 1;
    }
    &scratch[..len]
}
