//! Showing a dstate to the embedder, and ending what it wants to end.

use std::hash::Hash;

use everett_base::Set;
use smallvec::SmallVec;

use super::MultiNodeUniverse;
use super::table::SetMember;
use crate::joint::StateChoices;
use crate::mapping::{DStatePart, Mapping, with_mapping};
use crate::{
    DStateId, ExaminationResult, NodeId, RemovalReason, Stamp, StateCombinations, StateId,
    StateOwner, UniverseChange,
};

impl<M: Clone + Eq + Hash> MultiNodeUniverse<M> {
    /// Shows a dstate whose round is over to the owner. If parts of it are to end, it is replaced by the
    /// dstates that are left, which are returned.
    pub(crate) fn examine<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        dstate: DStateId,
    ) -> Option<Vec<DStateId>> {
        let at = self.dstates[dstate.index()].front;
        let choices = self.choices(dstate);
        let ended = self.show(owner, dstate, choices, at, false);
        if ended.is_empty() {
            return None;
        }
        let mut rest = vec![self.choices(dstate)];
        for unwanted in &ended {
            // A state that is in no other world has had this one.
            for slot in unwanted.iter().flatten().filter_map(|state| self.slots.get(state)) {
                let state = &mut self.states[slot.index()];
                state.why = state.why.max(RemovalReason::WorldEnded);
            }
            let unwanted = sets_of(unwanted);
            rest = rest.into_iter().flat_map(|choices| without(choices, &unwanted)).collect();
        }
        Some(self.keep(owner, dstate, &rest).into_vec())
    }

    /// Shows worlds of a dstate that are over to the owner; if `only` is given, those with these states.
    pub(crate) fn examine_end<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        dstate: DStateId,
        only: Option<(NodeId, &[StateId])>,
    ) {
        let mut choices = self.choices(dstate);
        if let Some((node, states)) = only {
            choices[node.index()] = states.to_vec();
        }
        self.show(owner, dstate, choices, Stamp::NEVER, true);
    }

    fn show<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        dstate: DStateId,
        choices: StateChoices,
        at: Stamp,
        over: bool,
    ) -> Vec<StateChoices> {
        self.find_symbols(owner, dstate);
        let sets = self.dstates[dstate.index()].sets.iter().map(|&set| &self.sets[set]);
        let symbols = sets.clone().map(|set| set.symbols.clone().unwrap_or_default()).collect();
        // At the end, some of the states may be missing.
        let names = sets.map(|set| set.name.filter(|_| !over)).collect();
        let mut combinations = StateCombinations::new(choices, symbols, names, (at, over));
        let ExaminationResult { noted, ended } = owner.examine(&mut combinations);
        if !over {
            for (index, &name) in combinations.names().iter().enumerate() {
                let set = self.dstates[dstate.index()].sets[index];
                self.sets[set].name = name;
            }
        }
        self.counts.joint_checks += combinations.checks;
        let noted = noted.into_iter().map(|(world, note)| UniverseChange::Noted { world, note });
        self.changes.extend(noted);
        ended
    }

    /// Makes a dstate into dstates for these choices, which have no combination in common.
    pub(super) fn keep<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        dstate: DStateId,
        choices: &[StateChoices],
    ) -> SmallVec<[DStateId; 1]> {
        if choices.is_empty() {
            self.remove_dstate(dstate, RemovalReason::WorldEnded);
            return SmallVec::new();
        }
        let mut parts: SmallVec<[DStatePart; 1]> = SmallVec::new();
        for choices in choices {
            let mut part = DStatePart { changed: SmallVec::new() };
            for (index, kept) in choices.iter().enumerate() {
                let old = self.dstates[dstate.index()].sets[index];
                let members = &self.sets[old].members;
                if kept.len() == members.len() {
                    continue;
                }
                let kept: Set<StateId> = kept.iter().copied().collect();
                let is_kept =
                    |member: &&SetMember<M>| kept.contains(&self.states[member.state.index()].id);
                let members = members.iter().filter(is_kept).cloned().collect();
                let node = NodeId::from_index(index);
                part.changed.push((node, self.set_of(node, members)));
            }
            parts.push(part);
        }
        if parts.len() > 1 {
            with_mapping!(self.options.mapping, mapping => {
                mapping.apart(self, owner, dstate, &mut parts);
            });
        }
        // What is left of the dstate is where the dstate was: at the end of its round.
        let front = self.dstates[dstate.index()].front;
        let kept = self.replace_by(dstate, &parts);
        kept.iter().for_each(|kept| self.dstates[kept.index()].front = front);
        kept
    }
}

/// The states of each node as a set: a dstate may have thousands, and each is looked up.
pub(super) fn sets_of(choices: &[Vec<StateId>]) -> Vec<Set<StateId>> {
    choices.iter().map(|states| states.iter().copied().collect()).collect()
}

/// Takes combinations away from others. The rest is split by the first node whose state is not an unwanted
/// one: up to that node each part has only unwanted states, after it all. So no two parts have a combination
/// in common.
pub(super) fn without(mut choices: StateChoices, unwanted: &[Set<StateId>]) -> Vec<StateChoices> {
    let meets = |(states, unwanted): (&Vec<StateId>, &Set<StateId>)| {
        states.iter().any(|state| unwanted.contains(state))
    };
    if !choices.iter().zip(unwanted).all(meets) {
        return vec![choices];
    }
    let mut rest = Vec::new();
    for (node, unwanted) in unwanted.iter().enumerate() {
        let states = std::mem::take(&mut choices[node]);
        let (inside, outside): (Vec<_>, Vec<_>) =
            states.into_iter().partition(|state| unwanted.contains(state));
        if !outside.is_empty() {
            let mut part = choices.clone();
            part[node] = outside;
            rest.push(part);
        }
        choices[node] = inside;
    }
    rest
}
