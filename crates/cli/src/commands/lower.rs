//! `everett lower`, a hidden command: reads bitcode on behalf of another `everett` process (see
//! `everett_toolchain::BitcodeLoader`).

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use everett_explorer::load_options;
use everett_llvm::load_cached;

use crate::terminal;

/// Lower a program into a folder of programs (used by `everett run`)
#[derive(clap::Args)]
pub(crate) struct LowerOptions {
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
pub(crate) fn run(options: &LowerOptions) -> Result<ExitCode> {
    let LowerOptions { files, cache: _, programs } = options;
    let loaded = load_cached(files, &load_options(), programs)?;
    // The parent finds the warnings in the cache, too, unless they are about the cache itself.
    loaded.warnings.iter().for_each(|warning| terminal::warning(warning));
    Ok(ExitCode::SUCCESS)
}
