//! What a node has exposed to invariants along a path: [`Exposures`].
//!
//! A log only grows, so its newest entry's [`Exposure::log`] tells it apart from all others: states
//! with equal logs are the same to every invariant, however else they differ.

use std::sync::Arc;

use everett_base::hash::hash_one;
use everett_base::plist::List;
use everett_expr::{Pool, Support, TermId};
use everett_memory::ByteValue;
use everett_solver::PathCondition;
use everett_world::Stamp;

use crate::report::Place;

/// Data that a node has exposed for a state and a key.
#[derive(Clone)]
pub(crate) struct Exposure {
    pub(crate) state: i64,
    pub(crate) key: Arc<str>,
    pub(crate) bytes: Arc<[ByteValue]>,
    /// What the path knew about the symbolic bytes then; whatever it learns later is more.
    pub(crate) given: Arc<[TermId]>,
    /// The round in which it was exposed.
    pub(crate) at: Stamp,
    /// Its position in the log, from 0.
    pub(crate) number: u32,
    /// Names the log up to here, by its contents.
    pub(crate) log: LogId,
    /// Where the program exposed it, innermost place first.
    pub(crate) stack: Arc<[Place]>,
}

/// A log, by its contents: equal for equal logs, in all states and in every run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct LogId(u64);

/// All that a node has exposed, newest first.
#[derive(Clone, Default)]
pub(crate) struct Exposures {
    list: List<Exposure>,
    count: u32,
    log: LogId,
}

impl Exposures {
    /// Adds data that a path exposes in a round.
    pub(crate) fn add(
        &mut self,
        pool: &Pool,
        path: &PathCondition,
        (state, key): (i64, &str),
        bytes: Vec<ByteValue>,
        at: Stamp,
        stack: Vec<Place>,
    ) {
        let value = |byte: &ByteValue| match byte {
            ByteValue::Concrete(byte) => (0, u64::from(*byte)),
            ByteValue::Symbolic(term) => (1, pool.structural_hash(*term)),
        };
        let values: Vec<(u8, u64)> = bytes.iter().map(value).collect();
        let given = known_of(pool, path, &bytes);
        let known: Vec<u64> = given.iter().map(|term| pool.structural_hash(*term)).collect();
        self.log = LogId(hash_one(&(self.log, state, key, values, known, at.time, at.round)));
        let (number, log) = (self.count, self.log);
        let (key, bytes, given, stack) = (key.into(), bytes.into(), given.into(), stack.into());
        self.list.push(Exposure { state, key, bytes, given, at, number, log, stack });
        self.count += 1;
    }

    /// What was exposed, newest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Exposure> {
        self.list.iter()
    }

    /// What was exposed, oldest first.
    pub(crate) fn oldest_first(&self) -> Vec<Exposure> {
        let mut all: Vec<Exposure> = self.list.iter().cloned().collect();
        all.reverse();
        all
    }
}

/// What a path knows about bytes.
fn known_of(pool: &Pool, path: &PathCondition, bytes: &[ByteValue]) -> Vec<TermId> {
    let symbolic = bytes.iter().filter_map(|byte| match byte {
        ByteValue::Concrete(_) => None,
        ByteValue::Symbolic(term) => Some(*term),
    });
    let support =
        symbolic.fold(Support::default(), |support, term| support.union(pool.support(term)));
    if support.is_empty() { Vec::new() } else { path.connected(pool, &support) }
}
