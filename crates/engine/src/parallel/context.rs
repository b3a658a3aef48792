//! What the workers of a run share: the terms, the programs, the findings, and the work itself.
//!
//! A worker explores a part of the set of worlds, with states, caches and counters of its own. When one
//! has nothing left it takes another part from the [`Exchange`], or asks there, and one that has several
//! worlds gives some away (`explore/splitting.rs`).

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use crossbeam::utils::CachePadded;
use everett_base::hash::{Map, Set};
use everett_base::interrupt::StopReason;
use everett_expr::Pool;
use everett_interp::{BugKind, Coverage, Images};
use everett_solver::Answers;
use everett_world::{StateId, Universe};

use crate::api::config::EngineConfig;
use crate::api::observer::Observer;
use crate::api::report::{DropReason, Finding, Place, Progress};
use crate::explore::shared_states::AllTwins;
use crate::explore::start::{Setup, Trouble};
use crate::primitives::St;
use crate::state::node_state::{Budget, Message};
use crate::worlds::owner::Constraints;

/// What all workers share. What they write to all the time has lines of the processor's cache of its own,
/// so that reading the rest costs nothing.
pub(crate) struct Shared<'a> {
    pub(crate) images: &'a Images,
    pub(crate) pool: &'a Pool,
    pub(crate) config: &'a EngineConfig,
    /// The nodes that the run begins with.
    nodes: &'a [Setup],
    /// The nodes that a program has made instead.
    booted: OnceLock<Vec<Setup>>,
    /// What is limited in a world, where nodes count on their own, and how often it may happen.
    pub(crate) limited: Vec<(Budget, u32)>,
    pub(crate) constraints: CachePadded<Constraints>,
    /// What solvers have answered to workers, if there are several.
    pub(crate) answers: Option<Arc<Answers>>,
    pub(crate) exchange: CachePadded<Exchange>,
    /// What workers know of states that several of them have.
    pub(crate) twins: CachePadded<AllTwins>,
    /// Whether the observer wants to know of each path.
    pub(crate) wants_paths: bool,
    pub(crate) started: Duration,
    front: Mutex<Front<'a>>,
    next_id: CachePadded<AtomicU32>,
    /// Instructions and forks of all workers, where a limit wants to know.
    pub(crate) instructions: AtomicU64,
    pub(crate) forks: AtomicU64,
    /// Live states of all workers, where a limit wants to know.
    pub(crate) live: AtomicU64,
    /// How far each worker has come, for the display.
    tallies: Vec<Mutex<Progress>>,
}

/// Numbers of states that a worker takes at once.
const IDS_AT_ONCE: u32 = 64;

/// What is told outside, one at a time.
pub(crate) struct Front<'a> {
    pub(crate) observer: &'a mut dyn Observer,
    pub(crate) findings: Vec<Finding>,
    /// Findings by kind and stack, recursion folded: equal ones are one finding.
    known: Map<(BugKind, Vec<Place>), usize>,
    /// Violations of invariants that were told of.
    violations: Set<u64>,
    /// Tests written.
    pub(crate) tests: u64,
    /// Worlds among them that ended as they should, and how many are left out at most.
    pub(crate) worlds_tested: u64,
    pub(crate) worlds_untested: u64,
    /// Times that programs asked for their changed files.
    pub(crate) wishes: u32,
}

impl Front<'_> {
    /// The finding of a bug at a folded stack, if it is known; counts it once more.
    pub(crate) fn again(&mut self, kind: BugKind, key: &[Place]) -> Option<u32> {
        let at = *self.known.get(&(kind, key.to_vec()))?;
        self.findings[at].count += 1;
        Some(self.findings[at].id)
    }

    /// Whether a violation was not told of before.
    pub(crate) fn is_new_violation(&mut self, key: u64) -> bool {
        self.violations.insert(key)
    }

    /// Books a new finding.
    pub(crate) fn found(&mut self, finding: Finding, key: Vec<Place>) {
        self.known.insert((finding.kind, key), self.findings.len());
        self.findings.push(finding);
    }
}

