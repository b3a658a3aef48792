//! Making inodes and giving them their first name: `open`, `mkdir`, `mknod`, `symlink`.

use std::sync::Arc;

use crate::content::FileContent;
use crate::content::byte::FileByte;
use crate::context::FsContext;
use crate::fs::Fs;
use crate::ids::InodeId;
use crate::inode::{Inode, InodeHome, InodeMeta, InodeNode};
use crate::permission::AccessMode;
use crate::stat::{BLOCK_BYTES, DeviceNumber, InodeKind, NAME_MAX, PATH_MAX, S_ISGID, S_IXGRP};
use crate::tree::dir::Directory;
use crate::tree::path::{
    FollowLinks, FollowedLinks, LastComponent, LinkStep, PathParent, check_path,
};
use crate::{FsError, Result};

/// The flags of `open(2)` that concern the file system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenHow {
    /// To read from it (`O_RDONLY`, `O_RDWR`).
    pub read: bool,
    /// To write to it (`O_WRONLY`, `O_RDWR`).
    pub write: bool,
    /// Make a regular file if there is none (`O_CREAT`).
    pub create: bool,
    /// Fail if there is one (`O_EXCL`; means nothing without `create`).
    pub exclusive: bool,
    /// Make it empty (`O_TRUNC`).
    pub truncate: bool,
    /// Fail unless it is a directory (`O_DIRECTORY`).
    pub directory: bool,
    /// Fail if it is a symbolic link (`O_NOFOLLOW`).
    pub no_follow: bool,
    /// Only name it: no permission on the file is needed, and links can be opened (`O_PATH`).
    pub path_only: bool,
    /// Do not note the access (`O_NOATIME`); for owners.
    pub no_atime: bool,
    /// Permissions of a new file, before the umask.
    pub mode: u32,
}

/// The file that `open` found or made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenedFile {
    /// The inode; not yet held ([`Fs::hold`]).
    pub inode: InodeId,
    /// Its kind.
    pub kind: InodeKind,
    /// True if it was made.
    pub created: bool,
}

impl<B: FileByte> Fs<B> {
    /// Finds or makes what a path names and checks that it may be opened so. The descriptor is the
    /// caller's business, as are pipes and devices; a socket is refused with `ENXIO`.
    pub fn open(&mut self, ctx: &FsContext<'_>, path: &[u8], how: &OpenHow) -> Result<OpenedFile> {
        if how.create && how.directory && !how.path_only {
            return Err(FsError::Invalid);
        }
        let (inode, created) = if how.create && !how.path_only {
            self.find_or_create(ctx, path, how)?
        } else {
            let follow = if how.no_follow { FollowLinks::No } else { FollowLinks::Yes };
            (self.resolve(ctx, path, follow)?, false)
        };
        let kind = self.kind(inode)?;
        if how.directory && kind != InodeKind::Directory {
            return Err(FsError::NotADirectory);
        }
        if !created && !how.path_only {
            self.may_open(ctx, inode, how)?;
            if how.truncate && kind == InodeKind::File {
                self.truncate(ctx, inode, 0)?;
            }
        }
        Ok(OpenedFile { inode, kind, created })
    }

    /// Makes a directory.
    pub fn mkdir(&mut self, ctx: &FsContext<'_>, path: &[u8], mode: u32) -> Result<InodeId> {
        let (dir, name) = self.place_for(ctx, path, true)?;
        self.may_create(ctx, dir)?;
        let mode = mode & 0o1777 & !ctx.umask;
        let parent = self.meta(dir)?;
        let mut record = self.record(
            ctx,
            dir,
            mode,
            InodeKind::Directory,
            InodeNode::Dir(Directory::new(None)),
        )?;
        record.meta.nlink = 2;
        record.meta.size = BLOCK_BYTES;
        record.meta.mode |= parent.mode & S_ISGID;
        let inode = self.add_named(ctx, dir, name, record)?;
        self.change_nlink(dir, 1)?;
        Ok(inode)
    }

    /// Makes a regular file, pipe, socket or device. Directories and links have calls of their own,
    /// and devices are for user 0 (`EPERM`).
    pub fn mknod(
        &mut self,
        ctx: &FsContext<'_>,
        path: &[u8],
        kind: InodeKind,
        mode: u32,
        device: DeviceNumber,
    ) -> Result<InodeId> {
        if kind == InodeKind::Directory {
            return Err(FsError::NotPermitted);
        }
        let is_device = matches!(kind, InodeKind::CharDevice | InodeKind::BlockDevice);
        let node = match kind {
            InodeKind::File => InodeNode::File(FileContent::empty()),
            InodeKind::Symlink | InodeKind::Directory => return Err(FsError::Invalid),
            InodeKind::Fifo
            | InodeKind::Socket
            | InodeKind::CharDevice
            | InodeKind::BlockDevice => InodeNode::Special,
        };
        let (dir, name) = self.place_for(ctx, path, false)?;
        self.may_create(ctx, dir)?;
        if is_device && !ctx.cred.is_root() {
            return Err(FsError::NotPermitted);
        }
        let mut record = self.record(ctx, dir, mode & 0o7777 & !ctx.umask, kind, node)?;
        if is_device {
            record.meta.device = device;
        }
        self.add_named(ctx, dir, name, record)
    }

