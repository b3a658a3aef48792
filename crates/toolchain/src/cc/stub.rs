//! `klee/klee.h` and `netklee.h` for native programs: an archive that is linked to executables that call
//! them.
//!
//! So a program with symbolic inputs also links natively, and runs on the test that `KTEST_FILE`
//! names. It is compiled when it is first needed.

use std::path::PathBuf;
use std::process::Command;

use super::surroundings::CompilerSurroundings;
use crate::error::{Result, ToolchainError};
use crate::made::made_of;

const FILES: [(&str, &str); 4] = [
    ("klee_native.c", include_str!("../../../../runtime-c/native/klee_native.c")),
    ("netklee_native.c", include_str!("../../../../runtime-c/native/netklee_native.c")),
    ("ktest.c", include_str!("../../../../runtime-c/native/ktest.c")),
    ("ktest.h", include_str!("../../../../runtime-c/native/ktest.h")),
];

/// The archive.
pub(super) fn archive(surroundings: &CompilerSurroundings<'_>) -> Result<PathBuf> {
    let folder = surroundings.settings.cache.join(format!("native-1/{}", surroundings.libc));
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
        run(&mut link)
    })
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
