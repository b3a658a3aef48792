//! The configuration of a run: plain data, built by the embedder and passed down.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use everett_base::Interrupt;
use everett_interp::InterpConfig;
use everett_ir::Program;
use everett_posix::{FaultBudgets, FaultDecision, KernelConfig, LinkBudget, ProgramError};
use everett_replay::KTest;
use everett_solver::MonotonicClock;
use everett_world::MappingKind;

use crate::api::checkpoint::CheckpointPace;
use crate::api::live::LivePeer;
use crate::api::panics::PanicLog;
use crate::api::report::Finding;
use crate::api::spill::SpillPlace;
use crate::api::trojan::TrojanOptions;
use crate::api::words::DecodeRule;

/// A strategy for choosing the next state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// Depth first: go on with the newest state.
    Dfs,
    /// Breadth first: one fork level after the other.
    Bfs,
    /// Walk the tree of forks from the root, a fair coin at each fork.
    RandomPath,
    /// Any live state, all equally likely.
    RandomState,
    /// The state nearest to code that has not been executed.
    Coverage,
    /// The state with the fewest faults in its world, the newest of them first.
    Faults,
    /// The state with the fewest deviations from the fixed order in its world, the newest of them first.
    Orders,
    /// One path after the other to its end, with a random choice at each fork.
    RandomWalk,
    /// One path after the other to its end, with random priorities of threads and flows.
    Pct,
}

impl Strategy {
    /// All strategies, with the names that users give.
    pub const ALL: [(&'static str, Strategy); 9] = [
        ("dfs", Strategy::Dfs),
        ("bfs", Strategy::Bfs),
        ("random-path", Strategy::RandomPath),
        ("random-state", Strategy::RandomState),
        ("coverage", Strategy::Coverage),
        ("faults", Strategy::Faults),
        ("orders", Strategy::Orders),
        ("random-walk", Strategy::RandomWalk),
        ("pct", Strategy::Pct),
    ];

    /// Returns true if it follows one path after the other, which no other strategy can take part in.
    pub fn is_walk(self) -> bool {
        matches!(self, Strategy::RandomWalk | Strategy::Pct)
    }
}

/// The paths that leave a test case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TestPolicy {
    /// None at all.
    None,
    /// Those that end in a new finding.
    Findings,
    /// Those that end in a new finding or executed code that no path had executed before.
    New,
    /// Every path.
    All,
}

/// The behaviour of string functions where symbolic bytes decide how far they go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StringMode {
    /// The path forks where the cases are few and the program uses the result as a number or a pointer, or
    /// memory depends on them; elsewhere the result is an expression.
    Auto,
    /// The result is an expression over all cases.
    Expression,
    /// The path forks over the cases.
    Fork,
}

/// When a run stops before it has explored everything. `None` is "no limit".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Wall time.
    pub time: Option<Duration>,
    /// Source instructions over all paths.
    pub instructions: Option<u64>,
    /// Forks; beyond it each path goes on along one side only.
    pub forks: Option<u64>,
    /// Forks along one path; a path that reaches it is dropped.
    pub depth: Option<u32>,
    /// Source instructions along one path; a path that reaches it is dropped.
    pub path_instructions: Option<u64>,
    /// Source instructions of a node between two waits; a path that reaches it hangs.
    pub round_instructions: Option<u64>,
    /// Live states; beyond it states are dropped.
    pub states: Option<u64>,
    /// Resident memory in bytes; beyond it states are dropped.
    pub memory: Option<u64>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            time: None,
            instructions: None,
            forks: None,
            depth: None,
            path_instructions: None,
            round_instructions: None,
            states: None,
            memory: Some(4 << 30),
        }
    }
}

/// Solver options.
#[derive(Clone, Debug, PartialEq)]
pub struct SolverOptions {
    /// The backend that answers queries.
    pub backend: BackendChoice,
    /// Budget of one query.
    pub timeout: Duration,
    /// Answers are remembered and models reused; off only for tests.
    pub caches: bool,
}

/// The backends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BackendChoice {
    /// By the structure of each query.
    Auto,
    /// Our bit-blaster over CaDiCaL.
    Bitblast,
    /// Boolector.
    Boolector,
    /// Two backends, compared with each other.
    Check,
}