    /// Makes a symbolic link.
    pub fn symlink(&mut self, ctx: &FsContext<'_>, target: &[u8], path: &[u8]) -> Result<InodeId> {
        if target.is_empty() {
            return Err(FsError::NotFound);
        }
        if target.len() >= PATH_MAX {
            return Err(FsError::NameTooLong);
        }
        let (dir, name) = self.place_for(ctx, path, false)?;
        self.may_create(ctx, dir)?;
        let node = InodeNode::Symlink(target.into());
        let mut record = self.record(ctx, dir, 0o777, InodeKind::Symlink, node)?;
        record.meta.size = target.len() as u64;
        self.add_named(ctx, dir, name, record)
    }

    /// Makes a symbolic link whose target [`FsContext::magic`] tells, by this tag.
    pub fn magic_link(&mut self, ctx: &FsContext<'_>, path: &[u8], tag: u32) -> Result<InodeId> {
        let (dir, name) = self.place_for(ctx, path, false)?;
        self.may_create(ctx, dir)?;
        let mut record = self.record(ctx, dir, 0o777, InodeKind::Symlink, InodeNode::MagicLink)?;
        record.meta.tag = tag;
        self.add_named(ctx, dir, name, record)
    }

    /// Makes a regular file without a name in the file system of a directory (`O_TMPFILE`). It is
    /// held once already; [`Fs::link_inode`] may give it a name.
    pub fn create_unnamed(
        &mut self,
        ctx: &FsContext<'_>,
        dir: InodeId,
        mode: u32,
    ) -> Result<InodeId> {
        if !self.is_dir(dir)? {
            return Err(FsError::NotADirectory);
        }
        self.may_create(ctx, dir)?;
        let mode = mode & 0o7777 & !ctx.umask;
        let mut record =
            self.record(ctx, dir, mode, InodeKind::File, InodeNode::File(FileContent::empty()))?;
        record.meta.nlink = 0;
        let inode = self.add_inode(record)?;
        self.hold(inode);
        Ok(inode)
    }

    /// Returns the place where a path's last component can be made: `EEXIST` if it is there. The
    /// permission of the caller is checked elsewhere ([`Fs::may_create`]).
    pub(crate) fn place_for(
        &mut self,
        ctx: &FsContext<'_>,
        path: &[u8],
        is_dir: bool,
    ) -> Result<(InodeId, Arc<[u8]>)> {
        let PathParent { dir, last, slash } = self.resolve_parent(ctx, path)?;
        let LastComponent::Name(name) = last else { return Err(FsError::Exists) };
        if self.meta(dir)?.nlink == 0 {
            return Err(FsError::NotFound);
        }
        if self.lookup(dir, &name)?.is_some() {
            return Err(FsError::Exists);
        }
        if slash && !is_dir {
            return Err(FsError::NotFound);
        }
        self.check_writable(dir)?;
        Ok((dir, name))
    }

    /// Gives an inode without a name its name.
    pub(crate) fn add_entry(
        &mut self,
        ctx: &FsContext<'_>,
        dir: InodeId,
        name: Arc<[u8]>,
        inode: InodeId,
    ) -> Result<()> {
        debug_assert!(!name.is_empty() && name.len() <= NAME_MAX && !name.contains(&b'/'));
        self.record_mut(inode)?.home = Some(InodeHome { dir, name: name.clone() });
        let parent = self.record_mut(dir)?;
        parent.meta.modified(ctx.now);
        parent.dir_mut().ok_or(FsError::NotADirectory)?.add(name, inode);
        Ok(())
    }

    /// Changes the number of names of an inode. A directory of a host that does not count
    /// subdirectories (and shows one) stays as it is.
    pub(crate) fn change_nlink(&mut self, inode: InodeId, by: i32) -> Result<()> {
        let meta = &mut self.record_mut(inode)?.meta;
        if meta.kind != InodeKind::Directory || meta.nlink >= 2 {
            meta.nlink = meta.nlink.saturating_add_signed(by);
        }
        Ok(())
    }

