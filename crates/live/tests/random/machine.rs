//! Random peers: state machines that react to every byte, by everything that they have been told.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use everett_base::Rng;
use everett_live::{
    Closing, ConnectionId, Endpoint, Peer, PeerAction, PeerError, PeerEvent, PeerSession,
    ScriptedPeer, Source,
};

/// A random peer. Its sessions are all alike, unless it is moody.
#[derive(Clone)]
pub(crate) struct MachinePeer {
    seed: u64,
    /// One of so many reactions is unlike those of other sessions.
    moods: Option<u64>,
    sessions: Arc<Mutex<u64>>,
    transcripts: Arc<Mutex<Vec<Arc<Mutex<Transcript>>>>>,
}

impl MachinePeer {
    pub(crate) fn new(seed: u64) -> MachinePeer {
        MachinePeer { seed, moods: None, sessions: Arc::default(), transcripts: Arc::default() }
    }

    /// A peer of which one of `rarity` sessions is different.
    pub(crate) fn moody(
        self,
        rarity: u64,
        transcripts: Arc<Mutex<Vec<Arc<Mutex<Transcript>>>>>,
    ) -> MachinePeer {
        MachinePeer { moods: Some(rarity), transcripts, ..self }
    }
}

impl Peer for MachinePeer {
    fn start(&self, limit: Duration) -> Result<Box<dyn PeerSession>, PeerError> {
        let mut sessions = self.sessions.lock().unwrap();
        *sessions += 1;
        let mut rng = Rng::new(self.seed ^ *sessions);
        let is_moody = self.moods.is_some_and(|rarity| rng.below(rarity) == 0);
        let mood = if is_moody { rng.below(3) } else { 0 };
        let seed = self.seed;
        let scripted = ScriptedPeer::new(move || {
            let mut machine = Machine { state: seed, mood, known: BTreeSet::new() };
            Box::new(move |action| machine.react(action))
        });
        let transcript = Arc::new(Mutex::new(Transcript::default()));
        self.transcripts.lock().unwrap().push(Arc::clone(&transcript));
        Ok(Box::new(RecordedSession { session: scripted.start(limit)?, transcript }))
    }
}

struct Machine {
    state: u64,
    /// Other moods than zero change some reactions.
    mood: u64,
    known: BTreeSet<ConnectionId>,
}

impl Machine {
    fn react(&mut self, action: Option<PeerAction<'_>>) -> Vec<PeerEvent> {
        match action {
            None => self.answer(1, None),
            Some(PeerAction::Open(connection, endpoint)) => {
                let mut events = self.answer(2 + u64::from(endpoint.0), None);
                if self.state.is_multiple_of(8) {
                    events.push(PeerEvent::Refused(connection));
                } else {
                    self.known.insert(connection);
                }
                events
            }
            Some(PeerAction::Send(connection, bytes)) => {
                let numbers = bytes.iter().map(|byte| 100 + u64::from(*byte));
                numbers.flat_map(|number| self.answer(number, Some(connection))).collect()
            }
            Some(PeerAction::SendDatagram(connection, bytes)) => {
                let number = bytes.iter().fold(7, |sum, byte| sum * 31 + u64::from(*byte));
                self.answer(number, Some(connection))
            }
            Some(PeerAction::Close(connection, how)) => {
                let events = self.answer(50 + how as u64, Some(connection));
                self.known.remove(&connection);
                events
            }
        }
    }

    /// The reaction to one thing, which depends on all things before.
    fn answer(&mut self, number: u64, connection: Option<ConnectionId>) -> Vec<PeerEvent> {
        self.known.extend(connection);
        self.state ^= number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        if let Some(ConnectionId(connection)) = connection {
            self.state = self.state.rotate_left(connection);
        }
        let mut rng = Rng::new(self.state);
        self.state = rng.next_u64();
        if self.mood > 0 && rng.below(3) == 0 {
            self.state ^= self.mood;
        }
        let count = rng.below(3);
        (0..count).filter_map(|_| self.event(&mut rng)).collect()
    }

