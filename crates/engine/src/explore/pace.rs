//! When a worker looks up from its states: at limits, at the clock, at workers that have nothing to do.

use std::time::Duration;

use everett_base::interrupt::MemoryPressure;

/// Choices that pass between looks at the clock and the memory.
const CHOICES_BETWEEN_CHECKS: u32 = 64;
/// Parts leave memory when less than one of so many parts of the limit is free.
const SPILLED_SHARE: u64 = 4;
/// Parts leave memory again when one of so many parts of the limit was used anew.
const SPILLS_AGAIN_AFTER: u64 = 16;
/// Looks at which nothing could leave memory before states are dropped.
const STUCK_LOOKS: u32 = 10;
/// Times one after the other that memory stays above its limit after parts have left it, before no more do.
const SPILLS_IN_VAIN: u32 = 50;
/// The time between two looks at memory, while it is below its limit. It is short, as states come fast.
const MEMORY_LOOKS_EVERY: Duration = Duration::from_millis(10);
/// The time between two reports of progress.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);

/// When limits were looked at last.
pub(crate) struct LimitWatch {
    /// Choices since then, and since the beginning.
    unchecked: u32,
    choices: u64,
    /// The time at which progress was told last.
    progress_at: Duration,
    /// The time at which states were last dropped because the watchdog had seen too much memory.
    relieved_at: Duration,
    /// The time at which memory was looked at last to see whether parts are to leave it.
    memory_seen_at: Duration,
    /// The least bytes that were in use since a part of the set of worlds has left memory for the last time.
    used_since_spill: u64,
    /// Looks one after the other at which memory was above its limit, and nothing could leave it.
    stuck: u32,
    /// Times one after the other that parts have left memory, and it was above its limit still.
    in_vain: u32,
}

impl LimitWatch {
    /// A watch that looks at once.
    pub(crate) fn new(now: Duration) -> LimitWatch {
        let unchecked = CHOICES_BETWEEN_CHECKS;
        LimitWatch {
            unchecked,
            choices: 0,
            progress_at: now,
            relieved_at: Duration::ZERO,
            memory_seen_at: now,
            used_since_spill: 0,
            stuck: 0,
            in_vain: 0,
        }
    }

    /// Bytes above which parts of the set of worlds leave memory, for a limit on it. What is left after that,
    /// such as terms, does not leave; so it comes to that again only after something has been made.
    pub(crate) fn spills_above(&self, limit: u64) -> u64 {
        let again = self.used_since_spill.saturating_add(limit / SPILLS_AGAIN_AFTER);
        again.min(limit).max(limit - limit / SPILLED_SHARE)
    }

    /// A part has left memory, of which so many bytes are in use now.
    pub(crate) fn note_spill(&mut self, used: u64) {
        (self.used_since_spill, self.stuck) = (used, 0);
    }

    /// So many bytes are in use: other workers may have made room since the last part has left memory.
    pub(crate) fn note_use(&mut self, used: u64) {
        self.used_since_spill = self.used_since_spill.min(used);
    }

    /// Returns `true` if memory is to be looked at now, to see whether parts are to leave it.
    pub(crate) fn looks_at_memory(&mut self, now: Duration) -> bool {
        let due = now.saturating_sub(self.memory_seen_at) >= MEMORY_LOOKS_EVERY;
        if due {
            self.memory_seen_at = now;
        }
        due
    }

    /// Parts have left memory. Returns `true` if that has not been enough for a while, so that other workers
    /// have had the time to make room as well.
    pub(crate) fn is_in_vain(&mut self, is_above_limit: bool) -> bool {
        self.in_vain = if is_above_limit { self.in_vain + 1 } else { 0 };
        self.in_vain >= SPILLS_IN_VAIN
    }

    /// Memory is not above its limit.
    pub(crate) fn note_room(&mut self) {
        self.stuck = 0;
    }

    /// Memory is above its limit and nothing can leave it. Returns `true` if that has been so for a while, so
    /// that other workers have had the time to make room.
    pub(crate) fn is_stuck(&mut self) -> bool {
        self.stuck += 1;
        self.stuck > STUCK_LOOKS
    }

