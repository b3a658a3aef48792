//! Traces that the tests write, and what is read of them.

#![allow(clippy::unwrap_used, reason = "a test fails where it is surprised")]

#[path = "support/trace_file.rs"]
mod trace_file;

use std::io::{self, Read};
use std::net::SocketAddr;

use everett_traffic::{
    EndpointFilter, LeftOut, StreamGap, TcpFraming, Trace, TraceError, TraceMessage, TraceOptions,
    TraceTime, Transport,
};

use self::trace_file::{ACK, FIN, FORMATS, Format, LINKS, Link, SYN, TraceFile};
use self::trace_file::{ip, tcp, udp, udp_fragments};

fn end(text: &str) -> SocketAddr {
    text.parse().unwrap()
}

fn client() -> SocketAddr {
    end("10.0.0.1:1000")
}

fn server() -> SocketAddr {
    end("10.0.0.2:53")
}

fn read(file: &[u8]) -> Trace {
    Trace::read(file, &TraceOptions::default()).unwrap()
}

fn read_packets(packets: &[Vec<u8>]) -> Trace {
    read(&TraceFile::of(Format::Pcap, Link::Raw, packets))
}

fn left_out(trace: &Trace) -> Vec<(LeftOut, u64)> {
    trace.left_out().iter().map(|(&reason, &count)| (reason, count)).collect()
}

/// The packets and contents of messages.
fn contents(trace: Trace) -> Vec<(u64, Vec<u8>)> {
    let messages = trace.into_messages(TcpFraming::Segments);
    messages.into_iter().map(|message| (message.packet, message.bytes)).collect()
}

#[test]
fn datagram_is_read_from_every_link_and_format() {
    let six = (end("[fd00::1]:1000"), end("[fd00::2]:53"));
    for format in FORMATS {
        for link in LINKS {
            let packets = [udp(client(), server(), b"one"), udp(six.0, six.1, b"two"), Vec::new()];
            let trace = read(&TraceFile::of(format, link, &packets[..2]));
            assert_eq!((trace.packets(), left_out(&trace)), (2, vec![]), "{format:?} {link:?}");
            let message = |at: u64, ends: (SocketAddr, SocketAddr), bytes: &[u8]| TraceMessage {
                packet: at,
                time: Some(TraceTime(at * 1_000_000_000)),
                transport: Transport::Udp,
                source: ends.0,
                destination: ends.1,
                bytes: bytes.to_vec(),
            };
            let expected = [message(1, (client(), server()), b"one"), message(2, six, b"two")];
            assert_eq!(trace.into_messages(TcpFraming::Segments), expected, "{format:?} {link:?}");
        }
    }
}

#[test]
fn everything_that_is_not_looked_at_is_counted() {
    let mut file = TraceFile::new(Format::Pcapng, 1);
    let datagram = Link::Ethernet.frame(&udp(client(), server(), &[7; 100]));
    file.frame(&datagram);
    file.snapped(&datagram[..80], datagram.len());
    file.snapped(&datagram[..20], datagram.len());
    file.frame(&datagram[..80]);
    file.frame(&[&[2; 12][..], &[8, 6], &[0; 28]].concat());
    file.frame(&Link::Ethernet.frame(&ip(client().ip(), server().ip(), 1, None, &[0; 8])));
    file.frame(&Link::Ethernet.frame(&ip(client().ip(), server().ip(), 17, None, &[0; 3])));
    file.frame(&Link::Ethernet.frame(&tcp(client(), server(), 5, ACK, b"")));
    file.frame(b"");
    // A packet of the kind that older versions of the format have, and what a vendor adds.
    file.block(2, &[0; 20]);
    file.block(0xbad, b"any");
    file.bytes.truncate(file.bytes.len() - 1);
    let trace = read(&file.bytes);
    assert_eq!(trace.packets(), 9);
    let expected = [
        (LeftOut::Snapped, 2),
        (LeftOut::Damaged, 3),
        (LeftOut::OtherNetwork, 1),
        (LeftOut::OtherProtocol(1), 1),
        (LeftOut::NoData, 1),
        (LeftOut::UnknownBlock, 1),
        (LeftOut::CutShort, 1),
    ];
    assert_eq!(left_out(&trace), expected);
    assert_eq!(contents(trace), [(1, vec![7; 100])]);
}

