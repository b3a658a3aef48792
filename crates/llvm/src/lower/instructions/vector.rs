//! `extractelement`, `insertelement` and `shufflevector`.

use everett_ir::{IntPredicate, Op, Operand, OperandPromise, Slot, words};

use crate::sys::{Inst, Value};

use crate::lower::function::FunctionLowering;
use crate::lower::shape::lanes;
use crate::lower::{LowerResult, UnsupportedConstruct};

impl<'m> FunctionLowering<'_, 'm> {
    /// `extractelement` with an index that is not constant: a chain of choices.
    pub(crate) fn extract_element(&mut self, inst: Inst<'m>) -> LowerResult {
        let lanes = lanes(inst.operand(0).ty())?;
        let vector = self.operand(inst.operand(0))?;
        let dst = self.dst(inst);
        let index = inst.operand(1);
        self.copy(dst, vector, lanes.stride());
        if index.is_constant() {
            // An index within range needs no code at all.
            return self.promise_lane(index, lanes.count, dst, lanes.stride());
        }
        let shape = self.unit.shape(inst.ty())?;
        for lane in 1..lanes.count {
            let c = self.is_lane(index, lane)?;
            for (slot, width) in (0..).zip(&shape.widths) {
                let chosen = vector.plus(lane * lanes.stride() + slot);
                let kept = Operand::slot(dst.plus(slot));
                self.choose(*width, dst.plus(slot), c, chosen, kept);
            }
        }
        self.promise_lane(index, lanes.count, dst, lanes.stride())
    }

    /// `insertelement`.
    pub(crate) fn insert_element(&mut self, inst: Inst<'m>) -> LowerResult {
        let lanes = lanes(inst.ty())?;
        let dst = self.dst(inst);
        let total = lanes.count * lanes.stride();
        let index = inst.operand(2);
        if let Some(lane) = index.as_u64().filter(|lane| *lane < lanes.count.into()) {
            return self.replace(inst, dst, total, lane as u32 * lanes.stride(), lanes.stride());
        }
        let vector = self.operand(inst.operand(0))?;
        if index.is_constant() {
            self.copy(dst, vector, total);
            return self.promise_lane(index, lanes.count, dst, total);
        }
        let element = self.operand(inst.operand(1))?;
        let shape = self.unit.shape(inst.operand(1).ty())?;
        for lane in 0..lanes.count {
            let c = self.is_lane(index, lane)?;
            for (slot, width) in (0..).zip(&shape.widths) {
                let at = lane * lanes.stride() + slot;
                self.choose(*width, dst.plus(at), c, element.plus(slot), vector.plus(at));
            }
        }
        self.promise_lane(index, lanes.count, dst, total)
    }

    /// The result of an access to a lane, `slots` slots from `dst` on, exists only if the lane does.
    fn promise_lane(&mut self, index: Value<'m>, lanes: u32, dst: Slot, slots: u32) -> LowerResult {
        let w = crate::lower::shape::lanes(index.ty())?.bits();
        // Where no index can be too large, the number of lanes may not even fit the index.
        if w < 32 && lanes >> w > 0 {
            return Ok(());
        }
        let n =
            u16::try_from(slots).map_err(|_| UnsupportedConstruct::new("vector of 65536 slots"))?;
        let (a, b) = (self.operand(index)?, self.wide_number(lanes.into(), words(w)));
        self.emit(Op::Promise { what: OperandPromise::Lane, n, w, dst, a, b });
        Ok(())
    }

    /// A bit that says whether `index` is `lane`.
    fn is_lane(&mut self, index: Value<'m>, lane: u32) -> LowerResult<Operand> {
        let bits = lanes(index.ty())?.bits();
        if bits > 64 {
            return Err(UnsupportedConstruct::new("vector index of more than 64 bits"));
        }
        let a = self.operand(index)?;
        let b = self.int(u64::from(lane) & crate::lower::fold::mask(bits));
        let dst = self.temp(1);
        self.compare(IntPredicate::Eq, bits, dst, a, b);
        Ok(Operand::slot(dst))
    }

    /// `shufflevector`.
    pub(crate) fn shuffle(&mut self, inst: Inst<'m>) -> LowerResult {
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
    pub(crate) fn copy_lanes(
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
