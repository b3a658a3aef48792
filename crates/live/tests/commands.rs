//! Conversations with peers that are started as commands.

#![allow(clippy::unwrap_used, reason = "a test fails where it is surprised")]

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use everett_live::{
    CommandEndpoint, CommandPeer, ConnectionId, ConversationTree, Endpoint, LiveError, Peer,
    PeerError, PeerEvent, PortChoice, Position, Readiness, Source, TreeOptions,
};

const C0: ConnectionId = ConnectionId(0);
const LIMIT: Duration = Duration::from_secs(20);

/// The variable that makes this program a peer: what it is to do, and its port or path.
const ROLE: &str = "EVERETT_LIVE_TEST_PEER";

/// A peer that is this program, which runs the one test that acts as a peer.
fn peer(role: &str, endpoint: CommandEndpoint, readiness: Readiness, folder: &Path) -> CommandPeer {
    let place = match endpoint {
        CommandEndpoint::Unix(_) => "{folder}/socket",
        _ => "{port0}",
    };
    let program = std::env::current_exe().unwrap();
    let test = "acts_as_a_peer_where_it_is_started_as_one";
    let command = [program.to_str().unwrap(), test, "--exact", "--nocapture"];
    let peer = CommandPeer::new(command, vec![endpoint], readiness, folder);
    peer.with_variable(ROLE, format!("{role} {place}"))
}

fn server(endpoint: CommandEndpoint, readiness: Readiness, folder: &Path) -> CommandPeer {
    peer("sums", endpoint, readiness, folder)
}

#[test]
fn acts_as_a_peer_where_it_is_started_as_one() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let (role, place) = role.split_once(' ').unwrap();
    match role {
        "sums" => serve_sums(place),
        "client" => {
            let mut stream = TcpStream::connect(format!("127.0.0.1:{place}")).unwrap();
            stream.write_all(b"hello").unwrap();
            let mut buffer = [0; 100];
            let count = stream.read(&mut buffer).unwrap();
            stream.write_all(&[b"you said ", &buffer[..count]].concat()).unwrap();
        }
        "datagrams" => {
            let socket = UdpSocket::bind(format!("127.0.0.1:{place}")).unwrap();
            let mut buffer = [0; 2000];
            for number in 1.. {
                let (count, from) = socket.recv_from(&mut buffer).unwrap();
                let answer = [number.to_string().as_bytes(), b" ", &buffer[..count]].concat();
                socket.send_to(&answer, from).unwrap();
            }
        }
        "owner" => {
            let script = format!("echo $$ > {place}/peer; echo ready; sleep 1000; true");
            let ready = Readiness::Line("ready".into());
            let peer = CommandPeer::new(["sh", "-c", &script], Vec::new(), ready, place);
            let _session = peer.start(LIMIT).unwrap();
            fs::write(Path::new(place).join("started"), "").unwrap();
            thread::sleep(Duration::from_secs(1000));
        }
        _ => panic!("no such role: {role}"),
    }
}

/// A server that keeps one sum for all of its connections, and answers each byte with it.
fn serve_sums(place: &str) {
    static SUM: AtomicU8 = AtomicU8::new(0);
    fn serve(mut stream: impl Read + Write + Send + 'static) {
        thread::spawn(move || {
            let mut byte = [0];
            while let Ok(1) = stream.read(&mut byte) {
                if byte[0] == 0xff {
                    std::process::exit(3);
                }
                let sum = SUM.fetch_add(byte[0], Ordering::Relaxed).wrapping_add(byte[0]);
                stream.write_all(&[sum]).unwrap();
            }
        });
    }
    let mut output = std::io::stdout();
    if place.contains('/') {
        let listener = UnixListener::bind(place).unwrap();
        writeln!(output, "ready now").unwrap();
        listener.incoming().for_each(|stream| serve(stream.unwrap()));
    } else {
        let listener = TcpListener::bind(format!("127.0.0.1:{place}")).unwrap();
        writeln!(output, "ready now").unwrap();
        listener.incoming().for_each(|stream| serve(stream.unwrap()));
    }
}

fn tree(peer: CommandPeer) -> ConversationTree {
    let options = TreeOptions { start_limit: LIMIT, repeat_limit: LIMIT, ..TreeOptions::default() };
    ConversationTree::new(Arc::new(peer), options)
}

#[track_caller]
fn open(tree: &ConversationTree, position: Position) -> (ConnectionId, Position) {
    let position = tree.open(position, Endpoint(0)).unwrap();
    let connection = position.newest_connection().unwrap();
    let heard = tree.receive(position, Source::Connection(connection), LIMIT).unwrap();
    assert_eq!(heard.event, PeerEvent::Opened(connection));
    (connection, heard.position)
}

