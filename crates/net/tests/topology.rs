//! Topologies as users give them: what is filled in, what is refused, where packets go.

#![allow(clippy::unwrap_used, reason = "a test fails where it is surprised")]

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use everett_net::{
    AddressSpec, CastKind, HostId, HostSpec, InterfaceSpec, PacketJourney, PacketPath, RouteError,
    RouteSpec, Subnet, Topology, TopologyBuilder, TopologyError, TopologyPlace, TopologyProblem,
};

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

fn subnet(text: &str) -> Subnet {
    text.parse().unwrap()
}

fn on(network: &str, address: &str) -> InterfaceSpec {
    InterfaceSpec::on(network).address(address.parse::<AddressSpec>().unwrap())
}

fn remote(topology: &Topology, from: &str, to: &str, ttl: u8) -> PacketJourney {
    match topology.route(topology.find(from).unwrap(), ip(to), ttl) {
        Ok(PacketPath::Remote(journey)) => journey,
        other => panic!("{from} to {to}: {other:?}"),
    }
}

fn refused(topology: &Topology, from: &str, to: &str, ttl: u8) -> RouteError {
    topology.route(topology.find(from).unwrap(), ip(to), ttl).unwrap_err()
}

fn names<'a>(topology: &'a Topology, hosts: &[HostId]) -> Vec<&'a str> {
    hosts.iter().map(|&host| topology.host(host).name.as_str()).collect()
}

/// Three networks in a row: `left` -a- `middle` -b- `right`, one node each, and `two` on both ends.
fn row() -> Arc<Topology> {
    let mut builder = TopologyBuilder::new();
    builder
        .network("left", Some(subnet("10.1.0.0/24")))
        .network("middle", Some(subnet("10.2.0.0/24")))
        .network("right", Some(subnet("10.3.0.0/24")))
        .router(
            HostSpec::new("a")
                .interface(InterfaceSpec::on("left"))
                .interface(on("middle", "10.2.0.100")),
        )
        .node(HostSpec::new("l").interface(InterfaceSpec::on("left")))
        .node(HostSpec::new("m").interface(InterfaceSpec::on("middle")))
        .node(HostSpec::new("r").interface(InterfaceSpec::on("right")))
        .node(
            HostSpec::new("two")
                .interface(InterfaceSpec::on("right"))
                .interface(InterfaceSpec::on("left")),
        )
        .router(
            HostSpec::new("b")
                .interface(InterfaceSpec::on("right"))
                .interface(InterfaceSpec::on("middle")),
        );
    builder.build().unwrap()
}

#[test]
fn without_networks_there_is_one_and_hosts_count_from_one() {
    let mut builder = TopologyBuilder::new();
    builder.node(HostSpec::new("a"));
    builder.node(HostSpec::new("b").interface(InterfaceSpec::at(ip("10.0.0.1"))));
    builder.node(HostSpec::new("c"));
    let topology = builder.build().unwrap();
    assert_eq!(topology.networks()[0].name, "net0");
    assert_eq!(topology.networks()[0].subnet, subnet("10.0.0.0/24"));
    let addresses: Vec<_> = topology.hosts().iter().map(|host| host.address()).collect();
    assert_eq!(addresses, [ip("10.0.0.2"), ip("10.0.0.1"), ip("10.0.0.3")]);
    assert_eq!(topology.host(HostId(0)).interfaces[0].name, "eth0");
}

#[test]
fn the_network_grows_with_its_hosts() {
    for (hosts, expected) in [(254, "10.0.0.0/24"), (255, "10.0.0.0/23"), (511, "10.0.0.0/22")] {
        let mut builder = TopologyBuilder::new();
        for number in 0..hosts {
            builder.node(HostSpec::new(format!("h{number}")));
        }
        let topology = builder.build().unwrap();
        assert_eq!(topology.networks()[0].subnet, subnet(expected));
        let last = topology.hosts().last().unwrap().address();
        assert_eq!(last, Ipv4Addr::from_bits((10 << 24) + hosts));
    }
}

