//! Nodes of a [`RadixMap`](super::RadixMap).
//!
//! A node is one allocation that holds a bitmap of the digits present and their items in order.
//! It comes in a few capacities; the kind and the capacity are the tag of [`TreeNode`], which a tag for
//! the kind alone would not make smaller. The rest of the map sees nodes through [`NodeView`] and
//! [`NodeViewMut`], which hide the capacity.
//!
//! Bytes, for values of 8 bytes: inner nodes 16 and 16 a child, leaves 24 and 8 a value.

use triomphe::Arc;

use crate::{Apart, Copies};

/// Key bits a level decides.
pub(super) const DIGIT_BITS: u8 = 3;

/// The digit of `key` at `shift`.
#[inline]
pub(super) fn digit(key: u64, shift: u8) -> u8 {
    ((key >> shift) & 7) as u8
}

/// The position of `bit`'s item among the items of `bitmap`.
#[inline]
pub(super) fn rank(bitmap: u8, bit: u8) -> usize {
    (bitmap & (bit - 1)).count_ones() as usize
}

/// The shift of the highest digit that `differing` (not zero) touches.
pub(super) fn top_shift(differing: u64) -> u8 {
    let top = (63 - differing.leading_zeros()) as u8;
    top - top % DIGIT_BITS
}

/// The children for the digits in `bitmap`, ascending; the rest of `kids` is empty.
#[derive(Clone)]
#[repr(C)]
pub(super) struct InnerNode<V, const N: usize> {
    shift: u8,
    bitmap: u8,
    kids: [TreeNode<V>; N],
}

/// The values of up to eight neighbouring keys, ascending; the rest of `values` is `None`.
#[derive(Clone)]
#[repr(C)]
pub(super) struct LeafNode<V, const N: usize> {
    /// The keys without their last digit.
    base: u64,
    bitmap: u8,
    values: [Option<V>; N],
}

/// A tree: nothing, an inner node or a leaf, of some capacity.
pub(super) enum TreeNode<V> {
    Empty,
    I2(Arc<InnerNode<V, 2>>),
    I4(Arc<InnerNode<V, 4>>),
    I6(Arc<InnerNode<V, 6>>),
    I8(Arc<InnerNode<V, 8>>),
    L1(Arc<LeafNode<V, 1>>),
    L2(Arc<LeafNode<V, 2>>),
    L4(Arc<LeafNode<V, 4>>),
    L6(Arc<LeafNode<V, 6>>),
    L8(Arc<LeafNode<V, 8>>),
}

/// A node to look at.
pub(super) enum NodeView<'a, V> {
    Empty,
    Inner { shift: u8, bitmap: u8, kids: &'a [TreeNode<V>] },
    Leaf { base: u64, bitmap: u8, values: &'a [Option<V>] },
}

/// A leaf to look at.
pub(super) struct LeafView<'a, V> {
    base: u64,
    bitmap: u8,
    values: &'a [Option<V>],
}

impl<'a, V> LeafView<'a, V> {
    /// Returns `true` if a key that has a value has it here.
    #[inline]
    pub(super) fn covers(&self, key: u64) -> bool {
        self.base ^ key < 8
    }

    /// The value of a key.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<&'a V> {
        let bit = 1 << digit(key, 0);
        if !self.covers(key) || self.bitmap & bit == 0 {
            return None;
        }
        self.values[rank(self.bitmap, bit)].as_ref()
    }
}

/// A node to change: its items can be replaced, their number cannot.
pub(super) enum NodeViewMut<'a, V> {
    Empty,
    Inner { shift: u8, bitmap: u8, kids: &'a mut [TreeNode<V>] },
    Leaf { bitmap: u8, values: &'a mut [Option<V>] },
}

/// Runs one expression for every inner capacity and one for every leaf capacity.
macro_rules! each_capacity {
    ($node:expr, $empty:expr, $inner:ident => $on_inner:expr, $leaf:ident => $on_leaf:expr) => {
        match $node {
            TreeNode::Empty => $empty,
            TreeNode::I2($inner) => $on_inner,
            TreeNode::I4($inner) => $on_inner,
            TreeNode::I6($inner) => $on_inner,
            TreeNode::I8($inner) => $on_inner,
            TreeNode::L1($leaf) => $on_leaf,
            TreeNode::L2($leaf) => $on_leaf,
            TreeNode::L4($leaf) => $on_leaf,
            TreeNode::L6($leaf) => $on_leaf,
            TreeNode::L8($leaf) => $on_leaf,
        }
    };
}

impl<V: Apart + Clone + 'static, const N: usize> Apart for InnerNode<V, N> {
    fn apart(&mut self, copies: &mut Copies) {
        let InnerNode { shift: _, bitmap: _, kids } = self;
        kids.iter_mut().for_each(|kid| kid.apart(copies));
    }
}

