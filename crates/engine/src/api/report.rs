//! The reports of a run: plain data, free of the engine's internals.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use everett_interp::{BugKind, Omission};
use everett_net::Topology;
use everett_posix::{FaultKind, Moment, Recorded};
use everett_replay::KTest;
use everett_world::MappingKind;

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourcePlace {
    /// Source function (of an inlined call, the one that was inlined).
    pub function: String,
    /// File as the compiler recorded it; empty without debug information.
    pub file: String,
    /// Line, 0 when unknown.
    pub line: u32,
    /// Column, 0 when unknown.
    pub column: u32,
    /// This call was inlined into the next entry of the stack.
    pub inlined: bool,
}

/// An object that a finding concerns.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectReport {
    /// Its description, for example `local variable 'buf'`.
    pub what: String,
    /// First address.
    pub address: u64,
    /// Size in bytes.
    pub size: u64,
    /// Where it was allocated, innermost place first.
    pub allocated: Vec<SourcePlace>,
    /// Where it was freed, innermost place first; empty if it was not.
    pub freed: Vec<SourcePlace>,
}

/// A symbolic input and its value on the way to a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Name that the program gave it.
    pub name: String,
    /// Value.
    pub bytes: Vec<u8>,
}

/// A bug, with all that a person needs to understand it.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Number, from 1, in order of discovery.
    pub id: u32,
    /// Kind.
    pub kind: BugKind,
    /// The bug in one sentence.
    pub message: String,
    /// Node on which it happened; a single process runs on node `node0`.
    pub node: String,
    /// Call stack, innermost place first. Never empty.
    pub stack: Vec<SourcePlace>,
    /// The invariant that is violated, if that is the bug.
    pub violation: Option<ViolationReport>,
    /// Objects concerned.
    pub objects: Vec<ObjectReport>,
    /// Values of the symbolic inputs that lead there.
    pub inputs: Vec<Input>,
    /// The program's standard output and error on this path.
    pub output: Vec<u8>,
    /// The nodes of the world in which it happened, in order; empty if there is only one.
    pub world: Vec<NodeReport>,
    /// The messages between them, in the order of time; see [`Finding::MAX_MESSAGES`].
    pub messages: Vec<MessageReport>,
    /// Earlier messages that are left out.
    pub messages_omitted: u64,
    /// The faults that have happened in its world, by node and in the order of time.
    pub faults: Vec<FaultReport>,
    /// Paths that ended in this bug (same kind and stack), or distinct violations of the invariant
    /// that were exposed at this place.
    pub count: u64,
    /// Ignored findings that the paths of its world went past: since then they are not exactly what the
    /// machine does.
    pub after_ignored: u32,
    /// Number of the test case that reproduces it, if one was asked for.
    pub test: Option<u64>,
    /// That is the test of a world: the nodes are those of a scenario, or there are several, and
    /// all of them are there.
    pub of_system: bool,
}

impl Finding {
    /// Messages that a finding shows at most, unless the configuration says otherwise: the last ones.
    pub const MAX_MESSAGES: usize = 200;
}

/// A violated invariant.
#[derive(Clone, Debug, PartialEq)]
pub struct ViolationReport {
    /// Its name.
    pub invariant: String,
    /// Where it is defined.
    pub place: SourcePlace,
    /// The data that it has collected, in order.
    pub values: Vec<ExposedValue>,
    /// It was evaluated at the end of a world.
    pub at_end: bool,
}

/// Data that a node has exposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExposedValue {
    /// The node.
    pub node: String,
    /// The state that it was exposed for.
    pub state: i64,
    /// The key.
    pub key: String,
    /// When it was exposed, in virtual nanoseconds.
    pub time_ns: u64,
    /// The bytes, as one of the worlds has them.
    pub bytes: Vec<u8>,
    /// Other worlds have other bytes there.
    pub symbolic: bool,
}

/// A node of the world in which a finding happened.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeReport {
    /// Its name.
    pub name: String,
    /// Its status: `runs`, `waits in recvfrom`, `exited with 0`.
    pub status: String,
    /// Call stack of its running or last thread, innermost place first; empty if it has exited.
    pub stack: Vec<SourcePlace>,
    /// Values of its symbolic inputs.
    pub inputs: Vec<Input>,
}

