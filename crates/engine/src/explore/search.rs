//! The order in which states run.
//!
//! A [`Searcher`] is told of states that come and go, and picks one when asked. It sees states
//! only by number, so that it can be tested without any program. Several take turns in
//! [`InterleavedSearchers`].

mod coverage;
mod faults;
mod interleaved;
mod queue;
mod random_path;
mod random_state;

use everett_base::rng::Rng;
use everett_world::StateId;

use crate::api::config::Strategy;

pub(crate) use coverage::NearestUncovered;
pub(crate) use faults::FewestFaults;
pub(crate) use interleaved::InterleavedSearchers;
pub(crate) use queue::{BreadthFirst, DepthFirst};
pub(crate) use random_path::RandomPath;
pub(crate) use random_state::RandomState;

/// Measures of states that a searcher may ask for.
pub(crate) trait StateDistances {
    /// A measure of how far the state is from code that has not been executed: 0 is nearest.
    fn to_uncovered(&mut self, state: StateId) -> u32;

    /// The number of faults in a world that the state is in, on all nodes together: the fewest of
    /// all such worlds. It never becomes less.
    fn faults(&mut self, state: StateId) -> u32;

    /// In a system of several nodes, a state at the end of a random path through the tree of worlds.
    fn on_random_path(&mut self, _rng: &mut Rng) -> Option<StateId> {
        None
    }
}

/// A strategy for choosing among live states.
pub(crate) trait Searcher: Send {
    /// The state to run next; `None` when there is none.
    fn select(&mut self, distances: &mut dyn StateDistances) -> Option<StateId>;

    /// `child` was forked from `parent` (or is the first state).
    fn added(&mut self, parent: Option<StateId>, child: StateId);

    /// `state` ran for a while and goes on living.
    fn ran(&mut self, _state: StateId) {}

    /// `state` is gone.
    fn removed(&mut self, state: StateId);

    /// Many states are gone at once, sorted by number.
    fn all_removed(&mut self, states: &[StateId]) {
        states.iter().for_each(|state| self.removed(*state));
    }
}

/// Builds the searcher that a configuration asks for.
pub(crate) fn build(strategies: &[Strategy], seed: u64) -> Box<dyn Searcher> {
    let mut rng = Rng::new(seed);
    let mut searchers: Vec<Box<dyn Searcher>> =
        strategies.iter().map(|strategy| build_one(*strategy, rng.split())).collect();
    match searchers.len() {
        0 => Box::new(DepthFirst::default()),
        1 => searchers.remove(0),
        _ => Box::new(InterleavedSearchers::new(searchers)),
    }
}

fn build_one(strategy: Strategy, rng: Rng) -> Box<dyn Searcher> {
    match strategy {
        Strategy::Dfs => Box::new(DepthFirst::default()),
        Strategy::Bfs => Box::new(BreadthFirst::default()),
        Strategy::RandomPath => Box::new(RandomPath::new(rng)),
        Strategy::RandomState => Box::new(RandomState::new(rng)),
        Strategy::Coverage => Box::new(NearestUncovered::new(rng)),
        Strategy::Faults => Box::new(FewestFaults::default()),
    }
}

#[cfg(test)]
mod tests;
