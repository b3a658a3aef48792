//! The packets that have passed the interfaces of a node: [`Traffic`].

use everett_net::{Message, Protocol};
use smallvec::SmallVec;

/// Packets, and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PacketCount {
    pub(crate) packets: u64,
    pub(crate) bytes: u64,
}

everett_base::portable!(struct PacketCount { packets, bytes });

impl PacketCount {
    fn add(&mut self, bytes: usize) {
        self.packets += 1;
        self.bytes += bytes as u64;
    }
}

/// The packets of one interface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct InterfaceTraffic {
    pub(crate) received: PacketCount,
    pub(crate) sent: PacketCount,
}

everett_base::portable!(struct InterfaceTraffic { received, sent });

/// The packets of all interfaces. Each message counts as one, as long as it may be.
#[derive(Clone, Debug, Default)]
pub(crate) struct Traffic {
    /// By the interface's number, from 1.
    interfaces: SmallVec<[InterfaceTraffic; 2]>,
}

everett_base::portable!(struct Traffic { interfaces });

/// Bytes before a packet on a network, and of the headers of the protocols.
const ETHERNET_BYTES: usize = 14;
const IPV4_BYTES: usize = 20;
const IPV6_BYTES: usize = 40;
const UDP_BYTES: usize = 8;
const TCP_BYTES: usize = 32;

/// The bytes of a packet with its headers, on the loopback interface.
fn packet_bytes<P>(packet: &Message<P>, carried: usize) -> usize {
    let outer = if packet.destination.is_ipv4() { IPV4_BYTES } else { IPV6_BYTES };
    let inner = match packet.protocol {
        Protocol::Udp => UDP_BYTES,
        Protocol::Tcp => TCP_BYTES,
        Protocol::Plain | Protocol::Icmp => 0,
    };
    outer + inner + carried
}

impl Traffic {
    /// The packets of an interface.
    pub(crate) fn of(&self, index: u32) -> InterfaceTraffic {
        self.interfaces.get(index as usize - 1).copied().unwrap_or_default()
    }

    fn of_mut(&mut self, index: u32) -> &mut InterfaceTraffic {
        let place = (index as usize).max(1) - 1;
        if self.interfaces.len() <= place {
            self.interfaces.resize(place + 1, InterfaceTraffic::default());
        }
        &mut self.interfaces[place]
    }

    /// A packet that carries so many bytes leaves by an interface on a network.
    pub(crate) fn note_sent<P>(&mut self, index: u32, packet: &Message<P>, carried: usize) {
        let bytes = ETHERNET_BYTES + packet_bytes(packet, carried);
        self.of_mut(index).sent.add(bytes);
    }

    /// A packet has come by an interface on a network.
    pub(crate) fn note_received<P>(&mut self, index: u32, packet: &Message<P>, carried: usize) {
        let bytes = ETHERNET_BYTES + packet_bytes(packet, carried);
        self.of_mut(index).received.add(bytes);
    }

    /// A packet stays on its host.
    pub(crate) fn note_own<P>(&mut self, index: u32, packet: &Message<P>, carried: usize) {
        let bytes = packet_bytes(packet, carried);
        let traffic = self.of_mut(index);
        traffic.sent.add(bytes);
        traffic.received.add(bytes);
    }
}
