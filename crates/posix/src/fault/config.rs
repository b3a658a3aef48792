//! What may happen to a node: plain data.

use super::Budgets;

/// Which faults may happen along a path of a node, and how they look.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaultConfig {
    /// How often each kind may happen.
    pub budgets: Budgets,
    /// Names of the system calls that may fail; `None`: all that can.
    pub failing_calls: Option<Vec<String>>,
    /// Calls fail with each error that programs tell apart, not only with the usual one.
    pub errno_variety: bool,
    /// The errors of `open` and `chdir`, instead of those that they have otherwise.
    pub open_errnos: Vec<u16>,
    /// The same for `chdir`.
    pub chdir_errnos: Vec<u16>,
    /// How long things take, and how wrong clocks are.
    pub times: FaultTimes,
}

/// How long things take, and how wrong clocks are, in nanoseconds of virtual time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultTimes {
    /// From a crash until the node is up again.
    pub reboot_ns: u64,
    /// A pause of a node.
    pub pause_ns: u64,
    /// By how much a clock is ahead or behind.
    pub skew_ns: u64,
    /// By how much a clock jumps.
    pub jump_ns: u64,
}

impl Default for FaultTimes {
    fn default() -> FaultTimes {
        const SECOND: u64 = 1_000_000_000;
        FaultTimes {
            reboot_ns: 10 * SECOND,
            pause_ns: 10 * SECOND,
            skew_ns: 60 * SECOND,
            jump_ns: 3600 * SECOND,
        }
    }
}
