//! Copying and filling ranges; symbolic bytes stay the pieces of terms that they are.
//!
//! Copies behave like `memmove`. A caller that must not allow overlapping ranges asks [`overlap`] first.
//!
//! A range can be as large as the host's memory, so each step looks at the interrupt of the run. A copy
//! that was interrupted leaves the address space half changed, and it must not be used any more.

use everett_expr::Pool;

use crate::access::symbolic::{ByteValue, cell_of};
use crate::error::MemoryFault;
use crate::layout::{AddressSlot, PAGE_BYTES};
use crate::object::{ObjRef, Object};
use crate::page::ByteCell;
use crate::space::AddressSpace;
use crate::undefined::UnwrittenCells;

/// Bytes that are copied at a time.
const CHUNK_BYTES: u64 = 4096;

/// Returns `true` if two ranges of the same length have bytes in common.
pub fn overlap(a: u64, b: u64, bytes: u64) -> bool {
    a.abs_diff(b) < bytes
}

impl AddressSpace {
    /// Copies bytes as `memmove` does. Nothing is written if either range is at fault.
    pub fn copy(&mut self, pool: &Pool, to: u64, from: u64, bytes: u64) -> Result<(), MemoryFault> {
        if bytes == 0 {
            return Ok(());
        }
        self.check(from, bytes)?;
        self.check_write(to, bytes)?;
        if to == from {
            return Ok(());
        }
        if self.config.undefined && self.copy_in_lines(pool, to, from, bytes) {
            return Ok(());
        }
        // Going away from the overlap, every chunk is read before it is overwritten.
        let backward = from < to && overlap(to, from, bytes);
        let mut left = bytes;
        while left > 0 {
            pool.interrupt().check_growth();
            let chunk = left.min(CHUNK_BYTES);
            let start = if backward { left - chunk } else { bytes - left };
            self.copy_chunk(pool, to + start, from + start, chunk)?;
            left -= chunk;
        }
        Ok(())
    }

    /// Copies between two lines of the cache, whatever the bytes are; false, and nothing is copied, where
    /// this cannot be done.
    fn copy_in_lines(&mut self, pool: &Pool, to: u64, from: u64, bytes: u64) -> bool {
        if bytes > PAGE_BYTES {
            return false;
        }
        let Some(slot) = AddressSlot::of(from) else { return false };
        let mut cells = Vec::with_capacity(bytes as usize);
        let mut read = |space: &mut AddressSpace| {
            let source = space.object_at(slot.base());
            let symbol = || {
                // With another content than zero, the bytes are more than those of a symbol.
                let object = source.filter(|object| object.fill == 0)?;
                UnwrittenCells::symbol_at(pool, ObjRef { base: slot.base(), object }, from)
            };
            cells.clear();
            let cache = space.existing_cache_mut();
            cache.is_some_and(|cache| {
                cache.cells_at_hand(pool, from, bytes as usize, &mut cells, symbol)
            })
        };
        let is_read = read(self) || self.cache_page(from) && read(self);
        is_read && self.write_line(to, &cells)
    }

    /// Writes one byte value to every byte of a range.
    pub fn fill(
        &mut self,
        pool: &Pool,
        to: u64,
        value: ByteValue,
        bytes: u64,
    ) -> Result<(), MemoryFault> {
        if bytes == 0 {
            return Ok(());
        }
        let object = self.check_write(to, bytes)?;
        let cell = cell_of(pool, value);
        if let ByteCell::Byte(byte) = cell {
            self.fill_bytes(pool, object, to, byte, bytes);
            return Ok(());
        }
        self.begin_write(object, to, bytes);
        for segment in self.segments(object, to, bytes) {
            pool.interrupt().check_growth();
            let page = self.page_mut(object, segment.key, segment.page_len);
            page.set_cells(segment.page_len, segment.at, &[cell; 256][..segment.len]);
        }
        Ok(())
    }

    fn fill_bytes(&mut self, pool: &Pool, object: ObjRef, to: u64, byte: u8, bytes: u64) {
        self.forget_snapshot(object);
        for segment in self.segments(object, to, bytes) {
            pool.interrupt().check_growth();
            if let Some(cache) = self.existing_cache_mut()
                && let Some(page) = cache.page_mut(segment.page_start)
            {
                page[segment.at..segment.at + segment.len].fill(byte);
                continue;
            }
            let bytes = &[byte; 256][..segment.len];
            if self.store_partial(&segment, bytes) {
                continue;
            }
            let Object { fill, undefined, .. } = object.object;
            if segment.len == segment.page_len && byte == fill && !undefined {
                self.pages.remove(segment.key);
            } else {
                self.write_segment(object, &segment, bytes);
            }
        }
    }

    fn copy_chunk(
        &mut self,
        pool: &Pool,
        to: u64,
        from: u64,
        bytes: u64,
    ) -> Result<(), MemoryFault> {
        let mut buffer = [0; CHUNK_BYTES as usize];
        let buffer = &mut buffer[..bytes as usize];
        if self.read_bytes(from, buffer) {
            return self.write_bytes(to, buffer);
        }
        let source = self.check(from, bytes)?;
        let target = self.check_write(to, bytes)?;
        let mut cells = Vec::with_capacity(bytes as usize);
        self.cells(pool, source, from, bytes, |cell| cells.push(cell));
        self.write_cells(target, to, &cells);
        Ok(())
    }
}
