//! The watch over accesses to memory that other threads could notice: [`AccessWatch`].
//!
//! A state is watched while its node has several threads whose orders or races matter. Then the machine
//! is asked before each operation that threads may communicate by ([`SharedAccess`]), and is told of all
//! other accesses of the program's own functions afterwards, many at once ([`LoggedAccess`]): between two
//! operations of the first sort, nobody could tell their order.
//!
//! Plain data; `ops/watch.rs` works on it.

use std::sync::Arc;

use everett_base::hash::Set;
use everett_ir::{AccessFlags, FuncId, Pc};

/// Accesses that are kept before the machine is told of them.
const LOGGED_AT_ONCE: usize = 4096;

/// The longest log whose memory is kept while it is empty: states that wait should be small.
const KEPT_CAPACITY: usize = 256;

/// Ops whose last accesses are known, so that repeated and adjacent ones are logged once. It is a power of
/// two.
const KNOWN_OPS: usize = 64;

/// Adjacent accesses are logged as one up to this size: whoever takes the log may look at the beginning of
/// longer ones only.
pub const MOST_LOGGED_BYTES: u32 = 1 << 16;

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

everett_base::portable!(struct SharedAccess { address, bytes, effect, flags, in_library });

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

everett_base::portable!(enum AccessEffect {
    0 = Read, 1 = Write, 2 = Update, 3 = Exchange(value), 4 = Fence,
});

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

everett_base::portable!(struct LoggedAccess { address, bytes, is_write, pc });

impl LoggedAccess {
    /// Takes in another access of the same op and kind, if its bytes are among these or adjacent to them.
    #[inline]
    fn joins(&mut self, other: &LoggedAccess) -> bool {
        if self.pc != other.pc || self.is_write != other.is_write {
            return false;
        }
        let (own_bytes, other_bytes) = (u64::from(self.bytes), u64::from(other.bytes));
        let bytes = own_bytes + other_bytes;
        // The distance from the first byte of this one to the end of the other one.
        let end = other.address.wrapping_add(other_bytes).wrapping_sub(self.address);
        if end > bytes {
            return false;
        }
        if other_bytes <= end && end <= own_bytes {
            return true;
        }
        let is_adjacent = end == 0 || end == bytes;
        if !is_adjacent || bytes > MOST_LOGGED_BYTES.into() {
            return false;
        }
        (self.address, self.bytes) = (self.address.min(other.address), bytes as u32);
        true
    }
}

/// A set of ops that is looked at before each access: a bit for each op up to the last one.
#[derive(Debug, Default)]
pub struct OpSet {
    words: Vec<u64>,
}

everett_base::portable!(struct OpSet { words });

impl OpSet {
    /// Returns `true` if an op is in the set.
    #[inline]
    pub fn contains(&self, pc: Pc) -> bool {
        self.words.get(pc as usize / 64).is_some_and(|word| word >> (pc % 64) & 1 != 0)
    }
}

impl FromIterator<Pc> for OpSet {
    fn from_iter<I: IntoIterator<Item = Pc>>(ops: I) -> OpSet {
        let mut words = Vec::new();
        for pc in ops {
            let at = pc as usize / 64;
            if words.len() <= at {
                words.resize(at + 1, 0);
            }
            words[at] |= 1 << (pc % 64);
        }
        OpSet { words }
    }
}

/// The operations of a program at which a watched state stops to ask the machine.
#[derive(Debug, Default)]
pub struct WatchedOps {
    /// Functions that threads communicate by.
    pub functions: Set<FuncId>,
    /// Plain accesses that are known to race.
    pub racing: OpSet,
}

everett_base::portable!(struct WatchedOps { functions, racing });

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
    /// The places in the log of what ops have accessed last, two for each: a copy and a comparison go
    /// through two blocks.
    last: [[u32; 2]; KNOWN_OPS],
}

everett_base::portable!(struct AccessWatch { ops, writes, racing, log, last });

impl AccessWatch {
    /// A watch that stops at these operations.
    pub fn new(ops: Arc<WatchedOps>) -> AccessWatch {
        let (racing, log, last) = (Vec::new(), Vec::new(), [[u32::MAX; 2]; KNOWN_OPS]);
        AccessWatch { ops, writes: 0, racing, log, last }
    }

    /// Logs an access, unless its op has accessed these bytes just before. Loops over arrays become single
    /// accesses.
    #[inline]
    pub(crate) fn note(&mut self, access: LoggedAccess) {
        let [last, _] = self.last[access.pc as usize % KNOWN_OPS];
        if let Some(last) = self.log.get_mut(last as usize)
            && last.pc == access.pc
            && last.is_write == access.is_write
        {
            // The two common cases of `joins`: the same bytes as before, and those that follow them.
            let offset = access.address.wrapping_sub(last.address);
            let end = offset.wrapping_add(access.bytes.into());
            if offset < last.bytes.into() && end <= last.bytes.into() {
                return;
            }
            if offset == last.bytes.into() && end <= MOST_LOGGED_BYTES.into() {
                last.bytes = end as u32;
                return;
            }
        }
        self.note_elsewhere(access);
    }

    #[inline(never)]
    fn note_elsewhere(&mut self, access: LoggedAccess) {
        let places = &mut self.last[access.pc as usize % KNOWN_OPS];
        for place in *places {
            if let Some(last) = self.log.get_mut(place as usize)
                && last.joins(&access)
            {
                return;
            }
        }
        *places = [self.log.len() as u32, places[0]];
        self.log.push(access);
    }

    /// Returns true if the log is so long that the machine should take it.
    pub fn is_full(&self) -> bool {
        self.log.len() >= LOGGED_AT_ONCE
    }

    /// Takes the accesses that were made since the last time, if there are any.
    pub fn take(&mut self) -> Option<Vec<LoggedAccess>> {
        if self.log.is_empty() {
            return None;
        }
        self.last = [[u32::MAX; 2]; KNOWN_OPS];
        Some(std::mem::take(&mut self.log))
    }

    /// Gives back a log that was taken, so that its memory is used for the next one.
    pub fn give_back(&mut self, mut log: Vec<LoggedAccess>) {
        if self.log.capacity() == 0 && log.capacity() <= KEPT_CAPACITY {
            log.clear();
            self.log = log;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_over_an_array_is_one_access_and_other_ops_are_others() {
        let mut watch = AccessWatch::new(Arc::default());
        let access = |address, is_write, pc| LoggedAccess { address, bytes: 4, is_write, pc };
        for i in 0..100 {
            watch.note(access(0x100 + 4 * i, true, 7));
            watch.note(access(0x800 - 4 * i, false, 8));
            watch.note(access(0x104, false, 7 + KNOWN_OPS as u32));
        }
        let mut log = watch.take().expect("accesses were noted");
        log.sort_by_key(|access| (access.pc, access.address));
        let writes: u32 = log.iter().filter(|access| access.pc == 7).map(|a| a.bytes).sum();
        assert_eq!(writes, 400, "all bytes are there, whatever else used the place");
        let reads: Vec<_> = log.iter().filter(|access| access.pc == 8).collect();
        assert_eq!(reads, [&LoggedAccess { address: 0x674, bytes: 400, is_write: false, pc: 8 }]);
        assert!(watch.take().is_none());
    }

    #[test]
    fn a_set_of_ops_has_what_was_put_in() {
        let set = OpSet::from_iter([0, 63, 64, 200]);
        let found: Vec<Pc> = (0..1000).filter(|pc| set.contains(*pc)).collect();
        assert_eq!(found, [0, 63, 64, 200]);
        assert!(!OpSet::default().contains(0));
    }
}
