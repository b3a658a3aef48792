//! Copy on write: a state is in exactly one dstate; when a dstate is split, states that several
//! parts need are copied.

use std::hash::Hash;

use everett_base::Set;

use super::{Mapping, Part, begin_with, branch_within};
use crate::many::Many;
use crate::many::table::{Member, Slot};
use crate::{DStateId, Host, NodeId, StateId};

/// The mapping that copies whole dstates.
pub(crate) struct Cow;

impl Mapping for Cow {
    fn begin<E: Clone + Eq + Hash, H: Host<Event = E>>(
        &self,
        many: &mut Many<E>,
        _host: &mut H,
        members: Vec<Vec<Member<E>>>,
    ) {
        begin_with(many, members);
    }

    fn branched<E: Clone + Eq + Hash, H: Host<Event = E>>(
        &self,
        many: &mut Many<E>,
        _host: &mut H,
        parent: Slot,
        child: StateId,
    ) {
        branch_within(many, parent, child);
    }

    fn apart<E: Clone + Eq + Hash, H: Host<Event = E>>(
        &self,
        many: &mut Many<E>,
        host: &mut H,
        dstate: DStateId,
        parts: &mut [Part<E>],
    ) {
        let mut used: Set<Slot> = Set::default();
        for part in parts {
            for node in (0..many.nodes).map(NodeId) {
                if part.changed.iter().all(|(changed, _)| *changed != node) {
                    let set = many.dstates[dstate.index()].sets[node.index()];
                    part.changed.push((node, many.sets[set].members.clone()));
                }
            }
            part.changed.sort_by_key(|(node, _)| *node);
            for (_, members) in &mut part.changed {
                for member in members.iter_mut() {
                    if !used.insert(member.state) {
                        member.state = many.copy_in_phase(host, member.state);
                        used.insert(member.state);
                    }
                }
                members.sort_by_key(|member| member.state);
            }
        }
    }
}
