//! Symbolic execution of LLVM bitcode: give it a program, receive findings and test cases.
//!
//! An [`Engine`] is built from a lowered program and an [`EngineConfig`], and explores every path
//! within the configured limits. Results arrive through an [`Observer`] as they appear, and as a
//! whole in the [`Summary`].
//!
//! ```no_run
//! use std::sync::Arc;
//! use everett_engine::{Engine, EngineConfig, SilentObserver};
//!
//! let loaded = everett_llvm::load(&["prog.bc".into()], &Default::default())?;
//! let mut engine = Engine::new(Arc::new(loaded.program), EngineConfig::default())?;
//! for finding in engine.run(&mut SilentObserver).findings {
//!     println!("{}: {}", finding.kind, finding.message);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The rooms of the crate, from the bottom to the top; each uses only those above it in this list
//! (`cargo xtask tidy` compares):
//!
//! - `api`: configuration, [`Observer`], errors, reports: what embedders see.
//! - `programs`: the programs under test, and places in their source.
//! - `state`: what a state carries besides the interpreter's part of it.
//! - `trojans`: messages that senders can send, and those that none can.
//! - `primitives`: the functions that C code calls and the engine implements.
//! - `parallel`: what the workers of a run have in common.
//! - `results`: findings, test cases, counters, the summary.
//! - `worlds`: the owner of the states that `everett-world` knows by number, and invariants.
//! - `explore`: workers, their loop over states, the searchers.
//! - `engine`: the [`Engine`], which starts runs.
//! - `job_results`: the results of runs that are explored in jobs, added up.
//! - `fault_search`: many runs, in search of the faults that matter.
//!
//! Not here: the terminal, files, the host's clock (`everett`, the command line); how ops are
//! executed (`everett-interp`).
#![forbid(unsafe_code)]

mod api;
mod engine;
mod explore;
mod fault_search;
mod job_results;
mod parallel;
mod primitives;
mod programs;
mod results;
mod state;
mod trojans;
mod worlds;

pub use api::checkpoint::{Checkpoint, CheckpointError, CheckpointPace, ToldResults};
pub use api::config::{
    Argument, BackendChoice, CommandArgument, EngineConfig, FaultPlan, Limits, Mount, NodeConfig,
    ProgramSource, SolverOptions, Stdin, StepOptions, Strategy, StringMode, SystemNode, TestPolicy,
};
pub use api::dropped::{DropReason, Loss};
pub use api::error::EngineError;
pub use api::job::{ChildJob, FinishedJob, JobNews, JobPace, JobTotals, LimitedCounts};
pub use api::live::{LIVE_INPUT, LivePeer, LiveSummary};
pub use api::observer::{FilesOf, Observer, SilentObserver};
pub use api::panics::PanicLog;
pub use api::report::{
    ExposedValue, FAULTS, FaultPoint, FaultReport, FaultSummary, Finding, IDLE, IGNORED,
    IgnoredFinding, Input, MessageReport, NodeReport, ObjectReport, PathEnd, PathOutcome,
    PreemptionReport, RACE, RACING, SCHEDULE, STACK, SourcePlace, StoppedRun, TestCase, TestReason,
    UNINITIALIZED, ViolationReport, WorldNode, WorldStep, WorldTest,
};
pub use api::sent_messages::SentMessages;
pub use api::spill::{SpillCounts, SpillPlace, SpillStore, SpilledBytes};
pub use api::summary::{
    CoverageCount, FunctionCoverage, InvariantCount, InvariantStats, LayerStats, OrderSummary,
    Outcome, PctSummary, Progress, Summary, TreeEstimate, WorldCount,
};
pub use api::trojan::{
    TrojanByte, TrojanCertainty, TrojanEffect, TrojanFinding, TrojanOptions, TrojanProgress,
    TrojanSummary,
};
pub use api::words::{DecodeRule, MessageDecoder, MessageWords};
pub use engine::Engine;
pub use everett_interp::{
    BugKind, IgnoredBugs, IgnoredPlace, InterpConfig, Omission, OptionalChecks, Redundancy,
};
pub use everett_net::HostId;
pub use everett_posix::{
    ExposedSocket, KernelConfig, NodeIdentity, ProgramError, SavedContent, SavedFile, SocketForward,
};
pub use everett_posix::{
    FIRST_PID, NodeRecording, ProgramLaunch, RecordedDatagram, RecordedEvent, ThreadSwitch,
    TreeFile, WITHIN_NODE,
};
pub use everett_posix::{
    FaultBudgets, FaultConfig, FaultDecision, FaultKind, FaultTimes, LinkBudget, NetworkCut,
    NetworkFaults,
};
pub use everett_posix::{calls_named, errno_named, errnos, names_of_calls, severed_parts};
pub use everett_solver::MonotonicClock;
pub use everett_trojan::{MessageCount, MessageOrigin, NearestMessage, SendingObstacle};
pub use everett_world::{MappingKind, NodeId};
pub use fault_search::{
    ExperimentEngine, ExperimentJob, ExperimentRun, ExperimentRunner, FaultCluster,
    FaultExperiment, FaultSearch, FaultSearchConfig, FaultSearchError, FaultStrategy, FaultTest,
    RunnerError, SearchedFault,
};
pub use job_results::JobResults;
pub use primitives::{is_primitive, primitive_names, string_functions};
