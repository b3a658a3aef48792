//! Floating-point operators spelled out in operators on bit vectors, for solvers.
//!
//! Each operator takes its operands apart into sign, exponent and significand, computes with integers, and
//! rounds the result. A significand has its highest bit set unless the number is zero, subnormal numbers
//! included; the exponent is wide enough for that. Bits that are cut off below a significand are kept as one,
//! its lowest, which is set if any of them is (*sticky*).

use std::sync::{Mutex, PoisonError};

use everett_base::{FloatKind, Map};

use super::{FloatOp, IntegerRounding, indefinite, infinity, invalid, quiet_bits};
use crate::id::TermId;
use crate::node::TermNode;
use crate::{BitVec, Pool};

/// The circuits that were asked for, by the terms that they spell out.
#[derive(Debug, Default)]
pub(crate) struct FloatCircuits(Mutex<Map<TermId, TermId>>);

impl FloatCircuits {
    fn get_or(&self, term: TermId, make: impl FnOnce() -> TermId) -> TermId {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&circuit) = known().get(&term) {
            return circuit;
        }
        // Two threads may make the same circuit; they get the same term.
        let circuit = make();
        known().insert(term, circuit);
        circuit
    }
}

impl Pool {
    /// The term in which a [`TermNode::Float`] is spelled out. Its operands stay as they are.
    ///
    /// # Panics
    /// When the term is none.
    pub fn float_circuit(&self, term: TermId) -> TermId {
        let TermNode::Float(op, a, b) = self.node(term) else {
            panic!("{} is no operator on numbers", self.display(term))
        };
        self.float_circuits().get_or(term, || circuit(self, op, self.width(term), a, b))
    }
}

/// The term that computes an operator.
fn circuit(pool: &Pool, op: FloatOp, width: u32, a: TermId, b: Option<TermId>) -> TermId {
    let kind = op.kind();
    let circuit = FloatCircuit { pool, kind, exponent_width: kind.exponent_bits() + 4 };
    let second = || b.expect("the operator has two operands");
    match op {
        FloatOp::Add(_) => circuit.sum(a, second(), false),
        FloatOp::Sub(_) => circuit.sum(a, second(), true),
        FloatOp::Mul(_) => circuit.product(a, second()),
        FloatOp::Div(_) => circuit.quotient(a, second()),
        FloatOp::MulAdd(_) => {
            let bits = kind.bits();
            let factors = (pool.extract(a, bits, bits), pool.extract(a, 0, bits));
            circuit.product_and_sum(factors.0, factors.1, second())
        }
        FloatOp::Sqrt(_) => circuit.square_root(a),
        FloatOp::Round(_, direction) => circuit.to_integral(a, direction),
        FloatOp::Equal(_) => circuit.equal(a, second()),
        FloatOp::Less(_) => circuit.less(a, second(), false),
        FloatOp::LessOrEqual(_) => circuit.less(a, second(), true),
        FloatOp::Convert { to, .. } => circuit.convert(to, a),
        FloatOp::FromInt { signed, .. } => circuit.int_to_number(signed, a),
        FloatOp::ToInt { signed, .. } => circuit.to_int(signed, width, a),
    }
}

/// A number taken apart.
struct Parts {
    nan: TermId,
    infinite: TermId,
    zero: TermId,
    negative: TermId,
    /// The power of two that the highest bit of the significand stands for, signed.
    exponent: TermId,
    /// As wide as the precision of the format; its highest bit is set unless the number is zero.
    significand: TermId,
}

/// A finite number that is not rounded yet: the highest bit of its significand is set, unless it is zero.
struct Unrounded {
    negative: TermId,
    exponent: TermId,
    significand: TermId,
}

struct FloatCircuit<'p> {
    pool: &'p Pool,
    kind: FloatKind,
    exponent_width: u32,
}

