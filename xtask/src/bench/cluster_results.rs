//! `cargo xtask bench --clusters`: the programs and systems of the benchmark, explored by one process and by
//! clusters of several: all have the same results.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::cluster::{Process, Server};
use super::programs::{PROGRAMS, Program};
use super::{data_file, prepare};
use crate::process::{heading, now};
use crate::setup;
use crate::workspace::{self, Profile, build_driver, driver};

/// Numbers of worker processes.
const CLUSTERS: [u32; 4] = [1, 2, 4, 8];
/// The members of a summary that neither time nor the number of processes changes.
const RESULTS: [&str; 13] = [
    "outcome",
    "paths",
    "paths_failed",
    "paths_cut",
    "worlds",
    "forks",
    "instructions",
    "states_created",
    "coverage",
    "dropped",
    "trace_hash",
    "symbolic_inputs",
    "tests",
];

/// Compares the results of the programs whose names contain one of these, or of all; with this driver, if
/// there is one.
pub(super) fn run(names: &[String], everett: Option<&Path>) -> Result<()> {
    setup::run()?;
    let everett = match everett {
        Some(everett) => everett.canonicalize().context("cannot find the driver")?,
        None => {
            heading("building the driver");
            build_driver(Profile::Release)?
        }
    };
    let folder = workspace::target_dir().join("bench/clusters");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let server = Server::start(&folder)?;
    let explorations = Explorations { everett, folder, url: server.url() };
    heading("seconds of one process, and of clusters of 1, 2, 4 and 8, with the same results");
    let mut failures = Vec::new();
    let is_chosen = |program: &&Program| {
        names.is_empty() || names.iter().any(|part| program.name.contains(part.as_str()))
    };
    for program in PROGRAMS.iter().filter(is_chosen) {
        match explorations.compare(program) {
            Ok(times) => {
                let times: Vec<String> =
                    times.iter().map(|time| format!("{:>8.2}", time.as_secs_f64())).collect();
                println!("{:16} {}", program.name, times.join(" "));
            }
            Err(error) => {
                println!("{:16} failed: {error:#}", program.name);
                failures.push(program.name);
            }
        }
    }
    ensure!(failures.is_empty(), "failed: {}", failures.join(", "));
    Ok(())
}

struct Explorations {
    everett: PathBuf,
    folder: PathBuf,
    url: String,
}

impl Explorations {
    /// The times of one process and of each cluster, which all come to the same results.
    fn compare(&self, program: &Program) -> Result<Vec<Duration>> {
        let folder = self.folder.join(program.name);
        fs::create_dir_all(&folder)?;
        let subject = prepare(program, &self.everett, &folder)?;
        let data = program.data.map(|mebibytes| data_file(&folder, mebibytes)).transpose()?;
        let explore = |more: &[&str]| self.explore(program, &subject, data.as_deref(), more);
        let (time, expected) = explore(&["--workers", "1"])?;
        let mut times = vec![time];
        for workers in CLUSTERS {
            let _workers = self.workers(workers)?;
            let (time, results) = explore(&["--cluster", &self.url])?;
            if let Some(different) = RESULTS.iter().find(|key| results[**key] != expected[**key]) {
                let (one, cluster) = (&expected[*different], &results[*different]);
                bail!("{different} of {workers} processes: {cluster} in place of {one}");
            }
            times.push(time);
        }
        Ok(times)
    }

    fn workers(&self, count: u32) -> Result<Vec<Process>> {
        let work = || {
            let mut work = Command::new(&self.everett);
            work.args(["work", &self.url, "--slots", "1", "--quiet"]);
            work.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            Ok(Process(work.spawn()?))
        };
        let workers = (0..count).map(|_| work()).collect();
        // They are there before the run is.
        std::thread::sleep(Duration::from_secs(1));
        workers
    }

    /// Explores, and returns the time and the summary.
    fn explore(
        &self,
        program: &Program,
        subject: &Path,
        data: Option<&Path>,
        more: &[&str],
    ) -> Result<(Duration, Value)> {
        let out = self.folder.join("out");
        if out.exists() {
            fs::remove_dir_all(&out)?;
        }
        let mut run = driver(&self.everett);
        run.args(["run", "--quiet", "--out"]).arg(&out).args(program.everett).args(more);
        if let Some(data) = data {
            run.arg("--mount").arg(format!("{}:/data", data.display()));
        }
        run.arg(subject).stdout(Stdio::null()).stderr(Stdio::null());
        let start = now();
        let status = run.status().context("cannot start the driver")?;
        let time = start.elapsed();
        ensure!(matches!(status.code(), Some(0 | 1)), "a run has ended with {status}");
        let summary = fs::read(out.join("summary.json")).context("a run has left no summary")?;
        Ok((time, serde_json::from_slice(&summary)?))
    }
}
