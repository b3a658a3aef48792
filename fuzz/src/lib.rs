//! The fuzz targets: functions that take any bytes and panic when something is wrong.
//!
//! They have two drivers. `cargo fuzz` runs the files in `fuzz_targets` under libFuzzer, which is the
//! way to search long and deep. `cargo xtask fuzz` runs the same functions with the deterministic
//! mutations of [`mutate`], which needs no installation and gives the same inputs every time: that is
//! what continuous integration does. The bitcode loader is fuzzed by the second only, through the
//! `everett` binary, because LLVM's own reader may end its process on damaged input.

#![forbid(unsafe_code)]

pub mod choices;
pub mod mutate;
pub mod shrink;

use std::path::Path;

use everett_replay::{DTest, KTest};
use minvariant::{EvalLimits, Program, Providers, Recording};

/// Reads the bytes as a test file. What can be read can be listed, and written and read again.
pub fn ktest(data: &[u8]) {
    let Ok(test) = KTest::from_bytes(data) else { return };
    assert!(!test.to_string().is_empty());
    let written = test.to_bytes().expect("what was read fits the format");
    let again = KTest::from_bytes(&written).expect("what was written can be read");
    assert_eq!(again, test, "reading what was written gives another test");
}

/// Reads the bytes as a test of a system. What can be read can be written and read again; what cannot says
/// where.
pub fn dtest(data: &[u8]) {
    match DTest::from_xml(data) {
        Ok(test) => {
            let written = test.to_xml();
            let again = DTest::from_xml(written.as_bytes());
            let again = again.expect("what was written can be read");
            assert_eq!(again, test, "reading what was written gives another test");
        }
        Err(error) => {
            let lines = data.iter().filter(|byte| **byte == b'\n').count() + 1;
            assert!((1..=lines).contains(&(error.line as usize)), "no place: {error}");
            assert!(error.column > 0, "no place: {error}");
        }
    }
}

/// Builds terms as the bytes say and compares every one with its unsimplified meaning.
pub fn expr(data: &[u8]) {
    everett_expr::fuzzing::check(data);
}

/// Reads the bytes as a scenario. What is good can be drawn, and what is not says where.
pub fn scenario(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match everett_scenario::parse(&text, Path::new("system.toml")) {
        Ok(scenario) => {
            let nodes = scenario.topology.nodes();
            assert_eq!(scenario.nodes.len(), nodes.len(), "a node is no host, or a host no node");
            for (node, host) in scenario.nodes.iter().zip(nodes) {
                assert_eq!(node.name, host.name, "nodes are in another order than hosts");
            }
            assert!(scenario.topology.draw().ends_with("</svg>\n"));
        }
        Err(errors) => {
            assert!(errors.count() > 0, "refused without a reason");
            let shown = errors.to_string();
            assert!(shown.starts_with("system.toml:"), "a problem has no place: {shown}");
        }
    }
}

/// Reads the bytes as a program. What is good keeps its meaning when it is formatted, and can be evaluated;
/// what is not says where.
pub fn minvariant(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let formatted = minvariant::format("fuzz.minv", &text);
    if let Ok(formatted) = &formatted {
        let again =
            minvariant::format("fuzz.minv", formatted).expect("the formatted text is a program");
        assert_eq!(again, *formatted, "formatting twice gives another text");
    }
    match Program::parse("fuzz.minv", &text) {
        Ok(program) => {
            let formatted = formatted.expect("a program can be formatted");
            let same = Program::parse("fuzz.minv", &formatted).expect("formatting keeps a program");
            assert_eq!(evaluate(&program), evaluate(&same), "formatting changes the meaning");
        }
        Err(errors) => {
            assert!(errors.count() > 0, "refused without a reason");
            let shown = errors.to_string();
            assert!(shown.starts_with("fuzz.minv:"), "a problem has no place: {shown}");
        }
    }
}

