//! The locks that a thread has asked for and not released: [`AskedLocks`].

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

/// A lock that was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AskedLock {
    /// Its kind.
    pub(crate) kind: LockKind,
    /// The process, which may be a parent of the one that it is in now.
    pub(crate) by: Pid,
    /// The thread has got it, if it has gone on.
    pub(crate) is_sure: bool,
    /// The operation that asked for it last.
    pub(crate) at: OpPlace,
    /// The number of times that it was asked for, where a thread may have it several times.
    pub(crate) times: u32,
}

everett_base::portable!(struct AskedLock { kind, by, is_sure, at, times });

/// The locks of a thread, by their addresses.
pub(crate) type AskedLocks = BTreeMap<u64, AskedLock>;
