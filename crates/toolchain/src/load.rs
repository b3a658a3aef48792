//! [`BitcodeLoader`]: programs out of the cache, or read anew.
//!
//! LLVM ends the process on some damaged files, and its memory counts as that of the process that it runs
//! in. So a [`ReadingProcess`] may read programs and leave them in the cache, from where they are taken.
//! When a program is there already, no process is started.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use everett_input::host;
use everett_llvm::{HookRequest, LoadOptions, LoadedProgram, load_cached, look_up};
use everett_runtime::cache;

use crate::error::{Result, ToolchainError};
use crate::{carried, program_file};

/// The beginning of the names of folders of programs.
const PROGRAMS: &str = "programs-";
/// Builds whose programs are kept.
const BUILDS_KEPT: usize = 4;

/// The use of the cache of lowered programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramCaching {
    /// Programs are taken from the cache, and kept in it.
    On,
    /// Programs are read anew, and not kept in the cache.
    Off,
}

/// The process that reads bitcode.
#[derive(Clone, Debug)]
pub enum ReadingMode {
    /// This process. A damaged file may end it.
    Here,
    /// Another process.
    InProcess(ReadingProcess),
}

/// A process that reads a program on behalf of this one.
///
/// It is started with `lower --cache FOLDER --programs FOLDER -- FILE...`, as `everett` understands it, and
/// leaves the lowered program in the folder of programs; with `--opened`, the files are a library that
/// programs open while they run. With `--hooked FILE --access OP...` in place of the
/// folder of programs, it writes the program's own bitcode with hooks. It ends with the exit code 0, or with
/// `refusal` and a message on its standard error.
#[derive(Clone, Debug)]
pub struct ReadingProcess {
    /// The executable.
    pub program: PathBuf,
    /// The exit code that stands for a file that cannot be loaded.
    pub refusal: i32,
}

/// Functions of the runtimes of sanitizers that every program calls which is compiled for one, and the name
/// of each sanitizer.
const RUNTIMES: [(&str, &str); 5] = [
    ("__asan_init", "address"),
    ("__hwasan_init", "hwaddress"),
    ("__msan_init", "memory"),
    ("__tsan_init", "thread"),
    ("__dfsan_load_label", "dataflow"),
];

/// Loads programs, and links them with the C library.
#[derive(Clone, Debug)]
pub struct BitcodeLoader {
    options: LoadOptions,
    cache: PathBuf,
    reading: ReadingMode,
    build: String,
    library_folders: Vec<PathBuf>,
}

impl BitcodeLoader {
    /// A loader that keeps lowered programs below the folder `cache`.
    pub fn new(options: LoadOptions, cache: PathBuf, reading: ReadingMode) -> BitcodeLoader {
        let build = env!("CARGO_PKG_VERSION").to_owned();
        BitcodeLoader { options, cache, reading, build, library_folders: Vec::new() }
    }

    /// The folder below which it keeps programs.
    pub fn cache(&self) -> &Path {
        &self.cache
    }

    /// Names the build of this program: another build may lower programs differently, and has a folder of
    /// its own.
    pub fn build(mut self, name: &str) -> BitcodeLoader {
        self.build.push_str(name);
        self
    }

    /// Adds folders in which shared objects are looked for that native programs load.
    pub fn library_folders(mut self, folders: impl IntoIterator<Item = PathBuf>) -> BitcodeLoader {
        self.library_folders.extend(folders);
        self
    }

    /// Loads and links a program. What is worth a warning is part of the result.
    pub fn load(&self, files: &[PathBuf], caching: ProgramCaching) -> Result<LoadedProgram> {
        for file in files {
            if let Some(complaint) = program_file::complaint(file) {
                return Err(ToolchainError::NotAProgram(complaint));
            }
        }
        let real: Vec<PathBuf> = files.iter().map(|file| host::real(file)).collect();
        let (files, _taken_out) = carried::take_out(&real, &self.library_folders)?;
        let mut loaded = self.lower(&files, &self.options, caching)?;
        refuse_instrumented(&loaded)?;
        // Only a program that opens libraries has symbols for them.
        if let Some(first) = real.first().filter(|_| !loaded.program.exports.is_empty()) {
            loaded.program.dynamic = carried::dynamic_info_of_program(first, &self.library_folders);
        }
        Ok(loaded)
    }

    /// Loads a library that programs open while they run.
    pub fn load_library(&self, file: &Path, caching: ProgramCaching) -> Result<LoadedProgram> {
        let (files, _taken_out) = carried::take_out_library(file)?;
        let options = LoadOptions { is_opened: true, ..self.options.clone() };
        let mut loaded = self.lower(&files, &options, caching)?;
        refuse_instrumented(&loaded)?;
        loaded.program.dynamic = carried::dynamic_info(file);
        Ok(loaded)
    }

