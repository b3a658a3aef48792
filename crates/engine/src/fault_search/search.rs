//! The search: what is tried, and what is made of it: [`FaultSearch`].

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use everett_posix::{FaultDecision, FaultKind};
use thiserror::Error;

use super::ahead::ExperimentsAhead;
use super::experiment::{
    ClusterKey, FaultCluster, FaultExperiment, MOST_LINES, MOST_MESSAGES, NodeFault, SearchedFault,
};
use super::explorer::{FaultExplorer, FaultStrategy, FaultTrial};
use super::observation::{FindingIdentity, RunObservation, SourceLine, identity};
use super::run::{ExperimentEngine, ExperimentJob, ExperimentRun};
use super::runner::{ExperimentPool, ExperimentRunner, RunnerError};
use super::space::{FaultCoordinates, FaultSpace};
use crate::api::config::{EngineConfig, SystemNode};
use crate::api::dropped::DropReason;
use crate::api::error::EngineError;
use crate::api::report::{FaultPoint, Finding, PathEnd};

/// Impact of a finding with a stack that is new.
const NEW_FINDING: f64 = 20.0;
/// More, if it is a violated invariant.
const NEW_VIOLATION: f64 = 10.0;
/// Impact of one that was there before.
const OLD_FINDING: f64 = 2.0;
/// Impact of a node that ends in a way that is new.
const NEW_END: f64 = 5.0;
/// Impact of one that ended like that before, but does not without faults.
const OLD_END: f64 = 1.0;
/// Impact of a line that no run has executed before.
const NEW_LINE: f64 = 1.0;
/// Instructions of an experiment are limited to so many times those of the run without faults.
const LONGER: u64 = 20;
/// But not to fewer than these.
const FEWEST_INSTRUCTIONS: u64 = 10_000_000;

/// The impact of an experiment that has not ended, for a guess at what comes after it: most have none.
const GUESSED_IMPACT: f64 = 0.0;

/// The configuration of a search.
#[derive(Clone, Copy, Debug)]
pub struct FaultSearchConfig {
    /// In which order.
    pub strategy: FaultStrategy,
    /// Seed of the random choices.
    pub seed: u64,
    /// Faults that happen in one run at most. Beyond one, those are added to others that had an effect.
    pub together: usize,
    /// Experiments at most.
    pub experiments: Option<u64>,
}

/// Why there is nothing to search.
#[derive(Debug, Error)]
pub enum FaultSearchError {
    /// The system cannot be run.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// It does not get to its end even without faults.
    #[error("the run without faults does not get to its end: {0}")]
    Unfinished(DropReason),
    /// The user stopped it.
    #[error("stopped during the run without faults")]
    Stopped,
    /// There is no fault to try.
    #[error("nothing can happen: no fault of the kinds that are allowed is possible anywhere")]
    NoFaults,
    /// Runs cannot be made.
    #[error("cannot make another run")]
    Runner(#[from] RunnerError),
}

/// Faults that had an effect, and what can happen beside them, the nearest first.
struct SurveyBase {
    faults: Vec<NodeFault>,
    beside: Vec<NodeFault>,
}

/// A search over the faults of a system.
pub struct FaultSearch {
    ahead: ExperimentsAhead,
    names: Vec<String>,
    /// The single ones, as they are numbered in the space.
    faults: Vec<NodeFault>,
    explorer: FaultExplorer,
    config: FaultSearchConfig,
    /// Families of the explorer.
    bases: Vec<SurveyBase>,
    /// Several faults that were tried together.
    sets: BTreeSet<Vec<NodeFault>>,
    normal: RunObservation,
    /// Lines that some run has executed.
    lines: BTreeSet<SourceLine>,
    findings: BTreeSet<FindingIdentity>,
    ends: BTreeSet<(String, String)>,
    experiments: u64,
    /// Those in which some fault could not happen.
    not_applicable: u64,
    clusters: BTreeMap<ClusterKey, FaultCluster>,
}

impl FaultSearch {
    /// Runs the system without faults, and finds out which are possible. Without budgets, all kinds are
    /// allowed that happen to a node at a point of its path.
    ///
    /// So many threads of this process make the runs of the search, at least one. What is found does not
    /// depend on their number.
    pub fn new(
        nodes: Vec<SystemNode>,
        config: EngineConfig,
        search: FaultSearchConfig,
        threads: usize,
    ) -> Result<FaultSearch, FaultSearchError> {
        let start = |engine| Ok(Box::new(ExperimentPool::start(engine, threads)) as Box<_>);
        FaultSearch::with_runner(nodes, config, search, start)
    }

