//! A finding as text: what, where, how it came to be, and with which inputs.

pub(crate) mod exposed;
pub(crate) mod input;
pub(crate) mod severed;
pub(crate) mod source;
pub(crate) mod value;
mod violation;
pub(crate) mod world;

use std::fmt::Write;

use everett_engine::{Finding, ObjectReport, SourcePlace};

use crate::number::{bytes, combinations_of_data, count_of};
use crate::paint::PaintMode;
use crate::place::{TextStyle, place_in_function, place_text, stack_text};
use exposed::exposed_text;
use input::inputs_text;
use source::{SourceLines, excerpt};
use violation::violation_text;
use world::{faults_text, messages_text, world_text};

/// Output of the program beyond this is cut at its beginning.
const OUTPUT_BYTES_MAX: usize = 2048;

/// The full text of a finding. `test` is the file of the test case that reproduces it.
pub fn finding_text(
    finding: &Finding,
    test: Option<&str>,
    sources: &dyn SourceLines,
    style: TextStyle,
) -> String {
    let paint = style.paint;
    let Finding { id, kind, message, node, stack, objects, inputs, output, count, .. } = finding;
    let several = !finding.world.is_empty();
    let everywhere = finding.violation.as_ref().is_some_and(|violation| violation.at_end);
    let title = match several && !everywhere {
        true => format!("finding {id}: {kind} on {node}"),
        false => format!("finding {id}: {kind}"),
    };
    let mut out = format!("{}: {}\n", paint.alarm(&title), paint.strong(message));
    if let Some(place) = blamed_place(stack) {
        let arrow = paint.frame("  -->");
        let _ = writeln!(out, "{arrow} {}", place_in_function(place));
        out.push_str(&excerpt(sources, &place.file, place.line, place.column, paint));
    }
    out.push_str(&section("invariant", &violation_text(finding), paint));
    out.push_str(&section("stack", &stack_text(stack, "    ", style), paint));
    for object in objects {
        out.push_str(&object_text(object, paint));
    }
    out.push_str(&section("inputs", &inputs_text(inputs, "    "), paint));
    out.push_str(&section("output so far", &output_text(output), paint));
    out.push_str(&section("faults", &faults_text(finding), paint));
    out.push_str(&section("world", &world_text(finding, style), paint));
    out.push_str(&section("exposed", &exposed_text(finding), paint));
    out.push_str(&section("messages", &messages_text(finding), paint));
    if finding.after_ignored > 0 {
        let ignored = count_of(finding.after_ignored.into(), "ignored finding");
        let what = "not exactly what the machine does from there on";
        let _ = writeln!(out, "  {} past {ignored}: {what}", paint.caution("the path went"));
    }
    if let Some(test) = test {
        let _ = writeln!(out, "  {} {test}", paint.strong("test"));
        if test.ends_with(".dtest") {
            let _ = writeln!(out, "  {} everett replay {test}", paint.strong("run it again"));
        }
    }
    if *count > 1 {
        let seen = match &finding.violation {
            Some(_) => combinations_of_data(*count),
            None => count_of(*count, "path"),
        };
        let _ = writeln!(out, "  {} {seen}", paint.strong("seen on"));
    }
    out
}

/// The place that is shown with its source line: the innermost one of the user's own code that has a
/// line, or of any code.
pub(crate) fn blamed_place(stack: &[SourcePlace]) -> Option<&SourcePlace> {
    let mut own = stack.iter().filter(|place| !place.is_in_library());
    own.find(|place| place.line > 0)
        .or_else(|| stack.iter().find(|place| place.line > 0))
        .or(stack.first())
}

fn section(title: &str, body: &str, paint: PaintMode) -> String {
    if body.is_empty() { String::new() } else { format!("  {}\n{body}", paint.strong(title)) }
}

fn object_text(object: &ObjectReport, paint: PaintMode) -> String {
    let ObjectReport { what, address, size, allocated, freed } = object;
    let label = paint.strong("object");
    let mut out = format!("  {label} {what}, {} at {address:#x}\n", bytes(*size));
    for (verb, places) in [("allocated", allocated), ("freed", freed)] {
        let Some((first, callers)) = places.split_first() else { continue };
        let _ = writeln!(out, "    {verb:9} at {}", place_in_function(first));
        for caller in callers {
            let _ = writeln!(out, "{:14}by {}", "", caller_text(caller));
        }
    }
    out
}

fn caller_text(caller: &SourcePlace) -> String {
    let name = if caller.function.is_empty() { "?" } else { &caller.function };
    format!("{name}, {}", place_text(caller))
}

fn output_text(output: &[u8]) -> String {
    let start = output.len().saturating_sub(OUTPUT_BYTES_MAX);
    let text = String::from_utf8_lossy(&output[start..]);
    let cut = if start > 0 { "    ...\n" } else { "" };
    text.lines().fold(cut.to_owned(), |mut out, line| {
        let line: String = line.chars().map(|c| if c.is_control() { '.' } else { c }).collect();
        let _ = writeln!(out, "    | {line}");
        out
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::finding::source::NoSources;
    use crate::samples::{out_of_bounds, place, use_after_free};

    #[test]
    fn finding_shows_source_stack_object_and_inputs() {
        let sources = |file: &str, line: u32| {
            (file == "src/request.c" && line == 18).then(|| "    *to++ = *from++;".to_owned())
        };
        let test = Some("everett-out/last/tests/test000003.ktest");
        expect![[r#"
            finding 1: out-of-bounds: write of 1 byte, 0 bytes behind the end of local variable 'request'
              --> src/request.c:18:11 in copy
                |
             18 | *to++ = *from++;
                |       ^
              stack
                #0 copy   src/request.c:18:11 (inlined)
                #1 parse  src/request.c:30:3
                #2 main   src/request.c:41:10
              object local variable 'request', 6 bytes at 0x40000010
                allocated at src/request.c:39:18 in main
              inputs
                bytes  8 bytes  53 80 00 00 00 00 00 00  |S.......|  = 32851
              output so far
                | parsing
                | .[31mred
              test everett-out/last/tests/test000003.ktest
              seen on 3 paths
        "#]]
        .assert_eq(&finding_text(&out_of_bounds(), test, &sources, TextStyle::PLAIN));
    }

    #[test]
    fn freed_object_says_where_it_was_freed_and_by_whom() {
        expect![[r#"
            finding 2: use-after-free: read of 4 bytes at offset 0 of a freed heap object
              --> list.c:50:9 in main
              stack
                #0 main  list.c:50:9
              object heap object, 1.0 MiB at 0x80000000
                allocated at list.c:10:12 in make
                          by main, list.c:44:3
                freed     at list.c:20:3 in drop
        "#]]
        .assert_eq(&finding_text(&use_after_free(), None, &NoSources, TextStyle::PLAIN));
    }

    #[test]
    fn place_without_debug_information_is_skipped_when_a_caller_has_some() {
        let stack = [place("strlen", "", 0, 0), place("main", "a.c", 3, 1)];
        assert_eq!(blamed_place(&stack), Some(&stack[1]));
        assert_eq!(blamed_place(&stack[..1]), Some(&stack[0]));
        let panics =
            [place("rust_panic", "library/std/src/panicking.rs", 891, 0), stack[1].clone()];
        assert_eq!(blamed_place(&panics), Some(&stack[1]));
    }
}
