//! Errors of lowered programs that are read from disk.

use thiserror::Error;

/// A cached program that cannot be used.
#[derive(Debug, Error)]
pub enum IrError {
    /// The bytes do not start with our mark.
    #[error("not a lowered program")]
    NotAProgram,
    /// Written by another version of the format.
    #[error("lowered program has format version {found}, this build reads {expected}")]
    Version {
        /// The version in the file.
        found: u32,
        /// The version that this build writes.
        expected: u32,
    },
    /// The bytes are damaged.
    #[error("lowered program is damaged: {0}")]
    Damaged(postcard::Error),
    /// The program decodes but refers to things that it does not have.
    #[error("lowered program is inconsistent: {what} {index} out of range (op {pc})")]
    OutOfRange {
        /// The name of the table.
        what: &'static str,
        /// The offending index.
        index: u64,
        /// The op, or the entry of a side table, that refers to it.
        pc: u32,
    },
}

/// Not a cause of its own: the message has it.
impl From<postcard::Error> for IrError {
    fn from(error: postcard::Error) -> IrError {
        IrError::Damaged(error)
    }
}
