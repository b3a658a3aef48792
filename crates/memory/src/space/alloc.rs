//! Placing objects and ending their lives.
//!
//! Every object takes the slot of its serial number in the class for its size, so the same path
//! gives the same addresses, and a slot is used again only when the numbers have gone round.

use everett_expr::Pool;

use crate::error::{AllocError, MemoryFault};
use crate::layout::{self, AddressSlot, PAGE_BYTES, page_key};
use crate::object::{AllocRequest, GuardState, ObjRef, Object, ObjectKind, SiteId, Tombstone};
use crate::space::{AddressResolution, AddressSpace, MemoryConfig, RareParts};

/// The number of live objects that are passed over once the slots of a class have gone round; a limit on
/// the time of one allocation.
const MAX_SLOTS_TRIED: u64 = 1 << 16;

impl AddressSpace {
    /// Lets objects that are made from now on hold something else before they are written.
    pub fn set_fresh(&mut self, config: MemoryConfig) {
        self.config = config;
    }

    /// Makes an unnamed object and returns its address.
    pub fn alloc(
        &mut self,
        size: u64,
        align: u64,
        kind: ObjectKind,
        site: SiteId,
    ) -> Result<u64, AllocError> {
        self.alloc_with(AllocRequest::new(size, kind, site).aligned(align))
    }

    /// Makes an object and returns its address.
    pub fn alloc_with(&mut self, request: AllocRequest) -> Result<u64, AllocError> {
        let AllocRequest { size, align, kind, .. } = request;
        let shift =
            layout::slot_shift(size, align.max(16)).ok_or(AllocError::TooLarge { size, align })?;
        let base = self.claim_slot(shift, kind == ObjectKind::Stack, size)?;
        self.begin_object(base, request);
        Ok(base)
    }

    /// Makes a variable of a library at its address, see [`crate::library_address`].
    pub fn alloc_of_library(
        &mut self,
        address: u64,
        request: AllocRequest,
    ) -> Result<(), AllocError> {
        if self.object_at(address).is_some() {
            return Err(AllocError::NotThere { address, size: request.size });
        }
        self.begin_object(address, request);
        Ok(())
    }

    /// Makes an object in a slot that is free.
    #[inline]
    fn begin_object(&mut self, base: u64, request: AllocRequest) {
        let AllocRequest { size, align: _, kind, site, name, zeroed, undefined } = request;
        let fill = match kind {
            _ if zeroed => 0,
            ObjectKind::Heap => self.config.heap_fill,
            ObjectKind::Stack => self.config.stack_fill,
            ObjectKind::Global | ObjectKind::External => 0,
        };
        let object = Object {
            size,
            site,
            name,
            kind,
            constant: false,
            guarded: GuardState::Unguarded,
            fill,
            undefined: undefined && self.config.undefined && !zeroed,
        };
        if size > 0 && layout::is_small(base) {
            let (cache, trees) = self.cache_mut();
            cache.make_room(base, trees);
            if object.undefined {
                cache.install_partial(base, size as u32);
            } else {
                cache.install(base, size as u32, true).fill(fill);
            }
            cache.install_object(base, object);
        } else {
            self.objects.insert(page_key(base), object);
        }
    }

    /// Makes an object at a fixed address, which must be a multiple of 256 outside the null page and
    /// below 2^42, and not in another such object.
    pub fn place(&mut self, address: u64, size: u64, site: SiteId) -> Result<(), AllocError> {
        let end = address.saturating_add(size);
        let room = layout::is_fixed(address) && (size == 0 || layout::is_fixed(end - 1));
        let free = self.fixed_before(end).is_none_or(|before| before.end() <= address);
        if !room || !free || !address.is_multiple_of(PAGE_BYTES) {
            return Err(AllocError::NotThere { address, size });
        }
        let AllocRequest { kind, name, .. } = AllocRequest::new(size, ObjectKind::External, site);
        let object = Object {
            size,
            site,
            name,
            kind,
            constant: false,
            guarded: GuardState::Unguarded,
            fill: 0,
            undefined: false,
        };
        self.objects.insert(page_key(address), object);
        Ok(())
    }

    /// Frees a heap object.
    pub fn free(&mut self, address: u64, site: SiteId) -> Result<Object, MemoryFault> {
        let object = self.check_free(address)?;
        self.remove(object, site);
        Ok(object.object)
    }

