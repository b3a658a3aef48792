//! `everett lower`, a hidden command: reads bitcode on behalf of another `everett` process (see
//! `everett_toolchain::BitcodeLoader`).

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use everett_explorer::load_options;
use everett_llvm::{HookRequest, LoadOptions, hook, load_cached};

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
    #[arg(long, required_unless_present = "hooked")]
    programs: Option<PathBuf>,
    /// Lower a library that programs open while they run
    #[arg(long)]
    opened: bool,
    /// File for bitcode that calls a hook at accesses, instead of the program
    #[arg(long, requires = "access")]
    hooked: Option<PathBuf>,
    /// Operation of the program that makes such an access
    #[arg(long, value_name = "OP")]
    access: Vec<u32>,
    /// Mark functions for a sanitizer of addresses
    #[arg(long)]
    sanitizes: bool,
}

/// Leaves the program in the folder, or its bitcode with hooks in the file.
pub(crate) fn run(options: &LowerOptions) -> Result<ExitCode> {
    let LowerOptions { files, cache: _, programs, opened, hooked, access, sanitizes } = options;
    if let Some(programs) = programs {
        let options = LoadOptions { is_opened: *opened, ..load_options() };
        let loaded = load_cached(files, &options, programs)?;
        // The parent finds the warnings in the cache, too, unless they are about the cache itself.
        loaded.warnings.iter().for_each(|warning| terminal::warning(warning));
    }
    if let Some(hooked) = hooked {
        let request = HookRequest { accesses: access.clone(), sanitizes: *sanitizes };
        let bitcode = hook(files, &load_options(), &request)?;
        fs::write(hooked, bitcode).with_context(|| format!("cannot write {}", hooked.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}
