//! The steps, done by the file system under test.

use std::path::Path;

use everett_fs::{
    AccessMode, Credentials, DirEntry, FollowLinks, Fs, FsContext, FsOptions, FsProtection,
    HostOwner, InodeId, InodeKind, MountOptions, OpenHow, RenameMode, Result, Stat,
};

use crate::ops::{
    FinalFile, OpenFlags, StatFacts, Step, StepOp, StepReply, StepUser, Use, pattern,
};
use crate::real::NESTING;

/// A byte that is not a `u8`, so that the generic paths are used as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TestByte(u32);

impl From<u8> for TestByte {
    fn from(byte: u8) -> TestByte {
        TestByte(u32::from(byte))
    }
}

impl TryFrom<TestByte> for u8 {
    type Error = ();

    /// Every byte that can be divided by seven claims not to be concrete.
    fn try_from(cell: TestByte) -> Result<u8, ()> {
        u8::try_from(cell.0).ok().filter(|byte| byte % 7 != 0 || *byte == 0).ok_or(())
    }
}

#[derive(Clone)]
pub(crate) struct SimulatedFiles {
    fs: Fs<TestByte>,
    top: InodeId,
    start: InodeId,
    users: Vec<Credentials>,
    kept: Vec<(InodeId, OpenFlags)>,
    counts_subdirectories: bool,
    /// Other versions, with the tree that each must still have at the end.
    versions: Vec<(Fs<TestByte>, Vec<FinalFile>)>,
    steps: usize,
}

impl SimulatedFiles {
    /// Starts as [`RealFiles::new`](crate::real::Real::new) does.
    pub(crate) fn new(users: &[StepUser], counts_subdirectories: bool) -> SimulatedFiles {
        let mut fs = new_fs();
        let root = fs.root();
        fs.make_dirs(start_path().as_bytes(), 0o755, 0).unwrap();
        let owner = Credentials::root();
        let ctx = FsContext::new(root, &owner);
        let mut dir = fs.resolve(&ctx, start_path().as_bytes(), FollowLinks::Yes).unwrap();
        fs.chmod(&ctx, dir, 0o777).unwrap();
        while dir != root {
            fs.chown(&ctx, dir, Some(users[0].uid), Some(users[0].gid)).unwrap();
            dir = fs.resolve(&ctx.at(dir), b"..", FollowLinks::Yes).unwrap();
        }
        SimulatedFiles::of(fs, users, counts_subdirectories)
    }

    /// Starts with what the host has at `host`.
    pub(crate) fn mounted(
        users: &[StepUser],
        counts_subdirectories: bool,
        host: &Path,
    ) -> SimulatedFiles {
        let mut fs = new_fs();
        let options = MountOptions { owner: HostOwner::AsOnHost, ..MountOptions::default() };
        fs.mount_host(host, b"/top", options, 0).unwrap();
        SimulatedFiles::of(fs, users, counts_subdirectories)
    }

    fn of(mut fs: Fs<TestByte>, users: &[StepUser], counts_subdirectories: bool) -> SimulatedFiles {
        let owner = Credentials::root();
        let ctx = FsContext::new(fs.root(), &owner);
        let top = fs.resolve(&ctx, b"/top", FollowLinks::Yes).unwrap();
        let start = fs.resolve(&ctx, start_path().as_bytes(), FollowLinks::Yes).unwrap();
        fs.hold(start);
        let credentials = |user: &StepUser| {
            let StepUser { uid, gid, groups } = user.clone();
            Credentials { uid, gid, groups }
        };
        let users = users.iter().map(credentials).collect();
        let (kept, versions) = (Vec::new(), Vec::new());
        SimulatedFiles { fs, top, start, users, kept, counts_subdirectories, versions, steps: 0 }
    }

    pub(crate) fn apply(&mut self, step: &Step) -> StepReply {
        self.steps += 1;
        if self.steps.is_multiple_of(40) {
            let leaves = self.leaves(&mut self.fs.clone());
            self.versions.push((self.fs.clone(), leaves));
        }
        let cred = self.users[step.user].clone();
        let ctx = FsContext { now: self.steps as i64, ..FsContext::new(self.fs.root(), &cred) };
        let ctx = ctx.at(self.start);
        self.run(&ctx, &step.op).unwrap_or_else(|error| StepReply::Errno(error.errno()))
    }

