//! Files of results, which are whole whenever somebody looks.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Result;

/// Writes a file beside and renames it: nobody sees half of it, and a failure leaves what was there.
pub(crate) fn write_whole(file: &Path, content: &[u8]) -> Result<()> {
    let mut beside = file.as_os_str().to_owned();
    beside.push(".part");
    let beside = PathBuf::from(beside);
    let written = fs::write(&beside, content).and_then(|()| fs::rename(&beside, file));
    written.map_err(|error| {
        // The part that was written takes room on a disk that is probably full.
        let _ = fs::remove_file(&beside);
        let full = error.kind() == ErrorKind::StorageFull;
        let advice = if full {
            "; the disk is full: make room, or name another folder with --out"
        } else {
            ""
        };
        anyhow::Error::new(error).context(format!("cannot write {}{advice}", file.display()))
    })
}
