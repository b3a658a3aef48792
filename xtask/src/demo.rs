//! `cargo xtask demo`: from a C file to a bug and the input that triggers it, for one program and for a
//! system of three nodes.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::process::{heading, shown};
use crate::setup;
use crate::workspace::{self, Profile, build_driver, driver, relative};

/// The program under test.
const PROGRAM: &str = "tests/demo/request.c";
/// The system under test: its folder and its programs.
const SYSTEM: &str = "tests/demo/tickets";
const SYSTEM_PROGRAMS: [&str; 2] = ["office", "window"];

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
    /// The same for a whole system.
    dtest: Option<String>,
}

/// Builds the driver, and shows what it finds. Users have it built as `cargo install` builds it, which need
/// not build anything again then; the suite takes the one that its tests have used.
pub(crate) fn run(profile: Profile) -> Result<()> {
    setup::run()?;
    heading("building the driver");
    let everett = build_driver(profile)?;
    let folder = workspace::target_dir().join("demo");
    std::fs::create_dir_all(&folder)?;
    let program = one_program(&everett, &folder)?;
    let system = system(&everett, &folder)?;
    heading("what was shown");
    println!("{program}\n{system}");
    Ok(())
}

/// Shows the program, finds its bug, and runs the test that was written for it.
fn one_program(everett: &Path, folder: &Path) -> Result<String> {
    let (bitcode, out) = (folder.join("request.bc"), fresh(folder.join("out"))?);
    show(PROGRAM)?;
    step(driver(everett).args(["cc", "-g", PROGRAM, "-o"]).arg(&bitcode), 0)?;
    step(driver(everett).args(["run", "--out"]).arg(&out).arg(&bitcode), 1)?;
    let finding = first_finding(&out)?;
    let test = out.join(finding.test.as_ref().context("the finding has no test")?);
    step(driver(everett).arg("ktest").arg(&test), 0)?;
    step(driver(everett).arg("run").arg("--ktest").arg(&test).arg(&bitcode), 1)?;
    Ok(format!("{}, found and reproduced with {}", finding.text(), relative(&test)))
}

/// Shows the system and finds its bug, with the world that it happens in.
fn system(everett: &Path, folder: &Path) -> Result<String> {
    let out = fresh(folder.join("system"))?;
    let folder = folder.join("tickets");
    std::fs::create_dir_all(&folder)?;
    for name in SYSTEM_PROGRAMS {
        let source = format!("{SYSTEM}/{name}.c");
        show(&source)?;
        step(driver(everett).args(["cc", "-g", &source, "-o"]).arg(folder.join(name)), 0)?;
    }
    let scenario = format!("{SYSTEM}/system.toml");
    show(&scenario)?;
    std::fs::copy(workspace::root().join(&scenario), folder.join("system.toml"))?;
    let scenario = folder.join("system.toml");
    step(driver(everett).args(["run", "--out"]).arg(&out).arg(&scenario), 1)?;
    let finding = first_finding(&out)?;
    let test = out.join(finding.dtest.as_ref().context("the finding has no test")?);
    step(driver(everett).args(["replay", "--trace"]).arg(&test), 0)?;
    Ok(format!("{}, found in a system of three nodes", finding.text()))
}

/// A folder that is not there yet.
fn fresh(folder: PathBuf) -> Result<PathBuf> {
    if folder.exists() {
        std::fs::remove_dir_all(&folder).context("cannot remove the results of the last time")?;
    }
    Ok(folder)
}

fn show(file: &str) -> Result<()> {
    heading(file);
    let source = std::fs::read_to_string(workspace::root().join(file))?;
    for (number, line) in (1..).zip(source.lines()) {
        println!("{number:4}  {line}");
    }
    Ok(())
}

fn first_finding(out: &Path) -> Result<Finding> {
    let summary = std::fs::read(out.join("summary.json")).context("the run left no summary")?;
    let summary: Summary = serde_json::from_slice(&summary).context("cannot read the summary")?;
    summary.findings.into_iter().next().context("the run found no bug")
}

impl Finding {
    fn text(&self) -> String {
        let place = match (&self.file, self.line) {
            (Some(file), Some(line)) => format!(" at {}:{line}", relative(Path::new(file))),
            _ => String::new(),
        };
        format!("a bug of kind {}{place}", self.kind)
    }
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
