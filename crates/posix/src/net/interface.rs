//! The network interfaces of a host, as programs see them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use everett_net::Subnet;

use crate::state::sockets::Net;

/// Flags of interfaces: up and running, those of networks, the loopback interface.
const UP: u16 = 0x1 | 0x40;
const BROADCAST: u16 = 0x2 | 0x1000;
const LOOPBACK: u16 = 0x8;
/// Kinds of hardware: loopback and Ethernet.
const ARPHRD_LOOPBACK: u16 = 772;
const ARPHRD_ETHER: u16 = 1;
/// The number of the loopback interface.
const LOOPBACK_INDEX: u32 = 1;

/// An address on an interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Interface {
    /// The interface's number, from 1; the loopback interface comes first.
    pub(crate) index: u32,
    pub(crate) name: String,
    pub(crate) address: IpAddr,
    /// The addresses that it takes to be on the network.
    pub(crate) subnet: Subnet,
    pub(crate) is_loopback: bool,
}

impl Interface {
    /// The kind of its hardware, and its flags.
    pub(crate) fn kind_and_flags(&self) -> (u16, u16) {
        match self.is_loopback {
            true => (ARPHRD_LOOPBACK, UP | LOOPBACK),
            false => (ARPHRD_ETHER, UP | BROADCAST),
        }
    }

    /// The longest packet.
    pub(crate) fn mtu(&self) -> u32 {
        if self.is_loopback { 65536 } else { 1500 }
    }

    /// A hardware address that is made up of an address of IPv4, so that each is there once.
    pub(crate) fn hardware_address(&self) -> [u8; 6] {
        match self.address {
            IpAddr::V4(address) if !self.is_loopback => {
                let [a, b, c, d] = address.octets();
                [2, 0, a, b, c, d]
            }
            _ => [0; 6],
        }
    }

    /// The address of all hosts on the network; the loopback interface has none.
    pub(crate) fn broadcast(&self) -> Option<IpAddr> {
        self.subnet.broadcast().filter(|_| !self.is_loopback)
    }
}

impl Net {
    /// All addresses of the host, interface by interface.
    pub(crate) fn interfaces(&self) -> Vec<Interface> {
        let loopback: [(IpAddr, u8); 2] =
            [(Ipv4Addr::LOCALHOST.into(), 8), (Ipv6Addr::LOCALHOST.into(), 128)];
        let loopback = loopback.into_iter().map(|(address, prefix)| Interface {
            index: LOOPBACK_INDEX,
            name: "lo".to_owned(),
            address,
            subnet: Subnet::around(address, prefix).expect("these prefixes fit"),
            is_loopback: true,
        });
        let mut all: Vec<Interface> = loopback.collect();
        let attached = self.topology.iter().flat_map(|t| &t.host(self.host).interfaces);
        for (index, interface) in (2..).zip(attached) {
            for own in &interface.addresses {
                all.push(Interface {
                    index,
                    name: interface.name.clone(),
                    address: own.ip,
                    subnet: own.subnet,
                    is_loopback: false,
                });
            }
        }
        all
    }

    /// The number of the interface that has an address, or that reaches it; 0 if none does.
    pub(crate) fn interface_of(&self, address: IpAddr) -> u32 {
        let all = self.interfaces();
        let found = all.iter().find(|each| each.subnet.contains(address));
        found.map_or(0, |interface| interface.index)
    }

    /// The first address of an interface that is of the family of another address.
    pub(crate) fn address_of_interface(&self, index: u32, like: IpAddr) -> Option<IpAddr> {
        let is_like = |address: IpAddr| address.is_ipv6() == like.is_ipv6();
        let all = self.interfaces();
        let found = all.iter().find(|each| each.index == index && is_like(each.address));
        found.map(|each| each.address)
    }
}
