//! Answers to what the set of worlds asks about the engine's states.
//!
//! [`everett_world::Universe`] keeps the books over state numbers; [`EngineStateOwner`] holds the states
//! behind the numbers and answers with the solver: whether states can exist together, and which
//! constraints of a sender its receiver has to take over.

use everett_base::hash::Set;
use everett_expr::{Pool, Support, TermId};
use everett_posix::{Guest, SharedMessage, TakenFault, place_of_waiting};
use everett_solver::{PathCondition, SolverChain, SolverError};
use everett_world::{
    ActivationSharing, Arrival, CarriedConstraints, ExaminationResult, NextWake, NodeId, Rest,
    Stamp, StateCombinations, StateId, StateOwner,
};
use smallvec::SmallVec;

use crate::api::dropped::DropReason;
use crate::parallel::context::RunContext;
use crate::results::counters::RunCounters;
use crate::state::conditions::MessageBaggage;
use crate::state::node_state::{FaultBudget, NodeLinks, PathState, SpentBudget, StateRunner};
use crate::worlds::budgets::{LAST_SYMBOL, count, limited, stands_for_faults};
use crate::worlds::invariants::InvariantChecker;
use crate::worlds::state_table::StateTable;

/// The owner of all parked states, which answers what the set of worlds asks about them.
pub(crate) struct EngineStateOwner<'r, 'a> {
    pub(crate) context: &'r RunContext<'a>,
    pub(crate) states: &'r mut StateTable,
    pub(crate) solver: &'r mut SolverChain,
    pub(crate) counters: &'r mut RunCounters,
    invariants: &'r mut InvariantChecker,
    /// A condition that is assumed besides those of states, while a world is searched.
    assumed: Option<TermId>,
    /// The states that were joined last, each with the joined condition up to it. Searches go from one
    /// combination to one with the same beginning.
    joined: Vec<(StateId, PathCondition)>,
    /// By node, whether its states have bytes in common with what they are joined with, while worlds
    /// are examined; empty otherwise.
    pub(crate) tied: SmallVec<[bool; 16]>,
    /// The number of times that it was asked whether the run is over.
    asked: u32,
}

/// Questions between two looks at the clock and the memory.
const QUESTIONS_BETWEEN_CHECKS: u32 = 1024;

impl<'r, 'a> EngineStateOwner<'r, 'a> {
    pub(crate) fn new(
        context: &'r RunContext<'a>,
        states: &'r mut StateTable,
        solver: &'r mut SolverChain,
        counters: &'r mut RunCounters,
        invariants: &'r mut InvariantChecker,
    ) -> Self {
        EngineStateOwner {
            context,
            states,
            solver,
            counters,
            invariants,
            assumed: None,
            joined: Vec::new(),
            tied: SmallVec::new(),
            asked: 0,
        }
    }

    /// A state, by its number.
    pub(crate) fn state(&self, id: StateId) -> &PathState {
        self.states.get(id).expect("a state in a world is there")
    }

    /// A world out of these states in which the condition can hold, by node.
    pub(crate) fn find(
        &mut self,
        combinations: &mut StateCombinations,
        choices: &[impl AsRef<[StateId]>],
        condition: TermId,
    ) -> Option<Vec<StateId>> {
        let pool = self.context.pool;
        debug_assert_ne!(pool.as_const(condition), Some(0));
        if pool.as_const(condition).is_some() {
            return combinations.find(self, choices, &[]);
        }
        let symbols = symbols(pool, pool.support(condition));
        self.assuming(combinations, condition, &symbols, |owner, combinations| {
            combinations.find(owner, choices, &symbols)
        })
    }

    /// Returns `true` if the condition can hold in a world.
    pub(crate) fn can_hold(
        &mut self,
        combinations: &mut StateCombinations,
        world: &[StateId],
        condition: TermId,
    ) -> bool {
        let pool = self.context.pool;
        let symbols = symbols(pool, pool.support(condition));
        self.assuming(combinations, condition, &symbols, |owner, combinations| {
            combinations.is_world(owner, world)
        })
    }

