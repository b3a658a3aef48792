//! Behaviour of [`RadixMap`] against `BTreeMap`, sharing after clones, and bytes a change costs.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;

use super::RadixMap;
use super::node::{NodeView, TreeNode};

/// Keys of the shapes that occur: dense, sparse, at the ends of the range.
fn keys() -> impl Strategy<Value = u64> {
    prop_oneof![
        0u64..40,
        0u64..2000,
        (0u64..6, 0u64..50).prop_map(|(class, slot)| class << 36 | slot),
        (0u64..40).prop_map(|low| u64::MAX - low),
        any::<u64>(),
    ]
}

#[derive(Clone, Debug)]
enum Op {
    Insert(u64, u32),
    Remove(u64),
    Change(u64, u32),
    /// Goes on with a clone and checks the original at the end.
    Clone,
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let op = prop_oneof![
        4 => (keys(), any::<u32>()).prop_map(|(key, value)| Op::Insert(key, value)),
        3 => keys().prop_map(Op::Remove),
        2 => (keys(), any::<u32>()).prop_map(|(key, value)| Op::Change(key, value)),
        1 => Just(Op::Clone),
    ];
    proptest::collection::vec(op, 0..300)
}

fn assert_same(map: &RadixMap<u32>, model: &BTreeMap<u64, u32>) {
    assert_eq!(map.len(), model.len());
    assert_eq!(map.is_empty(), model.is_empty());
    let pairs: Vec<(u64, u32)> = map.iter().map(|(key, value)| (key, *value)).collect();
    let expected: Vec<(u64, u32)> = model.iter().map(|(key, value)| (*key, *value)).collect();
    assert_eq!(pairs, expected);
    assert_invariant(&map.root, true);
}

fn assert_invariant(node: &TreeNode<u32>, is_root: bool) {
    match node.view() {
        NodeView::Empty => assert!(is_root, "an empty node below the root"),
        NodeView::Inner { bitmap, kids, .. } => {
            let (used, unused) = kids.split_at(bitmap.count_ones() as usize);
            assert!(used.len() >= 2, "an inner node with {} children", used.len());
            used.iter().for_each(|kid| assert_invariant(kid, false));
            assert!(unused.iter().all(|kid| matches!(kid, TreeNode::Empty)));
        }
        NodeView::Leaf { bitmap, values, .. } => {
            let (used, unused) = values.split_at(bitmap.count_ones() as usize);
            assert!(!used.is_empty() && used.iter().all(Option::is_some));
            assert!(unused.iter().all(Option::is_none));
        }
    }
}

proptest! {
    #[test]
    fn behaves_like_a_btree_map_and_clones_are_independent(ops in ops()) {
        let (mut map, mut model) = (RadixMap::new(), BTreeMap::new());
        let mut kept = Vec::new();
        for op in ops {
            match op {
                Op::Insert(key, value) => {
                    prop_assert_eq!(map.insert(key, value), model.insert(key, value));
                }
                Op::Remove(key) => prop_assert_eq!(map.remove(key), model.remove(&key)),
                Op::Change(key, value) => {
                    let (ours, theirs) = (map.get_mut(key), model.get_mut(&key));
                    prop_assert_eq!(ours.is_some(), theirs.is_some());
                    if let (Some(ours), Some(theirs)) = (ours, theirs) {
                        (*ours, *theirs) = (value, value);
                    }
                }
                Op::Clone => kept.push((map.clone(), model.clone())),
            }
        }
        assert_same(&map, &model);
        for (map, model) in &kept {
            assert_same(map, model);
        }
    }

    #[test]
    fn finds_neighbours_and_ranges(
        entries in proptest::collection::btree_map(keys(), any::<u32>(), 0..200),
        probes in proptest::collection::vec((keys(), keys()), 1..30),
    ) {
        let map: RadixMap<u32> = entries.iter().map(|(key, value)| (*key, *value)).collect();
        for (a, b) in probes {
            let (from, to) = (a.min(b), a.max(b));
            let ours: Vec<u64> = map.range(from..=to).map(|(key, _)| key).collect();
            let theirs: Vec<u64> = entries.range(from..=to).map(|(key, _)| *key).collect();
            prop_assert_eq!(ours, theirs);
            let pair = |found: Option<(u64, &u32)>| found.map(|(key, value)| (key, *value));
            let expected = |found: Option<(&u64, &u32)>| found.map(|(key, value)| (*key, *value));
            prop_assert_eq!(pair(map.first_at_or_after(a)), expected(entries.range(a..).next()));
            prop_assert_eq!(pair(map.last_at_or_before(a)), expected(entries.range(..=a).next_back()));
            prop_assert_eq!(map.get(a), entries.get(&a));
            prop_assert_eq!(map.contains_key(a), entries.contains_key(&a));
        }
    }

    #[test]
    fn looking_up_one_key_after_the_other_finds_what_each_finds_alone(
        entries in proptest::collection::btree_map(keys(), any::<u32>(), 0..200),
        probes in proptest::collection::vec((keys(), 1u64..40), 1..30),
    ) {
        let map: RadixMap<u32> = entries.iter().map(|(key, value)| (*key, *value)).collect();
        let mut lookups = map.lookups();
        for (first, count) in probes {
            for key in first..=first.saturating_add(count) {
                prop_assert_eq!(lookups.get(key), entries.get(&key));
            }
        }
    }
}

