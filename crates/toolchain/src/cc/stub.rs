//! `klee/klee.h` and `netklee.h` for native programs: an archive that is linked to executables that call
//! them.
//!
//! So a program with symbolic inputs also links natively, and runs on the test that `KTEST_FILE`
//! names. It is compiled when it is first needed. Debian's musl is without `crypt`; with musl, the archive
//! has that of the engine's library, compiled natively from its bitcode.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use object::read::archive::ArchiveFile;

use super::surroundings::CompilerSurroundings;
use crate::clang::Libc;
use crate::error::{Result, ToolchainError};
use crate::made::made_of;

const FILES: [(&str, &str); 5] = [
    ("klee_native.c", include_str!("../../../../runtime-c/native/klee_native.c")),
    ("netklee_native.c", include_str!("../../../../runtime-c/native/netklee_native.c")),
    ("sanitizer_native.c", include_str!("../../../../runtime-c/native/sanitizer_native.c")),
    ("ktest.c", include_str!("../../../../runtime-c/native/ktest.c")),
    ("ktest.h", include_str!("../../../../runtime-c/native/ktest.h")),
];

/// The archive.
pub(super) fn archive(surroundings: &CompilerSurroundings<'_>) -> Result<PathBuf> {
    let folder = surroundings.settings.cache.join(format!("native-3/{}", surroundings.libc));
    made_of(&folder, "libeverett-native.a", &FILES, |folder, made| {
        let ar = surroundings.clang().ask("-print-prog-name=ar")?;
        let mut link = Command::new(&ar);
        link.arg("rcs").arg(made);
        for (name, _) in FILES.iter().filter(|(name, _)| name.ends_with(".c")) {
            let object = made.with_file_name(name).with_extension("o");
            let mut compile = surroundings.clang().command();
            compile.args(surroundings.native()?).args(["-c", "-O1", "-fPIC", "-x", "c", "-o"]);
            run(compile.arg(&object).arg(folder.join(name)))?;
            link.arg(object);
        }
        if surroundings.libc == Libc::Musl {
            link.args(crypt(surroundings, made)?);
        }
        run(&mut link)
    })
}

/// The objects of `crypt` and its kin, made beside a file.
fn crypt(surroundings: &CompilerSurroundings<'_>, beside: &Path) -> Result<Vec<PathBuf>> {
    let library = everett_runtime::libc_archive();
    let archive = ArchiveFile::parse(library).expect("the archive was made by the build");
    let mut objects = Vec::new();
    for member in archive.members() {
        let member = member.expect("the archive was made by the build");
        let name = String::from_utf8_lossy(member.name()).into_owned();
        if !name.contains("crypt") {
            continue;
        }
        let bitcode = beside.with_file_name(&name);
        let contents = member.data(library).expect("the archive was made by the build");
        fs::write(&bitcode, contents)
            .map_err(|source| ToolchainError::Write { path: bitcode.clone(), source })?;
        let object = bitcode.with_extension("o");
        let mut compile = surroundings.clang().command();
        compile.args(["--target=x86_64-linux-musl", "-w", "-c", "-O1", "-fPIC", "-x", "ir", "-o"]);
        run(compile.arg(&object).arg(&bitcode))?;
        objects.push(object);
    }
    Ok(objects)
}

fn run(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_owned();
    let done = command.output().map_err(|source| {
        let program = PathBuf::from(&program);
        ToolchainError::Start { program, source }
    })?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        let program = program.to_string_lossy().into_owned();
        return Err(ToolchainError::NativeStub { program, status: done.status, said });
    }
    Ok(())
}
