//! `everett trojan` on the systems that say what it finds (see `classes.rs`).
//!
//! The classes have to be the same with and without pruning, by one worker and by two, in a second run, and
//! in a run that goes on from checkpoints.
//! Where messages are short, they are held against all messages that there are (`every_message.rs`).

mod classes;
mod every_message;

use std::path::Path;

use anyhow::{Context, Result, ensure};
use everett_engine::TrojanSummary;
use libtest_mimic::Trial;
use serde_json::Value;

use crate::build::Workshop;
use crate::cases::Case;
use crate::execute::{run, run_in_sessions};
use crate::natives;
use classes::FoundClass;
pub(crate) use classes::TrojanExpectations;
use every_message::EveryMessage;

/// The ways to search that have to give the same. The first one is run twice.
const WAYS: [[&str; 4]; 4] = [
    ["--pruning", "on", "--workers", "1"],
    ["--pruning", "off", "--workers", "1"],
    ["--pruning", "on", "--workers", "2"],
    ["--pruning", "off", "--workers", "2"],
];

/// The expectations of a scenario, if it has any.
pub(crate) fn expectations(case: &Case) -> Result<Option<TrojanExpectations>> {
    let text = std::fs::read_to_string(case.folder.path.join(&case.file))?;
    TrojanExpectations::parse(&text).with_context(|| case.name())
}

/// The differences between what is found and what is expected.
pub(crate) fn check(
    workshop: &Workshop,
    case: &Case,
    expected: &TrojanExpectations,
) -> Result<Vec<String>> {
    let place = tempfile::tempdir()?;
    natives::build(case, place.path(), expected.has_crash())?;
    let out = place.path().join("out");
    let first = search(case, &out, expected, WAYS[0])?;
    let classes = FoundClass::read_all(&first)?;
    let mut complaints = compare(case, expected, &classes);
    complaints.extend(replay(&out, &classes)?);
    if first["outcome"] != "exhausted" {
        complaints.push(format!("the search is {}", first["outcome"]));
    }
    let header = case.folder.path.join(every_message::HEADER);
    if header.exists() {
        complaints.extend(EveryMessage::of(&header)?.check(&classes));
    }
    let again = search(case, &place.path().join("again"), expected, WAYS[0])?;
    if again["classes"] != first["classes"] {
        complaints.push(format!("a second run: {}, then {}", first["classes"], again["classes"]));
    }
    for (number, way) in WAYS.iter().enumerate().skip(1) {
        let out = place.path().join(format!("way{number}"));
        let other = FoundClass::read_all(&search(case, &out, expected, *way)?)?;
        // The order in which classes are found numbers their tests.
        if other.iter().map(FoundClass::key).ne(classes.iter().map(FoundClass::key)) {
            complaints.push(format!("{}: {other:?}, not {classes:?}", way.join(" ")));
        }
    }
    complaints.extend(check_sessions(workshop, case, expected)?);
    Ok(complaints)
}

/// Replaces messages in one run, and in one that goes on from checkpoints.
fn check_sessions(
    workshop: &Workshop,
    case: &Case,
    expected: &TrojanExpectations,
) -> Result<Vec<String>> {
    let mut flags = vec!["--trojan-count", "1", "--trojan-accepted"];
    for words in expected.flags.chunks(2) {
        let [flag, value] = words else { continue };
        let flag = match flag.as_str() {
            "--from" => "--trojan-from",
            "--to" => "--trojan-to",
            "--accept-at" => "--trojan-accept-at",
            _ => continue,
        };
        flags.extend([flag, value]);
    }
    let whole = run(workshop, case, &flags)?.summary.trojans.context("nothing is replaced")?;
    let mut complaints = Vec::new();
    for workers in ["1", "3"] {
        let flags = [&flags[..], &["--workers", workers]].concat();
        let sessions = run_in_sessions(workshop, case, &flags)?.trojans;
        let sessions = sessions.context("nothing is replaced after a checkpoint")?;
        if without_numbers(&sessions) != without_numbers(&whole) {
            complaints.push(format!("in sessions of {workers}: {sessions:?}, not {whole:?}"));
        }
    }
    Ok(complaints)
}

/// Results without the numbers of findings, which depend on the order of paths.
fn without_numbers(found: &TrojanSummary) -> TrojanSummary {
    let mut found = found.clone();
    found.classes.iter_mut().for_each(|class| class.finding = None);
    found
}

/// Classes that are missing, and classes that are too many.
fn compare(case: &Case, expected: &TrojanExpectations, classes: &[FoundClass]) -> Vec<String> {
    let mut complaints = Vec::new();
    for wanted in &expected.classes {
        if !classes.iter().any(|class| wanted.is(case, class)) {
            complaints.push(format!("not found: {wanted:?}"));
        }
    }
    for class in classes {
        if !expected.classes.iter().any(|wanted| wanted.is(case, class)) {
            complaints.push(format!("not expected: {class:?}"));
        }
        if !class.certain {
            complaints.push(format!("not certain: {class:?}"));
        }
    }
    if classes.len() != expected.classes.len() {
        complaints.push(format!("{} classes of {}", classes.len(), expected.classes.len()));
    }
    complaints
}

/// Runs the test of each class again, in the engine and natively.
fn replay(out: &Path, classes: &[FoundClass]) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    for test in classes.iter().filter_map(|class| class.test.as_ref()) {
        for flags in [&[][..], &["--native"]] {
            let mut replay = natives::everett(out);
            replay.arg("replay").args(flags).arg(out.join(test));
            let done = replay.output().context("cannot start everett")?;
            if !done.status.success() {
                complaints.push(format!("{test} {flags:?}: {}", natives::text(&done)));
            }
        }
    }
    Ok(complaints)
}

/// Runs the command in the folder of the programs, and reads what it has written to a folder in it.
fn search(case: &Case, out: &Path, expected: &TrojanExpectations, way: [&str; 4]) -> Result<Value> {
    let place = out.parent().context("the programs are in a folder")?;
    let mut search = natives::everett(place);
    search.arg("trojan").arg(place.join(&case.file)).args(&expected.flags);
    search.args(way).arg("--out").arg(out);
    let done = search.output().context("cannot start everett")?;
    let is_done = matches!(done.status.code(), Some(0 | 1));
    ensure!(is_done, "exit code {:?}: {}", done.status.code(), natives::text(&done));
    let trojans = std::fs::read(out.join("trojans.json")).context("there is no trojans.json")?;
    Ok(serde_json::from_slice(&trojans)?)
}

/// This binary has its own `main`, so these tests are listed by hand.
pub(crate) fn self_tests() -> Vec<Trial> {
    let tests: [(&str, fn()); 2] = [
        ("trojans/comments_are_read", classes::tests::comments_are_read),
        ("trojans/wrong_classes_are_noticed", every_message::tests::wrong_classes_are_noticed),
    ];
    let trial = |(name, test): (&str, fn())| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    tests.into_iter().map(trial).collect()
}
