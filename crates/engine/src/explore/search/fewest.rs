//! The state with the fewest faults, or deviations from the fixed order, in its world.
//!
//! All that happens without one is explored before anything with one, and all single ones before
//! pairs. In a system of several nodes those of all nodes of a world count; of the worlds that a state
//! is in, the one with the fewest does. Among equals it is depth first, so that the set of states stays
//! small.

use std::collections::BTreeMap;

use everett_base::hash::Map;
use everett_world::StateId;

use super::{Searcher, StateDistances};

/// The things that are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StateCount {
    /// Faults of all kinds.
    Faults,
    /// Deviations from the fixed order of messages and threads.
    Deviations,
}

everett_base::portable!(enum StateCount { 0 = Faults, 1 = Deviations });

impl StateCount {
    fn of(self, state: StateId, distances: &mut dyn StateDistances) -> u32 {
        match self {
            StateCount::Faults => distances.faults(state),
            StateCount::Deviations => distances.deviations(state),
        }
    }
}

/// A stack of states for each count.
pub(crate) struct FewestFirst {
    what: StateCount,
    /// Empty stacks are not kept.
    stacks: BTreeMap<u32, Vec<StateId>>,
    /// The stack of each state.
    places: Map<StateId, u32>,
    /// States for which nothing has been counted yet, with their parents.
    fresh: Vec<(Option<StateId>, StateId)>,
}

everett_base::portable!(struct FewestFirst { what, stacks, places, fresh });

impl FewestFirst {
    pub(crate) fn new(what: StateCount) -> FewestFirst {
        FewestFirst { what, stacks: BTreeMap::new(), places: Map::default(), fresh: Vec::new() }
    }

    fn put(&mut self, parent: Option<StateId>, state: StateId, count: u32) {
        let stack = self.stacks.entry(count).or_default();
        // The running state stays on top: going deeper needs no switch.
        let below = parent.is_some() && parent == stack.last().copied();
        stack.insert(stack.len() - usize::from(below), state);
        self.places.insert(state, count);
    }

    fn take(&mut self, state: StateId) {
        let Some(count) = self.places.remove(&state) else { return };
        let Some(stack) = self.stacks.get_mut(&count) else { return };
        if let Some(at) = stack.iter().rposition(|s| *s == state) {
            stack.remove(at);
        }
        if stack.is_empty() {
            self.stacks.remove(&count);
        }
    }
}

impl Searcher for FewestFirst {
    as_bytes!();

    fn select(&mut self, distances: &mut dyn StateDistances) -> Option<StateId> {
        for (parent, state) in std::mem::take(&mut self.fresh) {
            let count = self.what.of(state, distances);
            self.put(parent, state, count);
        }
        loop {
            let (count, stack) = self.stacks.first_key_value()?;
            let (count, state) = (*count, *stack.last()?);
            // A plan or a rule lets faults happen without a fork, and worlds become fewer.
            let now = self.what.of(state, distances);
            if now <= count {
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
