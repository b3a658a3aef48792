//! [`SpillFolder`]: the parts of the set of worlds that memory has no room for, as files.
//!
//! A file is compressed, and known by its number, its length and its hash. A checkpoint names files instead
//! of having them in itself. So a file that the run has read again stays until a checkpoint is stored that
//! does not name it, if one before it does.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result};
use everett_engine::{SpillStore, SpilledBytes};
use everett_settings::{RunOptions, SpillChoice};

use super::folder::{OutputFolder, SPILL};

/// Higher levels of compression take several times as long for a few per cent.
const COMPRESSION_LEVEL: i32 = 1;
/// Bytes of the disk that stay free; less of a small disk.
const KEPT_FREE: u64 = 1 << 30;
/// The part of a small disk that stays free.
const KEPT_FREE_SHARE: u64 = 20;
/// The end of the names of files.
const EXTENSION: &str = ".part";

/// A folder of files with parts of the set of worlds. It is made when there is one.
pub(crate) struct SpillFolder {
    path: PathBuf,
    files: Mutex<FileNumbers>,
}

#[derive(Default)]
struct FileNumbers {
    /// The number of the next file.
    next: u64,
    /// The first file that no checkpoint names.
    unnamed: u64,
    /// Files that the run does not need any more, and that a checkpoint may name.
    released: Vec<u64>,
}

impl SpillFolder {
    /// The folder that options ask for, if there is an output folder. What another run has left there is
    /// removed, unless that is gone on with.
    pub(crate) fn of_options(
        options: &RunOptions,
        out: Option<&OutputFolder>,
        goes_on: bool,
    ) -> Result<Option<Arc<SpillFolder>>> {
        let Some(out) = out else { return Ok(None) };
        let path = match options.spill() {
            SpillChoice::Off => return Ok(None),
            SpillChoice::OutputFolder => out.path().join(SPILL),
            SpillChoice::Folder(folder) => folder.join(name_for(out.path())?),
        };
        let folder = SpillFolder { path, files: Mutex::default() };
        if !goes_on {
            folder.remove()?;
        }
        Ok(Some(Arc::new(folder)))
    }

