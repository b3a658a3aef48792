//! The end of a dstate's round: who ended leaves, what was sent is delivered, and states that sent
//! different things part.
//!
//! Dstates share sets, so the same senders and receivers meet in many of them. What came of that
//! is kept by the versions of the sets (`delivery.rs`), and most dstates only look it up.

use std::hash::Hash;
use std::sync::Arc;

use smallvec::SmallVec;

use super::MultiNodeUniverse;
use super::delivery::{SenderGroup, SendingStates};
use super::table::{SetMember, StatePhase, StateSetId};
use crate::mapping::{DStatePart, Mapping, with_mapping};
use crate::{DStateId, NodeId, RemovalReason, StateOwner};

impl<M: Clone + Eq + Hash> MultiNodeUniverse<M> {
    /// Ends the round of a dstate all of whose states are done with it.
    pub(crate) fn end_round<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        dstate: DStateId,
    ) {
        let record = &mut self.dstates[dstate.index()];
        if !record.alive || record.busy > 0 {
            return;
        }
        let mut touched = std::mem::take(&mut record.touched);
        touched.sort_unstable();
        touched.dedup();
        if std::mem::take(&mut self.dstates[dstate.index()].notable)
            && let Some(rest) = self.examine(owner, dstate)
        {
            // What is left of it ends its round instead.
            for dstate in rest {
                self.dstates[dstate.index()].touched = touched.clone();
                self.end_round(owner, dstate);
            }
            return;
        }
        if !self.let_ended_leave(owner, dstate, &touched) {
            return;
        }
        let mut senders: SmallVec<[Arc<SendingStates<M>>; 2]> = SmallVec::new();
        for &node in &touched {
            senders.extend(self.sender(owner, dstate, node));
        }
        if senders.is_empty() {
            self.advance(owner, dstate);
            return;
        }
        let mut parts = self.parts(owner, dstate, &senders);
        if parts.is_empty() {
            self.remove_dstate(dstate, RemovalReason::Separated);
            return;
        }
        if parts.len() > 1 {
            with_mapping!(self.options.mapping, mapping => {
                mapping.apart(self, owner, dstate, &mut parts);
            });
        }
        for dstate in self.replace_by(dstate, &parts) {
            self.advance(owner, dstate);
        }
    }

    /// Takes states that ended out of a dstate. False if that was the end of it.
    fn let_ended_leave<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        dstate: DStateId,
        touched: &[NodeId],
    ) -> bool {
        for &node in touched {
            let set = self.dstates[dstate.index()].sets[node.index()];
            let states = &self.states;
            let stays =
                |member: &SetMember<M>| states[member.state.index()].phase != StatePhase::Ended;
            let old = &self.sets[set].members;
            if old.is_empty() {
                self.remove_dstate(dstate, RemovalReason::Separated);
                return false;
            }
            if old.iter().all(stays) {
                continue;
            }
            let (members, ended): (Vec<_>, Vec<_>) = old.iter().cloned().partition(stays);
            let ended = ended.iter().map(|member| states[member.state.index()].id).collect();
            let over = self.count_ended(owner, dstate, node, ended);
            let why = over.why(RemovalReason::WorldEnded);
            if members.is_empty() {
                self.separate(dstate, &over.unseen);
                self.remove_dstate(dstate, why);
                return false;
            }
            self.shrink(dstate, node, members, why);
            self.note_others(dstate, node, &over.unseen, why);
        }
        true
    }

    /// Gives a dstate fewer states for a node.
    pub(crate) fn shrink(
        &mut self,
        dstate: DStateId,
        node: NodeId,
        members: Vec<SetMember<M>>,
        why: RemovalReason,
    ) {
        let set = self.dstates[dstate.index()].sets[node.index()];
        if self.sets[set].live > 1 {
            let smaller = self.set_of(node, members);
            for i in 0..self.sets[set].members.len() {
                let slot = self.sets[set].members[i].state;
                if self.sets[smaller].position(slot).is_none() {
                    let state = &mut self.states[slot.index()];
                    state.why = state.why.max(why);
                }
            }
            self.replace_set(dstate, node, smaller, RemovalReason::Separated);
            return;
        }
        self.sets.forget(set);
        let old = std::mem::replace(&mut self.sets[set].members, members);
        for member in old {
            if self.sets[set].position(member.state).is_none() {
                self.leave(member.state, set, why);
            }
        }
        self.measure(set);
    }

    /// One part for each combination of groups that has a state for every node.
    fn parts<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        dstate: DStateId,
        senders: &[Arc<SendingStates<M>>],
    ) -> SmallVec<[DStatePart; 1]> {
        let mut parts = SmallVec::new();
        let mut unused = Vec::new();
        let mut choice: SmallVec<[usize; 4]> = SmallVec::from_elem(0, senders.len());
        loop {
            let chosen: SmallVec<[(&SendingStates<M>, &SenderGroup<M>); 4]> = senders
                .iter()
                .zip(&choice)
                .map(|(sender, &i)| (&**sender, &sender.groups[i]))
                .collect();
            let mut part = DStatePart { changed: SmallVec::new() };
            if self.part(owner, dstate, &chosen, &mut part) {
                parts.push(part);
            } else {
                unused.extend(part.changed);
            }
            let more = (0..senders.len()).rfind(|&i| choice[i] + 1 < senders[i].groups.len());
            let Some(last) = more.filter(|_| !owner.is_over()) else { break };
            choice[last] += 1;
            choice[last + 1..].fill(0);
        }
        unused.sort_unstable();
        unused.dedup();
        for (_, set) in unused {
            let used = |part: &DStatePart| part.changed.iter().any(|&(_, other)| other == set);
            if !parts.iter().any(used) {
                self.drop_unused(set);
            }
        }
        parts
    }

    /// The worlds of a dstate in which these groups have sent what they sent. False if there are
    /// none, as a node has no state left.
    fn part<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        dstate: DStateId,
        chosen: &[(&SendingStates<M>, &SenderGroup<M>)],
        part: &mut DStatePart,
    ) -> bool {
        let mut nodes: SmallVec<[NodeId; 8]> = SmallVec::new();
        for (sender, group) in chosen {
            nodes.extend_from_slice(&group.to);
            nodes.extend((sender.groups.len() > 1).then_some(sender.node));
        }
        nodes.sort_unstable();
        nodes.dedup();
        for node in nodes {
            let old = self.dstates[dstate.index()].sets[node.index()];
            match self.delivered(owner, dstate, node, old, chosen) {
                Some(set) => part.changed.push((node, set)),
                None => return false,
            }
        }
        true
    }

    /// Puts parts in the place of a dstate; the first one keeps its name.
    pub(crate) fn replace_by(
        &mut self,
        dstate: DStateId,
        parts: &[DStatePart],
    ) -> SmallVec<[DStateId; 1]> {
        let newly_stalled = self.dstates[dstate.index()].newly_stalled;
        let mut result = SmallVec::new();
        result.push(dstate);
        for part in &parts[1..] {
            let mut sets = self.dstates[dstate.index()].sets.clone();
            for &(node, set) in &part.changed {
                sets[node.index()] = set;
            }
            let second = self.add_dstate(sets);
            self.dstates[second.index()].newly_stalled = newly_stalled;
            self.counts.splits += 1;
            result.push(second);
        }
        // The sets of all parts have a dstate by now, so that no state is without in between.
        for &(node, set) in &parts[0].changed {
            self.replace_set(dstate, node, set, RemovalReason::Separated);
        }
        self.grow(dstate, &result[1..]);
        result
    }

    /// States of a set may wake earlier than they did.
    pub(crate) fn look_again(&mut self, set: StateSetId) {
        for i in 0..self.sets[set].members.len() {
            let member = &self.sets[set].members[i];
            let Some(pending) = &member.pending else { continue };
            let state = &mut self.states[member.state.index()];
            if state.phase == StatePhase::Blocked && pending.first() < state.wake {
                state.wake = pending.first();
                self.checks.push_back(member.state);
            }
        }
    }
}
