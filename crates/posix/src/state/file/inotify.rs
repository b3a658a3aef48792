//! Instances of inotify, their watches, and the events that nobody has read: [`InotifyTable`].
//!
//! Not here: which calls are events (`sys/pollable/inotify/file_events.rs`).

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use everett_fs::InodeId;
use linux_raw_sys::general as linux;

use crate::state::process::rare::rare;

/// Events that an instance holds; one more says that others are lost.
const MOST_EVENTS: usize = 16384;
/// Bytes of `struct inotify_event`, of which the length of a name is a multiple, too.
const HEAD_BYTES: usize = 16;

/// All instances of a node.
#[derive(Clone, Debug, Default)]
pub(crate) struct InotifyTable {
    instances: BTreeMap<u32, InotifyInstance>,
    next: u32,
    /// The number that the two events of the last renaming have in common.
    pub(crate) last_cookie: u32,
}

everett_base::portable!(struct InotifyTable { instances, next, last_cookie });

rare!(InotifyTable);

/// An instance.
#[derive(Clone, Debug, Default)]
struct InotifyInstance {
    /// By descriptor, from 1 on.
    watches: BTreeMap<u32, InotifyWatch>,
    last_watch: u32,
    events: Arc<VecDeque<InotifyEvent>>,
    /// Events so far, which tell edges apart.
    arrivals: u64,
}

everett_base::portable!(struct InotifyInstance { watches, last_watch, events, arrivals });

/// A file or directory that is watched.
#[derive(Clone, Copy, Debug)]
struct InotifyWatch {
    inode: InodeId,
    /// The events that are wanted, and how (`IN_ONESHOT`).
    mask: u32,
}

everett_base::portable!(struct InotifyWatch { inode, mask });

/// An event that nobody has read.
#[derive(Clone, Debug, PartialEq, Eq)]
struct InotifyEvent {
    watch: i32,
    mask: u32,
    cookie: u32,
    /// The name in a directory that is watched; empty for the file itself.
    name: Arc<[u8]>,
}

everett_base::portable!(struct InotifyEvent { watch, mask, cookie, name });

impl InotifyEvent {
    /// Bytes of the event as a program reads it.
    fn len(&self) -> usize {
        match self.name.len() {
            0 => HEAD_BYTES,
            len => HEAD_BYTES + (len + 1).next_multiple_of(HEAD_BYTES),
        }
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        let end = bytes.len() + self.len();
        let name_bytes = (self.len() - HEAD_BYTES) as u32;
        for word in [self.watch as u32, self.mask, self.cookie, name_bytes] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(&self.name[..]);
        bytes.resize(end, 0);
    }
}

impl InotifyTable {
    /// Makes an instance and returns its number.
    pub(crate) fn add(&mut self) -> u32 {
        let number = self.next;
        self.next += 1;
        self.instances.insert(number, InotifyInstance::default());
        number
    }

    pub(crate) fn remove(&mut self, number: u32) {
        self.instances.remove(&number);
    }

    /// Returns true if anything is watched.
    pub(crate) fn has_watches(&self) -> bool {
        self.instances.values().any(|instance| !instance.watches.is_empty())
    }

    /// All inodes that are watched.
    pub(crate) fn watched(&self) -> Vec<InodeId> {
        let watches = self.instances.values().flat_map(|instance| instance.watches.values());
        watches.map(|watch| watch.inode).collect()
    }

    /// The watch that an instance has for an inode, with its mask.
    pub(crate) fn watch_of(&self, number: u32, inode: InodeId) -> Option<(u32, u32)> {
        let watches = &self.instances.get(&number)?.watches;
        let found = watches.iter().find(|(_, watch)| watch.inode == inode);
        found.map(|(watch, InotifyWatch { mask, .. })| (*watch, *mask))
    }

    /// Watches an inode for events, and returns the number of the watch.
    pub(crate) fn watch(&mut self, number: u32, inode: InodeId, mask: u32) -> Option<u32> {
        let known = self.watch_of(number, inode);
        let instance = self.instances.get_mut(&number)?;
        let watch = known.map_or(instance.last_watch + 1, |(watch, _)| watch);
        instance.last_watch = instance.last_watch.max(watch);
        instance.watches.insert(watch, InotifyWatch { inode, mask });
        Some(watch)
    }

    /// Ends a watch. Returns false if there is none of this number.
    pub(crate) fn unwatch(&mut self, number: u32, watch: u32) -> bool {
        let Some(instance) = self.instances.get_mut(&number) else { return false };
        instance.end(watch)
    }

    /// Tells all that watch an inode of an event there.
    pub(crate) fn tell(&mut self, inode: InodeId, mask: u32, cookie: u32, name: &[u8]) {
        for instance in self.instances.values_mut() {
            let watches = instance.watches.iter().filter(|(_, watch)| watch.inode == inode);
            let interested: Vec<(u32, u32)> = watches
                .filter(|(_, watch)| watch.mask & mask & linux::IN_ALL_EVENTS != 0)
                .map(|(number, watch)| (*number, watch.mask))
                .collect();
            for (watch, wanted) in interested {
                let name = Arc::from(name);
                instance.push(InotifyEvent { watch: watch as i32, mask, cookie, name });
                if wanted & linux::IN_ONESHOT != 0 {
                    instance.end(watch);
                }
            }
        }
    }

