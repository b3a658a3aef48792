//! Experiments, and what the search makes of them: [`FaultSearch`].

use std::collections::{BTreeMap, BTreeSet};

use everett_posix::{Decision, FaultKind};
use everett_replay::{KTest, KTestObject};
use thiserror::Error;

use super::explorer::{Explorer, FaultStrategy};
use super::observation::{Collector, Identity, Line, Observation, identity};
use super::space::{Coordinates, Space};
use crate::config::{EngineConfig, FaultPlan, Strategy, SystemNode, TestPolicy};
use crate::engine::Engine;
use crate::error::EngineError;
use crate::report::{DropReason, FaultPoint, Finding, Outcome, PathEnd, Place};
use crate::testcase::FAULTS;

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
/// Most that lines count, so that one long function does not hide all else.
const MOST_LINES: usize = 20;
/// Impact of messages that are missing: as many as there are, at most this.
const MOST_MESSAGES: u64 = 5;
/// Instructions of an experiment are limited to so many times those of the run without faults.
const LONGER: u64 = 20;
/// But not to fewer than these.
const FEWEST_INSTRUCTIONS: u64 = 10_000_000;

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct FaultSearchConfig {
    /// In which order.
    pub strategy: FaultStrategy,
    /// Seed of the random choices.
    pub seed: u64,
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
}

/// A fault that can be tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchedFault {
    /// The node that it happens to.
    pub node: String,
    /// Which.
    pub decision: Decision,
    /// What happens: `read of descriptor 3 fails with EIO`.
    pub what: String,
    /// The program's own place, if there is one.
    pub place: Option<Place>,
    /// The number of the node.
    index: usize,
}

/// What came of one fault.
#[derive(Clone, Debug)]
pub struct FaultExperiment {
    /// The how-manieth it was, from 1.
    pub number: u64,
    /// What happened.
    pub fault: SearchedFault,
    /// How much that taught when it was tried.
    pub impact: f64,
    /// Findings that there are not without the fault.
    pub findings: Vec<Finding>,
    /// Nodes that end otherwise than without the fault, and how. A run that reaches a limit has an end
    /// of no node.
    pub ends: Vec<(String, String)>,
    /// Messages fewer than without the fault.
    pub messages_missing: u64,
    /// Functions with lines that are not executed without the fault.
    pub reached: Vec<String>,
    /// How many such lines there are.
    pub lines: usize,
    /// What the engine could not do.
    pub failure: Option<DropReason>,
    /// The test case of each node, in their order.
    pub tests: Vec<(String, KTest)>,
}

impl FaultExperiment {
    /// How bad it was, whatever was known before.
    pub fn severity(&self) -> u64 {
        let found = 100 * self.findings.len() as u64;
        let ends = 10 * self.ends.len() as u64;
        found + ends + self.messages_missing.min(MOST_MESSAGES) + self.lines.min(MOST_LINES) as u64
    }

    /// Whether anything was different.
    pub fn has_effect(&self) -> bool {
        self.severity() > 0
    }

    /// What those have in common that are put together: the findings, or else the ends of nodes and the
    /// code that was reached.
    fn key(&self) -> Key {
        if self.findings.is_empty() {
            return (Vec::new(), self.ends.clone(), self.reached.clone());
        }
        (self.findings.iter().map(identity).collect(), Vec::new(), Vec::new())
    }
}

type Key = (Vec<Identity>, Vec<(String, String)>, Vec<String>);

/// Faults with the same effects.
#[derive(Clone, Debug)]
pub struct FaultCluster {
    /// The first that was tried.
    pub first: FaultExperiment,
    /// How many there are.
    pub count: u64,
}

/// A search over the single faults of a system.
pub struct FaultSearch {
    engine: Engine,
    argv: Vec<Vec<Vec<u8>>>,
    names: Vec<String>,
    faults: Vec<SearchedFault>,
    explorer: Explorer,
    normal: Observation,
    /// Lines that some run has executed.
    lines: BTreeSet<Line>,
    findings: BTreeSet<Identity>,
    ends: BTreeSet<(String, String)>,
    experiments: u64,
    clusters: BTreeMap<Key, FaultCluster>,
}

