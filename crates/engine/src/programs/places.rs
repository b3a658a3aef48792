//! From program counters to places in the source.

use everett_interp::Stack;
use everett_ir::{LocId, Pc, Program};
use everett_memory::SiteId;

use crate::api::report::SourcePlace;
use crate::programs::names::readable;

/// The file of functions of libraries that have no debug information.
const LIBRARY: &str = "<library>";

/// Frames that a trace shows; a stack overflow has thousands, of which the ends are enough.
const MAX_FRAMES: usize = 64;

/// The places of a stack, innermost first, with calls that inlining removed.
pub(crate) fn stack(program: &Program, stack: &Stack) -> Vec<SourcePlace> {
    places(program, &shown_frames(stack))
}

/// Where the frames of a stack are that a trace shows, innermost first.
pub(crate) fn shown_frames(stack: &Stack) -> Vec<Pc> {
    let depth = stack.depth() as usize;
    let is_shown = |i: &usize| {
        let middle = MAX_FRAMES / 2..depth.saturating_sub(MAX_FRAMES / 2);
        depth <= MAX_FRAMES || !middle.contains(i)
    };
    let frames = stack.frames().enumerate().filter(|(i, _)| is_shown(i));
    frames.map(|(_, frame)| frame.pc).collect()
}

/// The places of the frames of a stack, with calls that inlining removed.
pub(crate) fn places(program: &Program, frames: &[Pc]) -> Vec<SourcePlace> {
    frames.iter().flat_map(|pc| op(program, *pc)).collect()
}

/// A stack without its detours: where a function comes back through recursion, what lies between
/// is left out. The same bug at another depth of a recursion is the same bug.
pub(crate) fn fold_recursion(stack: &[SourcePlace]) -> Vec<SourcePlace> {
    let mut folded: Vec<SourcePlace> = Vec::with_capacity(stack.len());
    for place in stack.iter().rev() {
        if let Some(before) = folded.iter().position(|known| known.function == place.function) {
            folded.truncate(before);
        }
        folded.push(place.clone());
    }
    folded
}

/// The place of an op, in words.
pub(crate) fn place(program: &Program, pc: Pc) -> String {
    op(program, pc).swap_remove(0).to_string()
}

/// The places of an op: its own, and where its function was inlined.
pub(crate) fn op(program: &Program, pc: Pc) -> Vec<SourcePlace> {
    let function = program.function_at(pc).map(|func| program.function(func));
    let name = function.map_or("?".into(), |function| readable(&function.name));
    let mut places = location(program, program.loc(pc));
    if places.is_empty()
        && let Some(function) = function
    {
        // What the compiler has made without a place is in its function at least.
        places = location(program, function.loc);
    }
    match places.last_mut() {
        None => {
            let is_library = function.is_some_and(|function| function.library);
            let file = if is_library { LIBRARY.to_owned() } else { String::new() };
            places.push(SourcePlace { file, ..unknown(&name) });
        }
        Some(outermost) if outermost.function.is_empty() => outermost.function = name.into_owned(),
        Some(_) => {}
    }
    places
}

/// The innermost place of a stack that is not in a library, or the innermost one.
pub(crate) fn own(stack: &[SourcePlace]) -> Option<&SourcePlace> {
    stack.iter().find(|place| !is_of_library(place)).or(stack.first())
}

/// Returns `true` for places in libraries, and in headers of the C++ library, which are compiled with
/// programs.
fn is_of_library(place: &SourcePlace) -> bool {
    place.is_in_library() || is_cxx_header(&place.file)
}

/// Returns `true` for a header of the host's libstdc++, as in `/usr/include/x86_64-linux-gnu/c++/12/bits`.
fn is_cxx_header(file: &str) -> bool {
    let below = file.strip_prefix("/usr/").and_then(|rest| rest.split_once("include/"));
    below.is_some_and(|(_, header)| header.starts_with("c++/") || header.contains("/c++/"))
}

/// The places of a site that memory recorded.
pub(crate) fn site(program: &Program, site: Option<SiteId>) -> Vec<SourcePlace> {
    site.map_or(Vec::new(), |site| op(program, site.0))
}

fn location(program: &Program, id: LocId) -> Vec<SourcePlace> {
    let mut places = Vec::new();
    let mut next = program.location(id);
    while let Some(location) = next {
        places.push(SourcePlace {
            function: program.name(location.function).to_owned(),
            file: program.files[location.file.index()].name.clone(),
            line: location.line,
            column: location.column,
            inlined: location.inlined_at.is_some(),
        });
        next = location.inlined_at.and_then(|id| program.location(id));
    }
    places
}

/// The place in a function of which nothing else is known.
pub(crate) fn unknown(function: &str) -> SourcePlace {
    SourcePlace {
        function: function.to_owned(),
        file: String::new(),
        line: 0,
        column: 0,
        inlined: false,
    }
}

impl std::fmt::Display for SourcePlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let SourcePlace { function, file, line, column: _, inlined } = self;
        write!(f, "{function}")?;
        if !file.is_empty() {
            write!(f, " at {file}:{line}")?;
        }
        if *inlined { write!(f, " (inlined)") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Folds a stack written innermost first, a letter a function and a digit a line.
    fn folded(text: &str) -> String {
        let letters: Vec<char> = text.chars().collect();
        let place = |pair: &[char]| SourcePlace {
            line: pair[1].to_digit(10).expect("a digit"),
            ..unknown(&pair[0].to_string())
        };
        let stack: Vec<SourcePlace> = letters.chunks(2).map(place).collect();
        let folded = fold_recursion(&stack);
        folded.iter().rev().map(|place| format!("{}{}", place.function, place.line)).collect()
    }

    #[test]
    fn recursion_of_any_depth_and_shape_folds_to_its_ends() {
        assert_eq!(folded("a9a1a1a1m1"), "a9m1");
        assert_eq!(folded("a9b2a1b2a1m1"), "a9m1");
        assert_eq!(folded("a9b2a1a3b2a1m1"), "a9m1");
        assert_eq!(folded("x5a1b2a1m1"), "x5a1m1");
    }

    #[test]
    fn own_places_are_not_those_of_libraries() {
        let is_library = |file: &str| {
            is_of_library(&SourcePlace { file: file.to_owned(), ..SourcePlace::default() })
        };
        let gcc = "/usr/lib/gcc/x86_64-linux-gnu/12/../../../../include";
        let headers = ["c++/12/future", "x86_64-linux-gnu/c++/12/bits/gthr-default.h"];
        for header in headers.map(|header| format!("{gcc}/{header}")) {
            assert!(is_library(&header), "{header}");
        }
        for file in ["<musl>/src/exit/abort.c", "/usr/include/c++/12/map", "library/std/src/rt.rs"]
        {
            assert!(is_library(file), "{file}");
        }
        for own in ["store.cpp", "/srv/c++/store.cpp", "/usr/src/include/store.h", ""] {
            assert!(!is_library(own), "{own}");
        }
    }

    #[test]
    fn different_stacks_stay_different() {
        assert_eq!(folded("x1a1b1m1"), "x1a1b1m1");
        assert_ne!(folded("a1b1m1"), folded("b1a1m1"));
        assert_ne!(folded("a1m1"), folded("a2m1"));
        assert_ne!(folded("a1m1"), folded("a1m2"));
    }
}
