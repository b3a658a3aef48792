//! Rules for the shifts. By a constant they are wiring: `concat`, `extract` and extensions.

use super::Rewriter;
use crate::id::TermId;
use crate::node::TermNode;
use crate::op::BinOp;

impl Rewriter<'_> {
    pub(super) fn shl(&self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if let Some(early) = self.shift_early(BinOp::Shl, a, b) {
            return early;
        }
        if let Some(amount) = self.amount(b) {
            // x << k  =>  0, for k >= width
            if amount == width {
                return self.zero(width);
            }
            // (x + k1) << k  =>  (x << k) + (k1 << k)
            if let TermNode::Binary(BinOp::Add, x, k1) = self.node(a)
                && self.is_const(k1)
            {
                return self.add(self.shl(x, b), self.shl(k1, b));
            }
            // x << k  =>  x[..] : 0..0
            return self.concat(self.extract(a, 0, width - amount), self.zero(amount));
        }
        // x << y  =>  0, where y >= width always
        if self.over_shift(b) {
            return self.zero(width);
        }
        self.shift_late(BinOp::Shl, a, b)
    }

    pub(super) fn lshr(&self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if let Some(early) = self.shift_early(BinOp::LShr, a, b) {
            return early;
        }
        if let Some(amount) = self.amount(b) {
            // x >> k  =>  0, for k >= width
            if amount == width {
                return self.zero(width);
            }
            // x >> k  =>  zext(x[..])
            return self.zext(self.extract(a, amount, width - amount), width);
        }
        // x >> y  =>  0, where y >= width always
        if self.over_shift(b) {
            return self.zero(width);
        }
        self.shift_late(BinOp::LShr, a, b)
    }

    pub(super) fn ashr(&self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        // 1..1 >> y  =>  1..1
        if self.is_ones(a) {
            return a;
        }
        if let Some(early) = self.shift_early(BinOp::AShr, a, b) {
            return early;
        }
        // arithmetic  =>  logical, where the sign is 0
        if self.sign(a) == Some(false) {
            return self.lshr(a, b);
        }
        let amount = if self.over_shift(b) { Some(width) } else { self.amount(b) };
        // x >> k  =>  sext(x[..]), of the sign alone for k >= width
        if let Some(amount) = amount {
            let amount = amount.min(width - 1);
            return self.sext(self.extract(a, amount, width - amount), width);
        }
        self.shift_late(BinOp::AShr, a, b)
    }

    /// Simplifies shifts that need no further step: constants, and shifts of 0 or by 0.
    fn shift_early(&self, op: BinOp, a: TermId, b: TermId) -> Option<TermId> {
        if let Some(folded) = self.fold(op, a, b) {
            return Some(folded);
        }
        // 0 << y  =>  0;  x << 0  =>  x
        if self.is_zero(a) || self.is_zero(b) {
            return Some(a);
        }
        (!self.spend()).then(|| self.pool.raw_binary(op, a, b))
    }

    /// `x << ite(c, k1, k2)  =>  ite(c, x << k1, x << k2)`, or the plain term.
    fn shift_late(&self, op: BinOp, a: TermId, b: TermId) -> TermId {
        match self.node(b) {
            TermNode::Ite(c, t, e) if self.is_const(t) && self.is_const(e) => {
                self.ite(c, self.binary(op, a, t), self.binary(op, a, e))
            }
            _ => self.pool.raw_binary(op, a, b),
        }
    }

    /// A constant amount, at most the width.
    fn amount(&self, b: TermId) -> Option<u32> {
        let value = self.value(b)?.to_u64().unwrap_or(u64::MAX);
        Some(value.min(u64::from(self.width(b))) as u32)
    }

    fn over_shift(&self, b: TermId) -> bool {
        let width = self.width(b);
        width <= 64 && self.pool.facts(b).umin >= u64::from(width)
    }
}