    /// Asks something while a condition over these symbols is assumed.
    fn assuming<T>(
        &mut self,
        combinations: &mut StateCombinations,
        condition: TermId,
        symbols: &[u32],
        ask: impl FnOnce(&mut Self, &mut StateCombinations) -> T,
    ) -> T {
        let usual = std::mem::replace(&mut self.tied, tied(combinations, symbols));
        self.assumed = Some(condition);
        self.joined.clear();
        let answer = ask(self, combinations);
        self.tied = usual;
        self.assumed = None;
        self.joined.clear();
        answer
    }

    /// Returns `true` if the conditions of states, and what is assumed, can hold together.
    fn join_all(&mut self, states: &[StateId]) -> Result<bool, SolverError> {
        // A condition holds if nobody knows its bytes but the path that it is of.
        let is_tied =
            |id: &StateId| self.tied.is_empty() || self.tied[self.state(*id).extra.of.index()];
        let states: SmallVec<[StateId; 8]> = states.iter().copied().filter(is_tied).collect();
        let same = |((known, _), state): (&(StateId, PathCondition), &StateId)| known == state;
        let common = self.joined.iter().zip(&states).take_while(|pair| same(*pair)).count();
        self.joined.truncate(common);
        let pool = self.context.pool;
        let mut joined = self.joined.last().map(|(_, joined)| joined.clone());
        for &id in &states[common..] {
            let path = self.state(id).path.clone();
            let joined = match &mut joined {
                Some(joined) => {
                    if !joined.join(self.solver, pool, &path)? {
                        return Ok(false);
                    }
                    joined
                }
                // The first of them knows values that fit, often also for what is assumed.
                None => {
                    let first = joined.insert(path);
                    if let Some(assumed) = self.assumed
                        && !first.assume(self.solver, pool, assumed)?
                    {
                        return Ok(false);
                    }
                    first
                }
            };
            self.joined.push((id, joined.clone()));
        }
        match (joined, self.assumed) {
            (None, Some(assumed)) => PathCondition::new().assume(self.solver, pool, assumed),
            _ => Ok(true),
        }
    }

    /// The constraints of a sender that a receiver has to take over.
    fn carried_terms(&self, from: StateId, to: StateId) -> Vec<TermId> {
        let sender = self.state(from);
        if sender.path.is_empty() {
            return Vec::new();
        }
        let receiver = self.state(to);
        let NodeLinks { received, .. } = receiver.extra.links();
        let mut concerned = sender.extra.links().sent.union(received);
        // What the receiver made symbolic itself can have come to the sender only by messages.
        if !sender.extra.links().received.is_empty() {
            concerned = concerned.union(&own_bytes(self.context.pool, receiver));
        }
        if concerned.is_empty() {
            return Vec::new();
        }
        let mut set = sender.path.connected(self.context.pool, &concerned);
        if !set.is_empty() {
            // What the receiver knows already tells its states apart from nobody.
            let known: Set<TermId> = receiver.path.constraints().collect();
            set.retain(|constraint| !known.contains(constraint));
        }
        set
    }

    /// Faults that a sender knows of and a receiver does not, of kinds that are limited in a world.
    fn carried_spending(&self, from: StateId, to: StateId) -> Vec<SpentBudget> {
        let (sender, receiver) = (self.state(from), self.state(to));
        let mut all = sender.extra.links().spent.clone();
        if sender.extra.node().faults().are_used() {
            let own = limited(self.context).filter_map(|(of, _)| {
                let count = count(self.context, sender, of);
                (count > 0).then_some(SpentBudget { node: sender.extra.of, of, count })
            });
            own.for_each(|spent| spent.add_to(&mut all));
        }
        let known = &receiver.extra.links().spent;
        all.retain(|spent| {
            let is_known = |other: &SpentBudget| other.is_same(spent) && other.count >= spent.count;
            spent.node != receiver.extra.of && !known.iter().any(is_known)
        });
        all
    }