    /// The same, with somebody else who makes the runs of the search. It is asked for after the run without
    /// faults.
    pub fn with_runner(
        nodes: Vec<SystemNode>,
        config: EngineConfig,
        search: FaultSearchConfig,
        runner: impl FnOnce(ExperimentEngine) -> Result<Box<dyn ExperimentRunner>, RunnerError>,
    ) -> Result<FaultSearch, FaultSearchError> {
        let names: Vec<String> =
            nodes.iter().map(|node| node.config.kernel.hostname.clone()).collect();
        let mut engine = ExperimentEngine::new(nodes, config)?;
        let normal = ExperimentJob { faults: Vec::new(), instructions: None };
        let ExperimentRun { is_stopped, limit, instructions, seen: normal, collected, .. } =
            engine.run(&normal, &Arc::default());
        match limit {
            _ if is_stopped => return Err(FaultSearchError::Stopped),
            Some(limit) => return Err(FaultSearchError::Unfinished(limit)),
            None => {}
        }
        let (space, faults) = space(&names, &collected.paths);
        if faults.is_empty() {
            return Err(FaultSearchError::NoFaults);
        }
        let longest = instructions.saturating_mul(LONGER).max(FEWEST_INSTRUCTIONS);
        Ok(FaultSearch {
            ahead: ExperimentsAhead::new(runner(engine)?, longest),
            names,
            explorer: FaultExplorer::new(space, search.strategy, search.seed),
            config: search,
            bases: Vec::new(),
            sets: BTreeSet::new(),
            faults,
            lines: normal.lines.clone(),
            findings: normal.findings.iter().map(identity).collect(),
            ends: BTreeSet::new(),
            normal,
            experiments: 0,
            not_applicable: 0,
            clusters: BTreeMap::new(),
        })
    }

    /// The number of faults.
    pub fn faults(&self) -> u64 {
        self.faults.len() as u64
    }

    /// The number of experiments.
    pub fn experiments(&self) -> u64 {
        self.experiments
    }

    /// The number of experiments of several faults together.
    pub fn several(&self) -> u64 {
        self.sets.len() as u64
    }

    /// The number of those that were in vain, as some fault could not happen once the others had.
    pub fn not_applicable(&self) -> u64 {
        self.not_applicable
    }

    /// Distinct findings so far, those without faults not counted.
    pub fn failures(&self) -> u64 {
        (self.findings.len() - self.normal.findings.len()) as u64
    }

    /// Lines that some experiment has executed, and the run without faults has not.
    pub fn lines_reached(&self) -> u64 {
        (self.lines.len() - self.normal.lines.len()) as u64
    }

    /// Findings of the run without faults.
    pub fn normal_findings(&self) -> &[Finding] {
        &self.normal.findings
    }

    /// Faults put together by their effects; those without any are left out. Those that reach the same code
    /// are beside each other, the worst first, and so is the code that the worst reach.
    pub fn clusters(&self) -> Vec<&FaultCluster> {
        let rank =
            |cluster: &FaultCluster| (Reverse(cluster.first.severity()), cluster.first.number);
        let mut worst = BTreeMap::new();
        for cluster in self.clusters.values() {
            let best = worst.entry(&cluster.first.reached).or_insert(rank(cluster));
            *best = rank(cluster).min(*best);
        }
        let mut clusters: Vec<&FaultCluster> = self.clusters.values().collect();
        clusters.sort_by_key(|cluster| (worst[&cluster.first.reached], rank(cluster)));
        clusters
    }

