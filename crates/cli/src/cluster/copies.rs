//! Copies of the files of runs of other machines: [`CopiesFolder`], [`enter`].

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use everett_cluster::{BlobId, JobBoard, RunId};
use everett_input::host;

use super::files::RunFiles;
use crate::environment;

/// The folder for copies that this process makes. It is removed at the end.
pub(crate) struct CopiesFolder(PathBuf);

impl CopiesFolder {
    /// A folder below the cache. Those of processes that were killed are removed.
    pub(crate) fn new() -> Result<CopiesFolder> {
        let all = environment::cache()?.join("cluster");
        fs::create_dir_all(&all).with_context(|| format!("cannot make {}", all.display()))?;
        for entry in fs::read_dir(&all).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let is_number = name.to_string_lossy().bytes().all(|byte| byte.is_ascii_digit());
            if is_number && !PathBuf::from("/proc").join(&name).exists() {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        let own = all.join(std::process::id().to_string());
        fs::create_dir_all(&own).with_context(|| format!("cannot make {}", own.display()))?;
        Ok(CopiesFolder(own))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for CopiesFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Makes copies of files of a run below a folder.
pub(crate) fn fetch(board: &JobBoard, run: &RunId, files: &RunFiles, root: &Path) -> Result<()> {
    files.make_below(root, &mut |hash| {
        let blob = board.blob(run, &BlobId::from(*hash))?;
        blob.ok_or_else(|| anyhow!("the content of a file of run {run} is not at the server"))
    })
}

/// Lets this process know files below a folder by the names that they have on another machine, and enters the
/// folder that a run was submitted in there. No file may have been looked at before.
pub(crate) fn enter(root: &Path, folder: &[u8]) -> Result<()> {
    host::set_root(root.to_path_buf());
    let folder = Path::new(OsStr::from_bytes(folder));
    let folder = root.join(folder.strip_prefix("/").unwrap_or(folder));
    fs::create_dir_all(&folder).context("cannot make the folder of the run")?;
    std::env::set_current_dir(&folder).context("cannot enter the folder of the run")
}