#[test]
fn a_given_address_says_where_the_network_is() {
    let mut builder = TopologyBuilder::new();
    builder.node(HostSpec::new("a"));
    builder.node(HostSpec::new("b").interface(InterfaceSpec {
        addresses: vec!["192.168.7.9/28".parse().unwrap()],
        ..InterfaceSpec::default()
    }));
    let topology = builder.build().unwrap();
    assert_eq!(topology.networks()[0].subnet, subnet("192.168.7.0/28"));
    assert_eq!(topology.host(HostId(0)).address(), ip("192.168.7.1"));
}

#[test]
fn networks_without_subnets_take_free_ones() {
    let mut builder = TopologyBuilder::new();
    builder.network("x", None).network("y", Some(subnet("10.0.0.0/23"))).network("z", None);
    for number in 0..300 {
        builder.node(HostSpec::new(format!("h{number}")).interface(InterfaceSpec::on("z")));
    }
    builder.node(HostSpec::new("lonely").interface(InterfaceSpec::on("x")));
    let topology = builder.build().unwrap();
    let subnets: Vec<_> = topology.networks().iter().map(|each| each.subnet).collect();
    assert_eq!(subnets, [subnet("10.0.2.0/24"), subnet("10.0.0.0/23"), subnet("10.0.4.0/23")]);
}

#[test]
fn nodes_are_numbered_before_routers_which_count_down() {
    let topology = row();
    let all: Vec<_> = topology.hosts().iter().map(|host| host.name.as_str()).collect();
    assert_eq!(all, ["l", "m", "r", "two", "a", "b"]);
    let a = topology.host(topology.find("a").unwrap());
    assert_eq!(a.addresses().collect::<Vec<_>>(), [ip("10.1.0.254"), ip("10.2.0.100")]);
    assert_eq!(topology.networks()[0].hosts, [HostId(0), HostId(3), HostId(4)]);
}

#[test]
fn routers_are_crossed_and_take_from_the_time_to_live() {
    let topology = row();
    let journey = remote(&topology, "l", "10.3.0.1", 64);
    assert_eq!(names(&topology, &journey.hosts), ["r"]);
    assert_eq!(names(&topology, &journey.hops), ["a", "b"]);
    let crossed: Vec<_> =
        journey.networks.iter().map(|&each| topology.network(each).name.as_str()).collect();
    assert_eq!(crossed, ["left", "middle", "right"]);
    assert_eq!((journey.source, journey.ttl), (ip("10.1.0.1"), 62));
    let links: Vec<_> = journey
        .links
        .iter()
        .map(|link| {
            format!("{}-{}", topology.host(link.host).name, topology.network(link.network).name)
        })
        .collect();
    assert_eq!(links, ["l-left", "a-left", "a-middle", "b-middle", "b-right", "r-right"]);
    assert_eq!(remote(&topology, "l", "10.3.0.1", 3).ttl, 1);
    let id = |name: &str| topology.find(name).unwrap();
    assert_eq!(refused(&topology, "l", "10.3.0.1", 2), RouteError::TtlExceeded { by: id("b") });
    assert_eq!(refused(&topology, "l", "10.3.0.1", 1), RouteError::TtlExceeded { by: id("a") });
    assert_eq!(refused(&topology, "l", "10.3.0.1", 0), RouteError::TtlExceeded { by: id("l") });
}

#[test]
fn a_host_on_two_networks_uses_the_near_one_and_its_address_there() {
    let topology = row();
    let near = remote(&topology, "two", "10.1.0.1", 64);
    assert_eq!((near.source, near.interface, near.hops.len()), (ip("10.1.0.2"), 1, 0));
    let far = remote(&topology, "two", "10.2.0.1", 64);
    assert_eq!(names(&topology, &far.hops), ["a"], "both ways are equally long");
    assert_eq!(far.source, ip("10.1.0.2"));
}

#[test]
fn what_nobody_has_is_unreachable_from_the_last_that_asked() {
    let topology = row();
    let id = |name: &str| topology.find(name).unwrap();
    assert_eq!(
        refused(&topology, "l", "10.1.0.77", 64),
        RouteError::HostUnreachable { by: id("l") }
    );
    assert_eq!(
        refused(&topology, "l", "10.3.0.77", 64),
        RouteError::HostUnreachable { by: id("b") }
    );
    assert_eq!(refused(&topology, "l", "172.16.0.1", 64), RouteError::NetworkUnreachable);
    assert_eq!(refused(&topology, "l", "240.0.0.1", 64), RouteError::NetworkUnreachable);
    assert_eq!(refused(&topology, "l", "10.1.0.77", 64).errno(), 113);
    assert_eq!(refused(&topology, "l", "172.16.0.1", 64).errno(), 101);
}

