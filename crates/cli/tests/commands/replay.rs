//! Tests of systems as users see them: what a run leaves, `everett replay` and `everett minimize`.

use std::fs;

use everett_replay::{DTest, KTest};

use crate::sandbox::Sandbox;

const SERVER: &str = include_str!("replay/server.c");
const CLIENT: &str = include_str!("replay/client.c");

const SYSTEM: &str = r#"
[[node]]
name = "server"
program = "server.bc"

[[node]]
name = "client"
program = "client.bc"
start = 1
"#;

/// Adds one in each of two threads, which must not come between the other's load and store.
const RACER: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int sum;
static void *add(void *unused) {
  int before = atomic_load(&sum);
  atomic_store(&sum, before + 1);
  return unused;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], 0, add, 0) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(threads[i], 0) == 0);
  assert(sum == 2);
  return 0;
}
"#;

/// The system, explored with flags.
fn explored(flags: &[&str]) -> Sandbox {
    with_system(SYSTEM, flags)
}

/// Another system of the same programs, explored with flags.
fn with_system(system: &str, flags: &[&str]) -> Sandbox {
    let sandbox = Sandbox::new();
    for (name, source) in [("server", SERVER), ("client", CLIENT), ("racer", RACER)] {
        fs::write(sandbox.path(&format!("{name}.c")), source).unwrap();
        let (from, to) = (format!("{name}.c"), format!("{name}.bc"));
        sandbox.said(&["cc", "-g", &from, "-o", &to], 0);
    }
    fs::write(sandbox.path("system.toml"), system).unwrap();
    let run = ["run", "--workers", "1", "--out", "out", "system.toml"];
    sandbox.said(&[&run[..], flags].concat(), 1);
    sandbox
}

/// The test of the only finding.
fn finding(sandbox: &Sandbox) -> String {
    let summary = fs::read(sandbox.path("out/summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&summary).unwrap();
    let finding = &summary["findings"][0];
    let test = finding["dtest"].as_str().unwrap();
    assert_eq!(finding["replay"], format!("everett replay {test}"));
    format!("out/{test}")
}

/// Gives the client's input other bytes.
fn change_request(sandbox: &Sandbox, dtest: &str, change: impl FnOnce(&mut Vec<u8>)) {
    let file = sandbox.path(&dtest.replace(".dtest", ".client.ktest"));
    let mut test = KTest::read(&file).unwrap();
    change(&mut test.objects[0].bytes);
    test.write(&file).unwrap();
}

#[test]
fn a_finding_is_reproduced_from_any_folder() {
    let sandbox = explored(&[]);
    let test = finding(&sandbox);
    let said = sandbox.said(&["replay", &test], 0);
    assert!(said.contains("reproduced: assert on server, server.c:11:5"), "{said}");
    let elsewhere = sandbox.path(&test);
    fs::create_dir(sandbox.path("inner")).unwrap();
    let inner = Sandbox::inside(&sandbox.path("inner"));
    inner.run(&["replay", elsewhere.to_str().unwrap()], 0);
    let text = fs::read_to_string(sandbox.path("out/findings/001-assert.txt")).unwrap();
    assert!(text.contains(&format!("everett replay {test}")), "{text}");
}

#[test]
fn test_of_one_program_names_the_command_that_runs_it() {
    let sandbox = Sandbox::new();
    let said = sandbox.said(&["replay", "tests/001.ktest"], 2);
    assert!(said.contains("`everett run --ktest tests/001.ktest PROGRAM`"), "{said}");
    KTest::default().write(&sandbox.path("renamed")).unwrap();
    let said = sandbox.said(&["replay", "renamed"], 2);
    assert!(said.contains("`everett run --ktest renamed PROGRAM`"), "{said}");
}

#[test]
fn a_replay_can_be_watched_and_stopped() {
    let sandbox = explored(&[]);
    let test = finding(&sandbox);
    let said = sandbox.said(&["replay", "--trace", &test], 0);
    assert!(said.starts_with("0.000000 +1   client -> server  udp data"), "{said}");
    let said = sandbox.said(&["replay", "--until", "1", &test], 0);
    assert!(said.contains("stopped after 1 message\n"), "{said}");
    assert!(said.contains("server.c:10"), "{said}");
    assert!(said.contains("main: request  4 bytes"), "{said}");
    assert!(said.contains("main: self     16 bytes  02 00 1b 58"), "{said}");
    assert!(!said.contains("reproduced"), "{said}");
    let said = sandbox.said(&["replay", "--until", "9", &test], 0);
    assert!(said.contains("reproduced: "), "there are fewer messages: {said}");
}

#[test]
fn a_script_shows_what_programs_do_with_the_outside() {
    let sandbox = explored(&[]);
    let said = sandbox.said(&["replay", "--script", &finding(&sandbox)], 0);
    expect_test::expect_file!["replay/script.txt"].assert_eq(&said);
}

#[test]
fn another_outcome_is_shown_and_is_code_1() {
    let sandbox = explored(&[]);
    let test = finding(&sandbox);
    change_request(&sandbox, &test, |bytes| bytes[0] = b'y');
    let said = sandbox.said(&["replay", &test], 1);
    let expected = "not reproduced: the outcome is no finding (server waits in recvfrom; client exited \
                    with 0), expected assert on server, server.c:11:5";
    assert!(said.contains(expected), "{said}");
    sandbox.said(&["minimize", &test], 1);

    let file = sandbox.path(&test);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("line=\"11\"", "line=\"12\"")).unwrap();
    change_request(&sandbox, &test, |bytes| bytes[0] = b'x');
    let said = sandbox.said(&["replay", &test], 1);
    assert!(
        said.contains("of the stack is server.c:11:5 in main, expected server.c:12:5"),
        "{said}"
    );
}

#[test]
fn what_cannot_be_run_is_refused() {
    let sandbox = explored(&[]);
    let test = finding(&sandbox);
    let refused = |expected: &str| {
        let said = sandbox.said(&["replay", &test], 2);
        assert!(said.contains(expected), "{expected}: {said}");
    };
    let server = fs::read(sandbox.path("server.bc")).unwrap();
    fs::write(sandbox.path("server.bc"), [&server[..], b"\0"].concat()).unwrap();
    refused("has changed since the test was written");
    fs::remove_file(sandbox.path("server.bc")).unwrap();
    refused("node server: cannot read ");
    fs::write(sandbox.path("server.bc"), server).unwrap();
    sandbox.said(&["replay", &test], 0);

    let inputs = sandbox.path(&test.replace(".dtest", ".client.ktest"));
    fs::rename(&inputs, sandbox.path("away")).unwrap();
    refused("the test case of node client: cannot read ");
    fs::rename(sandbox.path("away"), &inputs).unwrap();

    let file = sandbox.path(&test);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("sequence=\"1\"", "sequence=\"soon\"")).unwrap();
    refused("test000001.dtest:");
    refused("`sequence` is `soon`; expected a number");
    fs::write(&file, text.replace("name=\"hostname\"", "name=\"out\"")).unwrap();
    refused("`out` is no option that a test case has there");
    fs::write(&file, "<test/>").unwrap();
    refused("does not say which programs its nodes run");
}

