//! A worker: the loop over states.
//!
//! This is the only place that loops over states. It asks the [`StateSchedule`] which one is next, lets
//! the [`StateExecutor`] run it, and books what came of it: forks, ends, limits. States that do not run are
//! in the [`StateTable`]; which of them exist together is known to the [`WorldSet`].
//!
//! Below are the other things that a worker does: what becomes of a state that does not simply run on
//! (`endings.rs`), limits, checkpoints, the exchange of work with other workers (`splitting.rs`,
//! `shared_states.rs`), with other jobs (`job.rs`, `twins.rs`) and with a disk (`spilling.rs`), nodes that a
//! program makes (`boot.rs`), tests of worlds, and its end (`finish.rs`).

mod boot;
mod checkpoint;
mod endings;
mod finish;
mod job;
mod limits;
mod shared_states;
mod spilling;
mod splitting;
mod steps;
mod trojans;
mod twins;
mod world_tests;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use everett_base::Interrupt;
use everett_base::hash::Map;
use everett_base::interrupt::MemoryPressure;
use everett_interp::{
    Coverage, ExecutionNotes, Halt, Omission, RunPause, Sibling, SiblingCourse, Stop,
    UnsupportedFeature,
};
use everett_posix::{FaultCounts, Guest};
use everett_solver::{SolverError, SolverStats};
use everett_world::{ActivationId, NodeId, Stamp, StateId};

use self::steps::StepTeller;
use self::trojans::WorkerTrojans;
use crate::api::dropped::DropReason;
use crate::api::observer::FilesOf;
use crate::api::report::SourcePlace;
use crate::explore::executor::{StateExecutor, StepResult, paused};
use crate::explore::pace::{LimitWatch, SplitThresholds};
use crate::explore::run_record::RecordSlots;
use crate::explore::schedule::StateSchedule;
use crate::explore::start::{FirstState, NodeStart};
use crate::parallel::context::RunContext;
use crate::parallel::exchange::TakenWork;
use crate::primitives::Primitives;
use crate::programs::places;
use crate::results::counters::RunCounters;
use crate::results::finding_writer::FindingWriter;
use crate::results::twins::{FoundTwin, TwinRows, WrittenBytes};
use crate::state::node_state::{DueActivation, NodeState, PathState, PathStates, StateRunner};
use crate::state::twin::TwinName;
use crate::worlds::invariants;
use crate::worlds::state_table::StateTable;
use crate::worlds::world_set::WorldSet;

/// A worker: explores its part of the set of worlds.
pub(crate) struct Worker<'r, 'a> {
    context: &'r RunContext<'a>,
    /// Where it leaves its record for a checkpoint.
    slots: &'r RecordSlots,
    /// Its number among the workers.
    number: usize,
    states: StateTable,
    worlds: WorldSet,
    executor: StateExecutor,
    schedule: StateSchedule,
    counters: RunCounters,
    /// The counts of states that other jobs may have as well, and bugs that were found about them.
    twins: TwinRows,
    twins_found: Vec<FoundTwin>,
    /// States that other workers run, by what they run them for.
    awaited: Map<ActivationId, StateId>,
    /// Troubles of states that have not begun yet.
    troubles: Map<StateId, Halt>,
    /// The current state runs on without a new choice.
    go_on: bool,
    watch: LimitWatch,
    split: SplitThresholds,
    /// Its part in the search for Trojan messages.
    trojans: WorkerTrojans,
    steps: StepTeller,
}

/// The results of a worker, at its end.
pub(crate) struct WorkerResults {
    pub(crate) counters: RunCounters,
    pub(crate) notes: ExecutionNotes,
    pub(crate) coverage: Vec<Coverage>,
    pub(crate) solver: SolverStats,
    pub(crate) faults: FaultCounts,
    /// What came of states that other jobs may have as well.
    pub(crate) twins: TwinRows,
    pub(crate) twins_found: Vec<FoundTwin>,
    /// The states that were still alive.
    pub(crate) left: PathStates,
}

