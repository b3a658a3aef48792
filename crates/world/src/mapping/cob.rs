//! Copy on branch: a dstate has one state a node, and a branch copies the states of all other
//! nodes.

use std::hash::Hash;

use everett_base::Set;

use super::{DStatePart, Mapping, begin_with};
use crate::multi_node::MultiNodeUniverse;
use crate::multi_node::table::{SetMember, StateSetId, StateSlot};
use crate::{DStateId, NodeId, StateId, StateOwner};

/// The mapping in which every dstate is one world: the reference for the others.
pub(crate) struct CopyOnBranch;

impl Mapping for CopyOnBranch {
    fn begin<M: Clone + Eq + Hash, O: StateOwner<Message = M>>(
        &self,
        universe: &mut MultiNodeUniverse<M>,
        owner: &mut O,
        members: Vec<Vec<SetMember<M>>>,
    ) {
        let mut used: Set<StateSlot> = Set::default();
        let mut choice = vec![0; members.len()];
        loop {
            let mut world = Vec::with_capacity(members.len());
            for (states, &chosen) in members.iter().zip(&choice) {
                let mut member = states[chosen].clone();
                if !used.insert(member.state) {
                    member.state = universe.copy_in_phase(owner, member.state);
                    used.insert(member.state);
                }
                world.push(vec![member]);
            }
            begin_with(universe, world);
            let Some(node) = (0..members.len()).rfind(|&n| choice[n] + 1 < members[n].len()) else {
                return;
            };
            choice[node] += 1;
            choice[node + 1..].fill(0);
        }
    }

    fn branched<M: Clone + Eq + Hash, O: StateOwner<Message = M>>(
        &self,
        universe: &mut MultiNodeUniverse<M>,
        owner: &mut O,
        parent: StateSlot,
        child: StateId,
    ) {
        let child = universe.add_child(parent, child);
        let set = universe.states[parent.index()].sets[0];
        let dstate = universe.live_dstates(set)[0];
        let mut sets: Vec<StateSetId> = Vec::with_capacity(universe.nodes as usize);
        for node in (0..universe.nodes).map(NodeId) {
            let old = universe.dstates[dstate.index()].sets[node.index()];
            // A node without a state ends the dstate with this round, and so the new one.
            let mut members = universe.sets[old].members.clone();
            for member in &mut members {
                let is_parent = member.state == parent;
                member.state =
                    if is_parent { child } else { universe.copy_in_phase(owner, member.state) };
            }
            let set = universe.set_of(node, members);
            let old = &universe.sets[old];
            let (sent, ended) = (old.sent, old.ended);
            let (stalled, notable) = (old.newly_stalled, old.notable);
            let record = &mut universe.sets[set];
            (record.sent, record.ended) = (sent, ended);
            (record.newly_stalled, record.notable) = (stalled, notable);
            sets.push(set);
        }
        let second = universe.add_dstate(sets.into());
        universe.grow(dstate, &[second]);
        universe.refront(second);
        let old = &universe.dstates[dstate.index()];
        let (touched, stalled, notable) = (old.touched.clone(), old.newly_stalled, old.notable);
        let record = &mut universe.dstates[second.index()];
        (record.touched, record.newly_stalled, record.notable) = (touched, stalled, notable);
        debug_assert_eq!(
            universe.dstates[second.index()].busy,
            universe.dstates[dstate.index()].busy
        );
    }

    fn apart<M: Clone + Eq + Hash, O: StateOwner<Message = M>>(
        &self,
        _universe: &mut MultiNodeUniverse<M>,
        _owner: &mut O,
        _dstate: DStateId,
        _parts: &mut [DStatePart],
    ) {
        unreachable!("what one world sends is one thing");
    }
}
