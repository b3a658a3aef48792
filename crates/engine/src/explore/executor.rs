//! The execution of states, step by step: [`StateExecutor`].
//!
//! It has what a worker needs for that and keeps from step to step: the machine with the simulated
//! kernel, the solver with its caches, covered code, and notes of what was left out. It decides nothing
//! about states: what came of a step is the worker's to book.

use std::sync::Arc;

use everett_base::hash::hash_one;
use everett_base::rng::Rng;
use everett_interp::{
    Coverage, ExecutionNotes, Flow, Halt, Interp, InterpParts, PathEnding, ProgramId, Redundancy,
    RunPause, Sibling, Stop,
};
use everett_net::HostId;
use everett_posix::{FaultCounts, Guest, ReplaceableMessage, SharedMessage};
use everett_solver::{BackendChoice as Backend, ChainOptions, SolverChain, SolverStats};
use everett_world::{OrderChoice, StateId, WalkGuide};

use crate::api::config::{BackendChoice, EngineConfig, SolverOptions};
use crate::api::summary::CoverageCount;
use crate::explore::search::{StateDistances, WorldWalk};
use crate::parallel::context::RunContext;
use crate::primitives::Primitives;
use crate::programs::distance::DistanceMap;
use crate::results::summary;
use crate::state::node_state::{DueActivation, Interpreter, NodeState, PathState};
use crate::trojans::TrojanPhase;
use crate::worlds::arrivals;
use crate::worlds::state_table::StateTable;
use crate::worlds::world_set::WorldSet;

/// The pause that a step of a state ended in, and the states that it branched into.
pub(crate) type StepResult = (Result<RunPause, Stop>, Vec<Sibling<NodeState>>);

/// Messages of a path that are kept at least: more than anybody looks at, and few enough for a path that
/// sends without end.
const KEPT_MESSAGES: usize = 1024;

/// Executes states, one at a time.
pub(crate) struct StateExecutor {
    machine: Primitives,
    solver: SolverChain,
    /// Covered code of each program.
    coverage: Vec<Coverage>,
    /// Distances in each program.
    distances: Vec<DistanceMap>,
    notes: ExecutionNotes,
}

impl StateExecutor {
    pub(crate) fn new(context: &RunContext<'_>, mut machine: Primitives) -> StateExecutor {
        let config = context.config;
        let mut solver = SolverChain::new(chain_options(config), config.clock.clone());
        if let Some(answers) = &context.answers {
            solver.share(answers.clone());
        }
        machine.trojans.clone_from(&context.trojans);
        machine.start = context.nodes().iter().map(|setup| setup.node.fs().clone()).collect();
        let (coverage, distances, notes) = (Vec::new(), Vec::new(), ExecutionNotes::default());
        StateExecutor { machine, solver, coverage, distances, notes }
    }

    pub(crate) fn machine(&self) -> &Primitives {
        &self.machine
    }

    pub(crate) fn machine_mut(&mut self) -> &mut Primitives {
        &mut self.machine
    }

    pub(crate) fn solver(&mut self) -> &mut SolverChain {
        &mut self.solver
    }

    pub(crate) fn solver_stats(&self) -> &SolverStats {
        self.solver.stats()
    }

    /// Notes of what was left out.
    pub(crate) fn notes(&self) -> &ExecutionNotes {
        &self.notes
    }

    /// Goes on with the notes of another worker.
    pub(crate) fn set_notes(&mut self, notes: ExecutionNotes) {
        self.notes = notes;
    }

    /// Takes what was counted so far.
    pub(crate) fn take_counts(&mut self) -> (FaultCounts, ExecutionNotes) {
        self.replace_counts(Default::default())
    }

    /// Goes on with other counts; gives those that were there.
    pub(crate) fn replace_counts(
        &mut self,
        (faults, notes): (FaultCounts, ExecutionNotes),
    ) -> (FaultCounts, ExecutionNotes) {
        let faults = std::mem::replace(&mut self.machine.kernel.fault_counts, faults);
        (faults, std::mem::replace(&mut self.notes, notes))
    }

    /// Covered code of each program.
    pub(crate) fn coverage(&self) -> &[Coverage] {
        &self.coverage
    }

    /// Covered and all instructions of the user's programs.
    pub(crate) fn coverage_count(&self, context: &RunContext<'_>) -> CoverageCount {
        summary::coverage(context.images, &self.coverage)
    }

