//! Semaphores of System V: `semget`, `semop`, `semtimedop`, `semctl`.

use syscalls::Errno;

use super::{
    IPC_64, IPC_INFO, IPC_NOWAIT, IPC_RMID, IPC_SET, IPC_STAT, ObjectStatus, READ, WRITE,
    find_or_make, highest, object, own_object, read_perm, seconds, set_rights, write_numbers,
};
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::ids::Pid;
use crate::state::ipc::semaphore::{
    MOST_VALUE, SemaphoreOperation, SemaphoreOutcome, SemaphoreSet,
};
use crate::state::ipc::{IpcObjects, IpcTable, MOST_OBJECTS};
use crate::state::node::Node;
use crate::state::wait::{SemaphoreWait, Wait, WaitEvent};
use crate::sys::time::{duration, read_timespec};

/// The flag of an operation that is undone when its process ends.
const SEM_UNDO: u16 = 0x1000;
/// Commands of `semctl` beside those of all kinds.
const GETPID: u32 = 11;
const GETVAL: u32 = 12;
const GETALL: u32 = 13;
const GETNCNT: u32 = 14;
const GETZCNT: u32 = 15;
const SETVAL: u32 = 16;
const SETALL: u32 = 17;
const SEM_STAT: u32 = 18;
const SEM_INFO: u32 = 19;
const SEM_STAT_ANY: u32 = 20;
/// The most semaphores of a set, and operations of a call.
const MOST_SEMAPHORES: u32 = 32000;
const MOST_OPERATIONS: u64 = 500;
/// Bytes of `struct sembuf` and of `struct semid_ds`.
const OPERATION_BYTES: u64 = 6;
const STATUS_BYTES: usize = 104;

fn sets(objects: &mut IpcObjects) -> &mut IpcTable<SemaphoreSet> {
    &mut objects.semaphores
}

pub(crate) fn semget<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (count, flags) = (call.arg32(1)?, call.arg32(2)?);
    if count > MOST_SEMAPHORES {
        return Err(Errno::EINVAL.into());
    }
    let fits = |set: &SemaphoreSet| {
        if count as usize > set.semaphores.len() { Err(Errno::EINVAL) } else { Ok(()) }
    };
    find_or_make(call, sets, flags, fits, |_| match count {
        0 => Err(Errno::EINVAL.into()),
        count => Ok(SemaphoreSet::new(count as usize)),
    })
}

/// Undoes what a process that ends has asked to be undone.
pub(super) fn undo(node: &mut Node, pid: Pid) {
    let numbers: Vec<u32> = node.volatile.ipc.semaphores.iter().map(|(number, _)| number).collect();
    for number in numbers {
        let set = node.volatile.ipc.semaphores.get_mut(number);
        if set.is_some_and(|set| set.data.undo_of(pid)) {
            node.changed();
        }
    }
}

pub(crate) fn semop<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    operate(call, None)
}

pub(crate) fn semtimedop<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let address = call.arg(3)?;
    let timeout = if address == 0 { None } else { Some(duration(read_timespec(call, address)?)?) };
    operate(call, timeout)
}

fn operate<X: Guest>(call: &mut Call<'_, '_, X>, timeout: Option<u64>) -> Answer {
    let (number, count) = (call.arg32(0)?, call.arg(2)?);
    if count == 0 {
        return Err(Errno::EINVAL.into());
    }
    if count > MOST_OPERATIONS {
        return Err(Errno::E2BIG.into());
    }
    let operations = read_operations(call, count)?;
    let changes = operations.iter().any(|operation| operation.change != 0);
    let who = call.node().volatile.running.0;
    let now = seconds(call.node());
    let set = &mut object(call, sets, if changes { WRITE } else { READ })?.data;
    if operations.iter().any(|operation| usize::from(operation.number) >= set.semaphores.len()) {
        return Err(Errno::EFBIG.into());
    }
    match set.operate(who, &operations) {
        SemaphoreOutcome::Done => {
            set.operated_s = now;
            call.node_mut().changed();
            Ok(Reply::Value(0))
        }
        SemaphoreOutcome::OutOfRange => Err(Errno::ERANGE.into()),
        SemaphoreOutcome::Waits(at) => {
            let held = operations[at];
            if !held.may_wait || call.timed_out() {
                return Err(Errno::EAGAIN.into());
            }
            let since = call.node().path.changes;
            let SemaphoreOperation { number: semaphore, change, .. } = held;
            let wait = SemaphoreWait { set: number, semaphore, for_zero: change == 0, since };
            let deadline = call.deadline(timeout);
            Ok(Reply::Wait(Wait::until(WaitEvent::Semaphore(wait)).by(deadline)))
        }
    }
}

/// The operations that argument 1 points to.
fn read_operations<X: Guest>(
    call: &mut Call<'_, '_, X>,
    count: u64,
) -> Result<Vec<SemaphoreOperation>, CallHalt> {
    let address = call.arg(1)?;
    let bytes = call.read_settled(address, count * OPERATION_BYTES)?;
    let half = |bytes: &[u8], at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let operation = |bytes: &[u8]| {
        let flags = half(bytes, 4);
        SemaphoreOperation {
            number: half(bytes, 0),
            change: (half(bytes, 2) as i16).into(),
            is_undone: flags & SEM_UNDO != 0,
            may_wait: u32::from(flags) & IPC_NOWAIT == 0,
        }
    };
    Ok(bytes.chunks_exact(OPERATION_BYTES as usize).map(operation).collect())
}