    /// Tries one more fault, or several; `None` if all were tried, or as many as are wanted, or the user
    /// stopped it.
    pub fn step(&mut self) -> Result<Option<FaultExperiment>, FaultSearchError> {
        let left = self.config.experiments.map(|most| most.saturating_sub(self.experiments));
        if left == Some(0) {
            return Ok(None);
        }
        let tried = &mut self.sets;
        let picked = pick(&mut self.explorer, &self.faults, &self.bases, |set| tried.insert(set));
        let Some((trial, faults)) = picked else { return Ok(None) };
        let run = self.run(trial, &faults, left)?.filter(|run| !run.is_stopped);
        let Some(ExperimentRun { is_applicable, seen, collected, .. }) = run else {
            return Ok(None);
        };
        self.experiments += 1;
        let shown = faults.iter().map(|fault| self.shown(*fault, &collected.paths)).collect();
        if !is_applicable {
            self.not_applicable += 1;
            self.explorer.learn(trial, 0.0, 0);
            return Ok(Some(FaultExperiment::not_applicable(self.experiments, shown)));
        }
        let mut experiment = self.judge(shown, seen);
        let is_new = !self.clusters.contains_key(&experiment.key());
        let beside =
            match is_new && experiment.can_be_extended() && faults.len() < self.config.together {
                true => self.beside(&faults, &collected.paths),
                false => Vec::new(),
            };
        self.explorer.learn(trial, experiment.impact, beside.len());
        if !beside.is_empty() {
            self.bases.push(SurveyBase { faults, beside });
        }
        if is_new {
            experiment.test = collected.test(&experiment.findings);
        }
        if experiment.has_effect() {
            let known = self.clusters.entry(experiment.key());
            let first = || FaultCluster { first: experiment.clone(), count: 0 };
            known.or_insert_with(first).count += 1;
        }
        Ok(Some(experiment))
    }

    /// The run of a trial. Those that are likely to come next are run meanwhile, if they are not beyond the
    /// experiments that are left.
    fn run(
        &mut self,
        trial: FaultTrial,
        faults: &[NodeFault],
        left: Option<u64>,
    ) -> Result<Option<ExperimentRun>, RunnerError> {
        let FaultSearch { ahead, explorer, faults: singles, bases, sets, .. } = self;
        let mut guessed: Option<(FaultExplorer, FaultTrial)> = None;
        let mut guessed_sets = BTreeSet::new();
        let mut left = left.map_or(u64::MAX, |left| left - 1);
        ahead.run(faults, || {
            left = left.checked_sub(1)?;
            let (explorer, last) = guessed.get_or_insert_with(|| (explorer.clone(), trial));
            explorer.learn(*last, GUESSED_IMPACT, 0);
            let is_new = |set| !sets.contains(&set) && guessed_sets.insert(set);
            let (trial, faults) = pick(explorer, singles, bases, is_new)?;
            *last = trial;
            Some(faults)
        })
    }

    /// A fault of a run, in its words.
    fn shown(&self, (node, decision): NodeFault, paths: &[PathEnd]) -> SearchedFault {
        let points = self.points(node, paths);
        let point = points.iter().find(|point| is_at(point, decision));
        let choices = point.iter().flat_map(|point| &point.choices);
        let what = { choices }.find(|(choice, _)| *choice == decision.choice);
        SearchedFault {
            node: self.names[node].clone(),
            decision,
            what: what.map_or_else(|| decision.kind.what().to_owned(), |(_, what)| what.clone()),
            place: point.and_then(|point| point.place.clone()),
        }
    }

    fn points<'p>(&self, node: usize, paths: &'p [PathEnd]) -> &'p [FaultPoint] {
        let path = paths.iter().find(|path| path.node == self.names[node]);
        path.map_or(&[], |path| &path.faults)
    }

    /// The faults that can happen beside others: on the node of the last one behind it, which comes first;
    /// on others in the same round or later. What is earlier there could change what happens before the
    /// faults, so that these are others or not possible at all.
    fn beside(&self, faults: &[NodeFault], paths: &[PathEnd]) -> Vec<NodeFault> {
        let last = faults.last().map_or(0, |fault| fault.0);
        let is_one = |node: usize, point: &FaultPoint| {
            faults.iter().any(|(of, decision)| *of == node && is_at(point, *decision))
        };
        let times = (0..self.names.len()).flat_map(|node| {
            let points = self.points(node, paths).iter();
            points.filter(move |point| is_one(node, point)).map(|point| point.at)
        });
        let latest = times.max();
        let others = (0..self.names.len()).filter(|node| *node != last);
        let mut beside = Vec::new();
        for node in std::iter::once(last).chain(others) {
            let points = self.points(node, paths);
            let behind = points.iter().rposition(|point| is_one(node, point));
            let behind = points[behind.map_or(0, |at| at + 1)..].iter();
            let later = behind.filter(|point| latest.is_none_or(|latest| point.at >= latest));
            for FaultPoint { kind, point, choices, .. } in later {
                let decision = |choice| FaultDecision { kind: *kind, point: *point, choice };
                beside.extend(choices.iter().map(|(choice, _)| (node, decision(*choice))));
            }
        }
        beside
    }

    /// Takes note of the result of an experiment.
    fn judge(&mut self, faults: Vec<SearchedFault>, seen: RunObservation) -> FaultExperiment {
        let findings = seen.findings_beyond(&self.normal);
        let ends = seen.ends_beyond(&self.normal);
        let messages_missing = self.normal.sent.saturating_sub(seen.sent);
        let beyond: Vec<&SourceLine> = seen.lines.difference(&self.normal.lines).collect();
        let mut reached: Vec<String> =
            beyond.iter().map(|(_, function, _)| function.clone()).collect();
        reached.dedup();
        let lines = beyond.len();
        // What is new, and what is not.
        let (mut impact, mut again) = (0.0, messages_missing.min(MOST_MESSAGES) as f64);
        for finding in &findings {
            let is_new = self.findings.insert(identity(finding));
            match (is_new, &finding.violation) {
                (true, Some(_)) => impact += NEW_FINDING + NEW_VIOLATION,
                (true, None) => impact += NEW_FINDING,
                (false, _) => again += OLD_FINDING,
            }
        }
        for end in &ends {
            match self.ends.insert(end.clone()) {
                true => impact += NEW_END,
                false => again += OLD_END,
            }
        }
        let new = beyond.iter().filter(|line| !self.lines.contains(**line)).count();
        impact += NEW_LINE * new.min(MOST_LINES) as f64;
        let RunObservation { lines: executed, failure, .. } = seen;
        self.lines.extend(executed);
        let mut experiment = FaultExperiment {
            number: self.experiments,
            faults,
            impact,
            findings,
            ends,
            messages_missing,
            reached,
            lines,
            failure,
            is_applicable: true,
            test: None,
        };
        // The more often the same has happened, the less there is to learn near it.
        let known = self.clusters.get(&experiment.key()).map_or(0, |cluster| cluster.count);
        experiment.impact += again / (known + 1) as f64;
        experiment
    }
}

