//! One exploration of a subject, and its row in the table.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::native::Place;
use super::subjects::{Subject, Variant};
use crate::eval::table::grouped;
use crate::workspace::driver;

/// Files of ours, which are not under test.
const OURS: [&str; 4] = ["client.c", "answer.c", "feed.c", "text.h"];

/// The part of `summary.json` that is looked at.
#[derive(Deserialize)]
struct Summary {
    outcome: String,
    limit: Option<String>,
    worlds: Option<u64>,
    paths: u64,
    paths_failed: u64,
    wall_seconds: f64,
    peak_rss_bytes: u64,
    dropped: Vec<Dropped>,
    findings: Vec<Finding>,
}

#[derive(Deserialize)]
struct Dropped {
    reason: String,
    count: u64,
}

#[derive(Deserialize)]
struct Finding {
    kind: String,
    message: String,
    function: Option<String>,
    file: Option<String>,
    line: Option<u32>,
}

/// The part of `coverage.json` that is looked at.
#[derive(Deserialize)]
struct Coverage {
    functions: Vec<Function>,
}

#[derive(Deserialize)]
struct Function {
    file: Option<String>,
    lines_covered: Vec<u32>,
    lines_missed: Vec<u32>,
}

/// What an exploration came to.
pub(super) struct Exploration {
    /// Everything was explored.
    pub(super) is_exhaustive: bool,
    /// The cells of its row behind the name of the subject and of the run.
    pub(super) cells: Vec<String>,
    /// Lines about what was found, and what kept it from its end.
    pub(super) notes: Vec<String>,
}

impl Place<'_> {
    /// Explores a variant of a subject for some seconds at most.
    pub(super) fn explore(
        &self,
        subject: &Subject,
        variant: Variant,
        name: &str,
        seconds: u64,
    ) -> Result<Exploration> {
        let file = name.replace(' ', "-");
        let scenario = self.folder.join(format!("{file}.toml"));
        fs::write(&scenario, subject.scenario(variant))?;
        let out = self.folder.join("out").join(&file);
        if out.exists() {
            fs::remove_dir_all(&out).context("cannot remove the last results")?;
        }
        let mut run = driver(self.everett);
        run.args(["run", "--quiet", "--tests", "findings", "--max-time", &format!("{seconds}s")]);
        let output = run.arg("--out").arg(&out).arg(&scenario).output()?;
        let summary = fs::read(out.join("summary.json")).with_context(|| {
            format!("no summary: {}", String::from_utf8_lossy(&output.stderr).trim_end())
        })?;
        let summary: Summary = serde_json::from_slice(&summary)?;
        // A run that had to be broken off leaves none.
        let coverage = match fs::read(out.join("coverage.json")) {
            Ok(text) => serde_json::from_slice(&text)?,
            Err(_) => Coverage { functions: Vec::new() },
        };
        Ok(summary.exploration(&coverage))
    }
}

impl Summary {
    fn exploration(self, coverage: &Coverage) -> Exploration {
        let (covered, total) = coverage.lines();
        let is_exhaustive = self.outcome == "exhausted";
        let reason = self.reason();
        let cells = vec![
            self.worlds.map_or("many".to_owned(), grouped),
            grouped(self.paths + self.paths_failed),
            format!("{:.2}", self.wall_seconds),
            grouped(self.peak_rss_bytes >> 20),
            grouped(covered),
            format!("{:.1}", 100.0 * covered as f64 / total.max(1) as f64),
            self.findings.len().to_string(),
            if is_exhaustive { "exhaustive".to_owned() } else { reason },
        ];
        let findings = self.findings.iter().map(Finding::text);
        let dropped = self.dropped.iter().map(|dropped| {
            format!("not explored: {} ({})", dropped.reason, grouped(dropped.count))
        });
        Exploration { is_exhaustive, cells, notes: findings.chain(dropped).collect() }
    }

    /// What kept it from its end, in a few words.
    fn reason(&self) -> String {
        let of_drop = || self.dropped.first().map(|dropped| dropped.reason.clone());
        let reason = self.limit.clone().or_else(of_drop).unwrap_or_else(|| self.outcome.clone());
        reason.split(" in ").next().unwrap_or_default().chars().take(48).collect()
    }
}

impl Finding {
    fn text(&self) -> String {
        let place = match (&self.file, self.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            _ => "?".to_owned(),
        };
        let function = self.function.as_deref().unwrap_or("?");
        let message = self.message.lines().next().unwrap_or_default();
        format!("finding: {} at {place} in {function}: {message}", self.kind)
    }
}

impl Coverage {
    /// Covered lines and all lines of the programs under test. A line that several functions have, as one
    /// that is inlined, counts once.
    fn lines(&self) -> (u64, u64) {
        let mut lines: BTreeMap<(&str, u32), bool> = BTreeMap::new();
        for function in &self.functions {
            let Some(file) = function.file.as_deref() else { continue };
            if OURS.contains(&file.rsplit('/').next().unwrap_or(file)) {
                continue;
            }
            for line in &function.lines_missed {
                lines.entry((file, *line)).or_default();
            }
            for line in &function.lines_covered {
                lines.insert((file, *line), true);
            }
        }
        let covered = lines.values().filter(|covered| **covered).count();
        (covered as u64, lines.len() as u64)
    }
}
