//! [`RunOrigin`]: what a run is, wherever and whenever it is gone on with.

use std::ffi::OsString;
use std::fs::File;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use everett_base::part::file::RunIdentity;
use everett_engine::{EngineConfig, SystemNode, TrojanOptions};
use everett_rerun::digest;

use crate::value_bytes::to_bytes;

/// What a run is: everything that has to be the same where it is gone on with.
pub(crate) struct RunOrigin {
    /// The version of this program.
    pub(crate) version: String,
    /// The words of the command line behind `run`, and the folder that they were given in.
    words: Vec<Vec<u8>>,
    pub(crate) folder: Vec<u8>,
    pub(crate) workers: usize,
    /// The programs with their hashes.
    programs: Vec<(Vec<u8>, String)>,
    /// The options of a search for Trojan messages, which `run` has no flags for.
    pub(crate) trojans: TrojanOptions,
    /// A hash of the configuration, with the contents of files that options name.
    config: String,
}

everett_base::portable!(struct RunOrigin { version, words, folder, workers, programs, trojans, config });

impl RunOrigin {
    /// The origin of a run that is about to begin.
    pub(crate) fn new(
        words: &[OsString],
        nodes: &[SystemNode],
        config: &EngineConfig,
    ) -> Result<RunOrigin> {
        let mut programs: Vec<(Vec<u8>, String)> = Vec::new();
        for program in nodes.iter().filter_map(|node| node.config.executable.as_ref()) {
            let name = program.as_os_str().as_bytes();
            if !programs.iter().any(|(known, _)| known == name) {
                programs.push((name.to_vec(), digest(program)?));
            }
        }
        let folder = std::env::current_dir().context("cannot tell the current folder")?;
        Ok(RunOrigin {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            words: words.iter().map(|word| word.as_bytes().to_vec()).collect(),
            folder: folder.into_os_string().into_vec(),
            workers: config.workers,
            programs,
            trojans: config.trojans.clone(),
            config: hash_of_config(nodes, config),
        })
    }

    /// Distinguishes the bytes of a run from those of others; the same on all machines that take part.
    pub(crate) fn identity(&self) -> RunIdentity {
        *blake3::hash(&to_bytes(self)).as_bytes()
    }

    /// The words of the command line behind `run`.
    pub(crate) fn words(&self) -> Vec<OsString> {
        self.words.iter().cloned().map(OsString::from_vec).collect()
    }

    /// Refuses to go on with anything else than what the run began with.
    pub(crate) fn check(&self, now: &RunOrigin) -> Result<()> {
        for (name, hash) in &self.programs {
            if !now.programs.contains(&(name.clone(), hash.clone())) {
                bail!("the program {} has changed since", String::from_utf8_lossy(name));
            }
        }
        if self.programs.len() != now.programs.len() || self.config != now.config {
            bail!("options of the run, the scenario or files that they name have changed since");
        }
        Ok(())
    }
}

/// Distinguishes builds of this program. It takes a moment, so only those who store or read a checkpoint ask.
pub(crate) fn hash_of_binary() -> Result<String> {
    // The file that runs, even if there is another one of its name by now.
    let binary = File::open("/proc/self/exe").context("cannot read the binary of everett")?;
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(binary).context("cannot read the binary of everett")?;
    Ok(hasher.finalize().to_hex().to_string())
}

/// Limits and the number of workers do not count, nor does what belongs to the process.
fn hash_of_config(nodes: &[SystemNode], config: &EngineConfig) -> String {
    let EngineConfig { limits, checkpoints, spill, interrupt, panics, clock, .. } =
        EngineConfig::default();
    let workers = 0;
    let config = EngineConfig {
        limits,
        checkpoints,
        spill,
        interrupt,
        panics,
        clock,
        workers,
        ..config.clone()
    };
    let mut text = format!("{config:?}");
    let mut last = None;
    for node in nodes {
        let mut config = node.config.clone();
        // Nodes share it, and it is by far the largest part.
        let topology = config.kernel.topology.take();
        if topology.as_ref().map(Arc::as_ptr) != last.as_ref().map(Arc::as_ptr) {
            text += &format!(" {topology:?}");
        }
        last = topology;
        text += &format!(" {config:?} {:?} {:?}", node.start, node.server);
    }
    blake3::hash(text.as_bytes()).to_hex().to_string()
}
