//! Rules for `concat`, `extract`, `zext` and `sext`: taking words apart and putting them together.

use smallvec::SmallVec;

use super::Rewriter;
use crate::id::TermId;
use crate::node::TermNode;
use crate::op::{BinOp, UnOp};

/// Pieces of a concatenation that are moved when another is put below it.
const PIECES: usize = 1024;

impl Rewriter<'_> {
    pub(super) fn concat(&self, high: TermId, low: TermId) -> TermId {
        let total = self.width(high) + self.width(low);
        assert!(total <= crate::MAX_WIDTH, "a term has at most {} bits", crate::MAX_WIDTH);
        // 0 : x  =>  zext(x)
        if self.is_zero(high) {
            return self.zext(low, total);
        }
        // (a : b) : c  =>  a : (b : c)
        let mut pieces: SmallVec<[TermId; 8]> = SmallVec::new();
        let mut last = high;
        while let TermNode::Concat(first, rest) = self.node(last)
            && pieces.len() < PIECES
        {
            pieces.push(first);
            last = rest;
        }
        pieces.push(last);
        pieces.iter().rev().fold(low, |below, &piece| self.concat_piece(piece, below))
    }

    /// `piece : low`, for a piece that is no concatenation.
    fn concat_piece(&self, piece: TermId, low: TermId) -> TermId {
        let total = self.width(piece) + self.width(low);
        if self.is_zero(piece) {
            return self.zext(low, total);
        }
        if let (Some(above), Some(below)) = (self.value(piece), self.value(low)) {
            return self.constant(&above.concat(&below));
        }
        if !self.spend() {
            return self.pool.raw_concat(piece, low);
        }
        // zext(x) : y  =>  zext(x : y)
        if let TermNode::ZExt(inner) = self.node(piece) {
            return self.zext(self.concat(inner, low), total);
        }
        // sext(x) : y  =>  sext(x : y)
        if let TermNode::SExt(inner) = self.node(piece) {
            return self.sext(self.concat(inner, low), total);
        }
        if let Some(joined) = self.join(piece, low) {
            return joined;
        }
        match self.node(low) {
            // x : (y : z)  =>  (xy) : z, where x and y join to one term
            TermNode::Concat(next, rest) => match self.join(piece, next) {
                Some(joined) => self.concat(joined, rest),
                None => self.pool.raw_concat(piece, low),
            },
            // k : zext(x)  =>  k0 : x
            TermNode::ZExt(inner) if self.is_const(piece) => {
                let zeros = self.zero(self.width(low) - self.width(inner));
                self.concat(self.concat(piece, zeros), inner)
            }
            _ => self.pool.raw_concat(piece, low),
        }
    }

    /// Two neighbours as one term that is no concatenation, where they are pieces of one.
    fn join(&self, high: TermId, low: TermId) -> Option<TermId> {
        if let (Some(above), Some(below)) = (self.value(high), self.value(low)) {
            return Some(self.constant(&above.concat(&below)));
        }
        let (wide_high, wide_low) = (self.width(high), self.width(low));
        match (self.node(high), self.node(low)) {
            // x[i+1..] : x[..i]  =>  x[..]
            (
                TermNode::Extract { term: t, low: from_high },
                TermNode::Extract { term: u, low: from_low },
            ) if t == u && from_high == from_low + wide_low => {
                Some(self.extract(t, from_low, wide_high + wide_low))
            }
            // x : ite(c, y, z) with x an ite of the same condition, or constants all through
            (TermNode::Ite(c, t, e), TermNode::Ite(d, p, q)) if c == d => {
                Some(self.ite(c, self.concat(t, p), self.concat(e, q)))
            }
            (TermNode::Ite(c, t, e), _)
                if self.is_const(low) && self.is_const(t) && self.is_const(e) =>
            {
                Some(self.ite(c, self.concat(t, low), self.concat(e, low)))
            }
            (_, TermNode::Ite(c, t, e))
                if self.is_const(high) && self.is_const(t) && self.is_const(e) =>
            {
                Some(self.ite(c, self.concat(high, t), self.concat(high, e)))
            }
            _ => self.join_sign(high, low).or_else(|| self.join_pushed(high, low)),
        }
    }

    /// `s : x  =>  sext(x)`, where `s` is the sign of `x`.
    fn join_sign(&self, high: TermId, low: TermId) -> Option<TermId> {
        if self.width(high) != 1 || !matches!(self.node(high), TermNode::Extract { .. }) {
            return None;
        }
        let width = self.width(low);
        (self.extract(low, width - 1, 1) == high).then(|| self.sext(low, width + 1))
    }

    /// `x[i+1..] : y  =>  x[..]`, where `y` is what `x[..i]` was simplified to; and mirrored.
    fn join_pushed(&self, high: TermId, low: TermId) -> Option<TermId> {
        let (wide_high, wide_low) = (self.width(high), self.width(low));
        let total = wide_high + wide_low;
        if let TermNode::Extract { term, low: from } = self.node(high)
            && self.is_computed(term)
            && from >= wide_low
            && self.extract(term, from - wide_low, wide_low) == low
        {
            return Some(self.extract(term, from - wide_low, total));
        }
        if let TermNode::Extract { term, low: from } = self.node(low)
            && self.is_computed(term)
            && from + total <= self.width(term)
            && self.extract(term, from + wide_low, wide_high) == high
        {
            return Some(self.extract(term, from, total));
        }
        None
    }

    /// Returns `true` if an extract from the term may have been simplified to something else than an
    /// extract.
    fn is_computed(&self, term: TermId) -> bool {
        matches!(self.node(term), TermNode::Unary(..) | TermNode::Binary(..) | TermNode::Ite(..))
    }

    pub(super) fn extract(&self, term: TermId, low: u32, width: u32) -> TermId {
        let (mut term, mut low) = (term, low);
        // Going down to one piece takes no steps: a concatenation may have a thousand.
        loop {
            // x[..]  =>  x, for all of it
            if width == self.width(term) {
                return term;
            }
            match self.node(term) {
                // (x[i..])[j..]  =>  x[i+j..]
                TermNode::Extract { term: inner, low: offset } => {
                    term = inner;
                    low += offset;
                }
                // (x : y)[..]  =>  y[..] or x[..], inside one of them
                TermNode::Concat(_, below) if low + width <= self.width(below) => term = below,
                TermNode::Concat(above, below) if low >= self.width(below) => {
                    low -= self.width(below);
                    term = above;
                }
                // zext(x)[..], sext(x)[..]  =>  x[..], inside x
                TermNode::ZExt(inner) | TermNode::SExt(inner)
                    if low + width <= self.width(inner) =>
                {
                    term = inner
                }
                _ => break,
            }
        }
        match self.node(term) {
            // constants
            TermNode::Const(value) => return self.pool.constant(width, value >> low),
            TermNode::BigConst(value) => return self.constant(&value.extract(low, width)),
            // zext(x)[..]  =>  0, above x
            TermNode::ZExt(inner) if low >= self.width(inner) => return self.zero(width),
            _ => {}
        }
        if !self.spend() {
            return self.pool.raw_extract(term, low, width);
        }
        self.extract_inward(term, low, width)
            .unwrap_or_else(|| self.pool.raw_extract(term, low, width))
    }

    fn extract_inward(&self, term: TermId, low: u32, width: u32) -> Option<TermId> {
        match self.node(term) {
            // (x : y)[..]  =>  x[..] : y[..], across the seam
            TermNode::Concat(above, below) => {
                let seam = self.width(below);
                let upper = self.extract(above, 0, low + width - seam);
                Some(self.concat(upper, self.extract(below, low, seam - low)))
            }
            // zext(x)[..]  =>  zext(x[..]), across the seam
            TermNode::ZExt(inner) => {
                Some(self.zext(self.extract(inner, low, self.width(inner) - low), width))
            }
            // sext(x)[..]  =>  sext(x[..]), of the sign alone above x
            TermNode::SExt(inner) => {
                let from = low.min(self.width(inner) - 1);
                Some(self.sext(self.extract(inner, from, self.width(inner) - from), width))
            }
            // (!x)[..]  =>  !(x[..])
            TermNode::Unary(UnOp::Not, inner) => Some(self.not(self.extract(inner, low, width))),
            // (x & y)[..]  =>  x[..] & y[..], and for | and ^
            TermNode::Binary(op @ (BinOp::And | BinOp::Or | BinOp::Xor), x, y) => {
                let (x, y) = (self.extract(x, low, width), self.extract(y, low, width));
                Some(self.binary(op, x, y))
            }
            // (x + y)[..i]  =>  x[..i] + y[..i], for - and * too, where the cut costs nothing
            TermNode::Binary(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul), x, y)
                if low == 0 && self.cuts_at(x, width) && self.cuts_at(y, width) =>
            {
                let (x, y) = (self.extract(x, 0, width), self.extract(y, 0, width));
                Some(self.binary(op, x, y))
            }
            TermNode::Unary(UnOp::Neg, x) if low == 0 && self.cuts_at(x, width) => {
                Some(self.neg(self.extract(x, 0, width)))
            }
            // ite(c, x, y)[..]  =>  ite(c, x[..], y[..]), where the cuts cost nothing
            TermNode::Ite(c, t, e) => {
                let free = |side| {
                    (low == 0 || self.splits_at(side, low))
                        && (low + width == self.width(side) || self.splits_at(side, low + width))
                };
                (free(t) && free(e))
                    .then(|| self.ite(c, self.extract(t, low, width), self.extract(e, low, width)))
            }
            _ => None,
        }
    }

    pub(super) fn zext(&self, term: TermId, width: u32) -> TermId {
        if width == self.width(term) {
            return term;
        }
        match self.node(term) {
            // constants
            TermNode::Const(value) => self.pool.constant(width, value),
            TermNode::BigConst(value) => self.constant(&value.zext(width)),
            // zext(zext(x))  =>  zext(x)
            TermNode::ZExt(inner) => self.pool.raw_extend(false, inner, width),
            // zext(ite(c, k1, k2))  =>  ite(c, k1, k2)
            TermNode::Ite(c, t, e) if self.is_const(t) && self.is_const(e) && self.spend() => {
                self.ite(c, self.zext(t, width), self.zext(e, width))
            }
            TermNode::Binary(op @ (BinOp::Add | BinOp::Mul), x, y) => self
                .extend_operands(op, x, y, width)
                .unwrap_or_else(|| self.pool.raw_extend(false, term, width)),
            _ => self.pool.raw_extend(false, term, width),
        }
    }

    /// `zext(zext(x) + zext(y))  =>  zext(x) + zext(y)`, for `*` and constants too, where nothing
    /// overflows: so
    /// that a sum that was cut and extended again is the sum it was.
    fn extend_operands(&self, op: BinOp, x: TermId, y: TermId, width: u32) -> Option<TermId> {
        let free = |side| matches!(self.node(side), TermNode::ZExt(_) | TermNode::Const(_));
        if width > 64 || !free(x) || !free(y) || !self.spend() {
            return None;
        }
        let most = crate::op::mask(self.width(x));
        let (a, b) = (self.pool.facts(x).umax, self.pool.facts(y).umax);
        let result = if op == BinOp::Add { a.checked_add(b) } else { a.checked_mul(b) };
        let fits = result.is_some_and(|result| result <= most);
        fits.then(|| self.binary(op, self.zext(x, width), self.zext(y, width)))
    }

    pub(super) fn sext(&self, term: TermId, width: u32) -> TermId {
        if width == self.width(term) {
            return term;
        }
        match self.sign(term) {
            // sext(x)  =>  zext(x), for a sign of 0
            Some(false) => return self.zext(term, width),
            // sext(x)  =>  1..1 : x, for a sign of 1
            Some(true) => return self.concat(self.ones(width - self.width(term)), term),
            None => {}
        }
        match self.node(term) {
            // sext(sext(x))  =>  sext(x)
            TermNode::SExt(inner) => self.pool.raw_extend(true, inner, width),
            // sext(ite(c, k1, k2))  =>  ite(c, k1, k2)
            TermNode::Ite(c, t, e) if self.is_const(t) && self.is_const(e) && self.spend() => {
                self.ite(c, self.sext(t, width), self.sext(e, width))
            }
            _ => self.pool.raw_extend(true, term, width),
        }
    }

    /// Returns `true` if the term falls into two at bit `cut` without a new operation: extracts of both
    /// sides are leaves, pieces or constants.
    pub(super) fn splits_at(&self, term: TermId, cut: u32) -> bool {
        let (mut term, mut cut) = (term, cut);
        loop {
            match self.node(term) {
                TermNode::Const(_) | TermNode::BigConst(_) | TermNode::Var(_) => return true,
                TermNode::Extract { .. } | TermNode::Select(..) => return true,
                TermNode::Concat(above, below) => {
                    let seam = self.width(below);
                    if cut < seam {
                        term = below;
                    } else if cut > seam {
                        term = above;
                        cut -= seam;
                    } else {
                        return true;
                    }
                }
                TermNode::ZExt(inner) if cut >= self.width(inner) => return true,
                TermNode::ZExt(inner) => term = inner,
                TermNode::SExt(_)
                | TermNode::Unary(..)
                | TermNode::Binary(..)
                | TermNode::Float(..)
                | TermNode::Ite(..) => return false,
            }
        }
    }

    /// Returns `true` if the low `width` bits of the term are free of a new operation, looking through
    /// arithmetic.
    fn cuts_at(&self, term: TermId, width: u32) -> bool {
        let mut work: SmallVec<[(TermId, u32); 8]> = SmallVec::new();
        work.push((term, width));
        // A tree of this many operations is worth rebuilding; more is left alone.
        const LOOKS: u32 = 16;
        for _ in 0..LOOKS {
            let Some((term, width)) = work.pop() else { return true };
            if width == self.width(term) {
                continue;
            }
            match self.node(term) {
                TermNode::Const(_) | TermNode::BigConst(_) | TermNode::Extract { .. } => {}
                TermNode::ZExt(inner) | TermNode::SExt(inner) => {
                    if width < self.width(inner) {
                        work.push((inner, width));
                    }
                }
                TermNode::Concat(above, below) => {
                    let seam = self.width(below);
                    if width < seam {
                        work.push((below, width));
                    } else if width > seam {
                        work.push((above, width - seam));
                    }
                }
                TermNode::Unary(_, x) => work.push((x, width)),
                TermNode::Binary(op, x, y)
                    if op.is_commutative() && op != BinOp::Eq || op == BinOp::Sub =>
                {
                    work.extend([(x, width), (y, width)]);
                }
                _ => return false,
            }
        }
        work.is_empty()
    }
}
