//! Names of sockets: `bind`, `getsockname`, `getpeername`.

use everett_net::is_link_local;
use linux_raw_sys::net as linux;
use syscalls::Errno;

use super::address::{self, AddressPlace};
use super::{OpenSocket, netlink, socket_arg, unix};
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, Reply};
use crate::net::netlink as kernel_netlink;
use crate::net::unix::{name_bytes, peer_name_bytes};
use crate::net::{icmp, inet};
use crate::state::sockets::tcp::{Tcp, TcpPhase};
use crate::state::sockets::unix::unnamed_bytes;
use crate::state::sockets::{NOWHERE, SocketFamily};

/// Ports below this one are root's.
const FIRST_ORDINARY_PORT: u16 = 1024;

pub(crate) fn bind<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let open = socket_arg(call, 0)?;
    let (address, len) = (call.arg(1)?, call.arg32(2)?);
    let bytes = address::read(call, address, len)?;
    match call.node().net.get(open.1).family {
        SocketFamily::Tcp(_) | SocketFamily::Udp(_) | SocketFamily::Icmp(_) => {
            bind_inet(call, open, &bytes)
        }
        SocketFamily::Unix(_) => unix::bind(call, open, &bytes),
        SocketFamily::Netlink(_) => netlink::bind(call, open, &bytes),
    }
}

fn bind_inet<X: Guest>(call: &mut Call<'_, '_, X>, (_, id): OpenSocket, bytes: &[u8]) -> Answer {
    let node = call.node_mut();
    let socket = node.net.get(id);
    let to = match socket.domain {
        linux::AF_INET6 => inet::inet6_parts(bytes)?,
        _ => inet::inet_parts(bytes)?,
    };
    let family = inet::family(bytes)?;
    let any = to.ip().is_unspecified();
    let is_omitted = socket.domain == linux::AF_INET && family == linux::AF_UNSPEC && any;
    if family != socket.domain && !is_omitted {
        return Err(Errno::EAFNOSUPPORT.into());
    }
    if socket.domain == linux::AF_INET6 && to.is_ipv4() && socket.is_for_ipv6_only() {
        return Err(Errno::EINVAL.into());
    }
    let many = to.ip().is_multicast() || node.net.is_broadcast(to.ip());
    let free = [
        (linux::SOL_IP, linux::IP_FREEBIND),
        (linux::SOL_IP, linux::IP_TRANSPARENT),
        (linux::SOL_IPV6, linux::IPV6_FREEBIND),
        (linux::SOL_IPV6, linux::IPV6_TRANSPARENT),
    ];
    let free = free.iter().any(|(level, name)| socket.options.flag(*level, *name));
    let interface = address::interface(socket, bytes, to.ip())?;
    if interface != 0 && !node.net.has_interface(interface) {
        return Err(Errno::ENODEV.into());
    }
    let is_elsewhere =
        interface != 0 && is_link_local(to.ip()) && node.net.interface_of(to.ip()) != interface;
    if !any && !many && !free && (!node.net.is_own(to.ip()) || is_elsewhere) {
        return Err(Errno::EADDRNOTAVAIL.into());
    }
    let is_icmp = matches!(socket.family, SocketFamily::Icmp(_));
    if is_icmp && !icmp::is_ping(socket) && socket.remote.is_none() {
        // It has an address, and no port.
        let socket = node.net.get_mut(id);
        socket.local.set_ip(to.ip());
        (socket.interface, socket.chose_address) = (interface, !any);
        return Ok(Reply::Value(0));
    }
    let privileged = is_icmp || node.process().ids.effective_uid == 0;
    if to.port() != 0 && to.port() < FIRST_ORDINARY_PORT && !privileged {
        return Err(Errno::EACCES.into());
    }
    let idle = match &socket.family {
        SocketFamily::Tcp(tcp) => tcp.phase == TcpPhase::Idle,
        _ => socket.remote.is_none(),
    };
    if !idle || socket.local.port() != 0 {
        return Err(Errno::EINVAL.into());
    }
    let now = node.clock.now;
    node.net.bind(id, to, now)?;
    let socket = node.net.get_mut(id);
    socket.interface = interface;
    socket.chose_address = !any;
    socket.chose_port = to.port() != 0;
    Ok(Reply::Value(0))
}

pub(crate) fn getsockname<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (_, id) = socket_arg(call, 0)?;
    let socket = call.node().net.get(id);
    let bytes = match &socket.family {
        SocketFamily::Unix(_) => name_bytes(call.node(), id),
        SocketFamily::Netlink(_) => kernel_netlink::own_name(call.node(), id),
        SocketFamily::Tcp(Tcp { local_names: Some(names), .. }) => names.own.clone(),
        _ if socket.domain == linux::AF_UNIX => unnamed_bytes(),
        _ => inet::inet_bytes(&call.node().net, socket.domain, socket.local),
    };
    tell(call, &bytes)
}

pub(crate) fn getpeername<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (_, id) = socket_arg(call, 0)?;
    let socket = call.node().net.get(id);
    let bytes = match &socket.family {
        SocketFamily::Unix(_) => peer_name_bytes(call.node(), id)?,
        SocketFamily::Netlink(_) => kernel_netlink::name_bytes(0, 0),
        SocketFamily::Udp(_) | SocketFamily::Icmp(_) => {
            inet::inet_bytes(&call.node().net, socket.domain, socket.remote.ok_or(Errno::ENOTCONN)?)
        }
        SocketFamily::Tcp(Tcp { local_names: Some(names), .. }) => names.other.clone(),
        SocketFamily::Tcp(tcp) if tcp.phase == TcpPhase::Established => {
            inet::inet_bytes(&call.node().net, socket.domain, socket.remote.unwrap_or(NOWHERE))
        }
        SocketFamily::Tcp(_) => return Err(Errno::ENOTCONN.into()),
    };
    tell(call, &bytes)
}

/// Writes a name to where the arguments say.
fn tell<X: Guest>(call: &mut Call<'_, '_, X>, bytes: &[u8]) -> Answer {
    let (address, len_address) = (call.arg(1)?, call.arg(2)?);
    // Unlike elsewhere, an address must be given.
    call.check_writable(address, 1)?;
    let most = bytes.len();
    if let Some(place) = AddressPlace::find(call, address, len_address, most)? {
        place.write(call, bytes)?;
    }
    Ok(Reply::Value(0))
}
