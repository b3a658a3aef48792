//! The library that is loaded into live peers, so that their clocks and random bytes are the same in every
//! session.
//!
//! It is compiled when it is first needed, against the host's C library, as the peers are. What it does is
//! in `runtime-c/live/peer`.

use std::fs;
use std::path::{Path, PathBuf};

use everett_runtime::cache;

use crate::clang::Clang;
use crate::error::{Result, ToolchainError};

macro_rules! sources {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("../../../runtime-c/live/peer/", $name)))),*]
    };
}

const FILES: [(&str, &str); 5] = sources!("peer.h" "clock.c" "waits.c" "turns.c" "random.c");
const FLAGS: [&str; 8] = [
    "-std=gnu11",
    "-O2",
    "-U_FORTIFY_SOURCE",
    "-shared",
    "-fPIC",
    "-fvisibility=hidden",
    "-Wall",
    "-Wextra",
];
const NAME: &str = "everett-peer.so";

/// The library, which is to stand in the variable `LD_PRELOAD` of a dynamic native program.
///
/// A system without the headers of its C library, or without this compiler, has no such library. Peers run
/// well without it, by the time of the machine.
pub fn peer_library(cache: &Path, clang: &Clang) -> Result<PathBuf> {
    let folder = cache.join("peer-1");
    let library = folder.join(NAME);
    let stamp = folder.join("made-of");
    let texts: String = FILES.iter().map(|(_, text)| *text).collect();
    if library.is_file() && fs::read(&stamp).is_ok_and(|made_of| made_of == texts.as_bytes()) {
        return Ok(library);
    }
    for (name, text) in FILES {
        cache::put(&folder.join(name), text.as_bytes())?;
    }
    // Made beside and renamed, so that a library that is there is complete.
    let scratch = tempfile::tempdir_in(&folder).map_err(ToolchainError::TemporaryFolder)?;
    let made = scratch.path().join(NAME);
    let mut compile = clang.command();
    compile.args(FLAGS).arg("-o").arg(&made);
    compile
        .args(FILES.iter().filter(|(name, _)| name.ends_with(".c")).map(|(n, _)| folder.join(n)));
    let done = compile.output().map_err(|source| clang.no_start(source))?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        return Err(ToolchainError::PeerLibrary { status: done.status, said });
    }
    fs::rename(&made, &library)
        .map_err(|source| ToolchainError::Write { path: library.clone(), source })?;
    cache::put(&stamp, texts.as_bytes())?;
    Ok(library)
}