/// A message from one node to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageReport {
    /// Virtual time of its sending in nanoseconds.
    pub time_ns: u64,
    /// Round within that time.
    pub round: u32,
    /// The sender.
    pub from: String,
    /// The receiver.
    pub to: String,
    /// Its kind: `udp data`, `tcp request`.
    pub kind: String,
    /// Source and destination.
    pub addresses: (String, String),
    /// Size of its payload.
    pub size: u64,
    /// The beginning of its payload.
    pub bytes: Vec<u8>,
    /// The receiver has got it.
    pub received: bool,
}

/// A fault on the way to a finding.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultReport {
    /// Its kind.
    pub kind: FaultKind,
    /// The node that it happened to.
    pub node: String,
    /// The how-manieth place on the node's path where the kind was possible, from 1.
    pub point: u64,
    /// The number of the choice among those that there were.
    pub choice: u32,
    /// The event in words: `read of descriptor 3 fails with EIO`.
    pub what: String,
    /// Virtual time in nanoseconds.
    pub time_ns: u64,
    /// The program's own place that it happened at, if it did at one.
    pub place: Option<SourcePlace>,
}

/// The opportunities for a kind of fault, and the findings and paths that it led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultSummary {
    /// The kind.
    pub kind: FaultKind,
    /// Places where it was offered, counted on each path.
    pub offered: u64,
    /// Times that it happened.
    pub taken: u64,
    /// Paths that ended in a finding in a world in which it had happened.
    pub findings: u64,
    /// Paths on which it had happened and that ended as they should.
    pub paths: u64,
    /// The numbers of the findings of those paths, each once.
    pub led_to: Vec<u32>,
}

/// Why a test case was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TestReason {
    /// The path ended in the finding of this number.
    Finding(u32),
    /// The path executed new code.
    NewCode,
    /// Every path was asked for.
    Path,
    /// The path was given up for this reason before it ended.
    Dropped(DropReason),
}

/// The object of a test case that holds the preemptions of its path, behind all inputs.
pub const SCHEDULE: &str = "everett-schedule";
/// The one that holds its faults: a version of two bytes, then 14 bytes each.
pub const FAULTS: &str = "everett-faults";
/// The one that holds what is ignored, a line each, if its path went past an ignored finding: without it
/// the path would end there.
pub const IGNORED: &str = "everett-ignored";
/// The one that holds after how many nanoseconds a program on its own is idle, as eight bytes with the lowest
/// first, if that is not as usual; all ones stand for never.
pub const IDLE: &str = "everett-idle";

/// A test case: inputs that drive the program along one path.
#[derive(Clone, Debug, PartialEq)]
pub struct TestCase {
    /// Number, from 1; in a system of several nodes each has a test case of this number.
    pub id: u64,
    /// The node whose inputs it holds; `None` if there is only one.
    pub node: Option<String>,
    /// Why it was written.
    pub reason: TestReason,
    /// Inputs in KLEE's format.
    pub ktest: KTest,
}

/// A test case of a whole world: what the test cases of its nodes, which have the same number and come
/// before it, are to be run together with, and what comes of that.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldTest {
    /// Number of the test case.
    pub id: u64,
    /// One program has made all nodes itself.
    pub booted: bool,
    /// The networks between the nodes; a program on its own may have none.
    pub topology: Option<Arc<Topology>>,
    /// The nodes, in order.
    pub nodes: Vec<WorldNode>,
    /// The finding that the world ended in, or that it violates an invariant; `None` if it ended as it
    /// should.
    pub finding: Option<Finding>,
    /// If it was cut off instead: after so many instructions of all nodes.
    pub unfinished: Option<u64>,
    /// The faults that have happened, by node and in the order of time.
    pub faults: Vec<FaultReport>,
    /// The preemptions of threads, by node and in the order of time.
    pub preemptions: Vec<PreemptionReport>,
    /// The messages, in the order of time: the last ones, see [`crate::EngineConfig::messages`].
    pub messages: Vec<MessageReport>,
    /// Earlier messages that are left out.
    pub messages_omitted: u64,
    /// Virtual time in nanoseconds that it has come to.
    pub time_ns: u64,
    /// The dealings of each node's programs with the outside, if they are recorded: see
    /// [`crate::EngineConfig::record`].
    pub recorded: Vec<Recorded>,
}

