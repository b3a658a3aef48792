//! [`LiveSession`]: a session with a real peer that stands at a position, and follows ways through the
//! tree.
//!
//! The peer hears what the tree says was said, and its answers are compared with those in the tree: streams
//! by their bytes, wherever they are cut. What comes earlier than in the tree, or on another connection,
//! is kept until it is asked for.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::{ConversationTree, Difference, TreeOptions};
use crate::clock::now;
use crate::error::LiveError;
use crate::event::{PeerAction, PeerEvent, Source};
use crate::ids::{ConnectionId, Position};
use crate::peer::{PeerError, PeerSession};
use crate::record::{CONTENT_BYTES_MAX, Record};
use crate::strands::Step;

/// Bytes of a way that are taken out of the tree at once.
const WAY_PART_BYTES: usize = 4 * CONTENT_BYTES_MAX;
/// The time that a peer has to take bytes before what comes from it is looked at.
const SEND_STEP: Duration = Duration::from_millis(5);

/// A session with a real peer.
pub(super) struct LiveSession {
    peer: Box<dyn PeerSession>,
    at: Position,
    /// What has come and was not asked for yet, in its order.
    incoming: VecDeque<PeerEvent>,
    incoming_bytes: usize,
    last_use: Instant,
}

impl LiveSession {
    /// A session that stands at the root.
    pub(super) fn new(peer: Box<dyn PeerSession>) -> LiveSession {
        let incoming = VecDeque::new();
        LiveSession { peer, at: Position::ROOT, incoming, incoming_bytes: 0, last_use: now() }
    }

    pub(super) fn position(&self) -> Position {
        self.at
    }

    pub(super) fn last_use(&self) -> Instant {
        self.last_use
    }

    pub(super) fn set_last_use(&mut self) {
        self.last_use = now();
    }

    /// Brings the peer to a position below, and returns the answer that was another one than before.
    pub(super) fn follow(
        &mut self,
        tree: &ConversationTree,
        to: Position,
    ) -> Result<Option<Difference>, LiveError> {
        while self.at != to {
            let part = {
                let mut shared = tree.lock();
                let part = shared.strands.way_part(self.at, to, WAY_PART_BYTES);
                let part = part.map_err(LiveError::Spill)?;
                shared.counted.bytes_repeated += part.repeated_bytes;
                part
            };
            if part.steps.is_empty() {
                return Err(LiveError::NoSuchPosition(to));
            }
            for (step, behind) in part.steps {
                let difference = match step {
                    Step::Send(connection, bytes) => {
                        self.send(connection, &bytes, &tree.options)?;
                        None
                    }
                    Step::Whole(record) => self.take_step(&record, tree)?,
                };
                if difference.is_some() {
                    return Ok(difference);
                }
                self.at = behind;
            }
        }
        Ok(None)
    }

    /// Says what a record says, or waits for what it has heard.
    fn take_step(
        &mut self,
        record: &Record<'_>,
        tree: &ConversationTree,
    ) -> Result<Option<Difference>, LiveError> {
        let Some(action) = record.action(ConnectionId(self.at.connections)) else {
            return self.compare(record, tree);
        };
        match action {
            PeerAction::Open(connection, endpoint) => {
                let limit = tree.options.repeat_limit;
                let event = match self.peer.open(connection, endpoint, limit)? {
                    PeerEvent::Silence => PeerEvent::Refused(connection),
                    event => event,
                };
                self.keep(event, &tree.options)?;
            }
            PeerAction::Send(connection, bytes) => self.send(connection, bytes, &tree.options)?,
            PeerAction::SendDatagram(connection, bytes) => {
                self.peer.send_datagram(connection, bytes)?;
            }
            PeerAction::Close(connection, how) => self.peer.close(connection, how)?,
        }
        Ok(None)
    }

    /// Sends bytes, and takes in what comes while the peer does not take them.
    fn send(
        &mut self,
        connection: ConnectionId,
        mut bytes: &[u8],
        options: &TreeOptions,
    ) -> Result<(), PeerError> {
        let limit = options.repeat_limit;
        let mut progress = now();
        while !bytes.is_empty() {
            let taken = self.peer.send(connection, bytes, SEND_STEP)?;
            bytes = &bytes[taken.min(bytes.len())..];
            if taken > 0 {
                progress = now();
                continue;
            }
            let event = self.peer.wait(Source::Anything, Duration::ZERO)?;
            if event == PeerEvent::Gone {
                return self.keep(event, options);
            }
            if event != PeerEvent::Silence {
                self.keep(event, options)?;
                progress = now();
            } else if now() - progress > limit {
                return Err(PeerError::Stuck { connection, limit });
            }
        }
        Ok(())
    }

