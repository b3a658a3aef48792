//! Addresses of IPv4 and IPv6 as programs have them: `struct sockaddr_in` and `struct sockaddr_in6`.
//!
//! An address of IPv4 that one of IPv6 holds (`::ffff:10.0.0.1`) is an address of IPv4 here, whatever the
//! socket.

use std::net::{IpAddr, SocketAddr};

use everett_net::needs_scope;
use linux_raw_sys::net as linux;
use syscalls::Errno;

use crate::state::sockets::Net;

/// Bytes of `struct sockaddr_in`.
pub(crate) const INET_BYTES: usize = 16;
/// Bytes of `struct sockaddr_in6`, and of what it was before it named an interface.
pub(crate) const INET6_BYTES: usize = 28;
const LEAST_INET6_BYTES: usize = 24;

/// The family of an address; `EINVAL` if it is too short to have one.
pub(crate) fn family(bytes: &[u8]) -> Result<u32, Errno> {
    match bytes {
        [low, high, ..] => Ok(u16::from_le_bytes([*low, *high]).into()),
        _ => Err(Errno::EINVAL),
    }
}

/// An address and port of IPv4, whatever the family says.
pub(crate) fn inet_parts(bytes: &[u8]) -> Result<SocketAddr, Errno> {
    let Some([_, _, p, q, a, b, c, d]) = bytes.first_chunk().filter(|_| bytes.len() >= INET_BYTES)
    else {
        return Err(Errno::EINVAL);
    };
    Ok(SocketAddr::new([*a, *b, *c, *d].into(), u16::from_be_bytes([*p, *q])))
}

/// An address and port of IPv6, whatever the family says. One that holds an address of IPv4 is that.
pub(crate) fn inet6_parts(bytes: &[u8]) -> Result<SocketAddr, Errno> {
    let is_whole = bytes.len() >= LEAST_INET6_BYTES;
    let (Some([_, _, p, q, _, _, _, _]), Some(ip)) =
        (bytes.first_chunk(), bytes.get(8..).and_then(|rest| rest.first_chunk::<16>()))
    else {
        return Err(Errno::EINVAL);
    };
    let ip = IpAddr::from(*ip).to_canonical();
    let address = SocketAddr::new(ip, u16::from_be_bytes([*p, *q]));
    if is_whole { Ok(address) } else { Err(Errno::EINVAL) }
}

/// The number of the interface that an address of IPv6 comes with, if it means nothing without one; 0 for
/// none.
pub(crate) fn inet6_scope(bytes: &[u8]) -> u32 {
    let (Some(ip), Some(scope)) = (
        bytes.get(8..).and_then(|rest| rest.first_chunk::<16>()),
        bytes.get(LEAST_INET6_BYTES..).and_then(|rest| rest.first_chunk()),
    ) else {
        return 0;
    };
    if needs_scope(IpAddr::from(*ip)) { u32::from_le_bytes(*scope) } else { 0 }
}

/// An address of IPv4 or IPv6; `None` if it is of another family, or none at all.
pub(crate) fn inet_address(bytes: &[u8]) -> Option<SocketAddr> {
    match family(bytes).ok()? {
        linux::AF_INET => inet_parts(bytes).ok(),
        linux::AF_INET6 => inet6_parts(bytes).ok(),
        _ => None,
    }
}

/// The structure in which a socket of a domain tells an address, with the interface of a link-local one.
pub(crate) fn inet_bytes(net: &Net, domain: u32, address: SocketAddr) -> Vec<u8> {
    let mut bytes = (domain as u16).to_le_bytes().to_vec();
    bytes.extend_from_slice(&address.port().to_be_bytes());
    let ip = match (domain, address.ip()) {
        (linux::AF_INET6, IpAddr::V4(ip)) => ip.to_ipv6_mapped().into(),
        (_, ip) => ip,
    };
    match ip {
        IpAddr::V4(ip) => {
            bytes.extend_from_slice(&ip.octets());
            bytes.resize(INET_BYTES, 0);
        }
        IpAddr::V6(ip) => {
            // The label of the flow, which nobody sets.
            bytes.extend_from_slice(&[0; 4]);
            bytes.extend_from_slice(&ip.octets());
            bytes.extend_from_slice(&net.scope_of(ip.into()).to_le_bytes());
        }
    }
    bytes
}
