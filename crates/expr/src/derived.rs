//! Constructors built of the others: counting bits, reversing and rotating.
//!
//! Counts have the operand's width, as LLVM's intrinsics do. The searches for a first bit halve the word at
//! each step, so that their circuits have logarithmic depth.

use crate::Pool;
use crate::id::TermId;

impl Pool {
    /// The number of 1 bits.
    pub fn popcount(&self, term: TermId) -> TermId {
        let width = self.width(term);
        // Pairs of sums are added level by level; each level is one bit wider than the one below.
        let mut level: Vec<TermId> = (0..width).map(|bit| self.extract(term, bit, 1)).collect();
        while level.len() > 1 {
            level = level
                .chunks(2)
                .map(|pair| {
                    let wide =
                        self.width(pair[0]).max(pair.get(1).map_or(0, |&b| self.width(b))) + 1;
                    let first = self.zext(pair[0], wide);
                    pair.get(1).map_or(pair[0], |&second| self.add(first, self.zext(second, wide)))
                })
                .collect();
        }
        self.resize(level[0], width)
    }

    /// The number of 0 bits above the highest 1; the width for zero.
    pub fn ctlz(&self, term: TermId) -> TermId {
        self.count_zeros(term, true)
    }

    /// The number of 0 bits below the lowest 1; the width for zero.
    pub fn cttz(&self, term: TermId) -> TermId {
        self.count_zeros(term, false)
    }

    /// The bytes in reverse order.
    ///
    /// # Panics
    /// When the width is not a number of bytes.
    pub fn bswap(&self, term: TermId) -> TermId {
        let width = self.width(term);
        assert!(width.is_multiple_of(8), "byte swap of {width} bits");
        self.reverse(term, 8)
    }

    /// The bits in reverse order.
    pub fn bitreverse(&self, term: TermId) -> TermId {
        self.reverse(term, 1)
    }

    /// Rotation to the left by `amount`, taken modulo the width.
    pub fn rotl(&self, term: TermId, amount: TermId) -> TermId {
        self.rotate(term, amount, true)
    }

    /// Rotation to the right by `amount`, taken modulo the width.
    pub fn rotr(&self, term: TermId, amount: TermId) -> TermId {
        self.rotate(term, amount, false)
    }

    /// Cut or zero-extended to `width`.
    pub fn resize(&self, term: TermId, width: u32) -> TermId {
        if width < self.width(term) { self.extract(term, 0, width) } else { self.zext(term, width) }
    }

    fn count_zeros(&self, term: TermId, leading: bool) -> TermId {
        let width = self.width(term);
        // Padding ones beyond the far end stop the count at the width, unless there is no padding.
        let padded = width.next_power_of_two();
        let mut rest = match padded - width {
            0 => term,
            padding => {
                let ones = self.not(self.constant(padding, 0));
                if leading { self.concat(term, ones) } else { self.concat(ones, term) }
            }
        };
        let mut count: Option<TermId> = None;
        let mut half = padded / 2;
        while half > 0 {
            let (high, low) = (self.extract(rest, half, half), self.extract(rest, 0, half));
            let (near, far) = if leading { (high, low) } else { (low, high) };
            let empty = self.eq(near, self.constant(half, 0));
            rest = self.ite(empty, far, near);
            count = Some(count.map_or(empty, |count| self.concat(count, empty)));
            half /= 2;
        }
        if padded != width {
            let count = count.expect("a width that is no power of two has more than one bit");
            return self.resize(count, width);
        }
        let count = count.map_or(self.constant(width, 0), |count| self.resize(count, width));
        let none = self.eq(term, self.constant(width, 0));
        self.ite(none, self.constant(width, u64::from(width)), count)
    }

    fn reverse(&self, term: TermId, unit: u32) -> TermId {
        let width = self.width(term);
        let first = self.extract(term, width - unit, unit);
        // The lowest unit ends up on top, so the result grows upward from the highest one.
        (0..width / unit - 1)
            .rev()
            .fold(first, |below, at| self.concat(self.extract(term, at * unit, unit), below))
    }

    fn rotate(&self, term: TermId, amount: TermId, left: bool) -> TermId {
        let width = self.width(term);
        assert_eq!(width, self.width(amount), "a rotation's amount has the term's width");
        if width == 1 {
            return term;
        }
        let modulus = self.constant(width, u64::from(width));
        let amount = if self.is_const(modulus) && self.as_const(modulus) == Some(0) {
            amount
        } else {
            self.urem(amount, modulus)
        };
        // One stage for each bit of an amount below the width.
        let stages = u32::BITS - (width - 1).leading_zeros();
        (0..stages.min(width)).fold(term, |term, stage| {
            let by = (1 << stage) % width;
            let by = if left { by } else { width - by };
            let turned = self.rotate_fixed(term, by % width);
            self.ite(self.extract(amount, stage, 1), turned, term)
        })
    }

    fn rotate_fixed(&self, term: TermId, left: u32) -> TermId {
        let width = self.width(term);
        if left == 0 {
            return term;
        }
        self.concat(self.extract(term, 0, width - left), self.extract(term, width - left, left))
    }
}
