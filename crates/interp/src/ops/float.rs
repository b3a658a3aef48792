//! Floating point.
//!
//! Operators that terms have ([`FloatOp`]) are exact on symbolic operands, and computed on known ones. For
//! the others (`fmod`, exponentials, trigonometric functions as instructions) a symbolic operand is
//! replaced by its smallest feasible value, which the path then assumes; wherever there were other values,
//! that is counted and reported (`float/library.rs`). Such an operation on memory that was never written
//! computes with zero there, and its result is undefined as a whole where an operand is.

mod library;
pub(crate) mod native;

use std::cmp::Ordering;

use everett_expr::{BitVec, FloatOp, IntegerRounding, TermId};
use everett_ir::{
    FloatBinary, FloatCast, FloatKind, FloatPredicate, FloatUnary, Op, Operand, RmwOp, Slot,
};

use super::wide::WideValue;
use crate::error::{Stop, UnsupportedFeature};
use crate::flow::{Flow, Halt};
use crate::interp::Interp;
use crate::omission::Omission;
use crate::state::State;
use native::predicate;

/// Integers up to this width are converted from and to numbers.
const MAX_INT_WIDTH: u32 = 128;

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

    /// The condition under which an operand of an operation that terms do not have depends on memory that was
    /// never written, and the place and the bits of the result.
    fn undefined_operand(&self, st: &State<X>, op: &Op) -> Option<(TermId, Slot, u32)> {
        let (dst, bits) = match *op {
            Op::FloatBinary { op, kind, dst, .. } if is_of_library(op) => (dst, kind.bits()),
            Op::FloatUnary { op, kind, dst, .. } if operator(op, kind).is_none() => {
                (dst, kind.bits())
            }
            Op::FloatScale { kind, dst, .. } => (dst, kind.bits()),
            _ => return None,
        };
        let accesses = self.image.program.accesses(op);
        let slots = accesses.reads.iter().flat_map(|(first, n)| (0..*n).map(|i| first.plus(i)));
        let terms = slots.filter_map(|operand| self.get(st, operand).term());
        let undefined = terms.filter_map(|term| self.undefinedness(st, term));
        let any = undefined.reduce(|any, more| self.pool.or(any, more))?;
        Some((any, dst, bits))
    }

    /// The bits of a float operand, made concrete if need be.
    fn float_bits(&mut self, st: &mut State<X>, a: Operand, bits: u32) -> Result<u128, Stop> {
        let term = match self.gather(st, a, bits) {
            WideValue::Known(value) => return Ok(value.low_u128()),
            WideValue::Term(term) => self.pool.without_undefined(term),
        };
        if let Some(value) = self.pool.as_bitvec(term) {
            return Ok(value.low_u128());
        }
        Ok(self.narrow_to_one(st, term, Omission::FloatOperand)?.low_u128())
    }

    fn put_float(&mut self, st: &mut State<X>, dst: Slot, bits: u32, value: u128) {
        self.put_known(st, dst, &BitVec::from_u128(bits, value));
    }

    fn put_value(&mut self, st: &mut State<X>, dst: Slot, value: &WideValue) {
        match value {
            WideValue::Known(value) => self.put_known(st, dst, value),
            WideValue::Term(term) => self.put_wide(st, dst, *term),
        }
    }

    /// An operator with a result of `width` bits, computed if all operands are known.
    fn float_value(
        &self,
        op: FloatOp,
        width: u32,
        a: &WideValue,
        b: Option<&WideValue>,
    ) -> WideValue {
        let known_second = match b {
            None => Some(None),
            Some(WideValue::Known(b)) => Some(Some(b)),
            Some(WideValue::Term(_)) => None,
        };
        if let (WideValue::Known(a), Some(b)) = (a, known_second) {
            return WideValue::Known(op.apply_wide(width, a, b));
        }
        let (a, b) = (self.value_term(a), b.map(|b| self.value_term(b)));
        WideValue::Term(self.pool.float(op, width, a, b))
    }

    fn value_term(&self, value: &WideValue) -> TermId {
        match value {
            WideValue::Known(value) => self.pool.big_constant(value),
            WideValue::Term(term) => *term,
        }
    }

    pub(crate) fn float_binary(
        &mut self,
        st: &mut State<X>,
        op: FloatBinary,
        kind: FloatKind,
        dst: Slot,
        [a, b]: [Operand; 2],
    ) -> Result<Flow, Halt> {
        let bits = kind.bits();
        if is_of_library(op) {
            let a = self.float_bits(st, a, bits)?;
            let b = self.float_bits(st, b, bits)?;
            let value = library::binary(op, kind, a, b)?;
            self.put_float(st, dst, bits, value);
            return Ok(Flow::Next);
        }
        let (a, b) = (self.gather(st, a, bits), self.gather(st, b, bits));
        let value = match arithmetic(op, kind) {
            Some(op) => self.float_value(op, bits, &a, Some(&b)),
            None => self.chosen_number(op, kind, &a, &b),
        };
        self.put_value(st, dst, &value);
        Ok(Flow::Next)
    }

    /// The operations that choose one of two numbers, or its sign.
    fn chosen_number(
        &self,
        op: FloatBinary,
        kind: FloatKind,
        a: &WideValue,
        b: &WideValue,
    ) -> WideValue {
        let (a, b) = (self.value_term(a), self.value_term(b));
        WideValue::Term(match op {
            FloatBinary::MinNum => self.pool.float_min_num(kind, a, b, false),
            FloatBinary::MaxNum => self.pool.float_min_num(kind, a, b, true),
            FloatBinary::Minimum => self.pool.float_minimum(kind, a, b, false),
            FloatBinary::Maximum => self.pool.float_minimum(kind, a, b, true),
            _ => self.pool.float_with_sign(kind, a, b),
        })
    }

    pub(crate) fn float_unary(
        &mut self,
        st: &mut State<X>,
        op: FloatUnary,
        kind: FloatKind,
        dst: Slot,
        a: Operand,
    ) -> Result<Flow, Halt> {
        let bits = kind.bits();
        let operator = match operator(op, kind) {
            Some(UnaryOperator::OfTerms(operator)) => operator,
            Some(UnaryOperator::OfSign) => {
                let value = self.float_sign(op, kind, self.gather(st, a, bits));
                self.put_value(st, dst, &value);
                return Ok(Flow::Next);
            }
            None => {
                let a = self.float_bits(st, a, bits)?;
                let value = library::unary(op, kind, a)?;
                self.put_float(st, dst, bits, value);
                return Ok(Flow::Next);
            }
        };
        let value = self.float_value(operator, bits, &self.gather(st, a, bits), None);
        self.put_value(st, dst, &value);
        Ok(Flow::Next)
    }

    /// What needs no arithmetic: the sign is one bit.
    fn float_sign(&self, op: FloatUnary, kind: FloatKind, a: WideValue) -> WideValue {
        let sign = kind.bits() - 1;
        match (op, a) {
            (FloatUnary::Neg, WideValue::Known(mut a)) => {
                a.set_bit(sign, !a.bit(sign));
                WideValue::Known(a)
            }
            (FloatUnary::Abs, WideValue::Known(mut a)) => {
                a.set_bit(sign, false);
                WideValue::Known(a)
            }
            (FloatUnary::Neg, WideValue::Term(a)) => {
                WideValue::Term(self.pool.float_negated(kind, a))
            }
            (FloatUnary::Abs, WideValue::Term(a)) => {
                WideValue::Term(self.pool.float_absolute(kind, a))
            }
            (_, a) => a,
        }
    }

    pub(crate) fn float_compare(
        &mut self,
        st: &mut State<X>,
        pred: FloatPredicate,
        kind: FloatKind,
        dst: Slot,
        [a, b]: [Operand; 2],
    ) -> Result<Flow, Halt> {
        let (a, b) = (self.gather(st, a, kind.bits()), self.gather(st, b, kind.bits()));
        if let (WideValue::Known(a), WideValue::Known(b)) = (&a, &b) {
            self.put_word(st, dst, predicate(pred, ordering(kind, a, b)).into());
            return Ok(Flow::Next);
        }
        let (a, b) = (self.value_term(&a), self.value_term(&b));
        let holds = self.float_predicate(pred, kind, a, b);
        self.put(st, dst, holds);
        Ok(Flow::Next)
    }

    /// A predicate on numbers as a term of width 1.
    fn float_predicate(
        &self,
        pred: FloatPredicate,
        kind: FloatKind,
        a: TermId,
        b: TermId,
    ) -> TermId {
        let pool = self.pool;
        let less = |a, b| pool.float(FloatOp::Less(kind), 1, a, Some(b));
        let at_most = |a, b| pool.float(FloatOp::LessOrEqual(kind), 1, a, Some(b));
        let equal = || pool.float(FloatOp::Equal(kind), 1, a, Some(b));
        let unordered = || pool.float_unordered(kind, a, b);
        match pred {
            FloatPredicate::False => pool.bool(false),
            FloatPredicate::Oeq => equal(),
            FloatPredicate::Ogt => less(b, a),
            FloatPredicate::Oge => at_most(b, a),
            FloatPredicate::Olt => less(a, b),
            FloatPredicate::Ole => at_most(a, b),
            FloatPredicate::One => pool.or(less(a, b), less(b, a)),
            FloatPredicate::Ord => pool.not(unordered()),
            FloatPredicate::Uno => unordered(),
            FloatPredicate::Ueq => pool.or(equal(), unordered()),
            FloatPredicate::Ugt => pool.not(at_most(a, b)),
            FloatPredicate::Uge => pool.not(less(a, b)),
            FloatPredicate::Ult => pool.not(at_most(b, a)),
            FloatPredicate::Ule => pool.not(less(b, a)),
            FloatPredicate::Une => pool.not(equal()),
            FloatPredicate::True => pool.bool(true),
        }
    }

    pub(crate) fn float_cast(&mut self, st: &mut State<X>, op: Op) -> Result<Flow, Halt> {
        let Op::FloatCast { op, kind, bits, dst, a } = op else {
            unreachable!("dispatch sends only conversions here")
        };
        let bits = u32::from(bits);
        if bits > MAX_INT_WIDTH {
            return Err(UnsupportedFeature::Float {
                operation: "conversion of an integer over 128 bits",
                format: "float",
            }
            .into());
        }
        let from_int = matches!(op, FloatCast::FromSigned | FloatCast::FromUnsigned);
        let value = self.gather(st, a, if from_int { bits } else { kind.bits() });
        let to_int = |value: &WideValue, signed| {
            self.float_value(FloatOp::ToInt { from: kind, signed }, bits, value, None)
        };
        let rounded = |direction| {
            self.float_value(FloatOp::Round(kind, direction), kind.bits(), &value, None)
        };
        let saturated = |signed| {
            let number = self.value_term(&value);
            WideValue::Term(self.pool.float_to_int_saturating(kind, signed, bits, number))
        };
        let result = match op {
            FloatCast::To(to) if to == kind => value,
            FloatCast::To(to) => {
                self.float_value(FloatOp::Convert { from: kind, to }, to.bits(), &value, None)
            }
            FloatCast::FromSigned | FloatCast::FromUnsigned => {
                let signed = op == FloatCast::FromSigned;
                self.float_value(FloatOp::FromInt { to: kind, signed }, kind.bits(), &value, None)
            }
            FloatCast::ToSigned => to_int(&value, true),
            FloatCast::ToUnsigned => to_int(&value, false),
            FloatCast::ToSignedSat => saturated(true),
            FloatCast::ToUnsignedSat => saturated(false),
            FloatCast::RintToSigned => to_int(&rounded(IntegerRounding::TiesToEven), true),
            FloatCast::RoundToSigned => to_int(&rounded(IntegerRounding::TiesToAway), true),
        };
        self.put_value(st, dst, &result);
        Ok(Flow::Next)
    }

    pub(crate) fn float_mul_add(
        &mut self,
        st: &mut State<X>,
        kind: FloatKind,
        dst: Slot,
        [a, b, c]: [Operand; 3],
    ) -> Result<Flow, Halt> {
        let bits = kind.bits();
        let [a, b, c] = [a, b, c].map(|operand| self.gather(st, operand, bits));
        let factors = match (&a, &b) {
            (WideValue::Known(a), WideValue::Known(b)) => WideValue::Known(a.concat(b)),
            (a, b) => WideValue::Term(self.pool.concat(self.value_term(a), self.value_term(b))),
        };
        let value = self.float_value(FloatOp::MulAdd(kind), bits, &factors, Some(&c));
        self.put_value(st, dst, &value);
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
        let a = self.wide_term(st, a, kind.bits());
        let holds = self.pool.float_class(kind, a, mask);
        self.put(st, dst, holds);
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
        let value = library::scale(power, kind, a, b)?;
        self.put_float(st, dst, kind.bits(), value);
        Ok(Flow::Next)
    }

    /// The new value of a floating-point `atomicrmw`.
    pub(crate) fn float_rmw(
        &self,
        op: RmwOp,
        kind: FloatKind,
        old: TermId,
        value: TermId,
    ) -> TermId {
        let bits = kind.bits();
        match op {
            RmwOp::FSub(_) => self.pool.float(FloatOp::Sub(kind), bits, old, Some(value)),
            RmwOp::FMax(_) => self.pool.float_min_num(kind, old, value, true),
            RmwOp::FMin(_) => self.pool.float_min_num(kind, old, value, false),
            _ => self.pool.float(FloatOp::Add(kind), bits, old, Some(value)),
        }
    }
}

