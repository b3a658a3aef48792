//! The memory of a node between one place where it may crash and the next: [`CrashMarks`].
//!
//! A crash is offered only where somebody can tell it from the one that was offered last.
//!
//! Not here: the comparison, and the crash itself (`fault/machine.rs`).

use everett_fs::{DurableFiles, Fs, InodeId};
use everett_memory::ByteValue;

use crate::state::ids::Time;

/// The counts of what others have seen of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SeenCounts {
    /// Events that it has sent.
    pub(crate) sent: u64,
    /// The number of exposures to invariants.
    pub(crate) exposed: u64,
}

everett_base::portable!(struct SeenCounts { sent, exposed });

/// The memory between one place where a crash is possible and the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct CrashMarks {
    /// The counts of others when a node that stays down was offered last.
    pub(crate) down: Option<SeenCounts>,
    /// The moment at which a reboot was looked at last.
    pub(crate) reboot: Option<CrashMoment>,
    /// The files that nodes have that crashed then: those of the last few.
    pub(crate) left: Vec<FilesLeft>,
    /// Changes of files so far.
    pub(crate) changes: u64,
    pub(crate) last_change: Option<LastChange>,
}

everett_base::portable!(struct CrashMarks { down, reboot, left, changes, last_change });

/// Files that a crash has left.
#[derive(Clone)]
pub(crate) struct FilesLeft(pub(crate) Fs<ByteValue>);

everett_base::portable!(struct FilesLeft(value));

impl std::fmt::Debug for FilesLeft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Left").finish_non_exhaustive()
    }
}

/// A moment at which a node may crash, with everything that decides what is left of its files.
#[derive(Clone, Debug)]
pub(crate) struct CrashMoment {
    pub(crate) now: Time,
    pub(crate) seen: SeenCounts,
    pub(crate) durable: DurableFiles<ByteValue>,
    pub(crate) changes: u64,
}

everett_base::portable!(struct CrashMoment { now, seen, durable, changes });

/// The last change of files.
#[derive(Clone)]
pub(crate) struct LastChange {
    pub(crate) before: Fs<ByteValue>,
    /// The bytes that were written, if it was a write.
    pub(crate) write: Option<WrittenRange>,
}

everett_base::portable!(struct LastChange { before, write });

/// A range of bytes of a file that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WrittenRange {
    pub(crate) inode: InodeId,
    pub(crate) offset: u64,
    pub(crate) len: u64,
}

everett_base::portable!(struct WrittenRange { inode, offset, len });

impl LastChange {
    pub(crate) fn new(before: Fs<ByteValue>, write: Option<WrittenRange>) -> LastChange {
        LastChange { before, write }
    }
}

impl std::fmt::Debug for LastChange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let LastChange { before: _, write } = self;
        f.debug_struct("LastChange").field("write", write).finish_non_exhaustive()
    }
}