/// Small words.
impl FloatCircuit<'_> {
    fn known(&self, width: u32, value: u128) -> TermId {
        self.pool.big_constant(&BitVec::from_u128(width, value))
    }

    /// A constant as an exponent.
    fn exponent(&self, value: i64) -> TermId {
        self.pool.big_constant(&BitVec::from_i64(self.exponent_width, value))
    }

    fn is_zero(&self, term: TermId) -> TermId {
        self.pool.eq(term, self.pool.constant(self.pool.width(term), 0))
    }

    fn is_not_zero(&self, term: TermId) -> TermId {
        self.pool.not(self.is_zero(term))
    }

    fn highest(&self, term: TermId) -> TermId {
        self.pool.extract(term, self.pool.width(term) - 1, 1)
    }

    fn all(&self, conditions: &[TermId]) -> TermId {
        conditions.iter().fold(self.pool.bool(true), |all, &one| self.pool.and(all, one))
    }

    fn any(&self, conditions: &[TermId]) -> TermId {
        conditions.iter().fold(self.pool.bool(false), |any, &one| self.pool.or(any, one))
    }

    /// The first value whose condition holds, or the last value.
    fn first_of(&self, choices: &[(TermId, TermId)], otherwise: TermId) -> TermId {
        choices
            .iter()
            .rev()
            .fold(otherwise, |rest, &(condition, value)| self.pool.ite(condition, value, rest))
    }

    /// The term with zeros below it, so that it has at least `width` bits.
    fn padded(&self, term: TermId, width: u32) -> TermId {
        match width.saturating_sub(self.pool.width(term)) {
            0 => term,
            missing => self.pool.concat(term, self.pool.constant(missing, 0)),
        }
    }

    /// An amount, not negative, that is cut to the width of what is shifted by it.
    fn amount(&self, amount: TermId, width: u32) -> TermId {
        let pool = self.pool;
        let own = pool.width(amount);
        if own <= width {
            return pool.zext(amount, width);
        }
        let most = pool.constant(own, width.into());
        pool.extract(pool.ite(pool.ult(most, amount), most, amount), 0, width)
    }

    /// Shifts to the right by an amount that is not negative. The lowest bit is sticky.
    fn shifted_right(&self, term: TermId, amount: TermId) -> TermId {
        let pool = self.pool;
        let width = pool.width(term);
        let amount = self.amount(amount, width);
        let ones = pool.not(pool.constant(width, 0));
        let lost = pool.and(term, pool.not(pool.shl(ones, amount)));
        pool.or(pool.lshr(term, amount), pool.zext(self.is_not_zero(lost), width))
    }

    /// Shifts to the left until the highest bit is set, and the number of places as an exponent.
    fn normalized(&self, term: TermId) -> (TermId, TermId) {
        let pool = self.pool;
        let zeros = pool.ctlz(term);
        (pool.shl(term, zeros), pool.resize(zeros, self.exponent_width))
    }
}

