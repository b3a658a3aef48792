//! Representations of the set of worlds: the [`Mapping`]s.
//!
//! All of them share the dstates, rounds and deliveries of `multi_node`, and represent the same worlds.
//! They differ in when states are copied: one file each.

mod cob;
mod cow;
mod sds;

use std::hash::Hash;

use smallvec::SmallVec;

use crate::multi_node::MultiNodeUniverse;
use crate::multi_node::table::{SetMember, StateSetId, StateSlot};
use crate::{DStateId, NodeId, StateId, StateOwner};

pub(crate) use cob::CopyOnBranch;
pub(crate) use cow::CopyOnWrite;
pub(crate) use sds::SuperDStates;

/// One of the dstates that a dstate is split into: the nodes whose sets differ from those of the
/// dstate, and their sets.
pub(crate) struct DStatePart {
    pub(crate) changed: SmallVec<[(NodeId, StateSetId); 6]>,
}

/// A representation of the set of worlds, which decides when states are copied.
pub(crate) trait Mapping {
    /// Makes the first dstates out of the first states of each node: one, unless the mapping wants
    /// more.
    fn begin<M: Clone + Eq + Hash, O: StateOwner<Message = M>>(
        &self,
        universe: &mut MultiNodeUniverse<M>,
        _owner: &mut O,
        members: Vec<Vec<SetMember<M>>>,
    ) {
        begin_with(universe, members);
    }

    /// A running state has become two, which share their dstates unless the mapping parts them.
    fn branched<M: Clone + Eq + Hash, O: StateOwner<Message = M>>(
        &self,
        universe: &mut MultiNodeUniverse<M>,
        _owner: &mut O,
        parent: StateSlot,
        child: StateId,
    ) {
        branch_within(universe, parent, child);
    }

    /// A dstate is about to be split into these parts, the first of which takes its place: gives
    /// them states of their own where the mapping wants that. There are at least two.
    fn apart<M: Clone + Eq + Hash, O: StateOwner<Message = M>>(
        &self,
        _universe: &mut MultiNodeUniverse<M>,
        _owner: &mut O,
        _dstate: DStateId,
        _parts: &mut [DStatePart],
    ) {
    }
}

/// Evaluates an expression with the mapping of a kind.
macro_rules! with_mapping {
    ($kind:expr, $mapping:ident => $body:expr) => {
        match $kind {
            $crate::MappingKind::Cob => {
                let $mapping = $crate::mapping::CopyOnBranch;
                $body
            }
            $crate::MappingKind::Cow => {
                let $mapping = $crate::mapping::CopyOnWrite;
                $body
            }
            $crate::MappingKind::Sds => {
                let $mapping = $crate::mapping::SuperDStates;
                $body
            }
        }
    };
}
pub(crate) use with_mapping;

/// Makes one dstate of the first states of each node.
fn begin_with<M: Clone + Eq + Hash>(
    universe: &mut MultiNodeUniverse<M>,
    members: Vec<Vec<SetMember<M>>>,
) {
    let sets = members.into_iter().enumerate().map(|(node, mut members)| {
        members.sort_by_key(|member| member.state);
        universe.set_of(NodeId::from_index(node), members)
    });
    let sets = sets.collect();
    let dstate = universe.add_dstate(sets);
    universe.plant(dstate);
    universe.refront(dstate);
    universe.check_members(dstate);
}

/// Puts the child of a state into all of the state's dstates.
fn branch_within<M: Clone + Eq + Hash>(
    universe: &mut MultiNodeUniverse<M>,
    parent: StateSlot,
    child: StateId,
) {
    let child = universe.add_child(parent, child);
    let sets = universe.states[parent.index()].sets.clone();
    for &set in &sets {
        universe.sets.forget(set);
        let record = &mut universe.sets[set];
        let place = record.position(parent).expect("a state is in its sets");
        let pending = record.members[place].pending.clone();
        record.insert(SetMember { state: child, pending });
        record.runners.push(child);
        record.due += 1;
    }
    universe.states[child.index()].sets = sets;
}
