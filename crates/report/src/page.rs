//! [`report_html`]: a run as one page of HTML, which needs neither a network nor other files.
//!
//! The page can be read without its script, as one long text. The script shows it part by part, moves through
//! it by keys, and keeps the place in the fragment of the address, so that a link names a finding or a step.
//!
//! Invariant: nothing of a program becomes markup. All text goes through [`maud`], which escapes it; the
//! [policy](policy) of the page allows its own script and style sheet alone, and [`visible`] replaces
//! characters that would be invisible or turn the direction of what follows.
//!
//! The page has a size that it does not exceed by much ([`budget`]): what is left out is said, with the file
//! that has it.
//!
//! Pages that a local server shows are made of the same parts: a run that goes on ([`live_html`]), and a
//! world to walk in ([`world_html`]).

mod budget;
mod charts;
mod context;
mod coverage;
mod diagram;
mod finding;
mod gates;
mod live;
mod policy;
mod run;
mod steps;
mod triage;
mod values;
mod world;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::finding::source::SourceLines;
use crate::number::{count_of, percent};
use crate::record::{RecordedSources, RunRecord};
use budget::PageBudget;
use context::PageContext;
use coverage::ShownSources;
pub use live::{LiveState, live_html};
use policy::{SCRIPT, STYLE};
pub use world::{WorldEnd, WorldEntry, WorldLinks, WorldOption, WorldValue, WorldView, world_html};

/// The page. `now` gives the lines of source files that the folder does not have.
pub fn report_html(record: &RunRecord, now: &dyn SourceLines) -> String {
    let look =
        PageLook { title: &title(record), style: STYLE, script: SCRIPT, policy: policy::saved() };
    document(&look, &body(record, now, &html! {}))
}

fn title(record: &RunRecord) -> String {
    format!("{} - Everett", record.summary.program)
}

/// The contents of the page, with a notice at its beginning.
fn body(record: &RunRecord, now: &dyn SourceLines, notice: &Markup) -> Markup {
    let sources = RecordedSources::new(record, now);
    let mut budget = PageBudget::new(record.summary.findings.len());
    let shown = ShownSources::choose(record, &sources, &mut budget);
    let page = PageContext { record, sources, shown };
    html! {
        (notice)
        (head(&page))
        main {
            (triage::section(&page))
            @for finding in page.findings() {
                (finding::section(&page, finding, &mut budget))
            }
            (coverage::section(&page, &mut budget))
            (run::section(&page))
        }
        aside id="now" aria-live="polite" {}
        (help(&KEYS))
    }
}

/// The keys of the page.
const KEYS: [(&str, &str); 6] = [
    ("j, k", "next and previous finding in the triage, step in a finding"),
    ("Enter", "opens the finding"),
    ("← →, n, p", "previous and next finding"),
    ("t, c, r", "triage, coverage, run"),
    ("Escape", "leaves the step"),
    ("?", "shows this; Escape closes it"),
];

/// What pages differ in beside their contents.
struct PageLook<'a> {
    title: &'a str,
    style: &'a str,
    script: &'a str,
    policy: String,
}

/// A page as a whole.
fn document(look: &PageLook<'_>, body: &Markup) -> String {
    let document = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(look.policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (look.title) }
                style { (PreEscaped(look.style)) }
            }
            body {
                (body)
                script { (PreEscaped(look.script)) }
            }
        }
    };
    visible(document.into_string())
}

fn head(page: &PageContext<'_>) -> Markup {
    let summary = &page.record.summary;
    let found = summary.findings.len() as u64;
    let covered = percent(summary.coverage.covered, summary.coverage.total);
    html! {
        header {
            h1 { (summary.program) }
            p.outcome { (outcome(page.record)) }
            nav {
                a href="#triage" { "Triage" }
                @if let Some(first) = summary.findings.first() {
                    a href={ "#finding-" (first.id) } data-page="finding" { (count_of(found, "finding")) }
                }
                a href="#coverage" { "Coverage " span.faint { (covered) } }
                a href="#run" { "Run" }
            }
        }
    }
}

/// The end of the run in a sentence.
fn outcome(record: &RunRecord) -> String {
    let summary = &record.summary;
    let found = match summary.findings.len() as u64 {
        0 => "no findings".to_owned(),
        count => count_of(count, "finding"),
    };
    let how = match (&*summary.outcome, &summary.limit) {
        ("exhausted", _) => "everything was explored".to_owned(),
        ("limit", Some(limit)) => format!("not everything was explored: {limit}"),
        ("limit", None) => "not everything was explored".to_owned(),
        ("stopped", _) => "stopped on request".to_owned(),
        ("running", _) => "the run was not over when this page was made".to_owned(),
        ("failed", _) => "an internal error ended the run".to_owned(),
        (other, _) => other.to_owned(),
    };
    format!("{found}; {how}")
}

