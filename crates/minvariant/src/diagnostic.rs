//! Problems of a program: their kinds, their places, and advice about them.
//!
//! A [`Diagnostic`] is a [`DiagnosticKind`] with its place; [`Diagnostics`] are all of a program in the
//! order of their places, up to a limit.

pub(crate) mod kind;
pub(crate) mod source;
pub(crate) mod suggest;

use std::fmt;

use crate::diagnostic::kind::DiagnosticKind;
use crate::diagnostic::source::{SourceExcerpt, SourceLocation, SourceSpan, SourceTexts};

/// Problems that are kept; the others are only counted.
const DIAGNOSTICS_MAX: usize = 20;

/// One problem of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of the problem.
    pub problem: DiagnosticKind,
    /// The place of the problem in the source.
    pub place: SourceExcerpt,
    /// Advice on what to do about it, where there is any.
    pub help: Option<String>,
    /// Another place that has to do with it, and what is there.
    pub related: Option<(String, SourceExcerpt)>,
}

impl Diagnostic {
    /// Returns the place of the problem.
    pub fn location(&self) -> &SourceLocation {
        &self.place.location
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Diagnostic { problem, place, help, related } = self;
        write!(f, "{}: {problem}\n{place}", place.location)?;
        if let Some((what, place)) = related {
            write!(f, "\n  {}: {what}\n{place}", place.location)?;
        }
        if let Some(help) = help {
            write!(f, "\n  help: {help}")?;
        }
        Ok(())
    }
}

/// The problems of a program; there is at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    more: usize,
}

impl Diagnostics {
    /// The problems, in the order of their places.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// Returns the number of problems, including those that were too many to keep.
    pub fn count(&self) -> usize {
        self.list.len() + self.more
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.list.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n\n" };
            write!(f, "{separator}{diagnostic}")?;
        }
        match self.more {
            0 => Ok(()),
            more => write!(f, "\n\n... and {more} more"),
        }
    }
}

impl std::error::Error for Diagnostics {}

/// A problem that is not shown yet.
#[derive(Debug)]
pub(crate) struct PendingDiagnostic {
    pub(crate) problem: DiagnosticKind,
    pub(crate) span: SourceSpan,
    help: Option<String>,
    related: Option<(String, SourceSpan)>,
}

impl PendingDiagnostic {
    pub(crate) fn help(&mut self, help: impl Into<String>) {
        self.help = Some(help.into());
    }

    /// "did you mean", where there is something near.
    pub(crate) fn meant(&mut self, nearest: Option<&str>) {
        if let Some(name) = nearest {
            self.help(format!("did you mean `{name}`?"));
        }
    }

    pub(crate) fn related(&mut self, what: impl Into<String>, span: SourceSpan) {
        self.related = Some((what.into(), span));
    }
}

/// Problems as they are found.
#[derive(Debug, Default)]
pub(crate) struct PendingDiagnostics {
    list: Vec<PendingDiagnostic>,
}

impl PendingDiagnostics {
    pub(crate) fn add(
        &mut self,
        span: SourceSpan,
        problem: DiagnosticKind,
    ) -> &mut PendingDiagnostic {
        let report = PendingDiagnostic { problem, span, help: None, related: None };
        self.list.push(report);
        self.list.last_mut().expect("one was added")
    }

    pub(crate) fn count(&self) -> usize {
        self.list.len()
    }

    /// The one that was added last.
    pub(crate) fn last(&mut self) -> &mut PendingDiagnostic {
        self.list.last_mut().expect("there is one")
    }

    /// Forgets what was reported since there were `count`.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.list.truncate(count);
    }

    /// All of them in order, each place once; none if there were none.
    pub(crate) fn finish(mut self, sources: &SourceTexts) -> Result<(), Diagnostics> {
        if self.list.is_empty() {
            return Ok(());
        }
        self.list.sort_by_key(|report| report.span);
        self.list.dedup_by(|a, b| a.span == b.span && a.problem == b.problem);
        let more = self.list.len().saturating_sub(DIAGNOSTICS_MAX);
        self.list.truncate(DIAGNOSTICS_MAX);
        let list = self.list.into_iter().map(|report| Diagnostic {
            problem: report.problem,
            place: sources.place(report.span),
            help: report.help,
            related: report.related.map(|(what, span)| (what, sources.place(span))),
        });
        Err(Diagnostics { list: list.collect(), more })
    }
}
