//! The files of the host that a scenario names: are they there, and of the right kind?

use std::path::{Path, PathBuf};

use everett_base::Map;
use everett_toolchain::carried;
use everett_toolchain::program_file::{self, Complaint};

use super::diagnostic::Diagnostic;
use super::fields::{Problems, Spanned};

/// Tells whether the files that a scenario names are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Checking {
    On,
    Off,
}

/// The purpose of a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Use {
    Program,
    Mount,
    Stdin,
}

/// Looks at each file once.
pub(super) struct Checker {
    checking: Checking,
    seen: Map<(Use, PathBuf), Option<Complaint>>,
}

impl Checker {
    pub(super) fn new(checking: Checking) -> Checker {
        Checker { checking, seen: Map::default() }
    }

    pub(super) fn check(&mut self, what: Use, path: &Spanned<PathBuf>, problems: &mut Problems) {
        if self.checking == Checking::Off {
            return;
        }
        let seen = self.seen.entry((what, path.value.clone()));
        let complaint = seen.or_insert_with(|| complaint(what, &path.value));
        if let Some(Complaint { message, help }) = complaint {
            let diagnostic = Diagnostic::new(path.span, message.clone());
            problems.add(match help {
                Some(help) => diagnostic.help(help.clone()),
                None => diagnostic,
            });
        }
    }
}

fn complaint(what: Use, path: &Path) -> Option<Complaint> {
    let message = match (what, std::fs::metadata(path)) {
        (Use::Program, _) => return program_complaint(path),
        (_, Err(error)) => format!("cannot read {}: {error}", path.display()),
        (Use::Stdin, Ok(metadata)) if metadata.is_dir() => {
            format!("{} is a folder", path.display())
        }
        (Use::Stdin | Use::Mount, Ok(_)) => return None,
    };
    Some(Complaint { message, help: None })
}

fn program_complaint(path: &Path) -> Option<Complaint> {
    program_file::complaint(path).or_else(|| {
        let message = whole(&carried::complaint(path)?);
        Some(Complaint { message, help: None })
    })
}

/// An error with its causes.
fn whole(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
