//! `socket` and `socketpair`.

use linux_raw_sys::general::{O_CLOEXEC, O_NONBLOCK, O_RDWR};
use linux_raw_sys::net as linux;
use syscalls::Errno;

use super::netlink;
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::net::{icmp, unix};
use crate::state::file::{FileKind, OpenFile};
use crate::state::ids::SocketId;
use crate::state::node::Node;
use crate::state::sockets::tcp::Tcp;
use crate::state::sockets::udp::Udp;
use crate::state::sockets::{Socket, SocketFamily};

/// The bits of a type that are not flags.
const TYPE_MASK: u32 = 0xf;
/// One more than the largest type, domain and protocol that Linux has.
const TYPES: u32 = 11;
const DOMAINS: u32 = 46;
const PROTOCOLS: u32 = 263;
/// The domain of sockets that see whole frames of a network.
const AF_PACKET: u32 = 17;
/// Flags of a new socket, which are those of its file.
pub(super) const FLAGS: u32 = O_CLOEXEC | O_NONBLOCK;

/// The socket that the arguments of `socket` ask for, and the flags.
fn asked<X: Guest>(call: &mut Call<'_, '_, X>) -> Result<(u32, u32, u32, u32), CallHalt> {
    let (domain, kind, protocol) = (call.arg32(0)?, call.arg32(1)?, call.arg32(2)?);
    let flags = kind & !TYPE_MASK;
    if flags & !FLAGS != 0 {
        return Err(Errno::EINVAL.into());
    }
    Ok((domain, kind & TYPE_MASK, protocol, flags))
}

/// A new socket of a kind.
fn make<X: Guest>(
    call: &Call<'_, '_, X>,
    domain: u32,
    kind: u32,
    protocol: u32,
) -> Result<Socket, CallHalt> {
    if domain >= DOMAINS {
        return Err(Errno::EAFNOSUPPORT.into());
    }
    if kind >= TYPES {
        return Err(Errno::EINVAL.into());
    }
    match domain {
        linux::AF_INET | linux::AF_INET6 => inet(call, domain, kind, protocol),
        linux::AF_UNIX => Ok(unix::new(kind, protocol)?),
        linux::AF_NETLINK => Ok(netlink::new(kind, protocol)?),
        AF_PACKET if call.node().process().ids.effective_uid != 0 => Err(Errno::EPERM.into()),
        AF_PACKET => Err(call.unsupported("packet sockets (AF_PACKET)")),
        // A kernel without families that nobody uses.
        _ => Err(Errno::EAFNOSUPPORT.into()),
    }
}

fn inet<X: Guest>(
    call: &Call<'_, '_, X>,
    domain: u32,
    kind: u32,
    protocol: u32,
) -> Result<Socket, CallHalt> {
    if protocol >= PROTOCOLS {
        return Err(Errno::EINVAL.into());
    }
    let own_icmp = if domain == linux::AF_INET { icmp::PROTOCOL4 } else { icmp::PROTOCOL6 };
    let new = |protocol, family| Ok(Socket::new(domain, kind, protocol, family));
    match (kind, protocol) {
        (linux::SOCK_STREAM, 0 | linux::SOL_TCP) => {
            new(linux::SOL_TCP, SocketFamily::Tcp(Tcp::default()))
        }
        (linux::SOCK_DGRAM, 0 | linux::SOL_UDP) => {
            new(linux::SOL_UDP, SocketFamily::Udp(Udp::default()))
        }
        (linux::SOCK_RAW, 0) => Err(Errno::EPROTONOSUPPORT.into()),
        (linux::SOCK_RAW, _) if call.node().process().ids.effective_uid != 0 => {
            Err(Errno::EPERM.into())
        }
        (linux::SOCK_RAW, _) if protocol == own_icmp => {
            let mut socket = new(protocol, SocketFamily::Icmp(Udp::default()))?;
            // The number of the protocol is its port, as it tells.
            socket.local.set_port(protocol as u16);
            socket.chose_port = true;
            Ok(socket)
        }
        (linux::SOCK_RAW, _) => {
            Err(call.unsupported(format!("raw sockets of protocol {protocol}")))
        }
        (linux::SOCK_DGRAM, _) if protocol == own_icmp => {
            new(protocol, SocketFamily::Icmp(Udp::default()))
        }
        (linux::SOCK_STREAM | linux::SOCK_DGRAM, _) => Err(Errno::EPROTONOSUPPORT.into()),
        _ => Err(Errno::ESOCKTNOSUPPORT.into()),
    }
}

/// Adds a socket and opens a file for it.
pub(super) fn open(node: &mut Node, mut socket: Socket, flags: u32) -> Result<u32, Errno> {
    let limit = node.process().limits.open_files();
    node.process().descriptors.lowest_free(0, limit)?;
    socket.owner = node.process().ids.effective_uid;
    let id = node.net.add(socket);
    open_file(node, id, flags)
}

/// Opens a file for a socket that has none; there is a free descriptor.
pub(super) fn open_file(node: &mut Node, id: SocketId, flags: u32) -> Result<u32, Errno> {
    let file = OpenFile::new(FileKind::Socket(id), O_RDWR | flags & O_NONBLOCK);
    let file = node.add_file(file);
    node.net.get_mut(id).file = Some(file);
    node.add_descriptor(file, flags & O_CLOEXEC != 0)
}

pub(crate) fn socket<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (domain, kind, protocol, flags) = asked(call)?;
    let socket = make(call, domain, kind, protocol)?;
    let number = open(call.node_mut(), socket, flags)?;
    Ok(Reply::Value(number.into()))
}

pub(crate) fn socketpair<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let (domain, kind, protocol, flags) = asked(call)?;
    let address = call.arg(3)?;
    let limit = call.node().process().limits.open_files();
    let descriptors = &call.node().process().descriptors;
    let first = descriptors.lowest_free(0, limit)?;
    descriptors.lowest_free(first + 1, limit)?;
    call.check_writable(address, 8)?;
    let (one, other) = (make(call, domain, kind, protocol)?, make(call, domain, kind, protocol)?);
    if domain != linux::AF_UNIX {
        return Err(Errno::EOPNOTSUPP.into());
    }
    let node = call.node_mut();
    let (one, other) = (node.net.add(one), node.net.add(other));
    unix::join(node, one, other);
    let mut bytes = [0; 8];
    for (place, id) in bytes.chunks_mut(4).zip([one, other]) {
        let number = open_file(node, id, flags)?;
        place.copy_from_slice(&number.to_le_bytes());
    }
    call.write_concrete(address, &bytes)?;
    Ok(Reply::Value(0))
}
