//! The files for programs: `summary.json`, `coverage.json`, and one file for each finding.
//!
//! The structures here are the format. Field names are an interface: tools read them.

mod effort;
mod faults;
mod invariants;
mod orders;

use std::collections::BTreeMap;

use everett_engine::{
    CoverageCount, DropReason, Finding, FunctionCoverage, IgnoredFinding, Input, LayerStats,
    MappingKind, MessageReport, MessageWords, NodeReport, ObjectReport, Outcome, SourcePlace,
    Summary, WorldCount,
};
use serde::Serialize;

use crate::finding::blamed_place;
use crate::finding::input::{hex, integer};
use crate::gates::GateReport;
use crate::live::{LiveJson, live_json};
use crate::run_info::RunInfo;
use crate::summary::dropped::{advice, dropped_text};
use effort::{EffortJson, effort};
use faults::{FaultCountJson, FaultJson, PreemptionJson, fault, fault_count, preemption};
use invariants::{
    ExposedJson, InvariantsJson, ViolationJson, exposed_json, invariants, violation_json,
};
use orders::{EstimateJson, OrdersJson, orders};

#[derive(Serialize)]
struct SummaryJson<'a> {
    outcome: &'static str,
    limit: Option<String>,
    instructions: u64,
    paths: u64,
    /// Paths that ended in a bug.
    paths_failed: u64,
    /// Paths that the program ended without a result.
    paths_silent: u64,
    /// Paths whose worlds ended because another node's path did.
    paths_cut: u64,
    /// Paths that ended at an ignored finding.
    paths_ignored: u64,
    #[serde(flatten)]
    system: SystemJson<'a>,
    states_created: u64,
    /// With several workers, no more than this.
    states_peak: u64,
    forks: u64,
    /// Names of symbolic inputs.
    symbolic_inputs: u64,
    #[serde(flatten)]
    effort: EffortJson,
    coverage: CountJson,
    dropped: Vec<DroppedJson>,
    /// By the name of the kind; those that were allowed.
    faults: BTreeMap<&'static str, FaultCountJson<'a>>,
    findings: Vec<FindingJson<'a>>,
    /// Findings that were ignored.
    ignored: Vec<IgnoredJson<'a>>,
    tests: u64,
    #[serde(flatten)]
    end: EndJson<'a>,
    solver_layers: Vec<LayerJson<'a>>,
}

/// The end of the run.
#[derive(Serialize)]
struct EndJson<'a> {
    /// What became of the gates, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    gates: Option<&'a GateReport>,
    exit_code: Option<u64>,
    /// Hexadecimal: 64 bits do not fit the numbers of every reader.
    trace_hash: String,
    /// The latest virtual time of what was left when the run was ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    unfinished_at_seconds: Option<f64>,
}

/// The figures that concern several nodes.
#[derive(Serialize)]
struct SystemJson<'a> {
    /// The program or the scenario, as the user named it.
    program: &'a str,
    nodes: u64,
    /// Those that there are from the beginning.
    node_names: &'a [String],
    /// Distinct worlds that ran to their end; `null` if they were too many to count.
    worlds: Option<u64>,
    /// The same, or fewer.
    worlds_at_least: u64,
    /// Those that ended because their servers only followed timers.
    worlds_idle: u64,
    /// Those that ended at the horizon of virtual time.
    worlds_horizon: u64,
    orders: OrdersJson,
    /// The executions that there are in all, if not all were explored.
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<EstimateJson>,
    dstates_peak: u64,
    events_sent: u64,
    joint_checks: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    invariants: Option<InvariantsJson<'a>>,
    /// Live peers; none if no node is live.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    live: Vec<LiveJson<'a>>,
    mapping: &'static str,
}

/// Findings of a kind and a place that were ignored.
#[derive(Serialize)]
struct IgnoredJson<'a> {
    kind: &'static str,
    #[serde(flatten)]
    place: PlaceJson<'a>,
    /// The number of times that paths went on behind it.
    went_on: u64,
    /// The number of times that paths ended with it.
    ended: u64,
}

#[derive(Serialize)]
struct CountJson {
    covered: u64,
    total: u64,
}

#[derive(Serialize)]
struct DroppedJson {
    reason: String,
    count: u64,
    /// The number and the thing, in words.
    what: String,
    /// Something to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<&'static str>,
}

#[derive(Serialize)]
struct LayerJson<'a> {
    layer: &'a str,
    asked: u64,
    answered: u64,
}

