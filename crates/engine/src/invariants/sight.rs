//! Names for what sets of worlds look like to invariants: [`name`].
//!
//! What all evaluations of a set of worlds come to, and which of it is in a world, depends on what each
//! state has exposed, and on what keeps states of different nodes apart: constraints over bytes that
//! several nodes know, and faults that a world has only so many of. Everything else may differ. Many
//! sets of worlds are the same in this sense, and one of them is enough to look at.

use everett_base::hash::hash_one;
use everett_posix::Guest;
use everett_world::Combinations;

use crate::primitives::St;
use crate::worlds::{self, Owner};

/// Equal for sets of worlds of which evaluations come to the same, in worlds with the same exposed data.
pub(super) fn name(owner: &Owner<'_, '_>, combinations: &mut Combinations) -> u64 {
    let tied = worlds::tied(combinations, &[]);
    let mut name = hash_one(&(combinations.at(), combinations.are_over()));
    let mut states = Vec::new();
    for (ids, is_tied) in combinations.choices().iter().zip(tied) {
        states.clear();
        states
            .extend(ids.iter().map(|id| of_state(owner, combinations, owner.state(*id), is_tied)));
        // Neither their order nor their number makes a difference.
        states.sort_unstable();
        states.dedup();
        name = hash_one(&(name, &states));
    }
    name
}

/// All of a state that matters: `is_tied` if others may contradict its constraints.
fn of_state(owner: &Owner<'_, '_>, combinations: &Combinations, st: &St, is_tied: bool) -> u64 {
    let (activated, _) = st.extra.activated;
    let exited = st.extra.node().exit_code().is_some() || st.extra.outcome.is_some();
    let time = if combinations.are_over() { activated.time } else { 0 };
    let log = st.extra.links().exposures.log();
    let mut name = hash_one(&(log, exited, activated == combinations.at(), time));
    if st.extra.node().faults().are_used() {
        let shared = owner.shared;
        let spent = worlds::limited(shared).map(|(of, _)| worlds::count(shared, st, of));
        name = spent.fold(name, |name, count| hash_one(&(name, count)));
    }
    match is_tied {
        true => st.path.constraints().fold(name, |name, term| hash_one(&(name, term))),
        false => name,
    }
}
