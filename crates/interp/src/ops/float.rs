//! Floating point: always concrete.
//!
//! A symbolic operand is replaced by its smallest feasible value, which the path then assumes;
//! wherever there were other values, that is counted and reported. `float` and `double` use the host's
//! arithmetic, which is IEEE 754; the other formats are computed in software (`float_soft`).

use everett_expr::{BitVec, TermId};
use everett_ir::{
    FloatBinary, FloatCast, FloatKind, FloatPredicate, FloatUnary, Op, Operand, RmwOp, Slot,
};

use super::float_soft;
use super::wide::WideValue;
use crate::error::{Stop, UnsupportedFeature};
use crate::flow::{Flow, Halt};
use crate::interp::Interp;
use crate::omission::Omission;
use crate::state::State;

impl<X: Clone> Interp<'_, X> {
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
            _ => float_soft::unary(op, kind, a)?,
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
            _ => float_soft::compare(kind, a, b),
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
                let value = float_soft::convert(kind, to, value);
                self.put_float(st, dst, to.bits(), value);
            }
            FloatCast::FromSigned | FloatCast::FromUnsigned => {
                let value = float_soft::from_int(kind, op == FloatCast::FromSigned, bits, value);
                self.put_float(st, dst, kind.bits(), value);
            }
            FloatCast::ToSigned
            | FloatCast::ToUnsigned
            | FloatCast::ToSignedSat
            | FloatCast::ToUnsignedSat
            | FloatCast::RintToSigned
            | FloatCast::RoundToSigned => {
                let value = float_soft::to_int(kind, op, bits, value);
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
        let value = float_soft::mul_add(kind, a, b, c);
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
        self.put_word(st, dst, (float_soft::class(kind, a) & mask != 0).into());
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
            (false, _) => float_soft::scale(kind, a, b),
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
        _ => float_soft::binary(op, kind, a, b)?,
    })
}

/// An operation on `float` or `double` words; `None` for other formats.
pub(crate) fn binary_word(op: FloatBinary, kind: FloatKind, a: u64, b: u64) -> Option<u64> {
    match kind {
        FloatKind::F32 => {
            Some(binary32(op, f32::from_bits(a as u32), f32::from_bits(b as u32)).into())
        }
        FloatKind::F64 => Some(binary64(op, f64::from_bits(a), f64::from_bits(b))),
        FloatKind::Half | FloatKind::BFloat | FloatKind::X87 | FloatKind::F128 => None,
    }
}

/// A comparison of `float` or `double` words; `None` for other formats.
pub(crate) fn compare_word(pred: FloatPredicate, kind: FloatKind, a: u64, b: u64) -> Option<u64> {
    let ordering = match kind {
        FloatKind::F32 => f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32)),
        FloatKind::F64 => f64::from_bits(a).partial_cmp(&f64::from_bits(b)),
        FloatKind::Half | FloatKind::BFloat | FloatKind::X87 | FloatKind::F128 => return None,
    };
    Some(predicate(pred, ordering).into())
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

pub(crate) fn unsupported(operation: &'static str, kind: FloatKind) -> Stop {
    let format = match kind {
        FloatKind::Half => "half",
        FloatKind::BFloat => "bfloat",
        FloatKind::F32 => "float",
        FloatKind::F64 => "double",
        FloatKind::X87 => "x86_fp80",
        FloatKind::F128 => "fp128",
    };
    UnsupportedFeature::Float { operation, format }.into()
}

fn predicate(pred: FloatPredicate, ordering: Option<std::cmp::Ordering>) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let (lt, eq, gt, un) = match ordering {
        Some(Less) => (true, false, false, false),
        Some(Equal) => (false, true, false, false),
        Some(Greater) => (false, false, true, false),
        None => (false, false, false, true),
    };
    match pred {
        FloatPredicate::False => false,
        FloatPredicate::Oeq => eq,
        FloatPredicate::Ogt => gt,
        FloatPredicate::Oge => gt || eq,
        FloatPredicate::Olt => lt,
        FloatPredicate::Ole => lt || eq,
        FloatPredicate::One => lt || gt,
        FloatPredicate::Ord => !un,
        FloatPredicate::Uno => un,
        FloatPredicate::Ueq => eq || un,
        FloatPredicate::Ugt => gt || un,
        FloatPredicate::Uge => gt || eq || un,
        FloatPredicate::Ult => lt || un,
        FloatPredicate::Ule => lt || eq || un,
        FloatPredicate::Une => lt || gt || un,
        FloatPredicate::True => true,
    }
}

macro_rules! native {
    ($binary:ident, $unary:ident, $float:ty, $bits:ty) => {
        fn $binary(op: FloatBinary, a: $float, b: $float) -> $bits {
            let value = match op {
                FloatBinary::Add => a + b,
                FloatBinary::Sub => a - b,
                FloatBinary::Mul => a * b,
                FloatBinary::Div => a / b,
                FloatBinary::Rem => a % b,
                FloatBinary::CopySign => a.copysign(b),
                FloatBinary::MinNum => a.min(b),
                FloatBinary::MaxNum => a.max(b),
                FloatBinary::Minimum if a.is_nan() || b.is_nan() => <$float>::NAN,
                FloatBinary::Maximum if a.is_nan() || b.is_nan() => <$float>::NAN,
                // Zeros of different sign compare equal, but minimum and maximum order them.
                FloatBinary::Minimum if a == b => {
                    if a.is_sign_negative() {
                        a
                    } else {
                        b
                    }
                }
                FloatBinary::Maximum if a == b => {
                    if a.is_sign_negative() {
                        b
                    } else {
                        a
                    }
                }
                FloatBinary::Minimum => a.min(b),
                FloatBinary::Maximum => a.max(b),
                FloatBinary::Pow => a.powf(b),
                FloatBinary::Atan2 => a.atan2(b),
            };
            value.to_bits()
        }

        fn $unary(op: FloatUnary, a: $float) -> $float {
            match op {
                FloatUnary::Neg => -a,
                FloatUnary::Abs => a.abs(),
                FloatUnary::Sqrt => a.sqrt(),
                FloatUnary::Floor => a.floor(),
                FloatUnary::Ceil => a.ceil(),
                FloatUnary::Trunc => a.trunc(),
                FloatUnary::Round => a.round(),
                FloatUnary::RoundEven => a.round_ties_even(),
                FloatUnary::Exp => a.exp(),
                FloatUnary::Exp2 => a.exp2(),
                FloatUnary::Log => a.ln(),
                FloatUnary::Log2 => a.log2(),
                FloatUnary::Log10 => a.log10(),
                FloatUnary::Sin => a.sin(),
                FloatUnary::Cos => a.cos(),
                FloatUnary::Tan => a.tan(),
                FloatUnary::Canonicalize => a,
            }
        }
    };
}

native!(binary32, unary32, f32, u32);
native!(binary64, unary64, f64, u64);
