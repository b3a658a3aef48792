//! The environment variables of the process: the compiler, the cache, the C library.
//!
//! No library looks at environment variables. This module does, and names them in messages.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use anyhow::{Context, Error, Result, anyhow};
use everett_cluster::NatsOptions;
use everett_explorer::{BitcodeLoader, ProgramFiles, ReadingMode, ReadingProcess, load_options};
use everett_toolchain::cc::CompilerSettings;
use everett_toolchain::{Clang, ToolchainError};

use crate::exit_codes::EXIT_FAILED;
use crate::terminal;

/// A compiler to use instead of the one in `PATH`.
const CLANG: &str = "EVERETT_CLANG";
/// The folder that musl was installed to.
const MUSL: &str = "EVERETT_MUSL";
/// The C library of programs that name none.
const LIBC: &str = "EVERETT_LIBC";
/// Flags for compilations to bitcode alone.
const BITCODE_FLAGS: &str = "EVERETT_BITCODE_FLAGS";
/// The cache folder.
const CACHE: &str = "EVERETT_CACHE";
/// The user of the server of a cluster, and the password.
const NATS_USER: &str = "EVERETT_NATS_USER";
const NATS_PASSWORD: &str = "EVERETT_NATS_PASSWORD";
/// A token for the server.
const NATS_TOKEN: &str = "EVERETT_NATS_TOKEN";
/// Files with the seed of an nkey, and with credentials.
const NATS_NKEY: &str = "EVERETT_NATS_NKEY";
const NATS_CREDENTIALS: &str = "EVERETT_NATS_CREDENTIALS";
/// Files with certificates of authorities, and with our certificate and its key.
const NATS_CA: &str = "EVERETT_NATS_CA";
const NATS_CERT: &str = "EVERETT_NATS_CERT";
const NATS_KEY: &str = "EVERETT_NATS_KEY";

fn path(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The folders in a variable that lists some.
fn folders(name: &str) -> Vec<PathBuf> {
    env::split_paths(&env::var_os(name).unwrap_or_default()).collect()
}

/// The compiler.
pub fn clang() -> Result<Clang> {
    match path(CLANG) {
        Some(program) => Ok(Clang::at(program)),
        None => Clang::find(&folders("PATH")).map_err(toolchain_error),
    }
}

/// The cache folder, made if it is missing: headers, lowered programs, what is compiled on demand.
///
/// Everything in it can be made again, so it may be removed at any time. A variable names it; otherwise it
/// is where the system keeps caches of the user.
pub(crate) fn cache() -> Result<PathBuf> {
    let folder = path(CACHE)
        .or_else(|| path("XDG_CACHE_HOME").map(|cache| cache.join("everett")))
        .or_else(|| path("HOME").map(|home| home.join(".cache/everett")))
        .unwrap_or_else(|| env::temp_dir().join("everett-cache"));
    match fs::create_dir_all(&folder) {
        Ok(()) => Ok(folder),
        Err(error) => {
            let folder = folder.display();
            let advice = format!("set {CACHE} to a folder that can be written");
            Err(error).with_context(|| format!("cannot make the cache folder {folder}; {advice}"))
        }
    }
}

/// The settings by which `everett cc` compiles.
pub(crate) fn compiler_settings() -> Result<CompilerSettings> {
    let libc = env::var_os(LIBC).filter(|name| !name.is_empty());
    let flags = env::var(BITCODE_FLAGS).unwrap_or_default();
    Ok(CompilerSettings {
        clang: clang()?,
        cache: cache()?,
        musl: path(MUSL),
        libc: libc.map(|name| name.to_string_lossy().into_owned()),
        bitcode_flags: flags.split_whitespace().map(str::to_owned).collect(),
    })
}

/// Who we are for the server of a cluster, as far as its address does not say so.
pub(crate) fn log_in(options: &mut NatsOptions) -> Result<()> {
    let text = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
    options.user = match (text(NATS_USER), text(NATS_PASSWORD)) {
        (Some(user), Some(password)) => Some((user, password)),
        (None, None) => None,
        _ => return Err(anyhow!("set both {NATS_USER} and {NATS_PASSWORD}, or none of them")),
    };
    options.token = text(NATS_TOKEN);
    options.nkey_file = path(NATS_NKEY);
    options.credentials_file = path(NATS_CREDENTIALS);
    options.tls_authorities = path(NATS_CA);
    options.tls_identity = match (path(NATS_CERT), path(NATS_KEY)) {
        (Some(certificate), Some(key)) => Some((certificate, key)),
        (None, None) => None,
        _ => return Err(anyhow!("set both {NATS_CERT} and {NATS_KEY}, or none of them")),
    };
    Ok(())
}

/// Loads programs, and shows what is worth a warning.
pub(crate) fn programs() -> Result<ProgramFiles> {
    programs_beside(library_folders())
}

/// The same, where programs find shared objects in these folders, beside those that they name.
pub(crate) fn programs_beside(libraries: Vec<PathBuf>) -> Result<ProgramFiles> {
    let files = ProgramFiles::with(loader_beside(libraries)?).warn(terminal::warning);
    Ok(files.compiler(clang().ok()).command_folders(folders("PATH")))
}

/// The loader of programs. Another process of this binary reads them.
pub(crate) fn loader() -> Result<BitcodeLoader> {
    loader_beside(library_folders())
}

fn loader_beside(libraries: Vec<PathBuf>) -> Result<BitcodeLoader> {
    let program = env::current_exe().context("cannot find the everett binary")?;
    let build = stamp(&program).unwrap_or_default();
    let process = ReadingProcess { program, refusal: EXIT_FAILED.into() };
    let loader = BitcodeLoader::new(load_options(), cache()?, ReadingMode::InProcess(process));
    Ok(loader.build(&build).library_folders(libraries))
}

/// Folders of shared objects beside those that programs name.
pub(crate) fn library_folders() -> Vec<PathBuf> {
    folders("LD_LIBRARY_PATH")
}

/// A mark that differs between builds, since another build may lower programs differently.
fn stamp(file: &Path) -> Option<String> {
    let metadata = fs::metadata(file).ok()?;
    let written = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(format!("-{:x}-{:x}", metadata.len(), written.as_nanos()))
}

/// An error of the toolchain, with advice that names environment variables.
pub(crate) fn toolchain_error(error: ToolchainError) -> Error {
    let advice = match &error {
        ToolchainError::NoClang => format!(" (or set {CLANG} to a clang of version 19)"),
        ToolchainError::NoMusl => {
            format!(" (or set {MUSL} to the folder that it was installed to, or give --libc=glibc)")
        }
        ToolchainError::NoMuslIn { folder } => {
            let folder = folder.display();
            return anyhow!("{MUSL} names {folder}, where musl is not installed");
        }
        ToolchainError::MixedLibraries { .. } => {
            format!("; compile and link everything with {LIBC}=glibc, or with {LIBC}=musl")
        }
        ToolchainError::NativeOnly { .. } => " (see `everett cc --help`)".to_owned(),
        ToolchainError::UsualLibc(_) => return Error::new(error).context(format!("in {LIBC}")),
        _ => return error.into(),
    };
    anyhow!("{error}{advice}")
}
