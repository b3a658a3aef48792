//! Limits hold, whatever a program does: a run ends when it has to, with its summary.
//!
//! Each program in `hostile` makes some part of the engine work for minutes, or take all memory, as fast
//! as it can. It is run with `--max-time 2s` and `--max-memory 300M`, and ends within three seconds, with
//! less than 600 MB.
//!
//! Machines that run tests are busy. A process that waits for a processor is not late, so the time that
//! its threads have waited for one is taken off the time by the clock; Linux counts it in
//! `/proc/PID/task/TID/schedstat`. On a quiet machine that is nothing. The time that the process computes
//! is held against the same three seconds: one thread explores, and the others do little.
//!
//! Nothing tells how long a virtual machine was without a processor itself. Such pauses are rare, and what
//! the engine does wrong it does each time: what is late in each of three runs is wrong.

#![allow(clippy::disallowed_methods, reason = "how long a run takes is what is tested")]

use std::fs;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::sandbox::Sandbox;

/// How long it takes to store a run at its end is the disk's affair.
const NO_CHECKPOINT: [&str; 2] = ["--checkpoint", "off"];
/// The time that a run with a limit of two seconds may take.
const TIME_MAX: Duration = Duration::from_secs(3);
/// The memory that a run with a limit of 300 MB may take.
const MEMORY_MAX: u64 = 600 << 20;
/// A run that does not end is a failure, not a test without an end.
const HOPELESS: Duration = Duration::from_secs(100);
const LOOKS_EVERY: Duration = Duration::from_millis(5);
/// The number of runs that have to be late before it counts.
const RUNS_MAX: u32 = 3;

/// The programs, with what they are run with besides the limits.
const PROGRAMS: [(&str, &[&str]); 12] = [
    ("arguments", &["--sym-args", "0", "1000", "1000"]),
    ("branches", &["--tests", "all"]),
    ("collatz", &[]),
    ("factors", &[]),
    ("failing", &[]),
    ("fill", &[]),
    ("forks", &[]),
    ("hog", &[]),
    ("number", &[]),
    ("output", &[]),
    ("stores", &[]),
    ("sum", &[]),
];

/// Compiles a program, and reads it once, so that it is in the cache.
fn prepare(sandbox: &Sandbox, program: &str) -> String {
    let source = format!("{}/tests/commands/hostile/{program}.c", env!("CARGO_MANIFEST_DIR"));
    let module = format!("{program}.bc");
    let compiled = sandbox.everett(&["cc", "-w", &source, "-o", &module]).status().unwrap();
    assert!(compiled.success(), "{source}");
    let quick = ["run", "-q", "--max-instructions", "1", "--tests", "none", "--out", "first"];
    let read = sandbox.everett(&quick).arg(&module).status().unwrap();
    assert_eq!(read.code(), Some(3), "{program}");
    module
}

/// Starts a run that has `out` as its folder; it is explored once this is back.
fn start(sandbox: &Sandbox, program: &str, more: &[&str]) -> Run {
    let module = prepare(sandbox, program);
    let mut command = sandbox.everett(&["run", "-q", "--workers", "1", "--out", "out"]);
    command.args(NO_CHECKPOINT).args(more).arg(&module);
    explore(sandbox, "out", command)
}

/// Starts a command that explores and has a folder for its results.
fn explore(sandbox: &Sandbox, folder: &str, mut command: Command) -> Run {
    let mut run = Run::new(command.stderr(Stdio::piped()).spawn().unwrap());
    while !sandbox.path(folder).join("summary.json").exists() {
        let ended = run.child.try_wait().unwrap();
        assert!(ended.is_none(), "{ended:?}: {}", run.said());
        sleep(LOOKS_EVERY);
    }
    run
}

/// A run, and what it has taken.
struct Run {
    child: Child,
    began: Instant,
    /// The time that its threads have computed, and the time that they have waited for a processor.
    computed: Duration,
    waited: Duration,
}

impl Run {
    fn new(child: Child) -> Run {
        let (computed, waited) = (Duration::ZERO, Duration::ZERO);
        Run { child, began: Instant::now(), computed, waited }
    }