#[test]
fn completed_worlds_have_tests_on_request() {
    let sandbox = explored(&["--tests", "all"]);
    let mut outcomes = Vec::new();
    for entry in fs::read_dir(sandbox.path("out/tests")).unwrap() {
        let file = entry.unwrap().path();
        if file.extension().is_some_and(|end| end == "dtest") {
            let said = sandbox.said(&["replay", file.to_str().unwrap()], 0);
            let line = said.lines().find(|line| line.starts_with("reproduced: ")).unwrap();
            outcomes.push(line.split(" (").next().unwrap().to_owned());
        }
    }
    outcomes.sort();
    assert_eq!(outcomes.len(), 2, "{outcomes:?}");
    assert!(outcomes[0].starts_with("reproduced: assert on server"), "{outcomes:?}");
    assert_eq!(outcomes[1], "reproduced: no finding");
}

#[test]
fn what_does_not_matter_is_taken_out_of_a_test() {
    // One packet may be lost: of what happens then, nothing leads to the finding.
    let sandbox = explored(&["--lost-packet-count", "1"]);
    let test = finding(&sandbox);
    change_request(&sandbox, &test, |bytes| *bytes = b"xyz!".to_vec());
    let said = sandbox.said(&["minimize", &test], 0);
    assert!(said.contains("input bytes that are not zero: 4 before, 1 now"), "{said}");
    let simple = test.replace(".dtest", ".min.dtest");
    let inputs = KTest::read(&sandbox.path(&simple.replace(".dtest", ".client.ktest"))).unwrap();
    assert_eq!(inputs.objects[0].bytes, b"x\0\0\0");
    let read = DTest::read(&sandbox.path(&simple)).unwrap();
    assert_eq!(read.record.unwrap().faults, []);
    let said = sandbox.said(&["replay", &simple], 0);
    assert!(said.contains("reproduced: assert on server"), "{said}");
}

#[test]
fn nodes_that_do_not_matter_are_left_out_of_a_test() {
    let system = format!("{SYSTEM}\n[[node]]\nname = \"bystander\"\nprogram = \"server.bc\"\n");
    let sandbox = with_system(&system, &[]);
    let test = finding(&sandbox);
    let said = sandbox.said(&["minimize", &test], 0);
    assert!(said.contains("nodes: 3 before, 2 now"), "{said}");
    let simple = test.replace(".dtest", ".min.dtest");
    let read = DTest::read(&sandbox.path(&simple)).unwrap();
    let names: Vec<&str> = read.nodes.iter().map(|node| &*node.hostname).collect();
    assert_eq!(names, ["server", "client"]);
    let said = sandbox.said(&["replay", &simple], 0);
    assert!(said.contains("reproduced: assert on server"), "{said}");
}

#[test]
fn preemptions_are_part_of_a_trace() {
    let system = "[[node]]\nname = \"racer\"\nprogram = \"racer.bc\"\n";
    let sandbox = with_system(system, &["--preempt", "1"]);
    let test = finding(&sandbox);
    let said = sandbox.said(&["replay", "--trace", &test], 0);
    assert!(said.contains("racer: thread 101 runs instead of 102 (preemption "), "{said}");
    assert!(said.contains("racer.c:8:3 in add"), "{said}");
    assert!(said.contains("reproduced: assert on racer"), "{said}");
}
