//! Conversations with real peers over the loopback interface.

#![allow(clippy::unwrap_used, reason = "a test fails where it is surprised")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use everett_live::{
    Closing, ConnectionId, ConversationTree, Endpoint, LiveError, PeerError, PeerEvent, PeerMemory,
    Position, Reach, SocketEndpoint, SocketPeer, Source, TreeOptions,
};

const C0: ConnectionId = ConnectionId(0);
const FROM_C0: Source = Source::Connection(C0);
const LIMIT: Duration = Duration::from_secs(10);
/// For what does not come.
const SHORT: Duration = Duration::from_millis(30);

/// A peer that answers each byte with the sum of all bytes of its connection so far.
fn sums(mut stream: impl Read + Write) {
    let (mut sum, mut byte) = (0u8, [0]);
    while let Ok(1) = stream.read(&mut byte) {
        sum = sum.wrapping_add(byte[0]);
        if stream.write_all(&[sum]).is_err() {
            break;
        }
    }
}

/// The address of a listener whose connections are served by a function, each on a thread.
fn tcp_server(serve: fn(TcpStream)) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let stream = stream.unwrap();
            thread::spawn(move || serve(stream));
        }
    });
    address
}

fn tree(endpoint: SocketEndpoint, memory: PeerMemory) -> ConversationTree {
    let peer = SocketPeer::new(vec![endpoint], memory, Reach::Loopback).unwrap();
    let options = TreeOptions {
        repeat_limit: Duration::from_secs(2),
        repeated_silence: Duration::from_millis(10),
        ..TreeOptions::default()
    };
    ConversationTree::new(Arc::new(peer), options)
}

fn forgetful_tcp(serve: fn(TcpStream)) -> ConversationTree {
    tree(SocketEndpoint::Tcp(tcp_server(serve)), PeerMemory::Forgets)
}

fn opened(tree: &ConversationTree) -> Position {
    let position = tree.open(Position::ROOT, Endpoint(0)).unwrap();
    let heard = tree.receive(position, FROM_C0, LIMIT).unwrap();
    assert_eq!(heard.event, PeerEvent::Opened(C0));
    heard.position
}

/// Receives this many bytes of a stream.
#[track_caller]
fn receive(tree: &ConversationTree, mut position: Position, count: usize) -> (Vec<u8>, Position) {
    let mut bytes = Vec::new();
    while bytes.len() < count {
        let heard = tree.receive(position, FROM_C0, LIMIT).unwrap();
        assert!(matches!(heard.event, PeerEvent::Bytes(..)), "{}", heard.event);
        bytes.extend_from_slice(heard.event.bytes());
        position = heard.position;
    }
    (bytes, position)
}

#[track_caller]
fn branches_are_kept_apart(tree: &ConversationTree) {
    let start = opened(tree);
    let (bytes, one) = receive(tree, tree.send(start, C0, &[1]).unwrap(), 1);
    assert_eq!(bytes, [1]);
    let (bytes, two) = receive(tree, tree.send(start, C0, &[2, 3]).unwrap(), 2);
    assert_eq!(bytes, [2, 5]);
    for (position, sum) in [(one, 1), (two, 5), (one, 1)] {
        for next in [10, 20] {
            let (bytes, _) = receive(tree, tree.send(position, C0, &[next]).unwrap(), 1);
            assert_eq!(bytes, [sum + next]);
        }
    }
    assert_eq!(tree.statistics().differences, 0);
    assert_eq!(tree.statistics().sessions_started, 4, "one for each end of the tree");
}

#[test]
fn branches_of_tcp_connections_are_kept_apart() {
    branches_are_kept_apart(&forgetful_tcp(sums));
}

#[test]
fn branches_of_unix_connections_are_kept_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    let listener = UnixListener::bind(&path).unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            thread::spawn(move || sums(stream.unwrap()));
        }
    });
    branches_are_kept_apart(&tree(SocketEndpoint::Unix(path), PeerMemory::Forgets));
}

