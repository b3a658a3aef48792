//! `everett replay --changed` as users see it: tests of programs that have changed since, and `everett
//! replay` without a test.

use std::fs;
use std::path::Path;

use crate::sandbox::Sandbox;

const REQUESTS: [(&str, &str); 2] = [("server", "server"), ("client", "client")];
const QUESTIONS: [(&str, &str); 2] = [("server", "answerer"), ("client", "asker")];

/// A system of nodes and their programs, explored with flags.
fn explored(nodes: &[(&str, &str)], flags: &[&str]) -> Sandbox {
    let sandbox = Sandbox::new();
    let mut system = String::new();
    for (start, (node, program)) in nodes.iter().enumerate() {
        build(&sandbox, program, &[]);
        system.push_str(&format!("[[node]]\nname = \"{node}\"\nprogram = \"{program}\"\n"));
        system.push_str(&format!("start = {start}\n"));
    }
    fs::write(sandbox.path("system.toml"), system).unwrap();
    let run = ["run", "--workers", "1", "--out", "out", "system.toml"];
    sandbox.said(&[&run[..], flags].concat(), 1);
    sandbox
}

/// Compiles a program, in one of its variants.
fn build(sandbox: &Sandbox, program: &str, flags: &[&str]) {
    let source = format!("{program}.c");
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/commands/changed").join(&source);
    fs::copy(from, sandbox.path(&source)).unwrap();
    sandbox.said(&[&["cc", "-g"], flags, &[&source, "-o", program]].concat(), 0);
}