    fn run(&mut self, ctx: &FsContext<'_>, op: &StepOp) -> Result<StepReply> {
        let fs = &mut self.fs;
        match op {
            StepOp::Open { path, flags, then, keep } => {
                let opened = fs.open(ctx, path.as_bytes(), &open_how(flags))?;
                if opened.kind == InodeKind::Fifo {
                    return Ok(StepReply::OpenedPipe);
                }
                fs.hold(opened.inode);
                let reply = self.use_file(ctx, opened.inode, flags, then);
                if *keep && self.kept.len() < 4 {
                    self.kept.push((opened.inode, *flags));
                } else {
                    self.fs.release(opened.inode);
                }
                return reply;
            }
            StepOp::Kept { index, then } => {
                let Some((inode, flags)) = self.kept.get(*index).copied() else {
                    return Ok(StepReply::Done);
                };
                return self.use_file(ctx, inode, &flags, then);
            }
            StepOp::Close { index } => {
                if *index < self.kept.len() {
                    fs.release(self.kept.remove(*index).0);
                }
            }
            StepOp::Mkdir { path, mode } => drop(fs.mkdir(ctx, path.as_bytes(), *mode)?),
            StepOp::Rmdir { path } => fs.rmdir(ctx, path.as_bytes())?,
            StepOp::Unlink { path } => fs.unlink(ctx, path.as_bytes())?,
            StepOp::Mknod { path, socket, mode } => {
                let kind = if *socket { InodeKind::Socket } else { InodeKind::Fifo };
                fs.mknod(ctx, path.as_bytes(), kind, *mode, Default::default())?;
            }
            StepOp::Symlink { target, path } => {
                fs.symlink(ctx, target.as_bytes(), path.as_bytes())?;
            }
            StepOp::Link { old, new, follow } => {
                fs.link(ctx, old.as_bytes(), follows(*follow), ctx, new.as_bytes())?;
            }
            StepOp::Rename { old, new, mode } => {
                let modes = [RenameMode::Replace, RenameMode::NoReplace, RenameMode::Exchange];
                fs.rename(ctx, old.as_bytes(), ctx, new.as_bytes(), modes[*mode as usize])?;
            }
            StepOp::Readlink { .. }
            | StepOp::Stat { .. }
            | StepOp::Access { .. }
            | StepOp::Chmod { .. } => {
                return self.run_on_path(ctx, op);
            }
            StepOp::Chown { .. } | StepOp::ReadDir { .. } => return self.run_on_path(ctx, op),
        }
        Ok(StepReply::Done)
    }

    /// Operations that resolve a path and then use the inode.
    fn run_on_path(&mut self, ctx: &FsContext<'_>, op: &StepOp) -> Result<StepReply> {
        let fs = &mut self.fs;
        match op {
            StepOp::Readlink { path } => {
                let inode = fs.resolve(ctx, path.as_bytes(), FollowLinks::No)?;
                return Ok(StepReply::Bytes(fs.readlink(ctx, inode)?.to_vec()));
            }
            StepOp::Stat { path, follow } => {
                let inode = fs.resolve(ctx, path.as_bytes(), follows(*follow))?;
                return self.facts(&self.fs.stat(inode)?).map(StepReply::Facts);
            }
            StepOp::Access { path, bits } => {
                let inode = fs.resolve(ctx, path.as_bytes(), FollowLinks::Yes)?;
                fs.permission(inode, AccessMode::from_bits(*bits), ctx.cred)?;
            }
            StepOp::Chmod { path, mode } => {
                let inode = fs.resolve(ctx, path.as_bytes(), FollowLinks::Yes)?;
                fs.chmod(ctx, inode, *mode)?;
            }
            StepOp::Chown { path, uid, gid } => {
                let inode = fs.resolve(ctx, path.as_bytes(), FollowLinks::No)?;
                fs.chown(ctx, inode, *uid, *gid)?;
            }
            StepOp::ReadDir { path } => {
                let how = OpenHow { read: true, directory: true, ..OpenHow::default() };
                let dir = fs.open(ctx, path.as_bytes(), &how)?.inode;
                let name = |entry: DirEntry| (entry.name.to_vec(), entry.kind.dirent_type());
                let mut names: Vec<_> =
                    fs.read_dir(dir, 0, usize::MAX)?.into_iter().map(name).collect();
                names.sort();
                return Ok(StepReply::Names(names));
            }
            other => panic!("{other:?} is no operation on an inode"),
        }
        Ok(StepReply::Done)
    }

    fn use_file(
        &mut self,
        ctx: &FsContext<'_>,
        inode: InodeId,
        flags: &OpenFlags,
        then: &Use,
    ) -> Result<StepReply> {
        let fs = &mut self.fs;
        let is_file = fs.stat(inode)?.kind == InodeKind::File;
        Ok(match then {
            Use::Read { .. } if !flags.read => StepReply::Done,
            Use::Read { offset, len } => StepReply::Bytes(plain(&fs.read(inode, *offset, *len)?)),
            Use::Write { .. } if !flags.write => StepReply::Done,
            Use::Write { offset, len, first } => {
                let bytes = pattern(*first, *len);
                let cells: Vec<TestByte> = bytes.iter().copied().map(TestByte::from).collect();
                // Half of the writes are concrete ones.
                let count = if *offset % 2 == 0 {
                    fs.write_bytes(ctx, inode, *offset, &bytes)?
                } else {
                    fs.write(ctx, inode, *offset, &cells)?
                };
                StepReply::Count(count)
            }
            Use::Truncate { .. } if !flags.write || !is_file => StepReply::Done,
            Use::Truncate { size } => {
                fs.truncate(ctx, inode, *size)?;
                StepReply::Done
            }
            Use::Chmod { mode } => {
                fs.chmod(ctx, inode, *mode)?;
                StepReply::Done
            }
            Use::Stat => StepReply::Facts(self.facts(&self.fs.stat(inode)?)?),
            Use::Seek { .. } if !is_file => StepReply::Done,
            Use::Seek { offset } => StepReply::Count(fs.seek(inode, *offset, false)? as usize),
        })
    }

