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
    assert_eq!(blocks("rust"), [text("src/main.rs"), text("src/bin/peer.rs")]);
    assert_eq!(blocks("c"), [text("server.c")]);
    let [manifest, scenario, bank] = &blocks("toml")[..] else {
        panic!("a manifest and two scenarios")
    };
    assert_eq!(*bank, text("bank.toml"));
    let manifest = manifest.replace("everett/crates", "crates");
    assert!(text("Cargo.toml").contains(&manifest), "{manifest}");
    assert_eq!(*scenario, text("system.toml"));
}

/// Runs a tool on copies of files of the project, and returns what it prints.
fn printed(tool: &str, files: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    for name in files {
        fs::copy(file(name), folder.path().join(name)).unwrap();
    }
    let run = Command::new(tool).arg(folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{said}");
    String::from_utf8(run.stdout).unwrap()
}

#[test]
fn tool_finds_what_the_guide_says() {
    let files = ["server.c", "client.c", "system.toml"];
    assert_eq!(printed(env!("CARGO_BIN_EXE_embedding"), &files), blocks("text")[0]);
}

#[test]
fn tool_with_a_peer_finds_what_the_guide_says() {
    let files = ["teller.c", "bank.toml"];
    assert_eq!(printed(env!("CARGO_BIN_EXE_peer"), &files), blocks("text")[1]);
}
