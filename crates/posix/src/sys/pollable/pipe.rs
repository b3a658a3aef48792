//! Pipes and fifos.
//!
//! A pipe holds up to its capacity of bytes. It lives as long as one of its ends is open; a fifo's is
//! found again through its inode. Blocking opens of a fifo meet: who opens the second end tells those
//! that wait for it, so that they go on even if it closes again at once.

pub(crate) mod splice;

use everett_fs::InodeId;
use everett_interp::Reg;
use linux_raw_sys::general as linux;
use syscalls::Errno;

use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::signal;
use crate::state::data::ByteData;
use crate::state::file::pipes::{FifoOpener, access};
use crate::state::file::{FileKind, OpenFile};
use crate::state::ids::{FileId, PipeId, ThreadKey};
use crate::state::node::Node;
use crate::state::process::signals::SignalInfo;
use crate::state::wait::{Wait, WaitEvent};
use crate::sys::io::TransferProgress;

/// Writes up to this size are not mixed with others.
const PIPE_BUF: usize = linux::PIPE_BUF as usize;
/// The most that one who is not root may ask for.
const MOST_CAPACITY: u32 = 1 << 20;

fn pipe_of(node: &Node, file: FileId) -> Result<PipeId, Errno> {
    match node.file(file).kind {
        FileKind::Pipe { pipe, .. } => Ok(pipe),
        _ => Err(Errno::EBADF),
    }
}

// ---- making --------------------------------------------------------------------------------

pub(crate) fn pipe<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    make(call, 0)
}

pub(crate) fn pipe2<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let flags = call.arg32(1)?;
    if flags & !(linux::O_CLOEXEC | linux::O_NONBLOCK | linux::O_DIRECT | linux::O_EXCL) != 0 {
        return Err(Errno::EINVAL.into());
    }
    // Packets (`O_DIRECT`) and notifications (`O_EXCL`).
    call.reject_flags((flags & (linux::O_DIRECT | linux::O_EXCL)).into())?;
    make(call, flags)
}

fn make<X: Guest>(call: &mut Call<'_, '_, X>, flags: u32) -> Answer {
    let address = call.arg(0)?;
    call.check_writable(address, 8)?;
    let node = call.node_mut();
    let limit = node.process().limits.open_files();
    let first = node.process().descriptors.lowest_free(0, limit)?;
    node.process().descriptors.lowest_free(first + 1, limit)?;
    let pipe = node.volatile.pipes.add();
    let close_on_exec = flags & linux::O_CLOEXEC != 0;
    let mut bytes = [0; 8];
    for (place, access) in bytes.chunks_mut(4).zip([linux::O_RDONLY, linux::O_WRONLY]) {
        let flags = access | flags & linux::O_NONBLOCK;
        node.volatile.pipes.open(pipe, flags);
        let number =
            node.open(OpenFile::new(FileKind::Pipe { pipe, inode: None }, flags), close_on_exec)?;
        place.copy_from_slice(&number.to_le_bytes());
    }
    call.write_concrete(address, &bytes)?;
    Ok(Reply::Value(0))
}

/// Opens a fifo with these flags: a new open file, whose one reference is the caller's. Its inode
/// is not held yet.
pub(crate) fn open_fifo<X: Guest>(
    call: &mut Call<'_, '_, X>,
    inode: InodeId,
    flags: u32,
) -> Result<TransferProgress<OpenFile>, CallHalt> {
    let node = call.node_mut();
    let pipe = match node.volatile.pipes.fifos.get(&inode) {
        Some(pipe) => *pipe,
        None => {
            if is_refused_alone(flags) {
                return Err(Errno::ENXIO.into());
            }
            let pipe = node.volatile.pipes.add();
            node.volatile.pipes.fifos.insert(inode, pipe);
            pipe
        }
    };
    if !meet(node, pipe, flags)? {
        let since = node.path.changes;
        return Ok(TransferProgress::Wait(Wait::until(WaitEvent::Change(since))));
    }
    Ok(TransferProgress::Done(OpenFile::new(
        FileKind::Pipe { pipe, inode: Some(inode) },
        kept(flags),
    )))
}

/// The flags of an open that stay with the file.
fn kept(flags: u32) -> u32 {
    flags & (linux::O_ACCMODE | linux::O_NONBLOCK | linux::O_APPEND)
}

/// Returns true if an open that does not want to wait for a reader fails without one.
fn is_refused_alone(flags: u32) -> bool {
    access(flags) == (false, true) && flags & linux::O_NONBLOCK != 0
}

