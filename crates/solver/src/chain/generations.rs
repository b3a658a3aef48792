//! [`GenerationCache`]: a table of bounded size that forgets entries that were not asked for lately.
//!
//! Two generations bound the memory: when the young one is full it becomes the old one, and what
//! the old one held is forgotten unless it was asked for again. That is deterministic, and needs no
//! bookkeeping on a hit.

use std::borrow::Borrow;
use std::hash::Hash;

use everett_base::Map;

/// The table; entries have weights, and each generation holds as much as its capacity.
pub(crate) struct GenerationCache<K, V> {
    young: Map<K, (V, usize)>,
    old: Map<K, (V, usize)>,
    young_weight: usize,
    capacity: usize,
}

impl<K: Hash + Eq, V: Clone> GenerationCache<K, V> {
    pub(crate) fn new(capacity: usize) -> GenerationCache<K, V> {
        GenerationCache { young: Map::default(), old: Map::default(), young_weight: 0, capacity }
    }

    /// The value of a key. The old generation's entry, if it is there, becomes a young one.
    pub(crate) fn get<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        if let Some((value, _)) = self.young.get(key) {
            return Some(value.clone());
        }
        let (key, (value, weight)) = self.old.remove_entry(key)?;
        self.insert(key, value.clone(), weight);
        Some(value)
    }

    pub(crate) fn insert(&mut self, key: K, value: V, weight: usize) {
        if self.young_weight + weight > self.capacity {
            self.old = std::mem::take(&mut self.young);
            self.young_weight = 0;
        }
        self.young_weight += weight;
        self.young.insert(key, (value, weight));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_that_are_asked_for_outlive_the_others() {
        let mut table: GenerationCache<u32, u32> = GenerationCache::new(4);
        table.insert(0, 100, 1);
        for key in 1..40 {
            table.insert(key, key, 1);
            assert_eq!(table.get(&0), Some(100));
        }
        assert_eq!((table.get(&1), table.get(&39)), (None, Some(39)));
        assert!(table.young.len() + table.old.len() <= 8);
    }

    #[test]
    fn heavy_entries_count_for_more() {
        let mut table: GenerationCache<u32, u32> = GenerationCache::new(10);
        table.insert(0, 0, 5);
        table.insert(1, 1, 6);
        table.insert(2, 2, 6);
        assert_eq!((table.get(&0), table.get(&1), table.get(&2)), (None, Some(1), Some(2)));
    }
}
