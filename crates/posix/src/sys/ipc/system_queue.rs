//! Message queues of System V: `msgget`, `msgsnd`, `msgrcv`, `msgctl`.

use syscalls::Errno;

use super::{
    IPC_64, IPC_INFO, IPC_NOWAIT, IPC_RMID, IPC_SET, IPC_STAT, ObjectStatus, PERM_BYTES, READ,
    WRITE, find_or_make, highest, object, own_object, own_pid, read_perm, seconds, set_rights,
    write_numbers,
};
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::ipc::system_queue::{QUEUE_BYTES, SystemMessage, SystemQueue};
use crate::state::ipc::{IpcObjects, IpcTable, MOST_OBJECTS};
use crate::state::wait::{Wait, WaitEvent};
use crate::sys::io::known_or_mixed;

/// Flags of `msgrcv` beside those of all kinds.
const MSG_NOERROR: u32 = 0o10000;
const MSG_EXCEPT: u32 = 0o20000;
const MSG_COPY: u32 = 0o40000;
/// Commands of `msgctl` beside those of all kinds.
const MSG_STAT: u32 = 11;
const MSG_INFO: u32 = 12;
const MSG_STAT_ANY: u32 = 13;
/// The largest message.
const MESSAGE_BYTES: u64 = 8192;
/// Bytes of the type in front of a message, and of `struct msqid_ds`.
const TYPE_BYTES: u64 = 8;
const STATUS_BYTES: usize = 120;

fn queues(objects: &mut IpcObjects) -> &mut IpcTable<SystemQueue> {
    &mut objects.queues
}

pub(crate) fn msgget<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let flags = call.arg32(1)?;
    find_or_make(call, queues, flags, |_| Ok(()), |_| Ok(SystemQueue::default()))
}

/// The wait of a call until anything changes, unless it must not wait.
fn wait<X: Guest>(call: &Call<'_, '_, X>, flags: u32, error: Errno) -> Answer {
    if flags & IPC_NOWAIT != 0 {
        return Err(error.into());
    }
    Ok(Reply::Wait(Wait::until(WaitEvent::Change(call.node().path.changes))))
}

pub(crate) fn msgsnd<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (address, bytes, flags) = (call.arg(1)?, call.arg(2)?, call.arg32(3)?);
    let kind = call.read_u64(address)? as i64;
    if bytes > MESSAGE_BYTES || kind < 1 {
        return Err(Errno::EINVAL.into());
    }
    let data = known_or_mixed(call, address.wrapping_add(TYPE_BYTES), bytes)?;
    if !object(call, queues, WRITE)?.data.has_room(bytes) {
        return wait(call, flags, Errno::EAGAIN);
    }
    let (now, pid) = (seconds(call.node()), own_pid(call.node()));
    let queue = &mut object(call, queues, WRITE)?.data;
    queue.push(SystemMessage { kind, data });
    (queue.sent_s, queue.last_sender) = (now, pid);
    call.node_mut().changed();
    Ok(Reply::Value(0))
}

pub(crate) fn msgrcv<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (address, room) = (call.arg(1)?, call.arg(2)?);
    let (kind, flags) = (call.arg(3)? as i64, call.arg32(4)?);
    if (room as i64) < 0 {
        return Err(Errno::EINVAL.into());
    }
    if flags & MSG_COPY != 0 {
        return Err(call.unsupported("MSG_COPY"));
    }
    let queue = &object(call, queues, READ)?.data;
    let Some(at) = queue.find(kind, flags & MSG_EXCEPT != 0) else {
        return wait(call, flags, Errno::ENOMSG);
    };
    let message = queue.messages[at].clone();
    let whole = message.data.len() as u64;
    if whole > room && flags & MSG_NOERROR == 0 {
        return Err(Errno::E2BIG.into());
    }
    let count = whole.min(room);
    call.check_writable(address, TYPE_BYTES + count)?;
    call.write_u64(address, message.kind as u64)?;
    let data = message.data.part(0, count as usize);
    call.write(address + TYPE_BYTES, &data.to_values())?;
    let (now, pid) = (seconds(call.node()), own_pid(call.node()));
    let queue = &mut object(call, queues, READ)?.data;
    queue.take(at);
    (queue.received_s, queue.last_receiver) = (now, pid);
    call.node_mut().changed();
    Ok(Reply::Value(count))
}

pub(crate) fn msgctl<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (command, address) = (call.arg32(1)? & !IPC_64, call.arg(2)?);
    match command {
        IPC_INFO | MSG_INFO => return tell_all(call, command, address),
        IPC_STAT | MSG_STAT | MSG_STAT_ANY => return tell(call, command, address),
        IPC_SET => set(call, address)?,
        IPC_RMID => {
            own_object(call, queues)?;
            let number = call.arg32(0)?;
            let node = call.node_mut();
            node.volatile.ipc.queues.remove(number);
            node.changed();
        }
        _ => return Err(Errno::EINVAL.into()),
    }
    Ok(Reply::Value(0))
}

/// Sets the owner, the rights, and the most bytes of a queue.
fn set<X: Guest>(call: &mut Call<'_, '_, X>, address: u64) -> Result<(), CallHalt> {
    let perm = read_perm(call, address)?;
    let most_bytes = call.read_u64(address.wrapping_add(88))?;
    let now = seconds(call.node());
    let may_grow = call.node().credentials().is_root();
    let queue = own_object(call, queues)?;
    if most_bytes > QUEUE_BYTES && !may_grow {
        return Err(Errno::EPERM.into());
    }
    queue.data.most_bytes = most_bytes;
    set_rights(queue, &perm, now);
    // There may be room for those that wait.
    call.node_mut().changed();
    Ok(())
}

/// Tells everything about a queue.
fn tell<X: Guest>(call: &mut Call<'_, '_, X>, command: u32, address: u64) -> Answer {
    let number = call.arg32(0)?;
    let asked = if command == MSG_STAT_ANY { 0 } else { READ };
    let queue = object(call, queues, asked)?.clone();
    let mut status = ObjectStatus::of(&queue, STATUS_BYTES);
    let data = &queue.data;
    let (sent, received, changed) = (data.sent_s as u64, data.received_s as u64, queue.changed_s);
    let count = data.messages.len() as u64;
    let numbers = [sent, received, changed as u64, data.bytes, count, data.most_bytes];
    for (at, number) in numbers.iter().enumerate() {
        status.put(PERM_BYTES + 8 * at, *number, 8);
    }
    status.put(96, data.last_sender.into(), 4);
    status.put(100, data.last_receiver.into(), 4);
    call.write_concrete(address, &status.0)?;
    Ok(Reply::Value(if command == IPC_STAT { 0 } else { number.into() }))
}

/// Tells about limits, or about all queues together.
fn tell_all<X: Guest>(call: &mut Call<'_, '_, X>, command: u32, address: u64) -> Answer {
    let table = &call.node().volatile.ipc.queues;
    let reply = highest(table);
    let most = MOST_OBJECTS as u64;
    let (mut pool, mut map, mut total) = (most * QUEUE_BYTES / 1024, QUEUE_BYTES, QUEUE_BYTES);
    if command == MSG_INFO {
        pool = table.len() as u64;
        map = table.iter().map(|(_, queue)| queue.data.messages.len() as u64).sum();
        total = table.iter().map(|(_, queue)| queue.data.bytes).sum();
    }
    let numbers = [pool, map, MESSAGE_BYTES, QUEUE_BYTES, most, 16, total, 0xffff];
    write_numbers(call, address, &numbers, 4)?;
    Ok(reply)
}
