//! States that several universes have: [`Twins`].
//!
//! When worlds are split off a universe, a state may be in worlds of both sides. Both have it from then
//! on, under one number. When it is activated with the same arrivals, it does the same on both sides, so
//! that is done once: an [`ActivationId`] names it, whoever comes first claims it, and when it is done
//! all others are given what has come of it, its *ends*: the states that it was by the time it blocked or
//! ended, one for each branch. These are twins again.
//!
//! A twin is forgotten when no universe has it and none can come to have it. Only then it is known
//! whether worlds have ended with it, in any of the universes, and so whether it is a path.

use std::hash::Hash;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use everett_base::hash::hash_one;
use everett_base::{Map, define_id};
use smallvec::SmallVec;

use crate::{Arrival, Gone, Stamp, StateId};

define_id!(
    /// An activation of a state that several universes have.
    pub struct ActivationId, "a"
);

/// What universes that have states in common know of them. `M` is a message, `L` what a state is at its
/// end, and `N` what is noted about a state that leaves a universe.
pub struct Twins<M, L, N> {
    table: Mutex<Table<M, L, N>>,
    /// Told when activations are done.
    progress: Condvar,
}

struct Table<M, L, N> {
    twins: Map<StateId, Twin<N>>,
    records: Map<ActivationId, Record<M, L>>,
    next: u32,
    /// Activations that are done, for each who waits for them.
    done: Vec<Vec<ActivationId>>,
    /// How many wait for one to be done.
    asleep: u32,
}

/// A state that several universes have, or had.
struct Twin<N> {
    /// Universes that have it, and activations that somebody may still ask for and that end with it.
    holders: u32,
    /// The best reason why a universe does not have it any more.
    why: Option<Gone>,
    notes: SmallVec<[N; 1]>,
    /// Whether something was found about it.
    found: bool,
    /// What it was activated with: a hash of that tells most of them apart.
    activations: SmallVec<[(u64, ActivationId); 2]>,
}

impl<N> Twin<N> {
    fn new(holders: u32) -> Twin<N> {
        Twin {
            holders,
            why: None,
            notes: SmallVec::new(),
            found: false,
            activations: SmallVec::new(),
        }
    }
}

/// What a state does once it is activated.
struct Record<M, L> {
    at: Stamp,
    arrivals: Vec<Arrival<M>>,
    /// The number of the state that runs.
    state: StateId,
    claimed: bool,
    /// Universes that wait for it, and the state that was activated while others have it.
    wanted: u32,
    /// Branches that have not ended.
    running: u32,
    ends: Ends<L>,
    /// The activation that it is the rest of.
    outer: Option<ActivationId>,
    /// Who is to be told when it is done.
    waiting: Vec<usize>,
}

/// What an activation has ended with: states, and what they were then.
pub type Ends<L> = Vec<(StateId, Arc<L>)>;

/// How a state that is to be activated goes on.
pub enum Activated {
    /// No other universe has it any more.
    Alone,
    /// Others may activate it, too: what it does, and the number of the state that does it.
    Shared(ActivationId, StateId),
}

/// What became of an attempt to run an activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// It is to be run, and its ends are to be told.
    Ours,
    /// It is to be run, and nobody wants to know.
    Alone,
    /// Somebody else runs it, or has.
    Taken,
}

/// What nobody has any more.
pub struct Released<L, N> {
    /// States that are in no world any more.
    pub closed: Vec<Closed<L, N>>,
    /// How often states would have been copied if one universe had had all, besides how often they were.
    pub copies: i64,
    /// Ends that nobody asks for any more. To drop them takes a while, and others wait for the table.
    unwanted: Vec<Arc<L>>,
}

/// A state that is in no world of any universe any more.
pub struct Closed<L, N> {
    /// The state.
    pub state: StateId,
    /// Why.
    pub why: Gone,
    /// What was noted when universes let go of it.
    pub notes: SmallVec<[N; 1]>,
    /// What it was, unless whoever has asked had it last.
    pub end: Option<Arc<L>>,
}

impl<L, N> Released<L, N> {
    fn new() -> Released<L, N> {
        Released { closed: Vec::new(), copies: 0, unwanted: Vec::new() }
    }
}

/// What is to be let go of.
enum Let<L> {
    /// A universe, or what ends with it, does not have the state any more.
    State(StateId, Option<Arc<L>>),
    /// Somebody does not want to know of the activation any more.
    Activation(ActivationId),
}

impl<M, L, N> Default for Twins<M, L, N> {
    fn default() -> Self {
        let table = Table {
            twins: Map::default(),
            records: Map::default(),
            next: 0,
            done: Vec::new(),
            asleep: 0,
        };
        Twins { table: Mutex::new(table), progress: Condvar::new() }
    }
}

impl<M: Clone + Eq + Hash, L, N> Twins<M, L, N> {
    fn table(&self) -> MutexGuard<'_, Table<M, L, N>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One more universe has a state that does not run.
    pub fn share(&self, state: StateId) {
        self.table().twins.entry(state).or_insert_with(|| Twin::new(1)).holders += 1;
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
        let record =
            Record { claimed: begun, wanted, outer, ..Record::new(state, Stamp::ZERO, Vec::new()) };
        self.table().add(record)
    }

    /// One more universe wants to know of an activation.
    pub fn share_activation(&self, activation: ActivationId) {
        self.table().record(activation).wanted += 1;
    }

