//! The system run concretely, one world for each assignment of the symbolic bits.

use std::collections::{BTreeMap, BTreeSet};

use everett_world::{Rest, Stamp};

use crate::bits::Bits;
use crate::program::{self, History, Noted, Received, Stop, System, Toy};

/// What there is to find.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Findings {
    /// Final worlds, by the histories of their nodes, each with the assignments that lead to it.
    pub(crate) worlds: BTreeMap<Vec<History>, Bits>,
    /// Those final worlds in which servers went on to tick.
    pub(crate) idle: BTreeSet<Vec<History>>,
    /// Those final worlds in which something would have happened after the horizon.
    pub(crate) at_horizon: BTreeSet<Vec<History>>,
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
    /// When something other than a timer happened to it last.
    stirred: u64,
    /// Where it has waited since something other than a timer happened.
    places: BTreeSet<u64>,
    /// Whether it waited like a server, or had exited, when it stopped last.
    at_rest: bool,
    /// Whether a timer has passed since something happened to it.
    ticked: bool,
}

impl Node {
    /// When something happens at the node.
    fn due(&self) -> Option<Stamp> {
        self.coming.iter().map(|(at, ..)| *at).chain(self.wake).min()
    }

    /// Runs it with what has arrived by now until it stops. Says whether it ended with a bug.
    fn run(&mut self, now: Stamp, assignment: usize) -> bool {
        let mut bug = false;
        let (mut arrived, later): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.coming).into_iter().partition(|(at, ..)| *at <= now);
        arrived.sort_by_key(|(at, from, position, _)| (*at, *from, *position));
        self.coming = later;
        self.toy.wake(now, &arrived);
        self.wake = None;
        loop {
            match self.toy.step() {
                Stop::Branch(value) => self.toy.decide(value.at(assignment)),
                Stop::Look(_) | Stop::Fault => {
                    panic!("racing systems have executions, not one for each assignment")
                }
                Stop::Wait(None) | Stop::Exited => break,
                Stop::Wait(Some(time)) if time > now.time => {
                    self.wake = Some(Stamp::new(time, 0));
                    break;
                }
                Stop::Wait(Some(_)) => {
                    self.wake = Some(Stamp::new(now.time, now.round + 1));
                    break;
                }
                Stop::Bug => {
                    bug = true;
                    break;
                }
            }
        }
        self.note(now.time, !arrived.is_empty());
        bug
    }

    /// Notes what its activation at a time was about.
    fn note(&mut self, now: u64, has_arrivals: bool) {
        let rest = self.toy.rest();
        let is_tick = self.at_rest && !has_arrivals && self.toy.sent.is_empty();
        if !is_tick {
            self.places.clear();
        }
        let is_new = match rest {
            Rest::Idle { place } => self.places.insert(place),
            _ => true,
        };
        self.ticked = is_tick && !is_new;
        if !self.ticked {
            self.stirred = now;
        }
        self.at_rest = rest != Rest::Busy;
    }

    /// Whether nothing but a timer will happen to it by itself.
    fn only_waits(&self) -> bool {
        self.at_rest && self.coming.is_empty() && (self.ticked || self.wake.is_none())
    }
}

/// Whether the servers of a world do nothing but tick.
fn is_idle(nodes: &[Node], grace: u64) -> bool {
    let Some(next) = nodes.iter().filter_map(Node::due).min() else { return false };
    let last = nodes.iter().map(|node| node.stirred).max();
    nodes.iter().all(Node::only_waits) && last.is_some_and(|last| next.time > last + grace)
}

fn run(system: &System, assignment: usize, stop: bool, findings: &mut Findings) {
    let mut nodes: Vec<Node> = (0..system.nodes())
        .map(|n| Node {
            toy: Toy::new(system, n),
            wake: Some(system.starts[n as usize]),
            coming: Vec::new(),
            stirred: 0,
            places: BTreeSet::new(),
            at_rest: false,
            ticked: false,
        })
        .collect();
    let (mut idle, mut at_horizon) = (false, false);
    while let Some(now) = nodes.iter().filter_map(Node::due).min() {
        idle = system.grace.is_some_and(|grace| is_idle(&nodes, grace));
        at_horizon = system.horizon.is_some_and(|horizon| now.time > horizon);
        if idle || at_horizon {
            break;
        }
        let mut bug = false;
        let mut sent = Vec::new();
        for (number, node) in nodes.iter_mut().enumerate() {
            if node.due() != Some(now) {
                continue;
            }
            if node.run(now, assignment) {
                bug = true;
                findings.bugs.insert(node.toy.history());
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
            nodes[event.to.index()].coming.push((at, from, position, event.message));
        }
    }
    let (places, odd) = program::notes(nodes.iter().map(|node| &node.toy));
    findings.noted_at_end.insert((places, odd.at(assignment)));
    if !idle && !at_horizon {
        let waiting = nodes.iter().filter(|node| node.toy.waits()).map(|node| node.toy.history());
        findings.deadlocks.extend(waiting);
    }
    let world: Vec<History> = nodes.iter().map(|node| node.toy.history()).collect();
    if idle {
        findings.idle.insert(world.clone());
    } else if at_horizon {
        findings.at_horizon.insert(world.clone());
    }
    let assignments = findings.worlds.entry(world).or_insert(Bits::FALSE);
    assignments.0[assignment / 64] |= 1 << (assignment % 64);
}
