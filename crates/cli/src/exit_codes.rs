//! Exit codes that several commands share.

use everett_engine::{Loss, Outcome, Summary};
use everett_report::GateReport;

/// There are findings.
pub(crate) const EXIT_FINDINGS: u8 = 1;
/// The input or the engine failed.
pub(crate) const EXIT_FAILED: u8 = 2;
/// A limit, or the user, ended it before everything was explored.
pub(crate) const EXIT_LIMIT: u8 = 3;
/// A gate has failed that is not about findings.
pub(crate) const EXIT_GATE: u8 = 4;

/// The exit code of `everett run` that a result stands for, and what its gates say, if there are any.
///
/// A run is clean only if nothing was missed; the code says what a limit or a failure hid. Findings that the
/// gates let pass count as none, and a gate that has failed says more than that there was a limit.
pub fn exit_code(summary: &Summary, gates: Option<&GateReport>) -> u8 {
    let failed = summary.dropped.iter().any(|(reason, _)| reason.loss() == Loss::Failure);
    let counts = gates.map_or(!summary.findings.is_empty(), GateReport::has_counted_findings);
    match summary.outcome {
        Outcome::Failed => EXIT_FAILED,
        _ if counts => EXIT_FINDINGS,
        _ if failed => EXIT_FAILED,
        _ if gates.is_some_and(GateReport::has_unmet_requirements) => EXIT_GATE,
        Outcome::Exhausted => 0,
        Outcome::Limit | Outcome::Stopped | Outcome::Running => EXIT_LIMIT,
    }
}
