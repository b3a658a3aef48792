//! The guide `docs/embedding.md`: it shows the tool of `tests/embedding`, which is an example of this crate
//! as well, and finds what the guide says.

#![allow(clippy::unwrap_used, reason = "everything here is test code")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The fenced blocks of the guide in a language.
fn blocks(language: &str) -> Vec<String> {
    let guide = fs::read_to_string(root().join("docs/embedding.md")).unwrap();
    let begin = format!("```{language}\n");
    let bodies = guide.split(&begin).skip(1).map(|rest| rest.split("```").next().unwrap());
    bodies.map(str::to_owned).collect()
}

fn text(name: &str) -> String {
    fs::read_to_string(root().join("tests/embedding").join(name)).unwrap()
}

#[test]
fn guide_shows_the_tool_as_it_is() {
    assert_eq!(blocks("rust"), [text("src/main.rs")]);
    assert_eq!(blocks("c"), [text("server.c")]);
    assert_eq!(blocks("toml")[1], text("system.toml"));
}

#[test]
fn tool_finds_what_the_guide_says() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["server.c", "client.c", "system.toml"] {
        fs::write(folder.path().join(name), text(name)).unwrap();
    }
    // Tests are built into `deps`, and examples, with all tests of the package, beside it.
    let test = std::env::current_exe().unwrap();
    let tool = test.ancestors().nth(2).unwrap().join("examples/embedding");
    assert!(tool.is_file(), "the example is not built: run the tests of the whole package");
    let run = Command::new(tool).arg(folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{said}");
    assert_eq!(String::from_utf8(run.stdout).unwrap(), blocks("text")[0], "{said}");
}
