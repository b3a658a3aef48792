//! Random traffic, written as a trace and read again; and traces that are damaged at random.

#![allow(clippy::unwrap_used, reason = "a test fails where it is surprised")]

#[path = "support/trace_file.rs"]
mod trace_file;

use std::collections::BTreeSet;
use std::net::{IpAddr, SocketAddr};

use everett_traffic::{LeftOut, TcpFraming, Trace, TraceOptions, Transport};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use self::trace_file::{ACK, FORMATS, Format, LINKS, Link, SYN, TraceFile};
use self::trace_file::{ip, tcp, udp, udp_fragments};

/// One sender with its traffic.
#[derive(Clone, Debug)]
enum Flow {
    /// A datagram, in fragments of this many units of 8 bytes.
    Datagram(Vec<u8>, Option<usize>),
    /// A stream: the number of its first byte, its bytes, and the places of segments in it. Others fill what
    /// these leave.
    Stream(u32, Vec<u8>, Vec<(Index, Index)>),
    /// A packet of ICMP.
    Other,
}

fn flow() -> impl Strategy<Value = Flow> {
    let stream = (any::<u32>(), vec(any::<u8>(), 1..60), vec(any::<(Index, Index)>(), 0..8));
    prop_oneof![
        (vec(any::<u8>(), 0..60), proptest::option::of(1_usize..4))
            .prop_map(|(bytes, size)| Flow::Datagram(bytes, size)),
        stream.prop_map(|(number, bytes, places)| Flow::Stream(number, bytes, places)),
        Just(Flow::Other),
    ]
}

fn ends(at: usize, is_v6: bool) -> (SocketAddr, SocketAddr) {
    let address = |text: &str| text.parse::<IpAddr>().unwrap();
    let addresses = if is_v6 { ["fd00::1", "fd00::2"] } else { ["10.0.0.1", "10.0.0.2"] };
    let port = 1000 + u16::try_from(at).unwrap();
    (SocketAddr::new(address(addresses[0]), port), SocketAddr::new(address(addresses[1]), 53))
}

/// The IP packets of a flow.
fn packets(at: usize, is_v6: bool, flow: &Flow) -> Vec<Vec<u8>> {
    let (source, destination) = ends(at, is_v6);
    match flow {
        Flow::Datagram(bytes, None) => vec![udp(source, destination, bytes)],
        Flow::Datagram(bytes, Some(size)) => {
            let number = u16::try_from(at).unwrap();
            udp_fragments(source, destination, bytes, number, 8 * size)
        }
        Flow::Stream(number, bytes, places) => {
            let segment = |from: usize, to: usize| {
                let number = number.wrapping_add(1).wrapping_add(u32::try_from(from).unwrap());
                tcp(source, destination, number, ACK, &bytes[from..to])
            };
            let mut packets = Vec::new();
            for (a, b) in places {
                let (a, b) = (a.index(bytes.len()), b.index(bytes.len()));
                packets.push(segment(a.min(b), a.max(b) + 1));
            }
            let middle = bytes.len() / 2;
            packets.extend([segment(0, middle.max(1)), segment(middle, bytes.len())]);
            packets
        }
        Flow::Other => vec![ip(source.ip(), destination.ip(), 1, None, b"ping")],
    }
}

/// Packets that are part of no message, and have a number.
fn left_out(trace: &Trace) -> u64 {
    let counts = trace.left_out().iter();
    let has_number =
        |reason: &LeftOut| !matches!(reason, LeftOut::UnknownBlock | LeftOut::CutShort);
    counts.filter(|(reason, _)| has_number(reason)).map(|(_, count)| count).sum()
}

/// The packets that messages name.
fn named(trace: Trace) -> BTreeSet<u64> {
    let messages = trace.into_messages(TcpFraming::Segments);
    messages.iter().map(|message| message.packet).collect()
}

