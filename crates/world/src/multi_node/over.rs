//! The ends of worlds: final dstates, states with only final worlds, deadlocks; and worlds that are asked
//! for.

use std::hash::Hash;

use everett_base::Set;

use super::MultiNodeUniverse;
use super::table::{SetMember, StateSetId};
use crate::idle::TimedEnd;
use crate::joint::{self, CombinationCount, CountGoal, StateChoices};
use crate::{DStateId, NodeId, RemovalReason, Stamp, StateId, StateOwner, UniverseChange};

/// States of one set whose chances are asked for when worlds are over: enough for an estimate.
const MOST_CHANCES_SUMMED: usize = 64;

/// What the sets of a dstate that have a front say about what comes next.
struct Outlook {
    /// The least front of the sets.
    front: Stamp,
    /// The number of sets that have that front.
    busy: u32,
    /// True if each set has a stalled state. The sets without a front have no others.
    may_be_stalled: bool,
    /// True if each set has a state at rest.
    may_be_idle: bool,
}

impl Outlook {
    /// The outlook of no sets.
    const EMPTY: Outlook =
        Outlook { front: Stamp::NEVER, busy: 0, may_be_stalled: true, may_be_idle: true };

    /// Adds a set with a front, which has stalled states or not, and states at rest or not.
    fn add(&mut self, front: Stamp, has_stalled: bool, has_idle: bool) {
        self.may_be_stalled &= has_stalled;
        self.may_be_idle &= has_idle;
        if front < self.front {
            (self.front, self.busy) = (front, 1);
        } else if front == self.front {
            self.busy += 1;
        }
    }
}

impl<M: Clone + Eq + Hash> MultiNodeUniverse<M> {
    /// Goes on with a dstate whose round is over and delivered.
    pub(crate) fn advance<O: StateOwner<Message = M>>(&mut self, owner: &mut O, dstate: DStateId) {
        let outlook = self.look_ahead(dstate);
        let rest = if outlook.may_be_idle { self.retire_idle(owner, dstate) } else { None };
        let Some(rest) = rest else { return self.go_on(owner, dstate, &outlook) };
        for dstate in rest {
            let outlook = self.look_ahead(dstate);
            self.go_on(owner, dstate, &outlook);
        }
    }

    /// Looks at all sets of a dstate that have a front. This is done at the end of each round, so it is done
    /// in one pass.
    fn look_ahead(&mut self, dstate: DStateId) -> Outlook {
        let record = &mut self.dstates[dstate.index()];
        let (sets, table) = (&record.sets, &self.sets);
        let mut outlook = Outlook::EMPTY;
        let mut has_others = false;
        for node in record.lively.as_slice() {
            let set = &table[sets[node.index()]];
            match set.front < Stamp::NEVER {
                true => outlook.add(set.front, set.stalled > 0, set.idle > 0),
                false => has_others = true,
            }
        }
        if has_others {
            record.lively.retain(|node| table[sets[node.index()]].front < Stamp::NEVER);
        }
        outlook
    }

