//! Routing tables: the links of each host, its own routes, or those that are found for it.
//!
//! A host without routes gets one to each subnet that routers lead to and on whose network it is not. It
//! leads to the router from which the fewest others follow; among several to the one whose name is lowest.

use std::net::IpAddr;

use super::{RouteSpec, TopologyBuilder, at};
use crate::{
    Host, HostId, HostKind, NetworkId, RouteEntry, Subnet, Topology, TopologyError, TopologyPlace,
    TopologyProblem,
};

/// Fills the table of every host; `order` says where each was given.
pub(super) fn fill(
    topology: &mut Topology,
    builder: &TopologyBuilder,
    order: &[usize],
) -> Result<(), TopologyError> {
    let mut tables: Vec<Vec<RouteEntry>> = Vec::with_capacity(order.len());
    for (host, &given) in topology.hosts.iter().zip(order) {
        let mut table = links(host);
        let (_, spec) = &builder.hosts[given];
        for (position, route) in spec.routes.iter().enumerate() {
            let place = TopologyPlace::Route { host: given, route: position };
            table.push(own(topology, host, route).map_err(|problem| at(place, problem))?);
        }
        tables.push(table);
    }
    for network in (0..topology.networks.len()).map(NetworkId::from_index) {
        for subnet in topology.network(network).subnets() {
            let found = SubnetWays::new(topology, network, subnet);
            for (id, table) in tables.iter_mut().enumerate() {
                if builder.hosts[order[id]].1.routes.is_empty() {
                    table.extend(found.route(topology, HostId::from_index(id)));
                }
            }
        }
    }
    for (host, mut table) in topology.hosts.iter_mut().zip(tables) {
        table.sort_by_key(|route| std::cmp::Reverse(route.destination.prefix()));
        host.routes = table;
    }
    Ok(())
}

/// The subnets that each interface reaches without a gateway.
fn links(host: &Host) -> Vec<RouteEntry> {
    let mut table: Vec<RouteEntry> = Vec::new();
    for (interface, each) in host.interfaces.iter().enumerate() {
        for address in &each.addresses {
            let link = RouteEntry { destination: address.subnet, gateway: None, interface };
            if !table.contains(&link) {
                table.push(link);
            }
        }
    }
    table
}

fn own(topology: &Topology, host: &Host, spec: &RouteSpec) -> Result<RouteEntry, TopologyProblem> {
    let RouteSpec { to, via, interface } = spec;
    let unknown = |name: &String| TopologyProblem::UnknownInterface {
        host: host.name.clone(),
        interface: name.clone(),
    };
    let named = match interface {
        None => None,
        Some(name) => Some(host.interface(name).ok_or_else(|| unknown(name))?),
    };
    let interface = match (*via, named) {
        (Some(gateway), _) => towards(topology, host, named, gateway)?,
        (None, Some(interface)) => interface,
        (None, None) => {
            return Err(TopologyProblem::RouteToNowhere { host: host.name.clone(), to: *to });
        }
    };
    Ok(RouteEntry { destination: *to, gateway: *via, interface })
}

/// The interface, among all or the one that was named, that a gateway is behind.
fn towards(
    topology: &Topology,
    host: &Host,
    named: Option<usize>,
    gateway: IpAddr,
) -> Result<usize, TopologyProblem> {
    let mut reaching = (0..host.interfaces.len())
        .filter(|&each| named.is_none_or(|named| named == each) && on_link(host, each, gateway))
        .peekable();
    let host_name = || host.name.clone();
    if reaching.peek().is_none() {
        return Err(TopologyProblem::GatewayNotReachable { host: host_name(), gateway });
    }
    let forwards = |network: NetworkId| {
        topology.owner(gateway).is_some_and(|(owner, interface)| {
            let owner = topology.host(owner);
            let there = owner.interfaces[interface].network;
            owner.kind == HostKind::Router && there == network && !host.owns(gateway)
        })
    };
    reaching
        .find(|&each| forwards(host.interfaces[each].network))
        .ok_or_else(|| TopologyProblem::GatewayNotRouter { host: host_name(), gateway })
}

fn on_link(host: &Host, interface: usize, address: IpAddr) -> bool {
    host.interfaces[interface].addresses.iter().any(|own| own.subnet.contains(address))
}

