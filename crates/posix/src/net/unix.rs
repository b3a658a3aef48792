//! UNIX sockets: streams, datagrams and packets between processes of one host.
//!
//! Two connected sockets hold each other's number; what one sends is put into the other's queue at
//! once. A message keeps who sent it and what was sent along with it. Sockets are found by their
//! [`UnixName`]: the inode of a path name, or a name of its own kind.
//!
//! Not here: looking up path names, and system calls (`sys/socket/unix.rs`).
//! Invariant: a message in a queue holds a reference to each open file that it carries.

use std::sync::Arc;

use everett_fs::InodeId;
use linux_raw_sys::general::{POLLERR, POLLHUP, POLLRDHUP, POLLWRBAND};
use linux_raw_sys::net as linux;
use syscalls::Errno;

use crate::net::{READ, WRITE};
use crate::state::ids::SocketId;
use crate::state::node::Node;
use crate::state::sockets::unix::{
    AncillaryData, PeerCredentials, Unix, UnixMessage, UnixName, unnamed_bytes,
};
use crate::state::sockets::{Socket, SocketFamily};

/// The cost of a message in a queue beside its bytes, where messages keep their borders.
const OVERHEAD: usize = 512;
/// Datagrams from sockets that it is not connected to that may wait in a queue, less one.
const MOST_DATAGRAMS: usize = 10;
/// The longest backlog.
const MOST_BACKLOG: u32 = 4096;

impl PeerCredentials {
    /// Those of the running process.
    pub(crate) fn own(node: &Node) -> PeerCredentials {
        let ids = &node.process().ids;
        let pid = node.volatile.running.0.0;
        PeerCredentials { pid, uid: ids.effective_uid, gid: ids.effective_gid }
    }
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
    Ok(Socket::new(linux::AF_UNIX, kind, 0, SocketFamily::Unix(Unix::default())))
}

pub(crate) fn unix(socket: &Socket) -> &Unix {
    match &socket.family {
        SocketFamily::Unix(unix) => unix,
        _ => unreachable!("the caller has looked at the family"),
    }
}

pub(crate) fn unix_mut(node: &mut Node, id: SocketId) -> &mut Unix {
    match &mut node.net.get_mut(id).family {
        SocketFamily::Unix(unix) => unix,
        _ => unreachable!("the caller has looked at the family"),
    }
}

// ---- names ---------------------------------------------------------------------------------

/// The socket that is bound to a file.
pub(crate) fn at_file(node: &Node, inode: InodeId) -> Option<SocketId> {
    node.net.table.names.files.get(&inode).copied()
}

/// The socket with a name that is none of a file.
pub(crate) fn at_name(node: &Node, name: &[u8]) -> Option<SocketId> {
    node.net.table.names.others.get(name).copied()
}

/// Gives a socket a name that nobody else has.
pub(crate) fn set_name(node: &mut Node, id: SocketId, name: UnixName) -> Result<(), Errno> {
    let names = &mut node.net.table.names;
    match &name {
        UnixName::Path { inode, .. } => {
            Arc::make_mut(&mut names.files).insert(*inode, id);
            node.disk.fs.hold(*inode);
        }
        UnixName::Abstract(text) if names.others.contains_key(text) => {
            return Err(Errno::EADDRINUSE);
        }
        UnixName::Abstract(text) => {
            Arc::make_mut(&mut names.others).insert(text.clone(), id);
        }
    }
    unix_mut(node, id).name = Some(Arc::new(name));
    Ok(())
}

/// Gives a socket a free name, unless it has one.
pub(crate) fn name_if_needed(node: &mut Node, id: SocketId) -> Result<(), Errno> {
    const MOST: u32 = 0x10_0000;
    if unix(node.net.get(id)).name.is_some() {
        return Ok(());
    }
    for _ in 0..MOST {
        let number = node.net.table.names.given % MOST;
        node.net.table.names.given = number + 1;
        let text = format!("{number:05x}").into_bytes();
        if at_name(node, &text).is_none() {
            return set_name(node, id, UnixName::Abstract(text));
        }
    }
    Err(Errno::ENOSPC)
}

/// Gives the name of a socket up.
pub(crate) fn forget_name(node: &mut Node, id: SocketId) {
    // One that was accepted has the name of the one that listens, which stays there.
    match unix(node.net.get(id)).name.as_deref() {
        Some(UnixName::Path { inode, .. }) if at_file(node, *inode) == Some(id) => {
            let inode = *inode;
            Arc::make_mut(&mut node.net.table.names.files).remove(&inode);
            node.disk.fs.release(inode);
        }
        Some(UnixName::Abstract(text)) if at_name(node, text) == Some(id) => {
            let text = text.clone();
            Arc::make_mut(&mut node.net.table.names.others).remove(&text);
        }
        _ => {}
    }
}

