//! Questions about states, which the embedder answers as a [`StateOwner`], and messages between them.

use std::hash::Hash;

use everett_base::part::{PartError, PartReader, PartWriter, Portable};
use smallvec::SmallVec;

use crate::{ExaminationResult, NextWake, NodeId, Rest, Stamp, StateCombinations, StateId};

/// Constraints that travel with a message, as an interned number of the embedder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CarriedConstraints(pub u32);

impl CarriedConstraints {
    /// Nothing has to travel.
    pub const NOTHING: CarriedConstraints = CarriedConstraints(0);
}

/// The constraints of a part, by the order in which they are met while it is written. Readers of universes
/// need it as a handle.
pub struct CarriedTable(pub Vec<CarriedConstraints>);

/// Numbers of the embedder differ from process to process.
impl Portable for CarriedConstraints {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        to.reference::<CarriedConstraints>(self.0);
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let number = usize::read(from)?;
        let carried = from.handle::<CarriedTable>().0.get(number).copied();
        carried.ok_or_else(|| from.unexpected("constraints that travel with a message"))
    }
}

/// A message that a state has sent during an activation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SentMessage<M> {
    /// The node that gets it.
    pub to: NodeId,
    /// Nanoseconds that it travels; with zero it arrives in the next round.
    pub delay: u64,
    /// The message itself.
    pub message: M,
}

everett_base::portable!([M: everett_base::part::Portable] struct SentMessage<M> {
    to, delay, message,
});

/// A message that arrives at a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Arrival<M> {
    /// The stamp at which it arrives.
    pub at: Stamp,
    /// The node that sent it.
    pub from: NodeId,
    /// Its position among what the sender sent in that activation.
    pub number: u32,
    /// The message itself.
    pub message: M,
    /// The sender's constraints that the receiver must take over.
    pub carried: CarriedConstraints,
}

everett_base::portable!([M: everett_base::part::Portable] struct Arrival<M> {
    at, from, number, message, carried,
});

/// The owner of the node states.
///
/// Answers about a blocked state must not change until it is activated again.
pub trait StateOwner {
    /// The type of messages between nodes. States that have sent equal messages stay together.
    type Message: Clone + Eq + Hash;

    /// Makes an identical state, including what it has sent so far in its activation.
    fn copy(&mut self, state: StateId) -> StateId;

    /// A state is about to go on with these arrivals: `itself`, or a copy of it if it also stays as it is.
    /// Returns the number of the state that goes on. That may be a copy in any case; then the state is gone.
    fn activate(
        &mut self,
        state: StateId,
        _at: Stamp,
        _arrivals: &[Arrival<Self::Message>],
        itself: bool,
    ) -> StateId {
        if itself { state } else { self.copy(state) }
    }

    /// The constraints of a sender that a receiver must take over with a message.
    fn carried(&mut self, from: StateId, to: StateId) -> CarriedConstraints;

    /// Returns true if the state's condition is satisfiable together with all that its arrivals carry. The
    /// arrivals are all that the state has not been activated with yet.
    fn joins(&mut self, state: StateId, arrivals: &[Arrival<Self::Message>]) -> bool;

    /// Returns true if the conditions of these states, of different nodes, are satisfiable together. It
    /// is asked about fewer than two states only by [`StateCombinations::find`].
    fn jointly(&mut self, states: &[StateId]) -> bool;

    /// The symbols in its condition; states of different nodes without a common symbol, also by
    /// way of third ones, are independent.
    fn symbols(&mut self, state: StateId) -> SmallVec<[u32; 4]>;

    /// Returns true if the run is over, so that no answer needs to be exact any more. It is asked often where
    /// the work of one call may be exponential.
    fn is_over(&mut self) -> bool {
        false
    }

    /// Returns true if it is a bug that the stalled state waits for ever for what it waits for.
    fn waits(&mut self, state: StateId) -> bool;

    /// The kind of waiting of a state that has just blocked, and that wakes by itself then. It is asked only
    /// if worlds end when their servers do nothing but follow timers ([`crate::UniverseOptions::grace`]).
    fn rest(&mut self, _state: StateId, _next: NextWake) -> Rest {
        Rest::Busy
    }

    /// The chance that a node comes to this state if it decides at random at each fork, all sides being
    /// equally likely.
    fn chance(&self, _state: StateId) -> f64 {
        1.0
    }

    /// Looks at the combinations of a dstate at the end of a round in which a state of it has done
    /// something notable, and again when worlds are over if [`StateOwner::examines_ends`].
    fn examine(&mut self, _combinations: &mut StateCombinations) -> ExaminationResult {
        ExaminationResult::default()
    }

    /// Returns true if worlds that are over are to be examined.
    fn examines_ends(&self) -> bool {
        false
    }
}
