//! Sockets: what a node keeps of them, and the protocols between them.
//!
//! [`Net`] holds the [`Socket`]s of a node. What all sockets have is in [`Socket`]; what a family has
//! of its own is in `udp.rs`, `tcp.rs` and `unix.rs`, each of which has
//!
//! - `events(node, id) -> u32`: what the socket is ready for;
//! - `close(node, id)`: its file is gone;
//! - what the handlers in `sys/socket` call to bind, connect, send and receive.
//!
//! IPv4 sockets talk by [`packet::Packet`]s, whether the other one is on this host or not: one to this
//! host is handed over at once, one to another host waits in the outbox for the embedder. UNIX sockets
//! never leave the host and need no packets. Events of programs (`plain.rs`) have no sockets at all.
//!
//! Not here: system calls, their arguments and buffers (`sys/socket`); networks (`everett-net`).

pub(crate) mod interface;
pub(crate) mod options;
pub(crate) mod packet;
mod payload;
pub(crate) mod plain;
pub(crate) mod ports;
mod queue;
pub(crate) mod route;
pub(crate) mod tcp;
pub(crate) mod udp;
pub(crate) mod unix;

use everett_base::{Apart, Copies, shares_nothing};
use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::sync::Arc;

use everett_base::{RadixMap, define_id};
use everett_net::{HostId, Protocol, Topology};
use linux_raw_sys::general as linux;
use syscalls::Errno;

use self::options::Options;
pub use self::packet::Outgoing;
pub use self::payload::Payload;
use self::ports::Ports;
pub(crate) use self::queue::ByteQueue;
use self::tcp::Tcp;
use self::udp::Udp;
use self::unix::Unix;
use crate::config::KernelConfig;
use crate::file::{FileId, FileKind, OpenFile};
use crate::node::Node;
use crate::wait::Time;

/// Hops that a packet may make unless its socket says otherwise.
pub(crate) const DEFAULT_TTL: u8 = 64;
/// An address that is none.
pub(crate) const NOWHERE: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::UNSPECIFIED, 0);

define_id!(
    /// Numbers sockets in the order in which they were made.
    pub(crate) struct SocketId,
    "socket"
);

/// The network side of a node. A crash takes the [`SocketTable`], and nothing else.
#[derive(Clone, Debug)]
pub(crate) struct Net {
    pub(crate) table: SocketTable,
    next_socket: u32,
    /// The next port to be given to a socket that does not ask for one.
    next_port: u16,
    /// Events sent to other hosts so far; connections are numbered apart.
    events_sent: u64,
    /// Datagrams sent so far.
    pub(crate) datagrams: u64,
    requests: u64,
    outbox: Vec<Outgoing>,
    /// Which host of which networks the node is; without networks it is alone.
    pub(crate) host: HostId,
    pub(crate) topology: Option<Arc<Topology>>,
    /// Datagrams that found no room.
    pub(crate) dropped: u64,
    /// Bytes that a socket holds in each direction.
    pub(crate) socket_buffer: u32,
}

/// The sockets of a kernel, by all the ways in which they are found.
#[derive(Clone, Debug, Default)]
pub(crate) struct SocketTable {
    sockets: RadixMap<Socket>,
    ports: Ports,
    /// Connections by their own and the other address.
    connections: Arc<BTreeMap<(SocketAddrV4, SocketAddrV4), SocketId>>,
    /// Names of UNIX sockets.
    names: unix::Names,
    /// Events that programs handle themselves.
    pub(crate) inbox: plain::Inbox,
}

impl Apart for Net {
    fn apart(&mut self, copies: &mut Copies) {
        let Net {
            table,
            next_socket: _,
            next_port: _,
            events_sent: _,
            datagrams: _,
            requests: _,
            outbox: _,
            host: _,
            topology,
            dropped: _,
            socket_buffer: _,
        } = self;
        table.apart(copies);
        topology.apart(copies);
    }
}

impl Apart for SocketTable {
    fn apart(&mut self, copies: &mut Copies) {
        let SocketTable { sockets, ports, connections, names, inbox } = self;
        sockets.apart(copies);
        ports.apart(copies);
        connections.apart(copies);
        names.apart(copies);
        inbox.apart(copies);
    }
}

