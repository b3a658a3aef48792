//! Message queues of POSIX: `mq_open` and its relatives.
//!
//! An open queue is a file that can be waited for. It cannot be read or written as other files are.

use std::sync::Arc;

use everett_interp::Reg;
use linux_raw_sys::general as linux;
use syscalls::{Errno, Sysno};

use super::own_pid;
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::net::netlink;
use crate::signal;
use crate::state::file::{FileKind, OpenFile};
use crate::state::ids::{FileId, Pid};
use crate::state::ipc::IpcRights;
use crate::state::ipc::posix_queue::{PosixMessage, PosixQueue, QueueNotification, ThreadNotice};
use crate::state::node::Node;
use crate::state::process::signals::SignalInfo;
use crate::state::sockets::{SocketFamily, socket_of};
use crate::state::wait::{Wait, WaitEvent};
use crate::sys::io::known_or_mixed;
use crate::sys::time::{read_timespec, until};

/// The most messages of a queue, and the size of one: unless a process asks for other numbers, for a
/// process, and for the superuser.
const DEFAULT: (u64, u64) = (10, 8192);
const MOST: (u64, u64) = (10, 8192);
const MOST_OF_ROOT: (u64, u64) = (65536, 16 << 20);
/// The most queues.
const MOST_QUEUES: usize = 256;
/// Priorities are below this.
const PRIORITIES: u32 = 32768;
/// Bytes of a name, and of `struct mq_attr`.
const NAME_BYTES: usize = 255;
const ATTRIBUTE_BYTES: u64 = 64;
/// Ways to be told of a message (`<signal.h>`).
const SIGEV_SIGNAL: u32 = 0;
const SIGEV_NONE: u32 = 1;
const SIGEV_THREAD: u32 = 2;
/// The code of a signal that tells of a message.
const SI_MESGQ: i32 = -3;

/// The name in argument 0, without its slash.
fn name<X: Guest>(call: &mut Call<'_, '_, X>) -> Result<Arc<[u8]>, CallHalt> {
    let address = call.arg(0)?;
    let text = call.read_text(address, crate::kernel::call::PATH_MAX)?;
    let name = text.ok_or(Errno::ENAMETOOLONG)?;
    match &name[..] {
        [] => Err(Errno::ENOENT.into()),
        b"." | b".." => Err(Errno::EACCES.into()),
        name if name.contains(&b'/') => Err(Errno::EACCES.into()),
        name if name.len() > NAME_BYTES => Err(Errno::ENAMETOOLONG.into()),
        name => Ok(name.into()),
    }
}

pub(crate) fn mq_open<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let flags = call.arg32(1)?;
    let name = name(call)?;
    let node = call.node();
    node.process().descriptors.lowest_free(0, node.process().limits.open_files())?;
    let found = node.volatile.ipc.posix_queues.names.get(&name).copied();
    let number = match found {
        Some(_) if flags & linux::O_CREAT != 0 && flags & linux::O_EXCL != 0 => {
            return Err(Errno::EEXIST.into());
        }
        Some(number) => {
            let cred = call.node().credentials();
            let asked = match flags & linux::O_ACCMODE {
                linux::O_RDONLY => 0o444,
                linux::O_WRONLY => 0o222,
                linux::O_RDWR => 0o666,
                _ => return Err(Errno::EINVAL.into()),
            };
            if !queue(call.node_mut(), number)?.rights.allow(&cred, asked) {
                return Err(Errno::EACCES.into());
            }
            number
        }
        None if flags & linux::O_CREAT == 0 => return Err(Errno::ENOENT.into()),
        None => make(call, &name)?,
    };
    let status = flags & (linux::O_ACCMODE | linux::O_NONBLOCK);
    let node = call.node_mut();
    queue(node, number)?.opened += 1;
    // Another program never gets the descriptor.
    Ok(Reply::Value(node.open(OpenFile::new(FileKind::Queue(number), status), true)?.into()))
}

