//! The operators on known bits: the host's arithmetic for `float` and `double`; arithmetic in 128 bits for
//! formats of at most 64 bits of precision; `rustc_apfloat` (LLVM's own arithmetic in Rust) for the rest.

use everett_base::FloatKind;
use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, Round};

use super::{FloatOp, IntegerRounding, indefinite, infinity, invalid, is_nan, quiet_bits};
use crate::op::{mask, sign_extend};

/// The value by the host's arithmetic; `None` where it has none, and for a NaN.
pub(super) fn native(op: FloatOp, width: u32, first: u32, a: u64, b: u64) -> Option<u64> {
    match op {
        FloatOp::FromInt { to, signed } => from_word(to, signed, first, a),
        FloatOp::ToInt { from, signed } => to_word(from, signed, width, a),
        FloatOp::Convert { from: FloatKind::F32, to: FloatKind::F64 } => {
            let value = f64::from(f32::from_bits(a as u32));
            (!value.is_nan()).then(|| value.to_bits())
        }
        FloatOp::Convert { from: FloatKind::F64, to: FloatKind::F32 } => {
            let value = f64::from_bits(a) as f32;
            (!value.is_nan()).then(|| value.to_bits().into())
        }
        _ => match op.kind() {
            FloatKind::F32 => native32(op, f32::from_bits(a as u32), f32::from_bits(b as u32)),
            FloatKind::F64 => native64(op, f64::from_bits(a), f64::from_bits(b)),
            _ => None,
        },
    }
}

macro_rules! native {
    ($name:ident, $float:ty) => {
        fn $name(op: FloatOp, a: $float, b: $float) -> Option<u64> {
            let value = match op {
                FloatOp::Add(_) => a + b,
                FloatOp::Sub(_) => a - b,
                FloatOp::Mul(_) => a * b,
                FloatOp::Div(_) => a / b,
                FloatOp::Sqrt(_) => a.sqrt(),
                FloatOp::Round(_, IntegerRounding::TiesToEven) => a.round_ties_even(),
                FloatOp::Round(_, IntegerRounding::TiesToAway) => a.round(),
                FloatOp::Round(_, IntegerRounding::Down) => a.floor(),
                FloatOp::Round(_, IntegerRounding::Up) => a.ceil(),
                FloatOp::Round(_, IntegerRounding::ToZero) => a.trunc(),
                FloatOp::Equal(_) => return Some(u64::from(a == b)),
                FloatOp::Less(_) => return Some(u64::from(a < b)),
                FloatOp::LessOrEqual(_) => return Some(u64::from(a <= b)),
                FloatOp::MulAdd(_)
                | FloatOp::Convert { .. }
                | FloatOp::FromInt { .. }
                | FloatOp::ToInt { .. } => return None,
            };
            (!value.is_nan()).then(|| value.to_bits().into())
        }
    };
}

native!(native32, f32);
native!(native64, f64);

fn from_word(to: FloatKind, signed: bool, bits: u32, value: u64) -> Option<u64> {
    let extended = sign_extend(bits, value);
    match (to, signed) {
        (FloatKind::F32, true) => Some((extended as f32).to_bits().into()),
        (FloatKind::F32, false) => Some((value as f32).to_bits().into()),
        (FloatKind::F64, true) => Some((extended as f64).to_bits()),
        (FloatKind::F64, false) => Some((value as f64).to_bits()),
        _ => None,
    }
}

fn to_word(from: FloatKind, signed: bool, width: u32, a: u64) -> Option<u64> {
    let value = match from {
        FloatKind::F32 => f64::from(f32::from_bits(a as u32)),
        FloatKind::F64 => f64::from_bits(a),
        _ => return None,
    };
    let whole = value.trunc();
    let beyond = |bits: u32| (2f64).powi(bits as i32);
    let (fits, integer) = if signed {
        (-beyond(width - 1) <= whole && whole < beyond(width - 1), whole as i64 as u64)
    } else {
        (0.0 <= whole && whole < beyond(width), whole as u64)
    };
    fits.then(|| integer & mask(width))
}

