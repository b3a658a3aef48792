//! Builds the native Boolector library that the `boolector` crate links against.
//!
//! The published `boolector-sys` crate carries Boolector's C sources but can only build them with
//! help from the network; the published `cadical` crate carries CaDiCaL and builds it. This script
//! compiles the former against the header of the latter, so that both crates are used unchanged and
//! one CaDiCaL is linked. Nothing is downloaded and nothing outside `OUT_DIR` is written.

mod sources;

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The parts of Boolector that belong to its programs, to SAT solvers that we do not link, or to
/// the BTOR2 reader that `native/btor2_reader.c` stands in for.
const LEFT_OUT: &[&str] = &[
    "boolectormain.c",
    "btormain.c",
    "btormbt.c",
    "btormcmain.c",
    "btoruntrace.c",
    "parser/btorbtor2.c",
];

fn main() {
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rerun-if-changed=native");
    let manifest_dir = required_path("CARGO_MANIFEST_DIR");
    let out_dir = required_path("OUT_DIR");
    let found = match sources::locate(&manifest_dir) {
        Ok(found) => found,
        Err(reason) => {
            eprintln!("error: {reason}");
            std::process::exit(1);
        }
    };
    println!("cargo:rerun-if-changed={}", found.boolector.join("boolector.h").display());
    write_config_header(&out_dir);

    let mut files = Vec::new();
    collect_c_files(&found.boolector, &mut files);
    files.retain(|file| !LEFT_OUT.iter().any(|name| file.ends_with(name)));
    files.sort();
    files.push(manifest_dir.join("native/btor2_reader.c"));

    // The lint-free, always optimised build: the solver's speed must not depend on our profile.
    cc::Build::new()
        .files(&files)
        .include(&found.boolector)
        .include(&found.cadical)
        .include(&out_dir)
        .std("gnu99")
        .define("NDEBUG", None)
        .define("NBTORLOG", None)
        .define("BTOR_USE_CADICAL", None)
        .opt_level(2)
        .debug(false)
        .warnings(false)
        .flag_if_supported("-w")
        .cargo_metadata(false)
        .compile("boolector");
    // `boolector-sys` itself says `-lboolector`; only the place is missing.
    println!("cargo:rustc-link-search=native={}", out_dir.display());
}

fn required_path(variable: &str) -> PathBuf {
    PathBuf::from(env::var_os(variable).expect("cargo sets this variable for build scripts"))
}

/// The header that Boolector's own build generates; only its version string is ever printed.
fn write_config_header(out_dir: &Path) {
    let mut text = String::from("#pragma once\n");
    for name in
        ["CC", "CXX", "CFLAGS", "CXXFLAGS", "OS", "COMPILED", "SRC_DIR", "BIN_DIR", "TEST_DIR"]
            .iter()
            .chain(&["LOG_DIR", "OUT_DIR", "CONTRIB_DIR", "RELEASED", "GIT_ID"])
    {
        text.push_str(&format!("#define BTOR_{name} \"\"\n"));
    }
    text.push_str("#define BTOR_VERSION \"3.2.2\"\n");
    fs::write(out_dir.join("btorconfig.h"), text).expect("OUT_DIR is writable");
}

fn collect_c_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).expect("the folder was checked when it was located");
    for entry in entries {
        let path = entry.expect("a package's folder can be listed").path();
        let skipped = ["api", "mcapi"].iter().any(|name| path.ends_with(name));
        if path.is_dir() && !skipped {
            collect_c_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "c") {
            files.push(path);
        }
    }
}
