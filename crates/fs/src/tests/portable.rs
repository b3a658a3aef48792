//! A file system is the same after it was written as bytes and read again.

use everett_base::part::{PartReader, PartWriter, Portable};

use super::*;
use crate::{HostTrouble, MountOptions};

type Versions = (Fs<TestByte>, Fs<TestByte>);

fn written(versions: &Versions) -> Vec<u8> {
    let mut to = PartWriter::new(&[]);
    Portable::write(versions, &mut to);
    to.into_bytes()
}

fn read(bytes: &[u8]) -> Versions {
    let mut from = PartReader::new(bytes, &[]);
    let versions = Portable::read(&mut from).unwrap();
    from.end().unwrap();
    versions
}

/// Names, attributes and contents of everything below a directory.
fn tree(fs: &mut Fs<TestByte>, dir: InodeId, into: &mut Vec<String>) {
    for entry in fs.entries(dir).unwrap() {
        let stat = fs.stat(entry.inode).unwrap();
        into.push(format!("{:?} {stat:?}", String::from_utf8_lossy(&entry.name)));
        match stat.kind {
            crate::InodeKind::Directory => tree(fs, entry.inode, into),
            crate::InodeKind::File => {
                into.push(format!("{:?}", fs.read(entry.inode, 0, 1 << 16)));
            }
            _ => {}
        }
    }
}

fn all(fs: &mut Fs<TestByte>) -> Vec<String> {
    let mut lines = Vec::new();
    let root = fs.root();
    tree(fs, root, &mut lines);
    lines
}

#[test]
fn files_of_the_state_and_of_the_host_come_back() {
    let host = tempfile::tempdir().unwrap();
    for name in ["a", "b", "c"] {
        std::fs::write(host.path().join(name), format!("of {name}")).unwrap();
    }
    std::fs::create_dir(host.path().join("empty")).unwrap();
    let mut world = TestWorld::new();
    world.fs.mount_host(host.path(), b"/host", MountOptions::default(), 1).unwrap();
    world.mkdir("/own").unwrap();
    let file = world.put("/own/file", &"x".repeat(10_000));
    world.call(|fs, ctx| fs.write(ctx, file, 5, &[TestByte::Unknown(3)])).unwrap();
    world.symlink("file", "/own/link").unwrap();
    all(&mut world.fs);
    world.fs.sync_all();
    let mut versions = (world.fs.clone(), world.fs.clone());
    world.put("/host/b", "changed");
    world.call(|fs, ctx| fs.unlink(ctx, b"/host/a")).unwrap();
    versions.1 = world.fs.clone();

    let (alone, bytes) = (written(&(versions.0.clone(), versions.0.clone())), written(&versions));
    assert!(bytes.len() < alone.len() + 1000, "{} and {}", alone.len(), bytes.len());
    let mut now = read(&bytes);
    assert_eq!(all(&mut now.0), all(&mut versions.0));
    assert_eq!(all(&mut now.1), all(&mut versions.1));
    assert!(now.0.is_synced(file) && now.0.used_blocks == versions.0.used_blocks);
    let crashed = |fs: &Fs<TestByte>| all(&mut fs.after_crash().unwrap());
    assert_eq!(crashed(&now.1), crashed(&versions.1));
    for end in (0..bytes.len()).step_by(11) {
        assert!(Versions::read(&mut PartReader::new(&bytes[..end], &[])).is_err(), "{end} bytes");
    }

    std::fs::write(host.path().join("c"), "of c, which is longer now").unwrap();
    let mut later = read(&bytes).0;
    let dir =
        later.entries(later.root()).unwrap().into_iter().find(|entry| *entry.name == *b"host");
    let listed = later.entries(dir.unwrap().inode).unwrap();
    let changed = listed.iter().find(|entry| *entry.name == *b"c").unwrap().inode;
    assert!(matches!(
        later.read(changed, 0, 10),
        Err(FsError::Host { trouble: HostTrouble::Changed, .. })
    ));
}
