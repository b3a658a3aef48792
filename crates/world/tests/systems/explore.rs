//! The system explored symbolically, over a universe: the embedder's side.

use everett_base::hash::hash_one;
use everett_base::{Map, Rng, Set};
use everett_world::{
    Arrival, Carried, Change, Combinations, Counts, Examined, Gone, Host, MappingKind, Next,
    NodeId, Options, StateId, Universe,
};
use smallvec::SmallVec;

use crate::bits::Bits;
use crate::oracle::Findings;
use crate::program::{Carry, History, Noted, Received, Stop, System, Toy, is_unwanted, notes};

/// Which state runs next.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Order {
    Fifo,
    Lifo,
    Random,
    Pick,
}

/// How a system is explored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) mapping: MappingKind,
    pub(crate) order: Order,
    pub(crate) seed: u64,
    pub(crate) detect_stalled: bool,
    pub(crate) split: bool,
    /// Whether states are given up now and then.
    pub(crate) kill: bool,
    /// Whether changes are hashed.
    pub(crate) trace: bool,
    /// Whether worlds with unwanted notes end.
    pub(crate) stop: bool,
}

/// What came of it.
pub(crate) struct Explored {
    pub(crate) found: Findings,
    /// States that there were in all.
    pub(crate) states: u32,
    pub(crate) counts: Counts,
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
    bits: u32,
}

impl Explored {
    pub(crate) fn compare(&self, expected: &Findings, what: &str) {
        // Assignments of bits that the system does not have count as zero.
        let mask = (0..256usize).filter(|assignment| assignment >> self.bits == 0);
        let mut relevant = Bits::FALSE;
        mask.for_each(|assignment| relevant.0[assignment / 64] |= 1 << (assignment % 64));
        let mut found = self.found.clone();
        found.worlds.values_mut().for_each(|condition| *condition = condition.and(relevant));
        assert_eq!(found.worlds.keys().len(), expected.worlds.keys().len(), "{what}: worlds");
        assert_eq!(found.worlds, expected.worlds, "{what}: worlds");
        assert_eq!(found.bugs, expected.bugs, "{what}: bugs");
        assert_eq!(found.deadlocks, expected.deadlocks, "{what}: deadlocks");
        assert_eq!(found.noted, expected.noted, "{what}: notes");
        assert_eq!(found.noted_at_end, expected.noted_at_end, "{what}: notes at the end");
        assert_eq!(self.counts.final_worlds, expected.worlds.len() as u64, "{what}: count");
        assert!(!self.counts.capped, "{what}: capped");
        assert_eq!(self.counts.dstates, 0, "{what}: dstates are left");
    }
}

struct State {
    toy: Toy,
    /// The constraints, each a function of the bits.
    constraints: Vec<Bits>,
    condition: Bits,
    running: bool,
    /// What was carried to it.
    carried: Vec<Carried>,
}

/// The owner of the toys.
struct Toys {
    carry: Carry,
    states: Vec<Option<State>>,
    free: Vec<StateId>,
    carried: Vec<Bits>,
    carried_ids: Map<Bits, u32>,
    made: u32,
    /// Arrivals that contradicted a state.
    refused: u32,
    /// What is assumed besides the conditions of states.
    assumed: Bits,
    /// Whether worlds with unwanted notes end.
    stop: bool,
    /// Notes, by number.
    notes: Vec<(Noted, bool)>,
}

impl Toys {
    fn add(&mut self, state: State) -> StateId {
        self.made += 1;
        // Numbers are used again, as they may be.
        let id = self.free.pop().unwrap_or_else(|| {
            self.states.push(None);
            StateId::from_index(self.states.len() - 1)
        });
        self.states[id.index()] = Some(state);
        id
    }

    fn get(&mut self, state: StateId) -> &mut State {
        self.states[state.index()].as_mut().expect("the state exists")
    }

    fn copied(&mut self, state: StateId) -> StateId {
        let State { toy, constraints, condition, running, carried } = self.get(state);
        let copy = State {
            toy: toy.clone(),
            constraints: constraints.clone(),
            condition: *condition,
            running: *running,
            carried: carried.clone(),
        };
        self.add(copy)
    }

    fn constrain(&mut self, state: StateId, constraint: Bits) {
        let state = self.get(state);
        state.condition = state.condition.and(constraint);
        if constraint != Bits::TRUE {
            state.constraints.push(constraint);
        }
        assert!(!state.condition.is_false(), "a state whose condition is false");
    }

    fn known_symbols(&mut self, state: StateId) -> u32 {
        let state = self.get(state);
        let values = state.constraints.iter().chain(&state.toy.registers).chain(&state.toy.inbox);
        values.fold(0, |mask, value| mask | value.support())
    }
}

