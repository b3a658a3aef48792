//! Gates: what a run has to be like so that continuous integration goes on, and what became of them.
//!
//! [`judge`] holds a [`RunRecord`] against [`GateRules`]. Its [`GateReport`] is printed, is a part of
//! `summary.json`, and decides on the exit code; pages and exports read it back from there.
//!
//! Invariant: a gate that has nothing to look at has failed. A run without invariants says nothing about
//! them.

mod baseline;
mod fingerprint;

use std::collections::BTreeSet;
use std::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::finding::source::SourceLines;
use crate::number::{count_of, grouped};
use crate::paint::PaintMode;
use crate::record::{FindingRecord, RecordedSources, RunRecord};
pub use baseline::{Baseline, BaselineError, BaselineUpdate};
pub(crate) use fingerprint::fingerprint;

/// The gates of a run.
#[derive(Clone, Debug, Default)]
pub struct GateRules {
    /// The kinds of findings that count; `None` for all.
    pub fail_on: Option<BTreeSet<String>>,
    /// Each kind of faults that is allowed has to be possible somewhere.
    pub require_faults: bool,
    /// Each invariant has to be evaluated with data.
    pub require_invariants: bool,
    /// Instructions that have to be covered, in percent.
    pub min_coverage: Option<f64>,
    /// Findings that do not count, as they are known.
    pub baseline: Option<Baseline>,
}

/// What became of the gates of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GateReport {
    /// All of them have passed.
    passed: bool,
    each: Vec<GateResult>,
    /// The numbers of findings that are in the baseline; `None` without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<BTreeSet<u32>>,
    /// The numbers of other findings, of kinds that do not count.
    let_through: BTreeSet<u32>,
    /// Entries of the baseline that no finding has.
    absent: Vec<String>,
}

/// What became of one gate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct GateResult {
    /// Its name.
    pub(crate) gate: String,
    pub(crate) passed: bool,
    /// What was found, in words.
    pub(crate) what: String,
    /// Something to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) advice: Option<String>,
}

/// The gate that the findings of a run have to pass.
const FINDINGS: &str = "findings";

/// What a finding is for the gates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FindingStanding {
    /// It fails the run.
    Counts,
    /// It is in the baseline.
    Known,
    /// It is of a kind that does not count.
    LetThrough,
}

impl GateRules {
    /// Returns `true` if there is no gate: findings count, and nothing else does.
    pub fn is_empty(&self) -> bool {
        let GateRules { fail_on, require_faults, require_invariants, min_coverage, baseline } =
            self;
        fail_on.is_none()
            && !require_faults
            && !require_invariants
            && min_coverage.is_none()
            && baseline.is_none()
    }
}

impl GateReport {
    /// Returns `true` if findings fail the run.
    pub fn has_counted_findings(&self) -> bool {
        self.each.iter().any(|result| result.gate == FINDINGS && !result.passed)
    }

    /// Returns `true` if a gate other than that of findings has failed.
    pub fn has_unmet_requirements(&self) -> bool {
        self.each.iter().any(|result| result.gate != FINDINGS && !result.passed)
    }

    /// What became of each gate.
    pub(crate) fn each(&self) -> &[GateResult] {
        &self.each
    }

    /// Entries of the baseline that no finding has.
    pub(crate) fn absent(&self) -> &[String] {
        &self.absent
    }

    /// Returns `true` if there is a baseline.
    pub(crate) fn has_baseline(&self) -> bool {
        self.known.is_some()
    }

    pub(crate) fn standing(&self, finding: u32) -> FindingStanding {
        match &self.known {
            Some(known) if known.contains(&finding) => FindingStanding::Known,
            _ if self.let_through.contains(&finding) => FindingStanding::LetThrough,
            _ => FindingStanding::Counts,
        }
    }
}

/// Holds a run against its gates. `now` gives the lines of source files that the record does not have.
pub fn judge(record: &RunRecord, rules: &GateRules, now: &dyn SourceLines) -> GateReport {
    let mut report = GateReport::default();
    findings(record, rules, now, &mut report);
    if rules.require_faults {
        report.each.push(faults(record));
    }
    if rules.require_invariants {
        report.each.push(invariants(record));
    }
    report.each.extend(rules.min_coverage.map(|percent| coverage(record, percent)));
    report.passed = report.each.iter().all(|result| result.passed);
    report
}

