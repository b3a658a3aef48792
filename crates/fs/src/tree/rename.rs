//! `renameat2`.

use std::sync::Arc;

use crate::content::byte::FileByte;
use crate::context::FsContext;
use crate::fs::Fs;
use crate::ids::InodeId;
use crate::inode::InodeHome;
use crate::permission::AccessMode;
use crate::tree::path::{FoundEntry, LastComponent, PathParent};
use crate::{FsError, Result};

/// The treatment of a new name that exists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RenameMode {
    /// It is replaced.
    #[default]
    Replace,
    /// `EEXIST` (`RENAME_NOREPLACE`).
    NoReplace,
    /// The two swap; it must exist (`RENAME_EXCHANGE`).
    Exchange,
}

/// One side of a rename: a name in a directory and what is there.
struct RenameSide {
    dir: InodeId,
    name: Arc<[u8]>,
    slash: bool,
    found: Option<FoundEntry>,
}

/// A rename, with what is known of it before anything is checked.
struct RenamePlan {
    old: RenameSide,
    new: RenameSide,
    /// The entry that moves.
    source: FoundEntry,
    source_is_dir: bool,
    mode: RenameMode,
}

impl RenamePlan {
    fn exchanges(&self) -> bool {
        self.mode == RenameMode::Exchange
    }
}

impl<B: FileByte> Fs<B> {
    /// Moves what `old` names to `new`, which may start elsewhere (`new_ctx`).
    pub fn rename(
        &mut self,
        ctx: &FsContext<'_>,
        old: &[u8],
        new_ctx: &FsContext<'_>,
        new: &[u8],
        mode: RenameMode,
    ) -> Result<()> {
        let (old, new) = (self.resolve_parent(ctx, old)?, self.resolve_parent(new_ctx, new)?);
        let (LastComponent::Name(_), LastComponent::Name(_)) = (&old.last, &new.last) else {
            let is_new =
                matches!(old.last, LastComponent::Name(_)) && mode == RenameMode::NoReplace;
            return Err(if is_new { FsError::Exists } else { FsError::Busy });
        };
        self.check_writable(old.dir)?;
        self.check_writable(new.dir)?;
        let old = self.side(old)?;
        let source = old.found.ok_or(FsError::NotFound)?;
        let new = self.side(new)?;
        let source_is_dir = self.is_dir(source.inode)?;
        let plan = RenamePlan { old, new, source, source_is_dir, mode };
        self.check_names(&plan)?;
        if plan.new.found.is_some_and(|target| target.inode == source.inode) {
            return Ok(());
        }
        self.check_rights(ctx, &plan)?;
        match plan.new.found {
            Some(target) if plan.exchanges() => self.exchange(ctx, &plan, target),
            _ => self.move_entry(ctx, &plan),
        }
    }

    fn side(&mut self, parent: PathParent) -> Result<RenameSide> {
        let PathParent { dir, last, slash } = parent;
        let LastComponent::Name(name) = last else { return Err(FsError::Busy) };
        let found = self.entry(dir, &name)?;
        Ok(RenameSide { dir, name, slash, found })
    }

    /// Checks everything that does not depend on who asks.
    fn check_names(&self, plan: &RenamePlan) -> Result<()> {
        let RenamePlan { old, new, source, source_is_dir, mode } = plan;
        match (mode, new.found) {
            (RenameMode::NoReplace, Some(_)) => return Err(FsError::Exists),
            (RenameMode::Exchange, None) => return Err(FsError::NotFound),
            (RenameMode::Exchange, Some(target)) if new.slash && !self.is_dir(target.inode)? => {
                return Err(FsError::NotADirectory);
            }
            _ => {}
        }
        if !source_is_dir && (old.slash || new.slash && !plan.exchanges()) {
            return Err(FsError::NotADirectory);
        }
        if *source_is_dir && self.is_within(new.dir, source.inode)? {
            return Err(FsError::Invalid);
        }
        if let Some(target) = new.found
            && self.is_dir(target.inode)?
            && self.is_within(old.dir, target.inode)?
        {
            return Err(if plan.exchanges() { FsError::Invalid } else { FsError::NotEmpty });
        }
        Ok(())
    }

