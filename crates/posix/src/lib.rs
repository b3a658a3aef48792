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
//! The modules of the root are rooms, each of which uses only those below it: `config`, `calls`, `state`,
//! `net`, `signal`, `kernel`, `record`, `boot`, `fault`, `sys`, `schedule`, from the bottom to the top.
//!
//! Not here: other nodes and the network between them; which state runs next (`everett-engine`).
#![forbid(unsafe_code)]

mod boot;
mod calls;
mod config;
mod fault;
mod kernel;
mod net;
mod record;
mod schedule;
mod signal;
mod state;
mod sys;
#[cfg(test)]
mod testing;

pub use boot::FirstProcess;
pub use boot::saved::{SavedContent, SavedFile};
pub use calls::functions::{calls_named, names_of_calls};
pub use config::{
    ExposedSocket, FaultBudgets, FaultConfig, FaultKind, FaultTimes, KernelConfig, LinkBudget,
    NetworkCut, NetworkFaults, NodeIdentity, PartitionSide, SocketForward,
};
pub use fault::{FaultOffer, TROJAN_INPUT, errno_named, errnos, severed_parts};
pub use kernel::learnt_ops::LearntOps;
pub use kernel::{
    Guest, Kernel, KernelCounts, LibraryRequest, LinkedLibraries, NoPrograms, ProgramError,
    ProgramLoader, ReplaceableMessage, UndefinedSymbol, VisibleEffect,
};
pub use schedule::{place_of_waiting, stalled};
pub use state::faults::decision::{FaultDecision, FaultDecisionError};
pub use state::faults::{FaultCounts, NodeFaults, PassedPoint, TakenFault};
pub use state::ids::{Pid, Tid};
pub use state::node::{FIRST_PID, Node, OutputPiece};
pub use state::races::RacingPair;
pub use state::races::kept_choice::{KeptChoice, KeptChoices};
pub use state::recording::{
    NodeRecording, ProgramLaunch, RecordedDatagram, RecordedEvent, TreeFile,
};
pub use state::sockets::datagram::WITHIN_NODE;
pub use state::sockets::message::{Payload, SharedMessage};
pub use state::sockets::options::decision_options;
pub use state::standstill::{NodeRestart, ProgramStart};
pub use state::switches::{ThreadPreemption, ThreadSwitch};
pub use sys::event::EventCall;
pub use sys::libraries::LinkOutcome;
