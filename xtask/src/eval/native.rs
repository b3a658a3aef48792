//! `cargo xtask eval native`: every finding of the systems in `tests/systems`, replayed natively many times.
//!
//! Programs are built with `everett cc`, once; with a sanitizer where a native program would survive the
//! error. A finding counts as reproduced if all of its replays are.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::driver::release_driver;
use super::table::Table;
use crate::process::heading;
use crate::workspace::{self, driver};

/// Errors of memory that a native program survives.
pub(super) const SURVIVED: [&str; 4] =
    ["out-of-bounds", "use-after-free", "double-free", "invalid-free"];
/// What stands before the kind of a finding in a scenario.
pub(super) const EXPECTED: &str = "# expect: finding ";
/// What a scenario says whose programs are built against glibc.
const GLIBC: &str = "# expect: glibc";
/// Cases that are evaluated at the same time.
const WORKERS: usize = 2;

/// How often, and which.
#[derive(clap::Args)]
pub(super) struct Options {
    /// Replays of each finding
    #[arg(long, value_name = "N", default_value_t = 100)]
    times: u32,
    /// Only scenarios whose names contain this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Also on one network stack, without network namespaces
    #[arg(long)]
    loopback: bool,
    /// Use this driver instead of building one
    #[arg(long, value_name = "FILE")]
    driver: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Summary {
    findings: Vec<Finding>,
}

#[derive(Deserialize)]
struct Finding {
    kind: String,
    #[serde(default)]
    node: Option<String>,
    #[serde(default)]
    dtest: Option<String>,
    /// The ktest of a single node, which has its dtest beside it.
    #[serde(default)]
    test: Option<String>,
}

impl Finding {
    fn dtest(&self, out: &Path) -> Option<PathBuf> {
        let beside = self.test.as_ref().map(|test| test.replace(".ktest", ".dtest"));
        let file = out.join(self.dtest.clone().or(beside)?);
        file.is_file().then_some(file)
    }
}

/// A line of the table.
struct Row {
    case: String,
    finding: String,
    mode: &'static str,
    /// How often it was reproduced, or why it cannot be.
    outcome: Result<u32, String>,
}

/// Replays everything, and prints the table.
pub(super) fn run(options: &Options) -> Result<()> {
    let everett = release_driver(options.driver.as_deref())?;
    let home = workspace::target_dir().join("eval/native");
    if home.exists() {
        fs::remove_dir_all(&home).context("cannot remove the last results")?;
    }
    heading("replaying findings natively");
    let mut cases = Vec::new();
    find(&workspace::root().join("tests/systems"), EXPECTED, &mut cases)?;
    cases.retain(|case| options.only.as_ref().is_none_or(|only| name(case).contains(only)));
    let next = AtomicUsize::new(0);
    let rows = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let made = evaluate(&everett, &home.join(name(case)), case, options);
                    let made = made.unwrap_or_else(|error| {
                        let outcome = Err(format!("{error:#}"));
                        vec![Row { case: name(case), finding: String::new(), mode: "", outcome }]
                    });
                    println!("{}", name(case));
                    rows.lock().unwrap_or_else(std::sync::PoisonError::into_inner).extend(made);
                }
            });
        }
    });
    let mut rows = rows.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    rows.sort_by(|a, b| (&a.case, &a.finding, a.mode).cmp(&(&b.case, &b.finding, b.mode)));
    finish(&rows, options.times)
}

fn finish(rows: &[Row], times: u32) -> Result<()> {
    let mut table = Table::new(&["system", "finding", "mode", "reproduced"]);
    let mut missed = 0;
    for Row { case, finding, mode, outcome } in rows {
        let outcome = match outcome {
            Ok(count) => {
                missed += usize::from(*count < times);
                format!("{count}/{times}")
            }
            Err(why) => format!("not natively: {why}"),
        };
        table.row(vec![case.clone(), finding.clone(), (*mode).to_owned(), outcome]);
    }
    println!();
    table.lines().iter().for_each(|line| println!("{line}"));
    let all = rows.iter().filter(|row| row.outcome.is_ok()).count();
    println!("{} of {all} findings reproduced {times} times of {times}", all - missed);
    if missed > 0 {
        bail!("{missed} findings are not always reproduced");
    }
    Ok(())
}

