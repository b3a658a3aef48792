//! The calls that are events of files, for those that watch them.
//!
//! A call is looked at from outside: the files that its arguments name are noted before it, and what has
//! become of them is told after it. So the handlers of calls know nothing of watches, and without watches
//! nothing is done.
//!
//! Files that a process executes or maps are not told of, and those that were removed while they are open
//! only to who watches them, and not their directories (as with `IN_EXCL_UNLINK`).

use everett_fs::{FollowLinks, InodeId, InodeKind, LastComponent};
use everett_memory::ByteValue;
use linux_raw_sys::general as linux;
use smallvec::SmallVec;
use syscalls::Sysno;

use crate::kernel::Guest;
use crate::kernel::call::{Call, Handler};
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::file::{FileKind, OpenFile};
use crate::state::node::Node;
use crate::sys::path::{self, PathIntent, with_context};

/// The effect of a call on the files that its arguments name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PathEffect {
    Opens,
    Makes,
    Links,
    Removes,
    Renames,
    /// It changes the content, or attributes.
    Changes(u32),
}

/// A name that an argument gives, and the file that has it.
#[derive(Clone, Debug)]
struct NamedFile {
    dir: InodeId,
    name: Vec<u8>,
    inode: Option<InodeId>,
    kind: Option<InodeKind>,
}

type NamedFiles = SmallVec<[NamedFile; 2]>;

/// The arguments of a path: that of its directory, if there is one, and its own.
type PathArguments = (Option<usize>, usize);

/// Executes a call, and tells of what it does to files that are watched.
pub(crate) fn told<X: Guest>(call: &mut Call<'_, '_, X>, handler: Handler<X>) -> Answer {
    let noted = match path_effect(call.sysno) {
        Some((effect, paths)) => Some((effect, named_files(call, paths)?)),
        None => None,
    };
    let answer = handler(call);
    let Ok(Reply::Value(value)) = &answer else { return answer };
    let value = *value;
    match noted {
        Some((effect, files)) => tell_of_paths(call, effect, &files, value),
        None => tell_of_descriptors(call, value)?,
    }
    forget_gone(call.node_mut());
    answer
}

/// The effect of a call with paths, and for each of these the arguments of its directory and of itself.
fn path_effect(sysno: Sysno) -> Option<(PathEffect, &'static [PathArguments])> {
    const FIRST: &[PathArguments] = &[(None, 0)];
    const SECOND: &[PathArguments] = &[(None, 1)];
    const AT: &[PathArguments] = &[(Some(0), 1)];
    const AT_SECOND: &[PathArguments] = &[(Some(1), 2)];
    const BOTH: &[PathArguments] = &[(None, 0), (None, 1)];
    const BOTH_AT: &[PathArguments] = &[(Some(0), 1), (Some(2), 3)];
    const ATTRIBUTES: PathEffect = PathEffect::Changes(linux::IN_ATTRIB);
    Some(match sysno {
        Sysno::open | Sysno::creat => (PathEffect::Opens, FIRST),
        Sysno::openat | Sysno::openat2 => (PathEffect::Opens, AT),
        Sysno::mkdir | Sysno::mknod => (PathEffect::Makes, FIRST),
        Sysno::mkdirat | Sysno::mknodat => (PathEffect::Makes, AT),
        Sysno::symlink => (PathEffect::Makes, SECOND),
        Sysno::symlinkat => (PathEffect::Makes, AT_SECOND),
        Sysno::link => (PathEffect::Links, BOTH),
        Sysno::linkat => (PathEffect::Links, BOTH_AT),
        Sysno::unlink | Sysno::rmdir => (PathEffect::Removes, FIRST),
        Sysno::unlinkat => (PathEffect::Removes, AT),
        Sysno::rename => (PathEffect::Renames, BOTH),
        Sysno::renameat | Sysno::renameat2 => (PathEffect::Renames, BOTH_AT),
        Sysno::truncate => (PathEffect::Changes(linux::IN_MODIFY), FIRST),
        Sysno::chmod | Sysno::chown | Sysno::lchown | Sysno::utimes | Sysno::utime => {
            (ATTRIBUTES, FIRST)
        }
        Sysno::fchmodat | Sysno::fchmodat2 | Sysno::fchownat | Sysno::utimensat => (ATTRIBUTES, AT),
        Sysno::futimesat => (ATTRIBUTES, AT),
        _ => return None,
    })
}