/// What is limited in a world, where nodes count on their own.
fn limited(config: &EngineConfig) -> Vec<(Budget, u32)> {
    let kinds = config.faults.iter().filter(|(kind, _)| !kind.is_of_world());
    let kinds = kinds.map(|(kind, most)| (Budget::Kind(kind), most));
    let links = (0..).zip(&config.links);
    kinds.chain(links.map(|(number, link)| (Budget::Link(number), link.most))).collect()
}

impl<'a> Shared<'a> {
    pub(crate) fn new(
        images: &'a Images,
        pool: &'a Pool,
        config: &'a EngineConfig,
        nodes: &'a [Setup],
        observer: &'a mut dyn Observer,
    ) -> Shared<'a> {
        let workers = config.workers.max(1);
        Shared {
            images,
            pool,
            config,
            nodes,
            booted: OnceLock::new(),
            limited: limited(config),
            constraints: CachePadded::default(),
            answers: (workers > 1).then(Arc::default),
            exchange: CachePadded::new(Exchange::new(workers)),
            twins: CachePadded::default(),
            wants_paths: observer.wants_paths(),
            started: config.clock.now(),
            front: Mutex::new(Front {
                observer,
                findings: Vec::new(),
                known: Map::default(),
                violations: Set::default(),
                tests: 0,
                worlds_tested: 0,
                worlds_untested: 0,
                wishes: 0,
            }),
            next_id: CachePadded::default(),
            instructions: AtomicU64::new(0),
            forks: AtomicU64::new(0),
            live: AtomicU64::new(0),
            tallies: (0..workers).map(|_| Mutex::default()).collect(),
        }
    }

    /// The nodes of the system.
    pub(crate) fn nodes(&self) -> &[Setup] {
        self.booted.get().map_or(self.nodes, |nodes| nodes)
    }

    /// The nodes that a program has made, before there is more than one worker.
    pub(crate) fn booted(&self, nodes: Vec<Setup>) -> &[Setup] {
        self.booted.get_or_init(|| nodes)
    }

    /// Whether a program has made the nodes.
    pub(crate) fn has_booted(&self) -> bool {
        self.booted.get().is_some()
    }

    /// What is told outside.
    pub(crate) fn front(&self) -> MutexGuard<'_, Front<'a>> {
        self.front.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was told outside, at the end.
    pub(crate) fn into_front(self) -> Front<'a> {
        self.front.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of a new state, which no other has.
    pub(crate) fn new_id(&self, own: &mut Range<u32>) -> StateId {
        let next = own.next().unwrap_or_else(|| {
            let first = self.next_id.fetch_add(IDS_AT_ONCE, Ordering::Relaxed);
            *own = first + 1..first + IDS_AT_ONCE;
            first
        });
        StateId(next)
    }

    /// A worker has one more state.
    pub(crate) fn remember(&self) {
        if self.config.limits.states.is_some() {
            self.live.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// What the interrupt asks for.
    pub(crate) fn stopping(&self) -> Option<Halt> {
        match self.config.interrupt.stopping()? {
            StopReason::Asked => Some(Halt::Interrupted),
            StopReason::Time => Some(Halt::Limit(DropReason::TimeLimit)),
        }
    }

    /// Why something was left: the run ends, or else memory was far above its limit.
    pub(crate) fn limit_in_the_way(&self) -> Halt {
        self.stopping().unwrap_or(Halt::Limit(DropReason::MemoryLimit))
    }

    /// A limit on time or memory that has been reached, or the user's wish to stop.
    pub(crate) fn reached_limit(&self) -> Option<Halt> {
        if let Some(halt) = self.stopping() {
            return Some(halt);
        }
        let interrupted = self.front().observer.interrupted();
        let limits = &self.config.limits;
        let elapsed = self.config.clock.now().saturating_sub(self.started);
        if interrupted {
            return Some(Halt::Interrupted);
        }
        if limits.time.is_some_and(|limit| elapsed >= limit) {
            return Some(Halt::Limit(DropReason::TimeLimit));
        }
        self.is_full().then_some(Halt::Limit(DropReason::MemoryLimit))
    }

    /// Whether more memory is used than is allowed, even if all that is free is given back.
    pub(crate) fn is_full(&self) -> bool {
        let Some(limit) = self.config.limits.memory else { return false };
        let mut front = self.front();
        if front.observer.memory() <= limit {
            return false;
        }
        front.observer.give_back_memory();
        front.observer.memory() > limit
    }

    /// A worker has one state less.
    pub(crate) fn forget(&self) {
        if self.config.limits.states.is_some() {
            self.live.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Workers that explore.
    pub(crate) fn workers(&self) -> usize {
        self.tallies.len()
    }

    /// Notes how far a worker has come; gives how far all have.
    pub(crate) fn tally(&self, worker: usize, tally: Progress) -> Progress {
        let lock = |tally: &'_ Mutex<Progress>| {
            tally.lock().unwrap_or_else(PoisonError::into_inner).clone()
        };
        *self.tallies[worker].lock().unwrap_or_else(PoisonError::into_inner) = tally.clone();
        let others = self.tallies.iter().enumerate().filter(|(i, _)| *i != worker);
        others.map(|(_, other)| lock(other)).fold(tally, |mut sum, other| {
            sum.paths += other.paths;
            sum.paths_failed += other.paths_failed;
            sum.paths_silent += other.paths_silent;
            sum.paths_cut += other.paths_cut;
            sum.paths_ignored += other.paths_ignored;
            sum.forks += other.forks;
            sum.events_sent += other.events_sent;
            sum.states_created += other.states_created;
            sum.states_peak += other.states_peak;
            sum.states += other.states;
            sum.instructions += other.instructions;
            sum.queries += other.queries;
            sum.solver_time += other.solver_time;
            for (reason, count) in other.dropped {
                *sum.dropped.entry(reason).or_insert(0) += count;
            }
            sum.coverage.covered = sum.coverage.covered.max(other.coverage.covered);
            sum
        })
    }
}

/// Why a run stops before everything is explored.
#[derive(Clone)]
pub(crate) enum Halt {
    Limit(DropReason),
    Interrupted,
    /// A worker has panicked.
    Failed,
}

impl Halt {
    /// What paths that are not over then are dropped for.
    pub(crate) fn reason(&self) -> DropReason {
        match self {
            Halt::Limit(reason) => reason.clone(),
            Halt::Interrupted => DropReason::Interrupted,
            Halt::Failed => DropReason::AfterInternalError,
        }
    }
}

/// What lies in parts that nobody works on.
#[derive(Clone, Copy, Default)]
pub(crate) struct Aside {
    pub(crate) states: u64,
    pub(crate) dstates: u64,
}

/// A part of the work.
pub(crate) struct Part {
    /// The worker that has set it aside.
    pub(crate) from: usize,
    pub(crate) universe: Universe<Message>,
    #[allow(clippy::vec_box, reason = "states move between tables of boxes")]
    pub(crate) states: Vec<Box<St>>,
    pub(crate) troubles: Vec<(StateId, Trouble)>,
    /// What the giver has covered of each program: nothing new to the taker.
    pub(crate) coverage: Vec<Coverage>,
}

/// Where workers leave parts of the work for each other, and for themselves.
pub(crate) struct Exchange {
    stock: Mutex<Stock>,
    /// Told when parts come in, and at the end.
    news: Condvar,
    /// Whether somebody waits whom nobody has left anything yet.
    wanted: AtomicBool,
    over: AtomicBool,
    halt: OnceLock<Halt>,
}

struct Stock {
    /// What nobody works on, the oldest first.
    parts: VecDeque<Part>,
    /// Workers that wait for a part.
    hungry: usize,
    /// Workers that work.
    busy: usize,
}

impl Stock {
    /// A part for a worker: the newest of its own, as that is what it would have gone on with; else the
    /// oldest of all, as there is the most to be done in it.
    fn part_for(&mut self, worker: usize) -> Option<Part> {
        let own = self.parts.iter().rposition(|part| part.from == worker);
        self.parts.remove(own.unwrap_or(0))
    }
}

impl Exchange {
    fn new(workers: usize) -> Exchange {
        let stock = Stock { parts: VecDeque::new(), hungry: 0, busy: workers };
        Exchange {
            stock: Mutex::new(stock),
            news: Condvar::new(),
            wanted: AtomicBool::new(false),
            over: AtomicBool::new(false),
            halt: OnceLock::new(),
        }
    }

    fn stock(&self) -> MutexGuard<'_, Stock> {
        self.stock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether somebody waits whom nobody has left anything yet.
    pub(crate) fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed)
    }

    fn note_wishes(&self, stock: &Stock) {
        self.wanted.store(stock.hungry > stock.parts.len(), Ordering::Relaxed);
    }

    /// Leaves a part to whoever has nothing left.
    pub(crate) fn give(&self, part: Part) {
        let mut stock = self.stock();
        stock.parts.push_back(part);
        self.note_wishes(&stock);
        self.news.notify_one();
    }

    /// Waits for a part; `None` when all work is done, or the run has been ended.
    pub(crate) fn take(&self, worker: usize) -> Option<Part> {
        let mut stock = self.stock();
        stock.busy -= 1;
        stock.hungry += 1;
        let part = loop {
            if self.is_over() {
                break None;
            }
            if let Some(part) = stock.part_for(worker) {
                stock.busy += 1;
                break Some(part);
            }
            if stock.busy == 0 {
                self.stop(&stock);
                break None;
            }
            self.note_wishes(&stock);
            stock = self.news.wait(stock).unwrap_or_else(PoisonError::into_inner);
        };
        stock.hungry -= 1;
        self.note_wishes(&stock);
        part
    }

    /// What lies in parts that a worker has set aside.
    pub(crate) fn aside(&self, worker: usize) -> Aside {
        let mut aside = Aside::default();
        for part in self.stock().parts.iter().filter(|part| part.from == worker) {
            aside.states += part.states.len() as u64;
            aside.dstates += part.universe.counts().dstates;
        }
        aside
    }

    /// Ends the run for all workers.
    pub(crate) fn halt(&self, halt: Halt) {
        let _ = self.halt.set(halt);
        self.stop(&self.stock());
    }

    /// Whether the run has been ended.
    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Why it was, if not everything is explored.
    pub(crate) fn why_halted(&self) -> Option<Halt> {
        self.halt.get().cloned()
    }

    /// Parts that nobody has taken; to be asked when no worker waits any more.
    pub(crate) fn left(&self) -> VecDeque<Part> {
        std::mem::take(&mut self.stock().parts)
    }

    /// Whoever is about to wait has the stock, and would not hear of it.
    fn stop(&self, _: &Stock) {
        self.over.store(true, Ordering::Relaxed);
        self.news.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use everett_world::Options;

    use super::*;

    fn part(from: usize) -> Part {
        let universe = Universe::new(1, Options::default());
        Part { from, universe, states: Vec::new(), troubles: Vec::new(), coverage: Vec::new() }
    }

    #[test]
    fn workers_that_all_have_nothing_left_are_done() {
        let exchange = Exchange::new(3);
        let taken: usize = std::thread::scope(|scope| {
            let worker = |number: usize, gives: usize| {
                let exchange = &exchange;
                scope.spawn(move || {
                    (0..gives).for_each(|_| exchange.give(part(number)));
                    std::iter::from_fn(|| exchange.take(number)).count()
                })
            };
            let workers = [worker(0, 5), worker(1, 0), worker(2, 2)];
            workers.into_iter().map(|worker| worker.join().expect("no panic")).sum()
        });
        assert_eq!(taken, 7);
        assert!(exchange.is_over() && exchange.why_halted().is_none());
    }

    #[test]
    fn a_worker_takes_the_newest_of_its_own_or_the_oldest_of_all() {
        let exchange = Exchange::new(3);
        for from in [1, 0, 2, 1, 0] {
            exchange.give(part(from));
        }
        let mut stock = exchange.stock();
        let mut left = |worker| {
            stock.part_for(worker)?;
            Some(stock.parts.iter().map(|part| part.from).collect::<Vec<_>>())
        };
        assert_eq!(left(1), Some(vec![1, 0, 2, 0]));
        assert_eq!(left(2), Some(vec![1, 0, 0]));
        assert_eq!(left(2), Some(vec![0, 0]));
        assert_eq!(left(0), Some(vec![0]));
        assert_eq!(left(1), Some(vec![]));
        assert_eq!(left(1), None);
    }

    #[test]
    fn a_halt_reaches_those_who_wait() {
        let exchange = Exchange::new(2);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| exchange.take(1).is_none());
            exchange.halt(Halt::Interrupted);
            assert!(waiting.join().expect("no panic"));
        });
        assert!(matches!(exchange.why_halted(), Some(Halt::Interrupted)));
    }
}
