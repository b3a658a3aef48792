//! What the embedder answers about its states ([`StateOwner`]), and what travels between them.

use std::hash::Hash;

use smallvec::SmallVec;

use crate::{Combinations, Examined, NodeId, Rest, Stamp, StateId};

/// Constraints that travel with a message, as an interned number of the embedder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Carried(pub u32);

impl Carried {
    /// Nothing has to travel.
    pub const NOTHING: Carried = Carried(0);
}

/// Something that a state sent during an activation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SentMessage<M> {
    /// The node that gets it.
    pub to: NodeId,
    /// How long it travels, in nanoseconds; zero arrives in the next round.
    pub delay: u64,
    /// What is sent.
    pub message: M,
}

/// Something that arrives at a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Arrival<M> {
    /// When it arrives.
    pub at: Stamp,
    /// The node that sent it.
    pub from: NodeId,
    /// Its position among what the sender sent in that activation.
    pub number: u32,
    /// What was sent.
    pub message: M,
    /// The sender's constraints that the receiver must take over.
    pub carried: Carried,
}

/// The owner of the node states.
///
/// Answers about a blocked state must not change until it is activated again.
pub trait StateOwner {
    /// What nodes send each other; equal messages are delivered as one.
    type Message: Clone + Eq + Hash;

    /// Makes an identical state, including what it has sent so far in its activation.
    fn copy(&mut self, state: StateId) -> StateId;

    /// A state is about to go on with these arrivals, `itself` or, if it also stays as it is, a copy of it:
    /// the number of whoever goes on. It may be a copy in any case; the state is gone then.
    fn activate(
        &mut self,
        state: StateId,
        _at: Stamp,
        _arrivals: &[Arrival<Self::Message>],
        itself: bool,
    ) -> StateId {
        if itself { state } else { self.copy(state) }
    }

    /// Which of the sender's constraints the receiver must take over with what was sent to it.
    fn carried(&mut self, from: StateId, to: StateId) -> Carried;

    /// Whether the state's condition is satisfiable together with all that its arrivals carry. The
    /// arrivals are all that the state has not been activated with yet.
    fn joins(&mut self, state: StateId, arrivals: &[Arrival<Self::Message>]) -> bool;

    /// Whether the conditions of these states, of different nodes, are satisfiable together. Asked
    /// about fewer than two states only by [`Combinations::find`].
    fn jointly(&mut self, states: &[StateId]) -> bool;

    /// The symbols in its condition; states of different nodes without a common symbol, also by
    /// way of third ones, are independent.
    fn symbols(&mut self, state: StateId) -> SmallVec<[u32; 4]>;

    /// Whether the run is over and nothing needs to be exact any more; asked often where the work of
    /// one call may be exponential.
    fn is_over(&mut self) -> bool {
        false
    }

    /// Whether the stalled state waits for something that would be a bug to wait for for ever.
    fn waits(&mut self, state: StateId) -> bool;

    /// What a state that has just blocked waits for; asked only if worlds end when their servers do nothing
    /// but follow timers.
    fn rest(&mut self, _state: StateId) -> Rest {
        Rest::Busy
    }

    /// Looks at the combinations of a dstate at the end of a round in which a state of it has done
    /// something notable, and again when worlds are over if [`StateOwner::examines_ends`].
    fn examine(&mut self, _combinations: &mut Combinations) -> Examined {
        Examined::default()
    }

    /// Whether worlds that are over are to be examined.
    fn examines_ends(&self) -> bool {
        false
    }
}
