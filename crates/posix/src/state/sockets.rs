//! The network side of a node, [`Net`]: its sockets, and what is on its way to others.
//!
//! What all sockets have is in [`Socket`]; what a family has of its own is in `tcp.rs`, `udp.rs` and
//! `unix.rs`.
//!
//! Not here: what sockets do (`crate::net`).

pub(crate) mod datagram;
pub(crate) mod departure;
pub(crate) mod inbox;
pub(crate) mod message;
pub(crate) mod netlink;
pub(crate) mod options;
pub(crate) mod ports;
pub(crate) mod queue;
pub(crate) mod tcp;
pub(crate) mod traffic;
pub(crate) mod udp;
pub(crate) mod unix;

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use everett_base::RadixMap;
use everett_base::{Apart, Copies};
use everett_net::{HostId, Message, Protocol, Topology};
use linux_raw_sys::net as linux;
use syscalls::Errno;

use self::departure::Departures;
use self::inbox::EventInbox;
use self::message::{Payload, SharedMessage};
use self::netlink::Netlink;
use self::options::SocketOptions;
use self::ports::PortTable;
use self::tcp::Tcp;
use self::traffic::Traffic;
use self::udp::Udp;
use self::unix::{Unix, UnixNames};
use crate::config::KernelConfig;
use crate::state::file::{FileKind, OpenFile};
use crate::state::ids::{FileId, SocketId};

/// The address of a family that stands for all addresses of a host.
pub(crate) const fn any_address(domain: u32) -> IpAddr {
    match domain {
        linux::AF_INET6 => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
        _ => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
    }
}

/// The number that the first socket has as a file; those before it are of other files without a name.
const FIRST_INODE: u64 = 16;

/// An address that is none.
pub(crate) const NOWHERE: SocketAddr = SocketAddr::new(any_address(linux::AF_INET), 0);

/// The network side of a node. A crash takes the [`SocketTable`] and the
/// counts of packets, and nothing else.
#[derive(Clone, Debug)]
pub(crate) struct Net {
    pub(crate) table: SocketTable,
    next_socket: u32,
    /// The next port to be given to a socket that does not ask for one.
    next_port: u16,
    /// Messages sent to other hosts so far; connections are numbered apart.
    pub(crate) messages_sent: u64,
    /// Datagrams sent so far.
    pub(crate) datagrams: u64,
    requests: u64,
    pub(crate) outbox: Vec<(HostId, SharedMessage)>,
    /// What is leaving over networks with a bandwidth.
    pub(crate) departures: Departures,
    /// The host of the networks that the node is; without networks it is alone.
    pub(crate) host: HostId,
    pub(crate) topology: Option<Arc<Topology>>,
    /// Datagrams that found no room.
    pub(crate) dropped: u64,
    /// Bytes that a socket holds in each direction.
    pub(crate) socket_buffer: u32,
    /// The packets that have passed the interfaces.
    pub(crate) traffic: Traffic,
    /// Ports that stand for UNIX sockets, with their paths. No socket is bound to such a port.
    pub(crate) exposed: Arc<BTreeMap<u16, Vec<u8>>>,
}

everett_base::portable!(struct Net {
    table, next_socket, next_port, messages_sent, datagrams, requests, outbox, departures, host,
    topology, dropped, socket_buffer, traffic, exposed,
});

/// The sockets of a kernel, by all the ways in which they are found.
#[derive(Clone, Debug, Default)]
pub(crate) struct SocketTable {
    pub(crate) sockets: RadixMap<Socket>,
    pub(crate) ports: PortTable,
    /// Connections by their own and the other address.
    pub(crate) connections: Arc<BTreeMap<(SocketAddr, SocketAddr), SocketId>>,
    /// Names of UNIX sockets.
    pub(crate) names: UnixNames,
    /// Events that programs handle themselves.
    pub(crate) inbox: EventInbox,
}

everett_base::portable!(struct SocketTable { sockets, ports, connections, names, inbox });

impl Apart for Net {
    fn apart(&mut self, copies: &mut Copies) {
        let Net {
            table,
            next_socket: _,
            next_port: _,
            messages_sent: _,
            datagrams: _,
            requests: _,
            outbox: _,
            departures: _,
            host: _,
            topology,
            dropped: _,
            socket_buffer: _,
            traffic: _,
            exposed,
        } = self;
        table.apart(copies);
        topology.apart(copies);
        exposed.apart(copies);
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
            interface: _,
            family: _,
        } = self;
        options.apart(copies);
    }
}

/// The number that a socket has as a file.
pub(crate) fn inode_of(id: SocketId) -> u64 {
    FIRST_INODE + u64::from(id.0)
}

/// A socket.
#[derive(Clone, Debug)]
pub(crate) struct Socket {
    /// `AF_INET`, `AF_INET6`, `AF_UNIX` or `AF_NETLINK`.
    pub(crate) domain: u32,
    /// `SOCK_STREAM` and so on.
    pub(crate) kind: u32,
    pub(crate) protocol: u32,
    /// Its open file; none yet before it is accepted, and none any more once that is closed.
    pub(crate) file: Option<FileId>,
    /// The user that made it.
    pub(crate) owner: u32,
    pub(crate) options: SocketOptions,
    /// The error that the next call, or `SO_ERROR`, tells.
    pub(crate) error: Option<Errno>,
    /// Nothing more is read; nothing more is written.
    pub(crate) shut_in: bool,
    pub(crate) shut_out: bool,
    /// The number of times that it became ready for reading, and for writing.
    pub(crate) arrivals: u64,
    pub(crate) departures: u64,
    /// Addresses of IPv4 are those also where a socket of IPv6 has them (`::ffff:10.0.0.1`); port 0 while it
    /// is not bound.
    pub(crate) local: SocketAddr,
    pub(crate) remote: Option<SocketAddr>,
    /// The program chose the address, or the port.
    pub(crate) chose_address: bool,
    pub(crate) chose_port: bool,
    /// The number of the interface that it is bound to, as it has a link-local address or talks to one; 0 for
    /// none.
    pub(crate) interface: u32,
    pub(crate) family: SocketFamily,
}

