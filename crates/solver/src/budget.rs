//! How much a query may cost.
//!
//! A [`Budget`] limits one query by time, read from a clock that the embedder supplies, or by the
//! SAT solver's conflicts, which is the same on every machine. Reaching it is an answer
//! ([`crate::Answer::Unknown`]), never a hang.
//!
//! Not here: the host's clock. A library that read it could not be replayed.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Tells the time since some fixed moment.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Duration + Send + Sync>);

impl Clock {
    /// A clock that calls `now`.
    pub fn new(now: impl Fn() -> Duration + Send + Sync + 'static) -> Clock {
        Clock(Arc::new(now))
    }

    /// A clock that stands still: time limits never strike, statistics show no time.
    pub fn stopped() -> Clock {
        Clock::new(|| Duration::ZERO)
    }

    /// The time now.
    pub fn now(&self) -> Duration {
        (self.0)()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}

/// The limits of one query.
#[derive(Clone, Debug)]
pub struct Budget {
    clock: Clock,
    time: Option<Duration>,
    conflicts: Option<u64>,
    cancel: Option<Arc<AtomicBool>>,
}

impl Budget {
    /// No limit at all.
    pub fn unlimited() -> Budget {
        Budget { clock: Clock::stopped(), time: None, conflicts: None, cancel: None }
    }

    /// At most this long by this clock.
    pub fn time(clock: Clock, limit: Duration) -> Budget {
        Budget { clock, time: Some(limit), conflicts: None, cancel: None }
    }

    /// Additionally at most this many conflicts of the SAT solver; backends that cannot count them
    /// ignore it.
    #[must_use]
    pub fn with_conflicts(mut self, limit: u64) -> Budget {
        self.conflicts = Some(limit);
        self
    }

    /// Additionally until the flag is set, for a user who will not wait any longer. Boolector looks
    /// at its time limit only.
    #[must_use]
    pub fn with_cancel(mut self, cancel: Arc<AtomicBool>) -> Budget {
        self.cancel = Some(cancel);
        self
    }

    /// The time limit.
    pub fn time_limit(&self) -> Option<Duration> {
        self.time
    }

    /// The limit on conflicts.
    pub fn conflicts(&self) -> Option<u64> {
        self.conflicts
    }

    /// Starts the clock for one query, if something other than conflicts limits it.
    pub(crate) fn deadline(&self) -> Option<Deadline> {
        if self.time.is_none() && self.cancel.is_none() {
            return None;
        }
        let end = self.time.map(|time| self.clock.now().saturating_add(time));
        Some(Deadline { clock: self.clock.clone(), end, cancel: self.cancel.clone() })
    }
}

/// What a running query has to stop at.
pub(crate) struct Deadline {
    clock: Clock,
    end: Option<Duration>,
    cancel: Option<Arc<AtomicBool>>,
}

impl Deadline {
    pub(crate) fn reached(&self) -> bool {
        self.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed))
            || self.end.is_some_and(|end| self.clock.now() >= end)
    }
}
