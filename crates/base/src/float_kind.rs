//! Formats of floating-point numbers.

use serde::{Deserialize, Serialize};

/// A floating-point format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum FloatKind {
    /// IEEE 754 with 16 bits, 11 of precision (`_Float16`).
    Half,
    /// The upper half of a `float` (`__bf16`).
    BFloat,
    /// IEEE 754 with 32 bits (`float`).
    F32,
    /// IEEE 754 with 64 bits (`double`).
    F64,
    /// The 80 bits of the x87, whose significand has its highest bit written out (`long double`).
    X87,
    /// IEEE 754 with 128 bits (`__float128`).
    F128,
}

impl FloatKind {
    /// Every format, in declaration order.
    pub const ALL: [FloatKind; 6] = [
        FloatKind::Half,
        FloatKind::BFloat,
        FloatKind::F32,
        FloatKind::F64,
        FloatKind::X87,
        FloatKind::F128,
    ];

    /// Width in bits.
    pub fn bits(self) -> u32 {
        match self {
            FloatKind::Half | FloatKind::BFloat => 16,
            FloatKind::F32 => 32,
            FloatKind::F64 => 64,
            FloatKind::X87 => 80,
            FloatKind::F128 => 128,
        }
    }

    /// The bits of the exponent.
    pub fn exponent_bits(self) -> u32 {
        match self {
            FloatKind::Half => 5,
            FloatKind::BFloat | FloatKind::F32 => 8,
            FloatKind::F64 => 11,
            FloatKind::X87 | FloatKind::F128 => 15,
        }
    }

    /// The bits of the significand, with the highest one, which most formats do not store.
    pub fn precision(self) -> u32 {
        match self {
            FloatKind::X87 => 64,
            _ => self.bits() - self.exponent_bits(),
        }
    }

    /// The number of 64-bit words that a value takes.
    pub fn slots(self) -> u32 {
        self.bits().div_ceil(64)
    }
}
