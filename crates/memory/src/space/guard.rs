//! Access rights of parts of objects, which `mmap`, `mprotect` and `munmap` set by pages of 4 KiB.
//!
//! Almost all objects can be read and written everywhere and have no entry here. One that is
//! *guarded* has its rights as a step function in one persistent map for the whole address space:
//! an entry says what holds from its page on, up to the next entry or the object's end.
//!
//! Invariant: a guarded object has an entry at its first page, and none behind its last one.

use everett_expr::Pool;

use crate::access::symbolic::{ByteValue, byte_value, cell_of};
use crate::error::MemoryFault;
use crate::layout::{PAGE_BYTES, page_key, page_start};
use crate::object::{GuardState, ObjRef, Object, SiteId};
use crate::page::Page;
use crate::space::AddressSpace;

/// The unit of access rights, in bytes: the page size of Linux.
pub const GUARD_BYTES: u64 = 4096;

/// The accesses that a part of an object allows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AccessRights {
    /// Everything, as in an ordinary object.
    ReadWrite,
    /// Reading.
    ReadOnly,
    /// Nothing: the program asked for that.
    Nothing,
    /// Nothing: there is no memory any more, or not yet.
    Unmapped,
    /// Nothing: the file that is shown here ends before.
    PastEnd,
}

everett_base::portable!(enum AccessRights {
    0 = ReadWrite, 1 = ReadOnly, 2 = Nothing, 3 = Unmapped, 4 = PastEnd,
});

impl AccessRights {
    /// Returns `true` if reading is allowed, or if `write` is set, writing.
    pub fn allow(self, write: bool) -> bool {
        match self {
            AccessRights::ReadWrite => true,
            AccessRights::ReadOnly => !write,
            AccessRights::Nothing | AccessRights::Unmapped | AccessRights::PastEnd => false,
        }
    }

    /// Returns the words of messages for memory with such rights.
    pub fn describe(self) -> &'static str {
        match self {
            AccessRights::ReadWrite => "memory that can be written",
            AccessRights::ReadOnly => "memory that is mapped read-only",
            AccessRights::Nothing => "memory that mprotect made inaccessible",
            AccessRights::Unmapped => "memory that is not mapped",
            AccessRights::PastEnd => "memory beyond the end of the mapped file",
        }
    }
}

/// The bytes of an address space at some time, to tell later what was changed.
#[derive(Clone, Debug, Default)]
pub struct MemorySnapshot(everett_base::RadixMap<Page>);

everett_base::portable!(struct MemorySnapshot(value));

fn guard_key(address: u64) -> u64 {
    address / GUARD_BYTES
}

impl AddressSpace {
    /// The rights at an address; `None` outside objects.
    pub fn rights(&self, address: u64) -> Option<AccessRights> {
        let object = self.bounds(address, 1)?;
        Some(if object.object.guarded != GuardState::Unguarded {
            self.guard_at(address)
        } else {
            AccessRights::ReadWrite
        })
    }

    /// The live object that a range is in, whatever may be done there.
    pub fn bounds(&self, address: u64, bytes: u64) -> Option<ObjRef> {
        self.object_near(address).filter(|object| object.contains(address, bytes))
    }

    /// Sets the rights of a range inside one object. It begins at a multiple of [`GUARD_BYTES`] and
    /// ends at one, or at the object's end. Does nothing if there is no such object.
    pub fn protect(&mut self, address: u64, bytes: u64, rights: AccessRights) {
        let Some(object) = self.bounds(address, bytes).filter(|_| bytes > 0) else { return };
        let end = address + bytes;
        assert!(
            address.is_multiple_of(GUARD_BYTES)
                && (end.is_multiple_of(GUARD_BYTES) || end == object.end()),
            "rights are those of whole pages"
        );
        if object.object.guarded == GuardState::Unguarded && rights == AccessRights::ReadWrite {
            return;
        }
        self.evict_range(object, object.base, object.object.size);
        if object.object.guarded == GuardState::Unguarded {
            self.change_object(object.base, |object| object.guarded = GuardState::Guarded);
            self.rare_mut().guards.insert(guard_key(object.base), AccessRights::ReadWrite);
        }
        let behind = (end < object.end()).then(|| self.guard_at(end));
        let before = (address > object.base).then(|| self.guard_at(address - 1));
        let guards = &mut self.rare_mut().guards;
        let (first, last) = (guard_key(address), guard_key(end - 1));
        while let Some((key, _)) = guards.first_at_or_after(first)
            && key <= last
        {
            guards.remove(key);
        }
        if before != Some(rights) {
            guards.insert(first, rights);
        }
        match behind {
            // The part behind has the same rights now, so its entry is no step any more.
            Some(behind) if behind == rights => {
                guards.remove(last + 1);
            }
            Some(behind) => {
                guards.insert(last + 1, behind);
            }
            None => {}
        }
    }

