//! The messages of the worlds of findings as captures in the format pcapng, which Wireshark reads.
//!
//! A finding is a world, and has a capture of its own: worlds use the same addresses and ports. Messages
//! are packets of IP at the time of their sending, lost ones too, with the headers that they would have on
//! a wire. A segment of TCP has the sequence number of its stream, and acknowledges what its sender has
//! received.
//!
//! A message of which only the beginning is known is a packet that was captured in part. Messages that are
//! neither UDP nor TCP have no packets.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};

use etherparse::{IpNumber, PacketBuilder, PacketBuilderStep, TcpHeader};

use crate::record::{EventKind, FindingRecord, MessageRecord, RunRecord, Timeline};

/// Packets of IP without a frame around them: LINKTYPE_RAW.
const LINK_TYPE: u16 = 101;
/// Bytes of a message in one packet. A longer one is several segments.
const SEGMENT_BYTES: u64 = 60_000;
/// The hops that a packet may take, and the window of a segment: not known, and not looked at.
const TTL: u8 = 64;
const WINDOW: u16 = 65_535;
/// What lies between the numbers of a stream and of the next one between the same ports.
const NEXT_STREAM: u32 = 1 << 20;

/// The capture of one finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FindingCapture {
    /// Its name in the folder of results.
    pub file: String,
    /// The file.
    pub bytes: Vec<u8>,
}

/// The captures of all findings with messages.
pub fn captures(record: &RunRecord) -> Vec<FindingCapture> {
    let findings = record.summary.findings.iter();
    findings.filter_map(capture).collect()
}

fn capture(finding: &FindingRecord) -> Option<FindingCapture> {
    let mut writer = CaptureWriter::new(&format!("finding {}", finding.id));
    let mut streams = Streams::default();
    let mut is_empty = true;
    for event in Timeline::of(finding).events {
        match event.kind {
            EventKind::Receive(number, _) => streams.receive(number),
            EventKind::Send(number, message) => {
                let fate = if message.received { "" } else { " (not received)" };
                let words = message.words.as_ref().map(|words| format!(", {}", words.line()));
                let words = words.unwrap_or_default();
                let MessageRecord { from, to, kind, .. } = message;
                let comment = format!("{from} -> {to}: {kind}{fate}{words}");
                for (packet, length) in streams.packets(number, message) {
                    is_empty = false;
                    writer.packet(event.time_ns, &packet, length, &comment);
                }
            }
            _ => {}
        }
    }
    let file = format!("findings/{:03}-{}.pcapng", finding.id, finding.kind);
    (!is_empty).then_some(FindingCapture { file, bytes: writer.bytes })
}

/// One direction of a connection.
type Direction = (SocketAddr, SocketAddr);

/// Numbers of the streams of TCP so far.
#[derive(Default)]
struct Streams {
    /// The sequence number that comes next.
    next: BTreeMap<Direction, u32>,
    /// The number behind what was received.
    received: BTreeMap<Direction, u32>,
    /// The direction of each message, and the number behind it.
    ends: BTreeMap<usize, (Direction, u32)>,
}

impl Streams {
    fn receive(&mut self, message: usize) {
        if let Some((direction, end)) = self.ends.get(&message) {
            self.received.insert(*direction, *end);
        }
    }

