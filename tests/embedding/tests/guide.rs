//! The guide `docs/embedding.md` shows this project, and the tool finds what the guide says.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file of the project.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The fenced blocks of the guide in a language.
fn blocks(language: &str) -> Vec<String> {
    let guide = fs::read_to_string(file("../../docs/embedding.md")).unwrap();
    let begin = format!("```{language}\n");
    let bodies = guide.split(&begin).skip(1).map(|rest| rest.split("```").next().unwrap());
    bodies.map(str::to_owned).collect()
}

fn text(name: &str) -> String {
    fs::read_to_string(file(name)).unwrap()
}

#[test]
fn guide_shows_the_tool_as_it_is() {
    assert_eq!(blocks("rust"), [text("src/main.rs")]);
    assert_eq!(blocks("c"), [text("server.c")]);
    let [manifest, scenario] = &blocks("toml")[..] else { panic!("a manifest and a scenario") };
    let manifest = manifest.replace("everett/crates", "crates");
    assert!(text("Cargo.toml").contains(&manifest), "{manifest}");
    assert_eq!(*scenario, text("system.toml"));
}

#[test]
fn tool_finds_what_the_guide_says() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["server.c", "client.c", "system.toml"] {
        fs::copy(file(name), folder.path().join(name)).unwrap();
    }
    let tool = env!("CARGO_BIN_EXE_embedding");
    let run = Command::new(tool).arg(folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{said}");
    assert_eq!(String::from_utf8(run.stdout).unwrap(), blocks("text")[0], "{said}");
}