impl Host for Toys {
    type Event = Bits;

    fn copy(&mut self, state: StateId) -> StateId {
        self.copied(state)
    }

    fn carried(&mut self, from: StateId, to: StateId) -> Carried {
        let mut symbols = self.known_symbols(to);
        let receiver = NodeId(self.get(to).toy.node);
        let sender = self.get(from);
        assert_ne!(NodeId(sender.toy.node), receiver, "a node carries nothing to itself");
        for sent in sender.toy.sent.iter().filter(|sent| sent.to == receiver) {
            symbols |= sent.event.support();
        }
        let mut left = sender.constraints.clone();
        let mut carried = Bits::TRUE;
        match self.carry {
            Carry::Nothing => {}
            Carry::Everything => carried = self.get(from).condition,
            Carry::Related => loop {
                let related = left.iter().position(|c| c.support() & symbols != 0);
                let Some(related) = related else { break };
                let constraint = left.remove(related);
                symbols |= constraint.support();
                carried = carried.and(constraint);
            },
        }
        // What the receiver knows already need not travel.
        if self.get(to).condition.and(carried.not()).is_false() {
            return Carried::NOTHING;
        }
        let next = self.carried.len() as u32;
        let id = *self.carried_ids.entry(carried).or_insert(next);
        if id == next {
            self.carried.push(carried);
        }
        Carried(id)
    }

    fn joins(&mut self, state: StateId, arrivals: &[Arrival<Bits>]) -> bool {
        let condition = self.get(state).condition;
        let joined = arrivals.iter().map(|arrival| self.carried[arrival.carried.0 as usize]);
        let joins = !joined.fold(condition, Bits::and).is_false();
        self.refused += u32::from(!joins);
        joins
    }

    fn jointly(&mut self, states: &[StateId]) -> bool {
        let assumed = self.assumed;
        let joined = states.iter().map(|&state| self.get(state).condition);
        !joined.fold(assumed, Bits::and).is_false()
    }

    fn examine(&mut self, combinations: &mut Combinations) -> Examined {
        let mut examined = Examined::default();
        let mut combined: Vec<Vec<StateId>> = vec![Vec::new()];
        for states in combinations.choices() {
            let longer = |world: &Vec<StateId>| {
                let world = world.clone();
                states.iter().map(move |state| [&world[..], &[*state]].concat())
            };
            combined = combined.iter().flat_map(longer).collect();
        }
        for world in combined {
            let toys: Vec<Toy> = world.iter().map(|&state| self.get(state).toy.clone()).collect();
            let new = |toy: &Toy| toy.news && toy.now == combinations.at();
            if !combinations.are_over() && !toys.iter().any(new) {
                continue;
            }
            let (places, odd) = notes(toys.iter());
            let choices: Vec<Vec<StateId>> = world.iter().map(|&state| vec![state]).collect();
            let mut exists = false;
            for (is_odd, condition) in [(true, odd), (false, odd.not())] {
                let mask = condition.support();
                let symbols: Vec<u32> = (0..32).filter(|bit| mask >> bit & 1 == 1).collect();
                self.assumed = condition;
                let found = combinations.find(self, &choices, &symbols);
                if let Some(world) = found.filter(|_| !condition.is_false()) {
                    exists = true;
                    assert!(combinations.is_world(self, &world), "what was found is a world");
                    examined.noted.push((world, self.notes.len() as u32));
                    self.notes.push(((places.clone(), is_odd), combinations.are_over()));
                }
            }
            self.assumed = Bits::TRUE;
            if self.stop && exists && !combinations.are_over() && is_unwanted(&places) {
                examined.ended.push(choices);
            }
        }
        examined
    }

    fn examines_ends(&self) -> bool {
        true
    }

    fn symbols(&mut self, state: StateId) -> SmallVec<[u32; 4]> {
        let mask = self.get(state).condition.support();
        (0..32).filter(|bit| mask >> bit & 1 == 1).collect()
    }

    fn waits(&mut self, state: StateId) -> bool {
        self.get(state).toy.waits()
    }
}

/// One universe and the states of it that can run.
struct Part {
    universe: Universe<Bits>,
    ready: Vec<StateId>,
}

struct Explorer {
    plan: Plan,
    toys: Toys,
    rng: Rng,
    result: Explored,
    /// Histories and conditions of states that are gone.
    gone: Set<(History, Vec<Carried>, Bits)>,
}