#[test]
fn datagrams_are_answered_one_by_one() {
    let server = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = server.local_addr().unwrap();
    thread::spawn(move || {
        let mut buffer = [0; 2000];
        while let Ok((count, from)) = server.recv_from(&mut buffer) {
            let answer = [b"got ", &buffer[..count]].concat();
            server.send_to(&answer, from).unwrap();
        }
    });
    let tree = tree(SocketEndpoint::Udp(address), PeerMemory::Forgets);
    let start = opened(&tree);
    for text in ["a", "ab", "", "a"] {
        let sent = tree.send_datagram(start, C0, text.as_bytes()).unwrap();
        let heard = tree.receive(sent, FROM_C0, LIMIT).unwrap();
        assert_eq!(heard.event, PeerEvent::Datagram(C0, format!("got {text}").into()));
    }
    assert_eq!(tree.statistics().answers_from_tree, 1);
}

#[test]
fn datagrams_to_nobody_are_refused() {
    let unused = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let tree = tree(SocketEndpoint::Udp(unused), PeerMemory::Forgets);
    let sent = tree.send_datagram(opened(&tree), C0, b"hello").unwrap();
    assert_eq!(tree.receive(sent, FROM_C0, LIMIT).unwrap().event, PeerEvent::Refused(C0));
}

#[test]
fn peers_connect_to_us_over_tcp() {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let tree = tree(SocketEndpoint::TcpIncoming(address), PeerMemory::Keeps);
    let client = thread::spawn(move || {
        let mut stream = loop {
            match TcpStream::connect(address) {
                Ok(stream) => break stream,
                Err(_) => thread::sleep(Duration::from_millis(2)),
            }
        };
        stream.write_all(b"hello").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        answer
    });
    let come = tree.receive(Position::ROOT, Source::Endpoint(Endpoint(0)), LIMIT).unwrap();
    assert_eq!(come.event, PeerEvent::Connected(Endpoint(0)));
    let (bytes, position) = receive(&tree, come.position, 5);
    assert_eq!(bytes, b"hello");
    let sent = tree.send(position, C0, b"bye").unwrap();
    let closed = tree.close(sent, C0, Closing::Close).unwrap();
    tree.tell(closed).unwrap();
    assert_eq!(client.join().unwrap(), b"bye");
}

#[test]
fn peers_connect_to_us_over_unix_sockets_which_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    let tree = tree(SocketEndpoint::UnixIncoming(path.clone()), PeerMemory::Keeps);
    let client = {
        let path = path.clone();
        thread::spawn(move || {
            while !path.exists() {
                thread::sleep(Duration::from_millis(2));
            }
            UnixStream::connect(&path).unwrap().write_all(b"hello").unwrap();
        })
    };
    let come = tree.receive(Position::ROOT, Source::Anything, LIMIT).unwrap();
    let (bytes, position) = receive(&tree, come.position, 5);
    assert_eq!(bytes, b"hello");
    let end = tree.receive(position, FROM_C0, LIMIT).unwrap();
    assert_eq!(end.event, PeerEvent::EndOfStream(C0));
    client.join().unwrap();
    drop(tree);
    assert!(!path.exists());
}

#[test]
fn a_peer_with_a_memory_has_one_conversation() {
    let endpoints = vec![SocketEndpoint::Tcp(tcp_server(sums))];
    let peer = SocketPeer::new(endpoints, PeerMemory::Keeps, Reach::Loopback).unwrap();
    let options = TreeOptions { idle_limit: Duration::ZERO, ..TreeOptions::default() };
    let tree = ConversationTree::new(Arc::new(peer), options);
    let start = opened(&tree);
    let (_, position) = receive(&tree, tree.send(start, C0, &[1]).unwrap(), 1);
    let (_, behind) = receive(&tree, tree.send(position, C0, &[2]).unwrap(), 1);
    let other = tree.send(position, C0, &[3]).unwrap();
    let error = tree.receive(other, FROM_C0, LIMIT).unwrap_err();
    assert!(matches!(error, LiveError::Peer(PeerError::CannotBeginAnew)), "{error}");
    let (bytes, _) = receive(&tree, tree.send(behind, C0, &[4]).unwrap(), 1);
    assert_eq!(bytes, [7], "the one conversation goes on");
}

