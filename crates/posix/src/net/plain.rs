//! Events that programs put and get themselves, as `netklee.h` has them: the [`Inbox`] of a node.
//!
//! An event that was put travels like a packet, by the address that it is for, and stays in the inbox
//! of the host that gets it until the program removes it. A [`Record`] is a `struct net_event`: one that
//! was received, or a mask, in which a field that is 0 stands for everything.
//!
//! Not here: the calls, and the program's memory (`sys/event.rs`).

use everett_base::{Apart, Copies};
use std::net::{Ipv4Addr, SocketAddrV4};
use std::sync::Arc;

use everett_memory::ByteValue;
use everett_net::{Event, EventKind, Protocol};
use syscalls::Errno;

use super::packet::Outgoing;
use super::payload::Payload;
use super::{DEFAULT_TTL, Net};
use crate::node::Node;

/// Every type that an event can have.
const ALL_TYPES: u32 =
    EventKind::DATA.0 | EventKind::REQUEST.0 | EventKind::REPLY.0 | EventKind::CLOSE.0;

/// A `struct net_event`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) kind: EventKind,
    pub(crate) identifier: u64,
    pub(crate) from: SocketAddrV4,
    pub(crate) to: SocketAddrV4,
    pub(crate) request: u32,
    pub(crate) connection: u32,
}

impl Record {
    /// Bytes of one; the structure is packed.
    pub(crate) const BYTES: usize = 30;

    /// As it is in the program's memory; addresses are in network byte order.
    pub(crate) fn to_bytes(self) -> [u8; Record::BYTES] {
        let Record { kind, identifier, from, to, request, connection } = self;
        let mut bytes = [0; Record::BYTES];
        let fields: [&[u8]; 8] = [
            &(kind.0 as u16).to_le_bytes(),
            &identifier.to_le_bytes(),
            &from.ip().octets(),
            &to.ip().octets(),
            &from.port().to_le_bytes(),
            &to.port().to_le_bytes(),
            &request.to_le_bytes(),
            &connection.to_le_bytes(),
        ];
        let all = fields.into_iter().flatten();
        bytes.iter_mut().zip(all).for_each(|(byte, value)| *byte = *value);
        bytes
    }

    /// The record in these bytes.
    pub(crate) fn of_bytes(bytes: &[u8; Record::BYTES]) -> Record {
        let number = |at: usize, size: usize| {
            let bytes = bytes[at..at + size].iter().rev();
            bytes.fold(0, |number: u64, byte| number << 8 | u64::from(*byte))
        };
        let address = |ip: usize, port: usize| {
            let ip = Ipv4Addr::new(bytes[ip], bytes[ip + 1], bytes[ip + 2], bytes[ip + 3]);
            SocketAddrV4::new(ip, number(port, 2) as u16)
        };
        Record {
            kind: EventKind(number(0, 2) as u32),
            identifier: number(2, 8),
            from: address(10, 18),
            to: address(14, 20),
            request: number(22, 4) as u32,
            connection: number(26, 4) as u32,
        }
    }

    /// Whether an event is one that this mask describes.
    fn matches(&self, event: &Record) -> bool {
        let Record { kind, identifier, from, to, request, connection } = *self;
        let ip = |mask: Ipv4Addr, ip: &Ipv4Addr| mask.is_unspecified() || mask == *ip;
        kind.meets(event.kind)
            && (identifier == 0 || identifier == event.identifier)
            && ip(*from.ip(), event.from.ip())
            && ip(*to.ip(), event.to.ip())
            && (from.port() == 0 || from.port() == event.from.port())
            && (to.port() == 0 || to.port() == event.to.port())
            && (request == 0 || request == event.request)
            && (connection == 0 || connection == event.connection)
    }
}

/// What a thread waits for: so many events, each of which matches one of the masks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) masks: Vec<Record>,
    pub(crate) minimum: u32,
}

impl Wanted {
    /// Whether they are there.
    pub(crate) fn is_there(&self, node: &Node) -> bool {
        node.net.table.inbox.matching(&self.masks).count() >= self.minimum as usize
    }

    /// Whether anybody at all can make them come: what is waited for is somebody who asks.
    pub(crate) fn is_from_anybody(&self) -> bool {
        self.masks.iter().any(|mask| mask.from.ip().is_unspecified())
    }
}

/// The events of a node that were received and not removed, oldest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inbox {
    events: Arc<Vec<Received>>,
}

#[derive(Clone, Debug)]
struct Received {
    record: Record,
    payload: Payload,
}

impl Apart for Inbox {
    fn apart(&mut self, copies: &mut Copies) {
        let Inbox { events } = self;
        events.apart(copies);
    }
}

impl Inbox {
    /// Those that match one of the masks.
    pub(crate) fn matching(&self, masks: &[Record]) -> impl Iterator<Item = &Record> {
        let events = self.events.iter().map(|received| &received.record);
        events.filter(|event| masks.iter().any(|mask| mask.matches(event)))
    }

