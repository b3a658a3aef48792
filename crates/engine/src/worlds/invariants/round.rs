//! What a set of worlds shows to invariants: [`Showing`], [`Trigger`], [`Alternative`].
//!
//! An invariant is evaluated for each new exposure of a round. Within a round nodes do not see each
//! other, so any interleaving of what they expose could have happened; the one that is looked at
//! goes by node: at an exposure of node n, the nodes before n have exposed all that they expose in
//! this round, and those behind it nothing. An invariant sees only what was exposed, so states of a
//! node that have exposed the same are one [`Alternative`] to it.

use std::cell::OnceCell;
use std::sync::Arc;

use everett_posix::Guest;
use everett_world::{Combinations, NodeId, Stamp, StateId};

use crate::state::exposure::{Exposure, Exposures, LogId};
use crate::state::node_state::St;
use crate::worlds::state_table::StateTable;

/// States of a node that have exposed the same.
pub(crate) struct Alternative {
    pub(crate) log: LogId,
    pub(crate) alive: bool,
    /// When something last happened on the node; only told at the end of worlds.
    pub(crate) time: u64,
    pub(crate) states: Vec<StateId>,
    /// What one of them has exposed, this round included, and how much of that is shown.
    all: Exposures,
    count: usize,
    /// What is shown, once it is asked for.
    shown: OnceCell<Vec<Arc<Exposure>>>,
}

impl Alternative {
    fn new(
        (log, alive, time): (LogId, bool, u64),
        first: StateId,
        all: &Exposures,
        count: usize,
    ) -> Self {
        let (states, all, shown) = (vec![first], all.clone(), OnceCell::new());
        Alternative { log, alive, time, states, all, count, shown }
    }

    /// What they have exposed, oldest first.
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
pub(crate) enum Trigger<'s> {
    /// A node has exposed something, the last of the alternative's exposures.
    Exposed(NodeId, &'s Alternative),
    /// Nothing will happen any more.
    End,
}

impl Trigger<'_> {
    /// What was exposed, and by which node.
    pub(crate) fn exposed(self) -> Option<(NodeId, Arc<Exposure>)> {
        match self {
            Trigger::Exposed(node, shown) => Some((node, Arc::clone(shown.exposures().last()?))),
            Trigger::End => None,
        }
    }
}

/// The states of a set of worlds as invariants see them.
pub(crate) struct Showing {
    choices: Vec<Vec<StateId>>,
    at: Stamp,
    over: bool,
    triggers: Vec<(NodeId, Alternative)>,
    /// By node, with what was exposed in this round.
    after: Vec<Vec<Alternative>>,
    /// By node, without.
    before: Vec<Vec<Alternative>>,
}

impl Showing {
    pub(crate) fn new(states: &StateTable, combinations: &Combinations) -> Showing {
        let choices = combinations.choices().to_vec();
        let (at, over) = (combinations.at(), combinations.are_over());
        let mut showing = Showing {
            choices: Vec::new(),
            at,
            over,
            triggers: Vec::new(),
            after: Vec::with_capacity(choices.len()),
            before: Vec::with_capacity(choices.len()),
        };
        for (node, ids) in choices.iter().enumerate() {
            let of_node: Vec<(StateId, &St)> = ids
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
    pub(crate) fn triggers(&self) -> impl Iterator<Item = Trigger<'_>> {
        let exposed = self.triggers.iter().map(|(node, shown)| Trigger::Exposed(*node, shown));
        exposed.chain(self.over.then_some(Trigger::End))
    }

    fn find_triggers(&mut self, node: NodeId, states: &[(StateId, &St)]) {
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
                let shown = Alternative::new((exposure.log, true, 0), *id, all, count);
                self.triggers.push((node, shown));
            }
        }
    }

    /// What a node may have exposed at the time of a trigger.
    pub(crate) fn alternatives<'t>(
        &'t self,
        trigger: Trigger<'t>,
        node: usize,
    ) -> &'t [Alternative] {
        match trigger {
            Trigger::Exposed(exposing, shown) if exposing.index() == node => {
                std::slice::from_ref(shown)
            }
            Trigger::Exposed(exposing, _) if exposing.index() < node => &self.before[node],
            Trigger::Exposed(..) | Trigger::End => &self.after[node],
        }
    }

    fn group(&self, states: &[(StateId, &St)], after: bool) -> Vec<Alternative> {
        let mut groups: Vec<Alternative> = Vec::new();
        for (id, st) in states {
            let activated = st.extra.activated();
            let shown = |exposure: &&Exposure| after || exposure.at < self.at;
            let all = &st.extra.links().exposures;
            let newest = all.iter().find(shown);
            let log = newest.map_or(LogId::default(), |newest| newest.log);
            let exited = st.extra.node().has_exited() || st.extra.has_ended;
            // What ended in this round was alive before.
            let alive = !exited || !after && activated == self.at;
            let time = if self.over { activated.time } else { 0 };
            let identity = (log, alive, time);
            match groups.iter_mut().find(|group| group.identity() == identity) {
                Some(group) => group.states.push(*id),
                None => {
                    let count = newest.map_or(0, |newest| newest.number as usize + 1);
                    groups.push(Alternative::new(identity, *id, all, count));
                }
            }
        }
        groups
    }
}
