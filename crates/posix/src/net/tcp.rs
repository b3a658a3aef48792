//! TCP: connections that carry a stream of bytes in each direction.
//!
//! A connection is asked for by a REQUEST (SYN), which a REPLY with the number of the request answers
//! (SYN-ACK). That makes the connection for whoever has asked, who acknowledges it by a REPLY without a
//! number (ACK). With that it is there for the other side, too, and can be accepted (`listen.rs`). Then
//! each side sends DATA, and a CLOSE: without status the end of its stream (FIN), with one the end of the
//! connection (RST). A side may have only so many bytes on their way that the other one has not
//! acknowledged by a REPLY with `credit`; a side acknowledges when it has read half of that, so that small
//! transfers need none. DATA tells in `credit` how much its sender may have on its way, a REQUEST and its
//! REPLY how much their sender has room for.
//!
//! Not here: retransmission, ordering and timers of a network that loses packets; system calls.

pub(crate) mod decision;
pub(crate) mod exposed;
mod listen;

use std::net::SocketAddr;
use std::sync::Arc;

use everett_net::{DEFAULT_TTL, Message, MessageKind, Protocol};
use linux_raw_sys::general::{POLLERR, POLLHUP, POLLPRI, POLLRDHUP};
use linux_raw_sys::net as linux;
use syscalls::Errno;

use crate::net::{READ, WRITE, datagram, packet};
use crate::state::data::ByteData;
use crate::state::ids::{SocketId, Time};
use crate::state::known_bytes::KnownBytes;
use crate::state::node::Node;
use crate::state::sockets::message::{Packet, Payload};
use crate::state::sockets::tcp::{ConnectAnswer, Tcp, TcpPhase};
use crate::state::sockets::{Socket, SocketFamily, any_address};

pub(crate) use self::listen::{accept, admit_held, dismiss, listen};

/// The time after which an unanswered request for a connection is given up: six attempts, each twice as long.
const GIVEN_UP_AFTER: Time = 127_000_000_000;

pub(crate) fn tcp(socket: &Socket) -> &Tcp {
    match &socket.family {
        SocketFamily::Tcp(tcp) => tcp,
        _ => unreachable!("the caller has looked at the family"),
    }
}

pub(crate) fn tcp_mut(node: &mut Node, id: SocketId) -> &mut Tcp {
    match &mut node.net.get_mut(id).family {
        SocketFamily::Tcp(tcp) => tcp,
        _ => unreachable!("the caller has looked at the family"),
    }
}

/// Bytes that can be read from a socket.
pub(crate) fn readable(node: &Node, id: SocketId) -> usize {
    tcp(node.net.get(id)).readable()
}

/// The error with which a socket that connects fails by itself, if its time has come.
pub(crate) fn failure_due(socket: &Socket, now: Time) -> Option<Errno> {
    let SocketFamily::Tcp(tcp) = &socket.family else { return None };
    let (time, errno) = tcp.fails.filter(|_| tcp.phase == TcpPhase::Connecting)?;
    (time <= now).then_some(errno)
}

/// The most bytes that a socket may have on their way.
fn limit(socket: &Socket) -> usize {
    (socket.options.send_buffer as usize).min(tcp(socket).window)
}

/// Bytes that a socket may send now.
pub(crate) fn room(socket: &Socket) -> usize {
    limit(socket).saturating_sub(tcp(socket).in_flight)
}

/// The bytes that have to be there for a socket to be ready for reading.
pub(crate) fn least_bytes(socket: &Socket) -> usize {
    socket.options.number(linux::SOL_SOCKET, linux::SO_RCVLOWAT).max(1) as usize
}

