//! The program of live nodes, as a file that carries its bitcode like those of `everett cc`.

use std::path::{Path, PathBuf};

use everett_runtime::{cache, gateway};

use crate::carried::{CarriedModule, carry};
use crate::clang::Libc;
use crate::error::Result;

/// Puts the program of live nodes below `folder` and returns its file.
pub fn install(folder: &Path) -> Result<PathBuf> {
    let file = folder.join(name());
    restore(&file)?;
    Ok(file)
}

/// Puts the program of live nodes back where it was, if the file has its name and is gone.
pub fn restore(file: &Path) -> Result<()> {
    let is_gateway = file.file_name().is_some_and(|given| given == name().as_str());
    if !is_gateway || file.is_file() {
        return Ok(());
    }
    let module = CarriedModule {
        name: "gateway.c".to_owned(),
        libc: Libc::Glibc,
        bitcode: gateway::BITCODE.to_vec(),
    };
    Ok(cache::put(file, &carry(gateway::EXECUTABLE, &module)?)?)
}

fn name() -> String {
    format!("gateway-{}", gateway::DIGEST)
}
