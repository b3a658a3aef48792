//! From inodes back to paths, and the names that exist.

use std::sync::Arc;

use crate::content::byte::FileByte;
use crate::fs::{Fs, InodeView};
use crate::ids::InodeId;
use crate::inode::{InodeHome, InodeNode};
use crate::stat::InodeKind;
use crate::tree::dir::{FIRST_POSITION, OverlayEntry};
use crate::{FsError, Result};

/// The limits up to which [`Fs::paths`] looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathLimits {
    /// The most components of a path.
    pub depth: usize,
    /// The most paths.
    pub count: usize,
    /// The most directories of the host that are listed on the way down: 0 shows mounts but nothing
    /// below them.
    pub host_depth: usize,
}

/// A name that exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathEntry {
    /// The absolute path.
    pub path: Vec<u8>,
    /// The kind of node that it leads to.
    pub kind: InodeKind,
}

impl<B: FileByte> Fs<B> {
    /// The absolute path of a directory as a process sees it whose root is `root` (`getcwd`). `ENOENT`
    /// if the directory was removed; the path begins with `(unreachable)` if it is outside `root`.
    pub fn path_of(&self, dir: InodeId, root: InodeId) -> Result<Vec<u8>> {
        if self.meta(dir)?.nlink == 0 {
            return Err(FsError::NotFound);
        }
        self.path_below(dir, root)
    }

    /// An absolute path of any inode, for reports: one of its names, if it has any.
    pub fn name_of(&self, inode: InodeId) -> Result<Vec<u8>> {
        if self.meta(inode)?.nlink == 0 {
            return Err(FsError::NotFound);
        }
        if inode == self.root() || self.home(inode)?.is_some() {
            return self.path_below(inode, self.root());
        }
        let InodeHome { dir, name } = self.find_name(inode).ok_or(FsError::NotFound)?;
        let mut path = self.path_below(dir, self.root())?;
        push(&mut path, &name);
        Ok(path)
    }

    /// The absolute names that exist, nearer ones first and each directory in its order. Directories
    /// of the host are not listed deeper than `limits` allow.
    pub fn paths(&self, limits: PathLimits) -> Result<Vec<PathEntry>> {
        let PathLimits { depth, count, host_depth } = limits;
        // Looking gives the host's entries numbers, which this version must not notice.
        let mut fs = self.clone();
        let mut found: Vec<PathEntry> = Vec::new();
        let mut level: Vec<(InodeId, Vec<u8>, usize)> = vec![(fs.root(), b"/".to_vec(), 0)];
        for _ in 0..depth {
            let mut deeper = Vec::new();
            for (dir, path, listed) in level {
                let of_host = fs.is_of_host(dir)?;
                if of_host && listed >= host_depth {
                    continue;
                }
                let room = count - found.len();
                for entry in fs.read_dir(dir, FIRST_POSITION, room)? {
                    let mut path = path.clone();
                    push(&mut path, &entry.name);
                    if entry.kind == InodeKind::Directory {
                        deeper.push((entry.inode, path.clone(), listed + usize::from(of_host)));
                    }
                    found.push(PathEntry { path, kind: entry.kind });
                }
            }
            level = deeper;
        }
        Ok(found)
    }

    fn path_below(&self, inode: InodeId, root: InodeId) -> Result<Vec<u8>> {
        let mut names: Vec<Arc<[u8]>> = Vec::new();
        let mut at = inode;
        let mut path = Vec::new();
        while at != root {
            let Some(home) = self.home(at)? else {
                if at != self.root() {
                    return Err(FsError::NotFound);
                }
                path.extend_from_slice(b"(unreachable)");
                break;
            };
            names.push(home.name);
            at = home.dir;
        }
        if names.is_empty() {
            path.push(b'/');
        }
        for name in names.iter().rev() {
            path.push(b'/');
            path.extend_from_slice(name);
        }
        Ok(path)
    }

    /// A name of an inode that lost the one it was known by: in a private directory, or the one that
    /// the host gave it.
    fn find_name(&self, inode: InodeId) -> Option<InodeHome> {
        if let Some((range, index)) = self.range_of(inode) {
            let home = InodeHome {
                dir: range.dir,
                name: range.listing.entries[index as usize].name.clone(),
            };
            let position = FIRST_POSITION + u64::from(index);
            let dir = self.private_dir(home.dir).ok()?;
            if dir.is_none_or(|dir| matches!(dir.overlay(position), OverlayEntry::Host)) {
                return Some(home);
            }
        }
        self.inodes.iter().find_map(|(key, record)| {
            let InodeNode::Dir(dir) = &record.node else { return None };
            let entry =
                dir.private_entries().map(|(_, entry)| entry).find(|entry| entry.inode == inode)?;
            Some(InodeHome { dir: InodeId(key as u32), name: entry.name.clone() })
        })
    }

    /// Returns true if a directory shows one of the host, so that listing it asks the host.
    pub fn is_of_host(&self, dir: InodeId) -> Result<bool> {
        Ok(match self.view(dir)? {
            InodeView::Private(record) => match &record.node {
                InodeNode::Dir(entries) => entries.host.is_some(),
                _ => false,
            },
            InodeView::Host { .. } => true,
        })
    }
}

/// Adds a component to a path.
pub(crate) fn push(path: &mut Vec<u8>, name: &[u8]) {
    if path.last() != Some(&b'/') {
        path.push(b'/');
    }
    path.extend_from_slice(name);
}
