//! Rules for `neg`, `add`, `sub`, `mul` and the divisions.
//!
//! Constants move outward and to the right: `(x + k) + y` is `(x + y) + k`, so that offsets from one
//! address meet and fold.

use super::Rewriter;
use crate::BitVec;
use crate::id::TermId;
use crate::node::TermNode;
use crate::op::{BinOp, UnOp, mask};

impl Rewriter<'_> {
    pub(super) fn neg(&self, a: TermId) -> TermId {
        match self.node(a) {
            // constants
            TermNode::Const(value) => {
                return self.pool.constant(self.width(a), value.wrapping_neg());
            }
            TermNode::BigConst(value) => return self.constant(&value.neg()),
            // --x  =>  x
            TermNode::Unary(UnOp::Neg, x) => return x,
            _ => {}
        }
        // -x  =>  x, at width 1
        if self.width(a) == 1 {
            return a;
        }
        if !self.spend() {
            return self.pool.raw_unary(UnOp::Neg, a);
        }
        match self.node(a) {
            // -(x - y)  =>  y - x
            TermNode::Binary(BinOp::Sub, x, y) => self.sub(y, x),
            // -(x + k)  =>  -x + -k
            TermNode::Binary(BinOp::Add, x, k) if self.is_const(k) => {
                self.add(self.neg(x), self.neg(k))
            }
            // -(x * k)  =>  x * -k
            TermNode::Binary(BinOp::Mul, x, k) if self.is_const(k) => self.mul(x, self.neg(k)),
            // -!x  =>  x + 1
            TermNode::Unary(UnOp::Not, x) => self.add(x, self.one(self.width(a))),
            // -ite(c, k1, k2)  =>  ite(c, -k1, -k2)
            TermNode::Ite(c, t, e) if self.is_const(t) && self.is_const(e) => {
                self.ite(c, self.neg(t), self.neg(e))
            }
            // -zext(c)  =>  sext(c), for a truth value
            TermNode::ZExt(x) if self.width(x) == 1 => self.sext(x, self.width(a)),
            // -sext(c)  =>  zext(c), for a truth value
            TermNode::SExt(x) if self.width(x) == 1 => self.zext(x, self.width(a)),
            _ => self.pool.raw_unary(UnOp::Neg, a),
        }
    }

    pub(super) fn add(&self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.constant_last(a, b);
        if let Some(folded) = self.fold(BinOp::Add, a, b) {
            return folded;
        }
        // x + 0  =>  x
        if self.is_zero(b) {
            return a;
        }
        if !self.spend() {
            return self.pool.raw_binary(BinOp::Add, a, b);
        }
        let width = self.width(a);
        // x + y  =>  x ^ y, at width 1
        if width == 1 {
            return self.xor(a, b);
        }
        if self.is_const(b) {
            return self.add_constant(a, b);
        }
        // x + x  =>  x << 1
        if a == b {
            return self.shl(a, self.one(width));
        }
        // x + !x  =>  1..1
        if self.complementary(a, b) {
            return self.ones(width);
        }
        for (x, y) in [(a, b), (b, a)] {
            match self.node(x) {
                // (x + k) + y  =>  (x + y) + k
                TermNode::Binary(BinOp::Add, p, k) if self.is_const(k) => {
                    return self.add(self.add(p, y), k);
                }
                // (x - y) + y  =>  x
                TermNode::Binary(BinOp::Sub, p, q) if q == y => return p,
                // -x + y  =>  y - x
                TermNode::Unary(UnOp::Neg, p) => return self.sub(y, p),
                _ => {}
            }
        }
        // x + y  =>  x | y, where no bit can be 1 in both
        if width <= 64 {
            let (x, y) = (self.pool.facts(a), self.pool.facts(b));
            if x.zeros | y.zeros == mask(width) {
                return self.or(a, b);
            }
        }
        self.pool.raw_binary(BinOp::Add, a, b)
    }

    fn add_constant(&self, a: TermId, k: TermId) -> TermId {
        if let Some(result) =
            self.regroup(BinOp::Add, a, k).or_else(|| self.lift_ite(BinOp::Add, a, k))
        {
            return result;
        }
        match self.node(a) {
            // !x + k  =>  -x + (k - 1)
            TermNode::Unary(UnOp::Not, x) => {
                let less = self.fold(BinOp::Sub, k, self.one(self.width(k)));
                self.add(self.neg(x), less.expect("both are constants of one width"))
            }
            // -x + -1  =>  !x
            TermNode::Unary(UnOp::Neg, x) if self.is_ones(k) => self.not(x),
            _ => self.pool.raw_binary(BinOp::Add, a, k),
        }
    }

    pub(super) fn sub(&self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.fold(BinOp::Sub, a, b) {
            return folded;
        }
        // x - x  =>  0
        if a == b {
            return self.zero(self.width(a));
        }
        // x - k  =>  x + -k
        if self.is_const(b) {
            return self.add(a, self.neg(b));
        }
        // k - x  =>  -x + k
        if self.is_const(a) {
            return self.add(self.neg(b), a);
        }
        if !self.spend() {
            return self.pool.raw_binary(BinOp::Sub, a, b);
        }
        // x - y  =>  x ^ y, at width 1
        if self.width(a) == 1 {
            return self.xor(a, b);
        }
        self.sub_from(a, b)
            .or_else(|| self.sub_by(a, b))
            .unwrap_or_else(|| self.pool.raw_binary(BinOp::Sub, a, b))
    }

    /// Rules on the form of the left operand.
    fn sub_from(&self, a: TermId, b: TermId) -> Option<TermId> {
        match self.node(a) {
            // (x + k) - y  =>  (x - y) + k
            TermNode::Binary(BinOp::Add, x, k) if self.is_const(k) => {
                Some(self.add(self.sub(x, b), k))
            }
            // (x + y) - y  =>  x
            TermNode::Binary(BinOp::Add, x, y) if y == b => Some(x),
            TermNode::Binary(BinOp::Add, x, y) if x == b => Some(y),
            // (x - y) - x  =>  -y
            TermNode::Binary(BinOp::Sub, x, y) if x == b => Some(self.neg(y)),
            // -x - y  =>  -(x + y)
            TermNode::Unary(UnOp::Neg, x) => Some(self.neg(self.add(x, b))),
            _ => None,
        }
    }

    /// Rules on the form of the right operand.
    fn sub_by(&self, a: TermId, b: TermId) -> Option<TermId> {
        match self.node(b) {
            // x - (y + k)  =>  (x - y) + -k
            TermNode::Binary(BinOp::Add, y, k) if self.is_const(k) => {
                Some(self.add(self.sub(a, y), self.neg(k)))
            }
            // x - (x + y)  =>  -y
            TermNode::Binary(BinOp::Add, x, y) if x == a => Some(self.neg(y)),
            TermNode::Binary(BinOp::Add, x, y) if y == a => Some(self.neg(x)),
            // x - (x - y)  =>  y
            TermNode::Binary(BinOp::Sub, x, y) if x == a => Some(y),
            // x - -y  =>  x + y
            TermNode::Unary(UnOp::Neg, y) => Some(self.add(a, y)),
            _ => None,
        }
    }

    pub(super) fn mul(&self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.constant_last(a, b);
        if let Some(folded) = self.fold(BinOp::Mul, a, b) {
            return folded;
        }
        // x * 0  =>  0
        if self.is_zero(b) {
            return b;
        }
        // x * 1  =>  x
        if self.is_one(b) {
            return a;
        }
        if !self.spend() {
            return self.pool.raw_binary(BinOp::Mul, a, b);
        }
        // x * y  =>  x & y, at width 1
        if self.width(a) == 1 {
            return self.and(a, b);
        }
        if let Some(k) = self.value(b) {
            return self.mul_constant(a, b, &k);
        }
        for (x, y) in [(a, b), (b, a)] {
            match self.node(x) {
                // zext(c) * y  =>  ite(c, y, 0), for a truth value
                TermNode::ZExt(c) if self.width(c) == 1 => {
                    return self.ite(c, y, self.zero(self.width(a)));
                }
                // (x * k) * y  =>  (x * y) * k
                TermNode::Binary(BinOp::Mul, p, k) if self.is_const(k) => {
                    return self.mul(self.mul(p, y), k);
                }
                // -x * y  =>  -(x * y)
                TermNode::Unary(UnOp::Neg, p) => return self.neg(self.mul(p, y)),
                _ => {}
            }
        }
        self.pool.raw_binary(BinOp::Mul, a, b)
    }

    fn mul_constant(&self, a: TermId, b: TermId, k: &BitVec) -> TermId {
        let width = k.width();
        // x * -1  =>  -x
        if k.is_ones() {
            return self.neg(a);
        }
        // x * 2^n  =>  x << n
        if k.count_ones() == 1 {
            let amount = BitVec::from_u64(width, u64::from(k.trailing_zeros()));
            return self.shl(a, self.constant(&amount));
        }
        if let Some(result) =
            self.regroup(BinOp::Mul, a, b).or_else(|| self.lift_ite(BinOp::Mul, a, b))
        {
            return result;
        }
        match self.node(a) {
            // (x + k1) * k  =>  x * k + k1 * k
            TermNode::Binary(BinOp::Add, x, k1) if self.is_const(k1) => {
                self.add(self.mul(x, b), self.mul(k1, b))
            }
            // -x * k  =>  x * -k
            TermNode::Unary(UnOp::Neg, x) => self.mul(x, self.neg(b)),
            _ => self.pool.raw_binary(BinOp::Mul, a, b),
        }
    }

    pub(super) fn udiv(&self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if let Some(folded) = self.fold(BinOp::UDiv, a, b) {
            return folded;
        }
        // x / 0  =>  1..1
        if self.is_zero(b) {
            return self.ones(width);
        }
        // x / 1  =>  x
        if self.is_one(b) {
            return a;
        }
        if !self.spend() {
            return self.pool.raw_binary(BinOp::UDiv, a, b);
        }
        // x / 2^n  =>  x >> n
        if let Some(k) = self.value(b)
            && k.count_ones() == 1
        {
            let amount = BitVec::from_u64(width, u64::from(k.trailing_zeros()));
            return self.lshr(a, self.constant(&amount));
        }
        // x / y  =>  0, where x < y always
        if width <= 64 && self.pool.facts(a).umax < self.pool.facts(b).umin {
            return self.zero(width);
        }
        // zext(x) / zext(y)  =>  zext(x / y), where y is never 0
        if let Some((x, y)) = self.narrowed(a, b)
            && self.never_zero(y)
        {
            return self.zext(self.udiv(x, y), width);
        }
        self.lift_ite(BinOp::UDiv, a, b).unwrap_or_else(|| self.pool.raw_binary(BinOp::UDiv, a, b))
    }

    pub(super) fn urem(&self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if let Some(folded) = self.fold(BinOp::URem, a, b) {
            return folded;
        }
        // x % 0  =>  x
        if self.is_zero(b) {
            return a;
        }
        // x % 1  =>  0;  x % x  =>  0 (also for 0, by the rule above)
        if self.is_one(b) || a == b {
            return self.zero(width);
        }
        if !self.spend() {
            return self.pool.raw_binary(BinOp::URem, a, b);
        }
        // x % 2^n  =>  x & (2^n - 1)
        if let Some(k) = self.value(b)
            && k.count_ones() == 1
        {
            return self.and(a, self.constant(&k.sub(&BitVec::from_u64(width, 1))));
        }
        // x % y  =>  x, where x < y always
        if width <= 64 && self.pool.facts(a).umax < self.pool.facts(b).umin {
            return a;
        }
        // zext(x) % zext(y)  =>  zext(x % y)
        if let Some((x, y)) = self.narrowed(a, b) {
            return self.zext(self.urem(x, y), width);
        }
        self.lift_ite(BinOp::URem, a, b).unwrap_or_else(|| self.pool.raw_binary(BinOp::URem, a, b))
    }

    pub(super) fn sdiv(&self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.fold(BinOp::SDiv, a, b) {
            return folded;
        }
        // x / 1  =>  x
        if self.is_one(b) && self.width(b) > 1 {
            return a;
        }
        // x / -1  =>  -x
        if self.is_ones(b) {
            return self.neg(a);
        }
        if !self.spend() {
            return self.pool.raw_binary(BinOp::SDiv, a, b);
        }
        // signed  =>  unsigned, where neither is negative
        if self.sign(a) == Some(false) && self.sign(b) == Some(false) {
            return self.udiv(a, b);
        }
        self.lift_ite(BinOp::SDiv, a, b).unwrap_or_else(|| self.pool.raw_binary(BinOp::SDiv, a, b))
    }

    pub(super) fn srem(&self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.fold(BinOp::SRem, a, b) {
            return folded;
        }
        // x % 0  =>  x
        if self.is_zero(b) {
            return a;
        }
        // x % 1  =>  0;  x % -1  =>  0;  x % x  =>  0
        if self.is_one(b) || self.is_ones(b) || a == b {
            return self.zero(self.width(a));
        }
        if !self.spend() {
            return self.pool.raw_binary(BinOp::SRem, a, b);
        }
        // signed  =>  unsigned, where neither is negative
        if self.sign(a) == Some(false) && self.sign(b) == Some(false) {
            return self.urem(a, b);
        }
        self.lift_ite(BinOp::SRem, a, b).unwrap_or_else(|| self.pool.raw_binary(BinOp::SRem, a, b))
    }

    /// Both operands without the zeros above them that they share: the inner terms, of one width.
    fn narrowed(&self, a: TermId, b: TermId) -> Option<(TermId, TermId)> {
        let needed = |term| match self.node(term) {
            TermNode::ZExt(x) => self.width(x),
            TermNode::Const(value) => (64 - value.leading_zeros()).max(1),
            TermNode::BigConst(value) => (value.width() - value.leading_zeros()).max(1),
            _ => self.width(term),
        };
        let width = needed(a).max(needed(b));
        (width < self.width(a)).then(|| (self.extract(a, 0, width), self.extract(b, 0, width)))
    }

    fn never_zero(&self, term: TermId) -> bool {
        match self.node(term) {
            TermNode::BigConst(value) => !value.is_zero(),
            _ => self.width(term) <= 64 && self.pool.facts(term).umin > 0,
        }
    }
}
