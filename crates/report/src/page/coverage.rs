//! The part of the page about coverage: files, functions, and source with what was executed.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};

use super::budget::PageBudget;
use super::context::PageContext;
use crate::finding::source::SourceLines;
use crate::number::{grouped, percent};
use crate::record::{CountRecord, FunctionRecord, PlaceRecord, RunRecord};

/// So few files are shown open.
const OPEN_FILES: usize = 2;
/// Files that are listed.
const FILES_MAX: usize = 1000;

/// Bytes of a line on the page: markup, and characters that are escaped.
fn room(line: &str) -> usize {
    line.len() + 24 + 4 * line.matches(['<', '>', '&', '"']).count()
}

/// The source files that the page has.
pub(super) struct ShownSources<'a> {
    /// The number and the lines of each file.
    files: BTreeMap<String, (usize, Vec<String>)>,
    /// Lines that findings name, with the findings that happened there.
    named: BTreeMap<(&'a str, u32), BTreeSet<u32>>,
}

impl<'a> ShownSources<'a> {
    /// Chooses as many files as there is room for: those of findings first, then those with most coverage.
    pub(super) fn choose(
        record: &'a RunRecord,
        sources: &dyn SourceLines,
        budget: &mut PageBudget,
    ) -> ShownSources<'a> {
        let mut files = BTreeMap::new();
        for (number, name) in (1..).zip(record.source_files()) {
            let lines: Vec<String> = (1..).map_while(|line| sources.line(&name, line)).collect();
            let bytes: usize = lines.iter().map(|line| room(line)).sum();
            if !lines.is_empty() && budget.take_source(bytes) {
                files.insert(name, (number, lines));
            }
        }
        let mut named: BTreeMap<(&str, u32), BTreeSet<u32>> = BTreeMap::new();
        for finding in &record.summary.findings {
            let blamed = finding.place();
            for place in finding.places() {
                let (Some(file), Some(line)) = (place.file.as_deref(), place.line) else {
                    continue;
                };
                let findings = named.entry((file, line)).or_default();
                if blamed.line == Some(line) && blamed.file.as_deref() == Some(file) {
                    findings.insert(finding.id);
                }
            }
        }
        ShownSources { files, named }
    }

    /// A place, as a link to its line if the page has it.
    pub(super) fn link(&self, place: &PlaceRecord) -> Markup {
        let text = place.text();
        let (file, line) = (place.file.as_deref().unwrap_or_default(), place.line.unwrap_or(0));
        match self.files.get(file).filter(|_| self.named.contains_key(&(file, line))) {
            Some((number, lines)) if line as usize <= lines.len() => {
                html! { a.place href={ "#file-" (number) "-line-" (line) } { (text) } }
            }
            _ => html! { span.place { (text) } },
        }
    }
}

/// The lines around a place.
pub(super) fn excerpt(page: &PageContext<'_>, place: &PlaceRecord, around: u32) -> Markup {
    let (Some(file), Some(line)) = (place.file.as_deref(), place.line) else { return html! {} };
    let first = line.saturating_sub(around).max(1);
    let lines = (first..=line + around).filter_map(|at| Some((at, page.sources.line(file, at)?)));
    let lines: Vec<(u32, String)> = lines.collect();
    if lines.is_empty() {
        return html! { p { (page.shown.link(place)) " in " (place.function) } };
    }
    html! {
        figure.excerpt {
            figcaption { (page.shown.link(place)) " in " span.function { (place.function) } }
            pre {
                @for (at, text) in &lines {
                    span class=[(*at == line).then_some("here")] {
                        (format!("{at:5} ")) (super::values::cut(text.trim_end(), 160)) "\n"
                    }
                }
            }
        }
    }
}

/// The coverage of a file.
#[derive(Default)]
struct FileCoverage<'a> {
    functions: Vec<&'a FunctionRecord>,
    instructions: CountRecord,
    /// Lines with whether they were executed.
    lines: BTreeMap<u32, bool>,
}

