//! The flags of `everett run`, and the engine's configuration that follows from them.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use clap::{CommandFactory, FromArgMatches, ValueEnum};
use everett_engine::{
    BackendChoice, EngineConfig, IDLE, IGNORED, IgnoredPlace, Limits, MappingKind, STACK,
    SolverOptions, Strategy, StringMode, TestPolicy,
};
use everett_input::units::{parse_count, parse_duration, parse_size};
use everett_replay::KTest;

use crate::environment::EnvironmentOptions;
use crate::error::Result;
use crate::faults::FaultOptions;
use crate::gates::GateOptions;
use crate::invariants::InvariantOptions;
use crate::live::LiveOptions;
use crate::reading::{FrameChoice, ReadingOptions};
use crate::table::under_heading;

/// Run a program on symbolic inputs and report the bugs on all of its paths
///
/// Exit code: 0 if everything was explored without a finding, 1 if there are findings, 2 if the
/// input or the engine failed, 3 if there is no finding, but a limit was reached, the run was stopped
/// or values were left out, 4 if there is no finding, but a gate such as --min-coverage has failed.
#[derive(clap::Args)]
#[command(mut_args = under_heading)]
#[command(override_usage = "everett run [OPTIONS] PROGRAM [-- ARGS]\n       \
    everett run [OPTIONS] SYSTEM.toml")]
pub struct RunOptions {
    /// The program: an executable of `everett cc`, bitcode (.bc) or text (.ll) of LLVM; or a system of
    /// several nodes: a scenario (.toml)
    #[arg(value_name = "PROGRAM")]
    pub program: PathBuf,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<OsString>,

    /// Start at this function instead of main
    #[arg(long, value_name = "NAME", default_value = "main")]
    entry: String,
    /// Let this undefined function return a fresh symbolic value; `*` means all of them
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    symbolic_fn: Vec<String>,
    /// Run on the inputs of this test file instead of symbolic ones; tests of systems are run by
    /// `everett replay`
    #[arg(long, value_name = "FILE")]
    pub ktest: Option<PathBuf>,
    /// Look for more than memory errors and failed assertions
    #[arg(long, value_name = "CHECKS", value_delimiter = ',')]
    check: Vec<OptionalCheck>,

    /// Go past findings of this kind, on this line or in this function, where that has a meaning, and
    /// report none of them: a kind such as out-of-bounds, FILE:LINE, or the name of a function
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    ignore: Vec<String>,

    #[command(flatten)]
    environment: EnvironmentOptions,
    #[command(flatten)]
    faults: FaultOptions,

    /// The settings of live peers.
    #[command(flatten)]
    pub live: LiveOptions,
    #[command(flatten)]
    invariants: InvariantOptions,

