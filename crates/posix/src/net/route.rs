//! The way of a packet: to this host, to others, or nowhere.

use std::net::IpAddr;

use everett_net::{
    CastKind, HostId, PacketPath, RouteError, Topology, is_limited_broadcast, loopback_like,
};
use smallvec::SmallVec;
use syscalls::Errno;

use crate::state::ids::Time;
use crate::state::sockets::Net;

/// The time after which a sender knows that nobody has an address.
const UNREACHABLE_AFTER: Time = 3_000_000_000;

/// The way to an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Route {
    /// The address of this host that packets on it come from.
    pub(crate) source: IpAddr,
    /// This host gets it.
    pub(crate) local: bool,
    /// Other hosts that get it.
    pub(crate) hosts: SmallVec<[HostId; 1]>,
    /// The hops that are left when it arrives.
    pub(crate) ttl: u8,
    /// Nobody gets it, and after a time the sender is told why.
    pub(crate) lost: Option<(Time, Errno)>,
}

impl Route {
    fn local(source: IpAddr, ttl: u8) -> Route {
        Route { source, local: true, hosts: SmallVec::new(), ttl, lost: None }
    }

    fn lost(source: IpAddr, after: Time, errno: Errno) -> Route {
        let lost = Some((after, errno));
        Route { source, local: false, hosts: SmallVec::new(), ttl: 0, lost }
    }
}

impl Net {
    /// The way to a group for a socket that has chosen the address of an interface.
    pub(crate) fn route_from(&self, own: IpAddr, to: IpAddr, ttl: u8) -> Result<Route, Errno> {
        if own.is_loopback() {
            return Ok(Route::local(own, ttl));
        }
        let found = self.topology.as_ref().and_then(|t| Some((t, t.owner(own)?.1)));
        let Some((topology, interface)) = found else { return Err(Errno::ENETUNREACH) };
        self.along(topology, topology.route_on(self.host, interface, to, ttl), (to, ttl))
    }

    /// The way to an address with this many hops.
    pub(crate) fn route(&self, to: IpAddr, ttl: u8) -> Result<Route, Errno> {
        let Some(topology) = &self.topology else {
            let here = Route::local(loopback_like(to), ttl);
            return if self.is_own(to) { Ok(here) } else { Err(Errno::ENETUNREACH) };
        };
        self.along(topology, topology.route(self.host, to, ttl), (to, ttl))
    }

    /// The route along a path of the topology.
    fn along(
        &self,
        topology: &Topology,
        path: Result<PacketPath, RouteError>,
        (to, ttl): (IpAddr, u8),
    ) -> Result<Route, Errno> {
        let journey = match path {
            Ok(PacketPath::Local { source }) => return Ok(Route::local(source, ttl)),
            Ok(PacketPath::Remote(journey)) => journey,
            Err(RouteError::NetworkUnreachable) => return Err(Errno::ENETUNREACH),
            Err(error) => {
                let host = topology.host(self.host);
                let mut of_family = host.addresses().filter(|own| own.is_ipv4() == to.is_ipv4());
                let source = of_family.next().unwrap_or_else(|| host.address());
                let found_out = matches!(error, RouteError::HostUnreachable { .. });
                let after = if found_out { UNREACHABLE_AFTER } else { 0 };
                return Ok(Route::lost(source, after, Errno::new(error.errno().cast_signed())));
            }
        };
        let (nodes, others): (SmallVec<[HostId; 1]>, SmallVec<[HostId; 1]>) =
            journey.hosts.iter().copied().partition(|host| topology.is_node(*host));
        if nodes.is_empty() && !others.is_empty() {
            // A router runs no program that could listen.
            return Ok(Route::lost(journey.source, 0, Errno::ECONNREFUSED));
        }
        Ok(Route {
            source: journey.source,
            local: journey.cast != CastKind::One,
            hosts: nodes,
            ttl: journey.ttl,
            lost: None,
        })
    }

    /// Returns true if an address is one of this host's.
    pub(crate) fn is_own(&self, address: IpAddr) -> bool {
        let named = |topology: &Topology| topology.host(self.host).owns(address);
        address.is_loopback() || self.topology.as_deref().is_some_and(named)
    }

    /// Returns true if all hosts of a network have this address.
    pub(crate) fn is_broadcast(&self, address: IpAddr) -> bool {
        let interfaces = self.topology.iter().flat_map(|t| &t.host(self.host).interfaces);
        let mut addresses = interfaces.flat_map(|interface| &interface.addresses);
        is_limited_broadcast(address)
            || addresses.any(|own| own.subnet.broadcast() == Some(address))
    }
}
