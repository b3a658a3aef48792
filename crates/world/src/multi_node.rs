//! A universe of several nodes: states, sets of states, and dstates over sets.
//!
//! A [`MultiNodeUniverse`] has three tables. A *state* ([`StateRow`]) knows the sets it is in; a *set*
//! ([`table::StateSet`]) holds states of one node, each with what is on its way to it, and knows the
//! dstates it is in; a *dstate* ([`table::DState`]) has one set a node. Sets are shared between
//! dstates: what concerns a state is done once a set, and only what concerns a dstate's front is
//! done once a dstate.
//!
//! Work goes through two queues: dstates whose round is over (`round.rs`), then states that may be
//! eligible (`wake.rs`). Every call from outside (`calls.rs`) ends with both empty.
//!
//! Invariants, between calls: a dstate's `front` is the least wake of its sets, and `busy` counts
//! the sets that have it; the sets of nodes that are not `lively` have only stalled states; every
//! blocked state with a finite wake watches a dstate that is before that wake. A dstate never comes
//! back to a set that it has left.

mod activate;
mod calls;
mod delivery;
mod examined;
mod idle;
mod over;
pub(crate) mod pending;
mod pick;
mod round;
mod split;
mod split_tree;
pub(crate) mod table;
mod wake;
mod weigh;

use std::collections::VecDeque;
use std::hash::Hash;

use everett_base::Map;
use everett_base::part::{PartError, PartReader, PartWriter, Portable};

use crate::walk::WalkTree;
use crate::{
    DStateId, NodeId, RemovalReason, Stamp, StateId, StateOwner, UniverseChange, UniverseCounts,
    UniverseOptions,
};
use delivery::DeliveryCache;
use split_tree::SplitTree;
use table::{DState, SetMember, StatePhase, StateRow, StateSetId, StateSetTable, StateSlot};

/// The worlds of a system of several nodes.
pub(crate) struct MultiNodeUniverse<M> {
    pub(crate) nodes: u32,
    pub(crate) options: UniverseOptions,
    pub(crate) report_final: bool,
    pub(crate) changes: Vec<UniverseChange<M>>,
    pub(crate) counts: UniverseCounts,
    pub(crate) slots: Map<StateId, StateSlot>,
    pub(crate) states: Vec<StateRow<M>>,
    free_states: Vec<StateSlot>,
    pub(crate) sets: StateSetTable<M>,
    pub(crate) dstates: Vec<DState>,
    free_dstates: Vec<DStateId>,
    /// Dstates that are no more and may still be listed by sets.
    limbo: Vec<DStateId>,
    /// Dstates whose round is over.
    rounds: VecDeque<DStateId>,
    /// States that may be eligible.
    checks: VecDeque<StateSlot>,
    /// Counts activations, so that answers about a state are told apart from later ones.
    serial: u64,
    /// Answers about deliveries that were found out before.
    known: DeliveryCache<M>,
    tree: SplitTree,
    /// The tree that walks follow, if there are any, with the node whose state a walk has let run last.
    walks: Option<WalkTree>,
    walked: NodeId,
    /// See [`UniverseCounts::explored`]; the chances that are added up may be very small.
    explored: f64,
}

/// Answers about deliveries that were found out before are not written: they are found out again.
/// The embedder has taken all changes before.
impl<M: Portable + Clone + Eq + Hash + 'static> Portable for MultiNodeUniverse<M> {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        let MultiNodeUniverse {
            nodes,
            options,
            report_final,
            changes,
            counts,
            slots,
            states,
            free_states,
            sets,
            dstates,
            free_dstates,
            limbo,
            rounds,
            checks,
            serial,
            known: _,
            tree,
            walks,
            walked,
            explored,
        } = self;
        assert!(changes.is_empty(), "changes are taken before a universe is written");
        nodes.write(to);
        options.write(to);
        report_final.write(to);
        counts.write(to);
        slots.write(to);
        states.write(to);
        free_states.write(to);
        sets.write(to);
        dstates.write(to);
        free_dstates.write(to);
        limbo.write(to);
        rounds.write(to);
        checks.write(to);
        serial.write(to);
        tree.write(to);
        walks.write(to);
        walked.write(to);
        explored.write(to);
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        Ok(MultiNodeUniverse {
            nodes: Portable::read(from)?,
            options: Portable::read(from)?,
            report_final: Portable::read(from)?,
            changes: Vec::new(),
            counts: Portable::read(from)?,
            slots: Portable::read(from)?,
            states: Portable::read(from)?,
            free_states: Portable::read(from)?,
            sets: Portable::read(from)?,
            dstates: Portable::read(from)?,
            free_dstates: Portable::read(from)?,
            limbo: Portable::read(from)?,
            rounds: Portable::read(from)?,
            checks: Portable::read(from)?,
            serial: Portable::read(from)?,
            known: DeliveryCache::new(),
            tree: Portable::read(from)?,
            walks: Portable::read(from)?,
            walked: Portable::read(from)?,
            explored: Portable::read(from)?,
        })
    }
}

