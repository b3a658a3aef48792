//! [`PageContext`]: what the parts of a page share.

use maud::{Markup, html};

use super::budget::FINDINGS;
use super::coverage::ShownSources;
use crate::finding::source::SourceLines;
use crate::record::{FindingRecord, PlaceRecord, RecordedSources, RunRecord};

/// What the parts of a page share.
pub(super) struct PageContext<'a> {
    pub(super) record: &'a RunRecord,
    pub(super) sources: RecordedSources<'a>,
    /// The source files that the page has, with the lines that may be linked to.
    pub(super) shown: ShownSources<'a>,
}

impl PageContext<'_> {
    /// The findings that have parts of their own.
    pub(super) fn findings(&self) -> &[FindingRecord] {
        let findings = &self.record.summary.findings;
        &findings[..findings.len().min(FINDINGS)]
    }

    /// A text, as a link to the part of a finding if there is one.
    pub(super) fn link(&self, finding: u32, text: &str) -> Markup {
        match self.findings().iter().any(|shown| shown.id == finding) {
            true => html! { a href={ "#finding-" (finding) } { (text) } },
            false => html! { span { (text) } },
        }
    }

    /// The text of the line of a place.
    pub(super) fn line(&self, place: &PlaceRecord) -> Option<String> {
        let line = self.sources.line(place.file.as_deref()?, place.line?)?;
        let line = line.trim();
        (!line.is_empty()).then(|| super::values::cut(line, 120))
    }
}
