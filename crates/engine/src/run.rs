//! One run: the loop over states.
//!
//! This is the only place that loops over states. It asks the searcher which one is next, lets the
//! interpreter run it, and books what came of it: forks, ends, limits.

use std::time::Duration;

use everett_base::hash::Map;
use everett_expr::Pool;
use everett_fs::Fs;
use everett_interp::{
    Course, Coverage, Ending, Flow, Images, Interp, Notes, Parts, Pause, ProgramId, Sibling, State,
    StateId, Stop,
};
use everett_memory::{ByteValue, Cache};
use everett_posix::{Guest, Wake};
use everett_solver::{BackendChoice as Backend, ChainOptions, SolverChain, SolverError};

use crate::books::Books;
use crate::config::{BackendChoice, EngineConfig, SolverOptions};
use crate::desk::Desk;
use crate::distance::DistanceMap;
use crate::extra::Extra;
use crate::observer::{FilesOf, Observer};
use crate::primitives::{Cx, Primitives, St};
use crate::report::{DropReason, Outcome, Progress, Summary};
use crate::search::{self, Distances, Searcher};
use crate::start::{First, Trouble};
use crate::{summary, trace};

/// How many choices pass between looks at the clock and the memory.
const CHOICES_BETWEEN_CHECKS: u32 = 64;
/// A quantum beyond this is long enough to look at the clock after each.
const MANY_INSTRUCTIONS: u64 = 1_000_000;
/// When memory runs out, one of so many states is dropped.
const DROPPED_AT_ONCE: usize = 8;
/// How often progress is reported.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);

/// A run in progress.
pub(crate) struct Run<'a> {
    images: &'a Images,
    pool: &'a Pool,
    config: &'a EngineConfig,
    /// The files as they were at the start.
    files: &'a Fs<ByteValue>,
    observer: &'a mut dyn Observer,
    solver: SolverChain,
    /// Covered code of each program.
    coverage: Vec<Coverage>,
    notes: Notes,
    states: Map<StateId, Box<St>>,
    /// The state that ran last, kept out of `states` while it may run again at once.
    current: Option<Box<St>>,
    /// Memory's scratch space, handed from state to state.
    cache: Option<Box<Cache>>,
    searcher: Box<dyn Searcher>,
    /// Distances in each program.
    distances: Vec<DistanceMap>,
    books: Books,
    next_id: u32,
    /// The current state runs on without a new choice.
    go_on: bool,
    unchecked: u32,
    started: Duration,
    progress_at: Duration,
}

