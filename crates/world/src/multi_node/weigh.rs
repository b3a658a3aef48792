//! A lower bound of the weight of all states of a world together.

use std::hash::Hash;

use everett_base::Map;

use super::MultiNodeUniverse;
use super::table::StateSetId;
use crate::StateId;

/// Dstates of one state that are looked at for a sum of weights. The sum orders the search and
/// decides nothing else, so what it costs matters more than the very least sum.
const MOST_DSTATES_SUMMED: usize = 256;

impl<M: Clone + Eq + Hash> MultiNodeUniverse<M> {
    /// The least sum of weights of the states of a dstate that a state is in.
    pub(crate) fn least_sum(&self, state: StateId, weight: &dyn Fn(StateId) -> u32) -> Option<u32> {
        let record = &self.states[self.slots.get(&state)?.index()];
        let (own, node) = (weight(state), record.node.index());
        let mut known: Map<StateSetId, u32> = Map::default();
        let mut least_of = |set: StateSetId| {
            let members = self.sets[set].members.iter();
            let weights = members.map(|member| weight(self.states[member.state.index()].id));
            *known.entry(set).or_insert_with(|| weights.min().unwrap_or(0))
        };
        let dstates = record.sets.iter().flat_map(|&set| {
            let listed = self.sets[set].dstates.iter();
            listed.map(|dstate| &self.dstates[dstate.index()]).filter(move |d| d.has(node, set))
        });
        let mut least: Option<u32> = None;
        for dstate in dstates.take(MOST_DSTATES_SUMMED) {
            let others = dstate.sets.iter().enumerate().filter(|(of, _)| *of != node);
            let others = others.map(|(_, set)| least_of(*set));
            let sum = others.fold(own, u32::saturating_add);
            least = Some(least.map_or(sum, |least| least.min(sum)));
            if sum == own {
                break;
            }
        }
        least
    }
}
