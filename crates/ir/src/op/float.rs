//! Operations on floating-point numbers.

use everett_base::FloatKind;
use serde::{Deserialize, Serialize};

/// Operations with two inputs and a result of one format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum FloatBinary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    CopySign,
    /// IEEE 754-2008 `minNum`: a quiet NaN gives way to the other operand.
    MinNum,
    MaxNum,
    /// IEEE 754-2019 `minimum`: NaN propagates.
    Minimum,
    Maximum,
    Pow,
    Atan2,
}

/// Operations with one input and a result of the same format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum FloatUnary {
    Neg,
    Abs,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    /// Round half away from zero.
    Round,
    /// Round half to even (also `rint` and `nearbyint` in the default mode).
    RoundEven,
    Exp,
    Exp2,
    Log,
    Log2,
    Log10,
    Sin,
    Cos,
    Tan,
    Canonicalize,
}

/// Predicates of floating-point comparison; `U..` is true for unordered operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum FloatPredicate {
    False,
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Uno,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    True,
}

/// Conversions. The op's `kind` is the format on the floating side; for `To` it is the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum FloatCast {
    /// To another format.
    To(FloatKind),
    ToSigned,
    ToUnsigned,
    ToSignedSat,
    ToUnsignedSat,
    FromSigned,
    FromUnsigned,
    /// Rounds to nearest even and converts to a signed integer (`lrint`, `llrint`).
    RintToSigned,
    /// Rounds half away and converts to a signed integer (`lround`, `llround`).
    RoundToSigned,
}