    /// What an event carries.
    pub(crate) fn payload(&self, identifier: u64) -> Option<Payload> {
        let found = self.events.iter().find(|event| event.record.identifier == identifier);
        found.map(|received| received.payload.clone())
    }

    /// Removes an event; says whether it was there.
    pub(crate) fn remove(&mut self, identifier: u64) -> bool {
        let is_it = |event: &Received| event.record.identifier == identifier;
        let Some(at) = self.events.iter().position(is_it) else { return false };
        Arc::make_mut(&mut self.events).remove(at);
        true
    }

    fn push(&mut self, event: &Event<Payload>) {
        let record = Record {
            kind: event.kind,
            identifier: identifier(event),
            from: event.source,
            to: event.destination,
            request: event.request as u32,
            connection: event.connection as u32,
        };
        let payload = event.payload.clone();
        Arc::make_mut(&mut self.events).push(Received { record, payload });
    }
}

/// The number of an event that no other one has, wherever it comes from: a host numbers what it
/// sends, and an address is one host's.
fn identifier(event: &Event<Payload>) -> u64 {
    u64::from(event.source.ip().to_bits()) << 32 | (event.id & u64::from(u32::MAX))
}

impl Net {
    /// Sends an event to where its record says. One without the sender's address gets it.
    pub(crate) fn put(&mut self, record: &Record, payload: &[ByteValue]) -> Result<(), Errno> {
        let Record { kind, identifier: _, from, to, request, connection } = *record;
        if kind.0 & !ALL_TYPES != 0 || !kind.0.is_power_of_two() {
            return Err(Errno::EINVAL);
        }
        let route = self.route(*to.ip(), DEFAULT_TTL)?;
        if let Some((_, errno)) = route.lost {
            return Err(errno);
        }
        let ip = if from.ip().is_unspecified() { route.source } else { *from.ip() };
        if !self.is_own(ip) {
            return Err(Errno::EADDRNOTAVAIL);
        }
        self.events_sent += 1;
        let event = Arc::new(Event {
            kind,
            protocol: Protocol::Plain,
            id: self.events_sent,
            source: SocketAddrV4::new(ip, from.port()),
            destination: to,
            request: request.into(),
            connection: connection.into(),
            ttl: route.ttl,
            status: 0,
            credit: 0,
            payload: Payload::from(payload),
        });
        let sent =
            route.hosts.iter().map(|to| Outgoing { to: *to, delay: 0, event: event.clone() });
        self.outbox.extend(sent);
        if route.local {
            self.table.inbox.push(&event);
        }
        Ok(())
    }

    /// An event from another host.
    pub(super) fn receive_plain(&mut self, event: &Event<Payload>) {
        self.table.inbox.push(event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: u32, from: [u8; 4], to: [u8; 4]) -> Record {
        Record {
            kind: EventKind(kind),
            identifier: 0,
            from: SocketAddrV4::new(from.into(), 7),
            to: SocketAddrV4::new(to.into(), 0x1234),
            request: 5,
            connection: 0x0102_0304,
        }
    }

    #[test]
    fn a_record_is_the_packed_structure() {
        let record = Record { identifier: 1 << 40 | 3, ..record(4, [10, 0, 0, 1], [10, 0, 0, 2]) };
        let bytes = record.to_bytes();
        let expected = [
            &[4, 0, 3, 0, 0, 0, 0, 1, 0, 0][..],
            &[10, 0, 0, 1, 10, 0, 0, 2],
            &[7, 0, 0x34, 0x12],
            &[5, 0, 0, 0, 4, 3, 2, 1],
        ];
        assert_eq!(bytes[..], expected.concat());
        assert_eq!(Record::of_bytes(&bytes), record);
    }

    #[test]
    fn zero_in_a_mask_stands_for_everything_but_a_type() {
        let event = Record { identifier: 9, ..record(2, [10, 0, 0, 1], [10, 0, 0, 2]) };
        let all = Record::of_bytes(&[0; Record::BYTES]);
        let any = Record { kind: EventKind(3), ..all };
        assert!(any.matches(&event));
        assert!(!all.matches(&event), "no type is no event");
        assert!(Record { identifier: 9, ..event }.matches(&event));
        let others = [
            Record { kind: EventKind(13), ..any },
            Record { identifier: 8, ..any },
            Record { from: SocketAddrV4::new([10, 0, 0, 3].into(), 0), ..any },
            Record { from: SocketAddrV4::new([0; 4].into(), 8), ..any },
            Record { to: SocketAddrV4::new([10, 0, 0, 1].into(), 0), ..any },
            Record { to: SocketAddrV4::new([0; 4].into(), 7), ..any },
            Record { request: 6, ..any },
            Record { connection: 1, ..any },
        ];
        assert!(others.iter().all(|mask| !mask.matches(&event)));
    }
}
