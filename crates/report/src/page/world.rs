//! [`world_html`]: a world at one of its steps, as a page of a local server that walks in it.
//!
//! Links lead to other steps and worlds, and buttons ask for worlds in which something else happens. The
//! script of the page only presses its links by keys, and keeps it where it was scrolled to.

use everett_engine::{Finding, Input, NodeReport, SourcePlace, StoppedRun};
use maud::{Markup, html};

use super::budget::PageBudget;
use super::context::PageContext;
use super::coverage::{ShownSources, excerpt};
use super::steps::{self, moment};
use super::values::{short, value};
use super::{PageLook, diagram, document, finding, help, policy};
use crate::finding::source::SourceLines;
use crate::number::{count_of, grouped};
use crate::record::{
    EventKind, FindingRecord, RecordError, RecordedSources, RunFiles, RunRecord, Timeline,
    moment as record,
};

const STYLE: &str = concat!(include_str!("report.css"), include_str!("world.css"));
const SCRIPT: &str = include_str!("world.js");
/// Lines of source around the present one.
const LINES_AROUND: u32 = 9;
/// Characters of the output of a node; the last ones.
const OUTPUT_CHARS_MAX: usize = 4096;
/// Options that are shown of those that are not at the present step.
const OPTIONS_MAX: usize = 300;
const KEYS: [(&str, &str); 6] = [
    ("→ ←, j k", "step forward and back"),
    ("n, p", "next and previous message"),
    ("l, h", "next and previous step of this node"),
    ("Home, End", "beginning and end"),
    ("w", "the list of worlds"),
    ("?", "shows this; Escape closes it"),
];

/// A world at one of its steps.
#[derive(Debug)]
pub struct WorldView<'a> {
    /// The beginning of all addresses, without a slash at its end.
    pub base: &'a str,
    /// The test that the worlds are of.
    pub test: &'a str,
    /// All worlds that were run.
    pub worlds: &'a [WorldEntry],
    /// The number of the one that is shown.
    pub world: usize,
    /// The number of the step before which it is shown; that of all steps at its end.
    pub step: u64,
    /// The steps that there are.
    pub steps: u64,
    /// Later steps, which are not shown.
    pub steps_beyond: u64,
    /// Where to go from here.
    pub links: WorldLinks,
    /// What the nodes do.
    pub now: &'a StoppedRun,
    /// The line that comes next.
    pub place: Option<&'a SourcePlace>,
    /// The end, if it is shown.
    pub end: Option<WorldEnd<'a>>,
    /// For each message so far the step behind its sending.
    pub message_steps: &'a [u64],
    /// What else could happen.
    pub options: &'a [WorldOption],
    /// The reason why that is not known.
    pub no_options: Option<&'a str>,
    /// The inputs of the world.
    pub values: &'a [WorldValue],
    /// Something to know about the last request.
    pub notice: Option<&'a str>,
}

/// A world in the list of worlds.
#[derive(Clone, Debug)]
pub struct WorldEntry {
    /// What makes it another one.
    pub title: String,
    /// How it ends.
    pub outcome: String,
}

/// The numbers of other steps.
#[derive(Clone, Copy, Debug, Default)]
pub struct WorldLinks {
    /// The step before.
    pub back: Option<u64>,
    /// The next step.
    pub forward: Option<u64>,
    /// The step before at which fewer messages had been sent.
    pub message_back: Option<u64>,
    /// The next step at which more have been.
    pub message_forward: Option<u64>,
    /// The step before of the same node.
    pub node_back: Option<u64>,
    /// Its next step.
    pub node_forward: Option<u64>,
}

/// The end of a world.
#[derive(Clone, Copy, Debug)]
pub struct WorldEnd<'a> {
    /// How it ends, in words.
    pub outcome: &'a str,
    /// The finding that it ends in, or that it violates an invariant.
    pub finding: Option<&'a Finding>,
    /// The difference to the end that the test states.
    pub difference: Option<&'a str>,
}

