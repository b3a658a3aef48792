//! `setsockopt` and `getsockopt`.
//!
//! Options that are plain numbers are in a table (`state/sockets/options.rs`); here are those of another
//! form, those that do something, and what is refused. An option that Linux has and that is not simulated
//! ends the path with its name.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use linux_raw_sys::general::POLLERR;
use linux_raw_sys::net as linux;
use syscalls::Errno;

use super::{OpenSocket, socket_arg};
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::net::datagram::PacketOrigin;
use crate::net::interface::Interface;
use crate::net::tcp::decision::FirstRequest;
use crate::net::{datagram, pending_error, tcp, udp};
use crate::net::{icmp, inet};
use crate::state::ids::Time;
use crate::state::sockets::options::{self, ADMITS, FIRST_REQUEST, UDP_CORK};
use crate::state::sockets::tcp::TcpPhase;
use crate::state::sockets::unix::PeerCredentials;
use crate::state::sockets::{NOWHERE, Net, Socket, SocketFamily, any_address};

/// The smallest buffers, and the largest that may be asked for.
const LEAST_SEND_BUFFER: u32 = 4608;
const LEAST_RECEIVE_BUFFER: u32 = 2304;
const MOST_BUFFER: u32 = 212_992;
/// One more than the largest option that Linux has at each level.
const SOCKET_OPTIONS: u32 = 85;
const TCP_OPTIONS: u32 = 47;
const IP_OPTIONS: u32 = 53;
const IPV6_OPTIONS: u32 = 81;
/// The largest option of netlink.
const NETLINK_OPTIONS: u32 = 12;
/// Names for `TCP_CONGESTION`; the option keeps a place in this list.
const CONGESTION: [&str; 2] = ["cubic", "reno"];
/// The smallest `TCP_WINDOW_CLAMP` but zero: half of the smallest buffer.
const LEAST_WINDOW_CLAMP: i32 = LEAST_RECEIVE_BUFFER.cast_signed() / 2;
const MICROSECOND: Time = 1000;
const SECOND: Time = 1_000_000_000;

/// An option that is neither in the table nor handled by itself.
fn unknown<X: Guest>(
    call: &Call<'_, '_, X>,
    socket: &Socket,
    (level, name): (u32, u32),
    no_level: Errno,
) -> CallHalt {
    let inet = socket.is_inet();
    let most = match level {
        linux::SOL_SOCKET => SOCKET_OPTIONS,
        _ if !inet => return Errno::EOPNOTSUPP.into(),
        linux::SOL_IP => IP_OPTIONS,
        linux::SOL_IPV6 if socket.domain == linux::AF_INET6 => IPV6_OPTIONS,
        linux::SOL_TCP if socket.protocol == linux::SOL_TCP => TCP_OPTIONS,
        linux::SOL_UDP if socket.protocol == linux::SOL_UDP => u32::MAX,
        _ => return no_level.into(),
    };
    if name == 0 || name >= most {
        return Errno::ENOPROTOOPT.into();
    }
    call.unsupported(format!("option {name} of level {level}"))
}

// ---- setting -------------------------------------------------------------------------------

