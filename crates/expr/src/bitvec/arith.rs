//! Arithmetic, shifts and comparisons of [`BitVec`].

use std::cmp::Ordering;

use smallvec::{SmallVec, smallvec};

use super::BitVec;

impl BitVec {
    /// Sum.
    pub fn add(&self, other: &Self) -> Self {
        self.add_with_carry(other, false)
    }

    /// Difference.
    pub fn sub(&self, other: &Self) -> Self {
        self.add_with_carry(&other.not(), true)
    }

    /// Two's complement negation.
    pub fn neg(&self) -> Self {
        Self::zero(self.width).sub(self)
    }

    /// Product.
    pub fn mul(&self, other: &Self) -> Self {
        self.same_width(other);
        let mut result = Self::zero(self.width);
        for (i, &a) in self.words.iter().enumerate() {
            let mut carry = 0u128;
            for (j, &b) in other.words[..self.words.len() - i].iter().enumerate() {
                let at = &mut result.words[i + j];
                carry += u128::from(*at) + u128::from(a) * u128::from(b);
                *at = carry as u64;
                carry >>= 64;
            }
        }
        result.trim();
        result
    }

    /// Unsigned quotient; all ones for a divisor of 0.
    pub fn udiv(&self, other: &Self) -> Self {
        if other.is_zero() { Self::ones(self.width) } else { self.divide(other).0 }
    }

    /// Unsigned remainder; the dividend for a divisor of 0.
    pub fn urem(&self, other: &Self) -> Self {
        if other.is_zero() { self.clone() } else { self.divide(other).1 }
    }

    /// Signed quotient rounded to zero; for a divisor of 0 it is 1 if the dividend is negative, else -1.
    pub fn sdiv(&self, other: &Self) -> Self {
        let quotient = self.magnitude().udiv(&other.magnitude());
        if self.sign() == other.sign() { quotient } else { quotient.neg() }
    }

    /// Signed remainder with the dividend's sign; the dividend for a divisor of 0.
    pub fn srem(&self, other: &Self) -> Self {
        let remainder = self.magnitude().urem(&other.magnitude());
        if self.sign() { remainder.neg() } else { remainder }
    }

    /// Shift left by a value; 0 when that is the width or more.
    pub fn shl(&self, amount: &Self) -> Self {
        self.shl_by(amount.as_shift())
    }

    /// Logical shift right by a value; 0 when that is the width or more.
    pub fn lshr(&self, amount: &Self) -> Self {
        self.lshr_by(amount.as_shift())
    }

    /// Arithmetic shift right by a value; copies of the sign when that is the width or more.
    pub fn ashr(&self, amount: &Self) -> Self {
        self.ashr_by(amount.as_shift())
    }

    /// Shift left by a number of bits.
    pub fn shl_by(&self, amount: u32) -> Self {
        let mut result = Self::zero(self.width);
        let (skip, bits) = (amount as usize / 64, amount % 64);
        for at in skip..self.words.len() {
            let low = at.checked_sub(skip + 1).map_or(0, |below| self.words[below]);
            result.words[at] = funnel(self.words[at - skip], low, bits);
        }
        result.trim();
        result
    }

    /// Logical shift right by a number of bits.
    pub fn lshr_by(&self, amount: u32) -> Self {
        let mut result = Self::zero(self.width);
        let (skip, bits) = (amount as usize / 64, amount % 64);
        for at in skip..self.words.len() {
            let high = self.words.get(at + 1).copied().unwrap_or(0);
            let pair = u128::from(high) << 64 | u128::from(self.words[at]);
            result.words[at - skip] = (pair >> bits) as u64;
        }
        result
    }

    /// Arithmetic shift right by a number of bits.
    pub fn ashr_by(&self, amount: u32) -> Self {
        if self.sign() { self.not().lshr_by(amount).not() } else { self.lshr_by(amount) }
    }

    /// Rotation to the left; the amount is taken modulo the width.
    pub fn rotate_left(&self, amount: u32) -> Self {
        let amount = amount % self.width;
        self.shl_by(amount).or(&self.lshr_by(self.width - amount))
    }

    /// Unsigned comparison.
    pub fn cmp_unsigned(&self, other: &Self) -> Ordering {
        self.same_width(other);
        self.words.iter().rev().cmp(other.words.iter().rev())
    }

    /// Signed comparison.
    pub fn cmp_signed(&self, other: &Self) -> Ordering {
        other.sign().cmp(&self.sign()).then_with(|| self.cmp_unsigned(other))
    }

    /// Unsigned less-than.
    pub fn ult(&self, other: &Self) -> bool {
        self.cmp_unsigned(other).is_lt()
    }

    /// Signed less-than.
    pub fn slt(&self, other: &Self) -> bool {
        self.cmp_signed(other).is_lt()
    }

    fn add_with_carry(&self, other: &Self, mut carry: bool) -> Self {
        self.same_width(other);
        let mut result = self.clone();
        for (a, &b) in result.words.iter_mut().zip(&other.words) {
            let (sum, first) = a.overflowing_add(b);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            carry = first | second;
            *a = sum;
        }
        result.trim();
        result
    }

    fn magnitude(&self) -> Self {
        if self.sign() { self.neg() } else { self.clone() }
    }

