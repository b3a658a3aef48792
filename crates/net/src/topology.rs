//! [`Topology`]: the networks, the hosts on them, and who sends what where.
//!
//! Nodes, which run programs, are numbered first, in the order in which they were given, so that the
//! number of a node is the number of its host; routers, which only forward, follow. A topology never
//! changes once it is built, and is shared by all states.
//!
//! Not here: how it is built and checked (`builder.rs`); the way of a packet (`route.rs`).
//! Invariant: networks do not overlap, so that an address belongs to one interface of one host.

use std::net::IpAddr;
use std::sync::Arc;

use everett_base::{Map, define_id, shares_nothing};

use crate::link_local::{PREFIX_BITS, is_link_local, link_local_of, needs_scope, primary_of};
use crate::{Address, HostSpec, LinkTiming, Subnet, TopologyBuilder};

define_id!(
    /// A host: a node or a router.
    pub struct HostId, "h"
);

define_id!(
    /// A network.
    pub struct NetworkId, "net"
);

/// Networks, hosts and routes; see the module's description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topology {
    pub(crate) networks: Vec<Network>,
    pub(crate) hosts: Vec<Host>,
    pub(crate) nodes: usize,
    /// Messages take time somewhere.
    pub(crate) timed: bool,
    /// The owner of each address: the host, and the position of its interface.
    pub(crate) owners: Map<IpAddr, (HostId, usize)>,
}

everett_base::portable!(struct Topology { networks, hosts, nodes, timed, owners });

shares_nothing!(Topology);

/// A link that all its hosts hear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// Its name.
    pub name: String,
    /// Its addresses of IPv4.
    pub subnet: Subnet,
    /// Its addresses of IPv6, if it has any.
    pub subnet6: Option<Subnet>,
    /// The hosts that have an interface on it, each once, in the order of their numbers.
    pub hosts: Vec<HostId>,
    /// The time that messages take on it.
    pub timing: LinkTiming,
}

everett_base::portable!(struct Network { name, subnet, subnet6, hosts, timing });

/// The kind of a host: it decides about packets that are not for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HostKind {
    /// Runs programs, and drops such packets.
    Node,
    /// Runs no program, and forwards such packets.
    Router,
}

everett_base::portable!(enum HostKind { 0 = Node, 1 = Router });

/// A node or a router.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// Its name in the topology.
    pub name: String,
    /// Its name as it knows it itself, and as others look it up.
    pub hostname: String,
    /// Node or router.
    pub kind: HostKind,
    /// Its interfaces, at least one; the loopback interface is not listed.
    pub interfaces: Vec<Interface>,
    /// The position of the interface whose address stands for the host.
    pub primary: usize,
    /// Its routing table, longest prefix first. Links come before routes of the same length, and
    /// those are in the order in which they were given.
    pub routes: Vec<RouteEntry>,
}

everett_base::portable!(struct Host { name, hostname, kind, interfaces, primary, routes });

/// The attachment of a host to a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// `eth0`, `eth1`, and so on, unless it was given another name.
    pub name: String,
    /// The network.
    pub network: NetworkId,
    /// Its addresses: at least one of IPv4, the first of which is its primary one, and then those of IPv6.
    pub addresses: Vec<Address>,
    /// The time that messages take on the link, in both directions.
    pub timing: LinkTiming,
}

everett_base::portable!(struct Interface { name, network, addresses, timing });

/// A line of a routing table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RouteEntry {
    /// The addresses that it applies to.
    pub destination: Subnet,
    /// The router to hand packets to; `None` if the destination is on the link itself.
    pub gateway: Option<IpAddr>,
    /// The position of the interface that packets leave through.
    pub interface: usize,
}

everett_base::portable!(struct RouteEntry { destination, gateway, interface });

impl Topology {
    /// One node on a network of its own.
    pub fn alone(name: &str) -> Result<Arc<Topology>, crate::TopologyError> {
        let mut builder = TopologyBuilder::new();
        builder.node(HostSpec::new(name));
        builder.build()
    }

    /// All hosts: the nodes, then the routers.
    pub fn hosts(&self) -> &[Host] {
        &self.hosts
    }

    /// The nodes; the position of each is its number.
    pub fn nodes(&self) -> &[Host] {
        &self.hosts[..self.nodes]
    }

    /// The routers.
    pub fn routers(&self) -> &[Host] {
        &self.hosts[self.nodes..]
    }

    /// A host by its number.
    pub fn host(&self, id: HostId) -> &Host {
        &self.hosts[id.index()]
    }

