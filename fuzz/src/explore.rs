//! The driver as a tool of the fuzz targets that make C programs: compiling, exploring, reading results.

use std::ffi::OsStr;
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

/// The driver binary, and a folder in which it compiles and explores.
pub(crate) struct DriverRunner {
    everett: PathBuf,
    folder: PathBuf,
}

/// The results of one exploration.
pub(crate) struct Exploration {
    /// The folder that the driver has written.
    pub(crate) folder: PathBuf,
    /// Everything that the explored programs have printed, on all paths.
    pub(crate) printed: String,
    pub(crate) summary: ExplorationSummary,
}

/// The part of `summary.json` that is looked at.
#[derive(Deserialize)]
pub(crate) struct ExplorationSummary {
    pub(crate) outcome: String,
    pub(crate) worlds: Option<u64>,
    pub(crate) findings: Vec<FoundBug>,
    pub(crate) paths: u64,
    pub(crate) orders: ExploredOrders,
    pub(crate) trace_hash: String,
}

/// The orders of an exploration as `summary.json` has them.
#[derive(Deserialize)]
pub(crate) struct ExploredOrders {
    pub(crate) explored: u64,
}

/// A finding as `summary.json` has it.
#[derive(Deserialize)]
pub(crate) struct FoundBug {
    pub(crate) kind: String,
    pub(crate) message: String,
    pub(crate) line: Option<u32>,
}

impl ExplorationSummary {
    /// Tells whether everything was explored, so that nothing may be missing.
    pub(crate) fn is_complete(&self) -> bool {
        self.outcome == "exhausted"
    }
}

impl DriverRunner {
    /// A runner with a new folder for one fuzz target.
    pub(crate) fn new(everett: &Path, target: &str) -> Result<DriverRunner> {
        let folder =
            std::env::temp_dir().join(format!("everett-fuzz-{target}-{}", std::process::id()));
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(DriverRunner { everett: everett.to_path_buf(), folder })
    }

    /// The path of a file in the runner's folder.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Writes a file into the runner's folder.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<PathBuf> {
        let file = self.file(name);
        std::fs::write(&file, bytes).with_context(|| format!("cannot write {}", file.display()))?;
        Ok(file)
    }

    /// Compiles a source into a native program that carries its bitcode.
    pub(crate) fn compile(&self, source: &str, level: &str) -> Result<PathBuf> {
        let (file, program) = (self.write("program.c", source.as_bytes())?, self.file("program"));
        let mut compile = Command::new(&self.everett);
        compile.args(["cc", "-g", "-w", level]).arg(&file).arg("-o").arg(&program).arg("-lm");
        let output = compile.output().context("cannot start the driver")?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            bail!("the program cannot be compiled: {message}\n{source}");
        }
        Ok(program)
    }

    /// Explores a program or a scenario, into a folder of this name.
    pub(crate) fn explore<A: AsRef<OsStr>>(
        &self,
        name: &str,
        arguments: impl IntoIterator<Item = A>,
    ) -> Result<Exploration> {
        let folder = self.file(name);
        remove_folder(&folder)?;
        let errors = self.file(&format!("{name}.stderr"));
        let mut explore = Command::new(&self.everett);
        explore.args(["run", "--quiet", "--echo", "--out"]).arg(&folder);
        explore.args(arguments).stdin(Stdio::null()).stderr(File::create(&errors)?);
        let output = explore.output().context("cannot start the driver")?;
        let message = std::fs::read(&errors).context("cannot read what the driver has said")?;
        if !matches!(output.status.code(), Some(0 | 1 | 3)) {
            bail!(
                "the driver ended with {}:\n{}",
                output.status,
                String::from_utf8_lossy(&message)
            );
        }
        let summary = std::fs::read(folder.join("summary.json")).context("there is no summary")?;
        let summary: ExplorationSummary =
            serde_json::from_slice(&summary).context("cannot read the summary")?;
        let expected = match (summary.findings.is_empty(), summary.is_complete()) {
            (false, _) => 1,
            (true, true) => 0,
            (true, false) => 3,
        };
        if output.status.code() != Some(expected) {
            bail!("exit code {}, where the results ask for {expected}", output.status);
        }
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(Exploration { folder, printed, summary })
    }
}

impl Drop for DriverRunner {
    fn drop(&mut self) {
        if let Err(error) = remove_folder(&self.folder) {
            eprintln!("{error:#}");
        }
    }
}

/// Tests all items, which are numbered, on two threads. The error is that of an item that fails.
pub(crate) fn for_each_on_two_threads<T: Sync>(
    items: &[T],
    test: impl Fn(usize, &T) -> Result<()> + Sync,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let worker = || -> Result<()> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(number) else { return Ok(()) };
            test(number, item)?;
        }
    };
    std::thread::scope(|scope| {
        let second = scope.spawn(worker);
        worker().and(second.join().expect("a worker returns its errors"))
    })
}

fn remove_folder(folder: &Path) -> Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", folder.display()))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}
