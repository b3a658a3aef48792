//! The simplifying constructors: every term that users of the crate build comes through here.
//!
//! A rule is written as one arm or one short function, headed by a comment `match => result`; the families
//! are `bitwise`, `arith`, `shift`, `compare`, `structure` (concat, extract, extensions), `ite`,
//! `array` and `float`.
//!
//! The forms that rules aim at:
//! - constants are folded, and stand last among commutative operands; other operands of commutative
//!   operators are ordered by structural hash;
//! - `ule`, `ne` and the mirrored comparisons are `not`, `ult`, `slt`, `eq`; `x - c` is `x + (-c)`;
//! - a concatenation leans to the right and starts with a term that is not zero (else it is a `zext`);
//! - shifts by constants and masks of one run of ones are `concat`, `extract` and extensions, so that code
//!   which takes words apart and puts them together again gives the word back.
//!
//! Bounded work: a constructor called from outside gets a fixed number of rewriting steps, shared by all
//! the constructors that its rules call. When they are used up, terms are built as they are. So the depth
//! of a term bounds neither the stack nor the time, and the result depends on structure alone.

mod arith;
mod array;
mod bitwise;
mod compare;
mod float;
mod ite;
mod shift;
mod structure;
#[cfg(test)]
mod tests;

use std::cell::Cell;

use crate::id::{ArrayId, TermId};
use crate::node::{TermNode, binary_tag, tag};
use crate::op::BinOp;
use crate::{BitVec, Pool};

/// Rewriting steps that one constructor may take.
const STEPS: u32 = 96;

/// The simplifying constructors. Operands of a binary operator have one width, or the call panics.
impl Pool {
    /// Bitwise complement; logical negation at width 1.
    pub fn not(&self, a: TermId) -> TermId {
        self.recent().get_or([tag::NOT, a.raw(), 0, 0], || Rewriter::new(self).not(a))
    }

    /// Two's complement negation.
    pub fn neg(&self, a: TermId) -> TermId {
        Rewriter::new(self).neg(a)
    }

    /// The operator `op` on two terms.
    pub fn binary(&self, op: BinOp, a: TermId, b: TermId) -> TermId {
        assert_eq!(self.width(a), self.width(b), "operands of {} have one width", op.smtlib());
        let key = [binary_tag(op), a.raw(), b.raw(), 0];
        self.recent().get_or(key, || Rewriter::new(self).binary(op, a, b))
    }

    /// Bitwise and; conjunction at width 1.
    pub fn and(&self, a: TermId, b: TermId) -> TermId {
        self.binary(BinOp::And, a, b)
    }

    /// Bitwise or; disjunction at width 1.
    pub fn or(&self, a: TermId, b: TermId) -> TermId {
        self.binary(BinOp::Or, a, b)
    }

    /// Bitwise exclusive or.
    pub fn xor(&self, a: TermId, b: TermId) -> TermId {
        self.binary(BinOp::Xor, a, b)
    }

    /// Sum.
    pub fn add(&self, a: TermId, b: TermId) -> TermId {
        self.binary(BinOp::Add, a, b)
    }

    /// Difference.
    pub fn sub(&self, a: TermId, b: TermId) -> TermId {
        self.binary(BinOp::Sub, a, b)
    }

    /// Product.
    pub fn mul(&self, a: TermId, b: TermId) -> TermId {
        self.binary(BinOp::Mul, a, b)
    }

    /// Unsigned quotient; all ones for a divisor of 0.
    pub fn udiv(&self, a: TermId, b: TermId) -> TermId {
        self.binary(BinOp::UDiv, a, b)
    }

    /// Signed quotient, rounded to zero; by 0 it is 1 for a negative dividend, else -1.
    pub fn sdiv(&self, a: TermId, b: TermId) -> TermId {
        self.binary(BinOp::SDiv, a, b)
    }

    /// Unsigned remainder; the dividend for a divisor of 0.
    pub fn urem(&self, a: TermId, b: TermId) -> TermId {
        self.binary(BinOp::URem, a, b)
    }

    /// Signed remainder with the dividend's sign; the dividend for a divisor of 0.
    pub fn srem(&self, a: TermId, b: TermId) -> TermId {
        self.binary(BinOp::SRem, a, b)
    }

    /// Shift left; 0 for an amount of the width or more.
    pub fn shl(&self, a: TermId, b: TermId) -> TermId {
        self.binary(BinOp::Shl, a, b)
    }

    /// Logical shift right; 0 for an amount of the width or more.
    pub fn lshr(&self, a: TermId, b: TermId) -> TermId {
        self.binary(BinOp::LShr, a, b)
    }

    /// Arithmetic shift right; copies of the sign for an amount of the width or more.
    pub fn ashr(&self, a: TermId, b: TermId) -> TermId {
        self.binary(BinOp::AShr, a, b)
    }

