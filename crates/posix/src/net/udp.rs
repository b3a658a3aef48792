//! UDP: datagrams, each of which arrives whole or not at all.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use everett_net::{DEFAULT_TTL, Message, MessageKind, Protocol, loopback_like};
use linux_raw_sys::general::{POLLERR, POLLHUP, POLLRDHUP, POLLWRBAND};
use linux_raw_sys::net as linux;
use syscalls::Errno;

use super::route::Route;
use crate::net::{READ, WRITE, packet};
use crate::state::data::ByteData;
use crate::state::ids::SocketId;
use crate::state::node::Node;
use crate::state::sockets::datagram::{ReceivedDatagram, WITHIN_NODE};
use crate::state::sockets::message::{Packet, Payload};
use crate::state::sockets::options::SocketOptions;
use crate::state::sockets::udp::Udp;
use crate::state::sockets::{Net, Socket, SocketFamily, any_address};

/// The most that a datagram carries.
pub(crate) const MOST_BYTES: usize = 65507;
/// The cost of a datagram in the queue beside its bytes.
const OVERHEAD: usize = 768;

fn udp(socket: &Socket) -> &Udp {
    match &socket.family {
        SocketFamily::Udp(udp) => udp,
        _ => unreachable!("the caller has looked at the family"),
    }
}

