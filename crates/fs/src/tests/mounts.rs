//! Files of the host.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use super::TestWorld;
use crate::{
    ChangeKind, FsError, FsOptions, HostFiles, HostOwner, HostTrouble, InodeKind, MountOptions,
    OpenHow, PathLimits,
};

/// A directory of the host with some files, shown at `/m`.
fn mounted() -> (tempfile::TempDir, TestWorld) {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    fs::create_dir_all(root.join("sub/deep")).unwrap();
    fs::write(root.join("b.txt"), "text of b").unwrap();
    fs::write(root.join("a.txt"), "text of a").unwrap();
    fs::write(root.join("big"), pattern(300_000)).unwrap();
    fs::write(root.join("sub/deep/file"), "deep").unwrap();
    symlink("sub/deep", root.join("link")).unwrap();
    fs::set_permissions(root.join("a.txt"), fs::Permissions::from_mode(0o640)).unwrap();
    let mut world = TestWorld::new();
    mount(&mut world, root, "/m", MountOptions::default()).unwrap();
    (dir, world)
}

fn mount(
    world: &mut TestWorld,
    host: &Path,
    guest: &str,
    options: MountOptions,
) -> crate::Result<()> {
    world.fs.mount_host(host, guest.as_bytes(), options, 1).map(drop)
}

fn pattern(len: usize) -> Vec<u8> {
    (0..len).map(|n| (n / 7 % 251) as u8).collect()
}

#[test]
fn host_files_are_seen_as_they_are() {
    let (_dir, mut world) = mounted();
    assert_eq!(world.names("/m"), ["a.txt", "b.txt", "big", "link", "sub"]);
    assert_eq!(world.text("/m/a.txt").unwrap(), "text of a");
    assert_eq!(world.text("/m/link/file").unwrap(), "deep");
    let inode = world.find("/m/a.txt").unwrap();
    let stat = world.fs.stat(inode).unwrap();
    assert_eq!((stat.kind, stat.mode, stat.uid, stat.size), (InodeKind::File, 0o640, 0, 9));
    let host = fs::metadata(_dir.path().join("a.txt")).unwrap();
    let since = host.modified().unwrap().duration_since(std::time::UNIX_EPOCH).unwrap();
    assert_eq!(stat.mtime, since.as_nanos() as i64);
    assert_eq!(world.find("/m/none"), Err(FsError::NotFound));
    assert_eq!(world.find("/m/a.txt/x"), Err(FsError::NotADirectory));
    let deep = world.find("/m/sub/deep").unwrap();
    assert_eq!(world.fs.path_of(deep, world.fs.root()).unwrap(), b"/m/sub/deep");
    assert_eq!(world.find("/m/sub/deep/../../a.txt"), Ok(inode), "numbers are stable");
}

#[test]
fn owners_are_as_the_mount_says() {
    let (dir, mut world) = mounted();
    let owner = HostOwner::Fixed { uid: 5, gid: 6 };
    let options = MountOptions { owner, ..MountOptions::default() };
    mount(&mut world, dir.path(), "/fixed/place", options).unwrap();
    let options = MountOptions { owner: HostOwner::AsOnHost, ..MountOptions::default() };
    mount(&mut world, dir.path(), "/host", options).unwrap();
    let owner = |world: &mut TestWorld, path: &str| {
        let inode = world.find(path).unwrap();
        let stat = world.fs.stat(inode).unwrap();
        (stat.uid, stat.gid)
    };
    assert_eq!(owner(&mut world, "/fixed/place/a.txt"), (5, 6));
    use std::os::unix::fs::MetadataExt;
    let host = fs::metadata(dir.path()).unwrap();
    assert_eq!(owner(&mut world, "/host"), (host.uid(), host.gid()));
}

