//! The stored form of a term, and the [`TermNode`] view that everything outside the pool matches on.
//!
//! A stored node takes 32 bytes: the structural hash, three operands, one packed word of operator, width
//! and tree size, and two indices into the tables of supports and facts.
//!
//! Invariant: the structural hash depends on structure and symbol names only, never on ids, so an order
//! of operands by hash is the same in every run and on any number of threads.

use crate::float::FloatOp;
use crate::id::{ArrayId, TermId, VarId};
use crate::op::{BinOp, UnOp};
use crate::{BitVec, MAX_WIDTH};

/// One level of a term. Widths come from [`Pool::width`](crate::Pool::width).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TermNode<'a> {
    /// A constant of at most 64 bits.
    Const(u64),
    /// A constant of more than 64 bits.
    BigConst(&'a BitVec),
    /// A symbolic byte, width 8.
    Var(VarId),
    /// An operator on one term.
    Unary(UnOp, TermId),
    /// An operator on two terms of one width.
    Binary(BinOp, TermId, TermId),
    /// If the first (width 1) then the second, else the third.
    Ite(TermId, TermId, TermId),
    /// The first above the second.
    Concat(TermId, TermId),
    /// As many bits as the node's width, from bit `low` of `term` upward.
    Extract {
        /// The term that is cut.
        term: TermId,
        /// The lowest bit taken.
        low: u32,
    },
    /// Zeros above the term.
    ZExt(TermId),
    /// Copies of the sign above the term.
    SExt(TermId),
    /// The byte of an array at a 64-bit index.
    Select(ArrayId, TermId),
    /// An operator on one floating-point number or two.
    Float(FloatOp, TermId, Option<TermId>),
}

/// Operator tags of stored nodes; binary operators follow from `BIN`.
pub(crate) mod tag {
    pub(crate) const CONST: u32 = 0;
    pub(crate) const BIG: u32 = 1;
    pub(crate) const VAR: u32 = 2;
    pub(crate) const NOT: u32 = 3;
    pub(crate) const NEG: u32 = 4;
    pub(crate) const ITE: u32 = 5;
    pub(crate) const CONCAT: u32 = 6;
    pub(crate) const EXTRACT: u32 = 7;
    pub(crate) const ZEXT: u32 = 8;
    pub(crate) const SEXT: u32 = 9;
    pub(crate) const SELECT: u32 = 10;
    pub(crate) const BIN: u32 = 11;
    /// Behind the binary operators.
    pub(crate) const FLOAT: u32 = 27;
}

const WIDTH_BITS: u32 = 17;
const TAG_BITS: u32 = 5;
const SIZE_SHIFT: u32 = WIDTH_BITS + TAG_BITS;

/// Trees of this many nodes or more count as just that many.
pub(crate) const SIZE_MAX: u32 = (1 << (32 - SIZE_SHIFT)) - 1;

const _: () = assert!(MAX_WIDTH < 1 << WIDTH_BITS);
const _: () = assert!(tag::BIN as usize + BinOp::ALL.len() == tag::FLOAT as usize);
const _: () = assert!(tag::FLOAT < 1 << TAG_BITS);
const _: () = assert!(size_of::<StoredNode>() == 32);

/// A node as the pool keeps it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoredNode {
    pub(crate) hash: u64,
    pub(crate) args: [u32; 3],
    pub(crate) head: u32,
    /// Index into the table of supports.
    pub(crate) support: u32,
    /// Index into the table of facts; 0 means that nothing is known.
    pub(crate) facts: u32,
}

impl StoredNode {
    /// A node that is not in the pool yet: `tree_size` counts shared subterms as often as they occur.
    pub(crate) fn new(tag: u32, width: u32, args: [u32; 3], hash: u64, tree_size: u32) -> Self {
        let size = tree_size.min(SIZE_MAX);
        let head = width | tag << WIDTH_BITS | size << SIZE_SHIFT;
        StoredNode { hash, args, head, support: 0, facts: 0 }
    }

    pub(crate) fn width(&self) -> u32 {
        self.head & ((1 << WIDTH_BITS) - 1)
    }

    pub(crate) fn tag(&self) -> u32 {
        self.head >> WIDTH_BITS & ((1 << TAG_BITS) - 1)
    }

    pub(crate) fn tree_size(&self) -> u32 {
        self.head >> SIZE_SHIFT
    }

    pub(crate) fn term(&self, at: usize) -> TermId {
        TermId::from_raw(self.args[at])
    }

    /// The operator of a `tag::FLOAT` node, and its operands.
    pub(crate) fn float(&self) -> (FloatOp, TermId, Option<TermId>) {
        let op = FloatOp::from_code(self.args[0]).expect("only codes of operators are stored");
        let second = op.is_binary().then(|| self.term(2));
        (op, self.term(1), second)
    }

    /// The value of a `tag::CONST` node.
    pub(crate) fn word(&self) -> u64 {
        u64::from(self.args[0]) | u64::from(self.args[1]) << 32
    }

    pub(crate) fn same_structure(&self, other: &StoredNode) -> bool {
        self.head == other.head && self.args == other.args
    }
}

pub(crate) fn binary_tag(op: BinOp) -> u32 {
    tag::BIN + op as u32
}

pub(crate) fn tag_binary(tag: u32) -> BinOp {
    BinOp::ALL[(tag - tag::BIN) as usize]
}

/// One step of the structural hash; fixed for ever, since canonical operand order rests on it.
pub(crate) fn mix(hash: u64, value: u64) -> u64 {
    let product =
        u128::from(hash ^ 0x9e37_79b9_7f4a_7c15) * u128::from(value ^ 0xd6e8_feb8_6659_fd93);
    (product as u64) ^ ((product >> 64) as u64) ^ hash.rotate_left(23)
}

pub(crate) fn hash_bytes(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(bytes.len() as u64, |hash, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        mix(hash, u64::from_le_bytes(word))
    })
}
