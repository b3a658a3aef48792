//! The fixed order of a racing system, in which nodes see everything as soon as it has come, and how
//! far a world is from it.

use everett_world::Stamp;

use crate::bits::Bits;
use crate::program::{History, Look, Stop, System, Toy, View};

/// A node that sees again what it has seen in a world.
struct Follower<'h> {
    toy: Toy,
    history: &'h History,
    look: u32,
    /// What has come, each with the mark that it was there when the node decided to wait.
    pending: Vec<(u32, Bits, bool)>,
    /// True if it has not been decided yet what its look shows.
    is_fresh: bool,
    deviations: u32,
}

/// The number of times in a world that a look shows something else than in the fixed order, or nothing yet.
///
/// The world runs again, round by round, and every node sees what its history says as soon as it can.
pub(crate) fn deviations(system: &System, world: &[History], assignment: usize) -> u32 {
    let follow = |history: &History| Toy::new(system, history.node);
    let mut nodes: Vec<Follower<'_>> =
        world.iter().map(|history| Follower::new(follow(history), history)).collect();
    let mut sent: Vec<(u32, u32, Bits)> = Vec::new();
    let last_start = system.starts.iter().max().copied().unwrap_or(Stamp::ZERO);
    let mut round = 0;
    while round <= last_start.round || !sent.is_empty() {
        for (from, to, value) in std::mem::take(&mut sent) {
            nodes[to as usize].pending.push((from, value, false));
        }
        for (number, node) in nodes.iter_mut().enumerate() {
            // A message wakes a node before its start.
            if round < system.starts[number].round && node.pending.is_empty() {
                continue;
            }
            node.run(assignment);
            let messages = node.toy.sent.drain(..);
            sent.extend(messages.map(|sent| (number as u32, sent.to.0, sent.message)));
        }
        round += 1;
    }
    for node in &nodes {
        assert_eq!(node.toy.history(), *node.history, "the node has seen it all");
    }
    nodes.iter().map(|node| node.deviations).sum()
}

impl<'h> Follower<'h> {
    fn new(toy: Toy, history: &'h History) -> Follower<'h> {
        Follower { toy, history, look: 0, pending: Vec::new(), is_fresh: true, deviations: 0 }
    }

    fn run(&mut self, assignment: usize) {
        loop {
            match self.toy.step() {
                Stop::Branch(value) => self.toy.decide(value.at(assignment)),
                Stop::Look(look) if self.look(look) => {}
                Stop::Look(_) => return self.toy.wait_to_see(),
                Stop::Wait(_) | Stop::Fault => panic!("there are neither time nor faults here"),
                Stop::Exited | Stop::Bug => return,
            }
        }
    }

    /// Sees what the history says, if it has come. Says whether it has.
    fn look(&mut self, look: Look) -> bool {
        let seen = self.history.received.iter().filter(|(_, _, number, _)| *number == self.look);
        let mut seen = seen.map(|(_, from, _, value)| (*from, *value)).peekable();
        let is_for_ever = seen.peek().is_none();
        let view: View = seen.filter(|(from, _)| *from < u32::MAX).collect();
        let Some(fixed) = self.fixed_view(look) else { return false };
        assert!(!is_for_ever, "a node that waits for ever has something to see");
        self.deviations += u32::from(view != fixed);
        let mut left = self.pending.clone();
        for (from, _) in &view {
            let Some(at) = left.iter().position(|(other, ..)| from == other) else {
                // It is still to come.
                self.pending.iter_mut().for_each(|(.., is_old)| *is_old = true);
                self.is_fresh = false;
                return false;
            };
            left.remove(at);
        }
        left.iter_mut().for_each(|(.., is_old)| *is_old = false);
        (self.pending, self.is_fresh) = (left, true);
        self.look += 1;
        self.toy.see(&view);
        true
    }

    /// The view of the fixed order; none if a look has to wait for something that has not been there yet.
    fn fixed_view(&self, look: Look) -> Option<View> {
        let of = |node: Option<u32>| {
            let is_of = move |from: u32| node.is_none_or(|node| node == from);
            self.pending.iter().filter(move |(from, ..)| is_of(*from))
        };
        let first_new = |node: Option<u32>| {
            let mut known = Vec::new();
            let mut is_first = |(from, ..): &&(u32, Bits, bool)| {
                let is_first = !known.contains(from);
                known.push(*from);
                is_first
            };
            let (from, value, _) = of(node).filter(|m| is_first(m)).find(|(.., is_old)| !is_old)?;
            Some(vec![(*from, *value)])
        };
        match look {
            Look::Any => first_new(None),
            Look::From(node) => first_new(Some(node)),
            Look::Until(_) => panic!("there is no time here"),
            Look::Try => first_new(None).or(self.is_fresh.then(View::new)),
            Look::Poll | Look::Read(_) => {
                let node = if let Look::Read(node) = look { Some(node) } else { None };
                let mut view: View = Vec::new();
                let mut has_new = false;
                for (from, value, is_old) in of(node) {
                    if node.is_some() || view.iter().all(|(other, _)| other != from) {
                        view.push((*from, *value));
                        has_new |= !is_old;
                    }
                }
                view.sort_by_key(|(from, _)| *from);
                has_new.then_some(view)
            }
        }
    }
}
