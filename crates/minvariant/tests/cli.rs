//! The command line, as a user runs it.

#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used, reason = "a test fails where it is surprised")]

use std::path::Path;
use std::process::Command;

use expect_test::{Expect, expect};

const SOURCES: &str = "string[] nodes() { return sys.nodes(); }
int[] states(string node) { return int[0]; }
string[] keys(string node, int state) { return string[\"v\"]; }
";

/// A folder with files, in which commands run.
struct TestFolder(tempfile::TempDir);

impl TestFolder {
    fn new(files: &[(&str, &str)]) -> TestFolder {
        let folder = TestFolder(tempfile::tempdir().unwrap());
        for (name, text) in files {
            std::fs::write(folder.0.path().join(name), text).unwrap();
        }
        folder
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, args: &str, expected: &Expect) {
        let run = Command::new(env!("CARGO_BIN_EXE_minvariant"))
            .current_dir(self.0.path())
            .args(args.split(' '))
            .output()
            .unwrap();
        expected.assert_eq(&format!(
            "{}{}exit code {}\n",
            String::from_utf8(run.stdout).unwrap(),
            String::from_utf8(run.stderr).unwrap(),
            run.status.code().unwrap()
        ));
    }
}

fn agree() -> String {
    format!(
        "invariant agree(data[] d) : nodes, states, keys {{ return d.equalElements(); }}\n{SOURCES}"
    )
}

#[test]
fn check_lists_invariants_with_clauses() {
    let clauses = "eventually require when true";
    let more =
        format!("invariant other(data[] d) : nodes, states, keys {clauses} {{ return true; }}\n");
    let folder = TestFolder::new(&[("a.minv", &agree()), ("b.minv", &more)]);
    folder.run(
        "check a.minv b.minv",
        &expect![[r#"
            a.minv:1:11: invariant agree
            b.minv:1:11: invariant other require when eventually
            exit code 0
        "#]],
    );
}

#[test]
fn check_says_what_is_wrong() {
    let folder = TestFolder::new(&[("a.minv", "int f() { return x; }\n")]);
    folder.run(
        "check a.minv",
        &expect![[r#"
            a.minv:1:18: unknown variable `x`
              1 | int f() { return x; }
                |                  ^
            exit code 2
        "#]],
    );
    folder.run(
        "check b.minv",
        &expect![[r#"
            b.minv cannot be read: No such file or directory (os error 2)
            exit code 2
        "#]],
    );
}

#[test]
fn duplicates_in_two_files_name_both_places() {
    let folder = TestFolder::new(&[
        ("a.minv", "int f() { return 1; }\n"),
        ("b.minv", "\nint f() { return 2; }\n"),
    ]);
    folder.run(
        "check a.minv b.minv",
        &expect![[r#"
            b.minv:2:5: `f` is declared twice
              2 | int f() { return 2; }
                |     ^
              a.minv:1:5: first declared here
              1 | int f() { return 1; }
                |     ^
            exit code 2
        "#]],
    );
}

#[test]
fn file_that_is_no_text_is_named() {
    let folder = TestFolder::new(&[]);
    std::fs::write(folder.path("a.minv"), b"int f()\n{\xff}\n").unwrap();
    folder.run(
        "check a.minv",
        &expect![[r#"
            a.minv:2: not UTF-8 text
            exit code 2
        "#]],
    );
}

#[test]
fn fmt_rewrites_and_check_only_tells() {
    let folder = TestFolder::new(&[
        ("a.minv", "int f(){return 1 ;}\n"),
        ("b.minv", "int g() { return 1; }\n"),
    ]);
    folder.run(
        "fmt --check a.minv b.minv",
        &expect![[r#"
            a.minv: not formatted
            exit code 1
        "#]],
    );
    folder.run(
        "fmt a.minv b.minv",
        &expect![[r#"
            exit code 0
        "#]],
    );
    let text = std::fs::read_to_string(folder.path("a.minv")).unwrap();
    assert_eq!(text, "int f() { return 1; }\n");
    folder.run(
        "fmt --check a.minv b.minv",
        &expect![[r#"
            exit code 0
        "#]],
    );
}

#[test]
fn fmt_leaves_broken_files_alone() {
    let folder = TestFolder::new(&[("a.minv", "int f( { }")]);
    folder.run(
        "fmt a.minv",
        &expect![[r#"
            a.minv:1:8: expected a parameter, as in `int x`, but found `{`
              1 | int f( { }
                |        ^
            exit code 2
        "#]],
    );
    assert_eq!(std::fs::read_to_string(folder.path("a.minv")).unwrap(), "int f( { }");
}

const DATA: &str = r#"{
  "nodes": [{"name": "a"}, {"name": "b"}],
  "exposures": [
    {"node": "a", "state": 0, "key": "v", "time": 5, "value": {"text": "x"}},
    {"node": "b", "state": 0, "key": "v", "value": {"hex": "79"}},
    {"node": "b", "state": 0, "key": "v", "time": 7, "value": {"int": 120, "bytes": 1}}
  ]
}
"#;

#[test]
fn eval_shows_each_violation_once() {
    let folder = TestFolder::new(&[("a.minv", &agree()), ("d.json", DATA)]);
    folder.run(
        "eval --data d.json a.minv",
        &expect![[r#"
            violated after exposure 2 ((b, 0, v)) at 5 ns
            a.minv:1:51: invariant `agree` is violated
              (a, 0, v) = "x"
              (b, 0, v) = "y"

            agree: violated in 1 of 4 evaluations
            exit code 1
        "#]],
    );
    folder.run(
        "eval --at-end-only --data d.json a.minv",
        &expect![[r#"
            agree: holds (1 evaluation)
            exit code 0
        "#]],
    );
}

#[test]
fn eval_ends_with_2_when_an_evaluation_fails() {
    let program =
        format!("invariant i(data[] d) : nodes, states, keys {{ while (true) {{ }} }}\n{SOURCES}");
    let folder = TestFolder::new(&[("a.minv", &program), ("d.json", r#"{"nodes": []}"#)]);
    folder.run(
        "eval --steps 100 --data d.json a.minv",
        &expect![[r#"
            error at the end
            a.minv:1:54: more than 100 steps
              1 | invariant i(data[] d) : nodes, states, keys { while (true) { } }
                |                                                      ^^^^
              in invariant `i`

            i: failed in 1 of 1 evaluation
            exit code 2
        "#]],
    );
}

fn bad_data(text: &str, expected: &Expect) {
    TestFolder::new(&[("a.minv", &agree()), ("d.json", text)])
        .run("eval --data d.json a.minv", expected);
}

#[test]
fn bad_recordings_are_refused_with_their_place() {
    bad_data(
        "{\n  \"nodes\": [,]\n}",
        &expect![[r#"
            d.json:2:13: expected value
            exit code 2
        "#]],
    );
    bad_data(
        "{\"nodes\": [{\"nam\": \"a\"}]}",
        &expect![[r#"
            d.json:1:17: unknown field `nam`, expected one of `name`, `hostname`, `addresses`, `alive`
            exit code 2
        "#]],
    );
    let exposure = |node: &str, value: &str| {
        format!(
            "{{\"nodes\": [{{\"name\": \"a\"}}],\n\"exposures\": [{{\"node\": \"{node}\", \"state\": 0, \
             \"key\": \"v\",\n\"value\": {value}}}]}}"
        )
    };
    bad_data(
        &exposure("a", "{\"hex\": \"0\"}"),
        &expect![[r#"
            d.json:3:22: "0" is not in hexadecimal digits
            exit code 2
        "#]],
    );
    bad_data(
        &exposure("a", "{\"int\": 300, \"bytes\": 1}"),
        &expect![[r#"
            d.json:3:34: 300 does not fit into a number of 1 byte
            exit code 2
        "#]],
    );
    bad_data(
        &exposure("a", "{\"int\": 1, \"bytes\": 3}"),
        &expect![[r#"
            d.json:3:32: a number has 1, 2, 4 or 8 bytes, not 3
            exit code 2
        "#]],
    );
    bad_data(
        &exposure("a", "{}"),
        &expect![[r#"
        d.json:3:12: a value is {"hex": ...}, {"text": ...} or {"int": ..., "bytes": ..., "endian": "little"}
        exit code 2
    "#]],
    );
    bad_data(
        &exposure("z", "{\"text\": \"\"}"),
        &expect![[r#"
            d.json: exposure 1: there is no node "z"
            exit code 2
        "#]],
    );
    bad_data(
        "{\"nodes\": [{\"name\": \"a\"}, {\"name\": \"a\"}]}",
        &expect![[r#"
            d.json: two nodes are called "a"
            exit code 2
        "#]],
    );
}

#[test]
fn help_names_the_commands() {
    assert!(Path::new(env!("CARGO_BIN_EXE_minvariant")).exists());
    let help = Command::new(env!("CARGO_BIN_EXE_minvariant")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    for command in ["check", "fmt", "eval"] {
        assert!(help.contains(command), "{help}");
    }
}
