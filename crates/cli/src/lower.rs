//! `everett lower`, hidden: reads bitcode on behalf of another `everett` (see `load.rs`).

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use crate::load::Request;

/// Lower a program into a folder of programs (used by `everett run`)
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Bitcode or text of LLVM
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Folder of the runtime
    #[arg(long)]
    cache: PathBuf,
    /// Folder for the result
    #[arg(long)]
    programs: PathBuf,
}

/// Leaves the program in the folder.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let Options { files, cache, programs } = options;
    let request =
        Request { files: files.clone(), cache: cache.clone(), programs: programs.clone() };
    request.lower()?;
    Ok(ExitCode::SUCCESS)
}
