//! Waiting for files: `poll`, `select`, and what each kind of file is ready for.

pub(crate) mod select;

use everett_fs::FsError;
use linux_raw_sys::general as linux;
use smallvec::SmallVec;
use syscalls::Errno;

use super::pipe;
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::file::epoll::EpollInstance;
use crate::state::file::{FileKind, StandardStream};
use crate::state::ids::{FileId, ThreadKey, Time};
use crate::state::node::Node;
use crate::state::process::signals::SigSet;
use crate::state::wait::{ALWAYS_AWAITED, Wait, WaitEvent};
use crate::sys::signal::replace_mask;
use crate::sys::time::{self, duration, read_timespec, timespec_bytes};
use crate::{net, signal};

/// The events of files that never make anybody wait.
const READY: u32 = linux::POLLIN | linux::POLLRDNORM | linux::POLLOUT | linux::POLLWRNORM;
/// Nanoseconds of a millisecond.
pub(crate) const MILLISECOND: u64 = 1_000_000;

/// Files that a thread waits for, with the events.
pub(crate) type Watched = SmallVec<[(FileId, u16); 2]>;

/// The events that a file is ready for now, as a thread sees it: `POLLIN` and so on. One that somebody
/// else has closed meanwhile is `POLLNVAL`.
pub(crate) fn events(node: &Node, who: ThreadKey, file: FileId) -> u16 {
    let Some(open) = node.volatile.files.get(file.0.into()) else { return linux::POLLNVAL as u16 };
    let events = match &open.kind {
        FileKind::Regular(_)
        | FileKind::Generated { .. }
        | FileKind::Directory(_)
        | FileKind::Device { .. } => READY,
        FileKind::Path(_) => linux::POLLNVAL,
        // Input that has ended can be read: it gives nothing.
        FileKind::Stream(StandardStream::In) => linux::POLLIN | linux::POLLRDNORM,
        FileKind::Stream(StandardStream::Out(_)) => linux::POLLOUT | linux::POLLWRNORM,
        FileKind::Pipe { pipe, .. } => pipe::events(node, open, *pipe),
        FileKind::EventCounter(counter) => counter.events(),
        FileKind::Timer(timer) => timer.events(node.clock.now),
        FileKind::Queue(number) => node.volatile.ipc.posix_queues.events(*number),
        FileKind::Inotify(number) => node.volatile.inotify.events(*number),
        FileKind::Terminal { number, is_master, .. } => {
            node.volatile.terminals.events(*number, *is_master)
        }
        FileKind::Socket(socket) => net::events(node, *socket),
        FileKind::Signal(signals) => {
            let pending = signal::pending(node, who) & signals.set;
            if pending != 0 { linux::POLLIN } else { 0 }
        }
        FileKind::Epoll(instance) => {
            let ready = instance.is_ready(node, who);
            if ready { linux::POLLIN | linux::POLLRDNORM } else { 0 }
        }
    };
    events as u16
}

/// The number of times that a file became ready for reading and for writing, which tells edges apart.
pub(crate) fn edges(node: &Node, file: FileId) -> [u64; 2] {
    let Some(open) = node.volatile.files.get(file.0.into()) else { return [0; 2] };
    match &open.kind {
        FileKind::Regular(_)
        | FileKind::Generated { .. }
        | FileKind::Directory(_)
        | FileKind::Path(_)
        | FileKind::Stream(_)
        | FileKind::Device { .. } => [0; 2],
        FileKind::Pipe { pipe, .. } => pipe::edges(node, *pipe),
        FileKind::EventCounter(counter) => counter.edges(),
        FileKind::Timer(timer) => timer.edges(node.clock.now),
        FileKind::Queue(number) => node.volatile.ipc.posix_queues.edges(*number),
        FileKind::Inotify(number) => node.volatile.inotify.edges(*number),
        FileKind::Terminal { number, is_master, .. } => {
            let arrivals = node.volatile.terminals.arrivals(*number, *is_master);
            // Each change may make room.
            [arrivals, node.path.changes]
        }
        FileKind::Socket(socket) => net::edges(node, *socket),
        // Any change may be one; an edge too many does no harm.
        FileKind::Signal(_) | FileKind::Epoll(_) => [node.path.changes; 2],
    }
}

