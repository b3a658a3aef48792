//! Bitcode as the result: no native code is made.

use std::path::PathBuf;

use super::arguments::{Goal, Input, Invocation, Language};
use super::flags::Purpose;
use super::modules;
use super::settings::Compilation;
use super::surroundings::Surroundings;
use crate::carried;
use crate::error::{CommandLineError, Result, ToolchainError};

/// One file for each source with `-c` or `-S`, otherwise one file for all.
pub(super) fn build(
    invocation: &Invocation,
    surroundings: &Surroundings<'_>,
) -> Result<Compilation> {
    if invocation.goal == Goal::Link {
        return link(invocation, surroundings);
    }
    if invocation.output.is_some() && invocation.sources().count() > 1 {
        return Err(CommandLineError::SeveralSources.into());
    }
    let extension = if invocation.goal == Goal::Assembly { "ll" } else { "bc" };
    for source in invocation.sources() {
        let output = invocation.output.clone().unwrap_or_else(|| source.default_output(extension));
        let compilation = compile(invocation, surroundings, source, output)?;
        if compilation != Compilation::Succeeded {
            return Ok(compilation);
        }
    }
    Ok(Compilation::Succeeded)
}

fn link(invocation: &Invocation, surroundings: &Surroundings<'_>) -> Result<Compilation> {
    let inputs: Vec<&Input> = invocation.inputs().collect();
    let default = || inputs.first().map(|first| first.default_output("bc"));
    let output = invocation.output.clone().or_else(default).ok_or(CommandLineError::NoInput)?;
    if let [source] = inputs.as_slice()
        && matches!(source.language, Language::C(_) | Language::Cxx(_))
    {
        return compile(invocation, surroundings, source, output);
    }
    let scratch = tempfile::tempdir().map_err(ToolchainError::TemporaryFolder)?;
    let mut linked = Vec::new();
    for (number, input) in inputs.into_iter().enumerate() {
        match input.language {
            Language::C(_) | Language::Cxx(_) => {
                let module = scratch.path().join(format!("{number}.bc"));
                let compilation = compile(invocation, surroundings, input, module.clone())?;
                if compilation != Compilation::Succeeded {
                    return Ok(compilation);
                }
                linked.push(module);
            }
            Language::Ir => linked.push(input.path.clone()),
            Language::Linked => {
                let folder = scratch.path().join(number.to_string());
                std::fs::create_dir(&folder).map_err(ToolchainError::TemporaryFolder)?;
                linked.extend(carried::write_to(&folder, &carried::modules(&input.path)?)?);
            }
            Language::Other => {
                return Err(CommandLineError::NoBitcode { path: input.path.clone() }.into());
            }
        }
    }
    everett_llvm::link_to_bitcode(&linked, &output)?;
    Ok(Compilation::Succeeded)
}

/// Compiles one source; the compiler's messages go to the standard error of this process.
fn compile(
    invocation: &Invocation,
    surroundings: &Surroundings<'_>,
    source: &Input,
    output: PathBuf,
) -> Result<Compilation> {
    let mut command = modules::command(invocation, surroundings, source, Purpose::Result)?;
    if invocation.goal == Goal::Assembly {
        command.arg("-S");
    }
    let status = command.arg("-o").arg(output).status();
    let status = status.map_err(|source| surroundings.clang().no_start(source))?;
    Ok(Compilation::of(status))
}
