//! [`SocketSession`]: the sockets of one conversation.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::io::{self, ErrorKind};
use std::net::TcpListener;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::time::Duration;

use rustix::event::PollFlags;

use super::SocketEndpoint;
use super::socket::{LiveSocket, wait_for};
use crate::clock::now;
use crate::event::{Closing, PeerEvent, Source};
use crate::ids::{ConnectionId, Endpoint};
use crate::peer::{PeerError, PeerSession};
use crate::record::CONTENT_BYTES_MAX;

/// The sockets of one conversation.
pub(crate) struct SocketSession {
    endpoints: Vec<SocketEndpoint>,
    listeners: BTreeMap<Endpoint, Listener>,
    connections: BTreeMap<ConnectionId, LiveSocket>,
    /// Connections of the peer that have no number yet.
    unnumbered: VecDeque<(Endpoint, LiveSocket)>,
    /// The place for what is received, before its size is known.
    buffer: Vec<u8>,
}

enum Listener {
    Tcp(TcpListener),
    Unix(UnixListener, PathBuf),
}

impl Listener {
    fn fd(&self) -> BorrowedFd<'_> {
        match self {
            Listener::Tcp(listener) => listener.as_fd(),
            Listener::Unix(listener, _) => listener.as_fd(),
        }
    }

    fn accept(&self) -> io::Result<LiveSocket> {
        match self {
            Listener::Tcp(listener) => LiveSocket::tcp(listener.accept()?.0),
            Listener::Unix(listener, _) => LiveSocket::unix(listener.accept()?.0),
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if let Listener::Unix(_, path) = self {
            // It may be gone already; nothing else can be done about it.
            let _ = fs::remove_file(path);
        }
    }
}

impl SocketSession {
    /// A session with a peer at these endpoints, which listens where the peer connects to. Some endpoints
    /// have their sockets already.
    pub(crate) fn new(
        endpoints: Vec<SocketEndpoint>,
        mut bound: BTreeMap<Endpoint, TcpListener>,
    ) -> Result<SocketSession, PeerError> {
        let system = |error| PeerError::System { doing: "listen for the peer", error };
        let mut listeners = BTreeMap::new();
        for (number, endpoint) in endpoints.iter().enumerate() {
            let listener = match endpoint {
                SocketEndpoint::TcpIncoming(address) => {
                    let listener = match bound.remove(&Endpoint::from_index(number)) {
                        Some(listener) => listener,
                        None => TcpListener::bind(address).map_err(system)?,
                    };
                    listener.set_nonblocking(true).map_err(system)?;
                    Listener::Tcp(listener)
                }
                SocketEndpoint::UnixIncoming(path) => {
                    let listener = UnixListener::bind(path).map_err(system)?;
                    listener.set_nonblocking(true).map_err(system)?;
                    Listener::Unix(listener, path.clone())
                }
                _ => continue,
            };
            listeners.insert(Endpoint::from_index(number), listener);
        }
        Ok(SocketSession {
            endpoints,
            listeners,
            connections: BTreeMap::new(),
            unnumbered: VecDeque::new(),
            buffer: vec![0; CONTENT_BYTES_MAX],
        })
    }

    fn connection(&mut self, connection: ConnectionId) -> Result<&mut LiveSocket, PeerError> {
        let known = self.connections.get_mut(&connection);
        known.ok_or(PeerError::NoSuchConnection { connection })
    }

    /// What has come from a source, if anything.
    fn look(&mut self, source: Source) -> Result<Option<PeerEvent>, PeerError> {
        for (connection, socket) in &mut self.connections {
            if matches!(source, Source::Connection(only) if only != *connection) {
                continue;
            }
            if matches!(source, Source::Endpoint(_)) {
                break;
            }
            if let Some(event) = socket.receive(*connection, &mut self.buffer)? {
                return Ok(Some(event));
            }
        }
        for (endpoint, listener) in &self.listeners {
            if source != Source::Anything && source != Source::Endpoint(*endpoint) {
                continue;
            }
            match listener.accept() {
                Ok(socket) => {
                    self.unnumbered.push_back((*endpoint, socket));
                    return Ok(Some(PeerEvent::Connected(*endpoint)));
                }
                // Also a peer that has given up before it was noticed.
                Err(error)
                    if matches!(
                        error.kind(),
                        ErrorKind::WouldBlock
                            | ErrorKind::Interrupted
                            | ErrorKind::ConnectionAborted
                    ) => {}
                Err(error) => {
                    return Err(PeerError::System { doing: "accept a connection", error });
                }
            }
        }
        Ok(None)
    }