    /// The parts of an object, in order, with their rights: first offset, offset behind, rights.
    pub fn parts(&self, object: ObjRef) -> Vec<(u64, u64, AccessRights)> {
        let size = object.object.size;
        let Some(rare) =
            self.rare().filter(|_| object.object.guarded != GuardState::Unguarded && size > 0)
        else {
            return vec![(0, size, AccessRights::ReadWrite)];
        };
        let keys = guard_key(object.base)..=guard_key(object.end() - 1);
        let steps: Vec<(u64, AccessRights)> = { rare.guards.range(keys) }
            .map(|(key, rights)| ((key * GUARD_BYTES).saturating_sub(object.base), *rights))
            .collect();
        let ends = steps.iter().skip(1).map(|(from, _)| *from).chain([size]);
        steps.iter().zip(ends).map(|((from, rights), to)| (*from, to, *rights)).collect()
    }

    /// An object as far as an access to it from an address on may go: it ends before the first byte
    /// whose rights do not allow the access.
    #[inline]
    pub fn allowed(&self, object: ObjRef, address: u64, write: bool) -> ObjRef {
        if object.object.guarded == GuardState::Unguarded {
            return object;
        }
        let offset = address - object.base;
        let parts = self.parts(object);
        let behind = parts.iter().filter(|(_, to, _)| *to > offset);
        let stop = { behind }.find(|(_, _, rights)| !rights.allow(write));
        let size = stop.map_or(object.object.size, |(from, _, _)| (*from).max(offset));
        ObjRef { object: Object { size, ..object.object }, ..object }
    }

    /// Returns the fault of an access to a guarded object, if there is one.
    #[cold]
    pub(crate) fn check_guards(
        &self,
        object: ObjRef,
        address: u64,
        bytes: u64,
        write: bool,
    ) -> Result<(), MemoryFault> {
        let last = address + bytes.saturating_sub(1);
        let mut at = address;
        loop {
            let rights = self.guard_at(at);
            if !rights.allow(write) {
                return Err(MemoryFault::Protected { address, bytes, object, rights });
            }
            at = (at / GUARD_BYTES + 1) * GUARD_BYTES;
            if at > last {
                return Ok(());
            }
        }
    }

    /// The rights at an address of a guarded object.
    pub(crate) fn guard_at(&self, address: u64) -> AccessRights {
        let step = self.rare().and_then(|rare| rare.guards.last_at_or_before(guard_key(address)));
        step.map_or(AccessRights::ReadWrite, |(_, rights)| *rights)
    }

    /// Forgets the rights of an object whose life ends.
    #[cold]
    pub(crate) fn remove_guards(&mut self, object: ObjRef) {
        let last = guard_key(object.end().saturating_sub(1).max(object.base));
        let guards = &mut self.rare_mut().guards;
        while let Some((key, _)) = guards.first_at_or_after(guard_key(object.base))
            && key <= last
        {
            guards.remove(key);
        }
    }

    /// Ends the life of an object of the environment; does nothing if there is none that starts
    /// here.
    pub fn release(&mut self, base: u64, site: SiteId) {
        if let Some(object) = self.object(base) {
            self.remove(object, site);
        }
    }

    // ---- accesses of the environment, whatever the rights ------------------------------------

    /// Makes a range inside one object hold again what it held before it was ever written.
    pub fn reset_range(&mut self, address: u64, bytes: u64) {
        let Some(object) = self.bounds(address, bytes).filter(|_| bytes > 0) else { return };
        self.begin_write(object, address, bytes);
        let end = address + bytes;
        let whole_from = address.next_multiple_of(PAGE_BYTES).min(end);
        let whole_to = if end == object.end() { end } else { end / PAGE_BYTES * PAGE_BYTES };
        let whole_to = whole_to.max(whole_from);
        for (from, to) in [(address, whole_from), (whole_to, end)] {
            let cells = [object.object.unwritten(); PAGE_BYTES as usize];
            self.put_cells(object, from, &cells[..(to - from) as usize]);
        }
        // Whole pages are taken out of the tree: a page that is not there shows the object's fill.
        if whole_from < whole_to {
            let shift = self.alias_shift(object);
            let first = page_key(whole_from.wrapping_add(shift));
            let keys = first..=page_key((whole_to - 1).wrapping_add(shift));
            let written: Vec<u64> = self.pages.range(keys).map(|(key, _)| key).collect();
            written.into_iter().for_each(|key| {
                self.pages.remove(key);
            });
        }
    }

