//! File locks.

use syscalls::Sysno;

use super::Handler;
use crate::call::Call;
use crate::file::FileId;
use crate::kernel::Guest;
use crate::node::Node;
use crate::reply::Answer;

pub(crate) fn handler<X: Guest>(call: Sysno) -> Option<Handler<X>> {
    let _ = call;
    None
}

/// All file locks of a node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Locks {}

/// The running process has closed a descriptor of this file: its record locks on it are gone.
pub(crate) fn closed(node: &mut Node, file: FileId) {
    let _ = (node, file);
}

/// An open file is gone, with the locks that it had as such.
pub(crate) fn gone(node: &mut Node, file: FileId) {
    let _ = (node, file);
}

/// `fcntl` with one of the lock commands.
pub(crate) fn record<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    command: u32,
) -> Answer {
    let _ = file;
    Err(call.unsupported(format!("command {command}")))
}
