//! Looking at everything: objects in order, words that may be pointers, a hash of the whole.

use std::hash::Hasher;

use everett_base::hash::FixedHasher;
use everett_expr::Pool;

use crate::access::symbolic::{ByteValue, byte_value};
use crate::layout::{AddressSlot, PAGE_BYTES, page_key, page_start};
use crate::object::{GuardState, ObjRef, Object, ObjectKind};
use crate::page::ByteCell;
use crate::space::{AddressSpace, MemoryConfig, segments};
use crate::undefined::{UndefinedByte, UnwrittenCells};

impl AddressSpace {
    /// The live objects that have a byte, or their start, in `from..=to`, in address order.
    pub fn objects_in(&mut self, from: u64, to: u64) -> impl Iterator<Item = ObjRef> {
        self.flush();
        // The object that starts before the range may reach into it; no other one can.
        let first = nearest_key(from);
        let before = self.objects.last_at_or_before(first).map_or(first, |(key, _)| key);
        self.objects
            .range(before..=nearest_key(to))
            .map(|(key, object)| ObjRef { base: page_start(key), object: *object })
            .filter(move |object| (object.end() > from || object.base >= from) && object.base <= to)
    }

    /// The live heap objects, in address order.
    pub fn heap_objects(&mut self) -> impl Iterator<Item = ObjRef> {
        self.objects_in(0, u64::MAX).filter(|object| object.object.kind == ObjectKind::Heap)
    }

    /// The number of live objects.
    pub fn object_count(&mut self) -> usize {
        self.flush();
        self.objects.len()
    }

    /// The aligned 8-byte words of an object that are concrete and not zero: what may be pointers.
    pub fn words(&mut self, object: ObjRef) -> Vec<u64> {
        self.flush();
        let mut words = Vec::new();
        for page in self.written_pages(object) {
            let bytes = (object.end() - page).min(PAGE_BYTES);
            for segment in segments(object, page, bytes) {
                let page = self.page(&object.object, &segment);
                for at in (0..segment.len / 8).map(|word| word * 8) {
                    let word = (at..at + 8).rev().try_fold(0u64, |word, at| match page.cell(at) {
                        ByteCell::Byte(byte) => Some(word << 8 | u64::from(byte)),
                        ByteCell::Term { .. } | ByteCell::Array | ByteCell::Unwritten => None,
                    });
                    words.extend(word.filter(|word| *word != 0));
                }
            }
        }
        words
    }

    /// The live object that a byte which was never written belongs to, if it is still there. Where there are
    /// several of the same origin, the one that was made last is taken.
    pub fn owner_of_undefined(&mut self, byte: &UndefinedByte) -> Option<ObjRef> {
        let is_owner = |object: &ObjRef| {
            let Object { size, undefined, .. } = object.object;
            let offset = byte.offset;
            undefined && offset < size && UndefinedByte::of_object(*object, offset) == *byte
        };
        self.objects_in(0, u64::MAX).filter(is_owner).last()
    }

    /// A hash of all objects and bytes, equal for equal content however it came about.
    ///
    /// It depends on terms' structure, not on their ids, so that it is the same in every run.
    pub fn content_hash(&mut self, pool: &Pool) -> u64 {
        self.flush();
        // What is left out are details of dead objects, and forms of the same content.
        let AddressSpace { objects, next_serial, config, .. } = &*self;
        let MemoryConfig { heap_fill, stack_fill, undefined } = config;
        let mut hasher = FixedHasher::default();
        hasher.write_u64(*next_serial);
        hasher.write(&[*heap_fill, *stack_fill, u8::from(*undefined)]);
        for (key, object) in objects {
            let object = ObjRef { base: page_start(key), object: *object };
            self.hash_object(pool, object, &mut hasher);
        }
        hasher.finish()
    }

    fn hash_object(&self, pool: &Pool, found: ObjRef, hasher: &mut FixedHasher) {
        let ObjRef { base, object } = found;
        let Object { size, site, name, kind, constant, guarded, fill, undefined } = object;
        hasher.write_u64(base);
        hasher.write_u64(size);
        hasher.write_u32(site.0);
        hasher.write_u32(name.0);
        hasher.write_u8(kind as u8);
        hasher.write_u8(u8::from(constant));
        hasher.write_u8(fill);
        hasher.write_u8(u8::from(undefined));
        if guarded != GuardState::Unguarded {
            for (from, _, rights) in self.parts(found) {
                hasher.write_u64(from);
                hasher.write_u8(rights as u8);
            }
        }
        for start in self.written_pages(found) {
            let bytes = (found.end() - start).min(PAGE_BYTES);
            let mut cells = Vec::with_capacity(bytes as usize);
            self.cells(pool, found, start, bytes, |cell| cells.push(cell));
            // A page that was written with what it held before equals one never written.
            let mut unwritten = UnwrittenCells::of(found);
            let before = |(at, cell): (u64, &ByteCell)| match undefined {
                true => *cell == unwritten.cell(pool, at - found.base),
                false => *cell == ByteCell::Byte(fill),
            };
            if (start..).zip(&cells).all(before) {
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

    /// The first addresses of an object's pages that are in the tree: a huge object costs what it
    /// uses.
    fn written_pages(&self, object: ObjRef) -> impl Iterator<Item = u64> {
        let last = object.end().saturating_sub(1).max(object.base);
        let keys = page_key(object.base)..=page_key(last);
        self.pages.range(keys).map(|(key, _)| page_start(key))
    }
}

/// The key of the last page that an object starting at or before this address can start in.
fn nearest_key(address: u64) -> u64 {
    match AddressSlot::of(address) {
        // The object of a slot starts after the slot does.
        Some(slot) if address < slot.base() => page_key(slot.base()) - 1,
        Some(_) => page_key(address),
        None if address >> 47 != 0 => u64::MAX,
        None => page_key(address),
    }
}
