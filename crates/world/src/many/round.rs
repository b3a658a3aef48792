//! The end of a dstate's round: who ended leaves, what was sent is delivered, and states that sent
//! different things part.

use std::hash::Hash;
use std::sync::Arc;

use super::Many;
use super::pending::{Pending, Shared, same};
use super::table::{Member, Phase, SetId, Slot};
use crate::mapping::{Mapping, Part, with_mapping};
use crate::{Arrival, Carried, DStateId, Gone, Host, NodeId, Sent, Stamp};

/// Answers of the host that are kept at most.
const ANSWERS_MAX: usize = 1 << 16;

/// States of a node that sent the same, with the same constraints.
struct Group<E> {
    states: Vec<Slot>,
    sent: Option<Arc<Shared<Sent<E>>>>,
    /// For each receiver what travels to it, if that is anything; sorted by receiver.
    carried: Vec<(Slot, Carried)>,
}

/// The states of a node of which one has sent something.
struct Sender<E> {
    node: NodeId,
    groups: Vec<Group<E>>,
}

impl<E: Clone + Eq + Hash> Many<E> {
    /// Ends the round of a dstate all of whose states are done with it.
    pub(crate) fn end_round<H: Host<Event = E>>(&mut self, host: &mut H, dstate: DStateId) {
        let record = &mut self.dstates[dstate.index()];
        if !record.alive || record.busy > 0 {
            return;
        }
        let mut touched = std::mem::take(&mut record.touched);
        touched.sort_unstable();
        touched.dedup();
        if !self.let_ended_leave(dstate, &touched) {
            return;
        }
        let mut senders = Vec::new();
        for &node in &touched {
            senders.extend(self.sender(host, dstate, node));
        }
        if senders.is_empty() {
            self.advance(host, dstate);
            return;
        }
        let mut parts = self.parts(host, dstate, &senders);
        if parts.is_empty() {
            self.remove_dstate(dstate, Gone::Separated);
            return;
        }
        with_mapping!(self.options.mapping, mapping => mapping.apart(self, host, dstate, &mut parts));
        for dstate in self.replace_by(dstate, parts) {
            self.advance(host, dstate);
        }
    }

    /// Takes states that ended out of a dstate. False if that was the end of it.
    fn let_ended_leave(&mut self, dstate: DStateId, touched: &[NodeId]) -> bool {
        for &node in touched {
            let set = self.dstates[dstate.index()].sets[node.index()];
            let states = &self.states;
            let stays = |member: &Member<E>| states[member.state.index()].phase != Phase::Ended;
            let old = &self.sets[set].members;
            let members: Vec<_> = old.iter().filter(|member| stays(member)).cloned().collect();
            if members.is_empty() {
                let why = if old.is_empty() { Gone::Separated } else { Gone::WorldEnded };
                self.remove_dstate(dstate, why);
                return false;
            }
            if members.len() == old.len() {
                continue;
            }
            self.shrink(dstate, node, members, Gone::WorldEnded);
        }
        true
    }

