//! [`Fs`]: the table of inodes, and how a record of it is found, made, changed and freed.
//!
//! An inode is *private* if the state has a record of it. The others are files of the host: the
//! entries of a host directory get a range of numbers when the directory is first looked into, and
//! nothing else is kept of them until they are changed. So looking at a directory of ten thousand
//! files costs a state one range.

use everett_base::{Apart, Copies, shares_nothing};
use std::sync::Arc;

use everett_base::RadixMap;

use crate::content::FileContent;
use crate::content::byte::FileByte;
use crate::host::{HostFiles, HostListing};
use crate::ids::{HostFileId, InodeId};
use crate::inode::{Inode, InodeHome, InodeMeta, InodeNode};
use crate::stat::{BLOCK_BYTES, DeviceNumber, InodeKind, NAME_MAX, Stat, StatFs};
use crate::tree::dir::Directory;
use crate::{FsError, Result};

/// The number of the root, as in ext4.
const ROOT: InodeId = InodeId(2);

/// Numbers below this one belong to the file system itself.
const FIRST_FREE: u32 = 11;

/// The space that `statfs` shows if there is no quota.
const SPACE_BYTES: u64 = 64 << 30;

/// The inodes that `statfs` shows.
const INODES: u64 = u32::MAX as u64;

/// The settings `fs.protected_*` of Linux, which protect users from each other's files; by default as
/// distributions set them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FsProtection {
    /// A hard link to a file of another user is refused, unless the caller can write to the file.
    pub hardlinks: bool,
    /// A symbolic link of another user in a sticky directory that all can write to is not followed at
    /// the end of a path.
    pub symlinks: bool,
    /// A pipe of another user is not opened with `O_CREAT` in a sticky directory that all can write to
    /// (1) or that a group can write to (2).
    pub fifos: u8,
    /// The same for regular files.
    pub regular: u8,
}

everett_base::portable!(struct FsProtection { hardlinks, symlinks, fifos, regular });

impl Default for FsProtection {
    fn default() -> Self {
        FsProtection { hardlinks: true, symlinks: true, fifos: 1, regular: 2 }
    }
}

/// The settings that a file system starts with.
#[derive(Clone, Default)]
pub struct FsOptions {
    /// The host's files; give all file systems of a run the same.
    pub host: HostFiles,
    /// The most bytes that contents may take, in whole blocks; no limit if absent.
    pub quota_bytes: Option<u64>,
    /// The time that the root is stamped with.
    pub now: i64,
    /// The protection of users from each other's files.
    pub protection: FsProtection,
}

/// A version of a file system. See the [crate documentation](crate).
#[derive(Clone)]
pub struct Fs<B> {
    pub(crate) host: HostFiles,
    /// The private inodes.
    pub(crate) inodes: RadixMap<Arc<Inode<B>>>,
    /// Private inodes as they were when last synced.
    pub(crate) durable: RadixMap<Arc<Inode<B>>>,
    /// The inode numbers of the entries of host directories: a range for each directory, by its first
    /// number.
    ranges: RadixMap<HostInodes>,
    /// The first inode of the range of a directory, by the directory.
    entered: RadixMap<u32>,
    /// The number of times that an inode is held, if it is.
    pub(crate) holds: RadixMap<u32>,
    next: u32,
    pub(crate) used_blocks: u64,
    quota_blocks: Option<u64>,
    read_only: bool,
    pub(crate) protection: FsProtection,
}

everett_base::portable!([B: everett_base::part::Portable + 'static] struct Fs<B> {
    host, inodes, durable, ranges, entered, holds, next, used_blocks, quota_blocks, read_only,
    protection,
});

impl<B: Clone + 'static> Apart for Fs<B> {
    fn apart(&mut self, copies: &mut Copies) {
        let Fs {
            host,
            inodes,
            durable,
            ranges,
            entered,
            holds,
            next: _,
            used_blocks: _,
            quota_blocks: _,
            read_only: _,
            protection: _,
        } = self;
        host.apart(copies);
        inodes.apart(copies);
        durable.apart(copies);
        ranges.apart(copies);
        entered.apart(copies);
        holds.apart(copies);
    }
}

shares_nothing!(HostInodes);