/// The events that a socket is ready for.
pub(crate) fn events(node: &Node, id: SocketId) -> u32 {
    let socket = node.net.get(id);
    let tcp = tcp(socket);
    if tcp.is_listening() {
        let ready = if tcp.waiting.is_empty() { 0 } else { READ };
        let asks = if decision::first_request(socket).is_some() { POLLPRI } else { 0 };
        return ready | asks;
    }
    let failed = failure_due(socket, node.clock.now).is_some();
    let (shut_in, shut_out) = (socket.shut_in || failed, socket.shut_out || failed);
    let mut events = 0;
    if shut_in && shut_out || failed || matches!(tcp.phase, TcpPhase::Idle | TcpPhase::Over) {
        events |= POLLHUP;
    }
    if shut_in {
        events |= READ | POLLRDHUP;
    }
    if tcp.phase != TcpPhase::Connecting || failed {
        if tcp.incoming.len() >= least_bytes(socket) {
            events |= READ;
        }
        // A third of the buffer must be free.
        let room = room(socket);
        if shut_out || tcp.phase != TcpPhase::Established || room > 0 && room >= tcp.in_flight / 2 {
            events |= WRITE;
        }
    }
    if socket.error.is_some() || failed {
        events |= POLLERR;
    }
    events
}

// ---- connecting ----------------------------------------------------------------------------

/// A packet of the connection of a socket.
fn packet_of(socket: &Socket, kind: MessageKind) -> Packet {
    let remote = socket.remote.unwrap_or(crate::state::sockets::NOWHERE);
    let ttl = socket.options.hops(remote.ip());
    let packet = Packet::new(kind, Protocol::Tcp, socket.local, remote);
    Packet { ttl, connection: tcp(socket).connection, ..packet }
}

/// Sends a packet of a connection.
fn send_packet(node: &mut Node, packet: Packet) {
    // A connection has a way, as there was one when it was made.
    packet::reply(node, packet);
}

/// Returns true if an address is that of another host, which would hear of a request for a connection.
pub(crate) fn is_remote(node: &Node, to: SocketAddr) -> bool {
    let route = node.net.route(to.ip(), DEFAULT_TTL);
    route.is_ok_and(|route| !route.hosts.is_empty())
}

/// Begins to connect a socket that is idle. With an error, nobody hears of it, and it fails so.
pub(crate) fn connect(
    node: &mut Node,
    id: SocketId,
    to: SocketAddr,
    error: Option<Errno>,
) -> Result<(), Errno> {
    let to = datagram::or_loopback(to);
    if to.ip().is_multicast() || node.net.is_broadcast(to.ip()) {
        return Err(Errno::ENETUNREACH);
    }
    let mut route = node.net.route_of(id, to.ip(), DEFAULT_TTL)?;
    if let Some(errno) = error {
        let after = if errno == Errno::ETIMEDOUT { GIVEN_UP_AFTER } else { 0 };
        route.hosts.clear();
        route.lost = Some((after, errno));
    }
    let (local, now) = (node.net.get(id).local, node.clock.now);
    if local.port() == 0 {
        node.net.bind(id, local, now).map_err(|_| Errno::EADDRNOTAVAIL)?;
    }
    let mut local = node.net.get(id).local;
    if local.ip().is_unspecified() {
        local.set_ip(route.source);
    }
    if node.net.table.connections.contains_key(&(local, to)) {
        release_port(node, id);
        return Err(Errno::EADDRNOTAVAIL);
    }
    let request = node.net.new_request();
    Arc::make_mut(&mut node.net.table.connections).insert((local, to), id);
    let socket = node.net.get_mut(id);
    (socket.local, socket.remote) = (local, Some(to));
    (socket.shut_in, socket.shut_out, socket.error) = (false, false, None);
    let (after, errno) = route.lost.unwrap_or((GIVEN_UP_AFTER, Errno::ETIMEDOUT));
    let fails = (now.saturating_add(after), errno);
    let told = ConnectAnswer::Begun;
    let phase = TcpPhase::Connecting;
    let connection = request;
    *tcp_mut(node, id) =
        Tcp { phase, told, request, connection, fails: Some(fails), ..Tcp::default() };
    let socket = node.net.get(id);
    let credit = socket.options.receive_buffer;
    let packet = Packet { request, credit, ..packet_of(socket, MessageKind::REQUEST) };
    packet::send(node, packet, &route);
    Ok(())
}