    /// Looks after the next choice, whatever was looked at before.
    pub(crate) fn hurry(&mut self) {
        self.unchecked = CHOICES_BETWEEN_CHECKS;
    }

    /// Counts a choice, and says whether to look after it.
    pub(crate) fn is_due(&mut self, urgent: bool) -> bool {
        self.unchecked += 1;
        self.choices += 1;
        let due = urgent || self.unchecked >= CHOICES_BETWEEN_CHECKS;
        if due {
            self.unchecked = 0;
        }
        due
    }

    /// The choices before the one that was counted last.
    pub(crate) fn choices_before(&self) -> u64 {
        self.choices.saturating_sub(1)
    }

    /// Returns `true` if progress is to be told now; the next time is a while later.
    pub(crate) fn tells_progress(&mut self, now: Duration) -> bool {
        let due = now.saturating_sub(self.progress_at) >= PROGRESS_EVERY;
        if due {
            self.progress_at = now;
        }
        due
    }

    /// Returns `true` if states are to be dropped now under this pressure. What is freed takes a moment to
    /// get back to the system, so some time passes between two times, unless it is urgent.
    pub(crate) fn relieves(&mut self, pressure: MemoryPressure, now: Duration) -> bool {
        let urgent = pressure == MemoryPressure::FarAbove;
        let due = urgent || now >= self.relieved_at + PROGRESS_EVERY;
        if due {
            self.relieved_at = now;
        }
        due
    }

    /// Returns `true` if states were dropped at this very moment.
    pub(crate) fn has_relieved(&self, now: Duration) -> bool {
        self.relieved_at == now
    }
}

/// States that have to be made before worlds are split again.
#[derive(Clone, Copy)]
pub(crate) struct SplitThresholds {
    /// Before a part is given to a worker that waits.
    pub(crate) give_at: i64,
    /// Before a part is set aside.
    pub(crate) aside_at: i64,
    /// Before a part leaves memory for the number of states alone.
    pub(crate) spill_at: i64,
}

everett_base::portable!(struct SplitThresholds { give_at, aside_at, spill_at });

impl SplitThresholds {
    /// The thresholds of a worker that makes so many states before it shares its work.
    pub(crate) fn new(share_after: u64) -> SplitThresholds {
        SplitThresholds { give_at: share_after as i64, aside_at: 0, spill_at: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_looked_at_first_and_then_now_and_then() {
        let mut watch = LimitWatch::new(Duration::ZERO);
        assert!(watch.is_due(false));
        let pause = (0..).take_while(|_| !watch.is_due(false)).count();
        assert_eq!(pause as u32, CHOICES_BETWEEN_CHECKS - 1);
        assert!(watch.is_due(true));
        watch.hurry();
        assert!(watch.is_due(false));
    }

    #[test]
    fn parts_leave_memory_again_after_something_was_made() {
        let mut watch = LimitWatch::new(Duration::ZERO);
        assert_eq!(watch.spills_above(1600), 1200);
        watch.note_spill(1300);
        assert_eq!(watch.spills_above(1600), 1400);
        // Others have made room.
        watch.note_use(1110);
        watch.note_use(1250);
        assert_eq!(watch.spills_above(1600), 1210);
        watch.note_spill(1590);
        assert_eq!(watch.spills_above(1600), 1600);
    }

    #[test]
    fn parts_leave_memory_until_that_is_in_vain() {
        let mut watch = LimitWatch::new(Duration::ZERO);
        assert!((1..SPILLS_IN_VAIN).all(|_| !watch.is_in_vain(true)));
        assert!(!watch.is_in_vain(false));
        assert!((1..SPILLS_IN_VAIN).all(|_| !watch.is_in_vain(true)));
        assert!(watch.is_in_vain(true));
    }

    #[test]
    fn memory_is_relieved_rarely_unless_it_is_urgent() {
        let mut watch = LimitWatch::new(Duration::ZERO);
        let (start, soon) = (PROGRESS_EVERY, PROGRESS_EVERY + PROGRESS_EVERY / 2);
        assert!(watch.relieves(MemoryPressure::Above, start));
        assert!(watch.has_relieved(start));
        assert!(!watch.relieves(MemoryPressure::Above, soon));
        assert!(watch.relieves(MemoryPressure::FarAbove, soon));
    }
}
