//! The system explored symbolically, over a universe or several that have states in common: the
//! embedder's side.

use std::sync::Arc;
use std::time::Duration;

use everett_base::hash::hash_one;
use everett_base::part::{PartReader, PartWriter, Portable};
use everett_base::{Map, Rng, Set};
use everett_world::{
    ActivationClaim, ActivationId, Arrival, CarriedConstraints, CarriedTable, ClosedState,
    MappingKind, NextWake, NodeId, ReleasedStates, RemovalReason, SplitWishes, Stamp, StateId,
    StateOwner, Universe, UniverseChange, UniverseCounts, UniverseOptions, WalkChild, WalkGuide,
};

use crate::bits::Bits;
use crate::oracle::Findings;
use crate::pending::{HoldRule, LookResult, PendingMessages};
use crate::program::{History, Received, Stop, System, Toy};
use crate::toys::{End, State, Toys};

/// Which state runs next.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Order {
    Fifo,
    Lifo,
    Random,
    Pick,
    /// One set of worlds after the other to its end, with random choices.
    Walk,
}

/// What becomes of worlds that are split off now and then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parts {
    /// None are.
    Never,
    /// All parts are explored by turns.
    ByTurns,
    /// They are set aside until the rest is done, the newest first, if they have little in common with it.
    Aside,
}

/// How a system is explored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) mapping: MappingKind,
    pub(crate) order: Order,
    pub(crate) seed: u64,
    pub(crate) detect_stalled: bool,
    /// What becomes of worlds that are split off now and then.
    pub(crate) split: Parts,
    /// Whether states are given up now and then.
    pub(crate) kill: bool,
    /// Whether changes are hashed.
    pub(crate) trace: bool,
    /// Whether worlds with unwanted notes end.
    pub(crate) stop: bool,
    /// Whether universes are written as bytes and read again now and then.
    pub(crate) rewrite: bool,
    /// How nodes that look come to see messages in other orders.
    pub(crate) rule: HoldRule,
}

/// What came of it.
pub(crate) struct Explored {
    pub(crate) found: Findings,
    /// States that there were in all.
    pub(crate) states: u32,
    pub(crate) counts: UniverseCounts,
    /// States that worlds have ended with.
    pub(crate) paths: u32,
    /// Activations and branches.
    pub(crate) runs: u32,
    /// Arrivals that contradicted a state.
    pub(crate) refused: u32,
    /// States that were given up.
    pub(crate) killed: u32,
    /// The hash of all changes.
    pub(crate) trace: u64,
    /// Universes that were explored apart.
    pub(crate) parts: u32,
    /// States that several of them had in common when they parted.
    pub(crate) shared: u32,
    /// States that held messages back for something that did not come.
    pub(crate) redundant: u32,
    bits: u32,
}

impl Explored {
    /// What was found, where assignments of bits that the system does not have count as zero.
    pub(crate) fn relevant(&self) -> Findings {
        let mask = (0..256usize).filter(|assignment| assignment >> self.bits == 0);
        let mut relevant = Bits::FALSE;
        mask.for_each(|assignment| relevant.0[assignment / 64] |= 1 << (assignment % 64));
        let mut found = self.found.clone();
        found.worlds.values_mut().for_each(|condition| *condition = condition.and(relevant));
        found
    }

    pub(crate) fn compare(&self, expected: &Findings, what: &str) {
        let found = self.relevant();
        assert_eq!(found.worlds.keys().len(), expected.worlds.keys().len(), "{what}: worlds");
        assert_eq!(found.worlds, expected.worlds, "{what}: worlds");
        assert_eq!(found.bugs, expected.bugs, "{what}: bugs");
        assert_eq!(found.deadlocks, expected.deadlocks, "{what}: deadlocks");
        assert_eq!(found.noted, expected.noted, "{what}: notes");
        assert_eq!(found.noted_at_end, expected.noted_at_end, "{what}: notes at the end");
        let UniverseCounts { final_worlds, idle_worlds, horizon_worlds, .. } = self.counts;
        assert_eq!(final_worlds, expected.worlds.len() as u64, "{what}: count");
        assert_eq!(idle_worlds, expected.idle.len() as u64, "{what}: idle worlds");
        assert_eq!(
            horizon_worlds,
            expected.at_horizon.len() as u64,
            "{what}: worlds at the horizon"
        );
        assert!(!self.counts.capped, "{what}: capped");
        assert_eq!(self.counts.dstates, 0, "{what}: dstates are left");
    }
}

