//! The fuzz targets: functions that take any bytes and panic when something is wrong.
//!
//! They have two drivers. `cargo fuzz` runs the files in `fuzz_targets` under libFuzzer, which is the
//! way to search long and deep. `cargo xtask fuzz` runs the same functions with the deterministic
//! mutations of [`mutate`], which needs no installation and gives the same inputs every time: that is
//! what continuous integration does. The bitcode loader is fuzzed by the second only, through the
//! `everett` binary, because LLVM's own reader may end its process on damaged input.

#![forbid(unsafe_code)]

pub mod choices;
mod floats;
pub mod mutate;
pub mod shrink;
#[path = "../../crates/traffic/tests/support/trace_file.rs"]
mod trace_file;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use everett_base::part::{PartReader, Portable};
use everett_expr::Pool;
use everett_live::{
    ConnectionId, ConversationTree, Endpoint, PeerAction, PeerEvent, Position, ScriptedPeer,
    Source, TreeOptions,
};
use everett_replay::{DTest, KTest};
use everett_solver::{Backend, Bitblast, BruteForce, QueryBudget, SolverAnswer};
use everett_traffic::{LeftOut, TcpFraming, Trace, TraceMessage, TraceOptions, Transport};
use minvariant::{EvalLimits, Program, Providers, Recording};

/// Reads the bytes as a test file. What can be read can be listed, and written and read again.
pub fn ktest(data: &[u8]) {
    let Ok(test) = KTest::from_bytes(data) else { return };
    assert!(!test.to_string().is_empty());
    let written = test.to_bytes().expect("what was read fits the format");
    let again = KTest::from_bytes(&written).expect("what was written can be read");
    assert_eq!(again, test, "reading what was written gives another test");
}

/// Reads the bytes as a test of a system. What can be read can be written and read again; what cannot says
/// where.
pub fn dtest(data: &[u8]) {
    match DTest::from_xml(data) {
        Ok(test) => {
            let written = test.to_xml();
            let again = DTest::from_xml(written.as_bytes());
            let again = again.expect("what was written can be read");
            assert_eq!(again, test, "reading what was written gives another test");
        }
        Err(error) => {
            let lines = data.iter().filter(|byte| **byte == b'\n').count() + 1;
            assert!((1..=lines).contains(&(error.line as usize)), "no place: {error}");
            assert!(error.column > 0, "no place: {error}");
        }
    }
}

/// Builds terms as the bytes say and compares every one with its unsimplified meaning.
pub fn expr(data: &[u8]) {
    everett_expr::fuzzing::check(data);
}

/// Decides a condition over all numbers of half precision, which the bytes describe. What the bit-blaster
/// says is compared with the evaluation of the condition for each of them.
pub fn floats(data: &[u8]) {
    let pool = Pool::new();
    let condition = floats::condition(&pool, data);
    let assertions = [condition];
    let budget = QueryBudget::unlimited();
    let ask = |backend: &mut dyn Backend| {
        backend.check(&pool, &assertions, &budget).expect("the backend takes the query")
    };
    let found = ask(&mut Bitblast::new());
    if let SolverAnswer::Sat(model) = &found {
        assert!(pool.eval_bool(condition, model), "a wrong model of {}", pool.smtlib(&assertions));
    }
    let expected = ask(&mut BruteForce);
    assert_eq!(
        matches!(found, SolverAnswer::Sat(_)),
        matches!(expected, SolverAnswer::Sat(_)),
        "{}",
        pool.smtlib(&assertions)
    );
}

/// Reads the bytes as a scenario. What is good can be drawn, and what is not says where.
pub fn scenario(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match everett_scenario::parse(&text, Path::new("system.toml")) {
        Ok(scenario) => {
            let nodes = scenario.topology.nodes();
            assert_eq!(scenario.nodes.len(), nodes.len(), "a node is no host, or a host no node");
            for (node, host) in scenario.nodes.iter().zip(nodes) {
                assert_eq!(node.name, host.name, "nodes are in another order than hosts");
            }
            assert!(scenario.topology.draw().ends_with("</svg>\n"));
        }
        Err(errors) => {
            assert!(errors.count() > 0, "refused without a reason");
            let shown = errors.to_string();
            assert!(shown.starts_with("system.toml:"), "a problem has no place: {shown}");
        }
    }
}

