//! [`Support`]: the set of symbolic bytes that a term mentions.
//!
//! Supports are interned and computed when a term is made, so looking one up is an index, and equal
//! supports are one object. Unions of two are remembered.

use std::sync::{Mutex, PoisonError};

use everett_base::hash::Map;
use smallvec::SmallVec;

use crate::id::VarId;

/// A set of [`VarId`]s as sorted, disjoint, non-adjacent ranges.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Support {
    /// First and last variable of each range.
    ranges: SmallVec<[(u32, u32); 2]>,
    signature: u64,
    /// True if a variable is a byte of an undefined symbol.
    has_undefined: bool,
}

impl Support {
    /// Returns `true` if no variable is in the set.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// The number of variables.
    pub fn len(&self) -> usize {
        self.ranges.iter().map(|&(first, last)| (last - first) as usize + 1).sum()
    }

    /// A 64-bit digest: bit `v mod 64` is set for every variable `v`. Sets whose signatures share no bit
    /// are disjoint.
    pub fn signature(&self) -> u64 {
        self.signature
    }

    /// Returns true if a variable of the set is a byte of an undefined symbol.
    pub fn has_undefined(&self) -> bool {
        self.has_undefined
    }

    /// The ranges of variables, ascending, ends included.
    pub fn ranges(&self) -> impl Iterator<Item = (VarId, VarId)> + '_ {
        self.ranges.iter().map(|&(first, last)| (VarId(first), VarId(last)))
    }

    /// The variables, ascending.
    pub fn iter(&self) -> impl Iterator<Item = VarId> + '_ {
        self.ranges.iter().flat_map(|&(first, last)| (first..=last).map(VarId))
    }

    /// Returns `true` if `var` is in the set.
    pub fn contains(&self, var: VarId) -> bool {
        let at = self.ranges.partition_point(|&(_, last)| last < var.0);
        self.ranges.get(at).is_some_and(|&(first, _)| first <= var.0)
    }

    /// Returns `true` if some variable is in both sets.
    pub fn intersects(&self, other: &Support) -> bool {
        if self.signature & other.signature == 0 {
            return false;
        }
        let (mut a, mut b) = (self.ranges.iter().peekable(), other.ranges.iter().peekable());
        while let (Some(&&(first_a, last_a)), Some(&&(first_b, last_b))) = (a.peek(), b.peek()) {
            if last_a < first_b {
                a.next();
            } else if last_b < first_a {
                b.next();
            } else {
                return true;
            }
        }
        false
    }

    /// Returns `true` if every variable of `other` is in this set.
    pub fn contains_all(&self, other: &Support) -> bool {
        other.signature & !self.signature == 0
            && other.ranges.iter().all(|&(first, last)| {
                let at = self.ranges.partition_point(|&(_, end)| end < first);
                self.ranges.get(at).is_some_and(|&(from, to)| from <= first && last <= to)
            })
    }

    /// The union of two sets.
    pub fn union(&self, other: &Support) -> Support {
        let mut all: SmallVec<[(u32, u32); 8]> =
            self.ranges.iter().chain(&other.ranges).copied().collect();
        all.sort_unstable();
        let mut ranges: SmallVec<[(u32, u32); 2]> = SmallVec::new();
        for (first, last) in all {
            match ranges.last_mut() {
                Some(top) if first <= top.1.saturating_add(1) => top.1 = top.1.max(last),
                _ => ranges.push((first, last)),
            }
        }
        Support {
            ranges,
            signature: self.signature | other.signature,
            has_undefined: self.has_undefined || other.has_undefined,
        }
    }

    pub(crate) fn range(first: u32, size: u32, has_undefined: bool) -> Support {
        if size == 0 {
            return Support::default();
        }
        let bits = if size >= 64 { u64::MAX } else { (1 << size) - 1 };
        let ranges = SmallVec::from_slice(&[(first, first + size - 1)]);
        Support { ranges, signature: bits.rotate_left(first % 64), has_undefined }
    }
}

/// Interned supports; id 0 is the empty set.
#[derive(Debug)]
pub(crate) struct SupportTable {
    list: boxcar::Vec<Support>,
    ids: Mutex<Map<Support, u32>>,
    unions: [Mutex<Map<(u32, u32), u32>>; SHARDS],
}

const SHARDS: usize = 16;

impl SupportTable {
    pub(crate) fn new() -> Self {
        let supports = SupportTable {
            list: boxcar::Vec::new(),
            ids: Mutex::default(),
            unions: std::array::from_fn(|_| Mutex::default()),
        };
        supports.intern(Support::default());
        supports
    }

    pub(crate) fn get(&self, id: u32) -> &Support {
        &self.list[id as usize]
    }

    pub(crate) fn intern(&self, support: Support) -> u32 {
        let mut ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&id) = ids.get(&support) {
            return id;
        }
        let id = u32::try_from(self.list.push(support.clone())).expect("fewer than 2^32 supports");
        ids.insert(support, id);
        id
    }

    pub(crate) fn union(&self, a: u32, b: u32) -> u32 {
        if a == b || b == 0 {
            return a;
        }
        if a == 0 {
            return b;
        }
        let key = (a.min(b), a.max(b));
        let shard = &self.unions[(a ^ b) as usize % SHARDS];
        if let Some(&id) = shard.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return id;
        }
        let (left, right) = (self.get(a), self.get(b));
        let id = if left.contains_all(right) {
            a
        } else if right.contains_all(left) {
            b
        } else {
            self.intern(left.union(right))
        };
        shard.lock().unwrap_or_else(PoisonError::into_inner).insert(key, id);
        id
    }
}
