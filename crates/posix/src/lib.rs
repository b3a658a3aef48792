//! A simulated Linux kernel: processes, threads, descriptors, files, pipes, signals and time of one
//! node.
//!
//! The C library of a program is real; its system calls arrive here through [`Kernel::call`], which
//! finds the one handler of the call in the table. A handler has one shape: it takes a [`Call`]
//! (the arguments, the program's memory, the node) and gives an [`Answer`]: a value, an error
//! number, or what to wait for.
//!
//! Everything that can differ between two branches is in the [`Node`], which lives in the state and
//! is cloned with it; the [`Kernel`] itself holds only what all states share.
//!
//! **The rule of handlers**: a symbolic argument is settled ([`Call::arg`], [`Call::settle`]) before
//! anything is changed, because settling may fork, and the other branches execute the call again
//! from its beginning.
//!
//! Not here: other nodes and the network between them; which state runs next (`everett-engine`).
#![forbid(unsafe_code)]

mod call;
mod calls;
mod config;
mod descriptor;
mod down;
mod fault;
mod file;
mod join;
mod kernel;
mod net;
mod node;
mod process;
mod record;
mod reply;
mod saved;
mod schedule;
mod signal;
mod start;
mod status;
mod sys;
#[cfg(test)]
mod testing;
mod tree;
mod wait;

pub use config::{Identity, KernelConfig};
pub use down::Restart;
pub use fault::{
    Arriving, Budgets, Cut, Decision, DecisionError, FaultConfig, FaultCounts, FaultKind,
    FaultTimes, Faults, LinkBudget, Moment, NetworkFaults, Offer, Passed, Side, Taken, calls_named,
    errno_named, errnos, names_of_calls, severed_parts,
};
pub use kernel::{Guest, Kernel, NoPrograms, ProgramError, Programs};
pub use net::{Outgoing, Payload};
pub use node::{FIRST_PID, Node, Output, Wake};
pub use process::{Pid, Tid};
pub use record::{Got, Launch, Noted, Recorded, TreeFile, WITHIN_NODE};
pub use saved::{Saved, SavedFile};
pub use schedule::{Preempted, Switch, stalled};
pub use start::{FirstProcess, Start};
pub use sys::event::EventCall;