/// A node of a world, as far as a test case wants to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorldNode {
    /// Its name.
    pub name: String,
    /// Nodes with a lower number began earlier.
    pub start: u32,
    /// It is a server, if that is said.
    pub server: Option<bool>,
    /// Its status in the end: `waits in recvfrom`, `exited with 0`.
    pub status: String,
}

/// Where a run stands that stops after a number of messages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoppedRun {
    /// The status of every state, by node.
    pub nodes: Vec<NodeReport>,
    /// Variables of each of them, in the order of their stacks: those of the programs' own functions that are
    /// in memory, with their first bytes.
    pub variables: Vec<Vec<Input>>,
    /// The faults that have happened, by node and in the order of time.
    pub faults: Vec<FaultReport>,
    /// The preemptions of threads, by node and in the order of time.
    pub preemptions: Vec<PreemptionReport>,
    /// The messages, in the order of time.
    pub messages: Vec<MessageReport>,
}

/// A preemption of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreemptionReport {
    /// The node.
    pub node: String,
    /// The how-manieth place on the node's path where one was possible, from 1.
    pub point: u64,
    /// The thread that ran.
    pub from: u32,
    /// The one that ran instead.
    pub to: u32,
    /// Virtual time of the node in nanoseconds.
    pub time_ns: u64,
    /// The program's own place that the first one was at.
    pub place: Option<SourcePlace>,
}

/// The end of one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathOutcome {
    /// The entry function returned, or the program exited, with this value.
    Exit(u64),
    /// The program ended the path without a result (`klee_silent_exit`).
    Silent,
    /// A bug; the finding's number.
    Finding(u32),
    /// A bug that is ignored, and that nothing can come after.
    Ignored,
    /// The engine gave it up.
    Dropped(DropReason),
    /// Nothing can happen any more, and it waits for work.
    Waits,
    /// Its worlds ended, because another node's path did.
    WorldEnded,
    /// It turned out to be in no world: its condition contradicts those of all other nodes' paths.
    Impossible,
}

/// Findings of a kind and a place that were ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IgnoredFinding {
    /// The kind.
    pub kind: BugKind,
    /// The place.
    pub place: SourcePlace,
    /// The number of paths that went on behind it: they are not exactly what the machine does from there on.
    pub went_on: u64,
    /// The number of paths, or worlds, that ended with it.
    pub ended: u64,
}

/// The outcome of an ignored finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IgnoredHow {
    WentOn,
    Ended,
}

/// A path that is over.
#[derive(Clone, Debug, PartialEq)]
pub struct PathEnd {
    /// The node that it was a path of.
    pub node: String,
    /// Its outcome.
    pub outcome: PathOutcome,
    /// Source instructions along it.
    pub instructions: u64,
    /// Forks along it.
    pub depth: u32,
    /// Inputs that take it, in the order in which the program asked for them.
    pub inputs: Vec<Input>,
    /// Its standard output and error.
    pub output: Vec<u8>,
    /// Messages that it has sent to other nodes.
    pub sent: u64,
    /// Where faults could have happened on it, if that was asked for ([`crate::FaultPlan::Survey`]), in the
    /// order of the path.
    pub faults: Vec<FaultPoint>,
}

/// A place on a path where a fault is possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultPoint {
    /// The kind.
    pub kind: FaultKind,
    /// The how-manieth place of its kind on the path.
    pub point: u64,
    /// The alternatives with what happens: `read of descriptor 3 fails with EIO`.
    pub choices: Vec<(u32, String)>,
    /// The program's own place, if there is one.
    pub place: Option<SourcePlace>,
    /// When the node had been woken that came there.
    pub at: Moment,
}

