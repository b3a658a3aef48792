//! Names of files: links, renaming, removing, special files.

use everett_fs::{DeviceNumber, FollowLinks, FsError, InodeId, InodeKind, RenameMode};
use linux_raw_sys::general as linux;
use syscalls::Errno;

use super::path::{self, PathIntent, PathName, PathSubject, with_context};
use crate::boot::tree;
use crate::kernel::Guest;
use crate::kernel::call::{Call, PATH_MAX};
use crate::kernel::reply::{Answer, CallHalt, Reply};

// ---- hard links ----------------------------------------------------------------------------

pub(crate) fn link<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let old = path::name(call, None, 0, PathIntent::Find)?;
    let new = path::name(call, None, 1, PathIntent::Make)?;
    link_name(call, &old, FollowLinks::No, &new)
}

pub(crate) fn linkat<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let flags = call.arg32(4)?;
    if flags & !(linux::AT_SYMLINK_FOLLOW | linux::AT_EMPTY_PATH) != 0 {
        return Err(Errno::EINVAL.into());
    }
    let follow =
        if flags & linux::AT_SYMLINK_FOLLOW != 0 { FollowLinks::Yes } else { FollowLinks::No };
    if flags & linux::AT_EMPTY_PATH == 0 {
        let old = path::name(call, Some(0), 1, PathIntent::Find)?;
        let new = path::name(call, Some(2), 3, PathIntent::Make)?;
        return link_name(call, &old, follow, &new);
    }
    let at = linux::AT_EMPTY_PATH
        | if follow == FollowLinks::No { linux::AT_SYMLINK_NOFOLLOW } else { 0 };
    let subject = path::subject(call, Some(0), 1, at)?;
    let new = path::name(call, Some(2), 3, PathIntent::Make)?;
    let PathSubject::Inode(inode) = subject else { return Err(Errno::EXDEV.into()) };
    link_inode(call, inode, &new)
}

fn link_name<X: Guest>(
    call: &mut Call<'_, '_, X>,
    old: &PathName,
    follow: FollowLinks,
    new: &PathName,
) -> Answer {
    match path::find(call, old, follow)? {
        PathSubject::Inode(inode) => link_inode(call, inode, new),
        PathSubject::File(_) => Err(Errno::EXDEV.into()),
    }
}

fn link_inode<X: Guest>(call: &mut Call<'_, '_, X>, inode: InodeId, new: &PathName) -> Answer {
    if call.node().disk.fs.stat(inode)?.tag == tree::NEVER_NAMED {
        return Err(Errno::ENOENT.into());
    }
    with_context(call.node_mut(), |fs, ctx| fs.link_inode(&ctx.at(new.start), inode, &new.text))?;
    Ok(Reply::Value(0))
}

// ---- symbolic links ------------------------------------------------------------------------

pub(crate) fn symlink<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    make_symlink(call, None, 1)
}

pub(crate) fn symlinkat<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    make_symlink(call, Some(1), 2)
}

fn make_symlink<X: Guest>(call: &mut Call<'_, '_, X>, dir: Option<usize>, path: usize) -> Answer {
    let address = call.arg(0)?;
    let target = call.read_text(address, PATH_MAX)?.ok_or(Errno::ENAMETOOLONG)?;
    if target.is_empty() {
        return Err(Errno::ENOENT.into());
    }
    let name = path::name(call, dir, path, PathIntent::Make)?;
    with_context(call.node_mut(), |fs, ctx| fs.symlink(&ctx.at(name.start), &target, &name.text))?;
    Ok(Reply::Value(0))
}

pub(crate) fn readlink<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    read_symlink(call, None, 0)
}

pub(crate) fn readlinkat<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    read_symlink(call, Some(0), 1)
}

fn read_symlink<X: Guest>(call: &mut Call<'_, '_, X>, dir: Option<usize>, path: usize) -> Answer {
    let (address, room) = (call.arg(path + 1)?, call.arg32(path + 2)? as i32);
    if room <= 0 {
        return Err(Errno::EINVAL.into());
    }
    // An empty name is the link that the descriptor stands for.
    let at = linux::AT_SYMLINK_NOFOLLOW | if dir.is_some() { linux::AT_EMPTY_PATH } else { 0 };
    let subject = path::subject(call, dir, path, at)?;
    let PathSubject::Inode(inode) = subject else { return Err(Errno::EINVAL.into()) };
    let node = call.node_mut();
    let text = match tree::special(node, inode) {
        Some(special) => path::link_text(node, special)?,
        None => match with_context(node, |fs, ctx| fs.readlink(ctx, inode)) {
            // That a descriptor stands for something else is no error of an argument.
            Err(FsError::Invalid) if is_empty_name(call, dir, path)? => {
                return Err(Errno::ENOENT.into());
            }
            text => text?.to_vec(),
        },
    };
    let text = &text[..text.len().min(room as usize)];
    call.write_concrete(address, text)?;
    Ok(Reply::Value(text.len() as u64))
}

