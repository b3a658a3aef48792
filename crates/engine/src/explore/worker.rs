//! A worker: the loop over states.
//!
//! This is the only place that loops over states. It asks the searcher which one is next, lets the
//! interpreter run it, and books what came of it: forks, ends, limits. What becomes of a state that
//! does not simply run on is in `endings.rs`.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use everett_base::Interrupt;
use everett_base::hash::Map;
use everett_base::interrupt::MemoryPressure;
use everett_base::rng::Rng;
use everett_interp::{
    Bug, BugKind, Course, Coverage, Ending, Flow, Interp, Notes, Omission, Parts, Pause, ProgramId,
    Sibling, State, Stop, Unsupported,
};
use everett_memory::Cache;
use everett_posix::{Arriving, FaultCounts, Guest, Moment};
use everett_solver::{
    BackendChoice as Backend, ChainOptions, SolverChain, SolverError, SolverStats,
};
use everett_world::{ActivationId, NodeId, Options, Stamp, StateId, Universe};

use crate::api::config::{BackendChoice, EngineConfig, SolverOptions, TestPolicy};
use crate::api::observer::FilesOf;
use crate::api::report::{DropReason, PathOutcome, Progress};
use crate::explore::search::{self, Distances, Searcher};
use crate::explore::start::{Beginning, First};
use crate::parallel::context::Shared;
use crate::parallel::exchange::Halt;
use crate::primitives::Primitives;
use crate::programs::distance::DistanceMap;
use crate::programs::places;
use crate::results::counters::Books;
use crate::results::finding_writer::Desk;
use crate::results::summary;
use crate::state::node_state::{Cx, St};
use crate::state::node_state::{Due, Extra, Message, Running};
use crate::state::setup::Trouble;
use crate::worlds::arrivals;
use crate::worlds::invariants::{self, Invariants};

/// How many choices pass between looks at the clock and the memory.
const CHOICES_BETWEEN_CHECKS: u32 = 64;
/// A quantum beyond this is long enough to look at the clock after each.
const MANY_INSTRUCTIONS: u64 = 1_000_000;
/// When memory runs out, one of so many states is dropped.
const DROPPED_AT_ONCE: usize = 8;
/// How often progress is reported.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);

/// A worker: explores its part of the set of worlds.
pub(crate) struct Worker<'r, 'a> {
    pub(crate) shared: &'r Shared<'a>,
    /// Which of the workers it is.
    pub(crate) number: usize,
    pub(crate) machine: Primitives,
    pub(crate) solver: SolverChain,
    /// Covered code of each program.
    pub(crate) coverage: Vec<Coverage>,
    pub(crate) notes: Notes,
    /// All states but the running one.
    pub(crate) states: Map<StateId, Box<St>>,
    /// The state that ran last, kept out of `states` while it may run again at once.
    pub(crate) current: Option<Box<St>>,
    /// Memory's scratch space, handed from state to state.
    pub(crate) cache: Option<Box<Cache>>,
    /// Which states exist together, and who may run.
    pub(crate) universe: Universe<Message>,
    /// Numbers of states that are this worker's to give.
    pub(crate) ids: Range<u32>,
    /// States that other workers run.
    pub(crate) waiting: Map<ActivationId, StateId>,
    /// What is wrong with states that have not begun yet.
    pub(crate) troubles: Map<StateId, Trouble>,
    pub(crate) searcher: Box<dyn Searcher>,
    /// Distances in each program.
    distances: Vec<DistanceMap>,
    pub(crate) books: Books,
    pub(crate) invariants: Invariants,
    /// The current state runs on without a new choice.
    go_on: bool,
    /// A state that is about to block, while the searcher still knows it.
    pub(crate) blocking: Option<StateId>,
    unchecked: u32,
    /// States that have to be there before a part is given away.
    pub(crate) share_at: i64,
    /// States that have to be there before one is set aside.
    pub(crate) aside_at: i64,
    progress_at: Duration,
    /// When states were last dropped because the watchdog had seen too much memory.
    relieved_at: Duration,
}

