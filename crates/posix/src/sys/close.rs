//! Closing descriptors.

use syscalls::Sysno;

use super::Handler;
use crate::descriptor::Descriptor;
use crate::file::{FileId, OpenFile};
use crate::kernel::Guest;
use crate::node::Node;

pub(crate) fn handler<X: Guest>(call: Sysno) -> Option<Handler<X>> {
    let _ = call;
    None
}

/// Closes an entry of a descriptor table of the running process, which is out of the table already.
pub(crate) fn close_entry(node: &mut Node, entry: Descriptor) {
    node.release_file(entry.file);
}

/// What happens when the last reference to an open file goes; it is out of the table already.
pub(crate) fn last_close(node: &mut Node, id: FileId, file: &OpenFile) {
    let _ = id;
    if let Some(inode) = file.inode() {
        node.fs.release(inode);
    }
}
