//! Questions and operators that are made of the others.

use everett_base::FloatKind;

use super::{FloatOp, infinity, quiet_bits};
use crate::id::TermId;
use crate::{BitVec, Pool};

/// What [`Pool::float_class`] asks for: bits that may be set together, those of LLVM's `is.fpclass`.
mod class {
    pub(super) const SIGNALING_NAN: u16 = 1;
    pub(super) const QUIET_NAN: u16 = 1 << 1;
    /// Infinite, normal, subnormal and zero, if negative.
    pub(super) const NEGATIVE: [u16; 4] = [1 << 2, 1 << 3, 1 << 4, 1 << 5];
    /// The same, if positive.
    pub(super) const POSITIVE: [u16; 4] = [1 << 9, 1 << 8, 1 << 7, 1 << 6];
}

impl Pool {
    /// True if a number is a NaN, or what the x87 treats as one; width 1.
    pub fn float_is_nan(&self, kind: FloatKind, a: TermId) -> TermId {
        let bits = kind.bits();
        if !self.float_may_be_nan(kind, a) {
            return self.bool(false);
        }
        let magnitude = self.extract(a, 0, bits - 1);
        let infinity = self.big_constant(&BitVec::from_u128(bits - 1, infinity(kind)));
        let nan = self.ult(infinity, magnitude);
        if kind != FloatKind::X87 {
            return nan;
        }
        let field = self.extract(a, 64, 15);
        let normal = self.ne(field, self.constant(15, 0));
        self.or(nan, self.and(normal, self.not(self.extract(a, 63, 1))))
    }

    /// True if one of two numbers is a NaN, so that they have no order; width 1.
    pub fn float_unordered(&self, kind: FloatKind, a: TermId, b: TermId) -> TermId {
        self.or(self.float_is_nan(kind, a), self.float_is_nan(kind, b))
    }

    /// True if a number is of one of the classes of a mask, that of LLVM's `is.fpclass`; width 1.
    pub fn float_class(&self, kind: FloatKind, a: TermId, mask: u16) -> TermId {
        let bits = kind.bits();
        let known = |value: u128| self.big_constant(&BitVec::from_u128(bits - 1, value));
        let magnitude = self.extract(a, 0, bits - 1);
        let nan = self.float_is_nan(kind, a);
        // Of the two bits that are set in a quiet NaN of the x87, only the lower tells.
        let quiet = quiet_bits(kind).trailing_zeros();
        let quiet = self.extract(a, quiet, 1);
        let infinite = self.eq(magnitude, known(infinity(kind)));
        let zero = self.eq(magnitude, known(0));
        let exponent = kind.exponent_bits();
        let field = self.extract(a, bits - 1 - exponent, exponent);
        let small = self.eq(field, self.constant(exponent, 0));
        let subnormal = self.and(small, self.not(zero));
        let others = self.or(self.or(nan, infinite), small);
        let normal = self.not(others);
        let mut result = self.bool(false);
        let mut accept = |bit: u16, condition: TermId| {
            if mask & bit != 0 {
                result = self.or(result, condition);
            }
        };
        accept(class::SIGNALING_NAN, self.and(nan, self.not(quiet)));
        accept(class::QUIET_NAN, self.and(nan, quiet));
        let negative = self.extract(a, bits - 1, 1);
        for (at, what) in [infinite, normal, subnormal, zero].into_iter().enumerate() {
            accept(class::NEGATIVE[at], self.and(what, negative));
            accept(class::POSITIVE[at], self.and(what, self.not(negative)));
        }
        result
    }

    /// The smaller of two numbers, or the larger one. A NaN gives way to the other operand; of zeros of
    /// different sign, the second is taken.
    pub fn float_min_num(&self, kind: FloatKind, a: TermId, b: TermId, larger: bool) -> TermId {
        let (first, second) = if larger { (b, a) } else { (a, b) };
        let less = self.float(FloatOp::Less(kind), 1, first, Some(second));
        let chosen = self.ite(less, a, b);
        let (no_first, no_second) = (self.float_is_nan(kind, a), self.float_is_nan(kind, b));
        self.ite(no_first, b, self.ite(no_second, a, chosen))
    }

    /// The smaller of two numbers, or the larger one. A NaN is the result where there is one, and a negative
    /// zero is less than a positive one.
    pub fn float_minimum(&self, kind: FloatKind, a: TermId, b: TermId, larger: bool) -> TermId {
        let (first, second) = if larger { (b, a) } else { (a, b) };
        let less = self.float(FloatOp::Less(kind), 1, first, Some(second));
        let equal = self.float(FloatOp::Equal(kind), 1, a, Some(b));
        let zeros = if larger { self.and(a, b) } else { self.or(a, b) };
        let quiet = BitVec::from_u128(kind.bits(), infinity(kind) | quiet_bits(kind));
        let quiet = self.big_constant(&quiet);
        let chosen = self.ite(equal, zeros, self.ite(less, a, b));
        let (no_first, no_second) = (self.float_is_nan(kind, a), self.float_is_nan(kind, b));
        let rest = self.ite(no_second, self.or(b, quiet), chosen);
        self.ite(no_first, self.or(a, quiet), rest)
    }

    /// The number without its fraction as an integer, the nearest one that there is if it does not fit; 0 for
    /// a NaN.
    pub fn float_to_int_saturating(
        &self,
        kind: FloatKind,
        signed: bool,
        width: u32,
        a: TermId,
    ) -> TermId {
        let integer = self.float(FloatOp::ToInt { from: kind, signed }, width, a, None);
        let one = BitVec::from_u64(width, 1);
        let (least, most) = if signed {
            let least = one.shl_by(width - 1);
            (least.clone(), least.not())
        } else {
            (BitVec::zero(width), BitVec::ones(width))
        };
        // Both bounds become numbers of the format, rounded; beyond them nothing fits.
        let bound = |value: &BitVec| {
            let op = FloatOp::FromInt { to: kind, signed };
            self.big_constant(&op.apply_wide(kind.bits(), value, None))
        };
        let below = self.float(FloatOp::Less(kind), 1, a, Some(bound(&least)));
        let beyond = self.float(FloatOp::LessOrEqual(kind), 1, bound(&most), Some(a));
        let most = self.big_constant(&most);
        let clamped = self.ite(below, self.big_constant(&least), self.ite(beyond, most, integer));
        self.ite(self.float_is_nan(kind, a), self.constant(width, 0), clamped)
    }
}

/// Changes of the sign, which need no arithmetic.
impl Pool {
    /// The number with the opposite sign.
    pub fn float_negated(&self, kind: FloatKind, a: TermId) -> TermId {
        let sign = self.not(self.float_sign(kind, a));
        self.concat(sign, self.extract(a, 0, kind.bits() - 1))
    }

    /// The number without its sign.
    pub fn float_absolute(&self, kind: FloatKind, a: TermId) -> TermId {
        self.zext(self.extract(a, 0, kind.bits() - 1), kind.bits())
    }

    /// The first number with the sign of the second.
    pub fn float_with_sign(&self, kind: FloatKind, a: TermId, sign: TermId) -> TermId {
        self.concat(self.float_sign(kind, sign), self.extract(a, 0, kind.bits() - 1))
    }

    fn float_sign(&self, kind: FloatKind, a: TermId) -> TermId {
        self.extract(a, kind.bits() - 1, 1)
    }
}
