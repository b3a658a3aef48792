//! What a set of worlds shows to invariants: [`Showing`], [`Trigger`], [`Alternative`].
//!
//! An invariant is evaluated for each new exposure of a round. Within a round nodes do not see each
//! other, so any interleaving of what they expose could have happened; the one that is looked at
//! goes by node: at an exposure of node n, the nodes before n have exposed all that they expose in
//! this round, and those behind it nothing. An invariant sees only what was exposed, so states of a
//! node that have exposed the same are one [`Alternative`] to it.

use std::cell::OnceCell;

use everett_base::hash::Map;
use everett_posix::Guest;
use everett_world::{Combinations, NodeId, Stamp, StateId};

use super::exposure::{Exposure, LogId};
use crate::primitives::St;

/// States of a node that have exposed the same.
pub(crate) struct Alternative {
    pub(crate) log: LogId,
    pub(crate) alive: bool,
    /// When something last happened on the node; only told at the end of worlds.
    pub(crate) time: u64,
    /// What they have exposed, oldest first.
    pub(crate) exposures: Vec<Exposure>,
    pub(crate) states: Vec<StateId>,
}

impl Alternative {
    /// All by which evaluations can tell it from others.
    pub(crate) fn identity(&self) -> (LogId, bool, u64) {
        (self.log, self.alive, self.time)
    }
}

/// Why invariants are evaluated.
pub(crate) enum Trigger {
    /// A node has exposed something, the last of the alternative's exposures.
    Exposed(NodeId, Alternative),
    /// Nothing will happen any more.
    End,
}

/// The states of a set of worlds as invariants see them.
pub(crate) struct Showing<'c> {
    states: &'c Map<StateId, Box<St>>,
    choices: Vec<Vec<StateId>>,
    at: Stamp,
    over: bool,
    /// By node, with what was exposed in this round.
    after: Vec<OnceCell<Vec<Alternative>>>,
    /// By node, without.
    before: Vec<OnceCell<Vec<Alternative>>>,
}

impl<'c> Showing<'c> {
    pub(crate) fn new(
        states: &'c Map<StateId, Box<St>>,
        combinations: &Combinations,
    ) -> Showing<'c> {
        let choices = combinations.choices().to_vec();
        let cells = || choices.iter().map(|_| OnceCell::new()).collect();
        let (after, before) = (cells(), cells());
        let (at, over) = (combinations.at(), combinations.are_over());
        Showing { states, choices, at, over, after, before }
    }

    fn state(&self, id: StateId) -> &'c St {
        self.states.get(&id).expect("a state in a world is there")
    }

    /// The round that is over.
    pub(crate) fn at(&self) -> Stamp {
        self.at
    }

    /// All states, by node.
    pub(crate) fn choices(&self) -> &[Vec<StateId>] {
        &self.choices
    }

    /// The reasons to evaluate, in a fixed order.
    pub(crate) fn triggers(&self) -> Vec<Trigger> {
        if self.over {
            return vec![Trigger::End];
        }
        let mut triggers = Vec::new();
        for (node, states) in self.choices.iter().enumerate() {
            let first = triggers.len();
            for &id in states {
                let all = &self.state(id).extra.links().exposures;
                let new: Vec<&Exposure> = all.iter().take_while(|new| new.at == self.at).collect();
                for exposure in new.into_iter().rev() {
                    let known = triggers[first..].iter_mut().find_map(|trigger| match trigger {
                        Trigger::Exposed(_, known) if known.log == exposure.log => Some(known),
                        _ => None,
                    });
                    if let Some(known) = known {
                        known.states.push(id);
                        continue;
                    }
                    let mut exposures = all.oldest_first();
                    exposures.truncate(exposure.number as usize + 1);
                    let (log, states) = (exposure.log, vec![id]);
                    let alternative = Alternative { log, alive: true, time: 0, exposures, states };
                    triggers.push(Trigger::Exposed(NodeId::from_index(node), alternative));
                }
            }
        }
        triggers
    }

    /// What a node may have exposed at the time of a trigger.
    pub(crate) fn alternatives<'t>(
        &'t self,
        trigger: &'t Trigger,
        node: usize,
    ) -> &'t [Alternative] {
        match trigger {
            Trigger::Exposed(exposing, alternative) if exposing.index() == node => {
                std::slice::from_ref(alternative)
            }
            Trigger::Exposed(exposing, _) if exposing.index() < node => {
                self.before[node].get_or_init(|| self.group(node, false))
            }
            Trigger::Exposed(..) | Trigger::End => {
                self.after[node].get_or_init(|| self.group(node, true))
            }
        }
    }

    fn group(&self, node: usize, after: bool) -> Vec<Alternative> {
        let mut groups: Vec<Alternative> = Vec::new();
        for &id in &self.choices[node] {
            let st = self.state(id);
            let (activated, _) = st.extra.activated;
            let shown = |exposure: &&Exposure| after || exposure.at < self.at;
            let all = &st.extra.links().exposures;
            let log = all.iter().find(shown).map_or(LogId::default(), |newest| newest.log);
            let exited = st.extra.node().exit_code().is_some() || st.extra.outcome.is_some();
            // What ended in this round was alive before.
            let alive = !exited || !after && activated == self.at;
            let time = if self.over { activated.time } else { 0 };
            match groups.iter_mut().find(|group| group.identity() == (log, alive, time)) {
                Some(group) => group.states.push(id),
                None => {
                    let mut exposures = all.oldest_first();
                    exposures.retain(|exposure| shown(&exposure));
                    groups.push(Alternative { log, alive, time, exposures, states: vec![id] });
                }
            }
        }
        groups
    }
}
