//! Showing a dstate to the embedder, and ending what it wants to end.

use std::hash::Hash;

use smallvec::SmallVec;

use super::Many;
use super::table::Member;
use crate::mapping::{Mapping, Part, with_mapping};
use crate::{Change, Combinations, DStateId, Examined, Gone, NodeId, Stamp, StateId, StateOwner};

/// Some states of each node.
pub(super) type Choices = Vec<Vec<StateId>>;

impl<M: Clone + Eq + Hash> Many<M> {
    /// Shows a dstate whose round is over. What is left of it, as dstates, if parts of it are to end.
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
            rest = rest.into_iter().flat_map(|choices| without(choices, unwanted)).collect();
        }
        Some(self.keep(owner, dstate, &rest).into_vec())
    }

    /// Shows worlds of a dstate that are over, if `only` is given those with these states.
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
        choices: Choices,
        at: Stamp,
        over: bool,
    ) -> Vec<Choices> {
        self.find_symbols(owner, dstate);
        let sets = self.dstates[dstate.index()].sets.iter().map(|&set| &self.sets[set]);
        let symbols = sets.clone().map(|set| set.symbols.clone().unwrap_or_default()).collect();
        // At the end, some of the states may be missing.
        let names = sets.map(|set| set.name.filter(|_| !over)).collect();
        let mut combinations = Combinations::new(choices, symbols, names, (at, over));
        let Examined { noted, ended } = owner.examine(&mut combinations);
        if !over {
            for (index, &name) in combinations.names().iter().enumerate() {
                let set = self.dstates[dstate.index()].sets[index];
                self.sets[set].name = name;
            }
        }
        self.counts.joint_checks += combinations.checks;
        let noted = noted.into_iter().map(|(world, note)| Change::Noted { world, note });
        self.changes.extend(noted);
        ended
    }

    /// Makes a dstate into dstates for these choices, which have no combination in common.
    pub(super) fn keep<O: StateOwner<Message = M>>(
        &mut self,
        owner: &mut O,
        dstate: DStateId,
        choices: &[Choices],
    ) -> SmallVec<[DStateId; 1]> {
        if choices.is_empty() {
            self.remove_dstate(dstate, Gone::WorldEnded);
            return SmallVec::new();
        }
        let mut parts: SmallVec<[Part; 1]> = SmallVec::new();
        for choices in choices {
            let mut part = Part { changed: SmallVec::new() };
            for (index, kept) in choices.iter().enumerate() {
                let old = self.dstates[dstate.index()].sets[index];
                let members = &self.sets[old].members;
                if kept.len() == members.len() {
                    continue;
                }
                let is_kept =
                    |member: &&Member<M>| kept.contains(&self.states[member.state.index()].id);
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

/// Takes combinations away from others: what is left are choices that differ from them in a first
/// node, each with the unwanted states only for the nodes before it.
pub(super) fn without(mut choices: Choices, unwanted: &Choices) -> Vec<Choices> {
    let meets = |(states, unwanted): (&Vec<StateId>, &Vec<StateId>)| {
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
