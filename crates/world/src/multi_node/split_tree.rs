//! The tree of the splits of dstates.
//!
//! A leaf of the [`SplitTree`] is a dstate, an inner node a split. A path goes from the root to a leaf by
//! choosing among the children, so a dstate that was split often weighs no more than one that never
//! was.

use everett_base::Rng;

use crate::DStateId;

/// The number of no row: the root has no parent, and a dstate that is no more has no leaf.
const NONE: u32 = u32::MAX;

/// The tree of splits.
pub(crate) struct SplitTree {
    rows: Vec<SplitTreeRow>,
    free: Vec<u32>,
    /// The leaf of each dstate.
    leaves: Vec<u32>,
    /// The node whose turn it is.
    pub(super) turn: u32,
}

everett_base::portable!(struct SplitTree { rows, free, leaves, turn });

struct SplitTreeRow {
    parent: u32,
    content: SplitTreeContent,
}

everett_base::portable!(struct SplitTreeRow { parent, content });

enum SplitTreeContent {
    Leaf(DStateId),
    Inner(Vec<u32>),
}

everett_base::portable!(enum SplitTreeContent { 0 = Leaf(value), 1 = Inner(value) });

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
    pub(super) fn random(&self, rng: &mut Rng) -> Option<DStateId> {
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
