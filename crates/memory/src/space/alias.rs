//! Two objects with the same bytes: a file that is mapped twice.
//!
//! The pages of an *alias* are those of a part of another object, its *original*. Neither of the two
//! goes through the page cache, where each would have a copy of its own. Accesses to them are therefore
//! slow, and they are rare.
//!
//! Invariant: an original is no alias, and lives as long as its aliases do.

use crate::layout::page_key;
use crate::object::{GuardState, ObjRef};
use crate::space::guard::AccessRights;
use crate::space::{AddressSpace, PageSegment, segments};

impl AddressSpace {
    /// Makes the object that starts at `base` show the bytes from `original` on, which are inside
    /// another object. Both addresses are multiples of [`GUARD_BYTES`](crate::GUARD_BYTES). What the
    /// object held before is lost.
    pub fn make_alias(&mut self, base: u64, original: u64) {
        let Some(object) = self.object(base) else { return };
        let Some(shown) = self.bounds(original, object.object.size) else { return };
        self.reset_range(base, object.object.size);
        for object in [object, shown] {
            self.evict_range(object, object.base, object.object.size);
            if object.object.guarded == GuardState::Unguarded {
                let first = object.base / crate::GUARD_BYTES;
                self.rare_mut().guards.insert(first, AccessRights::ReadWrite);
            }
            self.change_object(object.base, |object| object.guarded = GuardState::Aliased);
        }
        self.rare_mut().aliases.insert(page_key(base), original);
    }

    /// Gives an alias bytes of its own, as they are now; does nothing to other objects.
    pub fn separate_alias(&mut self, base: u64) {
        let Some(object) = self.object(base) else { return };
        let Some(original) = self.original(object) else { return };
        self.rare_mut().aliases.remove(page_key(base));
        let keys = page_key(original)..=page_key(original + object.object.size - 1);
        let pages: Vec<_> = self.pages.range(keys).map(|(key, page)| (key, page.clone())).collect();
        for (key, page) in pages {
            self.pages.insert(key - page_key(original) + page_key(base), page);
        }
        self.change_object(base, |object| object.guarded = GuardState::Guarded);
    }

    /// The aliases that show bytes of `from..to`.
    pub fn aliases_of(&self, from: u64, to: u64) -> Vec<u64> {
        let Some(rare) = self.rare() else { return Vec::new() };
        let shows = |base: u64, original: u64| {
            let size = self.object(base).map_or(0, |object| object.object.size);
            original < to && from < original + size
        };
        { rare.aliases.iter() }
            .map(|(key, original)| (crate::layout::page_start(key), *original))
            .filter(|(base, original)| shows(*base, *original))
            .map(|(base, _)| base)
            .collect()
    }

    /// Returns `true` if an object is an alias of another one.
    pub fn is_alias(&self, base: u64) -> bool {
        self.object(base).is_some_and(|object| self.original(object).is_some())
    }

    /// The address of the bytes that an alias shows.
    #[cold]
    fn original(&self, object: ObjRef) -> Option<u64> {
        self.rare()?.aliases.get(page_key(object.base)).copied()
    }

    /// Returns the distance between the pages of an object and the address by which it is known.
    #[inline]
    pub(crate) fn alias_shift(&self, object: ObjRef) -> u64 {
        match object.object.guarded {
            GuardState::Unguarded | GuardState::Guarded => 0,
            GuardState::Aliased => {
                self.original(object).map_or(0, |original| original.wrapping_sub(object.base))
            }
        }
    }

    /// The pages of `bytes` bytes at `address`, which are inside the object.
    #[inline]
    pub(crate) fn segments(
        &self,
        object: ObjRef,
        address: u64,
        bytes: u64,
    ) -> impl Iterator<Item = PageSegment> + use<> {
        let shift = self.alias_shift(object);
        segments(object, address, bytes).map(move |mut segment| {
            if shift != 0 {
                segment.key = page_key(segment.page_start.wrapping_add(shift));
            }
            segment
        })
    }

    /// Forgets that an object whose life ends is an alias.
    pub(crate) fn remove_alias(&mut self, object: ObjRef) {
        if self.original(object).is_some() {
            self.rare_mut().aliases.remove(page_key(object.base));
        }
    }
}
