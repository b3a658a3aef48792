//! The engine for embedding: programs and scenarios from their files to findings.
//!
//! [`ProgramFiles`] loads what `everett cc` has compiled, with the C library. An [`Exploration`] names a
//! program or a scenario and its settings, which are those of `everett run`, and runs it; results go to an
//! [`Observer`]. For more control, [`Exploration::prepare`] returns a [`PreparedRun`] with the nodes and the
//! engine's configuration, and [`ScenarioSystem`] makes them from a scenario.
//!
//! `docs/embedding.md` is a guide.
//!
//! ```no_run
//! use everett_explorer::{Exploration, ProgramFiles, SilentObserver};
//!
//! let programs = ProgramFiles::new("cache")?;
//! let exploration = Exploration::new("system.toml").set("lost-packet-count", "1");
//! for finding in exploration.run(&programs, &mut SilentObserver)?.findings {
//!     println!("{} on {}: {}", finding.kind, finding.node, finding.message);
//! }
//! # Ok::<(), everett_explorer::ExplorerError>(())
//! ```
//!
//! Not here: the terminal, the output folder, the environment (`everett`, the command line).

#![forbid(unsafe_code)]

mod error;
mod exploration;
mod live;
mod programs;
mod system;

pub use error::ExplorerError;
pub use everett_engine::{
    Engine, EngineConfig, Finding, MonotonicClock, Observer, Outcome, PathEnd, Progress,
    SilentObserver, Summary, SystemNode, TestCase, WorldTest,
};
pub use everett_live::{
    Closing, ConnectionId, Endpoint, Peer, PeerAction, PeerError, PeerEvent, PeerSession,
    ScriptedPeer, Source,
};
pub use everett_rerun::{ReplayContext, TestRecorder, replay};
pub use everett_settings::{RunOptions, SettingsError};
pub use everett_toolchain::cc::{CompilationResult, CompilerName, CompilerSettings};
pub use everett_toolchain::{
    BitcodeLoader, Clang, ProgramCaching, ReadingMode, ReadingProcess, ToolchainError,
};
pub use exploration::{Exploration, MakeRecorder, PreparedRun};
pub use live::tree_file;
pub use programs::{ProgramFiles, load_options};
pub use system::ScenarioSystem;
