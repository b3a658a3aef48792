//! File locks: records (`fcntl`) of processes and of open files, and whole files (`flock`).
//!
//! Locks are advice: they only keep other locks away. Who waits for one looks again whenever
//! anything changes.

use everett_fs::InodeId;
use linux_raw_sys::general as linux;
use syscalls::{Errno, Sysno};

use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::file::locks::{END, LockOwner, RecordLock, RecordLocks};
use crate::state::ids::{FileId, ThreadKey};
use crate::state::node::Node;
use crate::state::wait::{Wait, WaitEvent};

/// The running process has closed a descriptor of a file with this inode, if it has one: its record locks on
/// it are gone.
pub(crate) fn closed(node: &mut Node, inode: Option<InodeId>) {
    let Some(inode) = inode else { return };
    let owner = LockOwner::Process(node.volatile.running.0);
    let Some(records) = node.volatile.locks.records.get_mut(&inode) else { return };
    if records.remove_all(owner) {
        forget_empty(node, inode);
        node.changed();
    }
}

/// An open file is gone, with the locks that it had as such.
pub(crate) fn gone(node: &mut Node, file: FileId) {
    let locks = &mut node.volatile.locks;
    let mut any = false;
    for records in locks.records.values_mut() {
        any |= records.remove_all(LockOwner::File(file));
    }
    for holders in locks.whole.values_mut() {
        any |= holders.remove(&file).is_some();
    }
    if any {
        locks.records.retain(|_, records| !records.is_empty());
        locks.whole.retain(|_, holders| !holders.is_empty());
        node.changed();
    }
}

fn forget_empty(node: &mut Node, inode: InodeId) {
    if node.volatile.locks.records.get(&inode).is_some_and(RecordLocks::is_empty) {
        node.volatile.locks.records.remove(&inode);
    }
}

// ---- records -------------------------------------------------------------------------------

/// Bytes of `struct flock`.
const FLOCK_BYTES: u64 = 32;

/// The request in a `struct flock`; no kind unlocks.
struct AskedLock {
    write: Option<bool>,
    start: u64,
    end: u64,
    pid: u32,
}

/// `fcntl` with one of the lock commands.
pub(crate) fn record<X: Guest>(call: &mut Call<'_, '_, X>, file: FileId, command: u32) -> Answer {
    let address = call.arg(2)?;
    let asked = read_flock(call, file, address)?;
    let of_file = matches!(command, linux::F_OFD_GETLK | linux::F_OFD_SETLK | linux::F_OFD_SETLKW);
    if of_file && asked.pid != 0 {
        return Err(Errno::EINVAL.into());
    }
    let node = call.node();
    let owner =
        if of_file { LockOwner::File(file) } else { LockOwner::Process(node.volatile.running.0) };
    let Some(inode) = node.file(file).inode() else {
        return Err(call.unsupported("a lock on a file without a name"));
    };
    if matches!(command, linux::F_GETLK | linux::F_OFD_GETLK) {
        return ask(call, inode, owner, &asked, address);
    }
    let open = node.file(file);
    let allowed = match asked.write {
        Some(true) => open.writable(),
        Some(false) => open.readable(),
        None => true,
    };
    if !allowed {
        return Err(Errno::EBADF.into());
    }
    let waits = matches!(command, linux::F_SETLKW | linux::F_OFD_SETLKW);
    set(call, inode, owner, &asked, waits)
}

fn read_flock<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    address: u64,
) -> Result<AskedLock, CallHalt> {
    let kind = call.read_number(address, 2)? as u32;
    let whence = call.read_number(address.wrapping_add(2), 2)? as u32;
    let first = call.read_u64(address.wrapping_add(8))? as i64;
    let len = call.read_u64(address.wrapping_add(16))? as i64;
    // Only locks of open files have something in its place.
    let pid = call.read_kept(address.wrapping_add(24), 4)? as u32;
    let base = match whence {
        linux::SEEK_SET => 0,
        linux::SEEK_CUR => call.node().file(file).offset as i64,
        linux::SEEK_END => match call.node().file(file).inode() {
            Some(inode) => call.node().disk.fs.stat(inode)?.size as i64,
            None => 0,
        },
        _ => return Err(Errno::EINVAL.into()),
    };
    let (start, end) = range(base, first, len)?;
    let write = match kind {
        linux::F_RDLCK => Some(false),
        linux::F_WRLCK => Some(true),
        linux::F_UNLCK => None,
        _ => return Err(Errno::EINVAL.into()),
    };
    Ok(AskedLock { write, start, end, pid })
}

/// The first and the last byte of a lock.
fn range(base: i64, first: i64, len: i64) -> Result<(u64, u64), Errno> {
    let start = base.checked_add(first).ok_or(Errno::EOVERFLOW)?;
    let (start, end) = match len {
        0 => (start, END as i64),
        1.. => (start, start.checked_add(len - 1).ok_or(Errno::EOVERFLOW)?),
        _ => (start.checked_add(len).ok_or(Errno::EINVAL)?, start - 1),
    };
    if start < 0 { Err(Errno::EINVAL) } else { Ok((start as u64, end as u64)) }
}

