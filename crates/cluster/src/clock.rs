//! The host's time, for holds and patience.

use std::time::Instant;

/// Holds expire and callers wait by the host's time. No result of a run depends on it: whichever worker
/// does a job, and however often, one record counts.
#[allow(clippy::disallowed_methods, reason = "only waiting depends on it, and no result")]
pub(crate) fn now() -> Instant {
    Instant::now()
}
