//! The state nearest to code that has not been executed.
//!
//! States sit in buckets by the magnitude of their distance. Distances shrink and grow as code is
//! covered, so a state's bucket may be out of date: it is looked at again when the state is about
//! to be chosen, and moved if it does not belong there any more.

use everett_base::hash::Map;
use everett_base::rng::Rng;
use everett_world::StateId;

use super::{Searcher, StateDistances};

const BUCKETS: usize = 33;
/// States that one choice looks at again before it takes what it has.
const TRIES: usize = 16;

/// Picks at random within the nearest bucket.
pub(crate) struct NearestUncovered {
    rng: Rng,
    buckets: Vec<Vec<StateId>>,
    /// Bucket and place of each state.
    places: Map<StateId, (usize, usize)>,
    /// States that have not been measured yet.
    fresh: Vec<StateId>,
}

everett_base::portable!(struct NearestUncovered { rng, buckets, places, fresh });

impl NearestUncovered {
    pub(crate) fn new(rng: Rng) -> NearestUncovered {
        NearestUncovered {
            rng,
            buckets: vec![Vec::new(); BUCKETS],
            places: Map::default(),
            fresh: Vec::new(),
        }
    }

    fn put(&mut self, state: StateId, bucket: usize) {
        self.places.insert(state, (bucket, self.buckets[bucket].len()));
        self.buckets[bucket].push(state);
    }

    fn take(&mut self, state: StateId) {
        let Some((bucket, at)) = self.places.remove(&state) else { return };
        let bucket_states = &mut self.buckets[bucket];
        bucket_states.swap_remove(at);
        if let Some(moved) = bucket_states.get(at) {
            self.places.insert(*moved, (bucket, at));
        }
    }
}

fn bucket_of(distance: u32) -> usize {
    (32 - distance.leading_zeros()) as usize
}

impl Searcher for NearestUncovered {
    as_bytes!();

    fn select(&mut self, distances: &mut dyn StateDistances) -> Option<StateId> {
        for state in std::mem::take(&mut self.fresh) {
            // A state that is gone by now has lost its place.
            if self.places.contains_key(&state) {
                self.take(state);
                self.put(state, bucket_of(distances.to_uncovered(state)));
            }
        }
        let mut chosen = None;
        for _ in 0..TRIES {
            let bucket = self.buckets.iter().position(|states| !states.is_empty())?;
            let at = self.rng.below(self.buckets[bucket].len() as u64) as usize;
            let state = self.buckets[bucket][at];
            let now = bucket_of(distances.to_uncovered(state));
            chosen = Some(state);
            if now <= bucket {
                break;
            }
            self.take(state);
            self.put(state, now);
        }
        chosen
    }

    fn added(&mut self, parent: Option<StateId>, child: StateId) {
        // Measured at the next choice; until then it waits where its parent is.
        let bucket = parent.and_then(|p| self.places.get(&p)).map_or(0, |(bucket, _)| *bucket);
        self.put(child, bucket);
        self.fresh.push(child);
    }

    fn ran(&mut self, state: StateId) {
        self.fresh.push(state);
    }

    fn removed(&mut self, state: StateId) {
        self.take(state);
    }
}
