//! Compiling programs, for the engine and natively, once for each content.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use everett::runtime;
use everett::toolchain::Clang;
use everett_engine::{ProgramError, ProgramSource};
use everett_ir::Program;
use everett_llvm::LoadOptions;

use crate::corpus::{self, Case};

/// The compilers of the native oracle.
const NATIVE_C: &str = "clang-19";
const NATIVE_CXX: &str = "clang++-19";

/// Where programs are compiled.
pub(crate) struct Workshop {
    clang: Clang,
    folder: PathBuf,
    include: PathBuf,
    options: LoadOptions,
    /// Changes with everything but the program that determines what is compiled.
    surroundings: blake3::Hash,
}

impl Workshop {
    /// Prepares headers and the runtime.
    pub(crate) fn open() -> Result<Workshop> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs");
        fs::create_dir_all(&folder)?;
        let include = runtime::install_headers(&folder)?;
        let mut hasher = blake3::Hasher::new();
        for file in files(&include)?.iter().chain(&files(&native_sources())?) {
            hasher.update(&fs::read(file)?);
        }
        for file in
            files(&corpus::root())?.iter().filter(|f| f.extension().is_some_and(|e| e == "h"))
        {
            hasher.update(&fs::read(file)?);
        }
        hasher.update(everett::flags::COMMON.join(" ").as_bytes());
        Ok(Workshop {
            clang: Clang::find()?,
            folder,
            include,
            options: everett::load_options(),
            surroundings: hasher.finalize(),
        })
    }

    /// The program of a case, ready for the engine, and its file.
    pub(crate) fn program(&self, case: &Case) -> Result<(Arc<Program>, PathBuf)> {
        let module = match case.level.as_str() {
            "" => case.path.clone(),
            _ => self.bitcode(case)?,
        };
        let program = everett_llvm::load(std::slice::from_ref(&module), &self.options)?.program;
        Ok((Arc::new(program), module))
    }

    /// What a program of the corpus may execute: bitcode.
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
    }

    fn bitcode(&self, case: &Case) -> Result<PathBuf> {
        let mut flags = vec![format!("-{}", case.level).into()];
        flags.extend(case.header.cflags.iter().map(Into::into));
        let key = format!("{flags:?} {}", case.file.display());
        self.made(&key, case, "bc", |output| {
            Ok(self.clang.compile(&case.path, output, &self.include, &flags))
        })
    }

    /// The native executable of a case. Its level is irrelevant: the programs are well-defined.
    pub(crate) fn native(&self, case: &Case) -> Result<PathBuf> {
        let stub = self.native_stub()?;
        let is_cxx = case.file.extension().is_some_and(|extension| extension == "cpp");
        let key = format!("native {:?}", case.header.cflags);
        self.made(&key, case, "exe", |output| {
            let mut compile = Command::new(if is_cxx { NATIVE_CXX } else { NATIVE_C });
            compile.args(["-O1", "-w", "-ffp-contract=off"]).args(&case.header.cflags);
            compile.arg("-idirafter").arg(&self.include);
            compile.arg(&case.path).args(&stub).args(["-pthread", "-lm", "-o"]).arg(output);
            Ok(compile)
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
                Ok(compile)
            })?;
            objects.push(object);
        }
        Ok(objects)
    }

    /// The file that a command makes out of a case, made only if its like is not there yet.
    fn made(
        &self,
        key: &str,
        case: &Case,
        extension: &str,
        command: impl FnOnce(&Path) -> Result<Command>,
    ) -> Result<PathBuf> {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.surroundings.as_bytes()).update(key.as_bytes());
        hasher.update(case.source.as_bytes());
        let name = format!("{}.{extension}", &hasher.finalize().to_hex()[..24]);
        let output = self.folder.join(name);
        self.make(&output, command)?;
        Ok(output)
    }

    /// Made beside and renamed: two tests may want the same file at the same time.
    fn make(&self, output: &Path, command: impl FnOnce(&Path) -> Result<Command>) -> Result<()> {
        if output.exists() {
            return Ok(());
        }
        let beside = tempfile::Builder::new().prefix("making").tempdir_in(&self.folder)?;
        let beside = beside.path().join("output");
        let mut command = command(&beside)?;
        let done = command.output().with_context(|| format!("cannot start {command:?}"))?;
        if !done.status.success() {
            bail!("{command:?} failed:\n{}", String::from_utf8_lossy(&done.stderr));
        }
        fs::rename(&beside, output)?;
        Ok(())
    }
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
