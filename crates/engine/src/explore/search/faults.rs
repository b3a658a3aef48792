//! The state with the fewest faults in its world.
//!
//! All that happens without a fault is explored before anything with one, and all single faults before
//! pairs. In a system of several nodes the faults of all nodes of a world count; of the worlds that a state
//! is in, the one with the fewest does. Among equals it is depth first, so that the set of states stays
//! small.

use std::collections::BTreeMap;

use everett_base::hash::Map;
use everett_world::StateId;

use super::{Searcher, StateDistances};

/// A stack of states for each number of faults.
#[derive(Default)]
pub(crate) struct FewestFaults {
    /// Empty stacks are not kept.
    stacks: BTreeMap<u32, Vec<StateId>>,
    /// The stack of each state.
    places: Map<StateId, u32>,
    /// States whose faults have not been counted yet, with their parents.
    fresh: Vec<(Option<StateId>, StateId)>,
}

impl FewestFaults {
    fn put(&mut self, parent: Option<StateId>, state: StateId, faults: u32) {
        let stack = self.stacks.entry(faults).or_default();
        // The running state stays on top: going deeper needs no switch.
        let below = parent.is_some() && parent == stack.last().copied();
        stack.insert(stack.len() - usize::from(below), state);
        self.places.insert(state, faults);
    }

    fn take(&mut self, state: StateId) {
        let Some(faults) = self.places.remove(&state) else { return };
        let Some(stack) = self.stacks.get_mut(&faults) else { return };
        if let Some(at) = stack.iter().rposition(|s| *s == state) {
            stack.remove(at);
        }
        if stack.is_empty() {
            self.stacks.remove(&faults);
        }
    }
}

impl Searcher for FewestFaults {
    fn select(&mut self, distances: &mut dyn StateDistances) -> Option<StateId> {
        for (parent, state) in std::mem::take(&mut self.fresh) {
            let faults = distances.faults(state);
            self.put(parent, state, faults);
        }
        loop {
            let (faults, stack) = self.stacks.first_key_value()?;
            let (faults, state) = (*faults, *stack.last()?);
            // A plan or a rule lets faults happen without a fork, and worlds become fewer.
            let now = distances.faults(state);
            if now <= faults {
                return Some(state);
            }
            self.take(state);
            self.put(None, state, now);
        }
    }

    fn added(&mut self, parent: Option<StateId>, child: StateId) {
        self.fresh.push((parent, child));
    }

    fn removed(&mut self, state: StateId) {
        self.fresh.retain(|(_, fresh)| *fresh != state);
        self.take(state);
    }

    fn all_removed(&mut self, states: &[StateId]) {
        self.fresh.retain(|(_, fresh)| states.binary_search(fresh).is_err());
        self.places.retain(|state, _| states.binary_search(state).is_err());
        self.stacks.retain(|_, stack| {
            stack.retain(|state| states.binary_search(state).is_err());
            !stack.is_empty()
        });
    }
}
