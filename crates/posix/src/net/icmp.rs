//! ICMP: echo requests and their answers, and what comes back when a packet does not get through.
//!
//! Sockets of ICMP are *raw*, and then see every message of ICMP that arrives, or made for `ping`: those send
//! echo requests and see the answers to their own. The kernel of a host answers each request. A message has
//! the bytes that it has on a real network, from its type on, all of which are known.
//!
//! Nobody sends a message when a packet does not get through: the sender's own kernel finds out along the
//! way ([`Route::report`]), and makes the message that a router, or it itself, would have sent. What is
//! quoted of a packet of UDP there is its header alone.
//!
//! Not here: the queues of sockets (`datagram.rs`); system calls (`sys/socket`).

use std::net::{IpAddr, SocketAddr};

use everett_net::{DEFAULT_TTL, Message, MessageKind, Protocol};
use linux_raw_sys::net as linux;
use syscalls::Errno;

use super::datagram::PacketOrigin;
use super::route::{ReportedLoss, Route};
use crate::net::datagram;
use crate::state::data::ByteData;
use crate::state::ids::{SocketId, Time};
use crate::state::node::Node;
use crate::state::sockets::datagram::WITHIN_NODE;
use crate::state::sockets::message::{Packet, Payload};
use crate::state::sockets::{Net, Socket, SocketFamily};

/// The protocol's number in packets of IPv6; that in packets of IPv4 is `IPPROTO_ICMP`.
pub(crate) const PROTOCOL6: u32 = 58;
pub(crate) const PROTOCOL4: u32 = 1;
/// Bytes of the header of a message.
pub(crate) const HEADER_BYTES: usize = 8;
/// Options of raw sockets: the types that one does not want, at the levels of both versions.
pub(crate) const FILTER: u32 = 1;
pub(crate) const FILTER6_WORDS: u32 = 8;
/// The most bytes of a packet that a message about it quotes.
const MOST_QUOTED: usize = 548;
const IPV4_HEADER_BYTES: usize = 20;
const UDP_HEADER_BYTES: usize = 8;
const UDP_NUMBER: u8 = 17;

/// The numbers of messages, which differ between the versions.
struct MessageTypes {
    echo: u8,
    reply: u8,
    unreachable: u8,
    /// Codes of what is unreachable: the network, the host, the port.
    network: u8,
    host: u8,
    port: u8,
    exceeded: u8,
}

const TYPES4: MessageTypes =
    MessageTypes { echo: 8, reply: 0, unreachable: 3, network: 0, host: 1, port: 3, exceeded: 11 };
const TYPES6: MessageTypes = MessageTypes {
    echo: 128,
    reply: 129,
    unreachable: 1,
    network: 0,
    host: 3,
    port: 4,
    exceeded: 3,
};

fn types(address: IpAddr) -> &'static MessageTypes {
    if address.is_ipv4() { &TYPES4 } else { &TYPES6 }
}

/// Returns true if a type and code are those of an echo request in the family of an address.
pub(crate) fn is_echo(address: IpAddr, kind: u8, code: u8) -> bool {
    kind == types(address).echo && code == 0
}

// ---- bytes ---------------------------------------------------------------------------------

/// The checksum of bytes (RFC 1071): 0 if they hold one that is right.
fn folded(parts: &[&[u8]]) -> u16 {
    let mut sum: u64 = 0;
    for part in parts {
        for pair in part.chunks(2) {
            sum += u64::from(u16::from_be_bytes([pair[0], pair.get(1).copied().unwrap_or(0)]));
        }
    }
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    !(sum as u16)
}

/// The checksum of a message, which counts the addresses of IPv6.
fn checksum(source: IpAddr, destination: IpAddr, bytes: &[u8]) -> u16 {
    match (source, destination) {
        (IpAddr::V6(source), IpAddr::V6(destination)) => {
            let len = (bytes.len() as u32).to_be_bytes();
            let end = PROTOCOL6.to_be_bytes();
            folded(&[&source.octets(), &destination.octets(), &len, &end, bytes])
        }
        _ => folded(&[bytes]),
    }
}

/// Fills in the checksum of a message.
fn sign(source: IpAddr, destination: IpAddr, bytes: &mut [u8]) {
    bytes[2..4].fill(0);
    let sum = checksum(source, destination, bytes);
    bytes[2..4].copy_from_slice(&sum.to_be_bytes());
}