/// What a worker has done, at its end.
pub(crate) struct Done {
    pub(crate) books: Books,
    pub(crate) notes: Notes,
    pub(crate) coverage: Vec<Coverage>,
    pub(crate) solver: SolverStats,
    pub(crate) faults: FaultCounts,
}

impl<'r, 'a> Worker<'r, 'a> {
    pub(crate) fn new(shared: &'r Shared<'a>, number: usize, mut machine: Primitives) -> Self {
        let config = shared.config;
        let mut solver = SolverChain::new(chain_options(config), config.clock.clone());
        if let Some(answers) = &shared.answers {
            solver.share(answers.clone());
        }
        machine.start = shared.nodes().iter().map(|setup| setup.node.fs.clone()).collect();
        Worker {
            shared,
            number,
            machine,
            solver,
            coverage: Vec::new(),
            notes: Notes::default(),
            states: Map::default(),
            current: None,
            cache: None,
            universe: universe(shared),
            ids: 0..0,
            waiting: Map::default(),
            troubles: Map::default(),
            searcher: search::build(&config.search, config.seed),
            distances: Vec::new(),
            books: Books::default(),
            invariants: Invariants::default(),
            go_on: false,
            blocking: None,
            unchecked: CHOICES_BETWEEN_CHECKS,
            share_at: config.share_after as i64,
            aside_at: 0,
            progress_at: shared.started,
            relieved_at: Duration::ZERO,
        }
    }

    pub(crate) fn with_coverage(&mut self, program: ProgramId) -> &mut Coverage {
        while self.coverage.len() <= program.index() {
            let id = ProgramId::from_index(self.coverage.len());
            let loaded = &self.shared.images.image(id).program;
            self.coverage.push(Coverage::new(loaded));
            self.distances.push(DistanceMap::new(loaded));
        }
        &mut self.coverage[program.index()]
    }

