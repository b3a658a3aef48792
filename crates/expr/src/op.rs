//! The unary and binary operators: one table for folding constants, evaluating and printing.
//!
//! There is no `ule`, `ne` or other derived comparison: the constructors express them through
//! `ult`, `slt`, `eq` and `not`, so that one fact has one form.

use crate::BitVec;

/// Operators with one operand; the result has the operand's width.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum UnOp {
    /// Bitwise complement; logical negation at width 1.
    Not,
    /// Two's complement negation.
    Neg,
}

/// Operators with two operands of one width.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum BinOp {
    /// Bitwise and; conjunction at width 1.
    And,
    /// Bitwise or; disjunction at width 1.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Sum modulo 2^width.
    Add,
    /// Difference modulo 2^width.
    Sub,
    /// Product modulo 2^width.
    Mul,
    /// Unsigned quotient; all ones when the divisor is 0.
    UDiv,
    /// Signed quotient, rounded to zero; by 0 it is 1 for a negative dividend, else all ones.
    SDiv,
    /// Unsigned remainder; the dividend when the divisor is 0.
    URem,
    /// Signed remainder with the sign of the dividend; the dividend when the divisor is 0.
    SRem,
    /// Shift left; 0 when the amount is the width or more.
    Shl,
    /// Logical shift right; 0 when the amount is the width or more.
    LShr,
    /// Arithmetic shift right; copies of the sign when the amount is the width or more.
    AShr,
    /// Equality; the result has width 1.
    Eq,
    /// Unsigned less-than; the result has width 1.
    Ult,
    /// Signed less-than; the result has width 1.
    Slt,
}

impl UnOp {
    /// The operator's name in SMT-LIB.
    pub fn smtlib(self) -> &'static str {
        match self {
            UnOp::Not => "bvnot",
            UnOp::Neg => "bvneg",
        }
    }

    /// The value on operands of `width <= 64` bits.
    pub fn apply(self, width: u32, a: u64) -> u64 {
        let value = match self {
            UnOp::Not => !a,
            UnOp::Neg => a.wrapping_neg(),
        };
        value & mask(width)
    }

    /// The value on an operand of any width.
    pub fn apply_wide(self, a: &BitVec) -> BitVec {
        match self {
            UnOp::Not => a.not(),
            UnOp::Neg => a.neg(),
        }
    }
}

impl BinOp {
    /// Every operator, in declaration order.
    pub const ALL: [BinOp; 16] = [
        BinOp::And,
        BinOp::Or,
        BinOp::Xor,
        BinOp::Add,
        BinOp::Sub,
        BinOp::Mul,
        BinOp::UDiv,
        BinOp::SDiv,
        BinOp::URem,
        BinOp::SRem,
        BinOp::Shl,
        BinOp::LShr,
        BinOp::AShr,
        BinOp::Eq,
        BinOp::Ult,
        BinOp::Slt,
    ];

    /// The operator's name in SMT-LIB.
    pub fn smtlib(self) -> &'static str {
        match self {
            BinOp::And => "bvand",
            BinOp::Or => "bvor",
            BinOp::Xor => "bvxor",
            BinOp::Add => "bvadd",
            BinOp::Sub => "bvsub",
            BinOp::Mul => "bvmul",
            BinOp::UDiv => "bvudiv",
            BinOp::SDiv => "bvsdiv",
            BinOp::URem => "bvurem",
            BinOp::SRem => "bvsrem",
            BinOp::Shl => "bvshl",
            BinOp::LShr => "bvlshr",
            BinOp::AShr => "bvashr",
            BinOp::Eq => "=",
            BinOp::Ult => "bvult",
            BinOp::Slt => "bvslt",
        }
    }

    /// Returns `true` if the result is a width-1 truth value rather than of the operands' width.
    pub fn is_comparison(self) -> bool {
        matches!(self, BinOp::Eq | BinOp::Ult | BinOp::Slt)
    }

    /// Returns `true` if the operands may be exchanged.
    pub fn is_commutative(self) -> bool {
        use BinOp::*;
        matches!(self, And | Or | Xor | Add | Mul | Eq)
    }

    /// The value on operands of `width <= 64` bits.
    pub fn apply(self, width: u32, a: u64, b: u64) -> u64 {
        let over = b >= u64::from(width);
        let value = match self {
            BinOp::And => a & b,
            BinOp::Or => a | b,
            BinOp::Xor => a ^ b,
            BinOp::Add => a.wrapping_add(b),
            BinOp::Sub => a.wrapping_sub(b),
            BinOp::Mul => a.wrapping_mul(b),
            BinOp::UDiv => a.checked_div(b).unwrap_or(u64::MAX),
            BinOp::URem => a.checked_rem(b).unwrap_or(a),
            BinOp::SDiv => return sdiv(width, a, b),
            BinOp::SRem => return srem(width, a, b),
            BinOp::Shl if over => 0,
            BinOp::Shl => a << b,
            BinOp::LShr if over => 0,
            BinOp::LShr => a >> b,
            BinOp::AShr => (sign_extend(width, a) >> b.min(63)) as u64,
            BinOp::Eq => u64::from(a == b),
            BinOp::Ult => u64::from(a < b),
            BinOp::Slt => u64::from(sign_extend(width, a) < sign_extend(width, b)),
        };
        value & mask(width)
    }

    /// The value on operands of any (equal) width.
    pub fn apply_wide(self, a: &BitVec, b: &BitVec) -> BitVec {
        match self {
            BinOp::And => a.and(b),
            BinOp::Or => a.or(b),
            BinOp::Xor => a.xor(b),
            BinOp::Add => a.add(b),
            BinOp::Sub => a.sub(b),
            BinOp::Mul => a.mul(b),
            BinOp::UDiv => a.udiv(b),
            BinOp::SDiv => a.sdiv(b),
            BinOp::URem => a.urem(b),
            BinOp::SRem => a.srem(b),
            BinOp::Shl => a.shl(b),
            BinOp::LShr => a.lshr(b),
            BinOp::AShr => a.ashr(b),
            BinOp::Eq => BitVec::from_bool(a == b),
            BinOp::Ult => BitVec::from_bool(a.ult(b)),
            BinOp::Slt => BitVec::from_bool(a.slt(b)),
        }
    }
}

/// All ones of `width <= 64` bits.
pub(crate) fn mask(width: u32) -> u64 {
    debug_assert!((1..=64).contains(&width));
    u64::MAX >> (64 - width)
}

/// The signed value of a `width <= 64` bit pattern.
pub(crate) fn sign_extend(width: u32, value: u64) -> i64 {
    let unused = 64 - width;
    ((value << unused) as i64) >> unused
}

fn sdiv(width: u32, a: u64, b: u64) -> u64 {
    let (x, y) = (sign_extend(width, a), sign_extend(width, b));
    let quotient = match y {
        0 if x < 0 => 1,
        0 => -1,
        _ => x.wrapping_div(y),
    };
    quotient as u64 & mask(width)
}

fn srem(width: u32, a: u64, b: u64) -> u64 {
    let (x, y) = (sign_extend(width, a), sign_extend(width, b));
    let remainder = if y == 0 { x } else { x.wrapping_rem(y) };
    remainder as u64 & mask(width)
}
