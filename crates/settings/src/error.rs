//! Errors of settings that stand for no configuration.

use std::io;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue};
use everett_replay::ReplayError;
use thiserror::Error;

/// A problem with a setting.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// The words are not those of a run.
    #[error(transparent)]
    Words(#[from] clap::Error),
    /// The value has no meaning for the setting.
    #[error("{name}{}: {problem}", after(value))]
    Value {
        /// The setting, named as in scenarios: its flag without dashes.
        name: &'static str,
        /// The value, if it can be shown.
        value: String,
        /// The problem with it, and what to write instead.
        problem: String,
    },
    /// The same value is given twice, where each would count.
    #[error("{name} {value} is given twice; leave out one of the two")]
    Twice {
        /// The setting.
        name: &'static str,
        /// The value.
        value: String,
    },
    /// The test case that inputs come from cannot be read.
    #[error(transparent)]
    Test(#[from] ReplayError),
    /// The file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file or folder of the host cannot be shown to programs.
    #[error("cannot mount {}", path.display())]
    Mount {
        /// The file or folder.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The place of a file is not known.
    #[error("cannot tell where {} is", path.display())]
    Place {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// Invariants cannot be understood.
    #[error(transparent)]
    Invariants(#[from] minvariant::Diagnostics),
    /// The file has no invariant.
    #[error("{file}: there is no invariant in it")]
    NoInvariant {
        /// The file.
        file: String,
    },
    /// Test cases do not keep this setting, or not there.
    #[error("`{name}` is no option that a test case has there")]
    NotKept {
        /// The setting.
        name: String,
    },
}

impl SettingsError {
    /// A value without a meaning.
    pub(crate) fn value(
        name: &'static str,
        value: impl ToString,
        problem: impl Into<String>,
    ) -> SettingsError {
        SettingsError::Value { name, value: value.to_string(), problem: problem.into() }
    }
}

impl SettingsError {
    /// The values that the setting can have, if it has another one and they can be counted.
    pub fn possible_values(&self) -> &[String] {
        let SettingsError::Words(error) = self else { return &[] };
        match error.get(ContextKind::ValidValue) {
            Some(ContextValue::Strings(values)) => values,
            _ => &[],
        }
    }
}

fn after(value: &str) -> String {
    if value.is_empty() { String::new() } else { format!(" {value}") }
}

/// Results of this crate.
pub(crate) type Result<T> = std::result::Result<T, SettingsError>;