    /// The heap object that `free` of this address would end.
    pub fn check_free(&self, address: u64) -> Result<ObjRef, MemoryFault> {
        if let Some(object) = self.object(address) {
            return match object.object.kind {
                ObjectKind::Heap => Ok(object),
                ObjectKind::Global | ObjectKind::Stack | ObjectKind::External => {
                    Err(MemoryFault::FreeNotHeap { address, object })
                }
            };
        }
        Err(match self.resolve(address) {
            AddressResolution::Live(object) | AddressResolution::Gap(object) => {
                match object.object.kind {
                    ObjectKind::Heap => MemoryFault::FreeInterior { address, object },
                    ObjectKind::Global | ObjectKind::Stack | ObjectKind::External => {
                        MemoryFault::FreeNotHeap { address, object }
                    }
                }
            }
            AddressResolution::Freed(tombstone) => MemoryFault::DoubleFree { address, tombstone },
            AddressResolution::Null | AddressResolution::Code(_) | AddressResolution::Unmapped => {
                MemoryFault::FreeUnmapped { address }
            }
        })
    }

    /// Ends the life of a stack object; does nothing if there is none at this address.
    pub fn release_stack(&mut self, base: u64, site: SiteId) {
        if let Some(object) = self.object(base)
            && object.object.kind == ObjectKind::Stack
        {
            self.remove(object, site);
        }
    }

    /// Moves a heap object to a new one of another size; bytes beyond the old size are not zeroed, but must
    /// be written before they are used.
    ///
    /// The old object lives on if there is no room for a new one.
    pub fn realloc(
        &mut self,
        pool: &Pool,
        address: u64,
        size: u64,
        site: SiteId,
    ) -> Result<Result<u64, AllocError>, MemoryFault> {
        let old = self.check_free(address)?;
        let request = AllocRequest::new(size, ObjectKind::Heap, site).undefined();
        let new = match self.alloc_with(request) {
            Ok(new) => new,
            Err(error) => return Ok(Err(error)),
        };
        self.copy(pool, new, old.base, size.min(old.object.size))?;
        self.remove(old, site);
        Ok(Ok(new))
    }

    fn claim_slot(&mut self, shift: u32, on_stack: bool, size: u64) -> Result<u64, AllocError> {
        let serial = self.next_serial;
        if serial < layout::open_slots(shift) {
            self.next_serial += 1;
            return Ok(AddressSlot::for_serial(shift, on_stack, serial).base());
        }
        let is_full = |rare: &RareParts| rare.full_classes & 1 << shift != 0;
        if self.rare().is_some_and(is_full) {
            return Err(AllocError::Exhausted { size });
        }
        let slots = layout::slots(shift);
        for _ in 0..slots.min(MAX_SLOTS_TRIED) {
            let base = AddressSlot::for_serial(shift, on_stack, self.next_serial).base();
            self.next_serial += 1;
            if self.object_at(base).is_none() {
                return Ok(base);
            }
        }
        if slots <= MAX_SLOTS_TRIED {
            // All slots were looked at. The next request for this class fails at once, until an object of
            // it is removed, and finds the serial numbers as they were.
            self.next_serial = serial;
            self.rare_mut().full_classes |= 1 << shift;
        }
        Err(AllocError::Exhausted { size })
    }

    #[inline]
    pub(crate) fn remove(&mut self, found: ObjRef, site: SiteId) {
        let ObjRef { base, object } = found;
        if object.guarded != GuardState::Unguarded {
            self.remove_guards(found);
            self.remove_alias(found);
        }
        match object.kind {
            ObjectKind::Stack => self.cache_mut().0.graves.bury(base, &object, site),
            ObjectKind::Heap | ObjectKind::Global | ObjectKind::External => {
                self.rare_mut().dead_heap.bury(Tombstone { base, object, freed: site });
            }
        }
        if let Some(cache) = self.existing_cache_mut() {
            let fresh = cache.fresh_object(base).is_some();
            cache.discard(base, found.end());
            if fresh {
                return;
            }
        }
        // A small object may be in a large slot, for its alignment.
        if self.rare().is_some_and(|rare| rare.full_classes != 0)
            && let Some(slot) = AddressSlot::of(base)
        {
            self.rare_mut().full_classes &= !(1 << slot.shift);
        }
        let key = page_key(base);
        self.objects.remove(key);
        if self.overlay(base).is_some() {
            self.rare_mut().overlays.remove(key);
        }
        if object.size <= PAGE_BYTES {
            self.pages.remove(key);
            return;
        }
        let last = page_key(found.end() - 1);
        while let Some((page, _)) = self.pages.first_at_or_after(key)
            && page <= last
        {
            self.pages.remove(page);
        }
    }
}
