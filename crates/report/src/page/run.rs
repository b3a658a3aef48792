//! The part of the page about the run itself: what it took, and how it went.

use std::time::Duration;

use maud::{Markup, html};

use super::charts::{Series, chart};
use super::context::PageContext;
use crate::number::{bytes, count_of, duration, grouped, percent, rate, share, time_share};
use crate::record::SummaryRecord;

pub(super) fn section(page: &PageContext<'_>) -> Markup {
    let summary = &page.record.summary;
    html! {
        section id="run" data-page="run" {
            h2 { "Run" }
            @if !page.record.command.is_empty() { p { code.command { (page.record.command) } } }
            (charts(page))
            h3 { "Figures" }
            table {
                tbody {
                    @for (name, text) in figures(summary) {
                        tr { th scope="row" { (name) } td { (text) } }
                    }
                }
            }
            (layers(summary))
        }
    }
}

fn charts(page: &PageContext<'_>) -> Markup {
    let samples = &page.record.progress;
    if samples.len() < 3 {
        return html! {
            p.faint { "The run was too short for figures over time: they are noted once a second." }
        };
    }
    let count = |value: f64| grouped(value as u64);
    let total = page.record.summary.coverage.total;
    let is_system = page.record.summary.nodes > 1;
    let all = [
        Series {
            title: if is_system { "worlds" } else { "ended paths" },
            value: |s| s.executions as f64,
            text: count,
            top: None,
        },
        Series { title: "live states", value: |s| s.states as f64, text: count, top: None },
        Series {
            title: "memory",
            value: |s| s.memory_bytes as f64,
            text: |value| bytes(value as u64),
            top: None,
        },
        Series {
            title: "covered instructions",
            value: |s| s.covered as f64,
            text: count,
            top: Some(total as f64),
        },
        Series { title: "queries", value: |s| s.queries as f64, text: count, top: None },
        Series { title: "instructions", value: |s| s.instructions as f64, text: count, top: None },
        Series { title: "forks", value: |s| s.forks as f64, text: count, top: None },
        Series { title: "findings", value: |s| s.findings as f64, text: count, top: None },
    ];
    html! {
        h3 { "Over time" }
        div.charts { @for series in &all { (chart(series, samples)) } }
    }
}

fn figures(of: &SummaryRecord) -> Vec<(&'static str, String)> {
    let wall = Duration::try_from_secs_f64(of.wall_seconds).unwrap_or_default();
    let solver = Duration::try_from_secs_f64(of.solver_seconds).unwrap_or_default();
    let mut rows =
        vec![("time", format!("{} with {}", duration(wall), count_of(of.workers, "worker")))];
    let speed = rate(of.instructions, wall).map_or(String::new(), |rate| format!(", {rate}"));
    rows.push(("instructions", format!("{}{speed}", grouped(of.instructions))));
    let mut paths = vec![format!("{} completed", grouped(of.paths))];
    for (count, what) in [
        (of.paths_failed, "ended in findings"),
        (of.paths_silent, "ended without a result"),
        (of.paths_cut, "ended with another node's"),
        (of.paths_ignored, "ended at ignored findings"),
    ] {
        paths.extend((count > 0).then(|| format!("{} {what}", grouped(count))));
    }
    rows.push(("paths", paths.join(", ")));
    if of.nodes > 1 {
        let worlds = match of.worlds {
            Some(count) => grouped(count),
            None => format!("at least {}", grouped(of.worlds_at_least)),
        };
        let mut text = vec![format!("{worlds} of {}", count_of(of.nodes, "node"))];
        for (count, what) in [(of.worlds_idle, "idle"), (of.worlds_horizon, "at the horizon")] {
            text.extend((count > 0).then(|| format!("{} {what}", grouped(count))));
        }
        rows.push(("worlds", text.join(", ")));
        rows.push(("messages", format!("{}, counted on each path", grouped(of.events_sent))));
        rows.push(("orders", orders(of)));
    }
    if let Some(estimate) = of.estimate {
        let total = estimate.total.round() as u64;
        rows.push((
            "explored",
            format!("{} of about {}", share(estimate.explored), grouped(total)),
        ));
    }
    if let Some(at) = of.unfinished_at_seconds {
        rows.push(("virtual time", format!("{at:.6} s when the run was ended")));
    }
    let (created, peak) = (grouped(of.states_created), grouped(of.states_peak));
    rows.push((
        "states",
        format!("{created}, at most {peak} at once; {}", count_of(of.forks, "fork")),
    ));
    rows.push(("symbolic inputs", grouped(of.symbolic_inputs)));
    let part = time_share(solver, wall, of.workers);
    rows.push(("solver", format!("{part} of the time; {} reached a backend", grouped(of.queries))));
    if of.peak_rss_bytes > 0 {
        rows.push(("memory", format!("{} at most", bytes(of.peak_rss_bytes))));
    }
    if let Some(invariants) = &of.invariants {
        let time = Duration::try_from_secs_f64(invariants.time_s).unwrap_or_default();
        let (all, bad) = (grouped(invariants.evaluations), grouped(invariants.violations));
        rows.push((
            "invariants",
            format!("{all} evaluations in {}, {bad} violated", duration(time)),
        ));
    }
    rows.push(("tests", grouped(of.tests)));
    rows
}

fn orders(of: &SummaryRecord) -> String {
    let orders = &of.orders;
    let mut text = vec![format!("of messages: {}", orders.budget)];
    text.extend((orders.late > 0).then(|| format!("up to {} late", orders.late)));
    text.extend(orders.preemptions.as_ref().map(|most| format!("of threads: {most}")));
    text.extend(
        (orders.redundant > 0).then(|| format!("{} redundant paths", grouped(orders.redundant))),
    );
    text.extend(orders.walks.map(|walks| count_of(walks, "walk")));
    text.join(", ")
}

fn layers(of: &SummaryRecord) -> Markup {
    if of.solver_layers.is_empty() {
        return html! {};
    }
    html! {
        h3 { "Solver" }
        table {
            thead { tr { th { "layer" } th.number { "asked" } th.number { "answered" } th.number { "" } } }
            tbody {
                @for each in &of.solver_layers {
                    tr {
                        th scope="row" { (each.layer) }
                        td.number { (grouped(each.asked)) }
                        td.number { (grouped(each.answered)) }
                        td.number { (percent(each.answered, each.asked)) }
                    }
                }
            }
        }
    }
}
