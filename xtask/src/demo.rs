//! `cargo xtask demo`: from a C file to a bug and the input that triggers it, for one program and for a
//! system of three nodes.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::process::shown;
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

/// Where the demonstration is shown.
enum Stage {
    /// On the screen, as it goes.
    Screen,
    /// Nowhere, unless something goes wrong: bugs that are meant to be found would be taken for failures.
    Kept(String),
}

/// Builds the driver, and shows what it finds. Users have it built as `cargo install` builds it, which need
/// not build anything again then.
pub(crate) fn run() -> Result<()> {
    demonstrate(&mut Stage::Screen, Profile::Release)
}

/// The same as a test, with the driver that the suite has used: prints nothing unless it fails.
pub(crate) fn test() -> Result<()> {
    let mut stage = Stage::Kept(String::new());
    let result = demonstrate(&mut stage, Profile::Tested);
    if let (Err(_), Stage::Kept(text)) = (&result, &stage) {
        print!("{text}");
    }
    result
}

fn demonstrate(stage: &mut Stage, profile: Profile) -> Result<()> {
    setup::run()?;
    stage.heading("building the driver");
    let everett = build_driver(profile)?;
    let folder = workspace::target_dir().join("demo");
    std::fs::create_dir_all(&folder)?;
    let program = one_program(stage, &everett, &folder)?;
    let system = system(stage, &everett, &folder)?;
    stage.heading("what was shown");
    stage.line(&program);
    stage.line(&system);
    Ok(())
}

impl Stage {
    fn line(&mut self, line: &str) {
        match self {
            Stage::Screen => println!("{line}"),
            Stage::Kept(text) => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }

    fn heading(&mut self, title: &str) {
        self.line(&format!("\n== {title}"));
    }

    /// Shows a file of the repository with the numbers of its lines.
    fn file(&mut self, file: &str) -> Result<()> {
        self.heading(file);
        let source = std::fs::read_to_string(workspace::root().join(file))?;
        for (number, line) in (1..).zip(source.lines()) {
            self.line(&format!("{number:4}  {line}"));
        }
        Ok(())
    }

    /// Shows a command and runs it; the exit code says whether it did what the demonstration shows.
    fn command(&mut self, command: &mut Command, expected: i32) -> Result<()> {
        let line = shown(command);
        self.heading(&format!("$ {line}"));
        let cannot_start = || format!("cannot start {line}");
        let status = match self {
            Stage::Screen => command.status().with_context(cannot_start)?,
            Stage::Kept(text) => {
                let output = command.output().with_context(cannot_start)?;
                text.push_str(&String::from_utf8_lossy(&output.stdout));
                text.push_str(&String::from_utf8_lossy(&output.stderr));
                output.status
            }
        };
        if status.code() != Some(expected) {
            bail!("{line} ended with {status}, expected exit code {expected}");
        }
        Ok(())
    }
}

/// Shows the program, finds its bug, and runs the test that was written for it.
fn one_program(stage: &mut Stage, everett: &Path, folder: &Path) -> Result<String> {
    let (bitcode, out) = (folder.join("request.bc"), fresh(folder.join("out"))?);
    stage.file(PROGRAM)?;
    stage.command(driver(everett).args(["cc", "-g", PROGRAM, "-o"]).arg(&bitcode), 0)?;
    stage.command(driver(everett).args(["run", "--out"]).arg(&out).arg(&bitcode), 1)?;
    let finding = first_finding(&out)?;
    let test = out.join(finding.test.as_ref().context("the finding has no test")?);
    stage.command(driver(everett).arg("ktest").arg(&test), 0)?;
    stage.command(driver(everett).arg("run").arg("--ktest").arg(&test).arg(&bitcode), 1)?;
    Ok(format!("{}, found and reproduced with {}", finding.text(), relative(&test)))
}

/// Shows the system and finds its bug, with the world that it happens in.
fn system(stage: &mut Stage, everett: &Path, folder: &Path) -> Result<String> {
    let out = fresh(folder.join("system"))?;
    let folder = folder.join("tickets");
    std::fs::create_dir_all(&folder)?;
    for name in SYSTEM_PROGRAMS {
        let source = format!("{SYSTEM}/{name}.c");
        stage.file(&source)?;
        stage
            .command(driver(everett).args(["cc", "-g", &source, "-o"]).arg(folder.join(name)), 0)?;
    }
    let scenario = format!("{SYSTEM}/system.toml");
    stage.file(&scenario)?;
    std::fs::copy(workspace::root().join(&scenario), folder.join("system.toml"))?;
    let scenario = folder.join("system.toml");
    stage.command(driver(everett).args(["run", "--out"]).arg(&out).arg(&scenario), 1)?;
    let finding = first_finding(&out)?;
    let test = out.join(finding.dtest.as_ref().context("the finding has no test")?);
    stage.command(driver(everett).args(["replay", "--trace"]).arg(&test), 0)?;
    Ok(format!("{}, found in a system of three nodes", finding.text()))
}

/// A folder that is not there yet.
fn fresh(folder: PathBuf) -> Result<PathBuf> {
    if folder.exists() {
        std::fs::remove_dir_all(&folder).context("cannot remove the results of the last time")?;
    }
    Ok(folder)
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
