//! The states of toy nodes, and what a universe asks about them.

use std::sync::Arc;

use everett_base::Map;
use everett_world::{
    ActivationId, ActivationSharing, Arrival, CarriedConstraints, ExaminationResult, NextWake,
    NodeId, Rest, SharedStateTable, Stamp, StateCombinations, StateId, StateOwner,
};
use smallvec::SmallVec;

use crate::bits::Bits;
use crate::pending::PendingMessages;
use crate::program::{Carry, Noted, Toy, is_unwanted, notes};

#[derive(Clone)]
pub(crate) struct State {
    pub(crate) toy: Toy,
    /// Messages that have come to a node that looks for them.
    pub(crate) pending: PendingMessages,
    /// The constraints, each a function of the bits.
    pub(crate) constraints: Vec<Bits>,
    pub(crate) condition: Bits,
    /// The chance of its path if each side of a fork is as likely as the other.
    pub(crate) chance: f64,
    pub(crate) running: bool,
    /// What was carried to it.
    pub(crate) carried: Vec<CarriedConstraints>,
    /// Whether other universes have it, or may come to have it.
    pub(crate) is_shared: bool,
    /// The activation in which it is to run, which others may have claimed, or runs.
    pub(crate) activation: Option<ActivationId>,
    pub(crate) ours: bool,
    /// What it is activated with when it is its turn.
    pub(crate) due: Option<(Stamp, Vec<Arrival<Bits>>)>,
}

impl State {
    pub(crate) fn new(toy: Toy, pending: PendingMessages) -> State {
        State {
            toy,
            pending,
            constraints: Vec::new(),
            condition: Bits::TRUE,
            chance: 1.0,
            running: false,
            carried: Vec::new(),
            is_shared: false,
            activation: None,
            ours: false,
            due: None,
        }
    }
}

/// What a state has come to.
pub(crate) struct End {
    pub(crate) state: State,
    /// When it goes on, and whether it has exited; none if it has ended.
    pub(crate) blocked: Option<(NextWake, bool)>,
}

/// The owner of the toys of one universe.
pub(crate) struct Toys {
    pub(crate) carry: Carry,
    pub(crate) states: Map<StateId, State>,
    /// What is known of states of several universes.
    pub(crate) shared_states: Arc<SharedStateTable<Bits, End, ()>>,
    pub(crate) next: u32,
    pub(crate) free: Vec<StateId>,
    pub(crate) carried: Vec<Bits>,
    pub(crate) carried_ids: Map<Bits, u32>,
    pub(crate) made: u32,
    /// Arrivals that contradicted a state.
    pub(crate) refused: u32,
    /// What is assumed besides the conditions of states.
    pub(crate) assumed: Bits,
    /// The most deviations from the fixed order in a world.
    pub(crate) most_deviations: u32,
    /// The most faults in a world.
    pub(crate) most_faults: u32,
    /// Whether worlds with unwanted notes end.
    pub(crate) stop: bool,
    /// Notes, by number.
    pub(crate) notes: Vec<(Noted, bool)>,
}

impl Toys {
    pub(crate) fn number(&mut self) -> StateId {
        // Numbers are used again, as they may be.
        self.free.pop().unwrap_or_else(|| {
            self.next += 1;
            StateId(self.next - 1)
        })
    }

    pub(crate) fn add(&mut self, state: State) -> StateId {
        self.made += 1;
        let id = self.number();
        self.states.insert(id, state);
        id
    }

    pub(crate) fn get(&mut self, state: StateId) -> &mut State {
        self.states.get_mut(&state).expect("the state exists")
    }

    pub(crate) fn copied(&mut self, state: StateId) -> StateId {
        let copy = self.get(state).clone();
        self.add(copy)
    }

    pub(crate) fn constrain(&mut self, state: StateId, constraint: Bits) {
        let state = self.get(state);
        state.condition = state.condition.and(constraint);
        if constraint != Bits::TRUE {
            state.constraints.push(constraint);
        }
        assert!(!state.condition.is_false(), "a state whose condition is false");
    }

    /// Returns true if the states have no more deviations from the fixed order, and no more faults, than a
    /// world may have.
    pub(crate) fn within_budget(&mut self, states: &[StateId]) -> bool {
        let (mut deviations, mut faults) = (0, 0);
        for &state in states {
            let state = self.get(state);
            deviations += state.pending.deviations();
            faults += state.toy.fault_count();
        }
        deviations <= self.most_deviations && faults <= self.most_faults
    }

    pub(crate) fn known_symbols(&mut self, state: StateId) -> u32 {
        let state = self.get(state);
        let values = state.constraints.iter().chain(&state.toy.registers).chain(&state.toy.inbox);
        values.chain(state.pending.values()).fold(0, |mask, value| mask | value.support())
    }
}

/// Stands for the budget of deviations among the bits that states depend on.
const DEVIATIONS: u32 = 1 << 31;
/// The same for the budget of faults.
const FAULTS: u32 = 1 << 30;

impl StateOwner for Toys {
    type Message = Bits;

    fn copy(&mut self, state: StateId) -> StateId {
        self.copied(state)
    }

    fn activate(
        &mut self,
        state: StateId,
        at: Stamp,
        arrivals: &[Arrival<Bits>],
        itself: bool,
    ) -> StateId {
        if !self.get(state).is_shared {
            return if itself { state } else { self.copied(state) };
        }
        let shared_states = self.shared_states.clone();
        match shared_states.activate(state, at, arrivals, || self.number()) {
            ActivationSharing::Alone => {
                self.get(state).is_shared = false;
                if itself { state } else { self.copied(state) }
            }
            ActivationSharing::Shared(activation, id) => {
                let copy = self.get(state).clone();
                let copy =
                    State { is_shared: false, activation: Some(activation), ours: false, ..copy };
                let old = self.states.insert(id, copy);
                assert!(old.is_none(), "{id} runs twice here");
                id
            }
        }
    }

    fn carried(&mut self, from: StateId, to: StateId) -> CarriedConstraints {
        let mut symbols = self.known_symbols(to);
        let receiver = NodeId(self.get(to).toy.node);
        let sender = self.get(from);
        assert_ne!(NodeId(sender.toy.node), receiver, "a node carries nothing to itself");
        for sent in sender.toy.sent.iter().filter(|sent| sent.to == receiver) {
            symbols |= sent.message.support();
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
            return CarriedConstraints::NOTHING;
        }
        let next = self.carried.len() as u32;
        let id = *self.carried_ids.entry(carried).or_insert(next);
        if id == next {
            self.carried.push(carried);
        }
        CarriedConstraints(id)
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
        if !self.within_budget(states) {
            return false;
        }
        let joined = states.iter().map(|&state| self.get(state).condition);
        !joined.fold(assumed, Bits::and).is_false()
    }

    fn examine(&mut self, combinations: &mut StateCombinations) -> ExaminationResult {
        let mut examined = ExaminationResult::default();
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
        let state = self.get(state);
        // States that have used a part of a budget depend on each other, as if they had a bit in common.
        let budget = if state.pending.deviations() > 0 { DEVIATIONS } else { 0 };
        let faults = if state.toy.fault_count() > 0 { FAULTS } else { 0 };
        let mask = state.condition.support() | budget | faults;
        (0..32).filter(|bit| mask >> bit & 1 == 1).collect()
    }

    fn chance(&self, state: StateId) -> f64 {
        self.states[&state].chance
    }

    fn waits(&mut self, state: StateId) -> bool {
        self.get(state).toy.waits()
    }

    fn rest(&mut self, state: StateId, _: NextWake) -> Rest {
        self.get(state).toy.rest()
    }
}
