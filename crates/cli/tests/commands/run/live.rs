//! Runs with live peers that misbehave: what is said about it, and what is left of the peers. Runs without
//! any open no socket.

#![allow(clippy::disallowed_methods, reason = "how long a run waits is what is tested")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::sandbox::{Said, Sandbox, output_of};

/// Scripts of peers and programs of clients.
fn material() -> PathBuf {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/systems/live/misbehaviour");
    folder.canonicalize().unwrap()
}

/// A folder with a client and a scenario in which it talks to a live peer.
struct LiveRun {
    sandbox: Sandbox,
}

impl LiveRun {
    /// The peer is a command.
    fn command(client: &str, command: &str) -> LiveRun {
        LiveRun::new(client, &format!("{{ command = \"{command}\", listens = 7000 }}"))
    }

    /// The peer is a script with arguments behind its port.
    fn script(client: &str, script: &str, arguments: &str) -> LiveRun {
        let script = material().join(script);
        let script = script.display();
        LiveRun::command(client, &format!("/usr/bin/python3 -SuB {script} {{7000}} {arguments}"))
    }

    fn new(client: &str, live: &str) -> LiveRun {
        let sandbox = Sandbox::new();
        let source = material().join(client).with_extension("c");
        sandbox.run(&["cc", "-g", source.to_str().unwrap(), "-o", "client"], 0);
        let scenario = format!(
            "[[node]]\nname = 'peer'\nlive = {live}\n\n\
             [[node]]\nname = 'client'\nprogram = 'client'\nstart = 1\n"
        );
        sandbox.write("system.toml", &scenario);
        LiveRun { sandbox }
    }

    /// Explores the system, and looks that nothing of the peer is left.
    #[track_caller]
    fn run(&self, flags: &[&str], code: i32) -> (Said, Value) {
        let place = self.sandbox.path("places");
        fs::create_dir_all(&place).unwrap();
        let mut command = self.sandbox.everett(&["run", "system.toml", "--out", "out"]);
        let said = output_of(command.args(flags).env("TMPDIR", &place), code);
        assert_nothing_left(&place);
        (said, self.sandbox.json("out/summary.json"))
    }
}

/// No process has a folder below a place as its own, and no such folder is there.
#[track_caller]
fn assert_nothing_left(place: &Path) {
    let left = left_in(place);
    assert!(left.is_empty(), "something of a peer is left behind: {left:?}");
}

/// The folders of peers below a place, and the processes that run there.
fn left_in(place: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(place).unwrap().chain(fs::read_dir("/proc").unwrap());
    let paths = entries.map(|entry| entry.unwrap().path());
    let is_there = |path: &PathBuf| {
        let runs_in = fs::read_link(path.join("cwd")).unwrap_or_default();
        path.starts_with(place) || runs_in.starts_with(place)
    };
    paths.filter(is_there).collect()
}

#[test]
fn a_random_peer_is_told_of() {
    let live = LiveRun::script("twice", "fickle.py", "");
    let (said, summary) = live.run(&[], 2);
    assert!(said.out.contains("peer is not deterministic: "), "{}", said.out);
    assert!(said.out.contains("3 attempts to repeat a conversation have failed"), "{}", said.out);
    assert!(summary["live"][0]["differences"].as_u64().unwrap() > 0, "{summary}");
    let first = summary["live"][0]["first_differences"][0].as_str().unwrap();
    assert!(first.contains("instead of"), "{first}");
}

#[test]
fn a_random_peer_ends_paths_where_that_is_asked_for() {
    let live = LiveRun::script("twice", "fickle.py", "");
    let (said, summary) = live.run(&["--live-strict"], 2);
    assert!(said.out.contains("1 path ended: peer: the live peer is lost"), "{}", said.out);
    assert_eq!(summary["live"][0]["differences"], 1, "{summary}");
}

