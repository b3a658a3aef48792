//! `stat` and its relatives: what a file tells about itself.

use everett_fs::{BLOCK_BYTES, DeviceNumber, FollowLinks, InodeId, InodeKind, Stat};
use linux_raw_sys::general as linux;
use syscalls::Errno;

use super::path::{self, PathSubject};
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::file::{FileKind, StandardStream};
use crate::state::ids::FileId;
use crate::state::node::Node;
use crate::state::sockets::inode_of;

/// Bytes of `struct stat`.
const STAT_BYTES: u64 = 144;
/// Bytes of `struct statx`.
const STATX_BYTES: u64 = 256;
/// Bytes of `struct statfs`.
const STATFS_BYTES: u64 = 120;
/// The device that the file system is on.
const DISK: DeviceNumber = DeviceNumber { major: 8, minor: 1 };
/// The device that pipes are on.
const PIPES: DeviceNumber = DeviceNumber { major: 0, minor: 13 };
/// The device that sockets are on.
const SOCKETS: DeviceNumber = DeviceNumber { major: 0, minor: 8 };
/// The device that other files without a name are on.
const UNNAMED: DeviceNumber = DeviceNumber { major: 0, minor: 14 };
/// Files without a name are numbered behind the standard streams.
const FIRST_PIPE: u64 = 16;
/// The number that all other files without a name share.
const UNNAMED_INODE: u64 = 12;

/// The facts that any open file tells about itself.
#[derive(Clone, Copy, Debug)]
struct FileFacts {
    device: DeviceNumber,
    inode: u64,
    /// With the kind.
    mode: u32,
    links: u32,
    uid: u32,
    gid: u32,
    /// The device that a device file stands for.
    shown_device: DeviceNumber,
    size: u64,
    /// In units of 512 bytes.
    blocks: u64,
    atime: i64,
    mtime: i64,
    ctime: i64,
}

fn facts(node: &Node, subject: PathSubject) -> Result<FileFacts, CallHalt> {
    match subject {
        PathSubject::Inode(inode) => inode_facts(node, inode),
        PathSubject::File(file) => Ok(unnamed_facts(node, file)),
    }
}

fn inode_facts(node: &Node, inode: InodeId) -> Result<FileFacts, CallHalt> {
    let Stat { kind, mode, nlink, uid, gid, device, size, blocks, atime, mtime, ctime, .. } =
        node.disk.fs.stat(inode)?;
    Ok(FileFacts {
        device: DISK,
        inode: inode.0.into(),
        mode: kind.mode_bits() | mode,
        links: nlink,
        uid,
        gid,
        shown_device: device,
        size,
        blocks,
        atime,
        mtime,
        ctime,
    })
}

/// Files that are not in the file system; the standard streams look like pipes.
fn unnamed_facts(node: &Node, file: FileId) -> FileFacts {
    let (device, inode, kind) = match &node.file(file).kind {
        FileKind::Stream(StandardStream::In) => (PIPES, 1, InodeKind::Fifo.mode_bits()),
        FileKind::Stream(StandardStream::Out(number)) => {
            (PIPES, u64::from(*number) + 1, InodeKind::Fifo.mode_bits())
        }
        FileKind::Pipe { pipe, .. } => {
            (PIPES, FIRST_PIPE + u64::from(pipe.0), InodeKind::Fifo.mode_bits())
        }
        FileKind::Socket(socket) => (SOCKETS, inode_of(*socket), InodeKind::Socket.mode_bits()),
        _ => (UNNAMED, UNNAMED_INODE, 0),
    };
    let (ids, started) = (&node.process().ids, i64::try_from(node.clock.epoch_ns).unwrap_or(0));
    FileFacts {
        device,
        inode,
        mode: kind | if kind == InodeKind::Socket.mode_bits() { 0o777 } else { 0o600 },
        links: 1,
        uid: ids.effective_uid,
        gid: ids.effective_gid,
        shown_device: DeviceNumber::default(),
        size: 0,
        blocks: 0,
        atime: started,
        mtime: started,
        ctime: started,
    }
}

fn seconds(time: i64) -> (i64, u64) {
    (time.div_euclid(1_000_000_000), time.rem_euclid(1_000_000_000) as u64)
}

/// `struct stat` of x86-64.
fn layout(facts: &FileFacts) -> Vec<u8> {
    let FileFacts { device, inode, mode, links, uid, gid, shown_device, size, blocks, .. } = *facts;
    let mut bytes = Vec::with_capacity(STAT_BYTES as usize);
    let mut push = |word: u64| bytes.extend_from_slice(&word.to_le_bytes());
    push(device.to_rdev());
    push(inode);
    push(links.into());
    push(u64::from(mode) | u64::from(uid) << 32);
    push(gid.into());
    push(shown_device.to_rdev());
    push(size);
    push(BLOCK_BYTES);
    push(blocks);
    for time in [facts.atime, facts.mtime, facts.ctime] {
        let (seconds, nanoseconds) = seconds(time);
        push(seconds as u64);
        push(nanoseconds);
    }
    bytes.resize(STAT_BYTES as usize, 0);
    bytes
}