impl Default for SolverOptions {
    fn default() -> SolverOptions {
        SolverOptions {
            backend: BackendChoice::Auto,
            timeout: Duration::from_secs(30),
            caches: true,
        }
    }
}

/// The configuration of a node: its program's inputs, its files, its kernel.
#[derive(Clone, Debug)]
pub struct NodeConfig {
    /// Function to start at.
    pub entry: String,
    /// Arguments of `main`, the program's name first.
    pub argv: Vec<Vec<u8>>,
    /// Further arguments, behind those of `argv`.
    pub more_args: Vec<CommandArgument>,
    /// Environment of `main`, as `NAME=value`.
    pub envp: Vec<Vec<u8>>,
    /// The bytes of standard input.
    pub stdin: Stdin,
    /// Files of the host that the program sees.
    pub mounts: Vec<Mount>,
    /// Files with known contents: absolute name, or one in the working directory, and content.
    pub files: Vec<(Vec<u8>, Vec<u8>)>,
    /// Files of symbolic bytes: absolute name, or one in the working directory, and size.
    pub symbolic_files: Vec<(Vec<u8>, u32)>,
    /// The host's file of the program: it is there where `argv[0]` names it.
    pub executable: Option<PathBuf>,
    /// The simulated kernel.
    pub kernel: KernelConfig,
    /// Concrete inputs to run on instead of symbolic ones.
    pub replay: Option<KTest>,
    /// The same for each node that the program makes itself, instead of `replay`.
    pub boot_replay: Vec<KTest>,
    /// The plan for faults.
    pub faults: FaultPlan,
    /// Give inputs one value instead of symbolic ones: what the test of `replay` has under the name, where
    /// the same name counts anew each time, with zeros for what it does not have.
    pub fixed_inputs: bool,
    /// The peer that the node stands for, if its program is the gateway of a live node.
    pub live: Option<LivePeer>,
    /// Arguments of the entry function; `None` passes `argc`, `argv` and `envp`.
    pub arguments: Option<Vec<Argument>>,
}

impl Default for NodeConfig {
    fn default() -> NodeConfig {
        NodeConfig {
            entry: "main".to_owned(),
            argv: vec![b"program".to_vec()],
            more_args: Vec::new(),
            envp: Vec::new(),
            stdin: Stdin::Empty,
            mounts: Vec::new(),
            files: Vec::new(),
            symbolic_files: Vec::new(),
            executable: None,
            kernel: KernelConfig::default(),
            replay: None,
            boot_replay: Vec::new(),
            faults: FaultPlan::Explore,
            fixed_inputs: false,
            live: None,
            arguments: None,
        }
    }
}

/// A plan for the faults of a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FaultPlan {
    /// All are explored within budgets, or those of a test case that is replayed happen.
    #[default]
    Explore,
    /// These happen and no others; [`crate::PathEnd::faults`] tells where those with a budget could have.
    /// Of a test case that is replayed, all but its faults happens as well.
    Survey(Vec<FaultDecision>),
}

/// A node of a system, with its program.
#[derive(Clone)]
pub struct SystemNode {
    /// The program that it runs.
    pub program: Arc<Program>,
    /// Its configuration.
    pub config: NodeConfig,
    /// Nodes with a higher number begin when those with a lower one have blocked.
    pub start: u32,
    /// It may wait for ever for work. `None`: if it waits where servers do.
    pub server: Option<bool>,
}

/// How a run tells of its steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepOptions {
    /// Stop before the step of this number, counted from 0, and tell what the nodes do then.
    pub stop_before: Option<u64>,
}

