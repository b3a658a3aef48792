//! `cargo xtask eval trojan`: Trojan messages of protocols whose number is known.
//!
//! `tests/eval/trojan` has a protocol for files after the published description of FSP, one for replicas
//! after that of PBFT, and a server that has much to do for each message. A class of messages that is found
//! has to be one of the known *shapes*: what its example says about a path, or the code that it has wrong.
//! The small systems of `tests/systems/trojan` say how many classes they have. Each system is searched with
//! and without pruning.

mod shapes;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

use super::driver::release_driver;
use super::table::{Table, grouped};
use super::{native, orders};
use crate::process::heading;
use crate::workspace::{self, driver};
use shapes::Shape;

/// The protocols with known shapes.
const PROTOCOLS: &str = "tests/eval/trojan";
/// The systems that are small enough to be tests as well.
const SMALL: &str = "tests/systems/trojan";
/// What stands before the flags of `everett trojan` in a scenario.
const FLAGS: &str = "# trojan: ";
/// What stands before the number of its shapes or classes.
const KNOWN: [&str; 2] = ["# shapes: ", "# classes: "];

/// The systems, and the time for each.
#[derive(clap::Args)]
pub(super) struct Options {
    /// Only scenarios whose names contain this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Seconds until a search is given up
    #[arg(long, value_name = "SECONDS", default_value_t = 180)]
    time: u64,
    /// Workers of a search
    #[arg(long, value_name = "N", default_value_t = 2)]
    workers: u32,
    /// Use this driver instead of building one
    #[arg(long, value_name = "FILE")]
    driver: Option<PathBuf>,
}

/// The results of a search, as `trojans.json` has them.
#[derive(Deserialize)]
struct Trojans {
    outcome: String,
    classes: Vec<Class>,
    sender_paths: u64,
    accepted: u64,
    rejected: u64,
    pruned: u64,
}

#[derive(Deserialize)]
struct Class {
    certain: bool,
    example: String,
    core: Vec<CoreByte>,
}

#[derive(Deserialize)]
struct CoreByte {
    offset: usize,
}

/// The part of `summary.json` that is shown.
#[derive(Deserialize)]
struct Summary {
    wall_seconds: f64,
    peak_rss_bytes: u64,
}

/// The part that continuous integration runs: one system with Trojan messages and one without.
const SAMPLE: [&str; 2] = ["trojan/wildcard/system", "trojan/correct/system"];
/// Seconds for a search of that part.
const SAMPLE_SECONDS: u64 = 20;

/// Searches each system, and prints a table.
pub(super) fn run(options: &Options) -> Result<()> {
    let everett = release_driver(options.driver.as_deref())?;
    let mut cases = cases()?;
    cases.retain(|case| options.only.as_ref().is_none_or(|only| case.name.contains(only)));
    evaluate(&everett, &cases, options.time, options.workers)
}

/// The part that continuous integration runs.
pub(super) fn sample(everett: &Path) -> Result<()> {
    let mut cases = cases()?;
    cases.retain(|case| SAMPLE.contains(&&*case.name));
    evaluate(everett, &cases, SAMPLE_SECONDS, 1)
}

fn cases() -> Result<Vec<Case>> {
    let mut found = Vec::new();
    for folder in [PROTOCOLS, SMALL] {
        native::find(&workspace::root().join(folder), FLAGS, &mut found)?;
    }
    found.into_iter().map(Case::read).collect()
}