    fn files(&self) -> MutexGuard<'_, FileNumbers> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn file(&self, number: u64) -> PathBuf {
        self.path.join(format!("{number:06}{EXTENSION}"))
    }

    /// A checkpoint is taken now. Gives the files that it does not name and that one before it may.
    pub(super) fn begin_checkpoint(&self) -> Vec<u64> {
        let mut files = self.files();
        files.unnamed = files.next;
        std::mem::take(&mut files.released)
    }

    /// Makes the files durable that a checkpoint names.
    pub(super) fn sync(&self) -> Result<()> {
        let synced = match File::open(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            folder => folder.and_then(|folder| Ok(rustix::fs::syncfs(folder)?)),
        };
        synced.with_context(|| format!("cannot sync {}", self.path.display()))
    }

    /// A checkpoint is stored that does not name these files, or none is.
    pub(super) fn end_checkpoint(&self, released: Vec<u64>, is_stored: bool) {
        match is_stored {
            true => released.into_iter().for_each(|number| self.delete(number)),
            false => self.files().released.extend(released),
        }
    }

    /// A file that cannot be deleted takes room until the end of the run.
    fn delete(&self, number: u64) {
        let _ = fs::remove_file(self.file(number));
    }

    /// Removes the folder.
    pub(crate) fn remove(&self) -> Result<()> {
        match fs::remove_dir_all(&self.path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(error).with_context(|| format!("cannot remove {}", self.path.display()))
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Adds the path to an error.
    fn named<T>(&self, result: io::Result<T>, what: &str, file: &Path) -> io::Result<T> {
        result.map_err(|error| {
            let message = format!("cannot {what} {}: {error}", file.display());
            io::Error::new(error.kind(), message)
        })
    }

    fn read_whole(&self, name: &SpilledBytes) -> io::Result<Vec<u8>> {
        let mut stored = Vec::new();
        // One byte more shows that a file is longer than it should be.
        File::open(self.file(name.number))?.take(name.stored + 1).read_to_end(&mut stored)?;
        let is_same =
            stored.len() as u64 == name.stored && *blake3::hash(&stored).as_bytes() == name.hash;
        let mut bytes = Vec::new();
        if is_same {
            zstd::Decoder::new(&stored[..])?.take(name.length + 1).read_to_end(&mut bytes)?;
        }
        match is_same && bytes.len() as u64 == name.length {
            true => Ok(bytes),
            false => Err(io::Error::new(ErrorKind::InvalidData, "it is damaged")),
        }
    }
}

impl SpillStore for SpillFolder {
    fn write(&self, bytes: &[u8]) -> io::Result<SpilledBytes> {
        let number = {
            let mut files = self.files();
            files.next += 1;
            files.next
        };
        let file = self.file(number);
        let stored = zstd::encode_all(bytes, COMPRESSION_LEVEL)?;
        let written = fs::create_dir_all(&self.path)
            .and_then(|()| check_room(&self.path, stored.len() as u64))
            .and_then(|()| fs::write(&file, &stored));
        if written.is_err() {
            // The part that was written takes room on a disk that is probably full.
            self.delete(number);
        }
        self.named(written, "write", &file)?;
        let (length, hash) = (bytes.len() as u64, *blake3::hash(&stored).as_bytes());
        Ok(SpilledBytes { number, length, stored: stored.len() as u64, hash })
    }

    fn read(&self, name: &SpilledBytes) -> io::Result<Vec<u8>> {
        self.named(self.read_whole(name), "read", &self.file(name.number))
    }

    fn release(&self, name: &SpilledBytes) {
        let mut files = self.files();
        if name.number <= files.unnamed {
            files.released.push(name.number);
            return;
        }
        drop(files);
        self.delete(name.number);
    }

    fn resume(&self, needed: &[SpilledBytes]) -> io::Result<()> {
        for name in needed {
            let file = self.file(name.number);
            let length = self.named(fs::metadata(&file), "find", &file)?.len();
            if length != name.stored {
                let damaged = io::Error::new(ErrorKind::InvalidData, "it is damaged");
                return self.named(Err(damaged), "read", &file);
            }
        }
        let numbers: Vec<u64> = needed.iter().map(|name| name.number).collect();
        let entries = match fs::read_dir(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            entries => self.named(entries, "list", &self.path)?,
        };
        for entry in entries {
            let name = entry?.file_name();
            let number = name.to_str().and_then(|name| name.strip_suffix(EXTENSION)?.parse().ok());
            if let Some(number) = number.filter(|number| !numbers.contains(number)) {
                self.delete(number);
            }
        }
        let last = numbers.into_iter().max().unwrap_or(0);
        let mut files = self.files();
        (files.next, files.unnamed) = (last, last);
        Ok(())
    }
}

/// Refuses to fill a disk up that others use as well.
fn check_room(folder: &Path, bytes: u64) -> io::Result<()> {
    let disk = rustix::fs::statvfs(folder)?;
    let size = disk.f_blocks.saturating_mul(disk.f_frsize);
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    match is_room(size, free, bytes) {
        true => Ok(()),
        false => {
            Err(io::Error::new(ErrorKind::StorageFull, "hardly any room would be left on the disk"))
        }
    }
}

fn is_room(size: u64, free: u64, bytes: u64) -> bool {
    free.saturating_sub(bytes) >= KEPT_FREE.min(size / KEPT_FREE_SHARE)
}

/// The name of the files' folder for a run whose results are in an output folder: no other run has it.
fn name_for(out: &Path) -> Result<OsString> {
    let whole = std::path::absolute(out)
        .with_context(|| format!("cannot tell where {} is", out.display()))?;
    let hash = blake3::hash(whole.as_os_str().as_bytes()).to_hex();
    Ok(format!("everett-{}", &hash[..16]).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> SpillFolder {
        let path = std::env::temp_dir().join(format!("everett-{name}-{}", std::process::id()));
        let folder = SpillFolder { path, files: Mutex::default() };
        folder.remove().unwrap();
        folder
    }

    #[test]
    fn what_was_written_is_read_again_until_it_is_released() {
        let folder = folder("spill");
        let bytes: Vec<u8> = (0..100_000u32).flat_map(|i| (i / 7).to_le_bytes()).collect();
        let (first, second) = (folder.write(&bytes).unwrap(), folder.write(b"other").unwrap());
        assert!(first.stored < first.length);
        assert_eq!(folder.read(&first).unwrap(), bytes);
        assert_eq!(folder.read(&second).unwrap(), b"other");
        folder.release(&first);
        assert_eq!(folder.read(&first).unwrap_err().kind(), ErrorKind::NotFound);
        folder.remove().unwrap();
    }

    #[test]
    fn some_room_is_left_on_the_disk() {
        let (mib, gib) = (1 << 20, 1 << 30);
        assert!(is_room(100 * gib, 2 * gib, gib) && !is_room(100 * gib, 2 * gib, gib + 1));
        assert!(is_room(100 * mib, 6 * mib, mib) && !is_room(100 * mib, 6 * mib, 2 * mib));
        assert!(!is_room(100 * gib, 0, 1));
    }

    #[test]
    fn damage_is_seen() {
        let folder = folder("damage");
        let name = folder.write(&[7; 1000]).unwrap();
        let (file, whole) = (folder.file(1), fs::read(folder.file(1)).unwrap());
        let mut longer = whole.clone();
        longer.push(0);
        let mut changed = whole.clone();
        changed[whole.len() / 2] ^= 1;
        for damaged in [&whole[1..], &longer, &changed, b""] {
            fs::write(&file, damaged).unwrap();
            let error = folder.read(&name).unwrap_err().to_string();
            assert!(error.contains("000001.part: it is damaged"), "{error}");
        }
        fs::write(&file, &whole).unwrap();
        assert!(folder.read(&name).is_ok());
        assert!(folder.resume(&[SpilledBytes { stored: name.stored + 1, ..name }]).is_err());
        folder.remove().unwrap();
    }

    #[test]
    fn files_that_a_stored_checkpoint_names_stay() {
        let folder = folder("named");
        let names: Vec<SpilledBytes> =
            (0..3u8).map(|byte| folder.write(&[byte]).unwrap()).collect();
        assert!(folder.begin_checkpoint().is_empty());
        folder.end_checkpoint(Vec::new(), true);
        folder.release(&names[0]);
        assert!(folder.read(&names[0]).is_ok(), "the checkpoint names it");
        let released = folder.begin_checkpoint();
        assert_eq!(released, [1]);
        folder.end_checkpoint(released, false);
        assert!(folder.read(&names[0]).is_ok(), "the checkpoint before it stays");
        let released = folder.begin_checkpoint();
        folder.end_checkpoint(released, true);
        assert!(folder.read(&names[0]).is_err() && folder.read(&names[1]).is_ok());
        folder.resume(&names[2..]).unwrap();
        assert!(folder.read(&names[1]).is_err() && folder.read(&names[2]).is_ok());
        assert_eq!(folder.write(b"new").unwrap().number, 4);
        folder.remove().unwrap();
    }
}
