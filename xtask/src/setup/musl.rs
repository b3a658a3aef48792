//! musl's source package, from which the build makes the libc that programs link against.
//!
//! It stays below the target folder, where the build script of the driver looks for it.

use anyhow::Result;

use crate::source_package::{Package, provide};
use crate::workspace;

const MUSL: Package = Package {
    name: "musl",
    archive: "musl_1.2.3.orig.tar.gz",
    folder: "musl-1.2.3",
    sha256: "7d5b0b6062521e4627e099e4c9dc8248d32a30285e959b7eecaa780cf8cfd4a4",
    places: &[
        "https://deb.debian.org/debian/pool/main/m/musl/musl_1.2.3.orig.tar.gz",
        "http://deb.debian.org/debian/pool/main/m/musl/musl_1.2.3.orig.tar.gz",
        "https://musl.libc.org/releases/musl-1.2.3.tar.gz",
    ],
};

/// Fetches and unpacks the source unless it is there.
pub(super) fn run() -> Result<()> {
    provide(&[&MUSL], &workspace::target_dir().join("musl"))
}
