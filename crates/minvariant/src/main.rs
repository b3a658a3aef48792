//! The command line of `minvariant`: checks, formats and evaluates programs.
//!
//! Exit codes: 0 everything holds, 1 a violation (or a file that is not formatted), 2 an error.

#![forbid(unsafe_code)]

mod cli;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use minvariant::EvalLimits;

/// Checks properties over the state of all nodes of a distributed system.
#[derive(Parser)]
#[command(version)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Reads and checks a program, and lists its invariants
    Check {
        /// Files of the program
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Brings files into their standard layout
    Fmt {
        /// Only say which files would change
        #[arg(long)]
        check: bool,
        /// Files to format
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Evaluates a program on a recording: after each exposure, and at the end
    Eval {
        /// The recording, in JSON
        #[arg(long)]
        data: PathBuf,
        /// Evaluate only at the end
        #[arg(long)]
        at_end_only: bool,
        /// Steps that an evaluation may take
        #[arg(long, default_value_t = EvalLimits::default().steps)]
        steps: u64,
        /// Files of the program
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

fn main() -> ExitCode {
    let result = match Args::parse().command {
        Command::Check { files } => check(&files),
        Command::Fmt { check, files } => format(&files, check),
        Command::Eval { data, at_end_only, steps, files } => {
            eval(&files, &data, at_end_only, steps)
        }
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::from(2)
        }
    }
}

fn check(files: &[PathBuf]) -> Result<ExitCode> {
    let program = cli::load(files)?;
    for invariant in program.invariants() {
        let mut clauses = String::new();
        for (is_there, clause) in [
            (invariant.require, " require"),
            (invariant.when, " when"),
            (invariant.eventually, " eventually"),
        ] {
            clauses.push_str(if is_there { clause } else { "" });
        }
        println!("{}: invariant {}{clauses}", invariant.location, invariant.name);
    }
    Ok(ExitCode::SUCCESS)
}

fn format(files: &[PathBuf], only_check: bool) -> Result<ExitCode> {
    let mut code = ExitCode::SUCCESS;
    for file in files {
        let text = cli::read(file)?;
        let formatted = minvariant::format(&file.display().to_string(), &text)?;
        if formatted == text {
            continue;
        }
        if only_check {
            println!("{}: not formatted", file.display());
            code = ExitCode::from(1);
        } else {
            std::fs::write(file, formatted)
                .with_context(|| format!("{} cannot be written", file.display()))?;
        }
    }
    Ok(code)
}

fn eval(files: &[PathBuf], data: &Path, at_end_only: bool, steps: u64) -> Result<ExitCode> {
    let program = cli::load(files)?;
    let recording = cli::RecordingFile::load(data)?;
    let limits = EvalLimits { steps, ..EvalLimits::default() };
    let report = cli::evaluate(&program, &recording, &limits, at_end_only);
    print!("{}", report.text);
    Ok(match report {
        cli::EvaluationReport { failed: true, .. } => ExitCode::from(2),
        cli::EvaluationReport { violated: true, .. } => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    })
}
