//! The networks of a test as commands of `ip`: a namespace for each host, a bridge for each network.

use std::fmt::Write;

use everett_replay::DTest;
use everett_replay::dtest::{TestInterface, TestRoute};

/// The namespace of a node.
pub(super) fn namespace_of_node(at: usize) -> String {
    format!("n{at}")
}

fn namespace_of_router(at: usize) -> String {
    format!("r{at}")
}

/// The network side of a host.
struct NativeHost<'a> {
    namespace: String,
    name: &'a str,
    interfaces: &'a [TestInterface],
    routes: &'a [TestRoute],
    forwards: bool,
}

/// The commands that make the networks, for `sh`.
pub(super) fn commands(test: &DTest) -> String {
    let nodes = test.nodes.iter().enumerate().map(|(at, node)| NativeHost {
        namespace: namespace_of_node(at),
        name: &node.hostname,
        interfaces: &node.interfaces,
        routes: &node.routes,
        forwards: false,
    });
    let routers = test.routers.iter().enumerate().map(|(at, router)| NativeHost {
        namespace: namespace_of_router(at),
        name: &router.hostname,
        interfaces: &router.interfaces,
        routes: &router.routes,
        forwards: true,
    });
    let hosts: Vec<NativeHost<'_>> = nodes.chain(routers).collect();
    let mut text = String::from("ip -batch - <<'END'\n");
    for (at, network) in test.networks.iter().enumerate() {
        let _ = writeln!(text, "# network {}", comment(&network.name));
        let _ = writeln!(text, "link add br{at} type bridge forward_delay 0 mcast_snooping 0");
        let _ = writeln!(text, "link set br{at} up");
    }
    for host in &hosts {
        outside(&mut text, test, host);
    }
    text.push_str("END\n");
    for host in &hosts {
        inside(&mut text, host);
    }
    text
}

fn outside(text: &mut String, test: &DTest, host: &NativeHost<'_>) {
    let NativeHost { namespace, name, interfaces, .. } = host;
    let _ = writeln!(text, "# {}\nnetns add {namespace}", comment(name));
    for (at, interface) in interfaces.iter().enumerate() {
        let bridge = test.networks.iter().position(|network| network.name == interface.network);
        let peer = interface_name(interface, at);
        let _ = writeln!(
            text,
            "link add {namespace}-{at} type veth peer name {peer} netns {namespace}"
        );
        if let Some(bridge) = bridge {
            let _ = writeln!(text, "link set {namespace}-{at} master br{bridge} up");
        }
    }
}

fn inside(text: &mut String, host: &NativeHost<'_>) {
    let NativeHost { namespace, name, interfaces, routes, forwards } = host;
    let _ =
        writeln!(text, "ip -n {namespace} -batch - <<'END'\n# {}\nlink set lo up", comment(name));
    for (at, interface) in interfaces.iter().enumerate() {
        let device = interface_name(interface, at);
        let mut addresses: Vec<_> = interface.addresses.iter().collect();
        addresses.sort_by_key(|address| !address.primary);
        for address in addresses {
            let (ip, mask) = (address.ip, address.mask);
            // Addresses of IPv6 are there at once, without asking whether somebody else has them.
            let more = if ip.is_ipv4() { "brd +" } else { "nodad" };
            let _ = writeln!(text, "addr add {ip}/{mask} {more} dev {device}");
        }
        let _ = writeln!(text, "link set {device} up");
    }
    for route in *routes {
        let _ = writeln!(text, "route add {}", route_words(route, interfaces));
    }
    // Multicasts and broadcasts to everybody leave by the first interface, also without any route.
    if let Some(first) = interfaces.first() {
        let device = interface_name(first, 0);
        let _ = writeln!(text, "route add 224.0.0.0/4 dev {device}");
        let _ = writeln!(text, "route add 255.255.255.255 dev {device}");
    }
    text.push_str("END\n");
    let set = |key: &str, value: &str| format!("echo '{value}' > /proc/sys/net/{key}");
    let setting = |key: &str, value: &str| set(&format!("ipv4/{key}"), value);
    let mut settings = vec![
        // Buffers that have room for everything that is sent in the script.
        setting("tcp_rmem", "4096 8388608 16777216"),
        setting("tcp_wmem", "4096 8388608 16777216"),
        // Connections that are over keep no ports: the script determines which ports are free.
        setting("tcp_max_tw_buckets", "0"),
    ];
    if *forwards {
        settings.push(setting("ip_forward", "1"));
        let has_ipv6 = interfaces.iter().flat_map(|each| &each.addresses).any(|a| a.ip.is_ipv6());
        settings.extend(has_ipv6.then(|| set("ipv6/conf/all/forwarding", "1")));
    }
    let settings = settings.join("; ");
    let _ = writeln!(text, "nsenter --net=/run/netns/{namespace} sh -c \"{settings}\"");
}

/// A name as a comment has it: one line, so that nothing that it says is a command.
fn comment(name: &str) -> String {
    name.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

fn route_words(route: &TestRoute, interfaces: &[TestInterface]) -> String {
    let destination = match route.destination {
        Some(ip) => format!("{ip}/{}", route.mask),
        None => "default".to_owned(),
    };
    let via = route.gateway.map(|gateway| format!(" via {gateway}")).unwrap_or_default();
    let at = interfaces.iter().position(|each| Some(each.identifier) == route.interface);
    let device = at.map(|at| format!(" dev {}", interface_name(&interfaces[at], at)));
    format!("{destination}{via}{}", device.unwrap_or_default())
}

fn interface_name(interface: &TestInterface, at: usize) -> String {
    interface.name.clone().unwrap_or_else(|| format!("eth{at}"))
}
