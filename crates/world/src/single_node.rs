//! A universe of one node: every state is a world of its own.
//!
//! [`SingleNodeUniverse`] keeps one small record a state, so that a branch costs no more than a table entry.
//! Nothing is ever copied or held back, and a state that blocks with a deadline is activated at once.

use std::hash::Hash;
use std::sync::Arc;

use everett_base::Rng;
use everett_base::part::{PartError, PartReader, PartWriter, Portable};
use smallvec::smallvec;

use crate::idle::{Idleness, TimedEnd};
use crate::multi_node::pending::PendingArrivals;
use crate::paged_table::PagedTable;
use crate::{
    Arrival, ExaminationResult, NextWake, NodeId, RemovalReason, SentMessage, Stamp,
    StateCombinations, StateId, StateOwner, UniverseChange, UniverseCounts, UniverseOptions,
};

/// States that are split are in so many blocks of consecutive numbers at least, if there are as many.
const BLOCKS_LEAST: usize = 16;
/// A block has so many states at most.
const BLOCK_MOST: usize = 512;

/// The states of a system of one node.
pub(crate) struct SingleNodeUniverse<M> {
    pub(crate) options: UniverseOptions,
    pub(crate) report_final: bool,
    pub(crate) changes: Vec<UniverseChange<M>>,
    pub(crate) counts: UniverseCounts,
    states: PagedTable<SingleNodeState<M>>,
    /// The states in a fixed order, to pick from.
    order: Vec<StateId>,
}

struct SingleNodeState<M> {
    at: Stamp,
    /// Its position in `order`.
    position: u32,
    pending: Option<Arc<PendingArrivals<M>>>,
    notable: bool,
    idleness: Idleness,
}

everett_base::portable!([M: everett_base::part::Portable + Clone + Eq + std::hash::Hash + 'static]
    struct SingleNodeState<M> {
    at, position, pending, notable, idleness,
});

/// The embedder has taken all changes before.
impl<M: Portable + Clone + Eq + Hash + 'static> Portable for SingleNodeUniverse<M> {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        let SingleNodeUniverse { options, report_final, changes, counts, states, order } = self;
        assert!(changes.is_empty(), "changes are taken before a universe is written");
        options.write(to);
        report_final.write(to);
        counts.write(to);
        states.write(to);
        order.write(to);
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        Ok(SingleNodeUniverse {
            options: Portable::read(from)?,
            report_final: Portable::read(from)?,
            changes: Vec::new(),
            counts: Portable::read(from)?,
            states: Portable::read(from)?,
            order: Portable::read(from)?,
        })
    }
}

impl<M: Clone + Eq + Hash> SingleNodeUniverse<M> {
    pub(crate) fn new(options: UniverseOptions) -> SingleNodeUniverse<M> {
        SingleNodeUniverse {
            options,
            report_final: false,
            changes: Vec::new(),
            counts: UniverseCounts::default(),
            states: PagedTable::new(),
            order: Vec::new(),
        }
    }

    pub(crate) fn begin(&mut self, first: &[(NodeId, StateId, Stamp)]) {
        for &(node, state, at) in first {
            assert_eq!(node, NodeId(0), "the system has one node");
            self.insert(state, at);
            self.changes.push(UniverseChange::Run { state, from: None, at, arrivals: Vec::new() });
        }
    }

    fn insert(&mut self, state: StateId, at: Stamp) {
        let position = u32::try_from(self.order.len()).expect("states are fewer than 2^32");
        let idleness = Idleness::NEW;
        let record = SingleNodeState { at, position, pending: None, notable: false, idleness };
        let old = self.states.insert(state.0, record);
        assert!(old.is_none(), "{state} exists already");
        self.order.push(state);
        self.counts.dstates += 1;
        self.counts.dstates_peak = self.counts.dstates_peak.max(self.counts.dstates);
    }

    fn remove(&mut self, state: StateId, why: RemovalReason) {
        let Some(record) = self.states.remove(state.0) else { return };
        self.order.swap_remove(record.position as usize);
        if let Some(moved) = self.order.get(record.position as usize) {
            let moved = self.states.get_mut(moved.0).expect("states in order exist");
            moved.position = record.position;
        }
        self.counts.dstates -= 1;
        self.changes.push(UniverseChange::Gone { state, why });
    }

    pub(crate) fn branched(&mut self, parent: StateId, child: StateId) {
        let record = self.states.get(parent.0).expect("the parent exists");
        let (at, pending, notable) = (record.at, record.pending.clone(), record.notable);
        let idleness = record.idleness;
        self.insert(child, at);
        let child = self.states.get_mut(child.0).expect("it was just added");
        (child.pending, child.notable, child.idleness) = (pending, notable, idleness);
    }