/// The header of a packet of IPv4, or of IPv6, that carries so many bytes of a protocol.
fn ip_header(packet: &Packet, protocol: u8, carried: usize) -> Vec<u8> {
    match (packet.source.ip(), packet.destination.ip()) {
        (IpAddr::V4(source), IpAddr::V4(destination)) => {
            let len = (IPV4_HEADER_BYTES + carried) as u16;
            let mut header = vec![0x45, 0];
            header.extend_from_slice(&len.to_be_bytes());
            header.extend_from_slice(&(packet.id as u16).to_be_bytes());
            // It is never cut into pieces.
            header.extend_from_slice(&[0x40, 0, packet.ttl, protocol, 0, 0]);
            header.extend_from_slice(&source.octets());
            header.extend_from_slice(&destination.octets());
            let sum = folded(&[&header]);
            header[10..12].copy_from_slice(&sum.to_be_bytes());
            header
        }
        (source, destination) => {
            let octets = |address: IpAddr| match address {
                IpAddr::V6(address) => address.octets(),
                IpAddr::V4(address) => address.to_ipv6_mapped().octets(),
            };
            let mut header = vec![0x60, 0, 0, 0];
            header.extend_from_slice(&(carried as u16).to_be_bytes());
            header.extend_from_slice(&[protocol, packet.ttl]);
            header.extend_from_slice(&octets(source));
            header.extend_from_slice(&octets(destination));
            header
        }
    }
}

fn known(packet: &Packet) -> Option<&[u8]> {
    match &packet.payload {
        ByteData::Known(bytes) => Some(bytes),
        ByteData::Mixed(_) => None,
    }
}

// ---- sending -------------------------------------------------------------------------------

/// Returns true if a socket is one for `ping`.
pub(crate) fn is_ping(socket: &Socket) -> bool {
    socket.kind == linux::SOCK_DGRAM
}

/// A message that a socket sends, and its way. The kernel fills in the number of a socket for `ping`, and the
/// checksum except of a raw socket of IPv4.
pub(crate) fn prepare(
    node: &mut Node,
    id: SocketId,
    to: SocketAddr,
    origin: PacketOrigin,
    mut bytes: Vec<u8>,
) -> Result<(Packet, Route), Errno> {
    let to = SocketAddr::new(datagram::or_loopback(to).ip(), 0);
    let (route, source) = datagram::departure(node, id, to, origin, bytes.len())?;
    let is_ping = is_ping(node.net.get(id));
    if is_ping {
        bytes[4..6].copy_from_slice(&source.port().to_be_bytes());
    }
    if is_ping || to.is_ipv6() && bytes.len() >= 4 {
        sign(source.ip(), to.ip(), &mut bytes);
    }
    let ttl = node.net.get(id).options.hops(to.ip());
    let packet = Packet { ttl, ..message(source.ip(), to.ip(), bytes) };
    Ok((numbered(node, packet), route))
}

fn message(source: IpAddr, destination: IpAddr, bytes: Vec<u8>) -> Packet {
    let (source, destination) = (SocketAddr::new(source, 0), SocketAddr::new(destination, 0));
    let packet = Packet::new(MessageKind::DATA, Protocol::Icmp, source, destination);
    Packet { payload: ByteData::Known(bytes.into()), ..packet }
}

/// A message with its number among the datagrams of its host.
fn numbered(node: &mut Node, packet: Packet) -> Packet {
    node.net.datagrams += 1;
    Packet { id: node.net.datagrams | WITHIN_NODE, ..packet }
}

/// A packet does not get through: raw sockets see the message about it that comes back. Those about packets
/// of TCP are not made.
pub(super) fn note_loss(node: &mut Node, packet: &Packet, route: &Route) {
    if !matches!(packet.protocol, Protocol::Udp | Protocol::Icmp) {
        return;
    }
    let (Some(report), Some((after, _))) = (&route.report, route.lost) else { return };
    let back = packet.source.ip();
    let types = types(back);
    let answer = match report.loss {
        // A router runs no program, but its kernel answers.
        ReportedLoss::AtRouter if packet.protocol == Protocol::Icmp => reply_to(packet),
        ReportedLoss::AtRouter => Some(about(packet, report.by, types.unreachable, types.port)),
        ReportedLoss::Network => Some(about(packet, report.by, types.unreachable, types.network)),
        ReportedLoss::Host => Some(about(packet, report.by, types.unreachable, types.host)),
        ReportedLoss::Hops => Some(about(packet, report.by, types.exceeded, 0)),
    };
    if let Some(answer) = answer {
        let at = node.clock.now.saturating_add(after);
        deliver(node, &answer, at);
    }
}

