//! Shared memory of System V: [`SharedSegment`].

use everett_fs::InodeId;

/// A segment of shared memory. Its bytes are those of a file without a name, which processes map.
#[derive(Clone, Debug)]
pub(crate) struct SharedSegment {
    /// The file; the segment holds it once.
    pub(crate) inode: InodeId,
    /// The size that was asked for. The file has whole pages.
    pub(crate) bytes: u64,
    pub(crate) creator: u32,
    /// The process that has attached or detached it last.
    pub(crate) last_user: u32,
    /// Seconds since 1970; 0 for never.
    pub(crate) attached_s: i64,
    pub(crate) detached_s: i64,
    /// It goes when the last process detaches it.
    pub(crate) is_removed: bool,
}

everett_base::portable!(struct SharedSegment {
    inode, bytes, creator, last_user, attached_s, detached_s, is_removed,
});