    /// As a shift amount: what does not fit is as good as the width.
    fn as_shift(&self) -> u32 {
        let amount = self.to_u64().unwrap_or(u64::MAX);
        amount.min(u64::from(self.width)) as u32
    }

    fn divide(&self, other: &Self) -> (Self, Self) {
        self.same_width(other);
        if let (Some(a), Some(b)) = (self.to_u64(), other.to_u64()) {
            return (Self::from_u64(self.width, a / b), Self::from_u64(self.width, a % b));
        }
        let (quotient, remainder) = long_division(&self.halves(), &other.halves());
        (Self::from_halves(self.width, &quotient), Self::from_halves(self.width, &remainder))
    }

    /// Little-endian 32-bit digits without leading zeros.
    fn halves(&self) -> SmallVec<[u32; 8]> {
        let mut halves: SmallVec<[u32; 8]> =
            self.words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect();
        while halves.last() == Some(&0) {
            halves.pop();
        }
        halves
    }

    fn from_halves(width: u32, halves: &[u32]) -> Self {
        let words: SmallVec<[u64; 4]> = halves
            .chunks(2)
            .map(|pair| u64::from(pair[0]) | u64::from(*pair.get(1).unwrap_or(&0)) << 32)
            .collect();
        Self::from_words(width, &words)
    }
}

/// The upper word of `high:low` shifted left by `bits < 64`.
fn funnel(high: u64, low: u64, bits: u32) -> u64 {
    let pair = u128::from(high) << 64 | u128::from(low);
    (pair << bits >> 64) as u64
}

/// Schoolbook division in base 2^32 (Knuth, volume 2, algorithm D). The divisor has no leading zero digit.
fn long_division(dividend: &[u32], divisor: &[u32]) -> (SmallVec<[u32; 8]>, SmallVec<[u32; 8]>) {
    let n = divisor.len();
    if dividend.len() < n {
        return (smallvec![0], dividend.into());
    }
    if n == 1 {
        return short_division(dividend, divisor[0]);
    }
    let scale = divisor[n - 1].leading_zeros();
    let v = scaled(divisor, scale);
    let mut u = scaled(dividend, scale);
    let steps = dividend.len() - n + 1;
    let mut quotient: SmallVec<[u32; 8]> = smallvec![0; steps];
    for at in (0..steps).rev() {
        let top = u64::from(u[at + n]) << 32 | u64::from(u[at + n - 1]);
        let (mut digit, mut rest) = (top / u64::from(v[n - 1]), top % u64::from(v[n - 1]));
        while digit >> 32 != 0
            || digit * u64::from(v[n - 2]) > (rest << 32 | u64::from(u[at + n - 2]))
        {
            digit -= 1;
            rest += u64::from(v[n - 1]);
            if rest >> 32 != 0 {
                break;
            }
        }
        if subtract_product(&mut u[at..=at + n], &v[..n], digit) {
            digit -= 1;
            add_back(&mut u[at..=at + n], &v[..n]);
        }
        quotient[at] = digit as u32;
    }
    let mut remainder: SmallVec<[u32; 8]> = u[..n].into();
    for at in 0..n {
        let high = if at + 1 < n { u[at + 1] } else { 0 };
        remainder[at] = ((u64::from(high) << 32 | u64::from(u[at])) >> scale) as u32;
    }
    (quotient, remainder)
}

fn short_division(dividend: &[u32], divisor: u32) -> (SmallVec<[u32; 8]>, SmallVec<[u32; 8]>) {
    let mut quotient: SmallVec<[u32; 8]> = dividend.into();
    let mut rest = 0u64;
    for digit in quotient.iter_mut().rev() {
        let value = rest << 32 | u64::from(*digit);
        *digit = (value / u64::from(divisor)) as u32;
        rest = value % u64::from(divisor);
    }
    (quotient, smallvec![rest as u32])
}

/// Shifted left by `bits < 32`, with one more digit on top.
fn scaled(digits: &[u32], bits: u32) -> SmallVec<[u32; 8]> {
    let mut below = 0u32;
    let mut result: SmallVec<[u32; 8]> = smallvec![];
    for &digit in digits.iter().chain([&0]) {
        result.push(((u64::from(digit) << 32 | u64::from(below)) << bits >> 32) as u32);
        below = digit;
    }
    result
}

/// `u -= v * digit`; true when the result went below zero.
fn subtract_product(u: &mut [u32], v: &[u32], digit: u64) -> bool {
    let (mut carry, mut borrow) = (0u64, false);
    for (at, slot) in u.iter_mut().enumerate() {
        carry += v.get(at).map_or(0, |&d| u64::from(d) * digit);
        let (less, first) = slot.overflowing_sub(carry as u32);
        let (less, second) = less.overflowing_sub(u32::from(borrow));
        borrow = first | second;
        *slot = less;
        carry >>= 32;
    }
    borrow
}

fn add_back(u: &mut [u32], v: &[u32]) {
    let mut carry = 0u64;
    for (at, slot) in u.iter_mut().enumerate() {
        carry += u64::from(*slot) + v.get(at).map_or(0, |&d| u64::from(d));
        *slot = carry as u32;
        carry >>= 32;
    }
}