fn udp_mut(node: &mut Node, id: SocketId) -> &mut Udp {
    match &mut node.net.get_mut(id).family {
        SocketFamily::Udp(udp) => udp,
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
    if !udp.queue.is_empty() {
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
    let route = node.net.route(to.ip(), DEFAULT_TTL)?;
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
    node.net.get_mut(id).remote = None;
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

/// The datagram that is not complete yet, and where it goes.
pub(crate) fn corked(node: &Node, id: SocketId) -> Option<(SocketAddr, ByteData)> {
    udp(node.net.get(id)).corked.clone()
}

/// Keeps a datagram until the rest of it comes, or forgets it.
pub(crate) fn cork(node: &mut Node, id: SocketId, datagram: Option<(SocketAddr, ByteData)>) {
    udp_mut(node, id).corked = datagram;
}

/// Where a datagram comes from, as far as its sender says so (`IP_PKTINFO`, `IPV6_PKTINFO`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PacketOrigin {
    /// The address that it carries, which is one of the host's.
    pub(crate) address: Option<IpAddr>,
    /// The number of the interface that it leaves by; 0 if the routes decide.
    pub(crate) interface: u32,
}

/// Sends a datagram.
pub(crate) fn send(
    node: &mut Node,
    id: SocketId,
    to: SocketAddr,
    origin: PacketOrigin,
    data: ByteData,
) -> Result<(), Errno> {
    let to = or_loopback(to);
    let options = node.net.get(id).options.clone();
    if node.net.is_broadcast(to.ip()) && !options.flag(linux::SOL_SOCKET, linux::SO_BROADCAST) {
        return Err(Errno::EACCES);
    }
    let multicast = to.ip().is_multicast();
    let ttl = options.hops(to.ip());
    let way = match origin.interface {
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
    let source = SocketAddr::new(own, local.port());
    count_sent(node, id, &route, data.len());
    let packet = Packet::new(MessageKind::DATA, Protocol::Udp, source, to);
    node.net.datagrams += 1;
    // What stays here is not numbered as a message.
    let id = node.net.datagrams | WITHIN_NODE;
    packet::send(node, Packet { ttl, payload: data, id, ..packet }, &route);
    Ok(())
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
    let told = tells_errors(node.net.get(id));
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
fn tells_errors(socket: &Socket) -> bool {
    let asks = |level, name| socket.options.flag(level, name);
    socket.remote.is_some()
        || asks(linux::SOL_IP, linux::IP_RECVERR)
        || asks(linux::SOL_IPV6, linux::IPV6_RECVERR)
}

/// A packet has arrived.
pub(crate) fn receive(node: &mut Node, packet: Packet) {
    if packet.kind.meets(MessageKind::CLOSE) {
        refused(&mut node.net, &packet);
        return;
    }
    let to = packet.destination.ip();
    let many = to.is_multicast() || node.net.is_broadcast(to);
    if !many {
        match receiver(&node.net, &packet) {
            Some(id) => queue(node, id, packet),
            None => {
                let status = Errno::ECONNREFUSED.into_raw().unsigned_abs();
                packet::reply(node, packet.answer(MessageKind::CLOSE, status));
            }
        }
        return;
    }
    for id in receivers(&node.net, &packet) {
        queue(node, id, packet.clone());
    }
}

/// Returns true if a datagram would get into the queue of some socket.
pub(crate) fn is_awaited(node: &Node, source: SocketAddr, destination: SocketAddr) -> bool {
    let packet = Packet::new(MessageKind::DATA, Protocol::Udp, source, destination);
    let has_room = |id: SocketId| {
        let socket = node.net.get(id);
        udp(socket).queued <= socket.options.receive_buffer as usize
    };
    let to = destination.ip();
    if to.is_multicast() || node.net.is_broadcast(to) {
        return receivers(&node.net, &packet).into_iter().any(has_room);
    }
    receiver(&node.net, &packet).is_some_and(has_room)
}

/// The one socket that a message that has arrived is a datagram for.
pub(crate) fn receiver_of(node: &Node, message: &Message<Payload>) -> Option<SocketId> {
    if message.protocol != Protocol::Udp || !message.kind.meets(MessageKind::DATA) {
        return None;
    }
    let packet = Packet::new(MessageKind::DATA, Protocol::Udp, message.source, message.destination);
    let to = message.destination.ip();
    if to.is_multicast() || node.net.is_broadcast(to) {
        let all = receivers(&node.net, &packet);
        return if let [one] = all[..] { Some(one) } else { None };
    }
    receiver(&node.net, &packet)
}

/// The socket at which a program notices a message: its datagram, or the error that it brings.
pub(crate) fn observer_of(node: &Node, message: &Message<Payload>) -> Option<SocketId> {
    if !message.kind.meets(MessageKind::CLOSE) {
        return receiver_of(node, message);
    }
    let packet =
        Packet::new(MessageKind::CLOSE, Protocol::Udp, message.source, message.destination);
    receiver(&node.net, &packet).filter(|id| tells_errors(node.net.get(*id)))
}

/// Nobody is at the port that a socket here has sent to.
fn refused(net: &mut Net, packet: &Packet) {
    let Some(id) = receiver(net, packet) else { return };
    let socket = net.get_mut(id);
    if tells_errors(socket) {
        socket.error = Some(Errno::ECONNREFUSED);
        socket.arrivals += 1;
        socket.departures += 1;
    }
}

/// The score of a socket for a packet; `None` if it does not match.
fn score(socket: &Socket, packet: &Packet) -> Option<u32> {
    let to = packet.destination.ip();
    if !socket.is_at(to) {
        return None;
    }
    let has_peer = match socket.remote {
        Some(remote) if remote != packet.source => return None,
        remote => remote.is_some(),
    };
    let is_here = socket.local.ip() == to;
    // Among those that match alike, one of IPv4 is preferred for IPv4.
    let is_ipv4 = socket.domain == linux::AF_INET;
    Some(4 * u32::from(is_here) + 2 * u32::from(has_peer) + u32::from(is_ipv4))
}

/// The socket that gets a datagram to one host. Of those that match alike the newest gets it, unless
/// they share the port (`SO_REUSEPORT`): then it depends on where the datagram comes from.
fn receiver(net: &Net, packet: &Packet) -> Option<SocketId> {
    let bound = net.table.ports.at(Protocol::Udp, packet.destination.port());
    let scored = bound.iter().filter_map(|id| Some((score(net.get(*id), packet)?, *id)));
    let best = scored.clone().map(|(score, _)| score).max()?;
    let best: Vec<SocketId> =
        scored.filter(|(score, _)| *score == best).map(|(_, id)| id).collect();
    let last = *best.last()?;
    let shares = |id| net.get(id).options.flag(linux::SOL_SOCKET, linux::SO_REUSEPORT);
    if shares(last) { Some(best[spread(packet.source, best.len())]) } else { Some(last) }
}

/// The number of the socket, of several, that gets what comes from an address.
pub(crate) fn spread(source: SocketAddr, count: usize) -> usize {
    let address = match source.ip() {
        IpAddr::V4(ip) => ip.to_bits(),
        IpAddr::V6(ip) => {
            let add = |sum: u32, part: &u16| sum.wrapping_mul(31).wrapping_add((*part).into());
            ip.segments().iter().fold(0, add)
        }
    };
    let sum = address.wrapping_add(source.port().into());
    sum as usize % count
}

/// The sockets that get a datagram to many hosts.
fn receivers(net: &Net, packet: &Packet) -> Vec<SocketId> {
    let to = packet.destination.ip();
    let bound = net.table.ports.at(Protocol::Udp, packet.destination.port());
    let matching = bound.iter().copied().filter(|id| {
        let socket = net.get(*id);
        socket.is_at(to) && socket.remote.is_none_or(|remote| remote == packet.source)
    });
    if !to.is_multicast() {
        return matching.collect();
    }
    let joined = |socket: &Socket| udp(socket).groups.iter().any(|(group, _)| *group == to);
    let is_udp = |socket: &Socket| matches!(socket.family, SocketFamily::Udp(_));
    if !net.table.sockets.iter().any(|(_, socket)| is_udp(socket) && joined(socket)) {
        return Vec::new();
    }
    let wants = |id: &SocketId| {
        let socket = net.get(*id);
        let gets_all = match to {
            IpAddr::V4(_) => socket.options.flag(linux::SOL_IP, linux::IP_MULTICAST_ALL),
            IpAddr::V6(_) => socket.options.flag(linux::SOL_IPV6, linux::IPV6_MULTICAST_ALL),
        };
        joined(socket) || gets_all
    };
    matching.filter(wants).collect()
}

/// Puts a datagram into a socket's queue, if there is room.
fn queue(node: &mut Node, id: SocketId, packet: Packet) {
    let now = node.clock.now;
    let room = node.net.get(id).options.receive_buffer as usize;
    let Packet { source, destination, ttl, payload: data, id: number, .. } = packet;
    let udp = udp_mut(node, id);
    if udp.queued > room {
        node.net.dropped += 1;
        return;
    }
    udp.queued += data.len() + OVERHEAD;
    let datagram = ReceivedDatagram { source, destination, ttl, time: now, data, id: number };
    Arc::make_mut(&mut udp.queue).push_back(datagram);
    node.net.get_mut(id).arrivals += 1;
}

/// The next datagram, which stays in the queue if it is only looked at.
pub(crate) fn next(node: &mut Node, id: SocketId, peek: bool) -> Option<ReceivedDatagram> {
    let udp = udp_mut(node, id);
    if peek {
        return udp.queue.front().cloned();
    }
    if udp.queue.is_empty() {
        return None;
    }
    let datagram = Arc::make_mut(&mut udp.queue).pop_front()?;
    udp.queued -= datagram.data.len() + OVERHEAD;
    Some(datagram)
}