impl<V: Apart + Clone + 'static, const N: usize> Apart for LeafNode<V, N> {
    fn apart(&mut self, copies: &mut Copies) {
        let LeafNode { base: _, bitmap: _, values } = self;
        values.iter_mut().flatten().for_each(|value| value.apart(copies));
    }
}

impl<V: Apart + Clone + 'static> Apart for TreeNode<V> {
    fn apart(&mut self, copies: &mut Copies) {
        each_capacity!(self, (), inner => inner.apart(copies), leaf => leaf.apart(copies));
    }
}

impl<V, const N: usize> InnerNode<V, N> {
    /// A node of at most `N` children, one for each digit of the bitmap.
    pub(super) fn new(shift: u8, bitmap: u8, kids: Vec<TreeNode<V>>) -> InnerNode<V, N> {
        let mut kids = kids.into_iter();
        let kids = std::array::from_fn(|_| kids.next().unwrap_or(TreeNode::Empty));
        InnerNode { shift, bitmap, kids }
    }

    /// Returns `true` if a key has a value below this node.
    #[cold]
    #[inline(never)]
    fn contains(&self, key: u64) -> bool {
        let bit = 1 << digit(key, self.shift);
        self.bitmap & bit != 0 && self.kids[rank(self.bitmap, bit)].get(key).is_some()
    }
}

impl<V, const N: usize> LeafNode<V, N> {
    /// A leaf of at most `N` values, one for each digit of the bitmap.
    pub(super) fn new(base: u64, bitmap: u8, values: Vec<V>) -> LeafNode<V, N> {
        let mut values = values.into_iter();
        LeafNode { base, bitmap, values: std::array::from_fn(|_| values.next()) }
    }
}

impl<V> TreeNode<V> {
    /// A leaf of one key.
    pub(super) fn leaf(key: u64, value: V) -> TreeNode<V> {
        let (base, bitmap) = (key & !7, 1 << digit(key, 0));
        TreeNode::L1(Arc::new(LeafNode { base, bitmap, values: [Some(value)] }))
    }

    /// Returns the contents of the node.
    #[inline]
    pub(super) fn view(&self) -> NodeView<'_, V> {
        each_capacity!(self, NodeView::Empty,
            inner => NodeView::Inner { shift: inner.shift, bitmap: inner.bitmap, kids: &inner.kids },
            leaf => NodeView::Leaf { base: leaf.base, bitmap: leaf.bitmap, values: &leaf.values })
    }

    /// The value of a key.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<&V> {
        self.leaf_of(key)?.get(key)
    }

    /// The only leaf that can have the value of a key.
    #[inline]
    pub(super) fn leaf_of(&self, key: u64) -> Option<LeafView<'_, V>> {
        let mut node = self;
        loop {
            match node.view() {
                NodeView::Inner { shift, bitmap, kids } => {
                    let bit = 1 << digit(key, shift);
                    if bitmap & bit == 0 {
                        return None;
                    }
                    node = &kids[rank(bitmap, bit)];
                }
                NodeView::Leaf { base, bitmap, values } => {
                    return Some(LeafView { base, bitmap, values });
                }
                NodeView::Empty => return None,
            }
        }
    }

    /// Returns `true` if both are the same allocation.
    pub(super) fn ptr_eq(&self, other: &TreeNode<V>) -> bool {
        match (self.view(), other.view()) {
            (NodeView::Empty, NodeView::Empty) => true,
            (NodeView::Inner { kids: a, .. }, NodeView::Inner { kids: b, .. }) => {
                std::ptr::eq(a, b)
            }
            (NodeView::Leaf { values: a, .. }, NodeView::Leaf { values: b, .. }) => {
                std::ptr::eq(a.as_ptr(), b.as_ptr())
            }
            _ => false,
        }
    }

    /// The base of the leaf that following `key` leads to, or of a neighbour where its digit is
    /// absent: no other leaf agrees with `key` in more leading digits.
    pub(super) fn key_near(&self, key: u64) -> Option<u64> {
        let mut node = self;
        loop {
            match node.view() {
                NodeView::Inner { shift, bitmap, kids } => {
                    let bit = 1 << digit(key, shift);
                    node = &kids[if bitmap & bit == 0 { 0 } else { rank(bitmap, bit) }];
                }
                NodeView::Leaf { base, .. } => return Some(base),
                NodeView::Empty => return None,
            }
        }
    }
}

