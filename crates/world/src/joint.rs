//! Which combinations of states are jointly satisfiable: searching, listing, counting.
//!
//! Nodes whose states share no symbol are independent, so each *component* of nodes is looked at
//! by itself, and a state that is alone in its component needs no question at all: a state's own
//! condition is satisfiable. Within a component, combinations are built node by node, and what
//! contradicts itself is not built further.

use everett_base::Map;

use crate::{Host, StateId};

/// States to choose from, by node.
pub(crate) type Choices = Vec<Vec<StateId>>;

/// The nodes that have symbols in common, directly or by way of others. Each component is sorted,
/// and components are sorted by their first nodes.
pub(crate) fn components<'a>(symbols: impl Iterator<Item = &'a [u32]>) -> Vec<Vec<usize>> {
    let mut parents: Vec<usize> = Vec::new();
    let mut owners: Map<u32, usize> = Map::default();
    for (node, symbols) in symbols.enumerate() {
        parents.push(node);
        for &symbol in symbols {
            let owner = *owners.entry(symbol).or_insert(node);
            let (a, b) = (root(&mut parents, owner), root(&mut parents, node));
            let (low, high) = (a.min(b), a.max(b));
            parents[high] = low;
        }
    }
    let mut components: Vec<Vec<usize>> = vec![Vec::new(); parents.len()];
    for node in 0..parents.len() {
        let root = root(&mut parents, node);
        components[root].push(node);
    }
    components.retain(|component| !component.is_empty());
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
/// that it has seen enough. `checks` counts the questions.
fn combine<H: Host>(
    host: &mut H,
    lists: &[&[StateId]],
    checks: &mut u64,
    mut visit: impl FnMut(&[StateId]) -> bool,
) {
    let mut chosen: Vec<StateId> = Vec::with_capacity(lists.len());
    let mut next = vec![0];
    while let Some(index) = next.last_mut() {
        let Some(&state) = lists[chosen.len()].get(*index) else {
            next.pop();
            chosen.pop();
            continue;
        };
        *index += 1;
        chosen.push(state);
        if chosen.len() > 1 {
            *checks += 1;
            if !host.jointly(&chosen) {
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
pub(crate) fn first<H: Host>(
    host: &mut H,
    choices: &Choices,
    components: &[Vec<usize>],
    checks: &mut u64,
) -> Option<Vec<StateId>> {
    let mut world = vec![StateId(u32::MAX); choices.len()];
    for component in components {
        let lists: Vec<&[StateId]> = component.iter().map(|&node| &choices[node][..]).collect();
        let mut found = false;
        combine(host, &lists, checks, |states| {
            found = true;
            for (&node, &state) in component.iter().zip(states) {
                world[node] = state;
            }
            false
        });
        if !found {
            return None;
        }
    }
    Some(world)
}

/// How many satisfiable combinations there are, and whether a component had more than `cap`.
pub(crate) fn count<H: Host>(
    host: &mut H,
    choices: &Choices,
    components: &[Vec<usize>],
    cap: u64,
    checks: &mut u64,
) -> (u64, bool) {
    let (mut total, mut capped) = (1u64, false);
    for component in components {
        let mut found = 0;
        if let [node] = component[..] {
            found = choices[node].len() as u64;
        } else {
            let lists: Vec<&[StateId]> = component.iter().map(|&node| &choices[node][..]).collect();
            combine(host, &lists, checks, |_| {
                if found == cap {
                    capped = true;
                    return false;
                }
                found += 1;
                true
            });
        }
        match total.checked_mul(found) {
            Some(product) => total = product,
            None => (total, capped) = (u64::MAX, true),
        }
    }
    (total, capped)
}

/// All satisfiable combinations, by node, but at most `limit`.
pub(crate) fn all<H: Host>(
    host: &mut H,
    choices: &Choices,
    limit: usize,
    checks: &mut u64,
) -> Vec<Vec<StateId>> {
    let lists: Vec<&[StateId]> = choices.iter().map(|states| &states[..]).collect();
    let mut worlds = Vec::new();
    if limit > 0 {
        combine(host, &lists, checks, |states| {
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
        assert_eq!(components, [vec![0, 1, 3], vec![2], vec![4]]);
    }
}
