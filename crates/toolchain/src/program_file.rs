//! Files that are given as programs and are none: what they are instead, and what to do with them.
//!
//! [`complaint`] looks at the beginning of a file, and at its name where the beginning says too little. It
//! lets through whatever LLVM may be able to read, which knows better what is wrong with the rest.
//!
//! Not here: native files, which may carry bitcode; `carried.rs` says why one does not.

use std::fmt;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use everett_input::host;
use everett_replay::KTest;

use crate::carried::is_native;

/// Bytes that are looked at.
const START_BYTES: u64 = 1 << 16;
const BITCODE: [&[u8]; 2] = [b"BC\xc0\xde", b"\xde\xc0\x17\x0b"];
/// Beginnings of the lines that a module in LLVM's text may begin with.
const LLVM_TEXT: [&str; 13] = [
    "source_filename",
    "target ",
    "module asm",
    "define ",
    "declare ",
    "attributes ",
    "uselistorder",
    "@",
    "%",
    "$",
    "!",
    "^",
    "; ModuleID",
];

/// A problem with a file, and advice about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileComplaint {
    /// The problem.
    pub message: String,
    /// Advice on what to do about it.
    pub help: Option<String>,
}

impl fmt::Display for FileComplaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FileComplaint { message, help } = self;
        f.write_str(message)?;
        help.iter().try_for_each(|help| write!(f, "; {help}"))
    }
}

/// Returns the reason for which a file is no program, if that can be seen.
pub fn complaint(file: &Path) -> Option<FileComplaint> {
    let shown = file.display();
    let metadata = match fs::metadata(host::real(file)) {
        Ok(metadata) => metadata,
        Err(error) => {
            return Some(FileComplaint {
                message: format!("cannot read {shown}: {error}"),
                help: missing(file),
            });
        }
    };
    if metadata.is_dir() {
        let help = "name a program in it, or a scenario".to_owned();
        return Some(FileComplaint { message: format!("{shown} is a folder"), help: Some(help) });
    }
    let mut start = Vec::new();
    let opened = File::open(host::real(file));
    let opened = opened.and_then(|file| file.take(START_BYTES).read_to_end(&mut start));
    if let Err(error) = opened {
        return Some(FileComplaint {
            message: format!("cannot read {shown}: {error}"),
            help: None,
        });
    }
    let (what, help) = other_than_program(file, &start)?;
    Some(FileComplaint { message: format!("{shown} is {what}"), help: Some(help) })
}

/// Returns advice on how a program that is not there could be made.
fn missing(file: &Path) -> Option<String> {
    let source = file.with_extension("c");
    let is_there = source != file && source.exists();
    is_there
        .then(|| format!("compile it with `everett cc {} -o {}`", source.display(), file.display()))
}

/// Returns the kind of file that is there instead of a program, and what to do with it.
fn other_than_program(file: &Path, start: &[u8]) -> Option<(&'static str, String)> {
    let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    let begins = |magic: &&[u8]| start.starts_with(magic);
    if BITCODE.iter().any(begins) || is_native(start) || extension == "ll" {
        return None;
    }
    let (shown, program) = (file.display(), file.with_extension(""));
    let compile = |compiler: &str| {
        let program = program.display();
        format!("compile it with `everett {compiler} {shown} -o {program}`, then run {program}")
    };
    if start.is_empty() {
        return Some(("empty", compile_something()));
    }
    if KTest::is_one(start) {
        return Some(("a test case", format!("run it with `everett run --ktest {shown} PROGRAM`")));
    }
    if start.starts_with(b"#!") {
        return Some(("a script", script(file, start)));
    }
    match extension {
        "c" | "i" => return Some(("C source", compile("cc"))),
        "C" | "cc" | "cp" | "cpp" | "cxx" | "c++" | "ii" => {
            return Some(("C++ source", compile("c++")));
        }
        "h" | "hh" | "hpp" | "hxx" => return Some(("a header", compile_something())),
        "s" | "S" | "asm" => {
            return Some(("assembly, which is not simulated", compile_something()));
        }
        "dtest" => {
            return Some((
                "the test case of a system",
                format!("run it with `everett replay {shown}`"),
            ));
        }
        "minv" => {
            let help = format!("give it with `everett run --invariants {shown} PROGRAM`");
            return Some(("a file of invariants", help));
        }
        _ => {}
    }
    let text = std::str::from_utf8(start).or_else(|error| match error.error_len() {
        // The beginning of a file may end inside a character.
        None => std::str::from_utf8(&start[..error.valid_up_to()]),
        Some(_) => Err(error),
    });
    match text {
        Ok(text) if !text.contains('\0') => {
            let scenario = match extension {
                "toml" => "",
                _ => "; the name of a scenario ends in .toml",
            };
            (!is_llvm(text)).then(|| ("text", compile_something() + scenario))
        }
        _ => {
            Some(("neither bitcode of LLVM nor an executable that carries it", compile_something()))
        }
    }
}

