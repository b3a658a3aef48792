//! [`BitVec`]: a concrete bit vector of any width, and its arithmetic.
//!
//! Words are little-endian; the bits above the width are always zero, which makes derived equality and
//! hashing exact. Everything wraps; division by zero and over-shifts follow SMT-LIB. Up to 128 bits are
//! held inline.

mod arith;
#[cfg(test)]
mod tests;

use std::fmt;

use smallvec::{SmallVec, smallvec};

use crate::MAX_WIDTH;
use crate::op::mask;

/// A concrete bit vector. Operations on two of them need equal widths unless they say otherwise.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct BitVec {
    width: u32,
    words: SmallVec<[u64; 2]>,
}

impl BitVec {
    /// The low `width` bits of `value`, zero-extended where `width` is above 64.
    pub fn from_u64(width: u32, value: u64) -> Self {
        let mut result = Self::zero(width);
        result.words[0] = value;
        result.trim();
        result
    }

    /// The low `width` bits of `value`, zero-extended where `width` is above 128.
    pub fn from_u128(width: u32, value: u128) -> Self {
        Self::from_words(width, &[value as u64, (value >> 64) as u64])
    }

    /// The low `width` bits of `value`, sign-extended where `width` is above 64.
    pub fn from_i64(width: u32, value: i64) -> Self {
        let mut result = if value < 0 { Self::ones(width) } else { Self::zero(width) };
        result.words[0] = value as u64;
        result.trim();
        result
    }

    /// Little-endian words, cut or zero-extended to `width`.
    pub fn from_words(width: u32, words: &[u64]) -> Self {
        let mut result = Self::zero(width);
        for (to, from) in result.words.iter_mut().zip(words) {
            *to = *from;
        }
        result.trim();
        result
    }