    /// Sends a signal, with the shell's own kill: a minimal system has no program of that name.
    fn signal(&self, name: &str) {
        let kill = format!("kill -{name} {}", self.child.id());
        assert!(Command::new("sh").arg("-c").arg(kill).status().unwrap().success());
    }

    fn look(&mut self) {
        let tasks = format!("/proc/{}/task", self.child.id());
        let mut sums = [Duration::ZERO; 2];
        for task in fs::read_dir(tasks).into_iter().flatten().flatten() {
            let text = fs::read_to_string(task.path().join("schedstat")).unwrap_or_default();
            let fields = text.split_whitespace().map(|field| field.parse().unwrap_or(0));
            sums.iter_mut().zip(fields).for_each(|(sum, ns)| *sum += Duration::from_nanos(ns));
        }
        // There is nothing to be read of threads that have ended.
        let [computed, waited] = sums;
        (self.computed, self.waited) = (self.computed.max(computed), self.waited.max(waited));
    }

    /// Waits for the end, and gives how it ended and how long that took on a quiet machine.
    fn end(&mut self) -> (ExitStatus, Duration) {
        loop {
            self.look();
            let took = self.began.elapsed();
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status, took.saturating_sub(self.waited).max(self.computed));
            }
            if took.saturating_sub(self.waited) > HOPELESS {
                self.child.kill().unwrap();
            }
            sleep(LOOKS_EVERY);
        }
    }

    fn said(&mut self) -> String {
        std::io::read_to_string(self.child.stderr.take().unwrap()).unwrap()
    }
}

/// Runs one program until a run of it is good; says what is wrong if none is.
fn trouble_with(program: &str, more: &[&str]) -> Option<String> {
    let mut troubles = Vec::new();
    for _ in 0..RUNS_MAX {
        troubles.push(trouble_once(program, more)?);
    }
    Some(troubles.join(", "))
}

/// Runs one program; says what is wrong.
fn trouble_once(program: &str, more: &[&str]) -> Option<String> {
    let sandbox = Sandbox::new();
    let module = prepare(&sandbox, program);
    let limits = ["run", "-q", "--workers", "1", "--max-time", "2s", "--max-memory", "300M"];
    let mut command = sandbox.everett(&limits);
    command.args(NO_CHECKPOINT);
    let mut run = Run::new(command.args(["--out", "out"]).args(more).arg(module).spawn().unwrap());
    let (status, took) = run.end();
    if !matches!(status.code(), Some(1 | 3)) {
        return Some(format!("{program} ended with {status} after {took:?}"));
    }
    let summary = sandbox.json("out/summary.json");
    let memory = summary["peak_rss_bytes"].as_u64().unwrap();
    let good = summary["outcome"] == "limit" && took < TIME_MAX && memory < MEMORY_MAX;
    (!good).then(|| format!("{program}: {} after {took:?}, {memory} bytes", summary["outcome"]))
}

#[test]
fn hostile_programs_are_stopped_by_time_and_memory() {
    let queue = Mutex::new(PROGRAMS.iter());
    let next = || queue.lock().unwrap().next();
    let troubles = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((program, more)) = next() {
                    troubles.lock().unwrap().extend(trouble_with(program, more));
                }
            });
        }
    });
    let troubles = troubles.into_inner().unwrap();
    assert!(troubles.is_empty(), "{}", troubles.join("\n"));
}

/// Asks a run with many unfinished paths to end; gives the time that it took to do so.
fn time_to_end() -> Duration {
    let sandbox = Sandbox::new();
    let mut run = start(&sandbox, "branches", &["--tests", "all", "--search", "bfs"]);
    sleep(Duration::from_secs(3));
    run.look();
    let before = run.began.elapsed().saturating_sub(run.waited);
    run.signal("INT");
    let (status, took) = run.end();
    let tests = fs::read_dir(sandbox.path("out/tests")).unwrap().count() as u64;
    let summary = sandbox.json("out/summary.json");
    assert_eq!((status.code(), summary["outcome"].as_str()), (Some(3), Some("stopped")));
    assert_eq!(summary["tests"], tests);
    assert!(tests <= summary["paths"].as_u64().unwrap(), "{tests} tests");
    took.saturating_sub(before)
}

