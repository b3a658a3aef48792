//! A small typed language for properties over the state of all nodes of a distributed system.
//!
//! Nodes expose data, sequences of bytes, under triples of node, state and key. An *invariant* says which
//! triples it is about, gets what was exposed last under each of them, and returns whether all is well.
#![forbid(unsafe_code)]

mod ast;
mod builtin;
mod check;
mod code;
mod decisions;
mod diagnostic;
mod domain;
mod error;
mod format;
mod lexer;
mod parser;
mod problem;
mod program;
mod provider;
mod recording;
mod source;
mod suggest;
mod token;
mod types;
mod value;
mod vm;

pub use decisions::{Decisions, explore};
pub use diagnostic::{Diagnostic, Diagnostics};
pub use domain::{Concrete, Domain, IntOp, Relation, decode_bytes};
pub use error::{EvalError, Fault, Trace};
pub use format::format;
pub use problem::Problem;
pub use program::{Collected, Evaluation, Invariant, InvariantId, Program, Verdict, Violation};
pub use provider::{DataProvider, Exposed, NodeProvider, Providers, Stamp, Triple};
pub use recording::{Node, Recording};
pub use source::{Location, Place};
pub use types::Type;
pub use vm::Limits;
