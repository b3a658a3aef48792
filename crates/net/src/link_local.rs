//! Link-local addresses of IPv6 (`fe80::/10`): each interface on a network with IPv6 has one.
//!
//! It is made of the interface's hardware address, as Linux does without privacy extensions, and that is made
//! of its primary address of IPv4. So an address of another host tells whose it is, although no table has it,
//! and it is there once in all networks. Not here: the way to one (`route.rs`).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The bits of link-local addresses, and those that all of a host's have.
const PREFIX: u16 = 0xfe80;
pub(crate) const PREFIX_BITS: u8 = 64;

/// Returns true if an address is for one link alone.
pub fn is_link_local(address: IpAddr) -> bool {
    matches!(address, IpAddr::V6(address) if address.is_unicast_link_local())
}

/// Returns true if an address only means something together with an interface: one for one link, or a group
/// on one link or of one interface.
pub fn needs_scope(address: IpAddr) -> bool {
    let IpAddr::V6(address) = address else { return false };
    let [first, second, ..] = address.octets();
    address.is_unicast_link_local() || first == 0xff && matches!(second & 0xf, 1 | 2)
}

/// The hardware address of an interface with this address.
pub fn hardware_address(address: Ipv4Addr) -> [u8; 6] {
    let [a, b, c, d] = address.octets();
    [2, 0, a, b, c, d]
}

/// The link-local address of an interface with this address: its hardware address, in whose middle two bytes
/// are put, and whose bit for local administration is turned over (RFC 4291, appendix A).
pub(crate) fn link_local_of(address: Ipv4Addr) -> Ipv6Addr {
    let [first, second, third, rest @ ..] = hardware_address(address);
    let [fourth, fifth, sixth] = rest;
    let pair = |high, low| u16::from_be_bytes([high, low]);
    let low = [pair(first ^ 2, second), pair(third, 0xff), pair(0xfe, fourth), pair(fifth, sixth)];
    Ipv6Addr::new(PREFIX, 0, 0, 0, low[0], low[1], low[2], low[3])
}

/// The primary address of the interface that has a link-local address, if any has it.
pub(crate) fn primary_of(address: IpAddr) -> Option<Ipv4Addr> {
    let IpAddr::V6(address) = address else { return None };
    let [.., a, _, _, b, c, d] = address.octets();
    let primary = Ipv4Addr::new(a, b, c, d);
    (link_local_of(primary) == address).then_some(primary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_tells_whose_it_is() {
        let primary = Ipv4Addr::new(10, 1, 2, 3);
        let address: IpAddr = link_local_of(primary).into();
        assert_eq!(address.to_string(), "fe80::aff:fe01:203");
        assert_eq!(primary_of(address), Some(primary));
        assert!(is_link_local(address) && needs_scope(address));
        for other in ["fe80::1", "fd00::aff:fe01:203", "fe80::1:0:aff:fe01:203", "10.1.2.3"] {
            let other: IpAddr = other.parse().expect("an address");
            assert_eq!(primary_of(other), None, "{other}");
        }
    }

    #[test]
    fn groups_of_a_link_need_an_interface() {
        for (text, needs) in
            [("ff02::1", true), ("ff01::1", true), ("ff05::1", false), ("fd00::1", false)]
        {
            assert_eq!(needs_scope(text.parse().expect("an address")), needs, "{text}");
        }
    }
}
