//! Experiments, and what came of them: [`FaultExperiment`].

use everett_posix::FaultDecision;

use super::observation::{FaultTest, FindingIdentity, identity};
use crate::api::dropped::DropReason;
use crate::api::report::{Finding, SourcePlace};

/// Most that lines count, so that one long function does not hide all else.
pub(super) const MOST_LINES: usize = 20;
/// Impact of messages that are missing: as many as there are, at most this.
pub(super) const MOST_MESSAGES: u64 = 5;

/// A fault that can be tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchedFault {
    /// The node that it happens to.
    pub node: String,
    /// Which.
    pub decision: FaultDecision,
    /// The event in words: `read of descriptor 3 fails with EIO`.
    pub what: String,
    /// The program's own place, if there is one.
    pub place: Option<SourcePlace>,
}

/// A fault by the number of its node.
pub(super) type NodeFault = (usize, FaultDecision);

/// An experiment: the effect of one fault, or of several together.
#[derive(Clone, Debug)]
pub struct FaultExperiment {
    /// The how-manieth it was, from 1.
    pub number: u64,
    /// The faults, in the order in which they were added.
    pub faults: Vec<SearchedFault>,
    /// The impact that it had when it was tried.
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
    /// The number of such lines.
    pub lines: usize,
    /// Things that the engine could not do.
    pub failure: Option<DropReason>,
    /// All of its faults have happened. If one could not, as the others had changed what came
    /// before it, nothing was learned.
    pub is_applicable: bool,
    /// Its test; none if the program ended in silence.
    pub test: Option<FaultTest>,
}

impl FaultExperiment {
    /// One in which some fault could not happen.
    pub(super) fn not_applicable(number: u64, faults: Vec<SearchedFault>) -> FaultExperiment {
        FaultExperiment {
            number,
            faults,
            impact: 0.0,
            findings: Vec::new(),
            ends: Vec::new(),
            messages_missing: 0,
            reached: Vec::new(),
            lines: 0,
            failure: None,
            is_applicable: false,
            test: None,
        }
    }

    /// The severity, whatever was known before.
    pub fn severity(&self) -> u64 {
        let found = 100 * self.findings.len() as u64;
        let ends = 10 * self.ends.len() as u64;
        found + ends + self.messages_missing.min(MOST_MESSAGES) + self.lines.min(MOST_LINES) as u64
    }

    /// Returns `true` if anything was different.
    pub fn has_effect(&self) -> bool {
        self.severity() > 0
    }

    /// Returns `true` if there is something to learn from what happens beside it: a world with a finding
    /// is over.
    pub(super) fn can_be_extended(&self) -> bool {
        self.has_effect() && self.findings.is_empty()
    }

    /// The key by which experiments are put together: the findings, or else the ends of nodes and the
    /// code that was reached.
    pub(super) fn key(&self) -> ClusterKey {
        if self.findings.is_empty() {
            return (Vec::new(), self.ends.clone(), self.reached.clone());
        }
        (self.findings.iter().map(identity).collect(), Vec::new(), Vec::new())
    }
}

pub(super) type ClusterKey = (Vec<FindingIdentity>, Vec<(String, String)>, Vec<String>);

/// Faults with the same effects.
#[derive(Clone, Debug)]
pub struct FaultCluster {
    /// The first that was tried.
    pub first: FaultExperiment,
    /// The number of experiments.
    pub count: u64,
}
