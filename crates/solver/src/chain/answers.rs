//! Answers of backends, shared by the chains of several workers.
//!
//! Workers that explore parts of one run meet the same queries. Each chain has caches of its own, which need
//! no locks. Only a query that would go to a backend, which takes far longer than a lock, is looked up here
//! first.

use std::sync::{Mutex, PoisonError};

use everett_base::Map;
use everett_base::hash::hash_one;
use everett_expr::TermId;

use super::exact::DefiniteAnswer;
use super::key::{KeyBuf, QueryKey};

const SHARDS: usize = 16;
/// Terms in the keys of a shard, after which it begins anew.
const TERMS_MAX: usize = 1 << 18;

/// The table of shared answers; `Send + Sync`. All chains that share it serve one pool.
#[derive(Default)]
pub struct SharedAnswers {
    shards: [Mutex<AnswerShard>; SHARDS],
}

#[derive(Default)]
struct AnswerShard {
    known: Map<QueryKey, DefiniteAnswer>,
    terms: usize,
}

impl SharedAnswers {
    fn shard(&self, key: &KeyBuf) -> &Mutex<AnswerShard> {
        // The hash table inside of a shard uses the low bits of the same hash.
        &self.shards[(hash_one(&key.terms()) >> 48) as usize % SHARDS]
    }

    pub(crate) fn get(&self, key: &KeyBuf) -> Option<DefiniteAnswer> {
        let shard = self.shard(key).lock().unwrap_or_else(PoisonError::into_inner);
        shard.known.get::<[TermId]>(key.terms()).cloned()
    }

    pub(crate) fn insert(&self, key: &KeyBuf, verdict: DefiniteAnswer) {
        let mut shard = self.shard(key).lock().unwrap_or_else(PoisonError::into_inner);
        // An entry weighs about as much as four terms besides its key.
        shard.terms += key.terms().len() + 4;
        if shard.terms > TERMS_MAX {
            *shard = AnswerShard::default();
        }
        shard.known.insert(key.to_key(), verdict);
    }
}
