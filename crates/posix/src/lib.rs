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
mod deliver;
mod down;
mod entry;
mod fault;
mod join;
mod kernel;
mod net;
mod record;
mod reply;
mod saved;
mod schedule;
mod signal;
mod start;
mod state;
mod sys;
#[cfg(test)]
mod testing;
mod tree;

pub use config::{KernelConfig, NodeIdentity};
pub use fault::{
    FaultBudgets, FaultConfig, FaultCounts, FaultDecision, FaultDecisionError, FaultKind,
    FaultOffer, FaultTimes, LinkBudget, NetworkCut, NetworkFaults, NodeFaults, PartitionSide,
    PassedPoint, TakenFault, calls_named, errno_named, errnos, names_of_calls, severed_parts,
};
pub use kernel::{Guest, Kernel, NoPrograms, ProgramError, ProgramLoader};
pub use net::datagram::WITHIN_NODE;
pub use net::{Payload, SharedMessage};
pub use record::notes::{NodeRecording, ProgramLaunch, RecordedDatagram, RecordedEvent, TreeFile};
pub use saved::{SavedContent, SavedFile};
pub use schedule::{place_of_waiting, stalled};
pub use start::FirstProcess;
pub use state::ids::{Pid, Tid};
pub use state::node::{FIRST_PID, Node, OutputPiece};
pub use state::standstill::NodeRestart;
pub use state::standstill::ProgramStart;
pub use state::switches::{ThreadPreemption, ThreadSwitch};
pub use sys::event::EventCall;
