//! The engine for embedding: programs and scenarios from their files to findings.
//!
//! [`Programs`] loads what `everett cc` has compiled, with the C library. An [`Exploration`] names a program
//! or a scenario and its settings, which are those of `everett run`, and runs it; results go to an
//! [`Observer`]. Whoever wants more control takes it apart: [`Prepared`] has the nodes and the engine's
//! configuration, and [`System`] makes them of a scenario.
//!
//! `docs/embedding.md` is a guide.
//!
//! ```no_run
//! use everett_explorer::{Exploration, Programs, SilentObserver};
//!
//! let programs = Programs::new("cache")?;
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
mod programs;
mod system;

pub use error::ExplorerError;
pub use everett_engine::{
    Clock, Engine, EngineConfig, Finding, Observer, Outcome, Progress, SilentObserver, Summary,
    SystemNode, TestCase, WorldTest,
};
pub use everett_rerun::{Recorder, ReplayContext, replay};
pub use everett_settings::{RunOptions, SettingsError};
pub use everett_toolchain::cc::{Compilation, CompilerSettings, Driver};
pub use everett_toolchain::{Caching, Clang, Loader, Reading, ReadingProcess, ToolchainError};
pub use exploration::{Exploration, MakeRecorder, Prepared};
pub use programs::{Programs, load_options};
pub use system::System;
