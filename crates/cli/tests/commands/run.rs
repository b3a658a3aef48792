//! The command as users see it: exit codes, messages, the output folder, Ctrl-C.

mod live;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::sandbox::{Sandbox, output_of};

/// Compiles a program to `p.bc`.
fn compile(sandbox: &Sandbox, source: &str) {
    sandbox.write("p.c", source);
    sandbox.run(&["cc", "p.c", "-o", "p.bc"], 0);
}

const CLEAN: &str = "#include <klee/klee.h>\n\
    volatile int sink;\n\
    int main(void) { if (klee_int(\"x\") > 3) sink = 1; return 0; }\n";

const BUGGY: &str = "#include <klee/klee.h>\n\
    int table[4];\n\
    int main(void) {\n\
    \x20 unsigned char i;\n\
    \x20 klee_make_symbolic(&i, sizeof i, \"i\");\n\
    \x20 if (i > 4) return 0;\n\
    \x20 return table[i];\n\
    }\n";

const ENDLESS: &str = "#include <stdio.h>\n\
    volatile int n;\n\
    int main(void) { puts(\"started\"); for (;;) n++; }\n";

#[test]
fn clean_program_is_exhausted_with_code_0() {
    let sandbox = Sandbox::new();
    compile(&sandbox, CLEAN);
    let said = sandbox.run(&["run", "p.bc"], 0);
    assert!(said.out.contains("no findings; all paths explored"), "{}", said.out);
    assert_eq!(fs::read_link(sandbox.path("everett-out/last")).unwrap(), Path::new("000"));
    let summary = sandbox.json("everett-out/last/summary.json");
    assert_eq!(summary["outcome"], "exhausted");
    assert_eq!(summary["paths"], 2);
    assert_eq!(summary["forks"], 1);
    assert_eq!(summary["findings"], Value::Array(Vec::new()));
    assert!(summary["peak_rss_bytes"].as_u64().unwrap() > 0);
    sandbox.run(&["run", "p.bc"], 0);
    assert_eq!(fs::read_link(sandbox.path("everett-out/last")).unwrap(), Path::new("001"));
}

#[test]
fn names_in_a_mounted_folder_are_its_entries_or_lead_nowhere() {
    let sandbox = Sandbox::new();
    for (name, text) in [("data/ab", "A"), ("data/c", "C"), ("data/d/e", "E")] {
        sandbox.write(name, text);
    }
    let source = "#include <assert.h>\n#include <errno.h>\n#include <fcntl.h>\n\
        #include <klee/klee.h>\n#include <string.h>\n#include <unistd.h>\n\
        int main(void) {\n\
        \x20 char name[] = \"/data/??\", byte;\n\
        \x20 klee_make_symbolic(name + 6, 2, \"name\");\n\
        \x20 int fd = open(name, O_RDONLY);\n\
        \x20 if (fd < 0) {\n\
        \x20   assert(errno == ENOENT || errno == ENOTDIR);\n\
        \x20   assert(strcmp(name, \"/data/ab\") != 0 && access(name, F_OK) < 0);\n\
        \x20   return 1;\n\
        \x20 }\n\
        \x20 if (read(fd, &byte, 1) == 1 && byte == 'A') assert(strcmp(name, \"/data/ab\") == 0);\n\
        \x20 return 0;\n\
        }\n";
    compile(&sandbox, source);
    let said = sandbox.run(&["run", "--mount", "data:/data", "p.bc"], 0);
    assert!(said.out.contains("no findings; all paths explored"), "{}", said.out);
    assert_eq!(sandbox.json("everett-out/last/summary.json")["paths"], 18);
}

