//! The network interfaces of a host, as programs see them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use everett_net::{Subnet, Topology, hardware_address, is_link_local};

use crate::state::sockets::Net;

/// Flags of interfaces: up and running, those of networks, the loopback interface.
const UP: u16 = 0x1 | 0x40;
const BROADCAST: u16 = 0x2 | 0x1000;
const LOOPBACK: u16 = 0x8;
/// Kinds of hardware: loopback and Ethernet.
const ARPHRD_LOOPBACK: u16 = 772;
const ARPHRD_ETHER: u16 = 1;
/// The number of the loopback interface, and that of the first one on a network.
pub(crate) const LOOPBACK_INDEX: u32 = 1;
const FIRST_INDEX: u32 = 2;

/// The reach of an address of IPv6, as Linux numbers it: the host, the link, everywhere.
const SCOPE_HOST: u8 = 0x10;
const SCOPE_LINK: u8 = 0x20;
const SCOPE_GLOBAL: u8 = 0;

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
            IpAddr::V4(address) if !self.is_loopback => hardware_address(address),
            _ => [0; 6],
        }
    }

    /// The reach of the address, which is one of IPv6.
    pub(crate) fn scope6(&self) -> u8 {
        match self.address {
            address if address.is_loopback() => SCOPE_HOST,
            address if is_link_local(address) => SCOPE_LINK,
            _ => SCOPE_GLOBAL,
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
        for (index, interface) in (FIRST_INDEX..).zip(attached) {
            for own in interface.addresses.iter().chain(&interface.link_local()) {
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
        if is_link_local(address) {
            return self.scope_of(address);
        }
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

    /// The number of an interface by its position among those on networks.
    pub(crate) fn index_of(position: usize) -> u32 {
        FIRST_INDEX + position as u32
    }

    /// Returns true if there is an interface with a number.
    pub(crate) fn has_interface(&self, index: u32) -> bool {
        let on_networks = self.topology.as_ref().map_or(0, |t| t.host(self.host).interfaces.len());
        (LOOPBACK_INDEX..FIRST_INDEX + on_networks as u32).contains(&index)
    }

    /// The interface without which an address means nothing: that of a link-local address; 0 for others.
    pub(crate) fn scope_of(&self, address: IpAddr) -> u32 {
        let link = |topology: &Arc<Topology>| topology.link_of(self.host, address);
        match is_link_local(address) {
            true => self.topology.as_ref().and_then(link).map_or(0, Net::index_of),
            false => 0,
        }
    }

    /// The number of the interface that a packet has come by. One for a link, or for a group, that stays on
    /// its host counts as having come by the interface that it has left by.
    pub(crate) fn arrival_interface(&self, source: IpAddr, destination: IpAddr) -> u32 {
        let is_scoped = destination.is_multicast() || is_link_local(destination);
        let is_inside = destination.is_loopback() || source.is_loopback();
        if is_inside || !is_scoped && self.is_own(source) {
            return LOOPBACK_INDEX;
        }
        let Some(topology) = &self.topology else { return LOOPBACK_INDEX };
        match topology.owner(destination) {
            Some((host, position)) if host == self.host => Net::index_of(position),
            // For many: it is from the same network.
            _ => match topology.owner(source) {
                Some((host, position)) => {
                    let network = topology.host(host).interfaces[position].network;
                    let own = &topology.host(self.host).interfaces;
                    let found = own.iter().position(|each| each.network == network);
                    found.map_or(0, Net::index_of)
                }
                None => 0,
            },
        }
    }
}
