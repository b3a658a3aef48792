//! Path names: reading them, where they start, what they lead to.
//!
//! Handlers take a name with [`name`] (to look something up or to make it) or a file that is named or
//! open with [`subject`], and work on the file system in [`with_context`].

mod magic;
mod symbolic;

use self::magic::ProcLinks;
use crate::boot::tree;
use crate::kernel::Guest;
use crate::kernel::call::{Call, PATH_MAX};
use crate::kernel::reply::CallHalt;
use crate::signal;
use crate::state::file::FileKind;
use crate::state::ids::FileId;
use crate::state::node::{Node, VolatileState};

#[cfg(test)]
mod tests;

use everett_fs::{Credentials, FollowLinks, Fs, FsContext, FsError, InodeId, InodeKind};
use everett_interp::UnsupportedFeature;
use everett_memory::ByteValue;
use linux_raw_sys::general as linux;
use syscalls::Errno;

pub(crate) use self::magic::link_text;

/// What the file system refuses is an error number; trouble with a file of the host is no fault of
/// the program, and stops the path.
impl From<FsError> for CallHalt {
    fn from(error: FsError) -> CallHalt {
        match error {
            FsError::Host { .. } => {
                let (function, reason) = ("file system".to_owned(), error.to_string());
                CallHalt::Halt(UnsupportedFeature::Primitive { function, reason }.into())
            }
            error => Errno::new(error.errno()).into(),
        }
    }
}

/// The use that a call makes of the name that it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathIntent {
    /// It wants what is there.
    Find,
    /// It makes something new.
    Make,
}

/// A path name and the directory where it starts if it is relative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathName {
    pub(crate) start: InodeId,
    pub(crate) text: Vec<u8>,
}

/// The file that a call works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathSubject {
    Inode(InodeId),
    /// An open file that is not in the file system, such as a pipe.
    File(FileId),
}

