//! Errors of compiling C, and of loading files as programs.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

use everett_llvm::LlvmError;
use everett_runtime::RuntimeError;
use everett_runtime::flags::CLANG;
use thiserror::Error;

use crate::carried::SECTION;
use crate::clang::{Libc, UnknownLibc};
use crate::program_file::FileComplaint;

/// An error between C and a program.
#[derive(Debug, Error)]
pub enum ToolchainError {
    /// The runtime cannot be installed.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// LLVM cannot read or link something.
    #[error(transparent)]
    Llvm(#[from] LlvmError),
    /// A program was compiled for the runtime of a sanitizer.
    #[error(
        "the program is compiled with -fsanitize={sanitizer}, whose runtime is native code; compile \
         it without, since the engine finds these errors itself"
    )]
    Instrumented {
        /// The sanitizer.
        sanitizer: &'static str,
    },
    /// A native file cannot be understood or changed.
    #[error(transparent)]
    Elf(#[from] ElfError),
    /// A C library of this name is not known.
    #[error(transparent)]
    Libc(#[from] UnknownLibc),
    /// The library that the caller's settings name is not known.
    #[error(transparent)]
    UsualLibc(UnknownLibc),
    /// The command line of a compiler makes no sense.
    #[error(transparent)]
    CommandLine(#[from] CommandLineError),
    /// A file is given as a program and is none.
    #[error("{0}")]
    NotAProgram(FileComplaint),
    /// The file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The link cannot be made.
    #[error("cannot make the link {}", path.display())]
    Link {
        /// The link.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// There is no place for temporary files.
    #[error("cannot make a temporary folder")]
    TemporaryFolder(#[source] io::Error),
    /// A temporary file cannot be made, written or opened.
    #[error("cannot make a temporary file")]
    TemporaryFile(#[source] io::Error),
    /// Standard input is a source file and cannot be read.
    #[error("cannot copy standard input")]
    StandardInput(#[source] io::Error),
    /// A program cannot be started.
    #[error("cannot start {}", program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// There is no compiler of the right version.
    #[error("{CLANG} is not installed; on Debian and Ubuntu: apt-get install {CLANG}")]
    NoClang,
    /// There is no musl for native programs.
    #[error("musl is not installed; on Debian and Ubuntu: apt-get install musl-dev")]
    NoMusl,
    /// The folder that musl is said to be in does not have it.
    #[error("musl is not installed in {}", folder.display())]
    NoMuslIn {
        /// The folder.
        folder: PathBuf,
    },
    /// The compiler's own parts of native programs are missing.
    #[error(
        "the compiler's support library is not installed; on Debian and Ubuntu: apt-get install gcc"
    )]
    NoSupportLibrary,
    /// Objects of a link were compiled against different C libraries.
    #[error("{} was compiled against {found}, but {}", object.display(), others(first, *libc))]
    MixedLibraries {
        /// The object that differs.
        object: PathBuf,
        /// Its library.
        found: Libc,
        /// That of the others.
        libc: Libc,
        /// The object that has decided, unless the command line has.
        first: Option<PathBuf>,
    },
    /// The stand-ins of the engine's functions cannot be compiled for native programs.
    #[error("the native klee functions cannot be made: {program} ended with {status}\n{said}")]
    NativeStub {
        /// The compiler or archiver.
        program: String,
        /// The exit status of the compiler.
        status: ExitStatus,
        /// Its messages.
        said: String,
    },
    /// The library that is loaded into live peers cannot be compiled.
    #[error("the library for live peers cannot be made: the compiler ended with {status}\n{said}")]
    PeerLibrary {
        /// The exit status of the compiler.
        status: ExitStatus,
        /// Its messages.
        said: String,
    },
    /// The bitcode of a program does not make a native program.
    #[error(
        "{} cannot be compiled from the bitcode that it carries, which is needed to switch threads at \
         accesses to memory; compile and link all of it with `everett cc`\n{said}",
        file.display()
    )]
    Hooked {
        /// The program.
        file: PathBuf,
        /// The messages of the compiler.
        said: String,
    },
    /// The source compiles natively, but not to bitcode.
    #[error("this compiles natively, but not to the bitcode that Everett runs")]
    NativeOnly {
        /// The compiler's messages.
        said: Vec<u8>,
    },
    /// The file cannot carry bitcode.
    #[error("{} is neither an ELF file nor an archive", path.display())]
    NotNative {
        /// The file.
        path: PathBuf,
    },
    /// The file can carry bitcode, but carries none.
    #[error(
        "{} carries no bitcode: it was not made by `everett cc`, or has lost its section {SECTION}; \
         compile it with `everett cc`", path.display()
    )]
    NoBitcode {
        /// The file.
        path: PathBuf,
    },
    /// The native file is damaged.
    #[error("{} is damaged", path.display())]
    DamagedFile {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: ElfError,
    },
    /// The archive is damaged.
    #[error("{} is a damaged archive", path.display())]
    DamagedArchive {
        /// The archive.
        path: PathBuf,
        /// The reason.
        source: object::Error,
    },
    /// The bitcode that a native file carries is damaged.
    #[error("the bitcode that {} carries is damaged", path.display())]
    DamagedBitcode {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: RecordError,
    },
    /// A member of a thin archive cannot be read.
    #[error("cannot read {}, a member of {}", path.display(), archive.display())]
    Member {
        /// The member.
        path: PathBuf,
        /// The archive.
        archive: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The process that reads programs has refused one.
    #[error("{said}")]
    Refused {
        /// The output of the compiler.
        said: String,
    },
    /// The process that reads programs has crashed.
    #[error("{files} cannot be read: LLVM ended with {status}{}", crashed(said))]
    Crashed {
        /// The files of the program.
        files: String,
        /// The exit status of the process.
        status: ExitStatus,
        /// The output of the process.
        said: String,
    },
    /// A program was read, and is not where it was to be left.
    #[error("{files} could not be put into the cache\n{said}")]
    NotCached {
        /// The files of the program.
        files: String,
        /// The output of the process that read it.
        said: String,
    },
}

/// The reason for which a native file cannot be understood, or changed.
#[derive(Debug, Error)]
pub enum ElfError {
    /// It is no ELF file, or a damaged one.
    #[error(transparent)]
    Object(#[from] object::Error),
    /// The section of bitcode is not inside the file.
    #[error("the section {SECTION} lies beyond the end of the file")]
    BeyondEnd(#[source] object::Error),
    /// Sections have no names.
    #[error("the object has no names of sections")]
    NoNames,
    /// Sections have names without an end.
    #[error("the names of sections take too much room")]
    LongNames,
    /// The header is missing.
    #[error("the object is too short")]
    Short,
}

/// A problem with the modules in a section of bitcode.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The section ends too early.
    #[error("the section {SECTION} ends inside the header at offset {offset}")]
    InsideHeader {
        /// The offset at which the header begins.
        offset: usize,
    },
    /// Something else stands where a header should be.
    #[error("there is no header at offset {offset} of the section {SECTION}")]
    NoHeader {
        /// The place.
        offset: usize,
    },
    /// The C library has an unknown number.
    #[error("the header at offset {offset} names an unknown C library, {number}")]
    UnknownLibc {
        /// The offset at which the header begins.
        offset: usize,
        /// The number.
        number: u32,
    },
    /// The section ends too early.
    #[error("the section {SECTION} ends inside the module at offset {offset}")]
    InsideModule {
        /// The offset at which the header of the module begins.
        offset: usize,
    },
}

/// A problem with the command line of a compiler.
#[derive(Debug, Error)]
pub enum CommandLineError {
    /// The flag is the last word.
    #[error("{flag} needs a value")]
    NoValue {
        /// The flag.
        flag: String,
    },
    /// The flag asks for programs of another width.
    #[error("{flag}: Everett runs 64-bit programs only")]
    Width {
        /// The flag.
        flag: String,
    },
    /// The target is another machine or system.
    #[error("{triple}: Everett runs programs for x86-64 and Linux only")]
    Target {
        /// The target.
        triple: String,
    },
    /// The bitcode would need the runtime of a sanitizer.
    #[error(
        "-fsanitize={name} is for native code: leave it out for bitcode, since the engine finds these errors \
         itself"
    )]
    SanitizedBitcode {
        /// The sanitizer.
        name: String,
    },
    /// The runtime of a sanitizer is there for one C library only.
    #[error("-fsanitize={name} needs the host's C library: add --libc=glibc")]
    SanitizerNeedsGlibc {
        /// The sanitizer.
        name: String,
    },
    /// Response files name one another in a circle.
    #[error("{word}: response files name one another")]
    ResponseFiles {
        /// The word that is not followed any more.
        word: String,
    },
    /// One output is named for several results.
    #[error("-o names one file, but there are several sources; leave out -c to link them")]
    SeveralSources,
    /// There is nothing to compile.
    #[error("there is no input file")]
    NoInput,
    /// The input is in a language that has no bitcode.
    #[error("{} cannot be compiled to bitcode", path.display())]
    NoBitcode {
        /// The input.
        path: PathBuf,
    },
}

/// Returns the words for the C library that the other objects of a link were compiled against.
fn others(first: &Option<PathBuf>, libc: Libc) -> String {
    match first {
        Some(first) => format!("{} against {libc}", first.display()),
        None => format!("this link is for {libc}"),
    }
}

fn crashed(said: &str) -> String {
    match said {
        "" => "; the file is damaged".to_owned(),
        said => format!(", saying\n{said}"),
    }
}

/// Results of this crate.
pub(crate) type Result<T> = std::result::Result<T, ToolchainError>;
