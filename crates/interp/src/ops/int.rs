//! Integer operations of at most 64 bits, on words.
//!
//! Pure functions that the concrete loop calls; `None` stands for operands for which the
//! operation is undefined.

use everett_ir::{IntBinary, IntUnary, OperandPromise, OverflowOp};

/// The low `w` bits set.
#[inline(always)]
pub(crate) fn mask(w: u8) -> u64 {
    u64::MAX >> (64 - u32::from(w))
}

/// Sign-extends the low `w` bits.
#[inline(always)]
pub(crate) fn sext(value: u64, w: u8) -> i64 {
    let unused = 64 - u32::from(w);
    ((value << unused) as i64) >> unused
}

#[inline(always)]
pub(crate) fn shl(w: u8, a: u64, b: u64) -> Option<u64> {
    (b < u64::from(w)).then(|| (a << b) & mask(w))
}

#[inline(always)]
pub(crate) fn lshr(w: u8, a: u64, b: u64) -> Option<u64> {
    (b < u64::from(w)).then(|| a >> b)
}

#[inline(always)]
pub(crate) fn ashr(w: u8, a: u64, b: u64) -> Option<u64> {
    (b < u64::from(w)).then(|| (sext(a, w) >> b) as u64 & mask(w))
}

/// Signed division; `None` for a zero divisor and for the one quotient that does not fit.
#[inline(always)]
pub(crate) fn sdiv(w: u8, a: u64, b: u64) -> Option<u64> {
    signed_division(w, a, b, i64::checked_div)
}

/// Signed remainder; `None` exactly where [`sdiv`] is.
#[inline(always)]
pub(crate) fn srem(w: u8, a: u64, b: u64) -> Option<u64> {
    signed_division(w, a, b, i64::checked_rem)
}

#[inline(always)]
fn signed_division(w: u8, a: u64, b: u64, f: fn(i64, i64) -> Option<i64>) -> Option<u64> {
    let (a, b) = (sext(a, w), sext(b, w));
    let smallest = sext(1 << (w - 1), w);
    if b == 0 || (b == -1 && a == smallest) {
        return None;
    }
    f(a, b).map(|v| v as u64 & mask(w))
}

pub(crate) fn unary(op: IntUnary, w: u8, a: u64) -> u64 {
    let unused = 64 - u32::from(w);
    let value = match op {
        IntUnary::PopCount => a.count_ones().into(),
        IntUnary::LeadingZeros => (a.leading_zeros() - unused).into(),
        IntUnary::TrailingZeros => a.trailing_zeros().min(w.into()).into(),
        IntUnary::ByteSwap => a.swap_bytes() >> unused,
        IntUnary::BitReverse => a.reverse_bits() >> unused,
        IntUnary::Abs => sext(a, w).unsigned_abs(),
    };
    value & mask(w)
}

pub(crate) fn binary(op: IntBinary, w: u8, a: u64, b: u64) -> u64 {
    let (sa, sb) = (sext(a, w), sext(b, w));
    let value = match op {
        IntBinary::UMin => a.min(b),
        IntBinary::UMax => a.max(b),
        IntBinary::SMin => sa.min(sb) as u64,
        IntBinary::SMax => sa.max(sb) as u64,
        IntBinary::UAddSat => a.saturating_add(b).min(mask(w)),
        IntBinary::SAddSat => clamp(i128::from(sa) + i128::from(sb), w),
        IntBinary::USubSat => a.saturating_sub(b),
        IntBinary::SSubSat => clamp(i128::from(sa) - i128::from(sb), w),
        IntBinary::UShlSat => {
            let wide = u128::from(a) << b.min(63);
            if wide > u128::from(mask(w)) { mask(w) } else { wide as u64 }
        }
        IntBinary::SShlSat => clamp(i128::from(sa) << b.min(63), w),
        IntBinary::UCmp => a.cmp(&b) as i64 as u64,
        IntBinary::SCmp => sa.cmp(&sb) as i64 as u64,
    };
    value & mask(w)
}

fn clamp(value: i128, w: u8) -> u64 {
    let max = i128::from(mask(w) >> 1);
    value.clamp(-max - 1, max) as u64
}

pub(crate) fn overflow(op: OverflowOp, w: u8, a: u64, b: u64) -> (u64, bool) {
    let (sa, sb) = (i128::from(sext(a, w)), i128::from(sext(b, w)));
    let (ua, ub) = (i128::from(a), i128::from(b));
    let exact = match op {
        OverflowOp::SAdd => sa + sb,
        OverflowOp::SSub => sa - sb,
        OverflowOp::SMul => sa * sb,
        OverflowOp::UAdd => ua + ub,
        OverflowOp::USub => ua - ub,
        OverflowOp::UMul => return unsigned_multiply(w, a, b),
    };
    let value = exact as u64 & mask(w);
    let fits = match op {
        OverflowOp::SAdd | OverflowOp::SSub | OverflowOp::SMul => {
            i128::from(sext(value, w)) == exact
        }
        OverflowOp::UAdd | OverflowOp::USub | OverflowOp::UMul => i128::from(value) == exact,
    };
    (value, !fits)
}

fn unsigned_multiply(w: u8, a: u64, b: u64) -> (u64, bool) {
    let exact = u128::from(a) * u128::from(b);
    (exact as u64 & mask(w), exact > u128::from(mask(w)))
}