#[derive(Serialize)]
struct FindingJson<'a> {
    id: u32,
    kind: &'static str,
    message: &'a str,
    node: &'a str,
    /// When the node was woken that it happened on, in virtual time.
    time_ns: u64,
    round: u32,
    function: Option<&'a str>,
    file: Option<&'a str>,
    line: Option<u32>,
    column: Option<u32>,
    count: u64,
    /// Ignored findings that the path went past; it is not exactly what the machine does since.
    #[serde(skip_serializing_if = "is_zero")]
    after_ignored: u32,
    /// Relative to the output folder.
    test: Option<String>,
    /// The test of the whole world, and the command that runs it again in the output folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    dtest: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replay: Option<String>,
    stack: Vec<PlaceJson<'a>>,
    objects: Vec<ObjectJson<'a>>,
    inputs: Vec<InputJson<'a>>,
    output: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    violation: Option<ViolationJson<'a>>,
    /// The nodes of the world in which it happened; empty if there is only one.
    world: Vec<NodeJson<'a>>,
    messages: Vec<MessageJson<'a>>,
    messages_omitted: u64,
    /// The faults that had happened in its world.
    faults: Vec<FaultJson<'a>>,
    /// The preemptions of threads in its world.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    preemptions: Vec<PreemptionJson<'a>>,
    /// The data that the nodes of its world had exposed, in the order of time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    exposed: Vec<ExposedJson<'a>>,
    /// Earlier exposures that are left out.
    #[serde(skip_serializing_if = "is_zero")]
    exposed_omitted: u64,
}

#[derive(Serialize)]
struct NodeJson<'a> {
    name: &'a str,
    status: &'a str,
    stack: Vec<PlaceJson<'a>>,
    inputs: Vec<InputJson<'a>>,
    /// Relative to the output folder.
    test: Option<String>,
}

#[derive(Serialize)]
struct MessageJson<'a> {
    time_ns: u64,
    round: u32,
    from: &'a str,
    to: &'a str,
    kind: &'a str,
    source: &'a str,
    destination: &'a str,
    size: u64,
    /// The beginning of the payload, in hexadecimal.
    bytes: String,
    received: bool,
    /// When it was received, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    received_ns: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    received_round: Option<u32>,
    /// The message in the words of its protocol, if a decoder knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<WordsJson<'a>>,
}

#[derive(Serialize)]
struct WordsJson<'a> {
    decoder: &'a str,
    text: &'a str,
    /// The decoder failed, and the text says why.
    failed: bool,
}

#[derive(Serialize)]
struct PlaceJson<'a> {
    function: &'a str,
    file: Option<&'a str>,
    line: Option<u32>,
    column: Option<u32>,
    inlined: bool,
}

#[derive(Serialize)]
struct ObjectJson<'a> {
    what: &'a str,
    address: u64,
    size: u64,
    allocated: Vec<PlaceJson<'a>>,
    freed: Vec<PlaceJson<'a>>,
}

#[derive(Serialize)]
struct InputJson<'a> {
    name: &'a str,
    size: usize,
    hex: String,
    /// Of inputs that have the size of a machine integer, little-endian.
    #[serde(skip_serializing_if = "Option::is_none")]
    unsigned: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signed: Option<i64>,
}

#[derive(Serialize)]
struct CoverageJson<'a> {
    covered: u64,
    total: u64,
    functions: Vec<FunctionJson<'a>>,
}

#[derive(Serialize)]
struct FunctionJson<'a> {
    function: &'a str,
    file: Option<&'a str>,
    line: Option<u32>,
    covered: u64,
    total: u64,
    lines_covered: Vec<u32>,
    lines_missed: Vec<u32>,
}

