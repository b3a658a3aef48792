//! Durability: the parts of a file system that survive a crash.
//!
//! Syncing an inode remembers its record, which costs one reference: contents and entries are
//! persistent structures. An inode is synced if its record is the remembered one. The model is the
//! strict one of `fsync(2)`: a file that is synced is lost if the directory that names it is not.
//! The embedder prepares a file system and calls [`Fs::sync_all`] before the program starts.
//!
//! A crash leaves everything that is durable, and of the other changes those that a [`CrashSurvival`]
//! names. The caller decides which of them are possible: disks and file systems write in an order of
//! their own until they are told to sync.

use std::sync::Arc;

use everett_base::{RadixMap, Set};

use crate::content::FileContent;
use crate::content::byte::FileByte;
use crate::context::{Credentials, FsContext};
use crate::fs::Fs;
use crate::ids::InodeId;
use crate::inode::{Inode, InodeHome, InodeNode};
use crate::stat::{BLOCK_BYTES, InodeKind};
use crate::tree::dir::{Directory, FIRST_POSITION, OverlayEntry};
use crate::{FsError, Result};

/// The changes that survive a crash although they were not synced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrashSurvival {
    /// None of them.
    Nothing,
    /// All of them.
    Everything,
    /// Those of directories: a new file has its name and is empty.
    Names,
    /// Those of files: a new file is lost, as its name is.
    Contents,
}

/// The durable part of a file system, at some time.
#[derive(Clone)]
pub struct DurableFiles<B>(RadixMap<Arc<Inode<B>>>);

everett_base::portable!([B: everett_base::part::Portable + 'static] struct DurableFiles<B>(value));

impl<B: FileByte> DurableFiles<B> {
    /// Returns `true` if both are certainly the same.
    pub fn is_same(&self, other: &DurableFiles<B>) -> bool {
        self.0.ptr_eq(&other.0)
    }
}

impl<B> std::fmt::Debug for DurableFiles<B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Durable").finish_non_exhaustive()
    }
}

impl<B: FileByte> Fs<B> {
    /// Makes an inode durable: contents or entries, and metadata (`fsync`).
    pub fn sync(&mut self, inode: InodeId) -> Result<()> {
        self.meta(inode)?;
        let key = u64::from(inode.0);
        if let Some(record) = self.inodes.get(key)
            && !self.is_synced(inode)
        {
            self.durable.insert(key, record.clone());
        }
        Ok(())
    }

    /// Makes the contents of an inode durable, but not its permissions, owner and times
    /// (`fdatasync`), if it has durable ones.
    pub fn sync_data(&mut self, inode: InodeId) -> Result<()> {
        let key = u64::from(inode.0);
        let (Some(record), Some(durable)) = (self.inodes.get(key), self.durable.get(key)) else {
            return self.sync(inode);
        };
        if !Arc::ptr_eq(record, durable) {
            let mut kept = Inode::clone(record);
            (kept.meta.mode, kept.meta.uid, kept.meta.gid) =
                (durable.meta.mode, durable.meta.uid, durable.meta.gid);
            (kept.meta.atime, kept.meta.mtime, kept.meta.ctime) =
                (durable.meta.atime, durable.meta.mtime, durable.meta.ctime);
            self.durable.insert(key, Arc::new(kept));
        }
        Ok(())
    }

    /// Makes everything durable (`sync`).
    pub fn sync_all(&mut self) {
        self.durable = self.inodes.clone();
    }

    /// Returns `true` if everything about an inode is durable. Files of the host are, until they are
    /// changed.
    pub fn is_synced(&self, inode: InodeId) -> bool {
        let key = u64::from(inode.0);
        match (self.inodes.get(key), self.durable.get(key)) {
            (Some(record), Some(durable)) => Arc::ptr_eq(record, durable),
            (Some(_), None) => false,
            (None, _) => true,
        }
    }

    /// Returns the durable part as it is now, to be compared later; costs one reference.
    pub fn durable(&self) -> DurableFiles<B> {
        DurableFiles(self.durable.clone())
    }

    /// Returns `true` if no inode has changed since an earlier version.
    pub fn is_unchanged_since(&self, before: &Fs<B>) -> bool {
        self.inodes.ptr_eq(&before.inodes)
    }

    /// Returns the file system that a machine finds after a crash at this moment. Of the changes that were
    /// not durable, `survival` says which survive.
    pub fn after_crash_with(&self, survival: CrashSurvival) -> Result<Fs<B>> {
        let mut fs = self.clone();
        let kept: fn(InodeKind) -> bool = match survival {
            CrashSurvival::Nothing => return self.after_crash(),
            CrashSurvival::Everything => |_| true,
            CrashSurvival::Names => |kind| kind != InodeKind::File,
            CrashSurvival::Contents => |kind| kind == InodeKind::File,
        };
        for (key, record) in self.inodes.iter().filter(|(_, record)| kept(record.meta.kind)) {
            fs.durable.insert(key, record.clone());
        }
        fs.after_crash()
    }

    /// This version without those changes since `before`, an earlier version, that are not durable.
    pub fn without_changes_since(&self, before: &Fs<B>) -> Fs<B> {
        let mut fs = self.clone();
        for (key, _) in self.inodes.iter() {
            if self.is_synced(InodeId(key as u32)) {
                continue;
            }
            match before.inodes.get(key) {
                Some(record) => fs.inodes.insert(key, record.clone()),
                None => fs.inodes.remove(key),
            };
        }
        for (key, record) in before.inodes.iter() {
            if !self.inodes.contains_key(key) {
                fs.inodes.insert(key, record.clone());
            }
        }
        fs
    }