/// Taking numbers apart, and putting them together.
impl FloatCircuit<'_> {
    fn precision(&self) -> u32 {
        self.kind.precision()
    }

    fn bias(&self) -> i64 {
        (1 << (self.kind.exponent_bits() - 1)) - 1
    }

    fn negative(&self, a: TermId) -> TermId {
        self.pool.extract(a, self.kind.bits() - 1, 1)
    }

    fn magnitude(&self, a: TermId) -> TermId {
        self.pool.extract(a, 0, self.kind.bits() - 1)
    }

    fn is_nan(&self, a: TermId) -> TermId {
        self.pool.float_is_nan(self.kind, a)
    }

    fn parts(&self, a: TermId) -> Parts {
        let pool = self.pool;
        let (precision, exponent_bits) = (self.precision(), self.kind.exponent_bits());
        let field = pool.extract(a, self.kind.bits() - 1 - exponent_bits, exponent_bits);
        let subnormal = self.is_zero(field);
        let stored = match self.kind {
            FloatKind::X87 => pool.extract(a, 0, precision),
            _ => pool.concat(pool.not(subnormal), pool.extract(a, 0, precision - 1)),
        };
        let (significand, zeros) = self.normalized(stored);
        let field = pool.zext(field, self.exponent_width);
        let exponent = pool.add(field, self.exponent(-self.bias()));
        let exponent = pool.ite(subnormal, self.exponent(1 - self.bias()), exponent);
        let infinity = self.known(self.kind.bits() - 1, infinity(self.kind));
        Parts {
            nan: self.is_nan(a),
            infinite: pool.eq(self.magnitude(a), infinity),
            zero: self.is_zero(self.magnitude(a)),
            negative: self.negative(a),
            exponent: pool.sub(exponent, zeros),
            significand,
        }
    }

    /// A number of the fields that a format stores; `field` and `fraction` may be wider at the top.
    fn assembled(&self, negative: TermId, field: TermId, fraction: TermId) -> TermId {
        let pool = self.pool;
        let (exponent_bits, precision) = (self.kind.exponent_bits(), self.precision());
        let field = pool.extract(field, 0, exponent_bits);
        let fraction = pool.extract(fraction, 0, precision - 1);
        let below = match self.kind {
            FloatKind::X87 => pool.concat(self.is_not_zero(field), fraction),
            _ => fraction,
        };
        pool.concat(negative, pool.concat(field, below))
    }

    fn infinity(&self, negative: TermId) -> TermId {
        self.pool.concat(negative, self.known(self.kind.bits() - 1, infinity(self.kind)))
    }

    fn zero(&self, negative: TermId) -> TermId {
        self.pool.concat(negative, self.known(self.kind.bits() - 1, 0))
    }

    fn invalid(&self) -> TermId {
        self.known(self.kind.bits(), invalid(self.kind))
    }

    fn quiet(&self, a: TermId) -> TermId {
        self.pool.or(a, self.known(self.kind.bits(), infinity(self.kind) | quiet_bits(self.kind)))
    }

    /// The nearest number of the format, unless the significand is zero.
    fn rounded(&self, number: &Unrounded) -> TermId {
        let pool = self.pool;
        let precision = self.precision();
        let significand = self.padded(number.significand, precision + 2);
        let width = pool.width(significand);
        let biased = pool.add(number.exponent, self.exponent(self.bias()));
        let subnormal = pool.slt(biased, self.exponent(1));
        let places = pool.sub(self.exponent(1), biased);
        let places = pool.ite(subnormal, places, self.exponent(0));
        let significand = self.shifted_right(significand, places);
        let fraction = pool.extract(significand, width - precision, precision - 1);
        let half = pool.extract(significand, width - precision - 1, 1);
        let beyond = self.is_not_zero(pool.extract(significand, 0, width - precision - 1));
        let odd = pool.extract(fraction, 0, 1);
        let up = pool.and(half, pool.or(beyond, odd));
        let field = pool.ite(subnormal, self.exponent(0), biased);
        // The carry of the fraction goes into the exponent, from the largest subnormal number as well.
        let joined = pool.concat(field, fraction);
        let joined = pool.add(joined, pool.zext(up, pool.width(joined)));
        let field = pool.extract(joined, precision - 1, self.exponent_width);
        let highest = (1 << self.kind.exponent_bits()) - 1;
        let overflows = pool.not(pool.ult(field, self.exponent(highest)));
        let finite = self.assembled(number.negative, field, joined);
        pool.ite(overflows, self.infinity(number.negative), finite)
    }

    /// The result for NaN operands, which goes before all others.
    fn unless_nan(&self, operands: &[(TermId, &Parts)], otherwise: TermId) -> TermId {
        let choices: Vec<(TermId, TermId)> =
            operands.iter().map(|&(a, parts)| (parts.nan, self.quiet(a))).collect();
        self.first_of(&choices, otherwise)
    }
}

