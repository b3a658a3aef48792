//! Compiling the sources of a command line to the bitcode that is carried.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use super::arguments::{CompilerInput, CompilerInvocation, InputLanguage};
use super::flags::{self, BitcodePurpose};
use super::surroundings::CompilerSurroundings;
use crate::carried::CarriedModule;
use crate::clang::{self, Clang, Libc};
use crate::error::{Result, ToolchainError};

/// Standard input, where it is a source file: both compilers read it.
pub(super) struct SourceStdin {
    copy: Option<tempfile::NamedTempFile>,
}

impl SourceStdin {
    /// Reads it to its end if it is a source file.
    pub(super) fn read_if_needed(invocation: &CompilerInvocation) -> Result<SourceStdin> {
        if !invocation.sources().any(CompilerInput::is_stdin) {
            return Ok(SourceStdin { copy: None });
        }
        let mut copy = tempfile::NamedTempFile::new().map_err(ToolchainError::TemporaryFile)?;
        std::io::copy(&mut std::io::stdin().lock(), &mut copy)
            .map_err(ToolchainError::StandardInput)?;
        copy.flush().map_err(ToolchainError::TemporaryFile)?;
        Ok(SourceStdin { copy: Some(copy) })
    }

    /// Gives a command its own view of it.
    pub(super) fn give(&self, command: &mut Command) -> Result<()> {
        if let Some(copy) = &self.copy {
            command.stdin(File::open(copy.path()).map_err(ToolchainError::TemporaryFile)?);
        }
        Ok(())
    }
}

/// The modules that the sources became.
pub(super) enum CompiledModules {
    /// One module a source, in order.
    Modules(Vec<CarriedModule>),
    /// The compiler's messages.
    Failed(Vec<u8>),
}

/// The compilations to bitcode, which run while the native compiler works.
pub(super) struct RunningCompilations {
    libc: Libc,
    clang: Clang,
    /// The first is started.
    waiting: std::vec::IntoIter<(String, PathBuf, Option<Command>)>,
    child: Option<Child>,
    _scratch: Option<TempDir>,
}

impl RunningCompilations {
    /// Starts with the first source.
    pub(super) fn start(
        invocation: &CompilerInvocation,
        surroundings: &CompilerSurroundings<'_>,
        stdin: &SourceStdin,
    ) -> Result<RunningCompilations> {
        let libc = surroundings.libc;
        let mut jobs = Vec::new();
        let mut scratch = None;
        for (number, source) in invocation.sources().enumerate() {
            let name = source.path.display().to_string();
            if source.language == InputLanguage::Ir
                && source.path.extension() == Some("bc".as_ref())
            {
                jobs.push((name, source.path.clone(), None));
                continue;
            }
            let folder = match &scratch {
                Some(scratch) => scratch,
                None => {
                    scratch.insert(tempfile::tempdir().map_err(ToolchainError::TemporaryFolder)?)
                }
            };
            let module = folder.path().join(format!("{number}.bc"));
            let mut command = command(invocation, surroundings, source, BitcodePurpose::Carried)?;
            command.arg("-w").arg("-o").arg(&module);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
            if source.is_stdin() {
                stdin.give(&mut command)?;
            }
            jobs.push((name, module, Some(command)));
        }
        let child = match jobs.first_mut().and_then(|(_, _, command)| command.as_mut()) {
            Some(first) => {
                let started = first.spawn();
                Some(started.map_err(|source| surroundings.clang().no_start(source))?)
            }
            None => None,
        };
        let clang = surroundings.clang().clone();
        Ok(RunningCompilations { libc, clang, waiting: jobs.into_iter(), child, _scratch: scratch })
    }

    /// Waits for the first, and compiles the rest. Stops at the first failure.
    pub(super) fn finish(mut self) -> Result<CompiledModules> {
        let mut modules = Vec::new();
        for (name, file, command) in self.waiting.by_ref() {
            if let Some(mut command) = command {
                let done = match self.child.take() {
                    Some(child) => child.wait_with_output(),
                    None => command.output(),
                };
                let done = done.map_err(|source| self.clang.no_start(source))?;
                if !done.status.success() {
                    return Ok(CompiledModules::Failed(done.stderr));
                }
            }
            let bitcode = std::fs::read(&file)
                .map_err(|source| ToolchainError::Read { path: file, source })?;
            modules.push(CarriedModule { name, libc: self.libc, bitcode });
        }
        Ok(CompiledModules::Modules(modules))
    }
}

/// The command that compiles a source to bitcode, but for `-o`.
pub(super) fn command(
    invocation: &CompilerInvocation,
    surroundings: &CompilerSurroundings<'_>,
    source: &CompilerInput,
    purpose: BitcodePurpose,
) -> Result<Command> {
    let given = flags::all_for_bitcode(invocation.flags(), purpose);
    let mut command = surroundings.clang().command();
    command.args(clang::common(surroundings.libc)).args(clang::defaults(&given));
    if purpose == BitcodePurpose::Carried {
        command.args(["-fno-vectorize", "-fno-slp-vectorize"]);
    }
    command.args(flags::leniency(invocation.flags()));
    command.args(given).args(surroundings.for_bitcode()?);
    command.args(&surroundings.settings.bitcode_flags);
    if let Some(language) = source.word() {
        command.args(["-x", language]);
    }
    command.arg(&source.path);
    Ok(command)
}
