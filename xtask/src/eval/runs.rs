//! One command line, natively and in the engine, in equal surroundings.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::process::{self, now};
use crate::workspace::{self, driver};

/// Where programs see their files and executables in the engine.
const DATA: &str = "/data";
const BIN: &str = "/bin";

/// Changes of all prepared files: 2001-09-09 01:46:40 UTC.
const MODIFIED: Duration = Duration::from_secs(1_000_000_000);

/// Variables of every run, besides `PATH`.
const ENVIRONMENT: [(&str, &str); 3] = [("LC_ALL", "C"), ("TZ", "UTC0"), ("HOME", "/")];

/// Longer than any comparison should take.
const TIME_LIMIT: &str = "120s";

/// Executables, a prepared folder, and who runs them.
pub(super) struct Bench {
    everett: PathBuf,
    pub(super) home: PathBuf,
    /// User and group, the same in the engine as outside.
    user: String,
    runs: std::cell::Cell<u32>,
}

/// What to run.
pub(super) struct Invocation<'a> {
    pub(super) program: &'a str,
    pub(super) args: &'a [String],
    /// A file of the prepared folder that is standard input.
    pub(super) stdin: Option<&'a str>,
}

/// What a run came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
    pub(super) code: Option<i32>,
}

/// What a run in the engine came to, and cost.
pub(super) struct EngineRun {
    pub(super) outcome: Outcome,
    /// Why the path did not end by itself, or ended in a finding.
    pub(super) trouble: Option<String>,
    pub(super) instructions: u64,
    pub(super) seconds: f64,
}

/// The part of `summary.json` that is looked at.
#[derive(Deserialize)]
pub(super) struct Summary {
    pub(super) outcome: String,
    pub(super) limit: Option<String>,
    pub(super) instructions: u64,
    pub(super) paths: u64,
    pub(super) exit_code: Option<i32>,
    pub(super) coverage: Coverage,
    pub(super) dropped: Vec<Dropped>,
    pub(super) findings: Vec<Finding>,
}

#[derive(Deserialize)]
pub(super) struct Coverage {
    pub(super) covered: u64,
    pub(super) total: u64,
}

#[derive(Deserialize)]
pub(super) struct Dropped {
    pub(super) reason: String,
    pub(super) count: u64,
}

#[derive(Deserialize)]
pub(super) struct Finding {
    pub(super) kind: String,
    pub(super) message: String,
    pub(super) function: Option<String>,
    pub(super) file: Option<String>,
    pub(super) line: Option<u32>,
    pub(super) test: Option<String>,
}

impl Bench {
    /// Prepares the folder that every run sees.
    pub(super) fn new(everett: &Path, home: &Path) -> Result<Bench> {
        let id = |flag| process::output(Command::new("id").arg(flag));
        let user = format!("{}:{}", id("-u")?.trim(), id("-g")?.trim());
        let bench = Bench {
            everett: everett.to_path_buf(),
            home: home.to_path_buf(),
            user,
            runs: std::cell::Cell::new(0),
        };
        prepare(&bench.pristine())?;
        Ok(bench)
    }

    /// The prepared folder, which no run changes.
    pub(super) fn pristine(&self) -> PathBuf {
        self.home.join("data")
    }

    pub(super) fn program(&self, name: &str) -> PathBuf {
        self.home.join("bin").join(name)
    }

    /// Runs the native executable in a fresh copy of the prepared folder.
    pub(super) fn natively(&self, invocation: &Invocation) -> Result<Outcome> {
        let folder = self.home.join("native");
        if folder.exists() {
            fs::remove_dir_all(&folder).context("cannot remove the last native run's files")?;
        }
        copy_folder(&self.pristine(), &folder)?;
        // A shell sets the mask of new files, and adds variables that `env` takes away again.
        let mut command = Command::new("sh");
        command.args(["-c", "umask 022; exec \"$0\" \"$@\"", "/usr/bin/env", "-i"]);
        command.arg(format!("PATH={}", self.home.join("bin").display()));
        command.args(ENVIRONMENT.map(|(name, value)| format!("{name}={value}")));
        command.arg(self.program(invocation.program)).args(invocation.args);
        command.current_dir(&folder).stdin(Stdio::piped());
        if let Some(file) = invocation.stdin {
            command.stdin(File::open(folder.join(file)).context("no such standard input")?);
        }
        // A piped standard input is closed at once, which makes it an empty one.
        let output = command.output().context("cannot start the native executable")?;
        Ok(Outcome {
            stdout: self.neutral(output.stdout, &folder),
            stderr: self.neutral(output.stderr, &folder),
            // A shell's way to tell of a signal, and the engine's.
            code: output.status.code().or(output.status.signal().map(|signal| 128 + signal)),
        })
    }

