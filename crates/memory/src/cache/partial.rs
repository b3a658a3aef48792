//! Partial lines: pages of which some bytes are not concrete.
//!
//! A variable that is written piece by piece, or a struct with padding, would otherwise be a page of cells in
//! the tree, and each access to it would cost a search there. A partial line has all that its page has: a
//! concrete byte where its bit is set, and a cell where it is not.
//!
//! Invariant: a partial line has no element of an array.

use everett_expr::{Pool, SymbolId};
use smallvec::SmallVec;

use super::{CacheLine, LINES, PageCache, PageMaps};
use crate::layout::{PAGE_BYTES, page_key};
use crate::page::{ByteCell, Page};

const PAGE: usize = PAGE_BYTES as usize;
/// Bits of a word of a partial line.
const WORD: usize = 64;

/// What a partial line has beside its concrete bytes.
#[derive(Clone, Debug)]
pub(super) struct PartialLine {
    /// Bit `i mod 64` of word `i / 64`: byte `i` is concrete, and among the line's bytes.
    concrete: [u64; PAGE / 64],
    /// Bytes of the page.
    len: u32,
    /// The symbol for bytes of the page that were never written, once it was looked up.
    unwritten: Option<SymbolId>,
    /// The bytes that are not concrete.
    cells: [ByteCell; PAGE],
}

const NOTHING: PartialLine = PartialLine {
    concrete: [0; PAGE / 64],
    len: 0,
    unwritten: None,
    cells: [ByteCell::Unwritten; PAGE],
};

impl PartialLine {
    fn is_concrete(&self, at: usize) -> bool {
        self.concrete[at / 64] >> (at % 64) & 1 != 0
    }

    /// Returns true if all bytes of a range, which is not empty, are concrete.
    fn are_concrete(&self, at: usize, bytes: usize) -> bool {
        if at / 64 == (at + bytes - 1) / 64 {
            let wanted = ones(bytes) << (at % 64);
            return self.concrete[at / 64] & wanted == wanted;
        }
        (at..at + bytes).all(|at| self.is_concrete(at))
    }

    fn set_concrete(&mut self, at: usize, bytes: usize) {
        if bytes > 0 && at / 64 == (at + bytes - 1) / 64 {
            self.concrete[at / 64] |= ones(bytes) << (at % 64);
        } else {
            (at..at + bytes).for_each(|at| self.concrete[at / 64] |= 1 << (at % 64));
        }
    }

    /// One bit for each byte of a range of at most 64: it is concrete.
    fn concrete_bits(&self, at: usize, count: usize) -> u64 {
        let (word, bit) = (at / WORD, at % WORD);
        let low = self.concrete[word] >> bit;
        let high = if bit + count > WORD { self.concrete[word + 1] << (WORD - bit) } else { 0 };
        (low | high) & ones(count)
    }

    fn set_concrete_bits(&mut self, at: usize, count: usize, bits: u64) {
        let (word, bit) = (at / WORD, at % WORD);
        let range = ones(count);
        self.concrete[word] = self.concrete[word] & !(range << bit) | bits << bit;
        if bit + count > WORD {
            let below = WORD - bit;
            let next = &mut self.concrete[word + 1];
            *next = *next & !(range >> below) | bits >> below;
        }
    }

    /// Returns true if some byte of a range was never written.
    fn has_unwritten(&self, at: usize, bytes: usize) -> bool {
        (at..at + bytes).any(|at| !self.is_concrete(at) && self.cells[at] == ByteCell::Unwritten)
    }

    fn set_cell(&mut self, at: usize, cell: ByteCell) {
        self.concrete[at / 64] &= !(1 << (at % 64));
        self.cells[at] = cell;
    }

    fn has_all(&self) -> bool {
        let held: u32 = self.concrete.iter().map(|word| word.count_ones()).sum();
        held == self.len
    }
}

/// As many ones as asked for, 1 to 64.
fn ones(count: usize) -> u64 {
    u64::MAX >> (64 - count)
}

/// A page in a partial line.
pub(crate) struct PartialPage<'a> {
    line: &'a PartialLine,
    data: &'a [u8; PAGE],
}

