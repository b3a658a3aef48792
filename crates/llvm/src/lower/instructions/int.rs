//! Integer arithmetic, comparisons and `select`.

use everett_ir::{IntPredicate, Op, Operand, OperandPromise, Slot, WideOp, WrapFlags};

use crate::sys::{Inst, Opcode};

use crate::lower::function::FunctionLowering;
use crate::lower::shape::{VectorLanes, lanes, narrow};
use crate::lower::{LowerResult, UnsupportedConstruct};

impl<'m> FunctionLowering<'_, 'm> {
    /// `add`, `sub` and the other operations with two operands of one type.
    pub(crate) fn int_binary(&mut self, inst: Inst<'m>) -> LowerResult {
        let lanes = lanes(inst.ty())?;
        let (a, b) = (self.operand(inst.operand(0))?, self.operand(inst.operand(1))?);
        let dst = self.dst(inst);
        let (opcode, wrap) = (inst.opcode(), wrap(inst));
        for lane in 0..lanes.count {
            let at = lane * lanes.stride();
            let (dst, a, b) = (dst.plus(at), a.plus(at), b.plus(at));
            self.int_op(opcode, lanes.bits(), wrap, dst, [a, b])?;
            if let Some(what) = promise(inst, lanes.bits(), wrap) {
                self.promise(what, lanes.bits(), dst, a, b);
            }
        }
        Ok(())
    }

    /// `freeze`, of any type.
    pub(crate) fn freeze(&mut self, inst: Inst<'m>) -> LowerResult {
        let a = self.operand(inst.operand(0))?;
        let dst = self.dst(inst);
        let slots = self.unit.slots(inst.ty())?;
        let n = u16::try_from(slots)
            .map_err(|_| UnsupportedConstruct::new("freeze of a huge aggregate".to_owned()))?;
        self.emit(Op::Freeze { n, dst, a });
        Ok(())
    }

    /// One scalar operation of any width.
    pub(crate) fn int_op(
        &mut self,
        opcode: Opcode,
        bits: u32,
        wrap: WrapFlags,
        dst: Slot,
        [a, b]: [Operand; 2],
    ) -> LowerResult {
        if bits > 64 {
            let op = wide_op(opcode)?;
            self.emit(Op::Wide { op, w: bits, dst, a, b });
            return Ok(());
        }
        let w = narrow(bits);
        self.emit(match opcode {
            Opcode::Add => Op::Add { w, wrap, dst, a, b },
            Opcode::Sub => Op::Sub { w, wrap, dst, a, b },
            Opcode::Mul => Op::Mul { w, wrap, dst, a, b },
            Opcode::UDiv => Op::UDiv { w, dst, a, b },
            Opcode::SDiv => Op::SDiv { w, dst, a, b },
            Opcode::URem => Op::URem { w, dst, a, b },
            Opcode::SRem => Op::SRem { w, dst, a, b },
            Opcode::Shl => Op::Shl { w, wrap, dst, a, b },
            Opcode::LShr => Op::LShr { w, dst, a, b },
            Opcode::AShr => Op::AShr { w, dst, a, b },
            Opcode::And => Op::And { w, dst, a, b },
            Opcode::Or => Op::Or { w, dst, a, b },
            Opcode::Xor => Op::Xor { w, dst, a, b },
            other => return Err(UnsupportedConstruct::new(format!("integer operation {other:?}"))),
        });
        Ok(())
    }

    /// `icmp` that no branch evaluates itself.
    pub(crate) fn int_compare(&mut self, inst: Inst<'m>) -> LowerResult {
        let lanes = lanes(inst.operand(0).ty())?;
        let (a, b) = (self.operand(inst.operand(0))?, self.operand(inst.operand(1))?);
        let dst = self.dst(inst);
        for lane in 0..lanes.count {
            let at = lane * lanes.stride();
            let pred = inst.int_predicate();
            self.compare(pred, lanes.bits(), dst.plus(lane), a.plus(at), b.plus(at));
        }
        Ok(())
    }

    /// One scalar comparison of any width.
    pub(crate) fn compare(
        &mut self,
        pred: IntPredicate,
        bits: u32,
        dst: Slot,
        a: Operand,
        b: Operand,
    ) {
        self.emit(if bits > 64 {
            Op::Wide { op: WideOp::Compare(pred), w: bits, dst, a, b }
        } else {
            Op::ICmp { pred, w: narrow(bits), dst, a, b }
        });
    }

    /// `select` between scalars, vectors or aggregates.
    pub(crate) fn select(&mut self, inst: Inst<'m>) -> LowerResult {
        let c = self.operand(inst.operand(0))?;
        let (a, b) = (self.operand(inst.operand(1))?, self.operand(inst.operand(2))?);
        let conditions = lanes(inst.operand(0).ty())?.count;
        let shape = self.unit.shape(inst.ty())?;
        let each = shape.slots() / conditions.max(1);
        let dst = self.dst(inst);
        for (slot, width) in (0..).zip(&shape.widths) {
            let c = if conditions > 1 { c.plus(slot / each) } else { c };
            self.choose(*width, dst.plus(slot), c, a.plus(slot), b.plus(slot));
        }
        Ok(())
    }

    /// One slot of a `select`.
    pub(crate) fn choose(&mut self, w: u8, dst: Slot, c: Operand, a: Operand, b: Operand) {
        self.emit(Op::Select { w, dst, c, a, b });
    }

    /// `op(dst, a)` for each lane.
    pub(crate) fn each_lane(&mut self, lanes: VectorLanes, mut op: impl FnMut(&mut Self, u32)) {
        for lane in 0..lanes.count {
            op(self, lane * lanes.stride());
        }
    }
}

