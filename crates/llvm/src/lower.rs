//! From a linked LLVM module to an [`everett_ir::Program`].
//!
//! [`program::ProgramLowering`] holds what the whole program shares (constants, names, locations,
//! identifiers); [`function::FunctionLowering`] lowers one function, with one file for each family of
//! instructions. What cannot be lowered becomes an op that stops the path and names the reason, so that
//! one odd instruction does not keep a program from running.
//!
//! No `unsafe` here: everything that LLVM knows is asked through [`crate::sys`].

mod analysis;
mod constant;
mod debug;
mod expr;
mod fold;
mod function;
mod global;
mod instructions;
mod module;
mod program;
mod relative;
mod shape;
mod signature;
mod struct_types;
mod symbol;

pub(crate) use module::{LowerRequest, LoweredModule, lower};
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
