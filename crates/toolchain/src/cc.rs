//! Compilers whose results carry their bitcode: `everett cc` and `everett c++`.
//!
//! [`CompilerSettings::compile`] takes the words of a command line of gcc or clang.
//!
//! The native result is what clang makes of the user's own command line. Beside it, every source file
//! is compiled to bitcode with the flags that suit the engine; objects carry it in a section (see
//! `carried.rs`), and linkers carry it on. The native compiler speaks to the user; the other one is
//! heard only if it alone fails.

mod arguments;
mod flags;
mod hooked;
mod modules;
mod plain;
mod response;
mod sanitizers;
mod settings;
mod stub;
mod surroundings;
mod sysroot;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::carried;
use crate::error::{Result, ToolchainError};
pub use arguments::CompilerName;
use arguments::{CompileGoal, CompilerArgument, CompilerInvocation};
pub use everett_llvm::HookRequest;
pub use hooked::HookedProgram;
use modules::CompiledModules;
pub use settings::{CompilationResult, CompilerSettings};
use surroundings::CompilerSurroundings;
pub use sysroot::musl_headers;

impl CompilerSettings {
    /// Carries out the command line of a compiler. The native compiler uses the standard input, output and
    /// error of this process.
    pub fn compile(&self, driver: CompilerName, words: &[OsString]) -> Result<CompilationResult> {
        compile(driver, words, self)
    }
}

fn compile(
    driver: CompilerName,
    words: &[OsString],
    settings: &CompilerSettings,
) -> Result<CompilationResult> {
    let invocation = CompilerInvocation::parse(driver, response::expand(words)?)?;
    let surroundings = CompilerSurroundings::choose(settings, &invocation)?;
    let has_code = !invocation.is_question && invocation.inputs().next().is_some();
    if has_code {
        sanitizers::refuse(&invocation, &surroundings)?;
    }
    if has_code && invocation.wants_bitcode() {
        return plain::build(&invocation, &surroundings);
    }
    match invocation.goal {
        _ if !has_code => native_only(&invocation, &surroundings),
        CompileGoal::NoCode | CompileGoal::Assembly => native_only(&invocation, &surroundings),
        CompileGoal::Object => objects(&invocation, &surroundings),
        CompileGoal::Link => link(&invocation, &surroundings),
    }
}

/// Runs the native compiler alone, for compilations that have no bitcode.
fn native_only(
    invocation: &CompilerInvocation,
    surroundings: &CompilerSurroundings<'_>,
) -> Result<CompilationResult> {
    let status = native(invocation, surroundings)?.status();
    Ok(CompilationResult::of(status.map_err(|source| surroundings.clang().no_start(source))?))
}

/// `-c`: both compilers at the same time, then the bitcode into the objects.
fn objects(
    invocation: &CompilerInvocation,
    surroundings: &CompilerSurroundings<'_>,
) -> Result<CompilationResult> {
    let stdin = modules::SourceStdin::read_if_needed(invocation)?;
    let outputs: Vec<PathBuf> = invocation
        .sources()
        .map(|source| invocation.output.clone().unwrap_or_else(|| source.default_output("o")))
        .collect();
    // What is thrown away, as by `-o /dev/null`, or goes into a pipe, needs no bitcode.
    let is_special = |file: &PathBuf| {
        file == Path::new("-") || fs::metadata(file).is_ok_and(|found| !found.is_file())
    };
    if outputs.is_empty() || outputs.iter().any(is_special) {
        return native_only(invocation, surroundings);
    }
    let bitcode = modules::RunningCompilations::start(invocation, surroundings, &stdin)?;
    let mut native = native(invocation, surroundings)?;
    stdin.give(&mut native)?;
    let status = native.status().map_err(|source| surroundings.clang().no_start(source))?;
    let compiled = bitcode.finish()?;
    if !status.success() {
        return Ok(CompilationResult::of(status));
    }
    let attached = match compiled {
        CompiledModules::Modules(modules) => {
            let mut pairs = outputs.iter().zip(&modules);
            pairs.try_for_each(|(output, module)| attach(output, &module.record()))
        }
        CompiledModules::Failed(said) => return Err(failed_alone(said, &outputs)),
    };
    if attached.is_err() {
        // An object without its bitcode must not be taken for a whole one.
        remove(&outputs);
    }
    attached.map(|()| CompilationResult::Succeeded)
}

