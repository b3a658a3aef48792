//! The caller of an operation: its identity, the place where its paths start, and the time.

use crate::Result;
use crate::ids::InodeId;

/// The identity that permissions are checked against. User 0 bypasses them as Linux lets it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Credentials {
    /// The (effective) user.
    pub uid: u32,
    /// The (effective) group.
    pub gid: u32,
    /// Further groups.
    pub groups: Vec<u32>,
}

impl Credentials {
    /// A user and a group.
    pub const fn new(uid: u32, gid: u32) -> Credentials {
        Credentials { uid, gid, groups: Vec::new() }
    }

    /// The superuser.
    pub const fn root() -> Credentials {
        Credentials::new(0, 0)
    }

    /// Returns `true` if permissions do not apply.
    pub const fn is_root(&self) -> bool {
        self.uid == 0
    }

    /// Returns `true` if the group is one of the caller's.
    pub fn in_group(&self, gid: u32) -> bool {
        self.gid == gid || self.groups.contains(&gid)
    }
}

/// The caller of an operation. Cheap to copy; [`FsContext::at`] changes where relative paths start.
#[derive(Clone, Copy)]
pub struct FsContext<'a> {
    /// The directory that `/` stands for (`chroot`).
    pub root: InodeId,
    /// The directory where relative paths start: the working directory or an open directory.
    pub start: InodeId,
    /// The identity that permissions are checked against.
    pub cred: &'a Credentials,
    /// Permission bits that new files do not get.
    pub umask: u32,
    /// The time that inodes are stamped with, in nanoseconds since 1970.
    pub now: i64,
    /// The targets of magic links; none resolve without it.
    pub magic: Option<&'a dyn MagicLinks>,
}

impl<'a> FsContext<'a> {
    /// A caller at `root` with the usual umask, at time zero.
    pub const fn new(root: InodeId, cred: &'a Credentials) -> FsContext<'a> {
        FsContext { root, start: root, cred, umask: 0o022, now: 0, magic: None }
    }

    /// The same caller with relative paths that start elsewhere.
    #[must_use]
    pub const fn at(self, start: InodeId) -> FsContext<'a> {
        FsContext { start, ..self }
    }
}

/// The target of a magic link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MagicTarget {
    /// To an inode, whatever its name is now (`/proc/self/cwd`, `/proc/self/fd/3`).
    Inode(InodeId),
    /// To a path, as an ordinary link would.
    Path(Vec<u8>),
}

/// Symbolic links whose target depends on the process that looks. The embedder makes them with
/// [`Fs::magic_link`](crate::Fs::magic_link) and tells here where they lead.
pub trait MagicLinks {
    /// Returns the target of the link of this tag.
    fn follow(&self, tag: u32) -> Result<MagicTarget>;

    /// Returns the text that `readlink` gives for it.
    fn text(&self, tag: u32) -> Result<Vec<u8>>;
}
