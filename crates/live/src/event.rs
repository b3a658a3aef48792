//! What is said to a peer ([`PeerAction`]), what it answers ([`PeerEvent`]), and whom one listens to
//! ([`Source`]).

use std::fmt;

use crate::ids::{ConnectionId, Endpoint};

/// The way in which a connection is ended by us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Closing {
    /// Nothing more is sent, but everything that comes is still received: `shutdown(SHUT_WR)`.
    Finish,
    /// The connection is closed.
    Close,
    /// The connection is reset.
    Abort,
}

/// Something that is said to a peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeerAction<'a> {
    /// A connection or a datagram flow to the peer begins. The peer answers with [`PeerEvent::Opened`] or
    /// [`PeerEvent::Refused`].
    Open(ConnectionId, Endpoint),
    /// Bytes of a stream.
    Send(ConnectionId, &'a [u8]),
    /// A datagram.
    SendDatagram(ConnectionId, &'a [u8]),
    /// The end of a connection.
    Close(ConnectionId, Closing),
}

/// Something that comes from a peer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PeerEvent {
    /// The peer has accepted the connection.
    Opened(ConnectionId),
    /// The peer does not accept the connection.
    Refused(ConnectionId),
    /// The peer begins a connection to us. In a conversation, it has the next number.
    Connected(Endpoint),
    /// Bytes of a stream, at least one.
    Bytes(ConnectionId, Vec<u8>),
    /// A datagram.
    Datagram(ConnectionId, Vec<u8>),
    /// The peer sends nothing more on the connection.
    EndOfStream(ConnectionId),
    /// The peer has reset the connection.
    Reset(ConnectionId),
    /// The peer is not there any more: nothing comes from the source again.
    Gone,
    /// Nothing comes within the time limit.
    Silence,
}

impl PeerEvent {
    /// Where the event comes from; `None` if it concerns all of the peer.
    pub fn source(&self) -> Option<Source> {
        match *self {
            PeerEvent::Opened(connection)
            | PeerEvent::Refused(connection)
            | PeerEvent::Bytes(connection, _)
            | PeerEvent::Datagram(connection, _)
            | PeerEvent::EndOfStream(connection)
            | PeerEvent::Reset(connection) => Some(Source::Connection(connection)),
            PeerEvent::Connected(endpoint) => Some(Source::Endpoint(endpoint)),
            PeerEvent::Gone | PeerEvent::Silence => None,
        }
    }

    /// The bytes that come with the event.
    pub fn bytes(&self) -> &[u8] {
        match self {
            PeerEvent::Bytes(_, bytes) | PeerEvent::Datagram(_, bytes) => bytes,
            _ => &[],
        }
    }
}

/// Bytes of an event that are shown.
const SHOWN_BYTES: usize = 64;

impl fmt::Display for PeerEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PeerEvent::Opened(connection) => write!(f, "{connection} is open"),
            PeerEvent::Refused(connection) => write!(f, "{connection} is refused"),
            PeerEvent::Connected(endpoint) => write!(f, "a connection to {endpoint}"),
            PeerEvent::Bytes(connection, bytes) | PeerEvent::Datagram(connection, bytes) => {
                let shown = bytes[..bytes.len().min(SHOWN_BYTES)].escape_ascii();
                let more = if bytes.len() > SHOWN_BYTES { " ..." } else { "" };
                write!(f, "\"{shown}\"{more} ({} bytes on {connection})", bytes.len())
            }
            PeerEvent::EndOfStream(connection) => write!(f, "the end of {connection}"),
            PeerEvent::Reset(connection) => write!(f, "a reset of {connection}"),
            PeerEvent::Gone => f.write_str("the end of the peer"),
            PeerEvent::Silence => f.write_str("silence"),
        }
    }
}

/// The part of a peer that one listens to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// Whatever comes first.
    Anything,
    /// What comes on one connection.
    Connection(ConnectionId),
    /// A connection that the peer begins to this endpoint.
    Endpoint(Endpoint),
}

impl Source {
    /// Returns true if what listens here notices the event.
    pub fn notices(self, event: &PeerEvent) -> bool {
        self == Source::Anything || event.source().is_none_or(|source| source == self)
    }
}
