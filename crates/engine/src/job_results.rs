//! [`JobResults`]: the results of jobs, added up to those of their run.
//!
//! A job knows nothing of others. So each may find what another has found as well, and each numbers its
//! findings, its tests and the programs that it executes from the beginning. Here all of them get numbers of
//! the run, and what was found before is counted instead of told again.

use std::collections::BTreeSet;
use std::time::Duration;

use everett_base::hash::{Map, Set};
use everett_base::part::file::RunIdentity;
use everett_expr::Pool;
use everett_interp::{BugKind, Coverage, ProgramId};
use everett_posix::LearntOps;
use everett_solver::SolverStats;
use everett_world::UniverseCounts;

use crate::api::checkpoint::CheckpointError;
use crate::api::config::TestPolicy;
use crate::api::dropped::DropReason;
use crate::api::job::JobNews;
use crate::api::observer::{FilesOf, Observer};
use crate::api::report::{Finding, PathOutcome, SourcePlace, TestReason};
use crate::api::summary::{Progress, Summary};
use crate::engine::Engine;
use crate::explore::held_observer::{HeldObserver, HeldResult};
use crate::explore::job_record::{JobRecord, first_job};
use crate::explore::run;
use crate::explore::run_record::of_section;
use crate::explore::worker::WorkerResults;
use crate::parallel::context::RunContext;
use crate::parallel::exchange::HaltReason;
use crate::parallel::reporter_record::ReporterRecord;
use crate::programs::library::ProgramLibrary;
use crate::results::counters::RunCounters;
use crate::results::summary;
use crate::results::twins::{FoundTwin, TwinRow, TwinRows};
use crate::state::booted_system::BootedSystem;
use crate::state::twin::TwinName;

/// The results of the jobs of a run so far.
pub struct JobResults<'e> {
    engine: &'e Engine,
    run: RunIdentity,
    library: ProgramLibrary,
    counters: RunCounters,
    /// What came of states that several jobs have had.
    twins: TwinRows,
    coverage: Vec<Coverage>,
    solver: SolverStats,
    reporter: ReporterRecord,
    warned: BTreeSet<String>,
    /// Results that are not told before it is certain that the run does not begin again.
    held: Vec<HeldResult>,
    symbols: Set<(String, u32)>,
    halt: Option<HaltReason>,
    /// The nodes that the program has made itself, if it does so.
    booted: Option<BootedSystem>,
    /// Forks, with those of states that several jobs have.
    forks: u64,
}

/// The numbers that the results of a job have in the run.
struct NewNumbers {
    /// For each finding of the job, that of the run, and whether it is new. None if another job has told of
    /// it.
    findings: Vec<Option<(u32, bool)>>,
    /// Tests of the job that are told, with their numbers.
    tests: Map<u64, u64>,
}

impl NewNumbers {
    fn finding(&self, local: u32) -> Option<(u32, bool)> {
        self.findings.get((local as usize).checked_sub(1)?).copied().flatten()
    }
}

