//! The states of a worker that may run, as the searcher knows them: [`StateSchedule`].

use everett_base::part::{PartError, PartReader, PartWriter, Portable};
use everett_world::StateId;

use crate::api::config::EngineConfig;
use crate::explore::search::{self, DepthFirst, Searcher, StateDistances};
use crate::results::counters::WalkCounts;

/// Ready states, in the order that the configuration asks for.
pub(crate) struct StateSchedule {
    searcher: Box<dyn Searcher>,
    /// A state that is about to block, while the searcher still knows it: often it goes on at once.
    blocking: Option<StateId>,
}

/// Read for the configuration that is among the handles. Between two steps no state is about to block.
impl Portable for StateSchedule {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        self.searcher.write(to);
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let mut schedule = StateSchedule::new(from.handle::<EngineConfig>());
        schedule.searcher.restore(from)?;
        Ok(schedule)
    }
}

impl StateSchedule {
    pub(crate) fn new(config: &EngineConfig) -> StateSchedule {
        StateSchedule { searcher: search::build(config), blocking: None }
    }

    /// A schedule in which nothing runs, in the place of one that is elsewhere for a while.
    pub(crate) fn empty() -> StateSchedule {
        StateSchedule { searcher: Box::new(DepthFirst::default()), blocking: None }
    }

    /// The walks that were made, if the search makes any.
    pub(crate) fn walks(&self) -> WalkCounts {
        self.searcher.walks()
    }

    /// The state to run next.
    pub(crate) fn select(&mut self, distances: &mut dyn StateDistances) -> Option<StateId> {
        self.searcher.select(distances)
    }

    /// A state may run.
    pub(crate) fn add(&mut self, parent: Option<StateId>, state: StateId) {
        self.searcher.added(parent, state);
    }

    /// A state ran for a while, and may run on.
    pub(crate) fn note_run(&mut self, state: StateId) {
        self.searcher.ran(state);
    }

    /// A state may not run any more.
    pub(crate) fn remove(&mut self, state: StateId) {
        self.searcher.removed(state);
    }

    /// Many states are another worker's; sorted.
    pub(crate) fn remove_all(&mut self, states: &[StateId]) {
        self.searcher.all_removed(states);
    }

    /// A state is about to block, which the searcher is told by [`StateSchedule::end_block`].
    pub(crate) fn begin_block(&mut self, state: Option<StateId>) {
        self.blocking = state;
    }

    /// The state was about to block and still is known to the searcher; from now on it is not blocking.
    pub(crate) fn stop_block(&mut self, state: StateId) -> bool {
        self.blocking.take_if(|blocking| *blocking == state).is_some()
    }

    /// Whoever was about to block has done so, unless it goes on or is gone.
    pub(crate) fn end_block(&mut self) {
        if let Some(state) = self.blocking.take() {
            self.searcher.removed(state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct NoDistances;

    impl StateDistances for NoDistances {
        fn to_uncovered(&mut self, _: StateId) -> u32 {
            0
        }

        fn faults(&mut self, _: StateId) -> u32 {
            0
        }

        fn deviations(&mut self, _: StateId) -> u32 {
            0
        }
    }

    fn schedule_with(state: StateId) -> StateSchedule {
        let mut schedule = StateSchedule::new(&EngineConfig::default());
        schedule.add(None, state);
        schedule
    }

    #[test]
    fn a_state_that_goes_on_at_once_keeps_its_place() {
        let mut schedule = schedule_with(StateId(1));
        schedule.begin_block(Some(StateId(1)));
        assert!(!schedule.stop_block(StateId(2)));
        assert!(schedule.stop_block(StateId(1)));
        schedule.end_block();
        assert_eq!(schedule.select(&mut NoDistances), Some(StateId(1)));
    }

    #[test]
    fn a_state_that_blocks_is_forgotten() {
        let mut schedule = schedule_with(StateId(1));
        schedule.begin_block(Some(StateId(1)));
        schedule.end_block();
        assert_eq!(schedule.select(&mut NoDistances), None);
    }
}
