//! Writes trace files: packets of UDP and TCP, in frames of each link type, as pcap or pcapng.

#![allow(dead_code, reason = "each test that has this module uses a part of it")]
#![allow(clippy::unwrap_used, reason = "what tests write is small")]

use std::net::{IpAddr, SocketAddr};

/// The headers around an IP packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Link {
    Ethernet,
    Vlan,
    Raw,
    Cooked,
    Cooked2,
    Null,
    Loop,
}

pub(crate) const LINKS: [Link; 7] =
    [Link::Ethernet, Link::Vlan, Link::Raw, Link::Cooked, Link::Cooked2, Link::Null, Link::Loop];

impl Link {
    pub(crate) fn number(self) -> u16 {
        match self {
            Link::Ethernet | Link::Vlan => 1,
            Link::Raw => 101,
            Link::Cooked => 113,
            Link::Cooked2 => 276,
            Link::Null => 0,
            Link::Loop => 108,
        }
    }

    /// The frame of an IP packet.
    pub(crate) fn frame(self, packet: &[u8]) -> Vec<u8> {
        let is_v4 = packet[0] >> 4 == 4;
        let protocol: [u8; 2] = if is_v4 { [8, 0] } else { [0x86, 0xdd] };
        let header = match self {
            Link::Ethernet => [&[2; 12][..], &protocol].concat(),
            Link::Vlan => [&[2; 12][..], &[0x88, 0xa8, 0, 5, 0x81, 0, 0, 7], &protocol].concat(),
            Link::Raw => Vec::new(),
            Link::Cooked => [&[0, 4, 0, 1, 0, 6, 2, 2, 2, 2, 2, 2, 0, 0][..], &protocol].concat(),
            Link::Cooked2 => [&protocol[..], &[0; 18]].concat(),
            Link::Null => vec![if is_v4 { 2 } else { 30 }, 0, 0, 0],
            Link::Loop => vec![0, 0, 0, if is_v4 { 2 } else { 24 }],
        };
        let mut frame = [&header, packet].concat();
        if matches!(self, Link::Ethernet | Link::Vlan) {
            // Short frames are padded.
            frame.resize(frame.len().max(60), 0x55);
        }
        frame
    }
}

fn ip_bytes(address: IpAddr) -> Vec<u8> {
    match address {
        IpAddr::V4(address) => address.octets().to_vec(),
        IpAddr::V6(address) => address.octets().to_vec(),
    }
}

fn length(bytes: &[u8], more: usize) -> [u8; 2] {
    u16::try_from(bytes.len() + more).unwrap().to_be_bytes()
}

/// A fragment: identification, offset, and whether more follow.
pub(crate) type Fragment = (u16, u16, bool);

/// An IP packet with this payload.
pub(crate) fn ip(
    source: IpAddr,
    destination: IpAddr,
    protocol: u8,
    fragment: Option<Fragment>,
    payload: &[u8],
) -> Vec<u8> {
    let ends = [ip_bytes(source), ip_bytes(destination)].concat();
    let (identification, offset, more) = fragment.unwrap_or((0, 0, false));
    if source.is_ipv4() {
        let place = (offset / 8) | if more { 0x2000 } else { 0 };
        let mut packet = vec![0x45, 0];
        packet.extend(length(payload, 20));
        packet.extend(identification.to_be_bytes());
        packet.extend(place.to_be_bytes());
        packet.extend([64, protocol, 0, 0]);
        return [packet, ends, payload.to_vec()].concat();
    }
    let header = match fragment {
        None => Vec::new(),
        Some(_) => {
            let place = offset | u16::from(more);
            let [high, low] = place.to_be_bytes();
            let [first, second] = identification.to_be_bytes();
            vec![protocol, 0, high, low, 0, 0, first, second]
        }
    };
    let mut packet = vec![0x60, 0, 0, 0];
    packet.extend(length(payload, header.len()));
    packet.extend([if header.is_empty() { protocol } else { 44 }, 64]);
    [packet, ends, header, payload.to_vec()].concat()
}

/// A UDP datagram with its header.
pub(crate) fn udp_payload(source: u16, destination: u16, data: &[u8]) -> Vec<u8> {
    let mut payload = [source.to_be_bytes(), destination.to_be_bytes()].concat();
    payload.extend(length(data, 8));
    payload.extend([0, 0]);
    payload.extend(data);
    payload
}

/// An IP packet with a UDP datagram.
pub(crate) fn udp(source: SocketAddr, destination: SocketAddr, data: &[u8]) -> Vec<u8> {
    let payload = udp_payload(source.port(), destination.port(), data);
    ip(source.ip(), destination.ip(), 17, None, &payload)
}