#[test]
fn a_silent_peer_is_waited_for_no_longer_than_its_limit() {
    let live = LiveRun::script("patient", "silent.py", "");
    let begin = Instant::now();
    let (said, summary) = live.run(&["--live-timeout", "200ms"], 1);
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
    assert_eq!(summary["findings"][0]["kind"], "deadlock", "{}", said.all());
}

#[test]
fn a_peer_that_is_slower_than_its_limit_is_silent() {
    let live = LiveRun::script("impatient", "slow.py", "30");
    let begin = Instant::now();
    let (_, summary) = live.run(&["--live-timeout", "200ms"], 1);
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
    assert_eq!(summary["findings"][0]["kind"], "assert", "{summary}");
}

#[test]
fn a_peer_that_cannot_start_is_told_of() {
    let cases = [
        ("sh -c 'echo no such database; exit 4'", "no such database"),
        ("/nonexistent/server", "cannot start the peer"),
    ];
    for (command, message) in cases {
        let live = LiveRun::command("patient", command);
        let (said, summary) = live.run(&[], 2);
        assert!(said.all().contains(message), "{}", said.all());
        assert_eq!(summary["outcome"], "limit", "{summary}");
    }
}

#[test]
fn an_address_of_another_machine_is_refused() {
    let live = LiveRun::new("patient", "{ address = '192.0.2.1:7000' }");
    let said = live.sandbox.said(&["run", "system.toml"], 2);
    assert!(said.contains("192.0.2.1:7000 is not on this machine"), "{said}");
    assert!(said.contains("--live-remote"), "{said}");
}

#[test]
fn nothing_is_left_of_a_run_that_is_interrupted() {
    let live = LiveRun::script("patient", "silent.py", "");
    let place = live.sandbox.path("places");
    fs::create_dir_all(&place).unwrap();
    let mut command = live.sandbox.everett(&["run", "system.toml", "--out", "out"]);
    let running = command.args(["--live-timeout", "1000s"]).env("TMPDIR", &place).spawn().unwrap();
    let begin = Instant::now();
    // Other files come and go before the peer has a folder.
    let is_of_peer = |entry: fs::DirEntry| entry.file_name().to_string_lossy().starts_with("live-");
    while !fs::read_dir(&place).unwrap().flatten().any(is_of_peer) {
        assert!(begin.elapsed() < Duration::from_secs(60), "the peer is not started");
        std::thread::sleep(Duration::from_millis(10));
    }
    let id = running.id().to_string();
    assert!(live.sandbox.host("kill").args(["-INT", &id]).status().unwrap().success());
    let done = running.wait_with_output().unwrap();
    assert_eq!(done.status.code(), Some(3), "{done:?}");
    // Whoever ends the peer has only now noticed.
    let end = Instant::now() + Duration::from_secs(60);
    while !left_in(&place).is_empty() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_nothing_left(&place);
}

/// Calls that reach beyond the process, or let others reach it.
const REACHING: [&str; 6] = ["socket(", "connect(", "bind(", "listen(", "accept(", "accept4("];

#[test]
fn a_system_without_live_peers_opens_no_socket() {
    let sandbox = Sandbox::new();
    let systems = material().join("../../udp_echo");
    for program in ["client", "server"] {
        let source = systems.join(program).with_extension("c");
        sandbox.run(&["cc", "-g", source.to_str().unwrap(), "-o", program], 0);
    }
    fs::copy(systems.join("system.toml"), sandbox.path("system.toml")).unwrap();
    let mut traced = sandbox.host("strace");
    traced.args(["-f", "-e", "trace=%network", "-o", "calls", env!("CARGO_BIN_EXE_everett")]);
    output_of(traced.args(["run", "system.toml"]), 0);
    let calls = fs::read_to_string(sandbox.path("calls")).unwrap();
    assert!(calls.contains("exited with 0"), "{calls}");
    let opened: Vec<&str> =
        calls.lines().filter(|line| REACHING.iter().any(|call| line.contains(call))).collect();
    assert!(opened.is_empty(), "{opened:?}");
}
