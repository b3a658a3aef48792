//! The worlds of findings as a trace of Chrome's format, which Perfetto shows: a node is a process, a
//! thread a track, a message a flow.
//!
//! Much happens at the same virtual time. Events of one time are set a nanosecond apart, in their order; each
//! has its exact time and round among its arguments.

use serde_json::{Value, json};

use crate::finding::input::hex;
use crate::record::{EventKind, FindingRecord, RunRecord, Timeline, WordsRecord, WorldEvent};

/// Numbers of processes that a finding may have.
const NODES_MAX: usize = 10_000;
/// The track of what no thread is known of.
const MAIN_TRACK: u32 = 1;

/// `trace.json`.
pub fn trace_json(record: &RunRecord) -> String {
    let mut events = Vec::new();
    for finding in &record.summary.findings {
        world(finding, &mut events);
    }
    let trace = json!({ "displayTimeUnit": "ns", "traceEvents": events });
    serde_json::to_string(&trace).expect("values are always JSON") + "\n"
}

fn world(finding: &FindingRecord, out: &mut Vec<Value>) {
    let timeline = Timeline::of(finding);
    let process = |node: usize| finding.id as usize * NODES_MAX + node;
    for (node, name) in timeline.nodes.iter().enumerate() {
        let (pid, name) = (process(node), format!("finding {}: {name}", finding.id));
        out.push(
            json!({ "ph": "M", "name": "process_name", "pid": pid, "args": { "name": name } }),
        );
        let args = json!({ "sort_index": pid });
        out.push(json!({ "ph": "M", "name": "process_sort_index", "pid": pid, "args": args }));
        let args = json!({ "name": "events" });
        out.push(
            json!({ "ph": "M", "name": "thread_name", "pid": pid, "tid": MAIN_TRACK, "args": args }),
        );
    }
    let mut next_ns = 0;
    for event in &timeline.events {
        let at_ns = event.time_ns.max(next_ns);
        next_ns = at_ns + 1;
        step(finding, event, (process(event.node), at_ns), out);
    }
}

/// A time in microseconds, as the format has it. The digits are exact for years.
fn micros(time_ns: u64) -> f64 {
    time_ns as f64 / 1000.0
}

fn step(
    finding: &FindingRecord,
    event: &WorldEvent<'_>,
    (pid, at_ns): (usize, u64),
    out: &mut Vec<Value>,
) {
    let ts = micros(at_ns);
    let flow = |number: usize| format!("{}-{number}", finding.id);
    let args = |more: Value| {
        let mut args = json!({ "time_ns": event.time_ns, "round": event.round });
        if let (Some(args), Value::Object(more)) = (args.as_object_mut(), more) {
            args.extend(more);
        }
        args
    };
    let slice = |name: String, category: &str, tid: u32, more: Value| {
        json!({
            "ph": "X", "name": name, "cat": category, "pid": pid, "tid": tid, "ts": ts, "dur": 0.001,
            "args": args(more),
        })
    };
    match event.kind {
        EventKind::Send(number, message) => {
            let more = json!({
                "source": message.source, "destination": message.destination, "size": message.size,
                "bytes": hex(&message.bytes), "received": message.received,
                "words": message.words.as_ref().map(WordsRecord::line),
            });
            out.push(slice(format!("send {}", message.kind), "message", MAIN_TRACK, more));
            out.push(json!({
                "ph": "s", "name": message.kind, "cat": "message", "id": flow(number), "pid": pid,
                "tid": MAIN_TRACK, "ts": ts,
            }));
        }
        EventKind::Receive(number, message) => {
            let name = format!("receive {}", message.kind);
            out.push(slice(name, "message", MAIN_TRACK, json!({ "size": message.size })));
            out.push(json!({
                "ph": "f", "bp": "e", "name": message.kind, "cat": "message", "id": flow(number),
                "pid": pid, "tid": MAIN_TRACK, "ts": ts,
            }));
        }
        EventKind::Expose(data) => {
            let more = json!({
                "bytes": hex(&data.bytes), "value": data.value(), "symbolic": data.symbolic,
            });
            let name = format!("expose {}[{}]", data.key, data.state);
            out.push(slice(name, "exposure", MAIN_TRACK, more));
        }
        EventKind::Preempt(preemption) => {
            for (tid, what) in [(preemption.from, "is preempted"), (preemption.to, "runs")] {
                out.push(slice(format!("thread {tid} {what}"), "preemption", tid, json!({})));
            }
        }
        EventKind::Fault(fault) => {
            out.push(slice(fault.kind.clone(), "fault", MAIN_TRACK, json!({ "what": fault.what })));
        }
        EventKind::Finding => {
            let more = json!({ "message": finding.message });
            out.push(slice(finding.title(), "finding", MAIN_TRACK, more));
        }
    }
}
