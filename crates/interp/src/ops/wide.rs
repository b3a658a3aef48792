//! Integers of more than 64 bits, and bit casts between shapes.
//!
//! A wide value is gathered from its slots into one term, which for concrete words is a constant:
//! the pool's constant folding is then the arithmetic.

use everett_expr::{BitVec, TermId};
use everett_ir::{Operand, Slot, WideCast, WideOp, words};

use crate::error::Stop;
use crate::flow::Flow;
use crate::interp::Interp;
use crate::reg::Reg;
use crate::state::State;

/// A value of any width: concrete, or a term.
pub(crate) enum Wide {
    Known(BitVec),
    Term(TermId),
}

impl<X: Clone> Interp<'_, X> {
    /// Gathers a value of `w` bits from its slots.
    pub(crate) fn gather(&self, st: &State<X>, operand: Operand, w: u32) -> Wide {
        let n = words(w);
        let regs: smallvec::SmallVec<[Reg; 4]> = (0..n).map(|i| self.get(st, operand.plus(i))).collect();
        if regs.iter().all(|reg| !reg.is_symbolic()) {
            let bits: smallvec::SmallVec<[u64; 4]> = regs.iter().map(|reg| reg.bits()).collect();
            return Wide::Known(BitVec::from_words(w, &bits));
        }
        let mut joined = None;
        for (i, reg) in regs.iter().enumerate() {
            let bits = (w - 64 * i as u32).min(64);
            let piece = self.reg_term(*reg, bits);
            joined = Some(joined.map_or(piece, |low| self.pool.concat(piece, low)));
        }
        Wide::Term(joined.expect("a value has at least one slot"))
    }

    /// A value of any width as a term.
    pub(crate) fn wide_term(&self, st: &State<X>, operand: Operand, w: u32) -> TermId {
        match self.gather(st, operand, w) {
            Wide::Known(value) => self.pool.big_constant(&value),
            Wide::Term(term) => term,
        }
    }

    /// Spreads a term over the slots from `dst` on.
    pub(crate) fn put_wide(&mut self, st: &mut State<X>, dst: Slot, term: TermId) {
        let w = self.pool.width(term);
        if let Some(value) = self.pool.as_bitvec(term) {
            return self.put_known(st, dst, &value);
        }
        for i in 0..words(w) {
            let bits = (w - 64 * i).min(64);
            let piece = self.pool.extract(term, 64 * i, bits);
            self.put(st, dst.plus(i), piece);
        }
    }

    /// Spreads a concrete value over the slots from `dst` on.
    pub(crate) fn put_known(&mut self, st: &mut State<X>, dst: Slot, value: &BitVec) {
        for i in 0..words(value.width()) {
            let word = value.words().get(i as usize).copied().unwrap_or(0);
            self.put_word(st, dst.plus(i), word);
        }
    }

    pub(crate) fn wide(
        &mut self,
        st: &mut State<X>,
        op: WideOp,
        w: u32,
        dst: Slot,
        a: Operand,
        b: Operand,
    ) -> Result<Flow, Stop> {
        let ta = self.wide_term(st, a, w);
        if let WideOp::Unary(unary) = op {
            let result = self.unary_term(unary, ta);
            self.put_wide(st, dst, result);
            return Ok(Flow::Next);
        }
        let tb = self.wide_term(st, b, w);
        if let Some(end) = self.check_wide(st, op, ta, tb)? {
            return Ok(end);
        }
        if let WideOp::Overflow(kind) = op {
            let (value, overflow) = self.overflow_terms(kind, ta, tb);
            self.put_wide(st, dst, value);
            self.put(st, dst.plus(words(w)), overflow);
        } else {
            let result = self.wide_result(op, ta, tb);
            self.put_wide(st, dst, result);
        }
        Ok(Flow::Next)
    }

    fn check_wide(&mut self, st: &mut State<X>, op: WideOp, a: TermId, b: TermId) -> Result<Option<Flow>, Stop> {
        match op {
            WideOp::UDiv | WideOp::URem => self.check_division(st, false, a, b),
            WideOp::SDiv | WideOp::SRem => self.check_division(st, true, a, b),
            WideOp::Shl | WideOp::LShr | WideOp::AShr => self.check_shift(st, b),
            _ => Ok(None),
        }
    }

    fn wide_result(&self, op: WideOp, a: TermId, b: TermId) -> TermId {
        let pool = self.pool;
        match op {
            WideOp::Add => pool.add(a, b),
            WideOp::Sub => pool.sub(a, b),
            WideOp::Mul => pool.mul(a, b),
            WideOp::UDiv => pool.udiv(a, b),
            WideOp::SDiv => pool.sdiv(a, b),
            WideOp::URem => pool.urem(a, b),
            WideOp::SRem => pool.srem(a, b),
            WideOp::And => pool.and(a, b),
            WideOp::Or => pool.or(a, b),
            WideOp::Xor => pool.xor(a, b),
            WideOp::Shl => pool.shl(a, b),
            WideOp::LShr => pool.lshr(a, b),
            WideOp::AShr => pool.ashr(a, b),
            WideOp::Compare(pred) => self.compare_terms(pred, a, b),
            WideOp::Binary(op) => self.binary_term(op, a, b),
            WideOp::Unary(op) => self.unary_term(op, a),
            WideOp::Overflow(op) => self.overflow_terms(op, a, b).0,
        }
    }

    pub(crate) fn wide_cast(
        &mut self,
        st: &mut State<X>,
        op: WideCast,
        from: u32,
        to: u32,
        dst: Slot,
        a: Operand,
    ) -> Result<Flow, Stop> {
        match self.gather(st, a, from) {
            Wide::Known(value) => {
                let result = match op {
                    WideCast::Trunc => value.extract(0, to),
                    WideCast::ZExt => value.zext(to),
                    WideCast::SExt => value.sext(to),
                };
                self.put_known(st, dst, &result);
            }
            Wide::Term(term) => {
                let result = match op {
                    WideCast::Trunc => self.pool.extract(term, 0, to),
                    WideCast::ZExt => self.pool.zext(term, to),
                    WideCast::SExt => self.pool.sext(term, to),
                };
                self.put_wide(st, dst, result);
            }
        }
        Ok(Flow::Next)
    }

    pub(crate) fn pack(
        &mut self,
        st: &mut State<X>,
        lanes: u16,
        lane_bits: u16,
        dst: Slot,
        a: Operand,
    ) -> Result<Flow, Stop> {
        let bits = u32::from(lane_bits);
        let step = words(bits);
        let mut joined = self.wide_term(st, a, bits);
        for lane in 1..u32::from(lanes) {
            let piece = self.wide_term(st, a.plus(lane * step), bits);
            joined = self.pool.concat(piece, joined);
        }
        self.put_wide(st, dst, joined);
        Ok(Flow::Next)
    }

    pub(crate) fn unpack(
        &mut self,
        st: &mut State<X>,
        lanes: u16,
        lane_bits: u16,
        dst: Slot,
        a: Operand,
    ) -> Result<Flow, Stop> {
        let bits = u32::from(lane_bits);
        let step = words(bits);
        let whole = self.wide_term(st, a, u32::from(lanes) * bits);
        for lane in 0..u32::from(lanes) {
            let piece = self.pool.extract(whole, lane * bits, bits);
            self.put_wide(st, dst.plus(lane * step), piece);
        }
        Ok(Flow::Next)
    }
}
