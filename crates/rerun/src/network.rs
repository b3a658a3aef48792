//! Topologies in test cases, and back.
//!
//! Invariant: the topology that [`rebuilt`] makes of what [`describe`] says is the same.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use everett_net::{
    AddressSpec, Host, HostSpec, InterfaceSpec, LinkTiming, RouteSpec, Subnet, Topology,
    TopologyBuilder,
};
use everett_replay::DTest;
use everett_replay::dtest::{
    TestAddress, TestInterface, TestNetwork, TestNode, TestRoute, TestRouter, TestTiming,
};

use crate::error::{RerunError, Result};

/// Puts networks and hosts into a test; its nodes are in the order of the topology's.
pub(crate) fn describe(topology: &Topology, test: &mut DTest) {
    test.networks = { topology.networks().iter() }
        .map(|network| TestNetwork {
            name: network.name.clone(),
            subnet: Some((network.subnet.base(), network.subnet.prefix())),
            subnet6: network.subnet6.map(|subnet| (subnet.base(), subnet.prefix())),
            timing: described_timing(&network.timing),
        })
        .collect();
    test.routers = { topology.routers().iter() }
        .map(|host| TestRouter {
            hostname: host.hostname.clone(),
            name: own_name(host),
            interfaces: interfaces(topology, host),
            routes: routes(host),
        })
        .collect();
    for (node, host) in test.nodes.iter_mut().zip(topology.nodes()) {
        node.interfaces = interfaces(topology, host);
        node.routes = routes(host);
        if let Some(record) = &mut node.record {
            record.name = own_name(host);
        }
    }
}

fn described_timing(timing: &LinkTiming) -> TestTiming {
    let LinkTiming { latencies_ns, bytes_per_second } = timing.clone();
    TestTiming { latencies_ns, bytes_per_second }
}

fn rebuilt_timing(timing: &TestTiming) -> LinkTiming {
    let TestTiming { latencies_ns, bytes_per_second } = timing.clone();
    LinkTiming { latencies_ns, bytes_per_second }
}

fn own_name(host: &Host) -> Option<String> {
    (host.name != host.hostname).then(|| host.name.clone())
}

fn usual_name(at: usize) -> String {
    format!("eth{at}")
}

fn interfaces(topology: &Topology, host: &Host) -> Vec<TestInterface> {
    let interface = |(at, each): (usize, &everett_net::Interface)| TestInterface {
        identifier: at as u32 + 1,
        network: topology.network(each.network).name.clone(),
        name: (each.name != usual_name(at)).then(|| each.name.clone()),
        primary: at > 0 && at == host.primary,
        timing: described_timing(&each.timing),
        addresses: { each.addresses.iter().enumerate() }
            .map(|(at, address)| TestAddress {
                ip: address.ip,
                mask: address.subnet.prefix(),
                primary: at == 0,
            })
            .collect(),
    };
    host.interfaces.iter().enumerate().map(interface).collect()
}

/// All lines of a host's table but those of its links, which follow from its addresses.
fn routes(host: &Host) -> Vec<TestRoute> {
    let is_link = |route: &&everett_net::RouteEntry| {
        let mut addresses = host.interfaces[route.interface].addresses.iter();
        route.gateway.is_none() && addresses.any(|address| address.subnet == route.destination)
    };
    let line = |route: &everett_net::RouteEntry| TestRoute {
        destination: (route.destination != Subnet::EVERYTHING).then(|| route.destination.base()),
        mask: route.destination.prefix(),
        gateway: route.gateway,
        interface: (route.gateway.is_none() || host.interfaces.len() > 1)
            .then_some(route.interface as u32 + 1),
    };
    host.routes.iter().filter(|route| !is_link(route)).map(line).collect()
}

/// The topology that a test describes.
pub(crate) fn rebuilt(test: &DTest) -> Result<Arc<Topology>> {
    let mut builder = TopologyBuilder::new();
    for TestNetwork { name, subnet, subnet6, timing } in &test.networks {
        let rebuilt = |(base, prefix): (IpAddr, u8)| Subnet::around(base, prefix);
        builder.network(name, subnet.and_then(rebuilt)).subnet6(subnet6.and_then(rebuilt));
        builder.timing(rebuilt_timing(timing));
    }
    for TestNode { hostname, interfaces, routes, record, .. } in &test.nodes {
        let name = record.as_ref().and_then(|record| record.name.as_ref());
        builder.node(host(hostname, name, interfaces, routes)?);
    }
    for TestRouter { hostname, name, interfaces, routes } in &test.routers {
        builder.router(host(hostname, name.as_ref(), interfaces, routes)?);
    }
    builder.build().map_err(|error| RerunError::Networks(Box::new(error)))
}