#[test]
fn routers_own_their_far_addresses() {
    let topology = row();
    let journey = remote(&topology, "l", "10.2.0.100", 1);
    assert_eq!(names(&topology, &journey.hosts), ["a"]);
    assert!(journey.hops.is_empty(), "a packet for the router itself is not forwarded");
    assert_eq!(journey.ttl, 1);
}

#[test]
fn own_and_loopback_addresses_stay_on_the_host() {
    let topology = row();
    let local = |to: &str| topology.route(HostId(3), ip(to), 64);
    assert_eq!(local("127.0.0.1"), Ok(PacketPath::Local { source: ip("127.0.0.1") }));
    assert_eq!(local("127.9.9.9"), Ok(PacketPath::Local { source: ip("127.0.0.1") }));
    assert_eq!(local("0.0.0.0"), Ok(PacketPath::Local { source: ip("127.0.0.1") }));
    assert_eq!(local("10.1.0.2"), Ok(PacketPath::Local { source: ip("10.1.0.2") }));
    assert_eq!(local("10.3.0.2"), Ok(PacketPath::Local { source: ip("10.3.0.2") }));
}

#[test]
fn broadcast_reaches_the_other_nodes_of_the_network_only() {
    let topology = row();
    let limited = remote(&topology, "l", "255.255.255.255", 64);
    assert_eq!(
        (limited.cast, names(&topology, &limited.hosts)),
        (CastKind::Broadcast, vec!["two"])
    );
    let of_subnet = remote(&topology, "two", "10.1.0.255", 64);
    assert_eq!(names(&topology, &of_subnet.hosts), ["l"]);
    assert_eq!(of_subnet.source, ip("10.1.0.2"));
    assert_eq!(of_subnet.links.len(), 2);
    let elsewhere = remote(&topology, "l", "10.3.0.255", 64);
    assert_eq!(
        (elsewhere.cast, elsewhere.hosts.len()),
        (CastKind::Broadcast, 0),
        "is dropped silently"
    );
}

#[test]
fn multicast_leaves_through_the_first_interface_or_the_chosen_one() {
    let topology = row();
    let first = remote(&topology, "two", "239.1.2.3", 1);
    assert_eq!((first.cast, names(&topology, &first.hosts)), (CastKind::Multicast, vec!["r"]));
    let Ok(PacketPath::Remote(chosen)) = topology.route_on(HostId(3), 1, ip("239.1.2.3"), 1) else {
        panic!()
    };
    assert_eq!((names(&topology, &chosen.hosts), chosen.source), (vec!["l"], ip("10.1.0.2")));
    assert!(remote(&topology, "two", "239.1.2.3", 0).hosts.is_empty());
}

#[test]
fn a_chosen_interface_leads_only_where_it_leads() {
    let topology = row();
    let by_right = topology.route_on(HostId(3), 0, ip("10.1.0.1"), 64);
    assert_eq!(by_right, Err(RouteError::NetworkUnreachable), "the table has no such line there");
    assert!(matches!(
        topology.route_on(HostId(3), 1, ip("10.1.0.1"), 64),
        Ok(PacketPath::Remote(_))
    ));
}

/// Two routers that send packets for anywhere to each other.
fn circle() -> Arc<Topology> {
    let mut builder = TopologyBuilder::new();
    let anywhere = Subnet::EVERYTHING;
    builder
        .node(HostSpec::new("n").route(RouteSpec::via(anywhere, ip("10.0.0.8"))))
        .router(
            HostSpec::new("a")
                .interface(InterfaceSpec::at(ip("10.0.0.8")))
                .route(RouteSpec::via(anywhere, ip("10.0.0.9"))),
        )
        .router(
            HostSpec::new("b")
                .interface(InterfaceSpec::at(ip("10.0.0.9")))
                .route(RouteSpec::via(anywhere, ip("10.0.0.8"))),
        );
    builder.build().unwrap()
}