impl<'r, 'a> Worker<'r, 'a> {
    pub(crate) fn new(
        context: &'r RunContext<'a>,
        slots: &'r RecordSlots,
        number: usize,
        machine: Primitives,
    ) -> Self {
        Worker {
            context,
            slots,
            number,
            states: StateTable::default(),
            worlds: WorldSet::new(context),
            executor: StateExecutor::new(context, machine),
            schedule: StateSchedule::new(context.config),
            counters: RunCounters::default(),
            twins: TwinRows::default(),
            twins_found: Vec::new(),
            awaited: Map::default(),
            troubles: Map::default(),
            go_on: false,
            watch: LimitWatch::new(context.started),
            split: SplitThresholds::new(context.config.share_after),
            trojans: WorkerTrojans::default(),
            steps: StepTeller::default(),
        }
    }

    /// Explores until all work of all workers is done, or a limit ends the run.
    pub(crate) fn explore(&mut self) {
        self.unless_left(|worker| {
            let RunContext { exchange, room, .. } = worker.context;
            while worker.work() {
                match exchange.take(worker.number, || room.is_wanted()) {
                    TakenWork::Part(part) => worker.adopt_aside(*part),
                    TakenWork::Call => worker.meet(),
                    TakenWork::Nothing => break,
                }
            }
        });
    }

    /// Does something that is left, with the state it is about, when the run ends in the midst of it.
    pub(crate) fn unless_left(&mut self, work: impl FnOnce(&mut Self)) {
        if Interrupt::catch(|| work(self)).is_err() {
            let halt = self.context.limit_in_the_way();
            self.counters.drop(halt.reason());
            self.context.exchange.halt(halt);
        }
    }

    /// Explores until nothing is left that can run, or the run is over, which is `false`.
    fn work(&mut self) -> bool {
        while !self.context.exchange.is_over() {
            if self.context.room.is_wanted() {
                self.meet();
                continue;
            }
            self.count_choice();
            if let Some(halt) = self.check() {
                self.halt(halt);
                return false;
            }
            if !std::mem::take(&mut self.go_on) {
                let Some(id) = self.select() else {
                    if self.awaited.is_empty() {
                        return true;
                    }
                    self.take_over_next();
                    continue;
                };
                self.switch_to(id);
            }
            if let Some(mut st) = self.states.take_current() {
                if !self.may_run(&mut st) {
                    self.leave_to_others(st);
                    continue;
                }
                let (node, name) = (st.extra.of, st.extra.twin());
                self.step(st);
                self.pass_on(node, name);
            }
        }
        false
    }

    /// Makes the first states of all nodes.
    pub(crate) fn begin(&mut self) {
        let several = self.context.nodes().len() > 1;
        let mut first = Vec::new();
        for (index, setup) in self.context.nodes().iter().enumerate() {
            let id = NodeId::from_index(index);
            let prefix = if several { format!("{}:", setup.name()) } else { String::new() };
            let (images, record) = (self.context.images, self.context.config.record);
            let mut beginning =
                NodeStart { images, setup, id, symbol_prefix: prefix, record, left_out: 0 };
            let states = self
                .executor
                .with_interp(self.context, setup.program, |cx, _| beginning.states(cx));
            let halt = self.context.limit_in_the_way();
            (0..beginning.left_out).for_each(|_| self.counters.drop(halt.reason()));
            let sides = states.len();
            for FirstState { mut state, trouble } in states {
                state.extra.mark.fork(sides);
                let state = self.number(state);
                if let Some(trouble) = trouble {
                    self.troubles.insert(state, trouble);
                }
                first.push((id, state, Stamp { time: 0, round: setup.start }));
            }
        }
        self.in_universe(|universe, owner| universe.begin(owner, &first));
        self.executor.machine_mut().booting = self.may_boot();
    }

    /// Tells the observer what a step had to say.
    fn pass_on(&mut self, node: NodeId, name: Option<TwinName>) {
        let Primitives { warnings, saved, kernel, .. } = self.executor.machine_mut();
        if warnings.is_empty() && saved.is_empty() && kernel.written.is_empty() {
            return;
        }
        let mut reporter = self.context.reporter();
        for warning in warnings.drain(..) {
            reporter.observer.warning(&warning);
        }
        for files in saved.drain(..) {
            reporter.wishes += 1;
            let wish = FilesOf::Wish(reporter.wishes);
            reporter.observer.files(wish, &files);
        }
        let node = self.context.nodes()[node.index()].name();
        for (stream, bytes) in kernel.written.drain(..) {
            match name {
                None => reporter.observer.output(node, stream, &bytes),
                Some(name) => {
                    let (node, bytes) = (node.to_owned(), bytes.to_vec());
                    let written = WrittenBytes { node, descriptor: stream, bytes };
                    self.twins.row(name).steps.add_written(written);
                }
            }
        }
    }

