//! `extractelement`, `insertelement` and `shufflevector`.

use everett_ir::{IntPredicate, Operand};

use crate::sys::{Inst, Value};

use super::body::Body;
use super::shape::lanes;
use super::{Lowered, Unsupported};

impl<'m> Body<'_, 'm> {
    /// `extractelement` with an index that is not constant: a chain of choices.
    pub(super) fn extract_element(&mut self, inst: Inst<'m>) -> Lowered {
        let lanes = lanes(inst.operand(0).ty())?;
        let vector = self.operand(inst.operand(0))?;
        let dst = self.dst(inst);
        let index = inst.operand(1);
        if index.is_constant() {
            // Out of range, hence poison: any value will do.
            self.copy(dst, vector, lanes.stride());
            return Ok(());
        }
        let shape = self.unit.shape(inst.ty())?;
        self.copy(dst, vector, lanes.stride());
        for lane in 1..lanes.count {
            let c = self.is_lane(index, lane)?;
            for (slot, width) in (0..).zip(&shape.widths) {
                let chosen = vector.plus(lane * lanes.stride() + slot);
                let kept = Operand::slot(dst.plus(slot));
                self.choose(*width, dst.plus(slot), c, chosen, kept);
            }
        }
        Ok(())
    }

    /// `insertelement`.
    pub(super) fn insert_element(&mut self, inst: Inst<'m>) -> Lowered {
        let lanes = lanes(inst.ty())?;
        let dst = self.dst(inst);
        let total = lanes.count * lanes.stride();
        let index = inst.operand(2);
        if let Some(lane) = index.as_u64() {
            let skip = lane.min(u64::from(lanes.count) - 1) as u32 * lanes.stride();
            return self.replace(inst, dst, total, skip, lanes.stride());
        }
        let vector = self.operand(inst.operand(0))?;
        let element = self.operand(inst.operand(1))?;
        let shape = self.unit.shape(inst.operand(1).ty())?;
        for lane in 0..lanes.count {
            let c = self.is_lane(index, lane)?;
            for (slot, width) in (0..).zip(&shape.widths) {
                let at = lane * lanes.stride() + slot;
                self.choose(*width, dst.plus(at), c, element.plus(slot), vector.plus(at));
            }
        }
        Ok(())
    }

    /// A bit that says whether `index` is `lane`.
    fn is_lane(&mut self, index: Value<'m>, lane: u32) -> Lowered<Operand> {
        let bits = lanes(index.ty())?.bits();
        if bits > 64 {
            return Err(Unsupported::new("vector index of more than 64 bits"));
        }
        let a = self.operand(index)?;
        let b = self.int(u64::from(lane) & super::fold::mask(bits));
        let dst = self.temp(1);
        self.compare(IntPredicate::Eq, bits, dst, a, b);
        Ok(Operand::slot(dst))
    }

    /// `shufflevector`.
    pub(super) fn shuffle(&mut self, inst: Inst<'m>) -> Lowered {
        let lanes = lanes(inst.operand(0).ty())?;
        let mask = inst.value().shuffle_mask();
        let dst = self.dst(inst);
        let mut picks = Vec::new();
        for (lane, pick) in (0..).zip(mask) {
            let source = match pick {
                Some(pick) if pick < lanes.count => {
                    self.operand(inst.operand(0))?.plus(pick * lanes.stride())
                }
                Some(pick) => {
                    self.operand(inst.operand(1))?.plus((pick - lanes.count) * lanes.stride())
                }
                None => self.unit.constants(zeroes(lanes.stride())),
            };
            picks.push((lane * lanes.stride(), source));
        }
        self.copy_lanes(dst, &picks, lanes.stride());
        Ok(())
    }

    /// Copies lanes of `stride` slots each, neighbours together.
    pub(super) fn copy_lanes(
        &mut self,
        dst: everett_ir::Slot,
        picks: &[(u32, Operand)],
        stride: u32,
    ) {
        let mut runs: Vec<(u32, Operand, u32)> = Vec::new();
        for (at, source) in picks {
            match runs.last_mut() {
                Some((first, from, n)) if *first + *n == *at && from.plus(*n) == *source => {
                    *n += stride;
                }
                _ => runs.push((*at, *source, stride)),
            }
        }
        for (at, source, n) in runs {
            self.copy(dst.plus(at), source, n);
        }
    }
}

/// Constants for a lane that nobody has defined.
fn zeroes(slots: u32) -> Vec<everett_ir::Const> {
    vec![everett_ir::Const::Int(0); slots as usize]
}