/// Works on the file system as the running process: from its working directory, with its rights.
pub(crate) fn with_context<R>(
    node: &mut Node,
    work: impl FnOnce(&mut Fs<ByteValue>, &FsContext<'_>) -> Result<R, FsError>,
) -> Result<R, FsError> {
    with_magic(node, |fs, ctx, _| work(fs, ctx))
}

/// The same, with a look at which links of `/proc` were followed.
pub(crate) fn with_magic<R>(
    node: &mut Node,
    work: impl FnOnce(&mut Fs<ByteValue>, &FsContext<'_>, &ProcLinks<'_>) -> Result<R, FsError>,
) -> Result<R, FsError> {
    let cred = node.credentials();
    with_rights(node, &cred, work)
}

/// The same, with the rights of another user.
fn with_rights<R>(
    node: &mut Node,
    cred: &Credentials,
    work: impl FnOnce(&mut Fs<ByteValue>, &FsContext<'_>, &ProcLinks<'_>) -> Result<R, FsError>,
) -> Result<R, FsError> {
    let now = node.stamp();
    let process = node.process();
    let (root, start, umask) = (process.root, process.cwd, process.umask);
    let Node { disk, volatile, .. } = node;
    let VolatileState { processes, files, specials, running, .. } = volatile;
    let magic = ProcLinks::new(processes, files, specials, running.0);
    let ctx = FsContext { root, start, cred, umask, now, magic: Some(&magic) };
    work(&mut disk.fs, &ctx, &magic)
}

/// Makes a regular file without a name, of this size, for the running process. It is held once.
pub(crate) fn nameless_file(node: &mut Node, bytes: u64) -> Result<InodeId, FsError> {
    let (owner, root) = (node.credentials(), node.disk.fs.root());
    with_rights(node, &Credentials::root(), |fs, ctx, _| {
        let inode = fs.create_unnamed(&FsContext { umask: 0, ..*ctx }, root, 0o777)?;
        fs.chown(ctx, inode, Some(owner.uid), Some(owner.gid))?;
        fs.truncate(ctx, inode, bytes)?;
        Ok(inode)
    })
}

/// The name in argument `path`, which starts where descriptor argument `dir` says.
pub(crate) fn name<X: Guest>(
    call: &mut Call<'_, '_, X>,
    dir: Option<usize>,
    path: usize,
    intent: PathIntent,
) -> Result<PathName, CallHalt> {
    match name_or_empty(call, dir, path, intent)? {
        Some(name) => Ok(name),
        None => Err(Errno::ENOENT.into()),
    }
}

/// The same; `None` if the name is empty.
fn name_or_empty<X: Guest>(
    call: &mut Call<'_, '_, X>,
    dir: Option<usize>,
    path: usize,
    intent: PathIntent,
) -> Result<Option<PathName>, CallHalt> {
    let address = call.arg(path)?;
    let name = match read_name(call, address)? {
        PathText::Known(text) if text.is_empty() => return Ok(None),
        PathText::Known(text) => {
            let start = start(call, dir, text.first() == Some(&b'/'))?;
            let name = PathName { start, text };
            symbolic::replay(call, &name)?;
            name
        }
        PathText::Symbolic(bytes) => {
            let absolute = matches!(bytes[0], ByteValue::Concrete(b'/'));
            let start = start(call, dir, absolute)?;
            match symbolic::settle(call, start, &bytes, intent)? {
                text if text.is_empty() => return Ok(None),
                text => PathName { start, text },
            }
        }
    };
    show_processes(call.node_mut(), &name)?;
    Ok(Some(name))
}

/// `/proc` is brought up to date before it is looked at.
fn show_processes(node: &mut Node, name: &PathName) -> Result<(), FsError> {
    let mentions = |part: &[u8]| name.text.windows(part.len()).any(|window| window == part);
    if mentions(b"proc") || mentions(b"dev/") || tree::is_special(node, name.start) {
        tree::refresh(node)?;
    }
    Ok(())
}

/// The file that a name leads to.
pub(crate) fn find<X: Guest>(
    call: &mut Call<'_, '_, X>,
    name: &PathName,
    follow: FollowLinks,
) -> Result<PathSubject, CallHalt> {
    let cred = call.node().credentials();
    find_as(call, &cred, name, follow)
}

fn find_as<X: Guest>(
    call: &mut Call<'_, '_, X>,
    cred: &Credentials,
    name: &PathName,
    follow: FollowLinks,
) -> Result<PathSubject, CallHalt> {
    let found = with_rights(call.node_mut(), cred, |fs, ctx, magic| {
        match fs.resolve(&ctx.at(name.start), &name.text, follow) {
            Ok(inode) => Ok(PathSubject::Inode(inode)),
            Err(error) => magic.reached().map(PathSubject::File).ok_or(error),
        }
    });
    Ok(found?)
}

/// The file that a call with `AT_` flags works on: the one that argument `path` names, or, if that is
/// empty and `AT_EMPTY_PATH` is given, the one of descriptor argument `dir`.
pub(crate) fn subject<X: Guest>(
    call: &mut Call<'_, '_, X>,
    dir: Option<usize>,
    path: usize,
    flags: u32,
) -> Result<PathSubject, CallHalt> {
    let cred = call.node().credentials();
    subject_as(call, &cred, dir, path, flags)
}

/// The same, looked up with the rights of another user.
pub(crate) fn subject_as<X: Guest>(
    call: &mut Call<'_, '_, X>,
    cred: &Credentials,
    dir: Option<usize>,
    path: usize,
    flags: u32,
) -> Result<PathSubject, CallHalt> {
    let follow =
        if flags & linux::AT_SYMLINK_NOFOLLOW != 0 { FollowLinks::No } else { FollowLinks::Yes };
    match name_or_empty(call, dir, path, PathIntent::Find)? {
        Some(name) => find_as(call, cred, &name, follow),
        None if flags & linux::AT_EMPTY_PATH == 0 => Err(Errno::ENOENT.into()),
        None => match dir {
            Some(dir) if call.arg32(dir)? as i32 != linux::AT_FDCWD => {
                let file = call.file_arg(dir)?;
                Ok(of_file(call.node(), file))
            }
            _ => Ok(PathSubject::Inode(call.node().process().cwd)),
        },
    }
}

/// The file that argument `path` names, in the working directory.
pub(crate) fn named<X: Guest>(
    call: &mut Call<'_, '_, X>,
    path: usize,
    follow: FollowLinks,
) -> Result<PathSubject, CallHalt> {
    let name = name(call, None, path, PathIntent::Find)?;
    find(call, &name, follow)
}

/// The file that an open file stands for.
pub(crate) fn of_file(node: &Node, file: FileId) -> PathSubject {
    node.file(file).inode().map_or(PathSubject::File(file), PathSubject::Inode)
}

/// The directory where relative names start.
fn start<X: Guest>(
    call: &mut Call<'_, '_, X>,
    dir: Option<usize>,
    absolute: bool,
) -> Result<InodeId, CallHalt> {
    let cwd = call.node().process().cwd;
    let Some(dir) = dir.filter(|_| !absolute) else { return Ok(cwd) };
    if call.reg(dir).as_word().is_some_and(|number| number as i32 == linux::AT_FDCWD) {
        return Ok(cwd);
    }
    if call.reg(dir).term().is_some() && call.arg32(dir)? as i32 == linux::AT_FDCWD {
        return Ok(cwd);
    }
    let file = call.file_arg(dir)?;
    match call.node().file(file).kind {
        FileKind::Directory(inode) => Ok(inode),
        FileKind::Path(inode) if call.node().disk.fs.stat(inode)?.kind == InodeKind::Directory => {
            Ok(inode)
        }
        _ => Err(Errno::ENOTDIR.into()),
    }
}

/// A name as it is in memory.
enum PathText {
    Known(Vec<u8>),
    /// At least one byte; a symbolic one may be the terminator.
    Symbolic(Vec<ByteValue>),
}

/// Reads a path name.
fn read_name<X: Guest>(call: &mut Call<'_, '_, X>, address: u64) -> Result<PathText, CallHalt> {
    const STEP: u64 = 128;
    let mut text = Vec::new();
    while text.len() < PATH_MAX {
        let at = address.wrapping_add(text.len() as u64);
        call.check_readable(at, 1)?;
        let room = call.st.mem.check(at, 1).map_or(1, |object| object.end() - at);
        let mut part = [0; STEP as usize];
        let part = &mut part[..room.min(STEP).min((PATH_MAX - text.len()) as u64) as usize];
        if !call.st.mem.read_bytes(at, part) {
            return read_mixed_name(call, address);
        }
        match part.iter().position(|byte| *byte == 0) {
            None => text.extend_from_slice(part),
            Some(end) => {
                text.extend_from_slice(&part[..end]);
                return Ok(PathText::Known(text));
            }
        }
    }
    Err(Errno::ENAMETOOLONG.into())
}

/// Reads a path name with symbolic bytes in it, or behind it.
fn read_mixed_name<X: Guest>(
    call: &mut Call<'_, '_, X>,
    address: u64,
) -> Result<PathText, CallHalt> {
    let room = call.st.mem.check(address, 1).map_or(1, |object| object.end() - address);
    let raw = call.read(address, room.min(PATH_MAX as u64))?;
    let bytes = match raw.iter().position(|byte| *byte == ByteValue::Concrete(0)) {
        Some(end) => raw[..end].to_vec(),
        // Only a symbolic byte can end it: where none does, it runs over the end of its object.
        None => match call.read_string(address, PATH_MAX)? {
            Some(text) => text,
            None => return Err(Errno::ENAMETOOLONG.into()),
        },
    };
    let known: Option<Vec<u8>> = bytes.iter().map(|byte| u8::try_from(*byte).ok()).collect();
    Ok(known.map_or(PathText::Symbolic(bytes), PathText::Known))
}

/// The failure of a call that would make a file larger than the process may.
pub(crate) fn too_large<X: Guest>(call: &mut Call<'_, '_, X>) -> CallHalt {
    let node = call.node_mut();
    let (pid, tid) = node.volatile.running;
    // The thread itself is there to get it.
    let _ = signal::send(node, pid, Some(tid), signal::from_kernel(linux::SIGXFSZ));
    Errno::EFBIG.into()
}
