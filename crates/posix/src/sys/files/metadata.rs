//! Calls on the metadata of files: rights, owners, times; extended attributes, which they do not have.

use everett_fs::{AccessMode, Credentials, FollowLinks, InodeId, InodeKind, TimeChange};
use linux_raw_sys::general as linux;
use syscalls::Errno;

use super::path::{self, PathSubject, with_context};
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};

// ---- rights --------------------------------------------------------------------------------

pub(crate) fn access<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let mode = call.arg32(1)?;
    check_access(call, None, 0, mode, 0)
}

pub(crate) fn faccessat<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let mode = call.arg32(2)?;
    check_access(call, Some(0), 1, mode, 0)
}

pub(crate) fn faccessat2<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (mode, flags) = (call.arg32(2)?, call.arg32(3)?);
    let known = linux::AT_EACCESS | linux::AT_SYMLINK_NOFOLLOW | linux::AT_EMPTY_PATH;
    if flags & !known != 0 {
        return Err(Errno::EINVAL.into());
    }
    check_access(call, Some(0), 1, mode, flags)
}

/// Checks that the real user (the effective one with `AT_EACCESS`) may access a file.
fn check_access<X: Guest>(
    call: &mut Call<'_, '_, X>,
    dir: Option<usize>,
    path: usize,
    mode: u32,
    flags: u32,
) -> Answer {
    if mode & !7 != 0 {
        return Err(Errno::EINVAL.into());
    }
    let cred = if flags & linux::AT_EACCESS != 0 {
        call.node().credentials()
    } else {
        let ids = &call.node().process().ids;
        Credentials { uid: ids.real_uid, gid: ids.real_gid, groups: ids.groups.clone() }
    };
    // Directories on the way are searched with the same rights.
    let subject = path::subject_as(call, &cred, dir, path, flags);
    match subject? {
        PathSubject::Inode(inode) => {
            call.node().disk.fs.permission(inode, AccessMode::from_bits(mode), &cred)?;
        }
        PathSubject::File(_) if mode & linux::X_OK != 0 => return Err(Errno::EACCES.into()),
        PathSubject::File(_) => {}
    }
    Ok(Reply::Value(0))
}

pub(crate) fn chmod<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let mode = call.arg32(1)?;
    let subject = path::named(call, 0, FollowLinks::Yes)?;
    set_mode(call, subject, mode)
}

pub(crate) fn fchmod<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let mode = call.arg32(1)?;
    let subject = open_subject(call, 0)?;
    set_mode(call, subject, mode)
}

pub(crate) fn fchmodat<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let mode = call.arg32(2)?;
    let subject = path::subject(call, Some(0), 1, 0)?;
    set_mode(call, subject, mode)
}

pub(crate) fn fchmodat2<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (mode, flags) = (call.arg32(2)?, call.arg32(3)?);
    if flags & !(linux::AT_SYMLINK_NOFOLLOW | linux::AT_EMPTY_PATH) != 0 {
        return Err(Errno::EINVAL.into());
    }
    let subject = path::subject(call, Some(0), 1, flags)?;
    set_mode(call, subject, mode)
}

fn set_mode<X: Guest>(call: &mut Call<'_, '_, X>, subject: PathSubject, mode: u32) -> Answer {
    if let PathSubject::Inode(inode) = subject {
        if call.node().disk.fs.stat(inode)?.kind == InodeKind::Symlink {
            return Err(Errno::EOPNOTSUPP.into());
        }
        with_context(call.node_mut(), |fs, ctx| fs.chmod(ctx, inode, mode & 0o7777))?;
    }
    // The mode of a pipe changes nothing that anybody could see but by `fstat`.
    Ok(Reply::Value(0))
}

/// The file of a descriptor that is not `O_PATH`.
fn open_subject<X: Guest>(
    call: &mut Call<'_, '_, X>,
    index: usize,
) -> Result<PathSubject, CallHalt> {
    let file = call.file_arg(index)?;
    if call.node().file(file).is_path() {
        return Err(Errno::EBADF.into());
    }
    Ok(path::of_file(call.node(), file))
}

// ---- owners --------------------------------------------------------------------------------

pub(crate) fn chown<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let subject = path::named(call, 0, FollowLinks::Yes)?;
    set_owner(call, subject, 1)
}

pub(crate) fn lchown<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let subject = path::named(call, 0, FollowLinks::No)?;
    set_owner(call, subject, 1)
}

pub(crate) fn fchown<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let subject = open_subject(call, 0)?;
    set_owner(call, subject, 1)
}

pub(crate) fn fchownat<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let flags = call.arg32(4)?;
    if flags & !(linux::AT_SYMLINK_NOFOLLOW | linux::AT_EMPTY_PATH) != 0 {
        return Err(Errno::EINVAL.into());
    }
    let subject = path::subject(call, Some(0), 1, flags)?;
    set_owner(call, subject, 2)
}

/// Sets user and group, which are in arguments from `first` on; all ones leave one as it is.
fn set_owner<X: Guest>(call: &mut Call<'_, '_, X>, subject: PathSubject, first: usize) -> Answer {
    let (uid, gid) = (call.arg32(first)?, call.arg32(first + 1)?);
    let given = |id: u32| (id != u32::MAX).then_some(id);
    if let PathSubject::Inode(inode) = subject {
        with_context(call.node_mut(), |fs, ctx| fs.chown(ctx, inode, given(uid), given(gid)))?;
    }
    Ok(Reply::Value(0))
}

// ---- times ---------------------------------------------------------------------------------

/// Times of access and change.
type Times = (TimeChange, TimeChange);

