//! Partial lines: pages of which some bytes are not concrete.
//!
//! A variable that is written piece by piece, or a struct with padding, would otherwise be a page of cells in
//! the tree, and each access to it would cost a search there.
//!
//! Invariant: a byte of a partial page that its line does not hold is as the tree has it; if the tree does
//! not have the page, the byte was never written. Only objects without arrays have partial lines.

use super::{CacheLine, LINES, PageCache, PageMaps};
use crate::layout::{PAGE_BYTES, page_key};
use crate::page::{ByteCell, Page};

/// The bytes that a partial line holds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WrittenBytes {
    /// Bit `i mod 64` of word `i / 64`: the line holds byte `i`.
    bits: [u64; PAGE_BYTES as usize / 64],
    /// Bytes of the page.
    len: u32,
}

impl WrittenBytes {
    fn contains(&self, at: usize) -> bool {
        self.bits[at / 64] >> (at % 64) & 1 != 0
    }

    /// Returns true if all bytes of a range, which is not empty, are there.
    fn contains_all(&self, at: usize, bytes: usize) -> bool {
        if at / 64 == (at + bytes - 1) / 64 {
            let wanted = ones(bytes) << (at % 64);
            return self.bits[at / 64] & wanted == wanted;
        }
        (at..at + bytes).all(|at| self.contains(at))
    }

    fn insert(&mut self, at: usize, bytes: usize) {
        if bytes > 0 && at / 64 == (at + bytes - 1) / 64 {
            self.bits[at / 64] |= ones(bytes) << (at % 64);
        } else {
            (at..at + bytes).for_each(|at| self.bits[at / 64] |= 1 << (at % 64));
        }
    }

    fn is_full(&self) -> bool {
        let held: u32 = self.bits.iter().map(|word| word.count_ones()).sum();
        held == self.len
    }
}

/// As many ones as asked for, 1 to 64.
fn ones(count: usize) -> u64 {
    u64::MAX >> (64 - count)
}

/// The bytes of a page that a partial line holds.
pub(crate) struct PartialPage<'a> {
    written: &'a WrittenBytes,
    data: &'a [u8; PAGE_BYTES as usize],
}

impl PartialPage<'_> {
    /// One byte, if it is here.
    pub(crate) fn byte(&self, at: usize) -> Option<u8> {
        self.written.contains(at).then(|| self.data[at])
    }
}

impl PageCache {
    /// The page that starts at `start`, if it is in a partial line.
    #[inline]
    pub(crate) fn partial(&self, start: u64) -> Option<PartialPage<'_>> {
        if self.partial == 0 {
            return None;
        }
        let index = PageCache::index(start);
        let is_there = self.partial >> index & 1 != 0 && self.lines[index].start == start;
        is_there.then(|| PartialPage { written: &self.written[index], data: &self.data[index] })
    }

    /// Returns true if some line is partial.
    pub(crate) fn has_partial(&self) -> bool {
        self.partial != 0
    }

    /// Makes the line of the page at `start` a partial one that holds nothing yet. The line must have been
    /// emptied.
    pub(crate) fn install_partial(&mut self, start: u64, len: u32) {
        if self.written.is_empty() {
            self.written = vec![WrittenBytes::default(); LINES].into();
        }
        let index = PageCache::index(start);
        self.lines[index] = CacheLine { start, len: 0, writable: 0 };
        self.written[index] = WrittenBytes { bits: [0; PAGE_BYTES as usize / 64], len };
        self.partial |= 1 << index;
    }

    /// The same with the concrete cells of a page.
    pub(crate) fn install_cells(
        &mut self,
        start: u64,
        cells: impl ExactSizeIterator<Item = ByteCell>,
    ) {
        self.install_partial(start, cells.len() as u32);
        let index = PageCache::index(start);
        for (at, cell) in cells.enumerate() {
            if let ByteCell::Byte(byte) = cell {
                self.data[index][at] = byte;
                self.written[index].insert(at, 1);
            }
        }
    }

    /// A little-endian number of at most 8 bytes, if they are in one partial line.
    pub(crate) fn load_partial(&self, address: u64, bytes: u8) -> Option<u64> {
        let (index, at) = self.place_in_partial(address, bytes.into())?;
        let bytes = usize::from(bytes);
        self.written[index]
            .contains_all(at, bytes)
            .then(|| super::number_of(&self.data[index][at..at + bytes]))
    }

    /// Writes bytes to a partial line; false if the page is in none.
    pub(crate) fn store_partial(&mut self, address: u64, bytes: &[u8]) -> bool {
        let Some((index, at)) = self.place_in_partial(address, bytes.len()) else { return false };
        self.data[index][at..at + bytes.len()].copy_from_slice(bytes);
        self.written[index].insert(at, bytes.len());
        self.dirty |= 1 << index;
        if self.written[index].is_full() {
            let len = self.written[index].len;
            self.lines[index] = CacheLine { len, writable: len, ..self.lines[index] };
            self.partial &= !(1 << index);
        }
        true
    }

    /// The line of a range that lies in one partial page, and its place there.
    fn place_in_partial(&self, address: u64, bytes: usize) -> Option<(usize, usize)> {
        if self.partial == 0 {
            return None;
        }
        let index = PageCache::index(address);
        if self.partial >> index & 1 == 0 {
            return None;
        }
        let at = address.wrapping_sub(self.lines[index].start);
        let len = u64::from(self.written[index].len);
        (at < len && bytes as u64 <= len - at).then_some((index, at as usize))
    }

    /// Writes what a partial line holds to the trees.
    pub(super) fn copy_partial_line(&self, index: usize, trees: PageMaps<'_>) {
        let written = &self.written[index];
        let len = written.len as usize;
        let key = page_key(self.lines[index].start);
        let old = trees.pages.get(key);
        let mut cells = [ByteCell::Unwritten; PAGE_BYTES as usize];
        for (at, cell) in cells[..len].iter_mut().enumerate() {
            *cell = if written.contains(at) {
                ByteCell::Byte(self.data[index][at])
            } else {
                old.map_or(ByteCell::Unwritten, |page| page.cell(at))
            };
        }
        let page = Page::from_cells(&cells[..len]);
        trees.pages.insert(key, page);
    }
}
