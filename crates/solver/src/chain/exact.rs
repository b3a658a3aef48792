//! Remembers the answers to whole queries.

use std::sync::Arc;

use super::generations::GenerationCache;
use super::key::{KeyBuf, QueryKey};
use crate::model::Model;

/// A definite answer.
#[derive(Clone, Debug)]
pub(crate) enum DefiniteAnswer {
    Sat(Arc<Model>),
    Unsat,
}

/// The cache of whole queries; bounded by the terms in its keys.
pub(crate) struct ExactCache(GenerationCache<QueryKey, DefiniteAnswer>);

impl ExactCache {
    pub(crate) fn new(capacity_terms: usize) -> ExactCache {
        ExactCache(GenerationCache::new(capacity_terms))
    }

    pub(crate) fn get(&mut self, key: &KeyBuf) -> Option<DefiniteAnswer> {
        self.0.get(key.terms())
    }

    pub(crate) fn insert(&mut self, key: &KeyBuf, verdict: DefiniteAnswer) {
        let key = key.to_key();
        // An entry weighs about as much as four terms besides its key.
        let weight = key.terms().len() + 4;
        self.0.insert(key, verdict, weight);
    }
}
