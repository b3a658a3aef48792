//! [`TopologyBuilder`]: from what a user says about networks and hosts to a checked [`Topology`].
//!
//! Whatever is left out is filled in, the same way every time: a network where there is none, subnets,
//! addresses, and the routes of hosts that have none of their own. [`Topology`] says what it looks like
//! then.
//!
//! Not here: text (scenario files are read by the driver).

mod addresses;
mod networks;
mod tables;

use std::net::IpAddr;
use std::sync::Arc;

use everett_base::{Map, Set};

use crate::{
    AddressSpec, Host, HostId, HostKind, LinkTiming, Network, Subnet, Topology, TopologyError,
    TopologyPlace, TopologyProblem,
};

/// More hosts than this are taken for a mistake.
const MOST_HOSTS: usize = 1 << 20;

/// Collects networks and hosts, and builds a topology of them.
#[derive(Clone, Debug, Default)]
pub struct TopologyBuilder {
    networks: Vec<NetworkSpec>,
    hosts: Vec<(HostKind, HostSpec)>,
}

/// A network as it is asked for.
#[derive(Clone, Debug)]
struct NetworkSpec {
    name: String,
    subnet: Option<Subnet>,
    subnet6: Option<Subnet>,
    timing: LinkTiming,
}

/// A host as it is asked for.
#[derive(Clone, Debug, Default)]
pub struct HostSpec {
    /// Its name.
    pub name: String,
    /// Its own name for itself, if that is another.
    pub hostname: Option<String>,
    /// Its interfaces; if there are none it gets one on the only network.
    pub interfaces: Vec<InterfaceSpec>,
    /// Its routes; if there are none it gets those to all networks that routers lead to.
    pub routes: Vec<RouteSpec>,
}

/// An interface as it is asked for.
#[derive(Clone, Debug, Default)]
pub struct InterfaceSpec {
    /// Its name, if not `eth` and its position.
    pub name: Option<String>,
    /// The name of its network, if not the one that has its first address, or the only one.
    pub network: Option<String>,
    /// Its addresses; of each family that its network has it gets one if there are none.
    pub addresses: Vec<AddressSpec>,
    /// True if its address stands for the host; otherwise that of the first interface does.
    pub primary: bool,
    /// The time that messages take on the link.
    pub timing: LinkTiming,
}

/// A route as it is asked for: through a gateway, or to a link.
#[derive(Clone, Debug)]
pub struct RouteSpec {
    /// The addresses that it leads to.
    pub to: Subnet,
    /// An address of a router on a network of the host.
    pub via: Option<IpAddr>,
    /// The name of the host's interface; may be left out if there is a gateway.
    pub interface: Option<String>,
}

impl HostSpec {
    /// A host with all that is filled in.
    pub fn new(name: impl Into<String>) -> HostSpec {
        HostSpec { name: name.into(), ..HostSpec::default() }
    }

    /// Adds an interface.
    pub fn interface(mut self, interface: InterfaceSpec) -> HostSpec {
        self.interfaces.push(interface);
        self
    }

    /// Adds a route.
    pub fn route(mut self, route: RouteSpec) -> HostSpec {
        self.routes.push(route);
        self
    }
}

impl InterfaceSpec {
    /// An interface on a network.
    pub fn on(network: impl Into<String>) -> InterfaceSpec {
        InterfaceSpec { network: Some(network.into()), ..InterfaceSpec::default() }
    }

    /// An interface on whichever network has the address.
    pub fn at(address: impl Into<AddressSpec>) -> InterfaceSpec {
        InterfaceSpec::default().address(address)
    }

    /// Adds an address.
    pub fn address(mut self, address: impl Into<AddressSpec>) -> InterfaceSpec {
        self.addresses.push(address.into());
        self
    }
}

impl RouteSpec {
    /// A route through a gateway.
    pub fn via(to: Subnet, gateway: impl Into<IpAddr>) -> RouteSpec {
        RouteSpec { to, via: Some(gateway.into()), interface: None }
    }
}

impl TopologyBuilder {
    /// Nothing yet.
    pub fn new() -> TopologyBuilder {
        TopologyBuilder::default()
    }

    /// Adds a network with a subnet of IPv4; without one it gets a free one of 10.0.0.0/8.
    pub fn network(&mut self, name: impl Into<String>, subnet: Option<Subnet>) -> &mut Self {
        let timing = LinkTiming::default();
        self.networks.push(NetworkSpec { name: name.into(), subnet, subnet6: None, timing });
        self
    }

    /// Gives the network that was added last addresses of IPv6, too.
    pub fn subnet6(&mut self, subnet: Option<Subnet>) -> &mut Self {
        if let Some(network) = self.networks.last_mut() {
            network.subnet6 = subnet;
        }
        self
    }

    /// Lets messages take time on the network that was added last.
    pub fn timing(&mut self, timing: LinkTiming) -> &mut Self {
        if let Some(network) = self.networks.last_mut() {
            network.timing = timing;
        }
        self
    }

    /// Adds a host that runs programs.
    pub fn node(&mut self, host: HostSpec) -> &mut Self {
        self.hosts.push((HostKind::Node, host));
        self
    }

