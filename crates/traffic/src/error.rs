//! The ways in which reading a trace fails.

use std::io;

/// A trace cannot be read on.
///
/// Packets are numbered from 1, in the order of the file.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The file cannot be read.
    #[error("cannot read behind packet {packet}: {error}")]
    Read {
        /// The last packet that was read.
        packet: u64,
        /// The error of the system.
        error: io::Error,
    },
    /// The file has no header of a known format.
    #[error("this is neither a pcap nor a pcapng file")]
    UnknownFormat,
    /// A part of the file contradicts its format.
    #[error("the file is damaged behind packet {packet}: {reason}")]
    Damaged {
        /// The last packet that was read.
        packet: u64,
        /// What is wrong.
        reason: &'static str,
    },
    /// A part of the file is larger than any packet.
    #[error("a block behind packet {packet} is larger than {bytes_max} bytes")]
    BlockTooLarge {
        /// The last packet that was read.
        packet: u64,
        /// The size of the largest block that is read.
        bytes_max: usize,
    },
    /// A section of a pcapng file has too many interfaces.
    #[error("behind packet {packet}, a section has more than {interfaces_max} interfaces")]
    TooManyInterfaces {
        /// The last packet that was read.
        packet: u64,
        /// The number of interfaces that a section may have.
        interfaces_max: usize,
    },
}