/// Everything that a run is asked to do.
#[derive(Clone, Debug)]
pub struct EngineConfig {
    /// The node that runs the program of [`crate::Engine::new`].
    pub node: NodeConfig,
    /// The loader of files that processes execute; without it, none can be executed.
    pub programs: Option<ProgramSource>,
    /// The number of faults of each kind that may happen in one world, on all of its nodes together; kinds
    /// that it does not have are limited by the nodes' own budgets only.
    pub faults: FaultBudgets,
    /// The same for what crosses some cuts; nodes have these budgets, too.
    pub links: Vec<LinkBudget>,
    /// The representation of the set of worlds.
    pub mapping: MappingKind,
    /// Look for worlds in which nothing can happen any more before all of their states are over.
    pub detect_stalled: bool,
    /// A world is over in which everybody but servers has ended and nothing but timers has happened for
    /// so long; without it such worlds go on for ever.
    pub idle: Option<Duration>,
    /// Worlds are over that have come to this virtual time.
    pub virtual_time: Option<Duration>,
    /// Threads that explore at the same time.
    pub workers: usize,
    /// States that one worker makes before it shares its work: a small run is done faster alone, and is
    /// the same each time in everything that is counted.
    pub share_after: u64,
    /// States of a system of several nodes above which a worker that searches depth first sets half of its
    /// worlds aside, and comes back to them later.
    pub aside_above: u64,
    /// Workers hand each other parts of the set of worlds as bytes, which they read again: a check of the
    /// encoder of parts.
    pub parts_as_bytes: bool,
    /// The store for parts of the set of worlds that memory has no room for. Without it, states are dropped
    /// when memory is above its limit.
    pub spill: Option<SpillPlace>,
    /// States above which a worker puts half of its worlds there, however much memory there is: for tests,
    /// which want the same moment each time.
    pub spill_above: u64,
    /// How often a checkpoint is handed to the observer.
    pub checkpoints: CheckpointPace,
    /// Strategies, taken in turns.
    pub search: Vec<Strategy>,
    /// The depth of bugs that [`Strategy::Pct`] looks for: one more than its changes of priorities on a path.
    pub pct_depth: u32,
    /// Seed of everything random.
    pub seed: u64,
    /// Instructions that a state runs before another may be chosen.
    pub quantum: u64,
    /// When to stop.
    pub limits: Limits,
    /// Execution options.
    pub exec: InterpConfig,
    /// Solver options.
    pub solver: SolverOptions,
    /// Report heap objects that nothing points to when a path exits.
    pub check_leaks: bool,
    /// Properties over the data that nodes expose.
    pub invariants: Option<Arc<minvariant::Program>>,
    /// A world ends when it violates an invariant.
    pub stop_on_violation: bool,
    /// The search for Trojan messages, if messages are replaced.
    pub trojans: TrojanOptions,
    /// The paths that leave a test.
    pub tests: TestPolicy,
    /// The value of each byte of the stack and the heap that a program has not written.
    pub fresh_memory: u8,
    /// Messages of a world that are shown at most: the last ones.
    pub messages: usize,
    /// Decoders of messages, of which the first that knows a message counts; behind them come those that
    /// programs name with `everett_decode`, and those of well-known protocols.
    pub decoders: Vec<DecodeRule>,
    /// Stop when so many messages have been sent on all paths, and tell what the nodes do then.
    pub stop_after_messages: Option<u64>,
    /// Tell of each step of the run ([`crate::Observer::step`]). It is for runs of one worker on one test:
    /// only the order of steps in one world means anything.
    pub steps: Option<StepOptions>,
    /// A world that the limit of instructions cuts off leaves a test as well. That says
    /// something only where there is one world: inputs, faults and preemptions are given.
    pub tests_unfinished: bool,
    /// Hand the files that a path has changed to the observer with each finding.
    pub save_files: bool,
    /// Report each occurrence of a bug, not each bug once.
    pub all_findings: bool,
    /// Stop when there are so many findings, or a few more: workers that find some at the same time all
    /// report them.
    pub stop_after: Option<u64>,
    /// Record what the programs do with the outside ([`crate::WorldTest::recorded`]). It is for runs of one
    /// worker on one test: only the order of things in one world means anything.
    pub record: bool,
    /// Undefined functions that return a fresh symbolic value when called; `*` means all.
    pub symbolic_functions: BTreeSet<String>,
    /// The behaviour of string functions on symbolic bytes.
    pub strings: StringMode,
    /// Ends the run when the embedder raises it from another thread, whatever is being done. Without
    /// that, limits and [`crate::Observer::interrupted`] are looked at between two steps only.
    pub interrupt: Interrupt,
    /// Where panics of workers are told of with their places; without a panic hook that fills it,
    /// they have none.
    pub panics: Arc<PanicLog>,
    /// Tells the time; it steers limits and displays, never results. The default stands still.
    pub clock: MonotonicClock,
}

