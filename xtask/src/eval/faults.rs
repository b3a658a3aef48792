//! `cargo xtask eval faults`: the strategies of `everett faults` on the same number of experiments.
//!
//! The system is a file server with careful and careless commands (`tests/bench/systems/files.toml`).
//! What is compared is how many distinct failures are found, as a mean over several seeds; all faults in
//! turn say how many there are.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::driver::release_driver;
use super::table::{Table, grouped};
use crate::bench::systems;
use crate::process::heading;
use crate::workspace::{self, driver};

/// How many times as many failures as chance fitness is promised to find.
const GOAL: f64 = 2.0;
/// Experiments of a search.
const EXPERIMENTS: [u64; 3] = [50, 100, 200];
/// The one that the goal is about.
const PROMISED: u64 = 100;

/// How often.
#[derive(clap::Args)]
pub(super) struct Options {
    /// Seeds that results are the mean of
    #[arg(long, value_name = "N", default_value_t = 10)]
    seeds: u64,
    /// Use this driver instead of building one
    #[arg(long, value_name = "FILE")]
    driver: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Found {
    possible: u64,
    tried: u64,
    failures: u64,
    lines_reached: u64,
}

/// Searches with each strategy, and prints a table.
pub(super) fn run(options: &Options) -> Result<()> {
    let everett = release_driver(options.driver.as_deref())?;
    let home = workspace::target_dir().join("eval/faults");
    heading("searching faults");
    let scenario = systems::prepare(&everett, "files.toml", &[], &home)?;
    let all = search(&everett, &scenario, &home, &["--strategy", "exhaustive"])?;
    let mut table = Table::new(&["faults tried", "strategy", "failures", "from", "to", "lines"]);
    let mut ratio = 0.0;
    for experiments in EXPERIMENTS {
        let mut means = Vec::new();
        for strategy in ["fitness", "random", "exhaustive"] {
            let mut found = Vec::new();
            // All in turn are the same with each seed.
            let seeds = if strategy == "exhaustive" { 1 } else { options.seeds.max(1) };
            for seed in 1..=seeds {
                let (tried, seed) = (experiments.to_string(), seed.to_string());
                let flags = ["--strategy", strategy, "--experiments", &tried, "--seed", &seed];
                found.push(search(&everett, &scenario, &home, &flags)?);
            }
            let mean =
                |f: fn(&Found) -> u64| found.iter().map(f).sum::<u64>() as f64 / found.len() as f64;
            let failures = found.iter().map(|found| found.failures);
            means.push(mean(|found| found.failures));
            table.row(vec![
                grouped(experiments),
                strategy.to_owned(),
                format!("{:.1}", mean(|found| found.failures)),
                failures.clone().min().unwrap_or(0).to_string(),
                failures.max().unwrap_or(0).to_string(),
                format!("{:.1}", mean(|found| found.lines_reached)),
            ]);
        }
        println!("{experiments} faults: {:.1} and {:.1} failures", means[0], means[1]);
        if experiments == PROMISED {
            ratio = means[0] / means[1].max(f64::MIN_POSITIVE);
        }
    }
    table.row(vec![
        grouped(all.tried),
        "all".to_owned(),
        all.failures.to_string(),
        String::new(),
        String::new(),
        all.lines_reached.to_string(),
    ]);
    println!("\nDistinct failures of a file server with {} faults", grouped(all.possible));
    table.lines().iter().for_each(|line| println!("{line}"));
    println!(
        "fitness finds {ratio:.1} times what chance does in {PROMISED} experiments; goal {GOAL}"
    );
    if ratio < GOAL {
        bail!("the goal is missed");
    }
    Ok(())
}

fn search(everett: &Path, scenario: &Path, home: &Path, flags: &[&str]) -> Result<Found> {
    let out = home.join("out");
    if out.exists() {
        std::fs::remove_dir_all(&out).context("cannot remove the last results")?;
    }
    let mut search = driver(everett);
    // Single faults: what there is of pairs is not known, as nobody can try them all.
    let single = ["faults", "--quiet", "--together", "1", "--out"];
    search.args(single).arg(&out).args(flags).arg(scenario);
    let status = search.status().context("cannot start the driver")?;
    if !matches!(status.code(), Some(0 | 1 | 3)) {
        bail!("everett faults failed: {status}");
    }
    let text = std::fs::read(out.join("faults.json")).context("the search left no table")?;
    serde_json::from_slice(&text).context("cannot read the table")
}
