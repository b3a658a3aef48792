//! `cargo xtask eval`: real programs, built as a user would build them, against their native runs.
//!
//! Three parts. *Concrete*: command lines of GNU coreutils, whose output and exit code must be those of
//! the native executable. *Programs*: one with several threads and one with several processes, compared
//! in the same way. *Symbolic*: what the engine reaches of some utilities in a given time. The sources
//! are the distribution's, fetched and built below the target folder once. *Worlds* and *faults* are apart
//! from them: systems of several nodes beside published figures, and strategies beside each other.
//! *Native* replays what is found in systems with the native programs.

mod build;
mod cases;
mod concrete;
mod faults;
mod native;
mod programs;
mod runs;
mod symbolic;
mod table;
mod worlds;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Subcommand, ValueEnum};

use crate::process::heading;
use crate::setup;
use crate::workspace::{self, Profile, build_driver};
use runs::Bench;

/// What to evaluate.
#[derive(clap::Args)]
pub(crate) struct Options {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// GNU coreutils 9.1, dash and lbzip2 from the distribution's source packages
    Coreutils(Coreutils),
    /// A small program of this repository, in the same way; needs nothing from the net
    Smoke,
    /// Systems of several nodes, beside the published figures of earlier ones
    Worlds(worlds::Options),
    /// Strategies of the search over faults, on a file server with careful and careless commands
    Faults(faults::Options),
    /// Findings of all systems of this repository, replayed natively again and again
    Native(native::Options),
}

/// Which parts, and how long.
#[derive(clap::Args)]
struct Coreutils {
    /// Only the utilities and programs of these names
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Only these parts
    #[arg(long, value_enum, value_name = "PART")]
    part: Vec<Part>,
    /// How long to explore each utility
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    time: u64,
    /// Use this driver instead of building one
    #[arg(long, value_name = "FILE")]
    driver: Option<PathBuf>,
    /// Build the programs again
    #[arg(long)]
    rebuild: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Command lines of single utilities
    Concrete,
    /// Programs with several threads or processes
    Programs,
    /// Exploration with symbolic arguments, file and standard input
    Symbolic,
}

/// A report, line by line, and how many comparisons failed.
#[derive(Default)]
struct Report {
    lines: Vec<String>,
    different: usize,
}

/// Evaluates, and prints the tables at the end.
pub(crate) fn run(options: &Options) -> Result<()> {
    match &options.what {
        What::Coreutils(options) => coreutils(options),
        What::Smoke => smoke(Profile::Dev),
        What::Worlds(options) => worlds::run(options),
        What::Faults(options) => faults::run(options),
        What::Native(options) => native::run(options),
    }
}

/// The part that continuous integration runs.
pub(crate) fn smoke(profile: Profile) -> Result<()> {
    setup::run()?;
    let everett = build_driver(profile)?;
    let home = workspace::target_dir().join("eval/smoke");
    build::smoke(&everett, &home)?;
    let bench = Bench::new(&everett, &home)?;
    let mut report = concrete::run(&bench, cases::SMOKE, &[])?;
    let symbolic = symbolic::run(&bench, &["mirror"], &[], 5)?;
    report.lines.extend(symbolic.lines);
    finish(report)
}

fn coreutils(options: &Coreutils) -> Result<()> {
    let everett = release_driver(options.driver.as_deref())?;
    let home = workspace::target_dir().join("eval");
    build::coreutils(&everett, &home, options.rebuild)?;
    let bench = Bench::new(&everett, &home)?;
    let wanted = |part| options.part.is_empty() || options.part.contains(&part);
    let mut report = Report::default();
    let mut add = |part: Report| {
        report.lines.extend(part.lines);
        report.different += part.different;
    };
    if wanted(Part::Concrete) {
        add(concrete::run(&bench, cases::COREUTILS, &options.only)?);
    }
    if wanted(Part::Programs) {
        add(programs::run(&bench, &options.only)?);
    }
    if wanted(Part::Symbolic) {
        add(symbolic::run(&bench, &symbolic::UTILITIES, &options.only, options.time)?);
    }
    finish(report)
}

/// The driver that was given, or a new one.
fn release_driver(given: Option<&Path>) -> Result<PathBuf> {
    if let Some(driver) = given {
        return driver.canonicalize().with_context(|| format!("no driver at {}", driver.display()));
    }
    setup::run()?;
    heading("building the driver");
    build_driver(Profile::Release)
}

fn finish(report: Report) -> Result<()> {
    println!();
    report.lines.iter().for_each(|line| println!("{line}"));
    match report.different {
        0 => Ok(()),
        1 => bail!("one run differs from its native counterpart"),
        n => bail!("{n} runs differ from their native counterparts"),
    }
}

/// Whether a name was asked for; no names mean all.
fn chosen(only: &[String], name: &str) -> bool {
    only.is_empty() || only.iter().any(|wanted| wanted == name)
}