#[test]
fn loops_end_with_the_time_to_live() {
    let topology = circle();
    let id = |name: &str| topology.find(name).unwrap();
    assert_eq!(refused(&topology, "n", "8.8.8.8", 255), RouteError::TtlExceeded { by: id("a") });
    assert_eq!(refused(&topology, "n", "8.8.8.8", 4), RouteError::TtlExceeded { by: id("b") });
}

#[test]
fn routes_of_its_own_turn_the_found_ones_off() {
    let mut builder = TopologyBuilder::new();
    builder
        .network("x", Some(subnet("10.1.0.0/24")))
        .network("y", Some(subnet("10.2.0.0/24")))
        .network("z", Some(subnet("10.3.0.0/24")))
        .node(
            HostSpec::new("n")
                .interface(InterfaceSpec::on("x"))
                .route(RouteSpec::via(subnet("10.2.0.0/24"), ip("10.1.0.254"))),
        )
        .node(
            HostSpec::new("d")
                .interface(InterfaceSpec::on("x"))
                .route(RouteSpec::via(Subnet::EVERYTHING, ip("10.1.0.254"))),
        )
        .node(HostSpec::new("y1").interface(InterfaceSpec::on("y")))
        .node(HostSpec::new("z1").interface(InterfaceSpec::on("z")))
        .router(
            HostSpec::new("r")
                .interface(InterfaceSpec::on("x"))
                .interface(InterfaceSpec::on("y"))
                .interface(InterfaceSpec::on("z")),
        );
    let topology = builder.build().unwrap();
    assert_eq!(remote(&topology, "n", "10.2.0.1", 64).hops.len(), 1);
    assert_eq!(refused(&topology, "n", "10.3.0.1", 64), RouteError::NetworkUnreachable);
    let by = topology.find("r").unwrap();
    assert_eq!(remote(&topology, "d", "10.3.0.1", 64).hops.len(), 1);
    assert_eq!(refused(&topology, "d", "8.8.8.8", 64), RouteError::NoRoute { by });
    assert_eq!(refused(&topology, "d", "8.8.8.8", 64).errno(), 101);
}

#[test]
fn the_longest_prefix_wins() {
    let mut builder = TopologyBuilder::new();
    builder
        .network("x", Some(subnet("10.1.0.0/24")))
        .network("y", Some(subnet("10.2.0.0/24")))
        .node(
            HostSpec::new("n")
                .interface(InterfaceSpec::on("x"))
                .route(RouteSpec::via(subnet("10.0.0.0/8"), ip("10.1.0.254")))
                .route(RouteSpec::via(subnet("10.2.0.2/32"), ip("10.1.0.253"))),
        )
        .node(HostSpec::new("y1").interface(InterfaceSpec::on("y")))
        .node(HostSpec::new("y2").interface(InterfaceSpec::on("y")));
    for name in ["first", "second"] {
        let host = HostSpec::new(name);
        builder.router(host.interface(InterfaceSpec::on("x")).interface(InterfaceSpec::on("y")));
    }
    let topology = builder.build().unwrap();
    assert_eq!(names(&topology, &remote(&topology, "n", "10.2.0.1", 64).hops), ["first"]);
    assert_eq!(names(&topology, &remote(&topology, "n", "10.2.0.2", 64).hops), ["second"]);
}

#[test]
fn a_wide_prefix_makes_a_host_believe_that_others_are_near() {
    let mut builder = TopologyBuilder::new();
    builder
        .network("x", Some(subnet("10.1.0.0/24")))
        .network("y", Some(subnet("10.2.0.0/24")))
        .node(HostSpec::new("wrong").interface(on("x", "10.1.0.1/8")))
        .node(HostSpec::new("y1").interface(InterfaceSpec::on("y")));
    let topology = builder.build().unwrap();
    let by = topology.find("wrong").unwrap();
    assert_eq!(refused(&topology, "wrong", "10.2.0.1", 64), RouteError::HostUnreachable { by });
}

