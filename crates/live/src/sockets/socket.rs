//! [`LiveSocket`]: one connection or datagram flow to a peer, which never blocks.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpStream, UdpSocket};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, socket_with};

use crate::clock::now;
use crate::event::{Closing, PeerEvent};
use crate::ids::ConnectionId;
use crate::peer::PeerError;

/// The pause between attempts to reach a listener that is busy.
const CONNECT_PAUSE: Duration = Duration::from_millis(1);

/// One connection or datagram flow to a peer.
pub(super) struct LiveSocket {
    kind: SocketKind,
    /// Nothing more is received.
    has_ended: bool,
    /// Sending has failed, and nobody was told yet.
    is_broken: bool,
}

enum SocketKind {
    Tcp(TcpStream),
    Unix(UnixStream),
    Udp(UdpSocket),
    Closed,
}

impl LiveSocket {
    fn new(kind: SocketKind) -> LiveSocket {
        LiveSocket { kind, has_ended: false, is_broken: false }
    }

    /// A connection that does not exist any more.
    pub(super) fn closed() -> LiveSocket {
        LiveSocket::new(SocketKind::Closed)
    }

    pub(super) fn tcp(stream: TcpStream) -> io::Result<LiveSocket> {
        stream.set_nonblocking(true)?;
        stream.set_nodelay(true)?;
        acknowledge_at_once(&stream);
        Ok(LiveSocket::new(SocketKind::Tcp(stream)))
    }

    pub(super) fn unix(stream: UnixStream) -> io::Result<LiveSocket> {
        stream.set_nonblocking(true)?;
        Ok(LiveSocket::new(SocketKind::Unix(stream)))
    }

    pub(super) fn connect_tcp(address: SocketAddr, limit: Duration) -> io::Result<LiveSocket> {
        let stream = TcpStream::connect_timeout(&address, limit)?;
        // Linux connects a port of its choice with itself if it happens to be the one that is asked for.
        if stream.local_addr()? == stream.peer_addr()? {
            return Err(ErrorKind::ConnectionRefused.into());
        }
        LiveSocket::tcp(stream)
    }

    pub(super) fn connect_udp(address: SocketAddr) -> io::Result<LiveSocket> {
        let own: SocketAddr = match address {
            SocketAddr::V4(_) if address.ip().is_loopback() => (Ipv4Addr::LOCALHOST, 0).into(),
            SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
            SocketAddr::V6(_) if address.ip().is_loopback() => (Ipv6Addr::LOCALHOST, 0).into(),
            SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
        };
        let socket = UdpSocket::bind(own)?;
        socket.connect(address)?;
        socket.set_nonblocking(true)?;
        Ok(LiveSocket::new(SocketKind::Udp(socket)))
    }