    /// Checks everything that depends on who asks, and on what is replaced.
    fn check_rights(&mut self, ctx: &FsContext<'_>, plan: &RenamePlan) -> Result<()> {
        let RenamePlan { old, new, source, source_is_dir, .. } = plan;
        let (source_is_dir, exchange) = (*source_is_dir, plan.exchanges());
        let mut target_is_dir = false;
        self.may_delete(ctx, old.dir, source.inode, source_is_dir)?;
        match new.found {
            None => self.may_create(ctx, new.dir)?,
            Some(target) => {
                target_is_dir = self.is_dir(target.inode)?;
                let as_dir = if exchange { target_is_dir } else { source_is_dir };
                self.may_delete(ctx, new.dir, target.inode, as_dir)?;
            }
        }
        if old.dir != new.dir {
            // The `..` of a directory that moves is changed.
            if source_is_dir {
                self.permission(source.inode, AccessMode::WRITE, ctx.cred)?;
            }
            if let Some(target) = new.found.filter(|_| exchange && target_is_dir) {
                self.permission(target.inode, AccessMode::WRITE, ctx.cred)?;
            }
        }
        match new.found {
            Some(target) if !exchange && target_is_dir && !self.is_empty_dir(target.inode)? => {
                Err(FsError::NotEmpty)
            }
            _ => Ok(()),
        }
    }

    fn move_entry(&mut self, ctx: &FsContext<'_>, plan: &RenamePlan) -> Result<()> {
        let RenamePlan { old, new, source, source_is_dir: is_dir, .. } = plan;
        let (source, is_dir) = (*source, *is_dir);
        self.remove_entry(ctx, old.dir, source)?;
        if is_dir {
            self.change_nlink(old.dir, -1)?;
        }
        match new.found {
            None => self.add_entry(ctx, new.dir, new.name.clone(), source.inode)?,
            Some(target) => {
                self.put_entry(ctx, new, target.position, source.inode)?;
                if is_dir {
                    self.drop_dir(ctx, new.dir, target.inode)?;
                } else {
                    self.drop_name(ctx, new.dir, &new.name, target.inode)?;
                }
            }
        }
        if is_dir {
            self.change_nlink(new.dir, 1)?;
        }
        self.record_mut(source.inode)?.meta.ctime = ctx.now;
        Ok(())
    }

    fn exchange(
        &mut self,
        ctx: &FsContext<'_>,
        plan: &RenamePlan,
        target: FoundEntry,
    ) -> Result<()> {
        let RenamePlan { old, new, source, source_is_dir, .. } = plan;
        self.put_entry(ctx, new, target.position, source.inode)?;
        self.put_entry(ctx, old, source.position, target.inode)?;
        let by = i32::from(*source_is_dir) - i32::from(self.is_dir(target.inode)?);
        if old.dir != new.dir && by != 0 {
            self.change_nlink(new.dir, by)?;
            self.change_nlink(old.dir, -by)?;
        }
        for inode in [source.inode, target.inode] {
            self.record_mut(inode)?.meta.ctime = ctx.now;
        }
        Ok(())
    }

    /// Lets a name that exists lead to another inode.
    fn put_entry(
        &mut self,
        ctx: &FsContext<'_>,
        side: &RenameSide,
        position: u64,
        inode: InodeId,
    ) -> Result<()> {
        let RenameSide { dir, name, .. } = side;
        self.record_mut(inode)?.home = Some(InodeHome { dir: *dir, name: name.clone() });
        let parent = self.record_mut(*dir)?;
        parent.meta.modified(ctx.now);
        parent.dir_mut().ok_or(FsError::NotADirectory)?.replace(position, name, inode);
        Ok(())
    }

    /// Returns whether a directory is `ancestor` or below it.
    fn is_within(&self, dir: InodeId, ancestor: InodeId) -> Result<bool> {
        let mut at = dir;
        loop {
            if at == ancestor {
                return Ok(true);
            }
            let parent = self.parent_of(at)?;
            if parent == at {
                return Ok(false);
            }
            at = parent;
        }
    }
}
