//! The cache folder: headers, the runtime's bitcode, lowered programs.
//!
//! Everything in it can be made again, so it may be removed at any time.

use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The cache folder, made if it is missing.
///
/// `EVERETT_CACHE` names it; otherwise it is where the system keeps caches of the user.
pub(crate) fn folder() -> Result<PathBuf> {
    let named = |name: &str| env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let folder = named("EVERETT_CACHE")
        .or_else(|| named("XDG_CACHE_HOME").map(|cache| cache.join("everett")))
        .or_else(|| named("HOME").map(|home| home.join(".cache/everett")))
        .unwrap_or_else(|| env::temp_dir().join("everett-cache"));
    match fs::create_dir_all(&folder) {
        Ok(()) => Ok(folder),
        Err(error) => {
            let folder = folder.display();
            let advice = "set EVERETT_CACHE to a folder that can be written";
            Err(error).with_context(|| format!("cannot make the cache folder {folder}; {advice}"))
        }
    }
}

/// Puts a file into the cache unless it is there with the same contents.
///
/// Written beside and renamed, so that another process never sees half of it.
pub(crate) fn put(file: &Path, contents: &[u8]) -> Result<()> {
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
    write().with_context(|| format!("cannot write {}", file.display()))
}

/// Removes all but the newest `keep` folders whose names begin so: they are of earlier builds.
pub(crate) fn forget_old(folder: &Path, prefix: &str, keep: usize) {
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
