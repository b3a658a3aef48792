//! Permissions: mode bits, the superuser's rights, sticky directories.

use std::ops::BitOr;

use crate::content::byte::FileByte;
use crate::context::{Credentials, FsContext};
use crate::fs::Fs;
use crate::ids::InodeId;
use crate::stat::{InodeKind, S_ISGID, S_ISUID, S_ISVTX, S_IXGRP};
use crate::{FsError, Result};

/// Kinds of access, as in `access(2)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AccessMode(u32);

impl AccessMode {
    /// None: whether the file exists (`F_OK`).
    pub const EXISTS: AccessMode = AccessMode(0);
    /// To execute a file or search a directory (`X_OK`).
    pub const EXECUTE: AccessMode = AccessMode(1);
    /// To write (`W_OK`).
    pub const WRITE: AccessMode = AccessMode(2);
    /// To read (`R_OK`).
    pub const READ: AccessMode = AccessMode(4);

    /// The accesses that the bits of `R_OK | W_OK | X_OK` ask for.
    pub const fn from_bits(bits: u32) -> AccessMode {
        AccessMode(bits & 7)
    }

    const fn contains(self, other: AccessMode) -> bool {
        self.0 & other.0 != 0
    }
}

impl BitOr for AccessMode {
    type Output = AccessMode;

    fn bitor(self, other: AccessMode) -> AccessMode {
        AccessMode(self.0 | other.0)
    }
}

impl<B: FileByte> Fs<B> {
    /// Returns whether a caller may access an inode: `EACCES`, or `EROFS` for writing where nobody may.
    pub fn permission(&self, inode: InodeId, wanted: AccessMode, cred: &Credentials) -> Result<()> {
        let meta = self.meta(inode)?;
        let is_data =
            matches!(meta.kind, InodeKind::File | InodeKind::Directory | InodeKind::Symlink);
        if wanted.contains(AccessMode::WRITE) && is_data {
            self.check_writable(inode)?;
        }
        if cred.is_root() {
            let executable = meta.kind == InodeKind::Directory || meta.mode & 0o111 != 0;
            let allowed = executable || !wanted.contains(AccessMode::EXECUTE);
            return if allowed { Ok(()) } else { Err(FsError::Access) };
        }
        let class = if meta.uid == cred.uid {
            meta.mode >> 6
        } else if cred.in_group(meta.gid) {
            meta.mode >> 3
        } else {
            meta.mode
        };
        if wanted.0 & !class == 0 { Ok(()) } else { Err(FsError::Access) }
    }

    /// Returns whether an entry may be added to a directory.
    pub(crate) fn may_create(&self, ctx: &FsContext<'_>, dir: InodeId) -> Result<()> {
        if self.meta(dir)?.nlink == 0 {
            return Err(FsError::NotFound);
        }
        self.permission(dir, AccessMode::WRITE | AccessMode::EXECUTE, ctx.cred)
    }

    /// Returns whether the entry `victim` may be taken out of a directory by a call that removes
    /// directories (or that does not).
    pub(crate) fn may_delete(
        &self,
        ctx: &FsContext<'_>,
        dir: InodeId,
        victim: InodeId,
        as_dir: bool,
    ) -> Result<()> {
        self.permission(dir, AccessMode::WRITE | AccessMode::EXECUTE, ctx.cred)?;
        let (dir, meta) = (self.meta(dir)?, self.meta(victim)?);
        let cred = ctx.cred;
        let owner = cred.is_root() || cred.uid == meta.uid || cred.uid == dir.uid;
        if dir.mode & S_ISVTX != 0 && !owner {
            return Err(FsError::NotPermitted);
        }
        match (as_dir, meta.kind == InodeKind::Directory) {
            (true, false) => Err(FsError::NotADirectory),
            (false, true) => Err(FsError::IsADirectory),
            _ => Ok(()),
        }
    }

    /// Returns whether somebody else's file may get another name (`fs.protected_hardlinks`).
    pub(crate) fn may_link(&self, ctx: &FsContext<'_>, inode: InodeId) -> Result<()> {
        if !self.protection.hardlinks || self.is_owner(inode, ctx.cred)? {
            return Ok(());
        }
        let meta = self.meta(inode)?;
        let both = S_ISGID | S_IXGRP;
        let is_plain =
            meta.kind == InodeKind::File && meta.mode & S_ISUID == 0 && meta.mode & both != both;
        if is_plain
            && self.permission(inode, AccessMode::READ | AccessMode::WRITE, ctx.cred).is_ok()
        {
            return Ok(());
        }
        Err(FsError::NotPermitted)
    }

    /// Returns whether a link at the end of a path may be followed (`fs.protected_symlinks`): not
    /// somebody else's in a directory that everybody can write to.
    pub(crate) fn may_follow(
        &self,
        ctx: &FsContext<'_>,
        dir: InodeId,
        link: InodeId,
    ) -> Result<()> {
        if !self.protection.symlinks {
            return Ok(());
        }
        let (dir, link) = (self.meta(dir)?, self.meta(link)?);
        let shared = S_ISVTX | 0o002;
        let allowed =
            link.uid == ctx.cred.uid || dir.mode & shared != shared || dir.uid == link.uid;
        if allowed { Ok(()) } else { Err(FsError::Access) }
    }

    /// Returns whether what was found in `dir` may be opened by a call that could have made it.
    pub(crate) fn may_create_in_sticky(
        &self,
        ctx: &FsContext<'_>,
        dir: InodeId,
        found: InodeId,
    ) -> Result<()> {
        let (dir, meta) = (self.meta(dir)?, self.meta(found)?);
        // Links and sockets of others are refused whatever the settings say.
        let level = match meta.kind {
            InodeKind::File => self.protection.regular,
            InodeKind::Fifo => self.protection.fifos,
            _ => 1,
        };
        let is_own = meta.uid == dir.uid || meta.uid == ctx.cred.uid;
        let is_shared = dir.mode & 0o002 != 0 && level >= 1 || dir.mode & 0o020 != 0 && level >= 2;
        if dir.mode & S_ISVTX != 0 && !is_own && is_shared {
            return Err(FsError::Access);
        }
        Ok(())
    }

    /// Returns whether a caller owns an inode, or need not.
    pub(crate) fn is_owner(&self, inode: InodeId, cred: &Credentials) -> Result<bool> {
        Ok(cred.is_root() || self.meta(inode)?.uid == cred.uid)
    }
}
