//! The network interfaces of a host, as programs see them.

use std::net::Ipv4Addr;

use crate::state::sockets::Net;

/// An address on an interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Interface {
    /// The interface's number, from 1; the loopback interface comes first.
    pub(crate) index: u32,
    pub(crate) name: String,
    pub(crate) address: Ipv4Addr,
    pub(crate) prefix: u8,
    /// The address of all hosts on the network; the loopback interface has none.
    pub(crate) broadcast: Option<Ipv4Addr>,
    pub(crate) is_loopback: bool,
}

impl Interface {
    /// The bits of an address that are the network's.
    pub(crate) fn netmask(&self) -> Ipv4Addr {
        Ipv4Addr::from_bits(u32::MAX.checked_shl(32 - u32::from(self.prefix)).unwrap_or(0))
    }
}

impl Net {
    /// All addresses of the host, interface by interface.
    pub(crate) fn interfaces(&self) -> Vec<Interface> {
        let mut all = vec![Interface {
            index: 1,
            name: "lo".to_owned(),
            address: Ipv4Addr::LOCALHOST,
            prefix: 8,
            broadcast: None,
            is_loopback: true,
        }];
        let attached = self.topology.iter().flat_map(|t| &t.host(self.host).interfaces);
        for (index, interface) in (2..).zip(attached) {
            for own in &interface.addresses {
                all.push(Interface {
                    index,
                    name: interface.name.clone(),
                    address: own.ip,
                    prefix: own.subnet.prefix(),
                    broadcast: own.subnet.broadcast(),
                    is_loopback: false,
                });
            }
        }
        all
    }

    /// The number of the interface that has an address, or that reaches it; 0 if none does.
    pub(crate) fn interface_of(&self, address: Ipv4Addr) -> u32 {
        let all = self.interfaces();
        let on = |each: &&Interface| {
            let mask = each.netmask().to_bits();
            each.address.to_bits() & mask == address.to_bits() & mask
        };
        all.iter().find(on).map_or(0, |interface| interface.index)
    }
}