    fn select(&mut self) -> Option<StateId> {
        let Worker { context, schedule, executor, states, worlds, .. } = self;
        let worlds = (context.nodes().len() > 1).then_some(worlds);
        schedule.select(&mut executor.distances(states, worlds))
    }

    /// Makes a state the current one.
    fn switch_to(&mut self, id: StateId) {
        if self.states.current_id() != Some(id) {
            self.park_current();
            self.states.make_current(id);
        }
    }

    /// Parks the state that ran last, if there is one.
    fn park_current(&mut self) {
        if let Some(current) = self.states.take_current() {
            self.park(current);
        }
    }

    /// Puts a state that ran among the others.
    fn park(&mut self, mut st: Box<PathState>) {
        self.lay_down(&mut st);
        self.states.insert(st);
    }

    /// Takes from a state what only a running one needs.
    fn lay_down(&mut self, st: &mut PathState) {
        self.states.keep_cache(&mut st.mem);
        st.stack.compact();
        if self.context.config.invariants.is_some() {
            st.extra.look = invariants::look(self.context, st);
        }
    }

    /// Numbers a new state.
    fn number(&mut self, st: Box<PathState>) -> StateId {
        let has_name = st.extra.twin().is_some();
        let id = self.states.add(self.context, st);
        self.counters.created(self.states.parked_count(), has_name);
        id
    }

    /// Runs the current state for a while and books what came of it.
    fn step(&mut self, st: Box<PathState>) {
        let Some(mut st) = self.tell_step(st) else { return };
        let (before, name) = (st.instructions, st.extra.twin());
        let ran = self.run_counted(name, |worker| {
            Interrupt::catch(|| match st.extra.due.take() {
                Some(due) => worker.activate(&mut st, &due),
                None => {
                    let fuel = worker.fuel(&st);
                    worker.executor.run(worker.context, &mut st, fuel)
                }
            })
        });
        let Ok((mut pause, mut siblings)) = ran else { return self.lose(st) };
        let executed = st.instructions - before;
        self.with_counters_of(name, |counters| counters.instructions += executed);
        if self.context.config.limits.instructions.is_some() {
            self.context.instructions.fetch_add(executed, Ordering::Relaxed);
        }
        self.prune_sendable(&mut siblings);
        pause = self.judged(&mut st, pause);
        st = self.add_siblings(st, siblings);
        st = self.tell_accepted(st);
        match pause {
            Ok(RunPause::Fuel | RunPause::Forked) => self.keep(st),
            Ok(RunPause::Switched) => {
                self.go_on = true;
                self.states.set_current(st);
            }
            Ok(RunPause::Asked) => {
                // The state goes on, once limits have been looked at.
                self.watch.hurry();
                self.go_on = true;
                self.states.set_current(st);
            }
            Ok(RunPause::Idle) if self.executor.machine().booting && st.extra.boot.is_waiting() => {
                self.await_boot(st);
            }
            Ok(RunPause::Idle) => self.block(st, None),
            Ok(RunPause::End(ending)) => self.end(st, ending),
            Err(stop) => {
                let reason = self.drop_reason(&st, stop);
                self.give_up(st, reason);
            }
        }
    }

    /// Books the states that a state has branched into.
    pub(crate) fn add_siblings(
        &mut self,
        mut st: Box<PathState>,
        mut siblings: Vec<Sibling<NodeState>>,
    ) -> Box<PathState> {
        if !siblings.is_empty() {
            st.extra.mark.fork(siblings.len() + 1);
            let forks = siblings.len() as u64;
            self.with_counters_of(st.extra.twin(), |counters| counters.forks += forks);
            self.name_siblings(&mut siblings);
        }
        for Sibling { mut state, course } in siblings {
            state.extra.mark = st.extra.mark;
            let node = state.extra.node();
            let waits = node.stands_still() || node.is_forked_in_wait();
            if waits && state.extra.due.is_none() {
                // It does not go on by itself: its kernel has to wake it, or it waits.
                let at = state.extra.activated();
                state.extra.due = Some(Arc::new(DueActivation { at, arrivals: Vec::new() }));
            }
            let parent = st.extra.id;
            if self.context.nodes().len() > 1 && matches!(course, SiblingCourse::Ended(_)) {
                // A world is looked for around one that has ended, among all states.
                self.states.insert(st);
                self.add_sibling(parent, state, course);
                st = self.states.remove(parent).expect("a state that runs leaves no world");
            } else {
                self.add_sibling(parent, state, course);
            }
        }
        st
    }

