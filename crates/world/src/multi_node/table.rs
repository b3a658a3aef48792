//! The tables of a universe: [`StateRow`], [`StateSet`], [`DState`].
//!
//! Rows only, with methods that need no other row. Sets of equal contents are found by
//! [`StateSetTable::intern`]; a set that is changed in place is forgotten there first.

use std::hash::Hash;
use std::ops::{Index, IndexMut};
use std::sync::Arc;

use everett_base::hash::hash_one;
use everett_base::part::{PartError, PartReader, PartWriter, Portable};
use everett_base::{Map, define_id};
use smallvec::SmallVec;

use super::pending::{HashedList, PendingArrivals, same};
use crate::idle::Idleness;
use crate::{DStateId, NodeId, RemovalReason, SentMessage, Stamp, StateId, StateSetName};

define_id!(
    /// A row in the table of states.
    pub(crate) struct StateSlot, "slot"
);
define_id!(
    /// A row in the table of sets.
    pub(crate) struct StateSetId, "set"
);

/// The phase of a state between its activation and its removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatePhase {
    /// It was activated and has not blocked since.
    Running,
    /// It waits.
    Blocked,
    /// It ended in this round and leaves each dstate at the end of that dstate's round.
    Ended,
    /// It is in no world; its row is free.
    Gone,
}

everett_base::portable!(enum StatePhase { 0 = Running, 1 = Blocked, 2 = Ended, 3 = Gone });

/// A node state.
pub(crate) struct StateRow<M> {
    pub(crate) id: StateId,
    pub(crate) node: NodeId,
    pub(crate) phase: StatePhase,
    pub(crate) exited: bool,
    /// True if a deadlock of it was reported.
    pub(crate) reported: bool,
    /// True if it did something notable since it was activated.
    pub(crate) notable: bool,
    /// True if copies of it have gone on, in some of its dstates.
    pub(crate) went_on: bool,
    /// True if `wake` has to be computed anew.
    pub(crate) stale: bool,
    /// The stamp of its last activation.
    pub(crate) at: Stamp,
    /// The stamp at which it wakes by itself.
    pub(crate) own: Stamp,
    /// The stamp of its next activation: the least of `own` and all that is on its way to it.
    pub(crate) wake: Stamp,
    /// The number of this activation, which no other one of the universe has: answers are kept by it.
    pub(crate) serial: u64,
    /// The messages that it sent in its last activation.
    pub(crate) sent: Option<Arc<HashedList<SentMessage<M>>>>,
    /// The sets it is in.
    pub(crate) sets: SmallVec<[StateSetId; 2]>,
    /// The dstate that holds it back, as found last.
    pub(crate) watch: Option<DStateId>,
    /// The place where the search for a dstate that holds it back goes on: a set and a dstate of it.
    pub(crate) cursor: (u32, u32),
    /// The best reason so far why it is not in worlds any more.
    pub(crate) why: RemovalReason,
    pub(crate) idleness: Idleness,
}

