//! Live peers under the library that gives them a clock and random bytes of its own.

#![allow(clippy::unwrap_used, reason = "a test fails where it is surprised")]
#![allow(clippy::disallowed_methods, reason = "how long a peer waits is what is tested")]

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use everett_live::{
    CommandEndpoint, CommandPeer, ConnectionId, Endpoint, Peer, PeerEvent, PeerSession, PortChoice,
    Readiness, Source,
};
use everett_toolchain::{Clang, peer_library};

const C0: ConnectionId = ConnectionId(0);
const LIMIT: Duration = Duration::from_secs(20);
/// Longer than the server in C lets a connection be idle.
const LONG_PAUSE: Duration = Duration::from_millis(1200);

fn cache() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("peer-cache");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn clang() -> Clang {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    Clang::find(&folders).unwrap()
}

/// A session with a command that has the library.
fn session<const N: usize>(command: [&str; N]) -> Box<dyn PeerSession> {
    let endpoints = vec![CommandEndpoint::Tcp(PortChoice::Free)];
    let library = peer_library(&cache(), &clang()).unwrap();
    let peer = CommandPeer::new(command, endpoints, Readiness::Listening, cache());
    let peer = peer.with_variable("LD_PRELOAD", library.to_str().unwrap());
    let mut session = peer.start(LIMIT).unwrap();
    assert_eq!(session.open(C0, Endpoint(0), LIMIT).unwrap(), PeerEvent::Opened(C0));
    session
}

/// The answer to a message, up to the end of a line.
#[track_caller]
fn ask(session: &mut dyn PeerSession, message: &str) -> String {
    assert_eq!(session.send(C0, message.as_bytes(), LIMIT).unwrap(), message.len());
    let mut answer = String::new();
    while !answer.ends_with('\n') {
        let event = session.wait(Source::Connection(C0), LIMIT).unwrap();
        assert!(matches!(event, PeerEvent::Bytes(..)), "{event} after {answer:?}");
        answer.push_str(std::str::from_utf8(event.bytes()).unwrap());
    }
    answer
}

/// The answers to some messages, with a pause before each of them.
fn answers(session: &mut dyn PeerSession, messages: &[&str], pause: Duration) -> Vec<String> {
    let answer = |message: &&str| {
        thread::sleep(pause);
        ask(session, message)
    };
    messages.iter().map(answer).collect()
}

fn server_in_c() -> String {
    static BUILD: std::sync::Once = std::sync::Once::new();
    let server = cache().join("live_peer");
    BUILD.call_once(|| {
        let mut compile = clang().command();
        compile.args(["-O1", "-pthread", "-o"]).arg(&server);
        compile.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/live_peer.c"));
        assert!(compile.status().unwrap().success());
    });
    server.to_str().unwrap().to_owned()
}

#[test]
fn servers_in_c_say_the_same_in_each_session() {
    let server = server_in_c();
    let mut quick = session([&*server, "{port0}"]);
    let mut slow = session([&*server, "{port0}"]);
    let messages = ["t", "r", "t", "r"];
    let first = answers(&mut *quick, &messages, Duration::ZERO);
    let second = answers(&mut *slow, &messages, Duration::from_millis(50));
    assert_eq!(first, second);
    // A turn of the conversation takes ten milliseconds.
    assert_eq!(first[0], "1577836800010000000 100010000000 1577836800 1577836800.010000\n");
    assert_eq!(first[2], "1577836800030000000 100030000000 1577836800 1577836800.030000\n");
    assert_ne!(first[1], first[3]);
}

#[test]
fn a_timeout_does_not_pass_while_nobody_speaks() {
    let mut session = session([&*server_in_c(), "{port0}"]);
    let first = ask(&mut *session, "t");
    thread::sleep(LONG_PAUSE);
    assert_ne!(ask(&mut *session, "t"), first);
}

#[test]
fn sleeping_takes_its_time() {
    let mut session = session([&*server_in_c(), "{port0}"]);
    assert_eq!(ask(&mut *session, "s"), "50000000\n");
}

#[test]
fn deadlines_are_waited_for() {
    let mut session = session([&*server_in_c(), "{port0}"]);
    let begin = Instant::now();
    assert_eq!(ask(&mut *session, "w"), "4 passed\n");
    let time = begin.elapsed();
    assert!(time >= Duration::from_millis(390), "{time:?}");
}

#[test]
fn servers_in_python_say_the_same_in_each_session() {
    let script = "\
import os, random, socket, sys, time
listener = socket.create_server(('127.0.0.1', int(sys.argv[1])))
connection = listener.accept()[0]
while connection.recv(1):
    text = f'{time.time_ns()} {os.urandom(8).hex()} {random.random()} {hash(\"a\")}\\n'
    connection.sendall(text.encode())
";
    let of_pause = |pause| {
        let mut session = session(["/usr/bin/python3", "-c", script, "{port0}"]);
        answers(&mut *session, &["a", "b"], pause)
    };
    let first = of_pause(Duration::ZERO);
    assert_eq!(first, of_pause(Duration::from_millis(50)));
    assert!(first[0].starts_with("1577836800010000000 "), "{}", first[0]);
}

#[test]
fn redis_says_the_same_in_each_session() {
    let of_pause = |pause| {
        let mut session = session(["redis-server", "--port", "{port0}", "--save", ""]);
        let run_id = "EVAL \"return redis.call('INFO', 'server'):match('run_id:%w+')\" 0\r\n";
        let mut said = answers(&mut *session, &["SET a b PX 15\r\n", "PTTL a\r\n"], pause);
        said.extend(answers(&mut *session, &["EXISTS a\r\n", "TIME\r\n", run_id], pause));
        said
    };
    let first = of_pause(Duration::ZERO);
    assert_eq!(first, of_pause(Duration::from_millis(100)));
    assert_eq!(first[..3], ["+OK\r\n", ":5\r\n", ":0\r\n"]);
    assert_eq!(first[3], "*2\r\n$10\r\n1577836800\r\n$5\r\n40000\r\n");
    assert!(first[4].contains("run_id:"), "{}", first[4]);
}
