//! From a path to an inode, in the steps that `path_resolution(7)` describes.
//!
//! Every operation on a path comes through [`Fs::resolve`] (what is there) or
//! [`Fs::resolve_parent`] (where a name is, or would be).

use std::borrow::Cow;
use std::sync::Arc;

use crate::content::byte::FileByte;
use crate::context::{FsContext, MagicTarget};
use crate::fs::{Fs, InodeView};
use crate::ids::InodeId;
use crate::inode::InodeNode;
use crate::permission::AccessMode;
use crate::stat::{InodeKind, MAX_LINKS_FOLLOWED, NAME_MAX, PATH_MAX};
use crate::tree::dir::{FIRST_POSITION, OverlayEntry};
use crate::{FsError, Result};

/// The treatment of a symbolic link at the end of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FollowLinks {
    /// The result is what the link leads to (`stat`).
    Yes,
    /// The result is the link (`lstat`), unless a slash follows it.
    No,
}

/// The last component of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LastComponent {
    /// A name, at most [`NAME_MAX`] bytes if it was looked up.
    Name(Arc<[u8]>),
    /// `.`
    Dot,
    /// `..`
    DotDot,
    /// There is none: the path is `/`.
    Root,
}

/// The result of resolving all of a path but its last component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathParent {
    /// The directory that the last component is in.
    pub dir: InodeId,
    /// The last component, which need not exist.
    pub last: LastComponent,
    /// True if a slash follows it.
    pub slash: bool,
}

/// An entry that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FoundEntry {
    pub(crate) position: u64,
    pub(crate) inode: InodeId,
}

/// Counts the links that a resolution has followed.
#[derive(Default)]
pub(crate) struct FollowedLinks(u32);

/// The result of following a link.
pub(crate) enum LinkStep {
    /// Go on with this path from the directory that the link is in.
    Path(Arc<[u8]>),
    /// Go on with this inode.
    Jump(InodeId),
}

impl<B: FileByte> Fs<B> {
    /// The inode that a path names.
    pub fn resolve(
        &mut self,
        ctx: &FsContext<'_>,
        path: &[u8],
        follow: FollowLinks,
    ) -> Result<InodeId> {
        check_path(path)?;
        self.walk(ctx, ctx.start, path, follow, &mut FollowedLinks::default())
    }

    /// The directory of a path's last component, and that component.
    pub fn resolve_parent(&mut self, ctx: &FsContext<'_>, path: &[u8]) -> Result<PathParent> {
        check_path(path)?;
        self.walk_parent(ctx, ctx.start, path, &mut FollowedLinks::default())
    }

    /// The inode of a name in a directory, without permissions and without following it.
    pub fn lookup(&mut self, dir: InodeId, name: &[u8]) -> Result<Option<InodeId>> {
        Ok(self.entry(dir, name)?.map(|found| found.inode))
    }

    /// The target of a symbolic link; `EINVAL` if it is none.
    pub fn readlink(&self, ctx: &FsContext<'_>, inode: InodeId) -> Result<Arc<[u8]>> {
        match self.view(inode)? {
            InodeView::Private(record) => match &record.node {
                InodeNode::Symlink(target) => Ok(target.clone()),
                InodeNode::MagicLink => {
                    let magic = ctx.magic.ok_or(FsError::NotFound)?;
                    magic.text(record.meta.tag).map(Arc::from)
                }
                _ => Err(FsError::Invalid),
            },
            InodeView::Host { file, .. } if self.kind(inode)? == InodeKind::Symlink => {
                self.host.target(file)
            }
            InodeView::Host { .. } => Err(FsError::Invalid),
        }
    }

    /// The entry of a name, with its place in the directory.
    pub(crate) fn entry(&mut self, dir: InodeId, name: &[u8]) -> Result<Option<FoundEntry>> {
        if name.len() > NAME_MAX {
            return Err(FsError::NameTooLong);
        }
        let range = self.enter(dir)?;
        let overlay = self.private_dir(dir)?;
        if let Some((position, inode)) = overlay.and_then(|entries| entries.find(name)) {
            return Ok(Some(FoundEntry { position, inode }));
        }
        let Some(range) = range else { return Ok(None) };
        let Some(index) = range.listing.find(name) else { return Ok(None) };
        let position = FIRST_POSITION + u64::from(index);
        match overlay.map_or(OverlayEntry::Host, |entries| entries.overlay(position)) {
            OverlayEntry::Host => {
                Ok(Some(FoundEntry { position, inode: InodeId(range.base + index) }))
            }
            OverlayEntry::Gone | OverlayEntry::Entry(_) => Ok(None),
        }
    }