/// Why a path, or a part of the work, was dropped.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DropReason {
    /// The time limit.
    TimeLimit,
    /// The limit on instructions.
    InstructionLimit,
    /// The limit on forks: a side of a branch was not followed.
    ForkLimit,
    /// The limit on forks along one path.
    DepthLimit,
    /// The limit on instructions along one path.
    PathInstructionLimit,
    /// The limit on live states.
    StateLimit,
    /// The limit on memory.
    MemoryLimit,
    /// As many findings as were asked for.
    FindingLimit,
    /// The user asked to stop.
    Interrupted,
    /// The solver did not answer in time.
    SolverTimeout,
    /// The solver failed.
    SolverFailure(String),
    /// Something unsupported, with the place: `unsupported: ... at file.c:12`.
    Unsupported(String),
    /// A function or a variable of the C library that is not there, by its name.
    MissingSymbol(String),
    /// A panic, with its message and place: an error of the engine.
    InternalError(String),
    /// The run was given up after an internal error.
    AfterInternalError,
    /// Values or sides of branches were left out, with the place: `main at file.c:12`, empty when it is
    /// unknown.
    Omitted(Omission, String),
    /// An invariant that makes no sense for the data that it is given, with the place.
    Invariant(String),
    /// More results of an invariant than are looked at.
    InvariantLimit,
}

/// A loss: the consequence for the result when something was dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loss {
    /// The engine could not go on: behaviour of the program is missing.
    Failure,
    /// A limit was reached: behaviour is missing that a higher limit would show.
    Limit,
    /// Paths go on, but stand for fewer values or sides than they could.
    Values,
}

impl DropReason {
    /// The consequence for the result when something was dropped for this reason.
    pub fn loss(&self) -> Loss {
        match self {
            DropReason::SolverFailure(_)
            | DropReason::Unsupported(_)
            | DropReason::MissingSymbol(_)
            | DropReason::InternalError(_)
            | DropReason::AfterInternalError
            | DropReason::Invariant(_) => Loss::Failure,
            DropReason::TimeLimit
            | DropReason::InstructionLimit
            | DropReason::ForkLimit
            | DropReason::DepthLimit
            | DropReason::PathInstructionLimit
            | DropReason::StateLimit
            | DropReason::MemoryLimit
            | DropReason::SolverTimeout
            | DropReason::FindingLimit
            | DropReason::Interrupted
            | DropReason::InvariantLimit => Loss::Limit,
            DropReason::Omitted(..) => Loss::Values,
        }
    }
}

impl std::fmt::Display for DropReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = match self {
            DropReason::TimeLimit => "time limit",
            DropReason::InstructionLimit => "instruction limit",
            DropReason::ForkLimit => "fork limit",
            DropReason::DepthLimit => "depth limit",
            DropReason::PathInstructionLimit => "path instruction limit",
            DropReason::StateLimit => "state limit",
            DropReason::MemoryLimit => "memory limit",
            DropReason::FindingLimit => "limit on findings",
            DropReason::Interrupted => "interrupted",
            DropReason::SolverTimeout => "solver timeout",
            DropReason::SolverFailure(why) => return write!(f, "solver failure: {why}"),
            DropReason::Unsupported(what) => return f.write_str(what),
            DropReason::MissingSymbol(name) => {
                return write!(f, "unsupported: '{name}' of the C library");
            }
            DropReason::InternalError(what) => return write!(f, "internal error: {what}"),
            DropReason::AfterInternalError => "given up after an internal error",
            DropReason::Invariant(what) => return write!(f, "invariant not evaluated: {what}"),
            DropReason::InvariantLimit => "too many results of an invariant",
            DropReason::Omitted(what, place) => {
                f.write_str(omission_text(*what))?;
                return if place.is_empty() { Ok(()) } else { write!(f, " in {place}") };
            }
        };
        f.write_str(text)
    }
}

