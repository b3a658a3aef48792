//! Tests of the modes of string functions. The mode changes how a program is explored, not what it does: the
//! parsers of the benchmark print the same, over all paths, whichever way is chosen.

#![allow(clippy::unwrap_used, reason = "a test fails where it is surprised")]

use std::collections::BTreeSet;
use std::path::Path;

use crate::sandbox::Sandbox;

/// The parsers, and how many symbolic bytes they get: expressions take long where lines are trimmed.
const PARSERS: [(&str, u32); 8] = [
    ("base64", 3),
    ("csv", 3),
    ("http", 4),
    ("ini", 2),
    ("lines", 3),
    ("resp", 4),
    ("tlv", 4),
    ("url", 3),
];
const MODES: [&str; 3] = ["auto", "expression", "fork"];

/// The lines that the paths of a program print.
fn outputs(sandbox: &Sandbox, mode: &str) -> BTreeSet<String> {
    let quietly = ["run", "--quiet", "--echo", "--workers", "1", "--tests", "none"];
    let printed = sandbox.printed(&[&quietly[..], &["--strings", mode, "parser.bc"]].concat(), 0);
    printed.lines().map(str::to_owned).collect()
}

#[test]
fn parsers_print_the_same_in_every_mode() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/bench/parsers");
    for (parser, size) in PARSERS {
        let sandbox = Sandbox::new();
        let source = sources.join(format!("{parser}.c")).display().to_string();
        sandbox.run(&["cc", "-O1", &format!("-DSIZE={size}"), &source, "-o", "parser.bc"], 0);
        let [auto, expression, fork] = MODES.map(|mode| outputs(&sandbox, mode));
        assert!(auto.len() > 2, "{parser} prints {auto:?}");
        assert_eq!(auto, fork, "{parser}: by choice, and with forks");
        assert_eq!(expression, fork, "{parser}: with expressions, and with forks");
    }
}
