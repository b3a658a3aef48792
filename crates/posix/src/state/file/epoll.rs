//! The state of an `epoll` instance: [`EpollInstance`].

use std::collections::BTreeMap;
use std::sync::Arc;

use linux_raw_sys::general as linux;

use crate::state::ids::FileId;

/// Events that always count, whether they were asked for or not.
pub(crate) const ALWAYS: u32 = linux::EPOLLERR | linux::EPOLLHUP;

/// The modes in which an entry is watched, as opposed to events.
pub(crate) const MODES: u32 =
    linux::EPOLLET | linux::EPOLLONESHOT | linux::EPOLLWAKEUP | linux::EPOLLEXCLUSIVE;

/// An `epoll` instance.
#[derive(Clone, Debug, Default)]
pub(crate) struct EpollInstance {
    pub(crate) entries: Arc<BTreeMap<WatchKey, WatchEntry>>,
    /// The entry after which the next look begins, so that all get their turn.
    pub(crate) last: Option<WatchKey>,
}

everett_base::portable!(struct EpollInstance { entries, last });

/// The same descriptor number may stand for another file later.
pub(crate) type WatchKey = (u32, FileId);

#[derive(Clone, Copy, Debug)]
pub(crate) struct WatchEntry {
    /// Events and modes.
    pub(crate) events: u32,
    pub(crate) data: u64,
    /// A one-shot that was reported, until it is set again.
    pub(crate) off: bool,
    /// The edges that were there at the last report, if there was one since it was set.
    pub(crate) seen: Option<[u64; 2]>,
}

everett_base::portable!(struct WatchEntry { events, data, off, seen });

impl WatchEntry {
    /// The events that it is watched for.
    pub(crate) fn wanted(&self) -> u32 {
        self.events & !MODES | ALWAYS
    }
}

impl EpollInstance {
    /// The files that it watches.
    pub(crate) fn watched(&self) -> impl Iterator<Item = FileId> + '_ {
        self.entries.keys().map(|(_, file)| *file)
    }

    /// Notes that entries were reported.
    pub(crate) fn reported(&mut self, keys: &[(WatchKey, [u64; 2])]) {
        let entries = Arc::make_mut(&mut self.entries);
        for (key, edges) in keys {
            self.last = Some(*key);
            let Some(entry) = entries.get_mut(key) else { continue };
            entry.seen = Some(*edges);
            entry.off |= entry.events & linux::EPOLLONESHOT != 0;
        }
    }
}