/// A datagram has come to a port of its receiver where nobody is: raw sockets see the message that says so.
pub(super) fn note_refusal(node: &mut Node, refusal: &Packet) {
    let to = refusal.source;
    let datagram = Packet::new(MessageKind::DATA, Protocol::Udp, refusal.destination, to);
    let types = types(to.ip());
    // How long the datagram was is in the refusal.
    let answer = about_datagram(
        &datagram,
        refusal.credit as usize,
        to.ip(),
        (types.unreachable, types.port),
    );
    let now = node.clock.now;
    deliver(node, &Packet { ttl: refusal.ttl, ..answer }, now);
}

/// The message about a packet that its sender gets from somebody.
fn about(packet: &Packet, by: IpAddr, kind: u8, code: u8) -> Packet {
    match (packet.protocol, known(packet)) {
        (Protocol::Icmp, Some(bytes)) => {
            let number = if packet.source.is_ipv4() { PROTOCOL4 } else { PROTOCOL6 };
            let quoted = ip_header(packet, number as u8, bytes.len());
            let quoted = [&quoted[..], bytes].concat();
            quoting(packet, by, (kind, code), &quoted)
        }
        _ => about_datagram(packet, packet.payload.len(), by, (kind, code)),
    }
}

/// The message about a datagram of UDP of some length.
fn about_datagram(packet: &Packet, len: usize, by: IpAddr, kind: (u8, u8)) -> Packet {
    let len = UDP_HEADER_BYTES + len;
    let mut quoted = ip_header(packet, UDP_NUMBER, len);
    quoted.extend_from_slice(&packet.source.port().to_be_bytes());
    quoted.extend_from_slice(&packet.destination.port().to_be_bytes());
    quoted.extend_from_slice(&(len as u16).to_be_bytes());
    // Without a checksum.
    quoted.extend_from_slice(&[0, 0]);
    quoting(packet, by, kind, &quoted)
}

fn quoting(packet: &Packet, by: IpAddr, (kind, code): (u8, u8), quoted: &[u8]) -> Packet {
    let mut bytes = vec![kind, code, 0, 0, 0, 0, 0, 0];
    bytes.extend_from_slice(&quoted[..quoted.len().min(MOST_QUOTED)]);
    let to = packet.source.ip();
    sign(by, to, &mut bytes);
    message(by, to, bytes)
}

// ---- receiving -----------------------------------------------------------------------------

/// A message has arrived. Returns the answer of the kernel, if it has one.
pub(super) fn receive(node: &mut Node, packet: &Packet) -> Option<Packet> {
    let now = node.clock.now;
    deliver(node, packet, now);
    let to = packet.destination.ip();
    let mut answer = reply_to(packet).filter(|_| is_answered(&node.net, to))?;
    if to.is_multicast() {
        let route = node.net.route(packet.source.ip(), DEFAULT_TTL).ok()?;
        let bytes = known(&answer).unwrap_or_default().to_vec();
        answer = message(route.source, packet.source.ip(), bytes);
        resign(&mut answer);
    }
    Some(numbered(node, answer))
}

/// Returns true if the kernel answers requests to an address: not to all hosts of IPv4, as on Linux.
fn is_answered(net: &Net, to: IpAddr) -> bool {
    match to.is_multicast() {
        true => to.is_ipv6() && datagram::is_member(net, to),
        false => !net.is_broadcast(to),
    }
}

/// The answer to an echo request, unless the message is none, or damaged.
fn reply_to(packet: &Packet) -> Option<Packet> {
    let bytes = known(packet)?;
    let (own, peer) = (packet.destination.ip(), packet.source.ip());
    let is_request = bytes.len() >= HEADER_BYTES && is_echo(own, bytes[0], bytes[1]);
    if !is_request || checksum(peer, own, bytes) != 0 {
        return None;
    }
    let mut bytes = bytes.to_vec();
    bytes[0] = types(own).reply;
    let mut answer = message(own, peer, bytes);
    resign(&mut answer);
    Some(answer)
}