#[test]
fn changes_are_private_and_copy_blocks_only() {
    let (dir, mut world) = mounted();
    let big = world.find("/m/big").unwrap();
    let before = world.clone();
    world.write(big, 100_000, b"changed").unwrap();
    assert_eq!(world.fs.statfs().blocks - world.fs.statfs().blocks_free, 1, "one block was copied");
    let mut expected = pattern(300_000);
    expected[100_000..100_007].copy_from_slice(b"changed");
    let mut bytes = vec![0; 300_000];
    assert_eq!(world.fs.read_concrete(big, 0, &mut bytes), Ok(Some(300_000)));
    assert!(bytes == expected);
    assert_eq!(before.fs.read_concrete(big, 0, &mut bytes), Ok(Some(300_000)));
    assert!(bytes == pattern(300_000));
    world.truncate(big, 299_999).unwrap();
    world.truncate(big, 400_000).unwrap();
    let tail = world.fs.read(big, 299_998, 10).unwrap();
    let zero = super::TestByte::Known(0);
    assert_eq!(tail[0], super::TestByte::Known(expected[299_998]));
    assert!(tail[1..].iter().all(|byte| *byte == zero));
    world.call(|fs, ctx| fs.punch(ctx, big, 4096, 8192)).unwrap();
    assert_eq!(world.fs.seek(big, 0, true), Ok(4096));
    assert_eq!(world.fs.seek(big, 4096, false), Ok(4096 + 8192));
    let blocks = 300_000_u64.div_ceil(4096) - 2;
    assert_eq!(world.fs.stat(big).unwrap().blocks, 8 * blocks);
    assert!(fs::read(dir.path().join("big")).unwrap() == pattern(300_000), "the host is untouched");
}

#[test]
fn entries_of_the_host_can_be_removed_replaced_and_moved() {
    let (dir, mut world) = mounted();
    let (before, b) = (world.clone(), world.find("/m/b.txt").unwrap());
    world.unlink("/m/a.txt").unwrap();
    world.put("/m/new", "new");
    world.put("/m/a.txt", "again");
    assert_eq!(world.names("/m"), ["b.txt", "big", "link", "sub", "new", "a.txt"]);
    world.rename("/m/new", "/m/b.txt").unwrap();
    assert_eq!(world.text("/m/b.txt").unwrap(), "new");
    assert_eq!(world.names("/m"), ["b.txt", "big", "link", "sub", "a.txt"]);
    world.rename("/m/sub", "/moved").unwrap();
    assert_eq!(world.text("/moved/deep/file").unwrap(), "deep");
    assert_eq!(world.find("/m/link"), Err(FsError::NotFound));
    assert_eq!(world.rmdir("/m"), Err(FsError::NotEmpty));
    for name in ["b.txt", "big", "link", "a.txt"] {
        world.unlink(&format!("/m/{name}")).unwrap();
    }
    world.rmdir("/m").unwrap();
    let mut before = before;
    assert_eq!(before.text("/m/a.txt").unwrap(), "text of a");
    assert_eq!(before.find("/m/b.txt"), Ok(b));
    assert!(dir.path().join("a.txt").exists());
}

#[test]
fn a_host_file_that_changes_is_an_error_that_names_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    fs::write(&path, pattern(1_000_000)).unwrap();
    let host = HostFiles::new(100_000);
    let mut world = TestWorld::with(FsOptions { host: host.clone(), ..FsOptions::default() });
    mount(&mut world, dir.path(), "/m", MountOptions::default()).unwrap();
    let file = world.find("/m/file").unwrap();
    let mut bytes = vec![0; 1_000_000];
    assert_eq!(world.fs.read_concrete(file, 0, &mut bytes), Ok(Some(1_000_000)));
    assert!(bytes == pattern(1_000_000) && host.cached_bytes() <= 100_000);
    fs::write(&path, "short").unwrap();
    let error = world.fs.read_concrete(file, 0, &mut bytes).unwrap_err();
    assert_eq!(error, FsError::Host { path: path.clone(), trouble: HostTrouble::Changed });
    assert!(error.to_string().ends_with("file: changed during the run"), "{error}");
    assert_eq!(error.errno(), 5);
    fs::remove_file(&path).unwrap();
    let error = world.fs.read_concrete(file, 0, &mut bytes).unwrap_err();
    let trouble = HostTrouble::Failed(std::io::ErrorKind::NotFound);
    assert_eq!(error, FsError::Host { path, trouble });
    let missing = mount(&mut world, &dir.path().join("none"), "/x", MountOptions::default());
    assert!(matches!(missing, Err(FsError::Host { .. })));
}

