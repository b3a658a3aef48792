//! Walks from the root of a tree of forks to one of its leaves: [`WalkTree`].
//!
//! A leaf is something that goes on: a state of a program, or a dstate. A walk follows one child at each
//! fork, as a [`WalkGuide`] says, until its leaf is gone; the next one begins at the root. Leaves that were
//! not followed stay where they are, so nothing is executed twice, and a fork all of whose leaves are
//! gone is gone as well. Children that are gone while others are not are kept, with the choices that they
//! stand for: a guide may want to know what it would have chosen.
//!
//! Not here: which child a walk follows.

use everett_base::Map;

/// A choice in an order of threads or messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderChoice {
    /// The how-manieth of its path.
    pub number: u32,
    /// Names the thread that runs, or the flow whose message is seen.
    pub actor: u64,
}

everett_base::portable!(struct OrderChoice { number, actor });

/// A child of a fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkChild {
    /// The choice that it stands for, if the fork is one over orders.
    pub choice: Option<OrderChoice>,
    /// True if it has leaves.
    pub is_open: bool,
}

everett_base::portable!(struct WalkChild { choice, is_open });

/// Decides where walks go.
pub trait WalkGuide {
    /// A walk begins at the root.
    fn begin(&mut self);

    /// The position of the child that the walk follows. It is open, and at least one child is.
    fn choose(&mut self, children: &[WalkChild]) -> usize;
}

/// The number of no row.
const NONE: u32 = u32::MAX;
const ROOT: u32 = 0;

enum WalkRow {
    Leaf {
        leaf: u32,
        parent: u32,
    },
    Fork {
        /// The row of each child, or [`NONE`] if that is gone.
        rows: Vec<u32>,
        children: Vec<WalkChild>,
        parent: u32,
        /// The number of steps that were made before the fork.
        made: u64,
        /// True if the choices of its children are known.
        is_labelled: bool,
    },
    Free,
}

everett_base::portable!(enum WalkRow {
    0 = Leaf { leaf, parent }, 1 = Fork { rows, children, parent, made, is_labelled }, 2 = Free,
});

/// The tree of forks, and the place where the current walk is.
pub struct WalkTree {
    rows: Vec<WalkRow>,
    free: Vec<u32>,
    leaves: Map<u32, u32>,
    /// The row of the current walk; [`NONE`] if it has come to its end.
    position: u32,
    /// Steps so far. Leaves that part within one step are children of one fork.
    steps: u64,
}

everett_base::portable!(struct WalkTree { rows, free, leaves, position, steps });

impl Default for WalkTree {
    fn default() -> WalkTree {
        let root = WalkRow::Fork {
            rows: Vec::new(),
            children: Vec::new(),
            parent: NONE,
            made: u64::MAX,
            is_labelled: true,
        };
        let (free, leaves) = (Vec::new(), Map::default());
        WalkTree { rows: vec![root], free, leaves, position: NONE, steps: 0 }
    }
}

impl WalkTree {
    /// Adds a leaf below the root.
    pub fn plant(&mut self, leaf: u32) {
        let row = self.add_leaf(leaf, ROOT);
        self.add_child(ROOT, row);
    }

    /// A leaf has parted into itself and another one.
    pub fn grow(&mut self, leaf: u32, other: u32) {
        let Some(&row) = self.leaves.get(&leaf) else { return self.plant(other) };
        let parent = self.parent_of(row);
        let steps = self.steps;
        if matches!(&self.rows[parent as usize], WalkRow::Fork { made, .. } if *made == steps) {
            let other = self.add_leaf(other, parent);
            return self.add_child(parent, other);
        }
        // The fork takes the place of its leaf, so that a walk that is there is at the fork.
        let rows = vec![self.add_leaf(leaf, row), self.add_leaf(other, row)];
        let children = vec![WalkChild { choice: None, is_open: true }; 2];
        self.rows[row as usize] =
            WalkRow::Fork { rows, children, parent, made: steps, is_labelled: false };
    }

    /// A leaf is gone.
    pub fn remove(&mut self, leaf: u32) {
        let Some(mut row) = self.leaves.remove(&leaf) else { return };
        loop {
            let parent = self.parent_of(row);
            self.rows[row as usize] = WalkRow::Free;
            self.free.push(row);
            if self.position == row {
                self.position = NONE;
            }
            let WalkRow::Fork { rows, children, .. } = &mut self.rows[parent as usize] else {
                unreachable!("the parent of a row is a fork")
            };
            let at = rows.iter().position(|child| *child == row);
            let at = at.expect("a parent knows its children");
            if parent == ROOT {
                rows.swap_remove(at);
                children.swap_remove(at);
                return;
            }
            (rows[at], children[at].is_open) = (NONE, false);
            if children.iter().any(|child| child.is_open) {
                return;
            }
            row = parent;
        }
    }

