//! The kit of native replays: the library that is loaded into programs, and the conductor.
//!
//! Both are compiled when they are first needed, without any C library, so that they run wherever the
//! programs do.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use everett_runtime::cache;
use everett_toolchain::{Clang, ToolchainError};

use super::NativeTools;
use crate::error::{RerunError, Result};

macro_rules! sources {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../../../runtime-c/replay/", $name)))),*]
    };
}

/// Headers of both.
const HEADERS: &[(&str, &str)] = sources!(
    "script.h" "system.h" "turn.h" "sockets/socket.h" "conductor/conductor.h"
);
/// The library.
const LIBRARY: &[(&str, &str)] = sources!(
    "system.c" "turn.c" "sockets/address.c" "sockets/receive.c" "sockets/transmit.c" "sockets/sockets.c"
    "sockets/descriptors.c" "sockets/waits.c" "times.c" "processes.c" "threads.c" "locals.c" "stdio.c"
    "sockets/streams.c" "network.c" "rootless.c" "start.c" "hooks.c" "accesses.c" "draws.c"
);
/// The conductor, which has `system.c` as well.
const CONDUCTOR: &[(&str, &str)] = sources!(
    "conductor/loop.c" "conductor/plan.c" "conductor/nodes.c" "conductor/judge.c"
);

/// Flags of both: nothing of a C library, neither in the source nor by the compiler's own doing.
const FLAGS: [&str; 9] = [
    "-std=gnu11",
    "-O2",
    "-ffreestanding",
    "-fno-builtin",
    "-fno-stack-protector",
    "-fno-asynchronous-unwind-tables",
    "-nostdlib",
    "-Wall",
    "-Wextra",
];
const LIBRARY_FLAGS: [&str; 4] =
    ["-shared", "-fPIC", "-fvisibility=hidden", "-ftls-model=initial-exec"];
const CONDUCTOR_FLAGS: [&str; 3] = ["-static", "-fno-pic", "-no-pie"];

/// The folder of the sources, beside what is made of them.
const SOURCES: &str = "source";
/// The name of the library.
pub(super) const LIBRARY_NAME: &str = "everett-replay.so";
/// The name of the conductor.
pub(super) const CONDUCTOR_NAME: &str = "conductor";

/// The folder that has both.
pub(super) fn folder(tools: &NativeTools) -> Result<PathBuf> {
    let NativeTools { cache, compiler, loader: _ } = tools;
    let mut hasher = blake3::Hasher::new();
    for (name, text) in HEADERS.iter().chain(LIBRARY).chain(CONDUCTOR) {
        hasher.update(name.as_bytes()).update(&[0]).update(text.as_bytes());
    }
    let folder = cache.join(format!("replay-{}", &hasher.finalize().to_hex()[..16]));
    if folder.join(LIBRARY_NAME).is_file() && folder.join(CONDUCTOR_NAME).is_file() {
        return Ok(folder);
    }
    cache::forget_old(cache, "replay-", 2);
    // Made beside and renamed, so that a folder that is there is complete.
    let beside = tempfile::tempdir_in(cache).map_err(RerunError::TemporaryFolder)?;
    let clang = &compiler.as_ref().ok_or(ToolchainError::NoClang)?.clang;
    for (name, text) in HEADERS.iter().chain(LIBRARY).chain(CONDUCTOR) {
        cache::put(&beside.path().join(SOURCES).join(name), text.as_bytes())?;
    }
    let names = |list: &'static [(&str, &str)]| list.iter().map(|(name, _)| *name);
    compile(clang, beside.path(), LIBRARY_NAME, &LIBRARY_FLAGS, names(LIBRARY))?;
    let conductor = names(CONDUCTOR).chain(["system.c"]);
    compile(clang, beside.path(), CONDUCTOR_NAME, &CONDUCTOR_FLAGS, conductor)?;
    if let Err(source) = fs::rename(beside.path(), &folder)
        && !folder.join(LIBRARY_NAME).is_file()
    {
        return Err(RerunError::Make { path: folder, source });
    }
    Ok(folder)
}

fn compile(
    clang: &Clang,
    folder: &Path,
    output: &str,
    flags: &[&str],
    sources: impl Iterator<Item = &'static str>,
) -> Result<()> {
    let mut command: Command = clang.command();
    command.current_dir(folder).args(FLAGS).args(flags).arg("-o").arg(output);
    command.args(sources.map(|name| Path::new(SOURCES).join(name)));
    let done = command.output().map_err(|source| clang.no_start(source))?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        return Err(RerunError::Kit { output: output.to_owned(), status: done.status, said });
    }
    Ok(())
}
