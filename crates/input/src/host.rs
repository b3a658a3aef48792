//! Files of the host under the names that a run knows them by.
//!
//! A process that helps with a run of another machine has copies of that machine's files below a folder
//! ([`set_root`]). A name that begins at the root stands for a file below that folder there; everywhere else
//! names stand for themselves. So whatever a run writes down has the names of the machine that it was begun
//! on. Temporary files of the process itself are where they are.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

static ROOT: OnceLock<PathBuf> = OnceLock::new();
static NOTED: Mutex<Option<BTreeSet<PathBuf>>> = Mutex::new(None);

/// Names the folder that has copies of another machine's files, once and before any file is looked at.
pub fn set_root(folder: PathBuf) {
    ROOT.get_or_init(|| folder);
}

/// Where a file is that a run knows by this name.
pub fn real(name: &Path) -> PathBuf {
    if let Some(noted) = &mut *noted() {
        noted.extend(std::path::absolute(name));
    }
    let copy = below(root(), name);
    let is_temporary = || name.starts_with(std::env::temp_dir()) && !copy.exists();
    if root().is_some() && is_temporary() { name.to_path_buf() } else { copy }
}

/// The canonical name of a file, as the run knows it.
pub fn canonical(name: &Path) -> std::io::Result<PathBuf> {
    let found = real(name).canonicalize()?;
    let Some(root) = root().and_then(|root| root.canonicalize().ok()) else { return Ok(found) };
    Ok(above(&root, found))
}

/// The name of a file from the root, as the run knows it. The file need not be there.
pub fn absolute(name: &Path) -> std::io::Result<PathBuf> {
    let found = std::path::absolute(name)?;
    // The current folder may be one of the copies.
    let Some(root) = root().and_then(|root| root.canonicalize().ok()) else { return Ok(found) };
    Ok(above(&root, found))
}

/// The name that a copy stands for; others stay as they are.
fn above(root: &Path, copy: PathBuf) -> PathBuf {
    copy.strip_prefix(root).map_or(copy.clone(), |rest| Path::new("/").join(rest))
}

/// Begins to note the names of all files that are looked at.
pub fn begin_notes() {
    *noted() = Some(BTreeSet::new());
}

/// The names that were noted, from the root.
pub fn take_notes() -> BTreeSet<PathBuf> {
    noted().take().unwrap_or_default()
}

fn root() -> Option<&'static Path> {
    ROOT.get().map(PathBuf::as_path)
}

fn below(root: Option<&Path>, name: &Path) -> PathBuf {
    match (root, name.strip_prefix("/")) {
        (Some(root), Ok(rest)) if !name.starts_with(root) => root.join(rest),
        _ => name.to_path_buf(),
    }
}

fn noted() -> MutexGuard<'static, Option<BTreeSet<PathBuf>>> {
    NOTED.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_the_root_are_below_the_folder() {
        let shown = |root: Option<&str>, name: &str| below(root.map(Path::new), Path::new(name));
        assert_eq!(shown(None, "/etc/x"), Path::new("/etc/x"));
        assert_eq!(shown(Some("/copy"), "/etc/x"), Path::new("/copy/etc/x"));
        assert_eq!(shown(Some("/copy"), "etc/x"), Path::new("etc/x"));
        assert_eq!(shown(Some("/copy"), "/copy/etc/x"), Path::new("/copy/etc/x"));
    }

    #[test]
    fn copies_have_the_names_of_what_they_stand_for() {
        let shown = |copy: &str| above(Path::new("/copy"), PathBuf::from(copy));
        assert_eq!(shown("/copy/etc/x"), Path::new("/etc/x"));
        assert_eq!(shown("/etc/x"), Path::new("/etc/x"));
    }

    #[test]
    fn names_are_noted_while_that_is_wanted() {
        begin_notes();
        real(Path::new("/some/file"));
        assert!(take_notes().contains(Path::new("/some/file")));
        real(Path::new("/other/file"));
        assert!(take_notes().is_empty());
    }
}
