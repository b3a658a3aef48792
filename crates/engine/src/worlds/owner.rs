//! What the set of worlds asks about the engine's states.
//!
//! [`everett_world::Universe`] keeps the books over state numbers; [`Owner`] holds the states behind
//! the numbers and answers with the solver: whether states can exist together, and which
//! constraints of a sender its receiver has to take over.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use everett_base::hash::{Map, Set};
use everett_expr::{Pool, Support, TermId};
use everett_interp::Stop;
use everett_memory::ByteValue;
use everett_net::Event;
use everett_posix::{Guest, Payload, Taken, Wake};
use everett_solver::{PathCondition, SolverChain, SolverError};
use everett_world::{
    Activated, Arrival, Carried, Combinations, Examined, Host, Next, NodeId, Rest, Sent, Stamp,
    StateId,
};
use smallvec::SmallVec;

use crate::api::report::DropReason;
use crate::parallel::context::Shared;
use crate::primitives::St;
use crate::results::counters::Books;
use crate::state::node_state::{Budget, Links, Message, Record, Running, Spent};
use crate::worlds::invariants::Invariants;

/// What travels with messages, numbered; shared by all workers.
#[derive(Default)]
pub(crate) struct Constraints {
    sets: boxcar::Vec<Arc<Baggage>>,
    numbers: Mutex<Map<Arc<Baggage>, u32>>,
}

/// What travels with a message, besides the message.
#[derive(Default, PartialEq, Eq, Hash)]
struct Baggage {
    /// Constraints that the receiver takes over.
    terms: Vec<TermId>,
    /// Faults that have happened, which leave fewer to the receiver.
    spent: Vec<Spent>,
}

impl Constraints {
    fn number(&self, baggage: Baggage) -> Carried {
        if baggage.terms.is_empty() && baggage.spent.is_empty() {
            return Carried::NOTHING;
        }
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        let number = numbers.entry(Arc::new(baggage)).or_insert_with_key(|baggage| {
            // Zero stands for nothing.
            self.sets.push(baggage.clone()) as u32 + 1
        });
        Carried(*number)
    }

    fn baggage(&self, carried: Carried) -> Option<&Baggage> {
        self.sets.get((carried.0 as usize).checked_sub(1)?).map(|baggage| &**baggage)
    }

    /// The constraints of a number.
    pub(crate) fn get(&self, carried: Carried) -> &[TermId] {
        self.baggage(carried).map_or(&[], |baggage| &baggage.terms)
    }

    fn spent(&self, carried: Carried) -> &[Spent] {
        self.baggage(carried).map_or(&[], |baggage| &baggage.spent)
    }
}

/// The owner of all states that do not run at this moment.
pub(crate) struct Owner<'r, 'a> {
    pub(crate) shared: &'r Shared<'a>,
    pub(crate) states: &'r mut Map<StateId, Box<St>>,
    pub(crate) solver: &'r mut SolverChain,
    pub(crate) books: &'r mut Books,
    pub(crate) ids: &'r mut Range<u32>,
    pub(crate) invariants: &'r mut Invariants,
    /// What is assumed besides the conditions of states, while a world is searched.
    pub(crate) assumed: Option<TermId>,
    /// The states that were joined last, each with the joined condition up to it. Searches go from one
    /// combination to one with the same beginning.
    pub(crate) joined: Vec<(StateId, PathCondition)>,
    /// By node, whether its states have bytes in common with what they are joined with, while worlds
    /// are examined; empty otherwise.
    pub(crate) tied: SmallVec<[bool; 16]>,
    /// How often it was asked whether the run is over.
    pub(crate) asked: u32,
}

/// How often it is asked between two looks at the clock and the memory.
const QUESTIONS_BETWEEN_CHECKS: u32 = 1024;

impl Owner<'_, '_> {
    /// A state, by its number.
    pub(crate) fn state(&self, id: StateId) -> &St {
        self.states.get(&id).expect("a state in a world is there")
    }