/// Makes a queue with a name.
fn make<X: Guest>(call: &mut Call<'_, '_, X>, name: &Arc<[u8]>) -> Result<u32, CallHalt> {
    let (mode, attributes) = (call.arg32(2)?, call.arg(3)?);
    let cred = call.node().credentials();
    let (most_messages, message_bytes) = if attributes == 0 {
        DEFAULT
    } else {
        let most = if cred.is_root() { MOST_OF_ROOT } else { MOST };
        let messages = call.read_u64(attributes.wrapping_add(8))?;
        let bytes = call.read_u64(attributes.wrapping_add(16))?;
        if !(1..=most.0).contains(&messages) || !(1..=most.1).contains(&bytes) {
            return Err(Errno::EINVAL.into());
        }
        (messages, bytes)
    };
    let node = call.node_mut();
    let rights = IpcRights::of_creator(&cred, mode & !node.process().umask);
    let table = &mut node.volatile.ipc.posix_queues;
    if table.queues.len() >= MOST_QUEUES {
        return Err(Errno::ENOSPC.into());
    }
    let number = table.next;
    table.next += 1;
    table.names.insert(name.clone(), number);
    let queue = PosixQueue {
        messages: Arc::default(),
        most_messages,
        message_bytes,
        rights,
        has_name: true,
        opened: 0,
        notified: None,
        arrivals: 0,
        departures: 0,
    };
    table.queues.insert(number, queue);
    Ok(number)
}

pub(crate) fn mq_unlink<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let name = name(call)?;
    let node = call.node_mut();
    let cred = node.credentials();
    let table = &mut node.volatile.ipc.posix_queues;
    let number = *table.names.get(&name).ok_or(Errno::ENOENT)?;
    let queue = table.queues.get_mut(&number).ok_or(Errno::ENOENT)?;
    if !queue.rights.may_be_changed_by(&cred) {
        return Err(Errno::EPERM.into());
    }
    queue.has_name = false;
    table.names.remove(&name);
    table.forget_unused(number);
    Ok(Reply::Value(0))
}

fn queue(node: &mut Node, number: u32) -> Result<&mut PosixQueue, Errno> {
    node.volatile.ipc.posix_queues.queues.get_mut(&number).ok_or(Errno::EBADF)
}

/// The queue that is argument 0, and its open file.
fn queue_arg<X: Guest>(call: &mut Call<'_, '_, X>) -> Result<(FileId, u32), CallHalt> {
    let file = call.file_arg(0)?;
    match call.node().file(file).kind {
        FileKind::Queue(number) => Ok((file, number)),
        _ => Err(Errno::EBADF.into()),
    }
}

/// The time until the deadline that a timeout argument names, if there is one.
fn timeout<X: Guest>(call: &mut Call<'_, '_, X>, address: u64) -> Result<Option<u64>, CallHalt> {
    if address == 0 {
        return Ok(None);
    }
    let time = read_timespec(call, address)?;
    crate::sys::time::duration(time)?;
    Ok(Some(until(call.node(), time, true)))
}

/// The wait until a queue is ready for an event, unless its file does not wait.
fn wait<X: Guest>(
    call: &Call<'_, '_, X>,
    file: FileId,
    event: u32,
    timeout: Option<u64>,
) -> Answer {
    if call.node().file(file).nonblocking() {
        return Err(Errno::EAGAIN.into());
    }
    if call.timed_out() {
        return Err(Errno::ETIMEDOUT.into());
    }
    Ok(Reply::Wait(Wait::file(file, event).by(call.deadline(timeout))))
}

