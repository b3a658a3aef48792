//! What else could have happened in a world: [`Alternative`], the other sides of its decisions.
//!
//! Not among them: other values of inputs, which [`super::TestWorlds::with_input`] takes, and preemptions at
//! places where the world has none.

use everett_engine::{
    FAULTS, FaultDecision, FaultKind, FaultPoint, PathEnd, SCHEDULE, SourcePlace, ThreadSwitch,
};
use everett_replay::{KTest, KTestObject};

use super::{WalkStep, WalkedWorld, of_node};

/// Something that could have happened in a world instead of what has.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// The number of the node.
    pub node: usize,
    /// Virtual time in nanoseconds at which the node was woken, or at which a thread was preempted.
    pub time_ns: u64,
    /// Round within that time, where it is known.
    pub round: Option<u32>,
    /// The kind of fault, or `preemption`.
    pub kind: String,
    /// What happens, in words.
    pub what: String,
    /// It takes back what has happened.
    pub is_undone: bool,
    /// The program's own place, if there is one.
    pub place: Option<SourcePlace>,
    change: ChangedDecision,
}

#[derive(Clone, Debug)]
enum ChangedDecision {
    /// Something else happens at a point; with choice 0 nothing does. The points that the node passes before
    /// that one keep what has happened at them.
    Fault { decision: FaultDecision, before: Vec<FaultDecision> },
    /// The preemption at this place, and all behind it, are left out.
    Preemption(u64),
}

impl Alternative {
    /// Returns `true` if it could happen while a node runs that was woken for this step.
    pub fn is_at(&self, step: &WalkStep) -> bool {
        self.node == step.node as usize
            && self.time_ns == step.time_ns
            && self.round.is_none_or(|round| round == step.round)
    }
}

/// The alternatives of a world, whose nodes have ended like this.
pub(super) fn of_world(world: &WalkedWorld, paths: &[PathEnd]) -> Vec<Alternative> {
    let mut all = Vec::new();
    for (node, name) in world.nodes.iter().enumerate() {
        let ended = paths.iter().find(|path| path.node == *name);
        let points = ended.map_or(&[][..], |path| &path.faults);
        let mut before: Vec<FaultDecision> = Vec::new();
        for point in points {
            let mut taken = of_node(&world.end.faults, name);
            let taken = taken.find(|fault| (fault.kind, fault.point) == (point.kind, point.point));
            let taken = taken.map(|fault| (fault.choice, fault.what.clone()));
            of_point(&mut all, node, point, taken.clone(), &before);
            let decision = |(choice, _)| decision(point, choice);
            before.extend(taken.map(decision));
        }
        let own = world.end.preemptions.iter().filter(|preemption| preemption.node == *name);
        all.extend(own.map(|preemption| Alternative {
            node,
            time_ns: preemption.time_ns,
            round: None,
            kind: "preemption".to_owned(),
            what: format!("thread {} runs on", preemption.from),
            is_undone: true,
            place: preemption.place.clone(),
            change: ChangedDecision::Preemption(preemption.point),
        }));
    }
    all
}

fn decision(point: &FaultPoint, choice: u32) -> FaultDecision {
    FaultDecision { kind: point.kind, point: point.point, choice }
}

fn of_point(
    all: &mut Vec<Alternative>,
    node: usize,
    point: &FaultPoint,
    taken: Option<(u32, String)>,
    before: &[FaultDecision],
) {
    let mut add = |choice: u32, what: String| {
        let change =
            ChangedDecision::Fault { decision: decision(point, choice), before: before.to_vec() };
        all.push(Alternative {
            node,
            time_ns: point.at.time,
            round: Some(point.at.round),
            kind: point.kind.name().to_owned(),
            what,
            is_undone: choice == 0,
            place: point.place.clone(),
            change,
        });
    };
    if let Some((_, what)) = &taken {
        add(0, format!("without: {what}"));
    }
    for (choice, what) in &point.choices {
        if taken.as_ref().is_none_or(|(taken, _)| taken != choice) {
            add(*choice, what.clone());
        }
    }
}

/// The inputs of all nodes with which something else happens, and nothing is decided behind it.
pub(super) fn inputs(world: &WalkedWorld, alternative: &Alternative) -> Vec<KTest> {
    let mut tests = world.choice.inputs.clone();
    for (node, (test, name)) in tests.iter_mut().zip(&world.nodes).enumerate() {
        let is_own = node == alternative.node;
        let earlier = of_node(&world.end.faults, name);
        let earlier = earlier.filter(|fault| fault.time_ns <= alternative.time_ns);
        let earlier = earlier.map(|fault| FaultDecision {
            kind: fault.kind,
            point: fault.point,
            choice: fault.choice,
        });
        let faults: Vec<FaultDecision> = match &alternative.change {
            ChangedDecision::Fault { decision, before } if is_own => {
                // What the world decides is at no point of the node.
                let of_world = earlier.filter(|fault| is_of_no_point(fault.kind));
                let own = before.iter().copied().chain(of_world);
                let changed = Some(*decision).filter(|decision| decision.choice != 0);
                own.chain(changed).collect()
            }
            _ => earlier.collect(),
        };
        set(test, FAULTS, (!faults.is_empty()).then(|| FaultDecision::write_all(faults)));
        let switches = switches(world, test, name, alternative, is_own);
        if test.object(SCHEDULE.as_bytes()).is_some() {
            set(test, SCHEDULE, Some(switches));
        }
    }
    tests
}

fn is_of_no_point(kind: FaultKind) -> bool {
    kind.is_of_world() || matches!(kind, FaultKind::WouldBlock | FaultKind::SelectFail)
}

/// The preemptions of a node up to an alternative.
fn switches(
    world: &WalkedWorld,
    test: &KTest,
    name: &str,
    alternative: &Alternative,
    is_own: bool,
) -> Vec<u8> {
    let planned = test.object(SCHEDULE.as_bytes());
    let planned = planned.map_or(Vec::new(), |object| ThreadSwitch::read_all(&object.bytes));
    let is_kept = |switch: &&ThreadSwitch| {
        let mut made = world.end.preemptions.iter().filter(|made| made.node == name);
        let Some(made) = made.find(|made| made.point == switch.point) else { return false };
        match alternative.change {
            ChangedDecision::Preemption(point) if is_own => switch.point < point,
            _ => made.time_ns <= alternative.time_ns,
        }
    };
    planned.iter().filter(is_kept).flat_map(|switch| switch.to_bytes()).collect()
}

/// Sets an object of a test, or leaves it out.
fn set(test: &mut KTest, name: &str, bytes: Option<Vec<u8>>) {
    let at = test.objects.iter().position(|object| object.name == name.as_bytes());
    match (at, bytes) {
        (Some(at), Some(bytes)) => test.objects[at].bytes = bytes,
        // The objects behind it keep their numbers.
        (Some(at), None) => test.objects[at].bytes = FaultDecision::write_all([]),
        (None, Some(bytes)) => test.objects.push(KTestObject::new(name, bytes)),
        (None, None) => {}
    }
}