#[test]
fn hosts_file_lists_every_address_nearest_first() {
    let topology = row();
    assert_eq!(
        topology.hosts_file(topology.find("l").unwrap()),
        "127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n\
         10.1.0.1\tl\n10.2.0.1\tm\n10.3.0.1\tr\n10.1.0.2\ttwo\n10.3.0.2\ttwo\n\
         10.1.0.254\ta\n10.2.0.100\ta\n10.3.0.254\tb\n10.2.0.254\tb\n"
    );
    let seen_by_two = topology.hosts_file(topology.find("two").unwrap());
    assert!(seen_by_two.starts_with(
        "127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n\
         10.3.0.2\ttwo\n10.1.0.2\ttwo\n10.1.0.1\tl\n"
    ));
}

#[test]
fn hosts_file_knows_both_names_of_a_host() {
    let mut builder = TopologyBuilder::new();
    builder.node(HostSpec { hostname: Some("www.example".into()), ..HostSpec::new("web") });
    let topology = builder.build().unwrap();
    assert_eq!(
        topology.hosts_file(HostId(0)),
        "127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n\
         10.0.0.1\twww.example web\n"
    );
    assert_eq!(topology.find("www.example"), topology.find("web"));
}

fn error(build: impl FnOnce(&mut TopologyBuilder)) -> TopologyError {
    let mut builder = TopologyBuilder::new();
    build(&mut builder);
    builder.build().unwrap_err()
}

#[test]
fn what_does_not_fit_is_named_with_its_place() {
    let duplicate = error(|builder| {
        builder.node(HostSpec::new("a").interface(InterfaceSpec::at(ip("10.0.0.5"))));
        builder.node(HostSpec::new("b").interface(InterfaceSpec::at(ip("10.0.0.5"))));
    });
    assert_eq!(duplicate.to_string(), "`b` has the address 10.0.0.5, and so has `a`");
    assert_eq!(duplicate.place, TopologyPlace::Address { host: 1, interface: 0, address: 0 });

    let overlap = error(|builder| {
        builder.network("x", Some(subnet("10.0.0.0/8")));
        builder.network("y", Some(subnet("10.7.0.0/16")));
    });
    assert_eq!(
        overlap.to_string(),
        "the subnet 10.7.0.0/16 of network `y` overlaps 10.0.0.0/8 of network `x`"
    );
    assert_eq!(overlap.place, TopologyPlace::Network(1));

    let outside = error(|builder| {
        builder.network("x", Some(subnet("10.0.0.0/24")));
        builder.node(HostSpec::new("a").interface(on("x", "10.0.1.1")));
    });
    assert!(matches!(outside.problem, TopologyProblem::AddressOutside { .. }), "{outside}");

    let whole = error(|builder| {
        builder.network("x", Some(subnet("10.0.0.0/24")));
        builder.node(HostSpec::new("a").interface(on("x", "10.0.0.255")));
    });
    assert!(matches!(whole.problem, TopologyProblem::AddressOfNoHost { .. }), "{whole}");

    let unknown = error(|builder| {
        builder.node(HostSpec::new("a").interface(InterfaceSpec::on("nowhere")));
    });
    assert_eq!(unknown.to_string(), "`a` is on network `nowhere`, which is not declared");

    let full = error(|builder| {
        builder.network("x", Some(subnet("10.0.0.0/30")));
        builder.node(HostSpec::new("a")).node(HostSpec::new("b")).node(HostSpec::new("c"));
    });
    assert_eq!(full.to_string(), "network `x` (10.0.0.0/30) has no address left for `c`");
    assert_eq!(full.place, TopologyPlace::Interface { host: 2, interface: 0 });

    let reserved = error(|builder| {
        builder.network("x", Some(subnet("127.0.0.0/16")));
    });
    assert!(matches!(reserved.problem, TopologyProblem::ReservedSubnet(..)), "{reserved}");
}

