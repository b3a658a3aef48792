//! UNIX sockets: streams, datagrams and packets between processes of one host.
//!
//! Two connected sockets hold each other's number; what one sends is put into the other's queue at
//! once. A message keeps what was sent along with it.
//!
//! Not here: path names and system calls (`sys/socket/unix.rs`).

use std::collections::VecDeque;
use std::sync::Arc;

use linux_raw_sys::general::{POLLERR, POLLHUP, POLLRDHUP, POLLWRBAND};
use linux_raw_sys::net as linux;
use syscalls::Errno;

use super::{Family, READ, Socket, SocketId, WRITE};
use crate::file::FileId;
use crate::node::Node;
use crate::sys::io::Data;

/// What a UNIX socket has of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unix {
    /// The socket at the other end; a datagram socket may have one that does not know it.
    pub(crate) peer: Option<SocketId>,
    queue: Arc<VecDeque<Message>>,
    /// Bytes of the first message that were read.
    taken: usize,
    /// Bytes in the queue.
    queued: usize,
}

/// What was sent at once.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) data: Data,
    pub(crate) attached: Attached,
}

/// What is sent along with bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attached {
    /// Open files (`SCM_RIGHTS`), each of them held.
    pub(crate) rights: Vec<FileId>,
}

/// A socket that is not connected.
pub(crate) fn new(kind: u32, protocol: u32) -> Result<Socket, Errno> {
    if protocol != 0 && protocol != linux::AF_UNIX {
        return Err(Errno::EPROTONOSUPPORT);
    }
    let kind = match kind {
        linux::SOCK_STREAM | linux::SOCK_DGRAM | linux::SOCK_SEQPACKET => kind,
        // As on Linux, the same.
        linux::SOCK_RAW => linux::SOCK_DGRAM,
        _ => return Err(Errno::ESOCKTNOSUPPORT),
    };
    Ok(Socket::new(linux::AF_UNIX, kind, 0, Family::Unix(Unix::default())))
}

pub(crate) fn unix(socket: &Socket) -> &Unix {
    match &socket.family {
        Family::Unix(unix) => unix,
        _ => unreachable!("the caller has looked at the family"),
    }
}

pub(crate) fn unix_mut(node: &mut Node, id: SocketId) -> &mut Unix {
    match &mut node.net.get_mut(id).family {
        Family::Unix(unix) => unix,
        _ => unreachable!("the caller has looked at the family"),
    }
}

/// Connects two sockets with each other.
pub(crate) fn join(node: &mut Node, one: SocketId, other: SocketId) {
    unix_mut(node, one).peer = Some(other);
    unix_mut(node, other).peer = Some(one);
}

/// The socket at the other end, as long as it is there.
pub(crate) fn peer(node: &Node, id: SocketId) -> Option<SocketId> {
    unix(node.net.get(id)).peer.filter(|peer| node.net.find(*peer).is_some())
}

/// Whether messages keep their borders.
pub(crate) fn keeps_borders(socket: &Socket) -> bool {
    socket.kind != linux::SOCK_STREAM
}

/// Bytes that a socket may send to another one now.
pub(crate) fn room(node: &Node, from: SocketId, to: SocketId) -> usize {
    let limit = node.net.get(from).options.send_buffer as usize;
    limit.saturating_sub(unix(node.net.get(to)).queued)
}

/// What a socket is ready for.
pub(crate) fn events(node: &Node, id: SocketId) -> u32 {
    let socket = node.net.get(id);
    let own = unix(socket);
    let mut events = 0;
    if socket.error.is_some() {
        events |= POLLERR;
    }
    if socket.shut_in && socket.shut_out {
        events |= POLLHUP;
    }
    if socket.shut_in {
        events |= READ | POLLRDHUP;
    }
    if !own.queue.is_empty() {
        events |= READ;
    }
    let connected = socket.kind != linux::SOCK_DGRAM;
    if connected && own.peer.is_none() {
        events |= POLLHUP;
    }
    let limit = socket.options.send_buffer as usize;
    let writable = peer(node, id).is_none_or(|peer| room(node, id, peer) >= limit / 4 * 3);
    if writable {
        events |= WRITE | POLLWRBAND;
    }
    events
}