    /// The inode that `path` names if it starts in `dir`.
    pub(crate) fn walk(
        &mut self,
        ctx: &FsContext<'_>,
        dir: InodeId,
        path: &[u8],
        follow: FollowLinks,
        budget: &mut FollowedLinks,
    ) -> Result<InodeId> {
        let mut path = Cow::Borrowed(path);
        let (mut dir, mut slash) = (dir, false);
        loop {
            let parent = self.walk_parent(ctx, dir, &path, budget)?;
            slash |= parent.slash;
            let inode = match &parent.last {
                LastComponent::Dot => parent.dir,
                LastComponent::Root => ctx.root,
                LastComponent::DotDot => self.dot_dot(ctx, parent.dir)?,
                LastComponent::Name(name) => {
                    self.lookup(parent.dir, name)?.ok_or(FsError::NotFound)?
                }
            };
            let kind = self.kind(inode)?;
            if kind == InodeKind::Symlink && (follow == FollowLinks::Yes || slash) {
                self.may_follow(ctx, parent.dir, inode)?;
                match self.follow_link(ctx, inode, budget)? {
                    LinkStep::Path(target) => {
                        dir = parent.dir;
                        path = Cow::Owned(target.to_vec());
                        continue;
                    }
                    LinkStep::Jump(inode) if slash && !self.is_dir(inode)? => {
                        return Err(FsError::NotADirectory);
                    }
                    LinkStep::Jump(inode) => return Ok(inode),
                }
            }
            if slash && kind != InodeKind::Directory {
                return Err(FsError::NotADirectory);
            }
            return Ok(inode);
        }
    }

    /// Walks all but the last component of a path that starts in `dir`.
    pub(crate) fn walk_parent(
        &mut self,
        ctx: &FsContext<'_>,
        dir: InodeId,
        path: &[u8],
        budget: &mut FollowedLinks,
    ) -> Result<PathParent> {
        let mut rest = Cow::Borrowed(path);
        let mut dir = if path.first() == Some(&b'/') { ctx.root } else { dir };
        let mut at = skip_slashes(&rest, 0);
        if !self.is_dir(dir)? {
            return Err(FsError::NotADirectory);
        }
        if at == rest.len() {
            return Ok(PathParent { dir, last: LastComponent::Root, slash: false });
        }
        loop {
            self.permission(dir, AccessMode::EXECUTE, ctx.cred)?;
            let end =
                rest[at..].iter().position(|byte| *byte == b'/').map_or(rest.len(), |n| at + n);
            let next = skip_slashes(&rest, end);
            let component = &rest[at..end];
            if next == rest.len() {
                let last = match component {
                    b"." => LastComponent::Dot,
                    b".." => LastComponent::DotDot,
                    name => LastComponent::Name(name.into()),
                };
                return Ok(PathParent { dir, last, slash: next > end });
            }
            let inode = match component {
                b"." => dir,
                b".." => self.dot_dot(ctx, dir)?,
                name => self.lookup(dir, name)?.ok_or(FsError::NotFound)?,
            };
            match self.kind(inode)? {
                InodeKind::Directory => (dir, at) = (inode, next),
                InodeKind::Symlink => match self.follow_link(ctx, inode, budget)? {
                    LinkStep::Jump(inode) if self.is_dir(inode)? => (dir, at) = (inode, next),
                    LinkStep::Jump(_) => return Err(FsError::NotADirectory),
                    LinkStep::Path(target) => {
                        // What is left goes on behind the target.
                        rest = Cow::Owned([&target, &b"/"[..], &rest[next..]].concat());
                        at = skip_slashes(&rest, 0);
                        if at > 0 {
                            dir = ctx.root;
                        }
                    }
                },
                _ => return Err(FsError::NotADirectory),
            }
        }
    }

    /// Follows one symbolic link.
    pub(crate) fn follow_link(
        &mut self,
        ctx: &FsContext<'_>,
        link: InodeId,
        budget: &mut FollowedLinks,
    ) -> Result<LinkStep> {
        if budget.0 == MAX_LINKS_FOLLOWED {
            return Err(FsError::Loop);
        }
        budget.0 += 1;
        if let InodeView::Private(record) = self.view(link)?
            && let (InodeNode::MagicLink, tag) = (&record.node, record.meta.tag)
        {
            let magic = ctx.magic.ok_or(FsError::NotFound)?;
            return Ok(match magic.follow(tag)? {
                MagicTarget::Inode(inode) => LinkStep::Jump(inode),
                MagicTarget::Path(path) => LinkStep::Path(path.into()),
            });
        }
        let target = self.readlink(ctx, link)?;
        if target.is_empty() {
            return Err(FsError::NotFound);
        }
        Ok(LinkStep::Path(target))
    }

    /// The parent of a directory; the root is its own.
    pub(crate) fn dot_dot(&self, ctx: &FsContext<'_>, dir: InodeId) -> Result<InodeId> {
        if dir == ctx.root { Ok(dir) } else { self.parent_of(dir) }
    }
}

/// Refuses paths that no call accepts.
pub(crate) fn check_path(path: &[u8]) -> Result<()> {
    if path.is_empty() {
        return Err(FsError::NotFound);
    }
    if path.len() >= PATH_MAX {
        return Err(FsError::NameTooLong);
    }
    if path.contains(&0) {
        return Err(FsError::Invalid);
    }
    Ok(())
}

fn skip_slashes(path: &[u8], at: usize) -> usize {
    at + path[at..].iter().take_while(|byte| **byte == b'/').count()
}
