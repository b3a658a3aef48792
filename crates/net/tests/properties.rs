//! Random topologies: routing agrees with a walk that is written separately, and nothing panics.

#![allow(clippy::unwrap_used, reason = "a test fails where it is surprised")]

use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use everett_net::{
    AddressSpec, CastKind, HostId, HostKind, HostSpec, InterfaceSpec, NetworkId, PacketPath,
    RouteError, RouteSpec, Subnet, Topology, TopologyBuilder,
};
use proptest::prelude::*;
use proptest::sample::Index;

/// An interface: its network, maybe a number on it, maybe a prefix of its own.
type Attachment = (Index, Option<u8>, Option<u8>);
/// A route: where to (a network, everything, one address), and through whose which interface.
type Way = (u8, Index, Index, Index);
/// A host: whether it is a router, its attachments, its routes.
type Machine = (bool, Vec<Attachment>, Vec<Way>);

fn attachment() -> impl Strategy<Value = Attachment> {
    let prefix = prop_oneof![6 => Just(None), 1 => (8u8..=30).prop_map(Some)];
    (any::<Index>(), proptest::option::weighted(0.3, 1u8..20), prefix)
}

fn machine(most_routes: usize) -> impl Strategy<Value = Machine> {
    let way = (0u8..4, any::<Index>(), any::<Index>(), any::<Index>());
    (
        proptest::bool::weighted(0.4),
        prop::collection::vec(attachment(), 1..4),
        prop::collection::vec(way, 0..=most_routes),
    )
}

fn system(most_routes: usize) -> impl Strategy<Value = (u8, Vec<Machine>)> {
    (1u8..6, prop::collection::vec(machine(most_routes), 1..10))
}

fn base(network: usize) -> u32 {
    (10 << 24) | (network as u32) << 16
}

/// The addresses of IPv6 on a network: some networks have none.
fn subnet6(network: usize) -> Option<Subnet> {
    let base = Ipv6Addr::new(0xfd00, 0, 0, network as u16, 0, 0, 0, 0);
    Subnet::around(base, 64).filter(|_| network % 3 != 2)
}

/// The address of IPv4 of an interface; all are given, so that routes can name them before anything is built.
fn number(host: usize, position: usize, given: Option<u8>) -> u32 {
    given.map_or(100 + host as u32 * 4 + position as u32, u32::from)
}

fn builder(networks: u8, machines: &[Machine]) -> TopologyBuilder {
    let networks = usize::from(networks);
    let mut builder = TopologyBuilder::new();
    for network in 0..networks {
        let subnet = Subnet::around(Ipv4Addr::from_bits(base(network)), 24);
        builder.network(format!("w{network}"), subnet).subnet6(subnet6(network));
    }
    let address = |host: usize, position: usize| {
        let (network, given, prefix) = &machines[host].1[position];
        let ip = base(network.index(networks)) + number(host, position, *given);
        AddressSpec { ip: Ipv4Addr::from_bits(ip).into(), prefix: *prefix }
    };
    for (index, (router, attachments, ways)) in machines.iter().enumerate() {
        let mut host = HostSpec::new(format!("h{index}"));
        for (position, (network, ..)) in attachments.iter().enumerate() {
            let on = InterfaceSpec::on(format!("w{}", network.index(networks)));
            host = host.interface(on.address(address(index, position)));
        }
        for (kind, network, to, position) in ways {
            let gateway = to.index(machines.len());
            let via = address(gateway, position.index(machines[gateway].1.len())).ip;
            let there = Ipv4Addr::from_bits(base(network.index(networks)) + u32::from(*kind) * 3);
            let prefix = [24, 0, 32, 16][usize::from(*kind)];
            host = host.route(RouteSpec::via(Subnet::around(there, prefix).unwrap(), via));
        }
        if *router {
            builder.router(host)
        } else {
            builder.node(host)
        };
    }
    builder
}

/// Leaves out whatever a builder refuses, so that most random systems become topologies.
fn repaired(networks: u8, mut machines: Vec<Machine>) -> Option<Arc<Topology>> {
    use everett_net::TopologyPlace;
    for _ in 0..200 {
        let error = match builder(networks, &machines).build() {
            Ok(topology) => return Some(topology),
            Err(error) => error,
        };
        match error.place {
            TopologyPlace::Route { host, route } => drop(machines[host].2.remove(route)),
            TopologyPlace::Address { host, interface, .. }
            | TopologyPlace::Interface { host, interface } => {
                let (_, given, prefix) = &mut machines[host].1[interface];
                (*given, *prefix) = (None, None);
            }
            TopologyPlace::Network(_) | TopologyPlace::Host(_) => return None,
        }
    }
    None
}

