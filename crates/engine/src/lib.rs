//! Symbolic execution of LLVM bitcode: give it a program, receive findings and test cases.
//!
//! An [`Engine`] is built from a lowered program and an [`EngineConfig`], and explores every path
//! within the configured limits. Results arrive through an [`Observer`] as they appear, and as a
//! whole in the [`Summary`].
//!
//! ```no_run
//! use std::sync::Arc;
//! use everett_engine::{Engine, EngineConfig, Silent};
//!
//! let loaded = everett_llvm::load(&["prog.bc".into()], &Default::default())?;
//! let mut engine = Engine::new(Arc::new(loaded.program), EngineConfig::default())?;
//! for finding in engine.run(&mut Silent).findings {
//!     println!("{}: {}", finding.kind, finding.message);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Not here: the terminal, files, the host's clock (`everett`, the command line); how ops are
//! executed (`everett-interp`).
#![forbid(unsafe_code)]

mod books;
mod boot;
mod config;
mod desk;
mod distance;
mod engine;
mod error;
mod extra;
mod fates;
mod fault_search;
mod finish;
mod invariants;
mod leak;
mod libc_names;
mod messages;
mod observer;
mod panics;
mod primitives;
mod programs;
mod report;
mod run;
mod search;
mod shared;
mod sharing;
mod start;
mod summary;
mod testcase;
mod trace;
mod twins;
mod worker;
mod worlds;

pub use config::{
    Argument, BackendChoice, CommandArgument, EngineConfig, FaultPlan, Limits, Mount, NodeConfig,
    ProgramSource, SolverOptions, Stdin, Strategy, StringMode, SystemNode, TestPolicy,
};
pub use engine::Engine;
pub use error::EngineError;
pub use everett_interp::{BugKind, Checks, Config as ExecConfig, Ignored, IgnoredPlace, Omission};
pub use everett_posix::{
    Budgets, Cut, Decision, FaultConfig, FaultKind, FaultTimes, LinkBudget, NetworkFaults,
};
pub use everett_posix::{FIRST_PID, Got, Launch, Noted, Recorded, Switch, TreeFile, WITHIN_NODE};
pub use everett_posix::{Identity, KernelConfig, ProgramError, Saved, SavedFile};
pub use everett_posix::{calls_named, errno_named, errnos, names_of_calls, severed_parts};
pub use everett_solver::Clock;
pub use everett_world::MappingKind;
pub use fault_search::{
    FaultCluster, FaultExperiment, FaultSearch, FaultSearchConfig, FaultSearchError, FaultStrategy,
    FaultTest, SearchedFault,
};
pub use observer::{FilesOf, Observer, Silent};
pub use panics::PanicLog;
pub use primitives::{is_primitive, primitive_names, string_functions};
pub use report::{
    CoverageCount, DropReason, ExposedValue, FaultPoint, FaultReport, FaultSummary, Finding,
    FunctionCoverage, IgnoredFinding, Input, InvariantStats, LayerStats, Loss, MessageReport,
    NodeReport, ObjectReport, Outcome, PathEnd, PathOutcome, Place, PreemptionReport, Progress,
    Stopped, Summary, TestCase, TestReason, ViolationReport, WorldNode, WorldTest, Worlds,
};
pub use testcase::{FAULTS, IGNORED, SCHEDULE};
