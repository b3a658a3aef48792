//! The values that programs compute with: concrete ones, or whatever an embedding has.
//!
//! The interpreter asks a [`Domain`] for every operation on numbers, truth values and bytes. Where
//! control flow, or a length, or a key depends on a value, it asks [`Domain::decide`] or
//! [`Domain::settle`]; everywhere else a value may stay undetermined.

use std::convert::Infallible;

/// Operations on two numbers. All of them wrap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntOp {
    /// Sum
    Add,
    /// Difference
    Sub,
    /// Product
    Mul,
    /// Quotient, rounded towards zero
    Div,
    /// Remainder, with the sign of the dividend
    Rem,
}

impl IntOp {
    /// The result on known numbers; of a division by zero, 0.
    pub fn apply(self, a: i64, b: i64) -> i64 {
        match self {
            IntOp::Add => a.wrapping_add(b),
            IntOp::Sub => a.wrapping_sub(b),
            IntOp::Mul => a.wrapping_mul(b),
            IntOp::Div if b == 0 => 0,
            IntOp::Div => a.wrapping_div(b),
            IntOp::Rem if b == 0 => 0,
            IntOp::Rem => a.wrapping_rem(b),
        }
    }
}

/// Comparisons of two numbers, which are signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntRelation {
    /// The same
    Equal,
    /// The first is smaller
    Less,
    /// The first is not larger
    LessEqual,
}

impl IntRelation {
    /// The result on known values.
    pub fn apply<T: Ord>(self, a: &T, b: &T) -> bool {
        match self {
            IntRelation::Equal => a == b,
            IntRelation::Less => a < b,
            IntRelation::LessEqual => a <= b,
        }
    }
}

/// A domain of values.
///
/// The interpreter computes known values itself: an operation reaches the domain only if at least one
/// operand has no value that is known without asking.
pub trait Domain {
    /// A 64-bit number.
    type Int: Clone;
    /// A truth value.
    type Bool: Clone;
    /// A byte.
    type Byte: Clone;
    /// The reason for which a decision cannot be made; it stops the evaluation.
    type Error;

    /// A known number.
    fn int(&mut self, value: i64) -> Self::Int;
    /// A known truth value.
    fn bool(&mut self, value: bool) -> Self::Bool;
    /// A known byte.
    fn byte(&mut self, value: u8) -> Self::Byte;

    /// The number, if it is known without asking anybody.
    fn int_value(&self, int: &Self::Int) -> Option<i64>;
    /// The truth value, if it is known without asking anybody.
    fn bool_value(&self, bool: &Self::Bool) -> Option<bool>;
    /// The byte, if it is known without asking anybody.
    fn byte_value(&self, byte: &Self::Byte) -> Option<u8>;

    /// An operation on two numbers. In a division, the path has decided that `b` is not zero.
    fn arithmetic(&mut self, op: IntOp, a: &Self::Int, b: &Self::Int) -> Self::Int;
    /// The negated number, which wraps.
    fn negate(&mut self, a: &Self::Int) -> Self::Int;
    /// A comparison of two numbers.
    fn compare(&mut self, relation: IntRelation, a: &Self::Int, b: &Self::Int) -> Self::Bool;
    /// Returns whether two bytes are the same.
    fn byte_equal(&mut self, a: &Self::Byte, b: &Self::Byte) -> Self::Bool;
    /// Returns whether the first byte is smaller; bytes are unsigned.
    fn byte_less(&mut self, a: &Self::Byte, b: &Self::Byte) -> Self::Bool;
    /// The number 0 to 255 of a byte.
    fn byte_to_int(&mut self, byte: &Self::Byte) -> Self::Int;
    /// The lowest eight bits of a number.
    fn int_to_byte(&mut self, int: &Self::Int) -> Self::Byte;
    /// The number that 1, 2, 4 or 8 bytes encode, the lowest first.
    fn decode(&mut self, bytes: &[Self::Byte], signed: bool) -> Self::Int;

    /// Negation.
    fn not(&mut self, a: &Self::Bool) -> Self::Bool;
    /// Conjunction.
    fn and(&mut self, a: &Self::Bool, b: &Self::Bool) -> Self::Bool;
    /// Disjunction.
    fn or(&mut self, a: &Self::Bool, b: &Self::Bool) -> Self::Bool;
    /// `condition ? a : b`, without a decision.
    fn choose_int(&mut self, condition: &Self::Bool, a: &Self::Int, b: &Self::Int) -> Self::Int;
    /// `condition ? a : b`, without a decision.
    fn choose_bool(
        &mut self,
        condition: &Self::Bool,
        a: &Self::Bool,
        b: &Self::Bool,
    ) -> Self::Bool {
        let yes = self.and(condition, a);
        let otherwise = self.not(condition);
        let no = self.and(&otherwise, b);
        self.or(&yes, &no)
    }