fn is_empty_name<X: Guest>(
    call: &mut Call<'_, '_, X>,
    dir: Option<usize>,
    path: usize,
) -> Result<bool, CallHalt> {
    let address = call.arg(path)?;
    Ok(dir.is_some() && call.read_number(address, 1)? == 0)
}

// ---- removing and renaming -----------------------------------------------------------------

pub(crate) fn unlink<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let name = path::name(call, None, 0, PathIntent::Find)?;
    with_context(call.node_mut(), |fs, ctx| fs.unlink(&ctx.at(name.start), &name.text))?;
    Ok(Reply::Value(0))
}

pub(crate) fn unlinkat<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let flags = call.arg32(2)?;
    if flags & !linux::AT_REMOVEDIR != 0 {
        return Err(Errno::EINVAL.into());
    }
    let name = path::name(call, Some(0), 1, PathIntent::Find)?;
    with_context(call.node_mut(), |fs, ctx| match flags {
        0 => fs.unlink(&ctx.at(name.start), &name.text),
        _ => fs.rmdir(&ctx.at(name.start), &name.text),
    })?;
    Ok(Reply::Value(0))
}

pub(crate) fn rename<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    move_name(call, (None, 0), (None, 1), RenameMode::Replace)
}

pub(crate) fn renameat<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    move_name(call, (Some(0), 1), (Some(2), 3), RenameMode::Replace)
}

pub(crate) fn renameat2<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let mode = match call.arg32(4)? {
        0 => RenameMode::Replace,
        linux::RENAME_NOREPLACE => RenameMode::NoReplace,
        linux::RENAME_EXCHANGE => RenameMode::Exchange,
        linux::RENAME_WHITEOUT => return Err(call.unsupported("RENAME_WHITEOUT")),
        _ => return Err(Errno::EINVAL.into()),
    };
    move_name(call, (Some(0), 1), (Some(2), 3), mode)
}

/// Renames; a side is its directory's argument, if it has one, and its name's.
fn move_name<X: Guest>(
    call: &mut Call<'_, '_, X>,
    old: (Option<usize>, usize),
    new: (Option<usize>, usize),
    mode: RenameMode,
) -> Answer {
    let intent = if mode == RenameMode::Exchange { PathIntent::Find } else { PathIntent::Make };
    let old = path::name(call, old.0, old.1, PathIntent::Find)?;
    let new = path::name(call, new.0, new.1, intent)?;
    with_context(call.node_mut(), |fs, ctx| {
        fs.rename(&ctx.at(old.start), &old.text, &ctx.at(new.start), &new.text, mode)
    })?;
    Ok(Reply::Value(0))
}

// ---- special files -------------------------------------------------------------------------

pub(crate) fn mknod<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    make_node(call, None, 0)
}

pub(crate) fn mknodat<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    make_node(call, Some(0), 1)
}

fn make_node<X: Guest>(call: &mut Call<'_, '_, X>, dir: Option<usize>, path: usize) -> Answer {
    let (mode, device) = (call.arg32(path + 1)?, call.arg32(path + 2)?);
    let kind = match mode & linux::S_IFMT {
        0 => InodeKind::File,
        bits => InodeKind::from_mode_bits(bits).ok_or(Errno::EINVAL)?,
    };
    match kind {
        InodeKind::Directory => return Err(Errno::EPERM.into()),
        InodeKind::Symlink => return Err(Errno::EINVAL.into()),
        _ => {}
    }
    let device = DeviceNumber::from_rdev(device.into());
    let name = path::name(call, dir, path, PathIntent::Make)?;
    with_context(call.node_mut(), |fs, ctx| {
        fs.mknod(&ctx.at(name.start), &name.text, kind, mode & 0o7777, device)
    })?;
    Ok(Reply::Value(0))
}
