//! Executes a lowered program on the state of one process.
//!
//! [`Interp::run`] advances one [`State`] until its fuel is used up, it forks, it ends, or it
//! needs something that only the embedder can give. Two loops share the work: [`hot`] executes
//! ops on concrete values and gives up at the first thing that is not plain; the general
//! executor in [`ops`] then handles that one op in all generality: symbolic operands, errors,
//! forks, calls outward.
//!
//! Calls to functions without a body go to the [`Machine`], the seam to everything above.
//!
//! Not here: which state runs next, what is reported, where tests go (`everett-engine`); what the
//! operating system does (the machine).
//! Invariant: nothing here chooses. Where several things can happen, all of them are made, in a
//! fixed order, and the caller picks.
#![forbid(unsafe_code)]

mod bug;
mod error;
mod flow;
mod hot;
mod image;
mod interp;
mod jump;
mod machine;
mod omission;
mod ops;
mod outward;
mod resolve;
mod state;
#[cfg(test)]
mod tests;
mod undefined;
mod unwind;

pub use bug::ignored::{IgnoredBugs, IgnoredPlace};
pub use bug::text::{AccessPurpose, byte_count};
pub use bug::{Bug, BugKind, ObjectNote};
pub use error::{Stop, UnsupportedFeature};
pub use flow::{Flow, Halt, PathEnding, Redundancy, RunPause, Sibling, SiblingCourse};
pub use image::coverage::Coverage;
pub use image::{ProgramId, ProgramImage, ProgramImages};
pub use interp::{ExecutionNotes, Interp, InterpConfig, InterpParts, OptionalChecks};
pub use machine::{CallArgs, Machine, NullMachine};
pub use omission::{Omission, OmissionCounts, OpPlace};
pub use resolve::{AccessTarget, MemoryAccess};
pub use state::context::ThreadContext;
pub use state::reg::Reg;
pub use state::stack::{EnteredBy, Frame, FrameView, Stack};
pub use state::watch::{
    AccessEffect, AccessWatch, LoggedAccess, MOST_LOGGED_BYTES, OpSet, SharedAccess, WatchedOps,
};
pub use state::{State, SymbolicObject};
pub use undefined::ValueUse;
pub use unwind::NextLanding;
