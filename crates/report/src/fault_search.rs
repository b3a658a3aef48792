//! The results of a search over faults: a ranked table, and the same for programs.

use std::fmt::Write;

use everett_engine::{FaultCluster, FaultExperiment, Finding, SearchedFault};
use serde::Serialize;

use crate::number::{count_of, grouped};
use crate::paint::PaintMode;
use crate::place::{place_in_function, place_text};

/// Functions that are named at most.
const FUNCTIONS: usize = 4;

/// The result of a search.
pub struct FaultTable<'a> {
    /// The order in which faults were tried.
    pub strategy: &'a str,
    /// Faults that are possible.
    pub possible: u64,
    /// Those that were tried alone.
    pub tried: u64,
    /// The number of times that several were tried together.
    pub together: u64,
    /// Runs in which some fault could not happen once the others had.
    pub not_applicable: u64,
    /// Distinct findings.
    pub failures: u64,
    /// Lines that are not executed without faults.
    pub lines_reached: u64,
    /// Faults by their effects: those that reach the same code beside each other, the worst first.
    pub clusters: Vec<FaultRow<'a>>,
}

/// Faults with the same effects.
pub struct FaultRow<'a> {
    /// The effects that they share.
    pub cluster: &'a FaultCluster,
    /// The command that runs the first of them again; none if it has no test.
    pub command: Option<String>,
    /// The files of its test.
    pub tests: Vec<String>,
}

/// The table for people.
pub fn fault_table_text(table: &FaultTable<'_>, paint: PaintMode) -> String {
    let FaultTable { strategy, possible, tried, together, not_applicable, .. } = table;
    let FaultTable { failures, lines_reached, clusters, .. } = table;
    let mut out = String::new();
    let mut reached = None;
    for (rank, row) in (1..).zip(clusters) {
        let FaultCluster { first, count } = row.cluster;
        if reached.replace(&first.reached) != Some(&first.reached) {
            let _ = writeln!(out, "{}", paint.strong(&code_text(&first.reached)));
        }
        for (n, fault) in first.faults.iter().enumerate() {
            let number =
                if n == 0 { paint.strong(&format!("{rank:>4}")) } else { " and".to_owned() };
            let _ = writeln!(out, "{number}  {}", fault_text(fault));
        }
        for effect in effects(first) {
            let _ = writeln!(out, "      {effect}");
        }
        if *count > 1 {
            let _ = writeln!(out, "      and {} with the same effects", others(*count - 1));
        }
        if let Some(command) = &row.command {
            let _ = writeln!(out, "      {}", paint.faint(command));
        }
    }
    if clusters.is_empty() {
        out.push_str("no fault has an effect\n");
    }
    let several = match together {
        0 => String::new(),
        n => format!(" and {} of several", count_of(*n, "set")),
    };
    let _ = writeln!(
        out,
        "\n{} tried of {}{several} ({strategy}), {} with an effect: {}, \
         {} that normal runs do not reach",
        count_of(*tried, "fault"),
        grouped(*possible),
        grouped(clusters.iter().map(|row| row.cluster.count).sum()),
        count_of(*failures, "distinct failure"),
        count_of(*lines_reached, "line"),
    );
    if *not_applicable > 0 {
        let runs = count_of(*not_applicable, "run");
        let _ = writeln!(
            out,
            "{runs} not applicable: a fault could not happen where it was to, as the others of its set had \
             changed what came before it"
        );
    }
    out
}

fn others(count: u64) -> String {
    if count == 1 { "another fault".to_owned() } else { format!("{} other faults", grouped(count)) }
}

fn fault_text(fault: &SearchedFault) -> String {
    let place = fault.place.as_ref().map(|place| format!(", {}", place_in_function(place)));
    format!("{}: {}{}", fault.node, fault.what, place.unwrap_or_default())
}

/// Returns the effects of a fault, a line each.
fn effects(experiment: &FaultExperiment) -> Vec<String> {
    let FaultExperiment { findings, ends, messages_missing, .. } = experiment;
    let mut lines: Vec<String> = findings.iter().map(finding_line).collect();
    for (node, end) in ends.iter().filter(|_| findings.is_empty()) {
        let node = if node.is_empty() { "the system" } else { node };
        lines.push(format!("{node} {end}"));
    }
    if *messages_missing > 0 {
        lines.push(format!("{} fewer", count_of(*messages_missing, "message")));
    }
    lines
}

/// The code that is reached, as a heading.
fn code_text(functions: &[String]) -> String {
    if functions.is_empty() {
        return "reaching no other code".to_owned();
    }
    let more = functions.len().saturating_sub(FUNCTIONS);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let named = &functions[..functions.len().min(FUNCTIONS)];
    format!("reaching more of {}{more}", named.join(", "))
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
    together: u64,
    not_applicable: u64,
    failures: u64,
    lines_reached: u64,
    clusters: Vec<RowJson<'a>>,
}

#[derive(Serialize)]
struct RowJson<'a> {
    faults: Vec<FaultJson<'a>>,
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
    command: &'a Option<String>,
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
    let FaultTable { strategy, possible, tried, together, not_applicable, .. } = table;
    let FaultTable { failures, lines_reached, clusters, .. } = table;
    let json = TableJson {
        strategy,
        possible: *possible,
        tried: *tried,
        together: *together,
        not_applicable: *not_applicable,
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
    let fault = |fault: &'a SearchedFault| FaultJson {
        node: &fault.node,
        kind: fault.decision.kind.name(),
        point: fault.decision.point,
        choice: fault.decision.choice,
        what: &fault.what,
        place: fault.place.as_ref().map(place_text),
    };
    let finding = |finding: &'a Finding| EffectJson {
        kind: finding.kind.to_string(),
        node: &finding.node,
        message: &finding.message,
        place: finding.stack.first().map(place_text),
    };
    RowJson {
        faults: first.faults.iter().map(fault).collect(),
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
