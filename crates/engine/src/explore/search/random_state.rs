//! Any live state, all equally likely.

use everett_base::hash::Map;
use everett_base::rng::Rng;
use everett_world::StateId;

use super::{Searcher, StateDistances};

/// Picks uniformly among the live states.
pub(crate) struct RandomState {
    rng: Rng,
    states: Vec<StateId>,
    places: Map<StateId, usize>,
}

everett_base::portable!(struct RandomState { rng, states, places });

impl RandomState {
    pub(crate) fn new(rng: Rng) -> RandomState {
        RandomState { rng, states: Vec::new(), places: Map::default() }
    }
}

impl Searcher for RandomState {
    as_bytes!();

    fn select(&mut self, _distances: &mut dyn StateDistances) -> Option<StateId> {
        if self.states.is_empty() {
            return None;
        }
        let at = self.rng.below(self.states.len() as u64) as usize;
        Some(self.states[at])
    }

    fn added(&mut self, _parent: Option<StateId>, child: StateId) {
        self.places.insert(child, self.states.len());
        self.states.push(child);
    }

    fn removed(&mut self, state: StateId) {
        let Some(at) = self.places.remove(&state) else { return };
        self.states.swap_remove(at);
        if let Some(moved) = self.states.get(at) {
            self.places.insert(*moved, at);
        }
    }
}
