//! UDP: datagrams, each of which arrives whole or not at all.
//!
//! Not here: the queues of sockets, and what they may send (`datagram.rs`).

use std::net::{IpAddr, SocketAddr};

use everett_net::{Message, MessageKind, Protocol};
use linux_raw_sys::net as linux;
use syscalls::Errno;

use super::datagram::{
    PacketOrigin, comes_by_its_interface, departure, gets_group, has_room, or_loopback, queue,
    tells_errors, udp, udp_mut,
};
use crate::net::packet;
use crate::state::data::ByteData;
use crate::state::ids::SocketId;
use crate::state::node::Node;
use crate::state::sockets::datagram::WITHIN_NODE;
use crate::state::sockets::message::{Packet, Payload};
use crate::state::sockets::{Net, Socket};

/// The most that a datagram carries.
pub(crate) const MOST_BYTES: usize = 65507;

/// The datagram that is not complete yet, and where it goes.
pub(crate) fn corked(node: &Node, id: SocketId) -> Option<(SocketAddr, ByteData)> {
    udp(node.net.get(id)).corked.clone()
}

/// Keeps a datagram until the rest of it comes, or forgets it.
pub(crate) fn cork(node: &mut Node, id: SocketId, datagram: Option<(SocketAddr, ByteData)>) {
    udp_mut(node, id).corked = datagram;
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
    let (route, source) = departure(node, id, to, origin, data.len())?;
    let ttl = node.net.get(id).options.hops(to.ip());
    let packet = Packet::new(MessageKind::DATA, Protocol::Udp, source, to);
    node.net.datagrams += 1;
    // What stays here is not numbered as a message.
    let number = node.net.datagrams | WITHIN_NODE;
    let packet = Packet { ttl, payload: data, id: number, ..packet };
    packet::send(node, packet, &route);
    Ok(())
}

/// A packet has arrived.
pub(crate) fn receive(node: &mut Node, packet: Packet) {
    if packet.kind.meets(MessageKind::CLOSE) {
        refused(&mut node.net, &packet);
        return;
    }
    let (to, now) = (packet.destination.ip(), node.clock.now);
    let many = to.is_multicast() || node.net.is_broadcast(to);
    if !many {
        match receiver(&node.net, &packet) {
            Some(id) => queue(node, id, packet, now),
            None => {
                let status = Errno::ECONNREFUSED.into_raw().unsigned_abs();
                // Its sender may have to say how long it was.
                let credit = packet.payload.len() as u32;
                let refusal = packet.answer(MessageKind::CLOSE, status);
                packet::reply(node, Packet { credit, ..refusal });
            }
        }
        return;
    }
    for id in receivers(&node.net, &packet) {
        queue(node, id, packet.clone(), now);
    }
}

/// Returns true if a datagram would get into the queue of some socket.
pub(crate) fn is_awaited(node: &Node, source: SocketAddr, destination: SocketAddr) -> bool {
    let packet = Packet::new(MessageKind::DATA, Protocol::Udp, source, destination);
    let to = destination.ip();
    if to.is_multicast() || node.net.is_broadcast(to) {
        return receivers(&node.net, &packet).into_iter().any(|id| has_room(node, id));
    }
    receiver(&node.net, &packet).is_some_and(|id| has_room(node, id))
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
fn score(net: &Net, socket: &Socket, packet: &Packet) -> Option<u32> {
    let to = packet.destination.ip();
    if !socket.is_at(to) || !comes_by_its_interface(net, socket, packet) {
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
    let scored = bound.iter().filter_map(|id| Some((score(net, net.get(*id), packet)?, *id)));
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
        socket.is_at(to)
            && socket.remote.is_none_or(|remote| remote == packet.source)
            && comes_by_its_interface(net, socket, packet)
    });
    if !to.is_multicast() {
        return matching.collect();
    }
    matching.filter(|id| gets_group(net, net.get(*id), to)).collect()
}
