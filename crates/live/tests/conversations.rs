//! Conversations with scripted peers, step by step.

#![allow(clippy::unwrap_used, reason = "a test fails where it is surprised")]

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use everett_base::part::{PartReader, PartWriter, Portable};
use everett_live::{
    Closing, ConnectionId, ConversationTree, Endpoint, LiveError, LoadError, PeerAction, PeerError,
    PeerEvent, Position, ScriptedPeer, Source, TreeOptions,
};

const C0: ConnectionId = ConnectionId(0);
const FROM_C0: Source = Source::Connection(C0);
const LIMIT: Duration = Duration::from_millis(50);

/// A peer that answers everything with all that it has been told so far.
fn repeater() -> ScriptedPeer {
    ScriptedPeer::new(|| {
        let mut told = Vec::new();
        Box::new(move |action| match action {
            Some(PeerAction::Send(connection, bytes)) => {
                told.extend_from_slice(bytes);
                vec![PeerEvent::Bytes(connection, told.clone())]
            }
            Some(PeerAction::SendDatagram(connection, bytes)) => {
                told.extend_from_slice(bytes);
                told.push(b'|');
                vec![PeerEvent::Datagram(connection, told.clone())]
            }
            _ => Vec::new(),
        })
    })
}

fn tree(peer: ScriptedPeer) -> ConversationTree {
    ConversationTree::new(Arc::new(peer), TreeOptions::default())
}

/// The position behind an open connection.
fn opened(tree: &ConversationTree) -> Position {
    let position = tree.open(Position::ROOT, Endpoint(0)).unwrap();
    let heard = tree.receive(position, FROM_C0, LIMIT).unwrap();
    assert_eq!(heard.event, PeerEvent::Opened(C0));
    heard.position
}

#[track_caller]
fn hear(tree: &ConversationTree, position: Position, expected: &str) -> Position {
    let heard = tree.receive(position, FROM_C0, LIMIT).unwrap();
    assert_eq!(String::from_utf8_lossy(heard.event.bytes()), expected);
    heard.position
}

#[test]
fn bytes_of_a_stream_are_one_way_however_they_are_cut() {
    let tree = tree(repeater());
    let start = opened(&tree);
    let whole = tree.send(start, C0, b"abc").unwrap();
    let part = tree.send(start, C0, b"ab").unwrap();
    assert_eq!(tree.send(part, C0, b"c").unwrap(), whole);
    hear(&tree, whole, "abc");
    hear(&tree, part, "ab");
    assert_eq!(tree.statistics().sessions_started, 2);
    assert_eq!(tree.statistics().strands, 2, "the answer to ab branches off in the middle of abc");
    assert_eq!(tree.statistics().bytes_repeated, 2);
}

#[test]
fn listening_between_two_sends_is_part_of_the_way() {
    let tree = tree(repeater());
    let start = opened(&tree);
    let whole = tree.send(start, C0, b"ab").unwrap();
    let first = tree.send(start, C0, b"a").unwrap();
    let second = tree.send(hear(&tree, first, "a"), C0, b"b").unwrap();
    assert_ne!(whole, second);
    hear(&tree, second, "ab");
}

#[test]
fn datagrams_keep_their_boundaries() {
    let tree = tree(repeater());
    let start = opened(&tree);
    let whole = tree.send_datagram(start, C0, b"ab").unwrap();
    let first = tree.send_datagram(start, C0, b"a").unwrap();
    let second = tree.send_datagram(first, C0, b"b").unwrap();
    assert_ne!(whole, second);
    hear(&tree, whole, "ab|");
    let behind = hear(&tree, second, "a|");
    hear(&tree, behind, "a|b|");
    let long = tree.send_datagram(start, C0, &[0; 70_000]);
    assert!(matches!(long, Err(LiveError::DatagramTooLong { bytes: 70_000 })));
}

#[test]
fn one_way_is_followed_by_one_session_and_nothing_is_repeated() {
    let tree = tree(repeater());
    let mut position = opened(&tree);
    let mut told = String::new();
    for piece in ["a", "b", "c", "d"] {
        told += piece;
        position = tree.send(position, C0, piece.as_bytes()).unwrap();
        position = hear(&tree, position, &told);
    }
    let statistics = tree.statistics();
    assert_eq!((statistics.sessions_started, statistics.bytes_repeated), (1, 0));
    assert_eq!((statistics.answers_from_peer, statistics.answers_from_tree), (5, 0));
    assert_eq!(statistics.strands, 1);
}