/// The files that arguments name before the call. A name that leads nowhere is left out: the call fails, or
/// it is about a descriptor.
fn named_files<X: Guest>(
    call: &mut Call<'_, '_, X>,
    paths: &[PathArguments],
) -> Result<NamedFiles, CallHalt> {
    let mut files = NamedFiles::new();
    for (dir, path) in paths {
        match named_file(call, *dir, *path) {
            Ok(file) => files.extend(file),
            Err(CallHalt::Errno(_)) => {}
            Err(halt) => return Err(halt),
        }
    }
    Ok(files)
}

fn named_file<X: Guest>(
    call: &mut Call<'_, '_, X>,
    dir: Option<usize>,
    path: usize,
) -> Result<Option<NamedFile>, CallHalt> {
    let address = call.arg(path)?;
    let text = call.read_string(address, crate::kernel::call::PATH_MAX)?;
    if text.is_some_and(|text| text.iter().any(|byte| !matches!(byte, ByteValue::Concrete(_)))) {
        return Err(call.unsupported("a symbolic path name while files are watched"));
    }
    let name = path::name(call, dir, path, PathIntent::Find)?;
    let found = with_context(call.node_mut(), |fs, ctx| {
        let ctx = ctx.at(name.start);
        let parent = fs.resolve_parent(&ctx, &name.text)?;
        let LastComponent::Name(last) = parent.last else { return Ok(None) };
        let inode = fs.resolve(&ctx.at(parent.dir), &last, FollowLinks::No).ok();
        let kind = match inode {
            Some(inode) => Some(fs.stat(inode)?.kind),
            None => None,
        };
        Ok(Some(NamedFile { dir: parent.dir, name: last.to_vec(), inode, kind }))
    });
    Ok(found?)
}

/// Tells of a call with paths that has succeeded.
fn tell_of_paths<X: Guest>(
    call: &mut Call<'_, '_, X>,
    effect: PathEffect,
    files: &[NamedFile],
    value: u64,
) {
    let node = call.node_mut();
    match (effect, files) {
        (PathEffect::Opens, [file]) => {
            let Ok(descriptor) = node.descriptor(value as u32) else { return };
            let open = node.file(descriptor.file);
            let (Some(inode), false) = (open.inode(), open.is_path()) else { return };
            if file.inode.is_none() {
                tell_in(node, file, linux::IN_CREATE);
            }
            tell(node, inode, linux::IN_OPEN);
        }
        (PathEffect::Makes, [file]) => tell_in(node, file, linux::IN_CREATE),
        (PathEffect::Links, [from, to]) => {
            if let Some(inode) = from.inode {
                tell_itself(node, inode, linux::IN_ATTRIB);
            }
            tell_in(node, to, linux::IN_CREATE);
        }
        (PathEffect::Removes, [file]) => {
            let is_dir = file.kind == Some(InodeKind::Directory);
            if let Some(inode) = file.inode.filter(|_| !is_dir) {
                tell_itself(node, inode, linux::IN_ATTRIB);
            }
            forget_gone(node);
            tell_in(node, file, linux::IN_DELETE);
        }
        (PathEffect::Renames, [from, to]) => tell_of_renaming(node, from, to),
        (PathEffect::Changes(mask), [NamedFile { inode: Some(inode), .. }]) => {
            tell(node, *inode, mask);
        }
        _ => {}
    }
}

fn tell_of_renaming(node: &mut Node, from: &NamedFile, to: &NamedFile) {
    if from.inode == to.inode {
        return;
    }
    let inotify = &mut node.volatile.inotify;
    inotify.last_cookie += 1;
    let cookie = inotify.last_cookie;
    let is_dir = from.kind == Some(InodeKind::Directory);
    let of_dir = if is_dir { linux::IN_ISDIR } else { 0 };
    inotify.tell(from.dir, linux::IN_MOVED_FROM | of_dir, cookie, &from.name);
    inotify.tell(to.dir, linux::IN_MOVED_TO | of_dir, cookie, &to.name);
    if let Some(replaced) = to.inode {
        tell_itself(node, replaced, linux::IN_ATTRIB);
    }
    if let Some(inode) = from.inode {
        tell_itself(node, inode, linux::IN_MOVE_SELF);
    }
}