/// The operator of terms that an operation is.
fn arithmetic(op: FloatBinary, kind: FloatKind) -> Option<FloatOp> {
    match op {
        FloatBinary::Add => Some(FloatOp::Add(kind)),
        FloatBinary::Sub => Some(FloatOp::Sub(kind)),
        FloatBinary::Mul => Some(FloatOp::Mul(kind)),
        FloatBinary::Div => Some(FloatOp::Div(kind)),
        _ => None,
    }
}

/// Returns `true` for an operation with two operands that terms do not have.
fn is_of_library(op: FloatBinary) -> bool {
    matches!(op, FloatBinary::Rem | FloatBinary::Pow | FloatBinary::Atan2)
}

/// An operation with one operand that is exact on terms.
enum UnaryOperator {
    OfTerms(FloatOp),
    /// It looks at the sign alone.
    OfSign,
}

/// `None` for an operation that terms do not have.
fn operator(op: FloatUnary, kind: FloatKind) -> Option<UnaryOperator> {
    let round = |direction| Some(UnaryOperator::OfTerms(FloatOp::Round(kind, direction)));
    match op {
        FloatUnary::Sqrt => Some(UnaryOperator::OfTerms(FloatOp::Sqrt(kind))),
        FloatUnary::Floor => round(IntegerRounding::Down),
        FloatUnary::Ceil => round(IntegerRounding::Up),
        FloatUnary::Trunc => round(IntegerRounding::ToZero),
        FloatUnary::Round => round(IntegerRounding::TiesToAway),
        FloatUnary::RoundEven => round(IntegerRounding::TiesToEven),
        FloatUnary::Neg | FloatUnary::Abs | FloatUnary::Canonicalize => Some(UnaryOperator::OfSign),
        _ => None,
    }
}

/// The order of two known numbers; `None` if one is a NaN.
fn ordering(kind: FloatKind, a: &BitVec, b: &BitVec) -> Option<Ordering> {
    let holds = |op: FloatOp, a: &BitVec, b: &BitVec| !op.apply_wide(1, a, Some(b)).is_zero();
    if holds(FloatOp::Less(kind), a, b) {
        Some(Ordering::Less)
    } else if holds(FloatOp::Less(kind), b, a) {
        Some(Ordering::Greater)
    } else {
        holds(FloatOp::Equal(kind), a, b).then_some(Ordering::Equal)
    }
}