    /// The descriptors at which something of a source comes.
    fn fds(&self, source: Source) -> Vec<BorrowedFd<'_>> {
        let sockets = self.connections.iter().filter(|(connection, _)| match source {
            Source::Anything => true,
            Source::Connection(only) => only == **connection,
            Source::Endpoint(_) => false,
        });
        let listeners = self.listeners.iter().filter(|(endpoint, _)| match source {
            Source::Anything => true,
            Source::Endpoint(only) => only == **endpoint,
            Source::Connection(_) => false,
        });
        let sockets = sockets.filter_map(|(_, socket)| socket.waiting_fd());
        sockets.chain(listeners.map(|(_, listener)| listener.fd())).collect()
    }
}

impl PeerSession for SocketSession {
    fn open(
        &mut self,
        connection: ConnectionId,
        endpoint: Endpoint,
        limit: Duration,
    ) -> Result<PeerEvent, PeerError> {
        let opened = match self.endpoints.get(endpoint.index()) {
            Some(SocketEndpoint::Tcp(address)) => LiveSocket::connect_tcp(*address, limit),
            Some(SocketEndpoint::Udp(address)) => LiveSocket::connect_udp(*address),
            Some(SocketEndpoint::Unix(path)) => LiveSocket::connect_unix(path, limit),
            _ => return Err(PeerError::NoSuchEndpoint { endpoint }),
        };
        let (socket, event) = match opened {
            Ok(socket) => (socket, PeerEvent::Opened(connection)),
            Err(error) => {
                let event = match error.kind() {
                    ErrorKind::ConnectionRefused
                    | ErrorKind::ConnectionReset
                    | ErrorKind::NotFound => PeerEvent::Refused(connection),
                    ErrorKind::TimedOut => PeerEvent::Silence,
                    _ => return Err(PeerError::System { doing: "connect to the peer", error }),
                };
                (LiveSocket::closed(), event)
            }
        };
        self.connections.insert(connection, socket);
        Ok(event)
    }

    fn accept(&mut self, connection: ConnectionId, endpoint: Endpoint) -> Result<(), PeerError> {
        let announced = self.unnumbered.iter().position(|(of, _)| *of == endpoint);
        let announced = announced.and_then(|index| self.unnumbered.remove(index));
        let (_, socket) = announced.ok_or(PeerError::NoSuchEndpoint { endpoint })?;
        self.connections.insert(connection, socket);
        Ok(())
    }

    fn send(
        &mut self,
        connection: ConnectionId,
        bytes: &[u8],
        limit: Duration,
    ) -> Result<usize, PeerError> {
        self.connection(connection)?.send(bytes, limit)
    }

    fn send_datagram(&mut self, connection: ConnectionId, bytes: &[u8]) -> Result<(), PeerError> {
        self.connection(connection)?.send_datagram(bytes)
    }

    fn close(&mut self, connection: ConnectionId, how: Closing) -> Result<(), PeerError> {
        self.connection(connection)?.close(how)
    }

    fn wait(&mut self, source: Source, limit: Duration) -> Result<PeerEvent, PeerError> {
        match source {
            Source::Connection(connection) => drop(self.connection(connection)?),
            Source::Endpoint(endpoint) if !self.listeners.contains_key(&endpoint) => {
                return Err(PeerError::NoSuchEndpoint { endpoint });
            }
            _ => {}
        }
        let end = now() + limit;
        // The system knows nothing of an error that sending has met before.
        let has_broken = self.connections.values().any(LiveSocket::is_broken);
        if (has_broken || limit.is_zero())
            && let Some(event) = self.look(source)?
        {
            return Ok(event);
        }
        loop {
            let fds = self.fds(source);
            let left = end.saturating_duration_since(now());
            // Nothing can come any more from what is closed.
            if fds.is_empty() || left.is_zero() {
                return Ok(PeerEvent::Silence);
            }
            wait_for(fds.into_iter().map(|fd| (fd, PollFlags::IN)), left)?;
            if let Some(event) = self.look(source)? {
                return Ok(event);
            }
        }
    }
}
