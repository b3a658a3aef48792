//! Tests of systems, run again: in the engine, on programs that have changed, natively, and made simpler.
//!
//! * [`TestRecorder`] makes the tests while a run explores.
//! * [`replay`] runs one of them, on the inputs, faults and preemptions of its nodes, so that there is one
//!   world and nothing to explore.
//! * [`judge`] runs one on programs that have changed since.
//! * [`TestWorlds`] runs one step by step, and what else could have happened in its world.
//! * [`minimize`] runs variants of a test, and keeps those with the same outcome.
//! * [`script`] and [`NativeReplay`] run the native programs instead of the engine.
//!
//! The caller loads the programs, and passes the surroundings of a run as a [`ReplayContext`].
//!
//! Not here: the file format (`everett-replay`).
//!
//! ```no_run
//! use everett_rerun::{ReplayContext, replay};
//!
//! let load = |_: &std::path::Path| Err("loads the programs of the nodes".into());
//! let replayed = replay("test000001.dtest".as_ref(), None, load, &ReplayContext::default())?;
//! assert_eq!(replayed.difference, None);
//! # Ok::<(), everett_rerun::RerunError>(())
//! ```

#![forbid(unsafe_code)]

mod changed;
mod error;
mod minimize;
mod native;
mod network;
mod rebuild;
mod record;
mod replay;
pub mod script;
mod walk;

pub use changed::{ChangeVerdict, TestJudgement, judge};
pub use error::{LoadFailure, RerunError};
pub use minimize::{MinimizedTest, minimize};
pub use native::{NativeReplay, NativeTools};
pub use record::{TestRecorder, digest, outcome_of};
pub use replay::{ReplayContext, ReplayResult, outcome_text, replay};
pub use walk::{Alternative, TestWorlds, WalkStep, WalkedWorld, WorldInput};
