//! Limits: on the run, on its memory, and on single paths.

use std::sync::atomic::Ordering;
use std::time::Duration;

use everett_base::interrupt::{MemoryPressure, StopReason};
use everett_interp::{Bug, BugKind, PathEnding};
use everett_posix::Guest;

use super::Worker;
use crate::api::dropped::DropReason;
use crate::api::report::PathOutcome;
use crate::api::summary::Progress;
use crate::parallel::exchange::HaltReason;
use crate::state::node_state::PathState;
use crate::trojans::TrojanPhase;

/// A quantum beyond this is long enough to look at the clock after each.
const MANY_INSTRUCTIONS: u64 = 1_000_000;
/// When memory runs out, one of so many states is dropped.
const DROPPED_AT_ONCE: usize = 8;

impl Worker<'_, '_> {
    /// Looks at limits, the user's wish to stop and the clock, every now and then.
    pub(super) fn check(&mut self) -> Option<HaltReason> {
        if self
            .context
            .config
            .limits
            .instructions
            .is_some_and(|limit| self.instructions_of_all() >= limit)
        {
            return Some(HaltReason::Limit(DropReason::InstructionLimit));
        }
        if self.executor.machine().kernel.has_learnt() && !self.context.is_last {
            return Some(HaltReason::Repeated);
        }
        self.share_work();
        let config = self.context.config;
        let urgent = config.quantum > MANY_INSTRUCTIONS || config.interrupt.is_raised();
        if !self.watch.is_due(urgent) {
            return self.has_made_choices_of_job().then_some(HaltReason::JobOver);
        }
        if let Some(halt) = self.context.stopping() {
            return Some(halt);
        }
        if self.context.reporter().observer.interrupted() {
            return Some(HaltReason::Interrupted);
        }
        match config.interrupt.winding_down() {
            Some(StopReason::Asked) => return Some(HaltReason::Interrupted),
            Some(StopReason::Time) => return Some(HaltReason::Limit(DropReason::TimeLimit)),
            None => {}
        }
        let now = self.context.config.clock.now();
        self.relieve(now);
        self.look_at_memory(now);
        if self.context.room.is_due(now) {
            self.context.room.call(&self.context.exchange, None);
        }
        let elapsed = now.saturating_sub(self.context.started);
        if let Some(limit) = self.context.config.limits.time {
            let left = limit.saturating_sub(elapsed);
            if left.is_zero() {
                return Some(HaltReason::Limit(DropReason::TimeLimit));
            }
            // A query must not outlast the run, unless it is to be saved as it is: then a query that is not
            // done is left, and a checkpoint from before remains.
            if !self.context.room.is_open() {
                let time = self.context.config.solver.timeout.min(left);
                self.executor.solver().set_query_time(Some(time));
            }
        }
        if self.is_job_over() {
            return Some(HaltReason::JobOver);
        }
        if self.watch.tells_progress(now) {
            let own = self.progress(self.context.elapsed(now));
            let all = self.context.tally(self.number, own);
            {
                let mut reporter = self.context.reporter();
                let memory = reporter.observer.memory();
                let (findings, tests) = (reporter.findings.len() as u64, reporter.tests);
                let trojans = self.context.trojans.as_ref().map(TrojanPhase::progress);
                let progress = Progress { memory, findings, tests, trojans, ..all };
                reporter.observer.progress(&progress);
            }
            if !self.watch.has_relieved(now) {
                self.limit_memory();
            }
        }
        None
    }

    /// Makes room when the watchdog has seen that memory is above its limit.
    fn relieve(&mut self, now: Duration) {
        let interrupt = &self.context.config.interrupt;
        let pressure = interrupt.pressure();
        if pressure == MemoryPressure::None {
            return;
        }
        // The watchdog looks again soon.
        interrupt.press(MemoryPressure::None);
        if self.watch.relieves(pressure, now) {
            self.limit_memory();
        }
    }