    /// Order in which states run; several strategies take turns
    #[arg(
        long, value_name = "STRATEGIES", value_delimiter = ',',
        default_value = "random-path,coverage", value_parser = strategy_parser()
    )]
    search: Vec<Strategy>,
    /// With '--search pct': the depth of bugs that are looked for, which is the number of events that have to
    /// come in a certain order
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pct_depth: u32,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Instructions that a state may run before another one is chosen
    #[arg(long, value_name = "N", default_value = "100k", value_parser = parse_count)]
    quantum: u64,

    /// Threads that explore at the same time; 0 stands for one on each processor
    #[arg(long, value_name = "N", default_value_t = 0)]
    #[arg(value_parser = workers_parser())]
    workers: usize,
    /// Let the workers of a cluster explore (`everett work`), by way of the NATS server at this address, such
    /// as nats://HOST:4222
    #[arg(long, value_name = "URL")]
    pub cluster: Option<String>,
    /// Representation of the set of worlds of several nodes
    #[arg(long, value_name = "MAPPING", default_value = "sds")]
    mapping: MappingChoice,
    /// Look for worlds in which nothing can happen any more while others go on
    #[arg(long, value_name = "ON|OFF", default_value = "on")]
    detect_stalled: OnOff,

    /// Stop after this time, such as 10s or 5m
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    max_time: Option<Duration>,
    /// Stop after this many instructions on all paths together
    #[arg(long, value_name = "N", value_parser = parse_count)]
    max_instructions: Option<u64>,
    /// After this many forks, follow one side of each branch only
    #[arg(long, value_name = "N", value_parser = parse_count)]
    max_forks: Option<u64>,
    /// Drop paths with more forks than this
    #[arg(long, value_name = "N")]
    max_depth: Option<u32>,
    /// Drop paths with more instructions than this
    #[arg(long, value_name = "N", value_parser = parse_count)]
    max_path_instructions: Option<u64>,
    /// Report a hang when a node runs this many instructions without ever waiting
    #[arg(long, value_name = "N", value_parser = parse_count)]
    max_round_instructions: Option<u64>,
    /// Report a stack overflow when the stack of a thread takes more than this
    #[arg(long, value_name = "SIZE", default_value = "8M", value_parser = parse_stack)]
    max_stack: u32,
    /// End worlds in which everybody but servers has ended and nothing but timers has happened for this
    /// long, in virtual time; `off` lets them go on
    #[arg(long, value_name = "TIME|off", default_value = "2s", value_parser = parse_idle)]
    idle: IdleLimit,
    /// End worlds that have come to this virtual time; that is no loss, and the summary says how many have
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    max_virtual_time: Option<Duration>,
    /// Drop states when more than this many are alive
    #[arg(long, value_name = "N", value_parser = parse_count)]
    max_states: Option<u64>,
    /// Put states on disk when the process needs more memory than this, or drop them with '--spill off'; 0
    /// for no limit
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = parse_size)]
    max_memory: u64,
    /// Where to put states that memory has no room for, to come back for them later: `on` for a folder in the
    /// folder for the results, or another folder; `off` drops them
    #[arg(long, value_name = "on|off|DIR", default_value = "on", value_parser = parse_spill)]
    spill: SpillChoice,

    /// Folder for the results [default: everett-out/NNN, with a link everett-out/last]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Store a checkpoint after each such time, and when the run is stopped, from which `everett resume` goes
    /// on; `off` for none
    #[arg(long, value_name = "TIME|off", default_value = "1m", value_parser = parse_checkpoint)]
    checkpoint: CheckpointTime,
    /// Write a page about the results into their folder, report.html
    #[arg(long, value_name = "on|off", default_value = "on", hide_possible_values = true)]
    report: OnOff,
    /// Write the results in formats of other tools as well, into their folder
    #[arg(long, value_name = "FORMATS", value_delimiter = ',')]
    export: Vec<ExportFormat>,
    /// Show the run while it goes on, as a page for a browser on this machine, whose address is printed
    #[arg(long)]
    pub watch: bool,
    #[command(flatten)]
    reading: ReadingOptions,
    /// Paths that leave a test file; `all` keeps what each of them prints as well, beside its test
    #[arg(long, value_name = "WHICH", default_value = "new-coverage")]
    tests: TestChoice,
    /// Write the files that the program had changed beside each finding
    #[arg(long)]
    save_files: bool,
    /// Report each occurrence of a bug, not each bug once
    #[arg(long)]
    all_findings: bool,
    /// Stop when there are this many findings; several workers may report a few more
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    stop_after: Option<u64>,
    /// Stop at the first finding
    #[arg(long, conflicts_with = "stop_after")]
    stop_at_first: bool,
    /// Show what the program prints, of all paths as they run (shown anyway if there is one path)
    #[arg(long)]
    pub echo: bool,
    /// Print nothing but errors
    #[arg(long, short)]
    pub quiet: bool,

    /// The conditions that the run has to meet.
    #[command(flatten)]
    pub gates: GateOptions,

    /// Treatment of strlen, memcmp and the like where symbolic bytes decide their result
    #[arg(long, value_name = "MODE", default_value = "auto")]
    strings: StringChoice,
    /// Solver that answers the queries
    #[arg(long, value_name = "BACKEND", default_value = "auto")]
    solver: SolverChoice,
    /// Give up a query after this time
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = parse_duration)]
    solver_timeout: Duration,
    /// Ask the solver afresh each time, without remembering answers
    #[arg(long)]
    no_solver_cache: bool,
    /// Read the program afresh, without the cache of programs
    #[arg(long)]
    pub no_program_cache: bool,
}

