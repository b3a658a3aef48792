//! Shared memory, semaphores and message queues: the calls, and what those of all kinds have in common.
//!
//! Not here: the objects (`state/ipc.rs`).

pub(crate) mod posix_queue;
pub(crate) mod semaphore;
pub(crate) mod shared_memory;
pub(crate) mod system_queue;

use syscalls::Errno;

use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::state::ids::Pid;
use crate::state::ipc::{IpcObject, IpcObjects, IpcRights, IpcTable, MOST_OBJECTS};
use crate::state::node::Node;

/// Flags of calls that find or make an object (`<linux/ipc.h>`).
const IPC_CREAT: u32 = 0o1000;
const IPC_EXCL: u32 = 0o2000;
const IPC_NOWAIT: u32 = 0o4000;
/// The key of an object that is not to be found.
const IPC_PRIVATE: u32 = 0;

/// Commands that objects of all kinds know.
const IPC_RMID: u32 = 0;
const IPC_SET: u32 = 1;
const IPC_STAT: u32 = 2;
const IPC_INFO: u32 = 3;
/// A bit of commands that selects the form of structures, of which x86-64 has one.
const IPC_64: u32 = 0x100;

/// The rights to read and to change an object.
const READ: u32 = 0o444;
const WRITE: u32 = 0o222;

/// Bytes of `struct ipc_perm`, with which all structures of `IPC_STAT` begin.
const PERM_BYTES: usize = 48;

/// The table of one kind of objects.
type TableOf<T> = fn(&mut IpcObjects) -> &mut IpcTable<T>;

/// A process has ended: what it wants to be undone is undone, and it is told nothing any more.
pub(crate) fn process_ended(node: &mut Node, pid: Pid) {
    if node.volatile.ipc.semaphores.len() > 0 {
        semaphore::undo(node, pid);
    }
    if !node.volatile.ipc.posix_queues.queues.is_empty() {
        posix_queue::forget_wishes(node, pid);
    }
}

/// Finds the object of a key, or makes one: the calls that end in `get`.
fn find_or_make<X: Guest, T>(
    call: &mut Call<'_, '_, X>,
    table: TableOf<T>,
    flags: u32,
    fits: impl FnOnce(&T) -> Result<(), Errno>,
    make: impl FnOnce(&mut Call<'_, '_, X>) -> Result<T, CallHalt>,
) -> Answer {
    let key = call.arg32(0)?;
    let cred = call.node().credentials();
    let found = if key == IPC_PRIVATE { None } else { of(call, table).with_key(key) };
    if let Some(number) = found {
        if flags & (IPC_CREAT | IPC_EXCL) == IPC_CREAT | IPC_EXCL {
            return Err(Errno::EEXIST.into());
        }
        let object = of(call, table).get(number).ok_or(Errno::ENOENT)?;
        let is_allowed = object.rights.allow(&cred, flags & 0o777);
        fits(&object.data)?;
        if !is_allowed {
            return Err(Errno::EACCES.into());
        }
        return Ok(Reply::Value(number.into()));
    }
    if key != IPC_PRIVATE && flags & IPC_CREAT == 0 {
        return Err(Errno::ENOENT.into());
    }
    if of(call, table).len() >= MOST_OBJECTS {
        return Err(Errno::ENOSPC.into());
    }
    let data = make(call)?;
    let changed_s = seconds(call.node());
    let rights = IpcRights::of_creator(&cred, flags);
    let number = of(call, table).add(IpcObject { key, rights, changed_s, data });
    Ok(Reply::Value(number.ok_or(Errno::ENOSPC)?.into()))
}

/// The table of one kind.
fn of<'c, X: Guest, T>(call: &'c mut Call<'_, '_, X>, table: TableOf<T>) -> &'c mut IpcTable<T> {
    table(&mut call.node_mut().volatile.ipc)
}

/// The object with the number in argument 0, for somebody who has these rights. A call that has waited for an
/// object which is gone now fails in a way of its own.
fn object<'c, X: Guest, T>(
    call: &'c mut Call<'_, '_, X>,
    table: TableOf<T>,
    rights: u32,
) -> Result<&'c mut IpcObject<T>, CallHalt> {
    let number = call.arg32(0)?;
    let cred = call.node().credentials();
    let gone = if call.resumed().is_some() { Errno::EIDRM } else { Errno::EINVAL };
    let object = of(call, table).get_mut(number).ok_or(gone)?;
    if object.rights.allow(&cred, rights) { Ok(object) } else { Err(Errno::EACCES.into()) }
}

/// The same object, for somebody who may change or remove it.
fn own_object<'c, X: Guest, T>(
    call: &'c mut Call<'_, '_, X>,
    table: TableOf<T>,
) -> Result<&'c mut IpcObject<T>, CallHalt> {
    let cred = call.node().credentials();
    let object = object(call, table, 0)?;
    let is_owner = object.rights.may_be_changed_by(&cred);
    if is_owner { Ok(object) } else { Err(Errno::EPERM.into()) }
}

/// The `struct ipc_perm` at an address, of which [`set_rights`] takes the owner and the rights.
fn read_perm<X: Guest>(call: &mut Call<'_, '_, X>, address: u64) -> Result<Vec<u8>, CallHalt> {
    call.read_settled_partly(address, PERM_BYTES as u64, |at| matches!(at, 4..12 | 20..24))
}

/// Sets the owner and the rights of an object from a structure that begins with `struct ipc_perm`
/// (`IPC_SET`).
fn set_rights<T>(object: &mut IpcObject<T>, perm: &[u8], now_s: i64) {
    let rights = &mut object.rights;
    rights.uid = word(perm, 4);
    rights.gid = word(perm, 8);
    rights.mode = word(perm, 20) & 0o777;
    object.changed_s = now_s;
}

/// The number at a place of a structure.
fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// A structure for `IPC_STAT`, which begins with `struct ipc_perm`.
struct ObjectStatus(Vec<u8>);

impl ObjectStatus {
    fn of<T>(object: &IpcObject<T>, bytes: usize) -> ObjectStatus {
        let IpcRights { uid, gid, creator_uid, creator_gid, mode } = object.rights;
        let mut status = ObjectStatus(vec![0; bytes.max(PERM_BYTES)]);
        for (at, word) in [object.key, uid, gid, creator_uid, creator_gid, mode].iter().enumerate()
        {
            status.put(4 * at, u64::from(*word), 4);
        }
        status
    }

    /// Puts the low bytes of a number at a place.
    fn put(&mut self, at: usize, value: u64, bytes: usize) {
        self.0[at..at + bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
    }
}

/// Writes a structure of numbers of the same size.
fn write_numbers<X: Guest>(
    call: &mut Call<'_, '_, X>,
    address: u64,
    numbers: &[u64],
    bytes: usize,
) -> Result<(), CallHalt> {
    let bytes: Vec<u8> =
        numbers.iter().flat_map(|number| number.to_le_bytes().into_iter().take(bytes)).collect();
    call.write_concrete(address, &bytes)
}

/// The answer to a question about all objects of a kind: the highest of their numbers.
fn highest<T>(table: &IpcTable<T>) -> Reply {
    Reply::Value(table.iter().last().map_or(0, |(number, _)| number.into()))
}

/// Seconds since 1970.
fn seconds(node: &Node) -> i64 {
    node.stamp() / 1_000_000_000
}

/// The number of the running process, as structures have it.
fn own_pid(node: &Node) -> u32 {
    node.volatile.running.0.0
}
