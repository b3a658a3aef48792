//! Compiles the program of live nodes: as bitcode, and natively for replays.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::flags;

/// The results of the build.
pub(crate) struct Gateway {
    /// The bitcode.
    pub(crate) bitcode: PathBuf,
    /// The native executable.
    pub(crate) executable: PathBuf,
}

/// Compiles both.
pub(crate) fn build(runtime: &Path, include: &Path, out: &Path) -> Gateway {
    let folder = runtime.join("live");
    let gateway = Gateway { bitcode: out.join("gateway.bc"), executable: out.join("gateway") };
    for file in [&gateway.bitcode, &gateway.executable] {
        // A target folder may be a copy that shares its files with another one.
        let _ = fs::remove_file(file);
    }
    let mut clang = Command::new(flags::CLANG);
    // Where the repository lies makes no difference to the program.
    clang.args(flags::COMMON).args(["-O1", "-g", "-fdebug-compilation-dir=."]);
    clang.arg("-ffile-prefix-map=gateway.c=<everett>/live/gateway.c");
    clang.arg(format!("-ffile-prefix-map={}=<everett>/include", include.display()));
    clang.arg("-isystem").arg(include);
    run(clang.arg("gateway.c").arg("-o").arg(&gateway.bitcode), &folder);
    let mut clang = Command::new(flags::CLANG);
    clang.args(["-O1", "gateway.c", "native.c", "-o"]);
    run(clang.arg(&gateway.executable), &folder);
    gateway
}

fn run(clang: &mut Command, folder: &Path) {
    let status = clang.current_dir(folder).status().unwrap_or_else(|error| {
        panic!("cannot run {}: {error}; install it with `cargo xtask setup`", flags::CLANG)
    });
    assert!(status.success(), "{} ended with {status}", flags::CLANG);
}
