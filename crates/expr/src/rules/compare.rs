//! Rules for `ult` and `slt`. Those for `eq` are in `compare/equality.rs`.

mod equality;

use super::Rewriter;
use crate::BitVec;
use crate::id::TermId;
use crate::node::TermNode;
use crate::op::{BinOp, UnOp};

impl Rewriter<'_> {
    pub(super) fn ult(&self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.fold(BinOp::Ult, a, b) {
            return folded;
        }
        // x < x  =>  false;  x < 0  =>  false;  1..1 < x  =>  false
        if a == b || self.is_zero(b) || self.is_ones(a) {
            return self.pool.bool(false);
        }
        if !self.spend() {
            return self.pool.raw_binary(BinOp::Ult, a, b);
        }
        // x < y  =>  !x & y, at width 1
        if self.width(a) == 1 {
            return self.and(self.not(a), b);
        }
        self.ult_by_range(a, b)
            .or_else(|| self.ult_at_ends(a, b))
            .or_else(|| self.ult_inside(a, b))
            .or_else(|| self.ult_concat(BinOp::Ult, a, b))
            .or_else(|| self.lift_ite(BinOp::Ult, a, b))
            .unwrap_or_else(|| self.pool.raw_binary(BinOp::Ult, a, b))
    }

    /// Decides by the ranges, or turns the comparison into an equality where they touch in one value.
    fn ult_by_range(&self, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        if width > 64 {
            return None;
        }
        let (x, y) = (self.pool.facts(a), self.pool.facts(b));
        // x < y  =>  true, where max(x) < min(y)
        if x.umax < y.umin {
            return Some(self.pool.bool(true));
        }
        // x < y  =>  false, where min(x) >= max(y)
        if x.umin >= y.umax {
            return Some(self.pool.bool(false));
        }
        if let Some(k) = y.value() {
            // x < k  =>  x == k - 1, where x >= k - 1 always
            if x.umin == k - 1 {
                return Some(self.eq(a, self.pool.constant(width, k - 1)));
            }
            // x < k  =>  !(x == k), where x <= k always
            if x.umax == k {
                return Some(self.not(self.eq(a, b)));
            }
        }
        if let Some(k) = x.value() {
            // k < y  =>  y == k + 1, where y <= k + 1 always
            if y.umax == k + 1 {
                return Some(self.eq(b, self.pool.constant(width, k + 1)));
            }
            // k < y  =>  !(y == k), where y >= k always
            if y.umin == k {
                return Some(self.not(self.eq(a, b)));
            }
        }
        None
    }

    /// The ends of the domain, for widths without known ranges.
    fn ult_at_ends(&self, a: TermId, b: TermId) -> Option<TermId> {
        // x < 1  =>  x == 0
        if self.is_one(b) {
            return Some(self.eq(a, self.zero(self.width(a))));
        }
        // 0 < x, x < 1..1  =>  !(x == 0), !(x == 1..1)
        (self.is_zero(a) || self.is_ones(b)).then(|| self.not(self.eq(a, b)))
    }

    /// Strips what both sides share.
    fn ult_inside(&self, a: TermId, b: TermId) -> Option<TermId> {
        let (x, y) = (self.node(a), self.node(b));
        match (x, y) {
            // !x < !y  =>  y < x
            (TermNode::Unary(UnOp::Not, p), TermNode::Unary(UnOp::Not, q)) => Some(self.ult(q, p)),
            // !x < k  =>  !k < x;  k < !x  =>  x < !k
            (TermNode::Unary(UnOp::Not, p), _) if self.is_const(b) => {
                Some(self.ult(self.not(b), p))
            }
            (_, TermNode::Unary(UnOp::Not, q)) if self.is_const(a) => {
                Some(self.ult(q, self.not(a)))
            }
            // sext(x) < sext(y)  =>  x < y, for inner terms of one width
            (TermNode::SExt(p), TermNode::SExt(q)) if self.width(p) == self.width(q) => {
                Some(self.ult(p, q))
            }
            // zext(x) < zext(y)  =>  x < y, at the greater of the inner widths
            (TermNode::ZExt(p), TermNode::ZExt(q)) => {
                let width = self.width(p).max(self.width(q));
                Some(self.ult(self.zext(p, width), self.zext(q, width)))
            }
            // zext(x) < k  =>  x < k, or true where k does not fit x
            (TermNode::ZExt(p), _) => {
                let (k, width) = (self.value(b)?, self.width(p));
                if k.width() - k.leading_zeros() > width {
                    return Some(self.pool.bool(true));
                }
                Some(self.ult(p, self.constant(&k.resize(width))))
            }
            // k < zext(y)  =>  k < y, or false where k does not fit y
            (_, TermNode::ZExt(q)) => {
                let (k, width) = (self.value(a)?, self.width(q));
                if k.width() - k.leading_zeros() > width {
                    return Some(self.pool.bool(false));
                }
                Some(self.ult(self.constant(&k.resize(width)), q))
            }
            _ => None,
        }
    }

    /// Concatenations with a common half, for `ult` and `slt`.
    fn ult_concat(&self, op: BinOp, a: TermId, b: TermId) -> Option<TermId> {
        let cut = match (self.node(a), self.node(b)) {
            (TermNode::Concat(h1, l1), TermNode::Concat(h2, l2)) => {
                // (h : x) < (h : y)  =>  x < y, unsigned
                if h1 == h2 {
                    return Some(self.ult(l1, l2));
                }
                // (x : l) < (y : l)  =>  x < y
                return (l1 == l2).then(|| self.binary(op, h1, h2));
            }
            (TermNode::Concat(_, low), _) if self.is_const(b) => self.width(low),
            (_, TermNode::Concat(_, low)) if self.is_const(a) => self.width(low),
            _ => return None,
        };
        let above = self.width(a) - cut;
        let (high_a, low_a) = (self.extract(a, cut, above), self.extract(a, 0, cut));
        let (high_b, low_b) = (self.extract(b, cut, above), self.extract(b, 0, cut));
        // (k : x) < k : l  =>  x < l, unsigned, and mirrored
        if high_a == high_b {
            return Some(self.ult(low_a, low_b));
        }
        // (x : y) < k : 0..0  =>  x < k;  k : 1..1 < (x : y)  =>  k < x
        (self.is_zero(low_b) || self.is_ones(low_a)).then(|| self.binary(op, high_a, high_b))
    }

    pub(super) fn slt(&self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.fold(BinOp::Slt, a, b) {
            return folded;
        }
        // x < x  =>  false
        if a == b {
            return self.pool.bool(false);
        }
        if !self.spend() {
            return self.pool.raw_binary(BinOp::Slt, a, b);
        }
        // x < y  =>  x & !y, at width 1, where 1 stands for -1
        if self.width(a) == 1 {
            return self.and(a, self.not(b));
        }
        match (self.sign(a), self.sign(b)) {
            // signed  =>  unsigned, where the signs are equal
            (Some(x), Some(y)) if x == y => return self.ult(a, b),
            // x < y  =>  true or false, where the signs are known and differ
            (Some(x), Some(_)) => return self.pool.bool(x),
            _ => {}
        }
        self.slt_at_ends(a, b)
            .or_else(|| self.slt_inside(a, b))
            .or_else(|| self.ult_concat(BinOp::Slt, a, b))
            .or_else(|| self.lift_ite(BinOp::Slt, a, b))
            .unwrap_or_else(|| self.pool.raw_binary(BinOp::Slt, a, b))
    }

    /// Comparisons with 0 and -1, which are the sign bit, and with the ends of the signed domain.
    fn slt_at_ends(&self, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        let least = || {
            let mut value = BitVec::zero(width);
            value.set_bit(width - 1, true);
            value
        };
        let one = || BitVec::from_u64(width, 1);
        if let Some(k) = self.value(b) {
            // x < 0  =>  the sign of x
            if k.is_zero() {
                return Some(self.extract(a, width - 1, 1));
            }
            // x < MIN  =>  false
            if k == least() {
                return Some(self.pool.bool(false));
            }
            // x < MIN + 1  =>  x == MIN
            if k == least().add(&one()) {
                return Some(self.eq(a, self.constant(&least())));
            }
            // x < MAX  =>  !(x == MAX)
            return (k == least().not()).then(|| self.not(self.eq(a, b)));
        }
        let k = self.value(a)?;
        // -1 < x  =>  the complement of the sign of x
        if k.is_ones() {
            return Some(self.not(self.extract(b, width - 1, 1)));
        }
        // MAX < x  =>  false
        if k == least().not() {
            return Some(self.pool.bool(false));
        }
        // MAX - 1 < x  =>  x == MAX
        if k == least().not().sub(&one()) {
            return Some(self.eq(b, self.constant(&least().not())));
        }
        // MIN < x  =>  !(x == MIN)
        (k == least()).then(|| self.not(self.eq(a, b)))
    }

    /// Strips what both sides share.
    fn slt_inside(&self, a: TermId, b: TermId) -> Option<TermId> {
        match (self.node(a), self.node(b)) {
            // !x < !y  =>  y < x
            (TermNode::Unary(UnOp::Not, x), TermNode::Unary(UnOp::Not, y)) => Some(self.slt(y, x)),
            // !x < k  =>  !k < x;  k < !x  =>  x < !k
            (TermNode::Unary(UnOp::Not, x), _) if self.is_const(b) => {
                Some(self.slt(self.not(b), x))
            }
            (_, TermNode::Unary(UnOp::Not, y)) if self.is_const(a) => {
                Some(self.slt(y, self.not(a)))
            }
            // sext(x) < sext(y)  =>  x < y, at the greater of the inner widths
            (TermNode::SExt(x), TermNode::SExt(y)) => {
                let width = self.width(x).max(self.width(y));
                Some(self.slt(self.sext(x, width), self.sext(y, width)))
            }
            // sext(x) < zext(y)  =>  x < y, at the least width that holds both as signed values
            (TermNode::SExt(x), TermNode::ZExt(y)) => {
                let width = self.width(x).max(self.width(y) + 1);
                (width < self.width(a)).then(|| self.slt(self.sext(x, width), self.zext(y, width)))
            }
            (TermNode::ZExt(x), TermNode::SExt(y)) => {
                let width = self.width(y).max(self.width(x) + 1);
                (width < self.width(a)).then(|| self.slt(self.zext(x, width), self.sext(y, width)))
            }
            // sext(x) < k  =>  x < k, or by the sign of k where it does not fit x
            (TermNode::SExt(x), _) => {
                let (k, width) = (self.value(b)?, self.width(x));
                if k.resize(width).sext(k.width()) != k {
                    return Some(self.pool.bool(!k.sign()));
                }
                Some(self.slt(x, self.constant(&k.resize(width))))
            }
            // k < sext(y)  =>  k < y, or by the sign of k where it does not fit y
            (_, TermNode::SExt(y)) => {
                let (k, width) = (self.value(a)?, self.width(y));
                if k.resize(width).sext(k.width()) != k {
                    return Some(self.pool.bool(k.sign()));
                }
                Some(self.slt(self.constant(&k.resize(width)), y))
            }
            _ => None,
        }
    }
}
