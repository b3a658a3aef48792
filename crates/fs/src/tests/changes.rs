//! Differences between two versions.

use super::TestWorld;
use crate::{ChangeKind, Fs, PathChange};

fn told(world: &TestWorld, base: &Fs<super::TestByte>) -> Vec<(String, ChangeKind, bool)> {
    let tell = |change: PathChange| {
        (String::from_utf8(change.path).unwrap(), change.kind, change.contents)
    };
    world.fs.changes(base).unwrap().into_iter().map(tell).collect()
}

#[test]
fn every_kind_of_change_is_told_once() {
    let mut world = TestWorld::new();
    for dir in ["/same", "/same/dir", "/gone", "/kept"] {
        world.mkdir(dir).unwrap();
    }
    world.put("/same/dir/file", "x");
    world.put("/gone/file", "x");
    let edited = world.put("/kept/edited", "x");
    let mode = world.put("/kept/mode", "x");
    world.put("/kept/replaced", "old");
    world.put("/kept/rewritten", "same");
    world.symlink("a", "/kept/link").unwrap();
    let base = world.fs.clone();
    assert_eq!(told(&world, &base), []);
    world.write(edited, 0, b"y").unwrap();
    world.call(|fs, ctx| fs.chmod(ctx, mode, 0o600)).unwrap();
    world.put("/kept/temporary", "new");
    world.rename("/kept/temporary", "/kept/replaced").unwrap();
    world.put("/kept/rewritten", "same");
    world.unlink("/kept/link").unwrap();
    world.symlink("b", "/kept/link").unwrap();
    world.unlink("/gone/file").unwrap();
    world.rmdir("/gone").unwrap();
    world.mkdir("/new").unwrap();
    world.put("/new/file", "x");
    use ChangeKind::{Changed, Created, Deleted};
    let expected = [
        ("/gone", Deleted, true),
        ("/gone/file", Deleted, true),
        ("/kept/edited", Changed, true),
        ("/kept/mode", Changed, false),
        ("/kept/replaced", Changed, true),
        ("/kept/link", Changed, true),
        ("/new", Created, true),
        ("/new/file", Created, true),
    ];
    let expected = expected.map(|(path, kind, contents)| (path.to_owned(), kind, contents));
    assert_eq!(told(&world, &base), expected);
}

#[test]
fn a_moved_directory_is_deleted_there_and_created_here() {
    let mut world = TestWorld::new();
    for dir in ["/a", "/a/d", "/b"] {
        world.mkdir(dir).unwrap();
    }
    world.put("/a/d/f", "x");
    let base = world.fs.clone();
    world.rename("/a/d", "/b/d").unwrap();
    let paths: Vec<_> =
        told(&world, &base).into_iter().map(|(path, kind, _)| (path, kind)).collect();
    use ChangeKind::{Created, Deleted};
    let expected = [("/a/d", Deleted), ("/a/d/f", Deleted), ("/b/d", Created), ("/b/d/f", Created)];
    assert_eq!(paths, expected.map(|(path, kind)| (path.to_owned(), kind)));
}

#[test]
fn a_name_that_became_another_kind_is_told_with_what_was_below() {
    let mut world = TestWorld::new();
    world.mkdir("/a").unwrap();
    world.put("/a/f", "x");
    let base = world.fs.clone();
    world.unlink("/a/f").unwrap();
    world.rmdir("/a").unwrap();
    world.put("/a", "file");
    use ChangeKind::{Changed, Deleted};
    let expected = [("/a".to_owned(), Changed, true), ("/a/f".to_owned(), Deleted, true)];
    assert_eq!(told(&world, &base), expected);
}

#[test]
fn huge_sparse_files_are_compared_by_their_blocks() {
    let mut world = TestWorld::new();
    let file = world.put("/a", "x");
    world.write(file, 1 << 50, b"far").unwrap();
    let base = world.fs.clone();
    world.write(file, 1 << 50, b"far").unwrap();
    assert_eq!(told(&world, &base), []);
    world.write(file, 1 << 40, b"mid").unwrap();
    assert_eq!(told(&world, &base).len(), 1);
}

#[test]
fn deep_trees_need_no_stack() {
    let mut world = TestWorld::new();
    let base = world.fs.clone();
    let mut dir = world.fs.root();
    for _ in 0..3000 {
        dir = world.call(|fs, ctx| fs.mkdir(&ctx.at(dir), b"d", 0o755)).unwrap();
    }
    assert_eq!(world.fs.path_of(dir, world.fs.root()).unwrap().len(), 6000);
    assert_eq!(told(&world, &base).len(), 3000);
    assert_eq!(base.changes(&world.fs).unwrap().len(), 3000);
}