    /// Keeps an event until somebody asks for it.
    fn keep(&mut self, event: PeerEvent, options: &TreeOptions) -> Result<(), PeerError> {
        let bytes_max = options.incoming_bytes_max;
        self.incoming_bytes += event.bytes().len();
        self.incoming.push_back(event);
        if self.incoming_bytes > bytes_max {
            return Err(PeerError::TooMuch { bytes_max });
        }
        Ok(())
    }

    /// The next event of a source, of those that were kept, and else of the peer.
    pub(super) fn listen(
        &mut self,
        source: Source,
        limit: Duration,
        options: &TreeOptions,
    ) -> Result<PeerEvent, PeerError> {
        let kept = self.incoming.iter().position(|event| source.notices(event));
        let mut event = match kept {
            Some(index) if self.incoming[index] == PeerEvent::Gone => PeerEvent::Gone,
            Some(index) => self.incoming.remove(index).unwrap_or(PeerEvent::Silence),
            None => {
                let event = self.peer.wait(source, limit)?;
                self.incoming_bytes += event.bytes().len();
                event
            }
        };
        if let PeerEvent::Bytes(connection, bytes) = &mut event
            && bytes.len() > CONTENT_BYTES_MAX
        {
            let rest = bytes.split_off(CONTENT_BYTES_MAX);
            let place = kept.unwrap_or(self.incoming.len());
            self.incoming.insert(place, PeerEvent::Bytes(*connection, rest));
            if self.incoming_bytes > options.incoming_bytes_max {
                return Err(PeerError::TooMuch { bytes_max: options.incoming_bytes_max });
            }
        }
        self.incoming_bytes -= event.bytes().len();
        Ok(event)
    }

    /// Takes an event as heard.
    pub(super) fn stand_behind(
        &mut self,
        event: &PeerEvent,
        behind: Position,
    ) -> Result<(), PeerError> {
        if let PeerEvent::Connected(endpoint) = event {
            self.peer.accept(ConnectionId(self.at.connections), *endpoint)?;
        }
        self.at = behind;
        Ok(())
    }

    /// Listens for what was heard before, and compares.
    fn compare(
        &mut self,
        record: &Record<'_>,
        tree: &ConversationTree,
    ) -> Result<Option<Difference>, LiveError> {
        let (Some(recorded), Some(asked)) = (record.event(), record.asked()) else {
            return Ok(None);
        };
        let options = &tree.options;
        if let Some(silence) = record.silence() {
            let event = self.listen(asked, silence.min(options.repeated_silence), options)?;
            if event != PeerEvent::Silence {
                // It is too late to hear it here, but not to hear it later: streams are compared by their
                // bytes.
                let repeated = event.clone();
                tree.note(&Difference { position: self.at, recorded, repeated })?;
                self.incoming_bytes += event.bytes().len();
                self.incoming.push_front(event);
            }
            return Ok(None);
        }
        let repeated = self.listen_again(&recorded, asked, options)?;
        tree.lock().counted.answers_repeated += 1;
        if repeated == recorded {
            if let PeerEvent::Connected(endpoint) = recorded {
                self.peer.accept(ConnectionId(self.at.connections), endpoint)?;
            }
            return Ok(None);
        }
        let difference = Difference { position: self.at, recorded, repeated };
        tree.note(&difference)?;
        let behind = {
            let mut shared = tree.lock();
            let waited = options.repeat_limit;
            let branch = shared.strands.hear(self.at, asked, &difference.repeated, waited);
            branch.map_err(LiveError::Spill)?
        };
        self.stand_behind(&difference.repeated, behind)?;
        Ok(Some(difference))
    }

    /// The event that comes in the place of a recorded one, with as many bytes of a stream if they come.
    fn listen_again(
        &mut self,
        recorded: &PeerEvent,
        asked: Source,
        options: &TreeOptions,
    ) -> Result<PeerEvent, PeerError> {
        let source = recorded.source().unwrap_or(asked);
        let event = self.listen(source, options.repeat_limit, options)?;
        let (PeerEvent::Bytes(_, expected), PeerEvent::Bytes(connection, mut bytes)) =
            (recorded, event.clone())
        else {
            return Ok(event);
        };
        while bytes.len() < expected.len() && expected.starts_with(&bytes) {
            match self.listen(source, options.repeat_limit, options)? {
                PeerEvent::Bytes(_, more) => bytes.extend(more),
                PeerEvent::Silence => break,
                other => {
                    self.incoming.push_front(other);
                    break;
                }
            }
        }
        if bytes.len() > expected.len() && bytes.starts_with(expected) {
            let rest = bytes.split_off(expected.len());
            self.incoming_bytes += rest.len();
            self.incoming.push_front(PeerEvent::Bytes(connection, rest));
        }
        bytes.truncate(CONTENT_BYTES_MAX);
        Ok(PeerEvent::Bytes(connection, bytes))
    }
}
