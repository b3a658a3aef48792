//! Requests for connections that a program decides about before they are answered.
//!
//! A socket that listens with the option [`DECIDES`] answers no request by itself. Its program looks at the
//! first one ([`first_request`]), and admits or refuses it ([`decide`]). A refused one is answered as if
//! nobody listened. So a program that stands for another one, such as that of a live node, refuses what the
//! other one does. `POLLPRI` tells that there is a request.
//!
//! With orders to explore, such a request is what the program notices of a connection, and not that its
//! answer was acknowledged.

use std::net::SocketAddr;
use std::sync::Arc;

use everett_net::{Message, MessageKind};
use linux_raw_sys::general::POLLPRI;
use linux_raw_sys::net as linux;
use syscalls::Errno;

use super::listen::{answer, listener, refuse};
use super::{tcp, tcp_mut};
use crate::net::READ;
use crate::state::ids::SocketId;
use crate::state::node::Node;
use crate::state::sockets::message::{Packet, Payload};
use crate::state::sockets::options::DECIDES;
use crate::state::sockets::tcp::TcpPhase;
use crate::state::sockets::{Socket, SocketFamily};

/// The first request that a program is told about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FirstRequest {
    /// One from this address waits for a decision.
    Waits(SocketAddr),
    /// One from this address was admitted, and has come to nothing before the connection was there.
    Departed(SocketAddr),
}

/// Returns true if a program decides about the requests to a socket.
pub(crate) fn is_decided(socket: &Socket) -> bool {
    socket.options.flag(linux::SOL_TCP, DECIDES)
}

/// The first request to a socket whose program decides, if there is one.
pub(crate) fn first_request(socket: &Socket) -> Option<FirstRequest> {
    let SocketFamily::Tcp(tcp) = &socket.family else { return None };
    if !is_decided(socket) {
        return None;
    }
    let departed = tcp.departed.front().copied().map(FirstRequest::Departed);
    departed.or_else(|| tcp.held.front().map(|packet| FirstRequest::Waits(packet.source)))
}

/// A request is to be decided about. One that comes twice is one.
pub(super) fn wait(node: &mut Node, id: SocketId, packet: Packet) {
    let key = (packet.destination, packet.source);
    let known = node.net.table.connections.get(&key).copied();
    let is_known =
        known.is_some_and(|known| tcp(node.net.get(known)).connection == packet.connection);
    let is_same =
        |held: &Packet| (held.source, held.connection) == (packet.source, packet.connection);
    if is_known || tcp(node.net.get(id)).held.iter().any(is_same) {
        return;
    }
    Arc::make_mut(&mut tcp_mut(node, id).held).push_back(packet);
    node.net.get_mut(id).arrivals += 1;
}

/// Admits or refuses the first request that waits.
pub(crate) fn decide(node: &mut Node, id: SocketId, admits: bool) -> Result<(), Errno> {
    if !is_decided(node.net.get(id)) {
        return Err(Errno::ENOPROTOOPT);
    }
    let request = Arc::make_mut(&mut tcp_mut(node, id).held).pop_front().ok_or(Errno::EAGAIN)?;
    if admits {
        answer(node, id, &request);
    } else {
        refuse(node, &request);
    }
    Ok(())
}

/// A connection is forgotten: a program that has admitted it, and that does not have it yet, is told.
pub(super) fn note_departure(node: &mut Node, child: SocketId) {
    let socket = node.net.get(child);
    let (Some(id), Some(from)) = (tcp(socket).listener, socket.remote) else { return };
    let is_admitted = tcp(socket).phase == TcpPhase::Opening;
    let parent = node.net.get(id);
    if is_admitted && is_decided(parent) && parent.is_listening() {
        Arc::make_mut(&mut tcp_mut(node, id).departed).push_back(from);
        node.net.get_mut(id).arrivals += 1;
    }
}

/// The program was told that a request has come to nothing.
pub(crate) fn forget_departure(node: &mut Node, id: SocketId) {
    if let SocketFamily::Tcp(tcp) = &mut node.net.get_mut(id).family
        && !tcp.departed.is_empty()
    {
        Arc::make_mut(&mut tcp.departed).pop_front();
    }
}

/// The events that messages bring to a socket that listens.
pub(crate) fn coming_to(socket: &Socket) -> u32 {
    if is_decided(socket) { POLLPRI } else { READ }
}

/// The socket whose program is asked about a request.
pub(super) fn observer_of_request(node: &Node, message: &Message<Payload>) -> Option<SocketId> {
    if !message.kind.meets(MessageKind::REQUEST) {
        return None;
    }
    let id = listener(&node.net, message.source, message.destination)?;
    is_decided(node.net.get(id)).then_some(id)
}
