//! Picking a state to run by a random path through the tree of splits.
//!
//! A leaf of the [`SplitTree`] is a dstate, an inner node a split. A path goes from the root to a leaf by
//! choosing among the children, so a dstate that was split often weighs no more than one that never
//! was. From the leaf it goes to a state that can run: if those of the dstate are held back, to the
//! dstate that holds them back, whose front is earlier.

use std::hash::Hash;

use everett_base::Rng;

use super::MultiNodeUniverse;
use super::table::{StatePhase, StateSetId};
use crate::{DStateId, StateId};

/// The number of no row: the root has no parent, and a dstate that is no more has no leaf.
const NONE: u32 = u32::MAX;

/// The tree of splits.
pub(crate) struct SplitTree {
    rows: Vec<SplitTreeRow>,
    free: Vec<u32>,
    /// The leaf of each dstate.
    leaves: Vec<u32>,
    /// The node whose turn it is.
    turn: u32,
}

struct SplitTreeRow {
    parent: u32,
    content: SplitTreeContent,
}

enum SplitTreeContent {
    Leaf(DStateId),
    Inner(Vec<u32>),
}

impl SplitTree {
    pub(crate) fn new() -> SplitTree {
        let root = SplitTreeRow { parent: NONE, content: SplitTreeContent::Inner(Vec::new()) };
        SplitTree { rows: vec![root], free: Vec::new(), leaves: Vec::new(), turn: 0 }
    }

    fn row(&mut self, row: SplitTreeRow) -> u32 {
        match self.free.pop() {
            Some(free) => {
                self.rows[free as usize] = row;
                free
            }
            None => {
                self.rows.push(row);
                u32::try_from(self.rows.len() - 1).expect("splits are fewer than 2^32")
            }
        }
    }

    fn set_leaf(&mut self, dstate: DStateId, leaf: u32) {
        if self.leaves.len() <= dstate.index() {
            self.leaves.resize(dstate.index() + 1, NONE);
        }
        self.leaves[dstate.index()] = leaf;
    }

    fn add_leaf(&mut self, parent: u32, dstate: DStateId) -> u32 {
        let leaf = self.row(SplitTreeRow { parent, content: SplitTreeContent::Leaf(dstate) });
        self.set_leaf(dstate, leaf);
        leaf
    }

    /// Adds a dstate below the root.
    pub(crate) fn plant(&mut self, dstate: DStateId) {
        let leaf = self.add_leaf(0, dstate);
        if let SplitTreeContent::Inner(children) = &mut self.rows[0].content {
            children.push(leaf);
        }
    }

    /// Adds so many dstates to a tree without any, each as near to the root as others.
    pub(crate) fn plant_all(&mut self, dstates: usize) {
        let top = self.subtree(0, 0, dstates);
        self.rows[0].content = SplitTreeContent::Inner(vec![top]);
    }

    fn subtree(&mut self, parent: u32, first: usize, dstates: usize) -> u32 {
        if dstates == 1 {
            return self.add_leaf(parent, DStateId::from_index(first));
        }
        let row = self.row(SplitTreeRow { parent, content: SplitTreeContent::Inner(Vec::new()) });
        let half = dstates / 2;
        let sides = [(first, half), (first + half, dstates - half)];
        let sides = sides.map(|(first, dstates)| self.subtree(row, first, dstates));
        self.rows[row as usize].content = SplitTreeContent::Inner(sides.to_vec());
        row
    }

    /// A dstate was split into itself and others.
    pub(crate) fn grow(&mut self, dstate: DStateId, others: &[DStateId]) {
        let inner = self.leaves[dstate.index()];
        let mut children = vec![self.add_leaf(inner, dstate)];
        for &other in others {
            children.push(self.add_leaf(inner, other));
        }
        self.rows[inner as usize].content = SplitTreeContent::Inner(children);
    }

