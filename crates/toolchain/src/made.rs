//! [`made_of`]: files that a compiler makes when they are first needed, in a folder of the cache.

use std::fs;
use std::path::{Path, PathBuf};

use everett_runtime::cache;

use crate::error::{Result, ToolchainError};

/// The file with this name in a folder, which is made of sources: their names and texts, which are put into
/// the folder. It is made anew when they have changed. `make` is given the folder, and the place of the file
/// in an empty folder beside it, from which it is moved: so a file that is there is complete.
pub(crate) fn made_of(
    folder: &Path,
    name: &str,
    sources: &[(&str, &str)],
    make: impl FnOnce(&Path, &Path) -> Result<()>,
) -> Result<PathBuf> {
    let file = folder.join(name);
    let stamp = folder.join("made-of");
    let texts: String = sources.iter().map(|(_, text)| *text).collect();
    if file.is_file() && fs::read(&stamp).is_ok_and(|made_of| made_of == texts.as_bytes()) {
        return Ok(file);
    }
    for (name, text) in sources {
        cache::put(&folder.join(name), text.as_bytes())?;
    }
    let scratch = tempfile::tempdir_in(folder).map_err(ToolchainError::TemporaryFolder)?;
    let made = scratch.path().join(name);
    make(folder, &made)?;
    fs::rename(&made, &file)
        .map_err(|source| ToolchainError::Write { path: file.clone(), source })?;
    cache::put(&stamp, texts.as_bytes())?;
    Ok(file)
}
