//! Combinations of states that the embedder wants to look at: [`StateCombinations`].
//!
//! At the end of a round in which something notable happened, and when worlds are over, the
//! embedder sees the states of a dstate by node. Most of what it wants to know needs few of the
//! nodes, so it gets no list of worlds, but may ask for one that satisfies what it is after.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::joint::{self, StateChoices};
use crate::{NodeId, Stamp, StateId, StateOwner};

/// The states of a dstate, by node, at the end of a round or for good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateCombinations {
    choices: StateChoices,
    /// The symbols of each node's states.
    symbols: Vec<Arc<[u32]>>,
    /// The names that the owner has given to the states of each node.
    names: SmallVec<[Option<StateSetName>; 8]>,
    at: Stamp,
    over: bool,
    /// The nodes that symbols tie together, once they are asked for.
    components: Option<Vec<Vec<usize>>>,
    /// The symbols that several nodes have, once they are asked for.
    shared: Option<Vec<u32>>,
    pub(crate) checks: u64,
}

/// A name that an owner gives to the states of a node, so that it recognises them: the same states are mostly
/// looked at in many combinations. It is kept for as long as nothing about them changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateSetName {
    /// The round, and what else the name depends on besides the states.
    pub of: (Stamp, bool),
    /// The name.
    pub name: u64,
}

/// The answer of an owner that has looked at combinations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExaminationResult {
    /// Worlds, by node, that something is to be noted about: comes back as
    /// [`crate::UniverseChange::Noted`], while the states are still there.
    pub noted: Vec<(Vec<StateId>, u32)>,
    /// Combinations that are to end, each given by some states of each node.
    pub ended: Vec<Vec<Vec<StateId>>>,
}

impl StateCombinations {
    pub(crate) fn new(
        choices: StateChoices,
        symbols: Vec<Arc<[u32]>>,
        names: SmallVec<[Option<StateSetName>; 8]>,
        (at, over): (Stamp, bool),
    ) -> Self {
        let (components, shared) = (None, None);
        StateCombinations { choices, symbols, names, at, over, components, shared, checks: 0 }
    }

    /// The name of the states of a node, if nothing has changed about them since [`Self::set_name`].
    pub fn name(&self, node: NodeId) -> Option<StateSetName> {
        self.names[node.index()]
    }

    /// Gives the states of a node a name.
    pub fn set_name(&mut self, node: NodeId, name: StateSetName) {
        self.names[node.index()] = Some(name);
    }

    pub(crate) fn names(&self) -> &[Option<StateSetName>] {
        &self.names
    }

    /// The states of each node; not every combination of them is jointly satisfiable.
    pub fn choices(&self) -> &[Vec<StateId>] {
        &self.choices
    }

    /// The states of a node.
    pub fn states(&self, node: NodeId) -> &[StateId] {
        &self.choices[node.index()]
    }

    /// The symbols of a node's states.
    pub fn symbols(&self, node: NodeId) -> &[u32] {
        &self.symbols[node.index()]
    }

    /// The symbols that states of several nodes have, sorted.
    pub fn shared_symbols(&mut self) -> &[u32] {
        self.shared.get_or_insert_with(|| {
            let mut all: SmallVec<[u32; 32]> =
                self.symbols.iter().flat_map(|symbols| symbols.iter().copied()).collect();
            all.sort_unstable();
            let mut shared: Vec<u32> =
                all.array_windows().filter(|[a, b]| a == b).map(|[a, _]| *a).collect();
            shared.dedup();
            shared
        })
    }

    /// The round that is over.
    pub fn at(&self) -> Stamp {
        self.at
    }

    /// Returns true if nothing will happen in these worlds any more.
    pub fn are_over(&self) -> bool {
        self.over
    }

    /// Returns true if these states, by node, are jointly satisfiable. The owner's [`StateOwner::jointly`]
    /// may stand for a further condition of its own.
    pub fn is_world<O: StateOwner>(&mut self, owner: &mut O, world: &[StateId]) -> bool {
        self.checks += 1;
        owner.jointly(world)
    }

    /// A jointly satisfiable world, by node, out of these states. While it is searched, the owner's
    /// [`StateOwner::jointly`] may stand for a further condition of its own, over these symbols; it is
    /// then asked about each combination of the states that the symbols tie together, about none
    /// of them to begin with.
    pub fn find<O: StateOwner>(
        &mut self,
        owner: &mut O,
        choices: &[impl AsRef<[StateId]>],
        condition: &[u32],
    ) -> Option<Vec<StateId>> {
        let symbols = self.symbols.iter().map(|symbols| &**symbols);
        if condition.is_empty() {
            let components = self.components.get_or_insert_with(|| joint::components(symbols));
            return joint::first(owner, choices, components, &mut self.checks);
        }
        joint::find(owner, choices, symbols, condition, &mut self.checks)
    }
}