/// Tells which lock would be in the way.
fn ask<X: Guest>(
    call: &mut Call<'_, '_, X>,
    inode: InodeId,
    owner: LockOwner,
    asked: &AskedLock,
    address: u64,
) -> Answer {
    let write = asked.write.ok_or(Errno::EINVAL)?;
    let wanted = RecordLock { owner, write, start: asked.start, end: asked.end };
    let records = call.node().volatile.locks.records.get(&inode);
    let found = records.and_then(|records| records.conflict(&wanted));
    call.check_writable(address, FLOCK_BYTES)?;
    let Some(RecordLock { owner, write, start, end }) = found else {
        call.write_concrete(address, &(linux::F_UNLCK as u16).to_le_bytes())?;
        return Ok(Reply::Value(0));
    };
    let kind = if write { linux::F_WRLCK } else { linux::F_RDLCK };
    let len = if end == END { 0 } else { end - start + 1 };
    let pid = match owner {
        LockOwner::Process(pid) => pid.0,
        LockOwner::File(_) => u32::MAX,
    };
    let mut bytes = [0; FLOCK_BYTES as usize];
    bytes[..2].copy_from_slice(&(kind as u16).to_le_bytes());
    bytes[8..16].copy_from_slice(&start.to_le_bytes());
    bytes[16..24].copy_from_slice(&len.to_le_bytes());
    bytes[24..28].copy_from_slice(&pid.to_le_bytes());
    call.write_concrete(address, &bytes)?;
    Ok(Reply::Value(0))
}

fn set<X: Guest>(
    call: &mut Call<'_, '_, X>,
    inode: InodeId,
    owner: LockOwner,
    asked: &AskedLock,
    waits: bool,
) -> Answer {
    let node = call.node_mut();
    let who = node.volatile.running;
    node.volatile.locks.waiting.remove(&who);
    let (start, end) = (asked.start, asked.end);
    let Some(write) = asked.write else {
        if let Some(records) = node.volatile.locks.records.get_mut(&inode) {
            records.unlock(owner, start, end);
            forget_empty(node, inode);
            node.changed();
        }
        return Ok(Reply::Value(0));
    };
    let wanted = RecordLock { owner, write, start, end };
    let conflict =
        node.volatile.locks.records.get(&inode).and_then(|records| records.conflict(&wanted));
    if let Some(conflict) = conflict {
        if !waits {
            return Err(Errno::EAGAIN.into());
        }
        if is_circle(node, owner, conflict.owner) {
            return Err(Errno::EDEADLK.into());
        }
        node.volatile.locks.waiting.insert(who, conflict.owner);
        return Ok(Reply::Wait(Wait::until(WaitEvent::Change(node.path.changes))));
    }
    node.volatile.locks.records.entry(inode).or_default().lock(wanted);
    // What was a lock for writing may have become one for reading.
    node.changed();
    Ok(Reply::Value(0))
}

/// Returns true if the holder of a lock waits, maybe through others, for the one that now wants to wait for
/// it. Only processes are looked at, as on Linux.
fn is_circle(node: &Node, waiter: LockOwner, holder: LockOwner) -> bool {
    const MOST_STEPS: usize = 10;
    let mut at = holder;
    for _ in 0..MOST_STEPS {
        let (LockOwner::Process(_), LockOwner::Process(pid)) = (waiter, at) else { return false };
        if at == waiter {
            return true;
        }
        let still_waits = |who: &ThreadKey| {
            let thread = node.find(who.0).and_then(|process| process.thread(who.1));
            thread.is_some_and(|thread| {
                thread.blocked.is_some() && thread.blocked_in == Some(Sysno::fcntl)
            })
        };
        let next = { node.volatile.locks.waiting.iter() }
            .find(|(who, _)| who.0 == pid && still_waits(who))
            .map(|(_, owner)| *owner);
        match next {
            Some(owner) => at = owner,
            None => return false,
        }
    }
    false
}

// ---- whole files ---------------------------------------------------------------------------

pub(crate) fn flock<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let file = call.file_arg(0)?;
    let operation = call.arg32(1)?;
    let exclusive = match operation & !linux::LOCK_NB {
        linux::LOCK_SH => Some(false),
        linux::LOCK_EX => Some(true),
        linux::LOCK_UN => None,
        _ => return Err(Errno::EINVAL.into()),
    };
    let node = call.node_mut();
    if node.file(file).is_path() {
        return Err(Errno::EBADF.into());
    }
    let Some(inode) = node.file(file).inode() else {
        return Err(call.unsupported("a lock on a file without a name"));
    };
    let holders = node.volatile.locks.whole.entry(inode).or_default();
    let held = holders.get(&file).copied();
    if held == exclusive {
        return Ok(Reply::Value(0));
    }
    // Another kind of lock begins by giving up the one that there was (flock(2)).
    let dropped = holders.remove(&file).is_some();
    let in_the_way = |exclusive: bool| holders.values().any(|theirs| exclusive || *theirs);
    let refused = exclusive.is_some_and(in_the_way);
    if let Some(exclusive) = exclusive.filter(|_| !refused) {
        holders.insert(file, exclusive);
    }
    if holders.is_empty() {
        node.volatile.locks.whole.remove(&inode);
    }
    if dropped {
        node.changed();
    }
    if !refused {
        return Ok(Reply::Value(0));
    }
    if operation & linux::LOCK_NB != 0 {
        return Err(Errno::EAGAIN.into());
    }
    Ok(Reply::Wait(Wait::until(WaitEvent::Change(node.path.changes))))
}

#[cfg(test)]
mod tests;