/// IP packets that carry a UDP datagram in fragments of at most `size` bytes, a multiple of 8.
pub(crate) fn udp_fragments(
    source: SocketAddr,
    destination: SocketAddr,
    data: &[u8],
    identification: u16,
    size: usize,
) -> Vec<Vec<u8>> {
    let payload = udp_payload(source.port(), destination.port(), data);
    let count = payload.len().div_ceil(size);
    let fragments = payload.chunks(size).enumerate().map(|(at, part)| {
        let offset = u16::try_from(at * size).unwrap();
        let place = Some((identification, offset, at + 1 < count));
        ip(source.ip(), destination.ip(), 17, place, part)
    });
    fragments.collect()
}

pub(crate) const FIN: u8 = 1;
pub(crate) const SYN: u8 = 2;
pub(crate) const ACK: u8 = 16;

/// An IP packet with a TCP segment.
pub(crate) fn tcp(
    source: SocketAddr,
    destination: SocketAddr,
    number: u32,
    flags: u8,
    data: &[u8],
) -> Vec<u8> {
    let mut payload = [source.port().to_be_bytes(), destination.port().to_be_bytes()].concat();
    payload.extend(number.to_be_bytes());
    payload.extend([0, 0, 0, 0, 0x60, flags, 1, 0, 0, 0, 0, 0, 2, 4, 5, 0xb4]);
    payload.extend(data);
    ip(source.ip(), destination.ip(), 6, None, &payload)
}

/// The format of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    Pcap,
    PcapBigEndian,
    PcapNanoseconds,
    Pcapng,
    PcapngBigEndian,
}

pub(crate) const FORMATS: [Format; 5] = [
    Format::Pcap,
    Format::PcapBigEndian,
    Format::PcapNanoseconds,
    Format::Pcapng,
    Format::PcapngBigEndian,
];

impl Format {
    fn is_big_endian(self) -> bool {
        matches!(self, Format::PcapBigEndian | Format::PcapngBigEndian)
    }

    fn is_pcapng(self) -> bool {
        matches!(self, Format::Pcapng | Format::PcapngBigEndian)
    }

    fn u32(self, value: u32) -> [u8; 4] {
        if self.is_big_endian() { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    fn u16(self, value: u16) -> [u8; 2] {
        if self.is_big_endian() { value.to_be_bytes() } else { value.to_le_bytes() }
    }
}

/// A trace file in memory.
pub(crate) struct TraceFile {
    format: Format,
    pub(crate) bytes: Vec<u8>,
    packets: u32,
}

impl TraceFile {
    pub(crate) fn new(format: Format, link_type: u16) -> TraceFile {
        let mut file = TraceFile { format, bytes: Vec::new(), packets: 0 };
        if format.is_pcapng() {
            let mut section = format.u32(0x1a2b_3c4d).to_vec();
            section.extend(format.u16(1));
            section.extend(format.u16(0));
            section.extend([0xff; 8]);
            file.block(0x0a0d_0d0a, &section);
            let mut interface = format.u16(link_type).to_vec();
            interface.extend([0; 2]);
            interface.extend(format.u32(0));
            file.block(1, &interface);
            return file;
        }
        let magic = if format == Format::PcapNanoseconds { 0xa1b2_3c4d } else { 0xa1b2_c3d4 };
        file.bytes.extend(format.u32(magic));
        file.bytes.extend(format.u16(2));
        file.bytes.extend(format.u16(4));
        for value in [0, 0, 1 << 18, u32::from(link_type)] {
            file.bytes.extend(format.u32(value));
        }
        file
    }

    /// A file of frames, the n-th of which has the time of n seconds.
    pub(crate) fn of(format: Format, link: Link, packets: &[Vec<u8>]) -> Vec<u8> {
        let mut file = TraceFile::new(format, link.number());
        packets.iter().for_each(|packet| file.frame(&link.frame(packet)));
        file.bytes
    }

    /// A block of a pcapng file.
    pub(crate) fn block(&mut self, kind: u32, body: &[u8]) {
        let padding = body.len().next_multiple_of(4) - body.len();
        let size = u32::try_from(12 + body.len() + padding).unwrap();
        self.bytes.extend(self.format.u32(kind));
        self.bytes.extend(self.format.u32(size));
        self.bytes.extend(body);
        self.bytes.extend(vec![0; padding]);
        self.bytes.extend(self.format.u32(size));
    }

    pub(crate) fn frame(&mut self, frame: &[u8]) {
        self.snapped(frame, frame.len());
    }

    /// A frame of which not all was captured.
    pub(crate) fn snapped(&mut self, captured: &[u8], original: usize) {
        self.packets += 1;
        let format = self.format;
        let seconds = self.packets;
        let (size, original) =
            (u32::try_from(captured.len()).unwrap(), u32::try_from(original).unwrap());
        if !format.is_pcapng() {
            for value in [seconds, 0, size, original] {
                self.bytes.extend(format.u32(value));
            }
            self.bytes.extend(captured);
            return;
        }
        let microseconds = u64::from(seconds) * 1_000_000;
        let (high, low) = ((microseconds >> 32) as u32, microseconds as u32);
        let words = [0, high, low, size, original].map(|value| format.u32(value));
        self.block(6, &[&words.concat()[..], captured].concat());
    }
}