    /// Adds a host that forwards.
    pub fn router(&mut self, host: HostSpec) -> &mut Self {
        self.hosts.push((HostKind::Router, host));
        self
    }

    /// Checks all of it and fills in what is missing. The first thing that is wrong is the error.
    pub fn build(&self) -> Result<Arc<Topology>, TopologyError> {
        self.check_names()?;
        let networks = networks::numbered(self)?;
        let (interfaces, owners) = addresses::numbered(self, &networks)?;
        let nodes = self.hosts.iter().filter(|(kind, _)| *kind == HostKind::Node).count();
        let mut hosts: Vec<Host> = Vec::with_capacity(self.hosts.len());
        let mut interfaces: Vec<_> = interfaces.into_iter().map(Some).collect();
        let order = self.order();
        for &given in &order {
            let (kind, spec) = &self.hosts[given];
            hosts.push(Host {
                name: spec.name.clone(),
                hostname: spec.hostname.clone().unwrap_or_else(|| spec.name.clone()),
                kind: *kind,
                interfaces: interfaces[given].take().expect("every host is in the order once"),
                primary: self.primary(given)?,
                routes: Vec::new(),
            });
        }
        let mut number = vec![0; order.len()];
        for (id, &given) in order.iter().enumerate() {
            number[given] = id;
        }
        let owners = owners
            .into_iter()
            .map(|(address, (given, interface))| {
                (address, (HostId::from_index(number[given]), interface))
            })
            .collect();
        let mut topology = Topology { networks, hosts, nodes, owners, timed: false };
        let timed = topology.timings().any(|timing| !timing.is_instant());
        topology.timed = timed;
        attach(&mut topology);
        tables::fill(&mut topology, self, &order)?;
        Ok(Arc::new(topology))
    }

    /// Positions of the hosts as they were given, in the order of their numbers: nodes first.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.hosts.len()).collect();
        order.sort_by_key(|&given| self.hosts[given].0);
        order
    }

    fn check_names(&self) -> Result<(), TopologyError> {
        if self.hosts.len() > MOST_HOSTS {
            return Err(at(
                TopologyPlace::Host(MOST_HOSTS),
                TopologyProblem::TooManyHosts(MOST_HOSTS),
            ));
        }
        let mut seen: Set<&str> = Set::default();
        for (index, NetworkSpec { name, .. }) in self.networks.iter().enumerate() {
            let place = TopologyPlace::Network(index);
            check_name(place, name)?;
            if !seen.insert(name) {
                return Err(at(place, TopologyProblem::DuplicateNetwork(name.clone())));
            }
        }
        let mut taken: Map<&str, usize> = Map::default();
        for (index, (_, spec)) in self.hosts.iter().enumerate() {
            let place = TopologyPlace::Host(index);
            for name in std::iter::once(&spec.name).chain(&spec.hostname) {
                check_name(place, name)?;
                if *taken.entry(name).or_insert(index) != index {
                    return Err(at(place, TopologyProblem::DuplicateHost(name.clone())));
                }
            }
            self.check_interface_names(index)?;
        }
        Ok(())
    }

    fn check_interface_names(&self, host: usize) -> Result<(), TopologyError> {
        let spec = &self.hosts[host].1;
        let mut seen: Set<String> = Set::default();
        for (position, interface) in spec.interfaces.iter().enumerate() {
            let place = TopologyPlace::Interface { host, interface: position };
            let name = interface_name(position, interface);
            check_name(place, &name)?;
            if !seen.insert(name.clone()) {
                let host = spec.name.clone();
                return Err(at(
                    place,
                    TopologyProblem::DuplicateInterface { host, interface: name },
                ));
            }
        }
        Ok(())
    }

    fn primary(&self, host: usize) -> Result<usize, TopologyError> {
        let spec = &self.hosts[host].1;
        let mut marked = (0..spec.interfaces.len()).filter(|&each| spec.interfaces[each].primary);
        let first = marked.next().unwrap_or(0);
        match marked.next() {
            None => Ok(first),
            Some(interface) => {
                let place = TopologyPlace::Interface { host, interface };
                Err(at(place, TopologyProblem::TwoPrimaries(spec.name.clone())))
            }
        }
    }
}

fn at(place: TopologyPlace, problem: TopologyProblem) -> TopologyError {
    TopologyError { place, problem }
}

fn check_name(place: TopologyPlace, name: &str) -> Result<(), TopologyError> {
    let fits = (1..=63).contains(&name.len()) && name != "localhost";
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    if fits && name.bytes().all(plain) {
        Ok(())
    } else {
        Err(at(place, TopologyProblem::BadName(name.into())))
    }
}

fn interface_name(position: usize, interface: &InterfaceSpec) -> String {
    interface.name.clone().unwrap_or_else(|| format!("eth{position}"))
}

/// Enters the hosts into the networks that they are on.
fn attach(topology: &mut Topology) {
    for (id, host) in topology.hosts.iter().enumerate() {
        for interface in &host.interfaces {
            let Network { hosts, .. } = &mut topology.networks[interface.network.index()];
            if hosts.last() != Some(&HostId::from_index(id)) {
                hosts.push(HostId::from_index(id));
            }
        }
    }
}