/// Opens an end if the other one is there or need not be; otherwise notes that this thread waits.
fn meet(node: &mut Node, id: PipeId, flags: u32) -> Result<bool, Errno> {
    let who = node.volatile.running;
    drop_stale_openers(node, id);
    let (reads, writes) = access(flags);
    let pipe = node.volatile.pipes.get_mut(id);
    if let Some(at) = pipe.openers.iter().position(|opener| opener.who == who) {
        let opener = pipe.openers.remove(at);
        if opener.met {
            return Ok(true);
        }
    }
    let other = if writes { pipe.readers > 0 } else { pipe.writers > 0 };
    let expected = pipe.openers.iter().any(|opener| opener.write != writes);
    let waits = flags & linux::O_NONBLOCK == 0 && reads != writes;
    if !other && !expected && reads != writes {
        if waits {
            pipe.openers.push(FifoOpener { who, write: writes, met: false });
            return Ok(false);
        }
        if is_refused_alone(flags) {
            return Err(Errno::ENXIO);
        }
    }
    node.volatile.pipes.open(id, flags);
    let pipe = node.volatile.pipes.get_mut(id);
    let mut met = Vec::new();
    for opener in pipe.openers.iter_mut().filter(|opener| !opener.met) {
        if (opener.write && reads) || (!opener.write && writes) {
            opener.met = true;
            met.push(opener.write);
        }
    }
    for write in met {
        node.volatile.pipes.open(id, if write { linux::O_WRONLY } else { linux::O_RDONLY });
    }
    node.changed();
    Ok(true)
}

/// Forgets threads that a signal took out of their wait before anybody came.
fn drop_stale_openers(node: &mut Node, id: PipeId) {
    let waits = |who: &ThreadKey| {
        let thread = node.find(who.0).and_then(|process| process.thread(who.1));
        thread.is_some_and(|thread| thread.blocked.is_some() || thread.resumed.is_some())
    };
    let openers = &node.volatile.pipes.get(id).openers;
    let kept: Vec<FifoOpener> =
        openers.iter().filter(|opener| opener.met || waits(&opener.who)).copied().collect();
    if kept.len() != openers.len() {
        node.volatile.pipes.get_mut(id).openers = kept;
    }
}

/// Opens a pipe without a name again, through `/proc/self/fd`.
pub(crate) fn open_again<X: Guest>(
    call: &mut Call<'_, '_, X>,
    pipe: PipeId,
    flags: u32,
) -> Result<TransferProgress<OpenFile>, CallHalt> {
    let node = call.node_mut();
    if !meet(node, pipe, flags)? {
        let since = node.path.changes;
        return Ok(TransferProgress::Wait(Wait::until(WaitEvent::Change(since))));
    }
    Ok(TransferProgress::Done(OpenFile::new(FileKind::Pipe { pipe, inode: None }, kept(flags))))
}

/// An open file is gone: if it was an end of a pipe, the other end may notice.
pub(crate) fn closed(node: &mut Node, file: &OpenFile) {
    let FileKind::Pipe { pipe: id, inode } = file.kind else { return };
    let (reads, writes) = access(file.flags);
    let pipe = node.volatile.pipes.get_mut(id);
    pipe.readers -= u32::from(reads);
    pipe.writers -= u32::from(writes);
    pipe.arrivals += u64::from(writes);
    pipe.departures += u64::from(reads);
    if pipe.readers == 0 && pipe.writers == 0 {
        if pipe.openers.is_empty() {
            node.volatile.pipes.pipes.remove(id.0.into());
            if let Some(inode) = inode {
                node.volatile.pipes.fifos.remove(&inode);
            }
        } else {
            // Nobody can read what is left any more.
            (pipe.pieces, pipe.taken, pipe.len) = Default::default();
        }
    }
}

// ---- reading and writing -------------------------------------------------------------------

/// Takes bytes out; see `sys/io.rs`.
pub(crate) fn read<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    want: u64,
) -> Result<TransferProgress<ByteData>, CallHalt> {
    let node = call.node_mut();
    let id = pipe_of(node, file)?;
    let pipe = node.volatile.pipes.get(id);
    if pipe.len > 0 {
        let want = want.min(pipe.len as u64);
        let count = call.shorten_read(want)? as usize;
        return Ok(TransferProgress::Done(call.node_mut().volatile.pipes.get_mut(id).take(count)));
    }
    if pipe.writers == 0 {
        return Ok(TransferProgress::Done(ByteData::default()));
    }
    if node.file(file).nonblocking() {
        return Err(Errno::EAGAIN.into());
    }
    Ok(TransferProgress::Wait(Wait::file(file, linux::POLLIN)))
}

