//! `everett minimize`: a simpler test that comes to the same.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use everett_report::count_of;
use everett_rerun::{MinimizedTest, minimize};

use super::{EXIT_DIFFERS, context, loading};
use crate::errors::replay_error;
use crate::{environment, terminal};

/// Make a test of a system simpler: fewer nodes, faults and preemptions, more zeros, the same outcome
///
/// The result is written beside the test, with `.min` in its name. Exit code: 0 if there is one, 1 if
/// the test itself does not have the outcome that it states, 2 if it cannot be run.
#[derive(clap::Args)]
pub(crate) struct MinimizeOptions {
    /// The test (.dtest), with the ktests of its nodes beside it
    #[arg(value_name = "TEST")]
    test: PathBuf,
    /// Run at most N variants
    #[arg(long, value_name = "N", default_value_t = 2000)]
    tries: u64,
}

/// Runs the command.
pub(crate) fn run(options: &MinimizeOptions) -> Result<ExitCode> {
    let MinimizeOptions { test, tries } = options;
    let programs = environment::programs()?;
    let simple = minimize(test, *tries, loading(&programs), &context(&programs));
    let Some(simple) = simple.map_err(replay_error)? else {
        let shown = test.display();
        terminal::out(&format!("not reproduced: `everett replay {shown}` says what differs\n"));
        return Ok(ExitCode::from(EXIT_DIFFERS));
    };
    let MinimizedTest { file, nodes, incidents, bytes, variants, is_cut_short } = simple;
    let rows = [
        ("nodes", nodes),
        ("faults and preemptions", incidents),
        ("input bytes that are not zero", bytes),
    ];
    for (what, (before, after)) in rows {
        terminal::out(&format!("{what}: {before} before, {after} now\n"));
    }
    if is_cut_short {
        terminal::out("there was no time for more variants; --tries allows more\n");
    }
    let (shown, ran) = (file.display(), count_of(variants, "variant"));
    terminal::out(&format!("{ran} run; written: {shown}\nrun it: everett replay {shown}\n"));
    Ok(ExitCode::SUCCESS)
}
