//! [`TopologyError`]: why networks, hosts and routes do not fit together.
//!
//! An error names the [`TopologyPlace`] that is wrong by its position in what the builder was given, so that
//! a reader of files can point at its line.

use std::net::IpAddr;

use crate::Subnet;

/// A mistake in a topology, and its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct TopologyError {
    /// The part that it is in.
    pub place: TopologyPlace,
    /// The mistake.
    pub problem: TopologyProblem,
}

/// A part of what a builder was given. Positions count from 0, in the order of the calls; nodes and
/// routers are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopologyPlace {
    /// A network.
    Network(usize),
    /// A node or a router.
    Host(usize),
    /// An interface of a host.
    Interface {
        /// The host.
        host: usize,
        /// Its interface.
        interface: usize,
    },
    /// An address of an interface.
    Address {
        /// The host.
        host: usize,
        /// Its interface.
        interface: usize,
        /// The address of that interface.
        address: usize,
    },
    /// A route of a host.
    Route {
        /// The host.
        host: usize,
        /// Its route.
        route: usize,
    },
}

/// A reason why a topology cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TopologyProblem {
    /// Two networks have one name.
    #[error("there are two networks `{0}`")]
    DuplicateNetwork(String),
    /// Two hosts have one name.
    #[error("there are two hosts `{0}`")]
    DuplicateHost(String),
    /// Two interfaces of a host have one name.
    #[error("`{host}` has two interfaces `{interface}`")]
    DuplicateInterface {
        /// The host.
        host: String,
        /// The name.
        interface: String,
    },
    /// A name that cannot be one.
    #[error("`{0}` is not a name: 1 to 63 letters, digits, `-`, `_` and `.`, and not `localhost`")]
    BadName(String),
    /// Too many hosts to be numbered.
    #[error("there are more than {0} hosts")]
    TooManyHosts(usize),
    /// A subnet with addresses that no host can have.
    #[error(
        "the subnet {0} of network `{1}` holds addresses that are no host's (0/8, 127/8, 224/3; ::/8, \
         fe80::/10, fec0::/10, ff00::/8)"
    )]
    ReservedSubnet(Subnet, String),
    /// Two networks share addresses.
    #[error(
        "the subnet {subnet} of network `{network}` overlaps {other_subnet} of network `{other}`"
    )]
    OverlappingNetworks {
        /// The later one.
        network: String,
        /// Its subnet.
        subnet: Subnet,
        /// The earlier one.
        other: String,
        /// Its subnet.
        other_subnet: Subnet,
    },
    /// 10/8 is used up.
    #[error("no subnet is left in 10.0.0.0/8 for network `{0}`: give it one")]
    NoFreeSubnet(String),
    /// An interface names a network that does not exist.
    #[error("`{host}` is on network `{network}`, which is not declared")]
    UnknownNetwork {
        /// The host.
        host: String,
        /// The network.
        network: String,
    },
    /// Several networks, and no sign which one is meant.
    #[error("which network is `{0}` on? Give it an address or an interface with a network")]
    NetworkNotGiven(String),
    /// An address that is on no network.
    #[error("the address {address} of `{host}` is on none of the networks")]
    AddressOnNoNetwork {
        /// The host.
        host: String,
        /// The address.
        address: IpAddr,
    },
    /// An address that its network does not have.
    #[error(
        "the address {address} of `{host}` is outside of {subnet}, the subnet of network `{network}`"
    )]
    AddressOutside {
        /// The host.
        host: String,
        /// The address.
        address: IpAddr,
        /// The network.
        network: String,
        /// Its subnet.
        subnet: Subnet,
    },
    /// An address of IPv6 on a network that has none.
    #[error(
        "the address {address} of `{host}` is one of IPv6, which network `{network}` does not have"
    )]
    NoSubnet6 {
        /// The host.
        host: String,
        /// The address.
        address: IpAddr,
        /// The network.
        network: String,
    },
    /// The first or the last address of a subnet.
    #[error(
        "the address {address} of `{host}` stands for {subnet} as a whole: a host has one between \
         its first and its last"
    )]
    AddressOfNoHost {
        /// The host.
        host: String,
        /// The address.
        address: IpAddr,
        /// The subnet.
        subnet: Subnet,
    },
    /// A prefix that is longer than the address.
    #[error("the prefix of {0} is longer than the address")]
    BadPrefix(IpAddr),
    /// Two interfaces have one address.
    #[error("`{host}` has the address {address}, and so has `{other}`")]
    DuplicateAddress {
        /// The later one.
        host: String,
        /// The address.
        address: IpAddr,
        /// The earlier one.
        other: String,
    },
    /// A network is full.
    #[error("network `{network}` ({subnet}) has no address left for `{host}`")]
    NoFreeAddress {
        /// The host.
        host: String,
        /// The network.
        network: String,
        /// Its subnet.
        subnet: Subnet,
    },
    /// Several interfaces claim to be the first.
    #[error("`{0}` has two primary interfaces")]
    TwoPrimaries(String),
    /// A route without a gateway and without an interface.
    #[error("the route of `{host}` to {to} has neither a gateway nor an interface")]
    RouteToNowhere {
        /// The host.
        host: String,
        /// Its destination.
        to: Subnet,
    },
    /// A route names an interface that its host does not have.
    #[error("`{host}` has no interface `{interface}`")]
    UnknownInterface {
        /// The host.
        host: String,
        /// The name.
        interface: String,
    },
    /// A gateway that is not on a link of the host.
    #[error("the gateway {gateway} of `{host}` is not on a network of `{host}`")]
    GatewayNotReachable {
        /// The host.
        host: String,
        /// The gateway.
        gateway: IpAddr,
    },
    /// A gateway that forwards nothing.
    #[error("the gateway {gateway} of `{host}` is not the address of a router on that network")]
    GatewayNotRouter {
        /// The host.
        host: String,
        /// The gateway.
        gateway: IpAddr,
    },
}
