//! Reading and changing the contents of regular files.

use crate::content::byte::FileByte;
use crate::content::{ContentPiece, FileContent, WriteData, append, copy_concrete};
use crate::context::FsContext;
use crate::fs::{Fs, InodeView};
use crate::ids::InodeId;
use crate::inode::{Inode, InodeMeta, InodeNode};
use crate::stat::{BLOCK_BYTES, InodeKind, MAX_FILE_BYTES};
use crate::{FsError, Result};

/// A day, after which a read is noted even if one was noted since the last change (`relatime`).
const DAY_NANOSECONDS: i64 = 24 * 60 * 60 * 1_000_000_000;

impl<B: FileByte> Fs<B> {
    /// Hands up to `len` bytes from `offset` on to `visit`, piece by piece and in order, without
    /// copying. Returns how many there were: fewer at the end of the file.
    pub fn read_pieces(
        &self,
        inode: InodeId,
        offset: u64,
        len: usize,
        mut visit: impl FnMut(ContentPiece<'_, B>),
    ) -> Result<usize> {
        let view = self.view(inode)?;
        let (size, of_host);
        let content = match view {
            InodeView::Private(record) => {
                size = record.meta.size;
                file_of(record)?
            }
            InodeView::Host { file, .. } => {
                let meta = self.host.meta(file)?;
                check_file(meta.kind)?;
                size = meta.size;
                of_host = FileContent::of_host(file, size);
                &of_host
            }
        };
        let end = size.min(offset.saturating_add(len as u64));
        let len = end.saturating_sub(offset);
        content.read(&self.host, offset, end, &mut visit)?;
        Ok(len as usize)
    }

    /// Copies concrete bytes from `offset` on to `buffer` and says how many; nothing if one of them
    /// is not concrete, in which case the buffer is undefined.
    pub fn read_concrete(
        &self,
        inode: InodeId,
        offset: u64,
        buffer: &mut [u8],
    ) -> Result<Option<usize>> {
        let mut filled = Some(0);
        let len = self.read_pieces(inode, offset, buffer.len(), |piece| {
            filled = filled.and_then(|at| {
                copy_concrete(piece, &mut buffer[at..])?;
                Some(at + piece.len())
            });
        })?;
        Ok(filled.map(|_| len))
    }

    /// Up to `len` bytes from `offset` on.
    pub fn read(&self, inode: InodeId, offset: u64, len: usize) -> Result<Vec<B>> {
        let mut bytes = Vec::new();
        self.read_pieces(inode, offset, len, |piece| append(&mut bytes, piece))?;
        Ok(bytes)
    }

    /// Writes concrete bytes. Returns how many: fewer if the space or the largest size ends there,
    /// and `ENOSPC` or `EFBIG` if none fits.
    pub fn write_bytes(
        &mut self,
        ctx: &FsContext<'_>,
        inode: InodeId,
        offset: u64,
        bytes: &[u8],
    ) -> Result<usize> {
        self.write_data(ctx, inode, offset, WriteData::Bytes(bytes))
    }

    /// Writes bytes of any kind, as [`Fs::write_bytes`] does.
    pub fn write(
        &mut self,
        ctx: &FsContext<'_>,
        inode: InodeId,
        offset: u64,
        bytes: &[B],
    ) -> Result<usize> {
        self.write_data(ctx, inode, offset, WriteData::Cells(bytes))
    }

    /// Sets the size. What is added is zero. Permissions are not checked, since `ftruncate` does not
    /// depend on them: `truncate` asks for [`AccessMode::WRITE`](crate::AccessMode::WRITE) first.
    pub fn truncate(&mut self, ctx: &FsContext<'_>, inode: InodeId, size: u64) -> Result<()> {
        check_file(self.kind(inode)?)?;
        if size > MAX_FILE_BYTES {
            return Err(FsError::TooBig);
        }
        self.check_writable(inode)?;
        let record = self.record_mut(inode)?;
        let kept = size.min(record.meta.size);
        let freed = file_of_mut(record)?.truncate(kept);
        record.meta.size = size;
        record.meta.modified(ctx.now);
        drop_privileges(ctx, &mut record.meta);
        self.blocks_freed(freed);
        Ok(())
    }

    /// Makes a range zero and gives its blocks back; the size stays (`FALLOC_FL_PUNCH_HOLE`).
    pub fn punch(
        &mut self,
        ctx: &FsContext<'_>,
        inode: InodeId,
        offset: u64,
        len: u64,
    ) -> Result<()> {
        check_file(self.kind(inode)?)?;
        self.check_writable(inode)?;
        let files = self.host.clone();
        let record = self.record_mut(inode)?;
        let end = record.meta.size.min(offset.saturating_add(len));
        if offset < end {
            // The rest of the last block is beyond the end, so the block can go as a whole.
            let end = if end == record.meta.size { end.next_multiple_of(BLOCK_BYTES) } else { end };
            let (added, freed) = file_of_mut(record)?.clear(&files, offset, end)?;
            record.meta.modified(ctx.now);
            drop_privileges(ctx, &mut record.meta);
            self.blocks_freed(freed);
            self.blocks_added(added);
        }
        Ok(())
    }

    /// The first offset from `offset` on that is in a hole (`SEEK_HOLE`) or not (`SEEK_DATA`);
    /// `ENXIO` if there is none. The end of the file counts as a hole.
    pub fn seek(&self, inode: InodeId, offset: u64, hole: bool) -> Result<u64> {
        let size = self.meta(inode)?.size;
        if offset >= size {
            return Err(FsError::NoDevice);
        }
        let found = match self.view(inode)? {
            InodeView::Private(record) => file_of(record)?.seek(offset, size, hole),
            InodeView::Host { .. } => {
                check_file(self.kind(inode)?)?;
                (!hole).then_some(offset)
            }
        };
        found.or(hole.then_some(size)).ok_or(FsError::NoDevice)
    }

    /// Notes that an inode was read, as often as `relatime` does. Files of the host that are not
    /// changed stay as they are.
    pub fn accessed(&mut self, inode: InodeId, now: i64) -> Result<()> {
        let InodeView::Private(record) = self.view(inode)? else { return Ok(()) };
        let InodeMeta { atime, mtime, ctime, .. } = record.meta;
        let is_due =
            atime <= mtime || atime <= ctime || now.saturating_sub(atime) >= DAY_NANOSECONDS;
        if is_due && atime != now && self.check_writable(inode).is_ok() {
            self.record_mut(inode)?.meta.atime = now;
        }
        Ok(())
    }

    /// The contents of a regular file, in O(1).
    pub(crate) fn content(&self, inode: InodeId) -> Result<FileContent<B>> {
        match self.view(inode)? {
            InodeView::Private(record) => file_of(record).cloned(),
            InodeView::Host { file, .. } => {
                let meta = self.host.meta(file)?;
                check_file(meta.kind)?;
                Ok(FileContent::of_host(file, meta.size))
            }
        }
    }

    fn write_data(
        &mut self,
        ctx: &FsContext<'_>,
        inode: InodeId,
        offset: u64,
        data: WriteData<'_, B>,
    ) -> Result<usize> {
        check_file(self.kind(inode)?)?;
        if data.len() == 0 {
            return Ok(0);
        }
        let room = MAX_FILE_BYTES.saturating_sub(offset);
        if room == 0 {
            return Err(FsError::TooBig);
        }
        self.check_writable(inode)?;
        let data = data.slice(0, data.len().min(usize::try_from(room).unwrap_or(usize::MAX)));
        let (files, budget) = (self.host.clone(), self.blocks_left());
        let record = self.record_mut(inode)?;
        let written = file_of_mut(record)?.write(&files, offset, data, budget)?;
        if written.len > 0 {
            record.meta.size = record.meta.size.max(offset + written.len as u64);
            record.meta.modified(ctx.now);
            drop_privileges(ctx, &mut record.meta);
        }
        self.blocks_added(written.added);
        if written.len == 0 { Err(FsError::NoSpace) } else { Ok(written.len) }
    }
}

/// Setuid and setgid do not survive a change by an ordinary user.
fn drop_privileges(ctx: &FsContext<'_>, meta: &mut InodeMeta) {
    if !ctx.cred.is_root() {
        meta.drop_privileges(ctx.cred.in_group(meta.gid));
    }
}

fn check_file(kind: InodeKind) -> Result<()> {
    match kind {
        InodeKind::File => Ok(()),
        InodeKind::Directory => Err(FsError::IsADirectory),
        _ => Err(FsError::Invalid),
    }
}

fn file_of<B>(record: &Inode<B>) -> Result<&FileContent<B>> {
    match &record.node {
        InodeNode::File(content) => Ok(content),
        InodeNode::Dir(_) => Err(FsError::IsADirectory),
        InodeNode::Symlink(_) | InodeNode::MagicLink | InodeNode::Special => Err(FsError::Invalid),
    }
}

fn file_of_mut<B>(record: &mut Inode<B>) -> Result<&mut FileContent<B>> {
    match &mut record.node {
        InodeNode::File(content) => Ok(content),
        InodeNode::Dir(_) => Err(FsError::IsADirectory),
        InodeNode::Symlink(_) | InodeNode::MagicLink | InodeNode::Special => Err(FsError::Invalid),
    }
}
