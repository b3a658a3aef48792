//! Waiting for connections.
//!
//! A request is answered at once, and the connection waits for `accept` when that was acknowledged: not
//! before, as the answer or the acknowledgement may be lost. Until then nobody sees it, it takes no place of
//! the backlog, and it is forgotten without a word. When more wait for `accept` than the backlog allows,
//! Linux drops requests and the other side repeats them; here they are held until there is room, so
//! that they are answered in the order in which they came. So are requests that a program decides about
//! (`decision.rs`). A UNIX socket that other nodes reach (`exposed.rs`) answers requests in the same way.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::Arc;

use everett_net::{MessageKind, Protocol};
use linux_raw_sys::net as linux;
use syscalls::Errno;

use crate::net::tcp::{decision, exposed, reset, tcp, tcp_mut};
use crate::net::{packet, udp, unix};
use crate::state::ids::SocketId;
use crate::state::node::Node;
use crate::state::sockets::message::Packet;
use crate::state::sockets::tcp::{ConnectAnswer, Tcp, TcpPhase};
use crate::state::sockets::unix::{LocalNames, Unix, unnamed_bytes};
use crate::state::sockets::{Net, Socket, SocketFamily};

/// The longest backlog (`net.core.somaxconn`).
const MOST_BACKLOG: u32 = 4096;

/// Lets a socket wait for connections.
pub(crate) fn listen(node: &mut Node, id: SocketId, backlog: u32) -> Result<(), Errno> {
    let now = node.clock.now;
    match tcp(node.net.get(id)).phase {
        TcpPhase::Idle | TcpPhase::Over => {
            let local = node.net.get(id).local;
            if local.port() == 0 {
                node.net.bind(id, local, now)?;
            } else if !node.net.may_listen(id, now) {
                return Err(Errno::EADDRINUSE);
            }
            *tcp_mut(node, id) = Tcp { phase: TcpPhase::Listening, ..Tcp::default() };
        }
        TcpPhase::Listening => {}
        TcpPhase::Connecting | TcpPhase::Opening | TcpPhase::Established => {
            return Err(Errno::EINVAL);
        }
    }
    tcp_mut(node, id).backlog = backlog.min(MOST_BACKLOG);
    admit_held(node, id);
    Ok(())
}

/// The socket that listens where a packet goes. Of several that share the port, which one depends
/// on where the packet comes from.
pub(super) fn listener(net: &Net, from: SocketAddr, to: SocketAddr) -> Option<SocketId> {
    let listening = |id: &&SocketId| net.get(**id).is_listening_stream();
    let bound = net.table.ports.at(Protocol::Tcp, to.port()).iter().filter(listening);
    let exact = bound.clone().filter(|id| net.get(**id).local.ip() == to.ip());
    let any = bound.filter(|id| net.get(**id).is_at(to.ip()));
    for ids in [exact.collect::<Vec<_>>(), any.collect()] {
        if !ids.is_empty() {
            return Some(*ids[udp::spread(from, ids.len())]);
        }
    }
    None
}

/// Somebody asks for a connection.
pub(super) fn requested(node: &mut Node, packet: Packet) {
    let bound = listener(&node.net, packet.source, packet.destination);
    let Some(id) = bound.or_else(|| exposed::listener(node, packet.destination)) else {
        refuse(node, &packet);
        return;
    };
    if decision::is_decided(node.net.get(id)) {
        decision::wait(node, id, packet);
    } else if is_full(node.net.get(id)) {
        Arc::make_mut(queues(node, id).held).push_back(packet);
    } else {
        answer(node, id, &packet);
    }
}

pub(super) fn refuse(node: &mut Node, packet: &Packet) {
    let status = Errno::ECONNREFUSED.into_raw().unsigned_abs();
    packet::reply(node, packet.answer(MessageKind::REPLY, status));
}

/// One more than the backlog may wait, as on Linux.
fn is_full(socket: &Socket) -> bool {
    match &socket.family {
        SocketFamily::Tcp(tcp) => tcp.waiting.len() > tcp.backlog as usize,
        SocketFamily::Unix(unix) => unix.is_full(),
        SocketFamily::Udp(_) | SocketFamily::Icmp(_) | SocketFamily::Netlink(_) => {
            unreachable!("only streams listen")
        }
    }
}

/// Those who want to be connected to a socket that listens.
struct ListenQueues<'n> {
    /// Connections that can be accepted.
    waiting: &'n mut Arc<VecDeque<SocketId>>,
    /// Requests that were not answered yet.
    held: &'n mut Arc<VecDeque<Packet>>,
}

fn queues(node: &mut Node, id: SocketId) -> ListenQueues<'_> {
    match &mut node.net.get_mut(id).family {
        SocketFamily::Tcp(Tcp { waiting, held, .. })
        | SocketFamily::Unix(Unix { waiting, held, .. }) => ListenQueues { waiting, held },
        SocketFamily::Udp(_) | SocketFamily::Icmp(_) | SocketFamily::Netlink(_) => {
            unreachable!("only streams listen")
        }
    }
}

