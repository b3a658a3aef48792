//! [`Peer`] and [`PeerSession`]: how real peers are reached.
//!
//! The traits are implemented by scripts for tests ([`ScriptedPeer`](crate::ScriptedPeer)), by sockets and
//! commands, and by whoever embeds the engine. Implementors know nothing of trees: a session hears one
//! conversation from its beginning, as if nobody else were there.

use std::net::SocketAddr;
use std::process::ExitStatus;
use std::time::Duration;

use crate::event::{Closing, PeerEvent, Source};
use crate::ids::{ConnectionId, Endpoint};

/// Something real to talk to.
pub trait Peer: Send + Sync {
    /// Begins anew with the peer.
    ///
    /// What was said in other sessions must have no influence on what the new one hears. A peer that keeps
    /// data across connections has to be started as another process; one that forgets everything when its
    /// connections are closed may be only connected to again. A peer that can do neither says so
    /// ([`Peer::can_begin_anew`]), and is started once.
    fn start(&self, limit: Duration) -> Result<Box<dyn PeerSession>, PeerError>;

    /// Returns false if there can be only one session, ever. It is then kept for as long as the tree is
    /// there.
    fn can_begin_anew(&self) -> bool {
        true
    }

    /// The number of sessions that can exist at the same time.
    ///
    /// It is 1 for a process that listens on a fixed port.
    fn sessions_max(&self) -> usize {
        usize::MAX
    }
}

/// A conversation with a peer, which begins when the session is made and ends when it is dropped.
///
/// Connections are numbered by the caller. All waiting is bounded by limits in real time.
pub trait PeerSession: Send {
    /// Opens a connection or a datagram flow to the peer.
    ///
    /// Returns [`PeerEvent::Opened`], [`PeerEvent::Refused`], or [`PeerEvent::Silence`] if the peer does
    /// neither within the limit. The connection is then taken as refused.
    fn open(
        &mut self,
        connection: ConnectionId,
        endpoint: Endpoint,
        limit: Duration,
    ) -> Result<PeerEvent, PeerError>;

    /// Gives a number to a connection of the peer, which [`PeerEvent::Connected`] has announced.
    fn accept(&mut self, connection: ConnectionId, endpoint: Endpoint) -> Result<(), PeerError>;

    /// Sends bytes of a stream, and returns how many of them were taken within the limit.
    ///
    /// None are taken while the peer does not read. Then the caller receives what has come, since the peer
    /// may be waiting for that, and tries again. Bytes for a connection that has ended are taken and
    /// forgotten; [`PeerSession::wait`] says how it has ended.
    fn send(
        &mut self,
        connection: ConnectionId,
        bytes: &[u8],
        limit: Duration,
    ) -> Result<usize, PeerError>;

    /// Sends a datagram. It may get lost like any other.
    fn send_datagram(&mut self, connection: ConnectionId, bytes: &[u8]) -> Result<(), PeerError>;

    /// Ends a connection.
    fn close(&mut self, connection: ConnectionId, how: Closing) -> Result<(), PeerError>;

    /// Waits for what comes next from a source, and returns [`PeerEvent::Silence`] if nothing does.
    ///
    /// What comes from other sources is kept for later calls.
    fn wait(&mut self, source: Source, limit: Duration) -> Result<PeerEvent, PeerError>;
}

/// A peer cannot be talked to.
///
/// This is about what prevents a conversation, and never about what happens in one: a connection that is
/// refused or reset and a process that ends are [`PeerEvent`]s.
#[derive(Debug, thiserror::Error)]
pub enum PeerError {
    /// The peer remembers what it was told, and is not ours to start again.
    #[error(
        "the peer cannot begin anew: let Everett start it, or state that it forgets closed connections"
    )]
    CannotBeginAnew,
    /// The command of the peer cannot be started.
    #[error("cannot start the peer {program}: {error}")]
    NotStarted {
        /// The first word of the command.
        program: String,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The peer is not ready in time after its start.
    #[error("the peer is not ready after {} ms", limit.as_millis())]
    NotReady {
        /// The time that it has had.
        limit: Duration,
    },
    /// The peer has ended before it was ready.
    #[error("the peer ended before it was ready: {status}; it has said: {output}")]
    EndedAtStart {
        /// How it has ended.
        status: ExitStatus,
        /// The end of its output.
        output: String,
    },
    /// Somebody else listens where the peer is to listen.
    #[error("the port {port} of the peer is in use")]
    PortInUse {
        /// The port.
        port: u16,
    },
    /// The peer neither takes nor sends bytes.
    #[error("the peer has taken no byte on {connection} for {} ms", limit.as_millis())]
    Stuck {
        /// The connection on which bytes were sent.
        connection: ConnectionId,
        /// The time that it has had.
        limit: Duration,
    },
    /// The peer sends more than is kept for the time when somebody asks for it.
    #[error("the peer has sent more than {bytes_max} bytes that nobody has received")]
    TooMuch {
        /// The number of bytes that are kept.
        bytes_max: usize,
    },
    /// The address is that of another machine.
    #[error("{address} is not on this machine, and other machines may not be reached")]
    NotLoopback {
        /// The address.
        address: SocketAddr,
    },
    /// An endpoint is not one of the peer.
    #[error("the peer has no endpoint {endpoint}")]
    NoSuchEndpoint {
        /// The endpoint.
        endpoint: Endpoint,
    },
    /// A connection was not begun, or is closed.
    #[error("the connection {connection} is not open")]
    NoSuchConnection {
        /// The connection.
        connection: ConnectionId,
    },
    /// A call of the operating system fails.
    #[error("cannot {doing}: {error}")]
    System {
        /// What was tried.
        doing: &'static str,
        /// The error of the system.
        error: std::io::Error,
    },
}
