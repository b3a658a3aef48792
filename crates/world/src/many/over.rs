//! What is over: final dstates, states with only final worlds, deadlocks; and worlds that are asked
//! for.

use std::hash::Hash;

use super::Many;
use super::table::SetId;
use crate::joint::{self, Choices};
use crate::{Change, DStateId, Gone, Host, NodeId, Stamp, StateId};

impl<E: Clone + Eq + Hash> Many<E> {
    /// Goes on with a dstate whose round is over and delivered.
    pub(crate) fn advance<H: Host<Event = E>>(&mut self, host: &mut H, dstate: DStateId) {
        let record = &mut self.dstates[dstate.index()];
        let newly_stalled = std::mem::take(&mut record.newly_stalled);
        let (sets, table) = (&record.sets, &self.sets);
        record.lively.retain(|node| table[sets[node.index()]].front < Stamp::NEVER);
        // In the sets of all other nodes there are only stalled states.
        let everyone = record.lively.iter().all(|node| table[sets[node.index()]].stalled > 0);
        let (first, lively) = (record.lively.first().copied(), record.lively.len());
        if self.options.detect_stalled && newly_stalled && everyone {
            self.report_deadlocks(host, dstate);
        }
        let Some(node) = first else {
            let why = self.count_final(host, dstate, None);
            self.remove_dstate(dstate, why);
            return;
        };
        if self.options.detect_stalled && lively == 1 && everyone {
            self.retire_stalled(host, dstate, node);
        }
        self.refront(dstate);
    }

    /// Takes the stalled states of the only node that goes on out of a dstate: their worlds in it
    /// are over.
    fn retire_stalled<H: Host<Event = E>>(&mut self, host: &mut H, dstate: DStateId, node: NodeId) {
        let set = self.dstates[dstate.index()].sets[node.index()];
        let why = self.count_final(host, dstate, Some((node, self.stalled_states(set))));
        // The states of all others were in these worlds, too.
        for other in (0..self.nodes).map(NodeId).filter(|other| *other != node) {
            let set = self.dstates[dstate.index()].sets[other.index()];
            self.note_why(set, why);
        }
        let members = self.sets[set].members.iter().enumerate();
        let members = members.filter(|(i, _)| !self.is_stalled(set, *i));
        let members = members.map(|(_, member)| member.clone()).collect();
        self.shrink(dstate, node, members, why);
    }

    /// Counts the worlds of a dstate, if `only` is given those with these states of its node. Says what
    /// that means for the states: combinations that all contradict themselves are no worlds.
    fn count_final<H: Host<Event = E>>(
        &mut self,
        host: &mut H,
        dstate: DStateId,
        only: Option<(NodeId, Vec<StateId>)>,
    ) -> Gone {
        if host.examines_ends() {
            let only = only.as_ref().map(|(node, states)| (*node, &states[..]));
            self.examine_end(host, dstate, only);
        }
        let components = self.components(host, dstate);
        let (worlds, capped);
        if components.is_empty() && !self.report_final {
            let sizes = self.dstates[dstate.index()].sets.iter().enumerate().map(|(node, &set)| {
                let only = only.as_ref().filter(|(other, _)| other.index() == node);
                only.map_or(self.sets[set].members.len(), |(_, states)| states.len())
            });
            (worlds, capped) = joint::product(sizes);
        } else {
            let mut choices = self.choices(dstate);
            if let Some((node, states)) = only {
                choices[node.index()] = states;
            }
            let checks = &mut self.counts.joint_checks;
            let cap = self.options.world_cap;
            (worlds, capped) = joint::count(host, &choices, &components, cap, checks);
            if self.report_final {
                self.changes.push(Change::Final { dstate, members: choices });
            }
        }
        self.counts.final_worlds = self.counts.final_worlds.saturating_add(worlds);
        self.counts.capped |= capped;
        if worlds > 0 { Gone::Over } else { Gone::Separated }
    }

