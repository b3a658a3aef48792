//! Rules about the modules inside a crate: the layers of its rooms, and circles of files.
//!
//! A room is a module of the crate's root with all that is below it. Files of a room use the rooms
//! below it and their own. Whoever reads a file then knows which others can have a say in it; a circle
//! of files can only be understood as a whole.

mod graph;
mod references;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use graph::{ModuleFile, ModulePath, Modules, module_path};

use super::code::is_test_file;
use super::problem::Problem;

/// The rooms of crates that have layers, from the bottom to the top.
const ROOMS: [(&str, &[&str]); 2] = [
    (
        "crates/engine",
        &[
            "api",
            "programs",
            "state",
            "trojans",
            "primitives",
            "parallel",
            "results",
            "worlds",
            "explore",
            "engine",
            "job_results",
            "fault_search",
        ],
    ),
    (
        "crates/posix",
        &[
            "config", "calls", "state", "net", "signal", "kernel", "record", "boot", "fault",
            "sys", "schedule", "testing",
        ],
    ),
];

/// Files of a circle, at most.
const CIRCLE_FILES: usize = 5;

/// Checks the modules of all crates; files are relative to the root of the workspace.
pub(super) fn check(sources: &[(PathBuf, String)]) -> Vec<Problem> {
    let mut crates: BTreeMap<PathBuf, BTreeMap<ModulePath, ModuleFile>> = BTreeMap::new();
    for (file, text) in sources {
        let Some((folder, below)) = place(file) else { continue };
        // A file that cannot be parsed is told of elsewhere.
        let Ok(tokens) = text.parse() else { continue };
        let module = ModuleFile { file: file.clone(), references: references::read(tokens) };
        let files = crates.entry(folder).or_default();
        // Of a library with a program of its own, the library.
        files.entry(module_path(&below)).or_insert(module);
    }
    let mut problems = Vec::new();
    for (folder, files) in crates {
        let modules = Modules::new(files);
        let name = folder.to_string_lossy();
        let rooms = ROOMS.iter().find(|(known, _)| *known == name);
        problems.extend(rooms.into_iter().flat_map(|(_, rooms)| check_rooms(&modules, rooms)));
        problems.extend(check_circles(&folder, &modules, CIRCLE_FILES));
    }
    problems
}

/// The folder of the crate that a file is a module of, and its path below `src`.
fn place(file: &Path) -> Option<(PathBuf, PathBuf)> {
    let is_module = file.extension().is_some_and(|end| end == "rs") && !is_test_file(file);
    let source = file.iter().position(|part| part == "src").filter(|_| is_module)?;
    Some((file.iter().take(source).collect(), file.iter().skip(source + 1).collect()))
}

fn check_rooms(modules: &Modules, rooms: &[&str]) -> Vec<Problem> {
    let layer = |module: &ModulePath| rooms.iter().position(|room| Some(*room) == room_of(module));
    let mut problems = Vec::new();
    // The root of the crate is in no room, and shows what it likes.
    for (module, file) in modules.files().filter(|(module, _)| !module.is_empty()) {
        let Some(own) = layer(module) else {
            let message = "is in no room of xtask/src/tidy/modules.rs";
            problems.push(Problem::new(&file.file, 0, message));
            continue;
        };
        for reference in &file.references {
            let Some(target) = modules.target(module, &reference.path) else { continue };
            if let Some(used) = layer(target).filter(|used| *used > own) {
                let (own, used, path) = (rooms[own], rooms[used], reference.path.join("::"));
                let message = format!("`{own}` uses `{path}` of `{used}`, a room above it");
                problems.push(Problem::new(&file.file, reference.line, message));
            }
        }
    }
    problems
}

fn room_of(module: &ModulePath) -> Option<&str> {
    module.first().map(String::as_str)
}

fn check_circles(folder: &Path, modules: &Modules, most: usize) -> Option<Problem> {
    let circle = modules.largest_circle();
    let names = circle.iter().map(|file| file.strip_prefix(folder.join("src")).unwrap_or(file));
    let names: Vec<_> = names.map(|name| name.to_string_lossy()).collect();
    let message = format!(
        "{} files use each other in a circle, at most {most}: {}",
        names.len(),
        names.join(", ")
    );
    (names.len() > most).then(|| Problem::new(folder, 0, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modules(sources: &[(&str, &str)]) -> Modules {
        let file = |(file, text): &(&str, &str)| {
            let (_, below) = place(Path::new(file)).expect("a module");
            let references = references::read(text.parse().expect("tokens of Rust"));
            (module_path(&below), ModuleFile { file: file.into(), references })
        };
        Modules::new(sources.iter().map(file).collect())
    }

    fn shown(problems: impl IntoIterator<Item = Problem>) -> Vec<String> {
        problems.into_iter().map(|problem| problem.to_string()).collect()
    }

    #[test]
    fn a_room_uses_those_below_it() {
        let modules = modules(&[
            ("c/src/lib.rs", "mod low; mod high; pub use high::top::Top;"),
            ("c/src/low.rs", "pub struct Low;"),
            ("c/src/low/deep.rs", "use super::Low;\nfn f(top: crate::Top) {}"),
            ("c/src/high.rs", "pub mod top;"),
            ("c/src/high/top.rs", "use crate::low::Low;"),
            ("c/src/attic.rs", ""),
        ]);
        assert_eq!(
            shown(check_rooms(&modules, &["low", "high"])),
            [
                "c/src/attic.rs: is in no room of xtask/src/tidy/modules.rs",
                "c/src/low/deep.rs:2: `low` uses `crate::Top` of `high`, a room above it",
            ]
        );
    }

    const CIRCLE: [(&str, &str); 4] = [
        ("c/src/lib.rs", "mod a; mod b; mod d; pub use a::A;"),
        ("c/src/a.rs", "use crate::b::B;"),
        ("c/src/b.rs", "use crate::A;"),
        ("c/src/d.rs", "use super::a::A;"),
    ];

    #[test]
    fn a_circle_is_found_through_names_that_are_handed_on() {
        let modules = modules(&CIRCLE);
        assert_eq!(modules.largest_circle(), [Path::new("c/src/a.rs"), Path::new("c/src/b.rs")]);
    }

    #[test]
    fn a_circle_that_is_too_large_is_named() {
        let folder = Path::new("c");
        let modules = modules(&CIRCLE);
        assert_eq!(shown(check_circles(folder, &modules, 2)), [""; 0]);
        assert_eq!(
            shown(check_circles(folder, &modules, 1)),
            ["c: 2 files use each other in a circle, at most 1: a.rs, b.rs"]
        );
    }
}
