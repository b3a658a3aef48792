//! Gates: what makes the exit code of a run tell continuous integration that something is wrong.

use std::fs;

use serde_json::Value;

use crate::faults::compile;
use crate::report::system;
use crate::sandbox::Sandbox;

/// Two bugs, in functions of their own.
const TWO_BUGS: &str = r#"#include <klee/klee.h>
#include <stdlib.h>

static int first(unsigned char at) {
  char name[4] = "abc";
  return name[at];
}

static int second(unsigned char divisor) {
  return 100 / divisor;
}

int main(void) {
  unsigned char choice, value;
  klee_make_symbolic(&choice, 1, "choice");
  klee_make_symbolic(&value, 1, "value");
  klee_assume(value < 8);
  return choice ? first(value) : second(value);
}
"#;

fn gates(sandbox: &Sandbox, folder: &str) -> Value {
    sandbox.json(&format!("{folder}/summary.json"))["gates"].clone()
}

#[test]
fn only_kinds_that_count_fail_a_run() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "prog", TWO_BUGS);
    let run = |kinds: &str, code| {
        sandbox
            .printed(&["run", "prog", "--out", "out", "--report", "off", "--fail-on", kinds], code)
    };
    let said = run("none", 0);
    assert!(said.contains("passed  findings  none of 2 findings counts"), "{said}");
    assert!(said.contains("2 findings; all paths explored"), "they are reported: {said}");
    assert_eq!(gates(&sandbox, "out")["let_through"], serde_json::json!([1, 2]));
    run("assert,deadlock", 0);
    let said = run("assert,divide-by-zero", 1);
    assert!(said.contains("1 of kinds that --fail-on leaves out"), "{said}");
    assert!(said.contains("everett baseline DIR -o FILE"), "{said}");
    assert_eq!(gates(&sandbox, "out")["passed"], false);
    let said = sandbox.run(&["run", "prog", "--fail-on", "divide-by-zer"], 2).err;
    assert!(said.contains("did you mean `divide-by-zero`?"), "{said}");
}

