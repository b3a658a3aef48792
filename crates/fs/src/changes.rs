//! What differs between two versions of a file system.
//!
//! Only inodes whose records differ are looked at, and the directories above them, so it costs what
//! was changed and not what there is.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::Result;
use crate::byte::Byte;
use crate::content::Content;
use crate::fs::{Fs, InodeId, View};
use crate::inode::{Meta, Node};
use crate::names::push;
use crate::stat::Kind;

/// A name that leads to something else than before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The absolute path.
    pub path: Vec<u8>,
    /// What is there now; nothing if it was removed. Of what was removed, only the topmost name is
    /// told; of a new directory, also everything below.
    pub now: Option<InodeId>,
}

impl<B: Byte> Fs<B> {
    /// The names that differ from an earlier version of this file system, in the order of
    /// directories: files with other contents or rights, and what was added or removed. That
    /// something was only looked at does not count.
    pub fn changes(&self, before: &Fs<B>) -> Result<Vec<Change>> {
        // Looking gives the host's entries numbers, which neither version must notice.
        let mut walk = Walk {
            touched: self.touched(before)?,
            now: self.clone(),
            before: before.clone(),
            changes: Vec::new(),
        };
        walk.directory(self.root(), b"/")?;
        Ok(walk.changes)
    }

    /// Inodes whose record is not the same, and those of all directories above.
    fn touched(&self, before: &Fs<B>) -> Result<BTreeSet<InodeId>> {
        let mut touched = BTreeSet::new();
        for (key, record) in self.inodes.iter() {
            if before.inodes.get(key).is_some_and(|old| Arc::ptr_eq(old, record)) {
                continue;
            }
            let mut at = Some(InodeId(key as u32));
            while let Some(inode) = at {
                if !touched.insert(inode) {
                    break;
                }
                // What has lost its name is not above or below anything.
                at = self.home(inode)?.map(|home| home.dir);
            }
        }
        Ok(touched)
    }

    /// What decides whether a file counts as changed, but for the contents.
    fn outside(&self, inode: InodeId) -> Result<(Kind, u32, u32, u32, u64)> {
        let Meta { kind, mode, uid, gid, size, .. } = self.meta(inode)?;
        Ok((kind, mode, uid, gid, size))
    }

    /// The contents of a file, or where a link leads.
    fn inside(&self, inode: InodeId) -> Result<(Option<Content<B>>, Option<Arc<[u8]>>)> {
        Ok(match self.view(inode)? {
            View::Private(record) => match &record.node {
                Node::File(content) => (Some(content.clone()), None),
                Node::Symlink(target) => (None, Some(target.clone())),
                Node::Dir(_) | Node::MagicLink | Node::Special => (None, None),
            },
            View::Host { file, .. } => match self.kind(inode)? {
                Kind::File => (Some(Content::of_host(file, self.host.meta(file)?.size)), None),
                Kind::Symlink => (None, Some(self.host.target(file)?)),
                _ => (None, None),
            },
        })
    }
}

struct Walk<B> {
    now: Fs<B>,
    before: Fs<B>,
    touched: BTreeSet<InodeId>,
    changes: Vec<Change>,
}

impl<B: Byte> Walk<B> {
    /// Compares a directory that both versions have.
    fn directory(&mut self, dir: InodeId, path: &[u8]) -> Result<()> {
        if !self.touched.contains(&dir) {
            return Ok(());
        }
        let old: BTreeMap<Arc<[u8]>, InodeId> =
            self.before.entries(dir)?.into_iter().map(|e| (e.name, e.inode)).collect();
        let new: BTreeMap<Arc<[u8]>, InodeId> =
            self.now.entries(dir)?.into_iter().map(|e| (e.name, e.inode)).collect();
        for name in old.keys().filter(|name| !new.contains_key(*name)) {
            self.changes.push(Change { path: below(path, name), now: None });
        }
        for (name, inode) in new {
            let path = below(path, &name);
            match old.get(&name) {
                Some(same) if *same == inode => self.entry(inode, &path)?,
                _ => self.added(inode, path)?,
            }
        }
        Ok(())
    }