/// An argument of `main` that may be symbolic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandArgument {
    /// This one.
    Known(Vec<u8>),
    /// Up to this many bytes, all symbolic.
    Symbolic(u32),
    /// Between `min` and `max` arguments of up to `size` symbolic bytes each.
    SymbolicMany {
        /// Fewest.
        min: u32,
        /// Most.
        max: u32,
        /// Bytes of each.
        size: u32,
    },
}

/// The bytes of standard input.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Stdin {
    /// Nothing.
    #[default]
    Empty,
    /// These bytes.
    Known(Vec<u8>),
    /// This many symbolic bytes.
    Symbolic(u32),
}

/// A file or directory of the host that the program sees, read-only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mount {
    /// Where it is on the host.
    pub host: PathBuf,
    /// Its absolute name for the program.
    pub guest: Vec<u8>,
}

/// Makes programs of files' contents.
#[derive(Clone)]
pub struct ProgramSource {
    programs: Arc<LoadProgram>,
    libraries: Option<Arc<LoadProgram>>,
}

type LoadProgram = dyn Fn(&[u8]) -> Result<Arc<Program>, ProgramError> + Send + Sync;

impl ProgramSource {
    /// A source from a function.
    pub fn new(
        load: impl Fn(&[u8]) -> Result<Arc<Program>, ProgramError> + Send + Sync + 'static,
    ) -> ProgramSource {
        ProgramSource { programs: Arc::new(load), libraries: None }
    }

    /// The same with a function for the libraries that programs open while they run.
    pub fn with_libraries(
        self,
        load: impl Fn(&[u8]) -> Result<Arc<Program>, ProgramError> + Send + Sync + 'static,
    ) -> ProgramSource {
        ProgramSource { libraries: Some(Arc::new(load)), ..self }
    }

    pub(crate) fn load(&self, file: &[u8]) -> Result<Arc<Program>, ProgramError> {
        (self.programs)(file)
    }

    pub(crate) fn load_library(&self, file: &[u8]) -> Result<Arc<Program>, ProgramError> {
        let missing = || "no libraries can be opened in this run".to_owned();
        let load = self.libraries.as_ref();
        load.map_or_else(|| Err(ProgramError::Unsupported(missing())), |load| load(file))
    }
}

impl std::fmt::Debug for ProgramSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ProgramSource")
    }
}

/// An argument that the embedder chooses for the entry function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A number.
    Word(u64),
    /// A symbolic number of the parameter's width, by name.
    Symbolic(String),
    /// A pointer to these bytes.
    Bytes(Vec<u8>),
    /// A pointer to this many symbolic bytes, by name.
    SymbolicBytes {
        /// Name of the input.
        name: String,
        /// Size in bytes.
        size: u32,
    },
}

impl EngineConfig {
    /// The idleness that ends worlds unless something else is asked for.
    pub(crate) const DEFAULT_IDLE: Option<Duration> = Some(Duration::from_secs(2));
}

impl Default for EngineConfig {
    fn default() -> EngineConfig {
        EngineConfig {
            node: NodeConfig::default(),
            programs: None,
            faults: FaultBudgets::default(),
            links: Vec::new(),
            mapping: MappingKind::Sds,
            detect_stalled: true,
            idle: EngineConfig::DEFAULT_IDLE,
            virtual_time: None,
            workers: 1,
            share_after: 256,
            aside_above: 256,
            parts_as_bytes: false,
            spill: None,
            spill_above: u64::MAX,
            checkpoints: CheckpointPace::Never,
            search: vec![Strategy::RandomPath, Strategy::Coverage],
            pct_depth: 3,
            seed: 1,
            quantum: 100_000,
            limits: Limits::default(),
            exec: InterpConfig::default(),
            solver: SolverOptions::default(),
            check_leaks: false,
            invariants: None,
            stop_on_violation: false,
            trojans: TrojanOptions::default(),
            tests: TestPolicy::New,
            fresh_memory: 0,
            messages: Finding::MAX_MESSAGES,
            decoders: Vec::new(),
            stop_after_messages: None,
            steps: None,
            tests_unfinished: false,
            save_files: false,
            all_findings: false,
            stop_after: None,
            record: false,
            symbolic_functions: BTreeSet::new(),
            strings: StringMode::Auto,
            interrupt: Interrupt::new(),
            panics: Arc::default(),
            clock: MonotonicClock::stopped(),
        }
    }
}
