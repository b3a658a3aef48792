//! Errors of putting a file of the runtime where it is needed.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// A folder or file that cannot be written.
#[derive(Debug, Error)]
pub enum RuntimeError {
    /// The file cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The folder that everything is put below cannot be written.
    #[error("cannot write to {}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The folder cannot be made.
    #[error("cannot make {}", folder.display())]
    Make {
        /// The folder.
        folder: PathBuf,
        /// The reason.
        source: io::Error,
    },
}