impl<M: Clone + Eq + Hash> MultiNodeUniverse<M> {
    pub(crate) fn new(nodes: u32, options: UniverseOptions) -> MultiNodeUniverse<M> {
        MultiNodeUniverse {
            nodes,
            options,
            report_final: false,
            changes: Vec::new(),
            counts: UniverseCounts::default(),
            slots: Map::default(),
            states: Vec::new(),
            free_states: Vec::new(),
            sets: StateSetTable::new(),
            dstates: Vec::new(),
            free_dstates: Vec::new(),
            limbo: Vec::new(),
            rounds: VecDeque::new(),
            checks: VecDeque::new(),
            serial: 0,
            known: DeliveryCache::new(),
            tree: SplitTree::new(),
            walks: options.walks.then(WalkTree::default),
            walked: NodeId(0),
            explored: 0.0,
        }
    }

    /// Empties the queues.
    pub(crate) fn settle<O: StateOwner<Message = M>>(&mut self, owner: &mut O) {
        loop {
            if let Some(dstate) = self.rounds.pop_front() {
                self.end_round(owner, dstate);
            } else if let Some(state) = self.checks.pop_front() {
                self.check(owner, state);
            } else {
                break;
            }
        }
        self.sweep();
    }

    /// The slot of a state.
    pub(crate) fn slot(&self, state: StateId) -> StateSlot {
        *self.slots.get(&state).unwrap_or_else(|| panic!("{state} is not in this universe"))
    }

    pub(crate) fn add_state(&mut self, mut state: StateRow<M>) -> StateSlot {
        self.serial += 1;
        state.serial = self.serial;
        let id = state.id;
        let slot = match self.free_states.pop() {
            Some(slot) => {
                self.states[slot.index()] = state;
                slot
            }
            None => {
                self.states.push(state);
                StateSlot::from_index(self.states.len() - 1)
            }
        };
        let old = self.slots.insert(id, slot);
        assert!(old.is_none(), "{id} exists already");
        slot
    }

    /// Adds a state that a running one has branched into; it is in no set yet.
    pub(crate) fn add_child(&mut self, parent: StateSlot, child: StateId) -> StateSlot {
        let mut state = self.states[parent.index()].copied(child);
        state.stale = true;
        self.add_state(state)
    }

    /// Adds a copy of a state, which has this name and is in no set yet.
    fn add_copy(&mut self, slot: StateSlot, id: StateId) -> StateSlot {
        self.counts.copies += 1;
        let copy = self.states[slot.index()].copied(id);
        self.add_state(copy)
    }