/// Explores a system to its end.
pub(crate) fn explore(system: &System, plan: Plan) -> Explored {
    let toys = Toys {
        carry: system.carry,
        states: Vec::new(),
        free: Vec::new(),
        carried: vec![Bits::TRUE],
        carried_ids: Map::default(),
        made: 0,
        refused: 0,
        assumed: Bits::TRUE,
        stop: plan.stop,
        notes: Vec::new(),
    };
    let result = Explored {
        found: Findings::default(),
        states: 0,
        counts: Counts::default(),
        runs: 0,
        refused: 0,
        killed: 0,
        trace: 0,
        parts: 1,
        bits: system.bits,
    };
    let rng = Rng::new(plan.seed ^ 0x5eed);
    let mut explorer = Explorer { plan, toys, rng, result, gone: Set::default() };
    let options =
        Options { mapping: plan.mapping, detect_stalled: plan.detect_stalled, world_cap: 1 << 20 };
    let mut universe = Universe::new(system.nodes(), options);
    universe.report_final(true);
    let mut first = Vec::new();
    for node in 0..system.nodes() {
        let state = State {
            toy: Toy::new(system, node),
            constraints: Vec::new(),
            condition: Bits::TRUE,
            running: false,
            carried: Vec::new(),
        };
        first.push((NodeId(node), explorer.toys.add(state), system.starts[node as usize]));
    }
    universe.begin(&mut explorer.toys, &first);
    let mut parts = vec![Part { universe, ready: Vec::new() }];
    let mut steps = 0;
    while let Some(mut part) = parts.pop() {
        explorer.apply(&mut part);
        while let Some(state) = explorer.choose(&mut part) {
            steps += 1;
            assert!(steps < 1_000_000, "no end: {plan:?}");
            explorer.run(&mut part, state);
            explorer.apply(&mut part);
            if plan.kill && explorer.rng.below(16) == 0 {
                explorer.kill(&mut part);
                explorer.apply(&mut part);
            }
            if plan.split && explorer.rng.below(4) == 0 {
                parts.extend(explorer.split(&mut part));
            }
        }
        assert!(part.universe.worlds(&mut explorer.toys, 1).is_empty());
        explorer.book(part.universe.counts());
    }
    assert!(explorer.toys.states.iter().all(Option::is_none), "states are left: {plan:?}");
    explorer.result.states = explorer.toys.made;
    explorer.result.refused = explorer.toys.refused;
    explorer.result
}

fn tell_news(universe: &mut Universe<Bits>, state: StateId, toy: &Toy) {
    if toy.news {
        universe.notable(state);
    }
}

