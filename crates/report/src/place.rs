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

/// One line for each place, functions and places aligned.
pub(crate) fn stack_text(stack: &[SourcePlace], indent: &str, paint: PaintMode) -> String {
    let hidden = stack.len().saturating_sub(FRAMES_SHOWN);
    let (head, tail) = match hidden {
        0 => (stack.len(), 0),
        _ => (FRAMES_SHOWN / 2, FRAMES_SHOWN / 2),
    };
    let shown = || stack[..head].iter().chain(&stack[stack.len() - tail..]);
    let width = shown().map(|place| name(place).chars().count()).max().unwrap_or(0).min(32);
    let digits = stack.len().saturating_sub(1).to_string().len();
    let mut out = String::new();
    for (number, place) in stack.iter().enumerate() {
        if hidden > 0 && number == head {
            let _ = writeln!(out, "{indent}{}", paint.faint(&format!("... {hidden} more ...")));
        }
        if number >= head && number < stack.len() - tail {
            continue;
        }
        let (function, at) = (name(place), place_text(place));
        let inlined = if place.inlined { " (inlined)" } else { "" };
        let _ = writeln!(out, "{indent}#{number:<digits$} {function:width$}  {at}{inlined}");
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
        .assert_eq(&format!("stack\n{}", stack_text(&stack, "  ", PaintMode::Plain)));
    }

    #[test]
    fn deep_stack_is_shown_without_its_middle() {
        let stack = vec![place("f", "a.c", 3, 7); 8000];
        let text = stack_text(&stack, "", PaintMode::Plain);
        assert_eq!(text.lines().count(), FRAMES_SHOWN + 1);
        assert_eq!(text.lines().nth(20), Some("... 7960 more ..."));
        assert_eq!(text.lines().nth(21), Some("#7980 f  a.c:3:7"));
    }
}
