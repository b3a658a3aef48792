//! The checks of sanitizers: the engine says what the native sanitizer says.

use std::process::Command;

use crate::sandbox::Sandbox;

/// A program with one check a number.
const CHECKS: &str = include_str!("sanitizer/checks.c");
/// The numbers.
const NUMBERS: [std::ops::Range<u32>; 2] = [0..27, 30..44];
const FLAG: &str = "-fsanitize=undefined,float-divide-by-zero,unsigned-integer-overflow,\
                    implicit-conversion";

/// The program, compiled with its checks.
fn compiled(libc: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("checks.c", CHECKS);
    sandbox.run(&["cc", "-O0", "-g", "-w", FLAG, libc, "checks.c", "-o", "checks"], 0);
    sandbox
}

/// A message without addresses, which are others in the engine.
fn without_addresses(message: &str) -> String {
    let hide = |word: &str| match word.starts_with("0x") && word.len() < 20 {
        true => "ADDRESS".to_owned(),
        false => word.to_owned(),
    };
    message.split(' ').map(hide).collect::<Vec<_>>().join(" ")
}

#[test]
fn failed_checks_are_findings_in_the_words_of_the_native_sanitizer() {
    let sandbox = compiled("--libc=glibc");
    for number in NUMBERS.into_iter().flatten() {
        let number = number.to_string();
        let native = Command::new(sandbox.path("checks")).arg(&number).output().unwrap();
        let said = String::from_utf8_lossy(&native.stderr).into_owned();
        let first = said.lines().find_map(|line| line.split_once(": runtime error: "));
        let (place, expected) = first.unwrap_or_else(|| panic!("{number}: {said}"));
        sandbox.run(&["run", "--out", &number, "checks", "--", &number], 1);
        let finding = &sandbox.json(&format!("{number}/summary.json"))["findings"][0];
        let message = finding["message"].as_str().unwrap();
        assert_eq!(without_addresses(message), without_addresses(expected), "{number}");
        let found = format!("checks.c:{}:", finding["line"]);
        assert!(place.starts_with(&found), "{number}: {place} and {found}");
    }
    // Another number fails no check.
    sandbox.run(&["run", "checks", "--", "99"], 0);
}

/// A program whose check fails for one value of a byte, in a system of one node.
const COUNTER: &str = "#include <klee/klee.h>\n\
    int main(void) {\n\
    \x20 int x = klee_int(\"x\");\n\
    \x20 if (x < 0) return 0;\n\
    \x20 volatile int next = x + 1;\n\
    \x20 return next == 0;\n\
    }\n";
const SYSTEM: &str = "[[node]]\nname = 'counter'\nprogram = 'counter'\n";

#[test]
fn native_programs_end_where_a_check_fails() {
    for (libc, expected) in [
        ("--libc=musl", "reproduced: node counter is killed by signal"),
        ("--libc=glibc", "SUMMARY: UndefinedBehaviorSanitizer: undefined-behavior"),
    ] {
        let sandbox = Sandbox::new();
        sandbox.write("counter.c", COUNTER);
        sandbox.write("system.toml", SYSTEM);
        sandbox.run(&["cc", "-fsanitize=undefined", libc, "counter.c", "-o", "counter"], 0);
        sandbox.run(&["run", "--out", "out", "system.toml"], 1);
        let finding = &sandbox.json("out/summary.json")["findings"][0];
        assert_eq!(finding["kind"], "overflow");
        let test = format!("out/{}", finding["dtest"].as_str().unwrap());
        let said = sandbox.said(&["replay", &test], 0);
        assert!(said.contains("reproduced"), "{said}");
        let said = sandbox.said(&["replay", "--native", &test], 0);
        assert!(said.contains(expected), "{libc}: {said}");
    }
}

#[test]
fn sanitizers_with_a_runtime_of_their_own_are_refused_with_advice() {
    let sandbox = Sandbox::new();
    sandbox.write("p.c", "int main(void) { return 0; }\n");
    let said = sandbox.run(&["cc", "-fsanitize=address", "p.c", "-o", "p.bc"], 2).err;
    assert!(said.contains("-fsanitize=address is for native code: leave it out"), "{said}");
    let said = sandbox.run(&["cc", "-fsanitize=thread", "p.c", "-o", "p"], 2).err;
    assert!(said.contains("needs the host's C library: add --libc=glibc"), "{said}");
    // Bitcode of another compiler command.
    let mut clang = Command::new("clang-19");
    clang.args(["-fsanitize=address", "-c", "-emit-llvm", "p.c", "-o", "p.bc"]);
    assert!(clang.current_dir(sandbox.path(".")).status().unwrap().success());
    let said = sandbox.run(&["run", "p.bc"], 2).err;
    assert!(said.contains("is compiled with -fsanitize=address"), "{said}");
}
