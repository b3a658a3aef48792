//! [`Message`]: what travels from one host to another.
//!
//! It is the one type of everything that hosts send each other, from the socket that sends it to the
//! socket that gets it; only the type of its payload changes on the way. `ARCHITECTURE.md` lists the
//! stations.

use std::net::SocketAddr;

/// Hops that a message may make unless its sender says otherwise.
pub const DEFAULT_TTL: u8 = 64;

/// The purpose of a message: a set of bits, so that a receiver can name several kinds at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageKind(pub u32);

everett_base::portable!(struct MessageKind(value));

impl MessageKind {
    /// Nothing.
    pub const NONE: MessageKind = MessageKind(0);
    /// Bytes: a datagram, or a piece of a stream.
    pub const DATA: MessageKind = MessageKind(1);
    /// Asks for a connection.
    pub const REQUEST: MessageKind = MessageKind(2);
    /// Answers a request, or acknowledges data.
    pub const REPLY: MessageKind = MessageKind(4);
    /// Ends a connection, one direction of it, or says that nobody listens.
    pub const CLOSE: MessageKind = MessageKind(8);

    /// Returns true if the two have a bit in common.
    pub fn meets(self, other: MessageKind) -> bool {
        self.0 & other.0 != 0
    }
}

/// The part of the receiving host that understands a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Protocol {
    /// Datagrams.
    Udp,
    /// Streams.
    Tcp,
    /// Events that programs put and get themselves, without sockets.
    Plain,
    /// Messages between kernels: echo requests and their answers.
    Icmp,
}

everett_base::portable!(enum Protocol { 0 = Udp, 1 = Tcp, 2 = Plain, 3 = Icmp });

/// A message of one host to another; `P` is the type of the bytes that it carries.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Message<P> {
    /// Its purpose.
    pub kind: MessageKind,
    /// The part of its receiver that understands it.
    pub protocol: Protocol,
    /// Its number among the messages that its host has sent, from 1. A datagram that stays on its host
    /// is numbered apart from those.
    pub id: u64,
    /// The address that it comes from.
    pub source: SocketAddr,
    /// The address that it goes to.
    pub destination: SocketAddr,
    /// The request that it makes or answers; 0 for none.
    pub request: u64,
    /// The connection that it belongs to; 0 for none.
    pub connection: u64,
    /// Hops that it may still make.
    pub ttl: u8,
    /// Of a reply or a close: an error number, or 0.
    pub status: u32,
    /// Of a request and its reply: bytes that the other side may have on their way at a time. Of data: the
    /// same for its sender. Of an acknowledgement: bytes that were read, so that others may follow.
    pub credit: u32,
    /// The bytes that it carries.
    pub payload: P,
}

everett_base::portable!([P: everett_base::part::Portable] struct Message<P> {
    kind, protocol, id, source, destination, request, connection, ttl, status, credit, payload,
});

impl<P> Message<P> {
    /// A message without a number that carries nothing.
    pub fn new(
        kind: MessageKind,
        protocol: Protocol,
        source: SocketAddr,
        destination: SocketAddr,
    ) -> Message<P>
    where
        P: Default,
    {
        Message {
            kind,
            protocol,
            id: 0,
            source,
            destination,
            request: 0,
            connection: 0,
            ttl: DEFAULT_TTL,
            status: 0,
            credit: 0,
            payload: P::default(),
        }
    }

    /// A message back to where this one came from, about the same request and connection.
    pub fn answer<Q: Default>(&self, kind: MessageKind, status: u32) -> Message<Q> {
        let Message { protocol, source, destination, request, connection, .. } = *self;
        let answer = Message::new(kind, protocol, destination, source);
        Message { request, connection, status, ..answer }
    }

    /// The same message with other bytes.
    pub fn with_payload<Q>(&self, payload: Q) -> Message<Q> {
        let Message { kind, protocol, id, source, destination, request, .. } = *self;
        let Message { connection, ttl, status, credit, .. } = *self;
        Message {
            kind,
            protocol,
            id,
            source,
            destination,
            request,
            connection,
            ttl,
            status,
            credit,
            payload,
        }
    }
}