fn help(keys: &[(&str, &str)]) -> Markup {
    html! {
        dialog id="help" {
            h2 { "Keys" }
            table {
                @for (key, what) in keys {
                    tr { th scope="row" { (key) } td { (what) } }
                }
            }
        }
    }
}

/// A text without characters that cannot be seen: controls of terminals, and those that turn the direction of
/// what comes behind them.
fn visible(text: String) -> String {
    let is_hidden = |c: char| {
        let is_control = c.is_control() && !matches!(c, '\n' | '\t');
        let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        // Noncharacters, which no document may have.
        is_control
            || turns
            || matches!(c, '\u{fdd0}'..='\u{fdef}')
            || u32::from(c) & 0xfffe == 0xfffe
    };
    if !text.contains(is_hidden) {
        return text;
    }
    text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
        match u32::from(c) {
            _ if !is_hidden(c) => out.push(c),
            control @ 0..0x20 => out.extend(char::from_u32(0x2400 + control)),
            0x7f => out.push('\u{2421}'),
            number => out.push_str(&format!("\u{27e8}U+{number:04X}\u{27e9}")),
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::finding::source::NoSources;
    use crate::record::RunFiles;

    /// A finding with as much as one can have.
    fn large_finding(id: u32) -> Value {
        let place = |line: u32| {
            let file = format!("src/deep/{}.c", line % 7);
            json!({ "function": "handle_request", "file": file, "line": line, "column": 9 })
        };
        // A run with that many findings has smaller ones.
        let (messages, bytes) = if id > 100 { (30, 16) } else { (200, 256) };
        let stack: Vec<Value> = (1..=64).map(place).collect();
        let node = |name: &str| {
            let inputs = [json!({ "name": "request", "hex": "41".repeat(64) })];
            json!({ "name": name, "status": "waits in recvfrom", "stack": stack, "inputs": inputs })
        };
        let message = |number: u64| {
            json!({
                "time_ns": number, "round": 0, "from": "client", "to": "server", "kind": "udp data",
                "source": "10.0.0.2:40000", "destination": "10.0.0.1:7000", "size": 1024,
                "bytes": "c3".repeat(bytes), "received": true, "received_ns": number,
                "received_round": 1,
            })
        };
        json!({
            "id": id, "kind": "assert", "message": "assertion failed: ".to_owned() + &"x".repeat(200),
            "node": "server", "file": "src/deep/1.c", "line": 1, "function": "f", "count": 3, "stack": stack,
            "inputs": [], "output": "line\n".repeat(2000), "world": [node("server"), node("client")],
            "messages": (0..messages).map(message).collect::<Vec<_>>(), "test": "tests/test000001.ktest",
        })
    }

    #[test]
    fn page_of_a_large_run_is_not_too_large() {
        let lines: String = (0..2_500).map(|line| format!("  call(&state, {line});\n")).collect();
        let sources: Value =
            (0..40).map(|file| (format!("src/deep/{file}.c"), json!(lines))).collect();
        let function = |at: u32| {
            let file = format!("src/deep/{}.c", at % 40);
            let covered: Vec<u32> = (at * 10..at * 10 + 9).collect();
            json!({
                "function": format!("function_{at}"), "file": file, "line": at * 10,
                "covered": 40, "total": 50,
                "lines_covered": covered, "lines_missed": [at * 10 + 9],
            })
        };
        let coverage = json!({ "functions": (0..4000).map(function).collect::<Vec<_>>() });
        for findings in [1, 100, 700] {
            let all: Vec<Value> = (1..=findings).map(large_finding).collect();
            let summary =
                json!({ "outcome": "limit", "tests": 10_000, "nodes": 2, "findings": all });
            let files = RunFiles {
                summary: summary.to_string(),
                coverage: Some(coverage.to_string()),
                sources: Some(sources.to_string()),
                ..RunFiles::default()
            };
            let record = RunRecord::read(&files).unwrap();
            let page = report_html(&record, &NoSources);
            assert!(page.len() <= 5_000_000, "{findings} findings: {} bytes", page.len());
            assert_eq!(page.contains("earlier steps"), findings > 1, "{findings} findings");
        }
    }

    #[test]
    fn characters_that_cannot_be_seen_are_shown() {
        let text = |text: &str| visible(text.to_owned());
        assert_eq!(text("a\tb\nü 🦀"), "a\tb\nü 🦀");
        assert_eq!(text("\u{1b}[31m\0\u{7f}"), "␛[31m␀␡");
        assert_eq!(text("a\u{202e}b\u{9b}"), "a⟨U+202E⟩b⟨U+009B⟩");
    }
}