/// Reads the bytes as a program. What is good keeps its meaning when it is formatted, and can be evaluated;
/// what is not says where.
pub fn minvariant(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let formatted = minvariant::format("fuzz.minv", &text);
    if let Ok(formatted) = &formatted {
        let again =
            minvariant::format("fuzz.minv", formatted).expect("the formatted text is a program");
        assert_eq!(again, *formatted, "formatting twice gives another text");
    }
    match Program::parse("fuzz.minv", &text) {
        Ok(program) => {
            let formatted = formatted.expect("a program can be formatted");
            let same = Program::parse("fuzz.minv", &formatted).expect("formatting keeps a program");
            assert_eq!(evaluate(&program), evaluate(&same), "formatting changes the meaning");
        }
        Err(errors) => {
            assert!(errors.count() > 0, "refused without a reason");
            let shown = errors.to_string();
            assert!(shown.starts_with("fuzz.minv:"), "a problem has no place: {shown}");
        }
    }
}

/// What comes of each invariant on a small recording; errors without their places.
fn evaluate(program: &Program) -> Vec<String> {
    let mut recording = Recording::new(["a", "b", "c"]);
    recording.expose("a", 1, "decision", b"yes");
    recording.expose("b", 1, "decision", &[1, 0, 0, 0]);
    recording.expose("a", 0, "v", b"\0\xff");
    let limits = EvalLimits { steps: 20_000, depth: 50, length: 2_000 };
    let mut results = Vec::new();
    for ended in [false, true] {
        recording.ended = ended;
        for invariant in program.invariants() {
            let verdict = program.verdict(invariant.id, Providers::of(&recording), &limits);
            results.push(match verdict {
                Ok(minvariant::Verdict::Violated(violation)) => {
                    format!("{:?}", violation.collected)
                }
                Ok(verdict) => format!("{verdict:?}"),
                Err(error) => error.fault.to_string(),
            });
        }
    }
    results
}

/// Reads the bytes as recorded traffic. All packets are accounted for, and both ways to cut streams into
/// messages give the same bytes.
pub fn traffic(data: &[u8]) {
    let options = TraceOptions { kept_bytes_max: 1 << 20, ..TraceOptions::default() };
    let Ok(trace) = Trace::read(data, &options) else { return };
    let has_number =
        |reason: &LeftOut| !matches!(reason, LeftOut::UnknownBlock | LeftOut::CutShort);
    let counts = trace.left_out().iter().filter(|(reason, _)| has_number(reason));
    let left_out: u64 = counts.map(|(_, count)| count).sum();
    assert!(left_out <= trace.packets(), "more packets are left out than there are");
    trace.streams().iter().for_each(|stream| assert!(!stream.pieces().is_empty()));
    let packets = trace.packets();
    let segments = trace.into_messages(TcpFraming::Segments);
    assert!(segments.iter().all(|message| (1..=packets).contains(&message.packet)));
    assert!(segments.is_empty() || left_out < packets, "a message consists of no packet");
    let again = Trace::read(data, &options).expect("the bytes are the same");
    let streams = again.into_messages(TcpFraming::Streams);
    let size = |messages: &[TraceMessage]| -> usize {
        let of_tcp = messages.iter().filter(|message| message.transport == Transport::Tcp);
        of_tcp.map(|message| message.bytes.len()).sum()
    };
    assert_eq!(size(&segments), size(&streams), "streams have other bytes than their segments");
}

