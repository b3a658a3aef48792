//! `cargo xtask eval bugs`: known bugs of real servers, rebuilt in small.
//!
//! Each folder of `tests/eval/bugs` has the programs of a system, its scenario, and a description
//! ([`KnownBug`]). The programs are built twice: as they are, and repaired (`-DREPAIRED`). With the flags of
//! the description, the first finding of the broken system has to be the expected one, at the expected
//! place, and its test has to reproduce it, in the engine and with the native programs. The repaired system
//! has to be explored to its end without a finding.

mod description;
mod variant;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::driver::release_driver;
use super::table::{Table, grouped};
use crate::process::heading;
use crate::workspace;
use description::KnownBug;
use variant::{Exploration, Variant};

/// The folder of the bugs.
const BUGS: &str = "tests/eval/bugs";
/// The part that continuous integration runs.
const SAMPLE: [&str; 2] = ["bind-tkey", "memcached-delete"];
/// Seconds for a run of that part.
const SAMPLE_SECONDS: u64 = 20;
/// The columns of the table.
const HEADS: [&str; 10] = [
    "bug",
    "reference",
    "finding",
    "flags",
    "states",
    "seconds",
    "repaired: worlds",
    "seconds",
    "replay",
    "verdict",
];

/// The bugs, and the time for each.
#[derive(clap::Args)]
pub(super) struct Options {
    /// Only bugs whose names contain this
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Seconds until an exploration is given up
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    time: u64,
    /// Use this driver instead of building one
    #[arg(long, value_name = "FILE")]
    driver: Option<PathBuf>,
}

/// Explores each bug and its repaired variant, and prints a table.
pub(super) fn run(options: &Options) -> Result<()> {
    let everett = release_driver(options.driver.as_deref())?;
    let mut bugs = bugs()?;
    bugs.retain(|bug| options.only.as_ref().is_none_or(|only| bug.name.contains(only)));
    if bugs.is_empty() {
        bail!("no bug of {BUGS} has such a name");
    }
    evaluate(&everett, &bugs, options.time)
}

/// The part that continuous integration runs.
pub(super) fn sample(everett: &Path) -> Result<()> {
    let mut bugs = bugs()?;
    bugs.retain(|bug| SAMPLE.contains(&&*bug.name));
    evaluate(everett, &bugs, SAMPLE_SECONDS)
}

/// All bugs, by name.
fn bugs() -> Result<Vec<KnownBug>> {
    let mut bugs = Vec::new();
    for entry in fs::read_dir(workspace::root().join(BUGS))? {
        let folder = entry?.path();
        if folder.is_dir() {
            bugs.push(KnownBug::read(&folder)?);
        }
    }
    bugs.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(bugs)
}

fn evaluate(everett: &Path, bugs: &[KnownBug], seconds: u64) -> Result<()> {
    heading("known bugs");
    let home = workspace::target_dir().join("eval/bugs");
    if home.exists() {
        fs::remove_dir_all(&home).context("cannot remove the last results")?;
    }
    let mut table = Table::new(&HEADS);
    let mut wrong = Vec::new();
    for bug in bugs {
        let variants = Variants::explore(everett, bug, &home.join(&bug.name), seconds)
            .with_context(|| bug.name.clone())?;
        let problems = variants.problems(bug);
        table.row(variants.row(bug, if problems.is_empty() { "as expected" } else { "WRONG" }));
        println!("{}", bug.name);
        wrong.extend(problems.into_iter().map(|problem| format!("{}: {problem}", bug.name)));
    }
    println!();
    table.lines().iter().for_each(|line| println!("{line}"));
    if wrong.is_empty() {
        return Ok(());
    }
    println!();
    wrong.iter().for_each(|line| println!("{line}"));
    bail!("not all known bugs are found, reproduced and absent once repaired")
}

/// What the two variants of a bug have come to.
struct Variants {
    broken: Exploration,
    repaired: Exploration,
    /// Whether the engine, and the native programs, have reproduced the finding; if not, what they say.
    replays: [Result<(), String>; 2],
}

impl Variants {
    fn explore(everett: &Path, bug: &KnownBug, home: &Path, seconds: u64) -> Result<Variants> {
        let broken = Variant::build(everett, bug, home.join("broken"), false)?;
        let repaired = Variant::build(everett, bug, home.join("repaired"), true)?;
        let found = broken.explore(&["--stop-at-first"], seconds)?;
        let replays = match broken.test(&found) {
            Some(test) => [broken.replay(&test, &[])?, broken.replay(&test, &["--native"])?],
            None => [(); 2].map(|()| Err("the run has left no test".to_owned())),
        };
        Ok(Variants { broken: found, repaired: repaired.explore(&[], seconds)?, replays })
    }

    /// What is not as it should be.
    fn problems(&self, bug: &KnownBug) -> Vec<String> {
        let mut problems = Vec::new();
        match self.broken.findings.first() {
            None => problems.push(format!("not found ({})", self.broken.outcome)),
            Some(found) if !bug.is(found) => {
                problems.push(format!("found something else: {}", found.shown()));
            }
            Some(_) => {}
        }
        if let Some(found) = self.repaired.findings.first() {
            problems.push(format!("still there in the repaired variant: {}", found.shown()));
        } else if !self.repaired.is_clean() {
            let outcome = &self.repaired.outcome;
            problems.push(format!("the repaired variant is not explored to its end ({outcome})"));
        }
        let [engine, native] = &self.replays;
        if let Err(why) = engine {
            problems.push(format!("not reproduced: {why}"));
        }
        match (native, &bug.not_native) {
            (Err(why), None) => problems.push(format!("not reproduced natively: {why}")),
            (Ok(()), Some(_)) => {
                problems.push("reproduced natively, contrary to its description".to_owned());
            }
            _ => {}
        }
        problems
    }

    fn row(&self, bug: &KnownBug, verdict: &str) -> Vec<String> {
        let [engine, native] = self.replays.each_ref().map(Result::is_ok);
        let replay = match (engine, native) {
            (true, true) => "engine, native",
            (true, false) => "engine",
            (false, true) => "native",
            (false, false) => "none",
        };
        let found = self.broken.findings.first();
        vec![
            bug.name.clone(),
            bug.reference.clone(),
            found.map_or_else(|| "none".to_owned(), |found| found.kind.clone()),
            bug.flags.join(" "),
            grouped(self.broken.states_created),
            format!("{:.2}", self.broken.wall_seconds),
            grouped(self.repaired.size()),
            format!("{:.2}", self.repaired.wall_seconds),
            replay.to_owned(),
            verdict.to_owned(),
        ]
    }
}