/// `summary.json`.
pub fn summary_json(summary: &Summary, info: &RunInfo) -> String {
    let Summary {
        outcome,
        limit,
        instructions,
        paths,
        paths_failed,
        paths_silent,
        paths_cut,
        paths_ignored,
        ignored,
        states_created,
        states_peak,
        forks,
        symbolic_inputs,
        coverage,
        functions: _,
        dropped,
        faults,
        findings,
        tests,
        solver_layers,
        // See `end`, `effort` and `system`.
        exit_code: _,
        trace_hash: _,
        unfinished_at: _,
        spill: _,
        queries: _,
        solver_time: _,
        wall_time: _,
        workers: _,
        nodes: _,
        worlds: _,
        worlds_idle: _,
        worlds_horizon: _,
        orders: _,
        estimate: _,
        dstates_peak: _,
        events_sent: _,
        joint_checks: _,
        invariants: _,
        trojans: _,
        live: _,
        mapping: _,
    } = summary;
    pretty(&SummaryJson {
        outcome: outcome_name(*outcome),
        limit: limit.as_ref().map(ToString::to_string),
        instructions: *instructions,
        paths: *paths,
        paths_failed: *paths_failed,
        paths_silent: *paths_silent,
        paths_cut: *paths_cut,
        paths_ignored: *paths_ignored,
        system: system(summary, info),
        states_created: *states_created,
        states_peak: *states_peak,
        forks: *forks,
        symbolic_inputs: *symbolic_inputs,
        effort: effort(summary, info),
        coverage: count(coverage),
        dropped: dropped.iter().map(dropped_json).collect(),
        faults: faults.iter().map(fault_count).collect(),
        findings: findings.iter().map(finding).collect(),
        ignored: ignored.iter().map(ignored_json).collect(),
        tests: *tests,
        end: end(summary, info),
        solver_layers: solver_layers.iter().map(layer).collect(),
    })
}

fn end<'a>(of: &Summary, info: &'a RunInfo) -> EndJson<'a> {
    EndJson {
        gates: info.gates.as_ref(),
        exit_code: of.exit_code,
        trace_hash: format!("{:016x}", of.trace_hash),
        unfinished_at_seconds: of.unfinished_at.map(|at| at.as_secs_f64()),
    }
}

fn dropped_json((reason, count): &(DropReason, u64)) -> DroppedJson {
    let (what, advice) = (dropped_text(reason, *count), advice(reason));
    DroppedJson { reason: reason.to_string(), count: *count, what, advice }
}

pub(crate) fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Exhausted => "exhausted",
        Outcome::Limit => "limit",
        Outcome::Stopped => "stopped",
        Outcome::Running => "running",
        Outcome::Failed => "failed",
    }
}

fn system<'a>(of: &'a Summary, info: &'a RunInfo) -> SystemJson<'a> {
    let (worlds, worlds_at_least) = match of.worlds {
        WorldCount::Exactly(count) => (Some(count), count),
        WorldCount::AtLeast(count) => (None, count),
    };
    SystemJson {
        program: &info.program,
        nodes: of.nodes,
        node_names: &info.nodes,
        worlds,
        worlds_at_least,
        worlds_idle: of.worlds_idle,
        worlds_horizon: of.worlds_horizon,
        orders: orders(of, info),
        estimate: of.estimate.map(EstimateJson::of),
        dstates_peak: of.dstates_peak,
        events_sent: of.events_sent,
        joint_checks: of.joint_checks,
        invariants: of.invariants.as_ref().map(invariants),
        live: live_json(&of.live),
        mapping: match of.mapping {
            MappingKind::Cob => "cob",
            MappingKind::Cow => "cow",
            MappingKind::Sds => "sds",
        },
    }
}

/// The file of one finding: the same object as in `summary.json`.
pub fn finding_json(of: &Finding) -> String {
    pretty(&finding(of))
}

/// `coverage.json`.
pub fn coverage_json(summary: &Summary) -> String {
    let CountJson { covered, total } = count(&summary.coverage);
    let functions = summary.functions.iter().map(function).collect();
    pretty(&CoverageJson { covered, total, functions })
}

pub(crate) fn pretty(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value)
        .expect("structures of numbers, strings and lists are always JSON");
    text.push('\n');
    text
}

fn count(of: &CoverageCount) -> CountJson {
    let CoverageCount { covered, total } = of;
    CountJson { covered: *covered, total: *total }
}

fn layer(of: &LayerStats) -> LayerJson<'_> {
    let LayerStats { layer, asked, answered } = of;
    LayerJson { layer, asked: *asked, answered: *answered }
}

fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}

fn ignored_json(of: &IgnoredFinding) -> IgnoredJson<'_> {
    let IgnoredFinding { kind, place: at, went_on, ended } = of;
    IgnoredJson { kind: kind.name(), place: place(at), went_on: *went_on, ended: *ended }
}

