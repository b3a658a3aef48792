//! The part of the page about one finding.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::budget::PageBudget;
use super::context::PageContext;
use super::coverage::excerpt;
use super::diagram;
use super::steps;
use super::values::{dump, value};
use crate::number::{bytes, combinations_of_data, count_of};
use crate::record::{FindingRecord, InputRecord, NodeRecord, ObjectRecord, PlaceRecord, Timeline};

/// Characters of the program's output; the last ones.
const OUTPUT_CHARS_MAX: usize = 2048;
/// Inputs that are shown of a node.
const INPUTS_MAX: usize = 24;

pub(super) fn section(
    page: &PageContext<'_>,
    finding: &FindingRecord,
    budget: &mut PageBudget,
) -> Markup {
    let mut frames = budget.frames();
    let mut timeline = Timeline::of(finding);
    let left_out = timeline.shorten(budget.steps());
    let has_steps = timeline.events.len() > 1 || timeline.nodes.len() > 1;
    html! {
        section id={ "finding-" (finding.id) } data-page="finding" {
            h2 { (finding.id) ". " span.kind { (finding.title()) } }
            p.message { (finding.message) }
            (facts(finding))
            (excerpt(page, &finding.place(), 3))
            @if has_steps { (diagram::figure(finding, &timeline)) }
            (violation(finding))
            (exposed(finding))
            h3 { "Stack" @if !finding.world.is_empty() { " of " (finding.node) } }
            (stack(page, &finding.stack, &mut frames))
            @for object in &finding.objects { (self::object(page, object, &mut frames)) }
            (inputs(&finding.inputs, finding.test.as_deref(), budget))
            (output(finding))
            (nodes(page, finding, &mut frames, budget))
            @if has_steps { (steps::table(finding, &timeline, left_out, budget)) }
        }
    }
}

/// How to run it again, and what else is known of it.
fn facts(finding: &FindingRecord) -> Markup {
    let seen = match &finding.violation {
        Some(_) => combinations_of_data(finding.count),
        None => count_of(finding.count, "path"),
    };
    html! {
        ul.facts {
            @if let Some(replay) = &finding.replay { li { code { (replay) } } }
            @else if let Some(test) = &finding.test { li { "test " code { (test) } } }
            @if finding.count > 1 { li { "seen on " (seen) } }
            @if finding.after_ignored > 0 {
                li.odd {
                    "behind " (count_of(finding.after_ignored.into(), "ignored finding"))
                    ": not exactly what the machine does from there on"
                }
            }
        }
    }
}

fn violation(finding: &FindingRecord) -> Markup {
    let Some(violation) = &finding.violation else { return html! {} };
    html! {
        h3 { "Invariant " (violation.invariant) }
        p {
            "defined at " span.place { (violation.file) ":" (violation.line) }
            @if violation.at_end { ", evaluated at the end of the world" }
            "; it was given"
        }
        table {
            thead { tr { th { "node" } th { "state" } th { "key" } th { "value" } th { "exposed at" } } }
            tbody {
                @for each in &violation.values {
                    tr {
                        th scope="row" { (each.node) }
                        td.number { (each.state) }
                        td { (each.key) }
                        td.mono { (each.value()) @if each.symbolic { (of_many()) } }
                        td.mono { (steps::moment(each.time_ns, Some(each.round))) }
                    }
                }
            }
        }
    }
}

/// The mark of a value that is one of several.
fn of_many() -> Markup {
    html! { abbr title="other inputs give other values" { " *" } }
}

