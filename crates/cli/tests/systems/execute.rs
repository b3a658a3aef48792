//! Running a system in this process.

use std::sync::Arc;

use anyhow::Result;
use everett_engine::{
    Engine, EngineConfig, Finding, MappingKind, Observer, PathEnd, PathOutcome, Summary,
    SystemNode, TestCase, WorldCount, WorldTest,
};

use everett_explorer::ScenarioSystem;
use everett_live::{ConversationTree, TreeOptions};

use crate::build::{Installed, Workshop};
use crate::cases::Case;
use crate::{memory_store, sessions, workbench};

/// The result of a run.
pub(crate) struct Run {
    pub(crate) summary: Summary,
    pub(crate) paths: Vec<PathEnd>,
    /// The standard output of all nodes, of all paths.
    pub(crate) stdout: Vec<u8>,
    /// Test cases of nodes.
    pub(crate) tests: Vec<TestCase>,
    /// Test cases of worlds.
    pub(crate) worlds: Vec<WorldTest>,
}

impl Run {
    /// Kinds and stacks of all findings. Several nodes may run into the same one, and which of them is
    /// the first depends on the order in which they run.
    pub(crate) fn findings(&self) -> Vec<String> {
        let mut findings: Vec<String> = self.summary.findings.iter().map(identity).collect();
        findings.sort();
        findings
    }

    /// The number of worlds; `None` if nobody counted to the end.
    pub(crate) fn worlds(&self) -> Option<u64> {
        match self.summary.worlds {
            WorldCount::Exactly(worlds) => Some(worlds),
            WorldCount::AtLeast(_) => None,
        }
    }

    /// Exit codes other than 0.
    pub(crate) fn failures(&self) -> Vec<u64> {
        let code = |path: &PathEnd| match path.outcome {
            PathOutcome::Exit(code) => Some(code),
            _ => None,
        };
        self.paths.iter().filter_map(code).filter(|code| *code != 0).collect()
    }
}

/// Runs a scenario with flags of `everett run`, by one worker unless they say otherwise.
pub(crate) fn run(workshop: &Workshop, case: &Case, flags: &[&str]) -> Result<Run> {
    let installed = workshop.installed(case)?;
    let system = installed.system(case, &all_flags(flags))?;
    let nodes = nodes(installed, case, &system)?;
    let config = config(workshop, &system)?;
    let mut collector = Collector::default();
    let summary = Engine::system(nodes, config)?.run(&mut collector);
    let Collector { paths, stdout, tests, worlds } = collector;
    Ok(Run { summary, paths, stdout, tests, worlds })
}

/// Runs a scenario in sessions, each of which goes on from a checkpoint of the one before it. Its live peers
/// are gone: what they have said in earlier runs was saved, and each session loads it.
pub(crate) fn run_in_sessions(workshop: &Workshop, case: &Case, flags: &[&str]) -> Result<Summary> {
    let installed = workshop.installed(case)?;
    let system = installed.system(case, &all_flags(flags))?;
    sessions::explore(&config(workshop, &system)?, |config| {
        let mut nodes = nodes(installed, case, &system)?;
        for peer in nodes.iter_mut().filter_map(|node| node.config.live.as_mut()) {
            let mut saved = Vec::new();
            peer.tree.save(&mut saved)?;
            let loaded = ConversationTree::load(&saved, None, TreeOptions::default())?;
            peer.tree = Arc::new(loaded);
        }
        Ok(Engine::system(nodes, config)?)
    })
}

/// Runs a scenario in jobs that know nothing of each other.
pub(crate) fn run_in_jobs(workshop: &Workshop, case: &Case, flags: &[&str]) -> Result<Summary> {
    let installed = workshop.installed(case)?;
    let system = installed.system(case, &all_flags(flags))?;
    sessions::explore_in_jobs(&config(workshop, &system)?, |config| {
        Ok(Engine::system(nodes(installed, case, &system)?, config)?)
    })
}

/// The nodes of a system. Its live nodes go on with the conversations of earlier runs.
fn nodes(installed: &Installed, case: &Case, system: &ScenarioSystem) -> Result<Vec<SystemNode>> {
    let mut nodes = system.nodes(|file| Ok(installed.program(file)?))?;
    let peers = || nodes.iter().map(|node| node.config.live.clone()).collect();
    let peers = case.peers.get_or_init(peers).clone();
    for (node, peer) in nodes.iter_mut().zip(peers) {
        node.config.live = peer;
    }
    Ok(nodes)
}

/// The configuration of a system, in which even few worlds are shared and set aside, and leave memory.
fn config(workshop: &Workshop, system: &ScenarioSystem) -> Result<EngineConfig> {
    let mut config = system.options()?.config()?;
    config.programs = Some(workshop.programs());
    config.clock = workbench::clock();
    config.share_after = 0;
    config.aside_above = 2;
    if config.workers > 1 || config.mapping != MappingKind::Sds {
        (config.spill, config.spill_above) = (Some(memory_store::place()), 2);
    }
    config.limits.time = config.limits.time.or(Some(workbench::TIME_LIMIT));
    Ok(config)
}

/// Flags with those that every run has unless it is given others.
pub(crate) fn all_flags(flags: &[&str]) -> Vec<String> {
    let usual = [["--tests", "findings"], ["--workers", "1"]];
    let usual = usual.iter().filter(|[name, _]| !flags.contains(name)).flatten();
    usual.chain(flags).map(|flag| (*flag).to_owned()).collect()
}

/// The identity of a finding, without its number, its node and its occurrences.
pub(crate) fn identity(finding: &Finding) -> String {
    let stack: Vec<String> =
        finding.stack.iter().map(|p| format!("{} {}:{}", p.function, p.file, p.line)).collect();
    format!("{} at {}", finding.kind, stack.join(" < "))
}

#[derive(Default)]
struct Collector {
    paths: Vec<PathEnd>,
    stdout: Vec<u8>,
    tests: Vec<TestCase>,
    worlds: Vec<WorldTest>,
}

impl Observer for Collector {
    fn wants_paths(&self) -> bool {
        true
    }

    fn path(&mut self, path: &PathEnd) {
        self.paths.push(path.clone());
    }

    fn test(&mut self, test: &TestCase) {
        self.tests.push(test.clone());
    }

    fn world(&mut self, test: &WorldTest) {
        self.worlds.push(test.clone());
    }

    fn output(&mut self, _node: &str, descriptor: u32, bytes: &[u8]) {
        if descriptor == 1 {
            self.stdout.extend_from_slice(bytes);
        }
    }
}