    /// A world out of these states in which the condition can hold, by node.
    pub(crate) fn find(
        &mut self,
        combinations: &mut Combinations,
        choices: &[impl AsRef<[StateId]>],
        condition: TermId,
    ) -> Option<Vec<StateId>> {
        let pool = self.shared.pool;
        debug_assert_ne!(pool.as_const(condition), Some(0));
        if pool.as_const(condition).is_some() {
            return combinations.find(self, choices, &[]);
        }
        let symbols = symbols(pool, pool.support(condition));
        self.assuming(combinations, condition, &symbols, |owner, combinations| {
            combinations.find(owner, choices, &symbols)
        })
    }

    /// Whether the condition can hold in a world.
    pub(crate) fn can_hold(
        &mut self,
        combinations: &mut Combinations,
        world: &[StateId],
        condition: TermId,
    ) -> bool {
        let pool = self.shared.pool;
        let symbols = symbols(pool, pool.support(condition));
        self.assuming(combinations, condition, &symbols, |owner, combinations| {
            combinations.is_world(owner, world)
        })
    }

    /// Asks something while a condition over these symbols is assumed.
    fn assuming<T>(
        &mut self,
        combinations: &mut Combinations,
        condition: TermId,
        symbols: &[u32],
        ask: impl FnOnce(&mut Self, &mut Combinations) -> T,
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

    /// Whether the conditions of states, and what is assumed, can hold together.
    fn join_all(&mut self, states: &[StateId]) -> Result<bool, SolverError> {
        // A condition holds if nobody knows its bytes but the path that it is of.
        let is_tied =
            |id: &StateId| self.tied.is_empty() || self.tied[self.state(*id).extra.of.index()];
        let states: SmallVec<[StateId; 8]> = states.iter().copied().filter(is_tied).collect();
        let same = |((known, _), state): (&(StateId, PathCondition), &StateId)| known == state;
        let common = self.joined.iter().zip(&states).take_while(|pair| same(*pair)).count();
        self.joined.truncate(common);
        let pool = self.shared.pool;
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
        let Links { received, .. } = receiver.extra.links();
        let mut concerned = sender.extra.links().sent.union(received);
        // What the receiver made symbolic itself can have come to the sender only by messages.
        if !sender.extra.links().received.is_empty() {
            concerned = concerned.union(&own_bytes(self.shared.pool, receiver));
        }
        if concerned.is_empty() {
            return Vec::new();
        }
        let mut set = sender.path.connected(self.shared.pool, &concerned);
        if !set.is_empty() {
            // What the receiver knows already tells its states apart from nobody.
            let known: Set<TermId> = receiver.path.constraints().collect();
            set.retain(|constraint| !known.contains(constraint));
        }
        set
    }

    /// Faults that a sender knows of and a receiver does not, of kinds that are limited in a world.
    fn carried_spending(&self, from: StateId, to: StateId) -> Vec<Spent> {
        let (sender, receiver) = (self.state(from), self.state(to));
        let mut all = sender.extra.links().spent.clone();
        if sender.extra.node().faults().are_used() {
            let own = limited(self.shared).filter_map(|(of, _)| {
                let count = count(self.shared, sender, of);
                (count > 0).then_some(Spent { node: sender.extra.of, of, count })
            });
            own.for_each(|spent| spent.add_to(&mut all));
        }
        let known = &receiver.extra.links().spent;
        all.retain(|spent| {
            let is_known = |other: &Spent| other.is_same(spent) && other.count >= spent.count;
            spent.node != receiver.extra.of && !known.iter().any(is_known)
        });
        all
    }

    /// Whether a world may have the faults of a state, those that it knows of and these.
    fn can_afford(&self, state: StateId, more: &[Spent]) -> bool {
        let st = self.state(state);
        let mut known = st.extra.links().spent.clone();
        more.iter().for_each(|spent| spent.add_to(&mut known));
        limited(self.shared).all(|(of, most)| {
            let others = known.iter().filter(|spent| spent.of == of).map(|spent| spent.count);
            count(self.shared, st, of) + others.sum::<u32>() <= most
        })
    }

    /// Whether states have no more faults together than a world may.
    fn within_budgets(&self, states: &[StateId]) -> bool {
        limited(self.shared).all(|(of, most)| {
            let counts = states.iter().map(|id| count(self.shared, self.state(*id), of));
            counts.sum::<u32>() <= most
        })
    }

    /// What the solver cannot decide is taken to be possible; the loss is counted.
    fn decided(&mut self, answer: Result<bool, SolverError>) -> bool {
        answer.unwrap_or_else(|_| {
            self.books.drop(DropReason::SolverTimeout);
            true
        })
    }
}

impl Host for Owner<'_, '_> {
    type Event = Message;

