//! The result of a run as a whole, and how far one has come that goes on.

use std::collections::BTreeMap;
use std::time::Duration;

use everett_world::MappingKind;

use crate::api::dropped::DropReason;
use crate::api::report::{FaultSummary, Finding, IgnoredFinding};

/// The outcome of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every path was explored, for all of its values.
    Exhausted,
    /// A limit was reached, or paths or values were dropped: [`Summary::dropped`] says which and why.
    Limit,
    /// The user stopped it.
    Stopped,
    /// It has not ended yet; only of a summary that [`Summary::so_far`] gives.
    Running,
    /// An internal error ended it.
    Failed,
}

/// Covered and total source instructions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoverageCount {
    /// Executed on at least one path.
    pub covered: u64,
    /// All.
    pub total: u64,
}

/// Coverage of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionCoverage {
    /// Linker name.
    pub function: String,
    /// Source file, empty when unknown.
    pub file: String,
    /// Line of the function, 0 when unknown.
    pub line: u32,
    /// Instructions.
    pub instructions: CoverageCount,
    /// Source lines of this function's file with whether they were executed, ascending.
    pub lines: Vec<(u32, bool)>,
}

/// Where a run stands, for progress displays and for what is stored while it goes on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// Time since the start.
    pub elapsed: Duration,
    /// Paths completed.
    pub paths: u64,
    /// Paths that ended in a finding.
    pub paths_failed: u64,
    /// Paths that the program ended without a result.
    pub paths_silent: u64,
    /// Paths whose worlds ended because another node's path did.
    pub paths_cut: u64,
    /// Paths that ended at an ignored finding.
    pub paths_ignored: u64,
    /// Forks.
    pub forks: u64,
    /// Messages that nodes sent, counted on each path.
    pub events_sent: u64,
    /// States created.
    pub states_created: u64,
    /// Most states alive at once.
    pub states_peak: u64,
    /// Nodes.
    pub nodes: u64,
    /// Tests written.
    pub tests: u64,
    /// Live states.
    pub states: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// Queries that reached a backend.
    pub queries: u64,
    /// Inputs that were symbolic, each name once.
    pub symbolic_inputs: u64,
    /// Time in the solver, of all workers together.
    pub solver_time: Duration,
    /// Workers that explore.
    pub workers: u64,
    /// Coverage.
    pub coverage: CoverageCount,
    /// Resident memory in bytes.
    pub memory: u64,
    /// Distinct findings.
    pub findings: u64,
    /// The numbers of what was dropped, by reason.
    pub dropped: BTreeMap<DropReason, u64>,
}

impl Progress {
    /// Adds how far another worker of the same run has come. Findings and tests are the run's, not a
    /// worker's, and so are the time and the memory.
    pub(crate) fn add(&mut self, other: Progress) {
        let Progress {
            elapsed: _,
            paths,
            paths_failed,
            paths_silent,
            paths_cut,
            paths_ignored,
            forks,
            events_sent,
            states_created,
            states_peak,
            nodes: _,
            tests: _,
            states,
            instructions,
            queries,
            symbolic_inputs: _,
            solver_time,
            workers: _,
            coverage,
            memory: _,
            findings: _,
            dropped,
        } = other;
        self.paths += paths;
        self.paths_failed += paths_failed;
        self.paths_silent += paths_silent;
        self.paths_cut += paths_cut;
        self.paths_ignored += paths_ignored;
        self.forks += forks;
        self.events_sent += events_sent;
        self.states_created += states_created;
        self.states_peak += states_peak;
        self.states += states;
        self.instructions += instructions;
        self.queries += queries;
        self.solver_time += solver_time;
        // Workers cover the same code.
        self.coverage.covered = self.coverage.covered.max(coverage.covered);
        for (reason, count) in dropped {
            *self.dropped.entry(reason).or_insert(0) += count;
        }
    }
}

/// The statistics of one solver layer.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerStats {
    /// Name of the layer.
    pub layer: String,
    /// Questions that reached it.
    pub asked: u64,
    /// Questions that it answered itself.
    pub answered: u64,
}

/// A number of worlds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorldCount {
    /// Exactly so many.
    Exactly(u64),
    /// So many and more.
    AtLeast(u64),
}

/// The statistics of invariants.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InvariantStats {
    /// Evaluations; combinations of data that were seen before need none.
    pub evaluations: u64,
    /// Distinct violations.
    pub violations: u64,
    /// Time spent on them.
    pub time: Duration,
}

