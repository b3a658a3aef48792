//! The order in which states run.
//!
//! A [`Searcher`] is told of states that come and go, and picks one when asked. It sees states
//! only by number, so that it can be tested without any program. Several take turns in
//! [`InterleavedSearchers`].

/// The methods of a [`Searcher`] that write and read it, for one that is
/// [`Portable`](everett_base::part::Portable).
macro_rules! as_bytes {
    () => {
        fn write<'a>(&'a self, to: &mut everett_base::part::PartWriter<'a>) {
            everett_base::part::Portable::write(self, to);
        }

        fn restore(
            &mut self,
            from: &mut everett_base::part::PartReader<'_>,
        ) -> Result<(), everett_base::part::PartError> {
            *self = everett_base::part::Portable::read(from)?;
            Ok(())
        }
    };
}

mod coverage;
mod fewest;
mod interleaved;
mod queue;
mod random_path;
mod random_state;
mod walk;

use everett_base::part::{PartError, PartReader, PartWriter};
use everett_base::rng::Rng;
use everett_world::{OrderChoice, StateId, WalkGuide};

use crate::api::config::{EngineConfig, Strategy};
use crate::results::counters::WalkCounts;

pub(crate) use coverage::NearestUncovered;
pub(crate) use fewest::{FewestFirst, StateCount};
pub(crate) use interleaved::InterleavedSearchers;
pub(crate) use queue::{BreadthFirst, DepthFirst};
pub(crate) use random_path::RandomPath;
pub(crate) use random_state::RandomState;
pub(crate) use walk::Walks;

/// Measures of states that a searcher may ask for.
pub(crate) trait StateDistances {
    /// A measure of how far the state is from code that has not been executed: 0 is nearest.
    fn to_uncovered(&mut self, state: StateId) -> u32;

    /// The number of faults in a world that the state is in, on all nodes together: the fewest of
    /// all such worlds. It never becomes less.
    fn faults(&mut self, state: StateId) -> u32;

    /// The same for deviations from the fixed order.
    fn deviations(&mut self, state: StateId) -> u32;

    /// The choice in an order of threads or messages by which a state has parted from others last.
    fn order_choice(&mut self, _state: StateId) -> Option<OrderChoice> {
        None
    }

    /// In a system of several nodes, a state of the worlds that a walk has come to.
    fn on_walk(&mut self, _guide: &mut dyn WalkGuide, _rng: &mut Rng) -> WorldWalk {
        WorldWalk::OneNode
    }

    /// In a system of several nodes, a state at the end of a random path through the tree of worlds.
    fn on_random_path(&mut self, _rng: &mut Rng) -> Option<StateId> {
        None
    }
}

/// A step of a walk through the worlds of a system.
pub(crate) enum WorldWalk {
    /// There is one node, and a walk leads from state to state.
    OneNode,
    /// No state can run there now.
    Nowhere,
    /// This state runs; true if the walk begins with it.
    To(StateId, bool),
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

    /// The walks that it has made, if it makes any.
    fn walks(&self) -> WalkCounts {
        WalkCounts::default()
    }

    /// Writes everything that later choices depend on.
    fn write<'a>(&'a self, to: &mut PartWriter<'a>);

    /// Becomes what another searcher of the same strategy has written.
    fn restore(&mut self, from: &mut PartReader<'_>) -> Result<(), PartError>;

    /// Many states are gone at once, sorted by number.
    fn all_removed(&mut self, states: &[StateId]) {
        states.iter().for_each(|state| self.removed(*state));
    }
}

/// Builds the searcher that a configuration asks for.
pub(crate) fn build(config: &EngineConfig) -> Box<dyn Searcher> {
    let mut rng = Rng::new(config.seed);
    let build = |strategy: &Strategy| build_one(*strategy, config.pct_depth, rng.split());
    let mut searchers: Vec<Box<dyn Searcher>> = config.search.iter().map(build).collect();
    match searchers.len() {
        0 => Box::new(DepthFirst::default()),
        1 => searchers.remove(0),
        _ => Box::new(InterleavedSearchers::new(searchers)),
    }
}

fn build_one(strategy: Strategy, pct_depth: u32, rng: Rng) -> Box<dyn Searcher> {
    match strategy {
        Strategy::Dfs => Box::new(DepthFirst::default()),
        Strategy::Bfs => Box::new(BreadthFirst::default()),
        Strategy::RandomPath => Box::new(RandomPath::new(rng)),
        Strategy::RandomState => Box::new(RandomState::new(rng)),
        Strategy::Coverage => Box::new(NearestUncovered::new(rng)),
        Strategy::Faults => Box::new(FewestFirst::new(StateCount::Faults)),
        Strategy::Orders => Box::new(FewestFirst::new(StateCount::Deviations)),
        Strategy::RandomWalk => Box::new(Walks::random(rng)),
        Strategy::Pct => Box::new(Walks::by_priorities(rng, pct_depth)),
    }
}

#[cfg(test)]
mod tests;
