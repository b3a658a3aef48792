//! Checkpoints: runs that are killed, stopped and gone on with.

use std::fs;
use std::io::Read;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use crate::sandbox::Sandbox;

/// Rounds of killing a run; more of them find rarer moments.
const ROUNDS: &str = "EVERETT_KILL_ROUNDS";

/// The time between two looks at a run, and the number of looks for what is to happen soon.
const LOOKS_EVERY: Duration = Duration::from_millis(2);
const LOOKS_MAX: u32 = 30_000;

/// Forks at each of 9 bytes, works for a while on each path, and has a bug on some paths.
const MANY_PATHS: &str = "#include <klee/klee.h>\n\
    #include <assert.h>\n\
    volatile unsigned sink;\n\
    int main(void) {\n\
    \x20 unsigned char b[9]; unsigned sum = 0;\n\
    \x20 klee_make_symbolic(b, sizeof b, \"b\");\n\
    \x20 for (unsigned i = 0; i < sizeof b; i++) if (b[i] > 9) { sum++; sink = i; }\n\
    \x20 for (unsigned i = 0; i < 9000; i++) sink += i;\n\
    \x20 assert(sum != 9);\n\
    \x20 return sum == 8 ? 100 / (b[0] - 7) : 0;\n\
    }\n";

/// As long as somebody wants to look at it.
const ENDLESS: &str = "#include <klee/klee.h>\n\
    volatile unsigned sink;\n\
    int main(void) {\n\
    \x20 unsigned char b;\n\
    \x20 for (;;) { klee_make_symbolic(&b, 1, \"b\"); if (b > 9) sink++; }\n\
    }\n";

fn compile(sandbox: &Sandbox, source: &str) {
    sandbox.write("p.c", source);
    sandbox.run(&["cc", "p.c", "-o", "p.bc"], 0);
}

fn has_checkpoint(sandbox: &Sandbox) -> bool {
    sandbox.path("out/checkpoint/state").is_file()
}

