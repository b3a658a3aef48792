//! Files that a program has changed, for somebody to look at.

use everett_expr::TermId;
use everett_fs::{
    ChangeKind, ContentPiece, Credentials, Fs, FsContext, FsError, InodeId, InodeKind, PathChange,
    Stat,
};
use everett_memory::ByteValue;

use crate::state::node::Node;

/// A file that differs from what it was at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedFile {
    /// The absolute path.
    pub path: Vec<u8>,
    /// The thing that is there now.
    pub what: SavedContent,
}

everett_base::portable!(struct SavedFile { path, what });

/// The thing under a changed name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SavedContent {
    /// Nothing any more.
    Removed,
    /// A regular file.
    File {
        /// Its permission bits.
        mode: u32,
        /// Its contents; symbolic bytes as the caller had them.
        content: Vec<u8>,
    },
    /// A directory.
    Directory {
        /// Its permission bits.
        mode: u32,
    },
    /// A symbolic link.
    Link {
        /// The target.
        target: Vec<u8>,
    },
    /// A pipe, socket or device.
    Special,
}

everett_base::portable!(enum SavedContent {
    0 = Removed, 1 = File { mode, content }, 2 = Directory { mode }, 3 = Link { target }, 4 = Special,
});

/// The folder in which nothing is the program's own.
const NOT_SAVED: &[u8] = b"/proc/";

impl Node {
    /// The files that differ from those of an earlier version (a clone of [`Node::fs`]), with
    /// symbolic bytes as `value` has them.
    pub fn changed_files(
        &self,
        start: &Fs<ByteValue>,
        value: impl Fn(TermId) -> u8,
    ) -> Result<Vec<SavedFile>, FsError> {
        let changes = self.disk.fs.changes(start)?;
        let changes = changes.into_iter().filter(|change| !change.path.starts_with(NOT_SAVED));
        changes.map(|change| self.saved(change, &value)).collect()
    }

    fn saved(
        &self,
        change: PathChange,
        value: &impl Fn(TermId) -> u8,
    ) -> Result<SavedFile, FsError> {
        let PathChange { path, kind, inode, .. } = change;
        if kind == ChangeKind::Deleted {
            return Ok(SavedFile { path, what: SavedContent::Removed });
        }
        let Stat { kind, mode, size, .. } = self.disk.fs.stat(inode)?;
        let what = match kind {
            InodeKind::File => {
                SavedContent::File { mode, content: self.content(inode, size, value)? }
            }
            InodeKind::Directory => SavedContent::Directory { mode },
            InodeKind::Symlink => {
                let cred = Credentials::root();
                let target =
                    self.disk.fs.readlink(&FsContext::new(self.disk.fs.root(), &cred), inode)?;
                SavedContent::Link { target: target.to_vec() }
            }
            InodeKind::Fifo
            | InodeKind::Socket
            | InodeKind::CharDevice
            | InodeKind::BlockDevice => SavedContent::Special,
        };
        Ok(SavedFile { path, what })
    }

    fn content(
        &self,
        inode: InodeId,
        size: u64,
        value: &impl Fn(TermId) -> u8,
    ) -> Result<Vec<u8>, FsError> {
        let mut content = Vec::new();
        let byte = |byte: &ByteValue| u8::try_from(*byte).unwrap_or_else(value);
        self.disk.fs.read_pieces(inode, 0, size as usize, |piece| match piece {
            ContentPiece::Bytes(bytes) => content.extend_from_slice(bytes),
            ContentPiece::Cells(cells) => content.extend(cells.iter().map(byte)),
            ContentPiece::Zeros(count) => content.resize(content.len() + count, 0),
        })?;
        Ok(content)
    }
}

#[cfg(test)]
mod tests {
    use linux_raw_sys::general as linux;
    use syscalls::Sysno;

    use super::*;
    use crate::testing::Tester;

    #[test]
    fn what_a_program_changed_is_saved() {
        let mut t = Tester::new();
        let start = t.node().disk.fs.clone();
        let (a, text, room) = (t.text("a"), t.bytes(b"text"), t.symbolic_text("x", 2));
        let flags = u64::from(linux::O_CREAT | linux::O_WRONLY);
        assert_eq!(t.call(Sysno::open, &[a, flags, 0o640]), Ok(3));
        assert_eq!(t.call(Sysno::write, &[3, text, 4]), Ok(4));
        assert_eq!(t.call(Sysno::write, &[3, room, 2]), Ok(2));
        let passwd = t.text("/etc/passwd");
        assert!(t.call(Sysno::unlink, &[passwd]).is_err());
        let changed = t.node().changed_files(&start, |_| b'?').expect("all can be read");
        let what = SavedContent::File { mode: 0o640, content: b"text??".to_vec() };
        assert_eq!(changed, [SavedFile { path: b"/home/user/a".to_vec(), what }]);
    }
}
