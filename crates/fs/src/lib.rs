//! A versioned copy-on-write file system over read-only files of the host, generic in its byte type.
//!
//! [`Fs`] is one version. Cloning it is O(1), and a clone costs what is changed in it since: all
//! tables are persistent, contents are shared block by block. A simulator of machines keeps one
//! a state and clones it with the state. File descriptors, pipes, devices and locks are not here.
//!
//! | to | call |
//! |---|---|
//! | show host files, prepare a tree | [`Fs::mount_host`], [`Fs::make_dirs`] |
//! | find | [`Fs::resolve`], [`Fs::resolve_parent`], [`Fs::lookup`], [`Fs::readlink`] |
//! | ask | [`Fs::stat`], [`Fs::statfs`], [`Fs::permission`] |
//! | make | [`Fs::open`], [`Fs::mkdir`], [`Fs::mknod`], [`Fs::symlink`], [`Fs::create_unnamed`] |
//! | name, rename, remove | [`Fs::link`], [`Fs::unlink`], [`Fs::rmdir`], [`Fs::rename`] |
//! | read | [`Fs::read_pieces`], [`Fs::read_concrete`], [`Fs::read`], [`Fs::seek`], [`Fs::accessed`] |
//! | write | [`Fs::write_bytes`], [`Fs::write`], [`Fs::truncate`], [`Fs::punch`] |
//! | change metadata | [`Fs::chmod`], [`Fs::chown`], [`Fs::set_times`], [`Fs::set_tag`] |
//! | list | [`Fs::read_dir`], [`Fs::entries`], [`Fs::paths`] |
//! | find names | [`Fs::path_of`], [`Fs::name_of`] |
//! | compare two versions | [`Fs::changes`] |
//! | keep alive what is open | [`Fs::hold`], [`Fs::release`] |
//! | crash | [`Fs::sync`], [`Fs::sync_data`], [`Fs::sync_all`], [`Fs::after_crash`] |
//!
//! Calls that take a path take a [`FsContext`]: root and start directory, credentials, umask, and the
//! time, since nothing here reads a clock. They check permissions as the system call of that name
//! does, and fail with its error numbers ([`FsError::errno`]). Calls that take an inode are what a
//! system call does with an open descriptor, so contents are read and written unchecked.
//! Resolving needs `&mut`, as entries of host directories get their numbers when first looked at.
//!
//! ```
//! use everett_fs::{FsContext, Credentials, Fs, FsOptions, OpenHow};
//!
//! let mut fs: Fs<u8> = Fs::new(FsOptions::default());
//! let (cred, how) = (Credentials::root(), OpenHow { write: true, create: true, ..OpenHow::default() });
//! let ctx = FsContext::new(fs.root(), &cred);
//! fs.mkdir(&ctx, b"/tmp", 0o1777)?;
//! let file = fs.open(&ctx, b"/tmp/a", &how)?.inode;
//! fs.write_bytes(&ctx, file, 0, b"before")?;
//! let before = fs.clone();
//! fs.write_bytes(&ctx, file, 0, b"behind")?;
//! assert_eq!(before.read(file, 0, 100)?, b"before");
//! assert_eq!(fs.read(file, 2, 100)?, b"hind");
//! # Ok::<(), everett_fs::FsError>(())
//! ```

#![forbid(unsafe_code)]

mod attr;
mod content;
mod context;
mod durable;
mod error;
mod fs;
mod host;
mod ids;
mod inode;
mod permission;
mod stat;
mod tree;

#[cfg(test)]
mod tests;

pub use attr::TimeChange;
pub use content::ContentPiece;
pub use content::byte::FileByte;
pub use content::version::FileVersion;
pub use context::{Credentials, FsContext, MagicLinks, MagicTarget};
pub use durable::{CrashSurvival, DurableFiles};
pub use error::{FsError, HostTrouble, Result};
pub use fs::{Fs, FsOptions, FsProtection};
pub use host::{HostFiles, HostOwner, MountOptions};
pub use ids::InodeId;
pub use permission::AccessMode;
pub use stat::{
    BLOCK_BYTES, DeviceNumber, InodeKind, LINK_MAX, MAX_FILE_BYTES, MAX_LINKS_FOLLOWED, NAME_MAX,
    PATH_MAX, S_ISGID, S_ISUID, S_ISVTX, S_IXGRP, Stat, StatFs,
};
pub use tree::changes::{ChangeKind, PathChange};
pub use tree::create::{OpenHow, OpenedFile};
pub use tree::names::{PathEntry, PathLimits};
pub use tree::path::{FollowLinks, LastComponent, PathParent};
pub use tree::readdir::DirEntry;
pub use tree::rename::RenameMode;
