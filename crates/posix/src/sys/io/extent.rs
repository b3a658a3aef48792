//! The size of a file, and its safety on disk: `truncate`, `fallocate`, `fsync`.

use everett_fs::{AccessMode, FollowLinks, InodeId, InodeKind, MAX_FILE_BYTES};
use linux_raw_sys::general as linux;
use syscalls::Errno;

use super::data::check_seals;
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::file::FileKind;
use crate::state::ids::FileId;
use crate::state::node::Node;
use crate::sys::path::{self, PathSubject, with_context};

// ---- size ----------------------------------------------------------------------------------

pub(crate) fn truncate<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let size = call.arg(1)?;
    if (size as i64) < 0 {
        return Err(Errno::EINVAL.into());
    }
    let subject = path::named(call, 0, FollowLinks::Yes)?;
    let PathSubject::Inode(inode) = subject else { return Err(Errno::EINVAL.into()) };
    let node = call.node();
    match node.disk.fs.stat(inode)?.kind {
        InodeKind::File => {}
        InodeKind::Directory => return Err(Errno::EISDIR.into()),
        _ => return Err(Errno::EINVAL.into()),
    }
    node.disk.fs.permission(inode, AccessMode::WRITE, &node.credentials())?;
    set_size(call, inode, size)
}

pub(crate) fn ftruncate<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let size = call.arg(1)?;
    if (size as i64) < 0 {
        return Err(Errno::EINVAL.into());
    }
    let file = call.file_arg(0)?;
    let open = call.node().file(file);
    match open.kind {
        FileKind::Path(_) => Err(Errno::EBADF.into()),
        FileKind::Regular(inode) if open.writable() => set_size(call, inode, size),
        _ => Err(Errno::EINVAL.into()),
    }
}

fn set_size<X: Guest>(call: &mut Call<'_, '_, X>, inode: InodeId, size: u64) -> Answer {
    let old = call.node().disk.fs.stat(inode)?.size;
    if size > old {
        check_limit(call, size)?;
    }
    check_size(call.node(), inode, size)?;
    with_context(call.node_mut(), |fs, ctx| fs.truncate(ctx, inode, size))?;
    Ok(Reply::Value(0))
}

/// Fails if a file is sealed against a change of its size.
fn check_size(node: &Node, inode: InodeId, size: u64) -> Result<(), CallHalt> {
    let old = node.disk.fs.stat(inode)?.size;
    let is_forbidden = node.volatile.seals.forbid_size(inode, old, size);
    if is_forbidden { Err(Errno::EPERM.into()) } else { Ok(()) }
}

/// Fails if a file must not grow to this size.
fn check_limit<X: Guest>(call: &mut Call<'_, '_, X>, size: u64) -> Result<(), CallHalt> {
    if size > call.node().process().limits.file_size() {
        return Err(path::too_large(call));
    }
    Ok(())
}

pub(crate) fn fallocate<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let file = call.file_arg(0)?;
    let mode = call.arg32(1)?;
    let (offset, len) = (call.arg(2)?, call.arg(3)?);
    let keep = linux::FALLOC_FL_KEEP_SIZE;
    let punch = linux::FALLOC_FL_PUNCH_HOLE;
    let zero = linux::FALLOC_FL_ZERO_RANGE;
    if (offset as i64) < 0 || (len as i64) <= 0 {
        return Err(Errno::EINVAL.into());
    }
    match mode & !keep {
        0 | linux::FALLOC_FL_ZERO_RANGE => {}
        linux::FALLOC_FL_PUNCH_HOLE if mode & keep != 0 => {}
        _ => return Err(Errno::EOPNOTSUPP.into()),
    }
    let inode = for_space(call, file)?;
    let end = offset.checked_add(len).filter(|end| *end <= MAX_FILE_BYTES).ok_or(Errno::EFBIG)?;
    let size = call.node().disk.fs.stat(inode)?.size;
    let grows = mode & keep == 0 && end > size;
    if grows {
        check_limit(call, end)?;
    }
    if mode & (punch | zero) != 0 {
        check_seals(call.node(), inode, size)?;
    }
    if grows {
        check_size(call.node(), inode, end)?;
    }
    with_context(call.node_mut(), |fs, ctx| {
        if mode & (punch | zero) != 0 {
            fs.punch(ctx, inode, offset, len)?;
        }
        // Space is there whether it was asked for or not.
        if grows { fs.truncate(ctx, inode, end) } else { Ok(()) }
    })?;
    Ok(Reply::Value(0))
}

