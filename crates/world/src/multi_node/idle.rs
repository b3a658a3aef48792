//! Worlds in which servers do nothing but follow their timers: they are over.
//!
//! A world is over when each of its states is at rest, nothing is under way, and the next timer passes
//! only after the grace since the last thing that happened in it. The states of a dstate have rested
//! for different times and wake at different times, so some of its combinations may be over and others not.
//! With a moment for which all graces are over and no timer has passed, the combinations that are over are
//! those of the states that say so each by itself: a choice of states for each such moment.

use std::hash::Hash;

use everett_base::{Map, Set};

use super::MultiNodeUniverse;
use super::examined::{sets_of, without};
use super::table::StateSetId;
use crate::idle::TimedEnd;
use crate::joint::StateChoices;
use crate::{DStateId, Stamp, StateId, StateOwner};

/// A state at rest, with the end of its grace and its next timer.
struct RestingState {
    state: StateId,
    grace_ends: u64,
    wake: Stamp,
}

impl RestingState {
    /// Returns true if it only waits for a timer at this moment.
    fn only_waits(&self, moment: u64) -> bool {
        self.grace_ends <= moment && self.wake.time > moment
    }

    /// Returns true if it wakes by itself.
    fn has_timer(&self) -> bool {
        self.wake < Stamp::NEVER
    }
}

impl<M: Clone + Eq + Hash> MultiNodeUniverse<M> {
    /// The end of the grace of a member of a set; none if it is not at rest, or something is on its way
    /// to it.
    pub(crate) fn grace_of(&self, set: StateSetId, member: usize) -> Option<u64> {
        let grace = self.options.grace?;
        let member = &self.sets[set].members[member];
        let state = &self.states[member.state.index()];
        let is_blocked =
            state.phase == super::table::StatePhase::Blocked && member.pending.is_none();
        is_blocked.then(|| state.idleness.grace_ends(state.own, grace)).flatten()
    }

    /// Returns true if in a world of a state another one goes on by itself, and is no server that only
    /// follows its timers. `works` says so of one to which nothing is on its way.
    pub(crate) fn goes_on_beside(&self, state: StateId, works: &dyn Fn(StateId) -> bool) -> bool {
        let Some(slot) = self.slots.get(&state) else { return false };
        let record = &self.states[slot.index()];
        let node = record.node.index();
        let mut dstates = record.sets.iter().flat_map(|&set| {
            let listed = self.sets[set].dstates.iter();
            listed.map(|dstate| &self.dstates[dstate.index()]).filter(move |d| d.has(node, set))
        });
        let mut known: Map<StateSetId, bool> = Map::default();
        dstates.any(|dstate| {
            let mut others = dstate.sets.iter().enumerate().filter(|(of, _)| *of != node);
            others.any(|(_, &set)| *known.entry(set).or_insert_with(|| self.goes_on(set, works)))
        })
    }

    /// The same of the members of a set.
    fn goes_on(&self, set: StateSetId, works: &dyn Fn(StateId) -> bool) -> bool {
        let mut members = self.sets[set].members.iter().enumerate();
        members.any(|(i, member)| {
            let state = &self.states[member.state.index()];
            let is_at_work = member.pending.is_some() || works(state.id);
            self.wake_in(set, i) < Stamp::NEVER && self.grace_of(set, i).is_none() && is_at_work
        })
    }

    /// Ends the worlds of a dstate in which there are only timers, after a round. If there are such worlds,
    /// it is replaced by the dstates that are left, which are returned. There are none if a set with a front
    /// has no state at rest.
    pub(crate) fn retire_idle<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        dstate: DStateId,
    ) -> Option<Vec<DStateId>> {
        self.options.grace?;
        let record = &self.dstates[dstate.index()];
        if record.lively.is_empty() || record.sets.iter().any(|&set| self.sets[set].idle == 0) {
            return None;
        }
        let resting: Vec<Vec<RestingState>> =
            record.sets.iter().map(|&set| self.resting(set)).collect();
        if !resting.iter().flatten().any(RestingState::has_timer) {
            return None;
        }
        let (mut rest, mut over) = (vec![self.choices(dstate)], Vec::new());
        for moment in moments(&resting) {
            let idle = |states: &Vec<RestingState>| -> Set<StateId> {
                let idle = states.iter().filter(|state| state.only_waits(moment));
                idle.map(|state| state.state).collect()
            };
            let idle: Vec<Set<StateId>> = resting.iter().map(idle).collect();
            let mut left = Vec::new();
            for choices in rest {
                let common = common(&choices, &idle);
                if common.iter().any(Vec::is_empty) || !has_timer(&resting, &common) {
                    left.push(choices);
                } else {
                    left.extend(without(choices, &idle));
                    over.push(common);
                }
            }
            rest = left;
        }
        if over.is_empty() {
            return None;
        }
        let first_over = rest.len();
        rest.extend(over);
        let mut parts = self.keep(owner, dstate, &rest).into_vec();
        for over in parts.split_off(first_over) {
            self.finish(owner, over, Some(TimedEnd::Idle));
        }
        Some(parts)
    }

    fn resting(&self, set: StateSetId) -> Vec<RestingState> {
        let members = self.sets[set].members.iter().enumerate();
        let resting = members.filter_map(|(i, member)| {
            let grace_ends = self.grace_of(set, i)?;
            let state = &self.states[member.state.index()];
            Some(RestingState { state: state.id, grace_ends, wake: state.own })
        });
        resting.collect()
    }
}

/// The moments at which worlds can turn out to be over, in order: ends of graces that come after one of
/// each node, and before the last timer of each node.
fn moments(resting: &[Vec<RestingState>]) -> Vec<u64> {
    let first = |states: &Vec<RestingState>| states.iter().map(|state| state.grace_ends).min();
    let last = |states: &Vec<RestingState>| states.iter().map(|state| state.wake.time).max();
    let least = resting.iter().filter_map(first).max().unwrap_or(u64::MAX);
    let most = resting.iter().filter_map(last).min().unwrap_or(0);
    let graces = resting.iter().flatten().map(|state| state.grace_ends);
    let mut moments: Vec<u64> = graces.filter(|end| (least..most).contains(end)).collect();
    moments.sort_unstable();
    moments.dedup();
    moments
}

/// By node, the chosen states that are idle, in their order.
fn common(choices: &StateChoices, idle: &[Set<StateId>]) -> StateChoices {
    let of_node = |(states, idle): (&Vec<StateId>, &Set<StateId>)| {
        states.iter().copied().filter(|state| idle.contains(state)).collect()
    };
    choices.iter().zip(idle).map(of_node).collect()
}

/// Returns true if some state of the chosen ones wakes by itself.
fn has_timer(resting: &[Vec<RestingState>], chosen: &StateChoices) -> bool {
    let chosen = sets_of(chosen);
    let mut pairs = resting.iter().zip(&chosen);
    pairs.any(|(states, chosen)| {
        states.iter().any(|state| state.has_timer() && chosen.contains(&state.state))
    })
}
