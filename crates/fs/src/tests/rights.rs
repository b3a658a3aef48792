//! Permissions where the host's cannot be compared: read-only trees, protected links.

use super::TestWorld;
use crate::{AccessMode, Credentials, FsError, OpenHow, RenameMode, S_ISGID, S_ISUID, TimeChange};

#[test]
fn a_read_only_file_system_refuses_every_change() {
    let mut world = TestWorld::new();
    let file = world.put("/a", "x");
    let dir = world.mkdir("/d").unwrap();
    world.fs.set_read_only(true);
    let write = OpenHow { write: true, ..OpenHow::default() };
    assert_eq!(world.open("/a", write), Err(FsError::ReadOnly));
    assert_eq!(world.open("/new", OpenHow { create: true, ..write }), Err(FsError::ReadOnly));
    assert_eq!(
        world.open("/a", OpenHow { truncate: true, ..OpenHow::default() }),
        Err(FsError::ReadOnly)
    );
    assert_eq!(world.write(file, 0, b"y"), Err(FsError::ReadOnly));
    assert_eq!(world.truncate(file, 0), Err(FsError::ReadOnly));
    assert_eq!(world.mkdir("/d"), Err(FsError::Exists), "that comes first");
    assert_eq!(world.mkdir("/e"), Err(FsError::ReadOnly));
    assert_eq!(world.unlink("/missing"), Err(FsError::ReadOnly), "that comes first");
    assert_eq!(world.rmdir("/d"), Err(FsError::ReadOnly));
    assert_eq!(world.link("/a", "/b"), Err(FsError::ReadOnly));
    assert_eq!(world.symlink("a", "/b"), Err(FsError::ReadOnly));
    assert_eq!(world.rename("/a", "/b"), Err(FsError::ReadOnly));
    assert_eq!(world.call(|fs, ctx| fs.chmod(ctx, file, 0)), Err(FsError::ReadOnly));
    assert_eq!(world.call(|fs, ctx| fs.chown(ctx, file, None, None)), Err(FsError::ReadOnly));
    let times = |world: &mut TestWorld, change| {
        world.call(|fs, ctx| fs.set_times(ctx, file, change, change))
    };
    assert_eq!(times(&mut world, TimeChange::Now), Err(FsError::ReadOnly));
    assert_eq!(world.call(|fs, ctx| fs.punch(ctx, file, 0, 1)), Err(FsError::ReadOnly));
    world.fs.accessed(file, 10_000).unwrap();
    let root = Credentials::root();
    assert_eq!(world.fs.permission(dir, AccessMode::WRITE, &root), Err(FsError::ReadOnly));
    assert_eq!(world.fs.permission(dir, AccessMode::READ, &root), Ok(()));
    assert!(world.open("/a", OpenHow { read: true, ..OpenHow::default() }).is_ok());
    world.fs.set_read_only(false);
    assert_eq!(world.text("/a").unwrap(), "x");
    assert_ne!(world.fs.stat(file).unwrap().atime, 10_000);
}

#[test]
fn links_of_others_in_shared_directories_are_protected() {
    let mut world = TestWorld::new();
    let tmp = world.mkdir("/tmp").unwrap();
    world.call(|fs, ctx| fs.chmod(ctx, tmp, 0o1777)).unwrap();
    let secret = world.put("/tmp/secret", "x");
    world.become_user(1000);
    assert_eq!(world.link("/tmp/secret", "/tmp/mine"), Err(FsError::NotPermitted));
    world.symlink("secret", "/tmp/link").unwrap();
    assert_eq!(world.text("/tmp/link").unwrap(), "x", "one's own link");
    world.become_user(1001);
    assert_eq!(world.find("/tmp/link"), Err(FsError::Access));
    assert_eq!(world.unlink("/tmp/link"), Err(FsError::NotPermitted), "sticky");
    world.become_user(0);
    world.call(|fs, ctx| fs.chmod(ctx, secret, 0o666)).unwrap();
    world.become_user(1001);
    let create = OpenHow { write: true, create: true, ..OpenHow::default() };
    assert!(world.open("/tmp/secret", create).is_ok(), "the directory's owner made it");
    world.become_user(1000);
    let shared = world.put("/tmp/shared", "x");
    world.call(|fs, ctx| fs.chmod(ctx, shared, 0o666)).unwrap();
    world.become_user(1001);
    assert_eq!(world.open("/tmp/shared", create), Err(FsError::Access));
    assert!(world.open("/tmp/shared", OpenHow { create: false, ..create }).is_ok());
}