    /// Gives up a state that was left in the midst of a step.
    fn lose(&mut self, st: Box<PathState>) {
        self.watch.hurry();
        match self.context.stopping() {
            // It is half changed, and nobody looks at worlds any more.
            Some(halt) => self.counters.drop(halt.reason()),
            None => {
                // What was growing has been left; what is to be done about it must not be.
                self.context.config.interrupt.press(MemoryPressure::Above);
                self.give_up(st, DropReason::MemoryLimit);
            }
        }
    }

    /// Wakes a state with what has arrived, unless it is over before it has begun.
    fn activate(&mut self, st: &mut PathState, due: &Arc<DueActivation>) -> StepResult {
        st.extra.note_activation(due.at, st.instructions);
        match self.troubles.remove(&st.extra.id) {
            None => self.executor.activate(self.context, st, due),
            Some(Halt::Flow(flow)) => (Ok(paused(flow)), Vec::new()),
            Some(Halt::Stop(stop)) => (Err(stop), Vec::new()),
        }
    }

    fn add_sibling(&mut self, parent: StateId, state: Box<PathState>, course: SiblingCourse) {
        let ended = matches!(course, SiblingCourse::Ended(_));
        if !ended && !self.context.may_fork() {
            return self.counters.drop(DropReason::ForkLimit);
        }
        if !ended && !self.context.has_room() {
            return self.counters.drop(DropReason::StateLimit);
        }
        let too_deep = self.context.config.limits.depth.is_some_and(|limit| state.depth > limit);
        if let StateRunner::Ours(activation) = state.extra.running {
            self.context.shared_states.branched(activation);
        }
        let id = self.number(state);
        self.in_universe(|universe, owner| universe.branched(owner, parent, id));
        match course {
            SiblingCourse::Ended(ending) => {
                let st = self.states.remove(id).expect("just added");
                self.end(st, ending);
            }
            SiblingCourse::On | SiblingCourse::Again if too_deep => {
                let st = self.states.remove(id).expect("just added");
                self.give_up(st, DropReason::DepthLimit);
            }
            SiblingCourse::On | SiblingCourse::Again => self.schedule.add(Some(parent), id),
        }
    }

    pub(crate) fn drop_reason(&self, st: &PathState, stop: Stop) -> DropReason {
        let program = &self.context.images.image(st.program).program;
        match stop {
            Stop::Unsupported(UnsupportedFeature::LibrarySymbol { name }) => {
                DropReason::MissingSymbol(name)
            }
            what @ Stop::PeerLost(_) => {
                let node = self.context.nodes()[st.extra.of.index()].name();
                DropReason::PeerLost(format!("{node}: {what}"))
            }
            Stop::Unsupported(what) => {
                // The program's own place says more than the C library's, where system calls are made.
                let stack = places::stack(program, &st.stack);
                let own = places::own(&stack).map(SourcePlace::to_string);
                let place = own.unwrap_or_else(|| places::place(program, st.pc()));
                DropReason::Unsupported(format!("{what} in {place}"))
            }
            Stop::Solver(SolverError::BudgetReached) => DropReason::SolverTimeout,
            Stop::Solver(SolverError::MemoryReached) => DropReason::MemoryLimit,
            Stop::Solver(error) => DropReason::SolverFailure(error.to_string()),
            Stop::TooManyTargets => {
                DropReason::Omitted(Omission::PointerTargets, places::place(program, st.pc()))
            }
        }
    }

    /// Where what has happened is told.
    fn writer(&mut self) -> FindingWriter<'_, 'a> {
        FindingWriter {
            context: self.context,
            solver: self.executor.solver(),
            counters: &mut self.counters,
        }
    }
}