impl Apart for Socket {
    fn apart(&mut self, copies: &mut Copies) {
        let Socket {
            domain: _,
            kind: _,
            protocol: _,
            file: _,
            owner: _,
            options,
            error: _,
            shut_in: _,
            shut_out: _,
            arrivals: _,
            departures: _,
            local: _,
            remote: _,
            chose_address: _,
            chose_port: _,
            family: _,
        } = self;
        options.apart(copies);
    }
}

shares_nothing!(SocketId);

/// A socket.
#[derive(Clone, Debug)]
pub(crate) struct Socket {
    /// `AF_INET` or `AF_UNIX`.
    pub(crate) domain: u32,
    /// `SOCK_STREAM` and so on.
    pub(crate) kind: u32,
    pub(crate) protocol: u32,
    /// Its open file; none yet before it is accepted, and none any more once that is closed.
    pub(crate) file: Option<FileId>,
    /// The user that made it.
    pub(crate) owner: u32,
    pub(crate) options: Options,
    /// What the next call, or `SO_ERROR`, tells.
    pub(crate) error: Option<Errno>,
    /// Nothing more is read; nothing more is written.
    pub(crate) shut_in: bool,
    pub(crate) shut_out: bool,
    /// How often it became ready for reading, and for writing.
    pub(crate) arrivals: u64,
    pub(crate) departures: u64,
    /// Addresses of IPv4; port 0 while it is not bound.
    pub(crate) local: SocketAddrV4,
    pub(crate) remote: Option<SocketAddrV4>,
    /// The program chose the address, or the port.
    pub(crate) chose_address: bool,
    pub(crate) chose_port: bool,
    pub(crate) family: Family,
}

/// What is special about a family.
#[derive(Clone, Debug)]
pub(crate) enum Family {
    Udp(Udp),
    Tcp(Tcp),
    Unix(Unix),
}

impl Socket {
    pub(crate) fn new(domain: u32, kind: u32, protocol: u32, family: Family) -> Socket {
        Socket {
            domain,
            kind,
            protocol,
            file: None,
            owner: 0,
            options: Options::default(),
            error: None,
            shut_in: false,
            shut_out: false,
            arrivals: 0,
            departures: 0,
            local: NOWHERE,
            remote: None,
            chose_address: false,
            chose_port: false,
            family,
        }
    }

    /// The protocol that its packets have.
    pub(crate) fn transport(&self) -> Option<Protocol> {
        match self.family {
            Family::Udp(_) => Some(Protocol::Udp),
            Family::Tcp(_) => Some(Protocol::Tcp),
            Family::Unix(_) => None,
        }
    }

    /// Whether it is a TCP socket that waits for connections.
    pub(crate) fn is_listening_stream(&self) -> bool {
        matches!(&self.family, Family::Tcp(tcp) if tcp.is_listening())
    }

    /// Whether it waits for connections.
    pub(crate) fn is_listening(&self) -> bool {
        match &self.family {
            Family::Tcp(tcp) => tcp.is_listening(),
            Family::Udp(_) => false,
            Family::Unix(unix) => unix.is_listening(),
        }
    }

    /// Takes the error out that is to be told.
    pub(crate) fn take_error(&mut self) -> Result<(), Errno> {
        self.error.take().map_or(Ok(()), Err)
    }
}

impl Net {
    pub(crate) fn new(config: &KernelConfig) -> Net {
        Net {
            table: SocketTable::default(),
            next_socket: 0,
            next_port: ports::FIRST_FREE,
            events_sent: 0,
            datagrams: 0,
            requests: 0,
            outbox: Vec::new(),
            host: HostId(config.host),
            topology: config.topology.clone(),
            dropped: 0,
            socket_buffer: config.socket_buffer,
        }
    }

    /// Forgets all sockets. What was sent is on its way, and numbers are not given twice.
    pub(crate) fn crash(&mut self) {
        self.table = SocketTable::default();
    }

    /// Events sent to other hosts so far.
    pub(crate) fn sent(&self) -> u64 {
        self.events_sent
    }

    /// Becomes a host of networks.
    pub(crate) fn join(&mut self, host: HostId, topology: Option<Arc<Topology>>) {
        self.host = host;
        self.topology = topology;
    }

    pub(crate) fn find(&self, id: SocketId) -> Option<&Socket> {
        self.table.sockets.get(id.0.into())
    }

