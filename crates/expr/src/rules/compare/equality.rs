//! Rules for `eq`.
//!
//! An equation with a constant is solved for as small a term as possible, and split into equations of its
//! pieces: `word == 0x1234` becomes two equations of bytes, which the solver layers use as definitions.

use crate::BitVec;
use crate::id::{ArrayId, TermId};
use crate::node::TermNode;
use crate::op::{BinOp, UnOp};
use crate::pool::array::ArrayNode;
use crate::rules::Rewriter;

/// Tables are searched for a value only up to this many entries.
const SEARCH: u64 = 256;

impl Rewriter<'_> {
    pub(in crate::rules) fn eq(&self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.constant_last(a, b);
        if let Some(folded) = self.fold(BinOp::Eq, a, b) {
            return folded;
        }
        // x == x  =>  true
        if a == b {
            return self.pool.bool(true);
        }
        // x == !x  =>  false
        if self.complementary(a, b) {
            return self.pool.bool(false);
        }
        // x == true  =>  x
        if self.width(a) == 1 && self.is_ones(b) {
            return a;
        }
        if !self.spend() {
            return self.pool.raw_binary(BinOp::Eq, a, b);
        }
        if self.width(a) == 1 {
            return self.eq_bool(a, b);
        }
        if self.facts_differ(a, b) {
            return self.pool.bool(false);
        }
        let result = match self.value(b) {
            Some(k) => self.eq_constant(a, b, &k),
            None => self.eq_terms(a, b).or_else(|| self.eq_terms(b, a)),
        };
        result.unwrap_or_else(|| self.pool.raw_binary(BinOp::Eq, a, b))
    }

    fn eq_bool(&self, a: TermId, b: TermId) -> TermId {
        // x == false  =>  !x
        if self.is_zero(b) {
            return self.not(a);
        }
        match (self.node(a), self.node(b)) {
            // !x == !y  =>  x == y
            (TermNode::Unary(UnOp::Not, x), TermNode::Unary(UnOp::Not, y)) => self.eq(x, y),
            // !x == y  =>  !(x == y)
            (TermNode::Unary(UnOp::Not, x), _) => self.not(self.eq(x, b)),
            (_, TermNode::Unary(UnOp::Not, y)) => self.not(self.eq(a, y)),
            // (x == y) == y  =>  x, in any order
            (TermNode::Binary(BinOp::Eq, x, y), _) if y == b => x,
            (TermNode::Binary(BinOp::Eq, x, y), _) if x == b => y,
            (_, TermNode::Binary(BinOp::Eq, x, y)) if y == a => x,
            (_, TermNode::Binary(BinOp::Eq, x, y)) if x == a => y,
            _ => self.pool.raw_binary(BinOp::Eq, a, b),
        }
    }

    /// `x == y  =>  false`, where ranges or known bits exclude each other.
    fn facts_differ(&self, a: TermId, b: TermId) -> bool {
        if self.width(a) > 64 {
            return false;
        }
        let (x, y) = (self.pool.facts(a), self.pool.facts(b));
        x.umax < y.umin || y.umax < x.umin || x.zeros & y.ones != 0 || x.ones & y.zeros != 0
    }

    fn eq_constant(&self, a: TermId, b: TermId, k: &BitVec) -> Option<TermId> {
        let width = k.width();
        match self.node(a) {
            // !x == k  =>  x == !k
            TermNode::Unary(UnOp::Not, x) => Some(self.eq(x, self.not(b))),
            // -x == k  =>  x == -k
            TermNode::Unary(UnOp::Neg, x) => Some(self.eq(x, self.neg(b))),
            TermNode::Binary(op, x, y) => self.eq_constant_binary(op, x, y, b, k),
            // (h : l) == k  =>  h == k[high] & l == k[low]
            TermNode::Concat(high, low) => {
                let cut = self.width(low);
                let above = self.eq(high, self.constant(&k.extract(cut, width - cut)));
                let below = self.eq(low, self.constant(&k.extract(0, cut)));
                Some(self.and(above, below))
            }
            // zext(x) == k  =>  x == k, or false where k does not fit x
            TermNode::ZExt(x) => {
                let inner = k.resize(self.width(x));
                if inner.zext(width) != *k {
                    return Some(self.pool.bool(false));
                }
                Some(self.eq(x, self.constant(&inner)))
            }
            // sext(x) == k  =>  x == k, or false where k is not a sign extension
            TermNode::SExt(x) => {
                let inner = k.resize(self.width(x));
                if inner.sext(width) != *k {
                    return Some(self.pool.bool(false));
                }
                Some(self.eq(x, self.constant(&inner)))
            }
            TermNode::Ite(c, t, e) => self.eq_constant_ite(c, t, e, b),
            TermNode::Select(array, index) => {
                self.eq_constant_select(array, index, k.low_u64() as u8)
            }
            TermNode::Const(_)
            | TermNode::BigConst(_)
            | TermNode::Var(_)
            | TermNode::Extract { .. }
            | TermNode::Float(..) => None,
        }
    }

    fn eq_constant_binary(
        &self,
        op: BinOp,
        x: TermId,
        y: TermId,
        b: TermId,
        k: &BitVec,
    ) -> Option<TermId> {
        let width = k.width();
        let known = self.value(y);
        match op {
            // x + k1 == k  =>  x == k - k1
            BinOp::Add => Some(self.eq(x, self.constant(&k.sub(&known?)))),
            // x ^ k1 == k  =>  x == k ^ k1
            BinOp::Xor if known.is_some() => Some(self.eq(x, self.constant(&k.xor(&known?)))),
            // x ^ y == 0  =>  x == y;  x - y == 0  =>  x == y
            BinOp::Xor | BinOp::Sub if k.is_zero() => Some(self.eq(x, y)),
            // x * k1 == k  =>  x == k / k1, for an odd k1
            BinOp::Mul if width <= 64 => {
                let factor = known?.low_u64();
                (factor & 1 == 1).then(|| {
                    let value = k.low_u64().wrapping_mul(inverse(factor));
                    self.eq(x, self.pool.constant(width, value))
                })
            }
            // x | y == 0  =>  x == 0 & y == 0
            BinOp::Or if k.is_zero() => Some(self.and(self.eq(x, b), self.eq(y, b))),
            // x & y == 1..1  =>  x == 1..1 & y == 1..1
            BinOp::And if k.is_ones() => Some(self.and(self.eq(x, b), self.eq(y, b))),
            _ => None,
        }
    }

    /// `ite(c, k1, e) == k  =>  c | e == k` or, for `k1 != k`, `!c & e == k`; and with the
    /// constant as `else`.
    fn eq_constant_ite(&self, c: TermId, t: TermId, e: TermId, k: TermId) -> Option<TermId> {
        if self.is_const(t) {
            let other = self.eq(e, k);
            return Some(if t == k { self.or(c, other) } else { self.and(self.not(c), other) });
        }
        if self.is_const(e) {
            let other = self.eq(t, k);
            return Some(if e == k { self.or(self.not(c), other) } else { self.and(c, other) });
        }
        self.eq_constant_decided(c, t, e, k).or_else(|| {
            let mirrored = self.not(c);
            self.eq_constant_decided(mirrored, e, t, k)
        })
    }

    /// `ite(c, t, e) == k  =>  c & t == k`, where `e == k` is the same as `c` or never holds: so
    /// the result of a comparison of strings, `ite(x == y, rest, x - y)`, is taken apart.
    fn eq_constant_decided(&self, c: TermId, t: TermId, e: TermId, k: TermId) -> Option<TermId> {
        if self.pool.support_id(e) != self.pool.support_id(c)
            || matches!(self.node(e), TermNode::Ite(..))
        {
            return None;
        }
        let other = self.eq(e, k);
        (other == c || self.is_zero(other)).then(|| self.and(c, self.eq(t, k)))
    }

    /// `table[i] == k  =>  false`, or `i == j` where only entry `j` holds `k`.
    fn eq_constant_select(&self, array: ArrayId, index: TermId, k: u8) -> Option<TermId> {
        let ArrayNode::Const(bytes) = self.pool.array_node(array) else { return None };
        let facts = self.pool.facts(index);
        if facts.umax - facts.umin >= SEARCH {
            return None;
        }
        let at = |index: u64| {
            usize::try_from(index).ok().and_then(|at| bytes.get(at)).copied().unwrap_or(0)
        };
        let mut places = (facts.umin..=facts.umax).filter(|&index| at(index) == k);
        match (places.next(), places.next()) {
            (None, _) => Some(self.pool.bool(false)),
            (Some(only), None) => Some(self.eq(index, self.pool.constant(64, only))),
            _ => None,
        }
    }

    /// Rules on the form of `a`, with a `b` that is not constant; called both ways round.
    fn eq_terms(&self, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        match (self.node(a), self.node(b)) {
            // !x == !y  =>  x == y;  -x == -y  =>  x == y
            (TermNode::Unary(op, x), TermNode::Unary(other, y)) if op == other => {
                Some(self.eq(x, y))
            }
            // zext(x) == zext(y)  =>  x == y, at the greater of the inner widths; and for sext
            (TermNode::ZExt(x), TermNode::ZExt(y)) => {
                let inner = self.width(x).max(self.width(y));
                Some(self.eq(self.zext(x, inner), self.zext(y, inner)))
            }
            (TermNode::SExt(x), TermNode::SExt(y)) => {
                let inner = self.width(x).max(self.width(y));
                Some(self.eq(self.sext(x, inner), self.sext(y, inner)))
            }
            // (h1 : l1) == (h2 : l2)  =>  h1 == h2 & l1 == l2, for one cut
            (TermNode::Concat(h1, l1), TermNode::Concat(h2, l2))
                if self.width(l1) == self.width(l2) =>
            {
                Some(self.and(self.eq(h1, h2), self.eq(l1, l2)))
            }
            // (h : l) == zext(x)  =>  h == 0 & l == x, where x is no wider than l
            (TermNode::Concat(high, low), TermNode::ZExt(x))
                if self.width(x) <= self.width(low) =>
            {
                let cut = self.width(low);
                let above = self.eq(high, self.zero(width - cut));
                Some(self.and(above, self.eq(low, self.zext(x, cut))))
            }
            (TermNode::Binary(op, x, y), _) => self.eq_terms_binary(op, x, y, b),
            // ite(c, x, y) == ite(c, p, q)  =>  ite(c, x == p, y == q)
            (TermNode::Ite(c, t, e), TermNode::Ite(d, p, q)) if c == d => {
                Some(self.ite(c, self.eq(t, p), self.eq(e, q)))
            }
            // ite(c, x, y) == x  =>  c | x == y
            (TermNode::Ite(c, t, e), _) if t == b => Some(self.or(c, self.eq(e, b))),
            (TermNode::Ite(c, t, e), _) if e == b => Some(self.or(self.not(c), self.eq(t, b))),
            _ => None,
        }
    }

    fn eq_terms_binary(&self, op: BinOp, x: TermId, y: TermId, b: TermId) -> Option<TermId> {
        let zero = || self.zero(self.width(b));
        match (op, self.node(b)) {
            // x + y == x  =>  y == 0;  x ^ y == x  =>  y == 0
            (BinOp::Add | BinOp::Xor, _) if x == b => Some(self.eq(y, zero())),
            (BinOp::Add | BinOp::Xor, _) if y == b => Some(self.eq(x, zero())),
            // x - y == x  =>  y == 0
            (BinOp::Sub, _) if x == b => Some(self.eq(y, zero())),
            // x + k1 == y + k2  =>  x + (k1 - k2) == y
            (BinOp::Add, TermNode::Binary(BinOp::Add, p, k2))
                if self.is_const(y) && self.is_const(k2) =>
            {
                Some(self.eq(self.add(x, self.sub(y, k2)), p))
            }
            // x + y == x + z  =>  y == z, and for xor, in any order of operands
            (BinOp::Add | BinOp::Xor, TermNode::Binary(other, p, q)) if other == op => {
                let (left, right) = match () {
                    () if x == p => (y, q),
                    () if x == q => (y, p),
                    () if y == p => (x, q),
                    () if y == q => (x, p),
                    () => return None,
                };
                Some(self.eq(left, right))
            }
            _ => None,
        }
    }
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration: each step doubles the right bits.
fn inverse(odd: u64) -> u64 {
    let start = odd.wrapping_mul(3) ^ 2;
    (0..4).fold(start, |guess, _| guess.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(guess))))
}