/// What a packet meets, found by trying everything.
#[derive(Debug, PartialEq, Eq)]
enum Seen {
    Local,
    Arrived { host: usize, hops: Vec<usize>, ttl: u8, networks: Vec<NetworkId> },
    Everyone(BTreeSet<usize>),
    Failed(RouteError),
}

/// The line with the longest prefix: own links first, then the table's gateways in their order.
fn best(topology: &Topology, host: usize, to: IpAddr) -> Option<(Option<IpAddr>, usize)> {
    let host = &topology.hosts()[host];
    let mut found: Option<(u8, Option<IpAddr>, usize)> = None;
    let mut offer = |subnet: Subnet, gateway, interface| {
        let longer = found.is_none_or(|(length, ..)| subnet.prefix() > length);
        if subnet.contains(to) && longer {
            found = Some((subnet.prefix(), gateway, interface));
        }
    };
    for (interface, each) in host.interfaces.iter().enumerate() {
        each.addresses.iter().for_each(|address| offer(address.subnet, None, interface));
    }
    for route in host.routes.iter().filter(|route| route.gateway.is_some()) {
        offer(route.destination, route.gateway, route.interface);
    }
    found.map(|(_, gateway, interface)| (gateway, interface))
}

fn holder(topology: &Topology, network: NetworkId, address: IpAddr) -> Option<usize> {
    topology.hosts().iter().position(|host| {
        host.interfaces.iter().any(|interface| {
            interface.network == network
                && interface.addresses.iter().any(|each| each.ip == address)
        })
    })
}

fn walk(topology: &Topology, from: usize, to: IpAddr, mut ttl: u8) -> Seen {
    let id = HostId::from_index;
    let (mut at, mut hops, mut networks) = (from, Vec::new(), Vec::new());
    loop {
        let host = &topology.hosts()[at];
        if host.addresses().any(|own| own == to) {
            if at == from && hops.is_empty() && networks.is_empty() {
                return Seen::Local;
            }
            return Seen::Arrived { host: at, hops, ttl, networks };
        }
        let first = networks.is_empty();
        if !first {
            if host.kind == HostKind::Node {
                panic!("a packet for somebody else came to a node");
            }
            if ttl <= 1 {
                return Seen::Failed(RouteError::TtlExceeded { by: id(at) });
            }
        }
        let Some((gateway, interface)) = best(topology, at, to) else {
            let why = if first {
                RouteError::NetworkUnreachable
            } else {
                RouteError::NoRoute { by: id(at) }
            };
            return Seen::Failed(why);
        };
        let outgoing = &host.interfaces[interface];
        let all = outgoing.addresses.iter().any(|each| {
            let is_last = to.is_ipv4() && each.subnet.prefix() < 31 && each.subnet.last() == to;
            is_last && gateway.is_none()
        });
        if all {
            let others = topology.nodes().iter().enumerate().filter(|(other, node)| {
                *other != at && node.interfaces.iter().any(|each| each.network == outgoing.network)
            });
            let reached = others.map(|(other, _)| other);
            return Seen::Everyone(if first && ttl > 0 {
                reached.collect()
            } else {
                BTreeSet::new()
            });
        }
        if first && ttl == 0 {
            return Seen::Failed(RouteError::TtlExceeded { by: id(at) });
        }
        if !first {
            ttl -= 1;
            hops.push(at);
        }
        networks.push(outgoing.network);
        match holder(topology, outgoing.network, gateway.unwrap_or(to)) {
            None => return Seen::Failed(RouteError::HostUnreachable { by: id(at) }),
            Some(next) => at = next,
        }
    }
}

