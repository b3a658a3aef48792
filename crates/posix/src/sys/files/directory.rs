//! Directories: listing, making, removing, and where a process is.

use everett_fs::{DirEntry, FollowLinks, InodeId, InodeKind};
use syscalls::Errno;

use super::path::{self, PathIntent, PathSubject, with_context};
use crate::boot::tree;
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::file::FileKind;

// ---- listing -------------------------------------------------------------------------------

/// Entries that are looked at in one go.
const ENTRIES: usize = 64;

pub(crate) fn getdents64<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    list(call, |entry| {
        // Number, cookie, length, kind, name.
        let len = (19 + entry.name.len() + 1).next_multiple_of(8);
        let mut bytes = Vec::with_capacity(len);
        bytes.extend_from_slice(&u64::from(entry.inode.0).to_le_bytes());
        bytes.extend_from_slice(&entry.next.to_le_bytes());
        bytes.extend_from_slice(&(len as u16).to_le_bytes());
        bytes.push(entry.kind.dirent_type());
        bytes.extend_from_slice(&entry.name);
        bytes.resize(len, 0);
        bytes
    })
}

/// The older layout has the kind in its last byte.
pub(crate) fn getdents<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    list(call, |entry| {
        let len = (18 + entry.name.len() + 2).next_multiple_of(8);
        let mut bytes = Vec::with_capacity(len);
        bytes.extend_from_slice(&u64::from(entry.inode.0).to_le_bytes());
        bytes.extend_from_slice(&entry.next.to_le_bytes());
        bytes.extend_from_slice(&(len as u16).to_le_bytes());
        bytes.extend_from_slice(&entry.name);
        bytes.resize(len, 0);
        bytes[len - 1] = entry.kind.dirent_type();
        bytes
    })
}

/// Lists a directory from the open file's position on, as far as the buffer goes.
fn list<X: Guest>(call: &mut Call<'_, '_, X>, layout: impl Fn(&DirEntry) -> Vec<u8>) -> Answer {
    let file = call.file_arg(0)?;
    let (address, room) = (call.arg(1)?, call.arg32(2)? as usize);
    let dir = match call.node().file(file).kind {
        FileKind::Directory(dir) => dir,
        FileKind::Path(_) => return Err(Errno::EBADF.into()),
        _ => return Err(Errno::ENOTDIR.into()),
    };
    let node = call.node_mut();
    if tree::is_special(node, dir) {
        tree::refresh(node)?;
    }
    if node.disk.fs.stat(dir)?.nlink == 0 {
        return Err(Errno::ENOENT.into());
    }
    let mut bytes = Vec::new();
    let mut cookie = node.file(file).offset;
    'all: loop {
        let entries = node.disk.fs.read_dir(dir, cookie, ENTRIES)?;
        if entries.is_empty() {
            break;
        }
        for entry in entries {
            let record = layout(&entry);
            if bytes.len() + record.len() > room {
                if bytes.is_empty() {
                    return Err(Errno::EINVAL.into());
                }
                break 'all;
            }
            bytes.extend_from_slice(&record);
            cookie = entry.next;
        }
    }
    call.write_concrete(address, &bytes)?;
    let node = call.node_mut();
    node.file_mut(file).offset = cookie;
    let now = node.stamp();
    node.disk.fs.accessed(dir, now)?;
    Ok(Reply::Value(bytes.len() as u64))
}

// ---- making and removing -------------------------------------------------------------------

pub(crate) fn mkdir<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    make(call, None, 0, 1)
}

pub(crate) fn mkdirat<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    make(call, Some(0), 1, 2)
}

fn make<X: Guest>(
    call: &mut Call<'_, '_, X>,
    dir: Option<usize>,
    path: usize,
    mode: usize,
) -> Answer {
    let mode = call.arg32(mode)?;
    let name = path::name(call, dir, path, PathIntent::Make)?;
    with_context(call.node_mut(), |fs, ctx| fs.mkdir(&ctx.at(name.start), &name.text, mode))?;
    Ok(Reply::Value(0))
}

pub(crate) fn rmdir<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let name = path::name(call, None, 0, PathIntent::Find)?;
    with_context(call.node_mut(), |fs, ctx| fs.rmdir(&ctx.at(name.start), &name.text))?;
    Ok(Reply::Value(0))
}

// ---- where a process is --------------------------------------------------------------------

/// A directory that the process may search.
fn searchable<X: Guest>(
    call: &mut Call<'_, '_, X>,
    subject: PathSubject,
) -> Result<InodeId, CallHalt> {
    let PathSubject::Inode(inode) = subject else { return Err(Errno::ENOTDIR.into()) };
    let node = call.node();
    if node.disk.fs.stat(inode)?.kind != InodeKind::Directory {
        return Err(Errno::ENOTDIR.into());
    }
    node.disk.fs.permission(inode, everett_fs::AccessMode::EXECUTE, &node.credentials())?;
    Ok(inode)
}

pub(crate) fn chdir<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let subject = path::named(call, 0, FollowLinks::Yes)?;
    enter(call, subject)
}

pub(crate) fn fchdir<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let file = call.file_arg(0)?;
    let subject = path::of_file(call.node(), file);
    enter(call, subject)
}

fn enter<X: Guest>(call: &mut Call<'_, '_, X>, subject: PathSubject) -> Answer {
    let dir = searchable(call, subject)?;
    let node = call.node_mut();
    // Held for good: processes share working directories in more ways than are worth counting.
    node.disk.fs.hold(dir);
    node.process_mut().cwd = dir;
    Ok(Reply::Value(0))
}

pub(crate) fn getcwd<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (address, size) = (call.arg(0)?, call.reg(1));
    let (cwd, root) = (call.node().process().cwd, call.node().process().root);
    let mut path = call.node().disk.fs.path_of(cwd, root)?;
    path.push(0);
    let size = call.length(size, path.len() as u64)?;
    if size < path.len() as u64 {
        return Err(Errno::ERANGE.into());
    }
    call.write_concrete(address, &path)?;
    Ok(Reply::Value(path.len() as u64))
}

pub(crate) fn chroot<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let subject = path::named(call, 0, FollowLinks::Yes)?;
    let dir = searchable(call, subject)?;
    let node = call.node_mut();
    if node.process().ids.effective_uid != 0 {
        return Err(Errno::EPERM.into());
    }
    node.disk.fs.hold(dir);
    node.process_mut().root = dir;
    Ok(Reply::Value(0))
}

pub(crate) fn umask<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let new = call.arg32(0)? & 0o777;
    let old = std::mem::replace(&mut call.node_mut().process_mut().umask, new);
    Ok(Reply::Value(old.into()))
}