    /// Chooses the way that this evaluation goes where control flow depends on `condition`.
    ///
    /// # Errors
    /// If it cannot be decided.
    fn decide(&mut self, condition: &Self::Bool) -> Result<bool, Self::Error>;
    /// The value of a number where one is needed: an index, a key, a text.
    ///
    /// # Errors
    /// If it cannot be decided.
    fn settle(&mut self, int: &Self::Int) -> Result<i64, Self::Error>;
    /// The value of a byte where one is needed.
    ///
    /// # Errors
    /// If it cannot be decided.
    fn settle_byte(&mut self, byte: &Self::Byte) -> Result<u8, Self::Error>;
}

/// Plain values.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConcreteDomain;

/// The number that known bytes encode, the lowest first.
pub fn decode_bytes(bytes: &[u8], signed: bool) -> i64 {
    let fill = if signed && bytes.last().is_some_and(|top| top & 0x80 != 0) { 0xff } else { 0 };
    let mut wide = [fill; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    i64::from_le_bytes(wide)
}

impl Domain for ConcreteDomain {
    type Int = i64;
    type Bool = bool;
    type Byte = u8;
    type Error = Infallible;

    fn int(&mut self, value: i64) -> i64 {
        value
    }

    fn bool(&mut self, value: bool) -> bool {
        value
    }

    fn byte(&mut self, value: u8) -> u8 {
        value
    }

    fn int_value(&self, int: &i64) -> Option<i64> {
        Some(*int)
    }

    fn bool_value(&self, bool: &bool) -> Option<bool> {
        Some(*bool)
    }

    fn byte_value(&self, byte: &u8) -> Option<u8> {
        Some(*byte)
    }

    fn arithmetic(&mut self, op: IntOp, a: &i64, b: &i64) -> i64 {
        op.apply(*a, *b)
    }

    fn negate(&mut self, a: &i64) -> i64 {
        a.wrapping_neg()
    }

    fn compare(&mut self, relation: IntRelation, a: &i64, b: &i64) -> bool {
        relation.apply(a, b)
    }

    fn byte_equal(&mut self, a: &u8, b: &u8) -> bool {
        a == b
    }

    fn byte_less(&mut self, a: &u8, b: &u8) -> bool {
        a < b
    }

    fn byte_to_int(&mut self, byte: &u8) -> i64 {
        i64::from(*byte)
    }

    fn int_to_byte(&mut self, int: &i64) -> u8 {
        *int as u8
    }

    fn decode(&mut self, bytes: &[u8], signed: bool) -> i64 {
        decode_bytes(bytes, signed)
    }

    fn not(&mut self, a: &bool) -> bool {
        !a
    }

    fn and(&mut self, a: &bool, b: &bool) -> bool {
        *a && *b
    }

    fn or(&mut self, a: &bool, b: &bool) -> bool {
        *a || *b
    }

    fn choose_int(&mut self, condition: &bool, a: &i64, b: &i64) -> i64 {
        if *condition { *a } else { *b }
    }

    fn decide(&mut self, condition: &bool) -> Result<bool, Infallible> {
        Ok(*condition)
    }

    fn settle(&mut self, int: &i64) -> Result<i64, Infallible> {
        Ok(*int)
    }

    fn settle_byte(&mut self, byte: &u8) -> Result<u8, Infallible> {
        Ok(*byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_extended_by_their_sign() {
        assert_eq!(decode_bytes(&[0xff], true), -1);
        assert_eq!(decode_bytes(&[0xff], false), 255);
        assert_eq!(decode_bytes(&[0x01, 0x80], true), -32767);
        assert_eq!(decode_bytes(&[0xff; 8], false), -1);
    }

    #[test]
    fn arithmetic_wraps() {
        assert_eq!(IntOp::Add.apply(i64::MAX, 1), i64::MIN);
        assert_eq!(IntOp::Div.apply(i64::MIN, -1), i64::MIN);
        assert_eq!(IntOp::Rem.apply(i64::MIN, -1), 0);
        assert_eq!(IntOp::Div.apply(-7, 2), -3);
    }
}
