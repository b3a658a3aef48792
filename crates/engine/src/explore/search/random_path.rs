//! A walk from the root of the tree of forks, with a fair coin at each fork.
//!
//! Favours states with few forks behind them, and so keeps a loop that forks on every turn from
//! taking over.

use everett_base::hash::Map;
use everett_base::rng::Rng;
use everett_world::StateId;

use super::{Searcher, StateDistances};

#[derive(Clone, Copy)]
enum PathNode {
    /// A live state.
    Leaf { state: StateId, parent: u32 },
    /// A fork, both of whose sides have live states.
    Fork { left: u32, right: u32, parent: u32 },
    /// Unused; the next unused one follows.
    Free { next: u32 },
}

everett_base::portable!(enum PathNode {
    0 = Leaf { state, parent }, 1 = Fork { left, right, parent }, 2 = Free { next },
});

const NONE: u32 = u32::MAX;

/// The tree of forks. Only forks with live states on both sides are kept.
pub(crate) struct RandomPath {
    rng: Rng,
    nodes: Vec<PathNode>,
    free: u32,
    root: u32,
    leaves: Map<StateId, u32>,
    /// Random bits not used yet: a walk takes one a fork.
    coins: u64,
    coins_left: u32,
}

everett_base::portable!(struct RandomPath { rng, nodes, free, root, leaves, coins, coins_left });

impl RandomPath {
    pub(crate) fn new(rng: Rng) -> RandomPath {
        RandomPath {
            rng,
            nodes: Vec::new(),
            free: NONE,
            root: NONE,
            leaves: Map::default(),
            coins: 0,
            coins_left: 0,
        }
    }

    fn make(&mut self, node: PathNode) -> u32 {
        if self.free == NONE {
            self.nodes.push(node);
            return self.nodes.len() as u32 - 1;
        }
        let at = self.free;
        let PathNode::Free { next } = self.nodes[at as usize] else {
            unreachable!("the free list holds only free nodes")
        };
        self.free = next;
        self.nodes[at as usize] = node;
        at
    }

    fn release(&mut self, at: u32) {
        self.nodes[at as usize] = PathNode::Free { next: self.free };
        self.free = at;
    }

    fn set_parent(&mut self, at: u32, to: u32) {
        match &mut self.nodes[at as usize] {
            PathNode::Leaf { parent, .. } | PathNode::Fork { parent, .. } => *parent = to,
            PathNode::Free { .. } => unreachable!("a free node has no parent"),
        }
    }

    /// Puts `new` where `old` was below `parent`.
    fn replace_child(&mut self, parent: u32, old: u32, new: u32) {
        if parent == NONE {
            self.root = new;
            return;
        }
        if let PathNode::Fork { left, right, .. } = &mut self.nodes[parent as usize] {
            if *left == old {
                *left = new;
            } else {
                *right = new;
            }
        }
    }

    fn coin(&mut self) -> bool {
        if self.coins_left == 0 {
            self.coins = self.rng.next_u64();
            self.coins_left = 64;
        }
        self.coins_left -= 1;
        let side = self.coins & 1 != 0;
        self.coins >>= 1;
        side
    }
}

impl Searcher for RandomPath {
    as_bytes!();

    fn select(&mut self, distances: &mut dyn StateDistances) -> Option<StateId> {
        if let Some(state) = distances.on_random_path(&mut self.rng) {
            return Some(state);
        }
        let mut at = self.root;
        loop {
            match *self.nodes.get(at as usize)? {
                PathNode::Leaf { state, .. } => return Some(state),
                PathNode::Fork { left, right, .. } => at = if self.coin() { left } else { right },
                PathNode::Free { .. } => unreachable!("the tree holds no free nodes"),
            }
        }
    }

    fn added(&mut self, parent: Option<StateId>, child: StateId) {
        let beside = parent.and_then(|p| self.leaves.get(&p).copied());
        let Some(beside) = beside else {
            // The first state, or one whose parent is gone: it hangs beside the whole tree.
            let leaf = self.make(PathNode::Leaf { state: child, parent: NONE });
            self.leaves.insert(child, leaf);
            if self.root == NONE {
                self.root = leaf;
            } else {
                let old = self.root;
                let fork = self.make(PathNode::Fork { left: old, right: leaf, parent: NONE });
                self.set_parent(old, fork);
                self.set_parent(leaf, fork);
                self.root = fork;
            }
            return;
        };
        let PathNode::Leaf { parent: above, .. } = self.nodes[beside as usize] else {
            unreachable!("a state is a leaf")
        };
        let leaf = self.make(PathNode::Leaf { state: child, parent: NONE });
        let fork = self.make(PathNode::Fork { left: beside, right: leaf, parent: above });
        self.set_parent(beside, fork);
        self.set_parent(leaf, fork);
        self.replace_child(above, beside, fork);
        self.leaves.insert(child, leaf);
    }

    fn removed(&mut self, state: StateId) {
        let Some(leaf) = self.leaves.remove(&state) else { return };
        let PathNode::Leaf { parent: fork, .. } = self.nodes[leaf as usize] else {
            unreachable!("a state is a leaf")
        };
        self.release(leaf);
        if fork == NONE {
            self.root = NONE;
            return;
        }
        let PathNode::Fork { left, right, parent: above } = self.nodes[fork as usize] else {
            unreachable!("the parent of a leaf is a fork")
        };
        let other = if left == leaf { right } else { left };
        self.set_parent(other, above);
        self.replace_child(above, fork, other);
        self.release(fork);
    }
}
