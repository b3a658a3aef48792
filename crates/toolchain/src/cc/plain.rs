//! Bitcode as the result: no native code is made.

use std::path::PathBuf;

use super::arguments::{CompileGoal, CompilerInput, CompilerInvocation, InputLanguage};
use super::flags::BitcodePurpose;
use super::modules;
use super::settings::CompilationResult;
use super::surroundings::CompilerSurroundings;
use crate::carried;
use crate::error::{CommandLineError, Result, ToolchainError};

/// One file for each source with `-c` or `-S`, otherwise one file for all.
pub(super) fn build(
    invocation: &CompilerInvocation,
    surroundings: &CompilerSurroundings<'_>,
) -> Result<CompilationResult> {
    if invocation.goal == CompileGoal::Link {
        return link(invocation, surroundings);
    }
    if invocation.output.is_some() && invocation.sources().count() > 1 {
        return Err(CommandLineError::SeveralSources.into());
    }
    let extension = if invocation.goal == CompileGoal::Assembly { "ll" } else { "bc" };
    for source in invocation.sources() {
        let output = invocation.output.clone().unwrap_or_else(|| source.default_output(extension));
        let compilation = compile(invocation, surroundings, source, output)?;
        if compilation != CompilationResult::Succeeded {
            return Ok(compilation);
        }
    }
    Ok(CompilationResult::Succeeded)
}

fn link(
    invocation: &CompilerInvocation,
    surroundings: &CompilerSurroundings<'_>,
) -> Result<CompilationResult> {
    let inputs: Vec<&CompilerInput> = invocation.inputs().collect();
    let default = || inputs.first().map(|first| first.default_output("bc"));
    let output = invocation.output.clone().or_else(default).ok_or(CommandLineError::NoInput)?;
    if let [source] = inputs.as_slice()
        && matches!(source.language, InputLanguage::C(_) | InputLanguage::Cxx(_))
    {
        return compile(invocation, surroundings, source, output);
    }
    let scratch = tempfile::tempdir().map_err(ToolchainError::TemporaryFolder)?;
    let mut linked = Vec::new();
    for (number, input) in inputs.into_iter().enumerate() {
        match input.language {
            InputLanguage::C(_) | InputLanguage::Cxx(_) => {
                let module = scratch.path().join(format!("{number}.bc"));
                let compilation = compile(invocation, surroundings, input, module.clone())?;
                if compilation != CompilationResult::Succeeded {
                    return Ok(compilation);
                }
                linked.push(module);
            }
            InputLanguage::Ir => linked.push(input.path.clone()),
            InputLanguage::Linked => {
                let folder = scratch.path().join(number.to_string());
                std::fs::create_dir(&folder).map_err(ToolchainError::TemporaryFolder)?;
                linked.extend(carried::write_to(&folder, &carried::modules(&input.path)?)?);
            }
            InputLanguage::Other => {
                return Err(CommandLineError::NoBitcode { path: input.path.clone() }.into());
            }
        }
    }
    everett_llvm::link_to_bitcode(&linked, &output)?;
    Ok(CompilationResult::Succeeded)
}

/// Compiles one source; the compiler's messages go to the standard error of this process.
fn compile(
    invocation: &CompilerInvocation,
    surroundings: &CompilerSurroundings<'_>,
    source: &CompilerInput,
    output: PathBuf,
) -> Result<CompilationResult> {
    let mut command = modules::command(invocation, surroundings, source, BitcodePurpose::Result)?;
    if invocation.goal == CompileGoal::Assembly {
        command.arg("-S");
    }
    let status = command.arg("-o").arg(output).status();
    let status = status.map_err(|source| surroundings.clang().no_start(source))?;
    Ok(CompilationResult::of(status))
}
