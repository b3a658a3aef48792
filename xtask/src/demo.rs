//! `cargo xtask demo`: from a C file to a bug and the input that triggers it.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::process::{heading, shown};
use crate::setup;
use crate::workspace::{self, Profile, build_driver, driver, relative};

/// The program under test.
const PROGRAM: &str = "tests/demo/request.c";

/// The part of `summary.json` that is looked at.
#[derive(Deserialize)]
struct Summary {
    findings: Vec<Finding>,
}

#[derive(Deserialize)]
struct Finding {
    kind: String,
    file: Option<String>,
    line: Option<u32>,
    /// The test file that reproduces it, relative to the output folder.
    test: Option<String>,
}

/// Builds the driver, shows the program, finds its bug, and runs the test that was written for it.
pub(crate) fn run() -> Result<()> {
    setup::run()?;
    heading("building the driver");
    let everett = build_driver(Profile::Dev)?;
    let folder = workspace::target_dir().join("demo");
    std::fs::create_dir_all(&folder)?;
    let (bitcode, out) = (folder.join("request.bc"), folder.join("out"));

    heading(PROGRAM);
    let source = std::fs::read_to_string(workspace::root().join(PROGRAM))?;
    for (number, line) in (1..).zip(source.lines()) {
        println!("{number:4}  {line}");
    }
    step(driver(&everett).args(["cc", "-g", PROGRAM, "-o"]).arg(&bitcode), 0)?;
    if out.exists() {
        std::fs::remove_dir_all(&out).context("cannot remove the results of the last time")?;
    }
    step(driver(&everett).args(["run", "--out"]).arg(&out).arg(&bitcode), 1)?;

    let summary = std::fs::read(out.join("summary.json")).context("the run left no summary")?;
    let summary: Summary = serde_json::from_slice(&summary).context("cannot read the summary")?;
    let finding = summary.findings.first().context("the run found no bug")?;
    let test = finding.test.as_ref().context("the finding has no test")?;
    let test = out.join(test);
    step(driver(&everett).arg("ktest").arg(&test), 0)?;
    step(driver(&everett).arg("run").arg("--ktest").arg(&test).arg(&bitcode), 1)?;

    heading("what was shown");
    let place = match (&finding.file, finding.line) {
        (Some(file), Some(line)) => format!(" at {}:{line}", relative(Path::new(file))),
        _ => String::new(),
    };
    println!(
        "a bug of kind {}{place}, found and reproduced with {}",
        finding.kind,
        relative(&test)
    );
    Ok(())
}

/// Shows a command and runs it; the exit code says whether it did what the demonstration shows.
fn step(command: &mut Command, expected: i32) -> Result<()> {
    heading(&format!("$ {}", shown(command)));
    let status = command.status().with_context(|| format!("cannot start {}", shown(command)))?;
    if status.code() != Some(expected) {
        bail!("{} ended with {status}, expected exit code {expected}", shown(command));
    }
    Ok(())
}
