//! Giving worlds away: some of the dstates become a universe of their own.
//!
//! States that are in dstates of both sides are in both universes then, under one number, and the
//! embedder sees to it that both have them ([`crate::SharedStateTable`]). Everything else is in one of them.

use std::hash::Hash;

use everett_base::{Map, Set};

use super::MultiNodeUniverse;
use super::table::{DState, SetMember, StatePhase, StateSetId, StateSlot};
use crate::{DStateId, MappingKind, NodeId, RemovalReason, SplitWishes, StateId};

impl<M: Clone + Eq + Hash> MultiNodeUniverse<M> {
    /// Splits as many of the dstates off as wished, as a universe of their own, and lists the states that
    /// both have; none if there is one world, or the wishes cannot be met. Neither universe is settled.
    pub(crate) fn split_off(
        &mut self,
        wishes: &SplitWishes<'_>,
    ) -> Option<(MultiNodeUniverse<M>, Vec<StateId>)> {
        debug_assert!(self.changes.is_empty() && self.rounds.is_empty());
        let chosen = match self.tree.dstates() {
            only if only.len() == 1 => vec![self.cut(only[0], wishes)?],
            all => self.choose(all, wishes)?,
        };
        Some(self.give_away(&chosen))
    }

    /// The share of several dstates that is wished for, such that the wishes are met.
    fn choose(&self, mut all: Vec<DStateId>, wishes: &SplitWishes<'_>) -> Option<Vec<DStateId>> {
        // Dstates that parted last are neighbours, and have the most in common.
        let given = (all.len() / wishes.one_of).max(1).min(all.len());
        all.drain(..all.len() - given);
        self.hold_back(&mut all, wishes.stay);
        let any = wishes.most_shared == usize::MAX;
        (!all.is_empty() && (any || self.shared_with(&all) <= wishes.most_shared)).then_some(all)
    }

    /// The number of states of these dstates that are in others as well.
    fn shared_with(&self, chosen: &[DStateId]) -> usize {
        let mut given: Map<StateSetId, u32> = Map::default();
        for dstate in chosen {
            for &set in &self.dstates[dstate.index()].sets {
                *given.entry(set).or_insert(0) += 1;
            }
        }
        let stays = |set: &StateSetId| self.sets[*set].live > given.get(set).copied().unwrap_or(0);
        let members = given.keys().flat_map(|&set| &self.sets[set].members);
        let shared: Set<StateSlot> = members
            .map(|member| member.state)
            .filter(|state| self.states[state.index()].sets.iter().any(stays))
            .collect();
        shared.len()
    }

    /// Leaves a dstate of each of these states out of the chosen ones, if all of them were chosen.
    fn hold_back(&self, chosen: &mut Vec<DStateId>, stay: &[StateId]) {
        if stay.is_empty() {
            return;
        }
        let mut given: Set<DStateId> = chosen.iter().copied().collect();
        for state in stay.iter().filter_map(|state| self.slots.get(state)) {
            let state = &self.states[state.index()];
            let node = state.node.index();
            let dstates = |&set: &StateSetId| {
                let all = self.sets[set].dstates.iter().copied();
                all.filter(move |dstate| self.dstates[dstate.index()].has(node, set))
            };
            let mut of_state = state.sets.iter().flat_map(dstates);
            if let Some(first) = of_state.next()
                && given.contains(&first)
                && of_state.all(|dstate| given.contains(&dstate))
            {
                given.remove(&first);
            }
        }
        chosen.retain(|dstate| given.contains(dstate));
    }

