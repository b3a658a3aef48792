//! A run as the test results of JUnit's format: a test for each kind of findings on a node, for each node,
//! for each invariant, one for the run as a whole, and one for each gate.
//!
//! Findings that the gates let pass, as they are known or of kinds that do not count, skip their tests.
//! Names are the same from run to run. A test that says nothing, such as an invariant that was never
//! evaluated, is skipped and not passed.

use std::collections::BTreeMap;
use std::fmt::Write;

use maud::{Markup, PreEscaped, Render, html};

use crate::gates::FindingStanding;
use crate::record::{FindingRecord, RunRecord};

/// The result of one test.
enum TestResult {
    Passed,
    /// The sentence, and everything else.
    Failed(String, String),
    Skipped(String),
}

struct TestRow {
    suite: &'static str,
    name: String,
    result: TestResult,
}

/// `junit.xml`.
pub fn junit_xml(record: &RunRecord) -> String {
    let rows: Vec<TestRow> =
        [kinds(record), nodes(record), invariants(record), vec![whole(record)], gates(record)]
            .into_iter()
            .flatten()
            .collect();
    let count = |rows: &[&TestRow], is: fn(&TestResult) -> bool| {
        rows.iter().filter(|row| is(&row.result)).count()
    };
    let failed: fn(&TestResult) -> bool = |result| matches!(result, TestResult::Failed(..));
    let skipped: fn(&TestResult) -> bool = |result| matches!(result, TestResult::Skipped(_));
    let all: Vec<&TestRow> = rows.iter().collect();
    let time = format!("{:.3}", record.summary.wall_seconds);
    let suites = ["findings", "nodes", "invariants", "run", "gates"];
    let document = html! {
        testsuites name=(record.summary.program) tests=(all.len()) failures=(count(&all, failed)) errors="0"
            skipped=(count(&all, skipped)) time=(time) {
            @for suite in suites {
                @let of: Vec<&TestRow> = rows.iter().filter(|row| row.suite == suite).collect();
                @if !of.is_empty() {
                    testsuite name=(suite) tests=(of.len()) failures=(count(&of, failed)) errors="0"
                        skipped=(count(&of, skipped)) time=(time) {
                        @for row in of { (row) }
                    }
                }
            }
        }
    };
    let text = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n", document.into_string());
    text.chars().map(|c| if is_xml(c) { c } else { '\u{fffd}' }).collect()
}

/// Returns `true` for the characters of XML 1.0, section 2.2.
fn is_xml(c: char) -> bool {
    let is_whole = u32::from(c) & 0xfffe != 0xfffe || u32::from(c) > 0xffff;
    matches!(c, '\t' | '\n' | '\r') || c >= ' ' && is_whole
}

impl Render for TestRow {
    fn render(&self) -> Markup {
        let TestRow { suite, name, result } = self;
        html! {
            testcase classname={ "everett." (suite) } name=(name) time="0" {
                @match result {
                    TestResult::Passed => (PreEscaped("")),
                    TestResult::Failed(message, text) => failure type=(suite) message=(message) { (text) },
                    TestResult::Skipped(why) => skipped message=(why) {},
                }
            }
        }
    }
}

/// A test for each kind on each node, which has failed: findings that there are not have no names.
fn kinds(record: &RunRecord) -> Vec<TestRow> {
    let mut groups: BTreeMap<String, Vec<&FindingRecord>> = BTreeMap::new();
    for finding in record.summary.findings.iter().filter(|finding| finding.violation.is_none()) {
        let name = format!("{} on {}", finding.kind, finding.node);
        groups.entry(name).or_default().push(finding);
    }
    let row = |(name, findings): (String, Vec<&FindingRecord>)| TestRow {
        suite: "findings",
        name,
        result: failed(record, &findings),
    };
    groups.into_iter().map(row).collect()
}

fn nodes(record: &RunRecord) -> Vec<TestRow> {
    let row = |name: &str| {
        let findings = record.summary.findings.iter().filter(|finding| finding.node == name);
        TestRow {
            suite: "nodes",
            name: name.to_owned(),
            result: failed(record, &findings.collect::<Vec<_>>()),
        }
    };
    record.node_names().into_iter().map(row).collect()
}

fn invariants(record: &RunRecord) -> Vec<TestRow> {
    let each = record.summary.invariants.iter().flat_map(|invariants| &invariants.each);
    let row = |of: &crate::record::InvariantRecord| {
        let violates = |finding: &&FindingRecord| {
            finding.violation.as_ref().is_some_and(|violation| violation.invariant == of.name)
        };
        let findings: Vec<&FindingRecord> =
            record.summary.findings.iter().filter(violates).collect();
        let result = match (of.evaluations, of.with_data) {
            _ if !findings.is_empty() => failed(record, &findings),
            // A violation that is ignored is no failure.
            (0, _) => TestResult::Skipped("it was never evaluated".to_owned()),
            (_, 0) => TestResult::Skipped("it was never given any data".to_owned()),
            _ => TestResult::Passed,
        };
        TestRow { suite: "invariants", name: of.name.clone(), result }
    };
    each.map(row).collect()
}

/// Everything was explored.
fn whole(record: &RunRecord) -> TestRow {
    let summary = &record.summary;
    let why = summary.limit.clone().unwrap_or_else(|| summary.outcome.clone());
    let result = match &*summary.outcome {
        "exhausted" => TestResult::Passed,
        "failed" => TestResult::Failed(why, String::new()),
        _ => TestResult::Skipped(format!("not everything was explored: {why}")),
    };
    TestRow { suite: "run", name: "everything is explored".to_owned(), result }
}

/// A test for each gate, if there are any.
fn gates(record: &RunRecord) -> Vec<TestRow> {
    let each = record.summary.gates.iter().flat_map(|gates| gates.each());
    let row = |of: &crate::gates::GateResult| {
        let advice = of.advice.clone().unwrap_or_default();
        let result = match of.passed {
            true => TestResult::Passed,
            false => TestResult::Failed(of.what.clone(), advice),
        };
        TestRow { suite: "gates", name: of.gate.clone(), result }
    };
    each.map(row).collect()
}

fn failed(record: &RunRecord, findings: &[&FindingRecord]) -> TestResult {
    let gates = record.summary.gates.as_ref();
    let standing = |finding: &&&FindingRecord| {
        gates.map_or(FindingStanding::Counts, |gates| gates.standing(finding.id))
    };
    let counts = |finding: &&&FindingRecord| standing(finding) == FindingStanding::Counts;
    let Some(first) = findings.iter().find(counts) else {
        return match findings.first() {
            None => TestResult::Passed,
            Some(first) => TestResult::Skipped(match standing(&first) {
                FindingStanding::Known => format!("it is known: {}", first.message),
                FindingStanding::Counts | FindingStanding::LetThrough => {
                    format!("--fail-on leaves it out: {}", first.message)
                }
            }),
        };
    };
    let mut text = String::new();
    for finding in findings.iter().filter(counts) {
        let _ = writeln!(text, "finding {}: {}: {}", finding.id, finding.title(), finding.message);
        for (number, frame) in finding.stack.iter().enumerate() {
            let _ = writeln!(text, "  #{number} {} {}", frame.function, frame.text());
        }
        if let Some(replay) = &finding.replay {
            let _ = writeln!(text, "  {replay}");
        }
    }
    TestResult::Failed(first.message.clone(), text)
}
