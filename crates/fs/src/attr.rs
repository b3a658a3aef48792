//! Changing metadata: `chmod`, `chown`, `utimensat`.

use crate::content::byte::FileByte;
use crate::context::FsContext;
use crate::fs::Fs;
use crate::ids::InodeId;
use crate::permission::AccessMode;
use crate::stat::{InodeKind, S_ISGID};
use crate::{FsError, Result};

/// A change of a time stamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeChange {
    /// It stays (`UTIME_OMIT`).
    Keep,
    /// It becomes the caller's time (`UTIME_NOW`, or no times given).
    Now,
    /// It becomes this one, in nanoseconds since 1970.
    At(i64),
}

impl<B: FileByte> Fs<B> {
    /// Sets the permission bits.
    pub fn chmod(&mut self, ctx: &FsContext<'_>, inode: InodeId, mode: u32) -> Result<()> {
        self.check_writable(inode)?;
        if !self.is_owner(inode, ctx.cred)? {
            return Err(FsError::NotPermitted);
        }
        let meta = &mut self.record_mut(inode)?.meta;
        meta.mode = mode & 0o7777;
        if !ctx.cred.is_root() && !ctx.cred.in_group(meta.gid) {
            meta.mode &= !S_ISGID;
        }
        meta.ctime = ctx.now;
        Ok(())
    }

    /// Sets owner and group, as far as given. Only user 0 gives files away; an owner may choose among
    /// its groups. Setuid and setgid do not survive, not even if user 0 does it.
    pub fn chown(
        &mut self,
        ctx: &FsContext<'_>,
        inode: InodeId,
        uid: Option<u32>,
        gid: Option<u32>,
    ) -> Result<()> {
        self.check_writable(inode)?;
        let (meta, cred) = (self.meta(inode)?, ctx.cred);
        let owns = cred.uid == meta.uid;
        let uid_allowed = uid.is_none_or(|uid| owns && uid == meta.uid);
        let gid_allowed = gid.is_none_or(|gid| owns && (gid == meta.gid || cred.in_group(gid)));
        if !(cred.is_root() || uid_allowed && gid_allowed) {
            return Err(FsError::NotPermitted);
        }
        let mut changed = meta;
        if meta.kind != InodeKind::Directory {
            changed.drop_privileges(cred.is_root() || cred.in_group(meta.gid));
        }
        // A call that sets nothing still clears setuid and setgid, which only an owner may do.
        if changed.mode != meta.mode && !owns && !cred.is_root() {
            return Err(FsError::NotPermitted);
        }
        changed.uid = uid.unwrap_or(meta.uid);
        changed.gid = gid.unwrap_or(meta.gid);
        changed.ctime = ctx.now;
        self.record_mut(inode)?.meta = changed;
        Ok(())
    }

    /// Sets the times of last access and last change.
    pub fn set_times(
        &mut self,
        ctx: &FsContext<'_>,
        inode: InodeId,
        atime: TimeChange,
        mtime: TimeChange,
    ) -> Result<()> {
        if (atime, mtime) == (TimeChange::Keep, TimeChange::Keep) {
            return Ok(());
        }
        self.check_writable(inode)?;
        if !self.is_owner(inode, ctx.cred)? {
            if (atime, mtime) != (TimeChange::Now, TimeChange::Now) {
                return Err(FsError::NotPermitted);
            }
            self.permission(inode, AccessMode::WRITE, ctx.cred)?;
        }
        let meta = &mut self.record_mut(inode)?.meta;
        let set = |old: i64, change: TimeChange| match change {
            TimeChange::Keep => old,
            TimeChange::Now => ctx.now,
            TimeChange::At(time) => time,
        };
        meta.atime = set(meta.atime, atime);
        meta.mtime = set(meta.mtime, mtime);
        meta.ctime = ctx.now;
        Ok(())
    }
}
