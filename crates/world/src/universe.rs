//! The set of all worlds of a run: [`Universe`].
//!
//! A system of one node and one of several are kept apart here and nowhere else: with one node
//! every state is a world of its own, which costs next to nothing (`solo.rs`).

use std::hash::Hash;

use everett_base::Rng;

use crate::many::Many;
use crate::solo::Solo;
use crate::{Change, Counts, NextWake, NodeId, Options, SentMessage, Stamp, StateId, StateOwner};

/// All worlds of a run.
///
/// The embedder tells what its states do, and drains [`Universe::changes`] after each call.
pub struct Universe<M> {
    kind: Kind<M>,
}

enum Kind<M> {
    Solo(Solo<M>),
    Many(Box<Many<M>>),
}

/// What is wanted of a part of the worlds of several nodes ([`Universe::split_off`]).
pub struct Wishes<'a> {
    /// The universe that it is taken from keeps a world of each of these states.
    pub stay: &'a [StateId],
    /// How many states both may have at most.
    pub most_shared: usize,
}

impl<M: Clone + Eq + Hash> Universe<M> {
    /// A universe without states, of a system with this many nodes.
    pub fn new(nodes: u32, options: Options) -> Self {
        assert!(nodes > 0, "a system has a node");
        let kind = match nodes {
            1 => Kind::Solo(Solo::new(options)),
            _ => Kind::Many(Box::new(Many::new(nodes, options))),
        };
        Universe { kind }
    }

    /// Whether [`Change::Final`] is wanted; it is not at first.
    pub fn report_final(&mut self, wanted: bool) {
        match &mut self.kind {
            Kind::Solo(solo) => solo.report_final = wanted,
            Kind::Many(many) => many.report_final = wanted,
        }
    }

    /// Adds the first states; each is activated at its stamp. Every node has at least one.
    pub fn begin<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        first: &[(NodeId, StateId, Stamp)],
    ) {
        match &mut self.kind {
            Kind::Solo(solo) => solo.begin(first),
            Kind::Many(many) => many.begin(owner, first),
        }
    }

    /// A running state has become two, the second of which is new and runs as well.
    pub fn branched<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        parent: StateId,
        child: StateId,
    ) {
        match &mut self.kind {
            Kind::Solo(solo) => solo.branched(parent, child),
            Kind::Many(many) => many.branched(owner, parent, child),
        }
    }

    /// A running state has done something notable: its worlds are examined at the end of the round.
    pub fn notable(&mut self, state: StateId) {
        match &mut self.kind {
            Kind::Solo(solo) => solo.notable(state),
            Kind::Many(many) => many.notable(state),
        }
    }

    /// A running state blocks until `next` or until something arrives; `sent` is all that it sent
    /// since it was activated. A state that has exited may still be activated by arrivals.
    pub fn blocked<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        state: StateId,
        next: NextWake,
        exited: bool,
        sent: Vec<SentMessage<M>>,
    ) {
        match &mut self.kind {
            Kind::Solo(solo) => solo.blocked(owner, state, next, sent),
            Kind::Many(many) => many.blocked(owner, state, next, exited, sent),
        }
    }

    /// A running state has ended: so do its worlds, at the end of the round.
    pub fn ended<O: StateOwner<Message = M>>(&mut self, owner: &mut O, state: StateId) {
        match &mut self.kind {
            Kind::Solo(solo) => solo.ended(owner, state),
            Kind::Many(many) => many.ended(owner, state),
        }
    }

    /// A state is given up, whatever it does: its worlds end at once.
    pub fn killed<O: StateOwner<Message = M>>(&mut self, owner: &mut O, state: StateId) {
        match &mut self.kind {
            Kind::Solo(solo) => solo.ended(owner, state),
            Kind::Many(many) => many.killed(owner, state),
        }
    }

    /// What is to be done and known since the last time, in order.
    pub fn changes(&mut self) -> std::vec::Drain<'_, Change<M>> {
        match &mut self.kind {
            Kind::Solo(solo) => solo.changes.drain(..),
            Kind::Many(many) => many.changes.drain(..),
        }
    }

    /// Whether the state is in this universe.
    pub fn contains(&self, state: StateId) -> bool {
        match &self.kind {
            Kind::Solo(solo) => solo.contains(state),
            Kind::Many(many) => many.slots.contains_key(&state),
        }
    }

    /// One jointly satisfiable world, by node, that contains the state now; none if none exists.
    pub fn world_with<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        state: StateId,
    ) -> Option<Vec<StateId>> {
        match &mut self.kind {
            Kind::Solo(solo) => solo.contains(state).then(|| vec![state]),
            Kind::Many(many) => many.world_with(owner, state),
        }
    }

    /// The worlds that are not over, by node; at most `limit`.
    pub fn worlds<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        limit: usize,
    ) -> Vec<Vec<StateId>> {
        match &mut self.kind {
            Kind::Solo(solo) => {
                solo.states().iter().take(limit).map(|&state| vec![state]).collect()
            }
            Kind::Many(many) => many.worlds(owner, limit),
        }
    }

    /// What was counted so far.
    pub fn counts(&self) -> Counts {
        match &self.kind {
            Kind::Solo(solo) => solo.counts,
            Kind::Many(many) => many.counts,
        }
    }

    /// All states, in a fixed order.
    pub fn states(&self) -> Vec<StateId> {
        match &self.kind {
            Kind::Solo(solo) => solo.states().to_vec(),
            Kind::Many(many) => {
                let mut states: Vec<StateId> = many.slots.keys().copied().collect();
                states.sort_unstable();
                states
            }
        }
    }

    /// About half of the worlds, as a universe of their own, and the states that both have then, under
    /// one number; none if there is nothing to share. The counts of both add up, and their peaks begin
    /// anew. [`Universe::resume`] is to be called for both.
    pub fn split_off(&mut self, wishes: &Wishes<'_>) -> Option<(Universe<M>, Vec<StateId>)> {
        let (kind, both) = match &mut self.kind {
            Kind::Solo(solo) => (Kind::Solo(solo.split_off()?), Vec::new()),
            Kind::Many(many) => {
                let (other, both) = many.split_off(wishes)?;
                (Kind::Many(Box::new(other)), both)
            }
        };
        Some((Universe { kind }, both))
    }

    /// Goes on after worlds were split off, on either side.
    pub fn resume<O: StateOwner<Message = M>>(&mut self, owner: &mut O) {
        match &mut self.kind {
            Kind::Solo(_) => {}
            Kind::Many(many) => many.settle(owner),
        }
    }

    /// The least sum of weights of the states of a dstate that a state is in, one of each node and the state
    /// itself among them: no world of it has less. Of very many dstates some are looked at. `None` if the
    /// state is in no world.
    pub fn least_sum(&self, state: StateId, weight: &dyn Fn(StateId) -> u32) -> Option<u32> {
        match &self.kind {
            Kind::Solo(solo) => solo.contains(state).then(|| weight(state)),
            Kind::Many(many) => many.least_sum(state, weight),
        }
    }

    /// A state that can run and may, by a random path through the tree of splits; none if all states that
    /// can run where the path leads may not.
    pub fn pick(&mut self, rng: &mut Rng, may: &dyn Fn(StateId) -> bool) -> Option<StateId> {
        match &mut self.kind {
            Kind::Solo(solo) => solo.pick(rng).filter(|state| may(*state)),
            Kind::Many(many) => many.pick(rng, may),
        }
    }
}