    fn add_named(
        &mut self,
        ctx: &FsContext<'_>,
        dir: InodeId,
        name: Arc<[u8]>,
        record: Inode<B>,
    ) -> Result<InodeId> {
        let inode = self.add_inode(record)?;
        self.add_entry(ctx, dir, name, inode)?;
        Ok(inode)
    }

    /// A new inode as one made in `dir` is: owner, group, times.
    fn record(
        &self,
        ctx: &FsContext<'_>,
        dir: InodeId,
        mode: u32,
        kind: InodeKind,
        node: InodeNode<B>,
    ) -> Result<Inode<B>> {
        let parent = self.meta(dir)?;
        let inherits = parent.mode & S_ISGID != 0;
        let gid = if inherits { parent.gid } else { ctx.cred.gid };
        let mut mode = mode;
        let both = S_ISGID | S_IXGRP;
        if inherits && mode & both == both && !ctx.cred.in_group(gid) && !ctx.cred.is_root() {
            mode &= !S_ISGID;
        }
        let meta = InodeMeta {
            kind,
            mode,
            nlink: 1,
            uid: ctx.cred.uid,
            gid,
            device: DeviceNumber::default(),
            size: 0,
            atime: ctx.now,
            mtime: ctx.now,
            ctime: ctx.now,
            tag: 0,
            read_only: false,
        };
        Ok(Inode { meta, home: None, node })
    }

    /// The part of `open` with `O_CREAT`: a link at the end may lead to where the file is made.
    fn find_or_create(
        &mut self,
        ctx: &FsContext<'_>,
        path: &[u8],
        how: &OpenHow,
    ) -> Result<(InodeId, bool)> {
        check_path(path)?;
        let mut budget = FollowedLinks::default();
        let mut parent = self.walk_parent(ctx, ctx.start, path, &mut budget)?;
        loop {
            let PathParent { dir, last, slash } = parent;
            let found = match last {
                LastComponent::Root | LastComponent::Dot | LastComponent::DotDot
                    if how.exclusive =>
                {
                    return Err(FsError::Exists);
                }
                LastComponent::Root | LastComponent::Dot | LastComponent::DotDot => {
                    return Err(FsError::IsADirectory);
                }
                LastComponent::Name(_) if slash => return Err(FsError::IsADirectory),
                LastComponent::Name(name) => match self.lookup(dir, &name)? {
                    Some(inode) => inode,
                    None => {
                        return self.create_file(ctx, dir, name, how).map(|inode| (inode, true));
                    }
                },
            };
            if how.exclusive {
                return Err(FsError::Exists);
            }
            match self.kind(found)? {
                InodeKind::Directory => return Err(FsError::IsADirectory),
                InodeKind::Symlink if !how.no_follow => {
                    self.may_follow(ctx, dir, found)?;
                    match self.follow_link(ctx, found, &mut budget)? {
                        LinkStep::Jump(inode) if self.is_dir(inode)? => {
                            return Err(FsError::IsADirectory);
                        }
                        LinkStep::Jump(inode) => return Ok((inode, false)),
                        LinkStep::Path(target) => {
                            parent = self.walk_parent(ctx, dir, &target, &mut budget)?;
                        }
                    }
                }
                _ => {
                    self.may_create_in_sticky(ctx, dir, found)?;
                    return Ok((found, false));
                }
            }
        }
    }

    fn create_file(
        &mut self,
        ctx: &FsContext<'_>,
        dir: InodeId,
        name: Arc<[u8]>,
        how: &OpenHow,
    ) -> Result<InodeId> {
        self.check_writable(dir)?;
        self.may_create(ctx, dir)?;
        let mode = how.mode & 0o7777 & !ctx.umask;
        let record =
            self.record(ctx, dir, mode, InodeKind::File, InodeNode::File(FileContent::empty()))?;
        self.add_named(ctx, dir, name, record)
    }

    fn may_open(&self, ctx: &FsContext<'_>, inode: InodeId, how: &OpenHow) -> Result<()> {
        let writes = how.write || how.truncate;
        match self.kind(inode)? {
            InodeKind::Symlink => return Err(FsError::Loop),
            InodeKind::Directory if writes => return Err(FsError::IsADirectory),
            _ => {}
        }
        let mut wanted = AccessMode::EXISTS;
        if how.read {
            wanted = wanted | AccessMode::READ;
        }
        if writes {
            wanted = wanted | AccessMode::WRITE;
        }
        self.permission(inode, wanted, ctx.cred)?;
        if how.no_atime && !self.is_owner(inode, ctx.cred)? {
            return Err(FsError::NotPermitted);
        }
        if self.kind(inode)? == InodeKind::Socket {
            return Err(FsError::NoDevice);
        }
        Ok(())
    }
}
