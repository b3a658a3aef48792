//! Sockets of datagrams, of UDP and of ICMP: what they are ready for, their queues, and the way of what they
//! send.
//!
//! Not here: what a protocol makes of a datagram (`udp.rs`, `icmp.rs`), and its way over networks
//! (`packet.rs`).

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use everett_net::{DEFAULT_TTL, loopback_like};
use linux_raw_sys::general::{POLLERR, POLLHUP, POLLRDHUP, POLLWRBAND};
use linux_raw_sys::net as linux;
use syscalls::Errno;

use super::route::{ReportedLoss, Route};
use crate::net::{READ, WRITE};
use crate::state::ids::{SocketId, Time};
use crate::state::node::Node;
use crate::state::sockets::datagram::ReceivedDatagram;
use crate::state::sockets::message::Packet;
use crate::state::sockets::options::SocketOptions;
use crate::state::sockets::udp::Udp;
use crate::state::sockets::{Net, Socket, SocketFamily, any_address};

/// The cost of a datagram in the queue beside its bytes.
const OVERHEAD: usize = 768;

pub(super) fn udp(socket: &Socket) -> &Udp {
    match &socket.family {
        SocketFamily::Udp(udp) | SocketFamily::Icmp(udp) => udp,
        _ => unreachable!("the caller has looked at the family"),
    }
}

pub(super) fn udp_mut(node: &mut Node, id: SocketId) -> &mut Udp {
    match &mut node.net.get_mut(id).family {
        SocketFamily::Udp(udp) | SocketFamily::Icmp(udp) => udp,
        _ => unreachable!("the caller has looked at the family"),
    }
}

/// The events that a socket is ready for.
pub(crate) fn events(node: &Node, id: SocketId) -> u32 {
    let socket = node.net.get(id);
    let udp = udp(socket);
    let mut events = WRITE | POLLWRBAND;
    if socket.error.is_some() || udp.failure_due(node.clock.now).is_some() {
        events |= POLLERR;
    }
    if socket.shut_in {
        events |= READ | POLLRDHUP;
    }
    if socket.shut_in && socket.shut_out {
        events |= POLLHUP;
    }
    if udp.next(node.clock.now).is_some() {
        events |= READ;
    }
    events
}

/// The error that is to be told now, if there is one.
pub(crate) fn take_error(node: &mut Node, id: SocketId) -> Result<(), Errno> {
    let now = node.clock.now;
    let udp = udp_mut(node, id);
    if let Some((_, errno)) = udp.fails.take_if(|(time, _)| *time <= now) {
        node.net.get_mut(id).error.get_or_insert(errno);
    }
    node.net.get_mut(id).take_error()
}

/// Sets where datagrams go, and whose are received.
pub(crate) fn connect(node: &mut Node, id: SocketId, to: SocketAddr) -> Result<(), Errno> {
    let to = or_loopback(to);
    let socket = node.net.get(id);
    let broadcasts = socket.options.flag(linux::SOL_SOCKET, linux::SO_BROADCAST);
    if node.net.is_broadcast(to.ip()) && !broadcasts {
        return Err(Errno::EACCES);
    }
    let route = node.net.route_of(id, to.ip(), DEFAULT_TTL)?;
    bind_if_needed(node, id)?;
    let socket = node.net.get_mut(id);
    if socket.local.ip().is_unspecified() {
        socket.local.set_ip(route.source);
    }
    socket.remote = Some(to);
    Ok(())
}

/// Forgets where datagrams go.
pub(crate) fn disconnect(node: &mut Node, id: SocketId) {
    let socket = node.net.get_mut(id);
    (socket.remote, socket.interface) = (None, 0);
    let socket = node.net.get(id);
    if !socket.chose_address {
        let socket = node.net.get_mut(id);
        socket.local.set_ip(any_address(socket.domain));
    }
    if !node.net.get(id).chose_port {
        node.net.unbind(id);
        node.net.get_mut(id).local.set_port(0);
    }
}

