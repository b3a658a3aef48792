//! `cargo xtask eval worlds`: systems of several nodes beside the published figures of earlier ones.
//!
//! Each experiment is a table. Published figures come from other machines, so they say something
//! about orders of magnitude only; they come from one processor, so ours have one worker. A run that
//! does not do the work that it should (worlds, findings, all mappings alike) is a failure, however
//! fast it was.

mod experiments;
mod failures;
mod grid;
mod outcome;
mod system;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::ValueEnum;

use super::driver::release_driver;
use crate::workspace;
use outcome::Outcome;
use system::Laboratory;

/// Which experiments, and how long.
#[derive(clap::Args)]
pub(super) struct Options {
    /// Only these experiments
    #[arg(long, value_enum, value_name = "NAME")]
    only: Vec<Experiment>,
    /// Use this driver instead of building one
    #[arg(long, value_name = "FILE")]
    driver: Option<PathBuf>,
    /// The most that one run may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    time: u64,
}

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Experiment {
    /// Clients that share 32 KiB of echoed packets
    NetworkSize,
    /// Packets that a server compares with fixed values, concrete and symbolic
    Symbolic,
    /// Packets that are acknowledged one by one
    Transfer,
    /// Memory with and without looking for stalled worlds
    Stalled,
    /// Echoed packets that are lost
    Loss,
    /// Two-phase commit with a corrupted byte, checked by an invariant
    Commit,
    /// Grids of nodes under each representation of worlds
    Mappings,
}

/// Runs the chosen experiments and prints their tables at the end.
pub(super) fn run(options: &Options) -> Result<()> {
    let laboratory = Laboratory {
        everett: release_driver(options.driver.as_deref())?,
        home: workspace::target_dir().join("eval/worlds"),
        time: Duration::from_secs(options.time),
    };
    let wanted = |name| options.only.is_empty() || options.only.contains(&name);
    let mut outcomes = Vec::new();
    for &experiment in Experiment::value_variants().iter().filter(|name| wanted(**name)) {
        outcomes.push(match experiment {
            Experiment::NetworkSize => experiments::network_size(&laboratory)?,
            Experiment::Symbolic => experiments::symbolic(&laboratory)?,
            Experiment::Transfer => experiments::transfer(&laboratory)?,
            Experiment::Stalled => experiments::stalled(&laboratory)?,
            Experiment::Loss => failures::loss(&laboratory)?,
            Experiment::Commit => failures::commit(&laboratory)?,
            Experiment::Mappings => grid::mappings(&laboratory)?,
        });
    }
    println!();
    outcomes.iter().flat_map(Outcome::lines).for_each(|line| println!("{line}"));
    match outcomes.iter().map(|outcome| outcome.failures.len()).sum() {
        0 => Ok(()),
        1 => bail!("one run did not do what it should"),
        n => bail!("{n} runs did not do what they should"),
    }
}
