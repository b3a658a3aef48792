//! Damaged inputs: the loader must never panic.
//!
//! LLVM itself may crash on bitcode that is damaged in the right place, so that every mutant is
//! loaded in a process of its own; such crashes are counted, ours fail the test.

use std::path::Path;
use std::process::Command;

use everett_base::Rng;
use everett_llvm::{LoadOptions, load};

use crate::clang;

/// Names the file that the child process loads.
const MUTANT: &str = "EVERETT_TEST_MUTANT";
/// The exit code of a test that panicked.
const PANICKED: i32 = 101;

const PROGRAM: &str = r#"
struct pair { int a; long b; } table[3] = {{1, 2}, {3, 4}};
static const char *names[] = {"one", "two"};
int printf(const char *, ...);
int sum(struct pair *p, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += p[i].a * (int)p[i].b;
    return s;
}
int main(int argc, char **argv) {
    switch (argc) { case 1: return sum(table, 3); case 7: printf("%s\n", names[1]); }
    return argv[0][0];
}
"#;

/// Not a test of its own: what the child process runs.
#[test]
fn child() {
    if let Some(path) = std::env::var_os(MUTANT) {
        let outcome = load(&[path.into()], &LoadOptions::default());
        println!("{}", if outcome.is_ok() { "loaded" } else { "refused" });
    }
}

/// Loads a file in a child process; `None` when LLVM killed it.
fn load_apart(path: &Path) -> Option<bool> {
    let exe = std::env::current_exe().unwrap();
    let mut child = Command::new(exe);
    child.args(["--exact", "mutation::child", "--nocapture"]).env(MUTANT, path);
    let output = child.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    if output.status.code() == Some(PANICKED) {
        panic!("{}: {}", path.display(), String::from_utf8_lossy(&output.stderr));
    }
    output.status.success().then(|| text.contains("loaded"))
}

/// Changes a few bytes, or cuts the end off.
fn mutate(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    for _ in 0..1 + rng.below(4) {
        let at = rng.below(changed.len() as u64) as usize;
        match rng.below(4) {
            0 => changed[at] ^= 1 << rng.below(8),
            1 => changed[at] = rng.next_u64() as u8,
            2 => changed.truncate(at.max(1)),
            _ => {
                let from = rng.below(changed.len() as u64) as usize;
                changed[at] = changed[from];
            }
        }
    }
    changed
}

fn survive(name: &str, bytes: &[u8], extension: &str, mutants: u32) {
    let folder = clang::scratch(name);
    let mut rng = Rng::new(7);
    let mut counts = [0; 3];
    for number in 0..mutants {
        let path = folder.join(format!("{number}.{extension}"));
        std::fs::write(&path, mutate(bytes, &mut rng)).unwrap();
        match load_apart(&path) {
            Some(true) => counts[0] += 1,
            Some(false) => counts[1] += 1,
            None => counts[2] += 1,
        }
    }
    let [loaded, refused, crashed] = counts;
    println!("{name}: {loaded} loaded, {refused} refused, {crashed} crashed LLVM");
    assert!(refused > 0, "some mutants are no longer valid");
}

#[test]
fn damaged_bitcode_never_panics() {
    let bitcode = clang::bitcode("mutation", PROGRAM, &["-O1", "-g"]);
    survive("mutants-bc", &bitcode, "bc", 150);
}

#[test]
fn damaged_text_never_panics() {
    let folder = clang::scratch("mutation-text");
    let (source, output) = (folder.join("m.c"), folder.join("m.ll"));
    std::fs::write(&source, PROGRAM).unwrap();
    clang::compile(&source, &["-O1", "-S"], &output);
    survive("mutants-ll", &std::fs::read(&output).unwrap(), "ll", 100);
}