#[test]
fn unknown_link_type_is_named() {
    let mut file = TraceFile::new(Format::Pcap, 105);
    file.frame(&[0; 100]);
    assert_eq!(left_out(&read(&file.bytes)), [(LeftOut::LinkType(105), 1)]);
}

#[test]
fn cut_off_padding_leaves_a_datagram_whole() {
    let frame = Link::Ethernet.frame(&udp(client(), server(), b"x"));
    let mut file = TraceFile::new(Format::Pcap, 1);
    file.snapped(&frame[..50], frame.len());
    assert_eq!(contents(read(&file.bytes)), [(1, b"x".to_vec())]);
}

#[test]
fn messages_are_selected_by_their_ends() {
    let packets = [udp(client(), server(), b"to"), udp(server(), client(), b"back")];
    let file = TraceFile::of(Format::Pcap, Link::Raw, &packets);
    for (from, to, expected) in [
        ("10.0.0.1", "", 1),
        ("10.0.0.2:53", "", 2),
        ("", ":53", 1),
        ("10.0.0.2", "10.0.0.1:1000", 2),
    ] {
        let filter = |text: &str| match text {
            "" => EndpointFilter::default(),
            text => text.parse().unwrap(),
        };
        let options = TraceOptions { from: filter(from), to: filter(to), ..Default::default() };
        let trace = Trace::read(&*file, &options).unwrap();
        assert_eq!(left_out(&trace), [(LeftOut::NotSelected, 1)]);
        assert_eq!(trace.into_messages(TcpFraming::Segments)[0].packet, expected, "{from} {to}");
    }
    for text in ["", "10.0.0", "10.0.0.1:", "::1:70000", ":x"] {
        assert!(text.parse::<EndpointFilter>().is_err(), "{text}");
    }
}

#[test]
fn fragments_are_put_together_in_any_order() {
    for (source, destination) in
        [(client(), server()), (end("[fd00::1]:1000"), end("[fd00::2]:53"))]
    {
        let data: Vec<u8> = (0..100).collect();
        let mut packets = udp_fragments(source, destination, &data, 9, 24);
        packets.reverse();
        packets.insert(2, packets[1].clone());
        // Others with another number, one of which is missing.
        packets.extend(udp_fragments(source, destination, &data, 10, 32).into_iter().skip(1));
        let trace = read_packets(&packets);
        assert_eq!(left_out(&trace), [(LeftOut::FragmentMissing, 3)]);
        assert_eq!(contents(trace), [(6, data)]);
    }
}

#[test]
fn fragments_that_contradict_each_other_are_left_out() {
    let [one, other] = [1, 2].map(|value| udp_fragments(client(), server(), &[value; 40], 9, 16));
    let packets = [one[1].clone(), other[1].clone(), one[0].clone()];
    let trace = read_packets(&packets);
    assert_eq!(
        left_out(&trace),
        [(LeftOut::FragmentMissing, 1), (LeftOut::FragmentContradiction, 2)]
    );
    assert_eq!(contents(trace), []);
}

#[test]
fn fragments_that_wait_for_others_are_bounded() {
    let packets: Vec<Vec<u8>> = (0..2000)
        .map(|number| udp_fragments(client(), server(), &[1; 40], number, 16).swap_remove(0))
        .collect();
    let trace = read_packets(&packets);
    assert_eq!(left_out(&trace), [(LeftOut::FragmentMissing, 2000)]);
}

