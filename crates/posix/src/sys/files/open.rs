//! Opening files.

use everett_fs::{FsError, InodeId, InodeKind, OpenHow, OpenedFile};
use linux_raw_sys::general as linux;
use syscalls::Errno;

use super::path::{self, PathIntent, PathName, PathSubject, with_context, with_magic};
use super::terminal::{self, TerminalDevice};
use crate::boot::tree;
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::file::specials::{GeneratedText, SpecialInode};
use crate::state::file::{FileKind, KernelDevice, OpenFile};
use crate::state::ids::FileId;
use crate::sys::io::TransferProgress;
use crate::sys::pipe;

/// Flags that `open` knows; it ignores others.
const KNOWN: u32 = linux::O_ACCMODE
    | linux::O_CREAT
    | linux::O_EXCL
    | linux::O_NOCTTY
    | linux::O_TRUNC
    | linux::O_APPEND
    | linux::O_NONBLOCK
    | linux::O_SYNC
    | linux::FASYNC
    | linux::O_DIRECT
    | linux::O_LARGEFILE
    | linux::O_DIRECTORY
    | linux::O_NOFOLLOW
    | linux::O_NOATIME
    | linux::O_CLOEXEC
    | linux::O_PATH
    | linux::__O_TMPFILE;

/// Flags that mean something together with `O_PATH`.
const WITH_PATH: u32 = linux::O_DIRECTORY | linux::O_NOFOLLOW | linux::O_PATH | linux::O_CLOEXEC;

/// Flags that are over once the file is open; `F_GETFL` does not show them.
const ONCE: u32 =
    linux::O_CREAT | linux::O_EXCL | linux::O_NOCTTY | linux::O_TRUNC | linux::O_CLOEXEC;

/// The flags of `open_how.resolve`.
const RESOLVE_KNOWN: u64 = 0x3f;
/// Bytes of `struct open_how`, and the most that a later version of it may have.
const HOW_BYTES: u64 = 24;
const MOST_HOW_BYTES: u64 = 4096;

pub(crate) fn open<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (flags, mode) = (call.arg32(1)?, call.reg(2));
    let mode = mode_for(call, flags, mode)?;
    open_file(call, None, 0, flags & KNOWN, mode)
}

pub(crate) fn openat<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (flags, mode) = (call.arg32(2)?, call.reg(3));
    let mode = mode_for(call, flags, mode)?;
    open_file(call, Some(0), 1, flags & KNOWN, mode)
}

pub(crate) fn creat<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let mode = call.arg32(1)?;
    open_file(call, None, 0, linux::O_CREAT | linux::O_WRONLY | linux::O_TRUNC, mode)
}

pub(crate) fn openat2<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (how, size) = (call.arg(2)?, call.arg(3)?);
    match size {
        0..HOW_BYTES => return Err(Errno::EINVAL.into()),
        HOW_BYTES..=MOST_HOW_BYTES => {}
        _ => return Err(Errno::E2BIG.into()),
    }
    let unknown = call.read_settled(how.wrapping_add(HOW_BYTES), size - HOW_BYTES)?;
    if unknown.iter().any(|byte| *byte != 0) {
        return Err(Errno::E2BIG.into());
    }
    let flags = call.read_u64(how)?;
    let mode = call.read_u64(how.wrapping_add(8))?;
    let resolve = call.read_u64(how.wrapping_add(16))?;
    let makes = flags & u64::from(linux::O_CREAT | linux::__O_TMPFILE) != 0;
    let path_only = flags & u64::from(linux::O_PATH) != 0;
    if flags & !u64::from(KNOWN) != 0
        || mode & !0o7777 != 0
        || (mode != 0 && !makes)
        || resolve & !RESOLVE_KNOWN != 0
        || (path_only && flags & !u64::from(WITH_PATH) != 0)
    {
        return Err(Errno::EINVAL.into());
    }
    if resolve != 0 {
        return Err(call.unsupported(format!("resolve {resolve:#x}")));
    }
    open_file(call, Some(0), 1, flags as u32, mode as u32)
}