#[test]
fn times_are_for_owners_and_writers() {
    let mut world = TestWorld::new();
    let file = world.put("/a", "x");
    world.call(|fs, ctx| fs.chmod(ctx, file, 0o622)).unwrap();
    let at = TimeChange::At(-5);
    world.call(|fs, ctx| fs.set_times(ctx, file, at, TimeChange::Keep)).unwrap();
    let stat = world.fs.stat(file).unwrap();
    assert_eq!((stat.atime, stat.ctime), (-5, world.now));
    world.become_user(1000);
    let (now, keep) = (TimeChange::Now, TimeChange::Keep);
    assert_eq!(world.call(|fs, ctx| fs.set_times(ctx, file, at, at)), Err(FsError::NotPermitted));
    assert_eq!(
        world.call(|fs, ctx| fs.set_times(ctx, file, now, keep)),
        Err(FsError::NotPermitted)
    );
    assert_eq!(world.call(|fs, ctx| fs.set_times(ctx, file, now, now)), Ok(()));
    assert_eq!(world.call(|fs, ctx| fs.set_times(ctx, file, keep, keep)), Ok(()));
    world.become_user(0);
    world.call(|fs, ctx| fs.chmod(ctx, file, 0o600)).unwrap();
    world.become_user(1000);
    assert_eq!(world.call(|fs, ctx| fs.set_times(ctx, file, now, now)), Err(FsError::Access));
    let how = OpenHow { path_only: true, ..OpenHow::default() };
    assert_eq!(world.open("/a", how), Ok(file), "a path needs no rights");
}

#[test]
fn privileges_end_with_a_change_by_somebody_else() {
    let mut world = TestWorld::new();
    let file = world.put("/a", "x");
    let both = S_ISUID | S_ISGID;
    world.call(|fs, ctx| fs.chmod(ctx, file, both | 0o777)).unwrap();
    world.write(file, 0, b"y").unwrap();
    assert_eq!(world.fs.stat(file).unwrap().mode & both, both, "user 0 may");
    world.become_user(1000);
    world.write(file, 0, b"y").unwrap();
    assert_eq!(world.fs.stat(file).unwrap().mode, 0o777);
}

#[test]
fn exchanging_needs_both_and_keeps_the_counts() {
    let mut world = TestWorld::new();
    for dir in ["/a", "/b", "/b/sub"] {
        world.mkdir(dir).unwrap();
    }
    let file = world.put("/a/file", "x");
    let swap = |world: &mut TestWorld, old: &[u8], new: &[u8]| {
        world.call(|fs, ctx| fs.rename(ctx, old, ctx, new, RenameMode::Exchange))
    };
    assert_eq!(swap(&mut world, b"/a/file", b"/none"), Err(FsError::NotFound));
    assert_eq!(swap(&mut world, b"/b", b"/b/sub"), Err(FsError::Invalid));
    assert_eq!(swap(&mut world, b"/b/sub", b"/b"), Err(FsError::Invalid));
    assert_eq!(swap(&mut world, b"/a/file", b"/b/sub"), Ok(()));
    assert_eq!(world.find("/b/sub"), Ok(file));
    let links = |world: &mut TestWorld, path: &str| {
        let inode = world.find(path).unwrap();
        world.fs.stat(inode).unwrap().nlink
    };
    assert_eq!((links(&mut world, "/a"), links(&mut world, "/b")), (3, 2));
    let moved = world.find("/a/file").unwrap();
    assert_eq!(world.fs.path_of(moved, world.fs.root()).unwrap(), b"/a/file");
}
