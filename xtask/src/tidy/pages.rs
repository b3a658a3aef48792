//! Rules about pages of text (`.md`): what they name and link to is there.
//!
//! A path in backticks is one of the workspace if it begins with a folder of the root. In it, words in upper
//! case such as `NAME`, and `*`, stand for any name. A function is looked for in the file that a page gives
//! for it: as a word, so that it may be a definition, a use, or the row of a table.

use std::fs;
use std::path::Path;

use super::problem::Problem;

/// The header of a table whose rows name functions and their files.
const WALK: &str = "| step | function | file |";

/// Checks one page; `file` is relative to `root`.
pub(super) fn check(root: &Path, file: &Path, text: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut in_walk = false;
    for (number, line) in (1..).zip(text.lines()) {
        in_walk = line == WALK || in_walk && line.starts_with('|');
        let missing = quoted(line).filter(|path| is_ours(root, path) && !root.join(path).exists());
        for path in missing.filter(|path| !is_pattern(path)) {
            problems.push(Problem::new(file, number, format!("there is no `{path}`")));
        }
        for link in links(line).filter(|link| is_broken(root, file, link)) {
            problems.push(Problem::new(file, number, format!("the link leads nowhere: {link}")));
        }
        let (names, files) = if in_walk { walk(line) } else { located(line) };
        for name in names.iter().filter(|name| !is_named_in(root, name, &files)) {
            let files = files.join(", ");
            problems.push(Problem::new(file, number, format!("`{name}` is not in {files}")));
        }
    }
    problems
}

/// The pieces of a line that stand in backticks.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// True for a path below a folder of the root.
fn is_ours(root: &Path, path: &str) -> bool {
    let folder = path.split_once('/').map_or("", |(folder, _)| folder);
    !folder.is_empty() && !path.contains(' ') && root.join(folder).is_dir()
}

/// True for a path with a part that stands for any name: `tests/systems/NAME`, `tests/testNNNNNN.ktest`.
fn is_pattern(path: &str) -> bool {
    let upper = |run: &[u8]| run.iter().all(u8::is_ascii_uppercase);
    path.contains('*') || path.as_bytes().windows(3).any(upper)
}

/// The targets of links in a line, but for those to other sites.
fn links(line: &str) -> impl Iterator<Item = &str> {
    let targets = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains("://"))
}

/// True for a link to a file or a heading that is not there.
fn is_broken(root: &Path, page: &Path, link: &str) -> bool {
    let (path, heading) = link.split_once('#').unwrap_or((link, ""));
    let target = match path {
        "" => root.join(page),
        path => root.join(page).with_file_name("").join(path),
    };
    if heading.is_empty() {
        return !target.exists();
    }
    let Ok(text) = fs::read_to_string(target) else { return true };
    let mut headings = text.lines().filter(|line| line.starts_with('#'));
    !headings.any(|line| anchor(line.trim_start_matches('#').trim()) == heading)
}

/// The name by which a link reaches a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || "-_ ".contains(*c));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The functions and the files of a row of a walk.
fn walk(line: &str) -> (Vec<&str>, Vec<&str>) {
    let cells: Vec<_> = line.trim_matches('|').split('|').collect();
    let [_, functions, files] = cells[..] else { return Default::default() };
    (quoted(functions).collect(), quoted(files).filter(|piece| piece.contains('/')).collect())
}

/// The name that a line gives a file for, as in "`Interp::split` in `crates/interp/src/interp.rs`".
fn located(line: &str) -> (Vec<&str>, Vec<&str>) {
    let pieces: Vec<_> = line.split('`').collect();
    let place = pieces.windows(3).enumerate().find(|(index, window)| {
        index % 2 == 1 && window[1] == " in " && window[2].ends_with(".rs")
    });
    place.map(|(_, window)| (vec![window[0]], vec![window[2]])).unwrap_or_default()
}

/// True if one of the files has the last part of a name as a word.
fn is_named_in(root: &Path, name: &str, files: &[&str]) -> bool {
    let word = name.rsplit("::").next().unwrap_or(name);
    let mut texts = files.iter().filter_map(|file| fs::read_to_string(root.join(file)).ok());
    texts
        .any(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|part| part == word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    fn messages(text: &str) -> Vec<String> {
        let problems = check(workspace::root(), Path::new("ARCHITECTURE.md"), text);
        problems.iter().map(Problem::to_string).collect()
    }

    #[test]
    fn path_of_a_missing_file_is_named() {
        assert_eq!(
            messages("see `crates/interp/src/lost.rs`"),
            ["ARCHITECTURE.md:1: there is no `crates/interp/src/lost.rs`"]
        );
        for path in ["crates/interp", "tests/systems/NAME", "runtime-c/port/*.c", "elsewhere/x.rs"]
        {
            assert!(messages(&format!("see `{path}`")).is_empty(), "{path}");
        }
    }

    #[test]
    fn link_to_a_missing_file_or_heading_is_named() {
        for link in ["docs/lost.md", "README.md#lost", "#lost"] {
            let expected = format!("ARCHITECTURE.md:1: the link leads nowhere: {link}");
            assert_eq!(messages(&format!("see [this]({link})")), [expected]);
        }
        for link in ["README.md", "CONTRIBUTING.md#add-a-system-call", "#words", "https://x.org/y"]
        {
            assert!(messages(&format!("see [this]({link})")).is_empty(), "{link}");
        }
    }

    #[test]
    fn function_that_is_not_in_its_file_is_named() {
        let file = "xtask/src/tidy/pages.rs";
        let walk =
            |name: &str| format!("{WALK}\n|---|---|---|\n| a step | `{name}` | `{file}` |\n");
        let lost = format!("`Problem::{}`", concat!("lo", "se"));
        let expected = format!("ARCHITECTURE.md:3: {lost} is not in {file}");
        assert_eq!(messages(&walk(lost.trim_matches('`'))), [expected]);
        assert!(messages(&walk("Problem::new")).is_empty());
        assert_eq!(
            messages(&format!("{lost} in `{file}`")),
            [format!("ARCHITECTURE.md:1: {lost} is not in {file}")]
        );
        assert!(messages(&format!("`is_ours` in `{file}`")).is_empty());
    }
}
