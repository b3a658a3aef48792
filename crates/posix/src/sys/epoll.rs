//! `epoll`.

use syscalls::Sysno;

use super::Handler;
use crate::file::FileId;
use crate::kernel::Guest;
use crate::node::Node;

pub(crate) fn handler<X: Guest>(call: Sysno) -> Option<Handler<X>> {
    let _ = call;
    None
}

/// An `epoll` instance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Epoll {}

/// An open file is gone: no instance watches it any longer.
pub(crate) fn closed(node: &mut Node, file: FileId) {
    let _ = (node, file);
}