#[test]
fn other_machines_are_out_of_reach_unless_they_are_allowed() {
    let remote = || vec![SocketEndpoint::Tcp("192.0.2.1:80".parse().unwrap())];
    let refused = SocketPeer::new(remote(), PeerMemory::Keeps, Reach::Loopback);
    let text = refused.map(|_| ()).unwrap_err().to_string();
    assert!(text.contains("192.0.2.1:80 is not on this machine"), "{text}");
    assert!(SocketPeer::new(remote(), PeerMemory::Keeps, Reach::Remote).is_ok());
}

#[test]
fn nobody_listening_is_a_refused_connection() {
    let unused = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for endpoint in [SocketEndpoint::Tcp(unused), SocketEndpoint::Unix("/nonexistent".into())] {
        let tree = tree(endpoint, PeerMemory::Forgets);
        let position = tree.open(Position::ROOT, Endpoint(0)).unwrap();
        let refused = tree.receive(position, FROM_C0, LIMIT).unwrap();
        assert_eq!(refused.event, PeerEvent::Refused(C0));
        let sent = tree.send(refused.position, C0, b"x").unwrap();
        let heard = tree.receive(sent, FROM_C0, LIMIT).unwrap();
        assert_eq!(heard.event, PeerEvent::Silence, "and nothing comes of it");
    }
}

#[test]
fn ends_and_resets_by_the_peer_are_heard() {
    let tree = forgetful_tcp(|mut stream| {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        if byte[0] == b'r' {
            // A socket that is closed with unread bytes resets its connection.
            stream.read_exact(&mut byte).unwrap();
            while stream.peek(&mut byte).unwrap() == 0 {}
        } else {
            stream.write_all(b"bye").unwrap();
        }
    });
    let start = opened(&tree);
    let (bytes, position) = receive(&tree, tree.send(start, C0, b"e").unwrap(), 3);
    assert_eq!(bytes, b"bye");
    let end = tree.receive(position, FROM_C0, LIMIT).unwrap();
    assert_eq!(end.event, PeerEvent::EndOfStream(C0));
    let silence = tree.receive(end.position, FROM_C0, LIMIT).unwrap();
    assert_eq!(silence.event, PeerEvent::Silence, "without waiting");
    let reset = tree.receive(tree.send(start, C0, b"rxyz").unwrap(), FROM_C0, LIMIT).unwrap();
    assert_eq!(reset.event, PeerEvent::Reset(C0));
}

#[test]
fn a_peer_that_closes_at_once_is_heard_by_all() {
    let tree = forgetful_tcp(drop);
    let start = opened(&tree);
    let end = tree.receive(start, FROM_C0, LIMIT).unwrap();
    assert_eq!(end.event, PeerEvent::EndOfStream(C0));
    let sent = tree.send(end.position, C0, b"anybody there?").unwrap();
    tree.tell(sent).unwrap();
    let heard = tree.receive(sent, FROM_C0, SHORT).unwrap();
    assert_eq!(heard.event, PeerEvent::Silence);
}

#[test]
fn threads_share_a_tree_over_real_connections() {
    let tree = forgetful_tcp(sums);
    let start = opened(&tree);
    thread::scope(|scope| {
        for first in 0..4 {
            let tree = &tree;
            scope.spawn(move || {
                let (mut position, mut sum) = (start, 0u8);
                for number in 0..20 {
                    // Two threads each say the same.
                    let byte = first / 2 * 10 + number;
                    sum = sum.wrapping_add(byte);
                    let sent = tree.send(position, C0, &[byte]).unwrap();
                    let (bytes, behind) = receive(tree, sent, 1);
                    assert_eq!(bytes, [sum]);
                    position = behind;
                }
            });
        }
    });
    let statistics = tree.statistics();
    assert_eq!((statistics.answers_from_peer, statistics.answers_from_tree), (41, 40));
    assert_eq!(statistics.differences, 0);
}