#[test]
fn program_that_executes_another_meets_with_faults() {
    let sandbox = Sandbox::new();
    sandbox
        .write("q.c", "#include <stdio.h>\nint main(void) { return printf(\"%d\\n\", 7) < 0; }\n");
    sandbox.run(&["cc", "q.c", "-o", "q"], 0);
    let source = "#include <unistd.h>\n\
        int main(void) {\n\
        \x20 execl(\"/q\", \"q\", (char *)0);\n\
        \x20 return 3;\n\
        }\n";
    compile(&sandbox, source);
    let said = sandbox.run(&["run", "--max-sys-fail", "1", "--mount", "q:/q", "p.bc"], 0);
    assert!(said.out.contains("no findings; all paths explored"), "{}", said.out);
    assert_eq!(sandbox.json("everett-out/last/summary.json")["paths"], 2);
}

#[test]
fn finding_is_shown_stored_and_replayed() {
    let sandbox = Sandbox::new();
    compile(&sandbox, BUGGY);
    let said = sandbox.run(&["run", "--out", "out", "p.bc"], 1);
    assert!(said.out.contains("finding 1: out-of-bounds"), "{}", said.out);
    assert!(said.out.contains("p.c:7"), "{}", said.out);
    assert!(said.out.contains("return table[i];"), "{}", said.out);

    let summary = sandbox.json("out/summary.json");
    let finding = &summary["findings"][0];
    assert_eq!(finding["kind"], "out-of-bounds");
    assert_eq!(finding["function"], "main");
    assert_eq!(finding["line"], 7);
    assert_eq!(finding["node"], "node0");
    assert_eq!(finding["inputs"][0]["unsigned"], 4);
    let test = finding["test"].as_str().unwrap();
    let stored = sandbox.json("out/findings/001-out-of-bounds.json");
    assert_eq!(stored, *finding);
    let text = fs::read_to_string(sandbox.path("out/findings/001-out-of-bounds.txt")).unwrap();
    assert!(text.starts_with("finding 1: out-of-bounds"), "{text}");
    assert!(fs::read_to_string(sandbox.path("out/run.txt")).unwrap().contains("--out out p.bc"));
    let coverage = sandbox.json("out/coverage.json");
    assert_eq!(coverage["functions"][0]["function"], "main");

    let test = format!("out/{test}");
    let said = sandbox.run(&["ktest", &test], 0);
    assert!(said.out.contains("[0] i, 1 byte"), "{}", said.out);
    let said = sandbox.run(&["run", "--ktest", &test, "p.bc"], 1);
    assert!(said.out.contains("finding 1: out-of-bounds"), "{}", said.out);
    assert!(!sandbox.path("everett-out").exists(), "a replay leaves no folder");
}

#[test]
fn limit_without_findings_is_code_3() {
    let sandbox = Sandbox::new();
    compile(&sandbox, ENDLESS);
    let said = sandbox.run(&["run", "--max-instructions", "10k", "p.bc"], 3);
    assert!(said.out.contains("no findings; stopped by the instruction limit"), "{}", said.out);
    assert_eq!(sandbox.json("everett-out/last/summary.json")["outcome"], "limit");
    sandbox.run(&["run", "--max-time", "100ms", "p.bc"], 3);
}

