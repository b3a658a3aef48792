//! [`ScriptedPeer`]: a peer that is a function, for tests.

use std::collections::VecDeque;
use std::time::Duration;

use crate::event::{Closing, PeerAction, PeerEvent, Source};
use crate::ids::{ConnectionId, Endpoint};
use crate::peer::{Peer, PeerError, PeerSession};

/// The behaviour of a scripted peer in one session: it returns what comes of each action, in its order.
///
/// The first call has no action: it is the start of the session.
pub type Script = Box<dyn FnMut(Option<PeerAction<'_>>) -> Vec<PeerEvent> + Send>;

/// A peer whose sessions follow a script.
///
/// Connections are open when they are begun, unless the script answers [`PeerAction::Open`] otherwise. The
/// script announces its own connections with [`PeerEvent::Connected`], and learns nothing of their
/// numbers: it has to count the connections of both sides.
///
/// ```
/// use everett_live::{PeerAction, PeerEvent, ScriptedPeer};
///
/// let echo = ScriptedPeer::new(|| {
///     Box::new(|action| match action {
///         Some(PeerAction::Send(connection, bytes)) => vec![PeerEvent::Bytes(connection, bytes.to_vec())],
///         _ => Vec::new(),
///     })
/// });
/// ```
pub struct ScriptedPeer {
    start: Box<dyn Fn() -> Script + Send + Sync>,
    sessions_max: usize,
}

impl ScriptedPeer {
    /// A peer whose sessions follow the scripts that a function makes.
    pub fn new(start: impl Fn() -> Script + Send + Sync + 'static) -> ScriptedPeer {
        ScriptedPeer { start: Box::new(start), sessions_max: usize::MAX }
    }

    /// The same peer, with at most this many sessions at the same time.
    pub fn with_sessions_max(self, sessions_max: usize) -> ScriptedPeer {
        ScriptedPeer { sessions_max, ..self }
    }
}

impl Peer for ScriptedPeer {
    fn start(&self, _limit: Duration) -> Result<Box<dyn PeerSession>, PeerError> {
        let mut script = (self.start)();
        let coming = VecDeque::from(script(None));
        Ok(Box::new(ScriptedSession { script, coming }))
    }

    fn sessions_max(&self) -> usize {
        self.sessions_max
    }
}

struct ScriptedSession {
    script: Script,
    coming: VecDeque<PeerEvent>,
}

impl ScriptedSession {
    fn say(&mut self, action: PeerAction<'_>) {
        if !self.coming.contains(&PeerEvent::Gone) {
            self.coming.extend((self.script)(Some(action)));
        }
    }
}

impl PeerSession for ScriptedSession {
    fn open(
        &mut self,
        connection: ConnectionId,
        endpoint: Endpoint,
        _limit: Duration,
    ) -> Result<PeerEvent, PeerError> {
        self.say(PeerAction::Open(connection, endpoint));
        let outcomes = [PeerEvent::Opened(connection), PeerEvent::Refused(connection)];
        let is_outcome = |event: &PeerEvent| outcomes.contains(event);
        let outcome = self.coming.iter().position(is_outcome);
        let outcome = outcome.and_then(|index| self.coming.remove(index));
        Ok(outcome.unwrap_or(PeerEvent::Opened(connection)))
    }

    fn accept(&mut self, _connection: ConnectionId, _endpoint: Endpoint) -> Result<(), PeerError> {
        Ok(())
    }

    fn send(
        &mut self,
        connection: ConnectionId,
        bytes: &[u8],
        _limit: Duration,
    ) -> Result<usize, PeerError> {
        self.say(PeerAction::Send(connection, bytes));
        Ok(bytes.len())
    }

    fn send_datagram(&mut self, connection: ConnectionId, bytes: &[u8]) -> Result<(), PeerError> {
        self.say(PeerAction::SendDatagram(connection, bytes));
        Ok(())
    }

    fn close(&mut self, connection: ConnectionId, how: Closing) -> Result<(), PeerError> {
        self.say(PeerAction::Close(connection, how));
        Ok(())
    }

    fn wait(&mut self, source: Source, _limit: Duration) -> Result<PeerEvent, PeerError> {
        let found = self.coming.iter().position(|event| source.notices(event));
        Ok(match found {
            Some(index) if self.coming[index] == PeerEvent::Gone => PeerEvent::Gone,
            Some(index) => self.coming.remove(index).unwrap_or(PeerEvent::Silence),
            None => PeerEvent::Silence,
        })
    }
}
