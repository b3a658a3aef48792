//! [`ProgramFiles`]: loads programs with the C library, and those that simulated processes execute.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use everett_engine::{ProgramError, ProgramSource, primitive_names};
use everett_ir::Program;
use everett_llvm::LoadOptions;
use everett_toolchain::{
    BitcodeLoader, Clang, ProgramCaching, ReadingMode, ToolchainError, loads_peer_library,
    peer_library,
};

use crate::error::{ExplorerError, Result};
use crate::system::ScenarioSystem;

/// Is told what is worth a warning.
type WarnFunction = Arc<dyn Fn(&str) + Send + Sync>;

/// Returns the options that link programs with the C library, and with the functions that the engine
/// implements.
pub fn load_options() -> LoadOptions {
    everett_runtime::load_options(primitive_names().map(str::to_owned).collect())
}

/// Loads programs: bitcode, or native files that carry it.
#[derive(Clone)]
pub struct ProgramFiles {
    loader: BitcodeLoader,
    warn: WarnFunction,
    compiler: Option<Clang>,
    /// Where commands are looked for.
    folders: Vec<PathBuf>,
}

impl ProgramFiles {
    /// Programs that this process reads. They are kept below the folder `cache` in lowered form, which is
    /// made if it is missing and may be removed at any time.
    pub fn new(cache: impl Into<PathBuf>) -> Result<ProgramFiles> {
        let cache = cache.into();
        if let Err(source) = std::fs::create_dir_all(&cache) {
            return Err(ExplorerError::Cache { folder: cache, source });
        }
        Ok(ProgramFiles::with(BitcodeLoader::new(load_options(), cache, ReadingMode::Here)))
    }

    /// Programs that this loader loads.
    pub fn with(loader: BitcodeLoader) -> ProgramFiles {
        ProgramFiles { loader, warn: Arc::new(|_| ()), compiler: None, folders: Vec::new() }
    }

    /// Tells what is worth a warning about programs.
    pub fn warn(mut self, warn: impl Fn(&str) + Send + Sync + 'static) -> ProgramFiles {
        self.warn = Arc::new(warn);
        self
    }

    /// Gives live peers clocks and random bytes that are the same in every session, by a library that this
    /// compiler makes. Without it, they run by the time of this machine.
    pub fn compiler(mut self, compiler: Option<Clang>) -> ProgramFiles {
        self.compiler = compiler;
        self
    }

    /// Looks for the commands of live peers in these folders, to find out whether they can load the library.
    pub fn command_folders(mut self, folders: Vec<PathBuf>) -> ProgramFiles {
        self.folders = folders;
        self
    }

    /// The library that is loaded into live peers. A system that cannot make it is told so.
    pub(crate) fn peer_library(&self) -> Option<PathBuf> {
        let compiler = self.compiler.as_ref().ok_or(ToolchainError::NoClang);
        let made = compiler.and_then(|compiler| peer_library(self.cache(), compiler));
        let complain = |error: ToolchainError| {
            let error = with_causes(&error);
            (self.warn)(&format!("live peers run by the time of this machine: {error}"));
        };
        made.map_err(complain).ok()
    }

    /// Lets peers that cannot load the library run by the time of this machine, and says so.
    pub(crate) fn leave_clocks(&self, system: &mut ScenarioSystem) {
        for (node, program) in system.leave_clocks(&self.folders, loads_peer_library) {
            let program = program.display();
            let why = "is static or one of musl, and loads no library";
            (self.warn)(&format!(
                "the peer of {node} runs by the time of this machine: {program} {why}"
            ));
        }
    }

    /// The folder of files that can be made again.
    pub(crate) fn cache(&self) -> &Path {
        self.loader.cache()
    }

    /// Loads and links a program.
    pub fn load(
        &self,
        file: &Path,
        caching: ProgramCaching,
    ) -> std::result::Result<Arc<Program>, ToolchainError> {
        let loaded = self.loader.load(&[file.to_path_buf()], caching)?;
        loaded.warnings.iter().for_each(|warning| (self.warn)(warning));
        Ok(Arc::new(loaded.program))
    }

    /// Loads the programs that simulated processes execute, in the same way.
    pub fn source(&self, caching: ProgramCaching) -> ProgramSource {
        let programs = self.clone();
        ProgramSource::new(move |file| {
            if !is_program(file) {
                return Err(ProgramError::NotAProgram);
            }
            let read = programs.read(file, caching);
            read.map_err(|error| ProgramError::Unsupported(with_causes(&error)))
        })
        .with_libraries(self.libraries(caching))
    }

    /// Loads the libraries that programs open while they run.
    fn libraries(
        &self,
        caching: ProgramCaching,
    ) -> impl Fn(&[u8]) -> std::result::Result<Arc<Program>, ProgramError> + Send + Sync + 'static
    {
        let programs = self.clone();
        move |file| {
            if !is_program(file) {
                return Err(ProgramError::NotAProgram);
            }
            match programs.read_library(file, caching) {
                Ok(library) => Ok(library),
                Err(ToolchainError::NoBitcode { .. }) => Err(ProgramError::NoBitcode),
                Err(error) => Err(ProgramError::Unsupported(with_causes(&error))),
            }
        }
    }

    fn read_library(
        &self,
        file: &[u8],
        caching: ProgramCaching,
    ) -> std::result::Result<Arc<Program>, ToolchainError> {
        let folder = tempfile::tempdir().map_err(ToolchainError::TemporaryFolder)?;
        let path = folder.path().join("library");
        std::fs::write(&path, file).map_err(ToolchainError::TemporaryFile)?;
        let loaded = self.loader.load_library(&path, caching)?;
        loaded.warnings.iter().for_each(|warning| (self.warn)(warning));
        Ok(Arc::new(loaded.program))
    }

    fn read(
        &self,
        file: &[u8],
        caching: ProgramCaching,
    ) -> std::result::Result<Arc<Program>, ToolchainError> {
        let folder = tempfile::tempdir().map_err(ToolchainError::TemporaryFolder)?;
        let path = folder.path().join("program");
        std::fs::write(&path, file).map_err(ToolchainError::TemporaryFile)?;
        self.load(&path, caching)
    }
}

impl std::fmt::Debug for ProgramFiles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Programs").field("loader", &self.loader).finish_non_exhaustive()
    }
}

/// Returns `true` if a file begins as executables or bitcode do.
fn is_program(file: &[u8]) -> bool {
    file.starts_with(b"\x7fELF") || file.starts_with(b"BC\xc0\xde")
}

/// An error with its causes.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
