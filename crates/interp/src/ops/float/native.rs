//! Floating-point arithmetic of the host on words that are `float` or `double`, for the concrete loop.

use everett_ir::{FloatBinary, FloatKind, FloatPredicate};

macro_rules! arithmetic {
    ($op:ident, $a:expr, $b:expr) => {{
        let value = match $op {
            FloatBinary::Add => $a + $b,
            FloatBinary::Sub => $a - $b,
            FloatBinary::Mul => $a * $b,
            FloatBinary::Div => $a / $b,
            _ => return None,
        };
        (!value.is_nan()).then(|| value.to_bits().into())
    }};
}

/// The four basic operations on `float` or `double` words; `None` for everything else, and for a NaN, whose
/// bits the host's compiler does not promise.
pub(crate) fn binary_word(op: FloatBinary, kind: FloatKind, a: u64, b: u64) -> Option<u64> {
    match kind {
        FloatKind::F32 => arithmetic!(op, f32::from_bits(a as u32), f32::from_bits(b as u32)),
        FloatKind::F64 => arithmetic!(op, f64::from_bits(a), f64::from_bits(b)),
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
