//! All executions of a random program of threads, by trying every thread that can go on.
//!
//! As in the engine, threads run to their next *event*, and one of those whose event can happen is next.
//! Plain accesses are events if they race. Which of them do is found out in rounds, until none is new. For
//! that alone, other threads go on beside an abort, as they could have before it.
//!
//! Two executions are the same if they differ only in the order of events that commute. Of an execution, its
//! Foata normal form is kept: each event has a level, above those of all earlier events that it does not
//! commute with.

use std::collections::{BTreeMap, BTreeSet};

use super::model::ThreadProgram;
use super::simulate::{Code, Ending, Place, Simulation, Step, StepId, Touch, code};

/// Beginnings of executions that are looked at. A program with more of them is not tested.
const BEGINNINGS_MAX: usize = 30_000;

/// The orders of threads that are explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    All,
    /// As many switches away from a thread that could have gone on.
    Preemptions(u32),
}

/// Everything that a program can come to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Executions {
    pub(crate) endings: BTreeSet<Ending>,
    /// Different executions that end by `_exit` or by printing.
    pub(crate) completed: u64,
    /// Different executions that end in a deadlock.
    pub(crate) deadlocked: u64,
    /// Orders, those that nobody can tell apart included.
    pub(crate) orders: OrderCount,
    /// Pairs of accesses that race.
    pub(crate) races: BTreeSet<(StepId, StepId)>,
    /// Those that race beside an abort.
    races_beside_aborts: BTreeSet<(StepId, StepId)>,
}

/// A number of orders.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OrderCount {
    /// Those that end by `_exit` or by printing.
    pub(crate) completed: u64,
    pub(crate) all: u64,
}

/// An event of an execution in its normal form: its level, which one it is, and whether it changes something.
type LeveledEvent = (u32, StepId, bool);

/// A beginning of an execution.
#[derive(Clone)]
struct Beginning {
    simulation: Simulation,
    /// Sorted.
    events: Vec<LeveledEvent>,
    touches: BTreeMap<StepId, (u32, Vec<Touch>)>,
    turn: Option<usize>,
    left: u32,
    is_beside_abort: bool,
}

/// What tells beginnings apart.
type BeginningKey =
    (Vec<LeveledEvent>, [Option<bool>; super::model::INPUT_BITS], Option<usize>, u32, bool);

struct Explorer<'p> {
    code: &'p [Code],
    bound: Bound,
    racing: BTreeSet<StepId>,
    /// The orders that go on from a beginning.
    known: BTreeMap<BeginningKey, OrderCount>,
    found: Executions,
    is_too_large: bool,
}

/// All executions of a program; `None` if there are too many.
pub(crate) fn executions(program: &ThreadProgram, bound: Bound) -> Option<Executions> {
    let code = code(program);
    let mut racing = BTreeSet::new();
    loop {
        let found = explore(program, &code, bound, racing.clone())?;
        let known = racing.len();
        let races = found.races.union(&found.races_beside_aborts);
        racing.extend(races.flat_map(|(earlier, later)| [*earlier, *later]));
        if racing.len() == known {
            return Some(found);
        }
    }
}

/// The same with all plain accesses as events.
pub(crate) fn executions_by_accesses(program: &ThreadProgram) -> Option<Executions> {
    let code = code(program);
    let steps = code
        .iter()
        .enumerate()
        .flat_map(|(thread, code)| (0..code.len()).map(move |at| (thread, at)));
    let all = steps.collect();
    explore(program, &code, Bound::All, all)
}

fn explore(
    program: &ThreadProgram,
    code: &[Code],
    bound: Bound,
    racing: BTreeSet<StepId>,
) -> Option<Executions> {
    let known = BTreeMap::new();
    let found = Executions::default();
    let mut explorer = Explorer { code, bound, racing, known, found, is_too_large: false };
    let left = match bound {
        Bound::All => 0,
        Bound::Preemptions(count) => count,
    };
    let first = Beginning {
        simulation: Simulation::new(program),
        events: Vec::new(),
        touches: BTreeMap::new(),
        turn: None,
        left,
        is_beside_abort: false,
    };
    let orders = explorer.run_to_events(first, 0);
    explorer.found.orders = orders;
    (!explorer.is_too_large).then_some(explorer.found)
}

