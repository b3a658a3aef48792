//! Errors that keep a program or a system from being explored.

use std::io;
use std::path::PathBuf;

use everett_engine::EngineError;
use everett_replay::ReplayError;
use everett_rerun::{LoadFailure, RerunError};
use everett_scenario::ScenarioErrors;
use everett_settings::SettingsError;
use everett_toolchain::ToolchainError;
use thiserror::Error;

/// An error between a file and its exploration.
#[derive(Debug, Error)]
pub enum ExplorerError {
    /// The scenario has problems.
    #[error(transparent)]
    Scenario(#[from] ScenarioErrors),
    /// A setting has no meaning.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A program cannot be loaded.
    #[error(transparent)]
    Toolchain(#[from] ToolchainError),
    /// The caller cannot load a program.
    #[error(transparent)]
    Load(LoadFailure),
    /// Tests of worlds cannot be made.
    #[error(transparent)]
    Tests(#[from] RerunError),
    /// A test whose inputs are asked for cannot be read.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// Something about a node.
    #[error("node {node}")]
    Node {
        /// The node.
        node: String,
        /// The error itself.
        source: Box<ExplorerError>,
    },
    /// The engine refuses the program or system.
    #[error("cannot run {}", file.display())]
    Engine {
        /// The program or scenario.
        file: PathBuf,
        /// The reason.
        source: EngineError,
    },
    /// Nodes have arguments, scenarios have none.
    #[error("a scenario has no arguments: give each node its own with `args`")]
    Arguments,
    /// The test has no inputs for a node.
    #[error("{} has no such node", file.display())]
    NoInputs {
        /// The test.
        file: PathBuf,
    },
    /// A setting names a node that the scenario does not have.
    #[error("{setting}: there is no node `{name}`; {help}")]
    NoNode {
        /// The setting.
        setting: &'static str,
        /// The name.
        name: String,
        /// The word that may have been meant.
        help: String,
    },
    /// The place of a program is not known.
    #[error("cannot tell where {} is", file.display())]
    Place {
        /// The program.
        file: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The scenario does not say what a live node is.
    #[error("the peer of the node is not known: give `live` a `command` or an `address`")]
    NoPeer,
    /// A peer was given for a node that is not live.
    #[error("the scenario has no node `{node}` that is `live`")]
    NotLive {
        /// The name.
        node: String,
    },
    /// A live peer cannot be talked to.
    #[error(transparent)]
    Peer(everett_live::PeerError),
    /// What a live peer has said cannot be read.
    #[error("cannot read {}", file.display())]
    ReadTree {
        /// The file.
        file: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file does not hold what a live peer has said.
    #[error("{}", file.display())]
    Tree {
        /// The file.
        file: PathBuf,
        /// The reason.
        source: everett_live::LoadError,
    },
    /// The cache folder cannot be made.
    #[error("cannot make {}", folder.display())]
    Cache {
        /// The folder.
        folder: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

impl ExplorerError {
    /// The same, of a node.
    pub(crate) fn of_node(self, node: &str) -> ExplorerError {
        ExplorerError::Node { node: node.to_owned(), source: Box::new(self) }
    }
}

/// Results of this crate.
pub(crate) type Result<T> = std::result::Result<T, ExplorerError>;
