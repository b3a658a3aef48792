//! A persistent map from `u64` keys: O(1) clone, copies of one path a change.
//!
//! [`RadixMap`] is a path-compressed radix tree, eight children a node. Nodes are shared between
//! clones and copied when a shared one is changed; an unshared one is changed in place. Dense keys
//! give full nodes, sparse keys cost nothing for the bits that all of them share.
//!
//! Eight and not sixteen, because what a live state costs is the path it copied, and a level of
//! sixteen costs more bytes a key bit. Node layouts and sizes are in `node.rs`.
//!
//! Invariant: an inner node has at least two children, a leaf at least one value.

mod iter;
mod node;
mod portable;

#[cfg(test)]
mod tests;

use node::{LeafView, NodeViewMut, TreeNode, digit, rank};

pub use iter::Iter;

/// A persistent map from `u64` to `V`.
pub struct RadixMap<V> {
    root: TreeNode<V>,
    len: usize,
}

impl<V: crate::Apart + Clone + 'static> crate::Apart for RadixMap<V> {
    fn apart(&mut self, copies: &mut crate::Copies) {
        let RadixMap { root, len: _ } = self;
        root.apart(copies);
    }
}

impl<V> RadixMap<V> {
    /// The empty map; allocates nothing.
    pub const fn new() -> RadixMap<V> {
        RadixMap { root: TreeNode::Empty, len: 0 }
    }

    /// The number of keys.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if there are no keys.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The value of a key.
    #[inline]
    pub fn get(&self, key: u64) -> Option<&V> {
        self.root.get(key)
    }

    /// Looks keys up one after the other.
    pub fn lookups(&self) -> Lookups<'_, V> {
        Lookups { root: &self.root, leaf: None }
    }

    /// Returns `true` if the key has a value.
    pub fn contains_key(&self, key: u64) -> bool {
        self.get(key).is_some()
    }

    /// All keys and values, in ascending order of keys.
    pub fn iter(&self) -> Iter<'_, V> {
        self.range(0..=u64::MAX)
    }

    /// The keys in `range` and their values, in ascending order.
    pub fn range(&self, range: std::ops::RangeInclusive<u64>) -> Iter<'_, V> {
        Iter::new(&self.root, *range.start(), *range.end())
    }

    /// The smallest key that is `key` or above it.
    pub fn first_at_or_after(&self, key: u64) -> Option<(u64, &V)> {
        self.range(key..=u64::MAX).next()
    }

    /// The greatest key that is `key` or below it.
    pub fn last_at_or_before(&self, key: u64) -> Option<(u64, &V)> {
        iter::last_at_or_before(&self.root, key)
    }

    /// Returns `true` if both are one tree, which makes them equal without looking at values.
    pub fn ptr_eq(&self, other: &RadixMap<V>) -> bool {
        self.root.ptr_eq(&other.root)
    }
}

/// Looks keys up in a map. A key beside the last one is found without another walk from the root.
pub struct Lookups<'a, V> {
    root: &'a TreeNode<V>,
    leaf: Option<LeafView<'a, V>>,
}

impl<'a, V> Lookups<'a, V> {
    /// The value of a key.
    #[inline]
    pub fn get(&mut self, key: u64) -> Option<&'a V> {
        if !self.leaf.as_ref().is_some_and(|leaf| leaf.covers(key)) {
            self.leaf = self.root.leaf_of(key);
        }
        self.leaf.as_ref()?.get(key)
    }
}

impl<V: Clone> RadixMap<V> {
    /// The value of a key, to change it; copies the path to it as far as it is shared.
    #[inline]
    pub fn get_mut(&mut self, key: u64) -> Option<&mut V> {
        self.root.get_mut(key)
    }

    /// Sets the value of a key and returns the one it had.
    pub fn insert(&mut self, key: u64, value: V) -> Option<V> {
        let Some(near) = self.root.key_near(key) else {
            self.root = TreeNode::leaf(key, value);
            self.len = 1;
            return None;
        };
        let differing = near ^ key;
        if differing >= 8 {
            self.root.insert_branch(key, value, node::top_shift(differing));
            self.len += 1;
            return None;
        }
        let leaf = self.root.leaf_mut(key);
        if let NodeViewMut::Leaf { bitmap, values } = leaf.view_mut() {
            let bit = 1 << digit(key, 0);
            if bitmap & bit != 0 {
                return values[rank(bitmap, bit)].replace(value);
            }
        }
        leaf.insert_value(key, value);
        self.len += 1;
        None
    }

    /// Removes a key and returns the value it had.
    pub fn remove(&mut self, key: u64) -> Option<V> {
        // A miss must not copy the path.
        self.get(key)?;
        self.len -= 1;
        Some(self.root.remove(key))
    }
}

impl<V> Clone for RadixMap<V> {
    #[inline]
    fn clone(&self) -> Self {
        RadixMap { root: self.root.clone(), len: self.len }
    }
}

impl<V> Default for RadixMap<V> {
    fn default() -> Self {
        RadixMap::new()
    }
}

impl<V: std::fmt::Debug> std::fmt::Debug for RadixMap<V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<V: PartialEq> PartialEq for RadixMap<V> {
    fn eq(&self, other: &Self) -> bool {
        self.ptr_eq(other) || self.len == other.len && self.iter().eq(other.iter())
    }
}

impl<V: Eq> Eq for RadixMap<V> {}

impl<V: Clone> FromIterator<(u64, V)> for RadixMap<V> {
    fn from_iter<I: IntoIterator<Item = (u64, V)>>(iter: I) -> Self {
        let mut map = RadixMap::new();
        for (key, value) in iter {
            map.insert(key, value);
        }
        map
    }
}

impl<'a, V> IntoIterator for &'a RadixMap<V> {
    type Item = (u64, &'a V);
    type IntoIter = Iter<'a, V>;

    fn into_iter(self) -> Iter<'a, V> {
        self.iter()
    }
}
