//! The time that messages take to other hosts: latency and bandwidth of networks and links.
//!
//! What a node sends over a network leaves it one after the other, as fast as the slowest part of the way
//! carries it, and then takes the latency of the way. The sender waits for none of that.
//!
//! Where a way may have several latencies, messages are sent with the least one; their receiver chooses what
//! comes on top of it (`fault/arrivals/latency.rs`).

use everett_net::{HostId, Message, WayTiming};

use crate::state::ids::Time;
use crate::state::node::Node;
use crate::state::sockets::departure::Departure;
use crate::state::sockets::message::Payload;

impl Node {
    /// Returns true if messages take time to some hosts, or from some.
    pub fn has_timed_ways(&self) -> bool {
        self.net.topology.as_ref().is_some_and(|topology| topology.is_timed())
    }

    /// The time from sending a message at a time until it arrives at a host, in nanoseconds.
    pub fn travel_ns(&mut self, to: HostId, message: &Message<Payload>, now: u64) -> u64 {
        let Some(way) = self.way_of(self.net.host, to, message) else { return 0 };
        let departs = self.depart(&way, message, now);
        departs.saturating_sub(now).saturating_add(way.latencies_ns[0])
    }

    /// The way of a message between two hosts, if it takes time.
    pub(crate) fn way_of(
        &self,
        from: HostId,
        to: HostId,
        message: &Message<Payload>,
    ) -> Option<WayTiming> {
        let topology = self.net.topology.as_ref().filter(|topology| topology.is_timed())?;
        let (source, destination) = (message.source.ip(), message.destination.ip());
        topology.way((from, source), (to, destination))
    }

    /// The time at which all of a message has left the node.
    fn depart(&mut self, way: &WayTiming, message: &Message<Payload>, now: Time) -> Time {
        if way.bytes_per_second.is_none() {
            return now;
        }
        let takes = way.transmission_ns(message.payload.len());
        let departures = &mut self.net.departures;
        let last = departures.iter_mut().find(|last| last.network == way.first);
        let Some(last) = last else {
            let done = now.saturating_add(takes);
            departures.push(Departure { network: way.first, message: message.id, done });
            return done;
        };
        if last.message != message.id {
            *last = Departure {
                message: message.id,
                done: last.done.max(now).saturating_add(takes),
                ..*last
            };
        }
        last.done
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr, SocketAddr};

    use everett_fs::{Fs, FsOptions};
    use everett_net::{HostSpec, LinkTiming, MessageKind, Protocol, TopologyBuilder};

    use super::*;
    use crate::config::KernelConfig;

    fn datagram(id: u64, bytes: usize, to: IpAddr) -> Message<Payload> {
        let source = SocketAddr::new([10, 0, 0, 1].into(), 9);
        let message =
            Message::new(MessageKind::DATA, Protocol::Udp, source, SocketAddr::new(to, 7));
        Message { id, payload: Payload::Known(vec![0; bytes].into()), ..message }
    }

    #[test]
    fn messages_leave_one_after_the_other() {
        let mut builder = TopologyBuilder::new();
        let timing = LinkTiming { latencies_ns: vec![5], bytes_per_second: Some(1_000_000_000) };
        builder.network("lan", None).timing(timing);
        for name in ["here", "there", "elsewhere"] {
            builder.node(HostSpec::new(name));
        }
        let topology = Some(builder.build().expect("three hosts have addresses"));
        let config = KernelConfig { topology, ..KernelConfig::default() };
        let mut node = Node::new(Fs::new(FsOptions::default()), &config).expect("there is room");
        let [there, elsewhere] = [[10, 0, 0, 2], [10, 0, 0, 3]].map(IpAddr::from);
        let mut travel = |id, bytes, (host, to): (u32, IpAddr), now| {
            node.travel_ns(HostId(host), &datagram(id, bytes, to), now)
        };
        assert_eq!(travel(1, 100, (1, there), 1000), 105);
        // It leaves behind the first one, whoever gets it.
        assert_eq!(travel(2, 10, (2, elsewhere), 1040), 75);
        assert_eq!(travel(3, 0, (1, there), 1040), 75);
        assert_eq!(travel(4, 10, (1, there), 2000), 15);
        // All get a broadcast at once.
        assert_eq!(travel(5, 20, (1, Ipv4Addr::BROADCAST.into()), 3000), 25);
        assert_eq!(travel(5, 20, (2, Ipv4Addr::BROADCAST.into()), 3000), 25);
    }
}