    /// Writes bytes to a range; returns `false`, and writes nothing, if it is not inside one object.
    pub fn put_bytes(&mut self, address: u64, bytes: &[u8]) -> bool {
        let Some(object) = self.bounds(address, bytes.len() as u64) else { return false };
        self.evict_range(object, address, bytes.len() as u64);
        self.write_to(object, address, bytes);
        true
    }

    /// The same with bytes that may be symbolic.
    pub fn put_each(&mut self, pool: &Pool, address: u64, values: &[ByteValue]) -> bool {
        let Some(object) = self.bounds(address, values.len() as u64) else { return false };
        let cells: Vec<_> = values.iter().map(|value| cell_of(pool, *value)).collect();
        self.write_cells(object, address, &cells);
        true
    }

    /// The bytes of a range; none if it is not inside one object.
    pub fn peek(&self, pool: &Pool, address: u64, bytes: u64) -> Vec<ByteValue> {
        let Some(object) = self.bounds(address, bytes) else { return Vec::new() };
        let mut values = Vec::with_capacity(bytes as usize);
        self.cells(pool, object, address, bytes, |cell| values.push(byte_value(pool, cell)));
        values
    }

    // ---- changes -------------------------------------------------------------------------------

    /// Remembers all bytes. Costs nothing now; what is written later is copied once.
    pub fn take_snapshot(&mut self) -> MemorySnapshot {
        self.flush();
        MemorySnapshot(self.pages.clone())
    }

    /// Ranges of up to 256 bytes of `address..end`, inside one object, that may have changed since:
    /// their addresses and lengths.
    pub fn changed_since(
        &mut self,
        since: &MemorySnapshot,
        address: u64,
        end: u64,
    ) -> Vec<(u64, u64)> {
        self.flush();
        if self.pages.ptr_eq(&since.0) {
            return Vec::new();
        }
        let Some(object) = self.bounds(address, end - address) else { return Vec::new() };
        let same = |key: u64| match (self.pages.get(key), since.0.get(key)) {
            (Some(page), Some(before)) => page.is_same(before),
            (page, before) => page.is_none() && before.is_none(),
        };
        let keys = page_key(address)..=page_key((end - 1).max(address));
        let mut changed: Vec<u64> = { self.pages.range(keys.clone()) }
            .map(|(key, _)| key)
            .chain(since.0.range(keys).map(|(key, _)| key))
            .filter(|key| !same(*key))
            .collect();
        changed.sort_unstable();
        changed.dedup();
        let part = |key: u64| {
            let start = page_start(key).max(address);
            let stop = (page_start(key) + PAGE_BYTES).min(end).min(object.end());
            (start, stop.saturating_sub(start))
        };
        changed.into_iter().map(part).collect()
    }

    /// Takes over the bytes that the object at `base` has in another address space, where it has
    /// the same size. Pages are shared, not copied.
    pub fn copy_object_from(&mut self, other: &mut AddressSpace, base: u64) {
        other.flush();
        let (Some(own), Some(theirs)) = (self.object(base), other.object(base)) else { return };
        if own.object.size != theirs.object.size || own.object.size == 0 {
            return;
        }
        self.evict_range(own, own.base, own.object.size);
        let keys = page_key(base)..=page_key(own.end() - 1);
        let gone: Vec<u64> = { self.pages.range(keys.clone()) }
            .map(|(key, _)| key)
            .filter(|key| !other.pages.contains_key(*key))
            .collect();
        gone.into_iter().for_each(|key| {
            self.pages.remove(key);
        });
        for (key, page) in other.pages.range(keys) {
            if !self.pages.get(key).is_some_and(|own| own.is_same(page)) {
                self.pages.insert(key, page.clone());
            }
        }
        match other.overlay(base) {
            Some(overlay) => {
                let overlay = *overlay;
                self.rare_mut().overlays.insert(page_key(base), overlay);
            }
            None if self.overlay(base).is_some() => {
                self.rare_mut().overlays.remove(page_key(base));
            }
            None => {}
        }
    }
}
