//! The header of a program: its `//@` lines and `// expect:` marks.
//!
//! ```text
//! //@ native: yes              also build and run natively, and compare
//! //@ opt: O0 O2               optimisation levels
//! //@ args: --check overflow   flags of `everett run`
//! //@ argv: one two            arguments of the program
//! //@ cflags: -fcommon         flags of the compiler
//! //@ library: counter.c       a file of `tests/programs/libraries`; its path is `LIBRARY_counter`
//! //@ paths: 12                completed paths; `paths[O0]:` at one level
//! //@ findings: 2              distinct findings (otherwise one for each mark)
//! //@ ignored: 3 1             how often paths went on behind ignored findings, and how often they ended
//! //@ exit: 2                  exit code of `everett run`
//! //@ replay: no               its tests end otherwise, as it asks whether inputs are symbolic
//! //@ unsupported: text        a path ends at something unsupported that is called so
//! x = 1 / n; // expect: bug divide-by-zero
//! // expect: message contains "divided"
//! ```
//!
//! A key that is not known is an error. In `.ll` files the lines begin with `;@`.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};
use everett_interp::BugKind;
use libtest_mimic::Trial;

/// The levels of a program that names none: what `everett cc` does without flags.
const DEFAULT_LEVELS: [&str; 2] = ["O0", "O2"];
/// The level of a program about the system that names none.
const SYSTEM_LEVELS: [&str; 1] = ["O1"];

/// The header of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Header {
    pub(crate) native: bool,
    pub(crate) replay: bool,
    pub(crate) levels: Vec<String>,
    pub(crate) args: Vec<String>,
    pub(crate) argv: Vec<String>,
    pub(crate) cflags: Vec<String>,
    /// The files of libraries that the program opens, and their flags.
    pub(crate) libraries: Vec<Vec<String>>,
    /// By optimisation level; the empty level stands for all others.
    pub(crate) paths: BTreeMap<String, u64>,
    pub(crate) findings: Option<usize>,
    /// The number of times that paths went on behind ignored findings, and that they ended there.
    pub(crate) ignored: Option<(u64, u64)>,
    pub(crate) exit: Option<u8>,
    pub(crate) unsupported: Option<String>,
    pub(crate) marks: Vec<Mark>,
    pub(crate) messages: Vec<String>,
}

/// A line that is said to have a bug.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mark {
    pub(crate) line: u32,
    pub(crate) kind: BugKind,
}

impl Header {
    /// Reads the lines of a program. One about the system is compared with its native run unless it
    /// says otherwise.
    pub(crate) fn parse(text: &str, about_system: bool) -> Result<Header> {
        let mut header = Header { replay: true, native: about_system, ..Header::default() };
        for (number, line) in (1..).zip(text.lines()) {
            header.read_line(number, line).with_context(|| format!("line {number}"))?;
        }
        if header.levels.is_empty() {
            let levels = if about_system { &SYSTEM_LEVELS[..] } else { &DEFAULT_LEVELS };
            header.levels = levels.iter().map(|level| (*level).to_owned()).collect();
        }
        Ok(header)
    }

    /// The number of paths that is expected at a level, if one is.
    pub(crate) fn paths_at(&self, level: &str) -> Option<u64> {
        self.paths.get(level).or_else(|| self.paths.get("")).copied()
    }

    fn read_line(&mut self, number: u32, line: &str) -> Result<()> {
        if let Some(setting) = line.strip_prefix("//@").or_else(|| line.strip_prefix(";@")) {
            let (key, value) = setting.split_once(':').context("no `:` after the key")?;
            return self.set(key.trim(), value.trim());
        }
        ensure!(!line.trim_start().starts_with("//@"), "`//@` must begin its line");
        let Some((_, mark)) = line.split_once("expect:") else { return Ok(()) };
        let mark = mark.trim();
        if let Some(kinds) = mark.strip_prefix("bug ") {
            for kind in kinds.split(',') {
                let kind = BugKind::ALL.into_iter().find(|known| known.name() == kind.trim());
                let kind = kind.with_context(|| format!("`{mark}` names no kind of bug"))?;
                self.marks.push(Mark { line: number, kind });
            }
        } else if let Some(quoted) = mark.strip_prefix("message contains ") {
            let text = quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
            self.messages.push(text.context("the message is not quoted")?.to_owned());
        } else {
            bail!("`expect: {mark}` is not understood");
        }
        Ok(())
    }