/// Arithmetic.
impl FloatCircuit<'_> {
    fn sum(&self, a: TermId, b: TermId, subtract: bool) -> TermId {
        let pool = self.pool;
        let x = self.parts(a);
        let y = self.parts(b);
        let negative = if subtract { pool.not(y.negative) } else { y.negative };
        let first =
            Unrounded { negative: x.negative, exponent: x.exponent, significand: x.significand };
        let second = Unrounded { negative, exponent: y.exponent, significand: y.significand };
        let value = self.finite_sum(&first, &second);
        let opposite = pool.xor(x.negative, negative);
        let choices = [
            (self.all(&[x.infinite, y.infinite, opposite]), self.invalid()),
            (x.infinite, self.infinity(x.negative)),
            (y.infinite, self.infinity(negative)),
        ];
        self.unless_nan(&[(a, &x), (b, &y)], self.first_of(&choices, value))
    }

    /// The rounded sum of two finite numbers, whose significands are equally wide.
    fn finite_sum(&self, a: &Unrounded, b: &Unrounded) -> TermId {
        let pool = self.pool;
        // The number with the smaller exponent is shifted to the right, by at most what a rounding can see.
        let swap = pool.slt(a.exponent, b.exponent);
        let distance = pool.sub(a.exponent, b.exponent);
        let distance = pool.ite(swap, pool.neg(distance), distance);
        let exponent = pool.ite(swap, b.exponent, a.exponent);
        let negative = pool.ite(swap, b.negative, a.negative);
        let large = pool.ite(swap, b.significand, a.significand);
        let small = pool.ite(swap, a.significand, b.significand);
        let width = pool.width(large) + 4;
        let widen = |term: TermId| pool.zext(self.padded(term, width - 1), width);
        let large = widen(large);
        let small = self.shifted_right(widen(small), distance);
        let opposite = pool.xor(a.negative, b.negative);
        let sum = pool.add(large, pool.ite(opposite, pool.neg(small), small));
        // Only numbers of equal exponents can have a negative difference.
        let turned = pool.and(opposite, self.highest(sum));
        let sum = pool.ite(turned, pool.neg(sum), sum);
        let (significand, zeros) = self.normalized(sum);
        let value = self.rounded(&Unrounded {
            negative: pool.xor(negative, turned),
            exponent: pool.sub(pool.add(exponent, self.exponent(1)), zeros),
            significand,
        });
        let both_negative = pool.and(a.negative, b.negative);
        pool.ite(self.is_zero(sum), self.zero(both_negative), value)
    }

    /// The exact product of two finite numbers.
    fn exact_product(&self, x: &Parts, y: &Parts) -> Unrounded {
        let pool = self.pool;
        let width = 2 * self.precision();
        let product = pool.mul(pool.zext(x.significand, width), pool.zext(y.significand, width));
        let high = self.highest(product);
        let doubled = pool.shl(product, self.known(width, 1));
        let exponent = pool.add(x.exponent, y.exponent);
        Unrounded {
            negative: pool.xor(x.negative, y.negative),
            exponent: pool.add(exponent, pool.zext(high, self.exponent_width)),
            significand: pool.ite(high, product, doubled),
        }
    }

    fn product(&self, a: TermId, b: TermId) -> TermId {
        let pool = self.pool;
        let (x, y) = (self.parts(a), self.parts(b));
        let product = self.exact_product(&x, &y);
        let negative = product.negative;
        let infinite = pool.or(x.infinite, y.infinite);
        let zero = pool.or(x.zero, y.zero);
        let choices = [
            (pool.and(infinite, zero), self.invalid()),
            (infinite, self.infinity(negative)),
            (zero, self.zero(negative)),
        ];
        let value = self.first_of(&choices, self.rounded(&product));
        self.unless_nan(&[(a, &x), (b, &y)], value)
    }

    fn product_and_sum(&self, a: TermId, b: TermId, c: TermId) -> TermId {
        let pool = self.pool;
        let (x, y, z) = (self.parts(a), self.parts(b), self.parts(c));
        let product = self.exact_product(&x, &y);
        let negative = product.negative;
        let infinite = pool.or(x.infinite, y.infinite);
        let zero = pool.or(x.zero, y.zero);
        // A zero must not shift the other number away.
        let lowest = self.exponent(-(1 << (self.exponent_width - 2)));
        let exponent = pool.ite(zero, lowest, product.exponent);
        let summand = Unrounded {
            negative: z.negative,
            exponent: pool.ite(z.zero, lowest, z.exponent),
            significand: self.padded(z.significand, 2 * self.precision()),
        };
        let sum = self.finite_sum(&Unrounded { exponent, ..product }, &summand);
        let opposite = pool.xor(negative, z.negative);
        let choices = [
            (pool.and(infinite, zero), self.invalid()),
            (self.all(&[infinite, z.infinite, opposite]), self.invalid()),
            (infinite, self.infinity(negative)),
            (z.infinite, self.infinity(z.negative)),
        ];
        let value = self.first_of(&choices, sum);
        self.unless_nan(&[(a, &x), (b, &y), (c, &z)], value)
    }

    fn quotient(&self, a: TermId, b: TermId) -> TermId {
        let pool = self.pool;
        let (x, y) = (self.parts(a), self.parts(b));
        let negative = pool.xor(x.negative, y.negative);
        let width = self.precision() + 1;
        let divisor = pool.zext(y.significand, width);
        let mut remainder = pool.zext(x.significand, width);
        let mut digits: Option<TermId> = None;
        // One digit more than a rounding needs, since the first may be zero.
        for _ in 0..self.precision() + 2 {
            let digit = pool.not(pool.ult(remainder, divisor));
            let rest = pool.ite(digit, pool.sub(remainder, divisor), remainder);
            digits = Some(digits.map_or(digit, |above| pool.concat(above, digit)));
            remainder = pool.concat(pool.extract(rest, 0, width - 1), pool.bool(false));
        }
        let digits = digits.expect("a precision is not zero");
        let digits = pool.concat(digits, self.is_not_zero(remainder));
        let high = self.highest(digits);
        let doubled = pool.shl(digits, self.known(self.precision() + 3, 1));
        let exponent = pool.sub(x.exponent, y.exponent);
        let value = self.rounded(&Unrounded {
            negative,
            exponent: pool.sub(exponent, pool.zext(pool.not(high), self.exponent_width)),
            significand: pool.ite(high, digits, doubled),
        });
        let undefined = pool.or(pool.and(x.infinite, y.infinite), pool.and(x.zero, y.zero));
        let choices = [
            (undefined, self.invalid()),
            (pool.or(x.infinite, y.zero), self.infinity(negative)),
            (pool.or(x.zero, y.infinite), self.zero(negative)),
        ];
        self.unless_nan(&[(a, &x), (b, &y)], self.first_of(&choices, value))
    }

    fn square_root(&self, a: TermId) -> TermId {
        let pool = self.pool;
        let x = self.parts(a);
        let precision = self.precision();
        // An even exponent is halved, so an odd one gives one of its twos to the significand.
        let odd = pool.extract(x.exponent, 0, 1);
        let even = pool.zext(x.significand, precision + 1);
        let radicand = pool.ite(odd, pool.concat(x.significand, pool.bool(false)), even);
        let radicand = self.padded(radicand, 2 * precision + 4);
        let mut root: Option<TermId> = None;
        let mut remainder = pool.constant(1, 0);
        for step in 0..precision + 2 {
            let width = step + 3;
            let pair = pool.extract(radicand, 2 * (precision + 1 - step), 2);
            remainder = pool.resize(pool.concat(remainder, pair), width);
            let one = pool.constant(2, 1);
            let trial = root.map_or(one, |root| pool.concat(root, one));
            let trial = pool.zext(trial, width);
            let digit = pool.not(pool.ult(remainder, trial));
            remainder = pool.ite(digit, pool.sub(remainder, trial), remainder);
            root = Some(root.map_or(digit, |root| pool.concat(root, digit)));
        }
        let root = root.expect("a precision is not zero");
        let value = self.rounded(&Unrounded {
            negative: pool.bool(false),
            exponent: pool.ashr(x.exponent, self.exponent(1)),
            significand: pool.concat(root, self.is_not_zero(remainder)),
        });
        let choices = [(x.zero, a), (x.negative, self.invalid()), (x.infinite, a)];
        self.unless_nan(&[(a, &x)], self.first_of(&choices, value))
    }
}

