//! Contents: blocks, holes, bytes that are not concrete, space.

use super::{TestByte, TestWorld};
use crate::{ContentPiece, FsError, FsOptions, MAX_FILE_BYTES, OpenHow};

#[test]
fn a_write_beyond_the_end_leaves_a_hole() {
    let mut world = TestWorld::new();
    let file = world.put("/a", "head");
    world.write(file, 100_000, b"tail").unwrap();
    let stat = world.fs.stat(file).unwrap();
    assert_eq!((stat.size, stat.blocks), (100_004, 16));
    let mut pieces = Vec::new();
    let len = world.fs.read_pieces(file, 0, usize::MAX, |piece| {
        pieces.push((matches!(piece, ContentPiece::Zeros(_)), piece.len()));
    });
    assert_eq!(len, Ok(100_004));
    assert_eq!(pieces.iter().map(|(_, len)| len).sum::<usize>(), 100_004);
    assert_eq!(pieces[0], (false, 4));
    assert!(pieces[1..pieces.len() - 2].iter().all(|(is_hole, _)| *is_hole));
    assert_eq!(world.fs.seek(file, 0, true), Ok(4096));
    assert_eq!(world.fs.seek(file, 5000, false), Ok(24 * 4096));
    assert_eq!(world.fs.seek(file, 99_000, true), Ok(100_004), "the end is a hole");
    assert_eq!(world.fs.seek(file, 100_004, false), Err(FsError::NoDevice));
}

#[test]
fn what_was_cut_off_is_zero_when_the_file_grows_again() {
    let mut world = TestWorld::new();
    let file = world.put("/a", &"x".repeat(10_000));
    world.truncate(file, 5000).unwrap();
    world.truncate(file, 12_000).unwrap();
    let text = world.text_of(file).unwrap();
    assert_eq!(&text[..5000], "x".repeat(5000));
    assert_eq!(&text[5000..], "\0".repeat(7000));
    assert_eq!(world.fs.stat(file).unwrap().blocks, 16);
}

#[test]
fn punching_makes_zeros_and_gives_blocks_back() {
    let mut world = TestWorld::new();
    let file = world.put("/a", &"x".repeat(5 * 4096));
    world.call(|fs, ctx| fs.punch(ctx, file, 100, 2 * 4096)).unwrap();
    let text = world.text_of(file).unwrap();
    assert_eq!(text.matches('x').count(), 3 * 4096);
    assert_eq!(text.find('\0'), Some(100));
    assert_eq!(world.fs.stat(file).unwrap().blocks, 4 * 8);
    world.call(|fs, ctx| fs.punch(ctx, file, 0, u64::MAX)).unwrap();
    assert_eq!(world.fs.stat(file).unwrap().blocks, 0);
    assert_eq!(world.text_of(file).unwrap(), "\0".repeat(5 * 4096));
}

#[test]
fn bytes_that_are_not_concrete_come_back_as_they_were() {
    let mut world = TestWorld::new();
    let file = world.put("/a", "0123456789");
    let cells = [TestByte::Unknown(1), TestByte::Known(b'+'), TestByte::Unknown(2)];
    world.call(|fs, ctx| fs.write(ctx, file, 3, &cells)).unwrap();
    assert_eq!(world.fs.read(file, 2, 4).unwrap()[1..], cells);
    let mut buffer = [0; 10];
    assert_eq!(world.fs.read_concrete(file, 0, &mut buffer), Ok(None));
    assert_eq!(world.fs.read_concrete(file, 6, &mut buffer), Ok(Some(4)));
    assert_eq!(&buffer[..4], b"6789");
    world.write(file, 3, b"345").unwrap();
    assert_eq!(world.text_of(file).unwrap(), "0123456789");
    world.write(file, 4095, &[b'y'; 4098]).unwrap();
    assert!(world.text_of(file).unwrap().ends_with(&"y".repeat(4098)));
}