fn host(
    hostname: &str,
    name: Option<&String>,
    interfaces: &[TestInterface],
    routes: &[TestRoute],
) -> Result<HostSpec> {
    let interface = |each: &TestInterface| {
        let mut addresses: Vec<&TestAddress> = each.addresses.iter().collect();
        addresses.sort_by_key(|address| !address.primary);
        let spec =
            |address: &&TestAddress| AddressSpec { ip: address.ip, prefix: Some(address.mask) };
        InterfaceSpec {
            name: each.name.clone(),
            network: Some(each.network.clone()),
            addresses: addresses.iter().map(spec).collect(),
            primary: each.primary,
            timing: rebuilt_timing(&each.timing),
        }
    };
    let route = |each: &TestRoute| {
        let base = each.destination.unwrap_or(Ipv4Addr::UNSPECIFIED.into());
        let to = Subnet::around(base, each.mask).ok_or(RerunError::Mask)?;
        let interface = each.interface.map(|number| named(interfaces, number)).transpose()?;
        Ok(RouteSpec { to, via: each.gateway, interface })
    };
    let routes = routes.iter().map(route).collect::<Result<_>>();
    Ok(HostSpec {
        name: name.map_or(hostname, |name| name).to_owned(),
        hostname: Some(hostname.to_owned()),
        interfaces: interfaces.iter().map(interface).collect(),
        routes: routes.map_err(|error: RerunError| {
            let host = hostname.to_owned();
            RerunError::Host { host, source: Box::new(error) }
        })?,
    })
}

/// The name of an interface by its number.
fn named(interfaces: &[TestInterface], number: u32) -> Result<String> {
    let at = interfaces.iter().position(|each| each.identifier == number);
    let at = at.ok_or(RerunError::NoInterface { number })?;
    Ok(interfaces[at].name.clone().unwrap_or_else(|| usual_name(at)))
}

#[cfg(test)]
mod tests {
    use everett_net::HostId;
    use everett_replay::dtest::TestNodeRecord;

    use super::*;

    fn again(builder: &TopologyBuilder) -> (Arc<Topology>, Arc<Topology>) {
        let topology = builder.build().unwrap();
        let node = |host: &Host| TestNode {
            hostname: host.hostname.clone(),
            record: Some(TestNodeRecord::default()),
            ..TestNode::default()
        };
        let nodes = topology.nodes().iter().map(node).collect();
        let mut test = DTest { nodes, ..DTest::default() };
        describe(&topology, &mut test);
        (topology, rebuilt(&test).unwrap())
    }

    #[test]
    fn everything_that_is_filled_in_stays_as_it_is() {
        let mut builder = TopologyBuilder::new();
        let timing = LinkTiming { latencies_ns: vec![1_000, 20], bytes_per_second: Some(1 << 20) };
        builder.network("a", None).subnet6(Some("fd00:a::/64".parse().unwrap()));
        builder.network("b", None).timing(timing.clone()).network("c", None);
        builder.subnet6(Some("fd00:c::/64".parse().unwrap()));
        builder.router(
            HostSpec::new("r").interface(InterfaceSpec::on("a")).interface(InterfaceSpec::on("b")),
        );
        builder.router(
            HostSpec::new("s").interface(InterfaceSpec::on("b")).interface(InterfaceSpec::on("c")),
        );
        builder.node(HostSpec::new("one").interface(InterfaceSpec::on("a")));
        let known = HostSpec { hostname: Some("two.example".to_owned()), ..HostSpec::new("two") };
        builder.node(known.interface(InterfaceSpec::on("c")).interface(InterfaceSpec {
            primary: true,
            name: Some("up".to_owned()),
            timing,
            ..InterfaceSpec::on("b")
        }));
        let (before, after) = again(&builder);
        assert!(before.host(HostId(0)).routes.len() > 1, "routes are found");
        assert_eq!(before, after);
    }

    #[test]
    fn routes_without_a_gateway_and_several_addresses_are_kept() {
        let mut builder = TopologyBuilder::new();
        builder.network("lan", Some("10.0.0.0/16".parse().unwrap()));
        let interface = InterfaceSpec::on("lan")
            .address("10.0.0.7/24".parse::<AddressSpec>().unwrap())
            .address("10.0.1.7/24".parse::<AddressSpec>().unwrap());
        let route = RouteSpec {
            to: "10.0.0.0/16".parse().unwrap(),
            via: None,
            interface: Some("eth0".to_owned()),
        };
        let everywhere =
            RouteSpec { to: Subnet::EVERYTHING_V6, via: None, interface: Some("eth0".to_owned()) };
        builder.node(HostSpec::new("one").interface(interface).route(route).route(everywhere));
        let (before, after) = again(&builder);
        assert_eq!(before, after);
    }
}
