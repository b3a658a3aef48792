//! Bitcode as the result: no native code is made.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use super::arguments::{Goal, Input, Invocation, Language};
use super::flags::Purpose;
use super::surroundings::Surroundings;
use super::{exit_code, modules};
use crate::carried;

/// One file for each source with `-c` or `-S`, otherwise one file for all.
pub(super) fn build(invocation: &Invocation, surroundings: &Surroundings) -> Result<ExitCode> {
    if invocation.goal == Goal::Link {
        return link(invocation, surroundings);
    }
    if invocation.output.is_some() && invocation.sources().count() > 1 {
        bail!("-o names one file, but there are several sources; leave out -c to link them");
    }
    let extension = if invocation.goal == Goal::Assembly { "ll" } else { "bc" };
    for source in invocation.sources() {
        let output = invocation.output.clone().unwrap_or_else(|| source.default_output(extension));
        if let Some(code) = compile(invocation, surroundings, source, output)? {
            return Ok(code);
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn link(invocation: &Invocation, surroundings: &Surroundings) -> Result<ExitCode> {
    let inputs: Vec<&Input> = invocation.inputs().collect();
    let default = || inputs.first().map(|first| first.default_output("bc"));
    let output = invocation.output.clone().or_else(default).context("there is no input file")?;
    if let [source] = inputs.as_slice()
        && matches!(source.language, Language::C(_) | Language::Cxx(_))
    {
        let failed = compile(invocation, surroundings, source, output)?;
        return Ok(failed.unwrap_or(ExitCode::SUCCESS));
    }
    let scratch = tempfile::tempdir().context("cannot make a temporary folder")?;
    let mut linked = Vec::new();
    for (number, input) in inputs.into_iter().enumerate() {
        match input.language {
            Language::C(_) | Language::Cxx(_) => {
                let module = scratch.path().join(format!("{number}.bc"));
                if let Some(code) = compile(invocation, surroundings, input, module.clone())? {
                    return Ok(code);
                }
                linked.push(module);
            }
            Language::Ir => linked.push(input.path.clone()),
            Language::Linked => {
                let folder = scratch.path().join(number.to_string());
                std::fs::create_dir(&folder).context("cannot make a temporary folder")?;
                linked.extend(carried::write_to(&folder, &carried::modules(&input.path)?)?);
            }
            Language::Other => {
                bail!("{} cannot be compiled to bitcode", input.path.display())
            }
        }
    }
    everett_llvm::link_to_bitcode(&linked, &output)?;
    Ok(ExitCode::SUCCESS)
}

/// Compiles one source; the compiler's messages go where ours go. Returns its exit code if it failed.
fn compile(
    invocation: &Invocation,
    surroundings: &Surroundings,
    source: &Input,
    output: PathBuf,
) -> Result<Option<ExitCode>> {
    let mut command = modules::command(invocation, surroundings, source, Purpose::Result)?;
    if invocation.goal == Goal::Assembly {
        command.arg("-S");
    }
    let status = command.arg("-o").arg(output).status();
    let status = status.with_context(|| surroundings.clang.no_start())?;
    Ok((!status.success()).then(|| exit_code(status)))
}