/// A socket that connects and whose time has come fails.
pub(crate) fn expire(node: &mut Node, id: SocketId) {
    if let Some(errno) = failure_due(node.net.get(id), node.clock.now) {
        fail(node, id, errno);
    }
}

/// The connection of a socket is over.
fn fail(node: &mut Node, id: SocketId, errno: Errno) {
    node.net.get_mut(id).error = Some(errno);
    end(node, id);
}

/// A connection is over: its addresses are free.
fn end(node: &mut Node, id: SocketId) {
    forget(node, id);
    let socket = node.net.get_mut(id);
    (socket.shut_in, socket.shut_out) = (true, true);
    socket.arrivals += 1;
    socket.departures += 1;
    tcp_mut(node, id).phase = TcpPhase::Over;
    release_port(node, id);
}

/// Takes a connection out of the table.
fn forget(node: &mut Node, id: SocketId) {
    let socket = node.net.get(id);
    let Some(remote) = socket.remote else { return };
    let key = (socket.local, remote);
    if node.net.table.connections.get(&key) == Some(&id) {
        Arc::make_mut(&mut node.net.table.connections).remove(&key);
    }
}

/// Forgets a connection that is not there yet, without a word.
fn abandon(node: &mut Node, id: SocketId) {
    decision::note_departure(node, id);
    forget(node, id);
    node.net.remove(id);
}

/// Gives a port up that the program did not choose; what the address was can still be asked for.
fn release_port(node: &mut Node, id: SocketId) {
    if !node.net.get(id).chose_port {
        node.net.unbind(id);
    }
}

/// Makes a socket as it was before it was connected; a connection that it has is broken off.
pub(crate) fn disconnect(node: &mut Node, id: SocketId) {
    let phase = tcp(node.net.get(id)).phase;
    match phase {
        TcpPhase::Established => reset(node, id),
        TcpPhase::Listening => listen::end(node, id),
        _ => {}
    }
    forget(node, id);
    release_port(node, id);
    let socket = node.net.get_mut(id);
    socket.remote = None;
    (socket.shut_in, socket.shut_out) = (false, false);
    let broken_off = matches!(phase, TcpPhase::Established | TcpPhase::Connecting);
    socket.error = broken_off.then_some(Errno::ECONNRESET);
    if !socket.chose_address {
        socket.local.set_ip(any_address(socket.domain));
    }
    if !socket.chose_port {
        socket.local.set_port(0);
    }
    socket.family = SocketFamily::Tcp(Tcp::default());
}

// ---- sending -------------------------------------------------------------------------------

/// Sends bytes of a socket that is connected, as many as there is room for; says how many.
pub(crate) fn send(node: &mut Node, id: SocketId, data: &ByteData, from: usize) -> usize {
    let socket = node.net.get(id);
    let count = room(socket).min(data.len() - from);
    if count == 0 {
        return 0;
    }
    let credit = u32::try_from(limit(socket)).unwrap_or(u32::MAX);
    let data = if count == data.len() { data.clone() } else { data.part(from, from + count) };
    let packet = Packet { credit, payload: data, ..packet_of(socket, MessageKind::DATA) };
    tcp_mut(node, id).in_flight += count;
    send_packet(node, packet);
    count
}

/// Ends the stream that this side sends.
pub(crate) fn finish(node: &mut Node, id: SocketId) {
    let tcp = tcp_mut(node, id);
    if tcp.phase != TcpPhase::Established || tcp.fin_out {
        return;
    }
    tcp.fin_out = true;
    tcp.closed_first = !tcp.fin_in;
    node.net.get_mut(id).shut_out = true;
    let packet = packet_of(node.net.get(id), MessageKind::CLOSE);
    send_packet(node, packet);
    over_if_both_ended(node, id);
}

