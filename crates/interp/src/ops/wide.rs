//! Integers of more than 64 bits, and bit casts between shapes.
//!
//! A wide value is gathered from its slots: into a bit vector when all of them are concrete, into
//! one term otherwise.

use everett_expr::{BitVec, TermId};
use everett_ir::{IntPredicate, Operand, Slot, WideCast, WideOp, words};

use crate::flow::{Flow, Halt};
use crate::interp::Interp;
use crate::state::State;
use crate::state::reg::Reg;

/// A value of any width: concrete, or a term.
pub(crate) enum WideValue {
    Known(BitVec),
    Term(TermId),
}

impl<X: Clone> Interp<'_, X> {
    /// Gathers a value of `w` bits from its slots.
    pub(crate) fn gather(&self, st: &State<X>, operand: Operand, w: u32) -> WideValue {
        let n = words(w);
        let regs: smallvec::SmallVec<[Reg; 4]> =
            (0..n).map(|i| self.get(st, operand.plus(i))).collect();
        if regs.iter().all(|reg| reg.is_plain()) {
            let bits: smallvec::SmallVec<[u64; 4]> = regs.iter().map(|reg| reg.bits()).collect();
            return WideValue::Known(BitVec::from_words(w, &bits));
        }
        let mut joined = None;
        for (i, reg) in regs.iter().enumerate() {
            let bits = (w - 64 * i as u32).min(64);
            let piece = self.reg_term(*reg, bits);
            joined = Some(joined.map_or(piece, |low| self.pool.concat(piece, low)));
        }
        WideValue::Term(joined.expect("a value has at least one slot"))
    }

    /// A value of any width as a term.
    pub(crate) fn wide_term(&self, st: &State<X>, operand: Operand, w: u32) -> TermId {
        match self.gather(st, operand, w) {
            WideValue::Known(value) => self.pool.big_constant(&value),
            WideValue::Term(term) => term,
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
        [a, b]: [Operand; 2],
    ) -> Result<Flow, Halt> {
        // Concrete operands need no terms, which would stay in the pool for ever.
        if let (WideValue::Known(a), WideValue::Known(b)) =
            (self.gather(st, a, w), self.gather(st, b_or(op, a, b), w))
            && let Some(result) = known_result(op, &a, &b)
        {
            self.put_known(st, dst, &result);
            return Ok(Flow::Next);
        }
        let ta = self.wide_term(st, a, w);
        if let WideOp::Unary(unary) = op {
            let result = self.unary_term(unary, ta);
            self.put_wide(st, dst, result);
            return Ok(Flow::Next);
        }
        let mut tb = self.wide_term(st, b, w);
        if matches!(op, WideOp::Shl | WideOp::LShr | WideOp::AShr) {
            match self.check_shift(st, dst, tb)? {
                Some(amount) => tb = amount,
                None => return Ok(Flow::Next),
            }
        }
        self.check_wide(st, op, ta, tb)?;
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

    fn check_wide(
        &mut self,
        st: &mut State<X>,
        op: WideOp,
        a: TermId,
        b: TermId,
    ) -> Result<(), Halt> {
        match op {
            WideOp::UDiv | WideOp::URem => self.check_division(st, false, a, b),
            WideOp::SDiv | WideOp::SRem => self.check_division(st, true, a, b),
            _ => Ok(()),
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
        [from, to]: [u32; 2],
        dst: Slot,
        a: Operand,
    ) -> Result<Flow, Halt> {
        match self.gather(st, a, from) {
            WideValue::Known(value) => {
                let result = match op {
                    WideCast::Trunc => value.extract(0, to),
                    WideCast::ZExt => value.zext(to),
                    WideCast::SExt => value.sext(to),
                };
                self.put_known(st, dst, &result);
            }
            WideValue::Term(term) => {
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
    ) -> Result<Flow, Halt> {
        let bits = u32::from(lane_bits);
        let step = words(bits);
        if let Some(joined) = self.pack_known(st, lanes, bits, a) {
            self.put_known(st, dst, &joined);
            return Ok(Flow::Next);
        }
        let mut joined = self.wide_term(st, a, bits);
        for lane in 1..u32::from(lanes) {
            let piece = self.wide_term(st, a.plus(lane * step), bits);
            joined = self.pool.concat(piece, joined);
        }
        self.put_wide(st, dst, joined);
        Ok(Flow::Next)
    }

    /// Joins lanes that are all concrete.
    fn pack_known(&self, st: &State<X>, lanes: u16, bits: u32, a: Operand) -> Option<BitVec> {
        let mut joined: Option<BitVec> = None;
        for lane in 0..u32::from(lanes) {
            let WideValue::Known(piece) = self.gather(st, a.plus(lane * words(bits)), bits) else {
                return None;
            };
            joined = Some(joined.map_or(piece.clone(), |low| piece.concat(&low)));
        }
        joined
    }

    pub(crate) fn unpack(
        &mut self,
        st: &mut State<X>,
        lanes: u16,
        lane_bits: u16,
        dst: Slot,
        a: Operand,
    ) -> Result<Flow, Halt> {
        let bits = u32::from(lane_bits);
        let step = words(bits);
        let whole = match self.gather(st, a, u32::from(lanes) * bits) {
            WideValue::Term(term) => term,
            WideValue::Known(value) => {
                for lane in 0..u32::from(lanes) {
                    let piece = value.extract(lane * bits, bits);
                    self.put_known(st, dst.plus(lane * step), &piece);
                }
                return Ok(Flow::Next);
            }
        };
        for lane in 0..u32::from(lanes) {
            let piece = self.pool.extract(whole, lane * bits, bits);
            self.put_wide(st, dst.plus(lane * step), piece);
        }
        Ok(Flow::Next)
    }
}

/// The second operand of an op, or the first again where the op has only one.
fn b_or(op: WideOp, a: Operand, b: Operand) -> Operand {
    if matches!(op, WideOp::Unary(_)) { a } else { b }
}

/// The result of the common operations on concrete values; `None` where the general way is needed,
/// among others for operands that are an error.
fn known_result(op: WideOp, a: &BitVec, b: &BitVec) -> Option<BitVec> {
    let in_range =
        || b.low_u128() < u128::from(a.width()) && b.words().iter().skip(2).all(|w| *w == 0);
    Some(match op {
        WideOp::Add => a.add(b),
        WideOp::Sub => a.sub(b),
        WideOp::Mul => a.mul(b),
        WideOp::And => a.and(b),
        WideOp::Or => a.or(b),
        WideOp::Xor => a.xor(b),
        WideOp::UDiv if !b.is_zero() => a.udiv(b),
        WideOp::URem if !b.is_zero() => a.urem(b),
        WideOp::Shl if in_range() => a.shl(b),
        WideOp::LShr if in_range() => a.lshr(b),
        WideOp::AShr if in_range() => a.ashr(b),
        WideOp::Compare(pred) => BitVec::from_bool(compare_known(pred, a, b)),
        _ => return None,
    })
}

fn compare_known(pred: IntPredicate, a: &BitVec, b: &BitVec) -> bool {
    let (unsigned, signed) = (a.cmp_unsigned(b), a.cmp_signed(b));
    match pred {
        IntPredicate::Eq => unsigned.is_eq(),
        IntPredicate::Ne => unsigned.is_ne(),
        IntPredicate::Ugt => unsigned.is_gt(),
        IntPredicate::Uge => unsigned.is_ge(),
        IntPredicate::Ult => unsigned.is_lt(),
        IntPredicate::Ule => unsigned.is_le(),
        IntPredicate::Sgt => signed.is_gt(),
        IntPredicate::Sge => signed.is_ge(),
        IntPredicate::Slt => signed.is_lt(),
        IntPredicate::Sle => signed.is_le(),
    }
}