/// Follows any open child.
struct RandomGuide(Rng);

impl WalkGuide for RandomGuide {
    fn begin(&mut self) {}

    fn choose(&mut self, children: &[WalkChild]) -> usize {
        let open: Vec<usize> = (0..children.len()).filter(|&at| children[at].is_open).collect();
        open[self.0.below(open.len() as u64) as usize]
    }
}

/// One universe, its states, and those of them that can run.
struct Part {
    number: usize,
    universe: Universe<Bits>,
    states: Map<StateId, State>,
    ready: Vec<StateId>,
    /// States that wait until others have run them.
    waiting: Map<ActivationId, StateId>,
}

struct Explorer {
    plan: Plan,
    toys: Toys,
    rng: Rng,
    result: Explored,
    /// Histories, arrivals and conditions of states that are gone.
    gone: Set<(History, Vec<Received>, Vec<CarriedConstraints>, Bits)>,
}

/// Explores a system to its end.
pub(crate) fn explore(system: &System, plan: Plan) -> Explored {
    let toys = Toys {
        carry: system.carry,
        states: Map::default(),
        shared_states: Arc::default(),
        next: 0,
        free: Vec::new(),
        carried: vec![Bits::TRUE],
        carried_ids: Map::default(),
        made: 0,
        refused: 0,
        assumed: Bits::TRUE,
        most_deviations: plan.rule.most_deviations,
        most_faults: system.faults.most,
        stop: plan.stop,
        notes: Vec::new(),
    };
    let result = Explored {
        found: Findings::default(),
        states: 0,
        counts: UniverseCounts::default(),
        paths: 0,
        runs: 0,
        refused: 0,
        killed: 0,
        trace: 0,
        parts: 1,
        shared: 0,
        redundant: 0,
        bits: system.bits,
    };
    let rng = Rng::new(plan.seed ^ 0x5eed);
    let mut explorer = Explorer { plan, toys, rng, result, gone: Set::default() };
    let mut universe = Universe::new(system.nodes(), options(system, plan));
    universe.report_final(true);
    let mut first = Vec::new();
    for node in 0..system.nodes() {
        let state =
            explorer.toys.add(State::new(Toy::new(system, node), PendingMessages::new(plan.rule)));
        first.push((NodeId(node), state, system.starts[node as usize]));
    }
    universe.begin(&mut explorer.toys, &first);
    let mut first = Part::new(0, universe);
    explorer.apply(&mut first);
    first.states = std::mem::take(&mut explorer.toys.states);
    let mut parts = vec![first];
    let mut steps = 0;
    while !parts.is_empty() {
        steps += 1;
        assert!(steps < 1_000_000, "no end: {plan:?}");
        let turn = match plan.split {
            Parts::Aside => parts.len() - 1,
            Parts::Never | Parts::ByTurns => explorer.rng.below(parts.len() as u64) as usize,
        };
        let mut part = parts.swap_remove(turn);
        explorer.toys.states = std::mem::take(&mut part.states);
        let other = explorer.step(&mut part);
        part.states = std::mem::take(&mut explorer.toys.states);
        parts.extend(other);
        part.rewrite(plan, steps);
        if part.ready.is_empty() && part.waiting.is_empty() {
            explorer.finish_part(part);
        } else {
            parts.push(part);
        }
    }
    explorer.result.states = explorer.toys.made;
    explorer.result.refused = explorer.toys.refused;
    explorer.result
}

fn options(system: &System, plan: Plan) -> UniverseOptions {
    UniverseOptions {
        mapping: plan.mapping,
        detect_stalled: plan.detect_stalled,
        grace: system.grace,
        horizon: system.horizon,
        walks: matches!(plan.order, Order::Walk),
        ..UniverseOptions::default()
    }
}

fn tell_news(universe: &mut Universe<Bits>, state: StateId, toy: &Toy) {
    if toy.news {
        universe.notable(state);
    }
}

impl Part {
    fn new(number: usize, universe: Universe<Bits>) -> Part {
        Part {
            number,
            universe,
            states: Map::default(),
            ready: Vec::new(),
            waiting: Map::default(),
        }
    }