/// Comparisons.
impl FloatCircuit<'_> {
    fn both_zero(&self, a: TermId, b: TermId) -> TermId {
        self.is_zero(self.pool.or(self.magnitude(a), self.magnitude(b)))
    }

    fn neither_nan(&self, a: TermId, b: TermId) -> TermId {
        self.pool.not(self.pool.or(self.is_nan(a), self.is_nan(b)))
    }

    fn equal(&self, a: TermId, b: TermId) -> TermId {
        let same = self.pool.or(self.pool.eq(a, b), self.both_zero(a, b));
        self.pool.and(self.neither_nan(a, b), same)
    }

    fn less(&self, a: TermId, b: TermId, or_equal: bool) -> TermId {
        let pool = self.pool;
        let (x, y) = (self.magnitude(a), self.magnitude(b));
        let compare = |x: TermId, y: TermId| if or_equal { pool.ule(x, y) } else { pool.ult(x, y) };
        let both_zero = self.both_zero(a, b);
        let negative_first = if or_equal { pool.bool(true) } else { pool.not(both_zero) };
        let positive_first = if or_equal { both_zero } else { pool.bool(false) };
        let (first, second) = (self.negative(a), self.negative(b));
        let of_negative = pool.ite(second, compare(y, x), negative_first);
        let of_positive = pool.ite(second, positive_first, compare(x, y));
        pool.and(self.neither_nan(a, b), pool.ite(first, of_negative, of_positive))
    }
}

