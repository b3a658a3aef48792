//! Programs that the simulated processes execute: files that hold or carry bitcode.

use std::sync::Arc;

use anyhow::{Context, Result};
use everett_engine::{ProgramError, ProgramSource};
use everett_ir::Program;

use crate::load::{self, Caching};

/// Loads them as the first program is loaded.
pub(crate) fn source(caching: Caching) -> ProgramSource {
    ProgramSource::new(move |file| {
        if !is_program(file) {
            return Err(ProgramError::NotAProgram);
        }
        read(file, caching).map_err(|error| ProgramError::Unsupported(format!("{error:#}")))
    })
}

/// Whether a file begins as executables or bitcode do.
fn is_program(file: &[u8]) -> bool {
    file.starts_with(b"\x7fELF") || file.starts_with(b"BC\xc0\xde")
}

fn read(file: &[u8], caching: Caching) -> Result<Arc<Program>> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let path = folder.path().join("program");
    std::fs::write(&path, file).context("cannot write a temporary file")?;
    Ok(Arc::new(load::load(&[path], caching)?))
}
