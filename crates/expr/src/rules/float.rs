//! Operators on floating-point numbers.
//!
//! Most comparisons of programs are with constants, and what is compared is an integer or a number to which
//! constants were added, by which it was multiplied, and so on. All these operators are monotone, rounding
//! included: the comparison holds up to a certain integer or number, or from there on. A binary search
//! finds it, and a comparison with it remains (`threshold`).

use everett_base::FloatKind;

use super::Rewriter;
use crate::float::{FloatOp, MAX_INT_WIDTH, infinity, is_nan};
use crate::id::TermId;
use crate::node::{TermNode, tag};
use crate::op::BinOp;
use crate::{BitVec, Pool};

impl Pool {
    /// An operator on floating-point numbers; the result has `width` bits.
    ///
    /// # Panics
    /// When the operands have other widths than the operator takes.
    pub fn float(&self, op: FloatOp, width: u32, a: TermId, b: Option<TermId>) -> TermId {
        let takes = op.takes(self.width(a), b.map(|b| self.width(b)));
        let gives = op.result_width().map_or(width <= MAX_INT_WIDTH, |only| only == width);
        assert!(takes && gives, "{} has operands of its format", op.name());
        let key = [tag::FLOAT | op.code() << 8, a.raw(), b.map_or(0, TermId::raw), width];
        self.recent().get_or(key, || Rewriter::new(self).float(op, width, a, b))
    }

    /// Returns `true` unless the number can be seen not to be a NaN.
    pub(crate) fn float_may_be_nan(&self, mut kind: FloatKind, mut term: TermId) -> bool {
        loop {
            match self.node(term) {
                // Bits of another format are any number.
                TermNode::Float(op, ..) if op.result_kind() != Some(kind) => return true,
                TermNode::Float(FloatOp::FromInt { .. }, ..) => return false,
                TermNode::Float(op @ (FloatOp::Round(..) | FloatOp::Convert { .. }), a, None) => {
                    (kind, term) = (op.kind(), a);
                }
                _ => return true,
            }
        }
    }
}

impl Rewriter<'_> {
    fn float(&self, op: FloatOp, width: u32, a: TermId, b: Option<TermId>) -> TermId {
        if let (Some(x), Some(y)) = (self.value(a), b.map(|b| self.value(b)).unwrap_or_default())
            && op.is_binary()
        {
            return self.constant(&op.apply_wide(width, &x, Some(&y)));
        }
        if !op.is_binary()
            && let Some(x) = self.value(a)
        {
            return self.constant(&op.apply_wide(width, &x, None));
        }
        let rewritten = match (op, b) {
            (FloatOp::Equal(_) | FloatOp::Less(_) | FloatOp::LessOrEqual(_), Some(b)) => {
                self.float_comparison(op, a, b)
            }
            (FloatOp::ToInt { from, signed }, _) => self.integer_again(from, signed, width, a),
            (FloatOp::Convert { from, to }, _) => self.converted_again(from, to, a),
            (FloatOp::Round(kind, _), _) => self.is_whole(kind, a).then_some(a),
            _ => None,
        };
        rewritten.unwrap_or_else(|| self.pool.raw_float(op, width, a, b))
    }

    fn float_comparison(&self, op: FloatOp, a: TermId, b: TermId) -> Option<TermId> {
        if let Some(result) = self.compared_integers(op, a, b) {
            return Some(result);
        }
        let kind = op.kind();
        let (number, known) = match (self.value(a), self.value(b)) {
            (None, Some(_)) => (a, b),
            (Some(_), None) => (b, a),
            _ if a == b => {
                let may_hold = !matches!(op, FloatOp::Less(_));
                let nan = self.pool.float_is_nan(kind, a);
                return Some(if may_hold { self.not(nan) } else { self.pool.bool(false) });
            }
            _ => return None,
        };
        let bits = self.value(known)?.low_u128();
        if is_nan(kind, bits) {
            return Some(self.pool.bool(false));
        }
        if let FloatOp::Equal(_) = op {
            let at_most = self.threshold(FloatOp::LessOrEqual(kind), number, known)?;
            let at_least = self.threshold(FloatOp::LessOrEqual(kind), known, number)?;
            return Some(self.and(at_most, at_least));
        }
        self.threshold(op, a, b)
    }

    /// `fp.lt(from_int(x), from_int(y))  =>  x < y` where both are exact, and so for the other comparisons.
    fn compared_integers(&self, op: FloatOp, a: TermId, b: TermId) -> Option<TermId> {
        let (x, x_signed) = self.exact_integer(op.kind(), a)?;
        let (y, y_signed) = self.exact_integer(op.kind(), b)?;
        let width = self.width(x).max(self.width(y)) + 1;
        let widen = |term, signed| {
            if signed { self.pool.sext(term, width) } else { self.pool.zext(term, width) }
        };
        let (x, y) = (widen(x, x_signed), widen(y, y_signed));
        Some(match op {
            FloatOp::Equal(_) => self.pool.eq(x, y),
            FloatOp::Less(_) => self.pool.slt(x, y),
            _ => self.pool.not(self.pool.slt(y, x)),
        })
    }

    /// The integer that a number was made of, and whether it has a sign, if none of its bits got lost.
    fn exact_integer(&self, kind: FloatKind, number: TermId) -> Option<(TermId, bool)> {
        let TermNode::Float(FloatOp::FromInt { to, signed }, integer, _) = self.node(number) else {
            return None;
        };
        let digits = self.width(integer) - u32::from(signed);
        let fits = to == kind && digits <= to.precision() && digits < 1 << (to.exponent_bits() - 1);
        fits.then_some((integer, signed))
    }

    fn is_whole(&self, kind: FloatKind, number: TermId) -> bool {
        let TermNode::Float(op, ..) = self.node(number) else { return false };
        let is_whole = matches!(op, FloatOp::FromInt { .. } | FloatOp::Round(..));
        is_whole && op.result_kind() == Some(kind)
    }

    /// `to_int(from_int(x))  =>  x`, cut or extended, where `x` always fits.
    fn integer_again(
        &self,
        from: FloatKind,
        signed: bool,
        width: u32,
        number: TermId,
    ) -> Option<TermId> {
        let (integer, was_signed) = self.exact_integer(from, number)?;
        let digits = self.width(integer) - u32::from(was_signed);
        let room = width - u32::from(signed);
        let fits = digits <= room && (signed || !was_signed);
        fits.then(|| {
            if was_signed { self.pool.sext(integer, width) } else { self.pool.zext(integer, width) }
        })
    }

    /// `convert(from_int(x))  =>  from_int(x)` where the first conversion is exact.
    fn converted_again(&self, from: FloatKind, to: FloatKind, number: TermId) -> Option<TermId> {
        if from == to {
            return None;
        }
        let (integer, signed) = self.exact_integer(from, number)?;
        let op = FloatOp::FromInt { to, signed };
        Some(self.pool.float(op, to.bits(), integer, None))
    }
}

