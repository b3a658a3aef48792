//! Measures universes: one node that forks a million times, and grids of nodes in which packets
//! travel and get lost.
//!
//! `cargo run --release -p everett-world --example mappings [WIDTH...]`
//!
//! In a grid, the node in the bottom right corner sends a packet a second for ten seconds along a
//! static path to the top left; neighbours of a sender overhear it; each node on the path, and each
//! neighbour, may lose the first packet that reaches it.

use std::time::Instant;

use everett_world::{
    Arrival, CarriedConstraints, MappingKind, NextWake, NodeId, SentMessage, Stamp, StateId,
    StateOwner, Universe, UniverseChange, UniverseOptions,
};
use smallvec::SmallVec;

const SECOND: u64 = 1_000_000_000;
const PACKETS: u64 = 10;
/// States beyond which a mapping is given up.
const STATES_MAX: usize = 3_000_000;

/// A node of the grid: what it has sent or got, and whether it lost its first packet.
#[derive(Clone)]
struct Sensor {
    node: u32,
    got: u32,
    lost: Option<bool>,
    /// Packets to send on in this activation; of the source, how many it has sent.
    forward: u32,
    /// The time of its activation.
    now: u64,
}

struct Grid {
    width: u32,
    sensors: Vec<Option<Sensor>>,
    free: Vec<StateId>,
    live: usize,
    peak: usize,
    made: usize,
}

/// A packet on its way to a hop; others overhear it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Packet {
    number: u32,
    hop: NodeId,
}

impl Grid {
    fn add(&mut self, sensor: Sensor) -> StateId {
        self.made += 1;
        self.live += 1;
        self.peak = self.peak.max(self.live);
        let id = self.free.pop().unwrap_or_else(|| {
            self.sensors.push(None);
            StateId::from_index(self.sensors.len() - 1)
        });
        self.sensors[id.index()] = Some(sensor);
        id
    }

    fn get(&mut self, state: StateId) -> &mut Sensor {
        self.sensors[state.index()].as_mut().expect("the state exists")
    }

    /// The node that comes next on the path: first up, then left.
    fn next_hop(&self, node: u32) -> Option<u32> {
        match (node / self.width, node % self.width) {
            (0, 0) => None,
            (0, _) => Some(node - 1),
            _ if node / self.width >= node % self.width => Some(node - self.width),
            _ => Some(node - 1),
        }
    }

    fn neighbours(&self, node: u32) -> SmallVec<[u32; 4]> {
        let (row, column, last) = (node / self.width, node % self.width, self.width - 1);
        let mut all = SmallVec::new();
        if row > 0 {
            all.push(node - self.width);
        }
        if column > 0 {
            all.push(node - 1);
        }
        if column < last {
            all.push(node + 1);
        }
        if row < last {
            all.push(node + self.width);
        }
        all
    }

    /// A packet from a node, to all that hear it.
    fn broadcast(&self, node: u32, number: u32, sent: &mut Vec<SentMessage<Packet>>) {
        let Some(hop) = self.next_hop(node) else { return };
        for to in self.neighbours(node) {
            let message = Packet { number, hop: NodeId(hop) };
            sent.push(SentMessage { to: NodeId(to), delay: 0, message });
        }
    }
}

impl StateOwner for Grid {
    type Message = Packet;

    fn copy(&mut self, state: StateId) -> StateId {
        let sensor = self.get(state).clone();
        self.add(sensor)
    }

    fn carried(&mut self, _from: StateId, _to: StateId) -> CarriedConstraints {
        CarriedConstraints::NOTHING
    }

    fn joins(&mut self, _state: StateId, _arrivals: &[Arrival<Packet>]) -> bool {
        true
    }

    fn jointly(&mut self, _states: &[StateId]) -> bool {
        true
    }

    fn symbols(&mut self, state: StateId) -> SmallVec<[u32; 4]> {
        let sensor = self.get(state);
        sensor.lost.iter().map(|_| sensor.node).collect()
    }

    fn waits(&mut self, _state: StateId) -> bool {
        false
    }
}

/// Does what the universe wants done; gives the states that can run.
fn apply(grid: &mut Grid, universe: &mut Universe<Packet>, ready: &mut Vec<StateId>) {
    for change in universe.changes() {
        match change {
            UniverseChange::Run { state, arrivals, at, .. } => {
                let sensor = grid.get(state);
                sensor.now = at.time;
                for arrival in arrivals {
                    sensor.got += 1;
                    if arrival.message.hop.0 == sensor.node {
                        sensor.forward |= 1 << arrival.message.number;
                    }
                }
                ready.push(state);
            }
            UniverseChange::Copied { state, from } => {
                if ready.contains(&from) {
                    ready.push(state);
                }
            }
            UniverseChange::Gone { state, .. } => {
                grid.sensors[state.index()] = None;
                grid.free.push(state);
                grid.live -= 1;
            }
            UniverseChange::Deadlock { .. }
            | UniverseChange::Noted { .. }
            | UniverseChange::Final { .. } => {}
        }
    }
}