    /// Goes on with a dstate without idle worlds: reports new deadlocks, and ends it if nothing is left to
    /// happen in it.
    fn go_on<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        dstate: DStateId,
        outlook: &Outlook,
    ) {
        let record = &mut self.dstates[dstate.index()];
        let newly_stalled = std::mem::take(&mut record.newly_stalled);
        let (first, lively) = (record.lively.first().copied(), record.lively.len());
        let may_be_stalled = self.options.detect_stalled && outlook.may_be_stalled;
        if may_be_stalled && newly_stalled {
            self.report_deadlocks(owner, dstate);
        }
        let Some(node) = first else {
            return self.finish(owner, dstate, None);
        };
        if self.options.horizon.is_some_and(|horizon| outlook.front.time > horizon) {
            return self.finish(owner, dstate, Some(TimedEnd::Horizon));
        }
        if may_be_stalled && lively == 1 {
            self.retire_stalled(owner, dstate, node);
            return self.refront(dstate);
        }
        self.move_front(dstate, outlook.front, outlook.busy);
    }

    /// Ends a dstate all of whose worlds are over.
    pub(crate) fn finish<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        dstate: DStateId,
        end: Option<TimedEnd>,
    ) {
        let over = self.count_final(owner, dstate, None);
        if let Some(end) = end {
            let timed = over.total - self.count_stalled(owner, dstate);
            let count = match end {
                TimedEnd::Idle => &mut self.counts.idle_worlds,
                TimedEnd::Horizon => &mut self.counts.horizon_worlds,
            };
            *count = count.saturating_add(timed);
        }
        self.separate(dstate, &over.unseen);
        self.remove_dstate(dstate, over.why(RemovalReason::Over));
    }

    /// The number of worlds of a dstate that wait only for what never comes.
    fn count_stalled<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        dstate: DStateId,
    ) -> u64 {
        let sets = self.dstates[dstate.index()].sets.clone();
        let choices: StateChoices = sets.iter().map(|&set| self.stalled_states(set)).collect();
        if choices.iter().any(Vec::is_empty) {
            return 0;
        }
        let components = self.components(owner, dstate);
        let checks = &mut self.counts.joint_checks;
        joint::count(owner, &choices, &components, CountGoal::All(self.options.world_cap), checks)
            .total
    }

    /// Takes the stalled states of the only node that goes on out of a dstate. All other nodes have stalled,
    /// so the worlds of these states in it are over.
    fn retire_stalled<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        dstate: DStateId,
        node: NodeId,
    ) {
        let set = self.dstates[dstate.index()].sets[node.index()];
        let stalled = self.stalled_states(set);
        let over = self.count_final(owner, dstate, Some((node, stalled.clone())));
        self.note_others(dstate, node, &over.unseen, over.why(RemovalReason::Over));
        let unseen = stalled.iter().copied().filter(|state| over.unseen.contains(state)).collect();
        self.separate(dstate, &unseen);
        let set = self.dstates[dstate.index()].sets[node.index()];
        let members = self.sets[set].members.iter().enumerate();
        let members = members.filter(|(i, _)| !self.is_stalled(set, *i));
        let members = members.map(|(_, member)| member.clone()).collect();
        self.shrink(dstate, node, members, over.why(RemovalReason::Over));
    }

    /// Notes that worlds with states of a node have come to an end. The states of other nodes were in them,
    /// too, except those that are `unseen`.
    pub(crate) fn note_others(
        &mut self,
        dstate: DStateId,
        node: NodeId,
        unseen: &Set<StateId>,
        why: RemovalReason,
    ) {
        for other in (0..self.nodes).map(NodeId).filter(|other| *other != node) {
            let set = self.dstates[dstate.index()].sets[other.index()];
            if unseen.is_empty() {
                self.note_why(set, why);
                continue;
            }
            for member in &self.sets[set].members {
                let state = &mut self.states[member.state.index()];
                if !unseen.contains(&state.id) {
                    state.why = state.why.max(why);
                }
            }
        }
    }

    /// Takes states out of a dstate that are in none of its worlds, as long as each node has others.
    pub(crate) fn separate(&mut self, dstate: DStateId, states: &Set<StateId>) {
        if states.is_empty() {
            return;
        }
        for node in (0..self.nodes).map(NodeId) {
            let set = self.dstates[dstate.index()].sets[node.index()];
            let stays = |member: &&SetMember<M>| {
                let id = self.states[member.state.index()].id;
                !states.contains(&id)
            };
            let old = &self.sets[set].members;
            let members: Vec<SetMember<M>> = old.iter().filter(stays).cloned().collect();
            if members.len() < old.len() && !members.is_empty() {
                self.shrink(dstate, node, members, RemovalReason::Separated);
            }
        }
    }

    /// Counts the worlds of a dstate; if `only` is given, those with these states of its node.
    fn count_final<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        dstate: DStateId,
        only: Option<(NodeId, Vec<StateId>)>,
    ) -> CombinationCount {
        if owner.examines_ends() {
            let only = only.as_ref().map(|(node, states)| (*node, &states[..]));
            self.examine_end(owner, dstate, only);
        }
        let components = self.components(owner, dstate);
        let of_node = only.clone();
        let over;
        if components.is_empty() && !self.report_final {
            let sizes = self.dstates[dstate.index()].sets.iter().enumerate().map(|(node, &set)| {
                let only = only.as_ref().filter(|(other, _)| other.index() == node);
                only.map_or(self.sets[set].members.len(), |(_, states)| states.len())
            });
            let (total, capped) = joint::product(sizes);
            over = CombinationCount { total, capped, ..CombinationCount::default() };
        } else {
            let mut choices = self.choices(dstate);
            if let Some((node, states)) = only {
                choices[node.index()] = states;
            }
            let checks = &mut self.counts.joint_checks;
            let want = CountGoal::All(self.options.world_cap);
            over = joint::count(owner, &choices, &components, want, checks);
            if self.report_final {
                let sets = self.dstates[dstate.index()].sets.iter();
                let stalled = sets.map(|&set| self.stalled_states(set)).collect();
                self.changes.push(UniverseChange::Final { dstate, members: choices, stalled });
            }
        }
        self.note_explored(owner, dstate, of_node.as_ref(), &over);
        self.counts.final_worlds = self.counts.final_worlds.saturating_add(over.total);
        self.counts.capped |= over.capped;
        over
    }

    /// Counts the worlds of a dstate with states of a node that have ended, until each state was seen in one.
    pub(crate) fn count_ended<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        dstate: DStateId,
        node: NodeId,
        ended: Vec<StateId>,
    ) -> CombinationCount {
        let components = self.components(owner, dstate);
        let only = (node, ended);
        let all = CombinationCount { total: u64::MAX, ..CombinationCount::default() };
        self.note_explored(owner, dstate, Some(&only), &all);
        if components.is_empty() {
            return CombinationCount { total: 1, ..CombinationCount::default() };
        }
        let mut choices = self.choices(dstate);
        choices[node.index()] = only.1;
        let checks = &mut self.counts.joint_checks;
        joint::count(
            owner,
            &choices,
            &components,
            CountGoal::EachState(self.options.world_cap),
            checks,
        )
    }

    /// Adds the chances of the worlds of a dstate, or of those with some states of a node. Where not all
    /// combinations are worlds, those that are get their share of the chances.
    fn note_explored<O: StateOwner<Message = M>>(
        &mut self,
        owner: &O,
        dstate: DStateId,
        only: Option<&(NodeId, Vec<StateId>)>,
        worlds: &CombinationCount,
    ) {
        let (mut chance, mut combinations) = (1.0, 1.0);
        for (node, set) in self.dstates[dstate.index()].sets.iter().enumerate() {
            let some = only.filter(|(other, _)| other.index() == node);
            let members = &self.sets[*set].members;
            let count = some.map_or(members.len(), |(_, states)| states.len());
            // The others of a large set are taken to be like those that are asked for.
            let asked = count.min(MOST_CHANCES_SUMMED);
            let state = |i: usize| match some {
                Some((_, states)) => states[i * count / asked],
                None => self.states[members[i * count / asked].state.index()].id,
            };
            let sum: f64 = (0..asked).map(|i| owner.chance(state(i))).sum();
            chance *= sum * count as f64 / asked.max(1) as f64;
            combinations *= count as f64;
        }
        let share = (worlds.total as f64 / combinations.max(1.0)).min(1.0);
        self.explored += chance * share;
        self.counts.explored = self.explored as f32;
    }

    fn report_deadlocks<O: StateOwner<Message = M>>(&mut self, owner: &mut O, dstate: DStateId) {
        let sets = self.dstates[dstate.index()].sets.clone();
        let mut choices: StateChoices = sets.iter().map(|&set| self.stalled_states(set)).collect();
        let components = self.components(owner, dstate);
        for node in 0..sets.len() {
            let stalled = choices[node].clone();
            for &state in &stalled {
                let slot = self.slot(state);
                if self.states[slot.index()].reported || !owner.waits(state) {
                    continue;
                }
                choices[node] = vec![state];
                let checks = &mut self.counts.joint_checks;
                if let Some(world) = joint::first(owner, &choices, &components, checks) {
                    self.states[slot.index()].reported = true;
                    self.changes.push(UniverseChange::Deadlock { state, world });
                }
            }
            choices[node] = stalled;
        }
    }

    fn stalled_states(&self, set: StateSetId) -> Vec<StateId> {
        let members = self.sets[set].members.iter().enumerate();
        let stalled = members.filter(|(i, _)| self.is_stalled(set, *i));
        stalled.map(|(_, member)| self.states[member.state.index()].id).collect()
    }

    /// The states of a dstate, by node.
    pub(crate) fn choices(&self, dstate: DStateId) -> StateChoices {
        let sets = self.dstates[dstate.index()].sets.iter();
        let members = sets.map(|&set| self.sets[set].members.iter());
        let id = |slot: usize| self.states[slot].id;
        members.map(|members| members.map(|member| id(member.state.index())).collect()).collect()
    }

    /// The nodes of a dstate whose states depend on those of other nodes, by component.
    fn components<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        dstate: DStateId,
    ) -> Vec<Vec<usize>> {
        self.find_symbols(owner, dstate);
        let sets = self.dstates[dstate.index()].sets.iter();
        joint::components(sets.map(|&set| self.sets[set].symbols.as_deref().unwrap_or(&[])))
    }

    /// Asks for the symbols of those sets of a dstate whose symbols are not known.
    pub(crate) fn find_symbols<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        dstate: DStateId,
    ) {
        for node in 0..self.nodes as usize {
            let set = self.dstates[dstate.index()].sets[node];
            if self.sets[set].symbols.is_none() {
                let members = self.sets[set].members.iter();
                let ids = members.map(|member| self.states[member.state.index()].id);
                let mut symbols: Vec<u32> = ids.flat_map(|state| owner.symbols(state)).collect();
                symbols.sort_unstable();
                symbols.dedup();
                self.sets[set].symbols = Some(symbols.into());
            }
        }
    }

    /// One world that contains a state, by node.
    pub(crate) fn world_with<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
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
                let components = self.components(owner, dstate);
                let checks = &mut self.counts.joint_checks;
                let world = joint::first(owner, &choices, &components, checks);
                if world.is_some() {
                    return world;
                }
            }
        }
        None
    }

    /// All worlds that are not over, but at most `limit`, by node.
    pub(crate) fn worlds<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        limit: usize,
    ) -> Vec<Vec<StateId>> {
        let mut worlds = Vec::new();
        for dstate in 0..self.dstates.len() {
            if self.dstates[dstate].alive {
                let choices = self.choices(DStateId::from_index(dstate));
                let checks = &mut self.counts.joint_checks;
                worlds.extend(joint::all(owner, &choices, limit - worlds.len(), checks));
            }
        }
        worlds
    }
}

impl CombinationCount {
    /// The reason why states of these combinations are in no world any more, if the combinations end for the
    /// given reason: those that all contradict themselves were no worlds.
    pub(crate) fn why(&self, reason: RemovalReason) -> RemovalReason {
        if self.total > 0 { reason } else { RemovalReason::Separated }
    }
}
