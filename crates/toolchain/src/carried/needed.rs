//! The shared objects that a native program loads, as far as they can carry bitcode.
//!
//! They are looked for where the dynamic loader would: in the folders that the file names, then in those
//! that the caller knows, then where a local installation puts them. What is not found there is the
//! system's, and has no bitcode.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use everett_input::host;
use object::elf::{self, FileHeader64};
use object::endian::LittleEndian;
use object::read::elf::ElfFile;

/// The folder of shared objects that are installed and not the system's.
const INSTALLED: &str = "/usr/local/lib";

/// The shared objects that the program in a file loads, each once, in the order of loading.
pub(super) fn shared_objects_of(program: &Path, known: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = vec![program.to_path_buf()];
    let mut at = 0;
    while at < found.len() {
        // A file that cannot be read is the loader's problem, not ours.
        for library in direct(&found[at], known).unwrap_or_default() {
            if !found.contains(&library) {
                found.push(library);
            }
        }
        at += 1;
    }
    found.split_off(1)
}

fn direct(file: &Path, known: &[PathBuf]) -> Result<Vec<PathBuf>, object::Error> {
    let bytes = fs::read(host::real(file)).unwrap_or_default();
    let parsed: ElfFile<'_, FileHeader64<LittleEndian>> = ElfFile::parse(bytes.as_slice())?;
    let table = parsed.elf_dynamic_table()?;
    let (mut names, mut folders) = (Vec::new(), Vec::new());
    for entry in table.iter() {
        if entry.tag == elf::DT_NEEDED {
            names.push(Path::new(OsStr::from_bytes(table.string(entry)?)).to_path_buf());
        } else if entry.tag == elf::DT_RUNPATH || entry.tag == elf::DT_RPATH {
            folders.extend(split(table.string(entry)?, file));
        }
    }
    folders.extend(known.iter().filter(|folder| !folder.as_os_str().is_empty()).cloned());
    folders.push(INSTALLED.into());
    let find = |name: PathBuf| match name.components().count() {
        1 => {
            folders.iter().map(|folder| folder.join(&name)).find(|file| host::real(file).is_file())
        }
        _ => Some(name).filter(|file| host::real(file).is_file()),
    };
    Ok(names.into_iter().filter_map(find).collect())
}

/// The folders in a list, where `$ORIGIN` is the folder of the file.
fn split(list: &[u8], file: &Path) -> Vec<PathBuf> {
    let origin =
        file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let origin = origin.to_string_lossy();
    let list = String::from_utf8_lossy(list);
    let folders = list.split(':').filter(|folder| !folder.is_empty());
    folders
        .map(|folder| folder.replace("$ORIGIN", &origin).replace("${ORIGIN}", &origin).into())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origin_is_the_folder_of_the_file() {
        let found = split(b"/opt/lib:$ORIGIN/../lib::${ORIGIN}", Path::new("bin/prog"));
        assert_eq!(found, ["/opt/lib", "bin/../lib", "bin"].map(PathBuf::from));
        assert_eq!(split(b"$ORIGIN", Path::new("prog")), [PathBuf::from(".")]);
    }

    #[test]
    fn files_that_are_no_programs_need_nothing() {
        assert!(shared_objects_of(Path::new("/dev/null"), &[]).is_empty());
    }
}
