//! The way of a packet: [`Topology::route`] follows the routing tables hop by hop.
//!
//! A packet that cannot arrive is an answer too: [`RouteError`] is what the sender is told. Some
//! packets arrive nowhere without anybody telling: a [`PacketJourney`] without hosts.
//!
//! Not here: failures of links (a [`PacketJourney`] lists the [`NetworkLink`]s that it needs); group
//! membership, as a multicast reaches every node of the network and the receiver decides.
//! Limit: each router takes one off the time to live, so that loops end.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use smallvec::{SmallVec, smallvec};

use crate::link_local::is_link_local;
use crate::{Host, HostId, NetworkId, Topology};

/// The way of a packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PacketPath {
    /// To the sender itself, without touching a network.
    Local {
        /// The address that it comes from unless the sender has chosen one.
        source: IpAddr,
    },
    /// Over networks.
    Remote(PacketJourney),
}

/// A way over networks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PacketJourney {
    /// For one host or for many.
    pub cast: CastKind,
    /// The hosts that get it. One host for [`CastKind::One`], possibly a router, which runs no program;
    /// otherwise the other nodes of the network in the order of their numbers, never the sender.
    pub hosts: SmallVec<[HostId; 1]>,
    /// The routers that forward it, in order.
    pub hops: SmallVec<[HostId; 2]>,
    /// The networks that it crosses, in order.
    pub networks: SmallVec<[NetworkId; 2]>,
    /// The position of the sender's interface that it leaves through.
    pub interface: usize,
    /// The address that it comes from unless the sender has chosen one.
    pub source: IpAddr,
    /// Its time to live when it arrives.
    pub ttl: u8,
    /// The links that must work: for one host all of them in order; for many the sender's, and then
    /// for each of `hosts` its own.
    pub links: SmallVec<[NetworkLink; 2]>,
}

/// For how many hosts a packet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CastKind {
    /// The one with the address.
    One,
    /// All on a network. The sender's own sockets hear it as well, which is its kernel's business.
    Broadcast,
    /// Those on a network that are in a group.
    Multicast,
}

/// The attachment of a host to a network: what a fault can cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NetworkLink {
    /// The host.
    pub host: HostId,
    /// The network.
    pub network: NetworkId,
}

/// The reason why a packet does not arrive, as its sender learns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
pub enum RouteError {
    /// The sender's own table has no line for it: the call fails at once.
    #[error("network unreachable")]
    NetworkUnreachable,
    /// A router on the way has no line for it, and answers that the network is unreachable.
    #[error("network unreachable from {by}")]
    NoRoute {
        /// The router.
        by: HostId,
    },
    /// Nobody on the last network has the address.
    #[error("host unreachable from {by}")]
    HostUnreachable {
        /// The host that asked for the address in vain: the last router, or the sender.
        by: HostId,
    },
    /// It has made as many hops as it may.
    #[error("time to live exceeded at {by}")]
    TtlExceeded {
        /// The router that dropped it; the sender if it began with none.
        by: HostId,
    },
}

impl RouteError {
    /// The error number that Linux gives to the sender.
    pub fn errno(self) -> u32 {
        const ENETUNREACH: u32 = 101;
        const EHOSTUNREACH: u32 = 113;
        match self {
            RouteError::NetworkUnreachable | RouteError::NoRoute { .. } => ENETUNREACH,
            RouteError::HostUnreachable { .. } | RouteError::TtlExceeded { .. } => EHOSTUNREACH,
        }
    }

    /// The host that noticed; `None` if the call itself fails.
    pub fn by(self) -> Option<HostId> {
        match self {
            RouteError::NetworkUnreachable => None,
            RouteError::NoRoute { by }
            | RouteError::HostUnreachable { by }
            | RouteError::TtlExceeded { by } => Some(by),
        }
    }
}

impl Topology {
    /// The way of a packet from a host to an address, by the tables of the hosts on the way.
    pub fn route(&self, from: HostId, to: IpAddr, ttl: u8) -> Result<PacketPath, RouteError> {
        self.route_through(from, None, to, ttl)
    }