    /// Runs the same program in the engine on the prepared folder.
    pub(super) fn in_engine(&self, invocation: &Invocation) -> Result<EngineRun> {
        let out = self.fresh("out")?;
        let mut run = self.run(&out);
        run.args(["--echo", "--tests", "none", "--max-time", TIME_LIMIT, "--user", &self.user]);
        run.args(["--env", &format!("PATH={BIN}")]);
        for (name, value) in ENVIRONMENT {
            run.args(["--env", &format!("{name}={value}")]);
        }
        run.arg("--mount").arg(format!("{}:{DATA}", self.pristine().display()));
        run.arg("--mount").arg(format!("{}:{BIN}", self.home.join("bin").display()));
        run.args(["--cwd", DATA]);
        if let Some(file) = invocation.stdin {
            run.arg("--stdin").arg(self.pristine().join(file));
        }
        run.arg(self.program(invocation.program)).arg("--").args(invocation.args);
        let start = now();
        let output = run.output().context("cannot start the driver")?;
        let seconds = start.elapsed().as_secs_f64();
        let (stdout, stderr) = (
            self.neutral(output.stdout, Path::new(DATA)),
            self.neutral(output.stderr, Path::new(DATA)),
        );
        Ok(match self.summary(&out) {
            Ok(summary) => EngineRun {
                trouble: summary.trouble(),
                outcome: Outcome { stdout, stderr, code: summary.exit_code },
                instructions: summary.instructions,
                seconds,
            },
            Err(error) => EngineRun {
                trouble: Some(format!("{error:#} ({})", output.status)),
                outcome: Outcome { stdout, stderr, code: None },
                instructions: 0,
                seconds,
            },
        })
    }

    /// A quiet run of the engine with its results in `out`.
    pub(super) fn run(&self, out: &Path) -> Command {
        let mut run = driver(&self.everett);
        run.args(["run", "--quiet", "--out"]).arg(out);
        run
    }

    pub(super) fn summary(&self, out: &Path) -> Result<Summary> {
        let summary = fs::read(out.join("summary.json")).context("the run left no summary")?;
        serde_json::from_slice(&summary).context("cannot read the summary")
    }

    /// The path of a folder for results that does not exist yet.
    pub(super) fn fresh(&self, name: &str) -> Result<PathBuf> {
        self.runs.set(self.runs.get() + 1);
        let out = self.home.join(name);
        if out.exists() {
            fs::remove_dir_all(&out).context("cannot remove the last results")?;
        }
        Ok(out)
    }

    /// Puts the names of folders in the engine in the place of those of the host.
    fn neutral(&self, output: Vec<u8>, folder: &Path) -> Vec<u8> {
        let output = replace(output, &folder.display().to_string(), DATA);
        replace(output, &self.home.join("bin").display().to_string(), BIN)
    }
}

impl Summary {
    fn trouble(&self) -> Option<String> {
        if let Some(finding) = self.findings.first() {
            return Some(format!("finding: {}", finding.text()));
        }
        let complete = self.outcome == "exhausted" && self.exit_code.is_some();
        let reason = || self.limit.clone().unwrap_or_else(|| self.outcome.clone());
        (!complete).then(reason)
    }
}

impl Finding {
    pub(super) fn text(&self) -> String {
        let place = match (&self.file, self.line) {
            (Some(file), Some(line)) => format!(" at {file}:{line}"),
            _ => String::new(),
        };
        let function = self.function.as_deref().unwrap_or("?");
        format!("{}: {} in {function}{place}", self.kind, self.message)
    }
}

fn replace(bytes: Vec<u8>, from: &str, to: &str) -> Vec<u8> {
    let from = from.as_bytes();
    let mut replaced = Vec::with_capacity(bytes.len());
    let mut rest = bytes.as_slice();
    while let Some(at) = rest.windows(from.len()).position(|window| window == from) {
        replaced.extend_from_slice(&rest[..at]);
        replaced.extend_from_slice(to.as_bytes());
        rest = &rest[at + from.len()..];
    }
    replaced.extend_from_slice(rest);
    replaced
}

/// Makes the folder: the files of `tests/eval/data`, and some that are better computed than stored.
fn prepare(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).context("cannot remove the last folder")?;
    }
    copy_folder(&workspace::root().join("tests/eval/data"), folder)?;
    let octets: Vec<u8> = (0..=255).collect();
    fs::write(folder.join("octets"), octets)?;
    fs::write(folder.join("empty"), "")?;
    fs::write(folder.join("nul"), b"one\0two\0three\0")?;
    fs::write(folder.join("unfinished"), "no newline\nat the end")?;
    let mut numbers = File::create(folder.join("numbers"))?;
    let mut number = 1_u64;
    for _ in 0..200 {
        number = number * 48_271 % 2_147_483_647;
        writeln!(numbers, "{}", number % 10_000)?;
    }
    drop(numbers);
    std::os::unix::fs::symlink("text", folder.join("link"))?;
    std::os::unix::fs::symlink("nowhere", folder.join("dangling"))?;
    set_times(folder)
}

/// Gives everything below a folder the same time.
fn set_times(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder)?.flatten() {
        let kind = entry.file_type()?;
        if kind.is_dir() {
            set_times(&entry.path())?;
        } else if kind.is_file() {
            File::open(entry.path())?.set_modified(SystemTime::UNIX_EPOCH + MODIFIED)?;
        }
    }
    File::open(folder)?.set_modified(SystemTime::UNIX_EPOCH + MODIFIED)?;
    Ok(())
}

/// Copies files, folders and symbolic links with their times.
fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)?.flatten() {
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy_folder(&source, &target)?;
        } else if kind.is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(&source)?, &target)?;
        } else {
            fs::copy(&source, &target)?;
            File::open(&target)?.set_modified(fs::metadata(&source)?.modified()?)?;
        }
    }
    File::open(to)?.set_modified(fs::metadata(from)?.modified()?)?;
    Ok(())
}
