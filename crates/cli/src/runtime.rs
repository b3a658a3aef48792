//! The C runtime that is built into the binary: headers, sources, bitcode.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::cache;

include!(concat!(env!("OUT_DIR"), "/runtime_files.rs"));

/// The folder that the debug information of the runtime names.
const SOURCE_PREFIX: &str = "<everett>/src/";

/// Puts the headers below `folder` and returns the folder to give to the compiler.
pub fn install_headers(folder: &Path) -> Result<PathBuf> {
    let include = folder.join(concat!("include-", env!("CARGO_PKG_VERSION")));
    for (name, text) in HEADERS {
        cache::put(&include.join(name), text.as_bytes())?;
    }
    Ok(include)
}

/// Puts the bitcode below `folder` and returns the files, one for each source file.
pub fn install_bitcode(folder: &Path) -> Result<Vec<PathBuf>> {
    let runtime = folder.join(concat!("runtime-", env!("CARGO_PKG_VERSION")));
    BITCODE
        .iter()
        .map(|(name, bytes)| {
            let file = runtime.join(name);
            cache::put(&file, bytes)?;
            Ok(file)
        })
        .collect()
}

/// The text of a source file of the runtime, by the name that its debug information has.
pub(crate) fn source(file: &str) -> Option<&'static str> {
    let name = file.strip_prefix(SOURCE_PREFIX)?;
    SOURCES.iter().find(|(found, _)| *found == name).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runtime_is_complete() {
        assert!(HEADERS.iter().any(|(name, _)| *name == "klee/klee.h"));
        assert!(source("<everett>/src/sort.c").is_some_and(|text| text.contains("qsort")));
        assert_eq!(source("sort.c"), None);
        let compiled = SOURCES.iter().filter(|(name, _)| name.ends_with(".c")).count();
        assert_eq!(BITCODE.len(), compiled);
        assert!(BITCODE.iter().all(|(_, bytes)| bytes.starts_with(b"BC\xc0\xde")));
    }
}
