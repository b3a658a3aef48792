//! Several strategies that take turns.

use everett_world::StateId;

use super::{Distances, Searcher};

/// Asks each searcher in turn; all of them know all states.
pub(crate) struct Interleaved {
    searchers: Vec<Box<dyn Searcher>>,
    turn: usize,
}

impl Interleaved {
    pub(crate) fn new(searchers: Vec<Box<dyn Searcher>>) -> Interleaved {
        Interleaved { searchers, turn: 0 }
    }
}

impl Searcher for Interleaved {
    fn select(&mut self, distances: &mut dyn Distances) -> Option<StateId> {
        self.turn = (self.turn + 1) % self.searchers.len();
        self.searchers[self.turn].select(distances)
    }

    fn added(&mut self, parent: Option<StateId>, child: StateId) {
        self.searchers.iter_mut().for_each(|s| s.added(parent, child));
    }

    fn ran(&mut self, state: StateId) {
        self.searchers.iter_mut().for_each(|s| s.ran(state));
    }

    fn removed(&mut self, state: StateId) {
        self.searchers.iter_mut().for_each(|s| s.removed(state));
    }

    fn all_removed(&mut self, states: &[StateId]) {
        self.searchers.iter_mut().for_each(|s| s.all_removed(states));
    }
}