pub(crate) fn setsockopt<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let open = socket_arg(call, 0)?;
    let (level, name) = (call.arg32(1)?, call.arg32(2)?);
    let (address, len) = (call.arg(3)?, call.arg32(4)?);
    if len.cast_signed() < 0 {
        return Err(Errno::EINVAL.into());
    }
    match (level, name) {
        (linux::SOL_SOCKET, linux::SO_LINGER) => {
            let value = read(call, address, len, 8)?;
            let on = number(&value, 0) != 0;
            let seconds = number(&value, 4).cast_unsigned();
            call.node_mut().net.get_mut(open.1).options.linger = on.then_some(seconds);
        }
        (linux::SOL_SOCKET, linux::SO_RCVTIMEO | linux::SO_SNDTIMEO) => {
            let value = read(call, address, len, 16)?;
            set_timeout(call, open, name, &value)?;
        }
        (linux::SOL_SOCKET, linux::SO_BINDTODEVICE | linux::SO_ATTACH_FILTER) => {
            return Err(call.unsupported(format!("option {name} of sockets")));
        }
        (linux::SOL_NETLINK, 1..=NETLINK_OPTIONS) if is_netlink(call, open) => {
            // None of them changes what is answered, and there is never any news.
            let value = number(&read(call, address, len, 4)?, 0);
            call.node_mut().net.get_mut(open.1).options.put(level, name, value);
        }
        (level, icmp::FILTER) if has_filter(call.node().net.get(open.1), level) => {
            set_filter(call, open, level, (address, len))?;
        }
        (linux::SOL_IP, _) => return set_ip(call, open, name, address, len),
        (linux::SOL_IPV6, _) => return set_ipv6(call, open, name, address, len),
        (linux::SOL_TCP, linux::TCP_CONGESTION) if is_tcp(call, open) => {
            let name = call.read_settled(address, len.min(15).into())?;
            let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
            let known = CONGESTION.iter().position(|each| each.as_bytes() == name);
            let value = known.ok_or(Errno::ENOENT)? as i32;
            let options = &mut call.node_mut().net.get_mut(open.1).options;
            options.put(level, linux::TCP_CONGESTION, value);
        }
        (linux::SOL_TCP, ADMITS) if is_tcp(call, open) => {
            let admits = number(&read(call, address, len, 4)?, 0) != 0;
            let node = call.node_mut();
            tcp::decision::decide(node, open.1, admits)?;
            node.changed();
        }
        _ => {
            let value = read(call, address, len, 4)?;
            set_number(call, open, level, name, number(&value, 0))?;
        }
    }
    Ok(Reply::Value(0))
}

/// Returns true if a socket is a raw one of ICMP, and a level has its filter.
fn has_filter(socket: &Socket, level: u32) -> bool {
    let is_icmp = matches!(socket.family, SocketFamily::Icmp(_));
    is_icmp && !icmp::is_ping(socket) && icmp::filter_level(socket) == level
}

/// The bytes of the filter of a raw socket.
fn filter_bytes(socket: &Socket) -> Vec<u8> {
    let words = if socket.domain == linux::AF_INET { 1 } else { icmp::FILTER6_WORDS };
    (0..words).flat_map(|word| icmp::filter_word(socket, word).to_le_bytes()).collect()
}

/// Sets as much of the filter of a raw socket as is given.
fn set_filter<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    level: u32,
    (address, len): (u64, u32),
) -> Result<(), CallHalt> {
    let mut filter = filter_bytes(call.node().net.get(open.1));
    let given = call.read_settled(address, u64::from(len).min(filter.len() as u64))?;
    filter[..given.len()].copy_from_slice(&given);
    let options = &mut call.node_mut().net.get_mut(open.1).options;
    for (word, bytes) in (0..).zip(filter.chunks(4)) {
        options.put(level, icmp::FILTER + word, number(bytes, 0));
    }
    Ok(())
}

fn is_netlink<X: Guest>(call: &Call<'_, '_, X>, open: OpenSocket) -> bool {
    matches!(call.node().net.get(open.1).family, SocketFamily::Netlink(_))
}

fn is_tcp<X: Guest>(call: &Call<'_, '_, X>, open: OpenSocket) -> bool {
    matches!(call.node().net.get(open.1).family, SocketFamily::Tcp(_))
}

/// Reads a value of `least` bytes.
fn read<X: Guest>(
    call: &mut Call<'_, '_, X>,
    address: u64,
    len: u32,
    least: u32,
) -> Result<Vec<u8>, CallHalt> {
    if len < least {
        return Err(Errno::EINVAL.into());
    }
    call.read_settled(address, least.into())
}

/// The `int` at a place in a value.
fn number(value: &[u8], at: usize) -> i32 {
    let bytes = std::array::from_fn(|i| value.get(at + i).copied().unwrap_or(0));
    i32::from_le_bytes(bytes)
}