fn finding(of: &Finding) -> FindingJson<'_> {
    let Finding { id, kind, message, node, stack, objects, inputs, output, count, test, .. } = of;
    let several = !of.world.is_empty();
    let at = blamed_place(stack).map(place);
    FindingJson {
        id: *id,
        kind: kind.name(),
        message,
        node,
        time_ns: of.at.0,
        round: of.at.1,
        function: at.as_ref().map(|place| place.function),
        file: at.as_ref().and_then(|place| place.file),
        line: at.as_ref().and_then(|place| place.line),
        column: at.as_ref().and_then(|place| place.column),
        count: *count,
        after_ignored: of.after_ignored,
        test: test.map(|test| RunInfo::test_file(test, several.then_some(node))),
        dtest: test.filter(|_| of.of_system).map(RunInfo::world_file),
        replay: test
            .filter(|_| of.of_system)
            .map(|test| format!("everett replay {}", RunInfo::world_file(test))),
        stack: stack.iter().map(place).collect(),
        objects: objects.iter().map(object).collect(),
        inputs: inputs.iter().map(input).collect(),
        output: String::from_utf8_lossy(output).into_owned(),
        violation: of.violation.as_ref().map(violation_json),
        world: of.world.iter().map(|node| node_json(node, *test)).collect(),
        messages: of.messages.iter().map(message_json).collect(),
        messages_omitted: of.messages_omitted,
        faults: of.faults.iter().map(fault).collect(),
        preemptions: of.preemptions.iter().map(preemption).collect(),
        exposed: of.exposed.iter().map(exposed_json).collect(),
        exposed_omitted: of.exposed_omitted,
    }
}

fn node_json(of: &NodeReport, test: Option<u64>) -> NodeJson<'_> {
    let NodeReport { name, status, stack, inputs } = of;
    NodeJson {
        name,
        status,
        stack: stack.iter().map(place).collect(),
        inputs: inputs.iter().map(input).collect(),
        test: test.map(|test| RunInfo::test_file(test, Some(name))),
    }
}

fn message_json(of: &MessageReport) -> MessageJson<'_> {
    let MessageReport {
        time_ns,
        round,
        from,
        to,
        kind,
        addresses,
        size,
        bytes,
        received,
        received_at,
        words,
    } = of;
    MessageJson {
        time_ns: *time_ns,
        round: *round,
        from,
        to,
        kind,
        source: &addresses.0,
        destination: &addresses.1,
        size: *size,
        bytes: hex(bytes),
        received: *received,
        received_ns: received_at.map(|(time_ns, _)| time_ns),
        received_round: received_at.map(|(_, round)| round),
        words: words.as_ref().map(words_json),
    }
}

fn words_json(of: &MessageWords) -> WordsJson<'_> {
    let MessageWords { decoder, text, failed } = of;
    WordsJson { decoder, text, failed: *failed }
}

fn place(of: &SourcePlace) -> PlaceJson<'_> {
    let SourcePlace { function, file, line, column, inlined } = of;
    PlaceJson {
        function,
        file: (!file.is_empty()).then_some(file),
        line: (*line > 0).then_some(*line),
        column: (*column > 0).then_some(*column),
        inlined: *inlined,
    }
}

fn object(of: &ObjectReport) -> ObjectJson<'_> {
    let ObjectReport { what, address, size, allocated, freed } = of;
    ObjectJson {
        what,
        address: *address,
        size: *size,
        allocated: allocated.iter().map(place).collect(),
        freed: freed.iter().map(place).collect(),
    }
}

fn input(of: &Input) -> InputJson<'_> {
    let Input { name, bytes } = of;
    let value = integer(bytes);
    InputJson {
        name,
        size: bytes.len(),
        hex: hex(bytes),
        unsigned: value.map(|(unsigned, _)| unsigned),
        signed: value.map(|(_, signed)| signed),
    }
}