#[test]
fn findings_of_a_baseline_are_known_wherever_their_lines_are() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "prog", TWO_BUGS);
    let run = |more: &[&str], code| {
        let words = ["run", "prog", "--out", "out", "--report", "off"];
        sandbox.printed(&[&words[..], more].concat(), code)
    };
    run(&["--export", "sarif"], 1);
    let said = sandbox.printed(&["baseline", "out", "-o", "known.txt"], 0);
    assert_eq!(said, "known.txt: 2 added, 0 kept, 0 removed\n");
    let known = fs::read_to_string(sandbox.path("known.txt")).unwrap();
    // The entries have the fingerprints that SARIF has.
    for result in sandbox.json("out/results.sarif")["runs"][0]["results"].as_array().unwrap() {
        let print = result["partialFingerprints"]["everettStack/v1"].as_str().unwrap();
        assert!(known.contains(&format!("\n{print} {}", result["ruleId"].as_str().unwrap())));
    }
    assert!(known.contains(" out-of-bounds prog.c:6:10 in first\n"), "{known}");
    // Lines above are no change; another bug is.
    compile(
        &sandbox,
        "prog",
        &TWO_BUGS.replace("\nstatic int first", "\n\n// more\nstatic int first"),
    );
    let all = "sarif,junit,github";
    let said = run(&["--baseline", "known.txt", "--export", all], 0);
    assert!(said.contains("none of 2 findings counts; 2 in the baseline"), "{said}");
    assert_eq!(said.matches("::warning file=prog.c").count(), 2, "{said}");
    let sarif = sandbox.json("out/results.sarif");
    assert_eq!(sarif["runs"][0]["results"][0]["baselineState"], "unchanged");
    let junit = fs::read_to_string(sandbox.path("out/junit.xml")).unwrap();
    assert!(junit.contains(r#"failures="0" errors="0" skipped="3""#), "{junit}");
    assert!(junit.contains("it is known: "), "{junit}");

    let changed = TWO_BUGS.replace("name[at]", "at > 3 ? 0 : name[at]").replace("100 /", "7 %");
    compile(&sandbox, "prog", &changed);
    let said = run(&["--baseline", "known.txt", "--export", all], 1);
    assert!(said.contains("failed  findings  finding 1 counts\n"), "{said}");
    assert_eq!(said.matches("    not found any more: ").count(), 2, "{said}");
    assert!(said.contains("::error title=gate findings::finding 1 counts"), "{said}");
    let state = &sandbox.json("out/results.sarif")["runs"][0]["results"][0]["baselineState"];
    assert_eq!(*state, "new");
    // What the user has written into the file stays.
    fs::write(sandbox.path("known.txt"), format!("# ours\n{known}")).unwrap();
    let said = sandbox.printed(&["baseline", "out", "-o", "known.txt"], 0);
    assert!(said.starts_with("known.txt: 1 added, 0 kept, 2 removed\n"), "{said}");
    run(&["--baseline", "known.txt"], 0);
    let text = fs::read_to_string(sandbox.path("known.txt")).unwrap();
    assert!(text.starts_with("# ours\n"), "{text}");
}

#[test]
fn a_run_has_to_meet_what_is_required_of_it() {
    let sandbox = system();
    let words =
        ["run", "system.toml", "--out", "out", "--fail-on", "none", "--export", "junit,github"];
    let required = ["--require-faults", "--require-invariants", "--min-coverage", "100"];
    let said = sandbox.printed(&[&words[..], &required].concat(), 4);
    for line in [
        "failed  faults      malloc was never possible",
        "failed  invariants  nobodyTells was never given any data",
        "passed  coverage    ",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
    assert!(said.contains("::error title=gate faults::malloc was never possible"), "{said}");
    let junit = fs::read_to_string(sandbox.path("out/junit.xml")).unwrap();
    let gates = junit.split("<testsuite ").find(|suite| suite.starts_with("name=\"gates\""));
    assert!(gates.unwrap().starts_with(r#"name="gates" tests="4" failures="2""#), "{junit}");
    let page = fs::read_to_string(sandbox.path("out/report.html")).unwrap();
    assert!(page.contains("<h3>Gates</h3>"));
    let text =
        "int main(int argc, char **argv) { return argc > 5 ? argv[1][0] / 3 + argc * 7 : 0; }\n";
    compile(&sandbox, "prog", text);
    let said = sandbox.printed(&["run", "prog", "--out", "part", "--min-coverage", "99.5"], 4);
    assert!(said.contains("%), less than 99.5%"), "{said}");
    // Findings are worse than gates.
    sandbox.run(&["run", "system.toml", "--out", "out", "--require-faults", "-q"], 1);
    // What is met is no reason to fail, and a scenario may say so.
    let text = fs::read_to_string(sandbox.path("system.toml")).unwrap();
    sandbox.write("known.txt", "# nothing is known\n");
    sandbox.write(
        "gates.toml",
        &format!(
            "{text}\n[gates]\nfail-on = [\"panic\"]\nmin-coverage = 1\nbaseline = \"known.txt\"\n"
        ),
    );
    let said = sandbox.printed(&["run", "gates.toml", "--out", "out"], 0);
    assert!(said.contains("passed  coverage  "), "{said}");
    // The command line wins over the file.
    sandbox.run(&["run", "gates.toml", "--out", "out", "-q", "--fail-on", "deadlock"], 1);
}

#[test]
fn gates_that_cannot_be_judged_are_refused() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "prog", "int main(void) { return 0; }\n");
    let refused = |words: &[&str], why: &str| {
        let said = sandbox.run(words, 2).err;
        assert!(said.contains(why), "{why}: {said}");
    };
    refused(&["run", "prog", "--baseline", "none.txt"], "cannot read the baseline none.txt");
    sandbox.write("known.txt", "# ok\nout-of-bounds\n");
    refused(&["run", "prog", "--baseline", "known.txt"], "line 2: expected a fingerprint");
    refused(&["run", "prog", "--min-coverage", "120"], "expected a number from 0 to 100");
    refused(&["faults", "prog", "--min-coverage", "1"], "--min-coverage: a search over faults");
    // A run without faults and invariants says nothing about them.
    let said = sandbox.printed(&["run", "prog", "--require-faults", "--require-invariants"], 4);
    assert!(said.contains("no fault is allowed") && said.contains("there are none"), "{said}");
    // A limit is less than a gate that has failed, and a gate that is met leaves it as it is.
    let many = "#include <klee/klee.h>\nint main(void) { int n; klee_make_symbolic(&n, 4, \"n\");\n\
                while (n--) klee_warning(\"once more\"); return 0; }\n";
    compile(&sandbox, "many", many);
    sandbox.run(&["run", "many", "--max-depth", "3", "--min-coverage", "1"], 3);
    sandbox.run(&["run", "many", "--max-depth", "3", "--require-faults"], 4);
    // A baseline that is none is not overwritten.
    sandbox.run(&["run", "prog", "--out", "out"], 0);
    refused(&["baseline", "out", "-o", "known.txt"], "is no baseline, and is left as it is");
}
