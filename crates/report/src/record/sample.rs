//! `progress.jsonl`: where a run stood, line by line.
//!
//! A line is written each second at first, and less often the longer a run takes, so that a run of a day
//! leaves a few thousand. A run that is gone on with from a checkpoint writes behind what is there: a line
//! with an earlier time takes back those behind that time.

use std::time::Duration;

use everett_engine::{Outcome, Progress, Summary, WorldCount};
use serde::{Deserialize, Serialize};

use super::RecordError;

/// The time between two lines, at least.
const EVERY: Duration = Duration::from_secs(1);
/// A line is written after one of so many parts of the time that has passed.
const PARTS: u32 = 600;

/// A line of `progress.jsonl`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ProgressSample {
    pub(crate) seconds: f64,
    pub(crate) states: u64,
    pub(crate) states_created: u64,
    /// Worlds of a system, paths of a program.
    pub(crate) executions: u64,
    pub(crate) paths: u64,
    pub(crate) forks: u64,
    pub(crate) instructions: u64,
    pub(crate) memory_bytes: u64,
    pub(crate) covered: u64,
    pub(crate) queries: u64,
    pub(crate) solver_seconds: f64,
    pub(crate) findings: u64,
    pub(crate) tests: u64,
    pub(crate) dropped: u64,
}

/// The writer of `progress.jsonl`: it decides when a line is due.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProgressLog {
    due: Duration,
    /// The live states when it was last told of them.
    states: u64,
}

impl ProgressLog {
    /// The line to add to the file now, if one is due.
    pub fn line(&mut self, progress: &Progress) -> Option<String> {
        self.states = progress.states;
        let now = progress.elapsed;
        if now < self.due {
            return None;
        }
        self.due = now + EVERY.max(now / PARTS);
        Some(line(&sample(progress)))
    }

    /// The last line of the file, of a run that is over.
    pub fn last_line(&self, summary: &Summary, memory_bytes: u64) -> String {
        let ended = summary.paths + summary.paths_failed + summary.paths_silent;
        let worlds = match summary.worlds {
            WorldCount::Exactly(count) | WorldCount::AtLeast(count) => count,
        };
        line(&ProgressSample {
            seconds: summary.wall_time.as_secs_f64(),
            states: if summary.outcome == Outcome::Exhausted { 0 } else { self.states },
            states_created: summary.states_created,
            executions: if summary.nodes > 1 { worlds } else { ended + summary.paths_ignored },
            paths: summary.paths,
            forks: summary.forks,
            instructions: summary.instructions,
            memory_bytes,
            covered: summary.coverage.covered,
            queries: summary.queries,
            solver_seconds: summary.solver_time.as_secs_f64(),
            findings: summary.findings.len() as u64,
            tests: summary.tests,
            dropped: summary.dropped.iter().map(|(_, count)| count).sum(),
        })
    }
}

fn sample(of: &Progress) -> ProgressSample {
    ProgressSample {
        seconds: of.elapsed.as_secs_f64(),
        states: of.states,
        states_created: of.states_created,
        executions: of.executions,
        paths: of.paths,
        forks: of.forks,
        instructions: of.instructions,
        memory_bytes: of.memory,
        covered: of.coverage.covered,
        queries: of.queries,
        solver_seconds: of.solver_time.as_secs_f64(),
        findings: of.findings,
        tests: of.tests,
        dropped: of.dropped.values().sum(),
    }
}

fn line(of: &ProgressSample) -> String {
    let mut line = serde_json::to_string(of).expect("numbers with names are always JSON");
    line.push('\n');
    line
}

/// Reads the lines of a file. The last one may be cut off: its process was killed.
pub(super) fn read(text: &str) -> Result<Vec<ProgressSample>, RecordError> {
    let mut samples: Vec<ProgressSample> = Vec::new();
    for line in text.split_inclusive('\n') {
        let Some(line) = line.strip_suffix('\n') else { break };
        let next: ProgressSample = serde_json::from_str(line)
            .map_err(|source| RecordError { file: "progress.jsonl", source })?;
        let later = samples.partition_point(|sample| sample.seconds < next.seconds);
        samples.truncate(later);
        samples.push(next);
    }
    Ok(samples)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: f64) -> Progress {
        Progress { elapsed: Duration::from_secs_f64(seconds), ..Progress::default() }
    }

    #[test]
    fn lines_become_rarer_as_a_run_goes_on() {
        let mut log = ProgressLog::default();
        let day = (0..24 * 3600 * 2).filter(|half| log.line(&at(f64::from(*half) / 2.0)).is_some());
        assert!((2000..6000).contains(&day.count()));
    }

    #[test]
    fn line_of_an_earlier_time_takes_back_what_came_after_it() {
        let lines = |times: &[f64]| -> String {
            times.iter().map(|time| line(&sample(&at(*time)))).collect()
        };
        let read = read(&(lines(&[0.0, 1.0, 2.0, 3.0]) + &lines(&[1.5, 2.5]) + "{\"sec")).unwrap();
        let times: Vec<f64> = read.iter().map(|sample| sample.seconds).collect();
        assert_eq!(times, [0.0, 1.0, 1.5, 2.5]);
    }
}
