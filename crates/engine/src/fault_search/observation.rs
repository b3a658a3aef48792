//! Observations of runs without branches: [`RunObservation`], and differences between them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use everett_interp::BugKind;

use crate::api::dropped::{DropReason, Loss};
use crate::api::observer::Observer;
use crate::api::report::{Finding, PathEnd, PathOutcome, SourcePlace, TestCase, WorldTest};
use crate::api::summary::Summary;

/// A line of the program: its file, function and number.
pub(super) type SourceLine = (String, String, u32);
/// The identity of a finding.
pub(super) type FindingIdentity = (BugKind, Vec<SourcePlace>);

/// The test of an experiment.
#[derive(Clone, Debug)]
pub struct FaultTest {
    /// That of each node, in their order.
    pub nodes: Vec<TestCase>,
    /// The test of the world that they belong to. A program on its own may have none.
    pub world: Option<WorldTest>,
}

/// Collects the results of a run.
pub(super) struct RunCollector {
    /// Nobody waits for the run any more.
    is_over: Arc<AtomicBool>,
    pub(super) results: RunResults,
}

impl RunCollector {
    /// Collects until the run ends, or `is_over` is set.
    pub(super) fn new(is_over: Arc<AtomicBool>) -> RunCollector {
        RunCollector { is_over, results: RunResults::default() }
    }
}

/// The ends of paths, and the tests.
#[derive(Default)]
pub(super) struct RunResults {
    pub(super) paths: Vec<PathEnd>,
    tests: Vec<TestCase>,
    worlds: Vec<WorldTest>,
}

everett_base::portable!(struct RunResults { paths, tests, worlds });

impl RunResults {
    /// The test that shows what was found, or else how it ended.
    pub(super) fn test(self, findings: &[Finding]) -> Option<FaultTest> {
        let RunResults { tests, mut worlds, paths: _ } = self;
        let found = findings.first().and_then(|finding| finding.test);
        let shown = worlds.iter().position(|world| Some(world.id) == found);
        let at = shown.or(worlds.len().checked_sub(1));
        let world = at.map(|at| worlds.swap_remove(at));
        let id = world.as_ref().map(|world| world.id);
        let id = id.or(found).or_else(|| Some(tests.last()?.id))?;
        let nodes = tests.into_iter().filter(|test| test.id == id).collect();
        Some(FaultTest { nodes, world })
    }
}

impl Observer for RunCollector {
    fn interrupted(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    fn wants_paths(&self) -> bool {
        true
    }

    fn path(&mut self, path: &PathEnd) {
        self.results.paths.push(path.clone());
    }

    fn test(&mut self, test: &TestCase) {
        self.results.tests.push(test.clone());
    }

    fn world(&mut self, world: &WorldTest) {
        self.results.worlds.push(world.clone());
    }
}

/// The observable behaviour of a run, as far as faults can change it.
#[derive(Default)]
pub(super) struct RunObservation {
    /// The end of each node.
    pub(super) ends: BTreeMap<String, String>,
    pub(super) sent: u64,
    pub(super) lines: BTreeSet<SourceLine>,
    pub(super) findings: Vec<Finding>,
    /// Things that the engine could not do.
    pub(super) failure: Option<DropReason>,
}

everett_base::portable!(struct RunObservation { ends, sent, lines, findings, failure });

impl RunObservation {
    pub(super) fn new(summary: Summary, paths: &[PathEnd]) -> RunObservation {
        let mut dropped = summary.dropped.iter().map(|(reason, _)| reason);
        let failure = dropped.find(|reason| reason.loss() == Loss::Failure).cloned();
        let mut ends: BTreeMap<String, String> =
            paths.iter().map(|path| (path.node.clone(), ending(&path.outcome))).collect();
        if let Some(limit) = summary.limit.as_ref().filter(|_| failure.is_none()) {
            // Nodes that are still running when a limit is reached end without a word.
            let how = match limit {
                DropReason::TimeLimit | DropReason::InstructionLimit => "goes on and on",
                _ => "is not explored to its end",
            };
            ends.insert(String::new(), format!("{how} ({limit})"));
        }
        let mut lines = BTreeSet::new();
        for function in summary.functions {
            let covered = function.lines.iter().filter(|(_, covered)| *covered);
            lines.extend(
                covered.map(|(line, _)| (function.file.clone(), function.function.clone(), *line)),
            );
        }
        let sent = paths.iter().map(|path| path.sent).sum();
        RunObservation { ends, sent, lines, findings: summary.findings, failure }
    }

    /// Findings that another run does not have.
    pub(super) fn findings_beyond(&self, other: &RunObservation) -> Vec<Finding> {
        let known: BTreeSet<FindingIdentity> = other.findings.iter().map(identity).collect();
        self.findings.iter().filter(|found| !known.contains(&identity(found))).cloned().collect()
    }

    /// Nodes that end otherwise than in another run, with how.
    pub(super) fn ends_beyond(&self, other: &RunObservation) -> Vec<(String, String)> {
        let differs = |(node, end): &(&String, &String)| other.ends.get(*node) != Some(*end);
        let own = self.ends.iter().filter(differs);
        own.map(|(node, end)| (node.clone(), end.clone())).collect()
    }
}

/// The identity of a finding.
pub(super) fn identity(finding: &Finding) -> FindingIdentity {
    (finding.kind, finding.stack.clone())
}

fn ending(outcome: &PathOutcome) -> String {
    match outcome {
        PathOutcome::Exit(code) => format!("exits with {code}"),
        PathOutcome::Silent => "ends without a result".to_owned(),
        PathOutcome::Redundant(_) => "does the same as another path".to_owned(),
        PathOutcome::Finding(_) => "has a finding".to_owned(),
        PathOutcome::Dropped(reason) => format!("is given up ({reason})"),
        PathOutcome::Waits => "waits for ever".to_owned(),
        PathOutcome::Ignored => "ends at an ignored finding".to_owned(),
        PathOutcome::WorldEnded | PathOutcome::Impossible => "is cut short".to_owned(),
    }
}
