//! Answers of backends, shared by the chains of several workers.
//!
//! Workers that explore parts of one run meet the same queries. Each chain has caches of its own, which need
//! no locks; only what would go to a backend, which takes long, is looked up here first.

use std::sync::{Mutex, PoisonError};

use everett_base::Map;
use everett_base::hash::hash_one;
use everett_expr::TermId;

use super::exact::Verdict;
use super::key::{Key, KeyBuf};

const SHARDS: usize = 16;
/// Terms in the keys of a shard, after which it begins anew.
const TERMS_MAX: usize = 1 << 18;

/// The answers; `Send + Sync`. All chains that share them serve one pool.
#[derive(Default)]
pub struct Answers {
    shards: [Mutex<Shard>; SHARDS],
}

#[derive(Default)]
struct Shard {
    known: Map<Key, Verdict>,
    terms: usize,
}

impl Answers {
    fn shard(&self, key: &KeyBuf) -> &Mutex<Shard> {
        // The table uses the low bits.
        &self.shards[(hash_one(&key.terms()) >> 48) as usize % SHARDS]
    }

    pub(crate) fn get(&self, key: &KeyBuf) -> Option<Verdict> {
        let shard = self.shard(key).lock().unwrap_or_else(PoisonError::into_inner);
        shard.known.get::<[TermId]>(key.terms()).cloned()
    }

    pub(crate) fn insert(&self, key: &KeyBuf, verdict: Verdict) {
        let mut shard = self.shard(key).lock().unwrap_or_else(PoisonError::into_inner);
        shard.terms += key.terms().len() + 4;
        if shard.terms > TERMS_MAX {
            *shard = Shard::default();
        }
        shard.known.insert(key.to_key(), verdict);
    }
}
