//! Remembers the answers to whole queries.
//!
//! Two generations bound the memory: when the young one is full it becomes the old one, and what
//! the old one held is forgotten unless it was asked for again. That is deterministic, and needs no
//! bookkeeping on a hit.

use std::sync::Arc;

use everett_base::Map;
use everett_expr::TermId;

use super::key::{Key, KeyBuf};
use crate::model::Model;

/// A definite answer.
#[derive(Clone, Debug)]
pub(crate) enum Verdict {
    Sat(Arc<Model>),
    Unsat,
}

/// The cache of whole queries.
pub(crate) struct ExactCache {
    young: Map<Key, Verdict>,
    old: Map<Key, Verdict>,
    /// Terms in the keys of the young generation.
    young_terms: usize,
    capacity_terms: usize,
}

impl ExactCache {
    pub(crate) fn new(capacity_terms: usize) -> ExactCache {
        ExactCache { young: Map::default(), old: Map::default(), young_terms: 0, capacity_terms }
    }

    pub(crate) fn get(&mut self, key: &KeyBuf) -> Option<Verdict> {
        if let Some(verdict) = self.young.get::<[TermId]>(key.terms()) {
            return Some(verdict.clone());
        }
        let verdict = self.old.get::<[TermId]>(key.terms())?.clone();
        self.insert(key, verdict.clone());
        Some(verdict)
    }

    pub(crate) fn insert(&mut self, key: &KeyBuf, verdict: Verdict) {
        let key = key.to_key();
        let weight = key.terms().len() + 4;
        if self.young_terms + weight > self.capacity_terms {
            self.old = std::mem::take(&mut self.young);
            self.young_terms = 0;
        }
        self.young_terms += weight;
        self.young.insert(key, verdict);
    }
}