#[test]
fn stream_is_put_together_from_segments() {
    // The numbers begin anew within the stream.
    let first = u32::MAX - 3;
    let number = |offset: u32| first.wrapping_add(1).wrapping_add(offset);
    let segment = |offset, data: &[u8]| tcp(client(), server(), number(offset), ACK, data);
    let packets = [
        tcp(client(), server(), first, SYN, b""),
        tcp(server(), client(), 77, SYN | ACK, b""),
        segment(0, b"abc"),
        segment(6, b"ghi"),
        segment(3, b"def"),
        segment(0, b"abc"),
        segment(3, b"dXf"),
        segment(7, b"hijk"),
        tcp(server(), client(), 78, ACK, b"reply"),
        tcp(client(), server(), number(11), FIN | ACK, b""),
    ];
    let trace = read_packets(&packets);
    let expected = [(LeftOut::NoData, 3), (LeftOut::Repeated, 1), (LeftOut::RepeatedOtherwise, 1)];
    assert_eq!(left_out(&trace), expected);
    let streams = trace.streams();
    assert_eq!(streams.len(), 2);
    assert_eq!((streams[0].source(), streams[0].destination()), (client(), server()));
    assert!(streams[0].begins_at_start() && streams[0].gaps().is_empty());
    let pieces = streams[0].pieces();
    assert_eq!((pieces[0].0, &*pieces[0].1.bytes), (0, &b"abcdefghijk"[..]));
    let message = |packet, bytes: &[u8]| (packet, bytes.to_vec());
    let expected = [
        message(3, b"abc"),
        message(4, b"ghi"),
        message(5, b"def"),
        message(8, b"jk"),
        message(9, b"reply"),
    ];
    assert_eq!(contents(trace), expected);
    let whole = read_packets(&packets).into_messages(TcpFraming::Streams);
    let whole: Vec<(u64, &[u8])> =
        whole.iter().map(|message| (message.packet, &*message.bytes)).collect();
    assert_eq!(whole, [(3, &b"abcdefghijk"[..]), (9, b"reply")]);
}

#[test]
fn gaps_of_streams_are_known() {
    let segment = |number, flags, data: &[u8]| tcp(client(), server(), number, flags, data);
    let packets = [
        segment(99, SYN, b""),
        segment(103, ACK, b"de"),
        segment(110, ACK, b"kl"),
        segment(115, FIN | ACK, b""),
    ];
    let trace = read_packets(&packets);
    let gap = |offset, length| StreamGap { offset, length };
    assert_eq!(trace.streams()[0].gaps(), [gap(0, 3), gap(5, 5), gap(12, 3)]);
    // Without the beginning of the connection, what came before is not known to be missing.
    let trace = read_packets(&packets[1..3]);
    assert!(!trace.streams()[0].begins_at_start());
    assert_eq!(trace.streams()[0].gaps(), [gap(2, 5)]);
    let pieces: Vec<i64> = trace.streams()[0].pieces().iter().map(|(at, _)| *at).collect();
    assert_eq!(pieces, [0, 7]);
}

#[test]
fn new_connection_between_the_same_ends_is_another_stream() {
    let segment = |number, flags, data: &[u8]| tcp(client(), server(), number, flags, data);
    let packets = [
        segment(99, SYN, b""),
        segment(99, SYN, b""),
        segment(100, ACK, b"one"),
        segment(50, SYN, b""),
        segment(51, ACK, b"two"),
    ];
    let trace = read_packets(&packets);
    let streams: Vec<Vec<u8>> =
        trace.streams().iter().map(|s| s.pieces()[0].1.bytes.clone()).collect();
    assert_eq!(streams, [b"one", b"two"]);
}

#[test]
fn packets_of_network_cards_that_segment_have_no_length() {
    let mut packet = tcp(client(), server(), 1, ACK, &[3; 5000]);
    packet[2..4].fill(0);
    assert_eq!(contents(read_packets(&[packet.clone()])), [(1, vec![3; 5000])]);
    let mut file = TraceFile::new(Format::Pcap, 101);
    file.snapped(&packet[..100], packet.len());
    assert_eq!(left_out(&read(&file.bytes)), [(LeftOut::Snapped, 1)]);
}

#[test]
fn memory_is_bounded() {
    let packets: Vec<Vec<u8>> = (0..100).map(|_| udp(client(), server(), &[0; 1000])).collect();
    let file = TraceFile::of(Format::Pcap, Link::Raw, &packets);
    let options = TraceOptions { kept_bytes_max: 20_000, ..TraceOptions::default() };
    let trace = Trace::read(&*file, &options).unwrap();
    assert_eq!(left_out(&trace), [(LeftOut::Limit, 83)]);
    let options = TraceOptions { block_bytes_max: 1000, ..TraceOptions::default() };
    let error = Trace::read(&*file, &options).unwrap_err();
    assert_eq!(error.to_string(), "a block behind packet 0 is larger than 1000 bytes");
}

