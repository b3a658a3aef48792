//! The targets that need nothing but themselves, each on a few inputs.

#![allow(clippy::unwrap_used, reason = "a test fails where it is surprised")]

use std::process::Command;

fn fuzz(target: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut fuzz = Command::new(env!("CARGO_BIN_EXE_everett-fuzz"));
    fuzz.args([target, "--inputs", "200", "--seconds", "60"]).current_dir(folder.path());
    let output = fuzz.output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(output.status.success(), "{target}: {said}");
    said
}

#[test]
fn readers_and_simplifier_survive_a_few_inputs() {
    for target in ["dtest", "expr", "floats", "ktest", "live", "minvariant", "scenario", "traffic"]
    {
        let said = fuzz(target);
        assert!(said.contains("200"), "{target} has not tried its inputs: {said}");
    }
}