fn compile_something() -> String {
    "name a program that was compiled with `everett cc`".to_owned()
}

/// Returns `true` if the first line that is no comment is one of LLVM's.
fn is_llvm(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_start);
    let is_comment = |line: &str| line.is_empty() || line.starts_with(';');
    let first = lines.find(|line| !is_comment(line) || line.starts_with("; ModuleID"));
    // A module may be nothing but comments.
    first.is_none_or(|line| LLVM_TEXT.iter().any(|begin| line.starts_with(begin)))
}

/// Programs that libtool links against libraries which are not installed yet are scripts.
fn script(file: &Path, start: &[u8]) -> String {
    if !String::from_utf8_lossy(start).contains("libtool") {
        return "name the program that it runs, compiled with `everett cc`".to_owned();
    }
    let folder = file.parent().unwrap_or(Path::new("")).join(".libs");
    let program = folder.join(file.file_name().unwrap_or_default());
    format!("it was made by libtool, and the program is {}", program.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(name: &str, content: &[u8]) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        fs::write(&file, content).unwrap();
        let folder = format!("{}/", folder.path().display());
        complaint(&file).map(|complaint| complaint.to_string().replace(&folder, ""))
    }

    #[test]
    fn files_that_are_no_programs_are_named() {
        let compiled = "name a program that was compiled with `everett cc`";
        for (name, content, expected) in [
            ("a.c", "int main;", "C source; compile it with `everett cc a.c -o a`, then run a"),
            ("a.cpp", "int x;", "C++ source; compile it with `everett c++ a.cpp -o a`, then run a"),
            ("a.h", "int x;", &format!("a header; {compiled}")),
            ("a.c", "", &format!("empty; {compiled}")),
            (
                "a",
                "#!/bin/sh\nls\n",
                "a script; name the program that it runs, compiled with `everett cc`",
            ),
            (
                "a",
                "#!/bin/sh\n# libtool\n",
                "a script; it was made by libtool, and the program is .libs/a",
            ),
            (
                "a.ktest",
                "KTEST\0\0",
                "a test case; run it with `everett run --ktest a.ktest PROGRAM`",
            ),
            (
                "a.dtest",
                "<test/>",
                "the test case of a system; run it with `everett replay a.dtest`",
            ),
            ("a", "hello", &format!("text; {compiled}; the name of a scenario ends in .toml")),
            (
                "a",
                "a\0b",
                &format!("neither bitcode of LLVM nor an executable that carries it; {compiled}"),
            ),
        ] {
            let said = said(name, content.as_bytes());
            assert_eq!(said, Some(format!("{name} is {expected}")));
        }
    }

    #[test]
    fn whatever_llvm_may_read_is_let_through() {
        for (name, content) in [
            ("a", &b"BC\xc0\xde"[..]),
            ("a.o", b"\x7fELF"),
            ("a.a", b"!<arch>\n"),
            ("a.ll", b"anything"),
            ("a", b"; a comment\n\ndefine i32 @main() {\n"),
            ("a.txt", b"; ModuleID = 'x'\n"),
            ("a", b"@x = global i32 1\n"),
        ] {
            assert_eq!(said(name, content), None, "{name} {content:?}");
        }
    }

    #[test]
    fn folders_and_missing_files_say_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let said = |name: &str| complaint(&folder.path().join(name)).unwrap().to_string();
        assert!(said("").ends_with("is a folder; name a program in it, or a scenario"));
        assert!(said("prog").ends_with("prog: No such file or directory (os error 2)"));
        fs::write(folder.path().join("prog.c"), "").unwrap();
        let source = folder.path().join("prog.c");
        let expected = format!("compile it with `everett cc {} -o ", source.display());
        assert!(said("prog").contains(&expected), "{}", said("prog"));
    }
}