fn routed(topology: &Topology, from: usize, to: IpAddr, ttl: u8) -> Seen {
    let journey = match topology.route(HostId::from_index(from), to, ttl) {
        Err(error) => return Seen::Failed(error),
        Ok(PacketPath::Local { source }) => {
            assert_eq!(source, to);
            return Seen::Local;
        }
        Ok(PacketPath::Remote(journey)) => journey,
    };
    let own = &topology.hosts()[from].interfaces[journey.interface];
    assert!(own.addresses.iter().any(|each| each.ip == journey.source), "comes from another host");
    if journey.cast == CastKind::Broadcast {
        return Seen::Everyone(journey.hosts.iter().map(|host| host.index()).collect());
    }
    assert_eq!(journey.links.len(), 2 * journey.networks.len(), "two ends on each network");
    for (pair, network) in journey.links.chunks(2).zip(&journey.networks) {
        assert!(pair.iter().all(|link| link.network == *network));
        for link in pair {
            assert!(topology.network(*network).hosts.contains(&link.host));
        }
    }
    let [host] = journey.hosts[..] else { panic!("one host: {journey:?}") };
    Seen::Arrived {
        host: host.index(),
        hops: journey.hops.iter().map(|host| host.index()).collect(),
        ttl: journey.ttl,
        networks: journey.networks.to_vec(),
    }
}

/// Addresses that are worth a packet: all that exist, and some that nobody has.
fn targets(topology: &Topology) -> BTreeSet<IpAddr> {
    let mut targets: BTreeSet<IpAddr> =
        topology.hosts().iter().flat_map(|host| host.addresses()).collect();
    for network in topology.networks() {
        for subnet in network.subnets() {
            targets.extend([subnet.base(), subnet.last(), further(subnet.base(), 77)]);
        }
    }
    for host in topology.hosts() {
        for interface in &host.interfaces {
            targets.extend(interface.addresses.iter().map(|address| address.subnet.last()));
        }
    }
    let nobodys = ["8.8.8.8", "172.16.3.1", "2001:db8::1"];
    targets.extend(nobodys.map(|text| text.parse::<IpAddr>().unwrap()));
    targets
}

