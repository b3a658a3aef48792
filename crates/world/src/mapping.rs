//! How the set of worlds is represented: the [`Mapping`]s.
//!
//! All of them share the dstates, rounds and deliveries of `many`, and represent the same worlds.
//! They differ in when states are copied: one file each.

mod cob;
mod cow;
mod sds;

use std::hash::Hash;

use smallvec::SmallVec;

use crate::many::Many;
use crate::many::table::{Member, SetId, Slot};
use crate::{DStateId, NodeId, StateId, StateOwner};

pub(crate) use cob::Cob;
pub(crate) use cow::Cow;
pub(crate) use sds::Sds;

/// One of the dstates that a dstate is split into: the nodes whose sets differ from those of the
/// dstate, and their sets.
pub(crate) struct Part {
    pub(crate) changed: SmallVec<[(NodeId, SetId); 6]>,
}

/// When states are copied.
pub(crate) trait Mapping {
    /// Makes the first dstates out of the first states of each node: one, unless the mapping wants
    /// more.
    fn begin<M: Clone + Eq + Hash, O: StateOwner<Message = M>>(
        &self,
        many: &mut Many<M>,
        _owner: &mut O,
        members: Vec<Vec<Member<M>>>,
    ) {
        begin_with(many, members);
    }

    /// A running state has become two, which share their dstates unless the mapping parts them.
    fn branched<M: Clone + Eq + Hash, O: StateOwner<Message = M>>(
        &self,
        many: &mut Many<M>,
        _owner: &mut O,
        parent: Slot,
        child: StateId,
    ) {
        branch_within(many, parent, child);
    }

    /// A dstate is about to be split into these parts, the first of which takes its place: gives
    /// them states of their own where the mapping wants that. There are at least two.
    fn apart<M: Clone + Eq + Hash, O: StateOwner<Message = M>>(
        &self,
        _many: &mut Many<M>,
        _owner: &mut O,
        _dstate: DStateId,
        _parts: &mut [Part],
    ) {
    }
}

/// Evaluates an expression with the mapping of a kind.
macro_rules! with_mapping {
    ($kind:expr, $mapping:ident => $body:expr) => {
        match $kind {
            $crate::MappingKind::Cob => {
                let $mapping = $crate::mapping::Cob;
                $body
            }
            $crate::MappingKind::Cow => {
                let $mapping = $crate::mapping::Cow;
                $body
            }
            $crate::MappingKind::Sds => {
                let $mapping = $crate::mapping::Sds;
                $body
            }
        }
    };
}
pub(crate) use with_mapping;

/// Makes one dstate of the first states of each node.
fn begin_with<M: Clone + Eq + Hash>(many: &mut Many<M>, members: Vec<Vec<Member<M>>>) {
    let sets = members.into_iter().enumerate().map(|(node, mut members)| {
        members.sort_by_key(|member| member.state);
        many.set_of(NodeId::from_index(node), members)
    });
    let sets = sets.collect();
    let dstate = many.add_dstate(sets);
    many.plant(dstate);
    many.refront(dstate);
    many.check_members(dstate);
}

/// Puts the child of a state into all of the state's dstates.
fn branch_within<M: Clone + Eq + Hash>(many: &mut Many<M>, parent: Slot, child: StateId) {
    let child = many.add_child(parent, child);
    let sets = many.states[parent.index()].sets.clone();
    for &set in &sets {
        many.sets.forget(set);
        let record = &mut many.sets[set];
        let place = record.position(parent).expect("a state is in its sets");
        let pending = record.members[place].pending.clone();
        record.insert(Member { state: child, pending });
        record.runners.push(child);
        record.due += 1;
    }
    many.states[child.index()].sets = sets;
}
