//! Facts about the value of every term of at most 64 bits: bits that are always 0 or 1, and the
//! unsigned range.
//!
//! Facts are computed once, when a term is made, from those of its operands, in constant time. Terms of
//! which nothing is known share one entry.
//!
//! Invariant: the value of a term lies within its facts under every assignment.

use crate::Pool;
use crate::node::{StoredNode, tag, tag_binary};
use crate::op::{BinOp, mask};
use crate::pool::array::ArrayNode;

/// Bits whose value is the same under every assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownBits {
    /// Bits that are always 0; those above the width are not listed.
    pub zeros: u64,
    /// Bits that are always 1.
    pub ones: u64,
}

/// The unsigned range of a term, ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnsignedRange {
    /// The least value the term may have.
    pub umin: u64,
    /// The greatest value the term may have.
    pub umax: u64,
}

/// Known bits and range together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TermFacts {
    pub(crate) zeros: u64,
    pub(crate) ones: u64,
    pub(crate) umin: u64,
    pub(crate) umax: u64,
}

impl TermFacts {
    pub(crate) fn top(width: u32) -> Self {
        TermFacts { zeros: 0, ones: 0, umin: 0, umax: mask(width) }
    }

    pub(crate) fn constant(width: u32, value: u64) -> Self {
        TermFacts { zeros: !value & mask(width), ones: value, umin: value, umax: value }
    }

    fn range(width: u32, umin: u64, umax: u64) -> Self {
        TermFacts { zeros: 0, ones: 0, umin, umax }.settle(width)
    }

    fn bits(width: u32, zeros: u64, ones: u64) -> Self {
        let full = mask(width);
        TermFacts { zeros: zeros & full, ones: ones & full, umin: 0, umax: full }.settle(width)
    }

    /// The one possible value.
    pub(crate) fn value(&self) -> Option<u64> {
        (self.umin == self.umax).then_some(self.umin)
    }

    /// Lets bits and range sharpen each other.
    fn settle(mut self, width: u32) -> Self {
        let full = mask(width);
        self.umin = self.umin.max(self.ones);
        self.umax = self.umax.min(full & !self.zeros);
        debug_assert!(self.umin <= self.umax, "contradictory facts");
        // Bits above the highest one in which the ends differ are the same for all values between.
        let differing = self.umin ^ self.umax;
        let common =
            if differing == 0 { full } else { full & !(u64::MAX >> differing.leading_zeros()) };
        self.ones |= self.umin & common;
        self.zeros |= !self.umin & common;
        self
    }

    fn meet_bits(self, width: u32, other: TermFacts) -> Self {
        let umin = self.umin.max(other.umin);
        let umax = self.umax.min(other.umax);
        TermFacts { zeros: self.zeros | other.zeros, ones: self.ones | other.ones, umin, umax }
            .settle(width)
    }

    fn join(self, other: TermFacts) -> Self {
        TermFacts {
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            umin: self.umin.min(other.umin),
            umax: self.umax.max(other.umax),
        }
    }

    fn not(self, width: u32) -> Self {
        let full = mask(width);
        TermFacts {
            zeros: self.ones,
            ones: self.zeros,
            umin: full - self.umax,
            umax: full - self.umin,
        }
    }

    /// `self + other + carry`, bit by bit: a sum bit is known where both operand bits and the carry are.
    fn ripple(self, width: u32, other: TermFacts, carry: u64) -> Self {
        let most = (!self.zeros).wrapping_add(!other.zeros).wrapping_add(carry);
        let least = self.ones.wrapping_add(other.ones).wrapping_add(carry);
        let carry_zero = !(most ^ self.zeros ^ other.zeros);
        let carry_one = least ^ self.ones ^ other.ones;
        let known =
            (self.zeros | self.ones) & (other.zeros | other.ones) & (carry_zero | carry_one);
        Self::bits(width, !most & known, least & known)
    }

    fn trailing_zeros(&self) -> u32 {
        self.zeros.trailing_ones()
    }
}

impl Pool {
    /// The facts of a node that is about to be stored; `None` where nothing is known.
    pub(crate) fn derive_facts(&self, node: &StoredNode) -> Option<TermFacts> {
        let width = node.width();
        if width > 64 {
            return None;
        }
        let of = |at: usize| self.facts(node.term(at));
        let facts = match node.tag() {
            tag::CONST => TermFacts::constant(width, node.word()),
            tag::BIG | tag::VAR | tag::FLOAT => return None,
            tag::NOT => of(0).not(width),
            tag::NEG => subtract(width, TermFacts::constant(width, 0), of(0)),
            tag::ITE => of(1).join(of(2)),
            tag::CONCAT => concat(width, of(0), of(1), self.width(node.term(1))),
            tag::EXTRACT if self.width(node.term(0)) > 64 => return None,
            tag::EXTRACT => extract(width, of(0), node.args[1]),
            tag::ZEXT => {
                let inner = of(0);
                TermFacts {
                    zeros: inner.zeros | mask(width) & !mask(self.width(node.term(0))),
                    ..inner
                }
            }
            tag::SEXT => sign_extended(width, of(0), self.width(node.term(0))),
            tag::SELECT => self.select_facts(node)?,
            _ => {
                let op = tag_binary(node.tag());
                if op.is_comparison() {
                    return None;
                }
                binary(op, width, of(0), of(1))
            }
        };
        (facts != TermFacts::top(width)).then_some(facts)
    }