impl Explorer {
    fn choose(&mut self, part: &mut Part) -> Option<StateId> {
        if part.ready.is_empty() {
            assert_eq!(part.universe.pick(&mut self.rng), None);
            return None;
        }
        let count = part.ready.len();
        let place = match self.plan.order {
            Order::Fifo => 0,
            Order::Lifo => count - 1,
            Order::Random => self.rng.below(count as u64) as usize,
            Order::Pick => {
                let state = part.universe.pick(&mut self.rng).expect("some state can run");
                part.ready.iter().position(|&ready| ready == state).expect("it is ready")
            }
        };
        Some(part.ready.remove(place))
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

    fn split(&mut self, part: &mut Part) -> Option<Part> {
        let universe = part.universe.split_off()?;
        let mut other = Part { universe, ready: Vec::new() };
        self.result.parts += 1;
        let mut ready = std::mem::take(&mut part.ready);
        ready.retain(|&state| {
            // Only the universe that has the state knows a world of it, if it has one at all.
            let here = part.universe.contains(state);
            assert_ne!(here, other.universe.contains(state));
            if !here {
                other.ready.push(state);
            }
            here
        });
        part.ready = ready;
        Some(other)
    }

    fn run(&mut self, part: &mut Part, id: StateId) {
        let universe = &mut part.universe;
        loop {
            let state = self.toys.get(id);
            assert!(state.running, "{id} runs without being activated");
            match state.toy.step() {
                Stop::Branch(value) => {
                    let condition = state.condition;
                    let (yes, no) = (condition.and(value), condition.and(value.not()));
                    if yes.is_false() || no.is_false() {
                        state.toy.decide(no.is_false());
                        continue;
                    }
                    self.result.runs += 1;
                    let child = self.toys.copied(id);
                    universe.branched(&mut self.toys, id, child);
                    self.toys.get(id).toy.decide(true);
                    self.toys.constrain(id, value);
                    self.toys.get(child).toy.decide(false);
                    self.toys.constrain(child, value.not());
                    part.ready.extend([child, id]);
                    return;
                }
                Stop::Wait(deadline) => {
                    let next = match deadline {
                        None => Next::Never,
                        Some(time) if time == state.toy.now.time && time % 2 == 0 => {
                            Next::NextRound
                        }
                        Some(time) => Next::At(time),
                    };
                    state.running = false;
                    let sent = state.toy.sent.clone();
                    tell_news(universe, id, &state.toy);
                    universe.blocked(&mut self.toys, id, next, false, sent);
                    return;
                }
                Stop::Exited => {
                    state.running = false;
                    let sent = state.toy.sent.clone();
                    tell_news(universe, id, &state.toy);
                    universe.blocked(&mut self.toys, id, Next::Never, true, sent);
                    return;
                }
                Stop::Bug => {
                    state.running = false;
                    let history = state.toy.history();
                    if universe.world_with(&mut self.toys, id).is_some() {
                        self.result.found.bugs.insert(history);
                    }
                    tell_news(universe, id, &self.toys.get(id).toy);
                    universe.ended(&mut self.toys, id);
                    return;
                }
            }
        }
    }

    /// Does what the universe wants done.
    fn apply(&mut self, part: &mut Part) {
        for change in part.universe.changes() {
            if self.plan.trace {
                self.result.trace = hash_one(&(self.result.trace, format!("{change:?}")));
            }
            match change {
                Change::Run { state, at, arrivals, .. } => {
                    self.result.runs += 1;
                    self.activate(state, at, &arrivals);
                    part.ready.push(state);
                }
                Change::Copied { state, from } => {
                    assert_ne!(self.plan.mapping, MappingKind::Sds, "sds copies to run only");
                    let running = self.toys.get(state).running;
                    assert_eq!(running, self.toys.get(from).running);
                    if running {
                        part.ready.push(state);
                    }
                }
                Change::Gone { state, why } => {
                    part.ready.retain(|&ready| ready != state);
                    self.free(state, why);
                }
                Change::Deadlock { state, world } => {
                    assert!(self.toys.jointly(&world) && world.contains(&state));
                    let history = self.toys.get(state).toy.history();
                    self.result.found.deadlocks.insert(history);
                }
                Change::Noted { world, note } => {
                    assert!(self.toys.jointly(&world));
                    let (noted, at_end) = self.toys.notes[note as usize].clone();
                    let found = &mut self.result.found;
                    let notes = if at_end { &mut found.noted_at_end } else { &mut found.noted };
                    notes.insert(noted);
                }
                Change::Final { members, .. } => self.finish(&members),
            }
        }
    }

    fn activate(&mut self, state: StateId, at: everett_world::Stamp, arrivals: &[Arrival<Bits>]) {
        for arrival in arrivals {
            let carried = self.toys.carried[arrival.carried.0 as usize];
            self.toys.constrain(state, carried);
            self.toys.get(state).carried.push(arrival.carried);
        }
        let received: Vec<Received> =
            arrivals.iter().map(|a| (a.at, a.from.0, a.number, a.event)).collect();
        let state = self.toys.get(state);
        assert!(!std::mem::replace(&mut state.running, true), "it runs already");
        state.toy.wake(at, &received);
    }

    fn free(&mut self, id: StateId, why: Gone) {
        let state = self.toys.states[id.index()].take().expect("only once");
        self.toys.free.push(id);
        if self.plan.kill {
            return;
        }
        assert!(!state.running, "a running state is gone");
        assert_eq!(why == Gone::Ended, state.toy.why == "bug");
        if matches!(self.plan.mapping, MappingKind::Sds) {
            let new = self.gone.insert((state.toy.history(), state.carried, state.condition));
            assert!(new, "{:?}: two states that could be one: {:?}", self.plan, state.toy);
        }
    }

    /// Books the worlds of a final dstate.
    fn finish(&mut self, members: &[Vec<StateId>]) {
        let mut worlds: Vec<(Vec<History>, Bits)> = vec![(Vec::new(), Bits::TRUE)];
        for states in members {
            let mut longer = Vec::new();
            for (world, condition) in &worlds {
                for &state in states {
                    let state = self.toys.get(state);
                    let condition = condition.and(state.condition);
                    if !condition.is_false() {
                        let mut world = world.clone();
                        world.push(state.toy.history());
                        longer.push((world, condition));
                    }
                }
            }
            worlds = longer;
        }
        for (world, condition) in worlds {
            let old = self.result.found.worlds.insert(world, condition);
            assert!(old.is_none(), "a world twice: {:?}", self.plan);
        }
    }

    fn book(&mut self, counts: Counts) {
        let total = &mut self.result.counts;
        total.final_worlds += counts.final_worlds;
        total.capped |= counts.capped;
        total.dstates += counts.dstates;
        total.copies += counts.copies;
        total.splits += counts.splits;
    }
}
