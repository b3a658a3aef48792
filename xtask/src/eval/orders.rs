//! `cargo xtask eval orders`: how soon each search finds the bugs that need an order.
//!
//! The systems are those of `tests/systems/orders` whose finding needs an order of messages or threads, and
//! Raft clusters that leave out a rule each (`tests/eval/orders`), in which any node may see messages in
//! another order. Each is explored until its first finding, with one worker, by each strategy, and with and
//! without the reduction where orders of threads are explored. Clusters without a mistake have to hold until
//! the time is up.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::driver::release_driver;
use super::native;
use super::table::{Table, grouped};
use crate::process::heading;
use crate::workspace::{self, driver};

/// The systems that are small enough to be tests as well.
const SMALL: &str = "tests/systems/orders";
/// The clusters, and the folder of their programs.
const CLUSTERS: [&str; 2] = ["tests/eval/orders", "tests/systems/raft"];
/// The ends of the names of scenarios in which something is found in another order than the fixed one.
const ENDS: [&str; 3] = ["_any_order", "_late", "_preempted"];
/// The strategies. The first one is the default of `everett run`.
const SEARCHES: [&str; 5] = ["random-path,coverage", "dfs", "orders", "random-walk", "pct"];
/// The part that continuous integration runs: one system with messages and one with threads.
const SAMPLE: [&str; 2] = ["orders/cache_careless_any_order", "orders/update_careless_preempted"];
/// Seconds for a run of that part.
const SAMPLE_SECONDS: u64 = 20;

