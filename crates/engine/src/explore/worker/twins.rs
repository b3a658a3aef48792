//! States that other jobs may have as well (`state/twin.rs`): the names that they get, and the rows in which
//! what comes of them is counted, apart from everything else.

use everett_interp::Sibling;
use everett_posix::SharedMessage;
use everett_world::{Arrival, RemovalReason, Stamp, StateId};

use super::Worker;
use crate::api::report::PathOutcome;
use crate::results::counters::RunCounters;
use crate::results::twins::{FoundTwin, TwinEnd, TwinRow, TwinSteps};
use crate::state::node_state::{NodeState, PathState};
use crate::state::twin::TwinName;

impl Worker<'_, '_> {
    /// A state for another job, while this one keeps it as well: both know it by one name from now on.
    pub(super) fn share_with_job(&mut self, id: StateId, job: u64) -> Option<Box<PathState>> {
        let st = self.states.get_mut(id)?;
        if st.extra.twin().is_none() {
            st.extra.set_twin(TwinName::of_divided(job, id));
            // It is counted when it ends, as all that have names.
            self.counters.states_created -= 1;
        }
        let mut copy = st.copy();
        copy.covered_new = st.covered_new;
        Some(copy)
    }

    /// Names a state anew that is to be activated.
    pub(super) fn rename_activated(
        &mut self,
        id: StateId,
        at: Stamp,
        arrivals: &[Arrival<SharedMessage>],
    ) {
        let (pool, conditions) = (self.context.pool, &self.context.constraints);
        let Some(st) = self.states.get_mut(id) else { return };
        let Some(name) = st.extra.twin() else { return };
        st.extra.set_twin(name.activated(at, arrivals, pool, conditions));
        self.twins.row(name).went_on = true;
    }

    /// Names states that have parted from others that have names.
    pub(super) fn name_siblings(&self, siblings: &mut [Sibling<NodeState>]) {
        let mut given: Vec<TwinName> = Vec::new();
        for Sibling { state, .. } in siblings {
            let Some(from) = state.extra.twin() else { continue };
            let mut names = (0..).map(|alike| from.parted(state, alike, self.context.pool));
            let name = names.find(|name| !given.contains(name));
            let name = name.expect("there are more numbers than states");
            given.push(name);
            state.extra.set_twin(name);
        }
    }

    /// The counters of something that a state does: its own if it has a name, or those of the worker.
    pub(super) fn with_counters_of(
        &mut self,
        name: Option<TwinName>,
        count: impl FnOnce(&mut RunCounters),
    ) {
        match name {
            None => count(&mut self.counters),
            Some(name) => {
                let mut counters = RunCounters::default();
                count(&mut counters);
                let steps = &mut self.twins.row(name).steps;
                steps.instructions += counters.instructions;
                steps.forks += counters.forks;
                steps.events_sent += counters.events_sent;
                steps.add_rare(counters);
            }
        }
    }

    /// Lets the executor run a state; what is counted by the way is that of its name, if it has one.
    pub(super) fn run_counted<R>(
        &mut self,
        name: Option<TwinName>,
        run: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let Some(name) = name else { return run(self) };
        let before = self.executor.take_counts();
        let ran = run(self);
        let (faults, notes) = self.executor.replace_counts(before);
        self.twins.row(name).steps.add(self.context.images, &faults, &notes);
        ran
    }

    /// Worlds have ended with a state that has a name.
    pub(super) fn end_twin(
        &mut self,
        name: TwinName,
        st: &PathState,
        outcome: PathOutcome,
        why: RemovalReason,
    ) {
        let writer = self.writer();
        let path = writer.closed_path(st, &outcome);
        let told = writer.path_end(st, outcome).map(Box::new);
        self.twins.row(name).ended(Box::new(TwinEnd { why, path, told }));
    }

    /// Does what is done about a bug of a state; what is counted for it is kept with the name of the state.
    pub(super) fn find_counted(
        &mut self,
        name: Option<TwinName>,
        find: impl FnOnce(&mut Self) -> PathOutcome,
    ) -> PathOutcome {
        let Some(name) = name else { return find(self) };
        let before = std::mem::take(&mut self.counters);
        let outcome = find(self);
        let counters = std::mem::replace(&mut self.counters, before);
        let finding = match outcome {
            PathOutcome::Finding(number) => Some(number),
            _ => None,
        };
        self.twins_found.push(FoundTwin { name, finding, counters });
        outcome
    }

    /// The steps so far of states that have begun to run and have names: who goes on with them, goes on
    /// counting.
    pub(super) fn steps_of_begun<'s>(
        &self,
        states: impl Iterator<Item = &'s PathState>,
    ) -> Vec<(TwinName, TwinSteps)> {
        let begun = states.filter(|st| st.extra.ready && st.extra.due.is_none());
        let names = begun.filter_map(|st| st.extra.twin());
        names.filter_map(|name| Some((name, self.twins.steps(name)?.clone()))).collect()
    }

    /// Goes on with steps that another job has begun to count.
    pub(super) fn go_on_counting(&mut self, begun: Vec<(TwinName, TwinSteps)>) {
        for (name, steps) in begun {
            *self.twins.row(name) = TwinRow { steps, ..TwinRow::default() };
        }
    }
}
