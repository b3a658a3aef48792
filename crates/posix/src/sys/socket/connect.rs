//! Making and ending connections: `connect`, `listen`, `accept`, `shutdown`.

use everett_net::is_link_local;
use linux_raw_sys::general::{POLLIN, POLLOUT};
use linux_raw_sys::net as linux;
use syscalls::Errno;

use super::address::{self, AddressPlace};
use super::{OpenSocket, create, does_not_wait, forward, netlink, socket_arg, unix, wait_for};
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, Reply};
use crate::net::inet;
use crate::net::{datagram, tcp, unix as local};
use crate::state::node::Node;
use crate::state::sockets::tcp::{ConnectAnswer, TcpPhase};
use crate::state::sockets::unix::unnamed_bytes;
use crate::state::sockets::{NOWHERE, SocketFamily};

// ---- connect -------------------------------------------------------------------------------

pub(crate) fn connect<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let open = socket_arg(call, 0)?;
    let (address, len) = (call.arg(1)?, call.arg32(2)?);
    let bytes = address::read(call, address, len)?;
    let socket = call.node().net.get(open.1);
    match socket.family {
        SocketFamily::Tcp(_) if socket.domain == linux::AF_UNIX => forward::go_on(call, open),
        SocketFamily::Udp(_) | SocketFamily::Icmp(_) => connect_udp(call, open, &bytes),
        SocketFamily::Tcp(_) => connect_tcp(call, open, &bytes),
        SocketFamily::Unix(_) => unix::connect(call, open, &bytes),
        SocketFamily::Netlink(_) => netlink::connect(call, open, &bytes),
    }
}

fn connect_udp<X: Guest>(call: &mut Call<'_, '_, X>, (_, id): OpenSocket, bytes: &[u8]) -> Answer {
    let node = call.node_mut();
    if inet::family(bytes)? == linux::AF_UNSPEC {
        datagram::disconnect(node, id);
    } else {
        let socket = node.net.get(id);
        let to = address::to_connect(socket, bytes)?;
        let interface = match address::interface(socket, bytes, to.ip()) {
            // Groups have an interface of their own.
            Err(_) if to.ip().is_multicast() => {
                let chosen = socket.options.number(linux::SOL_IPV6, linux::IPV6_MULTICAST_IF);
                if chosen == 0 {
                    return Err(Errno::EINVAL.into());
                }
                chosen.cast_unsigned()
            }
            found => found?,
        };
        node.net.get_mut(id).interface = interface;
        datagram::connect(node, id, to)?;
    }
    Ok(Reply::Value(0))
}

fn connect_tcp<X: Guest>(call: &mut Call<'_, '_, X>, open: OpenSocket, bytes: &[u8]) -> Answer {
    let (file, id) = open;
    let at_once = does_not_wait(call, file, 0);
    if tcp::tcp(call.node().net.get(id)).told == ConnectAnswer::Begun {
        call.look(&[(file, POLLOUT as u16)], !at_once)?;
    }
    let node = call.node_mut();
    if inet::family(bytes)? == linux::AF_UNSPEC {
        tcp::disconnect(node, id);
        node.changed();
        return Ok(Reply::Value(0));
    }
    tcp::expire(node, id);
    let state = tcp::tcp(node.net.get(id));
    let begins = state.told == ConnectAnswer::Nothing;
    match state.told {
        ConnectAnswer::Connected => return Err(Errno::EISCONN.into()),
        ConnectAnswer::Nothing if state.phase != TcpPhase::Idle => {
            return Err(Errno::EISCONN.into());
        }
        ConnectAnswer::Nothing => {
            let socket = node.net.get(id);
            let to = address::to_connect(socket, bytes)?;
            if is_link_local(to.ip()) {
                let interface = address::interface(socket, bytes, to.ip())?;
                node.net.get_mut(id).interface = interface;
            }
            let is_remote = node.path.faults.are_used() && tcp::is_remote(node, to);
            let error = if is_remote { call.refuse_connection(to)? } else { None };
            let node = call.node_mut();
            tcp::connect(node, id, to, error)?;
            node.changed();
        }
        ConnectAnswer::Begun => {}
    }
    if begins && at_once {
        // Even what is settled by now is told later, as on Linux.
        return Err(Errno::EINPROGRESS.into());
    }
    let node = call.node_mut();
    tcp::expire(node, id);
    match tcp::tcp(node.net.get(id)).phase {
        TcpPhase::Connecting if at_once => Err(Errno::EALREADY.into()),
        TcpPhase::Connecting => match wait_for(call, open, POLLOUT, 0) {
            Ok(wait) => Ok(Reply::Wait(wait)),
            Err(_) => Err(Errno::EINPROGRESS.into()),
        },
        TcpPhase::Established => {
            tcp::tcp_mut(node, id).told = ConnectAnswer::Connected;
            Ok(Reply::Value(0))
        }
        TcpPhase::Idle | TcpPhase::Listening | TcpPhase::Opening | TcpPhase::Over => {
            let error = node.net.get_mut(id).take_error().err().unwrap_or(Errno::ECONNABORTED);
            tcp::disconnect(node, id);
            Err(error.into())
        }
    }
}

// ---- listen and accept ---------------------------------------------------------------------

