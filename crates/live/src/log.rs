//! [`Log`]: the records of one strand, and [`SpillFile`], where their bytes go when memory is short.
//!
//! A log only grows at its end, except that its last record may grow. The older part of it may be in the
//! file, cut between records; the offsets of records are the same in both places.
//!
//! The file has no name: it is removed right after it was made, so that nothing is left behind, however the
//! process ends.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::record::{CONTENT_BYTES_MAX, HEADER_BYTES, Record};

/// Bytes that are read from the file at once: replays read one record after the other.
const WINDOW_BYTES: usize = 4 * CONTENT_BYTES_MAX;

/// The records of one strand.
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// Parts in the file, from the first to the last.
    extents: Vec<Extent>,
    /// Where the part in memory begins.
    tail_start: u64,
    tail: Vec<u8>,
}

/// A part of a log that is in the file.
#[derive(Debug)]
struct Extent {
    /// Where it begins in the log.
    start: u64,
    /// Where it begins in the file.
    file_start: u64,
}

impl Log {
    /// The number of bytes of all records.
    pub(crate) fn len(&self) -> u64 {
        self.tail_start + self.tail.len() as u64
    }

    /// The number of bytes that are in memory.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.tail.len()
    }

    /// Adds a record, and returns where it begins.
    pub(crate) fn push(&mut self, record: &Record<'_>) -> u64 {
        let at = self.len();
        record.write(&mut self.tail);
        at
    }

    /// Adds bytes to the last record, which is a run of bytes that begins at `record`, and returns how
    /// many.
    ///
    /// None are added if the record is full or in the file.
    pub(crate) fn extend_last(&mut self, record: u64, bytes: &[u8]) -> usize {
        let Some(start) = record.checked_sub(self.tail_start) else { return 0 };
        let content_start = start as usize + HEADER_BYTES;
        let length = self.tail.len() - content_start;
        let added = bytes.len().min(CONTENT_BYTES_MAX - length);
        self.tail.extend_from_slice(&bytes[..added]);
        let length = (length + added) as u32;
        self.tail[content_start - 4..content_start].copy_from_slice(&length.to_le_bytes());
        added
    }

    /// The record that begins at an offset.
    pub(crate) fn record<'a>(
        &'a self,
        at: u64,
        file: &'a mut SpillFile,
    ) -> io::Result<Option<Record<'a>>> {
        if let Some(start) = at.checked_sub(self.tail_start) {
            let start = usize::try_from(start).unwrap_or(usize::MAX);
            return Ok(self.tail.get(start..).and_then(Record::read));
        }
        let number = self.extents.partition_point(|extent| extent.start <= at) - 1;
        let extent = &self.extents[number];
        let end = self.extents.get(number + 1).map_or(self.tail_start, |next| next.start);
        let left = usize::try_from(end - at).unwrap_or(usize::MAX);
        let bytes_max = left.min(HEADER_BYTES + CONTENT_BYTES_MAX);
        let bytes = file.read(extent.file_start + (at - extent.start), bytes_max)?;
        Ok(Record::read(bytes))
    }

    /// Moves everything that is in memory into the file.
    pub(crate) fn spill(&mut self, file: &mut SpillFile) -> io::Result<()> {
        if !self.tail.is_empty() {
            let file_start = file.append(&self.tail)?;
            self.extents.push(Extent { start: self.tail_start, file_start });
            self.tail_start = self.len();
            self.tail.clear();
        }
        Ok(())
    }

    /// Gives back memory that the part in memory does not need.
    pub(crate) fn shrink(&mut self, bytes: usize) {
        self.tail.shrink_to(bytes);
    }
}

/// The file with the older parts of all logs of a tree.
#[derive(Debug, Default)]
pub(crate) struct SpillFile {
    folder: Option<PathBuf>,
    file: Option<File>,
    len: u64,
    /// What was read last: its place, and its bytes.
    window_start: u64,
    window: Vec<u8>,
}

impl SpillFile {
    /// A file in this folder, which is made when it is needed.
    pub(crate) fn new(folder: Option<PathBuf>) -> SpillFile {
        SpillFile { folder, ..SpillFile::default() }
    }

    /// Returns true if there is a place for the file.
    pub(crate) fn is_allowed(&self) -> bool {
        self.folder.is_some()
    }

    /// The number of bytes in the file.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<u64> {
        let file = match (&mut self.file, &self.folder) {
            (Some(file), _) => file,
            (file, Some(folder)) => file.insert(nameless_file(folder)?),
            (None, None) => return Err(io::Error::from(io::ErrorKind::NotFound)),
        };
        let start = self.len;
        file.write_all_at(bytes, start)?;
        self.len += bytes.len() as u64;
        Ok(start)
    }

    fn read(&mut self, start: u64, bytes_max: usize) -> io::Result<&[u8]> {
        let window_end = self.window_start + self.window.len() as u64;
        // A window that ends early is good enough if the record in it is whole, which its reader finds out
        // only later: so it has to hold all that was asked for.
        if start < self.window_start || start + bytes_max as u64 > window_end {
            let left = usize::try_from(self.len - start).unwrap_or(usize::MAX);
            self.window.resize(WINDOW_BYTES.min(left), 0);
            self.window_start = start;
            let file = self.file.as_ref().ok_or(io::ErrorKind::NotFound)?;
            if let Err(error) = file.read_exact_at(&mut self.window, start) {
                self.window.clear();
                return Err(error);
            }
        }
        let from = (start - self.window_start) as usize;
        Ok(&self.window[from..from + bytes_max])
    }
}

/// A file that only this process can reach.
fn nameless_file(folder: &Path) -> io::Result<File> {
    static FILES: AtomicU64 = AtomicU64::new(0);
    let number = FILES.fetch_add(1, Ordering::Relaxed);
    let path = folder.join(format!("live-{}-{number}.spill", std::process::id()));
    let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
    fs::remove_file(&path)?;
    Ok(file)
}