everett_base::portable!([M: everett_base::part::Portable + Clone + Eq + std::hash::Hash + 'static]
    struct StateRow<M> {
    id, node, phase, exited, reported, notable, went_on, stale, at, own, wake, serial, sent, sets,
    watch, cursor, why, idleness,
});

impl<M> StateRow<M> {
    /// A blocked state that wakes at a stamp.
    pub(crate) fn new(id: StateId, node: NodeId, wake: Stamp) -> StateRow<M> {
        StateRow {
            id,
            node,
            phase: StatePhase::Blocked,
            exited: false,
            reported: false,
            notable: false,
            went_on: false,
            stale: true,
            at: Stamp::NEVER,
            own: wake,
            wake,
            serial: 0,
            sent: None,
            sets: SmallVec::new(),
            watch: None,
            cursor: (0, 0),
            why: RemovalReason::Separated,
            idleness: Idleness::NEW,
        }
    }

    /// The same state under another name, in no set yet.
    pub(crate) fn copied(&self, id: StateId) -> StateRow<M> {
        StateRow {
            id,
            exited: self.exited,
            phase: self.phase,
            reported: self.reported,
            notable: self.notable,
            at: self.at,
            sent: self.sent.clone(),
            idleness: self.idleness,
            ..StateRow::new(id, self.node, self.own)
        }
    }

    /// The same state in another universe, in no set there yet.
    pub(super) fn for_other_universe(&self) -> StateRow<M> {
        StateRow {
            went_on: self.went_on,
            serial: self.serial,
            why: self.why,
            ..self.copied(self.id)
        }
    }
}

/// A state in a set, with what is on its way to it.
pub(crate) struct SetMember<M> {
    pub(crate) state: StateSlot,
    pub(crate) pending: Option<Arc<PendingArrivals<M>>>,
}

everett_base::portable!([M: everett_base::part::Portable + Clone + Eq + std::hash::Hash + 'static]
    struct SetMember<M> {
    state, pending,
});

impl<M> Clone for SetMember<M> {
    fn clone(&self) -> Self {
        SetMember { state: self.state, pending: self.pending.clone() }
    }
}

/// States of one node that are in the same dstates.
pub(crate) struct StateSet<M> {
    pub(crate) node: NodeId,
    /// Sorted by state.
    pub(crate) members: Vec<SetMember<M>>,
    /// The dstates it is in, and some that it was in.
    pub(crate) dstates: Vec<DStateId>,
    /// The number of dstates that it is in.
    pub(crate) live: u32,
    /// The least wake of its members; for running ones that is their activation.
    pub(crate) front: Stamp,
    /// The number of members that have that wake.
    pub(crate) due: u32,
    /// The members that run, and some that did.
    pub(crate) runners: Vec<StateSlot>,
    /// The number of members that wait for nothing that is known to come.
    pub(crate) stalled: u32,
    /// The number of members at rest, if that matters.
    pub(crate) idle: u32,
    /// True if a member sent something at `front`.
    pub(crate) sent: bool,
    /// True if a member ended at `front`.
    pub(crate) ended: bool,
    /// True if a member stalled at `front`.
    pub(crate) newly_stalled: bool,
    /// True if a member did something notable at `front`.
    pub(crate) notable: bool,
    /// The best reason why dstates left it, as far as all of its members know it.
    pub(crate) why: RemovalReason,
    /// The number of what is known about its members now, which no other set ever has.
    pub(crate) version: u64,
    /// The nodes that its states sent to at their last activation, once asked for; sorted.
    pub(crate) destinations: Option<Box<[NodeId]>>,
    /// The symbols of its states, once asked for.
    pub(crate) symbols: Option<Arc<[u32]>>,
    /// The owner's name for its states, if it has given one.
    pub(crate) name: Option<StateSetName>,
    /// Its hash, if it is to be found by its contents.
    hash: Option<u64>,
}

impl<M> StateSet<M> {
    /// A set in no dstate.
    fn new(node: NodeId, members: Vec<SetMember<M>>) -> StateSet<M> {
        StateSet {
            node,
            members,
            dstates: Vec::new(),
            live: 0,
            front: Stamp::NEVER,
            due: 0,
            runners: Vec::new(),
            stalled: 0,
            idle: 0,
            sent: false,
            ended: false,
            newly_stalled: false,
            notable: false,
            why: RemovalReason::Separated,
            version: 0,
            destinations: None,
            symbols: None,
            name: None,
            hash: None,
        }
    }

    /// The same set with other names for its members, in no dstate.
    pub(super) fn with(&self, members: Vec<SetMember<M>>) -> StateSet<M> {
        StateSet {
            front: self.front,
            due: self.due,
            stalled: self.stalled,
            idle: self.idle,
            sent: self.sent,
            ended: self.ended,
            newly_stalled: self.newly_stalled,
            notable: self.notable,
            symbols: self.symbols.clone(),
            destinations: self.destinations.clone(),
            ..StateSet::new(self.node, members)
        }
    }

    /// The position of a state among the members.
    pub(crate) fn position(&self, state: StateSlot) -> Option<usize> {
        self.members.binary_search_by_key(&state, |member| member.state).ok()
    }

    /// Adds a member at its place.
    pub(crate) fn insert(&mut self, member: SetMember<M>) {
        let place = self.members.partition_point(|other| other.state < member.state);
        self.members.insert(place, member);
    }
}

/// The table of sets.
pub(crate) struct StateSetTable<M> {
    rows: Vec<StateSet<M>>,
    free: Vec<StateSetId>,
    known: Map<u64, SmallVec<[StateSetId; 1]>>,
    versions: u64,
}

/// Without the answers that are kept until they are asked for again: the embedder gives them in its own
/// numbers.
impl<M: Portable + Clone + Eq + Hash + 'static> Portable for StateSet<M> {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        let StateSet {
            node,
            members,
            dstates,
            live,
            front,
            due,
            runners,
            stalled,
            idle,
            sent,
            ended,
            newly_stalled,
            notable,
            why,
            version,
            destinations: _,
            symbols: _,
            name: _,
            hash,
        } = self;
        node.write(to);
        members.write(to);
        dstates.write(to);
        live.write(to);
        front.write(to);
        due.write(to);
        runners.write(to);
        stalled.write(to);
        idle.write(to);
        sent.write(to);
        ended.write(to);
        newly_stalled.write(to);
        notable.write(to);
        why.write(to);
        version.write(to);
        to.number(hash.is_some().into());
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let node = Portable::read(from)?;
        let members: Vec<SetMember<M>> = Portable::read(from)?;
        let mut set = StateSet {
            dstates: Portable::read(from)?,
            live: Portable::read(from)?,
            front: Portable::read(from)?,
            due: Portable::read(from)?,
            runners: Portable::read(from)?,
            stalled: Portable::read(from)?,
            idle: Portable::read(from)?,
            sent: Portable::read(from)?,
            ended: Portable::read(from)?,
            newly_stalled: Portable::read(from)?,
            notable: Portable::read(from)?,
            why: Portable::read(from)?,
            version: Portable::read(from)?,
            ..StateSet::new(node, members)
        };
        set.hash = bool::read(from)?.then(|| contents_hash(&set.members));
        Ok(set)
    }
}

