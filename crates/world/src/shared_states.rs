//! States that several universes have: [`SharedStateTable`].
//!
//! When worlds are split off a universe, a state may be in worlds of both sides. Both have it from then
//! on, under one number. When it is activated with the same arrivals, it does the same on both sides, so
//! that is done once: an [`ActivationId`] names it, whoever comes first claims it, and when it is done
//! all others are given what has come of it, its *ends*: the states that it was by the time it blocked or
//! ended, one for each branch. These are shared again.
//!
//! A shared state is forgotten when no universe has it and none can come to have it. Only then it is known
//! whether worlds have ended with it, in any of the universes, and so whether it is a path.

mod record;

use std::hash::Hash;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use everett_base::hash::hash_one;
use everett_base::{Map, define_id};
use smallvec::SmallVec;

pub use record::SharedStateRecord;

use crate::{Arrival, RemovalReason, Stamp, StateId};

define_id!(
    /// An activation of a state that several universes have.
    pub struct ActivationId, "a"
);

/// The states that several universes have, and their activations. `M` is a message, `L` a state as it is at
/// its end, and `N` a note about a state that leaves a universe.
///
/// Workers use it at the same time: each call takes its lock once.
pub struct SharedStateTable<M, L, N> {
    table: Mutex<SharedStateRows<M, L, N>>,
    /// Notified when activations are done.
    progress: Condvar,
}

struct SharedStateRows<M, L, N> {
    states: Map<StateId, SharedState<N>>,
    records: Map<ActivationId, ActivationRecord<M, L>>,
    next: u32,
    /// Activations that are done, for each worker that waits for them.
    done: Vec<Vec<ActivationId>>,
    /// The number of threads that sleep until one is done.
    asleep: u32,
}

/// A state that several universes have, or had.
struct SharedState<N> {
    /// The number of universes that have it, and of wanted activations that end with it. At 0 it is
    /// forgotten.
    holders: u32,
    /// The best reason why a universe does not have it any more.
    why: Option<RemovalReason>,
    notes: SmallVec<[N; 1]>,
    /// True if something was found about it, which is reported once.
    found: bool,
    /// Its activations, each with a hash of its stamp and arrivals, which tells most of them apart.
    activations: SmallVec<[(u64, ActivationId); 2]>,
}

impl<N> SharedState<N> {
    fn new(holders: u32) -> SharedState<N> {
        SharedState {
            holders,
            why: None,
            notes: SmallVec::new(),
            found: false,
            activations: SmallVec::new(),
        }
    }
}

/// An activation of a shared state, which is run once for all universes.
struct ActivationRecord<M, L> {
    at: Stamp,
    arrivals: Vec<Arrival<M>>,
    /// The number of the state that runs.
    state: StateId,
    claimed: bool,
    /// The number of universes that wait for it, and one more while the activated state may be activated
    /// again by others. It is forgotten at 0.
    wanted: u32,
    /// Branches that have not ended.
    running: u32,
    ends: ActivationEnds<L>,
    /// The activation that it is the rest of, if it was shared while that ran.
    outer: Option<ActivationId>,
    /// The workers that are to be told when it is done.
    waiting: Vec<usize>,
}

/// The states that an activation has ended with, by number, each as it was then.
pub type ActivationEnds<L> = Vec<(StateId, Arc<L>)>;

/// The universes that are concerned by an activation.
pub enum ActivationSharing {
    /// No other universe has it any more.
    Alone,
    /// Others may activate the state, too: the activation, and the number of the state that runs in it.
    Shared(ActivationId, StateId),
}

/// The answer to a worker that wants to run an activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActivationClaim {
    /// It is to be run, and its ends are to be told.
    Ours,
    /// It is to be run, and nobody wants to know.
    Alone,
    /// Somebody else runs it, or has.
    Taken,
}