    /// Ends all watches of an inode that is gone.
    pub(crate) fn forget(&mut self, inode: InodeId) {
        self.tell(inode, linux::IN_DELETE_SELF, 0, &[]);
        for instance in self.instances.values_mut() {
            let watches = instance.watches.iter().filter(|(_, watch)| watch.inode == inode);
            let ended: Vec<u32> = watches.map(|(number, _)| *number).collect();
            for watch in ended {
                instance.end(watch);
            }
        }
    }

    /// Takes the events that fit into so many bytes. `None` if there are some, and none of them fits.
    pub(crate) fn take(&mut self, number: u32, room: usize) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let Some(instance) = self.instances.get_mut(&number) else { return Some(bytes) };
        let events = Arc::make_mut(&mut instance.events);
        while let Some(event) = events.front() {
            if bytes.len() + event.len() > room {
                return if bytes.is_empty() { None } else { Some(bytes) };
            }
            event.write(&mut bytes);
            events.pop_front();
        }
        Some(bytes)
    }

    pub(crate) fn events(&self, number: u32) -> u32 {
        let has_some = self.readable_bytes(number) > 0;
        if has_some { linux::POLLIN | linux::POLLRDNORM } else { 0 }
    }

    pub(crate) fn edges(&self, number: u32) -> [u64; 2] {
        [self.instances.get(&number).map_or(0, |instance| instance.arrivals), 0]
    }

    pub(crate) fn readable_bytes(&self, number: u32) -> u64 {
        let instance = self.instances.get(&number);
        instance.map_or(0, |instance| instance.events.iter().map(|e| e.len() as u64).sum())
    }
}

impl InotifyInstance {
    /// Adds an event, unless it is the same as the last one.
    fn push(&mut self, event: InotifyEvent) {
        let is_known = self.events.back().is_some_and(|last| {
            last.mask & linux::IN_IGNORED == 0
                && (last.mask, last.watch, &last.name) == (event.mask, event.watch, &event.name)
        });
        if is_known || self.events.len() > MOST_EVENTS {
            return;
        }
        self.arrivals += 1;
        let events = Arc::make_mut(&mut self.events);
        if events.len() == MOST_EVENTS {
            let (watch, mask, cookie) = (-1, linux::IN_Q_OVERFLOW, 0);
            events.push_back(InotifyEvent { watch, mask, cookie, name: Arc::default() });
        } else {
            events.push_back(event);
        }
    }

    /// Ends a watch, which is told. Returns false if there is none of this number.
    fn end(&mut self, watch: u32) -> bool {
        let is_there = self.watches.remove(&watch).is_some();
        if is_there {
            let (mask, cookie) = (linux::IN_IGNORED, 0);
            self.push(InotifyEvent { watch: watch as i32, mask, cookie, name: Arc::default() });
        }
        is_there
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(bytes: &[u8]) -> Vec<u32> {
        let words = bytes.chunks_exact(4).map(|word| [word[0], word[1], word[2], word[3]]);
        words.map(u32::from_le_bytes).collect()
    }

    #[test]
    fn an_event_goes_to_those_that_want_it() {
        let mut table = InotifyTable::default();
        let (one, two) = (table.add(), table.add());
        let inode = InodeId(7);
        assert_eq!(table.watch(one, inode, linux::IN_CREATE), Some(1));
        assert_eq!(table.watch(two, inode, linux::IN_DELETE), Some(1));
        table.tell(inode, linux::IN_CREATE, 0, b"name");
        table.tell(inode, linux::IN_CREATE, 0, b"name");
        assert_eq!((table.readable_bytes(one), table.readable_bytes(two)), (32, 0));
        assert_eq!(table.take(one, 31), None);
        let bytes = table.take(one, 32).unwrap();
        assert_eq!(words(&bytes)[..4], [1, linux::IN_CREATE, 0, 16]);
        assert_eq!(bytes[16..], *b"name\0\0\0\0\0\0\0\0\0\0\0\0");
    }

    #[test]
    fn a_watch_ends_with_its_file_or_after_one_event() {
        let mut table = InotifyTable::default();
        let number = table.add();
        table.watch(number, InodeId(1), linux::IN_DELETE_SELF);
        table.watch(number, InodeId(2), linux::IN_MODIFY | linux::IN_ONESHOT);
        table.forget(InodeId(1));
        table.tell(InodeId(2), linux::IN_MODIFY, 0, &[]);
        table.tell(InodeId(2), linux::IN_MODIFY, 0, &[]);
        let events = words(&table.take(number, 1000).unwrap());
        let seen: Vec<(u32, u32)> = events.chunks(4).map(|event| (event[0], event[1])).collect();
        let (gone, ignored) = (linux::IN_DELETE_SELF, linux::IN_IGNORED);
        assert_eq!(seen, [(1, gone), (1, ignored), (2, linux::IN_MODIFY), (2, ignored)]);
        assert!(!table.has_watches());
    }
}
