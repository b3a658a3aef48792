//! The C side of the engine, built into whatever links this crate: headers, the libc and libstdc++ as
//! bitcode, the sources of their port.
//!
//! [`load_options`] says how programs are linked with the libraries, [`install_headers`] puts the headers
//! where a compiler finds them, and [`source`] has the text of what traces lead to. [`gateway`] is the
//! program of nodes that stand for real peers. [`flags`] are those that both the libraries and programs are
//! compiled with, and [`cache`] keeps files that can be made again.
//!
//! Not here: the compiler (`everett-toolchain`), and the C files themselves (`runtime-c`).
//!
//! ```
//! let options = everett_runtime::load_options(vec!["malloc".to_owned()]);
//! assert_eq!(options.libraries.len(), 2);
//! ```

#![forbid(unsafe_code)]

pub mod cache;
mod error;
pub mod flags;

use std::fs;
use std::path::{Path, PathBuf};

use everett_llvm::{Library, LoadOptions};

pub use error::RuntimeError;

include!(concat!(env!("OUT_DIR"), "/runtime_files.rs"));

/// The folder that the debug information of the port names.
const SOURCE_PREFIX: &str = "<everett>/port/";

/// Functions of musl's port that the engine enters on its own account: before the program, around the
/// program's entry, and for a signal.
const ROOTS: &[&str] = &["__everett_init", "__everett_main", "__everett_signal"];

/// Functions by which programs open libraries while they run, and look for any symbol.
const OPENERS: &[&str] = &["dlopen", "dlsym"];

/// The prefix of the names of bodies in C of functions that the engine implements.
const COMPANION_PREFIX: &str = "__everett_c_";

/// Puts the headers below `folder` and returns the folder to give to the compiler.
pub fn install_headers(folder: &Path) -> Result<PathBuf, RuntimeError> {
    let include = folder.join(format!("include-{HEADERS_DIGEST}"));
    if include.is_dir() {
        return Ok(include);
    }
    // Made beside and renamed, so that a folder that is there is complete.
    let beside = tempfile::tempdir_in(folder)
        .map_err(|source| RuntimeError::Folder { folder: folder.to_path_buf(), source })?;
    for (name, text) in HEADERS {
        cache::put(&beside.path().join("include").join(name), text.as_bytes())?;
    }
    if let Err(source) = fs::rename(beside.path().join("include"), &include)
        && !include.is_dir()
    {
        return Err(RuntimeError::Make { folder: include, source });
    }
    Ok(include)
}

/// Returns the options that link programs with the libraries, for an engine that implements the functions of
/// these names.
pub fn load_options(provided: Vec<String>) -> LoadOptions {
    LoadOptions {
        libraries: vec![
            Library::embedded("libc.a", LIBC, LIBC_DIGEST),
            Library::embedded("libstdc++.a", LIBSTDCXX, LIBSTDCXX_DIGEST),
        ],
        provided,
        companion_prefix: COMPANION_PREFIX.to_owned(),
        roots: ROOTS.iter().map(|name| (*name).to_owned()).collect(),
        is_opened: false,
        openers: OPENERS.iter().map(|name| (*name).to_owned()).collect(),
    }
}

/// The program of live nodes, which stands for a peer that is real.
pub mod gateway {
    /// The bitcode.
    pub static BITCODE: &[u8] = crate::GATEWAY_BITCODE;
    /// The native executable, for replays.
    pub static EXECUTABLE: &[u8] = crate::GATEWAY_EXECUTABLE;
    /// A hash over both.
    pub static DIGEST: &str = crate::GATEWAY_DIGEST;
}

/// The archive of the libc.
pub fn libc_archive() -> &'static [u8] {
    LIBC
}

/// The archive of libstdc++.
pub fn libstdcxx_archive() -> &'static [u8] {
    LIBSTDCXX
}

/// The text of a source file of the port, by the name that its debug information has.
pub fn source(file: &str) -> Option<&'static str> {
    let name = file.strip_prefix(SOURCE_PREFIX)?;
    SOURCES.iter().find(|(found, _)| *found == name).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests;