/// Reads the bytes as a saved tree, behind which the right checksum is put. What can be read is written as
/// the same bytes, and can be talked to at any position, be it one of the tree or not.
pub fn live(data: &[u8]) {
    let checksum = blake3::hash(data);
    let file = [data, checksum.as_bytes()].concat();
    let options = TreeOptions { bytes_max: 1 << 24, ..TreeOptions::default() };
    let Ok(tree) = ConversationTree::load(&file, None, options) else { return };
    let mut written = Vec::new();
    tree.save(&mut written).expect("memory can be written to");
    assert_eq!(written, file, "writing what was read gives other bytes");
    let limit = Duration::from_millis(10);
    let sources = (0..3).map(|number| Source::Connection(ConnectionId(number)));
    let sources = sources.chain([Source::Anything, Source::Endpoint(Endpoint(0))]);
    let sources: Vec<Source> = sources.collect();
    let numbers = data.chunks(9).map(|chunk| PartReader::new(chunk, &[]));
    let any = numbers.filter_map(|mut numbers| Position::read(&mut numbers).ok());
    let mut positions: Vec<Position> = any.take(20).chain([Position::ROOT]).collect();
    for _ in 0..60 {
        let Some(position) = positions.pop() else { break };
        positions.extend(tree.open(position, Endpoint(0)));
        positions.extend(tree.send(position, ConnectionId(0), b"ab"));
        positions.extend(tree.send_datagram(position, ConnectionId(1), b"a"));
        for source in &sources {
            let answers = tree.answers(position, *source).unwrap_or_default();
            if let Ok(heard) = tree.receive(position, *source, limit) {
                positions.push(heard.position);
                assert!(heard.position == position || answers.contains(&heard));
            }
        }
    }
}

/// Saved trees to start from, without their checksums: a conversation with branches.
pub fn live_seeds() -> Vec<Vec<u8>> {
    let peer = ScriptedPeer::new(|| {
        Box::new(|action| match action {
            None => vec![PeerEvent::Connected(Endpoint(0))],
            Some(PeerAction::Send(connection, bytes)) => {
                vec![PeerEvent::Bytes(connection, bytes.to_vec())]
            }
            Some(PeerAction::SendDatagram(connection, _)) => vec![PeerEvent::Reset(connection)],
            Some(_) => Vec::new(),
        })
    });
    let tree = ConversationTree::new(Arc::new(peer), TreeOptions::default());
    let limit = Duration::from_millis(10);
    let opened = tree.open(Position::ROOT, Endpoint(0)).expect("there is room");
    let mut positions = vec![Position::ROOT, opened];
    for text in [&b"ab"[..], b"abc", b"ax", b"b"] {
        let last = positions.len() - 1;
        positions.extend(tree.send(opened, ConnectionId(0), text));
        positions.extend(tree.send_datagram(positions[last], ConnectionId(0), text));
        for position in positions.clone() {
            let heard = tree.receive(position, Source::Anything, limit);
            positions.push(heard.expect("the peer is there").position);
        }
    }
    let mut file = Vec::new();
    tree.save(&mut file).expect("memory can be written to");
    file.truncate(file.len() - blake3::OUT_LEN);
    vec![file]
}

/// Traffic to start from.
pub fn traffic_seeds() -> Vec<Vec<u8>> {
    use trace_file::{ACK, FORMATS, LINKS, SYN, TraceFile, tcp, udp, udp_fragments};
    let end = |text: &str| text.parse::<SocketAddr>().expect("this is an address");
    let four = (end("10.0.0.1:1000"), end("10.0.0.2:53"));
    let six = (end("[fd00::1]:1000"), end("[fd00::2]:53"));
    let mut packets = vec![
        udp(four.0, four.1, b"datagram"),
        udp(six.0, six.1, b"datagram"),
        tcp(four.0, four.1, 7, SYN, b""),
        tcp(four.0, four.1, 8, ACK, b"first"),
        tcp(four.0, four.1, 10, ACK, b"rst and second"),
        tcp(six.0, six.1, 9, ACK, b"in the middle"),
    ];
    packets.extend(udp_fragments(four.0, four.1, &[7; 40], 5, 16));
    packets.extend(udp_fragments(six.0, six.1, &[7; 40], 5, 16));
    let formats = FORMATS.iter().flat_map(|format| LINKS.iter().map(move |link| (*format, *link)));
    formats.map(|(format, link)| TraceFile::of(format, link, &packets)).collect()
}

