//! Random C programs over one or two symbolic bytes, explored and also run natively for all values.
//!
//! A program returns a number, or fails at one of several places. The set of numbers and of places over all
//! paths has to be the set over all values, and where there is one symbolic byte, every path has to return
//! what the native program does for each value that takes the path.

mod generate;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result, bail};

use crate::explore::{DriverRunner, for_each_on_two_threads};
use generate::RandomFunction;

const PREAMBLE: &str = include_str!("programs/preamble.c");
const ENDING: &str = include_str!("programs/ending.c");
/// Bits of a result that are printed: each of them is a branch.
const DIGITS: u32 = 5;
/// Optimisation changes what is explored, and must not change the results.
const LEVELS: [&str; 3] = ["-O1", "-O0", "-O2"];
/// How long one exploration may take; what is larger is compared as far as it was explored.
const TIME_LIMIT: &str = "5s";
/// The mark of a native result that stands for a failure, beside the failure's number.
const FAILED: u32 = 1 << 31;

/// Explores random programs and holds them against their native runs.
pub(crate) struct ProgramTester {
    runner: DriverRunner,
    explored: AtomicU64,
    complete: AtomicU64,
}

/// Everything that a program can come to.
#[derive(PartialEq, Eq)]
struct Outcomes {
    /// The last bits of its results.
    results: BTreeSet<String>,
    /// Lines on which it fails.
    failures: BTreeSet<u32>,
}

impl ProgramTester {
    pub(crate) fn new(everett: &Path) -> Result<ProgramTester> {
        let runner = DriverRunner::new(everett, "programs")?;
        Ok(ProgramTester { runner, explored: AtomicU64::new(0), complete: AtomicU64::new(0) })
    }

    /// Tests the programs that some inputs describe. An error names the first difference.
    pub(crate) fn check(&self, inputs: &[Vec<u8>]) -> Result<()> {
        let functions: Vec<RandomFunction> =
            (0..).zip(inputs).map(|(number, input)| generate::function(input, number)).collect();
        let source = source(&functions);
        // A single input, such as one that is being made smaller, is tried at each level.
        let levels = match inputs {
            [_] => &LEVELS[..],
            inputs => {
                let chosen = inputs.iter().map(Vec::len).sum::<usize>() % LEVELS.len();
                &LEVELS[chosen..=chosen]
            }
        };
        levels.iter().try_for_each(|level| self.check_level(&functions, &source, level))
    }

    fn check_level(&self, functions: &[RandomFunction], source: &str, level: &str) -> Result<()> {
        let program = self.runner.compile(source, level)?;
        for_each_on_two_threads(functions, |number, function| {
            self.compare(&program, source, number, function).with_context(|| {
                format!("program {number}, compiled with {level}:\n{}", function.text)
            })
        })
    }

    /// How much was tested, for people; an error if too little was explored to its end.
    pub(crate) fn summary(&self) -> Result<String> {
        let explored = self.explored.load(Ordering::Relaxed);
        let complete = self.complete.load(Ordering::Relaxed);
        if complete * 2 < explored {
            bail!("only {complete} of {explored} programs were explored to their end");
        }
        Ok(format!("{explored} programs, {complete} of them explored to their end"))
    }

    fn compare(
        &self,
        program: &Path,
        source: &str,
        number: usize,
        function: &RandomFunction,
    ) -> Result<()> {
        let native = Command::new(program).arg(number.to_string()).arg("all").output()?;
        let count = if function.symbolic_bytes == 1 { 256 } else { 65_536 };
        if !native.status.success() || native.stdout.len() != 4 * count {
            bail!("the native run failed: {}, {} bytes", native.status, native.stdout.len());
        }
        let expected = native_outcomes(&native.stdout, source)?;
        let stdin = self.runner.write(&format!("expected-{number}"), &native.stdout)?;
        let limits = ["--max-time", TIME_LIMIT, "--tests", "none", "--workers", "1", "--stdin"];
        let mut arguments: Vec<&std::ffi::OsStr> =
            limits.iter().map(std::ffi::OsStr::new).collect();
        let text = number.to_string();
        arguments.extend([stdin.as_os_str(), program.as_os_str(), "--".as_ref(), text.as_ref()]);
        let explored = self.runner.explore(&format!("out-{number}"), arguments)?;
        let mut found = Outcomes { results: BTreeSet::new(), failures: BTreeSet::new() };
        found.results.extend(explored.printed.lines().map(str::to_owned));
        for bug in &explored.summary.findings {
            let line = bug.line.with_context(|| format!("{}: {}", bug.kind, bug.message))?;
            found.failures.insert(line);
        }
        self.explored.fetch_add(1, Ordering::Relaxed);
        if explored.summary.is_complete() {
            self.complete.fetch_add(1, Ordering::Relaxed);
        }
        differences(&expected, &found, explored.summary.is_complete())
    }
}

/// One file with all programs of a batch.
fn source(functions: &[RandomFunction]) -> String {
    let mut source = PREAMBLE.to_owned();
    for function in functions {
        source.push_str(&function.text);
    }
    let _ = writeln!(source, "#define DIGITS {DIGITS}");
    source.push_str("static u32 (*const programs[])(u8, u8) = {");
    for number in 0..functions.len() {
        let _ = write!(source, "program_{number}, ");
    }
    source.push_str("};\nstatic const unsigned bytes_of[] = {");
    for function in functions {
        let _ = write!(source, "{}, ", function.symbolic_bytes);
    }
    source.push_str("};\n");
    source.push_str(ENDING);
    source
}

/// The outcomes for all values, out of what the native program has written.
fn native_outcomes(bytes: &[u8], source: &str) -> Result<Outcomes> {
    let mut outcomes = Outcomes { results: BTreeSet::new(), failures: BTreeSet::new() };
    for word in bytes.chunks_exact(4) {
        let result = u32::from_le_bytes(word.try_into().expect("chunks of four bytes"));
        if result & FAILED == 0 {
            let digits = (0..DIGITS).map(|bit| if result >> bit & 1 == 1 { '1' } else { '0' });
            outcomes.results.insert(digits.collect());
            continue;
        }
        let mark = format!("/* fail {} */", result & !FAILED);
        let line = (1..).zip(source.lines()).find(|(_, line)| line.contains(&mark));
        outcomes.failures.insert(line.context("a failure that is nowhere in the source")?.0);
    }
    Ok(outcomes)
}

/// Nothing may be found that does not happen; and nothing may be missing if all was explored.
fn differences(expected: &Outcomes, found: &Outcomes, is_complete: bool) -> Result<()> {
    if found.results.contains("wrong") {
        bail!("a path returns something else than the native program does for a value of the path");
    }
    if let Some(result) = found.results.difference(&expected.results).next() {
        bail!("result {result} is explored, and no value gives it natively");
    }
    if let Some(line) = found.failures.difference(&expected.failures).next() {
        bail!("a finding on line {line}, where no value fails natively");
    }
    if is_complete && found != expected {
        let results: Vec<_> = expected.results.difference(&found.results).collect();
        let lines: Vec<_> = expected.failures.difference(&found.failures).collect();
        bail!(
            "all paths are explored, yet results {results:?} and failures on lines {lines:?} are missing"
        );
    }
    Ok(())
}
