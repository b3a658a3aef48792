//! Intrinsics on vectors: reductions, rearrangements, masked access.

use everett_ir::{AccessFlags, FloatBinary, IntBinary, IntPredicate, Op, Operand, Slot, WrapFlags};

use crate::lower::function::FunctionLowering;
use crate::lower::shape::{VectorLanes, lanes};
use crate::lower::{LowerResult, UnsupportedConstruct};
use crate::sys::{Inst, Opcode, Type, TypeKind};

/// The operation by which a reduction joins two lanes.
enum LaneReduction {
    Int(Opcode),
    Pick(IntBinary),
    Float(FloatBinary),
}

impl<'m> FunctionLowering<'_, 'm> {
    /// An intrinsic on vectors; `false` when the name is none of them.
    pub(super) fn vector_intrinsic(&mut self, inst: Inst<'m>, name: &str) -> LowerResult<bool> {
        if let Some(kind) = name.strip_prefix("vector.reduce.") {
            return self.reduce(inst, kind);
        }
        match name {
            "vector.reverse" => self.rearrange(inst, |lane, count| count - 1 - lane)?,
            "vector.extract" => {
                let start = inst.operand(1).as_u64().unwrap_or(0) as u32;
                self.rearrange(inst, |lane, _| start + lane)?;
            }
            "vector.insert" => self.insert_vector(inst)?,
            "get.active.lane.mask" => self.lane_mask(inst)?,
            "stepvector" | "experimental.stepvector" => self.steps_of_one(inst)?,
            "masked.load" => self.masked(inst, MaskedAccess::load())?,
            "masked.store" => self.masked(inst, MaskedAccess::store())?,
            "masked.gather" => self.masked(inst, MaskedAccess::gather())?,
            "masked.scatter" => self.masked(inst, MaskedAccess::scatter())?,
            "x86.sse2.pmovmskb.128"
            | "x86.avx2.pmovmskb"
            | "x86.sse.movmsk.ps"
            | "x86.sse2.movmsk.pd"
            | "x86.avx.movmsk.ps.256"
            | "x86.avx.movmsk.pd.256" => {
                self.sign_mask(inst)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn reduce(&mut self, inst: Inst<'m>, kind: &str) -> LowerResult<bool> {
        let join = match kind {
            "add" => LaneReduction::Int(Opcode::Add),
            "mul" => LaneReduction::Int(Opcode::Mul),
            "and" => LaneReduction::Int(Opcode::And),
            "or" => LaneReduction::Int(Opcode::Or),
            "xor" => LaneReduction::Int(Opcode::Xor),
            "umin" => LaneReduction::Pick(IntBinary::UMin),
            "umax" => LaneReduction::Pick(IntBinary::UMax),
            "smin" => LaneReduction::Pick(IntBinary::SMin),
            "smax" => LaneReduction::Pick(IntBinary::SMax),
            "fadd" => LaneReduction::Float(FloatBinary::Add),
            "fmul" => LaneReduction::Float(FloatBinary::Mul),
            "fmin" => LaneReduction::Float(FloatBinary::MinNum),
            "fmax" => LaneReduction::Float(FloatBinary::MaxNum),
            "fminimum" => LaneReduction::Float(FloatBinary::Minimum),
            "fmaximum" => LaneReduction::Float(FloatBinary::Maximum),
            _ => return Ok(false),
        };
        // `fadd` and `fmul` have a start value before the vector.
        let started = matches!(kind, "fadd" | "fmul");
        let vector = inst.operand(u32::from(started));
        let lanes = lanes(vector.ty())?;
        let vector = self.operand(vector)?;
        let start = self.arg(inst, 0)?;
        let dst = self.dst(inst);
        self.copy(dst, start, lanes.stride());
        let first = u32::from(!started);
        for lane in first..lanes.count {
            let b = vector.plus(lane * lanes.stride());
            self.join(&join, lanes, dst, Operand::slot(dst), b)?;
        }
        Ok(true)
    }

    fn join(
        &mut self,
        join: &LaneReduction,
        lanes: VectorLanes,
        dst: Slot,
        a: Operand,
        b: Operand,
    ) -> LowerResult {
        match join {
            LaneReduction::Int(opcode) => {
                self.int_op(*opcode, lanes.bits(), WrapFlags::NONE, dst, [a, b])
            }
            LaneReduction::Pick(op) => {
                self.int_pair(*op, lanes.bits(), dst, a, b);
                Ok(())
            }
            LaneReduction::Float(op) => {
                self.emit(Op::FloatBinary { op: *op, kind: lanes.float()?, dst, a, b });
                Ok(())
            }
        }
    }

    /// A result whose lanes are picked from argument 0.
    fn rearrange(&mut self, inst: Inst<'m>, pick: impl Fn(u32, u32) -> u32) -> LowerResult {
        let (from, to) = (lanes(inst.operand(0).ty())?, lanes(inst.ty())?);
        let vector = self.arg(inst, 0)?;
        let dst = self.dst(inst);
        let picks: Vec<(u32, Operand)> = (0..to.count)
            .map(|lane| {
                let lane_from = pick(lane, from.count).min(from.count - 1);
                (lane * to.stride(), vector.plus(lane_from * from.stride()))
            })
            .collect();
        self.copy_lanes(dst, &picks, to.stride());
        Ok(())
    }

    fn insert_vector(&mut self, inst: Inst<'m>) -> LowerResult {
        let (whole, part) = (lanes(inst.ty())?, lanes(inst.operand(1).ty())?);
        let start = inst.operand(2).as_u64().unwrap_or(0) as u32;
        let total = whole.count * whole.stride();
        let inserted = part.count * part.stride();
        let skip = (start * whole.stride()).min(total - inserted);
        let dst = self.dst(inst);
        self.replace(inst, dst, total, skip, inserted)
    }

    /// Lane `i` says whether `base + i` is below the limit, without wrapping.
    fn lane_mask(&mut self, inst: Inst<'m>) -> LowerResult {
        let count = lanes(inst.ty())?.count;
        let bits = narrow(lanes(inst.operand(0).ty())?)?;
        let (base, limit) = (self.arg(inst, 0)?, self.arg(inst, 1)?);
        let (dst, sum) = (self.dst(inst), self.temp(1));
        for lane in 0..count {
            let step = self.int(lane.into());
            let op = IntBinary::UAddSat;
            self.int_pair(op, bits, sum, base, step);
            self.compare(IntPredicate::Ult, bits, dst.plus(lane), Operand::slot(sum), limit);
        }
        Ok(())
    }

    fn steps_of_one(&mut self, inst: Inst<'m>) -> LowerResult {
        let lanes = lanes(inst.ty())?;
        let bits = narrow(lanes)?;
        let dst = self.dst(inst);
        for lane in 0..lanes.count {
            let a = self.int(u64::from(lane) & crate::lower::fold::mask(bits));
            self.copy(dst.plus(lane), a, 1);
        }
        Ok(())
    }

    /// `movmsk`: the sign bits of all lanes as one number.
    fn sign_mask(&mut self, inst: Inst<'m>) -> LowerResult {
        let lanes = lanes(inst.operand(0).ty())?;
        let w = narrow(lanes)?;
        let to = narrow(crate::lower::shape::lanes(inst.ty())?)?;
        let vector = self.arg(inst, 0)?;
        let signs = self.temp(lanes.count);
        let amount = self.int(u64::from(w) - 1);
        let bit = self.temp(1);
        for lane in 0..lanes.count {
            let a = vector.plus(lane);
            self.emit(Op::LShr { w: w as u8, dst: bit, a, b: amount });
            self.resize(false, w, 1, signs.plus(lane), Operand::slot(bit));
        }
        let whole = self.temp(1);
        let bits =
            VectorLanes { scalar: crate::lower::shape::ScalarType::Int(1), count: lanes.count };
        self.pack(bits, whole, Operand::slot(signs))?;
        let dst = self.dst(inst);
        self.resize(false, lanes.count, to, dst, Operand::slot(whole));
        Ok(())
    }

    /// Access to the lanes whose mask bit is set, one after the other.
    fn masked(&mut self, inst: Inst<'m>, how: MaskedAccess) -> LowerResult {
        let ty = if how.loads { inst.ty() } else { inst.operand(0).ty() };
        let lanes = lanes(ty)?;
        let element = element_type(ty)?;
        if !lanes.bits().is_multiple_of(8) {
            return Err(UnsupportedConstruct::new(format!("masked access to {ty:?}")));
        }
        let pointers = self.arg(inst, u32::from(!how.loads))?;
        let mask = self.arg(inst, if how.loads { 2 } else { 3 })?;
        let dst = self.dst(inst);
        let value = if how.loads {
            // Lanes that are not loaded come from the last argument.
            let kept = self.arg(inst, 3)?;
            self.copy(dst, kept, lanes.count * lanes.stride());
            None
        } else {
            Some(self.arg(inst, 0)?)
        };
        for lane in 0..lanes.count {
            let (take, skip) = (self.label(), self.label());
            let cond = mask.plus(lane);
            self.emit(Op::Branch { insts: 0, cond, then: take, other: skip });
            self.place(take);
            let at = lane * lanes.stride();
            let (ptr, off) = if how.many_pointers {
                (pointers.plus(lane), 0)
            } else {
                (pointers, (lane * lanes.bits() / 8) as i32)
            };
            match value {
                None => self.load_value(element, AccessFlags::PLAIN, dst.plus(at), ptr, off)?,
                Some(value) => {
                    self.store_value(element, AccessFlags::PLAIN, value.plus(at), ptr, off)?;
                }
            }
            self.emit(Op::Jump { insts: 0, target: skip });
            self.place(skip);
        }
        Ok(())
    }
}

/// The shape of a masked access.
struct MaskedAccess {
    loads: bool,
    many_pointers: bool,
}

impl MaskedAccess {
    fn load() -> MaskedAccess {
        MaskedAccess { loads: true, many_pointers: false }
    }
    fn store() -> MaskedAccess {
        MaskedAccess { loads: false, many_pointers: false }
    }
    fn gather() -> MaskedAccess {
        MaskedAccess { loads: true, many_pointers: true }
    }
    fn scatter() -> MaskedAccess {
        MaskedAccess { loads: false, many_pointers: true }
    }
}

fn element_type(ty: Type<'_>) -> LowerResult<Type<'_>> {
    match ty.kind() {
        TypeKind::Vector(element, _) => Ok(element),
        _ => Err(UnsupportedConstruct::new(format!("masked access to {ty:?}"))),
    }
}

/// The width of lanes that fit a slot.
fn narrow(lanes: VectorLanes) -> LowerResult<u32> {
    if lanes.bits() <= 64 {
        Ok(lanes.bits())
    } else {
        Err(UnsupportedConstruct::new("vector intrinsic on lanes of more than 64 bits"))
    }
}