/// What comes of each invariant on a small recording; errors without their places.
fn evaluate(program: &Program) -> Vec<String> {
    let mut recording = Recording::new(["a", "b", "c"]);
    recording.expose("a", 1, "decision", b"yes");
    recording.expose("b", 1, "decision", &[1, 0, 0, 0]);
    recording.expose("a", 0, "v", b"\0\xff");
    let limits = EvalLimits { steps: 20_000, depth: 50, length: 2_000 };
    let mut results = Vec::new();
    for ended in [false, true] {
        recording.ended = ended;
        for invariant in program.invariants() {
            let verdict = program.verdict(invariant.id, Providers::of(&recording), &limits);
            results.push(match verdict {
                Ok(minvariant::Verdict::Violated(violation)) => {
                    format!("{:?}", violation.collected)
                }
                Ok(verdict) => format!("{verdict:?}"),
                Err(error) => error.fault.to_string(),
            });
        }
    }
    results
}

/// Programs to start from.
pub fn minvariant_seeds() -> Vec<Vec<u8>> {
    let seeds = [
        include_str!("../../crates/minvariant/tests/ok/arrays.minv"),
        include_str!("../../crates/minvariant/tests/ok/comments_and_layout.minv"),
        include_str!("../../crates/minvariant/tests/ok/control_flow.minv"),
        include_str!("../../crates/minvariant/tests/ok/data_numbers.minv"),
        include_str!("../../crates/minvariant/tests/ok/decision_consistency.minv"),
        include_str!("../../crates/minvariant/tests/ok/lambdas.minv"),
        include_str!("../../crates/minvariant/tests/ok/maps.minv"),
        include_str!("../../crates/minvariant/tests/ok/mutation.minv"),
        include_str!("../../crates/minvariant/tests/ok/quorum.minv"),
    ];
    seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect()
}

/// Tests of systems to start from.
pub fn dtest_seeds() -> Vec<Vec<u8>> {
    let seeds = [include_str!("../seeds/published.dtest"), include_str!("../seeds/recorded.dtest")];
    seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect()
}

/// Scenarios to start from.
pub fn scenario_seeds() -> Vec<Vec<u8>> {
    let seeds = [
        include_str!("../../tests/scenarios/ok/server_and_clients.toml"),
        include_str!("../../tests/scenarios/ok/two_networks.toml"),
        include_str!("../../tests/scenarios/ok/own_routes.toml"),
        include_str!("../../tests/scenarios/ok/every_key.toml"),
        include_str!("../../tests/scenarios/ok/every_key_of_a_node.toml"),
    ];
    seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect()
}

/// Inputs to start from, for targets whose format random bytes would never hit.
pub fn ktest_seeds() -> Vec<Vec<u8>> {
    use everett_replay::KTestObject;
    let mut test = KTest::new(["prog.bc", "-v"]);
    (test.sym_argvs, test.sym_argv_len) = (2, 8);
    test.objects.push(KTestObject::new("n", 7u32.to_le_bytes()));
    test.objects.push(KTestObject::new("buf", *b"GET / HTTP/1.0\r\n\r\n"));
    let bytes = test.to_bytes().expect("a small test fits the format");
    let old = [b"BOUT\n", &bytes[5..]].concat();
    let first = b"KTEST\0\0\0\x01\0\0\0\0\0\0\0\x01\0\0\0\x01n\0\0\0\x01\x09".to_vec();
    vec![bytes, old, first]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_good_test_files() {
        for seed in ktest_seeds() {
            KTest::from_bytes(&seed).expect("a seed is a test file");
            ktest(&seed);
        }
    }

    #[test]
    fn seeds_are_good_tests_of_systems() {
        for seed in dtest_seeds() {
            DTest::from_xml(&seed).expect("a seed is a test of a system");
            dtest(&seed);
        }
    }

    #[test]
    fn seeds_are_good_programs() {
        for seed in minvariant_seeds() {
            let text = String::from_utf8(seed.clone()).expect("a seed is text");
            Program::parse("seed.minv", &text).expect("a seed is a program");
            minvariant(&seed);
        }
    }

    #[test]
    fn seeds_are_good_scenarios() {
        for seed in scenario_seeds() {
            let text = String::from_utf8(seed.clone()).expect("a seed is text");
            let read = everett_scenario::parse(&text, Path::new("system.toml"));
            read.expect("a seed is a scenario");
            scenario(&seed);
        }
    }
}