pub(crate) fn listen<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (_, id) = socket_arg(call, 0)?;
    // A negative backlog is a very large one.
    let backlog = call.arg32(1)?;
    let node = call.node_mut();
    match node.net.get(id).family {
        SocketFamily::Tcp(_) => tcp::listen(node, id, backlog)?,
        SocketFamily::Udp(_) | SocketFamily::Icmp(_) | SocketFamily::Netlink(_) => {
            return Err(Errno::EOPNOTSUPP.into());
        }
        SocketFamily::Unix(_) => {
            local::listen(node, id, backlog)?;
            tcp::exposed::note_ports(node, id);
            tcp::admit_held(node, id);
        }
    }
    node.changed();
    Ok(Reply::Value(0))
}

pub(crate) fn accept<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    accept_with(call, 0)
}

pub(crate) fn accept4<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let flags = call.arg32(3)?;
    if flags & !create::FLAGS != 0 {
        return Err(Errno::EINVAL.into());
    }
    accept_with(call, flags)
}

fn accept_with<X: Guest>(call: &mut Call<'_, '_, X>, flags: u32) -> Answer {
    let open = socket_arg(call, 0)?;
    let (address, len_address) = (call.arg(1)?, call.arg(2)?);
    let limit = call.node().process().limits.open_files();
    call.node().process().descriptors.lowest_free(0, limit)?;
    let socket = call.node().net.get(open.1);
    if matches!(socket.kind, linux::SOCK_DGRAM | linux::SOCK_RAW) {
        return Err(Errno::EOPNOTSUPP.into());
    }
    // A UNIX socket that is shut for reading listens on, but gives nobody.
    if !socket.is_listening() || socket.shut_in {
        return Err(Errno::EINVAL.into());
    }
    let most = address::most_bytes(call.node().net.get(open.1));
    let place = AddressPlace::find(call, address, len_address, most)?;
    let may_wait = !does_not_wait(call, open.0, 0);
    call.look(&[(open.0, POLLIN as u16)], may_wait)?;
    let node = call.node_mut();
    let accepted = match node.net.get(open.1).family {
        SocketFamily::Unix(_) => {
            let child = local::accept(node, open.1);
            tcp::admit_held(node, open.1);
            child
        }
        _ => tcp::accept(node, open.1),
    };
    let Some(child) = accepted else {
        let wait = wait_for(call, open, POLLIN, 0)?;
        return Ok(Reply::Wait(wait));
    };
    let number = create::open_file(node, child, flags)?;
    node.changed();
    let socket = node.net.get(child);
    let bytes = match socket.family {
        SocketFamily::Unix(_) => local::peer_name_bytes(node, child)?,
        _ if socket.domain == linux::AF_UNIX => unnamed_bytes(),
        _ => inet::inet_bytes(&node.net, socket.domain, socket.remote.unwrap_or(NOWHERE)),
    };
    if let Some(place) = place {
        place.write(call, &bytes)?;
    }
    Ok(Reply::Value(number.into()))
}

// ---- shutdown ------------------------------------------------------------------------------

pub(crate) fn shutdown<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (_, id) = socket_arg(call, 0)?;
    let how = call.arg32(1)?;
    let (reads, writes) = match how {
        linux::SHUT_RD => (true, false),
        linux::SHUT_WR => (false, true),
        linux::SHUT_RDWR => (true, true),
        _ => return Err(Errno::EINVAL.into()),
    };
    let node = call.node_mut();
    node.changed();
    match node.net.get(id).family {
        SocketFamily::Tcp(_) => shut_tcp(node, id, reads, writes)?,
        SocketFamily::Udp(_) | SocketFamily::Icmp(_) => {
            let socket = node.net.get_mut(id);
            socket.shut_in |= reads;
            socket.shut_out |= writes;
            socket.arrivals += 1;
            if socket.remote.is_none() {
                return Err(Errno::ENOTCONN.into());
            }
        }
        SocketFamily::Unix(_) => local::shutdown(node, id, reads, writes),
        SocketFamily::Netlink(_) => return Err(Errno::EOPNOTSUPP.into()),
    }
    Ok(Reply::Value(0))
}

fn shut_tcp(
    node: &mut Node,
    id: crate::state::ids::SocketId,
    reads: bool,
    writes: bool,
) -> Result<(), Errno> {
    tcp::expire(node, id);
    match tcp::tcp(node.net.get(id)).phase {
        TcpPhase::Listening if !reads => {}
        // It stops to listen, or to connect, and can begin again.
        TcpPhase::Listening | TcpPhase::Connecting => {
            tcp::disconnect(node, id);
            let socket = node.net.get_mut(id);
            socket.arrivals += 1;
            socket.departures += 1;
        }
        TcpPhase::Established => {
            let socket = node.net.get_mut(id);
            socket.shut_in |= reads;
            socket.arrivals += 1;
            if writes {
                tcp::finish(node, id);
            }
        }
        TcpPhase::Idle | TcpPhase::Opening | TcpPhase::Over => {
            let socket = node.net.get_mut(id);
            socket.shut_in |= reads;
            socket.shut_out |= writes;
            return Err(Errno::ENOTCONN);
        }
    }
    Ok(())
}