#[test]
fn the_order_of_connections_is_part_of_the_way() {
    let tree = tree(repeater());
    let position = tree.open(opened(&tree), Endpoint(0)).unwrap();
    let c1 = position.newest_connection().unwrap();
    let one = tree.send(tree.send(position, C0, b"a").unwrap(), c1, b"b").unwrap();
    let two = tree.send(tree.send(position, c1, b"b").unwrap(), C0, b"a").unwrap();
    assert_ne!(one, two);
    hear(&tree, one, "a");
    hear(&tree, two, "ba");
}

#[test]
fn a_silent_peer_stays_silent_until_something_is_said() {
    let tree = tree(ScriptedPeer::new(|| Box::new(|_| Vec::new())));
    let start = opened(&tree);
    let silence = tree.receive(start, FROM_C0, LIMIT).unwrap();
    assert_eq!(silence.event, PeerEvent::Silence);
    let asked = tree.statistics().answers_from_peer;
    for position in [start, silence.position] {
        assert_eq!(tree.receive(position, FROM_C0, LIMIT).unwrap(), silence);
    }
    assert_eq!(tree.statistics().answers_from_peer, asked);
    let longer = tree.receive(start, FROM_C0, LIMIT * 2).unwrap();
    assert_eq!(longer.event, PeerEvent::Silence);
    assert_eq!(tree.statistics().answers_from_peer, asked + 1);
    assert_eq!(tree.receive(longer.position, FROM_C0, LIMIT).unwrap(), longer);
    assert_ne!(tree.send(start, C0, b"a").unwrap(), tree.send(longer.position, C0, b"a").unwrap());
}

#[test]
fn the_session_that_was_not_used_for_the_longest_time_ends() {
    let options = TreeOptions { sessions_max: 2, ..TreeOptions::default() };
    let tree = ConversationTree::new(Arc::new(repeater()), options);
    let start = opened(&tree);
    let positions = ["a", "b", "c"].map(|text| {
        let sent = tree.send(start, C0, text.as_bytes()).unwrap();
        hear(&tree, sent, text)
    });
    assert_eq!(tree.statistics().sessions_started, 3);
    for (position, told, sessions) in [(1, "bx", 3), (2, "cx", 3), (0, "ax", 4)] {
        let sent = tree.send(positions[position], C0, b"x").unwrap();
        hear(&tree, sent, told);
        assert_eq!(tree.statistics().sessions_started, sessions, "{told}");
    }
}

#[test]
fn sessions_that_were_idle_for_too_long_are_not_used() {
    let options = TreeOptions { idle_limit: Duration::ZERO, ..TreeOptions::default() };
    let tree = ConversationTree::new(Arc::new(repeater()), options);
    let start = opened(&tree);
    let sent = tree.send(start, C0, b"a").unwrap();
    hear(&tree, sent, "a");
    assert_eq!(tree.statistics().sessions_started, 2);
    assert_eq!(tree.statistics().answers_repeated, 1);
}

#[test]
fn an_answer_that_differs_is_kept_beside_the_first_one() {
    let sessions = Arc::new(AtomicU32::new(0));
    let peer = ScriptedPeer::new(move || {
        let number = sessions.fetch_add(1, Ordering::Relaxed);
        Box::new(move |action| match action {
            Some(PeerAction::Send(connection, _)) => {
                vec![PeerEvent::Bytes(connection, format!("session {number}").into())]
            }
            _ => Vec::new(),
        })
    });
    let tree = tree(peer);
    let start = opened(&tree);
    let sent = tree.send(start, C0, b"a").unwrap();
    let behind = hear(&tree, sent, "session 0");
    tree.end_sessions();
    let next = tree.send(behind, C0, b"b").unwrap();
    let error = tree.receive(next, FROM_C0, LIMIT).unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, LiveError::NotRepeated { attempts: 3, .. }), "{text}");
    assert!(text.contains("\"session 3\"") && text.contains("\"session 0\""), "{text}");
    let answers = tree.answers(sent, FROM_C0).unwrap();
    let answers: Vec<_> = answers.iter().map(|heard| heard.event.bytes()).collect();
    assert_eq!(answers, [b"session 0", b"session 1", b"session 2", b"session 3"]);
    assert_eq!(tree.differences().len(), 3);
    hear(&tree, sent, "session 0");
}

#[test]
fn an_answer_that_comes_late_is_noticed_and_heard_later() {
    let sessions = Arc::new(AtomicU32::new(0));
    let peer = ScriptedPeer::new(move || {
        let is_fast = sessions.fetch_add(1, Ordering::Relaxed) > 0;
        Box::new(move |action| match action {
            Some(PeerAction::Send(connection, b"a")) if is_fast => {
                vec![PeerEvent::Bytes(connection, b"early".into())]
            }
            _ => Vec::new(),
        })
    });
    let tree = tree(peer);
    let sent = tree.send(opened(&tree), C0, b"a").unwrap();
    let silent = tree.receive(sent, FROM_C0, LIMIT).unwrap();
    assert_eq!(silent.event, PeerEvent::Silence);
    tree.end_sessions();
    let more = tree.send(silent.position, C0, b"b").unwrap();
    hear(&tree, more, "early");
    assert_eq!(tree.differences()[0].recorded, PeerEvent::Silence);
}

