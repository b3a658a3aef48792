//! `everett coverage`, and where the time of a run went: `everett run --profile`.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::sandbox::Sandbox;

/// Says what a letter is. Without `SYMBOLIC`, the letter is the argument.
const LETTERS: &str = r#"#include <klee/klee.h>
#include <string.h>

static int is_vowel(int c) {
  if (c == 'a' || c == 'e')
    return 1;
  return 0;
}

static int is_digit(int c) {
  return c >= '0' && c <= '9';
}

int main(int argc, char **argv) {
  int c = argv[1][0];
  int sum = 0;
  for (int i = 0; i < 10; i++)
    sum += i;
  if (is_vowel(c))
    return 1;
  if (c > 'm')
    return is_digit(c);
  return sum;
}
"#;

/// Forks twice in one line, and asks a hard question in another one.
const FORKS: &str = r#"#include <klee/klee.h>

static unsigned spin(unsigned rounds) {
  unsigned sum = 0;
  for (unsigned i = 0; i < rounds; i++)
    sum += i;
  return sum;
}

int main(void) {
  unsigned a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  if (a * b == 1000003 && a > 1 && b > 1)
    return 1;
  return (int)spin(100);
}
"#;

/// Compiles a program as its source has it, with all of its branches.
fn compile(sandbox: &Sandbox, name: &str, source: &str) {
    sandbox.write(&format!("{name}.c"), source);
    sandbox.run(&["cc", "-O0", "-g", &format!("{name}.c"), "-o", name], 0);
}

fn run(sandbox: &Sandbox, argument: &str, out: &str) {
    sandbox.run(&["run", "-q", "--out", out, "letters", "--", argument], 0);
}

/// The lines of a text that contain a word.
fn lines_with<'t>(text: &'t str, word: &str) -> Vec<&'t str> {
    text.lines().filter(|line| line.contains(word)).collect()
}

#[test]
fn coverage_of_several_runs_is_merged_and_compared() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "letters", LETTERS);
    for (argument, out) in [("a", "vowel"), ("e", "other"), ("z", "late"), ("b", "early")] {
        run(&sandbox, argument, out);
    }
    let one = sandbox.printed(&["coverage", "report", "vowel"], 0);
    assert!(one.contains("coverage of 1 run\n"), "{one}");
    assert!(one.contains("of functions: 2 of 3"), "{one}");
    let all = sandbox.printed(&["coverage", "report", "vowel", "other", "late", "early"], 0);
    for whole in ["instructions: ", "lines: ", "functions: 3 of 3"] {
        assert!(all.contains(whole), "{all}");
    }
    assert_eq!(lines_with(&all, "is_vowel")[0].split_whitespace().next(), Some("100%"), "{all}");
    // A merge of merges is the merge of all, whatever the order.
    sandbox.run(&["coverage", "merge", "vowel", "other", "-o", "first"], 0);
    sandbox.run(&["coverage", "merge", "late", "early", "-o", "second"], 0);
    sandbox.run(&["coverage", "merge", "first", "second", "-o", "both"], 0);
    sandbox.run(&["coverage", "merge", "early", "other", "late", "vowel", "-o", "again"], 0);
    let text = |name: &str| fs::read_to_string(sandbox.path(name)).unwrap();
    assert_eq!(text("both/coverage.json"), text("again/coverage.json"));
    let merged = sandbox.printed(&["coverage", "report", "both"], 0);
    assert_eq!(merged.lines().skip(1).collect::<Vec<_>>(), all.lines().skip(1).collect::<Vec<_>>());
    // What one run adds to the other.
    let diff = sandbox.printed(&["coverage", "diff", "vowel", "late"], 0);
    let (only_vowel, only_late) = diff.split_once("\nonly in late: ").unwrap();
    assert!(only_vowel.starts_with("only in vowel: "), "{diff}");
    assert!(only_vowel.contains("letters.c: is_vowel: lines 6"), "{diff}");
    assert!(!only_vowel.contains("is_digit"), "{diff}");
    assert!(only_late.contains("letters.c: is_digit: lines 1"), "{diff}");
    assert!(only_late.contains("another side of the branches in 5"), "{diff}");
    let same = sandbox.printed(&["coverage", "diff", "both", "again"], 0);
    assert_eq!(same, "only in both: nothing\n\nonly in again: nothing\n");
    // Another input takes another way through one line.
    let diff = sandbox.printed(&["coverage", "diff", "vowel", "other"], 0);
    assert!(diff.contains("is_vowel: another side of the branches in 5"), "{diff}");
    assert!(!diff.contains(": lines "), "{diff}");
}

