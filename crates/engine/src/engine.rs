//! Building an engine and starting a run.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use everett_base::hash::hash_one;
use everett_base::part::file::{self, RunIdentity};
use everett_expr::Pool;
use everett_input::host;
use everett_interp::{ProgramId, ProgramImages};
use everett_ir::{FuncId, Pc, Program};
use everett_posix::{FaultKind, Kernel, LearntOps};
use everett_solver::SolverChain;
use everett_world::{MappingKind, NodeId};

use crate::api::checkpoint::{CheckpointError, CheckpointPace, HELD_SECTION, SECTIONS};
use crate::api::config::{EngineConfig, FaultPlan, NodeConfig, Strategy, SystemNode};
use crate::api::dropped::Loss;
use crate::api::error::EngineError;
use crate::api::job::{FinishedJob, JobPace};
use crate::api::observer::Observer;
use crate::api::report::{RACE, RACING};
use crate::api::sent_messages::SentMessages;
use crate::api::summary::{Outcome, Summary};
use crate::explore::executor::chain_options;
use crate::explore::held_observer::HeldObserver;
use crate::explore::job::{self, JobRequest, JobStart};
use crate::explore::job_record::{JobHead, first_job, job_sections};
use crate::explore::quiet_observer::QuietObserver;
use crate::explore::run;
use crate::explore::run_record::{RunHead, RunRecord, of_section, to_section};
use crate::parallel::context::{RunContext, RunParts};
use crate::primitives::{PrimitiveTable, Primitives};
use crate::programs::libc_names::is_of_c_library;
use crate::programs::library::ProgramLibrary;
use crate::state::setup::{self, NodeSetup};
use crate::trojans::{
    ExploredSenders, HuntRecord, SenderCollector, TrojanHunt, TrojanPhase, TrojanWays,
    WantedMessages,
};

/// A program, or a system of several nodes, ready to be explored.
///
/// [`Engine::run`] may be called several times; each run starts from the beginning and, for equal
/// configurations, does the same.
pub struct Engine {
    images: ProgramImages,
    nodes: Vec<NodeSetup>,
    config: EngineConfig,
    undefined: Vec<MissingSymbol>,
}

/// A function or variable that a program uses and nobody defines.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct MissingSymbol {
    what: SymbolKind,
    name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SymbolKind {
    Function,
    Variable,
}

impl Engine {
    /// Loads a program for the one node of the configuration. Fails if it has no entry function, or if
    /// files that the configuration names cannot be shown to it.
    pub fn new(program: Arc<Program>, config: EngineConfig) -> Result<Engine, EngineError> {
        let node = SystemNode { program, config: config.node.clone(), start: 0, server: None };
        Engine::system(vec![node], config)
    }

    /// Loads the programs of several nodes. Nodes are numbered in this order, as the hosts of their
    /// topology are.
    pub fn system(
        mut nodes: Vec<SystemNode>,
        mut config: EngineConfig,
    ) -> Result<Engine, EngineError> {
        prepare_search(&mut config, &mut nodes)?;
        config.exec.pauses_at_lines |= config.steps.is_some();
        let undefined = config.exec.checks.uninitialized;
        let images = ProgramImages::with_fresh_memory(config.fresh_memory, undefined);
        let mut loaded: Vec<(Arc<Program>, ProgramId)> = Vec::new();
        let mut undefined = Vec::new();
        let mut setups = Vec::new();
        for SystemNode { program, config: mut node, start, server } in nodes {
            // No path has more faults than a world may.
            let budgets = &mut node.kernel.faults.budgets;
            *budgets = budgets.within(&config.faults);
            let entry = entry(&program, &node)?;
            let known = loaded.iter().find(|(known, _)| Arc::ptr_eq(known, &program));
            let id = match known {
                Some((_, id)) => *id,
                None => {
                    undefined.extend(undefined_functions(&program, &config));
                    undefined.extend(undefined_variables(&program));
                    let id = images.load(program.clone())?;
                    loaded.push((program, id));
                    id
                }
            };
            let first = setup::node(&node, id)?;
            setups.push(NodeSetup { config: node, program: id, entry, node: first, start, server });
        }
        undefined.sort_unstable();
        undefined.dedup();
        Ok(Engine { images, nodes: setups, config, undefined })
    }

    /// Functions that are called but neither defined nor implemented by the engine. Those that are
    /// only referred to weakly are not among them: nothing is missing where they are null.
    pub fn undefined_functions(&self) -> impl Iterator<Item = &str> {
        let functions =
            self.undefined.iter().filter(|missing| missing.what == SymbolKind::Function);
        functions.map(|missing| missing.name.as_str())
    }

