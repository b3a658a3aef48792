//! A variant of a bug: its programs, an exploration of its system, replays of what was found.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::KnownBug;
use crate::eval::native;
use crate::workspace::driver;

/// What an exploration has come to, as `summary.json` has it.
#[derive(Deserialize)]
pub(super) struct Exploration {
    pub(super) outcome: String,
    paths: u64,
    #[serde(default)]
    worlds: Option<u64>,
    pub(super) states_created: u64,
    pub(super) wall_seconds: f64,
    pub(super) findings: Vec<Finding>,
    /// That of the driver; it is no part of the file.
    #[serde(skip)]
    exit_code: Option<i32>,
}

#[derive(Deserialize)]
pub(super) struct Finding {
    pub(super) kind: String,
    #[serde(default)]
    pub(super) node: Option<String>,
    #[serde(default)]
    pub(super) function: String,
    #[serde(default)]
    pub(super) stack: Vec<Frame>,
    #[serde(default)]
    dtest: Option<String>,
    /// The ktest of a single node, which has its dtest beside it.
    #[serde(default)]
    test: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Frame {
    pub(super) function: String,
}

impl Exploration {
    /// Whether everything was explored, without a finding.
    pub(super) fn is_clean(&self) -> bool {
        self.exit_code == Some(0)
    }

    /// The number of its worlds, or of paths where there is one node.
    pub(super) fn size(&self) -> u64 {
        self.worlds.unwrap_or(self.paths)
    }
}

impl Finding {
    /// The kind and the place in words.
    pub(super) fn shown(&self) -> String {
        let node = self.node.as_ref().map(|node| format!(" on {node}")).unwrap_or_default();
        format!("{}{node} in {}", self.kind, self.function)
    }
}

/// The built programs of a variant, with the scenario and other files beside them.
pub(super) struct Variant<'a> {
    everett: &'a Path,
    bug: &'a KnownBug,
    home: PathBuf,
}

impl<'a> Variant<'a> {
    /// Builds each source of a bug, where a native program would survive the error with a sanitizer.
    pub(super) fn build(
        everett: &'a Path,
        bug: &'a KnownBug,
        home: PathBuf,
        is_repaired: bool,
    ) -> Result<Variant<'a>> {
        fs::create_dir_all(&home)?;
        for entry in fs::read_dir(&bug.folder)? {
            let path = entry?.path();
            let file = path.file_name().context("a file has a name")?;
            if path.extension().is_none_or(|extension| extension != "c") {
                symlink(path.canonicalize()?, home.join(file))?;
                continue;
            }
            let mut compile = driver(everett);
            compile.args(["cc", "-g", "-Wall", "-Wextra", "-Werror", "-pthread"]);
            if native::SURVIVED.contains(&&*bug.kind) {
                compile.args(["-fsanitize=address", "--libc=glibc"]);
            }
            if is_repaired {
                compile.arg("-DREPAIRED");
            }
            compile.arg(&path).arg("-o").arg(home.join(file).with_extension(""));
            if !compile.status()?.success() {
                bail!("{} cannot be built", path.display());
            }
        }
        Ok(Variant { everett, bug, home })
    }

    /// Explores the system with the flags of the bug and some more.
    pub(super) fn explore(&self, more: &[&str], seconds: u64) -> Result<Exploration> {
        let out = self.home.join("out");
        let mut explore = driver(self.everett);
        explore.args(["run", "--workers", "1", "--tests", "findings", "--checkpoint", "off"]);
        explore.args(["--max-time", &format!("{seconds}s")]).args(&self.bug.flags).args(more);
        explore.arg("--out").arg(&out).arg(self.home.join("system.toml"));
        let done = explore.output()?;
        if !matches!(done.status.code(), Some(0 | 1 | 3)) {
            bail!("everett run failed: {}", String::from_utf8_lossy(&done.stderr).trim_end());
        }
        let summary = fs::read(out.join("summary.json")).context("the run left no summary")?;
        let explored: Exploration =
            serde_json::from_slice(&summary).context("cannot read the summary")?;
        Ok(Exploration { exit_code: done.status.code(), ..explored })
    }

    /// The test of the first finding.
    pub(super) fn test(&self, explored: &Exploration) -> Option<PathBuf> {
        let found = explored.findings.first()?;
        let beside = found.test.as_ref().map(|test| test.replace(".ktest", ".dtest"));
        let file = self.home.join("out").join(found.dtest.clone().or(beside)?);
        file.is_file().then_some(file)
    }

    /// Runs a test again. If its finding is not reproduced, what the driver says about that.
    pub(super) fn replay(&self, test: &Path, flags: &[&str]) -> Result<Result<(), String>> {
        let mut replay: Command = driver(self.everett);
        let done = replay.arg("replay").args(flags).arg(test).stdin(Stdio::null()).output()?;
        if done.status.success() {
            return Ok(Ok(()));
        }
        let said =
            [done.stdout, done.stderr].map(|said| String::from_utf8_lossy(&said).into_owned());
        let mut lines = said.iter().flat_map(|said| said.lines());
        let why = lines.rfind(|line| line.contains("reproduced"));
        Ok(Err(why.unwrap_or("the replay failed").to_owned()))
    }
}
