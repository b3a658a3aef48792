//! The files of a run, for workers on other machines: [`RunFiles`].
//!
//! A worker has them below a folder, under the names that they have on the machine that has submitted the
//! run (`everett_input::host`). Contents are named by their hash, so each is stored and sent once.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File, Metadata, Permissions};
use std::io::Write;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use everett_cluster::{BlobId, JobBoard, RunId};

/// The name of a content.
type ContentHash = [u8; 32];

/// A file, a folder or a link.
enum FileKind {
    File(ContentHash),
    Folder,
    Link(Vec<u8>),
}

everett_base::portable!(enum FileKind { 0 = File(hash), 1 = Folder, 2 = Link(target) });

/// A file of the host.
struct RunFile {
    /// Its name, from the root.
    name: Vec<u8>,
    mode: u32,
    /// The time of its last change, in nanoseconds since 1970.
    changed_at: u64,
    kind: FileKind,
}

everett_base::portable!(struct RunFile { name, mode, changed_at, kind });

/// The files of a run, without their contents.
#[derive(Default)]
pub(crate) struct RunFiles {
    files: Vec<RunFile>,
}

everett_base::portable!(struct RunFiles { files });

impl RunFiles {
    /// Files that were looked at, as far as they are there, and everything below mounted folders. Each
    /// content is handed over, once or several times.
    pub(crate) fn collect(
        noted: &BTreeSet<PathBuf>,
        mounts: &[PathBuf],
        store: &mut dyn FnMut(&[u8]) -> Result<ContentHash>,
    ) -> Result<RunFiles> {
        let mut names = BTreeSet::new();
        for name in noted {
            if fs::metadata(name).is_ok_and(|found| found.is_file()) {
                names.insert(name.clone());
            }
        }
        mounts.iter().try_for_each(|mount| all_below(mount, &mut names))?;
        let mut files = RunFiles::default();
        for name in names {
            files.add(name, store)?;
        }
        Ok(files)
    }

    fn add(
        &mut self,
        name: PathBuf,
        store: &mut dyn FnMut(&[u8]) -> Result<ContentHash>,
    ) -> Result<()> {
        let unreadable = || format!("cannot read {}, which the run needs", name.display());
        let found = fs::symlink_metadata(&name).with_context(unreadable)?;
        let kind = if found.is_symlink() {
            let target = fs::read_link(&name).with_context(unreadable)?;
            // A run may know a program by a link, too: its target is sent under its own name.
            if let Ok(target) = name.canonicalize()
                && target.is_file()
                && !self.files.iter().any(|file| file.name == target.as_os_str().as_bytes())
            {
                self.add(target, store)?;
            }
            FileKind::Link(target.into_os_string().into_vec())
        } else if found.is_dir() {
            FileKind::Folder
        } else if found.is_file() {
            FileKind::File(store(&fs::read(&name).with_context(unreadable)?)?)
        } else {
            // Devices and pipes of the host have no content.
            return Ok(());
        };
        let (mode, changed_at) = (found.permissions().mode(), changed_at(&found));
        let name = name.into_os_string().into_vec();
        self.files.push(RunFile { name, mode, changed_at, kind });
        Ok(())
    }

    /// Hands all contents of another run's files over to a run that takes its place.
    pub(crate) fn copy_blobs(self, board: &JobBoard, from: &RunId, to: &RunId) -> Result<RunFiles> {
        for file in &self.files {
            if let FileKind::File(hash) = &file.kind {
                let content = board.blob(from, &BlobId::from(*hash))?;
                let content = content.context("the content of a file is not at the server")?;
                board.put_blob(to, &content)?;
            }
        }
        Ok(self)
    }

    /// Makes copies of all files below a folder.
    pub(crate) fn make_below(
        &self,
        root: &Path,
        content: &mut dyn FnMut(&ContentHash) -> Result<Vec<u8>>,
    ) -> Result<()> {
        for file in &self.files {
            let place = below(root, &file.name)?;
            let failed = || format!("cannot make {}", place.display());
            if let Some(parent) = place.parent() {
                fs::create_dir_all(parent).with_context(failed)?;
            }
            match &file.kind {
                FileKind::Folder => fs::create_dir_all(&place).with_context(failed)?,
                FileKind::Link(target) => {
                    // Those that begin at the root lead to files below the folder.
                    let target = Path::new(OsStr::from_bytes(target));
                    let target = match target.is_absolute() {
                        true => below(root, target.as_os_str().as_bytes())?,
                        false => target.to_path_buf(),
                    };
                    symlink(target, &place).with_context(failed)?;
                    continue;
                }
                FileKind::File(hash) => {
                    let bytes = content(hash)?;
                    File::create(&place)
                        .and_then(|mut made| made.write_all(&bytes))
                        .with_context(failed)?;
                }
            }
        }
        // Folders are changed by what is made in them, and may be closed to their owner.
        for file in self.files.iter().rev() {
            if !matches!(file.kind, FileKind::Link(_)) {
                file.finish(&below(root, &file.name)?)?;
            }
        }
        Ok(())
    }
}