/// Sets are found by hashes, which are other ones in another process.
impl<M: Portable + Clone + Eq + Hash + 'static> Portable for StateSetTable<M> {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        let StateSetTable { rows, free, known: _, versions } = self;
        rows.write(to);
        free.write(to);
        versions.write(to);
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let (rows, free): (Vec<StateSet<M>>, _) = (Portable::read(from)?, Portable::read(from)?);
        let mut known: Map<u64, SmallVec<[StateSetId; 1]>> = Map::default();
        for (number, set) in rows.iter().enumerate() {
            if let Some(hash) = set.hash {
                known.entry(hash).or_default().push(StateSetId::from_index(number));
            }
        }
        Ok(StateSetTable { rows, free, known, versions: Portable::read(from)? })
    }
}

impl<M> Index<StateSetId> for StateSetTable<M> {
    type Output = StateSet<M>;
    fn index(&self, set: StateSetId) -> &StateSet<M> {
        &self.rows[set.index()]
    }
}

impl<M> IndexMut<StateSetId> for StateSetTable<M> {
    fn index_mut(&mut self, set: StateSetId) -> &mut StateSet<M> {
        &mut self.rows[set.index()]
    }
}

impl<M: Clone + Eq + Hash> StateSetTable<M> {
    pub(crate) fn new() -> StateSetTable<M> {
        StateSetTable { rows: Vec::new(), free: Vec::new(), known: Map::default(), versions: 0 }
    }

    /// The set with these members, and whether it is new. Members are sorted by state.
    pub(crate) fn intern(
        &mut self,
        node: NodeId,
        members: Vec<SetMember<M>>,
    ) -> (StateSetId, bool) {
        debug_assert!(members.is_sorted_by_key(|member| member.state));
        let hash = contents_hash(&members);
        for &set in self.known.get(&hash).into_iter().flatten() {
            let record = &self.rows[set.index()];
            if record.node == node && same_members(&record.members, &members) {
                return (set, false);
            }
        }
        (self.put(hash, StateSet::new(node, members)), true)
    }

    /// Adds a set of another universe.
    pub(super) fn adopt(&mut self, record: StateSet<M>) -> StateSetId {
        self.put(contents_hash(&record.members), record)
    }