    /// Copies a state and tells so.
    pub(crate) fn copy_in_phase<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        slot: StateSlot,
    ) -> StateSlot {
        let id = owner.copy(self.states[slot.index()].id);
        let copy = self.add_copy(slot, id);
        let (state, from) = (self.states[copy.index()].id, self.states[slot.index()].id);
        self.changes.push(UniverseChange::Copied { state, from });
        self.checks.push_back(copy);
        copy
    }

    /// Books a state that is in no set any more.
    fn gone(&mut self, slot: StateSlot) {
        let record = &mut self.states[slot.index()];
        debug_assert!(record.sets.is_empty());
        if record.phase == StatePhase::Gone {
            return;
        }
        let why = match record.why {
            _ if record.phase == StatePhase::Ended => RemovalReason::Ended,
            // It could have gone on itself.
            why if record.went_on && why < RemovalReason::Over => RemovalReason::Replaced,
            why => why,
        };
        record.phase = StatePhase::Gone;
        record.sent = None;
        record.watch = None;
        let state = record.id;
        self.slots.remove(&state);
        self.free_states.push(slot);
        self.changes.push(UniverseChange::Gone { state, why });
    }

    /// A set with these members: one that exists if there is one.
    pub(crate) fn set_of(&mut self, node: NodeId, members: Vec<SetMember<M>>) -> StateSetId {
        let (set, new) = self.sets.intern(node, members);
        if new {
            for i in 0..self.sets[set].members.len() {
                let slot = self.sets[set].members[i].state;
                self.states[slot.index()].sets.push(set);
            }
            self.measure(set);
        }
        set
    }

    /// Adds a dstate with these sets.
    pub(crate) fn add_dstate(&mut self, sets: Box<[StateSetId]>) -> DStateId {
        let mut record = DState::new(sets);
        record.alive = true;
        let dstate = match self.free_dstates.pop() {
            Some(dstate) => {
                self.dstates[dstate.index()] = record;
                dstate
            }
            None => {
                self.dstates.push(record);
                DStateId::from_index(self.dstates.len() - 1)
            }
        };
        for n in 0..self.nodes as usize {
            let record = &mut self.dstates[dstate.index()];
            let set = record.sets[n];
            self.sets.attach(set, dstate);
            if self.sets[set].front < Stamp::NEVER {
                record.lively.push(NodeId::from_index(n));
            }
        }
        self.counts.dstates += 1;
        self.counts.dstates_peak = self.counts.dstates_peak.max(self.counts.dstates);
        dstate
    }

    /// Gives a dstate another set for a node. The old one may end by that.
    pub(crate) fn replace_set(
        &mut self,
        dstate: DStateId,
        node: NodeId,
        set: StateSetId,
        why: RemovalReason,
    ) {
        let record = &mut self.dstates[dstate.index()];
        let old = std::mem::replace(&mut record.sets[node.index()], set);
        if old != set {
            self.sets.attach(set, dstate);
            if self.sets[set].front < Stamp::NEVER && !record.lively.contains(&node) {
                record.lively.push(node);
            }
            self.detach(old, why);
        }
    }

    /// Removes a dstate; its members are no longer in its worlds.
    pub(crate) fn remove_dstate(&mut self, dstate: DStateId, why: RemovalReason) {
        let record = &mut self.dstates[dstate.index()];
        if !record.alive {
            return;
        }
        record.alive = false;
        record.front = Stamp::NEVER;
        record.touched = Default::default();
        record.lively = Default::default();
        let sets = std::mem::take(&mut record.sets);
        self.look_at_watchers(dstate);
        for &set in &sets {
            self.detach(set, why);
        }
        self.limbo.push(dstate);
        self.counts.dstates -= 1;
        self.fell(dstate);
    }

    /// A dstate has left a set; a set without dstates is no more.
    fn detach(&mut self, set: StateSetId, why: RemovalReason) {
        self.note_why(set, why);
        self.sets[set].live -= 1;
        if self.sets[set].live > 0 {
            return;
        }
        for member in self.sets.take(set).members {
            self.leave(member.state, set, why);
        }
    }

    /// The states of a set are no longer in some worlds.
    pub(crate) fn note_why(&mut self, set: StateSetId, why: RemovalReason) {
        let record = &mut self.sets[set];
        if why > record.why {
            record.why = why;
            for member in &record.members {
                let state = &mut self.states[member.state.index()];
                state.why = state.why.max(why);
            }
        }
    }

    /// Removes a set if it is in no dstate.
    pub(crate) fn drop_unused(&mut self, set: StateSetId) {
        if self.sets[set].live == 0 {
            for member in self.sets.take(set).members {
                self.leave(member.state, set, RemovalReason::Separated);
            }
        }
    }

    /// A state is no longer in a set.
    pub(crate) fn leave(&mut self, slot: StateSlot, set: StateSetId, why: RemovalReason) {
        let state = &mut self.states[slot.index()];
        let position = state.sets.iter().position(|&other| other == set);
        state.sets.swap_remove(position.expect("a state knows its sets"));
        state.why = state.why.max(why);
        state.stale = true;
        if state.sets.is_empty() {
            self.gone(slot);
        } else {
            self.checks.push_back(slot);
        }
    }

    /// The dstates that a set is in now.
    pub(crate) fn live_dstates(&self, set: StateSetId) -> Vec<DStateId> {
        let record = &self.sets[set];
        let node = record.node.index();
        let alive = |dstate: &DStateId| self.dstates[dstate.index()].has(node, set);
        record.dstates.iter().copied().filter(alive).collect()
    }

    /// Makes the numbers of past dstates free for use. Sets list past dstates until then, and to
    /// go through all sets pays only when those are as many as the living ones.
    fn sweep(&mut self) {
        if self.limbo.len() < 1024 || (self.limbo.len() as u64) < self.counts.dstates {
            return;
        }
        let dstates = &self.dstates;
        self.sets.for_each(|set, record| {
            let node = record.node.index();
            record.dstates.retain(|dstate| dstates[dstate.index()].has(node, set));
        });
        self.free_dstates.append(&mut self.limbo);
    }
}