impl<V: Clone> TreeNode<V> {
    /// Returns the contents of the node, to change them; copies the node if it is shared.
    #[inline]
    pub(super) fn view_mut(&mut self) -> NodeViewMut<'_, V> {
        each_capacity!(self, NodeViewMut::Empty,
        inner => {
            let InnerNode { shift, bitmap, kids } = unshared(inner);
            NodeViewMut::Inner { shift: *shift, bitmap: *bitmap, kids }
        },
        leaf => {
            let LeafNode { base: _, bitmap, values } = unshared(leaf);
            NodeViewMut::Leaf { bitmap: *bitmap, values }
        })
    }

    /// The value of a key, to change it; copies the path to it as far as it is shared.
    #[inline]
    pub(super) fn get_mut(&mut self, key: u64) -> Option<&mut V> {
        // A miss must not copy the path, so what is shared is searched before it is copied.
        let mut is_found = false;
        let mut node = self;
        loop {
            let (shift, bitmap, kids) = each_capacity!(node, return None,
            inner => {
                if !inner.is_unique() {
                    if !is_found && !inner.contains(key) {
                        return None;
                    }
                    is_found = true;
                    replace_by_copy(inner);
                }
                let InnerNode { shift, bitmap, kids } = Arc::get_mut(inner).expect(OWN);
                (*shift, *bitmap, kids.as_mut_slice())
            },
            leaf => {
                let bit = 1 << digit(key, 0);
                if leaf.base ^ key >= 8 || leaf.bitmap & bit == 0 {
                    return None;
                }
                let LeafNode { base: _, bitmap, values } = unshared(leaf);
                return values[rank(*bitmap, bit)].as_mut();
            });
            let bit = 1 << digit(key, shift);
            if bitmap & bit == 0 {
                return None;
            }
            node = &mut kids[rank(bitmap, bit)];
        }
    }

    /// The leaf of `key`'s base, which must be in the tree; copies the path to it.
    pub(super) fn leaf_mut(&mut self, key: u64) -> &mut TreeNode<V> {
        self.descend_mut(key, 0)
    }

    /// The highest node on the way to `key` whose shift is not above `shift`. The keys of the tree
    /// must agree with `key` above that.
    fn descend_mut(&mut self, key: u64, shift: u8) -> &mut TreeNode<V> {
        let mut node = self;
        loop {
            let deeper = match node.view() {
                NodeView::Inner { shift: own, .. } => own > shift || shift == 0,
                NodeView::Leaf { .. } | NodeView::Empty => false,
            };
            if !deeper {
                return node;
            }
            match node.view_mut() {
                NodeViewMut::Inner { shift, bitmap, kids } => {
                    node = &mut kids[rank(bitmap, 1 << digit(key, shift))];
                }
                _ => unreachable!("only inner nodes lead deeper"),
            }
        }
    }

    /// Adds a leaf for `key`, which differs from the keys nearest to it first in the digit at
    /// `shift`.
    pub(super) fn insert_branch(&mut self, key: u64, value: V, shift: u8) {
        let node = self.descend_mut(key, shift);
        let leaf = TreeNode::leaf(key, value);
        if let NodeView::Inner { shift: own, .. } = node.view()
            && own == shift
        {
            return node.insert_kid(digit(key, shift), leaf);
        }
        let near = node.key_near(key).expect("a branch is made beside a key");
        let sibling = std::mem::replace(node, TreeNode::Empty);
        let (old_digit, new_digit) = (digit(near, shift), digit(key, shift));
        let kids = if old_digit < new_digit { [sibling, leaf] } else { [leaf, sibling] };
        let bitmap = 1 << old_digit | 1 << new_digit;
        *node = TreeNode::I2(Arc::new(InnerNode { shift, bitmap, kids }));
    }

    /// Adds a child to an inner node that has none for this digit.
    fn insert_kid(&mut self, digit: u8, kid: TreeNode<V>) {
        let bit = 1 << digit;
        match std::mem::replace(self, TreeNode::Empty) {
            TreeNode::I2(node) => {
                *self = grow_inner::<V, 2, 4>(node, bit, kid, TreeNode::I2, TreeNode::I4)
            }
            TreeNode::I4(node) => {
                *self = grow_inner::<V, 4, 6>(node, bit, kid, TreeNode::I4, TreeNode::I6)
            }
            TreeNode::I6(node) => {
                *self = grow_inner::<V, 6, 8>(node, bit, kid, TreeNode::I6, TreeNode::I8)
            }
            TreeNode::I8(node) => {
                *self = grow_inner::<V, 8, 8>(node, bit, kid, TreeNode::I8, TreeNode::I8)
            }
            _ => unreachable!("only inner nodes have children"),
        }
    }

    /// Adds a value to a leaf that has none for this key.
    pub(super) fn insert_value(&mut self, key: u64, value: V) {
        let bit = 1 << digit(key, 0);
        match std::mem::replace(self, TreeNode::Empty) {
            TreeNode::L1(node) => {
                *self = grow_leaf::<V, 1, 2>(node, bit, value, TreeNode::L1, TreeNode::L2)
            }
            TreeNode::L2(node) => {
                *self = grow_leaf::<V, 2, 4>(node, bit, value, TreeNode::L2, TreeNode::L4)
            }
            TreeNode::L4(node) => {
                *self = grow_leaf::<V, 4, 6>(node, bit, value, TreeNode::L4, TreeNode::L6)
            }
            TreeNode::L6(node) => {
                *self = grow_leaf::<V, 6, 8>(node, bit, value, TreeNode::L6, TreeNode::L8)
            }
            TreeNode::L8(node) => {
                *self = grow_leaf::<V, 8, 8>(node, bit, value, TreeNode::L8, TreeNode::L8)
            }
            _ => unreachable!("only leaves have values"),
        }
    }

    /// Removes a key that is in the tree. Recursion is bounded by the digits of a key.
    pub(super) fn remove(&mut self, key: u64) -> V {
        let value = match self.view_mut() {
            NodeViewMut::Inner { shift, bitmap, kids } => {
                let position = rank(bitmap, 1 << digit(key, shift));
                let value = kids[position].remove(key);
                if !matches!(kids[position], TreeNode::Empty) {
                    return value;
                }
                self.remove_kid(position);
                value
            }
            NodeViewMut::Leaf { .. } => self.remove_value(1 << digit(key, 0)),
            NodeViewMut::Empty => unreachable!("the key is in the tree"),
        };
        self.shrink();
        value
    }

    /// Removes the child at a position of an unshared inner node; an only child left takes the
    /// node's place.
    fn remove_kid(&mut self, position: usize) {
        let only = each_capacity!(&mut *self, None,
            node => {
                let InnerNode { shift: _, bitmap, kids } = unshared(node);
                *bitmap = without_nth(*bitmap, position);
                let left = bitmap.count_ones() as usize;
                kids[position..=left].rotate_left(1);
                kids[left] = TreeNode::Empty;
                (left == 1).then(|| std::mem::replace(&mut kids[0], TreeNode::Empty))
            },
            _leaf => None);
        if let Some(only) = only {
            *self = only;
        }
    }

    /// Removes a value from an unshared leaf; an empty leaf becomes nothing.
    fn remove_value(&mut self, bit: u8) -> V {
        let (value, left) = each_capacity!(&mut *self, unreachable!("a leaf is not empty"),
        _node => unreachable!("inner nodes have no values"),
        leaf => {
            let LeafNode { base: _, bitmap, values } = unshared(leaf);
            let position = rank(*bitmap, bit);
            let value = values[position].take().expect("the bitmap tells which are present");
            *bitmap &= !bit;
            let left = bitmap.count_ones() as usize;
            values[position..=left].rotate_left(1);
            (value, left)
        });
        if left == 0 {
            *self = TreeNode::Empty;
        }
        value
    }

    /// Moves the items to a smaller node if they would fill less than half of this one and leave
    /// room there, so that an insertion and a removal in turn do not allocate each time.
    fn shrink(&mut self) {
        match self {
            TreeNode::I8(node) if node.bitmap.count_ones() <= 3 => {
                *self = TreeNode::I4(Arc::new(resize_inner(node)));
            }
            TreeNode::L8(leaf) if leaf.bitmap.count_ones() <= 3 => {
                *self = TreeNode::L4(Arc::new(resize_leaf(leaf)));
            }
            TreeNode::L6(leaf) if leaf.bitmap.count_ones() <= 1 => {
                *self = TreeNode::L2(Arc::new(resize_leaf(leaf)));
            }
            _ => {}
        }
    }
}

