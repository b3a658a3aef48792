//! The way of a [`Packet`] from the socket that sends it to the one that gets it.
//!
//! A packet to this host is handed over at once; one to another host becomes a [`SharedMessage`] in the
//! outbox, which the embedder takes when the node blocks, and a packet again on the host that gets it.

use everett_memory::ByteValue;
use everett_net::{HostId, Message, MessageKind, Protocol};

use super::interface::LOOPBACK_INDEX;
use super::route::Route;
use super::{icmp, tcp, udp};
use crate::state::data::ByteData;
use crate::state::node::Node;
use crate::state::sockets::message::{Packet, Payload, SharedMessage};
use crate::state::sockets::{Socket, SocketFamily};

/// Sends a packet along a route. What is for this host has arrived when this returns.
pub(crate) fn send(node: &mut Node, packet: Packet, route: &Route) {
    icmp::note_loss(node, &packet, route);
    if !route.hosts.is_empty() {
        node.net.messages_sent += 1;
        node.net.traffic.note_sent(route.interface, &packet, packet.payload.len());
        let message = packet.with_payload(Payload::from(&packet.payload));
        let message = Message { id: node.net.messages_sent, ttl: route.ttl, ..message };
        node.net.post(&route.hosts, message);
    }
    if route.local {
        if route.hosts.is_empty() {
            node.net.traffic.note_own(LOOPBACK_INDEX, &packet, packet.payload.len());
        }
        arrive(node, packet);
    }
}

/// Sends an answer, which has nobody to be told if there is no way.
pub(crate) fn reply(node: &mut Node, packet: Packet) {
    if let Ok(route) = node.net.route(packet.destination.ip(), packet.ttl) {
        send(node, packet, &route);
    }
}

fn arrive(node: &mut Node, packet: Packet) {
    match packet.protocol {
        Protocol::Udp => {
            if packet.kind.meets(MessageKind::CLOSE) {
                icmp::note_refusal(node, &packet);
            }
            udp::receive(node, packet);
        }
        Protocol::Tcp => tcp::receive(node, packet),
        Protocol::Icmp => {
            if let Some(answer) = icmp::receive(node, &packet) {
                reply(node, answer);
            }
        }
        Protocol::Plain => unreachable!("events of programs are no packets"),
    }
}

impl Node {
    /// Takes out what was sent since the last time, oldest first, each with the host that gets it.
    pub fn take_sent(&mut self) -> Vec<(HostId, SharedMessage)> {
        std::mem::take(&mut self.net.outbox)
    }

    /// Returns true if a program has sent something since the last time.
    pub fn has_data_to_send(&self) -> bool {
        let is_data = |message: &SharedMessage| {
            message.protocol == Protocol::Plain || message.kind.meets(MessageKind::DATA)
        };
        self.net.outbox.iter().any(|(_, message)| is_data(message))
    }

    /// Returns true if some bytes have come that no program has read, among those of UDP and TCP sockets and
    /// those that wait to be observed.
    pub fn has_unread(&self, is_meant: &dyn Fn(&ByteValue) -> bool) -> bool {
        let is_among = |data: &ByteData| match data {
            ByteData::Known(_) => false,
            ByteData::Mixed(bytes) => bytes.iter().any(is_meant),
        };
        let is_in_socket = |socket: &Socket| match &socket.family {
            SocketFamily::Udp(udp) | SocketFamily::Icmp(udp) => {
                udp.queue.iter().any(|datagram| is_among(&datagram.data))
            }
            SocketFamily::Tcp(tcp) => is_among(&tcp.incoming.peek(tcp.incoming.len())),
            SocketFamily::Unix(_) | SocketFamily::Netlink(_) => false,
        };
        let is_pending =
            |message: &SharedMessage| message.payload.values().any(|byte| is_meant(&byte));
        self.net.table.sockets.iter().any(|(_, socket)| is_in_socket(socket))
            || self.volatile.pending.iter().any(|pending| is_pending(&pending.message))
    }

    /// The messages that were sent since they were taken out last, oldest first, each with the host that gets
    /// it.
    pub fn sent_so_far(&self) -> &[(HostId, SharedMessage)] {
        &self.net.outbox
    }

    /// Takes a message from another host: queues it for a socket, answers it, or
    /// both. No thread runs for that, so it works as well when none is left.
    pub fn receive(&mut self, message: &Message<Payload>) {
        let (source, destination) = (message.source.ip(), message.destination.ip());
        let interface = self.net.arrival_interface(source, destination);
        self.net.traffic.note_received(interface, message, message.payload.len());
        match message.protocol {
            Protocol::Udp | Protocol::Tcp | Protocol::Icmp => {
                arrive(self, message.with_payload(ByteData::from(&message.payload)));
            }
            Protocol::Plain => self.net.receive_plain(message),
        }
        self.changed();
    }
}