    /// A universe activates a twin.
    pub fn activate(
        &self,
        state: StateId,
        at: Stamp,
        arrivals: &[Arrival<M>],
        number: impl FnOnce() -> StateId,
    ) -> Activated {
        let hash = hash_one(&(at, arrivals));
        let mut table = self.table();
        let Table { twins, records, .. } = &mut *table;
        let Some(twin) = twins.get_mut(&state) else { return Activated::Alone };
        if twin.holders == 1 && twin.activations.is_empty() && twin.why.is_none() {
            twins.remove(&state);
            return Activated::Alone;
        }
        let same = |&&(other, activation): &&(u64, ActivationId)| {
            let is_same = |record: &Record<M, L>| record.at == at && record.arrivals == arrivals;
            other == hash && is_same(&records[&activation])
        };
        let known = twin.activations.iter().find(same).map(|(_, activation)| *activation);
        let activation = known.unwrap_or_else(|| {
            let activation = table.add(Record::new(number(), at, arrivals.to_vec()));
            table.twin(state).activations.push((hash, activation));
            activation
        });
        let record = table.record(activation);
        record.wanted += 1;
        Activated::Shared(activation, record.state)
    }

    /// Tries to be the one who runs an activation.
    pub fn claim(&self, activation: ActivationId) -> Claim {
        let mut table = self.table();
        let record = table.record(activation);
        if std::mem::replace(&mut record.claimed, true) {
            return Claim::Taken;
        }
        record.wanted -= 1;
        if record.wanted > 0 {
            return Claim::Ours;
        }
        table.records.remove(&activation);
        Claim::Alone
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

    /// Whether somebody wants to know what an activation ends with.
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
    /// something may be `found` about it already. Whether it is a twin now.
    pub fn ended(
        &self,
        activation: ActivationId,
        state: StateId,
        end: Option<L>,
        found: bool,
    ) -> bool {
        let end = end.map(Arc::new);
        let mut table = self.table();
        let Table { twins, records, done, asleep, .. } = &mut *table;
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
            let old = twins.insert(state, Twin { found, ..Twin::new(1 + wanted) });
            debug_assert!(old.is_none(), "{state} is a twin already");
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

    /// What an activation that is done has ended with; whoever has waited for it has these states now.
    pub fn ends(&self, activation: ActivationId) -> (Ends<L>, Released<L, N>) {
        let mut table = self.table();
        let ends = table.record(activation).ends.clone();
        for (state, _) in &ends {
            table.twin(*state).holders += 1;
        }
        let mut released = Released::new();
        table.release(Let::Activation(activation), &mut released);
        (ends, released)
    }

    /// Somebody who wanted to know of an activation does not any more.
    pub fn forgo(&self, activation: ActivationId) -> Released<L, N> {
        let mut released = Released::new();
        self.table().release(Let::Activation(activation), &mut released);
        released
    }

    /// A universe does not have a twin any more.
    pub fn release(&self, state: StateId, why: Gone, note: N) -> Released<L, N> {
        let mut table = self.table();
        if why > Gone::Replaced {
            let twin = table.twin(state);
            twin.why = twin.why.max(Some(why));
            twin.notes.push(note);
        }
        let mut released = Released::new();
        table.release(Let::State(state, None), &mut released);
        released
    }

    /// Notes something about a state before it is let go of.
    pub fn note(&self, state: StateId, note: N) {
        self.table().twin(state).notes.push(note);
    }

    /// Whether something is found about a state for the first time.
    pub fn is_found_first(&self, state: StateId) -> bool {
        let mut table = self.table();
        let twin = table.twins.get_mut(&state);
        twin.is_none_or(|twin| !std::mem::replace(&mut twin.found, true))
    }
}

impl<M, L> Record<M, L> {
    /// An activation that nobody has begun.
    fn new(state: StateId, at: Stamp, arrivals: Vec<Arrival<M>>) -> Record<M, L> {
        Record {
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

impl<M, L, N> Table<M, L, N> {
    fn add(&mut self, record: Record<M, L>) -> ActivationId {
        let activation = ActivationId(self.next);
        self.next += 1;
        self.records.insert(activation, record);
        activation
    }

    fn record(&mut self, activation: ActivationId) -> &mut Record<M, L> {
        self.records.get_mut(&activation).expect("what is wanted is known")
    }

    fn twin(&mut self, state: StateId) -> &mut Twin<N> {
        self.twins.get_mut(&state).expect("who has a twin is its holder")
    }

    /// Lets go of something, and of all that nobody can have any more by that.
    fn release(&mut self, first: Let<L>, released: &mut Released<L, N>) {
        let mut todo = vec![first];
        while let Some(next) = todo.pop() {
            match next {
                Let::State(state, end) => {
                    let twin = self.twin(state);
                    twin.holders -= 1;
                    if twin.holders > 0 {
                        released.unwanted.extend(end);
                        continue;
                    }
                    let Twin { why, notes, activations, .. } =
                        self.twins.remove(&state).expect("just seen");
                    let is_over = why.is_some_and(|why| why >= Gone::Over);
                    let went_on = !activations.is_empty() || why.is_none();
                    // One of those that went on could have been itself.
                    let itself = i64::from(went_on && !is_over);
                    released.copies += activations.len() as i64 - itself;
                    match why.filter(|_| is_over || !went_on) {
                        Some(why) => released.closed.push(Closed { state, why, notes, end }),
                        None => released.unwanted.extend(end),
                    }
                    let activations = activations.into_iter().map(|(_, activation)| activation);
                    todo.extend(activations.map(Let::Activation));
                }
                Let::Activation(activation) => {
                    let record = self.record(activation);
                    record.wanted -= 1;
                    if record.wanted > 0 {
                        continue;
                    }
                    let ends = std::mem::take(&mut record.ends);
                    if record.running == 0 || !record.claimed {
                        self.records.remove(&activation);
                    }
                    todo.extend(ends.into_iter().map(|(state, end)| Let::State(state, Some(end))));
                }
            }
        }
    }
}
