//! `cargo xtask eval`: real programs, built as a user would build them, against their native runs.
//!
//! Three parts. *Concrete*: command lines of GNU coreutils, whose output and exit code must be those of
//! the native executable. *Programs*: one with several threads and one with several processes, compared
//! in the same way. *Symbolic*: what the engine reaches of some utilities in a given time. The sources
//! are the distribution's, fetched and built below the target folder once. *Worlds*, *faults*, *orders*,
//! *trojan* and *live* are apart from them: systems of several nodes beside published figures, known answers
//! or native runs, and strategies beside each other.
//! *Bugs* are known ones of real servers, rebuilt in small. *Servers* explores servers and clients of the
//! distribution. *Native* replays what is found in systems with the native programs.

mod bugs;
mod build;
mod cases;
mod concrete;
mod driver;
mod faults;
mod live;
mod native;
mod orders;
mod programs;
mod report;
mod runs;
mod servers;
mod symbolic;
mod table;
mod trojan;
mod worlds;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Subcommand, ValueEnum};

use crate::setup;
use crate::workspace::{self, Profile, build_driver};
use driver::release_driver;
use report::Report;
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
    /// Searches for bugs that need an order of messages or threads
    Orders(orders::Options),
    /// Trojan messages of protocols whose number is known
    Trojan(trojan::Options),
    /// Known bugs of real servers, rebuilt in small
    Bugs(bugs::Options),
    /// Conversations with real peers, beside native runs
    Live(live::Options),
    /// Servers and clients of the distribution, beside their native runs and published figures
    Servers(servers::Options),
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

/// Evaluates, and prints the tables at the end.
pub(crate) fn run(options: &Options) -> Result<()> {
    match &options.what {
        What::Coreutils(options) => coreutils(options),
        What::Smoke => smoke(Profile::Dev),
        What::Worlds(options) => worlds::run(options),
        What::Faults(options) => faults::run(options),
        What::Orders(options) => orders::run(options),
        What::Trojan(options) => trojan::run(options),
        What::Bugs(options) => bugs::run(options),
        What::Live(options) => live::run(options),
        What::Servers(options) => servers::run(options),
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
    report.finish()?;
    orders::sample(&everett)?;
    trojan::sample(&everett)?;
    bugs::sample(&everett)?;
    live::sample(&everett)
}

fn coreutils(options: &Coreutils) -> Result<()> {
    let everett = release_driver(options.driver.as_deref())?;
    let home = workspace::target_dir().join("eval");
    build::coreutils(&everett, &home, options.rebuild)?;
    let bench = Bench::new(&everett, &home)?;
    let wanted = |part| options.part.is_empty() || options.part.contains(&part);
    let mut report = Report::default();
    if wanted(Part::Concrete) {
        report.add(concrete::run(&bench, cases::COREUTILS, &options.only)?);
    }
    if wanted(Part::Programs) {
        report.add(programs::run(&bench, &options.only)?);
    }
    if wanted(Part::Symbolic) {
        report.add(symbolic::run(&bench, &symbolic::UTILITIES, &options.only, options.time)?);
    }
    report.finish()
}
