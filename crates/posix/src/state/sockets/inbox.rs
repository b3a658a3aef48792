//! Events that programs handle themselves: those that have come ([`EventInbox`]), and those that are
//! waited for ([`WantedEvents`]).

use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::sync::Arc;

use everett_base::{Apart, Copies};
use everett_net::{Message, MessageKind};

use crate::state::sockets::message::Payload;

/// Masks that a call may have.
pub(crate) const MOST_MASKS: u64 = 4096;

/// A `struct net_event`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EventRecord {
    pub(crate) kind: MessageKind,
    pub(crate) identifier: u64,
    pub(crate) from: SocketAddrV4,
    pub(crate) to: SocketAddrV4,
    pub(crate) request: u32,
    pub(crate) connection: u32,
}

everett_base::portable!(struct EventRecord { kind, identifier, from, to, request, connection });

impl EventRecord {
    /// Bytes of one; the structure is packed.
    pub(crate) const BYTES: usize = 30;

    /// As it is in the program's memory; addresses are in network byte order.
    pub(crate) fn to_bytes(self) -> [u8; EventRecord::BYTES] {
        let EventRecord { kind, identifier, from, to, request, connection } = self;
        let mut bytes = [0; EventRecord::BYTES];
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
    pub(crate) fn of_bytes(bytes: &[u8; EventRecord::BYTES]) -> EventRecord {
        let number = |at: usize, size: usize| {
            let bytes = bytes[at..at + size].iter().rev();
            bytes.fold(0, |number: u64, byte| number << 8 | u64::from(*byte))
        };
        let address = |ip: usize, port: usize| {
            let ip = Ipv4Addr::new(bytes[ip], bytes[ip + 1], bytes[ip + 2], bytes[ip + 3]);
            SocketAddrV4::new(ip, number(port, 2) as u16)
        };
        EventRecord {
            kind: MessageKind(number(0, 2) as u32),
            identifier: number(2, 8),
            from: address(10, 18),
            to: address(14, 20),
            request: number(22, 4) as u32,
            connection: number(26, 4) as u32,
        }
    }

    /// The record of an event that has come.
    pub(crate) fn of_message(event: &Message<Payload>) -> EventRecord {
        EventRecord {
            kind: event.kind,
            identifier: identifier(event),
            from: v4(event.source),
            to: v4(event.destination),
            request: event.request as u32,
            connection: event.connection as u32,
        }
    }

    /// Returns true if an event is one that this mask describes.
    pub(crate) fn matches(&self, event: &EventRecord) -> bool {
        let EventRecord { kind, identifier, from, to, request, connection } = *self;
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

/// Events that a thread waits or looks for, each of which matches one of the masks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WantedEvents {
    pub(crate) masks: Vec<EventRecord>,
    /// A thread that waits goes on when so many are there, and one that looks sees no fewer.
    pub(crate) minimum: u32,
    /// The number beyond which a thread cannot tell how many there are.
    pub(crate) most: u32,
}

everett_base::portable!(struct WantedEvents { masks, minimum, most });

impl WantedEvents {
    /// Returns true if they are there.
    pub(crate) fn is_there(&self, inbox: &EventInbox) -> bool {
        inbox.matching(self).count() >= self.minimum as usize
    }

    /// Returns true if an event is one of them.
    pub(crate) fn matches(&self, event: &EventRecord) -> bool {
        self.masks.iter().any(|mask| mask.matches(event))
    }

    /// Returns true if anybody at all can make them come: what is waited for is somebody who asks.
    pub(crate) fn is_from_anybody(&self) -> bool {
        self.masks.iter().any(|mask| mask.from.ip().is_unspecified())
    }
}

/// The events of a node that were received and not removed, oldest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventInbox {
    pub(crate) events: Arc<Vec<ReceivedEvent>>,
}

everett_base::portable!(struct EventInbox { events });

#[derive(Clone, Debug)]
pub(crate) struct ReceivedEvent {
    pub(crate) record: EventRecord,
    pub(crate) payload: Payload,
}

everett_base::portable!(struct ReceivedEvent { record, payload });

impl Apart for EventInbox {
    fn apart(&mut self, copies: &mut Copies) {
        let EventInbox { events } = self;
        events.apart(copies);
    }
}

impl EventInbox {
    /// Those that a thread waits or looks for.
    pub(crate) fn matching(&self, wanted: &WantedEvents) -> impl Iterator<Item = &EventRecord> {
        let events = self.events.iter().map(|received| &received.record);
        events.filter(|event| wanted.matches(event))
    }

    /// The payload of an event.
    pub(crate) fn payload(&self, identifier: u64) -> Option<Payload> {
        let found = self.events.iter().find(|event| event.record.identifier == identifier);
        found.map(|received| received.payload.clone())
    }

    /// Removes an event; says whether it was there.
    pub(crate) fn remove(&mut self, identifier: u64) -> bool {
        let is_it = |event: &ReceivedEvent| event.record.identifier == identifier;
        let Some(at) = self.events.iter().position(is_it) else { return false };
        Arc::make_mut(&mut self.events).remove(at);
        true
    }

    pub(crate) fn push(&mut self, event: &Message<Payload>) {
        let record = EventRecord::of_message(event);
        let payload = event.payload.clone();
        Arc::make_mut(&mut self.events).push(ReceivedEvent { record, payload });
    }
}

/// The address of an event.
fn v4(address: SocketAddr) -> SocketAddrV4 {
    match address {
        SocketAddr::V4(address) => address,
        SocketAddr::V6(_) => unreachable!("programs put events to addresses of IPv4"),
    }
}

/// The number of an event that no other one has, wherever it comes from: a host numbers what it
/// sends, and an address is one host's.
pub(crate) fn identifier(event: &Message<Payload>) -> u64 {
    u64::from(v4(event.source).ip().to_bits()) << 32 | (event.id & u64::from(u32::MAX))
}