/// The time at which a file will be ready by itself, if it will.
pub(crate) fn next_event(node: &Node, file: FileId) -> Option<Time> {
    match &node.volatile.files.get(file.0.into())?.kind {
        FileKind::Timer(timer) => timer.next(node.clock.now),
        FileKind::Epoll(instance) => instance.next_event(node),
        FileKind::Socket(socket) => net::next_event(node, *socket),
        _ => None,
    }
}

/// Bytes that can be read without waiting, for `FIONREAD`; `None` for files that do not tell.
pub(crate) fn readable_bytes(node: &Node, file: FileId) -> Result<Option<u64>, FsError> {
    match &node.file(file).kind {
        FileKind::Regular(inode) => {
            let size = node.disk.fs.stat(*inode)?.size;
            Ok(Some(size.saturating_sub(node.file(file).offset)))
        }
        FileKind::Stream(StandardStream::In) => {
            Ok(Some((node.path.input.len() - node.volatile.input_position) as u64))
        }
        FileKind::Pipe { pipe, .. } => Ok(Some(pipe::readable_bytes(node, *pipe))),
        FileKind::Inotify(number) => Ok(Some(node.volatile.inotify.readable_bytes(*number))),
        _ => Ok(None),
    }
}

// ---- waiting -------------------------------------------------------------------------------

/// Returns true if a call that waits for files has come to its end: something is ready, or its time is over.
/// Otherwise the wait that it answers with. The signal mask is the thread's for as long as it waits.
pub(crate) fn wait_or_end<X: Guest>(
    call: &mut Call<'_, '_, X>,
    ready: bool,
    watched: impl FnOnce() -> WaitEvent,
    timeout: Option<Time>,
    mask: Option<SigSet>,
) -> Option<Wait> {
    let over = call.timed_out() || timeout == Some(0);
    if ready {
        restore_mask(call);
        return None;
    }
    replace_mask(call, mask);
    let node = call.node_mut();
    if over && signal::has_deliverable(node, node.volatile.running) {
        // A signal that came while the mask let it in goes first.
        return Some(Wait::until(WaitEvent::Never));
    }
    if over {
        time::polled(node);
        restore_mask(call);
        return None;
    }
    let deadline = call.deadline(timeout);
    Some(Wait::until(watched()).by(deadline))
}

/// The mask from before, because nothing interrupts the call.
fn restore_mask<X: Guest>(call: &mut Call<'_, '_, X>) {
    let thread = call.node_mut().thread_mut();
    if let Some(mask) = thread.saved_mask.take() {
        thread.mask = mask;
    }
}

/// A timeout in milliseconds; a negative one is none.
pub(crate) fn milliseconds(timeout: u32) -> Option<Time> {
    u64::try_from(timeout as i32).ok().map(|timeout| timeout * MILLISECOND)
}

/// A timeout in a `struct timespec`, if there is one.
pub(crate) fn timeout_at<X: Guest>(
    call: &mut Call<'_, '_, X>,
    address: u64,
) -> Result<Option<Time>, CallHalt> {
    if address == 0 {
        return Ok(None);
    }
    Ok(Some(duration(read_timespec(call, address)?)?))
}

/// A signal set for the time of the call, if there is one.
pub(crate) fn mask_at<X: Guest>(
    call: &mut Call<'_, '_, X>,
    address: u64,
    bytes: u64,
) -> Result<Option<SigSet>, CallHalt> {
    const SET_BYTES: u64 = 8;
    if address == 0 {
        return Ok(None);
    }
    if bytes != SET_BYTES {
        return Err(Errno::EINVAL.into());
    }
    Ok(Some(call.read_u64(address)?))
}

