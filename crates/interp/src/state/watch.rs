//! The watch over accesses to memory that other threads could notice: [`AccessWatch`].
//!
//! A state is watched while its node has several threads whose orders or races matter. Then the machine
//! is asked before each operation that threads may communicate by ([`SharedAccess`]), and is told of all
//! other accesses of the program's own functions afterwards, many at once ([`LoggedAccess`]): between two
//! operations of the first sort, nobody could tell their order.
//!
//! Plain data; `watch.rs` of the interpreter works on it.

use std::sync::Arc;

use everett_base::hash::Set;
use everett_ir::{AccessFlags, FuncId, Pc};

/// Accesses that are kept before the machine is told of them.
const LOGGED_AT_ONCE: usize = 4096;

/// Entries of the filter that keeps repeated accesses out of the log. It is a power of two.
const FILTER_ENTRIES: usize = 64;

/// An operation by which threads may communicate: an atomic access, or one at a place that is known to race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedAccess {
    /// The address, unless it is symbolic.
    pub address: Option<u64>,
    /// The number of bytes.
    pub bytes: u32,
    /// The change that it makes.
    pub effect: AccessEffect,
    /// Its memory order, if it is atomic.
    pub flags: AccessFlags,
    /// True if a function of a library makes it.
    pub in_library: bool,
}

/// The change that an access makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessEffect {
    /// None.
    Read,
    /// It writes.
    Write,
    /// It reads and writes, at once.
    Update,
    /// It writes if this value is there, and only reads otherwise; `None` if the value is symbolic.
    Exchange(Option<u64>),
    /// It is a fence, which touches no place.
    Fence,
}

/// An access that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct LoggedAccess {
    /// The first byte.
    pub address: u64,
    /// The number of bytes.
    pub bytes: u32,
    /// True if it wrote.
    pub is_write: bool,
    /// The op that made it.
    pub pc: Pc,
}

/// The operations of a program at which a watched state stops to ask the machine.
#[derive(Debug, Default)]
pub struct WatchedOps {
    /// Functions that threads communicate by.
    pub functions: Set<FuncId>,
    /// Plain accesses that are known to race.
    pub racing: Set<Pc>,
}

/// The watch over a state, with the accesses of its running thread since the machine last took them.
#[derive(Clone, Debug)]
pub struct AccessWatch {
    /// The operations to stop at.
    pub ops: Arc<WatchedOps>,
    /// Writes so far that have changed something.
    pub writes: u64,
    /// Accesses of the op that is executed, if it is known to race and none of those that say what they
    /// access.
    pub(crate) racing: Vec<LoggedAccess>,
    log: Vec<LoggedAccess>,
    /// The accesses that were logged last, by their addresses.
    filter: [LoggedAccess; FILTER_ENTRIES],
}

impl AccessWatch {
    /// A watch that stops at these operations.
    pub fn new(ops: Arc<WatchedOps>) -> AccessWatch {
        let filter = [LoggedAccess::default(); FILTER_ENTRIES];
        AccessWatch { ops, writes: 0, racing: Vec::new(), log: Vec::new(), filter }
    }

    /// Logs an access, unless it was logged just before.
    #[inline]
    pub(crate) fn note(&mut self, access: LoggedAccess) {
        let entry = &mut self.filter[(access.address >> 3) as usize % FILTER_ENTRIES];
        if *entry != access {
            *entry = access;
            self.log.push(access);
        }
    }

    /// Returns true if the log is so long that the machine should take it.
    pub fn is_full(&self) -> bool {
        self.log.len() >= LOGGED_AT_ONCE
    }

    /// Takes the accesses that were made since the last time.
    pub fn take(&mut self) -> Vec<LoggedAccess> {
        if !self.log.is_empty() {
            self.filter = [LoggedAccess::default(); FILTER_ENTRIES];
        }
        std::mem::take(&mut self.log)
    }
}
