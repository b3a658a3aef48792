//! Operations that terms do not have, on known numbers: the host's functions for `float` and `double`, and
//! `rustc_apfloat` where a format needs it.

use everett_ir::{FloatBinary, FloatKind, FloatUnary};
use rustc_apfloat::Float;
use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single, X87DoubleExtended};

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

/// A remainder, a power or an angle.
pub(crate) fn binary(op: FloatBinary, kind: FloatKind, a: u128, b: u128) -> Result<u128, Stop> {
    macro_rules! on_host {
        ($a:expr, $b:expr) => {
            match op {
                FloatBinary::Pow => $a.powf($b),
                FloatBinary::Atan2 => $a.atan2($b),
                _ => $a % $b,
            }
        };
    }
    Ok(match kind {
        FloatKind::F32 => {
            on_host!(f32::from_bits(a as u32), f32::from_bits(b as u32)).to_bits().into()
        }
        FloatKind::F64 => {
            on_host!(f64::from_bits(a as u64), f64::from_bits(b as u64)).to_bits().into()
        }
        _ if op != FloatBinary::Rem => return Err(unsupported("pow or atan2", kind)),
        _ => with_format!(kind, remainder(a, b)),
    })
}

/// The NaN of an invalid operation is negative on x86-64; one that was passed on keeps its sign.
fn remainder<F: Float>(a: u128, b: u128) -> u128 {
    let (a, b) = (F::from_bits(a), F::from_bits(b));
    let value = a.c_fmod(b).value;
    let is_new = value.is_nan() && !a.is_nan() && !b.is_nan();
    if is_new { (-F::NAN).to_bits() } else { value.to_bits() }
}

/// An exponential, a logarithm or a trigonometric function.
pub(crate) fn unary(op: FloatUnary, kind: FloatKind, a: u128) -> Result<u128, Stop> {
    macro_rules! on_host {
        ($a:expr) => {
            match op {
                FloatUnary::Exp => $a.exp(),
                FloatUnary::Exp2 => $a.exp2(),
                FloatUnary::Log => $a.ln(),
                FloatUnary::Log2 => $a.log2(),
                FloatUnary::Log10 => $a.log10(),
                FloatUnary::Sin => $a.sin(),
                FloatUnary::Cos => $a.cos(),
                FloatUnary::Tan => $a.tan(),
                _ => unreachable!("terms have all other operations"),
            }
        };
    }
    match kind {
        FloatKind::F32 => Ok(on_host!(f32::from_bits(a as u32)).to_bits().into()),
        FloatKind::F64 => Ok(on_host!(f64::from_bits(a as u64)).to_bits().into()),
        _ if matches!(op, FloatUnary::Sin | FloatUnary::Cos | FloatUnary::Tan) => {
            Err(unsupported("trigonometric function", kind))
        }
        _ => Err(unsupported("exponential or logarithm", kind)),
    }
}

/// A number times a power of two, or its own power.
pub(crate) fn scale(power: bool, kind: FloatKind, a: u128, exponent: i32) -> Result<u128, Stop> {
    match (power, kind) {
        (false, _) => Ok(with_format!(kind, scaled(a, exponent))),
        (true, FloatKind::F32) => Ok(f32::from_bits(a as u32).powi(exponent).to_bits().into()),
        (true, FloatKind::F64) => Ok(f64::from_bits(a as u64).powi(exponent).to_bits().into()),
        (true, _) => Err(unsupported("powi", kind)),
    }
}

fn scaled<F: Float>(a: u128, exponent: i32) -> u128 {
    F::from_bits(a).scalbn(exponent).to_bits()
}

/// The end of a path at an operation that a format does not have.
fn unsupported(operation: &'static str, kind: FloatKind) -> Stop {
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
