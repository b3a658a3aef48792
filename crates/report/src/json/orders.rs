//! The part of `summary.json` about orders, searches among them, and how much there is to explore.

use everett_engine::{BugKind, OrderSummary, PctSummary, Summary, TreeEstimate, WorldCount};
use serde::Serialize;

use crate::run_info::RunInfo;

/// The orders of messages that were explored.
#[derive(Serialize)]
pub(super) struct OrdersJson {
    /// `fixed`, `all`, or the most deviations from the fixed order in a world.
    budget: String,
    /// The most messages of a world that a deadline of their receiver overtakes.
    late: u32,
    /// `fixed`, `all`, or the most preemptions of threads along a path; missing if there is one thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    preemptions: Option<String>,
    /// The same, as it was allowed; missing if none were.
    #[serde(skip_serializing_if = "Option::is_none")]
    preemptions_allowed: Option<String>,
    /// Complete executions: worlds of a system, paths of a program. They differ in their order or their data.
    explored: Option<u64>,
    /// Paths that were dropped because others do the same.
    redundant: u64,
    /// Those of them whose threads have all done first on other paths what they would have done next.
    blocked: u64,
    /// Walks from the root to an end, if the search made any.
    #[serde(skip_serializing_if = "Option::is_none")]
    walks: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pct: Option<PctJson>,
}

/// A search by random priorities of threads and flows.
#[derive(Serialize)]
struct PctJson {
    depth: u32,
    /// Threads and flows that had priorities.
    n: u64,
    /// The most choices in orders on one path.
    k: u32,
    /// The least chance that a walk finds a bug of the depth: 1/(n·k^(depth-1)).
    bound: f64,
    runs: u64,
}

/// An estimate of the number of executions that there are.
#[derive(Serialize)]
pub(super) struct EstimateJson {
    /// Worlds of a system, paths of a program.
    total: f64,
    /// The part of the tree of decisions that is explored.
    explored: f64,
}

impl EstimateJson {
    pub(super) fn of(estimate: TreeEstimate) -> EstimateJson {
        let TreeEstimate { total, explored } = estimate;
        EstimateJson { total, explored }
    }
}

pub(super) fn orders(of: &Summary, info: &RunInfo) -> OrdersJson {
    let OrderSummary { most, late, preemptions, redundant, blocked, walks, pct } = of.orders;
    let named = |most: u32| match most {
        0 => "fixed".to_owned(),
        u32::MAX => "all".to_owned(),
        most => most.to_string(),
    };
    let (budget, preemptions) = (named(most), preemptions.map(named));
    let explored = match of.worlds {
        _ if of.nodes == 1 => Some(executions(of)),
        WorldCount::Exactly(count) => Some(count),
        WorldCount::AtLeast(_) => None,
    };
    let pct = pct.map(|pct| {
        let PctSummary { depth, actors: n, choices: k, runs } = pct;
        PctJson { depth, n, k, bound: pct.bound(), runs }
    });
    let preemptions_allowed = (info.preemptions > 0).then(|| named(info.preemptions));
    OrdersJson {
        budget,
        late,
        preemptions,
        preemptions_allowed,
        explored,
        redundant,
        blocked,
        walks,
        pct,
    }
}

/// Complete executions of a program. A path goes on behind a race, and ends once more: only a path that a
/// test case prescribes ends there.
fn executions(of: &Summary) -> u64 {
    let races = of.findings.iter().filter(|finding| finding.kind == BugKind::DataRace);
    let ended = of.paths + of.paths_failed;
    match races.map(|finding| finding.count).sum::<u64>() {
        races if races < ended => ended - races,
        _ => ended,
    }
}