/// One operator between a leaf and what is compared, its constant operand, and the side where that is.
struct MonotoneStep {
    op: FloatOp,
    known: Option<BitVec>,
    known_first: bool,
}

/// The way from an integer or a number to what is compared, through operators that are monotone in it.
struct MonotoneChain {
    leaf: TermId,
    /// The sign of an integer; `None` for a number.
    signed: Option<bool>,
    /// From the leaf upward.
    steps: Vec<MonotoneStep>,
}

/// Operators that a chain may have.
const STEPS_MAX: usize = 16;

impl Rewriter<'_> {
    /// `fp.lt(g(x), c)  =>  x < t` for a monotone `g`, and so for the other ways to compare in order.
    fn threshold(&self, op: FloatOp, a: TermId, b: TermId) -> Option<TermId> {
        let chain = self.monotone_chain(op.kind(), if self.is_const(a) { b } else { a })?;
        let known = self.value(if self.is_const(a) { a } else { b })?;
        let holds = |leaf: &BitVec| {
            let number = chain.value(leaf);
            let (a, b) = if self.is_const(a) { (&known, &number) } else { (&number, &known) };
            !op.apply_wide(1, a, Some(b)).is_zero()
        };
        let order = LeafOrder::new(self.pool, &chain);
        let (lowest, highest) = (order.value(order.lowest), order.value(order.highest));
        let ends = [&lowest, &highest].map(|leaf| chain.value(leaf).low_u128());
        if ends.iter().any(|&end| is_nan(op.kind(), end)) {
            return None;
        }
        let (at_lowest, at_highest) = (holds(&lowest), holds(&highest));
        if at_lowest == at_highest {
            let always = match order.kind {
                Some(kind) if at_lowest => self.not(self.pool.float_is_nan(kind, chain.leaf)),
                _ => self.pool.bool(at_lowest),
            };
            return Some(always);
        }
        let (mut below, mut above) = (order.lowest, order.highest);
        while above - below > 1 {
            let middle = below + (above - below) / 2;
            if holds(&order.value(middle)) == at_lowest {
                below = middle;
            } else {
                above = middle;
            }
        }
        let first = self.constant(&order.value(above));
        let leaf = chain.leaf;
        Some(match (order.kind, chain.signed) {
            (Some(kind), _) if at_lowest => {
                self.pool.raw_float(FloatOp::Less(kind), 1, leaf, Some(first))
            }
            (Some(kind), _) => {
                self.pool.raw_float(FloatOp::LessOrEqual(kind), 1, first, Some(leaf))
            }
            (None, signed) => {
                let compare = if signed == Some(true) { BinOp::Slt } else { BinOp::Ult };
                let less = self.binary(compare, leaf, first);
                if at_lowest { less } else { self.not(less) }
            }
        })
    }

    /// The way to a number, of at least one step; `None` if it is not known to be monotone.
    fn monotone_chain(&self, kind: FloatKind, number: TermId) -> Option<MonotoneChain> {
        let mut steps = Vec::new();
        let mut leaf = number;
        let mut signed = None;
        let mut kind = kind;
        while let TermNode::Float(op, a, b) = self.node(leaf)
            && steps.len() < STEPS_MAX
            && signed.is_none()
            && op.result_kind() == Some(kind)
        {
            let Some((step, operand)) = self.monotone_step(op, a, b) else { break };
            if let FloatOp::FromInt { signed: sign, .. } = op {
                signed = Some(sign);
            }
            steps.push(step);
            (kind, leaf) = (op.kind(), operand);
        }
        steps.reverse();
        (!steps.is_empty()).then_some(MonotoneChain { leaf, signed, steps })
    }

    /// The operator as a step, and the operand that is not constant.
    fn monotone_step(
        &self,
        op: FloatOp,
        a: TermId,
        b: Option<TermId>,
    ) -> Option<(MonotoneStep, TermId)> {
        match (op, b) {
            (FloatOp::FromInt { .. } | FloatOp::Convert { .. } | FloatOp::Round(..), _) => {
                Some((MonotoneStep { op, known: None, known_first: false }, a))
            }
            (FloatOp::Add(_) | FloatOp::Sub(_) | FloatOp::Mul(_) | FloatOp::Div(_), Some(b)) => {
                let (operand, known, known_first) = match (self.value(a), self.value(b)) {
                    (None, Some(known)) => (a, known, false),
                    (Some(known), None) => (b, known, true),
                    _ => return None,
                };
                let kind = op.kind();
                let magnitude = known.low_u128() & !(1 << (kind.bits() - 1));
                let scales = matches!(op, FloatOp::Mul(_) | FloatOp::Div(_));
                let is_finite = magnitude < infinity(kind) && !is_nan(kind, magnitude);
                let reciprocal = known_first && matches!(op, FloatOp::Div(_));
                let keeps_order = is_finite && !reciprocal && !(scales && magnitude == 0);
                let step = MonotoneStep { op, known: Some(known), known_first };
                keeps_order.then_some((step, operand))
            }
            _ => None,
        }
    }
}