    /// Returns `true` if a world may have the faults of a state, those that it knows of and these.
    fn can_afford(&self, state: StateId, more: &[SpentBudget]) -> bool {
        let st = self.state(state);
        let mut known = st.extra.links().spent.clone();
        more.iter().for_each(|spent| spent.add_to(&mut known));
        limited(self.context).all(|(of, most)| {
            let others = known.iter().filter(|spent| spent.of == of).map(|spent| spent.count);
            count(self.context, st, of) + others.sum::<u32>() <= most
        })
    }

    /// Returns `true` if states have no more faults together than a world may.
    fn within_budgets(&self, states: &[StateId]) -> bool {
        limited(self.context).all(|(of, most)| {
            let counts = states.iter().map(|id| count(self.context, self.state(*id), of));
            counts.sum::<u32>() <= most
        })
    }

    /// Takes to be possible what the solver cannot decide, and counts the loss.
    fn decided(&mut self, answer: Result<bool, SolverError>) -> bool {
        answer.unwrap_or_else(|_| {
            self.counters.drop(DropReason::SolverTimeout);
            true
        })
    }
}

impl StateOwner for EngineStateOwner<'_, '_> {
    type Message = SharedMessage;

    fn chance(&self, state: StateId) -> f64 {
        self.states.get(state).map_or(0.0, |st| st.extra.mark.chance())
    }

    fn copy(&mut self, state: StateId) -> StateId {
        let st = self.states.get_mut(state).expect("a state in a world is there");
        let (copy, has_name) = (st.copy(), st.extra.twin().is_some());
        let id = self.states.add(self.context, copy);
        self.counters.created(self.states.parked_count(), has_name);
        id
    }

    fn activate(
        &mut self,
        state: StateId,
        at: Stamp,
        arrivals: &[Arrival<SharedMessage>],
        itself: bool,
    ) -> StateId {
        let context = self.context;
        let st = self.states.get(state).expect("a state in a world is there");
        if st.extra.is_shared {
            let number = || self.states.new_id(context);
            let activated = context.shared_states.activate(state, at, arrivals, number);
            let st = self.states.get_mut(state).expect("just seen");
            match activated {
                ActivationSharing::Alone => st.extra.is_shared = false,
                ActivationSharing::Shared(activation, id) => {
                    let mut copy = st.copy();
                    copy.covered_new = itself && st.covered_new;
                    copy.extra.id = id;
                    copy.extra.is_shared = false;
                    copy.extra.running = StateRunner::Open(activation);
                    context.remember();
                    self.states.insert(copy);
                    self.counters.are_alive(self.states.parked_count());
                    return id;
                }
            }
        }
        if itself { state } else { self.copy(state) }
    }

    fn carried(&mut self, from: StateId, to: StateId) -> CarriedConstraints {
        let (terms, spent) = (self.carried_terms(from, to), self.carried_spending(from, to));
        self.context.constraints.number(MessageBaggage { terms, spent })
    }

    fn joins(&mut self, state: StateId, arrivals: &[Arrival<SharedMessage>]) -> bool {
        let carried =
            arrivals.iter().filter(|arrival| arrival.carried != CarriedConstraints::NOTHING);
        let constraints = &self.context.constraints;
        let (mut terms, mut spent) = (Vec::new(), Vec::new());
        for arrival in carried {
            terms.extend_from_slice(constraints.get(arrival.carried));
            spent.extend_from_slice(constraints.spent(arrival.carried));
        }
        if !spent.is_empty() && !self.can_afford(state, &spent) {
            return false;
        }
        if terms.is_empty() {
            return true;
        }
        let mut path = self.state(state).path.clone();
        let answer = path.assume_all(self.solver, self.context.pool, terms);
        self.decided(answer)
    }

    fn jointly(&mut self, states: &[StateId]) -> bool {
        if !self.within_budgets(states) {
            return false;
        }
        let answer = self.join_all(states);
        self.decided(answer)
    }

