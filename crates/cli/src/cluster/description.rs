//! What a run is, for whoever takes part in it: [`RunSpec`].

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use anyhow::{Context, Result};
use everett_base::part::file::RunIdentity;

use crate::cluster::files::RunFiles;
use crate::origin::{RunOrigin, hash_of_binary};

/// Everything that a worker needs to explore jobs of a run.
pub(crate) struct RunSpec {
    pub(crate) origin: RunOrigin,
    /// Environment variables that name folders of shared objects.
    pub(crate) library_path: Vec<u8>,
    pub(crate) files: RunFiles,
    /// The folder of the results, as it is named on the machine that has submitted the run.
    pub(crate) out: Vec<u8>,
    /// The first job: a run that is begun again has another one.
    pub(crate) first_job: Vec<u8>,
}

everett_base::portable!(struct RunSpec { origin, library_path, files, out, first_job });

impl RunSpec {
    /// Distinguishes the bytes of this run's jobs from those of others.
    pub(crate) fn identity(&self) -> RunIdentity {
        self.origin.identity()
    }

    /// The folder of the results.
    pub(crate) fn out(&self) -> PathBuf {
        PathBuf::from(OsString::from_vec(self.out.clone()))
    }
}

/// The name of this build: workers take jobs of runs that the same build has submitted.
pub(crate) fn build() -> Result<String> {
    let hash = hash_of_binary().context("cannot tell which build this is")?;
    Ok(format!("everett {} {}", env!("CARGO_PKG_VERSION"), &hash[..16]))
}
