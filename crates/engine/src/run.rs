//! One run: the loop over states.
//!
//! This is the only place that loops over states. It asks the searcher which one is next, lets the
//! interpreter run it, and books what came of it: forks, ends, limits.

use std::sync::Arc;
use std::time::Duration;

use everett_base::hash::Map;
use everett_expr::Pool;
use everett_interp::{
    Bug, BugKind, Course, Coverage, Ending, Flow, Images, Interp, Notes, Parts, Pause, ProgramId,
    Sibling, State, Stop,
};
use everett_memory::Cache;
use everett_posix::Guest;
use everett_solver::{BackendChoice as Backend, ChainOptions, SolverChain, SolverError};
use everett_world::{Change, Gone, NodeId, Options, Stamp, StateId, Universe};

use crate::books::Books;
use crate::config::{BackendChoice, EngineConfig, SolverOptions};
use crate::desk::Desk;
use crate::distance::DistanceMap;
use crate::extra::{Due, Extra, Message};
use crate::observer::{FilesOf, Observer};
use crate::primitives::{Cx, Primitives, St};
use crate::report::{DropReason, Outcome, PathOutcome, Place, Progress, Summary};
use crate::search::{self, Distances, Searcher};
use crate::start::{Beginning, First, Setup, Trouble};
use crate::worlds::{self, Constraints, Owner};
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
    nodes: &'a [Setup],
    observer: &'a mut dyn Observer,
    solver: SolverChain,
    /// Covered code of each program.
    coverage: Vec<Coverage>,
    notes: Notes,
    /// All states but the running one.
    states: Map<StateId, Box<St>>,
    /// The state that ran last, kept out of `states` while it may run again at once.
    current: Option<Box<St>>,
    /// Memory's scratch space, handed from state to state.
    cache: Option<Box<Cache>>,
    /// Which states exist together, and who may run.
    universe: Universe<Message>,
    constraints: Constraints,
    /// What is wrong with states that have not begun yet.
    troubles: Map<StateId, Trouble>,
    searcher: Box<dyn Searcher>,
    /// The state that blocks at this moment, as long as the searcher knows it.
    blocking: Option<StateId>,
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
        nodes: &'a [Setup],
        observer: &'a mut dyn Observer,
    ) -> Run<'a> {
        let started = config.clock.now();
        let options = Options {
            mapping: config.mapping,
            detect_stalled: config.detect_stalled,
            ..Options::default()
        };
        Run {
            images,
            pool,
            config,
            nodes,
            observer,
            solver: SolverChain::new(chain_options(config), config.clock.clone()),
            coverage: Vec::new(),
            notes: Notes::default(),
            states: Map::default(),
            current: None,
            cache: None,
            universe: Universe::new(nodes.len() as u32, options),
            constraints: Constraints::default(),
            troubles: Map::default(),
            searcher: search::build(&config.search, config.seed),
            blocking: None,
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
    fn with_interp<R>(&mut self, program: ProgramId, f: impl FnOnce(&mut Cx<'_>) -> R) -> R {
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
    pub(crate) fn explore(mut self, mut machine: Primitives) -> Summary {
        self.begin();
        let halt = loop {
            if let Some(halt) = self.check() {
                break Some(halt);
            }
            if !std::mem::take(&mut self.go_on) {
                let Some(id) = self.select() else { break None };
                self.switch_to(id);
            }
            if let Some(st) = self.current.take() {
                let node = st.extra.of;
                self.step(&mut machine, st);
                self.pass_on(&mut machine, node);
            }
        };
        self.books.names_chosen(machine.kernel.names_chosen);
        self.finish(halt)
    }

    /// Makes the first states of all nodes.
    fn begin(&mut self) {
        let several = self.nodes.len() > 1;
        let mut first = Vec::new();
        for (index, setup) in self.nodes.iter().enumerate() {
            let id = NodeId::from_index(index);
            let prefix = if several { format!("{}:", setup.name()) } else { String::new() };
            let beginning = Beginning { images: self.images, setup, id, symbol_prefix: prefix };
            let states = self.with_interp(setup.program, |cx| beginning.states(cx));
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
    fn pass_on(&mut self, machine: &mut Primitives, node: NodeId) {
        for warning in machine.warnings.drain(..) {
            self.observer.warning(&warning);
        }
        for files in machine.saved.drain(..) {
            self.books.wishes += 1;
            self.observer.files(FilesOf::Wish(self.books.wishes), &files);
        }
        for (stream, bytes) in machine.kernel.written.drain(..) {
            self.observer.output(self.nodes[node.index()].name(), stream, &bytes);
        }
    }

    fn select(&mut self) -> Option<StateId> {
        let Run { searcher, distances, coverage, states, current, .. } = self;
        let current = current.as_deref();
        searcher.select(&mut StackDistances { distances, coverage, states, current })
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
    fn park(&mut self, mut st: Box<St>) {
        if let Some(cache) = st.mem.release_cache() {
            self.cache = Some(cache);
        }
        st.stack.compact();
        self.states.insert(st.extra.id, st);
    }

    /// Numbers a new state.
    fn number(&mut self, mut st: Box<St>) -> StateId {
        let id = StateId(self.next_id);
        self.next_id += 1;
        st.extra.id = id;
        self.states.insert(id, st);
        self.books.created(self.states.len() as u64);
        id
    }

    /// Runs the current state for a while and books what came of it.
    fn step(&mut self, machine: &mut Primitives, mut st: Box<St>) {
        let before = st.instructions;
        let (pause, siblings) = match st.extra.due.take() {
            Some(due) => self.activate(machine, &mut st, &due),
            None => self.run_for_a_while(machine, &mut st),
        };
        self.books.instructions += st.instructions - before;
        for Sibling { state, course } in siblings {
            self.books.forks += 1;
            self.add_sibling(&st, state, course);
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
            Ok(Pause::Idle) => self.block(st),
            Ok(Pause::End(ending)) => self.end(st, ending),
            Err(stop) => {
                let reason = self.drop_reason(&st, stop);
                self.give_up(st, reason);
            }
        }
    }

    fn run_for_a_while(&mut self, machine: &mut Primitives, st: &mut St) -> Step {
        let fuel = self.fuel(st);
        self.with_interp(st.program, |cx| {
            let mut pause = cx.run(machine, st, fuel);
            if matches!(pause, Ok(Pause::Fuel)) && machine.kernel.slice_is_over(st) {
                pause = machine.kernel.yield_now(cx, st).map(paused);
            }
            (pause, std::mem::take(&mut cx.siblings))
        })
    }

    /// Wakes a state with what has arrived.
    fn activate(&mut self, machine: &mut Primitives, st: &mut St, due: &Due) -> Step {
        st.extra.activated = (due.at, st.instructions);
        match self.troubles.remove(&st.extra.id) {
            None => {}
            Some(Trouble::Flow(flow)) => return (Ok(paused(flow)), Vec::new()),
            Some(Trouble::Stop(stop)) => return (Err(stop), Vec::new()),
        }
        let taken =
            worlds::take_over(st, &mut self.solver, self.pool, &self.constraints, &due.arrivals);
        match taken {
            Ok(true) => {}
            Ok(false) => return (Ok(Pause::End(Ending::Silent)), Vec::new()),
            Err(stop) => return (Err(stop), Vec::new()),
        }
        self.with_interp(st.program, |cx| {
            let events = due.arrivals.iter().map(|arrival| &*arrival.event);
            let pause = machine.kernel.wake(cx, st, due.at.time, events).map(paused);
            (pause, std::mem::take(&mut cx.siblings))
        })
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

    fn add_sibling(&mut self, parent: &St, state: Box<St>, course: Course) {
        let limits = &self.config.limits;
        let ended = matches!(course, Course::Ended(_));
        if !ended && limits.forks.is_some_and(|limit| self.books.forks > limit) {
            return self.books.drop(DropReason::ForkLimit);
        }
        if !ended && limits.states.is_some_and(|limit| self.live() + 1 >= limit) {
            return self.books.drop(DropReason::StateLimit);
        }
        let too_deep = limits.depth.is_some_and(|limit| state.depth > limit);
        let id = self.number(state);
        let parent = parent.extra.id;
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
        let limits = &self.config.limits;
        let reason = if limits.depth.is_some_and(|limit| st.depth > limit) {
            Some(DropReason::DepthLimit)
        } else if limits.path_instructions.is_some_and(|limit| st.instructions >= limit) {
            Some(DropReason::PathInstructionLimit)
        } else {
            None
        };
        let spent = st.instructions - st.extra.activated.1;
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

    // ---- worlds ----------------------------------------------------------------------------

    /// Lets the set of worlds change, and does what follows from it.
    fn in_universe(&mut self, f: impl FnOnce(&mut Universe<Message>, &mut Owner<'_>)) {
        let Run { universe, states, next_id, pool, solver, constraints, books, nodes, .. } = self;
        f(universe, &mut Owner { states, next_id, pool, solver, constraints, books, nodes });
        let changes: Vec<Change<Message>> = self.universe.changes().collect();
        changes.into_iter().for_each(|change| self.follow(change));
    }

    fn follow(&mut self, change: Change<Message>) {
        match change {
            Change::Run { state, from, at, arrivals } => {
                let Some(st) = self.states.get_mut(&state) else { return };
                st.extra.due = Some(Arc::new(Due { at, arrivals }));
                // One that goes on at once was not forgotten by the searcher.
                let known = self.blocking.take_if(|blocking| *blocking == state).is_some();
                if !std::mem::replace(&mut st.extra.ready, true) && !known {
                    self.searcher.added(from, state);
                }
            }
            Change::Copied { state, from } => {
                let ready = self.states.get(&state).is_some_and(|st| st.extra.ready);
                if ready {
                    self.searcher.added(Some(from), state);
                }
            }
            Change::Gone { state, why } => self.gone(state, why),
            Change::Deadlock { state, world } => {
                let Some(st) = self.states.get_mut(&state) else { return };
                let bug = everett_posix::stalled(self.images, st);
                self.found(state, bug, None, &world);
            }
            Change::Final { .. } => {}
        }
    }

    /// A node has nothing to do: its events go out, and it waits.
    fn block(&mut self, mut st: Box<St>) {
        let id = st.extra.id;
        let (next, sent) = worlds::blocked(self.pool, &mut st);
        self.books.events_sent += sent.len() as u64;
        let exited = st.extra.node().exit_code().is_some();
        // Copies that are made of it now are not ready either.
        self.blocking = std::mem::take(&mut st.extra.ready).then_some(id);
        self.park(st);
        self.in_universe(|universe, owner| universe.blocked(owner, id, next, exited, sent));
        if self.blocking.take().is_some() {
            self.searcher.removed(id);
        }
    }

    /// A path that the program ended.
    fn end(&mut self, mut st: Box<St>, ending: Ending) {
        let id = st.extra.id;
        match ending {
            Ending::Exit(code) => {
                st.extra.outcome = Some(Arc::new(PathOutcome::Exit(code)));
                if let Some((bug, stack)) = self.desk().leak(&mut st) {
                    self.park(st);
                    if let Some(world) = self.world_with(id) {
                        self.found(id, bug, Some(stack), &world);
                    }
                    st = self.states.remove(&id).expect("it is in a world");
                }
                if self.nodes.len() > 1 {
                    // The kernel goes on to answer; the program's memory is of no use any more.
                    self.cache = st.mem.release_cache().or(self.cache.take());
                    st.mem = self.images.memory(st.program);
                }
                self.block(st);
            }
            Ending::Silent => {
                st.extra.outcome = Some(Arc::new(PathOutcome::Silent));
                self.leave(st);
            }
            Ending::Bug(bug) => {
                self.park(st);
                match self.world_with(id) {
                    Some(world) => self.found(id, *bug, None, &world),
                    None => self.set_outcome(id, PathOutcome::Impossible),
                }
                let st = self.states.remove(&id).expect("just put there");
                self.leave(st);
            }
        }
    }

    /// A path that the engine gives up.
    fn give_up(&mut self, mut st: Box<St>, reason: DropReason) {
        st.extra.outcome = Some(Arc::new(PathOutcome::Dropped(reason)));
        self.leave(st);
    }

    /// Ends the worlds of a state.
    fn leave(&mut self, mut st: Box<St>) {
        let id = st.extra.id;
        if std::mem::take(&mut st.extra.ready) {
            self.searcher.removed(id);
        }
        self.park(st);
        self.in_universe(|universe, owner| universe.ended(owner, id));
    }

    /// The states of a world that has this one; `None` if no world has.
    fn world_with(&mut self, id: StateId) -> Option<Vec<StateId>> {
        if self.nodes.len() == 1 {
            return Some(vec![id]);
        }
        let Run { universe, states, next_id, pool, solver, constraints, books, nodes, .. } = self;
        universe
            .world_with(&mut Owner { states, next_id, pool, solver, constraints, books, nodes }, id)
    }

    /// Reports a bug of a state in a world.
    fn found(&mut self, id: StateId, bug: Bug, stack: Option<Vec<Place>>, world: &[StateId]) {
        let Run { images, pool, config, nodes, solver, observer, books, states, .. } = self;
        let mut desk = Desk { images, pool, config, nodes, solver, observer: *observer, books };
        let Some(st) = states.get(&id) else { return };
        let world: Vec<&St> =
            world.iter().filter_map(|id| states.get(id).map(|st| &**st)).collect();
        let stack = stack.unwrap_or_else(|| desk.stack(st));
        let outcome = desk.found(st, bug, stack, &world);
        self.set_outcome(id, outcome);
    }

    fn set_outcome(&mut self, id: StateId, outcome: PathOutcome) {
        if let Some(st) = self.states.get_mut(&id) {
            st.extra.outcome = Some(Arc::new(outcome));
        }
    }

    /// A state that is in no world any more.
    fn gone(&mut self, id: StateId, why: Gone) {
        let Some(st) = self.states.remove(&id) else { return };
        if st.extra.ready || self.blocking.take_if(|blocking| *blocking == id).is_some() {
            self.searcher.removed(id);
        }
        let exit = st.extra.node().exit_code().map(PathOutcome::Exit);
        let outcome = match (&st.extra.outcome, why) {
            (Some(outcome), _) => (**outcome).clone(),
            (None, Gone::Separated) => PathOutcome::Impossible,
            (None, Gone::Over) => exit.unwrap_or(PathOutcome::Waits),
            (None, Gone::WorldEnded | Gone::Ended) => exit.unwrap_or(PathOutcome::WorldEnded),
        };
        self.desk().close(&st, outcome);
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
        left.sort_unstable_by_key(|st| st.extra.id);
        for st in left {
            self.desk().close(&st, PathOutcome::Dropped(reason.clone()));
        }
        let elapsed = self.config.clock.now().saturating_sub(self.started);
        let parts = summary::Parts {
            images: self.images,
            coverage: &self.coverage,
            solver: self.solver.stats(),
            nodes: self.nodes.len() as u64,
            worlds: self.universe.counts(),
            mapping: self.config.mapping,
            wall_time: elapsed,
            outcome,
            limit,
        };
        summary::build(self.books, &parts)
    }

    fn desk(&mut self) -> Desk<'_> {
        Desk {
            images: self.images,
            pool: self.pool,
            config: self.config,
            nodes: self.nodes,
            solver: &mut self.solver,
            observer: self.observer,
            books: &mut self.books,
        }
    }
}

/// What a step of a state came to, and the states that it branched into.
type Step = (Result<Pause, Stop>, Vec<Sibling<Extra>>);

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
        let current = self.current.filter(|st| st.extra.id == state);
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
