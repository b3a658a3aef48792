//! The programs of `tests/ok`, with their layout and what comes of them on their recordings, and what is
//! said about those of `tests/err`. Beside each is a snapshot; `cargo xtask bless` rewrites it.

#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used, reason = "a test fails where it is surprised")]

use std::path::{Path, PathBuf};
use std::process::Command;

use expect_test::expect_file;
use minvariant::{Program, format};

fn files(kind: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(kind);
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "minv")).collect();
    files.sort();
    files
}

fn name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

#[test]
fn good_programs_are_laid_out_in_one_way() {
    let files = files("ok");
    assert!(files.len() >= 25);
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let formatted = format(name(&path), &text).unwrap();
        expect_file![path.with_extension("formatted")].assert_eq(&formatted);
        assert_eq!(format(name(&path), &formatted).unwrap(), formatted, "{}", path.display());
        Program::parse(name(&path), &formatted).unwrap();
    }
}

#[test]
fn good_programs_do_what_their_snapshots_say() {
    for path in files("ok") {
        let run = Command::new(env!("CARGO_BIN_EXE_minvariant"))
            .current_dir(path.parent().unwrap())
            .args(["eval", "--data"])
            .arg(path.with_extension("json").file_name().unwrap())
            .arg(name(&path))
            .output()
            .unwrap();
        let shown = format!(
            "{}{}exit code {}\n",
            String::from_utf8(run.stdout).unwrap(),
            String::from_utf8(run.stderr).unwrap(),
            run.status.code().unwrap()
        );
        expect_file![path.with_extension("eval")].assert_eq(&shown);
    }
}

#[test]
fn bad_programs_are_refused_with_place_and_help() {
    let files = files("err");
    assert!(files.len() >= 50);
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let Err(diagnostics) = Program::parse(name(&path), &text) else {
            panic!("{} is accepted", path.display())
        };
        expect_file![path.with_extension("stderr")].assert_eq(&format!("{diagnostics}\n"));
    }
}
