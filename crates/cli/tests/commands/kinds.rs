//! The page about findings against the kinds that there are: each has a row that says what it means, and
//! one with an example and the option that looks for it; and some program or system of the tests shows it.

#![allow(clippy::unwrap_used, reason = "a test fails where it is surprised")]

use std::fs;
use std::path::{Path, PathBuf};

use everett_interp::BugKind;

const PAGE: &str = include_str!("../../../../docs/findings.md");
const EXECUTION: &str = include_str!("../../../../docs/execution.md");
/// The heading before the table of examples.
const EXAMPLES: &str = "## An example of each kind";

/// The kinds that the rows of a table are about: words in backquotes in their first cells.
fn kinds_of_rows(text: &str) -> Vec<&str> {
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.filter_map(|row| row.split('|').nth(1));
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect()
}

#[test]
fn every_kind_of_finding_is_explained_and_has_an_example() {
    let (meanings, examples) = PAGE.split_once(EXAMPLES).unwrap();
    let meanings = meanings.split_once("\n## ").unwrap().0;
    let (explained, shown) = (kinds_of_rows(meanings), kinds_of_rows(examples));
    for kind in BugKind::ALL {
        let count = |rows: &[&str]| rows.iter().filter(|row| **row == kind.name()).count();
        assert_eq!(count(&explained), 1, "{} has no row that explains it", kind.name());
        assert_eq!(count(&shown), 1, "{} has no row with an example", kind.name());
    }
    assert_eq!(shown.len(), BugKind::ALL.len(), "there are examples of what is no kind: {shown:?}");
    assert!(EXECUTION.contains("(findings.md)"));
}

/// The texts of all files below a folder of the tests.
fn texts_below(folder: &Path, into: &mut Vec<String>) {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            texts_below(&path, into);
        } else if let Ok(text) = fs::read_to_string(&path) {
            into.push(text);
        }
    }
}

#[test]
fn every_kind_of_finding_is_found_in_a_program_or_a_system() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let mut texts = Vec::new();
    for folder in ["programs/bug", "systems"] {
        texts_below(&tests.join(folder), &mut texts);
    }
    // `expect: bug KIND, KIND` in programs, `# expect: finding KIND NODE PLACE` in systems.
    let mut found: Vec<&str> = Vec::new();
    for line in texts.iter().flat_map(|text| text.lines()) {
        if let Some((_, kinds)) = line.split_once("expect: bug ") {
            found.extend(kinds.split(',').map(str::trim));
        }
        if let Some((_, rest)) = line.split_once("# expect: finding ") {
            found.extend(rest.split(' ').next());
        }
    }
    // Searches for Trojan messages have a test of their own (`tests/systems/trojans.rs`).
    let missing = BugKind::ALL.into_iter().filter(|kind| *kind != BugKind::Trojan);
    let missing: Vec<&str> =
        missing.map(BugKind::name).filter(|name| !found.contains(name)).collect();
    assert_eq!(missing, [""; 0]);
}
