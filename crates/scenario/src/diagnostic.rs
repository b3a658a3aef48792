//! Problems of a scenario file, with their places: [`ScenarioErrors`].
//!
//! Each problem is shown as `file:line:column`, what is wrong, the line with a mark under the guilty
//! part, and what to do about it.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;

/// Problems beyond this many are counted only.
const SHOWN: usize = 20;
/// Characters of a line that are shown.
const WIDTH: usize = 100;

/// A part of the text of a scenario, as a range of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TextSpan {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl From<Range<usize>> for TextSpan {
    fn from(range: Range<usize>) -> TextSpan {
        TextSpan { start: range.start, end: range.end }
    }
}

/// One problem of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Diagnostic {
    span: TextSpan,
    message: String,
    help: Option<String>,
}

impl Diagnostic {
    pub(super) fn new(span: impl Into<TextSpan>, message: impl Into<String>) -> Diagnostic {
        Diagnostic { span: span.into(), message: message.into(), help: None }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }
}

/// Everything that is wrong with a scenario file, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioErrors {
    path: PathBuf,
    list: Vec<LocatedProblem>,
}

/// A problem with its line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct LocatedProblem {
    /// Line and column, both from 1; `None` if the file as a whole is meant.
    place: Option<(usize, usize)>,
    message: String,
    help: Option<String>,
    /// The line, and how much of it is before the mark and under it, in characters.
    excerpt: Option<(String, usize, usize)>,
}

impl std::error::Error for ScenarioErrors {}

impl ScenarioErrors {
    pub(super) fn new(path: &Path, text: &str, mut list: Vec<Diagnostic>) -> ScenarioErrors {
        list.sort_by_key(|each| (each.span.start, each.span.end));
        list.dedup();
        let list = list.into_iter().map(|each| LocatedProblem::new(text, each)).collect();
        ScenarioErrors { path: path.to_owned(), list }
    }

    pub(super) fn unreadable(path: &Path, error: &io::Error) -> ScenarioErrors {
        ScenarioErrors::about_file(path, format!("cannot be read: {error}"))
    }

    pub(super) fn not_text(path: &Path, error: &FromUtf8Error) -> ScenarioErrors {
        let at = error.utf8_error().valid_up_to();
        let lines = error.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count();
        ScenarioErrors::about_file(path, format!("is not UTF-8 text: see line {}", lines + 1))
    }

    fn about_file(path: &Path, message: String) -> ScenarioErrors {
        let located = LocatedProblem { place: None, message, help: None, excerpt: None };
        ScenarioErrors { path: path.to_owned(), list: vec![located] }
    }

    /// Returns the number of problems.
    pub fn count(&self) -> usize {
        self.list.len()
    }
}

impl LocatedProblem {
    fn new(text: &str, diagnostic: Diagnostic) -> LocatedProblem {
        let Diagnostic { span, message, help } = diagnostic;
        let start = boundary(text, span.start);
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let line = text[line_start..line_end].trim_end_matches('\r');
        let end = boundary(text, span.end).clamp(start, line_start.max(start).max(line_end));
        let before = text[line_start..start].chars().count();
        let marked = text[start..end].trim_end().chars().count().max(1);
        let number = text[..line_start].matches('\n').count() + 1;
        let excerpt = (!line.trim().is_empty()).then(|| excerpt(line, before, marked));
        LocatedProblem { place: Some((number, before + 1)), message, help, excerpt }
    }
}

/// The last boundary of a character at or before the offset.
fn boundary(text: &str, offset: usize) -> usize {
    let offset = offset.min(text.len());
    (0..=offset).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The part of a line around its mark, without characters that would move it.
fn excerpt(line: &str, before: usize, marked: usize) -> (String, usize, usize) {
    let skipped = (before + marked.min(WIDTH / 2)).saturating_sub(WIDTH).min(before);
    let plain = |character: char| if character.is_control() { ' ' } else { character };
    let shown: String = line.chars().skip(skipped).take(WIDTH).map(plain).collect();
    let before = before - skipped;
    (shown.trim_end().to_owned(), before, marked.min(WIDTH.saturating_sub(before)).max(1))
}

impl fmt::Display for ScenarioErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        for (index, located) in self.list.iter().take(SHOWN).enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            let LocatedProblem { place, message, help, excerpt } = located;
            match place {
                Some((line, column)) => write!(f, "{path}:{line}:{column}: {message}")?,
                None => write!(f, "{path} {message}")?,
            }
            if let Some((line, before, marked)) = excerpt {
                write!(f, "\n    {line}\n    {}{}", " ".repeat(*before), "^".repeat(*marked))?;
            }
            if let Some(help) = help {
                write!(f, "\n    help: {help}")?;
            }
        }
        match self.list.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            1 => write!(f, "\n1 more problem"),
            more => write!(f, "\n{more} more problems"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, span: Range<usize>) -> String {
        let errors =
            ScenarioErrors::new(Path::new("x.toml"), text, vec![Diagnostic::new(span, "bad")]);
        errors.to_string()
    }

    #[test]
    fn columns_count_characters_and_tabs_keep_the_mark_in_place() {
        assert_eq!(
            shown("a = 1\n\tä = \"ß\"\n", 12..16),
            "x.toml:2:6: bad\n     ä = \"ß\"\n         ^^^"
        );
    }

    #[test]
    fn marks_end_with_their_line() {
        assert_eq!(shown("[a\nb]\n", 0..5), "x.toml:1:1: bad\n    [a\n    ^^");
        assert_eq!(shown("", 0..0), "x.toml:1:1: bad");
        assert_eq!(shown("a", 99..120), "x.toml:1:2: bad\n    a\n     ^");
    }

    #[test]
    fn long_lines_are_cut_around_the_mark() {
        let text = format!("{} = 1", "k".repeat(300));
        let shown = shown(&text, 303..304);
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[0], "x.toml:1:304: bad");
        assert!(lines[1].ends_with("k = 1") && lines[1].len() <= WIDTH + 4, "{shown}");
        assert_eq!(lines[1].len(), lines[2].len(), "{shown}");
    }

    #[test]
    fn problems_are_in_the_order_of_the_file_and_many_are_counted() {
        let text = "x\n".repeat(30);
        let list = (0..30).rev().map(|line| Diagnostic::new(line * 2..line * 2 + 1, "bad"));
        let errors = ScenarioErrors::new(Path::new("x.toml"), &text, list.collect());
        let shown = errors.to_string();
        assert!(shown.starts_with("x.toml:1:1: bad\n    x\n    ^\nx.toml:2:1"), "{shown}");
        assert!(shown.ends_with("\n10 more problems"), "{shown}");
        assert_eq!(errors.count(), 30);
    }
}
