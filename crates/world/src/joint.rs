//! Jointly satisfiable combinations of states: searching, listing, counting.
//!
//! Nodes whose states share no symbol are independent. A *component* is two or more nodes that are
//! not; each is looked at by itself. A node in no component needs no question at all, as a state's
//! own condition is satisfiable. Within a component, combinations are built node by node, and what
//! contradicts itself is not built further.

use everett_base::{FixedState, Map, Set};
use smallvec::{SmallVec, smallvec};

use crate::{StateId, StateOwner};

/// States to choose from, by node.
pub(crate) type StateChoices = Vec<Vec<StateId>>;

/// The nodes that have symbols in common with others, directly or by way of others. Each component
/// is sorted, and components are sorted by their first nodes.
pub(crate) fn components<'a>(symbols: impl ExactSizeIterator<Item = &'a [u32]>) -> Vec<Vec<usize>> {
    let mut parents: Vec<usize> = (0..symbols.len()).collect();
    let mut owners: Map<u32, usize> = Map::with_capacity_and_hasher(parents.len(), FixedState);
    let mut joined = false;
    for (node, symbols) in symbols.enumerate() {
        for &symbol in symbols {
            let owner = *owners.entry(symbol).or_insert(node);
            if owner != node {
                let (a, b) = (root(&mut parents, owner), root(&mut parents, node));
                parents[a.max(b)] = a.min(b);
                joined = true;
            }
        }
    }
    if !joined {
        return Vec::new();
    }
    let mut components: Vec<Vec<usize>> = vec![Vec::new(); parents.len()];
    for node in 0..parents.len() {
        let root = root(&mut parents, node);
        components[root].push(node);
    }
    components.retain(|component| component.len() > 1);
    components
}

fn root(parents: &mut [usize], mut node: usize) -> usize {
    while parents[node] != node {
        parents[node] = parents[parents[node]];
        node = parents[node];
    }
    node
}

/// Calls `visit` with each satisfiable combination of one state of each of `lists`, until it says
/// that it has seen enough. Combinations of fewer than `alone` states need no question. `checks`
/// counts the questions.
fn combine<O: StateOwner>(
    owner: &mut O,
    lists: &[&[StateId]],
    alone: usize,
    checks: &mut u64,
    mut visit: impl FnMut(&[StateId]) -> bool,
) {
    let mut chosen: SmallVec<[StateId; 8]> = SmallVec::new();
    let mut next: SmallVec<[usize; 8]> = smallvec![0];
    while let Some(index) = next.last_mut() {
        let Some(&state) = lists[chosen.len()].get(*index) else {
            next.pop();
            chosen.pop();
            continue;
        };
        *index += 1;
        chosen.push(state);
        if chosen.len() >= alone {
            *checks += 1;
            if owner.is_over() {
                return;
            }
            if !owner.jointly(&chosen) {
                chosen.pop();
                continue;
            }
        }
        if chosen.len() < lists.len() {
            next.push(0);
            continue;
        }
        if !visit(&chosen) {
            return;
        }
        chosen.pop();
    }
}

/// One satisfiable combination, by node.
pub(crate) fn first<O: StateOwner>(
    owner: &mut O,
    choices: &[impl AsRef<[StateId]>],
    components: &[Vec<usize>],
    checks: &mut u64,
) -> Option<Vec<StateId>> {
    let mut world = any(choices)?;
    for component in components {
        for (node, state) in settle(owner, choices, component, 2, checks)? {
            world[node] = state;
        }
    }
    Some(world)
}

/// One satisfiable combination, by node, where the owner's answers stand for a condition over these
/// symbols as well.
pub(crate) fn find<'a, O: StateOwner>(
    owner: &mut O,
    choices: &[impl AsRef<[StateId]>],
    symbols: impl ExactSizeIterator<Item = &'a [u32]>,
    condition: &'a [u32],
    checks: &mut u64,
) -> Option<Vec<StateId>> {
    let mut world = any(choices)?;
    if !condition.is_empty() {
        *checks += 1;
        if !owner.jointly(&[]) {
            return None;
        }
    }
    // The condition is like one more node, of which there is nothing to choose.
    let nodes = choices.len();
    let mut symbols: Vec<&[u32]> = symbols.collect();
    symbols.push(condition);
    for mut component in components(symbols.into_iter()) {
        let alone = if component.last() == Some(&nodes) { 1 } else { 2 };
        component.retain(|&node| node < nodes);
        for (node, state) in settle(owner, choices, &component, alone, checks)? {
            world[node] = state;
        }
    }
    Some(world)
}