#[test]
fn a_read_only_mount_refuses_what_others_copy() {
    let (dir, mut world) = mounted();
    let options = MountOptions { read_only: true, ..MountOptions::default() };
    mount(&mut world, dir.path(), "/ro", options).unwrap();
    let write = OpenHow { write: true, ..OpenHow::default() };
    assert_eq!(world.open("/ro/a.txt", write), Err(FsError::ReadOnly));
    assert_eq!(world.mkdir("/ro/sub/x"), Err(FsError::ReadOnly));
    assert_eq!(world.unlink("/ro/a.txt"), Err(FsError::ReadOnly));
    assert_eq!(world.rename("/ro/a.txt", "/x"), Err(FsError::ReadOnly));
    assert_eq!(world.rename("/m/a.txt", "/ro/x"), Err(FsError::ReadOnly));
    assert!(world.open("/m/a.txt", write).is_ok());
}

#[test]
fn single_files_and_the_root_can_be_mounted() {
    let (dir, mut world) = mounted();
    mount(&mut world, &dir.path().join("a.txt"), "/etc/name", MountOptions::default()).unwrap();
    assert_eq!(world.text("/etc/name").unwrap(), "text of a");
    mount(&mut world, &dir.path().join("b.txt"), "/etc/name/", MountOptions::default()).unwrap();
    assert_eq!(world.text("/etc/name").unwrap(), "text of b");
    let root = mount(&mut world, dir.path(), "/", MountOptions::default());
    assert_eq!(root, Err(FsError::Busy));
    let mut empty = TestWorld::new();
    mount(&mut empty, dir.path(), "/", MountOptions::default()).unwrap();
    assert_eq!(empty.text("/sub/deep/file").unwrap(), "deep");
    assert_eq!(
        mount(&mut empty, dir.path(), "relative", MountOptions::default()),
        Err(FsError::Invalid)
    );
}

#[test]
fn looking_around_costs_and_changes_nothing() {
    let (_dir, world) = mounted();
    let limits = |host_depth| PathLimits { depth: 4, count: 100, host_depth };
    let paths = |depth| {
        let found = world.fs.paths(limits(depth)).unwrap();
        found.into_iter().map(|entry| String::from_utf8(entry.path).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(paths(0), ["/m"]);
    assert_eq!(paths(1), ["/m", "/m/a.txt", "/m/b.txt", "/m/big", "/m/link", "/m/sub"]);
    assert_eq!(paths(9).last().unwrap(), "/m/sub/deep/file");
    let few = PathLimits { count: 3, ..limits(9) };
    assert_eq!(world.fs.paths(few).unwrap().len(), 3);
    assert_eq!(world.fs.inodes.len(), 2, "the root and the mount");
}

#[test]
fn changes_to_host_files_are_told_by_every_name() {
    let (_dir, mut world) = mounted();
    let base = world.fs.clone();
    world.link("/m/a.txt", "/copy").unwrap();
    let file = world.find("/copy").unwrap();
    world.write(file, 0, b"TEXT").unwrap();
    world.unlink("/m/sub/deep/file").unwrap();
    let changes = world.fs.changes(&base).unwrap();
    let told: Vec<_> = changes
        .iter()
        .map(|c| (std::str::from_utf8(&c.path).unwrap(), c.kind, c.contents))
        .collect();
    assert_eq!(
        told,
        [
            ("/m/a.txt", ChangeKind::Changed, true),
            ("/m/sub/deep/file", ChangeKind::Deleted, true),
            ("/copy", ChangeKind::Created, true),
        ]
    );
    world.unlink("/copy").unwrap();
    assert_eq!(world.fs.name_of(file).unwrap(), b"/m/a.txt");
}