/// Everything that no universe has any more after a call.
pub struct ReleasedStates<L, N> {
    /// States that are in no world any more.
    pub closed: Vec<ClosedState<L, N>>,
    /// The copies of states that one universe with all worlds would have made beyond those that were made.
    pub copies: i64,
    /// Ends that nobody asks for any more. To drop them takes a while, so they are dropped after the lock is
    /// released.
    unwanted: Vec<Arc<L>>,
}

/// A state that is in no world of any universe any more.
pub struct ClosedState<L, N> {
    /// The state.
    pub state: StateId,
    /// The reason.
    pub why: RemovalReason,
    /// The notes of the universes that let go of it.
    pub notes: SmallVec<[N; 1]>,
    /// The state as it was, unless the caller had it last.
    pub end: Option<Arc<L>>,
}

impl<L, N> ReleasedStates<L, N> {
    fn new() -> ReleasedStates<L, N> {
        ReleasedStates { closed: Vec::new(), copies: 0, unwanted: Vec::new() }
    }
}

/// Something that is to be let go of.
enum ReleaseStep<L> {
    /// A universe, or what ends with it, does not have the state any more.
    State(StateId, Option<Arc<L>>),
    /// Somebody does not want to know of the activation any more.
    Activation(ActivationId),
}

impl<M, L, N> Default for SharedStateTable<M, L, N> {
    fn default() -> Self {
        let table = SharedStateRows {
            states: Map::default(),
            records: Map::default(),
            next: 0,
            done: Vec::new(),
            asleep: 0,
        };
        SharedStateTable { table: Mutex::new(table), progress: Condvar::new() }
    }
}

impl<M: Clone + Eq + Hash, L, N> SharedStateTable<M, L, N> {
    fn table(&self) -> MutexGuard<'_, SharedStateRows<M, L, N>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One more universe has a state that does not run.
    pub fn share(&self, state: StateId) {
        self.table().states.entry(state).or_insert_with(|| SharedState::new(1)).holders += 1;
    }

    /// One more universe has a state that is to run and has not begun, or runs as a branch of an `outer`
    /// activation or of none: what it does from now on.
    pub fn share_running(
        &self,
        state: StateId,
        begun: bool,
        outer: Option<ActivationId>,
    ) -> ActivationId {
        let wanted = if begun { 1 } else { 2 };
        let record = ActivationRecord {
            claimed: begun,
            wanted,
            outer,
            ..ActivationRecord::new(state, Stamp::ZERO, Vec::new())
        };
        self.table().add(record)
    }

    /// One more universe wants to know of an activation.
    pub fn share_activation(&self, activation: ActivationId) {
        self.table().record(activation).wanted += 1;
    }

    /// A universe activates a shared.
    pub fn activate(
        &self,
        state: StateId,
        at: Stamp,
        arrivals: &[Arrival<M>],
        number: impl FnOnce() -> StateId,
    ) -> ActivationSharing {
        let hash = hash_one(&(at, arrivals));
        let mut table = self.table();
        let SharedStateRows { states, records, .. } = &mut *table;
        let Some(shared) = states.get_mut(&state) else { return ActivationSharing::Alone };
        if shared.holders == 1 && shared.activations.is_empty() && shared.why.is_none() {
            states.remove(&state);
            return ActivationSharing::Alone;
        }
        let same = |&&(other, activation): &&(u64, ActivationId)| {
            let is_same =
                |record: &ActivationRecord<M, L>| record.at == at && record.arrivals == arrivals;
            other == hash && is_same(&records[&activation])
        };
        let known = shared.activations.iter().find(same).map(|(_, activation)| *activation);
        let activation = known.unwrap_or_else(|| {
            let activation = table.add(ActivationRecord::new(number(), at, arrivals.to_vec()));
            table.shared_state(state).activations.push((hash, activation));
            activation
        });
        let record = table.record(activation);
        record.wanted += 1;
        ActivationSharing::Shared(activation, record.state)
    }