/// The mode, which is looked at only if a file may be made.
fn mode_for<X: Guest>(
    call: &mut Call<'_, '_, X>,
    flags: u32,
    mode: everett_interp::Reg,
) -> Result<u32, CallHalt> {
    let makes = flags & (linux::O_CREAT | linux::__O_TMPFILE) != 0;
    if makes { Ok(call.settle(mode)? as u32 & 0o7777) } else { Ok(0) }
}

/// Opens what an argument names.
fn open_file<X: Guest>(
    call: &mut Call<'_, '_, X>,
    dir: Option<usize>,
    path: usize,
    flags: u32,
    mode: u32,
) -> Answer {
    let flags = if flags & linux::O_PATH != 0 { flags & WITH_PATH } else { flags };
    let how = how(flags, mode)?;
    let intent = if how.create { PathIntent::Make } else { PathIntent::Find };
    let name = path::name(call, dir, path, intent)?;
    let node = call.node();
    node.process().descriptors.lowest_free(0, node.process().limits.open_files())?;
    let file = if flags & linux::__O_TMPFILE != 0 {
        TransferProgress::Done(unnamed(call, &name, flags, mode)?)
    } else {
        match find(call, &name, &how)? {
            FoundFile::Inode(opened) => open_inode(call, opened, flags)?,
            FoundFile::File(file) => open_again(call, file, flags)?,
        }
    };
    match file {
        TransferProgress::Wait(wait) => Ok(Reply::Wait(wait)),
        TransferProgress::Done(file) => {
            let close_on_exec = flags & linux::O_CLOEXEC != 0;
            Ok(Reply::Value(call.node_mut().open(file, close_on_exec)?.into()))
        }
    }
}

/// The flags, as the file system wants them.
fn how(flags: u32, mode: u32) -> Result<OpenHow, Errno> {
    let has = |flag: u32| flags & flag == flag;
    let access = flags & linux::O_ACCMODE;
    if has(linux::__O_TMPFILE) {
        let writes = matches!(access, linux::O_WRONLY | linux::O_RDWR);
        if !has(linux::O_TMPFILE) || has(linux::O_CREAT) || !writes {
            return Err(Errno::EINVAL);
        }
    }
    if has(linux::O_CREAT) && has(linux::O_DIRECTORY) {
        return Err(Errno::EINVAL);
    }
    Ok(OpenHow {
        // Access mode 3 asks for both rights and gives neither.
        read: access != linux::O_WRONLY,
        write: access != linux::O_RDONLY,
        create: has(linux::O_CREAT),
        exclusive: has(linux::O_EXCL),
        truncate: has(linux::O_TRUNC),
        directory: has(linux::O_DIRECTORY),
        no_follow: has(linux::O_NOFOLLOW),
        path_only: has(linux::O_PATH),
        no_atime: has(linux::O_NOATIME),
        mode,
    })
}

enum FoundFile {
    Inode(OpenedFile),
    /// A link of `/proc` led to an open file that has no name.
    File(FileId),
}

fn find<X: Guest>(
    call: &mut Call<'_, '_, X>,
    name: &PathName,
    how: &OpenHow,
) -> Result<FoundFile, CallHalt> {
    let found = with_magic(call.node_mut(), |fs, ctx, magic| {
        match fs.open(&ctx.at(name.start), &name.text, how) {
            Ok(opened) => Ok(FoundFile::Inode(opened)),
            Err(error) => magic.reached().map(FoundFile::File).ok_or(error),
        }
    });
    Ok(found?)
}

/// A file without a name (`O_TMPFILE`).
fn unnamed<X: Guest>(
    call: &mut Call<'_, '_, X>,
    name: &PathName,
    flags: u32,
    mode: u32,
) -> Result<OpenFile, CallHalt> {
    let PathSubject::Inode(dir) = path::find(call, name, everett_fs::FollowLinks::Yes)? else {
        return Err(Errno::ENOTDIR.into());
    };
    let inode = with_context(call.node_mut(), |fs, ctx| fs.create_unnamed(ctx, dir, mode))?;
    if flags & linux::O_EXCL != 0 {
        call.node_mut().disk.fs.set_tag(inode, tree::NEVER_NAMED)?;
    }
    Ok(OpenFile::new(FileKind::Regular(inode), shown_flags(flags)))
}

