//! [`ConversationTree`]: everything that was said to a peer and heard from it, on all ways.
//!
//! Public calls take a [`Position`] and return the one behind it. Sending only writes into the tree.
//! Listening looks into the tree first. If nobody has asked there before, a session with the real peer is
//! brought to the position, asked, and left standing behind its answer.
//!
//! One lock guards the tree, the sessions that are idle, and the counters. It is never held while a
//! session is used, started or dropped. Whoever uses a session has taken it out. A position at which
//! somebody is asking is marked, so that nobody asks there at the same time: the others wait, and find the
//! answer in the tree.
//!
//! Not here: how sessions follow a way (`session.rs`), which of them is used (`pool.rs`), files
//! (`saved.rs`).

mod pool;
mod saved;
mod session;

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::error::LiveError;
use crate::event::{Closing, PeerAction, PeerEvent, Source};
use crate::ids::{ConnectionId, Endpoint, Position};
use crate::log::SpillFile;
use crate::peer::{Peer, PeerError};
use crate::record::CONTENT_BYTES_MAX;
use crate::strands::StrandSet;
use pool::SessionPool;
use session::LiveSession;

/// Differences that are kept with both answers; all are counted.
const KEPT_DIFFERENCES: usize = 1000;
/// Bytes that are said before a session is told about them though nobody listens.
const UNTOLD_BYTES_MAX: u64 = 4 * CONTENT_BYTES_MAX as u64;

/// Limits of a tree and of its sessions.
#[derive(Clone, Debug)]
pub struct TreeOptions {
    /// A peer that does not answer as it did before is an error.
    pub strict: bool,
    /// The number of sessions with the peer at the same time. At the limit, the one that was not used for
    /// the longest time ends.
    pub sessions_max: usize,
    /// The number of sessions that are tried to repeat a conversation with a peer that is not
    /// deterministic.
    pub attempts_max: u32,
    /// The time that a session has to start.
    pub start_limit: Duration,
    /// The time that the peer has, in a conversation that is repeated, to give an answer that it has given
    /// before; also the time that it has to take what is sent.
    pub repeat_limit: Duration,
    /// The time that is waited, in a conversation that is repeated, where the peer was silent before.
    ///
    /// It lets the peer read what was sent before the silence, so that it does not take it together with
    /// what is sent behind it. It is never longer than the silence was.
    pub repeated_silence: Duration,
    /// A session that was not used for so long ends, if the peer can begin anew, as many peers close
    /// connections on which nothing happens.
    pub idle_limit: Duration,
    /// The bytes that a session keeps that the peer has sent and nobody has received.
    pub incoming_bytes_max: usize,
    /// The bytes of the tree, in memory and in its file.
    pub bytes_max: u64,
    /// The bytes of the tree that stay in memory, if there is a folder for the others.
    pub memory_bytes_max: usize,
    /// The folder for a nameless file with the parts of the tree that do not stay in memory.
    pub spill_folder: Option<PathBuf>,
}

impl Default for TreeOptions {
    fn default() -> TreeOptions {
        TreeOptions {
            strict: false,
            sessions_max: 16,
            attempts_max: 3,
            start_limit: Duration::from_secs(10),
            repeat_limit: Duration::from_secs(5),
            repeated_silence: Duration::from_millis(100),
            idle_limit: Duration::from_secs(20),
            incoming_bytes_max: 64 << 20,
            bytes_max: 8 << 30,
            memory_bytes_max: 16 << 20,
            spill_folder: None,
        }
    }
}

/// Something that was heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// The place behind it.
    pub position: Position,
    /// What it was.
    pub event: PeerEvent,
}

/// Two answers of a peer to the same question after the same conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Where the question was asked.
    pub position: Position,
    /// The answer that is in the tree.
    pub recorded: PeerEvent,
    /// The answer when the conversation was repeated. It is in the tree as a branch, unless it came where
    /// the peer was silent before.
    pub repeated: PeerEvent,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { position, recorded, repeated } = self;
        write!(f, "at {position}, it has answered {repeated} instead of {recorded}")
    }
}