impl Explorer<'_> {
    /// Runs all threads from this one on to their events, and explores what follows. Gives the orders.
    fn run_to_events(&mut self, mut beginning: Beginning, from: usize) -> OrderCount {
        for thread in from..self.code.len() {
            loop {
                if beginning.simulation.end().is_some() {
                    let order = self.end(&beginning);
                    self.go_on_beside_abort(beginning, thread);
                    return order;
                }
                let Some(step) = beginning.simulation.next_step(self.code, thread) else { break };
                if self.is_event(step, beginning.simulation.position(thread)) {
                    break;
                }
                if let Step::JumpUnlessInput { bit, .. } = step
                    && beginning.simulation.input[bit].is_none()
                {
                    let mut other = beginning.clone();
                    beginning.simulation.input[bit] = Some(false);
                    other.simulation.input[bit] = Some(true);
                    let orders = self.run_to_events(beginning, thread);
                    return orders.and(self.run_to_events(other, thread));
                }
                beginning.simulation.execute(self.code, thread);
            }
        }
        self.choose(beginning)
    }

    /// If a thread has ended the program by `abort`, lets the others go on as if it had not come to that yet.
    fn go_on_beside_abort(&mut self, mut beginning: Beginning, thread: usize) {
        let is_abort = matches!(beginning.simulation.end(), Some(Ending::Aborted(_)));
        if is_abort && self.bound == Bound::All {
            beginning.simulation.hold_before_abort(thread);
            beginning.is_beside_abort = true;
            self.run_to_events(beginning, 0);
        }
    }

    fn is_event(&self, step: Step, position: StepId) -> bool {
        match step {
            Step::Access { is_atomic, .. } => is_atomic || self.racing.contains(&position),
            Step::Abort(_) | Step::JumpUnless { .. } | Step::JumpUnlessInput { .. } => false,
            _ => true,
        }
    }

    /// Tries each thread that can go on. Gives the number of orders.
    fn choose(&mut self, beginning: Beginning) -> OrderCount {
        let Beginning { events, simulation, turn, left, is_beside_abort, .. } = &beginning;
        let key = (events.clone(), simulation.input, *turn, *left, *is_beside_abort);
        if let Some(orders) = self.known.get(&key) {
            return *orders;
        }
        if self.known.len() >= BEGINNINGS_MAX {
            self.is_too_large = true;
            return OrderCount::default();
        }
        let touches = |thread| {
            let step = simulation.next_step(self.code, thread)?;
            simulation.touches(thread, step).map(|touches| (thread, touches))
        };
        let enabled: Vec<_> = (0..self.code.len()).filter_map(touches).collect();
        let is_turn_kept = enabled.iter().any(|(thread, _)| Some(*thread) == *turn);
        let mut orders = OrderCount::default();
        if enabled.is_empty() {
            orders = self.end(&beginning);
        }
        for (thread, touches) in enabled {
            let is_preemption = self.bound != Bound::All && is_turn_kept && Some(thread) != *turn;
            if is_preemption && *left == 0 {
                continue;
            }
            let mut next = beginning.clone();
            next.left -= u32::from(is_preemption);
            if self.bound != Bound::All {
                next.turn = Some(thread);
            }
            next.perform(self.code, thread, touches);
            orders = orders.and(self.run_to_events(next, 0));
        }
        self.known.insert(key, orders);
        orders
    }

    /// Notes the end of an execution, which comes here once. Gives it as an order.
    fn end(&mut self, beginning: &Beginning) -> OrderCount {
        let simulation = &beginning.simulation;
        if beginning.is_beside_abort {
            self.found.races_beside_aborts.extend(simulation.races.iter().copied());
            return OrderCount::default();
        }
        let ending = match simulation.end() {
            Some(ending) => ending.clone(),
            None => simulation.standstill(self.code),
        };
        self.found.races.extend(simulation.races.iter().copied());
        let (completed, deadlocked) = match ending {
            Ending::Printed(_) | Ending::Exited => (1, 0),
            Ending::Deadlocked => (0, 1),
            Ending::Aborted(_) => (0, 0),
        };
        self.found.completed += completed;
        self.found.deadlocked += deadlocked;
        self.found.endings.insert(ending);
        OrderCount { completed, all: 1 }
    }
}

impl OrderCount {
    fn and(self, other: OrderCount) -> OrderCount {
        let completed = self.completed.saturating_add(other.completed);
        OrderCount { completed, all: self.all.saturating_add(other.all) }
    }
}

impl Beginning {
    fn perform(&mut self, code: &[Code], thread: usize, touches: Vec<Touch>) {
        let event = self.simulation.position(thread);
        let depends = |(other, (_, earlier)): (&StepId, &(u32, Vec<Touch>))| {
            other.0 == thread || earlier.iter().any(|a| touches.iter().any(|b| meet(*a, *b)))
        };
        let below = self.touches.iter().filter(|known| depends((known.0, known.1)));
        let level = 1 + below.map(|(_, (level, _))| *level).max().unwrap_or(0);
        let leveled = (level, event, touches.iter().any(|(_, writes)| *writes));
        self.touches.insert(event, (level, touches));
        let place = self.events.partition_point(|earlier| *earlier < leveled);
        self.events.insert(place, leveled);
        self.simulation.execute(code, thread);
    }
}

fn meet((place, writes): Touch, (other, other_writes): Touch) -> bool {
    let is_common = place == other || place == Place::Everything || other == Place::Everything;
    is_common && (writes || other_writes)
}