pub(crate) fn mq_timedsend<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (address, len) = (call.arg(1)?, call.arg(2)?);
    let (priority, deadline) = (call.arg32(3)?, call.arg(4)?);
    if priority >= PRIORITIES {
        return Err(Errno::EINVAL.into());
    }
    let timeout = timeout(call, deadline)?;
    let (file, number) = queue_arg(call)?;
    if !call.node().file(file).writable() {
        return Err(Errno::EBADF.into());
    }
    if len > queue(call.node_mut(), number)?.message_bytes {
        return Err(Errno::EMSGSIZE.into());
    }
    let data = known_or_mixed(call, address, len)?;
    let node = call.node_mut();
    if queue(node, number)?.is_full() {
        return wait(call, file, linux::POLLOUT, timeout);
    }
    let is_first = queue(node, number)?.messages.is_empty();
    queue(node, number)?.push(PosixMessage { priority, data });
    node.changed();
    if is_first && !has_receiver(node, number) {
        notify(call, number)?;
    }
    Ok(Reply::Value(0))
}

pub(crate) fn mq_timedreceive<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (address, room) = (call.arg(1)?, call.arg(2)?);
    let (priority, deadline) = (call.arg(3)?, call.arg(4)?);
    let timeout = timeout(call, deadline)?;
    let (file, number) = queue_arg(call)?;
    if !call.node().file(file).readable() {
        return Err(Errno::EBADF.into());
    }
    let found = queue(call.node_mut(), number)?;
    if room < found.message_bytes {
        return Err(Errno::EMSGSIZE.into());
    }
    let Some(message) = found.messages.front().cloned() else {
        return wait(call, file, linux::POLLIN, timeout);
    };
    call.write(address, &message.data.to_values())?;
    if priority != 0 {
        call.write_u32(priority, message.priority)?;
    }
    let node = call.node_mut();
    queue(node, number)?.take();
    node.changed();
    Ok(Reply::Value(message.data.len() as u64))
}

/// Returns true if a thread waits for a message: then nobody is told of one.
fn has_receiver(node: &Node, number: u32) -> bool {
    let is_queue = |file: &FileId| {
        let open = node.volatile.files.get(file.0.into());
        open.is_some_and(|open| matches!(open.kind, FileKind::Queue(n) if n == number))
    };
    let mut threads = node.volatile.processes.values().flat_map(|process| process.threads.values());
    threads.any(|thread| match thread.blocked.as_ref().map(|wait| &wait.event) {
        Some(WaitEvent::Files(files)) if thread.blocked_in == Some(Sysno::mq_timedreceive) => {
            files.iter().any(|(file, _)| is_queue(file))
        }
        _ => false,
    })
}

/// Tells the process that wants to know of a message, once.
fn notify<X: Guest>(call: &mut Call<'_, '_, X>, number: u32) -> Result<(), CallHalt> {
    let node = call.node_mut();
    let Some(wish) = queue(node, number)?.notified.take() else { return Ok(()) };
    if let Some(thread) = wish.thread {
        netlink::tell(node, thread.socket, &thread.telling(ThreadNotice::MESSAGE));
        return Ok(());
    }
    if wish.signal == 0 {
        return Ok(());
    }
    let uid = node.process().ids.real_uid;
    let pid = own_pid(node);
    let value = Reg::word(wish.value);
    let info = SignalInfo { signal: wish.signal, code: SI_MESGQ, pid, uid, value };
    // A process that has ended meanwhile needs no signal.
    let _ = signal::send(node, wish.process, None, info);
    Ok(())
}

pub(crate) fn mq_notify<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let address = call.arg(1)?;
    let mut asked = None;
    if address != 0 {
        let value = call.read_kept(address, 8)?;
        let signal = call.read_u32(address.wrapping_add(8))?;
        let (signal, thread) = match call.read_u32(address.wrapping_add(12))? {
            SIGEV_NONE => (0, None),
            SIGEV_SIGNAL if (1..=64).contains(&signal) => (signal, None),
            SIGEV_THREAD => (0, Some(notice(call, signal, value)?)),
            _ => return Err(Errno::EINVAL.into()),
        };
        asked = Some((signal, value, thread));
    }
    let (_, number) = queue_arg(call)?;
    let process = call.node().volatile.running.0;
    let node = call.node_mut();
    match asked {
        None => forget_wish(node, number, process),
        Some(_) if queue(node, number)?.notified.is_some() => return Err(Errno::EBUSY.into()),
        Some((signal, value, thread)) => {
            let wish = QueueNotification { process, signal, value, thread };
            queue(node, number)?.notified = Some(wish);
        }
    }
    Ok(Reply::Value(0))
}

