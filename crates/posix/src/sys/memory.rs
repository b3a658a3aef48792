//! Memory mappings.

use everett_memory::AddressSpace;
use syscalls::Sysno;

use super::Handler;
use crate::kernel::Guest;
use crate::node::Node;
use crate::process::Pid;

pub(crate) fn handler<X: Guest>(call: Sysno) -> Option<Handler<X>> {
    let _ = call;
    None
}

/// The mappings of a process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mappings {}

impl Mappings {
    /// Whether an address is in memory that other processes may share.
    pub(crate) fn is_shared(&self, address: u64) -> bool {
        let _ = address;
        false
    }
}

/// Memory that two processes share follows the running one.
pub(crate) fn share(node: &Node, from: (Pid, &mut AddressSpace), to: (Pid, &mut AddressSpace)) {
    let _ = (node, from, to);
}

/// Writes shared mappings of files of the running process back, at its end.
pub(crate) fn write_back(node: &mut Node, mem: &mut AddressSpace) {
    let _ = (node, mem);
}