/// Scenarios that contain a text, in all folders below one.
pub(super) fn find(folder: &Path, text: &str, found: &mut Vec<PathBuf>) -> Result<()> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            find(&path, text, found)?;
        } else if path.extension().is_some_and(|extension| extension == "toml")
            && fs::read_to_string(&path)?.contains(text)
        {
            found.push(path);
        }
    }
    Ok(())
}

/// The name of a scenario: its place below the folder of systems, or of all tests.
pub(super) fn name(case: &Path) -> String {
    let roots = ["tests/systems", "tests"].map(|folder| workspace::root().join(folder));
    let below = roots.iter().find_map(|root| case.strip_prefix(root).ok());
    below.unwrap_or(case).with_extension("").display().to_string()
}

fn evaluate(everett: &Path, home: &Path, case: &Path, options: &Options) -> Result<Vec<Row>> {
    fs::create_dir_all(home)?;
    let scenario = build(everett, home, case)?;
    let out = home.join("out");
    let mut explore = driver(everett);
    explore.args(["run", "--workers", "1", "--tests", "findings", "--out"]).arg(&out);
    explore.arg(&scenario).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    let summary = fs::read(out.join("summary.json")).context("the run left no summary")?;
    let summary: Summary = serde_json::from_slice(&summary)?;
    let mut rows = Vec::new();
    for (number, found) in summary.findings.into_iter().enumerate() {
        let finding = format!("{} on {}", found.kind, found.node.as_deref().unwrap_or_default());
        let case = name(case);
        let Some(dtest) = found.dtest(&out) else {
            let outcome = Err("it is in no world, and has no test".to_owned());
            rows.push(Row { case, finding, mode: "", outcome });
            continue;
        };
        let folder = home.join(format!("replay{number}"));
        let mut export = driver(everett);
        let done = export.arg("export").arg(dtest).arg(&folder).output()?;
        if !done.status.success() {
            let said = String::from_utf8_lossy(&done.stderr);
            let why = said.lines().next().unwrap_or_default().to_owned();
            rows.push(Row { case, finding, mode: "", outcome: Err(why) });
            continue;
        }
        let modes: &[(&str, &[&str])] = &[("namespaces", &[]), ("loopback", &["--loopback"])];
        for (mode, flags) in &modes[..1 + usize::from(options.loopback)] {
            let outcome = Ok(replay(&folder, flags, options.times)?);
            rows.push(Row { case: case.clone(), finding: finding.clone(), mode, outcome });
        }
    }
    Ok(rows)
}

/// How many replays come to the same, before one does not.
fn replay(folder: &Path, flags: &[&str], times: u32) -> Result<u32> {
    let mut command = std::process::Command::new("sh");
    command.arg(folder.join("replay.sh")).args(["--times", &times.to_string()]).args(flags);
    let done = command.output()?;
    if done.status.success() {
        return Ok(times);
    }
    let said = String::from_utf8_lossy(&done.stderr);
    eprint!("{said}");
    // `replay 7 of 100:`
    let number = said.lines().find_map(|line| line.strip_prefix("replay ")?.split(' ').next());
    Ok(number.and_then(|number| number.parse::<u32>().ok()).map_or(0, |number| number - 1))
}

/// Builds the programs of a scenario, and returns the scenario beside them.
fn build(everett: &Path, home: &Path, case: &Path) -> Result<PathBuf> {
    let text = fs::read_to_string(case)?;
    let kinds = text.lines().filter_map(|line| line.strip_prefix(EXPECTED)?.split(' ').next());
    let survives = { kinds }.any(|kind| SURVIVED.contains(&kind));
    let folder = case.parent().context("a file has a folder")?;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path().canonicalize()?;
        let file = path.file_name().context("a file has a name")?;
        let compiler = match path.extension().and_then(|extension| extension.to_str()) {
            Some("c") => "cc",
            Some("cpp") => "c++",
            _ => {
                symlink(&path, home.join(file))?;
                continue;
            }
        };
        let mut compile = driver(everett);
        compile.args([compiler, "-g", "-w", "-pthread"]);
        if survives {
            compile.arg("-fsanitize=address");
        }
        if survives || text.lines().any(|line| line == GLIBC) {
            compile.arg("--libc=glibc");
        }
        compile.arg(&path).arg("-o").arg(home.join(file).with_extension(""));
        if !compile.status()?.success() {
            bail!("{} cannot be built", path.display());
        }
    }
    Ok(home.join(case.file_name().context("a file has a name")?))
}