/// Answers a request: the connection is there once that is acknowledged.
pub(super) fn answer(node: &mut Node, id: SocketId, packet: &Packet) {
    let key = (packet.destination, packet.source);
    if let Some(old) = node.net.table.connections.get(&key).copied() {
        if tcp(node.net.get(old)).connection == packet.connection {
            // A request that comes twice.
            return;
        }
        // The other side knows nothing of the old connection: it has crashed since.
        super::closed(node, old, Errno::ECONNRESET.into_raw().unsigned_abs());
    }
    let parent = node.net.get(id);
    let local_names = match &parent.family {
        SocketFamily::Unix(_) => {
            let own = unix::name_bytes(node, id);
            Some(Arc::new(LocalNames { own, other: unnamed_bytes() }))
        }
        SocketFamily::Tcp(_)
        | SocketFamily::Udp(_)
        | SocketFamily::Icmp(_)
        | SocketFamily::Netlink(_) => None,
    };
    let state = Tcp {
        phase: TcpPhase::Opening,
        told: ConnectAnswer::Connected,
        listener: Some(id),
        connection: packet.connection,
        window: packet.credit as usize,
        local_names,
        ..Tcp::default()
    };
    let mut child =
        Socket::new(parent.domain, parent.kind, parent.protocol, SocketFamily::Tcp(state));
    child.owner = parent.owner;
    child.options = parent.options.clone();
    child.local = packet.destination;
    child.remote = Some(packet.source);
    child.interface = node.net.scope_of(packet.destination.ip());
    // It shares the port of the one that listens, and gives it up when it is closed.
    child.chose_port = true;
    child.chose_address = true;
    let credit = child.options.receive_buffer;
    let child = node.net.add(child);
    node.net.table.ports.add(Protocol::Tcp, packet.destination.port(), child);
    Arc::make_mut(&mut node.net.table.connections).insert(key, child);
    let answer = packet.answer(MessageKind::REPLY, 0);
    packet::reply(node, Packet { credit, ..answer });
}

/// The answer to a request was acknowledged. The connection can be accepted, unless it is to wait for its
/// first bytes (`TCP_DEFER_ACCEPT`).
pub(super) fn acknowledged(node: &mut Node, child: SocketId) {
    let Tcp { phase: TcpPhase::Opening, listener: Some(id), .. } = *tcp(node.net.get(child)) else {
        return;
    };
    tcp_mut(node, child).phase = TcpPhase::Established;
    if !node.net.get(id).options.flag(linux::SOL_TCP, linux::TCP_DEFER_ACCEPT) {
        enqueue(node, child);
    }
}

/// A connection can be accepted; one that was not accepted yet has got its first bytes, or their end.
pub(super) fn enqueue(node: &mut Node, child: SocketId) {
    if let Some(id) = tcp_mut(node, child).listener.take() {
        Arc::make_mut(queues(node, id).waiting).push_back(child);
        node.net.get_mut(id).arrivals += 1;
    }
}

/// Answers requests that were held up, as far as there is room.
pub(crate) fn admit_held(node: &mut Node, id: SocketId) {
    if decision::is_decided(node.net.get(id)) {
        return;
    }
    while !is_full(node.net.get(id)) && !queues(node, id).held.is_empty() {
        let packet = Arc::make_mut(queues(node, id).held).pop_front();
        if let Some(packet) = packet {
            answer(node, id, &packet);
        }
    }
}

/// Takes the connection that has waited longest.
pub(crate) fn accept(node: &mut Node, id: SocketId) -> Option<SocketId> {
    if tcp(node.net.get(id)).waiting.is_empty() {
        return None;
    }
    let child = Arc::make_mut(&mut tcp_mut(node, id).waiting).pop_front();
    admit_held(node, id);
    child
}

/// A socket no longer listens.
pub(super) fn end(node: &mut Node, id: SocketId) {
    let tcp = tcp_mut(node, id);
    tcp.phase = TcpPhase::Idle;
    tcp.departed = Arc::default();
    dismiss(node, id);
}

/// Connections to a socket that nobody accepted are broken off, and those that were not acknowledged are
/// forgotten. Those of UNIX sockets within the node stay.
pub(crate) fn dismiss(node: &mut Node, id: SocketId) {
    let ListenQueues { waiting, held } = queues(node, id);
    let (waiting, held) = (std::mem::take(waiting), std::mem::take(held));
    let is_tcp = |child: &SocketId| matches!(node.net.get(*child).family, SocketFamily::Tcp(_));
    let (waiting, stay): (VecDeque<SocketId>, VecDeque<SocketId>) =
        waiting.iter().copied().partition(is_tcp);
    *queues(node, id).waiting = Arc::new(stay);
    let is_early = |socket: &Socket| match &socket.family {
        SocketFamily::Tcp(tcp) => tcp.listener == Some(id),
        _ => false,
    };
    let early = node.net.table.sockets.iter().filter(|(_, socket)| is_early(socket));
    let early: Vec<SocketId> = early.map(|(number, _)| SocketId(number as u32)).collect();
    for child in waiting.iter().copied().chain(early) {
        if super::tcp(node.net.get(child)).phase == TcpPhase::Established {
            reset(node, child);
        }
        super::abandon(node, child);
    }
    for packet in held.iter() {
        refuse(node, packet);
    }
}
