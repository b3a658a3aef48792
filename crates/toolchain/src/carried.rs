//! Bitcode that native files carry: the format of the section, and its reader.
//!
//! Each object that `everett cc` compiles has a section `.everett.bc` that is not loaded at run time.
//! It holds one record a module; linkers concatenate the sections of their inputs, and [`modules`]
//! splits the result again. So an executable carries the modules of exactly the objects and archive
//! members that the native linker chose.
//!
//! A record is a magic number, the length of the name, the C library that the module was compiled
//! against, the length of the bitcode (all little-endian), the name and the bitcode.
//!
//! Not here: how sections are put into ELF files (`elf.rs`).

mod elf;
mod needed;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use everett_input::{files, host};
use everett_ir::DynamicInfo;
use object::read::archive::ArchiveFile;
use tempfile::TempDir;

use crate::clang::Libc;
use crate::error::{RecordError, Result, ToolchainError};

pub use elf::SECTION;
pub(crate) use elf::{attach, pack};

const MAGIC: &[u8; 8] = b"\x7fEVERETT";
/// Magic, length of the name, C library, length of the bitcode.
const HEADER_LEN: usize = 8 + 4 + 4 + 8;

const ELF_MAGIC: &[u8] = b"\x7fELF";
const BITCODE_MAGIC: &[u8] = b"BC\xc0\xde";
const ARCHIVE_MAGIC: &[u8] = b"!<arch>\n";
const THIN_ARCHIVE_MAGIC: &[u8] = b"!<thin>\n";

/// A module of bitcode that a native file carries.
#[derive(Clone, PartialEq, Eq)]
pub struct CarriedModule {
    /// The source file, as the compiler was told.
    pub name: String,
    /// The C library that it was compiled against.
    pub libc: Libc,
    /// LLVM bitcode.
    pub bitcode: Vec<u8>,
}

impl fmt::Debug for CarriedModule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CarriedModule { name, libc, bitcode } = self;
        write!(f, "{name} ({libc}, {} bytes)", bitcode.len())
    }
}

impl CarriedModule {
    /// The module as it stands in the section.
    pub(crate) fn record(&self) -> Vec<u8> {
        let CarriedModule { name, libc, bitcode } = self;
        let name_len = u32::try_from(name.len()).expect("names of files are short");
        let libc: u32 = match libc {
            Libc::Musl => 0,
            Libc::Glibc => 1,
        };
        let mut record = Vec::with_capacity(HEADER_LEN + name.len() + bitcode.len());
        record.extend_from_slice(MAGIC);
        record.extend_from_slice(&name_len.to_le_bytes());
        record.extend_from_slice(&libc.to_le_bytes());
        record.extend_from_slice(&(bitcode.len() as u64).to_le_bytes());
        record.extend_from_slice(name.as_bytes());
        record.extend_from_slice(bitcode);
        record
    }
}

/// An executable that carries a module.
pub(crate) fn carry(executable: &[u8], module: &CarriedModule) -> Result<Vec<u8>> {
    Ok(elf::attach_to_executable(executable, &module.record())?)
}

/// Returns `true` if a file is of a kind that can carry bitcode: ELF, or an archive.
fn may_carry(file: &Path) -> bool {
    use std::io::Read;
    let mut start = [0; 8];
    let opened = fs::File::open(host::real(file));
    opened.and_then(|mut opened| opened.read_exact(&mut start)).is_ok() && is_native(&start)
}

/// The modules that an executable, a shared object, an object or an archive carries, in the order of
/// the link. A file that carries none is an error that says why.
pub fn modules(file: &Path) -> Result<Vec<CarriedModule>> {
    let bytes = read(file)?;
    if !is_native(&bytes) {
        return Err(ToolchainError::NotNative { path: file.to_path_buf() });
    }
    let found = found_in(file, &bytes)?;
    if found.is_empty() {
        return Err(ToolchainError::NoBitcode { path: file.to_path_buf() });
    }
    Ok(found)
}

/// Returns the reason for which a native file is no program: it carries no bitcode, or some that cannot
/// be read.
pub fn complaint(file: &Path) -> Option<ToolchainError> {
    may_carry(file).then(|| modules(file).err()).flatten()
}

fn read(file: &Path) -> Result<Vec<u8>> {
    files::read(file).map_err(|source| ToolchainError::Read { path: file.to_path_buf(), source })
}

