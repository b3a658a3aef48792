//! Sending: `sendto`, and what `write` and `sendmsg` do.

use std::net::IpAddr;

use everett_net::needs_scope;
use linux_raw_sys::general::POLLOUT;
use linux_raw_sys::net as linux;
use syscalls::Errno;

use super::{
    OpenSocket, SendRequest, address, broken, does_not_wait, netlink, socket_arg, unix, wait_for,
};
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::net::datagram::{self, PacketOrigin};
use crate::net::udp;
use crate::net::{icmp, inet, packet, tcp};
use crate::state::data::ByteData;
use crate::state::sockets::SocketFamily;
use crate::state::sockets::options::UDP_CORK;
use crate::state::sockets::tcp::TcpPhase;
use crate::state::wait::{Wait, WaitEvent};
use crate::sys::io::{Buffers, gather};

/// Flags that make a difference.
const HANDLED: u32 = linux::MSG_DONTWAIT | linux::MSG_NOSIGNAL | linux::MSG_MORE | linux::MSG_OOB;
/// Flags that make none: hints, and those of receiving.
const SILENT: u32 = linux::MSG_CONFIRM
    | linux::MSG_DONTROUTE
    | linux::MSG_EOR
    | linux::MSG_PEEK
    | linux::MSG_TRUNC
    | linux::MSG_CTRUNC
    | linux::MSG_WAITALL
    | linux::MSG_CMSG_CLOEXEC;

pub(crate) fn sendto<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let open = socket_arg(call, 0)?;
    let buffers = Buffers::of_socket(call, 1, 2)?;
    let (flags, address, len) = (call.arg32(3)?, call.arg(4)?, call.arg32(5)?);
    let to = if address == 0 { None } else { Some(address::read(call, address, len)?) };
    let data = gather(call, &buffers)?;
    let (attached, origin) = Default::default();
    send(call, open, SendRequest { data: &data, to: to.as_deref(), flags, attached, origin })
}

/// Sends bytes through a socket.
pub(super) fn send<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    request: SendRequest<'_>,
) -> Answer {
    let SendRequest { data, to, flags, origin, .. } = request;
    call.reject_flags((flags & !(HANDLED | SILENT)).into())?;
    match call.node().net.get(open.1).family {
        SocketFamily::Tcp(_) => send_tcp(call, open, data, flags),
        SocketFamily::Udp(_) | SocketFamily::Icmp(_) => {
            send_udp(call, open, data, (to, origin), flags)
        }
        SocketFamily::Unix(_) => unix::send(call, open, request),
        SocketFamily::Netlink(_) => netlink::send(call, open, &request),
    }
}

/// An address makes no difference to a connection.
fn send_tcp<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    data: &ByteData,
    flags: u32,
) -> Answer {
    call.look_for_reset(open.1)?;
    if flags & linux::MSG_OOB != 0 {
        return Err(call.unsupported("urgent data (MSG_OOB)"));
    }
    let id = open.1;
    let node = call.node_mut();
    tcp::expire(node, id);
    let done = node.thread().done as usize;
    let socket = node.net.get(id);
    let phase = tcp::tcp(socket).phase;
    let waits = phase == TcpPhase::Connecting && socket.error.is_none() && !socket.shut_out;
    if waits {
        return Ok(Reply::Wait(wait_for(call, open, POLLOUT, flags)?));
    }
    if socket.error.is_some() || socket.shut_out || phase != TcpPhase::Established {
        if done > 0 {
            return Ok(Reply::Value(done as u64));
        }
        let error = node.net.get_mut(id).take_error().err().unwrap_or(Errno::EPIPE);
        let error = if error == Errno::EPIPE { broken(call, flags) } else { error };
        return Err(error.into());
    }
    if done == 0 {
        let waits = flags & linux::MSG_DONTWAIT == 0;
        let kept = call.shorten_wait(open.0, waits, data.len() as u64)? as usize;
        if kept < data.len() {
            let node = call.node_mut();
            let sent = tcp::send(node, id, &data.part(0, kept), 0);
            node.changed();
            return Ok(Reply::Value(sent as u64));
        }
    }
    let node = call.node_mut();
    let done = done + tcp::send(node, id, data, done);
    node.changed();
    if done == data.len() {
        return Ok(Reply::Value(done as u64));
    }
    match wait_for(call, open, POLLOUT, flags) {
        Ok(wait) => {
            call.node_mut().thread_mut().done = done as u64;
            Ok(Reply::Wait(wait))
        }
        Err(_) if done > 0 => Ok(Reply::Value(done as u64)),
        Err(errno) => Err(errno.into()),
    }
}

