//! What would survive a crash.
//!
//! Syncing an inode remembers its record, which costs one reference: contents and entries are
//! persistent structures. An inode is synced if its record is the remembered one.

use crate::Result;
use crate::byte::Byte;
use crate::fs::{Fs, InodeId};
use crate::inode::Node;

impl<B: Byte> Fs<B> {
    /// Makes an inode durable: contents, entries and metadata (`fsync`).
    pub fn sync(&mut self, inode: InodeId) -> Result<()> {
        self.meta(inode)?;
        let key = u64::from(inode.0);
        if let Some(record) = self.inodes.get(key) {
            self.durable.insert(key, record.clone());
        }
        Ok(())
    }

    /// Makes everything durable (`sync`).
    pub fn sync_all(&mut self) {
        self.durable = self.inodes.clone();
    }

    /// Whether nothing of an inode would be lost in a crash, given that it is found again.
    pub fn is_synced(&self, inode: InodeId) -> bool {
        let key = u64::from(inode.0);
        match (self.inodes.get(key), self.durable.get(key)) {
            (Some(record), Some(durable)) => std::sync::Arc::ptr_eq(record, durable),
            (None, _) => true,
            (Some(record), None) => matches!(record.node, Node::Special),
        }
    }
}
