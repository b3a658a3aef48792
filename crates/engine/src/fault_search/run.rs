//! One run with given faults: [`ExperimentJob`], who makes it ([`ExperimentEngine`]), and what it leaves
//! ([`ExperimentRun`]).
//!
//! A run depends on its faults alone, and on nothing that other runs have found. So runs may be made in any
//! order, and by anybody: by another process as well.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use everett_posix::{FaultBudgets, FaultDecision, FaultKind};

use super::experiment::NodeFault;
use super::observation::{RunCollector, RunObservation, RunResults};
use crate::api::config::{EngineConfig, FaultPlan, Strategy, SystemNode, TestPolicy};
use crate::api::dropped::DropReason;
use crate::api::error::EngineError;
use crate::api::summary::{Outcome, Summary};
use crate::engine::Engine;

/// A run to make.
#[derive(Clone, Debug)]
pub struct ExperimentJob {
    pub(super) faults: Vec<NodeFault>,
    /// The limit on its instructions, unless they are limited anyway.
    pub(super) instructions: Option<u64>,
}

everett_base::portable!(struct ExperimentJob { faults, instructions });

/// Runs a system with given faults, on fixed inputs.
pub struct ExperimentEngine {
    engine: Engine,
    nodes: usize,
}

/// What a run with given faults leaves.
pub struct ExperimentRun {
    /// Somebody has stopped it: it says nothing about its faults.
    pub(super) is_stopped: bool,
    /// The limit that it has reached.
    pub(super) limit: Option<DropReason>,
    /// Memory was above its limit, which counts all runs at the same time.
    pub(super) lacked_memory: bool,
    pub(super) instructions: u64,
    /// All of its faults have happened.
    pub(super) is_applicable: bool,
    pub(super) seen: RunObservation,
    pub(super) collected: RunResults,
}

everett_base::portable!(struct ExperimentRun {
    is_stopped, limit, lacked_memory, instructions, is_applicable, seen, collected,
});

impl ExperimentRun {
    /// The number of findings.
    pub fn findings(&self) -> u64 {
        self.seen.findings.len() as u64
    }
}

impl ExperimentEngine {
    /// Loads the programs. Without budgets, all kinds of faults are allowed that happen to a node at a point
    /// of its path.
    pub fn new(
        nodes: Vec<SystemNode>,
        config: EngineConfig,
    ) -> Result<ExperimentEngine, EngineError> {
        let (nodes, config) = prepared(nodes, config);
        let count = nodes.len();
        Ok(ExperimentEngine { engine: Engine::system(nodes, config)?, nodes: count })
    }

    /// Another one for the same system.
    pub(super) fn twin(&self) -> ExperimentEngine {
        ExperimentEngine { engine: self.engine.twin(), nodes: self.nodes }
    }

    /// Makes a run, until it ends or `is_over` is set.
    pub fn run(&mut self, job: &ExperimentJob, is_over: &Arc<AtomicBool>) -> ExperimentRun {
        let ExperimentJob { faults, instructions } = job;
        if let Some(most) = instructions {
            self.engine.limit_instructions(*most);
        }
        for node in 0..self.nodes {
            let own = faults.iter().filter(|fault| fault.0 == node).map(|fault| fault.1);
            self.engine.plan_faults(node, FaultPlan::Survey(own.collect()));
        }
        // Programs are numbered from the beginning in each run, which tests depend on.
        self.engine.forget_executed();
        let mut collector = RunCollector::new(is_over.clone());
        let summary = self.engine.run(&mut collector);
        let collected = collector.results;
        let lacked_memory =
            summary.dropped.iter().any(|(reason, _)| *reason == DropReason::MemoryLimit);
        ExperimentRun {
            is_stopped: summary.outcome == Outcome::Stopped,
            limit: summary.limit.clone(),
            lacked_memory: lacked_memory || summary.limit == Some(DropReason::MemoryLimit),
            instructions: summary.instructions,
            is_applicable: have_happened(faults, &summary),
            seen: RunObservation::new(summary, &collected.paths),
            collected,
        }
    }
}

/// Lets nodes tell where faults are possible, on fixed inputs.
fn prepared(
    mut nodes: Vec<SystemNode>,
    mut config: EngineConfig,
) -> (Vec<SystemNode>, EngineConfig) {
    if nodes.iter().all(|node| node.config.kernel.faults.is_empty()) {
        for node in &mut nodes {
            let budgets = &mut node.config.kernel.faults.budgets;
            FaultKind::ALL.iter().for_each(|kind| budgets.set(*kind, 1));
        }
    }
    for node in &mut nodes {
        // On fixed inputs, senders send one message each, and any other one is a Trojan message.
        node.config.kernel.faults.budgets.set(FaultKind::Trojan, 0);
        node.config.faults = FaultPlan::Survey(Vec::new());
        node.config.fixed_inputs = true;
    }
    // Budgets say which kinds are tried. How often one happens in a world, the experiment says.
    config.faults = FaultBudgets::default();
    config.links = Vec::new();
    config.workers = 1;
    config.search = vec![Strategy::Dfs];
    config.tests = TestPolicy::All;
    config.tests_unfinished = true;
    config.save_files = false;
    (nodes, config)
}

/// Returns `true` if all faults that were to happen in a run have.
fn have_happened(faults: &[NodeFault], summary: &Summary) -> bool {
    let planned = |kind| faults.iter().filter(|(_, decision)| decision.kind == kind).count() as u64;
    let taken = |kind| {
        let known = summary.faults.iter().find(|known| known.kind == kind);
        known.map_or(0, |known| known.taken)
    };
    faults.iter().all(|(_, FaultDecision { kind, .. })| taken(*kind) >= planned(*kind))
}