    fn set(&mut self, key: &str, value: &str) -> Result<()> {
        let words = || value.split_whitespace().map(str::to_owned).collect();
        if let Some(level) = key.strip_prefix("paths") {
            let level = level.trim_start_matches('[').trim_end_matches(']').to_owned();
            let known = level.is_empty() || is_level(&level);
            ensure!(known, "`{key}` names no optimisation level");
            ensure!(self.paths.insert(level, value.parse()?).is_none(), "`{key}` comes twice");
            return Ok(());
        }
        match key {
            "native" => self.native = yes(value)?,
            "replay" => self.replay = yes(value)?,
            "opt" => self.levels = words(),
            "args" => self.args = words(),
            "argv" => self.argv = words(),
            "cflags" => self.cflags = words(),
            "library" => self.libraries.push(words()),
            "findings" => self.findings = Some(value.parse()?),
            "ignored" => {
                let (went_on, ended) = value.split_once(' ').context("two numbers")?;
                self.ignored = Some((went_on.parse()?, ended.parse()?));
            }
            "exit" => self.exit = Some(value.parse()?),
            "unsupported" => self.unsupported = Some(value.to_owned()),
            _ => bail!("`{key}` is not a known key"),
        }
        let strange = self.levels.iter().find(|level| !is_level(level));
        ensure!(strange.is_none(), "{strange:?} is not an optimisation level");
        Ok(())
    }
}

fn yes(value: &str) -> Result<bool> {
    match value {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => bail!("`{value}` is neither yes nor no"),
    }
}

fn is_level(text: &str) -> bool {
    matches!(text, "O0" | "O1" | "O2" | "O3" | "Os")
}

/// This binary has its own `main`, so these tests are listed by hand.
pub(crate) fn self_tests() -> Vec<Trial> {
    let tests: [(&str, fn()); 3] = [
        ("header/keys_and_marks_are_read", keys_and_marks_are_read),
        ("header/unknown_keys_are_errors", unknown_keys_are_errors),
        ("header/paths_may_differ_by_level", paths_may_differ_by_level),
    ];
    let trial = |(name, test): (&str, fn())| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    tests.into_iter().map(trial).collect()
}

fn keys_and_marks_are_read() {
    let text = "//@ native: yes\n//@ opt: O0 O2\nx(); // expect: bug double-free\n\
                // expect: message contains \"a b\"\n";
    let header = Header::parse(text, false).expect("the header is right");
    assert!(header.native);
    assert_eq!(header.levels, ["O0", "O2"]);
    assert_eq!(header.marks, [Mark { line: 3, kind: BugKind::DoubleFree }]);
    assert_eq!(header.messages, ["a b"]);
    let header = Header::parse("x(); // expect: bug leak, abort", false).expect("it is right");
    assert_eq!(
        header.marks.iter().map(|mark| mark.kind.name()).collect::<Vec<_>>(),
        ["leak", "abort"]
    );
    assert_eq!(Header::parse("", false).expect("nothing is said").levels, DEFAULT_LEVELS);
}

fn unknown_keys_are_errors() {
    for text in [
        "//@ pathes: 3",
        "//@ opt: O9",
        "//@ native: perhaps",
        "//@ native",
        "  //@ opt: O0",
        "x; // expect: bug oops",
        "x; // expect: miracles",
        "//@ paths[O7]: 1",
    ] {
        assert!(Header::parse(text, false).is_err(), "{text}");
    }
    let error = Header::parse("\n//@ pathes: 3", false).expect_err("the key is wrong");
    assert_eq!(format!("{error:#}"), "line 2: `pathes` is not a known key");
}

fn paths_may_differ_by_level() {
    let header =
        Header::parse("//@ paths: 3\n//@ paths[O0]: 4\n", false).expect("the header is right");
    assert_eq!((header.paths_at("O0"), header.paths_at("O2")), (Some(4), Some(3)));
}
