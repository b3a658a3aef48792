//! The part of the set of worlds that a worker explores: [`WorldSet`].

use std::time::Duration;

use everett_base::rng::Rng;
use everett_posix::SharedMessage;
use everett_solver::SolverChain;
use everett_world::{
    OrderChoice, SplitWishes, StateId, Universe, UniverseChange, UniverseCounts, UniverseOptions,
    WalkGuide,
};

use crate::api::config::TestPolicy;
use crate::parallel::context::RunContext;
use crate::results::counters::RunCounters;
use crate::results::violation::Violation;
use crate::worlds::invariants::{InvariantChecker, KnownResults};
use crate::worlds::owner::EngineStateOwner;
use crate::worlds::state_table::StateTable;

/// The worlds: states that exist together, those that may run, and what invariants say about them.
pub(crate) struct WorldSet {
    universe: Universe<SharedMessage>,
    invariants: InvariantChecker,
}

impl WorldSet {
    /// A set without worlds, for the nodes that there are by now.
    pub(crate) fn new(context: &RunContext<'_>) -> WorldSet {
        WorldSet { universe: empty_universe(context), invariants: InvariantChecker::default() }
    }

    /// Begins anew, with the nodes that there are by now.
    pub(crate) fn start_over(&mut self, context: &RunContext<'_>) {
        self.universe = empty_universe(context);
    }

    /// Goes on with another part; what is known of invariants stays.
    pub(crate) fn replace(&mut self, universe: Universe<SharedMessage>) {
        self.universe = universe;
    }

    /// Takes in the worlds of another part of the same program.
    pub(crate) fn absorb(&mut self, universe: Universe<SharedMessage>) {
        self.universe.absorb(universe);
    }

    /// Takes the worlds out, which [`WorldSet::replace`] puts back.
    pub(crate) fn take_universe(&mut self) -> Universe<SharedMessage> {
        std::mem::replace(&mut self.universe, Universe::new(1, UniverseOptions::default()))
    }

    /// What is known of invariants, as far as it makes a difference to results.
    pub(crate) fn known_results(&self) -> KnownResults {
        self.invariants.known_results()
    }

    /// Goes on with what another worker knew of invariants.
    pub(crate) fn restore_results(&mut self, known: KnownResults) {
        self.invariants.restore(known);
    }

    /// The worlds, and the owner of the states that they ask about.
    pub(crate) fn with_owner<'w, 'a>(
        &'w mut self,
        context: &'w RunContext<'a>,
        states: &'w mut StateTable,
        solver: &'w mut SolverChain,
        counters: &'w mut RunCounters,
    ) -> (&'w mut Universe<SharedMessage>, EngineStateOwner<'w, 'a>) {
        let WorldSet { universe, invariants } = self;
        (universe, EngineStateOwner::new(context, states, solver, counters, invariants))
    }

    /// Changes that have not been followed yet.
    pub(crate) fn changes(&mut self) -> Vec<UniverseChange<SharedMessage>> {
        self.universe.changes().collect()
    }

    /// The violation that a note stands for, until notes are forgotten.
    pub(crate) fn violation(&self, note: u32) -> &Violation {
        self.invariants.violation(note)
    }

    /// Forgets the notes of worlds that were examined.
    pub(crate) fn forget_notes(&mut self) {
        self.invariants.forget_notes();
    }

    /// A state has exposed something to invariants.
    pub(crate) fn note_exposure(&mut self, id: StateId) {
        self.universe.notable(id);
    }

    /// The counts of the part so far.
    pub(crate) fn counts(&self) -> UniverseCounts {
        self.universe.counts()
    }

    /// Takes the counts of worlds that are over out.
    pub(crate) fn take_counts(&mut self) -> UniverseCounts {
        self.universe.take_counts()
    }

    /// Splits a part off for others, if there is one; and gives the states that both parts have, sorted.
    pub(crate) fn split_off(
        &mut self,
        wishes: &SplitWishes<'_>,
    ) -> Option<(Universe<SharedMessage>, Vec<StateId>)> {
        self.universe.split_off(wishes)
    }

    /// A state at the end of a random path through the tree of worlds.
    pub(crate) fn pick(
        &mut self,
        rng: &mut Rng,
        may_run: &impl Fn(StateId) -> bool,
    ) -> Option<StateId> {
        self.universe.pick(rng, may_run)
    }

    /// A state of the worlds that a walk has come to, and whether the walk has begun with it.
    pub(crate) fn walk(
        &mut self,
        guide: &mut dyn WalkGuide,
        rng: &mut Rng,
        choice: &impl Fn(StateId) -> Option<OrderChoice>,
        may_run: &impl Fn(StateId) -> bool,
    ) -> Option<(StateId, bool)> {
        self.universe.walk(guide, rng, choice, may_run)
    }

    /// Returns true if in a world of a state another one goes on by itself.
    pub(crate) fn goes_on_beside(&self, state: StateId, works: &impl Fn(StateId) -> bool) -> bool {
        self.universe.goes_on_beside(state, works)
    }

    /// The least sum of weights of all worlds with a state.
    pub(crate) fn least_sum(
        &self,
        state: StateId,
        weight: &impl Fn(StateId) -> u32,
    ) -> Option<u32> {
        self.universe.least_sum(state, weight)
    }
}

fn empty_universe(context: &RunContext<'_>) -> Universe<SharedMessage> {
    let options = UniverseOptions {
        mapping: context.config.mapping,
        detect_stalled: context.config.detect_stalled,
        grace: context.config.idle.map(nanoseconds),
        horizon: context.config.virtual_time.map(nanoseconds),
        walks: context.config.search.iter().any(|strategy| strategy.is_walk()),
        ..UniverseOptions::default()
    };
    let mut universe = Universe::new(context.nodes().len() as u32, options);
    let wanted = matches!(context.config.tests, TestPolicy::All | TestPolicy::New);
    universe.report_final(wanted && context.nodes().len() > 1);
    universe
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
