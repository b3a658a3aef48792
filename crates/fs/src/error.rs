//! The one error type: what Linux would answer, or trouble with a file of the host.

use std::io;
use std::path::PathBuf;

/// The reason for which an operation failed. Every variant is one error number of Linux.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FsError {
    /// `ENOENT`
    #[error("no such file or directory")]
    NotFound,
    /// `ENOTDIR`
    #[error("not a directory")]
    NotADirectory,
    /// `EISDIR`
    #[error("is a directory")]
    IsADirectory,
    /// `EEXIST`
    #[error("file exists")]
    Exists,
    /// `ENOTEMPTY`
    #[error("directory not empty")]
    NotEmpty,
    /// `EACCES`
    #[error("permission denied")]
    Access,
    /// `EPERM`
    #[error("operation not permitted")]
    NotPermitted,
    /// `ELOOP`
    #[error("too many levels of symbolic links")]
    Loop,
    /// `ENAMETOOLONG`
    #[error("file name too long")]
    NameTooLong,
    /// `EROFS`
    #[error("read-only file system")]
    ReadOnly,
    /// `EXDEV`
    #[error("invalid cross-device link")]
    CrossDevice,
    /// `ENOSPC`
    #[error("no space left on device")]
    NoSpace,
    /// `EFBIG`
    #[error("file too large")]
    TooBig,
    /// `EINVAL`
    #[error("invalid argument")]
    Invalid,
    /// `EBUSY`
    #[error("device or resource busy")]
    Busy,
    /// `EMLINK`
    #[error("too many links")]
    TooManyLinks,
    /// `ENXIO`
    #[error("no such device or address")]
    NoDevice,
    /// `ESTALE`: the inode is gone, because nobody held it when its last name was removed.
    #[error("stale file handle")]
    Stale,
    /// `EIO`: a file of the host cannot be read, or is no longer what it was. Not a fault of the
    /// simulated program, so an embedder reports it rather than passing it on.
    #[error("host file {}: {trouble}", .path.display())]
    Host {
        /// The file, as the host names it.
        path: PathBuf,
        /// The problem with it.
        trouble: HostTrouble,
    },
}

/// A problem with a file of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HostTrouble {
    /// Its size, time or kind differs from what was first seen.
    #[error("changed during the run")]
    Changed,
    /// The host's answer.
    #[error("{0}")]
    Failed(io::ErrorKind),
}

impl FsError {
    /// The error number of Linux (x86-64).
    pub const fn errno(&self) -> i32 {
        match self {
            FsError::NotPermitted => 1,
            FsError::NotFound => 2,
            FsError::Host { .. } => 5,
            FsError::NoDevice => 6,
            FsError::Access => 13,
            FsError::Busy => 16,
            FsError::Exists => 17,
            FsError::CrossDevice => 18,
            FsError::NotADirectory => 20,
            FsError::IsADirectory => 21,
            FsError::Invalid => 22,
            FsError::TooBig => 27,
            FsError::NoSpace => 28,
            FsError::ReadOnly => 30,
            FsError::TooManyLinks => 31,
            FsError::NameTooLong => 36,
            FsError::NotEmpty => 39,
            FsError::Loop => 40,
            FsError::Stale => 116,
        }
    }
}

/// The result of an operation.
pub type Result<T, E = FsError> = std::result::Result<T, E>;
