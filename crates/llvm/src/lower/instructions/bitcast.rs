//! Bit casts between shapes, through one long integer.

use everett_ir::{Op, Operand, Slot, words};

use crate::sys::Inst;

use crate::lower::function::FunctionLowering;
use crate::lower::shape::{VectorLanes, lanes};
use crate::lower::{LowerResult, UnsupportedConstruct};

impl<'m> FunctionLowering<'_, 'm> {
    /// `bitcast` between lanes of different widths; others are aliases.
    pub(crate) fn bit_cast(&mut self, inst: Inst<'m>) -> LowerResult {
        let (from, to) = (lanes(inst.operand(0).ty())?, lanes(inst.ty())?);
        let a = self.operand(inst.operand(0))?;
        let dst = self.dst(inst);
        self.reshape(from, to, dst, a)
    }

    /// Regroups the same bits into other lanes.
    pub(crate) fn reshape(
        &mut self,
        from: VectorLanes,
        to: VectorLanes,
        dst: Slot,
        a: Operand,
    ) -> LowerResult {
        if from.bits() * from.count != to.bits() * to.count {
            return Err(UnsupportedConstruct::new("cast between values of different sizes"));
        }
        if to.count == 1 {
            return self.pack(from, dst, a);
        }
        if from.count == 1 {
            return self.unpack(to, dst, a);
        }
        let whole = self.temp(words(from.bits() * from.count));
        self.pack(from, whole, a)?;
        self.unpack(to, dst, Operand::slot(whole))
    }

    /// Joins lanes into one integer.
    pub(crate) fn pack(&mut self, lanes: VectorLanes, dst: Slot, a: Operand) -> LowerResult {
        let (lanes, lane_bits) = sizes(lanes)?;
        self.emit(Op::Pack { lanes, lane_bits, dst, a });
        Ok(())
    }

    /// Spreads one integer over lanes.
    pub(crate) fn unpack(&mut self, lanes: VectorLanes, dst: Slot, a: Operand) -> LowerResult {
        let (lanes, lane_bits) = sizes(lanes)?;
        self.emit(Op::Unpack { lanes, lane_bits, dst, a });
        Ok(())
    }
}

fn sizes(lanes: VectorLanes) -> LowerResult<(u16, u16)> {
    match (u16::try_from(lanes.count), u16::try_from(lanes.bits())) {
        (Ok(count), Ok(bits)) => Ok((count, bits)),
        _ => Err(UnsupportedConstruct::new("cast of a vector with more than 65535 lanes or bits")),
    }
}
