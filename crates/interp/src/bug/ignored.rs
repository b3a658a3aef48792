//! Bugs that the user knows of and wants to get past: [`IgnoredBugs`].
//!
//! Not here: the continuation of a path behind such a bug (`ops/past_bugs.rs`), and what is told about
//! ignored bugs at which paths end; the embedder sees those.

use std::fmt;

use everett_ir::{LocId, Program};

use crate::bug::BugKind;
use crate::state::stack::Stack;

/// One of the things that are ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IgnoredPlace {
    /// All bugs of a kind.
    Kind(BugKind),
    /// All bugs on a line of a file.
    Line {
        /// The end of its path.
        file: String,
        /// From 1.
        line: u32,
    },
    /// All bugs in a function.
    Function(String),
}

impl IgnoredPlace {
    /// The meaning of a word: a kind of bugs, `FILE:LINE`, or else a function.
    pub fn parse(text: &str) -> IgnoredPlace {
        if let Some(kind) = BugKind::ALL.into_iter().find(|kind| kind.name() == text) {
            return IgnoredPlace::Kind(kind);
        }
        if let Some((file, line)) = text.rsplit_once(':')
            && let Ok(line) = line.parse()
        {
            return IgnoredPlace::Line { file: file.to_owned(), line };
        }
        IgnoredPlace::Function(text.to_owned())
    }

    /// Returns true if a program has such a place; every program has every kind.
    pub fn exists_in(&self, program: &Program) -> bool {
        match self {
            IgnoredPlace::Kind(_) => true,
            IgnoredPlace::Line { file, .. } => {
                program.files.iter().any(|known| is_file(&known.name, file))
            }
            IgnoredPlace::Function(name) => {
                program.functions.iter().any(|function| function.name == *name)
                    || program.locations.iter().any(|loc| program.name(loc.function) == name)
            }
        }
    }

    fn covers(&self, kind: BugKind, function: &str, file: &str, line: u32) -> bool {
        match self {
            IgnoredPlace::Kind(ignored) => *ignored == kind,
            IgnoredPlace::Line { file: ignored, line: at } => *at == line && is_file(file, ignored),
            IgnoredPlace::Function(name) => name == function,
        }
    }
}

impl fmt::Display for IgnoredPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IgnoredPlace::Kind(kind) => f.write_str(kind.name()),
            IgnoredPlace::Line { file, line } => write!(f, "{file}:{line}"),
            IgnoredPlace::Function(name) => f.write_str(name),
        }
    }
}

/// Returns true if a path is that of a file, as far as the user has named it.
fn is_file(path: &str, named: &str) -> bool {
    path.strip_suffix(named).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// The bugs that a run ignores.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IgnoredBugs {
    places: Vec<IgnoredPlace>,
}

impl IgnoredBugs {
    /// The places, in the order in which they were given.
    pub fn places(&self) -> &[IgnoredPlace] {
        &self.places
    }

    /// Returns true if nothing is ignored.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Adds a place.
    pub fn add(&mut self, place: IgnoredPlace) {
        if !self.places.contains(&place) {
            self.places.push(place);
        }
    }

    /// Returns true if a bug at a place of the source is ignored.
    pub fn covers(&self, kind: BugKind, function: &str, file: &str, line: u32) -> bool {
        self.places.iter().any(|place| place.covers(kind, function, file, line))
    }

    /// Returns true if a bug of the innermost frame of a stack is ignored. If that is in a library, the
    /// frames that lead to it count, too, up to the program's own.
    pub fn covers_stack(&self, kind: BugKind, program: &Program, stack: &Stack) -> bool {
        if self.is_empty() {
            return false;
        }
        let mut inside = true;
        stack.frames().any(|frame| {
            let counts = inside;
            let function = program.function(frame.func);
            inside &= program.is_in_library(frame.func, frame.pc);
            counts
                && (self.covers(kind, &function.name, "", 0)
                    || self.covers_location(kind, program, program.loc(frame.pc)))
        })
    }

    /// Returns true if a bug at a location, or where that was inlined, is ignored.
    fn covers_location(&self, kind: BugKind, program: &Program, id: LocId) -> bool {
        let mut next = program.location(id);
        while let Some(location) = next {
            let file = &program.files[location.file.index()].name;
            if self.covers(kind, program.name(location.function), file, location.line) {
                return true;
            }
            next = location.inlined_at.and_then(|id| program.location(id));
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_for_kinds_lines_and_functions() {
        assert_eq!(IgnoredPlace::parse("leak"), IgnoredPlace::Kind(BugKind::Leak));
        let line = IgnoredPlace::Line { file: "src/a.c".to_owned(), line: 7 };
        assert_eq!(IgnoredPlace::parse("src/a.c:7"), line);
        assert_eq!(IgnoredPlace::parse("ns::f"), IgnoredPlace::Function("ns::f".to_owned()));
        for text in ["leak", "src/a.c:7", "ns::f"] {
            assert_eq!(IgnoredPlace::parse(text).to_string(), text);
        }
    }

    #[test]
    fn files_are_named_by_the_end_of_their_path() {
        assert!(is_file("/proj/src/a.c", "a.c") && is_file("a.c", "a.c"));
        assert!(is_file("/proj/src/a.c", "src/a.c"));
        assert!(!is_file("/proj/src/ba.c", "a.c") && !is_file("a.c", "src/a.c"));
    }

    #[test]
    fn nothing_is_ignored_but_what_was_named() {
        let mut ignored = IgnoredBugs::default();
        ignored.add(IgnoredPlace::parse("overlap"));
        ignored.add(IgnoredPlace::parse("a.c:3"));
        assert!(ignored.covers(BugKind::Overlap, "f", "b.c", 9));
        assert!(ignored.covers(BugKind::Leak, "f", "x/a.c", 3));
        assert!(!ignored.covers(BugKind::Leak, "f", "x/a.c", 4));
    }
}