    /// Lends an interpreter of a program over this worker's parts.
    fn with_interp<R>(
        &mut self,
        program: ProgramId,
        f: impl FnOnce(&mut Cx<'_>, &mut Primitives) -> R,
    ) -> R {
        self.with_coverage(program);
        let mut interp = Interp::new(Parts {
            images: self.shared.images,
            program,
            pool: self.shared.pool,
            solver: &mut self.solver,
            config: &self.shared.config.exec,
            coverage: &mut self.coverage[program.index()],
            notes: &mut self.notes,
        });
        f(&mut interp, &mut self.machine)
    }

    /// Explores until all work of all workers is done, or a limit ends the run.
    pub(crate) fn explore(&mut self) {
        self.unless_left(|worker| {
            while worker.work() {
                match worker.shared.exchange.take(worker.number) {
                    Some(part) => worker.adopt(part),
                    None => break,
                }
            }
        });
    }

    /// Does something that is left, with the state it is about, when the run ends in the midst of it.
    pub(crate) fn unless_left(&mut self, work: impl FnOnce(&mut Self)) {
        if Interrupt::catch(|| work(self)).is_err() {
            let halt = self.shared.limit_in_the_way();
            self.books.drop(halt.reason());
            self.shared.exchange.halt(halt);
        }
    }

    /// Explores until nothing is left that can run, or the run is over, which is `false`.
    pub(crate) fn work(&mut self) -> bool {
        while !self.shared.exchange.is_over() {
            if let Some(halt) = self.check() {
                self.shared.exchange.halt(halt);
                return false;
            }
            if !std::mem::take(&mut self.go_on) {
                let Some(id) = self.select() else {
                    if self.waiting.is_empty() {
                        return true;
                    }
                    self.take_over_next();
                    continue;
                };
                self.switch_to(id);
            }
            if let Some(mut st) = self.current.take() {
                if !self.may_run(&mut st) {
                    self.leave_to_others(st);
                    continue;
                }
                let node = st.extra.of;
                self.step(st);
                self.pass_on(node);
            }
        }
        false
    }

    /// Makes the first states of all nodes.
    pub(crate) fn begin(&mut self) {
        let several = self.shared.nodes().len() > 1;
        let mut first = Vec::new();
        for (index, setup) in self.shared.nodes().iter().enumerate() {
            let id = NodeId::from_index(index);
            let prefix = if several { format!("{}:", setup.name()) } else { String::new() };
            let (images, record) = (self.shared.images, self.shared.config.record);
            let mut beginning =
                Beginning { images, setup, id, symbol_prefix: prefix, record, left_out: 0 };
            let states = self.with_interp(setup.program, |cx, _| beginning.states(cx));
            let halt = self.shared.limit_in_the_way();
            (0..beginning.left_out).for_each(|_| self.books.drop(halt.reason()));
            for First { state, trouble } in states {
                let state = self.number(state);
                if let Some(trouble) = trouble {
                    self.troubles.insert(state, trouble);
                }
                first.push((id, state, Stamp { time: 0, round: setup.start }));
            }
        }
        self.in_universe(|universe, owner| universe.begin(owner, &first));
    }

    /// Tells the observer what a step had to say.
    fn pass_on(&mut self, node: NodeId) {
        let Primitives { warnings, saved, kernel, .. } = &mut self.machine;
        if warnings.is_empty() && saved.is_empty() && kernel.written.is_empty() {
            return;
        }
        let mut front = self.shared.front();
        for warning in warnings.drain(..) {
            front.observer.warning(&warning);
        }
        for files in saved.drain(..) {
            front.wishes += 1;
            let wish = FilesOf::Wish(front.wishes);
            front.observer.files(wish, &files);
        }
        for (stream, bytes) in kernel.written.drain(..) {
            front.observer.output(self.shared.nodes()[node.index()].name(), stream, &bytes);
        }
    }

    fn select(&mut self) -> Option<StateId> {
        let Worker { shared, searcher, distances, coverage, states, current, universe, .. } = self;
        let current = current.as_deref();
        let universe = (shared.nodes().len() > 1).then_some(universe);
        searcher.select(&mut StackDistances { distances, coverage, states, current, universe })
    }

    /// Makes a state the running one, with memory's scratch space.
    fn switch_to(&mut self, id: StateId) {
        if self.current.as_ref().is_some_and(|st| st.extra.id == id) {
            return;
        }
        if let Some(old) = self.current.take() {
            self.park(old);
        }
        let mut next = self.states.remove(&id);
        if let (Some(st), Some(cache)) = (&mut next, self.cache.take()) {
            st.mem.adopt_cache(cache);
        }
        self.current = next;
    }

    /// Puts the running state back among the others.
    pub(crate) fn park(&mut self, mut st: Box<St>) {
        self.lay_down(&mut st);
        self.states.insert(st.extra.id, st);
    }

    /// Takes from a state what only a running one needs.
    pub(crate) fn lay_down(&mut self, st: &mut St) {
        if let Some(cache) = st.mem.release_cache() {
            self.cache = Some(cache);
        }
        st.stack.compact();
        if self.shared.config.invariants.is_some() {
            st.extra.look = invariants::look(self.shared, st);
        }
    }

    /// Numbers a new state.
    fn number(&mut self, mut st: Box<St>) -> StateId {
        let id = self.shared.new_id(&mut self.ids);
        self.shared.remember();
        st.extra.id = id;
        self.states.insert(id, st);
        self.books.created(self.states.len() as u64);
        id
    }

    /// Runs the current state for a while and books what came of it.
    fn step(&mut self, mut st: Box<St>) {
        let before = st.instructions;
        let ran = Interrupt::catch(|| match st.extra.due.take() {
            Some(due) => self.activate(&mut st, due),
            None => self.run_for_a_while(&mut st),
        });
        let Ok((pause, siblings)) = ran else { return self.lose(st) };
        let executed = st.instructions - before;
        self.books.instructions += executed;
        if self.shared.config.limits.instructions.is_some() {
            self.shared.instructions.fetch_add(executed, Ordering::Relaxed);
        }
        for Sibling { mut state, course } in siblings {
            self.books.forks += 1;
            if state.extra.node().stands_still() && state.extra.due.is_none() {
                // It has nothing to do but to wait.
                let at = state.extra.activated();
                state.extra.due = Some(Arc::new(Due { at, arrivals: Vec::new() }));
            }
            let parent = st.extra.id;
            if self.shared.nodes().len() > 1 && matches!(course, Course::Ended(_)) {
                // A world is looked for around one that has ended, among all states.
                self.states.insert(parent, st);
                self.add_sibling(parent, state, course);
                st = self.states.remove(&parent).expect("a state that runs leaves no world");
            } else {
                self.add_sibling(parent, state, course);
            }
        }
        match pause {
            Ok(Pause::Fuel | Pause::Forked) => self.keep(st),
            Ok(Pause::Switched) => {
                self.go_on = true;
                self.current = Some(st);
            }
            Ok(Pause::Asked) => {
                // The state goes on, once limits have been looked at.
                self.unchecked = CHOICES_BETWEEN_CHECKS;
                self.go_on = true;
                self.current = Some(st);
            }
            Ok(Pause::Idle) if self.machine.booting && st.extra.boot.is_waiting() => {
                self.await_boot(st);
            }
            Ok(Pause::Idle) => self.block(st, None),
            Ok(Pause::End(ending)) => self.end(st, ending),
            Err(stop) => {
                let reason = self.drop_reason(&st, stop);
                self.give_up(st, reason);
            }
        }
    }

    /// Gives up a state that was left in the midst of a step.
    fn lose(&mut self, st: Box<St>) {
        self.unchecked = CHOICES_BETWEEN_CHECKS;
        match self.shared.stopping() {
            // It is half changed, and nobody looks at worlds any more.
            Some(halt) => self.books.drop(halt.reason()),
            None => {
                // What was growing has been left; what is to be done about it must not be.
                self.shared.config.interrupt.press(MemoryPressure::Above);
                self.give_up(st, DropReason::MemoryLimit);
            }
        }
    }

    fn run_for_a_while(&mut self, st: &mut St) -> Step {
        let fuel = self.fuel(st);
        self.with_interp(st.program, |cx, machine| {
            let mut pause = cx.run(machine, st, fuel);
            if matches!(pause, Ok(Pause::Fuel)) && machine.kernel.slice_is_over(st) {
                pause = machine.kernel.yield_now(cx, st).map(paused);
            }
            (pause, std::mem::take(&mut cx.siblings))
        })
    }

    /// Wakes a state with what has arrived.
    fn activate(&mut self, st: &mut St, due: Arc<Due>) -> Step {
        st.extra.note_activation(due.at, st.instructions);
        match self.troubles.remove(&st.extra.id) {
            None => {}
            Some(Trouble::Flow(flow)) => return (Ok(paused(flow)), Vec::new()),
            Some(Trouble::Stop(stop)) => return (Err(stop), Vec::new()),
        }
        let Shared { pool, constraints, .. } = self.shared;
        arrivals::take_note(self.shared, st, &due.arrivals);
        if st.extra.node().faults().can_sever() {
            match arrivals::agree(st, &mut self.solver, pool, constraints, &due.arrivals) {
                Ok(true) => {}
                Ok(false) => return (Ok(Pause::End(Ending::Silent)), Vec::new()),
                Err(stop) => return (Err(stop), Vec::new()),
            }
        }
        let (chosen, mut siblings) = self.choose_arrivals(st, &due);
        match chosen {
            Ok(None) => {}
            Ok(Some(flow)) => return (Ok(paused(flow)), siblings),
            Err(stop) => return (Err(stop), siblings),
        }
        let taken = arrivals::take_over(st, &mut self.solver, pool, constraints, &due.arrivals);
        match taken {
            Ok(true) => {}
            Ok(false) => return (Ok(Pause::End(Ending::Silent)), siblings),
            Err(stop) => return (Err(stop), siblings),
        }
        if st.extra.boot.begins_after(due.at) {
            st.extra.node_mut().deliver(arriving(&due));
            return (Ok(Pause::Idle), siblings);
        }
        self.with_interp(st.program, |cx, machine| {
            let pause = machine.kernel.wake(cx, st, due.at.time, arriving(&due)).map(paused);
            siblings.append(&mut cx.siblings);
            (pause, siblings)
        })
    }

    /// Decides what becomes of messages on their way. States in which something else becomes of them are
    /// activated with the same messages.
    fn choose_arrivals(
        &mut self,
        st: &mut St,
        due: &Arc<Due>,
    ) -> (Result<Option<Flow>, Stop>, Vec<Sibling<Extra>>) {
        let node = st.extra.node();
        let nothing = due.arrivals.is_empty() && !node.has_held(due.at.time);
        if nothing || !node.faults().are_used() {
            return (Ok(None), Vec::new());
        }
        self.with_interp(st.program, |cx, machine| {
            let at = Moment { time: due.at.time, round: due.at.round };
            let chosen = machine.kernel.choose_arrivals(cx, st, at, arriving(due));
            let mut siblings = std::mem::take(&mut cx.siblings);
            for sibling in &mut siblings {
                sibling.state.extra.due = Some(due.clone());
            }
            (chosen, siblings)
        })
    }

    fn fuel(&self, st: &St) -> u64 {
        let slice = st.extra.node().slice_end().saturating_sub(st.instructions).max(1);
        let mut fuel = self.shared.config.quantum.min(slice);
        if let Some(limit) = self.shared.config.limits.instructions {
            fuel = fuel.min(limit.saturating_sub(self.instructions_of_all()).max(1));
        }
        if let Some(limit) = self.shared.config.limits.path_instructions {
            fuel = fuel.min(limit.saturating_sub(st.instructions).max(1));
        }
        fuel
    }

    fn add_sibling(&mut self, parent: StateId, state: Box<St>, course: Course) {
        let limits = &self.shared.config.limits;
        let ended = matches!(course, Course::Ended(_));
        if !ended
            && let Some(limit) = limits.forks
            && self.shared.forks.fetch_add(1, Ordering::Relaxed) >= limit
        {
            return self.books.drop(DropReason::ForkLimit);
        }
        if !ended && limits.states.is_some_and(|limit| self.live_of_all() + 1 >= limit) {
            return self.books.drop(DropReason::StateLimit);
        }
        let too_deep = limits.depth.is_some_and(|limit| state.depth > limit);
        if let Running::Ours(activation) = state.extra.running {
            self.shared.twins.branched(activation);
        }
        let id = self.number(state);
        self.in_universe(|universe, owner| universe.branched(owner, parent, id));
        match course {
            Course::Ended(ending) => {
                let st = self.states.remove(&id).expect("just added");
                self.end(st, ending);
            }
            Course::On | Course::Again if too_deep => {
                let st = self.states.remove(&id).expect("just added");
                self.give_up(st, DropReason::DepthLimit);
            }
            Course::On | Course::Again => self.searcher.added(Some(parent), id),
        }
    }

    /// Keeps a state that goes on, unless it has reached a limit of its own.
    fn keep(&mut self, st: Box<St>) {
        let limits = &self.shared.config.limits;
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
                self.end(st, Ending::Bug(Box::new(Bug::new(BugKind::Hang, message))));
            }
            None => {
                self.searcher.ran(st.extra.id);
                self.current = Some(st);
            }
        }
    }

    fn instructions_of_all(&self) -> u64 {
        self.shared.instructions.load(Ordering::Relaxed)
    }

    /// Live states of all workers.
    fn live_of_all(&self) -> u64 {
        self.shared.live.load(Ordering::Relaxed)
    }

    pub(crate) fn live(&self) -> u64 {
        self.states.len() as u64 + u64::from(self.current.is_some())
    }

    fn drop_reason(&self, st: &St, stop: Stop) -> DropReason {
        let program = &self.shared.images.image(st.program).program;
        match stop {
            Stop::Unsupported(Unsupported::LibrarySymbol { name }) => {
                DropReason::MissingSymbol(name)
            }
            Stop::Unsupported(what) => {
                DropReason::Unsupported(format!("{what} in {}", places::place(program, st.pc())))
            }
            Stop::Solver(SolverError::BudgetReached) => DropReason::SolverTimeout,
            Stop::Solver(error) => DropReason::SolverFailure(error.to_string()),
            Stop::TooManyTargets => {
                DropReason::Omitted(Omission::PointerTargets, places::place(program, st.pc()))
            }
        }
    }

    /// Looks at limits, the user's wish to stop and the clock, every now and then.
    fn check(&mut self) -> Option<Halt> {
        if self
            .shared
            .config
            .limits
            .instructions
            .is_some_and(|limit| self.instructions_of_all() >= limit)
        {
            return Some(Halt::Limit(DropReason::InstructionLimit));
        }
        self.share_work();
        self.unchecked += 1;
        let interrupt = &self.shared.config.interrupt;
        if self.unchecked < CHOICES_BETWEEN_CHECKS
            && self.shared.config.quantum <= MANY_INSTRUCTIONS
            && !interrupt.is_raised()
        {
            return None;
        }
        self.unchecked = 0;
        if let Some(halt) = self.shared.stopping() {
            return Some(halt);
        }
        if self.shared.front().observer.interrupted() {
            return Some(Halt::Interrupted);
        }
        let now = self.shared.config.clock.now();
        self.relieve(now);
        let elapsed = now.saturating_sub(self.shared.started);
        if let Some(limit) = self.shared.config.limits.time {
            let left = limit.saturating_sub(elapsed);
            if left.is_zero() {
                return Some(Halt::Limit(DropReason::TimeLimit));
            }
            // A query must not outlast the run.
            self.solver.set_query_time(Some(self.shared.config.solver.timeout.min(left)));
        }
        if now.saturating_sub(self.progress_at) >= PROGRESS_EVERY {
            self.progress_at = now;
            let own = self.progress(elapsed);
            let all = self.shared.tally(self.number, own);
            {
                let mut front = self.shared.front();
                let memory = front.observer.memory();
                let (findings, tests) = (front.findings.len() as u64, front.tests);
                front.observer.progress(&Progress { memory, findings, tests, ..all });
            }
            if self.relieved_at != now {
                self.limit_memory();
            }
        }
        None
    }

    /// Drops states when the watchdog has seen that memory is above its limit. What is freed takes a
    /// moment to get back to the system, so some time passes between two times, unless it is urgent.
    fn relieve(&mut self, now: Duration) {
        let interrupt = &self.shared.config.interrupt;
        let pressure = interrupt.pressure();
        if pressure == MemoryPressure::None {
            return;
        }
        // The watchdog looks again soon.
        interrupt.press(MemoryPressure::None);
        if pressure == MemoryPressure::FarAbove || now >= self.relieved_at + PROGRESS_EVERY {
            self.relieved_at = now;
            self.limit_memory();
        }
    }

    /// Drops the newest states while memory is above its limit.
    fn limit_memory(&mut self) {
        if !self.shared.is_full() {
            return;
        }
        // The one that ran last may lose its worlds, too.
        if let Some(current) = self.current.take() {
            self.park(current);
        }
        let mut ids: Vec<StateId> = self.states.keys().copied().collect();
        ids.sort_unstable();
        for id in ids.iter().rev().take(ids.len().div_ceil(DROPPED_AT_ONCE)) {
            let id = *id;
            if self.states.contains_key(&id) {
                self.set_outcome(id, PathOutcome::Dropped(DropReason::MemoryLimit));
                self.in_universe(|universe, owner| universe.killed(owner, id));
            }
        }
    }

    fn progress(&self, elapsed: Duration) -> Progress {
        let stats = self.solver.stats();
        Progress {
            elapsed,
            paths: self.books.paths,
            paths_failed: self.books.paths_failed,
            paths_silent: self.books.paths_silent,
            paths_cut: self.books.paths_cut,
            paths_ignored: self.books.paths_ignored,
            forks: self.books.forks,
            events_sent: self.books.events_sent,
            states_created: self.books.states_created.max(0).unsigned_abs(),
            states_peak: self.books.states_peak,
            nodes: self.shared.nodes().len() as u64,
            tests: 0,
            states: self.live() + self.books.aside.states,
            instructions: self.books.instructions,
            queries: stats.backend_queries(),
            solver_time: stats.backend_time(),
            symbolic_inputs: self.shared.pool.symbol_count() as u64,
            workers: self.shared.workers() as u64,
            coverage: summary::coverage(self.shared.images, &self.coverage),
            memory: 0,
            findings: 0,
            dropped: self.books.dropped.clone(),
        }
    }

    pub(crate) fn desk(&mut self) -> Desk<'_, 'a> {
        Desk { shared: self.shared, solver: &mut self.solver, books: &mut self.books }
    }
}