#[test]
fn peers_may_speak_first_connect_and_end() {
    let peer = ScriptedPeer::new(|| {
        Box::new(move |action| match action {
            None => vec![PeerEvent::Connected(Endpoint(7)), PeerEvent::Bytes(C0, b"hello".into())],
            Some(PeerAction::Close(_, Closing::Finish)) => vec![PeerEvent::EndOfStream(C0)],
            Some(PeerAction::Close(_, Closing::Abort)) => vec![PeerEvent::Gone],
            _ => vec![PeerEvent::Reset(C0)],
        })
    });
    let tree = tree(peer);
    let come = tree.receive(Position::ROOT, Source::Endpoint(Endpoint(7)), LIMIT).unwrap();
    assert_eq!(come.event, PeerEvent::Connected(Endpoint(7)));
    assert_eq!(come.position.newest_connection(), Some(C0));
    let start = hear(&tree, come.position, "hello");
    let finished = tree.close(start, C0, Closing::Finish).unwrap();
    let aborted = tree.close(start, C0, Closing::Abort).unwrap();
    let sent = tree.send(start, C0, b"x").unwrap();
    let event = |position| tree.receive(position, FROM_C0, LIMIT).unwrap().event;
    assert_eq!(event(finished), PeerEvent::EndOfStream(C0));
    assert_eq!(event(sent), PeerEvent::Reset(C0));
    let gone = tree.receive(aborted, FROM_C0, LIMIT).unwrap();
    assert_eq!(gone.event, PeerEvent::Gone);
    assert_eq!(tree.receive(gone.position, FROM_C0, LIMIT).unwrap(), gone);
    assert_eq!(tree.statistics().differences, 0);
}

#[test]
fn a_megabyte_at_once_comes_in_pieces_and_too_much_is_an_error() {
    let peer = || {
        ScriptedPeer::new(|| {
            Box::new(|action| match action {
                Some(PeerAction::Send(connection, _)) => {
                    let bytes = (0..1u32 << 18).flat_map(u32::to_le_bytes).collect();
                    vec![PeerEvent::Bytes(connection, bytes)]
                }
                _ => Vec::new(),
            })
        })
    };
    let tree = tree(peer());
    for _ in 0..2 {
        let mut position = tree.send(opened(&tree), C0, b"x").unwrap();
        let mut bytes = Vec::new();
        while bytes.len() < 1 << 20 {
            let heard = tree.receive(position, FROM_C0, LIMIT).unwrap();
            bytes.extend_from_slice(heard.event.bytes());
            position = heard.position;
        }
        assert!(bytes.chunks(4).zip(0u32..).all(|(one, two)| one == two.to_le_bytes()));
        let next = tree.send(position, C0, b"y").unwrap();
        tree.end_sessions();
        tree.tell(next).unwrap();
    }
    assert_eq!(tree.statistics().differences, 0);
    let options = TreeOptions { incoming_bytes_max: 1000, ..TreeOptions::default() };
    let tree = ConversationTree::new(Arc::new(peer()), options);
    let sent = tree.send(opened(&tree), C0, b"x").unwrap();
    let error = tree.receive(sent, FROM_C0, LIMIT).unwrap_err();
    assert!(matches!(error, LiveError::Peer(PeerError::TooMuch { bytes_max: 1000 })), "{error}");
}

#[test]
fn telling_reaches_the_peer_though_nobody_listens() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&told);
    let peer = ScriptedPeer::new(move || {
        let told = Arc::clone(&heard);
        Box::new(move |action| {
            if let Some(PeerAction::Send(_, bytes)) = action {
                told.lock().unwrap().push(bytes.to_vec());
            }
            Vec::new()
        })
    });
    let tree = tree(peer);
    let start = opened(&tree);
    let mut position = tree.send(start, C0, b"a").unwrap();
    position = tree.send(position, C0, b"b").unwrap();
    assert!(told.lock().unwrap().is_empty());
    tree.tell(position).unwrap();
    assert_eq!(*told.lock().unwrap(), [b"ab"], "what is sent in pieces is told at once");
    tree.send(position, C0, &[7; 300_000]).unwrap();
    let lengths: Vec<usize> = told.lock().unwrap().iter().map(Vec::len).collect();
    assert_eq!(lengths.iter().sum::<usize>(), 300_002, "a lot of bytes are told at once");
}