    fn event(&mut self, rng: &mut Rng) -> Option<PeerEvent> {
        let to = rng.below(self.known.len().max(1) as u64) as usize;
        let to = self.known.iter().nth(to).copied();
        let length = 1 + rng.below(4);
        let bytes: Vec<u8> = (0..length).map(|_| (self.state % 251) as u8).collect();
        match rng.below(40) {
            0 => Some(PeerEvent::EndOfStream(to?)),
            1 => Some(PeerEvent::Reset(to?)),
            2 | 3 => Some(PeerEvent::Connected(Endpoint(rng.below(2) as u32))),
            4 if rng.below(4) == 0 => Some(PeerEvent::Gone),
            5..10 => Some(PeerEvent::Datagram(to?, bytes)),
            _ => Some(PeerEvent::Bytes(to?, bytes)),
        }
    }
}

/// Everything that happened in a session, in its order; bytes of streams one by one.
#[derive(Debug, Default)]
pub(crate) struct Transcript {
    entries: Vec<Entry>,
}

#[derive(Debug, PartialEq, Eq)]
enum Entry {
    Said(String),
    Heard(Source, PeerEvent),
}

impl Transcript {
    /// Returns true if two sessions were told and asked the same and have answered something else.
    ///
    /// Streams that are only cut at other places are the same.
    pub(crate) fn differ(one: &Transcript, two: &Transcript) -> bool {
        let pairs = one.entries.iter().zip(&two.entries);
        match pairs.into_iter().find(|(one, two)| one != two) {
            Some((Entry::Heard(asked, one), Entry::Heard(also, two))) => {
                let is_cut = match (one, two) {
                    (PeerEvent::Bytes(_, one), PeerEvent::Bytes(_, two)) => {
                        one.starts_with(two) || two.starts_with(one)
                    }
                    _ => false,
                };
                asked == also && !is_cut
            }
            _ => false,
        }
    }
}

/// A session that remembers what has happened in it.
struct RecordedSession {
    session: Box<dyn PeerSession>,
    transcript: Arc<Mutex<Transcript>>,
}

impl RecordedSession {
    fn said(&self, what: String) {
        self.transcript.lock().unwrap().entries.push(Entry::Said(what));
    }
}

impl PeerSession for RecordedSession {
    fn open(
        &mut self,
        connection: ConnectionId,
        endpoint: Endpoint,
        limit: Duration,
    ) -> Result<PeerEvent, PeerError> {
        self.said(format!("open {connection} {endpoint}"));
        self.session.open(connection, endpoint, limit)
    }

    fn accept(&mut self, connection: ConnectionId, endpoint: Endpoint) -> Result<(), PeerError> {
        self.said(format!("accept {connection} {endpoint}"));
        self.session.accept(connection, endpoint)
    }

    fn send(
        &mut self,
        connection: ConnectionId,
        bytes: &[u8],
        limit: Duration,
    ) -> Result<usize, PeerError> {
        bytes.iter().for_each(|byte| self.said(format!("send {connection} {byte}")));
        self.session.send(connection, bytes, limit)
    }

    fn send_datagram(&mut self, connection: ConnectionId, bytes: &[u8]) -> Result<(), PeerError> {
        self.said(format!("datagram {connection} {bytes:?}"));
        self.session.send_datagram(connection, bytes)
    }

    fn close(&mut self, connection: ConnectionId, how: Closing) -> Result<(), PeerError> {
        self.said(format!("{how:?} {connection}"));
        self.session.close(connection, how)
    }

    fn wait(&mut self, source: Source, limit: Duration) -> Result<PeerEvent, PeerError> {
        let event = self.session.wait(source, limit)?;
        let entry = Entry::Heard(source, event.clone());
        self.transcript.lock().unwrap().entries.push(entry);
        Ok(event)
    }
}
