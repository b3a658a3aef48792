//! Files after a crash.

use super::TestWorld;
use crate::{CrashSurvival, FsError};

impl TestWorld {
    fn sync(&mut self, path: &str) {
        let inode = self.find(path).unwrap();
        self.fs.sync(inode).unwrap();
        assert!(self.fs.is_synced(inode));
    }

    fn crash(&self) -> TestWorld {
        TestWorld { fs: self.fs.after_crash().unwrap(), ..self.clone() }
    }

    fn crash_with(&self, survival: CrashSurvival) -> TestWorld {
        TestWorld { fs: self.fs.after_crash_with(survival).unwrap(), ..self.clone() }
    }
}

#[test]
fn what_is_not_synced_is_lost() {
    let mut world = TestWorld::new();
    world.mkdir("/d").unwrap();
    let old = world.put("/d/old", "before");
    world.fs.sync_all();
    world.write(old, 0, b"behind").unwrap();
    world.put("/d/new", "x");
    assert!(!world.fs.is_synced(old));
    let mut crashed = world.crash();
    assert_eq!(crashed.text("/d/old").unwrap(), "before");
    assert_eq!(crashed.names("/d"), ["old"]);
    world.sync("/d/old");
    world.sync("/d/new");
    let mut crashed = world.crash();
    assert_eq!(crashed.text("/d/old").unwrap(), "behind");
    assert_eq!(crashed.find("/d/new"), Err(FsError::NotFound), "its directory was not synced");
    world.sync("/d");
    assert_eq!(world.crash().text("/d/new").unwrap(), "x");
    assert_eq!(world.text("/d/new").unwrap(), "x", "the version that crashed is as it was");
}

#[test]
fn a_synced_name_of_an_unsynced_file_is_empty() {
    let mut world = TestWorld::new();
    world.put("/a", "contents");
    world.sync("/");
    let mut crashed = world.crash();
    assert_eq!(crashed.text("/a").unwrap(), "");
    let stats = crashed.fs.statfs();
    assert_eq!(stats.blocks_free, stats.blocks);
    crashed.put("/b", "works");
    assert_eq!(crashed.text("/b").unwrap(), "works");
}

#[test]
fn an_unsynced_removal_comes_back() {
    let mut world = TestWorld::new();
    world.put("/a", "contents");
    world.link("/a", "/b").unwrap();
    world.fs.sync_all();
    world.unlink("/a").unwrap();
    world.unlink("/b").unwrap();
    let mut crashed = world.crash();
    assert_eq!(crashed.text("/a").unwrap(), "contents");
    let inode = crashed.find("/b").unwrap();
    assert_eq!(crashed.fs.stat(inode).unwrap().nlink, 2);
}

#[test]
fn replacing_by_rename_needs_both_syncs() {
    let mut world = TestWorld::new();
    world.put("/a", "old");
    world.fs.sync_all();
    world.put("/tmp", "new");
    world.rename("/tmp", "/a").unwrap();
    world.sync("/");
    assert_eq!(world.crash().text("/a").unwrap(), "", "the famous empty file");
    let mut careful = TestWorld::new();
    careful.put("/a", "old");
    careful.fs.sync_all();
    careful.put("/tmp", "new");
    careful.sync("/tmp");
    careful.rename("/tmp", "/a").unwrap();
    let mut crashed = careful.crash();
    assert_eq!(crashed.text("/a").unwrap(), "old");
    careful.sync("/");
    assert_eq!(careful.crash().text("/a").unwrap(), "new");
}

#[test]
fn a_directory_that_moved_halfway_is_at_one_place() {
    let mut world = TestWorld::new();
    for dir in ["/a", "/a/d", "/b"] {
        world.mkdir(dir).unwrap();
    }
    world.put("/a/d/f", "x");
    world.fs.sync_all();
    world.rename("/a/d", "/b/d").unwrap();
    world.sync("/b");
    let mut crashed = world.crash();
    let found = ["/a/d/f", "/b/d/f"].map(|path| crashed.find(path).is_ok());
    assert_eq!(found.iter().filter(|found| **found).count(), 1);
    let host_dir = crashed.find(if found[0] { "/a/d" } else { "/b/d" }).unwrap();
    assert_eq!(crashed.fs.stat(host_dir).unwrap().nlink, 2);
}