    /// Sets the plan of later runs for the faults of a node.
    pub(crate) fn plan_faults(&mut self, node: usize, plan: FaultPlan) {
        self.nodes[node].config.faults = plan;
    }

    /// Another engine for the same system, which runs beside this one.
    pub(crate) fn twin(&self) -> Engine {
        let Engine { images, nodes, config, undefined } = self;
        Engine {
            images: images.first(self.first_programs()),
            nodes: nodes.clone(),
            config: config.clone(),
            undefined: undefined.clone(),
        }
    }

    /// Forgets the programs that processes of runs so far have executed.
    pub(crate) fn forget_executed(&mut self) {
        if self.images.count() > self.first_programs() {
            self.images = self.images.first(self.first_programs());
        }
    }

    /// Limits the instructions of later runs, unless they are limited already.
    pub(crate) fn limit_instructions(&mut self, most: u64) {
        self.config.limits.instructions.get_or_insert(most);
    }

    /// Explores the program within the configured limits.
    pub fn run(&mut self, observer: &mut dyn Observer) -> Summary {
        self.warn_of_undefined(observer);
        let begun = self.run_from(observer, None);
        begun.expect("only what is read from a checkpoint can be wrong")
    }

    /// Tells of functions and variables that nobody defines, as [`Engine::run`] does.
    pub fn warn_of_undefined(&self, observer: &mut dyn Observer) {
        for MissingSymbol { what, name } in &self.undefined {
            let owner = if is_of_c_library(name) { " of the C library" } else { "" };
            let (kind, used, uses) = match what {
                SymbolKind::Function => ("function", "called", "calls"),
                SymbolKind::Variable => ("variable", "referred to", "accesses"),
            };
            observer.warning(&format!(
                "undefined {kind} '{name}'{owner} is {used}; a path that {uses} it ends"
            ));
        }
    }

    /// Goes on from a checkpoint of a run of the same identity: the same programs, the same configuration
    /// and the same version. The observer is told what it was not told before the checkpoint.
    pub fn resume(
        &mut self,
        checkpoint: &[u8],
        run: &RunIdentity,
        observer: &mut dyn Observer,
    ) -> Result<Summary, CheckpointError> {
        self.run_from(observer, Some(file::sections(run, checkpoint)?))
    }

    /// The job with which a run of this identity begins that is explored in jobs.
    pub fn first_job(&self, run: &RunIdentity) -> Vec<u8> {
        first_job(run, Arc::new(self.racing_of_tests()))
    }

    /// Explores a job for a while. `known` is what other jobs have covered ([`FinishedJob::coverage`]). Of
    /// the observer only its answers are wanted: results are in the record.
    ///
    /// Programs that are executed are numbered from the beginning in each job, so each has an engine of its
    /// own. Nothing leaves memory ([`EngineConfig::spill`]): other jobs take what there is no room for.
    pub fn work_on(
        mut self,
        job: &[u8],
        run: &RunIdentity,
        pace: JobPace,
        known: &[Vec<u8>],
        observer: &mut dyn Observer,
    ) -> Result<FinishedJob, CheckpointError> {
        let [head, job_head, carried_terms, carried, terms, values] = job_sections(run, job)?;
        self.config.spill = None;
        let library = self.library();
        let racing = self.read_head(&library, head)?;
        let JobHead { next_id, declared } = of_section(job_head)?;
        let pool = Pool::with_interrupt(self.config.interrupt.clone());
        let mut held = HeldObserver::new(observer);
        let mut context = RunContext::new(self.parts(&library, &racing), &pool, &mut held);
        context.is_last = !self.learns_races();
        context.boot_again(declared)?;
        let start = match next_id {
            None => JobStart::Root,
            Some(next_id) => {
                let sections = [carried_terms, carried, terms, values];
                let start = job::read_part(&context, sections)?;
                context.restore_counts(next_id, 0, 0, start.states(), Duration::ZERO);
                start
            }
        };
        let machine = self.machine(&library, &racing);
        let request = JobRequest { start, run, digest: hash_one(job), pace, known };
        let (mut finished, mut record) = job::explore(context, machine, request);
        record.results = held.into_results();
        finished.record = to_section(&record);
        Ok(finished)
    }

    pub(crate) fn images(&self) -> &ProgramImages {
        &self.images
    }

    pub(crate) fn config(&self) -> &EngineConfig {
        &self.config
    }

    /// The nodes that runs begin with.
    pub(crate) fn nodes(&self) -> &[NodeSetup] {
        &self.nodes
    }