/// Programs to start from.
pub fn minvariant_seeds() -> Vec<Vec<u8>> {
    let seeds = [
        include_str!("../../crates/minvariant/tests/ok/arrays.minv"),
        include_str!("../../crates/minvariant/tests/ok/comments_and_layout.minv"),
        include_str!("../../crates/minvariant/tests/ok/control_flow.minv"),
        include_str!("../../crates/minvariant/tests/ok/data_numbers.minv"),
        include_str!("../../crates/minvariant/tests/ok/decision_consistency.minv"),
        include_str!("../../crates/minvariant/tests/ok/lambdas.minv"),
        include_str!("../../crates/minvariant/tests/ok/maps.minv"),
        include_str!("../../crates/minvariant/tests/ok/mutation.minv"),
        include_str!("../../crates/minvariant/tests/ok/quorum.minv"),
    ];
    seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect()
}

/// Tests of systems to start from.
pub fn dtest_seeds() -> Vec<Vec<u8>> {
    let seeds = [include_str!("../seeds/published.dtest"), include_str!("../seeds/recorded.dtest")];
    seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect()
}

/// Scenarios to start from.
pub fn scenario_seeds() -> Vec<Vec<u8>> {
    let seeds = [
        include_str!("../../tests/scenarios/ok/server_and_clients.toml"),
        include_str!("../../tests/scenarios/ok/two_networks.toml"),
        include_str!("../../tests/scenarios/ok/own_routes.toml"),
        include_str!("../../tests/scenarios/ok/every_key.toml"),
        include_str!("../../tests/scenarios/ok/every_key_of_a_node.toml"),
    ];
    seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect()
}

/// Inputs to start from, for targets whose format random bytes would never hit.
pub fn ktest_seeds() -> Vec<Vec<u8>> {
    use everett_replay::KTestObject;
    let mut test = KTest::new(["prog.bc", "-v"]);
    (test.sym_argvs, test.sym_argv_len) = (2, 8);
    test.objects.push(KTestObject::new("n", 7u32.to_le_bytes()));
    test.objects.push(KTestObject::new("buf", *b"GET / HTTP/1.0\r\n\r\n"));
    let bytes = test.to_bytes().expect("a small test fits the format");
    let old = [b"BOUT\n", &bytes[5..]].concat();
    let first = b"KTEST\0\0\0\x01\0\0\0\0\0\0\0\x01\0\0\0\x01n\0\0\0\x01\x09".to_vec();
    vec![bytes, old, first]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_good_test_files() {
        for seed in ktest_seeds() {
            KTest::from_bytes(&seed).expect("a seed is a test file");
            ktest(&seed);
        }
    }

    #[test]
    fn seeds_are_good_tests_of_systems() {
        for seed in dtest_seeds() {
            DTest::from_xml(&seed).expect("a seed is a test of a system");
            dtest(&seed);
        }
    }

    #[test]
    fn seeds_are_good_trees() {
        for seed in live_seeds() {
            let file = [&*seed, blake3::hash(&seed).as_bytes()].concat();
            let tree = ConversationTree::load(&file, None, TreeOptions::default());
            assert!(tree.expect("a seed is a tree").statistics().strands > 3);
            live(&seed);
        }
    }

    #[test]
    fn seeds_are_good_programs() {
        for seed in minvariant_seeds() {
            let text = String::from_utf8(seed.clone()).expect("a seed is text");
            Program::parse("seed.minv", &text).expect("a seed is a program");
            minvariant(&seed);
        }
    }

    #[test]
    fn seeds_are_good_scenarios() {
        for seed in scenario_seeds() {
            let text = String::from_utf8(seed.clone()).expect("a seed is text");
            let read = everett_scenario::parse(&text, Path::new("system.toml"));
            read.expect("a seed is a scenario");
            scenario(&seed);
        }
    }
}
