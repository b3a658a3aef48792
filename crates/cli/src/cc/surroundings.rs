//! What a program is compiled against: the C library, and the flags that bring in its headers.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::arguments::{Driver, Invocation, Language};
use super::sysroot;
use crate::runtime;
use crate::toolchain::{Clang, Libc};

/// The C library of programs that name none.
const LIBC_VARIABLE: &str = "EVERETT_LIBC";

/// The compiler, and what it compiles against.
pub(super) struct Surroundings {
    pub(super) clang: Clang,
    pub(super) libc: Libc,
    driver: Driver,
    cache: PathBuf,
}

impl Surroundings {
    /// Chooses the C library: the one that is named, or glibc for C++, whose library is the host's.
    pub(super) fn choose(
        clang: Clang,
        invocation: &Invocation,
        cache: &Path,
    ) -> Result<Surroundings> {
        let from_environment = env::var_os(LIBC_VARIABLE).filter(|name| !name.is_empty());
        let is_cxx = invocation.driver == Driver::Cxx
            || invocation.inputs().any(|input| matches!(input.language, Language::Cxx(_)));
        let libc = match (invocation.libc, from_environment) {
            (Some(libc), _) => libc,
            (None, Some(name)) => {
                name.to_string_lossy().parse().with_context(|| format!("in {LIBC_VARIABLE}"))?
            }
            (None, None) if is_cxx => Libc::Glibc,
            (None, None) => Libc::Musl,
        };
        Ok(Surroundings { clang, libc, driver: invocation.driver, cache: cache.to_path_buf() })
    }

    /// The flags of every native compilation and link, before the user's.
    pub(super) fn native(&self) -> Result<Vec<OsString>> {
        let own = self.own_headers()?;
        // Not all of them matter to every command, which is nothing to warn about.
        let mut flags: Vec<OsString> = vec!["--start-no-unused-arguments".into()];
        if self.driver == Driver::Cxx {
            flags.push("--driver-mode=g++".into());
        }
        if self.libc == Libc::Musl {
            let mut root = OsString::from("--sysroot=");
            root.push(sysroot::musl(&self.clang, &self.cache)?);
            flags.extend(["--target=x86_64-linux-musl".into(), root, "-static-libgcc".into()]);
            flags.extend(["-idirafter".into(), sysroot::kernel_headers(&self.cache)?.into()]);
        }
        flags.extend(["-idirafter".into(), own.into(), "--end-no-unused-arguments".into()]);
        Ok(flags)
    }

    /// The headers for compilations to bitcode, after the user's flags.
    pub(super) fn for_bitcode(&self) -> Result<Vec<OsString>> {
        let mut flags: Vec<OsString> = Vec::new();
        match self.libc {
            Libc::Musl => {
                let include = runtime::install_headers(&self.cache)?;
                flags.extend(["-isystem".into(), include.into()]);
                flags.extend(["-idirafter".into(), sysroot::kernel_headers(&self.cache)?.into()]);
                // As the native compiler, whose target names musl.
                flags.push("-U__gnu_linux__".into());
            }
            Libc::Glibc => {
                flags.extend(["-idirafter".into(), self.own_headers()?.into()]);
                // Functions are called, not replaced by what glibc's headers know of its insides.
                flags.extend(["-D__NO_INLINE__".into(), "-U_FORTIFY_SOURCE".into()]);
                // There is no compiled C++ library to take templates from.
                flags.push("-D_GLIBCXX_EXTERN_TEMPLATE=0".into());
            }
        }
        Ok(flags)
    }

    fn own_headers(&self) -> Result<PathBuf> {
        sysroot::own_headers(&self.cache, &runtime::install_headers(&self.cache)?)
    }
}
