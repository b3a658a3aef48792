//! The context of a run, shared by its workers: the terms, the programs, the findings, and the work itself.
//!
//! A worker explores a part of the set of worlds, with states, caches and counters of its own. When one
//! has nothing left it takes another part from the [`WorkExchange`], or asks there, and one that has several
//! worlds gives some away (`explore/worker/splitting.rs`).

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use crossbeam::utils::CachePadded;
use everett_base::hash::Map;
use everett_base::interrupt::StopReason;
use everett_base::part::PartError;
use everett_expr::Pool;
use everett_interp::{BugKind, ProgramImages};
use everett_posix::{FaultKind, LearntOps};
use everett_solver::SharedAnswers;
use everett_world::StateId;

use crate::api::config::EngineConfig;
use crate::api::dropped::DropReason;
use crate::api::job::{JobPace, LimitedCounts};
use crate::api::observer::Observer;
use crate::api::report::{Finding, SourcePlace};
use crate::api::spill::SpillStore;
use crate::api::summary::Progress;
use crate::parallel::checkpoint::CheckpointRoom;
use crate::parallel::exchange::{HaltReason, WorkExchange};
use crate::parallel::reporter_record::ReporterRecord;
use crate::parallel::shared_states::SharedStates;
use crate::programs::library::ProgramLibrary;
use crate::state::boot::BootDeclarations;
use crate::state::booted_system::BootedSystem;
use crate::state::conditions::TravellingConditions;
use crate::state::node_state::FaultBudget;
use crate::state::setup::NodeSetup;
use crate::trojans::TrojanPhase;

/// The job that a run is.
pub(crate) struct CurrentJob {
    /// The time that there is.
    pub(crate) pace: JobPace,
    /// Tells it from other jobs of its run.
    pub(crate) digest: u64,
    /// The states that it has begun with.
    pub(crate) states: u64,
}

/// Everything that all workers share. Parts that they write to all the time have lines of the processor's
/// cache of their own, so that reading the rest costs nothing.
pub(crate) struct RunContext<'a> {
    pub(crate) images: &'a ProgramImages,
    pub(crate) pool: &'a Pool,
    pub(crate) config: &'a EngineConfig,
    /// The nodes that the run begins with.
    nodes: &'a [NodeSetup],
    /// The nodes that a program has made instead.
    booted: OnceLock<BootedSystem>,
    /// Budgets of a world whose faults nodes count on their own, with the most that may happen.
    pub(crate) limited: Vec<(FaultBudget, u32)>,
    pub(crate) constraints: CachePadded<TravellingConditions>,
    /// Answers of the workers' solvers, if there are several workers.
    pub(crate) answers: Option<Arc<SharedAnswers>>,
    pub(crate) exchange: CachePadded<WorkExchange>,
    /// States that several workers have, and what became of them.
    pub(crate) shared_states: CachePadded<SharedStates>,
    /// The observer wants to know of each path.
    pub(crate) wants_paths: bool,
    pub(crate) started: Duration,
    /// The time that the run took before it was gone on with.
    before: Duration,
    /// Where workers meet for a checkpoint.
    pub(crate) room: CachePadded<CheckpointRoom>,
    /// The job that is worked on, if the run is one of a larger run.
    pub(crate) job: Option<CurrentJob>,
    /// The programs that processes execute.
    pub(crate) library: &'a ProgramLibrary,
    /// The run is not begun again, whatever it finds out.
    pub(crate) is_last: bool,
    /// The phase of the search for Trojan messages, if the run replaces messages.
    pub(crate) trojans: Option<TrojanPhase>,
    /// The operations that race and at which threads are held, as tests have them.
    pub(crate) racing: Vec<u8>,
    /// The same, with those that the run has noted since.
    pub(crate) racing_ops: &'a Arc<LearntOps>,
    reporter: Mutex<RunReporter<'a>>,
    next_id: CachePadded<AtomicU32>,
    /// Instructions and forks of all workers, where a limit wants to know.
    pub(crate) instructions: AtomicU64,
    pub(crate) forks: AtomicU64,
    /// Live states of all workers, where a limit wants to know.
    pub(crate) live: AtomicU64,
    /// The progress of each worker, for the display.
    tallies: Vec<Mutex<Progress>>,
    /// The store for parts has failed: states are dropped from then on.
    cannot_spill: AtomicBool,
    /// Workers that write or read parts now.
    saving: Mutex<usize>,
}

