//! Lists that are shared and compared often: what is on its way to a state, and what one sent.
//!
//! [`HashedList`] keeps the hash of its list once somebody has asked for it, so that unequal lists are
//! told apart without looking at messages. [`PendingArrivals`] is sorted by stamp, sender and number, and
//! never empty.

use std::hash::Hash;
use std::sync::{Arc, OnceLock};

use everett_base::hash::hash_one;
use everett_base::part::{PartError, PartReader, PartWriter, Portable};

use crate::{Arrival, Stamp};

/// A list with its hash.
#[derive(Debug)]
pub(crate) struct HashedList<T> {
    hash: OnceLock<u64>,
    list: Vec<T>,
}

/// Arrivals that a state has not been activated with yet.
pub(crate) type PendingArrivals<M> = HashedList<Arrival<M>>;

impl<T: Hash + Eq> HashedList<T> {
    pub(crate) fn new(list: Vec<T>) -> Arc<HashedList<T>> {
        Arc::new(HashedList { hash: OnceLock::new(), list })
    }

    pub(crate) fn list(&self) -> &[T] {
        &self.list
    }

    pub(crate) fn hash(&self) -> u64 {
        *self.hash.get_or_init(|| hash_one(&self.list))
    }
}

/// The hash is another one in another process: messages have terms, which have other numbers there.
impl<T: Portable> Portable for HashedList<T> {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        let HashedList { hash: _, list } = self;
        list.write(to);
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let list: Vec<T> = Portable::read(from)?;
        Ok(HashedList { hash: OnceLock::new(), list })
    }
}

impl<T: Hash + Eq> PartialEq for HashedList<T> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || self.hash() == other.hash() && self.list == other.list
    }
}

impl<T: Hash + Eq> Eq for HashedList<T> {}

/// Returns true if two lists are equal; none is the empty list.
pub(crate) fn same<T: Hash + Eq>(
    a: Option<&Arc<HashedList<T>>>,
    b: Option<&Arc<HashedList<T>>>,
) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a == b,
        _ => false,
    }
}

impl<M: Clone + Eq + Hash> PendingArrivals<M> {
    /// The old arrivals and new ones, which were sent later: of two that are alike in stamp,
    /// sender and number, the old one comes first.
    pub(crate) fn with(
        old: Option<&PendingArrivals<M>>,
        new: Vec<Arrival<M>>,
    ) -> Arc<PendingArrivals<M>> {
        let mut list = old.map_or_else(Vec::new, |old| old.list.clone());
        list.extend(new);
        list.sort_by_key(|arrival| (arrival.at, arrival.from, arrival.number));
        HashedList::new(list)
    }

    /// The stamp of the first arrival.
    pub(crate) fn first(&self) -> Stamp {
        self.list[0].at
    }

    /// Splits a list into the arrivals up to a stamp and those after it.
    #[expect(clippy::type_complexity, reason = "two halves of one optional list")]
    pub(crate) fn split(
        pending: Option<Arc<PendingArrivals<M>>>,
        until: Stamp,
    ) -> (Option<Arc<PendingArrivals<M>>>, Option<Arc<PendingArrivals<M>>>) {
        let Some(pending) = pending else { return (None, None) };
        let due = pending.list.partition_point(|arrival| arrival.at <= until);
        if due == 0 {
            return (None, Some(pending));
        }
        if due == pending.list.len() {
            return (Some(pending), None);
        }
        let (taken, rest) = pending.list.split_at(due);
        (Some(HashedList::new(taken.to_vec())), Some(HashedList::new(rest.to_vec())))
    }
}