#[test]
fn request_to_end_is_obeyed_at_once_and_unfinished_paths_leave_no_tests() {
    let in_time = (0..RUNS_MAX).map(|_| time_to_end()).find(|took| *took < Duration::from_secs(1));
    assert!(in_time.is_some(), "no run ended within a second");
}

#[test]
fn several_requests_to_end_leave_a_summary() {
    let sandbox = Sandbox::new();
    let mut run = start(&sandbox, "sum", &[]);
    sleep(Duration::from_millis(300));
    run.signal("TERM");
    sleep(Duration::from_millis(20));
    run.signal("TERM");
    let (status, _) = run.end();
    assert_eq!(status.code(), Some(3));
    assert_eq!(sandbox.json("out/summary.json")["outcome"], "stopped");
}

#[test]
fn end_of_the_terminal_is_ignored_where_the_caller_ignores_it() {
    let sandbox = Sandbox::new();
    let module = prepare(&sandbox, "branches");
    for (trap, outcome) in [("trap '' HUP", "limit"), (":", "stopped")] {
        let mut command = sandbox.host("env");
        command.args(["--default-signal", "sh", "-c", &format!("{trap}; exec \"$@\""), "sh"]);
        command.arg(env!("CARGO_BIN_EXE_everett")).args(["run", "-q", "--max-time", "2s"]);
        command.args(["--out", outcome, &module]);
        let mut run = explore(&sandbox, outcome, command);
        run.signal("HUP");
        let (status, _) = run.end();
        assert_eq!(status.code(), Some(3));
        assert_eq!(sandbox.json(&format!("{outcome}/summary.json"))["outcome"], outcome);
    }
}

#[test]
fn killed_run_leaves_the_summary_so_far() {
    let sandbox = Sandbox::new();
    let mut run = start(&sandbox, "branches", &[]);
    assert_eq!(sandbox.json("out/summary.json")["outcome"], "running");
    while sandbox.json("out/summary.json")["instructions"] == 0 {
        sleep(LOOKS_EVERY);
        assert!(run.began.elapsed() < HOPELESS);
    }
    run.signal("KILL");
    run.end();
    let summary = sandbox.json("out/summary.json");
    assert_eq!(summary["outcome"], "running");
    assert!(summary["forks"].as_u64().unwrap() > 0, "{summary}");
}

#[test]
fn full_disk_ends_the_run_and_keeps_the_last_good_summary() {
    let sandbox = Sandbox::new();
    let mut run = start(&sandbox, "branches", &["--tests", "none"]);
    // What is written beside the summary goes where there is no room.
    std::os::unix::fs::symlink("/dev/full", sandbox.path("out/summary.json.part")).unwrap();
    let (status, _) = run.end();
    let said = run.said();
    assert_eq!(status.code(), Some(2), "{said}");
    assert!(said.contains("cannot write out/summary.json; the disk is full: make room"), "{said}");
    assert_eq!(sandbox.json("out/summary.json")["outcome"], "running");
}

#[test]
fn files_without_an_end_are_refused() {
    let sandbox = Sandbox::new();
    let module = prepare(&sandbox, "branches");
    let cases = [
        (&["/dev/zero"][..], "/dev/zero is neither bitcode of LLVM nor an executable"),
        (
            &["--stdin", "/dev/zero", &module],
            "cannot read /dev/zero: it has more than 256 MiB; name a smaller file",
        ),
    ];
    for (args, expected) in cases {
        let output = sandbox.everett(&["run"]).args(args).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn more_workers_than_a_system_can_start_are_refused() {
    let sandbox = Sandbox::new();
    let output = sandbox.everett(&["run", "--workers", "100000", "x.bc"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("100000 is not in 0..=1024"), "{said}");
}
