//! The types of functions and of calls, as the calling convention sees them.
//!
//! A call and the function that it reaches are compiled apart, and C lets them disagree: a function
//! without a prototype, a callback that was cast. A [`Signature`] has what the x86-64 System V
//! convention decides by: the class of each value, in order. Equal signatures have equal numbers, so
//! that comparing a call with its function is comparing two words.
//!
//! Not here: the execution of a call whose signature differs from the function's (`everett-interp`).

use std::fmt;

use everett_base::FloatKind;
use serde::{Deserialize, Serialize};

use crate::op::operand::words;

/// The value of the upper bits of a register that holds a narrow integer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum IntExtension {
    /// Nobody promises anything; a processor writes zeros.
    #[default]
    None,
    /// Zeros, up to 32 bits.
    Zero,
    /// Copies of the sign, up to 32 bits.
    Sign,
}

/// One value that is passed or returned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ValueClass {
    /// An integer.
    Int {
        /// Width in bits.
        bits: u32,
        /// The upper bits of its register.
        extension: IntExtension,
    },
    /// A pointer.
    Pointer,
    /// A floating-point number.
    Float(FloatKind),
    /// A vector.
    Vector {
        /// Number of lanes.
        lanes: u32,
        /// Width of a lane in bits.
        bits: u32,
    },
    /// A struct in memory: the value is the address of a copy.
    Bytes {
        /// Its size.
        size: u32,
        /// Its alignment.
        align: u32,
    },
    /// The hidden address that a result in memory is written to.
    ResultAddress {
        /// Size of the result.
        size: u32,
    },
}

impl ValueClass {
    /// The number of slots that a value takes.
    pub fn slots(self) -> u32 {
        match self {
            ValueClass::Int { bits, .. } => words(bits),
            ValueClass::Float(kind) => kind.slots(),
            ValueClass::Vector { lanes, bits } => lanes * words(bits),
            ValueClass::Pointer | ValueClass::Bytes { .. } | ValueClass::ResultAddress { .. } => 1,
        }
    }

    /// Width in bits of a value that one general register holds.
    pub fn word_bits(self) -> Option<u32> {
        match self {
            ValueClass::Int { bits, .. } if bits <= 64 => Some(bits),
            ValueClass::Pointer => Some(64),
            _ => None,
        }
    }
}

impl fmt::Display for ValueClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            ValueClass::Int { bits: 1, .. } => "_Bool",
            ValueClass::Int { bits: 8, .. } => "char",
            ValueClass::Int { bits: 16, .. } => "short",
            ValueClass::Int { bits: 32, .. } => "int",
            ValueClass::Int { bits: 64, .. } => "long",
            ValueClass::Int { bits: 128, .. } => "__int128",
            ValueClass::Int { bits, .. } => return write!(f, "_BitInt({bits})"),
            ValueClass::Pointer => "pointer",
            ValueClass::Float(FloatKind::Half) => "_Float16",
            ValueClass::Float(FloatKind::BFloat) => "__bf16",
            ValueClass::Float(FloatKind::F32) => "float",
            ValueClass::Float(FloatKind::F64) => "double",
            ValueClass::Float(FloatKind::X87) => "long double",
            ValueClass::Float(FloatKind::F128) => "__float128",
            ValueClass::Vector { lanes, bits } => {
                return write!(f, "vector of {lanes} x {bits} bits");
            }
            ValueClass::Bytes { size, .. } | ValueClass::ResultAddress { size } => {
                return write!(f, "struct of {size} bytes");
            }
        };
        f.write_str(name)
    }
}

/// The type of a function, or of a call.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Signature {
    /// Parameters that have a name; structs in registers count member by member.
    pub params: Vec<ValueClass>,
    /// Values that come back in registers; several for a struct.
    pub results: Vec<ValueClass>,
    /// True if further arguments may follow.
    pub var_args: bool,
}

impl Signature {
    /// The signature as a C programmer writes it, with the name of a function or without any.
    pub fn of<'s>(&'s self, name: &'s str) -> impl fmt::Display + 's {
        Declaration { signature: self, name }
    }

    fn result_name(&self) -> String {
        match (self.params.first(), self.results.as_slice()) {
            (Some(memory @ ValueClass::ResultAddress { .. }), _) => memory.to_string(),
            (_, []) => "void".to_owned(),
            (_, [one]) => one.to_string(),
            (_, several) => {
                let members: Vec<String> = several.iter().map(ValueClass::to_string).collect();
                format!("struct {{ {} }}", members.join("; "))
            }
        }
    }
}

struct Declaration<'s> {
    signature: &'s Signature,
    name: &'s str,
}

impl fmt::Display for Declaration<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Signature { params, var_args, results: _ } = self.signature;
        let shown = params.iter().filter(|p| !matches!(p, ValueClass::ResultAddress { .. }));
        let mut names: Vec<String> = shown.map(ValueClass::to_string).collect();
        if *var_args {
            names.push("...".to_owned());
        }
        if names.is_empty() {
            names.push("void".to_owned());
        }
        write!(f, "{} {}({})", self.signature.result_name(), self.name, names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: ValueClass = ValueClass::Int { bits: 32, extension: IntExtension::None };

    #[test]
    fn signatures_read_like_c() {
        let text = |params: &[ValueClass], results: &[ValueClass], var_args| {
            let (params, results) = (params.to_vec(), results.to_vec());
            Signature { params, results, var_args }.of("f").to_string()
        };
        let double = ValueClass::Float(FloatKind::F64);
        assert_eq!(text(&[], &[], false), "void f(void)");
        assert_eq!(text(&[INT, double], &[double], false), "double f(int, double)");
        assert_eq!(text(&[ValueClass::Pointer], &[INT], true), "int f(pointer, ...)");
        let large = ValueClass::ResultAddress { size: 40 };
        assert_eq!(text(&[large, INT], &[], false), "struct of 40 bytes f(int)");
        assert_eq!(text(&[], &[INT, double], false), "struct { int; double } f(void)");
    }

    #[test]
    fn an_unnamed_signature_is_a_type() {
        let signature = Signature { results: vec![INT], ..Signature::default() };
        assert_eq!(signature.of("").to_string(), "int (void)");
    }
}
