//! The worlds of findings as a log with vector clocks, for ShiViz.
//!
//! Each event has two lines: what happened; the node, and its vector clock. That is the format that ShiViz
//! expects if nothing else is said, `(?<event>.*)\n(?<host>\S*) (?<clock>{.*})`. Worlds are apart by lines
//! that match `^=== (?<trace>.*) ===$`, for its field of several executions.

use std::collections::BTreeMap;

use super::paths::one_line;
use crate::finding::input::ascii;
use crate::record::{EventKind, FindingRecord, RunRecord, Timeline, WordsRecord, WorldEvent};

/// `shiviz.log`.
pub fn shiviz_log(record: &RunRecord) -> String {
    let findings = record.summary.findings.iter().filter(|finding| !finding.world.is_empty());
    findings.map(world).collect()
}

fn world(finding: &FindingRecord) -> String {
    let title = one_line(&format!("finding {}: {}", finding.id, finding.title()));
    let timeline = Timeline::of(finding);
    let hosts: Vec<String> = timeline.nodes.iter().map(|name| host(name)).collect();
    let mut clocks: Vec<BTreeMap<&str, u64>> = vec![BTreeMap::new(); hosts.len()];
    // The clocks of senders, by message.
    let mut sent: BTreeMap<usize, BTreeMap<&str, u64>> = BTreeMap::new();
    let mut out = format!("=== {title} ===\n");
    for event in &timeline.events {
        if let EventKind::Receive(number, _) = event.kind
            && let Some(sender) = sent.get(&number)
        {
            for (host, time) in sender {
                let known = clocks[event.node].entry(host).or_default();
                *known = (*known).max(*time);
            }
        }
        *clocks[event.node].entry(&hosts[event.node]).or_default() += 1;
        if let EventKind::Send(number, _) = event.kind {
            sent.insert(number, clocks[event.node].clone());
        }
        let clock =
            serde_json::to_string(&clocks[event.node]).expect("numbers with names are always JSON");
        let what = one_line(&words(finding, event));
        out.push_str(&format!("{what}\n{} {clock}\n", hosts[event.node]));
    }
    out
}

/// The name of a node without the white space that would end it.
fn host(name: &str) -> String {
    name.chars().map(|c| if c.is_whitespace() || c.is_control() { '_' } else { c }).collect()
}

fn words(finding: &FindingRecord, event: &WorldEvent<'_>) -> String {
    match event.kind {
        EventKind::Send(_, message) => {
            let bytes = || ascii(&message.bytes[..message.bytes.len().min(32)]);
            let text = message.words.as_ref().map_or_else(bytes, WordsRecord::line);
            format!("sends {} of {} bytes to {} {text}", message.kind, message.size, message.to)
        }
        EventKind::Receive(_, message) => {
            format!("receives {} of {} bytes from {}", message.kind, message.size, message.from)
        }
        EventKind::Expose(data) => {
            format!("exposes {}[{}] = {}", data.key, data.state, data.value())
        }
        EventKind::Preempt(preemption) => {
            format!("thread {} runs instead of {}", preemption.to, preemption.from)
        }
        EventKind::Fault(fault) => format!("{}: {}", fault.kind, fault.what),
        EventKind::Finding => format!("{}: {}", finding.kind, finding.message),
    }
}