    fn put(&mut self, hash: u64, mut record: StateSet<M>) -> StateSetId {
        self.versions += 1;
        record.version = self.versions;
        record.hash = Some(hash);
        let set = match self.free.pop() {
            Some(set) => {
                self.rows[set.index()] = record;
                set
            }
            None => {
                self.rows.push(record);
                StateSetId::from_index(self.rows.len() - 1)
            }
        };
        self.known.entry(hash).or_default().push(set);
        set
    }

    /// Something about the members of the set has changed: what was known about it is void.
    pub(crate) fn renew(&mut self, set: StateSetId) {
        self.versions += 1;
        let record = &mut self.rows[set.index()];
        record.version = self.versions;
        record.why = RemovalReason::Separated;
        record.symbols = None;
        record.name = None;
        record.destinations = None;
    }

    /// The set is about to be changed: it is not found by its contents any more.
    pub(crate) fn forget(&mut self, set: StateSetId) {
        self.renew(set);
        let Some(hash) = self.rows[set.index()].hash.take() else { return };
        let known = self.known.get_mut(&hash).expect("a set with a hash is known");
        known.retain(|other| *other != set);
        if known.is_empty() {
            self.known.remove(&hash);
        }
    }

    /// Removes a set.
    pub(crate) fn take(&mut self, set: StateSetId) -> StateSet<M> {
        self.forget(set);
        self.free.push(set);
        let record = &mut self.rows[set.index()];
        let empty = StateSet::new(record.node, Vec::new());
        std::mem::replace(record, empty)
    }

    /// The set is in this dstate now.
    pub(crate) fn attach(&mut self, set: StateSetId, dstate: DStateId) {
        let record = &mut self.rows[set.index()];
        debug_assert!(!record.dstates.contains(&dstate), "{dstate} comes back to {set}");
        record.dstates.push(dstate);
        record.live += 1;
    }

    /// Calls `f` with each set, past ones too.
    pub(crate) fn for_each(&mut self, mut f: impl FnMut(StateSetId, &mut StateSet<M>)) {
        for (i, record) in self.rows.iter_mut().enumerate() {
            f(StateSetId::from_index(i), record);
        }
    }
}

fn contents_hash<M: Clone + Eq + Hash>(members: &[SetMember<M>]) -> u64 {
    members.iter().fold(0, |hash, member| {
        hash_one(&(hash, member.state, member.pending.as_ref().map_or(0, |pending| pending.hash())))
    })
}

fn same_members<M: Eq + Hash>(a: &[SetMember<M>], b: &[SetMember<M>]) -> bool {
    a.len() == b.len()
        && a.iter()
            .zip(b)
            .all(|(a, b)| a.state == b.state && same(a.pending.as_ref(), b.pending.as_ref()))
}

/// A set of states for each node.
pub(crate) struct DState {
    pub(crate) sets: Box<[StateSetId]>,
    /// The least wake of its sets.
    pub(crate) front: Stamp,
    /// The number of sets that have that wake.
    pub(crate) busy: u32,
    pub(crate) alive: bool,
    /// True if a state stalled in this round.
    pub(crate) newly_stalled: bool,
    /// True if a state did something notable in this round.
    pub(crate) notable: bool,
    /// The nodes whose sets have a front, and some whose sets had.
    pub(crate) lively: SmallVec<[NodeId; 4]>,
    /// The nodes of which a state sent something or ended in this round.
    pub(crate) touched: SmallVec<[NodeId; 4]>,
    /// States that this dstate holds back, and some that it held back.
    pub(crate) watchers: Vec<StateSlot>,
}

everett_base::portable!(struct DState {
    sets, front, busy, alive, newly_stalled, notable, lively, touched, watchers,
});

impl DState {
    pub(crate) fn new(sets: Box<[StateSetId]>) -> DState {
        DState {
            sets,
            front: Stamp::NEVER,
            busy: 0,
            alive: false,
            newly_stalled: false,
            notable: false,
            lively: SmallVec::new(),
            touched: SmallVec::new(),
            watchers: Vec::new(),
        }
    }

    /// Returns true if it has this set now.
    pub(crate) fn has(&self, node: usize, set: StateSetId) -> bool {
        self.alive && self.sets[node] == set
    }
}
