//! Socket addresses in the program's memory.

use std::net::{IpAddr, SocketAddr};

use everett_net::needs_scope;
use linux_raw_sys::net as linux;
use syscalls::Errno;

use super::netlink;
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::CallHalt;
use crate::net::inet::{INET_BYTES, INET6_BYTES, family, inet_parts, inet6_parts, inet6_scope};
use crate::state::sockets::{Socket, SocketFamily};

/// Bytes of `struct sockaddr_storage`, the longest address.
const MOST_BYTES: u32 = 128;

/// The bytes of an address that the program gives. Only those that its family has a meaning for are looked
/// at: not the zeros of `struct sockaddr_in`, nor what follows the name of a file.
pub(super) fn read<X: Guest>(
    call: &mut Call<'_, '_, X>,
    address: u64,
    len: u32,
) -> Result<Vec<u8>, CallHalt> {
    if len > MOST_BYTES {
        return Err(Errno::EINVAL.into());
    }
    let len = len.into();
    if let Some(known) = call.read_concrete(address, len)? {
        return Ok(known);
    }
    let family = match len {
        ..2 => 0,
        _ => call.read_number(address, 2)? as u32,
    };
    let mut end = match family {
        linux::AF_INET => 8,
        linux::AF_UNIX => 2,
        _ => len,
    };
    if family == linux::AF_UNIX {
        // An abstract name has all bytes, and one of a file ends at a zero.
        let is_abstract = len > end && call.read_number(address + end, 1)? == 0;
        while end < len && (is_abstract || call.read_number(address + end, 1)? != 0) {
            end += 1;
        }
        end += 1;
    }
    call.read_settled_partly(address, len, |at| at < end)
}

/// The address to which a socket is to be connected.
pub(super) fn to_connect(socket: &Socket, bytes: &[u8]) -> Result<SocketAddr, Errno> {
    let family = family(bytes)?;
    let is_datagram = matches!(socket.family, SocketFamily::Udp(_) | SocketFamily::Icmp(_));
    let takes_ipv4 = || !socket.is_for_ipv6_only();
    if socket.domain == linux::AF_INET || is_datagram && family == linux::AF_INET && takes_ipv4() {
        let address = inet_parts(bytes)?;
        return if family == linux::AF_INET { Ok(address) } else { Err(Errno::EAFNOSUPPORT) };
    }
    let address = inet6_parts(bytes)?;
    if family != linux::AF_INET6 {
        return Err(Errno::EAFNOSUPPORT);
    }
    check_reach(socket, address)?;
    Ok(address)
}

/// The address to which a datagram is to be sent; `None` leaves it to the connection.
pub(super) fn to_send(socket: &Socket, bytes: &[u8]) -> Result<Option<SocketAddr>, Errno> {
    let family = family(bytes)?;
    if socket.domain == linux::AF_INET {
        let address = inet_parts(bytes)?;
        let is_known = matches!(family, linux::AF_INET | linux::AF_UNSPEC);
        return if is_known { Ok(Some(address)) } else { Err(Errno::EAFNOSUPPORT) };
    }
    let address = match family {
        linux::AF_INET6 => inet6_parts(bytes)?,
        linux::AF_INET => inet_parts(bytes)?,
        linux::AF_UNSPEC => return Ok(None),
        _ => return Err(Errno::EINVAL),
    };
    check_reach(socket, address)?;
    Ok(Some(address))
}

/// The number of the interface that a socket is bound to once it has an address, or talks to it: the one that
/// comes with the address, or that it is bound to already. 0 for none.
pub(super) fn interface(socket: &Socket, bytes: &[u8], address: IpAddr) -> Result<u32, Errno> {
    if !needs_scope(address) {
        return Ok(socket.interface);
    }
    match (inet6_scope(bytes), socket.interface) {
        (0, 0) => Err(Errno::EINVAL),
        (0, own) => Ok(own),
        (given, own) if own != 0 && own != given => Err(Errno::EINVAL),
        (given, _) => Ok(given),
    }
}

/// Fails if a socket of IPv6 cannot reach an address: it is for IPv6 only, or has an address of the other
/// family.
fn check_reach(socket: &Socket, to: SocketAddr) -> Result<(), Errno> {
    let (own, is_v6_only) = socket.claim();
    let is_refused = to.is_ipv4() && is_v6_only;
    let is_other = !own.is_unspecified() && own.is_ipv4() != to.is_ipv4();
    if is_refused || is_other { Err(Errno::ENETUNREACH) } else { Ok(()) }
}

/// The least length of the address of another socket that a socket tells.
pub(super) fn most_bytes(socket: &Socket) -> usize {
    match (socket.domain, &socket.family) {
        (_, SocketFamily::Tcp(tcp)) if !tcp.is_listening() => 0,
        (linux::AF_INET, _) => INET_BYTES,
        (linux::AF_INET6, _) => INET6_BYTES,
        (linux::AF_NETLINK, _) => netlink::NAME_BYTES,
        // The family alone, where the other one has no name.
        _ => 2,
    }
}

/// The place that an address is written to, and the place of its length. Both were checked.
#[derive(Clone, Copy, Debug)]
pub(super) struct AddressPlace {
    address: u64,
    len_address: u64,
    room: u32,
}

impl AddressPlace {
    /// A place that the program gives, for an address of up to `most` bytes; `None` if it does not
    /// want the address.
    pub(super) fn find<X: Guest>(
        call: &mut Call<'_, '_, X>,
        address: u64,
        len_address: u64,
        most: usize,
    ) -> Result<Option<AddressPlace>, CallHalt> {
        if address == 0 {
            return Ok(None);
        }
        let room = call.read_u32(len_address)?;
        call.check_writable(len_address, 4)?;
        if room.cast_signed() < 0 {
            return Err(Errno::EINVAL.into());
        }
        call.check_writable(address, u64::from(room).min(most as u64))?;
        Ok(Some(AddressPlace { address, len_address, room }))
    }

    /// Writes as much of an address as there is room for, and how long it is.
    pub(super) fn write<X: Guest>(
        self,
        call: &mut Call<'_, '_, X>,
        bytes: &[u8],
    ) -> Result<(), CallHalt> {
        let len = bytes.len().min(self.room as usize);
        call.write_concrete(self.address, &bytes[..len])?;
        call.write_u32(self.len_address, bytes.len() as u32)
    }
}
