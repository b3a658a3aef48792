//! [`SocketPeer`]: a peer that is there already, reached by sockets.

mod session;
mod socket;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::peer::{Peer, PeerError, PeerSession};
pub(crate) use session::SocketSession;

/// A place at which a peer is reached, or at which it reaches us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SocketEndpoint {
    /// The peer listens for TCP connections.
    Tcp(SocketAddr),
    /// The peer makes TCP connections to this address, at which we listen.
    TcpIncoming(SocketAddr),
    /// The peer receives datagrams.
    Udp(SocketAddr),
    /// The peer listens for connections on a UNIX socket.
    Unix(PathBuf),
    /// The peer makes connections to this UNIX socket, at which we listen.
    UnixIncoming(PathBuf),
}

impl SocketEndpoint {
    pub(crate) fn address(&self) -> Option<SocketAddr> {
        match self {
            SocketEndpoint::Tcp(address)
            | SocketEndpoint::TcpIncoming(address)
            | SocketEndpoint::Udp(address) => Some(*address),
            SocketEndpoint::Unix(_) | SocketEndpoint::UnixIncoming(_) => None,
        }
    }

    fn is_incoming(&self) -> bool {
        matches!(self, SocketEndpoint::TcpIncoming(_) | SocketEndpoint::UnixIncoming(_))
    }
}

/// The machines that may be talked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Only this one.
    Loopback,
    /// Every one that an endpoint names.
    Remote,
}

/// Whether a peer knows later what it was told on connections that are closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeerMemory {
    /// It may, as databases do. There is one session, and a second branch of a conversation is an error.
    Keeps,
    /// It does not: fresh connections are as good as a fresh peer.
    Forgets,
}

/// A peer that is there already, on this machine or another one.
pub struct SocketPeer {
    endpoints: Vec<SocketEndpoint>,
    memory: PeerMemory,
    has_started: AtomicBool,
}

impl SocketPeer {
    /// A peer with these endpoints, numbered in their order.
    ///
    /// Addresses of other machines are refused, unless they may be reached.
    pub fn new(
        endpoints: Vec<SocketEndpoint>,
        memory: PeerMemory,
        reach: Reach,
    ) -> Result<SocketPeer, PeerError> {
        let addresses = endpoints.iter().filter_map(SocketEndpoint::address);
        let mut remote = addresses.filter(|address| !address.ip().is_loopback());
        match remote.next() {
            Some(address) if reach == Reach::Loopback => Err(PeerError::NotLoopback { address }),
            _ => Ok(SocketPeer { endpoints, memory, has_started: AtomicBool::new(false) }),
        }
    }
}

impl Peer for SocketPeer {
    fn start(&self, _limit: Duration) -> Result<Box<dyn PeerSession>, PeerError> {
        if self.has_started.swap(true, Ordering::Relaxed) && self.memory == PeerMemory::Keeps {
            return Err(PeerError::CannotBeginAnew);
        }
        Ok(Box::new(SocketSession::new(self.endpoints.clone(), BTreeMap::new())?))
    }

    fn can_begin_anew(&self) -> bool {
        self.memory == PeerMemory::Forgets
    }

    fn sessions_max(&self) -> usize {
        // Only one session can listen at an address.
        let is_single = self.endpoints.iter().any(SocketEndpoint::is_incoming);
        if is_single { 1 } else { usize::MAX }
    }
}
