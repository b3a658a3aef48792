//! The `everett` command: compiles C to bitcode and runs it on symbolic inputs.
//!
//! [`main`] is the whole command; one module of `commands` holds one subcommand. The rest that is
//! public is for the tests, which find the compiler and judge results in the same way as users do.
//!
//! This is the only crate that prints, reads the clock and the environment, and decides on exit
//! codes. Not here: what is printed (`everett-report`), and what is done (`everett-explorer` and
//! what is below it).
//!
//! ```no_run
//! everett::main();
//! ```

#![forbid(unsafe_code)]

mod args;
mod cluster;
mod commands;

mod clock;
pub mod environment;
mod errors;
mod exit_codes;
mod klee_flags;
mod local_server;
mod message_fields;
mod origin;
mod panics;
mod sources;
mod terminal;
mod value_bytes;
mod whole_file;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use commands::{
    baseline, bitcode, cc, check, completions, conforms, doctor, explore, explore_jobs, faults,
    init, ktest, lower, replay, report, resume, run, scenario, work,
};
use exit_codes::EXIT_FAILED;
pub use exit_codes::exit_code;
use klee_flags::long_flags;

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    let words = args::words(long_flags(std::env::args_os()).into_iter());
    let behind_command = words.iter().skip(2).cloned().collect();
    let result = match Cli::parse_from(words).command {
        Command::Init(options) => init::run(&options),
        Command::Doctor(options) => doctor::run(&options),
        Command::Cc(options) => cc::run(&options),
        Command::Cxx(options) => cc::run_cxx(&options),
        Command::Bitcode(options) => bitcode::run(&options),
        Command::Run(options) => run::run(*options, behind_command),
        Command::Resume(options) => resume::run(&options),
        Command::Faults(options) => faults::run(&options.0, behind_command),
        Command::Trojan(options) => commands::trojan::run(&options.0, behind_command),
        Command::Conforms(options) => conforms::run(&options.0, behind_command),
        Command::Replay(options) => replay::run(&options),
        Command::Explore(options) => explore::run(&options),
        Command::Minimize(options) => replay::minimize::run(&options),
        Command::Export(options) => replay::native::export(&options),
        Command::Report(options) => report::run(&options),
        Command::Baseline(options) => baseline::run(&options),
        Command::Work(options) => work::run(&options),
        Command::Cluster(options) => commands::cluster::run(&options),
        Command::Ktest(options) => ktest::run(&options),
        Command::Check(options) => check::run(&options),
        Command::Scenario(options) => scenario::run(&options),
        Command::Completions(options) => completions::run(&options),
        Command::Man(options) => completions::man(&options),
        Command::Lower(options) => lower::run(&options),
        Command::ExploreJobs(options) => explore_jobs::run(&options),
    };
    result.unwrap_or_else(|error| {
        terminal::error(&format!("{error:#}"));
        ExitCode::from(EXIT_FAILED)
    })
}
