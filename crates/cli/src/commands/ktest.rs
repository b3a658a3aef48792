//! `everett ktest`: shows a test case.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use everett_replay::KTest;

use crate::terminal;

/// Show a test case: the inputs that lead along one path
#[derive(clap::Args)]
pub(crate) struct KtestOptions {
    /// Test files, as `everett run` and KLEE write them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Prints the listing of each file.
pub(crate) fn run(options: &KtestOptions) -> Result<ExitCode> {
    for file in &options.files {
        let test = KTest::read(file)?;
        if options.files.len() > 1 {
            terminal::out(&format!("{}\n", file.display()));
        }
        terminal::out(&test.to_string());
    }
    Ok(ExitCode::SUCCESS)
}