    fn copy(&mut self, state: StateId) -> StateId {
        let st = self.states.get_mut(&state).expect("a state in a world is there");
        let mut copy = st.copy();
        let id = self.shared.new_id(self.ids);
        self.shared.remember();
        copy.extra.id = id;
        self.states.insert(id, copy);
        self.books.created(self.states.len() as u64);
        id
    }

    fn activate(
        &mut self,
        state: StateId,
        at: Stamp,
        arrivals: &[Arrival<Message>],
        itself: bool,
    ) -> StateId {
        let shared = self.shared;
        let st = self.states.get_mut(&state).expect("a state in a world is there");
        if st.extra.is_twin {
            let number = || shared.new_id(self.ids);
            match shared.twins.activate(state, at, arrivals, number) {
                Activated::Alone => st.extra.is_twin = false,
                Activated::Shared(activation, id) => {
                    let mut copy = st.copy();
                    copy.covered_new = itself && st.covered_new;
                    copy.extra.id = id;
                    copy.extra.is_twin = false;
                    copy.extra.running = Running::Open(activation);
                    shared.remember();
                    self.states.insert(id, copy);
                    self.books.are_alive(self.states.len() as u64);
                    return id;
                }
            }
        }
        if itself { state } else { self.copy(state) }
    }

    fn carried(&mut self, from: StateId, to: StateId) -> Carried {
        let (terms, spent) = (self.carried_terms(from, to), self.carried_spending(from, to));
        self.shared.constraints.number(Baggage { terms, spent })
    }

    fn joins(&mut self, state: StateId, arrivals: &[Arrival<Message>]) -> bool {
        let carried = arrivals.iter().filter(|arrival| arrival.carried != Carried::NOTHING);
        let constraints = &self.shared.constraints;
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
        let answer = path.assume_all(self.solver, self.shared.pool, terms);
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
        let pool = self.shared.pool;
        let mut symbols = symbols(pool, &self.state(state).path.support(pool));
        // Faults of a kind that is limited in a world tie nodes together, as a common byte does.
        let st = self.state(state);
        if st.extra.node().faults().are_used() {
            let limited = limited(self.shared).map(|(of, _)| of);
            let happened = limited.filter(|of| count(self.shared, st, *of) > 0);
            symbols.extend(happened.map(|of| match of {
                Budget::Kind(kind) => LAST_SYMBOL - u32::from(kind.number()),
                Budget::Link(number) => LAST_SYMBOL - u32::from(u16::MAX) - 1 - number,
            }));
        }
        symbols
    }

    fn is_over(&mut self) -> bool {
        self.asked += 1;
        if self.asked.is_multiple_of(QUESTIONS_BETWEEN_CHECKS)
            && let Some(halt) = self.shared.reached_limit()
        {
            self.shared.exchange.halt(halt);
        }
        self.shared.exchange.is_over()
    }

    fn examine(&mut self, combinations: &mut Combinations) -> Examined {
        let clock = &self.shared.config.clock;
        let began = clock.now();
        self.tied = tied(combinations, &[]);
        let mut invariants = std::mem::take(self.invariants);
        let examined = invariants.examine(self, combinations);
        *self.invariants = invariants;
        self.tied.clear();
        self.books.invariants.time += clock.now().saturating_sub(began);
        examined
    }

