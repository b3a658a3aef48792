//! `cargo xtask bless`: rewrites the snapshots of the tests.
//!
//! Snapshot tests compare, unless `UPDATE_EXPECT=1` is set: then they write. The variable is the one
//! of the `expect-test` crate, so that inline snapshots and snapshot files answer to the same command.

use anyhow::Result;

use crate::process::{self, command};
use crate::setup;

/// Which snapshots to rewrite.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only those of this package (all packages otherwise)
    #[arg(long, short)]
    package: Option<String>,
    /// Only the tests whose names contain this
    filter: Option<String>,
}

/// Runs the tests with leave to rewrite what they expect.
pub(crate) fn run(options: &Options) -> Result<()> {
    setup::run()?;
    let mut test = command("cargo");
    test.arg("test").env("UPDATE_EXPECT", "1");
    match &options.package {
        Some(package) => test.args(["--package", package]),
        None => test.arg("--workspace"),
    };
    if let Some(filter) = &options.filter {
        test.args(["--", filter]);
    }
    process::run(&mut test)?;
    process::run(command("git").args(["--no-pager", "diff", "--stat"]))?;
    println!("bless: read the diff before you commit it");
    Ok(())
}