/// The gate of findings, which is always there.
fn findings(record: &RunRecord, rules: &GateRules, now: &dyn SourceLines, report: &mut GateReport) {
    let sources = RecordedSources::new(record, now);
    let all = &record.summary.findings;
    if let Some(baseline) = &rules.baseline {
        let found: Vec<(u32, String)> =
            all.iter().map(|finding| (finding.id, fingerprint(finding, &sources))).collect();
        let is_known = |(_, print): &&(u32, String)| baseline.has(print);
        report.known = Some(found.iter().filter(is_known).map(|(id, _)| *id).collect());
        let prints: BTreeSet<&str> = found.iter().map(|(_, print)| print.as_str()).collect();
        report.absent = baseline.without(&prints);
    }
    if let Some(kinds) = &rules.fail_on {
        let left_out = |finding: &&FindingRecord| !kinds.contains(&finding.kind);
        let ids = all.iter().filter(left_out).map(|finding| finding.id);
        let known = report.known.clone().unwrap_or_default();
        report.let_through = ids.filter(|id| !known.contains(id)).collect();
    }
    let counted: Vec<u32> = { all.iter().map(|finding| finding.id) }
        .filter(|id| report.standing(*id) == FindingStanding::Counts)
        .collect();
    let parts = [
        (report.known.as_ref().map_or(0, BTreeSet::len), "in the baseline"),
        (report.let_through.len(), "of kinds that --fail-on leaves out"),
    ];
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, what)| format!("{count} {what}")).collect();
    let others = if parts.is_empty() { String::new() } else { format!("; {}", parts.join(", ")) };
    let what = match &counted[..] {
        [] if all.is_empty() => "none".to_owned(),
        [] => format!("none of {} counts{others}", count_of(all.len() as u64, "finding")),
        [one] => format!("finding {one} counts{others}"),
        some => format!("{} findings count, from finding {} on{others}", some.len(), some[0]),
    };
    report.each.push(GateResult {
        gate: FINDINGS.to_owned(),
        passed: counted.is_empty(),
        what,
        advice: (!counted.is_empty())
            .then(|| "repair it, or accept it: everett baseline DIR -o FILE".to_owned()),
    });
}

/// A gate that some of several things may fail.
fn requirement(gate: &str, met: String, unmet: &[String], advice: &str) -> GateResult {
    let passed = unmet.is_empty();
    let what = if passed { met } else { unmet.join("; ") };
    GateResult { gate: gate.to_owned(), passed, what, advice: (!passed).then(|| advice.to_owned()) }
}

fn faults(record: &RunRecord) -> GateResult {
    let all = &record.summary.faults;
    if all.is_empty() {
        let advice = "allow some, such as --lost-packet-count 1, or leave out --require-faults";
        return requirement("faults", String::new(), &["no fault is allowed".to_owned()], advice);
    }
    let never = all.iter().filter(|(_, count)| count.offered == 0);
    let never: Vec<String> = never.map(|(kind, _)| format!("{kind} was never possible")).collect();
    let met = format!("{} possible", count_of(all.len() as u64, "kind"));
    let advice =
        "docs/faults.md says where each is possible; give more time, or take its budget out";
    requirement("faults", met, &never, advice)
}

fn invariants(record: &RunRecord) -> GateResult {
    let all = record.summary.invariants.as_ref().map_or(&[][..], |of| &of.each);
    if all.is_empty() {
        let advice = "name a file with --invariants, or leave out --require-invariants";
        return requirement("invariants", String::new(), &["there are none".to_owned()], advice);
    }
    let silent = all.iter().filter_map(|of| match (of.evaluations, of.with_data) {
        (0, _) => Some(format!("{} was never evaluated", of.name)),
        (_, 0) => Some(format!("{} was never given any data", of.name)),
        _ => None,
    });
    let silent: Vec<String> = silent.collect();
    let met = format!("{} evaluated with data", count_of(all.len() as u64, "invariant"));
    let advice = "let nodes expose what it looks at, and compare the names of nodes and keys";
    requirement("invariants", met, &silent, advice)
}

fn coverage(record: &RunRecord, percent: f64) -> GateResult {
    let count = record.summary.coverage;
    let (covered, total) = (count.covered as f64, count.total as f64);
    let passed = total > 0.0 && covered * 100.0 >= percent * total;
    // Rounded down: what is shown must not look like enough.
    let shown = (covered * 1000.0 / total.max(1.0)).floor() / 10.0;
    let (part, whole) = (grouped(count.covered), count_of(count.total, "instruction"));
    let relation = if passed { "at least" } else { "less than" };
    let text = format!("{part} of {whole} ({shown}%), {relation} {percent}%");
    let unmet = if passed { Vec::new() } else { vec![text.clone()] };
    let advice = "coverage.json has what was missed; give more time, or more symbolic inputs";
    requirement("coverage", text, &unmet, advice)
}

