//! File locks.

use syscalls::Sysno;

use super::Handler;
use crate::kernel::Guest;

pub(crate) fn handler<X: Guest>(call: Sysno) -> Option<Handler<X>> {
    let _ = call;
    None
}

/// All file locks of a node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Locks {}
