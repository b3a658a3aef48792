//! The networks and their subnets: those that were given, and those that were left out.
//!
//! A network without a subnet of IPv4 gets the first block of 10.0.0.0/8 that is free, a /24 unless it has
//! more hosts than that. Without any network there is one, `net0`, around the first addresses of both
//! families that a host was given. A network has a subnet of IPv6 only if it is given one.

use std::net::{IpAddr, Ipv4Addr};

use super::{InterfaceSpec, TopologyBuilder, at};
use crate::subnet::number;
use crate::{
    AddressSpec, LinkTiming, Network, Subnet, TopologyError, TopologyPlace, TopologyProblem,
};

/// The name of the network that is there when none was given.
const DEFAULT_NAME: &str = "net0";
/// The longest prefix that is chosen without being asked for.
const DEFAULT_PREFIX: u8 = 24;
/// The shortest one: all of 10.0.0.0/8.
const WIDEST_PREFIX: u8 = 8;
const PRIVATE: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 0);
/// The prefix of a subnet of IPv6 that is found around an address.
const DEFAULT_PREFIX_V6: u8 = 64;
/// Blocks with addresses that are no host's.
const RESERVED: [&str; 7] =
    ["0.0.0.0/8", "127.0.0.0/8", "224.0.0.0/3", "::/8", "fe80::/10", "fec0::/10", "ff00::/8"];

pub(super) fn numbered(builder: &TopologyBuilder) -> Result<Vec<Network>, TopologyError> {
    if builder.networks.is_empty() {
        return default_network(builder).map(|network| vec![network]);
    }
    let mut taken: Vec<Subnet> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for (index, spec) in builder.networks.iter().enumerate() {
        for subnet in spec.subnet.into_iter().chain(spec.subnet6) {
            check_reserved(index, &spec.name, subnet)?;
            if let Some(other) = taken.iter().position(|each| each.overlaps(subnet)) {
                let problem = TopologyProblem::OverlappingNetworks {
                    network: spec.name.clone(),
                    subnet,
                    other: names[other].to_owned(),
                    other_subnet: taken[other],
                };
                return Err(at(TopologyPlace::Network(index), problem));
            }
            taken.push(subnet);
            names.push(&spec.name);
        }
    }
    let mut networks = Vec::with_capacity(builder.networks.len());
    for (index, spec) in builder.networks.iter().enumerate() {
        let subnet = match spec.subnet {
            Some(subnet) => subnet,
            None => {
                let free = free_subnet(&taken, prefix_for(interfaces_on(builder, &spec.name)));
                let none = || {
                    at(
                        TopologyPlace::Network(index),
                        TopologyProblem::NoFreeSubnet(spec.name.clone()),
                    )
                };
                let subnet = free.ok_or_else(none)?;
                taken.push(subnet);
                subnet
            }
        };
        let (name, timing) = (spec.name.clone(), spec.timing.clone());
        let subnet6 = spec.subnet6;
        networks.push(Network { name, subnet, subnet6, hosts: Vec::new(), timing });
    }
    Ok(networks)
}

fn default_network(builder: &TopologyBuilder) -> Result<Network, TopologyError> {
    let prefix = prefix_for(interfaces_on(builder, DEFAULT_NAME));
    let subnet = around_first(builder, IpAddr::is_ipv4, prefix)?;
    let subnet = subnet.or_else(|| Subnet::around(PRIVATE, prefix));
    let subnet = subnet.expect("a prefix is at most 32");
    let subnet6 = around_first(builder, IpAddr::is_ipv6, DEFAULT_PREFIX_V6)?;
    let (name, timing) = (DEFAULT_NAME.into(), LinkTiming::default());
    Ok(Network { name, subnet, subnet6, hosts: Vec::new(), timing })
}

/// The subnet around the first address of a family that a host was given.
fn around_first(
    builder: &TopologyBuilder,
    is_of_family: impl Fn(&IpAddr) -> bool,
    prefix: u8,
) -> Result<Option<Subnet>, TopologyError> {
    let all = builder.hosts.iter().enumerate().flat_map(|(host, (_, spec))| {
        let interfaces = spec.interfaces.iter().enumerate();
        interfaces.flat_map(move |(interface, each)| {
            let addresses = each.addresses.iter().enumerate();
            addresses.map(move |(address, given)| ((host, interface, address), *given))
        })
    });
    let first = all.into_iter().find(|(_, given)| is_of_family(&given.ip));
    let Some(((host, interface, address), AddressSpec { ip, prefix: given })) = first else {
        return Ok(None);
    };
    let subnet = Subnet::around(ip, given.unwrap_or(prefix));
    if subnet.is_some_and(reserved) {
        let place = TopologyPlace::Address { host, interface, address };
        let host = builder.hosts[host].1.name.clone();
        return Err(at(place, TopologyProblem::AddressOnNoNetwork { host, address: ip }));
    }
    Ok(subnet)
}

/// The most addresses that a network must have: what does not say where it is may be on it.
fn interfaces_on(builder: &TopologyBuilder, network: &str) -> usize {
    let hosts = builder.hosts.iter().map(|(_, spec)| {
        let here = spec.interfaces.iter().filter(|each| match &each.network {
            Some(name) => name == network,
            None => true,
        });
        let of_ipv4 =
            |each: &InterfaceSpec| each.addresses.iter().filter(|a| a.ip.is_ipv4()).count();
        here.map(|each| of_ipv4(each).max(1)).sum::<usize>()
            + usize::from(spec.interfaces.is_empty())
    });
    hosts.sum()
}

fn prefix_for(hosts: usize) -> u8 {
    let fits = |prefix: &u8| (1usize << (32 - prefix)) - 2 >= hosts;
    (WIDEST_PREFIX..=DEFAULT_PREFIX).rev().find(fits).unwrap_or(WIDEST_PREFIX)
}

fn free_subnet(taken: &[Subnet], prefix: u8) -> Option<Subnet> {
    let private = Subnet::around(PRIVATE, WIDEST_PREFIX)?;
    let size = 1u128.checked_shl(32 - u32::from(prefix))?;
    let mut base = number(private.base());
    while private.contains(private.address(base)) {
        let candidate = Subnet::around(private.address(base), prefix)?;
        match taken.iter().filter(|each| each.overlaps(candidate)).map(|each| each.last()).max() {
            None => return Some(candidate),
            // The first multiple of the size beyond what is in the way.
            Some(last) => base = (number(last.max(candidate.last())) / size + 1) * size,
        }
    }
    None
}

fn reserved(subnet: Subnet) -> bool {
    RESERVED.iter().any(|range| {
        let range: Subnet = range.parse().expect("the list has subnets");
        range.overlaps(subnet)
    })
}

fn check_reserved(index: usize, name: &str, subnet: Subnet) -> Result<(), TopologyError> {
    if reserved(subnet) {
        Err(at(TopologyPlace::Network(index), TopologyProblem::ReservedSubnet(subnet, name.into())))
    } else {
        Ok(())
    }
}
