//! Systems ready to run: a folder with the scenarios and their compiled programs, as a user has it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use everett_engine::ProgramSource;
use everett_explorer::ScenarioSystem;
use everett_ir::Program;
use everett_rerun::ReplayContext;
use everett_toolchain::{gateway, peer_library};

use crate::cases::{self, Case, Folder};
use crate::workbench::{self, Source, Workbench};

/// The folder and the tools with which systems are built.
pub(crate) struct Workshop {
    bench: Workbench,
    folder: PathBuf,
}

/// A system that is built.
pub(crate) struct Installed {
    folder: tempfile::TempDir,
    programs: BTreeMap<PathBuf, Arc<Program>>,
    /// The folder of the program of live nodes.
    gateways: PathBuf,
    /// The library that is loaded into live peers.
    peer_library: Option<PathBuf>,
}

impl Installed {
    /// A scenario.
    pub(crate) fn scenario(&self, case: &Case) -> PathBuf {
        self.folder.path().join(&case.file)
    }

    /// The program of a node.
    pub(crate) fn program(&self, file: &Path) -> Result<Arc<Program>> {
        let program = self.programs.get(file);
        program.cloned().with_context(|| format!("{} has no source", file.display()))
    }

    /// A scenario with flags of `everett run`.
    pub(crate) fn system(&self, case: &Case, flags: &[String]) -> Result<ScenarioSystem> {
        let flags = flags.iter().map(OsString::from);
        let words = std::iter::once(self.scenario(case).into_os_string()).chain(flags);
        let mut system = ScenarioSystem::read(words.collect())?;
        system.install_gateway(&self.gateways)?;
        system.set_peer_library(self.peer_library.clone());
        Ok(system)
    }
}

impl Workshop {
    /// Prepares headers and the runtime.
    pub(crate) fn open() -> Result<Workshop> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("systems");
        Ok(Workshop { bench: Workbench::open(folder.clone(), &cases::root())?, folder })
    }

    /// The system of a case, built when its first case asks for it.
    pub(crate) fn installed<'a>(&self, case: &'a Case) -> Result<&'a Installed> {
        let folder = &case.folder;
        let made = folder
            .installed
            .get_or_init(|| self.install(folder).map_err(|error| format!("{error:#}")));
        made.as_ref().map_err(|error| anyhow!("{error}"))
    }

    /// The programs that nodes may execute.
    pub(crate) fn programs(&self) -> ProgramSource {
        self.bench.programs()
    }

    /// The surroundings of replays.
    pub(crate) fn context(&self) -> ReplayContext {
        let (programs, clock) = (Some(self.programs()), workbench::clock());
        ReplayContext { programs, clock, ..ReplayContext::default() }
    }

    /// The native executable of a program.
    pub(crate) fn native(&self, folder: &Folder, program: &str) -> Result<PathBuf> {
        let path = folder.source(program);
        self.bench.native(&Source { path: &path, text: &all_text(folder), flags: Vec::new() })
    }

    fn install(&self, folder: &Folder) -> Result<Installed> {
        let place = tempfile::Builder::new().prefix("built").tempdir_in(&self.folder)?;
        let text = all_text(folder);
        let mut programs = BTreeMap::new();
        for name in folder.sources.keys() {
            let path = folder.source(name);
            let source = Source { path: &path, text: &text, flags: Vec::new() };
            let bitcode = self.bench.bitcode(&source)?;
            let program = place.path().join(name);
            fs::copy(&bitcode, &program)?;
            programs.insert(program, self.bench.load(&bitcode)?);
        }
        for other in &folder.others {
            let name = other.file_name().context("a file that was listed has a name")?;
            symlink(other.canonicalize()?, place.path().join(name))?;
        }
        let gateways = self.folder.clone();
        let mut peer_library = None;
        if folder.has_live_nodes {
            programs.insert(gateway::install(&gateways)?, gateway_program()?);
            peer_library = Some(peer_library_of(&gateways)?);
        }
        Ok(Installed { folder: place, programs, gateways, peer_library })
    }
}

/// The program of live nodes.
fn gateway_program() -> Result<Arc<Program>> {
    let options = everett_explorer::load_options();
    let loaded = everett_llvm::load_bytes("gateway", everett_runtime::gateway::BITCODE, &options)?;
    Ok(Arc::new(loaded.program))
}

/// The library that is loaded into live peers.
fn peer_library_of(cache: &Path) -> Result<PathBuf> {
    Ok(peer_library(cache, &everett::environment::clang()?)?)
}

/// All sources of a folder, as they may include each other.
fn all_text(folder: &Folder) -> String {
    folder.sources.iter().map(|(name, text)| format!("{name}\n{text}\n")).collect()
}
