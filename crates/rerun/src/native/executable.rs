//! Native executables: the check that a program can be replayed, and the libraries that it needs to run in a
//! folder of its own.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use everett_toolchain::Libc;
use object::elf::{self, FileHeader64};
use object::endian::LittleEndian;
use object::read::elf::{ElfFile, FileHeader, ProgramHeader};
use object::{Object, ObjectSymbol};

use crate::error::{RerunError, Result};

/// The function by which a sanitizer of addresses begins.
const SANITIZER: &[u8] = b"__asan_init";

/// A native program.
#[derive(Clone, Debug)]
pub(super) struct NativeExecutable {
    pub(super) file: PathBuf,
    pub(super) libc: Libc,
    /// The dynamic loader and the shared objects, where the program looks for them.
    pub(super) libraries: Vec<PathBuf>,
}

impl NativeExecutable {
    /// Looks at the file of a program.
    pub(super) fn open(file: &Path) -> Result<NativeExecutable> {
        let bytes = fs::read(file)
            .map_err(|source| RerunError::Read { path: file.to_path_buf(), source })?;
        let Some(loader) = loader(&bytes)? else {
            return Err(RerunError::Executable { reason: reason(file, &bytes) });
        };
        if !loader.is_file() {
            let (file, loader) = (file.display(), loader.display());
            let reason = format!("{file} needs the dynamic loader {loader}, which is not here");
            return Err(RerunError::Executable { reason });
        }
        let is_musl = loader.as_os_str().as_bytes().windows(5).any(|word| word == b"-musl");
        let libc = if is_musl { Libc::Musl } else { Libc::Glibc };
        let mut libraries = needed(&loader, file)?;
        libraries.extend(unwinder(&libraries));
        libraries.insert(0, loader);
        libraries.dedup();
        Ok(NativeExecutable { file: file.to_path_buf(), libc, libraries })
    }

    /// Returns `true` if it was compiled with a sanitizer of addresses.
    pub(super) fn has_sanitizer(&self) -> Result<bool> {
        let bytes = fs::read(&self.file)
            .map_err(|source| RerunError::Read { path: self.file.clone(), source })?;
        let parsed: ElfFile<'_, FileHeader64<LittleEndian>> = ElfFile::parse(bytes.as_slice())?;
        let mut names = parsed.dynamic_symbols().map(|symbol| symbol.name_bytes());
        Ok(names.any(|name| name == Ok(SANITIZER)))
    }
}

/// The dynamic loader that an executable names; `None` if it is none, or names none.
fn loader(bytes: &[u8]) -> Result<Option<PathBuf>> {
    let Ok(header) = FileHeader64::<LittleEndian>::parse(bytes) else { return Ok(None) };
    let table = header.program_headers(LittleEndian, bytes)?;
    for segment in table {
        if let Some(name) = segment.interpreter(LittleEndian, bytes)? {
            return Ok(Some(PathBuf::from(OsStr::from_bytes(name))));
        }
    }
    Ok(None)
}

/// Returns the reason for which a file cannot be replayed natively.
fn reason(file: &Path, bytes: &[u8]) -> String {
    let name = file.display();
    match FileHeader64::<LittleEndian>::parse(bytes) {
        Ok(header) if matches!(header.e_type(LittleEndian), elf::ET_EXEC | elf::ET_DYN) => {
            format!(
                "{name} is linked statically, and nothing can be loaded into it; link it without -static"
            )
        }
        _ => format!(
            "{name} is no native program; build it with `everett cc -o prog` instead of bitcode alone"
        ),
    }
}

/// The shared objects that a loader finds for a program.
fn needed(loader: &Path, program: &Path) -> Result<Vec<PathBuf>> {
    let mut command = Command::new(loader);
    command.arg("--list").arg(program).env_remove("LD_PRELOAD");
    let done = command.output().map_err(|source| {
        let program = loader.to_path_buf();
        RerunError::Start { program, source }
    })?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        let reason = format!("{} cannot be loaded: {said}", program.display());
        return Err(RerunError::Executable { reason });
    }
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    // `NAME => FILE (ADDRESS)`, or `FILE (ADDRESS)`.
    let file = |line: &str| {
        let word = line.split("=>").last()?.split_whitespace().next()?.to_owned();
        word.starts_with('/').then(|| PathBuf::from(word))
    };
    let mut files: Vec<PathBuf> = text.lines().filter_map(file).collect();
    files.retain(|file| file != loader && file.is_file());
    Ok(files)
}

/// Returns the library that glibc loads when a thread ends by `pthread_exit`: it is beside glibc, and
/// no program names it.
fn unwinder(libraries: &[PathBuf]) -> Option<PathBuf> {
    let glibc = libraries.iter().find(|file| file.ends_with("libc.so.6"))?;
    let file = glibc.with_file_name("libgcc_s.so.1");
    (file.is_file() && !libraries.contains(&file)).then_some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_program_is_refused_with_advice() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("prog.bc");
        fs::write(&file, b"BC\xc0\xde").unwrap();
        let error = NativeExecutable::open(&file).unwrap_err().to_string();
        assert!(error.contains("prog.bc is no native program"), "{error}");
        assert!(NativeExecutable::open(&folder.path().join("none")).is_err());
    }

    #[test]
    fn a_program_of_the_host_is_found_with_its_libraries() {
        let found = NativeExecutable::open(Path::new("/bin/sh")).unwrap();
        assert_eq!(found.libc, Libc::Glibc);
        assert!(found.libraries.iter().any(|file| file.to_string_lossy().contains("libc.so.6")));
        assert!(found.libraries[0].to_string_lossy().contains("ld-linux"), "{:?}", found.libraries);
    }
}
