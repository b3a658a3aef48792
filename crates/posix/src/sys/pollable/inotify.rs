//! `inotify`: processes that are told of what happens to files.

pub(crate) mod file_events;

use everett_fs::{AccessMode, InodeKind};
use linux_raw_sys::general as linux;
use syscalls::Errno;

use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::data::ByteData;
use crate::state::file::{FileKind, OpenFile};
use crate::state::ids::FileId;
use crate::state::node::Node;
use crate::state::wait::Wait;
use crate::sys::io::TransferProgress;
use crate::sys::path::{self, PathIntent, PathSubject};

/// Bits of a mask that say how to watch.
const OPTIONS: u32 = linux::IN_ONLYDIR
    | linux::IN_DONT_FOLLOW
    | linux::IN_EXCL_UNLINK
    | linux::IN_MASK_ADD
    | linux::IN_MASK_CREATE
    | linux::IN_ONESHOT;

pub(crate) fn inotify_init<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    make(call, 0)
}

pub(crate) fn inotify_init1<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let flags = call.arg32(0)?;
    if flags & !(linux::IN_CLOEXEC | linux::IN_NONBLOCK) != 0 {
        return Err(Errno::EINVAL.into());
    }
    make(call, flags)
}

fn make<X: Guest>(call: &mut Call<'_, '_, X>, flags: u32) -> Answer {
    let node = call.node_mut();
    node.process().descriptors.lowest_free(0, node.process().limits.open_files())?;
    let number = node.volatile.inotify.add();
    let file = OpenFile::new(FileKind::Inotify(number), flags & linux::IN_NONBLOCK);
    Ok(Reply::Value(node.open(file, flags & linux::IN_CLOEXEC != 0)?.into()))
}

/// The instance that is argument 0.
fn instance<X: Guest>(call: &mut Call<'_, '_, X>) -> Result<u32, CallHalt> {
    let file = call.file_arg(0)?;
    match call.node().file(file).kind {
        FileKind::Inotify(number) => Ok(number),
        _ => Err(Errno::EINVAL.into()),
    }
}

pub(crate) fn inotify_add_watch<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let mask = call.arg32(2)?;
    let has = |flag: u32| mask & flag != 0;
    if mask & linux::IN_ALL_EVENTS == 0 || (has(linux::IN_MASK_ADD) && has(linux::IN_MASK_CREATE)) {
        return Err(Errno::EINVAL.into());
    }
    let number = instance(call)?;
    let name = path::name(call, None, 1, PathIntent::Find)?;
    let follow = if has(linux::IN_DONT_FOLLOW) {
        everett_fs::FollowLinks::No
    } else {
        everett_fs::FollowLinks::Yes
    };
    let PathSubject::Inode(inode) = path::find(call, &name, follow)? else {
        return Err(call.unsupported("a watch of a file that has no name"));
    };
    let node = call.node_mut();
    node.disk.fs.permission(inode, AccessMode::READ, &node.credentials())?;
    if has(linux::IN_ONLYDIR) && node.disk.fs.stat(inode)?.kind != InodeKind::Directory {
        return Err(Errno::ENOTDIR.into());
    }
    let before = node.volatile.inotify.watch_of(number, inode);
    let kept = match before {
        Some(_) if has(linux::IN_MASK_CREATE) => return Err(Errno::EEXIST.into()),
        Some((_, before)) if has(linux::IN_MASK_ADD) => before,
        _ => 0,
    };
    let mask = kept | mask & (linux::IN_ALL_EVENTS | OPTIONS);
    let watch = node.volatile.inotify.watch(number, inode, mask);
    Ok(Reply::Value(watch.ok_or(Errno::EBADF)?.into()))
}

pub(crate) fn inotify_rm_watch<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let watch = call.arg32(1)?;
    let number = instance(call)?;
    let is_there = call.node_mut().volatile.inotify.unwatch(number, watch);
    if is_there { Ok(Reply::Value(0)) } else { Err(Errno::EINVAL.into()) }
}

/// Takes bytes out; see `sys/io.rs`.
pub(crate) fn read<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    want: u64,
) -> Result<TransferProgress<ByteData>, CallHalt> {
    let node = call.node_mut();
    let FileKind::Inotify(number) = node.file(file).kind else { return Err(Errno::EBADF.into()) };
    let bytes = node.volatile.inotify.take(number, want as usize).ok_or(Errno::EINVAL)?;
    if !bytes.is_empty() {
        return Ok(TransferProgress::Done(ByteData::Known(bytes.into())));
    }
    if node.file(file).nonblocking() {
        return Err(Errno::EAGAIN.into());
    }
    Ok(TransferProgress::Wait(Wait::file(file, linux::POLLIN)))
}

/// An open file that may be an instance is gone.
pub(crate) fn closed(node: &mut Node, file: &OpenFile) {
    if let FileKind::Inotify(number) = file.kind {
        node.volatile.inotify.remove(number);
    }
}
