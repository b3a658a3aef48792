//! [`Problem`]: what the checks find.

use std::fmt;
use std::path::{Path, PathBuf};

/// One place that breaks one rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Problem {
    /// Relative to the root of the workspace.
    file: PathBuf,
    /// Counted from one; zero when the whole file is meant.
    line: usize,
    message: String,
}

impl Problem {
    pub(super) fn new(file: &Path, line: usize, message: impl Into<String>) -> Problem {
        Problem { file: file.to_path_buf(), line, message: message.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Problem { file, line, message } = self;
        match line {
            0 => write!(f, "{}: {message}", file.display()),
            line => write!(f, "{}:{line}: {message}", file.display()),
        }
    }
}