#[test]
fn functions_that_count_are_listed_in_a_file() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "letters", LETTERS);
    run(&sandbox, "a", "out");
    sandbox.write("functions", "# what matters\nletters.c:is_*\n");
    let report = ["coverage", "report", "out", "--functions", "functions"];
    let text = sandbox.printed(&report, 0);
    assert!(text.contains("of functions: 1 of 2"), "{text}");
    assert!(!text.contains("main"), "{text}");
    sandbox.write("functions", "is_vowel\nis_dijit\n");
    let said = sandbox.said(&report, 2);
    assert!(said.contains("functions: line 2: no program has a function is_dijit"), "{said}");
    assert!(said.contains("did you mean is_digit?"), "{said}");
}

#[test]
fn lcov_and_the_page_have_branches() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "letters", LETTERS);
    run(&sandbox, "a", "out");
    let lcov = sandbox.printed(&["coverage", "report", "out", "--format", "lcov"], 0);
    // `c == 'a'` held, and `c == 'e'` was not asked.
    let branches = lines_with(&lcov, "BRDA:5,");
    assert_eq!(branches, ["BRDA:5,0,0,1", "BRDA:5,0,1,0", "BRDA:5,1,0,-", "BRDA:5,1,1,-"]);
    let of = |key: &str| -> Vec<u64> {
        let values = lcov.lines().filter_map(|line| line.strip_prefix(key));
        values.map(|value| value.parse().unwrap()).collect()
    };
    let listed = lcov.matches("BRDA:").count() as u64;
    assert_eq!(of("BRF:"), [listed]);
    assert!(of("BRH:")[0] < listed && of("BRH:")[0] > 0, "{lcov}");
    sandbox.run(&["coverage", "report", "out", "--format", "html", "-o", "page.html"], 0);
    let page = fs::read_to_string(sandbox.path("page.html")).unwrap();
    assert!(page.contains("Coverage of 1 run") && page.contains("1 of 4 sides"), "{page}");
    let report = fs::read_to_string(sandbox.path("out/report.html")).unwrap();
    assert!(report.contains("1 of 4 sides"), "{report}");
}

#[test]
fn changed_programs_and_other_folders_are_errors() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "letters", LETTERS);
    run(&sandbox, "a", "before");
    compile(
        &sandbox,
        "letters",
        &LETTERS.replace("'0' && c <= '9'", "'0' && c <= '8' && c != '5'"),
    );
    run(&sandbox, "a", "after");
    for command in
        [&["coverage", "report", "before", "after"][..], &["coverage", "diff", "before", "after"]]
    {
        let said = sandbox.said(command, 2);
        assert!(
            said.contains("after: letters.c is another program than in the folders before"),
            "{said}"
        );
        assert!(said.contains("(is_digit differs)"), "{said}");
    }
    // The same code with another constant is another program, too.
    compile(&sandbox, "letters", &LETTERS.replace("'e'", "'i'"));
    run(&sandbox, "a", "constant");
    let said = sandbox.said(&["coverage", "report", "before", "constant"], 2);
    assert!(said.contains("all of its functions have as many instructions as before"), "{said}");
    fs::create_dir(sandbox.path("empty")).unwrap();
    let said = sandbox.said(&["coverage", "report", "empty"], 2);
    assert!(said.contains("empty has no coverage.json"), "{said}");
    sandbox.write("damaged/coverage.json", "{\"functions\": [");
    let said = sandbox.said(&["coverage", "report", "damaged"], 2);
    assert!(said.contains("coverage.json in damaged is damaged"), "{said}");
    sandbox.write("old/coverage.json", r#"{"functions": [{"function": "main", "total": 3}]}"#);
    let said = sandbox.said(&["coverage", "report", "old", "before"], 2);
    assert!(said.contains("an earlier version has made it"), "{said}");
    let said = sandbox.said(&["coverage", "merge", "before", "-o", "constant"], 2);
    assert!(said.contains("constant has the results of a run"), "{said}");
}

