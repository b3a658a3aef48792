//! The last objects that were freed, for reports.
//!
//! Heap objects are in two persistent lists, a young one and an old one. When the young one is full, it
//! becomes the old one, and the elements of the old one are forgotten. So their number is bounded, adding
//! one is O(1), and a branch pays only for what it frees itself.
//!
//! Stack objects die with every call, so that even a list would cost too much. Only a few are remembered:
//! in a ring of the cache, which a flush moves into one small array. Which objects are remembered does not
//! depend on when the cache is flushed.

use everett_base::List;
use everett_base::{Apart, Copies, shares_nothing};
use triomphe::Arc;

use crate::layout;
use crate::object::{GuardState, Object, ObjectKind, ObjectNameId, SiteId, Tombstone};

/// Tombstones of the heap in each of the two lists.
const HEAP_TOMBSTONES: usize = 1024;

/// The number of dead stack objects that are remembered.
const STACK_TOMBSTONES: usize = 16;

/// Dead objects of the heap.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeapGraves {
    young: List<Tombstone>,
    old: List<Tombstone>,
}

everett_base::portable!(struct HeapGraves { young, old });

impl HeapGraves {
    /// Adds a tombstone and forgets the oldest if there are many.
    pub(crate) fn bury(&mut self, tombstone: Tombstone) {
        if self.young.len() >= HEAP_TOMBSTONES {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.push(tombstone);
    }

    /// The tombstone of the object that started at `base` and died last.
    pub(crate) fn find(&self, base: u64) -> Option<Tombstone> {
        self.young.iter().chain(&self.old).find(|tombstone| tombstone.base == base).copied()
    }
}

/// A dead stack object.
#[derive(Clone, Copy, Debug)]
struct StackGrave {
    base: u64,
    size: u64,
    site: SiteId,
    name: ObjectNameId,
    freed: SiteId,
}

everett_base::portable!(struct StackGrave { base, size, site, name, freed });

const NO_GRAVE: StackGrave = StackGrave {
    base: 0,
    size: 0,
    site: SiteId::NONE,
    name: ObjectNameId::NONE,
    freed: SiteId::NONE,
};

impl StackGrave {
    fn tombstone(&self) -> Tombstone {
        let StackGrave { base, size, site, name, freed } = *self;
        let object = Object {
            size,
            site,
            name,
            kind: ObjectKind::Stack,
            constant: false,
            guarded: GuardState::Unguarded,
            fill: 0,
            undefined: false,
        };
        Tombstone { base, object, freed }
    }
}

impl Apart for HeapGraves {
    fn apart(&mut self, copies: &mut Copies) {
        let HeapGraves { young, old } = self;
        young.apart(copies);
        old.apart(copies);
    }
}

impl Apart for StackGraves {
    fn apart(&mut self, copies: &mut Copies) {
        let StackGraves(graves) = self;
        graves.apart(copies);
    }
}

shares_nothing!(StackGrave);

/// Dead objects of the stack, shared between branches; the newest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct StackGraves(Option<Arc<[StackGrave; STACK_TOMBSTONES]>>);

everett_base::portable!(struct StackGraves(value));

impl StackGraves {
    /// The tombstone of the object that started at `base`, as long as `newer` ones do not push it
    /// out.
    pub(crate) fn find(&self, base: u64, newer: usize) -> Option<Tombstone> {
        let graves = self.0.as_ref()?;
        let kept = STACK_TOMBSTONES.saturating_sub(newer);
        graves[..kept].iter().find(|grave| grave.base == base).map(StackGrave::tombstone)
    }

    /// Adds the objects of a ring, which are newer than all others.
    pub(crate) fn add(&mut self, ring: &GraveRing) {
        if ring.count == 0 {
            return;
        }
        let mut graves = [NO_GRAVE; STACK_TOMBSTONES];
        let old = self.0.iter().flat_map(|graves| graves.iter());
        for (place, grave) in graves.iter_mut().zip(ring.iter().chain(old)) {
            *place = *grave;
        }
        self.0 = Some(Arc::new(graves));
    }
}

/// The stack objects that died last, in scratch memory.
pub(crate) struct GraveRing {
    graves: [StackGrave; STACK_TOMBSTONES],
    /// The number of objects that were added since the ring was emptied; modulo its length, the place
    /// of the next one.
    count: usize,
}

impl GraveRing {
    pub(crate) const EMPTY: GraveRing =
        GraveRing { graves: [NO_GRAVE; STACK_TOMBSTONES], count: 0 };

    /// Returns the number of objects that were added since the ring was emptied.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    #[inline]
    pub(crate) fn bury(&mut self, base: u64, object: &Object, freed: SiteId) {
        let Object { size, site, name, kind: _, constant: _, guarded: _, fill: _, undefined: _ } =
            *object;
        let place = self.count % STACK_TOMBSTONES;
        self.graves[place] = StackGrave { base, size, site, name, freed };
        self.count += 1;
    }

    pub(crate) fn find(&self, base: u64) -> Option<Tombstone> {
        self.iter().find(|grave| grave.base == base).map(StackGrave::tombstone)
    }

    pub(crate) fn clear(&mut self) {
        self.count = 0;
    }

    /// The newest first.
    fn iter(&self) -> impl Iterator<Item = &StackGrave> {
        let kept = self.count.min(STACK_TOMBSTONES);
        (1..=kept).map(|age| &self.graves[(self.count - age) % STACK_TOMBSTONES])
    }
}

/// Returns the kind of an object that started at `base` and left no tombstone.
pub(crate) fn forgotten_kind(base: u64) -> ObjectKind {
    if layout::is_small_stack(base) { ObjectKind::Stack } else { ObjectKind::Heap }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OBJECT: Object = Object {
        size: 1,
        site: SiteId(0),
        name: ObjectNameId::NONE,
        kind: ObjectKind::Heap,
        constant: false,
        guarded: GuardState::Unguarded,
        fill: 0,
        undefined: false,
    };

    #[test]
    fn remembers_the_newest_and_forgets_the_oldest() {
        let mut graves = HeapGraves::default();
        for base in 0..5000 {
            graves.bury(Tombstone { base, object: OBJECT, freed: SiteId(1) });
        }
        assert!(graves.find(4999).is_some() && graves.find(4000).is_some());
        assert!(graves.find(2000).is_none());
        assert!(graves.young.len() + graves.old.len() <= 2 * HEAP_TOMBSTONES);
    }

    #[test]
    fn what_is_remembered_of_the_stack_does_not_depend_on_flushes() {
        for flush_every in [1, 3, 7, 100] {
            let (mut ring, mut graves) = (GraveRing::EMPTY, StackGraves::default());
            for base in 1..=50 {
                ring.bury(base, &OBJECT, SiteId(base as u32));
                if base.is_multiple_of(flush_every) {
                    graves.add(&ring);
                    ring.clear();
                }
            }
            let find = |base| ring.find(base).or_else(|| graves.find(base, ring.count()));
            for base in 1..=50u64 {
                assert_eq!(find(base).is_some(), base > 34, "{base}, every {flush_every}");
            }
            assert_eq!(find(50).unwrap().freed, SiteId(50));
        }
    }
}
