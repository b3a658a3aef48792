//! Rules that need no parsing: names and lengths of files, module docs, unfinished marks, machine paths.

use std::path::Path;

use super::problem::Problem;

/// Lines of a source file, at most.
const FILE_LINES: usize = 800;

/// Words that mark something as unfinished. Spelled in two halves, as this file is checked too.
const MARKS: [&str; 7] = [
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("X", "XX"),
    concat!("db", "g!("),
    concat!("to", "do!("),
    concat!("unimple", "mented!("),
    concat!("#[ig", "nore"),
];

/// Folders of the machines we work on, which mean nothing to anybody else.
const MACHINE_PATHS: [&str; 3] =
    [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/")];

/// The home of the user of the simulated machine, which is the same everywhere.
const SIMULATED: &str = concat!("/ho", "me/user");

/// Checks one file; `file` is relative to the root of the workspace.
pub(super) fn check(file: &Path, text: &str) -> Vec<Problem> {
    let extension = file.extension().and_then(|e| e.to_str()).unwrap_or("");
    let is_rust = extension == "rs";
    let is_code = is_rust || matches!(extension, "c" | "h" | "cpp" | "cc" | "hpp");
    let mut problems = Vec::new();

    let lines = text.lines().count();
    if is_code && lines > FILE_LINES {
        problems.push(Problem::new(file, 0, format!("{lines} lines; at most {FILE_LINES}")));
    }
    if file.ends_with("mod.rs") {
        let message = "a module with files below it is `name.rs` beside `name/`, not `name/mod.rs`";
        problems.push(Problem::new(file, 0, message));
    }
    // Programs to explore begin with their headers.
    let is_explored = file.starts_with("tests");
    if is_rust && !is_explored && !text.starts_with("//!") {
        problems.push(Problem::new(file, 1, "the module doc (`//! ...`) must come first"));
    }
    for (number, line) in (1..).zip(text.lines()) {
        if is_code && let Some(mark) = MARKS.iter().find(|mark| has_word(line, mark)) {
            problems.push(Problem::new(file, number, format!("unfinished: `{mark}`")));
        }
        let own = line.replace(SIMULATED, "");
        if let Some(path) = MACHINE_PATHS.iter().find(|path| has_word(&own, path)) {
            problems.push(Problem::new(file, number, format!("path of one machine: `{path}`")));
        }
    }
    problems
}

/// Whether `word` stands in `line` without being a part of a longer word.
fn has_word(line: &str, word: &str) -> bool {
    let glued = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let ends_open = word.ends_with(|c: char| c.is_alphanumeric());
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !(glued(before) || ends_open && glued(after))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(file: &str, text: &str) -> Vec<String> {
        check(Path::new(file), text).iter().map(Problem::to_string).collect()
    }

    #[test]
    fn module_without_doc_is_named() {
        assert_eq!(
            messages("a.rs", "use std::fmt;\n"),
            ["a.rs:1: the module doc (`//! ...`) must come first"]
        );
        assert!(messages("a.rs", "//! A.\n").is_empty());
        assert!(messages("a.c", "int x;\n").is_empty());
    }

    #[test]
    fn module_file_inside_its_folder_is_named() {
        assert_eq!(
            messages("src/a/mod.rs", "//! A.\n"),
            [
                "src/a/mod.rs: a module with files below it is `name.rs` beside `name/`, not `name/mod.rs`"
            ]
        );
        assert!(messages("src/a.rs", "//! A.\n").is_empty());
        assert!(messages("tests/a/main.rs", "//! A.\n").is_empty());
    }

    #[test]
    fn file_over_the_ceiling_is_named() {
        assert!(messages("a.c", &"int x;\n".repeat(800)).is_empty());
        assert_eq!(messages("a.h", &"int x;\n".repeat(801)), ["a.h: 801 lines; at most 800"]);
    }

    #[test]
    fn unfinished_marks_are_found_as_words_only() {
        for mark in MARKS {
            let text = format!("int x; // {mark} )]\n");
            assert_eq!(messages("a.c", &text), [format!("a.c:1: unfinished: `{mark}`")]);
            assert!(messages("a.c", &format!("int x; // a{mark}\n")).is_empty());
        }
        assert!(messages("a.c", &format!("mkstemp({}x);\n", MARKS[2].repeat(2))).is_empty());
    }

    #[test]
    fn machine_paths_are_found_in_any_file() {
        for path in MACHINE_PATHS {
            assert_eq!(messages("a.md", &format!("see {path}x")).len(), 1);
            assert!(messages("a.md", &format!("see net{path}x")).is_empty());
        }
    }
}
