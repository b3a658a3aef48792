//! Adding and removing names: `link`, `unlink`, `rmdir`.

use std::sync::Arc;

use crate::content::byte::FileByte;
use crate::context::FsContext;
use crate::fs::Fs;
use crate::ids::InodeId;
use crate::stat::{InodeKind, LINK_MAX};
use crate::tree::path::{FollowLinks, FoundEntry, LastComponent, PathParent};
use crate::{FsError, Result};

impl<B: FileByte> Fs<B> {
    /// Gives what `old` names a second name, `new`, which may start elsewhere (`new_ctx`).
    pub fn link(
        &mut self,
        ctx: &FsContext<'_>,
        old: &[u8],
        follow: FollowLinks,
        new_ctx: &FsContext<'_>,
        new: &[u8],
    ) -> Result<InodeId> {
        let inode = self.resolve(ctx, old, follow)?;
        self.link_inode(new_ctx, inode, new)?;
        Ok(inode)
    }

    /// Gives an inode another name. One that has none must come from [`Fs::create_unnamed`].
    pub fn link_inode(&mut self, ctx: &FsContext<'_>, inode: InodeId, new: &[u8]) -> Result<()> {
        let (dir, name) = self.place_for(ctx, new, false)?;
        let meta = self.meta(inode)?;
        self.may_link(ctx, inode)?;
        self.may_create(ctx, dir)?;
        if meta.kind == InodeKind::Directory {
            return Err(FsError::NotPermitted);
        }
        if meta.nlink >= LINK_MAX {
            return Err(FsError::TooManyLinks);
        }
        self.check_writable(inode)?;
        if meta.nlink == 0 && self.was_named(inode) {
            return Err(FsError::NotFound);
        }
        let record = self.record_mut(inode)?;
        record.meta.nlink += 1;
        record.meta.ctime = ctx.now;
        self.add_entry(ctx, dir, name, inode)
    }

    /// Removes a name of something that is no directory.
    pub fn unlink(&mut self, ctx: &FsContext<'_>, path: &[u8]) -> Result<()> {
        let PathParent { dir, last, slash } = self.resolve_parent(ctx, path)?;
        let LastComponent::Name(name) = last else { return Err(FsError::IsADirectory) };
        self.check_writable(dir)?;
        let found = self.entry(dir, &name)?.ok_or(FsError::NotFound)?;
        if slash {
            let is_dir = self.is_dir(found.inode)?;
            return Err(if is_dir { FsError::IsADirectory } else { FsError::NotADirectory });
        }
        self.may_delete(ctx, dir, found.inode, false)?;
        self.remove_entry(ctx, dir, found)?;
        self.drop_name(ctx, dir, &name, found.inode)
    }

    /// Removes an empty directory.
    pub fn rmdir(&mut self, ctx: &FsContext<'_>, path: &[u8]) -> Result<()> {
        let PathParent { dir, last, .. } = self.resolve_parent(ctx, path)?;
        let name = match last {
            LastComponent::Name(name) => name,
            LastComponent::Dot => return Err(FsError::Invalid),
            LastComponent::DotDot => return Err(FsError::NotEmpty),
            LastComponent::Root => return Err(FsError::Busy),
        };
        self.check_writable(dir)?;
        let found = self.entry(dir, &name)?.ok_or(FsError::NotFound)?;
        self.may_delete(ctx, dir, found.inode, true)?;
        if found.inode == ctx.root {
            return Err(FsError::Busy);
        }
        if !self.is_empty_dir(found.inode)? {
            return Err(FsError::NotEmpty);
        }
        self.remove_entry(ctx, dir, found)?;
        self.drop_dir(ctx, dir, found.inode)
    }

    /// Returns whether a directory has no entries but `.` and `..`.
    pub(crate) fn is_empty_dir(&mut self, dir: InodeId) -> Result<bool> {
        let listed = self.enter(dir)?.map_or(0, |range| range.listing.entries.len() as u64);
        Ok(self.private_dir(dir)?.map_or(listed, |entries| entries.len(listed)) == 0)
    }

    /// Takes an entry out of a directory; the inode is not touched.
    pub(crate) fn remove_entry(
        &mut self,
        ctx: &FsContext<'_>,
        dir: InodeId,
        found: FoundEntry,
    ) -> Result<()> {
        let parent = self.record_mut(dir)?;
        parent.meta.modified(ctx.now);
        parent.dir_mut().ok_or(FsError::NotADirectory)?.remove(found.position);
        Ok(())
    }

    /// An inode that is no directory has lost a name.
    pub(crate) fn drop_name(
        &mut self,
        ctx: &FsContext<'_>,
        dir: InodeId,
        name: &Arc<[u8]>,
        inode: InodeId,
    ) -> Result<()> {
        let record = self.record_mut(inode)?;
        record.meta.nlink -= 1;
        record.meta.ctime = ctx.now;
        let was_home =
            record.home.as_ref().is_some_and(|home| home.dir == dir && home.name == *name);
        if was_home && record.meta.nlink > 0 {
            record.home = None;
        }
        self.free_if_unused(inode);
        Ok(())
    }

    /// A directory has lost its name in `parent`.
    pub(crate) fn drop_dir(
        &mut self,
        ctx: &FsContext<'_>,
        parent: InodeId,
        dir: InodeId,
    ) -> Result<()> {
        let record = self.record_mut(dir)?;
        record.meta.nlink = 0;
        record.meta.ctime = ctx.now;
        self.free_if_unused(dir);
        self.change_nlink(parent, -1)
    }

    /// Returns `true` if an inode without names once had one.
    fn was_named(&self, inode: InodeId) -> bool {
        self.home(inode).is_ok_and(|home| home.is_some())
    }
}
