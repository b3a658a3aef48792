//! The settings of a compilation, and its end.

use std::path::PathBuf;
use std::process::ExitStatus;

use crate::clang::Clang;

/// The compiler, and the C library that is used where the command line says nothing.
#[derive(Clone, Debug)]
pub struct CompilerSettings {
    /// The compiler.
    pub clang: Clang,
    /// The folder of headers and other files that are made once.
    pub cache: PathBuf,
    /// The folder that musl is installed to, if not where Debian and Ubuntu put it.
    pub musl: Option<PathBuf>,
    /// The name of the C library of programs that name none.
    pub libc: Option<String>,
    /// Flags of compilations to bitcode alone.
    pub bitcode_flags: Vec<String>,
}

impl CompilerSettings {
    /// The usual ones.
    pub fn new(clang: Clang, cache: PathBuf) -> CompilerSettings {
        CompilerSettings { clang, cache, musl: None, libc: None, bitcode_flags: Vec::new() }
    }
}

/// The end of a compilation that was carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompilationResult {
    /// Everything that was asked for is there.
    Succeeded,
    /// The compiler has failed with this exit code, and has told the user why; a signal has none.
    Failed(Option<u8>),
}

impl CompilationResult {
    pub(super) fn of(status: ExitStatus) -> CompilationResult {
        match status.success() {
            true => CompilationResult::Succeeded,
            false => {
                CompilationResult::Failed(status.code().and_then(|code| u8::try_from(code).ok()))
            }
        }
    }
}
