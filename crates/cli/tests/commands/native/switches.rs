//! Threads that are switched at accesses to memory: programs on their own, with hooks where that happens.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{build, said};
use crate::sandbox::Sandbox;

/// Runs a program of `tests/programs` as the only node of a system, and replays each of its findings
/// natively. Returns what is said about them.
fn replayed(program: &str, preempt: &str, flags: &[&str]) -> Vec<String> {
    let sandbox = explored(program, preempt, flags);
    let mut all = Vec::new();
    for test in tests(&sandbox) {
        let said = sandbox.said(&["replay", "--native", "--times", "5", &test], 0);
        assert!(said.contains("reproduced: "), "{program}: {said}");
        all.push(said);
    }
    assert!(!all.is_empty(), "{program} has no finding");
    all
}

fn explored(program: &str, preempt: &str, flags: &[&str]) -> Sandbox {
    let sandbox = Sandbox::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    fs::copy(folder.join(program), sandbox.path("program.c")).unwrap();
    let system = format!(
        "[[node]]\nname = \"program\"\nprogram = \"program\"\nserver = false\n\n\
         [system]\npreempt = {preempt}\n"
    );
    fs::write(sandbox.path("system.toml"), system).unwrap();
    let headers = format!("-I{}", folder.join("bug/orders").display());
    build(&sandbox, "program", &[flags, &[&headers]].concat());
    let run = ["run", "--workers", "1", "--tests", "findings", "--out", "out", "system.toml"];
    sandbox.said(&run, 1);
    sandbox
}

fn tests(sandbox: &Sandbox) -> Vec<String> {
    let entries = fs::read_dir(sandbox.path("out/tests")).unwrap().flatten();
    let names = entries.map(|entry| entry.file_name().into_string().unwrap());
    let mut tests: Vec<String> = names.filter(|name| name.ends_with(".dtest")).collect();
    tests.sort();
    tests.into_iter().map(|name| format!("out/tests/{name}")).collect()
}

#[test]
fn atomic_operations_are_ordered_as_in_the_engine() {
    for (program, preempt) in [
        ("bug/race/lost_update.c", "1"),
        ("bug/race/initialised_twice.c", "1"),
        ("bug/race/aba.c", "1"),
        ("bug/race/transient_value.c", "2"),
        ("bug/race/lock_by_two_flags.c", "2"),
        ("bug/race/lost_update_between_processes.c", "1"),
    ] {
        let said = replayed(program, preempt, &[]);
        assert!(said.iter().all(|said| said.contains("aborts")), "{program}: {said:?}");
    }
}

#[test]
fn programs_without_optimisation_and_with_glibc_are_ordered_too() {
    for flags in [&["-O0"][..], &["--libc=glibc"]] {
        replayed("bug/race/lost_update.c", "1", flags);
    }
}

#[test]
fn plain_accesses_that_race_are_ordered_as_in_the_engine() {
    for program in ["bug/orders/plain_increment.c", "bug/orders/plain_flag_and_value.c"] {
        let said = replayed(program, "\"all\"", &[]);
        let races = said.iter().filter(|said| {
            said.contains(
                "reproduced: data race, two threads of node program access the same bytes",
            )
        });
        assert!(races.count() >= 2, "{program}: {said:?}");
    }
}

#[test]
fn an_export_has_the_program_with_its_hooks() {
    let sandbox = explored("bug/race/lost_update.c", "1", &[]);
    let test = tests(&sandbox).remove(0);
    sandbox.said(&["export", &test, "bug"], 0);
    fs::remove_file(sandbox.path("program")).unwrap();
    let reproduced = said(Command::new("sh").arg(sandbox.path("bug/replay.sh")), 0);
    assert!(reproduced.contains("reproduced: node program aborts"), "{reproduced}");
    let script = fs::read_to_string(sandbox.path("bug/script.txt")).unwrap();
    assert!(script.contains("PREEMPT before op "), "{script}");
}