const NOW: Times = (TimeChange::Now, TimeChange::Now);

pub(crate) fn utimensat<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (path, times, flags) = (call.arg(1)?, call.arg(2)?, call.arg32(3)?);
    let times = if times == 0 { NOW } else { read_times(call, times)? };
    // It is nothing at all to keep both.
    if times == (TimeChange::Keep, TimeChange::Keep) {
        return Ok(Reply::Value(0));
    }
    if flags & !(linux::AT_SYMLINK_NOFOLLOW | linux::AT_EMPTY_PATH) != 0 {
        return Err(Errno::EINVAL.into());
    }
    let subject = if path == 0 && call.arg32(0)? as i32 != linux::AT_FDCWD {
        if flags & linux::AT_SYMLINK_NOFOLLOW != 0 {
            return Err(Errno::EINVAL.into());
        }
        open_subject(call, 0)?
    } else {
        path::subject(call, Some(0), 1, flags)?
    };
    set_times(call, subject, times)
}

/// Two `struct timespec`.
fn read_times<X: Guest>(call: &mut Call<'_, '_, X>, address: u64) -> Result<Times, CallHalt> {
    let mut one = |at: u64| -> Result<TimeChange, CallHalt> {
        let (seconds, nanoseconds) = crate::sys::time::read_timespec(call, at)?;
        match nanoseconds {
            0..1_000_000_000 => Ok(TimeChange::At(stamp(seconds, nanoseconds))),
            n if n == i64::from(linux::UTIME_NOW) => Ok(TimeChange::Now),
            n if n == i64::from(linux::UTIME_OMIT) => Ok(TimeChange::Keep),
            _ => Err(Errno::EINVAL.into()),
        }
    };
    Ok((one(address)?, one(address.wrapping_add(16))?))
}

fn stamp(seconds: i64, nanoseconds: i64) -> i64 {
    seconds.saturating_mul(1_000_000_000).saturating_add(nanoseconds)
}

/// Two `struct timeval`.
fn read_timevals<X: Guest>(call: &mut Call<'_, '_, X>, address: u64) -> Result<Times, CallHalt> {
    if address == 0 {
        return Ok(NOW);
    }
    let mut one = |at: u64| -> Result<TimeChange, CallHalt> {
        let (seconds, microseconds) = crate::sys::time::read_timespec(call, at)?;
        match microseconds {
            0..1_000_000 => Ok(TimeChange::At(stamp(seconds, microseconds * 1000))),
            _ => Err(Errno::EINVAL.into()),
        }
    };
    Ok((one(address)?, one(address.wrapping_add(16))?))
}

pub(crate) fn futimesat<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (path, times) = (call.arg(1)?, call.arg(2)?);
    let times = read_timevals(call, times)?;
    let subject = match path {
        0 => open_subject(call, 0)?,
        _ => path::subject(call, Some(0), 1, 0)?,
    };
    set_times(call, subject, times)
}

pub(crate) fn utimes<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let times = call.arg(1)?;
    let times = read_timevals(call, times)?;
    let subject = path::named(call, 0, FollowLinks::Yes)?;
    set_times(call, subject, times)
}

/// Whole seconds.
pub(crate) fn utime<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let times = match call.arg(1)? {
        0 => NOW,
        address => {
            let access = call.read_u64(address)? as i64;
            let change = call.read_u64(address.wrapping_add(8))? as i64;
            (TimeChange::At(stamp(access, 0)), TimeChange::At(stamp(change, 0)))
        }
    };
    let subject = path::named(call, 0, FollowLinks::Yes)?;
    set_times(call, subject, times)
}

fn set_times<X: Guest>(
    call: &mut Call<'_, '_, X>,
    subject: PathSubject,
    (access, change): Times,
) -> Answer {
    if let PathSubject::Inode(inode) = subject {
        with_context(call.node_mut(), |fs, ctx| fs.set_times(ctx, inode, access, change))?;
    }
    Ok(Reply::Value(0))
}

// ---- extended attributes -------------------------------------------------------------------

/// The file system has none, and cannot have any.
fn no_attribute<X: Guest>(call: &mut Call<'_, '_, X>, subject: PathSubject) -> Answer {
    const NAME_BYTES: usize = 256;
    exists(call, subject)?;
    let address = call.arg(1)?;
    match call.read_text(address, NAME_BYTES)? {
        Some(name) if !name.is_empty() => Err(Errno::EOPNOTSUPP.into()),
        _ => Err(Errno::ERANGE.into()),
    }
}

pub(crate) fn named_attribute<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let follow = if call.name.starts_with('l') { FollowLinks::No } else { FollowLinks::Yes };
    let subject = path::named(call, 0, follow)?;
    no_attribute(call, subject)
}

pub(crate) fn open_attribute<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let subject = open_subject(call, 0)?;
    no_attribute(call, subject)
}

pub(crate) fn named_attribute_list<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let follow = if call.name.starts_with("ll") { FollowLinks::No } else { FollowLinks::Yes };
    let subject = path::named(call, 0, follow)?;
    exists(call, subject)?;
    Ok(Reply::Value(0))
}

pub(crate) fn open_attribute_list<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let subject = open_subject(call, 0)?;
    exists(call, subject)?;
    Ok(Reply::Value(0))
}

fn exists<X: Guest>(call: &Call<'_, '_, X>, subject: PathSubject) -> Result<(), CallHalt> {
    let check = |inode: InodeId| call.node().disk.fs.stat(inode).map(|_| ());
    match subject {
        PathSubject::Inode(inode) => Ok(check(inode)?),
        PathSubject::File(_) => Ok(()),
    }
}
