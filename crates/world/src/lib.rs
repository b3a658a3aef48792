//! Worlds of a distributed system, generic in what a node is.
//!
//! A [`Universe`] is the set of all worlds of a run, as bookkeeping over state ids: which node
//! states could exist together, who may run, what is delivered to whom, which states must be
//! copied, which worlds are over. It owns no node state; the embedder does, and answers questions
//! about states as a [`StateOwner`]. What is to be done comes back as [`UniverseChange`]s.
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
//! Worlds can be split off a universe and explored elsewhere. States that both sides have then are
//! in a [`SharedStateTable`]: what they do is done once.
//!
//! ```
//! # use everett_world::{Arrival, CarriedConstraints, NextWake, NodeId, SentMessage, Stamp, StateId};
//! # use everett_world::{StateOwner, Universe, UniverseChange, UniverseOptions};
//! # struct Nodes;
//! # impl StateOwner for Nodes {
//! #     type Message = &'static str;
//! #     fn copy(&mut self, _: StateId) -> StateId { StateId(9) }
//! #     fn carried(&mut self, _: StateId, _: StateId) -> CarriedConstraints { CarriedConstraints::NOTHING }
//! #     fn joins(&mut self, _: StateId, _: &[Arrival<Self::Message>]) -> bool { true }
//! #     fn jointly(&mut self, _: &[StateId]) -> bool { true }
//! #     fn symbols(&mut self, _: StateId) -> smallvec::SmallVec<[u32; 4]> { Default::default() }
//! #     fn waits(&mut self, _: StateId) -> bool { false }
//! # }
//! let (a, b, second) = (StateId(0), StateId(1), StateId(2));
//! let mut universe = Universe::new(2, UniverseOptions::default());
//! universe.begin(&mut Nodes, &[(NodeId(0), a, Stamp::ZERO), (NodeId(1), b, Stamp::ZERO)]);
//! universe.branched(&mut Nodes, a, second);
//! let hello = SentMessage { to: NodeId(1), delay: 0, message: "hello" };
//! universe.blocked(&mut Nodes, a, NextWake::Never, false, vec![hello]);
//! universe.blocked(&mut Nodes, second, NextWake::Never, false, vec![]);
//! universe.changes().for_each(drop);
//! universe.blocked(&mut Nodes, b, NextWake::At(5), false, vec![]);
//! // The round is over: a copy of `b` gets the greeting, in the worlds of `a`.
//! let first = universe.changes().next();
//! let Some(UniverseChange::Run { state, from, .. }) = first else { panic!() };
//! assert_eq!((state, from), (StateId(9), Some(b)));
//! ```
//!
//! Not here: what a node is, how it runs, what a message means, and which state runs next.

#![forbid(unsafe_code)]

mod change;
mod examine;
mod idle;
mod ids;
mod joint;
mod mapping;
mod multi_node;
mod paged_table;
mod shared_states;
mod single_node;
mod state_owner;
mod universe;
mod walk;

pub use change::{MappingKind, RemovalReason, UniverseChange, UniverseCounts, UniverseOptions};
pub use everett_base::{NextWake, Stamp};
pub use examine::{ExaminationResult, StateCombinations, StateSetName};
pub use idle::Rest;
pub use ids::{DStateId, NodeId, StateId};
pub use shared_states::{
    ActivationClaim, ActivationEnds, ActivationId, ActivationSharing, ClosedState, ReleasedStates,
    SharedStateRecord, SharedStateTable,
};
pub use state_owner::{Arrival, CarriedConstraints, CarriedTable, SentMessage, StateOwner};
pub use universe::{SplitWishes, Universe};
pub use walk::{OrderChoice, WalkChild, WalkGuide, WalkTree};