    /// Takes modules out of the cache in lowered form, or lowers them.
    fn lower(
        &self,
        files: &[PathBuf],
        options: &LoadOptions,
        caching: ProgramCaching,
    ) -> Result<LoadedProgram> {
        let scratch;
        let programs = match caching {
            ProgramCaching::On => self.cache.join(format!("{PROGRAMS}{}", self.build)),
            ProgramCaching::Off => {
                scratch = tempfile::tempdir().map_err(ToolchainError::TemporaryFolder)?;
                scratch.path().to_path_buf()
            }
        };
        if let Some(loaded) = look_up(files, options, &programs)? {
            return Ok(loaded);
        }
        let process = match &self.reading {
            ReadingMode::Here => {
                let loaded = load_cached(files, options, &programs)?;
                cache::forget_old(&self.cache, PROGRAMS, BUILDS_KEPT);
                return Ok(loaded);
            }
            ReadingMode::InProcess(process) => process,
        };
        let said = process.lower(&self.cache, &programs, files, options.is_opened)?;
        cache::forget_old(&self.cache, PROGRAMS, BUILDS_KEPT);
        let found = look_up(files, options, &programs)?;
        found.ok_or_else(|| ToolchainError::NotCached { files: names(files), said })
    }

    /// Writes the bitcode of a program, without that of the C library, with calls of a hook around some of
    /// its accesses.
    pub(crate) fn hook(&self, file: &Path, request: &HookRequest, output: &Path) -> Result<()> {
        let (files, _taken_out) = carried::take_out(&[file.to_path_buf()], &self.library_folders)?;
        match &self.reading {
            ReadingMode::Here => {
                let bitcode = everett_llvm::hook(&files, &self.options, request)?;
                let path = || output.to_path_buf();
                std::fs::write(output, bitcode)
                    .map_err(|source| ToolchainError::Write { path: path(), source })
            }
            ReadingMode::InProcess(process) => process.hook(&self.cache, request, output, &files),
        }
    }
}

impl ReadingProcess {
    /// Reads a program. Returns the messages of the process that has read it.
    fn lower(
        &self,
        cache: &Path,
        programs: &Path,
        files: &[PathBuf],
        is_opened: bool,
    ) -> Result<String> {
        let mut words = vec!["--programs".into(), programs.as_os_str().to_owned()];
        words.extend(is_opened.then(|| "--opened".into()));
        self.run(cache, &words, files)
    }

    /// Reads a program, and writes its bitcode with hooks.
    fn hook(
        &self,
        cache: &Path,
        request: &HookRequest,
        output: &Path,
        files: &[PathBuf],
    ) -> Result<()> {
        let HookRequest { accesses, sanitizes } = request;
        let mut words: Vec<OsString> = vec!["--hooked".into(), output.as_os_str().to_owned()];
        let access = |op: &u32| ["--access".into(), op.to_string().into()];
        words.extend(accesses.iter().flat_map(access));
        words.extend(sanitizes.then(|| "--sanitizes".into()));
        self.run(cache, &words, files).map(|_| ())
    }

    fn run(&self, cache: &Path, words: &[OsString], files: &[PathBuf]) -> Result<String> {
        let mut command = Command::new(&self.program);
        command.arg("lower").arg("--cache").arg(cache).args(words);
        command.arg("--").args(files).stdin(Stdio::null()).stdout(Stdio::null());
        let done = command.output().map_err(|source| {
            let program = self.program.clone();
            ToolchainError::Start { program, source }
        })?;
        let said = String::from_utf8_lossy(&done.stderr);
        let said = said.trim();
        match done.status.code() {
            Some(0) => Ok(said.to_owned()),
            Some(code) if code == self.refusal => {
                let said = said.strip_prefix("error: ").unwrap_or(said).to_owned();
                Err(ToolchainError::Refused { said })
            }
            _ => {
                let (files, said) = (names(files), said.to_owned());
                Err(ToolchainError::Crashed { files, status: done.status, said })
            }
        }
    }
}

/// Refuses a program that calls the runtime of a sanitizer which is native code.
fn refuse_instrumented(loaded: &LoadedProgram) -> Result<()> {
    let is_called = |name: &str| {
        loaded.program.functions.iter().any(|function| !function.defined && function.name == name)
    };
    match RUNTIMES.iter().find(|(function, _)| is_called(function)) {
        Some((_, sanitizer)) => Err(ToolchainError::Instrumented { sanitizer }),
        None => Ok(()),
    }
}

fn names(files: &[PathBuf]) -> String {
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    names.join(" ")
}
