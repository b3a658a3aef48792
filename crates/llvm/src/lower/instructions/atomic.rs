//! `cmpxchg` and `atomicrmw`.

use everett_ir::{Op, RmwOp};

use crate::sys::{Inst, RmwKind};

use crate::lower::function::FunctionLowering;
use crate::lower::shape::{VectorLanes, lanes};
use crate::lower::{LowerResult, UnsupportedConstruct};

impl<'m> FunctionLowering<'_, 'm> {
    /// `cmpxchg`. A weak one never fails for no reason here.
    pub(crate) fn compare_exchange(&mut self, inst: Inst<'m>) -> LowerResult {
        let bytes = atomic_bytes(lanes(inst.operand(1).ty())?)?;
        let ptr = self.operand(inst.operand(0))?;
        let expected = self.operand(inst.operand(1))?;
        let new = self.operand(inst.operand(2))?;
        let dst = self.dst(inst);
        let access = inst.access_flags();
        self.emit(Op::CompareExchange { bytes, access, dst, ptr, expected, new });
        Ok(())
    }

    /// `atomicrmw`.
    pub(crate) fn atomic_rmw(&mut self, inst: Inst<'m>) -> LowerResult {
        let lanes = lanes(inst.ty())?;
        let bytes = atomic_bytes(lanes)?;
        let op = rmw_op(inst.rmw_kind(), lanes)?;
        let ptr = self.operand(inst.operand(0))?;
        let val = self.operand(inst.operand(1))?;
        let dst = self.dst(inst);
        let access = inst.access_flags();
        self.emit(Op::AtomicRmw { op, bytes, access, dst, ptr, val });
        Ok(())
    }
}

fn atomic_bytes(lanes: VectorLanes) -> LowerResult<u8> {
    let bits = lanes.bits();
    if lanes.count != 1 || !bits.is_multiple_of(8) || bits > 128 {
        return Err(UnsupportedConstruct::new(format!(
            "atomic access of {} x {bits} bits",
            lanes.count
        )));
    }
    Ok((bits / 8) as u8)
}

fn rmw_op(kind: RmwKind, lanes: VectorLanes) -> LowerResult<RmwOp> {
    Ok(match kind {
        RmwKind::LLVMAtomicRMWBinOpXchg => RmwOp::Exchange,
        RmwKind::LLVMAtomicRMWBinOpAdd => RmwOp::Add,
        RmwKind::LLVMAtomicRMWBinOpSub => RmwOp::Sub,
        RmwKind::LLVMAtomicRMWBinOpAnd => RmwOp::And,
        RmwKind::LLVMAtomicRMWBinOpNand => RmwOp::Nand,
        RmwKind::LLVMAtomicRMWBinOpOr => RmwOp::Or,
        RmwKind::LLVMAtomicRMWBinOpXor => RmwOp::Xor,
        RmwKind::LLVMAtomicRMWBinOpMax => RmwOp::SMax,
        RmwKind::LLVMAtomicRMWBinOpMin => RmwOp::SMin,
        RmwKind::LLVMAtomicRMWBinOpUMax => RmwOp::UMax,
        RmwKind::LLVMAtomicRMWBinOpUMin => RmwOp::UMin,
        RmwKind::LLVMAtomicRMWBinOpFAdd => RmwOp::FAdd(lanes.float()?),
        RmwKind::LLVMAtomicRMWBinOpFSub => RmwOp::FSub(lanes.float()?),
        RmwKind::LLVMAtomicRMWBinOpFMax => RmwOp::FMax(lanes.float()?),
        RmwKind::LLVMAtomicRMWBinOpFMin => RmwOp::FMin(lanes.float()?),
        RmwKind::LLVMAtomicRMWBinOpUIncWrap => RmwOp::UIncWrap,
        RmwKind::LLVMAtomicRMWBinOpUDecWrap => RmwOp::UDecWrap,
    })
}