    /// The number of programs that there are from the beginning.
    pub(crate) fn first_programs(&self) -> usize {
        self.nodes.iter().map(|setup| setup.program.index() + 1).max().unwrap_or(0)
    }

    /// The programs that processes execute; it knows those that nodes begin with.
    pub(crate) fn library(&self) -> ProgramLibrary {
        let library = ProgramLibrary::new(self.config.programs.clone());
        for setup in &self.nodes {
            if let Some(Ok(bytes)) =
                setup.config.executable.as_ref().map(|file| std::fs::read(host::real(file)))
            {
                library.add(&bytes, setup.program);
            }
        }
        library
    }

    /// The parts that a run borrows.
    pub(crate) fn parts<'a>(
        &'a self,
        library: &'a ProgramLibrary,
        racing: &'a Arc<LearntOps>,
    ) -> RunParts<'a> {
        let Engine { images, nodes, config, .. } = self;
        RunParts { images, config, nodes, library, racing }
    }

    fn machine(&self, library: &ProgramLibrary, racing: &Arc<LearntOps>) -> Primitives {
        let kernel = self.nodes.first().map(|setup| setup.config.kernel.clone());
        let mut kernel = Kernel::new(kernel.unwrap_or_default(), Box::new(library.clone()));
        kernel.racing = racing.clone();
        let mut machine = Primitives::new(&self.config, kernel);
        machine.live = self.nodes.iter().map(|setup| setup.config.live.clone()).collect();
        machine
    }

    /// The accesses that race, as far as tests that nodes replay say so.
    fn racing_of_tests(&self) -> LearntOps {
        LearntOps::new(self.nodes.iter().flat_map(racing_ops_of_test))
    }

    /// Returns `true` if a run that sees accesses race is begun again.
    pub(crate) fn learns_races(&self) -> bool {
        let is_replay = |setup: &NodeSetup| setup.config.replay.is_some();
        let watches_accesses = |setup: &NodeSetup| setup.config.kernel.watches_accesses();
        !self.nodes.iter().any(is_replay) && self.nodes.iter().any(watches_accesses)
    }

    fn run_from(
        &self,
        observer: &mut dyn Observer,
        mut sections: Option<[&[u8]; SECTIONS]>,
    ) -> Result<Summary, CheckpointError> {
        let library = self.library();
        let mut racing = match sections {
            None => Arc::new(self.racing_of_tests()),
            Some([head, ..]) => self.read_head(&library, head)?,
        };
        if !self.learns_races() {
            return self.explore(observer, &library, &racing, None, sections);
        }
        // A run that finds races is begun again: threads are then switched at them.
        let started = self.config.clock.now();
        let mut held = HeldObserver::new(observer);
        if let Some(sections) = sections {
            held.restore(sections[HELD_SECTION])?;
        }
        loop {
            let from = sections.take();
            let summary = self.explore(&mut held, &library, &racing, Some(started), from)?;
            let is_over = self.config.interrupt.is_raised() || held.interrupted();
            // Values that paths leave out are no reason to leave the orders out, too.
            let is_stopped = summary.limit.as_ref().is_some_and(|l| l.loss() == Loss::Limit);
            if !racing.has_noted() || is_over || is_stopped {
                held.tell();
                return Ok(summary);
            }
            held.forget();
            racing = Arc::new(LearntOps::new(racing.all()));
        }
    }

    /// Returns `true` if messages are replaced by ones that no sender can send.
    fn replaces_messages(&self) -> bool {
        let is_replay = |setup: &NodeSetup| setup.config.replay.is_some();
        let may_replace =
            |setup: &NodeSetup| setup.config.kernel.faults.budgets.get(FaultKind::Trojan) > 0;
        self.nodes.iter().any(may_replace) && !self.nodes.iter().any(is_replay)
    }

    /// Explores the program once without replacing messages, and collects those that nodes send.
    fn collect_messages(
        &self,
        observer: &mut dyn Observer,
        library: &ProgramLibrary,
        racing: &Arc<LearntOps>,
        pool: &Pool,
    ) -> TrojanHunt {
        let (options, ways) = (self.config.trojans.clone(), TrojanWays::new(&self.nodes));
        let collector = SenderCollector::new(options, ways, WantedMessages::Replaceable);
        let (collector, summary) = self.collect(collector, observer, library, racing, pool);
        let senders = ExploredSenders {
            is_complete: summary.outcome == Outcome::Exhausted,
            limit: summary.limit,
        };
        collector.hunt(pool, senders)
    }

    /// The search for Trojan messages that a checkpoint has.
    fn restored_hunt(&self, pool: &Pool, record: HuntRecord) -> Arc<TrojanHunt> {
        let (options, ways) = (self.config.trojans.clone(), TrojanWays::new(&self.nodes));
        Arc::new(TrojanHunt::of_record(options, ways, pool, record))
    }

    fn collect(
        &self,
        collector: SenderCollector,
        observer: &mut dyn Observer,
        library: &ProgramLibrary,
        racing: &Arc<LearntOps>,
        pool: &Pool,
    ) -> (Arc<SenderCollector>, Summary) {
        let workers = self.config.workers.max(1);
        let machines = (0..workers).map(|_| self.machine(library, racing)).collect();
        let mut quiet = QuietObserver { observer };
        let mut config = self.config.clone();
        // The other half is for messages that are replaced.
        config.limits.time = config.limits.time.map(|time| time / 2);
        // A run that is stopped before that begins again.
        config.checkpoints = CheckpointPace::Never;
        let parts = RunParts { config: &config, ..self.parts(library, racing) };
        let mut context = RunContext::new(parts, pool, &mut quiet);
        let collector = Arc::new(collector);
        context.trojans = Some(TrojanPhase::Collects(collector.clone()));
        let summary = run::explore(context, machines, Vec::new());
        (collector, summary)
    }

    /// Explores the program, and collects all messages that a node can send. The observer is told how far
    /// that has come, and nothing that it finds.
    pub fn sent_messages(&mut self, node: NodeId, observer: &mut dyn Observer) -> SentMessages {
        self.warn_of_undefined(observer);
        let library = self.library();
        let racing = Arc::new(self.racing_of_tests());
        let pool = Pool::with_interrupt(self.config.interrupt.clone());
        let (options, ways) = (self.config.trojans.clone(), TrojanWays::new(&self.nodes));
        let collector = SenderCollector::new(options, ways, WantedMessages::Of(node));
        let (collector, summary) = self.collect(collector, observer, &library, &racing, &pool);
        let senders = collector.senders(&pool, summary.outcome == Outcome::Exhausted);
        let chain = SolverChain::new(chain_options(&self.config), self.config.clock.clone());
        SentMessages::new(pool, senders, chain, summary)
    }

    /// Loads the programs that were executed before a checkpoint, and gives the accesses that were known to
    /// race by then.
    fn read_head(
        &self,
        library: &ProgramLibrary,
        head: &[u8],
    ) -> Result<Arc<LearntOps>, CheckpointError> {
        let RunHead { programs, racing } = of_section(head)?;
        for program in programs {
            let loaded = library.clone().load_again(&self.images, &program, Some);
            loaded.map_err(|error| CheckpointError::Program(error.to_string()))?;
        }
        Ok(racing)
    }

    /// Explores the program once, with accesses that are known to race; or the rest of it, after a
    /// checkpoint.
    fn explore(
        &self,
        observer: &mut dyn Observer,
        library: &ProgramLibrary,
        racing: &Arc<LearntOps>,
        started: Option<Duration>,
        sections: Option<[&[u8]; SECTIONS]>,
    ) -> Result<Summary, CheckpointError> {
        let pool = Pool::with_interrupt(self.config.interrupt.clone());
        let workers = self.config.workers.max(1);
        let begun = self.config.clock.now();
        let collects = sections.is_none() && self.replaces_messages();
        let mut hunt =
            collects.then(|| Arc::new(self.collect_messages(observer, library, racing, &pool)));
        let mut config = self.config.clone();
        if collects && observer.interrupted() {
            // What senders send is not known, so a run that goes on from here knows less than a new one.
            config.checkpoints = CheckpointPace::Never;
        }
        let machines = (0..workers).map(|_| self.machine(library, racing)).collect();
        let parts = RunParts { config: &config, ..self.parts(library, racing) };
        let mut context = RunContext::new(parts, &pool, observer);
        context.started = begun;
        if let Some(started) = started {
            (context.started, context.is_last) = (started, false);
        }
        let mut records = Vec::new();
        if let Some([_, _, carried_terms, carried, terms, values]) = sections {
            let mut read = RunRecord::read(&context, [carried_terms, carried, terms, values])?;
            hunt = read.trojans.take().map(|record| self.restored_hunt(&pool, record));
            if let Some(written) = read.workers().filter(|written| *written != workers) {
                return Err(CheckpointError::Workers { written, given: workers });
            }
            records = read.restore(&mut context)?;
            resume_store(&context)?;
        }
        context.trojans = hunt.clone().map(TrojanPhase::Replaces);
        let mut summary = run::explore(context, machines, records);
        if let Some(hunt) = hunt {
            let trojans = hunt.summary(&self.nodes);
            let is_complete = trojans.are_senders_explored && trojans.undecided == 0;
            if summary.outcome == Outcome::Exhausted && !is_complete {
                (summary.outcome, summary.limit) = (Outcome::Limit, hunt.limit());
            }
            summary.trojans = Some(trojans);
        }
        let live = |setup: &NodeSetup| Some(setup.config.live.as_ref()?.summary(setup.name()));
        summary.live = self.nodes.iter().filter_map(live).collect();
        Ok(summary)
    }
}