pub(crate) fn universe(shared: &Shared<'_>) -> Universe<Message> {
    let options = Options {
        mapping: shared.config.mapping,
        detect_stalled: shared.config.detect_stalled,
        grace: shared.config.idle.map(nanoseconds),
        horizon: shared.config.virtual_time.map(nanoseconds),
        ..Options::default()
    };
    let mut universe = Universe::new(shared.nodes().len() as u32, options);
    let wanted = matches!(shared.config.tests, TestPolicy::All | TestPolicy::New);
    universe.report_final(wanted && shared.nodes().len() > 1);
    universe
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// What a step of a state came to, and the states that it branched into.
type Step = (Result<Pause, Stop>, Vec<Sibling<Extra>>);

/// What a state is woken with.
fn arriving(due: &Due) -> impl Iterator<Item = Arriving<'_>> {
    due.arrivals.iter().map(|arrival| Arriving { from: arrival.from.0, event: &arrival.event })
}

/// What the kernel's answer means for the loop.
fn paused(flow: Flow) -> Pause {
    match flow {
        Flow::End(ending) => Pause::End(ending),
        Flow::Idle => Pause::Idle,
        _ => Pause::Fuel,
    }
}

/// Distances of states for the searcher.
struct StackDistances<'a> {
    distances: &'a mut [DistanceMap],
    coverage: &'a [Coverage],
    states: &'a Map<StateId, Box<St>>,
    current: Option<&'a St>,
    /// The worlds, if there are several nodes.
    universe: Option<&'a mut Universe<Message>>,
}

