//! Copy on branch: a dstate has one state a node, and a branch copies the states of all other
//! nodes.

use std::hash::Hash;

use everett_base::Set;

use super::{Mapping, Part, begin_with};
use crate::many::Many;
use crate::many::table::{Member, SetId, Slot};
use crate::{DStateId, NodeId, StateId, StateOwner};

/// The mapping in which every dstate is one world: the reference for the others.
pub(crate) struct Cob;

impl Mapping for Cob {
    fn begin<M: Clone + Eq + Hash, O: StateOwner<Message = M>>(
        &self,
        many: &mut Many<M>,
        owner: &mut O,
        members: Vec<Vec<Member<M>>>,
    ) {
        let mut used: Set<Slot> = Set::default();
        let mut choice = vec![0; members.len()];
        loop {
            let mut world = Vec::with_capacity(members.len());
            for (states, &chosen) in members.iter().zip(&choice) {
                let mut member = states[chosen].clone();
                if !used.insert(member.state) {
                    member.state = many.copy_in_phase(owner, member.state);
                    used.insert(member.state);
                }
                world.push(vec![member]);
            }
            begin_with(many, world);
            let Some(node) = (0..members.len()).rfind(|&n| choice[n] + 1 < members[n].len()) else {
                return;
            };
            choice[node] += 1;
            choice[node + 1..].fill(0);
        }
    }

    fn branched<M: Clone + Eq + Hash, O: StateOwner<Message = M>>(
        &self,
        many: &mut Many<M>,
        owner: &mut O,
        parent: Slot,
        child: StateId,
    ) {
        let child = many.add_child(parent, child);
        let set = many.states[parent.index()].sets[0];
        let dstate = many.live_dstates(set)[0];
        let mut sets: Vec<SetId> = Vec::with_capacity(many.nodes as usize);
        for node in (0..many.nodes).map(NodeId) {
            let old = many.dstates[dstate.index()].sets[node.index()];
            // A node without a state ends the dstate with this round, and so its twin.
            let mut members = many.sets[old].members.clone();
            for member in &mut members {
                let is_parent = member.state == parent;
                member.state =
                    if is_parent { child } else { many.copy_in_phase(owner, member.state) };
            }
            let set = many.set_of(node, members);
            let old = &many.sets[old];
            let (sent, ended) = (old.sent, old.ended);
            let (stalled, notable) = (old.newly_stalled, old.notable);
            let record = &mut many.sets[set];
            (record.sent, record.ended) = (sent, ended);
            (record.newly_stalled, record.notable) = (stalled, notable);
            sets.push(set);
        }
        let twin = many.add_dstate(sets.into());
        many.grow(dstate, &[twin]);
        many.refront(twin);
        let old = &many.dstates[dstate.index()];
        let (touched, stalled, notable) = (old.touched.clone(), old.newly_stalled, old.notable);
        let record = &mut many.dstates[twin.index()];
        (record.touched, record.newly_stalled, record.notable) = (touched, stalled, notable);
        debug_assert_eq!(many.dstates[twin.index()].busy, many.dstates[dstate.index()].busy);
    }

    fn apart<M: Clone + Eq + Hash, O: StateOwner<Message = M>>(
        &self,
        _many: &mut Many<M>,
        _owner: &mut O,
        _dstate: DStateId,
        _parts: &mut [Part],
    ) {
        unreachable!("what one world sends is one thing");
    }
}