#[test]
fn ctrl_c_stops_and_writes_what_there_is() {
    let sandbox = Sandbox::new();
    compile(&sandbox, ENDLESS);
    let mut child = sandbox
        .everett(&["run", "--echo", "--max-time", "60s", "--out", "out", "p.bc"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "started");
    // The shell's own kill: a minimal system has no program of that name.
    let kill = format!("kill -INT {}", child.id());
    let killed = Command::new("sh").arg("-c").arg(kill).status().unwrap();
    assert!(killed.success());
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert!(rest.iter().any(|line| line == "no findings; stopped on request"), "{rest:?}");
    assert_eq!(sandbox.json("out/summary.json")["outcome"], "stopped");
}

#[test]
fn summary_is_the_same_for_every_run_but_for_times() {
    let sandbox = Sandbox::new();
    compile(&sandbox, BUGGY);
    let summary = |folder: &str| {
        sandbox.run(&["run", "--quiet", "--out", folder, "p.bc"], 1);
        let mut summary = sandbox.json(&format!("{folder}/summary.json"));
        for measured in ["solver_seconds", "wall_seconds", "peak_rss_bytes"] {
            assert!(summary.as_object_mut().unwrap().remove(measured).is_some(), "{measured}");
        }
        summary
    };
    assert_eq!(summary("first"), summary("second"));
}

#[test]
fn quiet_run_prints_nothing() {
    let sandbox = Sandbox::new();
    compile(&sandbox, BUGGY);
    let said = sandbox.run(&["run", "--quiet", "p.bc"], 1);
    assert_eq!((said.out.as_str(), said.err.as_str()), ("", ""));
}

#[test]
fn output_of_the_only_path_is_shown() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 7; }\n");
    let said = sandbox.run(&["run", "p.bc"], 0);
    assert!(said.out.starts_with("hello\n"), "{}", said.out);
    assert!(said.out.contains("exit code    7"), "{}", said.out);
}

#[test]
fn report_begins_in_a_line_of_its_own() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "#include <stdio.h>\nint main(void) { printf(\"no end\"); return 0; }\n");
    for args in [&["run", "p.bc"][..], &["run", "--echo", "p.bc"]] {
        let said = sandbox.run(args, 0);
        assert!(said.out.starts_with("no end\nno findings"), "{}", said.out);
    }
    compile(
        &sandbox,
        "#include <stdio.h>\n#include <stdlib.h>\n\
         int main(void) { printf(\"no end\"); fflush(stdout); abort(); }\n",
    );
    let said = sandbox.run(&["run", "--echo", "p.bc"], 1);
    assert!(said.out.contains("no end\n1 finding; "), "{}", said.out);
}

#[test]
fn run_without_symbolic_input_says_how_to_have_some() {
    let hint = "no input was symbolic:  try --sym-arg N";
    let sandbox = Sandbox::new();
    compile(
        &sandbox,
        "int main(int argc, char **argv) { return argc > 1 && argv[1][0] == 'x'; }\n",
    );
    let said = sandbox.run(&["run", "p.bc"], 0);
    assert!(said.out.contains(hint), "{}", said.out);
    let said = sandbox.run(&["run", "--sym-arg", "1", "p.bc"], 0);
    assert!(!said.out.contains(hint), "{}", said.out);
}

#[test]
fn files_that_are_no_programs_are_refused_with_what_to_do() {
    let sandbox = Sandbox::new();
    sandbox.write("p.c", CLEAN);
    sandbox.write("q.cpp", CLEAN);
    sandbox.write("script", "#!/bin/sh\nexit\n");
    sandbox.write("empty", "");
    sandbox.write("notes", "some text\n");
    fs::create_dir(sandbox.path("folder")).unwrap();
    let archive =
        Command::new("ar").args(["rc", "lib.a", "notes"]).current_dir(sandbox.path("")).status();
    assert!(archive.unwrap().success());
    fs::copy("/bin/true", sandbox.path("native")).unwrap();
    for (file, expected) in [
        ("p.c", "p.c is C source; compile it with `everett cc p.c -o p`, then run p"),
        ("q.cpp", "q.cpp is C++ source; compile it with `everett c++ q.cpp -o q`, then run q"),
        ("script", "script is a script; "),
        ("empty", "empty is empty; "),
        ("notes", "notes is text; "),
        ("folder", "folder is a folder; "),
        ("lib.a", "lib.a carries no bitcode: "),
        ("native", "native carries no bitcode: "),
        (
            "p",
            "cannot read p: No such file or directory (os error 2); compile it with `everett cc p.c -o p`",
        ),
    ] {
        for command in ["run", "check"] {
            let said = sandbox.run(&[command, file], 2);
            assert!(said.err.starts_with(&format!("error: {expected}")), "{file}: {}", said.err);
            assert!(said.err.contains("everett c") || file == "folder", "{file}: {}", said.err);
        }
    }
}