/// What an explorer tries next, and its faults; `None` if there is nothing left. Sets of several faults are
/// left out unless they are new.
fn pick(
    explorer: &mut FaultExplorer,
    singles: &[NodeFault],
    bases: &[SurveyBase],
    mut is_new: impl FnMut(Vec<NodeFault>) -> bool,
) -> Option<(FaultTrial, Vec<NodeFault>)> {
    loop {
        let trial = explorer.next()?;
        match trial {
            FaultTrial::Point(point) => return Some((trial, vec![singles[point]])),
            FaultTrial::Member { family, member } => {
                let SurveyBase { faults, beside } = &bases[family];
                let faults = [&faults[..], &[beside[member]]].concat();
                let mut set = faults.clone();
                set.sort_unstable();
                // Each of them may have been added to the others.
                if is_new(set) {
                    return Some((trial, faults));
                }
            }
        }
    }
}

/// Returns `true` if a decision is about a point.
fn is_at(point: &FaultPoint, decision: FaultDecision) -> bool {
    (point.kind, point.point) == (decision.kind, decision.point)
}

/// The faults that were possible on the paths of nodes, and where they are in the space. Its axes are the
/// node, what happens (the kind, and the call that fails), when, and the alternative.
fn space(names: &[String], paths: &[PathEnd]) -> (FaultSpace, Vec<NodeFault>) {
    let mut found: Vec<(usize, u32, &FaultPoint)> = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let path = paths.iter().find(|path| path.node == *name);
        let points = path.iter().flat_map(|path| &path.faults);
        found.extend((0..).zip(points).map(|(time, point)| (index, time, point)));
    }
    let actions: BTreeSet<(FaultKind, &str)> =
        found.iter().map(|(_, _, point)| action(point)).collect();
    let mut all: Vec<(FaultCoordinates, NodeFault)> = Vec::new();
    for (index, time, point) in found {
        let FaultPoint { kind, point: number, choices, .. } = point;
        let what = actions.iter().position(|known| *known == action(point));
        let what = what.expect("all are among them") as u32;
        for (alternative, (choice, _)) in (0..).zip(choices) {
            let decision = FaultDecision { kind: *kind, point: *number, choice: *choice };
            all.push(([index as u32, what, time, alternative], (index, decision)));
        }
    }
    all.sort_by_key(|(coordinates, _)| *coordinates);
    let (coordinates, faults) = all.into_iter().unzip();
    (FaultSpace::new(coordinates), faults)
}

/// The kind of a point, and the call that would fail.
fn action(point: &FaultPoint) -> (FaultKind, &str) {
    let text = point.choices.first().map_or("", |(_, text)| text);
    let call = match point.kind {
        FaultKind::SysFail => text.split(' ').next().unwrap_or(""),
        _ => "",
    };
    (point.kind, call)
}