impl MonotoneChain {
    fn value(&self, leaf: &BitVec) -> BitVec {
        self.steps.iter().fold(leaf.clone(), |value, step| {
            let width = step.op.result_width().unwrap_or(value.width());
            match (&step.known, step.known_first) {
                (Some(known), true) => step.op.apply_wide(width, known, Some(&value)),
                (Some(known), false) => step.op.apply_wide(width, &value, Some(known)),
                (None, _) => step.op.apply_wide(width, &value, None),
            }
        })
    }
}

/// The values of a leaf in their order: keys from `lowest` to `highest` stand for them. For a number these
/// are all but NaNs, and the negative zero comes before the positive one.
struct LeafOrder {
    width: u32,
    /// The format of a number; `None` for an integer.
    kind: Option<FloatKind>,
    /// The bit of a key that is set for what is not negative; 0 for an integer without a sign.
    sign: u128,
    lowest: u128,
    highest: u128,
}

impl LeafOrder {
    fn new(pool: &Pool, chain: &MonotoneChain) -> LeafOrder {
        let width = pool.width(chain.leaf);
        if let Some(signed) = chain.signed {
            let sign = if signed { 1 << (width - 1) } else { 0 };
            let highest = u128::MAX >> (128 - width);
            return LeafOrder { width, kind: None, sign, lowest: 0, highest };
        }
        let kind = match chain.steps[0].op {
            FloatOp::Convert { from, .. } => from,
            op => op.kind(),
        };
        // Keys leave out the bit of the significand that follows from the exponent.
        let (fraction, exponent) = (kind.precision() - 1, kind.exponent_bits());
        let sign = 1 << (fraction + exponent);
        let infinity = ((1 << exponent) - 1) << fraction;
        LeafOrder {
            width,
            kind: Some(kind),
            sign,
            lowest: sign - 1 - infinity,
            highest: sign + infinity,
        }
    }

    fn value(&self, key: u128) -> BitVec {
        let Some(kind) = self.kind else { return BitVec::from_u128(self.width, key ^ self.sign) };
        let negative = key & self.sign == 0;
        let magnitude = if negative { self.sign - 1 - key } else { key - self.sign };
        let fraction = kind.precision() - 1;
        let magnitude = match kind {
            FloatKind::X87 => {
                let (field, below) = (magnitude >> fraction, magnitude & ((1 << fraction) - 1));
                field << 64 | u128::from(field != 0) << 63 | below
            }
            _ => magnitude,
        };
        BitVec::from_u128(self.width, u128::from(negative) << (self.width - 1) | magnitude)
    }
}