    /// Returns true if the host runs programs.
    pub fn is_node(&self, id: HostId) -> bool {
        id.index() < self.nodes
    }

    /// All networks, in the order in which they were given.
    pub fn networks(&self) -> &[Network] {
        &self.networks
    }

    /// A network by its number.
    pub fn network(&self, id: NetworkId) -> &Network {
        &self.networks[id.index()]
    }

    /// The host with this name or host name.
    pub fn find(&self, name: &str) -> Option<HostId> {
        let found = self.hosts.iter().position(|host| host.name == name || host.hostname == name);
        found.map(HostId::from_index)
    }

    /// The host that has the address, and the position of its interface.
    pub fn owner(&self, address: IpAddr) -> Option<(HostId, usize)> {
        let Some(primary) = primary_of(address) else { return self.owners.get(&address).copied() };
        let (host, position) = *self.owners.get(&IpAddr::V4(primary))?;
        let own = self.host(host).interfaces[position].link_local()?;
        (own.ip == address).then_some((host, position))
    }

    /// The position of the interface of a host that is on the link of a link-local address; without an owner
    /// of it, the first interface that has such an address.
    pub fn link_of(&self, host: HostId, address: IpAddr) -> Option<usize> {
        let interfaces = &self.host(host).interfaces;
        let network = self.owner(address).map(|(host, position)| {
            let owner = self.host(host);
            owner.interfaces[position].network
        });
        let near = interfaces.iter().position(|each| Some(each.network) == network);
        near.or_else(|| interfaces.iter().position(|each| each.link_local().is_some()))
    }
}

impl Network {
    /// Its subnets, that of IPv4 first.
    pub fn subnets(&self) -> impl Iterator<Item = Subnet> + '_ {
        std::iter::once(self.subnet).chain(self.subnet6)
    }
}

impl Host {
    /// The address of IPv4 that stands for the host.
    pub fn address(&self) -> IpAddr {
        self.interfaces[self.primary].address()
    }

    /// All addresses, interface by interface.
    pub fn addresses(&self) -> impl Iterator<Item = IpAddr> + '_ {
        self.interfaces.iter().flat_map(|each| each.addresses.iter().map(|address| address.ip))
    }

    /// Returns true if the address is one of its own; loopback addresses are everybody's.
    pub fn owns(&self, address: IpAddr) -> bool {
        let is_of_link = |each: &Interface| each.link_local().is_some_and(|own| own.ip == address);
        address.is_loopback()
            || self.addresses().any(|own| own == address)
            || is_link_local(address) && self.interfaces.iter().any(is_of_link)
    }

    /// The position of the interface with this name.
    pub fn interface(&self, name: &str) -> Option<usize> {
        self.interfaces.iter().position(|each| each.name == name)
    }

    /// The line of the routing table for an address.
    pub fn lookup(&self, to: IpAddr) -> Option<&RouteEntry> {
        self.routes.iter().find(|route| route.destination.contains(to))
    }

    /// The same, among the lines that leave through one interface.
    pub fn lookup_on(&self, interface: usize, to: IpAddr) -> Option<&RouteEntry> {
        let mut lines = self.routes.iter().filter(|route| route.interface == interface);
        lines.find(|route| route.destination.contains(to))
    }
}

impl Interface {
    /// The link-local address, if the interface has addresses of IPv6.
    pub fn link_local(&self) -> Option<Address> {
        let has_ipv6 = self.addresses.iter().any(|address| address.ip.is_ipv6());
        let IpAddr::V4(primary) = self.address() else { return None };
        let ip = link_local_of(primary).into();
        let subnet = Subnet::around(ip, PREFIX_BITS).expect("the prefix fits");
        has_ipv6.then_some(Address { ip, subnet })
    }

    /// The primary address, which is one of IPv4.
    pub fn address(&self) -> IpAddr {
        self.addresses[0].ip
    }

    /// The address that a packet to `next`, which is on the link, should come from: the first one
    /// whose subnet holds it, or the first one of its family. What is for one link comes from the link-local
    /// address.
    pub fn source(&self, next: IpAddr) -> Option<IpAddr> {
        if needs_scope(next) {
            return self.link_local().map(|own| own.ip);
        }
        let near = self.addresses.iter().find(|address| address.subnet.contains(next));
        let mut of_family =
            self.addresses.iter().filter(|each| each.ip.is_ipv4() == next.is_ipv4());
        near.or_else(|| of_family.next()).map(|address| address.ip)
    }
}