/// The flags as `F_GETFL` shows them.
fn shown_flags(flags: u32) -> u32 {
    if flags & linux::O_PATH != 0 { flags & !ONCE } else { flags & !ONCE | linux::O_LARGEFILE }
}

/// An open file for an inode that may be opened so.
fn open_inode<X: Guest>(
    call: &mut Call<'_, '_, X>,
    opened: OpenedFile,
    flags: u32,
) -> Result<TransferProgress<OpenFile>, CallHalt> {
    let OpenedFile { inode, kind, .. } = opened;
    let file = if flags & linux::O_PATH != 0 {
        FileKind::Path(inode)
    } else {
        match kind {
            InodeKind::File => regular(call, inode)?,
            InodeKind::Directory => FileKind::Directory(inode),
            InodeKind::CharDevice
                if let Some(device) =
                    TerminalDevice::of(call.node().disk.fs.stat(inode)?.device) =>
            {
                terminal::open(call.node_mut(), device, inode, flags)?
            }
            InodeKind::CharDevice => {
                let device = device(call.node().disk.fs.stat(inode)?.device).ok_or(Errno::ENXIO)?;
                FileKind::Device { inode, device }
            }
            InodeKind::Fifo => {
                let opened = pipe::open_fifo(call, inode, shown_flags(flags))?;
                if matches!(opened, TransferProgress::Done(_)) {
                    call.node_mut().disk.fs.hold(inode);
                }
                return Ok(opened);
            }
            InodeKind::BlockDevice | InodeKind::Socket => return Err(Errno::ENXIO.into()),
            InodeKind::Symlink => return Err(Errno::ELOOP.into()),
        }
    };
    call.node_mut().disk.fs.hold(inode);
    Ok(TransferProgress::Done(OpenFile::new(file, shown_flags(flags))))
}

/// A regular file, whose content may have to be made.
fn regular<X: Guest>(call: &Call<'_, '_, X>, inode: InodeId) -> Result<FileKind, CallHalt> {
    let node = call.node();
    match tree::special(node, inode) {
        Some(SpecialInode::File(GeneratedText::CommandLine(pid)))
            if node.find(pid).is_some_and(|process| process.arguments.is_none()) =>
        {
            Err(call.unsupported("the command line of a process with symbolic arguments"))
        }
        // Every call of every thread on a socket may change it.
        Some(SpecialInode::File(GeneratedText::Network(_)))
            if node.path.reduces_orders && node.thread_count() > 1 =>
        {
            Err(call.unsupported("a file of /proc/net, while all orders of threads are explored"))
        }
        Some(SpecialInode::File(text)) => {
            let text = tree::generate(node, text).ok_or(FsError::NotFound)?.into();
            Ok(FileKind::Generated { inode, text })
        }
        _ => Ok(FileKind::Regular(inode)),
    }
}

/// The device of a number that is no terminal.
fn device(number: everett_fs::DeviceNumber) -> Option<KernelDevice> {
    match (number.major, number.minor) {
        (1, 3) => Some(KernelDevice::Null),
        (1, 5) => Some(KernelDevice::Zero),
        (1, 7) => Some(KernelDevice::Full),
        (1, 8 | 9) => Some(KernelDevice::Random),
        _ => None,
    }
}

/// Opens what another descriptor stands for once more, through `/proc/self/fd`.
fn open_again<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    flags: u32,
) -> Result<TransferProgress<OpenFile>, CallHalt> {
    if flags & linux::O_PATH != 0 {
        return Err(call.unsupported("O_PATH of a file without a name"));
    }
    if flags & (linux::O_CREAT | linux::O_EXCL) == linux::O_CREAT | linux::O_EXCL {
        return Err(Errno::EEXIST.into());
    }
    match call.node().file(file).kind {
        FileKind::Stream(stream) => {
            let file = OpenFile::new(FileKind::Stream(stream), shown_flags(flags));
            Ok(TransferProgress::Done(file))
        }
        FileKind::Pipe { pipe, .. } => pipe::open_again(call, pipe, shown_flags(flags)),
        _ => Err(Errno::ENXIO.into()),
    }
}