impl RunFile {
    /// Gives a copy the mode and the time of the file.
    fn finish(&self, place: &Path) -> Result<()> {
        let failed = || format!("cannot change {}", place.display());
        let at = UNIX_EPOCH + Duration::from_nanos(self.changed_at);
        let made = File::open(place).with_context(failed)?;
        made.set_modified(at).with_context(failed)?;
        let mode = Permissions::from_mode(self.mode & 0o7777);
        fs::set_permissions(place, mode).with_context(failed)
    }
}

fn changed_at(found: &Metadata) -> u64 {
    let at = found.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    at.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64)
}

/// The place of a file below a folder; nothing leads out of it.
fn below(root: &Path, name: &[u8]) -> Result<PathBuf> {
    let name = Path::new(OsStr::from_bytes(name));
    let mut place = root.to_path_buf();
    for part in name.components() {
        match part {
            Component::RootDir | Component::CurDir => {}
            Component::Normal(part) => place.push(part),
            Component::ParentDir | Component::Prefix(_) => {
                bail!("{} is no name of a file of a run", name.display())
            }
        }
    }
    Ok(place)
}

fn all_below(name: &Path, names: &mut BTreeSet<PathBuf>) -> Result<()> {
    let unreadable = || format!("cannot read {}, which is mounted", name.display());
    names.insert(name.to_path_buf());
    if !fs::symlink_metadata(name).with_context(unreadable)?.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(name).with_context(unreadable)? {
        all_below(&entry.with_context(unreadable)?.path(), names)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::os::unix::fs::MetadataExt;

    use super::*;
    use crate::value_bytes::{of_bytes, to_bytes};

    #[test]
    fn copies_have_names_contents_modes_and_times() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let at = |name: &str| from.path().join(name);
        fs::create_dir_all(at("mounted/inner")).unwrap();
        fs::write(at("mounted/inner/data"), b"data").unwrap();
        fs::write(at("program"), b"program").unwrap();
        fs::set_permissions(at("program"), Permissions::from_mode(0o750)).unwrap();
        symlink("inner/data", at("mounted/link")).unwrap();
        symlink(at("program"), at("alias")).unwrap();
        let noted = BTreeSet::from([at("alias"), at("missing"), at("mounted")]);
        let mut stored: BTreeMap<ContentHash, Vec<u8>> = BTreeMap::new();
        let files = RunFiles::collect(&noted, &[at("mounted")], &mut |bytes| {
            let hash = *blake3::hash(bytes).as_bytes();
            stored.insert(hash, bytes.to_vec());
            Ok(hash)
        });
        let files: RunFiles = of_bytes(&to_bytes(&files.unwrap())).unwrap();
        files.make_below(to.path(), &mut |hash| Ok(stored[hash].clone())).unwrap();
        let copy = |name: &str| to.path().join(at(name).strip_prefix("/").unwrap());
        assert_eq!(fs::read(copy("mounted/link")).unwrap(), b"data");
        assert_eq!(fs::read(copy("alias")).unwrap(), b"program");
        let found = |path: PathBuf| {
            let found = fs::metadata(path).unwrap();
            (found.modified().unwrap(), found.mode(), found.len())
        };
        for name in ["program", "mounted/inner", "mounted/inner/data"] {
            let (original, copied) = (found(at(name)), found(copy(name)));
            assert_eq!((original.0, original.1), (copied.0, copied.1), "{name}");
        }
        assert!(!copy("missing").exists());
    }

    #[test]
    fn nothing_is_made_outside_of_the_folder() {
        assert_eq!(below(Path::new("/r"), b"/a/./b").unwrap(), Path::new("/r/a/b"));
        assert!(below(Path::new("/r"), b"/a/../../b").is_err());
    }
}
