//! One run of one engine: how long, how much memory, and what it reported.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use wait4::Wait4;

use crate::process::{now, shown};

/// What the operating system says about one run.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Sample {
    pub(crate) wall_seconds: f64,
    pub(crate) user_seconds: f64,
    pub(crate) rss_bytes: u64,
}

impl Sample {
    /// The peak of memory.
    pub(crate) fn megabytes(&self) -> f64 {
        self.rss_bytes as f64 / 1e6
    }
}

/// What the engine says about its run. It does not vary between runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Work {
    pub(crate) instructions: u64,
    /// Paths that ended, with a bug or without.
    pub(crate) paths: u64,
    pub(crate) queries: u64,
    pub(crate) findings: usize,
    /// Distinct worlds that ran to their end; none if they were too many to count.
    #[serde(default)]
    pub(crate) worlds: Option<u64>,
}

/// What a run left.
pub(crate) struct Done {
    pub(crate) work: Work,
    /// Seconds that went into invariants, if there are any.
    pub(crate) in_invariants: Option<f64>,
}

#[derive(Deserialize)]
struct Invariants {
    time_s: f64,
}

/// The part of `summary.json` that is looked at.
#[derive(Deserialize)]
struct Summary {
    instructions: u64,
    paths: u64,
    paths_failed: u64,
    queries: u64,
    findings: Vec<serde_json::Value>,
    worlds: Option<u64>,
    invariants: Option<Invariants>,
}

/// Runs a command with its output thrown away. Exit codes of `accepted` are fine.
pub(crate) fn measure(command: &mut Command, accepted: &[i32]) -> Result<Sample> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let start = now();
    let child = command.spawn().with_context(|| format!("cannot start {}", shown(command)))?;
    let used = child.wait4()?;
    let wall_seconds = start.elapsed().as_secs_f64();
    if !used.status.code().is_some_and(|code| accepted.contains(&code)) {
        bail!("{} ended with {}", shown(command), used.status);
    }
    Ok(Sample {
        wall_seconds,
        user_seconds: used.rusage.utime.as_secs_f64(),
        rss_bytes: used.rusage.maxrss,
    })
}

/// Seconds until two commands that are started together have both ended.
pub(crate) fn measure_together(commands: &mut [Command; 2], accepted: &[i32]) -> Result<f64> {
    let start = now();
    let [one, other] = commands;
    let other = std::thread::scope(|scope| {
        let other = scope.spawn(|| measure(other, accepted));
        measure(one, accepted)?;
        other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    other?;
    Ok(start.elapsed().as_secs_f64())
}

/// What our engine left in its output folder.
pub(crate) fn everett_work(out: &Path) -> Result<Done> {
    let file = out.join("summary.json");
    let text = std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let Summary { instructions, paths, paths_failed, queries, findings, worlds, invariants } =
        serde_json::from_slice(&text).with_context(|| format!("cannot read {}", file.display()))?;
    let (paths, findings) = (paths + paths_failed, findings.len());
    let work = Work { instructions, paths, queries, findings, worlds };
    Ok(Done { work, in_invariants: invariants.map(|invariants| invariants.time_s) })
}

/// The minimum and the median of one figure over several samples; there is at least one.
pub(crate) fn minimum_and_median(samples: &[Sample], figure: fn(&Sample) -> f64) -> (f64, f64) {
    let values: Vec<f64> = samples.iter().map(figure).collect();
    let minimum = values.iter().copied().fold(f64::INFINITY, f64::min);
    (minimum, median(values))
}

/// The middle of these values; there is at least one.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() % 2 {
        1 => values[middle],
        _ => (values[middle - 1] + values[middle]) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_of_an_even_number_is_the_middle() {
        let sample = |wall_seconds| Sample { wall_seconds, user_seconds: 0.0, rss_bytes: 0 };
        let wall = |s: &Sample| s.wall_seconds;
        assert_eq!(minimum_and_median(&[3.0, 1.0, 2.0].map(sample), wall), (1.0, 2.0));
        assert_eq!(minimum_and_median(&[4.0, 1.0, 2.0, 9.0].map(sample), wall), (1.0, 3.0));
    }

    #[test]
    fn exit_codes_that_are_not_accepted_are_errors() {
        let mut failing = Command::new("false");
        assert!(measure(&mut failing, &[0]).is_err());
        assert!(measure(&mut failing, &[1]).is_ok());
    }
}