    /// The same for a sender that has chosen the interface (its position) that packets leave through.
    pub fn route_on(
        &self,
        from: HostId,
        interface: usize,
        to: IpAddr,
        ttl: u8,
    ) -> Result<PacketPath, RouteError> {
        self.route_through(from, Some(interface), to, ttl)
    }

    fn route_through(
        &self,
        from: HostId,
        interface: Option<usize>,
        to: IpAddr,
        ttl: u8,
    ) -> Result<PacketPath, RouteError> {
        let host = self.host(from);
        if let Some(source) = local_source(host, to) {
            return Ok(PacketPath::Local { source });
        }
        if is_for_many(to) {
            let is_group = to.is_multicast();
            let cast = if is_group { CastKind::Multicast } else { CastKind::Broadcast };
            let through = interface.unwrap_or_else(|| self.outward(host, to));
            let source = host.interfaces[through].source(to);
            let source = source.ok_or(RouteError::NetworkUnreachable)?;
            return Ok(PacketPath::Remote(self.to_all(from, through, source, cast, ttl)));
        }
        if is_link_local(to) {
            let through = interface.or_else(|| self.link_of(from, to));
            return self.along_link(from, through.ok_or(RouteError::NetworkUnreachable)?, to, ttl);
        }
        let line = match interface {
            None => host.lookup(to),
            Some(interface) => host.lookup_on(interface, to),
        };
        let line = line.ok_or(RouteError::NetworkUnreachable)?;
        let outgoing = &host.interfaces[line.interface];
        let source = outgoing.source(line.gateway.unwrap_or(to));
        let source = source.ok_or(RouteError::NetworkUnreachable)?;
        if line.gateway.is_none() && is_broadcast(host, line.interface, to) {
            let all = self.to_all(from, line.interface, source, CastKind::Broadcast, ttl);
            return Ok(PacketPath::Remote(all));
        }
        let mut journey = self.departure(from, line.interface, source, ttl)?;
        let mut at = from;
        let mut next = line.gateway;
        while let Some(gateway) = next {
            at = self.forward(&mut journey, at, gateway)?;
            if self.host(at).owns(to) {
                journey.hosts.push(at);
                return Ok(PacketPath::Remote(journey));
            }
            next = self.onward(&mut journey, at, to)?;
        }
        self.arrive(journey, at, to)
    }

    /// The way to a link-local address, which no router passes on.
    fn along_link(
        &self,
        from: HostId,
        interface: usize,
        to: IpAddr,
        ttl: u8,
    ) -> Result<PacketPath, RouteError> {
        let source = self.host(from).interfaces[interface].source(to);
        let source = source.ok_or(RouteError::NetworkUnreachable)?;
        let journey = self.departure(from, interface, source, ttl)?;
        self.arrive(journey, from, to)
    }

    /// The beginning of a way to one host.
    fn departure(
        &self,
        from: HostId,
        interface: usize,
        source: IpAddr,
        ttl: u8,
    ) -> Result<PacketJourney, RouteError> {
        if ttl == 0 {
            return Err(RouteError::TtlExceeded { by: from });
        }
        let network = self.host(from).interfaces[interface].network;
        Ok(PacketJourney {
            cast: CastKind::One,
            hosts: SmallVec::new(),
            hops: SmallVec::new(),
            networks: smallvec![network],
            interface,
            source,
            ttl,
            links: smallvec![NetworkLink { host: from, network }],
        })
    }

    /// Hands the packet over the network that it is on to a gateway.
    fn forward(
        &self,
        journey: &mut PacketJourney,
        at: HostId,
        gateway: IpAddr,
    ) -> Result<HostId, RouteError> {
        let network = journey.network();
        let (router, _) =
            self.on(network, gateway).ok_or(RouteError::HostUnreachable { by: at })?;
        journey.links.push(NetworkLink { host: router, network });
        Ok(router)
    }

