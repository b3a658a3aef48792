//! The source of libstdc++, from which the build makes the C++ library that programs link against.
//!
//! It is a small part of gcc's source package, of which the rest is thrown away. It stays below the target
//! folder, where the build script of the driver looks for it.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;
use crate::source_package::{Package, provide};
use crate::workspace;

const GCC: Package = Package {
    name: "gcc-12",
    archive: "gcc-12_12.2.0.orig.tar.gz",
    folder: "gcc-12-12.2.0",
    sha256: "b8298be16aeeb96a889c6afed0a8e2241b47452e89cc81fe65ea849d5c740fcb",
    places: &[
        "https://deb.debian.org/debian/pool/main/g/gcc-12/gcc-12_12.2.0.orig.tar.gz",
        "http://deb.debian.org/debian/pool/main/g/gcc-12/gcc-12_12.2.0.orig.tar.gz",
    ],
};

/// The archive in the source package, and the folder that it makes.
const INNER: &str = "gcc-12.2.0-dfsg.tar.xz";
const FOLDER: &str = "gcc-12.2.0";

/// What is kept: the library, and the function that makes names readable.
const KEPT: [&str; 6] = [
    "gcc-12.2.0/libstdc++-v3/config",
    "gcc-12.2.0/libstdc++-v3/libsupc++",
    "gcc-12.2.0/libstdc++-v3/src",
    "gcc-12.2.0/libiberty/cp-demangle.c",
    "gcc-12.2.0/libiberty/cp-demangle.h",
    "gcc-12.2.0/include",
];

/// Fetches and unpacks the source unless it is there.
pub(super) fn run() -> Result<()> {
    let home = workspace::target_dir().join("libstdcxx");
    if home.join(FOLDER).is_dir() {
        return Ok(());
    }
    provide(&[&GCC], &home)?;
    let outer = home.join(GCC.folder);
    unpack(&outer.join(INNER), &home).context("cannot unpack libstdc++")?;
    fs::remove_dir_all(&outer)?;
    fs::remove_file(home.join(GCC.archive))?;
    Ok(())
}

/// Unpacks beside and renames, so that a folder that is there is complete.
fn unpack(archive: &Path, home: &Path) -> Result<()> {
    let beside = home.join("unpacking");
    let _ = fs::remove_dir_all(&beside);
    fs::create_dir_all(&beside)?;
    let mut tar = Command::new("tar");
    tar.arg("-xf").arg(archive).arg("-C").arg(&beside).args(KEPT);
    process::output(&mut tar)?;
    fs::rename(beside.join(FOLDER), home.join(FOLDER))?;
    fs::remove_dir_all(&beside)?;
    Ok(())
}
