//! A small cache of what constructors gave for recent operands.
//!
//! Symbolic execution builds the same terms over and over; this spares it the rules, and the locks of
//! the table of terms. The result of a constructor is a function of the operands' structure, so
//! forgetting an entry changes nothing but time.
//!
//! Looking something up writes nothing, so that threads do not hinder each other: an entry has a
//! version, which is odd while it is written, and a reader that saw it change looks no further.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};

use crate::id::TermId;
use crate::node::mix;

const SHARDS: usize = 64;
const SLOTS: usize = 256;

/// An operation: its tag and up to three operands or numbers.
pub(crate) type OperationKey = [u32; 4];

/// A direct-mapped table; a new entry drives out the one in its slot.
#[derive(Debug)]
pub(crate) struct RecentOperations {
    /// Made when they are first used.
    shards: [OnceLock<Box<[RecentSlot]>>; SHARDS],
}

#[derive(Debug, Default)]
struct RecentSlot {
    version: AtomicU32,
    result: AtomicU32,
    key: [AtomicU64; 2],
}

impl RecentOperations {
    pub(crate) fn new() -> Self {
        RecentOperations { shards: std::array::from_fn(|_| OnceLock::new()) }
    }

    /// The remembered result for `key`, or else what `build` gives.
    pub(crate) fn get_or(&self, key: OperationKey, build: impl FnOnce() -> TermId) -> TermId {
        let [tag, a, b, c] = key.map(u64::from);
        let key = [tag << 32 | a, b << 32 | c];
        let hash = mix(key[0], key[1]) as usize;
        let shard = self.shards[hash % SHARDS]
            .get_or_init(|| (0..SLOTS).map(|_| RecentSlot::default()).collect());
        let slot = &shard[hash / SHARDS % SLOTS];
        if let Some(result) = slot.get(key) {
            return result;
        }
        let result = build();
        slot.put(key, result);
        result
    }
}

impl RecentSlot {
    fn get(&self, key: [u64; 2]) -> Option<TermId> {
        let version = self.version.load(Ordering::Acquire);
        let found = self.key.each_ref().map(|half| half.load(Ordering::Relaxed));
        let result = self.result.load(Ordering::Relaxed);
        fence(Ordering::Acquire);
        let unchanged =
            version.is_multiple_of(2) && self.version.load(Ordering::Relaxed) == version;
        (unchanged && found == key && result != 0).then(|| TermId::from_raw(result))
    }

    /// Stores a result, unless another thread is writing to the same slot.
    fn put(&self, key: [u64; 2], result: TermId) {
        let version = self.version.load(Ordering::Relaxed);
        let (odd, even) = (version.wrapping_add(1), version.wrapping_add(2));
        let (success, failure) = (Ordering::Acquire, Ordering::Relaxed);
        if !version.is_multiple_of(2)
            || self.version.compare_exchange(version, odd, success, failure).is_err()
        {
            return;
        }
        fence(Ordering::Release);
        self.key.iter().zip(key).for_each(|(half, new)| half.store(new, Ordering::Relaxed));
        self.result.store(result.raw(), Ordering::Relaxed);
        self.version.store(even, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_what_was_built() {
        let recent = RecentOperations::new();
        let term = |n: u32| TermId::from_raw(n + 1);
        for n in 0..10_000 {
            assert_eq!(recent.get_or([1, n, 2, 3], || term(n)), term(n));
        }
        assert_eq!(recent.get_or([1, 9999, 2, 3], || unreachable!("it was the last")), term(9999));
    }

    #[test]
    fn threads_never_see_half_an_entry() {
        let recent = RecentOperations::new();
        let term = |a: u32, b: u32| TermId::from_raw(1 + (a * 31 + b) % 1000);
        std::thread::scope(|scope| {
            for start in 0..4 {
                let recent = &recent;
                scope.spawn(move || {
                    for n in 0..200_000u32 {
                        let (a, b) = ((n * 7 + start) % 500, n % 301);
                        assert_eq!(recent.get_or([a, 0, b, 0], || term(a, b)), term(a, b));
                    }
                });
            }
        });
    }
}
