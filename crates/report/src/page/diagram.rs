//! The world of a finding as a sequence diagram: nodes are columns, virtual time goes downwards.
//!
//! Every event has a row of its own, so that no two texts meet; a message that is received next after it was
//! sent shares its row. Shapes and not colours alone tell faults from findings.

use maud::{Markup, html};

use super::steps::{moment, row_id};
use super::values::{cut, short};
use crate::number::bytes;
use crate::record::{EventKind, FindingRecord, MessageRecord, Timeline};

/// The column of times.
const MARGIN: usize = 104;
const HEAD: usize = 40;
const ROW: usize = 26;
/// Width of a character of the labels.
const CHAR_TENTHS: usize = 66;

/// Where the events of a timeline are.
struct DiagramLayout {
    column: usize,
    width: usize,
    height: usize,
    /// By event.
    rows: Vec<usize>,
}

impl DiagramLayout {
    fn of(timeline: &Timeline<'_>) -> DiagramLayout {
        let nodes = timeline.nodes.len();
        let column = match nodes {
            0..=1 => 560,
            2 => 380,
            3 => 260,
            4 => 210,
            _ => 180,
        };
        let mut rows: Vec<usize> = Vec::with_capacity(timeline.events.len());
        let mut next = 0;
        for (step, event) in timeline.events.iter().enumerate() {
            let before = step.checked_sub(1).map(|before| timeline.events[before].kind);
            let follows = match (before, event.kind) {
                (Some(EventKind::Send(sent, _)), EventKind::Receive(got, _)) => sent == got,
                _ => false,
            };
            next += usize::from(!follows);
            rows.push(next - 1);
        }
        DiagramLayout {
            column,
            width: MARGIN + nodes * column + 16,
            height: HEAD + next * ROW + 36,
            rows,
        }
    }

    fn x(&self, node: usize) -> usize {
        MARGIN + node * self.column + self.column / 2
    }

    fn y(&self, step: usize) -> usize {
        HEAD + self.rows[step] * ROW + ROW / 2 + 8
    }
}

/// The diagram. Each step links to its row in the table of steps.
pub(super) fn figure(finding: &FindingRecord, timeline: &Timeline<'_>) -> Markup {
    figure_with_links(finding, timeline, &|step| format!("#{}", row_id(finding, step)))
}

/// The diagram, with the addresses that steps lead to.
pub(super) fn figure_with_links(
    finding: &FindingRecord,
    timeline: &Timeline<'_>,
    address: &dyn Fn(usize) -> String,
) -> Markup {
    let layout = DiagramLayout::of(timeline);
    let (width, height) = (layout.width, layout.height);
    let name_chars = layout.column * 10 / 75;
    html! {
        h3 { "Sequence" }
        div.scroll.diagram {
            svg width=(width) height=(height) viewBox={ "0 0 " (width) " " (height) } role="img"
                aria-label="sequence diagram; the table of steps has the same" {
                @for (node, name) in timeline.nodes.iter().enumerate() {
                    @let x = layout.x(node);
                    line.life x1=(x) y1=(HEAD - 8) x2=(x) y2=(height - 24) {}
                    text.node x=(x) y="20" { (cut(name, name_chars)) }
                    text.node x=(x) y=(height - 8) { (cut(name, name_chars)) }
                }
                (times(timeline, &layout))
                @for (step, event) in timeline.events.iter().enumerate() {
                    @if !matches!(event.kind, EventKind::Receive(..)) {
                        a.step href=(address(step)) {
                            (self::step(finding, timeline, &layout, step))
                        }
                    }
                }
            }
        }
    }
}

/// The times of the rows, where they change.
fn times(timeline: &Timeline<'_>, layout: &DiagramLayout) -> Markup {
    let mut shown: Vec<(usize, String)> = Vec::new();
    for (step, event) in timeline.events.iter().enumerate() {
        let text = moment(event.time_ns, event.round);
        let is_own_row = step == 0 || layout.rows[step] != layout.rows[step - 1];
        if is_own_row && shown.last().is_none_or(|(_, last)| *last != text) {
            shown.push((layout.y(step) + 4, text));
        }
    }
    html! {
        @for (y, text) in &shown { text.time x=(MARGIN - 8) y=(y) { (text) } }
    }
}