/// Puts bytes in; see `sys/io.rs`. A write that waits with a part done goes on from there.
pub(crate) fn write<X: Guest>(
    call: &mut Call<'_, '_, X>,
    file: FileId,
    data: &ByteData,
) -> Result<TransferProgress<u64>, CallHalt> {
    let node = call.node_mut();
    let id = pipe_of(node, file)?;
    let done = node.thread().done as usize;
    let pipe = node.volatile.pipes.get(id);
    if pipe.readers == 0 {
        if done > 0 {
            return Ok(TransferProgress::Done(done as u64));
        }
        return Err(broken(node).into());
    }
    let left = data.len() - done;
    let room = pipe.room();
    let whole = done == 0 && data.len() <= PIPE_BUF;
    let count = if whole && room < left { 0 } else { left.min(room) };
    if done == 0 && !whole {
        let kept = call.shorten_wait(file, true, count as u64)? as usize;
        if kept < count {
            call.node_mut().volatile.pipes.get_mut(id).push(data.part(0, kept));
            return Ok(TransferProgress::Done(kept as u64));
        }
    }
    let node = call.node_mut();
    if count > 0 {
        let part = if count == data.len() { data.clone() } else { data.part(done, done + count) };
        node.volatile.pipes.get_mut(id).push(part);
    }
    if count == left {
        return Ok(TransferProgress::Done(data.len() as u64));
    }
    let done = done + count;
    if node.file(file).nonblocking() {
        return if done > 0 {
            Ok(TransferProgress::Done(done as u64))
        } else {
            Err(Errno::EAGAIN.into())
        };
    }
    node.thread_mut().done = done as u64;
    Ok(TransferProgress::Wait(Wait::file(file, linux::POLLOUT)))
}

/// Nobody will ever read what is written: a signal, and an error for those that live on.
fn broken(node: &mut Node) -> Errno {
    let (pid, tid) = node.volatile.running;
    let uid = node.process().ids.real_uid;
    let info = SignalInfo { signal: linux::SIGPIPE, code: 0, pid: pid.0, uid, value: Reg::word(0) };
    // The running thread is there to get it.
    let _ = signal::send(node, pid, Some(tid), info);
    Errno::EPIPE
}

/// The events that an end of a pipe is ready for.
pub(crate) fn events(node: &Node, file: &OpenFile, id: PipeId) -> u32 {
    let pipe = node.volatile.pipes.get(id);
    let (reads, writes) = access(file.flags);
    let mut events = 0;
    if reads {
        if pipe.len > 0 {
            events |= linux::POLLIN | linux::POLLRDNORM;
        }
        if pipe.writers == 0 && pipe.had_writer {
            events |= linux::POLLHUP;
        }
    }
    if writes {
        if pipe.room() >= PIPE_BUF.min(pipe.capacity) {
            events |= linux::POLLOUT | linux::POLLWRNORM;
        }
        if pipe.readers == 0 {
            events |= linux::POLLERR;
        }
    }
    events
}

/// The number of times that it became ready for reading and for writing.
pub(crate) fn edges(node: &Node, id: PipeId) -> [u64; 2] {
    let pipe = node.volatile.pipes.get(id);
    [pipe.arrivals, pipe.departures]
}

/// Bytes that can be read.
pub(crate) fn readable_bytes(node: &Node, id: PipeId) -> u64 {
    node.volatile.pipes.get(id).len as u64
}

/// `fcntl` about the room in a pipe.
pub(crate) fn capacity<X: Guest>(call: &mut Call<'_, '_, X>, file: FileId, command: u32) -> Answer {
    let id = pipe_of(call.node(), file)?;
    if command == linux::F_GETPIPE_SZ {
        return Ok(Reply::Value(call.node().volatile.pipes.get(id).capacity as u64));
    }
    let asked = call.arg32(2)?;
    if asked > i32::MAX as u32 || asked == 0 {
        return Err(Errno::EINVAL.into());
    }
    // A whole number of pages, and a power of two.
    let size = asked.max(PIPE_BUF as u32).next_power_of_two();
    let node = call.node_mut();
    if size > MOST_CAPACITY && node.process().ids.effective_uid != 0 {
        return Err(Errno::EPERM.into());
    }
    let pipe = node.volatile.pipes.get_mut(id);
    if pipe.len > size as usize {
        return Err(Errno::EBUSY.into());
    }
    pipe.capacity = size as usize;
    pipe.departures += 1;
    Ok(Reply::Value(size.into()))
}

#[cfg(test)]
mod tests;
