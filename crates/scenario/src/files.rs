//! The files of the host that a scenario names: are they there, and of the right kind?

use std::path::{Path, PathBuf};

use everett_base::Map;
use everett_input::host;
use everett_toolchain::carried;
use everett_toolchain::program_file::{self, FileComplaint};

use super::diagnostic::Diagnostic;
use super::fields::{ProblemList, Spanned};

/// The treatment of the files that a scenario names: checked, or not looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FileChecking {
    On,
    Off,
}

/// The purpose of a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum FileUse {
    Program,
    Mount,
    Stdin,
}

/// The checker of files, which looks at each file once.
pub(super) struct FileChecker {
    checking: FileChecking,
    seen: Map<(FileUse, PathBuf), Option<FileComplaint>>,
}

impl FileChecker {
    pub(super) fn new(checking: FileChecking) -> FileChecker {
        FileChecker { checking, seen: Map::default() }
    }

    pub(super) fn check(
        &mut self,
        what: FileUse,
        path: &Spanned<PathBuf>,
        problems: &mut ProblemList,
    ) {
        if self.checking == FileChecking::Off {
            return;
        }
        let seen = self.seen.entry((what, path.value.clone()));
        let complaint = seen.or_insert_with(|| complaint(what, &path.value));
        if let Some(FileComplaint { message, help }) = complaint {
            let diagnostic = Diagnostic::new(path.span, message.clone());
            problems.add(match help {
                Some(help) => diagnostic.help(help.clone()),
                None => diagnostic,
            });
        }
    }
}

fn complaint(what: FileUse, path: &Path) -> Option<FileComplaint> {
    let message = match (what, std::fs::metadata(host::real(path))) {
        (FileUse::Program, _) => return program_complaint(path),
        (_, Err(error)) => format!("cannot read {}: {error}", path.display()),
        (FileUse::Stdin, Ok(metadata)) if metadata.is_dir() => {
            format!("{} is a folder", path.display())
        }
        (FileUse::Stdin | FileUse::Mount, Ok(_)) => return None,
    };
    Some(FileComplaint { message, help: None })
}

fn program_complaint(path: &Path) -> Option<FileComplaint> {
    program_file::complaint(path).or_else(|| {
        let message = with_causes(&carried::complaint(path)?);
        Some(FileComplaint { message, help: None })
    })
}

/// An error with its causes.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
