//! Shared memory of System V: `shmget`, `shmat`, `shmdt`, `shmctl`.
//!
//! A segment is a file without a name. To attach it is to map that file, so that everything that keeps
//! mappings of files alike does so for segments, too.

use everett_fs::InodeId;
use everett_memory::AccessRights;
use syscalls::Errno;

use super::{
    IPC_64, IPC_INFO, IPC_RMID, IPC_SET, IPC_STAT, ObjectStatus, PERM_BYTES, READ, WRITE,
    find_or_make, highest, object, own_object, own_pid, read_perm, seconds, set_rights,
    write_numbers,
};
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::ipc::shared_segment::SharedSegment;
use crate::state::ipc::{IpcObject, IpcObjects, IpcTable, MOST_OBJECTS};
use crate::state::node::Node;
use crate::state::process::mappings::AreaSource;
use crate::sys::memory::{self, FixedPlace, NewMapping, PAGE, whole_pages};
use crate::sys::path::nameless_file;

/// Flags of `shmget` beside those of all kinds; one that is not listed ends the path.
const SHM_NORESERVE: u32 = 0o10000;
const SHM_HUGETLB: u32 = 0o4000;
/// Flags of `shmat`.
const SHM_RDONLY: u32 = 0o10000;
const SHM_RND: u32 = 0o20000;
const SHM_REMAP: u32 = 0o40000;
const SHM_EXEC: u32 = 0o100_000;
/// Commands of `shmctl` beside those of all kinds.
const SHM_LOCK: u32 = 11;
const SHM_UNLOCK: u32 = 12;
const SHM_STAT: u32 = 13;
const SHM_INFO: u32 = 14;
const SHM_STAT_ANY: u32 = 15;
/// A bit of the mode that `IPC_STAT` shows for a segment that goes when nobody has it any more.
const SHM_DEST: u64 = 0o1000;
/// Bytes of `struct shmid_ds`.
const STATUS_BYTES: usize = 112;
/// The largest segment.
const MOST_BYTES: u64 = everett_memory::layout::MAX_OBJECT_BYTES;

fn segments(objects: &mut IpcObjects) -> &mut IpcTable<SharedSegment> {
    &mut objects.segments
}

pub(crate) fn shmget<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (bytes, flags) = (call.arg(1)?, call.arg32(2)?);
    forget_removed(call.node_mut());
    if flags & SHM_HUGETLB != 0 {
        return Err(call.unsupported("large pages"));
    }
    call.reject_flags((flags & !(0o3777 | SHM_NORESERVE)).into())?;
    let fits = |segment: &SharedSegment| {
        if bytes > segment.bytes { Err(Errno::EINVAL) } else { Ok(()) }
    };
    find_or_make(call, segments, flags, fits, |call| {
        if bytes == 0 || bytes > MOST_BYTES {
            return Err(Errno::EINVAL.into());
        }
        let size = whole_pages(bytes).ok_or(Errno::EINVAL)?;
        let inode = nameless_file(call.node_mut(), size)?;
        let creator = own_pid(call.node());
        let (last_user, attached_s, detached_s) = (0, 0, 0);
        let is_removed = false;
        Ok(SharedSegment { inode, bytes, creator, last_user, attached_s, detached_s, is_removed })
    })
}

/// Forgets segments that are removed and that no process has any more.
fn forget_removed(node: &mut Node) {
    if node.volatile.ipc.segments.len() == 0 {
        return;
    }
    let gone: Vec<(u32, InodeId)> = { node.volatile.ipc.segments.iter() }
        .filter(|(_, segment)| segment.data.is_removed)
        .map(|(number, segment)| (number, segment.data.inode))
        .filter(|(_, inode)| node.disk.fs.hold_count(*inode) == 1)
        .collect();
    for (number, inode) in gone {
        node.volatile.ipc.segments.remove(number);
        node.disk.fs.release(inode);
    }
}

/// The segment with the number in argument 0.
fn segment<'c, X: Guest>(
    call: &'c mut Call<'_, '_, X>,
    rights: u32,
) -> Result<&'c mut IpcObject<SharedSegment>, CallHalt> {
    object(call, segments, rights)
}

pub(crate) fn shmat<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (address, flags) = (call.arg(1)?, call.arg32(2)?);
    forget_removed(call.node_mut());
    let place = match address {
        0 if flags & SHM_REMAP != 0 => return Err(Errno::EINVAL.into()),
        0 => None,
        address if flags & SHM_RND == 0 && !address.is_multiple_of(PAGE) => {
            return Err(Errno::EINVAL.into());
        }
        address => {
            let replaces = flags & SHM_REMAP != 0;
            Some(FixedPlace { address: address - address % PAGE, replaces })
        }
    };
    call.reject_flags((flags & !(SHM_RDONLY | SHM_RND | SHM_REMAP | SHM_EXEC)).into())?;
    let writable = flags & SHM_RDONLY == 0;
    let (asked, rights) = match writable {
        true => (READ | WRITE, AccessRights::ReadWrite),
        false => (READ, AccessRights::ReadOnly),
    };
    let SharedSegment { inode, bytes, .. } = segment(call, asked)?.data;
    let size = whole_pages(bytes).ok_or(Errno::EINVAL)?;
    let maps = &call.node().process().mappings;
    if maps.total() + size > memory::address_limit(call) {
        return Err(Errno::ENOMEM.into());
    }
    let source = AreaSource::File { inode, offset: 0, writable };
    let mapped = memory::map_anew(call, NewMapping { place, size, rights, source });
    let start = match mapped {
        Err(CallHalt::Errno(Errno::EEXIST)) => return Err(Errno::EINVAL.into()),
        mapped => mapped?,
    };
    let (now, pid) = (seconds(call.node()), own_pid(call.node()));
    let data = &mut segment(call, 0)?.data;
    (data.attached_s, data.last_user) = (now, pid);
    Ok(Reply::Value(start))
}