    /// Compares an inode that both versions have under the same name.
    fn entry(&mut self, inode: InodeId, path: &[u8]) -> Result<()> {
        if !self.touched.contains(&inode) {
            return Ok(());
        }
        let (old, new) = (self.before.outside(inode)?, self.now.outside(inode)?);
        if new.0 == Kind::Directory {
            if (old.1, old.2, old.3) != (new.1, new.2, new.3) {
                self.changes.push(Change { path: path.to_vec(), now: Some(inode) });
            }
            return self.directory(inode, path);
        }
        let (old_inside, new_inside) = (self.before.inside(inode)?, self.now.inside(inode)?);
        let same = match (&old_inside.0, &new_inside.0) {
            (Some(old), Some(new)) => old.same_version(new),
            (old, new) => old.is_none() && new.is_none(),
        };
        if old != new || !same || old_inside.1 != new_inside.1 {
            self.changes.push(Change { path: path.to_vec(), now: Some(inode) });
        }
        Ok(())
    }

    /// Tells of everything under a new name.
    fn added(&mut self, inode: InodeId, path: Vec<u8>) -> Result<()> {
        let mut todo = vec![(inode, path)];
        while let Some((inode, path)) = todo.pop() {
            if self.now.is_dir(inode)? {
                let entries = self.now.entries(inode)?;
                let entries = entries.into_iter().rev();
                todo.extend(entries.map(|entry| (entry.inode, below(&path, &entry.name))));
            }
            self.changes.push(Change { path, now: Some(inode) });
        }
        Ok(())
    }
}

fn below(path: &[u8], name: &[u8]) -> Vec<u8> {
    let mut path = path.to_vec();
    push(&mut path, name);
    path
}

#[cfg(test)]
mod tests {
    use crate::{Context, Credentials, Follow, Fs, FsOptions, OpenHow, RenameMode};

    fn told(fs: &Fs<u8>, before: &Fs<u8>) -> Vec<String> {
        let changes = fs.changes(before).unwrap();
        let sign = |there: bool| if there { '+' } else { '-' };
        let line = |change: &super::Change| {
            format!("{}{}", sign(change.now.is_some()), String::from_utf8_lossy(&change.path))
        };
        changes.iter().map(line).collect()
    }

    #[test]
    fn changes_are_told_and_nothing_else() {
        let mut fs: Fs<u8> = Fs::new(FsOptions::default());
        let cred = Credentials::root();
        let ctx = Context::new(fs.root(), &cred);
        let how = OpenHow { write: true, create: true, mode: 0o644, ..OpenHow::default() };
        fs.make_dirs(b"/d/e", 0o755, 0).unwrap();
        for path in ["/d/a", "/d/b", "/d/e/c", "/d/gone", "/same"] {
            let file = fs.open(&ctx, path.as_bytes(), &how).unwrap().inode;
            fs.write_bytes(&ctx, file, 0, b"text").unwrap();
        }
        let before = fs.clone();
        assert_eq!(told(&fs, &before), [""; 0]);
        let same = fs.resolve_known(&ctx, b"/same");
        fs.accessed(same, 77).unwrap();
        assert_eq!(told(&fs, &before), [""; 0]);
        let a = fs.resolve_known(&ctx, b"/d/a");
        fs.write_bytes(&ctx, a, 1, b"E").unwrap();
        let b = fs.resolve_known(&ctx, b"/d/b");
        fs.chmod(&ctx, b, 0o600).unwrap();
        fs.unlink(&ctx, b"/d/gone").unwrap();
        fs.symlink(&ctx, b"a", b"/d/link").unwrap();
        assert_eq!(told(&fs, &before), ["-/d/gone", "+/d/a", "+/d/b", "+/d/link"]);
        fs.rename(&ctx, b"/d/e", &ctx, b"/new", RenameMode::Replace).unwrap();
        let moved = ["-/d/e", "-/d/gone", "+/d/a", "+/d/b", "+/d/link", "+/new", "+/new/c"];
        assert_eq!(told(&fs, &before), moved);
    }

    impl Fs<u8> {
        fn resolve_known(&mut self, ctx: &Context<'_>, path: &[u8]) -> crate::InodeId {
            self.resolve(ctx, path, Follow::Yes).unwrap()
        }
    }
}