/// Tells of a call on open files that has succeeded.
fn tell_of_descriptors<X: Guest>(call: &mut Call<'_, '_, X>, value: u64) -> Result<(), CallHalt> {
    let moved = value > 0;
    let (index, mask) = match call.sysno {
        Sysno::read | Sysno::readv | Sysno::pread64 | Sysno::preadv | Sysno::preadv2 if moved => {
            (0, linux::IN_ACCESS)
        }
        Sysno::getdents | Sysno::getdents64 if moved => (0, linux::IN_ACCESS),
        Sysno::write | Sysno::writev | Sysno::pwrite64 | Sysno::pwritev | Sysno::pwritev2
            if moved =>
        {
            (0, linux::IN_MODIFY)
        }
        Sysno::sendfile if moved => {
            tell_open(call, 1, linux::IN_ACCESS)?;
            (0, linux::IN_MODIFY)
        }
        Sysno::copy_file_range | Sysno::splice if moved => {
            tell_open(call, 0, linux::IN_ACCESS)?;
            (2, linux::IN_MODIFY)
        }
        Sysno::ftruncate | Sysno::fallocate => (0, linux::IN_MODIFY),
        Sysno::fchmod | Sysno::fchown => (0, linux::IN_ATTRIB),
        _ => return Ok(()),
    };
    tell_open(call, index, mask)
}

/// Tells of an event of the file that a descriptor stands for.
fn tell_open<X: Guest>(
    call: &mut Call<'_, '_, X>,
    index: usize,
    mask: u32,
) -> Result<(), CallHalt> {
    let number = call.arg32(index)?;
    let node = call.node_mut();
    let Ok(descriptor) = node.descriptor(number) else { return Ok(()) };
    if let FileKind::Regular(inode) | FileKind::Directory(inode) = node.file(descriptor.file).kind {
        tell(node, inode, mask);
    }
    Ok(())
}

/// Tells of an event of a name in a directory.
fn tell_in(node: &mut Node, file: &NamedFile, mask: u32) {
    let kind = file.kind.or_else(|| {
        let fs = &mut node.disk.fs;
        let inode = fs.lookup(file.dir, &file.name).ok()??;
        Some(fs.stat(inode).ok()?.kind)
    });
    let of_dir = if kind == Some(InodeKind::Directory) { linux::IN_ISDIR } else { 0 };
    node.volatile.inotify.tell(file.dir, mask | of_dir, 0, &file.name);
}

/// Tells those that watch a file, and not its directory.
fn tell_itself(node: &mut Node, inode: InodeId, mask: u32) {
    node.volatile.inotify.tell(inode, mask, 0, &[]);
}

/// Tells those that watch the directory of a file, and those that watch the file.
fn tell(node: &mut Node, inode: InodeId, mask: u32) {
    let Ok(stat) = node.disk.fs.stat(inode) else { return };
    let of_dir = if stat.kind == InodeKind::Directory { linux::IN_ISDIR } else { 0 };
    if let Ok(path) = node.disk.fs.name_of(inode)
        && let Some(at) = path.iter().rposition(|byte| *byte == b'/')
        && at + 1 < path.len()
    {
        let cred = everett_fs::Credentials::root();
        let fs = &mut node.disk.fs;
        let ctx = everett_fs::FsContext::new(fs.root(), &cred);
        let parent = fs.resolve(&ctx, &path[..at.max(1)], FollowLinks::Yes);
        if let Ok(parent) = parent {
            node.volatile.inotify.tell(parent, mask | of_dir, 0, &path[at + 1..]);
        }
    }
    tell_itself(node, inode, mask | of_dir);
}

/// Tells of an open file whose last reference goes. Its inode is still there.
pub(crate) fn closing(node: &mut Node, file: &OpenFile) {
    if !node.volatile.inotify.has_watches() {
        return;
    }
    if let FileKind::Regular(inode) | FileKind::Directory(inode) = file.kind {
        let mask = if file.writable() { linux::IN_CLOSE_WRITE } else { linux::IN_CLOSE_NOWRITE };
        tell(node, inode, mask);
    }
}

/// Ends the watches of files that are gone.
pub(crate) fn forget_gone(node: &mut Node) {
    if !node.volatile.inotify.has_watches() {
        return;
    }
    for inode in node.volatile.inotify.watched() {
        if node.disk.fs.stat(inode).is_err() {
            node.volatile.inotify.forget(inode);
        }
    }
}
