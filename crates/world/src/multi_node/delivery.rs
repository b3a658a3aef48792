//! Delivery of what the states of a node have sent ([`SendingStates`]) to the sets of its receivers.

mod cache;

use std::hash::Hash;
use std::sync::Arc;

use smallvec::SmallVec;

use super::MultiNodeUniverse;
use super::pending::{PendingArrivals, same};
use super::table::{SetMember, StateSetId, StateSlot};
use crate::{Arrival, CarriedConstraints, DStateId, NodeId, Stamp, StateOwner};
use cache::{DeliveryKey, SenderKey};

pub(crate) use cache::{DeliveryCache, SenderGroup, SendingStates};

/// The most answers that are kept, of each kind; all are forgotten when there are more.
const KEPT_MAX: usize = 1 << 12;

impl<M: Clone + Eq + Hash> MultiNodeUniverse<M> {
    /// The groups of a node's states by what they sent in this round; none if nobody did.
    pub(crate) fn sender<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        dstate: DStateId,
        node: NodeId,
    ) -> Option<Arc<SendingStates<M>>> {
        let at = self.dstates[dstate.index()].front;
        let set = self.dstates[dstate.index()].sets[node.index()];
        self.note_destinations(set, at);
        let record = &self.sets[set];
        let destinations = record.destinations.as_deref().unwrap_or(&[]);
        if destinations.is_empty() {
            return None;
        }
        let mut key: SenderKey = SmallVec::new();
        key.push(record.version);
        for to in destinations {
            let receivers = self.dstates[dstate.index()].sets[to.index()];
            key.push(self.sets[receivers].version);
        }
        if let Some(sender) = self.known.senders.get(&key) {
            return Some(sender.clone());
        }
        let groups = self.groups(owner, dstate, set, at);
        let sender = Arc::new(SendingStates { node, groups, number: self.known.number });
        self.known.number += 1;
        // Only dstates that share the set ask again, and what is kept keeps messages.
        if self.sets[set].live > 1 {
            if self.known.senders.len() >= KEPT_MAX {
                self.known.senders.clear();
            }
            self.known.senders.insert(key, sender.clone());
        }
        Some(sender)
    }

    /// Notes which nodes the states of a set sent to at a stamp.
    fn note_destinations(&mut self, set: StateSetId, at: Stamp) {
        if self.sets[set].destinations.is_some() {
            return;
        }
        let mut nodes: Vec<NodeId> = Vec::new();
        for member in &self.sets[set].members {
            let state = &self.states[member.state.index()];
            if state.at == at {
                let sent = state.sent.iter().flat_map(|sent| sent.list());
                nodes.extend(sent.map(|sent| sent.to));
            }
        }
        nodes.sort_unstable();
        nodes.dedup();
        self.sets[set].destinations = Some(nodes.into());
    }

    fn groups<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        dstate: DStateId,
        set: StateSetId,
        at: Stamp,
    ) -> Vec<SenderGroup<M>> {
        let mut groups: Vec<SenderGroup<M>> = Vec::new();
        for i in 0..self.sets[set].members.len() {
            let slot = self.sets[set].members[i].state;
            let state = &self.states[slot.index()];
            let sent = if state.at == at { state.sent.clone() } else { None };
            let list = sent.as_ref().map_or(&[][..], |sent| sent.list());
            let mut to: SmallVec<[NodeId; 4]> = list.iter().map(|sent| sent.to).collect();
            to.sort_unstable();
            to.dedup();
            let carried = self.all_carried(owner, dstate, slot, &to);
            let alike = groups
                .iter_mut()
                .find(|group| same(group.sent.as_ref(), sent.as_ref()) && group.carried == carried);
            match alike {
                Some(group) => group.states.push(slot),
                None => {
                    let number = u32::try_from(groups.len()).expect("groups are fewer than states");
                    groups.push(SenderGroup { states: vec![slot], sent, to, carried, number });
                }
            }
        }
        groups
    }

    /// The constraints that travel from a state to the states of these nodes.
    fn all_carried<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        dstate: DStateId,
        from: StateSlot,
        to: &[NodeId],
    ) -> Vec<(StateSlot, CarriedConstraints)> {
        let node = self.states[from.index()].node;
        let mut all = Vec::new();
        // What a node tells itself needs no telling.
        for to in to.iter().filter(|to| **to != node) {
            let set = self.dstates[dstate.index()].sets[to.index()];
            for i in 0..self.sets[set].members.len() {
                let to = self.sets[set].members[i].state;
                let carried = self.ask_carried(owner, from, to);
                if carried != CarriedConstraints::NOTHING {
                    all.push((to, carried));
                }
            }
        }
        all.sort_unstable_by_key(|(to, _)| *to);
        all
    }

    fn ask_carried<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        from: StateSlot,
        to: StateSlot,
    ) -> CarriedConstraints {
        let (from, to) = (&self.states[from.index()], &self.states[to.index()]);
        let key = (from.serial, to.serial);
        if let Some(&carried) = self.known.carried.get(&key) {
            return carried;
        }
        if self.known.carried.len() >= KEPT_MAX {
            self.known.carried.clear();
        }
        let carried = owner.carried(from.id, to.id);
        self.known.carried.insert(key, carried);
        carried
    }

    /// The set that a node's set becomes by what these groups sent to it, and by being one of them;
    /// none if no state is left.
    pub(crate) fn delivered<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        dstate: DStateId,
        node: NodeId,
        set: StateSetId,
        chosen: &[(&SendingStates<M>, &SenderGroup<M>)],
    ) -> Option<StateSetId> {
        let concerns = |(sender, group): &&(&SendingStates<M>, &SenderGroup<M>)| {
            sender.node == node || group.to.binary_search(&node).is_ok()
        };
        let concerned = chosen.iter().filter(concerns);
        let key: DeliveryKey = (
            self.sets[set].version,
            concerned.map(|(sender, group)| (sender.number, group.number)).collect(),
        );
        match self.known.deliveries.get(&key) {
            Some(&Some((result, version))) if self.sets[result].version == version => {
                self.counts.deliveries += u64::from(self.sets[result].live > 0);
                return Some(result);
            }
            Some(None) => return None,
            _ => {}
        }
        let mut members = self.sets[set].members.clone();
        if let Some((_, group)) = chosen.iter().find(|(sender, _)| sender.node == node) {
            members.retain(|member| group.states.binary_search(&member.state).is_ok());
        }
        let at = self.dstates[dstate.index()].front;
        let members = self.add_arrivals(owner, at, node, members, chosen);
        let result = if members.is_empty() { None } else { Some(self.set_of(node, members)) };
        if self.known.deliveries.len() >= KEPT_MAX {
            self.known.deliveries.clear();
        }
        let version = result.map(|result| (result, self.sets[result].version));
        self.known.deliveries.insert(key, version);
        result.inspect(|&result| self.look_again(result))
    }

    /// Adds what the groups sent to a node to its states, and leaves out those that contradict it.
    fn add_arrivals<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        at: Stamp,
        node: NodeId,
        members: Vec<SetMember<M>>,
        chosen: &[(&SendingStates<M>, &SenderGroup<M>)],
    ) -> Vec<SetMember<M>> {
        // States to which nothing special travels share one list.
        let mut plain: Option<Arc<PendingArrivals<M>>> = None;
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
                    PendingArrivals::with(member.pending.as_deref(), new)
                }
            };
            if !special && plain.is_none() {
                plain = Some(pending.clone());
            }
            if self.joins(owner, member.state, &pending) {
                self.counts.deliveries += 1;
                result.push(SetMember { state: member.state, pending: Some(pending) });
            }
        }
        result
    }

    /// Returns true if a state's condition is satisfiable together with what its arrivals carry.
    pub(crate) fn joins<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        slot: StateSlot,
        pending: &Arc<PendingArrivals<M>>,
    ) -> bool {
        let carries = |arrival: &Arrival<M>| arrival.carried != CarriedConstraints::NOTHING;
        if !pending.list().iter().any(carries) {
            return true;
        }
        let state = &self.states[slot.index()];
        let key = (state.serial, pending.hash());
        let known = self.known.joined.get(&key).into_iter().flatten();
        if let Some((_, joins)) = known.into_iter().find(|(list, _)| list == pending) {
            return *joins;
        }
        if self.known.joined.len() >= KEPT_MAX {
            self.known.joined.clear();
        }
        let joins = owner.joins(state.id, pending.list());
        self.known.joined.entry(key).or_default().push((pending.clone(), joins));
        joins
    }
}

fn carried_to<M>(group: &SenderGroup<M>, state: StateSlot) -> Option<CarriedConstraints> {
    let place = group.carried.binary_search_by_key(&state, |(to, _)| *to).ok()?;
    Some(group.carried[place].1)
}

/// The arrivals at a state of a node of what the groups have sent, in their order.
fn arrivals<M: Clone + Eq + Hash>(
    sent_at: Stamp,
    node: NodeId,
    state: StateSlot,
    chosen: &[(&SendingStates<M>, &SenderGroup<M>)],
) -> Vec<Arrival<M>> {
    let mut all = Vec::new();
    for (sender, group) in chosen {
        let list = group.sent.as_ref().map_or(&[][..], |sent| sent.list());
        for (number, sent) in list.iter().enumerate().filter(|(_, sent)| sent.to == node) {
            all.push(Arrival {
                at: sent_at.after(sent.delay),
                from: sender.node,
                number: u32::try_from(number).expect("sends of a round are fewer than 2^32"),
                message: sent.message.clone(),
                carried: carried_to(group, state).unwrap_or(CarriedConstraints::NOTHING),
            });
        }
    }
    all
}
