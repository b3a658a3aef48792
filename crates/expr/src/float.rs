//! The operators on floating-point numbers, and their values on known operands.
//!
//! A number is the bit vector of its format. Arithmetic rounds to nearest, ties to even. The values are those
//! of x86-64 down to the bits of a NaN: the first operand that is one is the result, made quiet; an invalid
//! operation gives the negative quiet NaN.
//!
//! Solvers do not know these operators: [`Pool::float_circuit`](crate::Pool::float_circuit) spells one out in
//! operators on bit vectors.

mod arithmetic;
mod circuit;
mod derived;

use everett_base::FloatKind;

pub(crate) use self::circuit::FloatCircuits;

use crate::BitVec;
use crate::op::mask;

/// The direction in which a number is rounded to an integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum IntegerRounding {
    /// To the nearest integer, and to an even one from the middle between two.
    TiesToEven,
    /// To the nearest integer, and away from zero from the middle between two.
    TiesToAway,
    /// To minus infinity.
    Down,
    /// To plus infinity.
    Up,
    /// To zero.
    ToZero,
}

impl IntegerRounding {
    /// Every direction, in declaration order.
    pub const ALL: [IntegerRounding; 5] = [
        IntegerRounding::TiesToEven,
        IntegerRounding::TiesToAway,
        IntegerRounding::Down,
        IntegerRounding::Up,
        IntegerRounding::ToZero,
    ];

    /// The direction's name in SMT-LIB.
    fn smtlib(self) -> &'static str {
        match self {
            IntegerRounding::TiesToEven => "RNE",
            IntegerRounding::TiesToAway => "RNA",
            IntegerRounding::Down => "RTN",
            IntegerRounding::Up => "RTP",
            IntegerRounding::ToZero => "RTZ",
        }
    }
}

/// Operators on floating-point numbers, with one operand or two.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum FloatOp {
    /// Sum.
    Add(FloatKind),
    /// Difference.
    Sub(FloatKind),
    /// Product.
    Mul(FloatKind),
    /// Quotient.
    Div(FloatKind),
    /// The product of two numbers and its sum with a third, rounded once. The first operand is the
    /// concatenation of the two factors.
    MulAdd(FloatKind),
    /// Square root.
    Sqrt(FloatKind),
    /// The nearest integer in a direction, as a number of the same format.
    Round(FloatKind, IntegerRounding),
    /// Equality of width 1: zeros are equal, a NaN is equal to nothing.
    Equal(FloatKind),
    /// Less-than of width 1; false for a NaN.
    Less(FloatKind),
    /// At-most of width 1; false for a NaN.
    LessOrEqual(FloatKind),
    /// The number in another format.
    Convert {
        /// The format of the operand.
        from: FloatKind,
        /// The format of the result.
        to: FloatKind,
    },
    /// An integer of at most 128 bits as a number.
    FromInt {
        /// The format of the result.
        to: FloatKind,
        /// True if the integer has a sign.
        signed: bool,
    },
    /// The number without its fraction, as an integer of at most 128 bits. One that does not fit gives what
    /// x86-64 gives: the smallest signed number of 32 or 64 bits, cut to size.
    ToInt {
        /// The format of the operand.
        from: FloatKind,
        /// True if the integer has a sign.
        signed: bool,
    },
}

/// The widest integer that is converted from or to a number.
pub(crate) const MAX_INT_WIDTH: u32 = 128;

