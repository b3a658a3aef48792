//! Operations, their answers, and a generator of random ones.

use everett_base::Rng;

/// The most `..` in the target of a link.
pub(crate) const LINK_CLIMB: usize = 2;

/// The user that does a step.
#[derive(Clone, Debug)]
pub(crate) struct StepUser {
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    pub(crate) groups: Vec<u32>,
}

/// An operation, and the user that carries it out.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) user: usize,
    pub(crate) op: StepOp,
}

/// The flags with which a file is opened; the names of `open(2)`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenFlags {
    pub(crate) read: bool,
    pub(crate) write: bool,
    pub(crate) create: bool,
    pub(crate) exclusive: bool,
    pub(crate) truncate: bool,
    pub(crate) directory: bool,
    pub(crate) no_follow: bool,
    pub(crate) mode: u32,
}

/// An operation on an open file.
#[derive(Clone, Debug)]
pub(crate) enum Use {
    Read {
        offset: u64,
        len: usize,
    },
    /// Writes `len` bytes, each seven more than the one before.
    Write {
        offset: u64,
        len: usize,
        first: u8,
    },
    Truncate {
        size: u64,
    },
    Chmod {
        mode: u32,
    },
    Stat,
    Seek {
        offset: u64,
    },
}

#[derive(Debug)]
pub(crate) enum StepOp {
    Open {
        path: String,
        flags: OpenFlags,
        then: Use,
        keep: bool,
    },
    /// Uses the `index`th file that was kept open.
    Kept {
        index: usize,
        then: Use,
    },
    Close {
        index: usize,
    },
    Mkdir {
        path: String,
        mode: u32,
    },
    Rmdir {
        path: String,
    },
    Unlink {
        path: String,
    },
    Mknod {
        path: String,
        socket: bool,
        mode: u32,
    },
    Symlink {
        target: String,
        path: String,
    },
    Readlink {
        path: String,
    },
    Link {
        old: String,
        new: String,
        follow: bool,
    },
    /// `mode` is 0, or `RENAME_NOREPLACE`, or `RENAME_EXCHANGE`.
    Rename {
        old: String,
        new: String,
        mode: u32,
    },
    Stat {
        path: String,
        follow: bool,
    },
    Access {
        path: String,
        bits: u32,
    },
    Chmod {
        path: String,
        mode: u32,
    },
    Chown {
        path: String,
        uid: Option<u32>,
        gid: Option<u32>,
    },
    ReadDir {
        path: String,
    },
}

impl StepOp {
    /// The paths that it uses.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        let (first, second) = match self {
            StepOp::Kept { .. } | StepOp::Close { .. } => (None, None),
            StepOp::Symlink { target: first, path: second } => (Some(first), Some(second)),
            StepOp::Link { old, new, .. } | StepOp::Rename { old, new, .. } => {
                (Some(old), Some(new))
            }
            StepOp::Open { path, .. }
            | StepOp::Mkdir { path, .. }
            | StepOp::Rmdir { path }
            | StepOp::Unlink { path }
            | StepOp::Mknod { path, .. }
            | StepOp::Readlink { path }
            | StepOp::Stat { path, .. }
            | StepOp::Access { path, .. }
            | StepOp::Chmod { path, .. }
            | StepOp::Chown { path, .. }
            | StepOp::ReadDir { path } => (Some(path), None),
        };
        first.into_iter().chain(second).map(String::as_str)
    }
}

/// The attributes of `stat` that can be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StatFacts {
    pub(crate) mode: u32,
    pub(crate) nlink: u32,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    /// Nothing for directories.
    pub(crate) size: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StepReply {
    Done,
    Errno(i32),
    Facts(StatFacts),
    Bytes(Vec<u8>),
    Count(usize),
    /// Names and types, sorted.
    Names(Vec<(Vec<u8>, u8)>),
    /// A pipe was opened, for reading, writing or both.
    OpenedPipe,
}

/// The bytes of a [`Use::Write`].
pub(crate) fn pattern(first: u8, len: usize) -> Vec<u8> {
    (0..len).map(|i| (usize::from(first) + i * 7) as u8).collect()
}

/// A file at the end of a sequence: path, facts, contents or target.
pub(crate) type FinalFile = (Vec<u8>, StatFacts, Vec<u8>);

/// Makes steps out of random numbers.
pub(crate) struct StepGenerator {
    rng: Rng,
    users: usize,
    /// True if holes are looked for.
    seeks: bool,
}

impl StepGenerator {
    pub(crate) fn new(rng: Rng, users: usize) -> StepGenerator {
        StepGenerator { rng, users, seeks: true }
    }