/// The value on operands of any format; `first` is the width of an integer operand.
pub(super) fn value(op: FloatOp, width: u32, first: u32, operands: &[u128]) -> u128 {
    let kind = op.kind();
    let operands = match op {
        FloatOp::FromInt { signed, .. } => return from_int(kind, signed, first, operands[0]),
        FloatOp::MulAdd(_) => &operands[..3],
        _ if op.is_binary() => &operands[..2],
        _ => &operands[..1],
    };
    if let FloatOp::ToInt { signed, .. } = op {
        return to_int(kind, signed, width, operands[0]);
    }
    let nan = operands.iter().copied().find(|&operand| is_nan(kind, operand));
    if op.is_comparison() {
        return (nan.is_none() && compare(op, operands[0], operands[1])).into();
    }
    if let FloatOp::Convert { to, .. } = op {
        return match nan {
            Some(nan) => converted_nan(kind, to, nan),
            None => convert(kind, to, operands[0]),
        };
    }
    if let Some(nan) = nan {
        return nan | infinity(kind) | quiet_bits(kind);
    }
    if let FloatOp::Sqrt(_) = op {
        return square_root(kind, operands[0]);
    }
    if let Some(value) = narrow(op, operands) {
        return value;
    }
    let value = match kind {
        FloatKind::Half => in_software::<Half>(op, operands),
        FloatKind::BFloat => in_software::<BFloat>(op, operands),
        FloatKind::F32 => in_software::<Single>(op, operands),
        FloatKind::F64 => in_software::<Double>(op, operands),
        FloatKind::X87 => in_software::<X87DoubleExtended>(op, operands),
        FloatKind::F128 => in_software::<Quad>(op, operands),
    };
    if is_nan(kind, value) { invalid(kind) } else { value }
}

fn in_software<F: Float>(op: FloatOp, operands: &[u128]) -> u128 {
    let of = |at: usize| F::from_bits(operands[at]);
    let value = match op {
        FloatOp::Add(_) => (of(0) + of(1)).value,
        FloatOp::Sub(_) => (of(0) - of(1)).value,
        FloatOp::Mul(_) => (of(0) * of(1)).value,
        FloatOp::Div(_) => (of(0) / of(1)).value,
        FloatOp::MulAdd(_) => of(0).mul_add(of(1), of(2)).value,
        FloatOp::Round(_, direction) => {
            let direction = match direction {
                IntegerRounding::TiesToEven => Round::NearestTiesToEven,
                IntegerRounding::TiesToAway => Round::NearestTiesToAway,
                IntegerRounding::Down => Round::TowardNegative,
                IntegerRounding::Up => Round::TowardPositive,
                IntegerRounding::ToZero => Round::TowardZero,
            };
            of(0).round_to_integral(direction).value
        }
        _ => unreachable!("{} is no arithmetic", op.name()),
    };
    value.to_bits()
}

/// Compares numbers of which none is a NaN: as integers with a sign, and zeros are equal.
fn compare(op: FloatOp, a: u128, b: u128) -> bool {
    let sign = 1 << (op.kind().bits() - 1);
    let order = |number: u128| {
        let magnitude = (number & !sign) as i128;
        if number & sign == 0 { magnitude } else { -magnitude }
    };
    match op {
        FloatOp::Equal(_) => order(a) == order(b),
        FloatOp::Less(_) => order(a) < order(b),
        _ => order(a) <= order(b),
    }
}

/// A number that is not rounded yet: its significand, whose highest bit is set, and whether there is more
/// below it. The exponent is the power of two that the highest bit stands for.
struct Unrounded {
    negative: bool,
    exponent: i32,
    significand: u128,
    inexact: bool,
}

impl Unrounded {
    /// A significand with zeros above it, of which bit 127 stands for a power of two; `None` for zero.
    fn new(negative: bool, exponent: i32, significand: u128, inexact: bool) -> Option<Unrounded> {
        let zeros = significand.leading_zeros();
        let significand = significand.checked_shl(zeros)?;
        Some(Unrounded { negative, exponent: exponent - zeros as i32, significand, inexact })
    }

    /// The finite number that is not zero.
    fn of(kind: FloatKind, number: u128) -> Option<Unrounded> {
        let sign = 1 << (kind.bits() - 1);
        let (exponent, significand) = exponent_and_significand(kind, number & !sign);
        let significand = significand << (128 - kind.precision());
        Unrounded::new(number & sign != 0, exponent, significand, false)
    }

