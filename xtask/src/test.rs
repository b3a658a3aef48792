//! `cargo xtask test`: everything that continuous integration checks.
//!
//! All steps run even when an earlier one failed, so that one run tells everything; the set-up is the
//! exception, as nothing builds without it.

use std::time::Duration;

use anyhow::{Result, bail};

use crate::process::{self, command, heading, now};
use crate::workspace::Profile;
use crate::{demo, dist, embedding, eval, fuzz, setup, tidy};

/// How often each finding of `tests/systems` is replayed natively.
const REPLAYS: &str = "10";
const REPLAYS_THOROUGH: &str = "100";
/// Each of the slower oracles is asked about one in so many programs and systems.
const ORACLES_ONE_IN: &str = "3";

/// Which checks to run.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Skip the fuzz targets
    #[arg(long)]
    no_fuzz: bool,
    /// How long to run each fuzz target
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    fuzz_seconds: u64,
    /// Ask every oracle about every program and system, and replay each finding a hundred times
    #[arg(long)]
    thorough: bool,
}

/// What one step came to.
struct Outcome {
    title: &'static str,
    time: Duration,
    error: Option<anyhow::Error>,
}

/// How many lines of the message of each failed test the summary repeats.
const LINES_OF_FAILURE: usize = 60;

/// Tests counted in the output of `cargo test`, and the messages of those that failed.
#[derive(Default)]
struct Counts {
    passed: u64,
    failed: u64,
    failures: Vec<Vec<String>>,
    /// Between the heading of a message and the list of names behind the last one.
    is_in_failure: bool,
}

/// Runs every check and ends with one line that says how many passed.
pub(crate) fn run(options: &Options) -> Result<()> {
    setup::run()?;
    setup::rust::run();
    let mut counts = Counts::default();
    let mut outcomes = vec![
        step("format", format),
        step("tidy", tidy::run),
        step("clippy", clippy),
        step("tests", || tests(options.thorough, &mut counts)),
        step("embedding", embedding::test),
        step("demo", demo::test),
        step("dist", dist::test),
        step("eval", || eval::smoke(Profile::Tested)),
    ];
    if !options.no_fuzz {
        outcomes.push(step("fuzz", || fuzz::run(&fuzz::Options::all(options.fuzz_seconds))));
    }

    if !counts.failures.is_empty() {
        heading("failed tests");
    }
    for line in counts.failures.iter().flatten() {
        println!("{line}");
    }
    heading("summary");
    for Outcome { title, time, error } in &outcomes {
        match error {
            None => println!("ok      {title:9} {:6.1} s", time.as_secs_f64()),
            Some(error) => println!("FAILED  {title:9} {:6.1} s  {error:#}", time.as_secs_f64()),
        }
    }
    let failed = outcomes.iter().filter(|outcome| outcome.error.is_some()).count();
    println!("steps: {} passed, {failed} failed", outcomes.len() - failed);
    println!("tests: {} passed, {} failed", counts.passed, counts.failed);
    if failed > 0 {
        bail!("{failed} of {} steps failed", outcomes.len());
    }
    Ok(())
}

fn step(title: &'static str, action: impl FnOnce() -> Result<()>) -> Outcome {
    heading(title);
    let start = now();
    let error = action().err();
    if let Some(error) = &error {
        println!("{title}: {error:#}");
    }
    let time = start.elapsed();
    println!("== {title}: {:.1} s", time.as_secs_f64());
    Outcome { title, time, error }
}

fn format() -> Result<()> {
    process::run(command("cargo").args(["fmt", "--all", "--check"]))?;
    process::run(command("cargo").args(["fmt", "--check", "--manifest-path", embedding::MANIFEST]))
}

fn clippy() -> Result<()> {
    let mut clippy = command("cargo");
    clippy.args(["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]);
    process::run(&mut clippy)
}

/// `cargo test` rather than a faster runner: it is there wherever Rust is, and it runs doctests.
fn tests(is_thorough: bool, counts: &mut Counts) -> Result<()> {
    let mut test = command("cargo");
    test.args(["test", "--workspace", "--no-fail-fast"]);
    if is_thorough {
        test.env("EVERETT_REPLAYS", REPLAYS_THOROUGH);
    } else {
        test.env("EVERETT_REPLAYS", REPLAYS).env("EVERETT_ORACLES_ONE_IN", ORACLES_ONE_IN);
    }
    process::run_watching(&mut test, |line| {
        counts.add(line);
        counts.keep_failure(line);
    })
}

impl Counts {
    /// Adds a line such as `test result: ok. 5 passed; 0 failed; ...`; other lines count nothing.
    fn add(&mut self, line: &str) {
        let Some(result) = line.trim().strip_prefix("test result: ") else { return };
        let number = |label: &str| {
            let before = result.split(';').find_map(|part| part.trim().strip_suffix(label))?;
            before.rsplit([' ', '.']).find(|word| !word.is_empty())?.parse::<u64>().ok()
        };
        self.passed += number("passed").unwrap_or(0);
        self.failed += number("failed").unwrap_or(0);
    }

    /// Keeps a line that belongs to the message of a failed test, which begins with `---- name stdout ----`.
    fn keep_failure(&mut self, line: &str) {
        if line.starts_with("---- ") && line.ends_with(" ----") {
            self.is_in_failure = true;
            self.failures.push(Vec::new());
        } else if line == "failures:" {
            self.is_in_failure = false;
        }
        let Some(failure) = self.failures.last_mut().filter(|_| self.is_in_failure) else { return };
        if failure.len() < LINES_OF_FAILURE {
            failure.push(line.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_test_binaries_are_added_up() {
        let mut counts = Counts::default();
        counts.add("running 3 tests");
        counts.add("test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 1 filtered out");
        counts.add("test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured");
        assert_eq!((counts.passed, counts.failed), (15, 2));
    }

    #[test]
    fn messages_of_failed_tests_are_kept() {
        let mut counts = Counts::default();
        let output = "test b ... FAILED\n\nfailures:\n\n---- b stdout ----\nb is 1\n\n---- c ----\nc is 2\n\
                      \nfailures:\n    b\n    c\n\ntest result: FAILED. 0 passed; 2 failed";
        output.lines().for_each(|line| counts.keep_failure(line));
        assert_eq!(
            counts.failures,
            [["---- b stdout ----", "b is 1", ""], ["---- c ----", "c is 2", ""]]
        );
    }
}
