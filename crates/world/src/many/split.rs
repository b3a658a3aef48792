//! Giving worlds away: some of the dstates become a universe of their own.
//!
//! States that are in dstates of both sides are in both universes then, under one number, and the
//! embedder sees to it that both have them ([`crate::Twins`]). Everything else is in one of them.

use std::hash::Hash;

use everett_base::Map;

use super::Many;
use super::table::{DState, Member, Phase, SetId, Slot};
use crate::{DStateId, Gone, MappingKind, NodeId, StateId};

impl<E: Clone + Eq + Hash> Many<E> {
    /// About half of the dstates, as a universe of their own, and the states that both have; none if
    /// there is one world. Neither is settled.
    pub(crate) fn split_off(&mut self) -> Option<(Many<E>, Vec<StateId>)> {
        debug_assert!(self.changes.is_empty() && self.rounds.is_empty());
        // Dstates that parted last are neighbours, and have the most in common.
        let mut chosen = self.tree.dstates();
        if let [only] = chosen[..] {
            chosen.extend(self.cut(only));
        }
        chosen.drain(..chosen.len().div_ceil(2));
        (!chosen.is_empty()).then(|| self.give_away(&chosen))
    }

    /// Makes two dstates of one: of the node that has the most states, each gets half.
    fn cut(&mut self, dstate: DStateId) -> Option<DStateId> {
        // The other mappings would have to copy the states of all other nodes.
        if self.options.mapping != MappingKind::Sds {
            return None;
        }
        let mut sets = self.dstates[dstate.index()].sets.clone();
        let node = (0..sets.len()).rev().max_by_key(|&node| self.sets[sets[node]].members.len())?;
        let old = &self.sets[sets[node]];
        if old.members.len() < 2 {
            return None;
        }
        let (touches, stalled, notable) = (old.sent | old.ended, old.newly_stalled, old.notable);
        let half = |rest: usize| -> Vec<Member<E>> {
            old.members.iter().skip(rest).step_by(2).cloned().collect()
        };
        let node = NodeId::from_index(node);
        let (mine, theirs) = (half(0), half(1));
        let (mine, theirs) = (self.set_of(node, mine), self.set_of(node, theirs));
        sets[node.index()] = theirs;
        let twin = self.add_dstate(sets);
        self.counts.splits += 1;
        self.replace_set(dstate, node, mine, Gone::Separated);
        self.grow(dstate, &[twin]);
        let old = &mut self.dstates[dstate.index()];
        old.newly_stalled |= stalled;
        old.notable |= notable;
        if touches {
            old.touched.push(node);
        }
        let (front, touched) = (old.front, old.touched.clone());
        let (newly_stalled, notable) = (old.newly_stalled, old.notable);
        for dstate in [dstate, twin] {
            let record = &mut self.dstates[dstate.index()];
            let due = |set: &&SetId| self.sets[**set].front == front;
            record.busy = record.sets.iter().filter(due).count() as u32;
            (record.front, record.touched) = (front, touched.clone());
            (record.newly_stalled, record.notable) = (newly_stalled, notable);
        }
        Some(twin)
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
            if record.busy == 0 {
                other.rounds.push_back(new);
            }
            for &set in &record.sets {
                other.sets.attach(set, new);
            }
            other.dstates.push(record);
        }
        other.tree.plant_all(chosen.len());
        // One that was cut may be over on one side.
        let over = |dstate: &usize| self.dstates[*dstate].alive && self.dstates[*dstate].busy == 0;
        let over = (0..self.dstates.len()).filter(over).map(DStateId::from_index);
        self.rounds.extend(over);
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
        for i in 0..other.sets[copy].members.len() {
            let slot = other.sets[copy].members[i].state;
            let state = &mut other.states[slot.index()];
            state.sets.push(copy);
            if state.phase == Phase::Running {
                other.sets[copy].runners.push(slot);
            }
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