/// Something that could happen instead.
#[derive(Clone, Debug)]
pub struct WorldOption {
    /// The node.
    pub node: String,
    /// Virtual time in nanoseconds.
    pub time_ns: u64,
    /// Round within that time, if it is known.
    pub round: Option<u32>,
    /// The kind of decision.
    pub kind: String,
    /// What happens.
    pub what: String,
    /// The place in the program.
    pub place: Option<SourcePlace>,
    /// It could happen at the present step.
    pub is_here: bool,
    /// The step at which it could.
    pub step: Option<u64>,
}

/// An input with its value.
#[derive(Clone, Debug)]
pub struct WorldValue {
    /// The node.
    pub node: String,
    /// Its name.
    pub name: String,
    /// The value.
    pub bytes: Vec<u8>,
}

/// The page.
///
/// # Errors
/// If the finding cannot be read back, which would be a mistake of this crate.
pub fn world_html(view: &WorldView<'_>, sources: &dyn SourceLines) -> Result<String, RecordError> {
    let run = RunRecord::read(&RunFiles { summary: "{}".to_owned(), ..RunFiles::default() })?;
    let mut budget = PageBudget::new(1);
    let lines = RecordedSources::new(&run, sources);
    let shown = ShownSources::choose(&run, &lines, &mut budget);
    let page = PageContext { record: &run, sources: lines, shown };
    let title = format!("step {} of {} - Everett", view.step, view.test);
    let policy = policy::served(STYLE, SCRIPT);
    let look = PageLook { title: &title, style: STYLE, script: SCRIPT, policy };
    let now = FindingRecord::of_moment(view.now);
    let finding = match view.end.and_then(|end| end.finding) {
        Some(finding) => Some(FindingRecord::of_finding(finding)?),
        None => None,
    };
    let body = html! {
        (head(view))
        (controls(view))
        main {
            @if let Some(notice) = view.notice { p.notice role="status" { (notice) } }
            @if let Some(end) = &view.end { (self::end(end)) }
            @else { (present(view, &page, &now, &mut budget)) }
            (options(view))
            @match &finding {
                Some(finding) => (finding::section(&page, finding, &mut budget)),
                None => (story(view, &page, &now, &mut budget)),
            }
            (values(view))
            (worlds(view))
        }
        (help(&KEYS))
    };
    Ok(document(&look, &body))
}

fn head(view: &WorldView<'_>) -> Markup {
    let entry = view.worlds.get(view.world);
    html! {
        header {
            h1 { (view.test) }
            p.outcome {
                a href="#worlds" data-key="w" { "world " (view.world + 1) " of " (view.worlds.len()) }
                @if let Some(entry) = entry { ": " (entry.title) " · " (entry.outcome) }
            }
        }
    }
}

/// The bar with the ways to go.
fn controls(view: &WorldView<'_>) -> Markup {
    let file = view.place.map_or(String::new(), |place| format!("{}:", short_file(&place.file)));
    let WorldLinks { back, forward, message_back, message_forward, node_back, node_forward } =
        view.links;
    let first = (view.step > 0).then_some(0);
    let last = (view.step < view.steps).then_some(view.steps);
    let way = |to: Option<u64>, key: &str, text: &str, title: &str| {
        html! {
            @match to {
                Some(step) => a.way href=(address(view, step)) data-key=(key) title=(title) { (text) },
                None => span.way.faint aria-disabled="true" { (text) },
            }
        }
    };
    html! {
        nav.walk aria-label="steps" {
            div.ways {
                (way(first, "Home", "start", "beginning"))
                (way(message_back, "p", "✉ ←", "previous message"))
                (way(node_back, "h", "node ←", "previous step of this node"))
                (way(back, "ArrowLeft k", "← back", "one step back"))
                span.position {
                    @if view.end.is_some() { "end" } @else { "step " (grouped(view.step)) }
                    " of " (grouped(view.steps))
                }
                (way(forward, "ArrowRight j", "forward →", "one step forward"))
                (way(node_forward, "l", "→ node", "next step of this node"))
                (way(message_forward, "n", "→ ✉", "next message"))
                (way(last, "End", "end", "end"))
            }
            form.line method="get" action={ (view.base) "/world/" (view.world) "/line" } {
                input type="hidden" name="from" value=(view.step);
                label { "to line "
                    input type="text" name="at" size="16" required="" placeholder="file.c:12" value=(file);
                }
                label { "on "
                    select name="node" {
                        option value="" { "any node" }
                        @for (number, node) in view.now.nodes.iter().enumerate() {
                            option value=(number) { (node.name) }
                        }
                    }
                }
                button type="submit" { "go" }
            }
            @if view.steps_beyond > 0 {
                p.odd { (count_of(view.steps_beyond, "later step")) " are not shown" }
            }
        }
    }
}

