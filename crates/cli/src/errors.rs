//! Errors of libraries in the words of the command line: settings become flags, and errors
//! carry advice.

use anyhow::{Error, anyhow};
use everett_engine::EngineError;
use everett_explorer::{ExplorerError, PeerError};
use everett_rerun::RerunError;
use everett_settings::SettingsError;
use everett_toolchain::ToolchainError;

use crate::environment;

/// An error of an exploration.
pub(crate) fn explorer_error(error: ExplorerError) -> Error {
    match error {
        ExplorerError::Node { node, source } => {
            explorer_error(*source).context(format!("node {node}"))
        }
        ExplorerError::Settings(error) => settings_error(error),
        ExplorerError::Toolchain(error) => environment::toolchain_error(error),
        ExplorerError::Tests(error) => replay_error(error),
        ExplorerError::Load(error) => load_error(error),
        ExplorerError::Peer(PeerError::NotLoopback { .. }) => {
            anyhow!("{error}; --live-remote allows it")
        }
        error => error.into(),
    }
}

/// An error of a test that is run again.
pub(crate) fn replay_error(error: RerunError) -> Error {
    match error {
        RerunError::Test { file, source } => {
            replay_error(*source).context(format!("cannot run {}", file.display()))
        }
        RerunError::Node { node, source } => replay_error(*source).context(format!("node {node}")),
        RerunError::Settings(error) => settings_error(error),
        RerunError::Toolchain(error) => environment::toolchain_error(error),
        RerunError::Load(error) => load_error(error),
        RerunError::ProgramChanged { .. } => anyhow!(
            "{error}; `everett replay --changed` runs the test on the new program, and says whether its \
             finding is still there"
        ),
        error => error.into(),
    }
}

/// An error of the engine.
pub(crate) fn engine_error(error: EngineError) -> Error {
    match error {
        EngineError::NoEntry { .. } => anyhow!("{error}; name another one with --entry"),
        EngineError::PctWithoutOrders => anyhow!("{error}: give --preempt, --orders or --late"),
        error => error.into(),
    }
}

/// An error of settings, which the command line has as flags.
pub(crate) fn settings_error(error: SettingsError) -> Error {
    match error {
        SettingsError::Value { .. } | SettingsError::Twice { .. } => anyhow!("--{error}"),
        error => error.into(),
    }
}

/// An error of the function that loads programs for replays.
fn load_error(error: everett_rerun::LoadFailure) -> Error {
    match error.downcast::<ToolchainError>() {
        Ok(error) => environment::toolchain_error(*error),
        Err(error) => Error::from_boxed(error),
    }
}
