//! The entries of one directory.
//!
//! A [`Directory`] is an overlay over the listing of a host directory, or over nothing. Every entry has a
//! position that it keeps for life: `FIRST_POSITION + k` for entry `k` of the host's listing, and
//! numbers from `FIRST_ADDED` in order of creation for the others. Reading in order of positions
//! is therefore stable: an entry that is added or removed meanwhile moves no other.
//!
//! Invariant: `names` holds exactly the entries of `slots`, by the hash of the name.

use std::sync::Arc;

use everett_base::hash::hash_one;
use everett_base::{List, RadixMap};

use crate::ids::{HostFileId, InodeId};

/// The position of the first entry; `.` and `..` come before it.
pub(crate) const FIRST_POSITION: u64 = 2;

/// The first position of entries that the host does not have.
pub(crate) const FIRST_ADDED: u64 = 1 << 32;

#[derive(Clone)]
pub(crate) struct Directory {
    /// The host directory below.
    pub(crate) host: Option<HostFileId>,
    slots: RadixMap<DirectorySlot>,
    names: RadixMap<NamePositions>,
    next: u64,
    /// Entries that the host does not have.
    added: u64,
    /// Entries of the host that are not here.
    gone: u64,
}

everett_base::portable!(struct Directory { host, slots, names, next, added, gone });

/// The content of a position that replaces the host's entry.
#[derive(Clone)]
enum DirectorySlot {
    Gone,
    Entry(DirectoryEntry),
}

everett_base::portable!(enum DirectorySlot { 0 = Gone, 1 = Entry(value) });

#[derive(Clone)]
pub(crate) struct DirectoryEntry {
    pub(crate) name: Arc<[u8]>,
    pub(crate) inode: InodeId,
}

everett_base::portable!(struct DirectoryEntry { name, inode });

/// The positions of names with one hash: nearly always one.
#[derive(Clone)]
struct NamePositions {
    first: u64,
    others: List<u64>,
}

everett_base::portable!(struct NamePositions { first, others });

/// The state of a position of the host's listing according to the overlay.
pub(crate) enum OverlayEntry<'a> {
    /// Nothing: the host's entry stands.
    Host,
    /// The host's entry was removed.
    Gone,
    /// Another inode has the name now.
    Entry(&'a DirectoryEntry),
}

impl Directory {
    pub(crate) fn new(host: Option<HostFileId>) -> Directory {
        let (slots, names) = (RadixMap::new(), RadixMap::new());
        Directory { host, slots, names, next: FIRST_ADDED, added: 0, gone: 0 }
    }

    /// The entry of the overlay that has this name.
    pub(crate) fn find(&self, name: &[u8]) -> Option<(u64, InodeId)> {
        let positions = self.names.get(hash_one(name))?;
        let mut all = std::iter::once(&positions.first).chain(&positions.others);
        all.find_map(|position| match self.slots.get(*position) {
            Some(DirectorySlot::Entry(entry)) if *entry.name == *name => {
                Some((*position, entry.inode))
            }
            _ => None,
        })
    }

    pub(crate) fn overlay(&self, position: u64) -> OverlayEntry<'_> {
        match self.slots.get(position) {
            None => OverlayEntry::Host,
            Some(DirectorySlot::Gone) => OverlayEntry::Gone,
            Some(DirectorySlot::Entry(entry)) => OverlayEntry::Entry(entry),
        }
    }

    /// The entries that the host does not have, from a position on.
    pub(crate) fn added_from(&self, position: u64) -> impl Iterator<Item = (u64, &DirectoryEntry)> {
        let slots = self.slots.range(position.max(FIRST_ADDED)..=u64::MAX);
        slots.filter_map(|(position, slot)| match slot {
            DirectorySlot::Entry(entry) => Some((position, entry)),
            DirectorySlot::Gone => None,
        })
    }

    /// All entries of the overlay, with their positions.
    pub(crate) fn private_entries(&self) -> impl Iterator<Item = (u64, &DirectoryEntry)> {
        self.slots.iter().filter_map(|(position, slot)| match slot {
            DirectorySlot::Entry(entry) => Some((position, entry)),
            DirectorySlot::Gone => None,
        })
    }

    /// The number of entries, if the host's listing has `listed`.
    pub(crate) fn len(&self, listed: u64) -> u64 {
        listed - self.gone + self.added
    }

    /// Adds an entry behind all others. The name must be free.
    pub(crate) fn add(&mut self, name: Arc<[u8]>, inode: InodeId) {
        let position = self.next;
        self.next += 1;
        self.added += 1;
        self.index(&name, position);
        self.slots.insert(position, DirectorySlot::Entry(DirectoryEntry { name, inode }));
    }

    /// Gives the entry at a position another inode.
    pub(crate) fn replace(&mut self, position: u64, name: &Arc<[u8]>, inode: InodeId) {
        if !matches!(self.slots.get(position), Some(DirectorySlot::Entry(_))) {
            self.index(name, position);
        }
        self.slots
            .insert(position, DirectorySlot::Entry(DirectoryEntry { name: name.clone(), inode }));
    }

    /// Removes the entry at a position.
    pub(crate) fn remove(&mut self, position: u64) {
        let old = if position < FIRST_ADDED {
            self.gone += 1;
            self.slots.insert(position, DirectorySlot::Gone)
        } else {
            self.added -= 1;
            self.slots.remove(position)
        };
        if let Some(DirectorySlot::Entry(entry)) = old {
            self.unindex(&entry.name, position);
        }
    }

    fn index(&mut self, name: &[u8], position: u64) {
        let hash = hash_one(name);
        match self.names.get_mut(hash) {
            Some(positions) => positions.others.push(position),
            None => {
                self.names.insert(hash, NamePositions { first: position, others: List::new() });
            }
        }
    }

    fn unindex(&mut self, name: &[u8], position: u64) {
        let hash = hash_one(name);
        let Some(positions) = self.names.remove(hash) else { return };
        let all = std::iter::once(&positions.first).chain(&positions.others);
        let mut left = all.copied().filter(|other| *other != position);
        if let Some(first) = left.next() {
            self.names.insert(hash, NamePositions { first, others: left.collect() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_hash_stay_apart() {
        let mut dir = Directory::new(None);
        for (name, inode) in [("a", 1), ("b", 2), ("c", 3)] {
            dir.add(name.as_bytes().into(), InodeId(inode));
        }
        let hash = hash_one::<[u8]>(b"a");
        let all = NamePositions {
            first: FIRST_ADDED,
            others: [FIRST_ADDED + 2, FIRST_ADDED + 1].into_iter().collect(),
        };
        dir.names.insert(hash, all);
        assert_eq!(dir.find(b"a"), Some((FIRST_ADDED, InodeId(1))));
        dir.unindex(b"a", FIRST_ADDED);
        assert_eq!(dir.find(b"a"), None);
        assert_eq!(dir.names.get(hash).map(|left| 1 + left.others.len()), Some(2));
    }
}