#[test]
fn names_are_told_apart() {
    let twice = error(|builder| {
        builder.node(HostSpec::new("a")).router(HostSpec::new("a"));
    });
    assert_eq!(
        (twice.to_string().as_str(), twice.place),
        ("there are two hosts `a`", TopologyPlace::Host(1))
    );
    for bad in ["", "localhost", "with space", "a/b", &"x".repeat(64)] {
        let bad = error(|builder| {
            builder.node(HostSpec::new(bad));
        });
        assert!(matches!(bad.problem, TopologyProblem::BadName(_)), "{bad}");
    }
    let ambiguous = error(|builder| {
        builder.network("x", None).network("y", None).node(HostSpec::new("a"));
    });
    assert_eq!(ambiguous.problem, TopologyProblem::NetworkNotGiven("a".into()));
}

#[test]
fn gateways_are_routers_on_the_link() {
    let via = |gateway: &str| {
        let gateway = ip(gateway);
        error(move |builder| {
            builder.node(HostSpec::new("a").route(RouteSpec::via(Subnet::EVERYTHING, gateway)));
            builder.node(HostSpec::new("b"));
            builder.router(HostSpec::new("r"));
        })
    };
    assert!(matches!(via("10.9.0.1").problem, TopologyProblem::GatewayNotReachable { .. }));
    assert!(
        matches!(via("10.0.0.2").problem, TopologyProblem::GatewayNotRouter { .. }),
        "b is a node"
    );
    assert!(
        matches!(via("10.0.0.77").problem, TopologyProblem::GatewayNotRouter { .. }),
        "nobody has it"
    );
    assert_eq!(via("10.0.0.2").place, TopologyPlace::Route { host: 0, route: 0 });
    let nowhere = error(|builder| {
        let route = RouteSpec { to: Subnet::EVERYTHING, via: None, interface: None };
        builder.node(HostSpec::new("a").route(route));
    });
    assert!(matches!(nowhere.problem, TopologyProblem::RouteToNowhere { .. }));
}

#[test]
fn a_network_with_ipv6_gives_its_hosts_addresses_and_routes_of_both_families() {
    let mut builder = TopologyBuilder::new();
    builder.network("lan", None).subnet6(Some(subnet("fd00:1::/64")));
    builder.network("wan", None).subnet6(Some(subnet("fd00:2::/64")));
    builder.network("old", None);
    builder.node(HostSpec::new("here").interface(InterfaceSpec::on("lan")));
    builder.node(HostSpec::new("there").interface(on("wan", "fd00:2::99")));
    builder.node(HostSpec::new("past").interface(InterfaceSpec::on("old")));
    let on_all = ["lan", "wan", "old"].map(InterfaceSpec::on);
    builder.router(on_all.into_iter().fold(HostSpec::new("gate"), HostSpec::interface));
    let topology = builder.build().unwrap();
    let here = topology.host(HostId(0));
    assert_eq!(here.address(), ip("10.0.0.1"));
    assert!(here.addresses().eq([ip("10.0.0.1"), ip("fd00:1::1")]));
    let journey = remote(&topology, "here", "fd00:2::99", 64);
    assert_eq!((journey.source, journey.hosts[0]), (ip("fd00:1::1"), HostId(1)));
    assert_eq!(names(&topology, &journey.hops), ["gate"]);
    assert_eq!(refused(&topology, "past", "fd00:2::99", 64), RouteError::NetworkUnreachable);
    assert_eq!(remote(&topology, "past", "10.0.1.1", 64).hosts[..], [HostId(1)]);
    let group = remote(&topology, "here", "ff02::1", 1);
    assert_eq!((group.cast, group.source), (CastKind::Multicast, ip("fe80::aff:fe00:1")));
    assert!(topology.hosts_file(HostId(1)).contains("fd00:1::1\there\n"));
}

#[test]
fn an_address_of_ipv6_needs_a_network_that_has_some() {
    let none = error(|builder| {
        builder.network("lan", None);
        builder.node(HostSpec::new("a").interface(on("lan", "fd00::1")));
    });
    assert!(matches!(none.problem, TopologyProblem::NoSubnet6 { .. }), "{none}");
    let mut alone = TopologyBuilder::new();
    alone.node(HostSpec::new("a").interface(InterfaceSpec::at(ip("fd00::7"))));
    let topology = alone.build().unwrap();
    assert!(topology.host(HostId(0)).addresses().eq([ip("10.0.0.1"), ip("fd00::7")]));
}