fn step(
    finding: &FindingRecord,
    timeline: &Timeline<'_>,
    layout: &DiagramLayout,
    step: usize,
) -> Markup {
    let event = &timeline.events[step];
    let (x, y) = (layout.x(event.node), layout.y(step));
    match event.kind {
        EventKind::Receive(..) => html! {},
        EventKind::Send(number, message) => arrow(timeline, layout, step, (number, message)),
        EventKind::Expose(data) => {
            let text = format!("{}[{}] = {}", data.key, data.state, data.value());
            html! {
                rect.expose x=(x - 4) y=(y - 4) width="8" height="8" {}
                (beside(layout, event.node, y, "expose", &text))
            }
        }
        EventKind::Preempt(preemption) => {
            let text = format!("thread {} for {}", preemption.to, preemption.from);
            html! {
                circle.fault cx=(x) cy=(y) r="5" {}
                (beside(layout, event.node, y, "fault", &text))
            }
        }
        EventKind::Fault(fault) => html! {
            path.fault d={ "M" (x) " " (y - 7) "l7 7l-7 7l-7 -7z" } {}
            (beside(layout, event.node, y, "fault", &fault.what))
        },
        EventKind::Finding => html! {
            path.finding d={ "M" (x - 6) " " (y - 6) "l12 12m0 -12l-12 12" } {}
            (beside(layout, event.node, y, "finding", &finding.title()))
        },
    }
}

/// A text beside the line of a node, on the side where there is more room.
fn beside(layout: &DiagramLayout, node: usize, y: usize, class: &str, text: &str) -> Markup {
    let x = layout.x(node);
    let (right, left) = (layout.width - x - 16, x - MARGIN);
    let chars = |room: usize| room * 10 / CHAR_TENTHS;
    // A text that fits on the right stands there.
    let is_right = right >= left || text.chars().count() <= chars(right);
    let (at, room) = if is_right { (x + 12, right) } else { (x - 12, left) };
    html! {
        text class=(class) x=(at) y=(y + 4) text-anchor=[(!is_right).then_some("end")] {
            (cut(text, chars(room)))
        }
    }
}

/// A message from its sender to its receiver, or to the place where it is lost.
fn arrow(
    timeline: &Timeline<'_>,
    layout: &DiagramLayout,
    step: usize,
    (number, message): (usize, &MessageRecord),
) -> Markup {
    let from = timeline.events[step].node;
    let receipt = timeline.events.iter().skip(step).position(
        |event| matches!(event.kind, EventKind::Receive(received, _) if received == number),
    );
    let to = timeline.nodes.iter().position(|node| *node == message.to).unwrap_or(from);
    let (x1, y1) = (layout.x(from), layout.y(step));
    let end = layout.x(to);
    let is_right = end >= x1;
    // Half of the way if it is not seen to arrive.
    let (x2, y2) = match receipt {
        Some(behind) => (end, layout.y(step + behind)),
        None => ((x1 + end) / 2, y1),
    };
    let room = end.abs_diff(x1).saturating_sub(28) * 10 / CHAR_TENTHS;
    let head = |x: usize| if is_right { x - 1 } else { x + 1 };
    let back: isize = if is_right { -8 } else { 8 };
    let class = match (receipt, message.received) {
        (None, false) => "message lost",
        _ => "message",
    };
    // A message that goes down in steps has its text at its beginning.
    let label_x = if is_right { x1 + 14 } else { x1 - 14 };
    html! {
        line class=(class) x1=(x1) y1=(y1) x2=(x2) y2=(y2) {}
        @if class == "message" {
            path.head d={ "M" (head(x2)) " " (y2) "l" (back) " -4v8z" } {}
        } @else {
            path.cross d={ "M" (x2 - 5) " " (y2 - 5) "l10 10m0 -10l-10 10" } {}
        }
        text.label x=(label_x) y=(y1 - 4) text-anchor=[(!is_right).then_some("end")] {
            (label(message, room))
        }
    }
}

/// What a message says, in so many characters.
fn label(message: &MessageRecord, chars: usize) -> String {
    let MessageRecord { kind, size, bytes: content, .. } = message;
    let words = kind.strip_suffix(" data").unwrap_or(kind);
    if *size == 0 {
        return cut(words, chars);
    }
    let about = format!("{words} {}", bytes(*size).replace(" bytes", " B").replace(" byte", " B"));
    if let Some(words) = &message.words {
        return cut(&words.line(), chars);
    }
    let room = chars.saturating_sub(about.chars().count() + 1);
    if room < 6 { cut(&about, chars) } else { format!("{about} {}", short(content, *size, room)) }
}
