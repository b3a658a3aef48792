//! Giving parts of a universe away: dstates that share no state with those that stay.

use std::hash::Hash;

use everett_base::{Map, Set};

use super::Many;
use super::table::{DState, Phase, SetId, Slot};
use crate::{Change, DStateId, StateId};

impl<E: Clone + Eq + Hash> Many<E> {
    /// About half of the dstates, as a universe of their own; none if all of them hang together.
    pub(crate) fn split_off(&mut self) -> Option<Many<E>> {
        if self.all_share_a_set() {
            return None;
        }
        let parts = self.parts_apart();
        let total: usize = parts.iter().map(Vec::len).sum();
        let mut chosen: Vec<DStateId> = Vec::new();
        // The first part always stays.
        for part in parts.into_iter().skip(1).rev() {
            if chosen.len() + part.len() <= total.div_ceil(2) {
                chosen.extend(part);
            }
        }
        if chosen.is_empty() {
            return None;
        }
        chosen.sort_unstable();
        Some(self.give_away(&chosen))
    }

    /// The dstates that hang together by states, each part sorted, parts by their first dstates.
    /// Looks at each dstate, set and state once, however many share it.
    fn parts_apart(&self) -> Vec<Vec<DStateId>> {
        let mut parts: Vec<Vec<DStateId>> = Vec::new();
        let mut seen = Seen { dstates: vec![false; self.dstates.len()], ..Seen::default() };
        for first in (0..self.dstates.len()).filter(|&d| self.dstates[d].alive) {
            if std::mem::replace(&mut seen.dstates[first], true) {
                continue;
            }
            let mut part = vec![DStateId::from_index(first)];
            let mut next = 0;
            while next < part.len() {
                self.add_neighbours(part[next], &mut seen, &mut part);
                next += 1;
            }
            part.sort_unstable();
            parts.push(part);
        }
        parts
    }

    /// Adds the dstates that have a state in common with this one, as far as they are new.
    fn add_neighbours(&self, dstate: DStateId, seen: &mut Seen, part: &mut Vec<DStateId>) {
        for &set in &self.dstates[dstate.index()].sets {
            if !seen.sets.insert(set) {
                continue;
            }
            for member in &self.sets[set].members {
                if !seen.states.insert(member.state) {
                    continue;
                }
                for &set in &self.states[member.state.index()].sets {
                    let node = self.sets[set].node.index();
                    for &other in &self.sets[set].dstates {
                        let is_there = self.dstates[other.index()].has(node, set);
                        if is_there && !std::mem::replace(&mut seen.dstates[other.index()], true) {
                            part.push(other);
                        }
                    }
                }
            }
        }
    }

    /// Whether some set is in all dstates, which is common and quickly seen.
    fn all_share_a_set(&self) -> bool {
        let Some(any) = self.dstates.iter().find(|dstate| dstate.alive) else { return true };
        any.sets.iter().any(|&set| u64::from(self.sets[set].live) == self.counts.dstates)
    }

    /// Moves dstates, with all their sets and states, to another universe.
    fn give_away(&mut self, chosen: &[DStateId]) -> Many<E> {
        let mut other = Many::new(self.nodes, self.options);
        other.report_final = self.report_final;
        let mut moved_dstates: Map<DStateId, DStateId> = Map::default();
        let mut moved_sets: Map<SetId, SetId> = Map::default();
        let mut moved_states: Map<Slot, Slot> = Map::default();
        for &dstate in chosen {
            let mut record = self.take_dstate(dstate);
            for set in &mut record.sets {
                *set = *moved_sets.entry(*set).or_insert_with(|| {
                    let mut record = self.sets.take(*set);
                    record.dstates.clear();
                    record.live = 0;
                    for member in &mut record.members {
                        let place = moved_states.entry(member.state);
                        member.state = *place.or_insert_with(|| {
                            other.states.push(self.take_state(member.state));
                            Slot::from_index(other.states.len() - 1)
                        });
                    }
                    record.members.sort_by_key(|member| member.state);
                    other.sets.put(record)
                });
            }
            let new = DStateId::from_index(other.dstates.len());
            moved_dstates.insert(dstate, new);
            for &set in &record.sets {
                other.sets.attach(set, new);
            }
            other.dstates.push(record);
            other.tree.plant(new);
        }
        for (slot, state) in other.states.iter_mut().enumerate() {
            other.slots.insert(state.id, Slot::from_index(slot));
            state.watch = state.watch.map(|dstate| moved_dstates[&dstate]);
            state.sets.iter_mut().for_each(|set| *set = moved_sets[set]);
        }
        for record in &mut other.dstates {
            record.watchers.retain(|slot| moved_states.contains_key(slot));
            record.watchers.iter_mut().for_each(|slot| *slot = moved_states[slot]);
        }
        // Activations are told apart by numbers that neither side has used.
        other.serial = self.serial;
        other.counts.dstates = chosen.len() as u64;
        other.counts.dstates_peak = other.counts.dstates;
        let (theirs, mine): (Vec<_>, Vec<_>) = self.changes.drain(..).partition(|change| {
            subject(change).is_some_and(|state| other.slots.contains_key(&state))
        });
        (self.changes, other.changes) = (mine, theirs);
        other
    }

    fn take_dstate(&mut self, dstate: DStateId) -> DState {
        let gone = DState::new(Box::default());
        let record = std::mem::replace(&mut self.dstates[dstate.index()], gone);
        self.limbo.push(dstate);
        self.counts.dstates -= 1;
        self.tree.remove(dstate);
        record
    }

    fn take_state(&mut self, slot: Slot) -> super::State<E> {
        let state = &mut self.states[slot.index()];
        let mut gone = super::State::new(state.id, state.node, state.own);
        gone.phase = Phase::Gone;
        self.slots.remove(&state.id);
        self.free_states.push(slot);
        std::mem::replace(state, gone)
    }
}

/// What a search for parts has been at.
#[derive(Default)]
struct Seen {
    dstates: Vec<bool>,
    sets: Set<SetId>,
    states: Set<Slot>,
}

/// The state that has to do something because of a change.
fn subject<E>(change: &Change<E>) -> Option<StateId> {
    match change {
        Change::Run { state, .. } | Change::Copied { state, .. } => Some(*state),
        Change::Gone { .. }
        | Change::Deadlock { .. }
        | Change::Noted { .. }
        | Change::Final { .. } => None,
    }
}