/// Searches systems, and prints the table. Other messages than the known ones are an error.
fn evaluate(everett: &Path, cases: &[Case], seconds: u64, workers: u32) -> Result<()> {
    heading("searching Trojan messages");
    let home = workspace::target_dir().join("eval/trojan");
    if home.exists() {
        fs::remove_dir_all(&home).context("cannot remove the last results")?;
    }
    let mut table = Table::new(&HEADS);
    let mut wrong = Vec::new();
    let mut homes: BTreeMap<&Path, PathBuf> = BTreeMap::new();
    for case in cases {
        let home = match homes.get(&*case.folder) {
            Some(home) => home.clone(),
            None => {
                let home = home.join(homes.len().to_string());
                orders::build(everett, &home, &case.folder)?;
                homes.insert(&case.folder, home.clone());
                home
            }
        };
        let scenario = orders::beside(&home, &case.scenario)?;
        for pruning in ["on", "off"] {
            let mut command = driver(everett);
            command.arg("trojan").arg(&scenario).args(&case.flags).args(["--pruning", pruning]);
            command.args(["--workers", &workers.to_string()]);
            command.args(["--max-time", &format!("{seconds}s")]);
            let (trojans, summary) =
                search(command, &home.join("out")).with_context(|| case.name.clone())?;
            let judged = case.judge(&trojans)?;
            if judged != (case.known, 0) || trojans.outcome != "exhausted" {
                wrong.push(format!("{} with pruning {pruning}", case.name));
            }
            let mut cells = vec![case.name.clone(), pruning.to_owned(), case.known.to_string()];
            cells.extend(figures(&trojans, judged, &summary));
            table.row(cells);
        }
        println!("{}", case.name);
    }
    println!();
    table.lines().iter().for_each(|line| println!("{line}"));
    ensure!(wrong.is_empty(), "other messages than the known ones: {}", wrong.join(", "));
    Ok(())
}

/// The columns of the table.
const HEADS: [&str; 13] = [
    "system", "pruning", "known", "classes", "true", "false", "seconds", "MiB", "senders",
    "accepted", "rejected", "pruned", "outcome",
];

/// A system to search.
struct Case {
    name: String,
    scenario: PathBuf,
    /// The folder of its programs.
    folder: PathBuf,
    flags: Vec<String>,
    /// The number of classes or shapes that it has.
    known: usize,
}

impl Case {
    fn read(scenario: PathBuf) -> Result<Case> {
        let text = fs::read_to_string(&scenario)?;
        let after = |beginning: &str| text.lines().find_map(|line| line.strip_prefix(beginning));
        let flags = after(FLAGS).with_context(|| format!("no flags: {}", scenario.display()))?;
        let name = native::name(&scenario);
        let known = KNOWN.iter().find_map(|beginning| after(beginning));
        let known = known.context("how many classes are known?")?.parse()?;
        let folder = scenario.parent().map_or_else(PathBuf::new, Path::to_path_buf);
        let flags = flags.split_whitespace().map(str::to_owned).collect();
        Ok(Case { name, scenario, folder, flags, known })
    }

    /// The numbers of known shapes that were found, and of classes that are none of them. In a system without
    /// shapes each class is a shape of its own.
    fn judge(&self, trojans: &Trojans) -> Result<(usize, usize)> {
        let mut found = BTreeSet::new();
        let mut false_count = 0;
        for (number, class) in trojans.classes.iter().enumerate() {
            let shape = match shapes::of(&self.scenario) {
                Some(shape) => {
                    let core: Vec<usize> = class.core.iter().map(|byte| byte.offset).collect();
                    shape(&shapes::bytes(&class.example)?, &core)
                }
                None => Some(Shape::Class(number)),
            };
            match shape {
                Some(shape) if class.certain => {
                    found.insert(shape);
                }
                _ => false_count += 1,
            }
        }
        Ok((found.len(), false_count))
    }
}

/// The figures of a search as cells of the table.
fn figures(trojans: &Trojans, judged: (usize, usize), summary: &Summary) -> Vec<String> {
    let (true_count, false_count) = judged;
    vec![
        trojans.classes.len().to_string(),
        true_count.to_string(),
        false_count.to_string(),
        format!("{:.2}", summary.wall_seconds),
        grouped(summary.peak_rss_bytes >> 20),
        grouped(trojans.sender_paths),
        grouped(trojans.accepted),
        grouped(trojans.rejected),
        grouped(trojans.pruned),
        trojans.outcome.clone(),
    ]
}

/// Runs a search that writes to a folder, and reads its results.
fn search(mut command: Command, out: &Path) -> Result<(Trojans, Summary)> {
    if out.exists() {
        fs::remove_dir_all(out).context("cannot remove the last results")?;
    }
    command.arg("--out").arg(out).stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.status()?;
    if !matches!(status.code(), Some(0 | 1 | 3)) {
        bail!("everett trojan failed: {status}");
    }
    let trojans = fs::read(out.join("trojans.json")).context("the search left no table")?;
    let summary = fs::read(out.join("summary.json")).context("the search left no summary")?;
    Ok((serde_json::from_slice(&trojans)?, serde_json::from_slice(&summary)?))
}
