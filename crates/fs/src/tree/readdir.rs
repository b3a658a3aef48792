//! Reading directories: in a fixed order, with places that one can return to.
//!
//! The order is `.`, `..`, the host's entries by name, then the others as they were made. A cookie
//! is the place before an entry. Entries never move, so a reader that goes on after entries were
//! added or removed misses none and sees none twice.

use std::sync::Arc;

use crate::content::byte::FileByte;
use crate::fs::{Fs, HostInodes};
use crate::ids::InodeId;
use crate::stat::InodeKind;
use crate::tree::dir::{FIRST_ADDED, FIRST_POSITION, OverlayEntry};
use crate::{FsError, Result};

/// An entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirEntry {
    /// Its name.
    pub name: Arc<[u8]>,
    /// The inode.
    pub inode: InodeId,
    /// Its kind.
    pub kind: InodeKind,
    /// The position at which reading goes on behind it (`d_off`).
    pub next: u64,
}

impl<B: FileByte> Fs<B> {
    /// At most `limit` entries from a cookie on; 0 is the beginning. None means the end. A directory
    /// that was removed has no entries at all.
    pub fn read_dir(&mut self, dir: InodeId, cookie: u64, limit: usize) -> Result<Vec<DirEntry>> {
        let range = self.enter(dir)?;
        let mut entries = Vec::new();
        if self.meta(dir)?.nlink == 0 {
            return Ok(entries);
        }
        for (position, name, inode) in [(0, &b"."[..], dir), (1, b"..", self.parent_of(dir)?)] {
            if cookie <= position && entries.len() < limit {
                let (name, kind) = (name.into(), InodeKind::Directory);
                entries.push(DirEntry { name, inode, kind, next: position + 1 });
            }
        }
        if let Some(range) = &range {
            self.read_host_entries(dir, range, cookie, limit, &mut entries)?;
        }
        if let Some(private) = self.private_dir(dir)? {
            for (position, entry) in private.added_from(cookie) {
                if entries.len() >= limit {
                    break;
                }
                let (name, inode, kind) =
                    (entry.name.clone(), entry.inode, self.kind(entry.inode)?);
                entries.push(DirEntry { name, inode, kind, next: position + 1 });
            }
        }
        Ok(entries)
    }

    fn read_host_entries(
        &self,
        dir: InodeId,
        range: &HostInodes,
        cookie: u64,
        limit: usize,
        entries: &mut Vec<DirEntry>,
    ) -> Result<()> {
        let private = self.private_dir(dir)?;
        let first = cookie.saturating_sub(FIRST_POSITION).min(FIRST_ADDED) as usize;
        for (index, listed) in range.listing.entries.iter().enumerate().skip(first) {
            if entries.len() >= limit {
                break;
            }
            let position = FIRST_POSITION + index as u64;
            let inode = match private.map_or(OverlayEntry::Host, |dir| dir.overlay(position)) {
                OverlayEntry::Host => InodeId(range.base + index as u32),
                OverlayEntry::Entry(entry) => entry.inode,
                OverlayEntry::Gone => continue,
            };
            let (name, kind) = (listed.name.clone(), self.kind(inode)?);
            entries.push(DirEntry { name, inode, kind, next: position + 1 });
        }
        Ok(())
    }

    /// All entries of a directory but `.` and `..`.
    pub fn entries(&mut self, dir: InodeId) -> Result<Vec<DirEntry>> {
        match self.meta(dir)?.kind {
            InodeKind::Directory => self.read_dir(dir, FIRST_POSITION, usize::MAX),
            _ => Err(FsError::NotADirectory),
        }
    }
}