/// The work that a tree has saved, and the work that was left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeStatistics {
    /// Answers that were in the tree.
    pub answers_from_tree: u64,
    /// Answers that the peer has given.
    pub answers_from_peer: u64,
    /// Answers that the peer has given again when a conversation was repeated.
    pub answers_repeated: u64,
    /// Bytes that were sent again when a conversation was repeated.
    pub bytes_repeated: u64,
    /// Sessions that were started.
    pub sessions_started: u64,
    /// Answers that were not the same when a conversation was repeated.
    pub differences: u64,
    /// Ways whose answers could not be read again, as the file with a part of them cannot be.
    pub ways_unread: u64,
    /// Ways that branch off others, and the first one.
    pub strands: u64,
    /// Bytes of the tree.
    pub bytes: u64,
    /// Bytes of the tree that are in its file.
    pub spilled_bytes: u64,
}

/// What all threads share.
struct Shared {
    strands: StrandSet,
    pool: SessionPool,
    /// Positions at which somebody is asking a session.
    asking: BTreeSet<Position>,
    differences: Vec<Difference>,
    counted: TreeStatistics,
}

/// The tree of all conversations with one peer.
///
/// A conversation has one order for all connections to the peer, since the peer can tell it. The tree is
/// used by several threads at the same time.
///
/// # Streams
///
/// A stream has no boundaries of messages, so `ab` and then `c` leads to the same position as `abc`. The
/// peer cannot tell the two apart, since nothing is sent before somebody listens, or a quarter of a
/// megabyte has gathered: either way, the peer is sent `abc` at once. Everything else is part of the way:
/// listening between two sends, even in vain, and sending on another connection. Each datagram is a step
/// of its own.
pub struct ConversationTree {
    peer: Option<Arc<dyn Peer>>,
    options: TreeOptions,
    shared: Mutex<Shared>,
    /// A session has become idle, or an answer has come.
    changed: Condvar,
}

impl ConversationTree {
    /// A tree in which nothing was said yet.
    pub fn new(peer: Arc<dyn Peer>, options: TreeOptions) -> ConversationTree {
        let strands = empty_strands(&options);
        ConversationTree::with(Some(peer), options, strands)
    }

    fn with(
        peer: Option<Arc<dyn Peer>>,
        options: TreeOptions,
        strands: StrandSet,
    ) -> ConversationTree {
        let sessions_max = peer.as_ref().map_or(0, |peer| peer.sessions_max());
        let pool = SessionPool::new(options.sessions_max.min(sessions_max).max(1));
        let shared = Shared {
            strands,
            pool,
            asking: BTreeSet::new(),
            differences: Vec::new(),
            counted: TreeStatistics::default(),
        };
        ConversationTree { peer, options, shared: Mutex::new(shared), changed: Condvar::new() }
    }

    /// Begins a connection or a datagram flow to an endpoint of the peer.
    ///
    /// Its number is [`Position::newest_connection`]. The next thing to hear from it is whether it is open.
    pub fn open(&self, position: Position, endpoint: Endpoint) -> Result<Position, LiveError> {
        let connection = ConnectionId(position.connections);
        self.say(position, PeerAction::Open(connection, endpoint))
    }

    /// Sends bytes on a stream.
    pub fn send(
        &self,
        position: Position,
        connection: ConnectionId,
        bytes: &[u8],
    ) -> Result<Position, LiveError> {
        self.say(position, PeerAction::Send(connection, bytes))
    }

    /// Sends a datagram.
    pub fn send_datagram(
        &self,
        position: Position,
        connection: ConnectionId,
        bytes: &[u8],
    ) -> Result<Position, LiveError> {
        if bytes.len() > CONTENT_BYTES_MAX {
            return Err(LiveError::DatagramTooLong { bytes: bytes.len() });
        }
        self.say(position, PeerAction::SendDatagram(connection, bytes))
    }

