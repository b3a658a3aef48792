//! A [`RadixMap`] as bytes: its nodes, each of them once.
//!
//! A node is `0` for nothing, `1` and an inner node, `2` and a leaf, or `3 + n` for the shared part `n`.
//! Capacities are not written; nodes are as small as can be when they are read.

use triomphe::Arc;

use super::RadixMap;
use super::node::{DIGIT_BITS, InnerNode, LeafNode, NodeView, TreeNode, digit};
use crate::part::{PartError, PartReader, PartWriter, Portable};

impl<V: Portable + 'static> Portable for RadixMap<V> {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        let RadixMap { root, len: _ } = self;
        write_node(root, to);
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let CountedNode { node: root, len } = read_node(from, MAX_SHIFT)?;
        Ok(RadixMap { root, len })
    }
}

/// Above the highest digit of a key.
const MAX_SHIFT: u8 = 66;

/// A node, and the number of its values.
struct CountedNode<V> {
    node: TreeNode<V>,
    len: usize,
}

impl<V> Clone for CountedNode<V> {
    fn clone(&self) -> Self {
        CountedNode { node: self.node.clone(), len: self.len }
    }
}

/// Recursion is bounded by the digits of a key.
fn write_node<'a, V: Portable + 'static>(node: &'a TreeNode<V>, to: &mut PartWriter<'a>) {
    match node.view() {
        NodeView::Empty => to.number(0),
        NodeView::Inner { shift, bitmap, kids } => {
            if let Some(number) = to.known(kids.as_ptr()) {
                return to.number(3 + number);
            }
            to.number(1);
            to.raw(&[shift, bitmap]);
            let count = bitmap.count_ones() as usize;
            kids[..count].iter().for_each(|kid| write_node(kid, to));
            to.note(kids.as_ptr());
        }
        NodeView::Leaf { base, bitmap, values } => {
            if let Some(number) = to.known(values.as_ptr()) {
                return to.number(3 + number);
            }
            to.number(2);
            to.number(base >> DIGIT_BITS);
            to.raw(&[bitmap]);
            values.iter().flatten().for_each(|value| value.write(to));
            to.note(values.as_ptr());
        }
    }
}

/// Reads a node whose digits are all below `above`.
fn read_node<V: Portable + 'static>(
    from: &mut PartReader<'_>,
    above: u8,
) -> Result<CountedNode<V>, PartError> {
    let read = match from.number()? {
        0 if above == MAX_SHIFT => return Ok(CountedNode { node: TreeNode::Empty, len: 0 }),
        0 => return Err(from.unexpected("a node of a map that is not empty")),
        1 => read_inner(from, above)?,
        2 => read_leaf(from)?,
        known => return check_shift(from, above, from.known(known - 3)?),
    };
    from.note(read.clone());
    Ok(read)
}

fn check_shift<V>(
    from: &PartReader<'_>,
    above: u8,
    read: CountedNode<V>,
) -> Result<CountedNode<V>, PartError> {
    match read.node.view() {
        NodeView::Inner { shift, .. } if shift >= above => {
            Err(from.unexpected("a node of a map for lower digits"))
        }
        _ => Ok(read),
    }
}

fn read_inner<V: Portable + 'static>(
    from: &mut PartReader<'_>,
    above: u8,
) -> Result<CountedNode<V>, PartError> {
    let (shift, bitmap) = (from.byte()?, from.byte()?);
    let is_digit = shift >= DIGIT_BITS && shift < above && shift.is_multiple_of(DIGIT_BITS);
    if !is_digit || bitmap.count_ones() < 2 {
        return Err(from.unexpected("an inner node of a map"));
    }
    let (mut kids, mut len) = (Vec::with_capacity(8), 0);
    let mut prefix = None;
    for place in (0..8).filter(|place| bitmap & (1 << place) != 0) {
        let kid = read_node(from, shift)?;
        let key = kid.node.key_near(0).unwrap_or(0);
        // The digit is the lowest of the prefix.
        let high = key >> shift >> DIGIT_BITS;
        if digit(key, shift) != place || *prefix.get_or_insert(high) != high {
            return Err(from.unexpected("a node of a map at its place"));
        }
        kids.push(kid.node);
        len += kid.len;
    }
    let node = match kids.len() {
        2 => TreeNode::I2(Arc::new(InnerNode::new(shift, bitmap, kids))),
        3 | 4 => TreeNode::I4(Arc::new(InnerNode::new(shift, bitmap, kids))),
        5 | 6 => TreeNode::I6(Arc::new(InnerNode::new(shift, bitmap, kids))),
        _ => TreeNode::I8(Arc::new(InnerNode::new(shift, bitmap, kids))),
    };
    Ok(CountedNode { node, len })
}

fn read_leaf<V: Portable>(from: &mut PartReader<'_>) -> Result<CountedNode<V>, PartError> {
    let base = from.number()? << DIGIT_BITS;
    let bitmap = from.byte()?;
    if bitmap == 0 {
        return Err(from.unexpected("a leaf of a map"));
    }
    let mut values = Vec::with_capacity(8);
    for _ in 0..bitmap.count_ones() {
        values.push(V::read(from)?);
    }
    let len = values.len();
    let node = match len {
        1 => TreeNode::L1(Arc::new(LeafNode::new(base, bitmap, values))),
        2 => TreeNode::L2(Arc::new(LeafNode::new(base, bitmap, values))),
        3 | 4 => TreeNode::L4(Arc::new(LeafNode::new(base, bitmap, values))),
        5 | 6 => TreeNode::L6(Arc::new(LeafNode::new(base, bitmap, values))),
        _ => TreeNode::L8(Arc::new(LeafNode::new(base, bitmap, values))),
    };
    Ok(CountedNode { node, len })
}
