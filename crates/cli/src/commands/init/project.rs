//! [`Project`]: what the folder of a project holds, as far as `everett init` has to know it.
//!
//! Sources are not parsed: functions are recognised by the way in which they are usually written, and what is
//! written otherwise is not seen. The compiler has the last word, when what was written is built.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use everett_input::files::read_text;

/// Folders that hold no sources of the project, or those of tests.
const SKIPPED: [&str; 8] =
    ["everett", "build", "target", "test", "tests", "examples", "third_party", "node_modules"];
/// Folders below each other, and files, that are looked at at most.
const DEPTH_MAX: usize = 4;
const FILES_MAX: usize = 2000;

/// What the folder of a project holds.
#[derive(Debug, Default)]
pub(super) struct Project {
    pub(super) build: BuildKind,
    /// By name.
    pub(super) sources: Vec<SourceFile>,
    /// There is a folder with headers.
    pub(super) has_include: bool,
}

/// How the project is built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum BuildKind {
    /// By a configure script, and then by make.
    Configure,
    /// By make.
    Make,
    /// In a way that we do not know.
    #[default]
    Unknown,
}

/// A source file in C.
#[derive(Clone, Debug)]
pub(super) struct SourceFile {
    /// From the folder of the project.
    pub(super) name: String,
    pub(super) functions: Vec<CFunction>,
    /// Words of the program that say what it uses.
    pub(super) uses: ProgramUses,
}

/// What the functions of a file call.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ProgramUses {
    pub(super) arguments: bool,
    pub(super) stdin: bool,
    pub(super) serves: bool,
    pub(super) connects: bool,
}

/// A function that a file defines.
#[derive(Clone, Debug)]
pub(super) struct CFunction {
    pub(super) name: String,
    /// Everything before the body.
    pub(super) declaration: String,
    /// It takes bytes and their number, and other files can call it.
    pub(super) takes_bytes: bool,
}

impl SourceFile {
    pub(super) fn has_main(&self) -> bool {
        self.functions.iter().any(|function| function.name == "main")
    }

    /// Its name without folders and ending.
    pub(super) fn stem(&self) -> String {
        let stem = Path::new(&self.name).file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    }
}

impl Project {
    /// Looks at a folder.
    pub(super) fn look(folder: &Path) -> Result<Project> {
        let mut names = Vec::new();
        sources_below(folder, PathBuf::new(), 0, &mut names)?;
        names.sort();
        let sources = names.into_iter().filter_map(|name| {
            // What is no text is no source.
            let text = read_text(&folder.join(&name)).ok()?;
            let plain = without_comments(&text);
            let calls = |name: &str| plain.contains(&format!("{name}("));
            let uses = ProgramUses {
                arguments: plain.contains("argv[") || calls("getopt") || calls("getopt_long"),
                stdin: plain.contains("stdin")
                    || calls("getchar")
                    || calls("scanf")
                    || plain.contains("STDIN_FILENO")
                    || plain.contains("read(0,"),
                serves: calls("bind"),
                connects: calls("connect") || calls("sendto"),
            };
            Some(SourceFile { name, functions: functions(&plain), uses })
        });
        let is_file = |name: &str| folder.join(name).is_file();
        let build = match () {
            () if is_file("configure") => BuildKind::Configure,
            () if ["Makefile", "makefile", "GNUmakefile"].iter().any(|name| is_file(name)) => {
                BuildKind::Make
            }
            () => BuildKind::Unknown,
        };
        let sources = sources.collect();
        Ok(Project { build, sources, has_include: folder.join("include").is_dir() })
    }
}

fn sources_below(root: &Path, below: PathBuf, depth: usize, names: &mut Vec<String>) -> Result<()> {
    let folder = root.join(&below);
    let entries =
        fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut entries: Vec<_> = entries.flatten().collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let Ok(kind) = entry.file_type() else { continue };
        let is_skipped = name.starts_with('.') || SKIPPED.contains(&name.as_str());
        if kind.is_dir() && !is_skipped && depth < DEPTH_MAX {
            sources_below(root, below.join(&name), depth + 1, names)?;
        } else if kind.is_file() && name.ends_with(".c") && names.len() < FILES_MAX {
            names.push(below.join(&name).to_string_lossy().into_owned());
        }
    }
    Ok(())
}

/// The text of a C file with spaces instead of comments, and without the contents of strings.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (skipped, shown) = match c {
            '/' if rest.starts_with("/*") => {
                (rest[2..].find("*/").map_or(rest.len(), |at| at + 4), " ")
            }
            '/' if rest.starts_with("//") => (rest.find('\n').unwrap_or(rest.len()), ""),
            '"' | '\'' => (literal(rest, c), if c == '"' { "\"\"" } else { "0" }),
            _ => {
                out.push(c);
                (c.len_utf8(), "")
            }
        };
        out.push_str(shown);
        rest = &rest[skipped..];
    }
    out
}