    fn examines_ends(&self) -> bool {
        let program = self.shared.config.invariants.as_ref();
        program.is_some_and(|program| program.due(true).next().is_some())
    }

    fn waits(&mut self, state: StateId) -> bool {
        let st = self.state(state);
        let node = st.extra.node();
        let server = self.shared.nodes()[st.extra.of.index()].server;
        let is_up = !node.has_exited() && !node.is_down();
        is_up && !server.unwrap_or_else(|| node.awaits_work())
    }

    fn rest(&mut self, state: StateId) -> Rest {
        let st = self.state(state);
        let node = st.extra.node();
        let server = self.shared.nodes()[st.extra.of.index()].server;
        let begun = st.extra.activated();
        if st.extra.boot.begins_after(begun) || !node.is_at_rest(server) {
            return Rest::Busy;
        }
        // What the environment does is no timer.
        let is_new = |taken: &Taken| taken.time_ns >= begun.time;
        let faults = node.faults();
        let has_fault = faults.are_used() && faults.taken().iter().any(is_new);
        if has_fault { Rest::Stirred } else { Rest::Idle }
    }
}

/// Symbols from here on downwards stand for budgets of faults that were used, not for bytes.
const LAST_SYMBOL: u32 = u32::MAX;
/// There are fewer kinds of faults and links than this.
const BUDGETS: u32 = 1 << 17;

/// Whether a symbol is not one of bytes, but stands for a budget of faults.
pub(crate) fn stands_for_faults(symbol: u32) -> bool {
    LAST_SYMBOL - symbol < BUDGETS
}

/// By node, whether its states have bytes in common with other nodes, or with a condition over these
/// symbols.
fn tied(combinations: &mut Combinations, condition: &[u32]) -> SmallVec<[bool; 16]> {
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
fn own_bytes(pool: &Pool, st: &St) -> Support {
    st.inputs.iter().fold(Support::default(), |support, input| {
        let bytes = 0..pool.symbol_size(input.symbol);
        bytes.fold(support, |support, i| support.union(pool.support(pool.byte(input.symbol, i))))
    })
}

/// Takes note of faults that messages tell of, whatever becomes of those: what has happened elsewhere
/// cannot happen here any more if a world has no more of it.
pub(crate) fn take_note(shared: &Shared<'_>, st: &mut St, arrivals: &[Arrival<Message>]) {
    let mut news = arrivals.iter().flat_map(|arrival| shared.constraints.spent(arrival.carried));
    let Some(first) = news.next() else { return };
    let spent = &mut st.extra.links_mut().spent;
    std::iter::once(first).chain(news).for_each(|news| news.add_to(spent));
    let spent = spent.clone();
    for (of, most) in limited(shared) {
        let elsewhere: u32 =
            spent.iter().filter(|spent| spent.of == of).map(|spent| spent.count).sum();
        if count(shared, st, of) + elsewhere < most {
            continue;
        }
        let faults = st.extra.node_mut().faults_mut();
        match of {
            Budget::Kind(kind) => faults.rule_out(kind),
            Budget::Link(number) => faults.rule_out_on(&shared.config.links[number as usize]),
        }
    }
}

/// What is limited in a world, where nodes count on their own, and how often it may happen.
pub(crate) fn limited<'s>(shared: &'s Shared<'_>) -> impl Iterator<Item = (Budget, u32)> + 's {
    shared.limited.iter().copied()
}

/// How often a state has spent of a budget.
pub(crate) fn count(shared: &Shared<'_>, st: &St, of: Budget) -> u32 {
    let faults = st.extra.node().faults();
    match of {
        Budget::Kind(kind) => faults.count(kind),
        Budget::Link(number) => faults.count_on(&shared.config.links[number as usize]),
    }
}

/// Takes over the constraints that travel with messages, whatever becomes of those: before it is decided
/// whether they get through, if that depends on bytes that their senders may have assumed something about.
pub(crate) fn agree(
    st: &mut St,
    solver: &mut SolverChain,
    pool: &Pool,
    constraints: &Constraints,
    arrivals: &[Arrival<Message>],
) -> Result<bool, Stop> {
    for arrival in arrivals {
        let terms = constraints.get(arrival.carried);
        if !st.path.assume_all(solver, pool, terms.iter().copied())? {
            return Ok(false);
        }
        let links = st.extra.links_mut();
        for term in terms {
            links.received = links.received.union(pool.support(*term));
        }
    }
    Ok(true)
}

/// Takes over what an arrival brings besides the message: constraints, and bytes that are known
/// from now on. What is lost on its way brings nothing.
pub(crate) fn take_over(
    st: &mut St,
    solver: &mut SolverChain,
    pool: &Pool,
    constraints: &Constraints,
    arrivals: &[Arrival<Message>],
) -> Result<bool, Stop> {
    for (index, arrival) in arrivals.iter().enumerate() {
        let node = st.extra.node();
        if node.is_lost(index) || node.is_deaf_to(&arrival.event, arrival.at.time) {
            continue;
        }
        let terms = constraints.get(arrival.carried);
        if !st.path.assume_all(solver, pool, terms.iter().copied())? {
            return Ok(false);
        }
        let mut bytes = payload_bytes(pool, &arrival.event);
        for term in terms {
            bytes = bytes.union(pool.support(*term));
        }
        let links = st.extra.links_mut();
        if !bytes.is_empty() {
            links.received = links.received.union(&bytes);
        }
        let message = arrival.event.clone();
        links.history.push(Record { at: arrival.at, peer: arrival.from, sent: false, message });
    }
    Ok(true)
}

/// What a state that blocks has sent, and when it goes on by itself.
pub(crate) fn blocked(pool: &Pool, st: &mut St) -> (Next, Vec<Sent<Message>>) {
    let mut outgoing = st.extra.node_mut().take_sent();
    if st.extra.boot.is_node() {
        outgoing.iter_mut().for_each(|sent| sent.event = without_settled(pool, st, &sent.event));
    }
    let next = match st.extra.node().next_wake() {
        _ if st.extra.boot.begins_after(st.extra.activated()) => Next::NextRound,
        Wake::Never => Next::Never,
        Wake::NextRound => Next::NextRound,
        Wake::At(time) => Next::At(time),
    };
    let had_sent = !st.extra.links().sent.is_empty();
    if outgoing.is_empty() && !had_sent {
        return (next, Vec::new());
    }
    let at = st.extra.activated();
    let links = st.extra.links_mut();
    links.sent = Support::default();
    let mut sent = Vec::with_capacity(outgoing.len());
    for outgoing in outgoing {
        let to = NodeId(outgoing.to);
        links.sent = links.sent.union(&payload_bytes(pool, &outgoing.event));
        let message = outgoing.event.clone();
        links.history.push(Record { at, peer: to, sent: true, message });
        sent.push(Sent { to, delay: outgoing.delay, event: outgoing.event });
    }
    (next, sent)
}

/// A message without bytes whose value is settled: they mean something else to another node.
fn without_settled(pool: &Pool, st: &St, message: &Message) -> Message {
    if let Payload::Known(_) = message.payload {
        return message.clone();
    }
    let settled = |byte: ByteValue| match byte {
        ByteValue::Concrete(_) => byte,
        ByteValue::Symbolic(term) => {
            let term = st.path.simplify(pool, term);
            let value = pool.as_const(term).map(|value| ByteValue::Concrete(value as u8));
            value.unwrap_or(ByteValue::Symbolic(term))
        }
    };
    let bytes: Vec<ByteValue> = message.payload.values().map(settled).collect();
    let payload = Payload::from(&bytes[..]);
    Arc::new(Event { payload, ..(**message).clone() })
}

fn payload_bytes(pool: &Pool, message: &Message) -> Support {
    message.payload.terms().fold(Support::default(), |support, term| {
        let more = pool.support(term);
        if support.contains_all(more) { support } else { support.union(more) }
    })
}
