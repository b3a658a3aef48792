//! The time that messages take from one host to another: [`WayTiming`].
//!
//! A way takes the sum of the latencies of all networks and links on it, and has the lowest of their
//! bandwidths. Where several latencies are given, the way has one of several sums.

use std::net::IpAddr;

use smallvec::SmallVec;

use crate::route::is_for_many;
use crate::{CastKind, HostId, LinkTiming, NetworkId, NetworkLink, PacketPath, Topology};

/// The time that a message takes on its way from one host to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WayTiming {
    /// The network that it leaves its sender on.
    pub first: NetworkId,
    /// The network that it comes to its receiver on.
    pub last: NetworkId,
    /// The latencies that the way may have, in nanoseconds: at least one, in ascending order.
    pub latencies_ns: SmallVec<[u64; 2]>,
    /// Bytes that it carries in a second; `None`: any number.
    pub bytes_per_second: Option<u64>,
}

impl WayTiming {
    /// The time for which so many bytes occupy the way, in nanoseconds.
    pub fn transmission_ns(&self, bytes: usize) -> u64 {
        let Some(rate) = self.bytes_per_second else { return 0 };
        let time = bytes as u128 * 1_000_000_000 / u128::from(rate.max(1));
        u64::try_from(time).unwrap_or(u64::MAX)
    }
}

impl Topology {
    /// Returns true if messages take time somewhere.
    pub fn is_timed(&self) -> bool {
        self.timed
    }

    /// Returns true if some network or link has several latencies.
    pub fn has_several_latencies(&self) -> bool {
        self.timed && self.timings().any(|timing| timing.latencies_ns.len() > 1)
    }

    /// Returns true if a host may receive a message at the moment at which it is sent.
    pub fn may_receive_at_once(&self, host: HostId) -> bool {
        let takes_none =
            |timing: &LinkTiming| timing.latencies_ns.first().is_none_or(|ns| *ns == 0);
        self.host(host).interfaces.iter().any(|interface| {
            takes_none(&interface.timing) && takes_none(&self.network(interface.network).timing)
        })
    }

    pub(crate) fn timings(&self) -> impl Iterator<Item = &LinkTiming> {
        let of_networks = self.networks.iter().map(|network| &network.timing);
        let interfaces = self.hosts.iter().flat_map(|host| &host.interfaces);
        of_networks.chain(interfaces.map(|interface| &interface.timing))
    }

    /// The time that a message takes from a host to another that gets it, by its addresses; `None` if it
    /// takes none.
    pub fn way(
        &self,
        (from, source): (HostId, IpAddr),
        (to, destination): (HostId, IpAddr),
    ) -> Option<WayTiming> {
        if !self.timed {
            return None;
        }
        let to_many = is_for_many(destination);
        let chosen = self.owner(source).filter(|(host, _)| to_many && *host == from);
        let path = match chosen {
            Some((_, interface)) => self.route_on(from, interface, destination, u8::MAX),
            None => self.route(from, destination, u8::MAX),
        };
        let Ok(PacketPath::Remote(mut journey)) = path else { return None };
        if journey.cast != CastKind::One {
            let network = *journey.networks.first()?;
            journey.links.truncate(1);
            journey.links.push(NetworkLink { host: to, network });
        }
        let networks = journey.networks.iter().map(|id| &self.network(*id).timing);
        let links = journey.links.iter().filter_map(|link| {
            let mut interfaces = self.host(link.host).interfaces.iter();
            interfaces.find(|interface| interface.network == link.network)
        });
        let mut way = WayTiming {
            first: *journey.networks.first()?,
            last: *journey.networks.last()?,
            latencies_ns: SmallVec::from_slice(&[0]),
            bytes_per_second: None,
        };
        for timing in networks.chain(links.map(|interface| &interface.timing)) {
            way.cross(timing);
        }
        Some(way)
    }
}

impl WayTiming {
    fn cross(&mut self, timing: &LinkTiming) {
        let rates = self.bytes_per_second.into_iter().chain(timing.bytes_per_second);
        self.bytes_per_second = rates.min();
        if timing.latencies_ns.is_empty() {
            return;
        }
        let sums = self.latencies_ns.iter().flat_map(|before| {
            timing.latencies_ns.iter().map(|latency| before.saturating_add(*latency))
        });
        let mut sums: SmallVec<[u64; 2]> = sums.collect();
        sums.sort_unstable();
        sums.dedup();
        self.latencies_ns = sums;
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use crate::{HostSpec, InterfaceSpec, TopologyBuilder};

    use super::*;

    fn timing(latencies_ns: &[u64], bytes_per_second: Option<u64>) -> LinkTiming {
        LinkTiming { latencies_ns: latencies_ns.to_vec(), bytes_per_second }
    }

    fn on(network: &str, timing: LinkTiming) -> InterfaceSpec {
        InterfaceSpec { timing, ..InterfaceSpec::on(network) }
    }

    #[test]
    fn a_way_takes_what_networks_and_links_on_it_take() {
        let mut builder = TopologyBuilder::new();
        builder.network("lan", None).timing(timing(&[1, 5], None));
        builder.network("wan", None).timing(timing(&[100], Some(1000)));
        builder.node(HostSpec::new("a").interface(on("lan", timing(&[10], Some(2000)))));
        builder.node(HostSpec::new("b").interface(on("wan", timing(&[], None))));
        builder.node(HostSpec::new("c").interface(on("lan", timing(&[2, 6], None))));
        let gate = HostSpec::new("gate").interface(on("lan", timing(&[1000], None)));
        builder.router(gate.interface(InterfaceSpec::on("wan")));
        let topology = builder.build().unwrap();
        let way = |from: u32, to: u32| {
            let at = |host: u32| (HostId(host), topology.host(HostId(host)).address());
            topology.way(at(from), at(to)).unwrap()
        };
        let far = way(0, 1);
        assert_eq!((&far.latencies_ns[..], far.bytes_per_second), (&[1111, 1115][..], Some(1000)));
        assert_eq!((far.first, far.last), (NetworkId(0), NetworkId(1)));
        // 1 + 2, 5 + 2 and 1 + 6, 5 + 6.
        assert_eq!(way(0, 2).latencies_ns[..], [13, 17, 21]);
        assert_eq!(way(0, 2), way(2, 0));
        assert_eq!(far.transmission_ns(500), 500_000_000);
        // All on the network hear a broadcast over their own links.
        let all = (HostId(2), Ipv4Addr::BROADCAST.into());
        let heard = topology.way((HostId(0), topology.host(HostId(0)).address()), all).unwrap();
        assert_eq!(heard, way(0, 2));
    }

    #[test]
    fn nothing_takes_time_unless_it_is_said() {
        let topology = Topology::alone("a").unwrap();
        assert!(!topology.is_timed());
        let address = topology.host(HostId(0)).address();
        assert_eq!(topology.way((HostId(0), address), (HostId(0), address)), None);
    }
}
