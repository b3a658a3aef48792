//! Accesses to concrete bytes: the hot path, and copying whole ranges in and out.

use crate::cache::PageMaps;
use crate::error::MemoryFault;
use crate::layout::AddressSlot;
use crate::object::{GuardState, ObjRef};
use crate::page::{ByteCell, Page};
use crate::space::{AddressSpace, PageRef, PageSegment, segments};

/// Bytes of a range that are concrete.
enum ConcreteRun<'a> {
    /// So many times the same byte.
    Fill(u8, usize),
    Bytes(&'a [u8]),
}

impl ConcreteRun<'_> {
    fn len(&self) -> usize {
        match self {
            ConcreteRun::Fill(_, count) => *count,
            ConcreteRun::Bytes(bytes) => bytes.len(),
        }
    }
}

impl AddressSpace {
    /// A little-endian number of at most 8 bytes, if all of them are concrete and in one live
    /// object. `None` leaves it to [`read`](AddressSpace::read) to find out more.
    #[inline]
    pub fn load_concrete(&mut self, address: u64, bytes: u8) -> Option<u64> {
        if let Some(cache) = self.cache()
            && let Some(value) = cache.load(address, bytes)
        {
            return Some(value);
        }
        self.load_missed(address, bytes)
    }

    /// Writes the lowest `bytes` (at most 8) bytes of `value`, if all of them are in one live object
    /// that is not constant. `false` leaves it to [`write`](AddressSpace::write) to find out more.
    #[inline]
    pub fn store_concrete(&mut self, address: u64, bytes: u8, value: u64) -> bool {
        if let Some(cache) = self.existing_cache_mut()
            && cache.store(address, bytes, value)
        {
            return true;
        }
        self.store_missed(address, bytes, value)
    }

    /// Reads bytes; `false`, with `into` in an unspecified state, unless all of them are concrete
    /// and in one live object.
    pub fn read_bytes(&self, address: u64, into: &mut [u8]) -> bool {
        let bytes = into.len() as u64;
        let Ok(object) = self.check(address, bytes) else { return false };
        let mut rest = into;
        self.each_concrete_run(object, address, bytes, |run| {
            let (target, after) = std::mem::take(&mut rest).split_at_mut(run.len());
            match run {
                ConcreteRun::Fill(byte, _) => target.fill(byte),
                ConcreteRun::Bytes(bytes) => target.copy_from_slice(bytes),
            }
            rest = after;
        })
    }

    /// The bytes of a range; `None` unless all of them are concrete and in one live object.
    pub fn bytes(&self, address: u64, bytes: u64) -> Option<Vec<u8>> {
        let object = self.check(address, bytes).ok()?;
        let mut read = Vec::with_capacity(bytes as usize);
        let is_concrete = self.each_concrete_run(object, address, bytes, |run| match run {
            ConcreteRun::Fill(byte, count) => read.resize(read.len() + count, byte),
            ConcreteRun::Bytes(bytes) => read.extend_from_slice(bytes),
        });
        is_concrete.then_some(read)
    }