/// The ways to one subnet from everywhere.
struct SubnetWays {
    network: NetworkId,
    subnet: Subnet,
    /// For each network the routers on it that lead nearer, best first.
    ranked: Vec<Vec<RankedRouter>>,
}

/// A router by how good a way it is: the number of routers that follow it.
struct RankedRouter {
    rest: u32,
    router: HostId,
}

impl SubnetWays {
    fn new(topology: &Topology, network: NetworkId, subnet: Subnet) -> SubnetWays {
        let distances = distances(topology, network, subnet);
        let distance = |network: NetworkId| distances[network.index()];
        let mut ranked: Vec<Vec<RankedRouter>> = distances.iter().map(|_| Vec::new()).collect();
        for (id, router) in topology.hosts.iter().enumerate().skip(topology.nodes) {
            let on = || router.interfaces.iter().map(|interface| interface.network);
            let Some(rest) = on().filter_map(distance).min() else { continue };
            for network in on().filter(|&network| distance(network).is_some_and(|far| far > rest)) {
                ranked[network.index()].push(RankedRouter { rest, router: HostId::from_index(id) });
            }
        }
        for routers in &mut ranked {
            routers.sort_by_key(|each| (each.rest, &topology.host(each.router).name));
            routers.dedup_by_key(|each| each.router);
        }
        SubnetWays { network, subnet, ranked }
    }

    /// The line of a host's table, unless it is on the network itself or no router leads there.
    fn route(&self, topology: &Topology, id: HostId) -> Option<RouteEntry> {
        let host = topology.host(id);
        if host.interfaces.iter().any(|interface| interface.network == self.network) {
            return None;
        }
        let destination = self.subnet;
        let is_ipv4 = destination.base().is_ipv4();
        let mut best: Option<(u32, &str, RouteEntry)> = None;
        for (interface, each) in host.interfaces.iter().enumerate() {
            let routers = &self.ranked[each.network.index()];
            let usable = routers.iter().filter(|ranked| ranked.router != id).find_map(|ranked| {
                let router = topology.host(ranked.router);
                let gateway = gateway_for(host, interface, router, (each.network, is_ipv4))?;
                Some((ranked.rest, router.name.as_str(), gateway))
            });
            let Some((rest, name, gateway)) = usable else { continue };
            if best.as_ref().is_none_or(|(least, lowest, _)| (rest, name) < (*least, *lowest)) {
                let gateway = Some(gateway);
                best = Some((rest, name, RouteEntry { destination, gateway, interface }));
            }
        }
        best.map(|(_, _, route)| route)
    }
}

/// The number of routers between each network and a subnet; `None` if no way leads there on networks that
/// have addresses of its family.
fn distances(topology: &Topology, destination: NetworkId, subnet: Subnet) -> Vec<Option<u32>> {
    let is_ipv4 = subnet.base().is_ipv4();
    let carries =
        |id: NetworkId| topology.network(id).subnets().any(|each| each.base().is_ipv4() == is_ipv4);
    let mut distances = vec![None; topology.networks.len()];
    distances[destination.index()] = Some(0);
    let mut queue = std::collections::VecDeque::from([(destination, 0)]);
    let mut passed = vec![false; topology.hosts.len()];
    while let Some((network, distance)) = queue.pop_front() {
        for &router in &topology.network(network).hosts {
            if topology.is_node(router) || std::mem::replace(&mut passed[router.index()], true) {
                continue;
            }
            for next in topology.host(router).interfaces.iter().map(|each| each.network) {
                if distances[next.index()].is_none() && carries(next) {
                    distances[next.index()] = Some(distance + 1);
                    queue.push_back((next, distance + 1));
                }
            }
        }
    }
    distances
}

/// The address of a family by which a host reaches a router on a network.
fn gateway_for(
    host: &Host,
    interface: usize,
    router: &Host,
    (network, is_ipv4): (NetworkId, bool),
) -> Option<IpAddr> {
    let there = router.interfaces.iter().filter(|each| each.network == network);
    let mut addresses = there.flat_map(|each| each.addresses.iter().map(|address| address.ip));
    addresses.find(|address| address.is_ipv4() == is_ipv4 && on_link(host, interface, *address))
}
