//! Events that programs put and get themselves, as `netklee.h` has them: the way into an
//! [`crate::state::sockets::inbox::EventInbox`].
//!
//! An event that was put travels like a packet, by the address that it is for, and stays in the inbox
//! of the host that gets it until the program removes it. A [`EventRecord`] is a `struct net_event`: one that
//! was received, or a mask, in which a field that is 0 stands for everything.
//!
//! Not here: the calls, and the program's memory (`sys/event.rs`).

use std::net::SocketAddr;

use everett_memory::ByteValue;
use everett_net::{DEFAULT_TTL, Message, MessageKind, Protocol};
use syscalls::Errno;

use crate::state::sockets::Net;
use crate::state::sockets::inbox::EventRecord;
use crate::state::sockets::message::Payload;

/// Every type that an event can have.
const ALL_TYPES: u32 =
    MessageKind::DATA.0 | MessageKind::REQUEST.0 | MessageKind::REPLY.0 | MessageKind::CLOSE.0;

impl Net {
    /// Sends an event to where its record says. One without the sender's address gets it.
    pub(crate) fn put(&mut self, record: &EventRecord, payload: &[ByteValue]) -> Result<(), Errno> {
        let EventRecord { kind, identifier: _, from, to, request, connection } = *record;
        if kind.0 & !ALL_TYPES != 0 || !kind.0.is_power_of_two() {
            return Err(Errno::EINVAL);
        }
        let route = self.route((*to.ip()).into(), DEFAULT_TTL)?;
        if let Some((_, errno)) = route.lost {
            return Err(errno);
        }
        let ip = if from.ip().is_unspecified() { route.source } else { (*from.ip()).into() };
        if !self.is_own(ip) {
            return Err(Errno::EADDRNOTAVAIL);
        }
        self.messages_sent += 1;
        let event = Message {
            kind,
            protocol: Protocol::Plain,
            id: self.messages_sent,
            source: SocketAddr::new(ip, from.port()),
            destination: to.into(),
            request: request.into(),
            connection: connection.into(),
            ttl: route.ttl,
            status: 0,
            credit: 0,
            payload: Payload::from(payload),
        };
        if route.local {
            self.table.inbox.push(&event);
        }
        self.traffic.note_sent(route.interface, &event, event.payload.len());
        self.post(&route.hosts, event);
        Ok(())
    }

    /// An event from another host.
    pub(super) fn receive_plain(&mut self, event: &Message<Payload>) {
        self.table.inbox.push(event);
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddrV4;

    use super::*;

    fn record(kind: u32, from: [u8; 4], to: [u8; 4]) -> EventRecord {
        EventRecord {
            kind: MessageKind(kind),
            identifier: 0,
            from: SocketAddrV4::new(from.into(), 7),
            to: SocketAddrV4::new(to.into(), 0x1234),
            request: 5,
            connection: 0x0102_0304,
        }
    }

    #[test]
    fn a_record_is_the_packed_structure() {
        let record =
            EventRecord { identifier: 1 << 40 | 3, ..record(4, [10, 0, 0, 1], [10, 0, 0, 2]) };
        let bytes = record.to_bytes();
        let expected = [
            &[4, 0, 3, 0, 0, 0, 0, 1, 0, 0][..],
            &[10, 0, 0, 1, 10, 0, 0, 2],
            &[7, 0, 0x34, 0x12],
            &[5, 0, 0, 0, 4, 3, 2, 1],
        ];
        assert_eq!(bytes[..], expected.concat());
        assert_eq!(EventRecord::of_bytes(&bytes), record);
    }

    #[test]
    fn zero_in_a_mask_stands_for_everything_but_a_type() {
        let event = EventRecord { identifier: 9, ..record(2, [10, 0, 0, 1], [10, 0, 0, 2]) };
        let all = EventRecord::of_bytes(&[0; EventRecord::BYTES]);
        let any = EventRecord { kind: MessageKind(3), ..all };
        assert!(any.matches(&event));
        assert!(!all.matches(&event), "no type is no event");
        assert!(EventRecord { identifier: 9, ..event }.matches(&event));
        let others = [
            EventRecord { kind: MessageKind(13), ..any },
            EventRecord { identifier: 8, ..any },
            EventRecord { from: SocketAddrV4::new([10, 0, 0, 3].into(), 0), ..any },
            EventRecord { from: SocketAddrV4::new([0; 4].into(), 8), ..any },
            EventRecord { to: SocketAddrV4::new([10, 0, 0, 1].into(), 0), ..any },
            EventRecord { to: SocketAddrV4::new([0; 4].into(), 7), ..any },
            EventRecord { request: 6, ..any },
            EventRecord { connection: 1, ..any },
        ];
        assert!(others.iter().all(|mask| !mask.matches(&event)));
    }
}