#[test]
fn causes_are_told_once() {
    let sandbox = Sandbox::new();
    compile(&sandbox, CLEAN);
    for args in [
        &["ktest", "none.ktest"][..],
        &["run", "--ktest", "none.ktest", "p.bc"],
        &["replay", "none.dtest"],
        &["run", "none.bc"],
        &["scenario", "check", "none.toml"],
        &["run", "none.toml"],
        &["run", "--invariants", "none.minv", "p.bc"],
        &["run", "--stdin", "none.txt", "p.bc"],
        &["bitcode", "none"],
    ] {
        let said = sandbox.run(args, 2);
        assert_eq!(said.err.matches("o such file").count(), 1, "{args:?}: {}", said.err);
    }
    let said = sandbox.run(&["ktest", "p.bc"], 2);
    assert_eq!(said.err.matches("at byte").count(), 1, "{}", said.err);
}

#[test]
fn several_files_become_one_program() {
    let sandbox = Sandbox::new();
    sandbox.write("a.c", "int twice(int);\nint main(void) { return twice(4) != 8; }\n");
    sandbox.write("b.c", "int twice(int x) { return FACTOR * x; }\n");
    sandbox.run(&["cc", "-DFACTOR=2", "a.c", "b.c", "-o", "p.bc"], 0);
    let said = sandbox.run(&["run", "p.bc"], 0);
    assert!(said.out.contains("exit code    0"), "{}", said.out);
    let said = sandbox.run(&["check", "p.bc"], 0);
    assert!(said.out.starts_with("p.bc: 2 functions"), "{}", said.out);
}

#[test]
fn check_names_what_is_undefined() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "int elsewhere(void);\nint main(void) { return elsewhere(); }\n");
    let said = sandbox.run(&["check", "p.bc"], 0);
    assert!(said.out.contains("undefined: elsewhere"), "{}", said.out);
    sandbox.run(&["run", "p.bc"], 1);
    sandbox.run(&["run", "--symbolic-fn", "elsewhere", "p.bc"], 0);
}

#[test]
fn missing_and_broken_files_are_named() {
    let sandbox = Sandbox::new();
    for command in ["run", "check"] {
        let said = sandbox.run(&[command, "none.bc"], 2);
        assert!(said.err.starts_with("error: cannot read none.bc: No such file"), "{}", said.err);
        assert_eq!(said.out, "");
    }
    compile(&sandbox, CLEAN);
    let bytes = fs::read(sandbox.path("p.bc")).unwrap();
    fs::write(sandbox.path("half.bc"), &bytes[..bytes.len() / 2]).unwrap();
    sandbox.write("text.bc", "this is not bitcode\n");
    fs::write(sandbox.path("elf.bc"), b"\x7fELF\x02\x01\x01\0").unwrap();
    for file in ["half.bc", "text.bc", "elf.bc"] {
        let said = sandbox.run(&["check", file], 2);
        assert!(said.err.starts_with(&format!("error: {file}")), "{}", said.err);
        assert!(!said.err.contains("panicked"), "{}", said.err);
        sandbox.run(&["run", file], 2);
    }
    assert!(!sandbox.path("everett-out").exists(), "a run that cannot start leaves no folder");
}

#[test]
fn mistakes_on_the_command_line_are_explained() {
    let sandbox = Sandbox::new();
    compile(&sandbox, CLEAN);
    let cases: [(&[&str], &str); 7] = [
        (&["run"], "<PROGRAM>"),
        (&["run", "--search", "best", "p.bc"], "random-state"),
        (&["run", "--max-time", "soon", "p.bc"], "10s, 5m"),
        (&["run", "--env", "A", "p.bc"], "NAME=VALUE"),
        (&["run", "--entry", "nowhere", "p.bc"], "nowhere"),
        (&["run", "--ktest", "p.bc", "p.bc"], "not a ktest file"),
        (&["cc", "a.c", "-o"], "-o needs a value"),
    ];
    for (args, expected) in cases {
        let said = sandbox.run(args, 2);
        assert!(said.err.contains(expected), "{args:?}: {}", said.err);
    }
}

