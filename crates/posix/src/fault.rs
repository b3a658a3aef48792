//! Faults: everything bad that the environment may do to a node, within budgets.
//!
//! A *fault* is of a [`FaultKind`]. A *point* is a place on a node's path where one of a kind is possible;
//! there the state forks over the alternatives, as long as the kind has a budget on this path. A fault that
//! happens is a [`FaultDecision`] of the path, recorded in its [`NodeFaults`]: it is shown with findings,
//! and a test case has it, so that a run on the test makes it happen again instead of exploring any.
//!
//! Who offers faults:
//!
//! - a system call asks with [`Call::fault`](crate::kernel::call::Call::fault) (`ask.rs`);
//! - every system call may fail as a whole, or be ended by a signal (`failure.rs`, `errno.rs`);
//! - a node as a whole crashes or is paused where it sends, receives, changes files or exposes something
//!   (`machine.rs`; which calls these are, `place.rs`; what a crash leaves of files, `machine/survival.rs`);
//! - what arrives from other nodes is looked at before the node wakes ([`Kernel::choose_arrivals`](
//!   crate::Kernel::choose_arrivals), `arrivals.rs`, `severed.rs`);
//! - the first message on a way with several latencies brings the choice among them (`latency.rs`);
//! - a thread that looks for messages may see them in another order, or late (`observation.rs`);
//! - a signal may come to a thread that handles it, at any place (`signals.rs`);
//! - the embedder, for what it implements itself, with [`Kernel::offer`](crate::Kernel::offer).
//!
//! Points are counted whether or not their faults are chosen, so that a test case means the same without
//! the options of the run that wrote it. Nothing is counted, and nothing costs, once no budget is left.
//!
//! Not here: what a node keeps of faults (`state/faults.rs`); which of them may happen (`config/faults.rs`);
//! budgets of several nodes together, which limit worlds and not paths (`everett-engine`).
//!
//! [`FaultKind`]: crate::FaultKind
//! [`FaultDecision`]: crate::FaultDecision
//! [`NodeFaults`]: crate::NodeFaults

mod arrivals;
mod ask;
mod clock;
mod errno;
mod failure;
mod fate;
mod fragment;
mod machine;
pub(crate) mod observation;
mod place;
mod severed;
mod short;
mod signals;
mod times;

#[cfg(test)]
mod tests;

pub use self::arrivals::TROJAN_INPUT;
pub use self::ask::FaultOffer;
pub use self::errno::{errno_named, errnos};
pub use self::severed::severed_parts;
