//! What a search over faults has found: a ranked table, and the same for programs.

use std::fmt::Write;

use everett_engine::{FaultCluster, FaultExperiment, Finding, SearchedFault};
use serde::Serialize;

use crate::number::{count_of, grouped};
use crate::paint::Paint;
use crate::place::{place_in_function, place_text};

/// Functions that are named at most.
const FUNCTIONS: usize = 4;

/// The result of a search.
pub struct FaultTable<'a> {
    /// The order in which faults were tried.
    pub strategy: &'a str,
    /// Faults that are possible.
    pub possible: u64,
    /// Experiments.
    pub tried: u64,
    /// Distinct findings.
    pub failures: u64,
    /// Lines that are not executed without faults.
    pub lines_reached: u64,
    /// Faults by their effects, the worst first.
    pub clusters: Vec<FaultRow<'a>>,
}

/// Faults with the same effects.
pub struct FaultRow<'a> {
    /// What they do.
    pub cluster: &'a FaultCluster,
    /// The command that runs the first of them again.
    pub command: String,
    /// The files of its test.
    pub tests: Vec<String>,
}

/// The table for people.
pub fn fault_table_text(table: &FaultTable<'_>, paint: Paint) -> String {
    let FaultTable { strategy, possible, tried, failures, lines_reached, clusters } = table;
    let mut out = String::new();
    for (rank, row) in (1..).zip(clusters) {
        let FaultCluster { first, count } = row.cluster;
        let number = paint.strong(&format!("{rank:>4}"));
        let _ = writeln!(out, "{number}  {}", fault_text(&first.fault));
        for effect in effects(first) {
            let _ = writeln!(out, "      {effect}");
        }
        if *count > 1 {
            let _ = writeln!(out, "      and {} with the same effects", others(*count - 1));
        }
        let _ = writeln!(out, "      {}", paint.faint(&row.command));
    }
    if clusters.is_empty() {
        out.push_str("no fault has an effect\n");
    }
    let _ = writeln!(
        out,
        "\n{} tried of {} ({strategy}), {} with an effect: {}, {} that normal runs do not reach",
        count_of(*tried, "fault"),
        grouped(*possible),
        grouped(clusters.iter().map(|row| row.cluster.count).sum()),
        count_of(*failures, "distinct failure"),
        count_of(*lines_reached, "line"),
    );
    out
}

fn others(count: u64) -> String {
    if count == 1 { "another fault".to_owned() } else { format!("{} other faults", grouped(count)) }
}

fn fault_text(fault: &SearchedFault) -> String {
    let place = fault.place.as_ref().map(|place| format!(", {}", place_in_function(place)));
    format!("{}: {}{}", fault.node, fault.what, place.unwrap_or_default())
}

/// What a fault does, a line each.
fn effects(experiment: &FaultExperiment) -> Vec<String> {
    let FaultExperiment { findings, ends, messages_missing, reached, .. } = experiment;
    let mut lines: Vec<String> = findings.iter().map(finding_line).collect();
    for (node, end) in ends.iter().filter(|_| findings.is_empty()) {
        let node = if node.is_empty() { "the system" } else { node };
        lines.push(format!("{node} {end}"));
    }
    if *messages_missing > 0 {
        lines.push(format!("{} fewer", count_of(*messages_missing, "message")));
    }
    if !reached.is_empty() {
        let more = reached.len().saturating_sub(FUNCTIONS);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let named = &reached[..reached.len().min(FUNCTIONS)];
        lines.push(format!("reaches more of {}{more}", named.join(", ")));
    }
    lines
}

fn finding_line(finding: &Finding) -> String {
    let place = finding.stack.first().map(place_in_function).unwrap_or_default();
    format!("{} on {}: {}, {place}", finding.kind, finding.node, finding.message)
}

#[derive(Serialize)]
struct TableJson<'a> {
    strategy: &'a str,
    possible: u64,
    tried: u64,
    failures: u64,
    lines_reached: u64,
    clusters: Vec<RowJson<'a>>,
}

#[derive(Serialize)]
struct RowJson<'a> {
    fault: FaultJson<'a>,
    /// The experiment that found it, from 1.
    experiment: u64,
    /// Faults with the same effects.
    count: u64,
    severity: u64,
    findings: Vec<EffectJson<'a>>,
    ends: Vec<EndJson<'a>>,
    messages_missing: u64,
    reached: &'a [String],
    tests: &'a [String],
    command: &'a str,
}

#[derive(Serialize)]
struct FaultJson<'a> {
    node: &'a str,
    kind: &'static str,
    point: u64,
    choice: u32,
    what: &'a str,
    place: Option<String>,
}

#[derive(Serialize)]
struct EffectJson<'a> {
    kind: String,
    node: &'a str,
    message: &'a str,
    place: Option<String>,
}

#[derive(Serialize)]
struct EndJson<'a> {
    /// Empty if a limit was reached.
    node: &'a str,
    end: &'a str,
}

/// The table for programs.
pub fn fault_table_json(table: &FaultTable<'_>) -> String {
    let FaultTable { strategy, possible, tried, failures, lines_reached, clusters } = table;
    let json = TableJson {
        strategy,
        possible: *possible,
        tried: *tried,
        failures: *failures,
        lines_reached: *lines_reached,
        clusters: clusters.iter().map(row_json).collect(),
    };
    let text = serde_json::to_string_pretty(&json).expect("plain data has a JSON form");
    text + "\n"
}

fn row_json<'a>(row: &'a FaultRow<'_>) -> RowJson<'a> {
    let FaultRow { cluster, command, tests } = row;
    let first = &cluster.first;
    let decision = first.fault.decision;
    let finding = |finding: &'a Finding| EffectJson {
        kind: finding.kind.to_string(),
        node: &finding.node,
        message: &finding.message,
        place: finding.stack.first().map(place_text),
    };
    RowJson {
        fault: FaultJson {
            node: &first.fault.node,
            kind: decision.kind.name(),
            point: decision.point,
            choice: decision.choice,
            what: &first.fault.what,
            place: first.fault.place.as_ref().map(place_text),
        },
        experiment: first.number,
        count: cluster.count,
        severity: first.severity(),
        findings: first.findings.iter().map(finding).collect(),
        ends: first.ends.iter().map(|(node, end)| EndJson { node, end }).collect(),
        messages_missing: first.messages_missing,
        reached: &first.reached,
        tests,
        command,
    }
}