    /// Tries to be the one who runs an activation.
    pub fn claim(&self, activation: ActivationId) -> ActivationClaim {
        let mut table = self.table();
        let record = table.record(activation);
        if std::mem::replace(&mut record.claimed, true) {
            return ActivationClaim::Taken;
        }
        record.wanted -= 1;
        if record.wanted > 0 {
            return ActivationClaim::Ours;
        }
        table.records.remove(&activation);
        ActivationClaim::Alone
    }

    /// A state that runs in an activation has branched.
    pub fn branched(&self, activation: ActivationId) {
        let mut table = self.table();
        let mut next = Some(activation);
        while let Some(record) = next.and_then(|activation| table.records.get_mut(&activation)) {
            record.running += 1;
            next = record.outer;
        }
    }

    /// Returns true if somebody wants to know what an activation ends with.
    pub fn is_wanted(&self, activation: ActivationId) -> bool {
        let table = self.table();
        let mut next = Some(activation);
        while let Some(record) = next.and_then(|activation| table.records.get(&activation)) {
            if record.wanted > 0 {
                return true;
            }
            next = record.outer;
        }
        false
    }

    /// A state that runs in an activation has come to its end, and is this if anybody wants to know;
    /// something may be `found` about it already. Returns true if it is shared now.
    pub fn ended(
        &self,
        activation: ActivationId,
        state: StateId,
        end: Option<L>,
        found: bool,
    ) -> bool {
        let end = end.map(Arc::new);
        let mut table = self.table();
        let SharedStateRows { states, records, done, asleep, .. } = &mut *table;
        let (mut wanted, mut wake) = (0, false);
        let mut next = Some(activation);
        while let Some(activation) = next {
            let Some(record) = records.get_mut(&activation) else { break };
            record.running -= 1;
            next = record.outer;
            if let Some(end) = end.as_ref().filter(|_| record.wanted > 0) {
                record.ends.push((state, end.clone()));
                wanted += 1;
            }
            if record.running > 0 {
                continue;
            }
            for who in record.waiting.drain(..) {
                done[who].push(activation);
                wake |= *asleep > 0;
            }
            if record.wanted == 0 {
                records.remove(&activation);
            }
        }
        if wanted > 0 {
            let old = states.insert(state, SharedState { found, ..SharedState::new(1 + wanted) });
            debug_assert!(old.is_none(), "{state} is shared already");
        }
        drop(table);
        if wake {
            self.progress.notify_all();
        }
        wanted > 0
    }

    /// Somebody wants to be told when an activation is done that others run.
    pub fn await_end(&self, activation: ActivationId, who: usize) {
        let mut table = self.table();
        if table.done.len() <= who {
            table.done.resize_with(who + 1, Vec::new);
        }
        let record = table.record(activation);
        if record.running == 0 {
            table.done[who].push(activation);
        } else {
            record.waiting.push(who);
        }
    }

    /// An activation that somebody has waited for and that is done; waits a while until there is one.
    pub fn next_done(&self, who: usize, patience: Duration) -> Option<ActivationId> {
        let mut table = self.table();
        if table.done.get(who).is_none_or(Vec::is_empty) {
            table.asleep += 1;
            let waited = self.progress.wait_timeout(table, patience);
            table = waited.unwrap_or_else(PoisonError::into_inner).0;
            table.asleep -= 1;
        }
        table.done.get_mut(who)?.pop()
    }

    /// The ends of an activation that is done. The caller, who has waited for it, has these states now.
    pub fn ends(&self, activation: ActivationId) -> (ActivationEnds<L>, ReleasedStates<L, N>) {
        let mut table = self.table();
        let ends = table.record(activation).ends.clone();
        for (state, _) in &ends {
            table.shared_state(*state).holders += 1;
        }
        let mut released = ReleasedStates::new();
        table.release(ReleaseStep::Activation(activation), &mut released);
        (ends, released)
    }