/// Starts a command, which is killed after a while unless it ends before; returns `true` if it was killed.
fn killed_after(mut command: Command, time: Duration) -> bool {
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    for _ in 0..time.as_millis() / LOOKS_EVERY.as_millis() {
        if let Some(status) = child.try_wait().unwrap() {
            let mut said = String::new();
            child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
            assert_eq!(status.code(), Some(1), "the run has findings; {said}");
            return false;
        }
        sleep(LOOKS_EVERY);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    true
}

#[test]
fn run_that_is_killed_again_and_again_has_the_results_of_an_undisturbed_one() {
    let sandbox = Sandbox::new();
    compile(&sandbox, MANY_PATHS);
    let rounds = std::env::var(ROUNDS).ok().and_then(|text| text.parse().ok()).unwrap_or(1u64);
    for workers in ["1", "2"] {
        let words = ["run", "p.bc", "--tests", "all", "--workers", workers, "--checkpoint", "40ms"];
        sandbox.run(&[&words[..], &["--out", "whole"]].concat(), 1);
        let whole = sandbox.results("whole");
        for round in 0..rounds {
            let mut time = Duration::from_millis(60 + round * 37 % 200);
            while {
                let resume = ["resume", "out"];
                let begin = [&words[..], &["--out", "out"]].concat();
                let is_begun = has_checkpoint(&sandbox);
                killed_after(sandbox.everett(if is_begun { &resume } else { &begin }), time)
            } {
                time += Duration::from_millis(50);
            }
            assert_eq!(sandbox.results("out"), whole, "round {round}, {workers} workers");
            assert!(!sandbox.path("out/checkpoint").exists());
        }
    }
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let mut looks = 0;
    while !is_so() {
        looks += 1;
        assert!(looks < LOOKS_MAX, "{what}");
        sleep(LOOKS_EVERY);
    }
}

fn start(sandbox: &Sandbox, words: &[&str]) -> Child {
    let mut command = sandbox.everett(words);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn run_that_is_stopped_says_how_it_is_gone_on_with() {
    let sandbox = Sandbox::new();
    compile(&sandbox, MANY_PATHS);
    sandbox.run(&["run", "p.bc", "--workers", "1", "--out", "whole"], 1);
    let words = ["run", "p.bc", "--workers", "1", "--checkpoint", "20ms", "--out", "out"];
    let child = start(&sandbox, &words);
    // On a busy machine the last checkpoint may not be made in time, and one before it stays.
    wait_until("a checkpoint is written", || has_checkpoint(&sandbox));
    let kill = format!("kill -INT {}", child.id());
    assert!(Command::new("sh").arg("-c").arg(kill).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.ends_with("everett resume out goes on from here\n"), "{said}");
    assert!(has_checkpoint(&sandbox));
    // From any folder.
    fs::create_dir(sandbox.path("elsewhere")).unwrap();
    let mut resume = sandbox.everett(&["resume", "../out", "--max-time", "1us"]);
    let output = resume.current_dir(sandbox.path("elsewhere")).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("out goes on from here"), "{said}");
    // The finding of the program may have been found before the run was stopped.
    assert!(matches!(output.status.code(), Some(1 | 3)), "{said}");
    sandbox.run(&["resume", "out"], 1);
    let (mut whole, mut out) = (sandbox.results("whole"), sandbox.results("out"));
    // Which paths find new code first depends on the values that solvers give.
    for results in [&mut whole, &mut out] {
        results.as_object_mut().unwrap().remove("files");
    }
    assert_eq!(out, whole);
    let said = sandbox.run(&["resume", "out"], 2).err;
    assert!(said.contains("the run in out is over"), "{said}");
}

#[test]
fn limit_of_time_leaves_a_checkpoint_and_holds_anew() {
    let sandbox = Sandbox::new();
    compile(&sandbox, ENDLESS);
    let words = ["run", "p.bc", "--max-time", "1s", "--checkpoint", "50ms", "--out", "out"];
    let said = sandbox.run(&words, 3).out;
    assert!(said.ends_with("everett resume out goes on from here\n"), "{said}");
    let before = sandbox.json("out/summary.json")["instructions"].as_u64();
    // Where the machine is busy, a session may end before it has done anything.
    let has_gone_on = (0..50).any(|_| {
        let said = sandbox.run(&["resume", "out"], 3).out;
        assert!(said.ends_with("everett resume out goes on from here\n"), "{said}");
        sandbox.json("out/summary.json")["instructions"].as_u64() > before
    });
    assert!(has_gone_on);
}

#[test]
fn what_cannot_be_gone_on_with_is_refused_by_name() {
    let sandbox = Sandbox::new();
    compile(&sandbox, ENDLESS);
    let refused = |words: &[&str]| sandbox.run(words, 2).err;
    let said = refused(&["resume", "out"]);
    assert!(said.contains("out is not the folder of a run"), "{said}");
    let limited = ["run", "p.bc", "--max-time", "1s", "--out", "out", "--checkpoint"];
    sandbox.run(&[&limited[..], &["off"]].concat(), 3);
    let said = refused(&["resume", "out"]);
    assert!(said.contains("the run in out") && !said.contains("panicked"), "{said}");
    sandbox.run(&[&limited[..], &["50ms"]].concat(), 3);
    let state = sandbox.path("out/checkpoint/state");
    let whole = fs::read(&state).unwrap();
    for damaged in [&b""[..], b"EVRTPART", &whole[..whole.len() - 1], &vec![7; 4000]] {
        fs::write(&state, damaged).unwrap();
        let said = refused(&["resume", "out"]);
        assert!(said.contains("out/checkpoint/state"), "{said}");
        assert!(!said.contains("panicked"), "{said}");
    }
    fs::write(&state, &whole).unwrap();
    compile(&sandbox, MANY_PATHS);
    let said = refused(&["resume", "out"]);
    assert!(said.contains("the program p.bc has changed since"), "{said}");
    fs::remove_file(sandbox.path("p.bc")).unwrap();
    let said = refused(&["resume", "out"]);
    assert!(said.contains("p.bc"), "{said}");
    let said = refused(&["faults", "p.bc", "--checkpoint", "1m"]);
    assert!(said.contains("cannot be gone on with"), "{said}");
}

#[test]
fn run_goes_on_when_there_is_no_room_for_a_checkpoint() {
    let sandbox = Sandbox::new();
    compile(&sandbox, ENDLESS);
    let child = start(
        &sandbox,
        &["run", "p.bc", "--max-time", "2s", "--checkpoint", "50ms", "--out", "out"],
    );
    wait_until("a checkpoint is written", || has_checkpoint(&sandbox));
    // Everything that is written to it finds the disk full.
    let beside = sandbox.path("out/checkpoint/state.part");
    wait_until("the next one is not being written", || {
        symlink(Path::new("/dev/full"), &beside).is_ok()
    });
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("a checkpoint is not stored, and one before it stays"), "{said}");
    assert!(said.contains("cannot write out/checkpoint/state"), "{said}");
    assert_eq!(output.status.code(), Some(3));
    assert!(has_checkpoint(&sandbox));
}

/// Forks at each of 14 bytes, and each state has pages of its own: breadth first, all are there at once.
const MANY_STATES: &str = "#include <klee/klee.h>\n\
    volatile unsigned sink;\n\
    int main(void) {\n\
    \x20 unsigned char b[14]; unsigned sum = 0;\n\
    \x20 volatile unsigned char local[8000];\n\
    \x20 klee_make_symbolic(b, sizeof b, \"b\");\n\
    \x20 for (unsigned i = 0; i < sizeof b; i++) {\n\
    \x20   for (unsigned at = 0; at < sizeof local; at += 64) local[at] = i;\n\
    \x20   if (b[i] > 9) { sum++; sink = i; }\n\
    \x20 }\n\
    \x20 return sum == sizeof b ? 100 / (b[0] - 77) : 0;\n\
    }\n";

/// The memory that is too little for it.
const LITTLE: [&str; 8] =
    ["run", "p.bc", "--search", "bfs", "--max-memory", "64M", "--tests", "none"];

fn results_without_files(sandbox: &Sandbox, folder: &str) -> Value {
    let mut results = sandbox.results(folder);
    results.as_object_mut().unwrap().remove("files");
    results
}

