//! The steps, done by the host in a temporary directory.

use std::ffi::OsStr;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::time::Duration;

use nix::dir::Dir;
use nix::errno::Errno;
use nix::fcntl::{AtFlags, OFlag, RenameFlags, openat, readlinkat, renameat2};
use nix::sys::stat::{FchmodatFlags, FileStat, Mode, SFlag, UtimensatFlags, utimensat};
use nix::sys::stat::{fchmod, fchmodat, fstat, fstatat, mkdirat, mknodat};
use nix::sys::time::TimeSpec;
use nix::sys::uio::{pread, pwrite};
use nix::unistd::{AccessFlags, Gid, Uid, UnlinkatFlags, Whence, faccessat, fchownat, ftruncate};
use nix::unistd::{linkat, lseek, setfsgid, setfsuid, symlinkat, unlinkat};
use tempfile::TempDir;

use crate::ops::{
    FinalFile, LINK_CLIMB, OpenFlags, StatFacts, Step, StepOp, StepReply, StepUser, Use, pattern,
};

/// The depth below the temporary directory at which the steps start: more than a path of four
/// components can climb, even if it follows 40 links.
pub(crate) const NESTING: usize = 4 + 40 * LINK_CLIMB + 6;

pub(crate) struct RealFiles {
    dir: TempDir,
    /// The directory that is compared at the end.
    top: OwnedFd,
    start: OwnedFd,
    users: Vec<StepUser>,
    kept: Vec<OwnedFd>,
}

impl RealFiles {
    /// Starts in the temporary directory of the system, or in memory if there is such a place: many
    /// sequences would be slow on a disk.
    pub(crate) fn new(users: &[StepUser], in_memory: bool) -> RealFiles {
        let memory = TempDir::new_in("/dev/shm").ok().filter(|_| in_memory);
        let dir = memory.unwrap_or_else(|| TempDir::new().unwrap());
        nix::sys::stat::umask(Mode::from_bits_truncate(0o022));
        let any = Mode::from_bits_truncate(0o777);
        let folder = OFlag::O_DIRECTORY | OFlag::O_RDONLY;
        let top = nix::fcntl::open(dir.path(), folder, any).unwrap();
        fchmod(&top, Mode::from_bits_truncate(0o755)).unwrap();
        let mut start = top.try_clone().unwrap();
        for _ in 0..NESTING {
            mkdirat(&start, "x", any).unwrap();
            start = openat(&start, "x", folder, any).unwrap();
        }
        fchmod(&start, any).unwrap();
        RealFiles { dir, top, start, users: users.to_vec(), kept: Vec::new() }
    }

    /// Returns the directory in which it all happens.
    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Gives everything the same time of last change.
    pub(crate) fn forget_times(&self) {
        let time = TimeSpec::from_duration(Duration::from_secs(1));
        let no_follow = UtimensatFlags::NoFollowSymlink;
        for (path, ..) in self.tree() {
            let path = Path::new(OsStr::from_bytes(&path[1..]));
            utimensat(&self.top, path, &time, &time, no_follow).unwrap();
        }
    }

    /// The paths that were changed since.
    pub(crate) fn changed_since(&self) -> Vec<Vec<u8>> {
        let mtime = |path: &[u8]| {
            let path = Path::new(OsStr::from_bytes(&path[1..]));
            fstatat(&self.top, path, AtFlags::AT_SYMLINK_NOFOLLOW).unwrap().st_mtime
        };
        let paths = self.tree().into_iter().map(|leaf| leaf.0);
        paths.filter(|path| mtime(path) != 1).collect()
    }

    /// Closes what is open.
    pub(crate) fn close(&mut self) {
        self.kept.clear();
    }

    /// Returns `true` if directories count their subdirectories as links; some file systems do not.
    pub(crate) fn counts_subdirectories(&self) -> bool {
        fstat(&self.top).unwrap().st_nlink == 3
    }

    pub(crate) fn apply(&mut self, step: &Step) -> StepReply {
        let user = &self.users[step.user];
        let privileged = nix::unistd::geteuid().is_root();
        if privileged {
            setfsgid(Gid::from_raw(user.gid));
            setfsuid(Uid::from_raw(user.uid));
        }
        let reply = self.run(&step.op).unwrap_or_else(|errno| StepReply::Errno(errno as i32));
        if privileged {
            setfsuid(Uid::from_raw(0));
            setfsgid(Gid::from_raw(0));
        }
        reply
    }