#[track_caller]
fn add(
    tree: &ConversationTree,
    position: Position,
    connection: ConnectionId,
    (number, sum): (u8, u8),
) -> Position {
    let sent = tree.send(position, connection, &[number]).unwrap();
    let heard = tree.receive(sent, Source::Connection(connection), LIMIT).unwrap();
    assert_eq!(heard.event, PeerEvent::Bytes(connection, vec![sum]));
    heard.position
}

/// A peer with a memory is right on each branch, over several connections, only if each has its own
/// process.
#[track_caller]
fn branches_are_kept_apart(peer: CommandPeer, folder: &Path) {
    let tree = tree(peer);
    let (c0, start) = open(&tree, Position::ROOT);
    let one = add(&tree, start, c0, (1, 1));
    let (c1, other) = open(&tree, one);
    add(&tree, other, c1, (10, 11));
    add(&tree, other, c0, (20, 21));
    add(&tree, start, c0, (2, 2));
    add(&tree, one, c0, (5, 6));
    assert_eq!(tree.statistics().sessions_started, 4);
    assert_eq!(tree.statistics().differences, 0);
    drop(tree);
    assert_eq!(fs::read_dir(folder).unwrap().count(), 0, "folders of peers are left behind");
}

#[test]
fn each_branch_has_a_process_of_its_own() {
    for readiness in [Readiness::Listening, Readiness::Line("ready".into())] {
        let folder = tempfile::tempdir().unwrap();
        let endpoint = CommandEndpoint::Tcp(PortChoice::Free);
        branches_are_kept_apart(server(endpoint, readiness, folder.path()), folder.path());
    }
}

#[test]
fn commands_listen_on_unix_sockets_in_their_folders() {
    let folder = tempfile::tempdir().unwrap();
    let endpoint = CommandEndpoint::Unix("socket".into());
    let readiness = Readiness::Listening;
    branches_are_kept_apart(server(endpoint, readiness, folder.path()), folder.path());
}

#[test]
fn a_fixed_port_is_used_by_one_process_after_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let endpoint = CommandEndpoint::Tcp(PortChoice::Fixed(port));
    branches_are_kept_apart(server(endpoint, Readiness::Listening, folder.path()), folder.path());
}

#[test]
fn a_port_that_somebody_else_uses_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let endpoint = CommandEndpoint::Tcp(PortChoice::Fixed(port));
    let peer = server(endpoint, Readiness::Listening, folder.path());
    let options = TreeOptions { start_limit: Duration::from_millis(50), ..TreeOptions::default() };
    let tree = ConversationTree::new(Arc::new(peer), options);
    let error = tree.tell(tree.open(Position::ROOT, Endpoint(0)).unwrap()).unwrap_err();
    assert!(matches!(error, LiveError::Peer(PeerError::PortInUse { port: of }) if of == port));
}

#[test]
fn a_process_that_dies_is_heard_of() {
    let folder = tempfile::tempdir().unwrap();
    let endpoint = CommandEndpoint::Tcp(PortChoice::Free);
    let tree = tree(server(endpoint, Readiness::Listening, folder.path()));
    let (c0, start) = open(&tree, Position::ROOT);
    let sent = tree.send(start, c0, &[0xff]).unwrap();
    let end = tree.receive(sent, Source::Connection(c0), LIMIT).unwrap();
    assert!(matches!(end.event, PeerEvent::EndOfStream(_) | PeerEvent::Reset(_)), "{}", end.event);
    let gone = tree.receive(end.position, Source::Anything, LIMIT).unwrap();
    assert_eq!(gone.event, PeerEvent::Gone);
    add(&tree, start, c0, (7, 7));
}

#[test]
fn commands_connect_to_us() {
    let folder = tempfile::tempdir().unwrap();
    let endpoint = CommandEndpoint::TcpIncoming(PortChoice::Free);
    let tree = tree(peer("client", endpoint, Readiness::Running, folder.path()));
    let come = tree.receive(Position::ROOT, Source::Endpoint(Endpoint(0)), LIMIT).unwrap();
    let from = Source::Connection(C0);
    let hello = tree.receive(come.position, from, LIMIT).unwrap();
    assert_eq!(hello.event.bytes(), b"hello");
    for text in ["yes", "no"] {
        let sent = tree.send(hello.position, C0, text.as_bytes()).unwrap();
        let heard = tree.receive(sent, from, LIMIT).unwrap();
        assert_eq!(heard.event.bytes(), format!("you said {text}").as_bytes());
        let end = tree.receive(heard.position, from, LIMIT).unwrap();
        assert_eq!(end.event, PeerEvent::EndOfStream(C0));
    }
    assert_eq!(tree.statistics().sessions_started, 2);
}