#[cfg(test)]
mod tests {
    use super::super::model::{AccessKind, Operand, RandomThread, Statement};
    use super::*;

    fn program(threads: Vec<Vec<Statement>>) -> ThreadProgram {
        let thread = |statements| RandomThread { statements, registers: 2 };
        ThreadProgram { threads: threads.into_iter().map(thread).collect(), has_input: true }
    }

    fn atomic(variable: usize, kind: AccessKind) -> Statement {
        Statement::Access { variable, kind }
    }

    fn plain(variable: usize, kind: AccessKind) -> Statement {
        Statement::PlainAccess { variable, kind }
    }

    fn store(value: i32) -> AccessKind {
        AccessKind::Store(Operand::Constant(value))
    }

    fn count(threads: Vec<Vec<Statement>>) -> u64 {
        executions(&program(threads), Bound::All).map_or(0, |found| found.completed)
    }

    #[test]
    fn executions_are_as_many_as_is_known() {
        let add = || vec![atomic(0, AccessKind::Add(1, 0))];
        assert_eq!(count(vec![add(), add(), add(), add()]), 24);
        let lock = || vec![Statement::Locked { lock: 0, body: vec![plain(0, store(1))] }];
        assert_eq!(count(vec![lock(), lock(), lock()]), 6);
        let load = || vec![atomic(0, AccessKind::Load(0))];
        assert_eq!(count(vec![vec![atomic(0, store(1))], load(), load(), load()]), 8);
        let exchange = |from: i32| {
            let operand = Operand::Constant(from + 1);
            vec![atomic(0, AccessKind::CompareExchange(from, operand, 0))]
        };
        assert_eq!(count((0..4).map(exchange).collect()), 14, "casrot");
        let try_lock = || vec![Statement::TryLocked { lock: 0, to: 0, body: Vec::new() }];
        assert_eq!(count(vec![try_lock(), try_lock()]), 4);
    }

    #[test]
    fn preemptions_let_more_happen() {
        let add = || {
            let next = AccessKind::Store(Operand::After(0));
            vec![atomic(0, AccessKind::Load(0)), atomic(0, next)]
        };
        let program = program(vec![add(), add()]);
        let orders = |bound| executions(&program, bound).map(|found| found.orders.completed);
        let found = [0, 1, 2].map(|most| orders(Bound::Preemptions(most)));
        assert_eq!((found, orders(Bound::All)), ([Some(2), Some(4), Some(6)], Some(6)));
    }

    #[test]
    fn accesses_race_unless_something_orders_them() {
        let race = |threads| {
            let found = executions(&program(threads), Bound::All);
            found.is_some_and(|found| !found.races.is_empty())
        };
        let read = || plain(0, AccessKind::Load(0));
        assert!(race(vec![vec![plain(0, store(1))], vec![read()]]));
        assert!(race(vec![vec![atomic(0, store(1))], vec![read()]]));
        assert!(!race(vec![vec![read()], vec![read()]]));
        let acquired = Statement::If { register: 1, equals: 1, then: vec![read()] };
        let flag = vec![atomic(1, AccessKind::Load(1)), acquired];
        assert!(!race(vec![vec![plain(0, store(1)), atomic(1, store(1))], flag]));
    }

    #[test]
    fn accesses_race_although_an_abort_comes_between_them() {
        let write = |lock: usize, end: Vec<Statement>| {
            let body = [vec![plain(0, store(1))], end].concat();
            vec![Statement::Locked { lock, body }]
        };
        let races = |threads| executions(&program(threads), Bound::All).map(|found| found.races);
        let abort = || vec![Statement::Abort(0)];
        let found = races(vec![write(0, abort()), write(1, Vec::new())]).expect("it is small");
        assert_eq!(found, BTreeSet::from([((1, 1), (0, 1))]), "the other order aborts before it");
        let unlocked = [write(0, Vec::new()), vec![plain(0, store(1))], abort()].concat();
        let found = races(vec![unlocked, write(0, Vec::new())]).expect("it is small");
        assert_eq!(found, BTreeSet::from([((1, 1), (0, 3))]));
        let found = races(vec![write(0, abort()), write(0, Vec::new())]);
        assert_eq!(found.map(|races| races.len()), Some(0), "a lock orders them");
    }

    #[test]
    fn branches_on_the_input_lost_signals_and_aborts_are_ends_of_their_own() {
        let fail = Statement::IfInput { bit: 0, then: vec![Statement::Abort(0)] };
        let threads = vec![vec![Statement::WaitForSignal(0), fail], vec![Statement::Signal(0)]];
        let found = executions(&program(threads), Bound::All).expect("it is small");
        let printed = Ending::Printed("0 0 0 -1 -1 -1 -1".to_owned());
        let endings = [printed, Ending::Aborted(0), Ending::Deadlocked];
        assert_eq!(found.endings, BTreeSet::from(endings));
    }
}