    /// Equality, width 1.
    pub fn eq(&self, a: TermId, b: TermId) -> TermId {
        self.binary(BinOp::Eq, a, b)
    }

    /// Inequality, width 1.
    pub fn ne(&self, a: TermId, b: TermId) -> TermId {
        self.not(self.eq(a, b))
    }

    /// Unsigned less-than, width 1.
    pub fn ult(&self, a: TermId, b: TermId) -> TermId {
        self.binary(BinOp::Ult, a, b)
    }

    /// Unsigned at-most, width 1.
    pub fn ule(&self, a: TermId, b: TermId) -> TermId {
        self.not(self.ult(b, a))
    }

    /// Unsigned greater-than, width 1.
    pub fn ugt(&self, a: TermId, b: TermId) -> TermId {
        self.ult(b, a)
    }

    /// Unsigned at-least, width 1.
    pub fn uge(&self, a: TermId, b: TermId) -> TermId {
        self.not(self.ult(a, b))
    }

    /// Signed less-than, width 1.
    pub fn slt(&self, a: TermId, b: TermId) -> TermId {
        self.binary(BinOp::Slt, a, b)
    }

    /// Signed at-most, width 1.
    pub fn sle(&self, a: TermId, b: TermId) -> TermId {
        self.not(self.slt(b, a))
    }

    /// Signed greater-than, width 1.
    pub fn sgt(&self, a: TermId, b: TermId) -> TermId {
        self.slt(b, a)
    }

    /// Signed at-least, width 1.
    pub fn sge(&self, a: TermId, b: TermId) -> TermId {
        self.not(self.slt(a, b))
    }

    /// `t` where the condition (width 1) holds, else `e`.
    pub fn ite(&self, c: TermId, t: TermId, e: TermId) -> TermId {
        assert_eq!(self.width(c), 1, "a condition has width 1");
        assert_eq!(self.width(t), self.width(e), "both sides of an ite have one width");
        let key = [tag::ITE, c.raw(), t.raw(), e.raw()];
        self.recent().get_or(key, || Rewriter::new(self).ite(c, t, e))
    }

    /// `high` above `low`.
    pub fn concat(&self, high: TermId, low: TermId) -> TermId {
        let key = [tag::CONCAT, high.raw(), low.raw(), 0];
        self.recent().get_or(key, || Rewriter::new(self).concat(high, low))
    }

    /// `width` bits of the term from bit `low` upward.
    pub fn extract(&self, term: TermId, low: u32, width: u32) -> TermId {
        let whole = self.width(term);
        assert!(
            width >= 1 && low.checked_add(width).is_some_and(|end| end <= whole),
            "extract of {width} bits at {low} from a term of {whole}"
        );
        let key = [tag::EXTRACT, term.raw(), low, width];
        self.recent().get_or(key, || Rewriter::new(self).extract(term, low, width))
    }

    /// Zero extension to `width` bits; the term itself when it has them already.
    pub fn zext(&self, term: TermId, width: u32) -> TermId {
        assert!(
            (self.width(term)..=crate::MAX_WIDTH).contains(&width),
            "extension to {width} bits"
        );
        let key = [tag::ZEXT, term.raw(), width, 0];
        self.recent().get_or(key, || Rewriter::new(self).zext(term, width))
    }

    /// Sign extension to `width` bits; the term itself when it has them already.
    pub fn sext(&self, term: TermId, width: u32) -> TermId {
        assert!(
            (self.width(term)..=crate::MAX_WIDTH).contains(&width),
            "extension to {width} bits"
        );
        let key = [tag::SEXT, term.raw(), width, 0];
        self.recent().get_or(key, || Rewriter::new(self).sext(term, width))
    }

    /// The byte of an array at a 64-bit index.
    pub fn select(&self, array: ArrayId, index: TermId) -> TermId {
        assert_eq!(self.width(index), 64, "an array index has 64 bits");
        let key = [tag::SELECT, array.0, index.raw(), 0];
        self.recent().get_or(key, || Rewriter::new(self).select(array, index))
    }
}

/// One constructor call from outside, with the steps that are left to it.
struct Rewriter<'p> {
    pool: &'p Pool,
    steps: Cell<u32>,
}

impl<'p> Rewriter<'p> {
    fn new(pool: &'p Pool) -> Self {
        Rewriter { pool, steps: Cell::new(STEPS) }
    }

    /// Takes one step; false when none is left, and then the caller builds the term as it is.
    fn spend(&self) -> bool {
        let left = self.steps.get();
        self.steps.set(left.saturating_sub(1));
        left > 0
    }