#[test]
fn nothing_of_a_command_survives_its_session() {
    let folder = tempfile::tempdir().unwrap();
    let script = "sleep 1000 & echo $! > $PLACE/child; echo ready; wait";
    let readiness = Readiness::Line("ready".into());
    let place = folder.path().join("notes");
    fs::create_dir(&place).unwrap();
    let peer = CommandPeer::new(["sh", "-c", script], Vec::new(), readiness, folder.path());
    let peer = peer.with_variable("PLACE", place.to_str().unwrap());
    let tree = tree(peer);
    let silence =
        tree.receive(Position::ROOT, Source::Anything, Duration::from_millis(10)).unwrap();
    assert_eq!(silence.event, PeerEvent::Silence);
    let child = fs::read_to_string(place.join("child")).unwrap();
    let process = Path::new("/proc").join(child.trim());
    assert!(process.exists(), "the command has started a process");
    drop(tree);
    let mut waits = 0;
    while is_running(&process) {
        thread::sleep(Duration::from_millis(5));
        waits += 1;
        assert!(waits < 1000, "the process of the command is still there");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "only the notes are left");
}

#[test]
fn nothing_of_a_command_survives_its_owner() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    let mut owner = Command::new(std::env::current_exe().unwrap());
    owner.args(["acts_as_a_peer_where_it_is_started_as_one", "--exact"]);
    owner.env(ROLE, format!("owner {}", place.display())).stdout(Stdio::null());
    let mut owner = owner.spawn().unwrap();
    while !place.join("started").exists() {
        thread::sleep(Duration::from_millis(5));
    }
    let peer = fs::read_to_string(place.join("peer")).unwrap();
    let peer = Path::new("/proc").join(peer.trim());
    assert!(is_running(&peer), "the peer has started");
    owner.kill().unwrap();
    owner.wait().unwrap();
    let mut waits = 0;
    while is_running(&peer) || fs::read_dir(place).unwrap().count() > 2 {
        thread::sleep(Duration::from_millis(5));
        waits += 1;
        assert!(waits < 4000, "something of the peer is still there");
    }
}

/// A process that was killed may wait for somebody to ask how it has ended.
fn is_running(process: &Path) -> bool {
    let status = fs::read_to_string(process.join("status")).unwrap_or_default();
    !status.is_empty() && !status.contains("State:\tZ")
}

#[test]
fn commands_that_do_not_start_say_why() {
    let folder = tempfile::tempdir().unwrap();
    let start = |command: &[&str], limit: Duration| {
        let endpoints = vec![CommandEndpoint::Tcp(PortChoice::Free)];
        let command = command.iter().copied();
        let peer = CommandPeer::new(command, endpoints, Readiness::Listening, folder.path());
        let options = TreeOptions { start_limit: limit, ..TreeOptions::default() };
        let tree = ConversationTree::new(Arc::new(peer), options);
        let error = tree.tell(tree.open(Position::ROOT, Endpoint(0)).unwrap()).unwrap_err();
        error.to_string()
    };
    let text = start(&["sh", "-c", "echo no such database; exit 4"], LIMIT);
    assert!(text.contains("exit status: 4") && text.contains("no such database"), "{text}");
    let text = start(&["sleep", "1000"], Duration::from_millis(50));
    assert_eq!(text, "the peer is not ready after 50 ms");
    let text = start(&["/nonexistent/server"], LIMIT);
    assert!(text.starts_with("cannot start the peer /"), "{text}");
}

#[test]
fn commands_receive_datagrams() {
    let folder = tempfile::tempdir().unwrap();
    let endpoint = CommandEndpoint::Udp(PortChoice::Free);
    let tree = tree(peer("datagrams", endpoint, Readiness::Listening, folder.path()));
    let (c0, start) = open(&tree, Position::ROOT);
    for text in ["a", "b"] {
        let sent = tree.send_datagram(start, c0, text.as_bytes()).unwrap();
        let heard = tree.receive(sent, Source::Connection(c0), LIMIT).unwrap();
        assert_eq!(heard.event, PeerEvent::Datagram(c0, format!("1 {text}").into()));
    }
}

#[test]
#[allow(clippy::disallowed_methods, reason = "how long it takes is what is tested")]
fn a_delay_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let delay = Duration::from_millis(50);
    let readiness = Readiness::Delay(delay);
    let peer = CommandPeer::new(["sleep", "1000"], Vec::new(), readiness, folder.path());
    let begin = Instant::now();
    let session = peer.start(LIMIT).unwrap();
    assert!(begin.elapsed() >= delay);
    drop(session);
    let error = peer.start(delay / 5).map(|_| ()).unwrap_err();
    assert!(matches!(error, PeerError::NotReady { .. }), "{error}");
}