/// The gates as lines of the summary.
pub(crate) fn gates_text(report: &GateReport, paint: PaintMode) -> String {
    let mut out = format!("  {}\n", paint.strong("gates"));
    let width = report.each.iter().map(|result| result.gate.len()).max().unwrap_or(0);
    for GateResult { gate, passed, what, advice } in &report.each {
        let verdict = if *passed { paint.good("passed") } else { paint.alarm("failed") };
        let _ = writeln!(out, "    {verdict}  {gate:width$}  {what}");
        if let Some(advice) = advice {
            let _ = writeln!(out, "            {:width$}  {advice}", "");
        }
    }
    for entry in &report.absent {
        let _ = writeln!(out, "    not found any more: {entry}");
    }
    if !report.absent.is_empty() {
        out.push_str("    (`everett baseline` leaves such entries out of a new baseline)\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::finding::source::NoSources;
    use crate::record::RunFiles;

    const SUMMARY: &str = r#"{
        "outcome": "exhausted",
        "coverage": { "covered": 799, "total": 1000 },
        "faults": { "loss": { "offered": 3 }, "delay": { "offered": 0 } },
        "invariants": { "each": [
            { "name": "holds", "evaluations": 2, "with_data": 2 },
            { "name": "blind", "evaluations": 2, "with_data": 0 },
            { "name": "late", "evaluations": 0, "with_data": 0 }
        ] },
        "findings": [
            { "id": 1, "kind": "leak", "stack": [{ "function": "main" }] },
            { "id": 2, "kind": "assert", "stack": [{ "function": "main" }] },
            { "id": 3, "kind": "abort", "stack": [{ "function": "main" }] }
        ]
    }"#;

    fn record(summary: &str) -> RunRecord {
        RunRecord::read(&RunFiles { summary: summary.to_owned(), ..RunFiles::default() }).unwrap()
    }

    fn check(summary: &str, rules: &GateRules, expected: Expect) -> GateReport {
        let report = judge(&record(summary), rules, &NoSources);
        // A line without indentation, so that the indentation of the others is seen.
        expected.assert_eq(&format!("summary\n{}", gates_text(&report, PaintMode::Plain)));
        report
    }

    #[test]
    fn each_gate_says_what_has_failed_and_what_to_do() {
        let of_run = record(SUMMARY);
        let mut baseline = Baseline::default();
        let update = baseline.update([(&of_run, &NoSources as &dyn SourceLines)], "");
        assert_eq!((update.added, update.kept, update.removed.len()), (3, 0, 0));
        let text: String = baseline.to_string().lines().filter(|line| !line.contains("leak")).fold(
            String::new(),
            |text, line| match line.contains("abort") {
                true => text + "00000000000000000000000000000000 abort elsewhere.c:3\n",
                false => text + line + "\n",
            },
        );
        let rules = GateRules {
            fail_on: Some(["abort".to_owned()].into()),
            require_faults: true,
            require_invariants: true,
            min_coverage: Some(80.0),
            baseline: Some(Baseline::parse(&text).unwrap()),
        };
        let report = check(
            SUMMARY,
            &rules,
            expect![[r#"
                summary
                  gates
                    failed  findings    finding 3 counts; 1 in the baseline, 1 of kinds that --fail-on leaves out
                                        repair it, or accept it: everett baseline DIR -o FILE
                    failed  faults      delay was never possible
                                        docs/faults.md says where each is possible; give more time, or take its budget out
                    failed  invariants  blind was never given any data; late was never evaluated
                                        let nodes expose what it looks at, and compare the names of nodes and keys
                    failed  coverage    799 of 1,000 instructions (79.9%), less than 80%
                                        coverage.json has what was missed; give more time, or more symbolic inputs
                    not found any more: 00000000000000000000000000000000 abort elsewhere.c:3
                    (`everett baseline` leaves such entries out of a new baseline)
            "#]],
        );
        assert_eq!(report.standing(1), FindingStanding::LetThrough);
        assert_eq!(report.standing(2), FindingStanding::Known);
        assert_eq!(report.standing(3), FindingStanding::Counts);
        assert!(report.has_counted_findings() && report.has_unmet_requirements());
    }

    #[test]
    fn gates_that_are_met_say_so() {
        let text = SUMMARY.replace("\"offered\": 0", "\"offered\": 1").replace("799", "800");
        let text = text.replace("_data\": 0", "_data\": 1").replace("ations\": 0", "ations\": 1");
        let rules = GateRules {
            fail_on: Some(BTreeSet::new()),
            require_faults: true,
            require_invariants: true,
            min_coverage: Some(80.0),
            baseline: None,
        };
        let report = check(
            &text,
            &rules,
            expect![[r#"
                summary
                  gates
                    passed  findings    none of 3 findings counts; 3 of kinds that --fail-on leaves out
                    passed  faults      2 kinds possible
                    passed  invariants  3 invariants evaluated with data
                    passed  coverage    800 of 1,000 instructions (80%), at least 80%
            "#]],
        );
        assert!(!report.has_counted_findings() && !report.has_unmet_requirements());
    }

    #[test]
    fn a_gate_without_anything_to_look_at_has_failed() {
        let rules = GateRules {
            require_faults: true,
            require_invariants: true,
            min_coverage: Some(0.0),
            ..GateRules::default()
        };
        let report = check(
            "{}",
            &rules,
            expect![[r#"
                summary
                  gates
                    passed  findings    none
                    failed  faults      no fault is allowed
                                        allow some, such as --lost-packet-count 1, or leave out --require-faults
                    failed  invariants  there are none
                                        name a file with --invariants, or leave out --require-invariants
                    failed  coverage    0 of 0 instructions (0%), less than 0%
                                        coverage.json has what was missed; give more time, or more symbolic inputs
            "#]],
        );
        assert!(!report.has_counted_findings() && report.has_unmet_requirements());
    }
}
