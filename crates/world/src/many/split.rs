//! Giving worlds away: some of the dstates become a universe of their own.
//!
//! States that are in dstates of both sides are in both universes then, under one number, and the
//! embedder sees to it that both have them ([`crate::Twins`]). Everything else is in one of them.

use std::hash::Hash;

use everett_base::Map;

use super::Many;
use super::table::{DState, Member, Phase, SetId, Slot};
use crate::{DStateId, StateId};

impl<E: Clone + Eq + Hash> Many<E> {
    /// About half of the dstates, as a universe of their own, and the states that both have; none if
    /// there are no two. Neither is settled.
    pub(crate) fn split_off(&mut self) -> Option<(Many<E>, Vec<StateId>)> {
        debug_assert!(self.changes.is_empty() && self.rounds.is_empty());
        // Dstates that parted last are neighbours, and have the most in common.
        let mut chosen = self.tree.dstates();
        chosen.drain(..chosen.len().div_ceil(2));
        (!chosen.is_empty()).then(|| self.give_away(&chosen))
    }

    fn give_away(&mut self, chosen: &[DStateId]) -> (Many<E>, Vec<StateId>) {
        let mut other = Many::new(self.nodes, self.options);
        other.report_final = self.report_final;
        // Activations are told apart by numbers that neither side has used.
        other.serial = self.serial;
        let mut sets: Map<SetId, SetId> = Map::default();
        let mut states: Map<Slot, Slot> = Map::default();
        for &dstate in chosen {
            let mut record = self.take_dstate(dstate);
            for set in &mut record.sets {
                let old = *set;
                self.sets[old].live -= 1;
                *set =
                    *sets.entry(old).or_insert_with(|| self.copy_set(old, &mut other, &mut states));
            }
            let new = DStateId::from_index(other.dstates.len());
            for &set in &record.sets {
                other.sets.attach(set, new);
            }
            other.dstates.push(record);
            other.tree.plant(new);
        }
        other.counts.dstates = chosen.len() as u64;
        other.counts.dstates_peak = other.counts.dstates;
        for &set in sets.keys() {
            if self.sets[set].live == 0 {
                self.forsake(set);
            }
        }
        let mut both = Vec::new();
        for &slot in states.keys() {
            let state = &mut self.states[slot.index()];
            if state.sets.is_empty() {
                self.slots.remove(&state.id);
                state.phase = Phase::Gone;
                state.sent = None;
                self.free_states.push(slot);
            } else {
                both.push(state.id);
            }
        }
        both.sort_unstable();
        for slot in (0..other.states.len()).map(Slot::from_index) {
            other.slots.insert(other.states[slot.index()].id, slot);
            other.checks.push_back(slot);
        }
        (other, both)
    }

    /// Takes a dstate out; nobody is held back by it any more.
    fn take_dstate(&mut self, dstate: DStateId) -> DState {
        self.look_at_watchers(dstate);
        let gone = DState::new(Box::default());
        let record = std::mem::replace(&mut self.dstates[dstate.index()], gone);
        self.limbo.push(dstate);
        self.counts.dstates -= 1;
        self.tree.remove(dstate);
        record
    }

    /// Copies a set and its states, as far as they are new, to another universe.
    fn copy_set(&self, set: SetId, other: &mut Many<E>, states: &mut Map<Slot, Slot>) -> SetId {
        let record = &self.sets[set];
        let mut members: Vec<Member<E>> = Vec::with_capacity(record.members.len());
        for Member { state, pending } in &record.members {
            let slot = *states.entry(*state).or_insert_with(|| {
                other.states.push(self.states[state.index()].twin());
                Slot::from_index(other.states.len() - 1)
            });
            members.push(Member { state: slot, pending: pending.clone() });
        }
        members.sort_by_key(|member| member.state);
        let copy = other.sets.adopt(record.with(members));
        for member in &other.sets[copy].members {
            other.states[member.state.index()].sets.push(copy);
        }
        copy
    }

    /// Removes a set whose dstates are all elsewhere now.
    fn forsake(&mut self, set: SetId) {
        for member in self.sets.take(set).members {
            let state = &mut self.states[member.state.index()];
            state.sets.retain(|other| *other != set);
            state.stale = true;
            self.checks.push_back(member.state);
        }
    }
}