    /// Writes the universe as bytes and reads it again, if the plan says so.
    fn rewrite(&mut self, plan: Plan, steps: u32) {
        if !plan.rewrite || !steps.is_multiple_of(3) {
            return;
        }
        let mut to = PartWriter::new(&[]);
        self.universe.write(&mut to);
        let carried = to.references::<CarriedConstraints>().iter().copied();
        let carried = CarriedTable(carried.map(CarriedConstraints).collect());
        let bytes = to.into_bytes();
        let mut from = PartReader::new(&bytes, &[&carried]);
        self.universe = Portable::read(&mut from).expect("what was written can be read");
        from.end().expect("nothing is left");
    }
}

impl Explorer {
    /// Runs a state of a part, or takes over what others have run. Gives worlds away now and then.
    fn step(&mut self, part: &mut Part) -> Option<Part> {
        let Some(state) = self.choose(part) else {
            let done = self.toys.shared_states.next_done(part.number, Duration::ZERO);
            // What lies aside is waited for by nobody.
            let by_turns = self.plan.split == Parts::ByTurns;
            assert!(done.is_some() || part.waiting.is_empty() || by_turns, "nothing is done");
            self.take_over(part, done?);
            return None;
        };
        if !self.may_run(part, state) {
            return None;
        }
        self.run(part, state);
        self.apply(part);
        if self.plan.kill && self.rng.below(16) == 0 {
            self.kill(part);
            self.apply(part);
        }
        let splits = self.plan.split != Parts::Never && self.rng.below(4) == 0;
        if splits { self.split(part) } else { None }
    }

    fn finish_part(&mut self, mut part: Part) {
        let plan = self.plan;
        assert_eq!(part.universe.pick(&mut self.rng, &|_| true), None);
        assert!(part.universe.worlds(&mut self.toys, 1).is_empty());
        assert!(part.states.is_empty(), "states are left: {plan:?}");
        self.book(part.universe.counts());
    }

    /// Whether a state is to be run here, and not by another universe that has it.
    fn may_run(&mut self, part: &mut Part, id: StateId) -> bool {
        let shared_states = self.toys.shared_states.clone();
        let state = self.toys.get(id);
        if let Some(activation) = state.activation.filter(|_| !state.ours) {
            match shared_states.claim(activation) {
                ActivationClaim::Ours => state.ours = true,
                ActivationClaim::Alone => state.activation = None,
                ActivationClaim::Taken => {
                    part.waiting.insert(activation, id);
                    shared_states.await_end(activation, part.number);
                    return false;
                }
            }
        }
        if let Some((at, arrivals)) = state.due.take() {
            self.result.runs += 1;
            self.activate(id, at, &arrivals);
        }
        true
    }

    /// Takes over what others have run.
    fn take_over(&mut self, part: &mut Part, activation: ActivationId) {
        // It may have been given away, or up.
        let Some(id) = part.waiting.remove(&activation) else { return };
        let shared_states = self.toys.shared_states.clone();
        let (mut ends, released) = shared_states.ends(activation);
        self.let_go(None, released);
        ends.sort_by_key(|(state, _)| *state == id);
        assert!(ends.last().is_some_and(|(state, _)| *state == id), "it has an end itself");
        for (state, end) in ends {
            let copy = State { is_shared: true, activation: None, ..end.state.clone() };
            self.toys.states.insert(state, copy);
            if state != id {
                part.universe.branched(&mut self.toys, id, state);
            }
            self.tell(part, state, end.blocked);
            self.apply(part);
        }
    }

    /// A state has come to its end: those who wait for it are told.
    fn come_to_end(&mut self, id: StateId, blocked: Option<(NextWake, bool)>) {
        let shared_states = self.toys.shared_states.clone();
        let state = self.toys.get(id);
        let Some(activation) = state.activation.take() else { return };
        assert!(state.ours, "somebody else runs it");
        let end =
            shared_states.is_wanted(activation).then(|| End { state: state.clone(), blocked });
        state.is_shared = shared_states.ended(activation, id, end, false);
    }

    /// Tells a universe that a state has come to its end.
    fn tell(&mut self, part: &mut Part, id: StateId, blocked: Option<(NextWake, bool)>) {
        let universe = &mut part.universe;
        let toy = self.toys.get(id).toy.clone();
        let Some((next, exited)) = blocked else {
            // Otherwise it was given up elsewhere.
            let is_bug = toy.why == "bug";
            if is_bug && universe.world_with(&mut self.toys, id).is_some() {
                self.result.found.bugs.insert(toy.history());
            }
            tell_news(universe, id, &toy);
            universe.ended(&mut self.toys, id);
            return;
        };
        tell_news(universe, id, &toy);
        universe.blocked(&mut self.toys, id, next, exited, toy.sent);
    }