/// A worker that writes or reads a part: whoever ends the run waits for it.
pub(crate) struct SavingGuard<'c, 'a>(&'c RunContext<'a>);

impl Drop for SavingGuard<'_, '_> {
    fn drop(&mut self) {
        let mut saving = self.0.saving.lock().unwrap_or_else(PoisonError::into_inner);
        *saving -= 1;
        self.0.config.interrupt.set_saving(*saving > 0);
    }
}

/// The parts of an engine that a run borrows.
pub(crate) struct RunParts<'a> {
    pub(crate) images: &'a ProgramImages,
    pub(crate) config: &'a EngineConfig,
    pub(crate) nodes: &'a [NodeSetup],
    pub(crate) library: &'a ProgramLibrary,
    pub(crate) racing: &'a Arc<LearntOps>,
}

/// Numbers of states that a worker takes at once.
const IDS_AT_ONCE: u32 = 64;

/// The embedder's observer, and all that it was told; one worker at a time has it.
pub(crate) struct RunReporter<'a> {
    pub(crate) observer: &'a mut dyn Observer,
    pub(crate) findings: Vec<Finding>,
    /// Findings by kind and stack, recursion folded: equal ones are one finding.
    known: Map<(BugKind, Vec<SourcePlace>), usize>,
    /// Violations of invariants, with the finding that each was booked for; 0 for those that are ignored.
    violations: Map<u64, u32>,
    /// Tests written.
    pub(crate) tests: u64,
    /// Worlds among them that ended as they should, and how many are left out at most.
    pub(crate) worlds_tested: u64,
    pub(crate) worlds_untested: u64,
    /// Times that programs asked for their changed files.
    pub(crate) wishes: u32,
}

impl RunReporter<'_> {
    /// The finding of a bug at a folded stack, if it is known; counts it once more.
    pub(crate) fn again(&mut self, kind: BugKind, key: &[SourcePlace]) -> Option<u32> {
        let at = *self.known.get(&(kind, key.to_vec()))?;
        self.findings[at].count += 1;
        Some(self.findings[at].id)
    }

    /// Returns `true` if a violation was not told of before.
    pub(crate) fn is_new_violation(&self, key: u64) -> bool {
        !self.violations.contains_key(&key)
    }

    /// Books a violation for a finding, or for none if it is ignored.
    pub(crate) fn book_violation(&mut self, key: u64, finding: Option<u32>) {
        self.violations.insert(key, finding.unwrap_or(0));
    }

    /// The results so far.
    pub(crate) fn record(&self) -> ReporterRecord {
        ReporterRecord {
            findings: self.findings.clone(),
            known: self.known.clone(),
            violations: self.violations.clone(),
            tests: self.tests,
            worlds_tested: self.worlds_tested,
            worlds_untested: self.worlds_untested,
            wishes: self.wishes,
        }
    }

    /// Goes on with the results of a run, which the observer knows.
    pub(crate) fn restore(&mut self, record: ReporterRecord) {
        self.observer.resumed(&record.findings);
        self.take_results(record);
    }

    /// Takes the results of a run over.
    pub(crate) fn take_results(&mut self, record: ReporterRecord) {
        let ReporterRecord {
            findings,
            known,
            violations,
            tests,
            worlds_tested,
            worlds_untested,
            wishes,
        } = record;
        (self.findings, self.known, self.violations) = (findings, known, violations);
        (self.tests, self.wishes) = (tests, wishes);
        (self.worlds_tested, self.worlds_untested) = (worlds_tested, worlds_untested);
    }

    /// Books a new finding.
    pub(crate) fn found(&mut self, finding: Finding, key: Vec<SourcePlace>) {
        self.known.insert((finding.kind, key), self.findings.len());
        self.findings.push(finding);
    }
}