    pub(crate) fn get(&self, id: SocketId) -> &Socket {
        self.find(id).expect("a socket is there while something refers to it")
    }

    pub(crate) fn get_mut(&mut self, id: SocketId) -> &mut Socket {
        let socket = self.table.sockets.get_mut(id.0.into());
        socket.expect("a socket is there while something refers to it")
    }

    /// Adds a socket, with buffers as large as they are by default.
    pub(crate) fn add(&mut self, mut socket: Socket) -> SocketId {
        let id = SocketId(self.next_socket);
        self.next_socket += 1;
        if socket.options.send_buffer == 0 {
            socket.options.send_buffer = self.socket_buffer;
            socket.options.receive_buffer = self.socket_buffer;
        }
        self.table.sockets.insert(id.0.into(), socket);
        id
    }

    /// Forgets a socket and its port.
    pub(crate) fn remove(&mut self, id: SocketId) {
        self.unbind(id);
        self.table.sockets.remove(id.0.into());
    }

    /// A number that no other request of this host has.
    fn new_request(&mut self) -> u64 {
        self.requests += 1;
        self.requests
    }
}

/// The socket of an open file, if it is one.
pub(crate) fn socket_of(file: &OpenFile) -> Option<SocketId> {
    match file.kind {
        FileKind::Socket(socket) => Some(socket),
        _ => None,
    }
}

/// What a socket is ready for.
pub(crate) fn events(node: &Node, id: SocketId) -> u32 {
    match &node.net.get(id).family {
        Family::Udp(_) => udp::events(node, id),
        Family::Tcp(_) => tcp::events(node, id),
        Family::Unix(_) => unix::events(node, id),
    }
}

/// The error with which a socket fails by itself, if its time has come.
fn failure_due(node: &Node, id: SocketId) -> Option<Errno> {
    let socket = node.net.get(id);
    match &socket.family {
        Family::Udp(udp) => udp.failure_due(node.clock.now),
        Family::Tcp(_) => tcp::failure_due(socket, node.clock.now),
        Family::Unix(_) => None,
    }
}

/// The error that `SO_ERROR` tells.
pub(crate) fn pending_error(node: &Node, id: SocketId) -> Option<Errno> {
    node.net.get(id).error.or_else(|| failure_due(node, id))
}

/// How often it became ready for reading and for writing.
pub(crate) fn edges(node: &Node, id: SocketId) -> [u64; 2] {
    let socket = node.net.get(id);
    // One that fails by itself is an edge, too.
    let failed = u64::from(failure_due(node, id).is_some());
    [socket.arrivals + failed, socket.departures + failed]
}

/// When a socket will be ready by itself, if it will.
pub(crate) fn next_event(node: &Node, id: SocketId) -> Option<Time> {
    match &node.net.get(id).family {
        Family::Udp(udp) => udp.fails_at(),
        Family::Tcp(tcp) => tcp.fails_at(),
        Family::Unix(_) => None,
    }
    .filter(|time| *time > node.clock.now)
}

/// Bytes that can be read, as `FIONREAD` tells.
pub(crate) fn readable_bytes(node: &Node, id: SocketId) -> Result<u64, Errno> {
    match &node.net.get(id).family {
        Family::Udp(udp) => Ok(udp.next_len()),
        Family::Tcp(tcp) if tcp.is_listening() => Err(Errno::EINVAL),
        Family::Tcp(tcp) => Ok(tcp.readable() as u64),
        Family::Unix(_) => unix::readable_bytes(node, id),
    }
}

/// An open file is gone: if it was a socket, the other end may notice.
pub(crate) fn closed(node: &mut Node, file: &OpenFile) {
    let Some(id) = socket_of(file) else { return };
    node.net.get_mut(id).file = None;
    match &node.net.get(id).family {
        Family::Udp(_) => node.net.remove(id),
        Family::Tcp(_) => tcp::close(node, id),
        Family::Unix(_) => unix::close(node, id),
    }
}

#[cfg(test)]
mod tests;

/// Ready to be read from, as `poll` says it.
const READ: u32 = linux::POLLIN | linux::POLLRDNORM;
/// Ready to be written to.
const WRITE: u32 = linux::POLLOUT | linux::POLLWRNORM;
