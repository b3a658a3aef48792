//! Floating-point arithmetic and comparisons.

use everett_ir::{FloatBinary, FloatPredicate, FloatUnary, Op};

use crate::sys::{Inst, Opcode, Value};

use crate::lower::LowerResult;
use crate::lower::function::FunctionLowering;
use crate::lower::shape::lanes;

impl<'m> FunctionLowering<'_, 'm> {
    /// `fadd` and its relatives.
    pub(crate) fn float_binary(&mut self, inst: Inst<'m>) -> LowerResult {
        let op = match inst.opcode() {
            Opcode::FSub => FloatBinary::Sub,
            Opcode::FMul => FloatBinary::Mul,
            Opcode::FDiv => FloatBinary::Div,
            Opcode::FRem => FloatBinary::Rem,
            _ => FloatBinary::Add,
        };
        self.float_two(inst, op, inst.operand(0), inst.operand(1))
    }

    /// An operation with two inputs, lane by lane.
    pub(crate) fn float_two(
        &mut self,
        inst: Inst<'m>,
        op: FloatBinary,
        a: Value<'m>,
        b: Value<'m>,
    ) -> LowerResult {
        let lanes = lanes(inst.ty())?;
        let kind = lanes.float()?;
        let (a, b) = (self.operand(a)?, self.operand(b)?);
        let dst = self.dst(inst);
        self.each_lane(lanes, |body, at| {
            let (dst, a, b) = (dst.plus(at), a.plus(at), b.plus(at));
            body.emit(Op::FloatBinary { op, kind, dst, a, b });
        });
        Ok(())
    }

    /// `fneg`.
    pub(crate) fn float_negate(&mut self, inst: Inst<'m>) -> LowerResult {
        self.float_one(inst, FloatUnary::Neg)
    }

    /// An operation with one input, lane by lane.
    pub(crate) fn float_one(&mut self, inst: Inst<'m>, op: FloatUnary) -> LowerResult {
        let lanes = lanes(inst.ty())?;
        let kind = lanes.float()?;
        let a = self.operand(inst.operand(0))?;
        let dst = self.dst(inst);
        self.each_lane(lanes, |body, at| {
            body.emit(Op::FloatUnary { op, kind, dst: dst.plus(at), a: a.plus(at) });
        });
        Ok(())
    }

    /// `fcmp`.
    pub(crate) fn float_compare(&mut self, inst: Inst<'m>) -> LowerResult {
        self.float_compare_as(inst, inst.float_predicate())
    }

    /// A comparison of operands 0 and 1 with a given predicate.
    pub(crate) fn float_compare_as(&mut self, inst: Inst<'m>, pred: FloatPredicate) -> LowerResult {
        let lanes = lanes(inst.operand(0).ty())?;
        let kind = lanes.float()?;
        let (a, b) = (self.operand(inst.operand(0))?, self.operand(inst.operand(1))?);
        let dst = self.dst(inst);
        for lane in 0..lanes.count {
            let at = lane * lanes.stride();
            let (dst, a, b) = (dst.plus(lane), a.plus(at), b.plus(at));
            self.emit(Op::FloatCompare { pred, kind, dst, a, b });
        }
        Ok(())
    }
}