fn answer<X: Guest>(call: &mut Call<'_, '_, X>, subject: PathSubject, address: u64) -> Answer {
    let facts = facts(call.node(), subject)?;
    let bytes = layout(&facts);
    call.write_concrete(address, &bytes)?;
    blur_times(call, subject, &facts, [72, 88, 104].map(|offset| address + offset))?;
    Ok(Reply::Value(0))
}

/// Replaces the times of a file by one that may be anything, if the options want it so.
fn blur_times<X: Guest>(
    call: &mut Call<'_, '_, X>,
    subject: PathSubject,
    facts: &FileFacts,
    places: [u64; 3],
) -> Result<(), CallHalt> {
    let PathSubject::Inode(inode) = subject else { return Ok(()) };
    if let Some(time) = call.symbolic_time(inode, facts.mtime.max(facts.ctime))? {
        for place in places {
            call.write(place, &time)?;
        }
        call.node_mut().note_times(places);
    }
    Ok(())
}

pub(crate) fn stat<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let subject = path::named(call, 0, FollowLinks::Yes)?;
    let address = call.arg(1)?;
    answer(call, subject, address)
}

pub(crate) fn lstat<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let subject = path::named(call, 0, FollowLinks::No)?;
    let address = call.arg(1)?;
    answer(call, subject, address)
}

pub(crate) fn fstat<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let file = call.file_arg(0)?;
    let address = call.arg(1)?;
    let subject = path::of_file(call.node(), file);
    answer(call, subject, address)
}

pub(crate) fn newfstatat<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let flags = call.arg32(3)?;
    let known = linux::AT_SYMLINK_NOFOLLOW | linux::AT_NO_AUTOMOUNT | linux::AT_EMPTY_PATH;
    if flags & !(known | linux::AT_STATX_SYNC_TYPE) != 0 {
        return Err(Errno::EINVAL.into());
    }
    let subject = path::subject(call, Some(0), 1, flags)?;
    let address = call.arg(2)?;
    answer(call, subject, address)
}

pub(crate) fn statx<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (flags, mask) = (call.arg32(2)?, call.arg32(3)?);
    let known = linux::AT_SYMLINK_NOFOLLOW | linux::AT_NO_AUTOMOUNT | linux::AT_EMPTY_PATH;
    let sync = flags & linux::AT_STATX_SYNC_TYPE;
    if mask & linux::STATX__RESERVED != 0
        || flags & !(known | linux::AT_STATX_SYNC_TYPE) != 0
        || sync == linux::AT_STATX_SYNC_TYPE
    {
        return Err(Errno::EINVAL.into());
    }
    let subject = path::subject(call, Some(0), 1, flags)?;
    let address = call.arg(4)?;
    let facts = facts(call.node(), subject)?;
    let bytes = layout_x(&facts);
    call.write_concrete(address, &bytes)?;
    blur_times(call, subject, &facts, [64, 96, 112].map(|offset| address + offset))?;
    Ok(Reply::Value(0))
}

/// `struct statx`.
fn layout_x(facts: &FileFacts) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(STATX_BYTES as usize);
    let mut push = |word: u64| bytes.extend_from_slice(&word.to_le_bytes());
    push(u64::from(linux::STATX_BASIC_STATS) | BLOCK_BYTES << 32);
    // No attributes.
    push(0);
    push(u64::from(facts.links) | u64::from(facts.uid) << 32);
    push(u64::from(facts.gid) | u64::from(facts.mode) << 32);
    push(facts.inode);
    push(facts.size);
    push(facts.blocks);
    push(0);
    // The time of creation is not known.
    for time in [facts.atime, 0, facts.ctime, facts.mtime] {
        let (seconds, nanoseconds) = seconds(time);
        push(seconds as u64);
        push(nanoseconds);
    }
    for device in [facts.shown_device, facts.device] {
        push(u64::from(device.major) | u64::from(device.minor) << 32);
    }
    bytes.resize(STATX_BYTES as usize, 0);
    bytes
}

pub(crate) fn statfs<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let subject = path::named(call, 0, FollowLinks::Yes)?;
    answer_fs(call, subject)
}

pub(crate) fn fstatfs<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let file = call.file_arg(0)?;
    let subject = path::of_file(call.node(), file);
    answer_fs(call, subject)
}

fn answer_fs<X: Guest>(call: &mut Call<'_, '_, X>, subject: PathSubject) -> Answer {
    let address = call.arg(1)?;
    let node = call.node();
    let kind = match subject {
        PathSubject::Inode(inode) if crate::boot::tree::is_special(node, inode) => {
            u64::from(linux::PROC_SUPER_MAGIC)
        }
        PathSubject::Inode(_) => u64::from(linux::EXT4_SUPER_MAGIC),
        PathSubject::File(_) => 0x5049_5045,
    };
    let all = node.disk.fs.statfs();
    let relatime = 0x1020;
    let words = [
        kind,
        all.block_bytes,
        all.blocks,
        all.blocks_free,
        all.blocks_free,
        all.files,
        all.files_free,
        DISK.to_rdev(),
        all.name_max,
        all.block_bytes,
        relatime,
    ];
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.resize(STATFS_BYTES as usize, 0);
    call.write_concrete(address, &bytes)?;
    Ok(Reply::Value(0))
}