/// The values that nodes have exposed, as they change.
pub(super) fn exposed(finding: &FindingRecord) -> Markup {
    if finding.exposed.is_empty() {
        return html! {};
    }
    let mut rows: BTreeMap<(&str, i64), BTreeMap<&str, Vec<String>>> = BTreeMap::new();
    for each in &finding.exposed {
        let row = rows.entry((&each.key, each.state)).or_default();
        let values = row.entry(&each.node).or_default();
        let text = each.value() + if each.symbolic { "*" } else { "" };
        if values.last() != Some(&text) {
            values.push(text);
        }
    }
    let nodes = finding.node_names();
    html! {
        h3 { "Exposed values" }
        div.scroll {
            table {
                thead { tr { th { "key" } th { "state" } @for node in &nodes { th { (node) } } } }
                tbody {
                    @for ((key, state), row) in &rows {
                        tr {
                            th scope="row" { (key) }
                            td.number { (state) }
                            @for node in &nodes {
                                td.mono { (row.get(node).map_or(String::new(), |values| values.join(" → "))) }
                            }
                        }
                    }
                }
            }
        }
        @if finding.exposed_omitted > 0 {
            p.faint { "without " (count_of(finding.exposed_omitted, "earlier value")) }
        }
    }
}

/// A stack with the line of each frame.
pub(super) fn stack(page: &PageContext<'_>, frames: &[PlaceRecord], left: &mut usize) -> Markup {
    let shown = frames.len().min(*left);
    *left -= shown;
    html! {
        ol.stack start="0" {
            @for frame in &frames[..shown] {
                li class=[is_library(frame).then_some("library")] {
                    span.function { (frame.function) }
                    " " (page.shown.link(frame))
                    @if frame.inlined { span.faint { " inlined" } }
                    @if let Some(line) = page.line(frame) { code { (line) } }
                }
            }
        }
        @if shown < frames.len() { p.faint { (count_of((frames.len() - shown) as u64, "more frame")) } }
    }
}

fn is_library(frame: &PlaceRecord) -> bool {
    frame.file.as_deref().is_none_or(|file| file.starts_with('<'))
}

fn object(page: &PageContext<'_>, object: &ObjectRecord, left: &mut usize) -> Markup {
    html! {
        h3 { (object.what) }
        p { (bytes(object.size)) " at " code { (format!("{:#x}", object.address)) } }
        @for (verb, places) in [("Allocated", &object.allocated), ("Freed", &object.freed)] {
            @if !places.is_empty() { h4 { (verb) } (stack(page, places, left)) }
        }
    }
}

fn inputs(inputs: &[InputRecord], test: Option<&str>, budget: &mut PageBudget) -> Markup {
    if inputs.is_empty() {
        return html! {};
    }
    let test = test.unwrap_or("the file of the finding");
    html! {
        h3 { "Inputs" }
        @for input in inputs.iter().take(INPUTS_MAX) {
            h4 {
                (input.name) span.faint { " " (count_of(input.bytes.len() as u64, "byte")) }
                @if matches!(input.bytes.len(), 1 | 2 | 4 | 8) { " = " span.mono { (value(&input.bytes)) } }
            }
            (dump(&input.bytes, input.bytes.len() as u64, test, budget))
        }
        @if inputs.len() > INPUTS_MAX {
            p.faint { (inputs.len() - INPUTS_MAX) " more in " code { (test) } }
        }
    }
}

fn output(finding: &FindingRecord) -> Markup {
    if finding.output.is_empty() {
        return html! {};
    }
    let count = finding.output.chars().count();
    let end: String = finding.output.chars().skip(count.saturating_sub(OUTPUT_CHARS_MAX)).collect();
    html! {
        h3 { "Output so far" }
        pre.output { @if count > OUTPUT_CHARS_MAX { "...\n" } (end) }
    }
}

/// What the other nodes were doing.
fn nodes(
    page: &PageContext<'_>,
    finding: &FindingRecord,
    left: &mut usize,
    budget: &mut PageBudget,
) -> Markup {
    if finding.world.is_empty() {
        return html! {};
    }
    html! {
        h3 { "Nodes" }
        @for node in &finding.world {
            @let NodeRecord { name, status, stack: frames, inputs: values, test } = node;
            @if *name == finding.node {
                p { strong { (name) } " " (status) }
            } @else {
                details {
                    summary { strong { (name) } " " (status) }
                    @if !frames.is_empty() { (stack(page, frames, left)) }
                    (inputs(values, test.as_deref(), budget))
                }
            }
        }
    }
}
