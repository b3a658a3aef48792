//! Copy on write: a state is in exactly one dstate; when a dstate is split, states that several
//! parts need are copied.

use std::hash::Hash;

use everett_base::Set;

use super::{Mapping, Part};
use crate::many::Many;
use crate::many::table::{SetId, Slot};
use crate::{DStateId, NodeId, StateOwner};

/// The mapping that copies whole dstates.
pub(crate) struct Cow;

impl Mapping for Cow {
    fn apart<M: Clone + Eq + Hash, O: StateOwner<Message = M>>(
        &self,
        many: &mut Many<M>,
        owner: &mut O,
        dstate: DStateId,
        parts: &mut [Part],
    ) {
        let mut used: Set<Slot> = Set::default();
        let mut unused = Vec::new();
        for part in parts.iter_mut() {
            for node in (0..many.nodes).map(NodeId) {
                let changed = part.changed.iter().position(|(changed, _)| *changed == node);
                let set = match changed {
                    Some(changed) => part.changed[changed].1,
                    None => many.dstates[dstate.index()].sets[node.index()],
                };
                let Some(own) = own_set(many, owner, set, &mut used) else { continue };
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
            let needed = |part: &Part| part.changed.iter().any(|(_, other)| *other == set);
            if !parts.iter().any(needed) {
                many.drop_unused(set);
            }
        }
    }
}

/// A set with the same members as this one, but copies of those that are used; none if none is.
fn own_set<M: Clone + Eq + Hash, O: StateOwner<Message = M>>(
    many: &mut Many<M>,
    owner: &mut O,
    set: SetId,
    used: &mut Set<Slot>,
) -> Option<SetId> {
    let mut members = many.sets[set].members.clone();
    let mut copied = false;
    for member in &mut members {
        if !used.insert(member.state) {
            member.state = many.copy_in_phase(owner, member.state);
            used.insert(member.state);
            copied = true;
        }
    }
    members.sort_by_key(|member| member.state);
    copied.then(|| {
        let node = many.sets[set].node;
        many.set_of(node, members)
    })
}