    /// The nearest number of a format.
    fn rounded(&self, kind: FloatKind) -> u128 {
        let (precision, bias) = (kind.precision(), bias(kind));
        let biased = self.exponent + bias;
        // A subnormal number has the lowest exponent, and fewer bits.
        let lost = 128 - precision as i32 + (1 - biased).max(0);
        let (kept, below) = match lost as u32 {
            lost @ ..128 => (self.significand >> lost, self.significand << (128 - lost)),
            128 => (0, self.significand),
            _ => (0, 1),
        };
        let half = 1 << 127;
        let up = below > half || below == half && (self.inexact || kept & 1 == 1);
        let fraction = precision - 1;
        // The carry of the significand goes into the exponent. A normal number brings the highest bit itself.
        let field = (biased.max(1) - 1) as u128;
        let joined = (field << fraction) + kept + u128::from(up);
        let sign = u128::from(self.negative) << (kind.bits() - 1);
        let most = (1u128 << kind.exponent_bits()) - 1;
        if joined >> fraction >= most {
            return sign | infinity(kind);
        }
        sign | stored(kind, joined >> fraction, joined & ((1 << fraction) - 1))
    }
}

/// The bits of a number without its sign: of its exponent's field, and of its fraction.
fn stored(kind: FloatKind, field: u128, fraction: u128) -> u128 {
    match kind {
        FloatKind::X87 => field << 64 | u128::from(field != 0) << 63 | fraction,
        _ => field << (kind.precision() - 1) | fraction,
    }
}

fn bias(kind: FloatKind) -> i32 {
    (1 << (kind.exponent_bits() - 1)) - 1
}

/// A sum, difference, product or quotient of finite numbers that are not zero; `None` for all else, and for
/// formats with more than 64 bits of precision.
fn narrow(op: FloatOp, operands: &[u128]) -> Option<u128> {
    let kind = op.kind();
    let sign = 1 << (kind.bits() - 1);
    let is_finite = |number: &u128| number & !sign < infinity(kind);
    if kind.precision() > 64 || !operands.iter().all(is_finite) {
        return None;
    }
    let b = match op {
        FloatOp::Sub(_) => operands[1] ^ sign,
        FloatOp::Add(_) | FloatOp::Mul(_) | FloatOp::Div(_) => operands[1],
        _ => return None,
    };
    let (x, y) = (Unrounded::of(kind, operands[0])?, Unrounded::of(kind, b)?);
    let negative = x.negative != y.negative;
    let value = match op {
        FloatOp::Mul(_) => {
            let product = (x.significand >> 64) * (y.significand >> 64);
            Unrounded::new(negative, x.exponent + y.exponent + 1, product, false)?
        }
        FloatOp::Div(_) => {
            let divisor = y.significand >> 64;
            let (first, rest) = (x.significand / divisor, x.significand % divisor);
            // Two more digits than the quotient has: the first of 64 or 65.
            let (second, rest) = ((rest << 62) / divisor, (rest << 62) % divisor);
            let digits = first << 62 | second;
            Unrounded::new(negative, x.exponent - y.exponent + 1, digits, rest != 0)?
        }
        _ => return sum(kind, x, y),
    };
    Some(value.rounded(kind))
}

/// The sum of two numbers. They have room for a carry, and more zeros below than a rounding looks at.
fn sum(kind: FloatKind, x: Unrounded, y: Unrounded) -> Option<u128> {
    let (large, small) = match (x.exponent, x.significand) < (y.exponent, y.significand) {
        true => (y, x),
        false => (x, y),
    };
    let distance = (large.exponent - small.exponent) as u32;
    let whole = small.significand >> 1;
    let moved = whole.checked_shr(distance).unwrap_or(0);
    let is_cut = moved.checked_shl(distance).unwrap_or(0) != whole;
    // Of what is cut off, one bit stays: far below all that the result keeps.
    let moved = moved | u128::from(is_cut);
    let total = match large.negative == small.negative {
        true => (large.significand >> 1) + moved,
        false => (large.significand >> 1) - moved,
    };
    if total == 0 {
        return Some(0);
    }
    Some(Unrounded::new(large.negative, large.exponent + 1, total, false)?.rounded(kind))
}

fn from_int(kind: FloatKind, signed: bool, bits: u32, value: u128) -> u128 {
    let unused = 128 - bits;
    let extended = ((value << unused) as i128) >> unused;
    let negative = signed && extended < 0;
    let magnitude = if signed { extended.unsigned_abs() } else { value };
    Unrounded::new(negative, 127, magnitude, false).map_or(0, |number| number.rounded(kind))
}

