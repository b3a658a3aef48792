//! The set of all worlds of a run: [`Universe`].
//!
//! A system of one node and one of several are kept apart here and nowhere else: with one node
//! every state is a world of its own, which costs next to nothing (`single_node.rs`).

use std::hash::Hash;

use everett_base::Rng;

use crate::multi_node::MultiNodeUniverse;
use crate::single_node::SingleNodeUniverse;
use crate::{
    NextWake, NodeId, OrderChoice, SentMessage, Stamp, StateId, StateOwner, UniverseChange,
    UniverseCounts, UniverseOptions, WalkGuide,
};

/// All worlds of a run.
///
/// The embedder tells what its states do, and drains [`Universe::changes`] after each call.
pub struct Universe<M> {
    kind: UniverseKind<M>,
}

everett_base::portable!([M: everett_base::part::Portable + Clone + Eq + std::hash::Hash + 'static]
    struct Universe<M> {
    kind,
});

enum UniverseKind<M> {
    SingleNode(SingleNodeUniverse<M>),
    MultiNode(Box<MultiNodeUniverse<M>>),
}

everett_base::portable!([M: everett_base::part::Portable + Clone + Eq + std::hash::Hash + 'static]
    enum UniverseKind<M> {
    0 = SingleNode(value), 1 = MultiNode(value),
});

/// Conditions on the worlds that [`Universe::split_off`] gives away; all but the first one matter with
/// several nodes only.
pub struct SplitWishes<'a> {
    /// The universe that worlds are taken from keeps a world of each of these states.
    pub stay: &'a [StateId],
    /// The most states that both universes may have then.
    pub most_shared: usize,
    /// One of so many dstates is given away, or a single one, or half of the only one.
    pub one_of: usize,
}

impl<M: Clone + Eq + Hash> Universe<M> {
    /// A universe without states, of a system with this many nodes.
    pub fn new(nodes: u32, options: UniverseOptions) -> Self {
        assert!(nodes > 0, "a system has a node");
        let kind = match nodes {
            1 => UniverseKind::SingleNode(SingleNodeUniverse::new(options)),
            _ => UniverseKind::MultiNode(Box::new(MultiNodeUniverse::new(nodes, options))),
        };
        Universe { kind }
    }

    /// Turns [`UniverseChange::Final`] on or off; it is off at first.
    pub fn report_final(&mut self, wanted: bool) {
        match &mut self.kind {
            UniverseKind::SingleNode(universe) => universe.report_final = wanted,
            UniverseKind::MultiNode(universe) => universe.report_final = wanted,
        }
    }

    /// Adds the first states; each is activated at its stamp. Every node has at least one.
    pub fn begin<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        first: &[(NodeId, StateId, Stamp)],
    ) {
        match &mut self.kind {
            UniverseKind::SingleNode(universe) => universe.begin(first),
            UniverseKind::MultiNode(universe) => universe.begin(owner, first),
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
            UniverseKind::SingleNode(universe) => universe.branched(parent, child),
            UniverseKind::MultiNode(universe) => universe.branched(owner, parent, child),
        }
    }

    /// A running state has done something notable: its worlds are examined at the end of the round.
    pub fn notable(&mut self, state: StateId) {
        match &mut self.kind {
            UniverseKind::SingleNode(universe) => universe.notable(state),
            UniverseKind::MultiNode(universe) => universe.notable(state),
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
            UniverseKind::SingleNode(universe) => universe.blocked(owner, state, next, sent),
            UniverseKind::MultiNode(universe) => universe.blocked(owner, state, next, exited, sent),
        }
    }

    /// A running state has ended: so do its worlds, at the end of the round.
    pub fn ended<O: StateOwner<Message = M>>(&mut self, owner: &mut O, state: StateId) {
        match &mut self.kind {
            UniverseKind::SingleNode(universe) => universe.ended(owner, state),
            UniverseKind::MultiNode(universe) => universe.ended(owner, state),
        }
    }

    /// A state is given up, whatever it does: its worlds end at once.
    pub fn killed<O: StateOwner<Message = M>>(&mut self, owner: &mut O, state: StateId) {
        match &mut self.kind {
            UniverseKind::SingleNode(universe) => universe.ended(owner, state),
            UniverseKind::MultiNode(universe) => universe.killed(owner, state),
        }
    }

    /// Takes out the changes since the last time, in order.
    pub fn changes(&mut self) -> std::vec::Drain<'_, UniverseChange<M>> {
        match &mut self.kind {
            UniverseKind::SingleNode(universe) => universe.changes.drain(..),
            UniverseKind::MultiNode(universe) => universe.changes.drain(..),
        }
    }

    /// Returns true if the state is in this universe.
    pub fn contains(&self, state: StateId) -> bool {
        match &self.kind {
            UniverseKind::SingleNode(universe) => universe.contains(state),
            UniverseKind::MultiNode(universe) => universe.slots.contains_key(&state),
        }
    }

    /// One jointly satisfiable world, by node, that contains the state now; none if none exists.
    pub fn world_with<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        state: StateId,
    ) -> Option<Vec<StateId>> {
        match &mut self.kind {
            UniverseKind::SingleNode(universe) => universe.contains(state).then(|| vec![state]),
            UniverseKind::MultiNode(universe) => universe.world_with(owner, state),
        }
    }

    /// The worlds that are not over, by node; at most `limit`.
    pub fn worlds<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        limit: usize,
    ) -> Vec<Vec<StateId>> {
        match &mut self.kind {
            UniverseKind::SingleNode(universe) => {
                universe.states().iter().take(limit).map(|&state| vec![state]).collect()
            }
            UniverseKind::MultiNode(universe) => universe.worlds(owner, limit),
        }
    }

    /// The counts so far.
    pub fn counts(&self) -> UniverseCounts {
        match &self.kind {
            UniverseKind::SingleNode(universe) => universe.counts,
            UniverseKind::MultiNode(universe) => universe.counts,
        }
    }

    /// Takes the counts of worlds that are over out; those of worlds that are left begin anew.
    pub fn take_counts(&mut self) -> UniverseCounts {
        let counts = match &mut self.kind {
            UniverseKind::SingleNode(universe) => &mut universe.counts,
            UniverseKind::MultiNode(universe) => &mut universe.counts,
        };
        let dstates = counts.dstates;
        let left = UniverseCounts { dstates, dstates_peak: dstates, ..UniverseCounts::default() };
        UniverseCounts { dstates: 0, ..std::mem::replace(counts, left) }
    }

    /// All states, in a fixed order.
    pub fn states(&self) -> Vec<StateId> {
        match &self.kind {
            UniverseKind::SingleNode(universe) => universe.states().to_vec(),
            UniverseKind::MultiNode(universe) => {
                let mut states: Vec<StateId> = universe.slots.keys().copied().collect();
                states.sort_unstable();
                states
            }
        }
    }

    /// Splits off about half of the worlds, or as many as wished, as a universe of their own. Both universes
    /// have the states that are returned, each under one number. None if there is nothing to share. The
    /// counts of both add up, and their peaks begin anew. [`Universe::resume`] is to be called for both.
    pub fn split_off(&mut self, wishes: &SplitWishes<'_>) -> Option<(Universe<M>, Vec<StateId>)> {
        let (kind, both) = match &mut self.kind {
            UniverseKind::SingleNode(universe) => {
                (UniverseKind::SingleNode(universe.split_off(wishes.stay)?), Vec::new())
            }
            UniverseKind::MultiNode(universe) => {
                let (other, both) = universe.split_off(wishes)?;
                (UniverseKind::MultiNode(Box::new(other)), both)
            }
        };
        Some((Universe { kind }, both))
    }

    /// Takes in the states of another universe of the same node, and its counts: what
    /// [`Universe::split_off`] has given away. Universes of several nodes have no such way back.
    pub fn absorb(&mut self, other: Universe<M>) {
        match (&mut self.kind, other.kind) {
            (UniverseKind::SingleNode(universe), UniverseKind::SingleNode(other)) => {
                universe.absorb(other);
            }
            (UniverseKind::SingleNode(_) | UniverseKind::MultiNode(_), _) => {
                panic!("worlds of several nodes are not put together again")
            }
        }
    }

    /// Goes on after worlds were split off, on either side.
    pub fn resume<O: StateOwner<Message = M>>(&mut self, owner: &mut O) {
        match &mut self.kind {
            UniverseKind::SingleNode(_) => {}
            UniverseKind::MultiNode(universe) => universe.settle(owner),
        }
    }

    /// A lower bound of the weight of a world with this state: the least sum of weights of one state of each
    /// node in one of its dstates. Of very many dstates only some are looked at. `None` if the state is in no
    /// world.
    pub fn least_sum(&self, state: StateId, weight: &dyn Fn(StateId) -> u32) -> Option<u32> {
        match &self.kind {
            UniverseKind::SingleNode(universe) => universe.contains(state).then(|| weight(state)),
            UniverseKind::MultiNode(universe) => universe.least_sum(state, weight),
        }
    }

    /// Returns true if in a world of a state another one goes on by itself, and is no server that only
    /// follows its timers. `works` says so of one to which nothing is on its way.
    pub fn goes_on_beside(&self, state: StateId, works: &dyn Fn(StateId) -> bool) -> bool {
        match &self.kind {
            UniverseKind::SingleNode(_) => false,
            UniverseKind::MultiNode(universe) => universe.goes_on_beside(state, works),
        }
    }

    /// A state that can run, and that `may` run, of the worlds that a walk has come to; and whether the walk
    /// has begun with it. `choice` tells which choice in an order has made a state. `None` if there is no
    /// such state there, for one node, and without [`crate::UniverseOptions::walks`].
    pub fn walk(
        &mut self,
        guide: &mut dyn WalkGuide,
        rng: &mut Rng,
        choice: &dyn Fn(StateId) -> Option<OrderChoice>,
        may: &dyn Fn(StateId) -> bool,
    ) -> Option<(StateId, bool)> {
        match &mut self.kind {
            UniverseKind::SingleNode(_) => None,
            UniverseKind::MultiNode(universe) => universe.walk(guide, rng, choice, may),
        }
    }

    /// Picks a state that can run, and that `may` run, by a random path through the tree of splits; none if
    /// the path leads to no such state.
    pub fn pick(&mut self, rng: &mut Rng, may: &dyn Fn(StateId) -> bool) -> Option<StateId> {
        match &mut self.kind {
            UniverseKind::SingleNode(universe) => universe.pick(rng).filter(|state| may(*state)),
            UniverseKind::MultiNode(universe) => universe.pick(rng, may),
        }
    }
}