fn set_timeout<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    name: u32,
    value: &[u8],
) -> Result<(), Errno> {
    let word = |at| i64::from_le_bytes(std::array::from_fn(|i| value[at + i]));
    let (seconds, microseconds) = (word(0), word(8));
    if !(0..1_000_000).contains(&microseconds) {
        return Err(Errno::EDOM);
    }
    let timeout = match u64::try_from(seconds) {
        Ok(0) if microseconds == 0 => None,
        Ok(seconds) => {
            let fraction = microseconds.cast_unsigned() * MICROSECOND;
            Some(seconds.saturating_mul(SECOND).saturating_add(fraction))
        }
        Err(_) => Some(0),
    };
    let options = &mut call.node_mut().net.get_mut(open.1).options;
    if name == linux::SO_RCVTIMEO {
        options.receive_timeout = timeout;
    } else {
        options.send_timeout = timeout;
    }
    Ok(())
}

fn set_number<X: Guest>(
    call: &mut Call<'_, '_, X>,
    (_, id): OpenSocket,
    level: u32,
    name: u32,
    value: i32,
) -> Result<(), CallHalt> {
    let node = call.node_mut();
    let socket = node.net.get(id);
    let root = node.process().ids.effective_uid == 0;
    let doubled = |least: u32| (value.cast_unsigned().min(MOST_BUFFER) * 2).max(least);
    if level == linux::SOL_SOCKET {
        match name {
            linux::SO_SNDBUF | linux::SO_SNDBUFFORCE if name == linux::SO_SNDBUF || root => {
                node.net.get_mut(id).options.send_buffer = doubled(LEAST_SEND_BUFFER);
                node.net.get_mut(id).departures += 1;
                node.changed();
                return Ok(());
            }
            linux::SO_RCVBUF | linux::SO_RCVBUFFORCE if name == linux::SO_RCVBUF || root => {
                node.net.get_mut(id).options.receive_buffer = doubled(LEAST_RECEIVE_BUFFER);
                return Ok(());
            }
            _ => {}
        }
    }
    if let Some(error) = refused(level, name, value, root) {
        return Err(error.into());
    }
    match options::is_setting(level, name, socket.domain, socket.protocol) {
        None => {
            let socket = socket.clone();
            return Err(unknown(call, &socket, (level, name), Errno::ENOPROTOOPT));
        }
        Some(false) if level == linux::SOL_SOCKET => return Err(Errno::EOPNOTSUPP.into()),
        Some(false) if !socket.is_inet() => return Err(Errno::EOPNOTSUPP.into()),
        Some(false) => return Err(Errno::ENOPROTOOPT.into()),
        Some(true) => {}
    }
    let value = options::settled(level, name, value)?;
    let value = match (level, name, value) {
        (linux::SOL_SOCKET, linux::SO_RCVLOWAT, 0) => 1,
        (linux::SOL_SOCKET, linux::SO_RCVLOWAT, ..0) => i32::MAX,
        (linux::SOL_TCP, linux::TCP_WINDOW_CLAMP, 0) if !tcp::tcp(socket).is_closed() => {
            return Err(Errno::EINVAL.into());
        }
        (linux::SOL_TCP, linux::TCP_WINDOW_CLAMP, 1..) => value.max(LEAST_WINDOW_CLAMP),
        _ => value,
    };
    node.net.get_mut(id).options.put(level, name, value);
    if (level, name, value) == (linux::SOL_UDP, UDP_CORK, 0)
        && let Some((to, data)) = udp::corked(node, id)
    {
        udp::cork(node, id, None);
        udp::send(node, id, to, PacketOrigin::default(), data)?;
        node.changed();
    }
    Ok(())
}

