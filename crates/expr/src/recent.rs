//! A small cache of what constructors gave for recent operands.
//!
//! Symbolic execution builds the same terms over and over; this spares it the rules. The result of a
//! constructor is a function of the operands' structure, so forgetting an entry changes nothing but time.

use std::sync::{Mutex, PoisonError};

use crate::id::TermId;
use crate::node::mix;

const SHARDS: usize = 64;
const SLOTS: usize = 256;

/// An operation: its tag and up to three operands or numbers.
pub(crate) type Key = [u32; 4];

/// A direct-mapped table; a new entry drives out the one in its slot.
#[derive(Debug)]
pub(crate) struct Recent {
    shards: [Mutex<Vec<(Key, u32)>>; SHARDS],
}

impl Recent {
    pub(crate) fn new() -> Self {
        Recent { shards: std::array::from_fn(|_| Mutex::default()) }
    }

    /// The remembered result for `key`, or else what `build` gives.
    pub(crate) fn get_or(&self, key: Key, build: impl FnOnce() -> TermId) -> TermId {
        let [tag, a, b, c] = key.map(u64::from);
        let hash = mix(tag << 32 | a, b << 32 | c) as usize;
        let (shard, slot) = (&self.shards[hash % SHARDS], hash / SHARDS % SLOTS);
        if let Some(&(found, result)) =
            shard.lock().unwrap_or_else(PoisonError::into_inner).get(slot)
            && found == key
            && result != 0
        {
            return TermId::from_raw(result);
        }
        let result = build();
        let mut table = shard.lock().unwrap_or_else(PoisonError::into_inner);
        if table.is_empty() {
            table.resize(SLOTS, ([0; 4], 0));
        }
        table[slot] = (key, result.raw());
        result
    }
}
