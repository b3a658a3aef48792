//! Invariants as JSON: how often they were evaluated, and the data that violates one.

use everett_engine::{ExposedValue, InvariantCount, InvariantStats, ViolationReport};
use serde::Serialize;

use crate::finding::input::hex;

#[derive(Serialize)]
pub(super) struct InvariantsJson<'a> {
    evaluations: u64,
    violations: u64,
    time_s: f64,
    each: Vec<InvariantJson<'a>>,
}

#[derive(Serialize)]
struct InvariantJson<'a> {
    name: &'a str,
    file: &'a str,
    line: u32,
    /// Those that came to a result; 0 if it was never due.
    evaluations: u64,
    /// Those of them that were given data.
    with_data: u64,
    violations: u64,
}

#[derive(Serialize)]
pub(super) struct ViolationJson<'a> {
    invariant: &'a str,
    file: &'a str,
    line: u32,
    column: u32,
    at_end: bool,
    values: Vec<ExposedJson<'a>>,
}

#[derive(Serialize)]
pub(super) struct ExposedJson<'a> {
    node: &'a str,
    state: i64,
    key: &'a str,
    time_ns: u64,
    round: u32,
    /// Hexadecimal.
    bytes: String,
    symbolic: bool,
    /// In the words of its type, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

pub(super) fn invariants(of: &InvariantStats) -> InvariantsJson<'_> {
    let InvariantStats { evaluations, violations, time, each } = of;
    InvariantsJson {
        evaluations: *evaluations,
        violations: *violations,
        time_s: time.as_secs_f64(),
        each: each.iter().map(invariant_json).collect(),
    }
}

pub(super) fn violation_json(of: &ViolationReport) -> ViolationJson<'_> {
    let ViolationReport { invariant, place, values, at_end } = of;
    ViolationJson {
        invariant,
        file: &place.file,
        line: place.line,
        column: place.column,
        at_end: *at_end,
        values: values.iter().map(exposed_json).collect(),
    }
}

pub(super) fn exposed_json(of: &ExposedValue) -> ExposedJson<'_> {
    let ExposedValue { node, state, key, time_ns, round, bytes, symbolic, text } = of;
    let (state, time_ns, round, symbolic) = (*state, *time_ns, *round, *symbolic);
    let (bytes, text) = (hex(bytes), text.as_deref());
    ExposedJson { node, state, key, time_ns, round, bytes, symbolic, text }
}

fn invariant_json(of: &InvariantCount) -> InvariantJson<'_> {
    let InvariantCount { name, file, line, evaluations, with_data, violations } = of;
    let (line, evaluations, with_data) = (*line, *evaluations, *with_data);
    InvariantJson { name, file, line, evaluations, with_data, violations: *violations }
}