/// The error of an option that cannot be set at all, or not by this user.
fn refused(level: u32, name: u32, value: i32, root: bool) -> Option<Errno> {
    match (level, name) {
        (
            linux::SOL_SOCKET,
            linux::SO_TYPE
            | linux::SO_PROTOCOL
            | linux::SO_DOMAIN
            | linux::SO_ERROR
            | linux::SO_ACCEPTCONN
            | linux::SO_PEERCRED
            | linux::SO_SNDLOWAT,
        ) => Some(Errno::ENOPROTOOPT),
        _ if root => None,
        (linux::SOL_SOCKET, linux::SO_DEBUG) if value != 0 => Some(Errno::EACCES),
        (linux::SOL_SOCKET, linux::SO_PRIORITY) if (0..=6).contains(&value) => None,
        (linux::SOL_IP, linux::IP_TRANSPARENT) if value == 0 => None,
        (
            linux::SOL_SOCKET,
            linux::SO_PRIORITY | linux::SO_MARK | linux::SO_SNDBUFFORCE | linux::SO_RCVBUFFORCE,
        )
        | (linux::SOL_IP, linux::IP_TRANSPARENT) => Some(Errno::EPERM),
        _ => None,
    }
}

fn set_ip<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    name: u32,
    address: u64,
    len: u32,
) -> Answer {
    if !call.node().net.get(open.1).is_inet() {
        return Err(Errno::EOPNOTSUPP.into());
    }
    match name {
        linux::IP_MULTICAST_IF => {
            // An address, or a structure whose second word is one.
            let at = if len >= 8 { 4 } else { 0 };
            let value = read(call, address, len, if at == 4 { 8 } else { 4 })?;
            let own = Ipv4Addr::new(value[at], value[at + 1], value[at + 2], value[at + 3]);
            if !own.is_unspecified() && !call.node().net.is_own(own.into()) {
                return Err(Errno::EADDRNOTAVAIL.into());
            }
            let value = own.to_bits().cast_signed();
            let options = &mut call.node_mut().net.get_mut(open.1).options;
            options.put(linux::SOL_IP, name, value);
        }
        linux::IP_ADD_MEMBERSHIP | linux::IP_DROP_MEMBERSHIP => {
            let value = read(call, address, len, 8)?;
            let part =
                |at: usize| Ipv4Addr::new(value[at], value[at + 1], value[at + 2], value[at + 3]);
            let adds = name == linux::IP_ADD_MEMBERSHIP;
            set_membership(call, open, part(0).into(), part(4).into(), adds)?;
        }
        linux::MCAST_JOIN_GROUP | linux::MCAST_LEAVE_GROUP => {
            set_membership_of_any(call, open, name, (address, len))?;
        }
        _ => {
            // Small numbers may be given as one byte.
            let value = match len {
                0 => 0,
                1..4 => call.read_settled(address, 1)?[0].into(),
                _ => call.read_u32(address)?.cast_signed(),
            };
            let defaulted = matches!(name, linux::IP_TTL | linux::IP_MULTICAST_TTL);
            let value = match (name, value) {
                (linux::IP_TTL, 0) => return Err(Errno::EINVAL.into()),
                (linux::IP_TTL, -1) => 64,
                (linux::IP_MULTICAST_TTL, -1) => 1,
                _ => value,
            };
            if defaulted && !(0..=255).contains(&value) {
                return Err(Errno::EINVAL.into());
            }
            let value = if name == linux::IP_TOS { value & 0xff } else { value };
            set_number(call, open, linux::SOL_IP, name, value)?;
        }
    }
    Ok(Reply::Value(0))
}

