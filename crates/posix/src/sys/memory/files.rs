//! Memory that others see, too: mappings of files, and memory that processes share.
//!
//! A mapping of a file is a copy of it in memory. A shared one is kept the same as the file: before
//! a system call, and before another process runs, what was changed in memory is written to the
//! file; afterwards, what was changed in the file is read again. In between, only this process can
//! look.

use std::sync::Arc;

use everett_expr::Pool;
use everett_fs::{ContentPiece, Fs, FsError, InodeId};
use everett_interp::{Halt, State, Stop};
use everett_memory::{AccessRights, AddressSpace, ByteValue};

use super::{PAGE, whole_pages};
use crate::kernel::Guest;
use crate::kernel::reply::CallHalt;
use crate::state::data::ByteData;
use crate::state::ids::Pid;
use crate::state::node::Node;
use crate::state::process::mappings::{AreaSource, MappedArea, Mappings};
use crate::sys::path::with_context;

/// Fills an area with what it shows and gives it its rights.
pub(super) fn show(
    pool: &Pool,
    fs: &Fs<ByteValue>,
    mem: &mut AddressSpace,
    start: u64,
    area: &MappedArea,
) -> Result<(), FsError> {
    if let AreaSource::File { inode, offset, .. } | AreaSource::Copy { inode, offset } = area.source
    {
        mem.reset_range(start, area.end - start);
        let mut at = start;
        fs.read_pieces(inode, offset, (area.end - start) as usize, |piece| {
            match piece {
                ContentPiece::Bytes(bytes) => mem.put_bytes(at, bytes),
                ContentPiece::Cells(cells) => mem.put_each(pool, at, cells),
                ContentPiece::Zeros(_) => true,
            };
            at += piece.len() as u64;
        })?;
    }
    set_rights(fs, mem, start, area)
}

/// Gives an area its rights; what is beyond the last page of a file cannot be used.
pub(super) fn set_rights(
    fs: &Fs<ByteValue>,
    mem: &mut AddressSpace,
    start: u64,
    area: &MappedArea,
) -> Result<(), FsError> {
    let mut shown = area.end;
    if let AreaSource::File { inode, offset, .. } | AreaSource::Copy { inode, offset } = area.source
    {
        let size = fs.stat(inode)?.size.saturating_sub(offset);
        shown = area.end.min(start + whole_pages(size).unwrap_or(u64::MAX - start));
    }
    mem.protect(start, shown - start, area.rights);
    mem.protect(shown, area.end - shown, AccessRights::PastEnd);
    Ok(())
}

/// Trouble with a file of the host stops the path; what Linux would refuse long after the write
/// went to memory, the program does not hear of.
fn later(error: FsError) -> Result<(), FsError> {
    if matches!(error, FsError::Host { .. }) { Err(error) } else { Ok(()) }
}

/// Writes what was changed in shared mappings of files to the files.
pub(crate) fn sync_out(
    pool: &Pool,
    node: &mut Node,
    mem: &mut AddressSpace,
) -> Result<(), FsError> {
    if !node.process().mappings.has_files() {
        return Ok(());
    }
    let maps = node.process().mappings.clone();
    let mut written = Vec::new();
    for (start, area, inode, offset) in maps.files() {
        for (address, len) in mem.changed_since(&maps.synced, start, area.end) {
            let at = offset + (address - start);
            let size = node.disk.fs.stat(inode)?.size;
            let len = len.min(size.saturating_sub(at));
            if len > 0 {
                let data = ByteData::from(mem.peek(pool, address, len));
                if let Err(error) = write_to_file(node, inode, at, &data) {
                    later(error)?;
                }
                written.push(inode);
            }
        }
    }
    if !written.is_empty() {
        remember(node, mem)?;
    }
    Ok(())
}

fn write_to_file(node: &mut Node, inode: InodeId, at: u64, data: &ByteData) -> Result<(), FsError> {
    with_context(node, |fs, ctx| match data {
        ByteData::Known(bytes) => fs.write_bytes(ctx, inode, at, bytes),
        ByteData::Mixed(bytes) => fs.write(ctx, inode, at, bytes),
    })?;
    Ok(())
}

/// Reads files again that were changed since shared mappings were the same as they.
pub(crate) fn sync_in(pool: &Pool, node: &mut Node, mem: &mut AddressSpace) -> Result<(), FsError> {
    if !node.process().mappings.has_files() {
        return Ok(());
    }
    let maps = node.process().mappings.clone();
    let mut changed = false;
    for (inode, before) in &maps.versions {
        if node.disk.fs.version(*inode)?.is_same(before) {
            continue;
        }
        changed = true;
        for (start, area, _, _) in maps.files().filter(|(_, _, shown, _)| shown == inode) {
            show(pool, &node.disk.fs, mem, start, area)?;
        }
    }
    if changed {
        remember(node, mem)?;
    }
    Ok(())
}

