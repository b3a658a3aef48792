//! Exit codes that several commands share.

use everett_engine::{Loss, Outcome, Summary};

/// There are findings.
pub(crate) const EXIT_FINDINGS: u8 = 1;
/// The input or the engine failed.
pub(crate) const EXIT_FAILED: u8 = 2;
/// A limit, or the user, ended it before everything was explored.
pub(crate) const EXIT_LIMIT: u8 = 3;

/// The exit code of `everett run` that a result stands for.
///
/// A run is clean only if nothing was missed; the code says what a limit or a failure hid.
pub fn exit_code(summary: &Summary) -> u8 {
    let failed = summary.dropped.iter().any(|(reason, _)| reason.loss() == Loss::Failure);
    match summary.outcome {
        Outcome::Failed => EXIT_FAILED,
        _ if !summary.findings.is_empty() => EXIT_FINDINGS,
        _ if failed => EXIT_FAILED,
        Outcome::Exhausted => 0,
        Outcome::Limit | Outcome::Stopped | Outcome::Running => EXIT_LIMIT,
    }
}
