//! Places in the source, and stacks of them.

use std::fmt::Write;

use everett_engine::SourcePlace;

use crate::paint::PaintMode;

/// `file.c:12:3`, as much of it as is known.
pub fn place_text(place: &SourcePlace) -> String {
    let SourcePlace { function: _, file, line, column, inlined: _ } = place;
    match (file.as_str(), line, column) {
        ("", _, _) => "(no debug information)".to_owned(),
        (file, 0, _) => file.to_owned(),
        (file, line, 0) => format!("{file}:{line}"),
        (file, line, column) => format!("{file}:{line}:{column}"),
    }
}

/// The place and the function: `file.c:12:3 in parse`.
pub(crate) fn place_in_function(place: &SourcePlace) -> String {
    match (place.function.as_str(), place.file.as_str()) {
        ("", _) => place_text(place),
        (function, "") => format!("in {function}"),
        (function, _) => format!("{} in {function}", place_text(place)),
    }
}

/// Stacks deeper than this are shown without their middle.
const FRAMES_SHOWN: usize = 40;

/// The frames of a stack that its text has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FramesShown {
    /// Those of the program; frames of libraries are one line where the program has called them, and none
    /// where they have called it first.
    Own,
    /// All.
    All,
}

/// The way in which results become text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextStyle {
    /// Colours.
    pub paint: PaintMode,
    /// The frames of stacks.
    pub frames: FramesShown,
}

impl TextStyle {
    /// The frames of the program alone, without colours.
    pub const PLAIN: TextStyle = TextStyle { paint: PaintMode::Plain, frames: FramesShown::Own };
}

/// A line of the text of a stack: the frame of this number, with the frames behind it that it stands for.
struct StackLine<'s> {
    number: usize,
    place: &'s SourcePlace,
    folded: usize,
}

/// The lines of a stack, innermost first.
fn stack_lines(stack: &[SourcePlace], frames: FramesShown) -> Vec<StackLine<'_>> {
    let has_own = stack.iter().any(|place| !place.is_in_library());
    let line = |number, folded| StackLine { number, place: &stack[number], folded };
    if frames == FramesShown::All || !has_own {
        return (0..stack.len()).map(|number| line(number, 0)).collect();
    }
    let mut lines = Vec::new();
    let mut folded = 0;
    for (number, place) in stack.iter().enumerate() {
        match (place.is_in_library(), stack.get(number + 1)) {
            // Whatever has called the program first.
            (true, None) => {}
            (true, Some(caller)) if caller.is_in_library() => folded += 1,
            _ => lines.push(line(number, std::mem::take(&mut folded))),
        }
    }
    lines
}

/// One line for each place, functions and places aligned.
pub(crate) fn stack_text(stack: &[SourcePlace], indent: &str, style: TextStyle) -> String {
    let lines = stack_lines(stack, style.frames);
    let hidden = lines.len().saturating_sub(FRAMES_SHOWN);
    let (head, tail) = match hidden {
        0 => (lines.len(), 0),
        _ => (FRAMES_SHOWN / 2, FRAMES_SHOWN / 2),
    };
    let shown = || lines[..head].iter().chain(&lines[lines.len() - tail..]);
    let width = shown().map(|line| name(line.place).chars().count()).max().unwrap_or(0).min(32);
    let digits = lines.last().map_or(0, |line| line.number).to_string().len();
    let mut out = String::new();
    for (at, StackLine { number, place, folded }) in lines.iter().enumerate() {
        if hidden > 0 && at == head {
            let more = format!("... {hidden} more ...");
            let _ = writeln!(out, "{indent}{}", style.paint.faint(&more));
        }
        if at >= head && at < lines.len() - tail {
            continue;
        }
        let (function, at) = (name(place), place_text(place));
        let inlined = if place.inlined { " (inlined)" } else { "" };
        let inside = match folded {
            0 => String::new(),
            1 => format!(", #{} inside", number - 1),
            _ => format!(", #{} to #{} inside", number - folded, number - 1),
        };
        let _ =
            writeln!(out, "{indent}#{number:<digits$} {function:width$}  {at}{inlined}{inside}");
    }
    out
}

fn name(place: &SourcePlace) -> &str {
    if place.function.is_empty() { "?" } else { &place.function }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::samples::place;

    #[test]
    fn unknown_parts_of_a_place_are_left_out() {
        assert_eq!(place_text(&place("f", "a.c", 3, 7)), "a.c:3:7");
        assert_eq!(place_text(&place("f", "a.c", 3, 0)), "a.c:3");
        assert_eq!(place_text(&place("f", "a.c", 0, 0)), "a.c");
        assert_eq!(place_text(&place("f", "", 0, 0)), "(no debug information)");
        assert_eq!(place_in_function(&place("f", "", 0, 0)), "in f");
        assert_eq!(place_in_function(&place("", "a.c", 1, 0)), "a.c:1");
    }

    #[test]
    fn stack_is_aligned_and_says_what_was_inlined() {
        let mut stack = vec![place("copy", "a.c", 3, 7), place("main", "a.c", 30, 1)];
        stack[0].inlined = true;
        expect![[r#"
            stack
              #0 copy  a.c:3:7 (inlined)
              #1 main  a.c:30:1
        "#]]
        .assert_eq(&format!("stack\n{}", stack_text(&stack, "  ", TextStyle::PLAIN)));
    }

    #[test]
    fn frames_of_libraries_are_folded_unless_all_are_asked_for() {
        let library = |function: &str, file: &str| place(function, &format!("<musl>/{file}"), 9, 3);
        let stack = [
            library("memcpy", "memcpy.c"),
            library("fill", "stdio.c"),
            library("fputs", "stdio.c"),
            place("compare", "a.c", 3, 7),
            library("sift", "qsort.c"),
            library("qsort", "qsort.c"),
            place("main", "a.c", 30, 1),
            library("__everett_main", "start.c"),
        ];
        expect![[r#"
            stack
              #2 fputs    <musl>/stdio.c:9:3, #0 to #1 inside
              #3 compare  a.c:3:7
              #5 qsort    <musl>/qsort.c:9:3, #4 inside
              #6 main     a.c:30:1
        "#]]
        .assert_eq(&format!("stack\n{}", stack_text(&stack, "  ", TextStyle::PLAIN)));
        let all = TextStyle { frames: FramesShown::All, ..TextStyle::PLAIN };
        assert_eq!(stack_text(&stack, "", all).lines().count(), stack.len());
        // There is nothing else to show.
        assert_eq!(stack_text(&stack[..3], "", TextStyle::PLAIN).lines().count(), 3);
    }

    #[test]
    fn deep_stack_is_shown_without_its_middle() {
        let stack = vec![place("f", "a.c", 3, 7); 8000];
        let text = stack_text(&stack, "", TextStyle::PLAIN);
        assert_eq!(text.lines().count(), FRAMES_SHOWN + 1);
        assert_eq!(text.lines().nth(20), Some("... 7960 more ..."));
        assert_eq!(text.lines().nth(21), Some("#7980 f  a.c:3:7"));
    }
}
