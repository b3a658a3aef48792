//! A small typed language for properties over the state of all nodes of a distributed system.
//!
//! Nodes expose data, sequences of bytes, under triples of node, state and key. An *invariant* says which
//! triples it is about, gets what was exposed last under each of them, and returns whether all is well:
//!
//! ```
//! use minvariant::{Limits, Program, Providers, Recording, Verdict};
//!
//! let program = Program::parse("consensus.minv", r#"
//!     invariant decisionConsistency(data[] d) : nodes, states, keys {
//!       return d.equalElements();
//!     }
//!     string[] nodes() { return sys.nodes(); }
//!     int[] states(string node) { return int[1]; }
//!     string[] keys(string node, int state) { return string["decision"]; }
//! "#)?;
//! let invariant = program.find("decisionConsistency").expect("it is declared");
//!
//! let mut system = Recording::new(["a", "b", "c"]);
//! system.expose("a", 1, "decision", b"commit");
//! system.expose("b", 1, "decision", b"commit");
//! let verdict = program.verdict(invariant, Providers::of(&system), &Limits::default())?;
//! assert_eq!(verdict, Verdict::Holds);
//!
//! system.expose("c", 1, "decision", b"abort");
//! let verdict = program.verdict(invariant, Providers::of(&system), &Limits::default())?;
//! let Verdict::Violated(violation) = verdict else { panic!("they disagree") };
//! assert_eq!(violation.collected[2].bytes, b"abort");
//! assert_eq!(violation.location.to_string(), "consensus.minv:3:7");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * [`Program`] is read and checked once, and evaluated often; every mistake is found before, and
//!   reported with its place and a suggestion ([`Diagnostics`]).
//! * [`NodeProvider`] and [`DataProvider`] answer what an evaluation asks; [`Recording`] is both.
//! * [`Domain`] is what values are. [`Concrete`] has plain ones. An embedding whose bytes are symbolic
//!   brings its own: [`Program::evaluate`] asks [`Domain::decide`] only where control flow depends on a
//!   value, and returns a truth value that it has not decided. [`Decisions`] and [`explore`] follow both
//!   ways by evaluating again.
//! * [`format()`] lays programs out.
//!
//! A mistake reads like this:
//!
//! ```
//! let error = minvariant::Program::parse("a.minv", "int f(data d) { return d.int23(); }").unwrap_err();
//! assert_eq!(error.to_string(), r#"a.minv:1:26: unknown method `int23` of `data`
//!   1 | int f(data d) { return d.int23(); }
//!     |                          ^^^^^
//!   help: did you mean `int32`?"#);
//! ```
//!
//! Not here: who exposes, when to evaluate, what to do about a violation.

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
pub use program::{
    Collected, Evaluation, Invariant, InvariantId, Program, Triples, Verdict, Violation,
};
pub use provider::{DataProvider, Exposed, NodeProvider, Providers, Stamp, Triple};
pub use recording::{Node, Recording};
pub use source::{Location, Place};
pub use types::Type;
pub use vm::Limits;
