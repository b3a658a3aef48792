//! The first part of the page: what was found, what was checked, and what was not.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::context::PageContext;
use super::values::cut;
use crate::number::{combinations_of_data, grouped};
use crate::record::{FindingRecord, InvariantRecord};

/// Findings of a kind at a place.
struct FindingGroup<'a> {
    kind: &'a str,
    place: String,
    findings: Vec<&'a FindingRecord>,
}

/// The findings by kind and place, in the order in which each group was first seen.
fn groups<'a>(findings: &'a [FindingRecord]) -> Vec<FindingGroup<'a>> {
    let mut groups: Vec<FindingGroup<'a>> = Vec::new();
    let mut known: BTreeMap<(&str, String), usize> = BTreeMap::new();
    for finding in findings {
        let place = finding.place().text_in_function();
        let at = *known.entry((&finding.kind, place.clone())).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.findings.push(finding),
            None => {
                groups.push(FindingGroup { kind: &finding.kind, place, findings: vec![finding] });
            }
        }
    }
    groups
}

pub(super) fn section(page: &PageContext<'_>) -> Markup {
    html! {
        section id="triage" data-page="triage" {
            h2 { "Triage" }
            (findings(page))
            (super::gates::section(page))
            (invariants(page))
            (faults(page))
            (not_explored(page))
            (ignored(page))
        }
    }
}

fn findings(page: &PageContext<'_>) -> Markup {
    let groups = groups(&page.record.summary.findings);
    if groups.is_empty() {
        return html! { p.calm { "No findings." } };
    }
    html! {
        h3 { "Findings" }
        @if page.findings().len() < page.record.summary.findings.len() {
            p {
                "The first " (page.findings().len()) " have parts of their own here; all are in "
                code { "findings/" }
            }
        }
        table.wide {
            thead { tr { th { "kind" } th { "place" } th { "finding" } th.number { "seen" } } }
            @for group in &groups {
                tbody {
                    @for (number, finding) in group.findings.iter().enumerate() {
                        tr.row {
                            @if number == 0 {
                                th scope="rowgroup" rowspan=(group.findings.len()) {
                                    span.kind { (group.kind) }
                                }
                                td.place rowspan=(group.findings.len()) { (group.place) }
                            }
                            td {
                                @let text = format!("{}. {}", finding.id, cut(&finding.message, 160));
                                (page.link(finding.id, &text))
                                @if !finding.world.is_empty() { span.faint { " on " (finding.node) } }
                            }
                            td.number { (grouped(finding.count)) }
                        }
                    }
                }
            }
        }
    }
}

/// What an invariant says about the system, given how it was evaluated.
fn verdict(of: &InvariantRecord) -> (&'static str, String) {
    match *of {
        InvariantRecord { violations: violations @ 1.., .. } => {
            ("bad", format!("violated by {}", combinations_of_data(violations)))
        }
        InvariantRecord { evaluations: 0, .. } => ("odd", "never evaluated".to_owned()),
        InvariantRecord { with_data: 0, .. } => {
            ("odd", "never given any data: no node has exposed what it looks at".to_owned())
        }
        _ => ("good", "holds".to_owned()),
    }
}

fn invariants(page: &PageContext<'_>) -> Markup {
    let Some(invariants) = &page.record.summary.invariants else { return html! {} };
    html! {
        h3 { "Invariants" }
        table.wide {
            thead {
                tr {
                    th { "invariant" } th { "" } th { "defined" }
                    th.number { "evaluated" } th.number { "with data" }
                }
            }
            tbody {
                @for each in &invariants.each {
                    @let (class, text) = verdict(each);
                    tr {
                        th scope="row" { (each.name) }
                        td class=(class) { (text) }
                        td.place { (each.file) ":" (each.line) }
                        td.number { (grouped(each.evaluations)) }
                        td.number { (grouped(each.with_data)) }
                    }
                }
            }
        }
        p.faint { "What is the same data to an invariant is evaluated once." }
    }
}

fn faults(page: &PageContext<'_>) -> Markup {
    let summary = &page.record.summary;
    let orders = &summary.orders;
    let no_threads = orders.preemptions.is_none() && orders.preemptions_allowed.is_some();
    if summary.faults.is_empty() && !no_threads {
        return html! {};
    }
    html! {
        h3 { "Faults and orders" }
        table.wide {
            thead {
                tr {
                    th { "kind" } th.number { "possible" } th.number { "happened" }
                    th.number { "paths that ended well" } th.number { "paths to findings" } th { "findings" }
                }
            }
            tbody {
                @for (kind, count) in &summary.faults {
                    tr {
                        th scope="row" { (kind) }
                        @if count.offered == 0 {
                            td.odd colspan="5" { "never possible: this says nothing about the system" }
                        } @else {
                            td.number { (grouped(count.offered)) }
                            td.number { (grouped(count.taken)) }
                            td.number { (grouped(count.paths)) }
                            td.number { (grouped(count.findings)) }
                            td { (links(page, &count.led_to)) }
                        }
                    }
                }
                @if no_threads {
                    tr { th scope="row" { "preemptions" } td.odd colspan="5" {
                        "never possible: no node had several threads"
                    } }
                }
            }
        }
    }
}

/// Links to findings, of which the first are named.
fn links(page: &PageContext<'_>, findings: &[u32]) -> Markup {
    const NAMED: usize = 12;
    html! {
        @for id in findings.iter().take(NAMED) { (page.link(*id, &id.to_string())) " " }
        @if findings.len() > NAMED { span.faint { "and " (findings.len() - NAMED) " more" } }
    }
}

fn not_explored(page: &PageContext<'_>) -> Markup {
    const NAMED: usize = 60;
    let dropped = &page.record.summary.dropped;
    if dropped.is_empty() {
        return html! {};
    }
    html! {
        h3 { "Not explored" }
        ul {
            @for each in dropped.iter().take(NAMED) {
                @let what = match &*each.what {
                    "" => format!("{} {}", each.count, each.reason),
                    what => what.to_owned(),
                };
                // A reason may have a place, which the words do not have.
                @let place = each.reason.split_once(" in ").map(|(_, place)| place);
                li {
                    (what)
                    @if let Some(place) = place.filter(|place| !what.contains(place)) {
                        span.place { " in " (place) }
                    }
                    @if let Some(advice) = &each.advice { span.faint { " (" (advice) ")" } }
                }
            }
            @if dropped.len() > NAMED {
                li.faint { (dropped.len() - NAMED) " more, in " code { "summary.json" } }
            }
        }
    }
}

fn ignored(page: &PageContext<'_>) -> Markup {
    let ignored = &page.record.summary.ignored;
    if ignored.is_empty() {
        return html! {};
    }
    html! {
        h3 { "Ignored" }
        table.wide {
            thead {
                tr {
                    th { "kind" } th { "place" }
                    th.number { "paths went on" } th.number { "paths ended" }
                }
            }
            tbody {
                @for each in ignored {
                    tr {
                        th scope="row" { (each.kind) }
                        td.place { (each.place.text_in_function()) }
                        td.number { (grouped(each.went_on)) }
                        td.number { (grouped(each.ended)) }
                    }
                }
            }
        }
    }
}