impl FaultSearch {
    /// Runs the system without faults, and finds out which are possible. Without budgets, all kinds are
    /// allowed that happen to a node at a point of its path.
    pub fn new(
        nodes: Vec<SystemNode>,
        config: EngineConfig,
        search: FaultSearchConfig,
    ) -> Result<FaultSearch, FaultSearchError> {
        let (nodes, config) = prepared(nodes, config);
        let names: Vec<String> =
            nodes.iter().map(|node| node.config.kernel.hostname.clone()).collect();
        let argv = nodes.iter().map(|node| node.config.argv.clone()).collect();
        let mut engine = Engine::system(nodes, config)?;
        let mut collector = Collector::new(engine.config().cancel.clone());
        let summary = engine.run(&mut collector);
        match &summary.limit {
            _ if summary.outcome == Outcome::Stopped => return Err(FaultSearchError::Stopped),
            Some(limit) => return Err(FaultSearchError::Unfinished(limit.clone())),
            None => {}
        }
        let longest = summary.instructions.saturating_mul(LONGER).max(FEWEST_INSTRUCTIONS);
        engine.limit_instructions(longest);
        let normal = Observation::new(summary, &collector.paths);
        let (space, faults) = space(&names, &collector.paths);
        if faults.is_empty() {
            return Err(FaultSearchError::NoFaults);
        }
        Ok(FaultSearch {
            engine,
            argv,
            names,
            explorer: Explorer::new(space, search.strategy, search.seed),
            faults,
            lines: normal.lines.clone(),
            findings: normal.findings.iter().map(identity).collect(),
            ends: BTreeSet::new(),
            normal,
            experiments: 0,
            clusters: BTreeMap::new(),
        })
    }

    /// How many faults there are.
    pub fn faults(&self) -> u64 {
        self.faults.len() as u64
    }

