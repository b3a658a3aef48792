//! The ports of a host: those that sockets are bound to, and the next free one.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use everett_base::{Apart, Copies};
use everett_net::Protocol;
use linux_raw_sys::net as linux;
use syscalls::Errno;

use super::{NOWHERE, Net, Socket, covers};
use crate::state::ids::{SocketId, Time};

/// Ports that are given to those who do not ask for one.
pub(super) const FIRST_FREE: u16 = 32768;
const LAST_FREE: u16 = 60999;
/// The time for which the side that closed a connection first keeps its port.
pub(crate) const TIME_WAIT: Time = 60_000_000_000;

/// The ports of a host.
#[derive(Clone, Debug, Default)]
pub(crate) struct PortTable {
    bound: Arc<BTreeMap<(Protocol, u16), Vec<SocketId>>>,
    /// Connections that are over but keep their port for a while.
    lingering: Arc<Vec<LingeringPort>>,
}

everett_base::portable!(struct PortTable { bound, lingering });

impl Apart for PortTable {
    fn apart(&mut self, copies: &mut Copies) {
        let PortTable { bound, lingering } = self;
        bound.apart(copies);
        lingering.apart(copies);
    }
}

/// The rest of a connection (`TIME_WAIT`).
#[derive(Clone, Copy, Debug)]
struct LingeringPort {
    domain: u32,
    local: SocketAddr,
    remote: SocketAddr,
    until: Time,
    reuse_address: bool,
    reuse_port: bool,
}

everett_base::portable!(struct LingeringPort {
    domain, local, remote, until, reuse_address, reuse_port,
});

impl PortTable {
    /// Sockets at a port, in the order in which they were bound.
    pub(crate) fn at(&self, protocol: Protocol, port: u16) -> &[SocketId] {
        self.bound.get(&(protocol, port)).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn add(&mut self, protocol: Protocol, port: u16, socket: SocketId) {
        Arc::make_mut(&mut self.bound).entry((protocol, port)).or_default().push(socket);
    }

    pub(crate) fn remove(&mut self, protocol: Protocol, port: u16, socket: SocketId) {
        let bound = Arc::make_mut(&mut self.bound);
        let Some(sockets) = bound.get_mut(&(protocol, port)) else { return };
        sockets.retain(|other| *other != socket);
        if sockets.is_empty() {
            bound.remove(&(protocol, port));
        }
    }

    /// A connection of a socket is over, and its port is kept for a while.
    pub(crate) fn linger(&mut self, socket: &Socket, now: Time) {
        let lingering = Arc::make_mut(&mut self.lingering);
        lingering.retain(|other| other.until > now);
        let flag = |name| socket.options.flag(linux::SOL_SOCKET, name);
        lingering.push(LingeringPort {
            domain: socket.domain,
            local: socket.local,
            remote: socket.remote.unwrap_or(NOWHERE),
            until: now.saturating_add(TIME_WAIT),
            reuse_address: flag(linux::SO_REUSEADDR),
            reuse_port: flag(linux::SO_REUSEPORT),
        });
    }

    /// The connections of a domain that are over and keep their port: both addresses, and for how long.
    pub(crate) fn closed_connections(
        &self,
        domain: u32,
        now: Time,
    ) -> impl Iterator<Item = (SocketAddr, SocketAddr, Time)> {
        let left = self.lingering.iter().filter(move |l| l.domain == domain && l.until > now);
        left.map(move |l| (l.local, l.remote, l.until - now))
    }
}

/// Returns true if sockets at two addresses get the same packets. Each comes with whether it stands for
/// addresses of IPv6 only.
fn overlap(a: (IpAddr, bool), b: (IpAddr, bool)) -> bool {
    covers(a.0, b.0, || a.1) || covers(b.0, a.0, || b.1)
}

impl Net {
    /// Returns true if an address cannot be a socket's, as others have it.
    fn conflicts(&self, id: SocketId, to: SocketAddr, now: Time) -> bool {
        let socket = self.get(id);
        let Some(protocol) = socket.transport() else { return false };
        let flag = |socket: &Socket, name| socket.options.flag(linux::SOL_SOCKET, name);
        let claim = (to.ip(), socket.claim().1);
        let reuse_address = flag(socket, linux::SO_REUSEADDR);
        let reuse_port = flag(socket, linux::SO_REUSEPORT);
        let others = self.table.ports.at(protocol, to.port()).iter().filter(|other| **other != id);
        let refuses = |other: &SocketId| {
            let other = self.get(*other);
            let shared =
                reuse_address && flag(other, linux::SO_REUSEADDR) && !other.is_listening_stream();
            let joined =
                reuse_port && flag(other, linux::SO_REUSEPORT) && socket.owner == other.owner;
            overlap(claim, other.claim()) && !shared && !joined
        };
        let lingers = |other: &&LingeringPort| {
            other.until > now
                && other.local.port() == to.port()
                && overlap(claim, (other.local.ip(), false))
                && !(reuse_address && other.reuse_address)
                && !(reuse_port && other.reuse_port)
        };
        let is_taken = || {
            self.exposed.contains_key(&to.port())
                || self.table.ports.lingering.iter().any(|l| lingers(&l))
        };
        others.into_iter().any(refuses) || protocol == Protocol::Tcp && is_taken()
    }

    /// Gives a socket its address; port 0 is a free one.
    pub(crate) fn bind(&mut self, id: SocketId, to: SocketAddr, now: Time) -> Result<(), Errno> {
        let Some(protocol) = self.get(id).transport() else { return Err(Errno::EOPNOTSUPP) };
        let port = match to.port() {
            0 => self.free_port(protocol, now).ok_or(Errno::EADDRINUSE)?,
            _ if self.conflicts(id, to, now) => return Err(Errno::EADDRINUSE),
            port => port,
        };
        self.table.ports.add(protocol, port, id);
        self.get_mut(id).local = SocketAddr::new(to.ip(), port);
        Ok(())
    }

    /// Returns true if a socket may begin to listen where it is bound.
    pub(crate) fn may_listen(&self, id: SocketId, now: Time) -> bool {
        !self.conflicts(id, self.get(id).local, now)
    }

    /// A socket gives its port up.
    pub(crate) fn unbind(&mut self, id: SocketId) {
        let socket = self.get(id);
        let (local, protocol) = (socket.local, socket.transport());
        if let Some(protocol) = protocol
            && local.port() != 0
        {
            self.table.ports.remove(protocol, local.port(), id);
        }
    }

    /// The next port that nobody has.
    fn free_port(&mut self, protocol: Protocol, now: Time) -> Option<u16> {
        let count = LAST_FREE - FIRST_FREE + 1;
        for _ in 0..count {
            let port = self.next_port;
            self.next_port = if port == LAST_FREE { FIRST_FREE } else { port + 1 };
            let lingers = |l: &LingeringPort| l.until > now && l.local.port() == port;
            let is_taken = protocol == Protocol::Tcp
                && (self.exposed.contains_key(&port)
                    || self.table.ports.lingering.iter().any(lingers));
            if self.table.ports.at(protocol, port).is_empty() && !is_taken {
                return Some(port);
            }
        }
        None
    }
}
