//! Embeds the C side: the libraries as bitcode, and the headers.
//!
//! So an installed binary needs no files beside it, and no compiler to link the libc.

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

#[path = "src/flags.rs"]
#[allow(unreachable_pub, reason = "the crate exports what this script only uses")]
mod flags;
#[path = "build/gateway.rs"]
mod gateway;
#[path = "build/headers.rs"]
mod headers;
#[path = "build/libc.rs"]
mod libc;
#[path = "build/libstdcxx.rs"]
mod libstdcxx;
#[path = "build/members.rs"]
mod members;

fn main() {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let runtime = manifest.join("../../runtime-c");
    // Relative names are the same for a project that has this package behind a link.
    println!("cargo::rerun-if-changed=../../runtime-c/include");
    println!("cargo::rerun-if-changed=../../runtime-c/live");
    println!("cargo::rerun-if-changed=../../runtime-c/port");
    println!("cargo::rerun-if-changed=src/flags.rs");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");

    let libc = libc::build(&runtime, &out);
    println!("cargo::rerun-if-changed={}", libc.archive.display());
    println!("cargo::rerun-if-changed={}", libc.cxx_archive.display());
    let mut headers = files(&libc.include);
    headers.extend(files(&runtime.join("include")));
    let sources: Vec<(String, PathBuf)> = files(&runtime.join("port"))
        .into_iter()
        .filter(|(name, _)| !name.ends_with(".md"))
        .collect();

    let mut tables = String::new();
    table(&mut tables, "HEADERS", &headers);
    table(&mut tables, "SOURCES", &sources);
    let gateway = gateway::build(&runtime, &libc.include, &out);
    for (name, file) in [
        ("LIBC", &libc.archive),
        ("LIBSTDCXX", &libc.cxx_archive),
        ("GATEWAY_BITCODE", &gateway.bitcode),
        ("GATEWAY_EXECUTABLE", &gateway.executable),
    ] {
        let file = file.display().to_string();
        let _ = writeln!(tables, "pub(crate) static {name}: &[u8] = include_bytes!({file:?});");
    }
    for (name, digest) in [
        ("GATEWAY_DIGEST", digest([gateway.bitcode.as_path(), &gateway.executable])),
        ("LIBC_DIGEST", digest([libc.archive.as_path()])),
        ("LIBSTDCXX_DIGEST", digest([libc.cxx_archive.as_path()])),
        ("HEADERS_DIGEST", digest(headers.iter().map(|(_, path)| path.as_path()))),
    ] {
        let _ = writeln!(tables, "pub(crate) static {name}: &str = {digest:?};");
    }
    fs::write(out.join("runtime_files.rs"), tables).expect("the output folder is writable");
}

/// A hash over names and contents of files.
fn digest<'p>(files: impl IntoIterator<Item = &'p Path>) -> String {
    let mut hasher = blake3::Hasher::new();
    for file in files {
        let name = file.file_name().expect("files have names");
        hasher.update(name.as_encoded_bytes()).update(&[0]);
        hasher.update(&fs::read(file).expect("the file was just listed or made"));
    }
    hasher.finalize().to_hex()[..24].to_owned()
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

/// Writes a table of names and texts.
fn table(out: &mut String, name: &str, files: &[(String, PathBuf)]) {
    let _ = writeln!(out, "pub(crate) static {name}: &[(&str, &str)] = &[");
    for (file, path) in files {
        let _ = writeln!(out, "    ({file:?}, include_str!({:?})),", path.display().to_string());
    }
    out.push_str("];\n");
}
