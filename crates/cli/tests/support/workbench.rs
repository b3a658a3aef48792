//! The common part of the suites of C programs: compiling them, for the engine and natively, once for each
//! content.
//!
//! Not here: which programs there are, and what is expected of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use everett_engine::{MonotonicClock, ProgramError, ProgramSource};
use everett_ir::Program;
use everett_llvm::LoadOptions;
use everett_runtime as runtime;
use everett_toolchain::Clang;

/// The compilers of native programs.
pub(crate) const NATIVE_C: &str = "clang-19";
const NATIVE_CXX: &str = "clang++-19";
/// Runs native programs.
const LAUNCHER: &str = include_str!("launcher.c");
/// No program of a suite takes nearly as long.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(100);

/// The folder and the tools with which the programs of a suite are compiled.
pub(crate) struct Workbench {
    clang: Clang,
    folder: PathBuf,
    include: PathBuf,
    options: LoadOptions,
    /// Changes with everything but the program that determines what is compiled.
    surroundings: blake3::Hash,
}

/// A program to compile.
pub(crate) struct Source<'a> {
    pub(crate) path: &'a Path,
    /// The text of the program. Path, flags and surroundings decide the rest of the result.
    pub(crate) text: &'a str,
    pub(crate) flags: Vec<String>,
}

impl Workbench {
    /// Prepares headers and the runtime in a folder, for a suite all of whose headers matter.
    pub(crate) fn open(folder: PathBuf, suite: &Path) -> Result<Workbench> {
        fs::create_dir_all(&folder)?;
        let include = runtime::install_headers(&folder)?;
        let is_header = |file: &&PathBuf| file.extension().is_some_and(|e| e == "h");
        let mut hasher = blake3::Hasher::new();
        for file in files(&include)?.iter().chain(&files(&native_sources())?) {
            hasher.update(&fs::read(file)?);
        }
        for file in files(suite)?.iter().filter(is_header) {
            hasher.update(&fs::read(file)?);
        }
        hasher.update(runtime::flags::COMMON.join(" ").as_bytes());
        Ok(Workbench {
            clang: everett::environment::clang()?,
            folder,
            include,
            options: everett_explorer::load_options(),
            surroundings: hasher.finalize(),
        })
    }

    /// Links and lowers bitcode.
    pub(crate) fn load(&self, module: &Path) -> Result<Arc<Program>> {
        let module = module.to_path_buf();
        let program = everett_llvm::load(std::slice::from_ref(&module), &self.options)?.program;
        Ok(Arc::new(program))
    }

    /// The programs that programs may execute: bitcode.
    pub(crate) fn programs(&self) -> ProgramSource {
        let options = self.options.clone();
        ProgramSource::new(move |file| {
            if !file.starts_with(b"BC") {
                return Err(ProgramError::NotAProgram);
            }
            match everett_llvm::load_bytes("executed", file, &options) {
                Ok(loaded) => Ok(Arc::new(loaded.program)),
                Err(error) => Err(ProgramError::Unsupported(error.to_string())),
            }
        })
        .with_libraries(self.opened())
    }

    /// Loads the libraries that programs may open: bitcode.
    fn opened(
        &self,
    ) -> impl Fn(&[u8]) -> std::result::Result<Arc<Program>, ProgramError> + Send + Sync + 'static
    {
        let options = LoadOptions { is_opened: true, ..self.options.clone() };
        move |file| match file {
            [b'B', b'C', ..] => match everett_llvm::load_bytes("opened", file, &options) {
                Ok(mut loaded) => {
                    // As a native one does that the compiler has linked.
                    loaded.program.dynamic.needed.push("libc.so.6".to_owned());
                    Ok(Arc::new(loaded.program))
                }
                Err(error) => Err(ProgramError::Unsupported(error.to_string())),
            },
            [0x7f, b'E', b'L', b'F', ..] => Err(ProgramError::NoBitcode),
            _ => Err(ProgramError::NotAProgram),
        }
    }

    /// The bitcode of a program.
    pub(crate) fn bitcode(&self, source: &Source<'_>) -> Result<PathBuf> {
        let key = format!("{:?} {}", source.flags, source.path.display());
        let flags: Vec<_> = source.flags.iter().map(Into::into).collect();
        self.made(&key, source, "bc", |output| {
            self.clang.compile(source.path, output, &self.include, &flags)
        })
    }

    /// What a compiler of one's own makes out of a program.
    #[allow(dead_code, reason = "only one of the suites has programs in other languages")]
    pub(crate) fn made_by(
        &self,
        source: &Source<'_>,
        extension: &str,
        compile: impl FnOnce(&Path, &Path, &[String]) -> Command,
    ) -> Result<PathBuf> {
        let key = format!("{extension} {:?} {}", source.flags, source.path.display());
        self.made(&key, source, extension, |output| compile(source.path, output, &source.flags))
    }

