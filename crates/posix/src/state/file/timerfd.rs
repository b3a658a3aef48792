//! The timer of a `timerfd`: [`TimerFile`].

use linux_raw_sys::general as linux;

use crate::state::ids::Time;
use crate::state::process::timers::after;

/// The timer of a `timerfd`.
#[derive(Clone, Debug, Default)]
pub(crate) struct TimerFile {
    pub(crate) realtime: bool,
    /// The first expiration that was not read.
    pub(crate) at: Option<Time>,
    /// Nanoseconds between expirations; 0 for only one.
    pub(crate) interval: Time,
    /// The number of times that it was set and read.
    pub(crate) settings: u64,
}

everett_base::portable!(struct TimerFile { realtime, at, interval, settings });

impl TimerFile {
    /// Expirations since it was last read or set.
    pub(crate) fn expirations(&self, now: Time) -> u64 {
        match self.at {
            Some(at) if at <= now && self.interval > 0 => after(at, self.interval, now).1,
            Some(at) if at <= now => 1,
            _ => 0,
        }
    }

    /// Takes the expirations.
    pub(crate) fn take(&mut self, now: Time) -> u64 {
        let count = self.expirations(now);
        if let Some(at) = self.at.filter(|_| count > 0) {
            self.at = (self.interval > 0).then(|| after(at, self.interval, now).0);
            self.settings += 1;
        }
        count
    }

    /// The events that it is ready for.
    pub(crate) fn events(&self, now: Time) -> u32 {
        if self.expirations(now) > 0 { linux::POLLIN } else { 0 }
    }

    /// The number of times that it became ready for reading.
    pub(crate) fn edges(&self, now: Time) -> [u64; 2] {
        // An expiration or a setting in between cannot lead back to a number that was seen.
        [self.settings << 32 | self.expirations(now).min(u32::MAX.into()), 0]
    }

    /// The time of its next expiration.
    pub(crate) fn next(&self, now: Time) -> Option<Time> {
        match self.at {
            Some(at) if at <= now && self.interval > 0 => Some(after(at, self.interval, now).0),
            at => at.filter(|at| *at > now),
        }
    }
}
