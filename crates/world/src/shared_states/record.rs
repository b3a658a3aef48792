//! A [`SharedStateTable`] as plain data, for whoever writes it: [`SharedStateRecord`].
//!
//! States at their ends are the embedder's: it says what is written of them, and makes them again.

use std::hash::Hash;
use std::sync::{Arc, Condvar, Mutex};

use everett_base::hash::{Map, hash_one};
use everett_base::part::Portable;

use super::{ActivationId, ActivationRecord, SharedState, SharedStateRows, SharedStateTable};
use crate::{Arrival, RemovalReason, Stamp, StateId};

/// The rows of a table. `E` is a state at its end as it is written.
pub struct SharedStateRecord<M, E, N> {
    states: Vec<StateRow<N>>,
    activations: Vec<ActivationRow<M>>,
    ends: Vec<E>,
    next: u32,
    done: Vec<Vec<ActivationId>>,
}

everett_base::portable!([M: Portable, E: Portable, N: Portable] struct SharedStateRecord<M, E, N> {
    states, activations, ends, next, done,
});

struct StateRow<N> {
    state: StateId,
    holders: u32,
    why: Option<RemovalReason>,
    notes: Vec<N>,
    found: bool,
    activations: Vec<ActivationId>,
}

everett_base::portable!([N: Portable] struct StateRow<N> {
    state, holders, why, notes, found, activations,
});

struct ActivationRow<M> {
    activation: ActivationId,
    at: Stamp,
    arrivals: Vec<Arrival<M>>,
    state: StateId,
    claimed: bool,
    wanted: u32,
    running: u32,
    /// The states that it has ended with, and the places of these ends in the record.
    ends: Vec<(StateId, u32)>,
    outer: Option<ActivationId>,
    waiting: Vec<usize>,
}

everett_base::portable!([M: Portable] struct ActivationRow<M> {
    activation, at, arrivals, state, claimed, wanted, running, ends, outer, waiting,
});

impl<M: Clone + Eq + Hash, L, N: Clone> SharedStateTable<M, L, N> {
    /// The rows, while no worker uses the table; `write_end` gives what is written of a state at its end.
    pub fn record<E>(&self, mut write_end: impl FnMut(&L) -> E) -> SharedStateRecord<M, E, N> {
        let table = self.table();
        let mut record = SharedStateRecord {
            states: table.states.iter().map(|(state, shared)| state_row(*state, shared)).collect(),
            activations: Vec::with_capacity(table.records.len()),
            ends: Vec::new(),
            next: table.next,
            done: table.done.clone(),
        };
        record.states.sort_unstable_by_key(|row| row.state);
        let mut places: Map<*const L, u32> = Map::default();
        let mut rows: Vec<_> = table.records.iter().collect();
        rows.sort_unstable_by_key(|(activation, _)| **activation);
        for (activation, row) in rows {
            let ends = row.ends.iter().map(|(state, end)| {
                let place = *places.entry(Arc::as_ptr(end)).or_insert_with(|| {
                    record.ends.push(write_end(end));
                    record.ends.len() as u32 - 1
                });
                (*state, place)
            });
            let ends = ends.collect();
            record.activations.push(ActivationRow {
                activation: *activation,
                at: row.at,
                arrivals: row.arrivals.clone(),
                state: row.state,
                claimed: row.claimed,
                wanted: row.wanted,
                running: row.running,
                ends,
                outer: row.outer,
                waiting: row.waiting.clone(),
            });
        }
        record
    }

    /// The table of a record; `None` if the record refers to what it does not have.
    pub fn of_record<E>(
        record: SharedStateRecord<M, E, N>,
        make_end: impl FnMut(E) -> L,
    ) -> Option<SharedStateTable<M, L, N>> {
        let SharedStateRecord { states, activations, ends, next, done } = record;
        let made: Vec<Arc<L>> = ends.into_iter().map(make_end).map(Arc::new).collect();
        let mut records: Map<ActivationId, ActivationRecord<M, L>> = Map::default();
        for row in activations {
            let end = |(state, place): (StateId, u32)| {
                made.get(place as usize).map(|end| (state, end.clone()))
            };
            let ends = row.ends.into_iter().map(end).collect::<Option<_>>()?;
            let ActivationRow { activation, at, arrivals, state, claimed, wanted, running, .. } =
                row;
            let (outer, waiting) = (row.outer, row.waiting);
            records.insert(
                activation,
                ActivationRecord {
                    at,
                    arrivals,
                    state,
                    claimed,
                    wanted,
                    running,
                    ends,
                    outer,
                    waiting,
                },
            );
        }
        let mut shared = Map::default();
        for row in states {
            let StateRow { state, holders, why, notes, found, activations } = row;
            // What has arrived may have other numbers in this process, and so another hash.
            let named = |activation: ActivationId| {
                let record = records.get(&activation)?;
                Some((hash_one(&(record.at, &record.arrivals[..])), activation))
            };
            let activations = activations.into_iter().map(named).collect::<Option<_>>()?;
            let notes = notes.into_iter().collect();
            shared.insert(state, SharedState { holders, why, notes, found, activations });
        }
        let table = SharedStateRows { states: shared, records, next, done, asleep: 0 };
        Some(SharedStateTable { table: Mutex::new(table), progress: Condvar::new() })
    }
}

fn state_row<N: Clone>(state: StateId, shared: &SharedState<N>) -> StateRow<N> {
    let SharedState { holders, why, notes, found, activations } = shared;
    StateRow {
        state,
        holders: *holders,
        why: *why,
        notes: notes.to_vec(),
        found: *found,
        activations: activations.iter().map(|(_, activation)| *activation).collect(),
    }
}
