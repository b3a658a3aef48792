//! [`SessionPool`]: the sessions that nobody uses at the moment, and how many there may be.

use std::time::Duration;

use super::session::LiveSession;
use crate::clock::now;
use crate::ids::{Place, Position, StrandId};

/// The idle sessions of a tree.
pub(super) struct SessionPool {
    /// The one that was used last is at the end.
    idle: Vec<LiveSession>,
    /// Sessions that are in use or being started.
    busy: usize,
    sessions_max: usize,
}

impl SessionPool {
    pub(super) fn new(sessions_max: usize) -> SessionPool {
        SessionPool { idle: Vec::new(), busy: 0, sessions_max }
    }

    /// Takes the session with the shortest rest of a way to go.
    pub(super) fn take_nearest(&mut self, way: &[(StrandId, Place)]) -> Option<LiveSession> {
        let progress = |session: &LiveSession| {
            let at = session.position();
            let number = way.iter().position(|(strand, _)| *strand == at.strand)?;
            (at.place() <= way[number].1).then_some((number, at.place()))
        };
        let candidates = self.idle.iter().enumerate();
        let candidates = candidates.filter_map(|(index, idle)| Some((progress(idle)?, index)));
        let (_, index) = candidates.max()?;
        self.busy += 1;
        Some(self.idle.remove(index))
    }

    /// Takes the session that stands on the same strand as a position, far behind it.
    pub(super) fn take_behind(&mut self, position: Position, bytes: u64) -> Option<LiveSession> {
        let is_behind = |session: &LiveSession| {
            let at = session.position();
            let end = position.record + u64::from(position.within);
            at.strand == position.strand && at.record + u64::from(at.within) + bytes <= end
        };
        // Only a conversation that nobody else has gone back into is told before somebody listens.
        if self.idle.len() != 1 || self.busy > 0 || !is_behind(&self.idle[0]) {
            return None;
        }
        self.busy += 1;
        self.idle.pop()
    }

    /// Returns true if a session is in use or being started.
    pub(super) fn is_busy(&self) -> bool {
        self.busy > 0
    }

    /// Makes room for a new session, and returns the one that has to end for it. `None` if all are in use.
    pub(super) fn reserve(&mut self) -> Option<Option<LiveSession>> {
        let is_full = self.idle.len() + self.busy >= self.sessions_max;
        if is_full && self.idle.is_empty() {
            return None;
        }
        self.busy += 1;
        Some(is_full.then(|| self.idle.remove(0)))
    }

    /// Takes the sessions that nobody has used for some time.
    pub(super) fn take_expired(&mut self, idle_limit: Duration) -> Vec<LiveSession> {
        let now = now();
        let is_expired = |session: &LiveSession| now - session.last_use() > idle_limit;
        let count = self.idle.partition_point(is_expired);
        self.idle.drain(..count).collect()
    }

    /// Takes all sessions that are idle.
    pub(super) fn take_all(&mut self) -> Vec<LiveSession> {
        std::mem::take(&mut self.idle)
    }

    /// A session is not in use any more.
    pub(super) fn put_back(&mut self, mut session: LiveSession) {
        session.set_last_use();
        self.busy -= 1;
        self.idle.push(session);
    }

    /// A session in use has ended, or has not started.
    pub(super) fn give_up(&mut self) {
        self.busy -= 1;
    }
}