#[test]
fn only_the_data_can_be_synced() {
    let mut world = TestWorld::new();
    let file = world.put("/a", "old");
    world.fs.sync_all();
    world.write(file, 0, b"new contents").unwrap();
    world.call(|fs, ctx| fs.chmod(ctx, file, 0o600)).unwrap();
    world.fs.sync_data(file).unwrap();
    let mut crashed = world.crash();
    assert_eq!(crashed.text("/a").unwrap(), "new contents");
    assert_eq!(crashed.fs.stat(file).unwrap().mode, 0o644);
}

#[test]
fn host_files_survive_and_their_changes_do_if_synced() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["a", "b", "c", "d"] {
        std::fs::write(dir.path().join(name), "host").unwrap();
    }
    let mut world = TestWorld::new();
    world.fs.mount_host(dir.path(), b"/m", crate::MountOptions::default(), 0).unwrap();
    world.fs.sync_all();
    for path in ["/m/a", "/m/b"] {
        let inode = world.find(path).unwrap();
        world.write(inode, 0, b"mine").unwrap();
    }
    world.sync("/m/b");
    world.unlink("/m/c").unwrap();
    world.link("/m/d", "/d").unwrap();
    world.sync("/");
    let mut crashed = world.crash();
    assert_eq!(crashed.text("/m/a").unwrap(), "host");
    assert_eq!(crashed.text("/m/b").unwrap(), "mine");
    assert_eq!(crashed.text("/m/c").unwrap(), "host");
    assert_eq!(crashed.text("/d").unwrap(), "host");
    let inode = crashed.find("/d").unwrap();
    assert_eq!(crashed.find("/m/d"), Ok(inode));
    assert_eq!(crashed.fs.stat(inode).unwrap().nlink, 2);
    world.sync("/m");
    assert_eq!(world.crash().names("/m"), ["a", "b", "d"]);
}

#[test]
fn a_crash_may_leave_names_or_contents_or_both() {
    let mut world = TestWorld::new();
    let old = world.put("/old", "before");
    world.fs.sync_all();
    world.write(old, 0, b"behind").unwrap();
    world.put("/new", "x");
    let left = |survival| {
        let mut crashed = world.crash_with(survival);
        (crashed.text("/old").unwrap(), crashed.text("/new").ok())
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(left(CrashSurvival::Nothing), ("before".to_owned(), None));
    assert_eq!(left(CrashSurvival::Everything), ("behind".to_owned(), some("x")));
    assert_eq!(left(CrashSurvival::Names), ("before".to_owned(), some("")));
    assert_eq!(left(CrashSurvival::Contents), ("behind".to_owned(), None));
}

#[test]
fn the_last_change_may_be_missing_or_torn() {
    let mut world = TestWorld::new();
    let (log, other) = (world.put("/log", ""), world.put("/other", ""));
    world.fs.sync_all();
    world.write(log, 0, b"first ").unwrap();
    let before = world.fs.clone();
    world.write(log, 6, b"second").unwrap();
    world.write(other, 0, b"synced").unwrap();
    world.sync("/other");
    let crashed = |fs: crate::Fs<_>| {
        let fs = fs.after_crash_with(CrashSurvival::Everything).unwrap();
        let mut crashed = TestWorld { fs, ..world.clone() };
        assert_eq!(crashed.text("/other").unwrap(), "synced", "it was synced since then");
        crashed.text("/log").unwrap()
    };
    assert_eq!(crashed(world.fs.without_changes_since(&before)), "first ");
    assert_eq!(crashed(world.fs.with_torn_write(&before, log, 6, 3).unwrap()), "first sec");
    assert!(!world.fs.is_unchanged_since(&before));
    let durable = world.fs.durable();
    world.sync("/other");
    assert!(world.fs.durable().is_same(&durable), "nothing was left to sync");
    world.sync("/log");
    assert!(!world.fs.durable().is_same(&durable));
    let after = world.fs.without_changes_since(&before).after_crash().unwrap();
    assert_eq!(TestWorld { fs: after, ..world.clone() }.text("/log").unwrap(), "first second");
}
