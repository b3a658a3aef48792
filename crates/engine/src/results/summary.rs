//! From a run's books to its summary.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use everett_interp::{BugKind, Coverage, ProgramId, ProgramImages};
use everett_ir::{FuncId, Program};
use everett_solver::SolverStats;
use everett_world::{MappingKind, UniverseCounts};

use crate::api::dropped::DropReason;
use crate::api::report::{FaultSummary, IgnoredFinding, SourcePlace};
use crate::api::summary::{
    CoverageCount, FunctionCoverage, LayerStats, OrderSummary, Outcome, PctSummary, Summary,
    TreeEstimate, WorldCount,
};
use crate::parallel::context::RunReporter;
use crate::results::counters::RunCounters;

/// The parts of a summary besides the counters.
pub(crate) struct SummaryParts<'a> {
    pub(crate) images: &'a ProgramImages,
    pub(crate) coverage: Vec<Coverage>,
    pub(crate) solver: SolverStats,
    pub(crate) nodes: u64,
    pub(crate) mapping: MappingKind,
    /// The invariants, if there are any.
    pub(crate) invariants: Option<&'a minvariant::Program>,
    pub(crate) reporter: RunReporter<'a>,
    pub(crate) symbolic_inputs: u64,
    pub(crate) wall_time: Duration,
    pub(crate) workers: u64,
    pub(crate) outcome: Outcome,
    pub(crate) limit: Option<DropReason>,
    pub(crate) faults: Vec<FaultSummary>,
    /// The most deviations from the fixed order in a world, and those of them that are late messages.
    pub(crate) orders: u32,
    pub(crate) late: u32,
    /// The most preemptions along a path that are explored, of any node.
    pub(crate) preemptions: u32,
    /// The depth of a search by random priorities.
    pub(crate) pct_depth: Option<u32>,
}

pub(crate) fn build(counters: RunCounters, parts: SummaryParts<'_>) -> Summary {
    let functions = function_coverage(parts.images, &parts.coverage);
    let total = |f: fn(&CoverageCount) -> u64| functions.iter().map(|c| f(&c.instructions)).sum();
    let only_path = parts.outcome == Outcome::Exhausted
        && (counters.paths, counters.paths_failed, counters.paths_silent) == (1, 0, 0);
    let no_more = (parts.nodes > 1).then(UniverseCounts::default);
    let (executions, explored) = counters.executions(no_more);
    let states_created = counters.states_created.max(0).unsigned_abs();
    let orders = orders(&counters, &parts);
    Summary {
        outcome: parts.outcome,
        limit: parts.limit.clone(),
        instructions: counters.instructions,
        paths: counters.paths,
        paths_failed: counters.paths_failed,
        paths_silent: counters.paths_silent,
        paths_cut: counters.paths_cut,
        paths_ignored: counters.paths_ignored,
        ignored: ignored(counters.ignored),
        nodes: parts.nodes,
        worlds: match counters.worlds.capped {
            false => WorldCount::Exactly(counters.worlds.final_worlds),
            true => WorldCount::AtLeast(counters.worlds.final_worlds),
        },
        worlds_idle: counters.worlds.idle_worlds,
        worlds_horizon: counters.worlds.horizon_worlds,
        orders,
        estimate: (parts.outcome != Outcome::Exhausted && counters.forks > 0)
            .then(|| TreeEstimate::new(executions, explored))
            .flatten(),
        unfinished_at: counters.unfinished_at.map(Duration::from_nanos),
        dstates_peak: counters.worlds.dstates_peak,
        events_sent: counters.events_sent,
        joint_checks: counters.worlds.joint_checks,
        invariants: parts.invariants.map(|program| counters.invariants.summary(program)),
        trojans: None,
        live: Vec::new(),
        mapping: parts.mapping,
        states_created,
        // Workers have their peaks at different times, and copies of the same states.
        states_peak: counters.states_peak.min(states_created),
        spill: counters.spill,
        forks: counters.forks,
        queries: parts.solver.backend_queries(),
        solver_time: parts.solver.backend_time(),
        symbolic_inputs: parts.symbolic_inputs,
        wall_time: parts.wall_time,
        workers: parts.workers,
        coverage: CoverageCount { covered: total(|c| c.covered), total: total(|c| c.total) },
        functions,
        dropped: counters.dropped.into_iter().collect(),
        faults: parts.faults,
        findings: parts.reporter.findings,
        tests: parts.reporter.tests,
        solver_layers: layers(&parts.solver),
        exit_code: counters.exit_code.filter(|_| only_path),
        trace_hash: counters.trace_hash,
    }
}

/// The findings that were ignored, in a fixed order.
fn ignored(counters: BTreeMap<(BugKind, SourcePlace), (u64, u64)>) -> Vec<IgnoredFinding> {
    let entry = |((kind, place), (went_on, ended))| IgnoredFinding { kind, place, went_on, ended };
    counters.into_iter().map(entry).collect()
}