    pub(super) fn connect_unix(path: &Path, limit: Duration) -> io::Result<LiveSocket> {
        let address = SocketAddrUnix::new(path)?;
        let end = now() + limit;
        loop {
            let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
            let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
            match rustix::net::connect(&socket, &address) {
                Ok(()) => return LiveSocket::unix(UnixStream::from(socket)),
                // The queue of the listener is full, see unix(7).
                Err(rustix::io::Errno::AGAIN) if now() < end => std::thread::sleep(CONNECT_PAUSE),
                Err(rustix::io::Errno::AGAIN) => return Err(ErrorKind::TimedOut.into()),
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Returns true if sending has failed, and nobody was told yet.
    pub(super) fn is_broken(&self) -> bool {
        self.is_broken
    }

    /// The descriptor to wait for, if something can still come.
    pub(super) fn waiting_fd(&self) -> Option<BorrowedFd<'_>> {
        if self.has_ended { None } else { self.fd() }
    }

    fn fd(&self) -> Option<BorrowedFd<'_>> {
        match &self.kind {
            SocketKind::Tcp(stream) => Some(stream.as_fd()),
            SocketKind::Unix(stream) => Some(stream.as_fd()),
            SocketKind::Udp(socket) => Some(socket.as_fd()),
            SocketKind::Closed => None,
        }
    }

    /// Sends as many bytes as the peer takes within a time.
    pub(super) fn send(&mut self, bytes: &[u8], limit: Duration) -> Result<usize, PeerError> {
        let mut has_waited = false;
        loop {
            let sent = match &mut self.kind {
                SocketKind::Tcp(stream) => stream.write(bytes),
                SocketKind::Unix(stream) => stream.write(bytes),
                SocketKind::Udp(_) | SocketKind::Closed => return Ok(bytes.len()),
            };
            match sent {
                Ok(count) => return Ok(count),
                Err(error) if error.kind() == ErrorKind::WouldBlock && has_waited => return Ok(0),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    let fds = self.fd().map(|fd| (fd, PollFlags::OUT));
                    wait_for(fds.into_iter(), limit)?;
                    has_waited = true;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if breaks_connection(&error) => {
                    self.is_broken = true;
                    return Ok(bytes.len());
                }
                Err(error) => return Err(PeerError::System { doing: "send to the peer", error }),
            }
        }
    }

    pub(super) fn send_datagram(&mut self, bytes: &[u8]) -> Result<(), PeerError> {
        let SocketKind::Udp(socket) = &self.kind else { return Ok(()) };
        match socket.send(bytes) {
            Ok(_) => Ok(()),
            // The answer to an earlier datagram: nobody is there. This one is lost.
            Err(error) if error.kind() == ErrorKind::ConnectionRefused => {
                self.is_broken = true;
                Ok(())
            }
            // The queue is full, so it is lost, as any datagram may be.
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(()),
            Err(error) => Err(PeerError::System { doing: "send a datagram", error }),
        }
    }

    pub(super) fn close(&mut self, how: Closing) -> Result<(), PeerError> {
        let system = |doing: &'static str| move |error| PeerError::System { doing, error };
        if how == Closing::Finish {
            let finished = match &self.kind {
                SocketKind::Tcp(stream) => stream.shutdown(Shutdown::Write),
                SocketKind::Unix(stream) => stream.shutdown(Shutdown::Write),
                SocketKind::Udp(_) | SocketKind::Closed => Ok(()),
            };
            return match finished {
                Err(error) if error.kind() != ErrorKind::NotConnected => {
                    Err(system("finish a connection")(error))
                }
                _ => Ok(()),
            };
        }
        if let (SocketKind::Tcp(stream), Closing::Abort) = (&self.kind, how) {
            // Closing with a linger time of zero resets the connection, see socket(7).
            let linger = rustix::net::sockopt::set_socket_linger(stream, Some(Duration::ZERO));
            linger.map_err(|error| system("reset a connection")(error.into()))?;
        }
        self.kind = SocketKind::Closed;
        Ok(())
    }

    /// What has come, if anything.
    pub(super) fn receive(
        &mut self,
        connection: ConnectionId,
        buffer: &mut [u8],
    ) -> Result<Option<PeerEvent>, PeerError> {
        if self.has_ended {
            return Ok(None);
        }
        let is_datagram = matches!(self.kind, SocketKind::Udp(_));
        let received = match &mut self.kind {
            SocketKind::Tcp(stream) => {
                let received = stream.read(buffer);
                acknowledge_at_once(stream);
                received
            }
            SocketKind::Unix(stream) => stream.read(buffer),
            SocketKind::Udp(socket) => socket.recv(buffer),
            SocketKind::Closed => return Ok(None),
        };
        match received {
            Ok(count) if is_datagram => {
                Ok(Some(PeerEvent::Datagram(connection, buffer[..count].to_vec())))
            }
            Ok(0) => {
                self.has_ended = true;
                Ok(Some(PeerEvent::EndOfStream(connection)))
            }
            Ok(count) => Ok(Some(PeerEvent::Bytes(connection, buffer[..count].to_vec()))),
            Err(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) =>
            {
                let broken = std::mem::take(&mut self.is_broken);
                Ok(broken.then(|| self.broken(connection)))
            }
            Err(error) if breaks_connection(&error) => Ok(Some(self.broken(connection))),
            Err(error) => Err(PeerError::System { doing: "receive from the peer", error }),
        }
    }

    /// A datagram flow goes on after a refusal; a connection does not after a reset.
    fn broken(&mut self, connection: ConnectionId) -> PeerEvent {
        if matches!(self.kind, SocketKind::Udp(_)) {
            return PeerEvent::Refused(connection);
        }
        self.has_ended = true;
        PeerEvent::Reset(connection)
    }
}

/// Lets the system acknowledge what comes without a delay. A peer that sends an answer in two parts sends the
/// second one when the first is acknowledged, which otherwise takes 40 milliseconds. The system forgets the
/// wish now and then.
fn acknowledge_at_once(stream: &TcpStream) {
    // An answer that takes longer is the same answer.
    let _ = rustix::net::sockopt::set_tcp_quickack(stream, true);
}

fn breaks_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::BrokenPipe | ErrorKind::ConnectionReset | ErrorKind::ConnectionRefused
    )
}

/// Waits until one of the descriptors is ready.
pub(super) fn wait_for<'fd>(
    fds: impl Iterator<Item = (BorrowedFd<'fd>, PollFlags)>,
    limit: Duration,
) -> Result<(), PeerError> {
    let system = |error| PeerError::System { doing: "wait for the peer", error };
    let mut fds: Vec<_> = fds.map(|(fd, flags)| PollFd::from_borrowed_fd(fd, flags)).collect();
    let end = now() + limit;
    loop {
        let left = end.saturating_duration_since(now());
        let left = Timespec::try_from(left).map_err(|_| system(ErrorKind::InvalidInput.into()))?;
        match poll(&mut fds, Some(&left)) {
            Ok(_) => return Ok(()),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(system(error.into())),
        }
    }
}
