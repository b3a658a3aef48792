//! Findings as SARIF 2.1.0, the format of results of static analysis that forges and editors show.
//!
//! A rule is a kind of findings. A fingerprint is that of baselines. The world of a finding is a code flow
//! with a thread flow for each node; the order of execution says how their steps lie in time.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::paths::uri;
use crate::finding::source::SourceLines;
use crate::gates::{FindingStanding, GateReport, fingerprint};
use crate::record::{
    EventKind, FindingRecord, PlaceRecord, RecordedSources, RunRecord, Timeline, WorldEvent,
};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The folder that files are named from, their lines, and what the gates say.
struct SarifFiles<'a> {
    base: &'a str,
    sources: RecordedSources<'a>,
    gates: Option<&'a GateReport>,
}

/// `results.sarif`; files are named from the folder `base`. `now` gives the lines of source files that the
/// folder of results does not have.
pub fn sarif_json(record: &RunRecord, base: &str, now: &dyn SourceLines) -> String {
    let (sources, gates) = (RecordedSources::new(record, now), record.summary.gates.as_ref());
    let files = SarifFiles { base, sources, gates };
    let findings = &record.summary.findings;
    let kinds: BTreeSet<&str> = findings.iter().map(|finding| &*finding.kind).collect();
    let kinds: Vec<&str> = kinds.into_iter().collect();
    let rules: Vec<Value> = kinds.iter().map(|kind| rule(kind)).collect();
    let results: Vec<Value> = findings.iter().map(|of| files.result(of, &kinds)).collect();
    let invocation = json!({
        "commandLine": record.command,
        "executionSuccessful": record.summary.outcome != "failed",
        "properties": { "outcome": record.summary.outcome },
    });
    let run = json!({
        "tool": { "driver": {
            "name": "Everett",
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "rules": rules,
        } },
        "invocations": [invocation],
        "columnKind": "unicodeCodePoints",
        "results": results,
    });
    crate::json::pretty(&json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] }))
}

fn rule(kind: &str) -> Value {
    json!({
        "id": kind,
        "shortDescription": { "text": kind.replace('-', " ") },
        "defaultConfiguration": { "level": "error" },
    })
}

impl SarifFiles<'_> {
    fn result(&self, finding: &FindingRecord, kinds: &[&str]) -> Value {
        let place = finding.place();
        let mut result = json!({
            "ruleId": finding.kind,
            "ruleIndex": kinds.iter().position(|kind| *kind == finding.kind),
            "level": self.level(finding),
            "message": { "text": finding.message },
            "locations": [self.location(&place, None)],
            "occurrenceCount": finding.count.max(1),
            "partialFingerprints": { "everettStack/v1": fingerprint(finding, &self.sources) },
            "stacks": [self.stack(finding)],
            "properties": {
                "node": finding.node,
                "replay": finding.replay,
                "test": finding.test,
            },
        });
        if self.gates.is_some_and(GateReport::has_baseline) {
            let is_known = self.standing(finding) == FindingStanding::Known;
            result["baselineState"] = json!(if is_known { "unchanged" } else { "new" });
        }
        if !finding.world.is_empty() {
            result["codeFlows"] = json!([self.code_flow(finding)]);
        }
        result
    }

    fn standing(&self, finding: &FindingRecord) -> FindingStanding {
        self.gates.map_or(FindingStanding::Counts, |gates| gates.standing(finding.id))
    }

    fn level(&self, finding: &FindingRecord) -> &'static str {
        match self.standing(finding) {
            FindingStanding::Counts | FindingStanding::Known => "error",
            FindingStanding::LetThrough => "warning",
        }
    }

    fn location(&self, place: &PlaceRecord, message: Option<&str>) -> Value {
        let mut location = json!({});
        if let Some(file) = &place.file {
            let artifact = json!({ "uri": uri(file, self.base) });
            location["physicalLocation"] = json!({ "artifactLocation": artifact });
            if let Some(line) = place.line {
                let mut region = json!({ "startLine": line });
                if let Some(column) = place.column {
                    region["startColumn"] = json!(column);
                }
                location["physicalLocation"]["region"] = region;
            }
        }
        if !place.function.is_empty() {
            let function = json!({ "fullyQualifiedName": place.function, "kind": "function" });
            location["logicalLocations"] = json!([function]);
        }
        if let Some(message) = message {
            location["message"] = json!({ "text": message });
        }
        location
    }

    fn stack(&self, finding: &FindingRecord) -> Value {
        let frame = |place| json!({ "location": self.location(place, None) });
        let frames: Vec<Value> = finding.stack.iter().map(frame).collect();
        json!({ "message": { "text": format!("stack of {}", finding.node) }, "frames": frames })
    }

    fn code_flow(&self, finding: &FindingRecord) -> Value {
        let timeline = Timeline::of(finding);
        let flow = |(node, name): (usize, &&str)| {
            let events = timeline.events.iter().enumerate();
            let steps = events.filter(|(_, event)| event.node == node);
            let mut steps: Vec<Value> =
                steps.map(|(order, event)| self.step(finding, (order, event))).collect();
            if let Some(of) = finding.world.iter().find(|of| of.name == **name) {
                let place = of.stack.first().cloned().unwrap_or_default();
                let order = timeline.events.len();
                let location = self.location(&place, Some(&of.status));
                steps.push(json!({ "location": location, "executionOrder": order }));
            }
            json!({ "id": name, "message": { "text": name }, "locations": steps })
        };
        let flows: Vec<Value> = timeline.nodes.iter().enumerate().map(flow).collect();
        json!({ "message": { "text": "the world, node by node" }, "threadFlows": flows })
    }

    fn step(&self, finding: &FindingRecord, (order, event): (usize, &WorldEvent<'_>)) -> Value {
        let nowhere = PlaceRecord::default();
        let (text, place) = match event.kind {
            EventKind::Send(_, message) => (
                format!("sends {} of {} bytes to {}", message.kind, message.size, message.to),
                None,
            ),
            EventKind::Receive(_, message) => {
                let from = &message.from;
                (format!("receives {} of {} bytes from {from}", message.kind, message.size), None)
            }
            EventKind::Expose(data) => (format!("exposes {}[{}]", data.key, data.state), None),
            EventKind::Preempt(preemption) => {
                let text = format!("thread {} for {}", preemption.to, preemption.from);
                (text, preemption.place.clone())
            }
            EventKind::Fault(fault) => {
                (format!("{}: {}", fault.kind, fault.what), fault.place.clone())
            }
            EventKind::Finding => (finding.message.clone(), Some(finding.place())),
        };
        let location = self.location(&place.unwrap_or(nowhere), Some(&text));
        let seconds = event.time_ns as f64 / 1e9;
        json!({
            "location": location,
            "executionOrder": order,
            "properties": { "virtualSeconds": seconds, "round": event.round },
        })
    }
}
