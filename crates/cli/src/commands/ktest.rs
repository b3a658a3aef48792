//! `everett ktest`: shows a test case, and what its path has printed if that was kept.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use everett_replay::KTest;

use super::run::writer::OUTPUT_EXTENSION;
use crate::terminal;

/// Show a test case: the inputs that lead along one path, and with `everett run --tests all` what it prints
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
        terminal::out(&printed(file)?);
    }
    Ok(ExitCode::SUCCESS)
}

/// What the path of a test has printed, if there is a file of it beside the test.
fn printed(test: &Path) -> Result<String> {
    let file = test.with_extension(OUTPUT_EXTENSION);
    let bytes = match fs::read(&file) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(String::new()),
        read => read.with_context(|| format!("cannot read {}", file.display()))?,
    };
    let plain = |c: char| if c.is_control() { '.' } else { c };
    let text = String::from_utf8_lossy(&bytes);
    let lines =
        text.lines().map(|line| format!("  | {}\n", line.chars().map(plain).collect::<String>()));
    Ok(format!("output\n{}", lines.collect::<String>()))
}
