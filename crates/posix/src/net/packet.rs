//! [`Packet`]: what one IPv4 socket sends to another, here or on another host.
//!
//! A packet to this host is handed over at once; one to another host becomes an event in the outbox,
//! which the embedder takes when the node blocks.

use std::net::SocketAddrV4;
use std::sync::Arc;

use everett_net::{Event, EventKind, Protocol};

use super::payload::Payload;
use super::route::Route;
use super::{tcp, udp};
use crate::state::data::ByteData;
use crate::state::node::Node;

/// An event that is to be delivered to another host.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Outgoing {
    /// The index of the host.
    pub to: u32,
    /// Nanoseconds that it is on its way; 0 is the next round.
    pub delay: u64,
    /// The event.
    pub event: Arc<Event<Payload>>,
}

/// A packet: an event whose payload need not be a list of bytes. See [`Event`] for the fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Packet {
    pub(crate) kind: EventKind,
    pub(crate) protocol: Protocol,
    pub(crate) source: SocketAddrV4,
    pub(crate) destination: SocketAddrV4,
    pub(crate) request: u64,
    pub(crate) connection: u64,
    pub(crate) ttl: u8,
    pub(crate) status: u32,
    pub(crate) credit: u32,
    pub(crate) data: ByteData,
    /// Of a datagram: its number, of those of its sender.
    pub(crate) id: u64,
}

impl Packet {
    /// A packet without anything in it.
    pub(crate) fn new(
        kind: EventKind,
        protocol: Protocol,
        source: SocketAddrV4,
        destination: SocketAddrV4,
    ) -> Packet {
        Packet {
            kind,
            protocol,
            source,
            destination,
            request: 0,
            connection: 0,
            ttl: super::DEFAULT_TTL,
            status: 0,
            credit: 0,
            data: ByteData::Known(Vec::new()),
            id: 0,
        }
    }

    /// A packet back to where this one came from.
    pub(crate) fn answer(&self, kind: EventKind, status: u32) -> Packet {
        let Packet { protocol, source, destination, request, connection, .. } = *self;
        let answer = Packet::new(kind, protocol, destination, source);
        Packet { request, connection, status, ..answer }
    }

    fn to_event(&self, id: u64) -> Event<Payload> {
        let Packet { kind, protocol, source, destination, request, .. } = *self;
        let Packet { connection, ttl, status, credit, ref data, .. } = *self;
        let payload = Payload::from(data);
        Event {
            kind,
            protocol,
            id,
            source,
            destination,
            request,
            connection,
            ttl,
            status,
            credit,
            payload,
        }
    }

    pub(crate) fn of_event(event: &Event<Payload>) -> Packet {
        let Event { kind, protocol, id, source, destination, request, .. } = *event;
        let Event { connection, ttl, status, credit, ref payload, .. } = *event;
        let data = ByteData::from(payload);
        Packet {
            kind,
            protocol,
            source,
            destination,
            request,
            connection,
            ttl,
            status,
            credit,
            data,
            id,
        }
    }
}

/// Sends a packet along a route. What is for this host has arrived when this returns.
pub(crate) fn send(node: &mut Node, packet: Packet, route: &Route) {
    if !route.hosts.is_empty() {
        node.net.events_sent += 1;
        let event = packet.to_event(node.net.events_sent);
        let event = Arc::new(Event { ttl: route.ttl, ..event });
        let sent =
            route.hosts.iter().map(|to| Outgoing { to: *to, delay: 0, event: event.clone() });
        node.net.outbox.extend(sent);
    }
    if route.local {
        arrive(node, packet);
    }
}

/// Sends an answer, which has nobody to be told if there is no way.
pub(crate) fn reply(node: &mut Node, packet: Packet) {
    if let Ok(route) = node.net.route(*packet.destination.ip(), packet.ttl) {
        send(node, packet, &route);
    }
}

fn arrive(node: &mut Node, packet: Packet) {
    match packet.protocol {
        Protocol::Udp => udp::receive(node, packet),
        Protocol::Tcp => tcp::receive(node, packet),
        Protocol::Plain => unreachable!("events of programs are no packets"),
    }
}

impl Node {
    /// Takes out what was sent to other hosts since the last time, oldest first.
    pub fn take_sent(&mut self) -> Vec<Outgoing> {
        std::mem::take(&mut self.net.outbox)
    }

    /// Takes an event from another host: queues it for a socket, answers it, or
    /// both. No thread runs for that, so it works as well when none is left.
    pub fn receive(&mut self, event: &Event<Payload>) {
        match event.protocol {
            Protocol::Udp | Protocol::Tcp => arrive(self, Packet::of_event(event)),
            Protocol::Plain => self.net.receive_plain(event),
        }
        self.changed();
    }
}