/// Lets the store know which parts of a run that is gone on with it has to have.
fn resume_store(context: &RunContext<'_>) -> Result<(), CheckpointError> {
    let needed = context.exchange.spilled();
    match &context.config.spill {
        Some(place) => Ok(place.store().resume(&needed)?),
        None if needed.is_empty() => Ok(()),
        None => Err(CheckpointError::Spilled(io::ErrorKind::NotFound.into())),
    }
}

/// Refuses searches that have no meaning, and prepares what others need.
fn prepare_search(config: &mut EngineConfig, nodes: &mut [SystemNode]) -> Result<(), EngineError> {
    let all = Strategy::ALL.into_iter().filter(|(_, strategy)| config.search.contains(strategy));
    let walk = { all }.find(|(_, strategy)| strategy.is_walk());
    let Some((walk, strategy)) = walk else { return Ok(()) };
    if config.search.len() > 1 {
        return Err(EngineError::WalkTakesTurns { walk });
    }
    // A walk chooses among all threads, at once.
    nodes.iter_mut().for_each(|node| node.config.kernel.keeps_choices = false);
    if strategy != Strategy::Pct || nodes.iter().any(|node| node.config.replay.is_some()) {
        return Ok(());
    }
    let world = config.faults;
    let has_orders = |node: &SystemNode| {
        let budgets = node.config.kernel.faults.budgets.within(&world);
        let kinds = [FaultKind::Order, FaultKind::Late];
        node.config.kernel.preemptions > 0 || kinds.iter().any(|kind| budgets.get(*kind) > 0)
    };
    if !nodes.iter().any(has_orders) {
        return Err(EngineError::PctWithoutOrders);
    }
    // Priorities choose between single worlds; and an order that would be left out because another one is
    // the same has to be explored, as the other one may never be.
    config.mapping = MappingKind::Cob;
    nodes.iter_mut().for_each(|node| node.config.kernel.reduces_orders = false);
    Ok(())
}

