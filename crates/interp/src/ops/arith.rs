//! Integer arithmetic of at most 64 bits, in all generality.

use everett_expr::TermId;
use everett_ir::{
    IntBinary, IntPredicate, IntUnary, Op, Operand, OverflowOp, Slot, WrapFlags, words,
};

use crate::bug::{Bug, BugKind};
use crate::error::Stop;
use crate::flow::{Flow, Halt};
use crate::interp::Interp;
use crate::state::State;
use crate::undefined::ValueUse;

impl<X: Clone> Interp<'_, X> {
    pub(crate) fn wrapping(&mut self, st: &mut State<X>, op: Op) -> Result<Flow, Halt> {
        let (Op::Add { w, wrap, dst, a, b }
        | Op::Sub { w, wrap, dst, a, b }
        | Op::Mul { w, wrap, dst, a, b }) = op
        else {
            unreachable!("dispatch sends only wrapping ops here")
        };
        let (ta, tb) = (self.term(st, a, w), self.term(st, b, w));
        let (what, kind) = match op {
            Op::Add { .. } => ("addition", OverflowOp::SAdd),
            Op::Sub { .. } => ("subtraction", OverflowOp::SSub),
            _ => ("multiplication", OverflowOp::SMul),
        };
        if self.config.checks.overflow && wrap.signed() {
            let fits = self.pool.not(self.overflow_terms(kind, ta, tb).1);
            let whole = self.poison_unless(st, fits, dst, 1, |_, _| {
                Bug::new(BugKind::Overflow, format!("signed {w}-bit {what} overflows"))
            })?;
            if !whole {
                return Ok(Flow::Next);
            }
        }
        let result = match op {
            Op::Add { .. } => self.pool.add(ta, tb),
            Op::Sub { .. } => self.pool.sub(ta, tb),
            _ => self.pool.mul(ta, tb),
        };
        self.put(st, dst, result);
        Ok(Flow::Next)
    }

    pub(crate) fn bitwise(&mut self, st: &mut State<X>, op: Op) -> Result<Flow, Halt> {
        let (Op::And { w, dst, a, b } | Op::Or { w, dst, a, b } | Op::Xor { w, dst, a, b }) = op
        else {
            unreachable!("dispatch sends only bitwise ops here")
        };
        let (a, b) = (self.term(st, a, w), self.term(st, b, w));
        let result = match op {
            Op::And { .. } => self.pool.and(a, b),
            Op::Or { .. } => self.pool.or(a, b),
            _ => self.pool.xor(a, b),
        };
        self.put(st, dst, result);
        Ok(Flow::Next)
    }

    pub(crate) fn shift(&mut self, st: &mut State<X>, op: Op) -> Result<Flow, Halt> {
        let (w, dst, a, b, wrap) = match op {
            Op::Shl { w, dst, a, b, wrap } => (w, dst, a, b, wrap),
            Op::LShr { w, dst, a, b } | Op::AShr { w, dst, a, b } => {
                (w, dst, a, b, WrapFlags::NONE)
            }
            _ => unreachable!("dispatch sends only shifts here"),
        };
        let (a, b) = (self.term(st, a, w), self.term(st, b, w));
        let Some(b) = self.check_shift(st, dst, b)? else {
            return Ok(Flow::Next);
        };
        let result = match op {
            Op::Shl { .. } => self.pool.shl(a, b),
            Op::LShr { .. } => self.pool.lshr(a, b),
            _ => self.pool.ashr(a, b),
        };
        if self.config.checks.overflow && wrap.signed() {
            let fits = self.pool.eq(self.pool.ashr(result, b), a);
            let whole = self.poison_unless(st, fits, dst, 1, |_, _| {
                Bug::new(BugKind::Overflow, format!("signed {w}-bit left shift overflows"))
            })?;
            if !whole {
                return Ok(Flow::Next);
            }
        }
        self.put(st, dst, result);
        Ok(Flow::Next)
    }

    /// Poisons the result where a shift amount reaches the width. `None` if it does on all of this
    /// path; else the amount to shift by.
    pub(crate) fn check_shift(
        &mut self,
        st: &mut State<X>,
        dst: Slot,
        amount: TermId,
    ) -> Result<Option<TermId>, Stop> {
        let w = self.pool.width(amount);
        // The greatest amount always fits in the width, the width itself need not (1-bit shifts).
        let in_range = self.pool.ule(amount, self.pool.constant(w, u64::from(w) - 1));
        let before = st.passed;
        let whole = self.poison_unless(st, in_range, dst, words(w), |this, bad| {
            let by = this.example(bad, amount);
            Bug::new(BugKind::Overshift, format!("shift of a {w}-bit value by {by}"))
        })?;
        if st.passed > before {
            // The machine takes the amount modulo the width.
            return Ok(Some(self.pool.urem(amount, self.pool.constant(w, w.into()))));
        }
        Ok(whole.then_some(amount))
    }

    pub(crate) fn divide(&mut self, st: &mut State<X>, op: Op) -> Result<Flow, Halt> {
        let (Op::UDiv { w, dst, a, b }
        | Op::SDiv { w, dst, a, b }
        | Op::URem { w, dst, a, b }
        | Op::SRem { w, dst, a, b }) = op
        else {
            unreachable!("dispatch sends only divisions here")
        };
        let (a, b) = (self.term(st, a, w), self.term(st, b, w));
        let signed = matches!(op, Op::SDiv { .. } | Op::SRem { .. });
        self.check_division(st, signed, a, b)?;
        let result = match op {
            Op::UDiv { .. } => self.pool.udiv(a, b),
            Op::SDiv { .. } => self.pool.sdiv(a, b),
            Op::URem { .. } => self.pool.urem(a, b),
            _ => self.pool.srem(a, b),
        };
        self.put(st, dst, result);
        Ok(Flow::Next)
    }

    /// Splits off the paths that divide by zero, or whose signed quotient does not fit.
    pub(crate) fn check_division(
        &mut self,
        st: &mut State<X>,
        signed: bool,
        a: TermId,
        b: TermId,
    ) -> Result<(), Halt> {
        let w = self.pool.width(a);
        let b = self.use_term(st, b, ValueUse::Divisor);
        // What is divided decides nothing yet.
        let a = self.pool.without_undefined(a);
        let nonzero = self.pool.ne(b, self.pool.big_constant(&everett_expr::BitVec::zero(w)));
        self.require(st, nonzero, |_, _| {
            let what = if signed { "signed" } else { "unsigned" };
            Bug::new(BugKind::DivideByZero, format!("{what} {w}-bit division by zero"))
        })?;
        if !signed {
            return Ok(());
        }
        let mut smallest = everett_expr::BitVec::zero(w);
        smallest.set_bit(w - 1, true);
        let minus_one = self.pool.big_constant(&everett_expr::BitVec::ones(w));
        let overflows = self
            .pool
            .and(self.pool.eq(a, self.pool.big_constant(&smallest)), self.pool.eq(b, minus_one));
        let fits = self.pool.not(overflows);
        self.require(st, fits, |_, _| {
            Bug::new(
                BugKind::Overflow,
                format!("signed {w}-bit division of the smallest value by -1"),
            )
        })
    }

    pub(crate) fn compare_terms(&self, pred: IntPredicate, a: TermId, b: TermId) -> TermId {
        let pool = self.pool;
        match pred {
            IntPredicate::Eq => pool.eq(a, b),
            IntPredicate::Ne => pool.ne(a, b),
            IntPredicate::Ugt => pool.ugt(a, b),
            IntPredicate::Uge => pool.uge(a, b),
            IntPredicate::Ult => pool.ult(a, b),
            IntPredicate::Ule => pool.ule(a, b),
            IntPredicate::Sgt => pool.sgt(a, b),
            IntPredicate::Sge => pool.sge(a, b),
            IntPredicate::Slt => pool.slt(a, b),
            IntPredicate::Sle => pool.sle(a, b),
        }
    }

    pub(crate) fn compare_op(
        &mut self,
        st: &mut State<X>,
        pred: IntPredicate,
        w: u8,
        dst: Slot,
        [a, b]: [Operand; 2],
    ) -> Result<Flow, Halt> {
        let result = self.compare_terms(pred, self.term(st, a, w), self.term(st, b, w));
        self.put(st, dst, result);
        Ok(Flow::Next)
    }

    pub(crate) fn int_unary(
        &mut self,
        st: &mut State<X>,
        op: IntUnary,
        w: u8,
        dst: Slot,
        a: Operand,
    ) -> Result<Flow, Halt> {
        let result = self.unary_term(op, self.term(st, a, w));
        self.put(st, dst, result);
        Ok(Flow::Next)
    }

    pub(crate) fn unary_term(&self, op: IntUnary, a: TermId) -> TermId {
        let pool = self.pool;
        match op {
            IntUnary::PopCount => pool.popcount(a),
            IntUnary::LeadingZeros => pool.ctlz(a),
            IntUnary::TrailingZeros => pool.cttz(a),
            IntUnary::ByteSwap => pool.bswap(a),
            IntUnary::BitReverse => pool.bitreverse(a),
            IntUnary::Abs => {
                let w = pool.width(a);
                let negative = pool.extract(a, w - 1, 1);
                pool.ite(negative, pool.neg(a), a)
            }
        }
    }

    pub(crate) fn int_binary(
        &mut self,
        st: &mut State<X>,
        op: IntBinary,
        w: u8,
        dst: Slot,
        [a, b]: [Operand; 2],
    ) -> Result<Flow, Halt> {
        let result = self.binary_term(op, self.term(st, a, w), self.term(st, b, w));
        self.put(st, dst, result);
        Ok(Flow::Next)
    }

    pub(crate) fn binary_term(&self, op: IntBinary, a: TermId, b: TermId) -> TermId {
        let pool = self.pool;
        match op {
            IntBinary::UMin => pool.ite(pool.ult(a, b), a, b),
            IntBinary::UMax => pool.ite(pool.ugt(a, b), a, b),
            IntBinary::SMin => pool.ite(pool.slt(a, b), a, b),
            IntBinary::SMax => pool.ite(pool.sgt(a, b), a, b),
            IntBinary::UAddSat => self.saturate(OverflowOp::UAdd, a, b),
            IntBinary::SAddSat => self.saturate(OverflowOp::SAdd, a, b),
            IntBinary::USubSat => self.saturate(OverflowOp::USub, a, b),
            IntBinary::SSubSat => self.saturate(OverflowOp::SSub, a, b),
            IntBinary::UShlSat => {
                let shifted = pool.shl(a, b);
                pool.ite(
                    pool.eq(pool.lshr(shifted, b), a),
                    shifted,
                    pool.big_constant(&ones(pool.width(a))),
                )
            }
            IntBinary::SShlSat => {
                let shifted = pool.shl(a, b);
                pool.ite(pool.eq(pool.ashr(shifted, b), a), shifted, self.signed_limit(a))
            }
            IntBinary::UCmp => self.three_way(pool.ult(a, b), pool.eq(a, b), pool.width(a)),
            IntBinary::SCmp => self.three_way(pool.slt(a, b), pool.eq(a, b), pool.width(a)),
        }
    }

    fn three_way(&self, less: TermId, equal: TermId, w: u32) -> TermId {
        let pool = self.pool;
        let not_less = pool.ite(equal, pool.constant(w, 0), pool.constant(w, 1));
        pool.ite(less, pool.big_constant(&ones(w)), not_less)
    }

    /// The signed value of `a`'s width that lies furthest in the direction of `a`'s sign.
    fn signed_limit(&self, a: TermId) -> TermId {
        let pool = self.pool;
        let w = pool.width(a);
        let mut smallest = everett_expr::BitVec::zero(w);
        smallest.set_bit(w - 1, true);
        let negative = pool.extract(a, w - 1, 1);
        pool.ite(negative, pool.big_constant(&smallest), pool.big_constant(&smallest.not()))
    }

    fn saturate(&self, op: OverflowOp, a: TermId, b: TermId) -> TermId {
        let pool = self.pool;
        let (value, overflow) = self.overflow_terms(op, a, b);
        let limit = match op {
            OverflowOp::UAdd => pool.big_constant(&ones(pool.width(a))),
            OverflowOp::USub => pool.big_constant(&everett_expr::BitVec::zero(pool.width(a))),
            _ => self.signed_limit(a),
        };
        pool.ite(overflow, limit, value)
    }

    pub(crate) fn overflow_op(
        &mut self,
        st: &mut State<X>,
        op: OverflowOp,
        w: u8,
        dst: Slot,
        [a, b]: [Operand; 2],
    ) -> Result<Flow, Halt> {
        let (value, overflow) = self.overflow_terms(op, self.term(st, a, w), self.term(st, b, w));
        self.put(st, dst, value);
        self.put(st, dst.plus(1), overflow);
        Ok(Flow::Next)
    }

    /// The wrapped result of an operation, and whether it wrapped.
    pub(crate) fn overflow_terms(&self, op: OverflowOp, a: TermId, b: TermId) -> (TermId, TermId) {
        let pool = self.pool;
        let w = pool.width(a);
        let signed = matches!(op, OverflowOp::SAdd | OverflowOp::SSub | OverflowOp::SMul);
        // One more bit holds every sum and difference; twice the bits hold every product.
        let wide = if matches!(op, OverflowOp::SMul | OverflowOp::UMul) { 2 * w } else { w + 1 };
        let extend = |t| if signed { pool.sext(t, wide) } else { pool.zext(t, wide) };
        let (xa, xb) = (extend(a), extend(b));
        let (exact, value) = match op {
            OverflowOp::SAdd | OverflowOp::UAdd => (pool.add(xa, xb), pool.add(a, b)),
            OverflowOp::SSub | OverflowOp::USub => (pool.sub(xa, xb), pool.sub(a, b)),
            OverflowOp::SMul | OverflowOp::UMul => (pool.mul(xa, xb), pool.mul(a, b)),
        };
        (value, pool.ne(extend(value), exact))
    }

    pub(crate) fn funnel_shift(
        &mut self,
        st: &mut State<X>,
        left: bool,
        w: u8,
        dst: Slot,
        [a, b, c]: [Operand; 3],
    ) -> Result<Flow, Halt> {
        let pool = self.pool;
        let (a, b, c) = (self.term(st, a, w), self.term(st, b, w), self.term(st, c, w));
        let width = u32::from(w);
        let amount = if width.is_power_of_two() {
            pool.and(c, pool.constant(width, u64::from(width) - 1))
        } else {
            pool.urem(c, pool.constant(width, width.into()))
        };
        let joined = pool.concat(a, b);
        let amount = pool.zext(amount, 2 * width);
        let result = if left {
            pool.extract(pool.shl(joined, amount), width, width)
        } else {
            pool.extract(pool.lshr(joined, amount), 0, width)
        };
        self.put(st, dst, result);
        Ok(Flow::Next)
    }

    pub(crate) fn select_op(
        &mut self,
        st: &mut State<X>,
        w: u8,
        dst: Slot,
        c: Operand,
        [a, b]: [Operand; 2],
    ) -> Result<Flow, Halt> {
        let cond = self.term(st, c, 1);
        let result = self.pool.ite(cond, self.term(st, a, w), self.term(st, b, w));
        self.put(st, dst, result);
        Ok(Flow::Next)
    }
}

fn ones(w: u32) -> everett_expr::BitVec {
    everett_expr::BitVec::ones(w)
}
