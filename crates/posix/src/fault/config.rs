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
    /// What faults of the network look like.
    pub network: NetworkFaults,
}