    /// Ends a connection.
    pub fn close(
        &self,
        position: Position,
        connection: ConnectionId,
        how: Closing,
    ) -> Result<Position, LiveError> {
        self.say(position, PeerAction::Close(connection, how))
    }

    fn say(&self, position: Position, action: PeerAction<'_>) -> Result<Position, LiveError> {
        let mut shared = self.lock();
        shared.check(position)?;
        shared.check_size(&self.options)?;
        let position = shared.strands.say(position, action).map_err(LiveError::Spill)?;
        if self.peer.is_none() {
            return Ok(position);
        }
        if let Some(session) = shared.pool.take_behind(position, UNTOLD_BYTES_MAX) {
            drop(shared);
            let mut session = self.on_loan(session);
            // Whoever listens finds out what is wrong.
            session.is_good = session.follow(self, position).is_ok_and(|end| end.is_none());
        }
        Ok(position)
    }

    /// Listens for what comes next from a source: to the tree, and else to the peer, for at most `limit`.
    ///
    /// A peer that was silent stays silent until something is said to it, unless the limit is longer now.
    /// There is no call that does not wait: its result would depend on how fast the peer is.
    pub fn receive(
        &self,
        position: Position,
        source: Source,
        limit: Duration,
    ) -> Result<Heard, LiveError> {
        let mut position = position;
        let mut shared = self.lock();
        shared.check(position)?;
        loop {
            match shared.recorded(position, source, limit).map_err(LiveError::Spill)? {
                Recorded::Answer(heard) => {
                    shared.counted.answers_from_tree += 1;
                    return Ok(heard);
                }
                Recorded::ShorterSilence(behind) => position = behind,
                Recorded::Nothing if self.peer.is_none() => return Err(LiveError::NotInTree),
                Recorded::Nothing if shared.asking.insert(position) => break,
                Recorded::Nothing => {
                    shared = self.changed.wait(shared).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
        drop(shared);
        let _asking = AskingMark { tree: self, position };
        self.ask(position, source, limit)
    }

    /// Makes sure that the peer has been told everything up to a position.
    ///
    /// Without it, the peer is told when somebody listens; a conversation in which nobody does has no
    /// effect.
    pub fn tell(&self, position: Position) -> Result<(), LiveError> {
        self.lock().check(position)?;
        if self.peer.is_none() {
            return Err(LiveError::NotInTree);
        }
        self.session_at(position).map(|_| ())
    }

    /// Tells `visit` everything that was heard on the way from the root to a position, in its order.
    ///
    /// A silence after which the peer was asked again for longer is left out. `visit` must not ask the tree
    /// anything.
    pub fn heard_until(
        &self,
        position: Position,
        visit: impl FnMut(Heard),
    ) -> Result<(), LiveError> {
        let mut shared = self.lock();
        let heard = shared
            .check(position)
            .and_then(|()| shared.strands.heard_until(position, visit).map_err(LiveError::Spill));
        shared.counted.ways_unread += u64::from(heard.is_err());
        heard
    }

    /// All answers that a source has given at a position, in the order in which they were first given.
    ///
    /// There are several only if the peer is not deterministic. The first is what
    /// [`ConversationTree::receive`] returns.
    pub fn answers(&self, position: Position, source: Source) -> Result<Vec<Heard>, LiveError> {
        let mut shared = self.lock();
        shared.check(position)?;
        let answers = shared.strands.answers(position, source).map_err(LiveError::Spill)?;
        Ok(answers.into_iter().map(|(position, event, _)| Heard { position, event }).collect())
    }

    /// The differences that were noticed, the first ones with both answers.
    pub fn differences(&self) -> Vec<Difference> {
        self.lock().differences.clone()
    }

    /// The counters.
    pub fn statistics(&self) -> TreeStatistics {
        let shared = self.lock();
        TreeStatistics {
            strands: shared.strands.count() as u64,
            bytes: shared.strands.total_bytes(),
            spilled_bytes: shared.strands.spilled_bytes(),
            ..shared.counted
        }
    }

    /// Ends all sessions that are idle. They are started again where they are needed, if the peer can.
    pub fn end_sessions(&self) {
        let ended = self.lock().pool.take_all();
        drop(ended);
    }

    fn ask(&self, position: Position, source: Source, limit: Duration) -> Result<Heard, LiveError> {
        let mut session = self.session_at(position)?;
        session.is_good = false;
        let silent = {
            let mut shared = self.lock();
            shared.check_size(&self.options)?;
            shared.strands.silence_before(position, source).map_err(LiveError::Spill)?
        };
        let event = session.listen(source, limit.saturating_sub(silent), &self.options)?;
        let behind = {
            let mut shared = self.lock();
            shared.counted.answers_from_peer += 1;
            let heard = shared.strands.hear(position, source, &event, limit);
            heard.map_err(LiveError::Spill)?
        };
        session.stand_behind(&event, behind)?;
        session.is_good = true;
        Ok(Heard { position: behind, event })
    }

    /// A session that stands at a position.
    fn session_at(&self, position: Position) -> Result<SessionOnLoan<'_>, LiveError> {
        let mut attempts = 0;
        loop {
            let (mut session, is_fresh) = self.borrow_session(position)?;
            session.is_good = false;
            let difference = match session.follow(self, position) {
                Ok(None) => {
                    session.is_good = true;
                    return Ok(session);
                }
                Ok(Some(difference)) => difference,
                // A session that has stood idle may be of no use; a fresh one is.
                Err(LiveError::Peer(_)) if !is_fresh && self.can_begin_anew() => continue,
                Err(error) => return Err(error),
            };
            session.is_good = true;
            drop(session);
            attempts += 1;
            if attempts >= self.options.attempts_max {
                return Err(LiveError::NotRepeated { attempts, last: Box::new(difference) });
            }
        }
    }

    /// Takes the idle session that is nearest to a position on the way to it, or starts one.
    fn borrow_session(&self, position: Position) -> Result<(SessionOnLoan<'_>, bool), LiveError> {
        let Some(peer) = &self.peer else { return Err(LiveError::NotInTree) };
        let mut shared = self.lock();
        loop {
            if peer.can_begin_anew() {
                let expired = shared.pool.take_expired(self.options.idle_limit);
                if !expired.is_empty() {
                    drop(shared);
                    drop(expired);
                    shared = self.lock();
                }
            }
            let Shared { strands, pool, counted, .. } = &mut *shared;
            if let Some(session) = pool.take_nearest(&strands.way_to(position)) {
                drop(shared);
                return Ok((self.on_loan(session), false));
            }
            // The only session of a peer that remembers everything is not given up for another branch.
            let has_begun = !peer.can_begin_anew() && counted.sessions_started > 0;
            if has_begun && !pool.is_busy() {
                return Err(LiveError::Peer(PeerError::CannotBeginAnew));
            }
            if !has_begun && let Some(ended) = pool.reserve() {
                shared.counted.sessions_started += 1;
                drop(shared);
                // A process that listens on a fixed port has to be gone before another one starts.
                drop(ended);
                let place = ReservedPlace { tree: self };
                let session = peer.start(self.options.start_limit)?;
                std::mem::forget(place);
                return Ok((self.on_loan(LiveSession::new(session)), true));
            }
            shared = self.changed.wait(shared).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn can_begin_anew(&self) -> bool {
        self.peer.as_ref().is_some_and(|peer| peer.can_begin_anew())
    }

    fn on_loan(&self, session: LiveSession) -> SessionOnLoan<'_> {
        SessionOnLoan { tree: self, session: Some(session), is_good: true }
    }

    /// Notes that the peer has given another answer than before.
    fn note(&self, difference: &Difference) -> Result<(), LiveError> {
        let mut shared = self.lock();
        shared.counted.differences += 1;
        if shared.differences.len() < KEPT_DIFFERENCES {
            shared.differences.push(difference.clone());
        }
        if self.options.strict {
            return Err(LiveError::Differs(Box::new(difference.clone())));
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        // Nothing is left half-done where a thread can panic.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for ConversationTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConversationTree").field("statistics", &self.statistics()).finish()
    }
}

/// The part of the tree that answers a question.
enum Recorded {
    Answer(Heard),
    /// The peer was silent, but for a shorter time than is asked for now.
    ShorterSilence(Position),
    Nothing,
}

impl Shared {
    fn check_size(&self, options: &TreeOptions) -> Result<(), LiveError> {
        if self.strands.total_bytes() > options.bytes_max {
            return Err(LiveError::TooLarge { bytes_max: options.bytes_max });
        }
        Ok(())
    }

    fn check(&mut self, position: Position) -> Result<(), LiveError> {
        match self.strands.contains(position) {
            Ok(true) => Ok(()),
            Ok(false) => Err(LiveError::NoSuchPosition(position)),
            Err(error) => Err(LiveError::Spill(error)),
        }
    }

    fn recorded(
        &mut self,
        position: Position,
        source: Source,
        limit: Duration,
    ) -> io::Result<Recorded> {
        if self.strands.is_gone(position, source)? {
            return Ok(Recorded::Answer(Heard { position, event: PeerEvent::Gone }));
        }
        let silent = self.strands.silence_before(position, source)?;
        if !silent.is_zero() && silent >= limit {
            return Ok(Recorded::Answer(Heard { position, event: PeerEvent::Silence }));
        }
        let answers = self.strands.answers(position, source)?;
        let mut shorter = None;
        for (behind, event, silent) in answers {
            if event != PeerEvent::Silence || silent >= limit {
                return Ok(Recorded::Answer(Heard { position: behind, event }));
            }
            shorter.get_or_insert(behind);
        }
        Ok(shorter.map_or(Recorded::Nothing, Recorded::ShorterSilence))
    }
}

fn empty_strands(options: &TreeOptions) -> StrandSet {
    StrandSet::new(SpillFile::new(options.spill_folder.clone()), options.memory_bytes_max)
}

/// Marks a position at which somebody is asking, for as long as it lives.
struct AskingMark<'t> {
    tree: &'t ConversationTree,
    position: Position,
}

impl Drop for AskingMark<'_> {
    fn drop(&mut self) {
        self.tree.lock().asking.remove(&self.position);
        self.tree.changed.notify_all();
    }
}

/// A place among the sessions, for one that is being started.
struct ReservedPlace<'t> {
    tree: &'t ConversationTree,
}

impl Drop for ReservedPlace<'_> {
    fn drop(&mut self) {
        self.tree.lock().pool.give_up();
        self.tree.changed.notify_all();
    }
}

/// A session that was taken out of the pool. It goes back if it is good, and ends otherwise.
struct SessionOnLoan<'t> {
    tree: &'t ConversationTree,
    session: Option<LiveSession>,
    is_good: bool,
}

impl std::ops::Deref for SessionOnLoan<'_> {
    type Target = LiveSession;

    fn deref(&self) -> &LiveSession {
        self.session.as_ref().expect("it is there until it is dropped")
    }
}

impl std::ops::DerefMut for SessionOnLoan<'_> {
    fn deref_mut(&mut self) -> &mut LiveSession {
        self.session.as_mut().expect("it is there until it is dropped")
    }
}

impl Drop for SessionOnLoan<'_> {
    fn drop(&mut self) {
        let session = self.session.take().filter(|_| self.is_good && !std::thread::panicking());
        let mut shared = self.tree.lock();
        match session {
            Some(session) => shared.pool.put_back(session),
            None => shared.pool.give_up(),
        }
        drop(shared);
        self.tree.changed.notify_all();
    }
}
