//! What string functions do about symbolic bytes changes how a program is explored, not what it does: the
//! parsers of the benchmark print the same, over all paths, whichever way is chosen.

#![allow(clippy::unwrap_used, reason = "a test fails where it is surprised")]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

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

fn everett() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_everett"));
    command.env("EVERETT_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"));
    command.stdin(Stdio::null());
    command
}

/// The lines that the paths of a program print.
fn outputs(program: &Path, folder: &Path, mode: &str) -> BTreeSet<String> {
    let mut run = everett();
    run.args(["run", "--quiet", "--echo", "--workers", "1", "--tests", "none", "--strings", mode]);
    let done = run.arg("--out").arg(folder.join(mode)).arg(program).output().unwrap();
    let errors = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{} with {mode}: {errors}", program.display());
    String::from_utf8(done.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn parsers_print_the_same_in_every_mode() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/bench/parsers");
    for (parser, size) in PARSERS {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("parser.bc");
        let mut compile = everett();
        compile
            .args(["cc", "-O1", &format!("-DSIZE={size}")])
            .arg(sources.join(format!("{parser}.c")));
        assert!(compile.arg("-o").arg(&program).status().unwrap().success(), "{parser} compiles");
        let [auto, expression, fork] = MODES.map(|mode| outputs(&program, folder.path(), mode));
        assert!(auto.len() > 2, "{parser} prints {auto:?}");
        assert_eq!(auto, fork, "{parser}: by choice, and with forks");
        assert_eq!(expression, fork, "{parser}: with expressions, and with forks");
    }
}
