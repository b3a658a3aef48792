//! The reports of a run: plain data, free of the engine's internals.

use std::sync::Arc;

use everett_interp::{BugKind, Redundancy};
use everett_ir::is_rust_library;
use everett_net::Topology;
use everett_posix::{FaultKind, NodeRecording};
use everett_replay::KTest;
use everett_world::Stamp;

use crate::api::dropped::DropReason;
use crate::api::words::MessageWords;

/// A place in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
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

everett_base::portable!(struct SourcePlace { function, file, line, column, inlined });

impl SourcePlace {
    /// Returns `true` for a place in a library that is built in, whose files are named like `<musl>/src/...`,
    /// or in Rust's standard library. Headers are not among them: what is in them becomes part of a program.
    pub fn is_in_library(&self) -> bool {
        self.file.starts_with('<') || is_rust_library(&self.file)
    }
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

everett_base::portable!(struct ObjectReport { what, address, size, allocated, freed });

/// A symbolic input and its value on the way to a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Name that the program gave it.
    pub name: String,
    /// Value.
    pub bytes: Vec<u8>,
}

everett_base::portable!(struct Input { name, bytes });

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
    /// Virtual time in nanoseconds at which the node was woken that it happened on, and the round within that
    /// time.
    pub at: (u64, u32),
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
    /// The preemptions of threads in its world, by node and in the order of time.
    pub preemptions: Vec<PreemptionReport>,
    /// The data that the nodes of its world had exposed to invariants, in the order of time; see
    /// [`Finding::MAX_EXPOSED`].
    pub exposed: Vec<ExposedValue>,
    /// Earlier exposures that are left out.
    pub exposed_omitted: u64,
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

everett_base::portable!(struct Finding {
    id, kind, message, node, at, stack, violation, objects, inputs, output, world, messages,
    messages_omitted, faults, preemptions, exposed, exposed_omitted, count, after_ignored, test,
    of_system,
});

impl Finding {
    /// Messages that a finding shows at most, unless the configuration says otherwise: the last ones.
    pub const MAX_MESSAGES: usize = 200;
    /// Exposures that a finding shows at most: the last ones.
    pub const MAX_EXPOSED: usize = 200;
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

everett_base::portable!(struct ViolationReport { invariant, place, values, at_end });

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
    /// Round within that time.
    pub round: u32,
    /// The bytes, as one of the worlds has them.
    pub bytes: Vec<u8>,
    /// Other worlds have other bytes there.
    pub symbolic: bool,
    /// The value in the words of the variable's type, if debug information has it: `[4, 3]`.
    pub text: Option<String>,
}

everett_base::portable!(struct ExposedValue {
    node, state, key, time_ns, round, bytes, symbolic, text,
});

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

everett_base::portable!(struct NodeReport { name, status, stack, inputs });

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
    /// Virtual time in nanoseconds at which it has, and the round within that time; `None` also where the
    /// receiver has had so many messages since that it is not known any more.
    pub received_at: Option<(u64, u32)>,
    /// The message in the words of its protocol, if a decoder knows it. Only findings have it.
    pub words: Option<MessageWords>,
}

everett_base::portable!(struct MessageReport {
    time_ns, round, from, to, kind, addresses, size, bytes, received, received_at, words,
});

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

everett_base::portable!(struct FaultReport { kind, node, point, choice, what, time_ns, place });

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

everett_base::portable!(enum TestReason {
    0 = Finding(value), 1 = NewCode, 2 = Path, 3 = Dropped(value),
});

/// The object of a test case that holds the preemptions of its path, behind all inputs.
pub const SCHEDULE: &str = "everett-schedule";

/// Name of the object of a test case that has the operations at which threads race.
pub const RACING: &str = "everett-racing";

/// Name of the object of a test case that has the race that it is about.
pub const RACE: &str = "everett-race";
/// The one that holds its faults: a version of two bytes, then 14 bytes each.
pub const FAULTS: &str = "everett-faults";
/// The one that holds what is ignored, a line each, if its path went past an ignored finding: without it
/// the path would end there.
pub const IGNORED: &str = "everett-ignored";
/// The one that holds after how many nanoseconds a program on its own is idle, as eight bytes with the lowest
/// first, if that is not as usual; all ones stand for never.
pub const IDLE: &str = "everett-idle";
/// The one that holds the size of stacks, as four bytes with the lowest first, if that is not as usual.
pub const STACK: &str = "everett-stack";

