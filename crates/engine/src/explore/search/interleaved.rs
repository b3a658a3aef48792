//! Several strategies that take turns.

use everett_base::part::{PartError, PartReader, PartWriter, Portable};
use everett_world::StateId;

use super::{Searcher, StateDistances};

/// Asks each searcher in turn; all of them know all states.
pub(crate) struct InterleavedSearchers {
    searchers: Vec<Box<dyn Searcher>>,
    turn: usize,
}

impl InterleavedSearchers {
    pub(crate) fn new(searchers: Vec<Box<dyn Searcher>>) -> InterleavedSearchers {
        InterleavedSearchers { searchers, turn: 0 }
    }
}

impl Searcher for InterleavedSearchers {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        self.turn.write(to);
        self.searchers.iter().for_each(|searcher| searcher.write(to));
    }

    fn restore(&mut self, from: &mut PartReader<'_>) -> Result<(), PartError> {
        self.turn = Portable::read(from)?;
        self.searchers.iter_mut().try_for_each(|searcher| searcher.restore(from))
    }

    fn select(&mut self, distances: &mut dyn StateDistances) -> Option<StateId> {
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
