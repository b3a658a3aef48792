//! Pipes and fifos.

use everett_base::define_id;
use everett_fs::InodeId;
use syscalls::Sysno;

use super::Handler;
use super::io::{Data, Progress};
use crate::call::Call;
use crate::file::{FileId, OpenFile};
use crate::kernel::Guest;
use crate::node::Node;
use crate::reply::{Answer, Halt};

pub(crate) fn handler<X: Guest>(call: Sysno) -> Option<Handler<X>> {
    let _ = call;
    None
}

define_id!(
    /// Numbers pipes.
    pub(crate) struct PipeId,
    "pipe"
);

/// All pipes of a node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pipes {}

/// Takes bytes out; see `sys/io.rs`.
pub(crate) fn read<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    want: u64,
) -> Result<Progress<Data>, Halt> {
    let _ = (file, want);
    Err(call.unsupported("reading"))
}

/// Puts bytes in; see `sys/io.rs`.
pub(crate) fn write<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    data: &Data,
) -> Result<Progress<u64>, Halt> {
    let _ = (file, data);
    Err(call.unsupported("writing"))
}

/// Opens a fifo with these flags: a new open file, whose one reference is the caller's. Its inode
/// is not held yet.
pub(crate) fn open_fifo<X: Guest>(
    call: &mut Call<'_, '_, X>,
    inode: InodeId,
    flags: u32,
) -> Result<Progress<OpenFile>, Halt> {
    let _ = (inode, flags);
    Err(call.unsupported("a fifo"))
}

/// Opens a pipe without a name again, through `/proc/self/fd`.
pub(crate) fn open_again<X: Guest>(
    call: &mut Call<'_, '_, X>,
    pipe: PipeId,
    flags: u32,
) -> Result<Progress<OpenFile>, Halt> {
    let _ = (pipe, flags);
    Err(call.unsupported("a pipe that is opened again"))
}

/// An open file is gone: if it was an end of a pipe, the other end may notice.
pub(crate) fn closed(node: &mut Node, file: &OpenFile) {
    let _ = (node, file);
}

/// `fcntl` about the room in a pipe.
pub(crate) fn capacity<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    command: u32,
) -> Answer {
    let _ = file;
    Err(call.unsupported(format!("command {command}")))
}
