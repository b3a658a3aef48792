//! Floating-point arithmetic in software, for every format.
//!
//! Values are bit patterns; the arithmetic is `rustc_apfloat`'s, LLVM's own in Rust.

use std::cmp::Ordering;

use everett_ir::{FloatBinary, FloatCast, FloatKind, FloatUnary};
use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Category, Float, FloatConvert, Round};

use crate::error::{Stop, UnsupportedFeature};

/// Calls a generic function with the type that implements a format.
macro_rules! with_format {
    ($kind:expr, $f:ident ( $($arg:expr),* )) => {
        match $kind {
            FloatKind::Half => $f::<Half>($($arg),*),
            FloatKind::BFloat => $f::<BFloat>($($arg),*),
            FloatKind::F32 => $f::<Single>($($arg),*),
            FloatKind::F64 => $f::<Double>($($arg),*),
            FloatKind::X87 => $f::<X87DoubleExtended>($($arg),*),
            FloatKind::F128 => $f::<Quad>($($arg),*),
        }
    };
}

pub(crate) fn binary(op: FloatBinary, kind: FloatKind, a: u128, b: u128) -> Result<u128, Stop> {
    if matches!(op, FloatBinary::Pow | FloatBinary::Atan2) {
        return Err(unsupported("pow or atan2", kind));
    }
    Ok(with_format!(kind, binary_in(op, a, b)))
}

fn binary_in<F: Float>(op: FloatBinary, a: u128, b: u128) -> u128 {
    let (a, b) = (F::from_bits(a), F::from_bits(b));
    let value = match op {
        FloatBinary::Add => (a + b).value,
        FloatBinary::Sub => (a - b).value,
        FloatBinary::Mul => (a * b).value,
        FloatBinary::Div => (a / b).value,
        FloatBinary::Rem => a.c_fmod(b).value,
        FloatBinary::CopySign => a.copy_sign(b),
        FloatBinary::MinNum => a.min(b),
        FloatBinary::MaxNum => a.max(b),
        FloatBinary::Minimum => a.minimum(b),
        FloatBinary::Maximum => a.maximum(b),
        FloatBinary::Pow | FloatBinary::Atan2 => unreachable!("refused by the caller"),
    };
    signed_if_new(value, &[a, b]).to_bits()
}

/// The NaN of an invalid operation is negative on x86-64; one that was passed on keeps its sign.
fn signed_if_new<F: Float>(value: F, inputs: &[F]) -> F {
    let is_new = value.is_nan() && !inputs.iter().any(|input| input.is_nan());
    if is_new { -F::NAN } else { value }
}

pub(crate) fn unary(op: FloatUnary, kind: FloatKind, a: u128) -> Result<u128, Stop> {
    let round = match op {
        FloatUnary::Neg | FloatUnary::Abs => unreachable!("handled on the sign bit"),
        FloatUnary::Canonicalize => return Ok(a),
        FloatUnary::Floor => Round::TowardNegative,
        FloatUnary::Ceil => Round::TowardPositive,
        FloatUnary::Trunc => Round::TowardZero,
        FloatUnary::Round => Round::NearestTiesToAway,
        FloatUnary::RoundEven => Round::NearestTiesToEven,
        // Both 16-bit formats are narrow enough that the double result rounds correctly.
        FloatUnary::Sqrt if kind.bits() == 16 => {
            let wide = f64::from_bits(convert(kind, FloatKind::F64, a) as u64).sqrt();
            return Ok(convert(FloatKind::F64, kind, wide.to_bits().into()));
        }
        FloatUnary::Sqrt => return Err(unsupported("square root", kind)),
        FloatUnary::Exp
        | FloatUnary::Exp2
        | FloatUnary::Log
        | FloatUnary::Log2
        | FloatUnary::Log10 => {
            return Err(unsupported("exponential or logarithm", kind));
        }
        FloatUnary::Sin | FloatUnary::Cos | FloatUnary::Tan => {
            return Err(unsupported("trigonometric function", kind));
        }
    };
    Ok(with_format!(kind, round_in(round, a)))
}

fn round_in<F: Float>(round: Round, a: u128) -> u128 {
    F::from_bits(a).round_to_integral(round).value.to_bits()
}

pub(crate) fn compare(kind: FloatKind, a: u128, b: u128) -> Option<Ordering> {
    with_format!(kind, compare_in(a, b))
}

fn compare_in<F: Float>(a: u128, b: u128) -> Option<Ordering> {
    F::from_bits(a).partial_cmp(&F::from_bits(b))
}

pub(crate) fn mul_add(kind: FloatKind, a: u128, b: u128, c: u128) -> u128 {
    with_format!(kind, mul_add_in(a, b, c))
}

fn mul_add_in<F: Float>(a: u128, b: u128, c: u128) -> u128 {
    let (a, b, c) = (F::from_bits(a), F::from_bits(b), F::from_bits(c));
    signed_if_new(a.mul_add(b, c).value, &[a, b, c]).to_bits()
}

pub(crate) fn scale(kind: FloatKind, a: u128, exponent: i32) -> u128 {
    with_format!(kind, scale_in(a, exponent))
}

fn scale_in<F: Float>(a: u128, exponent: i32) -> u128 {
    F::from_bits(a).scalbn(exponent).to_bits()
}

pub(crate) fn convert(from: FloatKind, to: FloatKind, a: u128) -> u128 {
    with_format!(from, convert_from(to, a))
}

