//! Rules for `not`, `and`, `or`, `xor`; at width 1 these are the connectives of propositional logic.

use super::Rewriter;
use crate::id::TermId;
use crate::node::TermNode;
use crate::op::{BinOp, UnOp, mask};

impl Rewriter<'_> {
    pub(super) fn not(&self, a: TermId) -> TermId {
        let pool = self.pool;
        match self.node(a) {
            // constants
            TermNode::Const(value) => return pool.constant(self.width(a), !value),
            TermNode::BigConst(value) => return self.constant(&value.not()),
            // !!x  =>  x
            TermNode::Unary(UnOp::Not, x) => return x,
            _ => {}
        }
        if !self.spend() {
            return pool.raw_unary(UnOp::Not, a);
        }
        match self.node(a) {
            // !(x ^ k)  =>  x ^ !k
            TermNode::Binary(BinOp::Xor, x, k) if self.is_const(k) => self.xor(x, self.not(k)),
            // !(x + -1)  =>  -x
            TermNode::Binary(BinOp::Add, x, k) if self.is_ones(k) => self.neg(x),
            // !(-x)  =>  x - 1
            TermNode::Unary(UnOp::Neg, x) => self.add(x, self.ones(self.width(a))),
            // !ite(c, k1, k2)  =>  ite(c, !k1, !k2)
            TermNode::Ite(c, t, e) if self.is_const(t) && self.is_const(e) => {
                self.ite(c, self.not(t), self.not(e))
            }
            // !(k : x)  =>  !k : !x, and with the constant below
            TermNode::Concat(high, low) if self.is_const(high) || self.is_const(low) => {
                self.concat(self.not(high), self.not(low))
            }
            // !zext(x)  =>  1..1 : !x
            TermNode::ZExt(x) => self.concat(self.ones(self.width(a) - self.width(x)), self.not(x)),
            // !sext(x)  =>  sext(!x)
            TermNode::SExt(x) => self.sext(self.not(x), self.width(a)),
            _ => pool.raw_unary(UnOp::Not, a),
        }
    }

    pub(super) fn and(&self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.constant_last(a, b);
        let width = self.width(a);
        if let Some(folded) = self.fold(BinOp::And, a, b) {
            return folded;
        }
        // x & x  =>  x;  x & 1..1  =>  x
        if a == b || self.is_ones(b) {
            return a;
        }
        // x & 0  =>  0;  x & !x  =>  0
        if self.is_zero(b) || self.complementary(a, b) {
            return self.zero(width);
        }
        if !self.spend() {
            return self.pool.raw_binary(BinOp::And, a, b);
        }
        if let Some(result) =
            self.absorb(BinOp::And, a, b).or_else(|| self.absorb(BinOp::And, b, a))
        {
            return result;
        }
        if width <= 64 {
            let (x, y) = (self.pool.facts(a), self.pool.facts(b));
            // x & y  =>  x, where y is 1 in every bit that may be 1 in x
            if x.zeros | y.ones == mask(width) {
                return a;
            }
            if y.zeros | x.ones == mask(width) {
                return b;
            }
        }
        if let Some(result) = self.exclusive(a, b) {
            return result;
        }
        self.mask_to_extract(a, b)
            .or_else(|| self.regroup(BinOp::And, a, b))
            .or_else(|| self.lift_ite(BinOp::And, a, b))
            .or_else(|| self.split(BinOp::And, a, b))
            .unwrap_or_else(|| self.pool.raw_binary(BinOp::And, a, b))
    }

    pub(super) fn or(&self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.constant_last(a, b);
        let width = self.width(a);
        if let Some(folded) = self.fold(BinOp::Or, a, b) {
            return folded;
        }
        // x | x  =>  x;  x | 0  =>  x
        if a == b || self.is_zero(b) {
            return a;
        }
        // x | 1..1  =>  1..1;  x | !x  =>  1..1
        if self.is_ones(b) || self.complementary(a, b) {
            return self.ones(width);
        }
        if !self.spend() {
            return self.pool.raw_binary(BinOp::Or, a, b);
        }
        if let Some(result) = self.absorb(BinOp::Or, a, b).or_else(|| self.absorb(BinOp::Or, b, a))
        {
            return result;
        }
        if width <= 64 {
            let (x, y) = (self.pool.facts(a), self.pool.facts(b));
            // x | y  =>  x, where y is 0 in every bit that may be 0 in x
            if x.ones | y.zeros == mask(width) {
                return a;
            }
            if y.ones | x.zeros == mask(width) {
                return b;
            }
        }
        self.regroup(BinOp::Or, a, b)
            .or_else(|| self.lift_ite(BinOp::Or, a, b))
            .or_else(|| self.split(BinOp::Or, a, b))
            .unwrap_or_else(|| self.pool.raw_binary(BinOp::Or, a, b))
    }

    pub(super) fn xor(&self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.constant_last(a, b);
        let width = self.width(a);
        if let Some(folded) = self.fold(BinOp::Xor, a, b) {
            return folded;
        }
        // x ^ x  =>  0
        if a == b {
            return self.zero(width);
        }
        // x ^ 0  =>  x
        if self.is_zero(b) {
            return a;
        }
        // x ^ !x  =>  1..1
        if self.complementary(a, b) {
            return self.ones(width);
        }
        if !self.spend() {
            return self.pool.raw_binary(BinOp::Xor, a, b);
        }
        // x ^ 1..1  =>  !x
        if self.is_ones(b) {
            return self.not(a);
        }
        // x ^ y  =>  !(x == y), on truth values
        if width == 1 {
            return self.not(self.eq(a, b));
        }
        for (x, y) in [(a, b), (b, a)] {
            match self.node(x) {
                // (x ^ y) ^ y  =>  x
                TermNode::Binary(BinOp::Xor, p, q) if q == y => return p,
                TermNode::Binary(BinOp::Xor, p, q) if p == y => return q,
                // !x ^ y  =>  !(x ^ y)
                TermNode::Unary(UnOp::Not, p) => return self.not(self.xor(p, y)),
                _ => {}
            }
        }
        self.regroup(BinOp::Xor, a, b)
            .or_else(|| self.lift_ite(BinOp::Xor, a, b))
            .or_else(|| self.split(BinOp::Xor, a, b))
            .unwrap_or_else(|| self.pool.raw_binary(BinOp::Xor, a, b))
    }

    pub(super) fn constant_last(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        if self.is_const(a) { (b, a) } else { (a, b) }
    }

    /// `(x op k1) op k2  =>  x op (k1 op k2)` for an associative and commutative operator; `b` is constant.
    pub(super) fn regroup(&self, op: BinOp, a: TermId, b: TermId) -> Option<TermId> {
        match self.node(a) {
            TermNode::Binary(inner, x, k)
                if inner == op && self.is_const(b) && self.is_const(k) =>
            {
                Some(self.binary(op, x, self.fold(op, k, b)?))
            }
            _ => None,
        }
    }

    /// Absorption, for `and` (and for `or` with the roles exchanged).
    fn absorb(&self, op: BinOp, a: TermId, b: TermId) -> Option<TermId> {
        let TermNode::Binary(inner, x, y) = self.node(b) else { return None };
        let dual = if op == BinOp::And { BinOp::Or } else { BinOp::And };
        if inner == op {
            // a & (a & y)  =>  a & y
            if x == a || y == a {
                return Some(b);
            }
            // a & (!a & y)  =>  0
            if self.complementary(a, x) || self.complementary(a, y) {
                let width = self.width(a);
                return Some(if op == BinOp::And { self.zero(width) } else { self.ones(width) });
            }
        } else if inner == dual {
            // a & (a | y)  =>  a
            if x == a || y == a {
                return Some(a);
            }
            // a & (!a | y)  =>  a & y
            if self.complementary(a, x) {
                return Some(self.binary(op, a, y));
            }
            if self.complementary(a, y) {
                return Some(self.binary(op, a, x));
            }
        }
        None
    }

    /// `x == k1 & x == k2  =>  false`, and `x == k1 & !(x == k2)  =>  x == k1`, for different constants.
    fn exclusive(&self, a: TermId, b: TermId) -> Option<TermId> {
        let fixed = |term| match self.node(term) {
            TermNode::Binary(BinOp::Eq, x, k) if self.is_const(k) => Some((x, k, false)),
            TermNode::Unary(UnOp::Not, inner) => match self.node(inner) {
                TermNode::Binary(BinOp::Eq, x, k) if self.is_const(k) => Some((x, k, true)),
                _ => None,
            },
            _ => None,
        };
        let ((x, k1, denied_a), (y, k2, denied_b)) = (fixed(a)?, fixed(b)?);
        if x != y || k1 == k2 {
            return None;
        }
        match (denied_a, denied_b) {
            (false, false) => Some(self.pool.bool(false)),
            (false, true) => Some(a),
            (true, false) => Some(b),
            (true, true) => None,
        }
    }

    /// `x & 0..01..10..0  =>  zext(x[run] : 0..0)`: a mask of one run of ones selects bits.
    fn mask_to_extract(&self, a: TermId, b: TermId) -> Option<TermId> {
        let value = self.value(b)?;
        let (low, run) = (value.trailing_zeros(), value.count_ones());
        if low + run + value.leading_zeros() != value.width() {
            return None;
        }
        let bits = self.extract(a, low, run);
        let shifted = if low == 0 { bits } else { self.concat(bits, self.zero(low)) };
        Some(self.zext(shifted, value.width()))
    }

    /// `(h1 : l1) op (h2 : l2)  =>  (h1 op h2) : (l1 op l2)`, where a half is constant and the
    /// cut costs nothing.
    fn split(&self, op: BinOp, a: TermId, b: TermId) -> Option<TermId> {
        let cut = self.worthwhile_cut(a, b).or_else(|| self.worthwhile_cut(b, a))?;
        let above = self.width(a) - cut;
        let high = self.binary(op, self.extract(a, cut, above), self.extract(b, cut, above));
        let low = self.binary(op, self.extract(a, 0, cut), self.extract(b, 0, cut));
        Some(self.concat(high, low))
    }

    fn worthwhile_cut(&self, a: TermId, b: TermId) -> Option<u32> {
        let (cut, constant_half) = match self.node(a) {
            TermNode::ZExt(x) => (self.width(x), true),
            TermNode::Concat(high, low) => (
                self.width(low),
                self.is_const(high) || self.is_const(low) || self.starts_const(low),
            ),
            _ => return None,
        };
        ((constant_half || self.is_const(b)) && self.splits_at(b, cut)).then_some(cut)
    }

    fn starts_const(&self, term: TermId) -> bool {
        match self.node(term) {
            TermNode::ZExt(_) => true,
            TermNode::Concat(high, _) => self.is_const(high),
            _ => false,
        }
    }
}
