//! The settings that a process has made for itself: [`ProcessSettings`].

use linux_raw_sys::general as linux;

use crate::state::ids::Time;

/// The settings that a process has made for itself; its children inherit them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProcessSettings {
    /// The niceness: -20 to 19.
    pub(crate) nice: i32,
    /// The scheduling policy: `SCHED_OTHER` and the like.
    pub(crate) policy: u32,
    pub(crate) personality: u32,
    /// The signal that it gets when its parent ends; 0 for none. Not inherited.
    pub(crate) parent_death_signal: u32,
    pub(crate) not_dumpable: bool,
    pub(crate) no_new_privileges: bool,
    pub(crate) keep_capabilities: bool,
    pub(crate) no_huge_pages: bool,
    pub(crate) timer_slack_ns: u64,
    /// Virtual time that it spent looking at clocks.
    pub(crate) polling_ns: Time,
}

everett_base::portable!(struct ProcessSettings {
    nice, policy, personality, parent_death_signal, not_dumpable, no_new_privileges,
    keep_capabilities, no_huge_pages, timer_slack_ns, polling_ns,
});

/// The slack of timers by default.
pub(crate) const TIMER_SLACK_NS: u64 = 50_000;

impl Default for ProcessSettings {
    fn default() -> ProcessSettings {
        ProcessSettings {
            nice: 0,
            policy: linux::SCHED_NORMAL,
            personality: 0,
            parent_death_signal: 0,
            not_dumpable: false,
            no_new_privileges: false,
            keep_capabilities: false,
            no_huge_pages: false,
            timer_slack_ns: TIMER_SLACK_NS,
            polling_ns: 0,
        }
    }
}

impl ProcessSettings {
    /// The settings that a child starts with.
    pub(crate) fn for_child(&self) -> ProcessSettings {
        ProcessSettings { parent_death_signal: 0, polling_ns: 0, ..self.clone() }
    }
}