    pub(crate) fn notable(&mut self, state: StateId) {
        self.states.get_mut(state.0).expect("the state exists").notable = true;
    }

    /// Lets the owner look at a state, and returns true if it is to go on.
    fn examine<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        state: StateId,
        over: bool,
    ) -> bool {
        let at = self.states.get(state.0).expect("the state exists").at;
        // The conditions of a state on its own are known to hold: symbols tie it to nothing.
        let symbols = owner.symbols(state).into_vec().into();
        let mut alone =
            StateCombinations::new(vec![vec![state]], vec![symbols], smallvec![None], (at, over));
        let ExaminationResult { noted, ended } = owner.examine(&mut alone);
        self.counts.joint_checks += alone.checks;
        let noted = noted.into_iter().map(|(world, note)| UniverseChange::Noted { world, note });
        self.changes.extend(noted);
        ended.is_empty()
    }

    pub(crate) fn blocked<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        state: StateId,
        next: NextWake,
        sent: Vec<SentMessage<M>>,
    ) {
        let record = self.states.get_mut(state.0).expect("the state exists");
        if std::mem::take(&mut record.notable) && !self.examine(owner, state, false) {
            return self.remove(state, RemovalReason::WorldEnded);
        }
        let record = self.states.get_mut(state.0).expect("the state exists");
        // Only what goes on by itself can be idle.
        if self.options.grace.is_some() && (next != NextWake::Never || !sent.is_empty()) {
            record.idleness.blocked(record.at, owner.rest(state, next), !sent.is_empty());
        }
        if !sent.is_empty() {
            let new = sent.into_iter().enumerate().map(|(number, sent)| {
                assert_eq!(sent.to, NodeId(0), "the system has one node");
                let number = u32::try_from(number).expect("sends of a round are fewer than 2^32");
                let at = record.at.after(sent.delay);
                Arrival {
                    at,
                    from: NodeId(0),
                    number,
                    message: sent.message,
                    carried: crate::CarriedConstraints::NOTHING,
                }
            });
            record.pending = Some(PendingArrivals::with(record.pending.as_deref(), new.collect()));
            self.counts.deliveries += 1;
        }
        let arrival = record.pending.as_ref().map_or(Stamp::NEVER, |pending| pending.first());
        let wake = next.stamp(record.at).min(arrival);
        let end = self.end_before(state, wake);
        let record = self.states.get_mut(state.0).expect("the state exists");
        if wake < Stamp::NEVER && end.is_none() {
            let pending = record.pending.take();
            let (taken, rest) = PendingArrivals::split(pending, wake);
            record.pending = rest;
            record.at = wake;
            let arrivals = taken.map_or_else(Vec::new, |taken| taken.list().to_vec());
            record.idleness.activated(!arrivals.is_empty());
            self.changes.push(UniverseChange::Run { state, from: None, at: wake, arrivals });
            return;
        }
        self.counts.final_worlds += 1;
        self.counts.idle_worlds += u64::from(end == Some(TimedEnd::Idle));
        self.counts.horizon_worlds += u64::from(end == Some(TimedEnd::Horizon));
        if end.is_none() && self.options.detect_stalled && owner.waits(state) {
            self.changes.push(UniverseChange::Deadlock { state, world: vec![state] });
        }
        if owner.examines_ends() {
            self.examine(owner, state, true);
        }
        if self.report_final {
            let dstate = crate::DStateId(state.0);
            let members = vec![vec![state]];
            let stalled = vec![if end.is_none() { vec![state] } else { Vec::new() }];
            self.changes.push(UniverseChange::Final { dstate, members, stalled });
        }
        self.remove(state, RemovalReason::Over);
    }

    /// The reason why the world of a state ends instead of going on at this stamp; none if it goes on, or
    /// would not in any case.
    fn end_before(&self, state: StateId, wake: Stamp) -> Option<TimedEnd> {
        let UniverseOptions { grace, horizon, .. } = self.options;
        if wake == Stamp::NEVER {
            return None;
        }
        let record = self.states.get(state.0).expect("the state exists");
        let idles = |grace| {
            let end = record.idleness.grace_ends(wake, grace);
            record.pending.is_none() && end.is_some_and(|end| wake.time > end)
        };
        if grace.is_some_and(idles) {
            return Some(TimedEnd::Idle);
        }
        let is_past = |horizon| wake.time > horizon;
        horizon.is_some_and(is_past).then_some(TimedEnd::Horizon)
    }

    pub(crate) fn ended<O: StateOwner<Message = M>>(&mut self, owner: &mut O, state: StateId) {
        if self.states.get(state.0).is_some_and(|record| record.notable) {
            self.examine(owner, state, false);
        }
        self.remove(state, RemovalReason::Ended);
    }

    pub(crate) fn contains(&self, state: StateId) -> bool {
        self.states.get(state.0).is_some()
    }

    /// The states, in a fixed order.
    pub(crate) fn states(&self) -> &[StateId] {
        &self.order
    }

    /// Half of the states, as a universe of their own. Every other block of consecutive numbers is given
    /// away: old and new states are shared out, and those that are near to each other, in tables and in
    /// memory, stay together. States of the sorted list `stay` are kept.
    pub(crate) fn split_off(&mut self, stay: &[StateId]) -> Option<SingleNodeUniverse<M>> {
        let may_go = |state: &StateId| stay.binary_search(state).is_err();
        self.order.sort_unstable_by_key(|state| (may_go(state), *state));
        let kept = self.order.partition_point(|state| !may_go(state));
        let given = self.order.split_off(kept);
        for (position, state) in self.order.iter().enumerate() {
            let record = self.states.get_mut(state.0).expect("states in order exist");
            record.position = position as u32;
        }
        if given.len() < 2 {
            for state in given {
                let record = self.states.get_mut(state.0).expect("states in order exist");
                record.position = self.order.len() as u32;
                self.order.push(state);
            }
            return None;
        }
        let mut other = SingleNodeUniverse::new(self.options);
        other.report_final = self.report_final;
        let block = (given.len() / BLOCKS_LEAST).clamp(1, BLOCK_MOST);
        for (number, state) in given.into_iter().enumerate() {
            if number / block % 2 == 1 {
                let mut record = self.states.remove(state.0).expect("states in order exist");
                record.position = other.order.len() as u32;
                other.order.push(state);
                other.states.insert(state.0, record);
            } else {
                let record = self.states.get_mut(state.0).expect("states in order exist");
                record.position = self.order.len() as u32;
                self.order.push(state);
            }
        }
        other.counts.dstates = other.order.len() as u64;
        other.counts.dstates_peak = other.counts.dstates;
        self.counts.dstates -= other.counts.dstates;
        self.counts.dstates_peak = self.counts.dstates;
        let (mine, theirs): (Vec<_>, Vec<_>) =
            self.changes.drain(..).partition(|change| !other.concerns(change));
        self.changes = mine;
        other.changes = theirs;
        Some(other)
    }

    /// Takes in the states of another universe, which are none of this one's, and its counts.
    pub(crate) fn absorb(&mut self, mut other: SingleNodeUniverse<M>) {
        for state in std::mem::take(&mut other.order) {
            let mut record = other.states.remove(state.0).expect("states in order exist");
            record.position = u32::try_from(self.order.len()).expect("states are fewer than 2^32");
            let old = self.states.insert(state.0, record);
            assert!(old.is_none(), "{state} exists already");
            self.order.push(state);
        }
        self.changes.append(&mut other.changes);
        let peak = self.counts.dstates_peak.max(other.counts.dstates_peak);
        self.counts = self.counts.with(other.counts);
        self.counts.dstates_peak = peak.max(self.counts.dstates);
    }

    fn concerns(&self, change: &UniverseChange<M>) -> bool {
        matches!(change, UniverseChange::Run { state, .. } if self.states.get(state.0).is_some())
    }

    pub(crate) fn pick(&mut self, rng: &mut Rng) -> Option<StateId> {
        if self.order.is_empty() {
            return None;
        }
        Some(self.order[rng.below(self.order.len() as u64) as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_split_off_comes_back() {
        let mut universe: SingleNodeUniverse<u8> = SingleNodeUniverse::new(Default::default());
        universe.begin(&[(NodeId(0), StateId(0), Stamp { time: 0, round: 0 })]);
        (1..40).for_each(|child| universe.branched(StateId(child / 2), StateId(child)));
        let stays = [StateId(1), StateId(3), StateId(9)];
        let mut other = universe.split_off(&stays).expect("there are several states");
        assert!(stays.iter().all(|state| universe.contains(*state)));
        other.remove(other.states()[0], RemovalReason::Ended);
        other.changes.clear();
        other.counts.final_worlds += 1;
        let (kept, given) = (universe.states().len(), other.states().len());
        universe.absorb(other);
        assert_eq!(universe.states().len(), kept + given);
        assert!((0..universe.states().len()).all(|at| {
            let state = universe.states()[at];
            universe.states.get(state.0).is_some_and(|record| record.position as usize == at)
        }));
        let UniverseCounts { dstates, dstates_peak, final_worlds, .. } = universe.counts;
        assert_eq!((dstates, dstates_peak, final_worlds), (39, 39, 1));
    }
}