/// The name of a socket as the program sees it; the family alone if it has none.
pub(crate) fn name_bytes(node: &Node, id: SocketId) -> Vec<u8> {
    shown(unix(node.net.get(id)).name.as_deref())
}

/// The name that the other end had when they were connected.
pub(crate) fn peer_name_bytes(node: &Node, id: SocketId) -> Result<Vec<u8>, Errno> {
    let own = unix(node.net.get(id));
    own.peer.ok_or(Errno::ENOTCONN)?;
    Ok(shown(own.peer_name.as_deref()))
}

fn shown(name: Option<&UnixName>) -> Vec<u8> {
    name.map_or_else(unnamed_bytes, UnixName::to_bytes)
}

// ---- connecting ----------------------------------------------------------------------------

/// Connects two sockets of one process with each other.
pub(crate) fn join(node: &mut Node, one: SocketId, other: SocketId) {
    let own = PeerCredentials::own(node);
    for (id, peer) in [(one, other), (other, one)] {
        let unix = unix_mut(node, id);
        unix.peer = Some(peer);
        unix.peer_credentials = Some(own);
    }
}

/// Sets where datagrams go.
pub(crate) fn direct(node: &mut Node, id: SocketId, to: Option<SocketId>) {
    let peer_name = to.and_then(|to| unix(node.net.get(to)).name.clone());
    let unix = unix_mut(node, id);
    unix.peer = to;
    unix.peer_name = peer_name;
    node.net.get_mut(id).departures += 1;
}

/// Lets a socket wait for connections.
pub(crate) fn listen(node: &mut Node, id: SocketId, backlog: u32) -> Result<(), Errno> {
    let own = PeerCredentials::own(node);
    let socket = node.net.get(id);
    if socket.kind == linux::SOCK_DGRAM {
        return Err(Errno::EOPNOTSUPP);
    }
    if unix(socket).name.is_none() || unix(socket).peer.is_some() {
        return Err(Errno::EINVAL);
    }
    unix_mut(node, id).listening = Some((backlog.min(MOST_BACKLOG), own));
    Ok(())
}

/// Connects a socket to one that listens, where there is room.
pub(crate) fn connect(node: &mut Node, id: SocketId, to: SocketId) {
    let own = PeerCredentials::own(node);
    let listener = node.net.get(to);
    let (name, owner) = (unix(listener).name.clone(), listener.owner);
    let server = unix(listener).listening.map_or(own, |(_, who)| who);
    let kind = listener.kind;
    let state = Unix {
        peer: Some(id),
        peer_credentials: Some(own),
        peer_name: unix(node.net.get(id)).name.clone(),
        name: name.clone(),
        ..Unix::default()
    };
    let mut child = Socket::new(linux::AF_UNIX, kind, 0, SocketFamily::Unix(state));
    child.owner = owner;
    child.options = node.net.get(to).options.clone();
    let child = node.net.add(child);
    let client = unix_mut(node, id);
    client.peer = Some(child);
    client.peer_credentials = Some(server);
    client.peer_name = name;
    let socket = node.net.get_mut(id);
    socket.arrivals += 1;
    socket.departures += 1;
    Arc::make_mut(&mut unix_mut(node, to).waiting).push_back(child);
    node.net.get_mut(to).arrivals += 1;
}

/// Takes the connection that has waited longest.
pub(crate) fn accept(node: &mut Node, id: SocketId) -> Option<SocketId> {
    if unix(node.net.get(id)).waiting.is_empty() {
        return None;
    }
    Arc::make_mut(&mut unix_mut(node, id).waiting).pop_front()
}

/// The socket at the other end, as long as it is there.
pub(crate) fn peer(node: &Node, id: SocketId) -> Option<SocketId> {
    unix(node.net.get(id)).peer.filter(|peer| node.net.find(*peer).is_some())
}

/// Returns true if a datagram socket takes what another one sends: one that is connected takes only what
/// comes from there.
pub(crate) fn takes_from(node: &Node, to: SocketId, from: SocketId) -> bool {
    unix(node.net.get(to)).peer.is_none_or(|peer| peer == from)
}

// ---- messages ------------------------------------------------------------------------------

/// Returns true if messages keep their borders.
pub(crate) fn keeps_borders(socket: &Socket) -> bool {
    socket.kind != linux::SOCK_STREAM
}