    fn select_facts(&self, node: &StoredNode) -> Option<TermFacts> {
        let ArrayNode::Const(bytes) = self.array_node(crate::ArrayId(node.args[0])) else {
            return None;
        };
        let index = self.facts(node.term(1));
        let first = usize::try_from(index.umin).ok()?;
        // A table beyond this size is not looked through; its range is rarely of use.
        const MOST: u64 = 4096;
        if index.umax - index.umin >= MOST {
            return None;
        }
        let outside = index.umax >= bytes.len() as u64;
        let inside = bytes.get(first..).unwrap_or_default();
        let inside = inside.iter().take((index.umax - index.umin) as usize + 1).copied();
        inside
            .chain(outside.then_some(0))
            .map(|byte| TermFacts::constant(8, u64::from(byte)))
            .reduce(TermFacts::join)
    }
}

fn binary(op: BinOp, width: u32, a: TermFacts, b: TermFacts) -> TermFacts {
    match op {
        BinOp::And => {
            let bits = TermFacts::bits(width, a.zeros | b.zeros, a.ones & b.ones);
            bits.meet_bits(width, TermFacts::range(width, 0, a.umax.min(b.umax)))
        }
        BinOp::Or => {
            let bits = TermFacts::bits(width, a.zeros & b.zeros, a.ones | b.ones);
            bits.meet_bits(width, TermFacts::range(width, a.umin.max(b.umin), mask(width)))
        }
        BinOp::Xor => {
            let zeros = a.zeros & b.zeros | a.ones & b.ones;
            TermFacts::bits(width, zeros, a.zeros & b.ones | a.ones & b.zeros)
        }
        BinOp::Add => {
            let bits = a.ripple(width, b, 0);
            match a.umax.checked_add(b.umax) {
                Some(most) if most <= mask(width) => {
                    bits.meet_bits(width, TermFacts::range(width, a.umin + b.umin, most))
                }
                _ => bits,
            }
        }
        BinOp::Sub => subtract(width, a, b),
        BinOp::Mul => multiply(width, a, b),
        BinOp::UDiv if b.umin > 0 => TermFacts::range(width, a.umin / b.umax, a.umax / b.umin),
        BinOp::URem if b.umin > 0 => TermFacts::range(width, 0, a.umax.min(b.umax - 1)),
        BinOp::URem => TermFacts::range(width, 0, a.umax),
        BinOp::Shl => {
            let low = u64::from(a.trailing_zeros()) + b.umin;
            let zeros = if low >= u64::from(width) { mask(width) } else { (1 << low) - 1 };
            TermFacts::bits(width, zeros, 0)
        }
        BinOp::LShr => {
            let least = BinOp::LShr.apply(width, a.umin, b.umax);
            TermFacts::range(width, least, BinOp::LShr.apply(width, a.umax, b.umin))
        }
        BinOp::UDiv | BinOp::SDiv | BinOp::SRem | BinOp::AShr => TermFacts::top(width),
        BinOp::Eq | BinOp::Ult | BinOp::Slt => TermFacts::top(1),
    }
}

fn subtract(width: u32, a: TermFacts, b: TermFacts) -> TermFacts {
    let bits = a.ripple(width, b.not(width), 1);
    if a.umin >= b.umax {
        return bits.meet_bits(width, TermFacts::range(width, a.umin - b.umax, a.umax - b.umin));
    }
    bits
}

fn multiply(width: u32, a: TermFacts, b: TermFacts) -> TermFacts {
    let low = (a.trailing_zeros() + b.trailing_zeros()).min(width);
    let bits = TermFacts::bits(width, if low == 0 { 0 } else { mask(low) }, 0);
    match a.umax.checked_mul(b.umax) {
        Some(most) if most <= mask(width) => {
            bits.meet_bits(width, TermFacts::range(width, a.umin * b.umin, most))
        }
        _ => bits,
    }
}

fn concat(width: u32, high: TermFacts, low: TermFacts, shift: u32) -> TermFacts {
    let join = |above: u64, below: u64| above << shift | below;
    let range = TermFacts::range(width, join(high.umin, low.umin), join(high.umax, low.umax));
    range.meet_bits(
        width,
        TermFacts::bits(width, join(high.zeros, low.zeros), join(high.ones, low.ones)),
    )
}

fn extract(width: u32, whole: TermFacts, low: u32) -> TermFacts {
    let bits = TermFacts::bits(width, whole.zeros >> low, whole.ones >> low);
    let (umin, umax) = (whole.umin >> low, whole.umax >> low);
    // What is cut off above must not vary, or the range wraps.
    let above = |value: u64| value & !mask(width);
    if above(umin) == above(umax) {
        return bits
            .meet_bits(width, TermFacts::range(width, umin & mask(width), umax & mask(width)));
    }
    bits
}

fn sign_extended(width: u32, inner: TermFacts, from: u32) -> TermFacts {
    let sign = 1 << (from - 1);
    let above = mask(width) & !mask(from);
    if inner.zeros & sign != 0 {
        TermFacts { zeros: inner.zeros | above, ..inner }
    } else if inner.ones & sign != 0 {
        let (umin, umax) = (inner.umin | above, inner.umax | above);
        TermFacts { zeros: inner.zeros, ones: inner.ones | above, umin, umax }
    } else {
        TermFacts::bits(width, inner.zeros & !sign, inner.ones & !sign)
    }
}