    fn choose(&mut self, part: &mut Part) -> Option<StateId> {
        if part.ready.is_empty() {
            return None;
        }
        let count = part.ready.len();
        let place = match self.plan.order {
            Order::Fifo => 0,
            Order::Lifo => count - 1,
            Order::Walk => self.walk(part),
            Order::Random => self.rng.below(count as u64) as usize,
            Order::Pick => {
                let ready = &part.ready;
                let may = |state| ready.contains(&state);
                match part.universe.pick(&mut self.rng, &may) {
                    Some(state) => ready.iter().position(|&ready| ready == state),
                    // The path leads to states that others run.
                    None => Some(0).filter(|_| self.plan.split != Parts::Never),
                }
                .expect("some state can run, and is ready")
            }
        };
        Some(part.ready.remove(place))
    }

    /// The place of a state of the worlds that a walk has come to, or of any if others run those.
    fn walk(&mut self, part: &mut Part) -> usize {
        let ready = &part.ready;
        let may = |state| ready.contains(&state);
        let mut guide = RandomGuide(self.rng.split());
        match part.universe.walk(&mut guide, &mut self.rng, &|_| None, &may) {
            Some((state, _)) => ready.iter().position(|&ready| ready == state),
            None => Some(0).filter(|_| self.plan.split != Parts::Never || ready.len() == 1),
        }
        .expect("some state can run, and is ready")
    }

    /// Gives up some state, whatever it does.
    fn kill(&mut self, part: &mut Part) {
        let states = part.universe.states();
        if !states.is_empty() {
            let chosen = states[self.rng.below(states.len() as u64) as usize];
            self.result.killed += 1;
            part.universe.killed(&mut self.toys, chosen);
        }
    }

    fn split_off(&mut self, part: &mut Part) -> Option<(Universe<Bits>, Vec<StateId>)> {
        let begun = |(_, state): &(&StateId, &State)| state.ours && state.activation.is_some();
        let mut stay: Vec<StateId> =
            self.toys.states.iter().filter(begun).map(|(id, _)| *id).collect();
        stay.sort_unstable();
        let most_shared = match self.plan.split {
            Parts::Aside => self.rng.below(4) as usize,
            Parts::Never | Parts::ByTurns => usize::MAX,
        };
        let one_of = if self.result.parts.is_multiple_of(2) { 2 } else { 8 };
        let wishes = SplitWishes { stay: &stay, most_shared, one_of };
        let parts = part.universe.split_off(&wishes);
        let both = parts.as_ref().map_or(0, |(_, both)| both.len());
        assert!(both <= most_shared && stay.iter().all(|id| part.universe.contains(*id)));
        parts
    }

    fn split(&mut self, part: &mut Part) -> Option<Part> {
        let (universe, both) = self.split_off(part)?;
        let mut other = Part::new(self.result.parts as usize, universe);
        self.result.parts += 1;
        self.result.shared += both.len() as u32;
        let shared_states = self.toys.shared_states.clone();
        for id in both {
            let state = self.toys.get(id);
            let is_ready = part.ready.contains(&id);
            let mut copy = state.clone();
            match state.activation {
                None if !is_ready => {
                    shared_states.share(id);
                    (state.is_shared, copy.is_shared) = (true, true);
                }
                Some(activation) if !state.ours => {
                    shared_states.share_activation(activation);
                    if is_ready {
                        other.ready.push(id);
                    } else {
                        other.waiting.insert(activation, id);
                        shared_states.await_end(activation, other.number);
                    }
                }
                outer => {
                    let begun = state.due.is_none() || outer.is_some();
                    let activation = shared_states.share_running(id, begun, outer);
                    (state.activation, state.ours) = (Some(activation), begun);
                    (copy.activation, copy.ours) = (Some(activation), false);
                    if begun {
                        other.waiting.insert(activation, id);
                        shared_states.await_end(activation, other.number);
                    } else {
                        other.ready.push(id);
                    }
                }
            }
            other.states.insert(id, copy);
        }
        for id in other.universe.states() {
            if part.universe.contains(id) {
                continue;
            }
            let state = self.toys.states.remove(&id).expect("the state exists");
            if let Some(activation) = state.activation
                && part.waiting.remove(&activation).is_some()
            {
                other.waiting.insert(activation, id);
                shared_states.await_end(activation, other.number);
            }
            if part.ready.contains(&id) {
                part.ready.retain(|ready| *ready != id);
                other.ready.push(id);
            }
            other.states.insert(id, state);
        }
        part.universe.resume(&mut self.toys);
        self.apply(part);
        std::mem::swap(&mut self.toys.states, &mut other.states);
        other.universe.resume(&mut self.toys);
        self.apply(&mut other);
        std::mem::swap(&mut self.toys.states, &mut other.states);
        Some(other)
    }