/// Why a node can be changed.
const OWN: &str = "a node that is not shared, or a copy that was just made";

/// A node, to change it; it is copied if it is shared.
#[inline]
fn unshared<T: Clone>(node: &mut Arc<T>) -> &mut T {
    if !node.is_unique() {
        replace_by_copy(node);
    }
    Arc::get_mut(node).expect(OWN)
}

/// Replaces a shared node by a copy of it. This is kept out of line, as most nodes are not shared.
#[cold]
#[inline(never)]
fn replace_by_copy<T: Clone>(node: &mut Arc<T>) {
    *node = Arc::new(T::clone(node));
}

/// `bitmap` without its `position`-th set bit.
fn without_nth(bitmap: u8, position: usize) -> u8 {
    let above = (0..position).fold(bitmap, |bits, _| bits & (bits - 1));
    bitmap ^ (above & above.wrapping_neg())
}

/// `node` with one more child, in place or, when it is full, in a node of capacity `M`.
fn grow_inner<V: Clone, const N: usize, const M: usize>(
    mut node: Arc<InnerNode<V, N>>,
    bit: u8,
    kid: TreeNode<V>,
    same: fn(Arc<InnerNode<V, N>>) -> TreeNode<V>,
    wider: fn(Arc<InnerNode<V, M>>) -> TreeNode<V>,
) -> TreeNode<V> {
    if node.bitmap.count_ones() as usize == N {
        let mut grown = resize_inner::<V, N, M>(&mut node);
        put(&mut grown.kids, &mut grown.bitmap, bit, kid);
        return wider(Arc::new(grown));
    }
    let InnerNode { shift: _, bitmap, kids } = unshared(&mut node);
    put(kids, bitmap, bit, kid);
    same(node)
}