/// Once both streams have ended, so has the connection.
fn over_if_both_ended(node: &mut Node, id: SocketId) {
    let now = node.clock.now;
    let Some(socket) = node.net.find(id) else { return };
    let Tcp { phase, fin_in, fin_out, closed_first, .. } = *tcp(socket);
    if phase != TcpPhase::Established || !fin_in || !fin_out {
        return;
    }
    if closed_first {
        let socket = socket.clone();
        node.net.table.ports.linger(&socket, now);
    }
    end(node, id);
    if node.net.get(id).file.is_none() {
        node.net.remove(id);
    }
}

/// Breaks the connection of a socket off.
fn reset(node: &mut Node, id: SocketId) {
    let status = Errno::ECONNRESET.into_raw().unsigned_abs();
    let packet = Packet { status, ..packet_of(node.net.get(id), MessageKind::CLOSE) };
    forget(node, id);
    send_packet(node, packet);
}

/// The file of a socket is gone.
pub(crate) fn close(node: &mut Node, id: SocketId) {
    let socket = node.net.get(id);
    let tcp = tcp(socket);
    match tcp.phase {
        TcpPhase::Idle | TcpPhase::Over => node.net.remove(id),
        TcpPhase::Listening => {
            listen::end(node, id);
            node.net.remove(id);
        }
        TcpPhase::Connecting | TcpPhase::Opening => abandon(node, id),
        // Bytes that nobody will read are a reason to break off.
        TcpPhase::Established if !tcp.incoming.is_empty() || socket.options.linger == Some(0) => {
            reset(node, id);
            node.net.remove(id);
        }
        // Without a file, it is there until the other side ends its stream.
        TcpPhase::Established => finish(node, id),
    }
}

// ---- receiving -----------------------------------------------------------------------------

/// Takes bytes out that have arrived, or only looks at them.
pub(crate) fn take(node: &mut Node, id: SocketId, want: usize, peek: bool) -> ByteData {
    let tcp = tcp_mut(node, id);
    if peek {
        return tcp.incoming.peek(want.min(tcp.incoming.len()));
    }
    let data = tcp.incoming.take(want);
    tcp.unacknowledged += data.len();
    acknowledge(node, id);
    data
}

/// Takes bytes out that have arrived, in the pieces in which they have; `None` if one of them is symbolic.
pub(super) fn take_known_pieces(
    node: &mut Node,
    id: SocketId,
    want: usize,
) -> Option<Vec<KnownBytes>> {
    let tcp = tcp_mut(node, id);
    let pieces = tcp.incoming.take_known_pieces(want)?;
    tcp.unacknowledged += pieces.iter().map(|piece| piece.len()).sum::<usize>();
    acknowledge(node, id);
    Some(pieces)
}

/// Tells the other side that it may send more, when it is worth it.
fn acknowledge(node: &mut Node, id: SocketId) {
    let socket = node.net.get(id);
    let Tcp { phase, fin_in, unacknowledged, expected, .. } = *tcp(socket);
    let here = socket.remote.is_some_and(|remote| node.net.is_own(remote.ip()));
    let least = if here { 1 } else { (expected / 2).max(1) };
    if phase != TcpPhase::Established || fin_in || unacknowledged < least {
        return;
    }
    let credit = u32::try_from(unacknowledged).unwrap_or(u32::MAX);
    let packet = Packet { credit, ..packet_of(socket, MessageKind::REPLY) };
    tcp_mut(node, id).unacknowledged -= credit as usize;
    send_packet(node, packet);
}

