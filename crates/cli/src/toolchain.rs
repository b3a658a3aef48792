//! The compiler: where it is, and how it is called.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::flags::{CLANG, COMMON};

/// Where Debian and Ubuntu put the compiler if it is not in `PATH`.
const DEBIAN_CLANG: &str = "/usr/lib/llvm-19/bin/clang";

/// A compiler of the right version.
#[derive(Clone, Debug)]
pub struct Clang {
    program: PathBuf,
}

impl Clang {
    /// Looks for the compiler; `EVERETT_CLANG` names another one.
    pub fn find() -> Result<Clang> {
        if let Some(program) = std::env::var_os("EVERETT_CLANG").filter(|v| !v.is_empty()) {
            return Ok(Clang { program: program.into() });
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let in_path = std::env::split_paths(&path).map(|folder| folder.join(CLANG));
        let candidates = in_path.chain([PathBuf::from(DEBIAN_CLANG)]);
        match { candidates }.find(|candidate| candidate.is_file()) {
            Some(program) => Ok(Clang { program }),
            None => bail!(
                "{CLANG} is not installed; on Debian and Ubuntu: apt-get install {CLANG} \
                 (or set EVERETT_CLANG to a clang of version 19)"
            ),
        }
    }

    /// The command that compiles `source` to bitcode.
    ///
    /// `flags` are the user's and come last, so that they win.
    pub fn compile(
        &self,
        source: &Path,
        bitcode: &Path,
        include: &Path,
        flags: &[OsString],
    ) -> Command {
        let mut command = Command::new(&self.program);
        command.args(COMMON).args(defaults(flags));
        command.args(flags).arg("-isystem").arg(include);
        command.arg("-o").arg(bitcode).arg(source);
        command
    }

    /// Runs a command of this compiler, whose messages go where ours go.
    pub fn run(&self, mut command: Command) -> Result<()> {
        let status =
            command.status().with_context(|| format!("cannot start {}", self.program.display()))?;
        if !status.success() {
            bail!("the compiler ended with {status}");
        }
        Ok(())
    }
}

/// Optimisation and debug information where the user asks for none in particular.
fn defaults(flags: &[OsString]) -> Vec<&'static str> {
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
}
