//! The system run concretely, one world for each assignment of the symbolic bits.

use std::collections::{BTreeMap, BTreeSet};

use everett_world::Stamp;

use crate::bits::Bits;
use crate::program::{self, History, Noted, Received, Stop, System, Toy};

/// What there is to find.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Findings {
    /// Final worlds, by the histories of their nodes, each with the assignments that lead to it.
    pub(crate) worlds: BTreeMap<Vec<History>, Bits>,
    /// Histories that wait for ever in a world in which nothing can happen any more.
    pub(crate) deadlocks: BTreeSet<History>,
    /// Histories that end with a bug.
    pub(crate) bugs: BTreeSet<History>,
    /// What worlds had noted at the end of a round in which one of their nodes did.
    pub(crate) noted: BTreeSet<Noted>,
    /// What worlds had noted at their end.
    pub(crate) noted_at_end: BTreeSet<Noted>,
}

/// Runs the system for every assignment.
pub(crate) fn run_all(system: &System) -> Findings {
    run_until(system, false)
}

/// Runs the system for every assignment; worlds with unwanted notes end if `stop`.
pub(crate) fn run_until(system: &System, stop: bool) -> Findings {
    let mut findings = Findings::default();
    // Bits that the system does not have are zero; the assignment stands for all of theirs.
    for assignment in 0..1usize << system.bits {
        run(system, assignment, stop, &mut findings);
    }
    findings
}

struct Node {
    toy: Toy,
    wake: Option<Stamp>,
    coming: Vec<Received>,
}

impl Node {
    /// When something happens at the node.
    fn due(&self) -> Option<Stamp> {
        self.coming.iter().map(|(at, ..)| *at).chain(self.wake).min()
    }
}

fn run(system: &System, assignment: usize, stop: bool, findings: &mut Findings) {
    let mut nodes: Vec<Node> = (0..system.nodes())
        .map(|n| Node {
            toy: Toy::new(system, n),
            wake: Some(system.starts[n as usize]),
            coming: Vec::new(),
        })
        .collect();
    while let Some(now) = nodes.iter().filter_map(Node::due).min() {
        let mut bug = false;
        let mut sent = Vec::new();
        for (number, node) in nodes.iter_mut().enumerate() {
            if node.due() != Some(now) {
                continue;
            }
            let (mut arrived, later): (Vec<_>, Vec<_>) =
                std::mem::take(&mut node.coming).into_iter().partition(|(at, ..)| *at <= now);
            arrived.sort_by_key(|(at, from, position, _)| (*at, *from, *position));
            node.coming = later;
            node.toy.wake(now, &arrived);
            node.wake = None;
            loop {
                match node.toy.step() {
                    Stop::Branch(value) => node.toy.decide(value.at(assignment)),
                    Stop::Wait(None) | Stop::Exited => break,
                    Stop::Wait(Some(time)) if time > now.time => {
                        node.wake = Some(Stamp::new(time, 0));
                        break;
                    }
                    Stop::Wait(Some(_)) => {
                        node.wake = Some(Stamp::new(now.time, now.round + 1));
                        break;
                    }
                    Stop::Bug => {
                        bug = true;
                        findings.bugs.insert(node.toy.history());
                        break;
                    }
                }
            }
            for (position, event) in node.toy.sent.drain(..).enumerate() {
                sent.push((number as u32, position as u32, event));
            }
        }
        let mut unwanted = false;
        if nodes.iter().any(|node| node.toy.news && node.toy.now == now) {
            let (places, odd) = program::notes(nodes.iter().map(|node| &node.toy));
            unwanted = stop && program::is_unwanted(&places);
            findings.noted.insert((places, odd.at(assignment)));
        }
        if bug || unwanted {
            return;
        }
        for (from, position, event) in sent {
            let at = match event.delay {
                0 => Stamp::new(now.time, now.round + 1),
                delay => Stamp::new(now.time + delay, 0),
            };
            nodes[event.to.index()].coming.push((at, from, position, event.event));
        }
    }
    let (places, odd) = program::notes(nodes.iter().map(|node| &node.toy));
    findings.noted_at_end.insert((places, odd.at(assignment)));
    let waiting = nodes.iter().filter(|node| node.toy.waits()).map(|node| node.toy.history());
    findings.deadlocks.extend(waiting);
    let world = nodes.iter().map(|node| node.toy.history()).collect();
    let assignments = findings.worlds.entry(world).or_insert(Bits::FALSE);
    assignments.0[assignment / 64] |= 1 << (assignment % 64);
}
