//! A small typed language for properties over the state of all nodes of a distributed system.
//!
//! Nodes expose data, sequences of bytes, under triples of node, state and key. An *invariant* says which
//! triples it is about, gets what was exposed last under each of them, and returns whether all is well:
//!
//! ```
//! use minvariant::{EvalLimits, Program, Providers, Recording, Verdict};
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
//! let verdict = program.verdict(invariant, Providers::of(&system), &EvalLimits::default())?;
//! assert_eq!(verdict, Verdict::Holds);
//!
//! system.expose("c", 1, "decision", b"abort");
//! let verdict = program.verdict(invariant, Providers::of(&system), &EvalLimits::default())?;
//! let Verdict::Violated(violation) = verdict else { panic!("they disagree") };
//! assert_eq!(violation.collected[2].bytes, b"abort");
//! assert_eq!(violation.location.to_string(), "consensus.minv:3:7");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * [`Program`] is read and checked once, and evaluated often; every mistake is found before, and
//!   reported with its place and a suggestion ([`Diagnostics`]).
//! * [`NodeProvider`] and [`DataProvider`] answer what an evaluation asks; [`Recording`] is both.
//! * [`Domain`] is what values are. [`ConcreteDomain`] has plain ones. An embedding whose bytes are symbolic
//!   brings its own: [`Program::evaluate`] asks [`Domain::decide`] only where control flow depends on a
//!   value, and returns a truth value that it has not decided. [`DecisionScript`] and [`explore`] follow both
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

mod check;
mod decisions;
mod diagnostic;
mod domain;
mod error;
mod program;
mod provider;
mod recording;
mod syntax;
mod types;
mod vm;

pub use decisions::{DecisionScript, explore};
pub use diagnostic::kind::DiagnosticKind;
pub use diagnostic::source::{SourceExcerpt, SourceLocation};
pub use diagnostic::{Diagnostic, Diagnostics};
pub use domain::{ConcreteDomain, Domain, IntOp, IntRelation, decode_bytes};
pub use error::{EvalError, EvalFault, EvalTrace};
pub use program::{
    CollectedData, Evaluation, FixedTriples, InvariantId, InvariantInfo, Program, Verdict,
    ViolatedInvariant,
};
pub use provider::{DataProvider, DataTriple, ExposedData, ExposureStamp, NodeProvider, Providers};
pub use recording::{RecordedNode, Recording};
pub use syntax::format::format;
pub use types::ValueType;
pub use vm::EvalLimits;