/// Gives the socket a port if it has none.
pub(crate) fn bind_if_needed(node: &mut Node, id: SocketId) -> Result<(), Errno> {
    let local = node.net.get(id).local;
    if local.port() == 0 {
        let now = node.clock.now;
        node.net.bind(id, local, now).map_err(|_| Errno::EAGAIN)?;
    }
    Ok(())
}

/// Returns true if the socket has sent so much in this round that it has to wait for the next.
pub(crate) fn is_throttled(node: &Node, id: SocketId) -> bool {
    let socket = node.net.get(id);
    let (round, bytes) = udp(socket).sent;
    round == node.path.rounds && bytes > socket.options.send_buffer as usize
}

/// Where a datagram comes from, as far as its sender says so (`IP_PKTINFO`, `IPV6_PKTINFO`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PacketOrigin {
    /// The address that it carries, which is one of the host's.
    pub(crate) address: Option<IpAddr>,
    /// The number of the interface that it leaves by; 0 if the routes decide.
    pub(crate) interface: u32,
}

/// The way of a datagram of so many bytes, and the address that it comes from.
pub(crate) fn departure(
    node: &mut Node,
    id: SocketId,
    to: SocketAddr,
    origin: PacketOrigin,
    bytes: usize,
) -> Result<(Route, SocketAddr), Errno> {
    let options = node.net.get(id).options.clone();
    if node.net.is_broadcast(to.ip()) && !options.flag(linux::SOL_SOCKET, linux::SO_BROADCAST) {
        return Err(Errno::EACCES);
    }
    let multicast = to.ip().is_multicast();
    let ttl = options.hops(to.ip());
    let interface = match origin.interface {
        0 => node.net.get(id).interface,
        index => index,
    };
    let way = match interface {
        0 => multicast_source(&node.net, &options, to.ip()).filter(|_| multicast),
        index => Some(node.net.address_of_interface(index, to.ip()).ok_or(Errno::ENODEV)?),
    };
    let mut route = match way {
        Some(own) => node.net.route_from(own, to.ip(), ttl)?,
        None => node.net.route(to.ip(), ttl)?,
    };
    if multicast {
        route.local = match to.ip() {
            IpAddr::V4(_) => options.flag(linux::SOL_IP, linux::IP_MULTICAST_LOOP),
            IpAddr::V6(_) => options.flag(linux::SOL_IPV6, linux::IPV6_MULTICAST_LOOP),
        };
    }
    bind_if_needed(node, id)?;
    let local = node.net.get(id).local;
    let any = local.ip().is_unspecified() || local.ip().is_multicast();
    let own = origin.address.unwrap_or(if any { route.source } else { local.ip() });
    count_sent(node, id, &route, bytes);
    Ok((route, SocketAddr::new(own, local.port())))
}

/// The address of the interface that a socket has chosen for groups of a family.
fn multicast_source(net: &Net, options: &SocketOptions, to: IpAddr) -> Option<IpAddr> {
    match to {
        IpAddr::V4(_) => {
            let chosen = options.number(linux::SOL_IP, linux::IP_MULTICAST_IF).cast_unsigned();
            (chosen != 0).then(|| Ipv4Addr::from_bits(chosen).into())
        }
        IpAddr::V6(_) => {
            let chosen = options.number(linux::SOL_IPV6, linux::IPV6_MULTICAST_IF);
            net.address_of_interface(chosen.cast_unsigned(), to)
        }
    }
}

/// An address to which the one that stands for all leads: the host itself.
pub(crate) fn or_loopback(to: SocketAddr) -> SocketAddr {
    match to.ip().is_unspecified() {
        true => SocketAddr::new(loopback_like(to.ip()), to.port()),
        false => to,
    }
}

/// Counts what goes to other hosts, and notes when the sender will hear that there is none.
fn count_sent(node: &mut Node, id: SocketId, route: &Route, bytes: usize) {
    let (round, now) = (node.path.rounds, node.clock.now);
    let socket = node.net.get(id);
    let is_answered = matches!(socket.family, SocketFamily::Icmp(_))
        && route.report.is_some_and(|report| report.loss == ReportedLoss::AtRouter);
    let told = tells_errors(socket) && !is_answered;
    let udp = udp_mut(node, id);
    if !route.hosts.is_empty() {
        let before = if udp.sent.0 == round { udp.sent.1 } else { 0 };
        udp.sent = (round, before + bytes);
    }
    if let Some((after, errno)) = route.lost
        && told
    {
        udp.fails.get_or_insert((now.saturating_add(after), errno));
    }
}