/// The rest of a timeout, which the call tells where the timeout was.
fn time_left<X: Guest>(call: &Call<'_, '_, X>, timeout: Option<Time>) -> Time {
    let deadline = call.deadline(timeout).unwrap_or(0);
    deadline.saturating_sub(call.node().clock.now)
}

// ---- poll ----------------------------------------------------------------------------------

/// Bytes of `struct pollfd`.
const ENTRY_BYTES: u64 = 8;

pub(crate) fn poll<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let timeout = milliseconds(call.arg32(2)?);
    poll_files(call, timeout, None)
}

pub(crate) fn ppoll<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (timeout_address, mask, bytes) = (call.arg(2)?, call.arg(3)?, call.arg(4)?);
    let timeout = timeout_at(call, timeout_address)?;
    let mask = mask_at(call, mask, bytes)?;
    let left = time_left(call, timeout);
    let answer = poll_files(call, timeout, mask)?;
    if timeout_address != 0 && matches!(answer, Reply::Value(_)) {
        // A timeout that cannot be written to is not told, as on Linux.
        let _ = call.st.mem.write_bytes(timeout_address, &timespec_bytes(left.into()));
    }
    Ok(answer)
}

fn poll_files<X: Guest>(
    call: &mut Call<'_, '_, X>,
    timeout: Option<Time>,
    mask: Option<SigSet>,
) -> Answer {
    let (address, count) = (call.arg(0)?, u64::from(call.arg32(1)?));
    if count > call.node().process().limits.open_files() {
        return Err(Errno::EINVAL.into());
    }
    // What has happened is for the kernel to say.
    let is_asked = |at| at % ENTRY_BYTES < 6;
    let entries = call.read_settled_partly(address, count * ENTRY_BYTES, is_asked)?;
    call.check_writable(address, count * ENTRY_BYTES)?;
    if call.node().decides_looks() {
        let wanted = entries.chunks_exact(ENTRY_BYTES as usize).map(|entry| {
            let number = u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]);
            (number, u16::from_le_bytes([entry[4], entry[5]]) | ALWAYS_AWAITED as u16)
        });
        let files = call.node().files_of(wanted);
        call.look(&files, timeout != Some(0))?;
    }
    let node = call.node();
    let mut watched = Watched::new();
    let mut results = Vec::with_capacity(count as usize);
    for entry in entries.chunks_exact(ENTRY_BYTES as usize) {
        let number = u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]);
        let wanted = u32::from(u16::from_le_bytes([entry[4], entry[5]])) | ALWAYS_AWAITED;
        let found = match node.descriptor(number) {
            _ if (number as i32) < 0 => 0,
            Ok(descriptor) => {
                watched.push((descriptor.file, wanted as u16));
                events(node, node.volatile.running, descriptor.file) & wanted as u16
            }
            Err(_) => linux::POLLNVAL as u16,
        };
        results.push(found);
    }
    let ready = results.iter().filter(|found| **found != 0).count() as u64;
    let wait = wait_or_end(call, ready > 0, || WaitEvent::Files(watched), timeout, mask);
    if let Some(wait) = wait {
        return Ok(Reply::Wait(wait));
    }
    for (index, found) in (0u64..).zip(results) {
        call.write_concrete(address + index * ENTRY_BYTES + 6, &found.to_le_bytes())?;
    }
    Ok(Reply::Value(ready))
}

/// Returns true if `epoll` may watch a file.
pub(crate) fn can_be_watched(kind: &FileKind) -> bool {
    let always_ready =
        matches!(kind, FileKind::Regular(_) | FileKind::Directory(_) | FileKind::Generated { .. });
    let is_device = matches!(kind, FileKind::Device { .. });
    !always_ready && !is_device
}

#[cfg(test)]
mod tests;

/// The file of an `epoll` instance.
pub(crate) fn is_instance(node: &Node, file: FileId) -> Option<&EpollInstance> {
    match &node.volatile.files.get(file.0.into())?.kind {
        FileKind::Epoll(instance) => Some(instance),
        _ => None,
    }
}
