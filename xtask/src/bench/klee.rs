//! KLEE beside us, where it is installed: the fair comparison, on the same machine in the same minute.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::measure::{Sample, measure};
use super::programs::Program;
use crate::process::{command, find_program, output, run};
use crate::workspace;

/// An installed KLEE and the compiler whose bitcode it reads.
pub(super) struct Klee {
    program: PathBuf,
    clang: PathBuf,
}

impl Klee {
    /// Looks for `klee` and the clang of the same LLVM version in `PATH`.
    pub(super) fn find() -> Option<Klee> {
        let program = find_program("klee")?;
        let version = output(command(&program).arg("--version")).ok()?;
        let major = llvm_major(&version)?;
        let clang = find_program(&format!("clang-{major}"))?;
        Some(Klee { program, clang })
    }

    /// Compiles a program and measures one run of KLEE on it.
    pub(super) fn measure(&self, program: &Program, folder: &Path) -> Result<Sample> {
        let bitcode = folder.join("klee.bc");
        let source = workspace::root().join("tests/bench").join(program.source);
        let mut compile = command(&self.clang);
        compile.args(["-O1", "-g", "-emit-llvm", "-c", "-Iruntime-c/include"]);
        compile.args(program.defines.iter().map(|define| format!("-D{define}")));
        run(compile.arg(&source).arg("-o").arg(&bitcode))?;

        let out = folder.join("klee-out");
        if out.exists() {
            std::fs::remove_dir_all(&out).context("cannot remove the last results of KLEE")?;
        }
        let mut klee = command(&self.program);
        klee.arg(format!("--output-dir={}", out.display())).args(program.klee).arg(&bitcode);
        measure(&mut klee, &[0])
    }
}

/// The `16` of a line such as `LLVM version 16.0.6`.
fn llvm_major(version: &str) -> Option<u32> {
    let (_, after) = version.split_once("LLVM version ")?;
    after.split('.').next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn llvm_version_is_found_in_the_version_text() {
        let text = "KLEE 3.3-pre\n  Build mode: Release\nLLVM (http://llvm.org/):\n  LLVM version 16.0.6\n";
        assert_eq!(llvm_major(text), Some(16));
        assert_eq!(llvm_major("KLEE 3.1"), None);
    }
}
