//! The libc as a whole: everything in it can be run, and nothing is missing but what the engine gives.

#![allow(clippy::unwrap_used, reason = "everything here is test code")]

use std::collections::BTreeSet;

use everett::runtime;
use everett_ir::{Op, Program};
use everett_llvm::{LoadOptions, Loaded, load_bytes};
use object::read::archive::ArchiveFile;

/// What the engine must implement for musl to run.
const HOOKS: [&str; 15] = [
    "__everett_clone",
    "__everett_constructors",
    "__everett_destructors",
    "__everett_get_tp",
    "__everett_set_tp",
    "__everett_syscall",
    "__everett_yield",
    "aligned_alloc",
    "calloc",
    "free",
    "klee_get_obj_size",
    "longjmp",
    "malloc",
    "realloc",
    "setjmp",
];

fn options(roots: impl IntoIterator<Item = String>) -> LoadOptions {
    let provided = HOOKS.map(str::to_owned).to_vec();
    let mut options = runtime::load_options(true, provided);
    options.roots.extend(roots);
    options
}

fn unsupported(program: &Program) -> Vec<String> {
    let mut found = Vec::new();
    for function in program.functions.iter().filter(|function| function.defined) {
        for op in &program.ops[function.entry as usize..function.end as usize] {
            if let Op::Unsupported { what, .. } = op {
                found.push(format!("{}: {}", function.name, program.name(*what)));
            }
        }
    }
    found
}

fn undefined(loaded: &Loaded) -> BTreeSet<&str> {
    loaded.undefined.iter().map(|symbol| symbol.name.as_str()).collect()
}

#[test]
fn every_member_can_be_run_and_needs_only_the_hooks() {
    let archive = ArchiveFile::parse(runtime::libc_archive()).unwrap();
    let symbols = archive.symbols().unwrap().unwrap();
    let names = symbols.map(|symbol| String::from_utf8_lossy(symbol.unwrap().name()).into_owned());
    let text = "define i32 @main() {\n  ret i32 0\n}\n";
    let loaded = load_bytes("empty.ll", text.as_bytes(), &options(names)).unwrap();
    assert_eq!(loaded.warnings, [""; 0]);
    assert_eq!(unsupported(&loaded.program), [""; 0]);
    assert_eq!(undefined(&loaded), HOOKS.into());
    let defined = loaded.program.functions.iter().filter(|function| function.defined).count();
    assert!(defined > 1900, "{defined} functions");
}