/// A packet has arrived.
pub(crate) fn receive(node: &mut Node, packet: Packet) {
    if packet.kind.meets(MessageKind::REQUEST) {
        listen::requested(node, packet);
        return;
    }
    let key = (packet.destination, packet.source);
    let found = node.net.table.connections.get(&key).copied();
    let found = found.filter(|id| tcp(node.net.get(*id)).connection == packet.connection);
    let Some(id) = found else {
        // Whoever talks to nobody is told so; a reset is the end of it.
        if packet.status == 0 {
            let status = Errno::ECONNRESET.into_raw().unsigned_abs();
            let answer = packet.answer(MessageKind::CLOSE, status);
            packet::reply(node, Packet { request: 0, ..answer });
        }
        return;
    };
    if packet.status == 0 {
        // Whatever comes from there acknowledges the answer to the request.
        listen::acknowledged(node, id);
    }
    let is_reply = packet.kind.meets(MessageKind::REPLY);
    if is_reply && packet.request != 0 {
        answered(node, id, &packet);
    } else if is_reply && packet.credit > 0 {
        let tcp = tcp_mut(node, id);
        tcp.in_flight = tcp.in_flight.saturating_sub(packet.credit as usize);
        node.net.get_mut(id).departures += 1;
    } else if packet.kind.meets(MessageKind::DATA) {
        arrived(node, id, packet);
    } else if packet.kind.meets(MessageKind::CLOSE) {
        closed(node, id, packet.status);
    }
}

/// The socket of the connection that a message belongs to.
fn connection_of(node: &Node, message: &Message<Payload>) -> Option<SocketId> {
    let id = node.net.table.connections.get(&(message.destination, message.source)).copied()?;
    (tcp(node.net.get(id)).connection == message.connection).then_some(id)
}

/// Returns true if a message brings bytes to a connection that a program has or can accept.
pub(crate) fn is_awaited(node: &Node, message: &Message<Payload>) -> bool {
    let is_read = |id| {
        let socket = node.net.get(id);
        let tcp = tcp(socket);
        let is_open = matches!(tcp.phase, TcpPhase::Opening | TcpPhase::Established);
        // One that has no file was closed, or was not accepted yet.
        is_open && (socket.file.is_some() || !tcp.fin_out)
    };
    message.kind.meets(MessageKind::DATA) && connection_of(node, message).is_some_and(is_read)
}

/// The socket at which a program notices a message of a connection: the one that listens, for a connection
/// that is about to be there, and otherwise the one that is connected or asks for that. `None` for what only
/// kernels notice.
pub(crate) fn observer_of(node: &Node, message: &Message<Payload>) -> Option<SocketId> {
    let Some(id) = connection_of(node, message) else {
        return decision::observer_of_request(node, message);
    };
    let socket = node.net.get(id);
    let tcp = tcp(socket);
    let is_noticed =
        message.kind.meets(MessageKind::DATA) || message.kind.meets(MessageKind::CLOSE);
    match tcp.phase {
        TcpPhase::Connecting => is_answer_to(tcp, message).then_some(id),
        TcpPhase::Opening => {
            // A program that has decided about a request notices only that it comes to nothing.
            let is_decided = |id: &SocketId| decision::is_decided(node.net.get(*id));
            tcp.listener.filter(|id| is_decided(id) == (message.status != 0))
        }
        // One that has no file was closed, or was not accepted yet.
        TcpPhase::Established if socket.file.is_some() || !tcp.fin_out => is_noticed.then_some(id),
        _ => None,
    }
}

/// Notes that bytes of a stream that are about to arrive are not those that were sent.
pub(crate) fn note_corruption(node: &mut Node, message: &Message<Payload>) {
    if let (Protocol::Tcp, Some(id)) = (message.protocol, connection_of(node, message)) {
        tcp_mut(node, id).is_corrupted = true;
    }
}

/// Returns true if a message answers the request of a socket that connects.
fn is_answer_to(tcp: &Tcp, message: &Message<Payload>) -> bool {
    message.kind.meets(MessageKind::REPLY) && message.request != 0 && message.request == tcp.request
}

