//! Width changes and conversions between integers and floating point.

use everett_ir::{FloatCast, Op, Operand, Slot, WideCast};

use crate::sys::{Inst, Opcode};

use crate::lower::function::FunctionLowering;
use crate::lower::shape::{lanes, narrow};
use crate::lower::{LowerResult, UnsupportedConstruct};

impl<'m> FunctionLowering<'_, 'm> {
    /// `trunc`, `zext`, `sext`, and conversions between pointers and integers of other widths.
    pub(crate) fn int_cast(&mut self, inst: Inst<'m>) -> LowerResult {
        let (from, to) = (lanes(inst.operand(0).ty())?, lanes(inst.ty())?);
        let a = self.operand(inst.operand(0))?;
        let dst = self.dst(inst);
        for lane in 0..to.count {
            let (dst, a) = (dst.plus(lane * to.stride()), a.plus(lane * from.stride()));
            self.resize(inst.opcode() == Opcode::SExt, from.bits(), to.bits(), dst, a);
        }
        Ok(())
    }

    /// Truncates or extends one integer.
    pub(crate) fn resize(&mut self, signed: bool, from: u32, to: u32, dst: Slot, a: Operand) {
        self.emit(if from == to {
            Op::Copy { n: everett_ir::words(to) as u16, dst, a }
        } else if to < from && to <= 64 {
            // The low word holds all that is kept.
            if to == 64 { Op::Copy { n: 1, dst, a } } else { Op::Trunc { to: narrow(to), dst, a } }
        } else if from > 64 || to > 64 {
            let op = match (to < from, signed) {
                (true, _) => WideCast::Trunc,
                (false, true) => WideCast::SExt,
                (false, false) => WideCast::ZExt,
            };
            Op::WideCast { op, from, to, dst, a }
        } else if signed {
            Op::SExt { from: narrow(from), to: narrow(to), dst, a }
        } else {
            Op::ZExt { from: narrow(from), to: narrow(to), dst, a }
        });
    }

    /// Conversions from, to and between floating-point formats.
    pub(crate) fn float_cast(&mut self, inst: Inst<'m>) -> LowerResult {
        let (from, to) = (lanes(inst.operand(0).ty())?, lanes(inst.ty())?);
        let (op, kind, bits) = match inst.opcode() {
            Opcode::FPToUI => (FloatCast::ToUnsigned, from.float()?, to.bits()),
            Opcode::FPToSI => (FloatCast::ToSigned, from.float()?, to.bits()),
            Opcode::UIToFP => (FloatCast::FromUnsigned, to.float()?, from.bits()),
            Opcode::SIToFP => (FloatCast::FromSigned, to.float()?, from.bits()),
            Opcode::FPTrunc | Opcode::FPExt => (FloatCast::To(to.float()?), from.float()?, 0),
            other => return Err(UnsupportedConstruct::new(format!("conversion {other:?}"))),
        };
        let bits = u16::try_from(bits).map_err(|_| {
            UnsupportedConstruct::new("conversion of an integer of more than 65535 bits")
        })?;
        let a = self.operand(inst.operand(0))?;
        let dst = self.dst(inst);
        for lane in 0..to.count {
            let (dst, a) = (dst.plus(lane * to.stride()), a.plus(lane * from.stride()));
            self.emit(Op::FloatCast { op, kind, bits, dst, a });
        }
        Ok(())
    }
}
