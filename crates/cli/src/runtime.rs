//! The C side that is built into the binary: headers, sources, the libc and the runtime as bitcode.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use everett_llvm::{Library, LoadOptions};

use crate::cache;

include!(concat!(env!("OUT_DIR"), "/runtime_files.rs"));

/// The folder that the debug information of the runtime names.
const SOURCE_PREFIX: &str = "<everett>/src/";

/// Whether programs are compiled and linked against musl, which asks for an engine that answers its
/// system calls, or against a handful of functions.
pub const MUSL: bool = true;

/// Functions of musl's port that the engine enters on its own account: before the program, around the
/// program's entry, and for a signal.
const ROOTS: &[&str] = &["__everett_init", "__everett_main", "__everett_signal"];

/// What stands before the names of bodies in C of functions that the engine implements.
const COMPANION_PREFIX: &str = "__everett_c_";

/// Puts the headers below `folder` and returns the folder to give to the compiler.
pub fn install_headers(folder: &Path) -> Result<PathBuf> {
    install_headers_of(MUSL, folder)
}

/// Like [`install_headers`], of musl or of the small library.
pub fn install_headers_of(musl: bool, folder: &Path) -> Result<PathBuf> {
    let (libc, digest) =
        if musl { (LIBC_HEADERS, LIBC_HEADERS_DIGEST) } else { (&[][..], HEADERS_DIGEST) };
    let include = folder.join(format!("include-{digest}"));
    if include.is_dir() {
        return Ok(include);
    }
    // Made beside and renamed, so that a folder that is there is complete.
    let beside = tempfile::tempdir_in(folder)
        .with_context(|| format!("cannot write to {}", folder.display()))?;
    // Beside musl's, only headers of ours that it does not have.
    let own = HEADERS.iter().filter(|(name, _)| !libc.iter().any(|(theirs, _)| theirs == name));
    for (name, text) in libc.iter().chain(own) {
        cache::put(&beside.path().join("include").join(name), text.as_bytes())?;
    }
    if let Err(error) = fs::rename(beside.path().join("include"), &include)
        && !include.is_dir()
    {
        return Err(error).with_context(|| format!("cannot make {}", include.display()));
    }
    Ok(include)
}

/// How programs are linked with musl or with the small library, for an engine that implements the
/// functions of these names.
pub fn load_options(musl: bool, provided: Vec<String>) -> LoadOptions {
    if musl {
        LoadOptions {
            libraries: vec![Library::embedded("libc.a", LIBC_ARCHIVE, LIBC_DIGEST)],
            provided,
            companion_prefix: COMPANION_PREFIX.to_owned(),
            roots: ROOTS.iter().map(|name| (*name).to_owned()).collect(),
        }
    } else {
        let libraries = BITCODE.iter();
        let libraries =
            libraries.map(|(name, bytes, digest)| Library::embedded(name, bytes, digest)).collect();
        LoadOptions { libraries, provided, ..LoadOptions::default() }
    }
}

/// The archive of musl.
pub fn libc_archive() -> &'static [u8] {
    LIBC_ARCHIVE
}

/// The text of a source file of the runtime, by the name that its debug information has.
pub(crate) fn source(file: &str) -> Option<&'static str> {
    let name = file.strip_prefix(SOURCE_PREFIX)?;
    SOURCES.iter().find(|(found, _)| *found == name).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests;
