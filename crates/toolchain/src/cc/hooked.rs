//! Native programs with hooks: compiled from the bitcode that the program carries, for a native replay in
//! which threads are switched at accesses to memory.
//!
//! The native code of the program was compiled from the same source with other flags, and its accesses are
//! not those of the bitcode. So the bitcode is compiled once more, without optimisation: what the engine
//! has executed is what runs.

use std::path::{Path, PathBuf};

use everett_llvm::HookRequest;

use super::arguments::CompilerName;
use super::settings::CompilerSettings;
use super::stub;
use super::surroundings::CompilerSurroundings;
use crate::carried;
use crate::clang::Libc;
use crate::error::{Result, ToolchainError};
use crate::load::BitcodeLoader;

/// A native program that is to be compiled with hooks.
#[derive(Clone, Copy, Debug)]
pub struct HookedProgram<'a> {
    /// The program, which carries its bitcode.
    pub file: &'a Path,
    /// The C library that it was compiled against.
    pub libc: Libc,
    /// The shared objects that it loads.
    pub libraries: &'a [PathBuf],
    /// The accesses. A program that has a sanitizer of addresses gets one again.
    pub hooks: &'a HookRequest,
}

impl CompilerSettings {
    /// Compiles a program with hooks.
    pub fn compile_hooked(
        &self,
        program: &HookedProgram<'_>,
        loader: &BitcodeLoader,
        output: &Path,
    ) -> Result<()> {
        let HookedProgram { file, libc, libraries, hooks } = *program;
        let scratch = tempfile::tempdir().map_err(ToolchainError::TemporaryFolder)?;
        let bitcode = scratch.path().join("hooked.bc");
        loader.hook(file, hooks, &bitcode)?;
        let surroundings = CompilerSurroundings::of(self, libc, CompilerName::C);
        let mut command = self.clang.command();
        command.args(surroundings.native()?).args(["-O0", "-g", "-w", "-pthread"]);
        if hooks.sanitizes {
            command.arg("-fsanitize=address");
        }
        command.arg(&bitcode).arg(stub::archive(&surroundings)?);
        // Those that carry bitcode are part of it.
        let is_native = |library: &&PathBuf| carried::modules(library).is_err();
        command.args(libraries.iter().filter(is_native)).arg("-o").arg(output);
        let done = command.output().map_err(|source| self.clang.no_start(source))?;
        if !done.status.success() {
            let said = String::from_utf8_lossy(&done.stderr).into_owned();
            return Err(ToolchainError::Hooked { file: file.to_path_buf(), said });
        }
        Ok(())
    }
}