/// Bytes that can be read: of a stream all, otherwise those of the next message.
pub(crate) fn readable_bytes(node: &Node, id: SocketId) -> Result<u64, Errno> {
    let socket = node.net.get(id);
    let own = unix(socket);
    if keeps_borders(socket) {
        return Ok(own.queue.front().map_or(0, |message| message.data.len() as u64));
    }
    Ok(own.queued as u64)
}

/// Bytes that were sent and that the other end has not read.
pub(crate) fn unread_by_peer(node: &Node, id: SocketId) -> usize {
    peer(node, id).map_or(0, |peer| unix(node.net.get(peer)).queued)
}

/// Puts a message into the queue of a socket.
pub(crate) fn put(node: &mut Node, to: SocketId, message: Message) {
    let own = unix_mut(node, to);
    own.queued += message.data.len();
    Arc::make_mut(&mut own.queue).push_back(message);
    node.net.get_mut(to).arrivals += 1;
}

/// The next message, without what was read of it.
pub(crate) fn next(node: &Node, id: SocketId) -> Option<Message> {
    let own = unix(node.net.get(id));
    let first = own.queue.front()?;
    let data = first.data.part(own.taken, first.data.len());
    Some(Message { data, attached: first.attached.clone() })
}

/// Takes bytes of the next message out; the message goes with its last byte, or as a whole.
pub(crate) fn consume(node: &mut Node, id: SocketId, bytes: usize, whole: bool) {
    let own = unix_mut(node, id);
    let Some(first) = own.queue.front() else { return };
    let end = own.taken + bytes;
    if whole || end == first.data.len() {
        own.queued -= first.data.len() - own.taken;
        own.taken = 0;
        Arc::make_mut(&mut own.queue).pop_front();
    } else {
        own.queued -= bytes;
        own.taken = end;
        // What came along has been delivered with the first of its bytes.
        if let Some(first) = Arc::make_mut(&mut own.queue).front_mut() {
            first.attached = Attached::default();
        }
    }
    if let Some(peer) = peer(node, id) {
        node.net.get_mut(peer).departures += 1;
    }
}

/// Closes files that nobody took.
pub(crate) fn drop_attached(node: &mut Node, attached: &Attached) {
    for file in &attached.rights {
        node.release_file(*file);
    }
}

/// Ends one direction or both; the other end notices.
pub(crate) fn shutdown(
    node: &mut Node,
    id: SocketId,
    reads: bool,
    writes: bool,
) -> Result<(), Errno> {
    let other = peer(node, id);
    let socket = node.net.get_mut(id);
    socket.shut_in |= reads;
    socket.shut_out |= writes;
    socket.arrivals += 1;
    if let Some(other) = other.filter(|_| socket.kind != linux::SOCK_DGRAM) {
        let socket = node.net.get_mut(other);
        socket.shut_in |= writes;
        socket.shut_out |= reads;
        socket.arrivals += 1;
    }
    Ok(())
}

/// The file of a socket is gone.
pub(crate) fn close(node: &mut Node, id: SocketId) {
    let other = peer(node, id);
    let unread = std::mem::take(&mut unix_mut(node, id).queue);
    let connected = node.net.get(id).kind != linux::SOCK_DGRAM;
    if let Some(other) = other.filter(|_| connected) {
        unix_mut(node, other).peer = None;
        let socket = node.net.get_mut(other);
        (socket.shut_in, socket.shut_out) = (true, true);
        if !unread.is_empty() {
            socket.error = Some(Errno::ECONNRESET);
        }
        socket.arrivals += 1;
        socket.departures += 1;
    }
    for message in unread.iter() {
        drop_attached(node, &message.attached);
    }
    node.net.remove(id);
}