    /// A dstate is no more.
    pub(crate) fn remove(&mut self, dstate: DStateId) {
        let leaf = std::mem::replace(&mut self.leaves[dstate.index()], NONE);
        let parent = self.rows[leaf as usize].parent;
        self.free.push(leaf);
        let SplitTreeContent::Inner(children) = &mut self.rows[parent as usize].content else {
            return;
        };
        children.retain(|&child| child != leaf);
        if parent == 0 {
            return;
        }
        // A split with one side left is none.
        let &[only] = &children[..] else { return };
        let above = self.rows[parent as usize].parent;
        if let SplitTreeContent::Inner(children) = &mut self.rows[above as usize].content {
            let place = children.iter().position(|&child| child == parent);
            children[place.expect("a parent knows its children")] = only;
        }
        self.rows[only as usize].parent = above;
        self.free.push(parent);
    }

    /// All dstates, those that parted last side by side.
    pub(crate) fn dstates(&self) -> Vec<DStateId> {
        let mut dstates = Vec::new();
        let mut rows = vec![0];
        while let Some(row) = rows.pop() {
            match &self.rows[row as usize].content {
                SplitTreeContent::Leaf(dstate) => dstates.push(*dstate),
                SplitTreeContent::Inner(children) => rows.extend(children.iter().rev()),
            }
        }
        dstates
    }

    /// A dstate at the end of a random path.
    fn random(&self, rng: &mut Rng) -> Option<DStateId> {
        let mut row = 0;
        loop {
            match &self.rows[row as usize].content {
                SplitTreeContent::Leaf(dstate) => return Some(*dstate),
                SplitTreeContent::Inner(children) if children.is_empty() => return None,
                SplitTreeContent::Inner(children) => {
                    row = children[rng.below(children.len() as u64) as usize];
                }
            }
        }
    }
}

impl<M: Clone + Eq + Hash> MultiNodeUniverse<M> {
    /// Adds a first dstate to the tree.
    pub(crate) fn plant(&mut self, dstate: DStateId) {
        self.tree.plant(dstate);
    }

    /// A dstate was split into itself and others.
    pub(crate) fn grow(&mut self, dstate: DStateId, others: &[DStateId]) {
        if !others.is_empty() {
            self.tree.grow(dstate, others);
        }
    }

    /// A state that can run and may: a random path through the splits, then the nodes in turn, then one
    /// of the node's states.
    pub(crate) fn pick(&mut self, rng: &mut Rng, may: &dyn Fn(StateId) -> bool) -> Option<StateId> {
        let mut dstate = self.tree.random(rng)?;
        self.tree.turn = (self.tree.turn + 1) % self.nodes;
        loop {
            let front = self.dstates[dstate.index()].front;
            let mut held_by = None;
            for i in 0..self.nodes {
                let node = (self.tree.turn + i) % self.nodes;
                let set = self.dstates[dstate.index()].sets[node as usize];
                if self.sets[set].front != front {
                    continue;
                }
                if let Some(state) = self.pick_runner(set, rng, may) {
                    return Some(state);
                }
                let members = &self.sets[set].members;
                let mut due = (0..members.len()).filter(|&i| self.wake_in(set, i) == front);
                let watch = |i: usize| self.states[members[i].state.index()].watch;
                held_by = held_by.or(due.find_map(watch));
            }
            dstate = held_by?;
        }
    }

    /// One of the states of a set that run and may; each is as likely as another.
    fn pick_runner(
        &mut self,
        set: StateSetId,
        rng: &mut Rng,
        may: &dyn Fn(StateId) -> bool,
    ) -> Option<StateId> {
        let mut waiting = Vec::new();
        let record = &mut self.sets[set];
        let mut chosen = None;
        while chosen.is_none() && !record.runners.is_empty() {
            let at = rng.below(record.runners.len() as u64) as usize;
            let slot = record.runners[at];
            let state = &self.states[slot.index()];
            if state.phase != StatePhase::Running || !state.sets.contains(&set) {
                record.runners.swap_remove(at);
            } else if may(state.id) {
                chosen = Some(state.id);
            } else {
                waiting.push(record.runners.swap_remove(at));
            }
        }
        record.runners.append(&mut waiting);
        chosen
    }
}
