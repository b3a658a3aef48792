//! The networks and their subnets: those that were given, and those that were left out.
//!
//! A network without a subnet gets the first block of 10.0.0.0/8 that is free, a /24 unless it has
//! more hosts than that. Without any network there is one, `net0`, around the first address that a
//! host was given.

use std::net::Ipv4Addr;

use super::{TopologyBuilder, at};
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

pub(super) fn numbered(builder: &TopologyBuilder) -> Result<Vec<Network>, TopologyError> {
    if builder.networks.is_empty() {
        return default_network(builder).map(|network| vec![network]);
    }
    let mut given: Vec<(usize, Subnet)> = Vec::new();
    for (index, spec) in builder.networks.iter().enumerate() {
        let Some(subnet) = spec.subnet else { continue };
        check_reserved(index, &spec.name, subnet)?;
        if let Some(&(other, other_subnet)) = given.iter().find(|(_, each)| each.overlaps(subnet)) {
            let problem = TopologyProblem::OverlappingNetworks {
                network: spec.name.clone(),
                subnet,
                other: builder.networks[other].name.clone(),
                other_subnet,
            };
            return Err(at(TopologyPlace::Network(index), problem));
        }
        given.push((index, subnet));
    }
    let mut taken: Vec<Subnet> = given.into_iter().map(|(_, subnet)| subnet).collect();
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
        networks.push(Network { name, subnet, hosts: Vec::new(), timing });
    }
    Ok(networks)
}

fn default_network(builder: &TopologyBuilder) -> Result<Network, TopologyError> {
    let prefix = prefix_for(interfaces_on(builder, DEFAULT_NAME));
    let subnet = match first_address(builder) {
        None => Subnet::around(PRIVATE, prefix),
        Some((_, AddressSpec { ip, prefix: given })) => {
            Subnet::around(ip, given.unwrap_or(prefix).min(32))
        }
    };
    let subnet = subnet.expect("a prefix is at most 32");
    if let (true, Some((place, AddressSpec { ip, .. }))) =
        (reserved(subnet), first_address(builder))
    {
        let host = builder.hosts[place_host(place)].1.name.clone();
        return Err(at(place, TopologyProblem::AddressOnNoNetwork { host, address: ip }));
    }
    let timing = LinkTiming::default();
    Ok(Network { name: DEFAULT_NAME.into(), subnet, hosts: Vec::new(), timing })
}

fn first_address(builder: &TopologyBuilder) -> Option<(TopologyPlace, AddressSpec)> {
    builder.hosts.iter().enumerate().find_map(|(host, (_, spec))| {
        spec.interfaces.iter().enumerate().find_map(|(interface, each)| {
            let first = each.addresses.first()?;
            Some((TopologyPlace::Address { host, interface, address: 0 }, *first))
        })
    })
}

fn place_host(place: TopologyPlace) -> usize {
    match place {
        TopologyPlace::Network(index) | TopologyPlace::Host(index) => index,
        TopologyPlace::Interface { host, .. }
        | TopologyPlace::Address { host, .. }
        | TopologyPlace::Route { host, .. } => host,
    }
}

/// The most addresses that a network must have: what does not say where it is may be on it.
fn interfaces_on(builder: &TopologyBuilder, network: &str) -> usize {
    let hosts = builder.hosts.iter().map(|(_, spec)| {
        let here = spec.interfaces.iter().filter(|each| match &each.network {
            Some(name) => name == network,
            None => true,
        });
        here.map(|each| each.addresses.len().max(1)).sum::<usize>()
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
    let size = 1u32.checked_shl(32 - u32::from(prefix))?;
    let mut base = private.base().to_bits();
    while private.contains(Ipv4Addr::from_bits(base)) {
        let candidate = Subnet::around(Ipv4Addr::from_bits(base), prefix)?;
        match taken.iter().filter(|each| each.overlaps(candidate)).map(|each| each.last()).max() {
            None => return Some(candidate),
            // The first multiple of the size beyond what is in the way.
            Some(last) => {
                base = (last.max(candidate.last()).to_bits() / size + 1).checked_mul(size)?
            }
        }
    }
    None
}

fn reserved(subnet: Subnet) -> bool {
    let ranges = [(0, 8), (127, 8), (224, 3)];
    ranges.iter().any(|&(first, prefix)| {
        let range = Subnet::around(Ipv4Addr::new(first, 0, 0, 0), prefix);
        range.is_some_and(|range| range.overlaps(subnet))
    })
}

fn check_reserved(index: usize, name: &str, subnet: Subnet) -> Result<(), TopologyError> {
    if reserved(subnet) {
        Err(at(TopologyPlace::Network(index), TopologyProblem::ReservedSubnet(subnet, name.into())))
    } else {
        Ok(())
    }
}
