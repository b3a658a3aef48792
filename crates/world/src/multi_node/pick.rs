//! Picking a state to run by a random path through the tree of splits (`split_tree.rs`).
//!
//! A path ends at a dstate, and goes from there to a state that can run: if those of the dstate are held
//! back, to the dstate that holds them back, whose front is earlier.

use std::hash::Hash;

use everett_base::Rng;

use super::MultiNodeUniverse;
use super::table::{StatePhase, StateSetId};
use crate::{DStateId, OrderChoice, StateId, WalkGuide};

impl<M: Clone + Eq + Hash> MultiNodeUniverse<M> {
    /// Adds a first dstate to the tree.
    pub(crate) fn plant(&mut self, dstate: DStateId) {
        self.tree.plant(dstate);
        if let Some(walks) = &mut self.walks {
            walks.plant(dstate.0);
        }
    }

    /// A dstate was split into itself and others.
    pub(crate) fn grow(&mut self, dstate: DStateId, others: &[DStateId]) {
        if !others.is_empty() {
            self.tree.grow(dstate, others);
        }
        if let Some(walks) = &mut self.walks {
            others.iter().for_each(|other| walks.grow(dstate.0, other.0));
        }
    }

    /// A dstate is no more.
    pub(crate) fn fell(&mut self, dstate: DStateId) {
        self.tree.remove(dstate);
        if let Some(walks) = &mut self.walks {
            walks.remove(dstate.0);
        }
    }

    /// A state that can run and may: a random path through the splits, then the nodes in turn, then one
    /// of the node's states.
    pub(crate) fn pick(&mut self, rng: &mut Rng, may: &dyn Fn(StateId) -> bool) -> Option<StateId> {
        let dstate = self.tree.random(rng)?;
        self.pick_in(dstate, rng, may)
    }

    /// A state that can run and may in the dstate that a walk has come to, and whether the walk has begun
    /// there. `choice` tells which choice in an order has made a state.
    pub(crate) fn walk(
        &mut self,
        guide: &mut dyn WalkGuide,
        rng: &mut Rng,
        choice: &dyn Fn(StateId) -> Option<OrderChoice>,
        may: &dyn Fn(StateId) -> bool,
    ) -> Option<(StateId, bool)> {
        let MultiNodeUniverse { walks, dstates, sets, states, walked, .. } = self;
        let mut choice_of = |dstate: u32| {
            let set = dstates[dstate as usize].sets.get(walked.index())?;
            choice(states[sets[*set].members.first()?.state.index()].id)
        };
        let (dstate, is_new) = walks.as_mut()?.step(guide, &mut choice_of)?;
        let state = self.pick_in(DStateId(dstate), rng, may)?;
        self.walked = self.states[self.slot(state).index()].node;
        Some((state, is_new))
    }

    /// A state that can run and may: of a dstate, or of one that holds it back.
    fn pick_in(
        &mut self,
        mut dstate: DStateId,
        rng: &mut Rng,
        may: &dyn Fn(StateId) -> bool,
    ) -> Option<StateId> {
        self.tree.turn = (self.tree.turn + 1) % self.nodes;
        loop {
            let front = self.dstates[dstate.index()].front;
            let mut held_by = None;
            for i in 0..self.nodes {
                let node = (self.tree.turn + i) % self.nodes;
                let set = self.dstates[dstate.index()].sets[node as usize];
                if self.sets[set].front != front {
                    continue;
                }
                if let Some(state) = self.pick_runner(set, rng, may) {
                    return Some(state);
                }
                let members = &self.sets[set].members;
                let mut due = (0..members.len()).filter(|&i| self.wake_in(set, i) == front);
                let watch = |i: usize| self.states[members[i].state.index()].watch;
                held_by = held_by.or(due.find_map(watch));
            }
            dstate = held_by?;
        }
    }

    /// One of the states of a set that run and may; each is as likely as another.
    fn pick_runner(
        &mut self,
        set: StateSetId,
        rng: &mut Rng,
        may: &dyn Fn(StateId) -> bool,
    ) -> Option<StateId> {
        let mut waiting = Vec::new();
        let record = &mut self.sets[set];
        let mut chosen = None;
        while chosen.is_none() && !record.runners.is_empty() {
            let at = rng.below(record.runners.len() as u64) as usize;
            let slot = record.runners[at];
            let state = &self.states[slot.index()];
            if state.phase != StatePhase::Running || !state.sets.contains(&set) {
                record.runners.swap_remove(at);
            } else if may(state.id) {
                chosen = Some(state.id);
            } else {
                waiting.push(record.runners.swap_remove(at));
            }
        }
        record.runners.append(&mut waiting);
        chosen
    }
}
