//! [`Clang`]: the search for the compiler, and its command lines.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;

use everett_runtime::flags::{CLANG, COMMON, NO_HOST_HEADERS};
use thiserror::Error;

use crate::error::{Result, ToolchainError};

/// The path of the compiler on Debian and Ubuntu if it is not in `PATH`.
const DEBIAN_CLANG: &str = "/usr/lib/llvm-19/bin/clang";

/// Further flags of programs that are compiled against the host's glibc and libstdc++.
pub(crate) const GLIBC: &[&str] = &[
    // Functions are called, and not replaced by what glibc's headers know of its insides.
    "-D__NO_INLINE__",
    "-U_FORTIFY_SOURCE",
];

/// The folder among our headers of those that come before glibc's and libstdc++'s.
pub(crate) const HOST_FIXES: &str = "glibc";

/// The folder among our headers of those that come before musl's: they add what glibc's headers have.
pub(crate) const MUSL_FIXES: &str = "musl";

/// The C library that a program is compiled against.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Libc {
    /// The one that the engine runs.
    Musl,
    /// The host's; the engine runs such programs on musl, with a few functions in addition.
    Glibc,
}

/// A C library that is not known.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no C library {name:?}; musl and glibc are known")]
pub struct UnknownLibc {
    /// The name that was given.
    pub name: String,
}

impl FromStr for Libc {
    type Err = UnknownLibc;

    fn from_str(name: &str) -> std::result::Result<Libc, UnknownLibc> {
        match name {
            "musl" => Ok(Libc::Musl),
            "glibc" => Ok(Libc::Glibc),
            _ => Err(UnknownLibc { name: name.to_owned() }),
        }
    }
}

impl fmt::Display for Libc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Libc::Musl => "musl",
            Libc::Glibc => "glibc",
        })
    }
}

/// A compiler of the right version.
#[derive(Clone, Debug)]
pub struct Clang {
    program: PathBuf,
}

impl Clang {
    /// The compiler of this name.
    pub fn at(program: impl Into<PathBuf>) -> Clang {
        Clang { program: program.into() }
    }

    /// Looks for the compiler in these folders, and then where Debian and Ubuntu put it.
    pub fn find(folders: &[PathBuf]) -> Result<Clang> {
        let in_folders = folders.iter().map(|folder| folder.join(CLANG));
        let candidates = in_folders.chain([PathBuf::from(DEBIAN_CLANG)]);
        let found = { candidates }.find(|candidate| candidate.is_file());
        found.map(Clang::at).ok_or(ToolchainError::NoClang)
    }

    /// The command that compiles `source` to bitcode, with the headers in `include`; C++ against the
    /// host's libraries, with only those headers from `include` that the host does not have.
    ///
    /// `flags` are the user's and come after ours, so that they win.
    pub fn compile(
        &self,
        source: &Path,
        bitcode: &Path,
        include: &Path,
        flags: &[OsString],
    ) -> Command {
        let mut command = self.command();
        let is_c = source.extension().is_none_or(|extension| extension != "cpp");
        let libc = if is_c { Libc::Musl } else { Libc::Glibc };
        command.args(common(libc)).args(defaults(flags)).args(flags);
        match libc {
            Libc::Musl => command.arg("-isystem").arg(include.join(MUSL_FIXES)).arg("-isystem"),
            Libc::Glibc => {
                command.args(GLIBC).arg("-isystem").arg(include.join(HOST_FIXES)).arg("-idirafter")
            }
        };
        command.arg(include);
        command.arg("-o").arg(bitcode).arg(source);
        command
    }

    /// The compiler without any flags.
    pub fn command(&self) -> Command {
        Command::new(&self.program)
    }

    /// The error of a command of this compiler that could not be started.
    pub fn no_start(&self, source: io::Error) -> ToolchainError {
        ToolchainError::Start { program: self.program.clone(), source }
    }

    /// The compiler's answer to a question about itself.
    pub fn ask(&self, question: &str) -> Result<String> {
        let asked = self.command().arg(question).output();
        let answer = asked.map_err(|source| self.no_start(source))?;
        Ok(String::from_utf8_lossy(&answer.stdout).trim().to_owned())
    }
}

/// The flags of every compilation to bitcode.
pub(crate) fn common(libc: Libc) -> impl Iterator<Item = &'static str> {
    // What is compiled against the host's library needs the host's headers.
    let wanted = move |flag: &&str| libc == Libc::Musl || *flag != NO_HOST_HEADERS;
    COMMON.iter().copied().filter(wanted)
}

/// Optimisation and debug information where the user asks for none in particular.
pub(crate) fn defaults(flags: &[OsString]) -> Vec<&'static str> {
    let given = |prefix: &str| {
        flags.iter().any(|flag| flag.to_str().is_some_and(|flag| flag.starts_with(prefix)))
    };
    let mut defaults = Vec::new();
    if !given("-O") {
        defaults.push("-O1");
    }
    if !given("-g") {
        defaults.push("-g");
    }
    defaults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_the_user_replace_the_defaults() {
        let flags = |list: &[&str]| list.iter().map(OsString::from).collect::<Vec<_>>();
        assert_eq!(defaults(&flags(&["-DX"])), ["-O1", "-g"]);
        assert_eq!(defaults(&flags(&["-O2"])), ["-g"]);
        assert_eq!(defaults(&flags(&["-O0", "-g0"])), [""; 0]);
    }

    #[test]
    fn hosts_headers_are_hidden_from_musl_only() {
        assert!(common(Libc::Musl).any(|flag| flag == NO_HOST_HEADERS));
        assert!(!common(Libc::Glibc).any(|flag| flag == NO_HOST_HEADERS));
        assert_eq!("glibc".parse::<Libc>().unwrap(), Libc::Glibc);
        assert!("newlib".parse::<Libc>().unwrap_err().to_string().contains("newlib"));
    }
}
