//! The steps of the world of a finding, as a table; the diagram links to its rows.

use maud::{Markup, html};

use super::budget::PageBudget;
use super::values::{cut, dump, short};
use crate::number::{bytes, count_of};
use crate::record::{EventKind, FindingRecord, MessageRecord, Timeline, WorldEvent};

/// Bytes of a message that a row shows by themselves.
const ROW_CHARS: usize = 64;

/// A moment of virtual time: seconds, and the round where there is one.
pub(super) fn moment(time_ns: u64, round: Option<u32>) -> String {
    let (seconds, micros) = (time_ns / 1_000_000_000, time_ns / 1_000 % 1_000_000);
    match round {
        Some(round) => format!("{seconds}.{micros:06} +{round}"),
        None => format!("{seconds}.{micros:06}"),
    }
}

/// The name of the row of a step.
pub(super) fn row_id(finding: &FindingRecord, step: usize) -> String {
    format!("finding-{}-step-{step}", finding.id)
}

/// The table; `left_out` earlier steps are not among them.
pub(super) fn table(
    finding: &FindingRecord,
    timeline: &Timeline<'_>,
    left_out: usize,
    budget: &mut PageBudget,
) -> Markup {
    let all = format!("findings/{:03}-{}.json", finding.id, finding.kind);
    let omitted = finding.messages_omitted;
    html! {
        h3 { "Steps" }
        @if left_out > 0 { p.faint { (count_of(left_out as u64, "earlier step")) " in " code { (all) } } }
        @if omitted > 0 { p.faint { (count_of(omitted, "earlier message")) " of this world left out" } }
        div.scroll {
            table.steps {
                thead { tr { th { "time" } th { "node" } th { "step" } } }
                tbody {
                    @for (step, event) in timeline.events.iter().enumerate() {
                        @if !matches!(event.kind, EventKind::Receive(..)) {
                            tr id=(row_id(finding, step)) tabindex="-1" {
                                td.mono { (moment(event.time_ns, event.round)) }
                                td { (timeline.nodes[event.node]) }
                                td { (what(finding, event, &all, budget)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn what(
    finding: &FindingRecord,
    event: &WorldEvent<'_>,
    all: &str,
    budget: &mut PageBudget,
) -> Markup {
    match event.kind {
        EventKind::Send(_, message) => self::message(message, all, budget),
        EventKind::Receive(..) => html! {},
        EventKind::Expose(data) => html! {
            "exposes " strong { (data.key) } "[" (data.state) "] = "
            span.mono { (data.value()) @if data.symbolic { "*" } }
        },
        EventKind::Preempt(preemption) => html! {
            span.fault { "preemption " (preemption.point) } ": thread " (preemption.to) " runs instead of "
            (preemption.from)
            @if let Some(place) = &preemption.place { ", " span.place { (place.text_in_function()) } }
        },
        EventKind::Fault(fault) => html! {
            span.fault { (fault.kind) } ": " (fault.what)
            @if let Some(place) = &fault.place { ", " span.place { (place.text_in_function()) } }
        },
        EventKind::Finding => {
            html! { span.kind { (finding.kind) } ": " (cut(&finding.message, 200)) }
        }
    }
}

fn message(message: &MessageRecord, all: &str, budget: &mut PageBudget) -> Markup {
    let MessageRecord { to, kind, source, destination, size, bytes: content, .. } = message;
    let shown = short(content, *size, ROW_CHARS);
    let fate = match (message.received_ns, message.received) {
        (Some(time), _) => format!(", received {}", moment(time, message.received_round)),
        (None, true) => ", received".to_owned(),
        (None, false) => ", not received".to_owned(),
    };
    let is_short = shown.chars().count() < ROW_CHARS && content.len() as u64 >= *size;
    html! {
        "→ " (to) " " strong { (kind) } " " span.mono.faint { (source) " → " (destination) }
        span class=[(!message.received).then_some("odd")] { (fate) }
        @if let Some(words) = &message.words {
            " " span class=(if words.failed { "words odd" } else { "words" }) { (words.line()) }
        }
        @if *size > 0 {
            @if is_short {
                " " span.mono { (shown) } span.faint { " " (bytes(*size)) }
            } @else {
                details {
                    summary { span.mono { (shown) } span.faint { " " (bytes(*size)) } }
                    (dump(content, *size, all, budget))
                }
            }
        }
    }
}
