//! Orders in which a program sees the events of `netklee.h`.
//!
//! Events stay in the inbox of a node in the order in which they have come, and a program sees them in that
//! order. So a look may show any sequence of those that are pending. Events of one host come in the order in
//! which they were sent.

use super::MOST_VIEWS;
use crate::net::pending::View;
use crate::state::node::Node;
use crate::state::sockets::inbox::{EventRecord, WantedEvents};

/// The sequences of pending events that a look may show. Each ends with an event that is wanted: what comes
/// behind it can come later as well.
struct EventSequences<'n> {
    /// The positions of each host's events, in the order in which they were sent.
    flows: Vec<Vec<usize>>,
    is_wanted: &'n dyn Fn(usize) -> bool,
    /// The least and the most wanted events that one shows.
    least: usize,
    most: usize,
    /// That of the fixed order comes first.
    found: Vec<View>,
    /// There are more than are followed.
    is_cut: bool,
}

impl EventSequences<'_> {
    /// Adds all sequences that begin with one in which flows are used up to these places.
    fn extend(&mut self, sequence: &mut View, used: &mut [usize], shown: usize) {
        for flow in 0..self.flows.len() {
            if self.is_cut || shown >= self.most {
                return;
            }
            let Some(at) = self.flows[flow].get(used[flow]).copied() else { continue };
            let is_wanted = (self.is_wanted)(at);
            let shown = shown + usize::from(is_wanted);
            sequence.push(at);
            used[flow] += 1;
            if is_wanted && shown >= self.least {
                self.add(sequence);
            }
            self.extend(sequence, used, shown);
            used[flow] -= 1;
            sequence.pop();
        }
    }

    fn add(&mut self, sequence: &View) {
        if *sequence == self.found[0] {
            return;
        }
        match self.found.len() < MOST_VIEWS {
            true => self.found.push(sequence.clone()),
            false => self.is_cut = true,
        }
    }
}

/// The sequences of pending events that a thread may see which waits or looks for some, that of the fixed
/// order first. Returns true if some are left out.
pub(crate) fn event_views(node: &Node, wanted: &WantedEvents) -> (Vec<View>, bool) {
    let pending = &node.volatile.pending;
    let heads = pending.heads().into_iter();
    let heads = heads.filter(|at| pending.get(*at).is_event());
    let flows: Vec<Vec<usize>> = heads.map(|head| pending.flow_from(head)).collect();
    let there = node.net.table.inbox.matching(wanted).count();
    let is_wanted = |at: usize| wanted.matches(&EventRecord::of_message(&pending.get(at).message));
    let mut all: Vec<usize> = flows.iter().flatten().copied().collect();
    all.sort_unstable();
    let least = (wanted.minimum as usize).saturating_sub(there).max(1);
    let most = (wanted.most as usize).saturating_sub(there);
    // Whoever has come first is seen first.
    let ends: Vec<usize> = (0..all.len()).filter(|at| is_wanted(all[*at])).take(most).collect();
    let Some(end) = ends.last().filter(|_| ends.len() >= least) else {
        return (Vec::new(), false);
    };
    let mut used = vec![0; flows.len()];
    let (found, is_cut) = (vec![View::from_slice(&all[..=*end])], false);
    let mut sequences = EventSequences { flows, is_wanted: &is_wanted, least, most, found, is_cut };
    sequences.extend(&mut View::new(), &mut used, 0);
    (sequences.found, sequences.is_cut)
}
