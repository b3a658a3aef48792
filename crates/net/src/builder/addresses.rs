//! Interfaces and their addresses: those that were given, and those that were left out.
//!
//! Given addresses are taken first. Then each interface gets a free one of each family that its network has
//! and of which it has none, hosts in the order in which they were given: nodes from the lowest upwards, and
//! routers from the highest downwards, so that a node more does not move a gateway.

use std::net::IpAddr;
use std::ops::RangeInclusive;

use everett_base::Map;

use super::{HostSpec, InterfaceSpec, TopologyBuilder, at, interface_name};
use crate::subnet::number;
use crate::{
    Address, AddressSpec, HostKind, Interface, Network, NetworkId, Subnet, TopologyError,
    TopologyPlace, TopologyProblem,
};

/// Whose an address is: the host as it was given, and the position of its interface.
pub(super) type AddressOwners = Map<IpAddr, (usize, usize)>;

/// The interfaces of each host as it was given.
pub(super) fn numbered(
    builder: &TopologyBuilder,
    networks: &[Network],
) -> Result<(Vec<Vec<Interface>>, AddressOwners), TopologyError> {
    let mut owners = AddressOwners::default();
    let mut hosts = Vec::with_capacity(builder.hosts.len());
    for (index, (_, spec)) in builder.hosts.iter().enumerate() {
        hosts.push(given(builder, networks, &mut owners, index, spec)?);
    }
    let usable =
        |network: &Network| network.subnets().map(|subnet| (subnet, subnet.usable())).collect();
    let mut free: Vec<Vec<(Subnet, RangeInclusive<u128>)>> = networks.iter().map(usable).collect();
    for (index, interfaces) in hosts.iter_mut().enumerate() {
        let (kind, spec) = &builder.hosts[index];
        for (position, interface) in interfaces.iter_mut().enumerate() {
            for (subnet, range) in &mut free[interface.network.index()] {
                let is_ipv4 = subnet.base().is_ipv4();
                if interface.addresses.iter().any(|address| address.ip.is_ipv4() == is_ipv4) {
                    continue;
                }
                let ip = next_free(*kind, *subnet, range, &owners).ok_or_else(|| {
                    let place = TopologyPlace::Interface { host: index, interface: position };
                    at(place, full(spec, &networks[interface.network.index()], *subnet))
                })?;
                owners.insert(ip, (index, position));
                interface.addresses.push(Address { ip, subnet: *subnet });
            }
            interface.addresses.sort_by_key(|address| address.ip.is_ipv6());
        }
    }
    Ok((hosts, owners))
}

fn full(spec: &HostSpec, network: &Network, subnet: Subnet) -> TopologyProblem {
    TopologyProblem::NoFreeAddress {
        host: spec.name.clone(),
        network: network.name.clone(),
        subnet,
    }
}

fn next_free(
    kind: HostKind,
    subnet: Subnet,
    range: &mut RangeInclusive<u128>,
    owners: &AddressOwners,
) -> Option<IpAddr> {
    let is_free = |number: &u128| !owners.contains_key(&subnet.address(*number));
    let number = match kind {
        HostKind::Node => range.find(is_free),
        HostKind::Router => range.rfind(is_free),
    };
    number.map(|number| subnet.address(number))
}

/// The interfaces of a host with the addresses that were given.
fn given(
    builder: &TopologyBuilder,
    networks: &[Network],
    owners: &mut AddressOwners,
    host: usize,
    spec: &HostSpec,
) -> Result<Vec<Interface>, TopologyError> {
    let left_out = [InterfaceSpec::default()];
    let specs = if spec.interfaces.is_empty() { &left_out[..] } else { &spec.interfaces[..] };
    let mut interfaces = Vec::with_capacity(specs.len());
    for (position, each) in specs.iter().enumerate() {
        let network = network_of(networks, host, spec, position, each)?;
        let mut addresses = Vec::with_capacity(each.addresses.len());
        for (number, address) in each.addresses.iter().enumerate() {
            let place = TopologyPlace::Address { host, interface: position, address: number };
            let network = &networks[network.index()];
            let address = checked(spec, network, address).map_err(|problem| at(place, problem))?;
            if let Some(&(other, _)) = owners.get(&address.ip) {
                let problem = TopologyProblem::DuplicateAddress {
                    host: spec.name.clone(),
                    address: address.ip,
                    other: builder.hosts[other].1.name.clone(),
                };
                return Err(at(place, problem));
            }
            owners.insert(address.ip, (host, position));
            addresses.push(address);
        }
        let (name, timing) = (interface_name(position, each), each.timing.clone());
        interfaces.push(Interface { name, network, addresses, timing });
    }
    Ok(interfaces)
}

fn network_of(
    networks: &[Network],
    host: usize,
    spec: &HostSpec,
    interface: usize,
    given: &InterfaceSpec,
) -> Result<NetworkId, TopologyError> {
    let place = TopologyPlace::Interface { host, interface };
    if let Some(name) = &given.network {
        let found = networks.iter().position(|network| network.name == *name);
        let unknown =
            || TopologyProblem::UnknownNetwork { host: spec.name.clone(), network: name.clone() };
        return found.map(NetworkId::from_index).ok_or_else(|| at(place, unknown()));
    }
    match (given.addresses.first(), networks) {
        (_, [_]) => Ok(NetworkId(0)),
        (Some(&AddressSpec { ip, prefix: _ }), _) => {
            let found = networks
                .iter()
                .position(|network| network.subnets().any(|subnet| subnet.contains(ip)));
            found.map(NetworkId::from_index).ok_or_else(|| {
                let place = TopologyPlace::Address { host, interface, address: 0 };
                at(
                    place,
                    TopologyProblem::AddressOnNoNetwork { host: spec.name.clone(), address: ip },
                )
            })
        }
        (None, _) => {
            let place = if spec.interfaces.is_empty() { TopologyPlace::Host(host) } else { place };
            Err(at(place, TopologyProblem::NetworkNotGiven(spec.name.clone())))
        }
    }
}

/// The address with its prefix, if a host on the network can have it.
fn checked(
    spec: &HostSpec,
    network: &Network,
    given: &AddressSpec,
) -> Result<Address, TopologyProblem> {
    let AddressSpec { ip, prefix } = *given;
    let of_family = network.subnets().find(|subnet| subnet.base().is_ipv4() == ip.is_ipv4());
    let Some(own) = of_family else {
        let (host, network) = (spec.name.clone(), network.name.clone());
        return Err(TopologyProblem::NoSubnet6 { host, address: ip, network });
    };
    if !own.contains(ip) {
        return Err(TopologyProblem::AddressOutside {
            host: spec.name.clone(),
            address: ip,
            network: network.name.clone(),
            subnet: own,
        });
    }
    let prefix = prefix.unwrap_or(own.prefix());
    let subnet = Subnet::around(ip, prefix).ok_or(TopologyProblem::BadPrefix(ip))?;
    for each in [own, subnet] {
        if !each.usable().contains(&number(ip)) {
            let host = spec.name.clone();
            return Err(TopologyProblem::AddressOfNoHost { host, address: ip, subnet: each });
        }
    }
    Ok(Address { ip, subnet })
}
