//! [`TermTree`]: a term as it was written, before any simplification.

use std::rc::Rc;

use crate::float::FloatOp;
use crate::id::{ArrayId, SymbolId, TermId};
use crate::op::{BinOp, UnOp};
use crate::pool::array::ArrayNode;
use crate::{BitVec, Pool};

/// An expression over the bytes of one symbol. Clones are cheap; widths are checked when it is built.
#[derive(Clone, Debug)]
pub enum TermTree {
    /// A constant.
    Const(BitVec),
    /// Byte `index` of the symbol.
    Byte(u32),
    /// An operator on one tree.
    Unary(UnOp, Rc<TermTree>),
    /// An operator on two trees of one width.
    Binary(BinOp, Rc<TermTree>, Rc<TermTree>),
    /// A choice by a tree of width 1.
    Ite(Rc<TermTree>, Rc<TermTree>, Rc<TermTree>),
    /// The first above the second.
    Concat(Rc<TermTree>, Rc<TermTree>),
    /// `width` bits from bit `low` upward.
    Extract(Rc<TermTree>, u32, u32),
    /// Zero extension.
    ZExt(Rc<TermTree>, u32),
    /// Sign extension.
    SExt(Rc<TermTree>, u32),
    /// A derived operation.
    Bits(DerivedOp, Rc<TermTree>),
    /// A rotation to the left.
    Rotl(Rc<TermTree>, Rc<TermTree>),
    /// An operator on floating-point numbers, with a result of this width.
    Float(FloatOp, u32, Rc<TermTree>, Option<Rc<TermTree>>),
    /// A byte of a table (of the symbol, for `None`) after stores, in that order, at an index of 64 bits.
    Select {
        /// The table.
        table: Option<Rc<[u8]>>,
        /// Indices of 64 bits and values of 8 bits.
        stores: Vec<(Rc<TermTree>, Rc<TermTree>)>,
        /// The index.
        index: Rc<TermTree>,
    },
}

/// The derived operations on one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DerivedOp {
    /// The number of 1 bits.
    Popcount,
    /// The number of leading 0 bits.
    Ctlz,
    /// The number of trailing 0 bits.
    Cttz,
    /// The bits in reverse order.
    Reverse,
}

impl TermTree {
    /// The number of bits.
    pub fn width(&self) -> u32 {
        match self {
            TermTree::Const(value) => value.width(),
            TermTree::Byte(_) | TermTree::Select { .. } => 8,
            TermTree::Binary(op, ..) if op.is_comparison() => 1,
            TermTree::Unary(_, a) | TermTree::Binary(_, a, _) | TermTree::Ite(_, a, _) => a.width(),
            TermTree::Bits(_, a) | TermTree::Rotl(a, _) => a.width(),
            TermTree::Float(_, width, ..) => *width,
            TermTree::Concat(a, b) => a.width() + b.width(),
            TermTree::Extract(.., width) | TermTree::ZExt(_, width) | TermTree::SExt(_, width) => {
                *width
            }
        }
    }

    /// The term that the simplifying constructors make of the tree.
    pub fn build(&self, pool: &Pool, symbol: SymbolId) -> TermId {
        let of = |tree: &TermTree| tree.build(pool, symbol);
        match self {
            TermTree::Const(value) => pool.big_constant(value),
            TermTree::Byte(index) => pool.byte(symbol, *index),
            TermTree::Unary(UnOp::Not, a) => pool.not(of(a)),
            TermTree::Unary(UnOp::Neg, a) => pool.neg(of(a)),
            TermTree::Binary(op, a, b) => pool.binary(*op, of(a), of(b)),
            TermTree::Ite(c, t, e) => pool.ite(of(c), of(t), of(e)),
            TermTree::Concat(a, b) => pool.concat(of(a), of(b)),
            TermTree::Extract(a, low, width) => pool.extract(of(a), *low, *width),
            TermTree::ZExt(a, width) => pool.zext(of(a), *width),
            TermTree::SExt(a, width) => pool.sext(of(a), *width),
            TermTree::Bits(DerivedOp::Popcount, a) => pool.popcount(of(a)),
            TermTree::Bits(DerivedOp::Ctlz, a) => pool.ctlz(of(a)),
            TermTree::Bits(DerivedOp::Cttz, a) => pool.cttz(of(a)),
            TermTree::Bits(DerivedOp::Reverse, a) => pool.bitreverse(of(a)),
            TermTree::Rotl(a, b) => pool.rotl(of(a), of(b)),
            TermTree::Float(op, width, a, b) => {
                pool.float(*op, *width, of(a), b.as_ref().map(|b| of(b)))
            }
            TermTree::Select { table, stores, index } => {
                let base = match table {
                    Some(bytes) => pool.const_array(bytes),
                    None => pool.symbol_array(symbol),
                };
                let array = stores
                    .iter()
                    .fold(base, |array, (index, value)| pool.store(array, of(index), of(value)));
                debug_assert!(chain_is_no_longer(pool, array, stores.len()));
                pool.select(array, of(index))
            }
        }
    }

    /// The value, by the definition of each operator.
    pub fn eval(&self, bytes: &[u8]) -> BitVec {
        let of = |tree: &TermTree| tree.eval(bytes);
        match self {
            TermTree::Const(value) => value.clone(),
            TermTree::Byte(index) => BitVec::from_u64(8, u64::from(bytes[*index as usize])),
            TermTree::Unary(op, a) => op.apply_wide(&of(a)),
            TermTree::Binary(op, a, b) => op.apply_wide(&of(a), &of(b)),
            TermTree::Ite(c, t, e) => of(if of(c).is_zero() { e } else { t }),
            TermTree::Concat(a, b) => of(a).concat(&of(b)),
            TermTree::Extract(a, low, width) => of(a).extract(*low, *width),
            TermTree::ZExt(a, width) => of(a).zext(*width),
            TermTree::SExt(a, width) => of(a).sext(*width),
            TermTree::Bits(kind, a) => {
                let value = of(a);
                let count = match kind {
                    DerivedOp::Popcount => value.count_ones(),
                    DerivedOp::Ctlz => value.leading_zeros(),
                    DerivedOp::Cttz => value.trailing_zeros(),
                    DerivedOp::Reverse => return value.reverse_bits(),
                };
                BitVec::from_u64(value.width(), u64::from(count))
            }
            TermTree::Float(op, width, a, b) => {
                op.apply_wide(*width, &of(a), b.as_ref().map(|b| of(b)).as_ref())
            }
            TermTree::Rotl(a, b) => {
                let (value, amount) = (of(a), of(b));
                let wide = amount.width().max(32);
                let width = BitVec::from_u64(wide, u64::from(value.width()));
                let amount = amount.resize(wide).urem(&width);
                value.rotate_left(amount.low_u64() as u32)
            }
            TermTree::Select { table, stores, index } => {
                let at = of(index);
                let stored = stores.iter().rev().find(|(index, _)| of(index) == at);
                let base = table.as_deref().unwrap_or(bytes);
                match stored {
                    Some((_, value)) => of(value),
                    None => {
                        let byte = base.get(at.low_u64() as usize).copied().unwrap_or(0);
                        BitVec::from_u64(8, u64::from(byte))
                    }
                }
            }
        }
    }
}

fn chain_is_no_longer(pool: &Pool, mut array: ArrayId, stores: usize) -> bool {
    let mut length = 0;
    while let ArrayNode::Store { array: below, .. } = pool.array_node(array) {
        array = below;
        length += 1;
    }
    length <= stores
}