proptest! {
    #[test]
    fn random_traffic_is_read_again(
        flows in vec((flow(), any::<bool>()), 1..10),
        order in vec(any::<u32>(), 200),
        link in select(LINKS.to_vec()),
        format in select(FORMATS.to_vec()),
    ) {
        // Connections begin before everything else. All other packets come in any order, and some twice.
        let mut written = Vec::new();
        for (at, (flow, is_v6)) in flows.iter().enumerate() {
            let (source, destination) = ends(at, *is_v6);
            if let Flow::Stream(number, ..) = flow {
                written.push(tcp(source, destination, *number, SYN, b""));
            }
        }
        let all = flows.iter().enumerate().flat_map(|(at, (flow, is_v6))| {
            let packets = packets(at, *is_v6, flow);
            let is_whole = matches!(flow, Flow::Stream(..) | Flow::Other);
            packets.into_iter().map(move |packet| (packet, is_whole))
        });
        let mut shuffled: Vec<(u32, Vec<u8>)> = Vec::new();
        for ((packet, may_repeat), key) in all.zip(order.iter().cycle()) {
            if may_repeat && key % 3 == 0 {
                shuffled.push((key.rotate_left(7), packet.clone()));
            }
            shuffled.push((*key, packet));
        }
        shuffled.sort();
        written.extend(shuffled.into_iter().map(|(_, packet)| packet));
        let file = TraceFile::of(format, link, &written);

        let trace = Trace::read(&*file, &TraceOptions::default()).unwrap();
        prop_assert_eq!(trace.packets(), written.len() as u64);
        prop_assert_eq!(trace.contradictions(), 0);
        for reason in trace.left_out().keys() {
            let is_expected =
                matches!(reason, LeftOut::NoData | LeftOut::Repeated | LeftOut::OtherProtocol(1));
            prop_assert!(is_expected, "{reason:?}");
        }
        prop_assert!(trace.streams().iter().all(|stream| stream.gaps().is_empty()));
        let is_fragmented = |flow: &Flow| matches!(flow, Flow::Datagram(_, Some(_)));
        if !flows.iter().any(|(flow, _)| is_fragmented(flow)) {
            let trace = Trace::read(&*file, &TraceOptions::default()).unwrap();
            let left_out = left_out(&trace);
            prop_assert_eq!(named(trace).len() as u64 + left_out, written.len() as u64);
        }
        let mut messages = trace.into_messages(TcpFraming::Streams);
        messages.sort_by_key(|message| message.source.port());
        let found: Vec<(SocketAddr, Transport, Vec<u8>)> = messages
            .into_iter()
            .map(|message| (message.source, message.transport, message.bytes))
            .collect();
        let expected: Vec<(SocketAddr, Transport, Vec<u8>)> = (flows.into_iter().enumerate())
            .filter_map(|(at, (flow, is_v6))| match flow {
                Flow::Datagram(bytes, _) => Some((ends(at, is_v6).0, Transport::Udp, bytes)),
                Flow::Stream(_, bytes, _) => Some((ends(at, is_v6).0, Transport::Tcp, bytes)),
                Flow::Other => None,
            })
            .collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn damaged_traces_are_read_or_refused(
        flows in vec((flow(), any::<bool>()), 1..6),
        link in select(LINKS.to_vec()),
        format in select(FORMATS.to_vec()),
        damages in vec((any::<Index>(), any::<u8>()), 1..6),
        end in any::<Index>(),
    ) {
        let packets: Vec<Vec<u8>> = (flows.iter().enumerate())
            .flat_map(|(at, (flow, is_v6))| packets(at, *is_v6, flow))
            .collect();
        let mut file = TraceFile::of(format, link, &packets);
        for (place, value) in damages {
            let place = place.index(file.len());
            file[place] = value;
        }
        let cut = file.len() - end.index(file.len()).min(file.len() / 4);
        if let Ok(trace) = Trace::read(&file[..cut], &TraceOptions::default()) {
            let (packets, left_out) = (trace.packets(), left_out(&trace));
            prop_assert!(named(trace).len() as u64 + left_out <= packets);
        }
    }
}

#[test]
fn every_prefix_of_a_trace_can_be_read() {
    let ends = ends(0, false);
    let packets = [udp(ends.0, ends.1, b"one"), udp(ends.0, ends.1, b"two")];
    for format in [Format::Pcap, Format::Pcapng] {
        let file = TraceFile::of(format, Link::Raw, &packets);
        let header = if format == Format::Pcap { 24 } else { 28 };
        let mut last = 0;
        for size in header..file.len() {
            let trace = Trace::read(&file[..size], &TraceOptions::default()).unwrap();
            assert!(trace.packets() == last || trace.packets() == last + 1);
            last = trace.packets();
        }
        assert_eq!(last, 1, "the second packet is whole at the end only");
    }
}
