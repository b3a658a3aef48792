//! The view that invariants have of worlds: [`ShownWorlds`], [`EvaluationTrigger`], [`NodeAlternative`].
//!
//! An invariant is evaluated for each new exposure of a round. Within a round nodes do not see each
//! other, so any interleaving of what they expose could have happened; the one that is looked at
//! goes by node: at an exposure of node n, the nodes before n have exposed all that they expose in
//! this round, and those behind it nothing. An invariant sees only what was exposed, so states of a
//! node that have exposed the same are one [`NodeAlternative`] to it.

use std::cell::OnceCell;
use std::sync::Arc;

use everett_posix::Guest;
use everett_world::{NodeId, Stamp, StateCombinations, StateId};

use crate::state::exposure::{Exposure, Exposures, LogId};
use crate::state::node_state::PathState;
use crate::worlds::state_table::StateTable;

/// States of a node that have exposed the same.
pub(crate) struct NodeAlternative {
    pub(crate) log: LogId,
    pub(crate) alive: bool,
    /// When something last happened on the node; only told at the end of worlds.
    pub(crate) time: u64,
    pub(crate) states: Vec<StateId>,
    /// The exposures of one of them, this round included, and how many of them are shown.
    all: Exposures,
    count: usize,
    /// The exposures that are shown, once they are asked for.
    shown: OnceCell<Vec<Arc<Exposure>>>,
}

impl NodeAlternative {
    fn new(
        (log, alive, time): (LogId, bool, u64),
        first: StateId,
        all: &Exposures,
        count: usize,
    ) -> Self {
        let (states, all, shown) = (vec![first], all.clone(), OnceCell::new());
        NodeAlternative { log, alive, time, states, all, count, shown }
    }

    /// Their exposures, oldest first.
    pub(crate) fn exposures(&self) -> &[Arc<Exposure>] {
        self.shown.get_or_init(|| self.all.oldest(self.count))
    }

    /// All by which evaluations can tell it from others.
    pub(crate) fn identity(&self) -> (LogId, bool, u64) {
        (self.log, self.alive, self.time)
    }
}

/// Why invariants are evaluated.
#[derive(Clone, Copy)]
pub(crate) enum EvaluationTrigger<'s> {
    /// A node has exposed something, the last of the alternative's exposures.
    Exposed(NodeId, &'s NodeAlternative),
    /// Nothing will happen any more.
    End,
}

impl EvaluationTrigger<'_> {
    /// The exposure, and the node that it is of.
    pub(crate) fn exposed(self) -> Option<(NodeId, Arc<Exposure>)> {
        match self {
            EvaluationTrigger::Exposed(node, shown) => {
                Some((node, Arc::clone(shown.exposures().last()?)))
            }
            EvaluationTrigger::End => None,
        }
    }
}

/// The states of a set of worlds as invariants see them.
pub(crate) struct ShownWorlds {
    choices: Vec<Vec<StateId>>,
    at: Stamp,
    over: bool,
    triggers: Vec<(NodeId, NodeAlternative)>,
    /// By node, with what was exposed in this round.
    after: Vec<Vec<NodeAlternative>>,
    /// By node, without.
    before: Vec<Vec<NodeAlternative>>,
}

impl ShownWorlds {
    pub(crate) fn new(states: &StateTable, combinations: &StateCombinations) -> ShownWorlds {
        let choices = combinations.choices().to_vec();
        let (at, over) = (combinations.at(), combinations.are_over());
        let mut showing = ShownWorlds {
            choices: Vec::new(),
            at,
            over,
            triggers: Vec::new(),
            after: Vec::with_capacity(choices.len()),
            before: Vec::with_capacity(choices.len()),
        };
        for (node, ids) in choices.iter().enumerate() {
            let of_node: Vec<(StateId, &PathState)> = ids
                .iter()
                .map(|id| (*id, states.get(*id).expect("a state in a world is there")))
                .collect();
            if !over {
                showing.find_triggers(NodeId::from_index(node), &of_node);
            }
            showing.after.push(showing.group(&of_node, true));
            // Only nodes behind one that exposes something are seen as they were before.
            let before = showing.triggers.first().is_some_and(|(first, _)| first.index() < node);
            showing.before.push(if before { showing.group(&of_node, false) } else { Vec::new() });
        }
        showing.choices = choices;
        showing
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
    pub(crate) fn triggers(&self) -> impl Iterator<Item = EvaluationTrigger<'_>> {
        let exposed =
            self.triggers.iter().map(|(node, shown)| EvaluationTrigger::Exposed(*node, shown));
        exposed.chain(self.over.then_some(EvaluationTrigger::End))
    }

    fn find_triggers(&mut self, node: NodeId, states: &[(StateId, &PathState)]) {
        let first = self.triggers.len();
        for (id, st) in states {
            let all = &st.extra.links().exposures;
            let new: Vec<&Exposure> = all.iter().take_while(|new| new.at == self.at).collect();
            for exposure in new.into_iter().rev() {
                let known = &mut self.triggers[first..];
                if let Some((_, known)) = known.iter_mut().find(|(_, t)| t.log == exposure.log) {
                    known.states.push(*id);
                    continue;
                }
                let count = exposure.number as usize + 1;
                let shown = NodeAlternative::new((exposure.log, true, 0), *id, all, count);
                self.triggers.push((node, shown));
            }
        }
    }

    /// The alternatives of a node at the time of a trigger.
    pub(crate) fn alternatives<'t>(
        &'t self,
        trigger: EvaluationTrigger<'t>,
        node: usize,
    ) -> &'t [NodeAlternative] {
        match trigger {
            EvaluationTrigger::Exposed(exposing, shown) if exposing.index() == node => {
                std::slice::from_ref(shown)
            }
            EvaluationTrigger::Exposed(exposing, _) if exposing.index() < node => {
                &self.before[node]
            }
            EvaluationTrigger::Exposed(..) | EvaluationTrigger::End => &self.after[node],
        }
    }

    fn group(&self, states: &[(StateId, &PathState)], after: bool) -> Vec<NodeAlternative> {
        let mut groups: Vec<NodeAlternative> = Vec::new();
        for (id, st) in states {
            let activated = st.extra.activated();
            let shown = |exposure: &&Exposure| after || exposure.at < self.at;
            let all = &st.extra.links().exposures;
            let newest = all.iter().find(shown);
            let log = newest.map_or(LogId::default(), |newest| newest.log);
            let exited = st.extra.node().has_exited() || st.extra.mark.has_ended();
            // What ended in this round was alive before.
            let alive = !exited || !after && activated == self.at;
            let time = if self.over { activated.time } else { 0 };
            let identity = (log, alive, time);
            match groups.iter_mut().find(|group| group.identity() == identity) {
                Some(group) => group.states.push(*id),
                None => {
                    let count = newest.map_or(0, |newest| newest.number as usize + 1);
                    groups.push(NodeAlternative::new(identity, *id, all, count));
                }
            }
        }
        groups
    }
}
