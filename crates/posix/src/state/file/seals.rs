//! Seals of files in memory: [`SealTable`].

use std::collections::BTreeMap;

use everett_fs::InodeId;
use linux_raw_sys::general as linux;

use crate::state::process::rare::rare;

/// The operations that files of `memfd_create` refuse. Files that are not here have never been sealable.
#[derive(Clone, Debug, Default)]
pub(crate) struct SealTable {
    seals: BTreeMap<InodeId, u32>,
}

everett_base::portable!(struct SealTable { seals });

rare!(SealTable);

impl SealTable {
    /// Lets a new file have seals, or none ever.
    pub(crate) fn begin(&mut self, inode: InodeId, is_sealable: bool) {
        self.seals.insert(inode, if is_sealable { 0 } else { linux::F_SEAL_SEAL });
    }

    /// The seals of a file; `None` for one that is not a file in memory.
    pub(crate) fn of(&self, inode: InodeId) -> Option<u32> {
        self.seals.get(&inode).copied()
    }

    pub(crate) fn add(&mut self, inode: InodeId, seals: u32) {
        *self.seals.entry(inode).or_default() |= seals;
    }

    /// Forgets a file that is gone.
    pub(crate) fn forget(&mut self, inode: InodeId) {
        self.seals.remove(&inode);
    }

    /// Returns true if a file refuses an operation that one of these seals forbids.
    pub(crate) fn forbid(&self, inode: InodeId, seals: u32) -> bool {
        self.of(inode).is_some_and(|set| set & seals != 0)
    }
}
