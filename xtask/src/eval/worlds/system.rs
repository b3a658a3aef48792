//! One run of one system: prepared, measured, and its summary read.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::bench::measure::{Sample, measure};
use crate::bench::systems;
use crate::workspace::driver;

/// Who runs systems, where, and for how long at most.
pub(super) struct Laboratory {
    pub(super) everett: PathBuf,
    pub(super) home: PathBuf,
    pub(super) time: Duration,
}

/// A scenario of `tests/bench/systems` with its numbers, and flags of the run.
pub(super) struct System<'a> {
    /// For the folder of its files and for messages.
    pub(super) name: String,
    pub(super) template: &'static str,
    pub(super) values: Vec<String>,
    pub(super) flags: &'a [&'a str],
}

/// What a run has cost and done.
pub(super) struct Run {
    pub(super) name: String,
    pub(super) sample: Sample,
    pub(super) summary: Summary,
}

/// The part of `summary.json` that is looked at.
#[derive(Deserialize)]
pub(super) struct Summary {
    pub(super) outcome: String,
    pub(super) limit: Option<String>,
    pub(super) worlds: Option<u64>,
    pub(super) worlds_at_least: u64,
    pub(super) states_created: u64,
    pub(super) dstates_peak: u64,
    pub(super) wall_seconds: f64,
    pub(super) invariants: Option<Invariants>,
    pub(super) findings: Vec<Finding>,
}

/// What was done about invariants.
#[derive(Deserialize)]
pub(super) struct Invariants {
    pub(super) evaluations: u64,
    pub(super) violations: u64,
    pub(super) time_s: f64,
}

#[derive(Deserialize)]
pub(super) struct Finding {
    pub(super) kind: String,
    pub(super) message: String,
}

impl Laboratory {
    /// Runs a system. Findings and limits are no errors here.
    pub(super) fn run(&self, system: &System<'_>) -> Result<Run> {
        let folder = self.home.join(&system.name);
        let values: Vec<&str> = system.values.iter().map(String::as_str).collect();
        let scenario = systems::prepare(&self.everett, system.template, &values, &folder)?;
        let out = folder.join("out");
        if out.exists() {
            std::fs::remove_dir_all(&out).context("cannot remove the last results")?;
        }
        let mut run = driver(&self.everett);
        run.args(["run", "--quiet", "--workers", "1", "--tests", "none", "--out"]).arg(&out);
        run.args(["--max-time", &format!("{}s", self.time.as_secs())]);
        run.args(system.flags).arg(&scenario);
        let sample = measure(&mut run, &[0, 1, 3])?;
        let text = std::fs::read(out.join("summary.json")).context("the run left no summary")?;
        let summary = serde_json::from_slice(&text).context("cannot read the summary")?;
        let run = Run { name: system.name.clone(), sample, summary };
        println!(
            "{:22} {:8.2} s  {:8.1} MB",
            run.name,
            run.sample.wall_seconds,
            run.sample.megabytes()
        );
        Ok(run)
    }
}

impl Run {
    /// Whether everything was explored.
    pub(super) fn is_complete(&self) -> bool {
        self.summary.outcome == "exhausted"
    }

    /// What differs from a complete run with these worlds, and with these kinds of findings.
    pub(super) fn wrong(&self, worlds: Option<u64>, findings: &[&str]) -> Option<String> {
        let Run { name, summary, .. } = self;
        if !self.is_complete() {
            let limit = summary.limit.as_deref().unwrap_or("stopped");
            return Some(format!("{name} was not explored to the end: {limit}"));
        }
        let kinds: Vec<&str> = summary.findings.iter().map(|f| &*f.kind).collect();
        if kinds != findings {
            let all: Vec<String> =
                summary.findings.iter().map(|f| format!("{}: {}", f.kind, f.message)).collect();
            return Some(format!("{name}: findings {all:?} instead of {findings:?}"));
        }
        (worlds.is_some() && summary.worlds != worlds)
            .then(|| format!("{name}: worlds {:?} instead of {worlds:?}", summary.worlds))
    }
}