/// The C library that an object was compiled against, if it is an object of ours.
pub(crate) fn libc_of_object(file: &Path) -> Option<Libc> {
    if file.extension().is_none_or(|extension| extension != "o") {
        return None;
    }
    let bytes = files::read(file).ok().filter(|bytes| bytes.starts_with(ELF_MAGIC))?;
    found_in(file, &bytes).ok()?.first().map(|module| module.libc)
}

/// The modules of a whole program: those of the file, and those of the shared objects that it loads.
/// These may be in `folders`, too.
pub fn program_modules(file: &Path, folders: &[PathBuf]) -> Result<Vec<CarriedModule>> {
    let mut found = modules(file)?;
    for library in needed::shared_objects_of(file, folders) {
        found.extend(found_in(&library, &read(&library)?)?);
    }
    Ok(found)
}

/// The files to read a program from: native ones are replaced by the modules that they carry, in files
/// that last as long as the folder that is returned. Shared objects may be in `folders`, too.
pub(crate) fn take_out(
    files: &[PathBuf],
    folders: &[PathBuf],
) -> Result<(Vec<PathBuf>, Option<TempDir>)> {
    if !files.iter().any(|file| may_carry(file)) {
        return Ok((files.to_vec(), None));
    }
    let scratch = tempfile::tempdir().map_err(ToolchainError::TemporaryFolder)?;
    let mut found = Vec::new();
    for (number, file) in files.iter().enumerate() {
        if may_carry(file) {
            let folder = scratch.path().join(number.to_string());
            fs::create_dir(&folder).map_err(ToolchainError::TemporaryFolder)?;
            found.extend(write_to(&folder, &program_modules(file, folders)?)?);
        } else {
            found.push(file.clone());
        }
    }
    Ok((found, Some(scratch)))
}

/// The files to read a library from that a program opens while it runs, as in [`take_out`]: those of the
/// libraries that it needs are not among them.
pub(crate) fn take_out_library(file: &Path) -> Result<(Vec<PathBuf>, Option<TempDir>)> {
    if !may_carry(file) {
        return Ok((vec![file.to_path_buf()], None));
    }
    let scratch = tempfile::tempdir().map_err(ToolchainError::TemporaryFolder)?;
    Ok((write_to(scratch.path(), &modules(file)?)?, Some(scratch)))
}

/// What a library tells the dynamic loader.
pub(crate) fn dynamic_info(file: &Path) -> DynamicInfo {
    needed::dynamic_info(file)
}

/// What a program tells the dynamic loader, with the names of all libraries that it is linked with.
pub(crate) fn dynamic_info_of_program(program: &Path, folders: &[PathBuf]) -> DynamicInfo {
    needed::dynamic_info_of_program(program, folders)
}

/// Writes modules into a folder, in order, under names that begin with a number.
pub fn write_to(folder: &Path, modules: &[CarriedModule]) -> Result<Vec<PathBuf>> {
    let write = |(number, module): (usize, &CarriedModule)| {
        let name: String = Path::new(&module.name)
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        let file = folder.join(format!("{number:04}-{name}.bc"));
        match fs::write(&file, &module.bitcode) {
            Ok(()) => Ok(file),
            Err(source) => Err(ToolchainError::Write { path: file, source }),
        }
    };
    modules.iter().enumerate().map(write).collect()
}

/// Returns `true` if bytes begin as ELF files and archives do.
pub(crate) fn is_native(bytes: &[u8]) -> bool {
    [ELF_MAGIC, ARCHIVE_MAGIC, THIN_ARCHIVE_MAGIC].iter().any(|magic| bytes.starts_with(magic))
}