/// The inode of a file that space can be allocated for.
fn for_space<X: Guest>(call: &Call<'_, '_, X>, file: FileId) -> Result<InodeId, Errno> {
    let open = call.node().file(file);
    match open.kind {
        _ if !open.writable() => Err(Errno::EBADF),
        FileKind::Regular(inode) => Ok(inode),
        FileKind::Pipe { .. } | FileKind::Stream(_) => Err(Errno::ESPIPE),
        FileKind::Directory(_) => Err(Errno::EISDIR),
        _ => Err(Errno::ENODEV),
    }
}

// ---- safety --------------------------------------------------------------------------------

pub(crate) fn fsync<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let inode = syncable(call)?;
    call.node_mut().disk.fs.sync(inode)?;
    Ok(Reply::Value(0))
}

pub(crate) fn fdatasync<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let inode = syncable(call)?;
    call.node_mut().disk.fs.sync_data(inode)?;
    Ok(Reply::Value(0))
}

/// The inode of a file that can be synced.
fn syncable<X: Guest>(call: &mut Call<'_, '_, X>) -> Result<InodeId, CallHalt> {
    let file = call.file_arg(0)?;
    match call.node().file(file).kind {
        FileKind::Regular(inode) | FileKind::Directory(inode) => Ok(inode),
        FileKind::Path(_) => Err(Errno::EBADF.into()),
        _ => Err(Errno::EINVAL.into()),
    }
}

pub(crate) fn sync<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    call.node_mut().disk.fs.sync_all();
    Ok(Reply::Value(0))
}

pub(crate) fn syncfs<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    not_path(call, 0)?;
    sync(call)
}

/// The file of a descriptor that is not `O_PATH`.
fn not_path<X: Guest>(call: &mut Call<'_, '_, X>, index: usize) -> Result<FileId, CallHalt> {
    let file = call.file_arg(index)?;
    if call.node().file(file).is_path() { Err(Errno::EBADF.into()) } else { Ok(file) }
}

/// Starts or awaits writing, without the promise that `fsync` makes.
pub(crate) fn sync_file_range<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let file = not_path(call, 0)?;
    let (offset, len, flags) = (call.arg(1)? as i64, call.arg(2)? as i64, call.arg32(3)?);
    let known = linux::SYNC_FILE_RANGE_WAIT_BEFORE
        | linux::SYNC_FILE_RANGE_WRITE
        | linux::SYNC_FILE_RANGE_WAIT_AFTER;
    if flags & !known != 0 || offset < 0 || offset.checked_add(len).is_none_or(|end| end < offset) {
        return Err(Errno::EINVAL.into());
    }
    match call.node().file(file).kind {
        FileKind::Regular(_) | FileKind::Directory(_) => Ok(Reply::Value(0)),
        _ => Err(Errno::ESPIPE.into()),
    }
}

// ---- advice --------------------------------------------------------------------------------

/// Everything is in memory, so all advice is good.
pub(crate) fn fadvise64<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let file = not_path(call, 0)?;
    let (len, advice) = (call.arg(2)? as i64, call.arg32(3)?);
    match call.node().file(file).kind {
        FileKind::Pipe { .. } | FileKind::Stream(_) => return Err(Errno::ESPIPE.into()),
        _ => {}
    }
    if len < 0 || advice > linux::POSIX_FADV_NOREUSE {
        return Err(Errno::EINVAL.into());
    }
    Ok(Reply::Value(0))
}

pub(crate) fn readahead<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let file = call.file_arg(0)?;
    let open = call.node().file(file);
    match open.kind {
        _ if !open.readable() => Err(Errno::EBADF.into()),
        FileKind::Regular(_) => Ok(Reply::Value(0)),
        _ => Err(Errno::EINVAL.into()),
    }
}
