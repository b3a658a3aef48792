//! What a run is, for whoever takes part in it: [`RunSpec`].

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use everett_base::part::file::RunIdentity;
use everett_cluster::{JobBoard, JobId, RunDescription, RunHeader, RunId};
use everett_engine::{EngineConfig, SystemNode};

use crate::clock::seconds_since_1970;
use crate::cluster::compress;
use crate::cluster::files::RunFiles;
use crate::origin::{RunOrigin, hash_of_binary};
use crate::sources;
use crate::value_bytes::to_bytes;

/// The work that the jobs of a run are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum JobKind {
    /// Pieces of the set of worlds.
    Worlds,
    /// Single runs of a search over faults. Whoever has submitted it adds them one after the other.
    Experiments,
}

everett_base::portable!(enum JobKind { 0 = Worlds, 1 = Experiments });

/// A run that is about to be submitted.
pub(crate) struct SubmittedRun<'r> {
    /// The words of the command line behind `run`.
    pub(crate) words: &'r [OsString],
    pub(crate) nodes: &'r [SystemNode],
    pub(crate) config: &'r EngineConfig,
    /// The files that were looked at.
    pub(crate) noted: &'r BTreeSet<PathBuf>,
    /// The folder of the results, if another process may go on to store them.
    pub(crate) out: Option<&'r Path>,
    pub(crate) jobs: JobKind,
}

/// Everything that a worker needs to explore jobs of a run.
pub(crate) struct RunSpec {
    pub(crate) origin: RunOrigin,
    /// Environment variables that name folders of shared objects.
    pub(crate) library_path: Vec<u8>,
    pub(crate) files: RunFiles,
    /// The source files of its programs, for whoever shows findings.
    pub(crate) sources: RunFiles,
    /// The folder of the results, as it is named on the machine that has submitted the run; nothing if no
    /// other process may store them.
    pub(crate) out: Vec<u8>,
    /// The first job: a run that is begun again has another one.
    pub(crate) first_job: Vec<u8>,
    pub(crate) jobs: JobKind,
}

everett_base::portable!(struct RunSpec {
    origin, library_path, files, sources, out, first_job, jobs,
});

impl RunSpec {
    /// Describes a run, and stores the contents of its files for the workers.
    pub(crate) fn new(board: &JobBoard, id: &RunId, run: &SubmittedRun<'_>) -> Result<RunSpec> {
        let SubmittedRun { words, nodes, config, noted, out, jobs } = *run;
        let origin = RunOrigin::new(words, nodes, config)?;
        let mounts: BTreeSet<PathBuf> =
            nodes.iter().flat_map(|node| &node.config.mounts).map(|m| m.host.clone()).collect();
        let mounts: Vec<PathBuf> = mounts.into_iter().collect();
        let mut store = |bytes: &[u8]| Ok(*board.put_blob(id, bytes)?.as_bytes());
        let files = RunFiles::collect(noted, &mounts, &mut store)?;
        // Findings are shown where results are stored.
        let programs = nodes.iter().filter(|_| out.is_some()).map(|node| &*node.program);
        let sources = RunFiles::collect(&sources::of_programs(programs), &[], &mut store)?;
        let out = out.map(std::path::absolute).transpose();
        let out = out.context("cannot tell where results go")?.unwrap_or_default();
        Ok(RunSpec {
            origin,
            library_path: std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default().into_vec(),
            files,
            sources,
            out: out.into_os_string().into_vec(),
            first_job: Vec::new(),
            jobs,
        })
    }

    /// Makes the run known.
    pub(crate) fn submit(
        &self,
        board: &JobBoard,
        id: &RunId,
        title: &str,
        root: Option<JobId>,
    ) -> Result<()> {
        let header = RunHeader {
            id: id.clone(),
            build: board.build().to_owned(),
            title: title.to_owned(),
            submitted_at: seconds_since_1970(),
            root,
        };
        Ok(board.submit(&RunDescription { header, body: compress(&to_bytes(self))? })?)
    }

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
