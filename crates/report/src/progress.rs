//! One line that says where a run stands.

use everett_engine::{Progress, TreeEstimate, TrojanProgress};

use crate::number::{about, bytes, count_of, duration, grouped, percent, rate, share, time_share};

/// The line, without an end.
pub fn progress_line(progress: &Progress) -> String {
    let Progress {
        elapsed,
        paths,
        states,
        instructions,
        queries: _,
        solver_time,
        workers,
        coverage,
        memory,
        findings,
        dropped,
        trojans,
        ..
    } = progress;
    let dropped: u64 = dropped.values().sum();
    let mut parts = vec![duration(*elapsed), count_of(*paths, "path")];
    // Early in the line, where a narrow terminal does not cut it off.
    if *findings > 0 {
        parts.push(count_of(*findings, "finding"));
    }
    parts.extend(trojans.as_ref().map(trojans_text));
    parts.extend([
        count_of(*states, "state"),
        rate(*instructions, *elapsed).map_or("0 /s".to_owned(), |rate| rate.replace('/', "inst/")),
        format!("solver {}", time_share(*solver_time, *elapsed, *workers)),
        format!("covered {}", percent(coverage.covered, coverage.total)),
    ]);
    if let Some(TreeEstimate { total, explored }) = progress.estimate() {
        parts.push(format!("{} of about {} explored", share(explored), about(total)));
    }
    if *memory > 0 {
        parts.push(bytes(*memory));
    }
    if dropped > 0 {
        parts.push(format!("{} dropped", grouped(dropped)));
    }
    parts.join(" | ")
}

fn trojans_text(trojans: &TrojanProgress) -> String {
    match *trojans {
        TrojanProgress::Collects { sender_paths } => {
            format!("collecting: {}", count_of(sender_paths, "sender path"))
        }
        TrojanProgress::Replaces { replaced, judged, pruned, classes } => format!(
            "{} replaced, receivers: {} judged, {} left; trojans: {}",
            count_of(replaced, "message"),
            grouped(judged),
            grouped(pruned),
            grouped(classes)
        ),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use everett_engine::{CoverageCount, DropReason};

    use super::*;

    #[test]
    fn line_shows_findings_and_drops_only_where_there_are_some() {
        let start = Progress { elapsed: Duration::from_secs(2), ..Progress::default() };
        assert_eq!(
            progress_line(&start),
            "2.00 s | 0 paths | 0 states | 0 inst/s | solver 0% | covered 0%"
        );
        let later = Progress {
            elapsed: Duration::from_secs(65),
            paths: 1200,
            states: 1,
            instructions: 650_000_000,
            queries: 9,
            solver_time: Duration::from_secs(12),
            workers: 2,
            coverage: CoverageCount { covered: 1, total: 2 },
            memory: 30 << 20,
            findings: 1,
            forks: 1300,
            executions: 1200,
            explored: 0.03,
            dropped: [(DropReason::TimeLimit, 2)].into(),
            ..Progress::default()
        };
        assert_eq!(
            progress_line(&later),
            "1 m 05 s | 1,200 paths | 1 finding | 1 state | 10.0 Minst/s | solver 9% | covered 50% | \
             3% of about 40,000 explored | 30.0 MiB | 2 dropped"
        );
    }
}
