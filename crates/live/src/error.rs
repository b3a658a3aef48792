//! The ways in which a conversation cannot go on.

use std::io;

use crate::ids::Position;
use crate::peer::PeerError;
use crate::tree::Difference;

/// A conversation cannot go on from a position.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// There is no peer, and nobody has asked this before.
    #[error("the answer is not in the saved tree: run once with the peer, and save the tree again")]
    NotInTree,
    /// The peer does not answer as it did before, and that is an error (`strict`).
    #[error("the peer is not deterministic: {0}")]
    Differs(Box<Difference>),
    /// The peer could not be brought to the position again, as it never gives the same answers.
    #[error(
        "the peer is not deterministic: {attempts} attempts to repeat a conversation have failed, and {last}"
    )]
    NotRepeated {
        /// How often it was tried.
        attempts: u32,
        /// The difference that the last attempt has found.
        last: Box<Difference>,
    },
    /// The peer cannot be talked to.
    #[error(transparent)]
    Peer(#[from] PeerError),
    /// The tree has as many bytes as it may have.
    #[error("more than {bytes_max} bytes were said to the peer and by it")]
    TooLarge {
        /// The number of bytes that the tree may have.
        bytes_max: u64,
    },
    /// A datagram is longer than any network carries.
    #[error("a datagram of {bytes} bytes is too long")]
    DatagramTooLong {
        /// Its size.
        bytes: usize,
    },
    /// A position belongs to another tree.
    #[error("the tree has no position {0}")]
    NoSuchPosition(Position),
    /// The file with older parts of the tree cannot be written or read.
    #[error("cannot keep what was said in a file: {0}")]
    Spill(io::Error),
}

/// Bytes are not a saved tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// It is another file.
    #[error("this is not a saved tree of conversations with a live peer")]
    NotATree,
    /// The format has changed since the tree was saved.
    #[error(
        "the tree has version {found} of the format, but this program reads version {expected}"
    )]
    OtherVersion {
        /// The version of the file.
        found: u32,
        /// The version that is read.
        expected: u32,
    },
    /// Bytes are missing or changed.
    #[error("the saved tree is damaged: {reason}")]
    Damaged {
        /// What is wrong.
        reason: &'static str,
    },
    /// The tree is larger than the limit.
    #[error("the saved tree has more than {bytes_max} bytes")]
    TooLarge {
        /// The number of bytes that a tree may have.
        bytes_max: u64,
    },
    /// The file with older parts of the tree cannot be written.
    #[error("cannot keep the tree in a file: {0}")]
    Spill(String),
}
