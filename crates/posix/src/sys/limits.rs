//! Resource limits.

use syscalls::Sysno;

use super::Handler;
use crate::kernel::Guest;

pub(crate) fn handler<X: Guest>(call: Sysno) -> Option<Handler<X>> {
    let _ = call;
    None
}

/// Soft and hard limit of each resource.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Limits {}

impl Limits {
    /// How many descriptors a process may have.
    pub(crate) fn open_files(&self) -> u64 {
        1024
    }
}
