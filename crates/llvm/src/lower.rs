//! From a linked LLVM module to an [`everett_ir::Program`].
//!
//! [`program::ProgramLowering`] holds what the whole program shares (constants, names, locations,
//! identifiers); [`function::FunctionLowering`] lowers one function, with one file for each family of
//! instructions. What cannot be lowered becomes an op that stops the path and names the reason, so that
//! one odd instruction does not keep a program from running.
//!
//! No `unsafe` here: everything that LLVM knows is asked through [`crate::sys`].

mod aggregate;
mod asm;
mod atomic;
mod bitcast;
mod call;
mod cast;
mod constant;
mod control;
mod debug;
mod expr;
mod float;
mod fold;
mod function;
mod gep;
mod global;
mod int;
mod intrinsic;
mod live;
mod memory;
mod module;
mod phi;
mod plan;
mod program;
mod reach;
mod relative;
mod shape;
mod signature;
mod slots;
mod symbol;
mod varargs;
mod vector;

pub(crate) use module::{LowerRequest, lower};
pub(crate) use symbol::LIBRARY;

/// The reason for which something cannot be executed: a short text that names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnsupportedConstruct(pub(crate) String);

impl UnsupportedConstruct {
    /// The reason `what`.
    pub(crate) fn new(what: impl Into<String>) -> UnsupportedConstruct {
        UnsupportedConstruct(what.into())
    }
}

/// The outcome of lowering one thing.
pub(crate) type LowerResult<T = ()> = Result<T, UnsupportedConstruct>;