everett_base::portable!(struct Socket {
    domain, kind, protocol, file, owner, options, error, shut_in, shut_out, arrivals, departures,
    local, remote, chose_address, chose_port, interface, family,
});

/// The part of a socket that depends on its family.
#[derive(Clone, Debug)]
pub(crate) enum SocketFamily {
    Udp(Udp),
    Tcp(Tcp),
    Unix(Unix),
    Netlink(Netlink),
    /// ICMP, whose sockets keep what those of UDP do.
    Icmp(Udp),
}

everett_base::portable!(enum SocketFamily {
    0 = Udp(value), 1 = Tcp(value), 2 = Unix(value), 3 = Netlink(value), 4 = Icmp(value),
});

impl Socket {
    pub(crate) fn new(domain: u32, kind: u32, protocol: u32, family: SocketFamily) -> Socket {
        Socket {
            domain,
            kind,
            protocol,
            file: None,
            owner: 0,
            options: SocketOptions::default(),
            error: None,
            shut_in: false,
            shut_out: false,
            arrivals: 0,
            departures: 0,
            local: SocketAddr::new(any_address(domain), 0),
            remote: None,
            chose_address: false,
            chose_port: false,
            interface: 0,
            family,
        }
    }

    /// Returns true if packets to an address of this host may be for it.
    pub(crate) fn is_at(&self, address: IpAddr) -> bool {
        covers(self.local.ip(), address, || self.is_for_ipv6_only())
    }

    /// Returns true if its address, where it is that of IPv6 for all, does not stand for those of IPv4.
    pub(crate) fn is_for_ipv6_only(&self) -> bool {
        self.options.flag(linux::SOL_IPV6, linux::IPV6_V6ONLY)
    }

    /// Its own address, and whether it stands for addresses of IPv6 only.
    pub(crate) fn claim(&self) -> (IpAddr, bool) {
        (self.local.ip(), self.is_for_ipv6_only())
    }

    /// Returns true if it is one of IPv4 or IPv6.
    pub(crate) fn is_inet(&self) -> bool {
        matches!(self.domain, linux::AF_INET | linux::AF_INET6)
    }

    /// The protocol that its packets have.
    pub(crate) fn transport(&self) -> Option<Protocol> {
        match self.family {
            SocketFamily::Udp(_) => Some(Protocol::Udp),
            SocketFamily::Tcp(_) => Some(Protocol::Tcp),
            // Sockets for `ping` have numbers, as others have ports.
            SocketFamily::Icmp(_) if self.kind == linux::SOCK_DGRAM => Some(Protocol::Icmp),
            SocketFamily::Icmp(_) | SocketFamily::Unix(_) | SocketFamily::Netlink(_) => None,
        }
    }

    /// Returns true if it is a TCP socket that waits for connections.
    pub(crate) fn is_listening_stream(&self) -> bool {
        matches!(&self.family, SocketFamily::Tcp(tcp) if tcp.is_listening())
    }

    /// Returns true if it waits for connections.
    pub(crate) fn is_listening(&self) -> bool {
        match &self.family {
            SocketFamily::Tcp(tcp) => tcp.is_listening(),
            SocketFamily::Udp(_) | SocketFamily::Icmp(_) | SocketFamily::Netlink(_) => false,
            SocketFamily::Unix(unix) => unix.is_listening(),
        }
    }

    /// Takes the error out that is to be told.
    pub(crate) fn take_error(&mut self) -> Result<(), Errno> {
        self.error.take().map_or(Ok(()), Err)
    }
}

/// Returns true if an address that a socket has stands for another one: all addresses of IPv6 are all of
/// IPv4 as well, unless the socket is for IPv6 only.
pub(crate) fn covers(own: IpAddr, address: IpAddr, is_v6_only: impl FnOnce() -> bool) -> bool {
    if own == address {
        return true;
    }
    let is_same_family = own.is_ipv4() == address.is_ipv4();
    own.is_unspecified() && (is_same_family || own.is_ipv6() && !is_v6_only())
}

impl Net {
    pub(crate) fn new(config: &KernelConfig) -> Net {
        let exposed = config.exposed.iter().map(|socket| (socket.port, socket.path.clone()));
        Net {
            table: SocketTable::default(),
            next_socket: 0,
            next_port: ports::FIRST_FREE,
            messages_sent: 0,
            datagrams: 0,
            requests: 0,
            outbox: Vec::new(),
            departures: Departures::new(),
            host: config.host,
            topology: config.topology.clone(),
            dropped: 0,
            socket_buffer: config.socket_buffer,
            traffic: Traffic::default(),
            exposed: Arc::new(exposed.collect()),
        }
    }

    /// Forgets all sockets. What was sent is on its way, and numbers are not given twice.
    pub(crate) fn crash(&mut self) {
        self.table = SocketTable::default();
        self.traffic = Traffic::default();
    }

    /// Messages sent to other hosts so far.
    pub(crate) fn sent(&self) -> u64 {
        self.messages_sent
    }

    /// Puts a message into the outbox, once for each host that gets it.
    pub(crate) fn post(&mut self, hosts: &[HostId], message: Message<Payload>) {
        let message = Arc::new(message);
        self.outbox.extend(hosts.iter().map(|host| (*host, message.clone())));
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
    pub(crate) fn new_request(&mut self) -> u64 {
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