/// Why the loop stops before all states are gone.
enum Halt {
    Limit(DropReason),
    Interrupted,
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        images: &'a Images,
        pool: &'a Pool,
        config: &'a EngineConfig,
        files: &'a Fs<ByteValue>,
        observer: &'a mut dyn Observer,
    ) -> Run<'a> {
        let started = config.clock.now();
        Run {
            images,
            pool,
            config,
            files,
            observer,
            solver: SolverChain::new(chain_options(config), config.clock.clone()),
            coverage: Vec::new(),
            notes: Notes::default(),
            states: Map::default(),
            current: None,
            cache: None,
            searcher: search::build(&config.search, config.seed),
            distances: Vec::new(),
            books: Books::default(),
            next_id: 0,
            go_on: false,
            unchecked: CHOICES_BETWEEN_CHECKS,
            started,
            progress_at: started,
        }
    }

    /// Lends an interpreter of a program over this run's parts.
    pub(crate) fn with_interp<R>(
        &mut self,
        program: ProgramId,
        f: impl FnOnce(&mut Cx<'_>) -> R,
    ) -> R {
        while self.coverage.len() <= program.index() {
            let id = ProgramId::from_index(self.coverage.len());
            let loaded = &self.images.image(id).program;
            self.coverage.push(Coverage::new(loaded));
            self.distances.push(DistanceMap::new(loaded));
        }
        f(&mut Interp::new(Parts {
            images: self.images,
            program,
            pool: self.pool,
            solver: &mut self.solver,
            config: &self.config.exec,
            coverage: &mut self.coverage[program.index()],
            notes: &mut self.notes,
        }))
    }

    /// Explores from the first states on.
    pub(crate) fn explore(mut self, mut machine: Primitives, first: Vec<First>) -> Summary {
        for First { state, trouble } in first {
            match trouble {
                None => self.add(None, state),
                Some(Trouble::Flow(Flow::End(ending))) => self.end_path(state, ending),
                Some(Trouble::Flow(_)) => self.add(None, state),
                Some(Trouble::Stop(stop)) => {
                    let reason = self.drop_reason(&state, stop);
                    self.drop_path(state, reason);
                }
            }
        }
        let halt = loop {
            if let Some(halt) = self.check() {
                break Some(halt);
            }
            if !std::mem::take(&mut self.go_on) {
                let Some(id) = self.select() else { break None };
                self.switch_to(id);
            }
            if let Some(st) = self.current.take() {
                self.step(&mut machine, st);
            }
            for warning in machine.warnings.drain(..) {
                self.observer.warning(&warning);
            }
            for files in machine.saved.drain(..) {
                self.books.wishes += 1;
                self.observer.files(FilesOf::Wish(self.books.wishes), &files);
            }
            for (stream, bytes) in machine.kernel.written.drain(..) {
                self.observer.output(stream, &bytes);
            }
        };
        self.books.names_chosen(machine.kernel.names_chosen);
        self.finish(halt)
    }

    fn select(&mut self) -> Option<StateId> {
        let Run { searcher, distances, coverage, states, current, .. } = self;
        let current = current.as_deref();
        searcher.select(&mut StackDistances { distances, coverage, states, current })
    }

    /// Makes a state the running one, with memory's scratch space.
    fn switch_to(&mut self, id: StateId) {
        if self.current.as_ref().is_some_and(|st| st.id == id) {
            return;
        }
        if let Some(mut old) = self.current.take() {
            self.cache = old.mem.release_cache();
            old.stack.compact();
            self.states.insert(old.id, old);
        }
        let mut next = self.states.remove(&id);
        if let (Some(st), Some(cache)) = (&mut next, self.cache.take()) {
            st.mem.adopt_cache(cache);
        }
        self.current = next;
    }

    fn add(&mut self, parent: Option<StateId>, mut st: Box<St>) {
        st.id = StateId(self.next_id);
        self.next_id += 1;
        self.searcher.added(parent, st.id);
        self.states.insert(st.id, st);
        let running = u64::from(parent.is_some());
        self.books.created(self.states.len() as u64 + running);
    }

    /// Runs the current state for a while and books what came of it.
    fn step(&mut self, machine: &mut Primitives, mut st: Box<St>) {
        let before = st.instructions;
        let fuel = self.fuel(&st);
        let (pause, siblings) = self.with_interp(st.program, |cx| {
            let mut pause = cx.run(machine, &mut st, fuel);
            if matches!(pause, Ok(Pause::Fuel)) && machine.kernel.slice_is_over(&st) {
                pause = machine.kernel.yield_now(cx, &mut st).map(paused);
            }
            while matches!(pause, Ok(Pause::Idle))
                && let Wake::At(time) = st.extra.node().next_wake()
            {
                pause = machine.kernel.wake(cx, &mut st, time).map(paused);
            }
            (pause, std::mem::take(&mut cx.siblings))
        });
        self.books.instructions += st.instructions - before;
        for Sibling { state, course } in siblings {
            self.books.forks += 1;
            match course {
                Course::On | Course::Again => self.add_sibling(&st, state),
                Course::Ended(ending) => {
                    self.books.created(self.live() + 2);
                    self.end_path(state, ending);
                }
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
            Ok(Pause::Idle) => {
                self.remove(&mut st);
                let ending = match st.extra.node().exit_code() {
                    Some(code) => Ending::Exit(code),
                    None => Ending::Bug(Box::new(everett_posix::stalled(self.images, &mut st))),
                };
                self.end_path(st, ending);
            }
            Ok(Pause::End(ending)) => {
                self.remove(&mut st);
                self.end_path(st, ending);
            }
            Err(stop) => {
                let reason = self.drop_reason(&st, stop);
                self.remove(&mut st);
                self.drop_path(st, reason);
            }
        }
    }

    fn fuel(&self, st: &St) -> u64 {
        let slice = st.extra.node().slice_end().saturating_sub(st.instructions).max(1);
        let mut fuel = self.config.quantum.min(slice);
        if let Some(limit) = self.config.limits.instructions {
            fuel = fuel.min(limit.saturating_sub(self.books.instructions).max(1));
        }
        if let Some(limit) = self.config.limits.path_instructions {
            fuel = fuel.min(limit.saturating_sub(st.instructions).max(1));
        }
        fuel
    }

    fn add_sibling(&mut self, parent: &St, state: Box<St>) {
        let limits = &self.config.limits;
        if limits.forks.is_some_and(|limit| self.books.forks > limit) {
            return self.books.drop(DropReason::ForkLimit);
        }
        if limits.states.is_some_and(|limit| self.live() + 1 >= limit) {
            return self.books.drop(DropReason::StateLimit);
        }
        if limits.depth.is_some_and(|limit| state.depth > limit) {
            return self.drop_path(state, DropReason::DepthLimit);
        }
        self.add(Some(parent.id), state);
    }

    /// Keeps a state that goes on, unless it has reached a limit of its own.
    fn keep(&mut self, mut st: Box<St>) {
        let limits = &self.config.limits;
        let reason = if limits.depth.is_some_and(|limit| st.depth > limit) {
            Some(DropReason::DepthLimit)
        } else if limits.path_instructions.is_some_and(|limit| st.instructions >= limit) {
            Some(DropReason::PathInstructionLimit)
        } else {
            None
        };
        match reason {
            Some(reason) => {
                self.remove(&mut st);
                self.drop_path(st, reason);
            }
            None => {
                self.searcher.ran(st.id);
                self.current = Some(st);
            }
        }
    }

    /// Takes a state that is over out of the search, and its scratch space with it.
    fn remove(&mut self, st: &mut St) {
        self.searcher.removed(st.id);
        self.cache = st.mem.release_cache();
    }

    fn live(&self) -> u64 {
        self.states.len() as u64 + u64::from(self.current.is_some())
    }

    fn drop_reason(&self, st: &St, stop: Stop) -> DropReason {
        match stop {
            Stop::Unsupported(what) => {
                let program = &self.images.image(st.program).program;
                let place = trace::op(program, st.pc()).swap_remove(0);
                DropReason::Unsupported(format!("{what} in {place}"))
            }
            Stop::Solver(SolverError::BudgetReached) => DropReason::SolverTimeout,
            Stop::Solver(error) => DropReason::SolverFailure(error.to_string()),
            Stop::TooManyTargets => DropReason::PointerTargets,
        }
    }

    /// Looks at limits, the user's wish to stop and the clock, every now and then.
    fn check(&mut self) -> Option<Halt> {
        if self.config.limits.instructions.is_some_and(|limit| self.books.instructions >= limit) {
            return Some(Halt::Limit(DropReason::InstructionLimit));
        }
        self.unchecked += 1;
        if self.unchecked < CHOICES_BETWEEN_CHECKS && self.config.quantum <= MANY_INSTRUCTIONS {
            return None;
        }
        self.unchecked = 0;
        if self.observer.interrupted() {
            return Some(Halt::Interrupted);
        }
        let now = self.config.clock.now();
        let elapsed = now.saturating_sub(self.started);
        if let Some(limit) = self.config.limits.time {
            let left = limit.saturating_sub(elapsed);
            if left.is_zero() {
                return Some(Halt::Limit(DropReason::TimeLimit));
            }
            // A query must not outlast the run.
            self.solver.set_query_time(Some(self.config.solver.timeout.min(left)));
        }
        if now.saturating_sub(self.progress_at) >= PROGRESS_EVERY {
            self.progress_at = now;
            let progress = self.progress(elapsed);
            self.limit_memory(progress.memory);
            self.observer.progress(&progress);
        }
        None
    }

    /// Drops the newest states while memory is above its limit.
    fn limit_memory(&mut self, bytes: u64) {
        if self.config.limits.memory.is_none_or(|limit| bytes <= limit) {
            return;
        }
        let mut ids: Vec<StateId> = self.states.keys().copied().collect();
        ids.sort_unstable();
        for id in ids.iter().rev().take(ids.len().div_ceil(DROPPED_AT_ONCE)) {
            if let Some(st) = self.states.remove(id) {
                self.searcher.removed(*id);
                self.drop_path(st, DropReason::MemoryLimit);
            }
        }
    }

    fn progress(&self, elapsed: Duration) -> Progress {
        let stats = self.solver.stats();
        Progress {
            elapsed,
            paths: self.books.paths,
            states: self.live(),
            instructions: self.books.instructions,
            queries: stats.backend_queries(),
            solver_time: stats.backend_time(),
            coverage: summary::coverage(self.images, &self.coverage),
            memory: self.observer.memory(),
            findings: self.books.findings.len() as u64,
            dropped: self.books.dropped.values().sum(),
        }
    }

    fn finish(mut self, halt: Option<Halt>) -> Summary {
        self.books.take_notes(&self.notes);
        let (outcome, limit) = match halt {
            None => self.books.exhausted(),
            Some(Halt::Limit(reason)) => (Outcome::Limit, Some(reason)),
            Some(Halt::Interrupted) => (Outcome::Stopped, None),
        };
        // What is still alive is given up; each state leaves a test if paths do.
        let reason = limit.clone().unwrap_or(DropReason::Interrupted);
        let mut left: Vec<Box<St>> = self.states.drain().map(|(_, st)| st).collect();
        left.extend(self.current.take());
        left.sort_unstable_by_key(|st| st.id);
        for st in left {
            self.drop_path(st, reason.clone());
        }
        let elapsed = self.config.clock.now().saturating_sub(self.started);
        let parts = summary::Parts {
            images: self.images,
            coverage: &self.coverage,
            solver: self.solver.stats(),
            wall_time: elapsed,
            outcome,
            limit,
        };
        summary::build(self.books, &parts)
    }

    /// Books a path that is over, with its finding and its test.
    fn end_path(&mut self, st: Box<St>, ending: Ending) {
        self.desk().end(st, ending);
    }

    fn drop_path(&mut self, st: Box<St>, reason: DropReason) {
        self.desk().drop(st, reason);
    }

    fn desk(&mut self) -> Desk<'_> {
        Desk {
            images: self.images,
            pool: self.pool,
            config: self.config,
            files: self.files,
            solver: &mut self.solver,
            observer: self.observer,
            books: &mut self.books,
        }
    }
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
}

impl Distances for StackDistances<'_> {
    fn to_uncovered(&mut self, state: StateId) -> u32 {
        let current = self.current.filter(|st| st.id == state);
        let st: Option<&State<Extra>> = current.or_else(|| self.states.get(&state).map(|st| &**st));
        let Some(st) = st else { return u32::MAX };
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
    ChainOptions { backend, query_time: Some(*timeout), cancel: config.cancel.clone(), ..base }
}