/// The orders that were explored.
fn orders(counters: &RunCounters, parts: &SummaryParts<'_>) -> OrderSummary {
    OrderSummary {
        most: parts.orders,
        late: parts.late,
        preemptions: counters.has_threads.then_some(parts.preemptions),
        redundant: counters.orders_redundant,
        blocked: counters.orders_blocked,
        walks: (counters.walks.walks > 0).then_some(counters.walks.walks),
        pct: parts.pct_depth.map(|depth| PctSummary {
            depth,
            actors: counters.walks.actors,
            choices: counters.walks.choices,
            runs: counters.walks.walks,
        }),
    }
}

/// Covered and total instructions of the user's programs; libraries do not count.
pub(crate) fn coverage(images: &ProgramImages, coverage: &[Coverage]) -> CoverageCount {
    let mut count = CoverageCount::default();
    for CoveredProgram { program, coverage, first } in programs(images, coverage) {
        for func in own(program, first) {
            let (covered, total) = coverage.of_function(program, func);
            count.covered += covered;
            count.total += total;
        }
    }
    count
}

/// A program of the user's, and what was executed of it.
struct CoveredProgram<'a> {
    program: &'a Program,
    coverage: Cow<'a, Coverage>,
    /// Its first function; those before it are another program's, to which libraries were linked.
    first: usize,
}

/// The user's programs. What was executed of a program after it has opened libraries counts as its own.
fn programs<'a>(
    images: &'a ProgramImages,
    coverage: &'a [Coverage],
) -> impl Iterator<Item = CoveredProgram<'a>> {
    let image = |i| images.image(ProgramId::from_index(i));
    let mut all: Vec<Cow<'a, Coverage>> = coverage.iter().map(Cow::Borrowed).collect();
    for i in (0..all.len()).rev() {
        let (before, rest) = all.split_at_mut(i);
        if let (Some(base), Some(extended)) = (image(i).base, rest.first()) {
            before[base.index()].to_mut().merge(extended);
        }
    }
    let each = all.into_iter().enumerate().map(move |(i, coverage)| (image(i), coverage));
    let own = each.filter(|(image, _)| !image.is_gateway);
    own.map(|(image, coverage)| {
        let first = image.base.map_or(0, |base| images.image(base).program.functions.len());
        CoveredProgram { program: &image.program, coverage, first }
    })
}

/// Functions with code that are not a library's, from one on.
fn own(program: &Program, first: usize) -> impl Iterator<Item = FuncId> + '_ {
    (first..program.functions.len())
        .map(FuncId::from_index)
        .filter(|f| program.function(*f).defined && !program.function(*f).library)
}

fn function_coverage(images: &ProgramImages, coverage: &[Coverage]) -> Vec<FunctionCoverage> {
    let mut found = Vec::new();
    for CoveredProgram { program, coverage, first } in programs(images, coverage) {
        found.extend(own(program, first).map(|func| one_function(program, &coverage, func)));
    }
    found
}

fn one_function(program: &Program, coverage: &Coverage, func: FuncId) -> FunctionCoverage {
    let function = program.function(func);
    let (covered, total) = coverage.of_function(program, func);
    let place = program.location(function.loc);
    // The initialiser of a C++ object has lines, but none of its own.
    let own =
        |pc| program.location(program.loc(pc)).filter(|l| l.line > 0 && l.inlined_at.is_none());
    let first = || (function.entry..function.end).find_map(own);
    let file = place.or_else(first).map(|location| location.file);
    let mut lines: BTreeMap<u32, bool> = BTreeMap::new();
    for (pc, executed) in (function.entry..).zip(coverage.covered_ops(program, func)) {
        let Some(location) = program.location(program.loc(pc)) else { continue };
        if location.line > 0 && Some(location.file) == file {
            *lines.entry(location.line).or_insert(false) |= executed;
        }
    }
    FunctionCoverage {
        function: function.name.clone(),
        file: file.map_or(String::new(), |file| program.files[file.index()].name.clone()),
        line: place.map_or(0, |location| location.line),
        instructions: CoverageCount { covered, total },
        lines: lines.into_iter().collect(),
    }
}

fn layers(stats: &SolverStats) -> Vec<LayerStats> {
    let settled = [
        ("constant", stats.by_constant),
        ("path model", stats.by_path_model),
        ("ranges", stats.by_ranges),
        ("exact cache", stats.by_exact_cache),
        ("unsatisfiable cores", stats.by_core),
        ("recent models", stats.by_recent_model),
        ("one byte", stats.by_enumeration),
    ];
    let mut asked = stats.questions;
    let mut layers = Vec::new();
    for (layer, answered) in settled {
        layers.push(LayerStats { layer: layer.to_owned(), asked, answered });
        asked = asked.saturating_sub(answered);
    }
    for backend in &stats.backends {
        let answered = backend.sat + backend.unsat;
        let asked = answered + backend.unknown;
        layers.push(LayerStats { layer: backend.name.to_owned(), asked, answered });
    }
    layers
}