    /// Somebody who wanted to know of an activation does not any more.
    pub fn forgo(&self, activation: ActivationId) -> ReleasedStates<L, N> {
        let mut released = ReleasedStates::new();
        self.table().release(ReleaseStep::Activation(activation), &mut released);
        released
    }

    /// A universe does not have a shared state any more.
    pub fn release(&self, state: StateId, why: RemovalReason, note: N) -> ReleasedStates<L, N> {
        let mut table = self.table();
        if why > RemovalReason::Replaced {
            let shared = table.shared_state(state);
            shared.why = shared.why.max(Some(why));
            shared.notes.push(note);
        }
        let mut released = ReleasedStates::new();
        table.release(ReleaseStep::State(state, None), &mut released);
        released
    }

    /// Notes something about a state before it is let go of.
    pub fn note(&self, state: StateId, note: N) {
        self.table().shared_state(state).notes.push(note);
    }

    /// Returns true if something is found about a state for the first time.
    pub fn is_found_first(&self, state: StateId) -> bool {
        let mut table = self.table();
        let shared = table.states.get_mut(&state);
        shared.is_none_or(|shared| !std::mem::replace(&mut shared.found, true))
    }
}

impl<M, L> ActivationRecord<M, L> {
    /// An activation that nobody has begun.
    fn new(state: StateId, at: Stamp, arrivals: Vec<Arrival<M>>) -> ActivationRecord<M, L> {
        ActivationRecord {
            at,
            arrivals,
            state,
            claimed: false,
            wanted: 1,
            running: 1,
            ends: Vec::new(),
            outer: None,
            waiting: Vec::new(),
        }
    }
}

impl<M, L, N> SharedStateRows<M, L, N> {
    fn add(&mut self, record: ActivationRecord<M, L>) -> ActivationId {
        let activation = ActivationId(self.next);
        self.next += 1;
        self.records.insert(activation, record);
        activation
    }

    fn record(&mut self, activation: ActivationId) -> &mut ActivationRecord<M, L> {
        self.records.get_mut(&activation).expect("what is wanted is known")
    }

    fn shared_state(&mut self, state: StateId) -> &mut SharedState<N> {
        self.states.get_mut(&state).expect("who has a shared state is its holder")
    }

    /// Lets go of something, and of all that nobody can have any more by that.
    fn release(&mut self, first: ReleaseStep<L>, released: &mut ReleasedStates<L, N>) {
        let mut todo = vec![first];
        while let Some(next) = todo.pop() {
            match next {
                ReleaseStep::State(state, end) => {
                    let shared = self.shared_state(state);
                    shared.holders -= 1;
                    if shared.holders > 0 {
                        released.unwanted.extend(end);
                        continue;
                    }
                    let SharedState { why, notes, activations, .. } =
                        self.states.remove(&state).expect("just seen");
                    let is_over = why.is_some_and(|why| why >= RemovalReason::Over);
                    let went_on = !activations.is_empty() || why.is_none();
                    // One of those that went on could have been itself.
                    let itself = i64::from(went_on && !is_over);
                    released.copies += activations.len() as i64 - itself;
                    match why.filter(|_| is_over || !went_on) {
                        Some(why) => released.closed.push(ClosedState { state, why, notes, end }),
                        None => released.unwanted.extend(end),
                    }
                    let activations = activations.into_iter().map(|(_, activation)| activation);
                    todo.extend(activations.map(ReleaseStep::Activation));
                }
                ReleaseStep::Activation(activation) => {
                    let record = self.record(activation);
                    record.wanted -= 1;
                    if record.wanted > 0 {
                        continue;
                    }
                    let ends = std::mem::take(&mut record.ends);
                    if record.running == 0 || !record.claimed {
                        self.records.remove(&activation);
                    }
                    todo.extend(
                        ends.into_iter().map(|(state, end)| ReleaseStep::State(state, Some(end))),
                    );
                }
            }
        }
    }
}
