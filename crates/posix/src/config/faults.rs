//! The faults that may happen to a node: plain data.

use super::{FaultBudgets, FaultKind, NetworkFaults};

/// The faults that may happen along a path of a node, and their looks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaultConfig {
    /// The budget of each kind.
    pub budgets: FaultBudgets,
    /// Names of the system calls that may fail; `None`: all that can.
    pub failing_calls: Option<Vec<String>>,
    /// Calls fail with each error that programs tell apart, not only with the usual one.
    pub errno_variety: bool,
    /// The errors of `open` and `chdir`, instead of those that they have otherwise.
    pub open_errnos: Vec<u16>,
    /// The same for `chdir`.
    pub chdir_errnos: Vec<u16>,
    /// Every how-manieth operation on a socket that does not wait finds it not ready; 0: none.
    pub block_interval: u32,
    /// Every how-manieth call that waits for several files fails; 0: none.
    pub select_interval: u32,
    /// Times of files are symbolic.
    pub symbolic_times: bool,
    /// Bytes of the disk that are free at the start.
    pub disk_bytes: Option<u64>,
    /// Bytes that the heap of a process may have.
    pub heap_bytes: Option<u64>,
    /// Descriptors that a process may have.
    pub open_files: Option<u64>,
    /// Processes and threads that the node may have.
    pub processes: Option<u64>,
    /// The looks of faults of the network.
    pub network: NetworkFaults,
    /// The times that faults take, and the errors of clocks.
    pub times: FaultTimes,
}

everett_base::portable!(struct FaultConfig {
    budgets, failing_calls, errno_variety, open_errnos, chdir_errnos, block_interval,
    select_interval, symbolic_times, disk_bytes, heap_bytes, open_files, processes, network, times,
});

impl FaultConfig {
    /// Returns true if nothing may happen at all.
    pub fn is_empty(&self) -> bool {
        self.budgets.is_empty() && self.network.links.is_empty()
    }

    /// Returns true if the budget of some link is of this kind.
    pub fn has_link_budget(&self, kind: FaultKind) -> bool {
        self.network.links.iter().any(|link| link.kind == kind)
    }
}

/// The times that faults take, and the errors of clocks, in nanoseconds of virtual time.
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

everett_base::portable!(struct FaultTimes { reboot_ns, pause_ns, skew_ns, jump_ns });

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