/// Returns true if a message asks for a connection, or answers that: whoever has sent it goes on as if
/// it had never been sent when it does not get through.
pub(crate) fn is_of_request(message: &Message<Payload>) -> bool {
    let is_answer = message.kind.meets(MessageKind::REPLY) && message.request != 0;
    message.protocol == Protocol::Tcp && (message.kind.meets(MessageKind::REQUEST) || is_answer)
}

/// Returns true if a message only acknowledges: its sender does not notice that it does not get through.
pub(crate) fn is_acknowledgement(message: &Message<Payload>) -> bool {
    message.protocol == Protocol::Tcp
        && message.kind.meets(MessageKind::REPLY)
        && message.request == 0
}

/// The connection that a message belongs to is over on both sides, with an error.
pub(crate) fn break_off(node: &mut Node, message: &Message<Payload>, errno: Errno) {
    let status = errno.into_raw().unsigned_abs();
    let Some(id) = connection_of(node, message) else {
        // Whoever waits for an acknowledgement of it finds out by itself.
        if message.status == 0 && !is_acknowledgement(message) {
            let answer = message.answer(MessageKind::CLOSE, status);
            send_packet(node, Packet { request: 0, ..answer });
        }
        return;
    };
    if tcp(node.net.get(id)).phase == TcpPhase::Opening {
        // The other side is connected, and finds out when it sends something.
        abandon(node, id);
        return;
    }
    let packet = Packet { status, ..packet_of(node.net.get(id), MessageKind::CLOSE) };
    send_packet(node, packet);
    over(node, id, errno);
}

/// A request for a connection was answered.
fn answered(node: &mut Node, id: SocketId, packet: &Packet) {
    let tcp = tcp_mut(node, id);
    if tcp.phase != TcpPhase::Connecting || tcp.request != packet.request {
        return;
    }
    if packet.status != 0 {
        fail(node, id, Errno::new(packet.status.cast_signed()));
        return;
    }
    tcp.phase = TcpPhase::Established;
    tcp.window = packet.credit as usize;
    let socket = node.net.get_mut(id);
    socket.arrivals += 1;
    socket.departures += 1;
    let acknowledgement = packet_of(socket, MessageKind::REPLY);
    send_packet(node, acknowledgement);
}

/// Bytes have arrived.
fn arrived(node: &mut Node, id: SocketId, packet: Packet) {
    let socket = node.net.get(id);
    if socket.file.is_none() && tcp(socket).fin_out {
        // Nobody will ever read it.
        reset(node, id);
        node.net.remove(id);
        return;
    }
    let tcp = tcp_mut(node, id);
    tcp.expected = packet.credit as usize;
    tcp.incoming.push(packet.payload);
    node.net.get_mut(id).arrivals += 1;
    listen::enqueue(node, id);
}

/// The other side has ended its stream, or broken the connection off.
fn closed(node: &mut Node, id: SocketId, status: u32) {
    if status == 0 {
        tcp_mut(node, id).fin_in = true;
        let socket = node.net.get_mut(id);
        socket.shut_in = true;
        socket.arrivals += 1;
        listen::enqueue(node, id);
        over_if_both_ended(node, id);
        return;
    }
    let timed_out = status == Errno::ETIMEDOUT.into_raw().unsigned_abs();
    let errno = match tcp(node.net.get(id)).fin_in {
        _ if timed_out => Errno::ETIMEDOUT,
        true => Errno::EPIPE,
        false => Errno::ECONNRESET,
    };
    over(node, id, errno);
}

/// A connection is over because of an error.
fn over(node: &mut Node, id: SocketId, errno: Errno) {
    let socket = node.net.get(id);
    let Tcp { phase, fin_out, .. } = *tcp(socket);
    if phase == TcpPhase::Opening || socket.file.is_none() && fin_out {
        // Nobody is there to be told.
        abandon(node, id);
        return;
    }
    fail(node, id, errno);
}
