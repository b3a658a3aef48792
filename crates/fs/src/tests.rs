//! Behaviour that random sequences against the host do not reach: mounts, versions, holes, quotas,
//! reading directories while they change, crashes, and limits.

mod changes;
mod crash;
mod data;
mod listing;
mod mounts;
mod names;
mod portable;
mod rights;

use crate::{
    Credentials, FollowLinks, Fs, FsContext, FsError, FsOptions, InodeId, OpenHow, RenameMode,
    Result,
};

/// A file system and somebody who uses it.
#[derive(Clone)]
struct TestWorld {
    fs: Fs<TestByte>,
    cred: Credentials,
    now: i64,
}

/// A byte or something unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TestByte {
    Known(u8),
    Unknown(u32),
}

everett_base::portable!(enum TestByte { 0 = Known(byte), 1 = Unknown(number) });

impl From<u8> for TestByte {
    fn from(byte: u8) -> TestByte {
        TestByte::Known(byte)
    }
}

impl TryFrom<TestByte> for u8 {
    type Error = ();

    fn try_from(cell: TestByte) -> Result<u8, ()> {
        match cell {
            TestByte::Known(byte) => Ok(byte),
            TestByte::Unknown(_) => Err(()),
        }
    }
}

impl TestWorld {
    fn new() -> TestWorld {
        TestWorld::with(FsOptions::default())
    }

    fn with(options: FsOptions) -> TestWorld {
        TestWorld { fs: Fs::new(options), cred: Credentials::root(), now: 1 }
    }

    /// Does something as this user, at the next point in time.
    fn call<T>(
        &mut self,
        act: impl FnOnce(&mut Fs<TestByte>, &FsContext<'_>) -> Result<T>,
    ) -> Result<T> {
        self.now += 1;
        let ctx = FsContext { now: self.now, ..FsContext::new(self.fs.root(), &self.cred) };
        act(&mut self.fs, &ctx)
    }

    fn become_user(&mut self, uid: u32) {
        self.cred = Credentials::new(uid, uid);
    }

    fn mkdir(&mut self, path: &str) -> Result<InodeId> {
        self.call(|fs, ctx| fs.mkdir(ctx, path.as_bytes(), 0o755))
    }

    fn open(&mut self, path: &str, how: OpenHow) -> Result<InodeId> {
        self.call(|fs, ctx| fs.open(ctx, path.as_bytes(), &how)).map(|opened| opened.inode)
    }

    /// A file with these contents.
    fn put(&mut self, path: &str, contents: &str) -> InodeId {
        let how = OpenHow {
            write: true,
            create: true,
            truncate: true,
            mode: 0o644,
            ..OpenHow::default()
        };
        let inode = self.open(path, how).unwrap();
        if !contents.is_empty() {
            self.write(inode, 0, contents.as_bytes()).unwrap();
        }
        inode
    }

    fn write(&mut self, inode: InodeId, offset: u64, bytes: &[u8]) -> Result<usize> {
        self.call(|fs, ctx| fs.write_bytes(ctx, inode, offset, bytes))
    }

    fn truncate(&mut self, inode: InodeId, size: u64) -> Result<()> {
        self.call(|fs, ctx| fs.truncate(ctx, inode, size))
    }

    fn symlink(&mut self, target: &str, path: &str) -> Result<InodeId> {
        self.call(|fs, ctx| fs.symlink(ctx, target.as_bytes(), path.as_bytes()))
    }

    fn link(&mut self, old: &str, new: &str) -> Result<InodeId> {
        self.call(|fs, ctx| fs.link(ctx, old.as_bytes(), FollowLinks::No, ctx, new.as_bytes()))
    }

    fn unlink(&mut self, path: &str) -> Result<()> {
        self.call(|fs, ctx| fs.unlink(ctx, path.as_bytes()))
    }

    fn rmdir(&mut self, path: &str) -> Result<()> {
        self.call(|fs, ctx| fs.rmdir(ctx, path.as_bytes()))
    }

    fn rename(&mut self, old: &str, new: &str) -> Result<()> {
        self.call(|fs, ctx| {
            fs.rename(ctx, old.as_bytes(), ctx, new.as_bytes(), RenameMode::Replace)
        })
    }

    fn find(&mut self, path: &str) -> Result<InodeId> {
        self.call(|fs, ctx| fs.resolve(ctx, path.as_bytes(), FollowLinks::Yes))
    }

    /// The contents of a file, which must be concrete text.
    fn text(&mut self, path: &str) -> Result<String> {
        let inode = self.find(path)?;
        self.text_of(inode)
    }

    fn text_of(&self, inode: InodeId) -> Result<String> {
        let mut bytes = vec![0; self.fs.stat(inode)?.size as usize];
        let len = self.fs.read_concrete(inode, 0, &mut bytes)?.expect("the file is concrete");
        assert_eq!(len, bytes.len());
        Ok(String::from_utf8(bytes).unwrap())
    }

    /// The names in a directory, in its order.
    fn names(&mut self, path: &str) -> Vec<String> {
        let dir = self.find(path).unwrap();
        let entries = self.fs.entries(dir).unwrap();
        entries.iter().map(|entry| String::from_utf8(entry.name.to_vec()).unwrap()).collect()
    }
}

#[test]
fn errors_have_the_numbers_of_linux() {
    assert_eq!(FsError::NotFound.errno(), 2);
    assert_eq!(FsError::Loop.errno(), 40);
    assert_eq!(FsError::NotEmpty.to_string(), "directory not empty");
}

#[test]
fn versions_can_be_used_by_several_threads() {
    fn check<T: Send + Sync>() {}
    check::<Fs<u8>>();
}