#[test]
fn values_that_are_left_out_are_told_with_their_place() {
    let sandbox = Sandbox::new();
    compile(
        &sandbox,
        "#include <klee/klee.h>\n#include <stdlib.h>\n\
         int main(int argc, char **argv) {\n\
           volatile float f = __builtin_elementwise_sin((float)klee_range(0, 200, \"x\"));\n\
           if (f > 100) abort();\n\
           int y = klee_int(\"y\"), z = klee_get_value_i32(klee_int(\"z\"));\n\
           if (argc > 1 && y == z) abort();\n\
           return 0;\n\
         }\n",
    );
    let said = sandbox.run(&["run", "--out", "clean", "p.bc"], 3);
    assert!(
        said.out.contains("no findings; done, but not everything was explored"),
        "{}",
        said.out
    );
    let float = "1 symbolic floating-point operand replaced by one possible value in main at p.c:4";
    let asked = "1 value of klee_get_value replaced by one possible value in main at p.c:6";
    for line in ["  not explored\n", float, asked] {
        assert!(said.out.contains(line), "{line}: {}", said.out);
    }
    let summary = sandbox.json("clean/summary.json");
    assert_eq!((&summary["outcome"], &summary["limit"]), (&"limit".into(), &Value::Null));
    let said = sandbox.run(&["run", "--out", "found", "p.bc", "--", "x"], 1);
    assert!(said.out.contains("1 finding; done, but not everything was explored"), "{}", said.out);
    assert!(said.out.contains(float), "{}", said.out);
}

#[test]
fn what_would_be_ignored_when_it_is_repeated_is_refused() {
    let sandbox = Sandbox::new();
    compile(&sandbox, CLEAN);
    sandbox.write("a", "");
    let cases: [(&[&str], &str); 12] = [
        (&["--sym-files", "1", "4", "--sym-files", "2", "4"], "cannot be used multiple times"),
        (&["--sym-stdin", "1", "--sym-stdin", "2"], "cannot be used multiple times"),
        (&["--sym-random", "--sym-random"], "cannot be used multiple times"),
        (&["--sym-file", "A=1", "--sym-file", "./A=2"], "/home/user/A is given twice"),
        (&["--sym-file", "/home/user/B=1", "--sym-files", "2", "4"], "/home/user/B is given twice"),
        (&["--env", "A=1", "--env", "B=1", "--env", "A=2"], "A is set twice"),
        (&["--mount", "a:/x/y", "--mount", "a:/x//y"], "/x/y is given twice"),
        (&["--forward", "/x=a:1", "--forward", "/x=b:1"], "/x is given twice"),
        (&["--expose", "/x=1", "--expose", "/y=1"], "its path or its port is given twice"),
        (
            &["--partition-cut", "a|b", "--partition-cut", "a|b"],
            "--partition-cut a|b is given twice",
        ),
        (
            &["--link-budget", "a|b:loss=1", "--link-budget", "a|b:loss=2"],
            "a|b:loss is given twice",
        ),
        (&["--link-down-nodes", "a,b", "--link-down-nodes", "a"], "a is given twice"),
    ];
    for (flags, expected) in cases {
        let said = sandbox.run(&[&["run"], flags, &["p.bc"]].concat(), 2);
        assert!(said.err.contains(expected), "{flags:?}: {}", said.err);
    }
    let alone = sandbox.run(&["run", "--forward", "/x=db:5432", "p.bc"], 2);
    assert!(alone.err.contains("forward: there is no node `db`"), "{}", alone.err);
    let fine = ["run", "--sym-arg", "1", "--sym-arg", "1", "--sym-args", "0", "1", "1"];
    let more = ["--sym-args", "0", "0", "1", "--sym-file", "A=1", "--sym-file", "B=1", "p.bc"];
    sandbox.run(&[&fine[..], &more].concat(), 0);
}