#[test]
fn a_saved_tree_answers_what_it_knows() {
    let tree = tree(repeater());
    let start = opened(&tree);
    let sent = tree.send(start, C0, b"abc").unwrap();
    let behind = hear(&tree, sent, "abc");
    let mut bytes = Vec::new();
    tree.save(&mut bytes).unwrap();
    let loaded = ConversationTree::load(&bytes, None, TreeOptions::default()).unwrap();
    assert_eq!(hear(&loaded, sent, "abc"), behind);
    let other = loaded.send(start, C0, b"abd").unwrap();
    assert!(matches!(loaded.receive(other, FROM_C0, LIMIT), Err(LiveError::NotInTree)));
    assert!(matches!(loaded.tell(sent), Err(LiveError::NotInTree)));
    let peer = Some(Arc::new(repeater()) as _);
    let loaded = ConversationTree::load(&bytes, peer, TreeOptions::default()).unwrap();
    let other = loaded.send(behind, C0, b"d").unwrap();
    hear(&loaded, other, "abcd");
    assert_eq!(loaded.statistics().answers_repeated, 2);
}

#[test]
fn damaged_files_are_refused() {
    let tree = tree(repeater());
    let start = opened(&tree);
    hear(&tree, tree.send(start, C0, b"abc").unwrap(), "abc");
    hear(&tree, tree.send(start, C0, b"x").unwrap(), "x");
    let mut bytes = Vec::new();
    tree.save(&mut bytes).unwrap();
    let load =
        |bytes: &[u8]| ConversationTree::load(bytes, None, TreeOptions::default()).map(|_| ());
    assert_eq!(load(&bytes), Ok(()));
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert!(load(&damaged).is_err(), "byte {at}");
        assert!(load(&bytes[..at]).is_err(), "the first {at} bytes");
    }
    assert_eq!(load(b"something else"), Err(LoadError::NotATree));
    let mut newer = bytes.clone();
    newer[8] = 9;
    assert_eq!(load(&newer), Err(LoadError::OtherVersion { found: 9, expected: 1 }));
    let options = TreeOptions { bytes_max: 100, ..TreeOptions::default() };
    let error = ConversationTree::load(&bytes, None, options).map(|_| ()).unwrap_err();
    assert_eq!(error, LoadError::TooLarge { bytes_max: 100 });
}

#[test]
fn positions_are_written_and_read_and_those_of_other_trees_are_refused() {
    let tree = tree(repeater());
    let position = tree.send(opened(&tree), C0, b"abc").unwrap();
    let mut to = PartWriter::new(&[]);
    position.write(&mut to);
    let bytes = to.into_bytes();
    assert_eq!(Position::read(&mut PartReader::new(&bytes, &[])).unwrap(), position);
    let other = ConversationTree::new(Arc::new(repeater()), TreeOptions::default());
    assert!(matches!(other.send(position, C0, b"d"), Err(LiveError::NoSuchPosition(_))));
    assert!(matches!(other.receive(position, FROM_C0, LIMIT), Err(LiveError::NoSuchPosition(_))));
}

#[test]
fn a_tree_has_a_limit_and_keeps_what_does_not_fit_in_memory_in_a_file() {
    let options = TreeOptions {
        bytes_max: 100_000,
        memory_bytes_max: 1000,
        spill_folder: Some(std::env::temp_dir()),
        ..TreeOptions::default()
    };
    let echo = ScriptedPeer::new(|| {
        Box::new(|action| match action {
            Some(PeerAction::Send(connection, bytes)) => {
                vec![PeerEvent::Bytes(connection, bytes.into())]
            }
            _ => Vec::new(),
        })
    });
    let tree = ConversationTree::new(Arc::new(echo), options);
    let start = opened(&tree);
    let mut positions = vec![start];
    let text = |number: usize| format!("message {number}");
    let error = loop {
        let number = positions.len();
        let sent = match tree.send(positions[number - 1], C0, text(number).as_bytes()) {
            Ok(sent) => sent,
            Err(error) => break error,
        };
        match tree.receive(sent, FROM_C0, LIMIT) {
            Ok(heard) => positions.push(heard.position),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, LiveError::TooLarge { bytes_max: 100_000 }));
    assert!(tree.statistics().spilled_bytes > 90_000);
    let mut bytes = Vec::new();
    tree.save(&mut bytes).unwrap();
    let loaded = ConversationTree::load(&bytes, None, TreeOptions::default()).unwrap();
    let mut position = start;
    for (number, behind) in (1..).zip(&positions[1..]) {
        let sent = loaded.send(position, C0, text(number).as_bytes()).unwrap();
        position = hear(&loaded, sent, &text(number));
        assert_eq!(position, *behind);
    }
}