    fn run(&mut self, part: &mut Part, id: StateId) {
        loop {
            let state = self.toys.get(id);
            assert!(state.running, "{id} runs without being activated");
            let blocked = match state.toy.step() {
                Stop::Branch(value) => {
                    let condition = state.condition;
                    let (yes, no) = (condition.and(value), condition.and(value.not()));
                    if yes.is_false() || no.is_false() {
                        state.toy.decide(no.is_false());
                        continue;
                    }
                    let child = self.fork(part, id);
                    self.toys.get(id).toy.decide(true);
                    self.toys.constrain(id, value);
                    self.toys.get(child).toy.decide(false);
                    self.toys.constrain(child, value.not());
                    return;
                }
                Stop::Fault => {
                    let child = self.fork(part, id);
                    self.toys.get(id).toy.choose_fate(true);
                    self.toys.get(child).toy.choose_fate(false);
                    return;
                }
                Stop::Look(look) => match state.pending.look(look, state.toy.now) {
                    LookResult::Seen(view) => {
                        state.toy.see(&view);
                        continue;
                    }
                    LookResult::Fork => {
                        let child = self.fork(part, id);
                        self.toys.get(id).pending.choose(true);
                        self.toys.get(child).pending.choose(false);
                        return;
                    }
                    LookResult::Wait(next) => {
                        state.toy.wait_to_see();
                        if state.pending.is_late() {
                            state.toy.why = "late";
                        }
                        Some((next, false))
                    }
                    LookResult::Redundant => {
                        let is_late = state.pending.is_late();
                        state.toy.why = if is_late { "redundant if late" } else { "redundant" };
                        None
                    }
                },
                Stop::Wait(None) => Some((NextWake::Never, false)),
                Stop::Wait(Some(time)) if time == state.toy.now.time && time % 2 == 0 => {
                    Some((NextWake::NextRound, false))
                }
                Stop::Wait(Some(time)) => Some((NextWake::At(time), false)),
                Stop::Exited => Some((NextWake::Never, true)),
                Stop::Bug => None,
            };
            state.running = false;
            self.come_to_end(id, blocked);
            self.tell(part, id, blocked);
            return;
        }
    }

    /// Makes two states of a running one; both are to go on.
    fn fork(&mut self, part: &mut Part, id: StateId) -> StateId {
        self.result.runs += 1;
        if let Some(activation) = self.toys.get(id).activation {
            self.toys.shared_states.branched(activation);
        }
        self.toys.get(id).chance /= 2.0;
        let child = self.toys.copied(id);
        part.universe.branched(&mut self.toys, id, child);
        part.ready.extend([child, id]);
        child
    }

    /// Does what the universe wants done.
    fn apply(&mut self, part: &mut Part) {
        let changes: Vec<UniverseChange<Bits>> = part.universe.changes().collect();
        for change in changes {
            if self.plan.trace {
                self.result.trace = hash_one(&(self.result.trace, format!("{change:?}")));
            }
            match change {
                UniverseChange::Run { state, at, arrivals, .. } => {
                    self.toys.get(state).due = Some((at, arrivals));
                    part.ready.push(state);
                }
                UniverseChange::Copied { state, from } => {
                    assert_ne!(self.plan.mapping, MappingKind::Sds, "sds copies to run only");
                    let is_ready = |state: &State| state.running || state.due.is_some();
                    let running = is_ready(self.toys.get(state));
                    assert_eq!(running, is_ready(self.toys.get(from)));
                    if running {
                        part.ready.push(state);
                    }
                }
                UniverseChange::Gone { state, why } => {
                    part.ready.retain(|&ready| ready != state);
                    self.free(part, state, why);
                }
                UniverseChange::Deadlock { state, world } => {
                    assert!(self.toys.jointly(&world) && world.contains(&state));
                    let history = self.toys.get(state).toy.history();
                    self.result.found.deadlocks.insert(history);
                }
                UniverseChange::Noted { world, note } => {
                    assert!(self.toys.jointly(&world));
                    let (noted, at_end) = self.toys.notes[note as usize].clone();
                    let found = &mut self.result.found;
                    let notes = if at_end { &mut found.noted_at_end } else { &mut found.noted };
                    notes.insert(noted);
                }
                UniverseChange::Final { members, .. } => self.finish(&members),
            }
        }
    }

