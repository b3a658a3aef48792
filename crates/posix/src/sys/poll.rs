//! Waiting for files: `poll`, `select`.

use syscalls::Sysno;

use super::Handler;
use crate::file::FileId;
use crate::kernel::Guest;
use crate::node::Node;
use crate::wait::Time;

pub(crate) fn handler<X: Guest>(call: Sysno) -> Option<Handler<X>> {
    let _ = call;
    None
}

/// What a file is ready for now: `POLLIN` and so on.
pub(crate) fn events(node: &Node, file: FileId) -> u16 {
    let _ = (node, file);
    0
}

/// When a file will be ready by itself, if it will.
pub(crate) fn next_event(node: &Node, file: FileId) -> Option<Time> {
    let _ = (node, file);
    None
}