/// A value that counts how often it is cloned.
struct Counted<'a>(&'a AtomicUsize);

impl Clone for Counted<'_> {
    fn clone(&self) -> Self {
        self.0.fetch_add(1, Ordering::Relaxed);
        Counted(self.0)
    }
}

#[test]
fn an_unshared_map_changes_in_place() {
    let clones = AtomicUsize::new(0);
    let mut map: RadixMap<Counted<'_>> = (0..100).map(|key| (key, Counted(&clones))).collect();
    assert!(map.get_mut(50).is_some());
    assert!(map.remove(51).is_some());
    map.insert(51, Counted(&clones));
    assert_eq!(clones.load(Ordering::Relaxed), 0);
    let shared = map.clone();
    assert!(map.get_mut(50).is_some());
    assert_eq!(clones.load(Ordering::Relaxed), 8, "one leaf is copied");
    assert!(map.get_mut(50).is_some());
    assert_eq!(clones.load(Ordering::Relaxed), 8, "and only once");
    assert_eq!(shared.len(), 100);
}

#[test]
fn a_missing_key_copies_nothing() {
    let mut map: RadixMap<u32> = (0..100).map(|key| (key, 0)).collect();
    let shared = map.clone();
    assert!(map.get_mut(1000).is_none());
    assert!(map.remove(1000).is_none());
    assert!(map.ptr_eq(&shared));
}

/// The allocations of `map` that `other` does not share, in bytes (counters and items; without
/// what the allocator adds).
fn bytes_of_its_own<V>(map: &RadixMap<V>, other: &RadixMap<V>) -> usize {
    fn collect<V>(node: &TreeNode<V>, into: &mut BTreeMap<usize, usize>) {
        match node.view() {
            NodeView::Empty => {}
            NodeView::Inner { kids, .. } => {
                into.insert(kids.as_ptr() as usize, node.allocated_bytes());
                kids.iter().for_each(|kid| collect(kid, into));
            }
            NodeView::Leaf { values, .. } => {
                into.insert(values.as_ptr() as usize, node.allocated_bytes());
            }
        }
    }
    let (mut own, mut shared) = (BTreeMap::new(), BTreeMap::new());
    collect(&map.root, &mut own);
    collect(&other.root, &mut shared);
    own.iter().filter(|(address, _)| !shared.contains_key(address)).map(|(_, bytes)| bytes).sum()
}

#[test]
fn a_clone_and_one_write_add_the_bytes_of_one_path() {
    let added = |count: u64| {
        let map: RadixMap<Box<u8>> = (0..count).map(|key| (key, Box::new(0))).collect();
        let mut clone = map.clone();
        assert_eq!(bytes_of_its_own(&clone, &map), 0);
        **clone.get_mut(count / 2).unwrap() = 1;
        bytes_of_its_own(&clone, &map)
    };
    assert_eq!(added(1), 32);
    assert_eq!(added(8), 88);
    assert_eq!(added(16), 88 + 48);
    assert_eq!(added(64), 88 + 144);
    assert_eq!(added(1000), 88 + 144 + 144 + 48);
    assert_eq!(std::mem::size_of::<RadixMap<u8>>(), 24);
}