fn set_ipv6<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    name: u32,
    address: u64,
    len: u32,
) -> Answer {
    let socket = call.node().net.get(open.1);
    match socket.domain {
        linux::AF_INET6 => {}
        linux::AF_INET => return Err(Errno::ENOPROTOOPT.into()),
        _ => return Err(Errno::EOPNOTSUPP.into()),
    }
    let any = IpAddr::from(Ipv6Addr::UNSPECIFIED);
    let is_bound = socket.local.port() != 0;
    match name {
        linux::IPV6_V6ONLY if is_bound => return Err(Errno::EINVAL.into()),
        linux::IPV6_MULTICAST_IF => {
            let index = number(&read(call, address, len, 4)?, 0);
            let node = call.node_mut();
            if index != 0 && node.net.address_of_interface(index.cast_unsigned(), any).is_none() {
                return Err(Errno::ENODEV.into());
            }
            node.net.get_mut(open.1).options.put(linux::SOL_IPV6, name, index);
        }
        linux::IPV6_ADD_MEMBERSHIP | linux::IPV6_DROP_MEMBERSHIP => {
            let value = read(call, address, len, 20)?;
            let group: [u8; 16] = std::array::from_fn(|i| value[i]);
            let interface = match number(&value, 16).cast_unsigned() {
                0 => any,
                index => call.node().net.address_of_interface(index, any).ok_or(Errno::ENODEV)?,
            };
            let adds = name == linux::IPV6_ADD_MEMBERSHIP;
            set_membership(call, open, group.into(), interface, adds)?;
        }
        linux::MCAST_JOIN_GROUP | linux::MCAST_LEAVE_GROUP => {
            set_membership_of_any(call, open, name, (address, len))?;
        }
        _ => {
            let value = number(&read(call, address, len, 4)?, 0);
            let value = match (name, value) {
                (linux::IPV6_UNICAST_HOPS, -1) => 64,
                (linux::IPV6_MULTICAST_HOPS, -1) => 1,
                (linux::IPV6_TCLASS, -1) => 0,
                _ => value,
            };
            set_number(call, open, linux::SOL_IPV6, name, value)?;
        }
    }
    Ok(Reply::Value(0))
}

/// `MCAST_JOIN_GROUP` and `MCAST_LEAVE_GROUP`, whose `struct group_req` names an interface and a group.
fn set_membership_of_any<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    name: u32,
    (address, len): (u64, u32),
) -> Result<(), CallHalt> {
    const REQUEST_BYTES: u32 = 136;
    const GROUP_AT: usize = 8;
    if len < REQUEST_BYTES {
        return Err(Errno::EINVAL.into());
    }
    // Only the number and the address mean something.
    let is_used = |at| !(4..GROUP_AT as u64).contains(&at) && at < GROUP_AT as u64 + 24;
    let value = call.read_settled_partly(address, REQUEST_BYTES.into(), is_used)?;
    let group = &value[GROUP_AT..];
    let domain = call.node().net.get(open.1).domain;
    let group = match inet::family(group)? {
        family if family != domain => {
            let is_ipv4 = domain == linux::AF_INET;
            return Err(if is_ipv4 { Errno::EINVAL } else { Errno::EADDRNOTAVAIL }.into());
        }
        linux::AF_INET => inet::inet_parts(group)?,
        _ => inet::inet6_parts(group)?,
    };
    let interface = match number(&value, 0).cast_unsigned() {
        0 => any_address(domain),
        index => {
            let found = call.node().net.address_of_interface(index, any_address(domain));
            found.ok_or(Errno::ENODEV)?
        }
    };
    set_membership(call, open, group.ip(), interface, name == linux::MCAST_JOIN_GROUP)
}

fn set_membership<X: Guest>(
    call: &mut Call<'_, '_, X>,
    (_, id): OpenSocket,
    group: IpAddr,
    interface: IpAddr,
    adds: bool,
) -> Result<(), CallHalt> {
    if !group.is_multicast() {
        return Err(Errno::EINVAL.into());
    }
    let node = call.node_mut();
    if !interface.is_unspecified() && !node.net.is_own(interface) {
        return Err(Errno::ENODEV.into());
    }
    let is_of_family = |each: &Interface| each.address.is_ipv4() == group.is_ipv4();
    let has_network = |each: &Interface| !each.is_loopback && is_of_family(each);
    if interface.is_unspecified() && !node.net.interfaces().iter().any(has_network) {
        return Err(Errno::ENODEV.into());
    }
    let (SocketFamily::Udp(udp) | SocketFamily::Icmp(udp)) = &mut node.net.get_mut(id).family
    else {
        return Err(call.unsupported("groups of streams"));
    };
    let found = udp.groups.iter().position(|each| *each == (group, interface));
    match (found, adds) {
        (Some(_), true) => Err(Errno::EADDRINUSE.into()),
        (None, false) => Err(Errno::EADDRNOTAVAIL.into()),
        (None, true) => {
            udp.groups.push((group, interface));
            Ok(())
        }
        (Some(at), false) => {
            udp.groups.remove(at);
            Ok(())
        }
    }
}

