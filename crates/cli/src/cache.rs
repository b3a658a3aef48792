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

#[cfg(test)]
mod tests {
    use super::*;

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