/// The test of the only finding.
fn test(sandbox: &Sandbox) -> String {
    let summary = fs::read(sandbox.path("out/summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&summary).unwrap();
    format!("out/{}", summary["findings"][0]["dtest"].as_str().unwrap())
}

/// The verdict of a test about a variant of a program, in the engine, and natively if that is asked for.
fn judged(sandbox: &Sandbox, program: &str, flags: &[&str], natively: bool, code: i32) -> String {
    build(sandbox, program, flags);
    let test = test(sandbox);
    let said = sandbox.said(&["replay", "--changed", &test], code);
    let verdict = said.lines().last().unwrap();
    if natively {
        let native = sandbox.said(&["replay", "--native", "--changed", &test], code);
        assert!(native.lines().any(|line| line == verdict), "{verdict}: {native}");
    }
    said
}

#[test]
fn a_test_of_changed_programs_is_refused_and_says_what_to_do() {
    let sandbox = explored(&REQUESTS, &[]);
    build(&sandbox, "server", &["-DFIXED"]);
    let said = sandbox.said(&["replay", &test(&sandbox)], 2);
    assert!(said.contains("has changed since the test was written"), "{said}");
    assert!(said.contains("`everett replay --changed` runs the test on the new program"), "{said}");
}

#[test]
fn a_finding_is_fixed_or_still_there() {
    let sandbox = explored(&REQUESTS, &[]);
    let said = sandbox.said(&["replay", "--changed", &test(&sandbox)], 1);
    assert!(said.contains("note: no program has changed since the test was written"), "{said}");
    assert!(said.contains("still there: assert on server, server.c:14:3"), "{said}");

    let said = judged(&sandbox, "server", &["-DFIXED"], true, 0);
    let expected = "fixed: assert on server, server.c:14:3 no longer appears; no finding \
                    (server waits in recvfrom; client exited with 0)";
    assert!(said.contains("changed since the test was written: the program of server\n"), "{said}");
    assert!(said.contains(expected), "{said}");

    let said = judged(&sandbox, "server", &["-DLOUD", "-O1"], true, 1);
    assert!(said.contains("finding 1: assert on server"), "{said}");
    assert!(said.contains("still there: assert on server, server.c:14:3"), "{said}");
}

#[test]
fn commands_that_are_only_shown_have_no_verdict() {
    let sandbox = explored(&REQUESTS, &[]);
    build(&sandbox, "server", &["-DFIXED"]);
    let args = ["replay", "--native", "--changed", "--dry-run", &test(&sandbox)];
    let said = sandbox.said(&args, 0);
    assert!(said.contains("# The script:") && !said.contains("fixed"), "{said}");
}

#[test]
fn nobody_can_tell_after_a_change_of_the_protocol() {
    let sandbox = explored(&REQUESTS, &[]);
    build(&sandbox, "server", &["-DNEWER", "-DFIXED"]);
    let said = judged(&sandbox, "client", &["-DNEWER"], true, 3);
    let expected = "cannot tell whether assert on server, server.c:14:3 is still there: message 1 \
                    from client to server is udp data of 5 bytes, client.c:24 in main, and udp data of 4 \
                    bytes in the test";
    assert!(said.contains(expected), "{said}");
    assert!(said.contains("the program of server, client\n"), "{said}");
    // With the bug, it is there all the same.
    judged(&sandbox, "server", &["-DNEWER"], false, 1);
}

#[test]
fn inputs_are_found_by_name() {
    let sandbox = explored(&REQUESTS, &[]);
    let said = judged(&sandbox, "client", &["-DMORE"], true, 1);
    let expected = "note: node client: the test has no input 'mode' (4 bytes, client.c:20 in main); \
                    it is zero";
    assert!(said.contains(expected), "{said}");

    build(&sandbox, "server", &["-DFIXED"]);
    let said = judged(&sandbox, "client", &["-DLONGER"], false, 3);
    let expected =
        "node client: input 'request' has 8 bytes, client.c:22 in main, and 4 bytes in the test";
    assert!(said.contains(expected), "{said}");
}

#[test]
fn another_finding_is_told_as_such() {
    let sandbox = explored(&REQUESTS, &[]);
    let text = fs::read_to_string(sandbox.path(&test(&sandbox))).unwrap();
    fs::write(
        sandbox.path(&test(&sandbox)),
        text.replace("function=\"check\"", "function=\"verify\""),
    )
    .unwrap();
    let said = sandbox.said(&["replay", "--changed", &test(&sandbox)], 3);
    assert!(
        said.contains("is still there: another finding comes before it: assert on server"),
        "{said}"
    );
}

#[test]
fn a_lost_packet_is_found_where_it_is_now() {
    let sandbox = explored(&QUESTIONS, &["--lost-packet-count", "1"]);
    let said = judged(&sandbox, "asker", &["-DFIXED"], true, 0);
    assert!(said.contains("fixed: assert on client"), "{said}");
    let said = judged(&sandbox, "asker", &["-DPOLITE"], true, 1);
    assert!(said.contains("still there: assert on client"), "{said}");
    let expected = "node server: `lost UDP packet 1 (10.0.0.2:32768 -> 10.0.0.1:7000, 1 byte)` of the \
                    test is `lost UDP packet 2 (10.0.0.2:32768 -> 10.0.0.1:7000, 1 byte)` now (place 2 \
                    where that is possible, 1 in the test)";
    assert!(said.contains(expected), "{said}");
}

#[test]
fn a_crash_is_found_where_it_is_now() {
    let sandbox = explored(&[("host", "keeper")], &["--max-reboots", "1"]);
    let said = judged(&sandbox, "keeper", &["-DFIXED"], true, 0);
    assert!(said.contains("fixed: assert on host"), "{said}");
    let said = judged(&sandbox, "keeper", &["-DLOUD"], true, 1);
    assert!(said.contains("still there: assert on host"), "{said}");
}

#[test]
fn a_preemption_is_found_where_it_is_now() {
    let sandbox = explored(&[("host", "racer")], &["--preempt", "1"]);
    let said = judged(&sandbox, "racer", &["-DFIXED"], true, 0);
    assert!(said.contains("fixed: assert on host"), "{said}");
    let said = judged(&sandbox, "racer", &["-DLOUD"], true, 1);
    assert!(said.contains("still there: assert on host"), "{said}");
}

#[test]
fn without_a_name_it_is_the_finding_of_the_last_run() {
    let sandbox = explored(&REQUESTS, &[]);
    let said = sandbox.said(&["replay"], 2);
    assert!(said.contains("no test is named, and the last run is not there"), "{said}");
    sandbox.said(&["run", "--workers", "1", "system.toml"], 1);
    let said = sandbox.said(&["replay"], 0);
    assert!(said.contains("reproduced: assert on server"), "{said}");
    build(&sandbox, "server", &["-DFIXED"]);
    let said = sandbox.said(&["replay", "--changed"], 0);
    assert!(said.contains("fixed: assert on server"), "{said}");
    sandbox.said(&["run", "--workers", "1", "system.toml"], 0);
    let said = sandbox.said(&["replay"], 2);
    assert!(said.contains("everett-out/last, has no finding"), "{said}");
}
