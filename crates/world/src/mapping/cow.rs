//! Copy on write: a state is in exactly one dstate; when a dstate is split, states that several
//! parts need are copied.

use std::hash::Hash;

use everett_base::Set;

use super::{DStatePart, Mapping};
use crate::multi_node::MultiNodeUniverse;
use crate::multi_node::table::{StateSetId, StateSlot};
use crate::{DStateId, NodeId, StateOwner};

/// The mapping that copies whole dstates.
pub(crate) struct CopyOnWrite;

impl Mapping for CopyOnWrite {
    fn apart<M: Clone + Eq + Hash, O: StateOwner<Message = M>>(
        &self,
        universe: &mut MultiNodeUniverse<M>,
        owner: &mut O,
        dstate: DStateId,
        parts: &mut [DStatePart],
    ) {
        let mut used: Set<StateSlot> = Set::default();
        let mut unused = Vec::new();
        for part in parts.iter_mut() {
            for node in (0..universe.nodes).map(NodeId) {
                let changed = part.changed.iter().position(|(changed, _)| *changed == node);
                let set = match changed {
                    Some(changed) => part.changed[changed].1,
                    None => universe.dstates[dstate.index()].sets[node.index()],
                };
                let Some(own) = own_set(universe, owner, set, &mut used) else { continue };
                match changed {
                    Some(changed) => {
                        part.changed[changed].1 = own;
                        unused.push(set);
                    }
                    None => part.changed.push((node, own)),
                }
            }
        }
        unused.sort_unstable();
        unused.dedup();
        for set in unused {
            let needed = |part: &DStatePart| part.changed.iter().any(|(_, other)| *other == set);
            if !parts.iter().any(needed) {
                universe.drop_unused(set);
            }
        }
    }
}

/// A set with the same members as this one, but copies of those that are used; none if none is.
fn own_set<M: Clone + Eq + Hash, O: StateOwner<Message = M>>(
    universe: &mut MultiNodeUniverse<M>,
    owner: &mut O,
    set: StateSetId,
    used: &mut Set<StateSlot>,
) -> Option<StateSetId> {
    let mut members = universe.sets[set].members.clone();
    let mut copied = false;
    for member in &mut members {
        if !used.insert(member.state) {
            member.state = universe.copy_in_phase(owner, member.state);
            used.insert(member.state);
            copied = true;
        }
    }
    members.sort_by_key(|member| member.state);
    copied.then(|| {
        let node = universe.sets[set].node;
        universe.set_of(node, members)
    })
}
