//! [`Record`]: one thing that was said or heard, and its form in the log of a strand.
//!
//! | bytes | content |
//! |---|---|
//! | 1 | the kind in the lower half; in the upper half, of what was heard, the kind of source asked |
//! | 4 | the number of the connection or endpoint, little-endian |
//! | 4 | the number of bytes that follow, little-endian |
//! | | bytes that were sent or received; for a silence, its milliseconds |
//!
//! A run of bytes that was sent can be passed in part, and the last run of a log can still grow. All other
//! records are passed as a whole.

use std::borrow::Cow;
use std::time::Duration;

use crate::event::{Closing, PeerAction, PeerEvent, Source};
use crate::ids::{ConnectionId, Endpoint};

/// The bytes in front of the contents of a record.
pub(crate) const HEADER_BYTES: usize = 9;
/// The bytes that a record contains at most. Longer runs are several records, and no datagram is longer.
pub(crate) const CONTENT_BYTES_MAX: usize = 1 << 16;

const OPEN: u8 = 0;
const SEND: u8 = 1;
const SEND_DATAGRAM: u8 = 2;
const FINISH: u8 = 3;
const CLOSE: u8 = 4;
const ABORT: u8 = 5;
const OPENED: u8 = 6;
const REFUSED: u8 = 7;
const CONNECTED: u8 = 8;
const BYTES: u8 = 9;
const DATAGRAM: u8 = 10;
const END_OF_STREAM: u8 = 11;
const RESET: u8 = 12;
const GONE: u8 = 13;
const SILENCE: u8 = 14;

const ASKED_CONNECTION: u8 = 1 << 4;
const ASKED_ENDPOINT: u8 = 2 << 4;
const ASKED_ANYTHING: u8 = 3 << 4;

/// One thing that was said or heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record<'a> {
    kind: u8,
    /// The number of a connection or endpoint.
    subject: u32,
    content: Cow<'a, [u8]>,
}