/// The systems, and the time for each.
#[derive(clap::Args)]
pub(super) struct Options {
    /// Only scenarios whose names contain this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Only this strategy
    #[arg(long, value_name = "STRATEGY")]
    search: Option<String>,
    /// Seconds until a search is given up
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    time: u64,
    /// Seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Use this driver instead of building one
    #[arg(long, value_name = "FILE")]
    driver: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Summary {
    outcome: String,
    worlds: Option<u64>,
    orders: Orders,
    states_created: u64,
    wall_seconds: f64,
    peak_rss_bytes: u64,
    findings: Vec<Finding>,
}

#[derive(Deserialize)]
struct Orders {
    redundant: u64,
}

#[derive(Deserialize)]
struct Finding {
    kind: String,
}

/// Searches with each strategy, and prints a table.
pub(super) fn run(options: &Options) -> Result<()> {
    let everett = release_driver(options.driver.as_deref())?;
    let mut found = Vec::new();
    native::find(&workspace::root().join(SMALL), native::EXPECTED, &mut found)?;
    let mut cases: Vec<Case> = found.into_iter().map(Case::small).collect();
    cases.retain(|case| ENDS.iter().any(|end| case.name.ends_with(end)));
    cases.extend(clusters()?);
    cases.retain(|case| options.only.as_ref().is_none_or(|only| case.name.contains(only)));
    let searches: Vec<&str> = match &options.search {
        Some(search) => vec![search],
        None => SEARCHES.to_vec(),
    };
    let missed = evaluate(&everett, &cases, &searches, options.time, options.seed)?;
    println!("{missed} searches have not found their bug in {} s", options.time);
    Ok(())
}

/// A system to explore.
struct Case {
    name: String,
    scenario: PathBuf,
    /// The folder of its programs.
    sources: PathBuf,
}

impl Case {
    /// A scenario beside its programs.
    fn small(scenario: PathBuf) -> Case {
        let sources = scenario.parent().map_or_else(PathBuf::new, Path::to_path_buf);
        Case { name: native::name(&scenario), scenario, sources }
    }
}

/// The clusters, those without a mistake among them.
fn clusters() -> Result<Vec<Case>> {
    let [scenarios, sources] = CLUSTERS.map(|folder| workspace::root().join(folder));
    let mut cases = Vec::new();
    for entry in fs::read_dir(scenarios)? {
        let scenario = entry?.path();
        let stem = scenario.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let name = format!("raft/{}", stem.context("a scenario has a name")?);
        cases.push(Case { name, scenario, sources: sources.clone() });
    }
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(cases)
}

/// The part that continuous integration runs: all strategies find what they look for.
pub(super) fn sample(everett: &Path) -> Result<()> {
    let root = workspace::root().join("tests/systems");
    let cases = SAMPLE.map(|name| Case::small(root.join(name).with_extension("toml")));
    match evaluate(everett, &cases, &SEARCHES, SAMPLE_SECONDS, 1)? {
        0 => Ok(()),
        missed => bail!("{missed} searches for orders have not found their bug"),
    }
}

/// Explores systems by strategies, and prints the table. Returns the number of runs that found nothing.
fn evaluate(
    everett: &Path,
    cases: &[Case],
    searches: &[&str],
    seconds: u64,
    seed: u64,
) -> Result<usize> {
    let home = workspace::target_dir().join("eval/orders");
    if home.exists() {
        fs::remove_dir_all(&home).context("cannot remove the last results")?;
    }
    heading("searching orders");
    let heads = [
        "system",
        "search",
        "reduction",
        "seconds",
        "worlds",
        "redundant",
        "states",
        "MiB",
        "found",
    ];
    let mut table = Table::new(&heads);
    let mut missed = 0;
    let mut homes: BTreeMap<&Path, PathBuf> = BTreeMap::new();
    for Case { name, scenario, sources } in cases {
        let home = match homes.get(&**sources) {
            Some(home) => home.clone(),
            None => {
                let home = home.join(homes.len().to_string());
                build(everett, &home, sources)?;
                homes.insert(sources, home.clone());
                home
            }
        };
        let text = fs::read_to_string(scenario)?;
        let scenario = beside(&home, scenario)?;
        let has_threads = text.contains("preempt =");
        for search in searches {
            for reduction in ["on", "off"].iter().take(1 + usize::from(has_threads)) {
                let settings = [*search, *reduction, &seconds.to_string(), &seed.to_string()];
                let summary = explore(everett, &home, &scenario, settings)?;
                let is_guilty = text.contains(native::EXPECTED);
                missed += usize::from(is_guilty && summary.findings.is_empty());
                if !is_guilty && !summary.findings.is_empty() {
                    bail!("{name} has a finding, and no mistake");
                }
                let reduction = if has_threads { *reduction } else { "" };
                table.row(row(name, search, reduction, &summary));
            }
        }
        println!("{name}");
    }
    println!();
    table.lines().iter().for_each(|line| println!("{line}"));
    Ok(missed)
}

fn row(name: &str, search: &str, reduction: &str, summary: &Summary) -> Vec<String> {
    let found = match summary.findings.first() {
        Some(finding) => finding.kind.clone(),
        None => format!("nothing ({})", summary.outcome),
    };
    vec![
        name.to_owned(),
        search.to_owned(),
        reduction.to_owned(),
        format!("{:.2}", summary.wall_seconds),
        summary.worlds.map_or_else(|| "many".to_owned(), grouped),
        grouped(summary.orders.redundant),
        grouped(summary.states_created),
        grouped(summary.peak_rss_bytes >> 20),
        found,
    ]
}

fn explore(
    everett: &Path,
    home: &Path,
    scenario: &Path,
    [search, reduction, seconds, seed]: [&str; 4],
) -> Result<Summary> {
    let out = home.join("out");
    if out.exists() {
        fs::remove_dir_all(&out).context("cannot remove the last results")?;
    }
    let mut explore = driver(everett);
    explore.args(["run", "--workers", "1", "--tests", "findings", "--stop-at-first"]);
    explore.args(["--search", search, "--reduction", reduction, "--seed", seed]);
    explore.args(["--max-time", &format!("{seconds}s"), "--out"]).arg(&out).arg(scenario);
    let status = explore.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    if !matches!(status.code(), Some(0 | 1 | 3)) {
        bail!("everett run failed on {}: {status}", scenario.display());
    }
    let summary = fs::read(out.join("summary.json")).context("the run left no summary")?;
    serde_json::from_slice(&summary).context("cannot read the summary")
}

/// Builds all programs of a folder once, and puts other files beside them, except for scenarios.
pub(super) fn build(everett: &Path, home: &Path, sources: &Path) -> Result<()> {
    fs::create_dir_all(home)?;
    for entry in fs::read_dir(sources)? {
        let path = entry?.path();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("c") => {}
            // A scenario of the evaluation may have the name of one here.
            Some("toml") => continue,
            _ => {
                beside(home, &path)?;
                continue;
            }
        }
        let program = home.join(path.file_stem().context("a file has a name")?);
        let mut compile = driver(everett);
        compile.args(["cc", "-g", "-w", "-pthread"]).arg(&path).arg("-o").arg(program);
        if !compile.status()?.success() {
            bail!("{} cannot be built", path.display());
        }
    }
    Ok(())
}

/// Puts a file beside the programs, and returns its place there.
pub(super) fn beside(home: &Path, file: &Path) -> Result<PathBuf> {
    let there = home.join(file.file_name().context("a file has a name")?);
    if !there.exists() {
        symlink(file.canonicalize()?, &there)?;
    }
    Ok(there)
}