/// The no-wrap promises of an instruction.
fn wrap(inst: Inst<'_>) -> WrapFlags {
    match inst.opcode() {
        Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::Shl => {
            let (signed, unsigned) = inst.no_wrap();
            let signed = if signed { WrapFlags::SIGNED.0 } else { 0 };
            let unsigned = if unsigned { WrapFlags::UNSIGNED.0 } else { 0 };
            WrapFlags(signed | unsigned)
        }
        _ => WrapFlags::NONE,
    }
}

/// Returns the promise about an instruction's inputs that its op does not state itself.
fn promise(inst: Inst<'_>, bits: u32, wrap: WrapFlags) -> Option<OperandPromise> {
    let wide = bits > 64 && wrap.signed();
    match inst.opcode() {
        Opcode::Add if wide => Some(OperandPromise::SignedAdd),
        Opcode::Sub if wide => Some(OperandPromise::SignedSub),
        Opcode::Mul if wide => Some(OperandPromise::SignedMul),
        Opcode::Shl if wide => Some(OperandPromise::SignedShl),
        Opcode::LShr | Opcode::AShr if inst.is_exact() => Some(OperandPromise::ExactShift),
        Opcode::UDiv if inst.is_exact() => Some(OperandPromise::ExactUnsignedDivision),
        Opcode::SDiv if inst.is_exact() => Some(OperandPromise::ExactSignedDivision),
        _ => None,
    }
}

fn wide_op(opcode: Opcode) -> LowerResult<WideOp> {
    Ok(match opcode {
        Opcode::Add => WideOp::Add,
        Opcode::Sub => WideOp::Sub,
        Opcode::Mul => WideOp::Mul,
        Opcode::UDiv => WideOp::UDiv,
        Opcode::SDiv => WideOp::SDiv,
        Opcode::URem => WideOp::URem,
        Opcode::SRem => WideOp::SRem,
        Opcode::Shl => WideOp::Shl,
        Opcode::LShr => WideOp::LShr,
        Opcode::AShr => WideOp::AShr,
        Opcode::And => WideOp::And,
        Opcode::Or => WideOp::Or,
        Opcode::Xor => WideOp::Xor,
        other => return Err(UnsupportedConstruct::new(format!("integer operation {other:?}"))),
    })
}
