//! `klee/klee.h` and `netklee.h` for native programs: an archive that is linked to executables that call
//! them.
//!
//! So a program with symbolic inputs also links natively, and runs on the test that `KTEST_FILE`
//! names. It is compiled when it is first needed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::surroundings::Surroundings;
use crate::cache;

const FILES: [(&str, &str); 4] = [
    ("klee_native.c", include_str!("../../../../runtime-c/native/klee_native.c")),
    ("netklee_native.c", include_str!("../../../../runtime-c/native/netklee_native.c")),
    ("ktest.c", include_str!("../../../../runtime-c/native/ktest.c")),
    ("ktest.h", include_str!("../../../../runtime-c/native/ktest.h")),
];

/// The archive.
pub(super) fn archive(surroundings: &Surroundings, cache: &Path) -> Result<PathBuf> {
    let folder = cache.join(format!("native-1/{}", surroundings.libc));
    let archive = folder.join("libeverett-native.a");
    let stamp = folder.join("made-of");
    let texts: String = FILES.iter().map(|(_, text)| *text).collect();
    if archive.is_file() && fs::read(&stamp).is_ok_and(|made_of| made_of == texts.as_bytes()) {
        return Ok(archive);
    }
    for (name, text) in FILES {
        cache::put(&folder.join(name), text.as_bytes())?;
    }
    let scratch = tempfile::tempdir_in(&folder).context("cannot make a temporary folder")?;
    let made = scratch.path().join("made.a");
    let ar = surroundings.clang.ask("-print-prog-name=ar")?;
    let mut link = Command::new(&ar);
    link.arg("rcs").arg(&made);
    for (name, _) in FILES.iter().filter(|(name, _)| name.ends_with(".c")) {
        let object = scratch.path().join(name).with_extension("o");
        let mut compile = surroundings.clang.command();
        compile.args(surroundings.native()?).args(["-c", "-O1", "-fPIC", "-x", "c", "-o"]);
        run(compile.arg(&object).arg(folder.join(name)))?;
        link.arg(object);
    }
    run(&mut link)?;
    fs::rename(&made, &archive).with_context(|| format!("cannot write {}", archive.display()))?;
    cache::put(&stamp, texts.as_bytes())?;
    Ok(archive)
}

fn run(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let done = command.output().with_context(|| format!("cannot start {program}"))?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        bail!(
            "the native klee functions cannot be made: {program} ended with {}\n{said}",
            done.status
        );
    }
    Ok(())
}
