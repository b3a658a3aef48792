//! `everett bitcode`: takes the bitcode out of a native file.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use everett_toolchain::carried;

use crate::{environment, terminal};

/// Take the bitcode out of an executable, a shared object, an object or an archive
///
/// The bitcode of the shared objects that it loads is part of the result.
#[derive(clap::Args)]
pub(crate) struct BitcodeOptions {
    /// A file that `everett cc` has made, or that was linked from such files
    #[arg(value_name = "PROGRAM")]
    program: PathBuf,
    /// File to write; - is standard output [default: PROGRAM.bc]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Only list the modules that are carried
    #[arg(long)]
    list: bool,
}

/// Links what is carried, and writes it.
pub(crate) fn run(options: &BitcodeOptions) -> Result<ExitCode> {
    let modules = carried::program_modules(&options.program, &environment::library_folders())?;
    if options.list {
        for module in &modules {
            let carried::CarriedModule { name, libc, bitcode } = module;
            terminal::out(&format!("{:>9} {libc:5} {name}\n", bitcode.len()));
        }
        return Ok(ExitCode::SUCCESS);
    }
    let scratch = tempfile::tempdir().context("cannot make a temporary folder")?;
    let files = carried::write_to(scratch.path(), &modules)?;
    let output = options.output.clone().unwrap_or_else(|| default_output(&options.program));
    let link = |to: &Path| {
        let linked = everett_llvm::link_to_bitcode(&files, to);
        linked.with_context(|| {
            format!("the bitcode of {} cannot be linked", options.program.display())
        })
    };
    if output == Path::new("-") {
        let linked = scratch.path().join("linked.bc");
        link(&linked)?;
        let bytes = std::fs::read(&linked).context("cannot read a temporary file")?;
        terminal::out_bytes(&bytes);
    } else {
        link(&output)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn default_output(program: &Path) -> PathBuf {
    let mut name = program.as_os_str().to_owned();
    name.push(".bc");
    name.into()
}
