//! The clock of the host: real peers answer in real time.

use std::time::Instant;

/// The present time. Only waiting depends on it: what has come from a peer is in the tree.
#[allow(clippy::disallowed_methods, reason = "peers are real, and so is the time that they take")]
pub(crate) fn now() -> Instant {
    Instant::now()
}
