//! [`Trace`]: the messages of a recorded trace, and the number of packets that are not among them.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read;
use std::net::SocketAddr;

use crate::capture::TraceTime;
use crate::error::TraceError;
use crate::filter::EndpointFilter;
use crate::reader::TraceReader;
use crate::stream::TcpStream;

/// The protocol that carried a message.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Transport {
    /// A datagram of UDP.
    Udp,
    /// Bytes of a TCP stream.
    Tcp,
}

impl Transport {
    /// The name of the protocol in output.
    pub fn name(self) -> &'static str {
        match self {
            Transport::Udp => "udp",
            Transport::Tcp => "tcp",
        }
    }
}

/// The way in which the bytes of a TCP stream are cut into messages.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum TcpFraming {
    /// The data of one segment is one message: what a program sends with one call is mostly one segment, if
    /// it is short and the connection is idle. Of a segment that repeats bytes, only new ones count.
    #[default]
    Segments,
    /// The bytes between two gaps are one message.
    Streams,
}

/// A message that was recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceMessage {
    /// The number of the packet that brought it, from 1 as in Wireshark. Of a fragmented datagram, this is
    /// the packet that completed it; of a stream, its first.
    pub packet: u64,
    /// The time of this packet, if the trace has it.
    pub time: Option<TraceTime>,
    /// The protocol.
    pub transport: Transport,
    /// The address and port of the sender.
    pub source: SocketAddr,
    /// The address and port of the receiver.
    pub destination: SocketAddr,
    /// The contents.
    pub bytes: Vec<u8>,
}

/// The reason why a packet is not part of a message.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LeftOut {
    /// The packet has another sender or receiver than those that were asked for.
    NotSelected,
    /// A part of the packet was not captured.
    Snapped,
    /// A length in the packet contradicts its size, or a header is damaged.
    Damaged,
    /// The headers of this link type are not known.
    LinkType(u16),
    /// The packet is not one of IP.
    OtherNetwork,
    /// The packet is one of IP, and neither of UDP nor of TCP; the number of the protocol.
    OtherProtocol(u8),
    /// The packet is a fragment, and others of its datagram are missing.
    FragmentMissing,
    /// The packet is a fragment that contradicts others, or of a datagram of which one does.
    FragmentContradiction,
    /// The TCP segment has no data.
    NoData,
    /// All data of the TCP segment came before.
    Repeated,
    /// All data of the TCP segment came before, and was other data.
    RepeatedOtherwise,
    /// The limit on memory is reached.
    Limit,
    /// A block of a pcapng file of a kind that is not known.
    UnknownBlock,
    /// The file ends in the middle of a packet.
    CutShort,
}

impl LeftOut {
    /// Returns `true` if the packet may have been one of a message.
    pub fn is_loss(self) -> bool {
        match self {
            LeftOut::NotSelected
            | LeftOut::OtherNetwork
            | LeftOut::OtherProtocol(_)
            | LeftOut::NoData
            | LeftOut::Repeated => false,
            LeftOut::Snapped
            | LeftOut::Damaged
            | LeftOut::LinkType(_)
            | LeftOut::FragmentMissing
            | LeftOut::FragmentContradiction
            | LeftOut::RepeatedOtherwise
            | LeftOut::Limit
            | LeftOut::UnknownBlock
            | LeftOut::CutShort => true,
        }
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LeftOut::NotSelected => "other senders or receivers",
            LeftOut::Snapped => "not captured as a whole",
            LeftOut::Damaged => "damaged headers",
            LeftOut::LinkType(number) => {
                return write!(f, "link type {number}, which is not known");
            }
            LeftOut::OtherNetwork => "not IP",
            LeftOut::OtherProtocol(1) => "ICMP",
            LeftOut::OtherProtocol(58) => "ICMPv6",
            LeftOut::OtherProtocol(number) => {
                return write!(f, "IP protocol {number}, neither UDP nor TCP");
            }
            LeftOut::FragmentMissing => "fragments without the others of their datagram",
            LeftOut::FragmentContradiction => "fragments that contradict each other",
            LeftOut::NoData => "TCP segments without data",
            LeftOut::Repeated => "TCP segments that repeat data",
            LeftOut::RepeatedOtherwise => "TCP segments that repeat data with other values",
            LeftOut::Limit => "beyond the limit on memory",
            LeftOut::UnknownBlock => "blocks of unknown kinds",
            LeftOut::CutShort => "cut short by the end of the file",
        })
    }
}

/// The messages that are wanted, and limits on what is kept of a trace.
#[derive(Clone, Debug)]
pub struct TraceOptions {
    /// The senders of wanted messages.
    pub from: EndpointFilter,
    /// Their receivers.
    pub to: EndpointFilter,
    /// Bytes of the largest packet, or block of a pcapng file.
    pub block_bytes_max: usize,
    /// Bytes of messages that are kept, with a fixed number for each.
    pub kept_bytes_max: u64,
}

impl Default for TraceOptions {
    fn default() -> Self {
        TraceOptions {
            from: EndpointFilter::default(),
            to: EndpointFilter::default(),
            block_bytes_max: 1 << 24,
            kept_bytes_max: 1 << 29,
        }
    }
}

/// What a trace holds.
#[derive(Debug)]
pub struct Trace {
    /// The datagrams, in the order of their packets.
    pub(crate) datagrams: Vec<TraceMessage>,
    pub(crate) streams: Vec<TcpStream>,
    pub(crate) packets: u64,
    pub(crate) left_out: BTreeMap<LeftOut, u64>,
    pub(crate) contradictions: u64,
}

impl Trace {
    /// Reads a pcap or pcapng file.
    ///
    /// # Errors
    /// When the file is neither, is damaged, or cannot be read. A file that ends in the middle of a packet
    /// is no error: traces are often cut short.
    pub fn read(reader: impl Read + Send, options: &TraceOptions) -> Result<Trace, TraceError> {
        TraceReader::new(options).read(reader)
    }

    /// The number of packets in the file.
    pub fn packets(&self) -> u64 {
        self.packets
    }

    /// The numbers of packets that are part of no message, by reason. All others are part of one.
    /// [`LeftOut::UnknownBlock`] and [`LeftOut::CutShort`] count what has no number.
    pub fn left_out(&self) -> &BTreeMap<LeftOut, u64> {
        &self.left_out
    }

    /// TCP segments that bring new bytes, and repeat others with other values. The first values count.
    pub fn contradictions(&self) -> u64 {
        self.contradictions
    }

    /// The TCP streams with data, one for each direction of a connection, in the order of their
    /// beginnings.
    pub fn streams(&self) -> &[TcpStream] {
        &self.streams
    }

    /// The messages, in the order of their packets.
    pub fn into_messages(self, framing: TcpFraming) -> Vec<TraceMessage> {
        let mut messages = self.datagrams;
        for stream in self.streams {
            let (source, destination) = (stream.source(), stream.destination());
            let segments = match framing {
                TcpFraming::Segments => stream.into_segments().collect(),
                TcpFraming::Streams => stream.pieces(),
            };
            messages.extend(segments.into_iter().map(|(_, segment)| TraceMessage {
                packet: segment.packet,
                time: segment.time,
                transport: Transport::Tcp,
                source,
                destination,
                bytes: segment.bytes,
            }));
        }
        // The sort is stable: parts of one packet stay in the order of their offsets.
        messages.sort_by_key(|message| message.packet);
        messages
    }
}