/// Fills in the checksum of a message with the addresses that it has.
fn resign(packet: &mut Packet) {
    let mut bytes = known(packet).unwrap_or_default().to_vec();
    sign(packet.source.ip(), packet.destination.ip(), &mut bytes);
    packet.payload = ByteData::Known(bytes.into());
}

/// Puts a message into the queues of all sockets that see it, where it is from a time on.
fn deliver(node: &mut Node, packet: &Packet, at: Time) {
    for id in receivers(&node.net, packet) {
        let is_raw = !is_ping(node.net.get(id));
        let mut seen = packet.clone();
        if is_raw && packet.destination.is_ipv4() {
            // Raw sockets of IPv4 see the packet with its header.
            let mut whole = ip_header(packet, PROTOCOL4 as u8, packet.payload.len());
            whole.extend_from_slice(known(packet).unwrap_or_default());
            seen.payload = ByteData::Known(whole.into());
        }
        datagram::queue(node, id, seen, at);
    }
}

/// The sockets that see a message.
fn receivers(net: &Net, packet: &Packet) -> Vec<SocketId> {
    let bytes = known(packet).unwrap_or_default();
    let all = net.table.sockets.iter().map(|(number, socket)| (SocketId(number as u32), socket));
    all.filter(|(_, socket)| sees(net, socket, packet, bytes)).map(|(id, _)| id).collect()
}

fn sees(net: &Net, socket: &Socket, packet: &Packet, bytes: &[u8]) -> bool {
    let (from, to) = (packet.source.ip(), packet.destination.ip());
    let domain = if to.is_ipv4() { linux::AF_INET } else { linux::AF_INET6 };
    let is_icmp = matches!(socket.family, SocketFamily::Icmp(_));
    if !is_icmp || socket.domain != domain || !socket.is_at(to) {
        return false;
    }
    if socket.remote.is_some_and(|remote| remote.ip() != from)
        || !datagram::comes_by_its_interface(net, socket, packet)
        || to.is_multicast() && !datagram::gets_group(net, socket, to)
    {
        return false;
    }
    let is_whole = checksum(from, to, bytes) == 0;
    match bytes {
        _ if !is_ping(socket) && to.is_ipv4() => {
            bytes.first().is_some_and(|kind| !filters(socket, *kind))
        }
        [kind, ..] if !is_ping(socket) => is_whole && !filters(socket, *kind),
        [kind, 0, _, _, high, low, ..] => {
            let number = u16::from_be_bytes([*high, *low]);
            *kind == types(to).reply && number == socket.local.port() && is_whole
        }
        _ => false,
    }
}

/// Returns true if a raw socket does not want messages of a type.
fn filters(socket: &Socket, kind: u8) -> bool {
    let (word, bit) = (u32::from(kind) / 32, u32::from(kind) % 32);
    let is_ipv4 = socket.domain == linux::AF_INET;
    (!is_ipv4 || word == 0) && filter_word(socket, word) >> bit & 1 != 0
}

/// A word of the filter of a raw socket.
pub(crate) fn filter_word(socket: &Socket, word: u32) -> u32 {
    socket.options.number(filter_level(socket), FILTER + word).cast_unsigned()
}

/// The level of the option for the filter.
pub(crate) fn filter_level(socket: &Socket) -> u32 {
    /// `SOL_RAW` and `SOL_ICMPV6`.
    const LEVELS: [u32; 2] = [255, 58];
    LEVELS[usize::from(socket.domain == linux::AF_INET6)]
}

fn packet_of(message: &Message<Payload>) -> Option<Packet> {
    let is_meant = message.protocol == Protocol::Icmp;
    is_meant.then(|| message.with_payload(ByteData::from(&message.payload)))
}

/// Returns true if a message does something at its receiver.
pub(crate) fn is_awaited(node: &Node, message: &Message<Payload>) -> bool {
    let Some(packet) = packet_of(message) else { return false };
    let to = packet.destination.ip();
    reply_to(&packet).is_some() && is_answered(&node.net, to)
        || receivers(&node.net, &packet).into_iter().any(|id| datagram::has_room(node, id))
}

/// The socket at which a program notices a message, if it is one alone and the kernel has nothing to answer.
pub(crate) fn observer_of(node: &Node, message: &Message<Payload>) -> Option<SocketId> {
    let packet = packet_of(message)?;
    if reply_to(&packet).is_some() {
        return None;
    }
    let all = receivers(&node.net, &packet);
    if let [one] = all[..] { Some(one) } else { None }
}