    /// Measures states for the searcher, in their worlds if there are several nodes.
    pub(crate) fn distances<'d>(
        &'d mut self,
        states: &'d StateTable,
        worlds: Option<&'d mut WorldSet>,
    ) -> impl StateDistances + 'd {
        let StateExecutor { distances, coverage, .. } = self;
        StackDistances { distances, coverage, states, worlds }
    }

    /// Hands over what was noted and covered, at the end.
    pub(crate) fn finish(self) -> (ExecutionNotes, Vec<Coverage>, SolverStats, FaultCounts) {
        let StateExecutor { machine, solver, coverage, notes, .. } = self;
        (notes, coverage, solver.stats().clone(), machine.kernel.fault_counts)
    }

    /// The coverage of a program, which may be new.
    pub(crate) fn with_coverage(
        &mut self,
        context: &RunContext<'_>,
        program: ProgramId,
    ) -> &mut Coverage {
        while self.coverage.len() <= program.index() {
            let id = ProgramId::from_index(self.coverage.len());
            let image = context.images.image(id);
            let loaded = &image.program;
            // What was covered before a program opened libraries is covered.
            let before = image.base.map(|base| self.coverage[base.index()].extended(loaded));
            self.coverage.push(before.unwrap_or_else(|| Coverage::new(loaded)));
            self.distances.push(DistanceMap::new(loaded));
        }
        &mut self.coverage[program.index()]
    }

    /// Lends an interpreter of a program over this worker's parts.
    pub(crate) fn with_interp<R>(
        &mut self,
        context: &RunContext<'_>,
        program: ProgramId,
        f: impl FnOnce(&mut Interpreter<'_>, &mut Primitives) -> R,
    ) -> R {
        self.with_coverage(context, program);
        let mut interp = Interp::new(InterpParts {
            images: context.images,
            program,
            pool: context.pool,
            solver: &mut self.solver,
            config: &context.config.exec,
            coverage: &mut self.coverage[program.index()],
            notes: &mut self.notes,
        });
        f(&mut interp, &mut self.machine)
    }

    /// Lets a state run for at most so many instructions.
    pub(crate) fn run(
        &mut self,
        context: &RunContext<'_>,
        st: &mut PathState,
        fuel: u64,
    ) -> StepResult {
        self.with_interp(context, st.program, |cx, machine| {
            let mut pause = cx.run(machine, st, fuel);
            // The last accesses of a path that a bug ends may race, too.
            let is_over = matches!(pause, Ok(RunPause::End(PathEnding::Bug(_))));
            if st.watch().is_some_and(|watch| is_over || watch.is_full()) {
                machine.kernel.take_accesses(st);
            }
            if matches!(pause, Ok(RunPause::Fuel)) && machine.kernel.slice_is_over(st) {
                pause = machine.kernel.yield_now(cx, st, true).map(paused);
            }
            (pause, std::mem::take(&mut cx.siblings))
        })
    }

    /// The states in which other threads go on where they could have before a path ended, and if it is asked
    /// for, the one in which they go on beside its end.
    pub(crate) fn end_orders(
        &mut self,
        context: &RunContext<'_>,
        st: &mut PathState,
        looks_beside: bool,
    ) -> (Result<(), Stop>, Vec<Sibling<NodeState>>) {
        self.with_interp(context, st.program, |cx, machine| {
            let mut ended = Ok(());
            if looks_beside {
                ended = machine.kernel.look_beside_end(cx, st);
            }
            let ended = ended.and_then(|()| machine.kernel.end_orders(cx, st));
            (ended, std::mem::take(&mut cx.siblings))
        })
    }

    /// The states in which other threads go on wherever they could still be asked for.
    pub(crate) fn try_all_threads(
        &mut self,
        context: &RunContext<'_>,
        st: &mut PathState,
    ) -> (Result<(), Stop>, Vec<Sibling<NodeState>>) {
        self.with_interp(context, st.program, |cx, machine| {
            let tried = machine.kernel.try_all_threads(cx, st);
            (tried, std::mem::take(&mut cx.siblings))
        })
    }

    /// Wakes a state with what has arrived.
    pub(crate) fn activate(
        &mut self,
        context: &RunContext<'_>,
        st: &mut PathState,
        due: &Arc<DueActivation>,
    ) -> StepResult {
        let RunContext { pool, constraints, .. } = context;
        arrivals::take_note(context, st, &due.arrivals);
        if st.extra.node().faults().can_sever() {
            match arrivals::agree(st, &mut self.solver, pool, constraints, &due.arrivals) {
                Ok(true) => {}
                Ok(false) => return (Ok(RunPause::End(PathEnding::Silent)), Vec::new()),
                Err(stop) => return (Err(stop), Vec::new()),
            }
        }
        let (chosen, mut siblings) = self.choose_arrivals(context, st, due);
        match chosen {
            Ok(()) => {}
            Err(Halt::Flow(flow)) => return (Ok(paused(flow)), siblings),
            Err(Halt::Stop(stop)) => return (Err(stop), siblings),
        }
        if context.trojans.is_none() {
            st.extra.forget_old_messages(KEPT_MESSAGES.max(context.config.messages));
        }
        if let Some(phase) = &context.trojans
            && phase.is_past(pool, st, due)
        {
            let ending = PathEnding::Redundant(Redundancy::NotReplaced);
            return (Ok(RunPause::End(ending)), siblings);
        }
        let taken = arrivals::take_over(context, st, &mut self.solver, &due.arrivals);
        match taken {
            Ok(true) => {}
            Ok(false) => return (Ok(RunPause::End(PathEnding::Silent)), siblings),
            Err(stop) => return (Err(stop), siblings),
        }
        if st.extra.boot.begins_after(due.at) {
            st.extra.node_mut().deliver(arriving(due));
            return (Ok(RunPause::Idle), siblings);
        }
        self.with_interp(context, st.program, |cx, machine| {
            let pause = machine.kernel.wake(cx, st, due.at.time, arriving(due)).map(paused);
            siblings.append(&mut cx.siblings);
            (pause, siblings)
        })
    }

    /// Decides what becomes of messages on their way. States in which something else becomes of them are
    /// activated with the same messages.
    fn choose_arrivals(
        &mut self,
        context: &RunContext<'_>,
        st: &mut PathState,
        due: &Arc<DueActivation>,
    ) -> (Result<(), Halt>, Vec<Sibling<NodeState>>) {
        let node = st.extra.node();
        let nothing = due.arrivals.is_empty() && !node.has_held(due.at.time);
        if nothing || !node.faults().are_used() {
            return (Ok(()), Vec::new());
        }
        let replaceable = replaceable(context, st, due);
        self.with_interp(context, st.program, |cx, machine| {
            machine.kernel.replaceable = replaceable;
            let chosen = machine.kernel.choose_arrivals(cx, st, due.at, arriving(due));
            let mut siblings = std::mem::take(&mut cx.siblings);
            for sibling in &mut siblings {
                sibling.state.extra.due = Some(due.clone());
            }
            (chosen, siblings)
        })
    }
}