#[test]
fn large_packets_fit() {
    // Larger than the buffer at the beginning.
    let frame = vec![0; 1 << 20];
    let mut file = TraceFile::new(Format::Pcapng, 1);
    file.frame(&Link::Ethernet.frame(&udp(client(), server(), b"first")));
    file.frame(&frame);
    file.frame(&Link::Ethernet.frame(&udp(client(), server(), b"last")));
    let trace = read(&file.bytes);
    assert_eq!((trace.packets(), left_out(&trace)), (3, vec![(LeftOut::OtherNetwork, 1)]));
}

#[test]
fn clocks_of_interfaces_are_understood() {
    for (resolution, seconds) in [(0, 3_u64 << 32), (0x80 | 32, 3), (0x80, 3 << 32)] {
        let mut file = TraceFile::new(Format::Pcapng, 101);
        file.bytes.truncate(28);
        // The option `if_tsresol`, and the end of the options.
        let options = [9, 0, 1, 0, resolution, 0, 0, 0, 0, 0, 0, 0];
        file.block(1, &[&[101, 0, 0, 0, 0, 0, 0, 0][..], &options].concat());
        let packet = udp(client(), server(), b"x");
        let size = u32::try_from(packet.len()).unwrap().to_le_bytes();
        file.block(6, &[&[0; 4][..], &[3, 0, 0, 0], &[0; 4], &size, &size, &packet].concat());
        let trace = read(&file.bytes);
        let time = trace.into_messages(TcpFraming::Segments)[0].time;
        let expected = seconds.checked_mul(1_000_000_000);
        assert_eq!(time, expected.map(TraceTime), "{resolution}");
    }
}

#[test]
fn packets_without_a_time_are_read() {
    let mut file = TraceFile::new(Format::Pcapng, 101);
    let packet = udp(client(), server(), b"x");
    let size = u32::try_from(packet.len()).unwrap().to_le_bytes();
    file.block(3, &[&size[..], &packet].concat());
    let messages = read(&file.bytes).into_messages(TcpFraming::Segments);
    assert_eq!((&*messages[0].bytes, messages[0].time), (&b"x"[..], None));
}

/// A reader that gives one byte at a time, and fails at the end.
struct SlowReader<'a>(&'a [u8]);

impl Read for SlowReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match (self.0.split_first(), buffer.first_mut()) {
            (Some((&byte, rest)), Some(place)) => {
                *place = byte;
                self.0 = rest;
                Ok(1)
            }
            (None, Some(_)) => Err(io::Error::other("the disk is gone")),
            (_, None) => Ok(0),
        }
    }
}

#[test]
fn errors_say_where_they_are() {
    let error = |bytes: &[u8]| Trace::read(bytes, &TraceOptions::default()).unwrap_err();
    assert!(matches!(error(b""), TraceError::UnknownFormat));
    assert!(matches!(error(b"GIF89a, and so on, for 24 bytes"), TraceError::UnknownFormat));
    let mut file = TraceFile::new(Format::Pcapng, 101);
    file.frame(&udp(client(), server(), b"x"));
    let fine = file.bytes.clone();
    file.block(6, &[9; 20]);
    assert_eq!(
        error(&file.bytes).to_string(),
        "the file is damaged behind packet 1: a block contradicts the format"
    );
    let mut file = TraceFile::new(Format::Pcapng, 101);
    file.bytes.truncate(28);
    file.frame(b"x");
    assert_eq!(
        error(&file.bytes).to_string(),
        "the file is damaged behind packet 0: a packet belongs to no interface"
    );
    let error = Trace::read(SlowReader(&fine), &TraceOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "cannot read behind packet 0: the disk is gone");
    let slow = SlowReader(&fine).take(fine.len() as u64);
    assert_eq!(Trace::read(slow, &TraceOptions::default()).unwrap().packets(), 1);
}