    /// How many were tried.
    pub fn experiments(&self) -> u64 {
        self.experiments
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

    /// Faults put together by their effects, the worst first; those without any are left out.
    pub fn clusters(&self) -> Vec<&FaultCluster> {
        let mut clusters: Vec<&FaultCluster> = self.clusters.values().collect();
        let rank = |cluster: &&FaultCluster| {
            (std::cmp::Reverse(cluster.first.severity()), cluster.first.number)
        };
        clusters.sort_by_key(rank);
        clusters
    }

    /// Tries one more fault; `None` if all were tried, or the user stopped it.
    pub fn step(&mut self) -> Option<FaultExperiment> {
        let point = self.explorer.next()?;
        let fault = self.faults[point].clone();
        for node in 0..self.names.len() {
            let own = (node == fault.index).then_some(fault.decision);
            self.engine.plan_faults(node, FaultPlan::Fixed(own.into_iter().collect()));
        }
        let mut collector = Collector::new(self.engine.config().cancel.clone());
        let summary = self.engine.run(&mut collector);
        if summary.outcome == Outcome::Stopped {
            return None;
        }
        self.experiments += 1;
        let seen = Observation::new(summary, &collector.paths);
        let tests = self.tests(&fault, &collector.paths);
        let experiment = self.judge(fault, seen, tests);
        self.explorer.learn(point, experiment.impact);
        if experiment.has_effect() {
            let known = self.clusters.entry(experiment.key());
            let first = || FaultCluster { first: experiment.clone(), count: 0 };
            known.or_insert_with(first).count += 1;
        }
        Some(experiment)
    }

    /// What an experiment has shown.
    fn judge(
        &mut self,
        fault: SearchedFault,
        seen: Observation,
        tests: Vec<(String, KTest)>,
    ) -> FaultExperiment {
        let findings = seen.findings_beyond(&self.normal);
        let ends = seen.ends_beyond(&self.normal);
        let messages_missing = self.normal.sent.saturating_sub(seen.sent);
        let beyond: Vec<&Line> = seen.lines.difference(&self.normal.lines).collect();
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
        let Observation { lines: executed, failure, .. } = seen;
        self.lines.extend(executed);
        let mut experiment = FaultExperiment {
            number: self.experiments,
            fault,
            impact,
            findings,
            ends,
            messages_missing,
            reached,
            lines,
            failure,
            tests,
        };
        // The more often the same has happened, the less there is to learn near it.
        let known = self.clusters.get(&experiment.key()).map_or(0, |cluster| cluster.count);
        experiment.impact += again / (known + 1) as f64;
        experiment
    }

    /// The test case of each node: its inputs, and the fault if it is its own.
    fn tests(&self, fault: &SearchedFault, paths: &[PathEnd]) -> Vec<(String, KTest)> {
        let test = |(node, name): (usize, &String)| {
            let mut test = KTest::new(self.argv[node].iter().cloned());
            let path = paths.iter().find(|path| path.node == *name);
            let inputs = path.iter().flat_map(|path| &path.inputs);
            let object = |name: &str, bytes: &[u8]| KTestObject::new(name.as_bytes(), bytes);
            test.objects = inputs.map(|input| object(&input.name, &input.bytes)).collect();
            if node == fault.index {
                let bytes = Decision::write_all([fault.decision]);
                test.objects.push(object(FAULTS, &bytes));
            }
            (name.clone(), test)
        };
        self.names.iter().enumerate().map(test).collect()
    }
}

/// Lets nodes tell where faults are possible, on fixed inputs.
fn prepared(
    mut nodes: Vec<SystemNode>,
    mut config: EngineConfig,
) -> (Vec<SystemNode>, EngineConfig) {
    let mut budgets = nodes.iter_mut().map(|node| &mut node.config.kernel.faults.budgets);
    if budgets.all(|budgets| budgets.is_empty()) {
        for node in &mut nodes {
            let budgets = &mut node.config.kernel.faults.budgets;
            FaultKind::ALL.iter().for_each(|kind| budgets.set(*kind, 1));
        }
    }
    for node in &mut nodes {
        node.config.faults = FaultPlan::Survey;
        node.config.fixed_inputs = true;
    }
    config.workers = 1;
    config.search = vec![Strategy::Dfs];
    config.tests = TestPolicy::None;
    config.save_files = false;
    (nodes, config)
}

/// The faults that were possible on the paths of nodes, and where they are in the space. Its axes are the
/// node, what happens (the kind, and the call that fails), when, and the alternative.
fn space(names: &[String], paths: &[PathEnd]) -> (Space, Vec<SearchedFault>) {
    let mut found: Vec<(usize, u32, &FaultPoint)> = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let path = paths.iter().find(|path| path.node == *name);
        let points = path.iter().flat_map(|path| &path.faults);
        found.extend((0..).zip(points).map(|(time, point)| (index, time, point)));
    }
    let actions: BTreeSet<(FaultKind, &str)> =
        found.iter().map(|(_, _, point)| action(point)).collect();
    let mut all: Vec<(Coordinates, SearchedFault)> = Vec::new();
    for (index, time, point) in found {
        let FaultPoint { kind, point: number, choices, place } = point;
        let what = actions.iter().position(|known| *known == action(point));
        let what = what.expect("all are among them") as u32;
        for (alternative, (choice, text)) in (0..).zip(choices) {
            let decision = Decision { kind: *kind, point: *number, choice: *choice };
            let fault = SearchedFault {
                node: names[index].clone(),
                decision,
                what: text.clone(),
                place: place.clone(),
                index,
            };
            all.push(([index as u32, what, time, alternative], fault));
        }
    }
    all.sort_by_key(|(coordinates, _)| *coordinates);
    let (coordinates, faults) = all.into_iter().unzip();
    (Space::new(coordinates), faults)
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
