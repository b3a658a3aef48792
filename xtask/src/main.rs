//! `cargo xtask`: everything one does with this workspace besides editing it.
//!
//! One file for each subcommand. This crate depends on none of the engine's crates, so that it
//! compiles in seconds and before LLVM is installed; it drives them through `cargo` and through the
//! `everett` binary.

#![forbid(unsafe_code)]

mod bench;
mod bless;
mod demo;
mod dist;
mod embedding;
mod eval;
mod fuzz;
mod process;
mod setup;
mod source_package;
mod test;
mod tidy;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Set-up, checks, demonstration and benchmarks of the Everett workspace.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
struct Args {
    #[command(subcommand)]
    command: Command,
}

/// What to do.
#[derive(Subcommand)]
enum Command {
    /// Install the system packages that the build needs and fetch musl
    Setup,
    /// Build the engine and let it find the bug of a small program
    Demo,
    /// Build what users install: a tarball and a package of Debian
    Dist(dist::Options),
    /// Everything that continuous integration checks
    Test(test::Options),
    /// Build and run the project of docs/embedding.md outside of the workspace
    Embedding,
    /// Check the rules of the house style that clippy cannot check
    Tidy,
    /// Rewrite the snapshots of the tests; read the diff afterwards
    Bless(bless::Options),
    /// Run the fuzz targets for a while
    Fuzz(fuzz::Options),
    /// Measure the engine on the benchmark programs
    Bench(bench::Options),
    /// Compare real programs with their native runs, and explore some of them
    Eval(eval::Options),
}

fn main() -> ExitCode {
    let result = match Args::parse().command {
        Command::Setup => setup::run(),
        Command::Demo => demo::run(),
        Command::Dist(options) => dist::run(&options),
        Command::Test(options) => test::run(&options),
        Command::Embedding => setup::run().and_then(|()| embedding::test()),
        Command::Tidy => tidy::run(),
        Command::Bless(options) => bless::run(&options),
        Command::Fuzz(options) => fuzz::run(&options),
        Command::Bench(options) => bench::run(&options),
        Command::Eval(options) => eval::run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
