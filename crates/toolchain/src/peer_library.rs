//! The library that is loaded into live peers, so that their clocks and random bytes are the same in every
//! session.
//!
//! It is compiled when it is first needed, against the host's C library, as the peers are. What it does is
//! in `runtime-c/live/peer`.

use std::fs;
use std::path::{Path, PathBuf};

use object::elf::FileHeader64;
use object::endian::LittleEndian;
use object::read::elf::{ElfFile, ProgramHeader};

use crate::clang::Clang;
use crate::error::{Result, ToolchainError};
use crate::made::made_of;

macro_rules! sources {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("../../../runtime-c/live/peer/", $name)))),*]
    };
}

const FILES: [(&str, &str); 5] = sources!("peer.h" "clock.c" "waits.c" "turns.c" "random.c");
const FLAGS: [&str; 8] = [
    "-std=gnu11",
    "-O2",
    "-U_FORTIFY_SOURCE",
    "-shared",
    "-fPIC",
    "-fvisibility=hidden",
    "-Wall",
    "-Wextra",
];
const NAME: &str = "everett-peer.so";

/// The library, which is to stand in the variable `LD_PRELOAD` of a dynamic native program.
///
/// A system without the headers of its C library, or without this compiler, has no such library. Peers run
/// well without it, by the time of the machine.
pub fn peer_library(cache: &Path, clang: &Clang) -> Result<PathBuf> {
    made_of(&cache.join("peer-1"), NAME, &FILES, |folder, made| {
        let mut compile = clang.command();
        compile.args(FLAGS).arg("-o").arg(made);
        let sources = FILES.iter().filter(|(name, _)| name.ends_with(".c"));
        compile.args(sources.map(|(name, _)| folder.join(name)));
        let done = compile.output().map_err(|source| clang.no_start(source))?;
        if !done.status.success() {
            let said = String::from_utf8_lossy(&done.stderr).into_owned();
            return Err(ToolchainError::PeerLibrary { status: done.status, said });
        }
        Ok(())
    })
}

/// Returns true if a native program can load the library: if it is dynamic, and not one of musl. A script can
/// if the program can that executes it.
pub fn loads_peer_library(program: &Path) -> bool {
    // A file that cannot be read cannot be started either, which says why.
    let Ok(mut bytes) = fs::read(program) else { return true };
    if let Some(line) = bytes.strip_prefix(b"#!") {
        let words =
            String::from_utf8_lossy(line.split(|byte| *byte == b'\n').next().unwrap_or(line));
        let Some(interpreter) = words.split_whitespace().next() else { return true };
        let Ok(of_interpreter) = fs::read(interpreter) else { return true };
        bytes = of_interpreter;
    }
    let parsed: object::Result<ElfFile<'_, FileHeader64<LittleEndian>>> =
        ElfFile::parse(bytes.as_slice());
    let Ok(elf) = parsed else { return true };
    let loader = elf
        .elf_program_headers()
        .iter()
        .find_map(|header| header.interpreter(LittleEndian, bytes.as_slice()).ok().flatten());
    loader.is_some_and(|loader| !String::from_utf8_lossy(loader).contains("ld-musl"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn static_programs_cannot_load_it_and_scripts_are_as_what_executes_them() {
        assert!(loads_peer_library(Path::new("/bin/sh")));
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, content: &[u8]| {
            let file = folder.path().join(name);
            fs::write(&file, content).unwrap();
            file
        };
        // A dynamic program without its loader is static.
        let mut bytes = fs::read("/bin/sh").unwrap();
        let phdrs = u64::from_le_bytes(bytes[32..40].try_into().unwrap()) as usize;
        let count = u16::from_le_bytes(bytes[56..58].try_into().unwrap()) as usize;
        for at in (0..count).map(|number| phdrs + 56 * number) {
            if bytes[at] == object::elf::PT_INTERP.0 as u8 {
                bytes[at] = 0;
            }
        }
        let fixed = put("static", &bytes);
        assert!(!loads_peer_library(&fixed));
        let script = put("script", format!("#! {} -x\nls\n", fixed.display()).as_bytes());
        assert!(!loads_peer_library(&script));
        let script = put("other", b"#!/bin/sh\nls\n");
        assert!(loads_peer_library(&script));
        assert!(loads_peer_library(&folder.path().join("missing")));
    }
}