/// The orders of messages and threads that a run has explored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrderSummary {
    /// The most deviations from the fixed order in a world; `u32::MAX` for all orders.
    pub most: u32,
    /// The most messages of a world that a deadline of their receiver overtakes.
    pub late: u32,
    /// The most preemptions along a path, if some node had several threads; `u32::MAX` for all orders of
    /// threads, and 0 for the fixed one.
    pub preemptions: Option<u32>,
    /// Paths that were made for an order that did not come about, and were dropped as they do nothing that
    /// others do not do.
    pub redundant: u64,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Its outcome.
    pub outcome: Outcome,
    /// A limit that was reached, or what the engine could not do, if that is why not all was explored.
    pub limit: Option<DropReason>,
    /// Source instructions executed over all paths.
    pub instructions: u64,
    /// Paths completed: the program exited or its entry function returned.
    pub paths: u64,
    /// Paths that ended in a finding.
    pub paths_failed: u64,
    /// Paths that the program ended without a result (`klee_silent_exit`).
    pub paths_silent: u64,
    /// Paths whose worlds ended because another node's path did.
    pub paths_cut: u64,
    /// Paths that ended at an ignored finding.
    pub paths_ignored: u64,
    /// Findings that were ignored, by kind and place.
    pub ignored: Vec<IgnoredFinding>,
    /// Nodes.
    pub nodes: u64,
    /// Distinct worlds that ran to their end.
    pub worlds: WorldCount,
    /// Those of them that ended because their servers only followed timers.
    pub worlds_idle: u64,
    /// Those of them that ended at the horizon of virtual time.
    pub worlds_horizon: u64,
    /// The orders of messages that were explored.
    pub orders: OrderSummary,
    /// The latest virtual time of states that were left when a limit, or the user, ended the run.
    pub unfinished_at: Option<Duration>,
    /// Most sets of worlds that were held at once; with several workers, no more than that.
    pub dstates_peak: u64,
    /// Messages that nodes sent, counted on each path.
    pub events_sent: u64,
    /// Questions whether states of several nodes can exist together.
    pub joint_checks: u64,
    /// The statistics of invariants, if there are any.
    pub invariants: Option<InvariantStats>,
    /// The representation of the set of worlds.
    pub mapping: MappingKind,
    /// States created, the first one included.
    pub states_created: u64,
    /// Most states alive at once; with several workers, whose peaks need not coincide, no more than that.
    pub states_peak: u64,
    /// Forks.
    pub forks: u64,
    /// Queries that reached a backend.
    pub queries: u64,
    /// Inputs that were symbolic, each name once.
    pub symbolic_inputs: u64,
    /// Time in the solver, of all workers together.
    pub solver_time: Duration,
    /// Wall time.
    pub wall_time: Duration,
    /// Workers that explored.
    pub workers: u64,
    /// Coverage of the whole program.
    pub coverage: CoverageCount,
    /// Coverage by function.
    pub functions: Vec<FunctionCoverage>,
    /// The numbers of what was dropped, by reason, in a fixed order.
    pub dropped: Vec<(DropReason, u64)>,
    /// Faults of the kinds that were allowed, in the order of kinds.
    pub faults: Vec<FaultSummary>,
    /// Findings, in order of discovery.
    pub findings: Vec<Finding>,
    /// Tests written.
    pub tests: u64,
    /// The statistics of each solver layer.
    pub solver_layers: Vec<LayerStats>,
    /// Exit code of the program when there was exactly one path and it completed.
    pub exit_code: Option<u64>,
    /// A hash of the whole run (paths, their decisions and ends): equal for equal runs.
    pub trace_hash: u64,
}

impl Summary {
    /// The summary of a run that goes on, as far as it is known while it does: neither layers of the
    /// solver nor functions, and worlds and the hash are those of a whole run.
    pub fn so_far(progress: &Progress, findings: &[Finding]) -> Summary {
        let Progress { coverage, dropped, .. } = progress;
        Summary {
            outcome: Outcome::Running,
            limit: None,
            instructions: progress.instructions,
            paths: progress.paths,
            paths_failed: progress.paths_failed,
            paths_silent: progress.paths_silent,
            paths_cut: progress.paths_cut,
            paths_ignored: progress.paths_ignored,
            ignored: Vec::new(),
            nodes: progress.nodes,
            worlds: WorldCount::AtLeast(0),
            worlds_idle: 0,
            worlds_horizon: 0,
            orders: OrderSummary::default(),
            unfinished_at: None,
            dstates_peak: 0,
            events_sent: progress.events_sent,
            joint_checks: 0,
            invariants: None,
            mapping: MappingKind::Sds,
            states_created: progress.states_created,
            states_peak: progress.states_peak.min(progress.states_created),
            forks: progress.forks,
            queries: progress.queries,
            symbolic_inputs: progress.symbolic_inputs,
            solver_time: progress.solver_time,
            wall_time: progress.elapsed,
            workers: progress.workers,
            coverage: coverage.clone(),
            functions: Vec::new(),
            dropped: dropped.iter().map(|(reason, count)| (reason.clone(), *count)).collect(),
            faults: Vec::new(),
            findings: findings.to_vec(),
            tests: progress.tests,
            solver_layers: Vec::new(),
            exit_code: None,
            trace_hash: 0,
        }
    }
}
