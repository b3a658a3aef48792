//! Worlds of a distributed system, generic in what a node is.
//!
//! A [`Universe`] is the set of all worlds of a run, as bookkeeping over state ids: which node
//! states could exist together, who may run, what is delivered to whom, which states must be
//! copied, which worlds are over. It owns no node state; the embedder does, and answers questions
//! about states as a [`Host`]. What is to be done comes back as [`Change`]s.
//!
//! Time goes in rounds ([`Stamp`]): a state is activated at a stamp, runs until it blocks, and
//! nothing that was sent in a round is seen in that round. So states of one round may run in any
//! order, and what a node observes depends neither on that order nor on the mapping.
//!
//! A *dstate* has a set of states for each node and stands for all their combinations; the worlds
//! of a universe are the jointly satisfiable combinations of its dstates. When states of a node
//! have sent different things, the dstate is split, one part for each thing sent. The mappings
//! ([`MappingKind`]) differ in which states are copied for that.
//!
//! Not here: what a node is, how it runs, what an event means, and which state runs next.

#![forbid(unsafe_code)]

mod change;
mod host;
mod joint;
mod many;
mod mapping;
mod paged;
mod solo;
mod stamp;
mod universe;

pub use change::{Change, Counts, Gone, MappingKind, Options};
pub use host::{Arrival, Carried, Host, Sent};
pub use stamp::{DStateId, Next, NodeId, Stamp, StateId};
pub use universe::Universe;
