//! What may happen to a node: plain data.

use super::{Budgets, NetworkFaults};

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
    /// What faults of the network look like.
    pub network: NetworkFaults,
}
