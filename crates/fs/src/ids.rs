//! The numbers of inodes, and of files of the host.

use everett_base::define_id;

define_id!(
    /// An inode; its number is `st_ino` and is never used twice.
    pub struct InodeId, "i"
);
define_id!(
    /// A file of the host that was seen. Never shown: the numbers depend on who looked first.
    pub(crate) struct HostFileId, "h"
);