    /// The same as [`without_changes_since`](Fs::without_changes_since), but the first `len` bytes that
    /// were written at an offset of a file since then are kept: a write that the crash has torn.
    pub fn with_torn_write(
        &self,
        before: &Fs<B>,
        inode: InodeId,
        offset: u64,
        len: usize,
    ) -> Result<Fs<B>> {
        let bytes = self.read(inode, offset, len)?;
        let mut fs = self.without_changes_since(before);
        let cred = Credentials::root();
        let now = self.meta(inode)?.mtime;
        let ctx = FsContext { now, ..FsContext::new(fs.root(), &cred) };
        if !self.is_synced(inode) {
            fs.write(&ctx, inode, offset, &bytes)?;
        }
        Ok(fs)
    }

    /// Returns the file system that a machine finds after a crash at this moment, with only what was
    /// durable. Nothing is held.
    ///
    /// Where a directory was synced and a new file in it was not, the name leads to an empty file. An
    /// entry whose inode is gone is dropped, and so is the second name of a directory that was moved. The
    /// cost grows with the number of inodes that were ever changed.
    pub fn after_crash(&self) -> Result<Fs<B>> {
        let mut fs = self.clone();
        fs.inodes = RadixMap::new();
        fs.holds = RadixMap::new();
        let (mut reached, mut dirs) = (Set::default(), vec![self.root()]);
        // Files of the host are found by the host's listing, whether or not their directory has a record.
        for (key, record) in self.durable.iter() {
            let inode = InodeId(key as u32);
            if self.is_named_by_host(inode)? {
                reached.insert(inode);
                let mut record = Inode::clone(record);
                if record.meta.kind != InodeKind::Directory {
                    record.meta.nlink = 1;
                } else {
                    dirs.push(inode);
                }
                fs.inodes.insert(key, Arc::new(record));
            }
        }
        if let Some(root) = self.durable.get(u64::from(self.root().0)) {
            fs.inodes.insert(u64::from(self.root().0), root.clone());
        }
        while let Some(dir) = dirs.pop() {
            fs.recover_entries(self, dir, &mut reached, &mut dirs)?;
        }
        fs.used_blocks = fs.inodes.iter().map(|(_, record)| stored_blocks(record)).sum();
        fs.durable = fs.inodes.clone();
        Ok(fs)
    }

    /// Returns whether the durable tree has an inode where the host's listing has it.
    fn is_named_by_host(&self, inode: InodeId) -> Result<bool> {
        let Some((range, index)) = self.range_of(inode) else { return Ok(false) };
        let Some(dir) = self.durable.get(u64::from(range.dir.0)) else { return Ok(true) };
        let InodeNode::Dir(dir) = &dir.node else { return Err(FsError::NotADirectory) };
        let position = FIRST_POSITION + u64::from(index);
        Ok(matches!(dir.overlay(position), OverlayEntry::Host))
    }

    /// Recovers the inodes that the entries of a directory name, and drops entries that name nothing.
    /// Directories that are reached for the first time are added to `dirs`.
    fn recover_entries(
        &mut self,
        before: &Fs<B>,
        dir: InodeId,
        reached: &mut Set<InodeId>,
        dirs: &mut Vec<InodeId>,
    ) -> Result<()> {
        let Some(record) = self.inodes.get(u64::from(dir.0)) else { return Ok(()) };
        let InodeNode::Dir(entries) = &record.node else { return Err(FsError::NotADirectory) };
        let entries: Vec<_> =
            entries.private_entries().map(|(at, entry)| (at, entry.clone())).collect();
        for (position, entry) in entries {
            let home = InodeHome { dir, name: entry.name };
            let is_new = reached.insert(entry.inode);
            let recovered = if is_new { before.recover(entry.inode)? } else { None };
            match recovered {
                Some(mut record) => {
                    if record.meta.kind == InodeKind::Directory {
                        dirs.push(entry.inode);
                    } else {
                        record.meta.nlink = 1 + u32::from(before.is_named_by_host(entry.inode)?);
                    }
                    record.home = Some(home);
                    self.inodes.insert(u64::from(entry.inode.0), Arc::new(record));
                }
                None if !is_new && !self.is_dir(entry.inode)? => {
                    self.record_mut(entry.inode)?.meta.nlink += 1;
                }
                // The inode was never durable and is gone, or it is a directory that has another name
                // already: it was moved, and only one of the two directories was synced since.
                None => {
                    let record = self.record_mut(dir)?;
                    record.dir_mut().ok_or(FsError::NotADirectory)?.remove(position);
                    if !is_new {
                        record.meta.nlink -= 1;
                    }
                }
            }
        }
        Ok(())
    }

    /// The record that an inode has after a crash: the durable one, the host's, or an empty one.
    fn recover(&self, inode: InodeId) -> Result<Option<Inode<B>>> {
        let key = u64::from(inode.0);
        if let Some(record) = self.durable.get(key) {
            return Ok(Some(Inode::clone(record)));
        }
        if self.range_of(inode).is_some() {
            return self.copy_of_host(inode).map(Some);
        }
        let Some(record) = self.inodes.get(key) else { return Ok(None) };
        let mut record = Inode::clone(record);
        match &mut record.node {
            InodeNode::File(content) => {
                *content = FileContent::empty();
                record.meta.size = 0;
            }
            InodeNode::Dir(entries) => {
                *entries = Directory::new(entries.host);
                (record.meta.nlink, record.meta.size) = (2, BLOCK_BYTES);
            }
            InodeNode::Symlink(_) | InodeNode::MagicLink | InodeNode::Special => {}
        }
        Ok(Some(record))
    }
}

fn stored_blocks<B: FileByte>(record: &Inode<B>) -> u64 {
    match &record.node {
        InodeNode::File(content) => content.stored(),
        _ => 0,
    }
}
