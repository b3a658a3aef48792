//! The bytes of one regular file.
//!
//! A [`FileContent`] is a persistent map from block numbers to blocks, over a file of the host or over
//! nothing. A block of concrete bytes holds `u8`s, one with any other byte holds `B`s; either may be
//! shorter than [`BLOCK_BYTES`], the rest of it being zero. A block that is absent is the host's, as
//! far as the host's file is visible, and zero otherwise.
//!
//! Not here: the size of the file, which is in its inode; blocks beyond it must not exist.

pub(crate) mod byte;
pub(crate) mod data;
pub(crate) mod version;

use std::sync::Arc;

use everett_base::RadixMap;

use crate::Result;
use crate::content::byte::{FileByte, all_concrete, concrete};
use crate::host::{CHUNK_BYTES, HostFiles};
use crate::ids::HostFileId;
use crate::stat::BLOCK_BYTES;

/// A run of bytes of a file, as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentPiece<'a, B> {
    /// Concrete bytes.
    Bytes(&'a [u8]),
    /// Bytes that need not be concrete.
    Cells(&'a [B]),
    /// So many zeros: a hole.
    Zeros(usize),
}

impl<B> ContentPiece<'_, B> {
    /// The number of bytes.
    pub fn len(&self) -> usize {
        match self {
            ContentPiece::Bytes(bytes) => bytes.len(),
            ContentPiece::Cells(cells) => cells.len(),
            ContentPiece::Zeros(len) => *len,
        }
    }

    /// Returns `true` if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Bytes to write: concrete ones or any.
#[derive(Clone, Copy)]
pub(crate) enum WriteData<'a, B> {
    Bytes(&'a [u8]),
    Cells(&'a [B]),
}

#[derive(Clone)]
enum ContentBlock<B> {
    /// Zeros where the host has a block.
    Hole,
    Bytes(Arc<Vec<u8>>),
    Cells(Arc<Vec<B>>),
}

everett_base::portable!([B: everett_base::part::Portable + 'static] enum ContentBlock<B> {
    0 = Hole, 1 = Bytes(value), 2 = Cells(value),
});

#[derive(Clone)]
pub(crate) struct FileContent<B> {
    blocks: RadixMap<ContentBlock<B>>,
    host: Option<HostBacking>,
    /// Blocks that hold bytes of their own.
    stored: u64,
    /// Blocks of the host's file that are visible, less those that are replaced here.
    from_host: u64,
}

everett_base::portable!([B: everett_base::part::Portable + 'static] struct FileContent<B> {
    blocks, host, stored, from_host,
});

#[derive(Clone, Copy)]
struct HostBacking {
    file: HostFileId,
    /// The number of its bytes that are visible: fewer than it has, if the file was ever shorter.
    visible: u64,
}

everett_base::portable!(struct HostBacking { file, visible });

/// The effects of a write.
pub(crate) struct WriteEffects {
    pub(crate) len: usize,
    /// Blocks that it added.
    pub(crate) added: u64,
}

impl<B: FileByte> FileContent<B> {
    pub(crate) fn empty() -> FileContent<B> {
        FileContent { blocks: RadixMap::new(), host: None, stored: 0, from_host: 0 }
    }

    /// The contents of a file of the host.
    pub(crate) fn of_host(file: HostFileId, size: u64) -> FileContent<B> {
        let host = Some(HostBacking { file, visible: size });
        FileContent {
            blocks: RadixMap::new(),
            host,
            stored: 0,
            from_host: size.div_ceil(BLOCK_BYTES),
        }
    }

    /// Blocks that cost space here.
    pub(crate) fn stored(&self) -> u64 {
        self.stored
    }

    /// Blocks that are not holes.
    pub(crate) fn allocated(&self) -> u64 {
        self.stored + self.from_host
    }

    /// Returns whether two files of `size` bytes have the same bytes. Looks only at what they do not
    /// share.
    pub(crate) fn same_bytes(
        &self,
        other: &FileContent<B>,
        files: &HostFiles,
        size: u64,
    ) -> Result<bool> {
        let host = |content: &FileContent<B>| content.host.map(|host| (host.file, host.visible));
        let same_host = host(self) == host(other);
        if same_host && self.blocks.ptr_eq(&other.blocks) {
            return Ok(true);
        }
        let of_host = if same_host { 0 } else { self.host_blocks().max(other.host_blocks()) };
        let own = self.blocks.iter().chain(other.blocks.iter()).map(|(block, _)| block);
        for block in (0..of_host).chain(own) {
            if self.shares_block(other, block) {
                continue;
            }
            let (from, to) = (block * BLOCK_BYTES, size.min((block + 1) * BLOCK_BYTES));
            let bytes = |content: &FileContent<B>| {
                let mut bytes = Vec::new();
                content.read(files, from, to, &mut |piece| append(&mut bytes, piece))?;
                Ok(bytes)
            };
            if bytes(self)? != bytes(other)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns `true` if both certainly have the same block of their own.
    fn shares_block(&self, other: &FileContent<B>, block: u64) -> bool {
        match (self.blocks.get(block), other.blocks.get(block)) {
            (Some(ContentBlock::Hole), Some(ContentBlock::Hole)) => true,
            (Some(ContentBlock::Bytes(a)), Some(ContentBlock::Bytes(b))) => Arc::ptr_eq(a, b),
            (Some(ContentBlock::Cells(a)), Some(ContentBlock::Cells(b))) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// Returns `true` if both are certainly the same without looking at bytes.
    pub(crate) fn same_version(&self, other: &FileContent<B>) -> bool {
        let host = |content: &FileContent<B>| content.host.map(|host| (host.file, host.visible));
        self.blocks.ptr_eq(&other.blocks) && host(self) == host(other)
    }

    /// Hands the bytes of `from..to` to `visit`, in order.
    pub(crate) fn read(
        &self,
        files: &HostFiles,
        mut from: u64,
        to: u64,
        visit: &mut dyn FnMut(ContentPiece<'_, B>),
    ) -> Result<()> {
        let mut emit = |piece: ContentPiece<'_, B>| {
            if !piece.is_empty() {
                visit(piece);
            }
        };
        while from < to {
            let block = from / BLOCK_BYTES;
            let end = to.min((block + 1) * BLOCK_BYTES);
            let (start, len) = ((from % BLOCK_BYTES) as usize, (end - from) as usize);
            match self.blocks.get(block) {
                Some(ContentBlock::Hole) => emit(ContentPiece::Zeros(len)),
                Some(ContentBlock::Bytes(bytes)) => {
                    let present = part(bytes, start, len);
                    emit(ContentPiece::Bytes(present));
                    emit(ContentPiece::Zeros(len - present.len()));
                }
                Some(ContentBlock::Cells(cells)) => {
                    let present = part(cells, start, len);
                    emit(ContentPiece::Cells(present));
                    emit(ContentPiece::Zeros(len - present.len()));
                }
                None => {
                    let visible = self.host.map_or(0, |host| host.visible);
                    let present = end.min(visible).saturating_sub(from) as usize;
                    if let Some(host) = self.host.filter(|_| present > 0) {
                        let chunk = files.chunk(host.file, from / CHUNK_BYTES)?;
                        emit(ContentPiece::Bytes(part(
                            &chunk,
                            (from % CHUNK_BYTES) as usize,
                            present,
                        )));
                    }
                    emit(ContentPiece::Zeros(len - present));
                }
            }
            from = end;
        }
        Ok(())
    }

    /// Writes `data` at `offset`, adding at most `budget` blocks; less is written if that is not
    /// enough.
    pub(crate) fn write(
        &mut self,
        files: &HostFiles,
        offset: u64,
        data: WriteData<'_, B>,
        budget: u64,
    ) -> Result<WriteEffects> {
        let total = data.len();
        let mut written = WriteEffects { len: 0, added: 0 };
        while written.len < total {
            let at = offset + written.len as u64;
            let (block, start) = (at / BLOCK_BYTES, (at % BLOCK_BYTES) as usize);
            let len = (BLOCK_BYTES as usize - start).min(total - written.len);
            let is_new = !self.is_stored(block);
            if is_new && written.added == budget {
                break;
            }
            match data.slice(written.len, len) {
                WriteData::Bytes(bytes) => self.write_bytes(files, block, start, bytes)?,
                WriteData::Cells(cells) => match all_concrete(cells) {
                    Some(bytes) => self.write_bytes(files, block, start, &bytes)?,
                    None => self.write_cells(files, block, start, cells)?,
                },
            }
            written.added += u64::from(is_new);
            written.len += len;
        }
        Ok(written)
    }

    /// Makes `from..to` zero and gives whole blocks back. Returns how many blocks that added (copies
    /// of the host's that are cleared in part) and gave back.
    pub(crate) fn clear(&mut self, files: &HostFiles, from: u64, to: u64) -> Result<(u64, u64)> {
        let before = self.stored;
        let (first_whole, end_whole) = (from.div_ceil(BLOCK_BYTES), to / BLOCK_BYTES);
        if first_whole > end_whole {
            self.clear_part(files, from, to)?;
            return Ok((self.stored - before, 0));
        }
        self.clear_part(files, from, first_whole * BLOCK_BYTES)?;
        self.clear_part(files, end_whole * BLOCK_BYTES, to)?;
        let most = self.stored;
        if first_whole < end_whole {
            let last = end_whole - 1;
            let found: Vec<u64> =
                self.blocks.range(first_whole..=last).map(|(key, _)| key).collect();
            found.into_iter().for_each(|block| self.remove(block));
            let host_end = self.host_blocks().min(end_whole);
            (first_whole..host_end).for_each(|block| self.put(block, ContentBlock::Hole));
        }
        Ok((most - before, most - self.stored))
    }

    /// Forgets what is beyond `size`. Returns how many blocks that gave back.
    pub(crate) fn truncate(&mut self, size: u64) -> u64 {
        let before = self.stored;
        let kept = size.div_ceil(BLOCK_BYTES);
        if kept == 0 {
            *self = FileContent::empty();
            return before;
        }
        let found: Vec<u64> = self.blocks.range(kept..=u64::MAX).map(|(block, _)| block).collect();
        found.into_iter().for_each(|block| self.remove(block));
        let host_blocks = self.host_blocks();
        if let Some(host) = &mut self.host {
            host.visible = host.visible.min(size);
            self.from_host -= host_blocks - host_blocks.min(kept);
        }
        let rest = (size % BLOCK_BYTES) as usize;
        if rest != 0 {
            match self.blocks.get_mut(kept - 1) {
                Some(ContentBlock::Bytes(bytes)) if bytes.len() > rest => {
                    Arc::make_mut(bytes).truncate(rest);
                }
                Some(ContentBlock::Cells(cells)) if cells.len() > rest => {
                    Arc::make_mut(cells).truncate(rest);
                }
                _ => {}
            }
        }
        before - self.stored
    }

    /// The first offset at or after `offset` and below `size` that is in a hole (or not, as
    /// `hole` says).
    pub(crate) fn seek(&self, offset: u64, size: u64, hole: bool) -> Option<u64> {
        let mut at = offset;
        while at < size {
            let block = at / BLOCK_BYTES;
            let is_hole = match self.blocks.get(block) {
                Some(ContentBlock::Hole) => true,
                Some(_) => false,
                None => block >= self.host_blocks(),
            };
            if is_hole == hole {
                return Some(at);
            }
            let next = if is_hole && block >= self.host_blocks() {
                // Only blocks of our own can follow.
                self.blocks.first_at_or_after(block + 1).map_or(u64::MAX, |(key, _)| key)
            } else {
                block + 1
            };
            at = next.saturating_mul(BLOCK_BYTES);
        }
        None
    }

    fn clear_part(&mut self, files: &HostFiles, from: u64, to: u64) -> Result<()> {
        let block = from / BLOCK_BYTES;
        let empty = !self.is_stored(block)
            && (block >= self.host_blocks()
                || matches!(self.blocks.get(block), Some(ContentBlock::Hole)));
        if from >= to || empty {
            return Ok(());
        }
        let zeros = [0; BLOCK_BYTES as usize];
        let (start, len) = ((from % BLOCK_BYTES) as usize, (to - from) as usize);
        self.write_bytes(files, block, start, &zeros[..len])
    }

    fn write_bytes(&mut self, files: &HostFiles, block: u64, at: usize, new: &[u8]) -> Result<()> {
        let end = at + new.len();
        if new.len() == BLOCK_BYTES as usize
            && !matches!(self.blocks.get(block), Some(ContentBlock::Bytes(_)))
        {
            self.put(block, ContentBlock::Bytes(Arc::new(new.to_vec())));
            return Ok(());
        }
        match self.blocks.get_mut(block) {
            Some(ContentBlock::Bytes(bytes)) => {
                if new.len() == BLOCK_BYTES as usize && Arc::get_mut(bytes).is_none() {
                    *bytes = Arc::new(new.to_vec());
                    return Ok(());
                }
                let bytes = Arc::make_mut(bytes);
                grow(bytes, at, end, 0);
                bytes[at..end].copy_from_slice(new);
            }
            Some(ContentBlock::Cells(cells)) => {
                let cells = Arc::make_mut(cells);
                grow(cells, at, end, B::from(0));
                cells[at..end].iter_mut().zip(new).for_each(|(cell, byte)| *cell = B::from(*byte));
            }
            Some(ContentBlock::Hole) | None => {
                let mut bytes = self.lower_bytes(files, block)?;
                grow(&mut bytes, at, end, 0);
                bytes[at..end].copy_from_slice(new);
                self.put(block, ContentBlock::Bytes(Arc::new(bytes)));
            }
        }
        Ok(())
    }

    fn write_cells(&mut self, files: &HostFiles, block: u64, at: usize, new: &[B]) -> Result<()> {
        let end = at + new.len();
        if let Some(ContentBlock::Cells(cells)) = self.blocks.get_mut(block) {
            let cells = Arc::make_mut(cells);
            grow(cells, at, end, B::from(0));
            cells[at..end].copy_from_slice(new);
            return Ok(());
        }
        let bytes = match self.blocks.get(block) {
            Some(ContentBlock::Bytes(bytes)) => bytes.to_vec(),
            _ => self.lower_bytes(files, block)?,
        };
        let mut cells: Vec<B> = bytes.into_iter().map(B::from).collect();
        grow(&mut cells, at, end, B::from(0));
        cells[at..end].copy_from_slice(new);
        self.put(block, ContentBlock::Cells(Arc::new(cells)));
        Ok(())
    }

    /// Reads the visible bytes of a block that is not stored here.
    fn lower_bytes(&self, files: &HostFiles, block: u64) -> Result<Vec<u8>> {
        let start = block * BLOCK_BYTES;
        let hole = matches!(self.blocks.get(block), Some(ContentBlock::Hole));
        match self.host {
            Some(host) if !hole && host.visible > start => {
                let len = BLOCK_BYTES.min(host.visible - start) as usize;
                let chunk = files.chunk(host.file, start / CHUNK_BYTES)?;
                Ok(part(&chunk, (start % CHUNK_BYTES) as usize, len).to_vec())
            }
            _ => Ok(Vec::new()),
        }
    }

    fn is_stored(&self, block: u64) -> bool {
        matches!(self.blocks.get(block), Some(ContentBlock::Bytes(_) | ContentBlock::Cells(_)))
    }

    /// Blocks that the visible part of the host's file has.
    fn host_blocks(&self) -> u64 {
        self.host.map_or(0, |host| host.visible.div_ceil(BLOCK_BYTES))
    }

    fn put(&mut self, block: u64, new: ContentBlock<B>) {
        self.stored += u64::from(!matches!(new, ContentBlock::Hole));
        match self.blocks.insert(block, new) {
            Some(ContentBlock::Hole) => {}
            Some(_) => self.stored -= 1,
            None => self.from_host -= u64::from(block < self.host_blocks()),
        }
    }

    /// Removes a block; what the host has there is seen again.
    fn remove(&mut self, block: u64) {
        let Some(old) = self.blocks.remove(block) else { return };
        self.stored -= u64::from(!matches!(old, ContentBlock::Hole));
        self.from_host += u64::from(block < self.host_blocks());
    }
}

impl<'a, B> WriteData<'a, B> {
    pub(crate) fn len(&self) -> usize {
        match self {
            WriteData::Bytes(bytes) => bytes.len(),
            WriteData::Cells(cells) => cells.len(),
        }
    }

    pub(crate) fn slice(&self, from: usize, len: usize) -> WriteData<'a, B> {
        match self {
            WriteData::Bytes(bytes) => WriteData::Bytes(&bytes[from..from + len]),
            WriteData::Cells(cells) => WriteData::Cells(&cells[from..from + len]),
        }
    }
}

/// Copies a piece to the front of `buffer`; fails if a byte is not concrete.
pub(crate) fn copy_concrete<B: FileByte>(
    piece: ContentPiece<'_, B>,
    buffer: &mut [u8],
) -> Option<()> {
    let buffer = &mut buffer[..piece.len()];
    match piece {
        ContentPiece::Bytes(bytes) => buffer.copy_from_slice(bytes),
        ContentPiece::Zeros(_) => buffer.fill(0),
        ContentPiece::Cells(cells) => {
            for (byte, cell) in buffer.iter_mut().zip(cells) {
                *byte = concrete(*cell)?;
            }
        }
    }
    Some(())
}

/// Adds a piece to bytes of any kind.
pub(crate) fn append<B: FileByte>(bytes: &mut Vec<B>, piece: ContentPiece<'_, B>) {
    match piece {
        ContentPiece::Bytes(piece) => bytes.extend(piece.iter().map(|byte| B::from(*byte))),
        ContentPiece::Cells(cells) => bytes.extend_from_slice(cells),
        ContentPiece::Zeros(count) => bytes.extend(std::iter::repeat_n(B::from(0), count)),
    }
}

/// The items of `start..start + len` that exist.
fn part<T>(items: &[T], start: usize, len: usize) -> &[T] {
    let end = (start + len).min(items.len());
    &items[start.min(end)..end]
}

/// Makes room for `at..end`, in steps that suit both a log written byte by byte and many small files.
fn grow<T: Copy>(items: &mut Vec<T>, at: usize, end: usize, zero: T) {
    debug_assert!(at < end && end <= BLOCK_BYTES as usize);
    if items.len() < end {
        items.resize(end, zero);
    }
}