    /// The paths that were changed since the last step began.
    pub(crate) fn changed_since(&self) -> Vec<Vec<u8>> {
        let mut fs = self.fs.clone();
        let ctx = FsContext::new(fs.root(), &self.users[0]);
        let mut changed = Vec::new();
        for (path, ..) in self.leaves(&mut self.fs.clone()) {
            let inode = fs.resolve(&ctx.at(self.top), &path[1..], FollowLinks::No).unwrap();
            if fs.stat(inode).unwrap().mtime == self.steps as i64 {
                changed.push(path);
            }
        }
        changed
    }

    /// Everything there is, as far as it can be read; versions that were left behind must be as they
    /// were.
    pub(crate) fn tree(&mut self) -> Vec<FinalFile> {
        for (version, leaves) in std::mem::take(&mut self.versions) {
            assert_eq!(self.leaves(&mut version.clone()), leaves, "an older version has changed");
        }
        self.leaves(&mut self.fs.clone())
    }

    fn leaves(&self, fs: &mut Fs<TestByte>) -> Vec<FinalFile> {
        let mut leaves = Vec::new();
        self.collect(fs, self.top, b"", &mut leaves);
        leaves
    }

    fn collect(
        &self,
        fs: &mut Fs<TestByte>,
        dir: InodeId,
        path: &[u8],
        leaves: &mut Vec<FinalFile>,
    ) {
        let ctx = FsContext::new(fs.root(), &self.users[0]);
        if fs.permission(dir, AccessMode::READ, ctx.cred).is_err() {
            return;
        }
        let mut entries = fs.entries(dir).unwrap();
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        for entry in entries {
            let below = [path, &b"/"[..], &entry.name].concat();
            let stat = fs.stat(entry.inode).unwrap();
            let readable = fs.permission(entry.inode, AccessMode::READ, ctx.cred).is_ok();
            let contents = match stat.kind {
                InodeKind::File if readable => {
                    plain(&fs.read(entry.inode, 0, stat.size as usize).unwrap())
                }
                InodeKind::Symlink => fs.readlink(&ctx, entry.inode).unwrap().to_vec(),
                _ => Vec::new(),
            };
            leaves.push((below.clone(), self.facts(&stat).unwrap(), contents));
            if stat.kind == InodeKind::Directory {
                self.collect(fs, entry.inode, &below, leaves);
            }
        }
    }

    fn facts(&self, stat: &Stat) -> Result<StatFacts> {
        let nlink = if stat.is_dir() && !self.counts_subdirectories && stat.nlink > 0 {
            1
        } else {
            stat.nlink
        };
        let size = if stat.is_dir() { 0 } else { stat.size };
        Ok(StatFacts { mode: stat.st_mode(), nlink, uid: stat.uid, gid: stat.gid, size })
    }
}

fn new_fs() -> Fs<TestByte> {
    let protection = FsProtection {
        hardlinks: setting("protected_hardlinks") > 0,
        symlinks: setting("protected_symlinks") > 0,
        fifos: setting("protected_fifos"),
        regular: setting("protected_regular"),
    };
    Fs::new(FsOptions { protection, ..FsOptions::default() })
}

fn start_path() -> String {
    "/top".to_owned() + &"/x".repeat(NESTING)
}

fn follows(follow: bool) -> FollowLinks {
    if follow { FollowLinks::Yes } else { FollowLinks::No }
}

fn plain(cells: &[TestByte]) -> Vec<u8> {
    cells.iter().map(|cell| cell.0 as u8).collect()
}

fn open_how(flags: &OpenFlags) -> OpenHow {
    let OpenFlags { read, write, create, exclusive, truncate, directory, no_follow, mode } = *flags;
    OpenHow {
        read,
        write,
        create,
        exclusive,
        truncate,
        directory,
        no_follow,
        mode,
        ..OpenHow::default()
    }
}

/// A setting of the host that changes who may use links.
fn setting(name: &str) -> u8 {
    let value = std::fs::read_to_string(format!("/proc/sys/fs/{name}"));
    value.ok().and_then(|value| value.trim().parse().ok()).unwrap_or(0)
}
