//! The record of an inode that a state owns: one that it made, or the private copy of a host's.

use everett_base::{Apart, Copies};
use std::sync::Arc;

use crate::content::FileContent;
use crate::host::HostMeta;
use crate::ids::InodeId;
use crate::stat::{DeviceNumber, InodeKind};
use crate::tree::dir::Directory;

#[derive(Clone)]
pub(crate) struct Inode<B> {
    pub(crate) meta: InodeMeta,
    /// One of its names, if one is known; of a directory its only one, and its parent. A directory
    /// that was removed keeps it, since `..` still leads there.
    pub(crate) home: Option<InodeHome>,
    pub(crate) node: InodeNode<B>,
}

everett_base::portable!([B: everett_base::part::Portable + 'static] struct Inode<B> {
    meta, home, node,
});

/// Its content stays shared: it is looked at when the file is.
impl<B> Apart for Inode<B> {
    fn apart(&mut self, _: &mut Copies) {}
}

#[derive(Clone, PartialEq, Eq)]
pub(crate) struct InodeHome {
    pub(crate) dir: InodeId,
    pub(crate) name: Arc<[u8]>,
}

everett_base::portable!(struct InodeHome { dir, name });

#[derive(Clone)]
pub(crate) enum InodeNode<B> {
    File(FileContent<B>),
    Dir(Directory),
    Symlink(Arc<[u8]>),
    /// A symbolic link whose target the embedder tells; the tag in the metadata says which.
    MagicLink,
    /// A pipe, a socket or a device: a name of something that is not here.
    Special,
}

everett_base::portable!([B: everett_base::part::Portable + 'static] enum InodeNode<B> {
    0 = File(value), 1 = Dir(value), 2 = Symlink(value), 3 = MagicLink, 4 = Special,
});

/// The attributes that every kind of inode has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InodeMeta {
    pub(crate) kind: InodeKind,
    pub(crate) mode: u32,
    pub(crate) nlink: u32,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    pub(crate) device: DeviceNumber,
    pub(crate) size: u64,
    pub(crate) atime: i64,
    pub(crate) mtime: i64,
    pub(crate) ctime: i64,
    pub(crate) tag: u32,
    /// True if it is part of a mount that must not change.
    pub(crate) read_only: bool,
}

everett_base::portable!(struct InodeMeta {
    kind, mode, nlink, uid, gid, device, size, atime, mtime, ctime, tag, read_only,
});

impl InodeMeta {
    /// The metadata of a host's file. Its last access is not shown, since looking changes it.
    pub(crate) fn of_host(host: &HostMeta) -> InodeMeta {
        let HostMeta { kind, mode, uid, gid, nlink, device, size, mtime, read_only } = *host;
        let (atime, ctime) = (mtime, mtime);
        InodeMeta {
            kind,
            mode,
            nlink,
            uid,
            gid,
            device,
            size,
            atime,
            mtime,
            ctime,
            tag: 0,
            read_only,
        }
    }

    /// The contents have changed.
    pub(crate) fn modified(&mut self, now: i64) {
        self.mtime = now;
        self.ctime = now;
    }

    /// Takes away setuid and setgid, as after a change by somebody without privileges.
    pub(crate) fn drop_privileges(&mut self, in_group: bool) {
        use crate::stat::{S_ISGID, S_ISUID, S_IXGRP};
        self.mode &= !S_ISUID;
        if self.mode & S_IXGRP != 0 || !in_group {
            self.mode &= !S_ISGID;
        }
    }
}

impl<B> Inode<B> {
    pub(crate) fn dir_mut(&mut self) -> Option<&mut Directory> {
        match &mut self.node {
            InodeNode::Dir(dir) => Some(dir),
            _ => None,
        }
    }
}
