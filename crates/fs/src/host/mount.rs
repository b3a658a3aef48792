//! Showing files of the host, and building a tree before a program runs.

use std::path::Path;
use std::sync::Arc;

use crate::content::byte::FileByte;
use crate::context::{Credentials, FsContext};
use crate::fs::Fs;
use crate::host::MountOptions;
use crate::ids::InodeId;
use crate::inode::{Inode, InodeHome, InodeMeta, InodeNode};
use crate::stat::{InodeKind, S_ISVTX};
use crate::tree::dir::Directory;
use crate::tree::path::{FollowLinks, LastComponent, PathParent};
use crate::{FsError, Result};

impl<B: FileByte> Fs<B> {
    /// Shows a file or directory of the host at `guest`, an absolute path whose missing directories
    /// are made. The host is never changed: what a program changes is its own copy, or refused if
    /// the mount is read-only. What was at `guest` is hidden; the root can be mounted only while it
    /// is empty. Two names of one host file are two files here, and its holes are ordinary zeros.
    pub fn mount_host(
        &mut self,
        host: &Path,
        guest: &[u8],
        options: MountOptions,
        now: i64,
    ) -> Result<InodeId> {
        let file = self.host.add_root(host, options)?;
        let meta = InodeMeta::of_host(&self.host.meta(file)?);
        let node = self.node_of_host(file, &meta)?;
        let cred = Credentials::root();
        let ctx = FsContext { now, ..FsContext::new(self.root(), &cred) };
        let parent = self.resolve_parent_making(&ctx, guest)?;
        let LastComponent::Name(name) = parent.last else {
            return self.mount_root(meta, node);
        };
        self.take_away(&ctx, parent.dir, &name)?;
        let home = Some(InodeHome { dir: parent.dir, name: name.clone() });
        let inode = self.add_inode(Inode { meta, home, node })?;
        self.add_entry(&ctx, parent.dir, name, inode)?;
        if meta.kind == InodeKind::Directory {
            self.change_nlink(parent.dir, 1)?;
        }
        Ok(inode)
    }

    /// Takes a name away, with everything below it, and without checking permissions. Files of the host
    /// there are hidden, and something else can be made. A name that does not exist is no error.
    pub fn hide(&mut self, path: &[u8], now: i64) -> Result<()> {
        let cred = Credentials::root();
        let ctx = FsContext { now, ..FsContext::new(self.root(), &cred) };
        match self.resolve_parent(&ctx, path) {
            Ok(PathParent { dir, last: LastComponent::Name(name), .. }) => {
                self.take_away(&ctx, dir, &name)
            }
            Ok(_) => Err(FsError::Busy),
            Err(FsError::NotFound) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn take_away(&mut self, ctx: &FsContext<'_>, dir: InodeId, name: &Arc<[u8]>) -> Result<()> {
        let Some(found) = self.entry(dir, name)? else { return Ok(()) };
        self.remove_entry(ctx, dir, found)?;
        match self.is_dir(found.inode)? {
            true => self.drop_dir(ctx, dir, found.inode),
            false => self.drop_name(ctx, dir, name, found.inode),
        }
    }

    /// Makes a directory and those above it that are missing, as user 0 and without a umask. One
    /// that exists keeps its mode.
    pub fn make_dirs(&mut self, path: &[u8], mode: u32, now: i64) -> Result<InodeId> {
        let cred = Credentials::root();
        let ctx = FsContext { umask: 0, now, ..FsContext::new(self.root(), &cred) };
        for end in (1..=path.len()).filter(|end| *end == path.len() || path[*end] == b'/') {
            match self.mkdir(&ctx, &path[..end], mode) {
                Ok(_) | Err(FsError::Exists) => {}
                Err(error) => return Err(error),
            }
        }
        let dir = self.resolve(&ctx, path, FollowLinks::Yes)?;
        if self.is_dir(dir)? { Ok(dir) } else { Err(FsError::NotADirectory) }
    }

    fn resolve_parent_making(&mut self, ctx: &FsContext<'_>, path: &[u8]) -> Result<PathParent> {
        if path.first() != Some(&b'/') {
            return Err(FsError::Invalid);
        }
        let last = path.iter().rposition(|byte| *byte != b'/').map_or(0, |at| at + 1);
        let parent = path[..last].iter().rposition(|byte| *byte == b'/').unwrap_or(0);
        if parent > 0 {
            self.make_dirs(&path[..parent], 0o755, ctx.now)?;
        }
        self.resolve_parent(ctx, path)
    }

    fn mount_root(&mut self, meta: InodeMeta, node: InodeNode<B>) -> Result<InodeId> {
        let root = self.root();
        if meta.kind != InodeKind::Directory {
            return Err(FsError::NotADirectory);
        }
        if !self.is_empty_dir(root)? {
            return Err(FsError::Busy);
        }
        let record = self.record_mut(root)?;
        (record.meta, record.node) = (InodeMeta { mode: meta.mode & !S_ISVTX, ..meta }, node);
        debug_assert!(matches!(&record.node, InodeNode::Dir(Directory { host: Some(_), .. })));
        Ok(root)
    }
}