pub(crate) fn shmdt<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let address = call.arg(0)?;
    let node = call.node();
    let inode = match node.process().mappings.at(address) {
        Some((start, area)) if start == address => match area.source {
            AreaSource::File { inode, offset: 0, .. } => inode,
            _ => return Err(Errno::EINVAL.into()),
        },
        _ => return Err(Errno::EINVAL.into()),
    };
    let mut segments = node.volatile.ipc.segments.iter();
    let found = segments.find(|(_, segment)| segment.data.inode == inode);
    let (number, bytes) =
        found.map(|(number, segment)| (number, segment.data.bytes)).ok_or(Errno::EINVAL)?;
    drop(segments);
    let size = whole_pages(bytes).ok_or(Errno::EINVAL)?;
    memory::unmap(call, address, address + size, false)?;
    let (now, pid) = (seconds(call.node()), own_pid(call.node()));
    if let Some(segment) = call.node_mut().volatile.ipc.segments.get_mut(number) {
        (segment.data.detached_s, segment.data.last_user) = (now, pid);
    }
    forget_removed(call.node_mut());
    Ok(Reply::Value(0))
}

/// The number of times that processes have a segment in memory.
fn attached(node: &Node, inode: InodeId) -> u64 {
    let areas = node.volatile.processes.values().flat_map(|process| process.mappings.files());
    areas.filter(|(_, _, shown, offset)| *shown == inode && *offset == 0).count() as u64
}

pub(crate) fn shmctl<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (command, address) = (call.arg32(1)? & !IPC_64, call.arg(2)?);
    forget_removed(call.node_mut());
    match command {
        IPC_INFO | SHM_INFO => return tell_all(call, command, address),
        IPC_STAT | SHM_STAT | SHM_STAT_ANY => return tell(call, command, address),
        IPC_SET => {
            let perm = read_perm(call, address)?;
            let now = seconds(call.node());
            set_rights(own_object(call, segments)?, &perm, now);
        }
        IPC_RMID => {
            let segment = own_object(call, segments)?;
            segment.key = 0;
            segment.data.is_removed = true;
            forget_removed(call.node_mut());
        }
        // Memory is never moved out.
        SHM_LOCK | SHM_UNLOCK => drop(own_object(call, segments)?),
        _ => return Err(Errno::EINVAL.into()),
    }
    Ok(Reply::Value(0))
}

/// Tells everything about a segment.
fn tell<X: Guest>(call: &mut Call<'_, '_, X>, command: u32, address: u64) -> Answer {
    let number = call.arg32(0)?;
    let asked = if command == SHM_STAT_ANY { 0 } else { READ };
    let segment = segment(call, asked)?.clone();
    let mut status = ObjectStatus::of(&segment, STATUS_BYTES);
    let data = segment.data;
    let mode = u64::from(segment.rights.mode) | if data.is_removed { SHM_DEST } else { 0 };
    status.put(20, mode, 4);
    let times = [data.bytes as i64, data.attached_s, data.detached_s, segment.changed_s];
    for (at, value) in times.iter().enumerate() {
        status.put(PERM_BYTES + 8 * at, *value as u64, 8);
    }
    status.put(80, data.creator.into(), 4);
    status.put(84, data.last_user.into(), 4);
    status.put(88, attached(call.node(), data.inode), 8);
    call.write_concrete(address, &status.0)?;
    Ok(Reply::Value(if command == IPC_STAT { 0 } else { number.into() }))
}

/// Tells about limits, or about all segments together.
fn tell_all<X: Guest>(call: &mut Call<'_, '_, X>, command: u32, address: u64) -> Answer {
    let table = &call.node().volatile.ipc.segments;
    let reply = highest(table);
    let numbers = if command == IPC_INFO {
        vec![MOST_BYTES, 1, MOST_OBJECTS as u64, MOST_OBJECTS as u64, MOST_BYTES, 0, 0, 0, 0]
    } else {
        let pages = table.iter().map(|(_, segment)| segment.data.bytes.div_ceil(PAGE)).sum();
        vec![table.len() as u64, pages, pages, 0, 0, 0]
    };
    write_numbers(call, address, &numbers, 8)?;
    Ok(reply)
}