#[test]
fn the_quota_ends_a_write_in_the_middle() {
    let mut world =
        TestWorld::with(FsOptions { quota_bytes: Some(3 * 4096), ..FsOptions::default() });
    let file = world.put("/a", "");
    assert_eq!(world.write(file, 4000, &[1; 20_000]), Ok(96 + 2 * 4096));
    assert_eq!(world.write(file, 12_288, b"x"), Err(FsError::NoSpace));
    assert_eq!(world.write(file, 0, b"x"), Ok(1), "the block is there already");
    assert_eq!(world.fs.statfs().blocks_free, 0);
    world.fs.hold(file);
    world.unlink("/a").unwrap();
    assert_eq!(world.fs.statfs().blocks_free, 0, "still held");
    world.fs.release(file);
    assert_eq!(world.fs.statfs().blocks_free, 3);
    assert_eq!(world.fs.stat(file), Err(FsError::Stale));
}

#[test]
fn sizes_end_where_offsets_do() {
    let mut world = TestWorld::new();
    let file = world.put("/a", "");
    assert_eq!(world.write(file, MAX_FILE_BYTES, b"x"), Err(FsError::TooBig));
    assert_eq!(world.write(file, MAX_FILE_BYTES - 1, b"xy"), Ok(1));
    assert_eq!(world.truncate(file, MAX_FILE_BYTES + 1), Err(FsError::TooBig));
    assert_eq!(world.fs.stat(file).unwrap().size, MAX_FILE_BYTES);
    assert_eq!(world.fs.seek(file, 0, false), Ok((MAX_FILE_BYTES - 1) / 4096 * 4096));
    assert_eq!(world.fs.read(file, MAX_FILE_BYTES, 5), Ok(vec![]));
    world.truncate(file, 0).unwrap();
    assert_eq!(world.fs.stat(file).unwrap().blocks, 0);
}

#[test]
fn versions_do_not_see_each_other() {
    let mut world = TestWorld::new();
    let file = world.put("/a", &"x".repeat(10_000));
    let mut other = world.clone();
    other.write(file, 5000, b"other").unwrap();
    world.truncate(file, 3).unwrap();
    world.put("/b", "new");
    let third = other.clone();
    other.unlink("/a").unwrap();
    assert_eq!(world.text("/a").unwrap(), "xxx");
    assert_eq!(other.find("/b"), Err(FsError::NotFound));
    assert_eq!(&third.text_of(file).unwrap()[5000..5005], "other");
}

#[test]
fn times_follow_reads_and_writes() {
    let mut world = TestWorld::new();
    let file = world.put("/a", "x");
    let written = world.fs.stat(file).unwrap();
    assert!(written.mtime > written.atime && written.mtime == written.ctime);
    world.fs.accessed(file, 1000).unwrap();
    world.fs.accessed(file, 2000).unwrap();
    assert_eq!(world.fs.stat(file).unwrap().atime, 1000, "noted once after a change");
    world.now = 5000;
    let how = OpenHow { read: true, truncate: true, ..OpenHow::default() };
    world.open("/a", how).unwrap();
    assert_eq!(world.fs.stat(file).unwrap().mtime, 5001);
    world.fs.accessed(file, 6000).unwrap();
    assert_eq!(world.fs.stat(file).unwrap().atime, 6000);
}

#[test]
fn only_regular_files_have_contents() {
    let mut world = TestWorld::new();
    let (dir, link) = (world.mkdir("/d").unwrap(), world.symlink("x", "/l").unwrap());
    assert_eq!(world.write(dir, 0, b"x"), Err(FsError::IsADirectory));
    assert_eq!(world.fs.read(dir, 0, 1), Err(FsError::IsADirectory));
    assert_eq!(world.truncate(dir, 0), Err(FsError::IsADirectory));
    assert_eq!(world.fs.read(link, 0, 1), Err(FsError::Invalid));
    assert_eq!(world.truncate(link, 0), Err(FsError::Invalid));
}
