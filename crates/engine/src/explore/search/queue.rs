//! Depth first and breadth first.

use std::collections::VecDeque;

use everett_world::StateId;

use super::{Searcher, StateDistances};

/// Goes on with the running state, then with the newest.
#[derive(Default)]
pub(crate) struct DepthFirst {
    stack: Vec<StateId>,
}

everett_base::portable!(struct DepthFirst { stack });

impl Searcher for DepthFirst {
    as_bytes!();

    fn select(&mut self, _distances: &mut dyn StateDistances) -> Option<StateId> {
        self.stack.last().copied()
    }

    fn added(&mut self, parent: Option<StateId>, child: StateId) {
        // The running state stays on top: going deeper needs no switch.
        let below = self.stack.len().saturating_sub(1);
        let at = if parent.is_some() && parent == self.stack.last().copied() {
            below
        } else {
            self.stack.len()
        };
        self.stack.insert(at, child);
    }

    fn removed(&mut self, state: StateId) {
        // The running state is nearly always the newest.
        if let Some(at) = self.stack.iter().rposition(|s| *s == state) {
            self.stack.remove(at);
        }
    }

    fn all_removed(&mut self, states: &[StateId]) {
        self.stack.retain(|state| states.binary_search(state).is_err());
    }
}

/// Runs every state to its next fork before any state runs a second time.
#[derive(Default)]
pub(crate) struct BreadthFirst {
    queue: VecDeque<StateId>,
}

everett_base::portable!(struct BreadthFirst { queue });

impl Searcher for BreadthFirst {
    as_bytes!();

    fn select(&mut self, _distances: &mut dyn StateDistances) -> Option<StateId> {
        self.queue.front().copied()
    }

    fn added(&mut self, parent: Option<StateId>, child: StateId) {
        // The parent has had its turn: it goes to the back, in front of its child.
        if let Some(parent) = parent
            && self.queue.front() == Some(&parent)
        {
            self.queue.rotate_left(1);
        }
        self.queue.push_back(child);
    }

    fn removed(&mut self, state: StateId) {
        if self.queue.front() == Some(&state) {
            self.queue.pop_front();
        } else if let Some(at) = self.queue.iter().rposition(|s| *s == state) {
            self.queue.remove(at);
        }
    }

    fn all_removed(&mut self, states: &[StateId]) {
        self.queue.retain(|state| states.binary_search(state).is_err());
    }
}