// ---- asking --------------------------------------------------------------------------------

pub(crate) fn getsockopt<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let open = socket_arg(call, 0)?;
    let (level, name) = (call.arg32(1)?, call.arg32(2)?);
    let (address, len_address) = (call.arg(3)?, call.arg(4)?);
    let room = call.read_u32(len_address)?;
    call.check_writable(len_address, 4)?;
    if room.cast_signed() < 0 {
        return Err(Errno::EINVAL.into());
    }
    let value = value_of(call, open, level, name)?;
    let small = level == linux::SOL_IP && (1..4).contains(&room);
    let len = match &value[..] {
        [_, 0, 0, 0] if small => 1,
        value => value.len().min(room as usize),
    };
    call.check_writable(address, len as u64)?;
    call.write_concrete(address, &value[..len])?;
    call.write_u32(len_address, len as u32)?;
    match (level, name) {
        (linux::SOL_SOCKET, linux::SO_ERROR) => drop(take_error(call, open)),
        (linux::SOL_TCP, FIRST_REQUEST) => tcp::decision::forget_departure(call.node_mut(), open.1),
        _ => {}
    }
    Ok(Reply::Value(0))
}

/// Takes the error out that `SO_ERROR` tells.
fn take_error<X: Guest>(call: &mut Call<'_, '_, X>, (_, id): OpenSocket) -> Result<(), Errno> {
    let node = call.node_mut();
    match node.net.get(id).family {
        SocketFamily::Udp(_) | SocketFamily::Icmp(_) => datagram::take_error(node, id),
        SocketFamily::Tcp(_) => {
            tcp::expire(node, id);
            node.net.get_mut(id).take_error()
        }
        SocketFamily::Unix(_) | SocketFamily::Netlink(_) => node.net.get_mut(id).take_error(),
    }
}

/// The value of an option as the program sees it.
fn value_of<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    level: u32,
    name: u32,
) -> Result<Vec<u8>, CallHalt> {
    if (level, name) == (linux::SOL_SOCKET, linux::SO_ERROR) {
        call.look(&[(open.0, POLLERR as u16)], false)?;
        // Taking it out waits until it was written.
        let error = pending_error(call.node(), open.1);
        return Ok(error.map_or(0, Errno::into_raw).to_le_bytes().to_vec());
    }
    let socket = call.node().net.get(open.1).clone();
    match fixed(&socket, level, name) {
        Some(value) => Ok(value),
        None => own(call, &socket, level, name),
    }
}

/// Options that tell what a socket is, or that have a form of their own.
fn fixed(socket: &Socket, level: u32, name: u32) -> Option<Vec<u8>> {
    if level != linux::SOL_SOCKET {
        return None;
    }
    let options = &socket.options;
    let time = |timeout: Option<Time>| {
        let timeout = timeout.unwrap_or(0);
        [(timeout / SECOND).to_le_bytes(), (timeout % SECOND / MICROSECOND).to_le_bytes()].concat()
    };
    let number = match name {
        linux::SO_TYPE => socket.kind,
        linux::SO_DOMAIN => socket.domain,
        linux::SO_PROTOCOL => socket.protocol,
        linux::SO_SNDBUF => options.send_buffer,
        linux::SO_RCVBUF => options.receive_buffer,
        linux::SO_SNDLOWAT => 1,
        linux::SO_ACCEPTCONN => socket.is_listening().into(),
        linux::SO_RCVTIMEO => return Some(time(options.receive_timeout)),
        linux::SO_SNDTIMEO => return Some(time(options.send_timeout)),
        linux::SO_LINGER => {
            let (on, seconds) = (u32::from(options.linger.is_some()), options.linger.unwrap_or(0));
            return Some([on.to_le_bytes(), seconds.to_le_bytes()].concat());
        }
        linux::SO_PEERCRED => {
            let nobody = PeerCredentials { pid: 0, uid: u32::MAX, gid: u32::MAX };
            let peer = match &socket.family {
                SocketFamily::Unix(unix) => unix.peer_credentials,
                _ => None,
            };
            return Some(peer.unwrap_or(nobody).to_bytes());
        }
        _ => return None,
    };
    Some(number.to_le_bytes().to_vec())
}

