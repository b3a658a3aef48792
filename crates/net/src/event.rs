//! [`Event`]: what travels from one host to another.

use std::net::SocketAddrV4;

/// What an event is for: a set of bits, so that a receiver can name several kinds at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventKind(pub u32);

impl EventKind {
    /// Nothing.
    pub const NONE: EventKind = EventKind(0);
    /// Bytes: a datagram, or a piece of a stream.
    pub const DATA: EventKind = EventKind(1);
    /// Asks for a connection.
    pub const REQUEST: EventKind = EventKind(2);
    /// Answers a request, or acknowledges data.
    pub const REPLY: EventKind = EventKind(4);
    /// Ends a connection, one direction of it, or says that nobody listens.
    pub const CLOSE: EventKind = EventKind(8);

    /// Whether the two have a bit in common.
    pub fn meets(self, other: EventKind) -> bool {
        self.0 & other.0 != 0
    }
}

/// How the payload is to be understood by the receiving host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Protocol {
    /// Datagrams.
    Udp,
    /// Streams.
    Tcp,
    /// Events that programs put themselves.
    Plain,
}

/// A message of one host to another; `P` is what it carries.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Event<P> {
    /// What it is for.
    pub kind: EventKind,
    /// Who understands it.
    pub protocol: Protocol,
    /// Numbers the events that a host has sent, from 1.
    pub id: u64,
    /// Where it comes from.
    pub source: SocketAddrV4,
    /// Where it goes to.
    pub destination: SocketAddrV4,
    /// The request that it makes or answers.
    pub request: u64,
    /// The connection that it belongs to.
    pub connection: u64,
    /// Hops that it may still make.
    pub ttl: u8,
    /// Of a reply or a close: an error number, or 0.
    pub status: u32,
    /// Of a reply: bytes that the sender of data may send again.
    pub credit: u32,
    /// What it carries.
    pub payload: P,
}
