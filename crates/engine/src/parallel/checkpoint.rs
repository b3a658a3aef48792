//! The meeting of all workers at which a checkpoint is written: [`CheckpointRoom`].
//!
//! A worker that sees that it is time asks for a meeting. Each worker comes between two steps; the last one
//! to come writes the run, and everybody goes on. A run that ends meanwhile has no meeting any more.
//!
//! Not here: what is written (`explore/run_record.rs`).

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::api::checkpoint::CheckpointPace;
use crate::parallel::exchange::{HaltReason, WorkExchange};

/// The time for which a worker waits for others before it looks whether the run is over.
const PATIENCE: Duration = Duration::from_millis(5);
/// With the next checkpoint, if it takes as long as the one before, the time is at least so many times what
/// all of them take. That is two and a half per cent of the run; the rest of three per cent is for what the
/// observer does with a checkpoint while the run goes on.
const COST_SHARE: u32 = 40;

/// Where workers meet.
pub(crate) struct CheckpointRoom {
    pace: CheckpointPace,
    /// The time at which the run began.
    started: Duration,
    /// Looked at between all steps.
    is_wanted: AtomicBool,
    choices: AtomicU64,
    meeting: Mutex<Meeting>,
    /// Told when a meeting is over.
    news: Condvar,
}

struct Meeting {
    workers: usize,
    /// Workers that have come.
    there: usize,
    /// Meetings that are over.
    held: u64,
    /// The run ends after the meeting.
    halt: Option<HaltReason>,
    /// The time of the next one.
    next_at: Duration,
    /// The time that all of them have taken.
    cost: Duration,
}

impl CheckpointRoom {
    pub(crate) fn new(pace: CheckpointPace, workers: usize, now: Duration) -> CheckpointRoom {
        let next_at = match pace {
            CheckpointPace::Every(time) => now.saturating_add(time),
            CheckpointPace::Never | CheckpointPace::Choices(_) => Duration::MAX,
        };
        let cost = Duration::ZERO;
        CheckpointRoom {
            pace,
            started: now,
            is_wanted: AtomicBool::new(false),
            choices: AtomicU64::new(0),
            meeting: Mutex::new(Meeting { workers, there: 0, held: 0, halt: None, next_at, cost }),
            news: Condvar::new(),
        }
    }

    fn meeting(&self) -> MutexGuard<'_, Meeting> {
        self.meeting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// So many workers have begun: a meeting waits for all of them.
    pub(crate) fn set_workers(&self, workers: usize) {
        self.meeting().workers = workers;
    }

    /// Returns `true` if workers are to come.
    pub(crate) fn is_wanted(&self) -> bool {
        self.is_wanted.load(Ordering::Relaxed)
    }

    /// Returns `true` if there are checkpoints at all.
    pub(crate) fn is_open(&self) -> bool {
        self.pace != CheckpointPace::Never
    }

    /// Counts a choice; returns `true` if a checkpoint is due after it.
    pub(crate) fn count_choice(&self) -> bool {
        let CheckpointPace::Choices(most) = self.pace else { return false };
        (self.choices.fetch_add(1, Ordering::Relaxed) + 1).is_multiple_of(most)
    }

    /// Returns `true` if a checkpoint is due by the clock.
    pub(crate) fn is_due(&self, now: Duration) -> bool {
        matches!(self.pace, CheckpointPace::Every(_)) && now >= self.meeting().next_at
    }

    /// Asks all workers to come, and ends the run then if there is a reason to.
    pub(crate) fn call(&self, exchange: &WorkExchange, halt: Option<HaltReason>) {
        let mut meeting = self.meeting();
        meeting.halt = meeting.halt.take().or(halt);
        self.is_wanted.store(true, Ordering::Relaxed);
        drop(meeting);
        exchange.wake_all();
    }

    /// Waits until all workers have come and the last one has written the run, which gives the times at which
    /// it began and ended to do so; or until the run is over.
    pub(crate) fn meet(
        &self,
        exchange: &WorkExchange,
        write: impl FnOnce(Option<&HaltReason>) -> (Duration, Duration),
    ) {
        let mut meeting = self.meeting();
        let number = meeting.held;
        meeting.there += 1;
        if meeting.there == meeting.workers {
            let halt = meeting.halt.take();
            let (began, now) = write(halt.as_ref());
            let last = now.saturating_sub(began);
            meeting.cost += last;
            meeting.next_at = self.time_of_next(meeting.cost + last, now);
            meeting.there = 0;
            meeting.held += 1;
            self.is_wanted.store(false, Ordering::Relaxed);
            if let Some(halt) = halt {
                exchange.halt(halt);
            }
            self.news.notify_all();
        }
        while meeting.held == number && !exchange.is_over() {
            let waited = self.news.wait_timeout(meeting, PATIENCE);
            meeting = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The time of the next checkpoint, with which all of them will have taken `cost`.
    fn time_of_next(&self, cost: Duration, now: Duration) -> Duration {
        let CheckpointPace::Every(time) = self.pace else { return Duration::MAX };
        now.saturating_add(time).max(self.started.saturating_add(cost * COST_SHARE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkpoints_take_a_fortieth_of_the_run() {
        let seconds = Duration::from_secs;
        let room = CheckpointRoom::new(CheckpointPace::Every(seconds(60)), 1, seconds(5));
        assert!(!room.is_due(seconds(64)) && room.is_due(seconds(65)));
        // One of three seconds, and another one like it.
        assert_eq!(room.time_of_next(seconds(6), seconds(68)), seconds(5 + 240));
        // Quick ones come as often as is wished.
        assert_eq!(room.time_of_next(Duration::ZERO, seconds(68)), seconds(128));
        let none = CheckpointRoom::new(CheckpointPace::Never, 1, seconds(5));
        assert_eq!(none.time_of_next(Duration::ZERO, seconds(68)), Duration::MAX);
    }
}
