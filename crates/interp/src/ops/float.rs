//! Floating point: always concrete.
//!
//! A symbolic operand is replaced by its smallest feasible value, which the path then assumes;
//! wherever there were other values, that is counted and reported. `float` and `double` use the host's
//! arithmetic, which is IEEE 754 (`float/native.rs`); the other formats are computed in software
//! (`float/soft.rs`). An operation on memory that was never written computes with zero there, and its result
//! is undefined as a whole where an operand is.

pub(crate) mod native;
mod soft;

use everett_expr::{BitVec, TermId};
use everett_ir::{
    FloatBinary, FloatCast, FloatKind, FloatPredicate, FloatUnary, Op, Operand, RmwOp, Slot,
};

use super::wide::WideValue;
use crate::error::{Stop, UnsupportedFeature};
use crate::flow::{Flow, Halt};
use crate::interp::Interp;
use crate::omission::Omission;
use crate::state::State;
use native::{binary32, binary64, predicate, unary32, unary64};
use soft::unsupported;

impl<X: Clone> Interp<'_, X> {
    /// Executes an operation on floats.
    pub(crate) fn float_op(&mut self, st: &mut State<X>, op: Op) -> Result<Flow, Halt> {
        let undefined = self.undefined_operand(st, &op);
        let flow = self.float_dispatch(st, op)?;
        if let Some((undefined, dst, bits)) = undefined {
            // Any other value of the operand may give any other result.
            let known = self.wide_term(st, Operand::slot(dst), bits);
            let flipped = self.pool.sext(undefined, bits);
            let result = self.pool.xor(known, flipped);
            self.put_wide(st, dst, result);
        }
        Ok(flow)
    }

    fn float_dispatch(&mut self, st: &mut State<X>, op: Op) -> Result<Flow, Halt> {
        match op {
            Op::FloatBinary { op, kind, dst, a, b } => self.float_binary(st, op, kind, dst, [a, b]),
            Op::FloatUnary { op, kind, dst, a } => self.float_unary(st, op, kind, dst, a),
            Op::FloatCompare { pred, kind, dst, a, b } => {
                self.float_compare(st, pred, kind, dst, [a, b])
            }
            Op::FloatCast { .. } => self.float_cast(st, op),
            Op::FloatMulAdd { kind, dst, a, b, c } => self.float_mul_add(st, kind, dst, [a, b, c]),
            Op::FloatClass { kind, mask, dst, a } => self.float_class(st, kind, mask, dst, a),
            Op::FloatScale { power, kind, dst, a, b } => {
                self.float_scale(st, power, kind, dst, [a, b])
            }
            _ => unreachable!("dispatch sends only operations on floats here"),
        }
    }

    /// The condition under which an operand of an operation on floats depends on memory that was never
    /// written, and the place and the bits of the result.
    fn undefined_operand(&self, st: &State<X>, op: &Op) -> Option<(TermId, Slot, u32)> {
        let accesses = self.image.program.accesses(op);
        let slots = accesses.reads.iter().flat_map(|(first, n)| (0..*n).map(|i| first.plus(i)));
        let mut terms = slots.filter_map(|operand| self.get(st, operand).term()).peekable();
        terms.peek()?;
        let (dst, bits) = match *op {
            // These compute on terms.
            Op::FloatUnary { op: FloatUnary::Neg | FloatUnary::Abs, .. } => return None,
            Op::FloatBinary { kind, dst, .. }
            | Op::FloatUnary { kind, dst, .. }
            | Op::FloatMulAdd { kind, dst, .. }
            | Op::FloatScale { kind, dst, .. } => (dst, kind.bits()),
            Op::FloatCompare { dst, .. } | Op::FloatClass { dst, .. } => (dst, 1),
            Op::FloatCast { op, kind, bits, dst, .. } => match op {
                FloatCast::To(to) => (dst, to.bits()),
                FloatCast::FromSigned | FloatCast::FromUnsigned => (dst, kind.bits()),
                _ => (dst, bits.into()),
            },
            _ => return None,
        };
        let undefined = terms.filter_map(|term| self.undefinedness(st, term));
        let any = undefined.reduce(|any, more| self.pool.or(any, more))?;
        Some((any, dst, bits))
    }

    /// The bits of a float operand, made concrete if need be.
    fn float_bits(&mut self, st: &mut State<X>, a: Operand, bits: u32) -> Result<u128, Stop> {
        match self.gather(st, a, bits) {
            WideValue::Known(value) => Ok(value.low_u128()),
            WideValue::Term(term) => self.concrete_bits(st, term),
        }
    }

    /// The bits of a term used as a float, made concrete if need be.
    pub(crate) fn concrete_bits(&mut self, st: &mut State<X>, term: TermId) -> Result<u128, Stop> {
        if let Some(value) = self.pool.as_bitvec(term) {
            return Ok(value.low_u128());
        }
        let term = self.pool.without_undefined(term);
        if let Some(value) = self.pool.as_bitvec(term) {
            return Ok(value.low_u128());
        }
        Ok(self.narrow_to_one(st, term, Omission::FloatOperand)?.low_u128())
    }

    fn put_float(&mut self, st: &mut State<X>, dst: Slot, bits: u32, value: u128) {
        self.put_known(st, dst, &BitVec::from_u128(bits, value));
    }

    pub(crate) fn float_binary(
        &mut self,
        st: &mut State<X>,
        op: FloatBinary,
        kind: FloatKind,
        dst: Slot,
        [a, b]: [Operand; 2],
    ) -> Result<Flow, Halt> {
        let a = self.float_bits(st, a, kind.bits())?;
        let b = self.float_bits(st, b, kind.bits())?;
        let value = binary(op, kind, a, b)?;
        self.put_float(st, dst, kind.bits(), value);
        Ok(Flow::Next)
    }

    pub(crate) fn float_unary(
        &mut self,
        st: &mut State<X>,
        op: FloatUnary,
        kind: FloatKind,
        dst: Slot,
        a: Operand,
    ) -> Result<Flow, Halt> {
        // The sign needs no arithmetic, so it stays exact on symbolic values.
        if matches!(op, FloatUnary::Neg | FloatUnary::Abs) {
            return self.float_sign(st, op, kind, dst, a);
        }
        let a = self.float_bits(st, a, kind.bits())?;
        let value = match kind {
            FloatKind::F32 => unary32(op, f32::from_bits(a as u32)).to_bits().into(),
            FloatKind::F64 => unary64(op, f64::from_bits(a as u64)).to_bits().into(),
            _ => soft::unary(op, kind, a)?,
        };
        self.put_float(st, dst, kind.bits(), value);
        Ok(Flow::Next)
    }

    fn float_sign(
        &mut self,
        st: &mut State<X>,
        op: FloatUnary,
        kind: FloatKind,
        dst: Slot,
        a: Operand,
    ) -> Result<Flow, Halt> {
        let bits = kind.bits();
        let value = self.wide_term(st, a, bits);
        let sign = self.pool.extract(value, bits - 1, 1);
        let rest = self.pool.extract(value, 0, bits - 1);
        let sign = if op == FloatUnary::Neg { self.pool.not(sign) } else { self.pool.bool(false) };
        let result = self.pool.concat(sign, rest);
        self.put_wide(st, dst, result);
        Ok(Flow::Next)
    }

    pub(crate) fn float_compare(
        &mut self,
        st: &mut State<X>,
        pred: FloatPredicate,
        kind: FloatKind,
        dst: Slot,
        [a, b]: [Operand; 2],
    ) -> Result<Flow, Halt> {
        let a = self.float_bits(st, a, kind.bits())?;
        let b = self.float_bits(st, b, kind.bits())?;
        let ordering = match kind {
            FloatKind::F32 => f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32)),
            FloatKind::F64 => f64::from_bits(a as u64).partial_cmp(&f64::from_bits(b as u64)),
            _ => soft::compare(kind, a, b),
        };
        self.put_word(st, dst, predicate(pred, ordering).into());
        Ok(Flow::Next)
    }

    pub(crate) fn float_cast(&mut self, st: &mut State<X>, op: Op) -> Result<Flow, Halt> {
        let Op::FloatCast { op, kind, bits, dst, a } = op else {
            unreachable!("dispatch sends only conversions here")
        };
        let bits = u32::from(bits);
        let from_int = matches!(op, FloatCast::FromSigned | FloatCast::FromUnsigned);
        let from = if from_int { bits } else { kind.bits() };
        if bits > 128 {
            return Err(UnsupportedFeature::Float {
                operation: "conversion of an integer over 128 bits",
                format: "float",
            }
            .into());
        }
        let value = self.float_bits(st, a, from)?;
        match op {
            FloatCast::To(to) => {
                let value = soft::convert(kind, to, value);
                self.put_float(st, dst, to.bits(), value);
            }
            FloatCast::FromSigned | FloatCast::FromUnsigned => {
                let value = soft::from_int(kind, op == FloatCast::FromSigned, bits, value);
                self.put_float(st, dst, kind.bits(), value);
            }
            FloatCast::ToSigned
            | FloatCast::ToUnsigned
            | FloatCast::ToSignedSat
            | FloatCast::ToUnsignedSat
            | FloatCast::RintToSigned
            | FloatCast::RoundToSigned => {
                let value = soft::to_int(kind, op, bits, value);
                self.put_float(st, dst, bits, value);
            }
        }
        Ok(Flow::Next)
    }

    pub(crate) fn float_mul_add(
        &mut self,
        st: &mut State<X>,
        kind: FloatKind,
        dst: Slot,
        [a, b, c]: [Operand; 3],
    ) -> Result<Flow, Halt> {
        let a = self.float_bits(st, a, kind.bits())?;
        let b = self.float_bits(st, b, kind.bits())?;
        let c = self.float_bits(st, c, kind.bits())?;
        let value = soft::mul_add(kind, a, b, c);
        self.put_float(st, dst, kind.bits(), value);
        Ok(Flow::Next)
    }

    pub(crate) fn float_class(
        &mut self,
        st: &mut State<X>,
        kind: FloatKind,
        mask: u16,
        dst: Slot,
        a: Operand,
    ) -> Result<Flow, Halt> {
        let a = self.float_bits(st, a, kind.bits())?;
        self.put_word(st, dst, (soft::class(kind, a) & mask != 0).into());
        Ok(Flow::Next)
    }

    pub(crate) fn float_scale(
        &mut self,
        st: &mut State<X>,
        power: bool,
        kind: FloatKind,
        dst: Slot,
        [a, b]: [Operand; 2],
    ) -> Result<Flow, Halt> {
        let a = self.float_bits(st, a, kind.bits())?;
        let b = self.float_bits(st, b, 32)? as u32 as i32;
        let value = match (power, kind) {
            (false, _) => soft::scale(kind, a, b),
            (true, FloatKind::F32) => f32::from_bits(a as u32).powi(b).to_bits().into(),
            (true, FloatKind::F64) => f64::from_bits(a as u64).powi(b).to_bits().into(),
            (true, _) => return Err(unsupported("powi", kind).into()),
        };
        self.put_float(st, dst, kind.bits(), value);
        Ok(Flow::Next)
    }
}

/// An operation on two values of one format.
pub(crate) fn binary(op: FloatBinary, kind: FloatKind, a: u128, b: u128) -> Result<u128, Stop> {
    Ok(match kind {
        FloatKind::F32 => binary32(op, f32::from_bits(a as u32), f32::from_bits(b as u32)).into(),
        FloatKind::F64 => binary64(op, f64::from_bits(a as u64), f64::from_bits(b as u64)).into(),
        _ => soft::binary(op, kind, a, b)?,
    })
}

/// The operation of a floating-point `atomicrmw`.
pub(crate) fn of_rmw(op: RmwOp) -> FloatBinary {
    match op {
        RmwOp::FSub(_) => FloatBinary::Sub,
        RmwOp::FMax(_) => FloatBinary::MaxNum,
        RmwOp::FMin(_) => FloatBinary::MinNum,
        _ => FloatBinary::Add,
    }
}