impl FloatOp {
    /// The operator's name in SMT-LIB, or one that resembles it.
    pub fn name(self) -> &'static str {
        match self {
            FloatOp::Add(_) => "fp.add",
            FloatOp::Sub(_) => "fp.sub",
            FloatOp::Mul(_) => "fp.mul",
            FloatOp::Div(_) => "fp.div",
            FloatOp::MulAdd(_) => "fp.fma",
            FloatOp::Sqrt(_) => "fp.sqrt",
            FloatOp::Round(..) => "fp.roundToIntegral",
            FloatOp::Equal(_) => "fp.eq",
            FloatOp::Less(_) => "fp.lt",
            FloatOp::LessOrEqual(_) => "fp.leq",
            FloatOp::Convert { .. } => "to_fp",
            FloatOp::FromInt { signed: true, .. } => "to_fp_signed",
            FloatOp::FromInt { signed: false, .. } => "to_fp_unsigned",
            FloatOp::ToInt { signed: true, .. } => "fp.to_sbv",
            FloatOp::ToInt { signed: false, .. } => "fp.to_ubv",
        }
    }

    /// What the name alone does not say: the direction of rounding, or the format of the result.
    pub(crate) fn detail(self) -> Option<&'static str> {
        match self {
            FloatOp::Round(_, direction) => Some(direction.smtlib()),
            FloatOp::Convert { to, .. } | FloatOp::FromInt { to, .. } => Some(format_name(to)),
            _ => None,
        }
    }

    /// The format of the operands, or that of the result where the operand is an integer.
    pub fn kind(self) -> FloatKind {
        match self {
            FloatOp::Add(kind)
            | FloatOp::Sub(kind)
            | FloatOp::Mul(kind)
            | FloatOp::Div(kind)
            | FloatOp::MulAdd(kind)
            | FloatOp::Sqrt(kind)
            | FloatOp::Round(kind, _)
            | FloatOp::Equal(kind)
            | FloatOp::Less(kind)
            | FloatOp::LessOrEqual(kind)
            | FloatOp::Convert { from: kind, .. }
            | FloatOp::FromInt { to: kind, .. }
            | FloatOp::ToInt { from: kind, .. } => kind,
        }
    }

    /// The format of the result; `None` for a truth value or an integer.
    pub(crate) fn result_kind(self) -> Option<FloatKind> {
        match self {
            FloatOp::ToInt { .. } => None,
            FloatOp::Convert { to, .. } => Some(to),
            comparison if comparison.is_comparison() => None,
            arithmetic => Some(arithmetic.kind()),
        }
    }

    /// Returns `true` if there are two operands.
    pub fn is_binary(self) -> bool {
        use FloatOp::*;
        let compares = self.is_comparison();
        compares || matches!(self, Add(_) | Sub(_) | Mul(_) | Div(_) | MulAdd(_))
    }

    /// Returns `true` if the result is a width-1 truth value.
    pub fn is_comparison(self) -> bool {
        matches!(self, FloatOp::Equal(_) | FloatOp::Less(_) | FloatOp::LessOrEqual(_))
    }

    /// The width of the result; `None` where it is any, up to that of the widest integer.
    pub fn result_width(self) -> Option<u32> {
        match self {
            FloatOp::ToInt { .. } => None,
            FloatOp::Convert { to, .. } => Some(to.bits()),
            comparison if comparison.is_comparison() => Some(1),
            arithmetic => Some(arithmetic.kind().bits()),
        }
    }

    /// Returns `true` if operands of these widths are what the operator takes.
    pub fn takes(self, first: u32, second: Option<u32>) -> bool {
        let bits = self.kind().bits();
        let expected = match self {
            FloatOp::MulAdd(_) => 2 * bits,
            FloatOp::FromInt { .. } => first.min(MAX_INT_WIDTH),
            _ => bits,
        };
        first == expected && second == self.is_binary().then_some(bits)
    }

    /// The operator as a number of at most 16 bits; [`FloatOp::from_code`] is the inverse.
    pub(crate) fn code(self) -> u32 {
        let (operator, rest) = match self {
            FloatOp::Add(_) => (0, 0),
            FloatOp::Sub(_) => (1, 0),
            FloatOp::Mul(_) => (2, 0),
            FloatOp::Div(_) => (3, 0),
            FloatOp::MulAdd(_) => (4, 0),
            FloatOp::Sqrt(_) => (5, 0),
            FloatOp::Round(_, direction) => (6, direction as u32),
            FloatOp::Equal(_) => (7, 0),
            FloatOp::Less(_) => (8, 0),
            FloatOp::LessOrEqual(_) => (9, 0),
            FloatOp::Convert { to, .. } => (10, to as u32),
            FloatOp::FromInt { signed, .. } => (11, u32::from(signed)),
            FloatOp::ToInt { signed, .. } => (12, u32::from(signed)),
        };
        operator | (self.kind() as u32) << 4 | rest << 8
    }

    /// The operator that has a number.
    pub(crate) fn from_code(code: u32) -> Option<FloatOp> {
        let kind = *FloatKind::ALL.get((code >> 4 & 15) as usize)?;
        let rest = (code >> 8) as usize;
        let signed = rest == 1;
        let op = match code & 15 {
            0 => FloatOp::Add(kind),
            1 => FloatOp::Sub(kind),
            2 => FloatOp::Mul(kind),
            3 => FloatOp::Div(kind),
            4 => FloatOp::MulAdd(kind),
            5 => FloatOp::Sqrt(kind),
            6 => FloatOp::Round(kind, *IntegerRounding::ALL.get(rest)?),
            7 => FloatOp::Equal(kind),
            8 => FloatOp::Less(kind),
            9 => FloatOp::LessOrEqual(kind),
            10 => FloatOp::Convert { from: kind, to: *FloatKind::ALL.get(rest)? },
            11 => FloatOp::FromInt { to: kind, signed },
            12 => FloatOp::ToInt { from: kind, signed },
            _ => return None,
        };
        (op.code() == code).then_some(op)
    }

    /// The value on operands of at most 64 bits, of which the first has `first` bits. The result, of
    /// `width` bits, has at most 64 as well.
    pub fn apply(self, width: u32, first: u32, a: u64, b: u64) -> u64 {
        if let Some(value) = arithmetic::native(self, width, first, a, b) {
            return value;
        }
        let operands = match self {
            FloatOp::MulAdd(kind) => [a >> kind.bits(), a & mask(kind.bits()), b],
            _ => [a, b, 0],
        };
        arithmetic::value(self, width, first, &operands.map(u128::from)) as u64 & mask(width)
    }

    /// The value, of `width` bits, on operands of any width.
    pub fn apply_wide(self, width: u32, a: &BitVec, b: Option<&BitVec>) -> BitVec {
        let first = a.width();
        let second = b.map_or(0, BitVec::low_u128);
        let operands = match self {
            FloatOp::MulAdd(kind) => {
                let bits = kind.bits();
                [a.extract(bits, bits).low_u128(), a.extract(0, bits).low_u128(), second]
            }
            _ => [a.low_u128(), second, 0],
        };
        BitVec::from_u128(width, arithmetic::value(self, width, first, &operands))
    }
}