#[test]
fn compiler_errors_end_with_the_compilers_code() {
    let sandbox = Sandbox::new();
    sandbox.write("p.c", "int main(void) { return undeclared; }\n");
    let said = sandbox.run(&["cc", "p.c", "-o", "p.bc"], 1);
    assert!(said.err.contains("p.c:1:25"), "{}", said.err);
    let said = output_of(sandbox.everett(&["cc", "p.c"]).env("EVERETT_CLANG", "no-clang"), 2);
    assert!(said.err.contains("cannot start no-clang"), "{}", said.err);
}

#[test]
fn folder_that_cannot_be_written_is_an_error_that_loses_nothing() {
    let sandbox = Sandbox::new();
    compile(&sandbox, BUGGY);
    sandbox.write("file", "");
    let said = sandbox.run(&["run", "--out", "file/out", "p.bc"], 2);
    assert!(said.err.contains("cannot make file/out"), "{}", said.err);
    fs::create_dir(sandbox.path("mine")).unwrap();
    sandbox.write("mine/thesis.tex", "");
    let said = sandbox.run(&["run", "--out", "mine", "p.bc"], 2);
    assert!(said.err.contains("mine is not empty"), "{}", said.err);
}

#[test]
fn full_disk_is_an_error_that_loses_nothing() {
    let sandbox = Sandbox::new();
    compile(&sandbox, BUGGY);
    // The program is in the cache from here on, so only results have to be written.
    sandbox.run(&["check", "p.bc"], 0);
    for flag in ["--all-findings", "--quiet"] {
        // Files of more than one block cannot be written, as on a disk that is nearly full.
        let script = r#"trap "" XFSZ; ulimit -f 1; exec "$@""#;
        let everett = sandbox.everett(&["run", "--out", "out", flag, "p.bc"]);
        let mut limited = sandbox.host("sh");
        limited.args(["-c", script, "sh"]).arg(everett.get_program()).args(everett.get_args());
        let said = output_of(&mut limited, 2);
        assert!(said.err.contains("error: cannot write out/"), "{}", said.err);
        assert!(said.out.contains("finding 1: out-of-bounds"), "{}", said.out);
    }
}

/// Exposes a symbolic byte that is below 10.
const EXPOSING: &str = r#"
#include <everett.h>
int main(void) {
  unsigned char level;
  everett_symbolic(level);
  klee_assume(level < 10);
  everett_expose(1, "level", level);
  return 0;
}
"#;

/// The sources of an invariant over the exposed byte.
const SOURCES: &str = "string[] nodes() { return sys.nodes(); }\n\
    int[] states(string node) { return int[1]; }\n\
    string[] keys(string node, int state) { return string[\"level\"]; }\n";

#[test]
fn violated_invariant_is_a_finding_with_its_values() {
    let sandbox = Sandbox::new();
    compile(&sandbox, EXPOSING);
    let low =
        "invariant low(data[] d) : nodes, states, keys { return d.all(x => x.uint8() < 9); }\n";
    sandbox.write("low.minv", &format!("{low}{SOURCES}"));
    let said = sandbox.run(&["run", "--out", "out", "--invariants", "low.minv", "p.bc"], 1);
    assert!(said.out.contains("finding 1: invariant: invariant low is violated"), "{}", said.out);
    assert!(said.out.contains("low at low.minv:1:11"), "{}", said.out);
    assert!(said.out.contains("node0  level[1] = 9 (symbolic)"), "{}", said.out);
    let summary = sandbox.json("out/summary.json");
    assert_eq!(summary["invariants"]["violations"], 1);
    assert_eq!(summary["findings"][0]["violation"]["values"][0]["bytes"], "09");
    // The path went on to its end.
    assert_eq!(
        (&summary["paths"], &summary["outcome"]),
        (&Value::from(1), &Value::from("exhausted"))
    );
}