fn function(of: &FunctionCoverage) -> FunctionJson<'_> {
    let FunctionCoverage { function, file, line, instructions, lines } = of;
    let lines_of = |executed: bool| {
        lines.iter().filter(|(_, is)| *is == executed).map(|(line, _)| *line).collect()
    };
    FunctionJson {
        function,
        file: (!file.is_empty()).then_some(file),
        line: (*line > 0).then_some(*line),
        covered: instructions.covered,
        total: instructions.total,
        lines_covered: lines_of(true),
        lines_missed: lines_of(false),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::samples::{clean, limited, out_of_bounds};

    // tidy: long because it shows the whole format
    #[test]
    fn summary_has_the_documented_fields() {
        let info = RunInfo { peak_rss_bytes: 1 << 20, ..RunInfo::default() };
        let summary = Summary { findings: Vec::new(), ..limited() };
        expect![[r#"
            {
              "outcome": "limit",
              "limit": "time limit",
              "instructions": 1234567,
              "paths": 5,
              "paths_failed": 4,
              "paths_silent": 0,
              "paths_cut": 0,
              "paths_ignored": 0,
              "program": "",
              "nodes": 1,
              "node_names": [],
              "worlds": 16384,
              "worlds_at_least": 16384,
              "worlds_idle": 0,
              "worlds_horizon": 0,
              "orders": {
                "budget": "fixed",
                "late": 0,
                "explored": 9,
                "redundant": 0,
                "blocked": 0
              },
              "dstates_peak": 1,
              "events_sent": 0,
              "joint_checks": 0,
              "mapping": "sds",
              "states_created": 16384,
              "states_peak": 15,
              "forks": 16383,
              "symbolic_inputs": 1,
              "queries": 14,
              "solver_seconds": 0.003,
              "wall_seconds": 0.12,
              "workers": 1,
              "peak_rss_bytes": 1048576,
              "coverage": {
                "covered": 40,
                "total": 52
              },
              "dropped": [
                {
                  "reason": "time limit",
                  "count": 12,
                  "what": "12 paths ended by the time limit",
                  "advice": "give more time with --max-time"
                },
                {
                  "reason": "unsupported: inline assembly `cpuid` at a.c:3",
                  "count": 1,
                  "what": "1 path ended: unsupported: inline assembly `cpuid` at a.c:3"
                },
                {
                  "reason": "symbolic floating-point operand replaced by a value in mean at a.c:7",
                  "count": 1,
                  "what": "1 symbolic floating-point operand replaced by one possible value"
                }
              ],
              "faults": {},
              "findings": [],
              "ignored": [],
              "tests": 2,
              "exit_code": null,
              "trace_hash": "feed000000000001",
              "solver_layers": [
                {
                  "layer": "model",
                  "asked": 20,
                  "answered": 6
                },
                {
                  "layer": "bitblast",
                  "asked": 14,
                  "answered": 14
                }
              ]
            }
        "#]]
        .assert_eq(&summary_json(&summary, &info));
    }

    // tidy: long because it shows the whole format
    #[test]
    fn finding_has_the_documented_fields() {
        expect![[r#"
            {
              "id": 1,
              "kind": "out-of-bounds",
              "message": "write of 1 byte, 0 bytes behind the end of local variable 'request'",
              "node": "node0",
              "time_ns": 0,
              "round": 0,
              "function": "copy",
              "file": "src/request.c",
              "line": 18,
              "column": 11,
              "count": 3,
              "test": "tests/test000003.ktest",
              "stack": [
                {
                  "function": "copy",
                  "file": "src/request.c",
                  "line": 18,
                  "column": 11,
                  "inlined": true
                },
                {
                  "function": "parse",
                  "file": "src/request.c",
                  "line": 30,
                  "column": 3,
                  "inlined": false
                },
                {
                  "function": "main",
                  "file": "src/request.c",
                  "line": 41,
                  "column": 10,
                  "inlined": false
                }
              ],
              "objects": [
                {
                  "what": "local variable 'request'",
                  "address": 1073741840,
                  "size": 6,
                  "allocated": [
                    {
                      "function": "main",
                      "file": "src/request.c",
                      "line": 39,
                      "column": 18,
                      "inlined": false
                    }
                  ],
                  "freed": []
                }
              ],
              "inputs": [
                {
                  "name": "bytes",
                  "size": 8,
                  "hex": "5380000000000000",
                  "unsigned": 32851,
                  "signed": 32851
                }
              ],
              "output": "parsing\n\u001b[31mred\n",
              "world": [],
              "messages": [],
              "messages_omitted": 0,
              "faults": []
            }
        "#]]
        .assert_eq(&finding_json(&out_of_bounds()));
    }

    #[test]
    fn coverage_lists_lines_by_function() {
        expect![[r#"
            {
              "covered": 40,
              "total": 52,
              "functions": [
                {
                  "function": "main",
                  "file": "b_fork.c",
                  "line": 4,
                  "covered": 40,
                  "total": 52,
                  "lines_covered": [
                    4,
                    5
                  ],
                  "lines_missed": [
                    9
                  ]
                }
              ]
            }
        "#]]
        .assert_eq(&coverage_json(&clean()));
    }
}
