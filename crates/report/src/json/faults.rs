//! Faults and preemptions as JSON: those of a finding, and what became of each kind.

use everett_engine::{FaultReport, FaultSummary, PreemptionReport};
use serde::Serialize;

use super::{PlaceJson, place};

/// The number of times that a kind of fault was possible, and its effects.
#[derive(Serialize)]
pub(super) struct FaultCountJson<'a> {
    /// Places, counted on each path.
    offered: u64,
    taken: u64,
    /// Paths that ended in a finding in a world in which it had happened.
    findings: u64,
    /// Paths on which it had happened and that ended as they should.
    paths: u64,
    /// Numbers of the findings.
    led_to: &'a [u32],
}

#[derive(Serialize)]
pub(super) struct FaultJson<'a> {
    kind: &'static str,
    node: &'a str,
    what: &'a str,
    time_ns: u64,
    /// The program's own place that it happened at.
    place: Option<PlaceJson<'a>>,
}

#[derive(Serialize)]
pub(super) struct PreemptionJson<'a> {
    node: &'a str,
    /// The how-manieth place on the node's path where one was possible, from 1.
    point: u64,
    /// The thread that ran, and the one that ran instead.
    from: u32,
    to: u32,
    time_ns: u64,
    place: Option<PlaceJson<'a>>,
}

pub(super) fn fault_count(of: &FaultSummary) -> (&'static str, FaultCountJson<'_>) {
    let FaultSummary { kind, offered, taken, findings, paths, ref led_to } = *of;
    (kind.name(), FaultCountJson { offered, taken, findings, paths, led_to })
}

pub(super) fn fault(of: &FaultReport) -> FaultJson<'_> {
    let FaultReport { kind, point: _, choice: _, node, what, time_ns, place: at } = of;
    FaultJson { kind: kind.name(), node, what, time_ns: *time_ns, place: at.as_ref().map(place) }
}

pub(super) fn preemption(of: &PreemptionReport) -> PreemptionJson<'_> {
    let PreemptionReport { node, point, from, to, time_ns, place: at } = of;
    let place = at.as_ref().map(place);
    PreemptionJson { node, point: *point, from: *from, to: *to, time_ns: *time_ns, place }
}