fn convert_from<F>(to: FloatKind, a: u128) -> u128
where
    F: Float
        + FloatConvert<Half>
        + FloatConvert<BFloat>
        + FloatConvert<Single>
        + FloatConvert<Double>
        + FloatConvert<X87DoubleExtended>
        + FloatConvert<Quad>,
{
    fn to_bits<F: FloatConvert<T>, T: Float>(a: F) -> u128 {
        let mut loses_info = false;
        a.convert(&mut loses_info).value.to_bits()
    }
    let a = F::from_bits(a);
    match to {
        FloatKind::Half => to_bits::<F, Half>(a),
        FloatKind::BFloat => to_bits::<F, BFloat>(a),
        FloatKind::F32 => to_bits::<F, Single>(a),
        FloatKind::F64 => to_bits::<F, Double>(a),
        FloatKind::X87 => to_bits::<F, X87DoubleExtended>(a),
        FloatKind::F128 => to_bits::<F, Quad>(a),
    }
}

pub(crate) fn from_int(kind: FloatKind, signed: bool, bits: u32, value: u128) -> u128 {
    let unused = 128 - bits;
    let extended = ((value << unused) as i128) >> unused;
    with_format!(kind, from_int_in(signed, value, extended))
}

fn from_int_in<F: Float>(signed: bool, unsigned: u128, extended: i128) -> u128 {
    let value = if signed { F::from_i128(extended) } else { F::from_u128(unsigned) };
    value.value.to_bits()
}

/// Conversion to an integer of `bits` bits. What LLVM leaves undefined (a value that does not
/// fit) gives what x86-64 gives: the smallest signed number of 32 or 64 bits, cut to size.
pub(crate) fn to_int(kind: FloatKind, op: FloatCast, bits: u32, a: u128) -> u128 {
    with_format!(kind, to_int_in(op, bits, a))
}

fn to_int_in<F: Float>(op: FloatCast, bits: u32, a: u128) -> u128 {
    let round = match op {
        FloatCast::RintToSigned => Round::NearestTiesToEven,
        FloatCast::RoundToSigned => Round::NearestTiesToAway,
        _ => Round::TowardZero,
    };
    let a = F::from_bits(a);
    let width = bits as usize;
    let mask = u128::MAX >> (128 - bits);
    let mut exact = false;
    let unsigned = matches!(op, FloatCast::ToUnsigned | FloatCast::ToUnsignedSat);
    let saturate = matches!(op, FloatCast::ToSignedSat | FloatCast::ToUnsignedSat);
    let (value, status) = if unsigned {
        let result = a.to_u128_r(width, round, &mut exact);
        (result.value, result.status)
    } else {
        let result = a.to_i128_r(width, round, &mut exact);
        (result.value as u128, result.status)
    };
    let invalid = status.contains(rustc_apfloat::Status::INVALID_OP);
    if !invalid || saturate {
        // The library saturates by itself; only a NaN must become zero.
        return if saturate && a.is_nan() { 0 } else { value & mask };
    }
    let indefinite: u128 = if bits <= 32 { 1 << 31 } else { 1 << (bits - 1) };
    indefinite & mask
}

/// The class bit of LLVM's `is.fpclass`.
pub(crate) fn class(kind: FloatKind, a: u128) -> u16 {
    with_format!(kind, class_in(a))
}

fn class_in<F: Float>(a: u128) -> u16 {
    let a = F::from_bits(a);
    let negative = a.is_negative();
    match a.category() {
        Category::NaN if a.is_signaling() => 1 << 0,
        Category::NaN => 1 << 1,
        Category::Infinity if negative => 1 << 2,
        Category::Infinity => 1 << 9,
        Category::Zero if negative => 1 << 5,
        Category::Zero => 1 << 6,
        Category::Normal if a.is_denormal() && negative => 1 << 4,
        Category::Normal if a.is_denormal() => 1 << 7,
        Category::Normal if negative => 1 << 3,
        Category::Normal => 1 << 8,
    }
}

/// The end of a path at an operation that a format does not have.
pub(super) fn unsupported(operation: &'static str, kind: FloatKind) -> Stop {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_agree_with_the_host() {
        for x in [0.0f64, -0.5, 1.5, 1e10, -3.99, 123456789.0, f64::MAX, f64::INFINITY] {
            let bits = x.to_bits().into();
            let single = convert(FloatKind::F64, FloatKind::F32, bits) as u32;
            assert_eq!(single, (x as f32).to_bits());
            if x.abs() < 1e18 {
                assert_eq!(to_int(FloatKind::F64, FloatCast::ToSigned, 64, bits) as i64, x as i64);
            }
            assert_eq!(
                to_int(FloatKind::F64, FloatCast::ToSignedSat, 32, bits) as u32 as i32,
                x as i32
            );
        }
        assert_eq!(from_int(FloatKind::F64, true, 8, 0xff) as u64, (-1.0f64).to_bits());
        assert_eq!(from_int(FloatKind::F32, false, 8, 0xff) as u32, 255f32.to_bits());
    }

    #[test]
    fn a_value_that_does_not_fit_converts_as_on_x86() {
        let nan = f64::NAN.to_bits().into();
        assert_eq!(to_int(FloatKind::F64, FloatCast::ToSigned, 32, nan), 0x8000_0000);
        assert_eq!(to_int(FloatKind::F64, FloatCast::ToSigned, 64, nan), 1 << 63);
    }

    #[test]
    fn classes_have_the_bits_of_the_language_reference() {
        let class64 = |x: f64| class(FloatKind::F64, x.to_bits().into());
        assert_eq!(class64(f64::NEG_INFINITY), 4);
        assert_eq!(class64(-1.0), 8);
        assert_eq!(class64(-0.0), 32);
        assert_eq!(class64(0.0), 64);
        assert_eq!(class64(5e-324), 128);
        assert_eq!(class64(1.0), 256);
        assert_eq!(class64(f64::INFINITY), 512);
    }
}
