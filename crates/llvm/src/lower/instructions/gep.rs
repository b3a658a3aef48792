//! Address computations.

use everett_ir::{Op, Operand, Slot, WrapFlags};

use crate::sys::{Inst, Value};

use crate::lower::LowerResult;
use crate::lower::expr::AddressSummand;
use crate::lower::function::FunctionLowering;
use crate::lower::shape::{lanes, narrow};

/// An index of a `getelementptr` as one lane has it.
struct LaneIndex<'m> {
    /// One number for all lanes, or a vector.
    index: Value<'m>,
    /// The bytes that it counts in.
    scale: u64,
    lane: u32,
}

impl<'m> FunctionLowering<'_, 'm> {
    /// `getelementptr`, on one pointer or on a vector of them.
    pub(crate) fn address_of(&mut self, inst: Inst<'m>) -> LowerResult {
        let count = lanes(inst.ty())?.count;
        let dst = self.dst(inst);
        let base = inst.operand(0);
        let many = lanes(base.ty())?.count > 1;
        for lane in 0..count {
            let base = self.operand(base)?.plus(if many { lane } else { 0 });
            self.add_steps(inst.value(), base, dst.plus(lane), lane)?;
        }
        Ok(())
    }

    /// Adds all indices of a `getelementptr` to a base; `lane` picks from indices that are vectors.
    pub(crate) fn add_steps(
        &mut self,
        gep: Value<'m>,
        base: Operand,
        dst: Slot,
        lane: u32,
    ) -> LowerResult {
        let steps = self.unit.steps(gep)?;
        let mut offset = match steps.last() {
            Some(AddressSummand::Offset(offset)) => *offset,
            _ => 0,
        };
        let mut at = base;
        for step in &steps {
            let AddressSummand::Index { index, scale } = step else { continue };
            // The constant part rides on the first index.
            let off = i32::try_from(offset).unwrap_or(0);
            offset -= i64::from(off);
            let index = LaneIndex { index: *index, scale: *scale, lane };
            self.add_index(index, at, off, dst)?;
            at = Operand::slot(dst);
        }
        if offset != 0 {
            let b = self.int(offset as u64);
            self.emit(Op::Add { w: 64, wrap: WrapFlags::NONE, dst, a: at, b });
        } else if at != Operand::slot(dst) {
            self.copy(dst, at, 1);
        }
        Ok(())
    }

    fn add_index(
        &mut self,
        LaneIndex { index, scale, lane }: LaneIndex<'m>,
        base: Operand,
        off: i32,
        dst: Slot,
    ) -> LowerResult {
        let lanes = lanes(index.ty())?;
        let mut operand = self.operand(index)?;
        if lanes.count > 1 {
            operand = operand.plus(lane * lanes.stride());
        }
        // Of a longer index, only the low 64 bits count.
        let bits = lanes.bits().min(64);
        let (w, scale) = match i32::try_from(scale) {
            Ok(scale) => (narrow(bits), scale),
            Err(_) => {
                let (wide, factor) = (self.temp(1), self.int(scale));
                self.resize(true, bits, 64, wide, operand);
                let a = Operand::slot(wide);
                self.emit(Op::Mul { w: 64, wrap: WrapFlags::NONE, dst: wide, a, b: factor });
                operand = Operand::slot(wide);
                (64, 1)
            }
        };
        self.emit(Op::PtrAdd { w, dst, base, index: operand, scale, off });
        Ok(())
    }
}