/// Notes that shared mappings are the same as their files now.
pub(super) fn remember(node: &mut Node, mem: &mut AddressSpace) -> Result<(), FsError> {
    let inodes = node.process().mappings.inodes();
    let versions = { inodes.into_iter() }
        .map(|inode| Ok((inode, node.disk.fs.version(inode)?)))
        .collect::<Result<_, FsError>>()?;
    let maps = Arc::make_mut(&mut node.process_mut().mappings);
    maps.versions = versions;
    maps.synced = if maps.versions.is_empty() { Default::default() } else { mem.take_snapshot() };
    Ok(())
}

/// Brings files up to date with the running process's memory, before something looks at files or
/// another process runs.
pub(crate) fn leave<X: Guest>(pool: &Pool, st: &mut State<X>) -> Result<(), Stop> {
    if !st.extra.node().process().mappings.has_files() {
        return Ok(());
    }
    sync_out(pool, st.extra.node_mut(), &mut st.mem).or_else(stop)
}

/// Brings the running process's memory up to date with files.
pub(crate) fn arrive<X: Guest>(pool: &Pool, st: &mut State<X>) -> Result<(), Stop> {
    if !st.extra.node().process().mappings.has_files() {
        return Ok(());
    }
    sync_in(pool, st.extra.node_mut(), &mut st.mem).or_else(stop)
}

/// Trouble with a file of the host stops the path.
fn stop(error: FsError) -> Result<(), Stop> {
    match CallHalt::from(error) {
        CallHalt::Halt(Halt::Stop(stop)) => Err(stop),
        CallHalt::Halt(Halt::Flow(_)) | CallHalt::Errno(_) => Ok(()),
    }
}

/// Gives up what the running process shares, at its end or before it executes another program. The
/// caller drops its mappings.
pub(crate) fn write_back(pool: &Pool, node: &mut Node, mem: &mut AddressSpace) -> Result<(), Stop> {
    sync_out(pool, node, mem).or_else(stop)?;
    publish(node, mem);
    let inodes = node.process().mappings.inodes();
    inodes.into_iter().for_each(|inode| node.disk.fs.release(inode));
    Ok(())
}

/// A new process has the mappings of its parent.
pub(crate) fn inherited(node: &mut Node) {
    let inodes = node.process().mappings.inodes();
    inodes.into_iter().for_each(|inode| node.disk.fs.hold(inode));
}

/// The objects of shared memory that a process has: their numbers and addresses.
fn shared_objects(maps: &Mappings) -> Vec<(u32, u64)> {
    let mut objects: Vec<(u32, u64)> = { maps.iter() }
        .filter_map(|(_, area)| match area.source {
            AreaSource::Shared(id) => Some((id, area.object)),
            _ => None,
        })
        .collect();
    objects.dedup();
    objects
}

/// Memory that two processes share follows the running one: all others that have it get what the
/// one that ran has written, and so does the one that runs next, whose memory is not in the node.
pub(crate) fn share(node: &mut Node, from: (Pid, &mut AddressSpace), to: (Pid, &mut AddressSpace)) {
    let ((from, left), (to, entered)) = (from, to);
    let Some(theirs) = node.find(from).map(|process| shared_objects(&process.mappings)) else {
        return;
    };
    if theirs.is_empty() {
        return;
    }
    let own = node.find(to).map(|process| shared_objects(&process.mappings)).unwrap_or_default();
    for (_, object) in own.into_iter().filter(|object| theirs.contains(object)) {
        entered.copy_object_from(left, object);
    }
    publish_from(node, from, left);
}

/// Gives the others what the running process has written to memory that they share.
pub(super) fn publish(node: &mut Node, mem: &mut AddressSpace) {
    let pid = node.volatile.running.0;
    publish_from(node, pid, mem);
}

/// Gives all processes whose memory is in the node what one has written to memory that they share.
fn publish_from(node: &mut Node, from: Pid, left: &mut AddressSpace) {
    let Some(theirs) = node.find(from).map(|process| shared_objects(&process.mappings)) else {
        return;
    };
    if theirs.is_empty() {
        return;
    }
    let others: Vec<Pid> =
        node.volatile.processes.keys().copied().filter(|pid| *pid != from).collect();
    for pid in others {
        let Some(process) = node.find(pid).filter(|process| process.memory.is_some()) else {
            continue;
        };
        let mut own = shared_objects(&process.mappings);
        own.retain(|object| theirs.contains(object));
        if own.is_empty() {
            continue;
        }
        if let Some(memory) = node.find_mut(pid).and_then(|process| process.memory.as_mut()) {
            own.into_iter().for_each(|(_, object)| memory.copy_object_from(left, object));
        }
    }
}

/// The whole pages that an address range covers.
pub(super) fn pages_of(address: u64, len: u64) -> Option<(u64, u64)> {
    let end = address.checked_add(whole_pages(len)?)?;
    address.is_multiple_of(PAGE).then_some((address, end))
}
