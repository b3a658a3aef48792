//! Ordered walks over a [`RadixMap`](super::RadixMap).

use super::node::{DIGIT_BITS, NodeView, TreeNode, digit};

/// The most inner nodes on a path: one a digit, without the last, which leaves decide.
const MAX_DEPTH: usize = 64_usize.div_ceil(DIGIT_BITS as usize);

/// Iterates over a range of keys in ascending order.
pub struct Iter<'a, V> {
    /// Subtrees still to visit, the next one last.
    pending: Vec<&'a TreeNode<V>>,
    /// The rest of the current leaf.
    leaf: Option<LeafWalk<'a, V>>,
    from: u64,
    to: u64,
}

struct LeafWalk<'a, V> {
    base: u64,
    bitmap: u8,
    values: &'a [Option<V>],
}

impl<'a, V> Iter<'a, V> {
    pub(super) fn new(root: &'a TreeNode<V>, from: u64, to: u64) -> Iter<'a, V> {
        let mut pending = Vec::with_capacity(MAX_DEPTH);
        pending.push(root);
        Iter { pending, leaf: None, from, to }
    }

    /// Goes down to the next leaf; children wholly below `from` are left out.
    fn next_leaf(&mut self) -> Option<LeafWalk<'a, V>> {
        while let Some(node) = self.pending.pop() {
            match node.view() {
                NodeView::Inner { shift, bitmap, kids } => {
                    let low = low_key(node, shift);
                    let skipped = if low >= self.from {
                        0
                    } else if last_key(low, shift) < self.from {
                        bitmap.count_ones() as usize
                    } else {
                        let below = (1u8 << digit(self.from, shift)) - 1;
                        (bitmap & below).count_ones() as usize
                    };
                    self.pending.extend(kids[skipped..].iter().rev());
                }
                NodeView::Leaf { base, bitmap, values } => {
                    return Some(LeafWalk { base, bitmap, values });
                }
                NodeView::Empty => {}
            }
        }
        None
    }
}

impl<'a, V> Iterator for Iter<'a, V> {
    type Item = (u64, &'a V);

    fn next(&mut self) -> Option<(u64, &'a V)> {
        loop {
            let Some(leaf) = &mut self.leaf else {
                self.leaf = Some(self.next_leaf()?);
                continue;
            };
            let Some((Some(value), rest)) = leaf.values.split_first() else {
                self.leaf = None;
                continue;
            };
            let key = leaf.base + u64::from(leaf.bitmap.trailing_zeros());
            leaf.bitmap &= leaf.bitmap - 1;
            leaf.values = rest;
            if key > self.to {
                self.pending.clear();
                self.leaf = None;
                return None;
            }
            if key >= self.from {
                return Some((key, value));
            }
        }
    }
}

/// The greatest key of the tree that is `key` or below it.
pub(super) fn last_at_or_before<V>(root: &TreeNode<V>, key: u64) -> Option<(u64, &V)> {
    let mut pending = Vec::with_capacity(MAX_DEPTH);
    pending.push(root);
    while let Some(node) = pending.pop() {
        match node.view() {
            NodeView::Inner { shift, bitmap, kids } => {
                let low = low_key(node, shift);
                let taken = if low > key {
                    0
                } else if last_key(low, shift) <= key {
                    kids.len()
                } else {
                    let up_to = (2u16 << digit(key, shift)) - 1;
                    (bitmap & up_to as u8).count_ones() as usize
                };
                pending.extend(&kids[..taken]);
            }
            NodeView::Leaf { base, bitmap, values } => {
                let allowed = match key.checked_sub(base) {
                    None => 0,
                    Some(distance) if distance >= 7 => bitmap,
                    Some(distance) => bitmap & ((2 << distance) - 1),
                };
                if allowed != 0 {
                    let found = 7 - allowed.leading_zeros();
                    let position = allowed.count_ones() as usize - 1;
                    return values[position].as_ref().map(|value| (base + u64::from(found), value));
                }
            }
            NodeView::Empty => {}
        }
    }
    None
}

/// The smallest key that could be below a node of this shift.
fn low_key<V>(node: &TreeNode<V>, shift: u8) -> u64 {
    let some_key = node.key_near(0).expect("an inner node has leaves");
    some_key & !span_mask(shift)
}

/// The greatest key that could be below a node of this shift that starts at `low`.
fn last_key(low: u64, shift: u8) -> u64 {
    low | span_mask(shift)
}

/// The key bits that a node of this shift and those below it decide.
fn span_mask(shift: u8) -> u64 {
    let bits = u32::from(shift + DIGIT_BITS);
    1u64.checked_shl(bits).map_or(u64::MAX, |span| span - 1)
}