fn found_in(file: &Path, bytes: &[u8]) -> Result<Vec<CarriedModule>> {
    if bytes.starts_with(ELF_MAGIC) {
        let path = || file.to_path_buf();
        let sections = elf::sections(bytes)
            .map_err(|source| ToolchainError::DamagedFile { path: path(), source })?;
        return split(&sections)
            .map_err(|source| ToolchainError::DamagedBitcode { path: path(), source });
    }
    let damaged = |source| ToolchainError::DamagedArchive { path: file.to_path_buf(), source };
    let archive = ArchiveFile::parse(bytes).map_err(damaged)?;
    let mut found = Vec::new();
    for member in archive.members() {
        let member = member.map_err(damaged)?;
        let name = String::from_utf8_lossy(member.name()).into_owned();
        let (path, data);
        let content = if member.is_thin() {
            path = file.parent().unwrap_or(Path::new("")).join(&name);
            data = fs::read(host::real(&path)).map_err(|source| {
                let (path, archive) = (path.clone(), file.to_path_buf());
                ToolchainError::Member { path, archive, source }
            })?;
            data.as_slice()
        } else {
            path = PathBuf::from(format!("{}({name})", file.display()));
            member.data(bytes).map_err(damaged)?
        };
        if content.starts_with(ELF_MAGIC) {
            found.extend(found_in(&path, content)?);
        } else if content.starts_with(BITCODE_MAGIC) {
            found.push(CarriedModule { name, libc: Libc::Musl, bitcode: content.to_vec() });
        }
    }
    Ok(found)
}

/// Splits what a linker has concatenated.
fn split(sections: &[u8]) -> std::result::Result<Vec<CarriedModule>, RecordError> {
    let mut found = Vec::new();
    let mut rest = sections;
    loop {
        // A linker may fill up between the parts.
        let zeros = rest.iter().take_while(|byte| **byte == 0).count();
        rest = &rest[zeros..];
        if rest.is_empty() {
            return Ok(found);
        }
        let offset = sections.len() - rest.len();
        let (header, after) =
            rest.split_at_checked(HEADER_LEN).ok_or(RecordError::InsideHeader { offset })?;
        if !header.starts_with(MAGIC) {
            return Err(RecordError::NoHeader { offset });
        }
        let word = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().expect("4 bytes"));
        let bitcode_len = u64::from(word(16)) | u64::from(word(20)) << 32;
        let libc = match word(12) {
            0 => Libc::Musl,
            1 => Libc::Glibc,
            number => return Err(RecordError::UnknownLibc { offset, number }),
        };
        let cut = || RecordError::InsideModule { offset };
        let (name, after) = after.split_at_checked(word(8) as usize).ok_or_else(cut)?;
        let bitcode_len = usize::try_from(bitcode_len).map_err(|_| cut())?;
        let (bitcode, after) = after.split_at_checked(bitcode_len).ok_or_else(cut)?;
        let name = String::from_utf8_lossy(name).into_owned();
        found.push(CarriedModule { name, libc, bitcode: bitcode.to_vec() });
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(name: &str, bitcode: &[u8]) -> CarriedModule {
        CarriedModule { name: name.to_owned(), libc: Libc::Musl, bitcode: bitcode.to_vec() }
    }

    #[test]
    fn concatenated_records_are_split_again() {
        let first = module("a.c", b"BC one");
        let second = CarriedModule { libc: Libc::Glibc, ..module("dir/b.cpp", b"") };
        let mut section = first.record();
        section.extend_from_slice(&[0; 5]);
        section.extend_from_slice(&second.record());
        assert_eq!(split(&section).unwrap(), [first, second]);
        assert_eq!(split(&[]).unwrap(), []);
    }

    #[test]
    fn every_cut_is_noticed() {
        let record = module("a.c", b"bitcode").record();
        for len in 1..record.len() {
            let error = split(&record[..len]).unwrap_err().to_string();
            assert!(error.contains("ends inside"), "{len}: {error}");
        }
        let mut wrong = record.clone();
        wrong[1] = b'X';
        assert!(split(&wrong).unwrap_err().to_string().contains("no header at offset 0"));
        let mut wrong = record;
        wrong[12] = 9;
        assert!(split(&wrong).unwrap_err().to_string().contains("unknown C library, 9"));
    }

    #[test]
    fn files_without_bitcode_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x");
        let error = || modules(&file).unwrap_err().to_string();
        assert!(error().contains("cannot read"), "{}", error());
        fs::write(&file, "text").unwrap();
        assert!(error().contains("neither an ELF file nor an archive"), "{}", error());
        fs::write(&file, "\x7fELF").unwrap();
        assert!(error().contains("x is damaged"), "{}", error());
        fs::write(&file, "!<arch>\n").unwrap();
        assert!(error().contains("carries no bitcode"), "{}", error());
        fs::write(&file, "!<arch>\nbroken").unwrap();
        assert!(error().contains("damaged archive"), "{}", error());
    }
}