/// The bytes of a literal at the beginning of a text.
fn literal(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return at,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// The functions that a text without comments defines.
fn functions(text: &str) -> Vec<CFunction> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    let text: String = lines.flat_map(|line| [line, "\n"]).collect();
    let (mut depth, mut begin, mut found) = (0_usize, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '{' => {
                if depth == 0 {
                    found.extend(function(&text[begin..at]));
                }
                depth += 1;
            }
            '}' => {
                depth = depth.saturating_sub(1);
                begin = at + 1;
            }
            ';' if depth == 0 => begin = at + 1,
            _ => {}
        }
    }
    found
}

/// The function whose body begins behind this text, if it is one.
fn function(before_body: &str) -> Option<CFunction> {
    let declaration = before_body.split_whitespace().collect::<Vec<_>>().join(" ");
    let (head, parameters) = declaration.split_once('(')?;
    let parameters = parameters.strip_suffix(')')?;
    if head.contains('=') || parameters.contains(['(', ')']) {
        return None;
    }
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let head = head.trim_end();
    let at = head.rfind(|c| !is_of_name(c)).map_or(0, |at| at + 1);
    let (result, name) = head.split_at(at);
    if name.is_empty() || result.trim().is_empty() {
        return None;
    }
    let words: Vec<&str> =
        result.split(|c| !is_of_name(c)).filter(|word| !word.is_empty()).collect();
    let is_usual = |word: &&str| USUAL_RESULTS.contains(word);
    let takes_bytes = words.iter().all(is_usual)
        && match &parameters.split(',').map(str::trim).collect::<Vec<_>>()[..] {
            [bytes, size] => is_bytes(bytes) && is_size(size),
            _ => false,
        };
    Some(CFunction { name: name.to_owned(), declaration: declaration.clone(), takes_bytes })
}

/// Words of results that need no header of the project; `static` is not among them.
const USUAL_RESULTS: [&str; 15] = [
    "extern", "const", "void", "int", "bool", "char", "short", "long", "unsigned", "signed",
    "size_t", "ssize_t", "uint32_t", "int32_t", "double",
];
const BYTES: [&str; 6] = ["char", "unsigned char", "signed char", "uint8_t", "int8_t", "void"];
const SIZES: [&str; 10] = [
    "int",
    "unsigned",
    "unsigned int",
    "long",
    "unsigned long",
    "size_t",
    "ssize_t",
    "uint32_t",
    "int32_t",
    "uint16_t",
];

/// The type of a parameter that has a name: `const char *` of `const char *text`.
fn type_of(parameter: &str) -> (String, usize) {
    let stars = parameter.matches('*').count();
    let plain = parameter.replace('*', " ");
    let words = plain.split_whitespace().filter(|word| *word != "const");
    let mut words: Vec<&str> = words.collect();
    words.pop();
    (words.join(" "), stars)
}

fn is_bytes(parameter: &str) -> bool {
    let (name, stars) = type_of(parameter);
    stars == 1 && !parameter.contains('[') && BYTES.contains(&name.as_str())
}

fn is_size(parameter: &str) -> bool {
    let (name, stars) = type_of(parameter);
    stars == 0 && !parameter.contains('[') && SIZES.contains(&name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(String, bool)> {
        let functions = functions(&without_comments(text)).into_iter();
        functions.map(|function| (function.name, function.takes_bytes)).collect()
    }

    #[test]
    fn functions_are_seen_by_the_way_they_are_written() {
        let text = r#"
#include <stdio.h>
/* int commented(const char *a, int n) { } */
struct header { int a; };
static const char *names[] = {"main(void) {", "\"", };
int parse_header(const unsigned char *data, size_t size) // {
{
  if (data[0] == '{') { return 1; }
  return 0;
}
static int hidden(const char *data, int size) { return 0; }
void *of_pointer(void *data, unsigned int size) { return 0; }
struct header *other(const char *data, int size) { return 0; }
int three(const char *data, int size, int more) { return 0; }
int main(int argc, char **argv) { return 0; }
"#;
        let names: Vec<(String, bool)> = found(text);
        let expected = [
            ("parse_header", true),
            ("hidden", false),
            ("of_pointer", true),
            ("other", false),
            ("three", false),
            ("main", false),
        ];
        let expected = expected.map(|(name, takes)| (name.to_owned(), takes));
        assert_eq!(names, expected);
    }

    #[test]
    fn files_that_end_within_something_are_read() {
        for text in ["/*", "\"", "'", "int f(", "{", "}}", "int x = (", "\"\\", "// ü"] {
            assert_eq!(found(text), [], "{text}");
        }
    }
}