pub(crate) fn semctl<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (command, argument) = (call.arg32(2)? & !IPC_64, call.arg(3)?);
    match command {
        IPC_INFO | SEM_INFO => return tell_all(call, command, argument),
        IPC_STAT | SEM_STAT | SEM_STAT_ANY => return tell(call, command, argument),
        GETVAL | GETPID | GETNCNT | GETZCNT => return look(call, command),
        GETALL => {
            let semaphores = object(call, sets, READ)?.data.semaphores.clone();
            let values: Vec<u64> = semaphores.iter().map(|one| one.value as u64).collect();
            write_numbers(call, argument, &values, 2)?;
        }
        SETVAL => {
            let value = argument as i32;
            if !(0..=MOST_VALUE).contains(&value) {
                return Err(Errno::ERANGE.into());
            }
            let semaphore = semaphore_arg(call)?;
            let who = call.node().volatile.running.0;
            let now = seconds(call.node());
            let set = object(call, sets, WRITE)?;
            set.data.set(who, semaphore, value);
            set.changed_s = now;
            call.node_mut().changed();
        }
        SETALL => set_all(call, argument)?,
        IPC_SET => {
            let perm = read_perm(call, argument)?;
            let now = seconds(call.node());
            set_rights(own_object(call, sets)?, &perm, now);
        }
        IPC_RMID => {
            own_object(call, sets)?;
            let number = call.arg32(0)?;
            let node = call.node_mut();
            node.volatile.ipc.semaphores.remove(number);
            node.changed();
        }
        _ => return Err(Errno::EINVAL.into()),
    }
    Ok(Reply::Value(0))
}

/// The number of a semaphore in argument 1.
fn semaphore_arg<X: Guest>(call: &mut Call<'_, '_, X>) -> Result<u16, CallHalt> {
    let semaphore = call.arg32(1)?;
    let count = object(call, sets, 0)?.data.semaphores.len();
    let is_there = (semaphore as usize) < count;
    if is_there { Ok(semaphore as u16) } else { Err(Errno::EINVAL.into()) }
}

fn set_all<X: Guest>(call: &mut Call<'_, '_, X>, address: u64) -> Result<(), CallHalt> {
    let count = object(call, sets, WRITE)?.data.semaphores.len();
    let bytes = call.read_settled(address, 2 * count as u64)?;
    let values =
        bytes.chunks_exact(2).map(|pair| i32::from(u16::from_le_bytes([pair[0], pair[1]])));
    let values: Vec<i32> = values.collect();
    if values.iter().any(|value| *value > MOST_VALUE) {
        return Err(Errno::ERANGE.into());
    }
    let who = call.node().volatile.running.0;
    let now = seconds(call.node());
    let set = object(call, sets, WRITE)?;
    for (number, value) in (0..).zip(values) {
        set.data.set(who, number, value);
    }
    set.changed_s = now;
    call.node_mut().changed();
    Ok(())
}

/// Tells something about one semaphore.
fn look<X: Guest>(call: &mut Call<'_, '_, X>, command: u32) -> Answer {
    let number = call.arg32(0)?;
    let at = semaphore_arg(call)?;
    let semaphore = object(call, sets, READ)?.data.semaphores[usize::from(at)];
    Ok(Reply::Value(match command {
        GETVAL => semaphore.value as u64,
        GETPID => semaphore.last_user.into(),
        _ => waiting(call.node(), number, at, command == GETZCNT),
    }))
}

/// The number of threads that wait for a semaphore to grow, or to be zero.
fn waiting(node: &Node, set: u32, semaphore: u16, for_zero: bool) -> u64 {
    let threads = node.volatile.processes.values().flat_map(|process| process.threads.values());
    let waits = threads.filter_map(|thread| match &thread.blocked.as_ref()?.event {
        WaitEvent::Semaphore(wait) => Some(*wait),
        _ => None,
    });
    let is_meant = |wait: &SemaphoreWait| {
        (wait.set, wait.semaphore, wait.for_zero) == (set, semaphore, for_zero)
    };
    waits.filter(is_meant).count() as u64
}

/// Tells everything about a set.
fn tell<X: Guest>(call: &mut Call<'_, '_, X>, command: u32, address: u64) -> Answer {
    let number = call.arg32(0)?;
    let asked = if command == SEM_STAT_ANY { 0 } else { READ };
    let set = object(call, sets, asked)?.clone();
    let mut status = ObjectStatus::of(&set, STATUS_BYTES);
    status.put(48, set.data.operated_s as u64, 8);
    status.put(64, set.changed_s as u64, 8);
    status.put(80, set.data.semaphores.len() as u64, 8);
    call.write_concrete(address, &status.0)?;
    Ok(Reply::Value(if command == IPC_STAT { 0 } else { number.into() }))
}

/// Tells about limits, or about all sets together.
fn tell_all<X: Guest>(call: &mut Call<'_, '_, X>, command: u32, address: u64) -> Answer {
    let table = &call.node().volatile.ipc.semaphores;
    let reply = highest(table);
    let (most, per_set) = (MOST_OBJECTS as u64, u64::from(MOST_SEMAPHORES));
    let (mut used, mut all) = (20, MOST_VALUE as u64);
    if command == SEM_INFO {
        used = table.len() as u64;
        all = table.iter().map(|(_, set)| set.data.semaphores.len() as u64).sum();
    }
    let total = most * per_set;
    let most_value = MOST_VALUE as u64;
    let numbers = [
        total,
        most,
        total,
        total,
        per_set,
        MOST_OPERATIONS,
        MOST_OPERATIONS,
        used,
        most_value,
        all,
    ];
    write_numbers(call, address, &numbers, 4)?;
    Ok(reply)
}