    /// Gives a dstate fewer states for a node.
    pub(crate) fn shrink(
        &mut self,
        dstate: DStateId,
        node: NodeId,
        members: Vec<Member<E>>,
        why: Gone,
    ) {
        let set = self.dstates[dstate.index()].sets[node.index()];
        if self.sets[set].live > 1 {
            let smaller = self.set_of(node, members);
            self.replace_set(dstate, node, smaller, why);
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

    /// The groups of a node's states by what they sent in this round; none if nobody did.
    fn sender<H: Host<Event = E>>(
        &mut self,
        host: &mut H,
        dstate: DStateId,
        node: NodeId,
    ) -> Option<Sender<E>> {
        let at = self.dstates[dstate.index()].front;
        let set = self.dstates[dstate.index()].sets[node.index()];
        let sent_now = |many: &Self, slot: Slot| {
            let state = &many.states[slot.index()];
            if state.at == at { state.sent.clone() } else { None }
        };
        let members = &self.sets[set].members;
        if members.iter().all(|member| sent_now(self, member.state).is_none()) {
            return None;
        }
        let mut groups: Vec<Group<E>> = Vec::new();
        for i in 0..members.len() {
            let slot = self.sets[set].members[i].state;
            let sent = sent_now(self, slot);
            let carried = match &sent {
                Some(sent) => self.all_carried(host, dstate, slot, sent),
                None => Vec::new(),
            };
            let alike = groups
                .iter_mut()
                .find(|group| same(group.sent.as_ref(), sent.as_ref()) && group.carried == carried);
            match alike {
                Some(group) => group.states.push(slot),
                None => groups.push(Group { states: vec![slot], sent, carried }),
            }
        }
        Some(Sender { node, groups })
    }

    /// What travels from a state to each receiver of what it sent.
    fn all_carried<H: Host<Event = E>>(
        &mut self,
        host: &mut H,
        dstate: DStateId,
        from: Slot,
        sent: &Shared<Sent<E>>,
    ) -> Vec<(Slot, Carried)> {
        let node = self.states[from.index()].node;
        let mut nodes: Vec<NodeId> = sent.list().iter().map(|sent| sent.to).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let mut all = Vec::new();
        for to in nodes {
            // What a node tells itself needs no telling.
            if to == node {
                continue;
            }
            let set = self.dstates[dstate.index()].sets[to.index()];
            for i in 0..self.sets[set].members.len() {
                let to = self.sets[set].members[i].state;
                let carried = self.ask_carried(host, from, to);
                if carried != Carried::NOTHING {
                    all.push((to, carried));
                }
            }
        }
        all.sort_unstable_by_key(|(to, _)| *to);
        all
    }

    fn ask_carried<H: Host<Event = E>>(&mut self, host: &mut H, from: Slot, to: Slot) -> Carried {
        let (from, to) = (&self.states[from.index()], &self.states[to.index()]);
        let key = (from.serial, to.serial);
        if let Some(&carried) = self.carried.get(&key) {
            return carried;
        }
        if self.carried.len() >= ANSWERS_MAX {
            self.carried.clear();
        }
        let carried = host.carried(from.id, to.id);
        self.carried.insert(key, carried);
        carried
    }

    /// One part for each combination of groups that has a state for every node.
    fn parts<H: Host<Event = E>>(
        &mut self,
        host: &mut H,
        dstate: DStateId,
        senders: &[Sender<E>],
    ) -> Vec<Part<E>> {
        let mut parts = Vec::new();
        let mut choice = vec![0; senders.len()];
        loop {
            let chosen: Vec<(&Sender<E>, &Group<E>)> = senders
                .iter()
                .zip(&choice)
                .map(|(sender, &i)| (sender, &sender.groups[i]))
                .collect();
            parts.extend(self.part(host, dstate, &chosen));
            let more = (0..senders.len()).rfind(|&i| choice[i] + 1 < senders[i].groups.len());
            let Some(last) = more else { return parts };
            choice[last] += 1;
            choice[last + 1..].fill(0);
        }
    }

    /// The worlds of a dstate in which these groups have sent what they sent.
    fn part<H: Host<Event = E>>(
        &mut self,
        host: &mut H,
        dstate: DStateId,
        chosen: &[(&Sender<E>, &Group<E>)],
    ) -> Option<Part<E>> {
        let sent = chosen.iter().filter_map(|(_, group)| group.sent.as_ref());
        let mut nodes: Vec<NodeId> =
            sent.flat_map(|sent| sent.list().iter().map(|sent| sent.to)).collect();
        let split = chosen.iter().filter(|(sender, _)| sender.groups.len() > 1);
        nodes.extend(split.map(|(sender, _)| sender.node));
        nodes.sort_unstable();
        nodes.dedup();
        let mut changed = Vec::with_capacity(nodes.len());
        for node in nodes {
            let set = self.dstates[dstate.index()].sets[node.index()];
            let of_group = chosen.iter().find(|(sender, _)| sender.node == node);
            let mut members = self.sets[set].members.clone();
            if let Some((_, group)) = of_group {
                members.retain(|member| group.states.binary_search(&member.state).is_ok());
            }
            let members = self.delivered(host, dstate, node, members, chosen);
            if members.is_empty() {
                return None;
            }
            changed.push((node, members));
        }
        Some(Part { changed })
    }

    /// Adds what the groups sent to a node to its states, and leaves out those that contradict it.
    fn delivered<H: Host<Event = E>>(
        &mut self,
        host: &mut H,
        dstate: DStateId,
        node: NodeId,
        members: Vec<Member<E>>,
        chosen: &[(&Sender<E>, &Group<E>)],
    ) -> Vec<Member<E>> {
        let at = self.dstates[dstate.index()].front;
        // States to which nothing special travels share one list.
        let mut plain: Option<Arc<Pending<E>>> = None;
        let mut result = Vec::with_capacity(members.len());
        for member in members {
            let special = member.pending.is_some()
                || chosen.iter().any(|(_, group)| carried_to(group, member.state).is_some());
            let pending = match &plain {
                Some(plain) if !special => plain.clone(),
                _ => {
                    let new = arrivals(at, node, member.state, chosen);
                    if new.is_empty() {
                        result.push(member);
                        continue;
                    }
                    Pending::with(member.pending.as_deref(), new)
                }
            };
            if !special && plain.is_none() {
                plain = Some(pending.clone());
            }
            if self.joins(host, member.state, &pending) {
                self.counts.deliveries += 1;
                result.push(Member { state: member.state, pending: Some(pending) });
            }
        }
        result
    }

    pub(crate) fn joins<H: Host<Event = E>>(
        &mut self,
        host: &mut H,
        slot: Slot,
        pending: &Arc<Pending<E>>,
    ) -> bool {
        let state = &self.states[slot.index()];
        let key = (state.serial, pending.hash());
        let known = self.joined.get(&key).into_iter().flatten();
        if let Some((_, joins)) = known.into_iter().find(|(list, _)| list == pending) {
            return *joins;
        }
        if self.joined.len() >= ANSWERS_MAX {
            self.joined.clear();
        }
        let joins = host.joins(state.id, pending.list());
        self.joined.entry(key).or_default().push((pending.clone(), joins));
        joins
    }

    /// Puts parts in the place of a dstate; the first one keeps its name.
    fn replace_by(&mut self, dstate: DStateId, parts: Vec<Part<E>>) -> Vec<DStateId> {
        let newly_stalled = self.dstates[dstate.index()].newly_stalled;
        // All sets come first, so that no state is in no set in between.
        let mut all: Vec<Vec<(NodeId, SetId)>> = Vec::with_capacity(parts.len());
        for part in parts {
            let changed = part.changed.into_iter();
            all.push(changed.map(|(node, members)| (node, self.set_of(node, members))).collect());
        }
        let mut result = vec![dstate];
        for changed in &all[1..] {
            let mut sets = self.dstates[dstate.index()].sets.clone();
            for &(node, set) in changed {
                sets[node.index()] = set;
            }
            let twin = self.add_dstate(sets);
            self.dstates[twin.index()].newly_stalled = newly_stalled;
            self.counts.splits += 1;
            result.push(twin);
        }
        for &(node, set) in &all[0] {
            self.replace_set(dstate, node, set, Gone::Separated);
        }
        for changed in &all {
            for &(_, set) in changed {
                self.look_again(set);
            }
        }
        self.grow(dstate, &result[1..]);
        result
    }

    /// States of a set may wake earlier than they did.
    fn look_again(&mut self, set: SetId) {
        for i in 0..self.sets[set].members.len() {
            let member = &self.sets[set].members[i];
            let Some(pending) = &member.pending else { continue };
            let state = &mut self.states[member.state.index()];
            if state.phase == Phase::Blocked && pending.first() < state.wake {
                state.wake = pending.first();
                self.checks.push_back(member.state);
            }
        }
    }
}

fn carried_to<E>(group: &Group<E>, state: Slot) -> Option<Carried> {
    let place = group.carried.binary_search_by_key(&state, |(to, _)| *to).ok()?;
    Some(group.carried[place].1)
}

/// What the groups sent to a state of a node, in their order.
fn arrivals<E: Clone + Eq + Hash>(
    sent_at: Stamp,
    node: NodeId,
    state: Slot,
    chosen: &[(&Sender<E>, &Group<E>)],
) -> Vec<Arrival<E>> {
    let mut all = Vec::new();
    for (sender, group) in chosen {
        let list = group.sent.as_ref().map_or(&[][..], |sent| sent.list());
        for (number, sent) in list.iter().enumerate().filter(|(_, sent)| sent.to == node) {
            all.push(Arrival {
                at: sent_at.after(sent.delay),
                from: sender.node,
                number: u32::try_from(number).expect("sends of a round are fewer than 2^32"),
                event: sent.event.clone(),
                carried: carried_to(group, state).unwrap_or(Carried::NOTHING),
            });
        }
    }
    all
}