/// Integers, and other formats.
impl FloatCircuit<'_> {
    fn to_integral(&self, a: TermId, direction: IntegerRounding) -> TermId {
        let pool = self.pool;
        let x = self.parts(a);
        let precision = self.precision();
        let places = pool.sub(self.exponent(i64::from(precision) - 1), x.exponent);
        let is_whole = pool.slt(places, self.exponent(1));
        let places = pool.ite(is_whole, self.exponent(0), places);
        let shifted = self.shifted_right(self.padded(x.significand, precision + 2), places);
        let (half, beyond) = (pool.extract(shifted, 1, 1), pool.extract(shifted, 0, 1));
        let whole = pool.extract(shifted, 2, precision);
        let inexact = pool.or(half, beyond);
        let up = match direction {
            IntegerRounding::TiesToEven => {
                pool.and(half, pool.or(beyond, pool.extract(whole, 0, 1)))
            }
            IntegerRounding::TiesToAway => half,
            IntegerRounding::Down => pool.and(x.negative, inexact),
            IntegerRounding::Up => pool.and(pool.not(x.negative), inexact),
            IntegerRounding::ToZero => pool.bool(false),
        };
        let whole = pool.add(whole, pool.zext(up, precision));
        let (significand, zeros) = self.normalized(whole);
        let field = self.exponent(self.bias() + i64::from(precision) - 1);
        let value = self.assembled(x.negative, pool.sub(field, zeros), significand);
        let keeps = self.any(&[x.infinite, x.zero, is_whole]);
        let choices = [(keeps, a), (self.is_zero(whole), self.zero(x.negative))];
        self.unless_nan(&[(a, &x)], self.first_of(&choices, value))
    }

    fn to_int(&self, signed: bool, width: u32, a: TermId) -> TermId {
        let pool = self.pool;
        let x = self.parts(a);
        let below_one = pool.slt(x.exponent, self.exponent(0));
        let too_large = if i64::from(width) > self.bias() {
            // No finite number of the format is as large.
            x.infinite
        } else {
            pool.not(pool.slt(x.exponent, self.exponent(width.into())))
        };
        // The integer part is what is shifted out at the top.
        let room = pool.zext(x.significand, width + self.precision());
        let places = pool.add(x.exponent, self.exponent(1));
        let places = self.amount(places, width + self.precision());
        let whole = pool.extract(pool.shl(room, places), self.precision(), width);
        let whole = pool.ite(pool.or(below_one, x.zero), self.known(width, 0), whole);
        let fits = if signed {
            let lowest = pool.eq(
                whole,
                pool.shl(self.known(width, 1), self.known(width, u128::from(width) - 1)),
            );
            pool.or(pool.not(self.highest(whole)), pool.and(x.negative, lowest))
        } else {
            pool.or(pool.not(x.negative), self.is_zero(whole))
        };
        let value = pool.ite(x.negative, pool.neg(whole), whole);
        let refused = self.any(&[x.nan, x.infinite, too_large, pool.not(fits)]);
        pool.ite(refused, self.known(width, indefinite(width)), value)
    }

    fn int_to_number(&self, signed: bool, a: TermId) -> TermId {
        let pool = self.pool;
        let width = pool.width(a);
        let negative = if signed { self.highest(a) } else { pool.bool(false) };
        let magnitude = pool.ite(negative, pool.neg(a), a);
        let zeros = pool.ctlz(magnitude);
        let significand = pool.shl(magnitude, zeros);
        // A count of a narrow integer's zeros has few bits, that of a wide one many.
        let zeros = pool.resize(zeros, self.exponent_width);
        let value = self.rounded(&Unrounded {
            negative,
            exponent: pool.sub(self.exponent(i64::from(width) - 1), zeros),
            significand,
        });
        pool.ite(self.is_zero(a), self.zero(pool.bool(false)), value)
    }

    fn convert(&self, to: FloatKind, a: TermId) -> TermId {
        let pool = self.pool;
        let widest = self.kind.exponent_bits().max(to.exponent_bits());
        let from = FloatCircuit { exponent_width: widest + 4, ..*self };
        let target = FloatCircuit { pool, kind: to, exponent_width: widest + 4 };
        let x = from.parts(a);
        let value = target.rounded(&Unrounded {
            negative: x.negative,
            exponent: x.exponent,
            significand: x.significand,
        });
        let (had, has) = (self.precision() - 1, to.precision() - 1);
        let fraction = pool.extract(a, 0, had);
        let fraction = match has.cmp(&had) {
            std::cmp::Ordering::Less => pool.extract(fraction, had - has, has),
            std::cmp::Ordering::Equal => fraction,
            std::cmp::Ordering::Greater => self.padded(fraction, has),
        };
        let nan = pool.concat(x.negative, pool.zext(fraction, to.bits() - 1));
        let choices = [
            (x.nan, target.quiet(nan)),
            (x.infinite, target.infinity(x.negative)),
            (x.zero, target.zero(x.negative)),
        ];
        target.first_of(&choices, value)
    }
}