fn files(record: &RunRecord) -> BTreeMap<&str, FileCoverage<'_>> {
    let mut files: BTreeMap<&str, FileCoverage<'_>> = BTreeMap::new();
    for function in &record.coverage.functions {
        let file = files.entry(function.file.as_deref().unwrap_or_default()).or_default();
        file.instructions.covered += function.covered;
        file.instructions.total += function.total;
        for (lines, executed) in [(&function.lines_covered, true), (&function.lines_missed, false)]
        {
            lines.iter().for_each(|line| *file.lines.entry(*line).or_default() |= executed);
        }
        file.functions.push(function);
    }
    files
}

pub(super) fn section(page: &PageContext<'_>, budget: &mut PageBudget) -> Markup {
    let files = files(page.record);
    let CountRecord { covered, total } = page.record.summary.coverage;
    html! {
        section id="coverage" data-page="coverage" {
            h2 { "Coverage" }
            @if files.is_empty() {
                p.calm { "This folder has no coverage: the run was not over." }
            } @else {
                p {
                    (percent(covered, total))
                    " of the instructions of the program's own code were executed on some path: "
                    (grouped(covered)) " of " (grouped(total)) "."
                }
            }
            @for (name, file) in files.iter().take(FILES_MAX) {
                (self::file(page, name, file, files.len() <= OPEN_FILES, budget))
            }
            @if files.len() > FILES_MAX {
                p.faint { (files.len() - FILES_MAX) " more files in " code { "coverage.json" } }
            }
        }
    }
}

fn file(
    page: &PageContext<'_>,
    name: &str,
    file: &FileCoverage<'_>,
    is_open: bool,
    budget: &mut PageBudget,
) -> Markup {
    let executed = file.lines.values().filter(|executed| **executed).count() as u64;
    let lines = file.lines.len() as u64;
    let shown = page.shown.files.get(name);
    let title = if name.is_empty() { "(no debug information)" } else { name };
    html! {
        details.file open[is_open] id=[shown.map(|(number, _)| format!("file-{number}"))] {
            summary {
                (bar(executed, lines)) " " span.share { (percent(executed, lines)) } " "
                strong.place { (title) }
                span.faint { " " (grouped(executed)) " of " (grouped(lines)) " lines" }
            }
            (functions(file, budget))
            @match shown {
                Some((number, text)) => (source(page, name, *number, text, &file.lines)),
                None if name.is_empty() => {},
                None => p.faint { "The source is not on this page: it was not there, or has no room." },
            }
        }
    }
}

fn functions(file: &FileCoverage<'_>, budget: &mut PageBudget) -> Markup {
    let shown = budget.take_functions(file.functions.len());
    html! {
        table {
            thead { tr { th { "function" } th.number { "line" } th { "" } th.number { "instructions" } } }
            tbody {
                @for function in file.functions.iter().take(shown) {
                    tr class=[(function.covered == 0).then_some("missed")] {
                        th.mono scope="row" { (function.function) }
                        td.number { @if let Some(line) = function.line { (line) } }
                        td { (bar(function.covered, function.total)) }
                        td.number { (grouped(function.covered)) " of " (grouped(function.total)) }
                    }
                }
            }
        }
        @if file.functions.len() > shown {
            p.faint { (file.functions.len() - shown) " more functions in " code { "coverage.json" } }
        }
    }
}

/// A share as a bar.
fn bar(part: u64, whole: u64) -> Markup {
    let width = (part * 60).checked_div(whole).unwrap_or(0);
    html! {
        svg.bar width="60" height="8" aria-hidden="true" {
            rect.all width="60" height="8" {}
            rect.part width=(width) height="8" {}
        }
    }
}

/// The lines of a file. The style sheet numbers them.
fn source(
    page: &PageContext<'_>,
    name: &str,
    number: usize,
    text: &[String],
    lines: &BTreeMap<u32, bool>,
) -> Markup {
    html! {
        pre.source {
            @for (line, text) in (1..).zip(text) {
                @let class = match lines.get(&line) { Some(true) => "y", Some(false) => "n", None => "-" };
                @let named = page.shown.named.get(&(name, line));
                span class=(class) id=[named.map(|_| format!("file-{number}-line-{line}"))] {
                    (text)
                    @for id in named.into_iter().flatten().take(4) {
                        (page.link(*id, &format!(" ← finding {id}")))
                    }
                    "\n"
                }
            }
        }
    }
}