    /// The next hop from the router that the packet has reached: the gateway that follows, if any.
    fn onward(
        &self,
        journey: &mut PacketJourney,
        router: HostId,
        to: IpAddr,
    ) -> Result<Option<IpAddr>, RouteError> {
        if journey.ttl <= 1 {
            return Err(RouteError::TtlExceeded { by: router });
        }
        let host = self.host(router);
        let line = host.lookup(to).ok_or(RouteError::NoRoute { by: router })?;
        let network = host.interfaces[line.interface].network;
        journey.ttl -= 1;
        journey.hops.push(router);
        journey.networks.push(network);
        journey.links.push(NetworkLink { host: router, network });
        if line.gateway.is_none() && is_broadcast(host, line.interface, to) {
            // Routers do not pass on a broadcast from elsewhere, and nobody answers one.
            journey.cast = CastKind::Broadcast;
        }
        Ok(line.gateway)
    }

    /// The last step: the packet is on the network that should have its destination.
    fn arrive(
        &self,
        mut journey: PacketJourney,
        at: HostId,
        to: IpAddr,
    ) -> Result<PacketPath, RouteError> {
        if journey.cast == CastKind::One {
            let network = journey.network();
            let (host, _) = self.on(network, to).ok_or(RouteError::HostUnreachable { by: at })?;
            journey.hosts.push(host);
            journey.links.push(NetworkLink { host, network });
        }
        Ok(PacketPath::Remote(journey))
    }

    /// The host with the address, if that is on the network.
    fn on(&self, network: NetworkId, address: IpAddr) -> Option<(HostId, usize)> {
        let (host, interface) = self.owner(address)?;
        (self.host(host).interfaces[interface].network == network).then_some((host, interface))
    }

    /// The interface for packets that no table sends anywhere.
    fn outward(&self, host: &Host, to: IpAddr) -> usize {
        host.lookup(to).map_or(host.primary, |line| line.interface)
    }

    fn to_all(
        &self,
        from: HostId,
        interface: usize,
        source: IpAddr,
        cast: CastKind,
        ttl: u8,
    ) -> PacketJourney {
        let network = self.host(from).interfaces[interface].network;
        let on_it = self.network(network).hosts.iter().copied();
        // Without any time to live a multicast stays on its host.
        let hosts: SmallVec<[HostId; 1]> =
            on_it.filter(|&host| host != from && self.is_node(host) && ttl > 0).collect();
        let ends = hosts.iter().map(|&host| NetworkLink { host, network });
        let links = std::iter::once(NetworkLink { host: from, network }).chain(ends).collect();
        PacketJourney {
            cast,
            hosts,
            hops: SmallVec::new(),
            networks: smallvec![network],
            interface,
            source,
            ttl,
            links,
        }
    }
}

impl PacketJourney {
    /// The network that the packet is on at last.
    pub fn network(&self) -> NetworkId {
        *self.networks.last().expect("a journey begins on a network")
    }
}

/// The source of a packet that does not leave its host, as in `ip(7)`: the unspecified address is the
/// host itself.
fn local_source(host: &Host, to: IpAddr) -> Option<IpAddr> {
    if to.is_loopback() || to.is_unspecified() {
        return Some(loopback_like(to));
    }
    host.owns(to).then_some(to)
}

/// The loopback address of the family of an address.
pub fn loopback_like(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
    }
}

/// Returns true if an address is that of all hosts on whichever link it is used.
pub fn is_limited_broadcast(address: IpAddr) -> bool {
    address == Ipv4Addr::BROADCAST
}

/// Returns true if an address is for several hosts, whatever the networks are.
pub(crate) fn is_for_many(address: IpAddr) -> bool {
    is_limited_broadcast(address) || address.is_multicast()
}

fn is_broadcast(host: &Host, interface: usize, to: IpAddr) -> bool {
    let mut addresses = host.interfaces[interface].addresses.iter();
    addresses.any(|address| address.subnet.broadcast() == Some(to))
}