#[test]
fn states_that_memory_has_no_room_for_go_to_disk_and_come_back() {
    let sandbox = Sandbox::new();
    compile(&sandbox, MANY_STATES);
    sandbox.run(&["run", "p.bc", "--tests", "none", "--out", "whole"], 1);
    let whole = results_without_files(&sandbox, "whole");
    for workers in ["1", "2"] {
        let words = [&LITTLE[..], &["--workers", workers, "--out", "out"]].concat();
        let said = sandbox.run(&words, 1).out;
        assert_eq!(results_without_files(&sandbox, "out"), whole, "{said}");
        assert!(said.contains("for lack of memory") && said.contains("all came back"), "{said}");
        let spill = &sandbox.json("out/summary.json")["spill"];
        assert!(spill["states_out"].as_u64() > Some(1000), "{spill}");
        assert_eq!(spill["bytes_out"], spill["bytes_back"]);
        assert!(!sandbox.path("out/spill").exists());
    }
    // The state that leads to the finding may be one of those that are dropped.
    let words = [&LITTLE[..], &["--spill", "off", "--out", "off"]].concat();
    let done = sandbox.everett(&words).output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(matches!(done.status.code(), Some(1 | 3)), "{said}");
    assert!(said.contains("dropped to keep within the limit on memory"), "{said}");
}

/// The branches of the benchmark `b_fork.c`, and nothing else: the states are small and come fast.
const SMALL_STATES: &str = "#include <klee/klee.h>\n\
    int main(void) {\n\
    \x20 char b[18]; volatile int count = 0;\n\
    \x20 klee_make_symbolic(b, sizeof b, \"b\");\n\
    \x20 for (unsigned i = 0; i < sizeof b; i++) if (b[i] > 'a') count++;\n\
    \x20 return count;\n\
    }\n";

#[test]
fn memory_stays_near_its_limit_while_states_go_to_disk() {
    const MIB: u64 = 1 << 20;
    let sandbox = Sandbox::new();
    compile(&sandbox, SMALL_STATES);
    for workers in ["1", "2"] {
        let words = ["run", "p.bc", "--search", "bfs", "--max-memory", "80M", "--tests", "none"];
        let more = ["--checkpoint", "off", "--workers", workers, "--out", "out"];
        sandbox.run(&[&words[..], &more].concat(), 0);
        let summary = sandbox.json("out/summary.json");
        assert_eq!(summary["paths"].as_u64(), Some(1 << 18), "{summary}");
        assert!(summary["spill"]["states_out"].as_u64() > Some(10_000), "{summary}");
        // All states together take 250 MiB. A machine that others use may look at memory late.
        let peak = summary["peak_rss_bytes"].as_u64().unwrap();
        assert!(peak < 125 * MIB, "{} MiB with {workers} workers", peak / MIB);
    }
}

#[test]
fn run_with_states_on_disk_is_gone_on_with() {
    let sandbox = Sandbox::new();
    compile(&sandbox, MANY_STATES);
    sandbox.run(&["run", "p.bc", "--tests", "none", "--out", "whole"], 1);
    let whole = results_without_files(&sandbox, "whole");
    let has_files =
        |folder: &Path| fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    for place in ["on", "elsewhere"] {
        let words = ["--workers", "1", "--checkpoint", "20ms", "--out", "out", "--spill", place];
        let words = [&LITTLE[..], &words].concat();
        let mut child = start(&sandbox, &words);
        let folder = || match place {
            "on" => sandbox.path("out/spill"),
            _ => {
                let mut entries = fs::read_dir(sandbox.path("elsewhere")).into_iter().flatten();
                entries.next().map_or_else(Default::default, |entry| entry.unwrap().path())
            }
        };
        wait_until("states are on disk", || has_files(&folder()));
        wait_until("a checkpoint is written", || has_checkpoint(&sandbox));
        sleep(Duration::from_millis(200));
        child.kill().unwrap();
        child.wait().unwrap();
        sandbox.run(&["resume", "out"], 1);
        assert_eq!(results_without_files(&sandbox, "out"), whole);
        assert!(!has_files(&folder()));
    }
}

#[test]
fn run_goes_on_when_there_is_no_room_for_states_on_disk() {
    let sandbox = Sandbox::new();
    compile(&sandbox, MANY_STATES);
    let words = ["--spill", "on", "--workers", "1", "--out", "out"];
    let child = start(&sandbox, &[&LITTLE[..], &words].concat());
    wait_until("states are on disk", || sandbox.path("out/spill").is_dir());
    // Everything that is written to them finds the disk full.
    for number in 1..1000 {
        let file = sandbox.path(&format!("out/spill/{number:06}.part"));
        let _ = symlink(Path::new("/dev/full"), &file);
    }
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let warning = "cannot put states on disk: cannot write out/spill/";
    assert_eq!(said.matches(warning).count(), 1, "{said}");
    // Findings may come before states are dropped.
    assert!(matches!(output.status.code(), Some(1 | 3)), "{said}");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("dropped to keep within the limit on memory"), "{said}");
    assert!(!sandbox.path("out/spill").exists());
}