    /// Makes a step of a walk: the leaf that runs next, and whether a new walk begins with it. `choice` tells
    /// which choice in an order has made a leaf.
    pub fn step(
        &mut self,
        guide: &mut dyn WalkGuide,
        choice: &mut dyn FnMut(u32) -> Option<OrderChoice>,
    ) -> Option<(u32, bool)> {
        self.steps += 1;
        let is_new = self.position == NONE;
        let mut at = if is_new { ROOT } else { self.position };
        if is_new && self.leaves.is_empty() {
            return None;
        }
        if is_new {
            guide.begin();
        }
        loop {
            if let WalkRow::Leaf { leaf, .. } = self.rows[at as usize] {
                self.position = at;
                return Some((leaf, is_new));
            }
            self.label(at, choice);
            let WalkRow::Fork { rows, children, .. } = &self.rows[at as usize] else {
                unreachable!("a walk leads to no free row")
            };
            at = rows[guide.choose(children)];
        }
    }

    /// Notes the choices that the children of a fork stand for.
    fn label(&mut self, at: u32, choice: &mut dyn FnMut(u32) -> Option<OrderChoice>) {
        let WalkRow::Fork { rows, is_labelled: false, .. } = &self.rows[at as usize] else {
            return;
        };
        let choice_of = |row: &u32| match self.rows.get(*row as usize) {
            Some(WalkRow::Leaf { leaf, .. }) => choice(*leaf),
            _ => None,
        };
        let choices: Vec<Option<OrderChoice>> = rows.iter().map(choice_of).collect();
        let WalkRow::Fork { children, is_labelled, .. } = &mut self.rows[at as usize] else {
            return;
        };
        children.iter_mut().zip(choices).for_each(|(child, choice)| child.choice = choice);
        *is_labelled = true;
    }

    fn parent_of(&self, row: u32) -> u32 {
        match &self.rows[row as usize] {
            WalkRow::Leaf { parent, .. } | WalkRow::Fork { parent, .. } => *parent,
            WalkRow::Free => unreachable!("a free row has no parent"),
        }
    }

    fn add_child(&mut self, parent: u32, row: u32) {
        if let WalkRow::Fork { rows, children, .. } = &mut self.rows[parent as usize] {
            rows.push(row);
            children.push(WalkChild { choice: None, is_open: true });
        }
    }

    fn add_leaf(&mut self, leaf: u32, parent: u32) -> u32 {
        let content = WalkRow::Leaf { leaf, parent };
        let row = match self.free.pop() {
            Some(row) => {
                self.rows[row as usize] = content;
                row
            }
            None => {
                self.rows.push(content);
                u32::try_from(self.rows.len() - 1).expect("forks are fewer than 2^32")
            }
        };
        self.leaves.insert(leaf, row);
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Follows the last open child, and writes down the choices that it could make.
    #[derive(Default)]
    struct Last {
        begun: u32,
        seen: Vec<Vec<WalkChild>>,
    }

    impl WalkGuide for Last {
        fn begin(&mut self) {
            self.begun += 1;
        }

        fn choose(&mut self, children: &[WalkChild]) -> usize {
            self.seen.push(children.to_vec());
            children.iter().rposition(|child| child.is_open).expect("one is open")
        }
    }

    fn step(tree: &mut WalkTree, guide: &mut Last) -> Option<(u32, bool)> {
        tree.step(guide, &mut |leaf| Some(OrderChoice { number: 1, actor: leaf.into() }))
    }

    #[test]
    fn leaves_that_part_in_one_step_are_children_of_one_fork() {
        let (mut tree, mut guide) = (WalkTree::default(), Last::default());
        tree.plant(0);
        assert_eq!(step(&mut tree, &mut guide), Some((0, true)));
        tree.grow(0, 1);
        tree.grow(0, 2);
        guide.seen.clear();
        assert_eq!(step(&mut tree, &mut guide), Some((2, false)));
        let choices: Vec<_> =
            guide.seen[0].iter().map(|child| child.choice.map(|c| c.actor)).collect();
        assert_eq!(choices, [Some(0), Some(1), Some(2)]);
    }

    #[test]
    fn a_walk_goes_on_until_its_leaf_is_gone_and_the_next_begins_at_the_root() {
        let (mut tree, mut guide) = (WalkTree::default(), Last::default());
        tree.plant(0);
        step(&mut tree, &mut guide);
        tree.grow(0, 1);
        assert_eq!(step(&mut tree, &mut guide), Some((1, false)));
        tree.grow(1, 2);
        assert_eq!(step(&mut tree, &mut guide), Some((2, false)));
        tree.remove(2);
        guide.seen.clear();
        assert_eq!(step(&mut tree, &mut guide), Some((1, true)));
        // The child that is gone is known with its choice.
        let gone = WalkChild { choice: Some(OrderChoice { number: 1, actor: 2 }), is_open: false };
        assert_eq!(guide.seen[2][1], gone);
        tree.remove(1);
        assert_eq!(step(&mut tree, &mut guide), Some((0, true)));
        tree.remove(0);
        assert_eq!(step(&mut tree, &mut guide), None);
        assert_eq!(guide.begun, 3);
    }

    #[test]
    fn a_leaf_that_others_remove_ends_the_walk() {
        let (mut tree, mut guide) = (WalkTree::default(), Last::default());
        tree.plant(0);
        tree.plant(1);
        assert_eq!(step(&mut tree, &mut guide), Some((1, true)));
        tree.grow(1, 2);
        tree.remove(1);
        tree.remove(2);
        assert_eq!(step(&mut tree, &mut guide), Some((0, true)));
    }
}