    /// Lets parts leave memory in time. Above the limit the watchdog says when.
    fn look_at_memory(&mut self, now: Duration) {
        let Some(limit) = self.context.config.limits.memory else { return };
        if !self.can_spill() || !self.watch.looks_at_memory(now) {
            return;
        }
        let used = self.context.reporter().observer.memory();
        self.watch.note_use(used);
        if used <= limit {
            self.make_room();
        }
    }

    /// Makes room while memory is above its limit: parts leave it, or the newest states are dropped.
    fn limit_memory(&mut self) {
        if self.can_spill() && self.make_room() {
            return;
        }
        if !self.context.is_full() {
            return self.watch.note_room();
        }
        if self.can_spill() && !self.watch.is_stuck() {
            return;
        }
        // The one that ran last may lose its worlds, too.
        self.park_current();
        let ids = self.states.parked_ids();
        for id in ids.iter().rev().take(ids.len().div_ceil(DROPPED_AT_ONCE)) {
            let id = *id;
            if self.states.get(id).is_some() {
                self.set_outcome(id, PathOutcome::Dropped(DropReason::MemoryLimit));
                self.in_universe(|universe, owner| universe.killed(owner, id));
            }
        }
    }

    fn progress(&self, elapsed: Duration) -> Progress {
        let stats = self.executor.solver_stats();
        let is_system = self.context.nodes().len() > 1;
        let (executions, explored) =
            self.counters.executions(is_system.then(|| self.worlds.counts()));
        Progress {
            elapsed,
            paths: self.counters.paths,
            paths_failed: self.counters.paths_failed,
            paths_silent: self.counters.paths_silent,
            paths_cut: self.counters.paths_cut,
            paths_ignored: self.counters.paths_ignored,
            forks: self.counters.forks,
            events_sent: self.counters.events_sent,
            states_created: self.counters.states_created.max(0).unsigned_abs(),
            states_peak: self.counters.states_peak,
            nodes: self.context.nodes().len() as u64,
            tests: 0,
            states: self.states.count() + self.counters.aside.states,
            instructions: self.counters.instructions,
            queries: stats.backend_queries(),
            solver_time: stats.backend_time(),
            symbolic_inputs: self.context.pool.symbol_count() as u64,
            workers: self.context.workers() as u64,
            coverage: self.executor.coverage_count(self.context),
            memory: 0,
            findings: 0,
            dropped: self.counters.dropped.clone(),
            spill: self.counters.spill,
            trojans: None,
            executions,
            explored,
        }
    }

    /// Instructions that a state may execute before it is looked at again.
    pub(super) fn fuel(&self, st: &PathState) -> u64 {
        let slice = st.extra.node().slice_end().saturating_sub(st.instructions).max(1);
        let mut fuel = self.context.config.quantum.min(slice);
        if let Some(limit) = self.context.config.limits.instructions {
            fuel = fuel.min(limit.saturating_sub(self.instructions_of_all()).max(1));
        }
        if let Some(limit) = self.context.config.limits.path_instructions {
            fuel = fuel.min(limit.saturating_sub(st.instructions).max(1));
        }
        fuel
    }

    /// Keeps a state that goes on, unless it has reached a limit of its own.
    pub(super) fn keep(&mut self, st: Box<PathState>) {
        let limits = &self.context.config.limits;
        let reason = if limits.depth.is_some_and(|limit| st.depth > limit) {
            Some(DropReason::DepthLimit)
        } else if limits.path_instructions.is_some_and(|limit| st.instructions >= limit) {
            Some(DropReason::PathInstructionLimit)
        } else {
            None
        };
        let spent = st.instructions - st.extra.activated_after;
        match reason {
            Some(reason) => self.give_up(st, reason),
            None if limits.round_instructions.is_some_and(|limit| spent >= limit) => {
                let message = format!("runs for {spent} instructions without ever waiting");
                self.end(st, PathEnding::Bug(Box::new(Bug::new(BugKind::Hang, message))));
            }
            None => {
                self.schedule.note_run(st.extra.id);
                self.states.set_current(st);
            }
        }
    }

    /// Instructions of all workers.
    fn instructions_of_all(&self) -> u64 {
        self.context.instructions.load(Ordering::Relaxed)
    }
}
