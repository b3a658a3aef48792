//! Socket addresses in the program's memory.

use std::net::{Ipv4Addr, SocketAddrV4};

use linux_raw_sys::net as linux;
use syscalls::Errno;

use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::CallHalt;
use crate::state::sockets::{Socket, SocketFamily};

/// Bytes of `struct sockaddr_storage`, the longest address.
const MOST_BYTES: u32 = 128;
/// Bytes of `struct sockaddr_in`.
pub(super) const INET_BYTES: usize = 16;

/// The bytes of an address that the program gives.
pub(super) fn read<X: Guest>(
    call: &mut Call<'_, '_, X>,
    address: u64,
    len: u32,
) -> Result<Vec<u8>, CallHalt> {
    if len > MOST_BYTES {
        return Err(Errno::EINVAL.into());
    }
    call.read_settled(address, len.into())
}

/// The family of an address; `EINVAL` if it is too short to have one.
pub(super) fn family(bytes: &[u8]) -> Result<u32, Errno> {
    match bytes {
        [low, high, ..] => Ok(u16::from_le_bytes([*low, *high]).into()),
        _ => Err(Errno::EINVAL),
    }
}

/// An address and port of IPv4, whatever the family says.
pub(super) fn inet_parts(bytes: &[u8]) -> Result<SocketAddrV4, Errno> {
    let Some([_, _, p, q, a, b, c, d]) = bytes.first_chunk().filter(|_| bytes.len() >= INET_BYTES)
    else {
        return Err(Errno::EINVAL);
    };
    Ok(SocketAddrV4::new(Ipv4Addr::new(*a, *b, *c, *d), u16::from_be_bytes([*p, *q])))
}

/// An address of IPv4; `EAFNOSUPPORT` if it is another one.
pub(super) fn inet(bytes: &[u8]) -> Result<SocketAddrV4, Errno> {
    let address = inet_parts(bytes)?;
    if family(bytes)? == linux::AF_INET { Ok(address) } else { Err(Errno::EAFNOSUPPORT) }
}

/// `struct sockaddr_in`.
pub(super) fn inet_bytes(address: SocketAddrV4) -> Vec<u8> {
    let mut bytes = (linux::AF_INET as u16).to_le_bytes().to_vec();
    bytes.extend_from_slice(&address.port().to_be_bytes());
    bytes.extend_from_slice(&address.ip().octets());
    bytes.resize(INET_BYTES, 0);
    bytes
}

/// The least length of the address of another socket that a socket tells.
pub(super) fn most_bytes(socket: &Socket) -> usize {
    match (socket.domain, &socket.family) {
        (_, SocketFamily::Tcp(tcp)) if !tcp.is_listening() => 0,
        (linux::AF_INET, _) => INET_BYTES,
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