    fn report_deadlocks<H: Host<Event = E>>(&mut self, host: &mut H, dstate: DStateId) {
        let sets = self.dstates[dstate.index()].sets.clone();
        let mut choices: Choices = sets.iter().map(|&set| self.stalled_states(set)).collect();
        let components = self.components(host, dstate);
        for node in 0..sets.len() {
            let stalled = choices[node].clone();
            for &state in &stalled {
                let slot = self.slot(state);
                if self.states[slot.index()].reported || !host.waits(state) {
                    continue;
                }
                choices[node] = vec![state];
                let checks = &mut self.counts.joint_checks;
                if let Some(world) = joint::first(host, &choices, &components, checks) {
                    self.states[slot.index()].reported = true;
                    self.changes.push(Change::Deadlock { state, world });
                }
            }
            choices[node] = stalled;
        }
    }

    fn stalled_states(&self, set: SetId) -> Vec<StateId> {
        let members = self.sets[set].members.iter().enumerate();
        let stalled = members.filter(|(i, _)| self.is_stalled(set, *i));
        stalled.map(|(_, member)| self.states[member.state.index()].id).collect()
    }

    /// The states of a dstate, by node.
    pub(crate) fn choices(&self, dstate: DStateId) -> Choices {
        let sets = self.dstates[dstate.index()].sets.iter();
        let members = sets.map(|&set| self.sets[set].members.iter());
        let id = |slot: usize| self.states[slot].id;
        members.map(|members| members.map(|member| id(member.state.index())).collect()).collect()
    }

    /// The nodes of a dstate whose states depend on those of other nodes, by component.
    fn components<H: Host<Event = E>>(
        &mut self,
        host: &mut H,
        dstate: DStateId,
    ) -> Vec<Vec<usize>> {
        self.find_symbols(host, dstate);
        let sets = self.dstates[dstate.index()].sets.iter();
        joint::components(sets.map(|&set| self.sets[set].symbols.as_deref().unwrap_or(&[])))
    }

    /// Sees to it that the symbols of a dstate's sets are known.
    pub(crate) fn find_symbols<H: Host<Event = E>>(&mut self, host: &mut H, dstate: DStateId) {
        for node in 0..self.nodes as usize {
            let set = self.dstates[dstate.index()].sets[node];
            if self.sets[set].symbols.is_none() {
                let members = self.sets[set].members.iter();
                let ids = members.map(|member| self.states[member.state.index()].id);
                let mut symbols: Vec<u32> = ids.flat_map(|state| host.symbols(state)).collect();
                symbols.sort_unstable();
                symbols.dedup();
                self.sets[set].symbols = Some(symbols.into());
            }
        }
    }

    /// One world that contains a state, by node.
    pub(crate) fn world_with<H: Host<Event = E>>(
        &mut self,
        host: &mut H,
        state: StateId,
    ) -> Option<Vec<StateId>> {
        let slot = *self.slots.get(&state)?;
        let node = self.states[slot.index()].node.index();
        for set in self.states[slot.index()].sets.clone() {
            for dstate in self.live_dstates(set) {
                let mut choices = self.choices(dstate);
                choices[node] = vec![state];
                // Running states may have got new symbols since they were asked last.
                for &set in &self.dstates[dstate.index()].sets.clone() {
                    if self.sets[set].due > 0 {
                        self.sets[set].symbols = None;
                    }
                }
                let components = self.components(host, dstate);
                let checks = &mut self.counts.joint_checks;
                let world = joint::first(host, &choices, &components, checks);
                if world.is_some() {
                    return world;
                }
            }
        }
        None
    }

    /// All worlds that are not over, but at most `limit`, by node.
    pub(crate) fn worlds<H: Host<Event = E>>(
        &mut self,
        host: &mut H,
        limit: usize,
    ) -> Vec<Vec<StateId>> {
        let mut worlds = Vec::new();
        for dstate in 0..self.dstates.len() {
            if self.dstates[dstate].alive {
                let choices = self.choices(DStateId::from_index(dstate));
                let checks = &mut self.counts.joint_checks;
                worlds.extend(joint::all(host, &choices, limit - worlds.len(), checks));
            }
        }
        worlds
    }
}