/// Lets a state do what it does when it is activated.
fn run(grid: &mut Grid, universe: &mut Universe<Packet>, state: StateId, ready: &mut Vec<StateId>) {
    let source = grid.width * grid.width - 1;
    let sensor = grid.get(state).clone();
    let mut sent = Vec::new();
    if sensor.node == source {
        let mut number = sensor.forward;
        // It hears others, too, and goes on waiting.
        if sensor.now == u64::from(number) * SECOND {
            grid.broadcast(source, number, &mut sent);
            number += 1;
            grid.get(state).forward = number;
        }
        let done = u64::from(number) == PACKETS;
        let next = if done { NextWake::Never } else { NextWake::At(u64::from(number) * SECOND) };
        universe.blocked(grid, state, next, false, sent);
        return;
    }
    if sensor.got > 0 && sensor.lost.is_none() {
        let child = grid.copy(state);
        universe.branched(grid, state, child);
        grid.get(state).lost = Some(false);
        let lost = grid.get(child);
        (lost.lost, lost.forward) = (Some(true), 0);
        ready.extend([child, state]);
        return;
    }
    for number in (0..32).filter(|number| sensor.forward >> number & 1 == 1) {
        grid.broadcast(sensor.node, number, &mut sent);
    }
    grid.get(state).forward = 0;
    universe.blocked(grid, state, NextWake::Never, false, sent);
}

fn explore_grid(width: u32, mapping: MappingKind) {
    let mut grid = Grid { width, sensors: Vec::new(), free: Vec::new(), live: 0, peak: 0, made: 0 };
    let nodes = width * width;
    let mut universe =
        Universe::new(nodes, UniverseOptions { mapping, ..UniverseOptions::default() });
    let first: Vec<_> = (0..nodes)
        .map(|node| {
            let state = grid.add(Sensor { node, got: 0, lost: None, forward: 0, now: 0 });
            (NodeId(node), state, Stamp::ZERO)
        })
        .collect();
    let before = resident();
    #[expect(clippy::disallowed_methods, reason = "this is what the example measures")]
    let start = Instant::now();
    let mut ready = Vec::new();
    universe.begin(&mut grid, &first);
    apply(&mut grid, &mut universe, &mut ready);
    let mut memory = before;
    let mut steps = 0u64;
    let mut given_up = false;
    while let Some(state) = ready.pop() {
        run(&mut grid, &mut universe, state, &mut ready);
        apply(&mut grid, &mut universe, &mut ready);
        steps += 1;
        if steps.is_multiple_of(64) {
            memory = memory.max(resident());
        }
        if grid.live > STATES_MAX {
            given_up = true;
            break;
        }
    }
    let counts = universe.counts();
    let name = format!("{mapping:?}");
    println!(
        "{width:>2}x{width:<2} {name:<3} {:>9} states, {:>9} at a time, {:>8} dstates at a time, \
         {:>10} splits, {:>8.3} s, {:>6} MB, {} worlds{}{}",
        grid.made,
        grid.peak,
        counts.dstates_peak,
        counts.splits,
        start.elapsed().as_secs_f64(),
        (memory - before) / (1 << 20),
        counts.final_worlds,
        if counts.capped { " or more" } else { "" },
        if given_up { ", given up" } else { "" },
    );
}

/// Bytes of memory in use.
fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split(' ').nth(1).and_then(|pages| pages.parse().ok());
    pages.unwrap_or(0u64) * 4096
}

/// A node that needs nothing from its owner.
struct Nothing;

impl StateOwner for Nothing {
    type Message = u32;

    fn copy(&mut self, _state: StateId) -> StateId {
        panic!("one node needs no copies")
    }

    fn carried(&mut self, _from: StateId, _to: StateId) -> CarriedConstraints {
        CarriedConstraints::NOTHING
    }

    fn joins(&mut self, _state: StateId, _arrivals: &[Arrival<u32>]) -> bool {
        true
    }

    fn jointly(&mut self, _states: &[StateId]) -> bool {
        true
    }

    fn symbols(&mut self, _state: StateId) -> SmallVec<[u32; 4]> {
        SmallVec::new()
    }

    fn waits(&mut self, _state: StateId) -> bool {
        false
    }
}

fn fork_one_node(forks: u32) {
    let mut universe: Universe<u32> = Universe::new(1, UniverseOptions::default());
    #[expect(clippy::disallowed_methods, reason = "this is what the example measures")]
    let start = Instant::now();
    universe.begin(&mut Nothing, &[(NodeId(0), StateId(0), Stamp::ZERO)]);
    for child in 1..=forks {
        universe.branched(&mut Nothing, StateId(child / 2), StateId(child));
    }
    let branched = start.elapsed();
    for state in 0..=forks {
        if state % 2 == 0 {
            universe.blocked(&mut Nothing, StateId(state), NextWake::Never, true, Vec::new());
        } else {
            universe.ended(&mut Nothing, StateId(state));
        }
        universe.changes().for_each(drop);
    }
    let all = start.elapsed();
    println!(
        "one node, {forks} forks: {:.1} ns a branch, {:.1} ns an end, {} worlds",
        branched.as_secs_f64() * 1e9 / f64::from(forks),
        (all - branched).as_secs_f64() * 1e9 / f64::from(forks),
        universe.counts().final_worlds,
    );
}

fn main() {
    fork_one_node(1_000_000);
    let widths: Vec<u32> = std::env::args().skip(1).filter_map(|arg| arg.parse().ok()).collect();
    let widths = if widths.is_empty() { vec![3, 5, 7, 10] } else { widths };
    for &width in &widths {
        explore_grid(width, MappingKind::Sds);
        if width <= 7 {
            explore_grid(width, MappingKind::Cow);
        }
        if width <= 4 {
            explore_grid(width, MappingKind::Cob);
        }
    }
}
