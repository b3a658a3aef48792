//! Floating-point arithmetic of the host, for `float` and `double`.
//!
//! Pure functions on words and values; the concrete loop calls those on words.

use everett_ir::{FloatBinary, FloatKind, FloatPredicate, FloatUnary};

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

/// Returns true if an ordering, or none, is what a predicate asks for.
pub(super) fn predicate(pred: FloatPredicate, ordering: Option<std::cmp::Ordering>) -> bool {
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
        pub(super) fn $binary(op: FloatBinary, a: $float, b: $float) -> $bits {
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

        pub(super) fn $unary(op: FloatUnary, a: $float) -> $float {
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
