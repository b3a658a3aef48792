//! Intrinsics on integers.

use everett_ir::{
    IntBinary, IntPredicate, IntUnary, Op, Operand, OperandPromise, OverflowOp, Slot, WideOp,
    WrapFlags,
};

use crate::lower::LowerResult;
use crate::lower::function::FunctionLowering;
use crate::lower::shape::{lanes, narrow};
use crate::sys::{Inst, Opcode};

impl<'m> FunctionLowering<'_, 'm> {
    /// An intrinsic on integers; `false` when the name is none of them.
    pub(super) fn int_intrinsic(&mut self, inst: Inst<'m>, name: &str) -> LowerResult<bool> {
        if let Some(op) = unary(name) {
            return self.int_one(inst, op).map(|()| true);
        }
        if let Some(op) = binary(name) {
            return self.int_two(inst, op).map(|()| true);
        }
        if let Some(op) = overflow(name) {
            return self.with_overflow(inst, op).map(|()| true);
        }
        match name {
            "x86.addcarry.32" | "x86.addcarry.64" => self.with_carry(inst, OverflowOp::UAdd)?,
            "x86.subborrow.32" | "x86.subborrow.64" => self.with_carry(inst, OverflowOp::USub)?,
            "fshl" => self.funnel_shift(inst, true)?,
            "fshr" => self.funnel_shift(inst, false)?,
            "ucmp" => self.three_way(inst, IntBinary::UCmp)?,
            "scmp" => self.three_way(inst, IntBinary::SCmp)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn int_one(&mut self, inst: Inst<'m>, op: IntUnary) -> LowerResult {
        let lanes = lanes(inst.ty())?;
        let a = self.arg(inst, 0)?;
        let dst = self.dst(inst);
        let promise = match op {
            IntUnary::Abs => Some(OperandPromise::NotSmallest),
            IntUnary::LeadingZeros | IntUnary::TrailingZeros => Some(OperandPromise::NonZero),
            IntUnary::PopCount | IntUnary::ByteSwap | IntUnary::BitReverse => None,
        };
        let promise = promise.filter(|_| inst.operand(1).as_u64() == Some(1));
        self.each_lane(lanes, |body, at| {
            body.int_unary(op, lanes.bits(), dst.plus(at), a.plus(at));
            if let Some(what) = promise {
                body.promise(what, lanes.bits(), dst.plus(at), a.plus(at), a.plus(at));
            }
        });
        Ok(())
    }

    /// The result of an operation in `dst` exists only where the promise holds.
    pub(in crate::lower) fn promise(
        &mut self,
        what: OperandPromise,
        bits: u32,
        dst: Slot,
        a: Operand,
        b: Operand,
    ) {
        let n = everett_ir::words(bits) as u16;
        self.emit(Op::Promise { what, n, w: bits, dst, a, b });
    }

    /// One scalar operation of any width.
    pub(in crate::lower) fn int_unary(&mut self, op: IntUnary, bits: u32, dst: Slot, a: Operand) {
        self.emit(if bits > 64 {
            Op::Wide { op: WideOp::Unary(op), w: bits, dst, a, b: a }
        } else {
            Op::IntUnary { op, w: narrow(bits), dst, a }
        });
    }

    fn int_two(&mut self, inst: Inst<'m>, op: IntBinary) -> LowerResult {
        let lanes = lanes(inst.ty())?;
        let (a, b) = (self.arg(inst, 0)?, self.arg(inst, 1)?);
        let dst = self.dst(inst);
        self.each_lane(lanes, |body, at| {
            body.int_pair(op, lanes.bits(), dst.plus(at), a.plus(at), b.plus(at));
        });
        Ok(())
    }

    /// One scalar operation of any width.
    pub(in crate::lower) fn int_pair(
        &mut self,
        op: IntBinary,
        bits: u32,
        dst: Slot,
        a: Operand,
        b: Operand,
    ) {
        self.emit(if bits > 64 {
            Op::Wide { op: WideOp::Binary(op), w: bits, dst, a, b }
        } else {
            Op::IntBinary { op, w: narrow(bits), dst, a, b }
        });
    }

    /// `with.overflow`: all results first, then all overflow bits.
    fn with_overflow(&mut self, inst: Inst<'m>, op: OverflowOp) -> LowerResult {
        let lanes = lanes(inst.operand(0).ty())?;
        let (a, b) = (self.arg(inst, 0)?, self.arg(inst, 1)?);
        let dst = self.dst(inst);
        let (stride, count) = (lanes.stride(), lanes.count);
        if count == 1 {
            self.overflow_op(op, lanes.bits(), dst, a, b);
            return Ok(());
        }
        let pair = self.temp(stride + 1);
        for lane in 0..count {
            let at = lane * stride;
            self.overflow_op(op, lanes.bits(), pair, a.plus(at), b.plus(at));
            self.copy(dst.plus(at), Operand::slot(pair), stride);
            self.copy(dst.plus(count * stride + lane), Operand::slot(pair.plus(stride)), 1);
        }
        Ok(())
    }

    /// One scalar operation and the bit that says whether its result did not fit.
    pub(in crate::lower) fn overflow_op(
        &mut self,
        op: OverflowOp,
        bits: u32,
        dst: Slot,
        a: Operand,
        b: Operand,
    ) {
        self.emit(if bits > 64 {
            Op::Wide { op: WideOp::Overflow(op), w: bits, dst, a, b }
        } else {
            Op::Overflow { op, w: narrow(bits), dst, a, b }
        });
    }

    /// `adc` and `sbb`: a carry that is not zero, two words, and a result of the carry and a word.
    fn with_carry(&mut self, inst: Inst<'m>, op: OverflowOp) -> LowerResult {
        let bits = lanes(inst.operand(1).ty())?.bits();
        let (given, a, b) = (self.arg(inst, 0)?, self.arg(inst, 1)?, self.arg(inst, 2)?);
        let dst = self.dst(inst);
        let (zero, carry, first, second) = (self.int(0), self.temp(1), self.temp(2), self.temp(2));
        self.compare(IntPredicate::Ne, 8, carry, given, zero);
        self.resize(false, 1, bits, carry, Operand::slot(carry));
        self.overflow_op(op, bits, first, a, b);
        self.overflow_op(op, bits, second, Operand::slot(first), Operand::slot(carry));
        let bit = self.temp(1);
        let carries = [Operand::slot(first.plus(1)), Operand::slot(second.plus(1))];
        self.int_op(Opcode::Or, 1, WrapFlags::NONE, bit, carries)?;
        self.resize(false, 1, 8, dst, Operand::slot(bit));
        self.copy(dst.plus(1), Operand::slot(second), 1);
        Ok(())
    }

    fn funnel_shift(&mut self, inst: Inst<'m>, left: bool) -> LowerResult {
        let lanes = lanes(inst.ty())?;
        let (a, b, c) = (self.arg(inst, 0)?, self.arg(inst, 1)?, self.arg(inst, 2)?);
        let dst = self.dst(inst);
        for lane in 0..lanes.count {
            let at = lane * lanes.stride();
            let (dst, a, b, c) = (dst.plus(at), a.plus(at), b.plus(at), c.plus(at));
            if lanes.bits() <= 64 {
                let w = narrow(lanes.bits());
                self.emit(Op::FunnelShift { left, w, dst, a, b, c });
            } else {
                self.wide_funnel_shift(left, lanes.bits(), dst, [a, b, c])?;
            }
        }
        Ok(())
    }

    /// `a:b` shifted by `c` modulo the width, as two shifts whose sum is the width: the other side
    /// is shifted by one first, so that no shift is as wide as the number.
    fn wide_funnel_shift(
        &mut self,
        left: bool,
        bits: u32,
        dst: Slot,
        [a, b, c]: [Operand; 3],
    ) -> LowerResult {
        let n = everett_ir::words(bits);
        let (amount, rest, high, low) = (self.temp(n), self.temp(n), self.temp(n), self.temp(n));
        let width = self.wide_number(u64::from(bits), n);
        let most = self.wide_number(u64::from(bits) - 1, n);
        let one = self.wide_number(1, n);
        let none = WrapFlags::NONE;
        self.int_op(Opcode::URem, bits, none, amount, [c, width])?;
        self.int_op(Opcode::Sub, bits, none, rest, [most, Operand::slot(amount)])?;
        let (amount, rest) = (Operand::slot(amount), Operand::slot(rest));
        let (high_op, low_op) = (Operand::slot(high), Operand::slot(low));
        if left {
            self.int_op(Opcode::Shl, bits, none, high, [a, amount])?;
            self.int_op(Opcode::LShr, bits, none, low, [b, one])?;
            self.int_op(Opcode::LShr, bits, none, low, [low_op, rest])?;
        } else {
            self.int_op(Opcode::Shl, bits, none, high, [a, one])?;
            self.int_op(Opcode::Shl, bits, none, high, [high_op, rest])?;
            self.int_op(Opcode::LShr, bits, none, low, [b, amount])?;
        }
        self.int_op(Opcode::Or, bits, none, dst, [high_op, low_op])
    }

    /// A small number in `n` words.
    pub(in crate::lower) fn wide_number(&mut self, value: u64, n: u32) -> Operand {
        let mut words = vec![everett_ir::Const::Int(0); n as usize];
        words[0] = everett_ir::Const::Int(value);
        self.unit.constants(words)
    }

    /// `ucmp` and `scmp`: the difference of two comparisons, since the result has its own width.
    fn three_way(&mut self, inst: Inst<'m>, op: IntBinary) -> LowerResult {
        use everett_ir::IntPredicate;
        let (from, to) = (lanes(inst.operand(0).ty())?, lanes(inst.ty())?);
        let (a, b) = (self.arg(inst, 0)?, self.arg(inst, 1)?);
        let dst = self.dst(inst);
        let (more, less) = match op {
            IntBinary::SCmp => (IntPredicate::Sgt, IntPredicate::Slt),
            _ => (IntPredicate::Ugt, IntPredicate::Ult),
        };
        let (bit, sum, other) = (self.temp(1), self.temp(to.stride()), self.temp(to.stride()));
        for lane in 0..to.count {
            let (a, b) = (a.plus(lane * from.stride()), b.plus(lane * from.stride()));
            self.compare(more, from.bits(), bit, a, b);
            self.resize(false, 1, to.bits(), sum, Operand::slot(bit));
            self.compare(less, from.bits(), bit, a, b);
            self.resize(false, 1, to.bits(), other, Operand::slot(bit));
            let (a, b) = (Operand::slot(sum), Operand::slot(other));
            self.int_op(
                Opcode::Sub,
                to.bits(),
                WrapFlags::NONE,
                dst.plus(lane * to.stride()),
                [a, b],
            )?;
        }
        Ok(())
    }
}

fn unary(name: &str) -> Option<IntUnary> {
    Some(match name {
        "ctpop" => IntUnary::PopCount,
        "ctlz" => IntUnary::LeadingZeros,
        "cttz" => IntUnary::TrailingZeros,
        "bswap" => IntUnary::ByteSwap,
        "bitreverse" => IntUnary::BitReverse,
        "abs" => IntUnary::Abs,
        _ => return None,
    })
}

fn binary(name: &str) -> Option<IntBinary> {
    Some(match name {
        "umin" => IntBinary::UMin,
        "umax" => IntBinary::UMax,
        "smin" => IntBinary::SMin,
        "smax" => IntBinary::SMax,
        "uadd.sat" => IntBinary::UAddSat,
        "sadd.sat" => IntBinary::SAddSat,
        "usub.sat" => IntBinary::USubSat,
        "ssub.sat" => IntBinary::SSubSat,
        "ushl.sat" => IntBinary::UShlSat,
        "sshl.sat" => IntBinary::SShlSat,
        _ => return None,
    })
}

fn overflow(name: &str) -> Option<OverflowOp> {
    Some(match name {
        "sadd.with.overflow" => OverflowOp::SAdd,
        "uadd.with.overflow" => OverflowOp::UAdd,
        "ssub.with.overflow" => OverflowOp::SSub,
        "usub.with.overflow" => OverflowOp::USub,
        "smul.with.overflow" => OverflowOp::SMul,
        "umul.with.overflow" => OverflowOp::UMul,
        _ => return None,
    })
}