impl<'e> JobResults<'e> {
    /// No results yet of a run of this identity, which engines like this one explore.
    pub fn new(engine: &'e Engine, run: RunIdentity) -> JobResults<'e> {
        JobResults {
            engine,
            run,
            library: engine.library(),
            counters: RunCounters::default(),
            twins: TwinRows::default(),
            coverage: Vec::new(),
            solver: SolverStats::default(),
            reporter: ReporterRecord::default(),
            warned: BTreeSet::new(),
            held: Vec::new(),
            symbols: Set::default(),
            halt: None,
            booted: None,
            forks: 0,
        }
    }

    /// Adds what came of a job ([`crate::FinishedJob::record`]). The observer is told what is new; at the
    /// end, if the run may begin again.
    pub fn add(
        &mut self,
        record: &[u8],
        observer: &mut dyn Observer,
    ) -> Result<JobNews, CheckpointError> {
        let mut record: JobRecord = of_section(record)?;
        let programs = self.load_programs(&record)?;
        if let Some(racing) = record.racing.take().filter(|_| record.limit.is_none()) {
            let ops = racing.all().into_iter();
            let ops = ops.filter_map(|(of, pc)| Some((*programs.get(of.index())?, pc)));
            return Ok(JobNews::BeginsAgain(first_job(&self.run, LearntOps::new(ops).into())));
        }
        if let Some(declared) = record.declared.take().filter(|_| self.booted.is_none()) {
            self.booted = Some(BootedSystem::again(self.engine.nodes(), declared)?);
        }
        self.count_violations_once(&mut record);
        self.count_found_once(&mut record);
        let numbers = self.number_findings(&record.reporter);
        let mut held = HeldObserver::new(observer);
        self.add_twins(record.twins, &numbers, &mut held);
        self.tell(record.results, numbers, &mut record.counters, &mut held);
        match self.engine.learns_races() {
            true => self.held.extend(held.into_results()),
            false => held.tell(),
        }
        self.count(record.counters);
        self.counters.faults.counts.add(&record.faults);
        self.solver.add(&record.solver);
        for (program, covered) in record.coverage.iter().enumerate() {
            if let Some(program) = programs.get(program) {
                self.coverage_of(*program).merge(covered);
            }
        }
        self.reporter.worlds_tested += record.reporter.worlds_tested;
        self.reporter.worlds_untested += record.reporter.worlds_untested;
        self.symbols.extend(record.symbols);
        self.forks += record.forks;
        if let Some(reason) = record.limit.or_else(|| self.limit_of_run()) {
            self.end(reason);
        }
        Ok(if self.halt.is_some() { JobNews::Ends } else { JobNews::GoesOn })
    }

    /// Gives up jobs that have so many states together, for a reason that ends the run.
    pub fn give_up(&mut self, states: u64, reason: DropReason) {
        self.end(reason.clone());
        if states > 0 {
            *self.counters.dropped.entry(reason).or_insert(0) += states;
        }
    }

    /// The reason for which the run has ended before everything is explored.
    pub fn why_ended(&self) -> Option<DropReason> {
        self.halt.as_ref().map(HaltReason::reason)
    }

    /// Forks so far that count towards the limit of the run ([`crate::Limits::forks`]).
    pub fn forks(&self) -> u64 {
        // The one has forks of states that several jobs have, and the other those with a side that ends at
        // once.
        self.forks.min(self.counters.forks)
    }

    /// How far the run has come after a time, with so many workers.
    pub fn progress(&self, elapsed: Duration, workers: u64) -> Progress {
        let nodes = self.nodes();
        let no_more = (nodes > 1).then(UniverseCounts::default);
        let (executions, explored) = self.counters.executions(no_more);
        let counters = &self.counters;
        Progress {
            elapsed,
            paths: counters.paths,
            paths_failed: counters.paths_failed,
            paths_silent: counters.paths_silent,
            paths_cut: counters.paths_cut,
            paths_ignored: counters.paths_ignored,
            forks: counters.forks,
            events_sent: counters.events_sent,
            states_created: counters.states_created.max(0).unsigned_abs(),
            states_peak: counters.states_peak,
            nodes,
            tests: self.reporter.tests,
            states: 0,
            instructions: counters.instructions,
            queries: self.solver.backend_queries(),
            symbolic_inputs: self.symbols.len() as u64,
            solver_time: self.solver.backend_time(),
            workers,
            coverage: summary::coverage(self.engine.images(), &self.coverage),
            memory: 0,
            findings: self.reporter.findings.len() as u64,
            dropped: counters.dropped.clone(),
            executions,
            explored,
            spill: Default::default(),
            trojans: None,
        }
    }

    /// The summary of the run, which took a time with so many workers.
    pub fn summary(self, elapsed: Duration, workers: u64, observer: &mut dyn Observer) -> Summary {
        let JobResults { engine, library, counters, coverage, solver, reporter, held, .. } = self;
        HeldObserver::with(observer, held).tell();
        self.twins.told().for_each(|path| observer.path(path));
        let pool = Pool::new();
        for (name, size) in &self.symbols {
            pool.symbol(name, *size);
        }
        let racing = LearntOps::default().into();
        let mut context = RunContext::new(engine.parts(&library, &racing), &pool, observer);
        context.restore_counts(0, 0, 0, 0, elapsed);
        if let Some(system) = self.booted {
            context.boot(system);
        }
        context.reporter().take_results(reporter);
        if let Some(halt) = self.halt {
            context.exchange.halt(halt);
        }
        let faults = Default::default();
        let results = WorkerResults {
            counters,
            notes: Default::default(),
            coverage,
            solver,
            faults,
            twins: TwinRows::default(),
            twins_found: Vec::new(),
            left: Vec::new(),
        };
        Summary { workers, ..run::together(context, vec![results]) }
    }

    /// The nodes of the run, as far as it is known.
    fn nodes(&self) -> u64 {
        let nodes = self.booted.as_ref().map_or(self.engine.nodes(), BootedSystem::nodes);
        nodes.len() as u64
    }

    fn end(&mut self, reason: DropReason) {
        self.halt.get_or_insert(match reason {
            DropReason::Interrupted => HaltReason::Interrupted,
            DropReason::AfterInternalError => HaltReason::Failed,
            reason => HaltReason::Limit(reason),
        });
    }

    /// A limit of the whole run that is reached.
    fn limit_of_run(&self) -> Option<DropReason> {
        let config = self.engine.config();
        let limits = &config.limits;
        if config.stop_after.is_some_and(|most| self.reporter.findings.len() as u64 >= most) {
            return Some(DropReason::FindingLimit);
        }
        if limits.instructions.is_some_and(|most| self.counters.instructions >= most) {
            return Some(DropReason::InstructionLimit);
        }
        None
    }

    /// Loads the programs that a job has executed; gives the program of the run for each of the job.
    fn load_programs(&mut self, record: &JobRecord) -> Result<Vec<ProgramId>, CheckpointError> {
        let mut programs: Vec<ProgramId> =
            (0..self.engine.first_programs()).map(ProgramId::from_index).collect();
        for program in &record.programs {
            let number = |id: ProgramId| programs.get(id.index()).copied();
            let loaded = self.library.load_again(self.engine.images(), program, number);
            programs.push(loaded.map_err(|error| CheckpointError::Program(error.to_string()))?);
        }
        Ok(programs)
    }

    fn coverage_of(&mut self, program: ProgramId) -> &mut Coverage {
        while self.coverage.len() <= program.index() {
            let id = ProgramId::from_index(self.coverage.len());
            self.coverage.push(Coverage::new(&self.engine.images().image(id).program));
        }
        &mut self.coverage[program.index()]
    }

    /// Takes violations out of the counts of a job that another job has counted.
    fn count_violations_once(&mut self, record: &mut JobRecord) {
        for (key, finding) in std::mem::take(&mut record.reporter.violations) {
            let is_known = self.reporter.violations.insert(key, finding).is_some();
            let at = (finding as usize).checked_sub(1);
            if let Some(finding) = at.and_then(|at| record.reporter.findings.get_mut(at))
                && is_known
            {
                finding.count = finding.count.saturating_sub(1);
                if let Some(violation) = &finding.violation {
                    record.counters.invariants.forget_violation(&violation.invariant);
                }
            }
        }
    }

    /// Adds what was counted for bugs of states that several jobs have, and forgets what another job has
    /// counted.
    fn count_found_once(&mut self, record: &mut JobRecord) {
        for FoundTwin { name, finding, counters } in std::mem::take(&mut record.twins_found) {
            if self.twins.is_found_first(name) {
                record.counters.add(counters);
            } else if let Some(at) = finding.and_then(|number| (number as usize).checked_sub(1))
                && let Some(finding) = record.reporter.findings.get_mut(at)
            {
                finding.count = finding.count.saturating_sub(1);
            }
        }
    }

    /// Adds what came of states that several jobs have.
    fn add_twins(
        &mut self,
        twins: Vec<(TwinName, TwinRow)>,
        numbers: &NewNumbers,
        observer: &mut dyn Observer,
    ) {
        for (name, mut row) in twins {
            let told = row.end.as_mut().and_then(|end| end.told.as_mut());
            if let Some(PathOutcome::Finding(of)) = told.map(|path| &mut path.outcome) {
                *of = numbers.finding(*of).map_or(*of, |(id, _)| id);
            }
            for written in self.twins.merge(name, row, &mut self.counters) {
                observer.output(&written.node, written.descriptor, &written.bytes);
            }
        }
    }

    /// Books the findings of a job.
    fn number_findings(&mut self, job: &ReporterRecord) -> NewNumbers {
        let all = self.engine.config().all_findings;
        let mut keys: Vec<Option<&(BugKind, Vec<SourcePlace>)>> = vec![None; job.findings.len()];
        for (key, &at) in &job.known {
            if let Some(slot) = keys.get_mut(at) {
                *slot = Some(key);
            }
        }
        let mut findings = Vec::new();
        for (finding, key) in job.findings.iter().zip(keys) {
            let known = key.filter(|_| !all).and_then(|key| self.reporter.known.get(key));
            if let Some(&known) = known {
                self.reporter.findings[known].count += finding.count;
                findings.push(Some((known as u32 + 1, false)));
                continue;
            }
            if finding.count == 0 {
                findings.push(None);
                continue;
            }
            let at = self.reporter.findings.len();
            let id = at as u32 + 1;
            self.reporter.findings.push(Finding { id, ..finding.clone() });
            if let Some(key) = key {
                self.reporter.known.insert(key.clone(), at);
            }
            findings.push(Some((id, true)));
        }
        NewNumbers { findings, tests: Map::default() }
    }

    /// Tells the observer what is new.
    fn tell(
        &mut self,
        results: Vec<HeldResult>,
        mut numbers: NewNumbers,
        counters: &mut RunCounters,
        observer: &mut dyn Observer,
    ) {
        counters.faults.renumber(|id| Some(numbers.finding(id)?.0));
        let writes_all = self.engine.config().tests == TestPolicy::All;
        for result in results {
            match result {
                HeldResult::Finding(finding) => {
                    let Some((id, true)) = numbers.finding(finding.id) else { continue };
                    let test = finding.test.map(|test| self.number_of_test(&mut numbers, test));
                    self.reporter.findings[id as usize - 1].test = test;
                    observer.finding(&Finding { id, test, ..finding });
                }
                HeldResult::Test(mut test) => {
                    if let TestReason::Finding(of) = &mut test.reason {
                        let Some((id, is_new)) = numbers.finding(*of) else { continue };
                        if !is_new && !writes_all {
                            continue;
                        }
                        *of = id;
                    }
                    test.id = self.number_of_test(&mut numbers, test.id);
                    observer.test(&test);
                }
                HeldResult::World(mut world) => {
                    if let Some(finding) = &mut world.finding {
                        let Some((id, is_new)) = numbers.finding(finding.id) else { continue };
                        if !is_new && !writes_all {
                            continue;
                        }
                        finding.id = id;
                        finding.test =
                            finding.test.map(|test| self.number_of_test(&mut numbers, test));
                    }
                    world.id = self.number_of_test(&mut numbers, world.id);
                    observer.world(&world);
                }
                HeldResult::Files(FilesOf::Finding(of), files) => {
                    if let Some((id, true)) = numbers.finding(of) {
                        observer.files(FilesOf::Finding(id), &files);
                    }
                }
                HeldResult::Files(FilesOf::Wish(_), files) => {
                    self.reporter.wishes += 1;
                    observer.files(FilesOf::Wish(self.reporter.wishes), &files);
                }
                HeldResult::Path(mut path) => {
                    if let PathOutcome::Finding(of) = &mut path.outcome {
                        *of = numbers.finding(*of).map_or(*of, |(id, _)| id);
                    }
                    observer.path(&path);
                }
                HeldResult::Step(step) => observer.step(&step),
                HeldResult::Stopped(at) => observer.stopped(&at),
                HeldResult::Warning(message) => {
                    if self.warned.insert(message.clone()) {
                        observer.warning(&message);
                    }
                }
                HeldResult::Output(node, descriptor, bytes) => {
                    observer.output(&node, descriptor, &bytes);
                }
            }
        }
    }

    /// The number of a test in the run.
    fn number_of_test(&mut self, numbers: &mut NewNumbers, local: u64) -> u64 {
        let tests = &mut self.reporter.tests;
        *numbers.tests.entry(local).or_insert_with(|| {
            *tests += 1;
            *tests
        })
    }

    /// Adds counts. Jobs have their peaks at different times, and most of them one after the other.
    fn count(&mut self, counters: RunCounters) {
        let states = self.counters.states_peak.max(counters.states_peak);
        let dstates = self.counters.worlds.dstates_peak.max(counters.worlds.dstates_peak);
        self.counters.add(counters);
        (self.counters.states_peak, self.counters.worlds.dstates_peak) = (states, dstates);
    }
}