    fn run(&mut self, op: &StepOp) -> Result<StepReply, Errno> {
        assert!(
            op.paths().all(|path| !path.starts_with('/')),
            "{op:?} leaves the temporary directory"
        );
        let at = self.start.as_fd();
        let bits = |mode: u32| Mode::from_bits_truncate(mode);
        match op {
            StepOp::Open { path, flags, then, keep } => {
                let fd = openat(at, path.as_str(), open_flags(flags), bits(flags.mode))?;
                let kind = fstat(&fd)?.st_mode & SFlag::S_IFMT.bits();
                if kind == SFlag::S_IFIFO.bits() {
                    return Ok(StepReply::OpenedPipe);
                }
                let reply = use_file(&fd, then);
                if *keep && self.kept.len() < 4 {
                    self.kept.push(fd);
                }
                return reply;
            }
            StepOp::Kept { index, then } => {
                return self.kept.get(*index).map_or(Ok(StepReply::Done), |fd| use_file(fd, then));
            }
            StepOp::Close { index } => {
                if *index < self.kept.len() {
                    self.kept.remove(*index);
                }
            }
            StepOp::Mkdir { path, mode } => mkdirat(at, path.as_str(), bits(*mode))?,
            StepOp::Rmdir { path } => unlinkat(at, path.as_str(), UnlinkatFlags::RemoveDir)?,
            StepOp::Unlink { path } => unlinkat(at, path.as_str(), UnlinkatFlags::NoRemoveDir)?,
            StepOp::Mknod { path, socket, mode } => {
                let kind = if *socket { SFlag::S_IFSOCK } else { SFlag::S_IFIFO };
                mknodat(at, path.as_str(), kind, bits(*mode), 0)?;
            }
            StepOp::Symlink { target, path } => symlinkat(target.as_str(), at, path.as_str())?,
            StepOp::Readlink { path } => {
                return Ok(StepReply::Bytes(readlinkat(at, path.as_str())?.into_vec()));
            }
            StepOp::Link { old, new, follow } => {
                let flag = if *follow { AtFlags::AT_SYMLINK_FOLLOW } else { AtFlags::empty() };
                linkat(at, old.as_str(), at, new.as_str(), flag)?;
            }
            StepOp::Rename { old, new, mode } => {
                let flags = RenameFlags::from_bits_truncate(*mode);
                renameat2(at, old.as_str(), at, new.as_str(), flags)?;
            }
            StepOp::Stat { path, follow } => {
                let flag = if *follow { AtFlags::empty() } else { AtFlags::AT_SYMLINK_NOFOLLOW };
                return Ok(StepReply::Facts(facts(&fstatat(at, path.as_str(), flag)?)));
            }
            StepOp::Access { path, bits } => {
                let wanted = AccessFlags::from_bits_truncate(*bits as i32);
                faccessat(at, path.as_str(), wanted, AtFlags::AT_EACCESS)?;
            }
            StepOp::Chmod { path, mode } => {
                fchmodat(at, path.as_str(), bits(*mode), FchmodatFlags::FollowSymlink)?;
            }
            StepOp::Chown { path, uid, gid } => {
                let (uid, gid) = (uid.map(Uid::from_raw), gid.map(Gid::from_raw));
                fchownat(at, path.as_str(), uid, gid, AtFlags::AT_SYMLINK_NOFOLLOW)?;
            }
            StepOp::ReadDir { path } => {
                return Ok(StepReply::Names(names(at, path)?));
            }
        }
        Ok(StepReply::Done)
    }

    /// Everything there is, as far as it can be read.
    pub(crate) fn tree(&self) -> Vec<FinalFile> {
        let mut leaves = Vec::new();
        collect(self.top.as_fd(), b"", &mut leaves);
        leaves
    }
}