/// The inodes of the entries of a host directory.
#[derive(Clone)]
pub(crate) struct HostInodes {
    pub(crate) dir: InodeId,
    pub(crate) base: u32,
    pub(crate) listing: Arc<HostListing>,
}

everett_base::portable!(struct HostInodes { dir, base, listing });

/// An inode, as it is kept.
pub(crate) enum InodeView<'a, B> {
    Private(&'a Arc<Inode<B>>),
    Host { file: HostFileId, range: &'a HostInodes, index: u32 },
}

impl<B: FileByte> Fs<B> {
    /// A file system with an empty root directory that user 0 owns.
    pub fn new(options: FsOptions) -> Fs<B> {
        let FsOptions { host, quota_bytes, now, protection } = options;
        let mut fs = Fs {
            host,
            inodes: RadixMap::new(),
            durable: RadixMap::new(),
            ranges: RadixMap::new(),
            entered: RadixMap::new(),
            holds: RadixMap::new(),
            next: FIRST_FREE,
            used_blocks: 0,
            quota_blocks: quota_bytes.map(|bytes| bytes / BLOCK_BYTES),
            read_only: false,
            protection,
        };
        let meta = InodeMeta {
            kind: InodeKind::Directory,
            mode: 0o755,
            nlink: 2,
            uid: 0,
            gid: 0,
            device: DeviceNumber::default(),
            size: BLOCK_BYTES,
            atime: now,
            mtime: now,
            ctime: now,
            tag: 0,
            read_only: false,
        };
        let root = Inode { meta, home: None, node: InodeNode::Dir(Directory::new(None)) };
        fs.inodes.insert(u64::from(ROOT.0), Arc::new(root));
        fs.sync_all();
        fs
    }

    /// The root directory.
    pub const fn root(&self) -> InodeId {
        ROOT
    }

    /// The host's files that mounts of this file system show.
    pub fn host_files(&self) -> &HostFiles {
        &self.host
    }

    /// Refuses every change with `EROFS`, or no longer.
    pub fn set_read_only(&mut self, read_only: bool) {
        self.read_only = read_only;
    }

    /// Limits the space that contents may take from now on.
    pub fn set_quota(&mut self, quota_bytes: Option<u64>) {
        self.quota_blocks = quota_bytes.map(|bytes| bytes / BLOCK_BYTES);
    }

    /// Everything about an inode.
    pub fn stat(&self, inode: InodeId) -> Result<Stat> {
        let meta = self.meta(inode)?;
        let allocated = match self.view(inode)? {
            InodeView::Private(record) => match &record.node {
                InodeNode::File(content) => content.allocated(),
                _ => meta.size.div_ceil(BLOCK_BYTES),
            },
            InodeView::Host { .. } => meta.size.div_ceil(BLOCK_BYTES),
        };
        let is_stored = matches!(meta.kind, InodeKind::File | InodeKind::Directory);
        let InodeMeta { kind, mode, nlink, uid, gid, device, size, .. } = meta;
        let InodeMeta { atime, mtime, ctime, tag, .. } = meta;
        let blocks = if is_stored { allocated * (BLOCK_BYTES / 512) } else { 0 };
        Ok(Stat {
            inode,
            kind,
            mode,
            nlink,
            uid,
            gid,
            device,
            size,
            blocks,
            atime,
            mtime,
            ctime,
            tag,
        })
    }

    /// The numbers of the whole file system.
    pub fn statfs(&self) -> StatFs {
        let blocks = self.quota_blocks.unwrap_or(SPACE_BYTES / BLOCK_BYTES);
        StatFs {
            block_bytes: BLOCK_BYTES,
            blocks,
            blocks_free: blocks.saturating_sub(self.used_blocks),
            files: INODES,
            files_free: INODES - u64::from(self.next),
            name_max: NAME_MAX as u64,
        }
    }

    /// Marks an inode for the embedder; see [`Stat::tag`].
    pub fn set_tag(&mut self, inode: InodeId, tag: u32) -> Result<()> {
        self.record_mut(inode)?.meta.tag = tag;
        Ok(())
    }

    /// Holds an inode, as an open descriptor or a working directory does: it lives on when its last
    /// name is removed.
    pub fn hold(&mut self, inode: InodeId) {
        let key = u64::from(inode.0);
        match self.holds.get_mut(key) {
            Some(count) => *count += 1,
            None => {
                self.holds.insert(key, 1);
            }
        }
    }

    /// Ends one [`hold`](Fs::hold); the last one frees an inode that has no name.
    pub fn release(&mut self, inode: InodeId) {
        let key = u64::from(inode.0);
        match self.holds.get_mut(key) {
            Some(count) if *count > 1 => *count -= 1,
            Some(_) => {
                self.holds.remove(key);
                self.free_if_unused(inode);
            }
            None => debug_assert!(false, "{inode} is released but not held"),
        }
    }

    /// Returns the number of times that an inode is held.
    pub fn hold_count(&self, inode: InodeId) -> u32 {
        self.holds.get(u64::from(inode.0)).copied().unwrap_or(0)
    }

    /// The inode as it is kept.
    pub(crate) fn view(&self, inode: InodeId) -> Result<InodeView<'_, B>> {
        if let Some(record) = self.inodes.get(u64::from(inode.0)) {
            return Ok(InodeView::Private(record));
        }
        let (range, index) = self.range_of(inode).ok_or(FsError::Stale)?;
        Ok(InodeView::Host { file: HostFileId(range.listing.first.0 + index), range, index })
    }

    /// The entry of a host's listing that an inode is, or once was.
    pub(crate) fn range_of(&self, inode: InodeId) -> Option<(&HostInodes, u32)> {
        let (_, range) = self.ranges.last_at_or_before(u64::from(inode.0))?;
        let index = inode.0 - range.base;
        ((index as usize) < range.listing.entries.len()).then_some((range, index))
    }

    pub(crate) fn meta(&self, inode: InodeId) -> Result<InodeMeta> {
        match self.view(inode)? {
            InodeView::Private(record) => Ok(record.meta),
            InodeView::Host { file, .. } => {
                self.host.meta(file).map(|meta| InodeMeta::of_host(&meta))
            }
        }
    }

    /// The kind of an inode, without asking the host for more than a listing tells.
    pub(crate) fn kind(&self, inode: InodeId) -> Result<InodeKind> {
        Ok(match self.view(inode)? {
            InodeView::Private(record) => record.meta.kind,
            InodeView::Host { range, index, .. } => range.listing.entries[index as usize].kind,
        })
    }

    pub(crate) fn is_dir(&self, inode: InodeId) -> Result<bool> {
        Ok(self.kind(inode)? == InodeKind::Directory)
    }

    /// One of the names of an inode; none for the root and for what has lost its names.
    pub(crate) fn home(&self, inode: InodeId) -> Result<Option<InodeHome>> {
        Ok(match self.view(inode)? {
            InodeView::Private(record) => record.home.clone(),
            InodeView::Host { range, index, .. } => {
                let name = range.listing.entries[index as usize].name.clone();
                Some(InodeHome { dir: range.dir, name })
            }
        })
    }

    /// The directory that `..` of a directory is.
    pub(crate) fn parent_of(&self, dir: InodeId) -> Result<InodeId> {
        Ok(match self.view(dir)? {
            InodeView::Private(record) => record.home.as_ref().map_or(dir, |home| home.dir),
            InodeView::Host { range, .. } => range.dir,
        })
    }

    /// The record of a directory, if it is private; an error if it is no directory.
    pub(crate) fn private_dir(&self, dir: InodeId) -> Result<Option<&Directory>> {
        match self.view(dir)? {
            InodeView::Private(record) => match &record.node {
                InodeNode::Dir(entries) => Ok(Some(entries)),
                _ => Err(FsError::NotADirectory),
            },
            InodeView::Host { .. } if self.is_dir(dir)? => Ok(None),
            InodeView::Host { .. } => Err(FsError::NotADirectory),
        }
    }

    /// The inodes of the host's entries in a directory, if the host has it; they get their numbers
    /// when this is first asked.
    pub(crate) fn enter(&mut self, dir: InodeId) -> Result<Option<HostInodes>> {
        let below = match self.view(dir)? {
            InodeView::Private(record) => match &record.node {
                InodeNode::Dir(entries) => entries.host,
                _ => return Err(FsError::NotADirectory),
            },
            InodeView::Host { .. } if !self.is_dir(dir)? => return Err(FsError::NotADirectory),
            InodeView::Host { file, .. } => Some(file),
        };
        let Some(file) = below else { return Ok(None) };
        if let Some(base) = self.entered.get(u64::from(dir.0)) {
            return Ok(self.ranges.get(u64::from(*base)).cloned());
        }
        let listing = self.host.list(file)?;
        let count = u32::try_from(listing.entries.len()).map_err(|_| FsError::NoSpace)?;
        // An empty directory takes a number too, so that no other range begins at its base.
        let base = self.allocate(count.max(1))?;
        let range = HostInodes { dir, base, listing };
        self.ranges.insert(u64::from(base), range.clone());
        self.entered.insert(u64::from(dir.0), base);
        Ok(Some(range))
    }

    /// The private record of an inode, to change it; a file of the host gets one.
    pub(crate) fn record_mut(&mut self, inode: InodeId) -> Result<&mut Inode<B>> {
        let key = u64::from(inode.0);
        if !self.inodes.contains_key(key) {
            let record = self.copy_of_host(inode)?;
            self.inodes.insert(key, Arc::new(record));
        }
        Ok(Arc::make_mut(self.inodes.get_mut(key).expect("the record was found or made")))
    }

    /// The record of an entry of a host's listing, as if nothing had happened to it.
    pub(crate) fn copy_of_host(&self, inode: InodeId) -> Result<Inode<B>> {
        let (range, index) = self.range_of(inode).ok_or(FsError::Stale)?;
        let file = HostFileId(range.listing.first.0 + index);
        let meta = InodeMeta::of_host(&self.host.meta(file)?);
        let name = range.listing.entries[index as usize].name.clone();
        let home = Some(InodeHome { dir: range.dir, name });
        Ok(Inode { meta, home, node: self.node_of_host(file, &meta)? })
    }

    pub(crate) fn node_of_host(&self, file: HostFileId, meta: &InodeMeta) -> Result<InodeNode<B>> {
        Ok(match meta.kind {
            InodeKind::File => InodeNode::File(FileContent::of_host(file, meta.size)),
            InodeKind::Directory => InodeNode::Dir(Directory::new(Some(file))),
            InodeKind::Symlink => InodeNode::Symlink(self.host.target(file)?),
            InodeKind::Fifo
            | InodeKind::Socket
            | InodeKind::CharDevice
            | InodeKind::BlockDevice => InodeNode::Special,
        })
    }

    /// Adds an inode without a name.
    pub(crate) fn add_inode(&mut self, record: Inode<B>) -> Result<InodeId> {
        let inode = InodeId(self.allocate(1)?);
        self.inodes.insert(u64::from(inode.0), Arc::new(record));
        Ok(inode)
    }

    fn allocate(&mut self, count: u32) -> Result<u32> {
        let first = self.next;
        self.next = first.checked_add(count).ok_or(FsError::NoSpace)?;
        Ok(first)
    }

    /// Frees an inode that has no name and is not held.
    pub(crate) fn free_if_unused(&mut self, inode: InodeId) {
        let key = u64::from(inode.0);
        let Some(record) = self.inodes.get(key) else { return };
        if record.meta.nlink > 0 || self.holds.contains_key(key) {
            return;
        }
        if let InodeNode::File(content) = &record.node {
            self.used_blocks -= content.stored();
        }
        self.inodes.remove(key);
    }

    /// Fails with `EROFS` if an inode must not change.
    pub(crate) fn check_writable(&self, inode: InodeId) -> Result<()> {
        if self.read_only || self.meta(inode)?.read_only {
            return Err(FsError::ReadOnly);
        }
        Ok(())
    }

    /// Blocks that may still be used.
    pub(crate) fn blocks_left(&self) -> u64 {
        self.quota_blocks.map_or(u64::MAX, |quota| quota.saturating_sub(self.used_blocks))
    }

    pub(crate) fn blocks_added(&mut self, count: u64) {
        self.used_blocks += count;
    }

    pub(crate) fn blocks_freed(&mut self, count: u64) {
        self.used_blocks -= count;
    }
}