/// Bytes that a socket may send to another one now. A message that keeps its borders may take more
/// than there is if nothing else is there.
pub(crate) fn room(node: &Node, from: SocketId, to: SocketId) -> usize {
    let limit = node.net.get(from).options.send_buffer as usize;
    let receiver = unix(node.net.get(to));
    let strangers = node.net.get(to).kind == linux::SOCK_DGRAM && receiver.peer != Some(from);
    if strangers && from != to && receiver.queue.len() > MOST_DATAGRAMS {
        return 0;
    }
    if keeps_borders(node.net.get(to)) && receiver.queue.is_empty() {
        return limit;
    }
    limit.saturating_sub(receiver.cost)
}

/// The events that a socket is ready for.
pub(crate) fn events(node: &Node, id: SocketId) -> u32 {
    let socket = node.net.get(id);
    let own = unix(socket);
    if own.is_listening() {
        return if own.waiting.is_empty() { 0 } else { READ };
    }
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
    if socket.kind != linux::SOCK_DGRAM && own.peer.is_none() {
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
    if own.is_listening() {
        return Err(Errno::EINVAL);
    }
    if keeps_borders(socket) {
        return Ok(own.queue.front().map_or(0, |message| message.data.len() as u64));
    }
    Ok(own.bytes as u64)
}

/// Bytes that were sent and that the other end has not read.
pub(crate) fn unread_by_peer(node: &Node, id: SocketId) -> usize {
    peer(node, id).map_or(0, |peer| unix(node.net.get(peer)).bytes)
}

/// Puts a message into the queue of a socket, which holds the files that it carries.
pub(crate) fn put(node: &mut Node, to: SocketId, message: UnixMessage) {
    for file in &message.attached.rights {
        node.retain_file(*file);
    }
    let overhead = if keeps_borders(node.net.get(to)) { OVERHEAD } else { 0 };
    let own = unix_mut(node, to);
    own.bytes += message.data.len();
    own.cost += message.data.len() + overhead;
    Arc::make_mut(&mut own.queue).push_back(message);
    node.net.get_mut(to).arrivals += 1;
}

/// The next message, without what was read of it.
pub(crate) fn next(node: &Node, id: SocketId) -> Option<UnixMessage> {
    let own = unix(node.net.get(id));
    let first = own.queue.front()?;
    let data = first.data.part(own.taken, first.data.len());
    Some(UnixMessage { data, from: first.from.clone(), attached: first.attached.clone() })
}

/// Takes bytes of the next message out; the message goes with its last byte, or as a whole. What it
/// carries is the caller's from then on.
pub(crate) fn consume(node: &mut Node, id: SocketId, bytes: usize, whole: bool) {
    let overhead = if keeps_borders(node.net.get(id)) { OVERHEAD } else { 0 };
    let own = unix_mut(node, id);
    let Some(first) = own.queue.front() else { return };
    let end = own.taken + bytes;
    if whole || end == first.data.len() {
        let left = first.data.len() - own.taken;
        own.bytes -= left;
        own.cost -= left + overhead;
        own.taken = 0;
        Arc::make_mut(&mut own.queue).pop_front();
    } else {
        own.bytes -= bytes;
        own.cost -= bytes;
        own.taken = end;
        if let Some(first) = Arc::make_mut(&mut own.queue).front_mut() {
            first.attached.rights.clear();
        }
    }
    if let Some(peer) = peer(node, id) {
        node.net.get_mut(peer).departures += 1;
    }
}

/// Closes files that nobody took.
pub(crate) fn drop_attached(node: &mut Node, attached: &AncillaryData) {
    for file in &attached.rights {
        node.release_file(*file);
    }
}

// ---- ending --------------------------------------------------------------------------------

/// Ends one direction or both; the other end notices.
pub(crate) fn shutdown(node: &mut Node, id: SocketId, reads: bool, writes: bool) {
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
}

/// The file of a socket is gone.
pub(crate) fn close(node: &mut Node, id: SocketId) {
    let other = peer(node, id);
    end(node, id, other, false);
}

/// Ends a socket; one that nobody has accepted breaks its connection off.
fn end(node: &mut Node, id: SocketId, other: Option<SocketId>, unaccepted: bool) {
    forget_name(node, id);
    let own = unix_mut(node, id);
    let unread = std::mem::take(&mut own.queue);
    let waiting = std::mem::take(&mut own.waiting);
    let connected = node.net.get(id).kind != linux::SOCK_DGRAM;
    if let Some(other) = other.filter(|_| connected) {
        let socket = node.net.get_mut(other);
        (socket.shut_in, socket.shut_out) = (true, true);
        if unaccepted || !unread.is_empty() {
            socket.error = Some(Errno::ECONNRESET);
        }
        socket.arrivals += 1;
        socket.departures += 1;
    }
    node.net.remove(id);
    for child in waiting.iter() {
        let other = peer(node, *child);
        end(node, *child, other, true);
    }
    for message in unread.iter() {
        drop_attached(node, &message.attached);
    }
}