    /// Little-endian bytes, cut or zero-extended to `width`.
    pub fn from_bytes_le(width: u32, bytes: &[u8]) -> Self {
        let mut result = Self::zero(width);
        for (to, chunk) in result.words.iter_mut().zip(bytes.chunks(8)) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            *to = u64::from_le_bytes(word);
        }
        result.trim();
        result
    }

    /// Width 1: 1 for true.
    pub fn from_bool(value: bool) -> Self {
        Self::from_u64(1, u64::from(value))
    }

    /// All bits 0.
    ///
    /// # Panics
    /// When `width` is 0 or above [`MAX_WIDTH`].
    pub fn zero(width: u32) -> Self {
        assert!((1..=MAX_WIDTH).contains(&width), "bit-vector width {width} out of range");
        BitVec { width, words: smallvec![0; width.div_ceil(64) as usize] }
    }

    /// All bits 1.
    pub fn ones(width: u32) -> Self {
        let mut result = Self::zero(width);
        result.words.fill(u64::MAX);
        result.trim();
        result
    }

    /// The number of bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The little-endian words; bits above the width are zero.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The value, when it fits 64 bits.
    pub fn to_u64(&self) -> Option<u64> {
        self.words[1..].iter().all(|&word| word == 0).then_some(self.words[0])
    }

    /// The low 64 bits.
    pub fn low_u64(&self) -> u64 {
        self.words[0]
    }

    /// The low 128 bits.
    pub fn low_u128(&self) -> u128 {
        u128::from(self.words[0]) | u128::from(*self.words.get(1).unwrap_or(&0)) << 64
    }

    /// The little-endian bytes, as many as hold the width.
    pub fn to_bytes_le(&self) -> Vec<u8> {
        let bytes = self.words.iter().flat_map(|word| word.to_le_bytes());
        bytes.take(self.width.div_ceil(8) as usize).collect()
    }

    /// Returns `true` if every bit is 0.
    pub fn is_zero(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Returns `true` if every bit is 1.
    pub fn is_ones(&self) -> bool {
        *self == Self::ones(self.width)
    }

    /// The bit at `index`, 0 being the lowest.
    pub fn bit(&self, index: u32) -> bool {
        assert!(index < self.width, "bit {index} of a value of {} bits", self.width);
        self.words[index as usize / 64] >> (index % 64) & 1 == 1
    }

    /// Sets the bit at `index`.
    pub fn set_bit(&mut self, index: u32, value: bool) {
        assert!(index < self.width, "bit {index} of a value of {} bits", self.width);
        let bit = 1 << (index % 64);
        let word = &mut self.words[index as usize / 64];
        *word = if value { *word | bit } else { *word & !bit };
    }

    /// The highest bit.
    pub fn sign(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// Bitwise complement.
    pub fn not(&self) -> Self {
        let mut result = self.clone();
        result.words.iter_mut().for_each(|word| *word = !*word);
        result.trim();
        result
    }

    /// Bitwise and.
    pub fn and(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    /// Bitwise or.
    pub fn or(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    /// Bitwise exclusive or.
    pub fn xor(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }

    /// `self` above `low`.
    pub fn concat(&self, low: &Self) -> Self {
        let wide = self.zext(self.width + low.width).shl_by(low.width);
        wide.or(&low.zext(wide.width))
    }

    /// `width` bits from bit `low` upward.
    pub fn extract(&self, low: u32, width: u32) -> Self {
        assert!(low + width <= self.width, "extract beyond a value of {} bits", self.width);
        let shifted = self.lshr_by(low);
        Self::from_words(width, &shifted.words)
    }

    /// Zero-extended to `width`, which is not below the present one.
    pub fn zext(&self, width: u32) -> Self {
        assert!(width >= self.width, "zero extension from {} to {width} bits", self.width);
        Self::from_words(width, &self.words)
    }

    /// Sign-extended to `width`, which is not below the present one.
    pub fn sext(&self, width: u32) -> Self {
        assert!(width >= self.width, "sign extension from {} to {width} bits", self.width);
        if !self.sign() {
            return self.zext(width);
        }
        self.not().zext(width).not()
    }

    /// Cut or zero-extended to `width`.
    pub fn resize(&self, width: u32) -> Self {
        Self::from_words(width, &self.words)
    }

    /// The number of 1 bits.
    pub fn count_ones(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// The number of 0 bits above the highest 1; the width for zero.
    pub fn leading_zeros(&self) -> u32 {
        match self.words.iter().rposition(|&word| word != 0) {
            None => self.width,
            Some(at) => self.width - (at as u32 * 64 + 64 - self.words[at].leading_zeros()),
        }
    }

    /// The number of 0 bits below the lowest 1; the width for zero.
    pub fn trailing_zeros(&self) -> u32 {
        match self.words.iter().position(|&word| word != 0) {
            None => self.width,
            Some(at) => at as u32 * 64 + self.words[at].trailing_zeros(),
        }
    }

    /// The bytes in reverse order.
    ///
    /// # Panics
    /// When the width is not a number of bytes.
    pub fn swap_bytes(&self) -> Self {
        assert!(self.width.is_multiple_of(8), "byte swap of {} bits", self.width);
        let mut bytes = self.to_bytes_le();
        bytes.reverse();
        Self::from_bytes_le(self.width, &bytes)
    }

    /// The bits in reverse order.
    pub fn reverse_bits(&self) -> Self {
        let mut result = Self::zero(self.width);
        for index in 0..self.width {
            result.set_bit(self.width - 1 - index, self.bit(index));
        }
        result
    }

    fn zip(&self, other: &Self, f: impl Fn(u64, u64) -> u64) -> Self {
        self.same_width(other);
        let mut result = self.clone();
        for (a, b) in result.words.iter_mut().zip(&other.words) {
            *a = f(*a, *b);
        }
        result
    }

    fn same_width(&self, other: &Self) {
        assert_eq!(self.width, other.width, "operands of different widths");
    }

    /// Restores the invariant that bits above the width are zero.
    fn trim(&mut self) {
        let used = self.width % 64;
        if used != 0
            && let Some(top) = self.words.last_mut()
        {
            *top &= mask(used);
        }
    }
}

/// Hexadecimal, `0x2a:13` for 42 in 13 bits.
impl fmt::Display for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:#x}:{}", self.width)
    }
}

impl fmt::Debug for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The digits without leading zeros, and without the width.
impl fmt::LowerHex for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let top = self.words.iter().rposition(|&word| word != 0).unwrap_or(0);
        let prefix = if f.alternate() { "0x" } else { "" };
        write!(f, "{prefix}{:x}", self.words[top])?;
        self.words[..top].iter().rev().try_for_each(|word| write!(f, "{word:016x}"))
    }
}