/// The number at a key of each entry of a list.
fn numbers(list: &Value, key: &str) -> Vec<u64> {
    list.as_array().unwrap().iter().map(|entry| entry[key].as_u64().unwrap()).collect()
}

#[test]
fn forks_and_queries_belong_to_lines_and_instructions_to_functions() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "forks", FORKS);
    let text = sandbox.printed(&["run", "--workers", "1", "--profile", "--out", "out", "forks"], 0);
    let (summary, profile) = (sandbox.json("out/summary.json"), sandbox.json("out/profile.json"));
    let lines = &profile["lines"];
    // Each fork, query and instruction is somewhere, once.
    assert_eq!(numbers(lines, "forks").iter().sum::<u64>(), summary["forks"].as_u64().unwrap());
    assert_eq!(numbers(lines, "queries").iter().sum::<u64>(), summary["queries"].as_u64().unwrap());
    let functions = &profile["functions"];
    let executed = numbers(functions, "instructions");
    assert_eq!(executed.iter().sum::<u64>(), summary["instructions"].as_u64().unwrap());
    assert!(executed.is_sorted_by(|a, b| a >= b), "{functions}");
    let forking: Vec<&Value> =
        lines.as_array().unwrap().iter().filter(|line| line["forks"] != 0).collect();
    assert!(!forking.is_empty());
    for line in forking {
        assert_eq!((&line["file"], &line["line"]), (&"forks.c".into(), &14.into()), "{line}");
    }
    for part in ["forks by line", "time of the solver by line", "instructions by function", "spin"]
    {
        assert!(text.contains(part), "{text}");
    }
    // The counts are real in lcov's format: the loop has ended once on each path that comes there.
    let lcov = sandbox.printed(&["coverage", "report", "out", "--format", "lcov"], 0);
    let spins: u64 = lines_with(&lcov, "FNDA:")
        .iter()
        .find_map(|line| line.strip_prefix("FNDA:")?.strip_suffix(",spin")?.parse().ok())
        .unwrap();
    let counts: BTreeMap<u64, u64> = lines_with(&lcov, "DA:")
        .iter()
        .filter_map(|line| line.strip_prefix("DA:")?.split_once(','))
        .map(|(line, count)| (line.parse().unwrap(), count.parse().unwrap()))
        .collect();
    assert_eq!((counts[&4], counts[&6]), (spins, 100 * spins), "{lcov}");
    // Without the flag, instructions are not counted, and everything else is as it was.
    sandbox.run(&["run", "--workers", "1", "-q", "--out", "plain", "forks"], 0);
    let plain = sandbox.json("plain/profile.json");
    assert_eq!(plain["functions"], Value::Null);
    let coverage = |of: &str| {
        let json = sandbox.json(of);
        numbers(&json["functions"], "covered")
    };
    assert_eq!(coverage("plain/coverage.json"), coverage("out/coverage.json"));
    let page = fs::read_to_string(sandbox.path("out/report.html")).unwrap();
    assert!(page.contains("Forks by line") && page.contains("Instructions by function"), "{page}");
}

#[test]
fn systems_have_the_coverage_of_each_program() {
    let sandbox = crate::report::system();
    for workers in ["1", "3"] {
        let out = format!("out{workers}");
        sandbox.run(&["run", "-q", "--workers", workers, "--out", &out, "system.toml"], 1);
    }
    let programs = &sandbox.json("out1/coverage.json")["programs"];
    assert_eq!(programs.as_array().unwrap().len(), 2, "{programs}");
    let text = sandbox.printed(&["coverage", "report", "out1", "out3"], 0);
    assert!(text.contains("  client.c\n") && text.contains("  server.c\n"), "{text}");
    let same = sandbox.printed(&["coverage", "diff", "out1", "out3"], 0);
    assert_eq!(same, "only in out1: nothing\n\nonly in out3: nothing\n");
}