/// The operations that race, as the test has them that a node replays.
fn racing_ops_of_test(setup: &NodeSetup) -> Vec<(ProgramId, Pc)> {
    let test = setup.config.replay.as_ref();
    let ops = |name: &str| {
        let object = test.and_then(|test| test.object(name.as_bytes()));
        object.map_or(Vec::new(), |object| LearntOps::read_all(&object.bytes))
    };
    [ops(RACING), ops(RACE)].concat()
}

/// The function that a node starts at.
fn entry(program: &Program, node: &NodeConfig) -> Result<FuncId, EngineError> {
    let entry = program
        .function_named(&node.entry)
        .filter(|func| program.function(*func).defined)
        .ok_or_else(|| EngineError::NoEntry { name: node.entry.clone() })?;
    if let Some(arguments) = &node.arguments {
        let expected = program.function(entry).params.len();
        if arguments.len() != expected {
            let function = node.entry.clone();
            return Err(EngineError::Arguments { function, expected, given: arguments.len() });
        }
    }
    Ok(entry)
}

fn undefined_variables(program: &Program) -> impl Iterator<Item = MissingSymbol> {
    let undefined = program.globals.iter().filter(|global| global.external);
    undefined.map(|global| MissingSymbol { what: SymbolKind::Variable, name: global.name.clone() })
}

fn undefined_functions(program: &Program, config: &EngineConfig) -> Vec<MissingSymbol> {
    let table = PrimitiveTable::new(program, &config.symbolic_functions);
    let mut called: Vec<&str> = program
        .calls
        .iter()
        .filter_map(|site| match site.callee {
            everett_ir::Callee::Direct(func) => Some(func),
            everett_ir::Callee::Indirect(_) => None,
        })
        .filter(|func| !program.function(*func).defined && !program.function(*func).absent)
        .filter(|func| !table.implements(*func))
        .map(|func| program.function(func).name.as_str())
        .collect();
    called.sort_unstable();
    called.dedup();
    let missing = |name: &str| MissingSymbol { what: SymbolKind::Function, name: name.to_owned() };
    called.into_iter().map(missing).collect()
}