    /// The packets of a message as far as they are known, each with its length.
    fn packets(&mut self, number: usize, message: &MessageRecord) -> Vec<(Vec<u8>, usize)> {
        let (Ok(source), Ok(destination)) = (message.source.parse(), message.destination.parse())
        else {
            return Vec::new();
        };
        let direction: Direction = (source, destination);
        let Some(ip) = headers(source.ip(), destination.ip()) else { return Vec::new() };
        let words: Vec<&str> = message.kind.split(' ').collect();
        match &words[..] {
            // What a closed port answers is a message of ICMP.
            ["udp", kinds @ ..] if kinds.contains(&"data") => {
                let udp = ip.udp(source.port(), destination.port());
                let write = |out: &mut Vec<u8>, bytes: &[u8]| udp.write(out, bytes).is_ok();
                packet(message, 0..message.size, write).into_iter().collect()
            }
            ["tcp", kinds @ ..] => self.segments(number, message, direction, kinds),
            ["icmp", ..] => {
                let protocol = if source.is_ipv4() { IpNumber::ICMP } else { IpNumber::IPV6_ICMP };
                let write =
                    |out: &mut Vec<u8>, bytes: &[u8]| ip.write(out, protocol, bytes).is_ok();
                packet(message, 0..message.size, write).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    fn segments(
        &mut self,
        number: usize,
        message: &MessageRecord,
        direction: Direction,
        kinds: &[&str],
    ) -> Vec<(Vec<u8>, usize)> {
        let has = |kind: &str| kinds.contains(&kind);
        let begins = has("request") || has("reply");
        let mut sequence = match (self.next.get(&direction), begins) {
            (Some(next), true) => next.wrapping_add(NEXT_STREAM),
            (Some(next), false) => *next,
            (None, begins) => u32::from(!begins),
        };
        let (source, destination) = direction;
        let acknowledged = self.received.get(&(destination, source)).copied();
        let mut packets = Vec::new();
        let mut sent = 0;
        loop {
            let end = message.size.min(sent + SEGMENT_BYTES);
            let is_last = end == message.size;
            let mut header = TcpHeader::new(source.port(), destination.port(), sequence, WINDOW);
            header.syn = begins;
            header.ack = acknowledged.is_some() && !has("request");
            header.acknowledgment_number = acknowledged.filter(|_| header.ack).unwrap_or(0);
            header.rst = has("reset") || has("refusal");
            header.psh = is_last && end > 0;
            header.fin = is_last && has("close");
            let Some(ip) = headers(source.ip(), destination.ip()) else { break };
            let length = (end - sent) as u32 + u32::from(header.syn) + u32::from(header.fin);
            sequence = sequence.wrapping_add(length);
            let tcp = ip.tcp_header(header);
            let write = |out: &mut Vec<u8>, bytes: &[u8]| tcp.write(out, bytes).is_ok();
            packets.extend(packet(message, sent..end, write));
            sent = end;
            if is_last {
                break;
            }
        }
        self.next.insert(direction, sequence);
        self.ends.insert(number, (direction, sequence));
        packets
    }
}

/// The header of IP between two addresses of one family.
fn headers(
    source: IpAddr,
    destination: IpAddr,
) -> Option<PacketBuilderStep<etherparse::IpHeaders>> {
    match (source, destination) {
        (IpAddr::V4(from), IpAddr::V4(to)) => {
            Some(PacketBuilder::ipv4(from.octets(), to.octets(), TTL))
        }
        (IpAddr::V6(from), IpAddr::V6(to)) => {
            Some(PacketBuilder::ipv6(from.octets(), to.octets(), TTL))
        }
        _ => None,
    }
}

/// A packet with these bytes of a message, as far as they are known, and its length. What is too long for a
/// packet has none.
fn packet(
    message: &MessageRecord,
    bytes: std::ops::Range<u64>,
    write: impl FnOnce(&mut Vec<u8>, &[u8]) -> bool,
) -> Option<(Vec<u8>, usize)> {
    let known = message.bytes.len() as u64;
    let (first, end) = (bytes.start.min(known) as usize, bytes.end.min(known) as usize);
    let mut payload = message.bytes[first..end].to_vec();
    // Headers have the whole length.
    payload.resize((bytes.end - bytes.start) as usize, 0);
    let unknown = payload.len() - (end - first);
    let mut packet = Vec::new();
    if !write(&mut packet, &payload) {
        return None;
    }
    let length = packet.len();
    packet.truncate(length - unknown);
    Some((packet, length))
}

/// Writes the blocks of a file, little-endian.
struct CaptureWriter {
    bytes: Vec<u8>,
}

/// Options of blocks.
const OPTION_COMMENT: u16 = 1;
const OPTION_NAME: u16 = 2;
const OPTION_TIME_RESOLUTION: u16 = 9;
const OPTION_APPLICATION: u16 = 4;

impl CaptureWriter {
    /// A file with one interface of this name, whose times are in nanoseconds.
    fn new(interface: &str) -> CaptureWriter {
        let mut writer = CaptureWriter { bytes: Vec::new() };
        let mut section = vec![0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0];
        section.extend(u64::MAX.to_le_bytes());
        option(&mut section, OPTION_APPLICATION, b"Everett");
        writer.block(0x0a0d_0d0a, section);
        let mut description = LINK_TYPE.to_le_bytes().to_vec();
        description.extend([0; 6]);
        option(&mut description, OPTION_NAME, interface.as_bytes());
        option(&mut description, OPTION_TIME_RESOLUTION, &[9]);
        writer.block(1, description);
        writer
    }

    fn packet(&mut self, time_ns: u64, packet: &[u8], length: usize, comment: &str) {
        let mut body = 0u32.to_le_bytes().to_vec();
        for number in [(time_ns >> 32) as u32, time_ns as u32] {
            body.extend(number.to_le_bytes());
        }
        for length in [packet.len(), length] {
            body.extend((length as u32).to_le_bytes());
        }
        body.extend(packet);
        pad(&mut body);
        option(&mut body, OPTION_COMMENT, comment.as_bytes());
        self.block(6, body);
    }

    /// A block with its options, which are behind its body.
    fn block(&mut self, kind: u32, mut body: Vec<u8>) {
        // The end of the options.
        body.extend([0; 4]);
        let length = body.len() as u32 + 12;
        for number in [kind, length] {
            self.bytes.extend(number.to_le_bytes());
        }
        self.bytes.extend(body);
        self.bytes.extend(length.to_le_bytes());
    }
}

fn option(body: &mut Vec<u8>, code: u16, value: &[u8]) {
    let value = &value[..value.len().min(usize::from(u16::MAX))];
    body.extend(code.to_le_bytes());
    body.extend((value.len() as u16).to_le_bytes());
    body.extend(value);
    pad(body);
}

/// Blocks and options are multiples of four bytes.
fn pad(body: &mut Vec<u8>) {
    body.resize(body.len().next_multiple_of(4), 0);
}