    /// Makes two dstates of one, such that the wishes are met: of the node that has the most states, each
    /// gets half.
    fn cut(&mut self, dstate: DStateId, wishes: &SplitWishes<'_>) -> Option<DStateId> {
        // The other mappings would have to copy the states of all other nodes.
        if self.options.mapping != MappingKind::Sds {
            return None;
        }
        let mut sets = self.dstates[dstate.index()].sets.clone();
        let node = (0..sets.len()).rev().max_by_key(|&node| self.sets[sets[node]].members.len())?;
        let old = &self.sets[sets[node]];
        let (touches, stalled, notable) = (old.sent | old.ended, old.newly_stalled, old.notable);
        let stay: Set<StateId> = wishes.stay.iter().copied().collect();
        let stays = |member: &SetMember<M>| stay.contains(&self.states[member.state.index()].id);
        let (mut mine, mut theirs) = (Vec::new(), Vec::new());
        for member in &old.members {
            let half =
                if mine.len() > theirs.len() && !stays(member) { &mut theirs } else { &mut mine };
            half.push(member.clone());
        }
        if theirs.is_empty() || self.slots.len() - old.members.len() > wishes.most_shared {
            return None;
        }
        let node = NodeId::from_index(node);
        let (mine, theirs) = (self.set_of(node, mine), self.set_of(node, theirs));
        sets[node.index()] = theirs;
        let second = self.add_dstate(sets);
        self.counts.splits += 1;
        self.replace_set(dstate, node, mine, RemovalReason::Separated);
        self.grow(dstate, &[second]);
        let old = &mut self.dstates[dstate.index()];
        old.newly_stalled |= stalled;
        old.notable |= notable;
        if touches {
            old.touched.push(node);
        }
        let (front, touched) = (old.front, old.touched.clone());
        let (newly_stalled, notable) = (old.newly_stalled, old.notable);
        for dstate in [dstate, second] {
            let record = &mut self.dstates[dstate.index()];
            let due = |set: &&StateSetId| self.sets[**set].front == front;
            record.busy = record.sets.iter().filter(due).count() as u32;
            (record.front, record.touched) = (front, touched.clone());
            (record.newly_stalled, record.notable) = (newly_stalled, notable);
        }
        Some(second)
    }

    fn give_away(&mut self, chosen: &[DStateId]) -> (MultiNodeUniverse<M>, Vec<StateId>) {
        let mut other = MultiNodeUniverse::new(self.nodes, self.options);
        other.report_final = self.report_final;
        // Activations are told apart by numbers that neither side has used.
        other.serial = self.serial;
        let mut sets: Map<StateSetId, StateSetId> = Map::default();
        let mut states: Map<StateSlot, StateSlot> = Map::default();
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
        if let Some(walks) = &mut other.walks {
            (0..chosen.len()).for_each(|dstate| walks.plant(dstate as u32));
        }
        // One that was cut may be over on one side.
        let over = |dstate: &usize| self.dstates[*dstate].alive && self.dstates[*dstate].busy == 0;
        let over = (0..self.dstates.len()).filter(over).map(DStateId::from_index);
        self.rounds.extend(over);
        other.counts.dstates = chosen.len() as u64;
        other.counts.dstates_peak = other.counts.dstates;
        self.counts.dstates_peak = self.counts.dstates;
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
                state.phase = StatePhase::Gone;
                state.sent = None;
                self.free_states.push(slot);
            } else {
                both.push(state.id);
            }
        }
        both.sort_unstable();
        for slot in (0..other.states.len()).map(StateSlot::from_index) {
            other.slots.insert(other.states[slot.index()].id, slot);
            other.checks.push_back(slot);
        }
        (other, both)
    }

    /// Takes a dstate out, so that it holds back no state any more.
    fn take_dstate(&mut self, dstate: DStateId) -> DState {
        self.look_at_watchers(dstate);
        let gone = DState::new(Box::default());
        let record = std::mem::replace(&mut self.dstates[dstate.index()], gone);
        self.limbo.push(dstate);
        self.counts.dstates -= 1;
        self.fell(dstate);
        record
    }

    /// Copies a set and its states, as far as they are new, to another universe.
    fn copy_set(
        &self,
        set: StateSetId,
        other: &mut MultiNodeUniverse<M>,
        states: &mut Map<StateSlot, StateSlot>,
    ) -> StateSetId {
        let record = &self.sets[set];
        let mut members: Vec<SetMember<M>> = Vec::with_capacity(record.members.len());
        for SetMember { state, pending } in &record.members {
            let slot = *states.entry(*state).or_insert_with(|| {
                other.states.push(self.states[state.index()].for_other_universe());
                StateSlot::from_index(other.states.len() - 1)
            });
            members.push(SetMember { state: slot, pending: pending.clone() });
        }
        members.sort_by_key(|member| member.state);
        let copy = other.sets.adopt(record.with(members));
        for i in 0..other.sets[copy].members.len() {
            let slot = other.sets[copy].members[i].state;
            let state = &mut other.states[slot.index()];
            state.sets.push(copy);
            if state.phase == StatePhase::Running {
                other.sets[copy].runners.push(slot);
            }
        }
        copy
    }

    /// Removes a set whose dstates are all elsewhere now.
    fn forsake(&mut self, set: StateSetId) {
        for member in self.sets.take(set).members {
            let state = &mut self.states[member.state.index()];
            state.sets.retain(|other| *other != set);
            state.stale = true;
            self.checks.push_back(member.state);
        }
    }
}