fn collect(dir: impl AsFd, path: &[u8], leaves: &mut Vec<FinalFile>) {
    let Ok(entries) = names(&dir, ".") else { return };
    for (name, _) in entries.into_iter().filter(|(name, _)| name != b"." && name != b"..") {
        let below = [path, &b"/"[..], &name].concat();
        let stat = fstatat(&dir, name.as_slice(), AtFlags::AT_SYMLINK_NOFOLLOW).unwrap();
        let kind = SFlag::from_bits_truncate(stat.st_mode & SFlag::S_IFMT.bits());
        let flags = OFlag::O_RDONLY;
        let mut contents = Vec::new();
        if kind == SFlag::S_IFLNK {
            contents = readlinkat(&dir, name.as_slice()).unwrap().into_vec();
        } else if kind == SFlag::S_IFREG
            && let Ok(fd) = openat(&dir, name.as_slice(), flags, Mode::empty())
        {
            contents = vec![0; stat.st_size as usize];
            assert_eq!(pread(&fd, &mut contents, 0).unwrap(), contents.len());
        }
        leaves.push((below.clone(), facts(&stat), contents));
        if kind == SFlag::S_IFDIR
            && let Ok(fd) = openat(&dir, name.as_slice(), flags, Mode::empty())
        {
            collect(fd, &below, leaves);
        }
    }
}

fn names(at: impl AsFd, path: &str) -> Result<Vec<(Vec<u8>, u8)>, Errno> {
    let mut dir = Dir::openat(at, path, OFlag::O_RDONLY | OFlag::O_DIRECTORY, Mode::empty())?;
    let mut names = Vec::new();
    for entry in dir.iter() {
        let entry = entry?;
        let kind = match entry.file_type() {
            Some(nix::dir::Type::Fifo) => 1,
            Some(nix::dir::Type::Directory) => 4,
            Some(nix::dir::Type::File) => 8,
            Some(nix::dir::Type::Symlink) => 10,
            Some(nix::dir::Type::Socket) => 12,
            other => panic!("{other:?} was never made"),
        };
        names.push((entry.file_name().to_bytes().to_vec(), kind));
    }
    names.sort();
    Ok(names)
}

fn facts(stat: &FileStat) -> StatFacts {
    let is_dir = stat.st_mode & SFlag::S_IFMT.bits() == SFlag::S_IFDIR.bits();
    StatFacts {
        mode: stat.st_mode,
        nlink: stat.st_nlink as u32,
        uid: stat.st_uid,
        gid: stat.st_gid,
        size: if is_dir { 0 } else { stat.st_size as u64 },
    }
}

fn open_flags(flags: &OpenFlags) -> OFlag {
    let mut found = match (flags.read, flags.write) {
        (true, true) => OFlag::O_RDWR,
        (false, true) => OFlag::O_WRONLY,
        _ => OFlag::O_RDONLY,
    };
    found.set(OFlag::O_CREAT, flags.create);
    found.set(OFlag::O_EXCL, flags.exclusive && flags.create);
    found.set(OFlag::O_TRUNC, flags.truncate);
    found.set(OFlag::O_DIRECTORY, flags.directory);
    found.set(OFlag::O_NOFOLLOW, flags.no_follow);
    found | OFlag::O_NONBLOCK
}

/// Uses an open file. A use that needs another access than the file was opened for is the caller's
/// business, so it is done only if it can be.
fn use_file(fd: &OwnedFd, then: &Use) -> Result<StepReply, Errno> {
    Ok(match then {
        Use::Read { offset, len } => {
            let mut bytes = vec![0; *len];
            match pread(fd, &mut bytes, *offset as i64) {
                Err(Errno::EBADF) => return Ok(StepReply::Done),
                read => bytes.truncate(read?),
            }
            StepReply::Bytes(bytes)
        }
        Use::Write { offset, len, first } => {
            match pwrite(fd, &pattern(*first, *len), *offset as i64) {
                Err(Errno::EBADF) => StepReply::Done,
                written => StepReply::Count(written?),
            }
        }
        Use::Truncate { size } => match ftruncate(fd, *size as i64) {
            Err(Errno::EINVAL) => StepReply::Done,
            done => done.map(|()| StepReply::Done)?,
        },
        Use::Chmod { mode } => {
            fchmod(fd, Mode::from_bits_truncate(*mode))?;
            StepReply::Done
        }
        Use::Stat => StepReply::Facts(facts(&fstat(fd)?)),
        Use::Seek { offset } => {
            if fstat(fd)?.st_mode & SFlag::S_IFMT.bits() != SFlag::S_IFREG.bits() {
                return Ok(StepReply::Done);
            }
            StepReply::Count(lseek(fd, *offset as i64, Whence::SeekData)? as usize)
        }
    })
}
