//! The identity of a query: the set of its assertions.
//!
//! Terms are hash-consed, so a sorted list of ids is the set. The order of ids depends on which
//! thread created a term first; it is used for identity only, never to choose anything.

use everett_expr::TermId;
use smallvec::SmallVec;

/// A query's assertions, sorted and without repetitions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct QueryKey(Box<[TermId]>);

/// A key that is only looked up: nothing is allocated for small queries.
pub(crate) struct KeyBuf(SmallVec<[TermId; 24]>);

impl KeyBuf {
    pub(crate) fn new(constraints: &[TermId], query: TermId) -> KeyBuf {
        let mut terms: SmallVec<[TermId; 24]> = SmallVec::from_slice(constraints);
        terms.push(query);
        terms.sort_unstable();
        terms.dedup();
        KeyBuf(terms)
    }

    pub(crate) fn terms(&self) -> &[TermId] {
        &self.0
    }

    pub(crate) fn to_key(&self) -> QueryKey {
        QueryKey(self.0.as_slice().into())
    }
}

impl QueryKey {
    pub(crate) fn terms(&self) -> &[TermId] {
        &self.0
    }
}

impl std::borrow::Borrow<[TermId]> for QueryKey {
    fn borrow(&self) -> &[TermId] {
        &self.0
    }
}