    fn symbols(&mut self, state: StateId) -> SmallVec<[u32; 4]> {
        let pool = self.context.pool;
        let mut symbols = symbols(pool, &self.state(state).path.support(pool));
        // Faults of a kind that is limited in a world tie nodes together, as a common byte does.
        let st = self.state(state);
        if st.extra.node().faults().are_used() {
            let limited = limited(self.context).map(|(of, _)| of);
            let happened = limited.filter(|of| count(self.context, st, *of) > 0);
            symbols.extend(happened.map(|of| match of {
                FaultBudget::Kind(kind) => LAST_SYMBOL - u32::from(kind.number()),
                FaultBudget::Link(number) => LAST_SYMBOL - u32::from(u16::MAX) - 1 - number,
            }));
        }
        symbols
    }

    fn is_over(&mut self) -> bool {
        self.asked += 1;
        if self.asked.is_multiple_of(QUESTIONS_BETWEEN_CHECKS)
            && let Some(halt) = self.context.reached_limit()
        {
            self.context.exchange.halt(halt);
        }
        self.context.exchange.is_over() && self.context.exchange.why_cut_off().is_some()
    }

    fn examine(&mut self, combinations: &mut StateCombinations) -> ExaminationResult {
        let clock = &self.context.config.clock;
        let began = clock.now();
        self.tied = tied(combinations, &[]);
        let mut invariants = std::mem::take(self.invariants);
        let examined = invariants.examine(self, combinations);
        *self.invariants = invariants;
        self.tied.clear();
        self.counters.invariants.time += clock.now().saturating_sub(began);
        examined
    }

    fn examines_ends(&self) -> bool {
        let program = self.context.config.invariants.as_ref();
        program.is_some_and(|program| program.due(true).next().is_some())
    }

    fn waits(&mut self, state: StateId) -> bool {
        let st = self.state(state);
        let node = st.extra.node();
        let server = self.context.nodes()[st.extra.of.index()].server;
        let is_up = !node.has_exited() && !node.is_down();
        is_up && !server.unwrap_or_else(|| node.awaits_work())
    }

    fn rest(&mut self, state: StateId, next: NextWake) -> Rest {
        let st = self.state(state);
        let node = st.extra.node();
        let server = self.context.nodes()[st.extra.of.index()].server;
        let begun = st.extra.activated();
        if st.extra.boot.begins_after(begun) {
            return Rest::Busy;
        }
        if !node.rests(next, server) {
            return Rest::Busy;
        }
        // What the environment does is no timer.
        let is_new = |taken: &TakenFault| taken.time_ns >= begun.time;
        let faults = node.faults();
        let has_fault = faults.are_used() && faults.taken().iter().any(is_new);
        match has_fault {
            true => Rest::Stirred,
            false if next == NextWake::Never => Rest::Idle { place: 0 },
            false => Rest::Idle { place: place_of_waiting(st) },
        }
    }
}

/// By node, whether its states have bytes in common with other nodes, or with a condition over these
/// symbols.
fn tied(combinations: &mut StateCombinations, condition: &[u32]) -> SmallVec<[bool; 16]> {
    let bytes = |symbol: &u32| !stands_for_faults(*symbol);
    let common: SmallVec<[u32; 8]> =
        combinations.shared_symbols().iter().chain(condition).copied().filter(bytes).collect();
    let nodes = (0..combinations.choices().len()).map(NodeId::from_index);
    let is_tied = |node| {
        let mut symbols = combinations.symbols(node).iter();
        !common.is_empty() && symbols.any(|symbol| common.contains(symbol))
    };
    nodes.map(is_tied).collect()
}

/// The symbols that bytes belong to.
fn symbols(pool: &Pool, support: &Support) -> SmallVec<[u32; 4]> {
    let mut symbols: SmallVec<[u32; 4]> =
        support.iter().map(|var| pool.var_owner(var).0.index() as u32).collect();
    symbols.dedup();
    symbols
}

/// Bytes of the inputs that a state has made symbolic itself.
fn own_bytes(pool: &Pool, st: &PathState) -> Support {
    st.inputs.iter().fold(Support::default(), |support, input| {
        let bytes = 0..pool.symbol_size(input.symbol);
        bytes.fold(support, |support, i| support.union(pool.support(pool.byte(input.symbol, i))))
    })
}
