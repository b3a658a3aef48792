//! The counters and findings of a run.

use std::collections::BTreeMap;

use everett_base::hash::Map;
use everett_interp::{BugKind, Notes};

use crate::report::{DropReason, Finding, Loss, Outcome, Place};

/// What a run has come to so far.
#[derive(Default)]
pub(crate) struct Books {
    pub(crate) instructions: u64,
    pub(crate) paths: u64,
    pub(crate) paths_failed: u64,
    pub(crate) paths_silent: u64,
    pub(crate) paths_cut: u64,
    pub(crate) events_sent: u64,
    pub(crate) exit_code: Option<u64>,
    pub(crate) forks: u64,
    pub(crate) states_created: u64,
    pub(crate) states_peak: u64,
    pub(crate) tests: u64,
    /// Times that programs asked for their changed files.
    pub(crate) wishes: u32,
    pub(crate) dropped: BTreeMap<DropReason, u64>,
    pub(crate) findings: Vec<Finding>,
    /// Findings by kind and stack, recursion folded: equal ones are one finding.
    known: Map<(BugKind, Vec<Place>), usize>,
    pub(crate) trace_hash: u64,
}

impl Books {
    /// Books a new state; `live` states are alive with it.
    pub(crate) fn created(&mut self, live: u64) {
        self.states_created += 1;
        self.states_peak = self.states_peak.max(live);
    }

    /// Books something that was dropped.
    pub(crate) fn drop(&mut self, reason: DropReason) {
        *self.dropped.entry(reason).or_insert(0) += 1;
    }

    /// The finding of a bug at a folded stack, if it is known; counts it once more.
    pub(crate) fn again(&mut self, kind: BugKind, key: &[Place]) -> Option<u32> {
        let at = *self.known.get(&(kind, key.to_vec()))?;
        self.findings[at].count += 1;
        Some(self.findings[at].id)
    }

    /// Books a new finding.
    pub(crate) fn found(&mut self, finding: Finding, key: Vec<Place>) {
        self.known.insert((finding.kind, key), self.findings.len());
        self.findings.push(finding);
    }

    /// The outcome when no state is left: everything was explored only if no part of the work was
    /// dropped on the way.
    pub(crate) fn exhausted(&self) -> (Outcome, Option<DropReason>) {
        let undone = |reason: &&DropReason| matches!(reason.loss(), Loss::Failure | Loss::Limit);
        match self.dropped.keys().find(undone) {
            Some(reason) => (Outcome::Limit, Some(reason.clone())),
            None => (Outcome::Exhausted, None),
        }
    }

    /// Books symbolic path names that were given one value.
    pub(crate) fn names_chosen(&mut self, count: u64) {
        if count > 0 {
            *self.dropped.entry(DropReason::PathNameChosen).or_insert(0) += count;
        }
    }

    /// Adds what the interpreter counted.
    pub(crate) fn take_notes(&mut self, notes: &Notes) {
        let Notes {
            float_concretised,
            targets_dropped,
            sizes_dropped,
            forking_off,
            solver_timeouts,
        } = notes;
        let counts = [
            (DropReason::FloatConcretised, float_concretised),
            (DropReason::PointerTargets, targets_dropped),
            (DropReason::AllocationSizes, sizes_dropped),
            (DropReason::ForkingOff, forking_off),
            (DropReason::SolverTimeout, solver_timeouts),
        ];
        for (reason, count) in counts.into_iter().filter(|(_, count)| **count > 0) {
            *self.dropped.entry(reason).or_insert(0) += count;
        }
    }
}