#[test]
fn a_peer_hears_how_we_end() {
    let tree = forgetful_tcp(|mut stream| {
        let mut bytes = Vec::new();
        let end = stream.read_to_end(&mut bytes);
        let text = if end.is_ok() { "finished" } else { "reset" };
        let _ = stream.write_all(text.as_bytes());
    });
    let sent = tree.send(opened(&tree), C0, b"x").unwrap();
    let finished = tree.close(sent, C0, Closing::Finish).unwrap();
    assert_eq!(receive(&tree, finished, 8).0, b"finished");
    for how in [Closing::Close, Closing::Abort] {
        let closed = tree.close(sent, C0, how).unwrap();
        let heard = tree.receive(closed, FROM_C0, SHORT).unwrap();
        assert_eq!(heard.event, PeerEvent::Silence);
    }
}

#[test]
fn silent_and_slow_peers_are_waited_for_up_to_the_limit() {
    let tree = forgetful_tcp(|mut stream| {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        thread::sleep(Duration::from_millis(200));
        stream.write_all(b"at last").unwrap();
        let _ = stream.read(&mut byte);
    });
    let sent = tree.send(opened(&tree), C0, b"x").unwrap();
    let silence = tree.receive(sent, FROM_C0, SHORT).unwrap();
    assert_eq!(silence.event, PeerEvent::Silence);
    assert_eq!(receive(&tree, silence.position, 7).0, b"at last");
    assert_eq!(receive(&tree, sent, 7).0, b"at last", "who waits longer hears it");
}

#[test]
fn megabytes_in_both_directions_do_not_block() {
    let tree = forgetful_tcp(|mut stream| {
        let mut buffer = vec![0; 10_000];
        while let Ok(count @ 1..) = stream.read(&mut buffer) {
            if stream.write_all(&buffer[..count]).is_err() {
                break;
            }
        }
    });
    let start = opened(&tree);
    let bytes: Vec<u8> = (0..1u32 << 20).flat_map(u32::to_le_bytes).collect();
    let sent = tree.send(start, C0, &bytes).unwrap();
    let (heard, position) = receive(&tree, sent, bytes.len());
    assert!(heard == bytes);
    tree.end_sessions();
    let (heard, _) = receive(&tree, tree.send(position, C0, b"more").unwrap(), 4);
    assert_eq!(heard, b"more", "after all of it was repeated and compared");
    assert_eq!(tree.statistics().differences, 0);
    assert_eq!(tree.statistics().bytes_repeated, 1 << 22);
}

#[test]
fn a_peer_that_does_not_read_is_an_error() {
    let peer = SocketEndpoint::Tcp(tcp_server(|stream| {
        thread::sleep(Duration::from_secs(20));
        drop(stream);
    }));
    let peer = SocketPeer::new(vec![peer], PeerMemory::Forgets, Reach::Loopback).unwrap();
    let options =
        TreeOptions { repeat_limit: Duration::from_millis(100), ..TreeOptions::default() };
    let tree = ConversationTree::new(Arc::new(peer), options);
    let sent = tree.send(opened(&tree), C0, &vec![0; 20 << 20]).unwrap();
    let error = tree.receive(sent, FROM_C0, LIMIT).unwrap_err();
    assert!(matches!(error, LiveError::Peer(PeerError::Stuck { .. })), "{error}");
}

#[test]
fn a_peer_that_counts_its_connections_is_noticed() {
    use std::sync::atomic::{AtomicU32, Ordering};
    static CONNECTIONS: AtomicU32 = AtomicU32::new(0);
    let tree = forgetful_tcp(|mut stream| {
        let number = CONNECTIONS.fetch_add(1, Ordering::Relaxed);
        let _ = stream.write_all(format!("you are number {number}").as_bytes());
        let _ = stream.read(&mut [0]);
    });
    let (bytes, position) = receive(&tree, opened(&tree), 16);
    assert_eq!(bytes, b"you are number 0");
    tree.tell(tree.send(position, C0, b"a").unwrap()).unwrap();
    let error = tree.tell(tree.send(position, C0, b"b").unwrap()).unwrap_err();
    assert!(matches!(error, LiveError::NotRepeated { attempts: 3, .. }), "{error}");
    assert!(error.to_string().contains("\"you are number 3\""), "{error}");
}
