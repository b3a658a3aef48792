//! Errors of libraries in the words of the command line: settings become flags, and flags are advised.

use anyhow::{Error, anyhow};
use everett_engine::EngineError;
use everett_explorer::ExplorerError;
use everett_rerun::RerunError;
use everett_settings::SettingsError;
use everett_toolchain::ToolchainError;

use crate::environment;

/// An error of an exploration.
pub(crate) fn explained(error: ExplorerError) -> Error {
    match error {
        ExplorerError::Node { node, source } => explained(*source).context(format!("node {node}")),
        ExplorerError::Settings(error) => flagged(error),
        ExplorerError::Toolchain(error) => environment::advised(error),
        ExplorerError::Tests(error) => replayed(error),
        ExplorerError::Load(error) => loaded(error),
        error => error.into(),
    }
}

/// An error of a test that is run again.
pub(crate) fn replayed(error: RerunError) -> Error {
    match error {
        RerunError::Test { file, source } => {
            replayed(*source).context(format!("cannot run {}", file.display()))
        }
        RerunError::Node { node, source } => replayed(*source).context(format!("node {node}")),
        RerunError::Settings(error) => flagged(error),
        RerunError::Toolchain(error) => environment::advised(error),
        RerunError::Load(error) => loaded(error),
        RerunError::ProgramChanged { .. } => anyhow!(
            "{error}; `everett replay --changed` runs the test on the new program, and says whether its \
             finding is still there"
        ),
        error => error.into(),
    }
}

/// An error of the engine.
pub(crate) fn refused(error: EngineError) -> Error {
    match error {
        EngineError::NoEntry { .. } => anyhow!("{error}; name another one with --entry"),
        error => error.into(),
    }
}

/// An error of settings, which the command line has as flags.
pub(crate) fn flagged(error: SettingsError) -> Error {
    match error {
        SettingsError::Value { .. } | SettingsError::Twice { .. } => anyhow!("--{error}"),
        error => error.into(),
    }
}

/// An error of whoever loads programs here.
fn loaded(error: everett_rerun::LoadFailure) -> Error {
    match error.downcast::<ToolchainError>() {
        Ok(error) => environment::advised(*error),
        Err(error) => Error::from_boxed(error),
    }
}
