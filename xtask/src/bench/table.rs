//! The results as rows: printed for a person, saved as JSON, compared with a saved run.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::measure::{Sample, Work, minimum_and_median};
use crate::workspace;

/// A change of the wall time by less than this is noise.
const NOISE: f64 = 0.10;

/// One program's results.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) samples: Vec<Sample>,
    pub(super) work: Work,
    /// KLEE's figures, measured here or taken from the table of programs.
    pub(super) klee: Klee,
    /// What KLEE's figure divided by ours is, and what it should be.
    pub(super) goal: Ratio,
}

/// KLEE's side of a row.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Klee {
    pub(super) wall_seconds: f64,
    pub(super) user_seconds: Option<f64>,
    pub(super) rss_bytes: Option<f64>,
    /// Measured beside us, as opposed to taken from the table.
    pub(super) live: bool,
}

/// How a promise stands.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Ratio {
    /// `time` or `memory`.
    pub(super) what: String,
    pub(super) reached: f64,
    pub(super) wanted: f64,
}

impl Row {
    /// The minimum and the median of the wall time.
    pub(super) fn wall(&self) -> (f64, f64) {
        minimum_and_median(&self.samples, |sample| sample.wall_seconds)
    }

    fn user(&self) -> f64 {
        minimum_and_median(&self.samples, |sample| sample.user_seconds).0
    }

    /// The lowest peak of memory, in bytes.
    pub(super) fn rss(&self) -> f64 {
        minimum_and_median(&self.samples, |sample| sample.rss_bytes as f64).0
    }
}

/// The line above the rows.
pub(super) fn header() -> String {
    format!(
        "{:14} {:>8} {:>8} {:>8} {:>8} {:>12} {:>8} {:>9} {:>8} | {:>8} {:>7} {:>8}  {}",
        "program",
        "wall s",
        "median",
        "user s",
        "RSS MB",
        "instructions",
        "M/s",
        "paths",
        "queries",
        "KLEE s",
        "faster",
        "KLEE MB",
        "goal"
    )
}

/// One line.
pub(super) fn line(row: &Row) -> String {
    let (wall, median) = row.wall();
    let Work { instructions, paths, queries, findings: _, worlds: _ } = row.work;
    let Ratio { what, reached, wanted } = &row.goal;
    let verdict = if reached >= wanted { "reached" } else { "MISSED" };
    let megabytes = |bytes: f64| format!("{:.1}", bytes / 1e6);
    format!(
        "{:14} {wall:8.3} {median:8.3} {:8.3} {:>8} {instructions:12} {:8.1} {paths:9} {queries:8} | \
         {:8.2} {:6.1}x {:>8}  {what} {reached:.2}x of {wanted}x: {verdict}",
        row.name,
        row.user(),
        megabytes(row.rss()),
        instructions as f64 / wall / 1e6,
        row.klee.wall_seconds,
        row.klee.wall_seconds / wall,
        row.klee.rss_bytes.map_or_else(|| "-".to_string(), megabytes),
    )
}

/// Where a run of this name is kept.
fn saved(name: &str) -> PathBuf {
    workspace::target_dir().join("bench").join(format!("{name}.json"))
}

/// Keeps a run.
pub(super) fn save(name: &str, rows: &[Row]) -> Result<PathBuf> {
    if !name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) {
        bail!("`{name}` is no name for a saved run; letters, digits, `-`, `_` and `.` are");
    }
    let file = saved(name);
    write(&file, rows)?;
    Ok(file)
}

fn write(file: &Path, rows: &[Row]) -> Result<()> {
    let json = serde_json::to_string_pretty(rows)?;
    std::fs::write(file, json + "\n").with_context(|| format!("cannot write {}", file.display()))
}

/// Reads a kept run.
pub(super) fn load(name: &str) -> Result<Vec<Row>> {
    let file = saved(name);
    let text = std::fs::read(&file).with_context(|| {
        format!("no saved run at {}; make one with --save {name}", file.display())
    })?;
    serde_json::from_slice(&text).with_context(|| format!("cannot read {}", file.display()))
}

/// One line for each program of both runs.
pub(super) fn compare(old: &[Row], new: &[Row]) -> Vec<String> {
    let pairs = new.iter().filter_map(|new| {
        let old = old.iter().find(|old| old.name == new.name)?;
        Some((old, new))
    });
    pairs
        .map(|(old, new)| {
            let ((before, _), (after, _)) = (old.wall(), new.wall());
            let verdict = match after / before {
                ratio if ratio > 1.0 + NOISE => "SLOWER",
                ratio if ratio < 1.0 - NOISE => "faster",
                _ => "same",
            };
            let work = if old.work == new.work { "" } else { ", other work" };
            format!(
                "{:14} wall {before:8.3} -> {after:8.3} s ({:+5.1}%)  \
                 RSS {:7.1} -> {:7.1} MB  {verdict}{work}",
                new.name,
                (after / before - 1.0) * 100.0,
                old.rss() / 1e6,
                new.rss() / 1e6,
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(wall_seconds: f64, paths: u64) -> Row {
        Row {
            name: "maze".to_string(),
            samples: vec![Sample { wall_seconds, user_seconds: 0.1, rss_bytes: 9_000_000 }],
            work: Work {
                instructions: 1_000_000,
                paths,
                queries: 9,
                findings: 1,
                worlds: Some(paths),
            },
            klee: Klee { wall_seconds: 1.0, user_seconds: None, rss_bytes: None, live: false },
            goal: Ratio { what: "time".to_string(), reached: 1.0 / wall_seconds, wanted: 2.0 },
        }
    }

    #[test]
    fn comparison_names_what_became_slower() {
        let lines = |before, after| compare(&[row(before, 309)], &[row(after, 309)]).join("\n");
        assert!(lines(1.0, 1.2).ends_with("SLOWER"));
        assert!(lines(1.0, 1.05).ends_with("same"));
        assert!(lines(1.0, 0.5).ends_with("faster"));
    }

    #[test]
    fn comparison_says_when_the_runs_did_different_work() {
        assert!(compare(&[row(1.0, 309)], &[row(1.0, 308)])[0].ends_with("same, other work"));
    }

    #[test]
    fn line_says_whether_the_goal_is_reached() {
        assert!(line(&row(0.25, 309)).ends_with("time 4.00x of 2x: reached"));
        assert!(line(&row(1.0, 309)).ends_with("time 1.00x of 2x: MISSED"));
    }

    #[test]
    fn names_of_saved_runs_cannot_leave_the_folder() {
        assert!(save("../x", &[]).is_err());
    }
}
