//! Calls from outside: the beginning of a universe, and the branches, waits and ends of its states.
//!
//! Each of them settles the universe: it ends with both queues empty.

use std::hash::Hash;

use super::MultiNodeUniverse;
use super::pending::HashedList;
use super::table::{SetMember, StatePhase, StateRow};
use crate::mapping::{Mapping, with_mapping};
use crate::{NextWake, NodeId, RemovalReason, SentMessage, Stamp, StateId, StateOwner};

impl<M: Clone + Eq + Hash> MultiNodeUniverse<M> {
    pub(crate) fn begin<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        first: &[(NodeId, StateId, Stamp)],
    ) {
        let mut members: Vec<Vec<SetMember<M>>> = (0..self.nodes).map(|_| Vec::new()).collect();
        for &(node, state, at) in first {
            let slot = self.add_state(StateRow::new(state, node, at));
            members[node.index()].push(SetMember { state: slot, pending: None });
        }
        assert!(members.iter().all(|states| !states.is_empty()), "every node has a state");
        with_mapping!(self.options.mapping, mapping => {
            mapping.begin(self, owner, members);
        });
        self.settle(owner);
    }

    pub(crate) fn branched<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        parent: StateId,
        child: StateId,
    ) {
        let parent = self.slot(parent);
        assert_eq!(
            self.states[parent.index()].phase,
            StatePhase::Running,
            "only running states branch"
        );
        with_mapping!(self.options.mapping, mapping => mapping.branched(self, owner, parent, child));
        self.settle(owner);
    }

    pub(crate) fn notable(&mut self, state: StateId) {
        let slot = self.slot(state);
        self.states[slot.index()].notable = true;
    }

    pub(crate) fn blocked<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        state: StateId,
        next: NextWake,
        exited: bool,
        sent: Vec<SentMessage<M>>,
    ) {
        let slot = self.slot(state);
        let nodes = self.nodes;
        assert!(sent.iter().all(|sent| sent.to.0 < nodes), "messages go to nodes of the system");
        let record = &mut self.states[slot.index()];
        assert_eq!(record.phase, StatePhase::Running, "only running states block");
        record.phase = StatePhase::Blocked;
        record.exited = exited;
        record.own = next.stamp(record.at);
        record.stale = true;
        let has_sent = !sent.is_empty();
        if self.options.grace.is_some() {
            record.idleness.blocked(record.at, owner.rest(state, next), has_sent);
        }
        record.sent = has_sent.then(|| HashedList::new(sent));
        let stalled = record.own == Stamp::NEVER;
        let notable = std::mem::take(&mut record.notable);
        for i in 0..self.states[slot.index()].sets.len() {
            let set = self.states[slot.index()].sets[i];
            let set_record = &mut self.sets[set];
            set_record.sent |= has_sent;
            set_record.newly_stalled |= stalled;
            set_record.notable |= notable;
            self.done_in(set);
        }
        self.checks.push_back(slot);
        self.settle(owner);
    }

    pub(crate) fn ended<O: StateOwner<Message = M>>(&mut self, owner: &mut O, state: StateId) {
        let slot = self.slot(state);
        let record = &mut self.states[slot.index()];
        assert_eq!(record.phase, StatePhase::Running, "only running states end");
        record.phase = StatePhase::Ended;
        record.sent = None;
        let notable = std::mem::take(&mut record.notable);
        for i in 0..self.states[slot.index()].sets.len() {
            let set = self.states[slot.index()].sets[i];
            self.sets[set].ended = true;
            self.sets[set].notable |= notable;
            self.done_in(set);
        }
        self.settle(owner);
    }

    pub(crate) fn killed<O: StateOwner<Message = M>>(&mut self, owner: &mut O, state: StateId) {
        let slot = self.slot(state);
        self.states[slot.index()].why = RemovalReason::Ended;
        for set in std::mem::take(&mut self.states[slot.index()].sets) {
            self.sets.forget(set);
            let record = &mut self.sets[set];
            let position = record.position(slot).expect("a state is in its sets");
            record.members.remove(position);
            if record.members.is_empty() {
                for dstate in self.live_dstates(set) {
                    self.remove_dstate(dstate, RemovalReason::WorldEnded);
                }
            } else {
                self.refront_set(set);
            }
        }
        self.gone(slot);
        self.settle(owner);
    }
}
