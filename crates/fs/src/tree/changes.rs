//! Differences between two versions, by path.

use crate::Result;
use crate::content::byte::FileByte;
use crate::context::{Credentials, FsContext};
use crate::fs::{Fs, InodeView};
use crate::ids::InodeId;
use crate::inode::{InodeMeta, InodeNode};
use crate::stat::InodeKind;
use crate::tree::names::push;
use crate::tree::readdir::DirEntry;

/// The kind of change of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    /// It did not exist.
    Created,
    /// It leads to something else, or contents, target, permissions or owner have changed. Times do
    /// not count.
    Changed,
    /// It does not exist any more.
    Deleted,
}

/// A path that differs between two versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathChange {
    /// The absolute path.
    pub path: Vec<u8>,
    /// The kind of change.
    pub kind: ChangeKind,
    /// The kind of node that it leads to now, or led to if it was deleted.
    pub node: InodeKind,
    /// The inode, in the newer version unless it was deleted.
    pub inode: InodeId,
    /// True if contents or target differ; always true unless the kind is [`ChangeKind::Changed`].
    pub contents: bool,
}

/// The two versions, and the directories below which something differs.
struct VersionComparison<'a, B> {
    new: Fs<B>,
    base: Fs<B>,
    ctx: FsContext<'a>,
    dirty: everett_base::Set<InodeId>,
    /// The paths that are still to be looked at, the next one last.
    tasks: Vec<ComparisonTask>,
    changes: Vec<PathChange>,
}

/// A path to look at: it is in both versions, or only in the newer one, or only in the older one.
enum ComparisonTask {
    Compare { new: InodeId, base: InodeId, path: Vec<u8> },
    Created { inode: InodeId, path: Vec<u8> },
    Deleted { inode: InodeId, path: Vec<u8> },
}

impl<B: FileByte> Fs<B> {
    /// The paths that were created, changed or deleted since `base`, an earlier version of this file
    /// system, each directory before what is in it. Costs what both versions changed of the host,
    /// plus what is in directories that were created or deleted.
    pub fn changes(&self, base: &Fs<B>) -> Result<Vec<PathChange>> {
        let cred = Credentials::root();
        let ctx = FsContext::new(self.root(), &cred);
        let dirty = everett_base::Set::default();
        // Looking gives the host's entries numbers, which these versions must not notice.
        let (new, base) = (self.clone(), base.clone());
        let first =
            ComparisonTask::Compare { new: self.root(), base: self.root(), path: b"/".to_vec() };
        let (tasks, changes) = (vec![first], Vec::new());
        let mut comparison = VersionComparison { new, base, ctx, dirty, tasks, changes };
        comparison.mark();
        while let Some(task) = comparison.tasks.pop() {
            comparison.visit(task)?;
        }
        Ok(comparison.changes)
    }
}

