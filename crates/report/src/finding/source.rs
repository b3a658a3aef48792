//! Lines of source, and the excerpt that a finding shows.

use std::fmt::Write;

use crate::paint::PaintMode;

/// A provider of the text of source lines.
pub trait SourceLines {
    /// A line, counted from 1, without its end; `None` if the file or the line is not there.
    fn line(&self, file: &str, line: u32) -> Option<String>;
}

/// No source is readable.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSources;

impl SourceLines for NoSources {
    fn line(&self, _file: &str, _line: u32) -> Option<String> {
        None
    }
}

impl<F: Fn(&str, u32) -> Option<String>> SourceLines for F {
    fn line(&self, file: &str, line: u32) -> Option<String> {
        self(file, line)
    }
}

/// Longer lines are cut: they are generated, and would hide the rest.
const LINE_CHARS_MAX: usize = 160;

/// The line with a caret under its column, framed; empty if there is no such line.
pub(crate) fn excerpt(
    sources: &dyn SourceLines,
    file: &str,
    line: u32,
    column: u32,
    paint: PaintMode,
) -> String {
    let Some(text) = (line > 0).then(|| sources.line(file, line)).flatten() else {
        return String::new();
    };
    // A tab is one column for the compiler; shown as one space, the caret stands where it should.
    let shown: String = text
        .chars()
        .take(LINE_CHARS_MAX)
        .map(|c| if c == '\t' || c.is_control() { ' ' } else { c })
        .collect();
    let shown = shown.trim_end();
    let indent = shown.len() - shown.trim_start().len();
    let number = line.to_string();
    let bar = paint.frame(&format!(" {:>width$} |", "", width = number.len()));
    let mut out = format!("{bar}\n{} {}\n", paint.frame(&format!(" {number} |")), &shown[indent..]);
    let at = (column as usize).wrapping_sub(1);
    // Columns count bytes, as clang's do.
    if column > 0
        && let Some(before) = shown.get(indent..at)
    {
        let spaces = before.chars().count();
        let _ = writeln!(out, "{bar} {:spaces$}{}", "", paint.alarm("^"));
    }
    out
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &'static str, column: u32, expected: Expect) {
        let sources = |_: &str, line: u32| (line == 12).then(|| text.to_owned());
        // A first line without indent keeps that of the others.
        let excerpt = excerpt(&sources, "a.c", 12, column, PaintMode::Plain);
        expected.assert_eq(&format!("excerpt\n{excerpt}"));
    }

    #[test]
    fn caret_stands_under_the_column() {
        check(
            "    buf[i] = 0;",
            12,
            expect![[r#"
                excerpt
                    |
                 12 | buf[i] = 0;
                    |        ^
            "#]],
        );
        check(
            "\t\"é\"[i] = 0;",
            9,
            expect![[r#"
                excerpt
                    |
                 12 | "é"[i] = 0;
                    |       ^
            "#]],
        );
    }

    #[test]
    fn column_that_is_unknown_or_beyond_the_line_has_no_caret() {
        for column in [0, 1, 99] {
            check(
                "  return x;",
                column,
                expect![[r#"
                    excerpt
                        |
                     12 | return x;
                "#]],
            );
        }
    }

    #[test]
    fn line_that_cannot_be_read_is_left_out() {
        assert_eq!(excerpt(&NoSources, "a.c", 12, 1, PaintMode::Plain), "");
        assert_eq!(excerpt(&|_: &str, _| Some("x".to_owned()), "a.c", 0, 1, PaintMode::Plain), "");
    }
}