/// `leaf` with one more value, in place or, when it is full, in a leaf of capacity `M`.
fn grow_leaf<V: Clone, const N: usize, const M: usize>(
    mut leaf: Arc<LeafNode<V, N>>,
    bit: u8,
    value: V,
    same: fn(Arc<LeafNode<V, N>>) -> TreeNode<V>,
    wider: fn(Arc<LeafNode<V, M>>) -> TreeNode<V>,
) -> TreeNode<V> {
    if leaf.bitmap.count_ones() as usize == N {
        let mut grown = resize_leaf::<V, N, M>(&mut leaf);
        put(&mut grown.values, &mut grown.bitmap, bit, Some(value));
        return wider(Arc::new(grown));
    }
    let LeafNode { base: _, bitmap, values } = unshared(&mut leaf);
    put(values, bitmap, bit, Some(value));
    same(leaf)
}

/// Puts an item at the place of its digit; the items after it move up by one.
fn put<T>(items: &mut [T], bitmap: &mut u8, bit: u8, item: T) {
    let (position, count) = (rank(*bitmap, bit), bitmap.count_ones() as usize);
    items[count] = item;
    items[position..=count].rotate_right(1);
    *bitmap |= bit;
}

/// The children moved (or copied, if shared) into a node of another capacity.
fn resize_inner<V: Clone, const N: usize, const M: usize>(
    node: &mut Arc<InnerNode<V, N>>,
) -> InnerNode<V, M> {
    let InnerNode { shift, bitmap, kids } = unshared(node);
    let kids = std::array::from_fn(|i| {
        kids.get_mut(i).map_or(TreeNode::Empty, |kid| std::mem::replace(kid, TreeNode::Empty))
    });
    InnerNode { shift: *shift, bitmap: *bitmap, kids }
}

/// The values moved (or copied, if shared) into a leaf of another capacity.
fn resize_leaf<V: Clone, const N: usize, const M: usize>(
    leaf: &mut Arc<LeafNode<V, N>>,
) -> LeafNode<V, M> {
    let LeafNode { base, bitmap, values } = unshared(leaf);
    let values = std::array::from_fn(|i| values.get_mut(i).and_then(Option::take));
    LeafNode { base: *base, bitmap: *bitmap, values }
}

impl<V> Clone for TreeNode<V> {
    #[inline]
    fn clone(&self) -> Self {
        match self {
            TreeNode::Empty => TreeNode::Empty,
            TreeNode::I2(node) => TreeNode::I2(node.clone()),
            TreeNode::I4(node) => TreeNode::I4(node.clone()),
            TreeNode::I6(node) => TreeNode::I6(node.clone()),
            TreeNode::I8(node) => TreeNode::I8(node.clone()),
            TreeNode::L1(node) => TreeNode::L1(node.clone()),
            TreeNode::L2(node) => TreeNode::L2(node.clone()),
            TreeNode::L4(node) => TreeNode::L4(node.clone()),
            TreeNode::L6(node) => TreeNode::L6(node.clone()),
            TreeNode::L8(node) => TreeNode::L8(node.clone()),
        }
    }
}

#[cfg(test)]
impl<V> TreeNode<V> {
    /// The size of the node's own allocation: its reference count and its struct.
    pub(super) fn allocated_bytes(&self) -> usize {
        fn of<T>(_: &Arc<T>) -> usize {
            size_of::<usize>() + size_of::<T>()
        }
        each_capacity!(self, 0, inner => of(inner), leaf => of(leaf))
    }
}
