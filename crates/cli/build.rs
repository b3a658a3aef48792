//! Embeds the C runtime: headers and sources as text, and the sources compiled to bitcode.
//!
//! So an installed binary needs no files beside it, and no compiler to link the runtime.

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "src/flags.rs"]
#[allow(unreachable_pub, reason = "the crate exports what this script only uses")]
mod flags;

fn main() {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let runtime = manifest.join("../../runtime-c");
    println!("cargo::rerun-if-changed={}", runtime.join("include").display());
    println!("cargo::rerun-if-changed={}", runtime.join("src").display());
    println!("cargo::rerun-if-changed=src/flags.rs");
    println!("cargo::rerun-if-changed=build.rs");

    let mut tables = String::new();
    let headers = files(&runtime.join("include"));
    table(&mut tables, "HEADERS", "&str", "include_str", &headers);
    let sources = files(&runtime.join("src"));
    table(&mut tables, "SOURCES", "&str", "include_str", &sources);
    let bitcode: Vec<(String, PathBuf)> = sources
        .iter()
        .filter(|(name, _)| name.ends_with(".c"))
        .map(|(name, file)| (format!("{name}.bc"), compile(&runtime, file, &out, name)))
        .collect();
    table(&mut tables, "BITCODE", "&[u8]", "include_bytes", &bitcode);
    fs::write(out.join("runtime_files.rs"), tables).expect("the output folder is writable");
}

/// Files below a folder with their relative names, sorted.
fn files(folder: &Path) -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(current) = folders.pop() {
        let entries = fs::read_dir(&current)
            .unwrap_or_else(|error| panic!("cannot list {}: {error}", current.display()));
        for entry in entries {
            let path = entry.expect("a listed entry can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("the entry is below the folder");
                found.push((name.display().to_string(), path.clone()));
            }
        }
    }
    found.sort();
    found
}

fn table(out: &mut String, name: &str, ty: &str, include: &str, files: &[(String, PathBuf)]) {
    let _ = writeln!(out, "pub(crate) static {name}: &[(&str, {ty})] = &[");
    for (file, path) in files {
        let _ = writeln!(out, "    ({file:?}, {include}!({:?})),", path.display().to_string());
    }
    out.push_str("];\n");
}

fn compile(runtime: &Path, source: &Path, out: &Path, name: &str) -> PathBuf {
    let bitcode = out.join(format!("{name}.bc"));
    let runtime = runtime.canonicalize().expect("the folder was just listed");
    let source = source.canonicalize().expect("the file was just listed");
    let map = format!("-ffile-prefix-map={}=<everett>", runtime.display());
    let mut clang = Command::new(flags::CLANG);
    clang.args(flags::COMMON).args(flags::RUNTIME).arg(map).arg("-isystem");
    clang.arg(runtime.join("include")).arg(source).arg("-o").arg(&bitcode);
    match clang.status() {
        Ok(status) if status.success() => bitcode,
        Ok(status) => panic!("{} of the C runtime ended with {status}", flags::CLANG),
        Err(error) => panic!(
            "cannot run {}: {error}; install it with `cargo xtask setup` \
             or `apt-get install clang-19`",
            flags::CLANG
        ),
    }
}
