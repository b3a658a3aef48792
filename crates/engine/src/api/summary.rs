//! The result of a run as a whole, and how far one has come that goes on.

use std::collections::BTreeMap;
use std::time::Duration;

use everett_world::MappingKind;

use crate::api::dropped::DropReason;
use crate::api::live::LiveSummary;
use crate::api::report::{FaultSummary, Finding, IgnoredFinding};
use crate::api::spill::SpillCounts;
use crate::api::trojan::{TrojanProgress, TrojanSummary};

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
    /// The parts that were put outside of memory, and those that came back.
    pub spill: SpillCounts,
    /// Complete executions: worlds of a system, paths of a program.
    pub executions: u64,
    /// The part of the tree of decisions that they are, of all workers together.
    pub explored: f64,
    /// The search for Trojan messages so far, if messages are replaced.
    pub trojans: Option<TrojanProgress>,
}

/// An estimate of the number of executions that there are.
///
/// If a run decided at random at each fork, all sides being equally likely, then each execution would come
/// about with some chance. The chances of those that were explored add up to the part of the tree that is
/// explored; the others are taken to be as rare. This is Knuth's estimate for walks that are no more random
/// than the search is, and says nothing about one that has looked at one corner only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeEstimate {
    /// Executions in all: worlds of a system, paths of a program.
    pub total: f64,
    /// The part of the tree of decisions that is explored: more than 0, at most 1.
    pub explored: f64,
}

impl TreeEstimate {
    /// The estimate from executions that are complete, and the sum of their chances.
    pub(crate) fn new(executions: u64, explored: f64) -> Option<TreeEstimate> {
        // Rounding, and combinations of states that contradict each other, may lead above 1.
        let explored = explored.min(1.0);
        let total = executions as f64 / explored;
        (executions > 0 && explored > 0.0 && total.is_finite())
            .then_some(TreeEstimate { total, explored })
    }
}

impl Progress {
    /// An estimate of the number of executions that there are, once the run has come to a fork and an end.
    pub fn estimate(&self) -> Option<TreeEstimate> {
        TreeEstimate::new(self.executions, self.explored).filter(|_| self.forks > 0)
    }

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
            spill,
            executions,
            explored,
            trojans: _,
        } = other;
        self.executions += executions;
        self.spill.add(spill);
        self.explored += explored;
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
    /// Each invariant, in the order of their declarations.
    pub each: Vec<InvariantCount>,
}

/// The counts of one invariant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InvariantCount {
    /// Its name.
    pub name: String,
    /// The file that defines it.
    pub file: String,
    /// The line of its definition.
    pub line: u32,
    /// Evaluations that came to a result. None means that it was never due, and says nothing about the
    /// system.
    pub evaluations: u64,
    /// Those of them that were given data that some node has exposed.
    pub with_data: u64,
    /// Distinct violations.
    pub violations: u64,
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
    /// Paths that were dropped as they do nothing that others do not do.
    pub redundant: u64,
    /// Those of them whose threads have all done first on other paths what they would have done next.
    pub blocked: u64,
    /// Walks from the root to an end, if the search made any.
    pub walks: Option<u64>,
    /// The figures of a search by random priorities.
    pub pct: Option<PctSummary>,
}

/// The figures of a search by random priorities of threads and flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PctSummary {
    /// The depth of bugs that it looks for.
    pub depth: u32,
    /// Threads and flows that had priorities.
    pub actors: u64,
    /// The most choices in orders on one path.
    pub choices: u32,
    /// Walks.
    pub runs: u64,
}

impl PctSummary {
    /// A lower bound of the chance that one walk finds a bug of the depth: 1/(n·k^(d-1)).
    pub fn bound(&self) -> f64 {
        let choices = f64::from(self.choices.max(1));
        1.0 / (self.actors.max(1) as f64 * choices.powf(f64::from(self.depth.saturating_sub(1))))
    }
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
    /// An estimate of the number of executions that there are, if not all were explored.
    pub estimate: Option<TreeEstimate>,
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
    /// The Trojan messages that were found, if messages were replaced.
    pub trojans: Option<TrojanSummary>,
    /// The conversations with the peers of live nodes.
    pub live: Vec<LiveSummary>,
    /// The representation of the set of worlds.
    pub mapping: MappingKind,
    /// States created, the first one included.
    pub states_created: u64,
    /// Most states alive at once; with several workers, whose peaks need not coincide, no more than that.
    pub states_peak: u64,
    /// The parts that were put outside of memory, and those that came back.
    pub spill: SpillCounts,
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
            estimate: progress.estimate(),
            unfinished_at: None,
            dstates_peak: 0,
            events_sent: progress.events_sent,
            joint_checks: 0,
            invariants: None,
            trojans: None,
            live: Vec::new(),
            mapping: MappingKind::Sds,
            states_created: progress.states_created,
            states_peak: progress.states_peak.min(progress.states_created),
            spill: progress.spill,
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