/// The first state of each node.
fn any(choices: &[impl AsRef<[StateId]>]) -> Option<Vec<StateId>> {
    let mut world = Vec::with_capacity(choices.len());
    for states in choices {
        world.push(*states.as_ref().first()?);
    }
    Some(world)
}

/// A satisfiable combination for the nodes of a component, each with its state, if there is one.
fn settle<O: StateOwner>(
    owner: &mut O,
    choices: &[impl AsRef<[StateId]>],
    component: &[usize],
    alone: usize,
    checks: &mut u64,
) -> Option<SmallVec<[(usize, StateId); 8]>> {
    // Nodes with little to choose from come first: what contradicts itself shows early.
    let mut nodes: SmallVec<[usize; 8]> = component.into();
    nodes.sort_by_key(|&node| choices[node].as_ref().len());
    let lists: SmallVec<[&[StateId]; 8]> =
        nodes.iter().map(|&node| choices[node].as_ref()).collect();
    let mut found = None;
    combine(owner, &lists, alone, checks, |states| {
        found = Some(nodes.iter().copied().zip(states.iter().copied()).collect());
        false
    });
    found
}

/// The number of satisfiable combinations, and the states that are in none.
#[derive(Default)]
pub(crate) struct CombinationCount {
    pub(crate) total: u64,
    /// True if there are more than `total`.
    pub(crate) capped: bool,
    /// States that are in none, as far as that is known.
    pub(crate) unseen: Set<StateId>,
}

/// The combinations that are to be counted.
#[derive(Clone, Copy)]
pub(crate) enum CountGoal {
    /// All, but not more than so many of a component.
    All(u64),
    /// As many as it takes to see each state, but not more than so many of a component.
    EachState(u64),
}

/// Counts the satisfiable combinations.
pub(crate) fn count<O: StateOwner>(
    owner: &mut O,
    choices: &StateChoices,
    components: &[Vec<usize>],
    want: CountGoal,
    checks: &mut u64,
) -> CombinationCount {
    let (CountGoal::All(cap) | CountGoal::EachState(cap)) = want;
    let (mut capped, mut unseen) = (false, Set::default());
    let mut sizes = Vec::with_capacity(choices.len());
    for component in components {
        let lists: Vec<&[StateId]> = component.iter().map(|&node| &choices[node][..]).collect();
        let mut left: Set<StateId> = lists.iter().copied().flatten().copied().collect();
        let mut found = 0;
        let mut complete = true;
        combine(owner, &lists, 2, checks, |states| {
            if found as u64 == cap {
                complete = false;
                return false;
            }
            found += 1;
            if !left.is_empty() {
                states.iter().for_each(|state| _ = left.remove(state));
            }
            matches!(want, CountGoal::All(_)) || !left.is_empty()
        });
        sizes.push(found);
        capped |= !complete;
        if complete && !owner.is_over() {
            unseen.extend(left);
        }
    }
    let alone = |node: &usize| !components.iter().any(|component| component.contains(node));
    sizes.extend((0..choices.len()).filter(alone).map(|node| choices[node].len()));
    let (total, too_many) = product(sizes.into_iter());
    CombinationCount { total, capped: capped || too_many, unseen }
}

/// The product of numbers, and whether it is greater than can be said.
pub(crate) fn product(numbers: impl Iterator<Item = usize>) -> (u64, bool) {
    let mut total = Some(1u64);
    for number in numbers {
        if number == 0 {
            return (0, false);
        }
        total = total.and_then(|total| total.checked_mul(number as u64));
    }
    (total.unwrap_or(u64::MAX), total.is_none())
}

/// All satisfiable combinations, by node, but at most `limit`.
pub(crate) fn all<O: StateOwner>(
    owner: &mut O,
    choices: &StateChoices,
    limit: usize,
    checks: &mut u64,
) -> Vec<Vec<StateId>> {
    let lists: Vec<&[StateId]> = choices.iter().map(|states| &states[..]).collect();
    let mut worlds = Vec::new();
    if limit > 0 {
        combine(owner, &lists, 2, checks, |states| {
            worlds.push(states.to_vec());
            worlds.len() < limit
        });
    }
    worlds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_join_through_third_nodes() {
        let symbols: [&[u32]; 5] = [&[1], &[2], &[], &[2, 1], &[7]];
        let components = components(symbols.into_iter());
        assert_eq!(components, [vec![0, 1, 3]]);
    }
}
