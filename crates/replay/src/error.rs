//! What can go wrong with a test case on disk.
//!
//! [`FormatError`] speaks of bytes, [`ReplayError`] of a file that holds them.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// A test file that cannot be read or written.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// The operating system refused.
    #[error("cannot {action} {}: {source}", file.display())]
    Io {
        /// `read` or `write`.
        action: &'static str,
        /// The file in question.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The contents are not those of a test file, or cannot be written as one.
    #[error("{}: {source}", file.display())]
    Format {
        /// The file in question.
        file: PathBuf,
        /// Where in it, and what.
        source: FormatError,
    },
}

/// Bytes that are not a test file, or a test that the format cannot hold.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("at byte {offset}: {problem}")]
pub struct FormatError {
    /// Where the guilty field begins.
    pub offset: u64,
    /// What is wrong with it.
    pub problem: FormatProblem,
}

/// What is wrong at one place of a test file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FormatProblem {
    /// The file does not begin as one.
    #[error("not a ktest file: it begins with neither `KTEST` nor `BOUT`")]
    Magic,
    /// Written by something newer than we know, or not a version at all.
    #[error("ktest version {found} is not known; versions 1 to {newest} are")]
    Version {
        /// The version in the file.
        found: u32,
        /// The newest one that is understood.
        newest: u32,
    },
    /// A field reaches beyond the end.
    #[error("{field} takes {needed} bytes, but only {left} are left")]
    Truncated {
        /// Which field.
        field: &'static str,
        /// How many bytes it takes, or takes at least.
        needed: u64,
        /// How many there are.
        left: u64,
    },
    /// Something follows the last object.
    #[error("{count} bytes follow the last object")]
    Trailing {
        /// How many bytes.
        count: u64,
    },
    /// The file is larger than any test case.
    #[error("the file has {size} bytes; test files have at most {most}")]
    TooLarge {
        /// Its size.
        size: u64,
        /// The limit.
        most: u64,
    },
    /// A part of the test has more bytes or entries than the format can count.
    #[error("{field} has length {length}, more than a ktest file can hold")]
    TooLong {
        /// Which part.
        field: &'static str,
        /// Its length.
        length: u64,
    },
}