fn send_udp<X: Guest>(
    call: &mut Call<'_, '_, X>,
    (file, id): OpenSocket,
    data: &ByteData,
    (to, origin): (Option<&[u8]>, PacketOrigin),
    flags: u32,
) -> Answer {
    if data.len() > 0xffff {
        return Err(Errno::EMSGSIZE.into());
    }
    if flags & linux::MSG_OOB != 0 {
        return Err(Errno::EOPNOTSUPP.into());
    }
    let socket = call.node().net.get(id);
    let is_icmp = matches!(socket.family, SocketFamily::Icmp(_));
    let named_bytes = to.unwrap_or_default();
    let named = match to {
        Some(bytes) => address::to_send(socket, bytes)?,
        None => None,
    };
    let to = match named {
        Some(to) if to.port() == 0 && !is_icmp => return Err(Errno::EINVAL.into()),
        Some(to) => to,
        None => socket.remote.ok_or(Errno::EDESTADDRREQ)?,
    };
    let origin = match to_scope(call, named_bytes, to.ip())? {
        0 => origin,
        scope if origin.interface != 0 && origin.interface != scope => {
            return Err(Errno::EINVAL.into());
        }
        scope => PacketOrigin { interface: scope, ..origin },
    };
    match origin.address {
        Some(own) if own.is_ipv6() != to.ip().is_ipv6() => return Err(Errno::EINVAL.into()),
        Some(own) if call.node().net.is_own(own) => {}
        Some(IpAddr::V4(_)) => return Err(Errno::ENETUNREACH.into()),
        Some(IpAddr::V6(_)) => return Err(Errno::EINVAL.into()),
        None => {}
    }
    // Those that do not wait are never held up, as on Linux.
    if datagram::is_throttled(call.node(), id) && !does_not_wait(call, file, flags) {
        let round = call.node().path.rounds;
        return Ok(Reply::Wait(Wait::until(WaitEvent::Round(round))));
    }
    let node = call.node_mut();
    datagram::take_error(node, id)?;
    if node.net.get(id).shut_out {
        return Err(Errno::EPIPE.into());
    }
    if is_icmp {
        send_icmp(call, id, data, (to, origin))?;
        call.node_mut().changed();
        return Ok(Reply::Value(data.len() as u64));
    }
    let corks =
        flags & linux::MSG_MORE != 0 || node.net.get(id).options.flag(linux::SOL_UDP, UDP_CORK);
    send_datagram(call, id, data, (to, origin), corks)?;
    call.node_mut().changed();
    Ok(Reply::Value(data.len() as u64))
}

/// The interface that an address comes with, if it means nothing without one; 0 for none.
fn to_scope<X: Guest>(call: &Call<'_, '_, X>, bytes: &[u8], to: IpAddr) -> Result<u32, Errno> {
    if !needs_scope(to) {
        return Ok(0);
    }
    let scope = inet::inet6_scope(bytes);
    let is_there = scope == 0 || call.node().net.has_interface(scope);
    if is_there { Ok(scope) } else { Err(Errno::ENETUNREACH) }
}

/// Sends a message of ICMP. Its checksum says whether it arrives, so its bytes have to be known.
fn send_icmp<X: Guest>(
    call: &mut Call<'_, '_, X>,
    id: crate::state::ids::SocketId,
    data: &ByteData,
    (to, origin): (std::net::SocketAddr, PacketOrigin),
) -> Result<(), CallHalt> {
    let ByteData::Known(bytes) = data else {
        return Err(call.unsupported("a message of ICMP with symbolic bytes"));
    };
    let socket = call.node().net.get(id);
    if to.is_ipv4() != (socket.domain == linux::AF_INET) {
        return Err(Errno::ENETUNREACH.into());
    }
    if icmp::is_ping(socket) {
        match bytes[..] {
            [kind, code, ..] if bytes.len() >= icmp::HEADER_BYTES => {
                if !icmp::is_echo(to.ip(), kind, code) {
                    return Err(Errno::EINVAL.into());
                }
            }
            _ => return Err(Errno::EINVAL.into()),
        }
    }
    if bytes.len() > udp::MOST_BYTES {
        return Err(Errno::EMSGSIZE.into());
    }
    let node = call.node_mut();
    let (packet, route) = icmp::prepare(node, id, to, origin, bytes.to_vec())?;
    packet::send(node, packet, &route);
    Ok(())
}

/// Sends a datagram, or keeps it until the rest of it comes.
fn send_datagram<X: Guest>(
    call: &mut Call<'_, '_, X>,
    id: crate::state::ids::SocketId,
    data: &ByteData,
    (to, origin): (std::net::SocketAddr, PacketOrigin),
    corks: bool,
) -> Result<(), CallHalt> {
    if origin != PacketOrigin::default() && (corks || udp::corked(call.node(), id).is_some()) {
        return Err(call.unsupported("the origin of a datagram that is sent in pieces"));
    }
    let node = call.node_mut();
    let (to, whole) = match udp::corked(node, id) {
        None => (to, data.clone()),
        Some((to, mut begun)) => {
            begun.append(data.clone());
            (to, begun)
        }
    };
    if whole.len() > udp::MOST_BYTES {
        return Err(Errno::EMSGSIZE.into());
    }
    udp::cork(node, id, corks.then(|| (to, whole.clone())));
    if !corks {
        udp::send(node, id, to, origin, whole)?;
    }
    Ok(())
}

/// `write` to a socket; see `sys/io.rs`.
pub(crate) fn write<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    data: &ByteData,
) -> Answer {
    let (attached, origin) = Default::default();
    send(call, open, SendRequest { data, to: None, flags: 0, attached, origin })
}
