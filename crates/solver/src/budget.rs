//! Limits on the cost of a query.
//!
//! A [`QueryBudget`] limits one query by time, read from a clock that the embedder supplies, or by the
//! SAT solver's conflicts, which is the same on every machine. The end of the run ends a query as well,
//! by the [`Interrupt`] that all parts of a run share. Reaching any of these is an answer
//! ([`crate::SolverAnswer::Unknown`]), never a hang: whatever can take long asks [`QueryBudget::is_spent`].
//!
//! Not here: the host's clock. A library that read it could not be replayed.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use everett_base::Interrupt;
use everett_base::interrupt::MemoryPressure;

/// Steps of a query between two looks at the clock: one step and one look cost about the same.
const STEPS_BETWEEN_LOOKS: u32 = 64;

/// A clock that the embedder supplies: the time since some fixed moment.
#[derive(Clone)]
pub struct MonotonicClock(Arc<dyn Fn() -> Duration + Send + Sync>);

impl MonotonicClock {
    /// A clock that calls `now`.
    pub fn new(now: impl Fn() -> Duration + Send + Sync + 'static) -> MonotonicClock {
        MonotonicClock(Arc::new(now))
    }

    /// A clock that stands still: time limits never strike, statistics show no time.
    pub fn stopped() -> MonotonicClock {
        MonotonicClock::new(|| Duration::ZERO)
    }

    /// The time now.
    pub fn now(&self) -> Duration {
        (self.0)()
    }
}

impl fmt::Debug for MonotonicClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MonotonicClock")
    }
}

/// The limits of one query.
#[derive(Clone, Debug)]
pub struct QueryBudget {
    clock: MonotonicClock,
    time: Option<Duration>,
    /// By the clock, once the query has begun.
    end: Option<Duration>,
    conflicts: Option<u64>,
    interrupt: Interrupt,
}

impl QueryBudget {
    /// No limit at all.
    pub fn unlimited() -> QueryBudget {
        let (clock, interrupt) = (MonotonicClock::stopped(), Interrupt::new());
        QueryBudget { clock, time: None, end: None, conflicts: None, interrupt }
    }

    /// At most this long by this clock.
    pub fn time(clock: MonotonicClock, limit: Duration) -> QueryBudget {
        QueryBudget { clock, time: Some(limit), ..QueryBudget::unlimited() }
    }

    /// Additionally at most this many conflicts of the SAT solver; backends that cannot count them
    /// ignore it.
    #[must_use]
    pub fn with_conflicts(mut self, limit: u64) -> QueryBudget {
        self.conflicts = Some(limit);
        self
    }

    /// Additionally until the run ends. While it solves, Boolector looks at its time limit only.
    #[must_use]
    pub fn with_interrupt(mut self, interrupt: Interrupt) -> QueryBudget {
        self.interrupt = interrupt;
        self
    }

    /// Begins a query. All of its steps share the time from now on.
    pub fn begin(&mut self) {
        self.end = self.time.map(|time| self.clock.now().saturating_add(time));
    }

    /// The budget of a query that has begun, now if it had not before.
    #[must_use]
    pub fn begun(&self) -> QueryBudget {
        let mut budget = self.clone();
        if budget.end.is_none() {
            budget.begin();
        }
        budget
    }

    /// The time that is left.
    pub fn time_left(&self) -> Option<Duration> {
        let left = self.end.map(|end| end.saturating_sub(self.clock.now()));
        left.or(self.time)
    }

    /// Returns `true` if the query is to give up: its time is over, or the run ends.
    pub fn is_spent(&self) -> bool {
        self.interrupt.gives_up() || self.end.is_some_and(|end| self.clock.now() >= end)
    }

    /// Returns `true` if queries have to do with less memory.
    pub(crate) fn is_short_of_memory(&self) -> bool {
        self.interrupt.pressure() == MemoryPressure::FarAbove
    }

    /// Returns `true` if the query is to give up, where that is asked at each of many short steps,
    /// which `steps` counts.
    pub(crate) fn is_spent_at_step(&self, steps: &mut u32) -> bool {
        *steps += 1;
        if *steps < STEPS_BETWEEN_LOOKS {
            return false;
        }
        *steps = 0;
        self.is_spent()
    }

    /// The same with another time limit, from now on.
    #[must_use]
    pub(crate) fn with_time(&self, limit: Duration) -> QueryBudget {
        let mut budget = QueryBudget { time: Some(limit), ..self.clone() };
        budget.begin();
        budget
    }

    /// The limit on conflicts.
    pub fn conflicts(&self) -> Option<u64> {
        self.conflicts
    }
}