/// What a thread is to be told, as `SIGEV_THREAD` gives it: the descriptor of a netlink socket in place of a
/// signal, and the address of the bytes in place of a value.
fn notice<X: Guest>(
    call: &mut Call<'_, '_, X>,
    descriptor: u32,
    address: u64,
) -> Result<ThreadNotice, CallHalt> {
    let told = call.read_settled(address, ThreadNotice::BYTES as u64)?;
    let node = call.node();
    if node.path.reduces_orders {
        // Queues and sockets are taken to be apart there.
        return Err(call.unsupported("SIGEV_THREAD, while all orders of threads are explored"));
    }
    let file = node.descriptor(descriptor)?.file;
    let socket = socket_of(node.file(file)).ok_or(Errno::ENOTSOCK)?;
    if !matches!(node.net.get(socket).family, SocketFamily::Netlink(_)) {
        return Err(Errno::EINVAL.into());
    }
    let bytes = std::array::from_fn(|i| told[i]);
    Ok(ThreadNotice { socket, bytes })
}

/// A process does not want to be told of messages in a queue any more.
fn forget_wish(node: &mut Node, number: u32, process: Pid) {
    let Ok(queue) = queue(node, number) else { return };
    let Some(wish) = queue.notified.filter(|wish| wish.process == process) else { return };
    queue.notified = None;
    if let Some(thread) = wish.thread {
        netlink::tell(node, thread.socket, &thread.telling(ThreadNotice::REMOVED));
    }
}

pub(crate) fn mq_getsetattr<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (new, old) = (call.arg(1)?, call.arg(2)?);
    let (file, number) = queue_arg(call)?;
    let mut wanted = None;
    if new != 0 {
        let flags = call.read_u64(new)?;
        if flags & !u64::from(linux::O_NONBLOCK) != 0 {
            return Err(Errno::EINVAL.into());
        }
        wanted = Some(flags as u32);
    }
    if old != 0 {
        let status = call.node().file(file).flags & linux::O_NONBLOCK;
        let queue = queue(call.node_mut(), number)?;
        let count = queue.messages.len() as u64;
        let numbers = [status.into(), queue.most_messages, queue.message_bytes, count];
        let mut bytes = vec![0; ATTRIBUTE_BYTES as usize];
        for (place, number) in bytes.chunks_exact_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        call.write_concrete(old, &bytes)?;
    }
    if let Some(flags) = wanted {
        let status = &mut call.node_mut().file_mut(file).flags;
        *status = *status & !linux::O_NONBLOCK | flags;
    }
    Ok(Reply::Value(0))
}

// ---- as an open file -----------------------------------------------------------------------

/// An open file that may be a queue is gone.
pub(crate) fn closed(node: &mut Node, file: &OpenFile) {
    let FileKind::Queue(number) = file.kind else { return };
    let table = &mut node.volatile.ipc.posix_queues;
    if let Some(queue) = table.queues.get_mut(&number) {
        queue.opened -= 1;
        table.forget_unused(number);
    }
}

/// A process has ended: it is not told of messages any more.
pub(crate) fn forget_wishes(node: &mut Node, pid: Pid) {
    let all: Vec<u32> = node.volatile.ipc.posix_queues.queues.keys().copied().collect();
    all.into_iter().for_each(|number| forget_wish(node, number, pid));
}

/// The running process has closed a descriptor. If that was one of a queue, it is not told of messages there
/// any more, however many other descriptors of the queue it has.
pub(crate) fn descriptor_closed(node: &mut Node, file: FileId) {
    let FileKind::Queue(number) = node.file(file).kind else { return };
    let pid = node.volatile.running.0;
    forget_wish(node, number, pid);
}