/// Budgets of a world whose faults nodes count on their own.
fn limited(config: &EngineConfig) -> Vec<(FaultBudget, u32)> {
    // What may happen any number of times is not limited.
    let is_limited = |(kind, most): &(FaultKind, u32)| !kind.is_of_world() && *most != u32::MAX;
    let kinds = config.faults.iter().filter(is_limited);
    let kinds = kinds.map(|(kind, most)| (FaultBudget::Kind(kind), most));
    let links = (0..).zip(&config.links);
    kinds.chain(links.map(|(number, link)| (FaultBudget::Link(number), link.most))).collect()
}

impl<'a> RunContext<'a> {
    pub(crate) fn new(
        parts: RunParts<'a>,
        pool: &'a Pool,
        observer: &'a mut dyn Observer,
    ) -> RunContext<'a> {
        let RunParts { images, config, nodes, library, racing } = parts;
        let workers = config.workers.max(1);
        let now = config.clock.now();
        RunContext {
            images,
            pool,
            config,
            nodes,
            booted: OnceLock::new(),
            limited: limited(config),
            constraints: CachePadded::default(),
            answers: (workers > 1).then(Arc::default),
            exchange: CachePadded::new(WorkExchange::new(workers)),
            shared_states: CachePadded::default(),
            wants_paths: observer.wants_paths(),
            started: now,
            before: Duration::ZERO,
            room: CachePadded::new(CheckpointRoom::new(config.checkpoints, workers, now)),
            job: None,
            library,
            is_last: true,
            trojans: None,
            racing: racing.to_bytes(),
            racing_ops: racing,
            reporter: Mutex::new(RunReporter {
                observer,
                findings: Vec::new(),
                known: Map::default(),
                violations: Map::default(),
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
            cannot_spill: AtomicBool::new(false),
            saving: Mutex::new(0),
        }
    }

    /// The nodes of the system.
    pub(crate) fn nodes(&self) -> &[NodeSetup] {
        self.booted.get().map_or(self.nodes, BootedSystem::nodes)
    }

    /// A program has made the nodes of a system, before there is more than one worker.
    pub(crate) fn boot(&self, system: BootedSystem) -> &[NodeSetup] {
        self.booted.get_or_init(|| system).nodes()
    }

    /// What the nodes have declared that a program has made.
    pub(crate) fn declared(&self) -> Option<Vec<BootDeclarations>> {
        self.booted.get().map(|system| system.declared().to_vec())
    }

    /// Makes the nodes again that a program has made in another process.
    pub(crate) fn boot_again(
        &self,
        declared: Option<Vec<BootDeclarations>>,
    ) -> Result<(), PartError> {
        if let Some(declared) = declared {
            self.boot(BootedSystem::again(self.nodes, declared)?);
        }
        Ok(())
    }

    /// Returns `true` if a program has made the nodes.
    pub(crate) fn has_booted(&self) -> bool {
        self.booted.get().is_some()
    }

    /// The reporter, for this worker alone until the guard is dropped.
    pub(crate) fn reporter(&self) -> MutexGuard<'_, RunReporter<'a>> {
        self.reporter.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The reporter, at the end of the run.
    pub(crate) fn into_reporter(self) -> RunReporter<'a> {
        self.reporter.into_inner().unwrap_or_else(PoisonError::into_inner)
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

    /// The next number of a state that no worker has.
    pub(crate) fn next_id(&self) -> u32 {
        self.next_id.load(Ordering::Relaxed)
    }

    /// The time that the run has taken by now, before and after it was gone on with.
    pub(crate) fn elapsed(&self, now: Duration) -> Duration {
        self.before + now.saturating_sub(self.started)
    }

    /// Goes on with the counts of a run that took so long by then.
    pub(crate) fn restore_counts(
        &mut self,
        next_id: u32,
        instructions: u64,
        forks: u64,
        live: u64,
        time: Duration,
    ) {
        *self.next_id.get_mut() = next_id;
        *self.instructions.get_mut() = instructions;
        *self.forks.get_mut() = forks;
        *self.live.get_mut() = live;
        self.before = time;
    }

    /// Counts a fork. Returns `true` if the limit of the run allows it.
    pub(crate) fn may_fork(&self) -> bool {
        let Some(limit) = self.config.limits.forks else { return true };
        let forks = self.forks.fetch_add(1, Ordering::Relaxed);
        forks.saturating_add(self.elsewhere().forks) < limit
    }

    /// Returns `true` if the limit of the run allows one more live state.
    pub(crate) fn has_room(&self) -> bool {
        let Some(limit) = self.config.limits.states else { return true };
        let live = self.live.load(Ordering::Relaxed).saturating_add(self.elsewhere().states);
        live.saturating_add(1) < limit
    }

    /// What other jobs of the run have come to, if this is one of several.
    fn elsewhere(&self) -> LimitedCounts {
        let Some(job) = &self.job else { return LimitedCounts::default() };
        let LimitedCounts { forks, states } = job.pace.totals.get();
        LimitedCounts { forks, states: states.saturating_sub(job.states) }
    }

    /// A worker has one more state.
    pub(crate) fn remember(&self) {
        if self.config.limits.states.is_some() {
            self.live.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The end of the run that the interrupt asks for.
    pub(crate) fn stopping(&self) -> Option<HaltReason> {
        match self.config.interrupt.stopping()? {
            StopReason::Asked => Some(HaltReason::Interrupted),
            StopReason::Time => Some(HaltReason::Limit(DropReason::TimeLimit)),
        }
    }

    /// Why something was left: the run ends, or else memory was far above its limit.
    pub(crate) fn limit_in_the_way(&self) -> HaltReason {
        self.stopping().unwrap_or(HaltReason::Limit(DropReason::MemoryLimit))
    }

    /// A limit on time or memory that has been reached, or the user's wish to stop.
    pub(crate) fn reached_limit(&self) -> Option<HaltReason> {
        if let Some(halt) = self.stopping() {
            return Some(halt);
        }
        let interrupted = self.reporter().observer.interrupted();
        let limits = &self.config.limits;
        let elapsed = self.config.clock.now().saturating_sub(self.started);
        if interrupted {
            return Some(HaltReason::Interrupted);
        }
        if limits.time.is_some_and(|limit| elapsed >= limit) {
            return Some(HaltReason::Limit(DropReason::TimeLimit));
        }
        self.is_full().then_some(HaltReason::Limit(DropReason::MemoryLimit))
    }

    /// Returns `true` if more memory is used than is allowed, even if all that is free is given back.
    pub(crate) fn is_full(&self) -> bool {
        let limit = self.config.limits.memory;
        limit.is_some_and(|limit| self.used_memory(limit).is_some())
    }

    /// The bytes of memory in use after all that is free was given back, if that is more than some bytes.
    pub(crate) fn used_memory(&self, above: u64) -> Option<u64> {
        let mut reporter = self.reporter();
        if reporter.observer.memory() <= above {
            return None;
        }
        reporter.observer.give_back_memory();
        Some(reporter.observer.memory()).filter(|used| *used > above)
    }

    /// The store for parts that memory has no room for, unless it has failed.
    pub(crate) fn spill_store(&self) -> Option<&dyn SpillStore> {
        let place = self.config.spill.as_ref()?;
        (!self.cannot_spill.load(Ordering::Relaxed)).then(|| place.store())
    }

    /// Puts no more parts into the store, which has failed, or has not helped.
    pub(crate) fn stop_spilling(&self, why: &str) {
        if !self.cannot_spill.swap(true, Ordering::Relaxed) {
            self.reporter().observer.warning(&format!(
                "cannot put states on disk: {why}; from now on they are dropped when memory is short"
            ));
        }
    }

    /// Begins to write or read a part: a run that is to end is waited for meanwhile.
    pub(crate) fn begin_saving(&self) -> SavingGuard<'_, 'a> {
        let mut saving = self.saving.lock().unwrap_or_else(PoisonError::into_inner);
        *saving += 1;
        self.config.interrupt.set_saving(true);
        SavingGuard(self)
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
            sum.add(other);
            sum
        })
    }
}
