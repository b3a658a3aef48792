//! `summary.json`, read back.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::finding::{FindingRecord, PlaceRecord};
use crate::gates::GateReport;

/// `summary.json`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct SummaryRecord {
    pub(crate) program: String,
    pub(crate) outcome: String,
    pub(crate) limit: Option<String>,
    pub(crate) instructions: u64,
    pub(crate) paths: u64,
    pub(crate) paths_failed: u64,
    pub(crate) paths_silent: u64,
    pub(crate) paths_cut: u64,
    pub(crate) paths_ignored: u64,
    pub(crate) nodes: u64,
    pub(crate) node_names: Vec<String>,
    pub(crate) worlds: Option<u64>,
    pub(crate) worlds_at_least: u64,
    pub(crate) worlds_idle: u64,
    pub(crate) worlds_horizon: u64,
    pub(crate) orders: OrdersRecord,
    pub(crate) estimate: Option<EstimateRecord>,
    pub(crate) events_sent: u64,
    pub(crate) invariants: Option<InvariantsRecord>,
    pub(crate) states_created: u64,
    pub(crate) states_peak: u64,
    pub(crate) forks: u64,
    pub(crate) symbolic_inputs: u64,
    pub(crate) queries: u64,
    pub(crate) solver_seconds: f64,
    pub(crate) wall_seconds: f64,
    pub(crate) workers: u64,
    pub(crate) peak_rss_bytes: u64,
    pub(crate) coverage: CountRecord,
    pub(crate) dropped: Vec<DroppedRecord>,
    pub(crate) faults: BTreeMap<String, FaultCountRecord>,
    pub(crate) findings: Vec<FindingRecord>,
    pub(crate) ignored: Vec<IgnoredRecord>,
    /// None if the run has no gates.
    pub(crate) gates: Option<GateReport>,
    pub(crate) tests: u64,
    pub(crate) unfinished_at_seconds: Option<f64>,
    pub(crate) solver_layers: Vec<LayerRecord>,
}

/// Covered and all.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct CountRecord {
    pub(crate) covered: u64,
    pub(crate) total: u64,
}

/// The orders that were explored.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct OrdersRecord {
    pub(crate) budget: String,
    pub(crate) late: u32,
    /// None if no node had several threads.
    pub(crate) preemptions: Option<String>,
    pub(crate) preemptions_allowed: Option<String>,
    pub(crate) redundant: u64,
    pub(crate) walks: Option<u64>,
}

/// An estimate of the executions that there are.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct EstimateRecord {
    pub(crate) total: f64,
    pub(crate) explored: f64,
}

/// What became of the invariants.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct InvariantsRecord {
    pub(crate) evaluations: u64,
    pub(crate) violations: u64,
    pub(crate) time_s: f64,
    pub(crate) each: Vec<InvariantRecord>,
}

/// What became of one invariant.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct InvariantRecord {
    pub(crate) name: String,
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) evaluations: u64,
    pub(crate) with_data: u64,
    pub(crate) violations: u64,
}

/// Something that was not explored.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct DroppedRecord {
    pub(crate) reason: String,
    pub(crate) count: u64,
    pub(crate) what: String,
    pub(crate) advice: Option<String>,
}

/// What became of a kind of faults.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct FaultCountRecord {
    pub(crate) offered: u64,
    pub(crate) taken: u64,
    pub(crate) findings: u64,
    pub(crate) paths: u64,
    pub(crate) led_to: Vec<u32>,
}

/// Findings of a kind and a place that were ignored.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct IgnoredRecord {
    pub(crate) kind: String,
    #[serde(flatten)]
    pub(crate) place: PlaceRecord,
    pub(crate) went_on: u64,
    pub(crate) ended: u64,
}

/// A layer of the solver.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct LayerRecord {
    pub(crate) layer: String,
    pub(crate) asked: u64,
    pub(crate) answered: u64,
}
