//! The wakes of states, and the dstates that hold them back.
//!
//! A state may be activated at its wake when none of its dstates has a front before that. A state
//! that may not *watches* one dstate that is in the way, and is looked at again when that front
//! moves. The search for the next one in the way goes round in a circle, so between two activations
//! it looks at each dstate of the state about twice.

use std::hash::Hash;

use super::MultiNodeUniverse;
use super::table::{StatePhase, StateSetId, StateSlot};
use crate::{DStateId, Stamp, StateOwner};

impl<M: Clone + Eq + Hash> MultiNodeUniverse<M> {
    /// The stamp at which a member of a set is due; never if it has ended.
    pub(crate) fn wake_in(&self, set: StateSetId, member: usize) -> Stamp {
        let member = &self.sets[set].members[member];
        let state = &self.states[member.state.index()];
        match state.phase {
            StatePhase::Running => state.at,
            StatePhase::Blocked => {
                let arrival = member.pending.as_ref().map_or(Stamp::NEVER, |p| p.first());
                state.own.min(arrival)
            }
            StatePhase::Ended | StatePhase::Gone => Stamp::NEVER,
        }
    }

    /// Returns true if a member of a set waits for nothing that is known to come.
    pub(crate) fn is_stalled(&self, set: StateSetId, member: usize) -> bool {
        let phase = self.states[self.sets[set].members[member].state.index()].phase;
        phase == StatePhase::Blocked && self.wake_in(set, member) == Stamp::NEVER
    }

    /// Computes what a set knows about its members' wakes.
    pub(crate) fn measure(&mut self, set: StateSetId) {
        let (mut front, mut due, mut stalled, mut idle) = (Stamp::NEVER, 0, 0, 0);
        self.sets[set].runners.clear();
        for member in 0..self.sets[set].members.len() {
            let wake = self.wake_in(set, member);
            let slot = self.sets[set].members[member].state;
            if self.states[slot.index()].phase == StatePhase::Running {
                self.sets[set].runners.push(slot);
            }
            if wake < front {
                (front, due) = (wake, 1);
            } else if wake == front {
                due += 1;
            }
            stalled += u32::from(wake == Stamp::NEVER && self.is_stalled(set, member));
            idle += u32::from(self.grace_of(set, member).is_some());
        }
        let record = &mut self.sets[set];
        (record.front, record.due) = (front, due);
        (record.stalled, record.idle) = (stalled, idle);
        self.sets.renew(set);
    }

    /// A member of the set is done with the round at the set's front.
    pub(crate) fn done_in(&mut self, set: StateSetId) {
        self.sets[set].due -= 1;
        if self.sets[set].due == 0 {
            self.refront_set(set);
        }
    }

    /// Computes a set's front anew and tells its dstates if that has moved.
    pub(crate) fn refront_set(&mut self, set: StateSetId) {
        let old = self.sets[set].front;
        self.measure(set);
        let record = &mut self.sets[set];
        if record.front == old {
            return;
        }
        let node = record.node;
        let touches = std::mem::take(&mut record.sent) | std::mem::take(&mut record.ended);
        let newly_stalled = std::mem::take(&mut record.newly_stalled);
        let notable = std::mem::take(&mut record.notable);
        let mut dstates = std::mem::take(&mut record.dstates);
        if dstates.len() > record.live as usize {
            dstates.retain(|dstate| self.dstates[dstate.index()].has(node.index(), set));
        }
        for &dstate in &dstates {
            let record = &mut self.dstates[dstate.index()];
            record.newly_stalled |= newly_stalled;
            record.notable |= notable;
            if touches {
                record.touched.push(node);
            }
            if record.front == old {
                record.busy -= 1;
                if record.busy == 0 {
                    self.rounds.push_back(dstate);
                }
            }
        }
        self.sets[set].dstates = dstates;
    }

    /// Computes a dstate's front anew, and looks again at the states that it held back.
    pub(crate) fn refront(&mut self, dstate: DStateId) {
        let record = &self.dstates[dstate.index()];
        let (mut front, mut busy) = (Stamp::NEVER, 0);
        for node in &record.lively {
            let wake = self.sets[record.sets[node.index()]].front;
            if wake < front {
                (front, busy) = (wake, 1);
            } else if wake == front {
                busy += 1;
            }
        }
        self.move_front(dstate, front, busy);
    }

    /// Gives a dstate a front, which so many of its sets have, and looks again at the states that it held
    /// back.
    pub(crate) fn move_front(&mut self, dstate: DStateId, front: Stamp, busy: u32) {
        let record = &mut self.dstates[dstate.index()];
        (record.front, record.busy) = (front, busy);
        self.look_at_watchers(dstate);
    }

    /// The states that a dstate held back are looked at again.
    pub(crate) fn look_at_watchers(&mut self, dstate: DStateId) {
        for slot in std::mem::take(&mut self.dstates[dstate.index()].watchers) {
            let state = &mut self.states[slot.index()];
            if state.watch == Some(dstate) {
                state.watch = None;
                self.checks.push_back(slot);
            }
        }
    }

    /// All states of a dstate are looked at.
    pub(crate) fn check_members(&mut self, dstate: DStateId) {
        for &set in &self.dstates[dstate.index()].sets {
            self.checks.extend(self.sets[set].members.iter().map(|member| member.state));
        }
    }

    /// Activates a state if it is due and nothing holds it back.
    pub(crate) fn check<O: StateOwner<Message = M>>(&mut self, owner: &mut O, slot: StateSlot) {
        let state = &self.states[slot.index()];
        if state.phase != StatePhase::Blocked {
            return;
        }
        if state.stale {
            let wake = self.earliest(slot);
            let state = &mut self.states[slot.index()];
            (state.wake, state.stale) = (wake, false);
        }
        if self.states[slot.index()].wake == Stamp::NEVER {
            return;
        }
        match self.held_by(slot) {
            None => {
                self.states[slot.index()].watch = None;
                self.activate(owner, slot);
            }
            Some(dstate) => {
                if self.states[slot.index()].watch != Some(dstate) {
                    self.states[slot.index()].watch = Some(dstate);
                    self.dstates[dstate.index()].watchers.push(slot);
                }
            }
        }
    }

    fn earliest(&self, slot: StateSlot) -> Stamp {
        let state = &self.states[slot.index()];
        state.sets.iter().fold(state.own, |wake, &set| {
            let member = self.sets[set].position(slot).expect("a state is in its sets");
            wake.min(self.wake_in(set, member))
        })
    }

    /// A dstate of the state whose front is before the state's wake.
    fn held_by(&mut self, slot: StateSlot) -> Option<DStateId> {
        let state = &self.states[slot.index()];
        let wake = state.wake;
        let (first_set, first_dstate) = (state.cursor.0 as usize, state.cursor.1 as usize);
        let sets = state.sets.len();
        // The set where the search begins is looked at twice: its tail first, its head last.
        for i in 0..=sets {
            let at = (first_set + i) % sets;
            let record = &self.sets[state.sets[at]];
            let tail = first_dstate.min(record.dstates.len());
            let range = if i == 0 {
                tail..record.dstates.len()
            } else if i == sets {
                0..tail
            } else {
                0..record.dstates.len()
            };
            for j in range {
                let dstate = record.dstates[j];
                let candidate = &self.dstates[dstate.index()];
                if candidate.front < wake && candidate.has(record.node.index(), state.sets[at]) {
                    self.states[slot.index()].cursor = (at as u32, j as u32);
                    return Some(dstate);
                }
            }
        }
        None
    }
}