/// The one that says what its path does where it uses memory that was never written, if it does: the op of
/// the use that it ends with, and the number of uses there before that one, of four bytes each with the
/// lowest first; nothing if it goes past all of them.
pub const UNINITIALIZED: &str = "everett-uninitialized";

/// A test case: inputs that drive the program along one path.
#[derive(Clone, Debug, PartialEq)]
pub struct TestCase {
    /// Number, from 1; in a system of several nodes each has a test case of this number.
    pub id: u64,
    /// The node whose inputs it holds; `None` if there is only one.
    pub node: Option<String>,
    /// Why it was written.
    pub reason: TestReason,
    /// Inputs in KLEE's format. Those of a live node are as large as what it was told.
    pub ktest: Arc<KTest>,
    /// The program's standard output and error on this path, if every path leaves a test
    /// ([`crate::TestPolicy::All`]); empty otherwise.
    pub output: Vec<u8>,
}

everett_base::portable!(struct TestCase { id, node, reason, ktest, output });

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
    pub recorded: Vec<NodeRecording>,
}

everett_base::portable!(struct WorldTest {
    id, booted, topology, nodes, finding, unfinished, faults, preemptions, messages,
    messages_omitted, time_ns, recorded,
});

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

everett_base::portable!(struct WorldNode { name, start, server, status });

/// A step of a run: a node comes to a line of its program's own code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorldStep {
    /// The number of the node.
    pub node: u32,
    /// Virtual time in nanoseconds.
    pub time_ns: u64,
    /// Round within that time.
    pub round: u32,
    /// The line.
    pub place: SourcePlace,
    /// The calls that the thread is in.
    pub depth: u32,
    /// The messages that have been sent.
    pub messages: u64,
}

everett_base::portable!(struct WorldStep { node, time_ns, round, place, depth, messages });

/// Where a run stands that stops after a number of messages, or before a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoppedRun {
    /// The name of the node that runs.
    pub node: String,
    /// Its virtual time in nanoseconds, and the round within that time.
    pub at: (u64, u32),
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
    /// Earlier messages that are left out.
    pub messages_omitted: u64,
    /// The data that nodes have exposed, in the order of time.
    pub exposed: Vec<ExposedValue>,
    /// Earlier data that is left out.
    pub exposed_omitted: u64,
    /// The output of each node on its standard streams.
    pub outputs: Vec<Vec<u8>>,
}

everett_base::portable!(struct StoppedRun {
    node, at, nodes, variables, faults, preemptions, messages, messages_omitted, exposed,
    exposed_omitted, outputs,
});

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

everett_base::portable!(struct PreemptionReport { node, point, from, to, time_ns, place });

/// The end of one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathOutcome {
    /// The entry function returned, or the program exited, with this value.
    Exit(u64),
    /// The program ended the path without a result (`klee_silent_exit`).
    Silent,
    /// It does nothing that another path does not do.
    Redundant(Redundancy),
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

everett_base::portable!(enum PathOutcome {
    0 = Exit(value), 1 = Silent, 2 = Redundant(value), 3 = Finding(value), 4 = Ignored, 5 = Dropped(value),
    6 = Waits, 7 = WorldEnded, 8 = Impossible,
});

impl PathOutcome {
    /// The heaviest outcome says the most about a path that several workers or jobs have had.
    pub(crate) fn weight(&self) -> u32 {
        match self {
            PathOutcome::Finding(_) => 3,
            PathOutcome::Dropped(_) => 2,
            PathOutcome::Exit(_)
            | PathOutcome::Silent
            | PathOutcome::Redundant(_)
            | PathOutcome::Ignored
            | PathOutcome::WorldEnded
            | PathOutcome::Waits => 1,
            PathOutcome::Impossible => 0,
        }
    }
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

everett_base::portable!(struct PathEnd {
    node, outcome, instructions, depth, inputs, output, sent, faults,
});

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
    pub at: Stamp,
}

everett_base::portable!(struct FaultPoint { kind, point, choices, place, at });
