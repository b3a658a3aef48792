//! Looking at everything: objects in order, words that may be pointers, a hash of the whole.

use std::hash::Hasher;

use everett_base::hash::FixedHasher;
use everett_expr::Pool;

use crate::layout::PAGE_BITS;
use crate::object::{Kind, ObjRef, Object};
use crate::page::Cell;
use crate::space::{AddressSpace, segments};
use crate::symbolic::{ByteValue, byte_value};

impl AddressSpace {
    /// The live objects that have a byte, or their start, in `from..=to`, in address order.
    pub fn objects_in(&mut self, from: u64, to: u64) -> impl Iterator<Item = ObjRef> {
        self.flush();
        // The object that starts before the range may reach into it; no other one can.
        let before = from
            .checked_sub(1)
            .and_then(|address| self.objects.last_at_or_before(address >> PAGE_BITS))
            .map_or(from >> PAGE_BITS, |(key, _)| key);
        self.objects
            .range(before..=to >> PAGE_BITS)
            .filter_map(|(key, object)| self.object_ref(key, object))
            .filter(move |object| (object.end() > from || object.base >= from) && object.base <= to)
    }

    /// The live heap objects, in address order.
    pub fn heap_objects(&mut self) -> impl Iterator<Item = ObjRef> {
        self.objects_in(0, u64::MAX).filter(|object| object.object.kind == Kind::Heap)
    }

    /// The number of live objects.
    pub fn object_count(&mut self) -> usize {
        self.flush();
        self.objects.len()
    }

    /// The aligned 8-byte words of an object that are concrete and not zero: what may be pointers.
    pub fn words(&mut self, object: ObjRef) -> Vec<u64> {
        self.evict_range(object, object.base, object.object.size);
        let mut words = Vec::new();
        let first = object.base >> PAGE_BITS;
        let last = object.end() >> PAGE_BITS;
        // Pages that were never written hold no pointers, so a huge object costs what it uses.
        for (key, _) in self.pages.range(first..=last) {
            let start = (key << PAGE_BITS).max(object.base);
            let Some(bytes) = object.end().checked_sub(start).filter(|bytes| *bytes >= 8) else {
                continue;
            };
            for segment in segments(object, start, bytes.min(256)) {
                let page = self.page(&object.object, segment.key);
                for at in (segment.at..segment.at + segment.len).step_by(8) {
                    if at + 8 > segment.page_len {
                        break;
                    }
                    let word = (at..at + 8).rev().try_fold(0u64, |word, at| match page.cell(at) {
                        Cell::Byte(byte) => Some(word << 8 | u64::from(byte)),
                        Cell::Term { .. } | Cell::Array => None,
                    });
                    words.extend(word.filter(|word| *word != 0));
                }
            }
        }
        words
    }

    /// A hash of all objects and bytes, equal for equal content however it came about.
    ///
    /// It depends on terms' structure, not on their ids, so that it is the same in every run.
    pub fn content_hash(&mut self, pool: &Pool) -> u64 {
        self.flush();
        let AddressSpace {
            objects,
            pages: _,
            overlays: _,
            next_serial,
            dead_heap: _,
            dead_stack: _,
            config: _,
            ..
        } = &*self;
        let mut hasher = FixedHasher::default();
        hasher.write_u64(*next_serial);
        let found: Vec<ObjRef> =
            objects.iter().filter_map(|(key, object)| self.object_ref(key, object)).collect();
        for object in found {
            self.hash_object(pool, object, &mut hasher);
        }
        hasher.finish()
    }

    fn hash_object(&mut self, pool: &Pool, found: ObjRef, hasher: &mut FixedHasher) {
        let ObjRef { base, object } = found;
        let Object { size, site, name, kind, constant, fill } = object;
        hasher.write_u64(base);
        hasher.write_u64(size);
        hasher.write_u32(site.0);
        hasher.write_u32(name.0);
        hasher.write_u8(kind as u8);
        hasher.write_u8(u8::from(constant));
        hasher.write_u8(fill);
        let last = found.end().saturating_sub(1).max(base) >> PAGE_BITS;
        let keys: Vec<u64> =
            self.pages.range(base >> PAGE_BITS..=last).map(|(key, _)| key).collect();
        for key in keys {
            let start = (key << PAGE_BITS).max(base);
            let bytes = (found.end() - start).min(256);
            let mut cells = Vec::with_capacity(bytes as usize);
            self.cells(pool, found, start, bytes, |cell| cells.push(cell));
            // A page that was written with what it held before equals one never written.
            if cells.iter().all(|cell| *cell == Cell::Byte(fill)) {
                continue;
            }
            hasher.write_u64(start);
            for cell in cells {
                match byte_value(pool, cell) {
                    ByteValue::Concrete(byte) => hasher.write_u8(byte),
                    ByteValue::Symbolic(term) => {
                        hasher.write_u16(256);
                        hasher.write_u64(pool.structural_hash(term));
                    }
                }
            }
        }
    }

    fn object_ref(&self, key: u64, object: &Object) -> Option<ObjRef> {
        let slot = crate::layout::Slot::of(key << PAGE_BITS)?;
        Some(ObjRef { base: slot.base(), object: *object })
    }
}
