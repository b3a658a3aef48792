//! The locks that a thread has asked for and not released, [`AskedLocks`], and what functions do with locks.

use std::collections::BTreeMap;

use everett_interp::OpPlace;

use crate::state::ids::Pid;

/// The kinds of locks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LockKind {
    Mutex,
    ReadWrite,
    Spin,
}

everett_base::portable!(enum LockKind { 0 = Mutex, 1 = ReadWrite, 2 = Spin });

/// What a function does with a lock, which is its first argument unless it says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LockFunction {
    /// It returns when the thread has the lock.
    Acquire(LockKind),
    /// It may return without the lock.
    TryAcquire(LockKind),
    Release(LockKind),
    Destroy(LockKind),
    /// It releases a mutex, its second argument, and acquires it again.
    Wait,
}

/// A lock that was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AskedLock {
    /// Its kind.
    pub(crate) kind: LockKind,
    /// The process, which may be a parent of the one that it is in now.
    pub(crate) by: Pid,
    /// The operation that asked for it last.
    pub(crate) at: OpPlace,
    /// The number of times that the thread has it at least. It may have a read-write lock several times.
    pub(crate) least: u32,
    /// The same with the attempts that may have failed.
    pub(crate) most: u32,
}

everett_base::portable!(struct AskedLock { kind, by, at, least, most });

/// The locks of a thread, by their addresses.
pub(crate) type AskedLocks = BTreeMap<u64, AskedLock>;