/// Options of a protocol, and those of the table.
fn own<X: Guest>(
    call: &mut Call<'_, '_, X>,
    socket: &Socket,
    level: u32,
    name: u32,
) -> Result<Vec<u8>, CallHalt> {
    let inet = socket.is_inet();
    let is_inet6 = socket.domain == linux::AF_INET6;
    if name == icmp::FILTER && has_filter(socket, level) {
        return Ok(filter_bytes(socket));
    }
    match (level, name, &socket.family) {
        (linux::SOL_TCP, linux::TCP_INFO, SocketFamily::Tcp(tcp)) => {
            let mut info = vec![0; TCP_INFO_BYTES];
            info[0] = tcp.state_number();
            return Ok(info);
        }
        (linux::SOL_TCP, FIRST_REQUEST, SocketFamily::Tcp(_)) => {
            return Ok(request_bytes(&call.node().net, socket));
        }
        (linux::SOL_TCP, linux::TCP_CONGESTION, SocketFamily::Tcp(_)) => {
            let number = socket.options.number(level, name) as usize;
            let mut name = CONGESTION[number].as_bytes().to_vec();
            name.resize(16, 0);
            return Ok(name);
        }
        (linux::SOL_TCP, linux::TCP_MAXSEG, SocketFamily::Tcp(tcp))
            if tcp.phase == TcpPhase::Established =>
        {
            let own = call.node().net.is_own(socket.remote.unwrap_or(NOWHERE).ip());
            let most: i32 = if own { 32741 } else { 1448 };
            return Ok(most.to_le_bytes().to_vec());
        }
        (linux::SOL_IP, linux::IP_MULTICAST_IF, _) if inet => {
            let address = socket.options.number(level, name).cast_unsigned();
            return Ok(Ipv4Addr::from_bits(address).octets().to_vec());
        }
        (linux::SOL_IPV6, linux::IPV6_MULTICAST_IF, _) if is_inet6 => {
            return Ok(socket.options.number(level, name).to_le_bytes().to_vec());
        }
        (linux::SOL_IP, linux::IP_MTU, _) | (linux::SOL_IPV6, linux::IPV6_MTU, _) if inet => {
            let remote = socket.remote.ok_or(Errno::ENOTCONN)?;
            let mtu: i32 = if call.node().net.is_own(remote.ip()) { 65536 } else { 1500 };
            return Ok(mtu.to_le_bytes().to_vec());
        }
        _ => {}
    }
    match options::is_setting(level, name, socket.domain, socket.protocol) {
        Some(true) => Ok(socket.options.number(level, name).to_le_bytes().to_vec()),
        Some(false) if level == linux::SOL_SOCKET => Ok(vec![0; 4]),
        Some(false) => Err(Errno::EOPNOTSUPP.into()),
        None => Err(unknown(call, socket, (level, name), Errno::EOPNOTSUPP)),
    }
}

/// What the first request is (nothing, one that waits for a decision, one that has come to nothing), and who
/// has made it.
fn request_bytes(net: &Net, socket: &Socket) -> Vec<u8> {
    let (what, from) = match tcp::decision::first_request(socket) {
        None => (0u32, NOWHERE),
        Some(FirstRequest::Waits(from)) => (1, from),
        Some(FirstRequest::Departed(from)) => (2, from),
    };
    [what.to_le_bytes().to_vec(), inet::inet_bytes(net, socket.domain, from)].concat()
}

/// Bytes of `struct tcp_info` that are told: the state, and times and counts that nobody counts.
const TCP_INFO_BYTES: usize = 104;
