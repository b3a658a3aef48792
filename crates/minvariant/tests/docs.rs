//! The programs of the documentation are programs.
//!
//! A fence `minv` holds a program; one that begins with `// in a body` holds statements, and one with
//! `// expression` holds a condition on each line, which must hold. A fence `json` behind a program is a
//! recording, and a fence `text` behind that is what comes of it.

#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used, reason = "a test fails where it is surprised")]

use std::path::Path;
use std::process::Command;

use minvariant::{EvalLimits, InvariantId, Program, Providers, Recording, Verdict, format};

const SOURCES: &str = "
string[] nodes() { return sys.nodes(); }
int[] states(string node) { return int[0]; }
string[] keys(string node, int state) { return string[\"v\"]; }
";

fn page(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    std::fs::read_to_string(path).unwrap()
}

/// The fenced blocks of a page: their language and their text.
fn fences(page: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = page;
    while let Some((_, after)) = rest.split_once("\n```") {
        let (language, after) = after.split_once('\n').unwrap();
        let (body, after) = after.split_once("```").unwrap();
        found.push((language, body));
        rest = after;
    }
    found
}

fn parse(text: &str) -> Program {
    Program::parse("page.minv", text).unwrap_or_else(|errors| panic!("{errors}\n{text}"))
}

fn check_program(text: &str) {
    if text.starts_with("// in a body") {
        parse(&format!(
            "invariant page(data[] d) : nodes, states, keys {{\n{text}\nreturn true; }}\n{SOURCES}"
        ));
    } else if text.starts_with("// expression") {
        for line in text.lines().skip(1).filter(|line| !line.is_empty()) {
            let program = parse(&format!(
                "invariant page(data[] d) : nodes, states, keys {{ return\n{line}\n; }}\n{SOURCES}"
            ));
            let mut recording = Recording::new(["a", "b"]);
            recording.expose("a", 0, "v", &[1, 2, 3, 4]);
            recording.expose("b", 0, "v", b"text\0rest");
            let verdict =
                program.verdict(InvariantId(0), Providers::of(&recording), &EvalLimits::default());
            assert_eq!(verdict, Ok(Verdict::Holds), "{line}");
        }
    } else {
        parse(text);
        assert_eq!(
            format("page.minv", text).unwrap(),
            text,
            "a program of a page is not formatted"
        );
    }
}

/// Runs the recordings of a page, each with the program before it; returns how many there were.
fn check_page(name: &str) -> usize {
    let page = page(name);
    let (mut program, mut shown, mut runs) = ("", String::new(), 0);
    for (language, body) in fences(&page) {
        match language {
            "minv" => {
                check_program(body);
                program = body;
            }
            "json" => {
                let folder = tempfile::tempdir().unwrap();
                std::fs::write(folder.path().join("page.minv"), program).unwrap();
                std::fs::write(folder.path().join("page.json"), body).unwrap();
                let run = Command::new(env!("CARGO_BIN_EXE_minvariant"))
                    .current_dir(folder.path())
                    .args(["eval", "--data", "page.json", "page.minv"])
                    .output()
                    .unwrap();
                shown = String::from_utf8([run.stdout, run.stderr].concat()).unwrap();
                runs += 1;
            }
            "text" if !shown.is_empty() => assert_eq!(body, std::mem::take(&mut shown), "{name}"),
            _ => {}
        }
    }
    runs
}

#[test]
fn reference_is_right() {
    check_page("minvariant.md");
}

#[test]
fn tutorial_is_right() {
    assert!(check_page("minvariant-tutorial.md") >= 4);
}
