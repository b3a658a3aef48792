//! From a linked LLVM module to an [`everett_ir::Program`].
//!
//! [`unit::Unit`] holds what the whole program shares (constants, names, locations, identifiers);
//! [`body::Body`] lowers one function, with one file for each family of instructions. What cannot
//! be lowered becomes an op that stops the path and names the reason, so that one odd instruction
//! does not keep a program from running.
//!
//! No `unsafe` here: everything that LLVM knows is asked through [`crate::sys`].

mod aggregate;
mod asm;
mod atomic;
mod bitcast;
mod body;
mod call;
mod cast;
mod constant;
mod control;
mod debug;
mod expr;
mod float;
mod fold;
mod gep;
mod global;
mod int;
mod intrinsic;
mod live;
mod memory;
mod module;
mod phi;
mod plan;
mod reach;
mod relative;
mod shape;
mod signature;
mod slots;
mod symbol;
mod unit;
mod varargs;
mod vector;

pub(crate) use module::{Request, lower};
pub(crate) use symbol::LIBRARY;

/// Why something cannot be executed: a short text that names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unsupported(pub(crate) String);

impl Unsupported {
    /// The reason `what`.
    pub(crate) fn new(what: impl Into<String>) -> Unsupported {
        Unsupported(what.into())
    }
}

/// The outcome of lowering one thing.
pub(crate) type Lowered<T = ()> = Result<T, Unsupported>;