impl<B: FileByte> VersionComparison<'_, B> {
    /// Finds the inodes whose records differ, and the directories above them.
    fn mark(&mut self) {
        let VersionComparison { new, base, dirty, .. } = self;
        for (fs, other) in [(&*new, &*base), (&*base, &*new)] {
            for (key, record) in fs.inodes.iter() {
                let same = |other| std::sync::Arc::ptr_eq(record, other);
                if other.inodes.get(key).is_some_and(same) {
                    continue;
                }
                let inode = InodeId(key as u32);
                mark_with_parents(fs, dirty, inode);
                // The host's name of it may be there still, beside the one it is known by.
                if let Some((range, _)) = fs.range_of(inode) {
                    mark_with_parents(fs, dirty, range.dir);
                }
            }
        }
        self.mark_other_names();
    }

    /// Marks the directories that hold further names of changed files.
    fn mark_other_names(&mut self) {
        let VersionComparison { new, dirty, .. } = self;
        let is_changed = |inode: InodeId| {
            let meta = new.meta(inode);
            dirty.contains(&inode)
                && meta.is_ok_and(|meta| meta.nlink > 1 && meta.kind != InodeKind::Directory)
        };
        if !dirty.iter().any(|inode| is_changed(*inode)) {
            return;
        }
        let mut found = Vec::new();
        for (key, record) in new.inodes.iter() {
            if let InodeNode::Dir(dir) = &record.node
                && dir.private_entries().any(|(_, entry)| is_changed(entry.inode))
            {
                found.push(InodeId(key as u32));
            }
        }
        found.into_iter().for_each(|dir| mark_with_parents(new, dirty, dir));
    }

    /// Looks at one path; what is below it is looked at next, in order.
    fn visit(&mut self, task: ComparisonTask) -> Result<()> {
        match task {
            ComparisonTask::Compare { new, base, path } => return self.compare(new, base, &path),
            ComparisonTask::Created { inode, path } => {
                let kind = self.new.kind(inode)?;
                self.report(&path, ChangeKind::Created, kind, inode, true);
                let below = self.all_created(inode, &path)?;
                self.next(below);
            }
            ComparisonTask::Deleted { inode, path } => {
                let kind = self.base.kind(inode)?;
                self.report(&path, ChangeKind::Deleted, kind, inode, true);
                let below = self.all_deleted(inode, &path)?;
                self.next(below);
            }
        }
        Ok(())
    }

    /// Compares what a path leads to in both versions.
    fn compare(&mut self, new: InodeId, base: InodeId, path: &[u8]) -> Result<()> {
        let (now, before) = (self.new.meta(new)?, self.base.meta(base)?);
        if now.kind != before.kind {
            self.report(path, ChangeKind::Changed, now.kind, new, true);
            let mut below = self.all_deleted(base, path)?;
            below.extend(self.all_created(new, path)?);
            self.next(below);
            return Ok(());
        }
        let key = |meta: &InodeMeta| (meta.mode, meta.uid, meta.gid, meta.device, meta.tag);
        let contents = !self.same_contents(new, base)?;
        if contents || key(&now) != key(&before) {
            self.report(path, ChangeKind::Changed, now.kind, new, contents);
        }
        if now.kind != InodeKind::Directory {
            return Ok(());
        }
        let mut tasks = Vec::new();
        for entry in self.base.entries(base)? {
            if self.new.lookup(new, &entry.name)?.is_none() {
                tasks.push(ComparisonTask::Deleted {
                    inode: entry.inode,
                    path: below(path, &entry.name),
                });
            }
        }
        for entry in self.new.entries(new)? {
            let found = self.base.lookup(base, &entry.name)?;
            if found == Some(entry.inode) && !self.dirty.contains(&entry.inode) {
                continue;
            }
            let (inode, path) = (entry.inode, below(path, &entry.name));
            tasks.push(match found {
                None => ComparisonTask::Created { inode, path },
                Some(base) => ComparisonTask::Compare { new: inode, base, path },
            });
        }
        self.next(tasks);
        Ok(())
    }

    /// Puts tasks in front of those that wait, in this order.
    fn next(&mut self, tasks: Vec<ComparisonTask>) {
        self.tasks.extend(tasks.into_iter().rev());
    }

    fn all_created(&mut self, dir: InodeId, path: &[u8]) -> Result<Vec<ComparisonTask>> {
        let is_dir = self.new.is_dir(dir)?;
        let entries = if is_dir { self.new.entries(dir)? } else { Vec::new() };
        let task = |entry: DirEntry| ComparisonTask::Created {
            inode: entry.inode,
            path: below(path, &entry.name),
        };
        Ok(entries.into_iter().map(task).collect())
    }

    fn all_deleted(&mut self, dir: InodeId, path: &[u8]) -> Result<Vec<ComparisonTask>> {
        let is_dir = self.base.is_dir(dir)?;
        let entries = if is_dir { self.base.entries(dir)? } else { Vec::new() };
        let task = |entry: DirEntry| ComparisonTask::Deleted {
            inode: entry.inode,
            path: below(path, &entry.name),
        };
        Ok(entries.into_iter().map(task).collect())
    }

    fn report(
        &mut self,
        path: &[u8],
        kind: ChangeKind,
        node: InodeKind,
        inode: InodeId,
        contents: bool,
    ) {
        self.changes.push(PathChange { path: path.to_vec(), kind, node, inode, contents });
    }

    /// Returns whether two inodes of one kind have the same bytes or target. Entries of directories are
    /// compared one by one elsewhere.
    fn same_contents(&self, new: InodeId, base: InodeId) -> Result<bool> {
        match self.new.kind(new)? {
            InodeKind::File => {}
            InodeKind::Symlink => {
                let is_magic = |fs: &Fs<B>, inode| {
                    Ok(matches!(fs.view(inode)?, InodeView::Private(record)
                        if matches!(record.node, InodeNode::MagicLink)))
                };
                let magic = (is_magic(&self.new, new)?, is_magic(&self.base, base)?);
                if magic != (false, false) {
                    return Ok(magic == (true, true));
                }
                return Ok(
                    self.new.readlink(&self.ctx, new)? == self.base.readlink(&self.ctx, base)?
                );
            }
            _ => return Ok(true),
        }
        let size = self.new.meta(new)?.size;
        if size != self.base.meta(base)?.size {
            return Ok(false);
        }
        let (now, before) = (self.new.content(new)?, self.base.content(base)?);
        now.same_bytes(&before, &self.new.host, size)
    }
}

/// Marks an inode and, as far as they are not, the directories above it.
fn mark_with_parents<B: FileByte>(
    fs: &Fs<B>,
    dirty: &mut everett_base::Set<InodeId>,
    inode: InodeId,
) {
    let mut at = inode;
    while dirty.insert(at)
        && let Ok(Some(home)) = fs.home(at)
    {
        at = home.dir;
    }
}

fn below(path: &[u8], name: &[u8]) -> Vec<u8> {
    let mut path = path.to_vec();
    push(&mut path, name);
    path
}
