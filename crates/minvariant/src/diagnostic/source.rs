//! Source texts, and places in them.
//!
//! [`SourceTexts`] holds the files of a program; a [`SourceSpan`] names a piece of one of them in twelve
//! bytes, and becomes a [`SourceExcerpt`] when it has to be shown.

use std::fmt;
use std::sync::Arc;

/// Characters of a source line that are shown, at most.
const SHOWN_CHARS: usize = 120;

/// A place in a source text, as people write it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceLocation {
    /// Name of the file, as it was given.
    pub file: Arc<str>,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A location together with its source line, ready to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceExcerpt {
    /// The file, line and column.
    pub location: SourceLocation,
    /// The source line; of a very long one, the part around the place.
    pub line: String,
    /// The number of characters of `line` before the place.
    pub indent: usize,
    /// The number of characters of `line` that belong to the place, at least one.
    pub width: usize,
}

impl fmt::Display for SourceExcerpt {
    /// The source line with its number, and carets under the place.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.location.line.to_string();
        let margin = " ".repeat(number.len());
        writeln!(f, "  {number} | {}", self.line.trim_end())?;
        write!(f, "  {margin} | {}{}", " ".repeat(self.indent), "^".repeat(self.width))
    }
}

/// A piece of one of the sources, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SourceSpan {
    pub(crate) file: u32,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl SourceSpan {
    /// From the beginning of `self` to the end of `last`.
    pub(crate) fn to(self, last: SourceSpan) -> SourceSpan {
        SourceSpan { end: self.end.max(last.end), ..self }
    }

    /// The empty piece behind this one.
    pub(crate) fn after(self) -> SourceSpan {
        SourceSpan { start: self.end, ..self }
    }
}

/// One source text.
#[derive(Debug)]
pub(crate) struct SourceText {
    pub(crate) name: Arc<str>,
    pub(crate) text: Arc<str>,
    line_starts: Vec<u32>,
}

/// The source texts of a program.
#[derive(Debug, Default)]
pub(crate) struct SourceTexts(Vec<SourceText>);

impl SourceTexts {
    /// Adds a text and returns its number.
    pub(crate) fn add(&mut self, name: &str, text: &str) -> u32 {
        let ends = text.match_indices('\n').map(|(at, _)| at as u32 + 1);
        let line_starts = std::iter::once(0).chain(ends).collect();
        self.0.push(SourceText { name: name.into(), text: text.into(), line_starts });
        self.0.len() as u32 - 1
    }

    pub(crate) fn get(&self, file: u32) -> &SourceText {
        &self.0[file as usize]
    }

    /// The text of the file with a name.
    pub(crate) fn find(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|source| &*source.name == name).map(|source| &*source.text)
    }

    /// Returns the place at which a span begins.
    pub(crate) fn location(&self, span: SourceSpan) -> SourceLocation {
        let source = self.get(span.file);
        let (line, start, _) = source.line_at(span.start);
        let before = &source.text[start..span.start as usize];
        SourceLocation {
            file: source.name.clone(),
            line: line as u32 + 1,
            column: before.chars().count() as u32 + 1,
        }
    }

    /// Returns the place at which a span begins, with its line.
    pub(crate) fn place(&self, span: SourceSpan) -> SourceExcerpt {
        let source = self.get(span.file);
        let (_, start, end) = source.line_at(span.start);
        let location = self.location(span);
        let before = location.column as usize - 1;
        let inside = &source.text[span.start as usize..(span.end as usize).min(end)];
        let plain = |c: char| if c.is_control() { ' ' } else { c };
        let shown: Vec<char> = source.text[start..end].chars().map(plain).collect();
        let from = if shown.len() <= SHOWN_CHARS { 0 } else { before.saturating_sub(40) };
        let line: String = shown.iter().skip(from).take(SHOWN_CHARS).collect();
        let indent = before - from;
        let room = line.chars().count().saturating_sub(indent).max(1);
        let width = inside.chars().count().clamp(1, room);
        SourceExcerpt { location, line, indent, width }
    }
}

impl SourceText {
    /// Number of the line with the byte `at`, where it starts, and where it ends.
    fn line_at(&self, at: u32) -> (usize, usize, usize) {
        let line = self.line_starts.partition_point(|&start| start <= at) - 1;
        let start = self.line_starts[line] as usize;
        let length = self.text[start..].find('\n').unwrap_or(self.text.len() - start);
        (line, start, start + length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, start: u32, end: u32) -> String {
        let mut sources = SourceTexts::default();
        let file = sources.add("a.minv", text);
        let place = sources.place(SourceSpan { file, start, end });
        format!("{}\n{place}", place.location)
    }

    #[test]
    fn carets_stand_under_the_piece() {
        assert_eq!(
            shown("one\n\ttwö three\n", 10, 15),
            "a.minv:2:6\n  2 |  twö three\n    |      ^^^^^"
        );
    }

    #[test]
    fn piece_behind_the_end_has_one_caret() {
        assert_eq!(shown("one", 3, 3), "a.minv:1:4\n  1 | one\n    |    ^");
        assert_eq!(shown("", 0, 0), "a.minv:1:1\n  1 | \n    | ^");
    }

    #[test]
    fn long_line_is_cut_around_the_place() {
        let text = "a".repeat(500);
        let place = shown(&text, 300, 500);
        assert!(place.starts_with("a.minv:1:301\n"));
        assert!(place.lines().all(|line| line.len() < 140), "{place}");
    }
}