#[test]
fn invariant_that_holds_for_all_values_is_no_finding() {
    let sandbox = Sandbox::new();
    compile(&sandbox, EXPOSING);
    let low =
        "invariant low(data[] d) : nodes, states, keys { return d.all(x => x.uint8() < 10); }\n";
    sandbox.write("low.minv", &format!("{low}{SOURCES}"));
    sandbox.run(&["run", "--invariants", "low.minv", "p.bc"], 0);
}

#[test]
fn invariants_that_cannot_be_read_or_evaluated_are_named() {
    let sandbox = Sandbox::new();
    compile(&sandbox, EXPOSING);
    sandbox.write(
        "bad.minv",
        "invariant x(data[] d) : nodes, states, keys { return d.lenght() == 1; }\n",
    );
    let said = sandbox.run(&["run", "--invariants", "bad.minv", "p.bc"], 2);
    assert!(said.err.contains("bad.minv:1:") && said.err.contains("length"), "{}", said.err);
    let said = sandbox.run(&["run", "--invariants", "none.minv", "p.bc"], 2);
    assert!(said.err.contains("none.minv"), "{}", said.err);
    sandbox.write("empty.minv", SOURCES);
    let said = sandbox.run(&["run", "--invariants", "empty.minv", "p.bc"], 2);
    assert!(said.err.contains("there is no invariant in it"), "{}", said.err);
    let division =
        "invariant x(data[] d) : nodes, states, keys { return 1 / (d.length() - 1) == 0; }\n";
    sandbox.write("division.minv", &format!("{division}{SOURCES}"));
    let said = sandbox.run(&["run", "--out", "out", "--invariants", "division.minv", "p.bc"], 2);
    let all = format!("{}{}", said.out, said.err);
    assert!(all.contains("division by zero") && all.contains("division.minv:1:"), "{all}");
}

#[test]
fn help_lists_the_commands_and_hides_the_internal_one() {
    let sandbox = Sandbox::new();
    let said = sandbox.run(&["--help"], 0);
    for command in ["cc", "c++", "bitcode", "run", "faults", "ktest", "check"] {
        assert!(said.out.contains(&format!("\n  {command} ")), "{}", said.out);
    }
    assert!(!said.out.contains("lower"), "{}", said.out);
    let said = sandbox.run(&["run", "--help"], 0);
    assert!(said.out.contains("--max-path-instructions"), "{}", said.out);
    let said = sandbox.run(&["cc", "--help"], 0);
    assert!(said.out.contains("the results carry their bitcode"), "{}", said.out);
}

#[test]
fn a_thread_that_returns_with_a_lock_is_reported_at_its_end() {
    let sandbox = Sandbox::new();
    let program = "#include <pthread.h>\n\
        static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;\n\
        static void *keep(void *unused) {\n\
        \x20 pthread_mutex_lock(&mutex);\n\
        \x20 return unused;\n\
        }\n\
        int main(void) {\n\
        \x20 pthread_t thread;\n\
        \x20 pthread_create(&thread, 0, keep, 0);\n\
        \x20 return pthread_join(thread, 0);\n\
        }\n";
    sandbox.write("keep.c", program);
    sandbox.run(&["cc", "-g", "keep.c", "-o", "keep.bc"], 0);
    sandbox.run(&["run", "keep.bc"], 0);
    sandbox.run(&["run", "--check", "locks", "--out", "out", "keep.bc"], 1);
    let finding = &sandbox.json("out/summary.json")["findings"][0];
    assert_eq!(finding["kind"], "lock-misuse");
    let message = finding["message"].as_str().unwrap();
    assert!(message.contains("a mutex, which it has locked in keep.c:4 in keep"), "{message}");
}
