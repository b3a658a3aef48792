//! Names for what sets of worlds look like to invariants: [`name`].
//!
//! What all evaluations of a set of worlds come to, and which of it is in a world, depends on what each
//! state has exposed, and on what keeps states of different nodes apart: constraints over bytes that
//! several nodes know, and faults that a world has only so many of. Everything else may differ. Many
//! sets of worlds are the same in this sense, and one of them is enough to look at.

use std::hash::{BuildHasher, Hash, Hasher};

use everett_base::hash::{FixedState, hash_one};
use everett_posix::Guest;
use everett_world::{NodeId, StateCombinations, StateSetName};
use smallvec::SmallVec;

use crate::parallel::context::RunContext;
use crate::state::node_state::PathState;
use crate::worlds::budgets::{count, limited};
use crate::worlds::owner::EngineStateOwner;

/// Equal for sets of worlds of which evaluations come to the same, in worlds with the same exposed data.
pub(super) fn name(owner: &EngineStateOwner<'_, '_>, combinations: &mut StateCombinations) -> u64 {
    let at = combinations.at();
    let mut name = hash_one(&(at, combinations.are_over()));
    for (node, &is_tied) in owner.tied.iter().enumerate() {
        let (node, of) = (NodeId::from_index(node), (at, is_tied));
        let known = combinations.name(node).filter(|known| known.of == of);
        let part = known.unwrap_or_else(|| {
            let name = of_node(owner, combinations, node, is_tied);
            let new = StateSetName { of, name };
            combinations.set_name(node, new);
            new
        });
        name = hash_one(&(name, part.name));
    }
    name
}

/// All of a node's states that matters.
fn of_node(
    owner: &EngineStateOwner<'_, '_>,
    combinations: &StateCombinations,
    node: NodeId,
    is_tied: bool,
) -> u64 {
    let ids = combinations.states(node).iter();
    let mut states: SmallVec<[u64; 16]> =
        ids.map(|id| of_state(combinations, owner.state(*id), is_tied)).collect();
    // Neither their order nor their number makes a difference.
    states.sort_unstable();
    states.dedup();
    hash_one(&states[..])
}

/// All of a state that matters: `is_tied` if others may contradict its constraints.
fn of_state(combinations: &StateCombinations, st: &PathState, is_tied: bool) -> u64 {
    let activated = st.extra.activated();
    let time = if combinations.are_over() { activated.time } else { 0 };
    let mut hasher = FixedState.build_hasher();
    (st.extra.look, activated == combinations.at(), time).hash(&mut hasher);
    if is_tied {
        st.path.constraints().for_each(|term| term.hash(&mut hasher));
    }
    hasher.finish()
}

/// Names what a state has exposed, whether it has exited, and how much it has spent of what is limited.
pub(crate) fn look(context: &RunContext<'_>, st: &PathState) -> u64 {
    let (node, exposures) = (st.extra.node(), &st.extra.links().exposures);
    let mut hasher = FixedState.build_hasher();
    (exposures.log(), node.has_exited() || st.extra.mark.has_ended()).hash(&mut hasher);
    if node.faults().are_used() {
        limited(context).for_each(|(of, _)| count(context, st, of).hash(&mut hasher));
    }
    hasher.finish()
}