/// More threads than any processor runs at once: a system may refuse to start them.
const WORKERS_MAX: u64 = 1024;

fn workers_parser() -> impl clap::builder::TypedValueParser<Value = usize> {
    use clap::builder::TypedValueParser;
    clap::value_parser!(u64).range(..=WORKERS_MAX).map(|workers| workers as usize)
}

/// Checks that are off unless asked for.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OptionalCheck {
    /// Signed overflow
    Overflow,
    /// Heap objects that nothing points to at the end of a path
    Leaks,
    /// Accesses of threads to memory that nothing orders; '--preempt' looks for them, too
    Races,
    /// Locks that are released without being held, or destroyed or kept while they are
    Locks,
    /// Memory that is used, or leaves the process, without ever being written
    Uninitialized,
}

#[derive(Clone, Copy, ValueEnum)]
enum MappingChoice {
    /// Every branch copies the states of all nodes
    Cob,
    /// Sending copies the states of all nodes
    Cow,
    /// Sending copies the states of receivers only
    Sds,
}

impl From<MappingChoice> for MappingKind {
    fn from(mapping: MappingChoice) -> MappingKind {
        match mapping {
            MappingChoice::Cob => MappingKind::Cob,
            MappingChoice::Cow => MappingKind::Cow,
            MappingChoice::Sds => MappingKind::Sds,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OnOff {
    On,
    Off,
}

/// The time for which servers may only follow timers before a world ends; `None` is for ever.
#[derive(Clone, Copy)]
struct IdleLimit(Option<Duration>);

fn parse_idle(text: &str) -> std::result::Result<IdleLimit, String> {
    match text {
        "off" => Ok(IdleLimit(None)),
        time => parse_duration(time).map(|time| IdleLimit(Some(time))),
    }
}

/// The place for states that memory has no room for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpillChoice {
    /// None: they are dropped.
    Off,
    /// In the output folder.
    OutputFolder,
    /// In a folder of its own below this one.
    Folder(PathBuf),
}

fn parse_spill(text: &str) -> std::result::Result<SpillChoice, String> {
    match text {
        "off" => Ok(SpillChoice::Off),
        "on" => Ok(SpillChoice::OutputFolder),
        "" => Err("name a folder, or write on or off".to_owned()),
        folder => Ok(SpillChoice::Folder(folder.into())),
    }
}

/// A format of another tool, in which results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum ExportFormat {
    /// Findings, for forges and editors: results.sarif
    Sarif,
    /// Test results, for CI: junit.xml
    Junit,
    /// Coverage, for genhtml: coverage.lcov
    Lcov,
    /// The worlds of findings, for Perfetto and Chrome: trace.json
    Trace,
    /// The same with vector clocks, for ShiViz: shiviz.log
    Shiviz,
    /// The messages of each finding, for Wireshark: findings/NNN-KIND.pcapng
    Pcapng,
    /// Annotations for the CI of GitHub, which are printed
    Github,
}

/// The time between two checkpoints; `None` for none.
#[derive(Clone, Copy)]
struct CheckpointTime(Option<Duration>);

fn parse_checkpoint(text: &str) -> std::result::Result<CheckpointTime, String> {
    match text {
        "off" => Ok(CheckpointTime(None)),
        time => parse_duration(time).map(|time| CheckpointTime(Some(time))),
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum TestChoice {
    /// None at all
    None,
    /// Those that end in a new finding
    Findings,
    /// Those that end in a new finding or execute new code
    NewCoverage,
    /// Every path
    All,
}

#[derive(Clone, Copy, ValueEnum)]
enum StringChoice {
    /// The path forks over few cases if the result is used as a number or a pointer
    Auto,
    /// The result is an expression over all cases
    Expression,
    /// The path forks over the cases
    Fork,
}

#[derive(Clone, Copy, ValueEnum)]
enum SolverChoice {
    /// The one that suits the query
    Auto,
    /// Our bit-blaster over CaDiCaL
    Bitblast,
    /// Boolector
    Boolector,
    /// Two of them, compared with each other
    Check,
}

fn strategy_parser() -> impl clap::builder::TypedValueParser<Value = Strategy> {
    use clap::builder::TypedValueParser;
    clap::builder::PossibleValuesParser::new(Strategy::ALL.map(|(name, _)| name)).map(|name| {
        let found = Strategy::ALL.iter().find(|(known, _)| *known == name);
        found.expect("the parser accepts only these names").1
    })
}

/// A command line of its own that is a run.
#[derive(clap::Parser)]
#[command(name = "everett run", no_binary_name = true)]
pub(crate) struct RunCommand {
    #[command(flatten)]
    options: RunOptions,
}

/// The definition of [`RunCommand`]. It is made once, and copied: a scenario has a line for each of its
/// nodes, and to make the definition costs several times as much as to read one.
pub(crate) fn run_command() -> clap::Command {
    static DEFINITION: LazyLock<clap::Command> = LazyLock::new(RunCommand::command);
    DEFINITION.clone()
}

/// Returns `true` if a file to run is a scenario.
pub fn is_scenario(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "toml")
}

impl RunOptions {
    /// Understands words of a command line behind `everett run`.
    pub fn parse(words: impl IntoIterator<Item = OsString>) -> Result<RunOptions> {
        let mut matches = run_command().try_get_matches_from(words)?;
        let parsed = RunCommand::from_arg_matches_mut(&mut matches);
        Ok(parsed.map_err(|error| error.format(&mut run_command()))?.options)
    }

    /// The names of the environment variables that are set for all programs.
    pub fn variable_names(&self) -> Vec<Vec<u8>> {
        self.environment.variable_names()
    }

    /// Returns `true` if the run is on given inputs.
    pub fn is_replay(&self) -> bool {
        self.ktest.is_some()
    }

    /// The time between two checkpoints, if there are any.
    pub fn checkpoint(&self) -> Option<Duration> {
        self.checkpoint.0
    }

    /// Returns `true` if a page about the results is to be written.
    pub fn writes_report(&self) -> bool {
        self.report == OnOff::On
    }

    /// The frames of stacks that are printed.
    pub fn frames(&self) -> FrameChoice {
        self.reading.frames
    }

    /// The formats of other tools in which the results are to be written.
    pub fn exports(&self) -> &[ExportFormat] {
        &self.export
    }

    /// The place for states that memory has no room for.
    pub fn spill(&self) -> SpillChoice {
        self.spill.clone()
    }

    /// Threads that explore at the same time, or make runs.
    pub fn worker_threads(&self) -> usize {
        match self.workers {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            workers => workers,
        }
    }

    /// Returns the configuration of the engine.
    pub fn config(&self) -> Result<EngineConfig> {
        // The nodes of a scenario have a test each.
        let ktest = self.ktest.as_deref().filter(|_| !is_scenario(&self.program));
        let replay = ktest.map(KTest::read).transpose()?;
        let mut config = EngineConfig {
            search: self.search.clone(),
            pct_depth: self.pct_depth,
            seed: self.seed,
            quantum: self.quantum.max(1),
            limits: self.limits(),
            solver: self.solver(),
            check_leaks: self.check.contains(&OptionalCheck::Leaks),
            tests: self.test_policy(),
            decoders: self.reading.decoders(),
            save_files: self.save_files,
            all_findings: self.all_findings,
            stop_after: self.stop_after.or(self.stop_at_first.then_some(1)),
            symbolic_functions: self.symbolic_fn.iter().cloned().collect(),
            strings: match self.strings {
                StringChoice::Auto => StringMode::Auto,
                StringChoice::Expression => StringMode::Expression,
                StringChoice::Fork => StringMode::Fork,
            },
            // One path needs no more than one.
            workers: if self.is_replay() { 1 } else { self.worker_threads() },
            mapping: self.mapping.into(),
            detect_stalled: self.detect_stalled == OnOff::On,
            idle: replay.as_ref().and_then(kept_idle).unwrap_or(self.idle.0),
            virtual_time: self.max_virtual_time,
            ..EngineConfig::default()
        };
        config.node.entry.clone_from(&self.entry);
        config.node.argv = self.argv();
        config.node.replay = replay;
        config.node.kernel.seed = self.seed;
        self.environment.apply(&mut config.node)?;
        self.invariants.apply(&mut config)?;
        config.faults = self.faults.budgets();
        config.node.kernel.faults = self.faults.config()?;
        config.links.clone_from(&config.node.kernel.faults.network.links);
        config.node.kernel.looks_for_races = self.check.contains(&OptionalCheck::Races);
        config.node.kernel.checks_locks = self.check.contains(&OptionalCheck::Locks);
        config.exec.max_stack_bytes =
            { config.node.replay.as_ref() }.and_then(kept_stack).unwrap_or(self.max_stack);
        config.exec.checks.overflow = self.check.contains(&OptionalCheck::Overflow);
        config.exec.checks.uninitialized = self.check.contains(&OptionalCheck::Uninitialized);
        let kept = config.node.replay.as_ref().map_or(Vec::new(), kept_ignored);
        for word in self.ignore.iter().chain(&kept) {
            config.exec.ignored.add(IgnoredPlace::parse(word));
        }
        Ok(config)
    }

    /// The program's name as it was given, then its arguments.
    pub fn argv(&self) -> Vec<Vec<u8>> {
        let name = self.program.as_os_str().as_bytes().to_vec();
        let args = self.args.iter().map(|arg| arg.as_bytes().to_vec());
        std::iter::once(name).chain(args).collect()
    }

    fn limits(&self) -> Limits {
        Limits {
            time: self.max_time,
            instructions: self.max_instructions,
            forks: self.max_forks,
            depth: self.max_depth,
            path_instructions: self.max_path_instructions,
            round_instructions: self.max_round_instructions,
            states: self.max_states,
            memory: (self.max_memory > 0).then_some(self.max_memory),
        }
    }

    fn solver(&self) -> SolverOptions {
        SolverOptions {
            backend: match self.solver {
                SolverChoice::Auto => BackendChoice::Auto,
                SolverChoice::Bitblast => BackendChoice::Bitblast,
                SolverChoice::Boolector => BackendChoice::Boolector,
                SolverChoice::Check => BackendChoice::Check,
            },
            timeout: self.solver_timeout,
            caches: !self.no_solver_cache,
        }
    }

    fn test_policy(&self) -> TestPolicy {
        match self.tests {
            // The inputs are known already.
            _ if self.is_replay() => TestPolicy::None,
            TestChoice::None => TestPolicy::None,
            TestChoice::Findings => TestPolicy::Findings,
            TestChoice::NewCoverage => TestPolicy::New,
            TestChoice::All => TestPolicy::All,
        }
    }
}

/// Returns the time after which a program is idle, if its test says so; the inner `None` is never.
fn kept_idle(test: &KTest) -> Option<Option<Duration>> {
    let object = test.objects.iter().find(|object| object.name == IDLE.as_bytes())?;
    let ns = u64::from_le_bytes(object.bytes.as_slice().try_into().ok()?);
    Some((ns != u64::MAX).then(|| Duration::from_nanos(ns)))
}

/// Returns the size of stacks, if a test says so.
fn kept_stack(test: &KTest) -> Option<u32> {
    let object = test.objects.iter().find(|object| object.name == STACK.as_bytes())?;
    Some(u32::from_le_bytes(object.bytes.as_slice().try_into().ok()?))
}

/// Parses the size of a stack.
fn parse_stack(text: &str) -> std::result::Result<u32, String> {
    let size = parse_size(text)?;
    let size = u32::try_from(size).ok().filter(|size| (4 << 10..1 << 31).contains(size));
    size.ok_or_else(|| "a stack has at least 4K and less than 2G".to_owned())
}

/// Returns the findings that a test ignores.
fn kept_ignored(test: &KTest) -> Vec<String> {
    let object = test.objects.iter().find(|object| object.name == IGNORED.as_bytes());
    let text = object.map(|object| String::from_utf8_lossy(&object.bytes).into_owned());
    text.iter().flat_map(|text| text.lines()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(args: &[&str]) -> EngineConfig {
        let words = ["prog.bc"].iter().chain(args).map(OsString::from);
        RunOptions::parse(words).unwrap().config().unwrap()
    }

    #[test]
    fn defaults_are_the_engine_s() {
        let (ours, theirs) = (config(&[]), EngineConfig::default());
        assert_eq!(ours.limits, theirs.limits);
        assert_eq!(ours.solver, theirs.solver);
        assert_eq!(ours.search, theirs.search);
        assert_eq!((ours.seed, ours.quantum), (theirs.seed, theirs.quantum));
        assert_eq!((ours.tests, ours.check_leaks), (theirs.tests, theirs.check_leaks));
        assert_eq!(ours.strings, theirs.strings);
        assert_eq!((ours.idle, ours.virtual_time), (theirs.idle, theirs.virtual_time));
        assert_eq!(ours.node.argv, [b"prog.bc".to_vec()]);
    }

    #[test]
    fn the_reduction_is_switched_on_and_off() {
        assert!(config(&[]).node.kernel.reduces_orders);
        assert!(config(&["--reduction", "on"]).node.kernel.reduces_orders);
        assert!(!config(&["--reduction", "off"]).node.kernel.reduces_orders);
    }

    #[test]
    fn lists_are_separated_by_commas() {
        let config = config(&["--search", "dfs,random-state", "--check", "overflow,leaks"]);
        assert_eq!(config.search, [Strategy::Dfs, Strategy::RandomState]);
        assert!(config.check_leaks && config.exec.checks.overflow);
    }

    #[test]
    fn limits_take_units() {
        let config = config(&["--max-time", "5m", "--max-memory", "0", "--max-instructions", "2M"]);
        assert_eq!(config.limits.time, Some(Duration::from_secs(300)));
        assert_eq!(config.limits.memory, None);
        assert_eq!(config.limits.instructions, Some(2_000_000));
    }

    #[test]
    fn worlds_end_when_servers_only_tick_unless_that_is_switched_off() {
        let two = Some(Duration::from_secs(2));
        assert_eq!((config(&[]).idle, config(&[]).virtual_time), (two, None));
        let config = config(&["--idle", "off", "--max-virtual-time", "2s"]);
        assert_eq!((config.idle, config.virtual_time), (None, two));
    }

    #[test]
    fn findings_are_ignored_as_the_user_and_the_test_say() {
        let config = config(&["--ignore", "leak,a.c:3", "--ignore", "parse", "--stop-at-first"]);
        let places: Vec<String> =
            config.exec.ignored.places().iter().map(ToString::to_string).collect();
        assert_eq!(places, ["leak", "a.c:3", "parse"]);
        assert_eq!(config.stop_after, Some(1));
        let mut test = KTest::new([b"p".to_vec()]);
        let kept = everett_replay::KTestObject::new(IGNORED.as_bytes(), b"leak\na.c:3\n".to_vec());
        test.objects.push(kept);
        assert_eq!(kept_ignored(&test), ["leak", "a.c:3"]);
    }

    #[test]
    fn arguments_of_the_program_follow_two_dashes() {
        let config = config(&["--env", "A=1", "--", "-x", "--seed"]);
        assert_eq!(config.node.argv, [b"prog.bc".to_vec(), b"-x".to_vec(), b"--seed".to_vec()]);
        assert_eq!(config.node.envp, [b"A=1".to_vec()]);
    }

    #[test]
    fn flags_that_may_be_repeated_are_known() {
        use clap::ArgAction;
        let command = RunCommand::command();
        let flags = command.get_arguments().filter(|argument| argument.get_long().is_some());
        let repeated = flags.filter(|argument| matches!(argument.get_action(), ArgAction::Append));
        let names: Vec<&str> = repeated.filter_map(clap::Arg::get_long).collect();
        // All values of each count, or a second one of the same is refused.
        let expected = [
            "symbolic-fn",
            "check",
            "ignore",
            "sym-arg",
            "sym-args",
            "sym-file",
            "env",
            "mount",
            "forward",
            "expose",
            "fault-link",
            "link-budget",
            "delay-time",
            "trojan-from",
            "trojan-to",
            "partition-cut",
            "link-down-nodes",
            "sys-fail",
            "open-errno",
            "chdir-errno",
            "invariants",
            "search",
            "export",
            "decode",
            "fail-on",
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn unknown_strategies_are_refused_with_the_known_ones() {
        use clap::Parser;
        let error = RunCommand::try_parse_from(["p.bc", "--search", "best"]).err().unwrap();
        assert!(error.to_string().contains("random-state"), "{error}");
    }
}