impl<'a> StackDistances<'a> {
    fn state(&self, state: StateId) -> Option<&'a State<Extra>> {
        let current = self.current.filter(|st| st.extra.id == state);
        current.or_else(|| self.states.get(&state).map(|st| &**st))
    }
}

impl Distances for StackDistances<'_> {
    fn on_random_path(&mut self, rng: &mut Rng) -> Option<StateId> {
        let (states, current) = (self.states, self.current);
        let may = |id: StateId| {
            let current = current.filter(|st| st.extra.id == id);
            current.or(states.get(&id).map(|st| &**st)).is_some_and(|st| st.extra.ready)
        };
        self.universe.as_mut()?.pick(rng, &may)
    }

    fn faults(&mut self, state: StateId) -> u32 {
        let total = |st: &State<Extra>| st.extra.node().faults().total();
        let Some(st) = self.state(state) else { return u32::MAX };
        let weight = |id: StateId| self.state(id).map_or(0, total);
        let universe = self.universe.as_deref();
        universe.and_then(|universe| universe.least_sum(state, &weight)).unwrap_or(total(st))
    }

    fn to_uncovered(&mut self, state: StateId) -> u32 {
        let Some(st) = self.state(state) else { return u32::MAX };
        let program = st.program.index();
        let (Some(distances), Some(coverage)) =
            (self.distances.get_mut(program), self.coverage.get(program))
        else {
            // A program that was not executed yet.
            return 0;
        };
        distances.update(coverage);
        distances.of_stack(&st.stack)
    }
}

fn chain_options(config: &EngineConfig) -> ChainOptions {
    let SolverOptions { backend, timeout, caches } = &config.solver;
    let base = if *caches { ChainOptions::default() } else { ChainOptions::bare() };
    let backend = match backend {
        BackendChoice::Auto => Backend::Auto,
        BackendChoice::Bitblast => Backend::Bitblast,
        BackendChoice::Boolector => Backend::Boolector,
        BackendChoice::Check => Backend::Checking,
    };
    let interrupt = config.interrupt.clone();
    ChainOptions { backend, query_time: Some(*timeout), interrupt, ..base }
}