fn omission_text(what: Omission) -> &'static str {
    match what {
        Omission::FloatOperand => "symbolic floating-point operand replaced by a value",
        Omission::AskedValue => "symbolic value replaced by one value that the program asked for",
        Omission::PathName => "symbolic path name replaced by one name",
        Omission::BootInput => "input from before klee_net_host_setup replaced by one value",
        Omission::Values => "too many values of a symbolic value",
        Omission::PointerTargets => "too many targets of a symbolic pointer",
        Omission::AllocationSizes => "too many sizes of a symbolic allocation",
        Omission::ForkingOff => "forking switched off by the program",
        Omission::SolverTimeout => "solver timeout",
        Omission::SolverMemory => "memory limit",
    }
}

/// The outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every path was explored, for all of its values.
    Exhausted,
    /// A limit was reached, or paths or values were dropped: [`Summary::dropped`] says which and why.
    Limit,
    /// The user stopped it.
    Stopped,
    /// It has not ended yet; only of a summary that [`Summary::so_far`] gives.
    Running,
    /// An internal error ended it.
    Failed,
}

/// Covered and total source instructions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoverageCount {
    /// Executed on at least one path.
    pub covered: u64,
    /// All.
    pub total: u64,
}

/// Coverage of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionCoverage {
    /// Linker name.
    pub function: String,
    /// Source file, empty when unknown.
    pub file: String,
    /// Line of the function, 0 when unknown.
    pub line: u32,
    /// Instructions.
    pub instructions: CoverageCount,
    /// Source lines of this function's file with whether they were executed, ascending.
    pub lines: Vec<(u32, bool)>,
}

/// Where a run stands, for progress displays and for what is stored while it goes on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// Time since the start.
    pub elapsed: Duration,
    /// Paths completed.
    pub paths: u64,
    /// Paths that ended in a finding.
    pub paths_failed: u64,
    /// Paths that the program ended without a result.
    pub paths_silent: u64,
    /// Paths whose worlds ended because another node's path did.
    pub paths_cut: u64,
    /// Paths that ended at an ignored finding.
    pub paths_ignored: u64,
    /// Forks.
    pub forks: u64,
    /// Messages that nodes sent, counted on each path.
    pub events_sent: u64,
    /// States created.
    pub states_created: u64,
    /// Most states alive at once.
    pub states_peak: u64,
    /// Nodes.
    pub nodes: u64,
    /// Tests written.
    pub tests: u64,
    /// Live states.
    pub states: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// Queries that reached a backend.
    pub queries: u64,
    /// Inputs that were symbolic, each name once.
    pub symbolic_inputs: u64,
    /// Time in the solver, of all workers together.
    pub solver_time: Duration,
    /// Workers that explore.
    pub workers: u64,
    /// Coverage.
    pub coverage: CoverageCount,
    /// Resident memory in bytes.
    pub memory: u64,
    /// Distinct findings.
    pub findings: u64,
    /// The numbers of what was dropped, by reason.
    pub dropped: BTreeMap<DropReason, u64>,
}

/// The statistics of one solver layer.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerStats {
    /// Name of the layer.
    pub layer: String,
    /// Questions that reached it.
    pub asked: u64,
    /// Questions that it answered itself.
    pub answered: u64,
}

/// A number of worlds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorldCount {
    /// Exactly so many.
    Exactly(u64),
    /// So many and more.
    AtLeast(u64),
}