/// The infinity of a format, without its sign.
pub(crate) fn infinity(kind: FloatKind) -> u128 {
    let exponent = (1 << kind.exponent_bits()) - 1;
    match kind {
        FloatKind::X87 => exponent << 64 | 1 << 63,
        _ => exponent << (kind.precision() - 1),
    }
}

/// The bit that makes a NaN a quiet one, and what a NaN needs besides to be well-formed.
pub(crate) fn quiet_bits(kind: FloatKind) -> u128 {
    match kind {
        FloatKind::X87 => 3 << 62,
        _ => 1 << (kind.precision() - 2),
    }
}

/// The NaN that an invalid operation gives.
pub(crate) fn invalid(kind: FloatKind) -> u128 {
    1 << (kind.bits() - 1) | infinity(kind) | quiet_bits(kind)
}

/// Returns `true` if the bits are those of a NaN, or of what the x87 treats as one.
pub(crate) fn is_nan(kind: FloatKind, a: u128) -> bool {
    let magnitude = a & !(1 << (kind.bits() - 1));
    let malformed = kind == FloatKind::X87 && magnitude >> 64 != 0 && magnitude >> 63 & 1 == 0;
    magnitude > infinity(kind) || malformed
}

/// The integer that stands for a number that does not fit `width` bits.
pub(crate) fn indefinite(width: u32) -> u128 {
    let lowest: u128 = if width <= 32 { 1 << 31 } else { 1 << (width - 1) };
    lowest & u128::MAX >> (128 - width)
}

fn format_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Half => "Float16",
        FloatKind::BFloat => "BFloat16",
        FloatKind::F32 => "Float32",
        FloatKind::F64 => "Float64",
        FloatKind::X87 => "Float80",
        FloatKind::F128 => "Float128",
    }
}

#[cfg(test)]
mod tests;
