//! Activation: a state goes on, once for each list of arrivals that it has in its dstates.

use std::hash::Hash;
use std::sync::Arc;

use smallvec::SmallVec;

use super::MultiNodeUniverse;
use super::pending::{PendingArrivals, same};
use super::table::{SetMember, StatePhase, StateRow, StateSetId, StateSlot};
use crate::{RemovalReason, StateId, StateOwner, UniverseChange};

/// A set of the activated state, and the arrivals there that are not due yet.
type LaterInSet<M> = (StateSetId, Option<Arc<PendingArrivals<M>>>);

/// The sets in which a state is activated with the same arrivals.
struct ArrivalGroup<M> {
    arrivals: Option<Arc<PendingArrivals<M>>>,
    sets: SmallVec<[LaterInSet<M>; 2]>,
}

impl<M: Clone + Eq + Hash> MultiNodeUniverse<M> {
    /// Activates a state at its wake. Dstates in which it is not due yet keep it as it is; of the
    /// others each list of arrivals has a state of its own.
    pub(crate) fn activate<O: StateOwner<Message = M>>(&mut self, owner: &mut O, slot: StateSlot) {
        let (mut groups, stays) = self.groups_of_arrivals(slot);
        groups.retain(|group| self.still_joins(owner, slot, group));
        if groups.is_empty() && stays.is_empty() {
            self.states[slot.index()].sets.clear();
            self.gone(slot);
            return;
        }
        // A state that some worlds are over with is a path of its own, whatever it does in others.
        let stays_behind =
            !stays.is_empty() || self.states[slot.index()].why >= RemovalReason::Over;
        self.states[slot.index()].sets = stays;
        // Copies first, as a copy is in the phase of its original.
        let mut names: SmallVec<[StateId; 2]> = SmallVec::new();
        for group in groups.iter().skip(usize::from(!stays_behind)) {
            names.push(self.name(owner, slot, group, false));
        }
        let mut itself = false;
        if let Some(group) = groups.first().filter(|_| !stays_behind) {
            let id = self.name(owner, slot, group, true);
            itself = id == self.states[slot.index()].id;
            names.insert(0, id);
        }
        let went_on = !groups.is_empty();
        for (i, (group, id)) in groups.into_iter().zip(names).enumerate() {
            let target = if itself && i == 0 { slot } else { self.add_copy(slot, id) };
            self.run(slot, target, group);
        }
        if itself {
            return;
        }
        let state = &mut self.states[slot.index()];
        state.went_on |= went_on;
        if state.sets.is_empty() {
            self.gone(slot);
        } else {
            state.stale = true;
            self.checks.push_back(slot);
        }
    }

    /// Returns true if a state may be activated with what arrives. It may have taken a side since that was
    /// sent; if it contradicts, it leaves the sets of the group, and a dstate that has no state left
    /// for the node ends with its round.
    fn still_joins<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        slot: StateSlot,
        group: &ArrivalGroup<M>,
    ) -> bool {
        if group.arrivals.as_ref().is_none_or(|arrivals| self.joins(owner, slot, arrivals)) {
            return true;
        }
        for &(set, _) in &group.sets {
            self.sets.forget(set);
            let record = &mut self.sets[set];
            let place = record.position(slot).expect("a state is in its sets");
            record.members.remove(place);
            record.ended |= record.members.is_empty();
            self.refront_set(set);
        }
        false
    }

    /// The groups of a state's sets by what arrives now, and the sets in which nothing happens.
    fn groups_of_arrivals(
        &self,
        slot: StateSlot,
    ) -> (SmallVec<[ArrivalGroup<M>; 1]>, SmallVec<[StateSetId; 2]>) {
        let state = &self.states[slot.index()];
        let at = state.wake;
        let mut stays = SmallVec::new();
        let mut groups: SmallVec<[ArrivalGroup<M>; 1]> = SmallVec::new();
        for &set in &state.sets {
            let record = &self.sets[set];
            let member = record.position(slot).expect("a state is in its sets");
            let pending = record.members[member].pending.clone();
            let (arrivals, rest) = PendingArrivals::split(pending, at);
            if arrivals.is_none() && state.own > at {
                stays.push(set);
                continue;
            }
            match groups.iter_mut().find(|g| same(g.arrivals.as_ref(), arrivals.as_ref())) {
                Some(group) => group.sets.push((set, rest)),
                None => {
                    groups
                        .push(ArrivalGroup { arrivals, sets: SmallVec::from_iter([(set, rest)]) });
                }
            }
        }
        (groups, stays)
    }

    /// The number of a state that goes on with the arrivals of a group.
    fn name<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        slot: StateSlot,
        group: &ArrivalGroup<M>,
        itself: bool,
    ) -> StateId {
        let state = &self.states[slot.index()];
        let arrivals = group.arrivals.as_ref().map_or(&[][..], |arrivals| arrivals.list());
        owner.activate(state.id, state.wake, arrivals, itself)
    }

    /// Lets `target`, which is `slot` or a copy of it, run in the sets of a group.
    fn run(&mut self, slot: StateSlot, target: StateSlot, group: ArrivalGroup<M>) {
        let StateRow { wake: at, id: old, .. } = self.states[slot.index()];
        self.serial += 1;
        let serial = self.serial;
        let state = &mut self.states[target.index()];
        state.phase = StatePhase::Running;
        state.at = at;
        state.serial = serial;
        state.sent = None;
        state.exited = false;
        state.idleness.activated(group.arrivals.is_some());
        // When it stalls again, that is another deadlock.
        state.reported = false;
        state.went_on = false;
        state.why = RemovalReason::Separated;
        state.cursor = (0, 0);
        state.sets = group.sets.iter().map(|(set, _)| *set).collect();
        for (set, rest) in group.sets {
            self.sets[set].runners.push(target);
            if slot == target && group.arrivals.is_none() {
                continue;
            }
            self.sets.forget(set);
            let record = &mut self.sets[set];
            let place = record.position(slot).expect("a state is in its sets");
            if slot == target {
                record.members[place].pending = rest;
            } else {
                record.members.remove(place);
                record.insert(SetMember { state: target, pending: rest });
            }
        }
        let id = self.states[target.index()].id;
        let from = (slot != target).then_some(old);
        let arrivals = group.arrivals.map_or_else(Vec::new, |arrivals| arrivals.list().to_vec());
        self.changes.push(UniverseChange::Run { state: id, from, at, arrivals });
    }
}
