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
use everett_ir::DynamicInfo;
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

/// What a native file tells the dynamic loader. Another one needs the C library.
pub(super) fn dynamic_info(file: &Path) -> DynamicInfo {
    let bytes = fs::read(host::real(file)).unwrap_or_default();
    let Ok((name, run_path, needed)) = dynamic_texts(&bytes) else {
        return DynamicInfo { needed: vec!["libc.so".to_owned()], ..DynamicInfo::default() };
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let needed = needed.iter().map(|name| text(name)).collect();
    DynamicInfo { name: text(&name), run_path: text(&run_path), needed }
}

/// What a program tells the dynamic loader, with the names of all libraries that it is linked with.
pub(super) fn dynamic_info_of_program(program: &Path, known: &[PathBuf]) -> DynamicInfo {
    let mut info = dynamic_info(program);
    for library in shared_objects_of(program, known) {
        let DynamicInfo { name, run_path: _, needed } = dynamic_info(&library);
        for name in std::iter::once(name).chain(needed) {
            if !name.is_empty() && !info.needed.contains(&name) {
                info.needed.push(name);
            }
        }
    }
    info
}

/// The name of a shared object, its run path, and the names of what it needs.
type DynamicTexts = (Vec<u8>, Vec<u8>, Vec<Vec<u8>>);

fn dynamic_texts(bytes: &[u8]) -> Result<DynamicTexts, object::Error> {
    let parsed: ElfFile<'_, FileHeader64<LittleEndian>> = ElfFile::parse(bytes)?;
    let table = parsed.elf_dynamic_table()?;
    let (mut name, mut run_path, mut needed) = (Vec::new(), Vec::new(), Vec::new());
    for entry in table.iter() {
        if entry.tag == elf::DT_NEEDED {
            needed.push(table.string(entry)?.to_vec());
        } else if entry.tag == elf::DT_SONAME {
            name = table.string(entry)?.to_vec();
        } else if entry.tag == elf::DT_RUNPATH || entry.tag == elf::DT_RPATH {
            if !run_path.is_empty() {
                run_path.push(b':');
            }
            run_path.extend_from_slice(table.string(entry)?);
        }
    }
    Ok((name, run_path, needed))
}

fn direct(file: &Path, known: &[PathBuf]) -> Result<Vec<PathBuf>, object::Error> {
    let bytes = fs::read(host::real(file)).unwrap_or_default();
    let (_, run_path, needed) = dynamic_texts(&bytes)?;
    let names = needed.iter().map(|name| Path::new(OsStr::from_bytes(name)).to_path_buf());
    let names: Vec<PathBuf> = names.collect();
    let mut folders = split(&run_path, file);
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
