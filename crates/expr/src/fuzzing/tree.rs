//! [`Tree`]: a term as it was written, before any simplification.

use std::rc::Rc;

use crate::id::{ArrayId, SymbolId, TermId};
use crate::op::{BinOp, UnOp};
use crate::pool::array::ArrayNode;
use crate::{BitVec, Pool};

/// An expression over the bytes of one symbol. Clones are cheap; widths are checked when it is built.
#[derive(Clone, Debug)]
pub enum Tree {
    /// A constant.
    Const(BitVec),
    /// Byte `index` of the symbol.
    Byte(u32),
    /// An operator on one tree.
    Unary(UnOp, Rc<Tree>),
    /// An operator on two trees of one width.
    Binary(BinOp, Rc<Tree>, Rc<Tree>),
    /// A choice by a tree of width 1.
    Ite(Rc<Tree>, Rc<Tree>, Rc<Tree>),
    /// The first above the second.
    Concat(Rc<Tree>, Rc<Tree>),
    /// `width` bits from bit `low` upward.
    Extract(Rc<Tree>, u32, u32),
    /// Zero extension.
    ZExt(Rc<Tree>, u32),
    /// Sign extension.
    SExt(Rc<Tree>, u32),
    /// A derived operation.
    Bits(Bits, Rc<Tree>),
    /// A rotation to the left.
    Rotl(Rc<Tree>, Rc<Tree>),
    /// A byte of a table (of the symbol, for `None`) after stores, in that order, at an index of 64 bits.
    Select {
        /// The table.
        table: Option<Rc<[u8]>>,
        /// Indices of 64 bits and values of 8 bits.
        stores: Vec<(Rc<Tree>, Rc<Tree>)>,
        /// The index.
        index: Rc<Tree>,
    },
}

/// The derived operations on one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bits {
    /// The number of 1 bits.
    Popcount,
    /// The number of leading 0 bits.
    Ctlz,
    /// The number of trailing 0 bits.
    Cttz,
    /// The bits in reverse order.
    Reverse,
}

impl Tree {
    /// The number of bits.
    pub fn width(&self) -> u32 {
        match self {
            Tree::Const(value) => value.width(),
            Tree::Byte(_) | Tree::Select { .. } => 8,
            Tree::Binary(op, ..) if op.is_comparison() => 1,
            Tree::Unary(_, a) | Tree::Binary(_, a, _) | Tree::Ite(_, a, _) => a.width(),
            Tree::Bits(_, a) | Tree::Rotl(a, _) => a.width(),
            Tree::Concat(a, b) => a.width() + b.width(),
            Tree::Extract(.., width) | Tree::ZExt(_, width) | Tree::SExt(_, width) => *width,
        }
    }

    /// The term that the simplifying constructors make of the tree.
    pub fn build(&self, pool: &Pool, symbol: SymbolId) -> TermId {
        let of = |tree: &Tree| tree.build(pool, symbol);
        match self {
            Tree::Const(value) => pool.big_constant(value),
            Tree::Byte(index) => pool.byte(symbol, *index),
            Tree::Unary(UnOp::Not, a) => pool.not(of(a)),
            Tree::Unary(UnOp::Neg, a) => pool.neg(of(a)),
            Tree::Binary(op, a, b) => pool.binary(*op, of(a), of(b)),
            Tree::Ite(c, t, e) => pool.ite(of(c), of(t), of(e)),
            Tree::Concat(a, b) => pool.concat(of(a), of(b)),
            Tree::Extract(a, low, width) => pool.extract(of(a), *low, *width),
            Tree::ZExt(a, width) => pool.zext(of(a), *width),
            Tree::SExt(a, width) => pool.sext(of(a), *width),
            Tree::Bits(Bits::Popcount, a) => pool.popcount(of(a)),
            Tree::Bits(Bits::Ctlz, a) => pool.ctlz(of(a)),
            Tree::Bits(Bits::Cttz, a) => pool.cttz(of(a)),
            Tree::Bits(Bits::Reverse, a) => pool.bitreverse(of(a)),
            Tree::Rotl(a, b) => pool.rotl(of(a), of(b)),
            Tree::Select { table, stores, index } => {
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
        let of = |tree: &Tree| tree.eval(bytes);
        match self {
            Tree::Const(value) => value.clone(),
            Tree::Byte(index) => BitVec::from_u64(8, u64::from(bytes[*index as usize])),
            Tree::Unary(op, a) => op.apply_wide(&of(a)),
            Tree::Binary(op, a, b) => op.apply_wide(&of(a), &of(b)),
            Tree::Ite(c, t, e) => of(if of(c).is_zero() { e } else { t }),
            Tree::Concat(a, b) => of(a).concat(&of(b)),
            Tree::Extract(a, low, width) => of(a).extract(*low, *width),
            Tree::ZExt(a, width) => of(a).zext(*width),
            Tree::SExt(a, width) => of(a).sext(*width),
            Tree::Bits(kind, a) => {
                let value = of(a);
                let count = match kind {
                    Bits::Popcount => value.count_ones(),
                    Bits::Ctlz => value.leading_zeros(),
                    Bits::Cttz => value.trailing_zeros(),
                    Bits::Reverse => return value.reverse_bits(),
                };
                BitVec::from_u64(value.width(), u64::from(count))
            }
            Tree::Rotl(a, b) => {
                let (value, amount) = (of(a), of(b));
                let wide = amount.width().max(32);
                let width = BitVec::from_u64(wide, u64::from(value.width()));
                let amount = amount.resize(wide).urem(&width);
                value.rotate_left(amount.low_u64() as u32)
            }
            Tree::Select { table, stores, index } => {
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
