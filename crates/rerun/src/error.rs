//! Errors that keep a test from being run again.

use std::error::Error as StdError;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

use everett_engine::EngineError;
use everett_net::TopologyError;
use everett_posix::FaultDecisionError;
use everett_replay::ReplayError;
use everett_runtime::RuntimeError;
use everett_settings::SettingsError;
use everett_toolchain::ToolchainError;
use thiserror::Error;

/// Whatever the caller says about a program that it cannot load.
pub type LoadFailure = Box<dyn StdError + Send + Sync>;

/// An error that keeps a test from being run.
#[derive(Debug, Error)]
pub enum RerunError {
    /// The test in a file cannot be run.
    #[error("cannot run {}", file.display())]
    Test {
        /// The file.
        file: PathBuf,
        /// The reason.
        source: Box<RerunError>,
    },
    /// Something about a node.
    #[error("node {node}")]
    Node {
        /// The node.
        node: String,
        /// The error itself.
        source: Box<RerunError>,
    },
    /// The inputs of a node cannot be read.
    #[error("the test case of node {node}")]
    Inputs {
        /// The node.
        node: String,
        /// The reason.
        source: ReplayError,
    },
    /// A test cannot be read or written.
    #[error(transparent)]
    File(#[from] ReplayError),
    /// Settings of the test have no meaning.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The engine refuses the system.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A program cannot be loaded.
    #[error(transparent)]
    Load(LoadFailure),
    /// The compiler is needed, and fails.
    #[error(transparent)]
    Toolchain(#[from] ToolchainError),
    /// The cache cannot be written.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// Faults of a node cannot be understood.
    #[error(transparent)]
    Decision(#[from] FaultDecisionError),
    /// The engine has failed.
    #[error("{message} ({advice})")]
    Failed {
        /// The message of the caller.
        message: String,
        /// Advice on what to do about it.
        advice: String,
    },
    /// Another tool has written the test.
    #[error("the test does not say which programs its nodes run: Everett has not written it")]
    NoRecord,
    /// The same about one node.
    #[error("the test does not say which program it runs: Everett has not written it")]
    NoProgram,
    /// There is nothing to run.
    #[error("the test has no node")]
    NoNode,
    /// The program is another one than that of the test.
    #[error(
        "{} has changed since the test was written: its digest is {found}, not {expected}",
        program.display()
    )]
    ProgramChanged {
        /// The program.
        program: PathBuf,
        /// Its digest.
        found: String,
        /// The digest that the test names.
        expected: String,
    },
    /// The networks make no topology.
    #[error("the networks do not fit together")]
    Networks(#[source] Box<TopologyError>),
    /// Something about a host's network.
    #[error("host {host}")]
    Host {
        /// The host.
        host: String,
        /// The error itself.
        source: Box<RerunError>,
    },
    /// A subnet of more bits than its address.
    #[error("a mask has at most 32 bits, and 128 bits with IPv6")]
    Mask,
    /// A route names an interface that is not there.
    #[error("there is no interface {number}")]
    NoInterface {
        /// Its number.
        number: u32,
    },
    /// The engine does not do the same again.
    #[error("the engine itself does not reproduce it: {difference}")]
    NotReproduced {
        /// The first difference.
        difference: String,
    },
    /// The test has led to no world.
    #[error("no world came to an end")]
    NoWorld,
    /// The file has no name that another one could be derived from.
    #[error("the test has no name")]
    NoName,
    /// A node's name cannot be part of a file's.
    #[error("`{node}` cannot be part of a file's name")]
    NodeName {
        /// The node.
        node: String,
    },
    /// The test as a whole cannot be run natively.
    #[error("{} cannot be reproduced natively: {trouble}", file.display())]
    NotNative {
        /// The test.
        file: PathBuf,
        /// The reason.
        trouble: String,
    },
    /// The outcome cannot be seen natively.
    #[error("cannot be reproduced natively: {reason}")]
    NotVisible {
        /// The reason.
        reason: String,
    },
    /// A program cannot be run natively.
    #[error("{reason}")]
    Executable {
        /// The program and the reason.
        reason: String,
    },
    /// The native program is damaged.
    #[error(transparent)]
    Elf(#[from] object::Error),
    /// The file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file, folder or link cannot be made.
    #[error("cannot make {}", path.display())]
    Make {
        /// The file, folder or link.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A program cannot be started.
    #[error("cannot start {}", program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The library and the conductor that run replays cannot be compiled.
    #[error("{output} cannot be made: the compiler ended with {status}\n{said}")]
    Kit {
        /// The file that was to be made.
        output: String,
        /// The exit status of the compiler.
        status: ExitStatus,
        /// Its messages.
        said: String,
    },
    /// There is no place for temporary files.
    #[error("cannot make a temporary folder")]
    TemporaryFolder(#[source] io::Error),
    /// A path of a node leads out of its root.
    #[error("{path} is no absolute path")]
    Relative {
        /// The path.
        path: String,
    },
    /// A file of a node is of a kind that cannot be made.
    #[error("{path} is no file that can be made")]
    SpecialFile {
        /// The path.
        path: String,
    },
}

impl RerunError {
    /// The same, of a node.
    pub(crate) fn of_node(self, node: &str) -> RerunError {
        RerunError::Node { node: node.to_owned(), source: Box::new(self) }
    }

    /// The same, of the test in a file.
    pub(crate) fn of_test(self, file: &std::path::Path) -> RerunError {
        RerunError::Test { file: file.to_path_buf(), source: Box::new(self) }
    }

    /// The innermost reason.
    pub fn reason(&self) -> &RerunError {
        match self {
            RerunError::Test { source, .. }
            | RerunError::Node { source, .. }
            | RerunError::Host { source, .. } => source.reason(),
            _ => self,
        }
    }
}

/// Results of this crate.
pub(crate) type Result<T> = std::result::Result<T, RerunError>;
