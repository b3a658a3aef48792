//! Questions to a socket of any family: each asks the file of its own.

use syscalls::Errno;

use crate::net::{datagram, netlink, tcp, unix};
use crate::state::file::OpenFile;
use crate::state::ids::{SocketId, Time};
use crate::state::node::Node;
use crate::state::sockets::{SocketFamily, socket_of};

/// The events that a socket is ready for.
pub(crate) fn events(node: &Node, id: SocketId) -> u32 {
    match &node.net.get(id).family {
        SocketFamily::Udp(_) | SocketFamily::Icmp(_) => datagram::events(node, id),
        SocketFamily::Tcp(_) => tcp::events(node, id),
        SocketFamily::Unix(_) => unix::events(node, id),
        SocketFamily::Netlink(_) => netlink::events(node, id),
    }
}

/// The error with which a socket fails by itself, if its time has come.
pub(crate) fn failure_due(node: &Node, id: SocketId) -> Option<Errno> {
    let socket = node.net.get(id);
    match &socket.family {
        SocketFamily::Udp(udp) | SocketFamily::Icmp(udp) => udp.failure_due(node.clock.now),
        SocketFamily::Tcp(_) => tcp::failure_due(socket, node.clock.now),
        SocketFamily::Unix(_) | SocketFamily::Netlink(_) => None,
    }
}

/// The error that `SO_ERROR` tells.
pub(crate) fn pending_error(node: &Node, id: SocketId) -> Option<Errno> {
    node.net.get(id).error.or_else(|| failure_due(node, id))
}

/// The number of times that it became ready for reading and for writing.
pub(crate) fn edges(node: &Node, id: SocketId) -> [u64; 2] {
    let socket = node.net.get(id);
    // One that fails by itself is an edge, too.
    let failed = u64::from(failure_due(node, id).is_some());
    let later = match &socket.family {
        SocketFamily::Udp(udp) | SocketFamily::Icmp(udp) => {
            udp.later(node.clock.now).count() as u64
        }
        SocketFamily::Tcp(_) | SocketFamily::Unix(_) | SocketFamily::Netlink(_) => 0,
    };
    [socket.arrivals + failed - later, socket.departures + failed]
}

/// The time at which a socket will be ready by itself, if it will.
pub(crate) fn next_event(node: &Node, id: SocketId) -> Option<Time> {
    match &node.net.get(id).family {
        SocketFamily::Udp(udp) | SocketFamily::Icmp(udp) => udp.next_event(node.clock.now),
        SocketFamily::Tcp(tcp) => tcp.fails_at(),
        SocketFamily::Unix(_) | SocketFamily::Netlink(_) => None,
    }
    .filter(|time| *time > node.clock.now)
}

/// Bytes that can be read, as `FIONREAD` tells.
pub(crate) fn readable_bytes(node: &Node, id: SocketId) -> Result<u64, Errno> {
    match &node.net.get(id).family {
        SocketFamily::Udp(udp) | SocketFamily::Icmp(udp) => Ok(udp.next_len(node.clock.now)),
        SocketFamily::Tcp(tcp) if tcp.is_listening() => Err(Errno::EINVAL),
        SocketFamily::Tcp(tcp) => Ok(tcp.readable() as u64),
        SocketFamily::Unix(_) => unix::readable_bytes(node, id),
        SocketFamily::Netlink(_) => Ok(netlink::readable_bytes(node, id)),
    }
}

/// An open file is gone: if it was a socket, the other end may notice.
pub(crate) fn closed(node: &mut Node, file: &OpenFile) {
    let Some(id) = socket_of(file) else { return };
    node.receive_pending_at(id);
    node.net.get_mut(id).file = None;
    match &node.net.get(id).family {
        SocketFamily::Udp(_) | SocketFamily::Icmp(_) | SocketFamily::Netlink(_) => {
            node.net.remove(id);
        }
        SocketFamily::Tcp(_) => tcp::close(node, id),
        SocketFamily::Unix(unix) => {
            if unix.is_listening() {
                tcp::dismiss(node, id);
            }
            unix::close(node, id);
        }
    }
}