    /// Goes through the bytes of a range inside an object; `false` as soon as one is not concrete.
    fn each_concrete_run(
        &self,
        object: ObjRef,
        address: u64,
        bytes: u64,
        mut take: impl FnMut(ConcreteRun<'_>),
    ) -> bool {
        let mut pages = self.pages.lookups();
        for segment in self.segments(object, address, bytes) {
            let range = segment.at..segment.at + segment.len;
            match self.next_page(&mut pages, &object.object, &segment) {
                PageRef::Fill(byte) => take(ConcreteRun::Fill(byte, segment.len)),
                PageRef::Bytes(bytes) => take(ConcreteRun::Bytes(&bytes[range])),
                page @ (PageRef::Cells(_) | PageRef::Unwritten | PageRef::Partial(_)) => {
                    for at in range {
                        let ByteCell::Byte(value) = page.cell(at) else { return false };
                        take(ConcreteRun::Fill(value, 1));
                    }
                }
            }
        }
        true
    }

    /// Writes bytes.
    pub fn write_bytes(&mut self, address: u64, bytes: &[u8]) -> Result<(), MemoryFault> {
        let object = self.check_write(address, bytes.len() as u64)?;
        self.write_to(object, address, bytes);
        Ok(())
    }

    /// Writes bytes to a range inside an object.
    pub(crate) fn write_to(&mut self, object: ObjRef, address: u64, bytes: &[u8]) {
        self.forget_snapshot(object);
        let mut done = 0;
        for segment in self.segments(object, address, bytes.len() as u64) {
            let source = &bytes[done..done + segment.len];
            done += segment.len;
            if let Some(cache) = self.existing_cache_mut()
                && let Some(page) = cache.page_mut(segment.page_start)
            {
                page[segment.at..segment.at + segment.len].copy_from_slice(source);
            } else if !self.store_partial(&segment, source) {
                self.write_segment(object, &segment, source);
            }
        }
    }

    /// Writes bytes to a page that is in a partial line of the cache; false if it is in none.
    pub(crate) fn store_partial(&mut self, segment: &PageSegment, bytes: &[u8]) -> bool {
        let address = segment.page_start + segment.at as u64;
        self.existing_cache_mut().is_some_and(|cache| cache.store_partial(address, bytes))
    }

    /// Writes bytes to a page that is not in the cache.
    pub(crate) fn write_segment(&mut self, object: ObjRef, segment: &PageSegment, bytes: &[u8]) {
        if segment.len == segment.page_len {
            match self.pages.get_mut(segment.key) {
                Some(page) => page.set_bytes(bytes),
                None => {
                    self.pages.insert(segment.key, Page::from_bytes(bytes));
                }
            }
            return;
        }
        let page = self.page_mut(object, segment.key, segment.page_len);
        if !page.set_range(segment.at, bytes) {
            let mut cells = [ByteCell::Byte(0); 256];
            for (cell, byte) in cells.iter_mut().zip(bytes) {
                *cell = ByteCell::Byte(*byte);
            }
            page.set_cells(segment.page_len, segment.at, &cells[..segment.len]);
        }
    }

    #[cold]
    #[inline(never)]
    fn load_missed(&mut self, address: u64, bytes: u8) -> Option<u64> {
        assert!(bytes <= 8, "wider numbers are read byte by byte");
        let partial = |space: &AddressSpace| space.cache()?.load_partial(address, bytes);
        if let Some(value) = partial(self) {
            return Some(value);
        }
        if self.cache_page(address) {
            let value = self.cache().and_then(|cache| cache.load(address, bytes));
            if let Some(value) = value.or_else(|| partial(self)) {
                return Some(value);
            }
        }
        // Across two pages, or in a page with symbolic bytes.
        let mut buffer = [0; 8];
        self.read_bytes(address, &mut buffer[..usize::from(bytes)])
            .then(|| u64::from_le_bytes(buffer))
    }

    #[cold]
    #[inline(never)]
    fn store_missed(&mut self, address: u64, bytes: u8, value: u64) -> bool {
        assert!(bytes <= 8, "wider numbers are written byte by byte");
        let number = value.to_le_bytes();
        let source = &number[..usize::from(bytes)];
        if let Some(cache) = self.existing_cache_mut()
            && cache.store_partial(address, source)
        {
            return true;
        }
        if self.cache_page(address)
            && let Some(cache) = self.existing_cache_mut()
            && (cache.store(address, bytes, value) || cache.store_partial(address, source))
        {
            return true;
        }
        self.write_bytes(address, source).is_ok()
    }

    /// Takes the page of an address into the cache, if all its bytes are concrete; where memory may be
    /// undefined, also if others are not. False if the cache has nothing for the address then.
    pub(crate) fn cache_page(&mut self, address: u64) -> bool {
        let Some(slot) = AddressSlot::of(address) else { return false };
        let base = slot.base();
        let Some(object) = self.object_at(base) else { return false };
        let found = ObjRef { base, object };
        if !found.contains(address, 1) {
            return false;
        }
        let Some(segment) = segments(found, address, 1).next() else { return false };
        // A snapshot of the content as an array holds only until the next write.
        let mut writable =
            !object.constant && self.overlay(base).is_none_or(|overlay| !overlay.has_snapshot());
        if object.guarded != GuardState::Unguarded {
            let rights = self.guard_at(address);
            if !rights.allow(false) || object.guarded == GuardState::Aliased {
                return false;
            }
            writable &= rights.allow(true);
        }
        // A partial line has more than the tree.
        if self.cache().is_some_and(|cache| cache.partial(segment.page_start).is_some()) {
            return false;
        }
        let page = self.pages.get(segment.key);
        let is_concrete = match page {
            Some(page) => page.bytes().is_some(),
            None => !object.undefined,
        };
        if !is_concrete {
            return self.config.undefined && writable && self.cache_part(&segment, base);
        }
        let (cache, trees) = self.cache_mut();
        cache
            .make_room(segment.page_start, PageMaps { objects: trees.objects, pages: trees.pages });
        let line = cache.install(segment.page_start, segment.page_len as u32, writable);
        match trees.pages.get(segment.key).and_then(Page::bytes) {
            Some(bytes) => line.copy_from_slice(&bytes[..segment.page_len]),
            None => line.fill(object.fill),
        }
        true
    }

    /// Takes a page of which some bytes are not concrete into a partial line.
    fn cache_part(&mut self, segment: &PageSegment, base: u64) -> bool {
        let start = segment.page_start;
        if self.overlay(base).is_some() {
            return false;
        }
        let (cache, PageMaps { objects, pages }) = self.cache_mut();
        cache.make_room(start, PageMaps { objects, pages });
        match pages.get(segment.key) {
            Some(page) => match page.cells() {
                Some(cells) => cache.install_cells(start, cells),
                None => return false,
            },
            None => cache.install_partial(start, segment.page_len as u32),
        }
        true
    }

    /// Takes the pages of a range out of the cache and forgets what is derived from the object's
    /// content, before the trees are changed.
    pub(crate) fn begin_write(&mut self, object: ObjRef, address: u64, bytes: u64) {
        self.evict_range(object, address, bytes);
        self.forget_snapshot(object);
    }

    /// A page of the tree to change; made of the object's fill if it was never written.
    pub(crate) fn page_mut(&mut self, object: ObjRef, key: u64, len: usize) -> &mut Page {
        if !self.pages.contains_key(key) {
            let unwritten = [object.object.unwritten(); 256];
            self.pages.insert(key, Page::from_cells(&unwritten[..len]));
        }
        self.pages.get_mut(key).expect("the page was there or has just been inserted")
    }
}
