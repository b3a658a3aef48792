//! The surroundings of a compilation: the C library, and the flags that bring in its headers.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use everett_runtime::install_headers;

use super::arguments::{CompileGoal, CompilerInvocation, CompilerName, InputLanguage};
use super::settings::CompilerSettings;
use super::sysroot;
use crate::carried;
use crate::clang::{Clang, GLIBC, HOST_FIXES, Libc, MUSL_FIXES};
use crate::error::{Result, ToolchainError};

/// The compiler, and what it compiles against.
pub(super) struct CompilerSurroundings<'s> {
    pub(super) settings: &'s CompilerSettings,
    pub(super) libc: Libc,
    driver: CompilerName,
}

impl<'s> CompilerSurroundings<'s> {
    /// Chooses the C library: the one that is named; or that of the objects that are linked; or glibc
    /// for C++, whose library is the host's.
    pub(super) fn choose(
        settings: &'s CompilerSettings,
        invocation: &CompilerInvocation,
    ) -> Result<CompilerSurroundings<'s>> {
        let named = match (invocation.libc, &settings.libc) {
            (Some(libc), _) => Some(libc),
            (None, Some(name)) => Some(name.parse().map_err(ToolchainError::UsualLibc)?),
            (None, None) => None,
        };
        let is_cxx = invocation.driver == CompilerName::Cxx
            || invocation.inputs().any(|input| matches!(input.language, InputLanguage::Cxx(_)));
        let usual = if is_cxx { Libc::Glibc } else { Libc::Musl };
        let has_sources = invocation.sources().next().is_some();
        let mut linked = LinkedLibc { libc: named.or(has_sources.then_some(usual)), first: None };
        if invocation.goal == CompileGoal::Link && !invocation.is_question {
            let inputs =
                invocation.inputs().filter(|input| input.language == InputLanguage::Linked);
            { inputs }.try_for_each(|input| linked.add(&input.path))?;
        }
        let libc = linked.libc.unwrap_or(usual);
        Ok(CompilerSurroundings { settings, libc, driver: invocation.driver })
    }

    /// Those of a C library that is known.
    pub(super) fn of(
        settings: &'s CompilerSettings,
        libc: Libc,
        driver: CompilerName,
    ) -> CompilerSurroundings<'s> {
        CompilerSurroundings { settings, libc, driver }
    }

    /// The compiler.
    pub(super) fn clang(&self) -> &'s Clang {
        &self.settings.clang
    }

    /// The flags of every native compilation and link, before the user's.
    pub(super) fn native(&self) -> Result<Vec<OsString>> {
        let own = self.own_headers()?;
        // Not all of them matter to every command, which is nothing to warn about.
        let mut flags: Vec<OsString> = vec!["--start-no-unused-arguments".into()];
        if self.driver == CompilerName::Cxx {
            flags.push("--driver-mode=g++".into());
        }
        if self.libc == Libc::Musl {
            let mut root = OsString::from("--sysroot=");
            root.push(sysroot::musl(self.settings)?);
            flags.extend(["--target=x86_64-linux-musl".into(), root, "-static-libgcc".into()]);
            flags.extend(["-isystem".into(), own.join(MUSL_FIXES).into()]);
            flags.extend([
                "-idirafter".into(),
                sysroot::kernel_headers(&self.settings.cache)?.into(),
            ]);
        }
        flags.extend(["-idirafter".into(), own.into(), "--end-no-unused-arguments".into()]);
        Ok(flags)
    }

    /// The headers for compilations to bitcode, after the user's flags.
    pub(super) fn for_bitcode(&self) -> Result<Vec<OsString>> {
        let mut flags: Vec<OsString> = Vec::new();
        match self.libc {
            Libc::Musl => {
                let include = install_headers(&self.settings.cache)?;
                flags.extend(["-isystem".into(), include.join(MUSL_FIXES).into()]);
                flags.extend(["-isystem".into(), include.into()]);
                flags.extend([
                    "-idirafter".into(),
                    sysroot::kernel_headers(&self.settings.cache)?.into(),
                ]);
                // As the native compiler, whose target names musl.
                flags.push("-U__gnu_linux__".into());
            }
            Libc::Glibc => {
                let own = self.own_headers()?;
                flags.extend(["-isystem".into(), own.join(HOST_FIXES).into()]);
                flags.extend(["-idirafter".into(), own.into()]);
                flags.extend(GLIBC.iter().map(OsString::from));
            }
        }
        Ok(flags)
    }

    fn own_headers(&self) -> Result<PathBuf> {
        sysroot::own_headers(&self.settings.cache, &install_headers(&self.settings.cache)?)
    }
}

/// The C library that objects of a link agree on.
struct LinkedLibc {
    libc: Option<Libc>,
    /// The object that has decided, unless the user has.
    first: Option<PathBuf>,
}

impl LinkedLibc {
    /// Objects of both libraries would link, and then misunderstand one another.
    fn add(&mut self, object: &Path) -> Result<()> {
        let Some(found) = carried::libc_of_object(object) else { return Ok(()) };
        let Some(libc) = self.libc else {
            (self.libc, self.first) = (Some(found), Some(object.to_path_buf()));
            return Ok(());
        };
        if libc == found {
            return Ok(());
        }
        let (object, first) = (object.to_path_buf(), self.first.clone());
        Err(ToolchainError::MixedLibraries { object, found, libc, first })
    }
}
