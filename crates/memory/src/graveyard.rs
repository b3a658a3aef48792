//! The last objects that were freed, for reports.
//!
//! Two persistent lists, a young one and an old one: when the young one is full it becomes the old
//! one, whose elements are forgotten. So the number of tombstones is bounded, adding one is O(1),
//! and a branch pays only for what it frees itself.

use everett_base::List;

use crate::object::Tombstone;

#[derive(Clone, Debug, Default)]
pub(crate) struct Graveyard {
    young: List<Tombstone>,
    old: List<Tombstone>,
}

impl Graveyard {
    /// Adds a tombstone and forgets the oldest if there are more than `limit` twice.
    pub(crate) fn bury(&mut self, tombstone: Tombstone, limit: usize) {
        if self.young.len() >= limit {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.push(tombstone);
    }

    /// The tombstone of the object that started at `base` and died last.
    pub(crate) fn find(&self, base: u64) -> Option<Tombstone> {
        self.iter().find(|tombstone| tombstone.base == base).copied()
    }

    /// All tombstones, the newest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Tombstone> {
        self.young.iter().chain(&self.old)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::{Kind, NameId, Object, Site};

    #[test]
    fn remembers_the_newest_and_forgets_the_oldest() {
        let object = Object {
            size: 1,
            site: Site(0),
            name: NameId::NONE,
            kind: Kind::Heap,
            constant: false,
            fill: 0,
        };
        let mut graveyard = Graveyard::default();
        for base in 0..100 {
            graveyard.bury(Tombstone { base, object, freed: Site(1) }, 8);
        }
        assert!(graveyard.find(99).is_some() && graveyard.find(92).is_some());
        assert!(graveyard.find(80).is_none());
        assert!(graveyard.iter().count() <= 16);
    }
}
