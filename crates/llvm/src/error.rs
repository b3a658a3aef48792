//! Errors between files and a program.

use std::path::PathBuf;

use thiserror::Error;

/// Input that cannot be loaded.
#[derive(Debug, Error)]
pub enum LlvmError {
    /// The file cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: std::io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: std::io::Error,
    },
    /// The file is neither bitcode nor LLVM's text.
    #[error("{} is neither LLVM bitcode nor LLVM text ({found}); compile it with \
             `clang-19 -c -emit-llvm` or `everett cc`", path.display())]
    NotBitcode {
        /// The file.
        path: PathBuf,
        /// The kind of file that it seems to be.
        found: String,
    },
    /// The archive cannot be used.
    #[error("the archive {} cannot be used: {reason}", path.display())]
    Archive {
        /// The archive.
        path: PathBuf,
        /// The problem with the file.
        reason: String,
    },
    /// The file comes from a version of LLVM that this build cannot read.
    #[error("{} was written by {found}, this build reads {expected}; compile it with clang-19 \
             or `everett cc`", path.display())]
    WrongVersion {
        /// The file.
        path: PathBuf,
        /// The producer that the file names.
        found: String,
        /// The version that is read.
        expected: &'static str,
    },
    /// The file is damaged, or is not valid LLVM.
    #[error("{} is broken: {reason}", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// LLVM's words; for text with line and column.
        reason: String,
    },
    /// The file is for a machine that the engine does not simulate.
    #[error("{} is compiled for {triple}, the engine runs 64-bit little-endian programs; \
             compile it with --target=x86_64-linux-gnu or `everett cc`", path.display())]
    Target {
        /// The file.
        path: PathBuf,
        /// The triple that it names.
        triple: String,
    },
    /// Two modules do not fit together.
    #[error("cannot link {}: {reason}", path.display())]
    Link {
        /// The module that did not fit.
        path: PathBuf,
        /// LLVM's words; they name the symbol.
        reason: String,
    },
    /// An access at which threads are switched is none of the program's own instructions.
    #[error("there is no instruction of the program for the operation {pc}")]
    NoInstruction {
        /// The operation.
        pc: u32,
    },
    /// There is nothing to load.
    #[error("no input file")]
    NoInput,
}