impl PartialPage<'_> {
    /// One byte.
    pub(crate) fn cell(&self, at: usize) -> ByteCell {
        if self.line.is_concrete(at) { ByteCell::Byte(self.data[at]) } else { self.line.cells[at] }
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
        is_there.then(|| PartialPage { line: &self.partials[index], data: &self.data[index] })
    }

    /// Returns true if some line is partial.
    pub(crate) fn has_partial(&self) -> bool {
        self.partial != 0
    }

    /// Makes the line of the page at `start` a partial one of bytes that were never written. The line must
    /// have been emptied.
    pub(crate) fn install_partial(&mut self, start: u64, len: u32) {
        let index = self.begin_partial(start, len);
        self.partials[index].cells[..len as usize].fill(ByteCell::Unwritten);
    }

    /// The same with the cells of a page, none of them in an array.
    pub(crate) fn install_cells(&mut self, start: u64, cells: &[ByteCell]) {
        let index = self.begin_partial(start, cells.len() as u32);
        let (line, data) = (&mut self.partials[index], &mut self.data[index]);
        line.cells[..cells.len()].copy_from_slice(cells);
        let words = line.concrete.iter_mut().zip(cells.chunks(WORD)).zip(data.chunks_mut(WORD));
        for ((word, cells), data) in words {
            for (bit, (cell, byte)) in cells.iter().zip(data).enumerate() {
                if let ByteCell::Byte(known) = cell {
                    *byte = *known;
                    *word |= 1 << bit;
                }
            }
        }
    }

    fn begin_partial(&mut self, start: u64, len: u32) -> usize {
        if self.partials.is_empty() {
            self.partials = vec![NOTHING; LINES].into();
        }
        let index = PageCache::index(start);
        self.lines[index] = CacheLine { start, len: 0, writable: 0 };
        let line = &mut self.partials[index];
        (line.concrete, line.len, line.unwritten) = ([0; PAGE / 64], len, None);
        self.partial |= 1 << index;
        index
    }

    /// A little-endian number of at most 8 bytes, if they are concrete and in one partial line.
    #[inline]
    pub(crate) fn load_partial(&self, address: u64, bytes: u8) -> Option<u64> {
        let (index, at) = self.place_in_partial(address, bytes.into())?;
        let bytes = usize::from(bytes);
        self.partials[index]
            .are_concrete(at, bytes)
            .then(|| super::number_of(&self.data[index][at..at + bytes]))
    }

    /// Writes bytes to a partial line; false if the page is in none.
    #[inline]
    pub(crate) fn store_partial(&mut self, address: u64, bytes: &[u8]) -> bool {
        let Some((index, at)) = self.place_in_partial(address, bytes.len()) else { return false };
        self.data[index][at..at + bytes.len()].copy_from_slice(bytes);
        self.partials[index].set_concrete(at, bytes.len());
        self.dirty |= 1 << index;
        self.promote(index);
        true
    }

    /// Writes cells, none of them in an array, to a line that may be written, which becomes a partial one;
    /// false if the page is in none.
    pub(crate) fn store_cells(&mut self, address: u64, cells: &[ByteCell]) -> bool {
        self.demote(address, cells.len());
        let Some((index, at)) = self.place_in_partial(address, cells.len()) else { return false };
        for (at, cell) in (at..).zip(cells) {
            match cell {
                ByteCell::Byte(byte) => {
                    self.data[index][at] = *byte;
                    self.partials[index].set_concrete(at, 1);
                }
                cell => self.partials[index].set_cell(at, *cell),
            }
        }
        self.dirty |= 1 << index;
        self.promote(index);
        true
    }

    /// Copies from one line to another, or within one where the ranges do not overlap; at least one line is
    /// partial. False, and nothing is copied, if one of the ranges is in no line, the target may not be
    /// written, or the symbol for bytes that were never written has not been looked up.
    pub(crate) fn copy_partly(&mut self, pool: &Pool, to: u64, from: u64, bytes: usize) -> bool {
        let (source, target) = (PageCache::index(from), PageCache::index(to));
        let is_partial = |cache: &PageCache, index: usize| cache.partial >> index & 1 != 0;
        if bytes == 0 || !is_partial(self, source) && !is_partial(self, target) {
            return false;
        }
        let is_known = |cache: &PageCache| cache.rest_of_page(from).len() >= bytes;
        let (start, is_concrete) = match self.place_in_partial(from, bytes) {
            Some((_, start)) => (start, self.partials[source].are_concrete(start, bytes)),
            None if is_known(self) => ((from - self.lines[source].start) as usize, true),
            None => return false,
        };
        let symbol = if is_concrete { None } else { self.partials[source].unwritten };
        if source == target && to.abs_diff(from) < bytes as u64 {
            return false;
        }
        if !is_concrete {
            if symbol.is_none() && self.partials[source].has_unwritten(start, bytes) {
                return false;
            }
            self.demote(to, bytes);
        }
        let Some(at) = self.place_to_write(to, bytes) else { return false };
        if source == target {
            self.data[source].copy_within(start..start + bytes, at);
        } else {
            let Ok([old, new]) = self.data.get_disjoint_mut([source, target]) else { return false };
            new[at..at + bytes].copy_from_slice(&old[start..start + bytes]);
        }
        if !is_concrete {
            self.copy_cells(pool, [source, start], [target, at], bytes, symbol);
        } else if is_partial(self, target) {
            self.partials[target].set_concrete(at, bytes);
        }
        self.dirty |= 1 << target;
        if is_partial(self, target) {
            self.promote(target);
        }
        true
    }

    /// Copies what partial lines, each with a place in it, have beside bytes. Those that were never written
    /// become bytes of the symbol.
    fn copy_cells(
        &mut self,
        pool: &Pool,
        [source, start]: [usize; 2],
        [target, at]: [usize; 2],
        bytes: usize,
        symbol: Option<SymbolId>,
    ) {
        for done in (0..bytes).step_by(WORD) {
            let count = (bytes - done).min(WORD);
            let known = self.partials[source].concrete_bits(start + done, count);
            self.partials[target].set_concrete_bits(at + done, count, known);
            let mut missing = !known & ones(count);
            while missing != 0 {
                let next = done + missing.trailing_zeros() as usize;
                missing &= missing - 1;
                let cell = match (self.partials[source].cells[start + next], symbol) {
                    (ByteCell::Unwritten, Some(symbol)) => {
                        let term = pool.byte(symbol, (start + next) as u32);
                        ByteCell::Term { term, index: 0 }
                    }
                    (cell, _) => cell,
                };
                self.partials[target].cells[at + next] = cell;
            }
        }
    }

    /// The place of a range in a partial line, or in one that may be written.
    fn place_to_write(&self, address: u64, bytes: usize) -> Option<usize> {
        if let Some((_, at)) = self.place_in_partial(address, bytes) {
            return Some(at);
        }
        let CacheLine { start, writable, .. } = self.lines[PageCache::index(address)];
        let at = address.wrapping_sub(start);
        let writable = u64::from(writable);
        (at < writable && bytes as u64 <= writable - at).then_some(at as usize)
    }

    /// The cells of a range, if the page is in a line. Those that were never written are told by `unwritten`,
    /// which has the symbol for the page, or looks it up.
    pub(crate) fn cells_at_hand(
        &mut self,
        pool: &Pool,
        address: u64,
        bytes: usize,
        cells: &mut Vec<ByteCell>,
        unwritten: impl FnOnce() -> Option<SymbolId>,
    ) -> bool {
        if let Some(known) = self.rest_of_page(address).get(..bytes) {
            cells.extend(known.iter().map(|byte| ByteCell::Byte(*byte)));
            return true;
        }
        let Some((index, at)) = self.place_in_partial(address, bytes) else { return false };
        let page = PartialPage { line: &self.partials[index], data: &self.data[index] };
        cells.extend((at..at + bytes).map(|at| page.cell(at)));
        if !cells.contains(&ByteCell::Unwritten) {
            return true;
        }
        let line = &mut self.partials[index];
        line.unwritten = line.unwritten.or_else(unwritten);
        let Some(symbol) = line.unwritten else { return false };
        for (at, cell) in (at..).zip(cells) {
            if *cell == ByteCell::Unwritten {
                *cell = ByteCell::Term { term: pool.byte(symbol, at as u32), index: 0 };
            }
        }
        true
    }

    /// The line of a range that lies in one partial page, and its place there.
    #[inline]
    fn place_in_partial(&self, address: u64, bytes: usize) -> Option<(usize, usize)> {
        if self.partial == 0 {
            return None;
        }
        let index = PageCache::index(address);
        if self.partial >> index & 1 == 0 {
            return None;
        }
        let at = address.wrapping_sub(self.lines[index].start);
        let len = u64::from(self.partials[index].len);
        (at < len && bytes as u64 <= len - at).then_some((index, at as usize))
    }

    /// A partial line with concrete bytes only becomes an ordinary one.
    #[inline]
    fn promote(&mut self, index: usize) {
        if self.partials[index].has_all() {
            let len = self.partials[index].len;
            self.lines[index] = CacheLine { len, writable: len, ..self.lines[index] };
            self.partial &= !(1 << index);
        }
    }

    /// An ordinary line that may be written becomes a partial one, if a range is in it.
    fn demote(&mut self, address: u64, bytes: usize) {
        let index = PageCache::index(address);
        let CacheLine { start, len, writable } = self.lines[index];
        let at = address.wrapping_sub(start);
        if at >= u64::from(writable) || bytes as u64 > u64::from(writable) - at {
            return;
        }
        self.begin_partial(start, len);
        self.partials[index].set_concrete(0, len as usize);
    }

    /// Writes a partial line to the trees.
    pub(super) fn copy_partial_line(&self, index: usize, trees: PageMaps<'_>) {
        let (line, data) = (&self.partials[index], &self.data[index]);
        let len = line.len as usize;
        let key = page_key(self.lines[index].start);
        let mut cells: SmallVec<[ByteCell; WORD]> = SmallVec::from_slice(&line.cells[..len]);
        for (word, at) in line.concrete.iter().zip((0..).step_by(WORD)) {
            let mut left = *word;
            while left != 0 {
                let at = at + left.trailing_zeros() as usize;
                left &= left - 1;
                cells[at] = ByteCell::Byte(data[at]);
            }
        }
        match trees.pages.get_mut(key) {
            Some(old) => old.set_cells(len, 0, &cells),
            None => {
                trees.pages.insert(key, Page::from_cells(&cells));
            }
        }
    }
}
