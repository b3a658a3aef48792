//! The cost of a run, as JSON.

use everett_engine::{SpillCounts, Summary};
use serde::Serialize;

use crate::run_info::RunInfo;

/// Parts of the set of worlds that were put on disk (`out`), and that were read again (`back`).
#[derive(Serialize)]
struct SpillJson {
    parts_out: u64,
    states_out: u64,
    bytes_out: u64,
    parts_back: u64,
    states_back: u64,
    bytes_back: u64,
}

/// The cost of the run.
#[derive(Serialize)]
pub(super) struct EffortJson {
    queries: u64,
    /// Of all workers together.
    solver_seconds: f64,
    wall_seconds: f64,
    workers: u64,
    peak_rss_bytes: u64,
    /// States that were put on disk for lack of memory, and those that came back.
    #[serde(skip_serializing_if = "Option::is_none")]
    spill: Option<SpillJson>,
}

fn spill_json(summary: &Summary) -> Option<SpillJson> {
    let SpillCounts { parts_out, states_out, bytes_out, parts_back, states_back, bytes_back } =
        summary.spill;
    let any = SpillJson { parts_out, states_out, bytes_out, parts_back, states_back, bytes_back };
    (parts_out > 0).then_some(any)
}

pub(super) fn effort(of: &Summary, info: &RunInfo) -> EffortJson {
    EffortJson {
        queries: of.queries,
        solver_seconds: of.solver_time.as_secs_f64(),
        wall_seconds: of.wall_time.as_secs_f64(),
        workers: of.workers,
        peak_rss_bytes: info.peak_rss_bytes,
        spill: spill_json(of),
    }
}