/// Returns true if errors from afar are told: to those that have said whom they talk to, or ask for them.
pub(super) fn tells_errors(socket: &Socket) -> bool {
    let asks = |level, name| socket.options.flag(level, name);
    socket.remote.is_some()
        || asks(linux::SOL_IP, linux::IP_RECVERR)
        || asks(linux::SOL_IPV6, linux::IPV6_RECVERR)
}

/// Returns true if the queue of a socket takes a datagram.
pub(crate) fn has_room(node: &Node, id: SocketId) -> bool {
    let socket = node.net.get(id);
    udp(socket).queued <= socket.options.receive_buffer as usize
}

/// Returns true if a packet has come by the interface that a socket is bound to.
pub(crate) fn comes_by_its_interface(net: &Net, socket: &Socket, packet: &Packet) -> bool {
    let (source, destination) = (packet.source.ip(), packet.destination.ip());
    socket.interface == 0 || socket.interface == net.arrival_interface(source, destination)
}

/// Returns true if a socket gets what is sent to a group: one that has joined it, or, if the host is in it,
/// one that gets what comes for all.
pub(crate) fn gets_group(net: &Net, socket: &Socket, to: IpAddr) -> bool {
    let gets_all = || match to {
        IpAddr::V4(_) => socket.options.flag(linux::SOL_IP, linux::IP_MULTICAST_ALL),
        IpAddr::V6(_) => socket.options.flag(linux::SOL_IPV6, linux::IPV6_MULTICAST_ALL),
    };
    has_joined(socket, to) || gets_all() && is_member(net, to)
}

/// Returns true if the host is in a group: in that of all hosts, or in one that a socket has joined.
pub(crate) fn is_member(net: &Net, to: IpAddr) -> bool {
    let is_of_all = match to {
        IpAddr::V4(to) => to == Ipv4Addr::new(224, 0, 0, 1),
        IpAddr::V6(to) => matches!(to.segments(), [0xff01 | 0xff02, 0, 0, 0, 0, 0, 0, 1]),
    };
    is_of_all || net.table.sockets.iter().any(|(_, socket)| has_joined(socket, to))
}

fn has_joined(socket: &Socket, to: IpAddr) -> bool {
    match &socket.family {
        SocketFamily::Udp(udp) | SocketFamily::Icmp(udp) => {
            udp.groups.iter().any(|(group, _)| *group == to)
        }
        SocketFamily::Tcp(_) | SocketFamily::Unix(_) | SocketFamily::Netlink(_) => false,
    }
}

/// Puts a datagram into a socket's queue, if there is room; it is there from a time on.
pub(crate) fn queue(node: &mut Node, id: SocketId, packet: Packet, time: Time) {
    let room = node.net.get(id).options.receive_buffer as usize;
    let Packet { source, destination, ttl, payload: data, id: number, .. } = packet;
    let udp = udp_mut(node, id);
    if udp.queued > room {
        udp.drops += 1;
        node.net.dropped += 1;
        return;
    }
    udp.queued += data.len() + OVERHEAD;
    let datagram = ReceivedDatagram { source, destination, ttl, time, data, id: number };
    let queue = Arc::make_mut(&mut udp.queue);
    let place = queue.partition_point(|other| other.time <= time);
    queue.insert(place, datagram);
    node.net.get_mut(id).arrivals += 1;
}

/// The next datagram, which stays in the queue if it is only looked at.
pub(crate) fn next(node: &mut Node, id: SocketId, peek: bool) -> Option<ReceivedDatagram> {
    let now = node.clock.now;
    let udp = udp_mut(node, id);
    let next = udp.next(now)?;
    if peek {
        return Some(next.clone());
    }
    let datagram = Arc::make_mut(&mut udp.queue).pop_front()?;
    udp.queued -= datagram.data.len() + OVERHEAD;
    Some(datagram)
}