fn short_file(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

fn address(view: &WorldView<'_>, step: u64) -> String {
    format!("{}/world/{}/step/{step}", view.base, view.world)
}

fn end(end: &WorldEnd<'_>) -> Markup {
    html! {
        h2 { "The end of this world" }
        p.message { (end.outcome) }
        @if let Some(difference) = end.difference {
            p.odd { "The test states another end: " (difference) }
        }
    }
}

/// The node that runs, with its source, stack and variables.
fn present(
    view: &WorldView<'_>,
    page: &PageContext<'_>,
    now: &FindingRecord,
    budget: &mut PageBudget,
) -> Markup {
    let at = view.now.nodes.iter().position(|node| node.name == view.now.node).unwrap_or(0);
    let variables = view.now.variables.get(at).map_or(&[][..], |list| list);
    let place = view.place.map(record::place);
    let mut frames = budget.frames();
    html! {
        h2 { (view.now.node) span.faint { " at " (moment(view.now.at.0, Some(view.now.at.1))) } }
        @if let Some(place) = &place { (excerpt(page, place, LINES_AROUND)) }
        @if let Some(node) = now.world.get(at) {
            div.columns {
                div { h3 { "Stack" } (finding::stack(page, &node.stack, &mut frames)) }
                @if !variables.is_empty() { div { h3 { "Variables" } (self::variables(variables)) } }
            }
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

fn variables(of: &[Input]) -> Markup {
    html! {
        div.scroll {
            table {
                tbody {
                    @for Input { name, bytes } in of {
                        tr {
                            th scope="row" { (name) }
                            td.mono { (value(bytes)) }
                            td.mono.faint { (hex(&bytes[..bytes.len().min(16)])) }
                        }
                    }
                }
            }
        }
    }
}

/// What could happen instead: at the present step first.
fn options(view: &WorldView<'_>) -> Markup {
    let (here, elsewhere): (Vec<_>, Vec<_>) =
        view.options.iter().enumerate().partition(|(_, option)| option.is_here);
    let (shown, left_out) = elsewhere.split_at(elsewhere.len().min(OPTIONS_MAX));
    let others = count_of(elsewhere.len() as u64, "other side");
    html! {
        section.options {
            h3 { "What else could happen here" }
            @if let Some(why) = view.no_options {
                p.odd { "This is not known of this world: " (why) "." }
            } @else if here.is_empty() {
                p.faint { "No fault or order was possible at this step." }
            }
            ul { @for (number, option) in &here { (self::option(view, *number, option)) } }
            @if !elsewhere.is_empty() {
                details {
                    summary { (others) " of decisions elsewhere in this world" }
                    ul { @for (number, option) in shown { (self::option(view, *number, option)) } }
                    @if !left_out.is_empty() {
                        p.faint {
                            (count_of(left_out.len() as u64, "other one")) " at later steps: walk there"
                        }
                    }
                }
            }
        }
    }
}

fn option(view: &WorldView<'_>, number: usize, option: &WorldOption) -> Markup {
    let WorldOption { node, time_ns, round, kind, what, place, is_here, step } = option;
    html! {
        li {
            form method="post" action={ (view.base) "/world/" (view.world) "/option/" (number) } {
                input type="hidden" name="step" value=(step.unwrap_or(view.step));
                button type="submit" { "run" }
                " " span.fault { (kind) } " " strong { (node) } " " span { (what) }
                @if !is_here {
                    " " span.mono.faint { (moment(*time_ns, *round)) }
                    @if let Some(step) = step {
                        " " a href=(address(view, *step)) { "step " (grouped(*step)) }
                    }
                }
                @if let Some(place) = place {
                    " " span.place.faint { (record::place(place).text_in_function()) }
                }
            }
        }
    }
}

/// What has happened so far.
fn story(
    view: &WorldView<'_>,
    page: &PageContext<'_>,
    now: &FindingRecord,
    budget: &mut PageBudget,
) -> Markup {
    let mut timeline = Timeline::of(now);
    let left_out = timeline.shorten(budget.steps());
    let omitted = usize::try_from(now.messages_omitted).unwrap_or(usize::MAX);
    let link = |at: usize| match timeline.events[at].kind {
        EventKind::Send(number, _) => {
            match view.message_steps.get(number.saturating_add(omitted)) {
                Some(step) => address(view, *step),
                None => format!("#{}", steps::row_id(now, at)),
            }
        }
        EventKind::Receive(..)
        | EventKind::Expose(_)
        | EventKind::Finding
        | EventKind::Preempt(_)
        | EventKind::Fault(_) => format!("#{}", steps::row_id(now, at)),
    };
    html! {
        @if !timeline.events.is_empty() { (diagram::figure_with_links(now, &timeline, &link)) }
        (finding::exposed(now))
        (nodes(view, page, now, budget))
        @if !timeline.events.is_empty() { (steps::table(now, &timeline, left_out, budget)) }
    }
}

fn nodes(
    view: &WorldView<'_>,
    page: &PageContext<'_>,
    now: &FindingRecord,
    budget: &mut PageBudget,
) -> Markup {
    let mut frames = budget.frames();
    html! {
        h3 { "Nodes" }
        @for (at, NodeReport { name, status, .. }) in view.now.nodes.iter().enumerate() {
            @let node = now.world.get(at);
            @let variables = view.now.variables.get(at).map_or(&[][..], |list| list);
            @let is_running = view.end.is_none() && *name == view.now.node;
            details open[is_running] {
                summary { strong { (name) } " " (if is_running { "runs" } else { status }) }
                @if let Some(node) = node.filter(|node| !is_running && !node.stack.is_empty()) {
                    (finding::stack(page, &node.stack, &mut frames))
                    @if !variables.is_empty() { (self::variables(variables)) }
                }
                (output(view.now.outputs.get(at).map_or(&[][..], |bytes| bytes)))
            }
        }
    }
}

fn output(bytes: &[u8]) -> Markup {
    if bytes.is_empty() {
        return html! { p.faint { "no output" } };
    }
    let text = String::from_utf8_lossy(bytes);
    let count = text.chars().count();
    let end: String = text.chars().skip(count.saturating_sub(OUTPUT_CHARS_MAX)).collect();
    html! {
        h4 { "Output" @if count > OUTPUT_CHARS_MAX { span.faint { " its end" } } }
        pre.output { (end) }
    }
}

/// The inputs, each of which can have another value in another world.
fn values(view: &WorldView<'_>) -> Markup {
    if view.values.is_empty() {
        return html! {};
    }
    html! {
        section.values {
            h3 { "Inputs" }
            p.faint {
                "Another value makes another world. Bytes are hexadecimal digits; those that are left out "
                "are zero."
            }
            @for (number, WorldValue { node, name, bytes }) in view.values.iter().enumerate() {
                form method="post" action={ (view.base) "/world/" (view.world) "/input/" (number) } {
                    input type="hidden" name="step" value=(view.step);
                    @let hex = hex(bytes);
                    label {
                        strong { (node) } " " (name) " "
                        span.mono.faint { (short(bytes, bytes.len() as u64, 40)) } " "
                        input.hex type="text" name="hex" value=(hex) size=(hex.len().clamp(4, 48))
                            spellcheck="false";
                    }
                    " " button type="submit" { "run" }
                }
            }
        }
    }
}

fn worlds(view: &WorldView<'_>) -> Markup {
    html! {
        section id="worlds" {
            h3 { "Worlds" }
            ol.worlds {
                @for (number, WorldEntry { title, outcome }) in view.worlds.iter().enumerate() {
                    li {
                        @if number == view.world { strong { (title) } }
                        @else { a href={ (view.base) "/world/" (number) "/step/" (view.step) } { (title) } }
                        span.faint { " " (outcome) }
                    }
                }
            }
        }
    }
}
