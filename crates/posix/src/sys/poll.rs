//! Waiting for files: `poll`, `select`.

use everett_fs::FsError;
use syscalls::Sysno;

use super::Handler;
use crate::file::{FileId, FileKind, Stream};
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

/// Bytes that can be read without waiting, for `FIONREAD`; `None` for files that do not tell.
pub(crate) fn readable_bytes(node: &Node, file: FileId) -> Result<Option<u64>, FsError> {
    match &node.file(file).kind {
        FileKind::Regular(inode) => {
            let size = node.fs.stat(*inode)?.size;
            Ok(Some(size.saturating_sub(node.file(file).offset)))
        }
        FileKind::Stream(Stream::In) => {
            Ok(Some((node.input.len() - node.input_position) as u64))
        }
        _ => Ok(None),
    }
}
