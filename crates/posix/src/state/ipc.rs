//! Objects by which processes of a node communicate, and that are no files: [`IpcObjects`].
//!
//! System V has three kinds: shared memory, sets of semaphores, and message queues. Each object has a number,
//! and a key by which other processes find it. It lives until a process removes it, or the node restarts.
//! Message queues of POSIX have names instead, and are open files while they are used.
//!
//! Not here: the calls (`sys/ipc.rs`); the content of shared memory, which is an inode without a name.

pub(crate) mod posix_queue;
pub(crate) mod semaphore;
pub(crate) mod shared_segment;
pub(crate) mod system_queue;

use std::collections::BTreeMap;

use everett_fs::Credentials;

use self::posix_queue::PosixQueueTable;
use self::semaphore::SemaphoreSet;
use self::shared_segment::SharedSegment;
use self::system_queue::SystemQueue;
use crate::state::process::rare::rare;

/// The most objects of one kind.
pub(crate) const MOST_OBJECTS: usize = 4096;

/// All objects of a node.
#[derive(Clone, Debug, Default)]
pub(crate) struct IpcObjects {
    pub(crate) segments: IpcTable<SharedSegment>,
    pub(crate) semaphores: IpcTable<SemaphoreSet>,
    pub(crate) queues: IpcTable<SystemQueue>,
    pub(crate) posix_queues: PosixQueueTable,
}

everett_base::portable!(struct IpcObjects { segments, semaphores, queues, posix_queues });

rare!(IpcObjects);

/// The objects of one kind, by number.
#[derive(Clone, Debug)]
pub(crate) struct IpcTable<T> {
    objects: BTreeMap<u32, IpcObject<T>>,
    /// The number of the next one. Numbers do not come again, so that a process that uses the number of a
    /// removed object is told so.
    next: u32,
}

everett_base::portable!([T: everett_base::part::Portable] struct IpcTable<T> { objects, next });

impl<T> Default for IpcTable<T> {
    fn default() -> IpcTable<T> {
        IpcTable { objects: BTreeMap::new(), next: 0 }
    }
}

/// An object, and what all kinds have in common.
#[derive(Clone, Debug)]
pub(crate) struct IpcObject<T> {
    /// The key by which it is found; 0 for none.
    pub(crate) key: u32,
    pub(crate) rights: IpcRights,
    /// Seconds since 1970 at which it was made, or at which `IPC_SET` changed it.
    pub(crate) changed_s: i64,
    pub(crate) data: T,
}

everett_base::portable!([T: everett_base::part::Portable] struct IpcObject<T> {
    key, rights, changed_s, data,
});

/// The owner of an object, and the rights of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IpcRights {
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    pub(crate) creator_uid: u32,
    pub(crate) creator_gid: u32,
    /// The nine bits of reading and writing.
    pub(crate) mode: u32,
}

everett_base::portable!(struct IpcRights { uid, gid, creator_uid, creator_gid, mode });

impl IpcRights {
    /// The rights of an object that a process makes.
    pub(crate) fn of_creator(cred: &Credentials, mode: u32) -> IpcRights {
        let Credentials { uid, gid, .. } = *cred;
        IpcRights { uid, gid, creator_uid: uid, creator_gid: gid, mode: mode & 0o777 }
    }

    /// Returns true if a process has all rights that it asks for, as bits of a mode (`0o444`, `0o222`). It
    /// does not matter for whom the bits are.
    pub(crate) fn allow(&self, cred: &Credentials, asked: u32) -> bool {
        let wanted = (asked >> 6 | asked >> 3 | asked) & 0o7;
        let granted = if self.is_owned_by(cred) {
            self.mode >> 6
        } else if cred.in_group(self.gid) || cred.in_group(self.creator_gid) {
            self.mode >> 3
        } else {
            self.mode
        };
        cred.is_root() || wanted & !granted == 0
    }

    /// Returns true if a process may change or remove the object.
    pub(crate) fn may_be_changed_by(&self, cred: &Credentials) -> bool {
        cred.is_root() || self.is_owned_by(cred)
    }

    fn is_owned_by(&self, cred: &Credentials) -> bool {
        cred.uid == self.uid || cred.uid == self.creator_uid
    }
}

impl<T> IpcTable<T> {
    /// Adds an object and returns its number; `None` if there are too many.
    pub(crate) fn add(&mut self, object: IpcObject<T>) -> Option<u32> {
        if self.objects.len() >= MOST_OBJECTS || self.next > i32::MAX as u32 {
            return None;
        }
        let number = self.next;
        self.next += 1;
        self.objects.insert(number, object);
        Some(number)
    }

    /// The number of the object that has a key.
    pub(crate) fn with_key(&self, key: u32) -> Option<u32> {
        self.objects.iter().find(|(_, object)| object.key == key).map(|(number, _)| *number)
    }

    pub(crate) fn get(&self, number: u32) -> Option<&IpcObject<T>> {
        self.objects.get(&number)
    }

    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut IpcObject<T>> {
        self.objects.get_mut(&number)
    }

    pub(crate) fn remove(&mut self, number: u32) -> Option<IpcObject<T>> {
        self.objects.remove(&number)
    }

    /// All objects with their numbers, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &IpcObject<T>)> {
        self.objects.iter().map(|(number, object)| (*number, object))
    }

    pub(crate) fn len(&self) -> usize {
        self.objects.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rights_are_those_of_the_owner_the_group_or_others() {
        let rights = IpcRights::of_creator(&Credentials::new(5, 6), 0o640);
        let may = |uid, gid, asked| rights.allow(&Credentials::new(uid, gid), asked);
        assert!(may(5, 9, 0o600) && may(8, 6, 0o400) && may(0, 0, 0o666));
        assert!(!may(8, 6, 0o200) && !may(8, 9, 0o400));
    }

    #[test]
    fn numbers_do_not_come_again() {
        let object = |key| IpcObject {
            key,
            rights: IpcRights::of_creator(&Credentials::root(), 0o600),
            changed_s: 0,
            data: (),
        };
        let mut table = IpcTable::default();
        assert_eq!((table.add(object(7)), table.add(object(8))), (Some(0), Some(1)));
        assert_eq!((table.with_key(8), table.with_key(9)), (Some(1), None));
        table.remove(1);
        assert_eq!((table.add(object(8)), table.len()), (Some(2), 2));
    }
}
