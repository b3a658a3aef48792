//! The timers that a process makes itself: [`ProcessTimers`].

use std::collections::BTreeMap;

use everett_interp::Reg;

use crate::state::ids::{Tid, Time};

/// The timers of a process, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ProcessTimers {
    pub(crate) timers: BTreeMap<u32, ProcessTimer>,
    pub(crate) next: u32,
}

everett_base::portable!(struct ProcessTimers { timers, next });

/// One timer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProcessTimer {
    pub(crate) realtime: bool,
    pub(crate) notify: TimerNotice,
    /// The time of its next expiration.
    pub(crate) at: Option<Time>,
    pub(crate) interval: Time,
    /// Expirations that the last signal stands for, besides its own.
    pub(crate) overrun: u64,
}

everett_base::portable!(struct ProcessTimer { realtime, notify, at, interval, overrun });

/// The notice that a timer gives when it expires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimerNotice {
    Nothing,
    Signal { signal: u32, value: Reg, thread: Option<Tid> },
}

everett_base::portable!(enum TimerNotice { 0 = Nothing, 1 = Signal { signal, value, thread } });

impl ProcessTimers {
    /// The time at which the next one expires. One that tells nobody changes nothing.
    pub(crate) fn next(&self) -> Option<Time> {
        let telling = self.timers.values().filter(|timer| timer.notify != TimerNotice::Nothing);
        telling.filter_map(|timer| timer.at).min()
    }
}

/// The first expiration after `now` of a timer that expired at `at`, and how many expirations there
/// were until now.
pub(crate) fn after(at: Time, interval: Time, now: Time) -> (Time, u64) {
    let periods = (now.saturating_sub(at)) / interval.max(1) + 1;
    (at.saturating_add(periods.saturating_mul(interval)), periods)
}
