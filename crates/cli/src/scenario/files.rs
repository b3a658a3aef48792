//! The files of the host that a scenario names: are they there, and of the right kind?

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use everett_base::Map;

use super::diagnostic::Diagnostic;
use super::fields::{Problems, Spanned};
use crate::carried;

/// Whether the files that a scenario names are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Checking {
    On,
    Off,
}

/// What a file is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Use {
    Program,
    Mount,
    Stdin,
}

/// A problem and what to do about it.
type Complaint = (String, Option<String>);

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
        if let Some((message, help)) = complaint {
            let diagnostic = Diagnostic::new(path.span, message.clone());
            problems.add(match help {
                Some(help) => diagnostic.help(help.clone()),
                None => diagnostic,
            });
        }
    }
}

fn complaint(what: Use, path: &Path) -> Option<Complaint> {
    let shown = path.display();
    let metadata = match std::fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) => return Some((format!("cannot read {shown}: {error}"), missing(what, path))),
    };
    match what {
        Use::Mount => None,
        _ if metadata.is_dir() => Some((format!("{shown} is a folder"), None)),
        Use::Stdin => None,
        Use::Program => program_complaint(path),
    }
}

/// How a program that is not there could be made.
fn missing(what: Use, path: &Path) -> Option<String> {
    let source = path.with_extension("c");
    if what != Use::Program || !source.exists() {
        return None;
    }
    Some(format!("compile it with `everett cc {} -o {}`", source.display(), path.display()))
}

fn program_complaint(path: &Path) -> Option<Complaint> {
    const BITCODE: [&[u8]; 2] = [b"BC\xc0\xde", b"\xde\xc0\x17\x0b"];
    const NATIVE: [&[u8]; 3] = [b"\x7fELF", b"!<arch>\n", b"!<thin>\n"];
    let mut start = Vec::new();
    let opened = File::open(path).and_then(|file| file.take(8).read_to_end(&mut start));
    if let Err(error) = opened {
        return Some((format!("cannot read {}: {error}", path.display()), None));
    }
    let begins = |magic: &&[u8]| start.starts_with(magic);
    if BITCODE.iter().any(begins) || path.extension().is_some_and(|extension| extension == "ll") {
        return None;
    }
    let compile = "compile it with `everett cc`";
    if NATIVE.iter().any(begins) {
        let error = carried::modules(path).err()?;
        return Some((format!("{error:#}"), Some(compile.to_owned())));
    }
    let message =
        format!("{} is neither bitcode of LLVM nor an executable that carries it", path.display());
    Some((message, Some(compile.to_owned())))
}