/// Returns true if inputs of an operation are plainly as promised; the general executor decides the rest.
#[inline(never)]
pub(crate) fn is_kept(what: OperandPromise, w: u32, a: u64, b: u64) -> bool {
    let Some(w) = u8::try_from(w).ok().filter(|w| *w <= 64) else { return false };
    let fits = |op| !overflow(op, w, a, b).1;
    match what {
        OperandPromise::Lane => a < b,
        OperandPromise::NotSmallest => a != 1 << (w - 1),
        OperandPromise::NonZero => a != 0,
        OperandPromise::ExactShift => lshr(w, a, b).is_none_or(|v| shl(w, v, b) == Some(a)),
        OperandPromise::ExactUnsignedDivision => a.checked_rem(b) == Some(0),
        OperandPromise::ExactSignedDivision => srem(w, a, b) == Some(0),
        OperandPromise::SignedAdd => fits(OverflowOp::SAdd),
        OperandPromise::SignedSub => fits(OverflowOp::SSub),
        OperandPromise::SignedMul => fits(OverflowOp::SMul),
        OperandPromise::SignedShl => shl(w, a, b).is_none_or(|v| ashr(w, v, b) == Some(a)),
    }
}

pub(crate) fn funnel_shift(left: bool, w: u8, a: u64, b: u64, c: u64) -> u64 {
    let w32 = u32::from(w);
    let joined = (u128::from(a) << w32) | u128::from(b);
    let shift = (c % u64::from(w)) as u32;
    let value = if left { (joined << shift) >> w32 } else { joined >> shift };
    value as u64 & mask(w)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_division_is_undefined_only_for_zero_and_the_overflowing_quotient() {
        for a in 0..=255 {
            for b in 0..=255 {
                let (x, y) = (a as u8 as i8, b as u8 as i8);
                assert_eq!(sdiv(8, a, b), x.checked_div(y).map(|v| v as u8 as u64));
                assert_eq!(srem(8, a, b), x.checked_rem(y).map(|v| v as u8 as u64));
            }
        }
    }

    #[test]
    fn eight_bit_operations_agree_with_the_host() {
        for a in 0..=255u64 {
            for b in 0..=255u64 {
                let (x, y) = (a as u8, b as u8);
                let (sx, sy) = (x as i8, y as i8);
                assert_eq!(binary(IntBinary::SAddSat, 8, a, b), sx.saturating_add(sy) as u8 as u64);
                assert_eq!(binary(IntBinary::SSubSat, 8, a, b), sx.saturating_sub(sy) as u8 as u64);
                assert_eq!(binary(IntBinary::UAddSat, 8, a, b), x.saturating_add(y) as u64);
                assert_eq!(binary(IntBinary::SMin, 8, a, b), sx.min(sy) as u8 as u64);
                let (v, o) = sx.overflowing_mul(sy);
                assert_eq!(overflow(OverflowOp::SMul, 8, a, b), (v as u8 as u64, o));
                let (v, o) = x.overflowing_sub(y);
                assert_eq!(overflow(OverflowOp::USub, 8, a, b), (v as u64, o));
            }
            let x = a as u8;
            assert_eq!(unary(IntUnary::LeadingZeros, 8, a), x.leading_zeros() as u64);
            assert_eq!(unary(IntUnary::TrailingZeros, 8, a), x.trailing_zeros() as u64);
            assert_eq!(unary(IntUnary::BitReverse, 8, a), x.reverse_bits() as u64);
            assert_eq!(unary(IntUnary::Abs, 8, a), (x as i8).unsigned_abs() as u64);
        }
        assert_eq!(unary(IntUnary::ByteSwap, 32, 0x1234_5678), 0x7856_3412);
        assert_eq!(funnel_shift(true, 8, 0x81, 0x81, 1), 0x03);
        assert_eq!(funnel_shift(false, 32, 1, 1, 33), 0x8000_0000);
    }

    #[test]
    fn promises_about_eight_bits_are_those_of_the_host() {
        for a in 0..=255u64 {
            for b in 0..=255u64 {
                let (x, y) = (a as u8, b as u8);
                let (sx, sy) = (x as i8, y as i8);
                let kept = |what| is_kept(what, 8, a, b);
                assert_eq!(kept(OperandPromise::Lane), x < y);
                assert_eq!(kept(OperandPromise::NotSmallest), sx != i8::MIN);
                assert_eq!(kept(OperandPromise::NonZero), x != 0);
                assert_eq!(
                    kept(OperandPromise::ExactUnsignedDivision),
                    x.checked_rem(y) == Some(0)
                );
                assert_eq!(
                    kept(OperandPromise::ExactSignedDivision),
                    sx.checked_rem(sy) == Some(0)
                );
                assert_eq!(kept(OperandPromise::SignedAdd), sx.checked_add(sy).is_some());
                assert_eq!(kept(OperandPromise::SignedSub), sx.checked_sub(sy).is_some());
                assert_eq!(kept(OperandPromise::SignedMul), sx.checked_mul(sy).is_some());
                assert_eq!(kept(OperandPromise::ExactShift), y >= 8 || x >> y << y == x);
                assert_eq!(kept(OperandPromise::SignedShl), y >= 8 || sx << y >> y == sx);
            }
        }
        assert!(!is_kept(OperandPromise::NonZero, 128, 1, 1), "wide values are not words");
    }
}