/// The messages that may be replaced among those that a state is woken with. As long as none is, notes them.
fn replaceable(
    context: &RunContext<'_>,
    st: &PathState,
    due: &DueActivation,
) -> Vec<ReplaceableMessage> {
    let RunContext { pool, constraints, trojans, .. } = context;
    match trojans {
        None => Vec::new(),
        Some(TrojanPhase::Collects(collector)) => {
            collector.note_arrivals(pool, constraints, st, due);
            Vec::new()
        }
        Some(TrojanPhase::Replaces(hunt)) => hunt.replaceable(pool, constraints, st, due),
    }
}

/// The messages that a state is woken with, each with the host that has sent it.
fn arriving(due: &DueActivation) -> impl Iterator<Item = (HostId, &SharedMessage)> {
    due.arrivals.iter().map(|arrival| (HostId(arrival.from.0), &arrival.message))
}

/// The pause that an answer of the kernel means for the loop.
pub(crate) fn paused(flow: Flow) -> RunPause {
    match flow {
        Flow::End(ending) => RunPause::End(ending),
        Flow::Idle => RunPause::Idle,
        _ => RunPause::Fuel,
    }
}

/// Distances of states for the searcher.
struct StackDistances<'a> {
    distances: &'a mut [DistanceMap],
    coverage: &'a [Coverage],
    states: &'a StateTable,
    /// The worlds, if there are several nodes.
    worlds: Option<&'a mut WorldSet>,
}

impl StackDistances<'_> {
    /// The least sum of what is counted in a world of a state.
    fn least(&self, state: StateId, count: impl Fn(&PathState) -> u32) -> u32 {
        let Some(st) = self.states.any(state) else { return u32::MAX };
        let weight = |id: StateId| self.states.any(id).map_or(0, &count);
        let worlds = self.worlds.as_deref();
        worlds.and_then(|worlds| worlds.least_sum(state, &weight)).unwrap_or(count(st))
    }
}

/// The choice in an order by which a state has parted from others last. Threads and flows of different nodes
/// are different actors, so each is named by its node, too.
fn order_choice(st: &PathState) -> Option<OrderChoice> {
    let (number, actor) = st.extra.node().order_choice(st.depth)?;
    Some(OrderChoice { number, actor: hash_one(&(st.extra.of, actor)) })
}

impl StateDistances for StackDistances<'_> {
    fn on_random_path(&mut self, rng: &mut Rng) -> Option<StateId> {
        let may_run = |id: StateId| self.states.any(id).is_some_and(|st| st.extra.ready);
        self.worlds.as_mut()?.pick(rng, &may_run)
    }

    fn faults(&mut self, state: StateId) -> u32 {
        self.least(state, |st| st.extra.node().faults().total())
    }

    fn deviations(&mut self, state: StateId) -> u32 {
        self.least(state, |st| st.extra.node().deviations())
    }

    fn order_choice(&mut self, state: StateId) -> Option<OrderChoice> {
        order_choice(self.states.any(state)?)
    }

    fn on_walk(&mut self, guide: &mut dyn WalkGuide, rng: &mut Rng) -> WorldWalk {
        let Some(worlds) = self.worlds.as_mut() else { return WorldWalk::OneNode };
        let choice = |id: StateId| self.states.any(id).and_then(order_choice);
        let may_run = |id: StateId| self.states.any(id).is_some_and(|st| st.extra.ready);
        let step = worlds.walk(guide, rng, &choice, &may_run);
        step.map_or(WorldWalk::Nowhere, |(state, is_new)| WorldWalk::To(state, is_new))
    }

    fn to_uncovered(&mut self, state: StateId) -> u32 {
        let Some(st) = self.states.any(state) else { return u32::MAX };
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

/// The solver of a worker, as a configuration asks for it.
pub(crate) fn chain_options(config: &EngineConfig) -> ChainOptions {
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
