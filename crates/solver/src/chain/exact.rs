//! Remembers the answers to whole queries.

use std::sync::Arc;

use super::generations::Generations;
use super::key::{Key, KeyBuf};
use crate::model::Model;

/// A definite answer.
#[derive(Clone, Debug)]
pub(crate) enum Verdict {
    Sat(Arc<Model>),
    Unsat,
}

/// The cache of whole queries; bounded by the terms in its keys.
pub(crate) struct ExactCache(Generations<Key, Verdict>);

impl ExactCache {
    pub(crate) fn new(capacity_terms: usize) -> ExactCache {
        ExactCache(Generations::new(capacity_terms))
    }

    pub(crate) fn get(&mut self, key: &KeyBuf) -> Option<Verdict> {
        self.0.get(key.terms())
    }

    pub(crate) fn insert(&mut self, key: &KeyBuf, verdict: Verdict) {
        let key = key.to_key();
        let weight = key.terms().len() + 4;
        self.0.insert(key, verdict, weight);
    }
}