impl<'a> Record<'a> {
    /// The record of an action.
    pub(crate) fn said(action: PeerAction<'a>) -> Record<'a> {
        let (kind, subject, content) = match action {
            // The number of the connection follows from the way to the record.
            PeerAction::Open(_, endpoint) => (OPEN, endpoint.0, &[][..]),
            PeerAction::Send(connection, bytes) => (SEND, connection.0, bytes),
            PeerAction::SendDatagram(connection, bytes) => (SEND_DATAGRAM, connection.0, bytes),
            PeerAction::Close(connection, Closing::Finish) => (FINISH, connection.0, &[][..]),
            PeerAction::Close(connection, Closing::Close) => (CLOSE, connection.0, &[][..]),
            PeerAction::Close(connection, Closing::Abort) => (ABORT, connection.0, &[][..]),
        };
        Record { kind, subject, content: Cow::Borrowed(content) }
    }

    /// The record of what came when a source was asked; `waited` is how long it was silent.
    pub(crate) fn heard(asked: Source, event: &'a PeerEvent, waited: Duration) -> Record<'a> {
        let (asked, asked_number) = match asked {
            Source::Connection(connection) => (ASKED_CONNECTION, connection.0),
            Source::Endpoint(endpoint) => (ASKED_ENDPOINT, endpoint.0),
            Source::Anything => (ASKED_ANYTHING, 0),
        };
        let (kind, subject, content) = match event {
            PeerEvent::Opened(connection) => (OPENED, connection.0, Cow::default()),
            PeerEvent::Refused(connection) => (REFUSED, connection.0, Cow::default()),
            PeerEvent::Connected(endpoint) => (CONNECTED, endpoint.0, Cow::default()),
            PeerEvent::Bytes(connection, bytes) => (BYTES, connection.0, Cow::Borrowed(&**bytes)),
            PeerEvent::Datagram(connection, bytes) => {
                (DATAGRAM, connection.0, Cow::Borrowed(&**bytes))
            }
            PeerEvent::EndOfStream(connection) => (END_OF_STREAM, connection.0, Cow::default()),
            PeerEvent::Reset(connection) => (RESET, connection.0, Cow::default()),
            PeerEvent::Gone => (GONE, asked_number, Cow::default()),
            PeerEvent::Silence => {
                let waited = u32::try_from(waited.as_millis()).unwrap_or(u32::MAX);
                (SILENCE, asked_number, Cow::Owned(waited.to_le_bytes().to_vec()))
            }
        };
        Record { kind: kind | asked, subject, content }
    }

    /// Adds the record to a log.
    pub(crate) fn write(&self, to: &mut Vec<u8>) {
        debug_assert!(self.content.len() <= CONTENT_BYTES_MAX, "long runs are several records");
        to.push(self.kind);
        to.extend_from_slice(&self.subject.to_le_bytes());
        to.extend_from_slice(&(self.content.len() as u32).to_le_bytes());
        to.extend_from_slice(&self.content);
    }

    /// The record at the beginning of some bytes; `None` if there is none.
    pub(crate) fn read(bytes: &'a [u8]) -> Option<Record<'a>> {
        let (header, rest) = bytes.split_first_chunk::<HEADER_BYTES>()?;
        let content = rest.get(..content_bytes(header)?)?;
        let [kind, s0, s1, s2, s3, ..] = *header;
        let subject = u32::from_le_bytes([s0, s1, s2, s3]);
        let is_asked = (ASKED_CONNECTION..=ASKED_ANYTHING).contains(&(kind & 0xf0));
        let is_good = match kind & 0xf {
            OPEN | FINISH..=ABORT => kind < 0x10 && content.is_empty(),
            SEND => kind < 0x10 && !content.is_empty(),
            SEND_DATAGRAM => kind < 0x10,
            BYTES => is_asked && !content.is_empty(),
            DATAGRAM => is_asked,
            OPENED..=CONNECTED | END_OF_STREAM..=GONE => is_asked && content.is_empty(),
            SILENCE => is_asked && content.len() == 4,
            _ => false,
        };
        is_good.then_some(Record { kind, subject, content: Cow::Borrowed(content) })
    }

    /// The record with contents of its own.
    pub(crate) fn into_owned(self) -> Record<'static> {
        let Record { kind, subject, content } = self;
        Record { kind, subject, content: Cow::Owned(content.into_owned()) }
    }

    /// The bytes that the record has in a log.
    pub(crate) fn log_bytes(&self) -> u64 {
        (HEADER_BYTES + self.content.len()) as u64
    }

    /// The number of parts that can be passed one by one.
    pub(crate) fn units(&self) -> u32 {
        if self.kind == SEND { self.content.len() as u32 } else { 1 }
    }

    /// The connection, if the record is a run of bytes that was sent.
    pub(crate) fn sent_run(&self) -> Option<ConnectionId> {
        (self.kind == SEND).then_some(ConnectionId(self.subject))
    }

    /// The bytes that were sent or received.
    pub(crate) fn content(&self) -> &[u8] {
        &self.content
    }

    /// Returns true if the record says that the peer is gone.
    pub(crate) fn is_gone(&self) -> bool {
        self.kind & 0xf == GONE
    }

    /// Returns true if a connection begins here.
    pub(crate) fn begins_connection(&self) -> bool {
        matches!(self.kind & 0xf, OPEN | CONNECTED)
    }

    /// The action, if it is one; `next` is the number of the next connection.
    pub(crate) fn action(&self, next: ConnectionId) -> Option<PeerAction<'_>> {
        let connection = ConnectionId(self.subject);
        Some(match self.kind {
            OPEN => PeerAction::Open(next, Endpoint(self.subject)),
            SEND => PeerAction::Send(connection, &self.content),
            SEND_DATAGRAM => PeerAction::SendDatagram(connection, &self.content),
            FINISH => PeerAction::Close(connection, Closing::Finish),
            CLOSE => PeerAction::Close(connection, Closing::Close),
            ABORT => PeerAction::Close(connection, Closing::Abort),
            _ => return None,
        })
    }

    /// What was heard, if anything.
    pub(crate) fn event(&self) -> Option<PeerEvent> {
        let connection = ConnectionId(self.subject);
        Some(match self.kind & 0xf {
            OPENED => PeerEvent::Opened(connection),
            REFUSED => PeerEvent::Refused(connection),
            CONNECTED => PeerEvent::Connected(Endpoint(self.subject)),
            BYTES => PeerEvent::Bytes(connection, self.content.to_vec()),
            DATAGRAM => PeerEvent::Datagram(connection, self.content.to_vec()),
            END_OF_STREAM => PeerEvent::EndOfStream(connection),
            RESET => PeerEvent::Reset(connection),
            GONE => PeerEvent::Gone,
            SILENCE => PeerEvent::Silence,
            _ => return None,
        })
    }

    /// The source that was asked when this was heard.
    pub(crate) fn asked(&self) -> Option<Source> {
        match self.kind & 0xf0 {
            ASKED_CONNECTION => Some(Source::Connection(ConnectionId(self.subject))),
            ASKED_ENDPOINT => Some(Source::Endpoint(Endpoint(self.subject))),
            ASKED_ANYTHING => Some(Source::Anything),
            _ => None,
        }
    }

    /// The time for which the peer was silent, if the record says that it was.
    pub(crate) fn silence(&self) -> Option<Duration> {
        let millis = u32::from_le_bytes(self.content.as_ref().try_into().ok()?);
        (self.kind & 0xf == SILENCE).then_some(Duration::from_millis(millis.into()))
    }

    /// Returns true if this is what one hears who asks `source`.
    ///
    /// The order of events of different connections is an answer only for those who ask for anything.
    pub(crate) fn answers(&self, source: Source) -> bool {
        let Some(asked) = self.asked() else { return false };
        let kind = self.kind & 0xf;
        if asked == source {
            return true;
        }
        let is_about_all = matches!(kind, SILENCE | GONE);
        let is_about = match source {
            Source::Anything => false,
            Source::Connection(connection) => kind != CONNECTED && self.subject == connection.0,
            Source::Endpoint(endpoint) => kind == CONNECTED && self.subject == endpoint.0,
        };
        asked == Source::Anything && (is_about_all || is_about)
    }
}

/// The number of bytes behind a header; `None` if there are too many.
pub(crate) fn content_bytes(header: &[u8; HEADER_BYTES]) -> Option<usize> {
    let [.., l0, l1, l2, l3] = *header;
    let length = usize::try_from(u32::from_le_bytes([l0, l1, l2, l3])).ok()?;
    (length <= CONTENT_BYTES_MAX).then_some(length)
}