/// The statistics of invariants.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InvariantStats {
    /// Evaluations; combinations of data that were seen before need none.
    pub evaluations: u64,
    /// Distinct violations.
    pub violations: u64,
    /// Time spent on them.
    pub time: Duration,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Its outcome.
    pub outcome: Outcome,
    /// A limit that was reached, or what the engine could not do, if that is why not all was explored.
    pub limit: Option<DropReason>,
    /// Source instructions executed over all paths.
    pub instructions: u64,
    /// Paths completed: the program exited or its entry function returned.
    pub paths: u64,
    /// Paths that ended in a finding.
    pub paths_failed: u64,
    /// Paths that the program ended without a result (`klee_silent_exit`).
    pub paths_silent: u64,
    /// Paths whose worlds ended because another node's path did.
    pub paths_cut: u64,
    /// Paths that ended at an ignored finding.
    pub paths_ignored: u64,
    /// Findings that were ignored, by kind and place.
    pub ignored: Vec<IgnoredFinding>,
    /// Nodes.
    pub nodes: u64,
    /// Distinct worlds that ran to their end.
    pub worlds: WorldCount,
    /// Those of them that ended because their servers only followed timers.
    pub worlds_idle: u64,
    /// Those of them that ended at the horizon of virtual time.
    pub worlds_horizon: u64,
    /// The latest virtual time of states that were left when a limit, or the user, ended the run.
    pub unfinished_at: Option<Duration>,
    /// Most sets of worlds that were held at once; with several workers, no more than that.
    pub dstates_peak: u64,
    /// Messages that nodes sent, counted on each path.
    pub events_sent: u64,
    /// Questions whether states of several nodes can exist together.
    pub joint_checks: u64,
    /// The statistics of invariants, if there are any.
    pub invariants: Option<InvariantStats>,
    /// The representation of the set of worlds.
    pub mapping: MappingKind,
    /// States created, the first one included.
    pub states_created: u64,
    /// Most states alive at once; with several workers, whose peaks need not coincide, no more than that.
    pub states_peak: u64,
    /// Forks.
    pub forks: u64,
    /// Queries that reached a backend.
    pub queries: u64,
    /// Inputs that were symbolic, each name once.
    pub symbolic_inputs: u64,
    /// Time in the solver, of all workers together.
    pub solver_time: Duration,
    /// Wall time.
    pub wall_time: Duration,
    /// Workers that explored.
    pub workers: u64,
    /// Coverage of the whole program.
    pub coverage: CoverageCount,
    /// Coverage by function.
    pub functions: Vec<FunctionCoverage>,
    /// The numbers of what was dropped, by reason, in a fixed order.
    pub dropped: Vec<(DropReason, u64)>,
    /// Faults of the kinds that were allowed, in the order of kinds.
    pub faults: Vec<FaultSummary>,
    /// Findings, in order of discovery.
    pub findings: Vec<Finding>,
    /// Tests written.
    pub tests: u64,
    /// The statistics of each solver layer.
    pub solver_layers: Vec<LayerStats>,
    /// Exit code of the program when there was exactly one path and it completed.
    pub exit_code: Option<u64>,
    /// A hash of the whole run (paths, their decisions and ends): equal for equal runs.
    pub trace_hash: u64,
}

impl Summary {
    /// The summary of a run that goes on, as far as it is known while it does: neither layers of the
    /// solver nor functions, and worlds and the hash are those of a whole run.
    pub fn so_far(progress: &Progress, findings: &[Finding]) -> Summary {
        let Progress { coverage, dropped, .. } = progress;
        Summary {
            outcome: Outcome::Running,
            limit: None,
            instructions: progress.instructions,
            paths: progress.paths,
            paths_failed: progress.paths_failed,
            paths_silent: progress.paths_silent,
            paths_cut: progress.paths_cut,
            paths_ignored: progress.paths_ignored,
            ignored: Vec::new(),
            nodes: progress.nodes,
            worlds: WorldCount::AtLeast(0),
            worlds_idle: 0,
            worlds_horizon: 0,
            unfinished_at: None,
            dstates_peak: 0,
            events_sent: progress.events_sent,
            joint_checks: 0,
            invariants: None,
            mapping: MappingKind::Sds,
            states_created: progress.states_created,
            states_peak: progress.states_peak.min(progress.states_created),
            forks: progress.forks,
            queries: progress.queries,
            symbolic_inputs: progress.symbolic_inputs,
            solver_time: progress.solver_time,
            wall_time: progress.elapsed,
            workers: progress.workers,
            coverage: coverage.clone(),
            functions: Vec::new(),
            dropped: dropped.iter().map(|(reason, count)| (reason.clone(), *count)).collect(),
            faults: Vec::new(),
            findings: findings.to_vec(),
            tests: progress.tests,
            solver_layers: Vec::new(),
            exit_code: None,
            trace_hash: 0,
        }
    }
}
