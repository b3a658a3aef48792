//! The nodes of a system that a program has made itself: [`BootedSystem`].
//!
//! What the states have declared decides everything about the nodes, their networks and the rounds in which
//! they begin. So a process that goes on with a part of such a system is told the declarations alone.
//!
//! Not here: how states come to wait for that, and become nodes (`explore/worker/boot.rs`).

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::sync::Arc;

use everett_base::part::PartError;
use everett_net::{HostId, Subnet, Topology, TopologyBuilder, TopologyError, TopologyPlace};
use everett_posix::KernelConfig;

use crate::state::boot::{BootDeclarations, HostDraft, HostSetup};
use crate::state::setup::NodeSetup;

/// Why nodes cannot be put together, and whose fault it is.
pub(crate) struct BootRefusal {
    /// The position of the node.
    pub(crate) node: usize,
    pub(crate) message: String,
}

/// The nodes of a system, with the declarations that they are made from.
pub(crate) struct BootedSystem {
    declared: Vec<BootDeclarations>,
    nodes: Vec<NodeSetup>,
}

impl BootedSystem {
    /// The system of states that wait and have declared this, in the order of the nodes. `first` is the node
    /// that the program has begun on.
    pub(crate) fn new(
        first: &NodeSetup,
        declared: Vec<BootDeclarations>,
    ) -> Result<BootedSystem, BootRefusal> {
        let hosts: Vec<&HostSetup> =
            declared.iter().filter_map(BootDeclarations::host_setup).collect();
        if hosts.len() < declared.len() {
            let message = "a node is not set up".to_owned();
            return Err(BootRefusal { node: 0, message });
        }
        let topology = connect(&declared)?;
        let made = declared.iter().zip(&hosts).zip(rounds(&hosts)).enumerate();
        let nodes = made.map(|(number, ((declared, host), start))| {
            let node = BootedNode { number, declared, host, start };
            make_node(first, &topology, node).map_err(|error| {
                let name = &declared.own.name;
                let message = format!("the files of `{name}` cannot be made: {error}");
                BootRefusal { node: number, message }
            })
        });
        let nodes = nodes.collect::<Result<Vec<NodeSetup>, BootRefusal>>()?;
        Ok(BootedSystem { declared, nodes })
    }

    /// The system that a program has made in another process, of a run that begins with these nodes.
    pub(crate) fn again(
        first: &[NodeSetup],
        declared: Vec<BootDeclarations>,
    ) -> Result<BootedSystem, PartError> {
        let wrong = |expected| PartError { at: 0, expected };
        let [first] = first else { return Err(wrong("nodes of a run that begins with one")) };
        BootedSystem::new(first, declared).map_err(|_| wrong("nodes that can be connected"))
    }

    /// What the states have declared, in the order of the nodes.
    pub(crate) fn declared(&self) -> &[BootDeclarations] {
        &self.declared
    }

    /// The nodes.
    pub(crate) fn nodes(&self) -> &[NodeSetup] {
        &self.nodes
    }
}

/// The topology of nodes in their order.
fn connect(nodes: &[BootDeclarations]) -> Result<Arc<Topology>, BootRefusal> {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    if let Some(node) = nodes.iter().position(|boot| !names.insert(&boot.own.name)) {
        let name = &nodes[node].own.name;
        let message = format!("two nodes are called `{name}`: each needs a name of its own");
        return Err(BootRefusal { node, message });
    }
    let mut networks: Vec<&String> = Vec::new();
    let mut routers: Vec<&HostDraft> = Vec::new();
    for (node, boot) in nodes.iter().enumerate() {
        for network in &boot.networks {
            if !networks.contains(&network) {
                networks.push(network);
            }
        }
        for router in &boot.routers {
            match routers.iter().find(|known| known.name == router.name) {
                None => routers.push(router),
                Some(known) if *known == router => {}
                Some(_) => {
                    let name = &router.name;
                    let message = format!("router `{name}` is not declared alike by all nodes");
                    return Err(BootRefusal { node, message });
                }
            }
        }
    }
    if let Some(router) = routers.iter().find(|router| router.interfaces.is_empty()) {
        let message = format!("router `{}` has no interface", router.name);
        return Err(BootRefusal { node: 0, message });
    }
    let mut builder = TopologyBuilder::new();
    let hosts = || nodes.iter().map(|boot| &boot.own).chain(routers.iter().copied());
    for network in networks {
        let subnet = hosts().find_map(|host| first_address(host, network));
        builder.network(network, subnet.and_then(|(ip, prefix)| Subnet::around(ip, prefix)));
    }
    for boot in nodes {
        builder.node(boot.own.spec());
    }
    for router in &routers {
        builder.router(router.spec());
    }
    builder.build().map_err(|error| {
        let node = guilty(&error).filter(|host| *host < nodes.len()).unwrap_or(0);
        BootRefusal { node, message: format!("the nodes cannot be connected: {error}") }
    })
}

/// The first address of a host on a network, with the length of its prefix.
fn first_address(host: &HostDraft, network: &str) -> Option<(IpAddr, u8)> {
    let here = host.interfaces.iter().filter(|each| each.network == network);
    here.flat_map(|each| &each.addresses).copied().next()
}

/// The host that an error is about.
fn guilty(error: &TopologyError) -> Option<usize> {
    match error.place {
        TopologyPlace::Network(_) => None,
        TopologyPlace::Host(host)
        | TopologyPlace::Interface { host, .. }
        | TopologyPlace::Address { host, .. }
        | TopologyPlace::Route { host, .. } => Some(host),
    }
}

/// The rounds in which nodes begin: servers first, so that they wait for the others when these begin,
/// and among them, and among the others, those with lower sequence numbers.
fn rounds(nodes: &[&HostSetup]) -> Vec<u32> {
    let key = |node: &HostSetup| (!node.server, node.sequence);
    let order: BTreeSet<(bool, u32)> = nodes.iter().map(|node| key(node)).collect();
    nodes.iter().map(|node| order.range(..key(node)).count() as u32).collect()
}

/// A state that becomes a node.
struct BootedNode<'a> {
    number: usize,
    declared: &'a BootDeclarations,
    host: &'a HostSetup,
    /// The round in which it begins.
    start: u32,
}

/// A node that was booted, as it would have been at the start.
fn make_node(
    first: &NodeSetup,
    topology: &Arc<Topology>,
    BootedNode { number, declared, host, start }: BootedNode<'_>,
) -> Result<NodeSetup, everett_fs::FsError> {
    let mut config = first.config.clone();
    config.kernel = KernelConfig {
        hostname: declared.own.name.clone(),
        topology: Some(topology.clone()),
        host: HostId::from_index(number),
        seed: config.kernel.seed.wrapping_add((number as u64) << 32),
        ..config.kernel
    };
    let mut node = first.node.clone();
    node.join(&first.config.kernel, &config.kernel)?;
    let server = Some(host.server);
    let NodeSetup { program, entry, .. } = *first;
    Ok(NodeSetup { config, program, entry, node, start, server })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_begin_before_others_whatever_their_numbers() {
        let node = |server, sequence| HostSetup { server, sequence };
        let nodes = [node(false, 0), node(true, 1), node(true, u32::MAX), node(false, 7)];
        assert_eq!(rounds(&nodes.each_ref()), [2, 0, 1, 3]);
        let alike = [node(false, 3), node(false, 3)];
        assert_eq!(rounds(&alike.each_ref()), [0, 0]);
    }
}
