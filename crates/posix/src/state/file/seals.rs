//! Seals of files in memory: [`SealTable`].

use std::cmp::Ordering;
use std::collections::BTreeMap;

use everett_fs::InodeId;
use linux_raw_sys::general as linux;

use crate::state::process::rare::rare;

/// The seals of a file that nobody may write to.
const NO_WRITES: u32 = linux::F_SEAL_WRITE | linux::F_SEAL_FUTURE_WRITE;

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

    /// Returns true if nobody may write to a file any more.
    pub(crate) fn forbid_writes(&self, inode: InodeId) -> bool {
        self.of(inode).is_some_and(|seals| seals & NO_WRITES != 0)
    }

    /// Returns true if a file must not get another size.
    pub(crate) fn forbid_size(&self, inode: InodeId, old: u64, new: u64) -> bool {
        let seals = self.of(inode).unwrap_or(0);
        let forbidden = match new.cmp(&old) {
            Ordering::Less => linux::F_SEAL_SHRINK,
            Ordering::Equal => 0,
            Ordering::Greater => linux::F_SEAL_GROW,
        };
        seals & forbidden != 0
    }
}