    /// One that does not look for holes, which are not seen through a mount.
    pub(crate) fn without_seeks(rng: Rng, users: usize) -> StepGenerator {
        StepGenerator { rng, users, seeks: false }
    }

    pub(crate) fn step(&mut self) -> Step {
        // The first user is the most active one, so that others find something.
        let user = if self.chance(50) { 0 } else { self.below(self.users) };
        Step { user, op: self.op() }
    }

    fn op(&mut self) -> StepOp {
        match self.below(32) {
            0..8 => StepOp::Open {
                path: self.path(),
                flags: self.flags(),
                then: self.usage(),
                keep: self.chance(40),
            },
            8..11 => StepOp::Kept { index: self.below(4), then: self.usage() },
            11 => StepOp::Close { index: self.below(4) },
            12..15 => StepOp::Mkdir { path: self.path(), mode: self.mode() },
            15 => StepOp::Rmdir { path: self.path() },
            16 | 17 => StepOp::Unlink { path: self.path() },
            18 => StepOp::Mknod { path: self.path(), socket: self.chance(50), mode: self.mode() },
            19 | 20 => StepOp::Symlink { target: self.target(), path: self.path() },
            21 => StepOp::Readlink { path: self.path() },
            22 | 23 => StepOp::Link { old: self.path(), new: self.path(), follow: self.chance(50) },
            24..27 => StepOp::Rename {
                old: self.path(),
                new: self.path(),
                mode: [0, 0, 1, 2][self.below(4)],
            },
            27 => StepOp::Stat { path: self.path(), follow: self.chance(50) },
            28 => StepOp::Access { path: self.path(), bits: self.below(8) as u32 },
            29 => StepOp::Chmod { path: self.path(), mode: self.mode() },
            30 => StepOp::Chown { path: self.path(), uid: self.owner(), gid: self.owner() },
            _ => StepOp::ReadDir { path: self.path() },
        }
    }

    fn flags(&mut self) -> OpenFlags {
        let (read, write) = [(true, false), (false, true), (true, true)][self.below(3)];
        OpenFlags {
            read,
            write,
            create: self.chance(70),
            exclusive: self.chance(20),
            truncate: self.chance(15),
            directory: self.chance(8),
            no_follow: self.chance(20),
            mode: self.mode(),
        }
    }

    fn usage(&mut self) -> Use {
        match self.below(12) {
            0..3 => Use::Read { offset: self.offset(), len: self.below(9000) },
            3..7 => Use::Write {
                offset: self.offset(),
                len: self.below(9000),
                first: self.below(256) as u8,
            },
            7 | 8 => Use::Truncate { size: self.offset() },
            9 => Use::Chmod { mode: self.mode() },
            10 if self.seeks => Use::Seek { offset: self.offset() },
            _ => Use::Stat,
        }
    }

    /// A path of a few components out of a few names, so that paths meet. Never an absolute one: it
    /// would leave the temporary directory.
    fn path(&mut self) -> String {
        match self.below(80) {
            0 => return String::new(),
            1 => return "a".repeat(255),
            2 => return "a".repeat(256),
            3 => return "a/".repeat(2047) + "a",
            4 => return "./".repeat(2047) + "./",
            _ => {}
        }
        let mut path = String::new();
        let depth = 1 + [0, 0, 0, 1, 1, 2, 3][self.below(7)];
        for level in 0..depth {
            if level > 0 {
                path.push_str(if self.chance(5) { "//" } else { "/" });
            }
            path.push_str(["a", "b", "c", "d", "a", "b", "c", "e", ".", ".."][self.below(10)]);
        }
        if self.chance(12) {
            path.push('/');
        }
        path
    }

    /// Returns the target of a link: never further up than the nesting of the start allows.
    fn target(&mut self) -> String {
        loop {
            let target = self.path();
            if target.matches("..").count() <= LINK_CLIMB {
                return target;
            }
        }
    }

    fn mode(&mut self) -> u32 {
        let common = [0o777, 0o755, 0o644, 0o700, 0o1777, 0o2775, 0o4755, 0o6777, 0o2666];
        if self.chance(70) { common[self.below(9)] } else { self.below(0o10000) as u32 }
    }

    fn owner(&mut self) -> Option<u32> {
        [None, Some(0), Some(1000), Some(1001)][self.below(4)]
    }

    fn offset(&mut self) -> u64 {
        match self.below(4) {
            0 => 0,
            1 => self.below(100) as u64,
            2 => 4096 * self.below(5) as u64,
            _ => self.below(20_000) as u64,
        }
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.rng.below(100) < percent
    }

    fn below(&mut self, n: usize) -> usize {
        self.rng.below(n as u64) as usize
    }
}