    /// The native form of a library that programs open.
    #[allow(dead_code, reason = "only one of the suites has libraries")]
    pub(crate) fn native_library(&self, source: &Source<'_>) -> Result<PathBuf> {
        let key = format!("native library {:?} {}", source.flags, source.path.display());
        self.made(&key, source, "so", |output| {
            let mut compile = Command::new(NATIVE_C);
            compile.args(["-O1", "-w", "-fPIC", "-shared"]).args(&source.flags);
            compile.arg("-idirafter").arg(&self.include);
            compile.arg(source.path).arg("-o").arg(output);
            compile
        })
    }

    /// The native executable of a program.
    pub(crate) fn native(&self, source: &Source<'_>) -> Result<PathBuf> {
        let stub = self.native_stub()?;
        let is_cxx = source.path.extension().is_some_and(|extension| extension == "cpp");
        let key = format!("native {:?} {}", source.flags, source.path.display());
        self.made(&key, source, "exe", |output| {
            let mut compile = Command::new(if is_cxx { NATIVE_CXX } else { NATIVE_C });
            compile.args(["-O1", "-w", "-ffp-contract=off"]).args(&source.flags);
            compile.arg("-idirafter").arg(&self.include);
            compile.arg(source.path).args(&stub).args(["-pthread", "-lm", "-o"]).arg(output);
            compile
        })
    }

    /// `klee/klee.h` for native programs.
    fn native_stub(&self) -> Result<Vec<PathBuf>> {
        let mut objects = Vec::new();
        for source in
            files(&native_sources())?.iter().filter(|f| f.extension().is_some_and(|e| e == "c"))
        {
            let name = source.file_stem().context("the file has a name")?.to_string_lossy();
            let object =
                self.folder.join(format!("{name}-{}.o", &self.surroundings.to_hex()[..16]));
            self.make(&object, |output| {
                let mut compile = Command::new(NATIVE_C);
                compile.args(["-O1", "-c"]).arg("-idirafter").arg(&self.include);
                compile.arg(source).arg("-o").arg(output);
                compile
            })?;
            objects.push(object);
        }
        Ok(objects)
    }

    /// The file that a command makes out of a program, made only if its like is not there yet.
    fn made(
        &self,
        key: &str,
        source: &Source<'_>,
        extension: &str,
        command: impl FnOnce(&Path) -> Command,
    ) -> Result<PathBuf> {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.surroundings.as_bytes()).update(key.as_bytes());
        hasher.update(source.text.as_bytes());
        let name = format!("{}.{extension}", &hasher.finalize().to_hex()[..24]);
        let output = self.folder.join(name);
        self.make(&output, command)?;
        Ok(output)
    }

    fn make(&self, output: &Path, command: impl FnOnce(&Path) -> Command) -> Result<()> {
        make(&self.folder, output, command)
    }
}

/// A command that runs a native program without anything of the suite's own surroundings: no environment,
/// no input, and none of the signals, masks, limits and descriptors that the suite was started with.
pub(crate) fn native_command(executable: &Path) -> Result<Command> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let name = format!("launcher-{}", &blake3::hash(LAUNCHER.as_bytes()).to_hex()[..16]);
    let launcher = folder.join(name);
    make(folder, &launcher, |output| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/launcher.c");
        let mut compile = Command::new(NATIVE_C);
        compile.args(["-O1", "-o"]).arg(output).arg(source);
        compile
    })?;
    let mut command = Command::new(launcher);
    command.arg(executable).env_clear().stdin(Stdio::null());
    Ok(command)
}

/// Makes a file unless it is there: beside and renamed, as two tests may want it at the same time.
fn make(folder: &Path, output: &Path, command: impl FnOnce(&Path) -> Command) -> Result<()> {
    if output.exists() {
        return Ok(());
    }
    let scratch = tempfile::Builder::new().prefix("making").tempdir_in(folder)?;
    let beside = scratch.path().join("output");
    let mut command = command(&beside);
    let done = command.output().with_context(|| format!("cannot start {command:?}"))?;
    if !done.status.success() {
        bail!("{command:?} failed:\n{}", String::from_utf8_lossy(&done.stderr));
    }
    fs::rename(&beside, output)?;
    Ok(())
}

/// A clock that tells the time since now.
#[allow(clippy::disallowed_methods, reason = "only the limit that keeps the suite from hanging")]
pub(crate) fn clock() -> MonotonicClock {
    let start = Instant::now();
    MonotonicClock::new(move || start.elapsed())
}

fn native_sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime-c/native")
}

/// Files below a folder, sorted.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(current) = folders.pop() {
        let listed = fs::read_dir(&current);
        for entry in listed.with_context(|| format!("cannot list {}", current.display()))? {
            let path = entry?.path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    Ok(found)
}
