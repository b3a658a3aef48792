//! Folders of files that can be made again: headers, lowered programs, what is compiled on demand.
//!
//! Such a folder may be removed at any time. Several processes may fill one at the same time.
//!
//! Not here: where the folder is, which the driver decides.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::RuntimeError;

/// Puts a file into the cache unless it is there with the same contents.
///
/// Written beside and renamed, so that another process never sees half of it.
pub fn put(file: &Path, contents: &[u8]) -> Result<(), RuntimeError> {
    let same_length = fs::metadata(file).is_ok_and(|found| found.len() == contents.len() as u64);
    if same_length && fs::read(file).is_ok_and(|found| found == contents) {
        return Ok(());
    }
    let write = || -> std::io::Result<()> {
        let parent = file.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(parent)?;
        let mut beside = tempfile::NamedTempFile::new_in(parent)?;
        beside.write_all(contents)?;
        beside.persist(file)?;
        Ok(())
    };
    write().map_err(|source| RuntimeError::Write { path: file.to_path_buf(), source })
}

/// Removes all but the newest `keep` folders whose names begin so: they are of earlier builds.
pub fn forget_old(folder: &Path, prefix: &str, keep: usize) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut found: Vec<_> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix))
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    found.sort();
    let excess = found.len().saturating_sub(keep);
    for (_, path) in &found[..excess] {
        // A cache that stays too large harms nobody.
        let _ = fs::remove_dir_all(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_earlier_builds_are_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["programs-1", "programs-2", "programs-3", "include"] {
            fs::create_dir(folder.path().join(name)).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        forget_old(folder.path(), "programs-", 2);
        let left = |name: &str| folder.path().join(name).exists();
        assert_eq!(
            ["programs-1", "programs-2", "programs-3", "include"].map(left),
            [false, true, true, true]
        );
    }

    #[test]
    fn files_are_replaced_only_when_they_differ() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a/b.h");
        put(&file, b"one").unwrap();
        let written = fs::metadata(&file).unwrap().modified().unwrap();
        put(&file, b"one").unwrap();
        assert_eq!(fs::metadata(&file).unwrap().modified().unwrap(), written);
        put(&file, b"two").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"two");
    }
}