    fn activate(&mut self, state: StateId, at: Stamp, arrivals: &[Arrival<Bits>]) {
        for arrival in arrivals {
            let carried = self.toys.carried[arrival.carried.0 as usize];
            self.toys.constrain(state, carried);
            self.toys.get(state).carried.push(arrival.carried);
        }
        let received: Vec<Received> =
            arrivals.iter().map(|a| (a.at, a.from.0, a.number, a.message)).collect();
        let state = self.toys.get(state);
        assert!(!std::mem::replace(&mut state.running, true), "it runs already");
        state.toy.wake(at, &received);
        if state.toy.seen.is_some() {
            state.pending.push(&received);
        }
    }

    fn free(&mut self, part: &mut Part, id: StateId, why: RemovalReason) {
        // One that is given up may be about to run, or wait for others to do so.
        let shared_states = self.toys.shared_states.clone();
        let state = self.toys.get(id);
        let begun = state.ours || state.activation.is_none();
        if self.plan.kill && begun {
            self.come_to_end(id, None);
        }
        let state = self.toys.states.remove(&id).expect("only once");
        if !begun && let Some(activation) = state.activation {
            part.waiting.remove(&activation);
            let released = shared_states.forgo(activation);
            self.let_go(None, released);
        } else if state.is_shared {
            let released = shared_states.release(id, why, ());
            self.let_go(Some(&state), released);
        } else {
            if self.plan.split == Parts::Never {
                self.toys.free.push(id);
            }
            if why == RemovalReason::Replaced {
                self.toys.made -= 1;
            } else {
                self.close(&state, why);
            }
        }
    }

    /// Books what no universe has any more; one of them may have had it last.
    fn let_go(&mut self, last: Option<&State>, released: ReleasedStates<End, ()>) {
        self.toys.made = self.toys.made.wrapping_add_signed(released.copies as i32);
        for ClosedState { why, end, .. } in released.closed {
            match &end {
                Some(end) => self.close(&end.state, why),
                None => self.close(last.expect("who had it last has it"), why),
            }
        }
    }

    /// A state is in no world any more.
    fn close(&mut self, state: &State, why: RemovalReason) {
        self.result.paths += u32::from(why > RemovalReason::Separated);
        if self.plan.kill {
            return;
        }
        assert!(!state.running, "a running state is gone");
        let is_redundant = state.toy.why.starts_with("redundant");
        self.result.redundant += u32::from(is_redundant);
        assert_eq!(why == RemovalReason::Ended, is_redundant || state.toy.why == "bug");
        if matches!(self.plan.mapping, MappingKind::Sds) {
            let received = state.toy.received.clone();
            let key = (state.toy.history(), received, state.carried.clone(), state.condition);
            let new = self.gone.insert(key);
            assert!(new, "{:?}: two states that could be one: {:?}", self.plan, state.toy);
        }
    }

    /// Books the worlds of a final dstate.
    fn finish(&mut self, members: &[Vec<StateId>]) {
        let mut worlds: Vec<(Vec<StateId>, Bits)> = vec![(Vec::new(), Bits::TRUE)];
        for states in members {
            let mut longer = Vec::new();
            for (world, condition) in &worlds {
                for &state in states {
                    let condition = condition.and(self.toys.get(state).condition);
                    let world = [&world[..], &[state]].concat();
                    if !condition.is_false() && self.toys.within_budget(&world) {
                        longer.push((world, condition));
                    }
                }
            }
            worlds = longer;
        }
        for (world, condition) in worlds {
            let world = world.iter().map(|&state| self.toys.get(state).toy.history()).collect();
            let old = self.result.found.worlds.insert(world, condition);
            assert!(old.is_none(), "a world twice: {:?}", self.plan);
        }
    }

    fn book(&mut self, counts: UniverseCounts) {
        let total = &mut self.result.counts;
        total.final_worlds += counts.final_worlds;
        total.idle_worlds += counts.idle_worlds;
        total.horizon_worlds += counts.horizon_worlds;
        total.explored += counts.explored;
        total.capped |= counts.capped;
        total.dstates += counts.dstates;
        total.copies += counts.copies;
        total.splits += counts.splits;
    }
}
