//! Measures what matters for exploring states: forking a version with much in it, and reading.
//!
//! `cargo run --release -p everett-fs --example fs_speed`

use std::time::{Duration, Instant};

use everett_fs::{
    Credentials, FollowLinks, Fs, FsContext, FsOptions, MountOptions, OpenHow, Result,
};

const FILES: usize = 10_000;
const MIB: usize = 1 << 20;
const READ_BYTES: usize = 4096;

fn main() -> Result<()> {
    let cred = Credentials::root();
    let mut fs: Fs<u8> = Fs::new(FsOptions::default());
    let ctx = FsContext::new(fs.root(), &cred);
    fork(&mut fs, &ctx)?;
    read_private(&mut fs, &ctx)?;
    read_host(&mut fs, &ctx)
}

/// Measures a fork, and the first change after it.
fn fork(fs: &mut Fs<u8>, ctx: &FsContext<'_>) -> Result<()> {
    let how = OpenHow { write: true, create: true, ..OpenHow::default() };
    let start = now();
    fs.mkdir(ctx, b"/d", 0o755)?;
    let chunk = vec![7; 100 * MIB / FILES];
    for n in 0..FILES {
        let file = fs.open(ctx, format!("/d/file{n}").as_bytes(), &how)?.inode;
        fs.write_bytes(ctx, file, 0, &chunk)?;
    }
    println!("write {FILES} files, 100 MiB: {:?}", start.elapsed());
    let file = fs.resolve(ctx, b"/d/file5000", FollowLinks::Yes)?;
    const FORKS: u32 = 10_000;
    let start = now();
    let forks: Vec<Fs<u8>> = (0..FORKS).map(|_| fs.clone()).collect();
    println!("fork: {:?}", start.elapsed() / FORKS);
    let start = now();
    let mut changed = Vec::new();
    for mut fork in forks {
        fork.write_bytes(ctx, file, 100, b"changed")?;
        changed.push(fork);
    }
    println!("first write of 7 bytes after a fork: {:?}", start.elapsed() / FORKS);
    let start = now();
    drop(changed);
    println!("dropping a fork: {:?}", start.elapsed() / FORKS);
    let mut fork = fs.clone();
    let start = now();
    fork.open(ctx, b"/d/new", &how)?;
    println!("first new file after a fork: {:?}", start.elapsed());
    let start = now();
    assert_eq!(fork.changes(fs)?.len(), 1);
    println!("finding the one change: {:?}", start.elapsed());
    Ok(())
}

fn read_private(fs: &mut Fs<u8>, ctx: &FsContext<'_>) -> Result<()> {
    let how = OpenHow { write: true, create: true, ..OpenHow::default() };
    let file = fs.open(ctx, b"/big", &how)?.inode;
    let start = now();
    for at in (0..50 * MIB).step_by(READ_BYTES) {
        fs.write_bytes(ctx, file, at as u64, &[3; READ_BYTES])?;
    }
    report("write 50 MiB in 4 KiB", 50 * MIB, start.elapsed());
    read(fs, "read 50 MiB in 4 KiB, written", file, 50 * MIB)
}

fn read_host(fs: &mut Fs<u8>, ctx: &FsContext<'_>) -> Result<()> {
    let dir = tempfile::tempdir().expect("a temporary directory can be made");
    for mib in [1, 5, 50] {
        let (name, len) = (format!("{mib}"), mib * MIB);
        std::fs::write(dir.path().join(&name), vec![5; len])
            .expect("the temporary directory is writable");
    }
    fs.mount_host(dir.path(), b"/m", MountOptions::default(), 0)?;
    for mib in [1, 5, 50] {
        let file = fs.resolve(ctx, format!("/m/{mib}").as_bytes(), FollowLinks::Yes)?;
        read(fs, &format!("read {mib} MiB of the host in 4 KiB, first"), file, mib * MIB)?;
        read(fs, &format!("read {mib} MiB of the host in 4 KiB, again"), file, mib * MIB)?;
    }
    println!("cached: {} MiB", fs.host_files().cached_bytes() as usize / MIB);
    Ok(())
}

fn read(fs: &Fs<u8>, what: &str, file: everett_fs::InodeId, len: usize) -> Result<()> {
    let mut buffer = [0; READ_BYTES];
    let start = now();
    for at in (0..len).step_by(READ_BYTES) {
        assert_eq!(fs.read_concrete(file, at as u64, &mut buffer)?, Some(READ_BYTES));
    }
    report(what, len, start.elapsed());
    Ok(())
}

fn report(what: &str, len: usize, time: Duration) {
    let calls = (len / READ_BYTES) as u32;
    let rate = len as f64 / MIB as f64 / time.as_secs_f64();
    println!("{what}: {:?} a call, {rate:.0} MiB/s", time / calls);
}

#[expect(clippy::disallowed_methods, reason = "a measurement is about the host's time")]
fn now() -> Instant {
    Instant::now()
}