fn convert(from: FloatKind, to: FloatKind, a: u128) -> u128 {
    let sign = 1 << (from.bits() - 1);
    let to_sign = u128::from(a & sign != 0) << (to.bits() - 1);
    match Unrounded::of(from, a) {
        None => to_sign,
        Some(_) if a & !sign == infinity(from) => to_sign | infinity(to),
        Some(number) => number.rounded(to),
    }
}

fn to_int(kind: FloatKind, signed: bool, width: u32, a: u128) -> u128 {
    let magnitude = a & !(1 << (kind.bits() - 1));
    let negative = a != magnitude;
    if is_nan(kind, a) || magnitude == infinity(kind) {
        return indefinite(width);
    }
    let (exponent, significand) = exponent_and_significand(kind, magnitude);
    let below = kind.precision() as i32 - 1 - exponent;
    let whole = match below {
        _ if exponent < 0 => 0,
        _ if exponent >= width as i32 => return indefinite(width),
        0.. => significand >> below,
        _ => significand << -below,
    };
    let lowest = 1 << (width - 1);
    let fits = match (signed, negative) {
        (true, false) => whole < lowest,
        (true, true) => whole <= lowest,
        (false, false) => true,
        (false, true) => whole == 0,
    };
    if !fits {
        return indefinite(width);
    }
    let value = if negative { whole.wrapping_neg() } else { whole };
    value & u128::MAX >> (128 - width)
}

/// The power of two that the highest bit of a significand stands for, and the significand, whose highest bit
/// is not set in a subnormal number.
fn exponent_and_significand(kind: FloatKind, magnitude: u128) -> (i32, u128) {
    let precision = kind.precision();
    let stored = if kind == FloatKind::X87 { precision } else { precision - 1 };
    let field = (magnitude >> stored) as i32;
    let hidden = u128::from(stored < precision && field != 0) << stored;
    (field.max(1) - bias(kind), magnitude & ((1 << stored) - 1) | hidden)
}

/// A NaN keeps its sign and the upper bits of its fraction.
fn converted_nan(from: FloatKind, to: FloatKind, nan: u128) -> u128 {
    let negative = nan >> (from.bits() - 1) & 1;
    let (had, has) = (from.precision() - 1, to.precision() - 1);
    let fraction = nan & ((1 << had) - 1);
    let moved = if has >= had { fraction << (has - had) } else { fraction >> (had - has) };
    negative << (to.bits() - 1) | infinity(to) | quiet_bits(to) | moved
}

/// The square root, digit by digit, as on paper: the root of the significand with zeros behind it, two digits
/// longer than the result. These and the remainder decide about rounding. A root is never subnormal.
fn square_root(kind: FloatKind, a: u128) -> u128 {
    let sign = 1 << (kind.bits() - 1);
    match a {
        _ if a & !sign == 0 || a == infinity(kind) => return a,
        _ if a & sign != 0 => return invalid(kind),
        _ => {}
    }
    let precision = kind.precision();
    let (exponent, significand) = exponent_and_significand(kind, a);
    let shift = significand.leading_zeros() - (128 - precision);
    let exponent = exponent - shift as i32;
    // An even exponent is halved, so an odd one gives one of its twos to the significand.
    let significand = significand << (shift + (exponent & 1) as u32);
    let digits = precision + 2;
    let digit = |at: u32| at.checked_sub(precision + 3).map_or(0, |at| significand >> at & 1);
    let (mut root, mut remainder) = (0u128, 0u128);
    for low in (0..digits).rev().map(|pair| 2 * pair) {
        remainder = remainder << 2 | digit(low + 1) << 1 | digit(low);
        let trial = root << 2 | 1;
        root <<= 1;
        if remainder >= trial {
            remainder -= trial;
            root |= 1;
        }
    }
    let (kept, half) = (root >> 2, root >> 1 & 1);
    let beyond = root & 1 | u128::from(remainder != 0);
    let rounded = kept + (half & (beyond | kept & 1));
    let field = (exponent.div_euclid(2) + bias(kind)) as u128;
    stored(kind, field, rounded & ((1 << (precision - 1)) - 1))
}