/// The address so many behind another one.
fn further(address: IpAddr, by: u8) -> IpAddr {
    match address {
        IpAddr::V4(address) => Ipv4Addr::from_bits(address.to_bits() + u32::from(by)).into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() + u128::from(by)).into(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 3000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn routing_agrees_with_a_plain_walk((networks, machines) in system(3), ttl in 0u8..7) {
        let Some(topology) = repaired(networks, machines) else { return Ok(()) };
        for from in 0..topology.hosts().len() {
            for &to in &targets(&topology) {
                for ttl in [ttl, 64] {
                    prop_assert_eq!(
                        routed(&topology, from, to, ttl), walk(&topology, from, to, ttl),
                        "{} to {}", topology.hosts()[from].name, to
                    );
                }
            }
        }
    }

    #[test]
    fn found_routes_are_the_shortest_and_reach_all_that_can_be((networks, mut machines) in system(0)) {
        for attachment in machines.iter_mut().flat_map(|machine| &mut machine.1) {
            attachment.2 = None;
        }
        let Some(topology) = repaired(networks, machines) else { return Ok(()) };
        let far = [true, false].map(|is_ipv4| routers_between(&topology, is_ipv4));
        for from in 0..topology.hosts().len() {
            for (to, host) in topology.hosts().iter().enumerate() {
                let all = host.interfaces.iter().flat_map(|interface| {
                    interface.addresses.iter().map(move |each| (interface, each.ip))
                });
                for (interface, address) in all {
                    let far = &far[usize::from(address.is_ipv6())];
                    let own = topology.hosts()[from].interfaces.iter().map(|each| each.network);
                    let least = own.filter_map(|own| far.get(&(own, interface.network))).min();
                    match (routed(&topology, from, address, 64), least) {
                        (Seen::Local, _) => prop_assert_eq!(from, to),
                        (Seen::Arrived { host, hops, .. }, Some(&least)) => {
                            prop_assert_eq!(host, to);
                            // A router answers for all its addresses as soon as it is reached.
                            let shortcut = usize::from(host >= topology.nodes().len());
                            prop_assert!((hops.len()..=hops.len() + shortcut).contains(&least));
                        }
                        (Seen::Failed(RouteError::NetworkUnreachable), None) => {}
                        (seen, least) => prop_assert!(false, "{seen:?}, but {least:?} routers between"),
                    }
                }
            }
        }
    }

    #[test]
    fn addresses_are_free_inside_and_the_same_every_time(
        (networks, machines) in system(2), drop_given in any::<bool>()
    ) {
        let mut builder = TopologyBuilder::new();
        for network in 0..networks {
            builder.network(format!("w{network}"), None).subnet6(subnet6(network.into()));
        }
        for (index, (router, attachments, _)) in machines.iter().enumerate() {
            let mut host = HostSpec::new(format!("h{index}"));
            for (network, given, _) in attachments {
                let network = network.index(usize::from(networks));
                let mut on = InterfaceSpec::on(format!("w{network}"));
                if let (Some(number), false) = (given, drop_given) {
                    on = on.address(Ipv4Addr::new(10, 0, network as u8, *number));
                }
                host = host.interface(on);
            }
            if *router { builder.router(host) } else { builder.node(host) };
        }
        let Ok(topology) = builder.build() else {
            prop_assert!(!drop_given, "nothing is given, so nothing can be wrong");
            return Ok(());
        };
        prop_assert_eq!(&topology, &builder.build().unwrap());
        let mut seen = BTreeSet::new();
        for host in topology.hosts() {
            for interface in &host.interfaces {
                let network = topology.network(interface.network);
                let families = interface.addresses.iter().map(|address| address.ip.is_ipv6());
                prop_assert!(families.clone().is_sorted());
                prop_assert_eq!(families.max(), Some(network.subnet6.is_some()));
                for address in &interface.addresses {
                    let mut on = network.subnets().filter(|subnet| subnet.contains(address.ip));
                    prop_assert!(on.all(|on| ![on.base(), on.last()].contains(&address.ip)));
                    prop_assert!(seen.insert(address.ip), "{} twice", address.ip);
                    let (owner, position) = topology.owner(address.ip).unwrap();
                    prop_assert_eq!(&topology.host(owner).interfaces[position], interface);
                }
            }
        }
        for id in (0..topology.hosts().len()).map(HostId::from_index) {
            let file = topology.hosts_file(id);
            prop_assert_eq!(file.lines().count(), seen.len() + 2);
        }
    }
}

/// The number of routers between two networks of one family, by relaxing until nothing gets nearer.
fn routers_between(topology: &Topology, is_ipv4: bool) -> BTreeMap<(NetworkId, NetworkId), usize> {
    let has_family = |id: &NetworkId| is_ipv4 || topology.network(*id).subnet6.is_some();
    let all = (0..topology.networks().len()).map(NetworkId::from_index);
    let all: Vec<NetworkId> = all.filter(has_family).collect();
    let mut far: BTreeMap<_, _> = all.iter().map(|&network| ((network, network), 0)).collect();
    for router in topology.routers() {
        for one in &router.interfaces {
            for other in &router.interfaces {
                if has_family(&one.network) && has_family(&other.network) {
                    far.entry((one.network, other.network)).or_insert(1);
                }
            }
        }
    }
    for &middle in &all {
        for &one in &all {
            for &other in &all {
                let (Some(&near), Some(&rest)) =
                    (far.get(&(one, middle)), far.get(&(middle, other)))
                else {
                    continue;
                };
                let through = far.entry((one, other)).or_insert(usize::MAX);
                *through = (*through).min(near + rest);
            }
        }
    }
    far
}

#[test]
fn most_random_systems_become_topologies_with_loops_and_failures() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let (mut built, mut arrived, mut forwarded, mut all) = (0, 0, 0, 0);
    let mut failed: BTreeMap<u8, usize> = BTreeMap::new();
    for _ in 0..300 {
        let (networks, machines) = system(3).new_tree(&mut runner).unwrap().current();
        let Some(topology) = repaired(networks, machines) else { continue };
        built += 1;
        for from in 0..topology.hosts().len() {
            for &to in &targets(&topology) {
                match routed(&topology, from, to, 64) {
                    Seen::Local => {}
                    Seen::Everyone(_) => all += 1,
                    Seen::Arrived { hops, .. } => {
                        arrived += 1;
                        forwarded += usize::from(hops.len() > 1);
                    }
                    Seen::Failed(error) => {
                        let kind = match error {
                            RouteError::NetworkUnreachable => 0,
                            RouteError::NoRoute { .. } => 1,
                            RouteError::HostUnreachable { .. } => 2,
                            RouteError::TtlExceeded { .. } => 3,
                        };
                        *failed.entry(kind).or_default() += 1;
                    }
                }
            }
        }
    }
    assert!(built > 250, "{built}");
    assert!(arrived > 1000 && forwarded > 30 && all > 500, "{arrived} {forwarded} {all}");
    assert!(failed.len() == 4 && failed.values().all(|count| *count > 30), "{failed:?}");
}