/// Sources that are compiled and linked in one go: their bitcode is one more object of the link.
fn link(
    invocation: &CompilerInvocation,
    surroundings: &CompilerSurroundings<'_>,
) -> Result<CompilationResult> {
    let scratch = tempfile::tempdir().map_err(ToolchainError::TemporaryFolder)?;
    let stdin = modules::SourceStdin::read_if_needed(invocation)?;
    let mut command = native(invocation, surroundings)?;
    let mut failed = None;
    match modules::RunningCompilations::start(invocation, surroundings, &stdin)?.finish()? {
        CompiledModules::Modules(modules) if modules.is_empty() => {}
        CompiledModules::Modules(modules) => {
            let records: Vec<u8> =
                modules.iter().flat_map(carried::CarriedModule::record).collect();
            let object = scratch.path().join("bitcode.o");
            write(&object, &carried::pack(&records)?)?;
            command.args(["-x", "none"]).arg(object);
        }
        CompiledModules::Failed(said) => failed = Some(said),
    }
    if !invocation.has(&["-shared", "-r", "-nostdlib", "-nodefaultlibs", "-nolibc"]) {
        command.args(["-x", "none"]).arg(stub::archive(surroundings)?);
    }
    stdin.give(&mut command)?;
    let status = command.status().map_err(|source| surroundings.clang().no_start(source))?;
    match failed {
        Some(said) if status.success() => {
            let output = invocation.output.clone().unwrap_or_else(|| "a.out".into());
            Err(failed_alone(said, &[output]))
        }
        _ => Ok(CompilationResult::of(status)),
    }
}

/// The native compiler's command: nearly what the user gave.
fn native(
    invocation: &CompilerInvocation,
    surroundings: &CompilerSurroundings<'_>,
) -> Result<Command> {
    let mut command = surroundings.clang().command();
    command.args(surroundings.native()?);
    command.args(flags::leniency(invocation.flags()));
    for argument in &invocation.arguments {
        match argument {
            CompilerArgument::Input(input) => {
                command.arg(&input.path);
            }
            CompilerArgument::Flag(words) if words[0].to_str().is_none_or(flags::is_native) => {
                command.args(words);
            }
            CompilerArgument::Flag(_) => {}
        }
    }
    command.args(sanitizers::for_native(invocation, surroundings.libc));
    Ok(command)
}

/// Puts records of bitcode into an object.
fn attach(object: &Path, records: &[u8]) -> Result<()> {
    let bytes = fs::read(object)
        .map_err(|source| ToolchainError::Read { path: object.to_path_buf(), source })?;
    // A precompiled header, say, is no object.
    if let Some(with_bitcode) = carried::attach(&bytes, records)? {
        write(object, &with_bitcode)?;
    }
    Ok(())
}

fn write(file: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(file, bytes)
        .map_err(|source| ToolchainError::Write { path: file.to_path_buf(), source })
}

/// The program compiles natively, but not to bitcode: what was made of it is removed.
fn failed_alone(said: Vec<u8>, outputs: &[PathBuf]) -> ToolchainError {
    remove(outputs);
    ToolchainError::NativeOnly { said }
}

fn remove(outputs: &[PathBuf]) {
    for output in outputs {
        // Only plain files are removed, never a device. A failure to do so is ignored: the compilation has
        // failed, and that is the error to report.
        if fs::symlink_metadata(output).is_ok_and(|found| found.is_file()) {
            let _ = fs::remove_file(output);
        }
    }
}