    fn binary(&self, op: BinOp, a: TermId, b: TermId) -> TermId {
        match op {
            BinOp::And => self.and(a, b),
            BinOp::Or => self.or(a, b),
            BinOp::Xor => self.xor(a, b),
            BinOp::Add => self.add(a, b),
            BinOp::Sub => self.sub(a, b),
            BinOp::Mul => self.mul(a, b),
            BinOp::UDiv => self.udiv(a, b),
            BinOp::SDiv => self.sdiv(a, b),
            BinOp::URem => self.urem(a, b),
            BinOp::SRem => self.srem(a, b),
            BinOp::Shl => self.shl(a, b),
            BinOp::LShr => self.lshr(a, b),
            BinOp::AShr => self.ashr(a, b),
            BinOp::Eq => self.eq(a, b),
            BinOp::Ult => self.ult(a, b),
            BinOp::Slt => self.slt(a, b),
        }
    }

    fn node(&self, term: TermId) -> TermNode<'p> {
        self.pool.node(term)
    }

    fn width(&self, term: TermId) -> u32 {
        self.pool.width(term)
    }

    fn is_const(&self, term: TermId) -> bool {
        self.pool.is_const(term)
    }

    fn value(&self, term: TermId) -> Option<BitVec> {
        self.pool.as_bitvec(term)
    }

    fn is_zero(&self, term: TermId) -> bool {
        match self.node(term) {
            TermNode::Const(value) => value == 0,
            TermNode::BigConst(value) => value.is_zero(),
            _ => false,
        }
    }

    fn is_ones(&self, term: TermId) -> bool {
        match self.node(term) {
            TermNode::Const(value) => value == crate::op::mask(self.width(term)),
            TermNode::BigConst(value) => value.is_ones(),
            _ => false,
        }
    }

    fn is_one(&self, term: TermId) -> bool {
        match self.node(term) {
            TermNode::Const(value) => value == 1,
            TermNode::BigConst(value) => value.to_u64() == Some(1),
            _ => false,
        }
    }

    fn zero(&self, width: u32) -> TermId {
        self.pool.constant(width, 0)
    }

    fn one(&self, width: u32) -> TermId {
        self.pool.constant(width, 1)
    }

    fn ones(&self, width: u32) -> TermId {
        if width <= 64 {
            return self.pool.constant(width, u64::MAX);
        }
        self.pool.big_constant(&BitVec::ones(width))
    }

    fn constant(&self, value: &BitVec) -> TermId {
        self.pool.big_constant(value)
    }

    /// Returns `true` if one operand is the complement of the other.
    fn complementary(&self, a: TermId, b: TermId) -> bool {
        use crate::op::UnOp::Not;
        matches!(self.node(a), TermNode::Unary(Not, x) if x == b)
            || matches!(self.node(b), TermNode::Unary(Not, x) if x == a)
    }

    /// `op(k1, k2)` on constants.
    fn fold(&self, op: BinOp, a: TermId, b: TermId) -> Option<TermId> {
        let (left, right) = (self.node(a), self.node(b));
        if let (TermNode::Const(x), TermNode::Const(y)) = (left, right) {
            let width = self.width(a);
            let result = if op.is_comparison() { 1 } else { width };
            return Some(self.pool.constant(result, op.apply(width, x, y)));
        }
        if let (TermNode::BigConst(x), TermNode::BigConst(y)) = (left, right) {
            return Some(self.constant(&op.apply_wide(x, y)));
        }
        None
    }

    /// `op(ite(c, k1, k2), k)  =>  ite(c, op(k1, k), op(k2, k))`, and mirrored: constants all through.
    fn lift_ite(&self, op: BinOp, a: TermId, b: TermId) -> Option<TermId> {
        let branches = |term| match self.node(term) {
            TermNode::Ite(c, t, e) if self.is_const(t) && self.is_const(e) => Some((c, t, e)),
            _ => None,
        };
        if self.is_const(b)
            && let Some((c, t, e)) = branches(a)
        {
            return Some(self.ite(c, self.fold(op, t, b)?, self.fold(op, e, b)?));
        }
        if self.is_const(a)
            && let Some((c, t, e)) = branches(b)
        {
            return Some(self.ite(c, self.fold(op, a, t)?, self.fold(op, a, e)?));
        }
        None
    }

    /// The highest bit, where it is known without looking deep.
    fn sign(&self, term: TermId) -> Option<bool> {
        let width = self.width(term);
        if width <= 64 {
            let sign = 1 << (width - 1);
            let facts = self.pool.facts(term);
            return match (facts.zeros & sign != 0, facts.ones & sign != 0) {
                (true, _) => Some(false),
                (_, true) => Some(true),
                _ => None,
            };
        }
        match self.node(term) {
            TermNode::BigConst(value) => Some(value.sign()),
            TermNode::ZExt(_) => Some(false),
            TermNode::Concat(high, _) if self.width(high) <= 64 => self.sign(high),
            _ => None,
        }
    }
}
