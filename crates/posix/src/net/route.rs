//! The way of a packet: to this host, to others, or nowhere.

use std::net::IpAddr;

use everett_net::{
    CastKind, HostId, PacketPath, RouteError, Topology, is_limited_broadcast, loopback_like,
};
use smallvec::SmallVec;
use syscalls::Errno;

use crate::net::interface::LOOPBACK_INDEX;
use crate::state::ids::{SocketId, Time};
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
    /// The number of the interface that it leaves by.
    pub(crate) interface: u32,
    /// Nobody gets it, and after a time the sender is told why.
    pub(crate) lost: Option<(Time, Errno)>,
    /// Of one that is lost: the message of ICMP about it.
    pub(crate) report: Option<LossReport>,
}

/// Who says that a packet does not get through, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LossReport {
    pub(crate) by: IpAddr,
    pub(crate) loss: ReportedLoss,
}

/// The reason why a packet does not get through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReportedLoss {
    /// A router has no way to the network.
    Network,
    /// Nobody on the last network has the address.
    Host,
    /// It has made as many hops as it may.
    Hops,
    /// It is for a router, which runs no program.
    AtRouter,
}

impl Route {
    fn local(source: IpAddr, ttl: u8) -> Route {
        let interface = LOOPBACK_INDEX;
        Route {
            source,
            local: true,
            hosts: SmallVec::new(),
            ttl,
            interface,
            lost: None,
            report: None,
        }
    }

    fn lost(source: IpAddr, (after, errno): (Time, Errno), report: LossReport) -> Route {
        let (lost, report) = (Some((after, errno)), Some(report));
        let interface = LOOPBACK_INDEX;
        Route { source, local: false, hosts: SmallVec::new(), ttl: 0, interface, lost, report }
    }
}

impl Net {
    /// The way to a group for a socket that has chosen the address of an interface.
    pub(crate) fn route_from(&self, own: IpAddr, to: IpAddr, ttl: u8) -> Result<Route, Errno> {
        if own.is_loopback() {
            // Nobody but the host itself is behind the loopback interface.
            let is_here = to.is_multicast() || self.is_own(to);
            return if is_here { Ok(Route::local(own, ttl)) } else { Err(Errno::ENETUNREACH) };
        }
        let found = self.topology.as_ref().and_then(|t| Some((t, t.owner(own)?.1)));
        let Some((topology, interface)) = found else { return Err(Errno::ENETUNREACH) };
        self.along(topology, topology.route_on(self.host, interface, to, ttl), (to, ttl))
    }

    /// The way to an address from a socket, which may have an interface of its own.
    pub(crate) fn route_of(&self, id: SocketId, to: IpAddr, ttl: u8) -> Result<Route, Errno> {
        match self.get(id).interface {
            0 => self.route(to, ttl),
            index => {
                let own = self.address_of_interface(index, to).ok_or(Errno::ENETUNREACH)?;
                self.route_from(own, to, ttl)
            }
        }
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
                let errno = Errno::new(error.errno().cast_signed());
                let report = self.report(topology, error, source);
                return Ok(Route::lost(source, (after, errno), report));
            }
        };
        let (nodes, others): (SmallVec<[HostId; 1]>, SmallVec<[HostId; 1]>) =
            journey.hosts.iter().copied().partition(|host| topology.is_node(*host));
        if nodes.is_empty() && !others.is_empty() {
            // A router runs no program that could listen.
            let report = LossReport { by: to, loss: ReportedLoss::AtRouter };
            return Ok(Route::lost(journey.source, (0, Errno::ECONNREFUSED), report));
        }
        Ok(Route {
            source: journey.source,
            local: journey.cast != CastKind::One,
            hosts: nodes,
            ttl: journey.ttl,
            interface: Net::index_of(journey.interface),
            lost: None,
            report: None,
        })
    }

    /// The message about a packet that does not get through, from this host itself, at this address, or from
    /// a router.
    fn report(&self, topology: &Topology, error: RouteError, own: IpAddr) -> LossReport {
        let loss = match error {
            RouteError::NetworkUnreachable | RouteError::NoRoute { .. } => ReportedLoss::Network,
            RouteError::HostUnreachable { .. } => ReportedLoss::Host,
            RouteError::TtlExceeded { .. } => ReportedLoss::Hops,
        };
        let router = error.by().filter(|by| *by != self.host).map(|by| topology.host(by));
        let links = &topology.host(self.host).interfaces;
        let address = router.and_then(|router| {
            // An address on a network of this host comes first.
            let is_near = |network| links.iter().any(|own| own.network == network);
            let (near, far): (Vec<_>, Vec<_>) =
                router.interfaces.iter().partition(|each| is_near(each.network));
            let addresses = near.into_iter().chain(far).flat_map(|each| &each.addresses);
            let mut of_family = addresses.filter(|each| each.ip.is_ipv4() == own.is_ipv4());
            of_family.next().map(|address| address.ip)
        });
        LossReport { by: address.unwrap_or(own), loss }
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
