//! All executions of a racing system, in which nothing is known about when messages come: the oracle of
//! orders.
//!
//! There are no rounds here, and nothing is held back. A global state is what each node has come to;
//! what is on its way is what has been sent and not been seen. Where a node looks, it may see anything
//! on its way that the look can show. All looks of all nodes are tried in every order, for every
//! assignment of the symbolic bits.

use std::collections::BTreeSet;
use std::rc::Rc;

use everett_base::Set;

use crate::bits::Bits;
use crate::oracle::Findings;
use crate::program::{self, History, Look, Stop, System, Toy, View};

/// One node of a global state, which stands where it looks next or has stopped.
struct Node {
    toy: Toy,
    look: Option<Look>,
    /// The senders that it has seen messages of, look by look. What it has seen of them follows from what
    /// they have seen.
    senders: Vec<u8>,
}

type GlobalState = Vec<Rc<Node>>;

/// The end of a look in [`Node::senders`].
const END_OF_LOOK: u8 = u8::MAX;
/// The end of all looks, behind which the fates of the node are.
const END_OF_LOOKS: u8 = u8::MAX - 2;
/// The end of a node in the name of a global state.
const END_OF_NODE: u8 = u8::MAX - 1;

/// Finds what there is to find in any execution. A node that has a bug stops there; worlds are those in
/// which none has.
pub(crate) fn run_all(system: &System) -> Findings {
    let mut findings = Findings::default();
    for assignment in 0..1usize << system.bits {
        run(system, assignment, &mut findings);
    }
    findings
}

fn run(system: &System, assignment: usize, findings: &mut Findings) {
    let mut todo: Vec<GlobalState> = vec![Vec::new()];
    for number in 0..system.nodes() {
        let nodes = Node::all(Toy::new(system, number), Vec::new(), assignment);
        let longer = |state: &GlobalState| {
            let state = state.clone();
            nodes.iter().map(move |node| [&state[..], std::slice::from_ref(node)].concat())
        };
        todo = todo.iter().flat_map(longer).collect();
    }
    let mut known: Set<Vec<u8>> = Set::default();
    while let Some(state) = todo.pop() {
        let faults: u32 = state.iter().map(|node| node.toy.fault_count()).sum();
        if faults > system.faults.most || !known.insert(name(&state)) {
            continue;
        }
        assert!(known.len() < 1_000_000, "too many global states: {system:?}");
        let bugs = state.iter().filter(|node| node.toy.why == "bug");
        findings.bugs.extend(bugs.map(|node| node.toy.history()));
        let mut is_over = true;
        for (at, node) in state.iter().enumerate() {
            for view in node.look.map_or(Vec::new(), |look| views(&state, at, look)) {
                is_over = false;
                for node in node.seeing(&view, assignment) {
                    let mut next = state.clone();
                    next[at] = node;
                    todo.push(next);
                }
            }
        }
        if is_over && state.iter().all(|node| node.toy.why != "bug") {
            finish(&state, assignment, findings);
        }
    }
}

fn finish(state: &GlobalState, assignment: usize, findings: &mut Findings) {
    let toys = || state.iter().map(|node| &node.toy);
    let (places, odd) = program::notes(toys());
    findings.noted_at_end.insert((places, odd.at(assignment)));
    findings.deadlocks.extend(toys().filter(|toy| toy.waits()).map(Toy::history));
    let world: Vec<History> = toys().map(Toy::history).collect();
    let assignments = findings.worlds.entry(world).or_insert(Bits::FALSE);
    assignments.0[assignment / 64] |= 1 << (assignment % 64);
}

/// Names a global state, for one assignment of the bits.
fn name(state: &GlobalState) -> Vec<u8> {
    let node = |node: &Rc<Node>| {
        let fates: Vec<u8> = node.toy.fates.iter().map(|fate| *fate as u8).collect();
        [&node.senders[..], &[END_OF_LOOKS], &fates, &[END_OF_NODE]].concat()
    };
    state.iter().flat_map(node).collect()
}

/// Everything that a node may see at a look.
fn views(state: &GlobalState, at: usize, look: Look) -> Vec<View> {
    let on_its_way = |from: u32| -> Vec<(u32, Bits)> {
        let sent = state[from as usize].toy.sent.iter().filter(|sent| sent.to.index() == at);
        let seen = state[at].senders.iter().filter(|sender| u32::from(**sender) == from).count();
        sent.skip(seen).map(|sent| (from, sent.message)).collect()
    };
    let flows: Vec<View> = (0..state.len() as u32).map(on_its_way).collect();
    let firsts = flows.iter().filter_map(|flow| flow.first().copied());
    match look {
        Look::Any => firsts.map(|first| vec![first]).collect(),
        // Only one node has a clock, so its deadlines may pass at any time.
        Look::Try | Look::Until(_) => firsts.map(|first| vec![first]).chain([Vec::new()]).collect(),
        Look::From(node) => flows[node as usize].iter().take(1).map(|first| vec![*first]).collect(),
        Look::Poll => {
            let mut sets: BTreeSet<View> = BTreeSet::from([View::new()]);
            for first in firsts {
                sets.extend(sets.clone().into_iter().map(|set| [&set[..], &[first]].concat()));
            }
            sets.into_iter().filter(|set| !set.is_empty()).collect()
        }
        Look::Read(node) => {
            let flow = &flows[node as usize];
            (1..=flow.len()).map(|count| flow[..count].to_vec()).collect()
        }
    }
}

impl Node {
    /// Runs a node until it looks or stops, once for each thing that may become of it. It sends as early as
    /// it can: what is on its way may be there for any time, so no execution is lost by that.
    fn all(toy: Toy, senders: Vec<u8>, assignment: usize) -> Vec<Rc<Node>> {
        let mut nodes = Vec::new();
        let mut toys = vec![toy];
        while let Some(mut toy) = toys.pop() {
            let look = match toy.step() {
                Stop::Branch(value) => {
                    toy.decide(value.at(assignment));
                    toys.push(toy);
                    continue;
                }
                Stop::Fault => {
                    let mut other = toy.clone();
                    toy.choose_fate(true);
                    other.choose_fate(false);
                    toys.extend([toy, other]);
                    continue;
                }
                Stop::Look(look) => {
                    toy.wait_to_see();
                    Some(look)
                }
                Stop::Wait(_) => panic!("there is no time here"),
                Stop::Exited | Stop::Bug => None,
            };
            nodes.push(Rc::new(Node { toy, look, senders: senders.clone() }));
        }
        nodes
    }

    /// The node after it has seen this, once for each thing that may become of it then.
    fn seeing(&self, view: &[(u32, Bits)], assignment: usize) -> Vec<Rc<Node>> {
        let mut toy = self.toy.clone();
        toy.see(view);
        let seen = view.iter().map(|(from, _)| *from as u8);
        let senders = self.senders.iter().copied().chain(seen).chain([END_OF_LOOK]).collect();
        Node::all(toy, senders, assignment)
    }
}
